"""Where edge labels stand. (R-LABEL-1, R-LABEL-7)"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, pairwise, permutations
from math import inf
from typing import Any

import pytest

from scenograph.engine.effort import LABELLING, effort_for
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import clipped
from scenograph.engine.geometry.spatial_index import Bounds, bounds_of
from scenograph.engine.kernels.label_spots import Labelled
from scenograph.engine.route.courses.terrain import survey
from scenograph.engine.route.labels import place_labels
from scenograph.engine.route.problem import NOBODY, NODE, WRITING, Obstacle, RoutingProblem
from scenograph.scene.model import LayoutStrategy

Run = Callable[..., Any]
LABEL = {"label_size": (50.0, 16.0)}


def test_a_label_stands_in_the_middle_of_the_longest_segment(routed: Run) -> None:
    drawn = routed({"a": (0, 0, 100, 50), "b": (400, 0, 100, 50)}, {"e": ("a", "b", LABEL)})
    assert drawn.label("e") == Box(225, 17, 50, 16)


def test_without_a_label_there_is_no_place(routed: Run) -> None:
    assert routed({"a": (0, 0, 100, 50), "b": (400, 0, 100, 50)}, {"e": ("a", "b")})["e"].label is None


def test_a_label_gives_way_to_a_title(routed: Run) -> None:
    title = Box(230, 10, 80, 20)
    boxes = {"a": (0, 0, 100, 50), "f": (150, 5, 200, 40), "b": (400, 0, 100, 50)}
    drawn = routed(
        boxes,
        {"e": ("a", "b", LABEL | {"router": "straight"})},
        frames={"f": []},
        parts={"f": {"title": title}},
    )
    assert not drawn.label("e").overlaps(title)


def test_a_label_leaves_the_arrowhead_free(routed: Run) -> None:
    arrow = {"end_arrow": "triangle", "label_size": (70.0, 16.0)}
    drawn = routed({"a": (0, 0, 100, 50), "b": (210, 0, 100, 50)}, {"e": ("a", "b", arrow)})
    assert drawn.label("e").right <= 210 - 10


@pytest.mark.parametrize("router", [None, "straight", "curved"])
def test_labels_of_a_crowd_overlap_neither_nodes_nor_each_other(routed: Run, router: str | None) -> None:
    boxes = {f"n{i}{j}": (i * 260, j * 170, 100, 48) for i in range(4) for j in range(4)}
    names = sorted(boxes)
    edges = {
        f"e{k}": (names[k], names[(k * 7 + 3) % 16], LABEL | {"router": router})
        for k in range(16)
        if names[k] != names[(k * 7 + 3) % 16]
    }
    drawn = routed(boxes, edges, strategy=LayoutStrategy())
    labels = [drawn.label(name) for name in edges]
    assert not any(one.overlaps(other) for one, other in combinations(labels, 2))
    assert not any(label.overlaps(Box(*box)) for label in labels for box in boxes.values())


def test_a_label_is_near_its_own_edge(routed: Run) -> None:
    boxes = {f"n{i}": (i * 140, (i % 3) * 120, 100, 48) for i in range(8)}
    edges = {f"e{i}": (f"n{i}", f"n{(i + 3) % 8}", LABEL) for i in range(8)}
    drawn = routed(boxes, edges)
    for name in edges:
        label = drawn.label(name).grown(6)
        points = drawn.points(name)
        assert any(
            min(a[0], b[0]) <= label.right
            and max(a[0], b[0]) >= label.x
            and min(a[1], b[1]) <= label.bottom
            and max(a[1], b[1]) >= label.y
            for a, b in pairwise(points)
        )


def test_a_label_without_a_free_place_sends_a_neighbour_elsewhere(routed: Run) -> None:
    boxes = {"a": (0, 0, 96, 48), "b": (0, 96, 96, 48)}
    labels = {"e1": ("yes", 20.0), "e2": ("writes", 34.0), "e3": ("reads", 32.0)}
    edges = {name: ("a", "b", {"label": text, "label_size": (width, 16.0)}) for name, (text, width) in labels.items()}
    drawn = routed(boxes, {"e0": ("a", "b"), **edges})
    placed = [drawn.label(name) for name in labels]
    assert not any(one.overlaps(other) for one, other in combinations(placed, 2))
    assert not any(label.overlaps(Box(*box)) for label in placed for box in boxes.values())


def test_a_label_steps_aside_for_a_line_that_passes_close_by(routed: Run) -> None:
    boxes = {"a": (0, 0, 100, 50), "b": (400, 0, 100, 50), "c": (228, -150, 100, 50), "d": (228, 200, 100, 50)}
    drawn = routed(boxes, {"e": ("a", "b", LABEL), "f": ("c", "d")})
    label, (passing, _) = drawn.label("e"), drawn["f"].points
    assert label.right <= passing.x - 6 or label.x >= passing.x + 6


@pytest.mark.parametrize("side", [1, -1])
def test_a_label_beside_its_line_stands_on_the_side_where_no_other_line_passes_it(side: int) -> None:
    terrain = survey(RoutingProblem(obstacles=(Obstacle(Bounds(-1.0, 0.0, 1.0, 80.0), WRITING, NOBODY),)))
    own = Labelled(0, (Point(0.0, 0.0), Point(0.0, 80.0)), 50.0, 16.0)
    other = Labelled(1, (Point(62.0 * side, 0.0), Point(62.0 * side, 80.0)), 0.0, 0.0)
    label = place_labels([own, other], terrain, effort_for(LABELLING, 2))[0][0]
    assert label.center.x * side < 0.0


@pytest.mark.parametrize("gap", [40, 48, 120])
def test_a_line_goes_past_boxes_that_leave_its_label_no_room(routed: Run, gap: int) -> None:
    boxes = {"a": (0, 0, 100, 48), "b": (100 + gap, 0, 100, 48)}
    drawn = routed(boxes, {"e": ("a", "b", {"label_size": (60.0, 16.0)})}, strategy=LayoutStrategy())
    label = drawn.label("e")
    assert not any(label.overlaps(Box(*box)) for box in boxes.values())
    pieces = pairwise(drawn.points("e"))
    assert any(clipped(p, q, bounds_of(label.grown(12))) is not None for p, q in pieces)
    assert (len(drawn.points("e")) == 2) is (gap > 60)


def test_a_label_erases_the_border_of_no_frame_while_it_has_a_place_inside(routed: Run) -> None:
    boxes = {"f": (40, 40, 420, 140), "a": (70, 96, 80, 44), "g": (40, 220, 420, 140), "b": (70, 276, 80, 44)}
    arrow = {"end_arrow": "triangle", "label_size": (26.0, 40.0)}
    drawn = routed(boxes, {"e": ("a", "b", arrow)}, frames={"f": ["a"], "g": ["b"]})
    label = drawn.label("e")
    assert all(frame.contains(label) or not frame.overlaps(label) for frame in (Box(*boxes["f"]), Box(*boxes["g"])))


def test_a_label_stands_on_its_line_where_the_gap_between_two_frames_just_holds_it(routed: Run) -> None:
    boxes = {"f": (40, 40, 420, 140), "a": (70, 96, 80, 44), "g": (40, 220, 420, 140), "b": (70, 276, 80, 44)}
    arrow = {"end_arrow": "triangle", "label_size": (26.0, 30.0)}
    drawn = routed(boxes, {"e": ("a", "b", arrow)}, frames={"f": ["a"], "g": ["b"]})
    assert drawn.label("e").center == (110, 200)


def test_between_a_border_and_a_marker_the_middle_is_that_of_the_line_between_them(routed: Run) -> None:
    boxes = {"f": (0, 0, 145, 120), "a": (20, 40, 80, 40), "g": (213, 0, 200, 120), "b": (315, 40, 80, 40)}
    arrows = {"start_arrow": "circle", "end_arrow": "triangle", "label_size": (80.0, 16.0)}
    drawn = routed(boxes, {"e": ("a", "b", arrows)}, frames={"f": ["a"], "g": ["b"]})
    label = drawn.label("e")
    assert label.x > 213
    assert label.right < 315 - 12


def test_a_side_that_two_frames_share_is_one_border_and_worth_no_arrowhead(routed: Run) -> None:
    frames = {"p": (-40, 0, 153, 120), "q": (-20, 0, 133, 120), "r": (191, 0, 220, 120), "s": (191, 0, 190, 120)}
    boxes = {**frames, "a": (0, 40, 80, 40), "b": (295, 40, 60, 40)}
    arrow = {"start_arrow": "circle", "end_arrow": "triangle", "label_size": (92.5, 16.0)}
    drawn = routed(boxes, {"e": ("a", "b", arrow)}, frames={"p": ["q"], "q": ["a"], "r": ["s"], "s": ["b"]})
    markers = Box(80, 55, 8, 10), Box(285, 55, 10, 10)
    assert not any(drawn.label("e").grown(2).overlaps(marker) for marker in markers)


def test_the_label_of_an_outcome_stands_near_its_decision(routed: Run) -> None:
    boxes = {"ask": (0, 0, 100, 80), "near": (200, 16, 100, 48), "far": (900, 300, 100, 48)}
    edges = {name: ("ask", name, {"label_size": (24.0, 16.0), "end_arrow": "triangle"}) for name in ("near", "far")}
    drawn = routed(boxes, edges, shapes={"ask": "diamond"})
    label, start = drawn.label("far"), drawn["far"].points[0]
    assert abs(label.center.x - start.x) + abs(label.center.y - start.y) < 80 + 24


def test_the_only_line_out_of_a_decision_has_its_label_in_the_middle(routed: Run) -> None:
    boxes = {"ask": (0, 0, 100, 80), "far": (700, 16, 100, 48)}
    drawn = routed(boxes, {"e": ("ask", "far", LABEL)}, shapes={"ask": "diamond"})
    assert drawn.label("e").center.x == 400


def test_lines_side_by_side_leave_room_for_the_label_between_them(routed: Run) -> None:
    boxes = {"a": (0, 0, 140, 48), "b": (0, 148, 140, 48)}
    labels = {"e1": 50.0, "e2": 60.0, "e3": 50.0}
    edges = {name: ("a", "b", {"label": name, "label_size": (width, 16.0)}) for name, width in labels.items()}
    drawn = routed(boxes, edges)
    for name, other in permutations(labels, 2):
        pieces = pairwise(drawn.points(other))
        assert not any(clipped(p, q, bounds_of(drawn.label(name))) is not None for p, q in pieces), (name, other)


def test_a_line_without_a_label_gives_way_to_the_label_of_its_neighbour(routed: Run) -> None:
    boxes = {"a": (0, 0, 140, 48), "b": (0, 148, 140, 48)}
    drawn = routed(boxes, {"e1": ("a", "b"), "e2": ("a", "b", {"label_size": (80.0, 16.0)}), "e3": ("a", "b")})
    label = drawn.label("e2")
    for name in ("e1", "e3"):
        assert not any(clipped(p, q, bounds_of(label)) is not None for p, q in pairwise(drawn.points(name)))


def test_two_labels_side_by_side_do_not_read_as_one_phrase() -> None:
    lines = [Labelled(number, (Point(66.0 * number, 0.0), Point(66.0 * number, 60.0)), 62.0, 16.0) for number in (0, 1)]
    boxes, _ = place_labels(lines, survey(RoutingProblem()), effort_for(LABELLING, 2))
    one, other = boxes[0], boxes[1]
    assert abs(one.center.x - other.center.x) >= 62 + 6 or abs(one.center.y - other.center.y) >= 16


@pytest.mark.parametrize("length", [320.0, 340.0, 380.0])
def test_labels_of_near_parallel_lines_make_room_for_each_other(length: float) -> None:
    """The first and the last stand outside; the two within fit side by side where each gives way to the other."""
    tips = ((0.0, 10.0), (0.0, 10.0), (10.0, 0.0), (10.0, 0.0))
    lines = [
        Labelled(number, (Point(0.0, 12.0 * number), Point(length, 12.0 * number)), width, 16.0, tips=tips[number])
        for number, width in enumerate((125.0, 114.0, 148.0, 90.0))
    ]
    boxes, cramped = place_labels(lines, survey(RoutingProblem()), effort_for(LABELLING, len(lines)))
    assert not any(min(lack) == inf for lack in cramped.values())  # none covers anything
    assert all(abs(box.center.y - 12 * number) <= 8 + 12 for number, box in boxes.items())


@pytest.mark.parametrize("width", [36.0, 50.0])
def test_a_label_without_room_on_its_line_is_told_to_whoever_lays_out(width: float) -> None:
    walls = [Obstacle(Bounds(x, -40.0, x + 40.0, 120.0), WRITING, NOBODY) for x in (-62.0, 22.0)]
    line = Labelled(0, (Point(0.0, 0.0), Point(0.0, 80.0)), width, 16.0)
    _, cramped = place_labels([line], survey(RoutingProblem(obstacles=tuple(walls))), effort_for(LABELLING, 1))
    assert bool(cramped) is (width > 44)


@pytest.mark.parametrize("width", [40.0, 300.0])
def test_a_label_that_must_cover_another_line_is_told(routed: Run, width: float) -> None:
    rows = {"a": (0, 0, 60, 40), "b": (0, 200, 60, 40)}
    walls = {"c": (-90, -300, 60, 40), "d": (-90, 500, 60, 40), "g": (90, -300, 60, 40), "h": (90, 500, 60, 40)}
    straight = {"router": "straight"}
    edges = {"cd": ("c", "d", straight), "gh": ("g", "h", straight), "ab": ("a", "b", {"label_size": (width, 16.0)})}
    told = routed(rows | walls, edges).said("EDGE_LABEL_CRAMPED")
    assert told == ({"edgeIds": ["ab"]} if width > 100 else {})


@pytest.mark.parametrize("crossed", [0, 1, 2])
def test_a_line_gives_way_to_a_label_for_a_crossing_and_no_more(routed: Run, crossed: int) -> None:
    boxes = {"a": (0, 0, 60, 40), "b": (0, 200, 60, 40), "wall": (50, 50, 300, 140)}
    boxes |= {"c": (-90, -300, 60, 40), "d": (-90, 500, 60, 40)}
    edges: dict[str, tuple[Any, ...]] = {"ab": ("a", "b", {"label_size": (160.0, 16.0)}), "cd": ("c", "d")}
    for number in range(crossed):
        y = 60 - 70 * number
        boxes |= {f"p{number}": (-400, y, 40, 30), f"q{number}": (-120, y, 40, 30)}
        edges[f"pq{number}"] = (f"p{number}", f"q{number}", {"router": "straight"})
    drawn = routed(boxes, edges)
    covers = any(clipped(*piece, bounds_of(drawn.label("ab"))) is not None for piece in pairwise(drawn.points("cd")))
    assert covers is (crossed > 1)
    assert drawn.said("EDGE_LABEL_CRAMPED") == ({"edgeIds": ["ab"]} if covers else {})


@pytest.mark.parametrize("strangers", [998, 999])
def test_no_more_than_a_thousand_lines_are_routed_again_for_labels(routed: Run, strangers: int) -> None:
    boxes = {"a": (0, 0, 60, 40), "b": (0, 200, 60, 40), "wall": (50, 50, 300, 140)}
    boxes |= {"c": (-90, -300, 60, 40), "d": (-90, 500, 60, 40), "p": (3000, 0, 40, 30), "q": (3000, 90, 40, 30)}
    edges: dict[str, tuple[Any, ...]] = {"ab": ("a", "b", {"label_size": (160.0, 16.0)}), "cd": ("c", "d")}
    edges |= {f"pq{number}": ("p", "q", {"router": "straight"}) for number in range(strangers)}
    drawn = routed(boxes, edges)
    covers = any(clipped(*piece, bounds_of(drawn.label("ab"))) is not None for piece in pairwise(drawn.points("cd")))
    assert covers is (strangers > 998)


@pytest.mark.parametrize("gap", [121, 122, 200, 240])
def test_a_trunk_begins_where_its_straight_line_has_room_for_its_label(routed: Run, gap: int) -> None:
    uses = {"label": "uses", "label_size": (90.0, 16.0), "end_arrow": "triangle"}
    boxes = {"target": (400, 0, 100, 50), "level": (300 - gap, 0, 100, 50), "above": (0, -120, 100, 50)}
    edges = {"e": ("level", "target", uses), "f": ("above", "target", uses)}
    drawn = routed(boxes, edges, strategy=LayoutStrategy(algorithm="hierarchical"))
    turn = drawn.points("f")[2][0]
    if gap < 122:  # the trunk would be shorter than 16 px
        assert turn < 300
    elif gap < 200:  # no line moves farther than 64 px at once
        assert turn > 350
    else:
        assert drawn.label("e").center.y == 25
        assert drawn.label("e").right + 8 <= turn


@pytest.mark.parametrize("width", [60.0, 90.0])
def test_a_trunk_begins_where_lines_with_two_turns_have_room_for_their_labels(routed: Run, width: float) -> None:
    uses = {"label": "uses", "label_size": (width, 16.0), "end_arrow": "triangle"}
    boxes = {"target": (300, 0, 100, 50), "above": (0, -60, 100, 50), "below": (0, 60, 100, 50)}
    edges = {"e": ("above", "target", uses), "f": ("below", "target", uses)}
    drawn = routed(boxes, edges, strategy=LayoutStrategy(algorithm="hierarchical"))
    for edge in edges:
        assert drawn.label(edge).center.y == drawn.points(edge)[0][1]
        assert drawn.label(edge).x >= 100 + 8
        assert drawn.label(edge).right + 8 <= drawn.points(edge)[1][0]


@pytest.mark.parametrize("shape", ["hexagon", "parallelogram"])
def test_heads_end_on_the_straight_part_of_a_slanted_shape_or_in_the_middle_of_a_side(routed: Run, shape: str) -> None:
    arrow = {"end_arrow": "triangle"}
    for off in (0, 20, 60, 110):
        down = routed({"a": (off, -200, 20, 48), "b": (0, 0, 120, 60)}, {"e": ("a", "b", arrow)}, shapes={"b": shape})
        x, y = down.points("e")[-1]
        assert y in {0, 60}
        assert 18 <= x <= 102
        across = routed(
            {"a": (-300, off / 2, 60, 10), "b": (0, 0, 120, 60)}, {"e": ("a", "b", arrow)}, shapes={"b": shape}
        )
        x, y = across.points("e")[-1]
        assert y in {0, 30, 60}


def _joined(*, speaks: bool) -> tuple[list[Labelled], RoutingProblem]:
    """A straight line of 76 px between two boxes, and lines of its trunk that join it from above and from below."""
    walls = [Obstacle(Bounds(x, -40.0, x + 100.0, 40.0), NODE, NOBODY) for x in (-100.0, 76.0)]
    straight, joint = (Point(0.0, 0.0), Point(76.0, 0.0)), Point(30.0, 0.0)
    joining = [(Point(-60.0, y), Point(joint.x, y), joint, straight[1]) for y in (-90.0, 90.0)]
    lines = [
        Labelled(0, straight, 45.0, 16.0, tips=(0.0, 9.0), trunk=0, speaks=speaks),
        *(Labelled(number, line, 0.0, 0.0, tips=(0.0, 9.0), trunk=0) for number, line in enumerate(joining, 1)),
    ]
    return lines, RoutingProblem(obstacles=tuple(walls))


@pytest.mark.parametrize("speaks", [True, False])
def test_a_label_lies_on_a_line_of_its_own_trunk_rather_than_on_a_box(*, speaks: bool) -> None:
    lines, problem = _joined(speaks=speaks)
    boxes, cramped = place_labels(lines, survey(problem), effort_for(LABELLING, 3))
    assert boxes[0].x >= 0
    assert boxes[0].right <= 76
    assert (cramped.get(0) == Point(inf, inf)) is not speaks


def test_a_label_comes_back_to_its_line_when_another_label_has_left_it() -> None:
    rows = [(80.0, 54.0, 200.0, (200.0, 16.0)), (180.0, 27.0, 60.0, (140.0, 28.0)), (120.0, 63.0, 160.0, (120.0, 16.0))]
    lines = [
        Labelled(number, (Point(x, y), Point(x + length, y)), *size) for number, (x, y, length, size) in enumerate(rows)
    ]
    _, cramped = place_labels(lines, survey(RoutingProblem()), effort_for(LABELLING, len(lines)))
    assert not any(min(lack) == inf for lack in cramped.values())  # none covers anything
