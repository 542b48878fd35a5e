"""A drawing as the bytes of a PowerPoint file with one slide: shapes, texts, connectors and their order."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from math import dist, inf
from operator import sub
from typing import NamedTuple

from scenograph.engine.colors import WHITE, over
from scenograph.engine.drawing import BESIDE, DrawnGroup, DrawnItem, Paint, PathItem, PictureItem, TextItem, TextRun
from scenograph.engine.families.family import is_region
from scenograph.engine.geometry.boxes import Box, Point, union
from scenograph.engine.geometry.paths import Close, Move, Path, Quadratic, crosses, flatten, polyline, rectangle
from scenograph.engine.geometry.spatial_index import bounds_of
from scenograph.engine.icons.icon import moved
from scenograph.engine.markers import marker_named
from scenograph.engine.tables import DrawnRoute
from scenograph.engine.themes import THEMES
from scenograph.engine.write.foreign import (
    before_turning,
    box_of_lines,
    gaps,
    joined,
    lines_of,
    path_bounds,
    raster,
    vector_url,
)
from scenograph.engine.write.markup import Markup
from scenograph.engine.write.png import write_png
from scenograph.engine.write.pptx.office_xml import (
    EMU,
    FULL,
    MEDIA,
    NAMESPACES,
    TYPEFACES,
    FileNames,
    Hand,
    OwnOutline,
    Preset,
    Relations,
    SlideScale,
    TextFrame,
    el,
    fill,
    first_color,
    group_transform,
    line,
    open_geometry,
    own_geometry,
    packed,
    preset_geometry,
    preset_of,
    sides_of,
    text_body,
    transform,
)
from scenograph.engine.write.writer import WEIGHTS, ExportLosses, Finished, is_weighted
from scenograph.scene.model import Color, Edge, Element, Frame, Group, Image, Link, Node, Text

# The courses of edges as connectors: straight, bent with adjustments, or a line of its own. px.
#
# A bent preset begins along its first segment; PowerPoint turns and mirrors it for other directions (ECMA-376 part 1,
# 20.1.10.56; the formulas of `presetShapeDefinitions`).

HEADS: Mapping[str, str] = {"triangle": "triangle", "arrow": "arrow", "diamond": "diamond", "circle": "oval"}
"""Our markers by PowerPoint's own; all others are pictures."""
_LONG = frozenset({"diamond"})
_AXIS = 0.05  # px; segments with a smaller deviation are horizontal or vertical
_MOST_BENDS = 4
_THIN = 0.25
"""px; the least extent of a bent connector: adjustments are shares of it, and a connector without extent has none."""
_CURVE = 3


def head(side: str, marker: str | None) -> tuple[Markup, ...]:
    """A native line end; `side` is head (the start) or tail (the end)."""
    kind = HEADS.get(marker or "none")
    if kind is None:
        return ()
    return (el(f"a:{side}End", {"type": kind, "w": "med", "len": "lg" if kind in _LONG else "med"}),)


def _corners_of(route: DrawnRoute) -> list[Point]:
    """The corners of a route without repeated points and points within a straight stretch."""
    found: list[Point] = []
    for point in route.points:
        if found and dist(found[-1], point) <= _AXIS:
            continue
        if len(found) > 1 and _is_straight(found[-2], found[-1], point):
            found.pop()
        found.append(point)
    return found if len(found) > 1 else [route.points[0], route.points[-1]]


def _is_straight(a: Point, b: Point, c: Point) -> bool:
    across = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
    along = (b.x - a.x) * (c.x - b.x) + (b.y - a.y) * (c.y - b.y)
    return along > 0 and abs(across) <= _AXIS * dist(a, c)


def course(route: DrawnRoute, ruler: SlideScale) -> tuple[Markup, Markup]:
    """The place and the geometry of a connector from the first to the last point of a route."""
    if route.router == "curved" and len(route.points) == _CURVE:
        start, control, end = route.points
        return _free((Move(start), Quadratic(control, end)), start, end, ruler)
    points = _corners_of(route)
    if len(points) == 2:
        return _placed(points[0], points[1], ruler), preset_geometry("straightConnector1", {})
    if len(points) <= _MOST_BENDS + 2 and _is_bent(points):
        return _bent(points, ruler)
    return _free(polyline(points), points[0], points[-1], ruler)


