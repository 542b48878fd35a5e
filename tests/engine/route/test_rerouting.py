"""Lines that cross many others look for another way, and know what following them would cost.
(R-ROUTE-11)"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, pairwise
from typing import Any

import pytest

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.pipeline import lay_out
from scenograph.engine.route.courses import rerouting
from scenograph.engine.tables import DrawnRoute
from scenograph.scene.model import LayoutStrategy

Run = Callable[..., Any]
FLOWING = LayoutStrategy(algorithm="hierarchical")

BOXES = {
    "top": (200, 0, 100, 60),
    "hub": (200, 140, 100, 60),
    "west": (0, 140, 100, 60),
    "east": (600, 140, 100, 60),
    "low": (0, 280, 100, 60),
}
EDGES = {
    "a": ("top", "hub"),
    "b": ("west", "east"),
    "c": ("west", "east"),
    "d": ("hub", "west"),
    "e": ("east", "top"),
    "f": ("hub", "top"),
    "g": ("low", "top"),
}


def _crossings(routes: dict[str, DrawnRoute]) -> int:
    stretches = [[*pairwise(route.points)] for route in routes.values()]
    return sum(_cross(*a, *b) for one, other in combinations(stretches, 2) for a in one for b in other)


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    if (a.x == b.x) == (c.x == d.x):
        return False
    upright, level = ((a, b), (c, d)) if a.x == b.x else ((c, d), (a, b))
    xs, ys = sorted(point.x for point in level), sorted(point.y for point in upright)
    return xs[0] < upright[0].x < xs[1] and ys[0] < level[0].y < ys[1]


def test_lines_round_a_hub_cross_nothing_where_there_is_room(routed: Run) -> None:
    assert _crossings(dict(routed(BOXES, EDGES).routes)) == 0


def test_no_step_is_taken_where_its_legs_would_lie_on_the_borders_of_the_ends(routed: Run) -> None:
    boxes = {"low": (0, 100, 120, 60), "high": (122, 0, 110, 40)}
    points = routed(boxes, {"line": ("low", "high")})["line"].points
    assert all(abs(a.x - b.x) + abs(a.y - b.y) >= 12.0 for a, b in pairwise(points))


def test_a_line_leaves_a_trunk_that_would_take_it_across_others(routed: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    places = {"hub": (400, 400), "mid": (400, 200), "l1": (-140, 0), "l2": (160, 0), "r1": (660, 0), "r2": (820, 0)}
    places |= {"s1": (60, 200), "s2": (220, 200), "q1": (60, 600), "q2": (220, 600)}
    boxes = {name: (*place, 120 if name in {"hub", "mid"} else 100, 60) for name, place in places.items()}
    said = {"l1": "watch", "l2": "status", "r1": "status", "r2": "watch", "mid": "runs"}
    edges: dict[str, Any] = {"s": ("s1", "q1"), "t": ("s2", "q2")}
    edges |= {name: (name, "hub", {"label": text, "label_size": (40.0, 14.0)}) for name, text in said.items()}
    drawn = routed(boxes, edges, strategy=FLOWING)
    assert _crossings(dict(drawn.routes)) <= 1
    assert drawn.points("l1")[-1] != drawn.points("r2")[-1]
    monkeypatch.setattr(rerouting, "OFF_TRUNK", 1e9)
    bound = routed(boxes, edges, strategy=FLOWING)
    assert _crossings(dict(bound.routes)) > 1
    assert bound.points("l1")[-1] == bound.points("r2")[-1]


def test_a_line_goes_far_afield_where_it_would_cross_much(routed: Run) -> None:
    boxes = {f"top {n}": (150 * n, 0, 100, 40) for n in range(6)} | {
        f"low {n}": (150 * n, 600, 100, 40) for n in range(6)
    }
    boxes |= {"west": (-200, 300, 100, 40), "east": (1000, 240, 100, 40)}
    edges = {f"line {n}": (f"top {n}", f"low {n}") for n in range(6)}
    assert _crossings(dict(routed(boxes, edges | {"long": ("west", "east")}).routes)) == 0


def test_a_saving_below_a_pixel_turns_no_lines_over() -> None:
    """Two frames of a chain each, and lines to and fro: ways of nearly equal length lie side by side."""
    ties = ["AB", "BC", "CD", "BD", "DE", "EA", "EF", "FD", "FG", "BG", "GD"]
    frames = (
        ("foo", "CD", {"title": "Foo SubGraph", "style": {"strokeWidth": 2}}),
        ("bar", "EF", {"title": "Bar SubGraph", "style": {"strokeWidth": 10}}),
    )
    document = {
        "schemaVersion": "0.1",
        "diagramFamily": "workflow",
        "scene": {"id": "s", "units": "px", "canvas": {}},
        "layoutStrategy": {"algorithm": "hierarchical", "direction": "TB"},
        "defaults": {"edge": {"endpoints": {"endArrow": "triangle"}}},
        "elements": [
            *({"id": name, "kind": "node", "label": name} for name in "ABCDEFG"),
            *({"id": name, "kind": "frame", "children": [*children]} | style for name, children, style in frames),
            *({"id": tie, "kind": "edge", "from": {"elementId": tie[0]}, "to": {"elementId": tie[1]}} for tie in ties),
        ],
    }
    assert _crossings(dict(lay_out(document).scene.routes)) == 0
