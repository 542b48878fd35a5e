"""What every address has in common: ids, methods, compression, open doors, and the form of a refusal."""

from __future__ import annotations

import gzip
import html
import json
import re
from typing import Any

import pytest
from starlette.testclient import TestClient

from scenograph.http.routes import ROUTES, Auth, Route

OPEN = [route for route in ROUTES if route.auth is Auth.OPEN]
KEYED = [route for route in ROUTES if route.auth is Auth.KEY]


def address(route: Route) -> str:
    return re.sub(r"\{\w+\}", "no-such-thing", route.path)


def named(route: Route) -> str:
    return f"{route.method} {route.path}"


def assert_is_problem(reply: Any, status: int, code: str) -> None:
    body = reply.json()
    assert (reply.status_code, body["code"]) == (status, code)
    assert body["error"][0].isupper()
    assert body["error"].endswith(".")
    assert body["requestId"] == reply.headers["x-request-id"]


def test_health_answers_ok(client: TestClient) -> None:
    reply = client.get("/health")
    assert (reply.status_code, reply.json()) == (200, {"status": "ok"})


def test_ready_answers_once_the_store_and_the_renderers_do(client: TestClient, document: dict[str, Any]) -> None:
    client.post("/v1/scenes/render", json={"scene": document})
    reply = client.get("/ready")
    assert (reply.status_code, reply.json()) == (200, {"status": "ready"})


NO_KEY = {
    "": "missing_api_key",
    "Basic dXNlcjpwYXNz": "missing_api_key",
    "Bearer dsp_sk_" + "f" * 32: "invalid_api_key",
    "Bearer \u00e9": "invalid_api_key",
}


@pytest.mark.parametrize("route", KEYED, ids=named)
def test_a_keyed_address_asks_for_a_key(client: TestClient, route: Route) -> None:
    for words, code in NO_KEY.items():
        raw = {"Authorization": words.encode("latin-1")} if words else {}
        reply = client.request(route.method, address(route), headers=raw, json={})
        assert_is_problem(reply, 401, code)
        assert reply.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize("route", OPEN, ids=named)
def test_an_open_address_ignores_a_wrong_key(client: TestClient, route: Route) -> None:
    wrong = {"Authorization": "Bearer nobody"}
    with_key = client.request(route.method, address(route), headers=wrong, json={})
    without = client.request(route.method, address(route), json={})
    assert with_key.status_code == without.status_code != 401


@pytest.mark.parametrize("path", ["/nope", "/v1", "/v1/", "/health/", "/v1/scenes/a/b/c", "/v1/scenes//render"])
def test_an_unknown_address_is_a_plain_404(client: TestClient, path: str) -> None:
    assert_is_problem(client.get(path), 404, "not_found")


@pytest.mark.parametrize("route", ROUTES, ids=named)
def test_another_method_is_a_405_that_says_which_there_are(client: TestClient, route: Route) -> None:
    of_this_path = {other.method for other in ROUTES if other.path == route.path}
    for method in {"PUT", "DELETE", "PATCH", "PROPFIND"} - of_this_path:
        reply = client.request(method, address(route))
        assert_is_problem(reply, 405, "method_not_allowed")
        assert route.method in reply.headers["allow"]


@pytest.mark.parametrize("path", ["render", "validate", "normalize"])
def test_a_reserved_word_is_no_scene(client: TestClient, key: dict[str, str], path: str) -> None:
    assert_is_problem(client.get(f"/v1/scenes/{path}", headers=key), 405, "method_not_allowed")


def test_head_answers_as_get_without_a_body(client: TestClient, key: dict[str, str], stored: str) -> None:
    for path in ("/health", f"/v1/scenes/{stored}"):
        get, head = client.get(path, headers=key), client.head(path, headers=key)
        assert head.status_code == 200
        assert head.content == b""
        assert head.headers["content-type"] == get.headers["content-type"]
        assert head.headers.get("etag") == get.headers.get("etag")


