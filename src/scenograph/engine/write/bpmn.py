"""A workflow as BPMN 2.0 XML with its diagram (OMG formal/2011-01-03, chapters 7 to 12).

In: a laid-out scene. Out: one file: a process for each pool and one for what stands in none, a collaboration where
there are pools or message flows, a diagram with the places and courses of the picture. Ids are kept where they are XML
names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Box
from scenograph.engine.tables import LaidOutScene, Route
from scenograph.engine.write.decimals import decimal
from scenograph.engine.write.markup import Markup, serialized
from scenograph.engine.write.writer import Losses
from scenograph.scene.json_values import is_object
from scenograph.scene.model import Edge, Element, Frame, Group, Linked, Node, Text
from scenograph.scene.nesting import ancestors

_NAMESPACES = (
    ("xmlns", "http://www.omg.org/spec/BPMN/20100524/MODEL"),
    ("xmlns:bpmndi", "http://www.omg.org/spec/BPMN/20100524/DI"),
    ("xmlns:dc", "http://www.omg.org/spec/DD/20100524/DC"),
    ("xmlns:di", "http://www.omg.org/spec/DD/20100524/DI"),
)
_TARGET = "urn:scenograph:bpmn"
_XML_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_STRANGE = re.compile(r"[^A-Za-z0-9_.-]+")
_POOL, _LANE, _SUBPROCESS = "pool", "lane", "subprocess"
_MESSAGE_FLOW, _ASSOCIATION = "workflow.messageFlow", "workflow.association"
_DEFAULT_FLOW, _CONDITIONAL_FLOW = "workflow.defaultFlow", "workflow.conditionalFlow"
_DATA, _NOTE = "workflow.dataObject", "workflow.annotation"


class _Form(NamedTuple):
    """An element's name, and what its event definition is of."""

    name: str
    event: str = ""


_FORMS: Mapping[str, _Form] = {
    "workflow.start": _Form("startEvent"),
    "workflow.messageStart": _Form("startEvent", "message"),
    "workflow.end": _Form("endEvent"),
    "workflow.messageEnd": _Form("endEvent", "message"),
    "workflow.terminate": _Form("endEvent", "terminate"),
    "workflow.timer": _Form("intermediateCatchEvent", "timer"),
    "workflow.error": _Form("endEvent", "error"),
    "workflow.signal": _Form("intermediateCatchEvent", "signal"),
    "workflow.task": _Form("task"),
    "workflow.userTask": _Form("userTask"),
    "workflow.serviceTask": _Form("serviceTask"),
    "workflow.subprocess": _Form("subProcess"),
    "workflow.gateway": _Form("exclusiveGateway"),
    "workflow.decision": _Form("exclusiveGateway"),
    "workflow.gatewayParallel": _Form("parallelGateway"),
    "workflow.gatewayInclusive": _Form("inclusiveGateway"),
    _DATA: _Form("dataObjectReference"),
    _NOTE: _Form("textAnnotation"),
}
_ARTIFACTS = frozenset({"textAnnotation", "association"})
_BY_PLACE = frozenset({"timer", "error", "signal"})  # what begins, interrupts or ends a process has one symbol
_ORIGINALS = frozenset(
    [
        "manualTask",
        "sendTask",
        "receiveTask",
        "scriptTask",
        "businessRuleTask",
        "callActivity",
        "eventBasedGateway",
        "complexGateway",
    ]
)
# What may name one of its flows the default: activities, and gateways that choose.
_CHOOSING = re.compile(r"task|[a-z]+Task|subProcess|callActivity|(exclusive|inclusive|complex)Gateway")


_NOT_HELD: Mapping[str, Callable[[Element], bool]] = {
    "icons": lambda one: isinstance(one, Node | Frame) and bool(one.icon),
    "colours, strokes and fonts": lambda one: one.style is not None or one.style_id is not None,
    "links and tooltips": lambda one: isinstance(one, Linked) and (one.link is not None or bool(one.tooltip)),
    "labels at the ends of lines": lambda one: isinstance(one, Edge) and bool(one.source.label or one.target.label),
}


