"""What lies behind labels."""

from __future__ import annotations

import pytest

from scenograph.engine.draw.painting import Backdrop, PaintedArea
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.tables import DrawnRoute
from scenograph.scene.model import Color

WHITE, BLUE, VEIL, CLEAR = Color(255, 255, 255), Color(0, 0, 255), Color(255, 0, 0, 0.5), Color(0, 0, 0, 0)
FRAME = Box(0, 0, 100, 100)


def ground(*areas: PaintedArea, page: Color = WHITE, **routes: DrawnRoute) -> Backdrop:
    return Backdrop(page, areas, routes)


def is_crossed(backdrop: Backdrop, place: Box, by_others_than: str) -> bool:
    """Whether a label of that element stands on a plate."""
    (behind,) = backdrop.behind([(by_others_than, place)])
    return bool(behind.plate)


def straight(*points: tuple[float, float]) -> DrawnRoute:
    return DrawnRoute(points=tuple(Point(*point) for point in points), router="straight")


def test_the_bare_page_is_one_patch() -> None:
    place = Box(10, 10, 20, 10)
    assert ground().within(place) == ((place, WHITE),)


def test_containers_round_a_place_make_one_colour() -> None:
    place = Box(10, 10, 20, 10)
    both = ground(PaintedArea("f", FRAME, BLUE, bordered=True), PaintedArea("g", FRAME, VEIL, bordered=True))
    assert both.within(place) == ((place, Color(127.5, 0, 127.5)),)


def test_a_place_over_a_border_is_patched_up_to_it() -> None:
    place = Box(90, 10, 20, 10)
    patches = ground(PaintedArea("f", FRAME, BLUE, bordered=True)).within(place)
    assert patches == ((place, WHITE), (Box(90, 10, 10, 10), BLUE))


def test_a_translucent_container_on_no_page_stays_translucent() -> None:
    place = Box(10, 10, 20, 10)
    assert ground(PaintedArea("f", FRAME, VEIL, bordered=True), page=CLEAR).within(place) == (
        (place, CLEAR),
        (place, VEIL),
    )


def test_containers_without_a_fill_leave_no_patch() -> None:
    place = Box(10, 10, 20, 10)
    assert ground(PaintedArea("f", FRAME, CLEAR, bordered=True)).within(place) == ((place, WHITE),)


@pytest.mark.parametrize(
    ("place", "crossed"), [(Box(40, -5, 20, 10), True), (Box(40, 40, 20, 10), False), (Box(90, 40, 20, 10), True)]
)
def test_borders_count_as_lines(place: Box, crossed: bool) -> None:
    area = PaintedArea("f", FRAME, BLUE, bordered=True)
    assert is_crossed(ground(area), place, by_others_than="e") is crossed
    assert not is_crossed(ground(area._replace(bordered=False)), place, by_others_than="e")


def test_the_line_under_a_header_counts_too() -> None:
    area = PaintedArea("p", Box(0, 0, 300, 100), CLEAR, bordered=True, header=Box(0, 0, 24, 100))
    assert is_crossed(ground(area), Box(15, 40, 20, 10), by_others_than="e")


def test_the_own_line_does_not_count() -> None:
    place = Box(40, 15, 20, 10)
    lines = ground(e=straight((0, 20), (100, 20)))
    assert not is_crossed(lines, place, by_others_than="e")
    assert is_crossed(lines, place, by_others_than="other")


def test_another_line_is_found_below_many_pieces_of_the_own_one() -> None:
    place, pieces = Box(0, -5, 100, 10), [(float(x), 0.0) for x in range(101)]
    own = straight(*pieces)
    assert not is_crossed(ground(e=own), place, by_others_than="e")
    assert is_crossed(ground(e=own, other=straight((50, -50), (50, 50))), place, by_others_than="e")
