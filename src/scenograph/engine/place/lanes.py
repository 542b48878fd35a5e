"""The cells of swimlanes: a column for each step of the flow, shared by all pools; tracks within each lane.

Coordinates here are `along` the flow and `across` the lanes, whichever way these lie on the page. In: pieces with their
lane, arcs between them. Out: the middle of every piece, and how much room each lane needs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from math import fsum
from typing import NamedTuple

from scenograph.engine.place.ranking import longest_path_ranks, reaches, without_cycles

MAX_CHECKED_MESSAGES = 200  # messages; bounds the time of large pools


class Piece(NamedTuple):
    """A box with its outsets, as distances from its middle, px."""

    lane: int
    pool: int
    before: float
    after: float
    above: float
    below: float


class Flow(NamedTuple):
    """A link between two pieces by their index; `label` and `breadth` are what its label needs along the flow and
    across it, px; `aside` is how far across its source's middle it begins, 0 in line with that."""

    source: int
    target: int
    label: float = 0.0
    breadth: float = 0.0
    aside: float = 0.0


class Gaps(NamedTuple):
    """Least room between columns and between tracks, px."""

    along: float
    across: float


class Cells(NamedTuple):
    """The middles of the pieces: along the flow from the first column's start, across from the lane's first track.
    `length` is all columns' together, `needs` the room of each lane's tracks."""

    along: tuple[float, ...]
    across: tuple[float, ...]
    length: float
    needs: tuple[float, ...]


def swim(pieces: Sequence[Piece], flows: Sequence[Flow], lanes: int, gaps: Gaps) -> Cells:
    """Columns by longest paths (a message may stay in its column), tracks so that the main flow runs straight."""
    columns = _columns(pieces, flows)
    middles, length = _column_middles(pieces, flows, columns, gaps.along)
    across, lengths = [0.0] * len(pieces), _lengths(pieces, flows, columns)
    needs: list[float] = []
    for lane in range(lanes):
        members = [i for i, piece in enumerate(pieces) if piece.lane == lane]
        tracks = _tracks(members, flows, columns, lengths)
        needs.append(_stack_tracks(pieces, tracks, gaps.across, across, _label_reaches(pieces, flows, tracks)))
    return Cells(tuple(middles[column] for column in columns), tuple(across), length, tuple(needs))


def _columns(pieces: Sequence[Piece], flows: Sequence[Flow]) -> list[int]:
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
    pieces: Sequence[Piece], flows: Sequence[Flow], columns: Sequence[int], gap: float
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
    members: Sequence[int], flows: Sequence[Flow], columns: Sequence[int], lengths: Sequence[int]
) -> dict[int, int]:
    """A track for each member of a lane: its predecessor's where the way there is free, else the nearest free one. What
    has the longest way left keeps the track of its predecessor free for itself; what comes from beside its middle comes
    after those, and stands on that side."""
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
    """Of those that come after each piece the one with the longest way left, the first of equal ones; none of the
    branches."""
    heirs: dict[int, int] = {}
    for member, before in sources.items():
        if member in branches:
            continue
        nearest = max(before, key=lambda one: columns[one], default=None)
        if nearest is not None and lengths[member] > lengths[heirs.get(nearest, member)] - (nearest not in heirs):
            heirs[nearest] = member
    return heirs


def _lengths(pieces: Sequence[Piece], flows: Sequence[Flow], columns: Sequence[int]) -> list[int]:
    """How many steps the longest way from each piece has left within its pool."""
    after: list[list[int]] = [[] for _ in pieces]
    for flow in flows:
        if pieces[flow.source].pool == pieces[flow.target].pool and columns[flow.source] < columns[flow.target]:
            after[flow.source].append(flow.target)
    lengths = [0] * len(pieces)
    for piece in sorted(range(len(pieces)), key=lambda one: -columns[one]):
        lengths[piece] = 1 + max((lengths[one] for one in after[piece]), default=-1)
    return lengths


def _free_track(member: int, wish: int, way: range, taken: Mapping[tuple[int, int], int], most: int) -> int:
    """The track nearest to the wish that is free or the member's own, below before above; where none is so all the way,
    its last cell counts. `taken` says whose a cell is."""
    for cells in (way, way[-1:]):
        for away in range(most + 1):
            for track in (wish + away, wish - away):
                if all(taken.get((track, column), member) == member for column in cells):
                    return track
    return wish + most + 1


def _label_reaches(pieces: Sequence[Piece], flows: Sequence[Flow], tracks: Mapping[int, int]) -> dict[int, float]:
    """By track: how far labels of the flows within it reach to either side of its middle.

    A label stands on the middle of its line. Two lines between the same pieces run apart, near the sides of the
    narrower one, and where their labels would meet the shorter one stands beside its line.
    """
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
    pieces: Sequence[Piece], tracks: Mapping[int, int], gap: float, across: list[float], reaches: Mapping[int, float]
) -> float:
    """Write the middles across the lane and answer the room its tracks take; `reaches` is what labels need of a track's
    to either side."""
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
    """`total` shared out equally, but nobody gets less than the need; the needs alone when they are more."""
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
