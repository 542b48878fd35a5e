"""When what happens: the events of a sequence from top to bottom, and the fragments round them.

In: the participants. Out: an `Interaction`. Promises: messages are in document order, and so is every note but one that
stands outside the messages of the fragment that lists it; fragments nest as their `children` and operands say, and
otherwise by their messages, never by the order of frames; every operand begins at an event of its fragment or right
after the last, and never within a fragment inside.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from scenograph.engine.families.sequence.outline import Outline, operands_of, order_events, outline_of, row_names
from scenograph.engine.families.sequence.participants import Participants
from scenograph.late_dataclasses import dataclass, replace
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


class Step(NamedTuple):
    """A step down the page: `fragment` opens (`operand` 0), goes on with a further operand, or closes (`operand` None);
    without a fragment the event of `turn` happens."""

    turn: int
    fragment: Fragment | None = None
    operand: int | None = None


@dataclass(frozen=True, slots=True)
class Interaction:
    """The events in order, and the fragments, the outer before the inner."""

    events: tuple[Event, ...]
    fragments: tuple[Fragment, ...]

    def steps(self) -> Iterator[Step]:
        """Everything from top to bottom, well nested: what opens last closes first."""
        opening: dict[int, list[Fragment]] = {}
        going_on: dict[int, list[Step]] = {}
        open_: list[Fragment] = []
        for fragment in self.fragments:
            opening.setdefault(fragment.first, []).append(fragment)
            for operand, begin in enumerate(fragment.splits, start=1):
                if fragment.first < begin <= fragment.last:
                    going_on.setdefault(begin, []).append(Step(begin, fragment, operand))
        for turn in range(len(self.events)):
            yield from going_on.get(turn, ())
            for fragment in opening.get(turn, ()):
                open_.append(fragment)
                yield Step(turn, fragment, 0)
                yield from _operands_at(fragment, turn)
            yield Step(turn)
            while open_ and open_[-1].last == turn:
                fragment = open_.pop()
                yield from _operands_at(fragment, turn + 1)
                yield Step(turn, fragment)

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


def _operands_at(fragment: Fragment, turn: int) -> Iterator[Step]:
    """The operands of a fragment that begin before the event of a turn."""
    return (Step(turn, fragment, operand) for operand, begin in enumerate(fragment.splits, start=1) if begin == turn)


def read_interaction(scene: Scene, participants: Participants) -> Interaction:
    """The interaction of a scene; its cost grows with what fragments list, not with how deep they nest."""
    outline = outline_of(participants.fragments)
    playing: dict[str, Event] = {event.id: event for event in (*participants.messages, *participants.notes)}
    playing.update({frame.id: frame for frame in participants.fragments})
    names = order_events(scene, participants, outline)
    firsts = {name: turn for turn, name in enumerate(names)}
    lasts = dict(firsts)
    rows: list[Fragment] = []
    for frame in outline.inner_first:
        held = [name for name in outline.items[frame.id] if name in firsts]
        if frame.id not in firsts:
            firsts[frame.id] = min(firsts[name] for name in held)
            lasts[frame.id] = max(lasts[name] for name in held)
        rows.append(Fragment(frame=frame, first=firsts[frame.id], last=lasts[frame.id]))
    nested = _nested(rows, outline)
    return Interaction(tuple(playing[name] for name in names), tuple(_with_splits(nested, firsts)))


def _nested(fragments: Sequence[Fragment], outline: Outline) -> list[Fragment]:
    """The fragments, the outer first, with their depths; one that reaches half into another is stretched round it. Of
    two round the same events the outer is the one that lists the other, or that has the fewer operands."""

    def rank(row: Fragment) -> tuple[int, int, int, int, int]:
        name = row.frame.id
        operands = sum(1 for _ in operands_of(row.frame))
        return row.first, -row.last, outline.depths[name], operands, outline.places[name]

    rows = sorted(fragments, key=rank)
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


def _with_splits(fragments: Sequence[Fragment], firsts: Mapping[str, int]) -> list[Fragment]:
    """The fragments with the turns at which their operands after the first begin: at the first of what an operand
    lists, never before the operand above it, and never within a fragment inside."""
    whole: dict[int, list[tuple[int, int]]] = {}
    open_: list[int] = []
    for number, fragment in enumerate(fragments):
        del open_[fragment.depth :]
        if open_:
            whole.setdefault(open_[-1], []).append((fragment.first, fragment.last))
        open_.append(number)
    return [_split(fragment, firsts, whole.get(number, [])) for number, fragment in enumerate(fragments)]


def _split(fragment: Fragment, firsts: Mapping[str, int], whole: Sequence[tuple[int, int]]) -> Fragment:
    starts = [_start(row, firsts) for row in operands_of(fragment.frame)]
    following, after = fragment.last + 1, list[int]()
    for start in reversed(starts[1:]):
        following = following if start is None else min(start, following)
        after.append(following)
    splits: list[int] = []
    for start in reversed(after):
        begin = max(start, fragment.first)
        splits.append(next((first for first, last in whole if first < begin <= last), begin))
    return replace(fragment, splits=tuple(splits))


def _start(operand: Mapping[str, Any], firsts: Mapping[str, int]) -> int | None:
    return min((firsts[name] for name in row_names(operand) if name in firsts), default=None)
