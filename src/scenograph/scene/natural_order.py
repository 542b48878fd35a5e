"""Ids in natural order: runs of digits by their number, so that `e2` comes before `e10` (R-ID-5)."""

from __future__ import annotations

import re

_PARTS = re.compile(r"([0-9]+)")


NaturalKey = tuple[tuple[tuple[str, int], ...], str]


def natural_key(name: str) -> NaturalKey:
    """What to sort ids by. Names that differ in leading zeros alone follow the order of their characters."""
    parts = _PARTS.split(name)
    numbered = zip(parts[::2], (*parts[1::2], "0"), strict=True)
    # A name that ends where another goes on with a number comes first: its number is below every number.
    ends = [(text, int(number)) for text, number in numbered]
    ends[-1] = (ends[-1][0], -1)
    return tuple(ends), name
