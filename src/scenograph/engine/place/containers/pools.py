"""Pools: lanes without positions are stacked, and lanes with fixed content are set round it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from itertools import accumulate, groupby, pairwise
from math import ceil, floor, fsum, inf
from statistics import median
from typing import NamedTuple, TypeVar

from scenograph.engine.geometry.boxes import Box, Outset, Point, union
from scenograph.engine.geometry.packing import Occupied
from scenograph.engine.place.containers.frames import (
    HEADER,
    LEAST_POOL,
    PADDING,
    UPRIGHT_LANES,
    area_in,
    lane_inset,
    title_room,
)
from scenograph.engine.place.inventory import Inventory, Unit, boxes_of
from scenograph.engine.place.layered.ranking import longest_path_ranks, reaches, without_cycles
from scenograph.engine.place.subgraph import LABEL_ENDS, LayoutSettings
from scenograph.late_dataclasses import dataclass, replace
from scenograph.scene.model import Frame

# Pools whose lanes are columns are laid out as rows: x and y are exchanged on the way in and out. px.


T = TypeVar("T", Box, Outset)


def as_rows(shape: T, *, upright: bool) -> T:
    """A box or an outset of an upright pool transposed to a row, or back; of other pools unchanged."""
    return shape.transposed if upright else shape


# The cells of swimlanes: a column for each step of the flow, shared by all pools; tracks within each lane.
# Coordinates here are `along` the flow and `across` the lanes, whichever way these lie on the page. In: pieces with
# their lane, arcs between them. Out: the middle of every piece, and how much room each lane needs.


FOLD_ROOM = 24.0  # px more between the rows of a folded flow, for the lines from row to row
MAX_CHECKED_MESSAGES = 200  # messages; bounds the time of large pools


class LanePiece(NamedTuple):
    """A box with outsets, as distances from the middle, px."""

    lane: int
    pool: int
    before: float
    after: float
    above: float
    below: float


class PieceLink(NamedTuple):
    """A link between two pieces by index. `label` and `breadth`: the room for its label along and across the flow, px;
    `aside`: the offset of its start across the flow, from its source's middle."""

    source: int
    target: int
    label: float = 0.0
    breadth: float = 0.0
    aside: float = 0.0


class LaneGaps(NamedTuple):
    """Least room between columns and between tracks, and the length of a flow that is not folded, px."""

    along: float
    across: float
    limit: float = inf


class Cells(NamedTuple):
    """The middles of the pieces: along the flow from the first column's start, across from the lane's first track.
    `length` is all columns' together, `needs` the room of each lane's tracks."""

    along: tuple[float, ...]
    across: tuple[float, ...]
    length: float
    needs: tuple[float, ...]


def swim(pieces: Sequence[LanePiece], flows: Sequence[PieceLink], lanes: int, gaps: LaneGaps) -> Cells:
    """Columns by longest paths (a message may stay in its column), and tracks with the main flow straight. Beyond the
    limit the columns are folded: every lane then has a row of tracks for each part of the flow."""
    columns = _columns(pieces, flows)
    middles, length = _column_middles(pieces, flows, columns, gaps.along)
    rows, middles, length = _in_rows(pieces, columns, middles, length, gaps.limit)
    across, lengths = [0.0] * len(pieces), _lengths(pieces, flows, columns)
    needs: list[float] = []
    for lane in range(lanes):
        end = 0.0
        for row in sorted({rows[columns[i]] for i, piece in enumerate(pieces) if piece.lane == lane}):
            members = [i for i, piece in enumerate(pieces) if piece.lane == lane and rows[columns[i]] == row]
            tracks = _tracks(members, flows, columns, lengths)
            start = end + gaps.across + FOLD_ROOM if end else 0.0
            reaches = _label_reaches(pieces, flows, tracks)
            end = start + _stack_tracks(pieces, tracks, gaps.across, across, reaches)
            for member in members if start else ():
                across[member] += start
        needs.append(end)
    return Cells(tuple(middles[column] for column in columns), tuple(across), length, tuple(needs))


def _in_rows(
    pieces: Sequence[LanePiece], columns: Sequence[int], middles: Sequence[float], length: float, limit: float
) -> tuple[list[int], list[float], float]:
    """The row of each column, the middles within the rows, and the length of the longest row."""
    count = round(length / limit) if limit < inf else 1
    if count < 2:
        return [0] * len(middles), list(middles), length
    before, after = [0.0] * len(middles), [0.0] * len(middles)
    for piece, column in zip(pieces, columns, strict=True):
        before[column], after[column] = max(before[column], piece.before), max(after[column], piece.after)
    rows = [min(count - 1, int(middle / length * count)) for middle in middles]
    starts: dict[int, float] = {}
    for column, row in enumerate(rows):
        starts.setdefault(row, middles[column] - before[column])
    folded = [middle - starts[row] for middle, row in zip(middles, rows, strict=True)]
    return rows, folded, max(middle + after[column] for column, middle in enumerate(folded))


