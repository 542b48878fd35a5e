"""A drawing as the text of an Excalidraw file: arrows bound to shapes, labels to both, containers as groups.

In: the laid-out scene and its drawing before any pen. Out: JSON. Promises: every reference leads somewhere and is told
from both ends; ids of the scene stay ids of the file; the same scene gives the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from scenograph.engine.drawing import Drawing, DrawnGroup, Item, PathItem, PictureItem, TextItem
from scenograph.engine.families.catalog import kind_of
from scenograph.engine.geometry.boxes import Box, union
from scenograph.engine.geometry.paths import flatten
from scenograph.engine.tables import LaidOutScene
from scenograph.engine.write.excalidraw.arrows import circles, edge_arrow, interruptions
from scenograph.engine.write.excalidraw.primitives import (
    TRANSPARENT,
    ExcalidrawLook,
    Json,
    bound,
    color_text,
    element,
    file_id,
    image,
    line,
    part_id,
    picture_file,
    text_element,
    with_order,
)
from scenograph.engine.write.pictures import raster, vector_url
from scenograph.late_dataclasses import dataclass, field
from scenograph.scene.model import Color, Edge, Element, Frame, Group, Node, Text

# What is no edge, as Excalidraw elements: a shape that arrows and labels are bound to, and what is painted on it.
# px. A shape that Excalidraw does not know is a closed line, behind which an invisible rectangle holds label and
# arrows; both are one group. Icons and symbols are pictures.


SHAPES: Mapping[str, str] = {
    "rect": "rectangle",
    "roundedRect": "rectangle",
    "pill": "rectangle",
    "textBox": "rectangle",
    "iconBox": "rectangle",
    "ellipse": "ellipse",
    "diamond": "diamond",
}
"""Our shapes by those that Excalidraw has; the others are drawn as lines."""

ALIGNMENTS: Mapping[str, str] = {"start": "left", "center": "center", "end": "right"}
_ADAPTIVE_RADIUS = 3
_TOLERANCE = 0.5  # of curves that become chords
_INVISIBLE = ExcalidrawLook()


@dataclass(frozen=True)
class Figure:
    """One element of the scene as Excalidraw elements, from back to front; others are bound to `main`."""

    main: Json | None
    elements: tuple[Json, ...]


@dataclass
class Files:
    """The pictures of a document, each once."""

    of: dict[str, Json] = field(default_factory=dict[str, Json])

    def add(self, url: str) -> str:
        """Keep a picture; its id."""
        key = file_id(url)
        self.of.setdefault(key, picture_file(key, url))
        return key


class FigurePlace(NamedTuple):
    """Where an element stands, the radius of its corners, and the groups of its containers."""

    box: Box | None
    radius: float
    groups: Sequence[str]


def figure(of: Element, group: DrawnGroup, place: FigurePlace, files: Files) -> Figure:
    """The elements of anything but an edge."""
    brush = _Brush(of, group, (part_id(of.id, "parts"), *place.groups), files)
    main = _main(of, group, place, brush)
    rest = tuple(brush.painted(_items_on(main, of, group), main))
    everything = (main, *rest) if main is not None else rest
    if main is not None and _is_invisible(main):
        # Excalidraw draws a label right after its container: what is visible must come before.
        everything = tuple(sorted(everything, key=lambda one: one is main or one.get("containerId") is not None))
    free = [one for one in everything if one.get("containerId") is None]
    for one in everything:
        one["locked"] = of.locked
        if len(free) < 2:  # a shape with its bound label needs no group
            one["groupIds"] = list(place.groups)
    return Figure(main, everything)


def _is_invisible(main: Json) -> bool:
    return main["strokeColor"] == main["backgroundColor"] == TRANSPARENT


def loose(group: DrawnGroup, files: Files) -> tuple[Json, ...]:
    """What stands beside the scene: a legend, a watermark."""
    name = f"{group.role}{group.kind}"
    owner = Element(id=name, kind=group.kind)
    return tuple(_Brush(owner, group, (part_id(name, "parts"),), files).painted(group.items, None, as_lines=True))


def _main(of: Element, group: DrawnGroup, place: FigurePlace, brush: _Brush) -> Json | None:
    """The shape itself, or the invisible rectangle behind what is drawn as lines; None for what is only text, a line or
    a picture."""
    outline = next((item for item in group.items if isinstance(item, PathItem) and item.is_outline), None)
    if isinstance(of, Text | Frame | Group | Node) and outline is not None and not _is_painted_by_kind(of):
        kind = SHAPES.get(of.shape or "rect") if isinstance(of, Node) else "rectangle"
        look = ExcalidrawLook.of(outline, group.opacity) if kind else _INVISIBLE
        points = [point for chain in flatten(outline.path) for point in chain]
        box = union(Box(point.x, point.y, 0.0, 0.0) for point in points) or Box(0.0, 0.0, 0.0, 0.0)
        main = element(kind or "rectangle", of.id, box, look, brush.groups)
        if kind == "rectangle" and place.radius > 0:
            main["roundness"] = {"type": _ADAPTIVE_RADIUS, "value": place.radius}
        return main
    if isinstance(of, Node) and place.box is not None:
        return element("rectangle", of.id, place.box, _INVISIBLE, brush.groups)
    return None


def _items_on(main: Json | None, of: Element, group: DrawnGroup) -> tuple[Item, ...]:
    """What is painted besides the shape."""
    if main is None or _is_painted_by_kind(of) or (isinstance(of, Node) and (of.shape or "rect") not in SHAPES):
        return group.items
    outline = next((item for item in group.items if isinstance(item, PathItem) and item.is_outline), None)
    return tuple(item for item in group.items if item is not outline)


def _is_painted_by_kind(of: Element) -> bool:
    return isinstance(of, Node) and kind_of(of).paint is not None


@dataclass(frozen=True)
class _Brush:
    """Paints the items of one group as elements."""

    of: Element
    group: DrawnGroup
    groups: tuple[str, ...]
    files: Files

    def painted(self, items: Sequence[Item], main: Json | None, *, as_lines: bool = False) -> Iterator[Json]:
        """The elements, from back to front."""
        texts = [item for item in items if isinstance(item, TextItem)]
        as_lines = as_lines or not isinstance(self.of, Node) or _is_painted_by_kind(self.of)
        number = 0
        for is_symbol, run in groupby(items, lambda item: not as_lines and _is_symbol(item)):
            rows = list(run)
            if is_symbol:
                number += 1
                yield from self._symbol([item for item in rows if isinstance(item, PathItem)], f"symbol{number}")
                continue
            for item in rows:
                number += 1
                yield from self._item(item, f"item{number}", main if len(texts) == 1 else None)

    def _item(self, item: Item, part: str, main: Json | None) -> Iterator[Json]:
        key = part_id(self.of.id, part)
        match item:
            case PathItem():
                yield from self._lines(item, key)
            case TextItem() if item.runs:
                text = text_element(key, item, self.group.opacity, self.groups, align=self._align(item))
                yield bound(text, main, self._label()) if main is not None and _holds(main, text) else text
            case PictureItem():
                url, box, crop = raster(item)
                key = self.of.id if self.of.kind == "image" else key
                yield image(key, box, self.files.add(url), self.group.opacity, self.groups) | {"crop": crop}
            case _:
                return

    def _lines(self, item: PathItem, key: str) -> Iterator[Json]:
        look = ExcalidrawLook.of(item, self.group.opacity)
        for number, chain in enumerate(flatten(item.path, _TOLERANCE)):
            if len(chain) > 1:
                # A filled chain ends where it began
                closed = chain if item.fill is None or chain[0] == chain[-1] else (*chain, chain[0])
                yield line(part_id(key, str(number)), closed, look, self.groups)

    def _symbol(self, items: Sequence[PathItem], part: str) -> Iterator[Json]:
        found = vector_url(items)
        if found is not None:
            url, box = found
            yield image(part_id(self.of.id, part), box, self.files.add(url), self.group.opacity, self.groups)

    def _align(self, item: TextItem) -> str:
        if isinstance(self.of, Text):
            return ALIGNMENTS.get(self.of.align, "left")
        return "center" if item.turn or (isinstance(self.of, Node) and not _is_painted_by_kind(self.of)) else "left"

    def _label(self) -> str | None:
        match self.of:
            case Node() | Group():
                return self.of.label
            case Frame():
                return self.of.title
            case Text():
                return self.of.content
            case _:
                return None


def _is_symbol(item: Item) -> bool:
    return isinstance(item, PathItem) and not item.is_outline


def _holds(main: Json, text: Json) -> bool:
    """Whether a text stands inside a shape, upright."""
    middle = text["x"] + text["width"] / 2, text["y"] + text["height"] / 2
    across = main["x"] <= middle[0] <= main["x"] + main["width"]
    return not text["angle"] and across and main["y"] <= middle[1] <= main["y"] + main["height"]


VERSION = 2
SOURCE = "scenograph"
BESIDE = frozenset({"legend", "watermark"})
BY_HAND, BY_RULER = 1, 0
"""Excalidraw's `roughness`."""