def test_a_browser_of_any_origin_may_use_the_open_addresses(client: TestClient) -> None:
    asked = {"Origin": "https://example.org", "Access-Control-Request-Method": "POST"}
    preflight = client.options("/v1/scenes/render", headers=asked)
    assert preflight.status_code == 204
    assert "POST" in preflight.headers["access-control-allow-methods"]
    assert "Content-Type" in preflight.headers["access-control-allow-headers"]
    for reply in (preflight, client.get("/health"), client.post("/v1/scenes/render", content=b"{")):
        assert reply.headers["access-control-allow-origin"] == "*"


def test_a_keyed_address_is_closed_to_other_origins(client: TestClient, key: dict[str, str], stored: str) -> None:
    asked = {"Origin": "https://example.org", "Access-Control-Request-Method": "POST"}
    assert client.options("/v1/scenes", headers=asked).headers["allow"] == "POST, GET, HEAD, OPTIONS"
    for reply in (client.options("/v1/scenes", headers=asked), client.get(f"/v1/scenes/{stored}", headers=key | asked)):
        assert "access-control-allow-origin" not in reply.headers


def test_a_large_reply_is_compressed_and_a_small_one_is_not(client: TestClient) -> None:
    with client.stream("GET", "/openapi.json", headers={"Accept-Encoding": "gzip"}) as large:
        assert large.headers["content-encoding"] == "gzip"
        assert json.loads(gzip.decompress(b"".join(large.iter_raw())))["openapi"].startswith("3.1")
    assert "content-encoding" not in client.get("/health", headers={"Accept-Encoding": "gzip"}).headers


def test_every_reply_has_a_request_id_and_a_usable_one_of_the_caller_is_kept(client: TestClient) -> None:
    first, second = (client.get("/health").headers["x-request-id"] for _ in range(2))
    assert first != second
    assert client.get("/nope", headers={"X-Request-Id": "build-7.42"}).json()["requestId"] == "build-7.42"
    for odd in ("short", "with space", "x" * 65, "line\tfeed"):
        assert client.get("/health", headers={"X-Request-Id": odd}).headers["x-request-id"] != odd


@pytest.mark.parametrize("part", [{"headers": {"X-Padding": "x" * 17_000}}, {"params": {"q": "x" * 17_000}}])
def test_a_header_block_beyond_its_limit_is_refused(client: TestClient, part: dict[str, Any]) -> None:
    refused = client.get("/health", **part)
    assert_is_problem(refused, 431, "headers_too_large")
    assert refused.headers["access-control-allow-origin"] == "*", "a page may read why"


def test_no_reply_may_be_taken_for_another_type(client: TestClient) -> None:
    assert client.get("/health").headers["x-content-type-options"] == "nosniff"
    assert client.get("/nope").headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("name", ["scene", "ops"])
def test_the_schemas_are_published(client: TestClient, name: str) -> None:
    reply = client.get(f"/schemas/{name}.schema.json")
    assert reply.status_code == 200
    assert reply.json()["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def test_the_documentation_page_shows_every_route_and_loads_nothing(client: TestClient) -> None:
    reply = client.get("/docs")
    assert reply.headers["content-type"] == "text/html; charset=utf-8"
    policy = reply.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src" not in policy
    for route in ROUTES:
        assert f"{route.method}</span> {route.path}" in reply.text
    assert re.findall(r"<(?:script|img|iframe)|(?:src|url|@import)[=(]", reply.text) == []
    assert all(link.startswith("/assets/") for link in re.findall(r'<link[^>]* href="([^"]*)"', reply.text))


def test_the_command_lines_of_the_documentation_are_whole(client: TestClient) -> None:
    commands = [
        html.unescape(text) for text in re.findall(r"<pre[^>]*>(.*?)</pre>", client.get("/docs").text, re.DOTALL)
    ]
    bodies = [command.partition("-d '")[2].removesuffix("'") for command in commands if "-d '" in command]
    assert len(bodies) == sum(route.request is not None for route in ROUTES)
    assert all(json.loads(body) for body in bodies)


def test_a_missing_or_wrong_end_of_a_comparison_is_told_in_a_sentence(client: TestClient, key: dict[str, str]) -> None:
    missing = client.get("/v1/scenes/none/diff", headers=key)
    assert missing.json()["error"] == "The parameter from is required."
    wrong = client.get("/v1/scenes/none/diff", params={"from": "a"}, headers=key)
    assert "from must be the number of a revision, or a time in ISO 8601" in wrong.json()["error"]
