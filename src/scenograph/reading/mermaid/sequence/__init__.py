"""Sequence diagrams."""

from scenograph.reading.assembly import Assembly
from scenograph.reading.losses import Losses
from scenograph.reading.mermaid.diagram import Diagram
from scenograph.reading.mermaid.sequence.statements import read_statements
from scenograph.reading.sequences import SequenceChart, document_of
from scenograph.scene.json_values import JsonObject

__all__ = ["read_sequence"]


def read_sequence(diagram: Diagram, losses: Losses) -> JsonObject:
    """The document of a sequence diagram."""
    chart = SequenceChart(losses, diagram.source.most_elements, title=diagram.title)
    read_statements(diagram.cursor, chart)
    return document_of(chart, Assembly("mermaid", diagram.source))
