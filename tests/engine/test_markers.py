"""Markers fit their line at any angle and width."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.geometry.paths import flatten
from scenograph.engine.markers import MARKERS, REFERENCE_STROKE, Marker, marker_named
from scenograph.scene.vocabulary import ARROWS

markers = pytest.mark.parametrize("marker", MARKERS.values(), ids=MARKERS.keys())
TIP = Point(100, 50)
EAST = Point(1.0, 0.0)
ROUND = ("circle", "openCircle", "zeroOrOne", "zeroOrMany")  # flattened alike at every angle, so not turned


def points_of(marker: Marker, direction: Point, width: float) -> list[Point]:
    return [p for path in marker.paint(TIP, direction, width) for chain in flatten(path.path) for p in chain]


def test_every_arrow_of_the_document_has_a_marker() -> None:
    assert set(ARROWS) <= set(MARKERS)
    assert all(name == marker.name for name, marker in MARKERS.items())
    assert marker_named("boomerang") is marker_named(None) is MARKERS["none"]


@markers
@given(width=st.floats(0, 20))
@settings(deadline=None, max_examples=20)
def test_a_marker_stays_between_its_tip_and_its_length(marker: Marker, width: float) -> None:
    for point in points_of(marker, EAST, width):
        assert TIP.x - marker.length_at(width) - 0.01 <= point.x <= TIP.x + 0.01


@pytest.mark.parametrize("marker", [MARKERS[name] for name in MARKERS if name not in ROUND], ids=lambda row: row.name)
@given(angle=st.floats(0, 2 * math.pi), width=st.floats(0.5, 6))
@settings(deadline=None, max_examples=20)
def test_a_turned_marker_is_the_same_marker_turned(marker: Marker, angle: float, width: float) -> None:
    east = points_of(marker, EAST, width)
    turned = points_of(marker, Point(math.cos(angle), math.sin(angle)), width)
    for a, b in zip(east, turned, strict=True):
        x, y = a.x - TIP.x, a.y - TIP.y
        assert b.x - TIP.x == pytest.approx(x * math.cos(angle) - y * math.sin(angle), abs=1e-6)
        assert b.y - TIP.y == pytest.approx(x * math.sin(angle) + y * math.cos(angle), abs=1e-6)


@markers
def test_the_shortened_line_and_the_marker_touch(marker: Marker) -> None:
    end = TIP.x - marker.inset_at(REFERENCE_STROKE)
    points = points_of(marker, EAST, REFERENCE_STROKE) or [TIP]
    assert min(p.x for p in points) - 0.01 <= end <= TIP.x


def test_an_arrowhead_points_where_the_edge_goes() -> None:
    (head,) = MARKERS["triangle"].paint(TIP, EAST, 1.5)
    (chain,) = flatten(head.path)
    assert head.filled
    assert chain[0] == TIP
    assert max(p.x for p in chain[1:-1]) == pytest.approx(90)


def test_a_bolder_line_gets_a_larger_head() -> None:
    triangle = MARKERS["triangle"]
    assert triangle.length_at(1) < triangle.length_at(1.5) == 10 < triangle.length_at(3) < 20


def test_without_a_direction_nothing_is_painted() -> None:
    assert MARKERS["triangle"].paint(TIP, Point(0, 0), 1.5) == ()


def test_crows_feet_have_the_parts_of_the_notation() -> None:
    parts = {name: len(MARKERS[name].paint(TIP, EAST, 1.5)) for name in ("one", "many", "oneOrMany")}
    assert parts == {"one": 2, "many": 2, "oneOrMany": 3}
    for name in ("zeroOrOne", "zeroOrMany"):
        shaft, _, ring = MARKERS[name].paint(TIP, EAST, 1.5)
        (line,), (circle,) = flatten(shaft.path), flatten(ring.path)
        assert min(p.x for p in line) == pytest.approx(max(p.x for p in circle), abs=1e-6)
        assert min(p.x for p in circle) == pytest.approx(TIP.x - MARKERS[name].inset, abs=1e-6)
