"""Documents that are checked or completed, and not kept."""

from __future__ import annotations

from fastapi import Request
from starlette.responses import Response

from scenograph.diagnostics import wire_form
from scenograph.http.answers import json_response
from scenograph.http.guards import EnginePayer, RawBody, RenderSlot, Serving, most_elements


def validate_scene(request: Request, services: Serving, raw: RawBody, _payer: EnginePayer) -> Response:
    """Check a scene document. Answers 200 for any JSON object; every problem is listed at once."""
    judged = services.documents.judge(raw, most_elements=most_elements(request, services))
    valid = judged.is_valid
    return json_response({"valid": valid, "ok": valid, "diagnostics": wire_form(judged.diagnostics)})


def normalize_scene(request: Request, services: Serving, _slot: RenderSlot, raw: RawBody) -> Response:
    """The document with every default written in, every position resolved and `computed`; nothing is kept."""
    normalized = services.rendering.normalize(raw, most_elements(request, services))
    return json_response({**normalized.document, "diagnostics": list(normalized.diagnostics)})
