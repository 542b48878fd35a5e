"""A laid-out scene as Mermaid: the kind of diagram follows from the types of its nodes.

In: the laid-out scene. Out: text that Mermaid reads. Ids are kept wherever Mermaid takes them. What a diagram cannot
hold is gathered as losses.
"""

from __future__ import annotations

from collections.abc import Callable

from scenograph.engine.tables import LaidOutScene
from scenograph.engine.write.mermaid.classes import write_classes
from scenograph.engine.write.mermaid.flowchart import write_flowchart
from scenograph.engine.write.mermaid.graph import Graph
from scenograph.engine.write.mermaid.interaction import write_interaction
from scenograph.engine.write.mermaid.states import write_states
from scenograph.engine.write.mermaid.tables import write_tables
from scenograph.engine.write.writer import Losses

# The first row whose types make up at least half of the nodes; flowcharts hold everything.
KINDS: tuple[tuple[str, Callable[[Graph], list[str]]], ...] = (
    ("sequence.", write_interaction),
    ("er.", write_tables),
    ("state.", write_states),
    ("uml.", write_classes),
)


def write_mermaid(laid_out: LaidOutScene, losses: Losses) -> str:
    """The text of the diagram."""
    graph = Graph(laid_out, losses)
    types = [node.node_type or "" for node in graph.nodes]
    writer = next(
        (write for prefix, write in KINDS if 0 < len(types) <= 2 * sum(one.startswith(prefix) for one in types)),
        write_flowchart,
    )
    graph.tell_common_losses()
    return "\n".join(writer(graph)) + "\n"