def _is_bent(points: Sequence[Point]) -> bool:
    """Whether segments alternate between horizontal and vertical."""
    ways = [_way(a, b) for a, b in pairwise(points)]
    return all(ways) and all(a != b for a, b in pairwise(ways))


def _way(a: Point, b: Point) -> str:
    return "across" if abs(a.y - b.y) <= _AXIS else "down" if abs(a.x - b.x) <= _AXIS else ""


def _bent(points: Sequence[Point], ruler: SlideScale) -> tuple[Markup, Markup]:
    """A bent preset. In its own frame the first segment runs to the right and the end lies to the right and below."""
    start, end = points[0], points[-1]
    upright = _way(points[0], points[1]) == "down"
    along = [(point.y - start.y if upright else point.x - start.x) for point in points]
    aside = [(start.x - point.x if upright else point.y - start.y) for point in points]
    flips = {"flipH": along[-1] < -_AXIS, "flipV": aside[-1] < -_AXIS}
    width, height = max(abs(along[-1]), _THIN), max(abs(aside[-1]), _THIN)
    along = [-value if flips["flipH"] else value for value in along]
    aside = [-value if flips["flipV"] else value for value in aside]
    shares = [
        round((along[number] / width if number % 2 else aside[number] / height) * FULL)
        for number in range(1, len(points) - 2)
    ]
    middle = Point((start.x + end.x) / 2, (start.y + end.y) / 2)
    box = Box(middle.x - width / 2, middle.y - height / 2, width, height)
    mirrored = {name: 1 for name, is_flipped in flips.items() if is_flipped}
    adjustments = {f"adj{number}": share for number, share in enumerate(shares, 1)}
    geometry = preset_geometry(f"bentConnector{len(points) - 1}", adjustments)
    return transform(ruler, box, 90.0 if upright else 0.0, flips=mirrored), geometry


def _free(path: Path, first: Point, last: Point, ruler: SlideScale) -> tuple[Markup, Markup]:
    """A free line between two ends. The place is mirrored as for any connector, the path mirrored back."""
    right, bottom = max(first.x, last.x), max(first.y, last.y)
    corner = Point(min(first.x, last.x), min(first.y, last.y))

    def mirrored(at: Point) -> Point:
        x = corner.x + right - at.x if last.x < first.x else at.x
        return Point(x, corner.y + bottom - at.y if last.y < first.y else at.y)

    there = tuple(moved(segment, mirrored) for segment in path)
    return _placed(first, last, ruler), open_geometry(there, ruler._replace(origin=corner))


def _placed(first: Point, last: Point, ruler: SlideScale) -> Markup:
    box = Box(min(first.x, last.x), min(first.y, last.y), abs(last.x - first.x), abs(last.y - first.y))
    flips = {"flipH": last.x < first.x, "flipV": last.y < first.y}
    return transform(ruler, box, flips={name: 1 for name, is_flipped in flips.items() if is_flipped})


# A drawing as the bytes of a PowerPoint file with one slide.
#
# In: the laid-out scene and its drawing before any pen. Out: a `.pptx`. Promises: a node, frame or text is one native
# shape named by its id, grouped with its symbols and further texts; an edge is one connector, glued to both shapes at
# connection sites where its route ends; no caller's text becomes markup; the same scene gives the same bytes.

LEAST_SIDE, MOST_SIDE = 96.0, 5376.0
"""The sides of a slide, px: 1 to 56 inches."""

_SVG = "image/svg+xml"
_SVG_USE = "{96DAC541-7B7A-43D3-8B79-37D633B846F1}"
_SVG_SPACE = "http://schemas.microsoft.com/office/drawing/2016/SVG/main"
_PICTURE_SCALE, _MOST_PIXELS = 2.0, 1_000_000
_AT_SITE = 0.5  # px; a route ends at a site
_CRISP = 1.0  # px; an outline drawn on whole pixels
_LINE = 1.17  # em; the line height of the slide's fonts
_CENTERED = 1.5  # px
_SLACK = 1.04  # of a wrapped text's width: the slide's fonts are a little narrower or wider than ours


class _Contact(NamedTuple):
    """An end of an edge at an element: the place, the route, the marker with its paint."""

    at: Point
    route: DrawnRoute
    marker: tuple[PathItem, ...]


class _Caption(NamedTuple):
    """A text beside a shape: lines, form, authored text, and a ground over lines beneath."""

    lines: Sequence[Sequence[TextRun]]
    frame: TextFrame
    said: str = ""
    ground: Paint | None = None


