"""Wrong calls that agents make, and the way that the refusal names (R-TOOL-19)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.mcp.conftest import Desk, Document

CHART: Document = {
    "schemaVersion": "0.1",
    "diagramFamily": "sequence",
    "scene": {"id": "ways-chart", "title": "Log in", "units": "px", "canvas": {}},
    "elements": [
        {"id": "a", "kind": "node", "nodeType": "sequence.lifeline", "label": "A"},
        {"id": "b", "kind": "node", "nodeType": "sequence.lifeline", "label": "B"},
        {"id": "m1", "kind": "edge", "label": "one", "from": {"elementId": "a"}, "to": {"elementId": "b"}},
        {"id": "m2", "kind": "edge", "label": "two", "from": {"elementId": "b"}, "to": {"elementId": "a"}},
    ],
}
FRAGMENT = {"id": "f", "kind": "frame", "containerType": "fragment"}


@pytest.fixture(scope="module")
def chart(desk: Desk) -> str:
    return str(desk.done("dsp_create_scene", scene=CHART, picture=False)["sceneId"])


@pytest.mark.parametrize(
    ("op", "way"),
    [
        ({"op": "updateEdge", "id": "m2", "after": "m1"}, "reorderElement"),
        ({"op": "reorderElement", "id": "m2", "index": 0}, "'after' is required unless before is given"),
        ({"op": "reparentElement", "id": "m2", "after": "m1"}, "reorderElement"),
        ({"op": "undo"}, "dsp_restore_revision"),
        ({"op": "addNode", "id": "x", "label": "X"}, "Did you mean createNode?"),
        ({"op": "connect", "from": "a", "to": "b"}, "Did you mean createEdge?"),
        ({"op": "rename", "id": "a", "label": "X"}, "Did you mean setText?"),
        ({"op": "removeEdge", "id": "m1"}, "Did you mean deleteElement?"),
        ({"op": "merge", "from": "other"}, "Did you mean copyElements?"),
        ({"op": "addLegend", "title": "X"}, "Did you mean updateScene?"),
        ({"op": "deleteElement", "ids": ["a", "b"]}, "as many operations as wanted"),
        ({"op": "moveElement", "id": "a", "parentId": "z"}, "reparentElement"),
        ({"op": "setText", "id": "a", "label": "X"}, "Did you mean 'text'?"),
        ({"op": "createEdge", "id": "e", "from": "a", "to": "b"}, "an object with elementId"),
        ({"op": "createEdge", "id": "e", "source": "a", "target": "b"}, "Did you mean 'from'?"),
        ({"op": "updateScene", "theme": "dark"}, "by the request for the picture"),
        ({"op": "updateNode", "id": "a", "color": "red"}, "style: fill"),
        ({"op": "updateNode", "id": "a", "changes": {"label": "X"}}, "beside id"),
        ({"op": "updateNode", "id": "A", "label": "X"}, "Did you mean 'a'?"),
        ({"op": "copyElements", "fromSceneId": "Log in", "ids": ["a"]}, 'There is no scene "Log in"'),
    ],
)
def test_an_operation_that_cannot_be_is_answered_with_the_way(desk: Desk, chart: str, op: Document, way: str) -> None:
    text = desk.refused("dsp_apply_ops", sceneId=chart, baseRevision=1, ops=[op])
    assert way in text
    assert "Nothing was applied" in text


@pytest.mark.parametrize(
    ("members", "way"),
    [
        ({"extensions": {"operator": "alt", "operands": ["m1", "m2"]}}, "an object with guard and messages"),
        ({"children": ["m1"], "extensions": {"operator": "alt"}}, '"operands": [{"guard"'),
    ],
)
def test_a_fragment_is_taught_with_its_parts(desk: Desk, members: Document, way: str) -> None:
    document = {**CHART, "elements": [*CHART["elements"], {**FRAGMENT, **members}]}
    assert way in desk.refused("dsp_create_scene", scene=document)


@pytest.mark.parametrize(
    ("tool", "arguments", "way"),
    [
        ("dsp_render_scene", {"format": "excalidraw"}, "dsp_export_scene makes a file as excalidraw"),
        ("dsp_render_scene", {"width": 1920}, '{"page": {"width": 1920'),
        ("dsp_render_scene", {"view": {"page": "16x9"}}, "Did you mean '16:9'?"),
        ("dsp_render_scene", {"sceneId": "Log in"}, "dsp_list_scenes with query"),
        ("dsp_get_scene", {"sceneId": "login"}, "dsp_list_scenes with query"),
        ("dsp_get_scene", {"title": "Log in"}, "dsp_list_scenes with query"),
        ("dsp_get_scene", {"asOf": "last week"}, "2026-11-20T09:00:00Z"),
        ("dsp_create_scene", {"scene": CHART, "theme": "dark"}, "dsp_render_scene, dsp_export_scene"),
        ("dsp_restore_revision", {}, "dsp_list_revisions tells the revisions"),
        ("dsp_sync_scene", {"source": "flowchart LR\n a-->b"}, "dsp_list_revisions tells the latest"),
        ("dsp_diff_scene", {"since": 1}, "Did you mean from?"),
        ("dsp_import_scene", {"source": "draw a box please"}, "Write what it tells as a Mermaid flowchart"),
        ("dsp_publish_scene", {"confirm": True}, "Ask the user instead"),
    ],
)
def test_a_call_that_cannot_be_is_answered_with_the_way(
    desk: Desk, chart: str, tool: str, arguments: dict[str, Any], way: str
) -> None:
    about = {} if tool in {"dsp_create_scene", "dsp_import_scene"} else {"sceneId": chart}
    assert way in desk.refused(tool, **{**about, **arguments})
