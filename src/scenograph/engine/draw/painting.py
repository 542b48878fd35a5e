"""The drawing stage: a laid-out scene becomes paint.

In: a `LaidOutScene`. Out: a `Drawing` with a group for each visible element, and a further group for an edge's label.
Promises: paint order as in `order`; items contain no terms of the scene; all decisions come from the tables of earlier
stages.
"""

from __future__ import annotations

import math
from base64 import b64decode
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from scenograph.engine.colors import (
    BLACK,
    DARK_LUMINANCE,
    READABLE_CONTRAST,
    WHITE,
    contrast,
    mix,
    over,
    perceived_luminance,
    readable,
)
from scenograph.engine.draw.changes import bordered
from scenograph.engine.drawing import Drawing, DrawnGroup, DrawnItem, PathItem, PictureItem
from scenograph.engine.families.catalog import family_named, frame_kind, kind_of
from scenograph.engine.families.faces import border_item, glyph_items, inks_of, label_items, outline_item, shown_icon
from scenograph.engine.families.family import FrameFace, NodeFace, NodeKind
from scenograph.engine.geometry.boxes import Box, Point, text_ground
from scenograph.engine.geometry.paths import (
    Line,
    Move,
    Path,
    Segment,
    crisp,
    crisp_box,
    flatten,
    quadratic,
    rectangle,
    rounded_rectangle,
    segment,
)
from scenograph.engine.geometry.spatial_index import EVERY, SpatialIndex, bounds_of
from scenograph.engine.icons import find
from scenograph.engine.kernels.near_boxes import pairs_nearer
from scenograph.engine.kernels.straight_lines import PlacedLine, Rectangle, crossed_places
from scenograph.engine.markers import marker_named
from scenograph.engine.shapes import shape_named
from scenograph.engine.tables import NO_PARTS, DrawnRoute, FinishedStyle, LaidOutScene, Size
from scenograph.engine.text.blocks import TextBlock
from scenograph.engine.text_in_shapes import text_item, upward_text_item
from scenograph.engine.themes import DEFAULT_THEME, THEMES
from scenograph.late_dataclasses import dataclass, replace
from scenograph.scene.document_index import ancestors
from scenograph.scene.image_data import pixel_size, split_href
from scenograph.scene.limits import LIMITS
from scenograph.scene.memo import Latest, Remembered, kept
from scenograph.scene.model import (
    Asset,
    Color,
    Edge,
    Element,
    Frame,
    Group,
    Guide,
    Image,
    Linked,
    Node,
    Scene,
    Text,
    words_of,
)

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


class _Ground:
    """The page and its containers from back to front, without the routes. Kept from picture to picture."""

    def __init__(self, page: Color, areas: tuple[PaintedArea, ...]) -> None:
        self._page, self._areas = page, areas
        self._over = SpatialIndex([bounds_of(area.box) for area in areas])
        self._blends: dict[tuple[int, Color], Color] = {}
        self._known: Latest[Box, Patches] = Latest(KEPT_GROUNDS)

    def within(self, place: Box) -> Patches:
        """The ground of a place as patches, from back to front: a single patch for a uniform ground."""
        return self._known.get(place) or self._known.put(place, self._within(place))

    def _within(self, place: Box) -> Patches:
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


KEPT_GROUNDS = 1024  # of labels of the latest pictures
KEPT_PAGES = 8  # pages with the same containers
_GROUNDS: Latest[tuple[Color, tuple[PaintedArea, ...]], _Ground] = Latest(KEPT_PAGES)


class Backdrop:
    """The page, its containers from back to front, and the routes over them."""

    def __init__(
        self,
        page: Color,
        areas: Iterable[PaintedArea],
        routes: Mapping[str, DrawnRoute],
        stems: Iterable[tuple[str, Box]] = (),
    ) -> None:
        rows = tuple(areas)
        self._ground = _GROUNDS.get((page, rows)) or _GROUNDS.put((page, rows), _Ground(page, rows))
        self._numbers: dict[str, int] = {}  # of the elements that own the routes
        self._lines = [*map(self._line, routes.items())]
        for area in rows:
            boxes = (area.box, area.header) if area.bordered else ()
            self._lines += [(self._number(area.id), _round(box)) for box in boxes if box is not None]
        self._lines += [(self._number(owner), _round(box)) for owner, box in stems]

    def _number(self, owner: str) -> int:
        return self._numbers.setdefault(owner, len(self._numbers))

    def _line(self, row: tuple[str, DrawnRoute]) -> PlacedLine:
        edge_id, route = row
        points = route.points
        if route.router == "curved" and len(points) == 3:
            points = quadratic(*points)
        return self._number(edge_id), points

    def behind(self, labels: Sequence[Label]) -> list[Behind]:
        """The ground behind the labels of elements."""
        places, owners = [bounds_of(place) for _, place in labels], [self._number(owner) for owner, _ in labels]
        crossed = crossed_places([*places], owners, self._lines)
        within = self.within
        return [
            Behind(within(place), within(text_ground(place)) if has_line else ())
            for (_, place), has_line in zip(labels, crossed, strict=True)
        ]

    def within(self, place: Box) -> Patches:
        """The ground of a place as patches, from back to front: a single patch for a uniform ground."""
        return self._ground.within(place)


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


