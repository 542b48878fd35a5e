"""State diagrams: states, composite states, choices, forks, transitions."""

from __future__ import annotations

from scenograph.engine.families.container_types import is_region
from scenograph.engine.write.mermaid.graph import Graph, bare, indented, label_of, quoted
from scenograph.scene.document_index import ancestors
from scenograph.scene.model import Edge, Element, Frame, Group, Node

_STEREOTYPES = {"state.choice": "<<choice>>", "state.fork": "<<fork>>"}
_NOTE = "note"
_BORDERS = ("state.initial", "state.final")


def write_states(graph: Graph) -> list[str]:
    """The lines of a stateDiagram-v2; a transition belongs to the innermost state around both ends."""
    unnamed = (node.id for node in graph.nodes if node.node_type in (*_BORDERS, _NOTE))
    graph.tell("ids of starts, ends and notes", unnamed)
    graph.tell_labels_at_ends()
    graph.tell_painted_lines()
    return [
        *graph.head("stateDiagram-v2"),
        *indented([f"direction {graph.direction}", *_scope(graph, None), *graph.painted()]),
    ]


def _scope(graph: Graph, container: str | None) -> list[str]:
    """The content of a state, or of the top level; regions are separated by `--`."""
    lines: list[str] = []
    for one in graph.children(container):
        if is_region(one):
            lines += [*(["--"] if lines else []), *_scope(graph, one.id)]
        else:
            lines += _state(graph, one)
    inside = (edge for edge in graph.edges if _home(graph, edge) == container and not _is_tie(graph, edge))
    return lines + [_transition(graph, edge) for edge in inside]


def _is_note(graph: Graph, element_id: str) -> bool:
    element = graph.elements.get(element_id)
    return isinstance(element, Node) and element.node_type == _NOTE


def _is_tie(graph: Graph, edge: Edge) -> bool:
    """Whether an edge attaches a note to a state."""
    return _is_note(graph, edge.source.element_id) or _is_note(graph, edge.target.element_id)


def _note(graph: Graph, note: Node) -> list[str]:
    for edge in graph.edges:
        ends = edge.ends
        if note.id in ends:
            on = ends[ends[0] == note.id]
            side = "left" if note.layout.relation == "leftOf" else "right"
            return [f"note {side} of {graph.names[on]} : {bare(note.label or '') or ' '}"]
    return [f'note "{quoted(note.label or "")}" as {graph.names[note.id]}']


def _state(graph: Graph, one: Element) -> list[str]:
    name, text = graph.names[one.id], quoted(label_of(one))
    if isinstance(one, Frame | Group):
        lines = indented([*graph.own_direction(one), *_scope(graph, one.id)])
        return [f'state "{text}" as {name} {{', *lines, "}"]
    kind = one.node_type if isinstance(one, Node) else None
    if isinstance(one, Node) and kind == _NOTE:
        return _note(graph, one)
    if kind in _BORDERS:
        return []
    if kind in _STEREOTYPES:
        return [f"state {name} {_STEREOTYPES[kind or '']}"]
    return [name if text in ("", name) else f'state "{text}" as {name}']


def _transition(graph: Graph, edge: Edge) -> str:
    ends = (_end(graph, end.element_id) for end in (edge.source, edge.target))
    text = f" : {bare(edge.label)}" if edge.label else ""
    return f"{' --> '.join(ends)}{text}"


def _end(graph: Graph, element_id: str) -> str:
    element = graph.elements[element_id]
    return "[*]" if isinstance(element, Node) and element.node_type in _BORDERS else graph.names[element_id]


def _home(graph: Graph, edge: Edge) -> str | None:
    """The innermost container round both ends."""
    around = [[*ancestors(end, graph.homes.get)] for end in edge.ends]
    return next((one for one in around[0] if one in around[1]), None)
