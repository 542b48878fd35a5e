"""The parameters of a render: one row each, read once for the stored and the inline render (decisions: section 8).

A wrong value is refused with the allowed ones; an unknown member is a warning, so that a misspelling is seen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from scenograph.diagnostics import UNKNOWN_FIELD, Report
from scenograph.scene.json_values import is_object
from scenograph.scene.near_names import Budget, nearest
from scenograph.service.picture_size import MAX_SCALE, MIN_SCALE
from scenograph.service.refusals import invalid_request
from scenograph.service.revision_numbers import revision_number

SVG, PNG, EXCALIDRAW = "svg", "png", "excalidraw"
MIME_TYPES = {SVG: "image/svg+xml", PNG: "image/png", EXCALIDRAW: "application/vnd.excalidraw+json"}

PARAMETERS = ("format", "theme", "scale", "watermark", "revision", "diff")
PUBLISHED_PARAMETERS = ("format", "theme", "scale")
INLINE_PARAMETERS = ("format", "theme", "scale", "watermark", "scene")
# Written by clients that send the same body everywhere; they choose nothing here.
SILENT = ("sceneId", "schemaVersion")
STORED_ONLY = ("diff",)


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderRequest:
    """What is asked for. `theme` None lets the scene choose; `revision` None means the latest; `from_revision` asks for
    a visual diff with that one."""

    format: str = SVG
    theme: str | None = None
    scale: float = 1.0
    revision: int | None = None
    from_revision: int | None = None
    watermark: bool = False
    diagnostics: tuple[dict[str, Any], ...] = ()


def read_render_request(
    body: Mapping[str, Any], known: Sequence[str], themes: Sequence[str], preferred_format: str = SVG
) -> RenderRequest:
    """The request in a parsed body; invalid_request names the allowed values. `preferred_format` is the default."""
    for name in STORED_ONLY:
        if name not in known and body.get(name) is not None:
            raise invalid_request(f"{name} compares revisions of a stored scene; there is only one document here.")
    return RenderRequest(
        format=_one_of(body, "format", tuple(MIME_TYPES)) or preferred_format,
        theme=_one_of(body, "theme", themes),
        scale=_scale(body.get("scale")),
        revision=_revision(body.get("revision")),
        from_revision=_from_revision(body.get("diff")),
        watermark=_flag("watermark", body.get("watermark")),
        diagnostics=_unknown_members(body, known),
    )


def _one_of(body: Mapping[str, Any], name: str, allowed: Sequence[str]) -> str | None:
    value = cast("object", body.get(name))
    if value is None or (isinstance(value, str) and value in allowed):
        return value
    raise invalid_request(f"{name} must be one of: {', '.join(allowed)}.")


def _scale(value: object) -> float:
    if value is None:
        return 1.0
    if isinstance(value, bool) or not isinstance(value, int | float) or not MIN_SCALE <= value <= MAX_SCALE:
        raise invalid_request(f"scale must be a number from {MIN_SCALE:g} to {MAX_SCALE:g}.")
    return float(value)


def _revision(value: object) -> int | None:
    return None if value is None else revision_number("revision", value)


def _from_revision(diff: object) -> int | None:
    if diff is None:
        return None
    members = diff if is_object(diff) else {}
    strange = [name for name in members if name != "fromRevision"]
    if strange or members.get("fromRevision") is None:
        raise invalid_request('diff must be an object with the member fromRevision alone: {"fromRevision": 1}.')
    return revision_number("diff.fromRevision", members["fromRevision"])


def _flag(name: str, value: object) -> bool:
    if value is not None and not isinstance(value, bool):
        raise invalid_request(f"{name} must be true or false.")
    return bool(value)


def _unknown_members(body: Mapping[str, Any], known: Sequence[str]) -> tuple[dict[str, Any], ...]:
    report, budget = Report(), Budget()
    for name in body:
        if name in known or name in SILENT or name in STORED_ONLY:
            continue
        near = nearest(name, known, budget)
        data = {"suggestion": near} if near else None
        report.add(UNKNOWN_FIELD, path=f"/{name[:80]}", data=data, name=f"'{name[:80]}'", owner="a render request")
    return tuple(row.as_json() for row in report.rows)