class Base(NamedTuple):
    """The shape of an element: id on the slide, geometry, box, text box, connection sites by index, and its items:
    `outline` is drawn by the shape, `first` is the outline's place among the items, `rest` all other items."""

    id: int
    geometry: Markup
    box: Box
    text: Box
    sites: Sequence[Point | None]
    outline: PathItem | None
    first: int
    rest: tuple[tuple[int, DrawnItem], ...]


def write_pptx(finished: Finished, losses: ExportLosses) -> bytes:
    """The file."""
    slide = _Slide(finished, losses)
    tree = el("p:spTree", None, *_HEAD_OF_TREE, *slide.objects())
    drawing = finished.drawing
    ground = first_color(drawing.background)
    painted = el("p:bg", None, el("p:bgPr", None, fill(ground or WHITE), el("a:effectLst")))
    body = el("p:cSld", {"name": drawing.title}, painted, tree)
    mapped = el("p:clrMapOvr", None, el("a:masterClrMapping"))
    names = FileNames(drawing.title, drawing.description, TYPEFACES[slide.family].name)
    return packed(Markup("p:sld", NAMESPACES, (body, mapped)), slide.relations, slide.size, names)


_HEAD_OF_TREE = (
    el("p:nvGrpSpPr", None, el("p:cNvPr", {"id": 1, "name": ""}), el("p:cNvGrpSpPr"), el("p:nvPr")),
    el("p:grpSpPr"),
)


