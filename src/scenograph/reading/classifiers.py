"""Classes and their relations, as class diagrams of several tools say them: node and edge types of UML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from scenograph.scene.json_values import JsonObject

_NODE_TYPES = {"interface": "uml.interface", "enumeration": "uml.enum", "enum": "uml.enum"}
_HEADS = frozenset({"<", ">"})


class _Kind(NamedTuple):
    """The edge types of a mark; with `is_whole` the edge leads away from the marked end."""

    solid: str
    dashed: str
    is_whole: bool = False


_KINDS: Mapping[str, _Kind] = MappingProxyType(
    {
        "<|": _Kind("uml.inherits", "uml.implements"),
        "|>": _Kind("uml.inherits", "uml.implements"),
        "*": _Kind("uml.composes", "uml.composes", is_whole=True),
        "o": _Kind("uml.aggregates", "uml.aggregates", is_whole=True),
        "<": _Kind("uml.associates", "uml.depends"),
        ">": _Kind("uml.associates", "uml.depends"),
        "()": _Kind("uml.implements", "uml.implements"),
        "": _Kind("uml.associates", "uml.depends"),
    }
)


def classifier(name: str, stereotypes: Sequence[str], members: Sequence[str]) -> JsonObject:
    """The members of a node: the type by a stereotype (`interface`, `enum`), further stereotypes above the name, and
    attributes, methods (with a parenthesis) or values."""
    known = next((_NODE_TYPES[word.lower()] for word in stereotypes if word.lower() in _NODE_TYPES), "uml.class")
    others = [f"«{word}»" for word in stereotypes if word.lower() not in _NODE_TYPES]
    is_enum = known == "uml.enum"
    rows = {
        "values": list(members) if is_enum else [],
        "attributes": [] if is_enum else [member for member in members if "(" not in member],
        "methods": [] if is_enum else [member for member in members if "(" in member],
    }
    return {
        "nodeType": known,
        "label": "\n".join((*others, name)),
        "extensions": {name: row for name, row in rows.items() if row} or None,
    }


class RelationLook(NamedTuple):
    """The edge of a relation. `is_turned`: the edge leads from the second end to the first. `heads` are differences
    from the type's arrowheads. `lost` is a mark without a form."""

    edge_type: str
    is_turned: bool
    heads: JsonObject | None
    lost: str = ""


def relation(start: str, end: str, *, dashed: bool) -> RelationLook:
    """The edge between the marks of two ends. The edge leads to the marked end, or away from a mark of the whole."""
    both = {start, end} <= _HEADS
    if not both and end in _HEADS and start and _KINDS[start].is_whole:
        return RelationLook(_type(_KINDS[start], dashed=dashed), is_turned=False, heads={"endArrow": "triangle"})
    if not both and start in _HEADS and end and _KINDS[end].is_whole:
        return RelationLook(_type(_KINDS[end], dashed=dashed), is_turned=True, heads={"endArrow": "triangle"})
    mark = end or start
    kind = _KINDS[mark]
    is_turned = bool(mark) and bool(end) == kind.is_whole
    lost = start if start and end and not both else ""
    return RelationLook(_type(kind, dashed=dashed), is_turned, _heads(mark, dashed=dashed, both=both), lost)


def _type(kind: _Kind, *, dashed: bool) -> str:
    return kind.dashed if dashed else kind.solid


def _heads(mark: str, *, dashed: bool, both: bool) -> JsonObject | None:
    """The arrowheads that differ from the type's: an association has none, a dependency has one."""
    if both:
        return {"startArrow": "triangle", "endArrow": "triangle"}
    if mark in _HEADS and not dashed:
        return {"endArrow": "triangle"}
    return {"endArrow": "none"} if dashed and not mark else None
