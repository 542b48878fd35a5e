"""The algorithms `hierarchical` and `flow`: components laid out in ranks, then set on the page together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import count, pairwise
from math import fsum, inf, sqrt
from typing import NamedTuple

from scenograph.engine.effort import LAYERING, effort_for
from scenograph.engine.place.layered.nesting import STARTS, OrderProblem, best_order
from scenograph.engine.place.layered.ordered_ranks import Finish, arranged_in_order, drawn_to_neighbours, with_ways
from scenograph.engine.place.layered.ranking import balanced_ranks, begun_links, folded_ranks, least_ranks
from scenograph.engine.place.subgraph import (
    WAY,
    Corners,
    Item,
    ItemLink,
    LayoutRecord,
    RankOrder,
    RankSegment,
    Subgraph,
    arranged_downwards,
    connected,
    in_wished_order,
    is_way,
)
from scenograph.engine.place.trees import (
    Block,
    block_of,
    is_tree,
    paged,
    single,
    tidy,
    tree_on_page,
    wanted_aspect,
)
from scenograph.late_dataclasses import replace

# Clusters of a graph: parts with many links inside and few to each other.
#
# Modularity is raised by moving nodes between clusters, then whole clusters (Blondel, Guillaume, Lambiotte and
# Lefebvre, "Fast unfolding of communities in large networks", 2008). Nodes are visited in order and never by chance:
# the same graph gives the same clusters.

ROUNDS = 20  # through all nodes of a level, at most
LEAST_GAIN = 1e-9  # of modularity, in links; less is rounding

Adjacency = list[dict[int, float]]
"""The neighbours of each node, with the weight of their links; of a node itself, twice the weight inside."""


def clusters(size: int, links: Iterable[tuple[int, int, float]]) -> list[list[int]]:
    """The nodes 0 to `size` - 1 in clusters, each next to the former ones that it has most links with; the cluster with
    most links comes first. `links`: pairs of nodes and their weight."""
    near: Adjacency = [{} for _ in range(size)]
    for first, second, weight in links:
        if first != second:
            near[first][second] = near[first].get(second, 0.0) + weight
            near[second][first] = near[second].get(first, 0.0) + weight
    members = [[node] for node in range(size)]
    while True:
        label = _moved(near)
        number = dict(zip(dict.fromkeys(label), count()))
        if len(number) == len(near):
            return [sorted(members[one]) for one in _in_order(near)]
        merged: Adjacency = [{} for _ in number]
        joined: list[list[int]] = [[] for _ in number]
        for node, row in enumerate(near):
            own = number[label[node]]
            joined[own] += members[node]
            for other, weight in row.items():
                far = number[label[other]]
                merged[own][far] = merged[own].get(far, 0.0) + weight
        near, members = merged, joined


def _moved(near: Adjacency) -> list[int]:
    """A cluster for each node, none of which gains by going to the cluster of a neighbour."""
    degree = [sum(row.values()) for row in near]
    whole, total, label = sum(degree) or 1.0, degree.copy(), list(range(len(near)))
    for _ in range(ROUNDS):
        is_moved = False
        for node, row in enumerate(near):
            inside = {label[node]: 0.0}
            for other, weight in row.items():
                if other != node:
                    inside[label[other]] = inside.get(label[other], 0.0) + weight
            total[label[node]] -= degree[node]
            gain = {one: weight - degree[node] * total[one] / whole for one, weight in inside.items()}
            best = max(gain, key=lambda one: (gain[one], one == label[node], -one))
            if gain[best] > gain[label[node]] + LEAST_GAIN:
                label[node], is_moved = best, True
            total[label[node]] += degree[node]
        if not is_moved:
            break
    return label


def _in_order(near: Sequence[dict[int, float]]) -> list[int]:
    """The nodes in a row, each near the neighbours before."""
    left, order = list(range(len(near))), list[int]()
    pull = [0.0] * len(near)
    while left:
        heaviest = max(left, key=lambda one: (pull[one], sum(near[one].values()), -one))
        left.remove(heaviest)
        order.append(heaviest)
        for one in left:  # what lies far back in the row pulls less
            pull[one] = pull[one] * (1 - 1 / len(order)) + near[one].get(heaviest, 0.0)
    return order


# The order of the ranks of one level, by crossing reduction. Flow from top to bottom. Links lead through dummy
# nodes in the ranks between. The search for row orders is shared with the order of all containers (`nesting`), and
# starts from a walk along the links. Tables joined by rows are ordered by these rows: in `kernels.nested_order`
# each item is then a container of two rows, its ports above and below, in settled order.


MOST_SLOTS = 12_000  # beyond it the longest links get no dummy nodes, and no say in the order


class _FirstOrder(NamedTuple):
    """The rank of every item, from 0 on, and its place across the flow; and the places of each link in the ranks
    between, from its source on, None for a link without dummy nodes."""

    ranks: Sequence[int]
    places: Sequence[float]
    ways: Sequence[Sequence[float] | None]


def has_ports(part: Subgraph) -> bool:
    """Whether links of the level end at ports: at rows, which have their ends on the left and right of the page."""
    return part.settings.sideways and any(link.source_row or link.target_row for link in part.links)


def arranged_by_order(part: Subgraph, links: Sequence[ItemLink], record: LayoutRecord, *, straight: bool) -> Corners:
    """The corners of connected items. `links`: the links of the part as seen by layouts; `straight`: the longest path
    runs straight. `record`: told of items whose long links have no say in the order."""
    first = _first_order(part, links)
    straight = straight and max(first.ranks) > 1  # a single step is no main path
    record.beyond.update(
        end for link, ways in zip(links, first.ways, strict=True) if ways is None for end in (link.source, link.target)
    )
    order = _Slots(part, links, first).ordered(straight=straight)
    ways = tuple(Item(name, 0.0, 0.0) for row in order.rows for name in row if is_way(name))
    plain = Finish.MAIN_PATH if straight else Finish.SHORT_LINES
    finish = Finish.AT_ROWS if has_ports(part) else plain
    return arranged_in_order(replace(part, items=(*part.items, *ways)), order, finish)


def _first_order(part: Subgraph, links: Sequence[ItemLink]) -> _FirstOrder:
    """Ranks with short links, ordered by a depth-first walk along the links in any direction: connected items stand
    together."""
    number = {item.id: at for at, item in enumerate(in_wished_order(part))}
    arcs = [(number[link.source], number[link.target]) for link in links]
    ranks = least_ranks(len(number), arcs, [link.weight for link in links])
    places = _walked(ranks, arcs)
    widths = [item.whole_width + part.settings.node_spacing for item in in_wished_order(part)]
    is_balanced = part.settings.balanced and has_ports(part)
    if is_balanced:
        ranks = balanced_ranks(ranks, widths, places, arcs)
    if part.settings.across < inf:
        ranks = folded_ranks(ranks, widths, places, part.settings.across)
        places = _centred(ranks, places) if is_balanced else places
    spans = [abs(ranks[target] - ranks[source]) for source, target in arcs]
    longest = _longest_led(spans, MOST_SLOTS - len(number))
    ways: list[list[float] | None] = []
    for (source, target), span in zip(arcs, spans, strict=True):
        start, end = places[source], places[target]
        is_led = span <= longest
        ways.append([start + (end - start) * step / span for step in range(1, span)] if is_led else None)
    return _FirstOrder(ranks, places, ways)


def _centred(ranks: Sequence[int], places: Sequence[float]) -> list[float]:
    """The places of the nodes in their ranks, all ranks round a common middle: lines lead past a folded rank on both
    sides."""
    found = [0.0] * len(ranks)
    for rank in set(ranks):
        row = sorted((node for node, own in enumerate(ranks) if own == rank), key=places.__getitem__)
        for at, node in enumerate(row):
            found[node] = at - (len(row) - 1) / 2
    return found


def _longest_led(spans: Sequence[int], room: int) -> int:
    """The greatest span, ranks, whose links and all shorter ones have `room` for their dummy nodes; at least 1."""
    longest, used = 1, 0
    for span, links in sorted(Counter(spans).items()):
        used += links * (span - 1)
        if used > room:
            break
        longest = span
    return longest


def _walked(ranks: Sequence[int], arcs: Sequence[tuple[int, int]]) -> list[float]:
    """The turn of every node in a depth-first walk from the upper ranks."""
    near: list[list[int]] = [[] for _ in ranks]
    for source, target in arcs:
        near[source].append(target)
        near[target].append(source)
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
        self._lines: list[tuple[ItemLink, list[int]]] = []  # of every led link, downwards: the slots from end to end
        self._ports: dict[tuple[str, float, int], int] = {}
        self._items = {
            item.id: self._add(item.id, place, self._level[item.id])
            for item, place in zip(items, first.places, strict=True)
        }
        for link, ways in zip(links, first.ways, strict=True):
            if ways is not None:
                self._lead(link, ways)

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

    def _lead(self, link: ItemLink, ways: Sequence[float]) -> None:
        """Join the ends of a link, with a dummy node in each rank between."""
        if self._level[link.source] > self._level[link.target]:
            link, ways = link.turned(), ways[::-1]
        line = [self._end(link.source, link.source_row, 1)]
        line += [self._add("", place, row) for row, place in enumerate(ways, self._level[link.source] + 1)]
        line.append(self._end(link.target, link.target_row, 0))
        for upper, lower in pairwise(line):
            self._downs[upper].append(lower)
            self._ups[lower].append(upper)
        self._lines.append((link, line))

    def _end(self, name: str, row: float, side: int) -> int:
        """The end of a link: an item, or the item's port at this offset from the middle, above (0) or below (1)."""
        if not self._has_ports:
            return self._items[name]
        key = (name, row, side)
        if key not in self._ports:
            self._ports[key] = self._add("", row, self._depth + 2 * self._items[name] + side)
        return self._ports[key]

    def ordered(self, *, straight: bool) -> RankOrder:
        """The rows in the best order found; `straight`: the longest path weighs more than all beside it."""
        for row in self._rows:
            row.sort(key=self._places.__getitem__)
        count, depth = len(self._items), self._depth
        levels = [[*range(depth)]]
        content = [-1] * len(self)
        if self._has_ports:
            levels += [[depth + 2 * at, depth + 2 * at + 1] for at in range(count)]
            content[:count] = range(1, count + 1)
        problem = OrderProblem(self._rows, content, levels, self._ups, self._downs, settled=depth)
        rows = best_order(problem, STARTS, effort_for(LAYERING, len(self)).left)[:depth]
        if not self._has_ports and self._is_mirrored(rows):
            rows = [row[::-1] for row in rows]
        main = self._longest_path(rows) if straight else frozenset[int]()
        chains = tuple(chain for number in range(len(self._lines)) for chain in self._segments(number, number in main))
        return RankOrder(tuple(tuple(self._names[slot] for slot in row) for row in rows), chains)

    def _segments(self, number: int, is_main: bool) -> list[RankSegment]:  # noqa: FBT001
        """The segments of a line, by their names, from end to end."""
        link, line = self._lines[number]
        names = [link.source, *(self._names[slot] for slot in line[1:-1]), link.target]
        rows = [0.0] * len(names)
        if self._has_ports:
            rows[0], rows[-1] = link.source_row, link.target_row
        weight = 1.0 + len(self._lines) * is_main  # more than all that might bend it
        return [
            RankSegment(upper, lower, upper_row, lower_row, weight)
            for (upper, upper_row), (lower, lower_row) in pairwise(zip(names, rows, strict=True))
        ]

    def _longest_path(self, rows: Sequence[Sequence[int]]) -> frozenset[int]:
        """The lines of a longest path down the ranks; of several the one with most edges, then the one that the order
        of the rows already holds straightest, then the first."""
        aside = {slot: at - (len(row) - 1) / 2 for row in rows for at, slot in enumerate(row)}
        onwards: dict[str, list[int]] = {name: [] for name in self._items}
        for number, (link, _) in enumerate(self._lines):
            onwards[link.source].append(number)
        reach: dict[str, tuple[int, int, float]] = dict.fromkeys(self._items, (0, 0, 0.0))
        step: dict[str, int] = {}
        for name in sorted(self._items, key=lambda one: -self._level[one]):
            for number in onwards[name]:
                link, line = self._lines[number]
                length, edges, straightness = reach[link.target]
                inner = [self._items[link.source], *line[1:-1], self._items[link.target]]
                bent = fsum(abs(aside[upper] - aside[lower]) for upper, lower in pairwise(inner))
                beyond = (length + 1, edges + link.weight, straightness - bent)
                if beyond > reach[name]:
                    reach[name], step[name] = beyond, number
        found: list[int] = []
        name = max(reach, key=reach.__getitem__)
        while name in step:
            found.append(step[name])
            name = self._lines[step[name]][0].target
        return frozenset(found)

    def _is_mirrored(self, rows: list[list[int]]) -> bool:
        """Whether the items of the rows mostly run against their wished order."""
        votes = 0
        for row in rows:
            items = [slot for slot in row if slot < len(self._items)]
            votes += sum((a < b) - (b < a) for a, b in pairwise(items))
        return votes < 0


