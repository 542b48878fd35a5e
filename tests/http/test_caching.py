"""What may be kept, by whom, and how a client asks whether it changed."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

from scenograph.http.routes import ROUTES, Route

Key = dict[str, str]
ASKED = [route for route in ROUTES if route.unchanged]
OTHERS = [route for route in ROUTES if not route.unchanged]


def address(route: Route, scene: str) -> str:
    filled = route.path.replace("{sceneId}", scene).replace("{id}", scene)
    return filled.replace("{submissionId}", "none").replace("{keyId}", "none")


def named(route: Route) -> str:
    return f"{route.method} {route.path}"


@pytest.mark.parametrize("route", ASKED, ids=named)
def test_a_read_that_did_not_change_is_a_304_without_a_body(
    client: TestClient, key: Key, stored: str, route: Route
) -> None:
    path, query = address(route, stored), {"from": 1} if route.path.endswith("/diff") else {}
    first = client.get(path, headers=key, params=query)
    assert first.status_code == 200
    tag = first.headers["etag"]
    for asked in (tag, tag.removeprefix("W/"), f'"other", {tag}', "*"):
        again = client.get(path, headers=key | {"If-None-Match": asked}, params=query)
        assert (again.status_code, again.content) == (304, b""), asked
        assert again.headers["etag"] == tag
        assert again.headers["vary"] == "Accept-Encoding"
        assert again.headers["cache-control"] == first.headers["cache-control"]
    assert client.get(path, headers=key | {"If-None-Match": '"other"'}, params=query).status_code == 200
    assert client.head(path, headers=key | {"If-None-Match": tag}, params=query).status_code == 304


def test_a_changed_scene_has_another_tag_in_every_read(client: TestClient, key: Key, stored: str) -> None:
    paths = [f"/v1/scenes/{stored}", f"/v1/scenes/{stored}/revisions", f"/v1/scenes/{stored}/diff?from=1", "/v1/scenes"]
    before = [client.get(path, headers=key).headers["etag"] for path in paths]
    edit = {"op": "updateNode", "id": "web", "label": "New"}
    batch = {"schemaVersion": "0.1", "sceneId": stored, "baseRevision": 1, "ops": [edit]}
    assert client.post(f"/v1/scenes/{stored}/applyOps", json=batch, headers=key).status_code == 200
    after = [client.get(path, headers=key | {"If-None-Match": ", ".join(before)}) for path in paths]
    assert [reply.status_code for reply in after] == [200] * 4


@pytest.mark.parametrize("route", [route for route in ROUTES if route.media_type != "text/event-stream"], ids=named)
def test_every_reply_says_who_may_keep_it(client: TestClient, key: Key, stored: str, route: Route) -> None:
    for headers in ({}, key):
        reply = client.request(route.method, address(route, stored), headers=headers, json={})
        kept = reply.headers["cache-control"]
        public = route.unchanged and route.auth.value == "open" and reply.status_code == 200
        own = {"no-store", "private, no-cache", "no-cache"}
        assert kept in ({"public, max-age=3600"} if public else own)
        if reply.status_code >= 400:
            assert kept == "no-store"


@pytest.mark.parametrize("path", ["/s/none", "/s/none.svg", "/s/none.png", "/v1/public/scenes/none", "/nowhere"])
def test_what_is_not_there_is_kept_by_nobody_for_it_may_be_there_soon(client: TestClient, path: str) -> None:
    reply = client.get(path, headers={"If-None-Match": "*"})
    assert (reply.status_code, reply.headers["cache-control"]) == (404, "no-store")


def test_the_page_and_the_source_of_a_published_scene_are_never_a_304(
    client: TestClient, key: Key, stored: str
) -> None:
    client.post(f"/v1/scenes/{stored}/publish", headers=key)
    for path in (f"/s/{stored}", f"/v1/public/scenes/{stored}"):
        reply = client.get(path, headers={"If-None-Match": "*", "If-Modified-Since": "Fri, 01 Jan 2100 00:00:00 GMT"})
        assert (reply.status_code, reply.headers["cache-control"]) == (200, "no-store")
        assert "etag" not in reply.headers


def test_language_models_are_told_where_everything_is(client: TestClient) -> None:
    reply = client.get("/llms.txt")
    assert reply.headers["content-type"] == "text/markdown; charset=utf-8"
    assert reply.text.startswith("# Scenograph\n\n> ")
    for route in ROUTES:
        assert (f"`{route.method} {route.path}`" in reply.text) == route.path.startswith("/v1")
    links: list[Any] = [part.partition(")")[0] for part in reply.text.split("](")[1:]]
    assert [client.get(link).status_code for link in links] == [200] * len(links)
