"""Sequence diagrams: participants, messages in their order, notes, fragments as blocks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from scenograph.engine.write.mermaid.graph import Graph, indented, is_painted, label_of
from scenograph.engine.write.mermaid.text import bare
from scenograph.scene.json_values import is_array, is_object
from scenograph.scene.model import Edge, Element, Frame, Linked, Node

_ACTOR, _NOTE, _LIFELINE = "sequence.actor", "sequence.note", "sequence.lifeline"
_ARROWS: Mapping[str, str] = MappingProxyType(
    {"sequence.reply": "-->>", "sequence.async": "-)", "sequence.destroy": "-x", "sequence.create": "->>"}
)
# Other heads of a message; a reply has the same with one more hyphen.
_HEADED: Mapping[tuple[str, str], str] = MappingProxyType(
    {("none", "none"): "->", ("none", "bar"): "-x", ("triangle", "triangle"): "<<->>"}
)
_USUAL_HEADS = frozenset({"triangle", "arrow"})
_FURTHER: Mapping[str, str] = MappingProxyType({"alt": "else", "par": "and", "critical": "option"})


class _Place(NamedTuple):
    """An operand of a fragment."""

    fragment: str
    number: int


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
    titled = (one.id for one in rows if isinstance(one, Frame) and _rows(one) and one.title)
    graph.tell("titles of fragments", titled)
    graph.tell("fragments without messages", _idle(graph))
    graph.tell_labels_at_ends()
    return [*graph.head("sequenceDiagram"), *indented(body)]


def _idle(graph: Graph) -> Iterator[str]:
    """Fragments that no block stands for, because nothing happens in them."""
    homes = _operands(graph)
    busy = {place.fragment for one in graph.elements.values() if _event(graph, one) for place in _path(one.id, homes)}
    frames = (one for one in graph.elements.values() if isinstance(one, Frame) and _rows(one))
    return (one.id for one in frames if one.id not in busy)


def _participants(graph: Graph, one: Element, created: set[str]) -> list[str]:
    if isinstance(one, Frame):
        inner = [line for child in graph.children(one.id) for line in _participants(graph, child, created)]
        return [f"box {bare(label_of(one))}", *indented(inner), "end"] if inner else []
    return [_participant(graph, one)] if _lives(one) and one.id not in created else []


def _lives(one: Element) -> bool:
    return isinstance(one, Node) and one.node_type != _NOTE


def _participant(graph: Graph, one: Element) -> str:
    word = "actor" if isinstance(one, Node) and one.node_type == _ACTOR else "participant"
    name, text = graph.names[one.id], bare(label_of(one))
    return f"{word} {name}" if text in ("", name) else f"{word} {name} as {text}"


def _events(graph: Graph) -> Iterator[str]:
    """Messages and notes in document order, wrapped in the blocks of the operands that list them."""
    homes = _operands(graph)
    opened: list[_Place] = []
    for one in graph.elements.values():
        lines = _event(graph, one)
        if not lines:
            continue
        wanted = _path(one.id, homes)
        yield from _blocks(graph, opened, wanted)
        yield from (f"{'    ' * len(opened)}{line}" for line in lines)
    yield from _blocks(graph, opened, [])


def _operands(graph: Graph) -> dict[str, _Place]:
    """The innermost operand that lists each message or note; that of a fragment lists it, or all that it lists."""
    fragments = [one for one in graph.elements.values() if isinstance(one, Frame)]
    listed = [
        (_Place(one.id, number), [str(key) for key in said])
        for one in fragments
        for number, operand in enumerate(_rows(one))
        if is_array(said := operand.get("messages"))
    ]
    listed.sort(key=lambda row: len(row[1]))
    found: dict[str, _Place] = {}
    for place, keys in listed:
        for key in keys:
            found.setdefault(key, place)
    for one in fragments:
        own = {key for place, keys in listed if place.fragment == one.id for key in keys}
        around = (place for place, keys in listed if place.fragment != one.id and own < set(keys))
        if own and one.id not in found and (place := next(around, None)) is not None:
            found[one.id] = place
    return found


def _rows(fragment: Frame) -> list[Mapping[str, Any]]:
    said = fragment.extensions.get("operands")
    return [row for row in said if is_object(row)] if is_array(said) else []


def _path(element_id: str, homes: Mapping[str, _Place]) -> list[_Place]:
    path: list[_Place] = []
    at = homes.get(element_id)
    while at is not None and at not in path:
        path.insert(0, at)
        at = homes.get(at.fragment)
    return path


def _blocks(graph: Graph, opened: list[_Place], wanted: list[_Place]) -> Iterator[str]:
    """The lines that lead from the open blocks to those that are wanted; `opened` becomes these."""
    same = 0
    while same < min(len(opened), len(wanted)) and opened[same] == wanted[same]:
        same += 1
    further = (
        same < min(len(opened), len(wanted))
        and opened[same].fragment == wanted[same].fragment
        and _operator(graph, wanted[same]) in _FURTHER
    )
    while len(opened) > same + further:
        opened.pop()
        yield f"{'    ' * len(opened)}end"
    if further:
        opened[same] = wanted[same]
        yield f"{'    ' * same}{_FURTHER[_operator(graph, wanted[same])]} {_guard(graph, wanted[same])}".rstrip()
    for place in wanted[len(opened) :]:
        yield f"{'    ' * len(opened)}{_operator(graph, place)} {_guard(graph, place)}".rstrip()
        opened.append(place)


def _operator(graph: Graph, place: _Place) -> str:
    said = graph.elements[place.fragment].extensions.get("operator")
    return said if isinstance(said, str) and said in {"alt", "opt", "loop", "par", "break", "critical"} else "opt"


def _guard(graph: Graph, place: _Place) -> str:
    fragment = graph.elements[place.fragment]
    guard = _rows(fragment)[place.number].get("guard") if isinstance(fragment, Frame) else None
    title = fragment.title if isinstance(fragment, Frame) and not place.number else None
    return bare(str(guard or title or ""))


def _event(graph: Graph, one: Element) -> list[str]:
    if isinstance(one, Edge):
        return _message(graph, one)
    return _note(graph, one) if isinstance(one, Node) and one.node_type == _NOTE else []


def _message(graph: Graph, edge: Edge) -> list[str]:
    ends = [graph.elements.get(end.element_id) for end in (edge.source, edge.target)]
    if not all(one is not None and _lives(one) for one in ends):
        graph.losses.add("lines that end at no participant", edge.id)
        return []
    source, target = graph.names[edge.source.element_id], graph.names[edge.target.element_id]
    line = f"{source}{_arrow(graph, edge)}{target}: {bare(edge.label or '') or ' '}"
    if edge.edge_type == "sequence.create":
        return [f"create {_participant(graph, graph.elements[edge.target.element_id])}", line]
    return [f"destroy {target}", line] if edge.edge_type == "sequence.destroy" else [line]


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
