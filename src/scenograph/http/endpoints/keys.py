"""API keys."""

from __future__ import annotations

from starlette.responses import Response

from scenograph.http.answers import json_response
from scenograph.http.guards import Body, CallerByKey, Serving


def create_key(services: Serving, caller: CallerByKey, body: Body) -> Response:
    """Create a further key of the caller's account. The key is shown in this reply and never again."""
    made = services.keys.create(caller.account_id, body.get("name"))
    headers = {"Cache-Control": "no-store"}
    return json_response({"id": made.id, "key": made.key, "name": made.name}, status=201, headers=headers)
