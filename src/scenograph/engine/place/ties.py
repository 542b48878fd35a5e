"""Ties: edges as seen from each container, the pull on children from outside, and the cost of straight lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import fsum
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Box, Outset
from scenograph.engine.geometry.directions import SIDEWAYS
from scenograph.engine.kernels.straight_lines import StraightLine, crossing_pairs
from scenograph.engine.place.inventory import Inventory, Tie
from scenograph.engine.place.subgraph import ItemLink
from scenograph.engine.tables import LineCost
from scenograph.late_dataclasses import dataclass, field

LOOP_REACH = 16.0  # px; of a loop beside its box


class LiftedTie(NamedTuple):
    """An edge between two children of a container; `direct`: the edge ends at the children themselves."""

    source: str
    target: str
    tie: Tie
    direct: bool


@dataclass(frozen=True, slots=True)
class TieTable:
    """`inner[container]`: the edges between its children. `outer[element]`: the far ends of edges out of the element's
    container, from the element or its content. `loops[element]`: room for its own loops."""

    inner: Mapping[str, list[LiftedTie]] = field(default_factory=dict[str, list[LiftedTie]])
    outer: Mapping[str, list[str]] = field(default_factory=dict[str, list[str]])
    loops: Mapping[str, Outset] = field(default_factory=dict[str, Outset])


def lift_ties(inventory: Inventory) -> TieTable:
    """Every edge lifted to the innermost container of both ends; edges to an ancestor are left out."""
    inner: dict[str, list[LiftedTie]] = {container: [] for container in inventory.containers}
    outer: dict[str, list[str]] = {element_id: [] for element_id in inventory.elements}
    for tie in inventory.ties:
        home = inventory.parent[tie.source]
        if home == inventory.parent[tie.target]:
            if tie.source != tie.target:
                inner[home].append(LiftedTie(tie.source, tie.target, tie, direct=True))
            continue
        up_source = [tie.source, *inventory.ancestors(tie.source)]
        up_target = [tie.target, *inventory.ancestors(tie.target)]
        if tie.target in up_source or tie.source in up_target:
            continue
        while len(up_source) > 1 and len(up_target) > 1 and up_source[-1] == up_target[-1]:
            shared = up_source.pop()
            up_target.pop()
            if up_source[-1] != up_target[-1]:
                direct = len(up_source) == len(up_target) == 1
                inner[shared].append(LiftedTie(up_source[-1], up_target[-1], tie, direct))
        for element_id in up_source[:-1]:
            outer[element_id].append(tie.target)
        for element_id in up_target[:-1]:
            outer[element_id].append(tie.source)
    return TieTable(inner, outer, loop_room(inventory))


def links_between(ties: Sequence[LiftedTie], unit_of: Mapping[str, str]) -> tuple[ItemLink, ...]:
    """The edges of a container as links between its units, one for each joined pair. A link has the direction of most
    of its edges (a draw goes to the first). Edges between two plain elements need room for all their labels stacked;
    edges between containers spread, so the largest label suffices."""
    bundles: dict[tuple[str, str], list[LiftedTie]] = {}
    for tie in ties:
        source, target = unit_of.get(tie.source, ""), unit_of.get(tie.target, "")
        if not source or not target or source == target:
            continue
        key = (target, source) if (target, source) in bundles else (source, target)
        bundles.setdefault(key, []).append(tie)
    return tuple(_link(source, target, bundle, unit_of) for (source, target), bundle in bundles.items())


def _link(source: str, target: str, bundle: Sequence[LiftedTie], unit_of: Mapping[str, str]) -> ItemLink:
    if len(bundle) == 1:  # as most are
        tie = bundle[0].tie
        return ItemLink(
            source, target, 1, tie.label_width, tie.label_height, _row(source, bundle), _row(target, bundle)
        )
    forwards = sum(unit_of[tie.source] == source for tie in bundle)
    width = max(tie.tie.label_width for tie in bundle)
    heights = [tie.tie.label_height for tie in bundle]
    height = fsum(heights) if all(tie.direct for tie in bundle) else max(heights)
    link = ItemLink(source, target, len(bundle), width, height, _row(source, bundle), _row(target, bundle))
    return link.turned() if 2 * forwards < len(bundle) else link


def _row(unit: str, bundle: Sequence[LiftedTie]) -> float:
    """The mean offset of edge ends at rows of a unit, below its middle."""
    own = [tie for _, _, tie, _ in bundle if unit in (tie.source, tie.target)]
    return fsum([tie.source_row if tie.source == unit else tie.target_row for tie in own]) / len(bundle)


def loop_room(inventory: Inventory) -> Mapping[str, Outset]:
    """Room for the labels of loops, which run round an element's upper right corner."""
    room: dict[str, Outset] = {}
    for tie in inventory.ties:
        if tie.source == tie.target and tie.label_width > 0:
            known = room.get(tie.source, Outset())
            room[tie.source] = Outset(known.top + tie.label_height, max(known.right, LOOP_REACH + tie.label_width))
    return room


# The cost of a placement, by the straight lines of its edges: a cheap estimate of routing, by which the better of two
# placements is chosen.


Cost = Callable[[Mapping[str, Box]], LineCost | None]
"""The cost of a placement by its routed lines; None for one that is not routed."""
MAX_JUDGED_TIES = 320  # edges; counting crossings of more takes too long


class LayoutCost(NamedTuple):
    """Fewer crossings are better; among equals, shorter lines."""

    crossings: int
    length: float


def layout_cost(inventory: Inventory, boxes: Mapping[str, Box], direction: str) -> LayoutCost:
    """The cost of all ties between different elements."""
    lines = sorted(_straight_lines(inventory, boxes, upright=direction not in SIDEWAYS))
    length = fsum(right - left + max(start, end) - min(start, end) for left, start, right, end in lines)
    return LayoutCost(crossing_pairs(lines), round(length, 1))


def _straight_lines(inventory: Inventory, boxes: Mapping[str, Box], *, upright: bool) -> Iterator[StraightLine]:
    """The straight line of every edge, from its left to its right end: from side to side along the flow, from middle to
    middle between boxes beside each other."""
    for tie in inventory.ties:
        first, second = boxes[tie.source], boxes[tie.target]
        if tie.source == tie.target:
            continue
        (x1, y1), (x2, y2) = first.center, second.center
        if upright and (second.y >= first.bottom or first.y >= second.bottom):
            y1, y2 = (first.bottom, second.y) if second.y >= first.bottom else (first.y, second.bottom)
        if not upright and (second.x >= first.right or first.x >= second.right):
            x1, x2 = (first.right, second.x) if second.x >= first.right else (first.x, second.right)
        if (x1, y1) > (x2, y2):
            x1, y1, x2, y2 = x2, y2, x1, y1
        yield x1, y1, x2, y2
