"""The sketch: the places and ways that the elements of a scene had before (R-KEEP-1).

In: a JSON value of the form of `computed` in a normalized document, `{"canvas", "bounds", "edgePaths"}`, or such a
document. Out: a `Sketch`. Promise: whatever the value is, nothing raises; what is no finite box or way near the page is
left out. px.
"""

from __future__ import annotations

from collections.abc import Mapping

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.tables import Route
from scenograph.late_dataclasses import dataclass, field
from scenograph.scene.json_values import is_array, is_number, is_object, member, object_at
from scenograph.scene.memo import Latest, exact_key

REACH = 1e6  # R-LIMIT-1
KEPT_ROUTES = 2048  # of the latest sketches: a line that stayed is the same object from revision to revision
LEAST_POINTS = 2  # points of a line
AT_RIM = 16.0  # px; so far from the room of an element may a line end: outlines lie inside, markers outside


@dataclass(frozen=True, slots=True)
class Sketch:
    """Where elements stood and how lines ran, by id; also of those that the scene has no more. `origin` is the corner
    of the former page, None where nothing is known of it; `routers` are those that the edges asked for, where that is
    known."""

    boxes: Mapping[str, Box] = field(default_factory=dict[str, Box])
    routes: Mapping[str, Route] = field(default_factory=dict[str, Route])
    origin: Point | None = None
    routers: Mapping[str, str | None] = field(default_factory=dict[str, "str | None"])

    def ran_between(self, edge_id: str, rooms: tuple[Box | None, Box | None]) -> bool:
        """Whether a line was drawn and ended at what stood in these two rooms; None: nothing is known of that end."""
        route = self.routes.get(edge_id)
        if route is None:
            return False
        (first, last), points = rooms, route.points
        return (first is None or ends_at(first, points[0])) and (last is None or ends_at(last, points[-1]))


def ends_at(room: Box, end: Point) -> bool:
    """Whether a line that ends there may end at what has this room."""
    (x, y, width, height), (across, down) = room, end
    left, top = x - AT_RIM, y - AT_RIM
    return left <= across <= left + (width + 2 * AT_RIM) and top <= down <= top + (height + 2 * AT_RIM)


NO_SKETCH = Sketch()


def read_sketch(value: object) -> Sketch:
    """The sketch that a JSON value holds; of a normalized document that of its `computed`."""
    computed = member(value, "computed")
    said = computed if is_object(computed) else value
    boxes = {key: box for key, row in object_at(said, "bounds").items() if (box := _box(row)) is not None}
    if not boxes:
        return NO_SKETCH
    routes = {key: way for key, row in object_at(said, "edgePaths").items() if (way := _route(row)) is not None}
    asked = {key: object_at(said, "edgePaths", key) for key in routes}
    routers = {key: row["asked"] for key, row in asked.items() if isinstance(row.get("asked", 0), str | None)}
    return Sketch(boxes, routes, _point(member(said, "canvas")), routers)


def _box(value: object) -> Box | None:
    if not is_object(value):
        return None
    corner, width, height = _point(value), value.get("width"), value.get("height")
    if corner is None or not (is_number(width) and is_number(height)):
        return None
    return Box(*corner, float(width), float(height)) if 0 <= width <= REACH and 0 <= height <= REACH else None


def _point(value: object) -> Point | None:
    if not is_object(value):
        return None
    x, y = value.get("x"), value.get("y")
    if not (is_number(x) and is_number(y)) or abs(x) > REACH or abs(y) > REACH:
        return None
    return Point(float(x), float(y))


def _route(value: object) -> Route | None:
    """The line of a row; the very same object as long as the row says exactly the same."""
    key = exact_key(value)
    if key is None:
        return _read_route(value)
    found = _ROUTES.get(key)
    if found is None and (found := _read_route(value)) is not None:
        _ROUTES.put(key, found)
    return found


def _read_route(value: object) -> Route | None:
    router, rows = member(value, "router"), member(value, "points")
    points = [_point(row) for row in rows] if is_array(rows) else []
    known = [point for point in points if point is not None]
    if not isinstance(router, str) or len(known) < max(len(points), LEAST_POINTS):
        return None
    control = _point(member(value, "control"))
    if control is not None and len(known) == LEAST_POINTS:
        known.insert(1, control)
    return Route(points=tuple(known), router=router, label=_box(member(value, "labelBounds")))


_ROUTES: Latest[bytes, Route] = Latest(KEPT_ROUTES)
