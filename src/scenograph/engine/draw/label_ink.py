"""The letters of an edge's label where its ground is not what its style was finished for: a line that leaves a light
frame on a dark page has one style and a label on either.

In: the sheet, the edge, the place of its label. Out: the style with colours that can be read there, and the plate it
needs where no colour can be read on all that lies behind it. Colours that the author chose stay. px.
"""

from __future__ import annotations

from scenograph.engine.colors import READABLE_CONTRAST, contrast, mix, over, readable
from scenograph.engine.draw.backdrop import Patches
from scenograph.engine.draw.sheet import Sheet
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.tables import FinishedStyle
from scenograph.engine.themes import DEFAULT_THEME, THEMES
from scenograph.late_dataclasses import replace
from scenograph.scene.model import Color, Edge

_MUTED_SHARE = 0.25  # how far quiet text fades toward its ground


def label_style(sheet: Sheet, edge: Edge, place: Box, patches: Patches) -> tuple[FinishedStyle, Color | None]:
    """The style of a label without a plate of its own on that ground, and the colour of the plate it must have here."""
    style = sheet.style(edge.id)
    if is_authored(sheet, edge):
        return style, None
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
    """What is seen behind a place, from back to front; what one patch covers wholly is not seen."""
    first, *others = patches
    seen = over(first[1], THEMES[DEFAULT_THEME].background)
    grounds = [] if any(part.contains(place) for part, _ in others) else [seen]
    for _, color in others:
        seen = over(color, seen)
        grounds.append(seen)
    return grounds


def is_authored(sheet: Sheet, edge: Edge) -> bool:
    """Whether the author chose the colours of an edge's label."""
    style = edge.style or sheet.laid_out.scene.styles.get(edge.style_id or "")
    return style is not None and (style.text_color is not None or style.label_background is not None)


def _reads(ink: Color, ground: Color) -> bool:
    return contrast(over(ink, ground), ground) >= READABLE_CONTRAST


def _inked(style: FinishedStyle, ink: Color, ground: Color) -> FinishedStyle:
    quiet = style.muted_color
    muted = quiet if _reads(quiet, ground) else readable((mix(ink, ground, _MUTED_SHARE), ink), ground)
    return replace(style, text_color=ink, muted_color=muted)
