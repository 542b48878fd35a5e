"""Shared scenes: who may call what, by the table of the rules, and what a grant opens besides (R-PEOPLE-2 to 7)."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import count, product
from pathlib import Path
from typing import Any

import anyio
import pytest
from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.testclient import TestClient

from scenograph.http.guards import scene_access
from scenograph.http.routes import ROUTES, Route
from scenograph.service.accounts import Keys
from scenograph.service.errors import ServiceError
from scenograph.service.people import ROLES
from scenograph.storage.interface import Account
from scenograph.storage.sqlite import open_sqlite
from scenograph.wiring import Services

Document = dict[str, Any]
Headers = dict[str, str]
PAGE = Path(__file__).parents[2] / "docs" / "rules" / "people.md"
OF_SCENES = [route for route in ROUTES if "{sceneId}" in route.path]
WRITTEN = dict(re.findall(r"^\| ([A-Z]+ /v1/scenes/\S+) \| (\w+) \|$", PAGE.read_text("utf-8"), re.MULTILINE))
LEAVING = "DELETE /v1/scenes/{sceneId}/grants/me"
STATES = ("private", "public", "support", "deleted")
fresh = count()


class Person:
    """An account with a key, and perhaps a verified address."""

    def __init__(self, account_id: str, headers: Headers, email: str) -> None:
        self.account_id = account_id
        self.headers = headers
        self.email = email


Pair = tuple[Person, Person]


@pytest.fixture
def person(database_url: str) -> Callable[..., Person]:
    """Makes a new account."""

    def make(*, verified: bool = True) -> Person:
        now, name = datetime.now(UTC), f"person-{next(fresh)}"
        store, email = open_sqlite(database_url), f"{name}@example.org"
        at = now if verified else None
        store.add_account(Account(id=name, email=email, email_verified_at=at, role="member"), now)
        secret = Keys(store, lambda: now).create(name, f"key of {name}").key
        store.close()
        return Person(name, {"Authorization": f"Bearer {secret}"}, email)

    return make


@pytest.fixture
def ann(person: Callable[..., Person]) -> Person:
    return person()


@pytest.fixture
def bob(person: Callable[..., Person]) -> Person:
    return person()


@pytest.fixture
def people(ann: Person, bob: Person) -> Pair:
    return ann, bob


@pytest.fixture
def shared(client: TestClient, ann: Person, document: Document) -> str:
    """The id of a scene of ann's, which is not shared yet."""
    assert client.post("/v1/scenes", json=document, headers=ann.headers).status_code == 201
    return str(document["scene"]["id"])


def share(client: TestClient, owner: Person, scene: str, grantee: str, role: str) -> Any:
    reply = client.put(f"/v1/scenes/{scene}/grants/{grantee}", json={"role": role}, headers=owner.headers)
    assert reply.status_code == 200, reply.text
    return reply.json()


def unshare(client: TestClient, owner: Person, scene: str, grantee: str) -> None:
    assert client.delete(f"/v1/scenes/{scene}/grants/{grantee}", headers=owner.headers).status_code == 200


def said(client: TestClient, scene: str, person: Person) -> str:
    """The id of a new comment on a scene of the person's."""
    reply = client.post(f"/v1/scenes/{scene}/comments", json={"text": "Why?"}, headers=person.headers)
    return str(reply.json()["commentId"])


def edit(base: int, scene: str, label: str = "Shop") -> Document:
    return {
        "schemaVersion": "0.1",
        "sceneId": scene,
        "baseRevision": base,
        "ops": [{"op": "updateNode", "id": "web", "label": label}],
    }


def body_for(route: Route, scene: str) -> Any:
    """A body that is refused for nothing but its scene."""
    bodies: dict[str, Any] = {
        "applyOps": edit(1, scene),
        "support": {"problem": "broken", "anonymize": True},
        "render": {"format": "svg"},
        "restore": {"revision": 1, "baseRevision": 1},
        "sync": {"format": "sql", "source": "CREATE TABLE a (id int);", "baseRevision": 1},
        "comments": {"text": "Why?"} if route.method == "POST" else None,
        "replies": {"text": "So."},
        "presence": {"tab": "t1"},
        "{commentId}": {"resolved": True} if route.method == "PATCH" else None,
        "{grantee}": {"role": "viewer"} if route.method == "PUT" else None,
    }
    return bodies.get(route.path.rpartition("/")[2])


def named(route: Route) -> str:
    return f"{route.method} {route.path}"


NO_COMMENT = "cmt_" + 24 * "0"


