"""Crowded scenes: the work is bounded by counts, so that it grows no faster than the scene."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest

from scenograph.engine import kernels
from scenograph.engine.effort import LABELLING, Effort, effort_for
from scenograph.engine.geometry.boxes import Point
from scenograph.engine.geometry.spatial_index import SpatialIndex
from scenograph.engine.kernels.label_spots import Labelled
from scenograph.engine.kernels.settling import Pair, SeparationSolver
from scenograph.engine.route import solving
from scenograph.engine.route.courses.pathfinder import Pathfinder
from scenograph.engine.route.courses.terrain import Terrain
from scenograph.engine.route.labels import place_labels

Run = Callable[..., Any]


def interpreted_settling() -> Any:
    """The kernel's source as it stands: only there can a test count what the solver reads."""
    source = Path(kernels.__file__).with_name("settling.py")
    found = importlib.util.spec_from_file_location("interpreted_settling", source)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    sys.modules[found.name] = module  # where a dataclass looks for its module
    found.loader.exec_module(module)
    return module


SETTLING = interpreted_settling()


class CountedPair(SETTLING.Pair):
    """A pair that counts how often its gap is read."""

    reads = 0

    def __getattribute__(self, name: str) -> Any:
        if name == "gap":
            CountedPair.reads += 1
        return object.__getattribute__(self, name)


def reads_to_solve(count: int) -> float:
    """Every variable wants a distance from every other, and there is room for a few of them."""
    pairs = [CountedPair(a, b, 12.0) for a, b in combinations(range(count), 2)]
    CountedPair.reads = 0
    positions = SETTLING.SeparationSolver([0.0] * count, [60.0] * count, [30.0] * count, pairs).solve()
    assert all(0.0 <= position <= 60.0 for position in positions)
    return CountedPair.reads / len(pairs)


def test_a_dense_crowd_is_solved_in_few_visits_of_every_pair() -> None:
    assert reads_to_solve(160) < 60
    assert reads_to_solve(320) <= reads_to_solve(160) * 1.2


def test_a_small_crowd_without_room_keeps_its_order_and_its_limits() -> None:
    pairs = [Pair(a, b, 12.0) for a, b in combinations(range(6), 2)]
    positions = SeparationSolver([0.0] * 6, [30.0] * 6, [15.0] * 6, pairs).solve()
    assert positions == sorted(positions)
    assert positions[0] >= 0.0
    assert positions[-1] <= 30.0
    assert min(b - a for a, b in pairwise(positions)) > 1.0


def test_without_searches_left_a_hopeless_edge_asks_the_terrain_less_often(
    routed: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []
    around = Terrain.around

    def counted(self: Terrain, region: Any, exempt: Any, level: Any) -> Any:
        asked.append(region)
        return around(self, region, exempt, level)

    def questions(effort: int) -> int:
        asked.clear()

        def searching(terrain: Terrain, _: Effort) -> Pathfinder:
            return Pathfinder(terrain, Effort(effort))

        monkeypatch.setattr(solving, "Pathfinder", searching)
        walls = {"t": (300, 0, 300, 40), "u": (300, 220, 300, 40), "l": (300, 0, 40, 260), "r": (560, 0, 40, 260)}
        points = routed({"a": (0, 100, 100, 60), "b": (400, 100, 100, 60), **walls}, {"e": ("a", "b")}).points("e")
        assert points[0] != points[-1]
        return len(asked)

    monkeypatch.setattr(Terrain, "around", counted)
    assert questions(0) <= 4 < questions(400_000)


def test_the_labels_of_a_crowd_are_all_placed_within_the_effort_for_them() -> None:
    lines = [Labelled(number, (Point(0.0, 0.0), Point(0.0, 400.0)), 60.0, 14.0) for number in range(400)]
    effort = effort_for(LABELLING, len(lines))
    allowed = effort.left
    boxes, _ = place_labels(lines, Terrain((), SpatialIndex()), effort)
    assert len(boxes) == 400
    assert all(-100.0 <= box.x <= 100.0 and -50.0 <= box.y <= 450.0 for box in boxes.values())
    assert effort.is_spent
    assert allowed - effort.left < 3 * allowed
