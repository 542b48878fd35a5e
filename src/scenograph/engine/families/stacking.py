"""How high the header and the rows of a table are. px.

In: the least and the natural height of each, and the height that the author gives. Out: whole px that fill it: rows
grow a little in a tall box, lose their padding in a low one, and where even that is too much the last rows give way to
one that says how many are missing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

MOST_GROWTH = 0.5  # of a row's natural height

Range = tuple[float, float]
"""The least and the natural height."""


class Heights(NamedTuple):
    """The outcome. `least` is what the whole table needs; `hidden` counts the rows that have no place, `more` is the
    height of the row that stands for them (0 where there is no place for it either)."""

    total: float
    least: float
    header: float
    rows: tuple[float, ...]
    more: float = 0.0
    hidden: int = 0


def stacked(header: Range, rows: Sequence[Range], given: float | None, borders: float) -> Heights:
    """Header and rows in a box of the given height (None: of the natural one), `borders` of which is not theirs."""
    ranges = (header, *rows)
    least, natural = (math.fsum(each[side] for each in ranges) for side in (0, 1))
    if given is None:
        return Heights(natural + borders, least + borders, header[1], tuple(row[1] for row in rows))
    inner = given - borders
    if inner >= natural:
        grown = _grown(rows, inner - natural)
        return Heights(given, least + borders, header[1], grown)
    if inner >= least:
        share = (inner - least) / (natural - least)
        squeezed = [math.floor(low + share * (high - low)) for low, high in ranges]
        return Heights(given, least + borders, squeezed[0], tuple(squeezed[1:]))
    return _cut(header[0], [row[0] for row in rows], inner)._replace(total=given, least=least + borders)


def _grown(rows: Sequence[Range], spare: float) -> tuple[float, ...]:
    """All rows by the same number of px, at most by `MOST_GROWTH` of the lowest."""
    lowest = min((row[1] for row in rows), default=0.0)
    by = math.floor(min(spare / max(len(rows), 1), MOST_GROWTH * lowest))
    return tuple(row[1] + by for row in rows)


def _cut(header: float, rows: Sequence[float], inner: float) -> Heights:
    """As many rows as leave a place for the note about the others."""
    note = min(rows, default=0.0)
    y, shown = min(header, max(inner, 0.0)), 0
    room = inner - y
    while shown < len(rows) and rows[shown] + note <= room:
        room -= rows[shown]
        shown += 1
    more = note if note <= room else 0.0
    return Heights(inner, inner, y, tuple(rows[:shown]), more, len(rows) - shown)
