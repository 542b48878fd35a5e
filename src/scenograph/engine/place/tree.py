"""Trees that would be too wide for the page: leaves stacked under their parent, subtrees wrapped into rows.

In: a connected level whose links form a tree pointing away from one root, flowing from top to bottom. Out: its corners.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, inf, log, sqrt
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.place.blocks import Block, joined, single
from scenograph.engine.place.level import Level
from scenograph.engine.place.tidy import Tree, tree_of

STACK_FROM = 2  # so many leaves of one parent become a stack
STACK_ROWS = (6, 8, 12)
STACK_GAP = 32.0
INDENT = 40.0
WRAP_FROM = 5  # so many subtrees side by side may be broken into rows
WRAP_ROWS = (1, 2, 3, 4, 5, 6, 8, 10)
ROW_COST = 0.05
STACK_COST = 0.02
ROUNDING = 1e-9


class _Shape(NamedTuple):
    """What the search varies: the width of a row of subtrees, the height of a stack of leaves."""

    row_width: float
    stack_rows: int
    gap: float
    rank_gap: float


def tree_on_page(level: Level) -> Block:
    """The tree in the shape that suits the page best; fewer rows and shorter stacks win a draw."""
    tree, settings = tree_of(level), level.settings
    best: Block | None = None
    least = inf
    for stacks, stack_rows in enumerate(STACK_ROWS):
        widest = _grown(tree, _Shape(inf, stack_rows, settings.node_spacing, settings.rank_spacing)).width
        for rows in WRAP_ROWS:
            shape = _Shape(widest / rows, stack_rows, settings.node_spacing, settings.rank_spacing)
            block = _grown(tree, shape)
            cost = _cost(block, settings.aspect) + ROW_COST * rows + STACK_COST * stacks
            if best is None or cost < least:
                best, least = block, cost
    return best or single(level.items[0])


def _cost(block: Block, aspect: float) -> float:
    return abs(log(block.width / block.height / aspect)) + 0.5 * log(block.width * block.height)


def _grown(tree: Tree, shape: _Shape) -> Block:
    """The tree with its rows and stacks in that shape."""
    blocks: dict[str, Block] = {}
    for item_id in reversed(tree.downwards):
        blocks[item_id] = _with_children(tree, item_id, blocks, shape)
    return blocks[tree.downwards[0]]


def _with_children(tree: Tree, item_id: str, blocks: Mapping[str, Block], shape: _Shape) -> Block:
    head, children = single(tree.items[item_id]), tree.children[item_id]
    leaves = [blocks[child] for child in children if not tree.children[child]]
    if not children:
        return head
    if len(leaves) < STACK_FROM:
        return _headed(head, _rows([blocks[child] for child in children], shape), shape.rank_gap)
    stack = _stack(leaves, shape)
    if len(leaves) == len(children):
        return _hung(head, stack)
    subtrees = [blocks[child] for child in children if tree.children[child]]
    return _headed(head, _rows([*subtrees, stack], shape), shape.rank_gap)


def _stack(leaves: Sequence[Block], shape: _Shape) -> Block:
    """Leaves one below the other, in as few columns as keep them readable."""
    columns = ceil(len(leaves) / max(shape.stack_rows, ceil(sqrt(2 * len(leaves)))))
    rows = ceil(len(leaves) / columns)
    placed: list[tuple[Block, Point]] = []
    x = height = 0.0
    for start in range(0, len(leaves), rows):
        column, y = leaves[start : start + rows], 0.0
        for leaf in column:
            placed.append((leaf, Point(x, y)))
            y += leaf.height + STACK_GAP
        height = max(height, y - STACK_GAP)
        x += max(leaf.width for leaf in column) + shape.gap
    return Block(x - shape.gap, height, joined(placed), min(leaf.stem for leaf in leaves))


def _hung(head: Block, stack: Block) -> Block:
    """A stack below its parent, drawn in so that a trunk can run down beside it."""
    placed = [(head, Point(0.0, 0.0)), (stack, Point(INDENT, head.height + STACK_GAP))]
    width = max(head.width, INDENT + stack.width)
    return Block(width, head.height + STACK_GAP + stack.height, joined(placed), head.stem)


def _rows(blocks: Sequence[Block], shape: _Shape) -> Block:
    """Subtrees side by side, broken into rows of about equal width where they exceed the row width."""
    total = sum(block.width + shape.gap for block in blocks) - shape.gap
    widest = max(block.width for block in blocks)
    rows = max(1, ceil(total / max(shape.row_width, widest) - ROUNDING))
    if rows == 1 or len(blocks) < WRAP_FROM:
        return _row(blocks, shape.gap)
    return _columns(blocks, ceil(len(blocks) / rows), shape)


def _columns(blocks: Sequence[Block], columns: int, shape: _Shape) -> Block:
    """Rows of so many blocks whose stems stand one below the other, so that lines can run straight between them."""
    lines = [blocks[start : start + columns] for start in range(0, len(blocks), columns)]
    left = [max(line[i].stem for line in lines if i < len(line)) for i in range(columns)]
    right = [max(line[i].width - line[i].stem for line in lines if i < len(line)) for i in range(columns)]
    placed: list[tuple[Block, Point]] = []
    y = 0.0
    for line in lines:
        x = 0.0
        for i, block in enumerate(line):
            placed.append((block, Point(x + left[i] - block.stem, y)))
            x += left[i] + right[i] + shape.gap
        y += max(block.height for block in line) + shape.rank_gap
    width = sum(left) + sum(right) + shape.gap * (columns - 1)
    return Block(width, y - shape.rank_gap, joined(placed), width / 2)


def _row(blocks: Sequence[Block], gap: float) -> Block:
    placed: list[tuple[Block, Point]] = []
    x = 0.0
    for block in blocks:
        placed.append((block, Point(x, 0.0)))
        x += block.width + gap
    first, last = placed[0], placed[-1]
    stem = (first[1].x + first[0].stem + last[1].x + last[0].stem) / 2
    return Block(x - gap, max(block.height for block in blocks), joined(placed), stem)


def _headed(head: Block, row: Block, gap: float) -> Block:
    """A parent over the middle of its children."""
    left = row.stem - head.stem
    shift = max(0.0, -left)
    placed = [(head, Point(left + shift, 0.0)), (row, Point(shift, head.height + gap))]
    width = max(left + shift + head.width, shift + row.width)
    return Block(width, head.height + gap + row.height, joined(placed), left + shift + head.stem)