# The input of a painter: the laid-out scene, its page, and the ground behind labels.


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
        """The ground behind the texts of a frame over foreign containers, by part; empty for any other element."""
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
            if box is None or not _is_painted_container(element):
                continue
            style, width = self.style(element.id), self.stroke_width(element.id)
            fill = style.fill._replace(alpha=style.fill.alpha * style.opacity)
            header = self.laid_out.placement.part(element.id, "header")
            yield PaintedArea(element.id, crisp_box(box, width), fill, width > 0, header)


def places_of(route: DrawnRoute) -> tuple[Box, ...]:
    """The label boxes of an edge: its own label first, then the end labels."""
    places = (route.label, *route.end_labels)
    return tuple([place for place in places if place is not None])


def _is_painted_container(element: Element) -> bool:
    """Whether a container is painted: a frame, or a group with a style. A group without a style draws nothing
    (R-ELEMENT-8)."""
    if isinstance(element, Group):
        return element.style is not None or element.style_id is not None
    return isinstance(element, Frame)


# The parts of a node: outline, strokes over the outline, glyph, icon, label. px.


FOOT, IN_FOOT = "foot", "foot:"
HATCH_STEP = 8.0  # px; sum of x and y from line to line
HATCH_SHARE = 0.22  # of the stroke's colour in the lines on the fill
HATCH_WIDTH = 1.0  # px
HATCH_INSET = 2.5  # px along both axes; from the outline, which wavers by hand
NO_SIZE = Size(width=0.0, height=0.0)


def _paint_node(sheet: Sheet, node: Node) -> tuple[DrawnGroup, ...]:
    """The node's group; nothing for a node without a place."""
    laid_out, key = sheet.laid_out, node.id
    place = laid_out.placement.boxes.get(key)
    if place is None:
        return ()
    style, width = laid_out.styles.of[key], laid_out.styles.seen_width(key)
    parts, size = laid_out.placement.parts.get(key, NO_PARTS), laid_out.sizes.get(key) or NO_SIZE
    face = NodeFace(node, crisp_box(place, width), size, parts, style, sheet.paper)
    stem, items = family_named(laid_out.scene.diagram_family).stem, list[DrawnItem]()
    if stem is not None:
        items.extend(stem(_on_sharp_lines(face, width)))
    items.extend(_painted(face))
    if FOOT in parts:
        items.extend(_painted(_in_foot(face, parts[FOOT], width)))
    return (DrawnGroup(key, node.kind, tuple(items), style.opacity),)


def _on_sharp_lines(face: NodeFace, width: float) -> NodeFace:
    return face._replace(parts={name: crisp_box(part, width) for name, part in face.parts.items()})


def _in_foot(face: NodeFace, foot: Box, width: float) -> NodeFace:
    """The node repeated in its part `foot`, with the parts named `foot:…`."""
    inner = {name.removeprefix(IN_FOOT): part for name, part in face.parts.items() if name.startswith(IN_FOOT)}
    return face._replace(box=crisp_box(foot, width), parts=inner)


def _painted(face: NodeFace) -> Iterable[DrawnItem]:
    kind = kind_of(face.node)
    if paint := kind.paint:
        return paint(face)
    items = _body(face.node, face.box, face.style)
    if kind.glyph is not None:
        items.extend(glyph_items(kind.glyph(face.box), face.style))
    if kind.marks is not None:
        items.extend(glyph_items(kind.marks(face.node, face.box), face.style))
    items.extend(_icon(kind, face))
    items.extend(label_items(face))
    return items


def _body(node: Node, box: Box, style: FinishedStyle) -> list[DrawnItem]:
    shape = shape_named(node.shape)
    outline = outline_item(shape.outline(box, style.corner_radius), style)
    items: list[DrawnItem] = [outline]
    if style.hatched:
        items.append(_hatching(outline.path, box, style))
    for path in shape.details(box):
        items.append(PathItem(path=path, stroke=style.stroke, stroke_width=style.stroke_width, is_outline=True))
    return items


def _hatching(outline: Path, box: Box, style: FinishedStyle) -> PathItem:
    """Slanted lines within an outline, clear of the stroke, pale enough for text on top."""
    (corners,) = flatten(outline)
    lines: list[Segment] = []
    for level in range(1, math.ceil((box.width + box.height) / HATCH_STEP)):
        met = _met_by_slant(corners, box.x + box.y + level * HATCH_STEP)
        for start, end in zip(met[::2], met[1::2], strict=False):
            if end.x - start.x > 2 * HATCH_INSET:
                lines.append(Move(Point(start.x + HATCH_INSET, start.y - HATCH_INSET)))
                lines.append(Line(Point(end.x - HATCH_INSET, end.y + HATCH_INSET)))
    tint = mix(style.fill, style.stroke, HATCH_SHARE)
    return PathItem(path=tuple(lines), stroke=tint, stroke_width=HATCH_WIDTH)


