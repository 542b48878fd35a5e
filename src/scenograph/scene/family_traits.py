"""FAMILY_TRAITS: the meaning of a diagram family for validation, differences and sync. Drawing belongs to the engine.
Beside the lists of names in `vocabulary` and the examples, this is the only module of the package to name a family."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from scenograph.late_dataclasses import dataclass
from scenograph.scene.json_values import JsonObject, member
from scenograph.scene.vocabulary import EVENT_TYPES, NODE_TYPES

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


FAMILY_TRAITS: Mapping[object, FamilyTraits] = MappingProxyType(
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
    return FAMILY_TRAITS.get(family, _ORDINARY) if isinstance(family, str) else _ORDINARY


def is_in_turn(document: object) -> bool:
    """Whether a document's edges and notes happen in document order; the family may also be declared inside `scene`."""
    said = (member(document, "diagramFamily"), member(member(document, "scene"), "diagramFamily"))
    return any(traits_of(family).is_in_turn for family in said)


def takes_a_turn(members: JsonObject) -> bool:
    """Whether an element of a sequence is a message or a note."""
    return members.get("kind") == "edge" or members.get("nodeType") in NOTE_TYPES
