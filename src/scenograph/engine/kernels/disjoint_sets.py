"""Disjoint sets of numbers, joined as links are met (union-find with path halving)."""

from __future__ import annotations


class DisjointSets:
    """`count` numbers from 0 on, initially in `count` separate sets."""

    __slots__ = ("_leader",)

    def __init__(self, count: int) -> None:
        self._leader = list(range(count))

    def find(self, number: int) -> int:
        """The least number of the set."""
        leader = self._leader
        while leader[number] != number:
            leader[number] = leader[leader[number]]
            number = leader[number]
        return number

    def join(self, one: int, other: int) -> bool:
        """Merge two sets. False when both numbers are in one set already."""
        first, second = self.find(one), self.find(other)
        self._leader[max(first, second)] = min(first, second)
        return first != second
