"""Frames, groups and their content (R-VALID-6)."""

from __future__ import annotations

from collections.abc import Iterator

from scenograph.diagnostics import (
    CHILD_KIND_NOT_ALLOWED,
    CHILD_NOT_FOUND,
    CONTAINMENT_CYCLE,
    LIMIT_EXCEEDED,
    MULTIPLE_PARENTS,
    SELF_CONTAINMENT,
)
from scenograph.scene.description.fields import Problem
from scenograph.scene.document_index import CONTAINERS, DocumentIndex, IndexEntry, ancestors, cycles
from scenograph.scene.family_traits import FRAGMENT_TYPE
from scenograph.scene.json_values import listed, shown
from scenograph.scene.limits import Limits


def children_exist(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """A container lists existing elements other than edges."""
    for listing in index.memberships:
        child = index.by_id.get(listing.child)
        holes = {"id": shown(listing.child), "container": shown(listing.container.id)}
        if child is None:
            near = (listing.child, index.ids)
            yield Problem(listing.path, CHILD_NOT_FOUND, holes, None, near, frozenset((listing.container.id,)))
        elif child.kind == "edge":
            yield Problem(listing.path, CHILD_KIND_NOT_ALLOWED, holes | {"way": _way(listing.container)})


def _way(container: IndexEntry) -> str:
    """Where the messages of a combined fragment stand."""
    if container.members.get("containerType") != FRAGMENT_TYPE:
        return ""
    return ' The messages of a fragment stand in extensions: {"operands": [{"guard": "…", "messages": [ids]}]}.'


def containers_do_not_list_themselves(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """A container is not in itself."""
    for listing in index.memberships:
        if listing.child == listing.container.id:
            yield Problem(listing.path, SELF_CONTAINMENT, {"id": shown(listing.child)})


def elements_have_one_parent(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """Nothing is listed twice; the second listing is the problem, and all containers are named."""
    listings: dict[str, list[tuple[str, str]]] = {}
    for listing in index.memberships:
        listings.setdefault(listing.child, []).append((listing.container.id, listing.path))
    for child, places in listings.items():
        if len(places) > 1 and child in index.by_id:
            parents = [container for container, _ in places]
            data = {"parents": parents, "paths": [path for _, path in places]}
            yield Problem(places[1][1], MULTIPLE_PARENTS, {"id": shown(child), "parents": listed(parents)}, data)


def containment_has_no_cycle(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """Following parents ends."""
    parents = index.parents
    in_order = {entry.id: parents[entry.id] for entry in index.entries if entry.id in parents}
    for cycle in cycles(in_order):
        holes = {"cycle": listed(cycle)}
        yield Problem(index.by_id[cycle[0]].at(), CONTAINMENT_CYCLE, holes, {"cycle": list(cycle)})


def nesting_is_bounded(index: DocumentIndex, limits: Limits) -> Iterator[Problem]:
    """Nesting stays within the limit; only the outermost container beyond is reported."""
    depths: dict[str, int] = {}
    for entry in index.entries:
        if entry.kind in CONTAINERS and _depth(entry.id, index, depths) == limits.nesting + 1:
            holes = {"count": limits.nesting + 1, "what": "levels of frames and groups", "limit": limits.nesting}
            data = {"limit": limits.nesting, "containers": [entry.id, *ancestors(entry.id, index.parents.get)]}
            yield Problem(entry.at(), LIMIT_EXCEEDED, holes, data)


def _depth(element_id: str, index: DocumentIndex, depths: dict[str, int]) -> int:
    """1 at the top level, one more in each container; an element of a cycle counts as the top."""
    way: list[str] = []
    here: str | None = element_id
    on_way: set[str] = set()
    while here is not None and here not in depths and here not in on_way:
        way.append(here)
        on_way.add(here)
        here = index.parents.get(here)
    depth = 0 if here is None or here in on_way else depths[here]
    for passed in reversed(way):
        depth += 1
        depths[passed] = depth
    return depths[element_id]
