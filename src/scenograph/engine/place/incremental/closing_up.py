"""Former places closed up round folded frames. px. (R-VIEW-7)

In: the inventory of a view, the boxes of the whole picture, and which elements are boxes of folded frames. Out: the
boxes of the view's elements, a sketch for placing. Promises: members of a container keep their order on both axes,
and their gaps up to the node spacing; what nothing holds apart comes as near to a folded frame as it stood; nothing
else moves. Containers keep their insets.

Along an axis, strips of the page that only the lost parts of folded frames took are cut out first: alignments stay.
Then a body may come nearer to another in sight by what both lost yet on the sides that face each other. Against the
first bodies this allows each body a step back, against the last ones a step forward; half of both steps keeps every
gap, and closes a hole from both sides. The axes are solved one after the other: bodies that come to overlap on the
first are held apart on the second.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from math import floor, fsum, inf

from scenograph.engine.families.family import is_tile
from scenograph.engine.geometry.boxes import Box, union
from scenograph.engine.kernels.near_boxes import AxisSpan, in_sight
from scenograph.engine.place.containers.frames import lane_inset
from scenograph.engine.place.containers.pools import is_upright
from scenograph.engine.place.inventory import ROOT, Inventory
from scenograph.engine.place.subgraph import NODE_SPACING
from scenograph.late_dataclasses import dataclass

AXES = (0, 1)  # x and y as places in a box
HALF = 0.5  # px; steps are rounded to whole px


@dataclass(slots=True)
class _Body:
    """A member with its former whole box, first as it stood (`stood`), then in the picture without the strips cut out
    (`was`), and its box now. A bar, the border of a lane or a folded lane, lies on one axis only."""

    id: str
    stood: Box
    was: Box
    now: Box
    bar: int | None = None


def closed_up(inventory: Inventory, former: Mapping[str, Box], folded: Collection[str]) -> dict[str, Box]:
    """The boxes of the elements after folding; without elements of unknown place."""
    return _Closing(inventory, former, folded).boxes()


class _Closing:
    """Containers closed up from the inside out. A closed container is a smaller body in its own container."""

    def __init__(self, inventory: Inventory, former: Mapping[str, Box], folded: Collection[str]) -> None:
        self._inventory, self._former, self._folded = inventory, former, folded
        followers = {one for one in inventory.elements if inventory.relation(one) is not None} | inventory.hosts.keys()
        self._bodies = former.keys() & (inventory.elements.keys() - followers)
        self._found: dict[str, Box] = {}

    def boxes(self) -> dict[str, Box]:
        """The boxes of all elements of known place."""
        inventory = self._inventory
        for container in inventory.containers:
            if container == ROOT or not self._is_lane(container):
                self._close(container)
        found = {**self._former, **self._found}
        for one in inventory.elements:
            relation, host = inventory.relation(one), inventory.hosts.get(one)
            target = host or (relation.target if relation is not None else None)
            if host in self._folded:
                found.pop(one, None)
            elif target in found and target in self._former and one in self._former:
                was, now = self._former[target].center, found[target].center
                found[one] = self._former[one].moved(now.x - was.x, now.y - was.y)
        return {one: box for one, box in found.items() if one in inventory.elements}

    def _is_lane(self, one: str) -> bool:
        """Whether an element is a lane, closed up with its pool."""
        up = self._inventory.parent.get(one, ROOT)
        return up != ROOT and is_tile(self._inventory.elements[one])

    def _close(self, container: str) -> None:
        bodies = list(self._members(container))
        if all(body.was[2:] == body.now[2:] for body in bodies):
            return
        for axis in AXES:
            self._close_axis([body for body in bodies if body.bar in (None, axis)], axis)
        for body in bodies:
            if body.bar is None:
                self._set(body)
        if container == ROOT or container not in self._former:
            return
        was, bars = self._former[container], {body.id: body.now for body in bodies if body.bar is not None}
        (x, width), (y, height) = (
            _fitted(was, axis, [body for body in bodies if body.bar in (None, axis)]) for axis in AXES
        )
        self._found[container] = box = Box(x, y, width, height)
        lanes = [one for one in self._lanes(container) if one in self._former]
        for lane in lanes:
            self._found[lane] = self._band(lane, was, box, bars)

    def _band(self, lane: str, was: Box, now: Box, bars: Mapping[str, Box]) -> Box:
        """A lane between two bars, as long as the pool allows."""
        former, (first, last) = self._former[lane], (bars[f"{lane}<"], bars[f"{lane}>"])
        if is_upright(self._inventory, self._pool(lane)):
            top, bottom = former.y - was.y + now.y, former.bottom - was.bottom + now.bottom
            return Box(first.x, top, last.x - first.x, bottom - top)
        left, right = former.x - was.x + now.x, former.right - was.right + now.right
        return Box(left, first.y, right - left, last.y - first.y)

    def _pool(self, lane: str) -> str:
        return next(up for up in self._inventory.ancestors(lane) if not self._is_lane(up))

    def _lanes(self, container: str) -> Iterable[str]:
        for child in self._inventory.children[container]:
            if self._inventory.children.get(child) is not None and self._is_lane(child):
                yield child
                yield from self._lanes(child)

    def _members(self, container: str) -> Iterable[_Body]:
        """The bodies of a container: members, content of lanes, and the borders of lanes."""
        lanes = list(self._lanes(container))
        for lane in lanes:
            if lane in self._former:
                yield from self._bars(lane, 0 if is_upright(self._inventory, container) else 1)
        for home in (container, *lanes):
            for one in self._inventory.children[home]:
                if one in self._bodies and one not in lanes:
                    yield self._body(one)

    def _bars(self, lane: str, axis: int) -> Iterable[_Body]:
        """The borders of a lane across an axis; in between a folded lane, as deep as its title needs."""
        box, inset = self._former[lane], lane_inset(self._inventory, lane)
        depth, end = box[axis + 2], box[axis] + box[axis + 2]
        first, last = _strip(box, axis, box[axis], 0.0), _strip(box, axis, end, 0.0)
        yield _Body(f"{lane}<", first, first, first, axis)
        if lane in self._folded:
            least = min(depth, inset.top + inset.bottom if axis else self._inventory.size(lane).width)
            now = _strip(box, axis, box[axis] + (depth - least) / 2, least)
            yield _Body(lane, box, box, now, axis)
        yield _Body(f"{lane}>", last, last, last, axis)

    def _body(self, one: str) -> _Body:
        was, size = self._former[one], self._inventory.size(one)
        now = self._found.get(one, was)
        if one in self._folded:
            now = was._replace(width=size.width, height=size.height)
        now = Box(was.center.x - now.width / 2, was.center.y - now.height / 2, now.width, now.height)
        whole = was.with_outset(size.outset)
        return _Body(one, whole, whole, now.with_outset(size.outset))

    def _close_axis(self, bodies: Sequence[_Body], axis: int) -> None:
        """Move the bodies along an axis to close the holes."""
        _cut(bodies, axis)
        spans = _spans(bodies, axis)
        rows = [(low, high, _spare(bodies[low], bodies[high], axis)) for low, high in in_sight(spans)]
        order = sorted(range(len(bodies)), key=lambda number: (*spans[number][:2], number))
        back = _allowed(order, rows)
        on = _allowed(order[::-1], [(high, low, spare) for low, high, spare in rows])
        for number, body in enumerate(bodies):
            step = (on[number] - back[number]) / 2
            body.now = body.now.moved(*((step, 0.0) if axis == 0 else (0.0, step)))

    def _set(self, body: _Body) -> None:
        """An element with all content, at the final place."""
        one, outset = body.id, self._inventory.size(body.id).outset
        was = self._found.get(one, self._former[one])
        if body.now[2:] == body.stood[2:]:
            x, y = was.x + floor(body.now.x - body.stood.x + HALF), was.y + floor(body.now.y - body.stood.y + HALF)
        else:
            x, y = float(floor(body.now.x + outset.left)), float(floor(body.now.y + outset.top))
        size = self._inventory.size(one) if one in self._folded else was
        self._found[one] = Box(x, y, size.width, size.height)
        for inner in self._content(one):
            self._found[inner] = self._found.get(inner, self._former[inner]).moved(x - was.x, y - was.y)

    def _content(self, one: str) -> Iterable[str]:
        for child in self._inventory.children.get(one, ()):
            if child in self._former:
                yield child
            yield from self._content(child)


def _strip(box: Box, axis: int, start: float, extent: float) -> Box:
    """A box with another extent on an axis."""
    return box._replace(x=start, width=extent) if axis == 0 else box._replace(y=start, height=extent)


def _fitted(was: Box, axis: int, bodies: Iterable[_Body]) -> tuple[float, float]:
    """The start and the extent of a container on an axis, with its former insets."""
    rows = [(body.stood, body.now) for body in bodies]
    held, now = union(stood for stood, _ in rows) or was, union(box for _, box in rows) or was
    return was[axis] + now[axis] - held[axis], was[axis + 2] + now[axis + 2] - held[axis + 2]


def _spans(bodies: Sequence[_Body], axis: int) -> list[AxisSpan]:
    """The former extents of bodies on an axis; across it, the extents before and after moves."""
    across = 1 - axis
    both = [union((body.was, body.now)) or body.was for body in bodies]
    return [
        (body.was[axis], body.was[axis] + body.was[axis + 2], hull[across], hull[across] + hull[across + 2])
        for body, hull in zip(bodies, both, strict=True)
    ]


def _cut(bodies: Sequence[_Body], axis: int) -> None:
    """Cut out the strips across an axis that only lost parts took; the node spacing between bodies stays."""
    spans = _spans(bodies, axis)
    taken = [(body.now[axis], body.now[axis] + body.now[axis + 2]) for body in bodies]
    taken += [(spans[low][1], min(spans[high][0], spans[low][1] + NODE_SPACING)) for low, high in in_sight(spans)]
    free = pairwise([(0.0, -inf), *_joined(taken), (inf, 0.0)])
    lost = _joined((body.was[axis], body.was[axis] + body.was[axis + 2]) for body in bodies if _lost(body, axis) > 0)
    rows = ((max(low, first), min(high, last)) for (_, low), (high, _) in free for first, last in lost)
    cuts = [(low, high) for low, high in rows if low < high]

    def moved(box: Box) -> Box:
        ends = box[axis], box[axis] + box[axis + 2]
        low, high = (at - fsum(min(at, last) - first for first, last in cuts if first < at) for at in ends)
        return _strip(box, axis, low, high - low)

    for body in bodies:
        body.was, body.now = moved(body.was), moved(body.now)


def _joined(rows: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    """The union of intervals, in order."""
    found: list[tuple[float, float]] = []
    for low, high in sorted(rows):
        if found and low <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], high)
        else:
            found.append((low, high))
    return found


def _lost(body: _Body, axis: int) -> float:
    """The extent that a body lost on an axis."""
    return body.was[axis + 2] - body.now[axis + 2]


def _spare(low: _Body, high: _Body, axis: int) -> float:
    """How far the facing sides of two bodies came apart, px."""
    behind = low.was[axis] + low.was[axis + 2] - low.now[axis] - low.now[axis + 2]
    return behind + high.now[axis] - high.was[axis]


def _allowed(order: Sequence[int], rows: Iterable[tuple[int, int, float]]) -> dict[int, float]:
    """The farthest allowed step of each body towards the first ones in the order; each row is a body, a later one, and
    by how much the later one may come nearer."""
    before: dict[int, list[tuple[int, float]]] = {}
    for first, second, spare in rows:
        before.setdefault(second, []).append((first, spare))
    found: dict[int, float] = {}
    for number in order:
        found[number] = min((found[first] + spare for first, spare in before.get(number, ())), default=0.0)
    return found
