"""The page of a published scene, and the page that says there is none.

The picture stands in the page itself, so that its words can be selected, found and read aloud.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape
from urllib.parse import quote, urlencode

from markupsafe import Markup
from starlette.responses import HTMLResponse

from scenograph.http.pages.html import html_page
from scenograph.service.publishing import PublishedScene

DESCRIPTION_LENGTH = 200
SHARP_SCALE, SHARP_PIXELS = 2, 8_000_000  # previews are cut from pictures twice as sharp, unless they grow too large
_DESCRIPTION = re.compile(r"<desc[^>]*>(.*?)</desc>", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicAddresses:
    """Where the page, its pictures and its source are, from outside."""

    page: str
    svg: str
    png: str
    source: str


def public_page(found: PublishedScene, site: str, theme: str | None) -> HTMLResponse:
    """The page of a published scene. `site` is the service's address from outside."""
    picture = found.picture
    svg = str(picture.content)
    scale = SHARP_SCALE if picture.width * picture.height * SHARP_SCALE**2 <= SHARP_PIXELS else 1
    described = _DESCRIPTION.search(svg)
    return html_page(
        "scene.html",
        title=found.title or found.scene_id,
        description=_shortened(unescape(described[1])) if described else "",
        published=found.made_public_at,
        revision=found.revision,
        at=_addresses(site, found.scene_id, theme, scale),
        width=round(picture.width * scale),
        height=round(picture.height * scale),
        picture=Markup(svg),  # noqa: S704 - the writer's own, in which every text is escaped
    )


def missing_page() -> HTMLResponse:
    """What stands where nothing is published, whether something was or not."""
    return html_page("missing.html", 404)


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
        source=f"{site}/v1/public/scenes/{quote(scene_id)}",
    )


def _shortened(text: str) -> str:
    return text if len(text) <= DESCRIPTION_LENGTH else f"{text[: DESCRIPTION_LENGTH - 1].rstrip()}…"
