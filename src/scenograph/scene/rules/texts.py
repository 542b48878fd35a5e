"""How much there is to read: the labels of a document together."""

from __future__ import annotations

from collections.abc import Iterator

from scenograph.diagnostics import LIMIT_EXCEEDED
from scenograph.scene.document_index import END_NAMES, DocumentIndex, IndexEntry
from scenograph.scene.fields import Problem
from scenograph.scene.json_values import member
from scenograph.scene.limits import Limits

_NAMES = ("label", "content", "text")  # the last is another name of the one before it
_WHAT = "characters in labels and text contents together"


def texts_are_bounded(index: DocumentIndex, limits: Limits) -> Iterator[Problem]:
    """Setting, wrapping and drawing them is work for each character."""
    count = sum(map(_length, index.entries))
    if count > limits.text_length:
        holes = {"count": count, "what": _WHAT, "limit": limits.text_length}
        yield Problem("/elements", LIMIT_EXCEEDED, holes, {"count": count, "limit": limits.text_length})


def _length(entry: IndexEntry) -> int:
    texts = [entry.members.get(name) for name in _NAMES]
    texts += [member(entry.members, end, "label") for end in END_NAMES]
    return sum(len(text) for text in texts if isinstance(text, str))
