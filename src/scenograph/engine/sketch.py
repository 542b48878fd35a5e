"""The sketch: the former places and routes of a scene's elements (R-KEEP-1).

In: a JSON value in the form of `computed` in a normalized document, `{"canvas", "bounds", "edgePaths"}`, or a whole
normalized document. Out: a `Sketch`. Promise: no value raises; anything but finite boxes and routes near the page is
left out, as are elements of the scene farther from the rest than the rest extends. px.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scenograph.engine.geometry.boxes import Box, Outset, Point
from scenograph.engine.geometry.spatial_index import Bounds, bounds_of, bounds_of_points
from scenograph.engine.tables import DrawnRoute
from scenograph.late_dataclasses import dataclass, field, replace
from scenograph.scene.document_index import ancestors
from scenograph.scene.json_values import is_array, is_number, is_object, member, object_at
from scenograph.scene.limits import LIMITS
from scenograph.scene.memo import Latest, exact_key
from scenograph.scene.model import Frame, Group, Image, Layout, Node, Scene, Text

_GIVEN = "absolute"
_PAGE = ""  # in place of the container of an element without one
_KEPT_ROUTES = 2048  # of the latest sketches: a line that stayed is the same object from revision to revision
_LEAST_POINTS = 2  # points of a line
SAME = 1.0  # px
FAR = 2000.0  # px; nearer to the others nothing is a stray, however small the content
_AT_RIM = 16.0  # px; so far from the room of an element may a line end: outlines lie inside, markers outside


@dataclass(frozen=True, slots=True)
class Sketch:
    """Former places of elements and routes of edges, by id, including elements no longer in the scene. `origin` is the
    corner of the former page, None if unknown; `routers` are the authored routers of edges, as far as known; `relaid`
    are elements to be placed anew; `homes` are the containers of elements, and `rooms` the rooms for labels outside,
    None if unknown."""

    boxes: Mapping[str, Box] = field(default_factory=dict[str, Box])
    routes: Mapping[str, DrawnRoute] = field(default_factory=dict[str, DrawnRoute])
    origin: Point | None = None
    routers: Mapping[str, str | None] = field(default_factory=dict[str, "str | None"])
    relaid: frozenset[str] = frozenset()
    homes: Mapping[str, str] | None = None
    rooms: Mapping[str, Outset] | None = None

    def is_home(self, one: str, parents: Mapping[str, str]) -> bool:
        """Whether an element is in its former container, given the containers of all boxed elements ("" for the page).
        Removed and new containers in between do not count; nothing counts where the containers are unknown."""
        if self.homes is None:
            return True
        home, parent = self.homes.get(one), parents.get(one)
        if home == parent and home in self.boxes and home in parents:
            return True
        if not home and not parent and _PAGE not in self.boxes and _PAGE not in self.relaid:
            return True
        was = next((up for up in ancestors(one, self.homes.get) if up in parents), "")
        standing = (up for up in ancestors(one, parents.get) if up in self.boxes or up in self.relaid)
        return was == next(standing, "")

    def at_home(self, scene: Scene) -> Mapping[str, Box]:
        """The former boxes of the scene's elements that are in their former container."""
        if self.homes is None or not self.boxes:
            return self.boxes
        parents = {one.id: "" for one in scene.elements}
        for one in scene.elements:
            for child in one.children if isinstance(one, Frame | Group) else ():
                parents[child] = parents.get(child) or one.id
        return {one: box for one, box in self.boxes.items() if one in parents and self.is_home(one, parents)}


def ends_at(room: Box, end: Point) -> bool:
    """Whether a route may end at `end` on an element with this room."""
    (x, y, width, height), (across, down) = room, end
    left, top = x - _AT_RIM, y - _AT_RIM
    return left <= across <= left + (width + 2 * _AT_RIM) and top <= down <= top + (height + 2 * _AT_RIM)


NO_SKETCH = Sketch()


def without_strays(sketch: Sketch, scene: Scene) -> tuple[Sketch, tuple[str, ...]]:
    """The sketch without places that would blow up the page, and the elements that lost their places: farther, along an
    axis, from the main content than its extent, and than FAR."""
    holders = {one.id for one in scene.containers if one.children}
    ids = [one.id for one in scene.elements if one.id in sketch.boxes]
    middles = {one: sketch.boxes[one].center for one in ids if one not in holders}
    if not middles:
        return sketch, ()
    placed = [one for one in scene.elements if isinstance(one, Node | Text | Image) and one.layout.mode == _GIVEN]
    given = [Point(one.layout.x or 0.0, one.layout.y or 0.0) for one in placed]
    given += [middles[one.id] for one in placed if one.id in middles and _is_kept(one.layout, sketch.boxes[one.id])]
    spans = [
        _content([middle[axis] for middle in middles.values()], [point[axis] for point in given]) for axis in (0, 1)
    ]

    (left, right), (top, bottom) = spans
    main = Box(left, top, right - left, bottom - top).grown(SAME)
    near = Box(left, top, right - left, bottom - top).with_outset(
        Outset(*(FAR + extent for extent in (bottom - top, right - left, bottom - top, right - left)))
    )
    stray = [one for one, middle in middles.items() if not _is_within(main, middle)]
    for one in ids:
        box = sketch.boxes[one]
        if one in holders and not near.contains(box):
            stray.append(one)
    routes = _routes_within(bounds_of(near), sketch.routes)
    origin = sketch.origin if sketch.origin is None or _is_within(near, sketch.origin) else None
    if not stray and len(routes) == len(sketch.routes) and origin is sketch.origin:
        return sketch, ()
    boxes = {key: box for key, box in sketch.boxes.items() if key not in set(stray)}
    return replace(sketch, boxes=boxes, routes=routes, origin=origin), tuple(stray)


