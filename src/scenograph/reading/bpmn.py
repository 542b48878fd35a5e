"""BPMN 2.0 to a document: elements by local name, positions of the diagram interchange, and the scene."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.assembly import Assembly
from scenograph.reading.markup import Tag, parsed
from scenograph.reading.source import Losses, Source, TooLarge, Unreadable
from scenograph.reading.source import shown as quoted
from scenograph.scene.borders import OFFSET_DECIMALS, border_place
from scenograph.scene.json_values import JsonObject
from scenograph.scene.vocabulary import EVENT_TYPES, event_type

# The scene elements for BPMN elements: rows by local name. (BPMN 2.0, chapters 7 and 10)

MODEL = "http://www.omg.org/spec/BPMN/20100524/MODEL"
_DEFINITIONS_OF_EVENTS = "EventDefinition"
_DEFINED: Mapping[str, str] = {"compensate": "compensation"}
"""Kinds of definitions with different names in BPMN."""


class Form(NamedTuple):
    """A node type, and whether it shows the complete BPMN symbol; `shape` if different from the type's."""

    node_type: str
    exact: bool = True
    shape: str | None = None


ACTIVITIES: Mapping[str, Form] = {
    "task": Form("workflow.task"),
    "userTask": Form("workflow.userTask"),
    "serviceTask": Form("workflow.serviceTask"),
    "manualTask": Form("workflow.manualTask"),
    "sendTask": Form("workflow.sendTask"),
    "receiveTask": Form("workflow.receiveTask"),
    "scriptTask": Form("workflow.scriptTask"),
    "businessRuleTask": Form("workflow.businessRuleTask"),
    "callActivity": Form("workflow.callActivity"),
    "subProcess": Form("workflow.subprocess"),
    "transaction": Form("workflow.transaction"),
    "adHocSubProcess": Form("workflow.subprocess"),
    "callChoreography": Form("workflow.task", exact=False),
}
_EVENT_SUBPROCESS = Form("workflow.eventSubprocess")
FRAMES: Mapping[str, str] = {
    "workflow.subprocess": "subprocess",
    "workflow.transaction": "transaction",
    "workflow.eventSubprocess": "eventSubprocess",
}
"""The container types of expanded activities, by the node types of collapsed ones."""

_HOLDING = ("subProcess", "transaction", "adHocSubProcess")
"""Activities with a process inside."""

GATEWAYS: Mapping[str, Form] = {
    "exclusiveGateway": Form("workflow.gateway"),
    "parallelGateway": Form("workflow.gatewayParallel"),
    "inclusiveGateway": Form("workflow.gatewayInclusive"),
    "eventBasedGateway": Form("workflow.gatewayEventBased"),
    "complexGateway": Form("workflow.gatewayComplex"),
}

EVENTS: Mapping[str, str] = {
    "startEvent": "Start",
    "intermediateCatchEvent": "Catch",
    "boundaryEvent": "Catch",
    "intermediateThrowEvent": "Throw",
    "endEvent": "End",
}
"""The position of an event in the flow, by tag name."""

DATA: Mapping[str, Form] = {
    "dataObjectReference": Form("workflow.dataObject"),
    "dataStoreReference": Form("workflow.dataObject", shape="cylinder"),
    "textAnnotation": Form("workflow.annotation"),
}
_SHOWN_DATA: Mapping[str, Form] = {
    "dataObject": Form("workflow.dataObject"),
    "dataInput": Form("workflow.dataObject"),
    "dataOutput": Form("workflow.dataObject"),
    "dataStore": Form("workflow.dataObject", shape="cylinder"),
}
"""Data drawn as a node only if shown by a diagram."""

FLOWS = ("sequenceFlow", "messageFlow", "association")
_DATA_FLOWS = ("dataInputAssociation", "dataOutputAssociation")
_WITHOUT_SYMBOL = frozenset(
    {
        "documentation",
        "extensionElements",
        "incoming",
        "outgoing",
        "ioSpecification",
        "property",
        "dataState",
        "auditing",
        "monitoring",
        "supportedInterfaceRef",
        "resourceRole",
        "performer",
        "humanPerformer",
        "potentialOwner",
        "correlationSubscription",
        "supports",
        "laneSet",
        "completionCondition",
        "participantAssociation",
        "messageFlowAssociation",
        "conversationAssociation",
        "correlationKey",
        "group",
        *_SHOWN_DATA,
        *_DATA_FLOWS,
    }
)
"""Children of a process, a subprocess or a collaboration without a symbol in diagrams."""


