"""The OpenAPI 3.1 description, and the documentation page made from it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib.metadata import version
from typing import Any, cast

from fastapi.openapi.utils import get_openapi
from markupsafe import Markup
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute

from scenograph.http.answers import CACHED
from scenograph.http.bodies import BATCH_SCHEMA, SCENE_SCHEMA, ProblemBody, RequestBody
from scenograph.http.pages.html import html_page
from scenograph.http.problems import STATUS
from scenograph.http.rate_limiting import LIMIT_HEADERS
from scenograph.http.routes import Auth, Route, refusals_of
from scenograph.http.written import REPLAYED_HEADER
from scenograph.service.render_requests import COMPONENTS as COMPONENTS_OF_RENDERS
from scenograph.wire.formats import FORMATS
from scenograph.wiring import Services

# The OpenAPI 3.1 description: the framework's, with every status a route may answer and the scene room's schemas.
#
# The framework knows parameters and security; replies, refusals and bodies come from the ROUTES table, which the tests
# hold against what is really answered.

JsonSchema = dict[str, Any]

HTML = "text/html"
COMPONENTS = "#/components/schemas/"
REQUEST_ID_HEADER = {
    "X-Request-Id": {"description": "Finds the request in the log.", "required": True, "schema": {"type": "string"}}
}
ETAG_HEADER = {"ETag": {"description": "Changes with the reply.", "schema": {"type": "string"}}}
RETRY_HEADER = {"Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer", "minimum": 1}}}
RATE_HEADERS = {name: {"description": text, "schema": {"type": "string"}} for name, text in LIMIT_HEADERS.items()}
REPLAYED = {REPLAYED_HEADER: {"description": "`true` on an answer that is repeated.", "schema": {"type": "string"}}}
_TEXT_OR_BYTES = {
    "text/plain": {"type": "string"},
    "text/event-stream": {"type": "string"},
    HTML: {"type": "string"},
    **{row.media_type: row.schema for row in FORMATS.values()},
}
DESCRIPTION = """
Diagram scenes as JSON: kept with revisions, edited by operations, validated, laid out, routed and rendered to SVG and
PNG.

Send the key as `Authorization: Bearer <API_KEY>`. Every reply carries `X-Request-Id`; every reply that is not a success
is `{"error", "code", "requestId"}` and, where it helps, `diagnostics`.

Requests are counted for each key and, where no key is asked for, for each address; `X-RateLimit-Remaining` tells how
many are left, and a 429 tells in `Retry-After` when to come back.
"""


def describe(routes: Sequence[BaseRoute]) -> JsonSchema:
    """The framework's description of `routes`; `completed` adds the parts of a service."""
    document = get_openapi(
        title="Scenograph", version=version("scenograph"), description=DESCRIPTION.strip(), routes=routes
    )
    for name in ("HTTPValidationError", "ValidationError"):
        document["components"]["schemas"].pop(name, None)
    for operations in document["paths"].values():
        for operation in operations.values():
            # The framework documents its own 422 for every parameter; such requests get the service's 400
            responses = operation["responses"]
            if "HTTPValidationError" in str(responses.get("422", "")):
                del responses["422"]
    return document


def completed(document: JsonSchema, services: Services) -> JsonSchema:
    """The whole description of a service: `document` with the address and schemas of the service."""
    site = services.public_site
    components = document["components"]
    schemas = components["schemas"] | _components(services)
    return document | ({"servers": [{"url": site}]} if site else {}) | {"components": components | {"schemas": schemas}}


