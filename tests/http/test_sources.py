"""Reading other tools' sources, and scenes that follow them, over HTTP."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from starlette.testclient import TestClient

Headers = dict[str, str]

SCHEMA = "CREATE TABLE users (id bigint PRIMARY KEY, email text NOT NULL);"
ORDERS = "CREATE TABLE orders (id bigint PRIMARY KEY, user_id bigint NOT NULL REFERENCES users (id));"


@pytest.fixture
def kept(client: TestClient, key: Headers) -> str:
    """A scene that was imported from SCHEMA and ORDERS."""
    body = {"source": f"{SCHEMA}\n{ORDERS}", "sceneId": f"shop-{uuid4().hex}"}
    scene = client.post("/v1/scenes/import", json=body).json()["scene"]
    assert client.post("/v1/scenes", json=scene, headers=key).status_code == 201
    return scene["scene"]["id"]


def read(client: TestClient, key: Headers, scene_id: str) -> dict[str, Any]:
    return {one["id"]: one for one in client.get(f"/v1/scenes/{scene_id}", headers=key).json()["scene"]["elements"]}


def test_a_source_becomes_a_document_that_can_be_created_and_drawn(client: TestClient) -> None:
    source = "flowchart LR\n web[Web shop] --> orders[(Orders)]\n"
    reply = client.post("/v1/scenes/import", json={"source": source, "sceneId": "shop", "title": "Shop"})
    assert reply.status_code == 200
    scene = reply.json()["scene"]
    assert scene["scene"] == {"id": "shop", "units": "px", "canvas": {}, "title": "Shop"}
    picture = client.post("/v1/scenes/render", json={"scene": scene})
    assert "Web shop" in picture.json()["output"]["content"]


def test_what_was_lost_is_told_with_its_line(client: TestClient) -> None:
    reply = client.post("/v1/scenes/import", json={"format": "mermaid", "source": "graph LR\n a --> b\n b --> (\n"})
    losses = [row for row in reply.json()["diagnostics"] if row["code"] == "IMPORT_LOSS"]
    assert [(row["severity"], row["data"]["line"]) for row in losses] == [("warning", 3)]


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"source": "Dear all,"}, 422, "unreadable_source"),
        ({"source": "graph LR\n ]", "format": "mermaid"}, 422, "unreadable_source"),
        ({"source": ""}, 422, "unreadable_source"),
        ({"source": "", "format": "bpmn"}, 422, "unreadable_source"),
        ({"source": "", "format": "sql"}, 422, "unreadable_source"),
        ({"source": 5}, 400, "invalid_request"),
        ({"source": "x", "format": "visio"}, 400, "invalid_request"),
        ({"source": "x", "sorce": "y"}, 400, "invalid_request"),
        ({"source": "a" * (2**20 + 1)}, 413, "body_too_large"),
        ({"source": "graph LR\n" + " & ".join(f"a{n}" for n in range(1100))}, 413, "scene_too_large"),
        ({"source": "graph LR\n" + " & ".join(f"a{n}" for n in range(5100))}, 422, "validation_failed"),
    ],
)
def test_sources_that_cannot_be_read_are_refused(
    client: TestClient, body: dict[str, object], status: int, code: str
) -> None:
    reply = client.post("/v1/scenes/import", json=body)
    assert (reply.status_code, reply.json()["code"]) == (status, code)
    if code == "unreadable_source":
        row = reply.json()["diagnostics"][0]
        assert (row["code"], row["path"]) == ("UNREADABLE_SOURCE", "/source")
        assert row["data"].keys() == {"line", "column", "expected"}


def test_a_refusal_says_what_the_source_looks_like(client: TestClient) -> None:
    reply = client.post("/v1/scenes/import", json={"source": "type A {\n  b: C\n}\n"}).json()
    for sentence in (reply["error"], reply["diagnostics"][0]["message"]):
        assert sentence.endswith(
            "It looks like a GraphQL schema, which is not read. Write its types as a Mermaid classDiagram."
        )


def test_a_scene_follows_its_source_and_keeps_what_people_made(client: TestClient, key: Headers, kept: str) -> None:
    ops = [
        {
            "op": "updateNode",
            "id": "users",
            "layout": {"mode": "absolute", "x": 40, "y": 60},
            "style": {"fill": "#fed"},
        },
        {"op": "createNode", "id": "remark", "label": "Ask Ann"},
        {"op": "createEdge", "id": "e", "from": {"elementId": "remark"}, "to": {"elementId": "users"}},
    ]
    batch = {"schemaVersion": "0.1", "sceneId": kept, "baseRevision": 1, "ops": ops}
    assert client.post(f"/v1/scenes/{kept}/applyOps", json=batch, headers=key).status_code == 200
    source = f"{SCHEMA.replace('email', 'mail')} CREATE TABLE carts (id int PRIMARY KEY, user_id int REFERENCES users);"
    body = {"source": source, "baseRevision": 2, "message": "Carts"}
    dry = client.post(f"/v1/scenes/{kept}/sync", json=body | {"dryRun": True}, headers=key).json()
    assert (dry["revision"], dry["applied"]) == (2, 0)
    done = client.post(f"/v1/scenes/{kept}/sync", json=body, headers=key).json()
    assert (done["revision"], done["applied"], done["ops"]) == (3, len(dry["ops"]), dry["ops"])
    found = read(client, key, kept)
    assert set(found) == {"users", "carts", "carts--users", "remark", "e"}
    assert found["users"]["style"] == {"fill": "#fed"}
    assert found["users"]["layout"]["x"] == 40
    assert [row["name"] for row in found["users"]["extensions"]["columns"]] == ["id", "mail"]


def test_a_sync_that_changes_nothing_makes_no_revision(client: TestClient, key: Headers, kept: str) -> None:
    body = {"source": f"{SCHEMA}\n{ORDERS}", "baseRevision": 1}
    reply = client.post(f"/v1/scenes/{kept}/sync", json=body, headers=key).json()
    assert (reply["revision"], reply["applied"], reply["ops"]) == (1, 0, [])


def test_nothing_is_removed_while_a_part_of_the_source_was_not_understood(
    client: TestClient, key: Headers, kept: str
) -> None:
    body = {"source": f"{SCHEMA} CREATE TABLE (;", "baseRevision": 1}
    reply = client.post(f"/v1/scenes/{kept}/sync", json=body, headers=key).json()
    assert reply["ops"] == []
    assert {row["code"] for row in reply["diagnostics"]} == {"IMPORT_LOSS", "SYNC_KEPT"}
    pruned = client.post(f"/v1/scenes/{kept}/sync", json=body | {"prune": True}, headers=key).json()
    assert [(op["op"], op["id"]) for op in pruned["ops"]] == [
        ("deleteElement", "orders--users"),
        ("deleteElement", "orders"),
    ]


def test_a_sync_against_an_old_revision_is_a_conflict(client: TestClient, key: Headers, kept: str) -> None:
    reply = client.post(f"/v1/scenes/{kept}/sync", json={"source": SCHEMA, "baseRevision": 7}, headers=key)
    assert (reply.status_code, reply.json()["code"]) == (409, "revision_conflict")
    assert client.post(f"/v1/scenes/{kept}/sync", json={"source": SCHEMA, "baseRevision": 1}).status_code == 401


def drawio(*names: str) -> str:
    model = "<mxGraphModel><root><mxCell id='{0}' value='{0}' vertex='1'/></root></mxGraphModel>"
    pages = "".join(f"<diagram name='{name}'>{model.format(name)}</diagram>" for name in names)
    return f"<mxfile>{pages}</mxfile>"


@pytest.mark.parametrize(("address", "body"), [("?page=2", {}), ("", {"page": 2}), ("?page=2", {"page": 2})])
def test_a_page_is_chosen_in_the_address_or_in_the_body(
    client: TestClient, address: str, body: dict[str, object]
) -> None:
    reply = client.post(f"/v1/scenes/import{address}", json={"source": drawio("one", "two"), **body})
    assert [row["id"] for row in reply.json()["scene"]["elements"]] == ["two"]


@pytest.mark.parametrize(
    ("address", "page", "status", "code"),
    [
        ("?page=2", 1, 400, "invalid_request"),
        ("", 0, 400, "invalid_request"),
        ("", "two", 400, "invalid_request"),
        ("?page=x", None, 400, "invalid_request"),
        ("?page=0", None, 400, "invalid_request"),
        ("", 3, 422, "unreadable_source"),
    ],
)
def test_pages_that_cannot_be_chosen_are_refused(
    client: TestClient, address: str, page: object, status: int, code: str
) -> None:
    body = {"source": drawio("one", "two")} | ({} if page is None else {"page": page})
    reply = client.post(f"/v1/scenes/import{address}", json=body)
    assert (reply.status_code, reply.json()["code"]) == (status, code)


def test_a_scene_follows_the_page_that_it_was_imported_from_until_another_is_asked_for(
    client: TestClient, key: Headers
) -> None:
    body = {"source": drawio("one", "two"), "page": 2, "sceneId": f"pages-{uuid4().hex}"}
    scene = client.post("/v1/scenes/import", json=body).json()["scene"]
    assert client.post("/v1/scenes", json=scene, headers=key).status_code == 201
    asked = {"source": drawio("one", "two"), "baseRevision": 1, "dryRun": True}
    address = f"/v1/scenes/{scene['scene']['id']}/sync"
    assert client.post(f"{address}?page=2", json=asked, headers=key).json()["ops"] == []
    assert client.post(address, json=asked, headers=key).json()["ops"] == []
    assert client.post(f"{address}?page=1", json=asked, headers=key).json()["ops"]


def test_a_scene_follows_the_view_that_it_was_imported_from_until_another_is_asked_for(
    client: TestClient, key: Headers
) -> None:
    source = "a -> b\nlayers: {\n  x: {\n    c\n  }\n}\n"
    body = {"source": source, "view": "layers.x", "sceneId": f"views-{uuid4().hex}"}
    scene = client.post("/v1/scenes/import", json=body).json()["scene"]
    assert [row["label"] for row in scene["elements"]] == ["c"]
    assert client.post("/v1/scenes", json=scene, headers=key).status_code == 201
    asked = {"source": source, "baseRevision": 1, "dryRun": True}
    address = f"/v1/scenes/{scene['scene']['id']}/sync"
    assert client.post(address, json=asked, headers=key).json()["ops"] == []
    gone = client.post(address, json={**asked, "source": "a -> b\n"}, headers=key)
    assert (gone.status_code, gone.json()["code"]) == (422, "unreadable_source")
    refused = client.post(address, json={**asked, "view": "layers.y"}, headers=key)
    assert refused.status_code == 422
    assert "layers.x" in refused.json()["error"]
