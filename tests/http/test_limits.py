"""Rate limits and render shares as a caller meets them."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import anyio
import httpx2
import pytest
from pydantic import SecretStr
from starlette.testclient import TestClient

from scenograph import late_dataclasses
from scenograph.http.app import create_app
from scenograph.http.routes import ROUTES, Auth
from scenograph.service.accounts import Caller, Keys
from scenograph.service.rate_limits import Allowance, Count, Fairness, MemoryCounter, RateLimits, ShareRules
from scenograph.settings import Settings, SettingsError
from scenograph.wiring import Services, build
from scenograph.workers import LIGHT_BYTES, Turns
from scenograph.workers.turns import CallTurn, Share

BY_KEY = Allowance(name="key", per_minute=6, burst=3)
BY_ADDRESS = Allowance(name="address", per_minute=6, burst=4)
HEADERS = ("x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "ratelimit", "ratelimit-policy")
Document = dict[str, Any]


@pytest.fixture
def tight(services: Services) -> TestClient:
    """A service of tight limits whose buckets are full."""
    return TestClient(create_app(limited(services)))


def limited(services: Services, **others: Any) -> Services:
    limits = RateLimits(BY_KEY, BY_ADDRESS, MemoryCounter())
    return late_dataclasses.replace(services, rate_limits=limits, **others)


def test_a_counted_reply_tells_how_many_are_left(tight: TestClient, key: dict[str, str]) -> None:
    reply = tight.get("/v1/scenes/none", headers=key)
    assert reply.status_code == 404
    policies = '"key";q=3;w=30, "key-minute";q=6;w=60'
    assert [reply.headers[name] for name in HEADERS] == ["6", "2", "10", '"key";r=2;t=10', policies]


def test_one_call_too_many_is_a_429_that_says_when_to_come_back(tight: TestClient, key: dict[str, str]) -> None:
    replies = [tight.get("/v1/scenes/none", headers=key) for _ in range(4)]
    assert [reply.status_code for reply in replies] == [404, 404, 404, 429]
    last = replies[-1]
    assert last.json()["code"] == "rate_limited"
    assert 9 <= int(last.headers["retry-after"]) <= 10
    assert last.headers["x-ratelimit-remaining"] == "0"
    assert last.headers["ratelimit"].startswith('"key";r=0;t=')


def test_keys_are_counted_apart(
    tight: TestClient, key: dict[str, str], key_of_another: Callable[[str, bool], dict[str, str]]
) -> None:
    for _ in range(4):
        tight.get("/v1/scenes/none", headers=key)
    assert tight.get("/v1/scenes/none", headers=key_of_another("limited", True)).status_code == 404


def test_all_keys_of_an_account_share_a_limit(
    services: Services, key: dict[str, str], key_of_another: Callable[[str, bool], dict[str, str]]
) -> None:
    account = Allowance(name="account", per_minute=6, burst=4)
    limits = RateLimits(BY_KEY, BY_ADDRESS, MemoryCounter(), by_account=account)
    client = TestClient(create_app(late_dataclasses.replace(services, rate_limits=limits)))
    one, other = key_of_another("many-keys", True), key_of_another("many-keys", True)
    replies = [client.get("/v1/scenes/none", headers=one) for _ in range(4)]
    assert [reply.status_code for reply in replies] == [404, 404, 404, 429]
    assert replies[0].headers["ratelimit"] == '"key";r=2;t=10, "account";r=3;t=10'
    assert replies[3].headers["ratelimit"].startswith('"key";r=0'), "a refusal by the key costs the account nothing"
    last = [client.get("/v1/scenes/none", headers=other) for _ in range(2)]
    assert [reply.status_code for reply in last] == [404, 429]
    assert "of an account together" in last[1].json()["error"]
    assert last[1].headers["ratelimit"].startswith('"account";r=0;t=')
    assert client.get("/v1/scenes/none", headers=key).status_code == 404


def test_keyless_routes_are_counted_for_the_address(tight: TestClient, document: Document) -> None:
    replies = [tight.post("/v1/scenes/validate", json=document) for _ in range(5)]
    assert [reply.status_code for reply in replies] == [200] * 4 + [429]
    assert replies[0].headers["ratelimit-policy"] == '"address";q=4;w=40, "address-minute";q=6;w=60'
    assert replies[0].headers["x-ratelimit-limit"] == "6"
    assert replies[4].headers["access-control-allow-origin"] == "*"
    assert "RateLimit" in replies[4].headers["access-control-expose-headers"]


@pytest.mark.parametrize("path", ["/openapi.json", "/schemas/ops.schema.json"])
def test_what_is_published_is_counted_too(tight: TestClient, path: str) -> None:
    assert [tight.get(path).status_code for _ in range(5)] == [200] * 4 + [429]


@pytest.mark.parametrize("path", ["/", "/docs", "/robots.txt", "/favicon.ico", "/assets/any/studio.js"])
def test_pages_and_what_they_load_are_never_counted(tight: TestClient, path: str) -> None:
    replies = [tight.get(path) for _ in range(10)]
    assert {reply.status_code for reply in replies} == {200}
    assert not set(HEADERS) & set(replies[0].headers)


def test_health_and_readiness_are_never_counted(tight: TestClient) -> None:
    for path in ("/health", "/ready"):
        replies = [tight.get(path) for _ in range(10)]
        assert {reply.status_code for reply in replies} == {200}
        assert not set(HEADERS) & set(replies[0].headers)


def test_keys_cannot_be_tried_at_leisure(tight: TestClient, key: dict[str, str]) -> None:
    wrong = [
        tight.get("/v1/scenes/none", headers={"Authorization": f"Bearer dsp_sk_{turn:032x}"}).status_code
        for turn in range(6)
    ]
    assert wrong == [401] * 4 + [429] * 2
    assert tight.get("/v1/scenes/none", headers=key).status_code == 404


def test_a_forwarded_address_is_not_believed_unless_its_proxy_is(services: Services) -> None:
    def statuses(trusted: str) -> list[int]:
        app = create_app(limited(services, trusted_proxies=trusted))
        client = TestClient(app, client=("192.0.2.7", 4711))
        turns = [{"X-Forwarded-For": f"198.51.100.{turn}"} for turn in range(5)]
        return [client.get("/schemas/ops.schema.json", headers=headers).status_code for headers in turns]

    assert statuses("") == [200] * 4 + [429]
    assert statuses("203.0.113.0/24") == [200] * 4 + [429]
    assert statuses("192.0.2.0/24") == [200] * 5


def test_a_shared_counter_out_of_reach_leaves_the_service_up_and_limited(
    settings: Settings, tmp_path: Path, document: Document
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        nobody = f"redis://127.0.0.1:{probe.getsockname()[1]}/0"
    own = {
        "database_url": f"sqlite:///{tmp_path / 'scenes.db'}",
        "rate_limit_url": SecretStr(nobody),
        "rate_limit_rpm": 1,
        "rate_limit_burst": 2,
        "render_workers": 1,
    }
    opened = build(settings.model_copy(update=own))
    client = TestClient(create_app(opened))
    statuses = [client.post("/v1/scenes/validate", json=document).status_code for _ in range(3)]
    opened.close()
    assert statuses == [200, 200, 429]


def test_a_refused_call_changes_nothing(tight: TestClient, client: TestClient, key: dict[str, str]) -> None:
    for _ in range(3):
        tight.get("/v1/scenes/none", headers=key)
    body = {
        "schemaVersion": "0.1",
        "scene": {"id": "never-made", "units": "px", "canvas": {}},
        "elements": [],
    }
    assert tight.post("/v1/scenes", json=body, headers=key).status_code == 429
    assert client.get("/v1/scenes/never-made", headers=key).status_code == 404


def test_the_operators_limits_of_a_document_hold_everywhere(
    settings: Settings, key: dict[str, str], stored: str
) -> None:
    chosen = settings.model_copy(update={"document_limits": "elements=2,label_length=1", "render_workers": 1})
    services = build(chosen)
    elements = [{"id": f"n{number}", "kind": "node", "label": "longer"} for number in range(3)]
    scene = {"schemaVersion": "0.1", "scene": {"id": "few", "units": "px", "canvas": {}}, "elements": elements}
    with TestClient(create_app(services), headers=key) as client:
        for path, body in (("", scene), ("/render", {"scene": scene}), ("/normalize", scene), ("/validate", scene)):
            told = client.post(f"/v1/scenes{path}", json=body).json()["diagnostics"]
            limits = [row["data"]["limit"] for row in told if row["code"] == "LIMIT_EXCEEDED"]
            assert sorted(limits) == [1, 1, 2]
        assert client.post(f"/v1/scenes/{stored}/render", json={}).is_success
        schema = client.get("/schemas/scene.schema.json").json()
    services.close()
    assert schema["properties"]["elements"]["maxItems"] == 2


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("elemnts=5", "names elemnts; the limits are elements, constraints"),
        ("elements=0", "elements a whole number from 1 to 50000"),
        ("nesting=65", "nesting a whole number from 1 to 64"),
    ],
)
def test_a_limit_that_cannot_be_stops_the_start(settings: Settings, value: str, told: str) -> None:
    with pytest.raises(SettingsError, match=told):
        build(settings.model_copy(update={"document_limits": value}))


def test_the_operators_limits_of_requests_and_pictures_hold(settings: Settings, key: dict[str, str]) -> None:
    bounds = {"max_png_megapixels": 1, "max_header_bytes": 4096, "render_workers": 1}
    services = build(settings.model_copy(update=bounds))
    scene = {"schemaVersion": "0.1", "scene": {"id": "wide", "units": "px", "canvas": {"width": 1200, "height": 900}}}
    with TestClient(create_app(services), headers=key) as client:
        body = {"scene": scene | {"elements": []}, "format": "png"}
        refused = client.post("/v1/scenes/render", json=body)
        fitting = client.post("/v1/scenes/render", json=body | {"scale": 0.9})
        long = client.get("/v1/scenes", headers={"X-Long": "x" * 4096})
    services.close()
    assert (refused.status_code, fitting.status_code, long.status_code) == (400, 200, 431)
    assert "at most 1 are made: use a scale of at most 0.96." in refused.json()["error"]
    assert "4096 bytes" in long.json()["error"]


def test_a_refusal_for_want_of_room_comes_at_once_and_a_neighbour_is_served(
    services: Services, document: Document
) -> None:
    queued: list[str] = []

    class Noting(Turns):
        def ask(self, share: Share, *about: Any, **more: Any) -> CallTurn:
            turn = super().ask(share, *about, **more)
            queued.append(share.name)
            return turn

    turns = Noting(8, queue_seconds=0.05, clock=lambda: 0.0)  # on a busy machine "a" and "b" would seem nearly done
    app = create_app(late_dataclasses.replace(services, turns=turns))
    body = {"scene": document}

    async def crowd() -> tuple[httpx2.Response, list[str], httpx2.Response, httpx2.Response]:
        here, there = (
            httpx2.AsyncClient(transport=httpx2.ASGITransport(app, client=(host, 1)), base_url="http://test")
            for host in ("192.0.2.1", "198.51.100.2")
        )
        share = services.fairness.of_network("192.0.2.77")
        async with here, there:
            with turns.waited_for(share, "a"), turns.waited_for(share, "b"):
                refused = await here.post("/v1/scenes/render", json=body)
                had_queued = [*queued]
                neighbour = await there.post("/v1/scenes/render", json=body)
            return refused, had_queued, neighbour, await here.post("/v1/scenes/render", json=body)

    refused, had_queued, neighbour, later = anyio.run(crowd)
    assert (refused.status_code, refused.json()["code"]) == (503, "overloaded")
    assert "API key" in refused.json()["error"]
    assert had_queued == [services.fairness.of_network("192.0.2.77").name] * 2, "of the refused call nothing waited"
    assert (neighbour.status_code, later.status_code) == (200, 200)


def test_an_edit_that_needs_the_engine_is_paid_for_and_any_other_is_not(
    services: Services, client: TestClient, key: dict[str, str], stored: str
) -> None:
    amounts: list[float] = []

    class Noting(MemoryCounter):
        def spend(self, subject: str, allowance: Allowance, amount: float) -> Count:
            amounts.append(amount)
            return super().spend(subject, allowance, amount)

    rules = ShareRules(at_once=2, timeout_seconds=10.0, seconds_a_minute=30)
    fairness = Fairness(rules, rules, 1000, Noting())
    spent = TestClient(create_app(late_dataclasses.replace(services, fairness=fairness)))
    label = {"op": "updateNode", "id": "web", "label": "Shop"}
    new = {"op": "createNode", "id": "new", "label": "New"}
    move = {"op": "moveElement", "id": "new", "delta": {"dx": 10, "dy": 0}}

    def edit(base: int, *ops: dict[str, Any]) -> httpx2.Response:
        batch = {"schemaVersion": "0.1", "sceneId": stored, "baseRevision": base, "ops": ops}
        return spent.post(f"/v1/scenes/{stored}/applyOps", json=batch, headers=key)

    paid = edit(1, new, move)
    assert paid.status_code == 200, paid.text
    assert "engine-seconds" in paid.headers["ratelimit"]
    assert sum(amounts) > 0, "the edit took some of the owner's seconds"
    fairness.payer(fairness.of_owner("operator")).charge(60.0)
    free = edit(2, label)
    assert (free.status_code, free.json()["revision"]) == (200, 3)
    assert "engine-seconds" not in free.headers["ratelimit"]
    refused = edit(3, {**label, "label": "Market"}, {**move, "id": "orders"})
    assert (refused.status_code, refused.json()["code"]) == (429, "rate_limited")
    assert "engine-seconds" in refused.headers["ratelimit"]
    assert client.get(f"/v1/scenes/{stored}", headers=key).json()["revision"] == 3


def test_a_refusal_for_want_of_room_asks_nothing_of_the_store(
    services: Services, key: dict[str, str], document: Document
) -> None:
    """Refusing has to stay cheap: from the second call on, it is known whose key it is."""
    now = 0.0
    turns = Turns(1, queue_seconds=0.05, clock=lambda: now)
    asked: list[str] = []

    class Counting(Keys):
        def authenticate(self, secret: str) -> Caller | None:
            asked.append(secret)
            return services.keys.authenticate(secret)

    counting = cast("Keys", object.__new__(Counting))
    crowded = TestClient(create_app(late_dataclasses.replace(services, turns=turns, keys=counting)))
    share = services.fairness.of_owner("operator")
    with turns.waited_for(share, "long"):
        now = 0.1  # it takes longer than such calls do
        refused = [crowded.post("/v1/scenes/render", json={"scene": document}, headers=key) for _ in range(3)]
        stranger = crowded.post("/v1/scenes/render", json={"scene": document})
    assert [(reply.status_code, reply.json()["code"]) for reply in refused] == [(503, "overloaded")] * 3
    assert stranger.status_code == 503
    assert len(asked) == 1
    assert crowded.post("/v1/scenes/render", json={"scene": document}, headers=key).status_code == 200


def test_a_crowd_of_renders_of_one_owner_is_served_one_after_another(
    services: Services, key: dict[str, str], document: Document
) -> None:
    turns = Turns(2, queue_seconds=20.0)
    app = create_app(late_dataclasses.replace(services, turns=turns))
    statuses: list[int] = []

    async def crowd() -> None:
        transport = httpx2.ASGITransport(app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://test", headers=key) as client:
            await client.post("/v1/scenes", json=document)

            async def render() -> None:
                reply = await client.post(f"/v1/scenes/{document['scene']['id']}/render")
                statuses.append(reply.status_code)

            async with anyio.create_task_group() as tasks:
                for _ in range(12):
                    tasks.start_soon(render)

    anyio.run(crowd)
    assert statuses == [200] * 12
    assert turns.standing == 0


@pytest.fixture
def spent(services: Services) -> TestClient:
    """A service where neither the operator nor anybody without a key has engine seconds left."""
    rules = ShareRules(at_once=2, timeout_seconds=10.0, seconds_a_minute=30)
    fairness = Fairness(rules, rules, 1000, MemoryCounter())
    for share in (fairness.of_owner("operator"), fairness.of_network("testclient")):
        fairness.payer(share).charge(60.0)
    return TestClient(create_app(late_dataclasses.replace(services, fairness=fairness)))


def test_what_is_large_takes_a_turn_with_the_engine_at_every_address(
    spent: TestClient, key: dict[str, str], stored: str
) -> None:
    large = {"filling": "x" * LIGHT_BYTES}
    taking = [route for route in ROUTES if route.request is not None]
    codes = {}
    for route in taking:
        path = route.path.replace("{sceneId}", stored).replace("{id}", stored)
        headers = key if route.auth is Auth.KEY else {}
        codes[route.path] = spent.request(route.method, path, json=large, headers=headers).json()["code"]
    assert len(codes) > 10
    assert set(codes.values()) == {"rate_limited"}, codes


def test_large_json_at_the_addresses_of_kroki_takes_a_turn_too(spent: TestClient) -> None:
    large = {"diagram_source": "", "filling": "x" * LIGHT_BYTES}
    assert spent.post("/kroki/mermaid/svg", json=large).status_code == 429
    assert spent.post("/kroki/mermaid/svg", json={"diagram_source": ""}).status_code == 400


def test_what_is_about_a_large_scene_takes_a_turn_with_the_engine_however_small_it_is(
    client: TestClient, spent: TestClient, key: dict[str, str], document: Document
) -> None:
    many = [{"id": f"n{number}", "kind": "node", "label": "N" * 200} for number in range(LIGHT_BYTES // 200)]
    made = client.post("/v1/scenes", json={**document, "elements": many}, headers=key)
    path = f"/v1/scenes/{made.json()['sceneId']}"
    op = {"op": "setText", "id": "n1", "text": "First"}
    batch = {"schemaVersion": "0.1", "sceneId": made.json()["sceneId"], "baseRevision": 1, "ops": [op]}
    replies = [
        spent.post(f"{path}/applyOps", json=batch, headers=key),
        spent.post(f"{path}/restore", json={"revision": 1, "baseRevision": 1}, headers=key),
        spent.get(f"{path}/diff?from=1&to=1", headers=key),
        spent.post(f"{path}/support", json={"problem": "Lines cross.", "anonymize": True}, headers=key),
    ]
    assert [reply.json()["code"] for reply in replies] == ["rate_limited"] * 4
    assert client.post(f"{path}/applyOps", json=batch, headers=key).status_code == 200
    assert spent.get(path, headers=key).json()["revision"] == 2
