"""The brief: notes of a scene for whoever edits it next."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from starlette.testclient import TestClient

from scenograph.scene.anonymizing import anonymized
from scenograph.scene.validation import validate

Header = dict[str, str]
WORDS = "Shows the order flow. Blue is ours. Queues were dropped on purpose."
_numbers = itertools.count()


def document(brief: object = WORDS) -> dict[str, Any]:
    scene = {"id": f"briefed-{next(_numbers)}", "units": "px", "canvas": {}}
    elements = [{"id": "a", "kind": "node", "label": "A"}]
    return {
        "schemaVersion": "0.1",
        "diagramFamily": "architecture",
        "brief": brief,
        "scene": scene,
        "elements": elements,
    }


@pytest.fixture
def scene(client: TestClient, key: Header) -> str:
    reply = client.post("/v1/scenes", json=document(), headers=key)
    assert reply.status_code == 201
    return reply.json()["sceneId"]


def test_a_brief_is_kept_and_changed_by_an_operation(client: TestClient, key: Header, scene: str) -> None:
    assert client.get(f"/v1/scenes/{scene}", headers=key).json()["scene"]["brief"] == WORDS
    for number, (said, kept) in enumerate([("Two words.", "Two words."), (None, None)], 1):
        ops = [{"op": "updateScene", "brief": said}]
        batch = {"schemaVersion": "0.1", "sceneId": scene, "baseRevision": number, "ops": ops}
        assert client.post(f"/v1/scenes/{scene}/applyOps", json=batch, headers=key).status_code == 200
        assert client.get(f"/v1/scenes/{scene}", headers=key).json()["scene"].get("brief") == kept


def test_a_brief_is_neither_drawn_nor_published(client: TestClient, key: Header, scene: str) -> None:
    assert client.post(f"/v1/scenes/{scene}/publish", headers=key).status_code == 200
    public = client.get(f"/v1/public/scenes/{scene}")
    assert public.status_code == 200
    assert "order flow" not in public.text
    for address in (f"/s/{scene}", f"/s/{scene}.svg"):
        assert "order flow" not in client.get(address).text


@pytest.mark.parametrize(("brief", "code"), [("x" * 2001, "LIMIT_EXCEEDED"), (7, "INVALID_TYPE")])
def test_a_brief_is_a_text_of_at_most_2000_characters(brief: object, code: str) -> None:
    rows = validate(document(brief))
    assert [(row.code, row.path) for row in rows if row.severity == "error"] == [(code, "/brief")]


def test_an_anonymous_scene_has_no_brief() -> None:
    assert "brief" not in anonymized(document(), lambda below: 7 % below)