def ask(
    client: TestClient, route: Route, scene: str, owner: str, headers: Headers, *, comment: str = NO_COMMENT
) -> tuple[int, str]:
    """The status and the code of a call, of a stream by its HEAD."""
    path = route.path.replace("{sceneId}", scene).replace("{grantee}", "operator").replace("{commentId}", comment)
    query = {"owner": owner} | ({"from": "1"} if path.endswith("/diff") else {})
    method = "HEAD" if path.endswith("/events") else route.method
    reply = client.request(method, path, params=query, json=body_for(route, scene), headers=headers)
    return reply.status_code, "" if method == "HEAD" or reply.is_success else reply.json()["code"]


def test_the_table_of_the_rules_is_that_of_the_routes() -> None:
    assert {named(route): route.needs for route in OF_SCENES} == WRITTEN


@pytest.fixture
def shown(client: TestClient, people: Pair, database_url: str) -> Callable[[Document, str | None, str], str]:
    """Keeps a scene of ann's in a state, shared with bob by a role, and gives the id of a comment on it."""
    ann, bob = people

    def make(document: Document, role: str | None, state: str) -> str:
        scene = document["scene"]["id"]
        client.post("/v1/scenes", json=document, headers=ann.headers)
        comment = said(client, scene, ann)
        if role is not None:
            share(client, ann, scene, bob.account_id, role)
        if state == "public":
            client.post(f"/v1/scenes/{scene}/publish", headers=ann.headers)
        elif state == "support":
            client.post(f"/v1/scenes/{scene}/support", json={"problem": "p"}, headers=ann.headers)
        elif state == "deleted":
            store = open_sqlite(database_url)  # by HTTP ten a minute at most
            store.delete_scene(ann.account_id, scene, None, datetime.now(UTC))
            store.close()
        return comment

    return make


@pytest.mark.parametrize(("role", "state"), [*product((None, *ROLES[:-1]), STATES)])
def test_every_route_answers_each_role_in_each_state_as_the_table_says(
    client: TestClient,
    people: Pair,
    document: Document,
    shown: Callable[[Document, str | None, str], str],
    *,
    role: str | None,
    state: str,
) -> None:
    ann, bob = people
    base = document["scene"]["id"][:90]
    scene = comment = ""
    for number, route in enumerate(OF_SCENES):
        if not scene:
            scene = document["scene"]["id"] = f"{base}-{number}"
            comment = shown(document, role, state)
        status, code = ask(client, route, scene, ann.account_id, bob.headers, comment=comment)
        if role is None or state == "deleted":
            expected = 404
        elif ROLES.index(role) >= ROLES.index(WRITTEN[named(route)]):
            expected = route.status
        else:
            expected = 403
        if named(route).startswith("DELETE") and "commentId" in route.path and expected == 200:
            expected = 403  # another's comment
        if named(route) == LEAVING and state != "deleted" and expected == 200:
            left = client.get(f"/v1/scenes/{scene}", params={"owner": ann.account_id}, headers=bob.headers)
            assert left.status_code == 404
        assert status == expected, (named(route), code)
        assert code in {"", {404: "scene_not_found", 403: "role_forbidden"}.get(status, "")}, named(route)
        if status not in {403, 404}:
            scene = ""  # which the call may have changed; what is refused changes nothing


def test_an_owner_may_call_everything_also_by_the_own_id(client: TestClient, ann: Person, document: Document) -> None:
    base = document["scene"]["id"][:90]
    for number, route in enumerate(OF_SCENES):
        scene = document["scene"]["id"] = f"{base}-{number}"
        client.post("/v1/scenes", json=document, headers=ann.headers)
        share(client, ann, scene, "operator", "viewer")
        comment = said(client, scene, ann)
        if route.path.endswith("/undelete"):
            client.delete(f"/v1/scenes/{scene}", headers=ann.headers)
        status, _ = ask(client, route, scene, ann.account_id, ann.headers, comment=comment)
        assert status == (400 if named(route) == LEAVING else route.status), named(route)


@pytest.mark.parametrize("route", OF_SCENES, ids=named)
def test_a_guessed_owner_learns_nothing(
    client: TestClient, ann: Person, bob: Person, shared: str, route: Route
) -> None:
    replies: list[tuple[int, Document]] = []
    for scene, owner in (
        (shared, ann.account_id),
        ("none", ann.account_id),
        (shared, "acc_0"),
        (shared, "a|b"),
        ("%00", ""),
    ):
        path = route.path.replace("{sceneId}", scene).replace("{grantee}", "operator")
        path = path.replace("{commentId}", NO_COMMENT)
        query = {"owner": owner} | ({"from": "1"} if path.endswith("/diff") else {})
        reply = client.request(route.method, path, params=query, json=body_for(route, "x"), headers=bob.headers)
        body = reply.json()
        body.pop("requestId")
        replies.append((reply.status_code, body))
    assert replies[0][0] == 404
    assert replies == replies[:1] * len(replies)


