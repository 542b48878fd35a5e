"""Edges that meet in one point: at a row on which more of them end than can stand side by side, and where attributes
hang on their entity.

In: the edges of a scene with their styles. Out: the fan of every edge that shares such an end. A key to which half the
tables refer would else lie under a heap of crow's feet; joined, one glyph says it for all. Only lines that look alike
and wear the same marker there are joined; their labels stand where each still runs alone (`own_stretch`). The lines of
what belongs to an element tell nothing apart: they are joined when they are plain.
"""

from __future__ import annotations

from collections.abc import Mapping

from scenograph.engine.families.catalog import node_kind
from scenograph.engine.route.bundles.fan_in import MERGING, look
from scenograph.engine.tables import FinishedStyle
from scenograph.scene.model import Edge, Node, Scene

PLAIN = "none"
PLACES = 2  # edges that have room side by side at the end of a row

Key = tuple[object, ...]


def row_fans(scene: Scene, styles: Mapping[str, FinishedStyle]) -> dict[str, str]:
    """By edge id. Where both ends of an edge are crowded, the target's row counts."""
    edges = [
        element
        for element in scene.elements
        if isinstance(element, Edge) and element.source.element_id != element.target.element_id
    ]
    found = _hanging(edges, scene, styles)
    for is_target in (False, True):
        for numbers in _crowded(edges, is_target=is_target):
            found.update(_fans([edges[number] for number in numbers], styles, is_target=is_target))
    return found


def _hanging(edges: list[Edge], scene: Scene, styles: Mapping[str, FinishedStyle]) -> dict[str, str]:
    """The plain lines of the nodes that belong to one element, by that element."""
    belonging = {one.id for one in scene.elements if isinstance(one, Node) and node_kind(one.node_type).belongs}
    groups: dict[Key, list[Edge]] = {}
    for edge in edges if belonging else ():
        source, target = edge.ends
        is_plain = not edge.label and edge.start_arrow == edge.end_arrow == PLAIN
        is_free = edge.router in MERGING
        if is_plain and is_free and (source in belonging) != (target in belonging):
            owner = target if source in belonging else source
            groups.setdefault((owner, *look(styles.get(edge.id))), []).append(edge)
    return {edge.id: f"of:{group[0].id}" for group in groups.values() if len(group) > 1 for edge in group}


def _crowded(edges: list[Edge], *, is_target: bool) -> list[list[int]]:
    """The edges of every row with more than `PLACES` of them, by their numbers."""
    rows: dict[tuple[str, str], list[int]] = {}
    for number, edge in enumerate(edges):
        end = edge.target if is_target else edge.source
        if end.column is not None:
            rows.setdefault((end.element_id, end.column), []).append(number)
    return [numbers for numbers in rows.values() if len(numbers) > PLACES]


def _fans(edges: list[Edge], styles: Mapping[str, FinishedStyle], *, is_target: bool) -> dict[str, str]:
    """The edges of one row by what can be told apart there."""
    groups: dict[Key, list[Edge]] = {}
    for edge in edges:
        if edge.router in MERGING:
            marker = edge.end_arrow if is_target else edge.start_arrow
            groups.setdefault((marker, *look(styles.get(edge.id))), []).append(edge)
    shared = (group for group in groups.values() if len(group) > 1)
    return {edge.id: f"row:{group[0].id}" for group in shared for edge in group}
