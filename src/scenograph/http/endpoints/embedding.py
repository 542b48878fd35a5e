"""Published scenes in the pages of others: the frame, and where to ask for it (oEmbed 1.0)."""

from __future__ import annotations

import re
from typing import Annotated, Literal
from urllib.parse import parse_qs, quote, unquote, urlencode, urlsplit

from fastapi import Query, Request
from markupsafe import Markup
from pydantic import BaseModel, Field
from starlette.responses import Response

from scenograph.http.answers import json_response, site_of
from scenograph.http.drawer import Drawer, as_it_is
from scenograph.http.endpoints.lifecycle import PublicId, ThemeName
from scenograph.http.endpoints.public_pages import page_of
from scenograph.http.guards import Serving
from scenograph.http.pages.public_scene import PREVIEW_SIZE
from scenograph.service.errors import ServiceError
from scenograph.service.refusals import invalid_request, scene_not_found

EMBED_SIZE = (800, 500)
_PAGE = re.compile(r"/s/([^/]+)")

EmbedAddress = Annotated[str, Query(description="The address of a published scene's page.", max_length=2000)]
MostPixels = Annotated[int | None, Query(ge=1, le=100_000, description="The frame is at most so many px that way.")]
EmbedFormat = Annotated[str, Query(description="Only `json` is supported.", json_schema_extra={"enum": ["json"]})]


class Embedding(BaseModel):
    """How to embed a published scene, by the names of oEmbed 1.0."""

    version: Literal["1.0"]
    type: Literal["rich"]
    title: str
    provider_name: str
    provider_url: str
    html: str = Field(description="A frame of `width` x `height` px.")
    width: int
    height: int
    thumbnail_url: str
    thumbnail_width: int
    thumbnail_height: int


async def show_embed(
    request: Request, services: Serving, public_id: PublicId, drawer: Drawer, theme: ThemeName = None
) -> Response:
    """The picture of a published scene with what explores it and nothing else, for a frame in another page. The frame
    is kept apart from this origin."""
    return await drawer.reply(lambda: page_of(request, services, public_id, theme, embedded=True), as_it_is)


def describe_embed(
    request: Request,
    services: Serving,
    url: EmbedAddress,
    *,
    maxwidth: MostPixels = None,
    maxheight: MostPixels = None,
    format: EmbedFormat = "json",  # noqa: A002 - the standard's name
) -> Response:
    """How to show a published scene in a page of one's own (oEmbed 1.0, type rich)."""
    _check_format(format)
    site = site_of(request, services.public_site)
    scene_id, theme = _scene_at(url, site)
    found = services.publishing.find(scene_id)
    page = f"{site}/s/{quote(found.scene_id)}"
    query = f"?{urlencode({'theme': theme})}" if theme else ""
    width, height = (min(size, most or size) for size, most in zip(EMBED_SIZE, (maxwidth, maxheight), strict=True))
    title = found.title or found.scene_id
    frame = Markup(
        '<iframe src="{}" width="{}" height="{}" title="{}" loading="lazy" style="border:0" allowfullscreen></iframe>'
    )
    return json_response(
        {
            "version": "1.0",
            "type": "rich",
            "title": title,
            "provider_name": "Scenograph",
            "provider_url": site,
            "html": str(frame.format(f"{page}/embed{query}", width, height, title)),
            "width": width,
            "height": height,
            "thumbnail_url": f"{page}/preview.png{query}",
            "thumbnail_width": PREVIEW_SIZE[0],
            "thumbnail_height": PREVIEW_SIZE[1],
        }
    )


def _check_format(asked: str) -> None:
    """The other format of oEmbed 1.0 has a refusal of its own, 501; a word that the standard does not know
    is a wrong parameter."""
    if asked == "xml":
        raise ServiceError("not_implemented", "Only format=json is supported.")
    if asked != "json":
        raise invalid_request("format must be json.")


def _scene_at(url: str, site: str) -> tuple[str, str | None]:
    """The id and theme that the address of a page names. invalid_request for what is no address, scene_not_found for
    one of another site or of no page."""
    try:
        asked, own = urlsplit(url), urlsplit(site)
    except ValueError:
        raise invalid_request("url must be the address of a published scene's page.") from None
    page = _PAGE.fullmatch(asked.path.removeprefix(own.path))
    if asked.netloc.lower() != own.netloc.lower() or not asked.path.startswith(own.path) or page is None:
        raise scene_not_found()
    return unquote(page[1]), next(iter(parse_qs(asked.query).get("theme", [])), None)
