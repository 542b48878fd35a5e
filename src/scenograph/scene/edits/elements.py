"""Creating, updating, deleting and copying elements (R-OP-10, R-OP-11, R-OP-12, R-OP-23)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from scenograph.diagnostics import (
    CASCADE_DELETED,
    DANGLING_REFERENCE,
    INVALID_VALUE,
    LIMIT_EXCEEDED,
    OP_ID_EXISTS,
    OP_TARGET_NOT_FOUND,
    OP_WRONG_KIND,
    OUT_OF_RANGE,
)
from scenograph.late_dataclasses import replace
from scenograph.scene.description.elements import ELEMENT_ID, ELEMENT_RECORDS
from scenograph.scene.description.fields import Problem
from scenograph.scene.difference import elements_by_id
from scenograph.scene.document_index import CHILDREN_NAMES, CONTAINERS, END_NAMES, ancestors, children_of
from scenograph.scene.edits.draft import (
    ATTACHED,
    ChildMove,
    Draft,
    Edit,
    EditMaker,
    Entry,
    OrderMove,
    Refused,
    layout_of,
    without,
)
from scenograph.scene.json_values import (
    JsonObject,
    is_array,
    is_object,
    listed,
    member,
    merge_patch,
    merged,
    object_at,
    pointer,
    same,
    shown,
)

# Look-ups of operations, and their refusals.


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


# Creating, updating and deleting elements (R-OP-10, R-OP-11, R-OP-12).


SIDES = ("after", "before")
_PLACING = frozenset({"mode", "target", "relation", "gap", "align"})


def creates(kind: str) -> EditMaker:
    """createNode and similar: a new element with the operation's members."""

    def create(draft: Draft, op: JsonObject) -> Edit:
        name = op["id"]
        if name in draft.elements:
            raise exists_already("element", name, "/id")
        _refuse_beyond_limit(draft)
        own = {key: value for key, value in op.items() if key not in {"op", "parentId", "id", "kind", *SIDES}}
        element = {"id": name, "kind": kind, **own}
        parent, ordered = container(draft, op), _ordered(draft, op)
        place = None if parent is None else _place_beside(draft, parent, ordered)
        moves = () if parent is None else (ChildMove(name, parent, place),)
        return Edit(created=(element,), moves=moves, ordered=ordered)

    return create


def reorder(draft: Draft, op: JsonObject) -> Edit:
    """reorderElement: to another place in `elements`, and beside a sibling in their container's list too."""
    name, ordered = target(draft, op)["id"], _ordered(draft, op)
    parent = draft.parent_of(name)
    place = None if parent is None else _place_beside(draft, parent, ordered)
    moves = () if parent is None or place is None else (ChildMove(name, parent, place),)
    return Edit(moves=moves, ordered=ordered)


def _ordered(draft: Draft, op: JsonObject) -> tuple[OrderMove, ...]:
    """The place in `elements` that the operation names. Raises Refused for a missing neighbour, or itself."""
    side = next((side for side in SIDES if side in op), None)
    if side is None:
        return ()
    neighbour = op[side]
    if neighbour == op["id"]:
        raise Refused(Problem(pointer(side), INVALID_VALUE, {"given": shown(neighbour), "expected": "another element"}))
    return (OrderMove(op["id"], str(target(draft, op, member=side)["id"]), side == SIDES[0]),)


def _place_beside(draft: Draft, parent: str, ordered: tuple[OrderMove, ...]) -> int | None:
    """The index in the container beside a neighbour among its children; None for a neighbour elsewhere."""
    for name, neighbour, after in ordered:
        others = [child for child in draft.children_of(parent) if child != name]
        if neighbour in others:
            return others.index(neighbour) + after
    return None


def _refuse_beyond_limit(draft: Draft, more: int = 1) -> None:
    """Raises Refused when so many more elements are beyond the limit."""
    most = draft.limits.elements
    if len(draft.elements) + more > most:
        holes = {"name": "the document", "count": len(draft.elements) + more, "what": "elements", "limit": most}
        raise Refused(Problem("", LIMIT_EXCEEDED, holes, {"limit": most}))


def updates(*kinds: str) -> EditMaker:
    """updateNode and similar: a merge patch (RFC 7396) on an element of these kinds; any kind if none is given."""

    def update(draft: Draft, op: JsonObject) -> Edit:
        element = target(draft, op, kinds)
        if "kind" in op and op["kind"] != element.get("kind"):
            raise wrong_kind(element, "the kind of an element cannot change", "/kind")
        patch = {key: value for key, value in op.items() if key not in {"op", "id", "kind"}}
        return Edit(updated=(patched(element, patch),))

    return update


