"""Workflow: events, gateways and tasks, sized as in BPMN (events 36 px, gateways 50 px).
(R-FLOW-1, R-FLOW-4)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from functools import partial
from math import fsum
from typing import NamedTuple

from scenograph.engine.families.bpmn_glyphs import (
    EVENT_GLYPHS,
    INNER_BORDER_ROOM,
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
from scenograph.engine.families.faces import left_bracket, paint_annotation, paint_sheet
from scenograph.engine.families.family import (
    DOTTED_BORDER,
    UNTYPED,
    EdgeKind,
    Family,
    Former,
    FrameKind,
    Glyph,
    GlyphBox,
    GlyphStroke,
    LayAnew,
    NodeKind,
    by_name,
    decision,
    process_direction,
)
from scenograph.engine.geometry.boxes import Box, Outset
from scenograph.engine.tables import Size, Sizes
from scenograph.late_dataclasses import replace
from scenograph.scene.json_values import is_array, member
from scenograph.scene.model import Edge, Element, Frame, Layout, Node, Scene
from scenograph.scene.vocabulary import EVENT_TYPES

# BPMN semantics derived from the place of a symbol in the flow and from its extensions. In: a scene. Out: the same
# scene with cast events: an event entered by a flow, or on the border of an activity, is intermediate and has a double
# ring; an event at the end of a flow has a bold ring; a non-interrupting event has dashed rings
# (`extensions.interrupting`). The markers of an activity (`extensions.markers`) stand at its bottom. A conditional flow
# has its diamond only at an activity: out of a gateway it is a plain flow. (BPMN 2.0, 10.4 and 8.3.13) A flow chart by
# shapes alone has the roles of its shapes: a diamond without a type is a decision, a pill at an end of the flow a
# terminal. (ISO 5807)


_CONDITIONAL_FLOW = "workflow.conditionalFlow"
_FLOWS = frozenset({"workflow.sequenceFlow", "workflow.defaultFlow", _CONDITIONAL_FLOW, None, "default"})
_BRANCHING = ("workflow.gateway", "workflow.decision")
_PLAIN_ACTIVITIES = frozenset({"workflow.task", "workflow.userTask", "workflow.serviceTask", "workflow.subprocess"})
_EXPANDED = frozenset({"subprocess", "eventSubprocess", "transaction"})
_INTERMEDIATE, _END = "{} within", "{} last"
_FIRST_STEP, _LAST_STEP, _FORK = (f"workflow.{name} {UNTYPED}" for name in ("start", "end", "decision"))
GOING_ON, MARKED = "{} going on", "{} marked"
_START = "startEvent"
_ENDING = frozenset({"workflow.error", "workflow.signal"})
"""Events able to end a flow; a timer never does."""

_EVENT_SIZE = (36.0, 36.0)
_REACH = 0.75  # of an event's radius: how far its middle may lie from the border it sits on


def _roles_of(kind: NodeKind, glyph: Glyph, bold: float, dash: tuple[float, ...]) -> Mapping[str, NodeKind]:
    """The cast kinds of an event: `within` the flow, and `last` with a ring `bold` px wide; a non-interrupting event is
    `going on`, with dashed rings."""
    within = replace(kind, name=_INTERMEDIATE.format(kind.name), tone="node", glyph=double_ringed(glyph))
    return by_name(
        within,
        replace(kind, name=_END.format(kind.name), tone="end", stroke_width=bold),
        replace(within, name=GOING_ON.format(within.name), glyph=double_ringed(glyph, dash), dash=dash),
    )


def _markers_of(element: Element) -> tuple[str, ...]:
    """The authored marks of an activity."""
    said: object = element.extensions.get("markers")
    return tuple(one for one in said if isinstance(one, str)) if is_array(said) else ()


def _cast_by_flow(scene: Scene, open_events: frozenset[str], activities: frozenset[str]) -> Scene:
    """The scene with the open events cast by their place in the flow, nodes without a type by their shape,
    non-interrupting events dashed, activities marked, and flows out of gateways bare."""
    flows = [row for row in scene.edges if row.edge_type in _FLOWS]
    place = _Surroundings(
        frozenset(flow.target.element_id for flow in flows),
        frozenset(flow.source.element_id for flow in flows),
        tuple(box for row in scene.elements if (box := _activity_box(row)) is not None),
    )
    told = [_by_shape(row, place) for row in scene.elements]
    forks = {row.id for row in told if isinstance(row, Node) and (row.node_type or "").startswith(_BRANCHING)}
    rows = (_cast(row, open_events, place, forks) for row in told)
    return replace(scene, elements=tuple(_marked(row, activities) for row in rows))


def _marked(row: Element, activities: Set[str]) -> Element:
    """The marked kind for an activity with marks, the dashed kind for a non-interrupting event; other elements stay
    unchanged."""
    if not isinstance(row, Node) or row.node_type is None:
        return row
    if row.node_type in activities and _markers_of(row):
        return replace(row, node_type=MARKED.format(row.node_type))
    if row.extensions.get("interrupting") is False:
        _definition, position = EVENT_TYPES.get(row.node_type, ("", ""))
        may_go_on = position in {"Start", "Catch"} or row.node_type.endswith(_INTERMEDIATE.format(""))
        return replace(row, node_type=GOING_ON.format(row.node_type)) if may_go_on else row
    return row


def _by_shape(row: Element, place: _Surroundings) -> Element:
    """The kind told by the shape of a node without a type; other elements stay unchanged."""
    if not isinstance(row, Node) or row.node_type is not None:
        return row
    if row.shape == "diamond":
        return replace(row, node_type=_FORK)
    is_entered, is_left = row.id in place.entered, row.id in place.left
    if row.shape != "pill" or is_entered == is_left:
        return row
    return replace(row, node_type=_LAST_STEP if is_entered else _FIRST_STEP)


def _cast(row: Element, open_events: frozenset[str], place: _Surroundings, forks: Set[str]) -> Element:
    if isinstance(row, Node) and row.node_type in open_events:
        role = place.role(row)
        return row if role is None else replace(row, node_type=role.format(row.node_type))
    is_bare = isinstance(row, Edge) and row.edge_type == _CONDITIONAL_FLOW and row.source.element_id in forks
    return replace(row, start_arrow=row.start_arrow or "none") if isinstance(row, Edge) and is_bare else row


class _Surroundings(NamedTuple):
    """The elements entered and left by flows, and the boxes of activities with authored places."""

    entered: frozenset[str]
    left: frozenset[str]
    activities: tuple[Box, ...]

    def role(self, event: Node) -> str | None:
        """The cast of an event's type; None to keep the type."""
        if _is_start(event):
            return None
        if event.attached_to is not None or any(_sits_on(event, box) for box in self.activities):
            return _INTERMEDIATE
        if event.id not in self.entered:
            return None
        return _INTERMEDIATE if event.id in self.left or event.node_type not in _ENDING else _END


