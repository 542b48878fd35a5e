"""Support over HTTP: submitting, looking, and the log of who looked."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

from scenograph.http.app import create_app
from scenograph.settings import Settings
from scenograph.wiring import build

Document = dict[str, Any]
Header = dict[str, str]
SUPPORT_KEY = "dsp_sk_" + "5" * 32


@pytest.fixture(scope="module")
def supporter(settings: Settings) -> Header:
    """A key seeded by BOOTSTRAP_SUPPORT_KEY."""
    seeded = settings.model_copy(update={"bootstrap_support_key": type(settings.bootstrap_api_key)(SUPPORT_KEY)})
    build(seeded).close()
    return {"Authorization": f"Bearer {SUPPORT_KEY}"}


def submit(client: TestClient, key: Header, scene: str, **more: Any) -> dict[str, Any]:
    reply = client.post(f"/v1/scenes/{scene}/support", json={"problem": f"broken {scene}"} | more, headers=key)
    assert reply.status_code == 200, reply.text
    return reply.json()


def submission_of(client: TestClient, supporter: Header, scene: str) -> dict[str, Any]:
    items = client.get("/v1/support/scenes", headers=supporter).json()["items"]
    (item,) = (item for item in items if item["problem"] == f"broken {scene}")
    return item


def test_a_submission_says_when_and_where_its_audit_log_is(client: TestClient, key: Header, stored: str) -> None:
    done = submit(client, key, stored)
    assert (done["sceneId"], done["privacyStatus"], done["supportAnonymized"]) == (stored, "support", False)
    assert done["supportSubmittedAt"].endswith("Z")
    assert done["auditUrl"] == f"http://testserver/v1/scenes/{stored}/support/views"
    assert client.get(done["auditUrl"], headers=key).json() == {"items": []}
    assert client.get(f"/v1/scenes/{stored}", headers=key).json()["privacyStatus"] == "support"


def test_supporters_read_the_snapshot_and_the_owner_sees_that_they_did(
    client: TestClient, key: Header, supporter: Header, stored: str, document: Document
) -> None:
    submit(client, key, stored)
    item = submission_of(client, supporter, stored)
    read = client.get(f"/v1/support/scenes/{item['submissionId']}", headers=supporter)
    assert read.json() == {**item, "scene": document}
    assert read.headers["cache-control"] == "no-store"
    (view,) = client.get(f"/v1/scenes/{stored}/support/views", headers=key).json()["items"]
    assert view["viewer"] == "support"
    assert view["viewedAt"] >= item["submittedAt"]


def test_an_anonymized_submission_shows_none_of_the_words(
    client: TestClient, key: Header, supporter: Header, stored: str
) -> None:
    submit(client, key, stored, anonymize=True)
    item = submission_of(client, supporter, stored)
    read = client.get(f"/v1/support/scenes/{item['submissionId']}", headers=supporter).json()
    assert item["anonymized"]
    scene = read["scene"]
    shown = [scene["scene"]["id"], scene["scene"]["title"]]
    shown += [element.get(name, "") for element in scene["elements"] for name in ("id", "label")]
    assert not any(word in text.casefold() for text in shown for word in ("checkout", "web", "shop", "orders"))
    assert stored not in str(scene)
    assert scene["elements"][2]["from"]["elementId"] == scene["elements"][0]["id"]
    drawn = client.post("/v1/scenes/render", json={"scene": scene})
    assert drawn.status_code == 200, "it can be drawn"


def test_a_withdrawn_submission_is_gone_for_support(
    client: TestClient, key: Header, supporter: Header, stored: str
) -> None:
    submit(client, key, stored)
    item = submission_of(client, supporter, stored)
    client.post(f"/v1/scenes/{stored}/make-private", headers=key)
    reply = client.get(f"/v1/support/scenes/{item['submissionId']}", headers=supporter)
    assert (reply.status_code, reply.json()["code"]) == (404, "not_found")


def test_only_the_support_role_may_look(client: TestClient, key: Header, supporter: Header, stored: str) -> None:
    submit(client, key, stored)
    item = submission_of(client, supporter, stored)
    for path in ("/v1/support/scenes", f"/v1/support/scenes/{item['submissionId']}", "/v1/support/scenes/missing"):
        reply = client.get(path, headers=key)
        assert (reply.status_code, reply.json()["code"]) == (403, "forbidden")
    assert client.get(f"/v1/scenes/{stored}/support/views", headers=key).json() == {"items": []}


@pytest.mark.parametrize(
    "body",
    [{}, {"problem": ""}, {"problem": "  "}, {"problem": "x" * 501}, {"problem": 7}, {"problem": "x", "anonymize": 1}],
)
def test_a_submission_needs_a_problem(client: TestClient, key: Header, stored: str, body: dict[str, Any]) -> None:
    reply = client.post(f"/v1/scenes/{stored}/support", json=body, headers=key)
    assert (reply.status_code, reply.json()["code"]) == (400, "invalid_request")
    assert client.get(f"/v1/scenes/{stored}", headers=key).json()["privacyStatus"] == "private"


def test_addresses_are_those_of_the_public_site(settings: Settings, key: Header, document: Document) -> None:
    services = build(settings.model_copy(update={"public_site": "https://diagrams.example"}))
    try:
        with TestClient(create_app(services)) as client:
            scene = client.post("/v1/scenes", json=document, headers=key).json()["sceneId"]
            published = client.post(f"/v1/scenes/{scene}/publish", headers=key).json()
            submitted = submit(client, key, scene)
    finally:
        services.close()
    assert published["publicUrl"] == f"https://diagrams.example/s/{scene}"
    assert submitted["auditUrl"] == f"https://diagrams.example/v1/scenes/{scene}/support/views"
