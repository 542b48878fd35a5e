"""Architecture: the generic node types, usable in any diagram, and the default edge. (R-FAMILY-2)"""

from __future__ import annotations

from scenograph.engine.families.faces import component_tabs, paint_sheet, person, stick_figure
from scenograph.engine.families.family import FOLDED_TYPE, EdgeKind, Family, NodeKind, by_name

GENERIC_NODE = NodeKind(name="generic")
"""What a node without a type, or with free text for a type, looks like."""

DEFAULT_EDGE = EdgeKind(name="default")
"""Solid, no arrowheads (R-ELEMENT-6)."""

_DASHED = (6.0, 4.0)
_FIGURE = (44.0, 48.0)

GENERAL = Family(
    name="architecture",
    node_kinds=by_name(
        NodeKind(name="service"),
        NodeKind(name="component", shape="rect", padding=(18.0, 12.0), glyph=component_tabs),
        NodeKind(name="container", shape="box3d"),
        NodeKind(name="function", shape="pill"),
        NodeKind(name="gateway", shape="hexagon"),
        NodeKind(name="loadBalancer", shape="hexagon"),
        NodeKind(name="client"),
        NodeKind(name="external", tone="external", dash=_DASHED),
        NodeKind(name="database", shape="cylinder", tone="data", min_size=(88.0, 60.0)),
        NodeKind(name="storage", shape="cylinder", tone="data", min_size=(88.0, 60.0)),
        NodeKind(name="bucket", shape="cylinder", tone="data", min_size=(88.0, 60.0)),
        NodeKind(name="cache", shape="cylinder", tone="data", min_size=(88.0, 60.0), dash=_DASHED),
        NodeKind(name="queue", shape="tube", tone="data"),
        NodeKind(name="topic", shape="parallelogram", tone="data"),
        NodeKind(name="cdn", shape="cloud", tone="external", min_size=(120.0, 72.0), wrap_width=110.0),
        NodeKind(name="user", shape="textBox", label_below=True, fixed_size=_FIGURE, glyph=person),
        NodeKind(name="actor", shape="textBox", label_below=True, fixed_size=_FIGURE, glyph=stick_figure),
        NodeKind(name="note", shape="rect", tone="note", padding=(16.0, 12.0), wrap_width=180.0, paint=paint_sheet),
    ),
    edge_kinds=by_name(DEFAULT_EDGE),
    cast_kinds=by_name(NodeKind(name=FOLDED_TYPE, tone="external", dash=_DASHED, padding=(20.0, 14.0))),
)
