"""Metrics for Prometheus."""

from __future__ import annotations

from fastapi import Request
from starlette.responses import Response

from scenograph.http.metrics import MEDIA_TYPE, metrics_of


async def metrics(request: Request) -> Response:
    """Figures in Prometheus's text format."""
    return Response(metrics_of(request).text(), headers={"Cache-Control": "no-store"}, media_type=MEDIA_TYPE)
