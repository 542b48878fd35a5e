"""References of fragments and notes in sequence diagrams (R-SEQ-11, R-SEQ-12). The lists stand in `extensions`, where
an unknown name costs no more than itself: a remark, not an error."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from scenograph.diagnostics import FRAGMENT_MESSAGE_NOT_FOUND, NOTE_LIFELINE_NOT_FOUND
from scenograph.scene.description.fields import Problem
from scenograph.scene.document_index import DocumentIndex, IndexEntry
from scenograph.scene.json_values import is_array, member, shown
from scenograph.scene.limits import Limits
from scenograph.scene.vocabulary import FRAGMENT_TYPE, NOTE_TYPES


def operands_name_messages(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """An operand lists messages, notes and inner fragments."""
    known = _ids(index, lambda entry: entry.kind == "edge" or _is_note(entry) or _is_fragment(entry))
    lookup = frozenset(known)
    for fragment in filter(_is_fragment, index.entries):
        operands = member(fragment.members, "extensions", "operands")
        for number, operand in enumerate(operands if is_array(operands) else ()):
            for position, name in _listed(member(operand, "messages")):
                if name not in lookup:
                    path = fragment.at("extensions", "operands", number, "messages", position)
                    holes = {"fragment": shown(fragment.id), "id": shown(name)}
                    yield Problem(
                        path, FRAGMENT_MESSAGE_NOT_FOUND, holes, None, (name, known), frozenset((fragment.id,))
                    )


def notes_name_lifelines(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """A note stands over nodes other than notes."""
    known = _ids(index, lambda entry: entry.kind == "node" and not _is_note(entry))
    lookup = frozenset(known)
    for note in filter(_is_note, index.entries):
        for position, name in _listed(member(note.members, "extensions", "over")):
            if name not in lookup:
                path, holes = note.at("extensions", "over", position), {"note": shown(note.id), "id": shown(name)}
                yield Problem(path, NOTE_LIFELINE_NOT_FOUND, holes, None, (name, known))


def _is_note(entry: IndexEntry) -> bool:
    return entry.kind == "node" and entry.members.get("nodeType") in NOTE_TYPES


def _is_fragment(entry: IndexEntry) -> bool:
    return entry.kind == "frame" and entry.members.get("containerType") == FRAGMENT_TYPE


def _ids(index: DocumentIndex, wanted: Callable[[IndexEntry], bool]) -> tuple[str, ...]:
    return tuple(entry.id for entry in index.entries if wanted(entry))


def _listed(value: object) -> Iterator[tuple[int, str]]:
    """(index, id) of readable ids."""
    return ((position, name) for position, name in enumerate(value if is_array(value) else ()) if isinstance(name, str))
