"""When what happens: the events of a sequence from top to bottom, and the fragments round them.

In: the participants. Out: an `Interaction`. Promises: events are messages and notes in document order, but that a note
which a fragment lists stands inside it; fragments nest, whatever the document says; every operand begins at an event of
its fragment or right after the last.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from scenograph.engine.families.sequence.participants import Participants
from scenograph.late_dataclasses import dataclass, replace
from scenograph.scene.json_values import is_array, is_object
from scenograph.scene.model import Edge, Frame, Node, Scene

Event = Edge | Node | Frame
"""A message, a note, or an empty fragment, which takes a turn of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fragment:
    """A combined fragment round the events `first` to `last`; `splits[k]` is the event before which its operand k + 1
    begins, last + 1 for one that begins after all; `depth` counts the fragments round it."""

    frame: Frame
    first: int
    last: int
    splits: tuple[int, ...] = ()
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Interaction:
    """The events in order, and the fragments, the outer before the inner."""

    events: tuple[Event, ...]
    fragments: tuple[Fragment, ...]

    def own_turns(self) -> Iterator[tuple[int, list[int], list[int]]]:
        """For every fragment, the inner ones first: its number, the turns right in it, and the numbers of the
        fragments right in it."""
        inner: dict[int, list[int]] = {}
        open_: list[int] = []
        for number, fragment in enumerate(self.fragments):
            del open_[fragment.depth :]
            if open_:
                inner.setdefault(open_[-1], []).append(number)
            open_.append(number)
        for number in range(len(self.fragments) - 1, -1, -1):
            fragment, found = self.fragments[number], inner.get(number, [])
            own, turn = list[int](), fragment.first
            for child in found:
                own += range(turn, self.fragments[child].first)
                turn = self.fragments[child].last + 1
            yield number, [*own, *range(turn, fragment.last + 1)], found


def operands_of(frame: Frame) -> tuple[Mapping[str, Any], ...]:
    """The operands of a fragment as authored."""
    rows: object = frame.extensions.get("operands")
    return tuple(row for row in (rows if is_array(rows) else ()) if is_object(row))


def read_interaction(scene: Scene, participants: Participants) -> Interaction:
    """The interaction of a scene; its cost grows with what fragments list, not with how deep they nest."""
    members = {frame.id: _members(frame) for frame in participants.fragments}
    listing = _listing(members)
    playing: dict[str, Event] = {event.id: event for event in (*participants.messages, *participants.notes)}
    filled = _firsts(playing, listing)
    playing.update({frame.id: frame for frame in participants.fragments if frame.id not in filled})
    ordered = {element.id: playing[element.id] for element in scene.elements if element.id in playing}
    events = _with_listed_notes(list(ordered.values()), members)
    turns = {event.id: turn for turn, event in enumerate(events)}
    names = [event.id for event in events if not isinstance(event, Frame)]
    firsts, lasts = _firsts(names, listing), _firsts(reversed(names), listing)
    rows = [
        Fragment(frame=frame, first=turns[firsts.get(frame.id, frame.id)], last=turns[lasts.get(frame.id, frame.id)])
        for frame in participants.fragments
    ]
    return Interaction(tuple(events), tuple(_with_splits(fragment, turns) for fragment in _nested(rows)))


def _members(frame: Frame) -> tuple[str, ...]:
    """What a fragment lists: the ids in its operands, and its children."""
    rows = (row.get("messages") for row in operands_of(frame))
    return (*(name for row in rows for name in _names(row)), *frame.children)


def _names(value: object) -> Iterator[str]:
    return (name for name in (value if is_array(value) else ()) if isinstance(name, str))


def _listing(members: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """The fragments that list each id."""
    found: dict[str, list[str]] = {}
    for frame, names in members.items():
        for name in names:
            found.setdefault(name, []).append(frame)
    return found


def _firsts(names: Iterable[str], listing: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """For each fragment the first of `names` that it lists, or that a fragment among its list does."""
    found: dict[str, str] = {}
    for name in names:
        waiting = [name]
        while waiting:
            for frame in listing.get(waiting.pop(), ()):
                if frame not in found:
                    found[frame] = name
                    waiting.append(frame)
    return found


Place = tuple[int, int, int]
"""Where an event stands: at its own turn (the number, 0, 0), or just before or after that of a message."""


def _with_listed_notes(events: list[Event], members: Mapping[str, tuple[str, ...]]) -> list[Event]:
    """The events, with each note that a fragment lists brought beside the fragment's first or last message when it
    stands outside; several in the order in which they are listed."""
    notes = {event.id for event in events if isinstance(event, Node)}
    turns = {event.id: turn for turn, event in enumerate(events)}
    places: dict[str, Place] = {name: (turn, 0, 0) for name, turn in turns.items()}
    moved = 0
    for listed in members.values():
        called = [turns[name] for name in listed if name in turns and isinstance(events[turns[name]], Edge)]
        first, last = min(called, default=0), max(called, default=0)
        for name in listed if called else ():
            if name in notes and not (first, 0, 0) < places[name] < (last, 0, 0):
                moved += 1
                places[name] = (first, -1, moved) if places[name] < (first, 0, 0) else (last, 1, moved)
    return sorted(events, key=lambda event: places[event.id])


def _nested(fragments: Iterable[Fragment]) -> list[Fragment]:
    """The fragments, the outer first, with their depths; one that reaches half into another is stretched round it."""
    rows = sorted(fragments, key=lambda one: (one.first, -one.last))
    lasts = [row.last for row in rows]
    depths: list[int] = []
    open_: list[int] = []
    for turn, row in enumerate(rows):
        while open_ and lasts[open_[-1]] < row.first:
            open_.pop()
        for outer in reversed(open_):
            if lasts[outer] >= row.last:
                break
            lasts[outer] = row.last
        depths.append(len(open_))
        open_.append(turn)
    return [replace(row, last=last, depth=depth) for row, last, depth in zip(rows, lasts, depths, strict=True)]


def _with_splits(fragment: Fragment, turns: Mapping[str, int]) -> Fragment:
    """Where each operand after the first begins: at its first message, and never before the operand above it."""
    starts = [_start(row, turns) for row in operands_of(fragment.frame)]
    following, after = fragment.last + 1, list[int]()
    for start in reversed(starts[1:]):
        following = following if start is None else min(start, following)
        after.append(following)
    splits = [max(start, fragment.first) for start in reversed(after)]
    return replace(fragment, splits=tuple(splits))


def _start(operand: Mapping[str, Any], turns: Mapping[str, int]) -> int | None:
    return min((turns[name] for name in _names(operand.get("messages")) if name in turns), default=None)
