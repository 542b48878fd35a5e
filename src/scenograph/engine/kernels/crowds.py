"""Runs of several lines that hang together because they lie near each other.

In: the runs of one axis, the pairs that are near, their lines. Out: the crowds in which not all lie well; the tracks of
a crowd, and what each wants of the others. Runs of one fan share one track, and so do two runs of one line that a small
jog parts: the jog goes. A border is a track that stays. The only line of a side keeps its place where there is another
way. px.
"""

from __future__ import annotations

from typing import Final

from scenograph.engine.kernels.corridors import OFF_BORDER, Corridors
from scenograph.engine.kernels.disjoint_sets import DisjointSets
from scenograph.engine.kernels.run_order import nested, preference
from scenograph.engine.kernels.runs import SAME, SEPARATION, Line, Mark, Run, level

JOG: Final = 24.0  # px; a shorter step in a line is taken out
STRAIGHT: Final = 2  # points
LABEL_GAP: Final = 6.0  # px; between labels of neighbouring lines
TIP_BREADTH: Final = 13.0  # no marker is broader, and none is much broader than long
TIP_GAP: Final = 8.0  # px; between arrowheads of neighbouring lines
LEAST_BESIDE_BORDER: Final = 12.0  # where a line has less room on its side of a border it may lie on the other

Pair = tuple[int, int]
Links = dict[Pair, int]  # two tracks -> how strongly the first belongs on the low side (negative)
Legs = list[Pair]
Cluster = tuple[list[int], list[Pair]]  # numbers of runs, and the pairs of those that are near, as places among them


class Track:
    """One line on which a run lies, or several that lie on each other: where it wants to be, and between which limits
    it may move. Without runs it is a border. `twins`: the two elements that a straight line joins which is not the only
    one; `breadth`: of its label, across; `tip`: the breadth of the markers at its ends."""

    __slots__ = ("breadth", "is_steady", "key", "least", "most", "position", "runs", "tip", "twins")

    def __init__(
        self, runs: list[Run], limits: tuple[float, float], key: tuple[float, int, int], *, is_steady: bool
    ) -> None:
        """`key`: the position, and what orders two of one position."""
        self.runs = runs
        self.least, self.most = limits
        self.position = key[0]
        self.key = key
        self.is_steady = is_steady
        self.twins: Pair = (-1, -1)
        self.breadth = 0.0
        self.tip = 0.0

    def join(self, run: Run, *, is_steady: bool) -> bool:
        """Take a run in if the limits have a place in common; the longest run says where."""
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
    """One cluster of near runs on one axis (`across` 0: upright runs, apart in x; 1: level runs, apart in y)."""

    def __init__(self, runs: list[Run], pairs: list[Pair], lines: list[Line], across: int) -> None:
        self.runs = runs
        self._lines = lines
        self._across = across
        self._kin: list[Pair] = []
        self._strange: list[Pair] = []
        self._wanted: list[int] = []
        for pair in pairs:
            if self._are_kin(runs[pair[0]], runs[pair[1]]):
                self._kin.append(pair)
            else:
                self._strange.append(pair)
                self._wanted.append(self._preference(runs[pair[0]], runs[pair[1]]))

    def is_calm(self) -> bool:
        """Whether everyone lies where it wants, has room and stands on the right side already, and kin lie on one
        line."""
        runs = self.runs
        for number, (a, b) in enumerate(self._strange):
            gap = runs[b].position - runs[a].position
            if abs(gap) < SEPARATION - SAME or self._wanted[number] * gap > 0.0:
                return False
        if any(run.wish != run.position for run in runs):
            return False
        return all(abs(runs[a].position - runs[b].position) <= SAME for a, b in self._kin)

    def tracks(self, corridors: Corridors) -> tuple[list[Track], Links, Legs]:
        """The tracks, what they want of each other, and the pairs that a leg joins. The limits of the runs must have
        been set."""
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
        """Whether a line comes from the one side of a border and goes on to the other by the legs of a run."""
        points = self._lines[run.draft].points
        if run.index == 0 or run.index + 2 == len(points):
            return False
        before, after = level(points[run.index - 1], self._across), level(points[run.index + 2], self._across)
        return (before - at) * (after - at) < 0.0

    def _are_kin(self, one: Run, other: Run) -> bool:
        """Whether two runs may lie on one another."""
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
        if line.twins > 1 and len(line.points) == STRAIGHT:
            track.twins = sorted_pair(line.start.mark[0], line.finish.mark[0])
            track.breadth = max(SEPARATION, line.label[1] if self._across else line.label[0])
        return track

    def _links(self, track_of: list[int]) -> Links:
        """What the strangers of one track want of those of another, added up."""
        links: Links = {}
        for number, (a, b) in enumerate(self._strange):
            one, other, wanted = track_of[a], track_of[b], self._wanted[number]
            if one < other:
                links[one, other] = links.get((one, other), 0) + wanted
            elif other < one:
                links[other, one] = links.get((other, one), 0) - wanted
        return links

    def _legs(self, track_of: list[int]) -> Legs:
        """Tracks with runs of one route that a single leg joins: they keep their order."""
        numbers: dict[Pair, int] = {}
        for place, run in enumerate(self.runs):
            numbers[run.draft, run.index] = track_of[place]
        legs: Legs = []
        for (draft, index), track in numbers.items():
            following = numbers.get((draft, index + 2), track)
            if following != track:
                legs.append((track, following))
        return legs


