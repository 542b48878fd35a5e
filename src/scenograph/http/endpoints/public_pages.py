"""Published scenes: a page and pictures for people, JSON for programs."""

from __future__ import annotations

import gzip
import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from typing import Annotated, Any, Literal, NamedTuple, cast
from urllib.parse import parse_qs, quote, unquote, urlencode, urlsplit

from fastapi import Query, Request
from markupsafe import Markup
from pydantic import BaseModel, Field
from starlette.responses import Response

from scenograph.http.answers import (
    BY_ENCODING,
    PUBLISHED_PICTURE,
    json_response,
    packed_response,
    picture_response,
    reply_with,
    site_of,
    tag_of,
    takes_gzip,
    timestamp,
)
from scenograph.http.drawer import Drawer, as_it_is
from scenograph.http.endpoints.lifecycle import ThemeName
from scenograph.http.endpoints.scenes import PublicId
from scenograph.http.guards import Serving
from scenograph.http.metrics import metrics_of
from scenograph.http.pages.html import PREVIEW_SIZE, public_page
from scenograph.late_dataclasses import replace
from scenograph.service.documents import RequestedDrawing
from scenograph.service.errors import ServiceError, invalid_request, scene_not_found
from scenograph.service.kept_pictures import OVERHEAD_BYTES, PACKING_LEVEL
from scenograph.service.rendering import PublishedScene, ServedPicture
from scenograph.storage.interface import PublishedRevision
from scenograph.wire.formats import FORMATS, PNG, SVG
from scenograph.wire.names import MAX_SCALE, MIN_SCALE
from scenograph.wiring import Services

DARK = "dark"

Scale = Annotated[float, Query(ge=MIN_SCALE, le=MAX_SCALE, description="2 gives double resolution.")]


class FinishedReply(NamedTuple):
    """A finished reply, plain and compressed."""

    headers: Mapping[str, str]
    plain: bytes
    packed: bytes
    theme: str | None

    def reply(self, request: Request) -> Response:
        """The reply in a coding accepted by the caller."""
        packed = takes_gzip(request.headers.get("accept-encoding", ""))
        encoded = {"Content-Encoding": "gzip"} if packed else {}
        return Response(self.packed if packed else self.plain, headers={**self.headers, **encoded})


