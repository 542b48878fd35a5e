"""The input of a painter: the laid-out scene, its page, and the ground behind labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from scenograph.engine.colors import WHITE, over
from scenograph.engine.families.catalog import frame_kind
from scenograph.engine.geometry.boxes import Box, Point, text_ground
from scenograph.engine.geometry.paths import crisp_box, quadratic
from scenograph.engine.geometry.spatial_index import SpatialIndex, bounds_of
from scenograph.engine.kernels.straight_lines import PlacedLine as Line
from scenograph.engine.kernels.straight_lines import crossed_places
from scenograph.engine.tables import NO_PARTS, DrawnRoute, FinishedStyle, LaidOutScene
from scenograph.late_dataclasses import dataclass
from scenograph.scene.model import Color, Element, Frame, Group

# The ground behind a label: the lines that cross its place, and the fill without these lines. px.


Patches = tuple[tuple[Box, Color], ...]
Label = tuple[str, Box]
"""The element that a label belongs to, and the place of the label."""


class PaintedArea(NamedTuple):
    """A painted container: drawn box, fill including opacity, and visibility of the border."""

    id: str
    box: Box
    fill: Color
    bordered: bool
    header: Box | None = None


class Behind(NamedTuple):
    """The ground behind a label as patches from back to front. `plate`: the ground behind a plate for the label if a
    foreign route crosses, else empty."""

    patches: Patches
    plate: Patches


class Backdrop:
    """The page, its containers from back to front, and the routes over them."""

    def __init__(
        self,
        page: Color,
        areas: Iterable[PaintedArea],
        routes: Mapping[str, DrawnRoute],
        stems: Iterable[tuple[str, Box]] = (),
    ) -> None:
        self._page, self._areas = page, tuple(areas)
        self._over = SpatialIndex([bounds_of(area.box) for area in self._areas])
        self._blends: dict[tuple[int, Color], Color] = {}
        self._numbers: dict[str, int] = {}  # of the elements that own the routes
        self._lines = [*map(self._line, routes.items())]
        for area in self._areas:
            boxes = (area.box, area.header) if area.bordered else ()
            self._lines += [(self._number(area.id), _round(box)) for box in boxes if box is not None]
        self._lines += [(self._number(owner), _round(box)) for owner, box in stems]

    def _number(self, owner: str) -> int:
        return self._numbers.setdefault(owner, len(self._numbers))

    def _line(self, row: tuple[str, DrawnRoute]) -> Line:
        edge_id, route = row
        points = route.points
        if route.router == "curved" and len(points) == 3:
            points = quadratic(*points)
        return self._number(edge_id), points

    def behind(self, labels: Sequence[Label]) -> list[Behind]:
        """The ground behind the labels of elements."""
        places, owners = [bounds_of(place) for _, place in labels], [self._number(owner) for owner, _ in labels]
        crossed = crossed_places([*places], owners, self._lines)
        return [
            Behind(self.within(place), self.within(text_ground(place)) if has_line else ())
            for (_, place), has_line in zip(labels, crossed, strict=True)
        ]

    def within(self, place: Box) -> Patches:
        """The ground of a place as patches, from back to front: a single patch for a uniform ground."""
        patches = [(place, self._page)]
        for number in sorted(self._over.near(*bounds_of(place))) if self._areas else ():
            area = self._areas[number]
            part = _common(place, area.box)
            if part is None or area.fill.alpha <= 0:
                continue
            if part is place and len(patches) == 1 and patches[0][1].alpha >= 1:
                patches = [(place, self._blend(number, patches[0][1]))]
            else:
                patches.append((part, area.fill))
        return tuple(patches)

    def _blend(self, number: int, beneath: Color) -> Color:
        """The colour of a container on an opaque ground; cached, as grounds are few."""
        found = self._blends.get((number, beneath))
        if found is None:
            found = self._blends[number, beneath] = over(self._areas[number].fill, beneath)
        return found


def _round(box: Box) -> tuple[Point, ...]:
    """The way round a box."""
    left, top, width, height = box
    right, bottom = left + width, top + height
    start = Point(left, top)
    return start, Point(right, top), Point(right, bottom), Point(left, bottom), start


def _common(one: Box, other: Box) -> Box | None:
    """The intersection of two boxes, None if empty; the first box itself if wholly covered."""
    ax, ay, across, down = one
    bx, by, width, height = other
    left, top = max(ax, bx), max(ay, by)
    right, bottom = min(ax + across, bx + width), min(ay + down, by + height)
    if right <= left or bottom <= top:
        return None
    return one if other.contains(one) else Box(left, top, right - left, bottom - top)


STEMS = ("tail", "activation:")
"""Names of parts that are lines or bars behind the edges."""


@dataclass(frozen=True)
class Sheet:
    """A laid-out scene during drawing. `elements` are the visible elements in paint order."""

    laid_out: LaidOutScene
    page: Box
    elements: tuple[Element, ...]

    def box(self, element_id: str) -> Box | None:
        """The box of an element, None for an unplaced element."""
        return self.laid_out.placement.boxes.get(element_id)

    def style(self, element_id: str) -> FinishedStyle:
        """The finished style of an element."""
        return self.laid_out.styles.of[element_id]

    def stroke_width(self, element_id: str) -> float:
        """The width, px, of the visible stroke: 0 without a colour; in a visual diff the width of the border given by
        the change."""
        return self.laid_out.styles.seen_width(element_id)

    @cached_property
    def paper(self) -> Color:
        """The colour of the page, opaque."""
        return over(self.laid_out.styles.background, WHITE)

    @cached_property
    def behind(self) -> Mapping[str, tuple[Behind, ...]]:
        """The ground behind the labels of each labelled edge: first behind its own label, then behind the end
        labels."""
        labels = [(edge_id, place) for edge_id, route in self.laid_out.routes.items() for place in places_of(route)]
        found: dict[str, tuple[Behind, ...]] = {}
        for (edge_id, _), behind in zip(labels, self._backdrop.behind(labels), strict=True):
            found[edge_id] = (*found.get(edge_id, ()), behind)
        return found

    def grounds(self, element: Element) -> Mapping[str, Patches]:
        """The ground behind the texts of a frame that lies over other containers, by part; empty for other elements."""
        kind = frame_kind(element.container_type) if isinstance(element, Frame) else None
        if kind is None or not kind.rises:
            return {}
        parts = self.laid_out.placement.parts.get(element.id, NO_PARTS)
        return {name: self._backdrop.within(part) for name, part in parts.items() if part.height > 0}

    @cached_property
    def _backdrop(self) -> Backdrop:
        return Backdrop(self.laid_out.styles.background, self._areas(), self.laid_out.routes, self._stems())

    def _stems(self) -> Iterator[tuple[str, Box]]:
        """The stems of nodes (lines and bars behind the edges), by owner."""
        for element in self.elements:
            for name, part in self.laid_out.placement.parts.get(element.id, NO_PARTS).items():
                if name.startswith(STEMS):
                    yield element.id, part

    def _areas(self) -> Iterator[PaintedArea]:
        for element in self.elements:
            box = self.box(element.id)
            if box is None or not is_painted_container(element):
                continue
            style, width = self.style(element.id), self.stroke_width(element.id)
            fill = style.fill._replace(alpha=style.fill.alpha * style.opacity)
            header = self.laid_out.placement.part(element.id, "header")
            yield PaintedArea(element.id, crisp_box(box, width), fill, width > 0, header)


def places_of(route: DrawnRoute) -> tuple[Box, ...]:
    """The label boxes of an edge: its own label first, then the end labels."""
    places = (route.label, *route.end_labels)
    return tuple([place for place in places if place is not None])


def is_painted_container(element: Element) -> bool:
    """Whether a container is painted: a frame, or a group with a style. A group without a style draws nothing
    (R-ELEMENT-8)."""
    if isinstance(element, Group):
        return element.style is not None or element.style_id is not None
    return isinstance(element, Frame)