def _columns(pieces: Sequence[LanePiece], flows: Sequence[PieceLink]) -> list[int]:
    count = len(pieces)
    inside = [(f.source, f.target) for f in flows if pieces[f.source].pool == pieces[f.target].pool]
    arcs = without_cycles(count, inside)
    steps = [1] * len(arcs)
    messages = [(f.source, f.target) for f in flows if pieces[f.source].pool != pieces[f.target].pool]
    for source, target in messages[:MAX_CHECKED_MESSAGES]:
        if not reaches(count, arcs, target, source):
            arcs.append((source, target))
            steps.append(0)
    ranks = longest_path_ranks(count, arcs, steps)
    places = {rank: column for column, rank in enumerate(sorted(set(ranks)))}
    return [places[rank] for rank in ranks]


def _column_middles(
    pieces: Sequence[LanePiece], flows: Sequence[PieceLink], columns: Sequence[int], gap: float
) -> tuple[list[float], float]:
    count = max(columns, default=-1) + 1
    before, after, label = [0.0] * count, [0.0] * count, [0.0] * count
    for piece, column in zip(pieces, columns, strict=True):
        before[column] = max(before[column], piece.before)
        after[column] = max(after[column], piece.after)
    for flow in flows:
        first, last = sorted((columns[flow.source], columns[flow.target]))
        if last > first:
            label[first] = max(label[first], flow.label)
    middles: list[float] = []
    end = 0.0
    for column in range(count):
        start = end + max(gap, label[column - 1]) if column else 0.0
        middles.append(start + before[column])
        end = start + before[column] + after[column]
    return middles, end


def _tracks(
    members: Sequence[int], flows: Sequence[PieceLink], columns: Sequence[int], lengths: Sequence[int]
) -> dict[int, int]:
    """A track for each member of a lane: its predecessor's track if free all the way, else the nearest free track. The
    member with the longest path ahead keeps its predecessor's track; members at an offset from the predecessor's middle
    come afterwards, on the offset's side."""
    inside = set(members)
    sources: dict[int, list[int]] = {member: [] for member in members}
    asides: dict[int, float] = {}
    for flow in flows:
        for here, other in ((flow.source, flow.target), (flow.target, flow.source)):
            if here in inside and other in inside and columns[other] < columns[here]:
                sources[here].append(other)
                straight = asides.get(here, flow.aside)
                asides[here] = min(straight, flow.aside, key=abs)
    branches = {member for member, aside in asides.items() if aside}
    heirs = _heirs(sources, columns, lengths, branches)
    taken: dict[tuple[int, int], int] = {}
    tracks: dict[int, int] = {}
    for member in sorted(members, key=lambda one: (columns[one], one in branches, one)):
        column = columns[member]
        nearest = max(sources[member], key=lambda one: (columns[one], -abs(tracks[one])), default=None)
        wish = 0 if nearest is None else tracks[nearest]
        way = range(column if nearest is None else columns[nearest] + 1, column + 1)
        aside = asides.get(member, 0.0)
        wish += (aside > 0) - (aside < 0)
        track = tracks[member] = _free_track(member, wish, way, taken, len(members))
        taken |= {(track, cell): member for cell in way}
        heir = heirs.get(member)
        if heir is not None:
            taken |= {(track, cell): heir for cell in range(column + 1, columns[heir] + 1)}
    return tracks


def _heirs(
    sources: Mapping[int, Sequence[int]], columns: Sequence[int], lengths: Sequence[int], branches: Set[int]
) -> dict[int, int]:
    """The successor of each piece with the longest path ahead; the first among equals, never a branch."""
    heirs: dict[int, int] = {}
    for member, before in sources.items():
        if member in branches:
            continue
        nearest = max(before, key=lambda one: columns[one], default=None)
        if nearest is not None and lengths[member] > lengths[heirs.get(nearest, member)] - (nearest not in heirs):
            heirs[nearest] = member
    return heirs


def _lengths(pieces: Sequence[LanePiece], flows: Sequence[PieceLink], columns: Sequence[int]) -> list[int]:
    """The number of steps on the longest path from each piece within its pool."""
    after: list[list[int]] = [[] for _ in pieces]
    for flow in flows:
        if pieces[flow.source].pool == pieces[flow.target].pool and columns[flow.source] < columns[flow.target]:
            after[flow.source].append(flow.target)
    lengths = [0] * len(pieces)
    for piece in sorted(range(len(pieces)), key=lambda one: -columns[one]):
        lengths[piece] = 1 + max((lengths[one] for one in after[piece]), default=-1)
    return lengths


def _free_track(member: int, wish: int, way: range, taken: Mapping[tuple[int, int], int], most: int) -> int:
    """The track nearest to the wish that is free, or the member's own, below before above; if no track is free all the
    way, only the last cell counts. `taken`: the owner of each cell."""
    for cells in (way, way[-1:]):
        for away in range(most + 1):
            for track in (wish + away, wish - away):
                if all(taken.get((track, column), member) == member for column in cells):
                    return track
    return wish + most + 1


