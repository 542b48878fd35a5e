"""Nobody learns what others have: a foreign id, a deleted one and one that never was are answered alike everywhere."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from pydantic import SecretStr
from starlette.testclient import TestClient

from scenograph.http.routes import ROUTES, Auth, Route
from scenograph.settings import Settings
from scenograph.wiring import build

Document = dict[str, Any]
Headers = dict[str, str]
SUPPORT_KEY = "dsp_sk_" + "6" * 32
OF_SCENES = [route for route in ROUTES if "{sceneId}" in route.path]
PUBLIC = [route for route in ROUTES if "{id}" in route.path]
HELD = ("foreign", "shown", "gone", "own-gone", "none")
fresh_number = count()
QUERIES = {"diff": {"from": "1", "to": "1"}, "revisions": {"before": "2"}}


def named(route: Route) -> str:
    return f"{route.method} {route.path}"


def of_grantee(path: str) -> str:
    return path.replace("{grantee}", "operator").replace("{commentId}", "cmt_" + 24 * "0")


def body_for(route: Route, scene: str) -> Any:
    """A body that is refused for nothing but its scene."""
    bodies: dict[str, Any] = {
        "applyOps": {"schemaVersion": "0.1", "sceneId": scene, "baseRevision": 1, "ops": []},
        "support": {"problem": "broken", "anonymize": True},
        "render": {"format": "png", "revision": 1},
        "restore": {"revision": 1, "baseRevision": 1},
        "sync": {"format": "sql", "source": "CREATE TABLE a (id int);", "baseRevision": 1},
        "comments": {"text": "Why?"} if route.method == "POST" else None,
        "replies": {"text": "So."},
        "presence": {"tab": "t1"},
        "cmt_" + 24 * "0": {"resolved": True} if route.method == "PATCH" else None,
        "operator": {"role": "viewer"} if route.method == "PUT" else None,
    }
    return bodies.get(of_grantee(route.path).rpartition("/")[2])


def seen(reply: Any) -> tuple[int, Any, dict[str, str]]:
    """All of a reply but its own id and how many calls are left."""
    headers = {name: "" if "ratelimit" in name else value for name, value in reply.headers.items()}
    headers.pop("x-request-id")
    if headers["content-type"] != "application/json":
        return reply.status_code, reply.text, headers
    body = reply.json()
    body.pop("requestId", None)
    return reply.status_code, body, headers


@pytest.fixture
def stranger(key_of_another: Callable[[str, bool], Headers]) -> Headers:
    """The key of somebody else, who has deleted nothing in this minute."""
    return key_of_another(f"stranger-{next(fresh_number)}", True)


@pytest.fixture
def key(key_of_another: Callable[[str, bool], Headers]) -> Headers:
    """The key of the one who asks."""
    return key_of_another(f"asking-{next(fresh_number)}", True)


@pytest.fixture
def held(client: TestClient, stranger: Headers, key: Headers, document: Document) -> dict[str, str]:
    """Ids by what is behind them: a stranger's scene, public or not, a deleted one of each, and nothing."""
    base = document["scene"]["id"]
    ids = {name: f"{base[:90]}-{number}" for number, name in enumerate(HELD)}
    for name, owner in (("foreign", stranger), ("shown", stranger), ("gone", stranger), ("own-gone", key)):
        document["scene"]["id"] = ids[name]
        assert client.post("/v1/scenes", json=document, headers=owner).status_code == 201
    client.post(f"/v1/scenes/{ids['shown']}/publish", headers=stranger)
    for name, owner in (("gone", stranger), ("own-gone", key)):
        assert client.delete(f"/v1/scenes/{ids[name]}", headers=owner).status_code == 200
    return ids


@pytest.mark.parametrize("route", OF_SCENES, ids=named)
def test_routes_of_a_scene(client: TestClient, key: Headers, held: dict[str, str], route: Route) -> None:
    replies: dict[str, Any] = {}
    for name, scene in held.items():
        if name == "own-gone" and route.path.endswith("/undelete"):
            continue
        path = of_grantee(route.path).replace("{sceneId}", scene)
        query = QUERIES.get(path.rpartition("/")[2], {})
        asked = client.request(route.method, path, params=query, json=body_for(route, scene), headers=key)
        replies[name] = seen(asked)
    assert replies["none"][0] == 404
    assert replies["none"][1]["code"] == "scene_not_found"
    for name, reply in replies.items():
        assert reply == replies["none"], name
        assert held[name] not in str(reply)


