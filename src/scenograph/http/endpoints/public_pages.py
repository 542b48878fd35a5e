"""Published scenes for people: a page, and its pictures."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query, Request
from starlette.responses import Response

from scenograph.http.answers import picture_response, site_of
from scenograph.http.endpoints.lifecycle import ThemeName
from scenograph.http.endpoints.scenes import PublicId
from scenograph.http.guards import RenderSlot, Serving
from scenograph.http.metrics import metrics_of
from scenograph.http.pages.html import NOT_STORED
from scenograph.http.pages.public_scene import PREVIEW_SIZE, public_page
from scenograph.service.errors import ServiceError
from scenograph.service.publishing import PublishedScene
from scenograph.service.refusals import scene_not_found
from scenograph.service.render_requests import MAX_SCALE, MIN_SCALE
from scenograph.wire.formats import FORMATS, PNG, SVG
from scenograph.wiring import Services

MISSING = "scene_not_found"
DARK = "dark"

Scale = Annotated[float, Query(ge=MIN_SCALE, le=MAX_SCALE, description="2 gives double resolution.")]


def show_page(
    request: Request, services: Serving, public_id: PublicId, _slot: RenderSlot, theme: ThemeName = None
) -> Response:
    """The page of a published scene, with its picture and downloads; a page as well where nothing is published."""
    found = page_of(request, services, public_id, theme)
    if found is None:
        raise scene_not_found()
    return found


def show_svg(
    request: Request, services: Serving, public_id: PublicId, _slot: RenderSlot, theme: ThemeName = None
) -> Response:
    """The picture of a published scene as SVG."""
    return page_of(request, services, f"{public_id}{SVG.suffix}", theme) or _picture(
        request, services, public_id, {"theme": theme, "format": SVG.name}
    )


def show_png(
    request: Request,
    services: Serving,
    public_id: PublicId,
    _slot: RenderSlot,
    theme: ThemeName = None,
    scale: Scale = 1.0,
) -> Response:
    """The picture of a published scene as PNG."""
    return page_of(request, services, f"{public_id}{PNG.suffix}", theme) or _picture(
        request, services, public_id, {"theme": theme, "format": PNG.name, "scale": scale}
    )


def show_preview(
    request: Request, services: Serving, public_id: PublicId, _slot: RenderSlot, theme: ThemeName = None
) -> Response:
    """The picture of a published scene as PNG of 1200 x 630 px, for sites that show a link with a picture."""
    return _picture(request, services, public_id, {"theme": theme, "format": PNG.name}, page_pixels=PREVIEW_SIZE)


def page_of(
    request: Request, services: Services, public_id: str, theme: str | None, *, embedded: bool = False
) -> Response | None:
    """None where nothing is published under the id. An id may itself end in .svg or .png: it is asked for before the
    picture of a shorter one, so that no later publication changes what an address shows."""
    prefers_dark = request.headers.get("sec-ch-prefers-color-scheme", "").strip('"') == DARK
    parameters = {"theme": theme, "format": SVG.name}
    try:
        found = _read(request, services, public_id, parameters, preferred_theme=DARK if prefers_dark else None)
    except ServiceError as refused:
        if refused.code != MISSING:
            raise
        return None
    site = site_of(request, services.public_site)
    return public_page(found, site, theme, tuple(FORMATS), embedded=embedded)


def _read(
    request: Request, services: Services, public_id: str, parameters: dict[str, Any], **wishes: Any
) -> PublishedScene:
    found = services.publishing.read(public_id, parameters, **wishes)
    metrics_of(request).rendered(parameters["format"], found.theme)
    return found


def _picture(
    request: Request, services: Services, public_id: str, parameters: dict[str, Any], **wishes: Any
) -> Response:
    found = _read(request, services, public_id, parameters, **wishes)
    reply = picture_response(found.picture.mime_type, found.picture.content)
    reply.headers.update(NOT_STORED)
    return reply
