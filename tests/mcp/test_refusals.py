"""Every documented error, as an agent meets it: the service's sentence, its code, and what to do next."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from tests.mcp.conftest import Desk, Document, Recorder, Service, problem, serving, small_document

from scenograph.http.reference import MEANINGS
from scenograph.http.routes import ROUTES
from scenograph.mcp.answers import NEXT_STEPS

BY_ID = {
    "dsp_get_scene": {},
    "dsp_render_scene": {},
    "dsp_diff_scene": {"from": 1},
    "dsp_list_revisions": {},
    "dsp_apply_ops": {"baseRevision": 1, "ops": [{"op": "deleteElement", "id": "web"}]},
    "dsp_delete_scene": {"confirm": True},
    "dsp_undelete_scene": {},
    "dsp_submit_to_support": {"problem": "It looks odd"},
    "dsp_publish_scene": {},
    "dsp_make_scene_private": {},
}
ANY_ROUTE = {
    "missing_api_key",
    "invalid_api_key",
    "rate_limited",
    "overloaded",
    "storage_unavailable",
    "internal_error",
}


@pytest.mark.parametrize("tool", BY_ID)
def test_a_scene_that_is_not_there_or_another_owners_is_refused_alike(
    desk: Desk, stored: str, desk_of_another: Callable[[str, bool], Desk], tool: str
) -> None:
    missing = desk.refused(tool, sceneId="nowhere", **BY_ID[tool])
    foreign = desk_of_another(f"other-{tool}", True).refused(tool, sceneId=stored, **BY_ID[tool])
    assert missing == foreign.replace(stored, "nowhere")
    assert "scene_not_found" in missing
    assert "Next: " in missing


def test_a_conflict_tells_the_current_revision_and_what_changed(desk: Desk, stored: str) -> None:
    ops = [{"op": "setText", "id": "web", "text": "Shop"}]
    desk.done("dsp_apply_ops", sceneId=stored, baseRevision=1, ops=ops)
    text = desk.refused("dsp_apply_ops", sceneId=stored, baseRevision=1, ops=ops)
    assert "revision_conflict" in text
    assert "currentRevision: 2" in text
    assert "Changed since your base: web" in text
    assert "dsp_get_scene" in text
    assert desk.done("dsp_get_scene", sceneId=stored)["revision"] == 2


def test_an_invalid_document_is_not_stored_and_every_error_is_named(desk: Desk, document: Document) -> None:
    document["elements"] += [{"id": "web", "kind": "node"}, {"id": "x", "kind": "nodee"}]
    text = desk.refused("dsp_create_scene", scene=document)
    assert "validation_failed" in text
    assert "DUPLICATE_ID" in text
    assert "/elements/4/kind" in text
    assert "scene_not_found" in desk.refused("dsp_get_scene", sceneId=document["scene"]["id"])


def test_an_operation_that_fails_leaves_everything_as_it_was(desk: Desk, stored: str) -> None:
    ops = [{"op": "setText", "id": "web", "text": "Shop"}, {"op": "updateNode", "id": "wbe", "label": "x"}]
    text = desk.refused("dsp_apply_ops", sceneId=stored, baseRevision=1, ops=ops)
    assert "OP_TARGET_NOT_FOUND at /ops/1" in text
    assert "Nothing was applied" in text
    assert desk.done("dsp_get_scene", sceneId=stored)["revision"] == 1


def test_an_id_that_is_taken_or_waits_among_the_deleted_is_refused_with_a_way_out(
    desk: Desk, stored: str, document: Document
) -> None:
    taken = desk.refused("dsp_create_scene", scene=document)
    assert "scene_exists" in taken
    assert "currentRevision: 1" in taken
    assert "dsp_apply_ops" in taken
    desk.done("dsp_delete_scene", sceneId=stored, confirm=True)
    assert "dsp_undelete_scene" in desk.refused("dsp_create_scene", scene=document)
    assert "scene_not_found" in desk.refused("dsp_delete_scene", sceneId=stored, confirm=True)
    desk.done("dsp_undelete_scene", sceneId=stored)
    assert "scene_not_deleted" in desk.refused("dsp_undelete_scene", sceneId=stored)


def test_after_24_hours_nothing_is_restored(desk: Desk, stored: str, service: Service) -> None:
    desk.done("dsp_delete_scene", sceneId=stored, confirm=True)
    with sqlite3.connect(service.database_url.removeprefix("sqlite:///")) as store:
        columns = [row[1] for row in store.execute("PRAGMA table_info(scenes)")]
        deleted = next(name for name in columns if name.startswith("deleted"))
        [[then]] = store.execute(f"SELECT {deleted} FROM scenes WHERE scene_id = ?", [stored]).fetchall()  # noqa: S608
        past = _earlier(then)
        store.execute(f"UPDATE scenes SET {deleted} = ? WHERE scene_id = ?", [past, stored])  # noqa: S608
    assert "its 24 hours are over" in desk.refused("dsp_undelete_scene", sceneId=stored)
    assert stored not in [item["sceneId"] for item in desk.done("dsp_list_recently_deleted")["items"]]


def _earlier(then: object) -> object:
    if isinstance(then, str):
        moment = datetime.fromisoformat(then.replace(" ", "T"))
        return (moment - timedelta(hours=25)).isoformat(sep=" ")
    assert isinstance(then, int | float)
    seconds = 25 * 3600
    return then - seconds * (1_000_000 if then > 1e14 else 1)


def test_a_scene_with_support_is_made_private_before_it_is_published(desk: Desk, stored: str) -> None:
    desk.done("dsp_submit_to_support", sceneId=stored, problem="It looks odd")
    text = desk.refused("dsp_publish_scene", sceneId=stored)
    assert "scene_in_support" in text
    assert "dsp_make_scene_private" in text


def test_a_public_id_of_another_owner_is_taken(
    desk: Desk, stored: str, document: Document, desk_of_another: Callable[[str, bool], Desk]
) -> None:
    other = desk_of_another("publisher", True)
    other.done("dsp_create_scene", scene=document)
    other.done("dsp_publish_scene", sceneId=stored)
    assert "public_id_taken" in desk.refused("dsp_publish_scene", sceneId=stored)


def test_an_owner_without_a_verified_address_renders_documents_but_no_stored_scene(
    document: Document, desk_of_another: Callable[[str, bool], Desk]
) -> None:
    unverified = desk_of_another("unverified", False)
    scene_id = unverified.done("dsp_create_scene", scene=document)["sceneId"]
    text = unverified.refused("dsp_render_scene", sceneId=scene_id)
    assert "email_not_verified" in text
    assert "inline renders are never gated" in text
    assert "<svg" in unverified.done("dsp_render_scene", scene=document)["content"]


def test_a_revision_that_is_not_there_is_refused(desk: Desk, stored: str) -> None:
    for tool, arguments in (
        ("dsp_get_scene", {"revision": 9}),
        ("dsp_diff_scene", {"from": 9}),
        ("dsp_render_scene", {"diffFromRevision": 9}),
    ):
        text = desk.refused(tool, sceneId=stored, **arguments)
        assert "revision_not_found" in text
        assert "dsp_list_revisions" in text


def test_an_unknown_key_is_refused_by_every_tool_that_needs_one(service: Service) -> None:
    stranger = Desk(service.address, key="dsp_sk_" + "0" * 32)
    assert "invalid_api_key" in stranger.refused("dsp_list_recently_deleted")
    assert "SERVICE_API_KEY" in stranger.refused("dsp_get_scene", sceneId="shop")


def test_the_eleventh_deletion_within_a_minute_has_to_wait(desk_of_another: Callable[[str, bool], Desk]) -> None:
    hasty = desk_of_another("hasty", True)
    for number in range(11):
        hasty.done("dsp_create_scene", scene=small_document(f"hasty-{number}"))
    for number in range(10):
        hasty.done("dsp_delete_scene", sceneId=f"hasty-{number}", confirm=True)
    text = hasty.refused("dsp_delete_scene", sceneId="hasty-10", confirm=True)
    assert "rate_limited" in text
    assert "Retry after" in text


def test_too_many_requests_are_told_to_wait(tmp_path: Path) -> None:
    for service in serving(tmp_path, RATE_LIMIT_RPM="1", RATE_LIMIT_BURST="1"):
        hasty = Desk(service.address)
        hasty.done("dsp_list_recently_deleted")
        text = hasty.refused("dsp_list_recently_deleted")
        assert "rate_limited" in text
        assert "Retry after" in text


def test_a_service_that_is_not_there_is_told_with_the_way_to_start_it() -> None:
    text = Desk("http://127.0.0.1:9").refused("dsp_list_recently_deleted")
    assert "No service answers at http://127.0.0.1:9" in text
    assert "scenograph doctor" in text


@pytest.mark.parametrize("body", [b"<html>hello</html>", b"[]", b'"x"', b"", b"[" * 100_000])
def test_a_reply_that_is_not_the_services_ends_no_session(recorder: Recorder, body: bytes) -> None:
    recorder.body = body
    assert "is not this service" in Desk(recorder.address).refused("dsp_list_recently_deleted")


def test_a_reply_without_the_members_it_should_have_ends_no_session(recorder: Recorder) -> None:
    assert "unexpected_reply" in Desk(recorder.address).refused("dsp_list_recently_deleted")


@pytest.mark.parametrize("code", sorted(set(NEXT_STEPS) & set(MEANINGS)))
def test_every_refusal_of_the_service_says_what_to_do_next(recorder: Recorder, code: str) -> None:
    recorder.status, recorder.body = 503, problem(code, "What the service says.")
    text = Desk(recorder.address).refused("dsp_get_scene", sceneId="shop")
    assert text.startswith(f"What the service says. ({code})")
    assert "\nNext: " in text


def test_no_refusal_that_a_tool_can_meet_is_left_without_advice() -> None:
    routes = [route for route in ROUTES if route.path.startswith(("/v1/scenes", "/v1/deleted-scenes", "/v1/icons"))]
    assert len(routes) > 14
    assert ANY_ROUTE.union(*(route.refusals for route in routes)) <= set(NEXT_STEPS)


def test_a_very_long_refusal_is_cut(recorder: Recorder) -> None:
    rows = [
        {"code": "INVALID_VALUE", "severity": "error", "message": "x" * 2_000, "path": f"/elements/{n}"}
        for n in range(200)
    ]
    ids = [f"{n:0250}" for n in range(5_000)]
    recorder.status = 409
    recorder.body = problem("revision_conflict", diagnostics=rows, currentRevision=2, changedElementIds=ids)
    assert len(Desk(recorder.address).refused("dsp_get_scene", sceneId="shop")) <= 20_000


@pytest.mark.parametrize(
    ("op", "advice"),
    [
        ({"op": "updateEdge", "id": "e1", "index": 2}, "reorderElement with after or before"),
        ({"op": "updateEdge", "id": "e1", "after": "e0"}, "reorderElement with after or before"),
        ({"op": "addNode", "id": "cache"}, "Did you mean createNode?"),
    ],
)
def test_an_operation_that_there_is_not_is_answered_with_the_way_that_there_is(
    desk: Desk, stored: str, op: Document, advice: str
) -> None:
    text = desk.refused("dsp_apply_ops", sceneId=stored, baseRevision=1, ops=[op])
    assert advice in text
    assert "zIndex" not in text