class _Slide:
    """A slide under construction."""

    def __init__(self, finished: Finished, losses: ExportLosses) -> None:
        self._laid_out, self._drawing, self._losses = finished.laid_out, finished.drawing, losses
        page = self._drawing.page
        shown = [side * self._drawing.scale for side in page[2:]]
        fitted = min(1.0, MOST_SIDE / max(*shown, 1.0))
        self._ruler = SlideScale(Point(page.x, page.y), self._drawing.scale * fitted)
        sides = (max(side * fitted, LEAST_SIDE) for side in shown)
        width, height = (round(side * EMU) for side in sides)
        self.size = width, height
        self.relations = Relations()
        family = THEMES[self._laid_out.styles.theme].fonts.node.family
        self.family = family if family in TYPEFACES else "sans"
        self._elements: Mapping[str, Element] = {element.id: element for element in self._laid_out.scene.elements}
        self._last_id = 1
        self._contacts = self._all_contacts()
        self._bases = {
            group.id: base
            for group in self._drawing.groups
            if self._is_figure(group) and (base := self._base(group)) is not None
        }
        self._tell(finished, is_smaller=fitted < 1)

    def objects(self) -> Iterator[Markup]:
        """The objects of the slide, from back to front."""
        for group in self._ordered():
            element = self._elements.get(group.id)
            if group.role in BESIDE:
                yield from self._parts(group, enumerate(group.items), None, group.role)
            elif isinstance(element, Edge):
                yield from self._label(element, group) if group.role == "label" else self._connector(element, group)
            elif isinstance(element, Image):
                yield from self._image(element, group)
            elif element is not None and group.id in self._bases:
                yield self._figure(element, group, self._bases[group.id])
            else:
                yield from self._parts(group, enumerate(group.items), None, group.id)

    def _ordered(self) -> list[DrawnGroup]:
        """The groups in paint order. Hollow markers and labels beside a node belong to the node and cover the lines
        beneath: such nodes, and the nodes drawn over them, follow the lines."""
        groups = self._drawing.groups
        nodes = [number for number, group in enumerate(groups) if isinstance(self._elements.get(group.id), Node)]
        first = next((number for number in nodes if self._covers_lines(groups[number])), len(groups))
        edges = [number for number, group in enumerate(groups) if isinstance(self._elements.get(group.id), Edge)]
        lines = [number for number in edges if groups[number].role != "label"]
        last = lines[-1] if lines else -1
        raised = {number for number in nodes if first <= number < last}
        return [
            groups[n] for n in sorted(range(len(groups)), key=lambda n: (last if n in raised else n, n in raised, n))
        ]

    def _covers_lines(self, group: DrawnGroup) -> bool:
        """Whether a marker or a text of a node must lie above the lines that end at the node."""
        base, contacts = self._bases.get(group.id), self._contacts.get(group.id, ())
        if base is None or not contacts:
            return False
        texts = (item for _, item in base.rest if isinstance(item, TextItem) and item.runs)
        return any(map(_is_hollow, contacts)) or any(
            _is_crossed(self._text_place(item, None)[0], contacts) for item in texts
        )

    def _is_figure(self, group: DrawnGroup) -> bool:
        element = self._elements.get(group.id)
        known = isinstance(element, Node | Frame | Group | Text | Image)
        return known and group.role == "element" and not is_region(element)

    def _new_id(self) -> int:
        self._last_id += 1
        return self._last_id

    # What edges need of the shapes at their ends.

    def _all_contacts(self) -> dict[str, list[_Contact]]:
        found: dict[str, list[_Contact]] = {}
        for edge in self._elements.values():
            route = self._laid_out.routes.get(edge.id)
            if not isinstance(edge, Edge) or route is None or len(route.points) < 2:
                continue
            for element_id, at, marker in zip(edge.ends, _tips(route), self._markers(edge, route), strict=True):
                found.setdefault(element_id, []).append(_Contact(at, route, marker))
        return found

    def _markers(self, edge: Edge, route: DrawnRoute) -> tuple[tuple[PathItem, ...], tuple[PathItem, ...]]:
        """The paint of the markers without a native line end, start and end; hollow ones filled with their ground."""
        style = self._laid_out.styles.of[edge.id]
        found: list[tuple[PathItem, ...]] = []
        for number, name in enumerate((edge.start_arrow, edge.end_arrow)):
            tip = route.tips[number] if route.tips is not None else None
            if tip is None or name in HEADS:
                found.append(())
                continue
            ground = self._ground(tip.at)
            paths = marker_named(name).paint(tip.at, tip.direction, style.stroke_width)
            found.append(
                tuple(
                    PathItem(path, style.stroke)
                    if filled
                    else PathItem(path, ground if isinstance(path[-1], Close) else None, style.stroke, width)
                    for path, filled, width in paths
                )
            )
        return found[0], found[1]

    def _ground(self, at: Point) -> Color:
        """The colour behind a place: the page under the frames around it."""
        seen, dot = over(self._drawing.background, WHITE), Box(at.x, at.y, 0.0, 0.0)
        for key, box in self._laid_out.placement.boxes.items():
            if isinstance(self._elements.get(key), Frame | Group) and box.contains(dot):
                seen = over(self._laid_out.styles.of[key].fill, seen)
        return seen

    def _base(self, group: DrawnGroup) -> Base | None:
        """The shape of an element; None for an element without a place."""
        element = self._elements[group.id]
        place = self._laid_out.placement.boxes.get(element.id)
        first, outline = next(
            ((n, item) for n, item in enumerate(group.items) if isinstance(item, PathItem) and item.is_outline),
            (0, None),
        )
        drawn_in = place if outline is None else _bounds(outline)
        if place is None or drawn_in is None:
            return None
        is_whole = max(map(abs, map(sub, drawn_in, place))) <= _CRISP
        box = drawn_in if is_whole else place
        path = rectangle(box) if outline is None else outline.path
        preset = preset_of(path, box, element.shape if isinstance(element, Node) else None) if is_whole else None
        drawn = [first] if outline is not None else []
        details: list[PathItem] = []
        for number, item in enumerate(group.items[first + 1 :], first + 1):
            if outline is None or not isinstance(item, PathItem) or not _is_detail(item, outline):
                break
            details.append(item)
            drawn.append(number)
        rest = tuple((number, item) for number, item in enumerate(group.items) if number not in drawn)
        ends = [contact.at for contact in self._contacts.get(element.id, ())]
        is_native = preset is not None and (not details or preset.name == "can") and _reaches(preset, ends)
        if isinstance(element, Image) or (preset is not None and is_native):
            chosen = preset or Preset("rect", {}, sides_of(box), box)
            geometry, sites = preset_geometry(chosen.name, chosen.adjustments), chosen.sites
            return Base(self._new_id(), geometry, box, chosen.text, sites, outline, first, rest)
        text = box if preset is None else preset.text
        geometry = own_geometry(OwnOutline(path, tuple(one.path for one in details), box, text), ends, self._ruler)
        return Base(self._new_id(), geometry, box, text, (*sides_of(box), *ends), outline, first, rest)

    # Shapes with their symbols and texts.

    def _figure(self, of: Element, group: DrawnGroup, base: Base) -> Markup:
        """The shape of an element, grouped with the further parts."""
        label = self._label_within(of, base)
        said = _said(of)
        body: tuple[Markup, ...] = ()
        if label is not None:
            frame, lines = self._text_frame(of, label, said, base.text)
            body = (text_body(lines, said, frame, Hand(self._ruler, group.opacity, self.family)),)
        outline = base.outline or PathItem((), None)
        named = self._named(base.id, of.id, group)
        texts = {"txBox": 1} if isinstance(of, Text) else None
        look = transform(self._ruler, base.box), base.geometry, fill(outline.fill, group.opacity)
        shape = el(
            "p:sp",
            None,
            el("p:nvSpPr", None, named, el("p:cNvSpPr", texts), el("p:nvPr")),
            el("p:spPr", None, *look, line(outline, self._ruler, group.opacity)),
            *body,
        )
        rest = [(number, item) for number, item in base.rest if item is not label]
        before = list(self._parts(group, [row for row in rest if row[0] < base.first], base.box, of.id))
        after = list(self._parts(group, [row for row in rest if row[0] >= base.first], base.box, of.id))
        marks = [item for contact in self._contacts.get(of.id, ()) for item in contact.marker]
        marks = marks if isinstance(of, Node) else []
        if not before and not after and not marks:
            return shape
        after += self._picture_of(marks, f"{of.id} marker", group)
        items = [item for _, item in rest if not isinstance(item, TextItem)]
        boxes = (base.box, *(one for item in (*items, *marks) if (one := _item_bounds(item)) is not None))
        boxes += tuple(
            self._text_place(item, base.box)[0] for _, item in rest if isinstance(item, TextItem) and item.runs
        )
        return self._grouped(f"{of.id} group", (*before, shape, *after), union(boxes) or base.box)

    def _label_within(self, of: Element, base: Base) -> TextItem | None:
        """The text inside the shape: upright, within the box, not covered by a further part."""
        texts = [item for _, item in base.rest if isinstance(item, TextItem) and item.runs]
        said = "".join(_said(of).split())
        label = next((item for item in texts if _letters(item) == said), texts[0] if len(texts) == 1 else None)
        if label is None or label.turn:
            return None
        lines = lines_of(label.runs)
        words, _ = box_of_lines(lines, len(lines), _LINE)
        middle = Box(words.center.x, words.center.y, 0.0, 0.0)
        covers = (_item_bounds(item) for number, item in base.rest if number > base.first and _is_opaque(item))
        if not base.box.contains(middle) or any(one is not None and one.contains(middle) for one in covers):
            return None
        return label

    def _text_frame(
        self, of: Element, label: TextItem, said: str, room: Box
    ) -> tuple[TextFrame, Sequence[Sequence[TextRun]]]:
        """The form of a text within a shape's text box, and the lines."""
        lines = lines_of(label.runs)
        breaks = gaps([joined(row) for row in lines], said)
        wraps = any("\n" not in gap for gap in breaks)
        words, pitch = box_of_lines(lines, 1 + sum(max(gap.count("\n"), 1) for gap in breaks), _LINE)
        width = words.width * _SLACK + 2.0 if wraps else words.width
        dx, dy = words.center.x - room.center.x, words.center.y - room.center.y
        align = (
            _ALIGNED[of.align]
            if isinstance(of, Text)
            else _alignment(lines, words, None if isinstance(of, Node) else room)
        )
        if align == "l":
            left, right = words.x - room.x, room.right - words.x - width if wraps else 0.0
        elif align == "r":
            left, right = words.right - width - room.x if wraps else 0.0, room.right - words.right
        else:
            spare = (room.width - width) / 2 if wraps else 0.0
            left, right = spare + max(dx, 0.0) * (1 if wraps else 2), spare + max(-dx, 0.0) * (1 if wraps else 2)
        pitched = pitch if len(lines) > 1 else None
        if isinstance(of, Node):
            insets = (left, max(2 * dy, 0.0), right, max(-2 * dy, 0.0))
            return TextFrame(align=align, insets=insets, pitch=pitched, wraps=wraps), lines
        insets = (left, words.y - room.y, right, 0.0)
        return TextFrame(align=align, anchor="t", insets=insets, pitch=pitched, wraps=wraps), lines

    def _parts(
        self, group: DrawnGroup, items: Iterable[tuple[int, DrawnItem]], box: Box | None, name: str
    ) -> Iterator[Markup]:
        """Items as pictures and texts; adjacent paths make one picture."""
        for kind, rows in groupby(items, lambda row: type(row[1])):
            if kind is PathItem:
                paths = [(number, item) for number, item in rows if isinstance(item, PathItem)]
                yield from self._picture_of([item for _, item in paths], f"{name} picture {paths[0][0]}", group)
                continue
            for number, item in rows:
                if isinstance(item, TextItem) and item.runs:
                    yield self._text(item, f"{name} text {number}", group, box)
                elif isinstance(item, PictureItem):
                    yield from self._raster(item, (self._new_id(), f"{name} picture {number}"), group, "")

    def _text(self, item: TextItem, name: str, group: DrawnGroup, box: Box | None) -> Markup:
        """A free text, on a ground over passing lines."""
        place, align, lines = self._text_place(item, box)
        pitch = box_of_lines(lines, len(lines), _LINE)[1] if len(lines) > 1 else None
        is_crossed = _is_crossed(place, self._contacts.get(group.id, ()))
        ground = self._ground(place.center) if is_crossed else None
        writing = _Caption(lines, TextFrame(align=align, pitch=pitch), "", ground)
        return self._text_shape(name, (place, item.turn), writing, group)

    def _text_place(self, item: TextItem, box: Box | None) -> tuple[Box, str, list[list[TextRun]]]:
        """The place of a text before the turn, the alignment within the element's box, the lines."""
        lines = lines_of(item.runs)
        words, _ = box_of_lines(lines, len(lines), _LINE)
        return before_turning(words, item) if item.turn else words, _alignment(lines, words, box), lines

    def _text_shape(self, name: str, place: tuple[Box, float], writing: _Caption, group: DrawnGroup) -> Markup:
        hand = Hand(self._ruler, group.opacity, self.family)
        named = self._named(self._new_id(), name, group)
        opacity = 1.0 if writing.ground is not None else group.opacity
        look = transform(self._ruler, *place), preset_geometry("rect", {}), fill(writing.ground, opacity)
        head = el("p:nvSpPr", None, named, el("p:cNvSpPr", {"txBox": 1}), el("p:nvPr"))
        body = text_body(writing.lines, writing.said, writing.frame, hand)
        return el("p:sp", None, head, el("p:spPr", None, *look), body)

    def _grouped(self, name: str, parts: Sequence[Markup], box: Box) -> Markup:
        named = el("p:cNvPr", {"id": self._new_id(), "name": name})
        head = el("p:nvGrpSpPr", None, named, el("p:cNvGrpSpPr"), el("p:nvPr"))
        return el("p:grpSp", None, head, el("p:grpSpPr", None, group_transform(self._ruler, box)), *parts)

    def _named(self, key: int, name: str, group: DrawnGroup, words: str = "") -> Markup:
        """Id, name, words for readers of the screen, and the target of a click."""
        rows: dict[str, object] = {"id": key, "name": name}
        if words or (group.tooltip and group.link is None):
            rows["descr"] = words or group.tooltip
        return el("p:cNvPr", rows, *self._click(group.link, group.tooltip))

    def _click(self, link: Link | None, tooltip: str) -> tuple[Markup, ...]:
        if link is None:
            return ()
        said = {"tooltip": tooltip} if tooltip else {}
        return (el("a:hlinkClick", {"r:id": self.relations.address(link.href), **said}),)

    # Pictures.

    def _image(self, of: Image, group: DrawnGroup) -> Iterator[Markup]:
        picture = next((item for item in group.items if isinstance(item, PictureItem)), None)
        base = self._bases.get(of.id)
        if picture is not None and base is not None:
            yield from self._raster(picture, (base.id, of.id), group, of.alt or "")

    def _raster(self, item: PictureItem, named: tuple[int, str], group: DrawnGroup, words: str) -> Iterator[Markup]:
        """A raster in its box; the overflow of `cover` is cropped."""
        url, box, crop = raster(item)
        mime_type, data = item.mime_type, b64decode(item.data)
        if mime_type not in MEDIA:  # programs older than WebP
            svg = f'<svg xmlns="http://www.w3.org/2000/svg"><image href="{url}"/></svg>'
            mime_type, data = "image/png", write_png(svg, *item.pixels, 1.0).data
        cropped = () if crop is None else (_cropped(crop),)
        blip = el("a:blip", {"r:embed": self.relations.picture(mime_type, data)}, *_faded(group.opacity))
        yield self._picture(self._named(*named, group, words), (blip, *cropped), box)

    def _picture_of(self, items: Sequence[PathItem], name: str, group: DrawnGroup) -> list[Markup]:
        """Paths as a vector picture, and as pixels for programs that do not draw vectors."""
        found = vector_url(items) if items else None
        if found is None:
            return []
        url, box = found
        data = b64decode(url.partition(",")[2])
        scale = min(_PICTURE_SCALE, (_MOST_PIXELS / (box.width * box.height)) ** 0.5)
        pixels = write_png(data.decode(), box.width, box.height, scale).data
        vector = el("asvg:svgBlip", {"xmlns:asvg": _SVG_SPACE, "r:embed": self.relations.picture(_SVG, data)})
        use = el("a:extLst", None, el("a:ext", {"uri": _SVG_USE}, vector))
        blip = el("a:blip", {"r:embed": self.relations.picture("image/png", pixels)}, *_faded(group.opacity), use)
        return [self._picture(self._named(self._new_id(), name, group), (blip,), box)]

    def _picture(self, named: Markup, blip: Sequence[Markup], box: Box) -> Markup:
        head = el("p:nvPicPr", None, named, el("p:cNvPicPr"), el("p:nvPr"))
        filled = el("p:blipFill", None, *blip, el("a:stretch", None, el("a:fillRect")))
        look = el("p:spPr", None, transform(self._ruler, box), preset_geometry("rect", {}))
        return el("p:pic", None, head, filled, look)

    # Edges.

    def _connector(self, edge: Edge, group: DrawnGroup) -> Iterator[Markup]:
        route = self._laid_out.routes.get(edge.id)
        if route is None or len(route.points) < 2:
            return
        place, geometry = course(route, self._ruler)
        glue = [
            el(f"a:{name}Cxn", {"id": base.id, "idx": _nearest(base.sites, at)})
            for name, key, at in zip(("st", "end"), edge.ends, _tips(route), strict=True)
            if (base := self._bases.get(key)) is not None
        ]
        style = self._laid_out.styles.of[edge.id]
        stroked = (item for item in group.items if isinstance(item, PathItem) and item.stroke is not None)
        drawn = next(stroked, PathItem((), None, style.stroke, style.stroke_width, style.dash))
        ends = (*head("head", edge.start_arrow), *head("tail", edge.end_arrow))
        named = self._named(self._new_id(), edge.id, group)
        look = el("p:spPr", None, place, geometry, line(drawn, self._ruler, group.opacity, ends))
        bound = el("p:cNvCxnSpPr", None, *glue)
        yield el("p:cxnSp", None, el("p:nvCxnSpPr", None, named, bound, el("p:nvPr")), look)
        for number, (key, marks) in enumerate(zip(edge.ends, self._markers(edge, route), strict=True)):
            if not isinstance(self._elements.get(key), Node) or key not in self._bases:
                yield from self._picture_of(marks, f"{edge.id} marker {number}", group)

    def _label(self, edge: Edge, group: DrawnGroup) -> Iterator[Markup]:
        """A text of an edge on its plate."""
        item = next((item for item in group.items if isinstance(item, TextItem) and item.runs), None)
        if item is None:
            return
        plate = next((one.fill for one in group.items if isinstance(one, PathItem)), None)
        place, _, lines = self._text_place(item, None)
        said, route = edge.label or "", self._laid_out.routes[edge.id]
        wraps = any("\n" not in gap for gap in gaps([joined(row) for row in lines], said))
        pitch = box_of_lines(lines, len(lines), _LINE)[1] if len(lines) > 1 else None
        if wraps:
            wider = place.width * (_SLACK - 1) + 2.0
            place = Box(place.x - wider / 2, place.y, place.width + wider, place.height)
        if plate is None and _is_crossed(place, (_Contact(place.center, route, ()),)):
            plate = self._ground(place.center)
        writing = _Caption(lines, TextFrame(pitch=pitch, wraps=wraps), said, plate)
        yield self._text_shape(f"{edge.id} label", (place, item.turn), writing, group)

    def _tell(self, finished: Finished, *, is_smaller: bool) -> None:
        """Report the losses."""
        losses, routes = self._losses, self._laid_out.routes
        edges = [element for element in self._elements.values() if isinstance(element, Edge) and element.id in routes]
        losses.add_hidden(self._laid_out.scene)
        rows = (
            ("hand-drawn strokes (they are clean)", [""] if finished.hand_drawn else []),
            (f"the size (a slide has at most {MOST_SIDE:g} px)", [""] if is_smaller else []),
            (WEIGHTS, [one.id for one in self._elements.values() if is_weighted(one)]),
            ("line jumps", [edge.id for edge in edges if routes[edge.id].jumps]),
            (
                "markers that slides lack (they are pictures)",
                [edge.id for edge in edges if any(self._markers(edge, routes[edge.id]))],
            ),
            ("ties of labels to their lines", [edge.id for edge in edges if routes[edge.id].label is not None]),
            (
                "containment (frames lie behind their content)",
                [e.id for e in self._elements.values() if isinstance(e, Frame) and e.children],
            ),
            ("ends of lines without a shape", [edge.id for edge in edges if not set(edge.ends) <= set(self._bases)]),
        )
        for what, ids in rows:
            if ids:
                losses.add(what, *filter(None, ids))


