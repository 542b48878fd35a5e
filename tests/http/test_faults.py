"""What a caller sees of our own faults and shortages: a status, a sentence, when to try again; nothing else."""

from __future__ import annotations

import json
from typing import Any, NoReturn

import anyio
import httpx2
import pytest
import structlog
from starlette.testclient import TestClient

from scenograph import late_dataclasses
from scenograph.http.app import create_app
from scenograph.http.problems import STATUS
from scenograph.http.routes import KEY_REFUSALS, ROUTES
from scenograph.service.rendering import Rendering
from scenograph.settings import Settings
from scenograph.storage.interface import StorageUnavailable
from scenograph.wiring import Services, build
from scenograph.workers import EngineWorkers, Turns

Document = dict[str, Any]


class BrokenScenes:
    """Scenes whose store is gone, or whose code is wrong."""

    def __init__(self, fault: Exception) -> None:
        self._fault = fault

    def read(self, *_arguments: object) -> NoReturn:
        raise self._fault


def with_broken_scenes(services: Services, fault: Exception) -> TestClient:
    broken: Any = BrokenScenes(fault)
    return TestClient(create_app(late_dataclasses.replace(services, scenes=broken)), raise_server_exceptions=False)


def test_an_unexpected_fault_is_a_500_that_tells_the_caller_nothing(services: Services, key: dict[str, str]) -> None:
    client = with_broken_scenes(services, RuntimeError("the secret recipe"))
    with structlog.testing.capture_logs() as lines:
        reply = client.get("/v1/scenes/x", headers=key)
    assert (reply.status_code, reply.json()["code"]) == (500, "internal_error")
    assert set(reply.json()) == {"error", "code", "requestId"}
    assert "recipe" not in reply.text
    assert [line["event"] for line in lines] == ["unexpected_fault", "request"]


def test_a_store_that_cannot_answer_is_a_503_with_retry_after(services: Services, key: dict[str, str]) -> None:
    client = with_broken_scenes(services, StorageUnavailable("database is locked"))
    reply = client.get("/v1/scenes/x", headers=key)
    assert (reply.status_code, reply.json()["code"]) == (503, "storage_unavailable")
    assert int(reply.headers["retry-after"]) >= 1
    assert "locked" not in reply.text


def test_ready_is_a_503_while_the_store_cannot_answer(services: Services) -> None:
    def broken() -> NoReturn:
        raise StorageUnavailable("gone")

    client = TestClient(create_app(late_dataclasses.replace(services, check_storage=broken)))
    assert client.get("/ready").json()["code"] == "storage_unavailable"
    assert client.get("/health").status_code == 200


def test_a_render_beyond_its_time_is_a_503(services: Services, document: Document, key: dict[str, str]) -> None:
    hasty = EngineWorkers(1, timeout_seconds=0.000_1)
    rendering = Rendering(services.scenes, services.places, hasty, services.documents)
    client = TestClient(create_app(late_dataclasses.replace(services, rendering=rendering)))
    many = [{"id": f"n{number}", "kind": "node", "label": "late"} for number in range(900)]  # never ready at once
    slow = {**document, "elements": many}
    reply = client.post("/v1/scenes/render", json={"scene": slow, "format": "png"}, headers=key)
    hasty.close()
    assert (reply.status_code, reply.json()["code"]) == (503, "render_timeout")
    assert "retry-after" in reply.headers


