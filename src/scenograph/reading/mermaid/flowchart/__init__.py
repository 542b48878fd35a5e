"""Flowcharts and swimlanes."""

from scenograph.reading.losses import Losses
from scenograph.reading.mermaid.diagram import Diagram
from scenograph.reading.mermaid.flowchart.document import document_of
from scenograph.reading.mermaid.flowchart.model import Flowchart
from scenograph.reading.mermaid.flowchart.statements import read_statements, take_direction
from scenograph.scene.json_values import JsonObject

__all__ = ["read_flowchart", "read_swimlanes"]


def read_flowchart(diagram: Diagram, losses: Losses) -> JsonObject:
    """The document of a flowchart."""
    return _read(diagram, losses, lanes=False)


def read_swimlanes(diagram: Diagram, losses: Losses) -> JsonObject:
    """The document of a swimlane diagram: a flowchart whose outermost subgraphs are lanes."""
    return _read(diagram, losses, lanes=True)


def _read(diagram: Diagram, losses: Losses, *, lanes: bool) -> JsonObject:
    direction = take_direction(diagram.cursor)
    chart = Flowchart(losses, diagram.source.most_elements, direction=direction, title=diagram.title)
    read_statements(diagram.cursor, chart)
    return document_of(chart, diagram.source, lanes=lanes)