# The algorithms `hierarchical` and `flow`: components laid out in ranks, then set on the page together.


CLUSTERED_FROM = 40  # items of a component that is laid out by clusters
WIDE = 2.2  # a tree this many times wider than the page's shape, and wider than the page, is folded
ROW_ASPECT = 8.0  # parts that outside links hold in order stay in one row up to this shape


def hierarchical(subgraph: Subgraph, record: LayoutRecord) -> Corners:
    """Ranks along the direction, parents in the middle of their children (R-PLACE-5), unless the notation
    follows a main path; a bushy tree has none."""
    return arranged_downwards(
        subgraph, partial(_components, record=record, straight=subgraph.settings.main_path is True, tidied=True)
    )


def flow(subgraph: Subgraph, record: LayoutRecord) -> Corners:
    """Layered layout with the longest path on one straight line, unless the notation rules this out."""
    return arranged_downwards(
        subgraph, partial(_components, record=record, straight=subgraph.settings.main_path is not False)
    )


def _components(subgraph: Subgraph, record: LayoutRecord, *, straight: bool, tidied: bool = False) -> Corners:
    if subgraph.order is not None:
        return _in_settled_order(subgraph, subgraph.order, record)
    # Components from left to right as links from outside pull them; otherwise in document order
    in_order = sorted(
        connected(subgraph), key=lambda part: _mean([item.hint for item in part.items if item.hint is not None])
    )
    top = max((part.items[0].outset.top for part in in_order if len(part.items) == 1), default=0.0)
    blocks = [
        _clustered(part, record)
        if subgraph.settings.clustered and len(part.items) >= CLUSTERED_FROM
        else _component(part, top, record, straight=straight, tidied=tidied)
        for part in in_order
    ]
    aspect = subgraph.settings.aspect
    if subgraph.pulled and fsum(block.width for block in blocks) <= subgraph.settings.across:
        aspect = max(ROW_ASPECT, aspect)
    return paged(blocks, subgraph.settings.node_spacing, aspect, stacked=not subgraph.pulled).corners


