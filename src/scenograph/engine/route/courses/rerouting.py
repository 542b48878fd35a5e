"""Rip-up and reroute: lines that cost much look for another course, the worst first.

In: drafts. Out: the same drafts, some of them elsewhere: longer by no more than what they save. Every change lowers the
total of the one cost (`costs`), so the order of the lines decides little.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum

from scenograph.engine.effort import Effort
from scenograph.engine.geometry.boxes import Point
from scenograph.engine.geometry.segments import length
from scenograph.engine.route.costs import BEND, CRAMPED_LABEL, CROSSING, OFF_STRAIGHT, OFF_TRUNK, WORTH_A_CHANGE
from scenograph.engine.route.courses.draft import Draft
from scenograph.engine.route.courses.label_room import cramped
from scenograph.engine.route.courses.occupancy import Occupancy
from scenograph.engine.route.courses.pathfinder import NOTHING_BARRED, Barred, Pathfinder
from scenograph.engine.route.courses.simple import Path
from scenograph.engine.route.courses.straightening import straighten
from scenograph.engine.route.courses.traffic import TrafficMap
from scenograph.engine.route.ports.anchors import Anchor
from scenograph.engine.route.problem import Channel, Connection

STRAIGHT = 2  # points
SWEEPS = 2  # the second where the first has taken trunks apart, over the lines whose crossings that has changed


def untangle(drafts: Sequence[Draft], finder: Pathfinder, effort: Effort) -> list[int]:
    """Give every orthogonal route that crosses others or ends at a crowded side a second look, the dearest first.
    Answers those that stay as they are because the effort for looking, or that of the finder, is spent."""
    if not movable(drafts):
        return []
    rerouting = Rerouting(drafts, finder, effort)
    straighten(drafts, rerouting.movable, rerouting.traffic, finder.terrain)
    looked: dict[int, float] = dict.fromkeys(rerouting.movable, 0.0)
    left: list[int] = []
    for _ in range(SWEEPS):
        costs = rerouting.savings(list(looked))
        left += [number for number in looked if number not in costs]
        dear = [number for number, cost in costs.items() if cost and cost != looked[number]]
        dear.sort(key=lambda number: (-costs[number], number))
        for number in dear:
            if effort.is_spent or finder.effort.is_spent:
                left.append(number)
            else:
                rerouting.reroute(number)
        if not rerouting.has_parted:
            break
        looked = {number: costs[number] for number in dear}
    return list(dict.fromkeys(left))


class Rerouting:
    """All courses of a scene while some of them move."""

    def __init__(self, drafts: Sequence[Draft], finder: Pathfinder, effort: Effort) -> None:
        self._drafts = drafts
        self._effort = effort
        self.traffic = TrafficMap([draft.connection.fan for draft in drafts])
        self.traffic.put_all([(number, draft.points) for number, draft in enumerate(drafts) if draft.start is not None])
        self.movable = movable(drafts)
        self._finder = finder
        self._sides = Occupancy(drafts)
        self.has_parted = False

    def crossings(self, number: int) -> int:
        """How many others the course of a line crosses."""
        looks = self.traffic.looks
        found = self.traffic.crossings(number, self._drafts[number].points)
        self._effort.spend(self.traffic.looks - looks)
        return found

    def savings(self, numbers: list[int]) -> dict[int, float]:
        """What another way of each line could save at the most: its crossings, its crowded sides, its cramped label;
        of the first ones, as many as the effort reaches for."""
        looks = self.traffic.looks
        crossed = self.traffic.crossings_of(numbers, self._effort.left)
        self._effort.spend(self.traffic.looks - looks)
        return {
            number: CROSSING * count + self._crowd(number) + (CRAMPED_LABEL if cramped(self._drafts[number]) else 0.0)
            for number, count in zip(numbers, crossed, strict=False)
        }

    def _crowd(self, number: int) -> float:
        """What a line pays for the sides where it ends."""
        return self._sides.paid(self._drafts[number])

    def reroute(self, number: int) -> bool:
        """Send a line another way if that costs less; whether it went."""
        crossed, gap = self.crossings(number), cramped(self._drafts[number])
        kept = _least_gain(self._drafts[number])
        if gap is not None:
            return self._sent(number, crossed, CRAMPED_LABEL - kept, Barred([gap]))
        if not crossed and not self._crowd(number):
            return False
        return (bool(crossed) and self._parted(number, crossed)) or self._sent(number, crossed, -kept, NOTHING_BARRED)

    def leaves(self, number: int, narrow: Sequence[Channel], price: float) -> bool:
        """Send a line another way, not along these channels, if that costs less than staying and `price`."""
        if number not in self.movable or _is_pinned(self._drafts[number]):
            return False
        kept = _least_gain(self._drafts[number])
        return self._sent(number, self.crossings(number), price - kept, Barred(narrow=narrow))

    def _parted(self, number: int, crossed: int) -> bool:
        """Let a line that shows its own label leave its trunk if a way of its own costs less; whether it did."""
        draft = self._drafts[number]
        if draft.alone is None:
            return False
        bound = draft.connection
        self._bind(number, draft.alone)
        if self._sent(number, crossed, -OFF_TRUNK, NOTHING_BARRED):
            draft.alone = None
            self.has_parted = True
            return True
        self._bind(number, bound)
        return False

    def _bind(self, number: int, connection: Connection) -> None:
        """Draw a line in another trunk than before, or in none."""
        draft = self._drafts[number]
        self._sides.add(draft, -1)
        draft.connection = connection
        self._sides.add(draft, 1)
        self.traffic.assign(number, connection.fan)

    def _sent(self, number: int, crossed: int, more: float, barred: Barred) -> bool:
        draft = self._drafts[number]
        if draft.start is None or draft.finish is None or self._finder.effort.is_spent:
            return False
        now = course_cost(draft.points, (draft.start, draft.finish), crossed) + self._crowd(number) + more
        self._sides.add(draft, -1)
        # The search pays half a crossing where a way turns onto another, which may cross nothing.
        limits = now, now + CROSSING / 2 if crossed else now
        found = self._another(number, self._sides.priced(draft.connection), limits, barred)
        if found is not None:
            draft.points = found.points
            draft.start, draft.finish = self._sides.unpriced(draft.connection, (found.start, found.finish))
            self.traffic.put(number, found.points)
        self._sides.add(draft, 1)
        return found is not None

    def _another(self, number: int, connection: Connection, limits: tuple[float, float], barred: Barred) -> Path | None:
        """Another way that costs less than the first of the `limits`; the second is that of the search."""
        limit, most = limits
        found = self._finder.detour(connection, lambda region: self.traffic.around(region, number), most, barred)
        if found is None or found.points[0] == found.points[-1]:
            return None
        # The search does not see that a way crosses a run which it follows for a while and leaves on the other side.
        crossed = self.traffic.crossings(number, found.points)
        return found if course_cost(found.points, (found.start, found.finish), crossed) < limit else None


def movable(drafts: Sequence[Draft]) -> list[int]:
    """The numbers of the lines that may go another way."""
    return [
        number
        for number, draft in enumerate(drafts)
        if draft.start is not None and not (draft.connection.is_loop or draft.is_set)
    ]


def course_cost(points: tuple[Point, ...], ends: tuple[Anchor, Anchor], crossings: int) -> float:
    """The one cost of a course: its length, its bends, what it crosses, and its sides."""
    bends = len(points) - 2
    return length(points) + BEND * bends + CROSSING * crossings + fsum(anchor.penalty for anchor in ends)


def _is_pinned(draft: Draft) -> bool:
    """Whether an end stays where it is: in a vertex that lines must share, or at a port."""
    return any(anchor is None or anchor.room_low == anchor.room_high for anchor in (draft.start, draft.finish))


def _least_gain(draft: Draft) -> float:
    """What another way must save."""
    return OFF_STRAIGHT if len(draft.points) == STRAIGHT else WORTH_A_CHANGE