def _form_of_event(name: str, definition: str) -> Form:
    """The form of an event: the symbol of its definition, or an empty ring for an impossible combination with its
    position."""
    position = EVENTS[name]
    found = event_type(definition, position)
    return Form(found) if found in EVENT_TYPES else Form(event_type("", position), exact=False)


# BPMN DI: positions of elements in the diagrams of a file. Diagrams after the first are placed below one another. px.

GAP = 80.0  # between diagrams
FARTHEST = 1e5


class DrawnBounds(NamedTuple):
    """A box."""

    x: float
    y: float
    width: float
    height: float

    @property
    def center(self) -> tuple[float, float]:
        """The middle of the box."""
        return (self.x + self.width / 2, self.y + self.height / 2)

    def grown(self, by: float) -> DrawnBounds:
        """The box, enlarged by `by` on every side."""
        return DrawnBounds(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)

    def surrounds(self, other: DrawnBounds) -> bool:
        """Whether the box contains another box."""
        return (
            self.x <= other.x
            and self.y <= other.y
            and other.x + other.width <= self.x + self.width
            and other.y + other.height <= self.y + self.height
        )

    def holds(self, point: tuple[float, float]) -> bool:
        """Whether the box contains a point."""
        return self.x <= point[0] <= self.x + self.width and self.y <= point[1] <= self.y + self.height


@dataclass(slots=True)
class Shown:
    """The diagrams' content: boxes by BPMN id, upright pools and lanes, closed subprocesses."""

    boxes: dict[str, DrawnBounds] = field(default_factory=dict[str, DrawnBounds])
    upright: set[str] = field(default_factory=set[str])
    closed: set[str] = field(default_factory=set[str])


def _read_diagrams(definitions: Tag) -> Shown:
    """All diagrams of a file. An element in several diagrams stands where the first shows it."""
    shown = Shown()
    bottom = 0.0
    for diagram in definitions.all("BPMNDiagram"):
        boxes: dict[str, DrawnBounds] = {}
        for shape in diagram.walk():
            box = _bounds(shape) if shape.name == "BPMNShape" else None
            if box is not None:
                boxes[local(shape.get("bpmnElement"))] = box
                _note_look(shape, shown)
        top = min((box.y for box in boxes.values()), default=0.0)
        shift = bottom + GAP - top if shown.boxes else 0.0
        for name, box in boxes.items():
            shown.boxes.setdefault(name, box._replace(y=box.y + shift))
        bottom = max((box.y + box.height for box in shown.boxes.values()), default=0.0)
    return shown


def _note_look(shape: Tag, shown: Shown) -> None:
    name = local(shape.get("bpmnElement"))
    if shape.get("isHorizontal") == "false":
        shown.upright.add(name)
    if shape.get("isExpanded") == "false":
        shown.closed.add(name)


def local(name: str) -> str:
    """A reference without its namespace prefix."""
    return name.strip().rpartition(":")[2]


def _bounds(shape: Tag) -> DrawnBounds | None:
    said = shape.first("Bounds")
    values = [_number(said.get(name)) for name in DrawnBounds._fields] if said is not None else []
    known = [value for value in values if value is not None]
    return DrawnBounds(*known) if len(known) == len(DrawnBounds._fields) and min(known[2:]) >= 0 else None


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and abs(value) <= FARTHEST else None


# The content of a BPMN file as rows: symbols, containers, flows, each with its container.


_LOOP, _INSTANCES = "standardLoopCharacteristics", "multiInstanceLoopCharacteristics"


@dataclass(slots=True)
class Symbol:
    """A future node: BPMN id, form, container, event definition, an activity's markers, and the definitions of a
    multiple event."""

    name: str
    tag: Tag
    form: Form
    home: str | None
    event: str = ""
    markers: tuple[str, ...] = ()
    events: tuple[str, ...] = ()


