"""Former courses: the lines that may run as they ran before.

In: the edges of a scene, what their lines share, the sketch. Out: by edge the course that its line had. A course holds
while both ends stand where they stood, the line ends there as it may, nothing new and no writing stands in its way, and
the lines that share a trunk with it stay as well; a line with waypoints or a prescribed way is routed anew. R-KEEP-7.

The hook: `ports.posing` asks for the courses that hold and gives them to the problem as `former`; the solver takes them
as they are, routes the others round them, and keeps their labels where no other line comes to lie beneath.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence, Set

from scenograph.engine.geometry.boxes import Box, Point, union
from scenograph.engine.geometry.segments import quadratic
from scenograph.engine.geometry.spatial_index import Bounds, SpatialIndex, bounds_of
from scenograph.engine.kernels.straight_lines import hull
from scenograph.engine.route.courses.beneath import past_label
from scenograph.engine.route.courses.terrain import touches
from scenograph.engine.route.ports.anchors import SIDES, Anchor, box_anchors, leads_inwards
from scenograph.engine.route.ports.connecting import Surroundings
from scenograph.engine.route.ports.landscape import stands_outside
from scenograph.engine.route.problem import Course
from scenograph.engine.sketch import Sketch, ends_at
from scenograph.engine.tables import Placement, Route
from scenograph.scene.memo import MadeOf
from scenograph.scene.model import Edge, Endpoint, Frame, Group, Scene

SAME = 0.02  # px; a smaller difference is rounding
CLEAR = 15.9  # px; the clearance, less what rounding takes
KEPT_LINES = 2048  # of the latest sketches, of which it is known whether they may end where they did
CHORDS = 12  # straight pieces that stand for a curve


def former_courses(
    scene: Scene, edges: Sequence[Edge], around: Surroundings, sketch: Sketch, prescribed: Container[str]
) -> dict[str, Course]:
    """The courses that hold, by edge; the lines of those `prescribed` run as their notation says."""
    if not sketch.routes:
        return {}
    stayed = {one for one, box in around.placement.boxes.items() if _same(box, sketch.boxes.get(one))}
    news = _News(scene, around.placement, sketch, stayed)
    found: dict[str, Course] = {}
    for edge in edges:
        route, ends = sketch.routes.get(edge.id), set(edge.ends)
        if route is None or not ends <= stayed or edge.id in prescribed or edge.waypoints:
            continue
        may_run = _is_asked(edge, route, sketch) and _may_end(edge, around, route.points)
        if may_run and not news.stands_in(route, edge, ends):
            found[edge.id] = Course(route.points, route.router, _label(around.size(edge), route))
    return _with_whole_fans(edges, around, found)


def _same(box: Box, former: Box | None) -> bool:
    return former is not None and all(abs(one - other) <= SAME for one, other in zip(box, former, strict=True))


def _is_asked(edge: Edge, route: Route, sketch: Sketch) -> bool:
    """Whether the router is still the one that was asked for; where that is not known, the one that was used."""
    if edge.id in sketch.routers:
        return sketch.routers[edge.id] == edge.router
    return edge.router is None or edge.router == route.router


def _may_end(edge: Edge, around: Surroundings, points: tuple[Point, ...]) -> bool:
    """Whether a line may end where it did; kept by all that this follows from."""
    tables = around.elements, around.placement.boxes, around.placement.parts, around.styles
    given = edge, around.styles.get(edge.id), *(table.get(end) for table in tables for end in edge.ends)
    known = _FITS.get(points, given)
    return _FITS.put(points, given, _ends_fit(edge, around, points)) if known is None else known


def _ends_fit(edge: Edge, around: Surroundings, points: Sequence[Point]) -> bool:
    first, last = points[:2], points[:-3:-1]
    labels = around.outside_label(edge.source.element_id), around.outside_label(edge.target.element_id)
    if labels != (None, None):
        tips = around.tips(edge)
        if (tips[0] and _is_behind(labels[0], *first)) or (tips[1] and _is_behind(labels[1], *last)):
            return False
    source, target = edge.source, edge.target
    return _fits(source, target, around, *first) and _fits(target, source, around, *last)


def _is_behind(label: Box | None, end: Point, following: Point) -> bool:
    """Whether an end runs behind a label, where a marker would stand in the text (R-LABEL-5)."""
    return past_label(end, following, label) != end


def _fits(own: Endpoint, other: Endpoint, around: Surroundings, end: Point, following: Point) -> bool:
    """Whether a line may end there: at the box, on a side on which there is an anchor, as far along as that goes."""
    boxes, label = around.placement.boxes, around.outside_label(own.element_id)
    box = boxes[own.element_id]
    if not ends_at(box if label is None else union((box, label)) or box, end):
        return False
    dx, dy = following.x - end.x, following.y - end.y
    if abs(dx) > SAME and abs(dy) > SAME:
        return True
    way = ((dx > SAME) - (dx < -SAME), (dy > SAME) - (dy < -SAME))
    if leads_inwards(box, boxes[other.element_id]):
        way = -way[0], -way[1]
    along = end.x if way[0] == 0 else end.y
    return any(anchor[3:5] == way and _reaches(anchor, along) for anchor in _places(own, other, around))


def _places(own: Endpoint, other: Endpoint, around: Surroundings) -> Sequence[Anchor]:
    """Where an end may be: a loop that may choose its sides turns round corners, wherever other lines would end."""
    anchors = around.anchors(own)
    if own.element_id != other.element_id or len(anchors) < len(SIDES):
        return anchors
    return box_anchors(around.placement.boxes[own.element_id])


def _reaches(anchor: Anchor, along: float) -> bool:
    """Whether a line may end at that coordinate of a side: where it gives way to others, or meets its other end."""
    return min(anchor.room_low, anchor.reach_low) - 1 <= along <= max(anchor.room_high, anchor.reach_high) + 1


def _label(size: tuple[float, float], route: Route) -> Box | None:
    """The label's box, if the label has the size that it had."""
    box, (width, height) = route.label, size
    return box if box is not None and abs(box.width - width) <= SAME and abs(box.height - height) <= SAME else None


