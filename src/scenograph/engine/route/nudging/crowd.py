"""A crowd: runs of several routes that hang together because they lie near each other.

In: the runs with their limits and the pairs that are near. Out: an order that adds no crossings and a place for each
run, a line's distance from its neighbours. Runs of one fan share one track. The only edge of a side keeps its anchor
where there is another way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from scenograph.engine.route.courses.draft import Draft
from scenograph.engine.route.nudging.ordering import preference
from scenograph.engine.route.nudging.runs import SAME, Run
from scenograph.engine.route.nudging.separation import Pair, Separation
from scenograph.engine.route.problem import Fan

SEPARATION = 12.0
LEAST_SEPARATION = 8.0
KEPT_LEG = 8.0
LABEL_GAP = 6.0
TIP_BREADTH = 13.0  # no marker is broader, and none is much broader than long
TIP_GAP = 4.0
MANY_PAIRS = 250  # hang together in a large crowd
TELLABLE = 0.5  # lines of a large crowd that would lie closer lie on one another instead, as one thin trunk

Side = tuple[int, str, int]  # an element, a side of it, and the row whose end is meant there
Links = dict[tuple[int, int], int]  # two tracks -> how strongly the first belongs on the low side (negative)


@dataclass(slots=True)
class Track:
    """One line on which a run lies, or several runs of one fan: where it is, and between which limits it may move."""

    runs: list[Run]
    position: float
    least: float
    most: float
    is_steady: bool
    key: tuple[float, int, int]
    twins: tuple[int, int] | None = None  # the two elements that a straight line joins which is not the only one
    breadth: float = 0.0  # of its label, across
    tip: float = 0.0  # the breadth of the markers at its ends


class Crowd:
    """One cluster of near runs on one axis (`across` 0: upright runs, apart in x; 1: level runs, apart in y)."""

    def __init__(self, runs: list[Run], pairs: Sequence[tuple[int, int]], drafts: Sequence[Draft], across: int) -> None:
        self.runs = runs
        self._drafts = drafts
        self._across = across
        fans = [drafts[run.draft].connection.fan for run in runs]
        self._kin = [(a, b) for a, b in pairs if fans[a] is not None and fans[a] == fans[b]]
        self._strange = [(a, b) for a, b in pairs if fans[a] is None or fans[a] != fans[b]]
        self._wanted = [self._preference(a, b) for a, b in self._strange]

    def is_calm(self) -> bool:
        """Whether everyone has room and stands on the right side already, and kin lie on one line."""
        runs = self.runs
        for (a, b), wanted in zip(self._strange, self._wanted, strict=True):
            gap = runs[b].position - runs[a].position
            if abs(gap) < SEPARATION - SAME or wanted * gap > 0.0:
                return False
        return all(abs(runs[a].position - runs[b].position) <= SAME for a, b in self._kin)

    def places(self) -> list[tuple[Run, float]]:
        """The runs with their new positions. Their limits must have been set."""
        tracks, track_of = self._tracks()
        links, legs = self._links(track_of), self._legs(track_of)
        ranked, positions, is_kept = _settled(tracks, _ordered(tracks, links), links, legs)
        if not is_kept:
            ranked, positions, _ = _settled(tracks, _as_they_lie(tracks), links, legs)
        return [(run, position) for track, position in zip(ranked, positions, strict=True) for run in track.runs]

    def _preference(self, a: int, b: int) -> int:
        one, other = self.runs[a], self.runs[b]
        routes = self._drafts[one.draft].points, self._drafts[other.draft].points
        return preference(one, other, routes, self._across)

    def _tracks(self) -> tuple[list[Track], list[int]]:
        """The tracks, and the number of the track of each run. Kin join as long as their limits have a place in
        common."""
        steady = _steady(self.runs, self._drafts)
        tracks: list[Track] = []
        track_of: list[int] = []
        joined = {b: a for a, b in sorted((_sorted_pair(*pair) for pair in self._kin), reverse=True)}
        for number, run in enumerate(self.runs):
            kin = tracks[track_of[joined[number]]] if number in joined else None
            if kin is not None and max(kin.least, run.least) <= min(kin.most, run.most):
                kin.runs.append(run)
                kin.least, kin.most = max(kin.least, run.least), min(kin.most, run.most)
                kin.position = min(kin.most, max(kin.least, kin.position))
                kin.is_steady = kin.is_steady or steady[number]
                track_of.append(track_of[joined[number]])
                continue
            track_of.append(len(tracks))
            tracks.append(self._track(run, is_steady=steady[number]))
        return tracks, track_of

    def _track(self, run: Run, *, is_steady: bool) -> Track:
        track = Track([run], run.position, run.least, run.most, is_steady, (run.position, run.draft, run.index))
        draft = self._drafts[run.draft]
        connection = draft.connection
        tips = [connection.tips[0]] if run.index == 0 else []
        tips += [connection.tips[1]] if run.index + 2 == len(draft.points) else []
        track.tip = max((min(TIP_BREADTH, tip) for tip in tips), default=0.0)
        if connection.twins > 1 and len(draft.points) == 2:
            track.twins = _sorted_pair(connection.source, connection.target)
            track.breadth = max(SEPARATION, connection.label[self._across])
        return track

    def _links(self, track_of: list[int]) -> Links:
        """What the strangers of one track want of those of another, added up."""
        links: Links = {}
        for (a, b), wanted in zip(self._strange, self._wanted, strict=True):
            one, other = track_of[a], track_of[b]
            if one < other:
                links[one, other] = links.get((one, other), 0) + wanted
            elif other < one:
                links[other, one] = links.get((other, one), 0) - wanted
        return links

    def _legs(self, track_of: list[int]) -> list[tuple[int, int]]:
        """Tracks with runs of one route that a single leg joins: they keep their order."""
        numbers = {(run.draft, run.index): track for run, track in zip(self.runs, track_of, strict=True)}
        pairs = (
            (track, numbers[draft, index + 2])
            for (draft, index), track in numbers.items()
            if (draft, index + 2) in numbers
        )
        return [(a, b) for a, b in pairs if a != b]


def _sorted_pair(a: int, b: int) -> tuple[int, int]:
    return (a, b) if a <= b else (b, a)


def _ordered(tracks: Sequence[Track], links: Links) -> list[int]:
    """All tracks from the low side to the high side: as the links want it, by position where they do not care."""
    after: list[list[int]] = [[] for _ in tracks]
    waits = [0] * len(tracks)
    for (a, b), wanted in links.items():
        first, second = (a, b) if _comes_first(tracks[a], tracks[b], wanted) else (b, a)
        after[first].append(second)
        waits[second] += 1
    ready = [(track.key, number) for number, track in enumerate(tracks) if waits[number] == 0]
    heapify(ready)
    order: list[int] = []
    done = [False] * len(tracks)
    while len(order) < len(tracks):
        if not ready:  # a circle of wishes: the track that the fewest wait for breaks it
            left = [number for number in range(len(tracks)) if not done[number]]
            chosen = min(left, key=lambda number: (waits[number], tracks[number].key))
            heappush(ready, (tracks[chosen].key, chosen))
        number = heappop(ready)[1]
        if done[number]:
            continue
        done[number] = True
        order.append(number)
        for other in after[number]:
            waits[other] -= 1
            if waits[other] == 0 and not done[other]:
                heappush(ready, (tracks[other].key, other))
    return order


def _comes_first(one: Track, other: Track, wanted: int) -> bool:
    if wanted < 0 and one.least <= other.most:
        return True
    if wanted > 0 and other.least <= one.most:
        return False
    return one.key <= other.key


def _as_they_lie(tracks: Sequence[Track]) -> list[int]:
    return sorted(range(len(tracks)), key=lambda number: tracks[number].key)


def _settled(
    tracks: Sequence[Track], order: Sequence[int], links: Links, legs: Sequence[tuple[int, int]]
) -> tuple[list[Track], list[float], bool]:
    """The tracks in the given order, their positions, and whether the limits let them keep that order. Steady tracks
    stay where they are unless they are pressed and it helps."""
    rank = {number: place for place, number in enumerate(order)}
    ranked = [tracks[number] for number in order]
    near = [_sorted_pair(rank[a], rank[b]) for a, b in links]
    apart = [Pair(a, b, _distance(ranked[a], ranked[b])) for a, b in near]
    joined = [_sorted_pair(rank[a], rank[b]) for a, b in legs]
    held = [track.is_steady for track in ranked]
    if len(apart) > MANY_PAIRS:
        spaced = _needed(apart, len(ranked))
        if _tightest(_solve(ranked, spaced, joined, held), spaced) < TELLABLE:
            return ranked, [min(track.most, max(track.least, track.position)) for track in ranked], True
    positions = _solve(ranked, apart, joined, held)
    pressed = _pressed(positions, apart)
    if any(hold and press for hold, press in zip(held, pressed, strict=True)):
        looser = _solve(ranked, apart, joined, [h and not p for h, p in zip(held, pressed, strict=True)])
        if _tightest(looser, apart) > _tightest(positions, apart) + SAME:
            positions = looser
    return ranked, positions, all(positions[a] <= positions[b] + SAME for a, b in near)


def _needed(apart: Sequence[Pair], count: int) -> list[Pair]:
    """The pairs without a track between the two that keeps them apart already."""
    after, before = [0] * count, [0] * count
    for pair in apart:
        after[pair.before] |= 1 << pair.after
        before[pair.after] |= 1 << pair.before
    return [pair for pair in apart if pair.gap > 2 * SEPARATION or not after[pair.before] & before[pair.after]]


def _solve(
    tracks: Sequence[Track], apart: Sequence[Pair], legs: Sequence[tuple[int, int]], held: Sequence[bool]
) -> list[float]:
    """Positions in the order of the tracks; those that are held keep theirs."""
    pairs = [Pair(pair.before, pair.after, pair.gap) for pair in apart]  # of its own: solving narrows gaps
    for before, after in legs:
        gap = tracks[after].position - tracks[before].position
        if gap > 0.0:
            pairs.append(Pair(before, after, min(KEPT_LEG, gap)))
    separation = Separation(
        [track.position if hold else track.least for track, hold in zip(tracks, held, strict=True)],
        [track.position if hold else track.most for track, hold in zip(tracks, held, strict=True)],
        [track.position for track in tracks],
        pairs,
    )
    return separation.solve()


def _gap(positions: Sequence[float], pair: Pair) -> float:
    """The distance of two tracks, without what their markers or labels need beyond that of bare lines."""
    return positions[pair.after] - positions[pair.before] - (pair.gap - SEPARATION)


def _tightest(positions: Sequence[float], apart: Sequence[Pair]) -> float:
    """The smallest distance between two strangers."""
    return min((_gap(positions, pair) for pair in apart), default=SEPARATION)


def _pressed(positions: Sequence[float], apart: Sequence[Pair]) -> list[bool]:
    """The tracks that stand too near each other, and all that a chain of narrow gaps joins to them."""
    narrow: list[list[int]] = [[] for _ in positions]
    pressed = [False] * len(positions)
    waiting: list[int] = []
    for pair in apart:
        gap = _gap(positions, pair)
        if gap < SEPARATION + SAME:
            narrow[pair.before].append(pair.after)
            narrow[pair.after].append(pair.before)
        if gap < LEAST_SEPARATION:
            waiting += [pair.before, pair.after]
    while waiting:
        track = waiting.pop()
        if not pressed[track]:
            pressed[track] = True
            waiting.extend(narrow[track])
    return pressed


def _distance(one: Track, other: Track) -> float:
    """How far apart two tracks should lie: parallel lines between two elements leave room for their labels."""
    if one.breadth > 0.0 and other.breadth > 0.0 and one.twins == other.twins:
        return max(SEPARATION, (one.breadth + other.breadth) / 2 + LABEL_GAP)
    if one.tip > 0.0 and other.tip > 0.0:
        return max(SEPARATION, (one.tip + other.tip) / 2 + TIP_GAP)
    return SEPARATION


def _steady(runs: Sequence[Run], drafts: Sequence[Draft]) -> list[bool]:
    """The runs that keep the anchor of R-ROUTE-2: those that end alone on a side, and the only straight line
    among the edges of a side."""
    sides = [_sides(run, drafts[run.draft]) for run in runs]
    ends = {(side, _line(run, drafts[run.draft])) for run, own in zip(runs, sides, strict=True) for side in own}
    taken = Counter(side for side, _ in ends)
    straight = Counter(side for own in sides if len(own) == 2 for side in own)
    return [
        bool(own) and all(taken[side] == 1 or (len(own) == 2 and straight[side] == 1) for side in own) for own in sides
    ]


def _line(run: Run, draft: Draft) -> Fan | int:
    """What a run is drawn as: the edges of a fan are one line."""
    return draft.connection.fan or run.draft


def _sides(run: Run, draft: Draft) -> list[Side]:
    """The element sides, or the ends of rows, at which a run ends."""
    if draft.start is None or draft.finish is None:
        return []
    found: list[Side] = []
    connection = draft.connection
    if run.index == 0:
        found.append((connection.source, draft.start.side, connection.rows[0]))
    if run.index + 2 == len(draft.points):
        found.append((connection.target, draft.finish.side, connection.rows[1]))
    return found