def _met_by_slant(corners: Sequence[Point], level: float) -> list[Point]:
    """The points of a closed polygon with x + y = `level`, from left to right."""
    met: list[Point] = []
    for (ax, ay), (bx, by) in zip(corners, (*corners[1:], corners[0]), strict=True):
        before, after = ax + ay - level, bx + by - level
        if (before < 0) != (after < 0):
            share = before / (before - after)
            met.append(Point(ax + share * (bx - ax), ay + share * (by - ay)))
    return sorted(met)


def _ground_of(style: FinishedStyle) -> Color:
    """The ground of an icon: the fill over a page assumed dark when the text is light."""
    light_text = perceived_luminance(style.text_color) >= DARK_LUMINANCE
    return over(style.fill, BLACK if light_text else WHITE)


def _icon(kind: NodeKind, face: NodeFace) -> tuple[DrawnItem, ...]:
    """The registered icon, else the symbol of the node type, in the part `icon` if an earlier stage reserved one."""
    key, part = face.node.icon, face.parts.get("icon")
    if part is None:
        return ()
    icon, symbol = find(key) if key else None, kind.symbol
    if icon is not None:
        return icon.items(part, face.style.text_color, _ground_of(face.style))
    return tuple(glyph_items(symbol(part), face.style)) if symbol is not None else ()


# Letters on a ground other than their style's: an edge from a light frame onto a dark page has one style and labels on
# both grounds, a fragment of a sequence lies over boxes that do not hold it. In: the style, the ground of the place.
# Out: the style with readable colours, and a plate if no colour is readable on the whole ground. Colours by the author
# stay. px.


_MUTED_SHARE = 0.25  # how far quiet text fades toward its ground


def _legible(sheet: Sheet, style: FinishedStyle, place: Box, patches: Patches) -> tuple[FinishedStyle, Color | None]:
    """The style of letters on the ground of their place, and the colour of the plate needed for legibility."""
    grounds = _grounds(patches, place)
    if all(_reads(style.text_color, ground) for ground in grounds):
        return style, None
    theme = THEMES.get(sheet.laid_out.styles.theme) or THEMES[DEFAULT_THEME]
    inks = (style.text_color, *theme.inks)
    for ink in inks:
        if all(_reads(ink, ground) for ground in grounds):
            return _inked(style, ink, grounds[-1]), None
    return _inked(style, readable(inks, grounds[-1]), grounds[-1]), grounds[-1] if len(grounds) > 1 else None


def _grounds(patches: Patches, place: Box) -> list[Color]:
    """The visible colours behind a place, from back to front; colours wholly covered by a patch are left out."""
    first, *others = patches
    seen = over(first[1], THEMES[DEFAULT_THEME].background)
    grounds = [] if any(part.contains(place) for part, _ in others) else [seen]
    for _, color in others:
        seen = over(color, seen)
        grounds.append(seen)
    return grounds


def _is_authored(sheet: Sheet, element: Element) -> bool:
    """Whether the author chose the colours of an element's letters."""
    style = element.style or sheet.laid_out.scene.styles.get(element.style_id or "")
    return style is not None and (style.text_color is not None or style.label_background is not None)


def _reads(ink: Color, ground: Color) -> bool:
    return contrast(over(ink, ground), ground) >= READABLE_CONTRAST


def _inked(style: FinishedStyle, ink: Color, ground: Color) -> FinishedStyle:
    quiet = style.muted_color
    muted = quiet if _reads(quiet, ground) else readable((mix(ink, ground, _MUTED_SHARE), ink), ground)
    return replace(style, text_color=ink, muted_color=muted)


# An edge: its route with markers, and separately its label. px. Routing has finished the route: the line stops before
# markers and leaves a gap for its label, hence nothing needs hiding. A label stands on a plate only over another route
# or a border, or on the author's request.


LABEL_ROLE = "label"
_END_TEXTS = ("from", "to")
PLATE_RADIUS = 3.0  # px; of the ground behind a label


def _paint_edge(sheet: Sheet, edge: Edge) -> tuple[DrawnGroup, ...]:
    """The edge's route with its markers; nothing for an edge without a route."""
    route = sheet.laid_out.routes.get(edge.id)
    if route is None or route.tips is None:
        return ()
    style = sheet.style(edge.id)
    stroke, width = style.stroke, style.stroke_width
    items: list[DrawnItem] = []
    if route.line:
        items.append(PathItem(route.line, None, stroke, width, style.dash))
    for name, (at, direction) in zip((edge.start_arrow, edge.end_arrow), route.tips, strict=True):
        for path, filled, thickness in marker_named(name).paint(at, direction, width):
            items.append(PathItem(path, stroke) if filled else PathItem(path, None, stroke, thickness))
    return (DrawnGroup(edge.id, edge.kind, tuple(items), style.opacity),)


def _paint_edge_label(sheet: Sheet, edge: Edge) -> tuple[DrawnGroup, ...]:
    """The edge's label and end labels, each on a plate where a route passes behind; empty without labels."""
    route, size = sheet.laid_out.routes.get(edge.id), sheet.laid_out.sizes.get(edge.id)
    if route is None or size is None:
        return ()
    rows = ((size.label, route.label), *zip(map(size.texts.get, _END_TEXTS), route.end_labels, strict=True))
    shown = [(block, place) for block, place in rows if place is not None]
    return tuple(
        _label_group(sheet, edge, block, place, behind)
        for (block, place), behind in zip(shown, sheet.behind.get(edge.id, ()), strict=True)
        if block is not None and block.lines
    )


