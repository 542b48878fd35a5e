"""FAMILY_TRAITS: what a diagram family means to validation, differences and sync. How it is drawn is the engine's.

Nothing else in this room names a family, but for the lists of names in `vocabulary` and the examples.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from scenograph.late_dataclasses import dataclass
from scenograph.scene.json_values import JsonObject, member

NOTE_TYPES = ("sequence.note", "note")
FRAGMENT_TYPE = "fragment"


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyTraits:
    """One row. `has_loops`: an edge from an element to itself is nothing unusual; `is_in_turn`: edges and notes happen
    in the order of the document; `reached`: nodes of the second type are reached from those of the first."""

    has_loops: bool = False
    is_in_turn: bool = False
    reached: tuple[str, str] | None = None


FAMILY_TRAITS: Mapping[object, FamilyTraits] = MappingProxyType(
    {
        "sequence": FamilyTraits(has_loops=True, is_in_turn=True),
        "entityRelationship": FamilyTraits(has_loops=True),  # a table that refers to itself
        "workflow": FamilyTraits(has_loops=True),  # a task that is repeated
        "uiflow": FamilyTraits(reached=("uiflow.entry", "uiflow.screen")),
    }
)
_ORDINARY = FamilyTraits()


def traits_of(family: object) -> FamilyTraits:
    """The row of a family; an ordinary one for every other value."""
    return FAMILY_TRAITS.get(family, _ORDINARY) if isinstance(family, str) else _ORDINARY


def is_in_turn(document: object) -> bool:
    """Whether edges and notes of a document happen in its order; the family may stand where it is read as well."""
    said = (member(document, "diagramFamily"), member(member(document, "scene"), "diagramFamily"))
    return any(traits_of(family).is_in_turn for family in said)


def takes_a_turn(members: JsonObject) -> bool:
    """Whether an element of such a document happens: a message or a note."""
    return members.get("kind") == "edge" or members.get("nodeType") in NOTE_TYPES
