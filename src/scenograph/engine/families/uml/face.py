"""A class as UML draws it: the band of its name, a rule above each compartment, its members beginning one below the
other. (UML 2.5.1, 11.4.4)
"""

from __future__ import annotations

from collections.abc import Iterator

from scenograph.engine.drawing import Item, PathItem
from scenograph.engine.families.bands import flat_bottomed, sharp
from scenograph.engine.families.face_items import border_item, icon_items
from scenograph.engine.families.family import NodeFace
from scenograph.engine.families.inks import inks_of
from scenograph.engine.geometry.boxes import Point
from scenograph.engine.geometry.figures import rounded_rectangle, segment
from scenograph.engine.shapes.texts import text_item
from scenograph.late_dataclasses import replace

_HAIRLINE = 1.0


def paint_classifier(face: NodeFace) -> Iterator[Item]:
    """A class, an interface or an enumeration."""
    style, inks = face.style, inks_of(face.style)
    radius = style.corner_radius if face.node.shape == "roundedRect" else min(style.corner_radius, face.box.height / 4)
    outline, header = rounded_rectangle(face.box, radius), face.parts.get("header")
    rules = [part for name, part in face.parts.items() if name.startswith("rule:")]
    yield PathItem(path=outline, fill=style.fill)
    if header is not None and inks.band is not None and rules:
        band = face.box._replace(height=max(sharp(header.bottom) - face.box.y, 0.0))
        yield PathItem(path=flat_bottomed(band, radius), fill=inks.band)
    for rule in rules:
        path = segment(Point(face.box.x, sharp(rule.y)), Point(face.box.right, sharp(rule.y)))
        yield PathItem(path=path, stroke=inks.line, stroke_width=_HAIRLINE)
    yield border_item(outline, style)
    yield from _writing(face)


def _writing(face: NodeFace) -> Iterator[Item]:
    yield from icon_items(face)
    quiet = replace(face.style, text_color=face.style.muted_color)
    for name, block in face.size.texts.items():
        if name == "label":
            yield text_item(block, face.parts[name], face.style)
        elif name == "keyword":
            yield text_item(block, face.parts[name], quiet)
        else:
            yield text_item(block, face.parts[name], quiet if name == "more" else face.style, "start")
