"""The operations that bring a document to its source (R-SYNC-1, R-SYNC-3).

In: the stored document, the document of the source, and whether the whole source was understood. Out: operations, and
remarks. Elements are identified by `metadata.source`. A known element follows its source only in the source's members:
label, type, columns, ends, parent. Place, style, icon, notes and people's additions stay. Values written in by
normalizing are not taken for removals by the source.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Hashable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

from scenograph.diagnostics import SYNC_KEPT, SYNC_RENAME, Diagnostic, Report
from scenograph.late_dataclasses import dataclass, field
from scenograph.scene.defaults import Defaults
from scenograph.scene.description.elements import ELEMENT_RECORDS
from scenograph.scene.document_index import ancestors
from scenograph.scene.edits.draft import ATTACHED
from scenograph.scene.json_values import JsonObject, is_array, is_object, member, object_at, same
from scenograph.scene.vocabulary import DEFAULT_EDGE_TYPE, NOTE_TYPES, is_in_turn, takes_a_turn

# Renamed elements of a source. Tables match by equal columns, steps by equal labels. A match is certain if no other
# element of the source looks alike; a match of most columns is proposed.


_LEAST_COLUMNS = 2  # a table with a single column looks like many other tables
ALIKE = 0.6  # the share of equal columns for a proposal
MOST_COMPARED = 200  # elements on either side searched for proposals


class Rename(NamedTuple):
    """A removed element, its possible successor, and whether the match is certain."""

    gone: JsonObject
    fresh: JsonObject
    certain: bool


def renames(gone: Sequence[JsonObject], fresh: Sequence[JsonObject], all_new: Sequence[JsonObject]) -> Iterator[Rename]:
    """Renames among all elements except edges, certain ones first. `all_new` is the whole source."""
    wanted = [element for element in fresh if element["kind"] != "edge"]
    left = [element for element in gone if element["kind"] != "edge"]
    marks = Counter(_mark(element) for element in all_new)
    old_marks = Counter(_mark(element) for element in left)
    by_mark = {_mark(element): element for element in left}
    certain: list[str] = []
    for element in wanted:
        mark = _mark(element)
        if mark is not None and marks[mark] == 1 and old_marks[mark] == 1:
            found = by_mark[mark]
            certain += [element["id"], found["id"]]
            yield Rename(found, element, certain=True)
    yield from _proposals(
        [element for element in left if element["id"] not in certain][:MOST_COMPARED],
        [element for element in wanted if element["id"] not in certain][:MOST_COMPARED],
    )


def _mark(element: JsonObject) -> Hashable:
    """The identity of an element apart from the name; None without further identity."""
    columns = _columns(element)
    if columns:
        return ("columns", element["kind"], tuple(sorted(columns))) if len(columns) >= _LEAST_COLUMNS else None
    label = element.get("label") or element.get("title") or element.get("content")
    name = member(element, "metadata", "source", "id")
    if not label or label == name:
        return None
    return ("label", element["kind"], label, element.get("nodeType"), element.get("shape"))


def _columns(element: JsonObject) -> set[tuple[str, str]]:
    rows = member(element, "extensions", "columns")
    return (
        {(str(row.get("name")), str(row.get("type", ""))) for row in rows if is_object(row)}
        if is_array(rows)
        else set()
    )


def _proposals(gone: Sequence[JsonObject], fresh: Sequence[JsonObject]) -> Iterator[Rename]:
    """Pairs of tables with mostly equal columns, each table in a single pair."""
    taken: set[str] = set()
    for element in fresh:
        columns = _columns(element)
        ranked = [(_likeness(columns, _columns(one)), one) for one in gone if one["id"] not in taken]
        likeness, best = max(ranked, key=lambda row: row[0], default=(0.0, element))
        if likeness >= ALIKE:
            taken.add(best["id"])
            yield Rename(best, element, certain=False)


def _likeness(one: set[tuple[str, str]], other: set[tuple[str, str]]) -> float:
    return len(one & other) / len(one | other) if one and other else 0.0


# The order of a sequence diagram with a source: participants from left to right, messages and notes in time. In: the
# stored elements, the source's order, the operations of a sync. Out: operations that establish the order. People's
# additions stay behind their predecessors. From the first misplaced element on, all elements are removed and created
# again in order: references to them survive, because they return under their ids.


_FIRST = ("defineStyle", "createFrame")


def in_turn(stored: Sequence[JsonObject], said: Sequence[JsonObject], ops: Sequence[JsonObject]) -> list[JsonObject]:
    """The operations, ordered and completed. `said` are the source's elements, with the ids of the stored document."""
    gone = {op["id"] for op in ops if op["op"] == "deleteElement"}
    result = list(ops)
    for counts in (_is_participant, takes_a_turn):
        present = {one["id"]: one for one in stored if counts(one) and one["id"] not in gone}
        result = _ordered(present, [one["id"] for one in said if counts(one)], result, counts)
    return result


