"""Who wrote a revision: told by lists, differences, events and log lines (R-PEOPLE-1)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx2
import pytest
from local_servers.service import HEADERS, running_services
from starlette.testclient import TestClient

Document = dict[str, Any]
Headers = dict[str, str]


@pytest.fixture
def laptop(client: TestClient, key: Headers) -> Headers:
    """A further key of the operator, named laptop."""
    made = client.post("/v1/auth/keys", json={"name": "laptop"}, headers=key).json()
    return {"Authorization": f"Bearer {made['key']}"}


def written(client: TestClient, scene: str, headers: Headers) -> list[Any]:
    """The authors of a scene's revisions, the oldest first."""
    listed = client.get(f"/v1/scenes/{scene}/revisions", headers=headers).json()["revisions"]
    return [row["author"] for row in reversed(listed)]


def by(name: str) -> dict[str, str]:
    return {"accountId": "operator", "keyName": name}


def test_every_way_to_a_new_revision_records_who_came(
    client: TestClient, key: Headers, laptop: Headers, stored: str
) -> None:
    edit = {"op": "updateNode", "id": "web", "label": "Shop"}
    batch = {"schemaVersion": "0.1", "sceneId": stored, "baseRevision": 1, "ops": [edit]}
    assert client.post(f"/v1/scenes/{stored}/applyOps", json=batch, headers=laptop).status_code == 200
    restored = {"revision": 1, "baseRevision": 2}
    assert client.post(f"/v1/scenes/{stored}/restore", json=restored, headers=key).status_code == 200
    source = {"format": "sql", "source": "CREATE TABLE a (id int);", "baseRevision": 3}
    assert client.post(f"/v1/scenes/{stored}/sync", json=source, headers=laptop).status_code == 200
    assert written(client, stored, key) == [by("bootstrap"), by("laptop"), by("bootstrap"), by("laptop")]


def test_a_difference_tells_who_wrote_the_later_revision(
    client: TestClient, key: Headers, laptop: Headers, stored: str
) -> None:
    edit = {"op": "updateNode", "id": "web", "label": "Shop"}
    batch = {"schemaVersion": "0.1", "sceneId": stored, "baseRevision": 1, "ops": [edit]}
    client.post(f"/v1/scenes/{stored}/applyOps", json=batch, headers=laptop)
    asked = f"/v1/scenes/{stored}/diff"
    assert client.get(asked, params={"from": 1}, headers=key).json()["author"] == by("laptop")
    assert client.get(asked, params={"from": 2, "to": 1}, headers=key).json()["author"] == by("bootstrap")


def test_a_key_that_was_revoked_since_keeps_its_name_in_the_history(
    client: TestClient, key: Headers, document: Document
) -> None:
    made = client.post("/v1/auth/keys", json={"name": "old laptop"}, headers=key).json()
    client.post("/v1/scenes", json=document, headers={"Authorization": f"Bearer {made['key']}"})
    client.delete(f"/v1/auth/keys/{made['id']}", headers=key)
    assert written(client, document["scene"]["id"], key) == [by("old laptop")]


def test_without_keys_the_local_owner_is_the_author(tmp_path: Path, document: Document) -> None:
    with running_services(1, tmp_path, AUTH_DISABLED="true", DATABASE_URL=f"sqlite:///{tmp_path}/a.db") as (service,):
        httpx2.post(f"{service.url}/v1/scenes", json=document, timeout=30)
        listed = httpx2.get(f"{service.url}/v1/scenes/{document['scene']['id']}/revisions", timeout=30).json()
    assert listed["revisions"][0]["author"] == {"accountId": "local", "keyName": None}


def test_a_log_line_tells_the_account_of_its_request_alone(tmp_path: Path) -> None:
    environment = {"DATABASE_URL": f"sqlite:///{tmp_path}/a.db", "LOG_LEVEL": "info"}
    with running_services(1, tmp_path, **environment) as (service,):
        with httpx2.Client(base_url=service.url, timeout=30) as client:  # one connection for all
            client.get("/v1/scenes", headers=HEADERS)
            client.get("/v1/icons")
            client.get("/v1/icons", headers=HEADERS)
            client.get("/v1/scenes", headers={"Authorization": "Bearer wrong"})
        lines = [json.loads(line) for line in service.whole_log()]
    told = [line.get("account") for line in lines if line["event"] == "request"]
    assert told == ["operator", None, "operator", None]