class FinishedPages:
    """A least-recently-used cache of at most `most_bytes` of published pages and their JSON, by complete input. The
    publication is checked before every look-up. Thread-safe."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._lock = threading.Lock()
        self._pages: OrderedDict[Hashable, FinishedReply] = OrderedDict()
        self._bytes = 0
        self.made = 0

    def get(self, name: Hashable) -> FinishedReply | None:
        """The page of this name, or None."""
        with self._lock:
            found = self._pages.get(name)
            if found is not None:
                self._pages.move_to_end(name)
            return found

    def put(self, name: Hashable, page: Response, theme: str | None = None) -> FinishedReply:
        """Keep a page whose picture has this theme; the finished page."""
        own = {key: value for key, value in page.headers.items() if key != "content-length"}
        own["vary"] = ", ".join(filter(None, (own.get("vary"), BY_ENCODING["Vary"])))
        plain = bytes(page.body)
        finished = FinishedReply(own, plain, gzip.compress(plain, PACKING_LEVEL, mtime=0), theme)
        with self._lock:
            self.made += 1
            self._bytes += _size(finished) - (_size(before) if (before := self._pages.pop(name, None)) else 0)
            self._pages[name] = finished
            while self._bytes > self._most_bytes:
                self._bytes -= _size(self._pages.popitem(last=False)[1])
        return finished


def _size(page: FinishedReply) -> int:
    return OVERHEAD_BYTES + len(page.plain) + len(page.packed)


async def show_page(
    request: Request, services: Serving, public_id: PublicId, drawer: Drawer, theme: ThemeName = None
) -> Response:
    """The page of a published scene, with picture and downloads; an HTML page also for a missing scene."""
    return await drawer.reply(lambda: page_of(request, services, public_id, theme), as_it_is)


async def show_svg(
    request: Request, services: Serving, public_id: PublicId, drawer: Drawer, theme: ThemeName = None
) -> Response:
    """The picture of a published scene as SVG."""
    parameters = {"theme": theme, "format": SVG.name}
    return await drawer.reply(lambda: _picture(request, services, public_id, parameters), as_it_is)


async def show_png(
    request: Request,
    services: Serving,
    public_id: PublicId,
    drawer: Drawer,
    *,
    theme: ThemeName = None,
    scale: Scale = 1.0,
) -> Response:
    """The picture of a published scene as PNG."""
    parameters = {"theme": theme, "format": PNG.name, "scale": scale}
    return await drawer.reply(lambda: _picture(request, services, public_id, parameters), as_it_is)


async def show_preview(
    request: Request, services: Serving, public_id: PublicId, drawer: Drawer, theme: ThemeName = None
) -> Response:
    """The picture of a published scene as PNG of 1200 x 630 px, for link previews."""
    parameters = {"theme": theme, "format": PNG.name}
    return await drawer.reply(
        lambda: _bare(request, services, services.publishing.find(public_id), parameters, page_pixels=PREVIEW_SIZE),
        as_it_is,
    )


def page_of(
    request: Request, services: Services, public_id: str, theme: str | None, *, embedded: bool = False
) -> RequestedDrawing[Response]:
    """The page of a published scene. scene_not_found."""
    return _page(request, services, services.publishing.find(public_id), theme, embedded=embedded)


def _page(
    request: Request, services: Services, scene: PublishedRevision, theme: str | None, *, embedded: bool = False
) -> RequestedDrawing[Response]:
    prefers_dark = request.headers.get("sec-ch-prefers-color-scheme", "").strip('"') == DARK
    parameters = {"theme": theme, "format": SVG.name}
    site = site_of(request, services.public_site)
    return _finished(
        request,
        scene,
        (site, theme, prefers_dark, embedded),
        lambda: services.publishing.show(scene, parameters, preferred_theme=DARK if prefers_dark else None),
        lambda shown: public_page(shown, site, theme, embedded=embedded),
    )


async def read_public_scene(
    request: Request, services: Serving, public_id: PublicId, drawer: Drawer, theme: ThemeName = None
) -> Response:
    """A published scene: document and picture."""

    def begun() -> RequestedDrawing[Response]:
        scene = services.publishing.find(public_id)
        return _finished(
            request, scene, (theme,), lambda: services.publishing.show(scene, {"theme": theme}), _source_reply
        )

    return await drawer.reply(begun, as_it_is)


def _source_reply(found: PublishedScene) -> Response:
    members = {
        "sceneId": found.scene_id,
        "title": found.title,
        "revision": found.revision,
        "madePublicAt": timestamp(found.made_public_at),
        "scene": found.document,
    }
    return reply_with(found.picture, members)


def _finished(
    request: Request,
    scene: PublishedRevision,
    asked: tuple[Hashable, ...],
    show: Callable[[], RequestedDrawing[PublishedScene]],
    made: Callable[[PublishedScene], Response],
) -> RequestedDrawing[Response]:
    """The reply `made` from a published scene with an SVG picture, cached under its complete input: the scene and the
    parameters `asked`."""
    pages = cast("FinishedPages", request.app.state.finished_pages)
    revision = (scene.key, scene.scene_id, scene.revision, scene.revision_created_at)
    name = (revision, scene.title, scene.made_public_at, *asked)
    finished = pages.get(name)
    if finished is not None:
        metrics_of(request).rendered(SVG.name, finished.theme)
        return RequestedDrawing(None, lambda: finished.reply(request), lambda: finished.reply(request))
    return (
        show()
        .then(_counted(request, SVG.name))
        .then(lambda shown: pages.put(name, made(shown), shown.theme).reply(request))
    )


def _picture(
    request: Request, services: Services, public_id: str, parameters: dict[str, Any]
) -> RequestedDrawing[Response]:
    """A picture of a published scene. An id may itself end in .svg or .png and takes precedence over the picture of the
    shorter id: no later publication changes the content of an address."""
    scene = services.publishing.find(f"{public_id}{FORMATS[parameters['format']].suffix}", public_id)
    if scene.scene_id != public_id:
        return _page(request, services, scene, parameters["theme"])
    return _bare(request, services, scene, parameters)


def _bare(
    request: Request, services: Services, scene: PublishedRevision, parameters: dict[str, Any], **wishes: Any
) -> RequestedDrawing[Response]:
    found = services.publishing.show(scene, parameters, **wishes)
    counted = found.then(_counted(request, parameters["format"]))
    picture = counted.then(lambda scene: _reply(request, services, scene.picture))
    return replace(picture, tagged=True)


def _reply(request: Request, services: Services, picture: ServedPicture) -> Response:
    """A bare picture, compressed from the cache if the caller accepts gzip: compression takes longer than all other
    work."""
    headers = PUBLISHED_PICTURE | tag_of(picture.key)
    if takes_gzip(request.headers.get("accept-encoding", "")):
        packed = services.kept_pictures.packed(picture.key)
        if packed is not None:
            return packed_response(picture.mime_type, packed, headers)
    return picture_response(picture.mime_type, picture.content, headers)


def _counted(request: Request, format_name: str) -> Callable[[PublishedScene], PublishedScene]:
    def note(found: PublishedScene) -> PublishedScene:
        metrics_of(request).rendered(format_name, found.theme)
        return found

    return note


# Published scenes in foreign pages: the frame, and its discovery (oEmbed 1.0).


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
    """The picture of a published scene with its viewer alone, for a frame in another page. The frame is isolated from
    this origin."""
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
    """Raises not_implemented (501) for oEmbed's second format xml, invalid_request for an unknown format."""
    if asked == "xml":
        raise ServiceError("not_implemented", "Only format=json is supported.")
    if asked != "json":
        raise invalid_request("format must be json.")


def _scene_at(url: str, site: str) -> tuple[str, str | None]:
    """The id and theme in the address of a page. Raises invalid_request for a malformed address, scene_not_found for a
    foreign site or another page."""
    try:
        asked, own = urlsplit(url), urlsplit(site)
    except ValueError:
        raise invalid_request("url must be the address of a published scene's page.") from None
    page = _PAGE.fullmatch(asked.path.removeprefix(own.path))
    if asked.netloc.lower() != own.netloc.lower() or not asked.path.startswith(own.path) or page is None:
        raise scene_not_found()
    return unquote(page[1]), next(iter(parse_qs(asked.query).get("theme", [])), None)
