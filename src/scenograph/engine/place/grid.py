"""The algorithm `grid`: rows filled in document order (R-PLACE-7)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import ceil, fsum, inf, log
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.place.subgraph import LABEL_ENDS, Corners, Item, LayoutRecord, LayoutSettings, Subgraph

MAX_TRIED_COLUMNS = 40  # columns; a wider grid suits no page
TALL = 64.0  # px; items so much lower than the highest of their row stand on a line of their own
STRETCH = 32.0  # px; the greatest growth of a row for aligned items


WIDEST_GAP = 2.5  # times the spacing of nodes: a gap widened for the shape of a page
EMPTY, FEW_EMPTY = 1.0, 0.2  # price of an empty cell, and the same for a wished shape


class _GridRow(NamedTuple):
    """The height of a row, and the distance of each item's outset box below the row's top."""

    height: float
    downs: tuple[float, ...]


def grid(subgraph: Subgraph, _record: LayoutRecord) -> Corners:
    """Cells as wide as their column and as high as their row. Each box is centred in its column; boxes of a row are
    aligned, much lower boxes at the top."""
    if not subgraph.items:
        return {}
    columns = subgraph.settings.columns or _fitting_columns(subgraph)
    columns = max(1, min(columns, len(subgraph.items)))
    widths, rows = _cells(subgraph.items, columns)
    across, along = _column_gaps(subgraph, columns), [subgraph.settings.node_spacing] * len(rows)
    if subgraph.settings.cloud is not None:
        _widen(across, along, widths, [row.height for row in rows], subgraph.settings)
    lefts, tops = _starts(widths, across), _starts([row.height for row in rows], along)
    corners: dict[str, Point] = {}
    for number, item in enumerate(subgraph.items):
        row, column = divmod(number, columns)
        x = lefts[column] + (widths[column] - item.whole_width) / 2 + item.outset.left
        y = tops[row] + rows[row].downs[column] + item.outset.top
        corners[item.id] = Point(x, y)
    return corners


def _widen(
    across: list[float], along: list[float], widths: Sequence[float], heights: Sequence[float], settings: LayoutSettings
) -> None:
    """Widen the gaps of columns or rows, at most to WIDEST_GAP, for a wished shape of the cells together."""
    wide, high = fsum((*widths, *across[:-1])), fsum((*heights, *along[:-1]))
    for gaps, lacking in (
        (across, high * (settings.cloud or 1.0) - wide),
        (along, wide / (settings.cloud or 1.0) - high),
    ):
        if lacking > 0 and len(gaps) > 1:
            more = min(lacking / (len(gaps) - 1), (WIDEST_GAP - 1.0) * settings.node_spacing)
            gaps[:] = [gap + more for gap in gaps]


def _cells(items: Sequence[Item], columns: int) -> tuple[list[float], list[_GridRow]]:
    widths = [max(item.whole_width for item in items[column::columns]) for column in range(columns)]
    starts = range(0, len(items), columns)
    return widths, [_row(items[start : start + columns]) for start in starts]


def _row(items: Sequence[Item]) -> _GridRow:
    """A row with aligned items, unless alignment makes the row much higher; else each item centred."""
    tallest = max(item.whole_height for item in items)
    low = [tallest - item.whole_height > TALL for item in items]
    lines = {kind: max(i.above_line for i, own in zip(items, low, strict=True) if own is kind) for kind in {*low}}
    downs = [lines[own] - item.above_line for item, own in zip(items, low, strict=True)]
    height = max(down + item.whole_height for item, down in zip(items, downs, strict=True))
    if height - tallest > STRETCH:
        downs = [0.0 if own else (tallest - item.whole_height) / 2 for item, own in zip(items, low, strict=True)]
        height = tallest
    return _GridRow(height, tuple(downs))


def _starts(sizes: Sequence[float], gaps: Sequence[float]) -> list[float]:
    return list(accumulate((size + gap for size, gap in zip(sizes[:-1], gaps, strict=False)), initial=0.0))


def _column_gaps(subgraph: Subgraph, columns: int) -> list[float]:
    """The gaps between columns: node spacing, or more for a label between neighbours of a row."""
    gaps = [subgraph.settings.node_spacing] * columns
    number = {item.id: i for i, item in enumerate(subgraph.items)}
    for link in subgraph.links:
        first, second = sorted((number[link.source], number[link.target]))
        if second == first + 1 and second % columns:
            gaps[first % columns] = max(gaps[first % columns], link.label_width + LABEL_ENDS)
    return gaps


def _fitting_columns(subgraph: Subgraph) -> int:
    """The number of columns nearest to the page's aspect ratio; a draw goes to fewer empty cells."""
    count, gap = len(subgraph.items), subgraph.settings.node_spacing
    best, least = 1, inf
    for columns in range(1, min(count, MAX_TRIED_COLUMNS) + 1):
        widths, rows = _cells(subgraph.items, columns)
        width = fsum(widths) + gap * (len(widths) - 1)
        height = fsum(row.height for row in rows) + gap * (len(rows) - 1)
        empty = (ceil(count / columns) * columns - count) * (EMPTY if subgraph.settings.cloud is None else FEW_EMPTY)
        cost = abs(log(max(width, 1.0) / max(height, 1.0) / subgraph.settings.aspect)) + empty / count
        if cost < least:
            best, least = columns, cost
    return best
