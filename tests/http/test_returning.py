"""Writes that return places and a picture of their revision (R-KEEP-14)."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.http.conftest import OPERATOR_KEY

from scenograph.http.app import create_app
from scenograph.settings import Settings
from scenograph.wiring import Services, build

Headers = dict[str, str]
Document = dict[str, Any]
EXTRAS = {"computed", "output", "movedElementIds"}
GROWN = {"op": "resizeElement", "id": "web", "size": {"width": 700, "height": 400}}


def batch(scene: str, base: int, *ops: dict[str, Any], **more: Any) -> Document:
    return {"schemaVersion": "0.1", "sceneId": scene, "baseRevision": base, "ops": list(ops), **more}


def apply(client: TestClient, key: Headers, scene: str, base: int, *ops: dict[str, Any], **more: Any) -> Document:
    reply = client.post(f"/v1/scenes/{scene}/applyOps", json=batch(scene, base, *ops, **more), headers=key)
    assert reply.status_code == 200, reply.text
    return reply.json()


def drawn(client: TestClient, key: Headers, scene: str, **asked: Any) -> Document:
    reply = client.post(f"/v1/scenes/{scene}/render", json=asked, headers=key)
    assert reply.status_code == 200, reply.text
    return reply.json()


def computed(client: TestClient, key: Headers, scene: str) -> Document:
    return client.get(f"/v1/scenes/{scene}?computed=true", headers=key).json()["computed"]


def current(client: TestClient, key: Headers, scene: str) -> int:
    return client.get(f"/v1/scenes/{scene}", headers=key).json()["revision"]


class TestEdits:
    def test_a_batch_returns_the_places_and_the_picture_of_its_revision(
        self, client: TestClient, key: Headers, stored: str
    ) -> None:
        done = apply(client, key, stored, 1, GROWN, computed=True, render={"format": "svg", "theme": "dark"})
        assert done["revision"] == 2
        assert done["computed"] == computed(client, key, stored)
        assert done["output"] == drawn(client, key, stored, theme="dark")["output"]

    def test_a_batch_that_wants_nothing_gets_nothing(self, client: TestClient, key: Headers, stored: str) -> None:
        assert not EXTRAS & apply(client, key, stored, 1, GROWN).keys()
        assert not EXTRAS & apply(client, key, stored, 2, GROWN, computed=False).keys()

    def test_places_alone_come_without_a_picture(self, client: TestClient, key: Headers, stored: str) -> None:
        done = apply(client, key, stored, 1, GROWN, computed=True)
        assert EXTRAS & done.keys() == {"computed", "movedElementIds"}

    def test_a_picture_brings_its_own_remarks_and_bytes(self, client: TestClient, key: Headers, stored: str) -> None:
        outside = {"op": "createText", "id": "note", "text": "far", "layout": {"mode": "absolute", "x": 900, "y": 10}}
        done = apply(client, key, stored, 1, outside, render={"format": "png", "scale": 0.5})
        assert "CANVAS_AUTO_EXTENDED" in {row["code"] for row in done["diagnostics"]}
        assert base64.b64decode(done["output"]["contentBase64"]).startswith(b"\x89PNG")
        assert done["output"] == drawn(client, key, stored, format="png", scale=0.5)["output"]

    def test_the_picture_may_show_what_the_batch_changed(self, client: TestClient, key: Headers, stored: str) -> None:
        since = {"diff": {"fromRevision": 1}}
        done = apply(client, key, stored, 1, GROWN, render=since)
        assert done["output"] == drawn(client, key, stored, **since)["output"]

    @pytest.mark.parametrize(
        "wrong",
        [
            {"computed": "yes"},
            {"render": []},
            {"render": {"format": "gif"}},
            {"render": {"formt": "png"}},
            {"render": {"revision": 1}},
            {"render": {"view": {"focuss": ["web"]}}},
            {"render": {"scale": 900}},
        ],
    )
    def test_wrong_members_are_refused_before_anything_is_written(
        self, client: TestClient, key: Headers, stored: str, wrong: Document
    ) -> None:
        reply = client.post(f"/v1/scenes/{stored}/applyOps", json=batch(stored, 1, GROWN, **wrong), headers=key)
        assert (reply.status_code, reply.json()["code"]) == (400, "invalid_request")
        assert current(client, key, stored) == 1

    def test_a_refused_member_names_the_right_one(self, client: TestClient, key: Headers, stored: str) -> None:
        wrong = batch(stored, 1, GROWN, render={"formt": "png"})
        reply = client.post(f"/v1/scenes/{stored}/applyOps", json=wrong, headers=key)
        assert "Did you mean format?" in reply.json()["error"]

    def test_a_large_batch_returns_the_same(self, client: TestClient, key: Headers, stored: str) -> None:
        """A batch beyond what the server's own process works on."""
        many = [{"op": "setText", "id": "web", "text": f"Shop {number} {'x' * 100}"} for number in range(200)]
        done = apply(client, key, stored, 1, *many, computed=True, render={})
        assert done["computed"] == computed(client, key, stored)
        assert done["output"] == drawn(client, key, stored)["output"]


