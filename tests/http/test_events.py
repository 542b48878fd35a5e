"""Events of a scene: what is told, to whom, how soon, and when a stream ends. The servers are real ones."""

from __future__ import annotations

import itertools
import json
import queue
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx2
import pytest
from local_servers.service import HEADERS, Service, running_services

Json = dict[str, Any]
PATIENCE = 30.0
NUMBERS = itertools.count()
AUTHOR = {"accountId": "operator", "keyName": "bootstrap"}


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Service]]:
    folder = tmp_path_factory.mktemp("events")
    environment = {
        "DATABASE_URL": f"sqlite:///{folder / 'scenes.db'}",
        "STREAMS_PER_OWNER": "4",
        "CONNECTIONS_PER_NETWORK": "3",
    }
    with running_services(2, folder, **environment) as services:
        yield services


@pytest.fixture
def scene(servers: list[Service], request: pytest.FixtureRequest) -> str:
    scene_id = request.node.name.partition("[")[0] + str(next(NUMBERS))
    document = {
        "schemaVersion": "0.1",
        "scene": {"id": scene_id, "units": "px", "canvas": {}},
        "elements": [{"id": name, "kind": "node", "label": name} for name in "abc"],
    }
    call(servers[0], "POST", "/v1/scenes", document)
    return scene_id


def call(server: Service, method: str, path: str, body: Json | None = None, headers: Any = HEADERS) -> Json:
    reply = httpx2.request(method, f"{server.url}{path}", json=body, headers=headers, timeout=30)
    assert reply.status_code < 300, reply.text
    return reply.json()


def rename(server: Service, scene: str, base: int, element: str) -> None:
    op = {"op": "updateElement", "id": element, "label": f"{element} {base}"}
    body = {"schemaVersion": "0.1", "sceneId": scene, "baseRevision": base, "ops": [op]}
    call(server, "POST", f"/v1/scenes/{scene}/applyOps", body)


class Stream:
    """What arrives of a stream, event by event."""

    def __init__(self, reply: httpx2.Response) -> None:
        self._arrived: queue.Queue[Json | None] = queue.Queue()
        self._reply = reply
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        event: Json = {}
        try:
            for line in self._reply.iter_lines():
                name, _, value = line.partition(": ")
                if not line and "data" in event:
                    self._arrived.put({**event, "data": json.loads(event["data"])})
                    event = {}
                elif name:
                    event[name] = value
            self._arrived.put(None)
        except (httpx2.HTTPError, OSError):
            self._arrived.put(None)

    def next(self) -> Json | None:
        """The next event; None at the end."""
        return self._arrived.get(timeout=PATIENCE)


@contextmanager
def listening(server: Service, scene: str, headers: Any = HEADERS, query: Any = None, **more: str) -> Iterator[Stream]:
    address = f"{server.url}/v1/scenes/{scene}/events"
    with httpx2.stream("GET", address, params=query, headers=headers | more, timeout=60) as reply:
        assert reply.status_code == 200
        assert reply.headers["content-type"] == "text/event-stream; charset=utf-8"
        assert reply.headers["cache-control"] == "no-store"
        assert "content-encoding" not in reply.headers
        try:
            yield Stream(reply)
        finally:  # closing alone would wait for the thread that reads
            with suppress(OSError):
                reply.extensions["network_stream"].get_extra_info("socket").shutdown(socket.SHUT_RDWR)


def test_an_edit_is_told_within_a_second_whichever_server_took_it(servers: list[Service], scene: str) -> None:
    with listening(servers[0], scene) as here, listening(servers[1], scene) as there:
        taken = []
        for revision in range(2, 6):
            rename(servers[1], scene, revision - 1, "b")
            began = time.monotonic()
            data = {"revision": revision, "changedElementIds": ["b"], "author": AUTHOR}
            for stream in (here, there):
                event = stream.next()
                assert event is not None
                assert (event["id"], event["data"]) == (str(revision), data)
            taken.append(time.monotonic() - began)
        assert min(taken) < 1, "a busy machine delays some, a server that looks seldom delays all"


