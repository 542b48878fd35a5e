"""State diagrams: states, composite states, choices, forks, transitions."""

from __future__ import annotations

from scenograph.engine.write.mermaid.graph import Graph, indented, label_of
from scenograph.engine.write.mermaid.text import bare, quoted
from scenograph.scene.model import Edge, Element, Frame, Group, Node

_STEREOTYPES = {"state.choice": "<<choice>>", "state.fork": "<<fork>>"}
_BORDERS = ("state.initial", "state.final")


def write_states(graph: Graph) -> list[str]:
    """The lines of a stateDiagram-v2; a transition stands in the innermost state round both its ends."""
    return [
        *graph.head("stateDiagram-v2"),
        *indented([f"direction {graph.direction}", *_scope(graph, None), *graph.painted(graph.edges)]),
    ]


def _scope(graph: Graph, container: str | None) -> list[str]:
    lines = [line for one in graph.children(container) for line in _state(graph, one)]
    return lines + [_transition(graph, edge) for edge in graph.edges if _home(graph, edge) == container]


def _state(graph: Graph, one: Element) -> list[str]:
    name, text = graph.names[one.id], quoted(label_of(one))
    if isinstance(one, Frame | Group):
        return [f'state "{text}" as {name} {{', *indented(_scope(graph, one.id)), "}"]
    kind = one.node_type if isinstance(one, Node) else None
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
    around = [_chain(graph, end.element_id) for end in (edge.source, edge.target)]
    return next((one for one in around[0] if one in around[1]), None)


def _chain(graph: Graph, element_id: str) -> list[str]:
    chain: list[str] = []
    at = graph.homes.get(element_id)
    while at is not None and at not in chain:
        chain.append(at)
        at = graph.homes.get(at)
    return chain