def sorted_pair(a: int, b: int) -> Pair:
    """The two numbers, the smaller first."""
    return (a, b) if a <= b else (b, a)


def distance(one: Track, other: Track) -> float:
    """How far apart two tracks should lie: parallel lines between two elements leave room for their labels."""
    if not one.runs or not other.runs:
        return OFF_BORDER
    if one.breadth > 0.0 and other.breadth > 0.0 and one.twins == other.twins:
        return max(SEPARATION, (one.breadth + other.breadth) / 2 + LABEL_GAP)
    if one.tip > 0.0 and other.tip > 0.0:
        return max(SEPARATION, (one.tip + other.tip) / 2 + TIP_GAP)
    return SEPARATION


def restless(runs: list[Run], near: list[Pair], lines: list[Line], corridors: Corridors, across: int) -> list[Crowd]:
    """The crowds with a fresh line in which not all runs lie where they want, off all borders; the limits of their runs
    are set."""
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


def _is_across(one: Run, other: Run, lines: list[Line]) -> bool:
    """Whether an element that both end at lies between two runs: one comes, the other goes on from the far side."""
    if not (one.anchored and other.anchored) or min(one.high, other.high) > max(one.low, other.low):
        return False
    first, second = lines[one.draft], lines[other.draft]
    ends = second.start.mark[0], second.finish.mark[0]
    return first.start.mark[0] in ends or first.finish.mark[0] in ends


def _add_jogs(pairs: list[Pair], runs: list[Run], lines: list[Line]) -> None:
    """Add two runs of a route that go the same way a few px apart: they become one where there is room."""
    for number in range(len(runs) - 1):
        run, following = runs[number], runs[number + 1]
        is_step = run.draft == following.draft and following.index == run.index + 2
        is_small = run.backward == following.backward and abs(run.wish - following.wish) < JOG
        if is_step and is_small and not lines[run.draft].is_set:
            pairs.append((number, number + 1))


def _clusters(count: int, pairs: list[Pair]) -> list[Cluster]:
    """Runs that hang together, in the order of their first members."""
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
    """On which side of a border a track belongs: where it lies, or, where the line leaves the frame anyway, where there
    is room."""
    below, above = at - track.least, track.most - at
    is_below = track.position <= at
    if is_left and (below if is_below else above) < LEAST_BESIDE_BORDER:
        is_below = below >= above
    return -1 if is_below else 1


def _steady(runs: list[Run], lines: list[Line]) -> list[bool]:
    """The runs that keep the anchor of R-ROUTE-2: those that end alone on a side, and the only straight line
    among the edges of a side."""
    marks = [_marks(run, lines[run.draft]) for run in runs]
    ends: set[tuple[Mark, int, int]] = set()
    taken: dict[Mark, int] = {}
    straight: dict[Mark, int] = {}
    for place, run in enumerate(runs):
        fan = lines[run.draft].fan
        for mark in marks[place]:
            # The edges of a fan are one line.
            end = (mark, fan, -1) if fan >= 0 else (mark, -1, run.draft)
            if end not in ends:
                ends.add(end)
                taken[mark] = taken.get(mark, 0) + 1
            if len(marks[place]) == 2:
                straight[mark] = straight.get(mark, 0) + 1
    return [_is_steady(own, taken, straight) for own in marks]


def _is_steady(own: list[Mark], taken: dict[Mark, int], straight: dict[Mark, int]) -> bool:
    return bool(own) and all(taken[mark] == 1 or (len(own) == 2 and straight[mark] == 1) for mark in own)


def _marks(run: Run, line: Line) -> list[Mark]:
    """The element sides, or the ends of rows, at which a run ends."""
    found: list[Mark] = []
    if run.index == 0:
        found.append(line.start.mark)
    if run.index + 2 == len(line.points):
        found.append(line.finish.mark)
    return found
