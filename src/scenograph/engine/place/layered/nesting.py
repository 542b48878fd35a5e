"""The order of all elements across the flow, in all containers at once, with few crossings.

Each container has ranks of its own. An edge out of a container gets a port in the border, and dummy nodes in the ranks
between; so does an edge inside that spans ranks. The rows of all containers are then ordered together
(`kernels.nested_order`), and each container is laid out in its order, from the inside out. In: an inventory, its edges.
Out: for each container the order of its rows, and the chains between them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from functools import partial
from hashlib import blake2b
from itertools import pairwise
from math import fsum, inf, sqrt
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.geometry.directions import SIDEWAYS, Turn, turned_box
from scenograph.engine.kernels.nested_order import NestedOrder
from scenograph.engine.place.inventory import ROOT, Inventory, LiftedTie, TieTable, Unit, links_between
from scenograph.engine.place.layered.ranking import begun, begun_links, folded_ranks, short_ranks
from scenograph.engine.place.subgraph import (
    WAY,
    Item,
    LayoutSettings,
    RankOrder,
    RankSegment,
    Subgraph,
    connected,
    is_unfolded,
    is_way,
)
from scenograph.late_dataclasses import dataclass, field, replace
from scenograph.scene.memo import Latest, exact_key

# RANKINGS: in which rows the children of all containers stand, where their order is settled at once (see
# `nesting`). A layout takes the first; of a small scene the others are tried too. The rankings by leaves find the
# ranks of all leaves as if there were no containers. A container then spans the ranks of its leaves. What lines
# lead to stands in a row below where all its ranks are; containers whose ranks overlap stand beside each other (as
# in compound layered layouts, Sander 1996). In: an inventory, its ties. Out: the row of every child within its
# container, from 0 on.


RowOf = dict[str, int]


class Ranking(NamedTuple):
    """One row: the ranks of all children. `binding`: the ranks also hold for children connected only through edges from
    outside."""

    rows: Callable[[Inventory, TieTable], RowOf]
    binding: bool = False


class _RankSpan(NamedTuple):
    """The ranks of the leaves in an element, the first and the last."""

    first: int
    last: int


def _each_for_itself(inventory: Inventory, ties: TieTable) -> RowOf:
    """Ranks inside every container, by the edges between the container's own children."""
    rows: RowOf = {}
    for container in inventory.containers:
        children = inventory.children[container]
        links = links_between(ties.inner[container], {child: child for child in children})
        rows |= dict.fromkeys(children, 0)
        for part in connected(Subgraph(tuple(Item(child, 1.0, 1.0) for child in children), links)):
            if len(part.items) > 1:
                number = {item.id: i for i, item in enumerate(part.items)}
                links_here = begun_links(part)
                arcs = [(number[link.source], number[link.target]) for link in links_here]
                ranks = short_ranks(len(number), arcs, [link.weight for link in links_here])
                rows |= zip(number, ranks, strict=True)
    return rows


def _by_leaves(inventory: Inventory, ties: TieTable, *, below: bool) -> RowOf:
    """Ranks derived from the ranks of all leaves. `below`: of two containers whose edges all lead in one direction, the
    second gets a lower row even if their ranks overlap; a leaf always does. Leaves of a container with no path among
    them stand in one row, whatever leads there."""
    spans, leaves = _spans(inventory), {one for one in inventory.elements if not inventory.children.get(one)}
    arcs = [tie.ends for tie in inventory.ties]
    rows: RowOf = {}
    for container in inventory.containers:
        children, ways = inventory.children[container], _ways(ties.inner[container], spans)
        if leaves.issuperset(children) and _are_apart(children, arcs):
            rows |= dict.fromkeys(children, 0)
            continue

        def is_above(upper: str, lower: str, ways: Set[tuple[str, str]] = ways) -> bool:
            has_leaf = upper in leaves or lower in leaves
            leads_on = (upper, lower) in ways
            if spans[upper].last < spans[lower].first:
                return has_leaf or leads_on
            return leads_on and (lower, upper) not in ways and (below or has_leaf)

        rows |= _rows(children, spans, is_above)
    return rows


def _are_apart(children: Sequence[str], arcs: Sequence[tuple[str, str]]) -> bool:
    """Whether no path along the arcs leads from one child to another."""
    onwards: dict[str, list[str]] = {}
    for source, target in arcs:
        onwards.setdefault(source, []).append(target)
    for child in children:
        ready = list(onwards.get(child, ()))
        seen = {child, *ready}
        for one in ready:
            if one != child and one in children:
                return False
            fresh = [other for other in onwards.get(one, ()) if other not in seen]
            seen.update(fresh)
            ready += fresh
    return True


