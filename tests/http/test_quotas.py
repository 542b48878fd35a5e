"""Quotas over HTTP: what an account may hold, and what is told where it holds that much."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from scenograph.http.app import create_app
from scenograph.settings import Settings
from scenograph.wiring import build

Document = dict[str, Any]


@pytest.fixture
def held_to(settings: Settings, key: dict[str, str], tmp_path: Path) -> Iterator[Any]:
    """Makes a service of few scenes, bytes or keys, with a database of its own, and gives a client with the key."""
    opened: list[Any] = []

    def make(**quota: int) -> TestClient:
        own = {"database_url": f"sqlite:///{tmp_path / 'own.db'}", "render_workers": 1, **quota}
        opened.append(build(settings.model_copy(update=own)))
        return TestClient(create_app(opened[-1]), headers=key)

    yield make
    for services in opened:
        services.close()


def named(document: Document, name: str, label: str = "") -> Document:
    """The document as another scene, with a text that does not compress well."""
    return {**document, "scene": {**document["scene"], "id": name, "title": label or "T"}}


def test_beyond_a_quota_every_write_is_told_use_and_limit(held_to: Any, document: Document) -> None:
    client = held_to(max_scenes=1, max_keys=2)
    assert client.post("/v1/scenes", json=named(document, "one")).status_code == 201
    told = client.post("/v1/scenes", json=named(document, "two"))
    assert told.status_code == 409
    assert {name: told.json()[name] for name in ("code", "quota", "used", "limit")} == {
        "code": "quota_exceeded", "quota": "scenes", "used": 1, "limit": 1,
    }  # fmt: skip
    client.delete("/v1/scenes/one")
    assert client.post("/v1/scenes", json=named(document, "two")).status_code == 201
    refused = client.post("/v1/scenes/one/undelete")
    assert (refused.status_code, refused.json()["code"]) == (409, "quota_exceeded")
    assert client.post("/v1/auth/keys", json={"name": "second"}).status_code == 201
    many = client.post("/v1/auth/keys", json={"name": "third"})
    assert (many.status_code, many.json()["quota"], many.json()["used"], many.json()["limit"]) == (409, "keys", 2, 2)


def test_bytes_bound_edits_restorations_and_creations(held_to: Any, document: Document) -> None:
    client = held_to(max_stored_bytes=1500)
    client.post("/v1/scenes", json=named(document, "one"))
    revision = 1
    batch: Document = {"schemaVersion": "0.1", "sceneId": "one", "ops": [{"op": "updateScene", "title": "x"}]}
    while (reply := client.post("/v1/scenes/one/applyOps", json=batch | {"baseRevision": revision})).is_success:
        revision += 1
    told = reply.json()
    assert (reply.status_code, told["code"], told["quota"], told["limit"]) == (
        409,
        "quota_exceeded",
        "storedBytes",
        1500,
    )
    assert 0 < told["used"] <= 1500
    again = client.post("/v1/scenes/one/restore", json={"revision": 1, "baseRevision": revision})
    new = client.post("/v1/scenes", json=named(document, "two"))
    assert (again.json()["code"], new.json()["code"]) == ("quota_exceeded", "quota_exceeded")
    assert client.get("/v1/scenes/one").json()["revision"] == revision
    assert client.delete("/v1/scenes/one").status_code == 200


def test_the_local_owner_has_no_quota(held_to: Any, document: Document) -> None:
    client = held_to(max_scenes=1, auth_disabled="true")
    assert [client.post("/v1/scenes", json=named(document, name)).status_code for name in "ab"] == [201, 201]
