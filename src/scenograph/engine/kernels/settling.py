"""Tracks of a crowd: first an order that adds no crossings, then places with the separation of routes. px.

In: tracks, and their mutual preferences. Out: the tracks in order, with a position each.
"""

from __future__ import annotations

from bisect import bisect_left
from heapq import heapify, heappop, heappush
from typing import Final

from scenograph.engine.kernels.cell_grid import EVERY, BoxSides, CellGrid
from scenograph.engine.kernels.disjoint_sets import DisjointSets
from scenograph.engine.kernels.runs import (
    SAME,
    SEPARATION,
    Mark,
    OrthogonalLine,
    Run,
    RunEnd,
    label_gap,
    level,
    nested,
    preference,
)
from scenograph.engine.kernels.straight_lines import Interval

# The range of a segment's moves, and its best place. In: segments, their lines, the obstacles. Out: the limits of a
# segment, px: its ends, the neighbours to keep, and the obstacles beside at full clearance; the middle of its corridor;
# and the borders of frames beside, to be crossed but not followed.


REACH: Final = 64.0  # no run moves farther than this in one pass
KEPT_STUB: Final = 12.0  # an end keeps this much of its straight run
TIP_ROOM: Final = 5.0  # px; between a marker and the next corner
OWN_CLEARANCE: Final = 12.0  # px; between a line and a box at its ends
OFF_BORDER: Final = 16.0  # px; a line nearer to the border of a frame looks like a part of it
FOLLOWS: Final = 20.0  # shorter runs beside a border only cross it
PILE: Final = 64  # a segment with more obstacles around, and one more for each PILE_STEP px, is stuck: it stays
PILE_STEP: Final = 16.0  # px of a segment for one more obstacle
EFFORT: Final = 2_000_000  # obstacles looked at for all runs of a scene

Wall = tuple[BoxSides, float, int]
"""A box, its clearance for lines, and the element whose own lines may touch the box."""
Border = tuple[float, bool]
"""One side of a frame beside a segment: its position, and whether the segment leaves the frame, on either side."""


class Corridors:
    """The limits of runs among obstacles, numbered in a grid. The effort is bounded: a run beyond the effort keeps its
    place. `clearance`: the largest distance to strangers."""

    def __init__(self, obstacles: list[Wall], grid: CellGrid, frames: list[BoxSides], clearance: float) -> None:
        self._obstacles = obstacles
        self._grid = grid
        self._clearance = clearance
        self._effort = EFFORT
        self._borders = [_borders(frames, across) for across in (0, 1)]
        self._levels = [[row[0] for row in rows] for rows in self._borders]

    def center(self, runs: list[Run], lines: list[OrthogonalLine], across: int) -> list[Run]:
        """Let every run free between its neighbours aim for the middle of its channel. Returns the free runs."""
        free: list[Run] = []
        for run in runs:
            line = lines[run.draft]
            if not run.anchored and run.turn_low * run.turn_high < 0 and not line.is_set:
                self.limit(run, line, across)
                run.wish = self._middle(run, line, across)
                free.append(run)
        return free

    def limit(self, run: Run, line: OrthogonalLine, across: int) -> None:
        """Set `least` and `most` of a run from the ends of its route, the adjacent segments and the obstacles beside
        the run."""
        limits = run.position - REACH, run.position + REACH
        last = len(line.points) - 1
        limits = _held(run, line.start, 0, level(line.points[0], across), limits)
        limits = _held(run, line.finish, last, level(line.points[last], across), limits)
        least, most = self._between_walls(run, line, across, limits)
        run.least, run.most = min(least, run.position), max(most, run.position)

    def _middle(self, run: Run, line: OrthogonalLine, across: int) -> float:
        """The best coordinate of a free run: the middle of its channel. Its limits must have been set."""
        one, other = level(line.points[run.index - 1], across), level(line.points[run.index + 2], across)
        low, high = (one, other) if one <= other else (other, one)
        kept = min(self._clearance, (high - low) / 2)  # the distance from strangers, so that neighbours come out level
        least, most = max(run.least, low + kept), min(run.most, high - kept)
        is_corridor = least > run.position - REACH and most < run.position + REACH
        return (least + most) / 2 if is_corridor and least <= most else run.position

    def borders(self, run: Run, across: int) -> list[Border]:
        """The nearest border on each side of a run's wish, if the run could come too near."""
        found: list[Border] = []
        if run.high - run.low <= FOLLOWS or not self._borders[across]:
            return found
        has_below = False
        levels = self._levels[across]
        first = bisect_left(levels, run.least - OFF_BORDER)
        for at, low, high in self._borders[across][first : bisect_left(levels, run.most + OFF_BORDER)]:
            if min(run.high, high) - max(run.low, low) <= FOLLOWS:
                continue
            border = at, run.low < low or run.high > high
            if at > run.wish:
                found.append(border)
                break
            if has_below:
                found[0] = border
            else:
                found.append(border)
                has_below = True
        return found

    def _between_walls(self, run: Run, line: OrthogonalLine, across: int, limits: Interval) -> Interval:
        """The limits of a run, narrowed by obstacles."""
        position, clearance = run.position, self._clearance
        low, high = run.low - clearance, run.high + clearance
        near_side, far_side = position - REACH - clearance, position + REACH + clearance
        own: list[Wall] = []
        if self._effort > 0:
            if across:
                near = self._grid.near(low, near_side, high, far_side, EVERY)
            else:
                near = self._grid.near(near_side, low, far_side, high, EVERY)
            for number in near:
                obstacle = self._obstacles[number]
                if obstacle[2] not in line.exempt:
                    own.append(obstacle)
            self._effort -= len(own)
            if len(own) <= PILE + (run.high - run.low) / PILE_STEP:
                if not run.anchored:
                    own.append((line.start.box, OWN_CLEARANCE, -1))
                    own.append((line.finish.box, OWN_CLEARANCE, -1))
                return _between(run, own, across, limits)
        return max(limits[0], position), min(limits[1], position)