class TestMoved:
    def test_elements_that_give_way_are_told_and_the_touched_ones_are_not(
        self, client: TestClient, key: Headers, stored: str
    ) -> None:
        before = computed(client, key, stored)["bounds"]
        done = apply(client, key, stored, 1, GROWN, computed=True)
        after = done["computed"]["bounds"]
        pushed = max(abs(before["orders"][side] - after["orders"][side]) for side in ("x", "y")) > 1
        assert pushed
        assert done["movedElementIds"] == ["orders"]

    def test_what_an_edit_moves_itself_is_not_told(self, client: TestClient, key: Headers, stored: str) -> None:
        away = {"op": "moveElement", "id": "web", "delta": {"dx": -200, "dy": 0}}
        assert apply(client, key, stored, 1, away, computed=True)["movedElementIds"] == []

    def test_the_content_of_a_moved_frame_is_carried_not_moved(
        self, client: TestClient, key: Headers, document: Document
    ) -> None:
        document["elements"].append({"id": "zone", "kind": "frame", "title": "Zone", "children": ["orders"]})
        scene = client.post("/v1/scenes", json=document, headers=key).json()["sceneId"]
        before = computed(client, key, scene)["bounds"]["orders"]
        away = {"op": "moveElement", "id": "zone", "delta": {"dx": 300, "dy": 0}}
        done = apply(client, key, scene, 1, away, computed=True)
        assert done["computed"]["bounds"]["orders"]["x"] == before["x"] + 300
        assert done["movedElementIds"] == []

    def test_what_is_laid_out_anew_is_not_told(self, client: TestClient, key: Headers, stored: str) -> None:
        apply(client, key, stored, 1, GROWN)
        small = {"op": "resizeElement", "id": "web", "size": {"width": 100, "height": 48}}
        before = apply(client, key, stored, 2, small, computed=True)["computed"]["bounds"]["orders"]
        done = apply(client, key, stored, 3, {"op": "relayout", "ids": ["orders"]}, computed=True)
        assert done["computed"]["bounds"]["orders"] != before
        assert done["movedElementIds"] == []

    def test_a_new_layout_of_everything_touches_everything(self, client: TestClient, key: Headers, stored: str) -> None:
        turned = {"op": "updateScene", "layoutStrategy": {"algorithm": "hierarchical", "direction": "TB"}}
        assert apply(client, key, stored, 1, turned, computed=True)["movedElementIds"] == []


class TestOtherWrites:
    def test_a_creation_returns_them_by_its_address(self, client: TestClient, key: Headers, document: Document) -> None:
        reply = client.post("/v1/scenes?computed=true&render=svg", json=document, headers=key)
        assert reply.status_code == 201
        done = reply.json()
        assert done["computed"] == computed(client, key, done["sceneId"])
        assert done["output"] == drawn(client, key, done["sceneId"])["output"]
        assert done["movedElementIds"] == []

    @pytest.mark.parametrize("query", ["computed=maybe", "render=gif", "render="])
    def test_a_creation_with_a_wrong_address_stores_nothing(
        self, client: TestClient, key: Headers, document: Document, query: str
    ) -> None:
        reply = client.post(f"/v1/scenes?{query}", json=document, headers=key)
        assert (reply.status_code, reply.json()["code"]) == (400, "invalid_request")
        assert client.get(f"/v1/scenes/{document['scene']['id']}", headers=key).status_code == 404

    def test_a_restored_revision_returns_its_own(self, client: TestClient, key: Headers, stored: str) -> None:
        first = computed(client, key, stored)
        apply(client, key, stored, 1, GROWN)
        body = {"revision": 1, "baseRevision": 2, "computed": True, "render": {"format": "svg"}}
        done = client.post(f"/v1/scenes/{stored}/restore", json=body, headers=key).json()
        assert done["computed"] == first
        assert done["output"] == drawn(client, key, stored, revision=1)["output"]
        assert done["movedElementIds"] == ["orders"]

    def test_a_wrong_restoration_stores_nothing(self, client: TestClient, key: Headers, stored: str) -> None:
        body = {"revision": 1, "baseRevision": 1, "render": {"format": "gif"}}
        reply = client.post(f"/v1/scenes/{stored}/restore", json=body, headers=key)
        assert (reply.status_code, current(client, key, stored)) == (400, 1)


SOURCE = "flowchart LR\n  a[Shop] --> b[Orders]\n"


