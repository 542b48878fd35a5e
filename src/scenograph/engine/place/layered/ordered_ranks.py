"""The coordinates of a level with settled ranks and order (see `nesting`), with long edges straight and aligned with
their ends in other containers. Flow from top to bottom. px.

Across the flow each row is fitted to its neighbours, in turn from above and from below, by isotonic regression (pool
adjacent violators). Then items with edges beside their middle are aligned with one of these edges, and parents are
centred over their children. Between rows of tables short jogs are removed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from enum import Enum
from itertools import pairwise
from math import fsum
from typing import NamedTuple

from scenograph.engine.costs import CLEARANCE
from scenograph.engine.geometry.boxes import Point
from scenograph.engine.kernels.rank_places import LinePieces, RowFit
from scenograph.engine.place.subgraph import (
    LABEL_ENDS,
    Corners,
    Item,
    RankOrder,
    RankSegment,
    Subgraph,
    is_way,
    room_between,
    whole_box,
)
from scenograph.late_dataclasses import dataclass, replace

# Removal of short jogs in settled ranks: a block of slots joined by straight chains moves as a whole, so that a chain
# with a short jog becomes straight too. Flow from top to bottom. px. A single slot is often held by its own straight
# edge: moved alone, the slot gets a new jog for each jog removed. In: an order and the middles of its slots. Out: the
# middles, changed in place. Promises: rows keep their order and distances; nothing leaves the room of the level; edges
# and jogs cost less than before.


JOG = 24.0  # px; up to this long a jog is taken out
TURN = 40.0  # px; what a jog costs, as two bends of a route do
LEVEL = 0.01  # px; less is straight
GAIN = 1.0  # px; a smaller one is rounding
MOST_SLOTS = 60  # slots that move as one


@dataclass(frozen=True, slots=True)
class _RankRows:
    """The rows from above, with the least distances from the first slot of each, and how far each slot may go."""

    order: RankOrder
    steps: Sequence[Sequence[float]]
    ends: Mapping[str, tuple[float, float]]


class _Level:
    """The items of all rows, with their places and chains."""

    def __init__(self, rows: _RankRows, middles: dict[str, float], weights: Mapping[RankSegment, float]) -> None:
        self._rows, self._middles, self._weights = rows, middles, weights
        self._at = {name: (row, at) for row, names in enumerate(rows.order.rows) for at, name in enumerate(names)}
        self._chains: dict[str, list[RankSegment]] = {name: [] for name in self._at}
        for chain in rows.order.chains:
            self._chains[chain.upper].append(chain)
            self._chains[chain.lower].append(chain)

    def jog(self, chain: RankSegment) -> float:
        """The offset of a chain's upper end from its lower end."""
        upper, lower = self._middles[chain.upper], self._middles[chain.lower]
        return upper + chain.upper_offset - lower - chain.lower_offset

    def straighten(self, chain: RankSegment) -> None:
        """Remove the jog of a chain by moving the straight block at either end, if this lowers the cost."""
        jog = self.jog(chain)
        if not LEVEL < abs(jog) <= JOG:
            return
        tried = [(chain.lower, jog), (chain.upper, -jog)]
        moves = [(self._gain(block, shift), shift, block) for end, shift in tried if (block := self._block(end))]
        best = max(moves, key=lambda move: move[0], default=None)
        if best is not None and best[0] > GAIN:
            for name in best[2]:
                self._middles[name] += best[1]

    def _block(self, start: str) -> list[str]:
        """The slots joined to a slot by straight chains; empty beyond the size limit."""
        found, seen = [start], {start}
        for name in found:
            for chain in self._chains[name]:
                other = chain.lower if chain.upper == name else chain.upper
                if other not in seen and abs(self.jog(chain)) <= LEVEL:
                    seen.add(other)
                    found.append(other)
            if len(found) > MOST_SLOTS:
                return []
        return found

    def _gain(self, block: Sequence[str], shift: float) -> float:
        """The gain of a block's move in edge cost; 0.0 without room for the move."""
        moved = set(block)
        if not all(self._has_room(name, shift, moved) for name in block):
            return 0.0
        gain = 0.0
        for chain in self._leaving(block, moved):
            before = self.jog(chain)
            after = before + (shift if chain.upper in moved else -shift)
            turns = (abs(before) > LEVEL) - (abs(after) > LEVEL)
            gain += self._weights[chain] * (abs(before) - abs(after)) + TURN * turns
        return gain

    def _leaving(self, block: Iterable[str], moved: set[str]) -> Iterable[RankSegment]:
        return (
            chain
            for name in block
            for chain in self._chains[name]
            if (chain.upper in moved) is not (chain.lower in moved)
        )

    def _has_room(self, name: str, shift: float, moved: set[str]) -> bool:
        row, at = self._at[name]
        names, steps, place = self._rows.order.rows[row], self._rows.steps[row], self._middles[name] + shift
        least, most = self._rows.ends[name]
        if not least - LEVEL <= place <= most + LEVEL:
            return False
        for beside in (at - 1, at + 1):
            if 0 <= beside < len(names) and names[beside] not in moved:
                needed = abs(steps[beside] - steps[at])
                if abs(self._middles[names[beside]] - place) < needed - LEVEL:
                    return False
                if (self._middles[names[beside]] < place) is not (beside < at):
                    return False
        return True