def test_who_was_away_is_told_what_was_missed_as_one_event(servers: list[Service], scene: str) -> None:
    for base, element in enumerate("cab", start=1):
        rename(servers[0], scene, base, element)
    with listening(servers[0], scene, **{"Last-Event-ID": "2"}) as stream:
        event = stream.next()
        assert event is not None
        assert event["data"] == {"revision": 4, "changedElementIds": ["a", "b"], "author": AUTHOR}


@pytest.mark.parametrize(
    ("method", "path", "reason"),
    [("DELETE", "", "deleted"), ("POST", "/make-private", "made_private")],
)
def test_a_stream_ends_with_what_it_was_opened_for(
    servers: list[Service], scene: str, method: str, path: str, reason: str
) -> None:
    call(servers[0], "POST", f"/v1/scenes/{scene}/publish")
    with listening(servers[1], scene) as stream:
        call(servers[0], method, f"/v1/scenes/{scene}{path}")
        event = stream.next()
        assert event is not None
        assert (event["event"], event["data"]) == ("closed", {"reason": reason})
        assert stream.next() is None


def test_a_revoked_key_hears_no_more(servers: list[Service], scene: str) -> None:
    made = call(servers[0], "POST", "/v1/auth/keys", {"name": "listener"})
    with (
        listening(servers[1], scene, headers={"Authorization": f"Bearer {made['key']}"}) as revoked,
        listening(servers[1], scene) as other,
    ):
        call(servers[0], "DELETE", f"/v1/auth/keys/{made['id']}")
        event = revoked.next()
        assert event is not None
        assert event["data"] == {"reason": "revoked"}
        assert revoked.next() is None
        rename(servers[0], scene, 1, "a")
        assert other.next()


def test_an_owner_has_so_many_streams_and_a_closed_one_makes_room(servers: list[Service], scene: str) -> None:
    address = f"{servers[0].url}/v1/scenes/{scene}/events"
    with listening(servers[0], scene), listening(servers[0], scene), listening(servers[0], scene):
        with listening(servers[0], scene):
            refused = httpx2.get(address, headers=HEADERS, timeout=30)
            assert (refused.status_code, refused.json()["code"]) == (429, "rate_limited")
            assert int(refused.headers["retry-after"]) >= 1
        wait_until_opened(address)


def test_streams_take_no_room_from_the_others_of_their_network(servers: list[Service], scene: str) -> None:
    with ExitStack() as streams:
        for _ in range(4):
            streams.enter_context(listening(servers[0], scene))
        reply = httpx2.get(f"{servers[0].url}/v1/icons?q=server", timeout=30)
    assert reply.status_code == 200, reply.text


def wait_until_opened(address: str) -> None:
    """The server learns of a connection's end a moment after it."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with httpx2.stream("GET", address, headers=HEADERS, timeout=30) as reply:
            if reply.status_code == 200:
                return
    pytest.fail("no room was made")


def test_a_scene_that_is_not_there_has_no_events(servers: list[Service]) -> None:
    reply = httpx2.get(f"{servers[0].url}/v1/scenes/none/events", headers=HEADERS, timeout=30)
    assert (reply.status_code, reply.json()["code"]) == (404, "scene_not_found")


def test_head_does_not_listen(servers: list[Service], scene: str) -> None:
    assert httpx2.head(f"{servers[0].url}/v1/scenes/{scene}/events", headers=HEADERS, timeout=30).status_code == 200


def test_a_server_that_stops_says_goodbye_and_does_not_wait(tmp_path: Path) -> None:
    with running_services(1, tmp_path, DATABASE_URL=f"sqlite:///{tmp_path / 'scenes.db'}") as services:
        document = {"schemaVersion": "0.1", "scene": {"id": "s", "units": "px", "canvas": {}}, "elements": []}
        call(services[0], "POST", "/v1/scenes", document)
        with listening(services[0], "s") as stream:
            services[0].process.terminate()
            event = stream.next()
            assert event is not None
            assert event["data"] == {"reason": "stopping"}
        told = "".join(services[0].whole_log())
        assert "cut_off_by_stop" not in told, "the server did not wait for the stream until its patience ended"