def _is_start(event: Node) -> bool:
    """Whether the event was a start event in its BPMN file."""
    return member(event.extensions, "bpmn", "element") == _START


def _activity_box(row: Element) -> Box | None:
    """The box of an activity with authored place and size."""
    is_activity = isinstance(row, Node) and row.node_type in _PLAIN_ACTIVITIES
    is_activity = is_activity or (isinstance(row, Frame) and row.container_type in _EXPANDED)
    layout = row.layout if isinstance(row, Node | Frame) and is_activity else Layout()
    x, y, width, height = layout.x, layout.y, layout.width, layout.height
    if layout.mode != "absolute" or x is None or y is None or width is None or height is None:
        return None
    return Box(x, y, width, height)


def _sits_on(event: Node, activity: Box) -> bool:
    """Whether the middle of an event of given place lies about on the border of an activity."""
    box = _event_box(event)
    if box is None:
        return False
    middle, reach = Box(box.center.x, box.center.y, 0.0, 0.0), _REACH * min(box.width, box.height) / 2
    return activity.grown(reach).contains(middle) and not activity.grown(-reach).contains(middle)


def _event_box(event: Node) -> Box | None:
    """The box of an event with an authored place."""
    layout = event.layout
    if layout.mode != "absolute" or layout.x is None or layout.y is None:
        return None
    width, height = (given or usual for given, usual in zip((layout.width, layout.height), _EVENT_SIZE, strict=True))
    return Box(layout.x, layout.y, width, height)


# The labels of events on the border of an activity: beside the flow out of the event, outside the activity. In: a
# scene, its natural sizes. Out: the sizes; the part `label` of a boundary event is the place of its label. Labels of
# all remaining events stay below. px. (BPMN 2.0, 10.4.4)


ASIDE = 6.0  # from the middle of the event, the start of its flow, to the label
AWAY = 3.0  # from the event to the label
_BARRING = 2_000.0
_ROUND = "ellipse"


def _labels_off_borders(scene: Scene, sizes: Sizes, _lay: LayAnew, _former: Former) -> Sizes:
    """All sizes, with the labels of events on borders moved."""
    activities = [box for row in scene.elements if (box := _activity_box(row)) is not None]
    nodes = scene.nodes
    standing = {row.id: box for row in nodes if (box := _given_box(row, sizes)) is not None}
    moved: dict[str, Size] = {}
    for event in nodes if activities else ():
        box, size = _event_box(event), sizes.get(event.id)
        hosts = [one for one in activities if _sits_on(event, one)]
        if box is not None and size is not None and size.label is not None and event.shape == _ROUND and hosts:
            others = [one for node_id, one in standing.items() if node_id != event.id]
            moved[event.id] = _moved(size, box, hosts[0], others)
    return {**sizes, **moved}