def _ordered(
    present: dict[str, JsonObject],
    wanted: Sequence[str],
    ops: Sequence[JsonObject],
    counts: Callable[[JsonObject], bool],
) -> list[JsonObject]:
    created = {op["id"]: op for op in ops if op["op"] in _KINDS and counts({**op, "kind": _KINDS[op["op"]]})}
    target = _target([*present], wanted)
    reached = [*present, *created]
    wrong = next((at for at, names in enumerate(zip(reached, target, strict=True)) if names[0] != names[1]), None)
    if wrong is None:
        return list(ops)
    turned = target[wrong:]
    behind = [op for op in ops if op["op"] not in _FIRST and op.get("id") not in created]
    first = [op for op in ops if op["op"] in _FIRST or (op.get("id") in created and op["id"] not in turned)]
    removals = [{"op": "deleteElement", "id": name, "cascade": False} for name in turned if name in present]
    anew = [created[name] if name in created else _creation(present[name]) for name in turned]
    return [*first, *removals, *anew, *behind]


def _target(present: Sequence[str], wanted: Sequence[str]) -> list[str]:
    """The wanted elements in order; any further element stays behind the predecessor."""
    followers: dict[str | None, list[str]] = {None: []}
    said, last = set(wanted), None
    for name in present:
        if name in said:
            last = name
        else:
            followers.setdefault(last, []).append(name)
    return [*followers[None], *(one for name in wanted for one in (name, *followers.get(name, ())))]


def _is_participant(element: JsonObject) -> bool:
    return element.get("kind") == "node" and element.get("nodeType") not in NOTE_TYPES


_KINDS = {"createNode": "node", "createEdge": "edge"}


def _creation(element: JsonObject) -> JsonObject:
    members = {name: value for name, value in element.items() if name != "kind"}
    return {"op": f"create{element['kind'].capitalize()}", **members}


class Kind(NamedTuple):
    """The source's members of a kind of element. `words` are members removed by their absence in the source. `types`
    identify an element's type together: an absent one is the element's own until another changes. `create` and `update`
    are the operations."""

    create: str
    update: str = "updateElement"
    words: tuple[str, ...] = ()
    types: tuple[str, ...] = ()


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "frame": Kind("createFrame", "updateFrame", words=("title", "containerType", "laneDirection")),
        "node": Kind("createNode", "updateNode", words=("label",), types=("nodeType", "shape")),
        "text": Kind("createText", words=("content",)),
        "image": Kind("createImage", words=("href", "assetId", "alt")),
        "group": Kind("groupElements", words=("label",)),
        "edge": Kind("createEdge", "updateEdge", words=("label", "edgeType", "endpoints")),
    }
)
"""The kinds made by readers, in the order of creation."""
_SAID_IN_EXTENSIONS = (
    "columns",
    "attributes",
    "methods",
    "values",
    "over",
    "side",
    "operator",
    "operands",
    "regions",
    "activates",
    "deactivates",
    "direction",
    "interrupting",
    "markers",
)
_TYPES_IN_EXTENSIONS = ("bpmn",)
_SAID_OF_AN_END = ("elementId", "label")
_TOLD_BY_ROWS = ("column", "cardinality")
_KEPT_IN_ANOTHER_KIND = ("style", "link", "tooltip", "name", "visible", "zIndex")


