"""Short jogs of lines in ranks whose order is settled: what hangs together by straight stretches is moved as one, so
that a stretch with a short jog runs straight too. Flow from top to bottom. px.

A single slot is often held by its own straight line: one that moves alone makes a new jog for each that it takes out.
In: an order and the middles of its slots. Out: those middles, changed in place. Promises: rows keep their order and
the distances that they need; nothing leaves the room of the level; lines and jogs cost less than before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from scenograph.engine.place.subgraph import Chain, RankOrder
from scenograph.late_dataclasses import dataclass

JOG = 24.0  # px; up to this long a jog is taken out
TURN = 40.0  # px; what a jog costs, as two bends of a route do
LEVEL = 0.01  # px; less is straight
GAIN = 1.0  # px; a smaller one is rounding
MOST_SLOTS = 60  # that move as one


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows from above, with the least distances from the first slot of each, and how far each slot may go."""

    order: RankOrder
    steps: Sequence[Sequence[float]]
    ends: Mapping[str, tuple[float, float]]


class _Level:
    """What stands where, and what it is joined to."""

    def __init__(self, rows: Rows, middles: dict[str, float], weights: Mapping[Chain, float]) -> None:
        self._rows, self._middles, self._weights = rows, middles, weights
        self._at = {name: (row, at) for row, names in enumerate(rows.order.rows) for at, name in enumerate(names)}
        self._chains: dict[str, list[Chain]] = {name: [] for name in self._at}
        for chain in rows.order.chains:
            self._chains[chain.upper].append(chain)
            self._chains[chain.lower].append(chain)

    def jog(self, chain: Chain) -> float:
        """How far the upper end of a stretch stands beside its lower end."""
        upper, lower = self._middles[chain.upper], self._middles[chain.lower]
        return upper + chain.upper_offset - lower - chain.lower_offset

    def straighten(self, chain: Chain) -> None:
        """Take out the jog of a stretch by moving what hangs straight on one of its ends, where that costs less."""
        jog = self.jog(chain)
        if not LEVEL < abs(jog) <= JOG:
            return
        tried = [(chain.lower, jog), (chain.upper, -jog)]
        moves = [(self._gain(block, shift), shift, block) for end, shift in tried if (block := self._block(end))]
        best = max(moves, key=lambda move: move[0], default=None)
        if best is not None and best[0] > GAIN:
            for name in best[2]:
                self._middles[name] += best[1]

    def _block(self, start: str) -> list[str]:
        """What hangs together with a slot by straight stretches; nothing where that is too much."""
        found, seen = [start], {start}
        for name in found:
            for chain in self._chains[name]:
                other = chain.lower if chain.upper == name else chain.upper
                if other not in seen and abs(self.jog(chain)) <= LEVEL:
                    seen.add(other)
                    found.append(other)
            if len(found) > MOST_SLOTS:
                return []
        return found

    def _gain(self, block: Sequence[str], shift: float) -> float:
        """By how much the lines cost less with a block moved; nothing where there is no room for it."""
        moved = set(block)
        if not all(self._has_room(name, shift, moved) for name in block):
            return 0.0
        gain = 0.0
        for chain in self._leaving(block, moved):
            before = self.jog(chain)
            after = before + (shift if chain.upper in moved else -shift)
            turns = (abs(before) > LEVEL) - (abs(after) > LEVEL)
            gain += self._weights[chain] * (abs(before) - abs(after)) + TURN * turns
        return gain

    def _leaving(self, block: Iterable[str], moved: set[str]) -> Iterable[Chain]:
        return (
            chain
            for name in block
            for chain in self._chains[name]
            if (chain.upper in moved) is not (chain.lower in moved)
        )

    def _has_room(self, name: str, shift: float, moved: set[str]) -> bool:
        row, at = self._at[name]
        names, steps, place = self._rows.order.rows[row], self._rows.steps[row], self._middles[name] + shift
        least, most = self._rows.ends[name]
        if not least - LEVEL <= place <= most + LEVEL:
            return False
        for beside in (at - 1, at + 1):
            if 0 <= beside < len(names) and names[beside] not in moved:
                needed = abs(steps[beside] - steps[at])
                if abs(self._middles[names[beside]] - place) < needed - LEVEL:
                    return False
                if (self._middles[names[beside]] < place) is not (beside < at):
                    return False
        return True


def straighten_blocks(rows: Rows, middles: dict[str, float], weights: Mapping[Chain, float]) -> None:
    """Take the short jogs out of stretches, those from above first. `weights` say how much a stretch counts."""
    level = _Level(rows, middles, weights)
    for chain in rows.order.chains:
        level.straighten(chain)
