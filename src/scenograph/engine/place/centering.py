"""Parents in the middle over children of their own, and sources over their only target, where a rank has room for it.
Flow from top to bottom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.place.subgraph import Corners, Item, Subgraph, room_between
from scenograph.late_dataclasses import dataclass

NEAR = 0.5  # px; a smaller shift is rounding


@dataclass(frozen=True, slots=True)
class _Ranks:
    """Items by rank, and the x of their middles, which change."""

    items: Mapping[str, Item]
    rows: Mapping[int, Sequence[str]]  # from left to right; no shift changes that order
    middles: dict[str, float]
    gap: float

    def shift(self, row: Sequence[str], first: int, last: int, by: float) -> None:
        """Move neighbours `first` to `last` of a row together, if those beside them leave the room."""
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
    """The corners with parents moved over the middle of those children that have no other parent, from the lowest
    rank up, then sources over the middle of their only target. Parents and targets that are `kept` take no part."""
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
    """Items with those of the next rank below that are all theirs, lowest items first; upwards: with two or more of
    the next rank above that have no other neighbour at all."""
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
