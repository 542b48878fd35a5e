"""Sequence diagrams between their statements and the document: lifelines, messages and notes in order, and the frames
around them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.assembly import Assembly
from scenograph.reading.losses import Losses, Place, TooLarge
from scenograph.reading.source import shown
from scenograph.scene.json_values import JsonObject

MESSAGE, REPLY, ASYNC = "sequence.message", "sequence.reply", "sequence.async"


class Arrow(NamedTuple):
    """An edge type and differences from it; `exact` is False for an approximated arrowhead."""

    edge_type: str
    endpoints: JsonObject | None = None
    style: JsonObject | None = None
    exact: bool = True


@dataclass(slots=True)
class Participant:
    """A lifeline; `kind` is the source's word for its symbol. A GATE is an end of found and lost messages."""

    name: str
    place: Place
    kind: str = "participant"
    label: str = ""
    style: JsonObject | None = None
    link: JsonObject | None = None


@dataclass(slots=True)
class Message:
    """A message; `mark` is the arrow in the source, `number` stands before the text."""

    source: str
    target: str
    mark: str
    arrow: Arrow
    text: str
    place: Place
    number: str = ""
    creates: bool = False
    destroys: bool = False
    activates: set[str] = field(default_factory=set[str])
    deactivates: set[str] = field(default_factory=set[str])


@dataclass(slots=True)
class Note:
    """A note over participants, or beside a participant with `side` left or right."""

    text: str
    over: list[str]
    side: str | None
    place: Place
    style: JsonObject | None = None


@dataclass(slots=True)
class Operand:
    """A part of a fragment; `steps` are positions in the chart's list of steps."""

    guard: str
    steps: list[int] = field(default_factory=list[int])


@dataclass(slots=True)
class CombinedFragment:
    """A combined fragment; without operator the fragment has a title."""

    operator: str
    place: Place
    operands: list[Operand]
    title: str = ""
    style: JsonObject | None = None


@dataclass(slots=True)
class ParticipantBox:
    """A frame round participants."""

    title: str
    fill: str | None
    place: Place
    members: list[str] = field(default_factory=list[str])


Step = Message | Note | CombinedFragment


@dataclass(slots=True)
class SequenceChart:
    """A diagram under construction. Raises TooLarge beyond `most` parts."""

    losses: Losses
    most: int
    title: str = ""
    participants: dict[str, Participant] = field(default_factory=dict[str, Participant])
    steps: list[Step] = field(default_factory=list[Step])
    boxes: list[ParticipantBox] = field(default_factory=list[ParticipantBox])
    open: list[CombinedFragment | ParticipantBox | None] = field(
        default_factory=list[CombinedFragment | ParticipantBox | None]
    )
    created: set[str] = field(default_factory=set[str])
    destroyed: dict[str, Place] = field(default_factory=dict[str, Place])
    numbering: tuple[float, float] | None = None
    active: dict[str, list[Place]] = field(default_factory=dict[str, list[Place]])
    awaited: dict[str, Place] = field(default_factory=dict[str, Place])
    _latest: dict[str, Message] = field(default_factory=dict[str, Message])

    def participant(self, name: str, place: Place) -> Participant:
        """The participant of a name, made on first use; it joins the open box."""
        found = self.participants.get(name)
        if found is None:
            self._count()
            found = self.participants[name] = Participant(name, place)
        return found

    def join_box(self, name: str) -> None:
        """A participant is declared inside the open box."""
        box = self.open[-1] if self.open else None
        if isinstance(box, ParticipantBox) and name not in box.members:
            box.members.append(name)

    def add(self, step: Step) -> None:
        """Add a step to the chart and to the open operand."""
        self._count()
        for holder in reversed(self.open):
            if isinstance(holder, CombinedFragment):
                holder.operands[-1].steps.append(len(self.steps))
                break
        self.steps.append(step)
        if isinstance(step, Message):
            self._latest[step.source] = self._latest[step.target] = step

    def latest(self, name: str) -> Message | None:
        """The latest message from or to a participant."""
        return self._latest.get(name)

    def _count(self) -> None:
        if len(self.participants) + len(self.steps) + len(self.boxes) >= self.most:
            raise TooLarge(self.most)

    def change_activation(self, name: str, message: Message, place: Place, *, begins: bool) -> None:
        """An activation of a participant begins or ends with a message."""
        if begins:
            self.active.setdefault(name, []).append(place)
            message.activates.add(name)
            return
        if self.active.get(name):
            self.active[name].pop()
        message.deactivates.add(name)

    def tell_unfinished(self) -> None:
        """Report activations and fragments without an end."""
        for name, places in self.active.items():
            for place in places:
                self.losses.formless(place, f"the activation of {shown(name)}, which does not end")
        for name, place in self.awaited.items():
            self.losses.formless(place, f"the activation of {shown(name)}, at which no message begins or ends")
        for unfinished in self.open:
            if unfinished is not None:
                self.losses.unread(unfinished.place, "what begins here has no end")


