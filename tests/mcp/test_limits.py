"""No result ends a session by its size: at most 100,000 characters besides the image, which has its own limits."""

from __future__ import annotations

import itertools
import json
import re
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from mcp_types import CallToolResult, ImageContent, ResourceLink
from render_many import beyond_limits, random_scene
from tests.mcp.conftest import Desk, Recorder, small_document, text_of

from scenograph.mcp.answers import ToolAnswer, error_result, result_of


def check(result: CallToolResult) -> None:
    assert beyond_limits(result) == []


def large_document(scene_id: str, count: int) -> dict[str, Any]:
    document = small_document(scene_id)
    document["layoutStrategy"] = {"algorithm": "grid", "columns": 40}
    document["elements"] = [
        {"id": f"n{number}", "kind": "node", "nodeType": "service", "label": f"Service number {number}"}
        for number in range(count)
    ]
    return document


def test_a_large_scene_stays_within_the_limits_in_every_tool(desk: Desk) -> None:
    document = large_document("large", 600)
    created = desk.call("dsp_create_scene", scene=document)
    check(created)

    read = desk.call("dsp_get_scene", sceneId="large")
    check(read)
    assert read.structured_content["revision"] == 1

    normalized = desk.call("dsp_normalize_scene", scene=document)
    check(normalized)
    assert "elements (" in normalized.structured_content["note"], "the largest goes first"
    assert "Normalize a part" in text_of(normalized)

    svg = desk.call("dsp_render_scene", sceneId="large")
    check(svg)
    assert "content" not in svg.structured_content
    assert "dsp_export_scene" in text_of(svg)
    assert [block.mime_type for block in svg.content if isinstance(block, ImageContent)] == ["image/png"]
    [link] = [block for block in svg.content if isinstance(block, ResourceLink)]
    picture = desk.ask(lambda client: client.read_resource(link.uri)).contents[0]
    assert picture.text.startswith("<svg")

    png = desk.call("dsp_render_scene", sceneId="large", format="png")
    check(png)
    assert png.structured_content["scale"] < 1
    assert "content" not in png.structured_content
    assert f"{png.structured_content['scale']:g} of its size" in text_of(png)
    assert "To look closer: view" in text_of(png)

    ops = [{"op": "deleteElement", "id": f"n{number}"} for number in range(600)]
    check(desk.call("dsp_apply_ops", sceneId="large", baseRevision=1, ops=ops))
    difference = desk.call("dsp_diff_scene", sceneId="large", **{"from": 1})
    check(difference)
    assert difference.structured_content["summary"]["removed"] == 600


def test_a_scene_of_more_pixels_than_are_drawn_is_shown_small(desk: Desk) -> None:
    document = small_document("vast")
    document["scene"]["canvas"] = {"width": 12_000, "height": 9_000}
    result = desk.call("dsp_render_scene", scene=document, format="png")
    check(result)
    assert [block.type for block in result.content] == ["text", "image"]


def test_a_canvas_too_large_for_any_image_is_shown_on_a_page_as_long_as_an_image(desk: Desk) -> None:
    document = small_document("endless")
    document["scene"]["canvas"] = {"width": 60_000, "height": 400}
    result = desk.call("dsp_render_scene", scene=document, format="png")
    check(result)
    assert not result.is_error
    assert result.structured_content["width"] == 1568
    assert [row["code"] for row in result.structured_content["diagnostics"]] == ["CANVAS_OVERRIDDEN"]


@pytest.mark.parametrize("seed", range(1, 8))
def test_random_scenes_are_rendered_within_the_limits(keyless: Desk, seed: int) -> None:
    for picture in ("svg", "png"):
        check(keyless.call("dsp_render_scene", scene=random_scene(seed), format=picture))


sizes = st.integers(0, 300_000)


@given(
    text=sizes,
    rows=st.lists(sizes, max_size=5),
    ids=st.integers(0, 6_000),
    content=sizes,
    letter=st.sampled_from(['"', "x", "ü", "\n", "\U0001f600"]),
)
def test_whatever_the_service_answers_the_result_stays_within_the_limit(
    text: int, rows: list[int], ids: int, content: int, letter: str
) -> None:
    answer = ToolAnswer(
        text="t" * min(text, 30_000),
        structured={
            "content": letter * content,
            "changed": [f"{number:0200}" for number in range(ids)],
            "diagnostics": [
                {"code": "C", "severity": "info", "message": letter * min(size, 2_000), "data": {"all": letter * size}}
                for size in rows
            ],
        },
        payload=("content",),
        copied="content",
        source="It is elsewhere.",
    )
    result = result_of(answer)
    check(result)
    kept = result.structured_content
    complete = kept.get("content") == answer.structured["content"] and kept["changed"] == answer.structured["changed"]
    assert ("note" in kept) or complete
    if "note" in kept:
        assert kept["note"].endswith("It is elsewhere.")
        assert kept["note"] in text_of(result)


