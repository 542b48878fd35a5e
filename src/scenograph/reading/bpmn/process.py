"""The content of a BPMN file as rows: symbols, containers, flows, each with its container."""

from __future__ import annotations

from collections.abc import Mapping

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.bpmn.interchange import Shown, local
from scenograph.reading.bpmn.vocabulary import (
    ACTIVITIES,
    DATA,
    DATA_FLOWS,
    DEFINED,
    DEFINITIONS_OF_EVENTS,
    EVENT_SUBPROCESS,
    EVENTS,
    FLOWS,
    FRAMES,
    GATEWAYS,
    HOLDING,
    MODEL,
    SHOWN_DATA,
    WITHOUT_SYMBOL,
    Form,
    form_of_event,
)
from scenograph.reading.losses import Losses
from scenograph.reading.markup import Tag
from scenograph.reading.source import shown as quoted

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
        if tag.name.endswith(DEFINITIONS_OF_EVENTS):
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
    elif tag.name in HOLDING and form is not None and any(_is_seen(child, found) for child in tag.children):
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
    elif tag.name not in {*WITHOUT_SYMBOL, "participant"} and not tag.name.endswith("Characteristics"):
        found.losses.formless(tag.place, f"the {tag.name} {quoted(tag.get('name') or name)} is left out")
    return False


def _form(tag: Tag, name: str, found: Gathered) -> tuple[Form | None, str]:
    if tag.name in EVENTS:
        events = _events_of(tag, found)
        together = "parallelMultiple" if tag.get("parallelMultiple") == "true" else "multiple"
        event = events[0] if len(events) == 1 else together if events else ""
        return form_of_event(tag.name, event), event
    if tag.name in HOLDING and tag.get("triggeredByEvent") == "true":
        return EVENT_SUBPROCESS, ""
    shown_data = SHOWN_DATA.get(tag.name) if name in found.shown.boxes else None
    return ACTIVITIES.get(tag.name) or GATEWAYS.get(tag.name) or DATA.get(tag.name) or shown_data, ""


def _defined(definition: Tag) -> str:
    name = definition.name.removesuffix(DEFINITIONS_OF_EVENTS)
    return DEFINED.get(name, name)


def _events_of(tag: Tag, found: Gathered) -> list[str]:
    """An event's definitions, both nested and referenced."""
    own = [_defined(row) for row in tag.children if row.name.endswith(DEFINITIONS_OF_EVENTS)]
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
_UNMARKED_WORDS = {"isCollection": "of a collection", "instantiate": "of what begins a process"}


def _words(tag: Tag, found: Gathered) -> str:
    return tag.get("name") or found.name_of(tag)


def _is_seen(tag: Tag, found: Gathered) -> bool:
    """Whether a child of an activity is drawn as a symbol within it."""
    kinds = (EVENTS, ACTIVITIES, GATEWAYS, DATA)
    return any(tag.name in kind for kind in kinds) or (
        tag.name in SHOWN_DATA and found.name_of(tag) in found.shown.boxes
    )


def _note_activity(tag: Tag, name: str, found: Gathered) -> None:
    """Note an activity's default flow and its data associations."""
    if tag.get("default"):
        found.defaults.add(local(tag.get("default")))
    if tag.name in {"dataObjectReference", "dataStoreReference"}:
        found.aliases.setdefault(local(tag.get("dataObjectRef") or tag.get("dataStoreRef")), name)
    for flow in tag.all(*DATA_FLOWS):
        reads = flow.name == "dataInputAssociation"
        other = flow.first("sourceRef" if reads else "targetRef")
        if other is not None and other.text:
            ends = (local(other.text), name) if reads else (name, local(other.text))
            found.lines.append(FlowLine(found.name_of(flow), flow, ends))
