"""Boxes of one width for everybody who reports to the same manager: in a stack or a row ragged edges look like ranks.

In: a scene, its natural sizes. Out: the sizes; boxes that their authors gave a width, and other shapes, stay. px.
"""

from __future__ import annotations

from scenograph.engine.families.family import BOX_SHAPES, LayAnew
from scenograph.engine.families.report_direction import DOTTED_LINE, upward_reports
from scenograph.engine.tables import Sizes
from scenograph.scene.model import Edge, Node, Scene


def with_equal_widths(scene: Scene, sizes: Sizes, _lay: LayAnew) -> Sizes:
    """All sizes, the narrower siblings as wide as the widest."""
    free = {row.id for row in scene.elements if isinstance(row, Node) and _is_free(row)} & sizes.keys()
    upward = upward_reports(scene)
    families: dict[str, set[str]] = {}
    for row in scene.elements:
        if isinstance(row, Edge) and row.edge_type != DOTTED_LINE:
            ends = row.ends
            manager, report = ends[::-1] if row.id in upward else ends
            families.setdefault(manager, set()).update({report} & free)
    widths: dict[str, float] = {}
    for reports in families.values():
        widest = max((sizes[report].width for report in reports), default=0.0)
        widths.update({report: max(widest, widths.get(report, 0.0)) for report in sorted(reports)})
    return {**sizes, **{report: sizes[report]._replace(width=width) for report, width in widths.items()}}


def _is_free(node: Node) -> bool:
    return node.layout.width is None and (node.shape or "roundedRect") in BOX_SHAPES
