"""The published description is true: what is answered is documented, and has the form that is documented."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jsonschema
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import load_all_checks, not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)
from starlette.testclient import TestClient
from tests.steps import work

from scenograph.http.app import create_app, prepare
from scenograph.http.endpoints.pages import description_of
from scenograph.http.routes import ROUTES, Auth, Route
from scenograph.wiring import Services

TRUE_TO_THE_DESCRIPTION = [
    not_a_server_error,
    negative_data_rejection,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    unsupported_method,
]
JUDGES_ANY_OBJECT = "/v1/scenes/validate"  # it answers 200 and tells what is wrong
STREAM = "text/event-stream"
STREAM_SECONDS = 2.0  # no stream ends by itself: what it said until then is judged
EXAMPLES = {GenerationMode.POSITIVE: 5, GenerationMode.NEGATIVE: 3}  # documents are slow to invent
load_all_checks()


@pytest.fixture(scope="module")
def description(client: TestClient) -> dict[str, Any]:
    return client.get("/openapi.json").json()


@pytest.fixture(scope="module")
def schema(services: Services) -> Any:
    return schemathesis.openapi.from_asgi("/openapi.json", create_app(services))


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
def test_generated_requests_are_answered_as_described(
    schema: Any, key: dict[str, str], route: Route, mode: GenerationMode
) -> None:
    operation = schema[route.path][route.method]
    judges = route.path == JUDGES_ANY_OBJECT
    patience = STREAM_SECONDS if route.media_type == STREAM else None
    checks = [one for one in TRUE_TO_THE_DESCRIPTION if not (judges and one is negative_data_rejection)]
    if mode is GenerationMode.NEGATIVE and not (route.request or "{" in route.path):
        return  # nothing about such a request can be wrong

    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(
        max_examples=EXAMPLES[mode],
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    def check(case: Any) -> None:
        case.validate_response(case.call(headers=key, timeout=patience), checks=checks)

    check()


def test_the_description_is_openapi_3_1_and_names_every_route(description: dict[str, Any]) -> None:
    assert description["openapi"].startswith("3.1")
    described = {(method.upper(), path) for path, item in description["paths"].items() for method in item}
    assert described == {(route.method, route.path) for route in ROUTES}


def test_the_description_says_which_routes_ask_for_a_key(description: dict[str, Any]) -> None:
    for route in ROUTES:
        operation = description["paths"][route.path][route.method.lower()]
        assert bool(operation.get("security")) == (route.auth is Auth.KEY), route.path
        assert ("401" in operation["responses"]) == (route.auth is Auth.KEY), route.path


def test_every_reference_in_the_description_leads_somewhere(description: dict[str, Any]) -> None:
    components = description["components"]["schemas"]
    pending: list[Any] = [description]
    seen = 0
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            pending.extend(value.values())
            if isinstance(target := value.get("$ref"), str):
                seen += 1
                assert target.removeprefix("#/components/schemas/") in components
        elif isinstance(value, list):
            pending.extend(value)
    assert seen > 50


@pytest.mark.parametrize("route", [route for route in ROUTES if route.request], ids=lambda route: route.path)
def test_the_example_of_a_request_has_the_form_that_is_described(description: dict[str, Any], route: Any) -> None:
    content = description["paths"][route.path][route.method.lower()]["requestBody"]["content"]["application/json"]
    rooted = {**content["schema"], "components": description["components"]}
    jsonschema.Draft202012Validator(rooted).validate(content["example"])


def test_the_examples_do_what_they_say(
    client: TestClient, key_of_another: Callable[[str, bool], dict[str, str]], description: dict[str, Any]
) -> None:
    key = key_of_another("reader", True)
    for path in ("/v1/scenes", "/v1/scenes/{sceneId}/applyOps", "/v1/scenes/{sceneId}/render"):
        body = description["paths"][path]["post"]["requestBody"]["content"]["application/json"]["example"]
        reply = client.post(path.replace("{sceneId}", "checkout"), json=body, headers=key)
        assert reply.status_code in {200, 201}, reply.text


def test_no_request_pays_for_what_is_done_once(services: Services) -> None:
    app = create_app(services)
    prepare(app)
    described = app.openapi()
    assert app.state.description
    assert work(app.openapi) < 10
    assert work(lambda: description_of(app)) < 10
    icons = services.limits.icons
    assert icons is not None
    assert work(lambda: icons.nearest("none:never-asked-for")) < 50_000  # the index takes ten times as many
    assert app.openapi() is described