def patched(element: JsonObject, patch: JsonObject) -> JsonObject:
    """The element after a merge patch; a patched alias moves to the member's own name."""
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
    """deleteElement: with dependents, or bare."""
    element = target(draft, op)
    if op.get("cascade", True) is False:
        return Edit(
            removed=(element["id"],),
            bare=(element["id"],),
            moves=_children_move_up(draft, element["id"]),
        )
    return _with_cascade(draft, element["id"])


def _children_move_up(draft: Draft, name: str) -> tuple[ChildMove, ...]:
    """The children of a removed container take its place in the container above; at the top level they become free."""
    parent = draft.parent_of(name)
    if parent is None:
        return tuple(ChildMove(child, None) for child in draft.children_of(name))
    place = draft.children_of(parent).index(name) + 1
    return tuple(ChildMove(child, parent, place + offset) for offset, child in enumerate(draft.children_of(name)))


def _with_cascade(draft: Draft, name: str) -> Edit:
    """Remove an element with attachments, edges, membership and all references; children move up."""
    attached = [holder for holder, key in draft.mentions.of(name) if key == ATTACHED and holder != name]
    hosts = dict.fromkeys((name, *attached))
    edges = [holder for one in hosts for holder, key in draft.mentions.of(one) if key in END_NAMES]
    gone = tuple(dict.fromkeys((*hosts, *edges)))
    moves = (
        *_children_move_up(draft, name),
        *(ChildMove(each, None) for each in gone if draft.parent_of(each) is not None),
    )
    cleaned = _cleaned_holders(draft, gone)
    constraints, dropped = _cleaned_constraints(draft, gone)
    edit = Edit(removed=gone, moves=moves, updated=cleaned, constraints=constraints, dropped_constraints=dropped)
    note = _cascade_note(draft, name, edit)
    return edit if note is None else replace(edit, problems=(note,))


def _cleaned_holders(draft: Draft, gone: tuple[str, ...]) -> tuple[JsonObject, ...]:
    """Holders of references to removed elements in layouts or extensions, without the references."""
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
    """(constraints without the removed elements, constraints removed for lack of elements)."""
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
    """The side effects, in words and as data; None without any."""
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


# Styles and texts of elements (R-OP-15).


# The member written by setText, by kind.
_TEXT_MEMBERS: Mapping[str, str] = MappingProxyType(
    {"node": "label", "edge": "label", "group": "label", "frame": "title", "text": "content"}
)


def set_style(draft: Draft, op: JsonObject) -> Edit:
    """setStyle: `styleId` replaces the style by a reference, `style` merges into it (null removes)."""
    element = target(draft, op)
    if "styleId" in op:
        return Edit(updated=(element | {"style": op["styleId"]},))
    style = element.get("style")
    if isinstance(style, str) and is_object(op["style"]):
        style = object_at(draft.root, "styles").get(style)
    style = merge_patch(style, op["style"])
    rest = {name: value for name, value in element.items() if name != "style"}
    return Edit(updated=(rest | {"style": style} if style else rest,))


def set_text(draft: Draft, op: JsonObject) -> Edit:
    """setText: the label, the title or the content, by kind."""
    element = target(draft, op, tuple(_TEXT_MEMBERS))
    return Edit(updated=(patched(element, {_TEXT_MEMBERS[element["kind"]]: op["text"]}),))


# Groups and containers (R-OP-16).


def group(draft: Draft, op: JsonObject) -> Edit:
    """groupElements: a new group in place of its children, in their nearest common container."""
    name, children = op["id"], op["children"]
    if name in draft.elements:
        raise exists_already("element", name, "/id")
    _refuse_beyond_limit(draft)
    own = {key: value for key, value in op.items() if key not in {"op", "id", "kind", "children"}}
    parent = _shared_parent(draft, children)
    place = _first_place(draft, parent, children)
    joined = tuple(ChildMove(child, name) for child in children)
    settled = () if parent is None else (ChildMove(name, parent, place),)
    return Edit(created=({"id": name, "kind": "group", "children": [], **own},), moves=(*joined, *settled))


def _shared_parent(draft: Draft, children: list[str]) -> str | None:
    """The innermost common container; None for the top level."""
    ways = [dict.fromkeys(ancestors(child, draft.parent_of)) for child in children]
    for candidate in ways[0] if ways else ():
        if all(candidate in way for way in ways):
            return candidate
    return None


def _first_place(draft: Draft, parent: str | None, children: list[str]) -> int | None:
    """The index of the first child in the container; None for the end."""
    if parent is None:
        return None
    wanted = frozenset(children)
    return next((index for index, child in enumerate(draft.children_of(parent)) if child in wanted), None)


