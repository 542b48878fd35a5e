"""Trunks: the courses of lines between a head and many leaves as one line that branches. (R-ORG-2, R-FAN-6)

A trunk leaves the middle of its head; a bus runs above each row of leaves, with a short drop to each; a rail runs
beside leaves in a stack, with a branch into each. A label stands on the branch or drop of its own line. px.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import pairwise
from typing import NamedTuple

from scenograph.engine.costs import CLEARANCE
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.directions import SIDEWAYS
from scenograph.engine.tables import Placement
from scenograph.late_dataclasses import dataclass
from scenograph.scene.document_index import ancestors
from scenograph.scene.model import Edge, Scene

RAIL = 20.0  # from a rail to the leaves beside it
LABEL_ROOM = 32.0  # beside a label along its line: for an arrowhead, and for the line to be seen at both ends
_BUS = 36.0  # from a bus to the row below it at most, where another row stands above
_LEAST_GAP = 12.0  # leaves nearer to their head get a line as any other
_CORNER = 16.0  # from the corner of a head
_JOG = 16.0  # a line this little out of line is straightened
_SAME = 1.0
_LEAST_TURNED = 3  # corners of a line that has no bus
_FREE = frozenset({None, "orthogonal"})
NO_LABEL = (0.0, 0.0)

TrunkCourse = tuple[Point, ...]


def is_free(edge: Edge) -> bool:
    """Whether the author leaves the course of a line open."""
    ends = edge.source, edge.target
    return (
        edge.visible
        and edge.router in _FREE
        and not edge.waypoints
        and edge.source.element_id != edge.target.element_id
        and all(end.port is None and end.column is None for end in ends)
    )


class FanLine(NamedTuple):
    """A line of a fan, with the size of its label. `fan`: which of several fans of its head."""

    id: str
    head: str
    leaf: str
    fan: str = ""
    label: tuple[float, float] = NO_LABEL


class _Turn(NamedTuple):
    """The page turned to have the leaves below their head."""

    sideways: bool
    upwards: bool

    def box(self, box: Box) -> Box:
        """A box of the page in this view."""
        x, y, width, height = (box.y, box.x, box.height, box.width) if self.sideways else box
        return Box(x, -y - height if self.upwards else y, width, height)

    def page(self, point: Point) -> Point:
        """A point of this view on the page."""
        x, y = point.x, -point.y if self.upwards else point.y
        return Point(y, x) if self.sideways else Point(x, y)

    def label(self, size: tuple[float, float]) -> tuple[float, float]:
        """The room that a label takes across and along the flow of this view, 0 without a label."""
        across, along = size[::-1] if self.sideways else size
        return (across + LABEL_ROOM, along + LABEL_ROOM) if across else NO_LABEL


_VIEWS = (_Turn(False, False), _Turn(True, False), _Turn(False, True), _Turn(True, True))  # noqa: FBT003 - a table


class _Leaf(NamedTuple):
    """A line and the box of its leaf; `front`: the edge of the outermost container with the leaf but not the head;
    `leads`: whether the leaf heads a fan itself; the room of the label across and along."""

    line: str
    box: Box
    front: float
    leads: bool
    across: float
    along: float


@dataclass(frozen=True, slots=True)
class _Drop:
    """An exit of a bus: down at `x` to one leaf, or along a rail to several."""

    x: float
    front: float
    leaves: tuple[_Leaf, ...]
    is_rail: bool

    @property
    def bottom(self) -> float:
        return max(leaf.box.bottom for leaf in self.leaves)

    @property
    def along(self) -> float:
        """The room for labels below the bus."""
        return 0.0 if self.is_rail else max(leaf.along for leaf in self.leaves)


class _Bus(NamedTuple):
    head: str
    view: _Turn
    level: float
    begin: float
    end: float


def trunk_courses(
    lines: Iterable[FanLine], scene: Scene, placement: Placement, flow: str | None = None
) -> Mapping[str, TrunkCourse]:
    """The corners of lines from their heads down, by id. A line to a leaf of two heads has none, and neither have the
    heads whose buses would overlap: their leaves could not be told apart. `flow`: the direction in which leaves are
    looked for first, and behind; else a head has them where most room is."""
    fans: dict[tuple[str, str], list[FanLine]] = {}
    for line in lines:
        fans.setdefault((line.head, line.fan), []).append(line)
    leading = {head for head, _ in fans}
    heads = Counter(line.leaf for fan in fans.values() for line in fan)
    parents = {child: row.id for row in scene.containers for child in row.children}
    found: dict[tuple[str, str], dict[str, TrunkCourse]] = {}
    buses: list[_Bus] = []
    for (head, fan), own in fans.items():
        only = [line for line in own if heads[line.leaf] == 1]
        view = _view(placement.boxes[head], [placement.boxes[line.leaf] for line in only], flow)
        if view is not None:
            leaves = [_leaf(line, view, placement, parents, leading) for line in only]
            paths = dict(_paths(view.box(placement.boxes[head]), leaves))
            buses += _buses(head, view, paths.values())
            found[head, fan] = {line: tuple(map(view.page, corners)) for line, corners in paths.items()}
    tangled = _tangled(buses)
    return {
        line: corners for (head, _), paths in found.items() if head not in tangled for line, corners in paths.items()
    }


def _view(head: Box, leaves: Sequence[Box], flow: str | None) -> _Turn | None:
    """The view in which all leaves stand below their head: that of the flow or the reverse, else the view with the most
    room in between."""
    room = {view: min((view.box(box).y for box in leaves), default=0.0) - view.box(head).bottom for view in _VIEWS}
    best = max(_VIEWS, key=lambda view: room[view])
    if flow is not None:
        sideways = flow in SIDEWAYS
        along = [view for view in _VIEWS if view.sideways is sideways and room[view] >= _LEAST_GAP]
        best = along[0] if along else best
    return best if room[best] >= _LEAST_GAP else None


def _leaf(line: FanLine, view: _Turn, placement: Placement, parents: Mapping[str, str], leading: Set[str]) -> _Leaf:
    around = set(ancestors(line.head, parents.get))
    own = view.box(placement.boxes[line.leaf]).y  # a leaf that holds its own head has no front before its head
    fronts = [
        view.box(placement.boxes[one]).y
        for one in (line.leaf, *ancestors(line.leaf, parents.get))
        if one not in around and one in placement.boxes
    ]
    box = view.box(placement.boxes[line.leaf])
    return _Leaf(line.id, box, min(fronts, default=own), line.leaf in leading, *view.label(line.label))


def _paths(head: Box, leaves: Sequence[_Leaf]) -> Iterator[tuple[str, TrunkCourse]]:
    drops = _drops(leaves, head.center.x)
    trunk = _trunk(head, drops)
    way, passage, passed = [Point(trunk, head.bottom)], trunk, list[_Drop]()
    for row, level in _levels(head, drops):
        # From the bus of one row the trunk goes on to the next.
        passage = _passage(passage, [leaf.box for drop in passed for leaf in drop.leaves])
        way += [Point(passage, way[-1].y), Point(passage, level)]
        passed = row
        for drop in row:
            x = passage if _is_straight(drop, passage, is_only=len(drops) == 1) else drop.x
            along = (*way, Point(x, level))
            for leaf in drop.leaves:
                end = (Point(x, leaf.box.center.y), Point(leaf.box.x, leaf.box.center.y))
                yield leaf.line, _straightened((*along, *(end if drop.is_rail else (Point(x, leaf.box.y),))))


def _drops(leaves: Sequence[_Leaf], middle: float) -> list[_Drop]:
    """The drops of a bus: leaves in a stack, without fans of their own, share a rail; all others have a drop each.
    `middle`: the x of a trunk between rows."""
    columns: dict[int, list[_Leaf]] = {}
    for leaf in leaves:
        if not leaf.leads:
            columns.setdefault(round(leaf.box.x / _SAME), []).append(leaf)
    stacks = [column for column in columns.values() if _is_stack(column)]
    rows = {round(leaf.box.y / _SAME) for stack in stacks for leaf in stack}
    # Rows longer than the stacks have a bus each, where the trunk passes between their leaves.
    is_passable = not any(abs(leaf.box.center.x - middle) < leaf.box.width / 2 + CLEARANCE for leaf in leaves)
    rails = [_rail(stack) for stack in stacks] if len(stacks) <= len(rows) or not is_passable else []
    rails = [rail for rail in rails if not any(_stands_in_way(leaf, rail) for leaf in leaves)]
    railed = {leaf.line for rail in rails for leaf in rail.leaves}
    drops = [_Drop(one.box.center.x, one.front, (one,), is_rail=False) for one in leaves if one.line not in railed]
    return sorted([*drops, *rails], key=lambda drop: (drop.front, drop.x))


def _is_stack(column: Sequence[_Leaf]) -> bool:
    tops = sorted(one.box.y for one in column)
    return len(column) > 1 and all(b - a > _SAME for a, b in pairwise(tops))


def _rail(column: Sequence[_Leaf]) -> _Drop:
    room = max(RAIL, *(one.across for one in column))
    return _Drop(column[0].box.x - room, min(one.front for one in column), tuple(column), is_rail=True)


def _stands_in_way(leaf: _Leaf, rail: _Drop) -> bool:
    """Whether a leaf hides a rail or a branch of the rail."""
    box, left = leaf.box, rail.leaves[0].box.x
    return box.right > rail.x and box.x < left and box.bottom > rail.front and box.y < rail.bottom


def _trunk(head: Box, drops: Sequence[_Drop]) -> float:
    """The x of the trunk: the middle of the head, or the first rail if every drop is a rail."""
    if drops and all(drop.is_rail for drop in drops):
        first = min(drop.x for drop in drops)
        if head.x + _CORNER <= first <= head.right - _CORNER:
            return first
    return head.center.x


def _passage(trunk: float, boxes: Sequence[Box]) -> float:
    """The x nearest to the trunk at which it passes between or beside the leaves of a row."""
    beside = (x for box in boxes for x in (box.x - CLEARANCE, box.right + CLEARANCE))
    nearest = sorted([trunk, *beside], key=lambda x: abs(x - trunk))
    return next(x for x in nearest if all(x <= box.x - CLEARANCE or x >= box.right + CLEARANCE for box in boxes))


def _levels(head: Box, drops: Sequence[_Drop]) -> Iterator[tuple[list[_Drop], float]]:
    """The rows of drops, each with the level of the bus above it. A row ends where the next row begins below all its
    boxes."""
    rows: list[list[_Drop]] = []
    for drop in drops:
        if not rows or drop.front > max(one.bottom for one in rows[-1]):
            rows.append([])
        rows[-1].append(drop)
    first = drops[0].front - head.bottom if drops else 0.0
    above = first / 2
    for number, row in enumerate(rows):
        room = max(min(_BUS, above) if number else above, *(drop.along for drop in row))
        level = row[0].front - (room if number else min(room, max(above, first - CLEARANCE)))
        yield row, level


def _is_straight(drop: _Drop, x: float, *, is_only: bool) -> bool:
    """Whether a drop continues the trunk straight: a single drop if the leaf reaches the trunk (R-ROUTE-2), of several
    the drop nearly below."""
    box = drop.leaves[0].box
    if drop.is_rail or not box.x < x < box.right:
        return False
    return is_only or (abs(drop.x - x) < _JOG and box.x + _CORNER <= x <= box.right - _CORNER)


def _straightened(points: Sequence[Point]) -> TrunkCourse:
    """The corners without points that do not turn."""
    kept: list[Point] = []
    for point in points:
        if kept and abs(point.x - kept[-1].x) + abs(point.y - kept[-1].y) < 1e-6:
            continue
        if len(kept) > 1 and _in_line(kept[-2], kept[-1], point):
            kept.pop()
        kept.append(point)
    return tuple(kept)


def _in_line(a: Point, b: Point, c: Point) -> bool:
    return a.x == b.x == c.x or a.y == b.y == c.y


def _buses(head: str, view: _Turn, paths: Iterable[TrunkCourse]) -> Iterator[_Bus]:
    for corners in paths:
        if len(corners) > _LEAST_TURNED:
            begin, end = sorted((corners[1].x, corners[2].x))
            yield _Bus(head, view, corners[1].y, begin, end)


def _tangled(buses: Sequence[_Bus]) -> set[str]:
    """The heads whose buses would overlap."""
    found: set[str] = set()
    ordered = sorted(buses, key=lambda bus: (bus.view, bus.level, bus.begin, bus.end))
    for number, bus in enumerate(ordered):
        for other in ordered[number + 1 :]:
            if other.view != bus.view or other.level - bus.level > RAIL / 2:
                break
            if other.head != bus.head and other.begin <= bus.end and bus.begin <= other.end:
                found |= {bus.head, other.head}
    return found
