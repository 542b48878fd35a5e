"""A laid-out scene as Mermaid; the node types decide the kind of diagram.

In: the laid-out scene. Out: text readable by Mermaid. Ids are kept wherever Mermaid accepts them. Features beyond the
diagram kind are collected as losses.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from scenograph.engine.tables import LaidOutScene
from scenograph.engine.write.mermaid.classes import write_classes
from scenograph.engine.write.mermaid.flowchart import write_flowchart
from scenograph.engine.write.mermaid.graph import CLASSES, FLOWCHART, SEQUENCE, STATES, TABLES, Grammar, Graph
from scenograph.engine.write.mermaid.interaction import write_interaction
from scenograph.engine.write.mermaid.states import write_states
from scenograph.engine.write.mermaid.tables import write_tables
from scenograph.engine.write.writer import ExportLosses
from scenograph.scene.model import Node


class DiagramKind(NamedTuple):
    """A kind of diagram: prefix of its node types, writer, and grammar of names."""

    types: str
    write: Callable[[Graph], list[str]]
    grammar: Grammar


NOTES = frozenset({"note", "sequence.note"})
# The first row whose types make up at least half of the nodes; flowcharts hold everything.
KINDS = (
    DiagramKind("sequence.", write_interaction, SEQUENCE),
    DiagramKind("er.", write_tables, TABLES),
    DiagramKind("state.", write_states, STATES),
    DiagramKind("uml.", write_classes, CLASSES),
)
ANY = DiagramKind("", write_flowchart, FLOWCHART)


def write_mermaid(laid_out: LaidOutScene, losses: ExportLosses) -> str:
    """The text of the diagram."""
    nodes = [one for one in laid_out.scene.elements if isinstance(one, Node)]
    types = [one.node_type or "" for one in nodes if one.node_type not in NOTES]
    fitting = (row for row in KINDS if 0 < len(types) <= 2 * sum(one.startswith(row.types) for one in types))
    kind = KINDS[0] if laid_out.scene.diagram_family == "sequence" else next(fitting, ANY)
    graph = Graph(laid_out, losses, kind.grammar)
    graph.tell_common_losses()
    lines = kind.write(graph)
    losses.add_hidden(laid_out.scene, kept={edge.id for edge in graph.invisible_lines} if kind is ANY else ())
    return "\n".join(lines) + "\n"
