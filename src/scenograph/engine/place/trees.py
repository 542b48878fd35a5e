"""Trees: parents centred over their children, folded if too wide for the page, built of rigid blocks. px."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, groupby, pairwise, zip_longest
from math import ceil, fsum, inf, log, sqrt
from typing import NamedTuple

from scenograph.engine.costs import CLEARANCE
from scenograph.engine.families.trunks import RAIL
from scenograph.engine.geometry.boxes import Point
from scenograph.engine.geometry.packing import shelves
from scenograph.engine.place.subgraph import LABEL_ENDS, Corners, Item, ItemLink, LayoutSettings, Subgraph, extent
from scenograph.late_dataclasses import replace

# Tidy trees: every parent in the middle over its children, subtrees as near as their outlines allow (Reingold and
# Tilford, "Tidier Drawings of Trees", 1981). Flow from top to bottom. In: a connected level whose links form a tree
# that points away from one root, or all towards it. Out: its corners and the rank of every item; children keep
# their order.


_Contour = list[tuple[float, float]]


class _Tree(NamedTuple):
    """A rooted tree of items. `downwards` names parents before their children; `links`: from the parents, by child.
    `upward`: the page is turned over for the layout."""

    items: Mapping[str, Item]
    children: Mapping[str, tuple[str, ...]]
    downwards: tuple[str, ...]
    links: Mapping[str, ItemLink]
    upward: bool = False


class Tidy(NamedTuple):
    """A tree laid out. `is_bushy`: it has more leaves than ranks, so no main path leads through it."""

    corners: Corners
    ranks: Mapping[str, int]
    is_bushy: bool


def is_tree(subgraph: Subgraph) -> bool:
    """Whether the links form a tree directed away from one root, or towards it. Tables refer to each other by rows, in
    no such direction."""
    if len(subgraph.links) != len(subgraph.items) - 1 or not subgraph.links:
        return False
    return _leads_down(subgraph) or (_leads_up(subgraph) and not any(link.source_row for link in subgraph.links))


def _leads_down(subgraph: Subgraph) -> bool:
    return len({link.target for link in subgraph.links}) == len(subgraph.links)


def _leads_up(subgraph: Subgraph) -> bool:
    return len({link.source for link in subgraph.links}) == len(subgraph.links)


def _turned_round(subgraph: Subgraph) -> Subgraph:
    """The level with its flow reversed."""
    links = tuple(link.turned() for link in subgraph.links)
    items = tuple(
        item._replace(outset=item.outset._replace(top=item.outset.bottom, bottom=item.outset.top))
        for item in subgraph.items
    )
    return replace(subgraph, items=items, links=links)


def _tree_of(subgraph: Subgraph) -> _Tree:
    """The tree of a level's links. Children are ordered by their hints, then by the rows of their parent, then as in
    the document."""
    upward = not _leads_down(subgraph)
    if upward:
        subgraph = _turned_round(subgraph)
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
    links = {link.target: link for link in subgraph.links}
    ordered = {parent: tuple(row) for parent, row in children.items()}
    return _Tree(items, ordered, tuple(downwards), links, upward)


def tidy(subgraph: Subgraph) -> Tidy:
    """The tidy layout of a tree level; the root of a tree directed towards it stands at the bottom."""
    tree, settings = _tree_of(subgraph), subgraph.settings
    ranks = _ranks(tree)
    xs = _middles(tree, settings.node_spacing)
    ys = _lines(tree, ranks, settings)
    corners = {
        item_id: Point(xs[item_id] - item.width / 2, ys[ranks[item_id]] - _above(item, settings))
        for item_id, item in tree.items.items()
    }
    deepest = max(ranks.values())
    is_bushy = sum(not children for children in tree.children.values()) > deepest + 1
    if tree.upward:
        return Tidy(_turned_over(tree, corners), {item_id: deepest - rank for item_id, rank in ranks.items()}, is_bushy)
    return Tidy(corners, ranks, is_bushy)


def _turned_over(tree: _Tree, corners: Corners, height: float = 0.0) -> Corners:
    """The corners with the page of a given height upside down."""
    return {
        item_id: Point(corners[item_id].x, height - corners[item_id].y - item.height)
        for item_id, item in tree.items.items()
    }


def _ranks(tree: _Tree) -> dict[str, int]:
    ranks = dict.fromkeys(tree.downwards[:1], 0)
    for parent in tree.downwards:
        ranks.update(dict.fromkeys(tree.children[parent], ranks[parent] + 1))
    return ranks


def _middles(tree: _Tree, gap: float) -> dict[str, float]:
    """The x of every item's middle, the root's being 0."""
    outlines: dict[str, _Contour] = {}
    offsets: dict[str, float] = {}
    for item_id in reversed(tree.downwards):
        children = tree.children[item_id]
        shifts, below = _side_by_side([outlines.pop(child) for child in children], gap)
        middle = (shifts[0] + shifts[-1]) / 2 if shifts else 0.0
        offsets.update({child: shift - middle for child, shift in zip(children, shifts, strict=True)})
        own = _half_width(tree.items[item_id], tree.links.get(item_id))
        outlines[item_id] = [(-own, own), *((left - middle, right - middle) for left, right in below)]
    xs = dict.fromkeys(tree.downwards[:1], 0.0)
    for parent in tree.downwards:
        xs.update({child: xs[parent] + offsets[child] for child in tree.children[parent]})
    return xs


def _half_width(item: Item, link: ItemLink | None) -> float:
    """Half of an item's room in its rank, including its outset and the label of the link above."""
    own = item.width / 2 + max(item.outset.left, item.outset.right)
    return own if link is None else max(own, link.label_width / 2)


