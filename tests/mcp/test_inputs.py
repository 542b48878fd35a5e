"""What is refused before any call is made, and what the answer says. The service is a server that records calls."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.mcp.conftest import Desk, Recorder, small_document

from scenograph.mcp import inputs
from scenograph.mcp.inputs import Wrong, checked
from scenograph.mcp.tools import KEYLESS_TOOLS, TOOLS

DOCUMENT = small_document("shop")
REPLY = {"sceneId": "shop", "revision": 3, "scene": DOCUMENT, "privacyStatus": "private"}
OPS = [{"op": "deleteElement", "id": "web"}]
SCENE_MISTAKES = [
    ("shop", "an id is not a document"),
    ('{"schemaVersion": "0.1"}', "text that holds JSON"),
    ('```json\n{"schemaVersion": "0.1"}\n```', "text that holds JSON"),
    (DOCUMENT["elements"], "scene is an array"),
    (REPLY, "Pass only its member scene"),
    ({"scene": DOCUMENT}, "wrapped twice"),
    (DOCUMENT["scene"], "only the inner part"),
    (7, "must be a scene document, an object, not a number"),
    (None, "scene is missing"),
]
REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("dsp_get_scene", {}, "sceneId is missing"),
    ("dsp_get_scene", {"sceneId": ""}, "sceneId must be the scene's id"),
    ("dsp_get_scene", {"sceneId": "a/b"}, "sceneId must be the scene's id"),
    ("dsp_get_scene", {"sceneId": "validate"}, "none of render, validate, normalize"),
    ("dsp_get_scene", {"sceneId": " shop "}, 'Use "shop"'),
    ("dsp_get_scene", {"sceneId": "https://scenes.example/s/shop?theme=dark"}, 'Use "shop"'),
    ("dsp_get_scene", {"sceneId": "scene://shop"}, 'Use "shop"'),
    ("dsp_get_scene", {"sceneId": DOCUMENT}, 'it is an object. Use "shop"'),
    ("dsp_get_scene", {"sceneId": "shop", "revision": 0}, "revision must be a whole number from 1"),
    ("dsp_get_scene", {"sceneId": "shop", "revision": True}, "it is true"),
    ("dsp_get_scene", {"sceneId": "shop", "revision": "3"}, "Use 3 without quotes"),
    ("dsp_get_scene", {"sceneId": "shop", "revision": 1.5}, "it is 1.5"),
    ("dsp_get_scene", {"scene_id": "shop"}, "Did you mean sceneId?"),
    ("dsp_list_recently_deleted", {"limit": 3}, "This tool takes no arguments"),
    ("dsp_diff_scene", {"sceneId": "shop"}, "from is missing"),
    ("dsp_apply_ops", {"sceneId": "shop", "ops": OPS}, "baseRevision is missing"),
    ("dsp_apply_ops", {"sceneId": "shop", "baseRevision": 1, "ops": OPS[0]}, "Pass an array"),
    (
        "dsp_apply_ops",
        {"sceneId": "shop", "baseRevision": 1, "ops": '[{"op": "x"}]'},
        "text that holds JSON",
    ),
    ("dsp_apply_ops", {"sceneId": "shop", "baseRevision": 1, "ops": 1}, "ops must be an array of operations"),
    ("dsp_apply_ops", {"sceneId": "shop", "baseRevision": 1, "ops": [{"op": "add", "path": "/a"}]}, "JSON Patch"),
    ("dsp_apply_ops", {"sceneId": "shop", "baseRevision": 1, "ops": [OPS[0], {"type": "x"}]}, "ops[1] has no op"),
    (
        "dsp_apply_ops",
        {"sceneId": "shop", "baseRevision": 1, "ops": OPS, "transactionMode": "besteffort"},
        "Did you mean bestEffort?",
    ),
    ("dsp_apply_ops", {"sceneId": "shop", "baseRevision": 1, "ops": OPS, "message": "x" * 501}, "it has 501"),
    ("dsp_delete_scene", {"sceneId": "shop"}, "confirm is missing"),
    *(
        ("dsp_delete_scene", {"sceneId": "shop", "confirm": value}, "confirm must be exactly true")
        for value in (False, 1, "true", "yes", [True])
    ),
    ("dsp_submit_to_support", {"sceneId": "shop", "problem": ""}, "problem must be text of 1 to 500 characters"),
    ("dsp_submit_to_support", {"sceneId": "shop", "problem": " \n "}, "it has 0"),
    ("dsp_submit_to_support", {"sceneId": "shop", "problem": "ü" * 501}, "it has 501"),
    ("dsp_submit_to_support", {"sceneId": "shop", "problem": 5}, "it is a number"),
    (
        "dsp_submit_to_support",
        {"sceneId": "shop", "problem": "p", "anonymize": "no"},
        "anonymize must be true or false",
    ),
    ("dsp_render_scene", {}, "exactly one of sceneId"),
    ("dsp_render_scene", {"sceneId": "shop", "scene": DOCUMENT}, "exactly one of sceneId"),
    ("dsp_render_scene", {"scene": DOCUMENT, "diffFromRevision": 1}, "goes with sceneId"),
    ("dsp_render_scene", {"sceneId": "shop", "format": "excalidraw"}, "format must be one of svg, png"),
    ("dsp_render_scene", {"sceneId": "shop", "theme": "Dark"}, "Did you mean dark?"),
    ("dsp_create_scene", DOCUMENT, "Pass one argument, scene"),
]


@pytest.mark.parametrize("tool", ["dsp_create_scene", "dsp_validate_scene", "dsp_normalize_scene", "dsp_render_scene"])
@pytest.mark.parametrize(("value", "answer"), SCENE_MISTAKES, ids=[answer for _, answer in SCENE_MISTAKES])
def test_the_usual_mistakes_with_a_document_are_answered_with_the_right_shape_and_no_call(
    recorder: Recorder, tool: str, value: Any, answer: str
) -> None:
    if value is None and tool == "dsp_render_scene":
        answer = "exactly one of sceneId"
    text = Desk(recorder.address).refused(tool, scene=value)
    assert answer in text
    assert "Right shape" in text or (value is None and tool == "dsp_render_scene")
    assert "Nothing was sent to the service." in text
    assert recorder.calls == []


@pytest.mark.parametrize(("tool", "arguments", "answer"), REFUSED, ids=[f"{row[0]}: {row[2]}" for row in REFUSED])
def test_wrong_arguments_are_refused_with_what_is_allowed_and_no_call(
    recorder: Recorder, tool: str, arguments: dict[str, Any], answer: str
) -> None:
    assert answer in Desk(recorder.address).refused(tool, **arguments)
    assert recorder.calls == []


def test_all_that_is_wrong_is_told_at_once(recorder: Recorder) -> None:
    text = Desk(recorder.address).refused("dsp_apply_ops", scneId="x", baseRevision="1", ops={})
    for part in ("Did you mean sceneId?", "sceneId is missing", "baseRevision must be", "ops is one object"):
        assert part in text


def test_right_arguments_do_reach_the_service(recorder: Recorder) -> None:
    """The recording server would notice: without this, the tests above could not fail."""
    Desk(recorder.address).call("dsp_get_scene", sceneId="shop", revision=2)
    assert recorder.calls == ["GET /v1/scenes/shop?revision=2"]


def test_a_revision_may_be_written_as_a_number_with_a_fraction_of_zero() -> None:
    assert checked((inputs.REVISION,), {"revision": 3.0}) == {"revision": 3}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)
names = st.sampled_from(sorted({each.name for tool in TOOLS for each in tool.inputs} | {"x", "scene_id", "elements"}))


@given(st.sampled_from((*TOOLS, *KEYLESS_TOOLS)), st.dictionaries(names, json_values, max_size=5))
def test_whatever_is_handed_over_is_taken_or_refused_in_words(tool: Any, arguments: dict[str, Any]) -> None:
    values, said = _checked(tool, arguments)
    assert set(values) <= set(arguments)
    assert values or said or not [each for each in tool.inputs if each.required]
    assert said.replace("\n", "").isprintable()


def _checked(tool: Any, arguments: dict[str, Any]) -> tuple[dict[str, Any], str]:
    try:
        return checked(tool.inputs, arguments), ""
    except Wrong as wrong:
        return {}, str(wrong)