def _in_settled_order(subgraph: Subgraph, order: RankOrder, record: LayoutRecord) -> Corners:
    """Ranks in the order settled for all containers at once. Much too wide trees, and parts connected only through
    outside links, are arranged as usual, in this order."""
    place = {name: number for row in order.rows for number, name in enumerate(row)}
    plain = subgraph.without_ways()
    plain = replace(plain, items=tuple(item._replace(hint=place[item.id]) for item in plain.items))
    if len(plain.items) > 1 and (order.binding or len(connected(plain)) == 1):
        corners = arranged_in_order(subgraph, order)
        if not (is_tree(plain) and _is_wide(plain, block_of(plain.items, corners))):
            return corners
    return with_ways(order, plain, _components(plain, record, straight=False))


def _mean(values: Sequence[float]) -> float:
    return fsum(values) / len(values) if values else 0.0


def _component(part: Subgraph, top: float, record: LayoutRecord, *, straight: bool, tidied: bool) -> Block:
    """The corners of connected items. A lone item has `top` px above: the upper edges of all lone ones are level."""
    if len(part.items) == 1:
        item = part.items[0]
        return single(item._replace(outset=item.outset._replace(top=top)))
    if is_tree(part) and part.settings.stacked:
        # Tidy, or folded when that is much wider than the page
        tree = tidy(part)
        if not straight or (tidied and tree.is_bushy):
            plain = block_of(part.items, drawn_to_neighbours(part, tree.corners, tree.ranks))
            return tree_on_page(part) if _is_wide(part, plain) else plain
    return _ranked(part, record, straight=straight)