def _side_by_side(outlines: Sequence[_Contour], gap: float) -> tuple[list[float], _Contour]:
    """The shifts of every subtree to the right of all predecessors, and the common contour."""
    shifts: list[float] = []
    joined: _Contour = []
    for outline in outlines:
        shared = zip(joined, outline, strict=False)
        shift = max((right + gap - left for (_, right), (left, _) in shared), default=0.0)
        moved = [(left + shift, right + shift) for left, right in outline]
        met = [(a[0], b[1]) for a, b in zip(joined, moved, strict=False)]
        joined = met + (joined[len(met) :] or moved[len(met) :])
        shifts.append(shift)
    return shifts, joined


def _above(item: Item, settings: LayoutSettings) -> float:
    """The part of an item above the line of its rank."""
    return 0.0 if settings.flush else item.height / 2


def _lines(tree: _Tree, ranks: Mapping[str, int], settings: LayoutSettings) -> list[float]:
    """The line of every rank, through the middles of its items or along their upper edges."""
    count = max(ranks.values()) + 1
    above, below, room = [0.0] * count, [0.0] * count, [settings.rank_spacing] * count
    for item_id, item in tree.items.items():
        rank, over = ranks[item_id], _above(item, settings)
        above[rank] = max(above[rank], item.outset.top + over)
        below[rank] = max(below[rank], item.outset.bottom + item.height - over)
    for link in tree.links.values():
        if link.label_height:
            room[ranks[link.source]] = max(room[ranks[link.source]], link.label_height + LABEL_ENDS)
    lines = [0.0]
    for rank in range(1, count):
        lines.append(lines[-1] + below[rank - 1] + room[rank - 1] + above[rank])
    return lines


# Items arranged rigidly: the pieces from which trees, stacks and pages of components are built. px. A block's
# corners are the top left corners of its items' boxes, relative to the block's own top left corner; its size covers
# the items with their outsets.


class Block(NamedTuple):
    """A rigid arrangement. `stem`: the x at which links from above should meet the block."""

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
    """The corners of all items in blocks at given points, computed on demand: a search joins blocks repeatedly and
    reads only the last result's corners."""

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


def paged(blocks: Sequence[Block], gap: float, aspect: float, *, stacked: bool = True) -> Block:
    """Blocks in rows, in order, near the aspect; low blocks `stacked` beside high blocks."""
    points = shelves([(block.width, block.height) for block in blocks], gap, aspect, stacked=stacked)
    placed = list(zip(blocks, points, strict=True))
    width = max((at.x + block.width for block, at in placed), default=0.0)
    height = max((at.y + block.height for block, at in placed), default=0.0)
    return Block(width, height, dict(Joined(placed)), width / 2)


