"""The published JSON Schemas, generated from the tables that validate."""

from __future__ import annotations

from starlette.responses import Response

from scenograph.http.answers import json_response
from scenograph.http.guards import Serving

CACHED = {"Cache-Control": "public, max-age=3600"}


def scene(services: Serving) -> Response:
    """The form of a scene document."""
    return json_response(services.scene_schema, headers=CACHED)


def ops(services: Serving) -> Response:
    """The form of the body of applyOps, with every operation."""
    return json_response(services.ops_schema, headers=CACHED)


def scene_draft_07(services: Serving) -> Response:
    """The form of a scene document, for editors that read draft 07."""
    return json_response(services.scene_schema_draft_07, headers=CACHED)


def ops_draft_07(services: Serving) -> Response:
    """The form of the body of applyOps, for editors that read draft 07."""
    return json_response(services.ops_schema_draft_07, headers=CACHED)
