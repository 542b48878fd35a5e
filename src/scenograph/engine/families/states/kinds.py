"""State machines: node, edge and container types, usable in any family. (R-UML-4, R-UML-5; UML 2.5.1, 14.2)"""

from __future__ import annotations

from scenograph.engine.families.bpmn_glyphs import core
from scenograph.engine.families.family import EdgeKind, NodeKind, Notation, by_name
from scenograph.engine.families.states.regions import divide_into_regions

STATE_RADIUS = 12.0
_INITIAL, _FINAL, _CHOICE, _BAR = (20.0, 20.0), (24.0, 24.0), (32.0, 32.0), (72.0, 8.0)

STATES = Notation(
    node_kinds=by_name(
        NodeKind(name="state.state", corner_radius=STATE_RADIUS),
        NodeKind(
            name="state.initial",
            shape="ellipse",
            label_below=True,
            label_moves=True,
            fixed_size=_INITIAL,
            filled_with_stroke=True,
        ),
        NodeKind(
            name="state.final", shape="ellipse", label_below=True, label_moves=True, fixed_size=_FINAL, glyph=core
        ),
        NodeKind(name="state.choice", shape="diamond", label_below=True, label_moves=True, fixed_size=_CHOICE),
        NodeKind(
            name="state.fork",
            shape="rect",
            label_below=True,
            label_moves=True,
            fixed_size=_BAR,
            filled_with_stroke=True,
            bar=True,
        ),
    ),
    edge_kinds=by_name(EdgeKind(name="state.transition", end_marker="triangle")),
    resolving=(divide_into_regions,),
)
