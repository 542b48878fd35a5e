"""Sequence diagrams: participants, messages in their order, notes, fragments as blocks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from scenograph.engine.families.catalog import node_kind
from scenograph.engine.families.sequence.diagram import (
    ACTIVATES,
    DEACTIVATES,
    is_fragment,
    operands_of,
    read_interaction,
    read_participants,
)
from scenograph.engine.write.mermaid.graph import INDENT, Graph, bare, indented, is_painted, label_of
from scenograph.engine.write.writer import is_typed
from scenograph.scene.json_values import is_array
from scenograph.scene.model import Edge, Element, Frame, Linked, Node

_ACTOR, _NOTE, _LIFELINE = "sequence.actor", "sequence.note", "sequence.lifeline"
_SYMBOLS = frozenset({"database", "queue"})
_ARROWS: Mapping[str, str] = MappingProxyType(
    {"sequence.reply": "-->>", "sequence.async": "-)", "sequence.destroy": "-x", "sequence.create": "->>"}
)
# Further heads of a message; a reply has the same head with an additional hyphen.
_HEADED: Mapping[tuple[str, str], str] = MappingProxyType(
    {("none", "none"): "->", ("none", "bar"): "-x", ("triangle", "triangle"): "<<->>"}
)
_USUAL_HEADS = frozenset({"triangle", "arrow"})
_FURTHER: Mapping[str, str] = MappingProxyType({"alt": "else", "par": "and", "critical": "option"})


def write_interaction(graph: Graph) -> list[str]:
    """The lines of a sequenceDiagram."""
    created = {edge.target.element_id for edge in graph.edges if edge.edge_type == "sequence.create"}
    body = [line for one in graph.children(None) for line in _participants(graph, one, created)]
    body += _events(graph)
    rows = graph.elements.values()
    graph.tell("colours", (one.id for one in rows if is_painted(one)))
    graph.tell("links", (one.id for one in rows if isinstance(one, Linked) and one.link is not None))
    unnamed = (one.id for one in rows if isinstance(one, Frame) or (isinstance(one, Node) and not _lives(one)))
    graph.tell("ids of boxes, fragments and notes", unnamed)
    titled = (one.id for one in rows if is_fragment(one) and isinstance(one, Frame) and one.title)
    graph.tell("titles of fragments", titled)
    plain = (None, _ACTOR, _NOTE, _LIFELINE, *_SYMBOLS)
    graph.tell("types of nodes", (node.id for node in graph.nodes if node.node_type not in plain))
    graph.tell("shapes of participants", (node.id for node in graph.nodes if _is_shaped(node)))
    boxes = (one for one in rows if isinstance(one, Frame) and not is_fragment(one))
    graph.tell("types of boxes", (one.id for one in boxes if is_typed(one)))
    graph.tell_labels_at_ends()
    return [*graph.head("sequenceDiagram"), *indented(body)]


def _participants(graph: Graph, one: Element, created: set[str]) -> list[str]:
    if isinstance(one, Frame):
        inner = [line for child in graph.children(one.id) for line in _participants(graph, child, created)]
        boxed = inner and not is_fragment(one)
        return [f"box {bare(one.title or '')}".rstrip(), *indented(inner), "end"] if boxed else inner
    return [_participant(graph, one)] if _lives(one) and one.id not in created else []


def _lives(one: Element) -> bool:
    return isinstance(one, Node) and one.node_type != _NOTE


def _is_shaped(node: Node) -> bool:
    return node.shape != node_kind(node.node_type).shape


def _participant(graph: Graph, one: Element) -> str:
    kind = one.node_type if isinstance(one, Node) else None
    name, text = graph.names[one.id], bare(label_of(one))
    symbol = f'@{{ "type": "{kind}" }}' if kind in _SYMBOLS else ""
    word = "actor" if kind == _ACTOR else "participant"
    return f"{word} {name}{symbol}" + ("" if text in ("", name) else f" as {text}")


def _events(graph: Graph) -> Iterator[str]:
    """All events from top to bottom as drawn, in the blocks of their fragments."""
    scene = graph.laid_out.scene
    participants = read_participants(scene)
    interaction = read_interaction(scene, participants)
    drawn = {event.id for event in interaction.events}
    stray = (edge.id for edge in graph.edges if edge.id not in drawn)
    graph.tell("lines that end at no participant", stray)
    depth = 0
    for turn, fragment, operand in interaction.steps():
        if fragment is None:
            lines = _event(graph, interaction.events[turn])
        elif operand is None:
            lines, depth = ["end"], depth - 1
        else:
            lines = _opening(graph, fragment.frame, operand)
        further = fragment is not None and operand
        yield from (f"{INDENT * (depth - bool(further))}{line}" for line in lines)
        depth += fragment is not None and operand == 0


def _opening(graph: Graph, frame: Frame, operand: int) -> list[str]:
    """The lines before an operand; an operator without further operands ends, and another block begins."""
    operator, word = frame.extensions.get("operator"), "opt"
    if isinstance(operator, str) and operator in {"alt", "opt", "loop", "par", "break", "critical"}:
        word = operator
    guard = operands_of(frame)[operand].get("guard") if operands_of(frame) else None
    text = bare(str(guard or (frame.title if not operand else None) or ""))
    if not operand:
        return [f"{word} {text}".rstrip()]
    if word not in _FURTHER:
        graph.losses.add("further operands of fragments that Mermaid does not part", frame.id)
        return ["end", f"{word} {text}".rstrip()]
    return [f"{_FURTHER[word]} {text}".rstrip()]


def _event(graph: Graph, one: Element) -> list[str]:
    if isinstance(one, Edge):
        return _message(graph, one)
    return _note(graph, one) if isinstance(one, Node) and one.node_type == _NOTE else []


def _message(graph: Graph, edge: Edge) -> list[str]:
    source, target = graph.names[edge.source.element_id], graph.names[edge.target.element_id]
    line = f"{source}{_arrow(graph, edge)}{target}: {bare(edge.label or '') or ' '}"
    lines = [line, *_activations(edge, source, target)]
    if edge.edge_type == "sequence.create":
        return [f"create {_participant(graph, graph.elements[edge.target.element_id])}", *lines]
    return [f"destroy {target}", *lines] if edge.edge_type == "sequence.destroy" else lines


def _activations(edge: Edge, source: str, target: str) -> Iterator[str]:
    """The statements after a message that end and begin activation bars."""
    ends = {"source": source, "target": target}
    for word, member in (("deactivate", DEACTIVATES), ("activate", ACTIVATES)):
        said = edge.extensions.get(member)
        yield from (f"{word} {name}" for end, name in ends.items() if is_array(said) and end in said)


def _arrow(graph: Graph, edge: Edge) -> str:
    usual = _ARROWS.get(edge.edge_type or "", "->>")
    start, end = edge.start_arrow or "none", edge.end_arrow or "none"
    if usual.endswith("->>") and edge.edge_type != "sequence.create" and (start, end) in _HEADED:
        headed = _HEADED[start, end]
        return headed.replace("-", "--", 1) if usual == "-->>" else headed
    if start != "none" or (end not in _USUAL_HEADS and edge.edge_type != "sequence.destroy"):
        graph.losses.add("arrow markers that Mermaid does not have", edge.id)
    return usual


def _note(graph: Graph, note: Node) -> list[str]:
    over, side = note.extensions.get("over"), note.extensions.get("side")
    rows = [str(one) for one in over] if is_array(over) else []
    if not rows and note.layout.target is not None:
        rows, side = [note.layout.target], "left" if note.layout.relation == "leftOf" else "right"
    known = [graph.names[one] for one in rows if one in graph.elements and _lives(graph.elements[one])]
    if not known:
        graph.losses.add("notes without a participant", note.id)
        return []
    text = bare(note.label or "") or " "
    if side in ("left", "right"):
        return [f"Note {side} of {known[0]}: {text}"]
    return [f"Note over {','.join(dict.fromkeys((known[0], known[-1])))}: {text}"]
