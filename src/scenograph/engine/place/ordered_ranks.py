"""A level whose ranks and order are settled (see `nesting`): the coordinates, so that long lines run straight and meet
what they lead to in other containers. Flow from top to bottom. px.

Across the flow each row is fitted to what it is joined to, in turn from above and from below, by isotonic regression
(as `layered_fallback` does). Then what lines meet beside its middle is set straight with one of them, and parents are
centred over their children. Between rows of tables short jogs are taken out (see `straight_blocks`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from itertools import pairwise
from math import fsum
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.kernels.line_pieces import LinePieces
from scenograph.engine.kernels.row_fit import RowFit
from scenograph.engine.place.centering import centred
from scenograph.engine.place.layered_library import LABEL_MARGIN
from scenograph.engine.place.rank_bands import drawn_to_neighbours
from scenograph.engine.place.straight_blocks import Rows, straighten_blocks
from scenograph.engine.place.subgraph import Chain, Corners, Item, RankOrder, Subgraph, is_way, room_between
from scenograph.late_dataclasses import replace

SWEEPS, LAST_SWEEPS = 10, 4  # in the last ones from above and from below at once
LONG_LINE, WAY, PLAIN = 8.0, 2.0, 1.0  # how much a stretch counts: between two dummy nodes, at one, between items
END = 3.0  # the same at one dummy node where lines are made short: long lines leave and arrive straight
GAIN = 1.0  # px, weighted: a smaller one is rounding


class Finish(Enum):
    """What is done once the rows are fitted. What lines meet beside its middle is set straight with one of them
    (`AT_OFFSETS`, in levels of nested scenes, which stay narrow so); short jogs go as well (`AT_ROWS`: lines end at
    rows of tables, where no route can slide them straight); all lines are made as short as can be (`SHORT_LINES`)."""

    AT_OFFSETS = 0
    AT_ROWS = 1
    SHORT_LINES = 2


class _Pull(NamedTuple):
    """What a slot is joined to, and how far beside the middle of that it would stand."""

    other: str
    aside: float
    weight: float


Pulls = Mapping[str, Sequence[_Pull]]


def arranged_in_order(part: Subgraph, order: RankOrder, finish: Finish = Finish.AT_OFFSETS) -> Corners:
    """The corners of the items, ways among them."""
    items = {item.id: item for item in part.items}
    middles = _across(part, order, items, finish)
    ranks = {name: rank for rank, row in enumerate(order.rows[1:-1]) for name in row}
    lines = _along(part, order, items)
    corners: Corners = {
        name: Point(middles[name] - items[name].width / 2, line - items[name].height / 2)
        for row, line in zip(order.rows, lines, strict=True)
        for name in row
    }
    inner = replace(part, items=tuple(item for item in part.items if item.id in ranks))
    corners = {**corners, **centred(inner, corners, ranks, _held(order))}
    plain = part.without_ways()
    own = {item.id: ranks[item.id] for item in plain.items}
    return {**corners, **drawn_to_neighbours(plain, {one: corners[one] for one in own}, own)}


def _held(order: RankOrder) -> frozenset[str]:
    """The items that stand where their lines meet something inside them or inside what they lead to, and those whose
    lines lead on beyond the next rank."""
    met = (chain for chain in order.chains if chain.upper_offset or chain.lower_offset)
    beyond = (chain.upper for chain in order.chains if is_way(chain.lower))
    return frozenset((*(name for chain in met for name in (chain.upper, chain.lower)), *beyond))


def with_ways(order: RankOrder, part: Subgraph, corners: Corners) -> Corners:
    """The corners of items that stand in no order, and the ways of their lines: at the middle of the item that each
    hangs on."""
    found = dict(corners)
    middles = {item.id: Point(corners[item.id].x + item.width / 2, corners[item.id].y) for item in part.items}
    for upper, lower, at_upper, at_lower, _ in (*order.chains, *order.chains[::-1]):
        for one, other, aside in ((upper, lower, at_upper), (lower, upper, at_lower)):
            if one in middles and other not in middles:
                found[other] = middles[other] = Point(middles[one].x + aside, middles[one].y)
    return {**{name: Point(0.0, 0.0) for row in order.rows for name in row}, **found}


def _across(part: Subgraph, order: RankOrder, items: Mapping[str, Item], finish: Finish) -> dict[str, float]:
    """The middle of every item."""
    steps = [_steps(row, items, part.settings.node_spacing) for row in order.rows]
    middles = _fitted(order, steps, is_short=finish is Finish.SHORT_LINES)
    if finish is Finish.SHORT_LINES:
        return middles
    rows = list(zip(order.rows, steps, strict=True))
    left, right = _ends(rows, items, middles)
    ends = {name: (left + _half(items[name]), right - _half(items[name])) for name in middles}
    pulls = _pulls(order)
    for row, places in rows + rows[::-1]:
        _straighten(row, places, ends, pulls, middles)
    if finish is Finish.AT_ROWS:
        weights = {chain: _weight(chain) for chain in order.chains}
        straighten_blocks(Rows(order, steps, ends), middles, weights)
    return middles


def _fitted(order: RankOrder, steps: list[list[float]], *, is_short: bool) -> dict[str, float]:
    """The middles, each row fitted to what it is joined to; `is_short`: all lines are then made short."""
    names = [name for row in order.rows for name in row]
    number = {name: at for at, name in enumerate(names)}
    rows = [[number[name] for name in row] for row in order.rows]
    uppers = [number[chain.upper] for chain in order.chains]
    lowers = [number[chain.lower] for chain in order.chains]
    asides = [chain.upper_offset - chain.lower_offset for chain in order.chains]
    weights = [_weight(chain, END if is_short else WAY) for chain in order.chains]
    fit = RowFit(rows, steps)
    fit.join(uppers, lowers, asides, weights)
    places = fit.fit(SWEEPS, LAST_SWEEPS)
    if is_short:
        places = LinePieces(rows, steps, uppers, lowers, [is_way(name) for name in names]).fit(places, asides, weights)
    return dict(zip(names, places, strict=True))


def _ends(
    rows: Sequence[tuple[Sequence[str], Sequence[float]]], items: Mapping[str, Item], middles: Mapping[str, float]
) -> tuple[float, float]:
    """How far the level reaches across the flow."""
    lefts = [middles[row[0]] - _half(items[row[0]]) for row, _ in rows if row]
    rights = [middles[row[-1]] + _half(items[row[-1]]) for row, _ in rows if row]
    return min(lefts, default=0.0), max(rights, default=0.0)


def _pulls(order: RankOrder) -> tuple[Pulls, Pulls]:
    above: dict[str, list[_Pull]] = {name: [] for row in order.rows for name in row}
    below: dict[str, list[_Pull]] = {name: [] for row in order.rows for name in row}
    for chain in order.chains:
        upper, lower, at_upper, at_lower, _ = chain
        weight = _weight(chain)
        below[upper].append(_Pull(lower, at_lower - at_upper, weight))
        above[lower].append(_Pull(upper, at_upper - at_lower, weight))
    return above, below


def _weight(chain: Chain, at_way: float = WAY) -> float:
    """How much a stretch of a line counts."""
    return chain.weight * (PLAIN, at_way, LONG_LINE)[is_way(chain.upper) + is_way(chain.lower)]


def _steps(row: Sequence[str], items: Mapping[str, Item], gap: float) -> list[float]:
    """The middles of a row whose items stand as close as they may, from the first one on."""
    places = [0.0] if row else []
    for left, right in pairwise(row):
        between = room_between(left, right, gap)
        places.append(places[-1] + _half(items[left]) + between + _half(items[right]))
    return places


def _half(item: Item) -> float:
    """Half of an item's width, with the same room on both sides, so that boxes of one line keep their middles on it."""
    return item.width / 2 + max(item.outset.left, item.outset.right)


