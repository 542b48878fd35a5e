"""Sources of other tools: read into documents, and followed by stored scenes (R-IN-1, R-SYNC-1).

In: a caller's parsed body. Out: a document, or the operations that bring a scene to its source. Sources are read behind
`EnginePort`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scenograph.diagnostics import LIMIT_EXCEEDED, UNREADABLE_SOURCE, Diagnostic, Report, wire_form
from scenograph.late_dataclasses import dataclass
from scenograph.scene.json_values import JsonObject
from scenograph.scene.limits import Limits
from scenograph.scene.synchronizing import kept_page, kept_view
from scenograph.service.accounts import Caller
from scenograph.service.documents import Documents, EnginePort, engine_faults_translated, text_of
from scenograph.service.errors import ServiceError, invalid_request, validation_failed
from scenograph.service.render_requests import NOTHING_WANTED, Wanted, read_member, read_required
from scenograph.service.scenes import Scenes
from scenograph.wire.limits import SOURCE_BYTES
from scenograph.wire.members import (
    BASE_REVISION,
    DIALECT,
    DRY_RUN,
    MESSAGE,
    PAGE,
    PRUNE,
    SCENE_ID,
    SOURCE_FORMAT,
    SOURCE_NAME,
    SOURCE_VIEW,
    TITLE,
)
from scenograph.workers import SourceRead, SourceTooLarge, SourceUnreadable

WireDiagnostic = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """A document ready for creation, and the losses of the import."""

    document: JsonObject
    diagnostics: tuple[WireDiagnostic, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Synchronized:
    """The result of a sync, real or dry: its operations, and the scene's revision."""

    scene_id: str
    revision: int
    applied: int
    ops: tuple[JsonObject, ...]
    diagnostics: tuple[WireDiagnostic, ...]


class Sources:
    """Reads sources by `engine`, judges them by `documents`, and applies them to `scenes`."""

    def __init__(self, scenes: Scenes, engine: EnginePort, documents: Documents, limits: Limits) -> None:
        self._scenes = scenes
        self._engine = engine
        self._documents = documents
        self._limits = limits

    def read(self, body: Mapping[str, Any], most_elements: int | None = None) -> Imported:
        """The document of a source; nothing is kept. invalid_request, body_too_large, unreadable_source,
        scene_too_large beyond `most_elements`, validation_failed and the engine's refusals."""
        read = self._read(body)
        judged = self._documents.judge(text_of(read.document), most_elements=most_elements).require_valid()
        return Imported(document=read.document.value, diagnostics=(*read.diagnostics, *wire_form(judged.diagnostics)))

    def sync(
        self,
        owner: str,
        scene_id: str,
        body: Mapping[str, Any],
        *,
        by: Caller | None = None,
        wanted: Wanted = NOTHING_WANTED,
    ) -> Synchronized:
        """Bring a stored scene to its source as a new revision, unless nothing changed or `dryRun` is set. Raises as
        `read`, and scene_not_found, revision_conflict, and invalid_request for `wanted` that cannot be."""
        base = read_required(body, BASE_REVISION)
        dry, prune = read_member(body, DRY_RUN, default=False), read_member(body, PRUNE, default=False)
        message = read_member(body, MESSAGE)
        stored = self._scenes.latest(owner, scene_id, base)
        self._scenes.require_comparable(owner, scene_id, base, wanted)
        name = str(body.get("document") or "")
        read = self._read(body, kept_view(stored.document.value, name), kept_page(stored.document.value, name))
        source = (read.format, str(body.get("document") or ""))
        asked = {"source": source, "whole": read.whole, "prune": prune, "dry": dry}
        done = self._scenes.follow(owner, stored, read.document, asked, message, by=by)
        remarks = (*read.diagnostics, *wire_form(done.remarks))
        applied = done.applied
        if applied is None:
            return Synchronized(scene_id=scene_id, revision=base, applied=0, ops=done.ops, diagnostics=remarks)
        return Synchronized(
            scene_id=scene_id,
            revision=applied.revision,
            applied=applied.applied,
            ops=done.ops,
            diagnostics=(*remarks, *wire_form(applied.diagnostics)),
        )

    def _read(self, body: Mapping[str, Any], view: str | None = None, page: int | None = None) -> SourceRead:
        """The source read, with the view and the page of its import where the body names none."""
        text = _source(body)
        asked = {
            "format": read_member(body, SOURCE_FORMAT),
            "dialect": read_member(body, DIALECT),
            "page": read_member(body, PAGE) or page,
            "view": read_member(body, SOURCE_VIEW),
            "kept_view": view,
            "document": read_member(body, SOURCE_NAME) or "",
            "scene_id": read_member(body, SCENE_ID),
            "title": read_member(body, TITLE),
            "most_elements": self._limits.elements,
        }
        try:
            with engine_faults_translated():
                return self._engine.read_source(text, **asked)
        except SourceUnreadable as refused:
            raise _unreadable(refused) from refused
        except SourceTooLarge as refused:
            raise validation_failed(_too_large(refused.most)) from refused


def _source(body: Mapping[str, Any]) -> str:
    text = body.get("source")
    if not isinstance(text, str):
        raise invalid_request("source must be the text to read, a string.")
    if len(text) > SOURCE_BYTES or len(text.encode("utf-8", "surrogatepass")) > SOURCE_BYTES:
        raise ServiceError("body_too_large", f"source is larger than {SOURCE_BYTES} bytes of UTF-8.")
    return text


def _unreadable(refused: SourceUnreadable) -> ServiceError:
    report = Report()
    data = {"line": refused.line, "column": refused.column or 1, "expected": refused.expected}
    told = f" {refused.hint}" if refused.hint else ""
    report.add(UNREADABLE_SOURCE, path="/source", data=data, line=refused.line, expected=refused.expected, hint=told)
    sentence = f"The source cannot be read: in line {refused.line} {refused.expected} was expected.{told}"
    return ServiceError("unreadable_source", sentence, diagnostics=report.rows)


def _too_large(most: int) -> tuple[Diagnostic, ...]:
    report = Report()
    count, data = f"more than {most}", {"limit": most}
    report.add(LIMIT_EXCEEDED, path="/source", data=data, name="the source", count=count, what="elements", limit=most)
    return report.rows
