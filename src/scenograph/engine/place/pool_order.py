"""The order in which pools are stacked: those that exchange messages stand beside each other.

In: pools in document order, the ties. Out: the same pools. Promises: the document's order stays unless another one
takes messages out of pools that they only pass; of those it takes one near the document's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from scenograph.engine.place.inventory import Inventory
from scenograph.engine.place.pools import Pool

MAX_ORDERED = 24  # pools; more keep the order of the document
MAX_ROUNDS = 24  # of moving one pool

Messages = Mapping[tuple[int, int], int]


def neighbourly(inventory: Inventory, pools: Sequence[Pool]) -> tuple[Pool, ...]:
    """The pools, one after the other moved to where the messages pass the fewest pools, while that helps."""
    messages = _messages(inventory, pools)
    order = list(range(len(pools)))
    if not 2 < len(pools) <= MAX_ORDERED:
        return tuple(pools)
    for _ in range(MAX_ROUNDS):
        best = min(_neighbours(order), key=lambda one: (_passed(one, messages), _inversions(one)))
        if _passed(best, messages) >= _passed(order, messages):
            break
        order = best
    return tuple(pools[number] for number in order)


def _messages(inventory: Inventory, pools: Sequence[Pool]) -> Messages:
    """How many ties join each two pools, by their numbers."""
    number = {pool.id: place for place, pool in enumerate(pools)}
    home = {one: number[up] for one in inventory.elements for up in (one, *inventory.ancestors(one)) if up in number}
    found = Counter[tuple[int, int]]()
    for tie in inventory.ties:
        first, second = home.get(tie.source), home.get(tie.target)
        if first is not None and second is not None and first != second:
            found[min(first, second), max(first, second)] += 1
    return found


def _neighbours(order: Sequence[int]) -> list[list[int]]:
    """All orders with one pool moved elsewhere."""
    found: list[list[int]] = []
    for at, moved in enumerate(order):
        rest = [*order[:at], *order[at + 1 :]]
        found += [[*rest[:to], moved, *rest[to:]] for to in range(len(order)) if to != at]
    return found


def _passed(order: Sequence[int], messages: Messages) -> int:
    """How many pools the messages pass between their ends."""
    place = {number: at for at, number in enumerate(order)}
    return sum((abs(place[first] - place[second]) - 1) * count for (first, second), count in messages.items())


def _inversions(order: Sequence[int]) -> int:
    """How many pairs stand the other way round than in the document."""
    return sum(1 for at, first in enumerate(order) for second in order[at + 1 :] if second < first)