def _label_group(sheet: Sheet, edge: Edge, block: TextBlock, place: Box, behind: Behind) -> DrawnGroup:
    style, ground = sheet.style(edge.id), None
    if not _is_authored(sheet, edge):
        style, ground = _legible(sheet, style, place, behind.patches)
    plate = tuple(_plate(style, place, ground, behind.plate))
    if plate and style.label_background.alpha <= 0:
        style = _faded_text(style)
    items = (*plate, text_item(block, place, style))
    return DrawnGroup(id=edge.id, kind=edge.kind, items=items, opacity=style.opacity, role=LABEL_ROLE)


def _plate(style: FinishedStyle, label: Box, needed: Color | None, bare: Patches) -> Iterator[DrawnItem]:
    """The plate behind a label: in the authored colour or the colour needed for legibility, else the bare ground where
    a route must be covered."""
    asked = style.label_background
    color = asked if asked.alpha > 0 else needed
    if color is not None:
        yield _ground_item(label, color)
        return
    for part, ground in bare:
        yield PathItem(path=rectangle(part), fill=ground)


def _ground_item(label: Box, color: Color) -> PathItem:
    return PathItem(path=rounded_rectangle(text_ground(label), PLATE_RADIUS), fill=color)


def _faded_text(style: FinishedStyle) -> FinishedStyle:
    """The style with its opacity moved into the letters: bare ground over a route must not let the route shine
    through."""
    text, muted = style.text_color, style.muted_color
    return replace(
        style,
        text_color=text._replace(alpha=text.alpha * style.opacity),
        muted_color=muted._replace(alpha=muted.alpha * style.opacity),
        opacity=1.0,
    )


# Frames and groups: a border, an optional header band, a title. px. A line separates the header band (part `header`)
# from the content. In an upright band at the left, the title reads upwards (R-POOL-2).


def _paint_frame(sheet: Sheet, frame: Frame) -> tuple[DrawnGroup, ...]:
    """The frame's group without its content; nothing for an unplaced frame."""
    return _container(sheet, frame)


def _paint_group(sheet: Sheet, group: Group) -> tuple[DrawnGroup, ...]:
    """The group's own paint; nothing for a group without a style."""
    return _container(sheet, group) if _is_painted_container(group) else ()


def _container(sheet: Sheet, element: Frame | Group) -> tuple[DrawnGroup, ...]:
    place = sheet.box(element.id)
    if place is None:
        return ()
    style = sheet.style(element.id)
    box = crisp_box(place, sheet.stroke_width(element.id))
    border = outline_item(rounded_rectangle(box, style.corner_radius), style)
    kind = frame_kind(element.container_type) if isinstance(element, Frame) else None
    borders = () if kind is not None and not kind.border else (border,)
    writing = (*_writing(sheet, element, box), *_title_icon(sheet, element))
    ruled = (*_head(sheet, element, box), *_cell(sheet, element.id), *_separator(sheet, element.id, box))
    items: tuple[DrawnItem, ...] = (*borders, *ruled, *writing)
    return (DrawnGroup(id=element.id, kind=element.kind, items=items, opacity=style.opacity),)


def _head(sheet: Sheet, element: Frame | Group, box: Box) -> Iterator[DrawnItem]:
    """The header band of a frame: in the authored accent colour, separated from the content by a line."""
    head = sheet.laid_out.placement.part(element.id, "head")
    if head is None:
        return
    style, accent = sheet.style(element.id), element.style.accent_color if element.style is not None else None
    y = crisp(head.bottom, style.stroke_width)
    inner = style.stroke_width / 2
    if accent is not None:
        band = Box(box.x + inner, box.y + inner, max(box.width - 2 * inner, 0.0), max(y - box.y - inner, 0.0))
        yield PathItem(path=rounded_rectangle(band, max(style.corner_radius - inner, 0.0)), fill=accent)
    yield PathItem(segment(Point(box.x, y), Point(box.right, y)), None, style.stroke, style.stroke_width, style.dash)


def _cell(sheet: Sheet, element_id: str) -> Iterator[DrawnItem]:
    """The header cell of a lane's title: a pale ground inside the lane's border."""
    cell, style = sheet.laid_out.placement.part(element_id, "cell"), sheet.style(element_id)
    ground = None if cell is None else inks_of(replace(style, fill=over(style.fill, sheet.paper))).band
    if cell is not None and ground is not None:
        yield PathItem(path=rectangle(crisp_box(cell, style.stroke_width).grown(-style.stroke_width / 2)), fill=ground)