@dataclass(frozen=True, slots=True)
class Synchronization:
    """The operations of a sync, and its remarks."""

    ops: tuple[JsonObject, ...]
    diagnostics: tuple[Diagnostic, ...]


class SourceIdentity(NamedTuple):
    """The identity of a source: its elements carry this format and name."""

    format: str
    document: str


def synchronize(
    stored: JsonObject, imported: JsonObject, source: SourceIdentity, *, whole: bool, prune: bool = False
) -> Synchronization:
    """The operations from `stored` to `imported`. Without the `whole` source understood, or for a source without
    elements, nothing is removed unless `prune` is set."""
    run = _Run(stored, imported, source)
    run.match()
    run.add_and_update()
    run.remove(_why_kept(imported, whole=whole) if not prune else "")
    run.order()
    return Synchronization(tuple(run.ops), run.report.rows)


def _elements(document: JsonObject) -> list[JsonObject]:
    return [element for element in document.get("elements") or () if is_object(element)]


def source_id(element: JsonObject, source: SourceIdentity) -> str | None:
    """The element's id in the source; None for an element of another origin."""
    origin = member(element, "metadata", "source")
    if not is_object(origin) or (origin.get("format"), origin.get("document") or "") != source:
        return None
    name = origin.get("id")
    return name if isinstance(name, str) else None


def kept_view(stored: JsonObject, document: str) -> str | None:
    """The view of a source that the stored elements of its document came from; None for none."""
    views = (one.get("view") for one in _origins(stored, document))
    return next((view for view in views if isinstance(view, str) and view), None)


def kept_page(stored: JsonObject, document: str) -> int | None:
    """The page of a source, from 2 on, that the stored elements of its document came from; None for the first."""
    pages = (one.get("page") for one in _origins(stored, document))
    return next((page for page in pages if isinstance(page, int) and page > 1), None)


def _origins(stored: JsonObject, document: str) -> Iterator[JsonObject]:
    origins = (member(element, "metadata", "source") for element in _elements(stored))
    return (one for one in origins if is_object(one) and (one.get("document") or "") == document)


_Said = tuple[str, str]  # an element's kind and source id


