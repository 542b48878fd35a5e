"""A member that is set is seen in the picture, or NO_EFFECT says who reads it (R-VALID-18); a given box is met or told
(R-PLACE-21)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from tests.styles import STYLES

import scenograph
from scenograph.scene.description.operations import scene_schema
from scenograph.scene.vocabulary import CONTAINER_TYPES, GENERIC_NODE_TYPES, NODE_TYPES

Json = dict[str, Any]
FAMILY = {
    "workflow": "workflow",
    "er": "entityRelationship",
    "sequence": "sequence",
    "network": "network",
    "org": "orgchart",
    "uiflow": "uiflow",
}
TYPES = [*GENERIC_NODE_TYPES, *(name for names in NODE_TYPES.values() for name in names), "free text"]
OF_NODES: Mapping[str, Json] = {
    "columns": {"extensions": {"columns": [{"name": "idx", "type": "int"}]}},
    "attributes": {"extensions": {"attributes": ["a: int"]}},
    "methods": {"extensions": {"methods": ["m()"]}},
    "values": {"extensions": {"values": ["v"]}},
    "interrupting": {"extensions": {"interrupting": False}},
    "markers": {"extensions": {"markers": ["loop"]}},
    "side": {"extensions": {"side": "left"}},
    "width": {"layout": {"width": 333}},
    "height": {"layout": {"height": 222}},
    "relation": {"layout": {"target": "b", "relation": "below"}},
    "icon": {"icon": "lucide:lock"},
}
OF_FRAMES: Mapping[str, Json] = {
    "titleInset": {"extensions": {"titleInset": 37}},
    "headHeight": {"extensions": {"headHeight": 50}},
    "direction": {"extensions": {"direction": "RL"}},
    "operator": {"extensions": {"operator": "opt"}},
    "markers": {"extensions": {"markers": ["loop"]}},
    "regions": {"extensions": {"regions": [["a"], ["b"]]}},
    "laneDirection": {"laneDirection": "vertical"},
    "width": {"layout": {"width": 777}},
}
OF_EDGES: Mapping[str, Json] = {
    "activates": {"extensions": {"activates": ["source"]}},
    "router": {"router": "curved"},
    "port": {"from": {"elementId": "a", "port": "left"}},
    "waypoints": {"waypoints": [{"x": 300, "y": 30}]},
    "bent": {"router": "polyline", "waypoints": [{"x": 300, "y": 30}]},
    "cardinality": {"to": {"elementId": "b", "cardinality": "many"}},
    "end label": {"to": {"elementId": "b", "label": "near"}},
}


def document(*elements: Json, family: str = "architecture", **root: Any) -> Json:
    scene: Json = {"id": "s", "title": "S", "units": "px", "canvas": {}}
    return {"schemaVersion": "0.1", "diagramFamily": family, "scene": scene, "elements": list(elements), **root}


def outcomes(plain: Json, wished: Mapping[str, Json]) -> dict[str, str]:
    """`seen`, `told`, `both` or `neither` of each document that wishes one thing more than `plain`."""
    before = scenograph.render(plain).content
    return {name: _outcome(before, scenograph.render(document)) for name, document in wished.items()}


def _outcome(before: str | bytes, after: scenograph.Picture) -> str:
    seen = before != after.content
    codes = {row.code for row in after.diagnostics}
    told = "NO_EFFECT" in codes or (not seen and "GIVEN_BOX_MISSED" in codes)
    return {(True, False): "seen", (False, True): "told", (True, True): "both", (False, False): "neither"}[
        seen, bool(told)
    ]


def styled(name: str) -> Json:
    return {"style": {name: STYLES[name]}}


def of_type(node_type: str, **wish: Any) -> Json:
    family = FAMILY.get(node_type.partition(".")[0], "architecture")
    in_turn = family == "sequence"
    lifeline = {"nodeType": "sequence.lifeline"} if in_turn else {}
    node = {"id": "a", "kind": "node", "nodeType": node_type, "label": "Alpha", **wish}
    if node_type == "sequence.note":
        node["extensions"] = {"over": ["b"], **wish.get("extensions", {})}
    return document(node, {"id": "b", "kind": "node", "label": "Beta", **lifeline}, family=family)


def test_the_styles_that_are_tried_have_every_member_that_a_style_may_have() -> None:
    assert set(STYLES) == set(scene_schema()["$defs"]["Style"]["properties"])


@pytest.mark.parametrize("node_type", TYPES)
def test_a_member_of_a_node_is_seen_or_told(node_type: str) -> None:
    wishes = {**OF_NODES, **{name: styled(name) for name in STYLES}}
    outcome = outcomes(of_type(node_type), {name: of_type(node_type, **wish) for name, wish in wishes.items()})
    assert {name: said for name, said in outcome.items() if said not in {"seen", "told"}} == {}


@pytest.mark.parametrize("container_type", CONTAINER_TYPES)
@pytest.mark.parametrize("family", ["architecture", "workflow"])
def test_a_member_of_a_frame_is_seen_or_told(family: str, container_type: str) -> None:
    def framed(**wish: Any) -> Json:
        nodes = [{"id": one, "kind": "node", "label": one} for one in "ab"]
        edge = {"id": "e", "kind": "edge", "from": {"elementId": "a"}, "to": {"elementId": "b"}}
        frame = {"id": "f", "kind": "frame", "title": "F", "containerType": container_type, "children": ["a", "b"]}
        return document(*nodes, edge, frame | wish, family=family)

    wishes = {**OF_FRAMES, **{name: styled(name) for name in STYLES}}
    outcome = outcomes(framed(), {name: framed(**wish) for name, wish in wishes.items()})
    assert {name: said for name, said in outcome.items() if said not in {"seen", "told"}} == {}


@pytest.mark.parametrize("family", ["architecture", "sequence", "workflow", "entityRelationship"])
def test_a_member_of_an_edge_is_seen_or_told(family: str) -> None:
    def tied(**wish: Any) -> Json:
        lifeline = {"nodeType": "sequence.lifeline"} if family == "sequence" else {}
        nodes = [{"id": one, "kind": "node", "label": one, **lifeline} for one in "ab"]
        edge = {"id": "e", "kind": "edge", "from": {"elementId": "a"}, "to": {"elementId": "b"}, "label": "calls"}
        back = {"id": "f", "kind": "edge", "from": {"elementId": "b"}, "to": {"elementId": "a"}, "label": "answers"}
        return document(*nodes, edge | wish, back, family=family)

    situational = {"forceLabel", "lineJumps"}  # seen beside an equal label, and at a crossing
    wishes = {**OF_EDGES, **{name: styled(name) for name in STYLES if name not in situational}}
    outcome = outcomes(tied(), {name: tied(**wish) for name, wish in wishes.items()})
    assert {name: said for name, said in outcome.items() if said not in {"seen", "told"}} == {}


@pytest.mark.parametrize("kind", ["image", "guide"])
def test_a_style_of_an_image_or_a_guide_is_seen_or_told(kind: str) -> None:
    dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    own = {"image": {"href": f"data:image/png;base64,{dot}"}, "guide": {"orientation": "horizontal", "position": 40}}[
        kind
    ]
    node = {"id": "a", "kind": "node", "label": "Alpha"}

    def shown(**wish: Any) -> Json:
        return document(node, {"id": "i", "kind": kind, **own, **wish})

    outcome = outcomes(shown(), {name: shown(**styled(name)) for name in STYLES})
    assert {name: said for name, said in outcome.items() if said not in {"seen", "told"}} == {}


@pytest.mark.parametrize("family", ["architecture", "sequence", "orgchart", "network"])
@pytest.mark.parametrize("algorithm", ["hierarchical", "flow", "grid", "forceDirected"])
def test_a_member_of_the_layout_strategy_is_seen_or_told(algorithm: str, family: str) -> None:
    nodes = [{"id": one, "kind": "node", "label": one} for one in "abcdefg"]
    ties = ("ab", "ac", "bd", "be", "cf", "fg")
    edges = [{"id": tie, "kind": "edge", "from": {"elementId": tie[0]}, "to": {"elementId": tie[1]}} for tie in ties]

    def laid(**wish: Any) -> Json:
        return document(*nodes, *edges, family=family, layoutStrategy={"algorithm": algorithm, **wish})

    wishes = {"direction": "RL", "nodeSpacing": 111, "rankSpacing": 155, "columns": 1, "seed": 7}
    plain = outcomes(laid(), {"nothing": laid()})
    outcome = outcomes(laid(), {name: laid(**{name: value}) for name, value in wishes.items()})
    if plain == {"nothing": "told"}:  # a sequence reads no algorithm
        assert set(outcome.values()) == {"told"}
    assert {name: said for name, said in outcome.items() if said not in {"seen", "told"}} == {}


def test_an_element_that_cannot_have_the_box_that_its_layout_gives_is_told() -> None:
    nodes = [{"id": one, "kind": "node", "label": one} for one in "ab"]
    frame = {"id": "f", "kind": "frame", "title": "F", "children": ["a", "b"], "layout": {"width": 100, "height": 50}}
    (told,) = [row for row in scenograph.render(document(*nodes, frame)).diagnostics if row.code == "GIVEN_BOX_MISSED"]
    assert told.data == {"elementIds": ["f"]}
    assert "'f'" in told.message


def test_an_element_that_has_the_box_that_its_layout_gives_is_not_told() -> None:
    given = {"id": "a", "kind": "node", "label": "A", "layout": {"x": -500, "y": 700, "width": 333, "height": 44}}
    drawn = scenograph.render(document(given, {"id": "b", "kind": "node", "label": "B"}))
    assert [row.code for row in drawn.diagnostics if row.code == "GIVEN_BOX_MISSED"] == []


def test_a_member_of_a_constraint_may_leave_the_place_that_its_layout_gives() -> None:
    places = {"a": {"x": 0, "y": 0}, "b": {"x": 400, "y": 70}}
    nodes = [
        {"id": key, "kind": "node", "label": key, "layout": {"mode": "absolute", **at}} for key, at in places.items()
    ]
    level = {"id": "level", "type": "align", "axis": "y", "elements": ["a", "b"]}
    drawn = scenograph.render(document(*nodes, constraints=[level]))
    assert "GIVEN_BOX_MISSED" not in {row.code for row in drawn.diagnostics}


@pytest.mark.parametrize("style", [{"style": {"stroke": "#c00"}}, {"style": "red"}, {}])
def test_the_label_of_a_group_is_drawn_or_told(style: Json) -> None:
    nodes = [{"id": one, "kind": "node", "label": one} for one in "ab"]
    group = {"id": "g", "kind": "group", "children": ["a", "b"], "label": "Bundle", **style}
    drawn = scenograph.render(document(*nodes, group, styles={"red": {"stroke": "#c00"}}))
    assert ("NO_EFFECT" in {row.code for row in drawn.diagnostics}) is ("Bundle" not in str(drawn.content))
    assert ("Bundle" in str(drawn.content)) is bool(style)


def test_columns_of_any_node_are_read_by_the_lines_that_end_there() -> None:
    node = {"id": "a", "kind": "node", "label": "A", "extensions": {"columns": [{"name": "id", "pk": True}]}}
    edge = {"id": "e", "kind": "edge", "from": {"elementId": "a"}, "to": {"elementId": "b"}}
    drawn = scenograph.render(document(node, {"id": "b", "kind": "node", "label": "B"}, edge))
    assert "NO_EFFECT" not in {row.code for row in drawn.diagnostics}


def test_a_frame_whose_given_box_leaves_out_what_the_engine_places_is_told() -> None:
    nodes = [{"id": one, "kind": "node", "label": one} for one in "ab"]
    given = {"mode": "absolute", "x": 10, "y": 10, "width": 100, "height": 50}
    frame = {"id": "f", "kind": "frame", "title": "F", "children": ["a", "b"], "layout": given}
    (told,) = [row for row in scenograph.render(document(*nodes, frame)).diagnostics if row.code == "FRAME_OVERFULL"]
    assert told.data == {"elementIds": ["f"]}


def test_a_frame_with_room_for_what_the_engine_places_is_not_told() -> None:
    nodes = [{"id": one, "kind": "node", "label": one} for one in "ab"]
    given = {"mode": "absolute", "x": 10, "y": 10, "width": 600, "height": 400}
    frame = {"id": "f", "kind": "frame", "title": "F", "children": ["a", "b"], "layout": given}
    codes = {row.code for row in scenograph.render(document(*nodes, frame)).diagnostics}
    assert not {"FRAME_OVERFULL", "GIVEN_BOX_MISSED"} & codes
