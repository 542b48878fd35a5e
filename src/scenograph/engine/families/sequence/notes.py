"""Which lifelines a note belongs to. (decisions: section 10)

`extensions.over` names them; else a relative layout's target, the lifelines that edges join it to, those of the
message before it. `extensions.side` puts it beside the outermost of them, else it stands over them all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from scenograph.engine.families.sequence.stage import Stage
from scenograph.scene.json_values import is_array
from scenograph.scene.model import Edge, Node

_SIDES = {"rightOf": "right", "leftOf": "left"}
SIDES = ("left", "right")


class Spot(NamedTuple):
    """The lifelines from `first` to `last` (their places from the left), and the side of them, None for over them."""

    first: int
    last: int
    side: str | None = None

    @property
    def beside(self) -> int:
        """The lifeline that the note stands beside."""
        return self.first if self.side == "left" else self.last


def spots(stage: Stage) -> dict[str, Spot]:
    """The spot of every note."""
    found: dict[str, Spot] = {}
    before: Edge | None = None
    tied = _tied(stage)
    for event in stage.script.events:
        if isinstance(event, Edge):
            before = event
        elif isinstance(event, Node):
            found[event.id] = _spot(stage, event, tied.get(event.id, []), before)
    return found


def _spot(stage: Stage, note: Node, tied: list[str], before: Edge | None) -> Spot:
    said: object = note.extensions.get("side")
    side = said if isinstance(said, str) and said in SIDES else None
    named = list(_named(stage, note))
    target = note.layout.target if note.layout.mode == "relative" else None
    if not named and target in stage.order:
        named, side = [str(target)], side or _SIDES.get(note.layout.relation or "")
    elif not named and tied:
        named, side = tied, side or ("right" if len(tied) == 1 else None)
    elif not named and before is not None:
        named = [before.source.element_id, before.target.element_id]
    places = [stage.order[name] for name in named] or [0]
    return Spot(min(places), max(places), side)


def _named(stage: Stage, note: Node) -> Iterator[str]:
    rows: object = note.extensions.get("over")
    return (name for name in (rows if is_array(rows) else ()) if isinstance(name, str) and name in stage.order)


def _tied(stage: Stage) -> dict[str, list[str]]:
    """The lifelines that edges join each note to."""
    found: dict[str, list[str]] = {}
    for edge in stage.cast.ties:
        one, other = edge.source.element_id, edge.target.element_id
        note, lifeline = (other, one) if one in stage.order else (one, other)
        found.setdefault(note, []).append(lifeline)
    return found