GATE = "gate"
_LIFELINES: Mapping[str, str] = {
    "participant": "sequence.lifeline",
    "actor": "sequence.actor",
    GATE: "sequence.lifeline",
}
_KINDS: Mapping[str, str] = {**_LIFELINES, "database": "database", "queue": "queue"}
_UNSEEN: JsonObject = {"stroke": "transparent", "fill": "transparent"}
_FAMILY = "sequence"


def document_of(chart: SequenceChart, assembly: Assembly, *, shows_title: bool = False) -> JsonObject:
    """The document."""
    busy = {name for step in chart.steps if isinstance(step, Message) for name in (step.source, step.target)}
    told = set[str]()
    for participant in chart.participants.values():
        _add_participant(participant, participant.name in busy, chart, assembly, told)
    made = _steps(chart, assembly)
    for at, step in enumerate(chart.steps):
        if isinstance(step, CombinedFragment):
            _fill(made[at], step, chart, made)
    for number, box in enumerate(chart.boxes, 1):
        members = [assembly.name(name) for name in box.members]
        style = {"fill": box.fill} if box.fill else None
        assembly.frame(f"box {box.title or number}", title=box.title, children=members, style=style)
    return assembly.document(_FAMILY, title=chart.title, shows_title=shows_title)


def _add_participant(
    participant: Participant,
    is_busy: bool,  # noqa: FBT001 - a set's answer
    chart: SequenceChart,
    assembly: Assembly,
    told: set[str],
) -> None:
    """Add a lifeline. A symbol without messages would be none."""
    symbol = participant.kind.lower()
    kind = (_KINDS if is_busy else _LIFELINES).get(symbol)
    if kind is None and symbol not in told:
        told.add(symbol)
        chart.losses.formless(participant.place, f"the symbol of a {shown(participant.kind)}")
    is_gate = symbol == GATE
    assembly.node(
        participant.name,
        nodeType=kind or _KINDS["participant"],
        label=None if is_gate else participant.label or participant.name,
        style=_UNSEEN if is_gate else participant.style,
        link=participant.link,
    )


def _steps(chart: SequenceChart, assembly: Assembly) -> dict[int, JsonObject]:
    """The messages, notes and fragments, by position; fragments are empty as yet."""
    made: dict[int, JsonObject] = {}
    told: set[str] = set()
    for at, step in enumerate(chart.steps):
        if isinstance(step, Message):
            made[at] = _message(step, assembly)
            if not step.arrow.exact and step.mark not in told and not step.destroys:
                told.add(step.mark)
                chart.losses.formless(step.place, f"the head of {step.mark} is drawn as another")
        else:
            made[at] = _note(step, assembly) if isinstance(step, Note) else _fragment(step, assembly)
    return made


def _message(message: Message, assembly: Assembly) -> JsonObject:
    arrow = message.arrow
    edge_type = arrow.edge_type
    if message.destroys:
        edge_type = "sequence.destroy"
    elif message.creates and edge_type == MESSAGE:
        edge_type = "sequence.create"
    return assembly.edge(
        {"elementId": assembly.name(message.source)},
        {"elementId": assembly.name(message.target)},
        f"{message.source}{message.mark}{message.target}: {message.text}"[:200],
        edgeType=edge_type,
        label=f"{message.number} {message.text}".strip(),
        endpoints=arrow.endpoints if edge_type == arrow.edge_type else None,
        style=arrow.style,
        extensions=_activations(message) or None,
    )


def _activations(message: Message) -> JsonObject:
    ends = {"source": message.source, "target": message.target}
    if message.source == message.target:
        del ends["source"]
    said = {"activates": message.activates, "deactivates": message.deactivates}
    return {
        member: [end for end, name in ends.items() if name in names]
        for member, names in said.items()
        if not names.isdisjoint(ends.values())
    }


def _note(note: Note, assembly: Assembly) -> JsonObject:
    over = [assembly.name(name) for name in dict.fromkeys(note.over)]
    extensions = {"over": over, **({"side": note.side} if note.side else {})}
    source_id = assembly.numbered(f"note {' '.join(note.over)}: {note.text}"[:200])
    return assembly.node(source_id, nodeType="sequence.note", label=note.text, style=note.style, extensions=extensions)


def _fragment(fragment: CombinedFragment, assembly: Assembly) -> JsonObject:
    source_id = assembly.numbered(f"{fragment.operator or fragment.title} {fragment.operands[0].guard}".strip()[:200])
    return assembly.frame(
        source_id,
        title=fragment.title,
        children=[],
        containerType="fragment",
        style=fragment.style,
        extensions={},
    )


def _fill(frame: JsonObject, fragment: CombinedFragment, chart: SequenceChart, made: Mapping[int, JsonObject]) -> None:
    """Fill a frame with its fragment's operands."""
    held = [at for operand in fragment.operands for at in operand.steps]
    frame["children"] = [made[at]["id"] for at in held if not isinstance(chart.steps[at], Message)]
    rows = [_operand(row, made) for row in fragment.operands]
    operator = {"operator": fragment.operator} if fragment.operator else {}
    frame["extensions"] = {**operator, "operands": rows}


def _operand(operand: Operand, made: Mapping[int, JsonObject]) -> JsonObject:
    guard = {"guard": operand.guard[:500]} if operand.guard else {}
    return {**guard, "messages": [made[at]["id"] for at in operand.steps]}
