"""Channels with too little room: lines leave them where another way is worth it, and what stays is remarked."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from scenograph.engine.costs import CROSSING
from scenograph.engine.effort import NUDGING, effort_for
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.spatial_index import Bounds
from scenograph.engine.kernels.cell_grid import CellGrid
from scenograph.engine.kernels.runs import OrthogonalLine, RunEnd, runs_along, runs_of
from scenograph.engine.kernels.settling import Corridors, Track, restless, settle
from scenograph.engine.route.courses.anchors import box_anchor
from scenograph.engine.route.courses.terrain import RouteDraft, survey
from scenograph.engine.route.nudging import TELLABLE, WIDE, Nudging, crowding_price
from scenograph.engine.route.problem import Channel, Connection, Crowding, RoutingProblem

Run = Callable[..., Any]
Boxes = dict[str, tuple[float, float, float, float]]

CODE = "EDGE_CHANNEL_CROWDED"
EDGES = {f"e{i}": (f"a{i}", f"b{i}") for i in range(3)}


def behind_a_slot(left: float, right: float, width: float = 34) -> Boxes:
    """Three pairs of boxes above and below a wall with a slot of so many px; the wall reaches so far to both sides."""
    boxes: Boxes = {f"{row}{i}": (i * 140, y, 100, 40) for i in range(3) for row, y in (("a", 0), ("b", 420))}
    return boxes | {"w1": (180 - left, 200, left, 60), "w2": (180 + width, 200, right, 60)}


def test_lines_that_a_slot_cannot_hold_apart_are_named_with_their_distance(routed: Run) -> None:
    data = routed(behind_a_slot(4000, 4000), EDGES).said(CODE)
    assert data["edgeIds"] == ["e0", "e1", "e2"]
    assert 0 <= data["px"] < TELLABLE


def test_lines_leave_a_slot_where_the_way_round_costs_less_than_the_crowd(routed: Run) -> None:
    drawn = routed(behind_a_slot(260, 260), EDGES)
    assert not drawn.said(CODE)
    assert not drawn.grazed()


def _narrowest(drawn: Any) -> float:
    """The least distance of the lines, each at its place in the slot."""
    places = [
        x
        for name in EDGES
        for (x, top), (_, bottom) in pairwise(drawn.points(name))
        if min(top, bottom) < 230 < max(top, bottom)
    ]
    return min(after - before for before, after in pairwise(sorted(places)))


@pytest.mark.parametrize("width", [46, 50, 54])
def test_lines_that_can_be_told_apart_leave_a_slot_for_12_px_between_them(routed: Run, width: float) -> None:
    drawn = routed(behind_a_slot(60, 60, width), EDGES)
    assert not drawn.said(CODE)
    assert _narrowest(drawn) >= WIDE


def test_lines_that_can_be_told_apart_stay_in_a_slot_where_the_way_round_is_long(routed: Run) -> None:
    drawn = routed(behind_a_slot(4000, 4000, 52), EDGES)
    assert not drawn.said(CODE)
    assert TELLABLE <= _narrowest(drawn) < WIDE


def _crowding(gap: float, span: float = 100.0) -> Crowding:
    return Crowding(0, 1, gap, Channel(Bounds(0.0, 0.0, span, 20.0), 0))


def test_the_price_of_a_crowd_falls_from_6_px_to_nothing_at_12_px() -> None:
    prices = [crowding_price([_crowding(gap)]) for gap in (0.0, 5.9, 6.0, 9.0, 12.0)]
    assert prices == [180.0, 180.0, 180.0, 90.0, 0.0]


def test_only_a_crowd_that_looks_like_one_line_is_worth_more_than_a_crossing() -> None:
    assert crowding_price([_crowding(9.0)] * 20) == CROSSING
    assert crowding_price([_crowding(5.0)] * 20) == 20 * 180.0


def _track(number: int, position: float, least: float, most: float) -> Track:
    (run,) = runs_of(number, (Point(position, 0.0), Point(position, 100.0)), 0)
    return Track([run], (least, most), (position, number, 0), is_steady=False)


def test_an_order_that_would_lay_two_lines_on_each_other_is_given_up() -> None:
    tracks = [_track(0, 780.0, 772.0, 788.0), _track(1, 772.0, 772.0, 772.0)]
    ranked, positions = settle(tracks, {(0, 1): -2}, [])
    assert [track.runs[0].draft for track in ranked] == [1, 0]
    assert positions[1] - positions[0] >= TELLABLE


def test_lines_that_do_not_care_for_their_order_overrule_none_that_do() -> None:
    wide = [_track(0, 900.0, 800.0, 1000.0), _track(1, 880.0, 800.0, 1000.0), _track(2, 890.0, 800.0, 1000.0)]
    ranked, _ = settle(wide, {(0, 1): -3, (0, 2): 0, (1, 2): 0}, [])
    places = {track.runs[0].draft: place for place, track in enumerate(ranked)}
    assert places[0] < places[1]


def _upright(number: int, at: float) -> RouteDraft:
    """A straight line between two wide boxes, one above the other; two lines a pair of boxes."""
    upper, lower = (Box(number // 2 * 2000.0, y, 400.0, 40.0) for y in (0.0, 240.0))
    ends = box_anchor(upper, "bottom").at(at), box_anchor(lower, "top").at(at)
    connection = Connection(number, 2 * number, 2 * number + 1, upper, lower, ends[:1], ends[1:], frozenset())
    return RouteDraft(connection, (Point(at, 40.0), Point(at, 240.0)), "orthogonal", *ends)


def test_lines_that_were_moved_before_stay_where_no_line_has_come() -> None:
    places = (100.0, 102.0, 2100.0, 2102.0)
    drafts = [_upright(number, at) for number, at in enumerate(places)]
    nudging = Nudging(drafts, survey(RoutingProblem()))
    nudging.run(effort_for(NUDGING, 4))
    apart = [draft.points for draft in drafts]
    assert apart[1][0].x - apart[0][0].x >= TELLABLE
    assert apart[3][0].x - apart[2][0].x >= TELLABLE
    drafts[1].points = (Point(apart[0][0].x + 2.0, 40.0), Point(apart[0][0].x + 2.0, 240.0))
    nudging.run(effort_for(NUDGING, 4), {1})
    assert drafts[1].points[0].x - drafts[0].points[0].x >= TELLABLE
    assert [draft.points for draft in drafts[2:]] == apart[2:]


def test_a_crowd_without_a_line_that_came_since_stays_as_it_is() -> None:
    corridors = Corridors([], CellGrid(100.0), [], 16.0)
    ends = [RunEnd((element, 0, -1), 0.0, 200.0, 0.0, (0.0, 0.0, 200.0, 40.0)) for element in range(4)]
    lines = [
        OrthogonalLine(((at, 40.0), (at, 240.0)), ends[number], ends[number + 2], frozenset(), -1)
        for number, at in enumerate((100.0, 102.0))
    ]
    runs = runs_along(lines, 0)
    assert len(restless(runs, [(0, 1)], lines, corridors, 0)) == 1
    for line in lines:
        line.is_fresh = False
    assert restless(runs, [(0, 1)], lines, corridors, 0) == []


def test_a_track_that_changes_places_keeps_clear_of_the_next_one_as_well() -> None:
    places = [827.0, 811.0, 843.0, 859.0, 875.0]
    tracks = [_track(number, at, 811.0, 923.0) for number, at in enumerate(places)]
    near = {(0, 1): -1, (0, 2): -1, (2, 3): -1, (3, 4): -1}  # the first two want to change places
    ranked, positions = settle(tracks, near, [])
    assert [track.runs[0].draft for track in ranked] == [0, 1, 2, 3, 4]
    assert min(after - before for before, after in pairwise(positions)) >= 8