def test_a_render_that_finds_no_room_is_a_503_and_the_rest_goes_on(services: Services, document: Document) -> None:
    turns = Turns(1, queue_seconds=0.05)
    app = create_app(late_dataclasses.replace(services, turns=turns))

    async def crowd() -> tuple[httpx2.Response, httpx2.Response, httpx2.Response]:
        transport = httpx2.ASGITransport(app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://test") as client:
            with turns.waited_for(services.fairness.of_owner("another"), "render"):
                refused = await client.post("/v1/scenes/render", json={"scene": document})
                beside = await client.post("/v1/scenes/validate", json=document)
            return refused, beside, await client.post("/v1/scenes/render", json={"scene": document})

    refused, beside, later = anyio.run(crowd)
    assert (refused.status_code, refused.json()["code"]) == (503, "overloaded")
    assert int(refused.headers["retry-after"]) >= 1
    assert (beside.status_code, later.status_code) == (200, 200)


def test_a_turn_is_given_back_after_a_refusal(services: Services) -> None:
    turns = Turns(1, queue_seconds=1.0)
    app = create_app(late_dataclasses.replace(services, turns=turns))
    with TestClient(app) as client:
        for _ in range(3):
            assert client.post("/v1/scenes/render", json={"scene": {}}).status_code == 422
        assert turns.standing == 0


def test_with_auth_disabled_every_call_acts_as_one_local_owner(settings: Settings, document: Document) -> None:
    opened = build(settings.model_copy(update={"auth_disabled": "true", "render_workers": 1}))
    client = TestClient(create_app(opened))
    created = client.post("/v1/scenes", json=document)
    rendered = client.post(f"/v1/scenes/{document['scene']['id']}/render")
    opened.close()
    assert (created.status_code, rendered.status_code) == (201, 200)


def test_with_auth_disabled_a_page_of_another_origin_changes_nothing(settings: Settings, document: Document) -> None:
    opened = build(settings.model_copy(update={"auth_disabled": "true", "render_workers": 1}))
    client = TestClient(create_app(opened), base_url="http://127.0.0.1:3000")
    path = f"/v1/scenes/{document['scene']['id']}"
    for origin in ("https://evil.example", "null", "http://127.0.0.1:8000", "file://", "http://", ""):
        refused = client.post("/v1/scenes", json=document, headers={"Origin": origin})
        assert (refused.status_code, refused.json()["code"]) == (403, "forbidden"), origin
    assert client.post("/v1/scenes", json=document, headers={"Origin": "http://127.0.0.1:3000"}).status_code == 201
    assert client.delete(path, headers={"Origin": "https://evil.example"}).status_code == 403
    assert client.get(path, headers={"Origin": "https://evil.example"}).status_code == 200, "which no page can read"
    assert client.delete(path).status_code == 200
    opened.close()


def test_with_auth_disabled_no_limit_applies_to_deletions_either(settings: Settings, document: Document) -> None:
    opened = build(settings.model_copy(update={"auth_disabled": "true", "render_workers": 1}))
    client = TestClient(create_app(opened))
    path = f"/v1/scenes/{document['scene']['id']}"
    client.post("/v1/scenes", json=document)
    for _ in range(12):
        assert client.delete(path).status_code == 200
        assert client.post(f"{path}/undelete").status_code == 200
    opened.close()


def test_where_keys_are_asked_for_the_origin_says_nothing(
    client: TestClient, key: dict[str, str], document: Document
) -> None:
    reply = client.post("/v1/scenes", json=document, headers=key | {"Origin": "https://evil.example"})
    assert reply.status_code == 201


def test_every_code_a_route_names_has_a_status() -> None:
    named = {code for route in ROUTES for code in route.refusals} | set(KEY_REFUSALS)
    assert named <= set(STATUS)
    assert all(400 <= status < 600 for status in STATUS.values())


def test_a_log_line_holds_no_key_and_no_scene_text(
    client: TestClient, key: dict[str, str], document: Document, capsys: pytest.CaptureFixture[str]
) -> None:
    document["elements"][0]["label"] = "Confidential"
    client.post("/v1/scenes", json=document, headers=key)
    client.get("/v1/scenes/x", params={"token": "dsp_sk_in_a_query"}, headers=key)
    written = "".join(capsys.readouterr())
    assert "request" in written
    for secret in ("dsp_sk_", "Confidential", json.dumps("Web shop")):
        assert secret not in written
