"""How many pixels a PNG may have, and what to tell who asked for more. Imports next to nothing, for the command
line's sake."""

from __future__ import annotations

from math import ceil

from scenograph.wire.limits import MIN_SCALE

MAX_PIXELS = 64_000_000  # R-LIMIT-1; unless the operator sets another figure


def too_large(width: float, height: float, pixels: int, most: int = MAX_PIXELS) -> str:
    """The message for a PNG of `pixels` beyond the limit `most`; the page is `width` x `height` px."""
    hundredths = int((most / (width * height)) ** 0.5 * 100)
    # Columns and rows are whole: both rounded up can be a little more than the page has.
    while round(width * hundredths / 100) * round(height * hundredths / 100) > most:
        hundredths -= 1
    fitting = hundredths / 100
    advice = f"use a scale of at most {fitting:g}" if fitting >= MIN_SCALE else "ask for svg"
    return f"The picture would have {ceil(pixels / 1e6)} megapixels; at most {most / 1e6:g} are made: {advice}."
