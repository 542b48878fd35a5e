"""Groups and containers (R-OP-16)."""

from __future__ import annotations

from scenograph.diagnostics import INVALID_VALUE, OUT_OF_RANGE
from scenograph.scene.draft import Draft, Edit, Move, Refused
from scenograph.scene.edits.elements import refuse_beyond_limit, with_cascade
from scenograph.scene.edits.finding import container, exists_already, target
from scenograph.scene.fields import Problem
from scenograph.scene.json_values import JsonObject
from scenograph.scene.nesting import ancestors


def group(draft: Draft, op: JsonObject) -> Edit:
    """groupElements: a new group that takes the place of its children in the nearest container they share."""
    name, children = op["id"], op["children"]
    if name in draft.elements:
        raise exists_already("element", name, "/id")
    refuse_beyond_limit(draft)
    own = {key: value for key, value in op.items() if key not in {"op", "id", "kind", "children"}}
    parent = _shared_parent(draft, children)
    place = _first_place(draft, parent, children)
    joined = tuple(Move(child, name) for child in children)
    settled = () if parent is None else (Move(name, parent, place),)
    return Edit(created=({"id": name, "kind": "group", "children": [], **own},), moves=(*joined, *settled))


def _shared_parent(draft: Draft, children: list[str]) -> str | None:
    """The innermost container that holds them all; None for the top level."""
    ways = [dict.fromkeys(ancestors(child, draft.parent_of)) for child in children]
    for candidate in ways[0] if ways else ():
        if all(candidate in way for way in ways):
            return candidate
    return None


def _first_place(draft: Draft, parent: str | None, children: list[str]) -> int | None:
    """Where the first of the children stood in the container; None for the end."""
    if parent is None:
        return None
    wanted = frozenset(children)
    return next((index for index, child in enumerate(draft.children_of(parent)) if child in wanted), None)


def ungroup(draft: Draft, op: JsonObject) -> Edit:
    """ungroupElements: the group goes, its children take its place."""
    return with_cascade(draft, target(draft, op, ("group",))["id"])


def reparent(draft: Draft, op: JsonObject) -> Edit:
    """reparentElement: into a container, to a place among its children, or to the top level."""
    element = target(draft, op)
    parent, index = container(draft, op), op.get("index")
    if index is None:
        return Edit(moves=(Move(element["id"], parent),))
    if parent is None:
        holes = {"given": str(index), "expected": "left out at the top level, which has no order of its own"}
        raise Refused(Problem("/index", INVALID_VALUE, holes))
    others = [child for child in draft.children_of(parent) if child != element["id"]]
    if index > len(others):
        holes = {"expected": f"from 0 to {len(others)}", "given": str(index)}
        raise Refused(Problem("/index", OUT_OF_RANGE, holes, {"min": 0, "max": len(others)}))
    return Edit(moves=(Move(element["id"], parent, int(index)),))
