"""Workflow: events, gateways and tasks, sized as in BPMN (events 36 px, gateways 50 px).
(R-FLOW-1, R-FLOW-4)
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from scenograph.engine.families.boundary_labels import labels_off_borders
from scenograph.engine.families.bpmn_glyphs import (
    clock,
    core,
    envelope,
    exclusive,
    gear_icon,
    inclusive,
    parallel,
    plus_box,
    plus_place,
    sealed_envelope,
    signal,
    task_corner,
    user_icon,
    zigzag,
)
from scenograph.engine.families.family import (
    EdgeKind,
    Family,
    Glyph,
    GlyphBox,
    NodeKind,
    by_name,
    decision,
)
from scenograph.engine.families.figures import left_bracket
from scenograph.engine.families.flow_direction import process_direction
from scenograph.engine.families.process_roles import cast_by_flow, roles_of
from scenograph.engine.families.sheets import paint_annotation, paint_sheet

EVENT_SIZE = (36.0, 36.0)
GATEWAY_SIZE = (50.0, 50.0)
DATA_SIZE = (36.0, 48.0)
TASK_SIZE = (100.0, 60.0)
BOLD_RING = 3.5  # R-FLOW-1 asks for 3 or more
MESSAGE_DASH = (8.0, 4.0)
ASSOCIATION_DASH = (2.0, 4.0)

_ICON_PADDING = (16.0, 20.0)


def _event(name: str, glyph: Glyph | None = None, *, end: bool = False, filled: bool = False) -> NodeKind:
    return NodeKind(
        name=f"workflow.{name}",
        shape="ellipse",
        label_below=True,
        label_moves=True,
        fixed_size=EVENT_SIZE,
        stroke_width=BOLD_RING if end else None,
        filled_with_stroke=filled,
        glyph=glyph,
    )


def _gateway(name: str, glyph: Glyph) -> NodeKind:
    return NodeKind(
        name=f"workflow.{name}",
        shape="diamond",
        label_below=True,
        label_moves=True,
        fixed_size=GATEWAY_SIZE,
        glyph=glyph,
    )


def _task(name: str, glyph: Glyph | None = None, glyph_box: GlyphBox | None = None) -> NodeKind:
    return NodeKind(
        name=f"workflow.{name}",
        min_size=TASK_SIZE,
        padding=None if glyph is None else _ICON_PADDING,
        glyph=glyph,
        glyph_box=glyph_box,
    )


_OPEN_EVENTS: Mapping[str, Glyph] = {"messageStart": envelope, "timer": clock, "error": zigzag, "signal": signal}
"""Events of which only their place in the flow says whether they begin it, interrupt it or end it."""

_OPEN_NAMES = frozenset(f"workflow.{name}" for name in _OPEN_EVENTS)

WORKFLOW = Family(
    name="workflow",
    fit=labels_off_borders,
    recast=partial(cast_by_flow, open_events=_OPEN_NAMES),
    cast_kinds={
        name: kind
        for event, glyph in _OPEN_EVENTS.items()
        for name, kind in roles_of(_event(event, glyph), glyph, BOLD_RING).items()
    },
    reading_direction=process_direction,
    main_path=True,
    node_kinds=by_name(
        _event("start", filled=True),
        *(_event(name, glyph) for name, glyph in _OPEN_EVENTS.items()),
        _event("end", end=True),
        _event("messageEnd", sealed_envelope, end=True),
        _event("terminate", core, end=True),
        _gateway("gateway", exclusive),
        _gateway("gatewayParallel", parallel),
        _gateway("gatewayInclusive", inclusive),
        _task("task"),
        _task("userTask", user_icon, task_corner),
        _task("serviceTask", gear_icon, task_corner),
        _task("subprocess", plus_box, plus_place),
        decision("workflow.decision"),
        NodeKind(
            name="workflow.dataObject",
            shape="rect",
            label_below=True,
            label_moves=True,
            fixed_size=DATA_SIZE,
            paint=paint_sheet,
        ),
        NodeKind(
            name="workflow.annotation",
            shape="textBox",
            min_size=(64.0, 28.0),
            wrap_width=180.0,
            glyph=left_bracket,
            paint=paint_annotation,
        ),
    ),
    edge_kinds=by_name(
        EdgeKind(name="workflow.sequenceFlow", end_marker="triangle"),
        EdgeKind(name="workflow.defaultFlow", start_marker="slash", end_marker="triangle"),
        EdgeKind(name="workflow.conditionalFlow", start_marker="openDiamond", end_marker="triangle"),
        EdgeKind(
            name="workflow.messageFlow",
            dash=MESSAGE_DASH,
            start_marker="openCircle",
            end_marker="openTriangle",
            across=True,
        ),
        EdgeKind(name="workflow.association", dash=ASSOCIATION_DASH, beside=True),
    ),
)
