"""The page of a published scene, alone or framed by another site, and the page of a missing scene. The picture stands
inline, where its text can be selected, found and read aloud even without scripts. A module then makes the picture
explorable."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import quote, urlencode

from markupsafe import Markup
from starlette.responses import HTMLResponse

from scenograph.http.pages.html import EMBEDDED, LIVE, html_page
from scenograph.late_dataclasses import dataclass
from scenograph.service.publishing import PublishedScene
from scenograph.wire.formats import offered_by_pages

DESCRIPTION_LENGTH = 200
SHARP_SCALE, SHARP_PIXELS = 2, 8_000_000  # twice as sharp, unless it grows too large
PREVIEW_SIZE = (1200, 630)  # the size of link previews (Open Graph)
# With this request for client hints a browser tells on its next visit whether its reader prefers dark pages.
ASKS_FOR_SCHEME = {"Accept-CH": "Sec-CH-Prefers-Color-Scheme", "Vary": "Sec-CH-Prefers-Color-Scheme"}
_DESCRIPTION = re.compile(r"<desc[^>]*>(.*?)</desc>", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicAddresses:
    """Public addresses of the page, the pictures, the source and the embedding."""

    page: str
    svg: str
    png: str
    preview: str
    source: str
    oembed: str


def public_page(found: PublishedScene, site: str, theme: str | None, *, embedded: bool = False) -> HTMLResponse:
    """The page of a published scene. `site` is the service's public address, `theme` the theme in the page's
    address."""
    picture = found.picture
    svg = str(picture.content)
    scale = SHARP_SCALE if picture.width * picture.height * SHARP_SCALE**2 <= SHARP_PIXELS else 1
    described = _DESCRIPTION.search(svg)
    reply = html_page(
        "scene.html",
        may=EMBEDDED if embedded else LIVE,
        frame="embed" if embedded else "page",
        scene_id=found.scene_id,
        title=found.title or found.scene_id,
        description=_shortened(unescape(described[1])) if described else "",
        published=found.made_public_at,
        revision=found.revision,
        theme=theme or "",
        drawn=found.theme or "",
        coloured=found.is_coloured,
        formats=offered_by_pages(),
        at=_addresses(site, found.scene_id, theme, scale),
        preview_size=PREVIEW_SIZE,
        picture=Markup(svg),  # noqa: S704 - the writer's own, in which every text is escaped
    )
    reply.headers.update(ASKS_FOR_SCHEME)
    return reply


def _addresses(site: str, scene_id: str, theme: str | None, scale: int) -> PublicAddresses:
    page = f"{site}/s/{quote(scene_id)}"
    chosen = {"theme": theme} if theme else {}

    def with_query(address: str, **more: object) -> str:
        query = urlencode(chosen | more)
        return f"{address}?{query}" if query else address

    return PublicAddresses(
        page=page,
        svg=with_query(f"{page}.svg"),
        png=with_query(f"{page}.png", **({"scale": scale} if scale != 1 else {})),
        preview=with_query(f"{page}/preview.png"),
        source=f"{site}/v1/public/scenes/{quote(scene_id)}",
        oembed=f"{site}/oembed?{urlencode({'url': with_query(page)})}",
    )


def _shortened(text: str) -> str:
    return text if len(text) <= DESCRIPTION_LENGTH else f"{text[: DESCRIPTION_LENGTH - 1].rstrip()}…"