_ALIGNED: Mapping[str, str] = {"start": "l", "center": "ctr", "end": "r"}


def _said(of: Element) -> str:
    if isinstance(of, Text):
        return of.content
    found = of.title if isinstance(of, Frame) else of.label if isinstance(of, Node | Group) else None
    return found or ""


def _letters(item: TextItem) -> str:
    return "".join("".join(map(joined, lines_of(item.runs))).split())


def _tips(route: DrawnRoute) -> tuple[Point, Point]:
    return route.points[0], route.points[-1]


def _is_hollow(contact: _Contact) -> bool:
    """Whether the marker of a contact covers the line beneath."""
    return any(item.fill is not None and item.stroke is not None for item in contact.marker)


def _is_crossed(box: Box, contacts: Iterable[_Contact]) -> bool:
    """Whether a route passes through a box."""
    bounds = bounds_of(box)
    return any(crosses(a, b, bounds) for contact in contacts for a, b in pairwise(contact.route.points))


def _bounds(item: PathItem) -> Box | None:
    return union(Box(point.x, point.y, 0.0, 0.0) for chain in flatten(item.path) for point in chain)


def _item_bounds(item: DrawnItem) -> Box | None:
    if isinstance(item, PathItem):
        return path_bounds(item)
    return item.box if isinstance(item, PictureItem) else None


