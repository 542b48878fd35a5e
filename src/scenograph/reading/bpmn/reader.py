"""The way into this room: an XML text to a document."""

from __future__ import annotations

from scenograph.reading.bpmn.document import document_of
from scenograph.reading.bpmn.interchange import read_diagrams
from scenograph.reading.bpmn.process import gather
from scenograph.reading.bpmn.vocabulary import MODEL
from scenograph.reading.losses import Losses, TooLarge, Unreadable
from scenograph.reading.markup import parsed
from scenograph.reading.source import Source
from scenograph.scene.json_values import JsonObject

ROOT = "definitions"
_HEAD = 20_000  # characters in which the namespace is looked for


def recognizes(text: str) -> bool:
    """Whether a text is XML that speaks of BPMN's own namespace."""
    head = text[:_HEAD]
    return head.lstrip("\ufeff \t\r\n").startswith("<") and MODEL in head


def read(source: Source, losses: Losses) -> JsonObject:
    """The document of a BPMN file. Unreadable when it is none, or holds nothing that a scene can show, TooLarge."""
    root = parsed(source.text)
    if root.name != ROOT or root.space != MODEL:
        raise Unreadable(root.place, f"<{ROOT}> in the namespace {MODEL}")
    found = gather(root, read_diagrams(root), losses)
    if not found.symbols and not found.containers:
        raise Unreadable(root.place, "a process or a collaboration that holds anything")
    if len(found.symbols) + len(found.containers) + len(found.lines) > source.most_elements:
        raise TooLarge(source.most_elements)
    return document_of(found, source, _title(root.get("name"), *(row.get("name") for row in root.all("process"))))


def _title(*names: str) -> str:
    return next((name.strip() for name in names if name.strip()), "")
