"""Charts that several readers draw, between their statements and the document: classes, states, sequences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.assembly import Assembly
from scenograph.reading.source import Losses, Place, require_room, shown
from scenograph.scene.json_values import JsonObject

# Classes and their relations, as class diagrams of several tools say them: node and edge types of UML.

_NODE_TYPES = {"interface": "uml.interface", "enumeration": "uml.enum", "enum": "uml.enum"}
_HEADS = frozenset({"<", ">"})


class _Kind(NamedTuple):
    """The edge types of a mark; with `is_whole` the edge leads away from the marked end."""

    solid: str
    dashed: str
    is_whole: bool = False


_RELATION_KINDS: Mapping[str, _Kind] = MappingProxyType(
    {
        "<|": _Kind("uml.inherits", "uml.implements"),
        "|>": _Kind("uml.inherits", "uml.implements"),
        "*": _Kind("uml.composes", "uml.composes", is_whole=True),
        "o": _Kind("uml.aggregates", "uml.aggregates", is_whole=True),
        "<": _Kind("uml.associates", "uml.depends"),
        ">": _Kind("uml.associates", "uml.depends"),
        "()": _Kind("uml.implements", "uml.implements"),
        "": _Kind("uml.associates", "uml.depends"),
    }
)


def classifier(name: str, stereotypes: Sequence[str], members: Sequence[str]) -> JsonObject:
    """The members of a node: the type by a stereotype (`interface`, `enum`), further stereotypes above the name, and
    attributes, methods (with a parenthesis) or values."""
    known = next((_NODE_TYPES[word.lower()] for word in stereotypes if word.lower() in _NODE_TYPES), "uml.class")
    others = [f"«{word}»" for word in stereotypes if word.lower() not in _NODE_TYPES]
    is_enum = known == "uml.enum"
    rows = {
        "values": list(members) if is_enum else [],
        "attributes": [] if is_enum else [member for member in members if "(" not in member],
        "methods": [] if is_enum else [member for member in members if "(" in member],
    }
    return {
        "nodeType": known,
        "label": "\n".join((*others, name)),
        "extensions": {name: row for name, row in rows.items() if row} or None,
    }


class RelationLook(NamedTuple):
    """The edge of a relation. `is_turned`: the edge leads from the second end to the first. `heads` are differences
    from the type's arrowheads. `lost` is a mark without a form."""

    edge_type: str
    is_turned: bool
    heads: JsonObject | None
    lost: str = ""


def relation(start: str, end: str, *, dashed: bool) -> RelationLook:
    """The edge between the marks of two ends. The edge leads to the marked end, or away from a mark of the whole."""
    both = {start, end} <= _HEADS
    if not both and end in _HEADS and start and _RELATION_KINDS[start].is_whole:
        return RelationLook(
            _type(_RELATION_KINDS[start], dashed=dashed), is_turned=False, heads={"endArrow": "triangle"}
        )
    if not both and start in _HEADS and end and _RELATION_KINDS[end].is_whole:
        return RelationLook(_type(_RELATION_KINDS[end], dashed=dashed), is_turned=True, heads={"endArrow": "triangle"})
    mark = end or start
    kind = _RELATION_KINDS[mark]
    is_turned = bool(mark) and bool(end) == kind.is_whole
    lost = start if start and end and not both else ""
    return RelationLook(_type(kind, dashed=dashed), is_turned, _heads(mark, dashed=dashed, both=both), lost)


def _type(kind: _Kind, *, dashed: bool) -> str:
    return kind.dashed if dashed else kind.solid


def _heads(mark: str, *, dashed: bool, both: bool) -> JsonObject | None:
    """The arrowheads unlike the type's: an association has none, a dependency a single head."""
    if both:
        return {"startArrow": "triangle", "endArrow": "triangle"}
    if mark in _HEADS and not dashed:
        return {"endArrow": "triangle"}
    return {"endArrow": "none"} if dashed and not mark else None


# State diagrams between their statements and the document: states, composite states with regions, notes, transitions.

EDGE_STATE = "[*]"
_STATE_FAMILY = "workflow"


@dataclass(slots=True)
class State:
    name: str
    place: Place
    home: StateScope
    kind: str = "state.state"
    texts: list[str] = field(default_factory=list[str])
    label: str = ""
    classes: list[str] = field(default_factory=list[str])
    style: JsonObject = field(default_factory=dict[str, object])
    link: JsonObject | None = None
    inside: StateScope | None = None


@dataclass(slots=True)
class StateScope:
    """The diagram, or the inside of a composite state; `regions` are lists of names, `direction` its flow."""

    owner: str
    direction: str = ""
    regions: list[dict[str, None]] = field(default_factory=lambda: [{}])


@dataclass(slots=True)
class StateTransition:
    source: str
    target: str
    text: str
    style: JsonObject | None = None


@dataclass(slots=True)
class StateNote:
    name: str
    text: str
    on: str | None
    side: str


