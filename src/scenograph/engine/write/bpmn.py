"""A workflow as BPMN 2.0 XML with its diagram (OMG formal/2011-01-03, chapters 7 to 12).

In: a laid-out scene. Out: one file: a process for each non-empty pool and one for all elements outside pools, a
collaboration if the scene has pools or message flows, and a diagram with the drawn boxes and routes. Ids are kept if
they are XML names. Children follow the order of the OMG's schema.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Box
from scenograph.engine.tables import DrawnRoute, LaidOutScene
from scenograph.engine.write.markup import Markup, serialized
from scenograph.engine.write.writer import ExportLosses, decimal
from scenograph.scene.document_index import ancestors
from scenograph.scene.json_values import is_array, member
from scenograph.scene.model import Edge, Element, Frame, Group, Linked, Node, Text
from scenograph.scene.vocabulary import EVENT_TYPES

_NAMESPACES = (
    ("xmlns", "http://www.omg.org/spec/BPMN/20100524/MODEL"),
    ("xmlns:bpmndi", "http://www.omg.org/spec/BPMN/20100524/DI"),
    ("xmlns:dc", "http://www.omg.org/spec/DD/20100524/DC"),
    ("xmlns:di", "http://www.omg.org/spec/DD/20100524/DI"),
)
_TARGET = "urn:scenograph:bpmn"
# Names without a colon (Namespaces in XML 1.0, production 4).
_START = (
    r"A-Z_a-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c-\u200d\u2070-\u218f"
    r"\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
_INNER = rf"{_START}0-9.\-\u00b7\u0300-\u036f\u203f-\u2040"
_XML_NAME = re.compile(f"[{_START}][{_INNER}]*")
_STRANGE = re.compile(f"[^{_INNER}]+")
_POOL, _LANE, _GROUP = "pool", "lane", "boundary"
_MESSAGE_FLOW, _ASSOCIATION = "workflow.messageFlow", "workflow.association"
_DEFAULT_FLOW, _CONDITIONAL_FLOW = "workflow.defaultFlow", "workflow.conditionalFlow"
_SEQUENCE_FLOWS = frozenset({"workflow.sequenceFlow", _DEFAULT_FLOW, _CONDITIONAL_FLOW})
_DATA, _NOTE = "workflow.dataObject", "workflow.annotation"
_STORE_SHAPE, _STORE = "cylinder", "dataStoreReference"

_Attributes = tuple[tuple[str, str], ...]


class _Form(NamedTuple):
    """The name of an XML element, with fixed attributes."""

    name: str
    attributes: _Attributes = ()


_EVENT_SUBPROCESS = _Form("subProcess", (("triggeredByEvent", "true"),))
_ACTIVITY_FRAMES: Mapping[str, _Form] = {
    "subprocess": _Form("subProcess"),
    "eventSubprocess": _EVENT_SUBPROCESS,
    "transaction": _Form("transaction"),
}
_ACTIVITIES: Mapping[str, _Form] = {
    "workflow.task": _Form("task"),
    "workflow.userTask": _Form("userTask"),
    "workflow.serviceTask": _Form("serviceTask"),
    "workflow.sendTask": _Form("sendTask"),
    "workflow.receiveTask": _Form("receiveTask"),
    "workflow.manualTask": _Form("manualTask"),
    "workflow.scriptTask": _Form("scriptTask"),
    "workflow.businessRuleTask": _Form("businessRuleTask"),
    "workflow.callActivity": _Form("callActivity"),
    "workflow.subprocess": _Form("subProcess"),
    "workflow.transaction": _Form("transaction"),
    "workflow.eventSubprocess": _EVENT_SUBPROCESS,
}
_FORMS: Mapping[str, _Form] = {
    **_ACTIVITIES,
    "workflow.gateway": _Form("exclusiveGateway"),
    "workflow.decision": _Form("exclusiveGateway"),
    "workflow.gatewayParallel": _Form("parallelGateway"),
    "workflow.gatewayInclusive": _Form("inclusiveGateway"),
    "workflow.gatewayEventBased": _Form("eventBasedGateway"),
    "workflow.gatewayComplex": _Form("complexGateway"),
    _DATA: _Form("dataObjectReference"),
    _NOTE: _Form("textAnnotation"),
}
_OPEN_EVENTS: Mapping[str, str] = {
    "workflow.messageStart": "message",
    "workflow.timer": "timer",
    "workflow.error": "error",
    "workflow.signal": "signal",
}
"""Events with a position that depends on their place in the flow: the picture has cast them."""
_CAST_POSITIONS: Mapping[str, str] = {"within": "Catch", "last": "End"}
_EVENT_NAMES: Mapping[str, str] = {
    "Start": "startEvent",
    "Catch": "intermediateCatchEvent",
    "Throw": "intermediateThrowEvent",
    "End": "endEvent",
}
_POSITIONS: Mapping[str, str] = {name: position for position, name in _EVENT_NAMES.items()} | {"boundaryEvent": "Catch"}
_BOUNDARY = "boundaryEvent"
_DEFINITIONS = frozenset(name for name, _ in EVENT_TYPES.values()) - {"", "multiple", "parallelMultiple"}
_DEFINITION_NAMES: Mapping[str, str] = {"compensation": "compensate"}
_SEVERAL = ("multiple", "parallelMultiple")
_FOR_MULTIPLE = ("message", "signal")  # the default without declared events
_COLLAPSED = frozenset({"subProcess", "transaction", "adHocSubProcess"})
_ARTIFACTS = frozenset({"textAnnotation", "association", "group"})
# Elements that may name a default flow: activities, and gateways with a choice.
_CHOOSING = re.compile(
    r"task|[a-z]+Task|businessRuleTask|subProcess|adHocSubProcess|transaction|callActivity"
    r"|(exclusive|inclusive|complex)Gateway"
)


_NOT_HELD: Mapping[str, Callable[[Element], bool]] = {
    "icons": lambda one: isinstance(one, Node | Frame) and bool(one.icon),
    "colours, strokes and fonts": lambda one: one.style is not None or one.style_id is not None,
    "links": lambda one: isinstance(one, Linked) and one.link is not None,
    "labels at the ends of lines": lambda one: isinstance(one, Edge) and bool(one.source.label or one.target.label),
}


def write_bpmn(laid_out: LaidOutScene, losses: ExportLosses) -> str:
    """The file's text."""
    model = _Model(laid_out, losses)
    processes = [one for pool in (*model.pools, None) if (one := model.process(pool)) is not None]
    root = model.collaboration()
    body = (*model.categories(), *([root] if root is not None else []), *processes, model.diagram())
    title = laid_out.scene.title
    attributes = (*_NAMESPACES, ("id", model.fresh("definitions")), *((("name", title),) if title else ()))
    definitions = Markup("definitions", (*attributes, ("targetNamespace", _TARGET)), body)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + serialized(definitions) + "\n"