# Trees that would be too wide for the page: leaves stacked under their parent, subtrees in rows on both sides of a
# trunk that runs down from their parent's middle. In: a connected level whose links form a tree pointing away from
# one root, flowing from top to bottom. Out: its corners.


STACK_FROM = 2  # leaves of a parent; from here on they become a stack
MIXED_FROM = 3  # leaves beside subtrees, or with lines that share no trunk; fewer stay in the row, in order
STACK_ROWS = 6  # leaves in a stack
STACK_HEIGHTS = (1.0, 1.35, 2.0, 0.65, 0.5)  # times the usual number of leaves in a stack, in the order of trying
NO_STACKS = (0.0,)  # sideways, leaves already form one list
STACK_GAP = 24.0  # px; between leaves of a stack: half of the spacing of nodes
INDENT = 40.0  # px; of a stack below its parent, room for the vertical line
BUS_ROOM = 2 * CLEARANCE + 2.0  # px; above several stacks, for a bus on half a pixel between
TRACK = 12.0  # px; between lines beside each other
WRAP_FROM = 4  # subtrees side by side; from here on they may be broken into rows
WRAP_ROWS = (2, 3, 4, 5, 6, 8, 10)  # rows of subtrees, the numbers tried
INNER_SHARES = (
    1.0,
    0.75,
    0.5,
    0.35,
)  # of the root's row, for rows further down: half of it lets two large subtrees stand abreast
MODEST = 1.75  # page widths; a row up to this width is kept, with its leaves stacked
WRAP_COST = 0.25  # of any folding: one row is what readers expect
FOLD_COST = 0.08  # of each family that is folded
ROW_COST = 0.05  # of each row more
LOPSIDED_COST = 0.25  # of a row on only one side of its trunk
STACK_COST = 0.005  # of each row of the highest stack
EVENING_STEPS = 16  # of halving, to find the width of rows
TALL = 3.0  # heights of the page that a list may be high
LEAST_MIDDLE = 3  # children; of fewer none stands below its parent
STRAIGHTENED = 64.0  # px; a child with a smaller offset is moved to the place below its parent
ALIGNED = 1.15  # the greatest widening of rows for common columns
ROUNDING = 1e-9  # px; keeps equal widths equal


class _Shape(NamedTuple):
    """What the search varies: the widths of a row of subtrees, the root's and all others', and the height of a stack of
    leaves, times the usual one (0: none). `track`: the room for each line without a trunk beside others."""

    row_width: float
    inner_width: float
    height: float
    gap: float
    rank_gap: float
    track: float = 0.0


class _Grown(NamedTuple):
    """A subtree with the cost of folding its own children."""

    block: Block
    price: float = 0.0


class _TrunkRow(NamedTuple):
    """A row of subtrees from the trunk outwards on either side; `middle` stands on the trunk itself."""

    left: Sequence[Block] = ()
    right: Sequence[Block] = ()
    middle: Block | None = None


def tree_on_page(subgraph: Subgraph) -> Block:
    """The tree in the best shape for the page; a draw goes to fewer rows and shorter stacks. Sideways flow has no
    stacks: wide cards beside each other are not read as a list."""
    tree, settings = _tree_of(subgraph), subgraph.settings
    best, least = single(tree.items[tree.downwards[0]]), inf
    for shape, twigs in _shapes(tree, settings):
        block, price = _grown(tree, shape, twigs)
        is_free = block.width <= settings.across and settings.cloud is None
        if least == inf and is_free and block.width <= MODEST * settings.page[0]:
            best = block
            break
        cost = _cost(block, wanted_aspect(settings)) + price
        if cost < least:
            best, least = block, cost
    return best._replace(corners=_turned_over(tree, best.corners, best.height)) if tree.upward else best


def wanted_aspect(settings: LayoutSettings) -> float:
    """Width to height, for downward flow; a tree with sideways flow may be a tall list on its page."""
    return settings.aspect * (TALL if settings.sideways else 1.0)


