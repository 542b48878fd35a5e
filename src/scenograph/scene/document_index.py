"""Who is who in a document: its elements by id, who contains whom, and what an element refers to.

Built in one pass over plain JSON, tolerant of whatever stands there: what has no readable id is not listed, and of
several elements with one id the first counts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

from scenograph.late_dataclasses import dataclass, field
from scenograph.scene.json_values import JsonObject, is_array, is_object, member, object_at, pointer
from scenograph.scene.reading import diagram_family

# What of a document is the author's: everything but what the service computes or only reads (R-DOC-1).


OUTPUT_ONLY = ("computed", "diagnostics", "view")  # R-NORM-4, what is read and never kept
_SKETCH = ("canvas", "bounds", "edgePaths")


def authored(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """The document without its output-only root members; the same object when there are none."""
    if not any(name in document for name in OUTPUT_ONLY):
        return document
    return {name: value for name, value in document.items() if name not in OUTPUT_ONLY}


def sketch_in(document: Mapping[str, Any]) -> str | None:
    """The sketch that a document brings in its `computed`, as JSON text; None when it brings none."""
    computed = object_at(document, "computed")
    if not object_at(computed, "bounds"):
        return None
    return json.dumps({name: computed[name] for name in _SKETCH if name in computed}, separators=(",", ":"))


# What an element is nested in.


def ancestors(element_id: str, parent_of: Callable[[str], str | None]) -> Iterator[str]:
    """The containers round an element, the innermost first. A cycle, which validation refuses, is walked once."""
    seen = {element_id}
    parent = parent_of(element_id)
    while parent is not None and parent not in seen:
        yield parent
        seen.add(parent)
        parent = parent_of(parent)


CONTAINERS = frozenset({"frame", "group"})
END_NAMES = ("from", "to")
CHILDREN_NAMES = ("children", "childIds")  # the real name first: it wins


class IndexEntry(NamedTuple):
    """An element and its position in `elements`. `kind` is "" when it cannot be read."""

    position: int
    id: str
    kind: str
    members: JsonObject

    def at(self, *steps: str | int) -> str:
        """A JSON pointer into the element."""
        return pointer("elements", self.position, *steps)


class Membership(NamedTuple):
    """One listing of a child in a container: `path` points at the listing."""

    container: IndexEntry
    child: str
    path: str


def children_member(members: Mapping[str, object]) -> str:
    """The name under which a container keeps its children."""
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
    """The id that a relative layout refers to."""
    layout = members.get("layout")
    target = layout.get("target") if is_object(layout) and layout.get("mode") == "relative" else None
    return target if isinstance(target, str) else None


def host_of(members: Mapping[str, object]) -> str | None:
    """The id of the element on whose border a node sits."""
    host = member(members, "attachedTo", "elementId") if members.get("kind") == "node" else None
    return host if isinstance(host, str) else None


@dataclass
class DocumentIndex:
    """The outline of one document."""

    document: Mapping[str, object]
    most_listings: int | None = None
    entries: list[IndexEntry] = field(default_factory=list[IndexEntry])
    by_id: dict[str, IndexEntry] = field(default_factory=dict[str, IndexEntry])
    repeated: dict[str, list[int]] = field(default_factory=dict[str, list[int]])

    @classmethod
    def of(cls, document: Mapping[str, object], most_elements: int | None = None) -> DocumentIndex:
        """The outline of a document that may hold so many elements. Nothing can be listed twice, so of more listings
        than elements one among the first is wrong, and the rest need not be looked at."""
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
        """The declared family, also when it is declared inside `scene`."""
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
        """The container of each contained element; the first that lists it, never itself."""
        parents: dict[str, str] = {}
        for listing in self.memberships:
            if listing.child in self.by_id and listing.child != listing.container.id:
                parents.setdefault(listing.child, listing.container.id)
        return parents

    def of_kind(self, kind: str) -> Iterator[IndexEntry]:
        """The elements of one kind."""
        return (entry for entry in self.entries if entry.kind == kind)

    def names_in(self, registry: str) -> tuple[str, ...]:
        """The keys of a root registry: `styles` or `assets`."""
        return tuple(object_at(self.document, registry))

    def constraints(self) -> Iterator[tuple[int, JsonObject]]:
        """(index, constraint) of the readable constraints."""
        constraints = member(self.document, "constraints")
        for index, constraint in enumerate(constraints if is_array(constraints) else ()):
            if is_object(constraint):
                yield index, constraint


def cycles(following: Mapping[str, str]) -> Iterator[tuple[str, ...]]:
    """Every cycle of "each has at most one next", once, beginning where the mapping's order first meets it."""
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
