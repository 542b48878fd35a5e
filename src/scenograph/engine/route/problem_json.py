"""Routing problems as JSON: for storage, measurement and use with another router.

In and out: plain lists, numbers and dictionaries, and back the same problem. Points are [x, y], boxes [x, y, width,
height], bounds [left, top, right, bottom], all px.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf, isfinite
from typing import Any

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import Chain
from scenograph.engine.geometry.spatial_index import Bounds
from scenograph.engine.route.courses.anchors import Anchor
from scenograph.engine.route.problem import Connection, Course, Fan, Obstacle, RoutingProblem

ProblemJson = Mapping[str, Any]


def problem_to_json(problem: RoutingProblem) -> dict[str, Any]:
    """The problem as plain values."""
    return {
        "boxes": [list(box) for box in problem.boxes],
        "outlines": [_chain_to_json(chain) for chain in problem.outlines],
        "pointed": sorted(problem.pointed),
        "obstacles": [[*one.bounds, one.kind, one.owner] for one in problem.obstacles],
        "borders": [list(bounds) for bounds in problem.borders],
        "lines": [_line_to_json(line) for line in problem.lines],
        "prescribed": _corners_to_json(problem.prescribed),
        "former": {str(number): _course_to_json(course) for number, course in problem.former.items()},
    }


def problem_from_json(data: ProblemJson) -> RoutingProblem:
    """The problem read back from plain values."""
    return RoutingProblem(
        boxes=tuple(Box(*box) for box in data["boxes"]),
        outlines=tuple(_chain_from_json(chain) for chain in data["outlines"]),
        pointed=frozenset(data["pointed"]),
        obstacles=tuple(Obstacle(Bounds(*row[:4]), row[4], row[5]) for row in data["obstacles"]),
        borders=tuple(Bounds(*bounds) for bounds in data["borders"]),
        lines=tuple(_line_from_json(line) for line in data["lines"]),
        prescribed=_corners_from_json(data["prescribed"]),
        former={int(number): _course_from_json(row) for number, row in data["former"].items()},
    )


def _chain_to_json(chain: Chain | None) -> dict[str, Any] | None:
    if chain is None:
        return None
    rounding = chain.rounding if isfinite(chain.rounding) else None
    return {"xs": list(chain.xs), "ys": list(chain.ys), "rounding": rounding}


def _chain_from_json(data: ProblemJson | None) -> Chain | None:
    if data is None:
        return None
    return Chain(tuple(data["xs"]), tuple(data["ys"]), inf if data["rounding"] is None else data["rounding"])


def _line_to_json(line: Connection) -> dict[str, Any]:
    plain = line._asdict()
    return plain | {
        "source_box": list(line.source_box),
        "target_box": list(line.target_box),
        "starts": [list(anchor) for anchor in line.starts],
        "finishes": [list(anchor) for anchor in line.finishes],
        "exempt": sorted(line.exempt),
        "waypoints": [list(point) for point in line.waypoints],
        "fan": list(line.fan) if line.fan is not None else None,
        "label_group": list(line.label_group) if line.label_group is not None else None,
        "muted": list(line.muted),
        "rows": list(line.rows),
        "label": list(line.label),
        "tips": list(line.tips),
        "end_texts": [list(extent) for extent in line.end_texts],
        "own_labels": [list(box) if box is not None else None for box in line.own_labels],
        "around": list(line.around) if line.around is not None else None,
    }


def _line_from_json(data: ProblemJson) -> Connection:
    first, last = (Box(*box) if box is not None else None for box in data["own_labels"])
    read: dict[str, Any] = {
        "source_box": Box(*data["source_box"]),
        "target_box": Box(*data["target_box"]),
        "starts": tuple(Anchor(*anchor) for anchor in data["starts"]),
        "finishes": tuple(Anchor(*anchor) for anchor in data["finishes"]),
        "exempt": frozenset(data["exempt"]),
        "waypoints": tuple(Point(*point) for point in data["waypoints"]),
        "fan": Fan(*data["fan"]) if data["fan"] is not None else None,
        "label_group": tuple(data["label_group"]) if data["label_group"] is not None else None,
        "muted": tuple(data["muted"]),
        "rows": tuple(data["rows"]),
        "label": tuple(data["label"]),
        "tips": tuple(data["tips"]),
        "end_texts": (tuple(data["end_texts"][0]), tuple(data["end_texts"][1])),
        "own_labels": (first, last),
        "around": Box(*data["around"]) if data["around"] is not None else None,
    }
    return Connection(**{**data, **read})


def _course_to_json(course: Course) -> dict[str, Any]:
    label = None if course.label is None else list(course.label)
    return {"points": [list(point) for point in course.points], "router": course.router, "label": label}


def _course_from_json(data: ProblemJson) -> Course:
    label = None if data["label"] is None else Box(*data["label"])
    return Course(tuple(Point(*point) for point in data["points"]), data["router"], label)


def _corners_to_json(corners: Mapping[int, Sequence[Point]]) -> dict[str, list[list[float]]]:
    return {str(number): [list(point) for point in points] for number, points in corners.items()}


def _corners_from_json(data: Mapping[str, Sequence[Sequence[float]]]) -> dict[int, tuple[Point, ...]]:
    return {int(number): tuple(Point(*point) for point in points) for number, points in data.items()}