def _label_reaches(
    pieces: Sequence[LanePiece], flows: Sequence[PieceLink], tracks: Mapping[int, int]
) -> dict[int, float]:
    """By track: the reach of its flows' labels on either side of its middle. A label is centred on its segment. Two
    parallel edges run apart, near the sides of the narrower piece; if their labels would meet, the shorter label goes
    beside its edge."""
    pairs: dict[tuple[int, int], list[float]] = {}
    for flow in flows:
        if flow.breadth and flow.source in tracks and tracks[flow.source] == tracks.get(flow.target):
            first, second = sorted((flow.source, flow.target))
            pairs.setdefault((first, second), []).append(flow.breadth)
    reaches: dict[int, float] = {}
    for pair, breadths in pairs.items():
        longest, *others = sorted(breadths, reverse=True)
        apart = min((pieces[end].above + pieces[end].below) / 2 for end in pair) if others else 0.0
        track = tracks[pair[0]]
        reaches[track] = max(reaches.get(track, 0.0), apart + max(longest / 2, *others, 0.0))
    return reaches


def _stack_tracks(
    pieces: Sequence[LanePiece],
    tracks: Mapping[int, int],
    gap: float,
    across: list[float],
    reaches: Mapping[int, float],
) -> float:
    """Write the middles across the lane, and return the room taken by its tracks. `reaches`: the reach of labels on
    either side of each track."""
    end = 0.0
    for number, track in enumerate(sorted(set(tracks.values()))):
        members = [member for member, own in tracks.items() if own == track]
        reach = reaches.get(track, 0.0)
        above = max(reach, *(pieces[member].above for member in members))
        below = max(reach, *(pieces[member].below for member in members))
        start = end + gap if number else 0.0
        for member in members:
            across[member] = start + above
        end = start + above + below
    return end


def shared(total: float, needs: Sequence[float]) -> list[float]:
    """A `total` divided equally, no share below its need; the needs alone if their sum exceeds the total."""
    shares = [0.0] * len(needs)
    open_ends = list(range(len(needs)))
    left = max(total, fsum(needs))
    while open_ends:
        level = left / len(open_ends)
        greedy = [i for i in open_ends if needs[i] > level]
        if not greedy:
            for i in open_ends:
                shares[i] = level
            break
        for i in greedy:
            shares[i] = needs[i]
            left -= needs[i]
        open_ends = [i for i in open_ends if i not in greedy]
    return shares


# Pools whose lanes have no positions: stacked, equally long, their lanes sharing the columns of one flow.
#
# Lanes are rows if the pool's `laneDirection` is horizontal (flow left to right) and columns if vertical (flow top to
# bottom). Rules R-POOL-1, R-POOL-3.


COLUMN_SHARE = 0.75  # columns of a flow stand closer than ranks
TRACK_SHARE = 2 / 3  # of the node spacing; between lines of one lane


@dataclass(frozen=True, slots=True)
class Lane:
    """An undivided lane with its content. `id` is None for content of a pool itself, or of a divided lane: a band of
    its own, because inside a lane the content would seem to belong there. `above`: the enclosing lanes, outermost
    first."""

    id: str | None
    units: tuple[Unit, ...]
    above: tuple[str, ...] = ()

    @property
    def path(self) -> tuple[str, ...]:
        """The enclosing lanes, then the lane itself."""
        return self.above if self.id is None else (*self.above, self.id)


@dataclass(frozen=True, slots=True)
class Pool:
    """A pool with lanes in order, at least a single lane."""

    id: str
    lanes: tuple[Lane, ...]


@dataclass(frozen=True, slots=True)
class Yard:
    """Pools in the same orientation. `upright`: lanes are columns, the flow runs down. `around`: boxes, outsets
    included, already placed outside these pools."""

    pools: tuple[Pool, ...]
    upright: bool
    around: tuple[Box, ...] = ()

    @property
    def lanes(self) -> list[Lane]:
        """All lanes, pool after pool."""
        return [lane for pool in self.pools for lane in pool.lanes]

    @property
    def units(self) -> list[Unit]:
        """All pieces, lane after lane."""
        return [unit for lane in self.lanes for unit in lane.units]


class Band(NamedTuple):
    """A lane (None: the content beside lanes) with its enclosing lanes and its span across the flow."""

    lane: str | None
    above: tuple[str, ...]
    top: float
    bottom: float


def tiles(bands: Sequence[Band], low: float, high: float) -> dict[str, Box]:
    """The boxes of all lanes of pools with lanes as rows, from `low` to `high`. A divided lane has its header before
    its sublanes, and spans all of them."""
    found: dict[str, Box] = {}
    for lane, above, top, bottom in bands:
        for depth, one in enumerate(above):
            box = Box(low + depth * HEADER, top, high - low - depth * HEADER, bottom - top)
            found[one] = union((found[one], box)) or box if one in found else box
        if lane is not None:
            left = low + len(above) * HEADER
            found[lane] = Box(left, top, high - left, bottom - top)
    return found


@dataclass(frozen=True, slots=True)
class _LaneDepth:
    """The start and the depth of a pool or lane across the flow."""

    across: float
    depth: float


