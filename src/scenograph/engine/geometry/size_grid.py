"""Natural sizes are multiples of 4 px, so that neighbours align."""

from __future__ import annotations

import math

GRID = 4.0
_ROUNDING = 1e-6  # what a sum of widths may be over a multiple


def on_grid(length: float) -> float:
    """The least multiple of `GRID` that holds a length, px."""
    return math.ceil(length / GRID - _ROUNDING) * GRID