class _Model:
    """The scene as processes."""

    def __init__(self, laid_out: LaidOutScene, losses: ExportLosses) -> None:
        self._laid_out = laid_out
        self._losses = losses
        self.elements: dict[str, Element] = {one.id: one for one in laid_out.scene.elements}
        self._taken: set[str] = set()
        self._names = {key: self.fresh(key) for key in self.elements}
        self._tell_losses()

    def fresh(self, wished: str) -> str:
        """An XML name unused elsewhere in the file."""
        name = wished if _XML_NAME.fullmatch(wished) else "id_" + _STRANGE.sub("_", wished)
        found, number = name, 2
        while found in self._taken:
            found, number = f"{name}_{number}", number + 1
        self._taken.add(found)
        return found

    # --- containers --------------------------------------------------------------------------------------------------

    @cached_property
    def pools(self) -> list[Frame]:
        """Pools in document order."""
        return [one for one in self._frames if one.container_type == _POOL]

    @cached_property
    def _frames(self) -> list[Frame]:
        return [one for one in self.elements.values() if isinstance(one, Frame)]

    @cached_property
    def _groups(self) -> list[Frame]:
        """Frames drawn round elements without a meaning for the process."""
        return [one for one in self._frames if one.container_type not in {_POOL, _LANE, *_ACTIVITY_FRAMES}]

    @cached_property
    def _homes(self) -> dict[str, str]:
        rows = (one for one in self.elements.values() if isinstance(one, Frame | Group))
        homes = {child: one.id for one in rows for child in one.children}
        # Attached nodes belong to their host's container.
        hosts = {one: host for one, host in self._hosts.items() if homes.get(one) != homes.get(host)}
        for one, host in hosts.items():
            homes.pop(one, None)
            if host in homes:
                homes[one] = homes[host]
        return homes

    @cached_property
    def _hosts(self) -> dict[str, str]:
        """The host activity of each attached node."""
        return {
            one.id: one.attached_to.element_id
            for one in self.elements.values()
            if isinstance(one, Node) and one.attached_to is not None and self._is_activity(one.attached_to.element_id)
        }

    def _is_activity(self, element_id: str) -> bool:
        one = self.elements.get(element_id)
        if isinstance(one, Frame):
            return one.container_type in _ACTIVITY_FRAMES
        return isinstance(one, Node) and self._form(one).name in {form.name for form in _ACTIVITIES.values()}

    @cached_property
    def _processes(self) -> dict[str | None, str]:
        keys: list[str | None] = [*(pool.id for pool in self.pools), None]
        return {key: self.fresh("process" if key is None else f"process_{key}") for key in keys}

    def _around(self, element_id: str, *types: str) -> str | None:
        """The nearest ancestor container of the given types."""
        around = (self.elements[one] for one in ancestors(element_id, self._homes.get))
        return next((one.id for one in around if isinstance(one, Frame) and one.container_type in types), None)

    def _scope(self, element_id: str) -> str | None:
        """The innermost activity around an element; None directly in a process."""
        return self._around(element_id, *_ACTIVITY_FRAMES)

    def _pool(self, element_id: str) -> str | None:
        element = self.elements.get(element_id)
        is_pool = isinstance(element, Frame) and element.container_type == _POOL
        return element_id if is_pool else self._around(element_id, _POOL)

    # --- lines -------------------------------------------------------------------------------------------------------

    def _kind(self, edge: Edge) -> str:
        """The flow type of an edge: an association if an end takes no part in flows, a message flow between pools, else
        a sequence flow."""
        if edge.edge_type == _ASSOCIATION or not all(map(self._takes_part, edge.ends)):
            return "association"
        pools = [self._pool(end) for end in edge.ends]
        return "messageFlow" if edge.edge_type == _MESSAGE_FLOW or pools[0] != pools[1] else "sequenceFlow"

    def _takes_part(self, element_id: str) -> bool:
        """Whether flows and messages may end at an element."""
        one = self.elements[element_id]
        if isinstance(one, Frame):
            return one.container_type in {_POOL, *_ACTIVITY_FRAMES}
        return isinstance(one, Node) and one.node_type not in {_DATA, _NOTE}

    @cached_property
    def _edges(self) -> list[tuple[Edge, str]]:
        edges = (one for one in self.elements.values() if isinstance(one, Edge))
        return [(edge, self._kind(edge)) for edge in edges]

    def collaboration(self) -> Markup | None:
        """The pools and the messages between them; None without either."""
        messages = [edge for edge, kind in self._edges if kind == "messageFlow"]
        if not self.pools and not messages:
            return None
        rows = [self._participant(pool) for pool in self.pools]
        rows += [Markup("messageFlow", self._flow(edge), self._documentation(edge)) for edge in messages]
        return Markup("collaboration", (("id", self._plane),), tuple(rows))

    def _participant(self, pool: Frame) -> Markup:
        process = (("processRef", self._processes[pool.id]),) if pool.children else ()
        return Markup("participant", (*self._said(pool), *process), self._documentation(pool))

    def categories(self) -> Iterator[Markup]:
        """The titles of groups as categories, kept apart from the groups in BPMN."""
        for group in self._groups:
            value = Markup("categoryValue", (("id", self._category_values[group.id]), ("value", group.title or "")))
            yield Markup("category", (("id", self.fresh(f"category_{group.id}")),), (value,))

    @cached_property
    def _category_values(self) -> dict[str, str]:
        return {group.id: self.fresh(f"category_value_{group.id}") for group in self._groups}

    @cached_property
    def _plane(self) -> str:
        has_messages = any(kind == "messageFlow" for _, kind in self._edges)
        return self.fresh("collaboration") if self.pools or has_messages else self._processes[None]

    # --- processes ---------------------------------------------------------------------------------------------------

    def process(self, pool: Frame | None) -> Markup | None:
        """The process of a pool, or of all elements outside pools; None if empty."""
        key = None if pool is None else pool.id
        content = (*self._lane_sets(key, None), *self._content(key, None))
        if not content and (self.pools or pool is not None):
            return None
        attributes = (("id", self._processes[key]), ("isExecutable", "false"))
        return Markup("process", attributes, content)

    def _lane_sets(self, pool: str | None, scope: str | None) -> list[Markup]:
        """The lanes of a pool or an activity."""
        lanes = [
            one
            for one in self._frames
            if one.container_type == _LANE
            and self._pool(one.id) == pool
            and self._scope(one.id) == scope
            and self._lane_around(one.id) is None
        ]
        rows = tuple(map(self._lane, self._in_order(lanes, scope or pool)))
        return [Markup("laneSet", (("id", self.fresh("lanes")),), rows)] if rows else []

    def _in_order(self, lanes: Sequence[Frame], container: str | None) -> list[Frame]:
        """The lanes in the order of their container's children."""
        around = self.elements.get(container or "")
        listed = around.children if isinstance(around, Frame) else ()
        place = {one: number for number, one in enumerate(listed)}
        return sorted(lanes, key=lambda lane: place.get(lane.id, len(place)))

    def _lane_around(self, element_id: str) -> str | None:
        """The innermost lane around an element, within the same activity or process."""
        lane = self._around(element_id, _LANE)
        return lane if lane is not None and self._scope(lane) == self._scope(element_id) else None

    def _lane(self, lane: Frame) -> Markup:
        members = [one for one in self.elements if self._is_flow_node(one) and self._lane_around(one) == lane.id]
        inner = [one for one in self._frames if one.container_type == _LANE and self._lane_around(one.id) == lane.id]
        rows = tuple(Markup("flowNodeRef", (), (self._names[one],)) for one in members)
        nested = tuple(map(self._lane, self._in_order(inner, lane.id)))
        child_set = (Markup("childLaneSet", (("id", self.fresh("lanes")),), nested),) if nested else ()
        return Markup("lane", self._said(lane), (*self._documentation(lane), *rows, *child_set))

    def _is_flow_node(self, element_id: str) -> bool:
        element = self.elements[element_id]
        if isinstance(element, Frame):
            return element.container_type in _ACTIVITY_FRAMES
        return isinstance(element, Node) and element.node_type not in {_DATA, _NOTE}

    def _content(self, pool: str | None, scope: str | None) -> list[Markup]:
        """The direct children of a process or an activity; by the schema artifacts come last."""
        return sorted(self._unordered(pool, scope), key=lambda one: one.name in _ARTIFACTS)

    def _unordered(self, pool: str | None, scope: str | None) -> Iterator[Markup]:
        for one in self.elements.values():
            if self._pool(one.id) != pool or self._scope(one.id) != scope:
                continue
            if isinstance(one, Frame) and one.container_type in _ACTIVITY_FRAMES:
                inside = (*self._lane_sets(pool, one.id), *self._content(pool, one.id))
                yield self._activity(one, self._form_of_frame(one), inside)
            elif isinstance(one, Frame) and one.id in self._category_values:
                value = ("categoryValueRef", self._category_values[one.id])
                yield Markup("group", (("id", self._names[one.id]), value), self._documentation(one))
            elif isinstance(one, Node | Text):
                yield from self._node(one)
        for edge, kind in self._edges:
            scopes = [self._scope(end) for end in edge.ends]
            home = scopes[0] if scopes[0] == scopes[1] else None
            if kind != "messageFlow" and self._pool(edge.ends[0]) == pool and home == scope:
                yield Markup(kind, self._flow(edge), (*self._documentation(edge), *self._condition(edge, kind)))

    def _node(self, node: Node | Text) -> Iterator[Markup]:
        if isinstance(node, Text):
            yield Markup("textAnnotation", (("id", self._names[node.id]),), (Markup("text", (), (node.content,)),))
            return
        form = self._form(node)
        if form.name == "textAnnotation":
            said = (*self._documentation(node), Markup("text", (), (node.label or "",)))
            yield Markup(form.name, (("id", self._names[node.id]),), said)
        elif form.name == "dataObjectReference":
            data = self.fresh(f"data_{node.id}")
            yield Markup("dataObject", (("id", data),))
            yield Markup(form.name, (*self._said(node), ("dataObjectRef", data)), self._documentation(node))
        elif form.name in _POSITIONS:
            said = (*self._said(node), *form.attributes, *self._default(node, form.name))
            yield Markup(form.name, said, self._event(node))
        else:
            yield self._activity(node, form)

    def _activity(self, one: Node | Frame, form: _Form, inside: Sequence[Markup] = ()) -> Markup:
        """An activity with its markers, or a gateway."""
        marks = self._marks(one)
        compensates = (("isForCompensation", "true"),) if "compensation" in marks else ()
        name = "adHocSubProcess" if "adHoc" in marks and form.name == "subProcess" else form.name
        said = (*self._said(one), *form.attributes, *compensates, *self._default(one, name))
        return Markup(name, said, (*self._documentation(one), *_characteristics(marks), *inside))

    def _marks(self, one: Node | Frame) -> tuple[str, ...]:
        said = one.extensions.get("markers") if self._is_activity(one.id) else None
        return tuple(mark for mark in said if isinstance(mark, str)) if is_array(said) else ()

    @staticmethod
    def _form_of_frame(frame: Frame) -> _Form:
        return _ACTIVITY_FRAMES[frame.container_type or ""]

    # --- events ------------------------------------------------------------------------------------------------------

    def _event(self, node: Node) -> tuple[Markup, ...]:
        definition, _ = self._cast(node)
        names = (definition,) if definition else ()
        if definition in _SEVERAL:
            said = member(node.extensions, "bpmn", "events")
            known = tuple(one for one in said if one in _DEFINITIONS) if is_array(said) else ()
            names = known if len(known) > 1 else _FOR_MULTIPLE
            if names != known:
                self._losses.add("which events a multiple event is of (written as message and signal)", node.id)
        return (*self._documentation(node), *(self._definition(name, node) for name in names))

    def _definition(self, name: str, node: Node) -> Markup:
        label = node.label or ""
        attributes = (("id", self.fresh("event")), *((("name", label or node.id),) if name == "link" else ()))
        inside = (Markup("condition", (), (label,)),) if name == "conditional" else ()
        return Markup(f"{_DEFINITION_NAMES.get(name, name)}EventDefinition", attributes, inside)

    def _cast(self, node: Node) -> tuple[str, str]:
        """The definition and the position of an event: from its type, from the imported file, or from the role given in
        the drawing."""
        name = _type(node)
        if name in EVENT_TYPES and name not in _OPEN_EVENTS:
            return EVENT_TYPES[name]
        original = _POSITIONS.get(str(member(node.extensions, "bpmn", "element")))
        roles = (_CAST_POSITIONS.get(role) for role in (node.node_type or "").split(" ")[1:])
        return _OPEN_EVENTS[name], original or next((role for role in roles if role), "Start")

    def _form(self, node: Node) -> _Form:
        name = _type(node)
        if name == _DATA and node.shape == _STORE_SHAPE:
            return _Form(_STORE)
        if name not in EVENT_TYPES and name not in _OPEN_EVENTS:
            return _FORMS.get(name, _Form("task"))
        definition, position = self._cast(node)
        together = (("parallelMultiple", "true"),) if definition == "parallelMultiple" else ()
        goes_on = node.extensions.get("interrupting") is False
        host = node.attached_to
        if host is not None and position == "Catch" and self._is_host(host.element_id):
            cancels = (("cancelActivity", "false"),) if goes_on else ()
            return _Form(_BOUNDARY, (*together, *cancels, ("attachedToRef", self._names[host.element_id])))
        starts = (("isInterrupting", "false"),) if goes_on and position == "Start" else ()
        return _Form(_EVENT_NAMES[position], (*together, *starts))

    def _is_host(self, element_id: str) -> bool:
        one = self.elements.get(element_id)
        if isinstance(one, Node):
            return _type(one) in _ACTIVITIES or _type(one) not in {*_FORMS, *EVENT_TYPES, *_OPEN_EVENTS}
        return isinstance(one, Frame) and one.container_type in _ACTIVITY_FRAMES

    # --- what elements say -------------------------------------------------------------------------------------------

    def _default(self, source: Element, name: str) -> _Attributes:
        """The `default` attribute: id of the default sequence flow, at most one per element. Further default flows are
        reported as losses."""
        flows = self._default_flows.get(source.id, [])
        held = 1 if _CHOOSING.fullmatch(name) else 0
        for edge in flows[held:]:
            self._losses.add("default flows of what has one already, or does not choose", edge.id)
        return tuple(("default", self._names[edge.id]) for edge in flows[:held])

    @cached_property
    def _default_flows(self) -> dict[str, list[Edge]]:
        found: dict[str, list[Edge]] = {}
        for edge, kind in self._edges:
            if kind == "sequenceFlow" and edge.edge_type == _DEFAULT_FLOW:
                found.setdefault(edge.source.element_id, []).append(edge)
        return found

    @staticmethod
    def _condition(edge: Edge, kind: str) -> tuple[Markup, ...]:
        """The condition expression of a conditional flow: the label of the edge."""
        is_conditional = kind == "sequenceFlow" and edge.edge_type == _CONDITIONAL_FLOW
        return (Markup("conditionExpression", (), (edge.label or "",)),) if is_conditional else ()

    def _said(self, element: Element) -> _Attributes:
        name = element.title if isinstance(element, Frame) else getattr(element, "label", None)
        return (("id", self._names[element.id]), *((("name", name),) if name else ()))

    @staticmethod
    def _documentation(element: Element) -> tuple[Markup, ...]:
        said = element.tooltip if isinstance(element, Linked) else None
        return (Markup("documentation", (), (said,)),) if said else ()

    def _flow(self, edge: Edge) -> _Attributes:
        ends = zip(("sourceRef", "targetRef"), (self._names[end] for end in edge.ends), strict=True)
        if self._kind(edge) != "association":
            return (*self._said(edge), *ends)
        heads = [(arrow or "none") != "none" for arrow in (edge.start_arrow, edge.end_arrow)]
        headed = {(False, True): "One", (True, True): "Both"}.get((heads[0], heads[1]))
        direction = (("associationDirection", headed),) if headed else ()
        return (("id", self._names[edge.id]), *direction, *ends)

    def _tell_losses(self) -> None:
        self._losses.add_hidden(self._laid_out.scene)
        if self._laid_out.scene.constraints:
            self._losses.add("constraints")
        for one in self.elements.values():
            self._tell_loss(one)
            for what, is_lost in _NOT_HELD.items():
                if is_lost(one):
                    self._losses.add(what, one.id)

    def _tell_loss(self, one: Element) -> None:
        if isinstance(one, Group):
            self._losses.add("groups that are no frames", one.id)
        elif isinstance(one, Frame) and one in self._groups and one.container_type != _GROUP:
            self._losses.add("frames that are not pools, lanes or activities (written as groups)", one.id)
        elif isinstance(one, Node):
            if _type(one) not in {*_FORMS, *EVENT_TYPES, *_OPEN_EVENTS}:
                self._losses.add("node types that BPMN does not have (written as tasks)", one.id)
            if one.attached_to is not None and self._form(one).name != _BOUNDARY:
                self._losses.add("attachments of what is no event, or to what is no activity", one.id)
        elif isinstance(one, Edge):
            if one.edge_type != _ASSOCIATION and self._kind(one) == "association" and self._is_diverted(one):
                self._losses.add("lines to lanes and plain frames (written as associations)", one.id)
            if (one.edge_type or "") in _SEQUENCE_FLOWS and self._kind(one) == "messageFlow":
                self._losses.add("sequence flows between pools (written as message flows)", one.id)
        elif one.kind in {"image", "guide"}:
            self._losses.add("pictures and guides", one.id)

    def _is_diverted(self, edge: Edge) -> bool:
        return any(isinstance(self.elements[end], Frame | Group) for end in edge.ends)

    # --- the diagram -------------------------------------------------------------------------------------------------

    def diagram(self) -> Markup:
        """The BPMN diagram: shapes and edges (chapter 12)."""
        shapes = [shape for one in self.elements.values() for shape in self._shape(one)]
        lines = [self._line(edge, route) for edge, _ in self._edges if (route := self._laid_out.routes.get(edge.id))]
        plane = (("id", self.fresh("plane")), ("bpmnElement", self._plane))
        body = Markup("bpmndi:BPMNPlane", plane, (*shapes, *lines))
        return Markup("bpmndi:BPMNDiagram", (("id", self.fresh("diagram")),), (body,))

    def _shape(self, one: Element) -> Iterator[Markup]:
        box = self._laid_out.placement.boxes.get(one.id)
        if box is None or not isinstance(one, Node | Text | Frame):
            return
        attributes = [("id", self.fresh(f"{self._names[one.id]}_di")), ("bpmnElement", self._names[one.id])]
        if isinstance(one, Frame) and one.container_type in _ACTIVITY_FRAMES:
            attributes.append(("isExpanded", "true"))
        elif isinstance(one, Frame) and one.container_type in {_POOL, _LANE}:
            attributes.append(("isHorizontal", "false" if self._is_upright(one) else "true"))
        elif isinstance(one, Node) and self._form(one).name in _COLLAPSED:
            attributes.append(("isExpanded", "false"))
        elif isinstance(one, Node) and self._form(one).name == "exclusiveGateway":
            attributes.append(("isMarkerVisible", "true"))
        label = self._laid_out.placement.part(one.id, "label")
        outside = label is not None and isinstance(one, Node) and not box.contains(label)
        yield Markup("bpmndi:BPMNShape", tuple(attributes), (_bounds(box), *(_label(label) if outside else ())))

    def _is_upright(self, frame: Frame) -> bool:
        """Whether a pool is vertical, or the pool of a lane."""
        around = (self.elements[one] for one in (frame.id, *ancestors(frame.id, self._homes.get)))
        divided = next((one for one in around if isinstance(one, Frame) and one.container_type != _LANE), None)
        return divided is not None and divided.lane_direction == "vertical"

    def _line(self, edge: Edge, route: DrawnRoute) -> Markup:
        names = ("id", self.fresh(f"{self._names[edge.id]}_di")), ("bpmnElement", self._names[edge.id])
        points = tuple(Markup("di:waypoint", (("x", decimal(x)), ("y", decimal(y)))) for x, y in route.points)
        return Markup("bpmndi:BPMNEdge", names, (*points, *_label(route.label)))


def _characteristics(marks: Sequence[str]) -> tuple[Markup, ...]:
    """The loop characteristics of an activity, at most one element."""
    rows = {
        "loop": Markup("standardLoopCharacteristics"),
        "parallel": Markup("multiInstanceLoopCharacteristics", (("isSequential", "false"),)),
        "sequential": Markup("multiInstanceLoopCharacteristics", (("isSequential", "true"),)),
    }
    return tuple(rows[mark] for mark in marks if mark in rows)[:1]


def _type(node: Node) -> str:
    """The type, or that of the shape of an untyped node, without the role in which an event was cast."""
    return (node.node_type or "").partition(" ")[0]


def _bounds(box: Box) -> Markup:
    return Markup("dc:Bounds", tuple(zip(("x", "y", "width", "height"), map(decimal, box), strict=True)))


def _label(box: Box | None) -> Iterable[Markup]:
    return () if box is None else (Markup("bpmndi:BPMNLabel", (), (_bounds(box),)),)
