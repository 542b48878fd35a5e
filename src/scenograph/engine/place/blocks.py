"""Items arranged rigidly: the pieces from which trees, stacks and pages of components are built. px.

A block's corners are the top left corners of its items' boxes, relative to the block's own top left corner; its size
covers the items with their outsets.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.geometry.packing import shelves
from scenograph.engine.place.subgraph import Corners, Item, extent


class Block(NamedTuple):
    """A rigid arrangement. `stem` is the x at which links from above should meet it."""

    width: float
    height: float
    corners: Mapping[str, Point]
    stem: float


def block_of(items: Sequence[Item], corners: Corners) -> Block:
    """The block round arranged items."""
    box = extent(items, corners)
    moved = {item.id: Point(corners[item.id].x - box.x, corners[item.id].y - box.y) for item in items}
    return Block(box.width, box.height, moved, box.width / 2)


def single(item: Item) -> Block:
    """The block of one item."""
    corner = Point(item.outset.left, item.outset.top)
    return Block(item.whole_width, item.whole_height, {item.id: corner}, item.outset.left + item.width / 2)


def joined(blocks: Iterable[tuple[Block, Point]]) -> dict[str, Point]:
    """The corners of all items when each block stands at its point."""
    return {
        item_id: Point(corner.x + at.x, corner.y + at.y)
        for block, at in blocks
        for item_id, corner in block.corners.items()
    }


def paged(blocks: Sequence[Block], gap: float, aspect: float) -> Block:
    """Blocks in rows, in order, near the aspect."""
    points = shelves([(block.width, block.height) for block in blocks], gap, aspect)
    placed = list(zip(blocks, points, strict=True))
    width = max((at.x + block.width for block, at in placed), default=0.0)
    height = max((at.y + block.height for block, at in placed), default=0.0)
    return Block(width, height, joined(placed), width / 2)