def _given_box(node: Node, sizes: Sizes) -> Box | None:
    layout, size = node.layout, sizes.get(node.id)
    if layout.mode != "absolute" or layout.x is None or layout.y is None or size is None:
        return None
    return Box(layout.x, layout.y, size.width, size.height)


def _moved(size: Size, event: Box, host: Box, others: Sequence[Box]) -> Size:
    """The label at the freest of its places, the first among equals."""
    place = min(_places(size, event, host), key=lambda spot: _covered(spot, [host, *others]) + _barring(spot, event))
    reach = Outset(
        max(0.0, event.y - place.y),
        max(0.0, place.right - event.right),
        max(0.0, place.bottom - event.bottom),
        max(0.0, event.x - place.x),
    )
    part = place.moved(-event.x, -event.y)
    return size._replace(outset=reach, parts={**size.parts, "label": part})


def _places(size: Size, event: Box, host: Box) -> Iterator[Box]:
    """The places outside the border under the event, on both sides of a route straight out of the event; below comes
    last."""
    width, height = (size.label.width, size.label.height) if size.label is not None else (0.0, 0.0)
    middle = event.center
    left, right = middle.x - ASIDE - width, middle.x + ASIDE
    distances = {
        "bottom": abs(host.bottom - middle.y),
        "top": abs(host.y - middle.y),
        "right": abs(host.right - middle.x),
        "left": abs(host.x - middle.x),
    }
    side = min(distances, key=lambda name: distances[name])
    if side in {"bottom", "top"}:
        y = event.bottom + AWAY if side == "bottom" else event.y - AWAY - height
        yield Box(left, y, width, height)
        yield Box(right, y, width, height)
    else:
        x = event.right + AWAY if side == "right" else event.x - AWAY - width
        yield Box(x, middle.y + ASIDE, width, height)
        yield Box(x, middle.y - ASIDE - height, width, height)
    yield Box(middle.x - width / 2, event.bottom + AWAY, width, height)


def _barring(spot: Box, event: Box) -> float:
    """The price of blocking a route straight out of the event, px²."""
    return _BARRING if spot.x < event.center.x < spot.right else 0.0


def _covered(spot: Box, others: Sequence[Box]) -> float:
    return fsum(_shared(spot, other) for other in others)


def _shared(one: Box, other: Box) -> float:
    """The shared area of both boxes, px²."""
    width = min(one.right, other.right) - max(one.x, other.x)
    height = min(one.bottom, other.bottom) - max(one.y, other.y)
    return max(0.0, width) * max(0.0, height)


_STARTS, _ENDS = "start", "end"  # tones

_GATEWAY_SIZE = (50.0, 50.0)
_DATA_SIZE = (36.0, 48.0)
_TASK_SIZE = (100.0, 60.0)
_BOLD_RING = 3.5  # R-FLOW-1 asks for 3 or more
_BOLD_BORDER = 3.5  # of a call activity
_GOING_ON_DASH = (3.0, 2.5)  # of the rings of an event that does not interrupt
MESSAGE_DASH = (8.0, 4.0)
_ASSOCIATION_DASH = (2.0, 4.0)

_ICON_PADDING = (16.0, 20.0)


def _event(name: str, glyph: Glyph | None = None, *, tone: str = _STARTS, filled: bool = False) -> NodeKind:
    return NodeKind(
        name=f"workflow.{name}",
        shape="ellipse",
        tone=tone,
        label_below=True,
        label_moves=True,
        fixed_size=_EVENT_SIZE,
        stroke_width=_BOLD_RING if tone == _ENDS else None,
        filled_with_stroke=filled,
        glyph=glyph,
    )


def _gateway(name: str, glyph: Glyph) -> NodeKind:
    return NodeKind(
        name=f"workflow.{name}",
        shape="diamond",
        tone="decision",
        label_below=True,
        label_moves=True,
        fixed_size=_GATEWAY_SIZE,
        glyph=glyph,
    )


def _placed_event(node_type: str) -> NodeKind:
    """An event with the position implied by its type."""
    definition, position = EVENT_TYPES[node_type]
    glyph = EVENT_GLYPHS[definition][position in _THROWING]
    return _event(
        node_type.removeprefix("workflow."),
        double_ringed(glyph) if position in _INTERMEDIATE_RING else glyph,
        tone={"Start": _STARTS, "End": _ENDS}.get(position, "node"),
    )


