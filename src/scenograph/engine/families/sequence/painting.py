"""What only sequences draw: tails and bars, actors, notes, the writing of fragments. px.

(R-SEQ-2, R-SEQ-11)
"""

from __future__ import annotations

from collections.abc import Iterator

from scenograph.engine.colors import mix, over
from scenograph.engine.drawing import Item, PathItem
from scenograph.engine.families.faces import label_items, sheet_items, stick_figure
from scenograph.engine.families.family import FrameFace, NodeFace
from scenograph.engine.families.sequence.chart import BAR, TAIL
from scenograph.engine.families.sequence.columns import TAB_CUT
from scenograph.engine.families.sequence.diagram import OPERATOR
from scenograph.engine.families.sequence.timeline import TAB, TITLE
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import Path, polygon, rectangle, segment
from scenograph.engine.shapes.labels import text_item

TAIL_DASH = (6.0, 4.0)
SEPARATOR_DASH = (6.0, 4.0)
NOTE_RADIUS = 5.0
TAB_TINT = 0.14  # of the border's colour in the tab
LEAST_LINE = 1.0


def paint_stem(face: NodeFace) -> Iterator[Item]:
    """The tail of a lifeline, and the bars on it."""
    style, width = face.style, max(face.style.stroke_width, LEAST_LINE)
    tail = face.parts.get(TAIL)
    if tail is not None and tail.height > 0:
        path = segment(Point(tail.x, tail.y), Point(tail.x, tail.bottom))
        yield PathItem(path=path, stroke=style.stroke, stroke_width=LEAST_LINE, dash=TAIL_DASH)
    for name, part in face.parts.items():
        if name.startswith(BAR):
            yield PathItem(path=rectangle(part), fill=face.page, stroke=style.stroke, stroke_width=width)
            yield PathItem(path=rectangle(part), fill=style.fill)


def paint_actor(face: NodeFace) -> Iterator[Item]:
    """A stick figure and its name; a fill that the author gave colours the head."""
    figure = face.parts.get("figure")
    if figure is None:
        return
    for number, stroke in enumerate(stick_figure(figure)):
        fill = face.style.fill if number == 0 else None
        yield PathItem(path=stroke.path, fill=fill, stroke=face.style.stroke, stroke_width=stroke.width, cap="round")
    yield from label_items(face)


def paint_note(face: NodeFace) -> Iterator[Item]:
    """A sheet with round corners, the top right one folded."""
    return sheet_items(face, NOTE_RADIUS)


def paint_fragment(face: FrameFace) -> Iterator[Item]:
    """The lines between operands, the tab with the operator, title and guards."""
    style = face.style
    for name, part in face.parts.items():
        if name.startswith("separator:"):
            path = segment(Point(face.box.x, part.y), Point(face.box.right, part.y))
            yield PathItem(path=path, stroke=style.stroke, stroke_width=style.stroke_width, dash=SEPARATOR_DASH)
    tab = face.parts.get(TAB)
    if tab is not None:
        yield PathItem(
            path=_tab(tab),
            fill=mix(over(style.fill, face.page), style.stroke, TAB_TINT),
            stroke=style.stroke,
            stroke_width=style.stroke_width,
        )
    for name, block in (*face.size.texts.items(), (TITLE, face.size.label)):
        part = face.parts.get(name)
        if part is not None and block is not None and block.lines:
            yield text_item(block, part, style, "center" if name == OPERATOR else "start")


def _tab(box: Box) -> Path:
    """A label's corner cut off, as UML has it."""
    return polygon(
        (
            Point(box.x, box.y),
            Point(box.right, box.y),
            Point(box.right, box.bottom - TAB_CUT),
            Point(box.right - TAB_CUT, box.bottom),
            Point(box.x, box.bottom),
        )
    )
