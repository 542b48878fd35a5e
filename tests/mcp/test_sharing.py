"""Scenes of others through the tools: found in the list, reached by `owner`, within the role (R-PEOPLE-2)."""

from __future__ import annotations

from collections.abc import Callable

import httpx2
import pytest
from tests.mcp.conftest import KEY, Desk, Document, Service, text_of

OWNER = "operator"
OPS = [{"op": "updateNode", "id": "web", "label": "Their shop"}]


@pytest.fixture
def bob(desk_of_another: Callable[[str, bool], Desk], request: pytest.FixtureRequest) -> tuple[str, Desk]:
    """Another account: its id and its desk."""
    name = f"bob-{abs(hash(request.node.name))}"
    return name, desk_of_another(name, True)


@pytest.fixture
def share(service: Service, desk: Desk, document: Document) -> Callable[[str, str], str]:
    """Shares a new scene of the operator's with an account; its id."""

    def done(account: str, role: str) -> str:
        scene = str(desk.done("dsp_create_scene", scene=document)["sceneId"])
        address = f"{service.address}/v1/scenes/{scene}/grants/{account}"
        reply = httpx2.put(address, json={"role": role}, headers={"Authorization": f"Bearer {KEY}"})
        assert reply.status_code == 200
        return scene

    return done


def test_an_editor_works_on_a_shared_scene_by_its_owner(
    bob: tuple[str, Desk], share: Callable[[str, str], str], desk: Desk
) -> None:
    account, guest = bob
    scene = share(account, "editor")
    assert f"shared by {OWNER} (owner {OWNER}; you are editor)" in text_of(guest.call("dsp_list_scenes"))
    shared = {"sceneId": scene, "owner": OWNER}
    assert guest.done("dsp_get_scene", **shared)["revision"] == 1
    assert guest.done("dsp_apply_ops", **shared, baseRevision=1, ops=OPS)["revision"] == 2
    assert guest.done("dsp_diff_scene", **shared, **{"from": 1})["modified"] == ["web"]
    assert guest.done("dsp_get_scene", **shared, view={"since": 1})["change"]["modified"] == ["web"]
    assert guest.done("dsp_restore_revision", **shared, revision=1, baseRevision=2)["revision"] == 3
    assert guest.done("dsp_render_scene", **shared, format="png")["mimeType"] == "image/png"
    assert len(guest.done("dsp_list_revisions", **shared)["revisions"]) == 3
    assert desk.done("dsp_get_scene", sceneId=scene)["revision"] == 3
    assert "scene_not_found" in guest.refused("dsp_get_scene", sceneId=scene)


def test_a_viewer_is_told_the_role_and_what_to_do(bob: tuple[str, Desk], share: Callable[[str, str], str]) -> None:
    account, guest = bob
    said = guest.refused("dsp_apply_ops", sceneId=share(account, "viewer"), owner=OWNER, baseRevision=1, ops=OPS)
    assert "role_forbidden" in said
    assert "ask its owner" in said


def test_a_file_of_a_shared_scene_has_an_address_that_works(
    bob: tuple[str, Desk], share: Callable[[str, str], str]
) -> None:
    account, guest = bob
    scene = share(account, "viewer")
    file = guest.call("dsp_export_scene", sceneId=scene, owner=OWNER, format="drawio")
    uri = next(block.resource.uri for block in file.content if block.type == "resource")
    assert str(uri) == f"scene://{OWNER}@{scene}/export/drawio"
    read = guest.ask(lambda client: client.read_resource(str(uri)))
    assert "mxfile" in read.contents[0].text
