"""Pictures that were drawn before: answered without the engine, by their tag, and to nobody who may not see them."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from threading import Semaphore
from typing import Any

import pytest
from starlette.requests import Request
from starlette.testclient import TestClient

from scenograph import late_dataclasses
from scenograph.http.app import create_app
from scenograph.http.pages.html import PREVIEW_SIZE
from scenograph.service.errors import ServiceError
from scenograph.service.kept_pictures import KeptPictures
from scenograph.service.rate_limits import Fairness, MemoryCounter, ShareRules
from scenograph.storage import sql_lifecycle
from scenograph.storage.sqlite import open_sqlite
from scenograph.wiring import Services

Document = dict[str, Any]
Key = dict[str, str]


@pytest.fixture
def published(client: TestClient, key: Key, stored: str) -> str:
    assert client.post(f"/v1/scenes/{stored}/publish", headers=key).status_code == 200
    return stored


def rename(client: TestClient, key: Key, scene_id: str, label: str, base: int = 1) -> None:
    edit = {"op": "updateNode", "id": "web", "label": label}
    batch = {"schemaVersion": "0.1", "sceneId": scene_id, "baseRevision": base, "ops": [edit]}
    assert client.post(f"/v1/scenes/{scene_id}/applyOps", json=batch, headers=key).status_code == 200


class Misses:
    """How many pictures had to be drawn since."""

    def __init__(self, services: Services) -> None:
        self._kept = services.kept_pictures
        self._before = self._kept.misses

    def __call__(self) -> int:
        return self._kept.misses - self._before


@pytest.fixture
def misses(services: Services, stored: str) -> Misses:
    del stored
    return Misses(services)


def test_the_same_picture_again_is_the_same_reply(client: TestClient, key: Key, stored: str, misses: Misses) -> None:
    bodies: list[dict[str, Any]] = [{}, {"format": "png", "scale": 2}, {"theme": "dark"}, {"watermark": True}]
    first = [client.post(f"/v1/scenes/{stored}/render", json=body, headers=key) for body in bodies]
    again = [client.post(f"/v1/scenes/{stored}/render", json=body, headers=key) for body in bodies]
    assert [reply.status_code for reply in first] == [200] * 4
    assert [reply.content for reply in again] == [reply.content for reply in first]
    assert misses() <= 4


def test_an_edit_is_seen_in_the_next_picture(client: TestClient, key: Key, stored: str) -> None:
    before = client.post(f"/v1/scenes/{stored}/render", headers=key).text
    rename(client, key, stored, "Market place")
    after = client.post(f"/v1/scenes/{stored}/render", headers=key).text
    assert ("Market" in before, "Market" in after) == (False, True)
    old = client.post(f"/v1/scenes/{stored}/render", json={"revision": 1}, headers=key).text
    assert old == before


def test_a_kept_picture_takes_no_engine_seconds(services: Services, key: Key, stored: str, client: TestClient) -> None:
    """An owner whose seconds are used up still gets what is kept, and nothing that is not."""
    client.post(f"/v1/scenes/{stored}/render", headers=key)
    rules = ShareRules(at_once=2, timeout_seconds=10, seconds_a_minute=0.001)
    poor = late_dataclasses.replace(services, fairness=Fairness(rules, rules, 1000, MemoryCounter()))
    with TestClient(create_app(poor)) as poor_client:
        drawn = [
            poor_client.post(f"/v1/scenes/{stored}/render", json={"theme": name}, headers=key)
            for name in ("sketch", "blueprint")
        ]
        assert drawn[-1].json()["code"] == "rate_limited"
        assert poor_client.post(f"/v1/scenes/{stored}/render", headers=key).status_code == 200


def test_nobody_gets_the_kept_picture_of_anothers_scene(
    client: TestClient, key: Key, stored: str, key_of_another: Any
) -> None:
    client.post(f"/v1/scenes/{stored}/render", headers=key)
    stranger = key_of_another(f"other-of-{stored}"[:60], True)
    assert client.post(f"/v1/scenes/{stored}/render", headers=stranger).json()["code"] == "scene_not_found"
    assert client.post(f"/v1/scenes/{stored}/render").json()["code"] == "missing_api_key"
    assert client.get(f"/s/{stored}.svg").status_code == 404


def test_a_withdrawn_picture_is_gone_at_once_for_who_knows_its_tag_too(
    client: TestClient, key: Key, published: str
) -> None:
    tag = client.get(f"/s/{published}.svg").headers["etag"]
    assert client.get(f"/s/{published}.svg", headers={"If-None-Match": tag}).status_code == 304
    assert client.post(f"/v1/scenes/{published}/make-private", headers=key).status_code == 200
    for headers in ({}, {"If-None-Match": tag}, {"If-None-Match": "*"}):
        assert client.get(f"/s/{published}.svg", headers=headers).status_code == 404


def test_an_address_whose_picture_is_gone_stands_in_line_again(client: TestClient, key: Key, published: str) -> None:
    app: Any = client.app
    asked = Request(
        {"type": "http", "method": "GET", "path": f"/s/{published}.svg", "query_string": b"", "headers": []}
    )
    assert client.get(f"/s/{published}.svg").status_code == 200
    assert app.state.recent_pictures.may_have(asked)
    assert client.post(f"/v1/scenes/{published}/make-private", headers=key).status_code == 200
    assert client.get(f"/s/{published}.svg").status_code == 404
    assert not app.state.recent_pictures.may_have(asked)


def test_a_picture_is_the_same_packed_and_plain(client: TestClient, published: str) -> None:
    client.get(f"/s/{published}.svg")  # which draws and keeps it
    plain, packed, again = (
        client.get(f"/s/{published}.svg", headers={"Accept-Encoding": coding})
        for coding in ("identity", "gzip", "gzip")
    )
    assert (packed.headers["content-encoding"], "content-encoding" in plain.headers) == ("gzip", False)
    assert int(packed.headers["content-length"]) < int(plain.headers["content-length"])
    assert packed.text == again.text == plain.text
    own = {"content-encoding", "content-length", "x-request-id", "vary", "ratelimit"}
    own |= {"x-ratelimit-remaining", "x-ratelimit-reset"}  # one request less, and a moment later
    told = [{name: value for name, value in reply.headers.items() if name not in own} for reply in (plain, packed)]
    assert told[0] == told[1]
    assert packed.headers["vary"] == plain.headers["vary"] == "Accept, Accept-Encoding"


def test_who_waited_for_a_drawing_gets_nothing_of_what_was_withdrawn_meanwhile(
    client: TestClient, key: Key, published: str, services: Services
) -> None:
    client.get(f"/s/{published}.svg")
    waiting = services.publishing.read(published, {"format": "svg", "theme": None})
    assert waiting.kept_after_a_wait() is not None
    client.post(f"/v1/scenes/{published}/make-private", headers=key)
    with pytest.raises(ServiceError, match="scene"):
        waiting.kept_after_a_wait()


@pytest.mark.parametrize("suffix", [".svg", ".png", ".png?scale=2", "/preview.png", ".svg?theme=dark"])
def test_a_published_picture_that_did_not_change_is_a_304(
    client: TestClient, key: Key, published: str, suffix: str
) -> None:
    first = client.get(f"/s/{published}{suffix}")
    tag = first.headers["etag"]
    assert first.headers["cache-control"] == "no-cache"
    again = client.get(f"/s/{published}{suffix}", headers={"If-None-Match": f'"x", {tag}'})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    rename(client, key, published, "Changed")
    changed = client.get(f"/s/{published}{suffix}", headers={"If-None-Match": tag})
    assert changed.status_code == 200
    assert changed.headers["etag"] != tag


def test_a_storm_for_one_picture_draws_it_once(client: TestClient, document: Document, services: Services) -> None:
    document["scene"]["title"] = "Asked for by many at once"
    turns = services.turns
    asked = 0
    ask = turns.ask

    def counted(*arguments: Any, **named: Any) -> Any:
        nonlocal asked
        asked += "/v1/scenes/render?" in arguments
        return ask(*arguments, **named)

    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(12) as pool:
        patch.setattr(turns, "ask", counted)
        replies = list(pool.map(lambda _: client.post("/v1/scenes/render", json={"scene": document}), range(12)))
    assert {reply.status_code for reply in replies} == {200}
    assert len({reply.content for reply in replies}) == 1
    assert asked == 1


def test_a_document_that_cannot_be_drawn_is_told_to_all_who_ask(client: TestClient, document: Document) -> None:
    canvas = {"width": 9000, "height": 9000}
    document["scene"]["canvas"] = canvas
    body = {"scene": document, "format": "png", "scale": 4}
    with ThreadPoolExecutor(6) as pool:
        replies = list(pool.map(lambda _: client.post("/v1/scenes/render", json=body), range(6)))
    assert {reply.status_code for reply in replies} == {400}


@contextmanager
def crowd(services: Services) -> Iterator[None]:
    """All turns are taken, for long."""
    taken = [services.turns.ask(services.fairness.of_owner("crowd")) for _ in range(2)]
    for turn in taken:
        turn.expected = 60.0
    try:
        yield
    finally:
        for turn in taken:
            services.turns.give_back(turn)


def test_a_kept_picture_is_answered_when_there_is_no_room_for_a_drawing(
    client: TestClient, services: Services, key: Key, published: str
) -> None:
    client.post(f"/v1/scenes/{published}/render", headers=key)
    client.get(f"/s/{published}.png")
    with crowd(services):
        drawn = client.post(f"/v1/scenes/{published}/render", json={"theme": "sketch"}, headers=key)
        assert drawn.json()["code"] == "overloaded"
        assert client.post(f"/v1/scenes/{published}/render", headers=key).status_code == 200
        assert client.get(f"/s/{published}.png").status_code == 200


@contextmanager
def noticed(services: Services) -> Iterator[Semaphore]:
    """Released for each call that asks for a turn."""
    asked, ask = Semaphore(0), services.turns.ask

    def noted(*arguments: Any, **named: Any) -> Any:
        turn = ask(*arguments, **named)
        asked.release()
        return turn

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(services.turns, "ask", noted)
        yield asked


def test_an_owner_does_not_wait_for_the_drawing_of_a_caller_without_a_key(
    client: TestClient, services: Services, key: Key, document: Document
) -> None:
    document["scene"]["title"] = "Asked for by two"
    held = services.turns.ask(services.fairness.of_network("192.0.2.7"))
    with ThreadPoolExecutor(1) as pool, noticed(services) as asked:
        try:
            stranger = pool.submit(client.post, "/v1/scenes/render", json={"scene": document})
            assert asked.acquire(timeout=30)
            assert client.post("/v1/scenes/render", json={"scene": document}, headers=key).status_code == 200
            assert not stranger.done()
        finally:
            services.turns.give_back(held)
        assert stranger.result(30).status_code == 200


def test_where_no_picture_is_kept_nobody_waits_for_anothers_drawing(
    services: Services, key: Key, document: Document
) -> None:
    forgetful = late_dataclasses.replace(services, kept_pictures=KeptPictures(0))
    document["scene"]["title"] = "Kept by nobody"
    held = [services.turns.ask(services.fairness.of_owner("crowd")) for _ in range(2)]
    with TestClient(create_app(forgetful)) as client, ThreadPoolExecutor(3) as pool, noticed(services) as asked:
        try:
            body = {"scene": document}
            replies = [pool.submit(client.post, "/v1/scenes/render", json=body, headers=key) for _ in range(3)]
            assert all(asked.acquire(timeout=30) for _ in replies)
        finally:
            for turn in held:
                services.turns.give_back(turn)
        assert {reply.result(30).status_code for reply in replies} == {200}


def test_a_published_picture_that_is_kept_is_answered_without_unpacking_the_document(
    client: TestClient, key: Key, published: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = client.get(f"/s/{published}.svg")
    client.get(f"/s/{published}.svg")
    unpacked: list[str] = []
    monkeypatch.setattr(sql_lifecycle, "unpack", lambda encoding, _: unpacked.append(encoding) or "{}")
    assert client.get(f"/s/{published}.svg").content == first.content
    assert unpacked == []


def test_an_edit_is_seen_in_the_next_published_picture(client: TestClient, key: Key, published: str) -> None:
    before = [client.get(f"/s/{published}.svg") for _ in range(3)][-1]
    rename(client, key, published, "Market place")
    after = client.get(f"/s/{published}.svg", headers={"If-None-Match": before.headers["etag"]})
    assert (after.status_code, "Market" in before.text, "Market" in after.text) == (200, False, True)


@pytest.mark.parametrize("first", [".png", ".png?scale=2", "/preview.png"])
def test_no_published_picture_is_shown_at_the_address_of_one_of_another_size(
    client: TestClient, published: str, first: str
) -> None:
    def size(suffix: str) -> tuple[int, int]:
        header = client.get(f"/s/{published}{suffix}").content[16:24]
        return int.from_bytes(header[:4]), int.from_bytes(header[4:])

    assert len({size(first) for _ in range(3)}) == 1, "it is kept now"
    (width, height), large, preview = (size(suffix) for suffix in (".png", ".png?scale=2", "/preview.png"))
    assert (large, preview) == ((2 * width, 2 * height), PREVIEW_SIZE)


def test_a_scene_that_takes_the_row_of_a_purged_one_has_a_picture_of_its_own(
    client: TestClient, key: Key, document: Document, database_url: str
) -> None:
    """SQLite gives a key again once the last scene is purged."""
    pictures: list[str] = []
    store = open_sqlite(database_url)
    for label in ("Former", "Later"):
        scene = {**document, "scene": {**document["scene"], "id": "again"}}
        scene["elements"] = [{"id": "web", "kind": "node", "label": label}]
        assert client.post("/v1/scenes", json=scene, headers=key).status_code == 201
        assert client.post("/v1/scenes/again/publish", headers=key).status_code == 200
        pictures.append([client.get("/s/again.svg").text for _ in range(3)][-1])
        assert client.delete("/v1/scenes/again", headers=key).status_code == 200
        assert client.get("/s/again.svg").status_code == 404
        later = datetime.now(UTC) + timedelta(days=2)
        assert store.purge(later, 1000, later) >= 1
    store.close()
    assert ["Later" in picture for picture in pictures] == [False, True]
