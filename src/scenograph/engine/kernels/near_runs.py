"""Which of many parallel runs lie near each other. px."""

from __future__ import annotations

from bisect import bisect_right


class NearRuns:
    """Runs, each by what it wishes for across, its span along, and its owner: two of one owner are never a pair. Near
    are those less than `near` apart across and less than `touching` along."""

    def __init__(self, runs: list[tuple[float, float, float, int]], near: float, touching: float) -> None:
        self._runs = runs
        self._near = near
        self._touching = touching

    def pairs(self, most: int, looks: int) -> list[tuple[int, int]]:
        """The near pairs. Each run with at most `most` of those on its own shelf that begin after it, and of those on
        the next shelf; no more than `looks` are looked at for either."""
        shelves = self._shelves()
        reaches = {shelf: self._reach(numbers) for shelf, numbers in shelves.items()}
        found: list[tuple[int, int]] = []
        for shelf, numbers in shelves.items():
            following = shelves.get(shelf + 1)
            for place, number in enumerate(numbers):
                rest = min(len(numbers), place + 1 + looks)
                found += self._overlapping(number, numbers, range(place + 1, rest), most)
                if following is not None:
                    # Those before end before this run begins.
                    first = bisect_right(reaches[shelf + 1], self._runs[number][1] - self._touching)
                    rest = min(len(following), first + looks)
                    found += self._overlapping(number, following, range(first, rest), most)
        return found

    def _shelves(self) -> dict[int, list[int]]:
        """The runs by the band across that they lie in, each band in the order in which its runs begin."""
        runs, shelves = self._runs, dict[int, list[int]]()
        for number in sorted(range(len(runs)), key=lambda number: (runs[number][1], number)):
            shelves.setdefault(int(runs[number][0] // self._near), []).append(number)
        return shelves

    def _reach(self, numbers: list[int]) -> list[float]:
        """How far the runs of a shelf go, up to each of them."""
        reach: list[float] = []
        farthest = self._runs[numbers[0]][2]
        for number in numbers:
            farthest = max(farthest, self._runs[number][2])
            reach.append(farthest)
        return reach

    def _overlapping(self, number: int, others: list[int], places: range, most: int) -> list[tuple[int, int]]:
        """The pairs of a run with those of the others at these places."""
        wish, low, high, owner = self._runs[number]
        low, high = low - self._touching, high + self._touching
        found: list[tuple[int, int]] = []
        for place in places:
            other = others[place]
            other_wish, other_low, other_high, other_owner = self._runs[other]
            if other_low > high or len(found) == most:
                break
            if other_high > low and other_owner != owner and abs(other_wish - wish) < self._near:
                found.append((number, other))
        return found
