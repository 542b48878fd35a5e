"""Disjoint sets of numbers, joined as links are met (union-find with path halving)."""

from __future__ import annotations


class DisjointSets:
    """`count` numbers from 0 on, each in a set of its own at first."""

    __slots__ = ("_leader",)

    def __init__(self, count: int) -> None:
        self._leader = list(range(count))

    def find(self, number: int) -> int:
        """The least number of its set."""
        leader = self._leader
        while leader[number] != number:
            leader[number] = leader[leader[number]]
            number = leader[number]
        return number

    def join(self, one: int, other: int) -> bool:
        """Make one set of two; False where they are one already."""
        first, second = self.find(one), self.find(other)
        self._leader[max(first, second)] = min(first, second)
        return first != second