def _straighten_blocks(rows: _RankRows, middles: dict[str, float], weights: Mapping[RankSegment, float]) -> None:
    """Remove short jogs from chains, top to bottom. `weights`: the weight of each chain."""
    level = _Level(rows, middles, weights)
    for chain in rows.order.chains:
        level.straighten(chain)


# Small boxes in a rank of tall ones: drawn to the edge of the rank where their links are. Flow from top to bottom.


SLACK = 64.0  # a rank this much taller than a box, or more, lets it move; below, middles stay on one line


def drawn_to_neighbours(subgraph: Subgraph, corners: Corners, ranks: Mapping[str, int]) -> Corners:
    """The corners with each small box at the upper edge of its rank, or the lower when links only lead down."""
    bands = _bands(subgraph, corners, ranks)
    has_upper = {
        end
        for link in subgraph.links
        for end, other in ((link.source, link.target), (link.target, link.source))
        if ranks[other] < ranks[end]
    }
    linked = {end for link in subgraph.links for end in (link.source, link.target)}
    moved = dict(corners)
    for item in subgraph.items:
        top, bottom = bands[ranks[item.id]]
        if item.id in linked and bottom - top - item.whole_height >= SLACK:
            y = top + item.outset.top if item.id in has_upper else bottom - item.outset.bottom - item.height
            moved[item.id] = Point(corners[item.id].x, y)
    return moved


def _bands(subgraph: Subgraph, corners: Corners, ranks: Mapping[str, int]) -> Mapping[int, tuple[float, float]]:
    bands: dict[int, tuple[float, float]] = {}
    for item in subgraph.items:
        box = whole_box(item, corners[item.id])
        top, bottom = bands.get(ranks[item.id], (box.y, box.bottom))
        bands[ranks[item.id]] = (min(top, box.y), max(bottom, box.bottom))
    return bands


# Parents in the middle over children of their own, and sources over their only target, where a rank has room for
# it. Flow from top to bottom.


NEAR = 0.5  # px; a smaller shift is rounding


@dataclass(slots=True)
class _Ranks:
    """Items by rank, and the changing x of their middles."""

    items: Mapping[str, Item]
    rows: Mapping[int, Sequence[str]]  # from left to right; no shift changes that order
    middles: dict[str, float]
    gap: float

    def shift(self, row: Sequence[str], first: int, last: int, by: float) -> None:
        """Move the neighbours `first` to `last` of a row together, if there is room on both sides."""
        left = self.middles[row[first]] + by - self._half(row[first])
        right = self.middles[row[last]] + by + self._half(row[last])
        free_left = first == 0 or self._edge(row[first - 1], 1) + self._gap(row, first) <= left
        beyond = last + 1
        free_right = beyond == len(row) or right + self._gap(row, beyond) <= self._edge(row[beyond], -1)
        if free_left and free_right and abs(by) >= NEAR:
            for item_id in row[first : last + 1]:
                self.middles[item_id] += by

    def middle_of(self, group: Sequence[str]) -> float:
        """The middle between the outermost middles of a group."""
        places = [self.middles[item_id] for item_id in group]
        return (min(places) + max(places)) / 2

    def _gap(self, row: Sequence[str], right: int) -> float:
        return room_between(row[right - 1], row[right], self.gap)

    def _edge(self, item_id: str, side: int) -> float:
        return self.middles[item_id] + side * self._half(item_id)

    def _half(self, item_id: str) -> float:
        item = self.items[item_id]
        return item.width / 2 + max(item.outset.left, item.outset.right)


