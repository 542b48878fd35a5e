"""Stored scenes over HTTP: creation, reading, edits, and what their refusals say."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from starlette.testclient import TestClient

Document = dict[str, Any]


def batch(scene_id: str, base: int, *ops: dict[str, Any]) -> dict[str, Any]:
    return {"schemaVersion": "0.1", "sceneId": scene_id, "baseRevision": base, "ops": list(ops)}


def new_node(node_id: str) -> dict[str, Any]:
    return {"op": "createNode", "id": node_id, "nodeType": "database", "label": "Orders DB"}


def test_creation_answers_201_with_revision_1(client: TestClient, key: dict[str, str], document: Document) -> None:
    reply = client.post("/v1/scenes", json=document, headers=key)
    assert reply.status_code == 201
    assert reply.json() == {"sceneId": document["scene"]["id"], "revision": 1, "diagnostics": []}


def test_an_id_that_is_taken_is_a_409_and_nothing_is_overwritten(
    client: TestClient, key: dict[str, str], document: Document, stored: str
) -> None:
    reply = client.post("/v1/scenes", json=document | {"elements": []}, headers=key)
    assert (reply.status_code, reply.json()["code"], reply.json()["currentRevision"]) == (409, "scene_exists", 1)
    assert client.get(f"/v1/scenes/{stored}", headers=key).json()["scene"] == document


def test_an_invalid_scene_is_a_422_with_every_problem(
    client: TestClient, key: dict[str, str], document: Document
) -> None:
    document["elements"] += [{"id": "web", "kind": "node"}, {"id": "x", "kind": "nod"}]
    reply = client.post("/v1/scenes", json=document, headers=key)
    assert (reply.status_code, reply.json()["code"]) == (422, "validation_failed")
    rows = {row["code"]: row for row in reply.json()["diagnostics"]}
    assert rows["DUPLICATE_ID"]["severity"] == "error"
    assert rows["INVALID_VALUE"]["data"]["suggestion"] == "node"
    assert client.get(f"/v1/scenes/{document['scene']['id']}", headers=key).status_code == 404


def test_reading_gives_the_document_as_authored(
    client: TestClient, key: dict[str, str], document: Document, stored: str
) -> None:
    reply = client.get(f"/v1/scenes/{stored}", headers=key)
    body = reply.json()
    assert reply.status_code == 200
    assert body["scene"] == document
    assert (body["sceneId"], body["revision"], body["privacyStatus"]) == (stored, 1, "private")
    assert datetime.now(UTC) - datetime.fromisoformat(body["createdAt"]) < timedelta(minutes=1)


def test_the_tag_of_a_read_holds_until_the_scene_changes(client: TestClient, key: dict[str, str], stored: str) -> None:
    address = f"/v1/scenes/{stored}"
    tag = client.get(address, headers=key).headers["etag"]
    again = client.get(address, headers=key | {"If-None-Match": f'"other", {tag}'})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    client.post(f"{address}/applyOps", json=batch(stored, 1, new_node("db")), headers=key)
    changed = client.get(address, headers=key | {"If-None-Match": tag})
    assert changed.status_code == 200
    assert changed.headers["etag"] != tag
    assert client.get(f"{address}?revision=1", headers=key | {"If-None-Match": tag}).status_code == 304


def test_applying_operations_makes_one_revision(client: TestClient, key: dict[str, str], stored: str) -> None:
    ops = [new_node("db"), {"op": "updateNode", "id": "web", "label": "Shop"}]
    reply = client.post(f"/v1/scenes/{stored}/applyOps", json=batch(stored, 1, *ops), headers=key)
    assert reply.status_code == 200
    assert reply.json() == {
        "sceneId": stored,
        "revision": 2,
        "applied": 2,
        "changedElementIds": ["db", "web"],
        "diagnostics": [],
    }
    read = client.get(f"/v1/scenes/{stored}", headers=key).json()
    assert (read["revision"], read["scene"]["elements"][0]["label"]) == (2, "Shop")
    assert client.get(f"/v1/scenes/{stored}?revision=1", headers=key).json()["revision"] == 1


def test_a_stale_base_is_refused_with_what_changed(client: TestClient, key: dict[str, str], stored: str) -> None:
    address = f"/v1/scenes/{stored}/applyOps"
    client.post(address, json=batch(stored, 1, new_node("db")), headers=key)
    reply = client.post(address, json=batch(stored, 1, new_node("cache")), headers=key)
    body = reply.json()
    assert (reply.status_code, body["code"], body["error"]) == (409, "revision_conflict", "Revision conflict")
    assert (body["currentRevision"], body["changedElementIds"]) == (2, ["db"])
    assert client.get(f"/v1/scenes/{stored}", headers=key).json()["revision"] == 2


def test_an_operation_that_fails_changes_nothing_and_says_which(
    client: TestClient, key: dict[str, str], stored: str
) -> None:
    ops = [new_node("db"), {"op": "updateNode", "id": "ghost", "label": "?"}]
    reply = client.post(f"/v1/scenes/{stored}/applyOps", json=batch(stored, 1, *ops), headers=key)
    assert (reply.status_code, reply.json()["code"]) == (422, "validation_failed")
    assert [row["path"][:6] for row in reply.json()["diagnostics"]] == ["/ops/1"]
    assert client.get(f"/v1/scenes/{stored}", headers=key).json()["revision"] == 1


def test_moving_what_the_engine_placed_asks_the_engine_where_it_is(
    client: TestClient, key: dict[str, str], stored: str
) -> None:
    move = {"op": "moveElement", "id": "orders", "delta": {"dx": 10, "dy": 0}}
    reply = client.post(f"/v1/scenes/{stored}/applyOps", json=batch(stored, 1, move), headers=key)
    assert reply.status_code == 200, reply.text
    elements = client.get(f"/v1/scenes/{stored}", headers=key).json()["scene"]["elements"]
    assert elements[1]["layout"]["mode"] == "absolute"


@pytest.mark.parametrize("scene_id", ["missing", "-impossible", "a b", "%00", "x" * 200, "é"])
def test_a_scene_that_is_not_there_is_a_404(client: TestClient, key: dict[str, str], scene_id: str) -> None:
    for method, tail in (("GET", ""), ("POST", "/applyOps"), ("POST", "/render")):
        body = batch(scene_id, 1) if tail == "/applyOps" else {}
        arguments: dict[str, Any] = {"json": body} if method == "POST" else {}
        reply = client.request(method, f"/v1/scenes/{scene_id}{tail}", headers=key, **arguments)
        assert reply.status_code == 404 or (reply.status_code == 400 and "sceneId" in reply.json()["error"])


def test_a_foreign_scene_and_a_missing_one_answer_alike(
    client: TestClient, stored: str, key_of_another: Callable[[str, bool], dict[str, str]]
) -> None:
    stranger = key_of_another("stranger", True)
    foreign = client.get(f"/v1/scenes/{stored}", headers=stranger)
    missing = client.get("/v1/scenes/missing", headers=stranger)
    assert foreign.status_code == missing.status_code == 404
    assert foreign.json() | {"requestId": ""} == missing.json() | {"requestId": ""}
    edit = client.post(f"/v1/scenes/{stored}/applyOps", json=batch(stored, 1), headers=stranger)
    assert edit.json()["code"] == "scene_not_found"


@pytest.mark.parametrize("revision", ["0", "-1", "1.5", "abc", "", "99999999999999999999999", "1e3"])
def test_a_revision_that_is_no_number_is_a_400(
    client: TestClient, key: dict[str, str], stored: str, revision: str
) -> None:
    reply = client.get(f"/v1/scenes/{stored}", params={"revision": revision}, headers=key)
    assert (reply.status_code, reply.json()["code"]) == (400, "invalid_request")
    assert "revision" in reply.json()["error"]


def test_a_revision_that_is_not_there_is_a_404(client: TestClient, key: dict[str, str], stored: str) -> None:
    reply = client.get(f"/v1/scenes/{stored}?revision=7", headers=key)
    assert (reply.status_code, reply.json()["code"]) == (404, "revision_not_found")


def test_a_new_key_reads_what_the_old_one_wrote(client: TestClient, key: dict[str, str], stored: str) -> None:
    reply = client.post("/v1/auth/keys", json={"name": "build server"}, headers=key)
    assert reply.status_code == 201
    assert reply.json()["name"] == "build server"
    assert reply.headers["cache-control"] == "no-store"
    again = {"Authorization": f"bearer {reply.json()['key']}"}
    assert client.get(f"/v1/scenes/{stored}", headers=again).status_code == 200


@pytest.mark.parametrize("body", [{}, {"name": ""}, {"name": 7}, {"name": "x" * 101}, {"name": "a\nb"}])
def test_a_key_needs_a_readable_name(client: TestClient, key: dict[str, str], body: dict[str, Any]) -> None:
    reply = client.post("/v1/auth/keys", json=body, headers=key)
    assert (reply.status_code, reply.json()["code"]) == (400, "invalid_request")
