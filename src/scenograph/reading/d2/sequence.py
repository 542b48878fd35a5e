"""Sequence diagrams of D2: objects are lifelines, objects within them spans or notes, containers of messages groups."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import TYPE_CHECKING

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.d2.evaluation import WITH_ROWS, D2Connection, D2Field, D2Map, chain_of
from scenograph.scene.json_values import JsonObject

if TYPE_CHECKING:
    from scenograph.reading.d2.drawing import BoardDrawing

_FAMILY = "sequence"
_LIFELINES = {"person": "sequence.actor", "c4-person": "sequence.actor", "cylinder": "database", "queue": "queue"}
_OPERATOR = "opt"  # the frame of a group, which names no operator
_LONGEST_GUARD = 500


class SequenceParts:
    """The parts of a sequence diagram. `actors` by name in lower case, in the order of their first place; `groups` and
    `steps`, messages and notes, in the order of the source."""

    def __init__(self, scope: D2Map, holder: D2Field | None) -> None:
        self._scope = scope
        self.holder = holder
        self.messages = sorted(connections(scope), key=lambda one: one.order)
        ends = {id(end) for one in self.messages for end in (one.start, one.end)}
        self._groups: set[int] = set()
        for link in self.messages:
            outside_in = reversed(list(self._around(link.scope)))
            self._groups |= {id(one) for one in takewhile(lambda one: id(one) not in ends, outside_in)}
        self._used = {id(part) for one in self.messages for end in (one.start, one.end) for part in self.chain(end)}
        self.actors: dict[str, D2Field] = {}
        self.groups: list[D2Field] = []
        notes = list(self._gather(scope))
        self.steps: list[D2Connection | D2Field] = sorted((*self.messages, *notes), key=lambda one: one.order)

    def chain(self, one: D2Field) -> list[D2Field]:
        """The actor of an object and its parts, from the outside in."""
        found = list[D2Field]()
        for each in chain_of(one):
            if id(each) in self._groups or each is self.holder:
                break
            found.append(each)
            if each.owner is self._scope:
                break
        return found[::-1]

    def actor_of(self, one: D2Field) -> D2Field:
        """The actor of an object, by its first place."""
        return self.actors[self.chain(one)[0].name.text.lower()]

    def groups_of(self, step: D2Connection | D2Field) -> list[D2Field]:
        """The groups around a step, from the inside out."""
        scope = step.scope if isinstance(step, D2Connection) else step.owner
        return [one for one in self._around(scope) if id(one) in self._groups]

    def _around(self, scope: D2Map | None) -> Iterator[D2Field]:
        """The fields around a map, up to the diagram."""
        holder = scope.owner if scope is not None and scope is not self._scope else None
        for one in chain_of(holder) if isinstance(holder, D2Field) else ():
            if one is self.holder:
                return
            yield one
            if one.owner is self._scope:
                return

    def _gather(self, scope: D2Map) -> Iterator[D2Field]:
        """Collect actors and groups of a map in order; the notes."""
        for one in scope.objects():
            if one.is_suspended:
                continue
            if id(one) in self._groups:
                self.groups.append(one)
                yield from self._gather(one.body)
                continue
            self.actors.setdefault(one.name.text.lower(), one)
            for inner in _within(one) if one.text("shape") not in WITH_ROWS else ():
                if id(inner) not in self._used and not (inner.map is not None and any(inner.map.objects())):
                    yield inner


def sequence_of(drawing: BoardDrawing, chart: SequenceParts) -> JsonObject:
    """The document of a sequence diagram."""
    return _Lifelines(drawing, chart).document()


@dataclass(slots=True)
class _Group:
    """The element ids of a group's messages and notes, in order; its own notes alone."""

    steps: list[str] = field(default_factory=list[str])
    notes: list[str] = field(default_factory=list[str])