@dataclass(slots=True)
class _Run:
    """A sync in progress.

    `pairs` maps imported ids to stored counterparts. `known` are the stored elements by kind and source id (their ids
    are `of_the_source`), `copies` further elements with the same source id. `new_ends` are elements and the ports where
    new edges end. `ids` maps imported ids to stored ids.
    """

    stored: JsonObject
    imported: JsonObject
    source: SourceIdentity
    ops: list[JsonObject] = field(default_factory=list[JsonObject])
    report: Report = field(default_factory=Report)
    ids: dict[str, str] = field(default_factory=dict[str, str])
    pairs: dict[str, JsonObject] = field(default_factory=dict[str, JsonObject])
    known: dict[_Said, JsonObject] = field(default_factory=dict[_Said, JsonObject])
    copies: list[JsonObject] = field(default_factory=list[JsonObject])
    of_the_source: set[str] = field(default_factory=set[str])
    new_ends: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    parents: dict[str, str] = field(default_factory=dict[str, str])

    def match(self) -> None:
        """Find the counterparts: by source id, by certain renames, and edges by their ends."""
        self.parents = _parents(self.stored)
        for element in _elements(self.stored):
            if source_id(element, self.source) is None or element.get("kind") not in KINDS:
                continue
            # A person's copy of an element has the same source id; the original comes first.
            if self.known.setdefault(self._said(element), element) is not element:
                self.copies.append(element)
        self.of_the_source = {element["id"] for element in self.known.values()}
        free = dict(self.known)
        fresh: list[JsonObject] = []
        for element in _elements(self.imported):
            found = free.pop(self._said(element), None)
            if found is None:
                fresh.append(element)
            else:
                self._pair(element, found)
        fresh = self._rename(fresh, free)
        self._name_new([element for element in fresh if element["kind"] != "edge"])
        fresh_edges = [element for element in fresh if element["kind"] == "edge"]
        self._name_new(self._match_edges(fresh_edges, free))

    def _said(self, element: JsonObject) -> _Said:
        return element["kind"], source_id(element, self.source) or ""

    def _pair(self, element: JsonObject, found: JsonObject) -> None:
        self.pairs[element["id"]] = found
        self.ids[element["id"]] = found["id"]

    def _rename(self, fresh: list[JsonObject], free: dict[_Said, JsonObject]) -> list[JsonObject]:
        """Pair certain renames, report certain and possible renames; the elements still new."""
        paired: set[str] = set()
        for rename in renames(list(free.values()), fresh, _elements(self.imported)):
            self._tell(rename)
            if rename.certain:
                self._pair(rename.fresh, rename.gone)
                del free[self._said(rename.gone)]
                paired.add(rename.fresh["id"])
        return [element for element in fresh if element["id"] not in paired]

    def _tell(self, rename: Rename) -> None:
        before, after = source_id(rename.gone, self.source), source_id(rename.fresh, self.source)
        data = {"from": before, "to": after, "certain": rename.certain}
        outcome = (
            "it is the same element" if rename.certain else "it is not certain, so one is removed and one is added"
        )
        name = rename.gone["id"]
        self.report.add(SYNC_RENAME, element_id=name, data=data, id=name, before=before, after=after, outcome=outcome)

    def _match_edges(self, fresh: list[JsonObject], free: dict[_Said, JsonObject]) -> list[JsonObject]:
        """Pair edges with a changed source id by their ends, equal columns first; the edges still new."""
        for key in (_ends_and_columns, _ends):
            waiting: dict[object, list[_Said]] = {}
            for said, element in free.items():
                if element["kind"] == "edge":
                    waiting.setdefault(key(element, {}), []).append(said)
            left: list[JsonObject] = []
            for element in fresh:
                alike = waiting.get(key(element, self.ids))
                if alike:
                    self._pair(element, free.pop(alike.pop(0)))
                else:
                    left.append(element)
            fresh = left
        return fresh

    def _name_new(self, fresh: Sequence[JsonObject]) -> None:
        """Give new elements ids unused in the stored document."""
        taken = {element["id"] for element in _elements(self.stored)} | set(self.ids.values())
        for element in fresh:
            wanted, count = element["id"], 1
            while wanted in taken:
                count += 1
                wanted = f"{element['id']}-{count}"
            taken.add(wanted)
            self.ids[element["id"]] = wanted

    def add_and_update(self) -> None:
        """New elements, containers before their content, groups after it, and edges last; then changes of known
        elements."""
        homes, fresh = _parents(self.imported), self._fresh()
        order = {kind: number for number, kind in enumerate(KINDS)}

        def place(element: JsonObject) -> tuple[int, int]:
            depth = _depth(homes, element)
            return order[element["kind"]], -depth if element["kind"] == "group" else depth

        for element in sorted(fresh.values(), key=place):
            self.ops += self._styles_of(element)
            home = homes.get(element["id"])
            while home in fresh and fresh[home]["kind"] == "group":
                home = homes.get(home)
            self.ops += self._creation(element, home, fresh)
        self.new_ends = {
            (end["elementId"], str(end["port"]))
            for edge in _elements(self.imported)
            if edge["kind"] == "edge"
            for end in self._new_ends_of(edge)
            if "port" in end
        }
        new_groups = {key for key, element in fresh.items() if element["kind"] == "group"}
        for element in _elements(self.imported):
            found = self.pairs.get(element["id"])
            if found is not None:
                self._update(element, found)
                if homes.get(element["id"]) not in new_groups:  # which takes over its content
                    self._move_home(element, found, homes)

    def _new_ends_of(self, edge: JsonObject) -> Iterator[JsonObject]:
        """The ends of a new edge, or the changed ends of a known edge."""
        found = self.pairs.get(edge["id"])
        for end in ("from", "to"):
            if found is None or found[end]["elementId"] != self.ids[edge[end]["elementId"]]:
                yield edge[end]

    def _fresh(self) -> dict[str, JsonObject]:
        """The new elements by imported id; a group without content is invisible and left out."""
        rows = _elements(self.imported)
        hollow = set[str]()
        for group in sorted(rows, key=partial(_depth, _parents(self.imported)), reverse=True):
            if group["kind"] == "group" and hollow.issuperset(group.get("children") or ()):
                hollow.add(group["id"])
        return {one["id"]: one for one in rows if one["id"] not in self.pairs and one["id"] not in hollow}

    def _styles_of(self, element: JsonObject) -> Iterator[JsonObject]:
        """The definition of a named style missing from the stored document."""
        name = element.get("style")
        if not isinstance(name, str) or name in object_at(self.stored, "styles"):
            return
        if not any(op.get("styleId") == name for op in self.ops):
            yield {"op": "defineStyle", "styleId": name, "style": self.imported["styles"][name]}

    def _creation(self, element: JsonObject, home: str | None, fresh: Container[str]) -> Iterator[JsonObject]:
        """The operations for a new element in a container; a group is made from its content, and moved with it."""
        own = {name: value for name, value in element.items() if name not in {"kind", "children", "id"}}
        op = {"op": KINDS[element["kind"]].create, "id": self.ids[element["id"]]}
        members = self._translated(own) | self._kept_of_predecessor(element)
        parent = None if home is None else self.ids[home]
        if element["kind"] != "group":
            yield op | ({} if parent is None else {"parentId": parent}) | members
            return
        held = [child for child in element["children"] if child in self.pairs or child in fresh]
        yield op | {"children": [self.ids[child] for child in held]} | members
        if any(child in self.pairs for child in held):
            yield {"op": "reparentElement", "id": op["id"], "parentId": parent}

    def _kept_of_predecessor(self, element: JsonObject) -> JsonObject:
        """Members given by people to the predecessor of another kind, for example a step before a subgraph."""
        name, others = source_id(element, self.source) or "", (kind for kind in KINDS if kind != element["kind"])
        before = next((one for kind in others if (one := self.known.get((kind, name))) is not None), None)
        return {} if before is None else {name: before[name] for name in _KEPT_IN_ANOTHER_KIND if name in before}

    def _translated(self, members: JsonObject) -> JsonObject:
        """Members with the ids of the stored document."""
        translated = dict(members)
        for end in ("from", "to"):
            if end in members:
                translated[end] = members[end] | {"elementId": self.ids[members[end]["elementId"]]}
        if ATTACHED in members:
            host = members[ATTACHED]["elementId"]
            translated[ATTACHED] = members[ATTACHED] | {"elementId": self.ids.get(host, host)}
        if "target" in members.get("layout", ()):
            target = members["layout"]["target"]
            translated["layout"] = members["layout"] | {"target": self.ids.get(target, target)}
        if "extensions" in members:
            translated["extensions"] = _with_ids(members["extensions"], self.ids)
        return translated

    def _update(self, element: JsonObject, found: JsonObject) -> None:
        wanted = self._translated(element)
        patch = self._words(element, found)
        patch |= _types(found, wanted, KINDS[found["kind"]].types, another="label" in patch)
        before, after = object_at(found, "extensions"), object_at(wanted, "extensions")
        if inner := _patch(before, after, _SAID_IN_EXTENSIONS) | _types(before, after, _TYPES_IN_EXTENSIONS):
            patch["extensions"] = inner
        if found["kind"] == "edge":
            patch |= _ends_patch(found, wanted, patch)
        elif lacking := self._lacking_ports(element, found):
            patch["ports"] = [*(found.get("ports") or ()), *lacking]
        if _host(found) != _host(wanted):
            patch[ATTACHED] = {"side": None, "offset": None, **wanted[ATTACHED]} if ATTACHED in wanted else None
        name, view = source_id(element, self.source), member(element, "metadata", "source", "view")
        if name != source_id(found, self.source):
            patch["metadata"] = {"source": {"id": name}}
        if view != member(found, "metadata", "source", "view") is not None:
            patch["metadata"] = {"source": {"id": name, "view": view}}
        if patch:
            self.ops.append({"op": KINDS[found["kind"]].update, "id": found["id"], **patch})

    def _lacking_ports(self, element: JsonObject, found: JsonObject) -> list[JsonObject]:
        """The source's ports at new ends of edges, missing from the element."""
        has = {port["id"] for port in found.get("ports") or ()}
        return [
            port
            for port in element.get("ports") or ()
            if port["id"] not in has and (element["id"], port["id"]) in self.new_ends
        ]

    def _words(self, element: JsonObject, found: JsonObject) -> JsonObject:
        """The patch of the source's words. An absent word means its document's default, or the format's: a stored value
        equal to the default needs no patch."""
        patch = _patch(found, element, KINDS[found["kind"]].words)
        if not patch:
            return patch
        has, meant = _completed(found, self.stored), _completed(element, self.imported)
        return {name: value for name, value in patch.items() if not same(has.get(name), meant.get(name))}

    def _move_home(self, element: JsonObject, found: JsonObject, homes: Mapping[str, str]) -> None:
        """Move an element into its container of the source, out of other containers of the source. Containers made by
        people keep their content unless the source names a container outside."""
        if found["kind"] == "edge":
            return
        home, present = homes.get(element["id"]), self.parents.get(found["id"])
        wanted = None if home is None else self.ids[home]
        if present is None or present in self.of_the_source:
            stays = wanted == present
        else:
            stays = wanted is None or wanted in ancestors(found["id"], self.parents.get)
        if not stays:
            self.ops.append({"op": "reparentElement", "id": found["id"], "parentId": wanted})

    def order(self) -> None:
        """In a sequence diagram the source determines the order."""
        if is_in_turn(self.imported):
            said = [{**one, "id": self.ids[one["id"]]} for one in _elements(self.imported)]
            self.ops = in_turn(_elements(self.stored), said, self.ops)

    def remove(self, why_not: str) -> None:
        """Remove elements missing from the source, edges first: no edge is removed silently with its end. Copies of a
        removed element lose their origin."""
        kept = {found["id"] for found in self.pairs.values()}
        gone = [element for element in self.known.values() if element["id"] not in kept]
        if gone and why_not:
            names = [element["id"] for element in gone]
            self.report.add(SYNC_KEPT, path="/elements", data={"elementIds": names}, count=len(names), why=why_not)
            return
        self._turn_to_successors(gone)
        lost = {self._said(element) for element in gone}
        for copy in self.copies:
            if self._said(copy) in lost:
                self.ops.append({"op": KINDS[copy["kind"]].update, "id": copy["id"], "metadata": {"source": None}})
        for element in sorted(gone, key=lambda one: (one["kind"] != "edge", _host(one) is None)):
            self.ops.append({"op": "deleteElement", "id": element["id"]})

    def _turn_to_successors(self, gone: Sequence[JsonObject]) -> None:
        """Turn people's edges from a removed element to its successor of another kind, such as a subgraph."""
        names = {source_id(element, self.source): self.ids[element["id"]] for element in _elements(self.imported)}
        successors = {one["id"]: names[name] for one in gone if (name := source_id(one, self.source)) in names}
        for edge in _elements(self.stored):
            if edge["kind"] != "edge" or edge["id"] in self.of_the_source:
                continue
            moved = {
                end: {"elementId": successor} | ({"port": None} if "port" in edge[end] else {})
                for end in ("from", "to")
                if (successor := successors.get(edge[end]["elementId"])) is not None
            }
            if moved:
                self.ops.append({"op": "updateEdge", "id": edge["id"], **moved})


