"""Losses with other tools' files, and decisions of a sync."""

from __future__ import annotations

from scenograph.diagnostics.rows import DOCUMENT, ELEMENT, ELEMENTS, Code, Severity

EXPORT_LOSS = Code(
    "EXPORT_LOSS",
    Severity.INFO,
    "{form} cannot represent: {what}.",
    when="A file format cannot represent a part of the scene.",
    path=ELEMENTS,
    data=(
        "format",
        "losses",
    ),
)
UNREADABLE_SOURCE = Code(
    "UNREADABLE_SOURCE",
    Severity.ERROR,
    "Line {line} of the source: expected {expected}.{hint}",
    when="Nothing of a source can be read.",
    path="/source",
    data=(
        "line",
        "column",
        "expected",
    ),
)
SYNC_RENAME = Code(
    "SYNC_RENAME",
    Severity.INFO,
    "{before} may be called {after} now: {outcome}.",
    when="An element of the source has another name now, or may have.",
    path=ELEMENT,
    data=(
        "from",
        "to",
        "certain",
    ),
)
SYNC_KEPT = Code(
    "SYNC_KEPT",
    Severity.WARNING,
    "{count} element(s) are no longer in the source, but are kept, because {why}; prune removes them.",
    when="Elements are no longer in the source, a part of which could not be read, or which holds no elements at all.",
    path=ELEMENTS,
    data=("elementIds",),
)
IMPORT_LOSS = Code(
    "IMPORT_LOSS",
    Severity.WARNING,
    "Line {line} of the source: {what}; the rest was imported.",
    when="A part of a source has no form in a scene, or could not be read.",
    path=DOCUMENT,
    data=(
        "line",
        "column",
        "what",
    ),
)
