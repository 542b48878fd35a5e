"""Relative layouts and attachments (R-VALID-7, R-VALID-8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from scenograph.diagnostics import (
    ATTACHMENT_HOST_NOT_ALLOWED,
    ATTACHMENT_HOST_NOT_FOUND,
    LAYOUT_TARGET_CYCLE,
    LAYOUT_TARGET_NOT_CONTAINER,
    LAYOUT_TARGET_NOT_FOUND,
)
from scenograph.scene.description.elements import KINDS
from scenograph.scene.description.fields import Problem
from scenograph.scene.document_index import CONTAINERS, DocumentIndex, IndexEntry, ancestors, host_of, target_of
from scenograph.scene.json_values import is_number, listed, member, shown
from scenograph.scene.limits import Limits

# Cycles of relative layouts, also through containers (R-VALID-7). The size of a container without a fixed size
# depends on its content, and it moves with its content. A layout therefore makes two siblings in the nearest common
# container depend on each other: the placed element, or its container, depends on the target, or the target's
# container.


MOST_NAMES = 20_000  # in all cycles of a document: each name on a path may close a cycle of the path's length


class LayoutDependency(NamedTuple):
    """`placed` refers to `target`; seen side by side, `behind` depends on `ahead`."""

    behind: str
    placed: str
    target: str
    ahead: str


def layout_cycles(index: DocumentIndex, nesting: int) -> Iterator[tuple[str, ...]]:
    """Every cycle found by a walk along the layout dependencies, once, up to MOST_NAMES names in total; it begins with
    the element of the offending layout."""
    ties: dict[str, list[LayoutDependency]] = {}
    for entry in index.entries:
        tie = _tie(entry, index, nesting)
        if tie is None:
            continue
        if tie.behind == tie.ahead:
            yield (tie.placed,) if tie.placed == tie.target else (tie.placed, tie.target)
        else:
            ties.setdefault(tie.behind, []).append(tie)
    left = MOST_NAMES
    for way in _round_trips(ties):
        circle = tuple(dict.fromkeys(name for tie in way for name in (tie.placed, tie.target, tie.ahead)))
        yield circle
        left -= len(circle)
        if left < 0:
            return


def _tie(entry: IndexEntry, index: DocumentIndex, nesting: int) -> LayoutDependency | None:
    target = target_of(entry.members)
    if target is None or target not in index.by_id:
        return None
    own, other = (_way_up(name, index, nesting) for name in (entry.id, target))
    if target in own and target != entry.id:
        inside = member(entry.members, "layout", "relation") == "inside"
        fixed = any(map(_is_fixed, _between(own, target, index)))
        return None if inside or fixed else LayoutDependency(target, entry.id, target, target)
    if entry.id in other:
        return LayoutDependency(entry.id, entry.id, target, entry.id)
    shared = next((name for name in own if name in other), None)
    if any(_is_fixed(index.by_id[name]) for name in _below(own, shared)[1:]):
        return None
    return LayoutDependency(_below(own, shared)[-1], entry.id, target, _below(other, shared)[-1])


def _way_up(name: str, index: DocumentIndex, nesting: int) -> dict[str, None]:
    """An element and its containers, up to the permitted nesting."""
    return dict.fromkeys((name, *islice(ancestors(name, index.parents.get), nesting)))


def _between(way: Mapping[str, None], last: str, index: DocumentIndex) -> list[IndexEntry]:
    """The containers on a way up to and including `last`."""
    names = list(way)
    return [index.by_id[name] for name in names[1 : names.index(last) + 1]]


def _below(way: Mapping[str, None], shared: str | None) -> list[str]:
    names = list(way)
    return names if shared is None else names[: names.index(shared)]


def _is_fixed(entry: IndexEntry) -> bool:
    """Whether place and size are the author's, whatever is inside."""
    layout = entry.members.get("layout")
    sized = all(is_number(member(layout, name)) for name in ("width", "height"))
    return sized and member(layout, "mode") == "absolute"


def _round_trips(ties: Mapping[str, list[LayoutDependency]]) -> Iterator[list[LayoutDependency]]:
    """The cycles closed by a depth-first walk."""
    done: set[str] = set()
    for start in ties:
        way: list[LayoutDependency] = []
        on_way: dict[str, int] = {start: 0}
        waiting = [(start, iter(ties[start] if start not in done else ()))]
        while waiting:
            here, following = waiting[-1]
            tie = next(following, None)
            if tie is None:
                waiting.pop()
                done.add(here)
                on_way.pop(here, None)
                del way[max(len(waiting) - 1, 0) :]
            elif tie.ahead in on_way:
                yield [*way[on_way[tie.ahead] :], tie]
            elif tie.ahead not in done:
                way.append(tie)
                on_way[tie.ahead] = len(way)
                waiting.append((tie.ahead, iter(ties.get(tie.ahead, ()))))


BOXLESS_KINDS = frozenset({"edge", "guide"})
HOST_KINDS = frozenset({"node", "frame"})
NO_CONTAINER_KINDS = frozenset(KINDS) - CONTAINERS


def layout_targets_exist(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """A relative layout refers to an element with a box, and `inside` to a container."""
    for entry in index.entries:
        target = target_of(entry.members)
        if target is None:
            continue
        path, found = entry.at("layout", "target"), index.by_id.get(target)
        holes = {"id": shown(entry.id), "target": shown(target)}
        if found is None or found.kind in BOXLESS_KINDS:
            yield Problem(path, LAYOUT_TARGET_NOT_FOUND, holes, None, (target, index.ids), frozenset((entry.id,)))
        elif member(entry.members, "layout", "relation") == "inside" and found.kind in NO_CONTAINER_KINDS:
            yield Problem(path, LAYOUT_TARGET_NOT_CONTAINER, holes)


def layout_targets_have_no_cycle(index: DocumentIndex, limits: Limits) -> Iterator[Problem]:
    """Following layout targets ends, also through containers and their content."""
    for cycle in layout_cycles(index, limits.nesting):
        path = index.by_id[cycle[0]].at("layout", "target")
        yield Problem(path, LAYOUT_TARGET_CYCLE, {"cycle": listed(cycle)}, {"cycle": list(cycle)})


def hosts_take_attachments(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """A node is attached to an unattached node or frame."""
    for entry in index.entries:
        host = host_of(entry.members)
        if host is None:
            continue
        path, found = entry.at("attachedTo", "elementId"), index.by_id.get(host)
        holes = {"id": shown(entry.id), "host": shown(host)}
        if found is None:
            near = (host, index.ids)
            yield Problem(path, ATTACHMENT_HOST_NOT_FOUND, holes, None, near, frozenset((entry.id,)))
        elif why := _why_no_host(entry, found):
            yield Problem(path, ATTACHMENT_HOST_NOT_ALLOWED, {**holes, "why": why})


def _why_no_host(attached: IndexEntry, host: IndexEntry) -> str:
    if host.id == attached.id:
        return "is the node itself"
    if host.kind not in HOST_KINDS:
        return f"is of kind {host.kind}"
    return "is attached itself" if host_of(host.members) is not None else ""