@dataclass(slots=True)
class Container:
    """A future frame: a pool, lane, group, or expanded activity."""

    name: str
    tag: Tag
    kind: str
    home: str | None
    title: str
    markers: tuple[str, ...] = ()

    @property
    def is_activity(self) -> bool:
        """Whether the container is an activity."""
        return self.kind in _ACTIVITY_FRAMES


@dataclass(slots=True)
class FlowLine:
    """An edge to be; `ends` are BPMN ids."""

    name: str
    tag: Tag
    ends: tuple[str, str]


@dataclass(slots=True)
class Gathered:
    """All rows. `lanes` maps symbols to lanes; `hidden` is the content of closed subprocesses; `definitions` maps ids
    of event definitions outside events to their kinds; `categories` are the names of groups."""

    shown: Shown
    losses: Losses
    symbols: dict[str, Symbol] = field(default_factory=dict[str, Symbol])
    containers: dict[str, Container] = field(default_factory=dict[str, Container])
    lines: list[FlowLine] = field(default_factory=list[FlowLine])
    lanes: dict[str, str] = field(default_factory=dict[str, str])
    defaults: set[str] = field(default_factory=set[str])
    hidden: set[str] = field(default_factory=set[str])
    aliases: dict[str, str] = field(default_factory=dict[str, str])
    definitions: dict[str, str] = field(default_factory=dict[str, str])
    categories: dict[str, str] = field(default_factory=dict[str, str])
    groups: list[Tag] = field(default_factory=list[Tag])

    def scope_of(self, lane: str) -> str | None:
        """The pool or activity divided by a lane."""
        row: Container | None = self.containers.get(lane)
        while row is not None and row.kind == "lane":
            home = row.home
            row = self.containers.get(home or "")
            if row is None:
                return home
        return None if row is None else row.name

    def name_of(self, tag: Tag) -> str:
        """The id of an element; without an id its tag name and line."""
        return tag.get("id").strip() or f"{tag.name} {tag.place.line}:{tag.place.column}"


def gather(definitions: Tag, shown: Shown, losses: Losses) -> Gathered:
    """The rows of a file. Unknown elements of BPMN go to the losses."""
    found = Gathered(shown, losses)
    for tag in definitions.children:
        if tag.name.endswith(_DEFINITIONS_OF_EVENTS):
            found.definitions[found.name_of(tag)] = _defined(tag)
    for category in definitions.all("category"):
        for value in category.all("categoryValue"):
            found.categories[found.name_of(value)] = value.get("value") or category.get("name")
    pools = _pools(definitions, found)
    for process in definitions.all("process"):
        name = found.name_of(process)
        pool = pools.get(name)
        if pool is None and process.first("laneSet") is not None:
            pool = name
            found.containers[name] = Container(name, process, "pool", None, process.get("name"))
        _gather_content(process, pool, found, hidden=False)
    for collaboration in definitions.all("collaboration"):
        _gather_content(collaboration, None, found, hidden=False)
    for other in definitions.all("choreography", "globalConversation"):
        losses.formless(other.place, f"the {other.name} {quoted(_words(other, found))} is left out")
    return found


def _pools(definitions: Tag, found: Gathered) -> Mapping[str, str]:
    """The pools; by process, its pool."""
    pools: dict[str, str] = {}
    for collaboration in definitions.all("collaboration"):
        for participant in collaboration.all("participant"):
            name = found.name_of(participant)
            found.containers[name] = Container(name, participant, "pool", None, participant.get("name"))
            process = local(participant.get("processRef"))
            if process:
                pools.setdefault(process, name)
            if participant.first("participantMultiplicity") is not None:
                said = quoted(participant.get("name") or name)
                found.losses.formless(participant.place, f"the marker of many instances of the pool {said} is left out")
    return pools


def _gather_content(owner: Tag, home: str | None, found: Gathered, *, hidden: bool) -> None:
    """The content of a process, a subprocess or a collaboration; `home` is its frame."""
    waiting = [(owner, home, hidden)]
    while waiting:
        scope, frame, closed = waiting.pop()
        for lane_set in scope.all("laneSet"):
            _gather_lanes(lane_set, frame, found)
        for tag in scope.children:
            if tag.space == MODEL and _gather_one(tag, frame, found, closed=closed):
                name = found.name_of(tag)
                waiting.append((tag, name, closed or name in found.shown.closed))