def _routes_within(room: Bounds, routes: Mapping[str, DrawnRoute]) -> Mapping[str, DrawnRoute]:
    """The routes wholly within a room; most often all of them."""
    left, top, right, bottom = room

    def are_within(points: Sequence[Point]) -> bool:
        first, upper, last, lower = bounds_of_points(points)
        return left <= first and top <= upper and last <= right and lower <= bottom

    if not routes or are_within([point for route in routes.values() for point in route.points]):
        return routes
    return {key: route for key, route in routes.items() if are_within(route.points)}


def _is_within(box: Box, point: Point) -> bool:
    x, y, width, height = box
    return x <= point[0] <= x + width and y <= point[1] <= y + height


def _is_kept(layout: Layout, box: Box) -> bool:
    """Whether an element stands in the sketch at its authored place."""
    return abs(box.x - (layout.x or 0.0)) <= SAME and abs(box.y - (layout.y or 0.0)) <= SAME


def _content(places: Sequence[float], given: Sequence[float]) -> tuple[float, float]:
    """The span of the main content: the largest group of places without a gap wider than the group, and than FAR;
    authored places lie within."""
    rows: list[list[float]] = []
    for place in sorted(places):
        if rows and place - rows[-1][-1] <= FAR:
            rows[-1].append(place)
        else:
            rows.append([place])
    first = last = max(range(len(rows)), key=lambda number: (len(rows[number]), -number))
    while True:
        low, high = rows[first][0], rows[last][-1]
        if first and low - rows[first - 1][-1] <= high - low:
            first -= 1
        elif last + 1 < len(rows) and rows[last + 1][0] - high <= high - low:
            last += 1
        else:
            return min([low, *given]), max([high, *given])


def read_sketch(value: object) -> Sketch:
    """The sketch in a JSON value; for a normalized document the sketch in its `computed`."""
    computed = member(value, "computed")
    said = computed if is_object(computed) else value
    boxes = {key: box for key, row in object_at(said, "bounds").items() if (box := _box(row)) is not None}
    if not boxes:
        return NO_SKETCH
    lines = object_at(said, "edgePaths")
    routes = {key: way for key, row in lines.items() if (way := _route(row)) is not None}
    routers = {key: row["asked"] for key in routes if isinstance((row := lines[key]).get("asked", 0), str | None)}
    rows = member(said, "relaid")
    relaid = frozenset(one for one in rows if isinstance(one, str)) if is_array(rows) else frozenset[str]()
    homes = member(said, "homes")
    known = {key: home for key, home in homes.items() if isinstance(home, str)} if is_object(homes) else None
    return Sketch(boxes, routes, _point(member(said, "canvas")), routers, relaid, known, _rooms(member(said, "rooms")))


def _rooms(value: object) -> dict[str, Outset] | None:
    if not is_object(value):
        return None
    sides = {key: [side for side in row if is_number(side)] for key, row in value.items() if is_array(row)}
    return {key: Outset(*map(float, row)) for key, row in sides.items() if len(row) == len(Outset._fields)}


def _box(value: object) -> Box | None:
    if not is_object(value):
        return None
    x, y, width, height = value.get("x"), value.get("y"), value.get("width"), value.get("height")
    if not (is_number(x) and is_number(y) and is_number(width) and is_number(height)):
        return None
    most = LIMITS.coordinate
    is_near = abs(x) <= most and abs(y) <= most and 0 <= width <= most and 0 <= height <= most
    return Box(float(x), float(y), float(width), float(height)) if is_near else None


def _point(value: object) -> Point | None:
    if not is_object(value):
        return None
    x, y = value.get("x"), value.get("y")
    if not (is_number(x) and is_number(y)) or abs(x) > LIMITS.coordinate or abs(y) > LIMITS.coordinate:
        return None
    return Point(float(x), float(y))


def _route(value: object) -> DrawnRoute | None:
    """The line of a row; the very same object as long as the row says exactly the same."""
    key = exact_key(value)
    if key is None:
        return _read_route(value)
    found = _ROUTES.get(key)
    if found is None and (found := _read_route(value)) is not None:
        _ROUTES.put(key, found)
    return found


def _read_route(value: object) -> DrawnRoute | None:
    router, rows = member(value, "router"), member(value, "points")
    points = [_point(row) for row in rows] if is_array(rows) else []
    known = [point for point in points if point is not None]
    if not isinstance(router, str) or len(known) < max(len(points), _LEAST_POINTS):
        return None
    control = _point(member(value, "control"))
    if control is not None and len(known) == _LEAST_POINTS:
        known.insert(1, control)
    return DrawnRoute(points=tuple(known), router=router, label=_box(member(value, "labelBounds")))


_ROUTES: Latest[bytes, DrawnRoute] = Latest(_KEPT_ROUTES)
