"""The OpenAPI 3.1 description: the framework's, with every status a route may answer and the scene room's schemas.

The framework knows parameters and security; replies, refusals and bodies come from the ROUTES table, which the tests
hold against what is really answered.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from scenograph.http.bodies import ProblemBody
from scenograph.http.problems import STATUS
from scenograph.http.rate_limiting import LIMIT_HEADERS
from scenograph.http.repetition import REPLAYED_HEADER
from scenograph.http.request_bodies import BATCH_SCHEMA, SCENE_SCHEMA, RequestBody
from scenograph.http.routes import Route, refusals_of
from scenograph.service.render_requests import COMPONENTS as COMPONENTS_OF_RENDERS
from scenograph.wire.formats import FORMATS
from scenograph.wiring import Services

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


def describe(app: FastAPI, services: Services) -> JsonSchema:
    """The whole description of `app`."""
    document = get_openapi(
        title=app.title,
        version=app.version,
        description=DESCRIPTION.strip(),
        routes=app.routes,
        servers=[{"url": services.public_site}] if services.public_site else None,
    )
    components = document.setdefault("components", {}).setdefault("schemas", {})
    for name in ("HTTPValidationError", "ValidationError"):
        components.pop(name, None)
    components |= _components(services)
    for operations in document["paths"].values():
        for operation in operations.values():
            # The framework documents its own 422 for every parameter; such requests get the service's 400
            responses = operation["responses"]
            if "HTTPValidationError" in str(responses.get("422", "")):
                del responses["422"]
    return document


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
