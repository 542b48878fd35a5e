"""What lies behind a label: the lines that cross its place, and the ground without them. px."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from scenograph.engine.colors import over
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.segments import crosses, quadratic
from scenograph.engine.geometry.spatial_index import Bounds, SpatialIndex, bounds_of
from scenograph.engine.tables import Route
from scenograph.scene.model import Color

FEW = 16  # lines looked at first; then so many times more


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


class Backdrop:
    """The page, the containers on it from back to front, and the lines over them."""

    def __init__(
        self, page: Color, areas: Iterable[Area], routes: Mapping[str, Route], stems: Iterable[tuple[str, Box]] = ()
    ) -> None:
        self._page = page
        self._areas = tuple(areas)
        self._over = SpatialIndex(bounds_of(area.box) for area in self._areas)
        borders = (chord for area in self._areas for chord in _of_border(area))
        bars = (chord for owner, box in stems for chord in _round(owner, box))
        self._chords = [*_of_routes(routes), *borders, *bars]
        self._index = SpatialIndex([_bounds(chord) for chord in self._chords])

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

    def within(self, place: Box) -> tuple[tuple[Box, Color], ...]:
        """The ground of a place as patches, from back to front: one where it is the same all over."""
        patches = [(place, self._page)]
        if not self._areas:
            return tuple(patches)
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


def _of_routes(routes: Mapping[str, Route]) -> Iterator[Chord]:
    for edge_id, route in routes.items():
        points = route.points
        if route.router == "curved" and len(points) == 3:
            points = quadratic(*points)
        for start, end in pairwise(points):
            yield Chord(edge_id, start, end)


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
        yield Chord(owner, start, end)


def _bounds(chord: Chord) -> Bounds:
    _, (ax, ay), (bx, by) = chord
    left, right = (ax, bx) if ax <= bx else (bx, ax)
    top, bottom = (ay, by) if ay <= by else (by, ay)
    return Bounds(left, top, right, bottom)


def _common(one: Box, other: Box) -> Box | None:
    left, top = max(one.x, other.x), max(one.y, other.y)
    right, bottom = min(one.right, other.right), min(one.bottom, other.bottom)
    if right <= left or bottom <= top:
        return None
    return one if other.contains(one) else Box(left, top, right - left, bottom - top)
