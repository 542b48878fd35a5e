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
        reply = httpx2.put(address, json={"role": role}, headers={"Authorization": f"Bearer {KEY}"}, timeout=30)
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


def test_a_commenter_reads_answers_and_resolves_threads_and_begins_one(
    bob: tuple[str, Desk], share: Callable[[str, str], str], desk: Desk
) -> None:
    account, guest = bob
    scene = share(account, "commenter")
    begun = desk.done("dsp_reply_comment", sceneId=scene, text="Too <b>small</b>?", elementId="web")
    shared = {"sceneId": scene, "owner": OWNER}
    read = text_of(guest.call("dsp_list_comments", **shared))
    assert f"- {begun['commentId']} on web, open, revision 1: {OWNER}: Too <b>small</b>?" in read
    answered = guest.call("dsp_reply_comment", **shared, commentId=begun["commentId"], text="No.", resolved=True)
    assert text_of(answered) == "Replied. The thread is resolved."
    assert answered.structured_content["resolvedBy"] == account
    (thread,) = desk.done("dsp_list_comments", sceneId=scene, resolved=True, elementId="web")["items"]
    assert [reply["text"] for reply in thread["replies"]] == ["No."]
    assert desk.done("dsp_list_comments", sceneId=scene, resolved=False)["items"] == []
    assert (
        desk.done("dsp_reply_comment", sceneId=scene, commentId=begun["commentId"], resolved=False)["resolved"] is False
    )


def test_a_viewer_reads_threads_and_writes_none(
    bob: tuple[str, Desk], share: Callable[[str, str], str], desk: Desk
) -> None:
    account, guest = bob
    scene = share(account, "viewer")
    thread = desk.done("dsp_reply_comment", sceneId=scene, text="Why?")["commentId"]
    shared = {"sceneId": scene, "owner": OWNER}
    assert "Why?" in text_of(guest.call("dsp_list_comments", **shared))
    assert "role_forbidden" in guest.refused("dsp_reply_comment", **shared, commentId=thread, text="So.")
    assert "role_forbidden" in guest.refused("dsp_reply_comment", **shared, commentId=thread, resolved=True)


UNKNOWN = "cmt_" + "0" * 24


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"resolved": True}, "Give text, or commentId with resolved"),
        ({}, "Give text"),
        ({"text": "a", "commentId": UNKNOWN, "elementId": "web"}, "not both"),
        ({"text": "a", "commentId": UNKNOWN}, "dsp_list_comments shows the threads"),
        ({"text": "a", "commentId": "../../keys"}, "must be a commentId of dsp_list_comments"),
        ({"text": "a", "elementId": "none"}, "names no element"),
        ({"text": "a" * 4001}, "it has 4001"),
    ],
)
def test_a_reply_that_cannot_be_is_refused_with_the_way_on(
    desk: Desk, stored: str, arguments: dict[str, object], said: str
) -> None:
    assert said in desk.refused("dsp_reply_comment", sceneId=stored, **arguments)
    assert desk.done("dsp_list_comments", sceneId=stored)["items"] == []


def test_the_outline_tells_how_many_open_threads_an_element_has(desk: Desk, stored: str) -> None:
    for element in ("web", "web", "e1"):
        desk.done("dsp_reply_comment", sceneId=stored, text="Why?", elementId=element)
    done = desk.done("dsp_reply_comment", sceneId=stored, text="Why?", elementId="orders")["commentId"]
    desk.done("dsp_reply_comment", sceneId=stored, commentId=done, resolved=True)
    outline = desk.done("dsp_get_scene", sceneId=stored, view="outline")["outline"]
    told = [line for line in outline.splitlines() if "comment" in line]
    assert told == ["web [client] Web shop (2 open comments)", "e1: web > orders (1 open comment)"]
    assert "On web (2)." in text_of(desk.call("dsp_get_scene", sceneId=stored, view={"elements": ["web"]}))


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