def _stacked_pools(inventory: Inventory, yard: Yard, settings: LayoutSettings, given: Box | None = None) -> Unit:
    """All pools with their content as one unit, named after the first pool. Its corner is (0, 0). `given`: the box of a
    single pool placed by its author, 0 for an open side; a given side is kept even if the content needs more."""
    pieces = _pieces(yard)
    gaps = LaneGaps(settings.rank_spacing * COLUMN_SHARE, settings.node_spacing * TRACK_SHARE, settings.fold)
    cells = swim(pieces, _flows(inventory, yard), len(yard.lanes), gaps)
    insets = [inset_as_row(inventory, lane.id, lane.above, upright=yard.upright) for lane in yard.lanes]
    start = HEADER + max((inset.left for inset in insets), default=PADDING)
    end = max((inset.right for inset in insets), default=PADDING)
    wanted = [_wanted(inventory, pool.id, yard) if given is None else _sides(given, yard) for pool in yard.pools]
    length = max(along for along, _ in wanted)
    if given is None or length <= 0:
        titles = _titles_length(inventory, yard.pools, upright=yard.upright)
        length = max(length, start + cells.length + end, LEAST_POOL[0], titles)
    needs = [need + inset.top + inset.bottom for need, inset in zip(cells.needs, insets, strict=True)]
    needs = _with_titles(inventory, yard, needs)
    depths = _depths(yard, needs, [across for _, across in wanted], given=given is not None)
    pool_bands, lane_bands = _bands(yard, depths, settings.rank_spacing)
    boxes = {pool.id: _box(0.0, length, band, yard) for pool, band in zip(yard.pools, pool_bands, strict=True)}
    spans = [
        Band(lane.id, lane.above, band.across, band.across + band.depth)
        for lane, band in zip(yard.lanes, lane_bands, strict=True)
    ]
    boxes |= {one: as_rows(box, upright=yard.upright) for one, box in tiles(spans, HEADER, length).items()}
    if given is None:
        boxes = {element_id: _on_pixels(box) for element_id, box in boxes.items()}
    firsts = [
        band.across + inset.top + (band.depth - need - inset.top - inset.bottom) / 2
        for band, inset, need in zip(lane_bands, insets, cells.needs, strict=True)
    ]
    moved = [
        _moved_to(unit, start + along, firsts[piece.lane] + across, yard)
        for unit, piece, along, across in zip(yard.units, pieces, cells.along, cells.across, strict=True)
    ]
    core = union(boxes.values()) or Box(0.0, 0.0, 0.0, 0.0)
    whole = union([core, *(unit.whole for unit in moved)]) or core
    return Unit(yard.pools[0].id, core, whole, {**boxes, **boxes_of(moved)}, (whole,))


def _titles_length(inventory: Inventory, pools: Sequence[Pool], *, upright: bool) -> float:
    """The least length of pools, their headers included, for the titles along the flow, px."""
    lanes = [(one, depth + 1) for pool in pools for lane in pool.lanes for depth, one in enumerate(lane.path)]
    rooms = [(pool.id, 0) for pool in pools] + lanes
    return max(HEADER * headers + title_room(inventory, one, upright=upright)[0] for one, headers in rooms)


def _with_titles(inventory: Inventory, yard: Yard, needs: Sequence[float]) -> list[float]:
    """The depths of all lanes with room for the titles across: of lanes, and of all pools and lanes around."""

    def grown(one: str | None, depths: Sequence[float]) -> Sequence[float]:
        room = 0.0 if one is None else title_room(inventory, one, upright=yard.upright)[1]
        return shared(ceil(room), depths) if fsum(depths) < room else depths

    return grown_for_titles(needs, [(pool.id, *lane.path) for pool in yard.pools for lane in pool.lanes], grown)


def grown_for_titles(
    depths: Sequence[float],
    paths: Sequence[Sequence[str | None]],
    grown: Callable[[str | None, Sequence[float]], Sequence[float]],
) -> list[float]:
    """The depths of rows with room for the titles of all that holds them, inner before outer. `paths`: the pool and
    the lanes around each row. `grown`: new depths for the rows of a pool or lane."""
    found = list(depths)
    held = {one: [number for number, path in enumerate(paths) if one in path] for path in paths for one in path}
    for one, numbers in sorted(held.items(), key=lambda item: len(item[1])):
        for number, depth in zip(numbers, grown(one, [found[number] for number in numbers]), strict=True):
            found[number] = depth
    return found


def inset_as_row(inventory: Inventory, lane: str | None, above: Sequence[str], *, upright: bool) -> Outset:
    """The inset of a lane as a row, including the headers of its enclosing lanes."""
    inset = as_rows(lane_inset(inventory, lane), upright=upright)
    return inset._replace(left=inset.left + len(above) * HEADER)


def is_upright(inventory: Inventory, pool: str) -> bool:
    """Whether the lanes of a pool are columns."""
    element = inventory.elements[pool]
    return isinstance(element, Frame) and element.lane_direction == UPRIGHT_LANES


def _pieces(yard: Yard) -> list[LanePiece]:
    rows = [(owner, lane) for owner, pool in enumerate(yard.pools) for lane in pool.lanes]
    return [_piece(unit, number, owner, yard) for number, (owner, lane) in enumerate(rows) for unit in lane.units]


def _piece(unit: Unit, lane: int, pool: int, yard: Yard) -> LanePiece:
    middle, whole = unit.core.center, unit.whole
    sides = (middle.x - whole.x, whole.right - middle.x, middle.y - whole.y, whole.bottom - middle.y)
    left, right, above, below = sides
    return (
        LanePiece(lane, pool, above, below, left, right)
        if yard.upright
        else LanePiece(lane, pool, left, right, above, below)
    )