_GRID = 20


def write_excalidraw(laid_out: LaidOutScene, drawing: Drawing, *, hand_drawn: bool) -> str:
    """The file. `hand_drawn`: its lines are drawn as by hand, which Excalidraw does itself."""
    page = _ExcalidrawPage(laid_out, drawing.background)
    slots = [() if _is_of_edge(group, page) else page.figure(group) for group in drawing.groups]
    for number, group in enumerate(drawing.groups):
        if _is_of_edge(group, page):
            slots[number] = page.of_edge(group)
        if group.link is not None:
            for one in slots[number]:
                one["link"] = group.link.href
    elements = [one for slot in slots for one in slot]
    document = {
        "type": "excalidraw",
        "version": VERSION,
        "source": SOURCE,
        "elements": with_order(elements, {"roughness": BY_HAND if hand_drawn else BY_RULER}),
        "appState": {
            "gridSize": _GRID,
            "gridModeEnabled": False,
            "viewBackgroundColor": color_text(drawing.background),
        },
        "files": page.files.of,
    }
    return json.dumps(document, ensure_ascii=True, allow_nan=False, separators=(",", ":")) + "\n"


class _ExcalidrawPage:
    """What is on the page so far."""

    def __init__(self, laid_out: LaidOutScene, background: Color) -> None:
        self._background = background
        self.files = Files()
        self.elements: Mapping[str, Element] = {element.id: element for element in laid_out.scene.elements}
        self._laid_out = laid_out
        self._ends: dict[str, Json] = {}
        self._arrows: dict[str, Json] = {}
        self._parents = _parents(self.elements)
        self._containers = frozenset(self._parents.values())

    def figure(self, group: DrawnGroup) -> tuple[Json, ...]:
        """The elements of what is no edge."""
        if group.role in BESIDE:
            return loose(group, self.files)
        element = self.elements[group.id]
        radius, box = self._laid_out.styles.of[element.id].corner_radius, self._laid_out.placement.boxes.get(element.id)
        found = figure(element, group, FigurePlace(box, radius, self._groups(element.id)), self.files)
        if found.main is not None:
            self._ends[element.id] = found.main
        return found.elements

    def of_edge(self, group: DrawnGroup) -> tuple[Json, ...]:
        """The arrow of an edge, or its label."""
        edge, route = self.elements[group.id], self._laid_out.routes.get(group.id)
        if not isinstance(edge, Edge) or route is None:
            return ()
        if group.role == "label":
            return self._label(edge, group)
        ends = edge.ends
        inside = [name for name in self._groups(ends[0]) if name in self._groups(ends[1])]
        arrow = edge_arrow(edge, route, group, self._ends, inside)
        if arrow is None:
            return ()
        arrow["locked"] = edge.locked
        self._arrows[edge.id] = arrow
        rings = circles(edge, arrow, group, self._background)
        covers = interruptions(edge, route, group, self._background)
        return (arrow, *(part | {"locked": edge.locked} for part in (*rings, *covers)))

    def _label(self, edge: Edge, group: DrawnGroup) -> tuple[Json, ...]:
        item = next((item for item in group.items if isinstance(item, TextItem) and item.runs), None)
        arrow = self._arrows.get(edge.id)
        if item is None:
            return ()
        groups = arrow["groupIds"] if arrow is not None else ()
        text = text_element(part_id(edge.id, "label"), item, group.opacity, groups, align="center")
        return (text if arrow is None else bound(text, arrow, edge.label),)

    def _groups(self, element_id: str) -> list[str]:
        """The groups of an element, from the innermost container outwards; a container is in its own."""
        found: list[str] = []
        at = element_id if element_id in self._containers else self._parents.get(element_id)
        while at is not None and part_id(at, "group") not in found:
            found.append(part_id(at, "group"))
            at = self._parents.get(at)
        return found


def _is_of_edge(group: DrawnGroup, page: _ExcalidrawPage) -> bool:
    return group.role not in BESIDE and isinstance(page.elements.get(group.id), Edge)


def _parents(elements: Mapping[str, Element]) -> dict[str, str]:
    found: dict[str, str] = {}
    for parent in elements.values():
        for child in parent.children if isinstance(parent, Frame | Group) else ():
            if child in elements:
                found.setdefault(child, parent.id)
    return found
