"""Where a cycle begins: where the only way into it leads, or with what the document names first when there is none.

In: a level. Out: its links, those turned round that lead back to such a beginning. Promises: links keep their order,
weights and labels; a cycle that is entered at several places stays: the layout then turns as few links as it can.
"""

from __future__ import annotations

from collections.abc import Sequence

from scenograph.engine.place.ranking import Arc, strong_parts
from scenograph.engine.place.subgraph import Link, Subgraph

MAX_ROUNDS = 12  # cycles within cycles


def begun_links(subgraph: Subgraph) -> tuple[Link, ...]:
    """The links as a layout should see them."""
    number = {item.id: i for i, item in enumerate(subgraph.items)}
    arcs = [(number[link.source], number[link.target]) for link in subgraph.links]
    found = zip(subgraph.links, arcs, begun(len(number), arcs), strict=True)
    return tuple(link if arc == kept else link.turned() for link, arc, kept in found)


def begun(count: int, arcs: Sequence[Arc]) -> list[Arc]:
    """The arcs, those turned round that lead back to the beginning of a cycle."""
    found = list(arcs)
    for _ in range(MAX_ROUNDS):
        part = strong_parts(count, found)
        first = _beginnings(part, [arc for arc, given in zip(found, arcs, strict=True) if arc == given])
        back = [part[source] == part[target] and target in first for source, target in found]
        if not any(back):
            break
        found = [(arc[1], arc[0]) if turned else arc for arc, turned in zip(found, back, strict=True)]
    return found


def _beginnings(part: Sequence[int], ways: Sequence[Arc]) -> frozenset[int]:
    """The one node where each strongly connected part begins that does not begin at several. `ways` lead into parts."""
    entries: dict[int, set[int]] = {}
    for source, target in ways:
        if part[source] != part[target]:
            entries.setdefault(part[target], set()).add(target)
    earliest: dict[int, int] = {}
    for node, one in enumerate(part):
        earliest.setdefault(one, node)
    begins = (entries.get(one, {node}) for one, node in earliest.items())
    return frozenset(node for row in begins if len(row) == 1 for node in row)
