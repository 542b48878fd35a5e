"""Which of many parallel runs lie near each other. px."""

from __future__ import annotations

from bisect import bisect_right

from scenograph.engine.kernels.runs import Run

Pair = tuple[int, int]


class NearRuns:
    """Runs by what they wish for across: two of one route are never a pair. Near are those less than `near` apart
    across and less than `touching` along."""

    def __init__(self, runs: list[Run], near: float, touching: float) -> None:
        self._runs = runs
        self._near = near
        self._touching = touching

    def pairs(self, most: int, looks: int) -> list[Pair]:
        """The near pairs. Each run with at most `most` of those on its own shelf that begin after it, and of those on
        the next shelf; no more than `looks` are looked at for either."""
        shelves = self._shelves()
        reaches = {shelf: self._reach(numbers) for shelf, numbers in shelves.items()}
        found: list[Pair] = []
        for shelf, numbers in shelves.items():
            following = shelves.get(shelf + 1)
            for place, number in enumerate(numbers):
                self._overlapping(found, numbers, (number, place + 1, looks), most)
                if following is not None:
                    # Those before end before this run begins.
                    first = bisect_right(reaches[shelf + 1], self._runs[number].low - self._touching)
                    self._overlapping(found, following, (number, first, looks), most)
        return found

    def _shelves(self) -> dict[int, list[int]]:
        """The runs by the band across that they lie in, each band in the order in which its runs begin."""
        runs, shelves = self._runs, dict[int, list[int]]()
        lows = [run.low for run in runs]
        for number in sorted(range(len(runs)), key=lows.__getitem__):
            shelves.setdefault(int(runs[number].wish // self._near), []).append(number)
        return shelves

    def _reach(self, numbers: list[int]) -> list[float]:
        """How far the runs of a shelf go, up to each of them."""
        reach: list[float] = []
        farthest = self._runs[numbers[0]].high
        for number in numbers:
            farthest = max(farthest, self._runs[number].high)
            reach.append(farthest)
        return reach

    def _overlapping(self, found: list[Pair], others: list[int], look: tuple[int, int, int], most: int) -> None:
        """Add the pairs of a run with others; `look`: its number, the place of the first one that is looked at, and at
        how many."""
        number, first, looks = look
        run, left = self._runs[number], most
        low, high = run.low - self._touching, run.high + self._touching
        for place in range(first, min(len(others), first + looks)):
            other = self._runs[others[place]]
            if other.low > high or left == 0:
                break
            if other.high > low and other.draft != run.draft and abs(other.wish - run.wish) < self._near:
                found.append((number, others[place]))
                left -= 1
