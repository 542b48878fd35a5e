"""Items arranged rigidly: the pieces from which trees, stacks and pages of components are built. px.

A block's corners are the top left corners of its items' boxes, relative to the block's own top left corner; its size
covers the items with their outsets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
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


class Joined(Mapping[str, Point]):
    """The corners of all items when each block stands at its point, worked out when one is asked for: a search joins
    blocks again and again and looks at the corners of the last one only."""

    def __init__(self, blocks: Iterable[tuple[Block, Point]]) -> None:
        self.blocks = tuple(blocks)

    def __getitem__(self, item_id: str) -> Point:
        return self._corners[item_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._corners)

    def __len__(self) -> int:
        return len(self._corners)

    @cached_property
    def _corners(self) -> dict[str, Point]:
        """Blocks may be nested as deep as a tree: each corner is moved by the innermost block first."""
        found: dict[str, Point] = {}
        waiting: list[tuple[Mapping[str, Point], _Way]] = [(self, None)]
        while waiting:
            corners, way = waiting.pop()
            if isinstance(corners, Joined):
                waiting.extend((block.corners, (at, way)) for block, at in reversed(corners.blocks))
                continue
            for item_id, corner in corners.items():
                found[item_id] = _moved(corner, way)
        return found


_Way = tuple[Point, "_Way"] | None


def _moved(corner: Point, way: _Way) -> Point:
    x, y = corner
    while way is not None:
        at, way = way
        x, y = x + at.x, y + at.y
    return Point(x, y)


def paged(blocks: Sequence[Block], gap: float, aspect: float) -> Block:
    """Blocks in rows, in order, near the aspect."""
    points = shelves([(block.width, block.height) for block in blocks], gap, aspect)
    placed = list(zip(blocks, points, strict=True))
    width = max((at.x + block.width for block, at in placed), default=0.0)
    height = max((at.y + block.height for block, at in placed), default=0.0)
    return Block(width, height, dict(Joined(placed)), width / 2)
