"""Bars (forks and joins): they lie across the flow, as long as their lines need. px.

In: a scene. Out: the same scene in which every bar without a given size has one.
"""

from __future__ import annotations

from collections import Counter

from scenograph.diagnostics import Report
from scenograph.engine.families.catalog import flow_of, kind_of
from scenograph.late_dataclasses import replace
from scenograph.scene.model import Edge, Element, Node, Scene

_SIDEWAYS = frozenset({"LR", "RL"})
_PER_LINE = 36.0
"""Between lines that end at one side of a bar, px."""


def lay_bars_across(scene: Scene, _report: Report) -> Scene:
    """The scene with the bars turned as its flow runs."""
    bars = [element for element in scene.elements if isinstance(element, Node) and kind_of(element).bar]
    if not bars:
        return scene
    edges = [element for element in scene.elements if isinstance(element, Edge)]
    leaving = Counter(edge.source.element_id for edge in edges)
    entering = Counter(edge.target.element_id for edge in edges)
    sideways = flow_of(scene) in _SIDEWAYS
    laid = {bar.id: _laid(bar, max(leaving[bar.id], entering[bar.id]), sideways=sideways) for bar in bars}
    rows: list[Element] = [laid.get(element.id, element) for element in scene.elements]
    return replace(scene, elements=tuple(rows))


def _laid(bar: Node, lines: int, *, sideways: bool) -> Node:
    size, layout = kind_of(bar).fixed_size, bar.layout
    if size is None or layout.width is not None or layout.height is not None:
        return bar
    length, breadth = max(size[0], _PER_LINE * lines), size[1]
    width, height = (breadth, length) if sideways else (length, breadth)
    return replace(bar, layout=replace(layout, width=width, height=height))
