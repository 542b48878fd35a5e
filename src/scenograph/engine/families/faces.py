"""Faces of nodes: outline, icon, label, bands inside round corners, inks of lined cards. px."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from scenograph.engine.colors import BLACK, READABLE_CONTRAST, WHITE, contrast, mix, over, readable
from scenograph.engine.drawing import Item, PathItem
from scenograph.engine.families.family import GlyphStroke, NodeFace
from scenograph.engine.families.icon_nodes import shown_icon
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import Close, Line, Move, Path, Quadratic, elliptic_arc, rectangle
from scenograph.engine.shapes.texts import text_item
from scenograph.engine.tables import FinishedStyle
from scenograph.scene.model import Color

# The inks that a lined card needs beside its style: bands, rules, plates. All mixed from the element's own fill and
# line, so that they fit every theme and every colour an author picks.


BAND_SHARES = (0.18, 0.12, 0.07)  # of the line's colour in a band's ground, while its text can be read there
RULE_SHARE = 0.22  # of the line's colour in the lines between rows
FRAME_SHARE = 0.6  # in the frame of a badge
SEEN_CONTRAST = 2.0
"""A glyph with less contrast to the fill is lost on it."""
_OPAQUE = 0.999


class Inks(NamedTuple):
    """The paints of a card beside its own fill and line. `band` is None where the header has no ground of its own."""

    line: Color
    band: Color | None
    rule: Color
    frame: Color
    on_line: Color


def inks_of(style: FinishedStyle) -> Inks:
    """Mixed from the element's fill and line; on a fill that lets the page through nothing is mixed."""
    drawn = style.stroke.alpha > 0 and style.stroke_width > 0
    line = style.stroke if drawn else style.text_color
    if style.fill.alpha < _OPAQUE:
        rule = line._replace(alpha=line.alpha * RULE_SHARE)
        return Inks(line, None, rule, line, readable((WHITE, BLACK), over(line, WHITE)))
    line = over(line, style.fill)
    return Inks(
        line,
        _band(style, line),
        mix(style.fill, line, RULE_SHARE),
        mix(style.fill, line, FRAME_SHARE),
        readable((style.fill, WHITE, BLACK), line),
    )


def _band(style: FinishedStyle, line: Color) -> Color | None:
    """The strongest ground on which the text reads no worse than it must, or than on the fill itself."""
    text = over(style.text_color, style.fill)
    needed = min(READABLE_CONTRAST, contrast(text, style.fill))
    grounds = (mix(style.fill, line, share) for share in BAND_SHARES)
    return next((ground for ground in grounds if contrast(text, ground) >= needed), None)


def glyph_ink(style: FinishedStyle) -> Color:
    """The line's colour, unless a glyph in it could not be seen on the fill."""
    if style.fill.alpha < _OPAQUE or contrast(over(style.stroke, style.fill), style.fill) >= SEEN_CONTRAST:
        return style.stroke
    return readable((style.text_color, WHITE, BLACK), style.fill)


def glyph_items(strokes: Iterable[GlyphStroke], style: FinishedStyle) -> Iterator[Item]:
    """The paint of a glyph on a node."""
    ink = glyph_ink(style)
    for stroke in strokes:
        if stroke.filled:
            yield PathItem(path=stroke.path, fill=ink)
        else:
            yield PathItem(path=stroke.path, stroke=ink, stroke_width=stroke.width, dash=stroke.dash, cap="round")


# What a node is painted of, whatever its type: an outline, an icon, a label. px.


def outline_item(path: Path, style: FinishedStyle) -> PathItem:
    """A path filled and stroked as the style of its element says."""
    return PathItem(
        path=path,
        fill=style.fill,
        stroke=style.stroke,
        stroke_width=style.stroke_width,
        dash=style.dash,
        is_outline=True,
    )


def border_item(path: Path, style: FinishedStyle) -> PathItem:
    """The same without its fill, for an outline that is painted over what stands inside."""
    return PathItem(path=path, stroke=style.stroke, stroke_width=style.stroke_width, dash=style.dash, is_outline=True)


def icon_items(face: NodeFace) -> Iterator[Item]:
    """The registered icon of a node, where a stage before has made room for one (part `icon`)."""
    icon, part = shown_icon(face.node), face.parts.get("icon")
    if icon is not None and part is not None:
        yield from icon.items(part, face.style.text_color)


def label_items(face: NodeFace) -> tuple[Item, ...]:
    """The label of a node in its part box."""
    label, part = face.size.label, face.parts.get("label")
    return (text_item(label, part, face.style),) if label is not None and label.lines and part is not None else ()


# Bands inside a box that may have round corners: header bands, stripes. px.


_TOLERANCE = 0.01


def sharp(coordinate: float) -> float:
    """Where a line of one px is sharp."""
    return math.floor(coordinate + _TOLERANCE) + 0.5


def flat_bottomed(box: Box, radius: float) -> Path:
    """A box whose upper corners are round."""
    r = min(radius, box.width / 2, box.height)
    if r <= 0:
        return rectangle(box)
    return (
        Move(Point(box.x, box.bottom)),
        Line(Point(box.x, box.y + r)),
        Quadratic(Point(box.x, box.y), Point(box.x + r, box.y)),
        Line(Point(box.right - r, box.y)),
        Quadratic(Point(box.right, box.y), Point(box.right, box.y + r)),
        Line(Point(box.right, box.bottom)),
        Close(),
    )


def left_stripe(box: Box, radius: float, width: float) -> Path:
    """The leftmost `width` px of a rounded rectangle."""
    r, w = min(radius, box.width / 2, box.height / 2), min(width, box.width)
    if r <= 0:
        return rectangle(Box(box.x, box.y, w, box.height))
    # The quarter circle is left where it leaves the stripe.
    turn = math.acos(max(r - w, 0.0) / r)
    upper, lower = Box(box.x, box.y, 2 * r, 2 * r), Box(box.x, box.bottom - 2 * r, 2 * r, 2 * r)
    inset = r - math.sin(turn) * r
    reach = box.x + min(w, r)
    path = (
        Move(Point(reach, box.y + inset)),
        *elliptic_arc(upper, math.pi + turn, math.pi),
        Line(Point(box.x, box.bottom - r)),
        *elliptic_arc(lower, math.pi, math.pi - turn),
    )
    if w > r:
        path = (*path, Line(Point(box.x + w, box.bottom)), Line(Point(box.x + w, box.y)))
    return (*path, Close())
