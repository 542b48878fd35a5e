"""A side with more lines than it has room for sends some to a free side. (R-ROUTE-22)"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

Run = Callable[..., Any]

HUB = {"hub": (400, 300, 96, 48)}


def _clients(*tops: int) -> dict[str, tuple[int, int, int, int]]:
    return {f"c{top}": (200, top, 96, 48) for top in tops}


def _sides(drawn: Any, box: tuple[int, int, int, int]) -> Counter[str]:
    """How many lines end at each side of a box that all enter."""
    found: Counter[str] = Counter()
    for route in drawn.routes.values():
        end = route.points[-1]
        found["left" if end.x == box[0] else "top" if end.y == box[1] else "bottom"] += 1
    return found


def _entered(routed: Run, *tops: int) -> Counter[str]:
    clients = _clients(*tops)
    labels = {name: {"label": name} for name in clients}
    return _sides(routed(HUB | clients, {name: (name, "hub", labels[name]) for name in clients}), HUB["hub"])


def test_of_five_lines_on_a_small_side_the_outer_ones_take_the_free_sides_beside_it(routed: Run) -> None:
    assert _entered(routed, 100, 200, 300, 400, 500) == {"left": 3, "top": 1, "bottom": 1}


def test_three_lines_stay_on_the_side_that_faces_them(routed: Run) -> None:
    assert _entered(routed, 200, 300, 400) == {"left": 3}


def test_a_tall_side_keeps_them_all(routed: Run) -> None:
    clients = _clients(100, 200, 300, 400, 500)
    tall = (400, 260, 96, 128)
    drawn = routed({"hub": tall} | clients, {name: (name, "hub", {"label": name}) for name in clients})
    assert _sides(drawn, tall) == {"left": 5}
