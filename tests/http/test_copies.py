"""Copies between scenes of one owner over HTTP (R-OP-23)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

Headers = dict[str, str]
Document = dict[str, Any]


@pytest.fixture
def other(client: TestClient, key: Headers, document: Document) -> str:
    """A second scene of the same owner, with one node."""
    scene = {**document["scene"], "id": f"{document['scene']['id']}-other"}
    copy = {**document, "scene": scene, "elements": [{"id": "bank", "kind": "node", "label": "Bank"}]}
    return str(client.post("/v1/scenes", json=copy, headers=key).json()["sceneId"])


def apply(client: TestClient, key: Headers, scene: str, *ops: Document) -> Any:
    body = {"schemaVersion": "0.1", "sceneId": scene, "baseRevision": 1, "ops": list(ops)}
    return client.post(f"/v1/scenes/{scene}/applyOps", json=body, headers=key)


@pytest.mark.parametrize("padding", [0, 30_000], ids=["in the server", "in an engine process"])
def test_elements_of_another_scene_are_copied_in_one_batch(
    client: TestClient, key: Headers, stored: str, other: str, padding: int
) -> None:
    copy = {"op": "copyElements", "fromSceneId": other, "ids": ["bank"], "prefix": "x-"}
    join = {"op": "createEdge", "id": "pay", "from": {"elementId": "orders"}, "to": {"elementId": "x-bank"}}
    brief = [{"op": "updateScene", "brief": "b" * 1500}] * (padding // 1500)
    reply = apply(client, key, stored, copy, join, *brief)
    assert reply.status_code == 200, reply.text
    ids = [row["id"] for row in client.get(f"/v1/scenes/{stored}", headers=key).json()["scene"]["elements"]]
    assert ids == ["web", "orders", "e1", "x-bank", "pay"]


def test_a_copy_and_a_move_of_what_the_engine_placed_go_together(
    client: TestClient, key: Headers, stored: str, other: str
) -> None:
    copy = {"op": "copyElements", "fromSceneId": other, "ids": ["bank"]}
    move = {"op": "moveElement", "id": "web", "delta": {"dx": 10, "dy": 0}}
    brief = [{"op": "updateScene", "brief": "b" * 1500}] * 20
    assert apply(client, key, stored, copy, move, *brief).status_code == 200


def test_scenes_of_others_are_not_there(
    client: TestClient,
    key: Headers,
    stored: str,
    *,
    other: str,
    document: Document,
    key_of_another: Callable[[str, bool], Headers],
) -> None:
    stranger = key_of_another("copying-stranger", True)
    assert client.post("/v1/scenes", json=document, headers=stranger).status_code == 201
    reply = apply(client, stranger, stored, {"op": "copyElements", "fromSceneId": other, "ids": ["bank"]})
    assert reply.status_code == 422
    assert [row["code"] for row in reply.json()["diagnostics"]] == ["OP_TARGET_NOT_FOUND"]


def test_a_message_goes_between_two_others(client: TestClient, key: Headers, document: Document) -> None:
    ends = {"from": {"elementId": "a"}, "to": {"elementId": "b"}}
    message = {"kind": "edge", "edgeType": "sequence.message", **ends}
    chart = {
        **document,
        "diagramFamily": "sequence",
        "elements": [
            {"id": "a", "kind": "node", "nodeType": "sequence.lifeline", "label": "A"},
            {"id": "b", "kind": "node", "nodeType": "sequence.lifeline", "label": "B"},
            {"id": "m1", "label": "one", **message},
            {"id": "m2", "label": "two", **message},
        ],
    }
    scene = client.post("/v1/scenes", json=chart, headers=key).json()["sceneId"]
    between = {"op": "createEdge", "id": "m", "edgeType": "sequence.message", "label": "between", "after": "m1", **ends}
    assert apply(client, key, scene, between).status_code == 200
    paths = client.get(f"/v1/scenes/{scene}?computed=true", headers=key).json()["computed"]["edgePaths"]
    heights = {name: row["points"][0]["y"] for name, row in paths.items()}
    assert heights["m1"] < heights["m"] < heights["m2"]
