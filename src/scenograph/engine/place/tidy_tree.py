"""Tidy trees: every parent in the middle over its children, subtrees as near as their outlines allow (Reingold and
Tilford, "Tidier Drawings of Trees", 1981). Flow from top to bottom.

In: a connected level whose links form a tree that points away from one root, or all towards it. Out: its corners and
the rank of every item; children keep their order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.place.subgraph import Corners, Item, LayoutSettings, Link, Subgraph
from scenograph.late_dataclasses import replace

LABEL_MARGIN = 32.0  # px; between ranks beside a label's height, as in layered_library.py
Outline = list[tuple[float, float]]


class Tree(NamedTuple):
    """A rooted tree of items. `downwards` names parents before their children."""

    items: Mapping[str, Item]
    children: Mapping[str, tuple[str, ...]]
    downwards: tuple[str, ...]


class Tidy(NamedTuple):
    """A tree laid out."""

    corners: Corners
    ranks: Mapping[str, int]


def is_tree(subgraph: Subgraph) -> bool:
    """Whether the links form a tree that points away from one root."""
    targets = {link.target for link in subgraph.links}
    return len(subgraph.items) > 1 and len(targets) == len(subgraph.links) == len(subgraph.items) - 1


def turned_round(subgraph: Subgraph) -> Subgraph:
    """The level with its flow reversed."""
    links = tuple(link.turned() for link in subgraph.links)
    items = tuple(
        item._replace(outset=item.outset._replace(top=item.outset.bottom, bottom=item.outset.top))
        for item in subgraph.items
    )
    return replace(subgraph, items=items, links=links)


def tree_of(subgraph: Subgraph) -> Tree:
    """The tree that the links of a level form; children in the order of their hints, else of the rows of
    their parent that lead to them, else of the document."""
    items = {item.id: item for item in subgraph.items}
    rows = {link.target: link.source_row for link in subgraph.links} if subgraph.settings.sideways else {}
    turn = {item.id: (item.hint or 0, rows.get(item.id, 0.0), at) for at, item in enumerate(subgraph.items)}
    children: dict[str, list[str]] = {item.id: [] for item in subgraph.items}
    for link in subgraph.links:
        children[link.source].append(link.target)
    targets = {link.target for link in subgraph.links}
    downwards = [item.id for item in subgraph.items if item.id not in targets]
    for item_id in downwards:
        children[item_id].sort(key=lambda child: turn[child])
        downwards += children[item_id]
    return Tree(items, {parent: tuple(row) for parent, row in children.items()}, tuple(downwards))


def tidy(subgraph: Subgraph) -> Tidy:
    """The tidy layout of a tree level."""
    tree = tree_of(subgraph)
    labels = {link.target: link for link in subgraph.links}
    ranks = _ranks(tree)
    xs = _middles(tree, labels, subgraph.settings.node_spacing)
    ys = _lines(tree, ranks, subgraph.links, subgraph.settings)
    corners = {
        item_id: Point(xs[item_id] - item.width / 2, ys[ranks[item_id]] - _above(item, subgraph.settings))
        for item_id, item in tree.items.items()
    }
    return Tidy(corners, ranks)


def tidy_upwards(subgraph: Subgraph) -> Tidy:
    """The same for a tree whose links all point towards the root, which then lies at the bottom."""
    upside_down = tidy(turned_round(subgraph))
    deepest = max(upside_down.ranks.values())
    corners = {
        item.id: Point(upside_down.corners[item.id].x, -upside_down.corners[item.id].y - item.height)
        for item in subgraph.items
    }
    return Tidy(corners, {item_id: deepest - rank for item_id, rank in upside_down.ranks.items()})


def _ranks(tree: Tree) -> dict[str, int]:
    ranks = dict.fromkeys(tree.downwards[:1], 0)
    for parent in tree.downwards:
        ranks.update(dict.fromkeys(tree.children[parent], ranks[parent] + 1))
    return ranks


def _middles(tree: Tree, labels: Mapping[str, Link], gap: float) -> dict[str, float]:
    """The x of every item's middle, the root's being 0."""
    outlines: dict[str, Outline] = {}
    offsets: dict[str, float] = {}
    for item_id in reversed(tree.downwards):
        children = tree.children[item_id]
        shifts, below = _side_by_side([outlines.pop(child) for child in children], gap)
        middle = (shifts[0] + shifts[-1]) / 2 if shifts else 0.0
        offsets.update({child: shift - middle for child, shift in zip(children, shifts, strict=True)})
        own = _half_width(tree.items[item_id], labels.get(item_id))
        outlines[item_id] = [(-own, own), *((left - middle, right - middle) for left, right in below)]
    xs = dict.fromkeys(tree.downwards[:1], 0.0)
    for parent in tree.downwards:
        xs.update({child: xs[parent] + offsets[child] for child in tree.children[parent]})
    return xs


def _half_width(item: Item, link: Link | None) -> float:
    """Half the room an item needs in its rank, its outset and the label of the link above it included."""
    own = item.width / 2 + max(item.outset.left, item.outset.right)
    return own if link is None else max(own, link.label_width / 2)


def _side_by_side(outlines: Sequence[Outline], gap: float) -> tuple[list[float], Outline]:
    """How far each subtree is shifted to stand right of those before it, and the outline of all."""
    shifts: list[float] = []
    joined: Outline = []
    for outline in outlines:
        shared = zip(joined, outline, strict=False)
        shift = max((right + gap - left for (_, right), (left, _) in shared), default=0.0)
        moved = [(left + shift, right + shift) for left, right in outline]
        met = [(a[0], b[1]) for a, b in zip(joined, moved, strict=False)]
        joined = met + (joined[len(met) :] or moved[len(met) :])
        shifts.append(shift)
    return shifts, joined


def _above(item: Item, settings: LayoutSettings) -> float:
    """How much of an item lies above the line of its rank."""
    return 0.0 if settings.flush else item.height / 2


def _lines(tree: Tree, ranks: Mapping[str, int], links: Sequence[Link], settings: LayoutSettings) -> list[float]:
    """The line of every rank, which runs through the middles of its items or along their upper edges."""
    count = max(ranks.values()) + 1
    above, below, room = [0.0] * count, [0.0] * count, [settings.rank_spacing] * count
    for item_id, item in tree.items.items():
        rank, over = ranks[item_id], _above(item, settings)
        above[rank] = max(above[rank], item.outset.top + over)
        below[rank] = max(below[rank], item.outset.bottom + item.height - over)
    for link in links:
        if link.label_height:
            room[ranks[link.source]] = max(room[ranks[link.source]], link.label_height + LABEL_MARGIN)
    lines = [0.0]
    for rank in range(1, count):
        lines.append(lines[-1] + below[rank - 1] + room[rank - 1] + above[rank])
    return lines