def ungroup(draft: Draft, op: JsonObject) -> Edit:
    """ungroupElements: the children take the group's place."""
    return _with_cascade(draft, target(draft, op, ("group",))["id"])


def reparent(draft: Draft, op: JsonObject) -> Edit:
    """reparentElement: into a container, at an index among its children, or to the top level."""
    element = target(draft, op)
    parent, index = container(draft, op), op.get("index")
    if index is None:
        return Edit(moves=(ChildMove(element["id"], parent),))
    if parent is None:
        holes = {"given": str(index), "expected": "left out at the top level, which has no order of its own"}
        raise Refused(Problem("/index", INVALID_VALUE, holes))
    others = [child for child in draft.children_of(parent) if child != element["id"]]
    if index > len(others):
        holes = {"expected": f"from 0 to {len(others)}", "given": str(index)}
        raise Refused(Problem("/index", OUT_OF_RANGE, holes, {"min": 0, "max": len(others)}))
    return Edit(moves=(ChildMove(element["id"], parent, int(index)),))


# Copies of elements of another scene (R-OP-23).
#
# In: the documents that the batch names, as `Draft.sources`. An element comes with its content, with what is attached
# to it, and with the edges between copied elements; names of styles and pictures, and defaults that the draft lacks,
# are carried along. Positions of the other scene mean nothing here: the engine places the copies, in their authored
# sizes.

_MOST_SOURCES = 10  # scenes from which a batch copies
_NAMING = frozenset({"over", "operands", "regions"})  # members of `extensions` with ids in arrays
_SIZES = frozenset({"width", "height"})


def sources_named(ops: tuple[object, ...]) -> tuple[str, ...]:
    """The scenes from which a batch copies, at most _MOST_SOURCES."""
    named = (op.get("fromSceneId") for op in ops if is_object(op) and op.get("op") == "copyElements")
    return tuple(dict.fromkeys(name for name in named if isinstance(name, str)))[:_MOST_SOURCES]


def copy_elements(draft: Draft, op: JsonObject) -> Edit:
    """copyElements: new elements with the members of the others, under ids with a prefix."""
    source = draft.sources.get(op["fromSceneId"])
    if source is None:
        raise not_found("scene", op["fromSceneId"], "fromSceneId")
    known = draft.indexes.get(op["fromSceneId"])
    if known is None:
        known = draft.indexes[op["fromSceneId"]] = _Source(source)
    rows = known.rows
    taken = _with_company(known, op)
    names = {name: f"{op.get('prefix', '')}{name}" for name in sorted(taken, key=known.order.__getitem__)}
    _refuse_names(draft, names)
    entries: dict[tuple[str, str], Entry] = {}
    created: list[JsonObject] = []
    for name, new in names.items():
        element = _with_defaults(rows[name], source, draft.root)
        element, needed = _with_entries(element, source, draft, op)
        entries |= {(entry.registry, entry.name): entry for entry in needed}
        created.append(_copied(element, new, names))
    parent = container(draft, op)
    held = {child for name in names for _, child in children_of(rows[name])}
    free = [new for name, new in names.items() if name not in held and rows[name].get("kind") != "edge"]
    moves = () if parent is None else tuple(ChildMove(new, parent) for new in free)
    return Edit(created=tuple(created), moves=moves, entries=tuple(entries.values()))


class _Source:
    """The elements of a scene by id, their order, and by host or end the ids of attached elements and of edges."""

    def __init__(self, document: JsonObject) -> None:
        self.rows = elements_by_id(document)
        self.order = {name: number for number, name in enumerate(self.rows)}
        self.attached: dict[str, list[str]] = {}
        self.edges: dict[str, list[str]] = {}
        for name, row in self.rows.items():
            host = member(row, ATTACHED, "elementId")
            if isinstance(host, str):
                self.attached.setdefault(host, []).append(name)
            for end in _ends(row):
                self.edges.setdefault(end, []).append(name)


def _with_company(source: _Source, op: JsonObject) -> set[str]:
    """The named elements, their content and attachments, and the edges between all of these. Raises Refused for an
    unknown element, and for an edge with an end that stays behind."""
    rows, taken = source.rows, set[str]()
    waiting: list[str] = []
    for index, name in enumerate(op["ids"]):
        if name not in rows:
            raise Refused(*(p._replace(path=pointer("ids", index)) for p in _unknown(name, op, rows).problems))
        waiting.append(name)
    while waiting:
        name = waiting.pop()
        if name in rows and name not in taken:
            taken.add(name)
            waiting += [*(child for _, child in children_of(rows[name])), *source.attached.get(name, ())]
    near = {edge for name in taken for edge in source.edges.get(name, ())} | taken
    for name in sorted(near, key=source.order.__getitem__):
        ends = [*_ends(rows[name])]
        left = [end for end in ends if end not in taken]
        if ends and not left:
            taken.add(name)
        elif name in taken and left:
            holes = {"id": f"{shown(left[0])}, which is not copied,", "references": listed([name])}
            raise Refused(Problem("/ids", DANGLING_REFERENCE, holes, {"references": [name]}))
    return taken