def centred(subgraph: Subgraph, corners: Corners, rank: Mapping[str, int], kept: Set[str] = frozenset()) -> Corners:
    """The corners after centring: parents over the middle of children without another parent, from the lowest rank up;
    then sources over the middle of their only target. `kept` parents and targets take no part."""
    items = {item.id: item for item in subgraph.items}
    middles = {item_id: corners[item_id].x + item.width / 2 for item_id, item in items.items()}
    rows: dict[int, list[str]] = {}
    for item_id in sorted(items, key=lambda one: middles[one]):
        rows.setdefault(rank[item_id], []).append(item_id)
    ranks = _Ranks(items, rows, middles, subgraph.settings.node_spacing)
    neighbours = _neighbours(subgraph)
    for parent, children in _families(neighbours, rank, upwards=False):
        if parent in kept:
            continue
        row = rows[rank[parent]]
        place = row.index(parent)
        ranks.shift(row, place, place, ranks.middle_of(children) - middles[parent])
    for target, sources in _families(neighbours, rank, upwards=True):
        if target in kept:
            continue
        row = rows[rank[sources[0]]]
        places = sorted(row.index(source) for source in sources)
        if places[-1] - places[0] + 1 == len(places):
            ranks.shift(row, places[0], places[-1], middles[target] - ranks.middle_of(sources))
    return {item_id: Point(middles[item_id] - item.width / 2, corners[item_id].y) for item_id, item in items.items()}


def _neighbours(subgraph: Subgraph) -> dict[str, list[str]]:
    neighbours: dict[str, list[str]] = {item.id: [] for item in subgraph.items}
    for link in subgraph.links:
        neighbours[link.source].append(link.target)
        neighbours[link.target].append(link.source)
    return neighbours


def _families(
    neighbours: Mapping[str, Sequence[str]], rank: Mapping[str, int], *, upwards: bool
) -> list[tuple[str, list[str]]]:
    """Items with their exclusive children in the next rank, lowest items first; upwards: with at least two exclusive
    parents that have no other neighbour."""
    step = -1 if upwards else 1
    families: list[tuple[str, list[str]]] = []
    for head in sorted(rank, key=lambda item_id: -rank[item_id]):
        beyond = [other for other in neighbours[head] if (rank[other] - rank[head]) * step > 0]
        own = [other for other in beyond if rank[other] == rank[head] + step and _is_own(other, neighbours, rank, step)]
        if upwards:
            own = [other for other in own if len(neighbours[other]) == 1]
        elif len(own) < len(beyond):
            continue
        if len(own) > (1 if upwards else 0):
            families.append((head, own))
    return families


def _is_own(item_id: str, neighbours: Mapping[str, Sequence[str]], rank: Mapping[str, int], step: int) -> bool:
    """Whether an item has only one neighbour on the head's side."""
    return sum((rank[other] - rank[item_id]) * step < 0 for other in neighbours[item_id]) == 1


SWEEPS, LAST_SWEEPS = 10, 4  # in the last ones from above and from below at once
LONG_LINE, WAY, PLAIN = 8.0, 2.0, 1.0  # how much a stretch counts: between two dummy nodes, at one, between items
END = 3.0  # weight in place of `WAY` where lines are made short: long lines leave and arrive straight


class Finish(Enum):
    """The last steps after fitting the rows. `AT_OFFSETS`: align items that edges meet beside their middle (levels of
    nested scenes stay narrow). `AT_ROWS`: remove short jogs too (edges end at rows of tables, beyond the reach of
    routing). `SHORT_LINES`: shorten all edges. `MAIN_PATH`: the same, and no parent leaves its line for the middle of
    its children."""

    AT_OFFSETS = 0
    AT_ROWS = 1
    SHORT_LINES = 2
    MAIN_PATH = 3


class _Pull(NamedTuple):
    """A neighbour of a slot, and the wished offset from the neighbour's middle."""

    other: str
    aside: float
    weight: float


_Pulls = Mapping[str, Sequence[_Pull]]


