"""An index of a document: elements by id, containment, and references. Built in a single pass over plain JSON, tolerant
of any values: elements without a readable id are skipped, and the first of several equal ids counts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

from scenograph.late_dataclasses import dataclass, field
from scenograph.scene.json_values import JsonObject, is_array, is_object, member, object_at, pointer
from scenograph.scene.reading import diagram_family

# The author's part of a document: everything except computed and read-only members (R-DOC-1).


_OUTPUT_ONLY = ("computed", "diagnostics", "view")  # R-NORM-4, and members read but never stored
_SKETCH = ("canvas", "bounds", "edgePaths")


def authored(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """The document without output-only root members; the same object without any."""
    if not any(name in document for name in _OUTPUT_ONLY):
        return document
    return {name: value for name, value in document.items() if name not in _OUTPUT_ONLY}


def sketch_in(document: Mapping[str, Any]) -> str | None:
    """The sketch in a document's `computed`, as JSON text; None if absent."""
    computed = object_at(document, "computed")
    if not object_at(computed, "bounds"):
        return None
    return json.dumps({name: computed[name] for name in _SKETCH if name in computed}, separators=(",", ":"))


# Containers around an element.


def ancestors(element_id: str, parent_of: Callable[[str], str | None]) -> Iterator[str]:
    """The containers around an element, the innermost first. A cycle, which validation refuses, is walked once."""
    seen = {element_id}
    parent = parent_of(element_id)
    while parent is not None and parent not in seen:
        yield parent
        seen.add(parent)
        parent = parent_of(parent)


CONTAINERS = frozenset({"frame", "group"})
END_NAMES = ("from", "to")
CHILDREN_NAMES = ("children", "childIds")  # the real name first, which wins


class IndexEntry(NamedTuple):
    """An element and its position in `elements`, or a row of another list at `home`. `kind` is "" if unreadable."""

    position: int
    id: str
    kind: str
    members: JsonObject
    home: tuple[str, ...] = ("elements",)

    def at(self, *steps: str | int) -> str:
        """A JSON pointer into the element."""
        return pointer(*self.home, self.position, *steps)


class Membership(NamedTuple):
    """An entry in a container's list of children; `path` points at the entry."""

    container: IndexEntry
    child: str
    path: str


def children_member(members: Mapping[str, object]) -> str:
    """The name of a container's member for its children."""
    for name in CHILDREN_NAMES:
        if name in members:
            return name
    return CHILDREN_NAMES[0]


def children_of(members: Mapping[str, object]) -> Iterator[tuple[int, str]]:
    """(index, id) of the listed children."""
    children = members.get(children_member(members))
    for index, child in enumerate(children if is_array(children) else ()):
        if isinstance(child, str):
            yield index, child


def ends_of(members: Mapping[str, object]) -> Iterator[tuple[str, JsonObject, str]]:
    """("from" or "to", endpoint, element id) of an edge's readable ends."""
    for name in END_NAMES:
        end = members.get(name)
        if is_object(end) and isinstance(end.get("elementId"), str):
            yield name, end, end["elementId"]


def target_of(members: Mapping[str, object]) -> str | None:
    """The target id of a relative layout."""
    layout = members.get("layout")
    target = layout.get("target") if is_object(layout) and layout.get("mode") == "relative" else None
    return target if isinstance(target, str) else None


def host_of(members: Mapping[str, object]) -> str | None:
    """The id of an attached node's host."""
    host = member(members, "attachedTo", "elementId") if members.get("kind") == "node" else None
    return host if isinstance(host, str) else None


@dataclass
class DocumentIndex:
    """The index of a document."""

    document: Mapping[str, object]
    most_listings: int | None = None
    entries: list[IndexEntry] = field(default_factory=list[IndexEntry])
    by_id: dict[str, IndexEntry] = field(default_factory=dict[str, IndexEntry])
    repeated: dict[str, list[int]] = field(default_factory=dict[str, list[int]])

    @classmethod
    def of(cls, document: Mapping[str, object], most_elements: int | None = None) -> DocumentIndex:
        """The index of a document with at most `most_elements`. No element can be listed twice: among more listings
        than elements the first ones already contain an error, and the rest is skipped."""
        outline = cls(document, None if most_elements is None else most_elements + 1)
        elements = document.get("elements")
        for position, members in enumerate(elements if is_array(elements) else ()):
            if is_object(members):
                outline._list(position, members)
        return outline

    def _list(self, position: int, members: JsonObject) -> None:
        element_id, kind = members.get("id"), members.get("kind")
        if not isinstance(element_id, str):
            return
        known = self.by_id.get(element_id)
        if known is not None:
            self.repeated.setdefault(element_id, [known.position]).append(position)
            return
        entry = IndexEntry(position, element_id, kind if isinstance(kind, str) else "", members)
        self.by_id[element_id] = entry
        self.entries.append(entry)

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """Every listed id in the document's order."""
        return tuple(self.by_id)

    @cached_property
    def family(self) -> str | None:
        """The declared family, at the root or inside `scene`."""
        return diagram_family(self.document)

    @cached_property
    def memberships(self) -> tuple[Membership, ...]:
        """Every listing of a child, in the document's order."""
        listings = (
            Membership(entry, child, entry.at(children_member(entry.members), index))
            for entry in self.entries
            if entry.kind in CONTAINERS
            for index, child in children_of(entry.members)
        )
        return tuple(islice(listings, self.most_listings))

    @cached_property
    def parents(self) -> Mapping[str, str]:
        """The container of each contained element: the first listing, never the element itself."""
        parents: dict[str, str] = {}
        for listing in self.memberships:
            if listing.child in self.by_id and listing.child != listing.container.id:
                parents.setdefault(listing.child, listing.container.id)
        return parents

    def of_kind(self, kind: str) -> Iterator[IndexEntry]:
        """The elements of a kind."""
        return (entry for entry in self.entries if entry.kind == kind)

    def names_in(self, registry: str) -> tuple[str, ...]:
        """The keys of a root registry: `styles` or `assets`."""
        return tuple(object_at(self.document, registry))

    def legend_entries(self) -> Iterator[IndexEntry]:
        """The readable entries of the legend, as elements without a kind."""
        entries = member(self.document, "legend", "entries")
        for position, entry in enumerate(entries if is_array(entries) else ()):
            if is_object(entry):
                yield IndexEntry(position, "an entry of the legend", "", entry, ("legend", "entries"))

    def constraints(self) -> Iterator[tuple[int, JsonObject]]:
        """(index, constraint) of the readable constraints."""
        constraints = member(self.document, "constraints")
        for index, constraint in enumerate(constraints if is_array(constraints) else ()):
            if is_object(constraint):
                yield index, constraint


def cycles(following: Mapping[str, str]) -> Iterator[tuple[str, ...]]:
    """Every cycle of a mapping from an item to its successor, once, beginning at its first item in the mapping's
    order."""
    met: dict[str, int] = {}
    for walk, start in enumerate(following):
        way: list[str] = []
        here: str | None = start
        while here is not None and here not in met:
            met[here] = walk
            way.append(here)
            here = following.get(here)
        if here is not None and met[here] == walk:
            yield tuple(way[way.index(here) :])
