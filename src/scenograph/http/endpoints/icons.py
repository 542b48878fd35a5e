"""The icons that a node may carry."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request
from starlette.responses import Response

from scenograph.http.answers import CACHED, tagged_response
from scenograph.http.guards import Serving
from scenograph.wire.limits import ICON_QUERY_LENGTH

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