# Drawn by name, for Hypothesis prints what it draws.
LEAVES: dict[str, Any] = {
    "text": "x" * 60_000,
    "array": ["y" * 9] * 9_000,
    "object": {f"{number:09}": 1 for number in range(4_000)},
    "small": "s",
    "nothing": None,
}
MEMBERS = {name: name for name in ("elements", "computed", "diagnostics", "x")} | {"long": "y" * 9_000}
leaf = st.sampled_from(sorted(LEAVES))
bulk = leaf | st.dictionaries(st.sampled_from("abc"), leaf, max_size=3)


def grown(drawn: str | dict[str, str]) -> Any:
    return LEAVES[drawn] if isinstance(drawn, str) else {name: LEAVES[each] for name, each in drawn.items()}


@settings(max_examples=12, phases=[Phase.generate])
@given(st.dictionaries(st.sampled_from(sorted(MEMBERS)), bulk), bulk)
def test_bulk_anywhere_in_what_the_service_answers_stays_within_the_limit(
    members: dict[str, Any], bulk_inside: Any
) -> None:
    reply = {MEMBERS[name]: grown(drawn) for name, drawn in members.items()}
    inner = grown(bulk_inside)
    structured = {"schemaVersion": "0.1", **reply, "scene": {"id": "s", "inner": inner}}
    result = result_of(
        ToolAnswer(text="Done.", structured=structured, payload=("computed", "elements"), source="Elsewhere.")
    )
    check(result)
    assert result.structured_content["schemaVersion"] == "0.1"
    assert result.structured_content["scene"]["id"] == "s"
    assert result.structured_content == structured or "Elsewhere." in text_of(result)


def test_a_large_member_that_nobody_knows_is_left_out_and_named() -> None:
    small = {"elements": [{"id": "a"}], "computed": {"canvas": {}}, "scene": {"id": "s", "canvas": {}}}
    structured = {**small, "extensions": {"mine": "x" * 200_000}, "scene": {"id": "s", "notes": "y" * 200_000}}
    result = result_of(ToolAnswer(text="Done.", structured=structured, payload=("elements", "computed")))
    check(result)
    assert result.structured_content["scene"] == {"id": "s"}
    assert "scene.notes (200002 characters)" in text_of(result)
    assert "extensions.mine" in text_of(result)


def test_a_small_payload_stands_in_the_text_as_well_for_hosts_that_show_only_that() -> None:
    answer = ToolAnswer(text="Read.", structured={"scene": {"id": "a"}}, payload=("scene",), copied="scene")
    assert [block.text for block in result_of(answer).content] == ["Read.", '{"id":"a"}']


def test_a_payload_that_fits_only_once_is_left_out_of_the_text_first() -> None:
    answer = ToolAnswer(text="Read.", structured={"scene": "x" * 60_000}, payload=("scene",), copied="scene")
    result = result_of(answer)
    assert len(result.content) == 1
    assert len(result.structured_content["scene"]) == 60_000


def test_an_error_is_cut_to_a_length_that_can_be_read() -> None:
    assert len(text_of(error_result("x" * 10**6))) == 20_000


def test_an_image_that_stays_too_heavy_is_left_out(recorder: Recorder) -> None:
    """A service whose pictures do not get lighter when they get smaller."""
    output = {"mimeType": "image/png", "contentBase64": "A" * 2_000_000, "width": 500, "height": 400}
    recorder.body = json.dumps({"output": output, "diagnostics": []}).encode()
    result = Desk(recorder.address).call("dsp_render_scene", sceneId="shop", format="png")
    check(result)
    assert [block.type for block in result.content] == ["text"]
    assert "larger than an image can show" in text_of(result)
    assert "view outline" in text_of(result)
    assert len(recorder.calls) <= 5


def many_rooms(scene_id: str, rooms: int, size: int) -> dict[str, Any]:
    """Frames of services in a row, each calling the next."""
    document = small_document(scene_id)
    names = [[f"n{room}-{number}" for number in range(size)] for room in range(rooms)]
    nodes = [
        {"id": name, "kind": "node", "nodeType": "service", "label": f"Service {name}"} for row in names for name in row
    ]
    frames = [
        {"id": f"room{room}", "kind": "frame", "title": f"Room {room}", "children": row}
        for room, row in enumerate(names)
    ]
    edges = [
        {"id": f"e{room}", "kind": "edge", "from": {"elementId": here[-1]}, "to": {"elementId": there[0]}}
        for room, (here, there) in enumerate(itertools.pairwise(names))
    ]
    document["layoutStrategy"] = {"algorithm": "hierarchical", "direction": "LR"}
    document["elements"] = [*nodes, *frames, *edges]
    return document