def _between(run: Run, obstacles: list[Wall], across: int, limits: Interval) -> Interval:
    """The limits of a run, narrowed by the boxes beside the run."""
    least, most = limits
    for (left, top, right, bottom), clearance, _ in obstacles:
        if across:
            low, high, begin, end = top, bottom, left, right
        else:
            low, high, begin, end = left, right, top, bottom
        if begin - clearance >= run.high or end + clearance <= run.low:
            continue
        if low >= run.position:
            most = min(most, max(low - clearance, run.position))
        elif high <= run.position:
            least = max(least, min(high + clearance, run.position))
    return least, most


def _held(run: Run, end: RunEnd, place: int, at: float, limits: Interval) -> Interval:
    """The limits of a run, narrowed by an end of its route at the coordinate `at` of corner number `place`: the end
    moves within its room, and a run adjacent to the end segment keeps its distance from the element."""
    least, most = limits
    if place in (run.index, run.index + 1):
        least, most = max(least, min(end.low, run.position)), min(most, max(end.high, run.position))
    if place in (run.index - 1, run.index + 2):
        kept = min(max(KEPT_STUB, end.tip + TIP_ROOM), abs(run.position - at))
        if run.position >= at:
            least = max(least, at + kept)
        else:
            most = min(most, at - kept)
    return least, most


def _borders(frames: list[BoxSides], across: int) -> list[tuple[float, float, float]]:
    """The borders of frames along one axis, sorted: coordinate, begin and end."""
    found: list[tuple[float, float, float]] = []
    for left, top, right, bottom in frames:
        if across:
            found.append((top, left, right))
            found.append((bottom, left, right))
        else:
            found.append((left, top, bottom))
            found.append((right, top, bottom))
    return sorted(found)


# Places on one axis: variables with limits and wishes, and pairs with a wished distance. In: for each variable least,
# most and wish; pairs (before, after, gap) in one order. Out: positions within the limits, as near to the wishes as the
# gaps allow, spread evenly round the wishes. Only gaps without room shrink, and the greatest relative shrinkage is
# minimal.


ROUNDS: Final = 60  # rounds of shortening gaps
LEAST_ROUNDS: Final = 8  # rounds in large groups of pairs, at least
PAIR_VISITS: Final = 16_000  # visits of pairs in all rounds: more pairs get fewer rounds
EPSILON: Final = 1e-6  # px; a smaller excess is rounding
INFINITE: Final = float("inf")


class Pair:
    """A separation: `before` at least `gap` px below `after`, of which what is beyond `least` is given up first.
    `round`: the last round that took the pair."""

    __slots__ = ("after", "before", "gap", "least", "round")

    def __init__(self, before: int, after: int, gap: float) -> None:
        self.before = before
        self.after = after
        self.gap = gap
        self.least = gap
        self.round = -1


