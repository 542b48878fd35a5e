"""Remarks about scenes that still render (R-VALID-10, R-VALID-13)."""

from __future__ import annotations

from collections.abc import Iterator

from scenograph.diagnostics import (
    LIMIT_EXCEEDED,
    MISSING_DIAGRAM_FAMILY,
    ORPHAN_SCREEN,
    OUTER_FIELD_NESTED,
    UNKNOWN_ICON,
)
from scenograph.scene.description.fields import Problem
from scenograph.scene.document_index import END_NAMES, DocumentIndex, IndexEntry, children_of, ends_of
from scenograph.scene.family_traits import traits_of
from scenograph.scene.json_values import listed, member, shown
from scenograph.scene.limits import Limits
from scenograph.scene.reading import READ_FROM_SCENE, nested_fields, outdone_fields
from scenograph.scene.vocabulary import DIAGRAM_FAMILIES

# The total length of a document's labels.


_NAMES = ("label", "content", "text")  # the last is an alias of the second
_WHAT = "characters in labels and text contents together"


def texts_are_bounded(index: DocumentIndex, limits: Limits) -> Iterator[Problem]:
    """Bound the total text: setting, wrapping and drawing cost work for each character."""
    count = sum(map(_length, index.entries))
    if count > limits.text_length:
        holes = {"count": count, "what": _WHAT, "limit": limits.text_length}
        yield Problem("/elements", LIMIT_EXCEEDED, holes, {"count": count, "limit": limits.text_length})


def _length(entry: IndexEntry) -> int:
    texts = [entry.members.get(name) for name in _NAMES]
    texts += [member(entry.members, end, "label") for end in END_NAMES]
    return sum(len(text) for text in texts if isinstance(text, str))


IGNORED = "those at the root count"
ICON_CHARACTERS = 160  # of unknown keys: each letter is compared with thousands of names


def family_is_declared(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """Ask for a declared family: without a family drawing is a guess."""
    nested = "diagramFamily" in nested_fields(index.document)
    said = member(index.document, "scene", "diagramFamily") if nested else index.document.get("diagramFamily", "")
    if said == "":
        data = {"allowedValues": list(DIAGRAM_FAMILIES)}
        yield Problem("/diagramFamily", MISSING_DIAGRAM_FAMILY, {"allowed": listed(DIAGRAM_FAMILIES)}, data)


def outer_fields_are_outside(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """Remark on root members inside `scene`, which are read unless also present at the root."""
    for outcome, names in ((READ_FROM_SCENE, nested_fields), (IGNORED, outdone_fields)):
        nested = names(index.document)
        if nested:
            holes = {"fields": listed(nested), "outcome": outcome}
            yield Problem("/scene", OUTER_FIELD_NESTED, holes, {"nestedFields": list(nested)})


def icons_are_known(index: DocumentIndex, limits: Limits) -> Iterator[Problem]:
    """Remark on unknown icon keys; the nearest keys are looked up for the first few only."""
    if limits.icons is None:
        return
    nearest: dict[str, tuple[str, ...]] = {}
    characters = ICON_CHARACTERS
    for element in (*index.of_kind("node"), *index.of_kind("frame"), *index.legend_entries()):
        key = element.members.get("icon")
        if not isinstance(key, str) or limits.icons.knows(key):
            continue
        if key not in nearest:
            characters -= len(key)
            nearest[key] = limits.icons.nearest(key) if characters >= 0 else ()
        names = nearest[key]
        data = {"suggestion": names[0], "nearest": list(names)} if names else None
        holes = {"icon": shown(key), "nearest": listed(names) if names else "see GET /v1/icons"}
        yield Problem(element.at("icon"), UNKNOWN_ICON, holes, data)


def screens_are_reached(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """Every screen lies on some path from an entry. Without any entry nothing can be said."""
    ends = traits_of(index.family).reached
    if ends is None:
        return
    entry_type, screen_types = ends
    entries = [node.id for node in _of_type(index, (entry_type,))]
    if not entries:
        return
    reached = _reached(index, entries)
    for screen in _of_type(index, screen_types):
        if screen.id not in reached:
            yield Problem(screen.at(), ORPHAN_SCREEN, {"id": shown(screen.id)})


def _of_type(index: DocumentIndex, node_types: tuple[str, ...]) -> Iterator[IndexEntry]:
    return (node for node in index.of_kind("node") if node.members.get("nodeType") in node_types)


def _reached(index: DocumentIndex, starts: list[str]) -> frozenset[str]:
    """All elements reachable by edges from the starts; reaching a container reaches its content."""
    ways: dict[str, list[str]] = {}
    for edge in index.of_kind("edge"):
        ends = [element_id for _, _, element_id in ends_of(edge.members)]
        if len(ends) == 2:
            ways.setdefault(ends[0], []).append(ends[1])
    for entry in index.entries:
        if entry.kind in {"frame", "group"}:
            ways.setdefault(entry.id, []).extend(child for _, child in children_of(entry.members))
    reached = set(starts)
    waiting = list(starts)
    while waiting:
        for following in ways.get(waiting.pop(), ()):
            if following not in reached:
                reached.add(following)
                waiting.append(following)
    return frozenset(reached)