def _shapes(tree: _Tree, settings: LayoutSettings) -> Iterator[tuple[_Shape, Mapping[str, _Grown]]]:
    """All candidate shapes, plainest first, with the subtrees common to all shapes of one stack height."""
    gaps = settings.node_spacing, settings.rank_spacing
    for height in NO_STACKS if settings.sideways else STACK_HEIGHTS:
        plain = _Shape(inf, inf, height, *gaps)
        twigs = _twigs(tree, plain)
        yield plain, twigs
        widest = _grown(tree, plain, twigs)[0].width
        for rows in WRAP_ROWS:
            for share in INNER_SHARES:
                yield _Shape(widest / rows, share * widest / rows, height, *gaps), twigs


def _twigs(tree: _Tree, shape: _Shape) -> dict[str, _Grown]:
    """The leaves, and the parents of stacks, unchanged by any width."""
    twigs = {item_id: _Grown(single(tree.items[item_id])) for item_id in tree.downwards if not tree.children[item_id]}
    for item_id in tree.downwards:
        children = tree.children[item_id]
        least = MIXED_FROM if _alone(tree, children) else STACK_FROM
        if shape.height and len(children) >= least and not any(tree.children[child] for child in children):
            twigs[item_id] = _Grown(_hung(single(tree.items[item_id]), _stack(tree, children, shape)))
    return twigs


def _cost(block: Block, aspect: float) -> float:
    return abs(log(block.width / block.height / aspect)) + 0.5 * log(block.width * block.height)


def _grown(tree: _Tree, shape: _Shape, twigs: Mapping[str, _Grown]) -> tuple[Block, float]:
    """The tree with rows and stacks in a shape, and the cost of its foldings."""
    grown = dict(twigs)
    inner = shape._replace(row_width=shape.inner_width)
    branching = [item_id for item_id in reversed(tree.downwards) if item_id not in twigs]
    for item_id in branching:
        grown[item_id] = _with_children(tree, item_id, grown, shape if item_id == tree.downwards[0] else inner)
    foldings = fsum(grown[item_id].price for item_id in branching)
    price = STACK_COST * STACK_ROWS * shape.height + foldings
    return grown[tree.downwards[0]].block, price + (WRAP_COST if foldings else 0.0)


def _with_children(tree: _Tree, item_id: str, grown: Mapping[str, _Grown], shape: _Shape) -> _Grown:
    head, children = single(tree.items[item_id]), tree.children[item_id]
    alone = _alone(tree, children)
    label = max(tree.links[child].label_height for child in children)
    gap = label + LABEL_ENDS + (0.0 if alone else 2 * CLEARANCE) if label else 0.0  # beside the bus of a trunk
    shape = shape._replace(rank_gap=max(shape.rank_gap, gap), track=TRACK if alone else 0.0)
    row: list[Block] = []
    for has_reports, run in groupby(children, key=lambda child: bool(tree.children[child])):
        names = list(run)
        is_stack = shape.height and not has_reports and len(names) >= MIXED_FROM
        row += [_stack(tree, names, shape).block] if is_stack else [grown[child].block for child in names]
    under, price = _rows(row, shape)
    return _Grown(_headed(head, under, shape.rank_gap), price)


class _Stack(NamedTuple):
    """Leaves in columns, with room for lines beside each. `middle`: of several columns with lines without a trunk;
    `above`: the room for such lines above the columns."""

    block: Block
    middle: float | None = None
    above: float = 0.0


