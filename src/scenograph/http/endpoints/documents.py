"""Validation, normalization and rendering of documents without storage."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request
from starlette.responses import Response

from scenograph.diagnostics import wire_form
from scenograph.http.answers import CACHED, json_response, tagged_response
from scenograph.http.guards import EnginePayer, RawBody, RenderSlot, Serving, most_elements
from scenograph.wire.limits import ICON_QUERY_LENGTH


def validate_scene(request: Request, services: Serving, raw: RawBody, _payer: EnginePayer) -> Response:
    """Check a scene document. Answers 200 for any JSON object; every problem is listed at once."""
    judged = services.documents.judge(raw, most_elements=most_elements(request, services))
    valid = judged.is_valid
    return json_response({"valid": valid, "ok": valid, "diagnostics": wire_form(judged.diagnostics)})


def normalize_scene(request: Request, services: Serving, _slot: RenderSlot, raw: RawBody) -> Response:
    """The document with every default written in, every position resolved and `computed`; nothing is kept."""
    normalized = services.rendering.normalize(raw, most_elements(request, services))
    return json_response({**normalized.document, "diagnostics": list(normalized.diagnostics)})


# The published JSON Schemas, generated from the tables that validate.


def scene(request: Request, services: Serving) -> Response:
    """The form of a scene document."""
    return tagged_response(request, services.scene_schema, CACHED)


def ops(request: Request, services: Serving) -> Response:
    """The form of the body of applyOps, with every operation."""
    return tagged_response(request, services.ops_schema, CACHED)


def scene_draft_07(request: Request, services: Serving) -> Response:
    """The schema of a scene document, for editors limited to draft 07."""
    return tagged_response(request, services.scene_schema_draft_07, CACHED)


def ops_draft_07(request: Request, services: Serving) -> Response:
    """The schema of the body of applyOps, for editors limited to draft 07."""
    return tagged_response(request, services.ops_schema_draft_07, CACHED)


# The icons of nodes.


MAX_ICONS = 10_000

Words = Annotated[
    str,
    Query(
        max_length=ICON_QUERY_LENGTH,
        description="Words of a name, tag or category; a prefix such as `aws:` keeps to one set. None: all icons.",
        examples=["database"],
    ),
]
Most = Annotated[int, Query(ge=1, le=MAX_ICONS, description="How many at most; `total` counts all that match.")]


def list_icons(request: Request, services: Serving, q: Words = "", limit: Most = MAX_ICONS) -> Response:
    """Keys for the member `icon` of a node, the best match first."""
    found = services.search_icons(q)
    items = [{"key": key, "category": category} for key, category in found[:limit]]
    return tagged_response(request, {"items": items, "total": len(found)}, CACHED)