class TestLists:
    def test_a_shared_scene_is_listed_with_its_owner_and_the_role(
        self, client: TestClient, ann: Person, bob: Person, shared: str
    ) -> None:
        share(client, ann, shared, bob.account_id, "commenter")
        (item,) = client.get("/v1/scenes", headers=bob.headers).json()["items"]
        assert (item["sceneId"], item["role"]) == (shared, "commenter")
        assert item["owner"] == {"accountId": ann.account_id, "name": ann.email}
        (own,) = client.get("/v1/scenes", headers=ann.headers).json()["items"]
        assert not {"owner", "role"} & own.keys()

    def test_an_address_that_nobody_has_proved_is_no_name(
        self, client: TestClient, person: Callable[..., Person], bob: Person, document: Document
    ) -> None:
        mallory = person(verified=False)
        client.post("/v1/scenes", json=document, headers=mallory.headers)
        share(client, mallory, document["scene"]["id"], bob.account_id, "viewer")
        (item,) = client.get("/v1/scenes", headers=bob.headers).json()["items"]
        assert item["owner"] == {"accountId": mallory.account_id, "name": mallory.account_id}

    def test_pages_and_queries_hold_every_scene_once_though_ids_are_equal(
        self, client: TestClient, person: Callable[..., Person], bob: Person, document: Document
    ) -> None:
        for owner in (bob, *(person() for _ in range(3))):
            client.post("/v1/scenes", json=document, headers=owner.headers)
            if owner is not bob:
                share(client, owner, document["scene"]["id"], bob.account_id, "viewer")
                share(client, owner, document["scene"]["id"], bob.email, "editor")
        seen: list[Any] = []
        query: dict[str, Any] = {"limit": 1, "q": "checkout"}
        while True:
            page = client.get("/v1/scenes", params=query, headers=bob.headers).json()
            seen += [(item.get("owner", {}).get("accountId"), item.get("role")) for item in page["items"]]
            if page["nextCursor"] is None:
                break
            query["cursor"] = page["nextCursor"]
        assert len(seen) == len(set(seen)) == 4
        assert [role for _, role in seen] == ["editor"] * 3 + [None]


