"""The order of the ranks of one level, by crossing reduction. Flow from top to bottom.

Links lead through dummy nodes in the ranks between. The search for row orders is shared with the order of all
containers (`nesting`), and starts from a walk along the links. Tables joined by rows are ordered by these rows: in
`kernels.nested_order` each item is then a container of two rows, its ports above and below, in settled order.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from itertools import pairwise
from typing import NamedTuple

from scenograph.engine.kernels.nested_order import NestedOrder
from scenograph.engine.place.layered.ordered_ranks import Finish, arranged_in_order
from scenograph.engine.place.layered.ranking import least_ranks
from scenograph.engine.place.subgraph import (
    WAY,
    Corners,
    Item,
    ItemLink,
    RankOrder,
    RankSegment,
    Subgraph,
    in_wished_order,
    is_way,
)
from scenograph.late_dataclasses import replace

STARTS = range(8)  # orders that the search begins with, by their numbers
MOST_STEPS, STEPS_EACH = 260_000, 400  # of the search: in total, or for every slot
MAIN = 64.0  # the weight of the longest path where it is to run straight
MOST_SLOTS = 12_000  # with more slots only the layered library is used


class _FirstOrder(NamedTuple):
    """The rank of every item, from 0 on, and its place across the flow; the places of each link in the ranks between,
    from its source on; and the weight of each link's length."""

    ranks: Sequence[int]
    places: Sequence[float]
    ways: Sequence[Sequence[float]]
    weights: Sequence[float]


def has_ports(part: Subgraph) -> bool:
    """Whether links of the level end at ports: at rows, which have their ends on the left and right of the page."""
    return part.settings.sideways and any(link.source_row or link.target_row for link in part.links)


def arranged_by_order(part: Subgraph, links: Sequence[ItemLink], *, straight: bool) -> Corners | None:
    """The corners of connected items; None beyond the search's size limit. `links`: the links of the part as seen by
    layouts; `straight`: the longest path runs straight."""
    first = _first_order(part, links, straight=straight)
    if sum(map(len, first.ways), len(part.items)) > MOST_SLOTS:
        return None
    order = _Slots(part, links, first).ordered()
    ways = tuple(Item(name, 0.0, 0.0) for row in order.rows for name in row if is_way(name))
    finish = Finish.AT_ROWS if has_ports(part) else Finish.SHORT_LINES
    return arranged_in_order(replace(part, items=(*part.items, *ways)), order, finish)


def _first_order(part: Subgraph, links: Sequence[ItemLink], *, straight: bool) -> _FirstOrder:
    """Ranks with short links, ordered by a depth-first walk along the links in any direction: connected items stand
    together."""
    number = {item.id: at for at, item in enumerate(in_wished_order(part))}
    arcs = [(number[link.source], number[link.target]) for link in links]
    ranks = least_ranks(len(number), arcs, [link.weight for link in links])
    main = _longest_path(ranks, arcs) if straight else frozenset[int]()
    places = _walked(ranks, arcs, main)
    ways: list[list[float]] = []
    for source, target in arcs:
        span = abs(ranks[target] - ranks[source])
        start, end = places[source], places[target]
        ways.append([start + (end - start) * step / span for step in range(1, span)])
    return _FirstOrder(ranks, places, ways, [MAIN if at in main else 1.0 for at in range(len(arcs))])


def _longest_path(ranks: Sequence[int], arcs: Sequence[tuple[int, int]]) -> frozenset[int]:
    """The arcs of a longest path down the ranks, by their numbers; the first of several."""
    onwards: list[list[int]] = [[] for _ in ranks]
    for number, (source, target) in enumerate(arcs):
        onwards[min(source, target, key=ranks.__getitem__)].append(number)
    length, step = [0] * len(ranks), [-1] * len(ranks)  # by node: of the longest path from this node, its first arc
    for node in sorted(range(len(ranks)), key=lambda one: -ranks[one]):
        for number in onwards[node]:
            beyond = 1 + length[sum(arcs[number]) - node]
            if beyond > length[node]:
                length[node], step[node] = beyond, number
    found: list[int] = []
    node = length.index(max(length))
    while step[node] >= 0:
        found.append(step[node])
        node = sum(arcs[step[node]]) - node
    return frozenset(found)


