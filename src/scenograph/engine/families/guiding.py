"""Which edges say who stands above whom, and which way round.

In: a scene. Out: the edges that guide its layout. A dotted line crosses a hierarchy and must not bend it; a way back
leads to what was there before. (R-UI-3)
"""

from __future__ import annotations

from scenograph.engine.families.catalog import edge_kind, family_named
from scenograph.late_dataclasses import replace
from scenograph.scene.model import Edge, Scene


def guiding_edges(scene: Scene) -> tuple[Edge, ...]:
    """The edges by which elements are put in order, those that lead upwards turned round. An edge that stands aside, or
    joins peers, counts only where it is the only tie of one of its ends."""
    family = family_named(scene.diagram_family)
    upward = family.upward(scene) if family.upward is not None else frozenset[str]()
    level = family.level(scene) if family.level is not None else frozenset[str]()
    edges = [element for element in scene.elements if isinstance(element, Edge)]
    aside = {edge.id for edge in edges if edge.id in level or edge_kind(edge.edge_type).aside}
    tied = {end for edge in edges if edge.id not in aside for end in _ends(edge)}
    return tuple(
        turned(edge) if edge.id in upward or edge_kind(edge.edge_type).upward else edge
        for edge in edges
        if edge.id not in aside or not _ends(edge) <= tied
    )


def _ends(edge: Edge) -> set[str]:
    return set(edge.ends)


def turned(edge: Edge) -> Edge:
    """The same edge the other way round."""
    return replace(edge, source=edge.target, target=edge.source)
