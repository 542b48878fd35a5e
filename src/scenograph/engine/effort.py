"""The bounds of a stage's work. Steps are counted, never time: the same document ends alike on every machine.

A step is one look in an inner loop: some microseconds. Each stage has a row in `BOUNDS`; its bound grows with the
document up to a maximum, far beyond everyday scenes. A stage at its bound ends with the best result so far and reports
EFFORT_LIMITED.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from scenograph.diagnostics import EFFORT_LIMITED, Report
from scenograph.late_dataclasses import dataclass

SHOWN = 20


class Bound(NamedTuple):
    """The steps a stage may take: `least` in any document, `each` more per element handled, and never above `most`, to
    keep thousands of elements from taking minutes."""

    least: int
    each: int
    most: int
    counts: str


CONSTRAINTS: Final = "constraints"
MAKING_ROOM: Final = "making room"
LAYERING: Final = "layering"
SEARCHING: Final = "searching"
GOING_ROUND: Final = "going round"
UNTANGLING: Final = "untangling"
REROUTING: Final = "rerouting"
GATHERING: Final = "gathering"
NUDGING: Final = "nudging"
LABELLING: Final = "labelling"

BOUNDS: Mapping[str, Bound] = {
    CONSTRAINTS: Bound(100_000, 4, 150_000, "elements that constraints name, each time one is tried"),
    MAKING_ROOM: Bound(60_000, 2, 100_000, "the same, and pairs of neighbours, while what the engine placed gives way"),
    LAYERING: Bound(
        200_000, 350, 4_500_000, "pairs of neighbours of slots compared; elements are items and dummy nodes"
    ),
    SEARCHING: Bound(20_000, 2_400, 6_000_000, "vertices where a search for a way round obstacles goes on, by lines"),
    GOING_ROUND: Bound(200_000, 150, 400_000, "boxes that a step at any angle might cross; elements are lines"),
    UNTANGLING: Bound(60_000, 25, 100_000, "runs of others that a line passes; elements are lines"),
    REROUTING: Bound(50_000, 100, 120_000, "vertices where a search for a way that crosses less goes on, by lines"),
    GATHERING: Bound(
        40_000, 100, 80_000, "vertices of searches for a way to lines with one label, runs passed, by lines"
    ),
    NUDGING: Bound(20_000, 5, 40_000, "pairs of runs that lie near each other; elements are lines"),
    LABELLING: Bound(200_000, 60, 400_000, "what lies near the places of labels; elements are lines"),
}


@dataclass(slots=True)
class Effort:
    """How many steps a stage may still take."""

    left: int

    def spend(self, steps: int) -> None:
        """Count `steps` steps."""
        self.left -= steps

    @property
    def is_spent(self) -> bool:
        """Whether the bound was reached."""
        return self.left <= 0


def effort_for(stage: str, elements: int) -> Effort:
    """The effort of a stage for a number of elements."""
    bound = BOUNDS[stage]
    return Effort(min(bound.most, bound.least + bound.each * elements))


def report_limited(stage: str, element_ids: Iterable[str], report: Report) -> None:
    """Report a stage at its bound with the affected elements, the first SHOWN by id."""
    named = sorted(set(element_ids))[:SHOWN]
    report.add(EFFORT_LIMITED, path="/elements", data={"stage": stage, "elementIds": named}, stage=stage)
