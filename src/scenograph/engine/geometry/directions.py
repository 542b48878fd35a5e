"""Directions: sides of a box, axes of the page, flows of a diagram, and boxes turned by a flow. px, y grows downwards.

A side is named as in the document (`top`, …). An axis is "x" or "y". A flow is named as in a layout strategy (`TB`,
from top to bottom, …); an unknown flow counts as `TB`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from scenograph.engine.geometry.boxes import Box, Outset

VERTICAL: Final = "y"
HORIZONTAL: Final = "x"
ACROSS: Mapping[str | None, str | None] = {VERTICAL: HORIZONTAL, HORIZONTAL: VERTICAL, None: None}
"""The other axis."""

OUTWARDS: Mapping[str, tuple[int, int]] = {"top": (0, -1), "right": (1, 0), "bottom": (0, 1), "left": (-1, 0)}
"""The step out of a box through each side."""
SIDES: Final = tuple(OUTWARDS)
OPPOSITE: Mapping[str, str] = {"top": "bottom", "right": "left", "bottom": "top", "left": "right"}
LEVEL_SIDES: Final = ("top", "bottom")
"""The sides that run along x."""
UPRIGHT_SIDES: Final = ("left", "right")
"""The sides that run along y."""

DOWNWARDS, RIGHTWARDS = "TB", "LR"
SIDEWAYS = frozenset({"LR", "RL"})
"""The flows along x."""
BACKWARDS = frozenset({"BT", "RL"})
"""The flows against their axis."""
AHEAD: Mapping[str, tuple[int, int]] = {"TB": (0, 1), "BT": (0, -1), "LR": (1, 0), "RL": (-1, 0)}
"""The step of each flow."""
CROSSWISE: Mapping[str, str] = {"TB": "LR", "BT": "RL", "LR": "TB", "RL": "BT"}
"""The flow along the other axis, of the same sense."""


def axis_of(flow: str) -> str:
    """The axis of a flow."""
    return HORIZONTAL if flow in SIDEWAYS else VERTICAL


def extent_along(box: Box, side: str) -> tuple[float, float]:
    """The begin and end of a side along its own axis."""
    if side in LEVEL_SIDES:
        return box.x, box.x + box.width
    return box.y, box.y + box.height


class Turn(NamedTuple):
    """How a flow differs from top to bottom: axes swapped, the flow's sense reversed."""

    swapped: bool
    reversed: bool


TURNS: Mapping[str, Turn] = {
    flow: Turn(swapped=flow in SIDEWAYS, reversed=flow in BACKWARDS) for flow in ("TB", "BT", "LR", "RL")
}


def turn_of(flow: str) -> Turn:
    """The turn of a flow."""
    return TURNS.get(flow, TURNS[DOWNWARDS])


def turned_box(box: Box, turn: Turn) -> Box:
    """A box of the page, turned for a flow from top to bottom."""
    if not turn.swapped and not turn.reversed:
        return box
    x, y, width, height = box
    if turn.swapped:
        x, y, width, height = y, x, height, width
    return Box(x, -y - height if turn.reversed else y, width, height)


def turned_back(box: Box, turn: Turn) -> Box:
    """A turned box, back on the page."""
    x, y, width, height = box
    y = -y - height if turn.reversed else y
    return Box(y, x, height, width) if turn.swapped else Box(x, y, width, height)


def turned_outset(outset: Outset, turn: Turn) -> Outset:
    """An outset turned likewise."""
    top, right, bottom, left = outset
    if turn.swapped:
        top, right, bottom, left = left, bottom, right, top
    return Outset(bottom, right, top, left) if turn.reversed else Outset(top, right, bottom, left)