def _going_on(node_type: str) -> NodeKind:
    """The non-interrupting form of an event, with dashed rings."""
    kind = _placed_event(node_type)
    definition, position = EVENT_TYPES[node_type]
    glyph = EVENT_GLYPHS[definition][0]
    rings = double_ringed(glyph, _GOING_ON_DASH) if position in _INTERMEDIATE_RING else glyph
    return replace(kind, name=GOING_ON.format(kind.name), dash=_GOING_ON_DASH, glyph=rings)


def _task(
    name: str, glyph: Glyph | None = None, glyph_box: GlyphBox | None = None, stroke_width: float | None = None
) -> NodeKind:
    return NodeKind(
        name=f"workflow.{name}",
        min_size=_TASK_SIZE,
        padding=None if glyph is None else _ICON_PADDING,
        glyph=glyph,
        glyph_box=glyph_box,
        stroke_width=stroke_width,
    )


def _bordered_plus(box: Box) -> tuple[GlyphStroke, ...]:
    """The marks of a collapsed transaction."""
    return (*inner_border(box), *plus_box(box))


_THROWING, _INTERMEDIATE_RING = frozenset({"Throw", "End"}), frozenset({"Catch", "Throw"})
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
    _task("callActivity", plus_box, plus_place, _BOLD_BORDER),
    replace(_task("transaction", _bordered_plus, plus_place), border_room=INNER_BORDER_ROOM),
    replace(_task("eventSubprocess", plus_box, plus_place), dash=DOTTED_BORDER),
)
ACTIVITIES = frozenset(kind.name for kind in (*_TASKS, *_COLLAPSED))


def _marked_activity(kind: NodeKind) -> NodeKind:
    """The activity with its own marks: loop, instances, compensation."""
    collapsed = kind.glyph_box is plus_place
    glyph = kind.glyph if not collapsed else inner_border if kind.glyph is _bordered_plus else None

    def marks(node: Node, box: Box) -> tuple[GlyphStroke, ...]:
        return markers(_markers_of(node), box, collapsed=collapsed)

    place = kind.glyph_box if kind.glyph is not None and not collapsed else markers_place
    name = MARKED.format(kind.name)
    return replace(kind, name=name, glyph=glyph, marks=marks, padding=_ICON_PADDING, glyph_box=place)


def _frame_marks(frame: Frame, box: Box) -> tuple[GlyphStroke, ...]:
    return markers(_markers_of(frame), box)


def _transaction_marks(frame: Frame, box: Box) -> tuple[GlyphStroke, ...]:
    return (*inner_border(box), *_frame_marks(frame, box))


ACTIVITY_FRAMES = (
    FrameKind(name="subprocess", marks=_frame_marks),
    FrameKind(name="eventSubprocess", marks=_frame_marks),
    FrameKind(name="transaction", marks=_transaction_marks),
)


_OPEN_EVENTS: Mapping[str, Glyph] = {"messageStart": envelope, "timer": clock, "error": zigzag, "signal": signal}
"""Events cast as start, intermediate or end only by their place in the flow."""

_OPEN_NAMES = frozenset(f"workflow.{name}" for name in _OPEN_EVENTS)

_WRITTEN_OUT = frozenset(
    {"workflow.start", "workflow.end", "workflow.messageStart", "workflow.messageEnd", "workflow.terminate"}
)

WORKFLOW = Family(
    name="workflow",
    fit=_labels_off_borders,
    recast=partial(_cast_by_flow, open_events=_OPEN_NAMES, activities=ACTIVITIES),
    cast_kinds={
        **{
            name: kind
            for event, glyph in _OPEN_EVENTS.items()
            for name, kind in _roles_of(_event(event, glyph), glyph, _BOLD_RING, _GOING_ON_DASH).items()
        },
        **by_name(*(_going_on(name) for name, (_, position) in EVENT_TYPES.items() if position in _MAY_GO_ON)),
        **by_name(*(_marked_activity(kind) for kind in (*_TASKS, *_COLLAPSED))),
        **by_name(
            NodeKind(name=_FIRST_STEP, shape="pill", tone=_STARTS),
            NodeKind(name=_LAST_STEP, shape="pill", tone=_ENDS),
            decision(_FORK),
        ),
    },
    reading_direction=process_direction,
    main_path=True,
    node_kinds=by_name(
        _event("start", filled=True),
        *(_event(name, glyph) for name, glyph in _OPEN_EVENTS.items()),
        _event("end", tone=_ENDS),
        _event("messageEnd", sealed_envelope, tone=_ENDS),
        _event("terminate", core, tone=_ENDS),
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
            fixed_size=_DATA_SIZE,
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
        EdgeKind(name="workflow.association", dash=_ASSOCIATION_DASH, beside=True),
    ),
)