def _separator(sheet: Sheet, element_id: str, box: Box) -> Iterator[DrawnItem]:
    header = sheet.laid_out.placement.part(element_id, "header")
    if header is None:
        return
    style = sheet.style(element_id)
    if _is_upright(header):
        x = crisp(header.right, style.stroke_width)
        path = segment(Point(x, box.y), Point(x, box.bottom))
    else:
        y = crisp(header.bottom, style.stroke_width)
        path = segment(Point(box.x, y), Point(box.right, y))
    yield PathItem(path=path, stroke=style.stroke, stroke_width=style.stroke_width, is_outline=True)


def _writing(sheet: Sheet, element: Frame | Group, box: Box) -> Iterator[DrawnItem]:
    """The items painted by the container type; otherwise the title."""
    kind = frame_kind(element.container_type) if isinstance(element, Frame) else None
    size = sheet.laid_out.sizes.get(element.id)
    if kind is None or size is None or not isinstance(element, Frame):
        return _title(sheet, element.id)
    if kind.paint is None:
        marks = () if kind.marks is None else glyph_items(kind.marks(element, box), sheet.style(element.id))
        return chain(marks, _title(sheet, element.id))
    parts = sheet.laid_out.placement.parts.get(element.id, NO_PARTS)
    width = sheet.stroke_width(element.id)
    sharp = {name: crisp_box(part, width) if name not in size.texts else part for name, part in parts.items()}
    style, grounds, chosen = sheet.style(element.id), sheet.grounds(element), _is_authored(sheet, element)

    def written(name: str, block: TextBlock) -> Iterator[DrawnItem]:
        letters, plate = style, None
        if name in grounds and not chosen:
            letters, plate = _legible(sheet, style, sharp[name], grounds[name])
        if plate is not None:
            yield _ground_item(sharp[name], plate)
        yield text_item(block, sharp[name], letters, "start")

    return kind.paint(
        FrameFace(frame=element, box=box, size=size, parts=sharp, style=style, page=sheet.paper, written=written)
    )


def _title(sheet: Sheet, element_id: str) -> Iterator[DrawnItem]:
    size, placement = sheet.laid_out.sizes.get(element_id), sheet.laid_out.placement
    if size is None or size.label is None or not size.label.lines:
        return
    header, title = placement.part(element_id, "header"), placement.part(element_id, "title")
    style = sheet.style(element_id)
    if header is not None:
        written = upward_text_item if _is_upright(header) else text_item
        yield written(size.label, header, style)
    elif title is not None:
        yield text_item(size.label, title, style, "start")


def _title_icon(sheet: Sheet, element: Frame | Group) -> tuple[DrawnItem, ...]:
    """The icon of a frame at the beginning of its title: at the left, or below a title that reads upwards."""
    icon = shown_icon(element) if isinstance(element, Frame) else None
    size, placement = sheet.laid_out.sizes.get(element.id), sheet.laid_out.placement
    title, header = placement.part(element.id, "title"), placement.part(element.id, "header")
    if icon is None or size is None or title is None or not size.icon:
        return ()
    side, style = size.icon, sheet.style(element.id)
    if header is not None and _is_upright(header):
        box = Box(title.center.x - side / 2, title.bottom - side, side, side)
    else:
        box = Box(title.x, title.center.y - side / 2, side, side)
    return icon.items(box, style.text_color, _ground_of(style))


def _is_upright(header: Box) -> bool:
    return header.height > header.width


# The raster picture of an image element, if safe to draw (R-ELEMENT-10).


_MAX_PIXELS = LIMITS.image_pixels
_CACHED_RASTERS = 16  # images kept; they are large


class Raster(NamedTuple):
    """A drawable raster picture: its media type, base64 data, and width and height in pixels."""

    mime_type: str
    data: str
    pixels: tuple[int, int]


def raster_of(image: Image, assets: Mapping[str, Asset]) -> Raster | None:
    """The raster picture of an image element; None without a picture, or when the data do not match the declared
    type."""
    asset = assets.get(image.asset_id) if image.asset_id is not None else None
    if asset is not None:
        return _raster(asset.mime_type, asset.data)
    parts = split_href(image.href) if image.href is not None else None
    return _raster(*parts) if parts is not None else None


@lru_cache(maxsize=_CACHED_RASTERS)
def _raster(mime_type: str, data: str) -> Raster | None:
    try:
        pixels = pixel_size(mime_type, b64decode(data, validate=True))
    except ValueError:
        return None
    if pixels is None or pixels[0] * pixels[1] > _MAX_PIXELS:
        return None
    return Raster(mime_type, data, pixels)


# Elements beside the diagram: free text, pictures, guides. px.


def _paint_text(sheet: Sheet, text: Text) -> tuple[DrawnGroup, ...]:
    """A text, with a box if the style says so."""
    place, size = sheet.box(text.id), sheet.laid_out.sizes.get(text.id)
    if place is None:
        return ()
    style = sheet.style(text.id)
    items = list(_panel(crisp_box(place, sheet.stroke_width(text.id)), style))
    if size is not None and size.label is not None and size.label.lines:
        items.append(text_item(size.label, sheet.laid_out.placement.part(text.id, "label") or place, style, text.align))
    return (DrawnGroup(id=text.id, kind=text.kind, items=tuple(items), opacity=style.opacity),)