@dataclass(slots=True)
class StateChart:
    losses: Losses
    most: int
    direction: str = "TB"
    title: str = ""
    states: dict[str, State] = field(default_factory=dict[str, State])
    transitions: list[StateTransition] = field(default_factory=list[StateTransition])
    notes: list[StateNote] = field(default_factory=list[StateNote])
    class_styles: dict[str, JsonObject] = field(default_factory=dict[str, JsonObject])
    open: list[StateScope] = field(default_factory=lambda: [StateScope("")])

    def state(self, name: str, place: Place) -> State:
        """The state of a name, made in the innermost open scope on first use. It belongs to the last composite state
        that mentions it."""
        scope = self.open[-1]
        state = self.states.get(name)
        if state is None:
            self.count()
            state = self.states[name] = State(name, place, scope)
            scope.regions[-1][name] = None
        elif scope.owner and scope is not state.home and not self._holds(name, scope):
            self._move(state, scope, place)
        return state

    def _holds(self, name: str, scope: StateScope) -> bool:
        """Whether a scope is inside the state of this name."""
        owner = scope.owner
        while owner and owner != name:
            owner = self.states[owner].home.owner
        return owner == name

    def _move(self, state: State, scope: StateScope, place: Place) -> None:
        for region in state.home.regions:
            region.pop(state.name, None)
        if state.home.owner:
            what = f"{shown(state.name)} stands in {shown(scope.owner)}, which mentions it last"
            self.losses.formless(place, f"{what}, and no longer in {shown(state.home.owner)}")
        state.home = scope
        scope.regions[-1][state.name] = None

    def end_of(self, mark: str, place: Place, *, final: bool) -> State:
        """The initial or final state of the innermost region, or the state of a name."""
        if not mark.startswith(EDGE_STATE):
            return self.state(mark, place)
        scope = self.open[-1]
        region = f" {len(scope.regions)}" if len(scope.regions) > 1 else ""
        name = f"{scope.owner}{region} {'end' if final else 'start'}".strip()
        state = self.state(f"[*] {name}", place)
        state.kind = "state.final" if final else "state.initial"
        return state

    def count(self) -> None:
        require_room(self.most, self.states, self.transitions, self.notes)


StyleOf = Callable[[State], JsonObject | str | None]


def state_document_of(
    chart: StateChart, assembly: Assembly, style: StyleOf, *, shows_title: bool = False
) -> JsonObject:
    """The document of a chart; `style` gives each state's style."""
    for state in chart.states.values():
        if state.inside is None:
            assembly.node(state.name, nodeType=state.kind, label=_label(state), link=state.link, style=style(state))
    notes = [(note, _add_note(note, assembly)) for note in chart.notes]
    for state in chart.states.values():
        if state.inside is not None:
            _add_composite(state, state.inside, notes, assembly, style)
    for transition in chart.transitions:
        source, target = ({"elementId": assembly.name(name)} for name in (transition.source, transition.target))
        assembly.edge(source, target, edgeType="state.transition", label=transition.text, style=transition.style)
    for note, element in notes:
        if note.on is not None:
            ends = {"elementId": element["id"]}, {"elementId": assembly.name(note.on)}
            assembly.edge(*ends, edgeType="workflow.association")
    strategy = {"algorithm": "hierarchical", "direction": chart.direction}
    return assembly.document(_STATE_FAMILY, title=chart.title, shows_title=shows_title, layoutStrategy=strategy)


def _add_note(note: StateNote, assembly: Assembly) -> JsonObject:
    on = None if note.on is None else assembly.name(note.on)
    beside = {"mode": "relative", "relation": note.side, "target": on}
    return assembly.node(
        assembly.numbered(note.name), nodeType="note", label=note.text, layout=None if on is None else beside
    )


def _label(state: State) -> str | None:
    if state.kind != "state.state":
        return state.label or "\n".join(state.texts) or None
    return "\n".join([*([state.label] if state.label else []), *state.texts]) or state.name


def _add_composite(
    state: State, inside: StateScope, notes: list[tuple[StateNote, JsonObject]], assembly: Assembly, style: StyleOf
) -> None:
    of: dict[str, list[str]] = {}
    for note, element in notes:
        of.setdefault(note.on or "", []).append(element["id"])
    extensions: JsonObject = {"direction": inside.direction} if inside.direction else {}
    regions = [
        [*map(assembly.name, region), *(one for name in region for one in of.get(name, ()))]
        for region in inside.regions
    ]
    assembly.frame(
        state.name,
        title=_label(state),
        children=[child for region in regions for child in region],
        containerType="state",
        style=style(state),
        extensions=extensions | ({"regions": regions} if len(regions) > 1 else {}) or None,
    )


# Sequence diagrams between their statements and the document: lifelines, messages and notes in order, and the frames
# around them.

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
        require_room(self.most, self.participants, self.steps, self.boxes)

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
_PARTICIPANT_KINDS: Mapping[str, str] = {**_LIFELINES, "database": "database", "queue": "queue"}
_UNSEEN: JsonObject = {"stroke": "transparent", "fill": "transparent"}
_SEQUENCE_FAMILY = "sequence"


def sequence_document_of(chart: SequenceChart, assembly: Assembly, *, shows_title: bool = False) -> JsonObject:
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
    return assembly.document(_SEQUENCE_FAMILY, title=chart.title, shows_title=shows_title)


def _add_participant(
    participant: Participant,
    is_busy: bool,  # noqa: FBT001 - a set's answer
    chart: SequenceChart,
    assembly: Assembly,
    told: set[str],
) -> None:
    """Add a lifeline. A symbol without messages would be none."""
    symbol = participant.kind.lower()
    kind = (_PARTICIPANT_KINDS if is_busy else _LIFELINES).get(symbol)
    if kind is None and symbol not in told:
        told.add(symbol)
        chart.losses.formless(participant.place, f"the symbol of a {shown(participant.kind)}")
    is_gate = symbol == GATE
    assembly.node(
        participant.name,
        nodeType=kind or _PARTICIPANT_KINDS["participant"],
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
