"""The published JSON Schemas, generated from the tables that validate."""

from __future__ import annotations

from fastapi import Request
from starlette.responses import Response

from scenograph.http.answers import CACHED, tagged_response
from scenograph.http.guards import Serving


def scene(request: Request, services: Serving) -> Response:
    """The form of a scene document."""
    return tagged_response(request, services.scene_schema, CACHED)


def ops(request: Request, services: Serving) -> Response:
    """The form of the body of applyOps, with every operation."""
    return tagged_response(request, services.ops_schema, CACHED)


def scene_draft_07(request: Request, services: Serving) -> Response:
    """The form of a scene document, for editors that read draft 07."""
    return tagged_response(request, services.scene_schema_draft_07, CACHED)


def ops_draft_07(request: Request, services: Serving) -> Response:
    """The form of the body of applyOps, for editors that read draft 07."""
    return tagged_response(request, services.ops_schema_draft_07, CACHED)