def _flows(inventory: Inventory, yard: Yard) -> list[PieceLink]:
    owner = {element_id: number for number, unit in enumerate(yard.units) for element_id in unit.boxes}
    flows: list[PieceLink] = []
    for tie in inventory.ties:
        source, target = owner.get(tie.source), owner.get(tie.target)
        if source is not None and target is not None and source != target:
            sizes = (tie.label_height, tie.label_width)
            label, breadth = sizes if yard.upright else sizes[::-1]
            aside = 0.0 if yard.upright else tie.source_row
            flows.append(PieceLink(source, target, label + LABEL_ENDS if label else 0.0, breadth, aside))
    return flows


def _depths(yard: Yard, needs: Sequence[float], wanted: Sequence[float], *, given: bool) -> list[list[float]]:
    """The depth of every lane, pool by pool (R-POOL-3)."""
    depths: list[list[float]] = []
    for pool, depth in zip(yard.pools, wanted, strict=True):
        first = sum(len(row) for row in depths)
        mine = needs[first : first + len(pool.lanes)]
        if given and 0 < depth < fsum(mine):
            mine = [need * depth / fsum(mine) for need in mine]
        depths.append(shared(max(depth, 0.0 if given and depth else LEAST_POOL[1]), mine))
    return depths


def _bands(yard: Yard, depths: Sequence[Sequence[float]], gap: float) -> tuple[list[_LaneDepth], list[_LaneDepth]]:
    """The bands of all pools, one after another, and of all their lanes."""
    pools: list[_LaneDepth] = []
    lanes: list[_LaneDepth] = []
    across = 0.0
    for _, row in zip(yard.pools, depths, strict=True):
        starts = accumulate(row, initial=across)
        lanes += [_LaneDepth(start, depth) for start, depth in zip(starts, row, strict=False)]
        pools.append(_LaneDepth(across, fsum(row)))
        across += fsum(row) + gap
    return pools, lanes


def _wanted(inventory: Inventory, pool: str, yard: Yard) -> tuple[float, float]:
    """The author's length and depth of a pool; 0 if open. The length includes the header."""
    layout = inventory.elements[pool].layout
    along, across = (layout.height, layout.width) if yard.upright else (layout.width, layout.height)
    return along or 0.0, across or 0.0


def _sides(given: Box, yard: Yard) -> tuple[float, float]:
    return (given.height, given.width) if yard.upright else (given.width, given.height)


def _box(along: float, length: float, band: _LaneDepth, yard: Yard) -> Box:
    if yard.upright:
        return Box(band.across, along, band.depth, length)
    return Box(along, band.across, length, band.depth)


def _on_pixels(box: Box) -> Box:
    left, top, right, bottom = (floor(side + 0.5) for side in (box.x, box.y, box.right, box.bottom))
    return Box(left, top, right - left, bottom - top)


def _moved_to(unit: Unit, along: float, across: float, yard: Yard) -> Unit:
    along, across = floor(along + 0.5), floor(across + 0.5)
    x, y = (across, along) if yard.upright else (along, across)
    return unit.moved(x - unit.core.center.x, y - unit.core.center.y)


# The order of stacked pools: pools that exchange messages stand beside each other. In: pools in document order, the
# edges. Out: the same pools. Promises: document order stays unless another order leads messages past fewer pools; among
# equal orders, one near the document's.


MAX_ORDERED = 24  # pools; more keep the order of the document
MAX_ROUNDS = 24  # of moving one pool

Messages = Mapping[tuple[int, int], int]


def _neighbourly(inventory: Inventory, pools: Sequence[Pool]) -> tuple[Pool, ...]:
    """The pools, moved one at a time to the place at which messages pass the fewest pools, until nothing improves."""
    messages = _messages(inventory, pools)
    order = list(range(len(pools)))
    if not 2 < len(pools) <= MAX_ORDERED:
        return tuple(pools)
    for _ in range(MAX_ROUNDS):
        best = min(_neighbours(order), key=lambda one: (_passed(one, messages), _inversions(one)))
        if _passed(best, messages) >= _passed(order, messages):
            break
        order = best
    return tuple(pools[number] for number in order)


def _messages(inventory: Inventory, pools: Sequence[Pool]) -> Messages:
    """How many ties join each two pools, by their numbers."""
    number = {pool.id: place for place, pool in enumerate(pools)}
    home = {one: number[up] for one in inventory.elements for up in (one, *inventory.ancestors(one)) if up in number}
    found = Counter[tuple[int, int]]()
    for tie in inventory.ties:
        first, second = home.get(tie.source), home.get(tie.target)
        if first is not None and second is not None and first != second:
            found[min(first, second), max(first, second)] += 1
    return found


def _neighbours(order: Sequence[int]) -> list[list[int]]:
    """All orders with one pool moved elsewhere."""
    found: list[list[int]] = []
    for at, moved in enumerate(order):
        rest = [*order[:at], *order[at + 1 :]]
        found += [[*rest[:to], moved, *rest[to:]] for to in range(len(order)) if to != at]
    return found


