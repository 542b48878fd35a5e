"""Incremental layout: the established elements and edges are laid out first, then newcomers are inserted.

Most elements make the base layout; the last few of the document are inserted into free room. Until enough newcomers
count as established, a new element moves only elements in its place. In: an inventory. Out: the established part.
Promise: establishment depends on the order of the document and on edges, never on sizes or words; between two steps a
new element changes nothing.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence, Set
from typing import NamedTuple

from scenograph.engine.families.family import is_tile, is_tiled
from scenograph.engine.kernels.disjoint_sets import DisjointSets
from scenograph.engine.place.inventory import Inventory, Tie, TieTable
from scenograph.engine.place.layered.ranking import strong_parts
from scenograph.late_dataclasses import replace

FEW = 4  # elements; the first few are always established
TENS = 10  # the sizes repeat in every decade
PAIRS = 20  # elements up to which every second number is a size of the base
STEPS = (10, 12, 14, 16, 18, 20, 23, 26, 30, 35, 40, 45, 50, 60, 70, 80, 90)  # sizes of the base, times powers of ten
HUB = 3  # an element with so many ties is established at once
FEW_TIES = 32  # edges; with fewer all are in the base layout
LARGE = 1_200  # with more elements, finding a place for each newcomer takes too long
MOST = 2  # a container with newcomers as more than half of its content is a newcomer


def established_count(count: int) -> int:
    """How many of `count` elements make the base layout: the last step reached."""
    if count <= FEW:
        return count
    if count < PAIRS:
        return count - count % 2
    scale = 1
    while count >= TENS * TENS * scale:
        scale *= TENS
    return STEPS[bisect_right(STEPS, count / scale) - 1] * scale


def established_ties(ties: Sequence[Tie]) -> tuple[Tie, ...]:
    """The edges without the last few of many; the only edge of an element always counts."""
    step = 1
    while FEW_TIES * step * step <= len(ties):
        step *= 2
    old = list(ties[: len(ties) - len(ties) % step])
    tied = {end for tie in old for end in (tie.source, tie.target)}
    for tie in ties[len(old) :]:
        if tie.source not in tied or tie.target not in tied:
            old.append(tie)
            tied |= {tie.source, tie.target}
    return tuple(old)


def threes(count: int) -> int:
    """The number of established elements among `count`, for layouts spoiled as much by one newcomer as by many: at most
    two join."""
    return count if count <= PAIRS else count - count % 3


class Steps(NamedTuple):
    """The sizes of the base layout: how many elements, and which edges."""

    elements: Callable[[int], int]
    ties: Callable[[Sequence[Tie]], tuple[Tie, ...]]


GROWING = Steps(established_count, established_ties)
BY_THREES = Steps(threes, tuple)


def established_part(inventory: Inventory, steps: Steps = GROWING) -> Inventory:
    """The inventory without newcomers, their content and their edges; the same object without newcomers. Trees have no
    newcomers, because a tidy tree keeps its order anyway and would lose its shape; nor have very large scenes."""
    if len(inventory.elements) > LARGE or is_forest(inventory.ties):
        return inventory
    kept = _established(inventory, steps)
    ties = steps.ties([tie for tie in inventory.ties if tie.source in kept and tie.target in kept])
    if len(kept) == len(inventory.elements) and len(ties) == len(inventory.ties):
        return inventory
    children = {
        container: tuple(child for child in row if child in kept)
        for container, row in inventory.children.items()
        if container in kept or container not in inventory.elements
    }
    elements = {element_id: element for element_id, element in inventory.elements.items() if element_id in kept}
    return replace(inventory, elements=elements, children=children, ties=ties)


def with_late_ties(base: Inventory, inventory: Inventory) -> Inventory:
    """The established part with all edges of the inventory between its elements."""
    among = (tie for tie in inventory.ties if tie.source in base.elements and tie.target in base.elements)
    return replace(base, ties=tuple(among))


def is_forest(ties: Sequence[Tie]) -> bool:
    """Whether the edges form only trees, all directed away from their roots or all towards them."""
    most_in = max(Counter(tie.target for tie in ties).values(), default=0)
    most_out = max(Counter(tie.source for tie in ties).values(), default=0)
    number = {end: at for at, end in enumerate(dict.fromkeys(end for tie in ties for end in (tie.source, tie.target)))}
    sets = DisjointSets(len(number))
    return min(most_in, most_out) <= 1 and all(sets.join(number[tie.source], number[tie.target]) for tie in ties)


def _established(inventory: Inventory, steps: Steps) -> Collection[str]:
    """All elements except the newest and containers made up mostly of these."""
    newest = set(_newest(inventory, steps))
    newest -= _joints(inventory, newest)
    newest -= _turning(inventory, newest)
    for container in inventory.containers[:-1]:
        row = inventory.children[container]
        if sum(child in newest for child in row) * MOST > len(row):
            newest.add(container)
    kept: set[str] = set()
    for container in reversed(inventory.containers):
        if container in kept or container not in inventory.elements:
            kept |= {child for child in inventory.children[container] if child not in newest}
    return kept


def _newest(inventory: Inventory, steps: Steps) -> Iterator[str]:
    """The last elements of the document without content and with few edges; elements in pools, and elements bound by
    relative placement, never count."""
    leaves = [element_id for element_id in inventory.elements if not inventory.children.get(element_id)]
    ties = steps.ties(inventory.ties)
    degree = Counter(end for tie in ties for end in (tie.source, tie.target))
    bound = {end for one in leaves if (layout := inventory.relation(one)) for end in (one, layout.target)}
    for element_id in leaves[steps.elements(len(leaves)) :]:
        is_alone = inventory.twins.isdisjoint(inventory.ancestors(element_id)) and element_id not in bound
        if degree[element_id] < HUB and is_alone and not _in_pool(inventory, element_id):
            yield element_id


def _joints(inventory: Inventory, newest: Set[str]) -> set[str]:
    """The newest elements that alone connect an older element to the rest of its container. A layout without them would
    set the older element apart."""
    joints: set[str] = set()
    for row in TieTable(inventory).inner.values() if newest else ():
        tied: set[str] = set()
        held: dict[str, set[str]] = {}
        for source, target, tie, _ in row:
            new = newest & {tie.source, tie.target}
            if not new:
                tied |= {source, target}
            for one in new:
                held.setdefault(one, set()).update({source, target} - newest)
        for one, children in held.items():
            if len(children) > 1 and any(child not in tied and child not in inventory.children for child in children):
                joints.add(one)
    return joints


def _turning(inventory: Inventory, newest: Set[str]) -> set[str]:
    """The newest elements on a cycle: without them the cycle would begin elsewhere."""
    if not newest:
        return set()
    ends = dict.fromkeys(end for tie in inventory.ties for end in tie.ends)
    number = {end: at for at, end in enumerate(ends)}
    part = strong_parts(len(number), [(number[tie.source], number[tie.target]) for tie in inventory.ties])
    size = Counter(part)
    return {one for one in newest if one in number and size[part[number[one]]] > 1}


def _in_pool(inventory: Inventory, element_id: str) -> bool:
    line = [inventory.elements.get(one) for one in (element_id, *inventory.ancestors(element_id))]
    return any(is_tiled(one) or is_tile(one) for one in line)
