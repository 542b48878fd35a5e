"""Pictures of stored and inline scenes, in an envelope or bare."""

from __future__ import annotations

from functools import partial

from fastapi import Request
from starlette.responses import Response

from scenograph.http.answers import BY_ACCEPT, JSON, picture_response, preferred, reply_with
from scenograph.http.drawer import Drawer
from scenograph.http.endpoints.scenes import PublicId
from scenograph.http.guards import OptionalBody, RawBody, Serving, SharedScene, most_elements
from scenograph.http.metrics import metrics_of
from scenograph.service.rendering import ServedPicture
from scenograph.wire.formats import BY_MEDIA_TYPE, SVG


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