def _paint_image(sheet: Sheet, image: Image) -> tuple[DrawnGroup, ...]:
    """A raster picture, or a crossed box without a drawable picture."""
    place = sheet.box(image.id)
    if place is None:
        return ()
    style = sheet.style(image.id)
    raster = raster_of(image, sheet.laid_out.scene.assets)
    if raster is None:
        items = tuple(_missing(crisp_box(place, 1.0), style))
    else:
        mime_type, data, pixels = raster
        items = (PictureItem(box=place, mime_type=mime_type, data=data, pixels=pixels, fit=image.fit, alt=image.alt),)
    return (DrawnGroup(id=image.id, kind=image.kind, items=items, opacity=style.opacity),)


def _paint_guide(sheet: Sheet, guide: Guide) -> tuple[DrawnGroup, ...]:
    """A thin dashed line across the page; nothing for a guide off the page."""
    page, style = sheet.page, sheet.style(guide.id)
    at = crisp(guide.position, style.stroke_width)
    if guide.orientation == "vertical":
        ends = Point(at, page.y), Point(at, page.bottom)
        seen = page.x <= at <= page.right
    else:
        ends = Point(page.x, at), Point(page.right, at)
        seen = page.y <= at <= page.bottom
    if not seen:
        return ()
    line = border_item(segment(*ends), style)
    return (DrawnGroup(id=guide.id, kind=guide.kind, items=(line,), opacity=style.opacity),)


def _panel(box: Box, style: FinishedStyle) -> Iterator[DrawnItem]:
    if style.fill.alpha > 0 or (style.stroke.alpha > 0 and style.stroke_width > 0):
        yield outline_item(rounded_rectangle(box, style.corner_radius), style)


def _missing(box: Box, style: FinishedStyle) -> Iterator[DrawnItem]:
    quiet = style.muted_color
    corners = Point(box.x, box.y), Point(box.right, box.bottom), Point(box.x, box.bottom), Point(box.right, box.y)
    yield PathItem(path=rounded_rectangle(box, 0.0), stroke=quiet, stroke_width=1.0)
    yield PathItem(path=segment(*corners[:2]), stroke=quiet, stroke_width=1.0)
    yield PathItem(path=segment(*corners[2:]), stroke=quiet, stroke_width=1.0)


# The painting order (R-PAINT-1). `zIndex` comes first. Among equals: containers, outer before inner, and after these
# the rising containers (a fragment of a sequence over the boxes round its lifelines) with their content; nodes, an
# enclosing node before its enclosed nodes (an expanded sub-process with steps placed inside); edges; edge labels; then
# texts, images and guides. Remaining ties keep document order.


_EDGE_LABEL = "edgeLabel"
LAYERS: Mapping[str, int] = MappingProxyType(
    {"frame": 0, "group": 0, "node": 1, "edge": 2, _EDGE_LABEL: 3, "text": 4, "image": 4, "guide": 4}
)

RANKS: Mapping[str, int] = MappingProxyType({"removed": 0})
MOST_HOLDERS = 200  # only the largest nodes are looked at: none of a crowd is asked about all the others
TOUCHING = 0.01  # px; boxes nearer than this count as touching
NOWHERE: Mapping[str, Box] = MappingProxyType({})
_LINE_RANKS: Mapping[str, int] = MappingProxyType({"unchanged": 0, "removed": 1})


class PaintStep(NamedTuple):
    """One paint step: a painter (a key of LAYERS) and the element to paint."""

    layer: str
    element: Element


def paint_order(
    scene: Scene, changes: Mapping[str, str] | None = None, boxes: Mapping[str, Box] = NOWHERE
) -> tuple[PaintStep, ...]:
    """The paint steps of all visible elements, from back to front; `boxes` are the places by id. In a visual diff
    (`changes`: id → change) removed elements lie below their kind; among edges, which may overlap, changed edges lie on
    top."""
    heights = _heights(scene.elements) | _depths(scene.elements, boxes)
    rows: list[tuple[float, int, bool, float, int, int, PaintStep]] = []
    for element in scene.elements:
        kind = element.kind
        if kind not in LAYERS or not element.visible:
            continue
        height = heights.get(element.id)
        rises, depth = (_rises(element), 0.0) if height is None else height
        # Ties keep document order.
        for layer in (kind, _EDGE_LABEL) if kind == "edge" else (kind,):
            rank = _rank(layer, element, changes) if changes else 0
            rows.append((element.z_index, LAYERS[layer], rises, depth, rank, len(rows), PaintStep(layer, element)))
    rows.sort()
    return tuple([row[-1] for row in rows])


def _heights(elements: Iterable[Element]) -> dict[str, tuple[bool, float]]:
    """For each container: whether the container or an ancestor rises, and the number of its ancestors. A group lies
    half a step deeper than a frame beside it."""
    containers = {element.id: element for element in elements if isinstance(element, Frame | Group)}
    parents = {child: parent for parent, element in containers.items() for child in element.children}
    found: dict[str, tuple[bool, float]] = {}
    for key, element in containers.items():
        chain = [key, *ancestors(key, parents.get)]
        found[key] = any(_rises(containers[one]) for one in chain), len(chain) - 1 + isinstance(element, Group) / 2
    return found


