"""The inks that a lined card needs beside its style: bands, rules, plates. All mixed from the element's own fill and
line, so that they fit every theme and every colour an author picks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from scenograph.engine.colors import BLACK, READABLE_CONTRAST, WHITE, contrast, mix, over, readable
from scenograph.engine.drawing import Item, PathItem
from scenograph.engine.families.family import GlyphStroke
from scenograph.engine.tables import FinishedStyle
from scenograph.scene.model import Color

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
