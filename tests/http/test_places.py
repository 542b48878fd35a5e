"""A stored scene keeps its picture: where elements stand, over HTTP (R-KEEP-2, R-KEEP-11)."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from starlette.testclient import TestClient

Headers = dict[str, str]
Document = dict[str, Any]
SVG = {"Accept": "image/svg+xml"}


def apply(client: TestClient, key: Headers, scene: str, base: int, *ops: dict[str, Any]) -> None:
    body = {"schemaVersion": "0.1", "sceneId": scene, "baseRevision": base, "ops": list(ops)}
    reply = client.post(f"/v1/scenes/{scene}/applyOps", json=body, headers=key)
    assert reply.status_code == 200, reply.text


def computed(client: TestClient, key: Headers, scene: str, **query: Any) -> dict[str, Any]:
    reply = client.get(f"/v1/scenes/{scene}", params={"computed": "true", **query}, headers=key)
    assert reply.status_code == 200, reply.text
    return reply.json()["computed"]


def corner(bounds: dict[str, Any], name: str) -> tuple[float, float]:
    return bounds[name]["x"], bounds[name]["y"]


def drawn_at(svg: str, name: str) -> str:
    """What is drawn first of an element: its outline, with its place."""
    found = re.search(rf'data-element-id="{name}".*?<(?:path|rect)[^>]*>', svg, re.DOTALL)
    assert found
    return found[0]


class TestComputed:
    def test_it_is_beside_the_scene_and_only_when_asked_for(
        self, client: TestClient, key: Headers, stored: str, document: Document
    ) -> None:
        plain = client.get(f"/v1/scenes/{stored}", headers=key).json()
        assert "computed" not in plain
        full = client.get(f"/v1/scenes/{stored}?computed=true", headers=key).json()
        assert full.pop("computed")["bounds"].keys() == {"web", "orders"}
        assert full == plain
        assert full["scene"] == document

    def test_it_is_what_normalize_says_of_a_first_revision(
        self, client: TestClient, key: Headers, stored: str, document: Document
    ) -> None:
        normalized = client.post("/v1/scenes/normalize", json=document).json()["computed"]
        assert computed(client, key, stored) == normalized

    def test_every_revision_has_its_own_and_keeps_it(self, client: TestClient, key: Headers, stored: str) -> None:
        apply(client, key, stored, 1, {"op": "createNode", "id": "bank", "label": "Bank"})
        apply(client, key, stored, 2, {"op": "deleteElement", "id": "web"})
        third = computed(client, key, stored)
        assert third["bounds"].keys() == {"orders", "bank"}
        first, second = (computed(client, key, stored, revision=number) for number in (1, 2))
        assert first["bounds"].keys() == {"web", "orders"}
        assert second["bounds"].keys() == {"web", "orders", "bank"}
        assert computed(client, key, stored) == third

    def test_the_same_content_is_not_sent_twice(self, client: TestClient, key: Headers, stored: str) -> None:
        reply = client.get(f"/v1/scenes/{stored}?computed=true", headers=key)
        again = client.get(
            f"/v1/scenes/{stored}?computed=true", headers={**key, "If-None-Match": reply.headers["etag"]}
        )
        assert (again.status_code, again.content) == (304, b"")

    @pytest.mark.parametrize("value", ["maybe", "2", ""])
    def test_anything_but_yes_or_no_is_refused(self, client: TestClient, key: Headers, stored: str, value: str) -> None:
        reply = client.get(f"/v1/scenes/{stored}", params={"computed": value}, headers=key)
        assert (reply.status_code, reply.json()["code"]) == (400, "invalid_request")


class TestSketches:
    def test_a_scene_is_created_with_the_places_that_its_document_brings(
        self, client: TestClient, key: Headers, document: Document
    ) -> None:
        stood = client.post("/v1/scenes/normalize", json=document).json()["computed"]
        stood["bounds"]["orders"]["x"] += 300
        scene = client.post("/v1/scenes", json={**document, "computed": stood}, headers=key).json()["sceneId"]
        assert computed(client, key, scene)["bounds"] == stood["bounds"]
        assert "computed" not in client.get(f"/v1/scenes/{scene}", headers=key).json()["scene"]

    def test_inline_calls_are_laid_out_from_it_too(self, client: TestClient, document: Document) -> None:
        fresh = client.post("/v1/scenes/normalize", json=document).json()["computed"]
        fresh["bounds"]["orders"]["x"] += 300
        sketched = {**document, "computed": fresh}
        assert client.post("/v1/scenes/normalize", json=sketched).json()["computed"]["bounds"] == fresh["bounds"]
        pictures = [
            client.post("/v1/scenes/render", json={"scene": scene}, headers=SVG).text for scene in (document, sketched)
        ]
        assert drawn_at(pictures[0], "orders") != drawn_at(pictures[1], "orders")

    @pytest.mark.parametrize("nonsense", [7, [], {"bounds": {"orders": {"x": "far"}}}, {"bounds": {"orders": None}}])
    def test_a_nonsensical_one_changes_nothing(
        self, client: TestClient, key: Headers, document: Document, nonsense: Any
    ) -> None:
        fresh = client.post("/v1/scenes/normalize", json=document).json()["computed"]
        scene = client.post("/v1/scenes", json={**document, "computed": nonsense}, headers=key).json()["sceneId"]
        assert computed(client, key, scene)["bounds"] == fresh["bounds"]


class TestRestore:
    def test_it_brings_document_and_places_back_as_a_new_revision(
        self, client: TestClient, key: Headers, stored: str
    ) -> None:
        apply(client, key, stored, 1, {"op": "deleteElement", "id": "web"}, {"op": "relayout"})
        reply = client.post(f"/v1/scenes/{stored}/restore", json={"revision": 1, "baseRevision": 2}, headers=key)
        assert (reply.status_code, reply.json()) == (
            200,
            {"sceneId": stored, "revision": 3, "restoredRevision": 1, "changedElementIds": ["e1", "web"]},
        )
        assert computed(client, key, stored) == computed(client, key, stored, revision=1)
        read = [client.get(f"/v1/scenes/{stored}?revision={n}", headers=key).json()["scene"] for n in (1, 3)]
        assert read[0] == read[1]
        latest = client.get(f"/v1/scenes/{stored}/revisions", headers=key).json()["revisions"][0]
        assert latest["message"] == "Restores revision 1."
        assert latest["summary"] == {"added": 2, "removed": 0, "modified": 0}

    @pytest.mark.parametrize(
        ("body", "refusal"),
        [
            ({"revision": 1, "baseRevision": 2}, (409, "revision_conflict")),
            ({"revision": 2, "baseRevision": 1}, (404, "revision_not_found")),
            ({"revision": 1}, (400, "invalid_request")),
            ({"revision": 1.5, "baseRevision": 1}, (400, "invalid_request")),
            ({"revision": 10**30, "baseRevision": 1}, (404, "revision_not_found")),
            ({"revision": 1, "baseRevison": 1}, (400, "invalid_request")),
        ],
    )
    def test_what_cannot_be_is_refused(
        self, client: TestClient, key: Headers, stored: str, body: Any, refusal: tuple[int, str]
    ) -> None:
        reply = client.post(f"/v1/scenes/{stored}/restore", json=body, headers=key)
        assert (reply.status_code, reply.json()["code"]) == refusal


class TestPictures:
    def test_what_an_edit_does_not_touch_stays_where_it_was(
        self, client: TestClient, key: Headers, stored: str
    ) -> None:
        before = client.post(f"/v1/scenes/{stored}/render", headers={**key, **SVG}).text
        apply(client, key, stored, 1, {"op": "createNode", "id": "bank"}, {"op": "setText", "id": "e1", "text": "x"})
        after = client.post(f"/v1/scenes/{stored}/render", headers={**key, **SVG}).text
        assert [drawn_at(before, name) for name in ("web", "orders")] == [
            drawn_at(after, name) for name in ("web", "orders")
        ]

    def test_the_same_revision_is_drawn_the_same_whatever_came_after(
        self, client: TestClient, key: Headers, stored: str
    ) -> None:
        picture = client.post(f"/v1/scenes/{stored}/render", headers={**key, **SVG}).content
        apply(client, key, stored, 1, {"op": "relayout"}, {"op": "deleteElement", "id": "web"})
        body = {"revision": 1}
        assert client.post(f"/v1/scenes/{stored}/render", json=body, headers={**key, **SVG}).content == picture

    def test_what_was_removed_stands_in_a_visual_diff_where_it_stood(
        self, client: TestClient, key: Headers, stored: str
    ) -> None:
        before = client.post(f"/v1/scenes/{stored}/render", headers={**key, **SVG}).text
        apply(client, key, stored, 1, {"op": "deleteElement", "id": "orders"}, {"op": "createNode", "id": "bank"})
        body = {"diff": {"fromRevision": 1}}
        diff = client.post(f"/v1/scenes/{stored}/render", json=body, headers={**key, **SVG}).text
        where = re.compile(r' d="([^"]*)"')
        shapes = [where.search(drawn_at(svg, "orders")) for svg in (before, diff)]
        assert shapes[0]
        assert shapes[1]
        assert shapes[0][1] == shapes[1][1]


class TestPublished:
    @pytest.fixture
    def published(self, client: TestClient, key: Headers, stored: str) -> str:
        assert client.post(f"/v1/scenes/{stored}/publish", headers=key).status_code == 200
        return stored

    def test_anybody_renders_it_in_any_format_at_its_places(
        self, client: TestClient, key: Headers, published: str
    ) -> None:
        apply(client, key, published, 1, {"op": "createNode", "id": "bank"})
        reply = client.post(f"/v1/public/scenes/{published}/render", json={"format": "png", "theme": "dark"})
        assert reply.status_code == 200
        assert reply.json()["output"]["mimeType"] == "image/png"
        own = client.post(f"/v1/scenes/{published}/render", headers={**key, **SVG}).content
        assert client.post(f"/v1/public/scenes/{published}/render", headers=SVG).content == own
        assert client.get(f"/s/{published}.svg").content == own

    def test_it_shows_nothing_of_the_scenes_history(self, client: TestClient, published: str) -> None:
        for body in ({"diff": {"fromRevision": 1}}, {"format": "gif"}, {"theme": "none"}):
            reply = client.post(f"/v1/public/scenes/{published}/render", json=body)
            assert (reply.status_code, reply.json()["code"]) == (400, "invalid_request")
        told = client.post(f"/v1/public/scenes/{published}/render", json={"revision": 1}).json()["diagnostics"]
        assert [(row["code"], row["path"]) for row in told] == [("UNKNOWN_FIELD", "/revision")]

    def test_what_is_not_published_is_not_there(self, client: TestClient, key: Headers, published: str) -> None:
        assert client.post(f"/v1/scenes/{published}/make-private", headers=key).status_code == 200
        reply = client.post(f"/v1/public/scenes/{published}/render")
        assert (reply.status_code, reply.json()["code"]) == (404, "scene_not_found")


def test_places_are_in_no_document_that_others_read(client: TestClient, key: Headers, stored: str) -> None:
    computed(client, key, stored)
    client.post(f"/v1/scenes/{stored}/publish", headers=key)
    public = client.get(f"/v1/public/scenes/{stored}").json()
    assert "computed" not in json.dumps(public["scene"])
    assert public.keys() == {"sceneId", "title", "revision", "madePublicAt", "scene", "output"}


def test_relayout_of_an_unknown_element_names_it_and_makes_no_revision(
    client: TestClient, key: Headers, stored: str
) -> None:
    body = {"schemaVersion": "0.1", "sceneId": stored, "baseRevision": 1}
    ops = [{"op": "relayout", "ids": ["web", "order"]}]
    reply = client.post(f"/v1/scenes/{stored}/applyOps", json={**body, "ops": ops}, headers=key)
    assert reply.status_code == 422
    assert [(row["code"], row["path"]) for row in reply.json()["diagnostics"]] == [
        ("OP_TARGET_NOT_FOUND", "/ops/0/ids/1")
    ]
    assert "orders" in json.dumps(reply.json()["diagnostics"])
    assert client.get(f"/v1/scenes/{stored}", headers=key).json()["revision"] == 1
