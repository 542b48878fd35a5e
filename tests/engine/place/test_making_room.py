"""Boxes that have grown push the others no farther than they must."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from scenograph.engine.geometry.boxes import Box, Outset, Point
from scenograph.engine.place.incremental.making_room import LIGHT, Body, Gaps, moves

GAPS = Gaps(48.0, 72.0)
lengths = st.integers(20, 200).map(float)
growth = st.sampled_from([0.0, 0.0, 0.0, 30.0, 150.0])


@st.composite
def rows(draw: st.DrawFn) -> tuple[list[Box], list[Box]]:
    """Rows of boxes, and the same after some have grown."""
    before: list[Box] = []
    y = 0.0
    for _ in range(draw(st.integers(1, 4))):
        x = draw(st.integers(0, 100)) * 1.0
        for _ in range(draw(st.integers(1, 4))):
            before.append(Box(x, y, draw(lengths), draw(lengths)))
            x = before[-1].right + draw(st.integers(48, 120))
        y = max(box.bottom for box in before) + draw(st.integers(40, 90))
    return before, [box.with_outset(Outset(*(draw(growth) for _ in range(4)))) for box in before]


def shifts(before: list[Box], grown: list[Box]) -> list[Point]:
    found = moves([Body(old, new) for old, new in zip(before, grown, strict=True)], GAPS)
    return [step for step in found if step is not None]


@given(rows())
def test_nothing_overlaps_afterwards(case: tuple[list[Box], list[Box]]) -> None:
    before, grown = case
    after = [box.moved(*by) for box, by in zip(grown, shifts(before, grown), strict=True)]
    assert not [pair for pair in combinations(after, 2) if pair[0].grown(-0.02).overlaps(pair[1])]


@given(rows())
def test_who_stood_before_another_in_a_row_still_does(case: tuple[list[Box], list[Box]]) -> None:
    before, grown = case
    after = [box.moved(*by) for box, by in zip(grown, shifts(before, grown), strict=True)]
    pairs = [pair for pair in combinations(range(len(before)), 2) if before[pair[0]].y == before[pair[1]].y]
    assert all(after[low].x < after[high].x for low, high in pairs)


@given(rows())
def test_where_nothing_has_grown_nothing_moves(case: tuple[list[Box], list[Box]]) -> None:
    before, _ = case
    assert set(shifts(before, before)) == {(0.0, 0.0)}


def test_a_heavy_one_stays_and_pushes_only_what_stands_in_the_way() -> None:
    before = [Box(0, 0, 100, 50), Box(148, 0, 100, 50), Box(500, 0, 100, 50), Box(148, 200, 100, 50)]
    grown = [Body(before[0], Box(0, 0, 200, 50), 1e6), *(Body(box, box) for box in before[1:])]
    assert moves(grown, GAPS) == [(0, 0), (100, 0), (0, 0), (0, 0)]


def test_a_smaller_gap_that_stood_there_is_enough() -> None:
    before = [Box(0, 0, 100, 50), Box(110, 0, 100, 50)]
    grown = [Body(before[0], Box(0, 0, 130, 50), 1e6), Body(before[1], before[1])]
    assert moves(grown, GAPS) == [(0, 0), (30, 0)]


def test_what_stood_apart_on_both_axes_gives_way_along_the_flow() -> None:
    before = [Box(0, 0, 100, 50), Box(150, 100, 100, 50)]
    grown = [Body(before[0], Box(0, 0, 180, 90), 1e6), Body(before[1], before[1])]
    assert moves(grown, Gaps(48.0, 48.0, flow=1)) == [(0, 0), (0, 38)]
    assert moves(grown, Gaps(48.0, 48.0, flow=0)) == [(0, 0), (78, 0)]


def test_what_a_person_sets_somewhere_makes_others_give_way_to_eight_px_only() -> None:
    stood = Box(200, 0, 100, 50)
    for x, step in ((80, 0), (92, 0), (93, 1), (120, 28)):
        bodies = [Body(None, Box(x, 0, 100, 50), fixed=True, is_set=True), Body(stood, stood)]
        assert moves(bodies, GAPS) == [(0, 0), (step, 0)]


def test_a_container_stays_beneath_what_a_person_puts_over_it() -> None:
    stood = Box(200, 0, 100, 50)
    given = Body(None, Box(150, 10, 100, 20), fixed=True, is_set=True, is_given=True)
    assert moves([given, Body(stood, stood, is_container=True)], GAPS) == [(0, 0), (0, 0)]
    assert moves([given, Body(stood, stood)], GAPS) != [(0, 0), (0, 0)]


def test_what_is_fixed_stays_and_the_others_go_round_it() -> None:
    first, second = Box(0, 0, 100, 50), Box(200, 0, 100, 50)
    bodies = [Body(None, Box(150, 0, 100, 50), fixed=True), Body(first, first), Body(second, second)]
    found = [step for step in moves(bodies, GAPS) if step is not None]
    assert found[0] == (0, 0)
    after = [body.now.moved(*by) for body, by in zip(bodies, found, strict=True)]
    assert not [pair for pair in combinations(after, 2) if pair[0].overlaps(pair[1])]


def test_what_fixed_ones_leave_no_room_has_no_answer_and_the_others_have() -> None:
    upright, level, other = Box(0, 0, 50, 1000), Box(0, 0, 1000, 50), Box(5000, 0, 50, 50)
    walls = [upright, upright.moved(950, 0), level, level.moved(0, 950)]
    bodies = [Body(None, wall, fixed=True) for wall in walls]
    bodies += [Body(Box(400, 400, 200, 200), Box(20, 20, 960, 960)), Body(other, other)]
    assert moves(bodies, GAPS) == [(0, 0)] * 4 + [None, (0, 0)]


def test_who_has_no_room_between_fixed_bodies_passes_them_on_the_other_axis() -> None:
    above, below = Box(0.0, 0.0, 100.0, 50.0), Box(0.0, 400.0, 100.0, 50.0)
    own, grown = Box(0.0, 150.0, 100.0, 100.0), Box(0.0, 200.0, 100.0, 250.0)
    bodies = [Body(above, above, fixed=True), Body(own, own), Body(below, grown, fixed=True)]
    above_stays, step, below_stays = moves(bodies, GAPS)
    assert (above_stays, below_stays) == (Point(0.0, 0.0), Point(0.0, 0.0))
    assert step is not None
    assert step.y == 0
    assert abs(step.x) == own.width + GAPS.across


def test_a_new_container_stays_clear_of_a_label_that_stood_in_the_hull_of_its_content() -> None:
    """The hull of two steps may cover the label of a third; no step stood under it, and neither may the title."""
    icon, label = Box(234, 566, 44, 48), Box(210, 566, 92, 127)
    hull, frame = Box(208, 690, 276, 99), Box(184, 647, 324, 166)
    bodies = [Body(label, label, pieces=(icon,)), Body(hull, frame, LIGHT, pieces=(frame,))]
    steps = moves(bodies, Gaps(48.0, 48.0))
    first, second = (body.now.moved(*step) for body, step in zip(bodies, steps, strict=True) if step is not None)
    assert first == label
    assert second.y == label.bottom + 48
