"""The figures that Prometheus reads, by what was done before."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient

from scenograph import late_dataclasses
from scenograph.http.app import create_app
from scenograph.wiring import Services
from scenograph.workers import EngineWorkers, WorkerTimedOut

Document = dict[str, Any]
DEPLOY = Path(__file__).parents[2] / "deploy"
OF_PROMETHEUS = {"up"}  # which it makes itself, with these labels
LABELS_OF_PROMETHEUS = {"job", "instance"}


@pytest.fixture
def fresh(services: Services) -> Iterator[TestClient]:
    """An application whose figures begin at nothing."""
    with TestClient(create_app(services), raise_server_exceptions=False) as client:
        yield client


def figure(client: TestClient, name: str, **labels: str) -> float:
    text = client.get("/metrics").text
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    return sum(row.value for row in samples if row.name == name and labels.items() <= row.labels.items())


def test_requests_are_counted_and_timed_by_route_and_never_by_address(fresh: TestClient, key: dict[str, str]) -> None:
    for scene_id in ("one", "two"):
        fresh.get(f"/v1/scenes/{scene_id}", headers=key)
    counted = {"method": "GET", "route": "/v1/scenes/{sceneId}"}
    assert figure(fresh, "scenograph_requests_total", **counted, status="404") == 2
    assert figure(fresh, "scenograph_request_seconds_count", **counted) == 2
    assert "/v1/scenes/one" not in fresh.get("/metrics").text


def test_no_method_that_somebody_made_up_is_a_label(fresh: TestClient) -> None:
    for number in range(3):
        assert fresh.request(f"MADEUP{number}", "/v1/scenes").status_code == 405
    text = fresh.get("/metrics").text
    assert "MADEUP" not in text
    assert 'scenograph_requests_total{method="other",route="/v1/scenes",status="405"} 3.0' in text


def test_options_and_head_are_counted_by_route_under_their_own_name(fresh: TestClient) -> None:
    fresh.options("/v1/scenes/any")
    fresh.head("/health")
    text = fresh.get("/metrics").text
    assert 'scenograph_requests_total{method="OPTIONS",route="/v1/scenes/{sceneId}",status="204"} 1.0' in text
    assert 'scenograph_requests_total{method="HEAD",route="/health",status="200"} 1.0' in text


def test_an_unknown_address_makes_no_label_of_its_own(fresh: TestClient) -> None:
    fresh.get("/no/such/place")
    assert figure(fresh, "scenograph_requests_total", route="none", status="404") == 1


def test_renders_are_counted_by_format_and_theme(fresh: TestClient, document: Document) -> None:
    fresh.post("/v1/scenes/render", json={"scene": document})
    fresh.post("/v1/scenes/render", json={"scene": document, "format": "png", "theme": "dark", "scale": 0.5})
    fresh.post("/v1/scenes/render", json={"scene": document, "theme": "loud"})
    assert figure(fresh, "scenograph_renders_total") == 2
    assert figure(fresh, "scenograph_renders_total", format="svg", theme="auto") == 1
    assert figure(fresh, "scenograph_renders_total", format="png", theme="dark") == 1


def test_conflicts_are_counted(fresh: TestClient, key: dict[str, str], stored: str) -> None:
    batch = {"schemaVersion": "0.1", "sceneId": stored, "baseRevision": 7, "ops": []}
    assert fresh.post(f"/v1/scenes/{stored}/applyOps", json=batch, headers=key).status_code == 409
    assert figure(fresh, "scenograph_revision_conflicts_total") == 1


def test_the_queue_is_empty_when_nothing_is_drawn(fresh: TestClient) -> None:
    assert figure(fresh, "scenograph_renders_waiting") == 0


def test_replaced_engine_processes_are_counted(services: Services, document: Document) -> None:
    hasty = EngineWorkers(1, timeout_seconds=0.000_1)
    client = TestClient(create_app(late_dataclasses.replace(services, workers_replaced=hasty.replaced)))
    assert figure(client, "scenograph_workers_replaced_total") == 0
    many = [{"id": f"n{number}", "kind": "node", "label": "late"} for number in range(900)]  # never ready at once
    with pytest.raises(WorkerTimedOut):
        hasty.render({**document, "elements": many}, output="png", theme=None, options={})
    assert figure(client, "scenograph_workers_replaced_total") == 1
    hasty.close()


def dashboard_expressions() -> list[str]:
    panels = json.loads((DEPLOY / "grafana.json").read_text())["panels"]
    return [target["expr"] for panel in panels for target in panel.get("targets", ())]


def alert_expressions() -> list[str]:
    groups = yaml.safe_load((DEPLOY / "alerts.yaml").read_text())["groups"]
    return [rule["expr"] for group in groups for rule in group["rules"]]


@pytest.fixture(scope="module")
def families(services: Services) -> list[Metric]:
    """What a server tells after its first request."""
    with TestClient(create_app(services)) as client:
        client.get("/health")
        return [*text_string_to_metric_families(client.get("/metrics").text)]


@pytest.mark.parametrize("expression", [*dashboard_expressions(), *alert_expressions()])
def test_dashboard_and_alerts_ask_for_metrics_and_labels_that_are_there(
    families: list[Metric], expression: str
) -> None:
    labels = {name for family in families for sample in family.samples for name in sample.labels}
    names = {sample.name for family in families for sample in family.samples}
    names |= {f"{family.name}_total" for family in families if family.type == "counter"}
    asked = re.findall(r"\b((?:scenograph|process)_\w+|up)\b", expression)
    assert asked
    assert set(asked) <= names | OF_PROMETHEUS
    named = set(re.findall(r"(\w+)\s*(?:=~|!~|!=|=)\s*\"", expression))
    named |= {name.strip() for group in re.findall(r"\bby \(([^)]*)\)", expression) for name in group.split(",")}
    assert named <= labels | LABELS_OF_PROMETHEUS | {"format", "theme"}  # of pictures, of which none was made yet
    assert expression.count("(") == expression.count(")")


def test_every_metric_of_the_service_is_on_the_dashboard(families: list[Metric]) -> None:
    shown = " ".join(dashboard_expressions())
    own = [name for family in families if (name := family.name).startswith("scenograph_")]
    assert [name for name in own if name not in shown and not name.endswith("_created")] == []
