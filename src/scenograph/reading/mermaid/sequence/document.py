"""A sequence diagram as a scene document: lifelines, messages and notes in order, and the frames around them."""

from __future__ import annotations

from collections.abc import Mapping

from scenograph.reading.assembly import Assembly
from scenograph.reading.mermaid.sequence.model import (
    ARROWS,
    MESSAGE,
    CombinedFragment,
    Message,
    Note,
    Operand,
    SequenceChart,
)
from scenograph.reading.source import Source, shown
from scenograph.scene.json_values import JsonObject

_LIFELINES: Mapping[str, str] = {"participant": "sequence.lifeline", "actor": "sequence.actor"}
_KINDS: Mapping[str, str] = {**_LIFELINES, "database": "database", "queue": "queue"}
_FAMILY = "sequence"


def document_of(chart: SequenceChart, source: Source) -> JsonObject:
    """The document."""
    assembly = Assembly("mermaid", source)
    busy = {name for step in chart.steps if isinstance(step, Message) for name in (step.source, step.target)}
    for participant in chart.participants.values():
        # A symbol without messages would be no lifeline.
        known = _KINDS if participant.name in busy else _LIFELINES
        kind = known.get(participant.kind.lower())
        if kind is None:
            chart.losses.formless(participant.place, f"the symbol of a {shown(participant.kind)}")
        assembly.node(
            participant.name,
            nodeType=kind or _KINDS["participant"],
            label=participant.label or participant.name,
        )
    made = _steps(chart, assembly)
    for at, step in enumerate(chart.steps):
        if isinstance(step, CombinedFragment):
            _fill(made[at], step, chart, made)
    for number, box in enumerate(chart.boxes, 1):
        members = [assembly.name(name) for name in box.members]
        style = {"fill": box.fill} if box.fill else None
        assembly.frame(f"box {box.title or number}", title=box.title, children=members, style=style)
    return assembly.document(_FAMILY, title=chart.title)


def _steps(chart: SequenceChart, assembly: Assembly) -> dict[int, JsonObject]:
    """The messages, notes and fragments, by position; fragments are empty as yet."""
    made: dict[int, JsonObject] = {}
    told: set[str] = set()
    for at, step in enumerate(chart.steps):
        if isinstance(step, Message):
            made[at] = _message(step, assembly)
            if not ARROWS[step.arrow].exact and step.arrow not in told and not step.destroys:
                told.add(step.arrow)
                chart.losses.formless(step.place, f"the head of {step.arrow} is drawn as another")
        else:
            made[at] = _note(step, assembly) if isinstance(step, Note) else _fragment(step, assembly)
    return made


def _message(message: Message, assembly: Assembly) -> JsonObject:
    arrow = ARROWS[message.arrow]
    edge_type = arrow.edge_type
    if message.destroys:
        edge_type = "sequence.destroy"
    elif message.creates and edge_type == MESSAGE:
        edge_type = "sequence.create"
    return assembly.edge(
        {"elementId": assembly.name(message.source)},
        {"elementId": assembly.name(message.target)},
        f"{message.source}{message.arrow}{message.target}: {message.text}"[:200],
        edgeType=edge_type,
        label=message.text,
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
    return assembly.node(source_id, nodeType="sequence.note", label=note.text, extensions=extensions)


def _fragment(fragment: CombinedFragment, assembly: Assembly) -> JsonObject:
    source_id = assembly.numbered(f"{fragment.operator} {fragment.operands[0].guard}"[:200])
    return assembly.frame(source_id, children=[], containerType="fragment", extensions={})


def _fill(frame: JsonObject, fragment: CombinedFragment, chart: SequenceChart, made: Mapping[int, JsonObject]) -> None:
    """Fill a frame with its fragment's operands."""
    held = [at for operand in fragment.operands for at in operand.steps]
    frame["children"] = [made[at]["id"] for at in held if not isinstance(chart.steps[at], Message)]
    rows = [_operand(row, made) for row in fragment.operands]
    frame["extensions"] = {"operator": fragment.operator, "operands": rows}


def _operand(operand: Operand, made: Mapping[int, JsonObject]) -> JsonObject:
    guard = {"guard": operand.guard[:500]} if operand.guard else {}
    return {**guard, "messages": [made[at]["id"] for at in operand.steps]}
