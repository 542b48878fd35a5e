"""Documents that are checked or completed, and not kept."""

from __future__ import annotations

from fastapi import Request
from starlette.responses import Response

from scenograph.diagnostics import Severity, wire_form
from scenograph.http.answers import json_response
from scenograph.http.guards import Body, RenderSlot, Serving, admit_document
from scenograph.scene.authored import authored
from scenograph.scene.validation import validate


def validate_scene(request: Request, services: Serving, body: Body) -> Response:
    """Check a scene document. Answers 200 for any JSON object; every problem is listed at once."""
    admit_document(request, services, body)
    rows = validate(authored(body), services.limits)
    valid = all(row.severity is not Severity.ERROR for row in rows)
    return json_response({"valid": valid, "ok": valid, "diagnostics": wire_form(rows)})


def normalize_scene(request: Request, services: Serving, _slot: RenderSlot, body: Body) -> Response:
    """The document with every default written in, every position resolved and `computed`; nothing is kept."""
    admit_document(request, services, body)
    normalized = services.rendering.normalize(body)
    return json_response({**normalized.document, "diagnostics": list(normalized.diagnostics)})
