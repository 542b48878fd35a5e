"""User interface flows: screens, modals and the ways between them. (R-UI-1, R-UI-2, R-UI-3)"""

from __future__ import annotations

from scenograph.engine.families.family import (
    EdgeKind,
    Family,
    NodeKind,
    by_name,
    decision,
)
from scenograph.engine.families.flow_direction import flow_direction
from scenograph.engine.families.windows import DIALOG, SCREEN, WindowLook, is_window, window_measure, window_paint

_POINT = (28.0, 28.0)


def _window(name: str, look: WindowLook) -> NodeKind:
    return NodeKind(
        name=name,
        min_size=look.least,
        padding=(14.0, 24.0),
        measure=window_measure(look),
        paint=window_paint(look),
        has_own_face=is_window,
    )


UIFLOW = Family(
    name="uiflow",
    reading_direction=flow_direction,
    main_path=True,
    node_kinds=by_name(
        _window("uiflow.screen", SCREEN),
        _window("uiflow.modal", DIALOG),
        NodeKind(
            name="uiflow.entry",
            shape="ellipse",
            label_below=True,
            label_moves=True,
            fixed_size=_POINT,
            filled_with_stroke=True,
        ),
        NodeKind(
            name="uiflow.exit", shape="ellipse", label_below=True, label_moves=True, fixed_size=_POINT, stroke_width=3.5
        ),
        decision("uiflow.decision"),
    ),
    edge_kinds=by_name(
        EdgeKind(name="uiflow.navigate", end_marker="triangle"),
        EdgeKind(name="uiflow.back", dash=(6.0, 4.0), end_marker="triangle", upward=True),
        EdgeKind(name="uiflow.action", dash=(2.0, 4.0), end_marker="arrow"),
    ),
)