def responses_of(route: Route) -> dict[int | str, dict[str, Any]]:
    """Every status of a route with its body."""
    always = REQUEST_ID_HEADER | (RATE_HEADERS if route.limited else {})
    always |= REPLAYED if route.repeatable else {}
    success: dict[str, Any] = {"description": route.summary, "headers": always}
    if route.reply is not None:
        success["model"] = route.reply
    others = (*route.also, *(() if route.reply else (route.media_type,)))
    if others:
        success["content"] = {kind: {"schema": _TEXT_OR_BYTES[kind]} for kind in others}
    found: dict[int | str, dict[str, Any]] = {route.status: success}
    if route.unchanged:
        success["headers"] = always | ETAG_HEADER
        found[304] = {"description": "The caller has it already.", "headers": always | ETAG_HEADER}
    for status, codes in sorted(_codes_by_status(route).items()):
        found[status] = _refusal(status, codes, always)
    for status in route.pages:
        found[status]["content"] |= {HTML: {"schema": _TEXT_OR_BYTES[HTML]}}
    return found


def request_body_of(body: RequestBody | None) -> dict[str, Any]:
    """The request body's part of a route's description, for routes that read the body themselves."""
    if body is None:
        return {}
    content = {"application/json": {"schema": dict(body.schema), "example": dict(body.example)}}
    return {"requestBody": {"required": body.required, "content": content}}


def _codes_by_status(route: Route) -> Mapping[int, tuple[str, ...]]:
    found: dict[int, tuple[str, ...]] = {}
    for code in refusals_of(route):
        found[STATUS[code]] = (*found.get(STATUS[code], ()), code)
    return found


def _refusal(status: int, codes: tuple[str, ...], always: JsonSchema) -> dict[str, Any]:
    narrowed = {"properties": {"code": {"enum": list(codes)}}}
    example = {"error": "A sentence.", "code": codes[0], "requestId": "4b0c8d1e2f"}
    schema = {"allOf": [{"$ref": f"{COMPONENTS}{ProblemBody.__name__}"}, narrowed]}
    return {
        "description": ", ".join(f"`{code}`" for code in codes),
        "headers": always | (RETRY_HEADER if status in {429, 503} else {}),
        "content": {"application/json": {"schema": schema, "example": example}},
    }


def _components(services: Services) -> JsonSchema:
    problem = ProblemBody.model_json_schema(ref_template=f"{COMPONENTS}{{model}}")
    nested = cast("JsonSchema", problem.pop("$defs", {}))
    found: JsonSchema = {
        **nested,
        ProblemBody.__name__: problem,
        **COMPONENTS_OF_RENDERS,
    }
    for name, schema in ((SCENE_SCHEMA, services.scene_schema), (BATCH_SCHEMA, services.ops_schema)):
        found |= _hoisted(name, schema, found)
    return found


def _hoisted(name: str, schema: Mapping[str, Any], taken: Mapping[str, Any]) -> JsonSchema:
    """A schema as components: its definitions move to the top level, under their own names if free or already equal."""
    body = {key: value for key, value in schema.items() if key not in {"$schema", "$id", "$defs"}}
    definitions = cast("JsonSchema", schema.get("$defs", {}))
    plain = {f"#/$defs/{inner}": f"{COMPONENTS}{inner}" for inner in definitions}
    names = {
        inner: inner if taken.get(inner) in (None, _rewritten(value, plain)) else f"{name}{inner}"
        for inner, value in definitions.items()
    }
    references = {f"#/$defs/{inner}": f"{COMPONENTS}{moved}" for inner, moved in names.items()}
    hoisted = {names[inner]: _rewritten(value, references) for inner, value in definitions.items()}
    return {name: _rewritten(body, references), **hoisted}


def _rewritten(value: Any, references: Mapping[str, str]) -> Any:
    if isinstance(value, list):
        return [_rewritten(item, references) for item in cast("list[Any]", value)]
    if not isinstance(value, dict):
        return value
    members = cast("JsonSchema", value)
    return {
        key: references.get(inner, inner) if key == "$ref" and isinstance(inner, str) else _rewritten(inner, references)
        for key, inner in members.items()
    }


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


# The documentation page, made from the OpenAPI description: a single HTML text without scripts and external resources.
# All content is escaped; every example has a command line.


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
