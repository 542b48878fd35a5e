"""Lines of hubs: more leaves than a node reaches side by side hang on one trunk. (R-FAN-6)"""

from __future__ import annotations

from itertools import pairwise

import pytest
from tests.builders import Json, at, document_of, edge, frame, node

from scenograph.engine.families.hubs import MOST_APART, shared_fans
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.pipeline import lay_out, places_of
from scenograph.engine.route.routing import line_cost
from scenograph.engine.tables import LaidOutScene
from scenograph.scene.model import Scene

MANY = MOST_APART + 1


def star(count: int, **members: object) -> list[Json]:
    leaves = [f"leaf{i}" for i in range(count)]
    return [node("hub"), *map(node, leaves), *(edge("hub", leaf, **members) for leaf in leaves)]


def turned(elements: list[Json]) -> list[Json]:
    return [one | ({"from": one["to"], "to": one["from"]} if one["kind"] == "edge" else {}) for one in elements]


def labelled(elements: list[Json], word: str) -> list[Json]:
    edges = {one["id"] for one in elements if one["kind"] == "edge"}
    return [one | ({"label": f"{word} {turn}"} if one["id"] in edges else {}) for turn, one in enumerate(elements)]


def numbered(elements: list[Json]) -> list[Json]:
    return [
        one | ({"label": f"topic {number}"} if one["kind"] == "edge" else {}) for number, one in enumerate(elements)
    ]


def drawn(elements: list[Json], **members: object) -> LaidOutScene:
    return lay_out(document_of(*elements, **members)).scene  # type: ignore[arg-type]


def scene_of(elements: list[Json]) -> Scene:
    return drawn(elements).scene


def starts(scene: LaidOutScene) -> set[Point]:
    return {route.points[0] for route in scene.routes.values()}


def runs(points: tuple[Point, ...]) -> list[Box]:
    return [Box(min(a.x, b.x), min(a.y, b.y), abs(a.x - b.x), abs(a.y - b.y)) for a, b in pairwise(points)]


def test_more_leaves_than_two_columns_hold_hang_on_one_trunk() -> None:
    assert len(starts(drawn(star(MANY)))) == 1
    assert len(starts(drawn(star(MOST_APART)))) == MOST_APART


@pytest.mark.parametrize("count", [MANY, 20, 40])
@pytest.mark.parametrize("direction", ["TB", "LR"])
def test_each_label_stands_on_the_part_that_its_line_has_alone(count: int, direction: str) -> None:
    scene = drawn(numbered(star(count)), layoutStrategy={"algorithm": "hierarchical", "direction": direction})
    for name, route in scene.routes.items():
        assert route.label is not None
        others = [run for one, other in scene.routes.items() if one != name for run in runs(other.points)]
        assert not any(route.label.overlaps(run.grown(0.5)) for run in others)


@pytest.mark.parametrize("label", [None, "reading"])
def test_lines_to_a_hub_end_in_one_head_below_their_leaves(label: str | None) -> None:
    elements = turned(star(20))
    scene = drawn(numbered(elements) if label else elements, layoutStrategy={"direction": "TB"})
    hub, leaves = scene.placement.boxes["hub"], [scene.placement.boxes[f"leaf{i}"] for i in range(20)]
    assert {route.points[-1] for route in scene.routes.values()} == {next(iter(scene.routes.values())).points[-1]}
    assert hub.y > max(leaf.bottom for leaf in leaves)
    assert hub.height == leaves[0].height
    assert hub.width == drawn([node("hub")]).placement.boxes["hub"].width
    assert leaves[0].x == leaves[1].x
    assert leaves[0].y < leaves[1].y


def test_a_trunk_holds_lines_of_one_look_alone() -> None:
    red = {"style": {"stroke": "#c00000"}}
    mixed = [*star(MANY)[:-1], edge("hub", f"leaf{MOST_APART}", **red)]
    assert len(starts(drawn(mixed))) == MANY
    assert shared_fans(scene_of(mixed)) == {}


@pytest.mark.parametrize(
    "change",
    [
        {"router": "straight"},
        {"waypoints": [{"x": 5, "y": 5}]},
        {"edgeType": "network.link"},
        {"to": {"elementId": "leaf0", "label": "1"}},
        {"visible": False},
    ],
)
def test_a_line_with_a_course_or_an_end_of_its_own_joins_no_trunk(change: Json) -> None:
    elements = star(MANY)
    elements[-MANY] |= change
    assert shared_fans(scene_of(elements)) == {}


def test_a_leaf_with_a_second_line_or_a_frame_is_no_leaf() -> None:
    assert shared_fans(scene_of([*star(MANY), edge("leaf0", "leaf1")])) == {}
    assert (
        shared_fans(
            scene_of(
                [node("hub"), *(frame(f"f{i}") for i in range(MANY)), *(edge("hub", f"f{i}") for i in range(MANY))]
            )
        )
        == {}
    )
    assert (
        len(shared_fans(scene_of([*star(MANY), node("more"), edge("hub", "more"), edge("more", "end"), node("end")])))
        == MANY
    )


def test_a_trunk_holds_lines_of_one_head_and_one_style_alone() -> None:
    headed = star(MANY)
    headed[-1] |= {"endpoints": {"startArrow": "triangle"}}
    assert shared_fans(scene_of(headed)) == {}
    styled = star(MANY)
    styled[-1] |= {"style": "red"}
    scene = drawn(styled, styles={"red": {"stroke": "#c00000"}}).scene
    assert shared_fans(scene) == {}