def _stack(tree: _Tree, leaves: Sequence[str], shape: _Shape) -> _Stack:
    """Leaves one below another, in as few columns as stay readable."""
    usual = max(STACK_ROWS, ceil(sqrt(2 * len(leaves))))
    columns = ceil(len(leaves) / max(1, round(shape.height * usual)))
    rows = ceil(len(leaves) / columns)
    alone = _alone(tree, leaves)
    rails = [_rail(tree, leaves[start : start + rows]) for start in range(0, len(leaves), rows)]
    if alone and columns == 2:  # both are reached from between them
        rails = [0.0, fsum(rails) + TRACK - 2 * CLEARANCE]
    placed: list[tuple[Block, Point]] = []
    x = height = 0.0
    for start, rail in zip(range(0, len(leaves), rows), rails, strict=True):
        column, y = leaves[start : start + rows], 0.0
        x += max(rail, shape.gap if placed else 0.0)
        items = [tree.items[leaf] for leaf in column]
        x += max(item.outset.left for item in items)
        for item in reversed(items) if tree.upward else items:  # read from the top of the page
            placed.append((single(item), Point(x - item.outset.left, y)))
            y += item.whole_height + STACK_GAP
        height = max(height, y - STACK_GAP)
        x += max(item.width + item.outset.right for item in items)
    block = Block(x, height, Joined(placed), 0.0)
    if not alone:
        return _Stack(block, above=BUS_ROOM - STACK_GAP if columns > 1 else 0.0)
    if columns == 1:
        return _Stack(block)
    beyond = max(0, len(alone) - 2 * rows) / 2  # on either side of the parent: the nearest columns are reached straight
    label = max(link.label_height for link in alone)
    middle = (rails[0] + x) / 2
    return _Stack(block, middle, TRACK * beyond + (label + LABEL_ENDS if label else 0.0))


def _alone(tree: _Tree, leaves: Sequence[str]) -> list[ItemLink]:
    """The lines to leaves without a trunk."""
    return [link for leaf in leaves if not (link := tree.links[leaf]).joined]


def _rail(tree: _Tree, leaves: Sequence[str]) -> float:
    """The room left of a column of leaves: for a trunk, or for all lines side by side, and for the longest label."""
    alone = _alone(tree, leaves)
    label = max(tree.links[leaf].label_width for leaf in leaves)
    lines = 2 * CLEARANCE + TRACK * (max(1, len(alone)) - 1) if alone or label else RAIL
    return lines + (label + LABEL_ENDS if label else 0.0)


def _hung(head: Block, stack: _Stack) -> Block:
    """A stack below the parent, with a free side for an edge down; in the middle above several columns without a common
    trunk."""
    block, middle, above = stack
    y, indent = head.height + STACK_GAP + above, INDENT - RAIL
    aside = 0.0 if middle is None else max(0.0, indent + middle - head.stem)
    placed = [(head, Point(aside, 0.0)), (block, Point(indent, y))]
    width = max(aside + head.width, indent + block.width)
    return Block(width, y + block.height, Joined(placed), aside + head.stem)


def _rows(blocks: Sequence[Block], shape: _Shape) -> _Grown:
    """Subtrees side by side, broken into rows beyond the row width."""
    widths = [block.width for block in blocks]
    limit = max(shape.row_width + ROUNDING, *widths)
    count = len(_broken(widths, limit, shape.gap))
    if count == 1 or len(blocks) < WRAP_FROM:
        return _Grown(_row(blocks, shape.gap))
    ends = accumulate(len(row) for row in _evenly_broken(widths, limit, shape.gap))
    rows = [blocks[start:end] for start, end in pairwise([0, *ends])]
    lines = [_divided(row, is_last=row is rows[-1]) for row in rows]
    lopsided = sum(not line.left or not line.right for line in lines if line.middle is None)
    return _Grown(_on_trunk(lines, shape), ROW_COST * (count - 1) + FOLD_COST + LOPSIDED_COST * lopsided)


def _broken(widths: Sequence[float], limit: float, gap: float) -> list[list[float]]:
    """As much in every row as the limit lets in."""
    rows: list[list[float]] = [[]]
    filled = 0.0
    for width in widths:
        if rows[-1] and filled + width > limit:
            rows.append([])
            filled = 0.0
        rows[-1].append(width)
        filled += width + gap
    return rows


def _evenly_broken(widths: Sequence[float], limit: float, gap: float) -> list[list[float]]:
    """As few rows, but about equally wide."""
    count, low, high = len(_broken(widths, limit, gap)), max(widths), limit
    for _ in range(EVENING_STEPS):
        middle = (low + high) / 2
        fits = len(_broken(widths, middle, gap)) <= count
        low, high = (low, middle) if fits else (middle, high)
    return _broken(widths, high, gap)