def _gather_lanes(lane_set: Tag, frame: str | None, found: Gathered) -> None:
    waiting = [(lane_set, frame)]
    while waiting:
        rows, home = waiting.pop(0)
        for lane in rows.all("lane"):
            name = found.name_of(lane)
            found.containers[name] = Container(name, lane, "lane", home, lane.get("name"))
            for reference in lane.all("flowNodeRef"):
                found.lanes[local(reference.text)] = name
            waiting.extend((inner, name) for inner in lane.all("childLaneSet"))


def _gather_one(tag: Tag, frame: str | None, found: Gathered, *, closed: bool) -> bool:
    """Gather a child of a scope; True for a scope of its own, drawn as a frame."""
    name = found.name_of(tag)
    if closed:
        found.hidden.add(name)
    form, event = _form(tag, name, found)
    if tag.name in FLOWS:
        ends = (local(tag.get("sourceRef")), local(tag.get("targetRef")))
        found.lines.append(FlowLine(name, tag, ends))
    elif tag.name in _HOLDING and form is not None and any(_is_seen(child, found) for child in tag.children):
        found.containers[name] = Container(
            name, tag, FRAMES[form.node_type], frame, tag.get("name"), _markers(tag, found)
        )
        if name in found.shown.closed:
            found.hidden.add(name)
        _note_activity(tag, name, found)
        return True
    elif tag.name == "group":
        found.groups.append(tag)
    elif form is not None:
        several = tuple(_events_of(tag, found)) if tag.name in EVENTS else ()
        found.symbols[name] = Symbol(name, tag, form, frame, event, _markers(tag, found), several)
        _note_activity(tag, name, found)
    elif tag.name not in {*_WITHOUT_SYMBOL, "participant"} and not tag.name.endswith("Characteristics"):
        found.losses.formless(tag.place, f"the {tag.name} {quoted(tag.get('name') or name)} is left out")
    return False


def _form(tag: Tag, name: str, found: Gathered) -> tuple[Form | None, str]:
    if tag.name in EVENTS:
        events = _events_of(tag, found)
        together = "parallelMultiple" if tag.get("parallelMultiple") == "true" else "multiple"
        event = events[0] if len(events) == 1 else together if events else ""
        return _form_of_event(tag.name, event), event
    if tag.name in _HOLDING and tag.get("triggeredByEvent") == "true":
        return _EVENT_SUBPROCESS, ""
    shown_data = _SHOWN_DATA.get(tag.name) if name in found.shown.boxes else None
    return ACTIVITIES.get(tag.name) or GATEWAYS.get(tag.name) or DATA.get(tag.name) or shown_data, ""


def _defined(definition: Tag) -> str:
    name = definition.name.removesuffix(_DEFINITIONS_OF_EVENTS)
    return _DEFINED.get(name, name)


def _events_of(tag: Tag, found: Gathered) -> list[str]:
    """An event's definitions, both nested and referenced."""
    own = [_defined(row) for row in tag.children if row.name.endswith(_DEFINITIONS_OF_EVENTS)]
    return own + [found.definitions.get(local(row.text), "unknown") for row in tag.all("eventDefinitionRef")]


def _markers(tag: Tag, found: Gathered) -> tuple[str, ...]:
    """The markers of an activity, in BPMN's order from left to right (10.2)."""
    instances = tag.first(_INSTANCES)
    said = (
        ("loop", tag.first(_LOOP) is not None),
        ("parallel", instances is not None and instances.get("isSequential") != "true"),
        ("sequential", instances is not None and instances.get("isSequential") == "true"),
        ("adHoc", tag.name == "adHocSubProcess"),
        ("compensation", tag.get("isForCompensation") == "true"),
    )
    for what in ("isCollection", "instantiate"):
        if tag.get(what) == "true" and tag.name in _UNMARKED[what]:
            left = f"the marker {_UNMARKED_WORDS[what]} of {quoted(_words(tag, found))} is left out"
            found.losses.formless(tag.place, left)
    return tuple(name for name, is_so in said if is_so)


_ACTIVITY_FRAMES = frozenset(FRAMES.values())
_UNMARKED: Mapping[str, frozenset[str]] = {
    "isCollection": frozenset({"dataObjectReference", "dataObject", "dataInput", "dataOutput"}),
    "instantiate": frozenset({"receiveTask", "eventBasedGateway"}),
}
_UNMARKED_WORDS = {"isCollection": "of a collection", "instantiate": "that begins a process"}


