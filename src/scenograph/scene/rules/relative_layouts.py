"""Relative layouts and attachments (R-VALID-7, R-VALID-8)."""

from __future__ import annotations

from collections.abc import Iterator

from scenograph.diagnostics import (
    ATTACHMENT_HOST_NOT_ALLOWED,
    ATTACHMENT_HOST_NOT_FOUND,
    LAYOUT_TARGET_CYCLE,
    LAYOUT_TARGET_NOT_CONTAINER,
    LAYOUT_TARGET_NOT_FOUND,
)
from scenograph.scene.document_index import CONTAINERS, DocumentIndex, IndexEntry, host_of, target_of
from scenograph.scene.element_fields import KINDS
from scenograph.scene.fields import Problem
from scenograph.scene.json_values import listed, member, shown
from scenograph.scene.limits import Limits
from scenograph.scene.rules.cycles import layout_cycles

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
    """Following layout targets ends, also by way of containers and what is in them."""
    for cycle in layout_cycles(index, limits.nesting):
        path = index.by_id[cycle[0]].at("layout", "target")
        yield Problem(path, LAYOUT_TARGET_CYCLE, {"cycle": listed(cycle)}, {"cycle": list(cycle)})


def hosts_take_attachments(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """A node is attached to a node or a frame that is attached to nothing."""
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
