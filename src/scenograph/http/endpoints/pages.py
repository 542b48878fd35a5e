"""Pages and files at fixed addresses: the studio, the documentation, and the well-known files of browsers and
crawlers."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.metadata import version
from typing import Any, NamedTuple, cast

from fastapi import FastAPI, Request
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.responses import Response

from scenograph.http.answers import (
    BY_ACCEPT,
    CACHED,
    HTML,
    JSON,
    NOT_STORED,
    json_bytes,
    json_response,
    preferred,
    site_of,
    tagged_bytes,
)
from scenograph.http.guards import Serving
from scenograph.http.openapi import documentation_page, llms_page
from scenograph.http.pages.html import LIVE, app_page, assets, assets_version, html_page
from scenograph.http.routes import ROUTES
from scenograph.http.sessions import comes_from_elsewhere, is_signed_in, keep_onwards
from scenograph.scene.vocabulary import EDGE_TYPES, GENERIC_NODE_TYPES, NODE_TYPES
from scenograph.wire.formats import offered_by_pages

KEPT_FOR_GOOD = {"Cache-Control": "public, max-age=31536000, immutable"}
ROBOTS = "User-agent: *\nDisallow: /v1/\nDisallow: /accounts/\n"


class StandingPage(NamedTuple):
    """An address and its handler. Pages and their assets count against no limit."""

    path: str
    handler: Callable[..., Any]
    limited: bool = False


def show_studio(request: Request, services: Serving) -> Response:
    """The studio for people; an index of addresses for programs that prefer JSON. A browser that another site sends
    loads the page once more from here, with the cookie that it keeps from other sites' requests."""
    if preferred(request.headers.get("accept", ""), (HTML, JSON)) == JSON:
        site = site_of(request, services.public_site)
        entries = {"documentation": "/docs", "openapi": "/openapi.json", "schemas": "/schemas/scene.schema.json"}
        addresses = {name: f"{site}{path}" for name, path in entries.items()}
        reply = json_response({"service": "scenograph", "version": version("scenograph"), **addresses})
    elif comes_from_elsewhere(request, services):
        reply = html_page("onwards.html")
        keep_onwards(reply, request, services)
    else:
        nodes = {"": GENERIC_NODE_TYPES, **NODE_TYPES}
        types = Markup(json.dumps({"nodes": nodes, "lines": {**EDGE_TYPES}}))  # noqa: S704 - names of this package
        local = services.local_caller is not None
        reply = html_page(
            "studio.html",
            may=LIVE,
            formats=offered_by_pages(),
            types=types,
            local=local,
            signed=is_signed_in(request, services),
            mail=services.sign_in_links.are_offered,
            oidc=services.organization.is_offered,
        )
    reply.headers.update(BY_ACCEPT)
    return reply


def show_documentation(request: Request) -> Response:
    """Every route for people."""
    return documentation_page(request.app.openapi())


async def show_app(_request: Request) -> Response:
    """The viewer as a single file, for the tool server's App."""
    return app_page()


def show_description(request: Request) -> Response:
    """Every route for programs."""
    return tagged_bytes(request, description_of(request.app), CACHED)


def description_of(app: FastAPI) -> bytes:
    """The same as JSON, encoded once and cached."""
    if not hasattr(app.state, "description"):
        app.state.description = json_bytes(app.openapi())
    return cast("bytes", app.state.description)


async def show_to_language_models(_request: Request) -> Response:
    """Every route for language models."""
    return llms_page(ROUTES)


async def show_robots(_request: Request) -> Response:
    """The rules for crawlers: published pages, not the API."""
    return Response(ROBOTS, media_type="text/plain", headers=CACHED)


async def show_favicon(_request: Request) -> Response:
    """The service's mark as favicon."""
    return Response(assets()["mark.png"].content, media_type="image/png", headers=CACHED)


async def show_asset(request: Request) -> Response:
    """An asset of the pages. With an outdated content hash in the address the current content comes uncached."""
    asset = assets().get(request.path_params["name"])
    if asset is None:
        raise HTTPException(404)
    current = request.path_params["version"] == assets_version()
    return Response(asset.content, media_type=asset.media_type, headers=KEPT_FOR_GOOD if current else NOT_STORED)


STANDING_PAGES = (
    StandingPage("/", show_studio),
    StandingPage("/scenes/{scene_id}", show_studio),
    StandingPage("/app", show_app),
    StandingPage("/docs", show_documentation),
    StandingPage("/openapi.json", show_description, limited=True),
    StandingPage("/llms.txt", show_to_language_models, limited=True),
    StandingPage("/robots.txt", show_robots),
    StandingPage("/favicon.ico", show_favicon),
    StandingPage("/assets/{version}/{name:path}", show_asset),
)
