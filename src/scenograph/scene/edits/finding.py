"""Look-ups of operations, and their refusals."""

from __future__ import annotations

from scenograph.diagnostics import OP_ID_EXISTS, OP_TARGET_NOT_FOUND, OP_WRONG_KIND
from scenograph.scene.document_index import CONTAINERS
from scenograph.scene.draft import Draft, Refused
from scenograph.scene.fields import Problem
from scenograph.scene.json_values import JsonObject, listed, pointer, shown


def not_found(what: str, name: str, member: str, near: tuple[str, ...] = ()) -> Refused:
    """The refusal for a missing target named by a member of the operation."""
    problem = Problem(pointer(member), OP_TARGET_NOT_FOUND, {"what": what, "id": shown(name)}, None, (name, near))
    return Refused(problem)


def exists_already(what: str, name: str, path: str) -> Refused:
    """The refusal for a taken id."""
    return Refused(Problem(path, OP_ID_EXISTS, {"what": what, "id": shown(name)}))


def wrong_kind(element: JsonObject, rule: str, path: str, allowed: tuple[str, ...] = ()) -> Refused:
    """The refusal for an element of an unsuitable kind."""
    data = {"kind": element.get("kind")} | ({"allowed": list(allowed)} if allowed else {})
    holes = {"id": shown(element.get("id")), "kind": element.get("kind"), "rule": rule}
    return Refused(Problem(path, OP_WRONG_KIND, holes, data))


def target(draft: Draft, op: JsonObject, kinds: tuple[str, ...] = (), member: str = "id") -> JsonObject:
    """The element named by the operation. Raises Refused when missing or of another kind."""
    name = op[member]
    element = draft.elements.get(name)
    if element is None:
        raise not_found("element", name, member, draft.elements.names())
    if kinds and element.get("kind") not in kinds:
        raise wrong_kind(element, f"{op['op']} is for {listed(kinds)}", pointer(member), kinds)
    return element


def container(draft: Draft, op: JsonObject) -> str | None:
    """The container named by `parentId`; None for the top level."""
    name = op.get("parentId")
    if not isinstance(name, str):
        return None
    return str(target(draft, op, tuple(sorted(CONTAINERS)), "parentId")["id"])