class SeparationSolver:
    """Variables in an order consistent with every pair (`before` < `after`)."""

    def __init__(self, least: list[float], most: list[float], wish: list[float], pairs: list[Pair]) -> None:
        self.least = least
        self.most = most
        self.wish = wish
        self.pairs = pairs
        self._into: list[list[Pair]] = [[] for _ in least]
        self._out_of: list[list[Pair]] = [[] for _ in least]
        for pair in pairs:
            self._into[pair.after].append(pair)
            self._out_of[pair.before].append(pair)

    def solve(self) -> list[float]:
        """Positions of all variables. The mean of packing from below and packing from above: both keep every gap, so
        their mean does."""
        low, high = self._shrink_to_fit()
        up: list[float] = []
        for number, wish in enumerate(self.wish):
            floor = max(wish, low[number])
            for pair in self._into[number]:
                floor = max(floor, up[pair.before] + pair.gap)
            up.append(min(high[number], floor))
        down = [0.0] * len(up)
        for number in range(len(up) - 1, -1, -1):
            ceiling = min(self.wish[number], high[number])
            for pair in self._out_of[number]:
                ceiling = min(ceiling, down[pair.after] - pair.gap)
            down[number] = max(low[number], ceiling)
        return [(up[number] + down[number]) / 2 for number in range(len(up))]

    def _shrink_to_fit(self) -> tuple[list[float], list[float]]:
        """Consistent lower and upper bounds, after shortening the gaps of every overlong chain, chains with the least
        room first."""
        for turn in range(max(LEAST_ROUNDS, min(ROUNDS, PAIR_VISITS // (len(self.pairs) + 1)))):
            low, low_by = self._bounds_from_below()
            high, high_by = self._bounds_from_above()
            pushed = [number for number in range(len(low)) if low[number] - high[number] > EPSILON]
            if not pushed:
                return low, high
            shares = self._shares((low, low_by), (high, high_by), pushed)
            walk = _Walk(low_by, high_by, turn)
            for _, number in sorted(zip(shares, pushed, strict=True)):
                pairs = walk.take(number)
                if pairs is not None:
                    _shorten(pairs, low[number] - high[number])
        for pair in self.pairs:
            pair.gap = -INFINITE
        return list(self.least), list(self.most)

    def _shares(
        self,
        from_below: tuple[list[float], list[Pair | None]],
        from_above: tuple[list[float], list[Pair | None]],
        pushed: list[int],
    ) -> list[float]:
        """For each pushed variable the share its pushing gaps would keep after losing the excess. Sums accumulate along
        the chains: following every chain separately would be quadratic."""
        (low, low_by), (high, high_by) = from_below, from_above
        count = len(low)
        below, above = [0.0] * count, [0.0] * count
        for number, pair in enumerate(low_by):
            if pair is not None:
                below[number] = below[pair.before] + pair.gap
        for number in range(count - 1, -1, -1):
            pair = high_by[number]
            if pair is not None:
                above[number] = above[pair.after] + pair.gap
        return [_share(below[number] + above[number], low[number] - high[number]) for number in pushed]

    def _bounds_from_below(self) -> tuple[list[float], list[Pair | None]]:
        low = list(self.least)
        by: list[Pair | None] = [None] * len(low)
        for number, pairs in enumerate(self._into):
            for pair in pairs:
                floor = low[pair.before] + pair.gap
                if floor > low[number]:
                    low[number], by[number] = floor, pair
        return low, by

    def _bounds_from_above(self) -> tuple[list[float], list[Pair | None]]:
        high = list(self.most)
        by: list[Pair | None] = [None] * len(high)
        for number in range(len(high) - 1, -1, -1):
            for pair in self._out_of[number]:
                ceiling = high[pair.after] - pair.gap
                if ceiling < high[number]:
                    high[number], by[number] = ceiling, pair
        return high, by


def _share(total: float, excess: float) -> float:
    """The share left of gaps with the sum `total` after removing the excess."""
    return (total - excess - EPSILON) / total if total > excess else 0.0


def _shorten(pairs: list[Pair], excess: float) -> None:
    """Shrink the gaps: the room for labels first, then all to one share of their lengths, which shorter gaps keep."""
    excess = _given_up(pairs, excess)
    if excess <= 0.0:
        return
    total, length = 0.0, 0.0
    for pair in pairs:
        total += pair.gap
        length += pair.least
    if total <= excess:
        for pair in pairs:
            pair.gap = 0.0 if total > 0.0 else -INFINITE
        return
    left = total - excess - EPSILON
    by_share = sorted([(pair.gap / pair.least, place) for place, pair in enumerate(pairs)])
    for place, (kept, number) in enumerate(by_share):
        if kept * length > left:
            for _, other in by_share[place:]:
                pairs[other].gap = pairs[other].least * left / length
            return
        left -= pairs[number].gap
        length -= pairs[number].least


def _given_up(pairs: list[Pair], excess: float) -> float:
    """Shrink all gaps toward their least; the excess that is left."""
    room = 0.0
    for pair in pairs:
        room += max(0.0, pair.gap - pair.least)
    if room <= EPSILON:
        return excess
    share = min(1.0, (excess + EPSILON) / room)
    for pair in pairs:
        pair.gap -= share * max(0.0, pair.gap - pair.least)
    return excess - room if excess > room else 0.0


class _Walk:
    """Takes the chains of one round, each pair once. The meeting point of a chain with a taken pair is stored for the
    whole chain: of a thousand chains with a common end, only the first walks to the end."""

    def __init__(self, low_by: list[Pair | None], high_by: list[Pair | None], turn: int) -> None:
        self._low_by = low_by
        self._high_by = high_by
        self._turn = turn
        self._taken_below = [False] * len(low_by)
        self._taken_above = [False] * len(low_by)

    def take(self, number: int) -> list[Pair] | None:
        """The pairs that push `number` from below and from above; None when a pair was taken before."""
        below: list[Pair] = []
        above: list[Pair] = []
        down, up = self._low_by[number], self._high_by[number]
        while down is not None or up is not None:  # by turns: it ends after twice the shorter way to a taken pair
            if down is not None:
                if self._taken_below[down.before] or down.round == self._turn:
                    for pair in (*below, down):
                        self._taken_below[pair.after] = True
                    return None
                below.append(down)
                down = self._low_by[down.before]
            if up is not None:
                if self._taken_above[up.after] or up.round == self._turn:
                    for pair in (*above, up):
                        self._taken_above[pair.before] = True
                    return None
                above.append(up)
                up = self._high_by[up.after]
        pairs = below + above
        for pair in pairs:
            pair.round = self._turn
        return pairs


# Segments of several lines grouped by nearness. In: the segments of one axis, the near pairs, their lines. Out: crowds
# with conflicts; the tracks of a crowd, and the wishes between tracks. Segments of one fan share a track, and so do two
# segments of a line parted by a small jog: the jog goes. A border is a track that stays. The only line of a side keeps
# its place if there is an alternative. px.


JOG: Final = 24.0  # px; a shorter step in a line is taken out
STRAIGHT: Final = 2  # points
TIP_BREADTH: Final = 13.0  # no marker is broader, and none is much broader than long
TIP_GAP: Final = 8.0  # px; between arrowheads of neighbouring lines
LEAST_BESIDE_BORDER: Final = 12.0  # a line with less room on its side of a border may change sides

TrackPair = tuple[int, int]
Links = dict[TrackPair, int]  # two tracks -> how strongly the first belongs on the low side (negative)
Legs = list[TrackPair]
Cluster = tuple[list[int], list[TrackPair]]  # numbers of segments, and the near pairs as indexes into these


class Track:
    """A line shared by one or more overlapping runs, with its wished position and its limits. A track without runs is a
    border. `tip`: the breadth of the markers at its ends."""

    __slots__ = ("is_steady", "key", "least", "most", "position", "runs", "tip")

    def __init__(
        self, runs: list[Run], limits: tuple[float, float], key: tuple[float, int, int], *, is_steady: bool
    ) -> None:
        """`key`: the position, and a tie-breaker for equal positions."""
        self.runs = runs
        self.least, self.most = limits
        self.position = key[0]
        self.key = key
        self.is_steady = is_steady
        self.tip = 0.0

    def join(self, run: Run, *, is_steady: bool) -> bool:
        """Add a run if the limits overlap; the longest run decides the position."""
        least, most = max(self.least, run.least), min(self.most, run.most)
        if least > most:
            return False
        longest = self.runs[0]
        for one in self.runs:
            if one.high - one.low > longest.high - longest.low:
                longest = one
        wish = run.wish if run.high - run.low > longest.high - longest.low else longest.wish
        self.least, self.most, self.position = least, most, min(most, max(least, wish))
        self.is_steady = self.is_steady or is_steady
        self.runs.append(run)
        return True


class Crowd:
    """A cluster of near runs along one axis (`across` 0: upright runs, apart in x; 1: level runs, apart in y)."""

    def __init__(self, runs: list[Run], pairs: list[TrackPair], lines: list[OrthogonalLine], across: int) -> None:
        self.runs = runs
        self._lines = lines
        self._across = across
        self._kin: list[TrackPair] = []
        self._strange: list[TrackPair] = []
        self._wanted: list[int] = []
        for pair in pairs:
            if self._are_kin(runs[pair[0]], runs[pair[1]]):
                self._kin.append(pair)
            else:
                self._strange.append(pair)
                self._wanted.append(self._preference(runs[pair[0]], runs[pair[1]]))

    def is_calm(self) -> bool:
        """Whether all runs are at their wish, separated and on the preferred side, with kin on one line."""
        runs = self.runs
        for number, (a, b) in enumerate(self._strange):
            gap = runs[b].position - runs[a].position
            needed = max(SEPARATION, label_gap(runs[a], runs[b], is_aligned=True))
            if abs(gap) < needed - SAME or self._wanted[number] * gap > 0.0:
                return False
        if any(run.wish != run.position for run in runs):
            return False
        return all(abs(runs[a].position - runs[b].position) <= SAME for a, b in self._kin)

    def tracks(self, corridors: Corridors) -> tuple[list[Track], Links, Legs]:
        """The tracks, their mutual preferences, and the pairs joined by a leg. The limits of the runs must have been
        set."""
        tracks: list[Track] = []
        track_of = self._add_tracks(tracks)
        links, legs = self._links(track_of), self._legs(track_of)
        walls: dict[float, int] = {}
        for place, run in enumerate(self.runs):
            number = track_of[place]
            for border in corridors.borders(run, self._across):
                at = border[0]
                wall = walls.get(at, -1)
                if wall < 0:
                    wall = walls[at] = len(tracks)
                    tracks.append(Track([], (at, at), (at, -1, -1), is_steady=False))
                is_left = border[1] or self._is_crossed(run, at)
                links[number, wall] = _side_of_border(tracks[number], at, is_left=is_left)
        return tracks, links, legs

    def _is_crossed(self, run: Run, at: float) -> bool:
        """Whether a route passes from one side of a border to the opposite side over the two legs of a run."""
        points = self._lines[run.draft].points
        if run.index == 0 or run.index + 2 == len(points):
            return False
        before, after = level(points[run.index - 1], self._across), level(points[run.index + 2], self._across)
        return (before - at) * (after - at) < 0.0

    def _are_kin(self, one: Run, other: Run) -> bool:
        """Whether two runs may overlap."""
        fan = self._lines[one.draft].fan
        return one.draft == other.draft or (fan >= 0 and fan == self._lines[other.draft].fan)

    def _preference(self, one: Run, other: Run) -> int:
        points, others = self._lines[one.draft].points, self._lines[other.draft].points
        if len(points) > STRAIGHT and len(points) == len(others) and (points == others or points == others[::-1]):
            return nested(one, other, self._across)
        return preference(one, other, points, others, self._across)

    def _add_tracks(self, tracks: list[Track]) -> list[int]:
        """Add the tracks; the number of the track of each run. Kin join as long as their limits have a place in
        common."""
        steady = _steady(self.runs, self._lines)
        track_of: list[int] = []
        joined: dict[int, int] = {}
        for pair in self._kin:
            a, b = sorted_pair(pair[0], pair[1])
            joined[b] = min(a, joined.get(b, a))
        for number, run in enumerate(self.runs):
            kin = track_of[joined[number]] if number in joined else -1
            if kin < 0 or not tracks[kin].join(run, is_steady=steady[number]):
                kin = len(tracks)
                tracks.append(self._track(run, is_steady=steady[number]))
            track_of.append(kin)
        return track_of

    def _track(self, run: Run, *, is_steady: bool) -> Track:
        track = Track([run], (run.least, run.most), (run.wish, run.draft, run.index), is_steady=is_steady)
        line = self._lines[run.draft]
        if run.index == 0:
            track.tip = min(TIP_BREADTH, line.start.tip)
        if run.index + 2 == len(line.points):
            track.tip = max(track.tip, min(TIP_BREADTH, line.finish.tip))
        return track

    def _links(self, track_of: list[int]) -> Links:
        """The summed preferences between the strangers of each two tracks."""
        links: Links = {}
        for number, (a, b) in enumerate(self._strange):
            one, other, wanted = track_of[a], track_of[b], self._wanted[number]
            if one < other:
                links[one, other] = links.get((one, other), 0) + wanted
            elif other < one:
                links[other, one] = links.get((other, one), 0) - wanted
        return links

    def _legs(self, track_of: list[int]) -> Legs:
        """Tracks with runs of a common route joined by a single leg: the order stays."""
        numbers: dict[TrackPair, int] = {}
        for place, run in enumerate(self.runs):
            numbers[run.draft, run.index] = track_of[place]
        legs: Legs = []
        for (draft, index), track in numbers.items():
            following = numbers.get((draft, index + 2), track)
            if following != track:
                legs.append((track, following))
        return legs


def sorted_pair(a: int, b: int) -> TrackPair:
    """The two numbers, the smaller first."""
    return (a, b) if a <= b else (b, a)


def distance(one: Track, other: Track) -> float:
    """How far apart two tracks should lie, labels aside."""
    if not one.runs or not other.runs:
        return OFF_BORDER
    if one.tip > 0.0 and other.tip > 0.0:
        return max(SEPARATION, (one.tip + other.tip) / 2 + TIP_GAP)
    return SEPARATION


ALIGNED: Final = 0  # labels beside each other, each on its own line
STAGGERED: Final = 1  # labels one before the other, where lines are long enough
OUTSIDE: Final = 2  # labels of the outermost lines of a crowd on their far sides


def with_labels(one: Track, other: Track, manner: int, outside: tuple[bool, bool]) -> float:
    """The distance of two tracks with room for their labels; 0 without labels in between. `outside`: whether a track
    has no neighbour on its far side."""
    if manner != OUTSIDE:
        outside = (False, False)
    found = 0.0
    for run in one.runs:
        for another in other.runs:
            found = max(found, label_gap(run, another, is_aligned=manner == ALIGNED, outside=outside))
    return found


def restless(
    runs: list[Run], near: list[TrackPair], lines: list[OrthogonalLine], corridors: Corridors, across: int
) -> list[Crowd]:
    """The crowds with a fresh route and an unsettled run, off all borders; the limits of their runs are set."""
    pairs = [(a, b) for a, b in near if not _is_across(runs[a], runs[b], lines)]
    _add_jogs(pairs, runs, lines)
    found: list[Crowd] = []
    for members, inside in _clusters(len(runs), pairs):
        own = [runs[number] for number in members]
        if len(own) == 1 and own[0].wish == own[0].position and not corridors.borders(own[0], across):
            continue  # most lie well and alone
        free = [run for run in own if not lines[run.draft].is_set]
        if not free or not any(lines[run.draft].is_fresh for run in own):
            continue
        crowd = Crowd(own, inside, lines, across)
        if crowd.is_calm() and not any(corridors.borders(run, across) for run in own):
            continue
        for run in free:
            corridors.limit(run, lines[run.draft], across)
        found.append(crowd)
    return found


def _is_across(one: Run, other: Run, lines: list[OrthogonalLine]) -> bool:
    """Whether two runs end on opposite sides of a common element: one arrives, the second leaves from the far side."""
    if not (one.anchored and other.anchored) or min(one.high, other.high) > max(one.low, other.low):
        return False
    first, second = lines[one.draft], lines[other.draft]
    ends = second.start.mark[0], second.finish.mark[0]
    return first.start.mark[0] in ends or first.finish.mark[0] in ends


def _add_jogs(pairs: list[TrackPair], runs: list[Run], lines: list[OrthogonalLine]) -> None:
    """Add the pairs of runs of one route at a small jog, to be merged if room allows."""
    for number in range(len(runs) - 1):
        run, following = runs[number], runs[number + 1]
        is_step = run.draft == following.draft and following.index == run.index + 2
        is_small = run.backward == following.backward and abs(run.wish - following.wish) < JOG
        if is_step and is_small and not lines[run.draft].is_set:
            pairs.append((number, number + 1))


def _clusters(count: int, pairs: list[TrackPair]) -> list[Cluster]:
    """The connected clusters of runs, in the order of their first members."""
    sets = DisjointSets(count)
    for a, b in pairs:
        sets.join(a, b)
    found: list[Cluster] = []
    cluster_of: list[int] = []  # by number; of the least number of a set it is known before the others come
    place_of: list[int] = []
    for number in range(count):
        least = sets.find(number)
        if least == number:
            cluster_of.append(len(found))
            found.append(([], []))
        else:
            cluster_of.append(cluster_of[least])
        members = found[cluster_of[number]][0]
        place_of.append(len(members))
        members.append(number)
    for a, b in pairs:
        found[cluster_of[a]][1].append((place_of[a], place_of[b]))
    return found


def _side_of_border(track: Track, at: float, *, is_left: bool) -> int:
    """The side of a border on which a track belongs: its present side, or the side with room if the route leaves the
    frame anyway."""
    below, above = at - track.least, track.most - at
    is_below = track.position <= at
    if is_left and (below if is_below else above) < LEAST_BESIDE_BORDER:
        is_below = below >= above
    return -1 if is_below else 1


def _steady(runs: list[Run], lines: list[OrthogonalLine]) -> list[bool]:
    """The runs that keep the anchor of R-ROUTE-2: runs that end alone on a side, and the only straight route among the
    edges of a side."""
    marks = [_marks(run, lines[run.draft]) for run in runs]
    ends: set[tuple[Mark, int, int]] = set()
    taken: dict[Mark, int] = {}
    straight: dict[Mark, int] = {}
    for place, run in enumerate(runs):
        fan = lines[run.draft].fan
        for mark in marks[place]:
            # The edges of a fan count as one line.
            end = (mark, fan, -1) if fan >= 0 else (mark, -1, run.draft)
            if end not in ends:
                ends.add(end)
                taken[mark] = taken.get(mark, 0) + 1
            if len(marks[place]) == 2:
                straight[mark] = straight.get(mark, 0) + 1
    return [_is_steady(own, taken, straight) for own in marks]


def _is_steady(own: list[Mark], taken: dict[Mark, int], straight: dict[Mark, int]) -> bool:
    return bool(own) and all(taken[mark] == 1 or (len(own) == 2 and straight[mark] == 1) for mark in own)


def _marks(run: Run, line: OrthogonalLine) -> list[Mark]:
    """The element sides, or row ends, at which a run ends."""
    found: list[Mark] = []
    if run.index == 0:
        found.append(line.start.mark)
    if run.index + 2 == len(line.points):
        found.append(line.finish.mark)
    return found


KEPT_LEG: Final = 8.0  # px; the length kept by a leg while its tracks move
MANY_PAIRS: Final = 250  # hang together in a large crowd
APART: Final = 6.0  # px; an order bringing two lines closer is not worth a saved crossing: the two look like one
FITS: Final = 0.99  # the share of all distances that is as good as the whole
PRESSED: Final = 0.75  # the share of its distance below which a reluctant track gives way
TELLABLE: Final = 0.04  # the least legible share of the gaps: denser lines of a crowd coincide, as one thin trunk


def settled(crowds: list[Crowd], corridors: Corridors) -> list[tuple[Run, float]]:
    """The new coordinates of the runs of all crowds. The limits must have been set."""
    found: list[tuple[Run, float]] = []
    for crowd in crowds:
        tracks, links, legs = crowd.tracks(corridors)
        ranked, positions = settle(tracks, links, legs)
        for place, track in enumerate(ranked):
            for run in track.runs:
                found.append((run, positions[place]))
    return found


def settle(tracks: list[Track], links: Links, legs: Legs) -> tuple[list[Track], list[float]]:
    """The tracks from the low side to the high side, with their positions: in the order preferred by the links if the
    limits allow, else in their present order."""
    ranked, positions, is_kept = _settled(tracks, _ordered(tracks, links), links, legs)
    if not is_kept:
        as_they_lie = [number for _, number in sorted([(track.key, number) for number, track in enumerate(tracks)])]
        ranked, positions, is_kept = _settled(tracks, as_they_lie, links, legs)
    return ranked, positions


def _ordered(tracks: list[Track], links: Links) -> list[int]:
    """All tracks from the low side to the high side: in the order of the links, indifferent tracks by position."""
    after: list[list[int]] = [[] for _ in tracks]
    waits = [0] * len(tracks)
    for (a, b), wanted in links.items():
        if wanted == 0 and _have_room(tracks[a], tracks[b]):
            continue  # keys order only indifferent tracks; as wishes the keys would form circles with real wishes
        first, second = (a, b) if _comes_first(tracks[a], tracks[b], wanted) else (b, a)
        after[first].append(second)
        waits[second] += 1
    # In a circle of wishes all remaining tracks wait for each other; the track waiting for the fewest breaks the
    # circle.
    ready = [(waits[number], track.key, number) for number, track in enumerate(tracks)]
    heapify(ready)
    order: list[int] = []
    done = [False] * len(tracks)
    while ready:
        waiting, _, number = heappop(ready)
        if done[number] or waiting != waits[number]:
            continue
        done[number] = True
        order.append(number)
        for other in after[number]:
            waits[other] -= 1
            if not done[other]:
                heappush(ready, (waits[other], tracks[other].key, other))
    return order


def _comes_first(one: Track, other: Track, wanted: int) -> bool:
    """Whether `one` comes first: by preference, else by present order, else by room. Each criterion counts only while
    the tracks stay apart."""
    if wanted < 0 and one.least + APART <= other.most:
        return True
    if wanted > 0 and other.least + APART <= one.most:
        return False
    return one.key <= other.key if _have_room(one, other) else one.least + one.most <= other.least + other.most


def _have_room(one: Track, other: Track) -> bool:
    """Whether two tracks stay distinguishable in their present order."""
    if one.key <= other.key:
        return one.least + APART <= other.most
    return other.least + APART <= one.most


def _settled(tracks: list[Track], order: list[int], links: Links, legs: Legs) -> tuple[list[Track], list[float], bool]:
    """The tracks in the given order, their positions, and whether the limits keep the order. Steady tracks stay in
    place unless pressed and moving helps."""
    rank = [0] * len(order)
    for place, number in enumerate(order):
        rank[number] = place
    ranked = [tracks[number] for number in order]
    near = [sorted_pair(rank[a], rank[b]) for a, b in links]
    near += _met(ranked, near)
    apart = [_pair(ranked, a, b) for a, b in near]
    joined = [sorted_pair(rank[a], rank[b]) for a, b in legs]
    held = [track.is_steady for track in ranked]
    if len(apart) > MANY_PAIRS:
        spaced = _needed(apart, len(ranked))
        if _tightest(_solve(ranked, spaced, joined, held), spaced) < TELLABLE:
            return ranked, [min(track.most, max(track.least, track.position)) for track in ranked], True
    positions: list[float] = []
    for manner in (ALIGNED, STAGGERED, OUTSIDE):
        wide = _give_room(ranked, apart, manner)
        positions = _loosened(ranked, apart, joined, held)
        if not wide or _tightest(positions, apart) >= FITS:
            break
    return ranked, positions, all(positions[a] <= positions[b] + SAME for a, b in near)


def _pair(ranked: list[Track], before: int, after: int) -> Pair:
    return Pair(before, after, distance(ranked[before], ranked[after]))


def _give_room(ranked: list[Track], apart: list[Pair], manner: int) -> bool:
    """Widen the gaps for labels. Returns whether any is wider."""
    has_lower, has_higher = [False] * len(ranked), [False] * len(ranked)
    for pair in apart:
        has_lower[pair.after] = has_higher[pair.before] = True
    found = False
    for pair in apart:
        outside = not has_lower[pair.before], not has_higher[pair.after]
        room = with_labels(ranked[pair.before], ranked[pair.after], manner, outside)
        pair.gap = max(pair.least, room)
        found = found or pair.gap > pair.least
    return found


def _loosened(ranked: list[Track], apart: list[Pair], joined: Legs, held: list[bool]) -> list[float]:
    """Positions of the tracks; held tracks move under pressure if moving helps."""
    positions = _solve(ranked, apart, joined, held)
    pressed = _pressed(positions, apart)
    free = [held[place] and pressed[place] for place in range(len(ranked))]
    if any(free):
        looser = _solve(ranked, apart, joined, [held[place] and not free[place] for place in range(len(ranked))])
        if _tightest(looser, apart) > _tightest(positions, apart) + SAME:
            positions = looser
    return positions


def _met(ranked: list[Track], near: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The new neighbours after a change of order: each track with the next track alongside, unless near already, to
    keep their distance."""
    if all(ranked[place].key <= ranked[place + 1].key for place in range(len(ranked) - 1)):
        return []
    known = set(near)
    found: list[tuple[int, int]] = []
    for place, track in enumerate(ranked):
        for other in range(place + 1, len(ranked)):
            if _run_along(track, ranked[other]):
                if (place, other) not in known:
                    found.append((place, other))
                break
    return found


def _run_along(one: Track, other: Track) -> bool:
    """Whether the spans of two tracks overlap."""
    for run in one.runs:
        for another in other.runs:
            if run.low < another.high and another.low < run.high and run.draft != another.draft:
                return True
    return False


def _needed(apart: list[Pair], count: int) -> list[Pair]:
    """The pairs without a track in between that implies the distance."""
    after, before = [0] * count, [0] * count
    for pair in apart:
        after[pair.before] |= 1 << pair.after
        before[pair.after] |= 1 << pair.before
    return [pair for pair in apart if pair.gap > 2 * SEPARATION or not after[pair.before] & before[pair.after]]


def _solve(tracks: list[Track], apart: list[Pair], legs: Legs, held: list[bool]) -> list[float]:
    """Positions in the order of the tracks; held tracks keep their position."""
    pairs: list[Pair] = []  # copies, because solving narrows gaps
    for pair in apart:
        copy = Pair(pair.before, pair.after, pair.gap)
        copy.least = pair.least
        pairs.append(copy)
    for before, after in legs:
        gap = tracks[after].position - tracks[before].position
        if gap > 0.0:
            pairs.append(Pair(before, after, min(KEPT_LEG, gap)))
    least = [track.position if held[place] else track.least for place, track in enumerate(tracks)]
    most = [track.position if held[place] else track.most for place, track in enumerate(tracks)]
    return SeparationSolver(least, most, [track.position for track in tracks], pairs).solve()


def _kept_share(positions: list[float], pair: Pair) -> float:
    """The share of the required distance kept by a pair; at most 1."""
    gap = positions[pair.after] - positions[pair.before]
    return min(1.0, gap / pair.gap)


def _tightest(positions: list[float], apart: list[Pair]) -> float:
    """The smallest kept share of any required distance."""
    tightest = 1.0
    for pair in apart:
        tightest = min(tightest, _kept_share(positions, pair))
    return tightest


def _pressed(positions: list[float], apart: list[Pair]) -> list[bool]:
    """The tracks too near to a neighbour, and all tracks joined to them by chains of narrow gaps."""
    narrow: list[list[int]] = [[] for _ in positions]
    pressed = [False] * len(positions)
    waiting: list[int] = []
    for pair in apart:
        if positions[pair.after] - positions[pair.before] < pair.gap + SAME:
            narrow[pair.before].append(pair.after)
            narrow[pair.after].append(pair.before)
        if _kept_share(positions, pair) < PRESSED:
            waiting.append(pair.before)
            waiting.append(pair.after)
    while waiting:
        track = waiting.pop()
        if not pressed[track]:
            pressed[track] = True
            waiting.extend(narrow[track])
    return pressed
