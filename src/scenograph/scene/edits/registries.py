"""Data beside the elements: constraints, styles, assets, and the scene's own members (R-OP-17, R-OP-18)."""

from __future__ import annotations

from collections.abc import Iterator

from scenograph.diagnostics import LIMIT_EXCEEDED
from scenograph.scene.description.document import CONSTRAINT, DOCUMENT, ROOT_FIELDS, SCENE
from scenograph.scene.description.fields import Problem, Problems
from scenograph.scene.edits.draft import REMOVED, Draft, Edit, EditMaker, Entry, Refused
from scenograph.scene.edits.elements import exists_already, not_found
from scenograph.scene.json_values import JsonObject, merge_patch, merged, object_at, steps_of, weight

SCENE_MEMBERS = ("title", "showTitle", "canvas", "extensions")
"""The members of updateScene kept inside `scene`; all others stand at the root."""

ROOT_NAMES = tuple(row.name for row in ROOT_FIELDS)


def add_constraint(draft: Draft, op: JsonObject) -> Edit:
    """addConstraint."""
    constraint = op["constraint"]
    if constraint["id"] in draft.constraints:
        raise exists_already("constraint", constraint["id"], "/constraint/id")
    most = draft.limits.constraints
    if len(draft.constraints) >= most:
        holes = {"name": "the document", "count": len(draft.constraints) + 1, "what": "constraints", "limit": most}
        raise Refused(Problem("", LIMIT_EXCEEDED, holes, {"limit": most}))
    return Edit(constraints=(constraint,))


def update_constraint(draft: Draft, op: JsonObject) -> Edit:
    """updateConstraint: a merge patch."""
    constraint = _constraint(draft, op)
    patch = {name: value for name, value in op.items() if name not in {"op", "id"}}
    patched = merged(constraint, patch)
    draft.spend(weight(patched))
    return Edit(constraints=(patched,), problems=tuple(_seen_from(op, CONSTRAINT.check(patched, draft.limits))))


def _seen_from(op: JsonObject, problems: Problems) -> Iterator[Problem]:
    """Problems of the patched constraint, at the operation's member if present; conflicts with another type are
    reported at the new type."""
    for problem in problems:
        said = steps_of(problem.path)[:1]
        yield problem if said and said[0] in op else problem._replace(path="/type" if "type" in op else "")


def remove_constraint(draft: Draft, op: JsonObject) -> Edit:
    """removeConstraint."""
    return Edit(dropped_constraints=(_constraint(draft, op)["id"],))


def _constraint(draft: Draft, op: JsonObject) -> JsonObject:
    constraint = draft.constraints.get(op["id"])
    if constraint is None:
        raise not_found("constraint", op["id"], "id", draft.constraints.names())
    return constraint


def defines(registry: str, key: str, entry: str) -> EditMaker:
    """defineStyle, defineAsset: a new or replaced entry of a root registry."""

    def define(_draft: Draft, op: JsonObject) -> Edit:
        return Edit(entries=(Entry(registry, op[key], op[entry]),))

    return define


def removes(registry: str, key: str) -> EditMaker:
    """removeStyle, removeAsset: remove an entry of a root registry; remaining uses are dangling references."""

    def remove(draft: Draft, op: JsonObject) -> Edit:
        entries = object_at(draft.root, registry)
        if op[key] not in entries:
            raise not_found(registry.removesuffix("s"), op[key], key, tuple(entries))
        return Edit(entries=(Entry(registry, op[key], REMOVED),))

    return remove


def update_scene(draft: Draft, op: JsonObject) -> Edit:
    """updateScene: a merge patch on the scene's members and on the outer fields, which move to the root."""
    scene = object_at(draft.root, "scene")
    inner = merged(dict(scene), {name: op[name] for name in SCENE_MEMBERS if name in op})
    root: dict[str, object] = {}
    for name in ROOT_NAMES:
        if name in op:
            value = merge_patch(draft.root.get(name, inner.pop(name, None)), op[name])
            inner.pop(name, None)
            root[name] = REMOVED if op[name] is None else value
    draft.spend(sum(weight(inner.get(name)) + weight(root.get(name)) for name in op))
    problems = _problems(op, inner, root, draft)
    return Edit(root={**root, "scene": inner}, problems=problems)


def _problems(op: JsonObject, inner: JsonObject, root: JsonObject, draft: Draft) -> Problems:
    """Problems of the touched members, and of forbidden removals."""
    found: list[Problem] = []
    for name, value in (inner | root).items():
        if name in op and value is not REMOVED:
            members = SCENE.members if name in SCENE.members else DOCUMENT.members
            problems = members[name].type.check(value, draft.limits)
            found.extend(problem.under(name) for problem in problems)
    found.extend(problem for problem in SCENE.broken_conditions(inner) if problem.path.lstrip("/") in op)
    return found
