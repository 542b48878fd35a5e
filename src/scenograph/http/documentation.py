"""The documentation page, made from the OpenAPI description: a single HTML text without scripts and external resources.
All content is escaped; every example has a command line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, cast

from markupsafe import Markup
from starlette.responses import HTMLResponse, Response

from scenograph.http.answers import CACHED
from scenograph.http.pages.html import html_page
from scenograph.http.routes import Auth, Route

# `/llms.txt`: the service for language models, made from the ROUTES table (form: llmstxt.org).


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


DEFAULT_ADDRESS = "http://127.0.0.1:3000"
Json = Mapping[str, Any]


def documentation_page(description: Json) -> HTMLResponse:
    """The page for an OpenAPI description."""
    operations = _operations(description)
    tags = dict.fromkeys(operation["tags"][0] for _, _, operation in operations)
    return html_page(
        "documentation.html",
        title=description["info"]["title"],
        version=description["info"]["version"],
        introduction=_markup(_paragraphs(description["info"]["description"])),
        groups=[
            (tag, [(row[2], _markup(_article(description, *row))) for row in operations if row[2]["tags"][0] == tag])
            for tag in tags
        ],
    )


def _markup(text: str) -> Markup:
    return Markup(text)  # noqa: S704 - written below, where every text is escaped


def _operations(description: Json) -> list[tuple[str, str, Json]]:
    paths = cast("Mapping[str, Json]", description["paths"])
    return [(method.upper(), path, operation) for path, item in paths.items() for method, operation in item.items()]


def _article(description: Json, method: str, path: str, operation: Json) -> str:
    key = "" if operation.get("security") else ' <span class="quiet">no key</span>'
    return (
        f'<article id="{escape(operation["operationId"])}">'
        f'<h3><span class="method {method.lower()}">{method}</span> {escape(path)}{key}</h3>'
        f"{_paragraphs(operation.get('description', ''))}{_parameters(operation)}"
        f"{_example(description, method, path, operation)}{_replies(description, operation)}</article>"
    )


def _parameters(operation: Json) -> str:
    rows = [
        (
            f"<code>{escape(row['name'])}</code> <span class='quiet'>{escape(row['in'])}</span>",
            _inline(row["description"]),
        )
        for row in operation.get("parameters", ())
    ]
    return _table(rows)


def _example(description: Json, method: str, path: str, operation: Json) -> str:
    servers = description.get("servers") or [{"url": DEFAULT_ADDRESS}]
    lines = [f"curl {servers[0]['url']}{path.replace('{sceneId}', 'checkout')}"]
    if operation.get("security"):
        lines.append("-H 'Authorization: Bearer '$API_KEY")
    body = operation.get("requestBody")
    if body is None:
        return _command(operation, lines) if method == "GET" else ""
    example = json.dumps(body["content"]["application/json"]["example"], indent=2)
    lines += ["-H 'Content-Type: application/json'", f"-d '{example}'"]
    return _command(operation, lines)


def _command(operation: Json, lines: Sequence[str]) -> str:
    """A command line, scrollable by arrow keys when wider than the page."""
    label = escape(f"Example: {operation['summary']}")
    return f'<pre tabindex="0" role="region" aria-label="{label}">{escape(" ".join(lines))}</pre>'


def _replies(description: Json, operation: Json) -> str:
    responses = cast("Mapping[str, Json]", operation["responses"])
    rows = [(f"<code>{escape(status)}</code>", _reply(description, reply)) for status, reply in responses.items()]
    return _table(rows)


def _reply(description: Json, reply: Json) -> str:
    content = cast("Mapping[str, Json]", reply.get("content", {}))
    schema = content.get("application/json", {}).get("schema", {})
    name = str(schema.get("$ref", "")).rpartition("/")[2]
    fields = cast("Json", description["components"]["schemas"].get(name, {}).get("properties", {}))
    if not fields:
        return _inline(reply["description"])
    others = "".join(f", or <code>{escape(kind)}</code>" for kind in content if kind != "application/json")
    return ", ".join(f"<code>{escape(field)}</code>" for field in fields) + others


def _table(rows: Iterable[tuple[str, str]]) -> str:
    body = "".join(f"<tr><td>{first}</td><td>{second}</td></tr>" for first, second in rows)
    return f"<table>{body}</table>" if body else ""


def _paragraphs(text: str) -> str:
    return "".join(f"<p>{_inline(part)}</p>" for part in text.split("\n\n") if part.strip())


def _inline(text: str) -> str:
    """Escaped text; backticks become code."""
    pieces = escape(text, quote=False).split("`")
    return "".join(f"<code>{piece}</code>" if odd % 2 else piece for odd, piece in enumerate(pieces))