def arranged_in_order(part: Subgraph, order: RankOrder, finish: Finish = Finish.AT_OFFSETS) -> Corners:
    """The corners of all items, dummy nodes included."""
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
    if finish is not Finish.MAIN_PATH:
        corners = {**corners, **centred(inner, corners, ranks, _held(order))}
    plain = part.without_ways()
    own = {item.id: ranks[item.id] for item in plain.items}
    return {**corners, **drawn_to_neighbours(plain, {one: corners[one] for one in own}, own)}


def _held(order: RankOrder) -> frozenset[str]:
    """The items aligned with edges at an offset from their middle, and items with edges beyond the next rank."""
    met = (chain for chain in order.chains if chain.upper_offset or chain.lower_offset)
    beyond = (chain.upper for chain in order.chains if is_way(chain.lower))
    return frozenset((*(name for chain in met for name in (chain.upper, chain.lower)), *beyond))


def with_ways(order: RankOrder, part: Subgraph, corners: Corners) -> Corners:
    """The corners of items outside any order, and the dummy nodes of their edges, at the middle of the item at the
    chain's end."""
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
    is_short = finish in {Finish.SHORT_LINES, Finish.MAIN_PATH}
    middles = _fitted(order, steps, is_short=is_short)
    if is_short:
        return middles
    rows = list(zip(order.rows, steps, strict=True))
    left, right = _ends(rows, items, middles)
    ends = {name: (left + _half(items[name]), right - _half(items[name])) for name in middles}
    pulls = _pulls(order)
    for row, places in rows + rows[::-1]:
        _straighten(row, places, ends, pulls, middles)
    if finish is Finish.AT_ROWS:
        weights = {chain: _weight(chain) for chain in order.chains}
        _straighten_blocks(_RankRows(order, steps, ends), middles, weights)
    return middles


def _fitted(order: RankOrder, steps: list[list[float]], *, is_short: bool) -> dict[str, float]:
    """The middles, each row fitted to its neighbours; `is_short`: all edges are shortened afterwards."""
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


def _pulls(order: RankOrder) -> tuple[_Pulls, _Pulls]:
    above: dict[str, list[_Pull]] = {name: [] for row in order.rows for name in row}
    below: dict[str, list[_Pull]] = {name: [] for row in order.rows for name in row}
    for chain in order.chains:
        upper, lower, at_upper, at_lower, _ = chain
        weight = _weight(chain)
        below[upper].append(_Pull(lower, at_lower - at_upper, weight))
        above[lower].append(_Pull(upper, at_upper - at_lower, weight))
    return above, below


def _weight(chain: RankSegment, at_way: float = WAY) -> float:
    """How much a stretch of a line counts."""
    return chain.weight * (PLAIN, at_way, LONG_LINE)[is_way(chain.upper) + is_way(chain.lower)]


def _steps(row: Sequence[str], items: Mapping[str, Item], gap: float) -> list[float]:
    """The middles of a row packed as densely as possible, relative to the first."""
    places = [0.0] if row else []
    for left, right in pairwise(row):
        between = room_between(left, right, gap)
        places.append(places[-1] + _half(items[left]) + between + _half(items[right]))
    return places


def _half(item: Item) -> float:
    """Half of an item's width, with equal room on both sides, so that boxes of a line keep their middles aligned."""
    return item.width / 2 + max(item.outset.left, item.outset.right)


def _straighten(
    row: Sequence[str],
    places: Sequence[float],
    ends: Mapping[str, tuple[float, float]],
    sides: Sequence[_Pulls],
    middles: dict[str, float],
) -> None:
    """Align items that edges meet beside their middle with one of these edges, if there is room and the edges become
    shorter in total; an item pulled to the mean of two places would be aligned with neither."""
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
        if not link.label_height > 0:
            continue
        above, below = sorted((rank[link.source], rank[link.target]))
        room[above] = max(room[above], link.label_height + LABEL_ENDS)
        for gap in (above, below - 1) if link.joined else ():  # a bus of a trunk runs in either
            room[gap] = max(room[gap], link.label_height + LABEL_ENDS + 2 * CLEARANCE)
    lines, bottom = [0.0], 0.0
    for number, row in enumerate(order.rows[1:-1]):
        before = max((items[name].height / 2 + items[name].outset.top for name in row), default=0.0)
        after = max((items[name].height / 2 + items[name].outset.bottom for name in row), default=0.0)
        lines.append(bottom + before + (room[number - 1] if number else 0.0))
        bottom = lines[-1] + after
    return [*lines, bottom]