def _unknown(name: str, op: JsonObject, rows: Mapping[str, JsonObject]) -> Refused:
    return not_found(f"element of the scene {shown(op['fromSceneId'])}", name, "ids", tuple(rows))


def _ends(row: JsonObject) -> Iterator[str]:
    for end in END_NAMES if row.get("kind") == "edge" else ():
        name = member(row, end, "elementId")
        if isinstance(name, str):
            yield name


def _refuse_names(draft: Draft, names: Mapping[str, str]) -> None:
    """Raises Refused for taken and impossible ids, and beyond the limit of elements."""
    for new in names.values():
        if new in draft.elements:
            raise exists_already("element", new, "/prefix")
        problems = ELEMENT_ID.check(new, draft.limits)
        if problems:
            raise Refused(*(problem._replace(path="/prefix") for problem in problems))
    _refuse_beyond_limit(draft, len(names))


def _with_defaults(element: JsonObject, source: JsonObject, root: JsonObject) -> JsonObject:
    """The element with the source scene's defaults written in, if unlike the draft's."""
    kind = str(element.get("kind"))
    theirs, ours = (object_at(document, "defaults", kind) for document in (source, root))
    record = ELEMENT_RECORDS.get(kind)
    added: dict[str, Any] = {}
    for name, value in theirs.items():
        if record is None or name not in record.members or same(value, ours.get(name)):
            continue
        own = element.get(name)
        if own is None:
            added[name] = value
        elif is_object(own) and is_object(value):
            added[name] = {**value, **own}
    return {**element, **added}


def _with_entries(
    element: JsonObject, source: JsonObject, draft: Draft, op: JsonObject
) -> tuple[JsonObject, list[Entry]]:
    """The element with its style and picture as the draft names them, and the entries that the draft lacks. A style
    whose name means another here is written out."""
    entries: list[Entry] = []
    style, asset = element.get("style"), element.get("assetId")
    if isinstance(style, str) and style in object_at(source, "styles"):
        value, known = object_at(source, "styles")[style], object_at(draft.root, "styles").get(style)
        if known is None:
            entries.append(Entry("styles", style, value))
        elif not same(known, value):
            element = {**element, "style": value}
    if isinstance(asset, str) and asset in object_at(source, "assets"):
        value, assets = object_at(source, "assets")[asset], object_at(draft.root, "assets")
        name = asset if same(assets.get(asset, value), value) else f"{op.get('prefix', '')}{asset}"
        if not same(assets.get(name, value), value):
            raise exists_already("picture", name, "/prefix")
        element = {**element, "assetId": name}
        entries += [] if name in assets else [Entry("assets", name, value)]
    return element, entries


def _copied(element: JsonObject, new: str, names: Mapping[str, str]) -> JsonObject:
    """The element under its new id, with the new ids of others; mentions of elements left behind are dropped."""
    row: dict[str, Any] = {**element, "id": new}
    for name in (name for name in CHILDREN_NAMES if is_array(row.get(name))):
        row[name] = [names[child] for child in row[name] if child in names]
    for end in (*END_NAMES, ATTACHED):
        old = member(element, end, "elementId")
        if isinstance(old, str):
            row[end] = {**object_at(element, end), "elementId": names.get(old, old)}
    if "layout" in row:
        row["layout"] = _placed(element, names)
    if "extensions" in row:
        given = object_at(element, "extensions").items()
        row["extensions"] = {key: _mapped(value, names) if key in _NAMING else value for key, value in given}
    return row


def _placed(row: JsonObject, names: Mapping[str, str]) -> JsonObject:
    layout = layout_of(row)
    if layout.get("mode") == "relative" and layout.get("target") in names:
        return {**layout, "target": names[layout["target"]]}
    return {"mode": "auto", **{name: value for name, value in layout.items() if name in _SIZES}}


def _mapped(value: object, names: Mapping[str, str]) -> object:
    if is_object(value):
        return {key: _mapped(inner, names) for key, inner in value.items()}
    if is_array(value):
        known = (item for item in value if not isinstance(item, str) or item in names)
        return [names[item] if isinstance(item, str) else _mapped(item, names) for item in known]
    return value
