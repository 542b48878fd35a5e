"""`/llms.txt`: what a language model needs to use the service, made from the ROUTES table (form: llmstxt.org)."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.responses import Response

from scenograph.http.answers import CACHED
from scenograph.http.routes import Auth, Route

_INTRODUCTION = """\
# Scenograph

> A diagram scene service: scenes are JSON documents of nodes, edges and frames. They are stored with revisions, edited
> by operations, validated, laid out, routed, and rendered to SVG and PNG.

- Send the key as `Authorization: Bearer <API_KEY>`. Validating, normalizing and rendering a document need none.
- Leave positions out: the engine lays the diagram out. Declare `diagramFamily` at the root of the document.
- Validate first: every problem is listed at once, with a JSON pointer, what is allowed and the nearest right name.
- An edit names the revision it builds on (`baseRevision`); a 409 tells where the scene is now and what changed.
- `Accept` with the media type of a format (`image/svg+xml`, `image/png`, …) on a render route gives the bare picture.
"""
_LINKS = """\
## Reference

- [OpenAPI description](/openapi.json): every route, body and refusal
- [Scene schema](/schemas/scene.schema.json): what a document may hold
- [Operations schema](/schemas/ops.schema.json): the body of applyOps
- [Icons](/v1/icons?q=database): keys for the member `icon` of a node
- [Documentation](/docs): the same for people
"""


def llms_page(routes: Sequence[Route]) -> Response:
    """The text, as Markdown."""
    listed = [route for route in routes if route.path.startswith("/v1")]
    lines = [f"- `{route.method} {route.path}`: {route.summary}{_key(route)}" for route in listed]
    text = "\n".join((_INTRODUCTION, _LINKS, "## Routes\n", *lines, ""))
    return Response(text, headers=CACHED, media_type="text/markdown; charset=utf-8")


def _key(route: Route) -> str:
    return "" if route.auth is Auth.KEY else " (no key)"
