"""Idempotency-Key over HTTP: a creation or an edit that is sent again."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NoReturn

import pytest
from starlette.testclient import TestClient

from scenograph import late_dataclasses
from scenograph.http.app import create_app
from scenograph.service.rate_limits import Allowance, Count, MemoryCounter, RateLimits, TooManyRequestsError, Verdict
from scenograph.storage.interface import StorageUnavailable
from scenograph.wiring import Services

Document = dict[str, Any]
Headers = dict[str, str]


@pytest.fixture
def keyed(key: Headers, request: pytest.FixtureRequest) -> Headers:
    """The operator's key and an Idempotency-Key of this test."""
    return key | {"Idempotency-Key": request.node.name}


def batch(scene_id: str, label: str = "Tills") -> Document:
    op = {"op": "updateNode", "id": "orders", "label": label}
    return {"schemaVersion": "0.1", "sceneId": scene_id, "baseRevision": 1, "ops": [op]}


def test_a_creation_sent_again_gets_the_first_answer(client: TestClient, keyed: Headers, document: Document) -> None:
    first, second = (client.post("/v1/scenes", json=document, headers=keyed) for _ in range(2))
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.content == second.content
    assert "idempotency-replayed" not in first.headers
    assert second.headers["idempotency-replayed"] == "true"
    assert second.headers["content-type"] == "application/json"


def test_an_edit_sent_again_makes_one_revision(client: TestClient, key: Headers, keyed: Headers, stored: str) -> None:
    address = f"/v1/scenes/{stored}/applyOps"
    first, second = (client.post(address, json=batch(stored), headers=keyed) for _ in range(2))
    assert first.json() == second.json()
    assert first.json()["revision"] == 2
    assert client.get(f"/v1/scenes/{stored}", headers=key).json()["revision"] == 2


def test_a_refusal_is_kept_as_well(client: TestClient, key: Headers, keyed: Headers, document: Document) -> None:
    client.post("/v1/scenes", json=document, headers=key)
    taken, again = (client.post("/v1/scenes", json=document, headers=keyed) for _ in range(2))
    assert (taken.status_code, again.status_code) == (409, 409)
    assert again.content == taken.content
    assert again.headers["idempotency-replayed"] == "true"
    own = {"x-request-id", "idempotency-replayed"}
    assert {**again.headers, **dict.fromkeys(own)} == {**taken.headers, **dict.fromkeys(own)}


def test_what_was_refused_for_the_moment_is_carried_out_later(
    client: TestClient, key: Headers, keyed: Headers, document: Document
) -> None:
    scene_id = document["scene"]["id"]
    address = f"/v1/scenes/{scene_id}/applyOps"
    assert client.post(address, json=batch(scene_id), headers=keyed).status_code == 404
    client.post("/v1/scenes", json=document, headers=key)
    again = client.post(address, json=batch(scene_id), headers=keyed)
    assert (again.status_code, again.json()["revision"]) == (200, 2)


def test_engine_seconds_that_are_used_up_keep_no_refusal(
    services: Services, client: TestClient, keyed: Headers, stored: str
) -> None:
    class Spent:
        def apply(self, *_arguments: object, **_members: object) -> NoReturn:
            rule = Allowance(name="engine-seconds", per_minute=6, burst=1)
            count = Count(allowed=False, remaining=0, reset_seconds=9.0, retry_seconds=9.0)
            raise TooManyRequestsError("used up", Verdict(rule, count))

    spent: Any = Spent()
    address = f"/v1/scenes/{stored}/applyOps"
    refusing = TestClient(create_app(late_dataclasses.replace(services, scenes=spent)))
    assert refusing.post(address, json=batch(stored), headers=keyed).status_code == 429
    assert client.post(address, json=batch(stored), headers=keyed).status_code == 200


def test_another_body_or_address_under_the_key_is_a_422(
    client: TestClient, keyed: Headers, stored: str, document: Document
) -> None:
    address = f"/v1/scenes/{stored}/applyOps"
    client.post(address, json=batch(stored), headers=keyed)
    for reply in (
        client.post(address, json=batch(stored, "Cash"), headers=keyed),
        client.post("/v1/scenes", json=document, headers=keyed),
    ):
        assert (reply.status_code, reply.json()["code"]) == (422, "idempotency_mismatch")


def test_the_same_key_of_another_owner_is_another_key(
    client: TestClient, keyed: Headers, document: Document, key_of_another: Callable[[str, bool], Headers]
) -> None:
    client.post("/v1/scenes", json=document, headers=keyed)
    theirs = client.post("/v1/scenes", json=document, headers=keyed | key_of_another("repeating", True))
    assert theirs.status_code == 201
    assert "idempotency-replayed" not in theirs.headers


def test_equal_creations_at_once_are_one(client: TestClient, keyed: Headers, document: Document) -> None:
    with ThreadPoolExecutor(6) as pool:
        replies = list(pool.map(lambda _: client.post("/v1/scenes", json=document, headers=keyed), range(6)))
    assert {reply.status_code for reply in replies} == {201}
    assert len({reply.content for reply in replies}) == 1
    assert sum("idempotency-replayed" in reply.headers for reply in replies) == 5


def test_a_failure_of_ours_is_not_kept(
    services: Services, client: TestClient, keyed: Headers, document: Document
) -> None:
    class Broken:
        def create(self, *_arguments: object, **_members: object) -> NoReturn:
            raise StorageUnavailable("locked")

    broken: Any = Broken()
    failing = TestClient(create_app(late_dataclasses.replace(services, scenes=broken)))
    assert failing.post("/v1/scenes", json=document, headers=keyed).status_code == 503
    assert client.post("/v1/scenes", json=document, headers=keyed).status_code == 201


@pytest.mark.parametrize("value", ["", "with space", "x" * 256, "caf\u00e9"])
def test_a_key_that_is_no_key_is_refused(client: TestClient, key: Headers, document: Document, value: str) -> None:
    headers = {**key, "Idempotency-Key": value}
    raw = {name: text.encode("latin-1") for name, text in headers.items()}
    reply = client.post("/v1/scenes", json=document, headers=raw)
    assert (reply.status_code, reply.json()["code"]) == (400, "invalid_request")
    assert "Idempotency-Key" in reply.json()["error"]


def test_a_request_with_a_key_counts_once(services: Services, keyed: Headers, document: Document) -> None:
    limits = RateLimits(Allowance(name="key", per_minute=6, burst=3), None, MemoryCounter())
    client = TestClient(create_app(late_dataclasses.replace(services, rate_limits=limits)))
    replies = [client.post("/v1/scenes", json=document, headers=keyed) for _ in range(2)]
    assert [reply.headers["x-ratelimit-remaining"] for reply in replies] == ["2", "1"]


def test_secrets_of_new_keys_are_never_kept(client: TestClient, keyed: Headers) -> None:
    made = [client.post("/v1/auth/keys", json={"name": "ci"}, headers=keyed).json() for _ in range(2)]
    assert made[0]["key"] != made[1]["key"]
