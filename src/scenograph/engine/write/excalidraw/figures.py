"""What is no edge, as Excalidraw elements: a shape that arrows and labels are bound to, and what is painted on it. px.

A shape that Excalidraw does not know is a closed line, behind which an invisible rectangle holds label and arrows; both
are one group. Icons and symbols are pictures.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from scenograph.engine.drawing import DrawnGroup, Item, PathItem, PictureItem, TextItem
from scenograph.engine.families.catalog import kind_of
from scenograph.engine.geometry.boxes import Box, union
from scenograph.engine.geometry.flatten import flatten
from scenograph.engine.write.excalidraw.primitives import (
    TRANSPARENT,
    Json,
    Look,
    element,
    file_id,
    image,
    line,
    part_id,
    picture_file,
)
from scenograph.engine.write.excalidraw.texts import bound, text_element
from scenograph.engine.write.pictures import raster, vector_url
from scenograph.late_dataclasses import dataclass, field
from scenograph.scene.model import Element, Frame, Group, Node, Text

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
_INVISIBLE = Look()


@dataclass(frozen=True)
class Figure:
    """One element of the scene as Excalidraw elements, from back to front; others are bound to `main`."""

    main: Json | None
    elements: tuple[Json, ...]


@dataclass(frozen=True)
class Files:
    """The pictures of a document, each once."""

    of: dict[str, Json] = field(default_factory=dict[str, Json])

    def add(self, url: str) -> str:
        """Keep a picture; its id."""
        key = file_id(url)
        self.of.setdefault(key, picture_file(key, url))
        return key


class Place(NamedTuple):
    """Where an element stands, the radius of its corners, and the groups of its containers."""

    box: Box | None
    radius: float
    groups: Sequence[str]


def figure(of: Element, group: DrawnGroup, place: Place, files: Files) -> Figure:
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


def _main(of: Element, group: DrawnGroup, place: Place, brush: _Brush) -> Json | None:
    """The shape itself, or the invisible rectangle behind what is drawn as lines; None for what is only text, a line or
    a picture."""
    outline = next((item for item in group.items if isinstance(item, PathItem) and item.is_outline), None)
    if isinstance(of, Text | Frame | Group | Node) and outline is not None and not _is_painted_by_kind(of):
        kind = SHAPES.get(of.shape or "rect") if isinstance(of, Node) else "rectangle"
        look = Look.of(outline, group.opacity) if kind else _INVISIBLE
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
        look = Look.of(item, self.group.opacity)
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
