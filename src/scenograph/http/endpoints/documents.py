"""Documents and pictures: validated, normalized, rendered, of inline and stored scenes."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import Query, Request
from starlette.responses import Response

from scenograph.diagnostics import wire_form
from scenograph.http.answers import (
    BY_ACCEPT,
    CACHED,
    JSON,
    json_response,
    picture_response,
    preferred,
    reply_with,
    tagged_response,
)
from scenograph.http.drawer import Drawer
from scenograph.http.endpoints.scenes import PublicId
from scenograph.http.guards import EnginePayer, OptionalBody, RawBody, RenderSlot, Serving, SharedScene, most_elements
from scenograph.http.metrics import metrics_of
from scenograph.service.rendering import ServedPicture
from scenograph.wire.formats import BY_MEDIA_TYPE, SVG
from scenograph.wire.names import ICON_QUERY_LENGTH

# Validation, normalization and rendering of documents without storage.


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


# Pictures of stored and inline scenes, in an envelope or bare.


async def render_stored(
    request: Request, services: Serving, scene: SharedScene, *, drawer: Drawer, body: OptionalBody
) -> Response:
    """Render a stored scene. `Accept` with a format's media type gives the bare picture. `diff` shows the changes since
    another revision."""
    wanted = _format_by_accept(request)
    return await drawer.reply(
        lambda: services.rendering.stored(scene.caller, scene.scene_id, body, wanted, owner=scene.owner),
        partial(_reply, request),
    )


async def render_inline(request: Request, services: Serving, drawer: Drawer, raw: RawBody) -> Response:
    """Render the document in `scene`; nothing is kept. An `Accept` of a format's media type gives the bare picture."""
    wanted, most = _format_by_accept(request), most_elements(request, services)
    return await drawer.reply(lambda: services.rendering.inline(raw, wanted, most), partial(_reply, request))


async def render_published(
    request: Request, services: Serving, public_id: PublicId, drawer: Drawer, body: OptionalBody
) -> Response:
    """Render the latest revision of a published scene. `Accept: image/svg+xml`, `image/png` or
    `application/vnd.excalidraw+json` gives the bare picture."""
    wanted = _format_by_accept(request)
    return await drawer.reply(
        lambda: services.publishing.read(public_id, body, wanted), lambda found: _reply(request, found.picture)
    )


def _format_by_accept(request: Request) -> str:
    wanted = preferred(request.headers.get("accept", ""), (JSON, *BY_MEDIA_TYPE))
    return BY_MEDIA_TYPE.get(wanted, SVG).name


def _reply(request: Request, picture: ServedPicture) -> Response:
    """Bare when the caller would rather have the picture's own type than JSON."""
    metrics_of(request).rendered(BY_MEDIA_TYPE[picture.mime_type].name, picture.theme)
    if preferred(request.headers.get("accept", ""), (JSON, picture.mime_type)) == picture.mime_type:
        return picture_response(picture.mime_type, picture.content)
    computed = {} if picture.computed is None else {"computed": picture.computed}
    return reply_with(picture, {"diagnostics": list(picture.diagnostics), **computed}, headers=BY_ACCEPT)
