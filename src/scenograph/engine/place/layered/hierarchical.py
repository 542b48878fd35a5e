"""The algorithms `hierarchical` and `flow`: components laid out in ranks, then set on the page together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import fsum, inf, sqrt

from scenograph.engine.place.layered.level_order import arranged_by_order
from scenograph.engine.place.layered.ordered_ranks import arranged_in_order, drawn_to_neighbours, with_ways
from scenograph.engine.place.layered.ranking import begun_links
from scenograph.engine.place.orientation import arranged_downwards
from scenograph.engine.place.subgraph import Corners, RankOrder, Subgraph, connected
from scenograph.engine.place.trees import (
    Block,
    block_of,
    is_tree,
    paged,
    single,
    tidy,
    tidy_upwards,
    tree_on_page,
    turned_round,
    wanted_aspect,
)
from scenograph.late_dataclasses import replace

WIDE = 2.2  # a tree this many times wider than the page's shape, and wider than the page, is folded
ROW_ASPECT = 8.0  # parts that outside links hold in order stay in one row up to this shape


def hierarchical(subgraph: Subgraph) -> Corners:
    """Ranks along the direction, parents in the middle of their children (R-PLACE-5), unless the notation
    follows a main path; a bushy tree has none."""
    return arranged_downwards(subgraph, partial(_components, straight=subgraph.settings.main_path is True, tidied=True))


def flow(subgraph: Subgraph) -> Corners:
    """Layered layout with the longest path on one straight line, unless the notation rules this out."""
    return arranged_downwards(subgraph, partial(_components, straight=subgraph.settings.main_path is not False))


def _components(subgraph: Subgraph, *, straight: bool, tidied: bool = False) -> Corners:
    if subgraph.order is not None:
        return _in_settled_order(subgraph, subgraph.order)
    # Components from left to right as links from outside pull them; otherwise in document order
    in_order = sorted(
        connected(subgraph), key=lambda part: _mean([item.hint for item in part.items if item.hint is not None])
    )
    blocks = [_component(part, straight=straight, tidied=tidied) for part in in_order]
    aspect = subgraph.settings.aspect
    if subgraph.pulled and fsum(block.width for block in blocks) <= subgraph.settings.across:
        aspect = max(ROW_ASPECT, aspect)
    return paged(blocks, subgraph.settings.node_spacing, aspect).corners


def _in_settled_order(subgraph: Subgraph, order: RankOrder) -> Corners:
    """Ranks in the order settled for all containers at once. Much too wide trees, and parts connected only through
    outside links, are arranged as usual, in this order."""
    place = {name: number for row in order.rows for number, name in enumerate(row)}
    plain = subgraph.without_ways()
    plain = replace(plain, items=tuple(item._replace(hint=place[item.id]) for item in plain.items))
    if len(plain.items) > 1 and (order.binding or len(connected(plain)) == 1):
        corners = arranged_in_order(subgraph, order)
        if not (is_tree(plain) and _is_wide(plain, block_of(plain.items, corners))):
            return corners
    return with_ways(order, plain, _components(plain, straight=False))


def _mean(values: Sequence[float]) -> float:
    return fsum(values) / len(values) if values else 0.0


def _component(part: Subgraph, *, straight: bool, tidied: bool) -> Block:
    if len(part.items) == 1:
        return single(part.items[0])
    if is_tree(part) and part.settings.stacked:
        # Tidy, or folded when that is much wider than the page
        tree = tidy(part)
        if not straight or (tidied and _is_bushy(part, tree.ranks)):
            plain = _finished(part, *tree)
            if not _is_wide(part, plain):
                return plain
            if not _has_labelled_leaves(part):
                return tree_on_page(part)
            rank = plain.height / (max(tree.ranks.values()) + 1)
            narrow = min(part.settings.across, sqrt(plain.width * rank * wanted_aspect(part.settings)))
            return _ranked(replace(part, settings=replace(part.settings, across=narrow)), straight=False)
    if is_tree(turned_round(part)) and part.settings.stacked and not straight:
        return _finished(part, *tidy_upwards(part))
    return _ranked(part, straight=straight)


def _has_labelled_leaves(part: Subgraph) -> bool:
    """Whether most lines to leaves have a label: beside a stack of leaves is no room for it."""
    parents = {link.source for link in part.links}
    labels = [link.label_width > 0 for link in part.links if link.target not in parents]
    return 2 * sum(labels) > len(labels)


def _is_bushy(part: Subgraph, ranks: Mapping[str, int]) -> bool:
    """Whether a tree has more leaves than ranks: no main path leads through it."""
    parents = {link.source for link in part.links}
    return len(part.items) - len(parents) > max(ranks.values()) + 1


def _is_wide(part: Subgraph, block: Block) -> bool:
    if part.settings.across < inf:
        return block.width > part.settings.across
    return block.width > max(part.settings.page[0], WIDE * wanted_aspect(part.settings) * block.height)


def _ranked(part: Subgraph, *, straight: bool) -> Block:
    return block_of(part.items, arranged_by_order(part, begun_links(part), straight=straight))


def _finished(part: Subgraph, corners: Corners, ranks: Mapping[str, int]) -> Block:
    return block_of(part.items, drawn_to_neighbours(part, corners, ranks))