def _rows(children: Sequence[str], spans: Mapping[str, _RankSpan], is_above: Callable[[str, str], bool]) -> RowOf:
    rows: RowOf = {}
    for child in sorted(children, key=spans.__getitem__):
        rows[child] = 1 + max((row for other, row in rows.items() if is_above(other, child)), default=-1)
    return rows


def _ways(ties: Sequence[LiftedTie], spans: Mapping[str, _RankSpan]) -> set[tuple[str, str]]:
    """The pairs of children joined by an edge down the ranks, upper child first."""
    return {
        (one.source, one.target) if spans[one.tie.source] <= spans[one.tie.target] else (one.target, one.source)
        for one in ties
    }


def _spans(inventory: Inventory) -> dict[str, _RankSpan]:
    """The ranks spanned by every element; an empty container counts as a leaf."""
    leaves = [one for one in inventory.elements if not inventory.children.get(one)]
    number = {one: at for at, one in enumerate(leaves)}
    lines = ((number.get(tie.source), number.get(tie.target)) for tie in inventory.ties)
    arcs = list(dict.fromkeys((a, b) for a, b in lines if a is not None and b is not None and a != b))
    ranks = short_ranks(len(leaves), begun(len(leaves), arcs), [1] * len(arcs)) if leaves else []
    spans = {one: _RankSpan(rank, rank) for one, rank in zip(leaves, ranks, strict=True)}
    for container in inventory.containers:
        inner = [spans[child] for child in inventory.children[container]]
        if inner and container != ROOT:
            spans[container] = _RankSpan(min(one.first for one in inner), max(one.last for one in inner))
    return spans


RANKINGS: tuple[Ranking, ...] = (
    Ranking(_each_for_itself),
    Ranking(partial(_by_leaves, below=False), binding=True),
    Ranking(partial(_by_leaves, below=True), binding=True),
)


STARTS = range(8)  # orders that the search begins with, by their numbers
MOST_STEPS = 400_000  # of the search
MOST_SLOTS = 12_000  # slots; with more the order of all containers is not settled at once
LATEST_ORDERS = 16  # kept, of all pictures of a process


class OrderProblem(NamedTuple):
    """Slots in rows, and the lines between slots of neighbouring rows; see `NestedOrder`."""

    rows: list[list[int]]
    content: list[int]
    levels: list[list[int]]
    ups: list[list[int]]
    downs: list[list[int]]
    settled: int | None = None


class _Order(NamedTuple):
    """The rows of a solved problem, and its lines: dummy nodes of one rank may have changed lines."""

    rows: list[list[int]]
    ups: list[list[int]]
    downs: list[list[int]]


ORDERS: Latest[bytes, _Order] = Latest(LATEST_ORDERS)


def best_order(problem: OrderProblem, starts: range, steps: int) -> list[list[int]]:
    """The rows in the order with the fewest crossings found by so many steps from these starts; `ups` and `downs` of
    the problem become those of the result. Candidates for the shape of a page mostly have the same ranks: an order
    found lately is not searched for again."""
    text = exact_key((tuple(problem), tuple(starts), steps))
    key = b"" if text is None else blake2b(text, digest_size=16).digest()
    found = ORDERS.get(key) if key else None
    if found is None:
        found = _searched(problem, starts, steps)
        if key:
            ORDERS.put(key, found)
    for lines, kept in ((problem.ups, found.ups), (problem.downs, found.downs)):
        for mine, one in zip(lines, kept, strict=True):
            mine[:] = one
    return [list(row) for row in found.rows]


def _searched(problem: OrderProblem, starts: range, steps: int) -> _Order:
    rows, ups, downs = ([list(row) for row in table] for table in (problem.rows, problem.ups, problem.downs))
    search = NestedOrder(rows, problem.content, problem.levels, ups, downs, settled=problem.settled)
    search.search(list(starts), steps)
    return _Order(search.rows, search.ups, search.downs)


class _Slot(NamedTuple):
    """An element, or a dummy node or port (`way`), in a row of a container."""

    name: str
    container: str
    row: int
    is_way: bool


_ROUNDED = 1.0  # px; corners are whole pixels, flows are folded before


class KeptUnit(NamedTuple):
    """A container laid out with an unfolded flow: its unit, the places of its ports, and the length of the longest flow
    inside, px."""

    unit: Unit
    ports: Mapping[str, float]
    longest: float


Units = dict[str, KeptUnit]


