"""A crowd: runs of several routes that hang together because they lie near each other.

In: the runs with their limits, the pairs that are near, and the borders beside them. Out: tracks, and what each wants
of the others. Runs of one fan share one track, and so do two runs of one route that a small jog parts: the jog goes. A
border is a track that stays. The only edge of a side keeps its anchor where there is another way. px.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from scenograph.engine.route.courses.draft import Draft
from scenograph.engine.route.nudging.corridors import OFF_BORDER, Border
from scenograph.engine.route.nudging.ordering import nested, preference
from scenograph.engine.route.nudging.runs import SAME, Run
from scenograph.engine.route.ports.anchors import SEPARATION
from scenograph.engine.route.problem import Fan

STRAIGHT = 2  # points
LABEL_GAP = 6.0  # px; between labels of neighbouring lines
TIP_BREADTH = 13.0  # no marker is broader, and none is much broader than long
TIP_GAP = 8.0  # px; between arrowheads of neighbouring lines
LEAST_BESIDE_BORDER = 12.0  # where a line has less room on its side of a border it may lie on the other

Side = tuple[int, str, int]  # an element, a side of it, and the row whose end is meant there
Links = dict[tuple[int, int], int]  # two tracks -> how strongly the first belongs on the low side (negative)
Legs = Sequence[tuple[int, int]]


@dataclass(slots=True)
class Track:
    """One line on which a run lies, or several that lie on each other: where it wants to be, and between which limits
    it may move. Without runs it is a border."""

    runs: list[Run]
    position: float
    least: float
    most: float
    is_steady: bool
    key: tuple[float, int, int]
    twins: tuple[int, int] | None = None  # the two elements that a straight line joins which is not the only one
    breadth: float = 0.0  # of its label, across
    tip: float = 0.0  # the breadth of the markers at its ends

    def join(self, run: Run, *, is_steady: bool) -> bool:
        """Take a run in if the limits have a place in common; the longest run says where."""
        least, most = max(self.least, run.least), min(self.most, run.most)
        if least > most:
            return False
        wish = max((*self.runs, run), key=lambda one: one.high - one.low).wish
        self.least, self.most, self.position = least, most, min(most, max(least, wish))
        self.is_steady = self.is_steady or is_steady
        self.runs.append(run)
        return True


class Crowd:
    """One cluster of near runs on one axis (`across` 0: upright runs, apart in x; 1: level runs, apart in y)."""

    def __init__(self, runs: list[Run], pairs: Sequence[tuple[int, int]], drafts: Sequence[Draft], across: int) -> None:
        self.runs = runs
        self._drafts = drafts
        self._across = across
        self._kin = [(a, b) for a, b in pairs if self._are_kin(runs[a], runs[b])]
        self._strange = [(a, b) for a, b in pairs if not self._are_kin(runs[a], runs[b])]
        self._wanted = [self._preference(a, b) for a, b in self._strange]

    def is_calm(self) -> bool:
        """Whether everyone lies where it wants, has room and stands on the right side already, and kin lie on one
        line."""
        runs = self.runs
        for (a, b), wanted in zip(self._strange, self._wanted, strict=True):
            gap = runs[b].position - runs[a].position
            if abs(gap) < SEPARATION - SAME or wanted * gap > 0.0:
                return False
        return all(run.wish == run.position for run in runs) and all(
            abs(runs[a].position - runs[b].position) <= SAME for a, b in self._kin
        )

    def tracks(self, borders: Sequence[Sequence[Border]]) -> tuple[list[Track], Links, Legs]:
        """The tracks, what they want of each other, and the pairs that a leg joins. The limits of the runs must have
        been set; `borders` are those beside each run."""
        tracks, track_of = self._tracks()
        links, legs = self._links(track_of), self._legs(track_of)
        walls: dict[float, int] = {}
        for number, beside in zip(track_of, borders, strict=True):
            for border in beside:
                wall, at = walls.get(border.at), border.at
                if wall is None:
                    wall = walls[at] = len(tracks)
                    tracks.append(Track([], at, at, at, is_steady=False, key=(at, -1, -1)))
                links[number, wall] = _side_of_border(tracks[number], border)
        return tracks, links, legs

    def _are_kin(self, one: Run, other: Run) -> bool:
        """Whether two runs may lie on one another."""
        fan = self._drafts[one.draft].connection.fan
        return one.draft == other.draft or (fan is not None and fan == self._drafts[other.draft].connection.fan)

    def _preference(self, a: int, b: int) -> int:
        one, other = self.runs[a], self.runs[b]
        routes = self._drafts[one.draft].points, self._drafts[other.draft].points
        if len(routes[0]) > STRAIGHT and routes[0] in (routes[1], routes[1][::-1]):
            return nested(one, other, self._across)
        return preference(one, other, routes, self._across)

    def _tracks(self) -> tuple[list[Track], list[int]]:
        """The tracks, and the number of the track of each run. Kin join as long as their limits have a place in
        common."""
        steady = _steady(self.runs, self._drafts)
        tracks: list[Track] = []
        track_of: list[int] = []
        joined = {b: a for a, b in sorted((sorted_pair(*pair) for pair in self._kin), reverse=True)}
        for number, run in enumerate(self.runs):
            kin = track_of[joined[number]] if number in joined else None
            if kin is None or not tracks[kin].join(run, is_steady=steady[number]):
                kin = len(tracks)
                tracks.append(self._track(run, is_steady=steady[number]))
            track_of.append(kin)
        return tracks, track_of

    def _track(self, run: Run, *, is_steady: bool) -> Track:
        track = Track([run], run.wish, run.least, run.most, is_steady, (run.wish, run.draft, run.index))
        draft = self._drafts[run.draft]
        connection = draft.connection
        tips = [connection.tips[0]] if run.index == 0 else []
        tips += [connection.tips[1]] if run.index + 2 == len(draft.points) else []
        track.tip = max((min(TIP_BREADTH, tip) for tip in tips), default=0.0)
        if connection.twins > 1 and len(draft.points) == 2:
            track.twins = sorted_pair(connection.source, connection.target)
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

    def _legs(self, track_of: list[int]) -> Legs:
        """Tracks with runs of one route that a single leg joins: they keep their order."""
        numbers = {(run.draft, run.index): track for run, track in zip(self.runs, track_of, strict=True)}
        pairs = (
            (track, numbers[draft, index + 2])
            for (draft, index), track in numbers.items()
            if (draft, index + 2) in numbers
        )
        return [(a, b) for a, b in pairs if a != b]


def sorted_pair(a: int, b: int) -> tuple[int, int]:
    """The two numbers, the smaller first."""
    return (a, b) if a <= b else (b, a)


def _side_of_border(track: Track, border: Border) -> int:
    """On which side of a border a track belongs: where it lies, or, where the line leaves the frame anyway, where there
    is room."""
    below, above = border.at - track.least, track.most - border.at
    is_below = track.position <= border.at
    if border.is_left and (below if is_below else above) < LEAST_BESIDE_BORDER:
        is_below = below >= above
    return -1 if is_below else 1


def distance(one: Track, other: Track) -> float:
    """How far apart two tracks should lie: parallel lines between two elements leave room for their labels."""
    if not one.runs or not other.runs:
        return OFF_BORDER
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