class _Lifelines:
    def __init__(self, drawing: BoardDrawing, chart: SequenceParts) -> None:
        self._drawing = drawing
        self._chart = chart
        self._groups = {id(one): _Group() for one in chart.groups}
        self._begins, self._ends = self._spans()

    def document(self) -> JsonObject:
        """The document."""
        drawing, chart = self._drawing, self._chart
        busy = {id(chart.actor_of(end)) for one in chart.messages for end in (one.start, one.end)}
        for actor in chart.actors.values():
            look = drawing.look(actor)
            kind = _LIFELINES.get(look.shape, "sequence.lifeline")
            # A symbol without messages would be no lifeline.
            known = kind if id(actor) in busy or kind.startswith(_FAMILY) else "sequence.lifeline"
            if look.shape not in {*_LIFELINES, "", "rectangle", "square"}:
                drawing.tell("actor", actor.place, "actors of other shapes are drawn as boxes")
            label = drawing.label(actor)
            drawing.assembly.node(drawing.source_id(actor), nodeType=known, label=label, **drawing.common(look, actor))
        for step in chart.steps:
            made = self._note(step) if isinstance(step, D2Field) else self._message(step)
            around = [self._groups[id(one)] for one in chart.groups_of(step)]
            for group in around:
                group.steps.append(made["id"])
            if around and isinstance(step, D2Field):
                around[0].notes.append(made["id"])
        for one in chart.groups:
            self._fragment(one)
        title = drawing.label(chart.holder).replace("\n", " ") if chart.holder is not None else ""
        heading = drawing.heading
        return drawing.assembly.document(_FAMILY, title=heading or title, shows_title=bool(heading))

    def _note(self, note: D2Field) -> JsonObject:
        drawing = self._drawing
        over = [drawing.name(self._chart.actor_of(note))]
        source_id = drawing.assembly.numbered(f"note {drawing.source_id(note)}")
        return drawing.assembly.node(
            source_id, nodeType="sequence.note", label=drawing.label(note), extensions={"over": over}
        )

    def _message(self, link: D2Connection) -> JsonObject:
        drawing = self._drawing
        ends = (link.end, link.start) if link.start_arrow and not link.end_arrow else (link.start, link.end)
        start, end = (self._chart.actor_of(one) for one in ends)
        heads = None
        if link.start_arrow == link.end_arrow:
            heads = dict.fromkeys(("startArrow", "endArrow"), "triangle" if link.start_arrow else "none")
        return drawing.assembly.edge(
            {"elementId": drawing.name(start)},
            {"elementId": drawing.name(end)},
            drawing.connection_id(link),
            edgeType="sequence.message",
            label=drawing.message(link),
            endpoints=heads,
            extensions=self._activations(link, start, end) or None,
            **drawing.line(link),
        )

    def _activations(self, link: D2Connection, start: D2Field, end: D2Field) -> JsonObject:
        sides = {"source": start, "target": end}
        if start is end:
            del sides["source"]
        said = {"activates": self._begins.get(id(link), set()), "deactivates": self._ends.get(id(link), set())}
        found = {member: [side for side, one in sides.items() if id(one) in actors] for member, actors in said.items()}
        return {member: held for member, held in found.items() if held}

    def _spans(self) -> tuple[dict[int, set[int]], dict[int, set[int]]]:
        """The actors whose spans begin and end with a message, by the message."""
        begins: dict[int, tuple[int, int]] = {}
        ends: dict[int, tuple[int, int]] = {}
        for link in self._chart.messages:
            for end in (link.start, link.end):
                actor = id(self._chart.actor_of(end))
                for span in self._chart.chain(end)[1:]:
                    begins.setdefault(id(span), (id(link), actor))
                    ends[id(span)] = (id(link), actor)
        first, last = dict[int, set[int]](), dict[int, set[int]]()
        for found, held in ((begins, first), (ends, last)):
            for link_id, actor in found.values():
                held.setdefault(link_id, set()).add(actor)
        return first, last

    def _fragment(self, one: D2Field) -> None:
        drawing, group = self._drawing, self._groups[id(one)]
        inner = [drawing.name(each) for each in one.body.objects() if id(each) in self._groups]
        row = {"guard": drawing.label(one)[:_LONGEST_GUARD], "messages": group.steps}
        drawing.assembly.frame(
            drawing.source_id(one),
            children=[*group.notes, *inner],
            containerType="fragment",
            extensions={"operator": _OPERATOR, "operands": [row]},
            style=drawing.common(drawing.look(one), one)["style"],
        )


def connections(scope: D2Map) -> Iterator[D2Connection]:
    """The connections of a map, those of its objects included."""
    for one in scope.connections:
        ends = (*chain_of(one.start), *chain_of(one.end))
        if not one.is_suspended and not any(each.is_suspended for each in ends):
            yield one
    for one in scope.objects():
        if one.map is not None:
            yield from connections(one.map)


def _within(one: D2Field) -> Iterator[D2Field]:
    """The objects within an object."""
    for inner in one.map.objects() if one.map is not None else ():
        yield inner
        yield from _within(inner)
