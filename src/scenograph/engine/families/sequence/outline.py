"""What the fragments of a sequence list: how they nest, and in which order everything happens.

In: the document's elements. Out: an `Outline`, and the names of all events from top to bottom.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from scenograph.engine.families.sequence.participants import Participants
from scenograph.late_dataclasses import dataclass, field
from scenograph.scene.json_values import is_array, is_object
from scenograph.scene.model import Frame, Scene


def operands_of(frame: Frame) -> tuple[Mapping[str, Any], ...]:
    """The operands of a fragment as authored."""
    rows: object = frame.extensions.get("operands")
    return tuple(row for row in (rows if is_array(rows) else ()) if is_object(row))


def row_names(operand: Mapping[str, Any]) -> Iterator[str]:
    """The ids that an operand lists."""
    said = operand.get("messages")
    return (name for name in (said if is_array(said) else ()) if isinstance(name, str))


class Outline(NamedTuple):
    """How fragments list each other. By id: `items`, each named once, a fragment by its parent alone; `parents`;
    `depths` below the outermost; `places` in the document. `inner_first` holds each frame before its parent."""

    items: Mapping[str, Sequence[str]]
    parents: Mapping[str, str]
    depths: Mapping[str, int]
    places: Mapping[str, int]
    inner_first: Sequence[Frame]


def outline_of(fragments: Sequence[Frame]) -> Outline:
    """The outline of fragments. Of several that list one, the deepest is its parent; of a circle the first in the
    document is the outermost."""
    frames = {frame.id: frame for frame in fragments}
    listed = {frame.id: tuple(dict.fromkeys(_listed(frame))) for frame in fragments}
    inside = {name: [item for item in row if item in frames and item != name] for name, row in listed.items()}
    waiting = dict.fromkeys(frames, 0)
    for row in inside.values():
        for name in row:
            waiting[name] += 1
    order, depths, parents = list[str](), dict[str, int](), dict[str, str]()
    ready = [name for name in frames if not waiting[name]]
    left = iter(frames)
    while len(order) < len(frames):
        name = ready.pop() if ready else next(name for name in left if name not in depths)
        order.append(name)
        depths[name] = depths[parents[name]] + 1 if name in parents else 0
        for child in inside[name]:
            waiting[child] -= 1
            if child not in depths:
                known = parents.get(child)
                if known is None or depths[known] < depths[name]:
                    parents[child] = name
                if not waiting[child]:
                    ready.append(child)
    items = {
        name: [item for item in row if item not in frames or parents.get(item) == name] for name, row in listed.items()
    }
    places = {name: place for place, name in enumerate(frames)}
    return Outline(items, parents, depths, places, [frames[name] for name in reversed(order)])


def _listed(frame: Frame) -> Iterator[str]:
    for row in operands_of(frame):
        yield from row_names(row)
    yield from frame.children


def order_events(scene: Scene, participants: Participants, outline: Outline) -> list[str]:
    """The ids of all events from top to bottom; a fragment without messages, notes and fragments is one."""
    ordering = _Ordering(scene, participants, outline)
    for frame in outline.inner_first:
        ordering.settle(frame)
    return ordering.names()


@dataclass(slots=True)
class _Loose:
    """What stands right before and right after an event, because a fragment lists it there."""

    before: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    after: dict[str, list[str]] = field(default_factory=dict[str, list[str]])


class _Ordering:
    """Events with a turn of their own by the document (messages, most notes) are firm. What fragments list beside
    those (an empty fragment, a note that stands elsewhere) is loose: it follows what is listed before it."""

    def __init__(self, scene: Scene, participants: Participants, outline: Outline) -> None:
        self._outline = outline
        self._turns = {element.id: turn for turn, element in enumerate(scene.elements)}
        self._notes = {note.id for note in participants.notes}
        self._firm = {message.id for message in participants.messages} | self._notes
        self._loose = _Loose()
        self._settled: set[str] = set()
        voiced = self._spans({message.id for message in participants.messages})
        silent = {frame.id for frame in outline.inner_first if self._root(frame.id) not in voiced}
        noted = self._spans(self._notes)
        self._spans_of = {**{name: span for name, span in noted.items() if name in silent}, **voiced}

    def _root(self, name: str) -> str:
        while name in self._outline.parents:
            name = self._outline.parents[name]
        return name

    def _spans(self, voices: set[str]) -> dict[str, tuple[str, str]]:
        """The first and the last of `voices` in each fragment that has any."""
        found: dict[str, tuple[str, str]] = {}
        for frame in self._outline.inner_first:
            ends = [
                end
                for item in self._outline.items[frame.id]
                for end in ((item, item) if item in voices else found.get(item, ()))
            ]
            if ends:
                found[frame.id] = min(ends, key=self._turns.__getitem__), max(ends, key=self._turns.__getitem__)
        return found

    def settle(self, frame: Frame) -> None:
        """Place what is loose in a fragment with a span."""
        span = self._spans_of.get(frame.id)
        if span is None:
            return
        operands = {name for row in operands_of(frame) for name in row_names(row)}
        anchor: str | None = None
        leading: list[str] = []
        for item in self._outline.items[frame.id]:
            if self._is_loose(item, span):
                leads = anchor is None or (item not in operands and self._turns[item] < self._turns[span[0]])
                row = leading if leads else self._loose.after.setdefault(anchor or "", [])
                row += self._leaves(item)
            elif item in self._firm and item not in self._settled:
                anchor = item
            elif item in self._spans_of:
                anchor = self._spans_of[item][1]
        if leading:
            self._loose.before[span[0]] = [*leading, *self._loose.before.get(span[0], ())]

    def _is_loose(self, item: str, span: tuple[str, str]) -> bool:
        if item in self._settled:
            return False
        if item in self._notes:
            first, last = (self._turns[end] for end in span)
            return not first <= self._turns[item] <= last
        return item in self._outline.items and item not in self._spans_of

    def _leaves(self, item: str) -> list[str]:
        """The events of what is loose, in the order in which fragments list them; all are settled by that."""
        found: list[str] = []
        waiting = [item]
        while waiting:
            name = waiting.pop()
            inner = [one for one in self._outline.items.get(name, ()) if self._is_event(one)]
            waiting += reversed(inner)
            if not inner and name not in self._settled:
                found.append(name)
                self._settled.add(name)
        return found

    def _is_event(self, name: str) -> bool:
        return name in self._outline.items or (name in self._notes and name not in self._settled)

    def names(self) -> list[str]:
        """The order of everything: firm events by the document, what is loose beside them, and fragments with nothing
        in them where their outermost frame stands."""
        turn: Callable[[str], int] = self._turns.__getitem__
        rows = [(turn(name), [name]) for name in self._firm if name not in self._settled]
        for frame in self._outline.inner_first:
            if frame.id not in self._outline.parents and frame.id not in self._spans_of:
                rows.append((turn(frame.id), self._leaves(frame.id)))
        before, after = self._loose.before, self._loose.after
        ordered = [name for _, names in sorted(rows) for name in names]
        return [one for name in ordered for one in (*before.get(name, ()), name, *after.get(name, ()))]