def _why_kept(imported: JsonObject, *, whole: bool) -> str:
    """The reason for keeping elements missing from the source; "" if they may be removed."""
    if not whole:
        return "a part of it was not understood"
    return "" if _elements(imported) else "it holds no elements at all"


def _completed(element: JsonObject, document: JsonObject) -> JsonObject:
    """An element with the defaults of its document and of the format."""
    members = ELEMENT_RECORDS[element["kind"]].members
    everybodys = {name: row.default for name, row in members.items() if row.default is not None}
    completed = Defaults(document).completed(element)
    return {"edgeType": DEFAULT_EDGE_TYPE, **everybodys, **(completed if is_object(completed) else element)}


def _patch(before: Mapping[str, Any], after: Mapping[str, Any], names: Sequence[str]) -> JsonObject:
    """The merge patch towards equal members."""
    changed = (name for name in names if not same(before.get(name), after.get(name)))
    return {name: _turned(before.get(name), after.get(name)) for name in changed}


def _turned(before: object, after: object) -> object:
    """The merge patch from a value to another."""
    if not is_object(before) or not is_object(after):
        return after
    return _patch(before, after, list(dict.fromkeys((*before, *after))))


def _types(
    before: Mapping[str, Any], after: Mapping[str, Any], names: Sequence[str], *, another: bool = False
) -> JsonObject:
    """The merge patch of members that identify the type together. A source without any of them signals another type by
    `another` name."""
    said = {name: after[name] for name in names if name in after}
    if all(same(before.get(name), value) for name, value in said.items()) and (said or not another):
        return {}
    return _patch(before, said, names)