def _depths(elements: Iterable[Element], boxes: Mapping[str, Box]) -> dict[str, tuple[bool, float]]:
    """For each node wholly within larger nodes: whether the node rises, and the number of enclosing nodes."""
    nodes = [element for element in elements if isinstance(element, Node) and element.visible and element.id in boxes]
    nodes.sort(key=lambda node: -_area(boxes[node.id]))
    rows: list[Rectangle] = [boxes[node.id] for node in nodes]
    may_hold = [number < MOST_HOLDERS for number in range(len(nodes))]
    found: Counter[str] = Counter()
    for first, second in pairs_nearer(rows, may_hold, TOUCHING, TOUCHING, EVERY):  # the first is no smaller
        holder, node = boxes[nodes[first].id], boxes[nodes[second].id]
        if may_hold[first] and _area(node) < _area(holder) and holder.contains(node):
            found[nodes[second].id] += 1
    return {node.id: (_rises(node), float(found[node.id])) for node in nodes if node.id in found}


def _area(box: Box) -> float:
    return box.width * box.height


def _rises(element: Element) -> bool:
    """Whether an element lies over its kind: a note over lifelines, an attached node over its host, a fragment over the
    boxes round lifelines."""
    if isinstance(element, Node):
        return kind_of(element).rises or element.attached_to is not None
    kind = frame_kind(element.container_type) if isinstance(element, Frame) else None
    return kind is not None and kind.rises


def _rank(layer: str, element: Element, changes: Mapping[str, str]) -> int:
    ranks = _LINE_RANKS if layer == "edge" else RANKS
    return ranks.get(changes.get(element.id, ""), len(ranks))


# The content of a picture in words, for people who do not see the picture: counts, names, and the edges between named
# elements; of bounded length.


T = TypeVar("T")

MAX_NAMES = 60  # elements named; the rest is counted
MAX_NAME_LENGTH = 60  # characters
KEPT_WORDS = 1024  # names of the latest pictures
MAX_LENGTH = 2000  # characters; a description is read aloud
_COUNTED = ("node", "edge", "frame", "text", "image")
_DIFFERING = ("added", "removed", "modified")
_CUT = "…"


def describe(scene: Scene, changes: Mapping[str, str] | None = None) -> str:
    """A description of at most `MAX_LENGTH` characters in one paragraph; in a visual diff (`changes`: id → change) the
    differences come first."""
    elements = [element for element in scene.elements if element.visible]
    by_id = {element.id: element for element in elements}

    def connection(edge: Edge) -> str:
        ends = [_name(by_id[end]) if end in by_id else end for end in edge.ends]
        return " to ".join(ends) + (f" ({_flat(edge.label)})" if edge.label else "")

    def changed(key: str) -> str:
        return _name(by_id[key]) if key in by_id else _flat(key)

    parts = (
        *(_listed(change.capitalize(), rows, changed) for change, rows in _differing(changes or {})),
        _counts(elements),
        _listed("Nodes", [element for element in elements if isinstance(element, Node)], _name),
        _listed("Frames", [element for element in elements if isinstance(element, Frame)], _name),
        _listed("Connections", [element for element in elements if isinstance(element, Edge)], connection),
    )
    return _shortened(" ".join(part for part in parts if part), MAX_LENGTH)


def _differing(changes: Mapping[str, str]) -> Iterator[tuple[str, list[str]]]:
    for change in _DIFFERING:
        yield change, [key for key, what in changes.items() if what == change]


def _counts(elements: Iterable[Element]) -> str:
    counts = Counter(element.kind for element in elements)
    rows = [f"{counts[kind]} {kind}{'' if counts[kind] == 1 else 's'}" for kind in _COUNTED if counts[kind]]
    return f"Diagram with {', '.join(rows)}." if rows else "Empty diagram."


def _listed(heading: str, rows: Sequence[T], name_of: Callable[[T], str]) -> str:
    if not rows:
        return ""
    rest = f"; and {len(rows) - MAX_NAMES} more" if len(rows) > MAX_NAMES else ""
    return f"{heading}: {'; '.join(map(name_of, rows[:MAX_NAMES]))}{rest}."


def _name(element: Element) -> str:
    return _flat(words_of(element) or element.name or "") or _flat(element.id)


@lru_cache(maxsize=KEPT_WORDS)
def _flat(text: str) -> str:
    return _shortened(" ".join(text.split()), MAX_NAME_LENGTH)


def _shortened(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1].rstrip() + _CUT


_Painter = Callable[[Sheet, Any], tuple[DrawnGroup, ...]]
UNTITLED = "Diagram"

_PAINTERS: Mapping[str, _Painter] = {
    "frame": _paint_frame,
    "group": _paint_group,
    "node": _paint_node,
    "edge": _paint_edge,
    _EDGE_LABEL: _paint_edge_label,
    "text": _paint_text,
    "image": _paint_image,
    "guide": _paint_guide,
}


