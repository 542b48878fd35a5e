"""Sequence: lifelines, actors, notes and messages. (specification: "Sequence family")"""

from __future__ import annotations

from scenograph.engine.families.family import EdgeKind, Family, NodeKind, by_name, edges_by_name
from scenograph.engine.families.figures import folded_corner, stick_figure

HEADER_SIZE = (100.0, 40.0)
_DASHED = (6.0, 4.0)

SEQUENCE = Family(
    name="sequence",
    node_kinds=by_name(
        NodeKind(name="sequence.lifeline", shape="rect", min_size=HEADER_SIZE),
        NodeKind(name="sequence.actor", shape="textBox", label_below=True, fixed_size=(40.0, 52.0), glyph=stick_figure),
        NodeKind(name="sequence.note", tone="note", padding=(16.0, 10.0), min_size=(72.0, 36.0), glyph=folded_corner),
    ),
    edge_kinds=edges_by_name(
        EdgeKind(name="sequence.message", end_marker="triangle"),
        EdgeKind(name="sequence.reply", dash=_DASHED, end_marker="arrow"),
        EdgeKind(name="sequence.create", dash=_DASHED, end_marker="triangle"),
        EdgeKind(name="sequence.async", end_marker="arrow"),
        EdgeKind(name="sequence.destroy", end_marker="cross"),
    ),
)
