"""Numbers and paths as the text of SVG: at most two decimals, no trailing zeros, no "-0"; relative commands.

To keep rounding from adding up, coordinates are rounded once, to whole hundredths of a px, and the differences are
taken between those integers.
"""

from __future__ import annotations

from typing import Final

from scenograph.engine.kernels.straight_lines import XY

PER_PX: Final = 100  # parts per px in written coordinates
MOST_TEXTS: Final = 65_536  # kept texts of numbers

PathPiece = tuple[XY, ...]
"""None to close the path, a point for a line, two for a quadratic curve, three for a cubic one."""

_TEXTS: dict[int, str] = {}


def hundredths(value: float) -> int:
    """`value` rounded to whole hundredths, halves to even; a value that is not finite counts as 0."""
    amount = value * PER_PX
    if amount - amount != 0.0:
        return 0
    whole = int(amount)
    rest = amount - whole
    if -0.5 < rest < 0.5 or (abs(rest) == 0.5 and whole % 2 == 0):
        return whole
    return whole + 1 if rest > 0.0 else whole - 1


def printed(amount: int) -> str:
    """Whole hundredths as a decimal number."""
    text = _TEXTS.get(amount)
    if text is not None:
        return text
    if len(_TEXTS) >= MOST_TEXTS:
        _TEXTS.clear()
    whole, rest = abs(amount) // PER_PX, abs(amount) % PER_PX
    text = ("-" if amount < 0 else "") + str(whole)
    if rest:
        text += "." + str(PER_PX + rest)[1:].rstrip("0")
    _TEXTS[amount] = text
    return text


def decimal(value: float) -> str:
    """A number of px as a decimal number."""
    return printed(hundredths(value))


def _after(amount: int) -> str:
    """The same after another number: a minus sign separates as well as a space does."""
    return printed(amount) if amount < 0 else " " + printed(amount)


def path_text(path: tuple[PathPiece, ...], move: type) -> str:
    """The commands of a path; every coordinate is within 0.005 px of the true value. Segments of the class `move` only
    move the pen."""
    x = y = start_x = start_y = 0  # the pen, in hundredths
    parts: list[str] = []
    for segment in path:
        count = len(segment)
        if count == 0:
            parts.append("z")
            x, y = start_x, start_y
            continue
        to = segment[count - 1]
        to_x, to_y = hundredths(to[0]), hundredths(to[1])
        if count > 1:
            parts.append("c" if count == 3 else "q")
            for number in range(count - 1):
                place = segment[number]
                across = hundredths(place[0]) - x
                parts.append(_after(across) if number else printed(across))
                parts.append(_after(hundredths(place[1]) - y))
            parts.append(_after(to_x - x))
            parts.append(_after(to_y - y))
        elif type(segment) is move:
            parts.append("M")
            parts.append(printed(to_x))
            parts.append(_after(to_y))
            start_x, start_y = to_x, to_y
        elif to_y == y:
            parts.append("h")
            parts.append(printed(to_x - x))
        elif to_x == x:
            parts.append("v")
            parts.append(printed(to_y - y))
        else:
            parts.append("l")
            parts.append(printed(to_x - x))
            parts.append(_after(to_y - y))
        x, y = to_x, to_y
    return "".join(parts)