def _passed(order: Sequence[int], messages: Messages) -> int:
    """How many pools the messages pass between their ends."""
    place = {number: at for at, number in enumerate(order)}
    return sum((abs(place[first] - place[second]) - 1) * count for (first, second), count in messages.items())


def _inversions(order: Sequence[int]) -> int:
    """The number of pairs in reversed document order."""
    return sum(1 for at, first in enumerate(order) for second in order[at + 1 :] if second < first)


# Pools with some fixed content: lanes are set round this content and still tile their pool. px.
#
# In: a yard with fixed units, and the boxes of the same yard in a free layout. Out: the whole yard as one fixed unit.
# Promises (rule R-POOL-4): fixed units stay exactly; the lanes of a pool follow each other without a gap, in the order
# of their fixed content; floating units keep their places in the free layout as far as lanes and fixed units allow.
# Lanes are rows here: upright pools are turned on the way in and out.


Row = TypeVar("Row")
FAR = 1e6  # px; wider than any scene
LEAST_LANE = 24.0  # of a lane whose fixed content all lies elsewhere
GAP_SHARES = (2 / 3, 1 / 3, 0.0)  # of node spacing between a floating unit and its neighbours


@dataclass(slots=True)
class _LaneRow:
    """A lane during placement: its pool's number, its span in the free layout, the span of its fixed content
    (padding included; None: no fixed content), and the least depth for its floating content. `top` and `bottom` are
    the result."""

    pool: int
    lane: Lane
    inset: Outset
    top: float
    bottom: float
    held: tuple[float, float] | None
    need: float


def pooled(inventory: Inventory, yard: Yard, settings: LayoutSettings, given: Box | None = None) -> Unit:
    """Pools with all their content as one unit. `given`: the box of a single pool placed by its author, 0 for an open
    side."""
    held = [unit for unit in yard.units if unit.fixed]
    if not held:
        yard = replace(yard, pools=_neighbourly(inventory, yard.pools))
    stack = _stacked_pools(inventory, yard, settings, given)
    if given is not None:
        stack = stack.moved(given.x, given.y)._replace(fixed=True)
        return standing_pools(inventory, yard, settings, stack.boxes, given) if held else stack
    if not held:
        return stack
    dx = floor(median(unit.boxes[unit.id].x - stack.boxes[unit.id].x for unit in held))
    dy = floor(median(unit.boxes[unit.id].y - stack.boxes[unit.id].y for unit in held))
    return standing_pools(inventory, yard, settings, stack.moved(dx, dy).boxes)


def standing_pools(
    inventory: Inventory, yard: Yard, settings: LayoutSettings, free: Mapping[str, Box], given: Box | None = None
) -> Unit:
    """The pools round their fixed units. `given`: the box of a single pool placed by its author, 0 for an open side,
    which then extends to the content."""
    boxes = {element_id: as_rows(box, upright=yard.upright) for element_id, box in free.items()}
    rows = _rows(inventory, yard, boxes)
    _tile(rows, settings.rank_spacing, None if given is None else as_rows(given, upright=yard.upright))
    units = _units_in(rows, yard, boxes, settings.node_spacing)
    titles = _titles_length(inventory, yard.pools, upright=yard.upright)
    found = _frames(rows, yard, units, titles, None if given is None else as_rows(given, upright=yard.upright))
    frames = {element_id: as_rows(box, upright=yard.upright) for element_id, box in found.items()}
    whole = union([*frames.values(), *(unit.whole for unit in units)]) or Box(0.0, 0.0, 0.0, 0.0)
    core = union(frames.values()) or whole
    return Unit(yard.pools[0].id, core, whole, {**frames, **boxes_of(units)}, (whole,), fixed=True)


def _rows(inventory: Inventory, yard: Yard, boxes: Mapping[str, Box]) -> list[_LaneRow]:
    """All lanes, pool after pool; pools with fixed content, and lanes with fixed content, follow the order of this
    content."""
    found: list[list[_LaneRow]] = []
    for number, pool in enumerate(yard.pools):
        start = boxes[pool.id].y
        mine: list[_LaneRow] = []
        for lane in pool.lanes:
            end = _end_of(lane, pool.lanes, boxes, boxes[pool.id].bottom, start)
            mine.append(_row(inventory, yard, boxes, (number, lane, start, end)))
            start = end
        found.append(mine)
    needs = iter(_with_titles(inventory, yard, [row.need for mine in found for row in mine]))
    for row in (row for mine in found for row in mine):
        row.need = next(needs)
    ordered = [_siblings_in_held_order(mine) for mine in found]
    return [row for mine in _in_held_order(ordered, _first_held) for row in mine]


def _in_held_order(rows: Sequence[Row], held: Callable[[Row], tuple[float, float] | None]) -> list[Row]:
    """The rows; those with fixed content are sorted among themselves."""
    ordered = iter(sorted((row for row in rows if held(row)), key=lambda row: held(row) or (0.0, 0.0)))
    return [next(ordered) if held(row) else row for row in rows]


