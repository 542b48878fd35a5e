"""The routing problem: numbered boxes, ports and lines; no word of a scene, a family or a style.

Posed in `routing`, solved in `solving`; `problem_to_json` and `problem_from_json` write and read a problem, to keep,
measure and hand over to another router. All lengths are px, y grows downwards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf, isfinite
from typing import Any, NamedTuple

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.directions import SIDES
from scenograph.engine.geometry.paths import Chain
from scenograph.engine.geometry.spatial_index import Bounds
from scenograph.engine.kernels.label_spots import Extents
from scenograph.engine.route.courses.anchors import Anchor
from scenograph.late_dataclasses import dataclass, field

NODE, PLAQUE, FRAME, WRITING = range(4)  # PLAQUE: text and image elements; WRITING: titles and outside labels
NOBODY = -1  # no row, no owner
NO_LABEL = 0.0, 0.0  # px
NO_END_TEXTS: Extents = (0.0, 0.0), (0.0, 0.0)  # px; a line without texts at its ends


class Obstacle(NamedTuple):
    """An obstacle to routes. `owner` is the element whose own edges may touch the obstacle; writings have none."""

    bounds: Bounds
    kind: int
    owner: int


class Fan(NamedTuple):
    """A fan: edges that may overlap, at a common source, or with `gathers` at a common target. `whole`: where a course
    that is prescribed for one of them is not clear, each has a line of its own."""

    number: int
    gathers: bool = False
    whole: bool = False


class Connection(NamedTuple):
    """An edge of the routing problem, between two numbered elements.

    `router` is the authored router; `starts` and `finishes` are the anchors, best first. `exempt` numbers the elements
    that the route may touch: both ends, their ancestors, and elements that cover an end. `parallel` is the place among
    the `parallels` edges between the same two elements. Edges of one `fan` may share a trunk. `label_group`: the number
    of the edges that show a common label once per trunk, and the place among them; an edge without its own label drawn
    has the label size as `muted`. `rows`: the rows at both ends, `NOBODY` for none. `around`: the innermost container
    with a border around both ends, not left while a path inside exists. `label`: width and height; `tips`: marker
    lengths at both ends; `end_texts`: width and height of the texts at both ends; `own_labels`: the outside labels of
    the elements at both ends. All px. `is_outcome`: one of several edges out of a decision, whose label belongs near
    the decision.
    """

    number: int
    source: int
    target: int
    source_box: Box
    target_box: Box
    starts: tuple[Anchor, ...]
    finishes: tuple[Anchor, ...]
    exempt: frozenset[int]
    router: str | None = None
    waypoints: tuple[Point, ...] = ()
    parallel: int = 0
    parallels: int = 1
    fan: Fan | None = None
    label_group: tuple[int, int] | None = None
    muted: tuple[float, float] = NO_LABEL
    rows: tuple[int, int] = (NOBODY, NOBODY)
    label: tuple[float, float] = NO_LABEL
    tips: tuple[float, float] = (0.0, 0.0)
    end_texts: Extents = NO_END_TEXTS
    own_labels: tuple[Box | None, Box | None] = (None, None)
    around: Box | None = None
    is_outcome: bool = False

    def leaves_open(self) -> bool:
        """Whether the author left all sides of both ends open."""
        return len(self.starts) == len(SIDES) == len(self.finishes)

    @property
    def ends(self) -> tuple[int, int]:
        """The elements at both ends."""
        return self.source, self.target

    @property
    def is_loop(self) -> bool:
        """Whether both ends are one element."""
        return self.source == self.target


class Course(NamedTuple):
    """A solved route: its corners (start, control point and end for a `curved` route), the router really used, the
    label box, and whether the route comes too near a stranger. `place`: the side and point at which the route enters
    its trunk. `lack`: the lengths along x and y that the label lacks on the line, px,
    infinite for a label that says something false."""

    points: tuple[Point, ...]
    router: str
    label: Box | None = None
    grazes: bool = False
    place: tuple[str, float, float] | None = None
    lack: Point | None = None


@dataclass(frozen=True, slots=True)
class RoutingProblem:
    """The input of the solver. `outlines`: one per element, None for a plain box; `pointed`: the elements with one
    vertex per side. `borders`: the boxes with a visible border. `prescribed`: the corners dictated by the notation;
    `former`: the courses that still hold from an earlier drawing, kept unless a prescribed course is clear; both by
    edge number."""

    boxes: tuple[Box, ...] = ()
    outlines: tuple[Chain | None, ...] = ()
    pointed: frozenset[int] = frozenset()
    obstacles: tuple[Obstacle, ...] = ()
    borders: tuple[Bounds, ...] = ()
    lines: tuple[Connection, ...] = ()
    prescribed: Mapping[int, tuple[Point, ...]] = field(default_factory=dict[int, "tuple[Point, ...]"])
    former: Mapping[int, Course] = field(default_factory=dict[int, "Course"])


class Channel(NamedTuple):
    """A channel with parallel segments: level where `axis` is 0, upright where `axis` is 1."""

    bounds: Bounds
    axis: int


class Crowding(NamedTuple):
    """Two edges of different fans with parallel segments `gap` px apart, and their channel."""

    one: int
    other: int
    gap: float
    channel: Channel


@dataclass(frozen=True, slots=True)
class Solution:
    """The course of every edge in order, the channels still too narrow, by stage the edges that its effort did not
    cover, and the edges that keep their former course."""

    courses: tuple[Course, ...]
    crowdings: tuple[Crowding, ...] = ()
    limited: Mapping[str, tuple[int, ...]] = field(default_factory=dict[str, "tuple[int, ...]"])
    kept: frozenset[int] = frozenset()


# Routing problems as JSON: for storage, measurement and use with another router.
#
# In and out: plain lists, numbers and dictionaries, and back the same problem. Points are [x, y], boxes [x, y, width,
# height], bounds [left, top, right, bottom], all px.

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
