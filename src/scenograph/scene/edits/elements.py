"""Creating, updating and deleting elements (R-OP-10, R-OP-11, R-OP-12)."""

from __future__ import annotations

from scenograph.diagnostics import CASCADE_DELETED, LIMIT_EXCEEDED
from scenograph.late_dataclasses import replace
from scenograph.scene.document_index import END_NAMES
from scenograph.scene.draft import Draft, Edit, EditMaker, Move, Refused, layout_of
from scenograph.scene.edits.finding import container, exists_already, target, wrong_kind
from scenograph.scene.element_fields import ELEMENT_RECORDS
from scenograph.scene.fields import Problem
from scenograph.scene.json_values import JsonObject, is_array, listed, shown
from scenograph.scene.mentions import ATTACHED, without
from scenograph.scene.merge_patch import merged

_PLACING = frozenset({"mode", "target", "relation", "gap", "align"})


def creates(kind: str) -> EditMaker:
    """createNode and its like: a new element with the operation's members."""

    def create(draft: Draft, op: JsonObject) -> Edit:
        name = op["id"]
        if name in draft.elements:
            raise exists_already("element", name, "/id")
        refuse_beyond_limit(draft)
        own = {key: value for key, value in op.items() if key not in {"op", "parentId", "id", "kind"}}
        element = {"id": name, "kind": kind, **own}
        parent = container(draft, op)
        return Edit(created=(element,), moves=() if parent is None else (Move(name, parent),))

    return create


def refuse_beyond_limit(draft: Draft) -> None:
    """One element more must still fit."""
    most = draft.limits.elements
    if len(draft.elements) >= most:
        holes = {"name": "the document", "count": len(draft.elements) + 1, "what": "elements", "limit": most}
        raise Refused(Problem("", LIMIT_EXCEEDED, holes, {"limit": most}))


def updates(*kinds: str) -> EditMaker:
    """updateNode and its like: a merge patch (RFC 7396) on an element of one of these kinds, or of any."""

    def update(draft: Draft, op: JsonObject) -> Edit:
        element = target(draft, op, kinds)
        if "kind" in op and op["kind"] != element.get("kind"):
            raise wrong_kind(element, "the kind of an element cannot change", "/kind")
        patch = {key: value for key, value in op.items() if key not in {"op", "id", "kind"}}
        return Edit(updated=(patched(element, patch),))

    return update


def patched(element: JsonObject, patch: JsonObject) -> JsonObject:
    """The element after a merge patch; what a member's alias held moves to the member's own name when touched."""
    record = ELEMENT_RECORDS.get(str(element.get("kind")))
    for row in tuple(row for row in record.fields if row.aliases) if record else ():
        names = (row.name, *row.aliases)
        if any(name in patch for name in names):
            element, patch = _renamed(element, names), _renamed(patch, names)
    return merged(element, patch)


def _renamed(members: JsonObject, names: tuple[str, ...]) -> JsonObject:
    found = [name for name in names if name in members]
    if not found or found == [names[0]]:
        return members
    return {key: value for key, value in members.items() if key not in names} | {names[0]: members[found[0]]}


def delete(draft: Draft, op: JsonObject) -> Edit:
    """deleteElement: with what hangs on it, or without looking after anything."""
    element = target(draft, op)
    if op.get("cascade", True) is False:
        return Edit(
            removed=(element["id"],),
            bare=(element["id"],),
            moves=children_move_up(draft, element["id"]),
        )
    return with_cascade(draft, element["id"])


def children_move_up(draft: Draft, name: str) -> tuple[Move, ...]:
    """The children of a container that goes take its place in the container above; at the top level they stand free."""
    parent = draft.parent_of(name)
    if parent is None:
        return tuple(Move(child, None) for child in draft.children_of(name))
    place = draft.children_of(parent).index(name) + 1
    return tuple(Move(child, parent, place + offset) for offset, child in enumerate(draft.children_of(name)))


def with_cascade(draft: Draft, name: str) -> Edit:
    """An element goes with what is attached to it, with its edges, its membership and every mention of it; its children
    move up."""
    attached = [holder for holder, key in draft.mentions.of(name) if key == ATTACHED and holder != name]
    hosts = dict.fromkeys((name, *attached))
    edges = [holder for one in hosts for holder, key in draft.mentions.of(one) if key in END_NAMES]
    gone = tuple(dict.fromkeys((*hosts, *edges)))
    moves = (*children_move_up(draft, name), *(Move(each, None) for each in gone if draft.parent_of(each) is not None))
    cleaned = _cleaned_holders(draft, gone)
    constraints, dropped = _cleaned_constraints(draft, gone)
    edit = Edit(removed=gone, moves=moves, updated=cleaned, constraints=constraints, dropped_constraints=dropped)
    note = _cascade_note(draft, name, edit)
    return edit if note is None else replace(edit, problems=(note,))


def _cleaned_holders(draft: Draft, gone: tuple[str, ...]) -> tuple[JsonObject, ...]:
    """Elements whose layout or extensions name what goes, without it."""
    names = frozenset(gone)
    holders: dict[str, JsonObject] = {}
    for each in gone:
        for holder, key in draft.mentions.of(each):
            element = holders.get(holder) or draft.elements.get(holder)
            if holder in names or element is None:
                continue
            if key == "layout":
                kept = {part: value for part, value in layout_of(element).items() if part not in _PLACING}
                holders[holder] = element | {"layout": {"mode": "auto", **kept}}
            elif key == "extensions":
                holders[holder] = element | {"extensions": _unmentioned(element["extensions"], names)}
    return tuple(holders.values())


def _unmentioned(extensions: JsonObject, names: frozenset[str]) -> JsonObject:
    return {key: without(value, names) if key in {"over", "operands"} else value for key, value in extensions.items()}


def _cleaned_constraints(draft: Draft, gone: tuple[str, ...]) -> tuple[tuple[JsonObject, ...], tuple[str, ...]]:
    """(constraints without the elements that go, constraints that go because nothing is left of them)."""
    names = frozenset(gone)
    holders = dict.fromkeys(holder for each in gone for holder, _ in draft.constraint_mentions.of(each))
    kept: list[JsonObject] = []
    dropped: list[str] = []
    for holder in holders:
        constraint = draft.constraints.get(holder) or {}
        elements = constraint.get("elements")
        left = [each for each in (elements if is_array(elements) else ()) if each not in names]
        if left and constraint.get("container") not in names:
            kept.append(constraint | {"elements": left})
        else:
            dropped.append(holder)
    return tuple(kept), tuple(dropped)


def _cascade_note(draft: Draft, name: str, edit: Edit) -> Problem | None:
    """What else changed, in words and as data; None when nothing did."""
    parent = draft.parent_of(name)
    data = {
        "deletedIds": sorted(edit.removed[1:]),
        "movedUpIds": sorted(draft.children_of(name)),
        "changedIds": sorted({*(element["id"] for element in edit.updated), *((parent,) if parent else ())}),
        "changedConstraintIds": sorted([*(row["id"] for row in edit.constraints), *edit.dropped_constraints]),
    }
    words = (
        ("deletedIds", "its edges and attachments {} were deleted"),
        ("movedUpIds", "its children {} moved up"),
        ("changedIds", "the mention of it in {} was removed"),
        ("changedConstraintIds", "the constraints {} lost it"),
    )
    said = [sentence.format(listed(data[key])) for key, sentence in words if data[key]]
    if not said:
        return None
    return Problem("", CASCADE_DELETED, {"id": shown(name), "what": ", ".join(said)}, data)
