"""Edges, their ends, ports and columns (R-VALID-8, R-VALID-11)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from scenograph.diagnostics import (
    DUPLICATE_PORT_ID,
    EDGE_COLUMN_NOT_FOUND,
    ENDPOINT_KIND_NOT_ALLOWED,
    ENDPOINT_NOT_FOUND,
    PORT_NOT_FOUND,
    SELF_LOOP,
)
from scenograph.scene.description.elements import KINDS
from scenograph.scene.description.fields import Problem, choices
from scenograph.scene.document_index import DocumentIndex, IndexEntry, ends_of
from scenograph.scene.family_traits import traits_of
from scenograph.scene.json_values import JsonObject, is_array, is_object, listed, member, shown
from scenograph.scene.limits import Limits
from scenograph.scene.vocabulary import SIDES

END_KINDS = ("node", "frame", "group")
_WITH_PORTS = frozenset({"node", "frame"})
NO_END_KINDS = frozenset(KINDS) - frozenset(END_KINDS)


def ends_exist(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """An edge ends at existing nodes, frames and groups."""
    meant: tuple[str, ...] = ()
    for edge in index.of_kind("edge"):
        for name, _, element_id in ends_of(edge.members):
            path, end = edge.at(name, "elementId"), index.by_id.get(element_id)
            holes = {"edge": shown(edge.id), "id": shown(element_id)}
            if end is None:
                meant = meant or tuple(entry.id for kind in END_KINDS for entry in index.of_kind(kind))
                yield Problem(path, ENDPOINT_NOT_FOUND, holes, None, (element_id, meant))
            elif end.kind in NO_END_KINDS:
                holes["kind"] = end.kind
                yield Problem(path, ENDPOINT_KIND_NOT_ALLOWED, holes, {"allowed": list(END_KINDS)})


def ports_exist(index: DocumentIndex, limits: Limits) -> Iterator[Problem]:
    """A port named by an end is a port of the element, or a side."""
    names = _Names(lambda entry: (*(port_id for _, port_id in _ports(entry, limits)), *SIDES))
    for edge, name, end, entry in _joined(index):
        port = end.get("port")
        if not isinstance(port, str) or port in SIDES:
            continue
        known = names.of(entry)
        if port not in known.lookup:
            holes = {"port": shown(port), "id": shown(entry.id), "allowed": listed(known.names)}
            data = {**choices(known.names), "elementId": entry.id}
            yield Problem(edge.at(name, "port"), PORT_NOT_FOUND, holes, data, (port, known.names))


def port_ids_are_unique(index: DocumentIndex, limits: Limits) -> Iterator[Problem]:
    """The port ids of a node or a frame are unique."""
    for node in (entry for kind in sorted(_WITH_PORTS) for entry in index.of_kind(kind)):
        seen: set[str] = set()
        for position, port_id in _ports(node, limits):
            if port_id in seen:
                holes = {"port": shown(port_id), "id": shown(node.id)}
                yield Problem(node.at("ports", position, "id"), DUPLICATE_PORT_ID, holes)
            seen.add(port_id)


def columns_exist(index: DocumentIndex, limits: Limits) -> Iterator[Problem]:
    """A column named by an end is a column of the entity."""
    names = _Names(lambda entry: _columns(entry, limits))
    for edge, name, end, entry in _joined(index):
        column = end.get("column")
        if not isinstance(column, str):
            continue
        known = names.of(entry)
        if column not in known.lookup:
            holes = {"column": shown(column), "id": shown(entry.id), "available": listed(known.names) or "none"}
            path = edge.at(name, "column")
            yield Problem(path, EDGE_COLUMN_NOT_FOUND, holes, choices(known.names), (column, known.names))


def edges_lead_elsewhere(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """An edge from an element to itself is worth a look, except among messages."""
    if traits_of(index.family).has_loops:
        return
    for edge in index.of_kind("edge"):
        ends = [element_id for _, _, element_id in ends_of(edge.members)]
        if len(ends) == 2 and ends[0] == ends[1]:
            yield Problem(edge.at(), SELF_LOOP, {"edge": shown(edge.id), "id": shown(ends[0])})


class _Known(NamedTuple):
    names: tuple[str, ...]
    lookup: frozenset[str]


class _Names:
    """Names an element offers to the ends of edges, gathered once for any number of edges."""

    def __init__(self, read: Callable[[IndexEntry], tuple[str, ...]]) -> None:
        self._read = read
        self._found: dict[str, _Known] = {}

    def of(self, entry: IndexEntry) -> _Known:
        found = self._found.get(entry.id)
        if found is None:
            names = tuple(dict.fromkeys(self._read(entry)))
            found = self._found[entry.id] = _Known(names, frozenset(names))
        return found


def _joined(index: DocumentIndex) -> Iterator[tuple[IndexEntry, str, JsonObject, IndexEntry]]:
    """(edge, end name, end, element) for every existing end."""
    for edge in index.of_kind("edge"):
        for name, end, element_id in ends_of(edge.members):
            entry = index.by_id.get(element_id)
            if entry is not None:
                yield edge, name, end, entry


def _ports(entry: IndexEntry, limits: Limits) -> Iterator[tuple[int, str]]:
    ports = entry.members.get("ports")
    for position, port in enumerate(ports[: limits.ports] if is_array(ports) and entry.kind in _WITH_PORTS else ()):
        port_id = port.get("id") if is_object(port) else None
        if isinstance(port_id, str):
            yield position, port_id


def _columns(entry: IndexEntry, limits: Limits) -> tuple[str, ...]:
    columns = member(entry.members, "extensions", "columns")
    names = [member(column, "name") for column in (columns[: limits.columns] if is_array(columns) else ())]
    return tuple(name for name in names if isinstance(name, str))
