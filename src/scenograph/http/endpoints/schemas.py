"""The published JSON Schemas, generated from the tables that validate."""

from __future__ import annotations

from starlette.responses import Response

from scenograph.http.answers import json_bytes
from scenograph.http.guards import Serving

MEDIA_TYPE = "application/schema+json"
CACHED = {"Cache-Control": "public, max-age=3600"}


def scene(services: Serving) -> Response:
    """The form of a scene document."""
    return Response(json_bytes(services.scene_schema), 200, CACHED, MEDIA_TYPE)


def ops(services: Serving) -> Response:
    """The form of the body of applyOps, with every operation."""
    return Response(json_bytes(services.ops_schema), 200, CACHED, MEDIA_TYPE)