def write_bpmn(laid_out: LaidOutScene, losses: Losses) -> str:
    """The file's text."""
    model = _Model(laid_out, losses)
    processes = [model.process(pool) for pool in (*model.pools, None)]
    root = model.collaboration()
    body = (*([root] if root is not None else []), *(one for one in processes if one is not None), model.diagram())
    attributes = (*_NAMESPACES, ("id", model.fresh("definitions")), ("targetNamespace", _TARGET))
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + serialized(Markup("definitions", attributes, body)) + "\n"


class _Model:
    """The scene as processes."""

    def __init__(self, laid_out: LaidOutScene, losses: Losses) -> None:
        self._laid_out = laid_out
        self._losses = losses
        self.elements: dict[str, Element] = {one.id: one for one in laid_out.scene.elements}
        self._taken: set[str] = set()
        self._names = {key: self.fresh(key) for key in self.elements}
        self._tell_losses()

    def fresh(self, wished: str) -> str:
        """An XML name that nothing else in the file has."""
        name = wished if _XML_NAME.fullmatch(wished) else "id_" + _STRANGE.sub("_", wished)
        found, number = name, 2
        while found in self._taken:
            found, number = f"{name}_{number}", number + 1
        self._taken.add(found)
        return found

    @cached_property
    def pools(self) -> list[Frame]:
        """Pools in document order."""
        return [one for one in self.elements.values() if isinstance(one, Frame) and one.container_type in {_POOL}]

    @cached_property
    def _homes(self) -> dict[str, str]:
        rows = (one for one in self.elements.values() if isinstance(one, Frame | Group))
        return {child: one.id for one in rows for child in one.children}

    @cached_property
    def _processes(self) -> dict[str | None, str]:
        keys: list[str | None] = [*(pool.id for pool in self.pools), None]
        return {key: self.fresh("process" if key is None else f"process_{key}") for key in keys}

    def _around(self, element_id: str, *types: str) -> str | None:
        """The nearest container of one of these types round an element."""
        around = (self.elements[one] for one in ancestors(element_id, self._homes.get))
        return next((one.id for one in around if isinstance(one, Frame) and one.container_type in types), None)

    def _pool(self, element_id: str) -> str | None:
        element = self.elements.get(element_id)
        is_pool = isinstance(element, Frame) and element.container_type in {_POOL}
        return element_id if is_pool else self._around(element_id, _POOL)

    def _kind(self, edge: Edge) -> str:
        """A message between pools, an association of data and notes, else a sequence flow."""
        ends = [self.elements[end.element_id] for end in (edge.source, edge.target)]
        types = {one.node_type for one in ends if isinstance(one, Node)}
        if edge.edge_type == _ASSOCIATION or types & {_DATA, _NOTE}:
            return "association"
        is_message = edge.edge_type == _MESSAGE_FLOW or self._pool(ends[0].id) != self._pool(ends[1].id)
        return "messageFlow" if is_message else "sequenceFlow"

    @cached_property
    def _edges(self) -> list[tuple[Edge, str]]:
        edges = (one for one in self.elements.values() if isinstance(one, Edge))
        return [(edge, self._kind(edge)) for edge in edges]

    def collaboration(self) -> Markup | None:
        """The pools and the messages between them; None where there is neither."""
        messages = [edge for edge, kind in self._edges if kind == "messageFlow"]
        if not self.pools and not messages:
            return None
        rows = [
            Markup("participant", (*self._said(pool), ("processRef", self._processes[pool.id]))) for pool in self.pools
        ]
        rows += [Markup("messageFlow", self._flow(edge)) for edge in messages]
        return Markup("collaboration", (("id", self._plane),), tuple(rows))

    @cached_property
    def _plane(self) -> str:
        has_messages = any(kind == "messageFlow" for _, kind in self._edges)
        return self.fresh("collaboration") if self.pools or has_messages else self._processes[None]

    def process(self, pool: Frame | None) -> Markup | None:
        """What a pool holds, or what stands in none; None where that is nothing."""
        key = None if pool is None else pool.id
        content = tuple(self._content(key, None))
        if pool is None and not content and self.pools:
            return None
        lanes = [
            one
            for one in self.elements.values()
            if isinstance(one, Frame) and one.container_type in {_LANE} and self._pool(one.id) == key
        ]
        lane_set = Markup("laneSet", (("id", self.fresh("lanes")),), tuple(map(self._lane, lanes))) if lanes else None
        attributes = (("id", self._processes[key]), ("isExecutable", "false"))
        return Markup("process", attributes, (*([lane_set] if lane_set else []), *content))

    def _lane(self, lane: Frame) -> Markup:
        members = (one for one in self.elements if self._is_flow_node(one) and self._around(one, _LANE) == lane.id)
        return Markup(
            "lane", self._said(lane), tuple(Markup("flowNodeRef", (), (self._names[one],)) for one in members)
        )

    def _is_flow_node(self, element_id: str) -> bool:
        element = self.elements[element_id]
        if isinstance(element, Frame):
            return element.container_type in {_SUBPROCESS}
        is_node = isinstance(element, Node) and element.node_type not in {_DATA, _NOTE}
        return is_node and self._around(element_id, _SUBPROCESS) is None

    def _content(self, pool: str | None, scope: str | None) -> list[Markup]:
        """What stands directly in a process or a subprocess; notes and associations at the end, by its schema."""
        return sorted(self._unordered(pool, scope), key=lambda one: one.name in _ARTIFACTS)

    def _unordered(self, pool: str | None, scope: str | None) -> Iterator[Markup]:
        for one in self.elements.values():
            inside = self._pool(one.id) == pool and self._around(one.id, _SUBPROCESS) == scope
            if isinstance(one, Frame) and one.container_type in {_SUBPROCESS} and inside:
                said = (*self._said(one), *self._default(one, "subProcess"))
                yield Markup("subProcess", said, tuple(self._content(pool, one.id)))
            elif isinstance(one, Node | Text) and inside:
                yield from self._node(one)
        for edge, kind in self._edges:
            ends = edge.ends
            scopes = [self._around(end, _SUBPROCESS) for end in ends]
            home = scopes[0] if scopes[0] == scopes[1] else None
            if kind != "messageFlow" and self._pool(ends[0]) == pool and home == scope:
                yield Markup(kind, self._flow(edge), self._condition(edge, kind))

    def _node(self, node: Node | Text) -> Iterator[Markup]:
        if isinstance(node, Text):
            yield Markup("textAnnotation", (("id", self._names[node.id]),), (Markup("text", (), (node.content,)),))
            return
        form = self._form(node)
        if form.name == "textAnnotation":
            text = Markup("text", (), (node.label or "",))
            yield Markup(form.name, (("id", self._names[node.id]),), (text,))
        elif form.name == "dataObjectReference":
            data = self.fresh(f"data_{node.id}")
            yield Markup("dataObject", (("id", data),))
            yield Markup(form.name, (*self._said(node), ("dataObjectRef", data)))
        else:
            event = (Markup(f"{form.event}EventDefinition", (("id", self.fresh("event")),)),) if form.event else ()
            yield Markup(form.name, (*self._said(node), *self._default(node, form.name)), event)

    def _default(self, source: Element, name: str) -> tuple[tuple[str, str], ...]:
        """The flow that is taken where no other one is, as an attribute of what it leaves; there is one at most."""
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
        """A conditional flow has a condition, whose words are its name."""
        is_conditional = kind == "sequenceFlow" and edge.edge_type == _CONDITIONAL_FLOW
        return (Markup("conditionExpression", (), (edge.label or "",)),) if is_conditional else ()

    def _form(self, node: Node) -> _Form:
        form = _FORMS.get(_type(node), _Form("task"))
        said = node.extensions.get("bpmn")
        original = said.get("element") if is_object(said) else None
        if isinstance(original, str) and original in _ORIGINALS:
            return _Form(original)
        if form.event not in _BY_PLACE:
            return form
        if not any(edge.target.element_id == node.id for edge, _ in self._edges):
            return _Form("startEvent", form.event)
        if not any(edge.source.element_id == node.id for edge, _ in self._edges) and form.event != "timer":
            return _Form("endEvent", form.event)
        return _Form("intermediateCatchEvent", form.event)

    def _said(self, element: Element) -> tuple[tuple[str, str], ...]:
        name = element.title if isinstance(element, Frame) else getattr(element, "label", None)
        return (("id", self._names[element.id]), *((("name", name),) if name else ()))

    def _flow(self, edge: Edge) -> tuple[tuple[str, str], ...]:
        source, target = self._names[edge.source.element_id], self._names[edge.target.element_id]
        said = self._said(edge) if self._kind(edge) != "association" else (("id", self._names[edge.id]),)
        return (*said, ("sourceRef", source), ("targetRef", target))

    def _tell_losses(self) -> None:
        for one in self.elements.values():
            is_plain = isinstance(one, Frame) and one.container_type not in {_POOL, _LANE, _SUBPROCESS}
            if is_plain or isinstance(one, Group):
                self._losses.add("frames that are not pools, lanes or subprocesses", one.id)
            elif isinstance(one, Node) and _type(one) not in _FORMS:
                self._losses.add("node types that BPMN does not have (written as tasks)", one.id)
            elif one.kind in {"image", "guide"}:
                self._losses.add("pictures and guides", one.id)
            for what, is_lost in _NOT_HELD.items():
                if is_lost(one):
                    self._losses.add(what, one.id)

    def diagram(self) -> Markup:
        """Where everything is drawn (chapter 12)."""
        shapes = [shape for one in self.elements.values() for shape in self._shape(one)]
        lines = [self._line(edge, route) for edge, _ in self._edges if (route := self._laid_out.routes.get(edge.id))]
        plane = (("id", self.fresh("plane")), ("bpmnElement", self._plane))
        body = Markup("bpmndi:BPMNPlane", plane, (*shapes, *lines))
        return Markup("bpmndi:BPMNDiagram", (("id", self.fresh("diagram")),), (body,))

    def _shape(self, one: Element) -> Iterator[Markup]:
        box = self._laid_out.placement.boxes.get(one.id)
        is_plain = isinstance(one, Frame) and one.container_type not in {_POOL, _LANE, _SUBPROCESS}
        if box is None or is_plain or not isinstance(one, Node | Text | Frame):
            return
        attributes = [("id", self.fresh(f"{self._names[one.id]}_di")), ("bpmnElement", self._names[one.id])]
        if isinstance(one, Frame) and one.container_type in {_SUBPROCESS}:
            attributes.append(("isExpanded", "true"))
        elif isinstance(one, Frame):
            pool = self.elements.get(self._pool(one.id) or "")
            upright = isinstance(pool, Frame) and pool.lane_direction == "vertical"
            attributes.append(("isHorizontal", "false" if upright else "true"))
        elif isinstance(one, Node) and self._form(one).name == "subProcess":
            attributes.append(("isExpanded", "false"))
        elif isinstance(one, Node) and self._form(one).name == "exclusiveGateway":
            attributes.append(("isMarkerVisible", "true"))
        label = self._laid_out.placement.part(one.id, "label")
        outside = label is not None and isinstance(one, Node) and not box.contains(label)
        yield Markup("bpmndi:BPMNShape", tuple(attributes), (_bounds(box), *(_label(label) if outside else ())))

    def _line(self, edge: Edge, route: Route) -> Markup:
        names = ("id", self.fresh(f"{self._names[edge.id]}_di")), ("bpmnElement", self._names[edge.id])
        points = tuple(Markup("di:waypoint", (("x", decimal(x)), ("y", decimal(y)))) for x, y in route.points)
        return Markup("bpmndi:BPMNEdge", names, (*points, *_label(route.label)))


def _type(node: Node) -> str:
    """The type that the author gave, without the role in which an event was cast."""
    return (node.node_type or "").partition(" ")[0]


def _bounds(box: Box) -> Markup:
    return Markup("dc:Bounds", tuple(zip(("x", "y", "width", "height"), map(decimal, box), strict=True)))


def _label(box: Box | None) -> Iterable[Markup]:
    return () if box is None else (Markup("bpmndi:BPMNLabel", (), (_bounds(box),)),)
