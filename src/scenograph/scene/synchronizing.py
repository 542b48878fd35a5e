"""The operations that carry a document to what its source now says (R-SYNC-1, R-SYNC-3).

In: the stored document, the document that the source was read into, whether all of the source was understood. Out:
operations, and remarks. Elements are known by `metadata.source`; of a known one only what a source says follows it:
label, type, columns, ends, parent. Place, style, icon and notes stay, and so does what people added.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from scenograph.diagnostics import SYNC_KEPT, SYNC_RENAME, Diagnostic, Report
from scenograph.late_dataclasses import dataclass, field
from scenograph.scene.family_traits import is_in_turn
from scenograph.scene.json_values import JsonObject, is_object, member, object_at, same
from scenograph.scene.mentions import ATTACHED
from scenograph.scene.nesting import ancestors
from scenograph.scene.renaming import Rename, renames
from scenograph.scene.turns import in_turn

SAID: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "node": ("label", "nodeType", "shape"),
        "edge": ("label", "edgeType", "endpoints"),
        "frame": ("title", "containerType", "laneDirection"),
    }
)
SAID_IN_EXTENSIONS = (
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
SAID_OF_AN_END = ("elementId", "column", "cardinality", "label")
KEPT_IN_ANOTHER_KIND = ("style", "link", "tooltip", "name", "visible", "zIndex")
_OPERATION_OF = {"node": "Node", "edge": "Edge", "frame": "Frame"}


@dataclass(frozen=True, slots=True)
class Synchronization:
    """What is to be done, as operations, and what is remarked about it."""

    ops: tuple[JsonObject, ...]
    diagnostics: tuple[Diagnostic, ...]


class Source(NamedTuple):
    """Which elements are of the source: those with its format and its name."""

    format: str
    document: str


def synchronize(
    stored: JsonObject, imported: JsonObject, source: Source, *, whole: bool, prune: bool = False
) -> Synchronization:
    """The operations from `stored` to what `imported` says. While not the `whole` source was understood, or it holds no
    elements, nothing is removed unless `prune` asks for it."""
    run = _Run(stored, imported, source)
    run.match()
    run.add_and_update()
    run.remove(_why_kept(imported, whole=whole) if not prune else "")
    run.order()
    return Synchronization(tuple(run.ops), run.report.rows)


def _elements(document: JsonObject) -> list[JsonObject]:
    return [element for element in document.get("elements") or () if is_object(element)]


def source_id(element: JsonObject, source: Source) -> str | None:
    """What the source calls an element; None for one that is not of it."""
    origin = member(element, "metadata", "source")
    if not is_object(origin) or (origin.get("format"), origin.get("document") or "") != source:
        return None
    name = origin.get("id")
    return name if isinstance(name, str) else None


_Said = tuple[str, str]  # the kind of an element and what its source calls it


@dataclass(slots=True)
class _Run:
    """One synchronization as it goes. `pairs` are imported elements by their position and their stored counterparts;
    `known` the stored ones by what they say of their source, `copies` those that say the same once more; `ids` leads
    from imported ids to those in the stored document."""

    stored: JsonObject
    imported: JsonObject
    source: Source
    ops: list[JsonObject] = field(default_factory=list[JsonObject])
    report: Report = field(default_factory=Report)
    ids: dict[str, str] = field(default_factory=dict[str, str])
    pairs: dict[str, JsonObject] = field(default_factory=dict[str, JsonObject])
    known: dict[_Said, JsonObject] = field(default_factory=dict[_Said, JsonObject])
    copies: list[JsonObject] = field(default_factory=list[JsonObject])
    parents: dict[str, str] = field(default_factory=dict[str, str])

    def match(self) -> None:
        """Find the counterparts: by source id, by certain renames, and edges by their ends."""
        self.parents = _parents(self.stored)
        for element in _elements(self.stored):
            if source_id(element, self.source) is None or element.get("kind") not in SAID:
                continue
            # A copy that somebody made of an element says the same of itself; the original comes first.
            if self.known.setdefault(self._said(element), element) is not element:
                self.copies.append(element)
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
        """Pair what was certainly renamed, tell of that and of what may have been; what is still new."""
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
        """Pair edges whose name in the source changed with those that have their ends; first those with the same
        columns. What is still new."""
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
        """Give new elements ids that the stored document does not have."""
        taken = {element["id"] for element in _elements(self.stored)} | set(self.ids.values())
        for element in fresh:
            wanted, count = element["id"], 1
            while wanted in taken:
                count += 1
                wanted = f"{element['id']}-{count}"
            taken.add(wanted)
            self.ids[element["id"]] = wanted

    def add_and_update(self) -> None:
        """New elements, outermost frames first and edges last; then what changed of known ones."""
        homes = _parents(self.imported)
        order = {"frame": 0, "node": 1, "edge": 2}
        fresh = [element for element in _elements(self.imported) if element["id"] not in self.pairs]
        fresh.sort(key=lambda element: (order[element["kind"]], sum(1 for _ in ancestors(element["id"], homes.get))))
        for element in fresh:
            self.ops += self._styles_of(element)
            self.ops.append(self._creation(element, homes))
        for element in _elements(self.imported):
            found = self.pairs.get(element["id"])
            if found is not None:
                self._update(element, found)
                self._move_home(element, found, homes)

    def _styles_of(self, element: JsonObject) -> Iterator[JsonObject]:
        """The definition of a named style that the stored document lacks."""
        name = element.get("style")
        if not isinstance(name, str) or name in object_at(self.stored, "styles"):
            return
        if not any(op.get("styleId") == name for op in self.ops):
            yield {"op": "defineStyle", "styleId": name, "style": self.imported["styles"][name]}

    def _creation(self, element: JsonObject, homes: Mapping[str, str]) -> JsonObject:
        own = {name: value for name, value in element.items() if name not in {"kind", "children", "id"}}
        home = homes.get(element["id"])
        parent = {} if home is None else {"parentId": self.ids[home]}
        op = {"op": f"create{_OPERATION_OF[element['kind']]}", "id": self.ids[element["id"]], **parent}
        return op | self._translated(own) | self._kept_of_predecessor(element)

    def _kept_of_predecessor(self, element: JsonObject) -> JsonObject:
        """What people gave to an element that is now of another kind, as a step that became a subgraph."""
        name = source_id(element, self.source)
        before = [one for (kind, said), one in self.known.items() if said == name and kind != element["kind"]]
        return {name: one[name] for one in before[:1] for name in KEPT_IN_ANOTHER_KIND if name in one}

    def _translated(self, members: JsonObject) -> JsonObject:
        """Members with the ids of the stored document."""
        translated = dict(members)
        for end in ("from", "to"):
            if end in members:
                translated[end] = members[end] | {"elementId": self.ids[members[end]["elementId"]]}
        if ATTACHED in members:
            host = members[ATTACHED]["elementId"]
            translated[ATTACHED] = members[ATTACHED] | {"elementId": self.ids.get(host, host)}
        if "extensions" in members:
            translated["extensions"] = _with_ids(members["extensions"], self.ids)
        return translated

    def _update(self, element: JsonObject, found: JsonObject) -> None:
        wanted = self._translated(element)
        patch: JsonObject = _patch(found, wanted, SAID[found["kind"]])
        before, after = object_at(found, "extensions"), object_at(wanted, "extensions")
        if inner := _patch(before, after, SAID_IN_EXTENSIONS):
            patch["extensions"] = inner
        for end in ("from", "to") if found["kind"] == "edge" else ():
            if inner := _patch(found[end], wanted[end], SAID_OF_AN_END):
                moved = "elementId" in inner and "port" in found[end]
                patch[end] = inner | ({"port": None} if moved else {})
        if _host(found) != _host(wanted):
            patch[ATTACHED] = {"side": None, "offset": None, **wanted[ATTACHED]} if ATTACHED in wanted else None
        name = source_id(element, self.source)
        if name != source_id(found, self.source):
            patch["metadata"] = {"source": {"id": name}}
        if patch:
            self.ops.append({"op": f"update{_OPERATION_OF[found['kind']]}", "id": found["id"], **patch})

    def _move_home(self, element: JsonObject, found: JsonObject, homes: Mapping[str, str]) -> None:
        """Into the frame that the source says; out of a frame of the source. Frames that people made are theirs."""
        if found["kind"] == "edge":
            return
        home = homes.get(element["id"])
        wanted = None if home is None else self.ids[home]
        present = self.parents.get(found["id"])
        if wanted is None:
            of_the_source = {one["id"] for one in self.known.values()}
            if present in of_the_source:
                self.ops.append({"op": "reparentElement", "id": found["id"], "parentId": None})
        elif wanted not in ancestors(found["id"], self.parents.get):
            self.ops.append({"op": "reparentElement", "id": found["id"], "parentId": wanted})

    def order(self) -> None:
        """In a sequence diagram the order is what the source says."""
        if is_in_turn(self.imported):
            said = [{**one, "id": self.ids[one["id"]]} for one in _elements(self.imported)]
            self.ops = in_turn(_elements(self.stored), said, self.ops)

    def remove(self, why_not: str) -> None:
        """What the source no longer says; edges first, so that none falls with its end unseen. A copy of it is of
        nobody but who made it from now on."""
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
                op = f"update{_OPERATION_OF[copy['kind']]}"
                self.ops.append({"op": op, "id": copy["id"], "metadata": {"source": None}})
        for element in sorted(gone, key=lambda one: (one["kind"] != "edge", _host(one) is None)):
            self.ops.append({"op": "deleteElement", "id": element["id"]})

    def _turn_to_successors(self, gone: Sequence[JsonObject]) -> None:
        """What is now of another kind, as a step that became a subgraph, is made anew: edges that people drew to it
        end at what takes its place."""
        names = {source_id(element, self.source): self.ids[element["id"]] for element in _elements(self.imported)}
        successors = {one["id"]: names[name] for one in gone if (name := source_id(one, self.source)) in names}
        of_the_source = {one["id"] for one in self.known.values()}
        for edge in _elements(self.stored):
            if edge["kind"] != "edge" or edge["id"] in of_the_source:
                continue
            moved = {
                end: {"elementId": successor} | ({"port": None} if "port" in edge[end] else {})
                for end in ("from", "to")
                if (successor := successors.get(edge[end]["elementId"])) is not None
            }
            if moved:
                self.ops.append({"op": "updateEdge", "id": edge["id"], **moved})


def _why_kept(imported: JsonObject, *, whole: bool) -> str:
    """Why what the source no longer says is kept; "" where it may go."""
    if not whole:
        return "a part of it was not understood"
    return "" if _elements(imported) else "it holds no elements at all"


def _patch(before: Mapping[str, Any], after: Mapping[str, Any], names: Sequence[str]) -> JsonObject:
    """The merge patch that makes these members equal."""
    changed = (name for name in names if not same(before.get(name), after.get(name)))
    return {name: after.get(name) for name in changed}


def _with_ids(extensions: JsonObject, ids: Mapping[str, str]) -> JsonObject:
    """Extensions whose references are translated."""
    translated = dict(extensions)
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
    """Child → the container that lists it."""
    found: dict[str, str] = {}
    for element in _elements(document):
        children: Any = element.get("children", element.get("childIds")) or ()
        found.update((child, element["id"]) for child in children if isinstance(child, str))
    return found


def _end_ids(edge: JsonObject, ids: Mapping[str, str]) -> tuple[str, str]:
    names = (edge["from"]["elementId"], edge["to"]["elementId"])
    return ids.get(names[0], names[0]), ids.get(names[1], names[1])


def _ends(edge: JsonObject, ids: Mapping[str, str]) -> object:
    return _end_ids(edge, ids)


def _ends_and_columns(edge: JsonObject, ids: Mapping[str, str]) -> object:
    return _end_ids(edge, ids), edge["from"].get("column"), edge["to"].get("column"), edge.get("edgeType")