def _siblings_in_held_order(rows: Sequence[_LaneRow], depth: int = 0) -> list[_LaneRow]:
    """Nested lanes in the order of their fixed content, at every depth."""
    ways = [(*row.lane.above, f"{number} own")[: depth + 1] for number, row in enumerate(rows)]
    numbered = groupby(range(len(rows)), key=lambda number: ways[number])
    groups = [[rows[number] for number in group] for _, group in numbered]
    deeper = [group if len(group) == 1 else _siblings_in_held_order(group, depth + 1) for group in groups]
    return [row for group in _in_held_order(deeper, _first_held) for row in group]


def _first_held(rows: Sequence[_LaneRow]) -> tuple[float, float] | None:
    return min((row.held for row in rows if row.held), default=None)


def _end_of(lane: Lane, lanes: Sequence[Lane], boxes: Mapping[str, Box], end: float, start: float) -> float:
    """The end of a lane in the free layout; content beside lanes ends at the start of the first lane."""
    if lane.id is not None:
        return boxes[lane.id].bottom
    if lane.above:
        end = boxes[lane.above[-1]].bottom
    return min((boxes[one.id].y for one in lanes if one.id is not None and boxes[one.id].y >= start), default=end)


def _row(inventory: Inventory, yard: Yard, boxes: Mapping[str, Box], place: tuple[int, Lane, float, float]) -> _LaneRow:
    number, lane, top, bottom = place
    inset = inset_as_row(inventory, lane.id, lane.above, upright=yard.upright)
    held = union(as_rows(unit.whole, upright=yard.upright) for unit in lane.units if unit.fixed)
    floating = union(_whole_at(unit, boxes[unit.id], yard) for unit in lane.units if not unit.fixed)
    span = None if held is None else (floor(held.y - inset.top), ceil(held.bottom + inset.bottom))
    need = inset.top + inset.bottom + (0.0 if floating is None else floating.height)
    return _LaneRow(number, lane, inset, top, bottom, span, ceil(need))


def _whole_at(unit: Unit, box: Box, yard: Yard) -> Box:
    """The whole box of a unit, given the turned box of its own element (for stacked pools, of the first)."""
    own, whole = as_rows(unit.boxes[unit.id], upright=yard.upright), as_rows(unit.whole, upright=yard.upright)
    return whole.moved(box.x - own.x, box.y - own.y)


def _tile(rows: Sequence[_LaneRow], gap: float, given: Box | None) -> None:
    """Set the span of every row: first by fixed content, then by needed depth, then as in the free layout."""
    gaps = [gap if above.pool != below.pool else 0.0 for above, below in pairwise(rows)]
    highest = _highest_ends(rows, gaps)
    first, last = rows[0], rows[-1]
    top = first.top if given is None else given.y
    held_top = inf if first.held is None else first.held[0]
    end = min(max(first.bottom, _held_end(first)), highest[0])
    if given is None:
        top = min(top, held_top, end - first.need)
    for number, row in enumerate(rows[:-1]):
        row.top = top
        row.bottom = min(max(row.bottom, _held_end(row), top + row.need), highest[number])
        row.bottom = max(row.bottom, top + (row.need if row.held is None else LEAST_LANE))
        top = row.bottom + gaps[number]
    last.top = top
    end = given.bottom if given is not None and given.height else max(last.bottom, _held_end(last))
    last.bottom = max(end, top + last.need)


def _held_end(row: _LaneRow) -> float:
    return -inf if row.held is None else row.held[1]


def _highest_ends(rows: Sequence[_LaneRow], gaps: Sequence[float]) -> list[float]:
    """The latest end of each row but the last, so that all rows below fit and contain their fixed content; the middle
    between the fixed contents of two rows in conflict."""
    highest, limit = [inf] * len(rows), inf
    for number in range(len(rows) - 2, -1, -1):
        row, below = rows[number], rows[number + 1]
        limit = min(limit - below.need, inf if below.held is None else below.held[0]) - gaps[number]
        held = _held_end(row)
        if below.held is not None and held > below.held[0] - gaps[number]:
            limit = floor((held + below.held[0] - gaps[number]) / 2)
        elif limit < held:
            limit = held
        highest[number] = limit
    return highest


def _units_in(rows: Sequence[_LaneRow], yard: Yard, boxes: Mapping[str, Box], spacing: float) -> list[Unit]:
    """The fixed units unchanged, and floating units in their lanes, near their places in the free layout."""
    units = [unit for row in rows for unit in row.lane.units if unit.fixed]
    taken = Occupied(as_rows(box, upright=yard.upright) for box in (*yard.around, *(unit.whole for unit in units)))
    for row in rows:
        room = area_in(row.inset, Box(-FAR, row.top, 2 * FAR, row.bottom - row.top))
        floating = [unit for unit in row.lane.units if not unit.fixed]
        wholes = [_whole_at(unit, boxes[unit.id], yard) for unit in floating]
        down = _into(room, wholes)
        for unit, own in zip(floating, wholes, strict=True):
            spot = _spot(taken, own.moved(0.0, down), spacing, room)
            taken.add(spot)
            units.append(_moved(unit, boxes[unit.id], Point(spot.x - own.x, spot.y - own.y), yard))
    return units


def _into(room: Box, wholes: Sequence[Box]) -> float:
    """The downward shift that brings all boxes, as a block, into the room."""
    around = union(wholes)
    if around is None:
        return 0.0
    return max(min(0.0, room.bottom - around.bottom), room.y - around.y)


