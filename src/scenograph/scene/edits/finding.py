"""How operations find what they are about, and refuse what they cannot find."""

from __future__ import annotations

from scenograph.diagnostics import OP_ID_EXISTS, OP_TARGET_NOT_FOUND, OP_WRONG_KIND
from scenograph.scene.document_index import CONTAINERS
from scenograph.scene.draft import Draft, Refused
from scenograph.scene.fields import Problem
from scenograph.scene.json_values import JsonObject, listed, pointer, shown


def not_found(what: str, name: str, member: str, near: tuple[str, ...] = ()) -> Refused:
    """The refusal that something named by a member of the operation does not exist."""
    problem = Problem(pointer(member), OP_TARGET_NOT_FOUND, {"what": what, "id": shown(name)}, None, (name, near))
    return Refused(problem)


def exists_already(what: str, name: str, path: str) -> Refused:
    """The refusal that an id is taken."""
    return Refused(Problem(path, OP_ID_EXISTS, {"what": what, "id": shown(name)}))


def wrong_kind(element: JsonObject, rule: str, path: str, allowed: tuple[str, ...] = ()) -> Refused:
    """The refusal that an operation does not suit the kind of its element."""
    data = {"kind": element.get("kind")} | ({"allowed": list(allowed)} if allowed else {})
    holes = {"id": shown(element.get("id")), "kind": element.get("kind"), "rule": rule}
    return Refused(Problem(path, OP_WRONG_KIND, holes, data))


def target(draft: Draft, op: JsonObject, kinds: tuple[str, ...] = (), member: str = "id") -> JsonObject:
    """The element that the operation names; refused when there is none or it is of another kind."""
    name = op[member]
    element = draft.elements.get(name)
    if element is None:
        raise not_found("element", name, member, draft.elements.names())
    if kinds and element.get("kind") not in kinds:
        raise wrong_kind(element, f"{op['op']} is for {listed(kinds)}", pointer(member), kinds)
    return element


def container(draft: Draft, op: JsonObject) -> str | None:
    """The container that `parentId` names; None for the top level."""
    name = op.get("parentId")
    if not isinstance(name, str):
        return None
    return str(target(draft, op, tuple(sorted(CONTAINERS)), "parentId")["id"])
