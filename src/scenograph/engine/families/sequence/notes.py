"""Which lifelines a note belongs to. (R-SEQ-12)

`extensions.over` names them; else a relative layout's target, the lifelines that edges join it to, those of the
message before it. `extensions.side` puts it beside the outermost of them, else it stands over them all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from scenograph.engine.families.sequence.diagram import SequenceDiagram
from scenograph.scene.json_values import is_array
from scenograph.scene.model import Edge, Node

_SIDES = {"rightOf": "right", "leftOf": "left"}
SIDES = ("left", "right")


class NoteAnchor(NamedTuple):
    """The lifelines from `first` to `last` (their places from the left), and the side of them, None for over them."""

    first: int
    last: int
    side: str | None = None

    @property
    def beside(self) -> int:
        """The lifeline that the note stands beside."""
        return self.first if self.side == "left" else self.last


def spots(diagram: SequenceDiagram) -> dict[str, NoteAnchor]:
    """The spot of every note."""
    found: dict[str, NoteAnchor] = {}
    before: Edge | None = None
    tied = _tied(diagram)
    for event in diagram.interaction.events:
        if isinstance(event, Edge):
            before = event
        elif isinstance(event, Node):
            found[event.id] = _spot(diagram, event, tied.get(event.id, []), before)
    return found


def _spot(diagram: SequenceDiagram, note: Node, tied: list[str], before: Edge | None) -> NoteAnchor:
    said: object = note.extensions.get("side")
    side = said if isinstance(said, str) and said in SIDES else None
    named = list(_named(diagram, note))
    target = note.layout.target if note.layout.mode == "relative" else None
    if not named and target in diagram.order:
        named, side = [str(target)], side or _SIDES.get(note.layout.relation or "")
    elif not named and tied:
        named, side = tied, side or ("right" if len(tied) == 1 else None)
    elif not named and before is not None:
        named = list(before.ends)
    places = [diagram.order[name] for name in named] or [0]
    return NoteAnchor(min(places), max(places), side)


def _named(diagram: SequenceDiagram, note: Node) -> Iterator[str]:
    rows: object = note.extensions.get("over")
    return (name for name in (rows if is_array(rows) else ()) if isinstance(name, str) and name in diagram.order)


def _tied(diagram: SequenceDiagram) -> dict[str, list[str]]:
    """The lifelines that edges join each note to."""
    found: dict[str, list[str]] = {}
    for edge in diagram.participants.ties:
        one, other = edge.ends
        note, lifeline = (other, one) if one in diagram.order else (one, other)
        found.setdefault(note, []).append(lifeline)
    return found