def _spot(taken: Occupied, own: Box, spacing: float, room: Box) -> Box:
    """The nearest free place in a lane; for a lane too narrow, beyond everything else."""
    for share in GAP_SHARES:
        spot = taken.free_spot(own, spacing * share, room)
        if spot is not None:
            return spot
    return taken.free_spot(own, 0.0) or own


def _moved(unit: Unit, box: Box, by: Point, yard: Yard) -> Unit:
    """A unit with its own element at a turned box, shifted."""
    at, own = as_rows(box.moved(round(by.x, 2), round(by.y, 2)), upright=yard.upright), unit.boxes[unit.id]
    return unit.moved(at.x - own.x, at.y - own.y)


def _frames(
    rows: Sequence[_LaneRow], yard: Yard, units: Sequence[Unit], least: float, given: Box | None
) -> dict[str, Box]:
    """Pools and lanes, equally long, at least as long as titles ask for."""
    wholes = {unit.id: as_rows(unit.whole, upright=yard.upright) for unit in units}
    content = [(wholes[unit.id], row.inset) for row in rows for unit in row.lane.units]
    low = floor(min((box.x - inset.left for box, inset in content), default=HEADER))
    high = ceil(max((box.right + inset.right for box, inset in content), default=PADDING))
    least = max(least, LEAST_POOL[0])
    high = max(high, low + least - HEADER)
    if given is not None:
        low = given.x + HEADER
        high = given.right if given.width else max(high, given.x + least)
    found: dict[str, Box] = {}
    for number, group in groupby(rows, key=lambda row: row.pool):
        mine = list(group)
        depth = mine[-1].bottom - mine[0].top
        depth = given.height if given is not None and given.height else depth
        found[yard.pools[number].id] = Box(low - HEADER, mine[0].top, high - low + HEADER, depth)
        found |= tiles([Band(row.lane.id, row.lane.above, row.top, row.bottom) for row in mine], low, high)
    return found


# Lanes without a place in a pool with placed lanes: they share the remaining room. In: the pool, the boxes of its given
# lanes, the remaining lanes with their content. Out: units in final places. Promises: given lanes stay; the remaining
# lanes have the same length, stand in document order if there is room between, squeezed only into a pool of given size,
# and else after the last. Rule R-POOL-4. px. Lanes are rows here: upright pools are turned on the way in and out.


def added_lanes(
    inventory: Inventory, yard: Yard, given: Mapping[str, Box], pool: Box | None, settings: LayoutSettings
) -> list[Unit]:
    """The units of all lanes not `given` in the yard's only pool, one for each sequence of these lanes in the document.
    `pool`: the box of a pool placed by its author, 0 for an open side."""
    whole = yard.pools[0]
    bands = {lane: as_rows(box, upright=yard.upright) for lane, box in given.items()}
    around = None if pool is None else as_rows(pool, upright=yard.upright)
    left, right = min(box.x for box in bands.values()), max(box.right for box in bands.values())
    found: list[Unit] = []
    before: Box | None = None
    rows = [(lane.id is not None and lane.id in bands, lane) for lane in whole.lanes]
    runs = [(is_given, [lane for _, lane in run]) for is_given, run in groupby(rows, key=lambda row: row[0])]
    for number, (is_given, run) in enumerate(runs):
        if is_given:
            before = bands[run[-1].id or ""]
            continue
        after = bands[runs[number + 1][1][0].id or ""] if number + 1 < len(runs) else None
        taken = [*bands.values(), *(as_rows(unit.core, upright=yard.upright) for unit in found)]
        part = replace(yard, pools=(Pool(whole.id, tuple(run)),))
        last = Box(left - HEADER, max(box.bottom for box in taken), right - left + HEADER, 0.0)
        unit = pooled(inventory, part, settings, as_rows(last, upright=yard.upright))
        room = _room(before, after, around, taken)
        is_bounded = around is not None and around.height > 0
        if room is not None and (is_bounded or as_rows(unit.boxes[whole.id], upright=yard.upright).height <= room[1]):
            between = last._replace(y=room[0], height=room[1])
            unit = pooled(inventory, part, settings, as_rows(between, upright=yard.upright))
        found.append(_without_pool(unit, run[0].id or whole.id, whole.id))
    return found


def _room(before: Box | None, after: Box | None, pool: Box | None, taken: Sequence[Box]) -> tuple[float, float] | None:
    """The start and the total depth of lanes between two given lanes; None without room."""
    top = before.bottom if before is not None else None if pool is None else pool.y
    end = after.y if after is not None else pool.bottom if pool is not None and pool.height else None
    if top is None or end is None or end - top < LEAST_LANE:
        return None
    is_free = not any(box.y < end and top < box.bottom for box in taken)
    return (top, end - top) if is_free else None


def _without_pool(unit: Unit, first: str, pool: str) -> Unit:
    """The lanes alone, named after the first; their pool is drawn round all lanes later."""
    boxes = {element_id: box for element_id, box in unit.boxes.items() if element_id != pool}
    whole = union(boxes.values()) or boxes[first]
    return Unit(first, whole, whole, boxes, (whole,), fixed=True)