class TestGrants:
    def test_a_grant_to_an_address_waits_for_its_verification(
        self, client: TestClient, ann: Person, person: Callable[..., Person], shared: str, database_url: str
    ) -> None:
        carol = person(verified=False)
        made = share(client, ann, shared, carol.email.upper(), "editor")
        assert (made["accountId"], made["email"], made["role"]) == (None, carol.email, "editor")
        path, query = f"/v1/scenes/{shared}", {"owner": ann.account_id}
        assert client.get(path, params=query, headers=carol.headers).status_code == 404
        assert client.get("/v1/scenes", headers=carol.headers).json()["items"] == []
        store = open_sqlite(database_url)
        store.verify_account(carol.account_id, datetime.now(UTC))
        store.close()
        assert client.get(path, params=query, headers=carol.headers).status_code == 200
        assert [item["sceneId"] for item in client.get("/v1/scenes", headers=carol.headers).json()["items"]] == [shared]

    def test_no_answer_tells_whether_an_address_has_an_account(
        self, client: TestClient, ann: Person, bob: Person, shared: str
    ) -> None:
        known, unknown = (
            share(client, ann, shared, bob.email, "viewer"),
            share(client, ann, shared, "no@no.org", "viewer"),
        )
        for reply in (known, unknown):
            del reply["email"], reply["grantedAt"]
        assert known == unknown

    def test_a_second_grant_changes_the_role_and_the_list_tells_the_present(
        self, client: TestClient, ann: Person, bob: Person, shared: str
    ) -> None:
        for role in ("viewer", "editor"):
            share(client, ann, shared, bob.account_id, role)
        share(client, ann, shared, "carol@example.org", "commenter")
        items = client.get(f"/v1/scenes/{shared}/grants", headers=ann.headers).json()["items"]
        assert [(item["accountId"], item["email"], item["role"]) for item in items] == [
            (bob.account_id, None, "editor"),
            (None, "carol@example.org", "commenter"),
        ]

    @pytest.mark.parametrize(
        ("grantee", "role", "status"),
        [("nobody-1", "viewer", 404), ("a@b", "viewer", 400), ("operator", "owner", 400), ("operator", None, 400),
         ("%00", "viewer", 400), ("!1", "viewer", 400)],
    )  # fmt: skip
    def test_a_grant_that_cannot_be_is_refused(
        self, client: TestClient, ann: Person, shared: str, *, grantee: str, role: str | None, status: int
    ) -> None:
        path = f"/v1/scenes/{shared}/grants/{grantee}"
        assert client.put(path, json={"role": role}, headers=ann.headers).status_code == status
        assert client.get(f"/v1/scenes/{shared}/grants", headers=ann.headers).json()["items"] == []

    def test_the_owner_is_no_grantee(self, client: TestClient, ann: Person, shared: str) -> None:
        for name in (ann.account_id, ann.email):
            path = f"/v1/scenes/{shared}/grants/{name}"
            assert client.put(path, json={"role": "viewer"}, headers=ann.headers).status_code == 400

    def test_a_grant_that_is_not_there_cannot_end(self, client: TestClient, ann: Person, shared: str) -> None:
        reply = client.delete(f"/v1/scenes/{shared}/grants/operator", headers=ann.headers)
        assert (reply.status_code, reply.json()["code"]) == (404, "not_found")

    def test_who_leaves_a_scene_loses_every_grant_that_reaches_them_and_the_owner_can_share_again(
        self, client: TestClient, ann: Person, bob: Person, shared: str
    ) -> None:
        for name in (bob.account_id, bob.email, "carol@example.org"):
            share(client, ann, shared, name, "editor")
        path, query = f"/v1/scenes/{shared}", {"owner": ann.account_id}
        left = client.delete(f"{path}/grants/me", params=query, headers=bob.headers)
        assert (left.status_code, left.json()["ended"]) == (200, True)
        assert client.get("/v1/scenes", headers=bob.headers).json()["items"] == []
        assert client.get(path, params=query, headers=bob.headers).status_code == 404
        assert client.delete(f"{path}/grants/me", params=query, headers=bob.headers).status_code == 404
        (still,) = client.get(f"{path}/grants", headers=ann.headers).json()["items"]
        assert still["email"] == "carol@example.org"
        share(client, ann, shared, bob.email, "viewer")
        assert client.get(path, params=query, headers=bob.headers).status_code == 200

    def test_the_end_of_a_grant_tells_the_grants_that_remain(
        self, client: TestClient, ann: Person, bob: Person, shared: str
    ) -> None:
        share(client, ann, shared, bob.email, "viewer")
        share(client, ann, shared, bob.account_id, "editor")
        path, query = f"/v1/scenes/{shared}", {"owner": ann.account_id}
        ended = client.delete(f"{path}/grants/{bob.account_id}", headers=ann.headers).json()
        assert ended["remaining"] == client.get(f"{path}/grants", headers=ann.headers).json()["items"]
        assert [one["email"] for one in ended["remaining"]] == [bob.email]
        assert client.get(path, params=query, headers=bob.headers).status_code == 200
        assert client.delete(f"{path}/grants/{bob.email}", headers=ann.headers).json()["remaining"] == []
        assert client.get(path, params=query, headers=bob.headers).status_code == 404

    def test_the_owner_cannot_leave(self, client: TestClient, ann: Person, shared: str) -> None:
        refused = client.delete(f"/v1/scenes/{shared}/grants/me", headers=ann.headers)
        assert (refused.status_code, refused.json()["code"]) == (400, "invalid_request")

    def test_nobody_creates_a_scene_for_another(
        self, client: TestClient, ann: Person, bob: Person, document: Document
    ) -> None:
        query = {"owner": ann.account_id}
        refused = client.post("/v1/scenes", params=query, json=document, headers=bob.headers)
        assert (refused.status_code, refused.json()["code"]) == (400, "invalid_request")
        assert client.get("/v1/scenes", headers=bob.headers).json()["items"] == []
        assert client.post("/v1/scenes", params=query, json=document, headers=ann.headers).status_code == 201

    def test_grants_survive_deletion_and_recovery(
        self, client: TestClient, ann: Person, bob: Person, shared: str
    ) -> None:
        share(client, ann, shared, bob.account_id, "viewer")
        path, query = f"/v1/scenes/{shared}", {"owner": ann.account_id}
        client.delete(path, headers=ann.headers)
        assert client.get(path, params=query, headers=bob.headers).status_code == 404
        client.post(f"{path}/undelete", headers=ann.headers)
        assert client.get(path, params=query, headers=bob.headers).status_code == 200


