"""Where the tracks of a crowd lie: an order that adds no crossings, then places, a line's distance from each other.

In: tracks, and what each wants of the others. Out: the tracks in their order with a position for each. px.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import Final

from scenograph.engine.kernels.corridors import Corridors
from scenograph.engine.kernels.crowds import Crowd, Legs, Links, Track, distance, sorted_pair
from scenograph.engine.kernels.runs import SAME, SEPARATION, Run
from scenograph.engine.kernels.spacing import Pair, Separation

KEPT_LEG: Final = 8.0  # px; the length that a leg keeps while its tracks move
MANY_PAIRS: Final = 250  # hang together in a large crowd
APART: Final = 6.0  # px; an order that brings two lines closer is not worth its crossing: they look like one
PRESSED: Final = 0.75  # the share of its distance below which a track gives way that would rather stay
TELLABLE: Final = 0.04  # lines of a large crowd that would lie closer lie on one another instead, as one thin trunk


def settled(crowds: list[Crowd], corridors: Corridors) -> list[tuple[Run, float]]:
    """Where the runs of all crowds go. Their limits must have been set."""
    found: list[tuple[Run, float]] = []
    for crowd in crowds:
        tracks, links, legs = crowd.tracks(corridors)
        ranked, positions = settle(tracks, links, legs)
        for place, track in enumerate(ranked):
            for run in track.runs:
                found.append((run, positions[place]))
    return found


def settle(tracks: list[Track], links: Links, legs: Legs) -> tuple[list[Track], list[float]]:
    """The tracks from the low side to the high side, and their positions: in the order that the links want where the
    limits let them keep it, else as they lie."""
    ranked, positions, is_kept = _settled(tracks, _ordered(tracks, links), links, legs)
    if not is_kept:
        as_they_lie = [number for _, number in sorted([(track.key, number) for number, track in enumerate(tracks)])]
        ranked, positions, is_kept = _settled(tracks, as_they_lie, links, legs)
    return ranked, positions


def _ordered(tracks: list[Track], links: Links) -> list[int]:
    """All tracks from the low side to the high side: as the links want it, by position where they do not care."""
    after: list[list[int]] = [[] for _ in tracks]
    waits = [0] * len(tracks)
    for (a, b), wanted in links.items():
        if wanted == 0 and _have_room(tracks[a], tracks[b]):
            continue  # the keys order those that do not care; as wishes they would make circles with those that do
        first, second = (a, b) if _comes_first(tracks[a], tracks[b], wanted) else (b, a)
        after[first].append(second)
        waits[second] += 1
    # Where all that are left wait for each other, in a circle of wishes, the one that waits for the fewest breaks it.
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
    """As the first wants it, else as they lie, else as there is more room: each only where it leaves them apart."""
    if wanted < 0 and one.least + APART <= other.most:
        return True
    if wanted > 0 and other.least + APART <= one.most:
        return False
    return one.key <= other.key if _have_room(one, other) else one.least + one.most <= other.least + other.most


def _have_room(one: Track, other: Track) -> bool:
    """Whether two tracks can be told apart in the order in which they lie."""
    if one.key <= other.key:
        return one.least + APART <= other.most
    return other.least + APART <= one.most


def _settled(tracks: list[Track], order: list[int], links: Links, legs: Legs) -> tuple[list[Track], list[float], bool]:
    """The tracks in the given order, their positions, and whether the limits let them keep that order. Steady tracks
    stay where they are unless they are pressed and it helps."""
    rank = [0] * len(order)
    for place, number in enumerate(order):
        rank[number] = place
    ranked = [tracks[number] for number in order]
    near = [sorted_pair(rank[a], rank[b]) for a, b in links]
    near += _met(ranked, near)
    apart = [Pair(a, b, distance(ranked[a], ranked[b])) for a, b in near]
    joined = [sorted_pair(rank[a], rank[b]) for a, b in legs]
    held = [track.is_steady for track in ranked]
    if len(apart) > MANY_PAIRS:
        spaced = _needed(apart, len(ranked))
        if _tightest(_solve(ranked, spaced, joined, held), spaced) < TELLABLE:
            return ranked, [min(track.most, max(track.least, track.position)) for track in ranked], True
    positions = _solve(ranked, apart, joined, held)
    pressed = _pressed(positions, apart)
    free = [held[place] and pressed[place] for place in range(len(ranked))]
    if any(free):
        looser = _solve(ranked, apart, joined, [held[place] and not free[place] for place in range(len(ranked))])
        if _tightest(looser, apart) > _tightest(positions, apart) + SAME:
            positions = looser
    return ranked, positions, all(positions[a] <= positions[b] + SAME for a, b in near)


def _met(ranked: list[Track], near: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Each track that comes to lie beside another which it was not near, where tracks change places: it keeps its
    distance from the next that runs along it."""
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
    """The pairs without a track between the two that keeps them apart already."""
    after, before = [0] * count, [0] * count
    for pair in apart:
        after[pair.before] |= 1 << pair.after
        before[pair.after] |= 1 << pair.before
    return [pair for pair in apart if pair.gap > 2 * SEPARATION or not after[pair.before] & before[pair.after]]


def _solve(tracks: list[Track], apart: list[Pair], legs: Legs, held: list[bool]) -> list[float]:
    """Positions in the order of the tracks; those that are held keep theirs."""
    pairs = [Pair(pair.before, pair.after, pair.gap) for pair in apart]  # of its own: solving narrows gaps
    for before, after in legs:
        gap = tracks[after].position - tracks[before].position
        if gap > 0.0:
            pairs.append(Pair(before, after, min(KEPT_LEG, gap)))
    least = [track.position if held[place] else track.least for place, track in enumerate(tracks)]
    most = [track.position if held[place] else track.most for place, track in enumerate(tracks)]
    return Separation(least, most, [track.position for track in tracks], pairs).solve()


def _share(positions: list[float], pair: Pair) -> float:
    """How much of the distance that two tracks should keep they have; at most 1."""
    gap = positions[pair.after] - positions[pair.before]
    return min(1.0, gap / pair.gap)


def _tightest(positions: list[float], apart: list[Pair]) -> float:
    """The smallest share of a distance that two tracks have."""
    tightest = 1.0
    for pair in apart:
        tightest = min(tightest, _share(positions, pair))
    return tightest


def _pressed(positions: list[float], apart: list[Pair]) -> list[bool]:
    """The tracks that stand too near each other, and all that a chain of narrow gaps joins to them."""
    narrow: list[list[int]] = [[] for _ in positions]
    pressed = [False] * len(positions)
    waiting: list[int] = []
    for pair in apart:
        if positions[pair.after] - positions[pair.before] < pair.gap + SAME:
            narrow[pair.before].append(pair.after)
            narrow[pair.after].append(pair.before)
        if _share(positions, pair) < PRESSED:
            waiting.append(pair.before)
            waiting.append(pair.after)
    while waiting:
        track = waiting.pop()
        if not pressed[track]:
            pressed[track] = True
            waiting.extend(narrow[track])
    return pressed
