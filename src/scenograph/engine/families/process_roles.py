"""What BPMN reads from the place of a symbol in the flow and from its extensions.

In: a scene. Out: the same scene, its events cast: one that a flow enters, or that sits on the border of an activity,
is intermediate and has a double ring; one where a flow ends has a bold ring; one that does not interrupt has dashed
rings (`extensions.interrupting`). An activity with `extensions.markers` has them at its bottom. A conditional flow has
its diamond only where it leaves an activity: out of a gateway it is a flow as any other. (BPMN 2.0, 10.4 and 8.3.13)
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import NamedTuple

from scenograph.engine.families.bpmn_glyphs import double_ringed
from scenograph.engine.families.family import Glyph, NodeKind, by_name
from scenograph.engine.geometry.boxes import Box
from scenograph.late_dataclasses import replace
from scenograph.scene.json_values import is_array, member
from scenograph.scene.model import Edge, Element, Frame, Layout, Node, Scene
from scenograph.scene.vocabulary import EVENT_TYPES

CONDITIONAL_FLOW = "workflow.conditionalFlow"
_FLOWS = frozenset({"workflow.sequenceFlow", "workflow.defaultFlow", CONDITIONAL_FLOW, None, "default"})
_BRANCHING = ("workflow.gateway", "workflow.decision")
_PLAIN_ACTIVITIES = frozenset({"workflow.task", "workflow.userTask", "workflow.serviceTask", "workflow.subprocess"})
_EXPANDED = frozenset({"subprocess", "eventSubprocess", "transaction"})
_INTERMEDIATE, _END = "{} within", "{} last"
GOING_ON, MARKED = "{} going on", "{} marked"
_START = "startEvent"
ENDING = frozenset({"workflow.error", "workflow.signal"})
"""Events that may end a flow; a timer never does."""

EVENT_SIZE = (36.0, 36.0)
_REACH = 0.75  # of an event's radius: how far its middle may lie from the border it sits on


def roles_of(kind: NodeKind, glyph: Glyph, bold: float, dash: tuple[float, ...]) -> Mapping[str, NodeKind]:
    """The kinds that an event is cast as: `within` the flow, and `last` in it with a ring `bold` px wide; where it does
    not interrupt, `going on` with rings of that dash."""
    within = replace(kind, name=_INTERMEDIATE.format(kind.name), glyph=double_ringed(glyph))
    return by_name(
        within,
        replace(kind, name=_END.format(kind.name), stroke_width=bold),
        replace(within, name=GOING_ON.format(within.name), glyph=double_ringed(glyph, dash), dash=dash),
    )


def markers_of(element: Element) -> tuple[str, ...]:
    """The marks that an activity is to have."""
    said: object = element.extensions.get("markers")
    return tuple(one for one in said if isinstance(one, str)) if is_array(said) else ()


def cast_by_flow(scene: Scene, open_events: frozenset[str], activities: frozenset[str]) -> Scene:
    """The scene with the events of those types cast by their place, those that do not interrupt dashed, activities
    marked, and the flows out of gateways bare."""
    flows = [row for row in scene.elements if isinstance(row, Edge) and row.edge_type in _FLOWS]
    place = _Surroundings(
        frozenset(flow.target.element_id for flow in flows),
        frozenset(flow.source.element_id for flow in flows),
        tuple(box for row in scene.elements if (box := activity_box(row)) is not None),
    )
    forks = {row.id for row in scene.elements if isinstance(row, Node) and (row.node_type or "").startswith(_BRANCHING)}
    rows = (_cast(row, open_events, place, forks) for row in scene.elements)
    return replace(scene, elements=tuple(_marked(row, activities) for row in rows))


def _marked(row: Element, activities: Set[str]) -> Element:
    """An activity that has marks of its own, an event that does not interrupt; any other element as it is."""
    if not isinstance(row, Node) or row.node_type is None:
        return row
    if row.node_type in activities and markers_of(row):
        return replace(row, node_type=MARKED.format(row.node_type))
    if row.extensions.get("interrupting") is False:
        _definition, position = EVENT_TYPES.get(row.node_type, ("", ""))
        may_go_on = position in {"Start", "Catch"} or row.node_type.endswith(_INTERMEDIATE.format(""))
        return replace(row, node_type=GOING_ON.format(row.node_type)) if may_go_on else row
    return row


def _cast(row: Element, open_events: frozenset[str], place: _Surroundings, forks: Set[str]) -> Element:
    if isinstance(row, Node) and row.node_type in open_events:
        role = place.role(row)
        return row if role is None else replace(row, node_type=role.format(row.node_type))
    is_bare = isinstance(row, Edge) and row.edge_type == CONDITIONAL_FLOW and row.source.element_id in forks
    return replace(row, start_arrow=row.start_arrow or "none") if isinstance(row, Edge) and is_bare else row


class _Surroundings(NamedTuple):
    """What flows enter and leave, and where activities stand that have a given place."""

    entered: frozenset[str]
    left: frozenset[str]
    activities: tuple[Box, ...]

    def role(self, event: Node) -> str | None:
        """How the event's type is cast; None: as it is."""
        if _is_start(event):
            return None
        if event.attached_to is not None or any(sits_on(event, box) for box in self.activities):
            return _INTERMEDIATE
        if event.id not in self.entered:
            return None
        return _INTERMEDIATE if event.id in self.left or event.node_type not in ENDING else _END


def _is_start(event: Node) -> bool:
    """Whether a BPMN file, from which it came, says that it begins its process."""
    return member(event.extensions, "bpmn", "element") == _START


def activity_box(row: Element) -> Box | None:
    """The box of an activity whose author gave its place and size."""
    is_activity = isinstance(row, Node) and row.node_type in _PLAIN_ACTIVITIES
    is_activity = is_activity or (isinstance(row, Frame) and row.container_type in _EXPANDED)
    layout = row.layout if isinstance(row, Node | Frame) and is_activity else Layout()
    x, y, width, height = layout.x, layout.y, layout.width, layout.height
    if layout.mode != "absolute" or x is None or y is None or width is None or height is None:
        return None
    return Box(x, y, width, height)


def sits_on(event: Node, activity: Box) -> bool:
    """Whether the middle of an event of given place lies about on the border of an activity."""
    box = event_box(event)
    if box is None:
        return False
    middle, reach = Box(box.center.x, box.center.y, 0.0, 0.0), _REACH * min(box.width, box.height) / 2
    return activity.grown(reach).contains(middle) and not activity.grown(-reach).contains(middle)


def event_box(event: Node) -> Box | None:
    """The box of an event whose author gave its place."""
    layout = event.layout
    if layout.mode != "absolute" or layout.x is None or layout.y is None:
        return None
    width, height = (given or usual for given, usual in zip((layout.width, layout.height), EVENT_SIZE, strict=True))
    return Box(layout.x, layout.y, width, height)
