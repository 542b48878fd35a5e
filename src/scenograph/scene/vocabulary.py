"""The closed vocabulary of documents, and the node and edge types of families. Names only; their meaning is defined by
the engine. (R-FAMILY-1)"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from scenograph.late_dataclasses import dataclass
from scenograph.scene.json_values import JsonObject, member
from scenograph.wire.names import FAMILY_NAMES

SCHEMA_VERSIONS = ("0.1",)
UNITS = ("px",)

DIAGRAM_FAMILIES = FAMILY_NAMES
ALGORITHMS = ("hierarchical", "flow", "grid", "forceDirected")
DIRECTIONS = ("TB", "BT", "LR", "RL")

SHAPES = (
    "rect",
    "roundedRect",
    "ellipse",
    "diamond",
    "cylinder",
    "pill",
    "hexagon",
    "parallelogram",
    "cloud",
    "textBox",
    "iconBox",
    "box3d",
    "tube",
)
ROUTERS = ("straight", "orthogonal", "curved", "polyline")
ARROWS = ("triangle", "diamond", "circle", "bar", "none")
CARDINALITIES = ("one", "many", "zero-or-one", "zero-or-many", "one-or-many")
SIDES = ("top", "right", "bottom", "left")
AXES = ("x", "y")

LAYOUT_MODES = ("absolute", "relative", "auto")
RELATIONS = ("rightOf", "leftOf", "above", "below", "inside")
ALIGNMENTS = ("start", "center", "end")
LINE_JUMPS = ("none", "arc", "gap")
CONTAINER_TYPES = (
    "pool",
    "lane",
    "generic",
    "subprocess",
    "eventSubprocess",
    "transaction",
    "partition",
    "package",
    "boundary",
    "fragment",
    "state",
)
LANE_DIRECTIONS = ("horizontal", "vertical")
FRAGMENT_OPERATORS = ("alt", "opt", "loop", "par", "break", "critical")
NOTE_SIDES = ("left", "right")
MESSAGE_ENDS = ("source", "target")
ACTIVITY_MARKERS = ("loop", "parallel", "sequential", "compensation", "adHoc")
FITS = ("contain", "cover", "stretch")
ORIENTATIONS = ("horizontal", "vertical")
DIMENSIONS = ("width", "height", "both")
IMAGE_TYPES = ("image/png", "image/jpeg", "image/gif", "image/webp")

CORNERS = ("bottomLeft", "bottomRight", "topLeft", "topRight")
ANCHORS = ("top", "right", "bottom", "left", "center")

# Events of BPMN (10.4): definitions by the position of the event in the flow; "" without a definition.
_EVENT_DEFINITIONS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "Start": (
            "",
            "message",
            "timer",
            "conditional",
            "signal",
            "error",
            "escalation",
            "compensation",
            "multiple",
            "parallelMultiple",
        ),
        "Catch": (
            "",
            "message",
            "timer",
            "conditional",
            "link",
            "signal",
            "error",
            "escalation",
            "cancel",
            "compensation",
            "multiple",
            "parallelMultiple",
        ),
        "Throw": ("", "message", "escalation", "compensation", "link", "signal", "multiple"),
        "End": ("", "message", "error", "escalation", "cancel", "compensation", "signal", "terminate", "multiple"),
    }
)
_SHORT_NAMES = MappingProxyType({"terminateEnd": "terminate"})


def event_type(definition: str, position: str) -> str:
    """The node type of an event, by definition and position."""
    name = f"{definition}{position}" if definition else position.lower()
    return f"workflow.{_SHORT_NAMES.get(name, name)}"


EVENT_TYPES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        event_type(definition, position): (definition, position)
        for position, definitions in _EVENT_DEFINITIONS.items()
        for definition in definitions
    }
)
"""Node types of events: definition and position."""

# Node types. The key is the prefix of a family, or of a notation for any family (`uml`, `state`); a type without
# prefix is generic or free text.
GENERIC_NODE_TYPES = (
    "service",
    "database",
    "queue",
    "storage",
    "cache",
    "gateway",
    "external",
    "user",
    "actor",
    "function",
    "topic",
    "bucket",
    "cdn",
    "loadBalancer",
    "client",
    "component",
    "container",
    "note",
)
_FIRST_EVENTS = frozenset(
    {"workflow.start", "workflow.end", "workflow.messageStart", "workflow.messageEnd", "workflow.terminate"}
)
NODE_TYPES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "workflow": (
            "workflow.start",
            "workflow.end",
            "workflow.gateway",
            "workflow.gatewayParallel",
            "workflow.gatewayInclusive",
            "workflow.timer",
            "workflow.error",
            "workflow.task",
            "workflow.subprocess",
            "workflow.decision",
            "workflow.messageStart",
            "workflow.messageEnd",
            "workflow.terminate",
            "workflow.signal",
            "workflow.userTask",
            "workflow.serviceTask",
            "workflow.dataObject",
            "workflow.annotation",
            "workflow.sendTask",
            "workflow.receiveTask",
            "workflow.manualTask",
            "workflow.scriptTask",
            "workflow.businessRuleTask",
            "workflow.callActivity",
            "workflow.transaction",
            "workflow.eventSubprocess",
            "workflow.gatewayEventBased",
            "workflow.gatewayComplex",
            *(name for name in EVENT_TYPES if name not in _FIRST_EVENTS),
        ),
        "er": ("er.entity", "er.weakEntity", "er.attribute", "er.relationship"),
        "sequence": ("sequence.lifeline", "sequence.actor", "sequence.note"),
        "network": (
            "network.router",
            "network.switch",
            "network.firewall",
            "network.server",
            "network.loadBalancer",
            "network.client",
            "network.database",
            "network.accessPoint",
            "network.internet",
            "network.cloud",
            "network.subnet",
        ),
        "org": ("org.person", "org.vacant", "org.department"),
        "uiflow": (
            "uiflow.screen",
            "uiflow.modal",
            "uiflow.entry",
            "uiflow.exit",
            "uiflow.decision",
            "uiflow.phone",
            "uiflow.tablet",
        ),
        "uml": ("uml.class", "uml.interface", "uml.enum"),
        "state": ("state.state", "state.initial", "state.final", "state.choice", "state.fork"),
    }
)
DEFAULT_EDGE_TYPE = "default"
DEFAULT_CONTAINER_TYPE = "generic"
EDGE_TYPES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "workflow": (
            "workflow.sequenceFlow",
            "workflow.messageFlow",
            "workflow.defaultFlow",
            "workflow.conditionalFlow",
            "workflow.association",
        ),
        "er": ("er.identifying", "er.nonIdentifying"),
        "sequence": (
            "sequence.message",
            "sequence.reply",
            "sequence.create",
            "sequence.async",
            "sequence.destroy",
        ),
        "network": ("network.link", "network.wireless", "network.vpn"),
        "org": ("org.reportsTo", "org.dottedLine"),
        "uiflow": ("uiflow.navigate", "uiflow.back", "uiflow.action"),
        "uml": (
            "uml.inherits",
            "uml.implements",
            "uml.composes",
            "uml.aggregates",
            "uml.depends",
            "uml.associates",
        ),
        "state": ("state.transition",),
    }
)

# _FAMILY_TRAITS: the meaning of a diagram family for validation, differences and sync. Drawing belongs to the engine.
# Beside the lists of names in `vocabulary` and the examples, this is the only module of the package to name a family.

NOTE_TYPES = ("sequence.note", "note")
FRAGMENT_TYPE, POOL_TYPE, STATE_TYPE = "fragment", "pool", "state"

# Types by the members that they read.
ENTITY_TYPES = ("er.entity", "er.weakEntity")
CARD_TYPES = NODE_TYPES["org"]
BARRED_TYPES = ("uiflow.modal",)  # their title has the colour that reads on their bar
UNDIRECTED_FRAMES = (POOL_TYPE, "lane")
OUTLINED_FIGURES = ("sequence.actor",)
_ACTIVITY_ENDS = ("task", "Task", "subprocess", "Subprocess", "transaction", "callActivity")
AWAITED_EVENTS = tuple(name for name, (_, position) in EVENT_TYPES.items() if position in {"Start", "Catch"})
ACTIVITIES = tuple(name for name in NODE_TYPES["workflow"] if name.endswith(_ACTIVITY_ENDS))
ACTIVITY_FRAMES = ("subprocess", "eventSubprocess", "transaction")
CLASS_TYPES = NODE_TYPES["uml"]
FIGURES = ("user", "actor", "sequence.actor", "workflow.annotation")
CORNERED_TYPES = frozenset(
    {
        *("service", "external", "cdn", "client", "component", "note"),
        *(name for name in NODE_TYPES["workflow"] if name.endswith(_ACTIVITY_ENDS)),
        *("workflow.dataObject", "er.entity", "er.weakEntity", "sequence.lifeline", "state.state", "state.fork"),
        *("network.switch", "network.firewall", "network.server", "network.subnet"),
        *(*NODE_TYPES["org"], *NODE_TYPES["uml"]),
        *("uiflow.screen", "uiflow.modal", "uiflow.phone", "uiflow.tablet"),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyTraits:
    """A row. `has_loops`: self-loops are common. `is_in_turn`: edges and notes happen in document order. `reached`:
    nodes of the further types are reached from those of the first."""

    has_loops: bool = False
    is_in_turn: bool = False
    reached: tuple[str, tuple[str, ...]] | None = None


_FAMILY_TRAITS: Mapping[object, FamilyTraits] = MappingProxyType(
    {
        "sequence": FamilyTraits(has_loops=True, is_in_turn=True),
        "entityRelationship": FamilyTraits(has_loops=True),  # a table with a reference to itself
        "workflow": FamilyTraits(has_loops=True),  # a task that is repeated
        "uiflow": FamilyTraits(reached=("uiflow.entry", ("uiflow.screen", "uiflow.phone", "uiflow.tablet"))),
    }
)
_ORDINARY = FamilyTraits()


def traits_of(family: object) -> FamilyTraits:
    """The row of a family, or an ordinary row."""
    return _FAMILY_TRAITS.get(family, _ORDINARY) if isinstance(family, str) else _ORDINARY


def is_in_turn(document: object) -> bool:
    """Whether a document's edges and notes happen in document order; the family may also be declared inside `scene`."""
    said = (member(document, "diagramFamily"), member(member(document, "scene"), "diagramFamily"))
    return any(traits_of(family).is_in_turn for family in said)


def takes_a_turn(members: JsonObject) -> bool:
    """Whether an element of a sequence is a message or a note."""
    return members.get("kind") == "edge" or members.get("nodeType") in NOTE_TYPES
