"""The published form of replies about other tools' sources."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from scenograph.http.bodies import DiagnosticBody, Wire


class SourceImported(Wire):
    """A document that a source was read into; nothing is kept."""

    scene: dict[str, Any] = Field(description="A document, ready to be created.")
    diagnostics: list[DiagnosticBody]


class SceneSynchronized(Wire):
    """Reply of a sync."""

    scene_id: str
    revision: int = Field(examples=[2])
    applied: int = Field(description="How many operations were applied; 0 when nothing changed, and in a dry run.")
    ops: list[dict[str, Any]]
    diagnostics: list[DiagnosticBody]