@dataclass(slots=True)
class Nesting:
    """The rows of all containers. `places`: the positions of ports across the flow, in the coordinates of their
    container's content, once laid out. `lengths`: of the flows of laid out containers, px. `units`: containers laid out
    before with the same settings but for a fold; `by_settings`: the same for all settings. `binding`: see
    `Ranking`."""

    inventory: Inventory
    ranks: Mapping[str, int]
    binding: bool = False
    slots: list[_Slot] = field(default_factory=list[_Slot])
    ups: list[list[int]] = field(default_factory=list[list[int]])
    downs: list[list[int]] = field(default_factory=list[list[int]])
    rows: dict[tuple[str, int], list[int]] = field(default_factory=dict[tuple[str, int], list[int]])
    depths: dict[str, int] = field(default_factory=dict[str, int])
    places: dict[str, float] = field(default_factory=dict[str, float])
    lengths: dict[str, float] = field(default_factory=dict[str, float])
    units: Units = field(default_factory=Units)
    by_settings: dict[LayoutSettings, Units] = field(default_factory=dict[LayoutSettings, Units])

    def begun(self, settings: LayoutSettings) -> Nesting:
        """The same nesting before a composition with these settings."""
        units = self.by_settings.setdefault(replace(settings, fold=inf, centred=False), {})
        return replace(self, places={}, lengths={}, units=units)

    def add(self, name: str, container: str, row: int, *, is_way: bool) -> int:
        """The number of a new slot."""
        number = len(self.slots)
        self.slots.append(_Slot(name or f"{WAY}{number}", container, row, is_way))
        self.ups.append([])
        self.downs.append([])
        self.rows[container, row].append(number)
        return number

    def join(self, upper: int, lower: int) -> None:
        """Add an edge from a slot down to a lower slot."""
        self.downs[upper].append(lower)
        self.ups[lower].append(upper)

    def in_order(self, starts: range = STARTS) -> Nesting:
        """The nesting with rows in the best order found from these starts."""
        containers = [ROOT, *(one for one in self.depths if one != ROOT)]
        number = {container: i for i, container in enumerate(containers)}
        keys = list(self.rows)
        at = {key: i for i, key in enumerate(keys)}
        levels = [[at[one, row] for row in range(-1, self.depths[one] + 1)] for one in containers]
        content = [-1 if slot.is_way else number.get(slot.name, -1) for slot in self.slots]
        rows = [self.rows[key] for key in keys]
        found = best_order(OrderProblem(rows, content, levels, self.ups, self.downs), starts, MOST_STEPS)
        return replace(self, rows=dict(zip(keys, found, strict=True)), places={}, by_settings={})

    def order(self, container: str, units: Sequence[Unit], turn: Turn) -> RankOrder | None:
        """The rows of a container and their chains; None for a container without edges from inside to outside."""
        levels = [self.rows[container, row] for row in range(-1, self.depths[container] + 1)]
        middles = {unit.id: turned_box(unit.core, turn).center.x for unit in units}
        inner = [self.rows.get((unit.id, row), ()) for unit in units for row in (-1, self.depths.get(unit.id, 0))]
        if not any(inner) and not any(self.slots[slot].is_way for level in levels for slot in level):
            return None
        chains = tuple(
            self._chain(container, upper, lower, middles)
            for upper in self._ends(container, levels[:-1])
            for lower in self.downs[upper]
        )
        rows = tuple(tuple(self.slots[slot].name for slot in level) for level in levels)
        return RankOrder(rows, chains, self.binding)

    def _ends(self, container: str, levels: Sequence[Sequence[int]]) -> list[int]:
        """The slots in these rows, with containers replaced by their lower ports."""
        found: list[int] = []
        for slot in (slot for level in levels for slot in level):
            name = self.slots[slot].name
            depth = self.depths.get(name)
            found += [slot] if depth is None or self.slots[slot].is_way else self.rows[name, depth]
        return found

    def _chain(self, container: str, upper: int, lower: int, middles: Mapping[str, float]) -> RankSegment:
        ends: list[tuple[str, float]] = []
        for number in (upper, lower):
            slot = self.slots[number]
            is_inside = slot.container != container
            middle = middles[slot.container] if is_inside else 0.0
            offset = self.places.get(slot.name, middle) - middle if is_inside else 0.0
            ends.append((slot.container if is_inside else slot.name, offset))
        return RankSegment(ends[0][0], ends[1][0], ends[0][1], ends[1][1])

    def keep_unit(self, container: str, unit: Unit) -> None:
        """Keep a container laid out with an unfolded flow."""
        inner = [self.units[one].longest for one in self.inventory.children[container] if one in self.units]
        rows = (self.rows[container, -1], self.rows[container, self.depths[container]])
        names = [self.slots[slot].name for row in rows for slot in row]
        ports = {name: self.places[name] for name in names if name in self.places}
        self.units[container] = KeptUnit(unit, ports, max(self.lengths[container], *inner, 0.0))

    def kept_unit(self, container: str, fold: float) -> Unit | None:
        """A container laid out before with flows too short for a fold, its ports in place; None if unknown."""
        found = self.units.get(container)
        if found is None or not is_unfolded(found.longest + _ROUNDED, fold):
            return None
        self.places.update(found.ports)
        return found.unit

    def keep_ports(self, container: str, corners: Mapping[str, Point], turn: Turn) -> None:
        """Keep the positions of a laid out container's ports across the flow."""
        for row in (-1, self.depths[container]):
            for slot in self.rows[container, row]:
                name = self.slots[slot].name
                if self.ups[slot] and self.downs[slot]:
                    self.places[name] = corners[name].y if turn.swapped else corners[name].x


