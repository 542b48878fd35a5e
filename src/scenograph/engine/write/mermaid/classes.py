"""Class diagrams: classes with compartments, relations with multiplicities."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from scenograph.engine.write.mermaid.graph import CLASSES, Graph, bare, indented, label_of, quoted
from scenograph.scene.json_values import is_array
from scenograph.scene.model import Edge, Element, Endpoint, Frame, Group, Node

_ARROWS: Mapping[str, str] = MappingProxyType(
    {
        "uml.inherits": "--|>",
        "uml.implements": "..|>",
        "uml.composes": "*--",
        "uml.aggregates": "o--",
        "uml.depends": "..>",
    }
)
_STEREOTYPES: Mapping[str, str] = MappingProxyType({"uml.interface": "interface", "uml.enum": "enumeration"})
_RETURNS = re.compile(r"(\([^()]*\))\s*:\s*(?=\S)")
_CLASSIFIERS: Mapping[str, str] = MappingProxyType({"{abstract}": "*", "{static}": "$"})
_NOTE = "note"
_COMPARTMENTS = ("attributes", "values", "methods")


def write_classes(graph: Graph) -> list[str]:
    """The lines of a classDiagram; containers are namespaces."""
    body = [f"direction {graph.direction}", *(line for one in graph.children(None) for line in _element(graph, one))]
    notes = [node for node in graph.nodes if node.node_type == _NOTE]
    ties = {note.id: [edge for edge in graph.edges if note.id in edge.ends] for note in notes}
    tied = [edge for row in ties.values() for edge in row]
    body += [line for note in notes for line in _note(graph, note, ties[note.id])]
    body += [_relation(graph, edge) for edge in graph.edges if edge not in tied]
    graph.tell("ids of notes", ties)
    graph.tell("empty containers", (one for one in graph.names if _is_empty(graph, one)))
    graph.tell_painted_lines()
    return [*graph.head("classDiagram"), *indented([*body, *graph.painted()])]


def _note(graph: Graph, note: Node, ties: Sequence[Edge]) -> list[str]:
    text = f'"{quoted(note.label or "") or " "}"'
    others = [one for edge in ties for one in edge.ends if one != note.id]
    return [f"note for {graph.names[one]} {text}" for one in others] or [f"note {text}"]


def _element(graph: Graph, one: Element) -> list[str]:
    name, label = graph.names[one.id], label_of(one)
    if isinstance(one, Frame | Group):
        inner = [line for child in graph.children(one.id) for line in _element(graph, child)]
        return [f"namespace {_namespace(graph, one)} {{", *indented(inner), "}"] if inner else []
    if isinstance(one, Node) and one.node_type == _NOTE:
        return []
    head = f"class {name}" if label in ("", name) else f'class {name}["{quoted(label)}"]'
    stereotype = _STEREOTYPES.get(one.node_type or "") if isinstance(one, Node) else None
    rows: list[str] = [f"<<{stereotype}>>"] if stereotype else []
    for compartment in _COMPARTMENTS:
        said = one.extensions.get(compartment)
        rows += [_member(str(text)) for text in (said if is_array(said) else ())]
    return [f"{head} {{", *indented(rows), "}"] if rows else [head]


def _is_empty(graph: Graph, container: str) -> bool:
    is_container = isinstance(graph.elements[container], Frame | Group)
    return is_container and not any(_element(graph, child) for child in graph.children(container))


def _namespace(graph: Graph, one: Element) -> str:
    """The name of a namespace, with a quoted title if the title is no valid name. Mermaid keeps no id of a namespace,
    and splits a name at a dot."""
    title = label_of(one)
    if CLASSES.fullmatch(title) and "." not in title:
        return title
    return f'{graph.names[one.id].replace(".", "_")}["{quoted(title)}"]'


def _member(text: str) -> str:
    """A member on one line in Mermaid's syntax: `sum(a): int {static}` becomes `sum(a) int$`. Brackets stay: they tell
    methods from attributes."""
    text = _RETURNS.sub(r"\1 ", text)
    for word, mark in _CLASSIFIERS.items():
        if text.rstrip().endswith(word):
            text = f"{text.rstrip().removesuffix(word).rstrip()}{mark}"
    return " ".join(text.replace("{", "(").replace("}", ")").replace("%%", "% %").split())


def _relation(graph: Graph, edge: Edge) -> str:
    arrow = _ARROWS.get(edge.edge_type or "") or ("-->" if edge.end_arrow not in (None, "none") else "--")
    if arrow.endswith(("->", ".>")):
        arrow = f"{arrow[:2]}{'' if edge.end_arrow == 'none' else '>'}"
        arrow = f"<{arrow}" if edge.start_arrow not in (None, "none") else arrow
    source, target = graph.names[edge.source.element_id], graph.names[edge.target.element_id]
    text = f" : {bare(edge.label)}" if edge.label else ""
    return f"{source}{_said(edge.source)} {arrow}{_said(edge.target)} {target}{text}"


def _said(end: Endpoint) -> str:
    label: str | None = getattr(end, "label", None)
    return f' "{quoted(label)}"' if label else ""
