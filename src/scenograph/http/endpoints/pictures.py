"""Pictures of stored and inline scenes, in an envelope or bare."""

from __future__ import annotations

from functools import partial
from typing import Any

from fastapi import Request
from starlette.responses import Response

from scenograph.http.answers import BASE64, BY_ACCEPT, json_response, json_response_with, picture_response
from scenograph.http.drawer import Drawer
from scenograph.http.endpoints.scenes import PublicId, SceneId
from scenograph.http.guards import Body, CallerByKey, OptionalBody, Serving, admit_document
from scenograph.http.media_types import JSON, preferred
from scenograph.http.metrics import metrics_of
from scenograph.scene.json_values import JsonObject
from scenograph.service.drawings import Drawing
from scenograph.service.rendering import Picture
from scenograph.wire.formats import BY_MEDIA_TYPE, SVG


async def render_stored(
    request: Request, services: Serving, caller: CallerByKey, scene_id: SceneId, *, drawer: Drawer, body: OptionalBody
) -> Response:
    """Render a stored scene. An `Accept` of a format's media type gives the bare picture. With `diff` it shows what
    changed since another revision."""
    wanted = _format_by_accept(request)
    return await drawer.reply(
        lambda: services.rendering.stored(caller, scene_id, body, wanted), partial(_reply, request, body)
    )


async def render_inline(request: Request, services: Serving, drawer: Drawer, body: Body) -> Response:
    """Render the document in `scene`; nothing is kept. An `Accept` of a format's media type gives the bare picture."""

    def begin() -> Drawing[Picture]:
        admit_document(request, services, body.get("scene"))
        return services.rendering.inline(body, _format_by_accept(request))

    return await drawer.reply(begin, partial(_reply, request, body))


async def render_published(
    request: Request, services: Serving, public_id: PublicId, drawer: Drawer, body: OptionalBody
) -> Response:
    """Render the latest revision of a published scene. `Accept: image/svg+xml`, `image/png` or
    `application/vnd.excalidraw+json` gives the bare picture."""
    wanted = _format_by_accept(request)
    return await drawer.reply(
        lambda: services.publishing.read(public_id, body, wanted), lambda found: _reply(request, body, found.picture)
    )


def _format_by_accept(request: Request) -> str:
    wanted = preferred(request.headers.get("accept", ""), (JSON, *BY_MEDIA_TYPE))
    return BY_MEDIA_TYPE.get(wanted, SVG).name


def _reply(request: Request, body: JsonObject, picture: Picture) -> Response:
    """Bare when the caller would rather have the picture's own type than JSON."""
    metrics_of(request).rendered(BY_MEDIA_TYPE[picture.mime_type].name, body.get("theme"))
    if preferred(request.headers.get("accept", ""), (JSON, picture.mime_type)) == picture.mime_type:
        return picture_response(picture.mime_type, picture.content)
    computed = {} if picture.computed is None else {"computed": picture.computed}
    envelope = {"output": output_of(picture), "diagnostics": list(picture.diagnostics), **computed}
    if isinstance(picture.content, bytes):
        return json_response_with(picture.content, envelope, headers=BY_ACCEPT)
    return json_response(envelope, headers=BY_ACCEPT)


def output_of(picture: Picture) -> dict[str, Any]:
    """The member `output` of an envelope; that of bytes is empty, for `json_response_with` to fill."""
    content = {"content": picture.content} if isinstance(picture.content, str) else {BASE64: ""}
    return {"mimeType": picture.mime_type, **content, "width": picture.width, "height": picture.height}