@pytest.mark.parametrize("route", PUBLIC, ids=named)
def test_public_routes(client: TestClient, stranger: Headers, held: dict[str, str], route: Route) -> None:
    def ask(scene: str) -> Any:
        return seen(client.request(route.method, route.path.replace("{id}", scene)))

    assert ask(held["shown"])[0] == 200
    client.post(f"/v1/scenes/{held['shown']}/make-private", headers=stranger)
    replies = {name: ask(scene) for name, scene in held.items()}
    assert replies["none"][0] == 404
    for name, reply in replies.items():
        assert reply == replies["none"], name
        assert held[name] not in str(reply)


def test_the_lists_show_nothing_of_others(client: TestClient, key: Headers, held: dict[str, str]) -> None:
    for path in ("/v1/scenes", "/v1/deleted-scenes"):
        shown = client.get(path, headers=key).text
        assert not any(held[name] in shown for name in ("foreign", "shown", "gone"))
    assert client.get("/v1/scenes", params={"q": held["foreign"]}, headers=key).json()["items"] == []


def test_an_id_that_a_stranger_holds_is_free(
    client: TestClient, key: Headers, held: dict[str, str], document: Document
) -> None:
    replies = []
    for name in ("foreign", "shown", "gone", "none"):
        document["scene"]["id"] = held[name]
        status, body, headers = seen(client.post("/v1/scenes", json=document, headers=key))
        assert body.pop("sceneId") == held[name]
        replies.append((status, body, headers))
    assert replies[0][0] == 201
    assert replies == replies[:1] * 4


def test_keys(client: TestClient, key: Headers, stranger: Headers) -> None:
    foreign = client.get("/v1/auth/keys", headers=stranger).json()["items"][0]["id"]
    revoked = client.post("/v1/auth/keys", json={"name": "old"}, headers=key).json()["id"]
    assert client.delete(f"/v1/auth/keys/{revoked}", headers=key).status_code == 200
    replies = [seen(client.delete(f"/v1/auth/keys/{one}", headers=key)) for one in (foreign, revoked, "key_0", "%00")]
    assert replies[0][0] == 404
    assert replies == replies[:1] * 4
    assert client.get("/v1/auth/keys", headers=stranger).status_code == 200


def test_submissions(client: TestClient, settings: Settings, key: Headers, stored: str) -> None:
    build(settings.model_copy(update={"bootstrap_support_key": SecretStr(SUPPORT_KEY)})).close()
    supporter = {"Authorization": f"Bearer {SUPPORT_KEY}"}
    client.post(f"/v1/scenes/{stored}/support", json={"problem": "mine alone"}, headers=key)
    items = client.get("/v1/support/scenes", headers=supporter).json()["items"]
    (submission,) = (item["submissionId"] for item in items if item["problem"] == "mine alone")
    paths = [f"/v1/support/scenes/{one}" for one in (submission, "sub_0", "%00")]
    for_members = [seen(client.get(path, headers=key)) for path in paths]
    assert for_members[0][0] == 403
    assert for_members == for_members[:1] * 3
    client.post(f"/v1/scenes/{stored}/make-private", headers=key)
    for_supporters = [seen(client.get(path, headers=supporter)) for path in paths]
    assert for_supporters[0][0] == 404
    assert for_supporters == for_supporters[:1] * 3


def test_every_route_with_an_id_is_walked() -> None:
    other = {"/v1/auth/keys/{keyId}", "/v1/support/scenes/{submissionId}"}
    with_ids = {route.path for route in ROUTES if "{" in route.path}
    assert with_ids == {route.path for route in (*OF_SCENES, *PUBLIC)} | other
    assert all(route.auth is Auth.KEY for route in OF_SCENES)