def test_a_large_picture_is_shown_small_with_an_honest_scale_and_names_what_to_look_at(desk: Desk) -> None:
    document = many_rooms("rooms", 12, 3)
    whole = desk.done("dsp_create_scene", scene=document)
    assert whole["revision"] == 1
    svg = desk.done("dsp_render_scene", sceneId="rooms", view={"crop": ["room0"]})
    full = desk.done("dsp_normalize_scene", scene=document)["computed"]["canvas"]
    shown = desk.call("dsp_render_scene", sceneId="rooms", format="png")
    check(shown)
    picture = shown.structured_content
    assert max(picture["width"], picture["height"]) <= 1568
    assert picture["width"] == pytest.approx(full["width"] * picture["scale"], abs=1)
    assert picture["scale"] < 0.6, "the scene is too small a trial"
    words = text_of(shown)
    assert "frames: room0, room1" in words
    view = json.loads(words[words.index("{") : words.index("}") + 1])
    closer = desk.done("dsp_render_scene", sceneId="rooms", format="png", view=view)
    assert closer["scale"] > picture["scale"]
    assert svg["width"] < full["width"]


def far_apart(ids: list[str], step: int) -> dict[str, dict[str, Any]]:
    places = [{"mode": "absolute", "x": 40 + step * number, "y": 60, "width": 160} for number in range(len(ids))]
    return dict(zip(ids, places, strict=True))


def test_a_scene_too_large_for_any_image_is_shown_with_as_few_frames_folded_as_needed(desk: Desk) -> None:
    document = many_rooms("folded", 2, 2)
    for name, place in far_apart(["n0-0", "n0-1"], 60_000).items():
        next(row for row in document["elements"] if row["id"] == name)["layout"] = {**place, "height": 48}
    shown = desk.call("dsp_render_scene", scene=document, format="png")
    check(shown)
    assert [block.type for block in shown.content] == ["text", "image"]
    words = text_of(shown)
    assert "folded (1 of 2)" in words
    assert '{"focus": ["room0"]' in words
    assert "room1" not in words


def test_frames_are_folded_until_letters_can_be_read_and_no_more(desk: Desk) -> None:
    document = many_rooms("overview", 20, 25)
    shown = desk.call("dsp_render_scene", scene=document, format="png")
    check(shown)
    words = text_of(shown)
    [(folded, frames)] = re.findall(r"folded \((\d+) of (\d+)\)", words)
    assert frames == "20"
    drawn, less = (letters(desk, document, count) for count in (int(folded), int(folded) - 1))
    assert drawn >= 5 > less
    view = json.loads(words[words.index("{") : words.index("}") + 1])
    closer = desk.done("dsp_render_scene", scene=document, format="png", view=view)
    assert closer["scale"] > shown.structured_content["scale"]


SMALLEST = 14  # px; the labels and titles of many_rooms


def letters(desk: Desk, document: dict[str, Any], folded: int) -> float:
    """The px of the smallest letters in an image 1568 px long, with the first rooms folded."""
    view = {"collapse": [f"room{number}" for number in range(folded)]}
    svg = desk.done("dsp_render_scene", scene=document, view=view)
    return SMALLEST * 1568 / max(svg["width"], svg["height"])


def test_in_a_part_that_was_asked_for_the_frames_inside_are_folded_and_what_was_folded_stays_so(desk: Desk) -> None:
    document = many_rooms("parts", 20, 25)
    rooms = [row["id"] for row in document["elements"] if row["kind"] == "frame"]
    document["elements"].append({"id": "house", "kind": "frame", "title": "House", "children": rooms})
    view = {"focus": ["house"], "depth": 0, "collapse": ["room19"]}
    shown = desk.call("dsp_render_scene", scene=document, format="png", view=view)
    words = text_of(shown)
    [(folded, frames)] = re.findall(r"folded \((\d+) of (\d+)\)", words)
    assert int(folded) < int(frames) == 19
    assert '{"focus": ["room0"]' in words
    assert "house" not in words
    assert max(shown.structured_content["width"], shown.structured_content["height"]) <= 1568


def test_a_scene_without_frames_that_no_scale_can_show_is_shown_on_a_page(desk: Desk) -> None:
    document = many_rooms("long", 1, 2)
    nodes = [row for row in document["elements"] if row["kind"] == "node"]
    for node, place in zip(nodes, far_apart(["n0-0", "n0-1"], 60_000).values(), strict=True):
        node["layout"] = {**place, "height": 48}
    document["elements"] = nodes
    shown = desk.call("dsp_render_scene", scene=document, format="png")
    check(shown)
    assert [block.type for block in shown.content] == ["text", "image"]
    assert shown.structured_content["width"] == 1568
    assert shown.structured_content["scale"] < 0.1


def test_a_large_scene_without_frames_names_its_hubs_to_look_at(desk: Desk) -> None:
    document = many_rooms("flat", 1, 400)
    nodes = [row for row in document["elements"] if row["kind"] == "node"]
    ends = [("n0-7", f"n0-{number}") for number in range(10, 13)]
    edges = [
        {"id": f"h{number}", "kind": "edge", "from": {"elementId": one}, "to": {"elementId": other}}
        for number, (one, other) in enumerate(ends)
    ]
    document["elements"] = [*nodes, *edges]
    words = text_of(desk.call("dsp_render_scene", scene=document, format="png"))
    assert '{"focus": ["n0-7"], "depth": 1}; nodes: n0-7, n0-10' in words