class TestSync:
    @pytest.fixture
    def imported(self, client: TestClient, key: Headers, request: pytest.FixtureRequest) -> str:
        name = "".join(letter if letter.isalnum() else "-" for letter in request.node.name)[:100]
        body = {"source": SOURCE, "format": "mermaid", "sceneId": name}
        document = client.post("/v1/scenes/import", json=body).json()["scene"]
        return client.post("/v1/scenes", json=document, headers=key).json()["sceneId"]

    def test_a_sync_returns_them(self, client: TestClient, key: Headers, imported: str) -> None:
        body: Document = {"source": f"{SOURCE}  b --> c[Bank]\n", "baseRevision": 1, "computed": True, "render": {}}
        done = client.post(f"/v1/scenes/{imported}/sync", json=body, headers=key).json()
        assert done["revision"] == 2
        assert done["computed"] == computed(client, key, imported)
        assert done["output"] == drawn(client, key, imported)["output"]

    def test_a_sync_without_changes_returns_the_revision_that_is_there(
        self, client: TestClient, key: Headers, imported: str
    ) -> None:
        body = {"source": SOURCE, "baseRevision": 1, "computed": True}
        done = client.post(f"/v1/scenes/{imported}/sync", json=body, headers=key).json()
        assert (done["revision"], done["movedElementIds"]) == (1, [])
        assert done["computed"] == computed(client, key, imported)

    def test_a_sync_compares_with_no_revision_that_is_not_there(
        self, client: TestClient, key: Headers, imported: str
    ) -> None:
        asked = {"source": f"{SOURCE}  b --> c[Bank]\n", "baseRevision": 1, "render": {"diff": {"fromRevision": 9}}}
        reply = client.post(f"/v1/scenes/{imported}/sync", json=asked, headers=key)
        assert (reply.status_code, current(client, key, imported)) == (400, 1)

    def test_a_dry_run_has_no_revision_to_return(self, client: TestClient, key: Headers, imported: str) -> None:
        body = {"source": SOURCE, "baseRevision": 1, "computed": True, "dryRun": True}
        reply = client.post(f"/v1/scenes/{imported}/sync", json=body, headers=key)
        assert (reply.status_code, reply.json()["code"]) == (400, "invalid_request")


def failure(done: Document) -> str:
    """The reason of a failed drawing, of which nothing else is told."""
    assert {name: done[name] for name in EXTRAS} == dict.fromkeys(EXTRAS)
    (row,) = [row for row in done["diagnostics"] if row["code"] == "RENDER_FAILED"]
    assert row["severity"] == "warning"
    return row["data"]["reason"]


class TestFailures:
    def test_a_picture_that_the_account_may_not_have_does_not_stop_the_write(
        self, client: TestClient, key_of_another: Callable[[str, bool], Headers], document: Document
    ) -> None:
        other = key_of_another("unverified-writer", False)
        reply = client.post("/v1/scenes?render=svg", json=document, headers=other)
        assert reply.status_code == 201
        assert failure(reply.json()) == "email_not_verified"
        assert current(client, other, document["scene"]["id"]) == 1

    def test_a_picture_of_too_many_pixels_does_not_stop_the_write(
        self, client: TestClient, key: Headers, stored: str
    ) -> None:
        far = {"op": "createText", "id": "far", "text": "x", "layout": {"mode": "absolute", "x": 90_000, "y": 90_000}}
        done = apply(client, key, stored, 1, far, computed=True, render={"format": "png"})
        assert (failure(done), done["revision"]) == ("invalid_request", 2)


class TestComparisons:
    @pytest.mark.parametrize("earlier", [9, "2001-01-01T00:00:00Z"])
    @pytest.mark.parametrize("write", ["applyOps", "restore"])
    def test_a_revision_to_compare_with_that_is_not_there_is_refused_before_anything_is_written(
        self, client: TestClient, key: Headers, stored: str, write: str, earlier: Any
    ) -> None:
        body = batch(stored, 1, GROWN) if write == "applyOps" else {"revision": 1, "baseRevision": 1}
        asked = {**body, "render": {"diff": {"fromRevision": earlier}}}
        reply = client.post(f"/v1/scenes/{stored}/{write}", json=asked, headers=key)
        assert (reply.status_code, reply.json()["code"]) == (400, "invalid_request")
        assert "render.diff.fromRevision" in reply.json()["error"]
        assert current(client, key, stored) == 1

    def test_a_new_revision_may_be_compared_with_itself(self, client: TestClient, key: Headers, stored: str) -> None:
        assert apply(client, key, stored, 1, GROWN, render={"diff": {"fromRevision": 2}})["output"] is not None