def _words(tag: Tag, found: Gathered) -> str:
    return tag.get("name") or found.name_of(tag)


def _is_seen(tag: Tag, found: Gathered) -> bool:
    """Whether a child of an activity is drawn as a symbol within it."""
    kinds = (EVENTS, ACTIVITIES, GATEWAYS, DATA)
    return any(tag.name in kind for kind in kinds) or (
        tag.name in _SHOWN_DATA and found.name_of(tag) in found.shown.boxes
    )


def _note_activity(tag: Tag, name: str, found: Gathered) -> None:
    """Note an activity's default flow and its data associations."""
    if tag.get("default"):
        found.defaults.add(local(tag.get("default")))
    if tag.name in {"dataObjectReference", "dataStoreReference"}:
        found.aliases.setdefault(local(tag.get("dataObjectRef") or tag.get("dataStoreRef")), name)
    for flow in tag.all(*_DATA_FLOWS):
        reads = flow.name == "dataInputAssociation"
        other = flow.first("sourceRef" if reads else "targetRef")
        if other is not None and other.text:
            ends = (local(other.text), name) if reads else (name, local(other.text))
            found.lines.append(FlowLine(found.name_of(flow), flow, ends))


# The gathered rows of a BPMN file as a scene document; positions of its diagrams are the sketch in `computed`.


_FAMILY = "workflow"
_GROUP, _BOUNDARY = "boundary", "boundaryEvent"
_TYPES: Mapping[str, str] = {
    "sequenceFlow": "workflow.sequenceFlow",
    "messageFlow": "workflow.messageFlow",
    "association": "workflow.association",
    **dict.fromkeys(_DATA_FLOWS, "workflow.association"),
}
_HEADED = ("One", "Both")


def document_of(found: Gathered, source: Source, title: str) -> JsonObject:
    """The document."""
    assembly = Assembly("bpmn", source)
    homes: dict[str, str | None] = {row.name: _home_of(row, found) for row in found.symbols.values()}
    homes |= {
        row.name: _lane_or(row.name, row.home, found) if row.is_activity else row.home
        for row in found.containers.values()
    }
    _add_groups(found, homes)
    for symbol in found.symbols.values():
        assembly.node(symbol.name, **_node(symbol, found, assembly))
    for container in found.containers.values():
        children = [assembly.name(name) for name, home in homes.items() if home == container.name]
        assembly.frame(container.name, **_frame(container, found), children=children)
    for line in found.lines:
        _add_edge(line, found, assembly)
    return assembly.document(
        _FAMILY,
        title=title,
        layoutStrategy={"algorithm": "flow", "direction": _direction(found)},
        computed=_sketch(found, homes, assembly),
    )


def _direction(found: Gathered) -> str:
    upright = any(row.kind == "pool" and row.name in found.shown.upright for row in found.containers.values())
    return "TB" if upright else "LR"


def _home_of(symbol: Symbol, found: Gathered) -> str | None:
    """The frame of a symbol: the lane that lists it, or the host's lane for a boundary event; for data and annotations
    the lane or pool around it in the diagram."""
    name = local(symbol.tag.get("attachedToRef"))
    host = found.symbols.get(name) or found.containers.get(name)
    if symbol.tag.name == _BOUNDARY and host is not None:
        return _lane_or(host.name, host.home, found)
    if symbol.name in found.lanes or symbol.tag.name not in {*DATA, *_SHOWN_DATA}:
        return _lane_or(symbol.name, symbol.home, found)
    inner = found.containers.get(symbol.home or "")
    if inner is not None and inner.is_activity:
        return symbol.home
    return _around(symbol.name, found) or _lane_of_neighbour(symbol, found) or symbol.home


def _lane_or(name: str, home: str | None, found: Gathered) -> str | None:
    """The lane with the symbol, among the lanes of the pool or activity; else the pool or activity."""
    lane = found.lanes.get(name)
    return lane if lane is not None and found.scope_of(lane) == home else home


