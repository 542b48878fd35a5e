"""What lies behind a label: the lines that cross its place, and the ground without them. px."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from scenograph.engine.colors import over
from scenograph.engine.geometry.boxes import Box, Point, text_ground
from scenograph.engine.geometry.segments import crosses, quadratic
from scenograph.engine.geometry.spatial_index import Bounds, SpatialIndex, bounds_of
from scenograph.engine.geometry.tuples import maker
from scenograph.engine.tables import Route
from scenograph.scene.memo import Latest, MadeOf
from scenograph.scene.model import Color

FEW = 16  # lines looked at first; then so many times more
KEPT_GROUNDS = 4  # pages with their containers of the latest pictures
KEPT_PLACES = 1024  # places on each of these of which it is known what they lie on
KEPT_LINES = 2048  # of the latest pictures, as straight pieces
Patches = tuple[tuple[Box, Color], ...]


class Area(NamedTuple):
    """A painted container: where it is drawn, its fill with its opacity, and whether a border is seen."""

    id: str
    box: Box
    fill: Color
    bordered: bool
    header: Box | None = None


class Chord(NamedTuple):
    """A straight piece of a line, and the element it belongs to."""

    owner: str
    start: Point
    end: Point
    bounds: Bounds


class Behind(NamedTuple):
    """What lies behind a label: its ground as patches from back to front, and, where a line of another element runs
    through, that of a plate under it (else nothing)."""

    patches: Patches
    plate: Patches


class _Ground:
    """The page and the containers on it from back to front; what was asked about their places is kept."""

    def __init__(self, page: Color, areas: tuple[Area, ...]) -> None:
        self._page, self._areas = page, areas
        self._over = SpatialIndex(bounds_of(area.box) for area in areas)
        self._known: Latest[Box, Patches] = Latest(KEPT_PLACES)
        self.borders = [chord for area in areas for chord in _of_border(area)]

    def within(self, place: Box) -> Patches:
        """See `Backdrop.within`."""
        if not self._areas:
            return ((place, self._page),)
        return self._known.get(place) or self._known.put(place, self._within(place))

    def _within(self, place: Box) -> Patches:
        patches = [(place, self._page)]
        for number in sorted(self._over.near(*bounds_of(place))):
            area = self._areas[number]
            part = _common(place, area.box)
            if part is None or area.fill.alpha <= 0:
                continue
            if part == place and len(patches) == 1 and patches[0][1].alpha >= 1:
                patches = [(place, over(area.fill, patches[0][1]))]
            else:
                patches.append((part, area.fill))
        return tuple(patches)


class Backdrop:
    """The page, the containers on it from back to front, and the lines over them."""

    def __init__(
        self, page: Color, areas: Iterable[Area], routes: Mapping[str, Route], stems: Iterable[tuple[str, Box]] = ()
    ) -> None:
        key = page, tuple(areas)
        self._ground = _GROUNDS.get(key) or _GROUNDS.put(key, _Ground(*key))
        bars = (chord for owner, box in stems for chord in _round(owner, box))
        lines = (chord for edge_id, route in routes.items() for chord in _of_route(edge_id, route))
        self._chords = [*lines, *self._ground.borders, *bars]
        self._index = SpatialIndex([chord.bounds for chord in self._chords])

    def is_crossed(self, place: Box, by_others_than: str) -> bool:
        """Whether a line that belongs to another element than that one runs through a place."""
        region, most, looked = bounds_of(place), FEW, 0
        while True:  # where thousands of lines pass, one of the first few crosses most likely
            near = self._index.near(*region, most=most)
            found = (self._chords[number] for number in near[looked:])
            if any(chord.owner != by_others_than and crosses(chord.start, chord.end, region) for chord in found):
                return True
            if len(near) < most:
                return False
            most, looked = most * FEW, most

    def behind(self, label: Box, owner: str) -> Behind:
        """What lies behind a label of an element."""
        plate = self.within(text_ground(label)) if self.is_crossed(label, owner) else ()
        return Behind(self.within(label), plate)

    def within(self, place: Box) -> Patches:
        """The ground of a place as patches, from back to front: one where it is the same all over."""
        return self._ground.within(place)


def _of_route(edge_id: str, route: Route) -> tuple[Chord, ...]:
    points, given = route.points, (edge_id, route.router)
    known = _CHORDS.get(points, given)
    if known is not None:
        return known
    drawn = quadratic(*points) if route.router == "curved" and len(points) == 3 else points
    return _CHORDS.put(points, given, tuple([_chord(edge_id, start, end) for start, end in pairwise(drawn)]))


def _of_border(area: Area) -> Iterator[Chord]:
    for box in (area.box, area.header) if area.bordered else ():
        if box is not None:
            yield from _round(area.id, box)


def _round(owner: str, box: Box) -> Iterator[Chord]:
    corners = (
        Point(box.x, box.y),
        Point(box.right, box.y),
        Point(box.right, box.bottom),
        Point(box.x, box.bottom),
    )
    for start, end in pairwise((*corners, corners[0])):
        yield _chord(owner, start, end)


def _chord(owner: str, start: Point, end: Point) -> Chord:
    (ax, ay), (bx, by) = start, end
    left, right = (ax, bx) if ax <= bx else (bx, ax)
    top, bottom = (ay, by) if ay <= by else (by, ay)
    return _new_chord((owner, start, end, _new_bounds((left, top, right, bottom))))


def _common(one: Box, other: Box) -> Box | None:
    left, top = max(one.x, other.x), max(one.y, other.y)
    right, bottom = min(one.right, other.right), min(one.bottom, other.bottom)
    if right <= left or bottom <= top:
        return None
    return one if other.contains(one) else Box(left, top, right - left, bottom - top)


_new_chord, _new_bounds = maker(Chord), maker(Bounds)
_GROUNDS: Latest[tuple[Color, tuple[Area, ...]], _Ground] = Latest(KEPT_GROUNDS)
_CHORDS: MadeOf[tuple[Chord, ...]] = MadeOf(KEPT_LINES)