def _straighten(
    row: Sequence[str],
    places: Sequence[float],
    ends: Mapping[str, tuple[float, float]],
    sides: Sequence[Pulls],
    middles: dict[str, float],
) -> None:
    """Move what lines meet beside its middle to where one of them runs straight, if there is room for it and its lines
    are shorter together; what is pulled to the mean of two places stands beside both."""
    for at, name in enumerate(row):
        pulls = [pull for side in sides for pull in side[name]]
        if not any(pull.aside for pull in pulls):
            continue
        least = middles[row[at - 1]] + places[at] - places[at - 1] if at else ends[name][0]
        most = middles[row[at + 1]] + places[at] - places[at + 1] if at + 1 < len(row) else ends[name][1]
        wishes = [middles[pull.other] + pull.aside for pull in pulls]
        free = [
            (_length(wish, wishes, pulls), abs(wish - middles[name]), wish) for wish in wishes if least <= wish <= most
        ]
        if free and min(free)[0] < _length(middles[name], wishes, pulls) - GAIN:
            middles[name] = min(free)[2]


def _length(place: float, wishes: Sequence[float], pulls: Sequence[_Pull]) -> float:
    """How far across the flow the lines of something at `place` run, weighted."""
    return fsum(abs(place - wish) * pull.weight for wish, pull in zip(wishes, pulls, strict=True))


def _along(part: Subgraph, order: RankOrder, items: Mapping[str, Item]) -> list[float]:
    """The middle line of every row: tall boxes and labels push the next rank away."""
    rank = {name: number for number, row in enumerate(order.rows[1:-1]) for name in row}
    room = [part.settings.rank_spacing] * len(order.rows)
    for link in part.links:
        above = min(rank[link.source], rank[link.target])
        room[above] = max(room[above], link.label_height + LABEL_MARGIN if link.label_height > 0 else 0.0)
    lines, bottom = [0.0], 0.0
    for number, row in enumerate(order.rows[1:-1]):
        before = max((items[name].height / 2 + items[name].outset.top for name in row), default=0.0)
        after = max((items[name].height / 2 + items[name].outset.bottom for name in row), default=0.0)
        lines.append(bottom + before + (room[number - 1] if number else 0.0))
        bottom = lines[-1] + after
    return [*lines, bottom]
