"""Separate labels: beside a shape, or cells of text alone. px."""

from __future__ import annotations

import math
from collections.abc import Mapping

from scenograph.reading.assembly import LONGEST_LABEL
from scenograph.reading.drawio.cells import FARTHEST, Cell, Point, number
from scenograph.reading.drawio.holding import CellArea
from scenograph.reading.drawio.marks import is_marked
from scenograph.reading.drawio.painting import FONT_SIZE, font_size, lettered, lettered_beside
from scenograph.scene.json_values import JsonObject

INSIDE = "inside"
"""The side of a separate label within its shape, whose middle is covered."""
BESIDE_GAP = 4.0
_SPACED = ("Left", "Top", "Right", "Bottom")
_SPACING = 2.0  # default spacing of a label on all sides
_LETTER, _CAPITAL = 0.55, 0.72  # average width of a letter, in font sizes
_SURE = 1.15  # times the average width: enough for most words
_LINE = 1.3  # height of a line, in font sizes
_SIDES: Mapping[tuple[str, str], str] = {
    ("verticalLabelPosition", "bottom"): "below",
    ("verticalLabelPosition", "top"): "above",
    ("labelPosition", "left"): "leftOf",
    ("labelPosition", "right"): "rightOf",
}
_ALIGNED: Mapping[str, str] = {"left": "start", "center": "center", "right": "end"}
_TOWARDS: Mapping[str, str] = {"leftOf": "end", "rightOf": "start"}


def side_of_label(style: Mapping[str, str]) -> str | None:
    """The side of a label beside its shape; None for a label within."""
    return next((side for (name, value), side in _SIDES.items() if style.get(name) == value), None)


def text_beside(cell: Cell, target: str, side: str, *, on_dark: bool) -> JsonObject:
    """The members of the text for a label beside its shape."""
    place = {"mode": "relative", "target": target, "relation": side, "gap": BESIDE_GAP}
    style = {"fontSize": FONT_SIZE} | lettered_beside(cell.style, on_dark=on_dark)
    return {"content": cell.label, "align": _TOWARDS.get(side, "center"), "layout": place, "style": style}


def title_inset(style: Mapping[str, str], *, is_own: bool) -> float | None:
    """The distance of a container's title from its left side; None if unspecified. An export always specifies the
    inset, and marks insets not from the layout."""
    if style.get("align") != "left" or "spacingLeft" not in style or (is_own and not is_marked(style)):
        return None
    return max(number(style["spacingLeft"]) + number(style.get("spacing", ""), _SPACING), 0.0)


def label_area(cell: Cell, area: CellArea) -> CellArea:
    """The approximate area of a label in the middle of its shape."""
    (x, y), size, lines = area.middle, font_size(cell.style), cell.label[:LONGEST_LABEL].split("\n")
    beside = min(max(map(_width, lines)) * size, area.right - area.left) / 2
    above = min(len(lines) * size * _LINE, area.bottom - area.top) / 2
    return CellArea(x - beside, y - above, x + beside, y + above)


def text_in_place(cell: Cell, corner: Point, otherwise: str = "left") -> JsonObject:
    """The members of the text for a text cell, or for a label, in its box as aligned by draw.io, or by `otherwise`.
    Text without wrapping is as wide as needed."""
    style = cell.style
    across = style.get("align", otherwise)
    label, size = cell.label[:LONGEST_LABEL], font_size(style)  # the rest is not shown
    lines = label.split("\n")
    needed = max(map(_width, lines)) * size
    wraps = style.get("whiteSpace") == "wrap"
    if wraps:  # at spaces, never in a word
        needed = max(map(_width, label.split()), default=0.0) * size
    width = max(cell.size[0], min(needed * _SURE, FARTHEST))
    rows = len(lines)
    if wraps:
        rows = sum(max(1, math.ceil(_width(line) * size / width)) for line in lines)
    spare_x, spare_y = cell.size[0] - width, cell.size[1] - rows * size * _LINE
    left, top, right, bottom = (number(style.get(f"spacing{side}", "")) for side in _SPACED)
    x = corner[0] + {"left": left, "right": spare_x - right}.get(across, (spare_x + left - right) / 2)
    down = style.get("verticalAlign", "top")
    y = corner[1] + {"top": top, "bottom": spare_y - bottom}.get(down, (spare_y + top - bottom) / 2)
    return {
        "content": cell.label,
        "align": _ALIGNED.get(across, "center"),
        "layout": {"mode": "absolute", "x": round(x, 2), "y": round(y, 2), "width": round(width, 2)},
        "style": {"fontSize": FONT_SIZE} | lettered(style),
    }


def _width(text: str) -> float:
    """About how wide a text is, in font sizes."""
    capitals = sum(map(str.isupper, text))
    return capitals * _CAPITAL + (len(text) - capitals) * _LETTER
