"""Architecture: the generic node types, usable in any diagram, and the default edge. (R-FAMILY-2)"""

from __future__ import annotations

from scenograph.engine.families.faces import component_edge, component_tabs, globe, paint_sheet, person, stick_figure
from scenograph.engine.families.family import FOLDED_TYPE, EdgeKind, Family, GlyphStroke, NodeKind, by_name
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.geometry.paths import ellipse
from scenograph.engine.shapes.catalog import lid_of, mouth_of

GENERIC_NODE = NodeKind(name="generic")
"""What a node without a type, or with free text for a type, looks like."""

DEFAULT_EDGE = EdgeKind(name="default")
"""Solid, no arrowheads (R-ELEMENT-6)."""

_DASHED = (6.0, 4.0)
_FIGURE = (44.0, 48.0)
_HOLE = 0.55  # of a rim: the size of the ring inside
_FINE = 1.25  # px


def ringed_lid(box: Box) -> tuple[GlyphStroke, ...]:
    """A ring on the lid of a cylinder, clear of the label."""
    return _ring_in(lid_of(box))


def hollow_mouth(box: Box) -> tuple[GlyphStroke, ...]:
    """A ring in the mouth of a tube, clear of the label: a pipe with many ends."""
    return _ring_in(mouth_of(box))


def _ring_in(rim: Box) -> tuple[GlyphStroke, ...]:
    middle, width, height = rim.center, rim.width * _HOLE, rim.height * _HOLE
    return (GlyphStroke(path=ellipse(Box(middle.x - width / 2, middle.y - height / 2, width, height)), width=_FINE),)


GENERAL = Family(
    name="architecture",
    node_kinds=by_name(
        NodeKind(name="service"),
        NodeKind(name="component", shape="rect", padding=(18.0, 12.0), glyph=component_tabs, glyph_box=component_edge),
        NodeKind(name="container", shape="box3d"),
        NodeKind(name="function", shape="pill"),
        NodeKind(name="gateway", shape="hexagon", tone="gateway"),
        NodeKind(name="loadBalancer", shape="hexagon", tone="gateway"),
        NodeKind(name="client", tone="people"),
        NodeKind(name="external", tone="external"),
        NodeKind(name="database", shape="cylinder", tone="data", min_size=(88.0, 60.0)),
        NodeKind(name="storage", shape="cylinder", tone="data", min_size=(88.0, 60.0)),
        NodeKind(name="bucket", shape="cylinder", tone="data", min_size=(88.0, 60.0)),
        NodeKind(name="cache", shape="cylinder", tone="data", min_size=(88.0, 60.0), glyph=ringed_lid),
        NodeKind(name="queue", shape="tube", tone="queue"),
        NodeKind(name="topic", shape="tube", tone="queue", glyph=hollow_mouth),
        NodeKind(name="cdn", tone="external", symbol=globe),
        NodeKind(name="user", shape="textBox", tone="people", label_below=True, fixed_size=_FIGURE, glyph=person),
        NodeKind(
            name="actor", shape="textBox", tone="people", label_below=True, fixed_size=_FIGURE, glyph=stick_figure
        ),
        NodeKind(name="note", shape="rect", tone="note", padding=(16.0, 12.0), wrap_width=180.0, paint=paint_sheet),
    ),
    edge_kinds=by_name(DEFAULT_EDGE),
    cast_kinds=by_name(NodeKind(name=FOLDED_TYPE, tone="external", dash=_DASHED, padding=(20.0, 14.0))),
)
