"""An entity as a table: its outline, the band of its name, its rows with keys, names and types.

In: a face whose parts `tabling` measured. Out: paint. Every text can be read on what lies beneath it as well as the
text colour can be read on the entity's fill. (R-ER-1, R-ER-2)
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from scenograph.engine.drawing import Item, PathItem
from scenograph.engine.families.bands import flat_bottomed, sharp
from scenograph.engine.families.entity.tabling import WEAK_INSET
from scenograph.engine.families.family import NodeFace
from scenograph.engine.families.inks import Inks, inks_of
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.figures import rectangle, rounded_rectangle, segment
from scenograph.engine.icons import find
from scenograph.engine.shapes.texts import text_item
from scenograph.late_dataclasses import replace

BADGE_RADIUS = 3.0
SOLID_BADGE = "PK"
_HAIRLINE = 1.0
_WEAK_LINE = 1.5


def paint_table(face: NodeFace) -> Iterator[Item]:
    """An entity."""
    yield from _painted(face, 0.0)


def paint_weak_table(face: NodeFace) -> Iterator[Item]:
    """A weak entity, with its second border."""
    yield from _painted(face, WEAK_INSET)


def _painted(face: NodeFace, inset: float) -> Iterator[Item]:
    style, inks = face.style, inks_of(face.style)
    radius = style.corner_radius if face.node.shape == "roundedRect" else min(style.corner_radius, face.box.height / 4)
    outline = rounded_rectangle(face.box, radius)
    yield PathItem(path=outline, fill=style.fill)
    yield from _header(face, inks, inset, radius)
    yield from _rules(face, inks, inset)
    if inset:
        yield PathItem(path=rectangle(face.box.grown(-inset)), stroke=style.stroke, stroke_width=_WEAK_LINE)
    yield PathItem(path=outline, stroke=style.stroke, stroke_width=style.stroke_width, dash=style.dash)
    yield from _writing(face, inks)


def _header(face: NodeFace, inks: Inks, inset: float, radius: float) -> Iterator[Item]:
    """The band and the line below it."""
    header = face.parts.get("header")
    if header is None:
        return
    inner, level = face.box.grown(-inset), sharp(header.bottom)
    band = Box(inner.x, inner.y, inner.width, max(level - inner.y, 0.0))
    if inks.band is not None:
        yield PathItem(path=flat_bottomed(band, 0.0 if inset else radius), fill=inks.band)
    if level < inner.bottom:
        path = segment(Point(inner.x, level), Point(inner.right, level))
        yield PathItem(path=path, stroke=inks.line, stroke_width=_HAIRLINE)


def _rules(face: NodeFace, inks: Inks, inset: float) -> Iterator[Item]:
    """A quiet line above every row but the first."""
    inner = face.box.grown(-inset)
    rows = [part for name, part in face.parts.items() if name.startswith("row:") or name == "more"]
    for row in rows[1:]:
        path = segment(Point(inner.x, sharp(row.y)), Point(inner.right, sharp(row.y)))
        yield PathItem(path=path, stroke=inks.rule, stroke_width=_HAIRLINE)


def _writing(face: NodeFace, inks: Inks) -> Iterator[Item]:
    """Icon and name of the entity, then each text in its part."""
    icon = find(face.node.icon) if face.node.icon and "icon" in face.parts else None
    if icon is not None:
        yield from icon.items(face.parts["icon"], face.style.text_color)
    quiet = replace(face.style, text_color=face.style.muted_color)
    solid = replace(face.style, text_color=inks.on_line)
    for name, block in face.size.texts.items():
        part, key = face.parts[name], name.split(":")
        match key[0]:
            case "name":
                yield text_item(block, part, face.style, "start")
            case "type":
                yield text_item(block, part, quiet, "end")
            case "badge":
                yield _badge(part, inks, solid=key[2] == SOLID_BADGE)
                yield text_item(block, part, solid if key[2] == SOLID_BADGE else face.style)
            case _:
                yield text_item(block, part, quiet if name == "more" else face.style)


def _badge(part: Box, inks: Inks, *, solid: bool) -> Item:
    """A filled plate for the primary key, an outlined one for what only refers or limits."""
    if solid:
        return PathItem(path=rounded_rectangle(part, BADGE_RADIUS), fill=inks.line)
    x, y = sharp(part.x), sharp(part.y)
    frame = Box(x, y, math.floor(part.width) - 1.0, math.floor(part.height) - 1.0)
    return PathItem(path=rounded_rectangle(frame, BADGE_RADIUS), stroke=inks.frame, stroke_width=_HAIRLINE)
