"""Liveness, readiness and metrics of the service."""

from __future__ import annotations

from fastapi import Request
from starlette.responses import Response

from scenograph.http.answers import json_response
from scenograph.http.guards import Serving
from scenograph.http.metrics import MEDIA_TYPE, metrics_of
from scenograph.service.errors import ServiceError

RETRY_SECONDS = 1.0


async def health() -> Response:
    """Answers while the process lives; asks nothing of anybody."""
    return json_response({"status": "ok"})


def ready(services: Serving) -> Response:
    """Answers once scenes can be stored and rendered; 503 until then."""
    services.check_storage()
    if not services.renderers_alive():
        raise ServiceError("overloaded", "The renderers are not ready yet.", retry_after=RETRY_SECONDS)
    return json_response({"status": "ready"})


# Metrics for Prometheus.


async def metrics(request: Request) -> Response:
    """Figures in Prometheus's text format."""
    return Response(metrics_of(request).text(), headers={"Cache-Control": "no-store"}, media_type=MEDIA_TYPE)
