"""Every row of SHAPES keeps the promises of `Shape`."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import flatten
from scenograph.engine.shapes import SHAPES, Shape, shape_named
from scenograph.scene.vocabulary import SHAPES as SHAPE_NAMES

shapes = pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
sizes = st.floats(4, 600)


def chain_of(shape: Shape, box: Box, radius: float = 8) -> tuple[Point, ...]:
    (chain,) = flatten(shape.outline(box, radius))
    return chain


def is_inside(chain: tuple[Point, ...], point: Point, slack: float = 0.05) -> bool:
    """Whether a point lies within a closed chain (or within `slack` px of it)."""
    crossings = 0
    for a, b in pairwise(chain):
        ex, ey = b.x - a.x, b.y - a.y
        length = ex * ex + ey * ey
        share = min(max(((point.x - a.x) * ex + (point.y - a.y) * ey) / length, 0), 1) if length else 0
        if (a.x + share * ex - point.x) ** 2 + (a.y + share * ey - point.y) ** 2 <= slack * slack:
            return True
        if (a.y > point.y) != (b.y > point.y) and point.x < a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x):
            crossings += 1
    return crossings % 2 == 1


def corners(box: Box) -> tuple[Point, ...]:
    return tuple(Point(x, y) for x in (box.x, box.right) for y in (box.y, box.bottom))


def test_the_table_has_the_shapes_of_the_document_in_its_order() -> None:
    assert tuple(SHAPES) == SHAPE_NAMES
    assert all(name == shape.name for name, shape in SHAPES.items())


def test_an_unknown_shape_is_a_rectangle() -> None:
    assert shape_named("blob") is shape_named(None) is SHAPES["rect"]


@shapes
@given(width=sizes, height=sizes)
@settings(deadline=None, max_examples=25)
def test_an_outline_is_closed_clockwise_and_fills_its_box(shape: Shape, width: float, height: float) -> None:
    chain = chain_of(shape, Box(10, 20, width, height))
    assert chain[0] == pytest.approx(chain[-1])
    assert sum(a.x * b.y - b.x * a.y for a, b in pairwise(chain)) > 0
    slack = 0.002 * max(width, height) + 0.05
    assert min(p.x for p in chain) == pytest.approx(10, abs=slack)
    assert max(p.x for p in chain) == pytest.approx(10 + width, abs=slack)
    assert min(p.y for p in chain) == pytest.approx(20, abs=slack)
    assert max(p.y for p in chain) == pytest.approx(20 + height, abs=slack)


@shapes
@given(width=sizes, height=sizes)
@settings(deadline=None, max_examples=25)
def test_the_text_area_lies_within_the_outline(shape: Shape, width: float, height: float) -> None:
    box = Box(0, 0, width, height)
    chain = chain_of(shape, box, radius=0)
    assert all(
        is_inside(chain, corner, slack=0.05 + 0.003 * max(width, height)) for corner in corners(shape.text_area(box))
    )


@shapes
@given(width=sizes, height=sizes)
@settings(deadline=None, max_examples=25)
def test_fit_is_the_inverse_of_the_text_area(shape: Shape, width: float, height: float) -> None:
    outer_width, outer_height = shape.fit(width, height)
    area = shape.text_area(Box(0, 0, outer_width, outer_height))
    assert area.width >= width - 0.01
    assert area.height >= height - 0.01


@shapes
@pytest.mark.parametrize("size", [(0, 0), (0, 40), (40, 0), (1e5, 1e5), (1e-6, 1e-6)])
def test_extreme_sizes_are_drawn_without_complaint(shape: Shape, size: tuple[float, float]) -> None:
    box = Box(0, 0, *size)
    assert shape.outline(box, 8)
    shape.details(box)
    area = shape.text_area(box)
    assert area.width >= 0
    assert area.height >= 0


def test_a_cloud_round_a_tall_content_still_lies() -> None:
    width, height = SHAPES["cloud"].fit(60, 80)
    assert width >= 1.25 * height
    area = SHAPES["cloud"].text_area(Box(0, 0, width, height))
    assert (area.width >= 60, area.height >= 79.99) == (True, True)
