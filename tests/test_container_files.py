"""What can be known of the container files without an engine that runs them."""

from __future__ import annotations

import json
import re
import shlex
from importlib.metadata import version
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from scenograph.cli import program as commands
from scenograph.settings import Settings, SettingsError, table

ROOT = Path(__file__).parents[1]
SETTINGS = {name for name, _default, _help in table()}
OF_THE_SYSTEM = {"PATH", "PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE"}
DRAINED_WITHIN = 10  # seconds after SIGTERM


def instructions() -> list[tuple[str, str]]:
    """The Dockerfile's instructions in order, continued lines joined."""
    text = (ROOT / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
    lines = [line.strip() for line in text.splitlines()]
    return [(line.split()[0], line.partition(" ")[2]) for line in lines if line and not line.startswith("#")]


def final_stage() -> list[tuple[str, str]]:
    every = instructions()
    last = max(number for number, (word, _) in enumerate(every) if word == "FROM")
    return every[last:]


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    return yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))


def test_the_image_runs_as_a_user_without_a_name_that_could_be_root() -> None:
    users = [rest for word, rest in final_stage() if word == "USER"]
    assert users
    assert all(re.fullmatch(r"[1-9]\d+:[1-9]\d+", user) for user in users)


def test_the_image_starts_a_command_that_exists_and_is_asked_for_its_health() -> None:
    stage = dict(final_stage())
    assert json.loads(stage["ENTRYPOINT"]) == ["scenograph"]
    assert json.loads(stage["CMD"])[0] in commands.commands
    check = json.loads(stage["HEALTHCHECK"].partition("CMD ")[2])
    assert check[:2] == ["python", "-c"]
    compile(check[2], "health check", "exec")
    assert "/health" in check[2]


def test_what_the_image_sets_are_settings() -> None:
    environment = shlex.split(dict(final_stage())["ENV"])
    assert {word.partition("=")[0] for word in environment} <= SETTINGS | OF_THE_SYSTEM


def test_what_is_copied_exists_and_reaches_the_builder() -> None:
    let_in = {line[1:] for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line.startswith("!")}
    sources = {
        source
        for word, rest in instructions()
        if word == "COPY" and "--from" not in rest
        for source in rest.split()[:-1]
    }
    assert sources == let_in
    assert all((ROOT / source).exists() for source in sources)


def test_every_container_is_hardened(compose: dict[str, Any]) -> None:
    for name, service in compose["services"].items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert "no-new-privileges:true" in service["security_opt"], name
        assert not service.get("privileged"), name
        assert service["tmpfs"], name
        assert "healthcheck" in service or service.get("build"), name
        assert all(str(port).startswith("127.0.0.1:") for port in service.get("ports", ())), name


def test_the_servers_share_one_configuration_of_settings_that_exist(compose: dict[str, Any]) -> None:
    servers = [service for service in compose["services"].values() if service.get("build")]
    assert len(servers) == 2
    assert len({json.dumps(server["environment"], sort_keys=True) for server in servers}) == 1
    for server in servers:
        assert set(server["environment"]) <= SETTINGS
        assert int(server["stop_grace_period"].removesuffix("s")) > DRAINED_WITHIN


def test_secrets_stand_in_files_that_are_not_kept_here(compose: dict[str, Any]) -> None:
    ignored = (ROOT / ".gitignore").read_text("utf-8").splitlines()
    for service in compose["services"].values():
        assert set(service.get("env_file", ())) <= set(ignored)
        assert not [name for name in service.get("environment", ()) if re.search("KEY|PASSWORD|DATABASE_URL", name)]
    named = re.findall(r"^#   \S+\.env\s+(.*)$", (ROOT / "compose.yaml").read_text("utf-8"), re.MULTILINE)
    assert set(re.findall(r"([A-Z_]+)=", " ".join(named))) <= SETTINGS | {"POSTGRES_PASSWORD"}


def manifest() -> list[dict[str, Any]]:
    return list(yaml.safe_load_all((ROOT / "deploy" / "kubernetes.yaml").read_text("utf-8")))


@pytest.mark.parametrize("version", ["1.29", "1.33"])
def test_the_manifest_is_what_a_cluster_takes(version: str) -> None:
    for document in manifest():
        kubernetes_validate.validate(document, version, strict=True)


def test_the_servers_are_upgraded_and_stopped_without_a_lost_request() -> None:
    deployments = {row["metadata"]["name"]: row["spec"] for row in manifest() if row["kind"] == "Deployment"}
    server = deployments["scenograph"]
    pod = server["template"]["spec"]
    (container,) = pod["containers"]
    assert server["strategy"] == {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}}
    pause = int(container["lifecycle"]["preStop"]["exec"]["command"][-1])
    assert pod["terminationGracePeriodSeconds"] > DRAINED_WITHIN + pause
    assert container["image"].endswith(f":{version('scenograph')}")


def test_metrics_have_a_port_that_no_service_leads_to() -> None:
    rows = manifest()
    (settings,) = (row["data"] for row in rows if row["kind"] == "ConfigMap")
    assert set(settings) <= SETTINGS
    exposed = {port["targetPort"] for row in rows if row["kind"] == "Service" for port in row["spec"]["ports"]}
    assert exposed == {"http", "postgres", "redis"}
    server = next(row for row in rows if row["kind"] == "Deployment" and row["metadata"]["name"] == "scenograph")
    ports = {
        port["name"]: port["containerPort"] for port in server["spec"]["template"]["spec"]["containers"][0]["ports"]
    }
    assert ports["metrics"] == int(settings["METRICS_PORT"])
    assert ports["http"] != ports["metrics"]


@pytest.mark.parametrize("name", ["deploy/kubernetes.yaml", "compose.yaml"])
def test_a_placeholder_that_was_left_stops_the_start(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    found = re.search(r"PUBLIC_SITE: (\S+)", (ROOT / name).read_text("utf-8"))
    assert found is not None
    monkeypatch.setenv("PUBLIC_SITE", found[1])
    with pytest.raises(SettingsError, match=r"^PUBLIC_SITE must be the address that people use"):
        Settings.load()
