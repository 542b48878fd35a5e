"""Workflow: events, gateways and tasks, sized as in BPMN (events 36 px, gateways 50 px).
(R-FLOW-1, R-FLOW-4)
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from scenograph.engine.families.boundary_labels import labels_off_borders
from scenograph.engine.families.bpmn_glyphs import (
    EVENT_GLYPHS,
    clock,
    complex_gateway,
    core,
    double_ringed,
    envelope,
    event_based,
    exclusive,
    gear_icon,
    hand_icon,
    inclusive,
    inner_border,
    markers,
    markers_place,
    parallel,
    plus_box,
    plus_place,
    received_icon,
    rule_icon,
    script_icon,
    sealed_envelope,
    sent_icon,
    signal,
    task_corner,
    user_icon,
    zigzag,
)
from scenograph.engine.families.container_types import DOTTED_BORDER
from scenograph.engine.families.family import (
    EdgeKind,
    Family,
    FrameKind,
    Glyph,
    GlyphBox,
    GlyphStroke,
    NodeKind,
    by_name,
    decision,
)
from scenograph.engine.families.figures import left_bracket
from scenograph.engine.families.flow_direction import process_direction
from scenograph.engine.families.process_roles import GOING_ON, MARKED, cast_by_flow, markers_of, roles_of
from scenograph.engine.families.sheets import paint_annotation, paint_sheet
from scenograph.engine.geometry.boxes import Box
from scenograph.late_dataclasses import replace
from scenograph.scene.model import Frame, Node
from scenograph.scene.vocabulary import EVENT_TYPES

EVENT_SIZE = (36.0, 36.0)
GATEWAY_SIZE = (50.0, 50.0)
DATA_SIZE = (36.0, 48.0)
TASK_SIZE = (100.0, 60.0)
BOLD_RING = 3.5  # R-FLOW-1 asks for 3 or more
BOLD_BORDER = 3.5  # of a call activity
GOING_ON_DASH = (3.0, 2.5)  # of the rings of an event that does not interrupt
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


def _placed_event(node_type: str) -> NodeKind:
    """An event whose type says where in the flow it stands."""
    definition, position = EVENT_TYPES[node_type]
    glyph = EVENT_GLYPHS[definition][position in _THROWING]
    return _event(
        node_type.removeprefix("workflow."),
        double_ringed(glyph) if position in _INTERMEDIATE else glyph,
        end=position == "End",
    )


def _going_on(node_type: str) -> NodeKind:
    """The same event where it does not interrupt: all its rings are dashed."""
    kind = _placed_event(node_type)
    definition, position = EVENT_TYPES[node_type]
    glyph = EVENT_GLYPHS[definition][0]
    rings = double_ringed(glyph, GOING_ON_DASH) if position in _INTERMEDIATE else glyph
    return replace(kind, name=GOING_ON.format(kind.name), dash=GOING_ON_DASH, glyph=rings)


def _task(
    name: str, glyph: Glyph | None = None, glyph_box: GlyphBox | None = None, stroke_width: float | None = None
) -> NodeKind:
    return NodeKind(
        name=f"workflow.{name}",
        min_size=TASK_SIZE,
        padding=None if glyph is None else _ICON_PADDING,
        glyph=glyph,
        glyph_box=glyph_box,
        stroke_width=stroke_width,
    )


def _bordered_plus(box: Box) -> tuple[GlyphStroke, ...]:
    """The marks of a collapsed transaction."""
    return (*inner_border(box), *plus_box(box))


_THROWING, _INTERMEDIATE = frozenset({"Throw", "End"}), frozenset({"Catch", "Throw"})
_MAY_GO_ON = frozenset({"Start", "Catch"})
_TASKS = (
    _task("task"),
    _task("userTask", user_icon, task_corner),
    _task("serviceTask", gear_icon, task_corner),
    _task("sendTask", sent_icon, task_corner),
    _task("receiveTask", received_icon, task_corner),
    _task("manualTask", hand_icon, task_corner),
    _task("scriptTask", script_icon, task_corner),
    _task("businessRuleTask", rule_icon, task_corner),
)
_COLLAPSED = (
    _task("subprocess", plus_box, plus_place),
    _task("callActivity", plus_box, plus_place, BOLD_BORDER),
    _task("transaction", _bordered_plus, plus_place),
    replace(_task("eventSubprocess", plus_box, plus_place), dash=DOTTED_BORDER),
)
ACTIVITIES = frozenset(kind.name for kind in (*_TASKS, *_COLLAPSED))


def _marked(kind: NodeKind) -> NodeKind:
    """The same activity with marks of its own: loop, instances, compensation."""
    collapsed = kind.glyph_box is plus_place
    glyph = kind.glyph if not collapsed else inner_border if kind.glyph is _bordered_plus else None

    def marks(node: Node, box: Box) -> tuple[GlyphStroke, ...]:
        return markers(markers_of(node), box, collapsed=collapsed)

    place = kind.glyph_box if kind.glyph is not None and not collapsed else markers_place
    name = MARKED.format(kind.name)
    return replace(kind, name=name, glyph=glyph, marks=marks, padding=_ICON_PADDING, glyph_box=place)


def _frame_marks(frame: Frame, box: Box) -> tuple[GlyphStroke, ...]:
    return markers(markers_of(frame), box)


def _transaction_marks(frame: Frame, box: Box) -> tuple[GlyphStroke, ...]:
    return (*inner_border(box), *_frame_marks(frame, box))


ACTIVITY_FRAMES = (
    FrameKind(name="subprocess", marks=_frame_marks),
    FrameKind(name="eventSubprocess", marks=_frame_marks),
    FrameKind(name="transaction", marks=_transaction_marks),
)


_OPEN_EVENTS: Mapping[str, Glyph] = {"messageStart": envelope, "timer": clock, "error": zigzag, "signal": signal}
"""Events of which only their place in the flow says whether they begin it, interrupt it or end it."""

_OPEN_NAMES = frozenset(f"workflow.{name}" for name in _OPEN_EVENTS)

_WRITTEN_OUT = frozenset(
    {"workflow.start", "workflow.end", "workflow.messageStart", "workflow.messageEnd", "workflow.terminate"}
)

WORKFLOW = Family(
    name="workflow",
    fit=labels_off_borders,
    recast=partial(cast_by_flow, open_events=_OPEN_NAMES, activities=ACTIVITIES),
    cast_kinds={
        **{
            name: kind
            for event, glyph in _OPEN_EVENTS.items()
            for name, kind in roles_of(_event(event, glyph), glyph, BOLD_RING, GOING_ON_DASH).items()
        },
        **by_name(*(_going_on(name) for name, (_, position) in EVENT_TYPES.items() if position in _MAY_GO_ON)),
        **by_name(*(_marked(kind) for kind in (*_TASKS, *_COLLAPSED))),
    },
    reading_direction=process_direction,
    main_path=True,
    node_kinds=by_name(
        _event("start", filled=True),
        *(_event(name, glyph) for name, glyph in _OPEN_EVENTS.items()),
        _event("end", end=True),
        _event("messageEnd", sealed_envelope, end=True),
        _event("terminate", core, end=True),
        *(_placed_event(name) for name in EVENT_TYPES if name not in _WRITTEN_OUT),
        _gateway("gateway", exclusive),
        _gateway("gatewayParallel", parallel),
        _gateway("gatewayInclusive", inclusive),
        _gateway("gatewayEventBased", event_based),
        _gateway("gatewayComplex", complex_gateway),
        *_TASKS,
        *_COLLAPSED,
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
