"""User interface flows: screens, modals and the ways between them. (decisions: section 10)"""

from __future__ import annotations

from scenograph.engine.families.family import (
    EdgeKind,
    Family,
    NodeKind,
    by_name,
    decision,
    edges_by_name,
)
from scenograph.engine.families.figures import title_bar

_POINT = (28.0, 28.0)

UIFLOW = Family(
    name="uiflow",
    node_kinds=by_name(
        NodeKind(name="uiflow.screen", min_size=(132.0, 88.0), padding=(14.0, 24.0), glyph=title_bar),
        NodeKind(name="uiflow.modal", min_size=(112.0, 64.0), padding=(14.0, 24.0), tone="external", glyph=title_bar),
        NodeKind(name="uiflow.entry", shape="ellipse", label_below=True, fixed_size=_POINT, filled_with_stroke=True),
        NodeKind(name="uiflow.exit", shape="ellipse", label_below=True, fixed_size=_POINT, stroke_width=3.5),
        decision("uiflow.decision"),
    ),
    edge_kinds=edges_by_name(
        EdgeKind(name="uiflow.navigate", end_marker="triangle"),
        EdgeKind(name="uiflow.back", dash=(6.0, 4.0), end_marker="triangle"),
        EdgeKind(name="uiflow.action", dash=(2.0, 4.0), end_marker="arrow"),
    ),
)
