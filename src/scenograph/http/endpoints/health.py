"""Whether the service runs, and whether it can work."""

from __future__ import annotations

from starlette.responses import Response

from scenograph.http.answers import json_response
from scenograph.http.guards import Serving
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
