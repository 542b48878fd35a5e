"""The routing problem: numbered boxes, ports and lines; no word of a scene, a family or a style.

Posed in `ports.posing`, solved in `solving`, written to and read from JSON in `problem_json`, so that a problem can be
kept, measured and handed to another router. All lengths are px, y grows downwards.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import Chain
from scenograph.engine.geometry.spatial_index import Bounds
from scenograph.engine.kernels.label_spots import Extents
from scenograph.engine.route.courses.anchors import SIDES, Anchor
from scenograph.late_dataclasses import dataclass, field

NODE, PLAQUE, FRAME, WRITING = range(4)  # PLAQUE: text and image elements; WRITING: titles and outside labels
NOBODY = -1  # no row, no owner
NO_LABEL = 0.0, 0.0  # px
NO_END_TEXTS: Extents = (0.0, 0.0), (0.0, 0.0)  # px; a line without texts at its ends


class Obstacle(NamedTuple):
    """One thing that lines avoid. `owner` is the element whose own lines may touch it; writings have none."""

    bounds: Bounds
    kind: int
    owner: int


class Fan(NamedTuple):
    """Lines that may lie on one another: those that leave one element, or (`gathers`) those that enter one."""

    number: int
    gathers: bool = False


class Connection(NamedTuple):
    """A line between two elements. `router` is the one asked for; `starts` and `finishes` are its ports, the best
    first. `exempt` numbers the elements that the line may touch: its ends, what stands around them and what covers
    them. `rank` of `twins`: its place among the lines that join the same two elements. Lines of one `fan` may share a
    trunk. `unit`: the lines with one label that show it once where they are one line, and the rank among them; a line
    that relies on another has the size of its label as `muted`. `rows`: the rows at which it ends, `NOBODY` for none.
    `around`: the innermost container with a border of its own that holds both ends, which the line does not leave while
    there is a way inside. `label`: its width and height; `tips`: the lengths of the markers at both ends; `end_texts`:
    width and height of the texts beside its two ends; `own_labels`: the labels of the elements at both ends where they
    stand outside their box."""

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
    rank: int = 0
    twins: int = 1
    fan: Fan | None = None
    unit: tuple[int, int] | None = None
    muted: tuple[float, float] = NO_LABEL
    rows: tuple[int, int] = (NOBODY, NOBODY)
    label: tuple[float, float] = NO_LABEL
    tips: tuple[float, float] = (0.0, 0.0)
    end_texts: Extents = NO_END_TEXTS
    own_labels: tuple[Box | None, Box | None] = (None, None)
    around: Box | None = None

    def leaves_open(self) -> bool:
        """Whether the author left all sides of both ends open."""
        return len(self.starts) == len(SIDES) == len(self.finishes)

    @property
    def is_loop(self) -> bool:
        """Whether both ends are one element."""
        return self.source == self.target


@dataclass(frozen=True, slots=True)
class Course:
    """A solved line: its corners (of a `curved` one start, control point and end), the router really used, the box of
    its label, and whether it comes too near a stranger. `place` is where it enters the trunk that it shares."""

    points: tuple[Point, ...]
    router: str
    label: Box | None = None
    grazes: bool = False
    place: tuple[str, float, float] | None = None


@dataclass(frozen=True, slots=True)
class RoutingProblem:
    """All that is to be routed. `outlines`: of every element that lines end at, None for a plain box; `pointed`: those
    whose sides are one vertex each. `borders`: the boxes whose border is seen. `prescribed`: the corners of lines that
    run as their notation says; `former`: the courses of lines that were drawn before and stay, both by the number of
    the line."""

    boxes: tuple[Box, ...] = ()
    outlines: tuple[Chain | None, ...] = ()
    pointed: frozenset[int] = frozenset()
    obstacles: tuple[Obstacle, ...] = ()
    borders: tuple[Bounds, ...] = ()
    lines: tuple[Connection, ...] = ()
    prescribed: Mapping[int, tuple[Point, ...]] = field(default_factory=dict[int, "tuple[Point, ...]"])
    former: Mapping[int, Course] = field(default_factory=dict[int, "Course"])


class Channel(NamedTuple):
    """Where lines run beside each other: level ones where `axis` is 0, upright ones where it is 1."""

    bounds: Bounds
    axis: int


class Crowding(NamedTuple):
    """Two lines, not of one fan, that run beside each other at a distance of `gap`, and the channel in which they
    do."""

    one: int
    other: int
    gap: float
    channel: Channel


@dataclass(frozen=True, slots=True)
class Solution:
    """The course of every line, in the order of the lines, the channels that stayed too narrow, and by stage the lines
    for which its effort did not reach."""

    courses: tuple[Course, ...]
    crowdings: tuple[Crowding, ...] = ()
    limited: Mapping[str, tuple[int, ...]] = field(default_factory=dict[str, "tuple[int, ...]"])