def _add_groups(found: Gathered, homes: dict[str, str | None]) -> None:
    """Groups as frames around their content in the diagrams, the larger before the smaller."""
    boxes = found.shown.boxes
    shown = [(boxes[name], tag, name) for tag in found.groups if (name := found.name_of(tag)) in boxes]
    for tag in found.groups:
        if found.name_of(tag) not in boxes:
            found.losses.formless(
                tag.place,
                f"the group {quoted(_group_words(tag, found) or found.name_of(tag))} is left out: it is not shown",
            )
    for box, tag, name in sorted(shown, key=lambda row: -row[0].width * row[0].height):
        inside = {one for one in homes if one in boxes and one not in found.hidden and box.surrounds(boxes[one])}
        inside |= {one for one, home in homes.items() if home in inside}
        outer = [one for one in homes if one in inside and homes[one] not in inside]
        around = {homes[one] for one in outer}
        if len(around) > 1:
            why = "what it surrounds stands in several pools or lanes"
            found.losses.formless(
                tag.place, f"the group {quoted(_group_words(tag, found) or found.name_of(tag))} is left out: {why}"
            )
            continue
        home = around.pop() if around else _around(name, found)
        found.containers[name] = Container(name, tag, _GROUP, home, _group_words(tag, found))
        homes[name] = found.containers[name].home
        homes.update(dict.fromkeys(outer, name))


def _group_words(tag: Tag, found: Gathered) -> str:
    return found.categories.get(local(tag.get("categoryValueRef"))) or tag.get("name")


def _around(name: str, found: Gathered) -> str | None:
    """The smallest pool or lane around the middle of a shape."""
    box = found.shown.boxes.get(name)
    frames = {row: found.shown.boxes[row] for row in found.containers if row in found.shown.boxes}
    kinds = {row.name: row.kind for row in found.containers.values()}
    holding = [
        (area.width * area.height, row)
        for row, area in frames.items()
        if box is not None and kinds[row] in {"pool", "lane"} and area.holds(box.center)
    ]
    return min(holding)[1] if holding else None


def _lane_of_neighbour(symbol: Symbol, found: Gathered) -> str | None:
    for line in found.lines:
        if symbol.name in line.ends:
            other = line.ends[symbol.name == line.ends[0]]
            if other in found.lanes:
                return found.lanes[other]
    return None


def _attachment(symbol: Symbol, found: Gathered, assembly: Assembly) -> JsonObject | None:
    """The host of a boundary event. For a closed host, absent from the sketch, also the event's place on the border."""
    host = local(symbol.tag.get("attachedToRef"))
    if symbol.tag.name != _BOUNDARY or (host not in found.symbols and host not in found.containers):
        return None
    said: JsonObject = {"elementId": assembly.name(host)}
    event, activity = found.shown.boxes.get(symbol.name), found.shown.boxes.get(host)
    if host not in found.hidden or event is None or activity is None:  # otherwise the sketch has both
        return said
    side, offset = border_place(activity, event.center)
    return said | {"side": side, "offset": round(offset, OFFSET_DECIMALS)}


def _node(symbol: Symbol, found: Gathered, assembly: Assembly) -> JsonObject:
    tag = symbol.tag
    label = _label(symbol)
    attached = _attachment(symbol, found, assembly)
    if not symbol.form.exact:
        found.losses.formless(
            tag.place, f"the {_kind(symbol)} {quoted(label or symbol.name)} is drawn without its symbol"
        )
    if tag.name == _BOUNDARY and attached is None:
        found.losses.formless(tag.place, f"the boundaryEvent {quoted(label or symbol.name)} has no activity to sit on")
    events = {"events": list(symbol.events)} if len(symbol.events) > 1 else {}
    event = {"event": symbol.event} if symbol.event else {}
    extensions: JsonObject = {"bpmn": {"element": tag.name, **event, **events}}
    if tag.get("cancelActivity") == "false" or tag.get("isInterrupting") == "false":
        extensions["interrupting"] = False
    return {
        "nodeType": symbol.form.node_type,
        "shape": symbol.form.shape,
        "label": label,
        "tooltip": _documentation(tag),
        "attachedTo": attached,
        "extensions": extensions | _marked(symbol.markers),
    }


def _kind(symbol: Symbol) -> str:
    return f"{symbol.event} {symbol.tag.name}".strip()