def test_a_hidden_line_makes_a_leaf_no_less_a_leaf() -> None:
    assert len(shared_fans(scene_of([*star(MANY), edge("leaf0", "leaf1", visible=False)]))) == MANY


def test_an_event_on_a_border_is_no_leaf() -> None:
    elements = star(MANY)
    elements[1] |= {"attachedTo": {"elementId": "host", "side": "top"}}
    assert shared_fans(scene_of([*elements, node("host")])) == {}


def test_another_label_leaves_the_other_lines_of_a_trunk_as_they_stood() -> None:
    """A column of shorter labels would have its rail nearer."""
    elements = numbered(star(20))
    name = elements[-3]["id"]
    elements[-3] |= {"label": "a label that is much longer"}
    first = places_of(lay_out(document_of(*elements)))
    elements[-3] |= {"label": "short"}
    after = places_of(lay_out(document_of(*elements), sketch=first))
    assert all(after["edgePaths"][one] == path for one, path in first["edgePaths"].items() if one != name)


def test_lines_with_equal_labels_to_a_hub_are_left_to_their_own_trunk() -> None:
    assert shared_fans(scene_of(turned(star(MANY, label="reads")))) == {}
    assert len(shared_fans(scene_of(star(MANY, label="reads")))) == MANY


def test_of_lines_to_a_hub_those_with_equal_labels_alone_are_left_out() -> None:
    elements = turned(numbered(star(20)))
    elements[-1]["label"] = elements[-2]["label"] = "twice"
    assert len(shared_fans(scene_of(elements))) == 18


@pytest.mark.parametrize("label", ["t", "publishes", "a rather long label"])
@pytest.mark.parametrize("direction", [None, "TB", "LR"])
def test_a_trunk_leaves_by_the_side_for_which_its_leaves_were_placed(label: str, direction: str | None) -> None:
    elements = [
        one | ({"label": f"{label} {number}"} if one["kind"] == "edge" else {}) for number, one in enumerate(star(20))
    ]
    strategy = {"layoutStrategy": {"algorithm": "hierarchical", "direction": direction}} if direction else {}
    scene = drawn(elements, **strategy)
    assert len(starts(scene)) == 1
    nodes = list(scene.placement.boxes.values())
    assert not any(route.label.overlaps(box) for route in scene.routes.values() for box in nodes if route.label)


def test_producers_and_consumers_of_a_bus_hang_on_a_trunk_each() -> None:
    sources = [f"source{i}" for i in range(MANY)]
    elements = [*star(MANY), *map(node, sources), *(edge(source, "hub") for source in sources)]
    scene = drawn(elements, layoutStrategy={"algorithm": "hierarchical", "direction": "TB"})
    assert len({scene.routes[f"hub-leaf{i}"].points[0] for i in range(MANY)}) == 1
    assert len({scene.routes[f"{source}-hub"].points[-1] for source in sources}) == 1


def test_a_trunk_with_a_hidden_branch_is_none() -> None:
    """The leaves stand where their author put them, a stranger where the bus of the trunk would run."""
    elements = [node("hub", layout=at(0, 0)), node("wall", layout=at(300, 40, 100, 100))]
    elements += [node(f"leaf{i}", layout=at(120 * i, 200)) for i in range(MANY)]
    elements += [edge("hub", f"leaf{i}") for i in range(MANY)]
    assert len(starts(drawn(elements))) > 1
    assert len(starts(drawn([one for one in elements if one["id"] != "wall"]))) == 1


def test_a_hub_keeps_its_length_where_a_leaf_more_gives_it_a_trunk() -> None:
    few = document_of(*numbered(star(MOST_APART)))
    first = places_of(lay_out(few))
    more = document_of(*numbered(star(MOST_APART)), node("late"), edge("hub", "late", label="late"))
    after = places_of(lay_out(more, sketch=first))
    assert after["bounds"]["hub"] == first["bounds"]["hub"]


def test_leaves_round_their_hub_have_lines_of_their_own() -> None:
    scene = drawn(star(24), layoutStrategy={"algorithm": "forceDirected"})
    assert len(starts(scene)) > 12


def test_branches_of_one_trunk_do_not_cross() -> None:
    """The trunk goes on from row to row, past a leaf in line with the hub."""
    scene = drawn(star(26), layoutStrategy={"algorithm": "hierarchical", "direction": "LR"})
    assert len(starts(scene)) == 1
    ends = {one.id: one.ends for one in scene.scene.edges}
    assert line_cost(scene.routes, ends).crossings == 0


@pytest.mark.parametrize("elements", [star(20), numbered(star(20)), turned(numbered(star(30)))])
def test_a_hub_is_drawn_the_same_again(elements: list[Json]) -> None:
    document = document_of(*elements)
    first = places_of(lay_out(document))
    assert places_of(lay_out(document, sketch=first)) == first


def test_a_leaf_more_moves_no_leaf() -> None:
    document = document_of(*numbered(star(20)))
    first = places_of(lay_out(document))
    more = document_of(*numbered(star(20)), node("late"), edge("hub", "late", label="late"))
    after = places_of(lay_out(more, sketch=first))
    assert all(after["bounds"][name] == box for name, box in first["bounds"].items())
    assert all(after["edgePaths"][name] == path for name, path in first["edgePaths"].items())
