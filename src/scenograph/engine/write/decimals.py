"""The one number format of the writers: at most two decimals, no trailing zeros, no "-0".

Paths are written with relative commands. To keep rounding from adding up, coordinates are rounded once, to whole
hundredths of a px, and the differences are taken between those integers.
"""

from __future__ import annotations

from functools import lru_cache

PER_PX = 100
_CACHED_NUMBERS = 65536


def hundredths(value: float) -> int:
    """`value` rounded to whole hundredths; what is not finite counts as 0."""
    try:
        return round(value * PER_PX)
    except (OverflowError, ValueError):
        return 0


@lru_cache(maxsize=_CACHED_NUMBERS)
def printed(amount: int) -> str:
    """Whole hundredths as a decimal number."""
    whole, rest = divmod(abs(amount), PER_PX)
    sign = "-" if amount < 0 else ""
    if rest == 0:
        return f"{sign}{whole}"
    return f"{sign}{whole}.{rest:02d}".removesuffix("0")


def decimal(value: float) -> str:
    """A number as it stands in an attribute."""
    return printed(hundredths(value))
