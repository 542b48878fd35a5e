"""The algorithms `hierarchical` and `flow`: components laid out in ranks, then set on the page together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import fsum

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
    follows a main path."""
    return arranged_downwards(subgraph, partial(_components, straight=subgraph.settings.main_path is True))


def flow(subgraph: Subgraph) -> Corners:
    """Layered layout with the longest path on one straight line, unless the notation rules this out."""
    return arranged_downwards(subgraph, partial(_components, straight=subgraph.settings.main_path is not False))


def _components(subgraph: Subgraph, *, straight: bool) -> Corners:
    if subgraph.order is not None:
        return _in_settled_order(subgraph, subgraph.order)
    # Components from left to right as links from outside pull them; otherwise in document order
    in_order = sorted(
        connected(subgraph), key=lambda part: _mean([item.hint for item in part.items if item.hint is not None])
    )
    blocks = [_component(part, straight=straight) for part in in_order]
    aspect = max(ROW_ASPECT, subgraph.settings.aspect) if subgraph.pulled else subgraph.settings.aspect
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


def _component(part: Subgraph, *, straight: bool) -> Block:
    if len(part.items) == 1:
        return single(part.items[0])
    if is_tree(part) and not straight:
        # Tidy, or folded when that is much wider than the page
        plain = _finished(part, *tidy(part))
        return tree_on_page(part) if _is_wide(part, plain) else plain
    if is_tree(turned_round(part)) and not straight:
        return _finished(part, *tidy_upwards(part))
    return _ranked(part, straight=straight)


def _is_wide(part: Subgraph, block: Block) -> bool:
    return block.width > max(part.settings.page[0], WIDE * wanted_aspect(part.settings) * block.height)


def _ranked(part: Subgraph, *, straight: bool) -> Block:
    return block_of(part.items, arranged_by_order(part, begun_links(part), straight=straight))


def _finished(part: Subgraph, corners: Corners, ranks: Mapping[str, int]) -> Block:
    return block_of(part.items, drawn_to_neighbours(part, corners, ranks))