def _clustered(part: Subgraph, record: LayoutRecord) -> Block:
    """Clusters of items, set in rows. A cluster is about as wide as long; clusters with many common links are near each
    other."""
    number, settings = {item.id: at for at, item in enumerate(part.items)}, part.settings
    found = clusters(len(number), ((number[one.source], number[one.target], one.weight) for one in part.links))
    gap, blocks = settings.node_spacing, list[Block]()
    for members in found:
        items = tuple(part.items[at] for at in members)
        ids = {item.id for item in items}
        links = tuple(link for link in part.links if link.source in ids and link.target in ids)
        area = fsum((item.whole_width + gap) * (item.whole_height + settings.rank_spacing) for item in items)
        narrow = replace(
            settings, across=max(sqrt(area), *(item.whole_width for item in items)), clustered=False, balanced=True
        )
        cluster = replace(part, items=items, links=links, settings=narrow)
        blocks.append(block_of(items, _components(cluster, record, straight=False)))
    return paged(blocks, gap + settings.rank_spacing, settings.aspect)


def _is_wide(part: Subgraph, block: Block) -> bool:
    if part.settings.across < inf:
        return block.width > part.settings.across
    return block.width > max(part.settings.page[0], WIDE * wanted_aspect(part.settings) * block.height)


def _ranked(part: Subgraph, record: LayoutRecord, *, straight: bool) -> Block:
    return block_of(part.items, arranged_by_order(part, begun_links(part), record, straight=straight))
