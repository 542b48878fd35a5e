"""Listing, comparing, deleting, publishing over HTTP, and what the rest of the service says meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from itertools import count
from typing import Any
from unittest.mock import ANY

import pytest
from starlette.testclient import TestClient

Document = dict[str, Any]
Header = dict[str, str]
Named = Callable[[str, bool], Header]
numbers = count()


@pytest.fixture
def owner(key_of_another: Named) -> Header:
    """A fresh owner: nothing listed, nothing deleted yet."""
    return key_of_another(f"owner-{next(numbers)}", True)


@pytest.fixture
def scene(client: TestClient, owner: Header, document: Document) -> str:
    """The address of a scene of that owner."""
    reply = client.post("/v1/scenes", json=document, headers=owner)
    assert reply.status_code == 201, reply.text
    return f"/v1/scenes/{reply.json()['sceneId']}"


@pytest.fixture
def hidden_at_the_end(client: TestClient, owner: Header, scene: str) -> Iterator[None]:
    yield
    client.post(f"{scene}/make-private", headers=owner)


def id_of(scene: str) -> str:
    return scene.removeprefix("/v1/scenes/")


def edit(client: TestClient, header: Header, scene: str, base: int, *ops: dict[str, Any], **more: Any) -> None:
    body = {"schemaVersion": "0.1", "sceneId": id_of(scene), "baseRevision": base, "ops": list(ops), **more}
    reply = client.post(f"{scene}/applyOps", json=body, headers=header)
    assert reply.status_code == 200, reply.text


def assert_refused(reply: Any, status: int, code: str) -> None:
    assert (reply.status_code, reply.json()["code"]) == (status, code), reply.text


class TestListing:
    def test_scenes_come_in_pages(self, client: TestClient, owner: Header, document: Document) -> None:
        for number in range(3):
            document["scene"] |= {"id": f"s{number}", "title": f"Größe {number}"}
            client.post("/v1/scenes", json=document, headers=owner)
        first = client.get("/v1/scenes?limit=2", headers=owner).json()
        rest = client.get("/v1/scenes", params={"limit": 2, "cursor": first["nextCursor"]}, headers=owner).json()
        assert [item["sceneId"] for item in first["items"] + rest["items"]] == ["s2", "s1", "s0"]
        assert rest["nextCursor"] is None
        item = first["items"][0]
        assert (item["title"], item["diagramFamily"], item["revision"]) == ("Größe 2", "architecture", 1)
        assert (item["privacyStatus"], item["createdAt"]) == ("private", item["updatedAt"])
        found = client.get("/v1/scenes", params={"q": "GRÖSSE 1"}, headers=owner).json()
        assert [item["sceneId"] for item in found["items"]] == ["s1"]

    @pytest.mark.parametrize("query", ["limit=0", "limit=501", "limit=x", "cursor=%00", "cursor=zzz", f"q={'x' * 201}"])
    def test_a_page_that_cannot_be_is_a_400(self, client: TestClient, owner: Header, query: str) -> None:
        assert_refused(client.get(f"/v1/scenes?{query}", headers=owner), 400, "invalid_request")

    def test_revisions_are_listed_newest_first(self, client: TestClient, owner: Header, scene: str) -> None:
        for base in (1, 2):
            edit(client, owner, scene, base, {"op": "createNode", "id": f"n{base}"}, message=f"edit {base}")
        body = client.get(f"{scene}/revisions", headers=owner).json()
        assert (body["sceneId"], body["currentRevision"]) == (id_of(scene), 3)
        assert [(row["revision"], row["message"], row["summary"]) for row in body["revisions"]] == [
            (3, "edit 2", {"added": 1, "removed": 0, "modified": 0}),
            (2, "edit 1", {"added": 1, "removed": 0, "modified": 0}),
            (1, None, None),
        ]
        paged = client.get(f"{scene}/revisions?limit=1&before=3", headers=owner).json()
        assert [row["revision"] for row in paged["revisions"]] == [2]

    def test_two_revisions_are_compared(self, client: TestClient, owner: Header, scene: str) -> None:
        edit(client, owner, scene, 1, {"op": "createNode", "id": "n"}, {"op": "setText", "id": "web", "text": "X"})
        edit(client, owner, scene, 2, {"op": "deleteElement", "id": "e1"})
        assert client.get(f"{scene}/diff?from=1", headers=owner).json() == {
            "sceneId": id_of(scene),
            "fromRevision": 1,
            "toRevision": 3,
            "author": ANY,
            "summary": {"added": 1, "removed": 1, "modified": 1},
            "added": ["n"],
            "removed": ["e1"],
            "modified": ["web"],
            "changedConstraintIds": [],
            "fields": {"web": ["label"]},
            "changes": {"web": {"label": ["Web shop", "X"]}},
            "moved": ["web"],  # its box fits the shorter word
            "scene": [],
        }
        assert client.get(f"{scene}/diff?from=1&to=2", headers=owner).json()["removed"] == []
        assert_refused(client.get(f"{scene}/diff", headers=owner), 400, "invalid_request")
        assert_refused(client.get(f"{scene}/diff?from=0", headers=owner), 400, "invalid_request")
        assert_refused(client.get(f"{scene}/diff?from=9", headers=owner), 404, "revision_not_found")


class TestDeleting:
    def test_a_deleted_scene_is_a_404_for_everything_but_its_return(
        self, client: TestClient, owner: Header, scene: str, document: Document
    ) -> None:
        gone = client.delete(scene, headers=owner)
        assert gone.status_code == 200
        assert gone.json() | {"note": ""} == {"deleted": True, "sceneId": id_of(scene), "soft": True, "note": ""}
        ops = {"schemaVersion": "0.1", "sceneId": id_of(scene), "baseRevision": 1, "ops": []}
        for method, tail, body in (
            ("GET", "", None), ("GET", "/revisions", None), ("GET", "/diff?from=1", None), ("DELETE", "", None),
            ("GET", "/support/views", None), ("POST", "/applyOps", ops), ("POST", "/render", {}),
            ("POST", "/publish", None), ("POST", "/make-private", None), ("POST", "/support", {"problem": "x"}),
        ):  # fmt: skip
            assert_refused(client.request(method, scene + tail, json=body, headers=owner), 404, "scene_not_found")
        assert client.get("/v1/scenes", headers=owner).json()["items"] == []
        assert_refused(client.post("/v1/scenes", json=document, headers=owner), 409, "scene_recently_deleted")

    def test_it_is_listed_for_24_hours_and_comes_back(self, client: TestClient, owner: Header, scene: str) -> None:
        edit(client, owner, scene, 1, {"op": "createNode", "id": "n"})
        client.delete(scene, headers=owner)
        (item,) = client.get("/v1/deleted-scenes", headers=owner).json()["items"]
        assert (item["sceneId"], item["title"]) == (id_of(scene), "Checkout")
        kept = datetime.fromisoformat(item["expiresAt"]) - datetime.fromisoformat(item["deletedAt"])
        assert kept == timedelta(hours=24)
        back = client.post(f"{scene}/undelete", headers=owner)
        assert (back.status_code, back.json()) == (200, {"restored": True, "sceneId": id_of(scene), "revision": 2})
        assert client.get(scene, headers=owner).json()["revision"] == 2
        assert client.get("/v1/deleted-scenes", headers=owner).json() == {"items": []}
        assert_refused(client.post(f"{scene}/undelete", headers=owner), 409, "scene_not_deleted")

    def test_the_purge_is_there_while_the_service_runs(self, client: TestClient) -> None:
        assert client.get("/health").status_code == 200
        assert any(thread.name == "purge" for thread in threading.enumerate())

    def test_the_eleventh_in_a_minute_is_a_429_with_when(
        self, client: TestClient, owner: Header, document: Document
    ) -> None:
        for number in range(11):
            document["scene"]["id"] = f"s{number}"
            client.post("/v1/scenes", json=document, headers=owner)
        replies = [client.delete(f"/v1/scenes/s{number}", headers=owner) for number in range(11)]
        assert [reply.status_code for reply in replies] == [200] * 10 + [429]
        assert_refused(replies[-1], 429, "rate_limited")
        told = replies[-1].headers
        assert (told["x-ratelimit-limit"], told["x-ratelimit-remaining"]) == ("10", "0")
        assert told["ratelimit-policy"] == '"deletions";q=10;w=60', "the policy that refused, not the key's"
        assert 1 <= int(replies[-1].headers["retry-after"]) <= 60
        assert client.get("/v1/scenes/s10", headers=owner).status_code == 200

    def test_a_foreign_scene_and_a_missing_one_answer_alike(
        self, client: TestClient, scene: str, key_of_another: Named
    ) -> None:
        stranger = key_of_another("a-stranger", True)
        for method, tail in (
            ("DELETE", ""), ("POST", "/undelete"), ("POST", "/publish"), ("POST", "/make-private"),
            ("POST", "/support"), ("GET", "/support/views"), ("GET", "/revisions"), ("GET", "/diff?from=1"),
        ):  # fmt: skip
            body = {"problem": "x"} if tail == "/support" else None
            foreign = client.request(method, scene + tail, json=body, headers=stranger)
            missing = client.request(method, f"/v1/scenes/missing{tail}", json=body, headers=stranger)
            assert_refused(foreign, 404, "scene_not_found")
            assert foreign.json() | {"requestId": ""} == missing.json() | {"requestId": ""}


@pytest.mark.usefixtures("hidden_at_the_end")
class TestPublishing:
    def test_anybody_sees_the_latest_revision(
        self, client: TestClient, owner: Header, scene: str, document: Document
    ) -> None:
        published = client.post(f"{scene}/publish", headers=owner)
        body = published.json()
        assert (published.status_code, body["privacyStatus"]) == (200, "public")
        assert body["publicUrl"] == f"http://testserver/s/{id_of(scene)}"
        edit(client, owner, scene, 1, {"op": "updateScene", "title": "New"})
        shown = client.get(f"/v1/public/scenes/{id_of(scene)}")
        seen = shown.json()
        assert (shown.status_code, shown.headers["cache-control"]) == (200, "no-store")
        assert shown.headers["access-control-allow-origin"] == "*"
        assert (seen["sceneId"], seen["title"], seen["revision"]) == (id_of(scene), "New", 2)
        assert seen["madePublicAt"] == body["madePublicAt"]
        assert seen["scene"]["elements"] == document["elements"]
        assert seen["output"]["mimeType"] == "image/svg+xml"
        assert "Web shop" in seen["output"]["content"]
        assert client.get(scene, headers=owner).json()["privacyStatus"] == "public"

    def test_the_theme_is_the_viewers_choice(self, client: TestClient, owner: Header, scene: str) -> None:
        client.post(f"{scene}/publish", headers=owner)
        address = f"/v1/public/scenes/{id_of(scene)}"
        dark = client.get(f"{address}?theme=dark").json()["output"]["content"]
        assert "#1a1a22" in dark
        assert dark != client.get(address).json()["output"]["content"]
        refused = client.get(f"{address}?theme=neon")
        assert_refused(refused, 400, "invalid_request")
        assert "clean" in refused.json()["error"]

    def test_the_first_time_is_kept(self, client: TestClient, owner: Header, scene: str) -> None:
        first = client.post(f"{scene}/publish", headers=owner).json()["madePublicAt"]
        client.post(f"{scene}/make-private", headers=owner)
        assert client.post(f"{scene}/publish", headers=owner).json()["madePublicAt"] == first

    @pytest.mark.parametrize("ending", ["delete", "make-private", "support"])
    def test_the_public_address_dies_at_once(self, client: TestClient, owner: Header, scene: str, ending: str) -> None:
        client.post(f"{scene}/publish", headers=owner)
        if ending == "delete":
            client.delete(scene, headers=owner)
        else:
            client.post(f"{scene}/{ending}", json={"problem": "x"}, headers=owner)
        assert_refused(client.get(f"/v1/public/scenes/{id_of(scene)}"), 404, "scene_not_found")
        if ending == "delete":
            client.post(f"{scene}/undelete", headers=owner)
            assert client.get(scene, headers=owner).json()["privacyStatus"] == "private"

    def test_an_id_that_another_has_published_is_taken(
        self, client: TestClient, owner: Header, scene: str, document: Document, key_of_another: Named
    ) -> None:
        other = key_of_another("another-publisher", True)
        client.post("/v1/scenes", json=document, headers=other)
        client.post(f"{scene}/publish", headers=owner)
        assert_refused(client.post(f"{scene}/publish", headers=other), 409, "public_id_taken")
        client.post(f"{scene}/make-private", headers=owner)
        assert_refused(client.post(f"{scene}/publish", headers=other), 409, "public_id_taken")
        assert client.post(f"{scene}/publish", headers=owner).status_code == 200

    def test_a_submitted_scene_is_made_private_first(self, client: TestClient, owner: Header, scene: str) -> None:
        client.post(f"{scene}/support", json={"problem": "x"}, headers=owner)
        refused = client.post(f"{scene}/publish", headers=owner)
        assert_refused(refused, 409, "scene_in_support")
        assert "private" in refused.json()["error"]
        private = client.post(f"{scene}/make-private", headers=owner)
        assert private.json() == {"sceneId": id_of(scene), "privacyStatus": "private"}
        assert client.post(f"{scene}/publish", headers=owner).status_code == 200

    @pytest.mark.parametrize("public_id", ["missing", "a%20b", "%00", "x" * 200])
    def test_what_is_not_published_is_a_404(self, client: TestClient, scene: str, public_id: str) -> None:
        for asked in (public_id, id_of(scene)):
            assert_refused(client.get(f"/v1/public/scenes/{asked}"), 404, "scene_not_found")


class TestKeys:
    def test_keys_are_listed_without_their_secrets_and_revoked(
        self, client: TestClient, owner: Header, scene: str
    ) -> None:
        made = client.post("/v1/auth/keys", json={"name": "laptop"}, headers=owner).json()
        laptop = {"Authorization": f"Bearer {made['key']}"}
        listed = client.get("/v1/auth/keys", headers=owner)
        first, second = listed.json()["items"]
        assert second == {"id": made["id"], "name": "laptop", "createdAt": second["createdAt"], "lastUsedAt": None}
        assert first["lastUsedAt"] is not None
        assert made["key"] not in listed.text
        assert client.get(scene, headers=laptop).status_code == 200
        assert client.get("/v1/auth/keys", headers=owner).json()["items"][1]["lastUsedAt"] is not None
        revoked = client.delete(f"/v1/auth/keys/{made['id']}", headers=owner)
        assert (revoked.status_code, revoked.json()) == (200, {"id": made["id"], "revoked": True})
        assert_refused(client.get(scene, headers=laptop), 401, "invalid_api_key")
        assert len(client.get("/v1/auth/keys", headers=owner).json()["items"]) == 1

    def test_a_foreign_key_and_a_missing_one_answer_alike(
        self, client: TestClient, owner: Header, key_of_another: Named
    ) -> None:
        (own,) = client.get("/v1/auth/keys", headers=owner).json()["items"]
        stranger = key_of_another("key-stranger", True)
        foreign = client.delete(f"/v1/auth/keys/{own['id']}", headers=stranger)
        missing = client.delete("/v1/auth/keys/key_missing", headers=stranger)
        assert_refused(foreign, 404, "not_found")
        assert foreign.json() | {"requestId": ""} == missing.json() | {"requestId": ""}
        assert client.get("/v1/scenes", headers=owner).status_code == 200