def draw(laid_out: LaidOutScene) -> Drawing:
    """Paint every element, from back to front."""
    changes, canvas = laid_out.changes, laid_out.canvas
    page = Box(canvas.origin.x, canvas.origin.y, canvas.width, canvas.height)
    turns = paint_order(laid_out.scene, changes, laid_out.placement.boxes)
    sheet = Sheet(laid_out, page, tuple(turn.element for turn in turns))
    return Drawing(
        page=page,
        background=laid_out.styles.background,
        groups=tuple([group for turn in turns for group in _painted_element(sheet, turn)]),
        title=laid_out.scene.title or UNTITLED,
        description=describe(laid_out.scene, changes),
    )


def _painted_element(sheet: Sheet, turn: PaintStep) -> Iterable[DrawnGroup]:
    """The groups of one paint step; taken from the cache for an element painted before with equal inputs."""
    layer, element = turn
    kept_as, memo = _KEPT_AS.get(layer), element.memo
    if kept_as is None or memo is None or sheet.laid_out.changes is not None:
        return _anew(sheet, turn)
    given = kept_as.material(sheet, element)
    groups = kept_as.groups.get(element, given)
    return kept_as.groups.put(element, given, tuple(map(kept, _anew(sheet, turn)))) if groups is None else groups


def _anew(sheet: Sheet, turn: PaintStep) -> tuple[DrawnGroup, ...]:
    layer, element = turn
    groups = _PAINTERS[layer](sheet, element)
    if isinstance(element, Linked) and (element.link is not None or element.tooltip):
        groups = tuple([_linked(group, element) for group in groups])
    changes = sheet.laid_out.changes
    change = None if changes is None else changes.get(element.id)
    if change is not None:
        boxes = (sheet.box(element.id), sheet.laid_out.placement.part(element.id, FOOT))
        groups = bordered(element, groups, tuple(box for box in boxes if box is not None), change)
    return tuple([_seen(group) for group in groups])


def _linked(group: DrawnGroup, element: Linked) -> DrawnGroup:
    """The group with the link and the tooltip of its element."""
    said = (element.tooltip, element.link.title if element.link else None)
    return group._replace(link=element.link, tooltip="\n".join(dict.fromkeys(filter(None, said))))


def _seen(group: DrawnGroup) -> DrawnGroup:
    """The group without invisible paths."""
    items = group.items
    for item in items:
        if type(item) is PathItem and _is_blank(item):
            return group._replace(items=tuple([item for item in items if not _is_blank(item)]))
    return group


def _is_blank(item: DrawnItem) -> bool:
    if type(item) is not PathItem:
        return False
    fill, stroke = item.fill, item.stroke
    if fill is not None and (type(fill) is not Color or fill.alpha > 0):
        return False
    return item.stroke_width <= 0 or stroke is None or (type(stroke) is Color and stroke.alpha <= 0)


def _of_box(sheet: Sheet, element: Element) -> tuple[object, ...]:
    """All inputs of the paint of a box besides the element."""
    laid_out, key = sheet.laid_out, element.id
    placement = laid_out.placement
    style, size = laid_out.styles.of.get(key), laid_out.sizes.get(key)
    page = laid_out.styles.background, laid_out.scene.diagram_family
    return style, size, placement.boxes.get(key), placement.parts.get(key), page


def _of_frame(sheet: Sheet, frame: Element) -> tuple[object, ...]:
    """All inputs of the paint of a frame besides the frame."""
    grounds = sheet.grounds(frame)
    letters = (grounds, _is_authored(sheet, frame), sheet.laid_out.styles.theme) if grounds else ()
    return *_of_box(sheet, frame), letters


def _of_line(sheet: Sheet, edge: Element) -> tuple[object, ...]:
    """All inputs of the paint of a route besides the edge."""
    route = sheet.laid_out.routes.get(edge.id)
    # Commands to the same point are equal, drawn or not; the line itself stays the same object from edit to edit.
    return sheet.laid_out.styles.of.get(edge.id), route, None if route is None else id(route.line)


def _of_labels(sheet: Sheet, edge: Element) -> tuple[object, ...]:
    """All inputs of the paint of edge labels besides the edge; empty without labels."""
    behind = sheet.behind.get(edge.id)
    if behind is None:
        return ()
    laid_out, key = sheet.laid_out, edge.id
    places = places_of(laid_out.routes[key])
    authored = _is_authored(sheet, edge)
    return laid_out.styles.of.get(key), laid_out.sizes.get(key), places, behind, authored, laid_out.styles.theme


class _KeptAs(NamedTuple):
    """The cache of a layer's paint, keyed by element and all other inputs."""

    material: Callable[[Sheet, Element], tuple[object, ...]]
    groups: Remembered[tuple[DrawnGroup, ...]]


_KEPT_AS = {
    **{layer: _KeptAs(_of_box, Remembered[tuple[DrawnGroup, ...]]()) for layer in ("group", "node", "text")},
    "frame": _KeptAs(_of_frame, Remembered[tuple[DrawnGroup, ...]]()),
    "edge": _KeptAs(_of_line, Remembered[tuple[DrawnGroup, ...]]()),
    _EDGE_LABEL: _KeptAs(_of_labels, Remembered[tuple[DrawnGroup, ...]]()),
}
"""By layer; what hangs on the assets or the page's size is painted anew each time."""
