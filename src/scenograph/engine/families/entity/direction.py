"""Which way an entity-relationship diagram reads when its author does not say.

Lines leave a row at its left or right end only. Tables one above the other force every line into a hook round the
boxes; side by side, it crosses the gap between them. Figures that decided: docs/entity-relationship.md.
"""

from __future__ import annotations

from scenograph.scene.model import Edge, Scene

SIDEWAYS, DOWNWARDS = "LR", "TB"
_ENOUGH = 0.5  # of the edges between two elements


def reading_direction(scene: Scene) -> str:
    """Sideways when at least half of the edges stand on a row, downwards as everywhere otherwise."""
    edges = [
        element
        for element in scene.elements
        if isinstance(element, Edge) and element.source.element_id != element.target.element_id
    ]
    on_rows = sum(edge.source.column is not None or edge.target.column is not None for edge in edges)
    return SIDEWAYS if on_rows and on_rows >= _ENOUGH * len(edges) else DOWNWARDS
