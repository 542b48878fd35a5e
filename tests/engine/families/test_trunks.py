"""Courses over trunks, from the places alone. (R-ORG-2, R-FAN-6)"""

from __future__ import annotations

from tests.builders import Json, at, document_of, node

from scenograph.engine.costs import CLEARANCE
from scenograph.engine.families.trunks import RAIL, FanLine, trunk_courses
from scenograph.engine.pipeline import lay_out

PLACES = dict[str, tuple[float, float]]


def courses(places: PLACES, *pairs: tuple[str, str]) -> dict[str, tuple[tuple[float, float], ...]]:
    """The courses of lines between boxes of 96 x 48 px, by the two ends."""
    elements: list[Json] = [node(name, layout=at(*place, 96, 48)) for name, place in places.items()]
    scene = lay_out(document_of(*elements)).scene
    found = trunk_courses((FanLine("".join(pair), *pair) for pair in pairs), scene.scene, scene.placement)
    return {name: tuple(map(tuple, course)) for name, course in found.items()}


def test_heads_whose_buses_would_overlap_have_no_trunk() -> None:
    places: PLACES = {"A": (0, 0), "B": (200, 0), "a": (0, 200), "c": (400, 200), "b": (200, 200), "d": (600, 200)}
    pairs = ("A", "a"), ("A", "c"), ("B", "b"), ("B", "d")
    assert courses(places, *pairs) == {}
    assert len(courses(places | {"B": (1000, 0), "b": (1000, 200), "d": (1200, 200)}, *pairs)) == 4


def test_leaves_one_below_another_hang_on_a_rail_unless_a_leaf_stands_in_its_way() -> None:
    places: PLACES = {"A": (0, 0), "a": (150, 200), "b": (150, 300), "c": (150, 400)}
    pairs = ("A", "a"), ("A", "b"), ("A", "c")
    assert {course[-1] for course in courses(places, *pairs).values()} == {(150, 224), (150, 324), (150, 424)}
    assert {course[-2][0] for course in courses(places, *pairs).values()} == {150 - RAIL}
    hidden = courses(places | {"d": (40, 300)}, *pairs, ("A", "d"))
    assert {hidden[name][-1] for name in ("Aa", "Ab", "Ac")} == {(198, 200), (198, 300), (198, 400)}


def test_a_leaf_of_two_heads_has_no_course() -> None:
    places: PLACES = {"A": (0, 0), "B": (900, 0), "a": (0, 200), "b": (150, 200), "c": (900, 200)}
    assert set(courses(places, ("A", "a"), ("A", "b"), ("B", "b"), ("B", "c"))) == {"Aa", "Bc"}


def test_a_trunk_passes_beside_a_leaf_of_an_upper_row() -> None:
    places: PLACES = {"A": (200, 0), "a": (0, 200), "b": (210, 200), "c": (400, 200), "d": (230, 400)}
    found = courses(places, ("A", "a"), ("A", "b"), ("A", "c"), ("A", "d"))
    assert found["Ad"][2][0] == 210 - CLEARANCE
    assert found["Ad"][3][0] == 210 - CLEARANCE
    free = courses(places | {"b": (60, 500)}, ("A", "a"), ("A", "b"), ("A", "c"), ("A", "d"))
    assert {x for x, _ in free["Ad"][:2]} == {248}