class TestDryRuns:
    def test_a_dry_run_judges_a_batch_and_stores_nothing(self, client: TestClient, key: Headers, stored: str) -> None:
        done = apply(client, key, stored, 1, GROWN, dryRun=True)
        assert (done["revision"], done["applied"], done["changedElementIds"]) == (1, 0, ["web"])
        assert current(client, key, stored) == 1

    def test_a_dry_run_refuses_what_the_write_would_refuse(self, client: TestClient, key: Headers, stored: str) -> None:
        wrong = batch(stored, 1, {"op": "deleteElement", "id": "nobody"}, dryRun=True)
        dry, real = (
            client.post(f"/v1/scenes/{stored}/applyOps", json={**wrong, "dryRun": is_dry}, headers=key)
            for is_dry in (True, False)
        )
        assert (dry.status_code, dry.json()["code"]) == (real.status_code, real.json()["code"])
        assert dry.status_code == 422

    @pytest.mark.parametrize("more", [{"dryRun": "yes"}, {"dryRun": True, "computed": True}])
    def test_a_dry_run_that_is_none_is_refused(
        self, client: TestClient, key: Headers, stored: str, more: Document
    ) -> None:
        reply = client.post(f"/v1/scenes/{stored}/applyOps", json=batch(stored, 1, GROWN, **more), headers=key)
        assert (reply.status_code, current(client, key, stored)) == (400, 1)


@pytest.fixture(scope="module")
def spent(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TestClient, Services]]:
    """A service with a single engine process and a small budget for each owner."""
    path: Path = tmp_path_factory.mktemp("spent") / "scenes.db"
    settings = Settings(
        database_url=f"sqlite:///{path}",
        bootstrap_api_key=OPERATOR_KEY,  # pyright: ignore[reportArgumentType]
        render_workers=1,
        engine_seconds=5,
    )
    services = build(settings)
    with TestClient(create_app(services), raise_server_exceptions=False) as client:
        yield client, services
    services.close()


class TestBudgets:
    def test_a_write_beyond_the_budget_is_carried_out_without_its_picture(
        self, spent: tuple[TestClient, Services], key: Headers, document: Document
    ) -> None:
        client, services = spent
        paid = client.post("/v1/scenes?render=svg", json=document, headers=key)
        assert paid.json()["output"]
        assert "engine-seconds" in paid.headers["RateLimit"]
        operator = services.keys.authenticate(OPERATOR_KEY)
        assert operator
        services.fairness.spend(services.fairness.of_owner(operator.account_id), 1000.0)
        scene = document["scene"]["id"]
        done = apply(client, key, scene, 1, GROWN, render={})
        assert (failure(done), done["revision"]) == ("rate_limited", 2)


class TestRepetition:
    def test_a_repeated_batch_gets_the_same_picture_and_is_applied_once(
        self, client: TestClient, key: Headers, stored: str
    ) -> None:
        headers = {**key, "Idempotency-Key": f"again-{stored}"}
        body = batch(stored, 1, GROWN, computed=True, render={"format": "png"})
        first, again = (client.post(f"/v1/scenes/{stored}/applyOps", json=body, headers=headers) for _ in range(2))
        assert first.json() == again.json()
        assert first.json()["output"]["contentBase64"]
        assert "Idempotency-Replayed" not in first.headers
        assert again.headers["Idempotency-Replayed"] == "true"
        assert current(client, key, stored) == 2

    def test_a_repeated_creation_gets_the_same_picture(
        self, client: TestClient, key: Headers, document: Document
    ) -> None:
        headers = {**key, "Idempotency-Key": f"again-{document['scene']['id']}"}
        first, again = (client.post("/v1/scenes?render=svg", json=document, headers=headers) for _ in range(2))
        assert (first.status_code, again.status_code) == (201, 201)
        assert first.json() == again.json()

    def test_a_repeated_refusal_has_no_picture(
        self, client: TestClient, key: Headers, stored: str, document: Document
    ) -> None:
        headers = {**key, "Idempotency-Key": f"taken-{stored}"}
        first, again = (client.post("/v1/scenes?render=svg", json=document, headers=headers) for _ in range(2))
        assert (first.status_code, first.json()["code"]) == (409, "scene_exists")
        assert (again.status_code, again.json()) == (409, first.json())

    def test_a_kept_answer_holds_no_picture(
        self, client: TestClient, services: Services, key: Headers, stored: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        kept: list[bytes] = []
        settle = services.idempotency.answer

        def watched(*arguments: Any) -> Any:
            answer = settle(*arguments)
            kept.append(answer.body)
            return answer

        monkeypatch.setattr(services.idempotency, "answer", watched)
        headers = {**key, "Idempotency-Key": f"small-{stored}"}
        body = batch(stored, 1, GROWN, render={"format": "png"})
        assert client.post(f"/v1/scenes/{stored}/applyOps", json=body, headers=headers).json()["output"]
        assert len(kept[0]) < 1000
