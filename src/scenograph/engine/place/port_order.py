"""The order of ranks where links end at ports: tables that are joined by rows stand in the order of these rows, so that
few lines cross. Flow from top to bottom.

For `kernels.nested_order` each item is a container of two rows, its ports above and below, whose order is settled. So
the order within the ranks is found by the same search as in `nesting`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

from scenograph.engine.kernels.nested_order import NestedOrder
from scenograph.engine.place.ordered_ranks import arranged_in_order
from scenograph.engine.place.subgraph import WAY, Chain, Corners, Item, Link, RankOrder, Subgraph, is_way

STARTS = 8  # orders that the search begins with
MOST_STEPS = 130_000  # sifting steps in all starts together
MOST_SLOTS = 12_000  # beyond them the order stays as it was found without ports


def has_ports(part: Subgraph) -> bool:
    """Whether links of the level end at ports: at rows, which have their ends on the left and right of the page."""
    return part.settings.sideways and any(link.source_row or link.target_row for link in part.links)


def ordered_by_ports(part: Subgraph, middles: Mapping[str, float], ranks: Mapping[str, int]) -> Corners | None:
    """The corners of the items in their ranks, in an order of few crossings; None where finding it would be too much.
    `middles`, px across the flow, say in which order the search begins; that is kept where no other crosses less."""
    slots = _Slots(part, middles, ranks)
    for link in part.links:
        slots.lead(link)
        if len(slots) > MOST_SLOTS:
            return None
    order = slots.ordered()
    ways = tuple(Item(name, 0.0, 0.0) for row in order.rows for name in row if is_way(name))
    return arranged_in_order(replace(part, items=(*part.items, *ways)), order, at_rows=True)


class _Slots:
    """What stands in the rows, by number: items, ports of items, dummy nodes. The rows are the ranks, an empty one
    above and below them, then for each item its ports above and below."""

    def __init__(self, part: Subgraph, middles: Mapping[str, float], ranks: Mapping[str, int]) -> None:
        numbers = {rank: number for number, rank in enumerate(sorted(set(ranks.values())), 1)}
        self._level = {item.id: numbers[ranks[item.id]] for item in part.items}
        self._depth = len(numbers) + 2
        self._names: list[str] = []
        self._places: list[float] = []  # where each stood first
        self._ups: list[list[int]] = []
        self._downs: list[list[int]] = []
        self._rows: list[list[int]] = [[] for _ in range(self._depth + 2 * len(part.items))]
        self._chains: list[Chain] = []
        self._ports: dict[tuple[str, float, int], int] = {}
        self._items = {item.id: self._add(item.id, middles[item.id], self._level[item.id]) for item in part.items}

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

    def lead(self, link: Link) -> None:
        """Join the ends of a link, with a dummy node in each rank between."""
        if self._level[link.source] > self._level[link.target]:
            link = link.turned()
        first, last = self._level[link.source], self._level[link.target]
        start, end = (self._places[self._items[name]] for name in (link.source, link.target))
        line = [(self._port(link.source, link.source_row, 1), link.source, link.source_row)]
        for row in range(first + 1, last):
            way = self._add("", start + (end - start) * (row - first) / (last - first), row)
            line.append((way, self._names[way], 0.0))
        line.append((self._port(link.target, link.target_row, 0), link.target, link.target_row))
        for (upper, upper_name, upper_row), (lower, lower_name, lower_row) in pairwise(line):
            self._downs[upper].append(lower)
            self._ups[lower].append(upper)
            self._chains.append(Chain(upper_name, lower_name, upper_row, lower_row))

    def _port(self, name: str, row: float, side: int) -> int:
        """The port at so much beside the middle of an item, above (0) or below (1)."""
        key = (name, row, side)
        if key not in self._ports:
            self._ports[key] = self._add("", row, self._depth + 2 * self._items[name] + side)
        return self._ports[key]

    def ordered(self) -> RankOrder:
        """The rows in the best order found."""
        for row in self._rows:
            row.sort(key=self._places.__getitem__)
        count, depth = len(self._items), self._depth
        content = [*range(1, count + 1), *(-1 for _ in self._names[count:])]
        levels = [[*range(depth)], *([depth + 2 * at, depth + 2 * at + 1] for at in range(count))]
        search = NestedOrder(self._rows, content, levels, self._ups, self._downs, settled=depth)
        search.search(list(range(STARTS)), MOST_STEPS)
        rows = tuple(tuple(self._names[slot] for slot in row) for row in search.rows[:depth])
        return RankOrder(rows, tuple(self._chains))
