"""Entity-relationship diagrams: tables with their columns, lines with a cardinality at each end."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from scenograph.engine.write.mermaid.graph import Graph, indented, label_of, quoted
from scenograph.engine.write.writer import is_typed
from scenograph.scene.model import Column, Edge, Element, Endpoint, Frame, Linked, Node

_LEFT: Mapping[str, str] = MappingProxyType(
    {"one": "||", "zero-or-one": "|o", "many": "}|", "one-or-many": "}|", "zero-or-many": "}o"}
)
_RIGHT: Mapping[str, str] = MappingProxyType(
    {"one": "||", "zero-or-one": "o|", "many": "|{", "one-or-many": "|{", "zero-or-many": "o{"}
)
_TYPES = frozenset({"er.identifying", "er.nonIdentifying"})
_STRANGE = re.compile(r"[^A-Za-z0-9_\-()\[\]]+")


def write_tables(graph: Graph) -> list[str]:
    """The lines of an erDiagram; containers are subgraphs."""
    body = [line for one in graph.children(None) for line in _element(graph, one)]
    body += [_relation(graph, edge) for edge in graph.edges if _is_between_tables(graph, edge)]
    left_out = [edge.id for edge in graph.edges if not _is_between_tables(graph, edge)]
    graph.tell("lines that end at a container", left_out)
    strategy = graph.laid_out.scene.layout_strategy
    if strategy is not None and strategy.direction is not None:
        body.insert(0, f"direction {strategy.direction}")
    graph.tell(
        "columns that may be null", (node.id for node in graph.nodes if any(row.nullable for row in node.columns))
    )
    graph.tell(
        "cardinalities of many (written as one or many)",
        (edge.id for edge in graph.edges if "many" in (edge.source.cardinality, edge.target.cardinality)),
    )
    graph.tell("lines without a type (written as identifying, dashed ones as not)", _untyped(graph))
    graph.tell(
        "types of frames", (one.id for one in graph.elements.values() if isinstance(one, Frame) and is_typed(one))
    )
    graph.tell("ends of lines at rows", (edge.id for edge in graph.edges if edge.source.column or edge.target.column))
    graph.tell("links", (one.id for one in graph.elements.values() if isinstance(one, Linked) and one.link is not None))
    graph.tell_labels_at_ends()
    graph.tell_painted_lines()
    return [*graph.head("erDiagram"), *indented([*body, *graph.styled(whole=True)])]


def _element(graph: Graph, one: Element) -> list[str]:
    if isinstance(one, Node):
        return _table(graph, one)
    inner = [line for child in graph.children(one.id) for line in _element(graph, child)]
    lines = indented([*graph.own_direction(one), *inner])
    return [f'subgraph {graph.names[one.id]} ["{quoted(label_of(one)) or " "}"]', *lines, "end"]


def _table(graph: Graph, node: Node) -> list[str]:
    name, label = graph.names[node.id], label_of(node)
    head = name if label in ("", name) else f'{name}["{quoted(label)}"]'
    return [f"{head} {{", *indented([_column(graph, node, column) for column in node.columns]), "}"]


def _column(graph: Graph, node: Node, column: Column) -> str:
    kind, name = _word(column.type or "any"), _word(column.name)
    if name != column.name or (column.type is not None and kind != column.type):
        graph.losses.add("letters of column names and types that Mermaid does not take", node.id)
    keys = ", ".join(key for key, is_set in (("PK", column.pk), ("FK", column.fk), ("UK", column.unique)) if is_set)
    return f"{kind} {name}{f' {keys}' if keys else ''}"


def _word(text: str) -> str:
    word = _STRANGE.sub("_", text)
    return word if word[:1].isalpha() or word[:1] == "_" else f"_{word}"


def _relation(graph: Graph, edge: Edge) -> str:
    ends = _end(graph, edge, edge.source, _LEFT), _end(graph, edge, edge.target, _RIGHT)
    line = ".." if graph.laid_out.styles.of[edge.id].dash else "--"
    source, target = graph.names[edge.source.element_id], graph.names[edge.target.element_id]
    return f'{source} {ends[0]}{line}{ends[1]} {target} : "{quoted(edge.label or "")}"'


def _end(graph: Graph, edge: Edge, end: Endpoint, marks: Mapping[str, str]) -> str:
    if end.cardinality not in marks:
        graph.losses.add("ends without a cardinality (written as one)", edge.id)
    return marks.get(end.cardinality or "", "||")


def _untyped(graph: Graph) -> Iterator[str]:
    return (edge.id for edge in graph.edges if edge.edge_type not in _TYPES)


def _is_between_tables(graph: Graph, edge: Edge) -> bool:
    return all(isinstance(graph.elements.get(end.element_id), Node) for end in (edge.source, edge.target))
