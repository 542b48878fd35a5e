"""Rows on which more edges end than can stand side by side there: they meet in one point.

In: the edges of a scene with their styles. Out: the fan of every edge that shares such an end. A key to which half the
tables refer would else lie under a heap of crow's feet; joined, one glyph says it for all. Only lines that look alike
and wear the same marker there are joined; their labels stand where each still runs alone (`own_stretch`).
"""

from __future__ import annotations

from collections.abc import Mapping

from scenograph.engine.route.connection import Fan
from scenograph.engine.tables import FinishedStyle
from scenograph.scene.model import Edge, Scene

PLACES = 2  # edges that have room side by side at the end of a row

Key = tuple[object, ...]


def row_fans(scene: Scene, styles: Mapping[str, FinishedStyle]) -> dict[str, Fan]:
    """By edge id. Where both ends of an edge are crowded, the target's row counts."""
    edges = [
        element
        for element in scene.elements
        if isinstance(element, Edge) and element.source.element_id != element.target.element_id
    ]
    found: dict[str, Fan] = {}
    for is_target in (False, True):
        for numbers in _crowded(edges, is_target=is_target):
            found.update(_fans([edges[number] for number in numbers], styles, is_target=is_target))
    return found


def _crowded(edges: list[Edge], *, is_target: bool) -> list[list[int]]:
    """The edges of every row with more than `PLACES` of them, by their numbers."""
    rows: dict[tuple[str, str], list[int]] = {}
    for number, edge in enumerate(edges):
        end = edge.target if is_target else edge.source
        if end.column is not None:
            rows.setdefault((end.element_id, end.column), []).append(number)
    return [numbers for numbers in rows.values() if len(numbers) > PLACES]


def _fans(edges: list[Edge], styles: Mapping[str, FinishedStyle], *, is_target: bool) -> dict[str, Fan]:
    """The edges of one row by what can be told apart there."""
    groups: dict[Key, list[Edge]] = {}
    for edge in edges:
        if edge.router in {None, "orthogonal"}:
            marker = edge.end_arrow if is_target else edge.start_arrow
            groups.setdefault((marker, *_look(styles.get(edge.id))), []).append(edge)
    shared = (group for group in groups.values() if len(group) > 1)
    return {edge.id: Fan(f"row:{group[0].id}") for group in shared for edge in group}


def _look(style: FinishedStyle | None) -> Key:
    return () if style is None else (style.stroke, style.stroke_width, style.dash, style.opacity)
