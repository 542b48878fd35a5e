"""Room for the labels of edges in a fresh layout. (R-PLACE-9, R-LABEL-2)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import pytest

from scenograph.engine.geometry.paths import clipped
from scenograph.engine.geometry.spatial_index import bounds_of, widened
from scenograph.engine.markers import CARDINALITY_MARKERS, MARKERS
from scenograph.engine.pipeline import lay_out, places_of
from scenograph.engine.tables import LaidOutScene

Json = dict[str, Any]


def _laid_out(family: str, direction: str, nodes: Sequence[Json], edges: Sequence[Json]) -> LaidOutScene:
    document = {
        "schemaVersion": "0.1",
        "diagramFamily": family,
        "scene": {"id": "room", "units": "px", "canvas": {}},
        "layoutStrategy": {"algorithm": "hierarchical", "direction": direction},
        "elements": [*nodes, *edges],
    }
    return lay_out(document).scene


def _edge(number: int, source: str, target: str, label: str, **more: Any) -> Json:
    ends = {"from": {"elementId": source}, "to": {"elementId": target}}
    return {"id": f"e{number}", "kind": "edge", "label": label, "endArrow": "triangle", **ends, **more}


def _boxes(names: str) -> list[Json]:
    return [{"id": name, "kind": "node", "label": name} for name in names]


def _on_foreign_lines(scene: LaidOutScene) -> list[tuple[str, str]]:
    labels = {name: route.label for name, route in scene.routes.items() if route.label is not None}
    return [
        (name, other)
        for name, label in labels.items()
        for other, route in scene.routes.items()
        if other != name
        and any(clipped(p, q, widened(bounds_of(label), -0.5)) is not None for p, q in pairwise(route.points))
    ]


@pytest.mark.parametrize("direction", ["LR", "TB"])
@pytest.mark.parametrize("ends", [("zero-or-many", "zero-or-many"), ("one-or-many", "one"), ("one", "zero-or-one")])
def test_a_relation_is_as_long_as_its_label_and_both_crows_feet(direction: str, ends: tuple[str, str]) -> None:
    tables: list[Json] = [{"id": name, "kind": "node", "nodeType": "er.entity", "label": name} for name in "ab"]
    relation: Mapping[str, Any] = {
        "id": "e",
        "kind": "edge",
        "edgeType": "er.nonIdentifying",
        "label": "belongs to",
        "from": {"elementId": "a", "cardinality": ends[0]},
        "to": {"elementId": "b", "cardinality": ends[1]},
    }
    route = _laid_out("entityRelationship", direction, tables, [dict(relation)]).routes["e"]
    assert route.label is not None
    first, last = (MARKERS[CARDINALITY_MARKERS[one]].length for one in ends)
    side = 0 if direction == "LR" else 1
    low, high = bounds_of(route.label)[side], bounds_of(route.label)[side + 2]
    assert low - route.points[0][side] >= first + 2
    assert route.points[-1][side] - high >= last + 2


def test_labels_of_lines_between_the_same_boxes_cover_no_other_line() -> None:
    edges = [
        _edge(1, "a", "x", "Uses"),
        _edge(2, "b", "x", "Uses"),
        _edge(3, "a", "y", "Reads from the\nold archive"),
        _edge(4, "b", "y", "Writes to the\nold archive"),
        _edge(5, "y", "a", "Replies"),
        _edge(6, "a", "z", "Uses"),
        _edge(7, "b", "z", "Uses"),
    ]
    assert _on_foreign_lines(_laid_out("workflow", "TB", _boxes("abxyz"), edges)) == []


def test_four_labelled_lines_both_ways_between_two_boxes_cover_no_other_line() -> None:
    edges = [
        _edge(1, "a", "b", "initiates connection to"),
        _edge(2, "a", "b", "sends commands to"),
        _edge(3, "b", "a", "accepts connections from"),
        _edge(4, "b", "a", "sends results to"),
    ]
    assert _on_foreign_lines(_laid_out("workflow", "LR", _boxes("ab"), edges)) == []


def test_a_layout_grows_twice_as_much_where_once_is_not_enough() -> None:
    lines = ["cd uses", "cd sends commands to", "ab reports its state", "cb reports its state", "ab asks for prices of"]
    edges = [_edge(number, line[0], line[1], line[3:]) for number, line in enumerate([*lines, "ad reads"])]
    assert _on_foreign_lines(_laid_out("workflow", "TB", _boxes("abcd"), edges)) == []


def test_a_layout_whose_labels_have_room_is_not_stretched() -> None:
    edges = [_edge(1, "a", "x", "Uses"), _edge(2, "b", "x", "Reads")]
    scene = _laid_out("workflow", "TB", _boxes("abx"), edges)
    first, second = (scene.placement.boxes[name] for name in "ab")
    assert second.x - first.right == 48


def test_a_ring_of_labelled_relations_is_laid_out() -> None:
    tables: list[Json] = [{"id": name, "kind": "node", "nodeType": "er.entity", "label": name} for name in "abcd"]
    ends = (("a", "b", "one"), ("b", "c", "one"), ("d", "a", "one"), ("c", "a", "one-or-many"))
    labels = ("Unix socket", "yes", "no", "no")
    edges: list[Json] = [
        {
            "id": f"e{number}",
            "kind": "edge",
            "label": label,
            "from": {"elementId": source, "cardinality": cardinality},
            "to": {"elementId": target, "cardinality": "zero-or-many"},
        }
        for number, ((source, target, cardinality), label) in enumerate(zip(ends, labels, strict=True))
    ]
    assert len(_laid_out("entityRelationship", "TB", tables, edges).routes) == 4


def _seen(scene: LaidOutScene, name: str) -> tuple[float, float]:
    """The length of a straight line on either side of its label, px."""
    route = scene.routes[name]
    assert route.label is not None
    assert len(route.points) == 2
    cut = clipped(*route.points, bounds_of(route.label))
    assert cut is not None
    (a, b), (enter, leave) = route.points, cut
    span = abs(b.x - a.x) + abs(b.y - a.y)
    return enter * span, (1 - leave) * span


@pytest.mark.parametrize("direction", ["TB", "LR"])
@pytest.mark.parametrize("is_nested", [False, True])
@pytest.mark.parametrize("lines", [[("b", "f", "registers at")], [("f", "b", "feeds"), ("b", "f", "tells")]])
def test_a_line_between_a_frame_and_its_child_is_seen_on_both_sides_of_its_label(
    direction: str, *, is_nested: bool, lines: Sequence[tuple[str, str, str]]
) -> None:
    inside: list[Json] = [{"id": "g", "kind": "frame", "title": "Inner", "children": ["b"]}] if is_nested else []
    children = ["a", "g"] if is_nested else ["a", "b"]
    frame: Json = {"id": "f", "kind": "frame", "title": "Outer", "children": children}
    edges = [_edge(number, *line) for number, line in enumerate(lines)]
    scene = _laid_out("architecture", direction, [*_boxes("ab"), *inside, frame], edges)
    for edge in edges:
        assert min(_seen(scene, edge["id"])) >= 5


def test_boxes_of_a_row_stay_level_where_one_gets_room_for_a_label() -> None:
    frame: Json = {"id": "f", "kind": "frame", "title": "Workers", "children": ["a", "b", "c"]}
    edges = [_edge(number, name, "q", "publishes", style={"forceLabel": True}) for number, name in enumerate("abc")]
    scene = _laid_out("architecture", "TB", [*_boxes("abcq"), frame], edges)
    assert len({scene.placement.boxes[name].y for name in "abc"}) == 1


def test_a_bent_line_is_seen_on_both_sides_of_its_label() -> None:
    edges = [
        _edge(1, "a", "x", "reads reports"),
        _edge(2, "b", "x", "writes orders and corrections"),
        _edge(3, "x", "a", "answers"),
        _edge(4, "x", "b", "answers with errors"),
    ]
    scene = _laid_out("workflow", "LR", _boxes("abx"), edges)
    for route in scene.routes.values():
        assert route.label is not None
        for a, b in pairwise(route.points):
            cut = clipped(a, b, bounds_of(route.label)) or (0.0, 0.0)
            span = abs(b.x - a.x) + abs(b.y - a.y)
            assert cut[0] == cut[1] or span * (1 - cut[1] + cut[0]) >= 10


@pytest.mark.parametrize("direction", ["TB", "LR"])
@pytest.mark.parametrize("label", ["calls", "Makes API calls to\n[JSON/HTTPS]\nover the wire"])
def test_the_one_label_of_a_fan_in_stands_where_all_its_lines_run(direction: str, label: str) -> None:
    frame: Json = {"id": "f", "kind": "frame", "title": "Apps", "children": ["a", "b"]}
    edges = [_edge(1, "a", "x", label), _edge(2, "b", "x", label), _edge(3, "a", "b", "opens")]
    routes = _laid_out("architecture", direction, [*_boxes("abx"), frame], edges).routes
    (shown,) = [box for name in ("e1", "e2") if (box := routes[name].label) is not None]
    for name in ("e1", "e2"):
        assert any(clipped(a, b, bounds_of(shown)) is not None for a, b in pairwise(routes[name].points))


def _boxes_of(scene: LaidOutScene) -> dict[str, tuple[float, float]]:
    return {name: (box.width, box.height) for name, box in scene.placement.boxes.items()}


WORDS = ("initializes", "attaches data", "prepares data", "defines the source", "tears down", "reports to")


@pytest.mark.parametrize("count", [4, 6])
@pytest.mark.parametrize("direction", ["LR", "TB"])
def test_boxes_grow_across_the_flow_for_many_labelled_lines_between_them(direction: str, count: int) -> None:
    few = _laid_out("architecture", direction, _boxes("ab"), [_edge(0, "a", "b", "one")])
    edges = [_edge(number, "a", "b", WORDS[number]) for number in range(count)]
    many = _laid_out("architecture", direction, _boxes("ab"), edges)
    across, along = (1, 0) if direction == "LR" else (0, 1)
    for name in "ab":
        assert _boxes_of(many)[name][across] > _boxes_of(few)[name][across]
        assert _boxes_of(many)[name][along] == _boxes_of(few)[name][along]
    at = sorted({route.points[0][across] for route in many.routes.values()})
    assert len(at) == count
    assert min(b - a for a, b in pairwise(at)) >= 20
    if direction == "LR" or count == 4:
        assert _on_foreign_lines(many) == []


def test_a_hub_grows_for_the_lines_that_meet_it_on_one_side() -> None:
    edges = [_edge(number, name, "h", f"topic {name}") for number, name in enumerate("abcdefg")]
    scene = _laid_out("architecture", "LR", _boxes("habcdefg"), edges)
    hub = scene.placement.boxes["h"]
    assert hub.height >= 6 * 12 + 24
    assert scene.placement.boxes["a"].height == 48
    ends = sorted(route.points[-1].y for route in scene.routes.values())
    inside = [y for y in ends if hub.y < y < hub.bottom]
    assert len(inside) > 4
    assert min(b - a for a, b in pairwise(inside)) >= 12


@pytest.mark.parametrize(
    "more",
    [
        {"layout": {"mode": "auto", "height": 48}},
        {"shape": "diamond"},
        {"icon": "aws:s3"},
    ],
)
def test_a_box_of_given_size_or_without_straight_sides_does_not_grow(more: Json) -> None:
    edges = [_edge(number, "a", "b", WORDS[number]) for number in range(6)]
    nodes = [{**_boxes("a")[0], **more}, *_boxes("b")]
    alone = _laid_out("architecture", "LR", nodes, edges[:1])
    assert _boxes_of(_laid_out("architecture", "LR", nodes, edges))["a"] == _boxes_of(alone)["a"]


def test_lines_without_words_make_no_box_grow() -> None:
    edges = [{**_edge(number, name, "h", ""), "label": ""} for number, name in enumerate("abcdefg")]
    assert _laid_out("architecture", "LR", _boxes("habcdefg"), edges).placement.boxes["h"].height == 48


def test_a_trunk_of_lines_with_equal_labels_makes_no_box_grow() -> None:
    edges = [_edge(number, name, "h", "topic") for number, name in enumerate("abcdefg")]
    assert _laid_out("architecture", "LR", _boxes("habcdefg"), edges).placement.boxes["h"].height == 48


def test_a_box_that_stood_grows_for_no_new_line_and_keeps_the_room_that_its_lines_need() -> None:
    def document(count: int) -> Json:
        edges = [_edge(number, "a", "b", WORDS[number]) for number in range(count)]
        return {
            "schemaVersion": "0.1",
            "diagramFamily": "architecture",
            "scene": {"id": "room", "units": "px", "canvas": {}},
            "layoutStrategy": {"algorithm": "hierarchical", "direction": "LR"},
            "elements": [*_boxes("ab"), *edges],
        }

    three, six = lay_out(document(3)), lay_out(document(6))
    assert _boxes_of(lay_out(document(6), sketch=places_of(three)).scene) == _boxes_of(three.scene)
    assert _boxes_of(lay_out(document(6), sketch=places_of(six)).scene) == _boxes_of(six.scene)
    five = _boxes_of(lay_out(document(5), sketch=places_of(six)).scene)["a"][1]
    assert _boxes_of(three.scene)["a"][1] < five <= _boxes_of(six.scene)["a"][1]


OF_OWN_SIZE = [("network", "network.router"), ("orgchart", "org.person"), ("uiflow", "uiflow.screen")]


@pytest.mark.parametrize("count", [3, 4, 5, 6])
@pytest.mark.parametrize("direction", ["LR", "TB"])
@pytest.mark.parametrize(("family", "kind"), OF_OWN_SIZE)
def test_labelled_lines_between_boxes_that_cannot_grow_go_past_them(
    family: str, kind: str, direction: str, count: int
) -> None:
    nodes = [{**node, "nodeType": kind} for node in _boxes("ab")]
    edges = [_edge(number, "a", "b", WORDS[number]) for number in range(count)]
    assert _on_foreign_lines(_laid_out(family, direction, nodes, edges)) == []


@pytest.mark.parametrize(
    ("kind", "direction", "straight"),
    [
        (("network", "network.router"), "TB", {1: 1, 2: 2, 3: 1, 4: 1}),
        (("network", "network.router"), "LR", {1: 1, 2: 2, 3: 3, 4: 3}),
        (("orgchart", "org.person"), "TB", {2: 2, 3: 3, 4: 3}),
    ],
)
def test_as_many_labelled_lines_stay_straight_as_have_room(
    kind: tuple[str, str], direction: str, straight: Mapping[int, int]
) -> None:
    nodes = [{**node, "nodeType": kind[1]} for node in _boxes("ab")]
    for count, expected in straight.items():
        edges = [_edge(number, "a", "b", WORDS[number]) for number in range(count)]
        routes = _laid_out(kind[0], direction, nodes, edges).routes
        assert [len(route.points) == 2 for route in routes.values()].count(True) == expected, count
