"""An edge brushes past a stranger only where an exhaustive search finds no clear way either.
(R-ROUTE-3)"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

Run = Callable[..., Any]
Rect = tuple[int, int, int, int]
Place = tuple[int, int]
STEP, CLEARANCE, MARGIN, GAP = 4, 16, 60, 8
SIDES = ((0, -1), (1, 0), (0, 1), (-1, 0))


def apart(a: Rect, b: Rect) -> bool:
    return (
        a[0] + a[2] + GAP <= b[0] or b[0] + b[2] + GAP <= a[0] or a[1] + a[3] + GAP <= b[1] or b[1] + b[3] + GAP <= a[1]
    )


@st.composite
def crowds(draw: st.DrawFn) -> tuple[dict[str, Rect], dict[str, tuple[str, str]]]:
    """Boxes on a fine grid, near each other, and edges between them."""
    width, height = draw(st.sampled_from(((60, 40), (75, 50), (110, 70))))
    rows = st.tuples(st.integers(0, width), st.integers(0, height), st.integers(4, 24), st.integers(4, 14))
    placed: list[Rect] = []
    for row in draw(st.lists(rows, min_size=6, max_size=30)):
        box = row[0] * STEP, row[1] * STEP, row[2] * STEP, row[3] * STEP
        if all(apart(box, other) for other in placed):
            placed.append(box)
    boxes = {f"n{number}": box for number, box in enumerate([*placed, (-200, -200, 40, 40)])}
    ends = st.lists(st.sampled_from(sorted(boxes)), min_size=2, max_size=2, unique=True).map(tuple)
    edges = draw(st.lists(ends, min_size=1, max_size=5, unique=True))
    return boxes, {f"e{number}": (pair[0], pair[1]) for number, pair in enumerate(edges)}


def doors(box: Rect) -> Iterator[Place]:
    """The places one step outside a box, opposite to all places of its sides but its corners."""
    x, y, width, height = box
    for along in range(x + STEP, x + width, STEP):
        yield along, y - STEP
        yield along, y + height + STEP
    for along in range(y + STEP, y + height, STEP):
        yield x - STEP, along
        yield x + width + STEP, along


def has_clear_way(source: Rect, target: Rect, others: Sequence[Rect]) -> bool:
    """Breadth first over every place of the grid that keeps the clearance from strangers and off both ends."""
    everything = [source, target, *others]
    low = [min(box[axis] for box in everything) - MARGIN for axis in (0, 1)]
    high = [max(box[axis] + box[axis + 2] for box in everything) + MARGIN for axis in (0, 1)]

    def is_free(x: int, y: int) -> bool:
        if not (low[0] <= x <= high[0] and low[1] <= y <= high[1]):
            return False
        if any(box[0] <= x <= box[0] + box[2] and box[1] <= y <= box[1] + box[3] for box in (source, target)):
            return False
        return not any(
            box[0] - CLEARANCE < x < box[0] + box[2] + CLEARANCE
            and box[1] - CLEARANCE < y < box[1] + box[3] + CLEARANCE
            for box in others
        )

    goals = {door for door in doors(target) if is_free(*door)}
    waiting = deque(door for door in doors(source) if is_free(*door))
    seen = set(waiting)
    while waiting:
        x, y = waiting.popleft()
        if (x, y) in goals:
            return True
        for dx, dy in SIDES:
            place = x + dx * STEP, y + dy * STEP
            if place not in seen and is_free(*place):
                seen.add(place)
                waiting.append(place)
    return False


@settings(deadline=None, max_examples=120, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(crowds())
def test_no_edge_grazes_a_node_where_a_clear_way_exists(
    routed: Run, crowd: tuple[dict[str, Rect], dict[str, tuple[str, str]]]
) -> None:
    boxes, edges = crowd
    pinned = {name: (*pair, {"router": "orthogonal"}) for name, pair in edges.items()}
    for name in routed(boxes, pinned).grazed():
        source, target = edges[name]
        others = [box for owner, box in boxes.items() if owner not in (source, target)]
        assert not has_clear_way(boxes[source], boxes[target], others), f"{name}: {edges} {boxes}"


def test_the_search_of_this_test_finds_ways_and_walls() -> None:
    ring = [(0, 0, 200, 16), (0, 184, 200, 16), (0, 0, 16, 200), (184, 0, 16, 200)]
    assert not has_clear_way((80, 80, 40, 40), (400, 80, 40, 40), ring)
    assert has_clear_way((80, 80, 40, 40), (400, 80, 40, 40), ring[:3])


def test_where_the_middle_of_every_side_is_barred_an_edge_leaves_beside_it(routed: Run) -> None:
    boxes = {"a": (0, 0, 160, 40), "b": (400, 300, 100, 40), "over": (60, -50, 40, 40), "under": (60, 50, 40, 40)}
    boxes |= {"left": (-60, -60, 40, 160), "right": (180, -60, 40, 160)}
    drawn = routed(boxes, {"e": ("a", "b")})
    assert drawn.grazed() == []
    x, y = drawn.points("e")[0]
    assert y in (0, 40)
    assert abs(x - 80) >= 36