def ways_of(order: RankOrder) -> tuple[Item, ...]:
    """The dummy nodes and ports of an order as items without a size."""
    return tuple(Item(name, 0.0, 0.0) for row in order.rows for name in row if is_way(name))


def nested(inventory: Inventory, ties: TieTable, ranking: Ranking, settings: LayoutSettings) -> Nesting | None:
    """All containers with their rows in document order; None beyond the size limit."""
    ranks = ranking.rows(inventory, ties)
    if settings.across < inf:
        ranks = _folded(inventory, ranks, settings)
    nesting = Nesting(inventory, ranks, ranking.binding)
    for container in inventory.containers:
        children = inventory.children[container]
        nesting.depths[container] = 1 + max((ranks[child] for child in children), default=-1)
        for row in range(-1, nesting.depths[container] + 1):
            nesting.rows[container, row] = []
    slots = {
        child: nesting.add(child, container, ranks[child], is_way=False)
        for container in inventory.containers
        for child in inventory.children[container]
    }
    for tie in inventory.ties:
        _lead(nesting, slots, tie.source, tie.target)
        if len(nesting.slots) > MOST_SLOTS:
            return None
    return nesting


def _folded(inventory: Inventory, ranks: RowOf, settings: LayoutSettings) -> RowOf:
    """The rows, divided if longer than the settings allow. A container counts as a square with the content's area."""
    is_sideways = settings.direction in SIDEWAYS
    gap, areas, found = settings.node_spacing, dict[str, float](), dict[str, int]()
    for container in inventory.containers:
        children = inventory.children[container]
        widths = list[float]()
        for child in children:
            size = inventory.size(child)
            across, along = (size.height, size.width) if is_sideways else (size.width, size.height)
            widths.append((sqrt(areas[child]) if child in areas else across) + gap)
            areas.setdefault(child, (across + gap) * (along + settings.rank_spacing))
        areas[container] = fsum(areas[child] for child in children)
        rows = folded_ranks([ranks[child] for child in children], widths, range(len(children)), settings.across)
        found |= zip(children, rows, strict=True)
    return found


def _lead(nesting: Nesting, slots: Mapping[str, int], source: str, target: str) -> None:
    """The dummy nodes and ports of a tie, from rank to rank through all borders."""
    inventory, ranks = nesting.inventory, nesting.ranks
    ups, downs = ([end, *inventory.ancestors(end)] for end in (source, target))
    if source in downs or target in ups:
        return
    shared = next((one for one in ups if one in downs), ROOT)
    ups, downs = (line[: line.index(shared)] if shared in line else line for line in (ups, downs))
    if ranks[ups[-1]] > ranks[downs[-1]]:
        ups, downs = downs, ups
    first, last = ranks[ups[-1]], ranks[downs[-1]]
    if first == last:
        return
    upper, lower = (_outwards(nesting, slots, line, downwards=line is ups) for line in (ups, downs))
    for rank in range(first + 1, last):
        between = nesting.add("", shared, rank, is_way=True)
        nesting.join(upper, between)
        upper = between
    nesting.join(upper, lower)


def _outwards(nesting: Nesting, slots: Mapping[str, int], line: Sequence[str], *, downwards: bool) -> int:
    """The slot in which a line has left all containers of `line` but the last, through their lower or upper borders."""
    slot = slots[line[0]]
    if line[0] in nesting.depths:
        slot = nesting.add("", line[0], nesting.depths[line[0]] if downwards else -1, is_way=True)
    for element_id, container in pairwise(line):
        rank = nesting.ranks[element_id]
        for row in range(rank + 1, nesting.depths[container] + 1) if downwards else range(rank - 1, -2, -1):
            way = nesting.add("", container, row, is_way=True)
            nesting.join(*((slot, way) if downwards else (way, slot)))
            slot = way
    return slot