def _divided(row: Sequence[Block], *, is_last: bool) -> _TrunkRow:
    """A row divided into sides of about equal width; a single block in the last row stands below the trunk."""
    if is_last and len(row) == 1:
        return _TrunkRow(middle=row[0])
    widths = [block.width for block in row]
    middle = bisect_left(list(accumulate(widths)), fsum(widths) / 2)
    near = range(max(0, middle - 1), min(len(row), middle + 2) + 1)
    cut = min(near, key=lambda at: abs(fsum(widths[:at]) - fsum(widths[at:])))
    return _TrunkRow(left=row[:cut][::-1], right=row[cut:])


def _on_trunk(lines: Sequence[_TrunkRow], shape: _Shape) -> Block:
    """Rows one below another, the trunk between their sides; the stem is the trunk's x."""
    aside = shape.track * sum(len(line.left) + len(line.right) for line in lines[1:]) / 2
    left = _places([line.left for line in lines], shape.gap)
    right = _places([line.right for line in lines], shape.gap)
    placed: list[tuple[Block, Point]] = []
    y = 0.0
    for number, line in enumerate(lines):
        y += shape.track * max(0, len(line.left) - 1, len(line.right) - 1)
        for block, x in zip(line.left, left[number], strict=True):
            placed.append((block, Point(-aside - x - block.width, y)))
        for block, x in zip(line.right, right[number], strict=True):
            placed.append((block, Point(aside + x, y)))
        if line.middle is not None:
            placed.append((line.middle, Point(-line.middle.stem, y)))
        row = [*line.left, *line.right, *([line.middle] if line.middle else [])]
        y += max(block.height for block in row) + shape.rank_gap
    begin = min(at.x for _, at in placed)
    end = max(at.x + block.width for block, at in placed)
    moved = [(block, Point(at.x - begin, at.y)) for block, at in placed]
    return Block(end - begin, y - shape.rank_gap, Joined(moved), -begin)


def _places(sides: Sequence[Sequence[Block]], gap: float) -> list[list[float]]:
    """The distance of each block's start from the trunk, by row: in common columns if this costs little room."""
    near = [_begins([block.width for block in side], gap) for side in sides]
    columns = [max(widths) for widths in zip_longest(*([b.width for b in side] for side in sides), fillvalue=0.0)]
    common = _begins(columns, gap)
    widest = max((begins[-1] + side[-1].width for begins, side in zip(near, sides, strict=True) if side), default=0.0)
    if columns and common[-1] + columns[-1] <= ALIGNED * widest:
        return [common[: len(side)] for side in sides]
    return near


def _begins(widths: Iterable[float], gap: float) -> list[float]:
    found: list[float] = []
    x = gap / 2
    for width in widths:
        found.append(x)
        x += width + gap
    return found


def _row(blocks: Sequence[Block], gap: float) -> Block:
    xs = _begins([block.width for block in blocks], gap)
    stems = [x + block.stem for x, block in zip(xs, blocks, strict=True)]
    center = (stems[0] + stems[-1]) / 2
    middle = min(range(len(blocks)), key=lambda number: abs(stems[number] - center))
    aside = stems[middle] - center
    if len(blocks) >= LEAST_MIDDLE and 0 < abs(aside) <= STRAIGHTENED:
        pushed = middle + 1 if aside > 0 else middle
        xs = [x + 2 * abs(aside) if number >= pushed else x for number, x in enumerate(xs)]
    placed = [(block, Point(x - xs[0], 0.0)) for block, x in zip(blocks, xs, strict=True)]
    stem = (blocks[0].stem + placed[-1][1].x + blocks[-1].stem) / 2
    width = placed[-1][1].x + blocks[-1].width
    return Block(width, max(block.height for block in blocks), Joined(placed), stem)


def _headed(head: Block, row: Block, gap: float) -> Block:
    """A parent centred over its children."""
    left = row.stem - head.stem
    shift = max(0.0, -left)
    placed = [(head, Point(left + shift, 0.0)), (row, Point(shift, head.height + gap))]
    width = max(left + shift + head.width, shift + row.width)
    return Block(width, head.height + gap + row.height, Joined(placed), left + shift + head.stem)
