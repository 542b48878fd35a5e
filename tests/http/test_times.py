"""Revisions named by a time, and the values and places of a difference (R-REV-5, R-REV-12)."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

Headers = dict[str, str]


@pytest.fixture
def times(client: TestClient, key: Headers, stored: str) -> dict[int, str]:
    """The time of each of two revisions of the stored scene."""
    ops = [
        {"op": "updateNode", "id": "web", "label": "Shop", "style": {"fill": "#ff0000"}},
        {"op": "resizeElement", "id": "web", "size": {"width": 700, "height": 400}},
        {"op": "updateEdge", "id": "e1", "label": "x" * 300},
    ]
    body = {"schemaVersion": "0.1", "sceneId": stored, "baseRevision": 1, "ops": ops}
    assert client.post(f"/v1/scenes/{stored}/applyOps", json=body, headers=key).status_code == 200
    rows = client.get(f"/v1/scenes/{stored}/revisions", headers=key).json()["revisions"]
    return {row["revision"]: row["createdAt"] for row in rows}


def just_after(time: str) -> str:
    """Times are told to the millisecond, which cuts the rest off."""
    return time.replace("Z", "999Z")


class TestAsOf:
    def test_a_scene_is_read_as_it_was_at_a_time(
        self, client: TestClient, key: Headers, stored: str, times: dict[int, str]
    ) -> None:
        for number, time in times.items():
            reply = client.get(f"/v1/scenes/{stored}", params={"asOf": just_after(time)}, headers=key)
            assert reply.json()["revision"] == number

    def test_a_picture_shows_what_was_there_at_a_time(
        self, client: TestClient, key: Headers, stored: str, times: dict[int, str]
    ) -> None:
        old, first = (
            client.post(f"/v1/scenes/{stored}/render", json=asked, headers=key).json()["output"]
            for asked in ({"asOf": just_after(times[1])}, {"revision": 1})
        )
        assert old == first

    def test_a_picture_shows_what_changed_since_a_time(
        self, client: TestClient, key: Headers, stored: str, times: dict[int, str]
    ) -> None:
        by_time, by_number = (
            client.post(f"/v1/scenes/{stored}/render", json={"diff": {"fromRevision": since}}, headers=key).json()
            for since in (just_after(times[1]), 1)
        )
        assert by_time["output"] == by_number["output"]

    def test_a_difference_is_told_between_times(
        self, client: TestClient, key: Headers, stored: str, times: dict[int, str]
    ) -> None:
        ends = {"from": just_after(times[1]), "to": just_after(times[2])}
        told = client.get(f"/v1/scenes/{stored}/diff", params=ends, headers=key).json()
        assert (told["fromRevision"], told["toRevision"]) == (1, 2)

    def test_a_time_with_an_offset_is_that_moment(self, client: TestClient, key: Headers, stored: str) -> None:
        reply = client.get(f"/v1/scenes/{stored}", params={"asOf": "9000-01-01T00:00:00+09:00"}, headers=key)
        assert reply.json()["revision"] == 1

    def test_before_its_creation_a_scene_had_no_revision(self, client: TestClient, key: Headers, stored: str) -> None:
        reply = client.get(f"/v1/scenes/{stored}", params={"asOf": "2001-01-01"}, headers=key)
        assert (reply.status_code, reply.json()["code"]) == (404, "revision_not_found")
        assert "created later" in reply.json()["error"]

    def test_a_scene_that_is_not_there_has_no_time_either(self, client: TestClient, key: Headers) -> None:
        reply = client.get("/v1/scenes/nobodys-scene", params={"asOf": "2001-01-01"}, headers=key)
        assert (reply.status_code, reply.json()["code"]) == (404, "scene_not_found")

    @pytest.mark.parametrize("wrong", [{"asOf": "last week"}, {"asOf": ""}, {"asOf": "2001-01-01", "revision": 1}])
    def test_no_time_and_two_names_are_refused(
        self, client: TestClient, key: Headers, stored: str, wrong: dict[str, Any]
    ) -> None:
        read = client.get(f"/v1/scenes/{stored}", params=wrong, headers=key)
        drawn = client.post(f"/v1/scenes/{stored}/render", json=wrong, headers=key)
        for reply in (read, drawn):
            assert (reply.status_code, reply.json()["code"]) == (400, "invalid_request")

    @pytest.mark.parametrize("wrong", ["0", "soon", "9" * 5000, {"fromRevision": 1}])
    def test_a_picture_of_the_difference_from_nowhere_is_refused(
        self, client: TestClient, key: Headers, stored: str, wrong: object
    ) -> None:
        asked = {"diff": {"fromRevision": wrong}}
        reply = client.post(f"/v1/scenes/{stored}/render", json=asked, headers=key)
        assert (reply.status_code, reply.json()["code"]) == (400, "invalid_request")

    @pytest.mark.parametrize("wrong", ["0", "soon", "", "-1"])
    def test_a_difference_from_nowhere_is_refused(
        self, client: TestClient, key: Headers, stored: str, wrong: str
    ) -> None:
        reply = client.get(f"/v1/scenes/{stored}/diff", params={"from": wrong}, headers=key)
        assert (reply.status_code, reply.json()["code"]) == (400, "invalid_request")


def test_a_difference_tells_the_values_before_and_after(
    client: TestClient, key: Headers, stored: str, times: dict[int, str]
) -> None:
    assert len(times) == 2
    changes = client.get(f"/v1/scenes/{stored}/diff?from=1", headers=key).json()["changes"]
    assert changes["web"]["label"] == ["Web shop", "Shop"]
    assert changes["web"]["style.fill"] == [None, "#ff0000"]
    assert changes["e1"]["label"] == [None, "x" * 199 + "…"]


def test_a_difference_tells_what_stands_elsewhere(
    client: TestClient, key: Headers, stored: str, times: dict[int, str]
) -> None:
    assert len(times) == 2
    assert client.get(f"/v1/scenes/{stored}/diff?from=1", headers=key).json()["moved"] == ["orders", "web"]
    assert client.get(f"/v1/scenes/{stored}/diff?from=2", headers=key).json()["moved"] == []