def _ends_patch(found: JsonObject, wanted: JsonObject, patch: JsonObject) -> JsonObject:
    """The patch of an edge's ends; `patch` holds the further members.

    A label told by the row of a column (R-ER-7) counts as present. A column or a cardinality absent in the source stays
    on an otherwise unchanged edge, because normalizing writes both.
    """
    rows = {found[end].get("column") for end in ("from", "to")}
    told = "label" in patch and not found.get("label") and patch["label"] in rows
    if told:
        del patch["label"]
    ends: JsonObject = {}
    for end in ("from", "to"):
        before, after = found[end], wanted[end]
        inner = _patch(before, after, _SAID_OF_AN_END)
        moved = "elementId" in inner
        for name in _TOLD_BY_ROWS:
            left_out = name not in after and name in before
            goes = moved or bool(patch) or (name == "column" and not told)
            if (left_out and goes) or (name in after and not same(before.get(name), after[name])):
                inner[name] = after.get(name)
        if moved and ("port" in before or "port" in after):
            inner["port"] = after.get("port")
        if inner:
            ends[end] = inner
    return ends


def _with_ids(extensions: JsonObject, ids: Mapping[str, str]) -> JsonObject:
    """Extensions with translated references."""
    translated = dict(extensions)
    if isinstance(host := member(extensions, "bpmn", "attachedTo"), str):
        translated["bpmn"] = extensions["bpmn"] | {"attachedTo": ids.get(host, host)}
    if "over" in extensions:
        translated["over"] = [ids.get(name, name) for name in extensions["over"]]
    if "operands" in extensions:
        translated["operands"] = [
            row | {"messages": [ids.get(name, name) for name in row["messages"]]} for row in extensions["operands"]
        ]
    if "regions" in extensions:
        translated["regions"] = [[ids.get(name, name) for name in row] for row in extensions["regions"]]
    return translated


def _host(element: JsonObject) -> object:
    return member(element, ATTACHED, "elementId")


def _parents(document: JsonObject) -> dict[str, str]:
    """Containers by child id."""
    found: dict[str, str] = {}
    for element in _elements(document):
        children: Any = element.get("children", element.get("childIds")) or ()
        found.update((child, element["id"]) for child in children if isinstance(child, str))
    return found


def _depth(parents: Mapping[str, str], element: JsonObject) -> int:
    """How many containers are round an element."""
    return sum(1 for _ in ancestors(element["id"], parents.get))


def _end_ids(edge: JsonObject, ids: Mapping[str, str]) -> tuple[str, str]:
    names = (edge["from"]["elementId"], edge["to"]["elementId"])
    return ids.get(names[0], names[0]), ids.get(names[1], names[1])


def _ends(edge: JsonObject, ids: Mapping[str, str]) -> object:
    return _end_ids(edge, ids)


def _ends_and_columns(edge: JsonObject, ids: Mapping[str, str]) -> object:
    return _end_ids(edge, ids), edge["from"].get("column"), edge["to"].get("column"), edge.get("edgeType")