def _marked(markers: Sequence[str]) -> JsonObject:
    return {"markers": list(markers)} if markers else {}


def _label(symbol: Symbol) -> str:
    tag = symbol.tag
    text = tag.first("text")
    state = tag.first("dataState")
    label = text.text if text is not None else tag.get("name").strip()
    named = state.get("name") if state is not None else ""
    return f"{label}\n[{named}]".strip() if named and not label.endswith(f"[{named}]") else label


def _documentation(tag: Tag) -> str | None:
    said = tag.first("documentation")
    return said.text or None if said is not None else None


def _frame(container: Container, found: Gathered) -> JsonObject:
    upright = container.kind == "pool" and container.name in found.shown.upright
    return {
        "title": container.title,
        "containerType": container.kind,
        "laneDirection": "vertical" if upright else None,
        "tooltip": _documentation(container.tag),
        "extensions": {"bpmn": {"element": container.tag.name}, **_marked(container.markers)}
        if container.is_activity
        else None,
    }


def _add_edge(line: FlowLine, found: Gathered, assembly: Assembly) -> None:
    ends = [found.aliases.get(end, end) if end not in found.symbols else end for end in line.ends]
    missing = [end for end in ends if end not in found.symbols and end not in found.containers]
    if missing:
        if line.tag.name not in _DATA_FLOWS:
            what = f"the {line.tag.name} {quoted(line.name)} is left out, because it ends at {quoted(missing[0] or '')}"
            found.losses.formless(line.tag.place, what)
        return
    source, target = ({"elementId": assembly.name(end)} for end in ends)
    headed = line.tag.name in _DATA_FLOWS or line.tag.get("associationDirection") in _HEADED
    both = line.tag.get("associationDirection") == "Both"
    heads = {"startArrow": "triangle" if both else "none", "endArrow": "triangle"}
    assembly.edge(
        source,
        target,
        line.name,
        identified=True,
        edgeType=_edge_type(line, found),
        label=line.tag.get("name").strip(),
        endpoints=heads if headed else None,
    )


def _edge_type(line: FlowLine, found: Gathered) -> str:
    if line.tag.name == "sequenceFlow" and line.name in found.defaults:
        return "workflow.defaultFlow"
    source = found.symbols.get(line.ends[0])
    branching = source is not None and source.tag.name in GATEWAYS
    if line.tag.first("conditionExpression") is not None and not branching:
        return "workflow.conditionalFlow"
    return _TYPES[line.tag.name]


def _sketch(found: Gathered, homes: Mapping[str, str | None], assembly: Assembly) -> JsonObject | None:
    """The diagrams' boxes of imported elements, without the content of closed subprocesses."""
    bounds = {
        assembly.name(name): _box(box)
        for name, box in found.shown.boxes.items()
        if name in homes and name not in found.hidden
    }
    return {"bounds": bounds} if bounds else None


def _box(box: DrawnBounds) -> JsonObject:
    return {name: round(value, 2) for name, value in box._asdict().items()}


# The front door: an XML text to a document.


ROOT = "definitions"
_HEAD = 20_000  # characters searched for the namespace


def recognizes(text: str) -> bool:
    """Whether a text is XML with BPMN's namespace."""
    head = text[:_HEAD]
    return head.lstrip("\ufeff \t\r\n").startswith("<") and MODEL in head


def read(source: Source, losses: Losses) -> JsonObject:
    """The document of a BPMN file. Raises Unreadable for other XML and for a file without drawable content,
    TooLarge."""
    root = parsed(source.text)
    if root.name != ROOT or root.space != MODEL:
        raise Unreadable(root.place, f"<{ROOT}> in the namespace {MODEL}")
    found = gather(root, _read_diagrams(root), losses)
    has_group = any(found.name_of(tag) in found.shown.boxes for tag in found.groups)
    if not (found.symbols or found.containers or has_group):
        raise Unreadable(root.place, "a process or a collaboration that holds anything")
    if len(found.symbols) + len(found.containers) + len(found.lines) > source.most_elements:
        raise TooLarge(source.most_elements)
    return document_of(found, source, _title(root.get("name"), *(row.get("name") for row in root.all("process"))))


def _title(*names: str) -> str:
    return next((name.strip() for name in names if name.strip()), "")