class TestWhatARoleOpens:
    def test_the_author_of_a_shared_edit_is_its_editor(
        self, client: TestClient, ann: Person, bob: Person, shared: str
    ) -> None:
        share(client, ann, shared, bob.account_id, "editor")
        query = {"owner": ann.account_id}
        client.post(f"/v1/scenes/{shared}/applyOps", params=query, json=edit(1, shared), headers=bob.headers)
        newest = client.get(f"/v1/scenes/{shared}/revisions", headers=ann.headers).json()["revisions"][0]
        assert newest["author"] == {"accountId": bob.account_id, "keyName": f"key of {bob.account_id}"}

    def test_an_edit_brings_its_picture_from_the_shared_scene(
        self, client: TestClient, ann: Person, bob: Person, shared: str, document: Document
    ) -> None:
        document["elements"][0]["label"] = "mine"
        client.post("/v1/scenes", json=document, headers=bob.headers)  # of the same id
        share(client, ann, shared, bob.account_id, "editor")
        batch = edit(1, shared, "theirs") | {"render": {"format": "svg"}}
        query = {"owner": ann.account_id}
        reply = client.post(f"/v1/scenes/{shared}/applyOps", params=query, json=batch, headers=bob.headers).json()
        assert "theirs" in reply["output"]["content"]
        assert client.get(f"/v1/scenes/{shared}", headers=bob.headers).json()["revision"] == 1

    def test_a_key_of_repetition_is_not_that_of_the_own_scene_of_the_same_id(
        self, client: TestClient, ann: Person, bob: Person, shared: str, document: Document
    ) -> None:
        client.post("/v1/scenes", json=document, headers=bob.headers)
        share(client, ann, shared, bob.account_id, "editor")
        headers, path = bob.headers | {"Idempotency-Key": "once"}, f"/v1/scenes/{shared}/applyOps"
        query = {"owner": ann.account_id}
        assert client.post(path, params=query, json=edit(1, shared), headers=headers).status_code == 200
        assert client.post(path, json=edit(1, shared), headers=headers).json()["code"] == "idempotency_mismatch"
        unshare(client, ann, shared, bob.account_id)
        assert client.post(path, params=query, json=edit(1, shared), headers=headers).status_code == 404

    def test_an_editor_copies_from_own_scenes_and_from_the_edited_one_alone(
        self, client: TestClient, ann: Person, bob: Person, document: Document
    ) -> None:
        base = document["scene"]["id"][:90]
        for owner, name in ((ann, "plan"), (ann, "secret"), (bob, "stock")):
            document["scene"]["id"] = f"{base}-{name}"
            client.post("/v1/scenes", json=document, headers=owner.headers)
        share(client, ann, f"{base}-plan", bob.account_id, "editor")

        def copied(name: str, revision: int) -> int:
            batch = edit(revision, f"{base}-plan")
            batch["ops"] = [
                {"op": "copyElements", "fromSceneId": f"{base}-{name}", "ids": ["web"], "prefix": f"{name}-"}
            ]
            path, query = f"/v1/scenes/{base}-plan/applyOps", {"owner": ann.account_id}
            return client.post(path, params=query, json=batch, headers=bob.headers).status_code

        assert [copied("secret", 1), copied("stock", 1), copied("plan", 2)] == [422, 200, 200]

    def test_a_picture_that_was_drawn_before_is_kept_back_once_the_grant_ended(
        self, client: TestClient, ann: Person, bob: Person, shared: str
    ) -> None:
        share(client, ann, shared, bob.account_id, "viewer")
        path, query = f"/v1/scenes/{shared}/render", {"owner": ann.account_id}
        assert client.post(path, params=query, json={}, headers=bob.headers).status_code == 200
        unshare(client, ann, shared, bob.account_id)
        assert client.post(path, params=query, json={}, headers=bob.headers).status_code == 404
        tag = {"If-None-Match": "*"}
        assert client.get(f"/v1/scenes/{shared}", params=query, headers=bob.headers | tag).status_code == 404

    def test_a_reply_in_the_making_is_withheld_when_its_grant_ends(
        self, client: TestClient, ann: Person, bob: Person, shared: str, services: Services
    ) -> None:
        share(client, ann, shared, bob.account_id, "viewer")
        caller = services.keys.authenticate(bob.headers["Authorization"].removeprefix("Bearer "))
        assert caller is not None
        scope = {"type": "http", "app": client.app, "route": Named("render_stored")}

        async def asked() -> None:
            access = scene_access(Request(scope), services, caller, shared, ann.account_id)
            assert (await anext(access)).role == "viewer"
            await run_sync(unshare, client, ann, shared, bob.account_id)
            await anext(access, None)

        with pytest.raises(ServiceError) as refused:
            anyio.run(asked)
        assert refused.value.code == "scene_not_found"


class Named:
    """A route of the framework, as far as its name is asked for."""

    def __init__(self, name: str) -> None:
        self.name = name
