"""A server that is killed between a commit and its places costs a scene nothing: the next one computes the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from chaos.scenes import document
from local_servers.calling import Caller
from local_servers.service import running_services

EDITS = 6


def written(caller: Caller, scene_id: str) -> None:
    assert caller.call("POST", "/v1/scenes", document(scene_id))[0] == 201
    for base in range(1, EDITS + 1):
        node = {"op": "createNode", "id": f"n{base}", "label": f"Node {base}"}
        batch = {"schemaVersion": "0.1", "sceneId": scene_id, "baseRevision": base, "ops": [node]}
        assert caller.call("POST", f"/v1/scenes/{scene_id}/applyOps", batch)[0] == 200


def places(caller: Caller, scene_id: str) -> list[Any]:
    replies = [
        caller.call("GET", f"/v1/scenes/{scene_id}?computed=true&revision={revision}")
        for revision in range(1, EDITS + 2)
    ]
    assert {status for status, _ in replies} == {200}
    return [reply["computed"] for _, reply in replies]


def test_places_that_a_killed_server_has_not_computed_are_those_of_one_that_lived(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path}/scenes.db"
    with running_services(1, tmp_path, DATABASE_URL=address) as (server,), Caller(server.url) as caller:
        written(caller, "killed")
        server.process.kill()
    with running_services(1, tmp_path, DATABASE_URL=address) as (server,), Caller(server.url) as caller:
        written(caller, "lived")
        lived = places(caller, "lived")
        assert places(caller, "killed") == lived
        assert len(lived[-1]["bounds"]) == len(lived[0]["bounds"]) + EDITS