def _is_detail(item: PathItem, outline: PathItem) -> bool:
    """Whether an item is a stroke of the outline's pen over the outline."""
    pen = outline.stroke, outline.stroke_width
    return item.is_outline and item.fill is None and (item.stroke, item.stroke_width) == pen


def _is_opaque(item: DrawnItem) -> bool:
    return isinstance(item, PictureItem) or (isinstance(item, PathItem) and item.fill is not None)


def _reaches(preset: Preset, ends: Iterable[Point]) -> bool:
    """Whether every end lies at a connection site of a preset."""
    return all(any(site is not None and dist(site, at) <= _AT_SITE for site in preset.sites) for at in ends)


def _nearest(sites: Sequence[Point | None], at: Point) -> int:
    return min(range(len(sites)), key=lambda n: inf if (site := sites[n]) is None else dist(site, at))


def _alignment(lines: Sequence[Sequence[TextRun]], words: Box, box: Box | None) -> str:
    """The side at the begin of a text's lines; for a single line, the side of the element nearest to the text."""
    if len(lines) > 1:
        lefts = [min(run.at.x for run in row) for row in lines]
        rights = [max(run.at.x + run.width for run in row) for row in lines]
        same = [max(side) - min(side) <= _CENTERED for side in (lefts, rights)]
        return "ctr" if same[0] == same[1] else "l" if same[0] else "r"
    if box is None or abs(words.center.x - box.center.x) <= _CENTERED:
        return "ctr"
    return "l" if words.x - box.x <= box.right - words.right or words.center.x < box.center.x else "r"


def _cropped(crop: Mapping[str, float]) -> Markup:
    across, down = crop["naturalWidth"], crop["naturalHeight"]
    sides = {
        "l": crop["x"] / across,
        "t": crop["y"] / down,
        "r": 1 - (crop["x"] + crop["width"]) / across,
        "b": 1 - (crop["y"] + crop["height"]) / down,
    }
    return el("a:srcRect", {name: max(round(share * FULL), 0) for name, share in sides.items()})


def _faded(opacity: float) -> tuple[Markup, ...]:
    return () if opacity >= 1 else (el("a:alphaModFix", {"amt": round(max(opacity, 0.0) * FULL)}),)
