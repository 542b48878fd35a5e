"""Copies of elements of another scene (R-OP-23).

In: the documents that the batch names, as `Draft.sources`. An element comes with its content, with what is attached to
it, and with the edges between copied elements; names of styles and pictures, and defaults that the draft lacks, are
carried along. Positions of the other scene mean nothing here: the engine places the copies, in their authored sizes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scenograph.diagnostics import DANGLING_REFERENCE
from scenograph.scene.description.elements import ELEMENT_RECORDS
from scenograph.scene.description.fields import Problem
from scenograph.scene.description.styles import ELEMENT_ID
from scenograph.scene.difference import elements_by_id
from scenograph.scene.document_index import CHILDREN_NAMES, END_NAMES, children_of
from scenograph.scene.edits.draft import ATTACHED, ChildMove, Draft, Edit, Entry, Refused, layout_of
from scenograph.scene.edits.elements import container, exists_already, not_found, refuse_beyond_limit
from scenograph.scene.json_values import (
    JsonObject,
    is_array,
    is_object,
    listed,
    member,
    object_at,
    pointer,
    same,
    shown,
)

MOST_SOURCES = 10  # scenes from which a batch copies
_NAMING = frozenset({"over", "operands", "regions"})  # members of `extensions` with ids in arrays
_SIZES = frozenset({"width", "height"})


def sources_named(ops: tuple[object, ...]) -> tuple[str, ...]:
    """The scenes from which a batch copies, at most MOST_SOURCES."""
    named = (op.get("fromSceneId") for op in ops if is_object(op) and op.get("op") == "copyElements")
    return tuple(dict.fromkeys(name for name in named if isinstance(name, str)))[:MOST_SOURCES]


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
        created.append(_renamed(element, new, names))
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
    refuse_beyond_limit(draft, len(names))


def _with_defaults(element: JsonObject, source: JsonObject, root: JsonObject) -> JsonObject:
    """The element with the defaults of its own scene where the draft's differ."""
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


def _renamed(element: JsonObject, new: str, names: Mapping[str, str]) -> JsonObject:
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
