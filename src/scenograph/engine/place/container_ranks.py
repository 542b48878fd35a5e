"""RANKINGS: in which rows the children of all containers stand, where their order is settled at once (see `nesting`).

A layout takes the first; of a small scene the others are tried too. The rankings by leaves find the ranks of all leaves
as if there were no containers. A container then spans the ranks of its leaves. What lines lead to stands in a row below
where all its ranks are; containers whose ranks overlap stand beside each other (as in compound layered layouts, Sander
1996).

In: an inventory, its ties. Out: the row of every child within its container, from 0 on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from functools import partial
from typing import NamedTuple

from scenograph.engine.place.inventory import ROOT, Inventory
from scenograph.engine.place.ranking import short_ranks
from scenograph.engine.place.reading_order import begun, begun_links
from scenograph.engine.place.subgraph import Item, Subgraph, connected
from scenograph.engine.place.ties import LiftedTie, TieTable, links_between

Rows = dict[str, int]


class Ranking(NamedTuple):
    """One row: the ranks of all children; `binding`: they hold as well for what hangs together in its container only by
    lines from outside."""

    rows: Callable[[Inventory, TieTable], Rows]
    binding: bool = False


class _Span(NamedTuple):
    """The ranks of the leaves in an element, the first and the last."""

    first: int
    last: int


def _each_for_itself(inventory: Inventory, ties: TieTable) -> Rows:
    """Each container ranks its own children by the lines between them."""
    rows: Rows = {}
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


def _by_leaves(inventory: Inventory, ties: TieTable, *, below: bool) -> Rows:
    """The ranks follow from those of all leaves. `below`: of two containers with lines between them that all lead one
    way the second stands in a row below, also where their ranks overlap; a leaf always does."""
    spans, leaves = _spans(inventory), {one for one in inventory.elements if not inventory.children.get(one)}
    rows: Rows = {}
    for container in inventory.containers:
        ways = _ways(ties.inner[container], spans)

        def is_above(upper: str, lower: str, ways: Set[tuple[str, str]] = ways) -> bool:
            has_leaf = upper in leaves or lower in leaves
            leads_on = (upper, lower) in ways
            if spans[upper].last < spans[lower].first:
                return has_leaf or leads_on
            return leads_on and (lower, upper) not in ways and (below or has_leaf)

        rows |= _rows(inventory.children[container], spans, is_above)
    return rows


def _rows(children: Sequence[str], spans: Mapping[str, _Span], is_above: Callable[[str, str], bool]) -> Rows:
    rows: Rows = {}
    for child in sorted(children, key=spans.__getitem__):
        rows[child] = 1 + max((row for other, row in rows.items() if is_above(other, child)), default=-1)
    return rows


def _ways(ties: Sequence[LiftedTie], spans: Mapping[str, _Span]) -> set[tuple[str, str]]:
    """The pairs of children between which a line leads down the ranks, from the first to the second."""
    return {
        (one.source, one.target) if spans[one.tie.source] <= spans[one.tie.target] else (one.target, one.source)
        for one in ties
    }


def _spans(inventory: Inventory) -> dict[str, _Span]:
    """The ranks that every element spans; an empty container counts as a leaf."""
    leaves = [one for one in inventory.elements if not inventory.children.get(one)]
    number = {one: at for at, one in enumerate(leaves)}
    lines = ((number.get(tie.source), number.get(tie.target)) for tie in inventory.ties)
    arcs = list(dict.fromkeys((a, b) for a, b in lines if a is not None and b is not None and a != b))
    ranks = short_ranks(len(leaves), begun(len(leaves), arcs), [1] * len(arcs)) if leaves else []
    spans = {one: _Span(rank, rank) for one, rank in zip(leaves, ranks, strict=True)}
    for container in inventory.containers:
        inner = [spans[child] for child in inventory.children[container]]
        if inner and container != ROOT:
            spans[container] = _Span(min(one.first for one in inner), max(one.last for one in inner))
    return spans


RANKINGS: tuple[Ranking, ...] = (
    Ranking(_each_for_itself),
    Ranking(partial(_by_leaves, below=False), binding=True),
    Ranking(partial(_by_leaves, below=True), binding=True),
)