def _walked(ranks: Sequence[int], arcs: Sequence[tuple[int, int]], main: Set[int]) -> list[float]:
    """The turn of every node in a depth-first walk from the upper ranks; the `main` arcs of a node stand in the middle
    of its arcs."""
    near: list[list[int]] = [[] for _ in ranks]
    for number in sorted(range(len(arcs)), key=main.__contains__):
        for one, other in (arcs[number], arcs[number][::-1]):
            near[one].insert(len(near[one]) // 2 if number in main else len(near[one]), other)
    found: dict[int, float] = {}
    for start in sorted(range(len(ranks)), key=ranks.__getitem__):
        waiting = [start]
        while waiting:
            node = waiting.pop()
            if node not in found:
                found[node] = float(len(found))
                waiting += [other for other in reversed(near[node]) if other not in found]
    return [found[node] for node in range(len(ranks))]


class _Slots:
    """The numbered contents of the rows: items, ports of items, dummy nodes. The rows are the ranks, with an empty row
    above and below; with ports, two rows follow for each item, its ports above and below."""

    def __init__(self, part: Subgraph, links: Sequence[ItemLink], first: _FirstOrder) -> None:
        items = in_wished_order(part)
        self._level = {item.id: rank + 1 for item, rank in zip(items, first.ranks, strict=True)}
        self._depth = max(first.ranks) + 3
        self._has_ports = has_ports(part)
        self._names: list[str] = []
        self._places: list[float] = []  # where each stands first
        self._ups: list[list[int]] = []
        self._downs: list[list[int]] = []
        self._rows: list[list[int]] = [[] for _ in range(self._depth + 2 * len(items) * self._has_ports)]
        self._chains: list[RankSegment] = []
        self._ports: dict[tuple[str, float, int], int] = {}
        self._items = {
            item.id: self._add(item.id, place, self._level[item.id])
            for item, place in zip(items, first.places, strict=True)
        }
        for link, ways, weight in zip(links, first.ways, first.weights, strict=True):
            self._lead(link, ways, weight)

    def __len__(self) -> int:
        return len(self._names)

    def _add(self, name: str, place: float, row: int) -> int:
        number = len(self._names)
        self._names.append(name or f"{WAY}{number}")
        self._places.append(place)
        self._ups.append([])
        self._downs.append([])
        self._rows[row].append(number)
        return number

    def _lead(self, link: ItemLink, ways: Sequence[float], weight: float) -> None:
        """Join the ends of a link, with a dummy node in each rank between."""
        if self._level[link.source] > self._level[link.target]:
            link, ways = link.turned(), ways[::-1]
        line = [(self._end(link.source, link.source_row, 1), link.source, link.source_row)]
        for row, place in enumerate(ways, self._level[link.source] + 1):
            way = self._add("", place, row)
            line.append((way, self._names[way], 0.0))
        line.append((self._end(link.target, link.target_row, 0), link.target, link.target_row))
        for (upper, upper_name, upper_row), (lower, lower_name, lower_row) in pairwise(line):
            self._downs[upper].append(lower)
            self._ups[lower].append(upper)
            rows = (upper_row, lower_row) if self._has_ports else (0.0, 0.0)
            self._chains.append(RankSegment(upper_name, lower_name, *rows, weight))

    def _end(self, name: str, row: float, side: int) -> int:
        """The end of a link: an item, or the item's port at this offset from the middle, above (0) or below (1)."""
        if not self._has_ports:
            return self._items[name]
        key = (name, row, side)
        if key not in self._ports:
            self._ports[key] = self._add("", row, self._depth + 2 * self._items[name] + side)
        return self._ports[key]

    def ordered(self) -> RankOrder:
        """The rows in the best order found."""
        for row in self._rows:
            row.sort(key=self._places.__getitem__)
        count, depth = len(self._items), self._depth
        levels = [[*range(depth)]]
        content = [-1] * len(self)
        if self._has_ports:
            levels += [[depth + 2 * at, depth + 2 * at + 1] for at in range(count)]
            content[:count] = range(1, count + 1)
        search = NestedOrder(self._rows, content, levels, self._ups, self._downs, settled=depth)
        search.search(list(STARTS), max(MOST_STEPS, STEPS_EACH * len(self)))
        rows = search.rows[:depth]
        if not self._has_ports and self._is_mirrored(rows):
            rows = [row[::-1] for row in rows]
        return RankOrder(tuple(tuple(self._names[slot] for slot in row) for row in rows), tuple(self._chains))

    def _is_mirrored(self, rows: list[list[int]]) -> bool:
        """Whether the items of the rows mostly run against their wished order."""
        votes = 0
        for row in rows:
            items = [slot for slot in row if slot < len(self._items)]
            votes += sum((a < b) - (b < a) for a, b in pairwise(items))
        return votes < 0