def _with_whole_fans(edges: Sequence[Edge], around: Surroundings, found: Mapping[str, Course]) -> dict[str, Course]:
    """Without those that share a trunk with a line that is routed anew."""
    fans = {edge.id: around.fan(edge) for edge in edges}
    broken = {fan for one, fan in fans.items() if fan is not None and one not in found}
    return {one: course for one, course in found.items() if fans[one] not in broken}


def _writings(placement: Placement, element_id: str) -> Iterator[Box]:
    """The title of a frame, the label of a node outside its box."""
    parts = placement.parts.get(element_id, {})
    if "title" in parts:
        yield parts["title"]
    if "label" in parts and stands_outside(parts["label"], placement.boxes[element_id]):
        yield parts["label"]


class _News:
    """What has come, moved or grown since, and the writings of it."""

    def __init__(self, scene: Scene, placement: Placement, sketch: Sketch, stayed: set[str]) -> None:
        self.owners: list[str] = []
        self.frames: list[tuple[str, Bounds]] = []
        self.boxes, self.former = placement.boxes, sketch.boxes
        self.held = {element.id: element.children for element in scene.elements if isinstance(element, Frame | Group)}
        self._contents: dict[str, Set[str]] = {}
        self.index = SpatialIndex()
        for element_id, box in placement.boxes.items():
            if element_id in stayed:
                continue
            if element_id in self.held:
                self.frames.append((element_id, bounds_of(box)))
            for room in (*([] if element_id in self.held else [box]), *placement.parts.get(element_id, {}).values()):
                self.index.add(bounds_of(room))
                self.owners.append(element_id)
        self.writings, self.writers = SpatialIndex(), list[str]()
        for element_id in (one for one in placement.boxes if one in stayed):
            for writing in _writings(placement, element_id):
                self.writings.add(bounds_of(writing))
                self.writers.append(element_id)

    def stands_in(self, route: Route, edge: Edge, ends: set[str]) -> bool:
        """Whether something new stands in a course or comes too near to it."""
        points = (
            quadratic(*route.points, CHORDS) if route.router == "curved" and len(route.points) == 3 else route.points
        )
        left, top, right, bottom = hull(points)
        if self.owners:
            near = self.index.near(left - CLEAR, top - CLEAR, right + CLEAR, bottom + CLEAR)
            strangers = [self.index.bounds[number] for number in near if self.owners[number] not in ends]
            if strangers and touches(points, strangers, CLEAR):
                return True
        # A title or a name may have stepped aside for another line.
        written = self.writings.near(left, top, right, bottom)
        others = [self.writings.bounds[number] for number in written if self.writers[number] not in ends]
        if others and touches(points, others, 0.0):
            return True
        return any(
            self._enters(points, frame, ends)
            for frame, (x0, y0, x1, y1) in self.frames
            if x0 <= right and x1 >= left and y0 <= bottom and y1 >= top
        )

    def _enters(self, points: Sequence[Point], frame: str, ends: set[str]) -> bool:
        """Whether a course runs through a frame that has nothing to do with it, and did not before."""
        if not ends.isdisjoint(self._content(frame)):
            return False
        former = self.former.get(frame)
        was = former is not None and touches(points, [bounds_of(former)], 0.0)
        return not was and touches(points, [bounds_of(self.boxes[frame])], 0.0)

    def _content(self, frame: str) -> Set[str]:
        """A frame with all that it holds, whatever the depth."""
        found = self._contents.get(frame)
        if found is None:
            queue = {frame: None}
            for one in (rows := [frame]):
                rows += [child for child in self.held.get(one, ()) if child not in queue]
                queue.update(dict.fromkeys(self.held.get(one, ())))
            found = self._contents[frame] = queue.keys()
        return found


_FITS: MadeOf[bool] = MadeOf(KEPT_LINES)
