"""Connections that keep a server waiting: on a real one, and their bookkeeping."""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import re
import select
import signal
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx2
import pytest
import structlog
from chaos.overload import everyday
from hypothesis import given
from hypothesis import strategies as st
from local_servers import PATIENCE
from local_servers.service import HEADERS, Service, running_services

from scenograph.http import protocol
from scenograph.http.answers import known_hosts
from scenograph.http.protocol import KEPT_FOR_KEYS, Connections
from scenograph.http.server import AcceptErrors

HALF = b"GET /health HTTP/1.1\r\nHost: localhost\r\nX-Half: "
WHOLE = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
PER_NETWORK = 20


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder: Path = tmp_path_factory.mktemp("connections")
    settings = {
        "DATABASE_URL": f"sqlite:///{folder / 'scenes.db'}",
        "HEAD_TIMEOUT_SECONDS": "2",
        "KEEP_ALIVE_SECONDS": "1.5",
        "CONNECTIONS_PER_NETWORK": str(PER_NETWORK),
        "LOG_LEVEL": "info",
    }
    with running_services(1, folder, **settings) as (started,):
        yield started


def connected(service: Service) -> socket.socket:
    host, port = service.url.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=20)


def all_of(connection: socket.socket) -> bytes:
    with connection.makefile("rb") as reply:
        return reply.read()


def one_reply(connection: socket.socket) -> bytes:
    received = b""
    while not received.endswith(b'{"status":"ok"}'):
        more = connection.recv(9000)
        assert more, f"closed after {received!r}"
        received += more
    return received


def wait_until_it_takes_nothing_new(service: Service) -> None:
    for _ in range(1000):
        try:
            connected(service).close()
        except OSError:
            return
        select.select([], [], [], 0.01)  # a crowd of connections would keep it from stopping
    raise AssertionError("it takes connections still")


def test_a_head_that_is_late_is_a_408_and_silence_is_closed(service: Service) -> None:
    with connected(service) as half, connected(service) as silent:
        half.sendall(HALF)
        head, _, body = all_of(half).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 408 ")
        assert json.loads(body)["code"] == "request_timeout"
        assert all_of(silent) == b""


def test_a_head_that_comes_byte_by_byte_is_late_as_well(service: Service) -> None:
    with connected(service) as slow:
        slow.settimeout(0.2)
        received = b""
        for _ in range(40):
            try:
                slow.sendall(b"x")
                received = slow.recv(100)
            except TimeoutError:
                continue
            except OSError:
                break
            if received:
                break
        assert received.startswith((b"HTTP/1.1 408 ", b"HTTP/1.1 400 "))


def test_a_kept_connection_is_closed_when_nothing_follows(service: Service) -> None:
    with connected(service) as kept:
        kept.sendall(WHOLE)
        assert all_of(kept).startswith(b"HTTP/1.1 200 ")


def test_half_heads_close_each_other_and_everybody_else_is_answered(service: Service) -> None:
    with ExitStack() as stack:
        halves = [stack.enter_context(connected(service)) for _ in range(5 * PER_NETWORK)]
        for half in halves:
            half.sendall(HALF)
        for _ in range(5):
            assert httpx2.get(f"{service.url}/health", timeout=20).status_code == 200
            assert httpx2.get(f"{service.url}/v1/scenes", headers=HEADERS, timeout=20).status_code == 200
    assert len(service.log.read_bytes()) < 200_000


def test_slow_bodies_of_a_network_leave_room_for_keys_and_for_health(service: Service) -> None:
    head = b"POST /v1/scenes/validate HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n"
    with ExitStack() as stack:
        slow = [stack.enter_context(connected(service)) for _ in range(PER_NETWORK)]
        for connection in slow:
            connection.sendall(head)
        for _ in range(50):  # some of the heads may still be on their way
            crowded = httpx2.get(f"{service.url}/schemas/ops.schema.json", timeout=20)
            if crowded.status_code != 200:
                break
        assert (crowded.status_code, crowded.json()["code"]) == (503, "overloaded")
        assert httpx2.get(f"{service.url}/health", timeout=20).status_code == 200
        assert httpx2.get(f"{service.url}/v1/scenes", headers=HEADERS, timeout=20).status_code == 200


def test_the_last_reply_of_a_server_that_stops_says_so_and_no_request_is_cut(tmp_path: Path) -> None:
    settings = {"DATABASE_URL": f"sqlite:///{tmp_path / 'scenes.db'}"}
    with (
        running_services(1, tmp_path, **settings) as (service,),
        connected(service) as kept,
        connected(service) as half,
    ):
        kept.sendall(WHOLE)
        assert b"connection: close" not in one_reply(kept).lower()
        half.sendall(WHOLE[:-2])
        assert httpx2.get(f"{service.url}/health", timeout=30).status_code == 200  # the half is there by now
        service.process.send_signal(signal.SIGTERM)
        wait_until_it_takes_nothing_new(service)
        kept.sendall(WHOLE)
        half.sendall(b"\r\n")
        for connection in (kept, half):
            reply = all_of(connection).lower()
            assert reply.startswith(b"http/1.1 200 ")
            assert b"connection: close" in reply
        assert service.process.wait(PATIENCE) == 0


def large(copies: int) -> dict[str, Any]:
    """A scene that takes a while."""
    scene = everyday("slow")
    text = json.dumps(scene["elements"])
    elements = [json.loads(re.sub(r'"s(?=\d)', f'"copy{copy}-', text)) for copy in range(copies)]
    return scene | {"elements": list(itertools.chain(*elements))}


def test_a_server_that_stops_answers_what_it_has_read_and_closes_what_is_idle(tmp_path: Path) -> None:
    body = json.dumps({"scene": large(3), "format": "png", "scale": 2}).encode()
    head = f"POST /v1/scenes/render HTTP/1.1\r\nHost: localhost\r\nAuthorization: {HEADERS['Authorization']}\r\n"
    rest = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    settings = {"DATABASE_URL": f"sqlite:///{tmp_path / 'scenes.db'}"}
    with (
        running_services(1, tmp_path, **settings) as (service,),
        connected(service) as idle,
        connected(service) as busy,
    ):
        busy.sendall(f"{head}{rest}".encode() + body)
        idle.sendall(WHOLE)
        one_reply(idle)  # the request before it is read by now
        service.process.send_signal(signal.SIGTERM)
        assert all_of(idle) == b""
        reply = all_of(busy)
        assert reply.startswith(b"HTTP/1.1 200 ")
        assert b"connection: close" in reply.lower()
        assert len(reply.partition(b"\r\n\r\n")[2]) > 10_000
        assert service.process.wait(PATIENCE) == 0


class Line:
    """A connection that notes when it is closed."""

    is_open = True
    works = False

    def close_now(self) -> None:
        assert self.is_open
        self.is_open = False


def in_a_loop(check: Any) -> None:
    async def run() -> None:
        check()

    asyncio.run(run())


def test_beyond_the_most_the_oldest_that_never_sent_a_head_is_closed() -> None:
    def check() -> None:
        book = Connections(3, 100)
        lines = [Line() for _ in range(4)]
        book.opened(lines[0], "192.0.2.1")
        book.works(lines[0], is_preferred=False)
        book.waits(lines[0])
        for line in lines[1:]:
            book.opened(line, "198.51.100.1")
        assert [line.is_open for line in lines] == [True, False, True, True]

    in_a_loop(check)


def test_beyond_the_limit_of_a_network_its_waiting_ones_go_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "GRACE_SECONDS", 0.0)

    async def check() -> None:
        book = Connections(100, 2)
        lines, other = [Line() for _ in range(5)], Line()
        for line in lines:
            book.opened(line, "192.0.2.1")
        book.opened(other, "198.51.100.1")
        book.works(lines[0], is_preferred=False)
        assert all(line.is_open for line in lines), "they have a moment to send their heads"
        await asyncio.sleep(0)
        await asyncio.sleep(0.01)
        assert [line.is_open for line in lines] == [True, False, False, False, True]
        assert other.is_open

    asyncio.run(check())


def test_a_stream_of_an_owner_leaves_its_network() -> None:
    def check() -> None:
        book = Connections(100, 1)
        stream, other = Line(), Line()
        for line in (stream, other):
            book.opened(line, "192.0.2.1")
        assert book.works(stream, is_preferred=True)
        book.leaves_network(stream)
        assert book.works(other, is_preferred=False)
        book.closed(stream)
        book.closed(other)
        assert book.count == 0

    in_a_loop(check)


def test_a_trusted_proxy_is_no_network() -> None:
    def check() -> None:
        book = Connections(100, 1, "192.0.2.0/25,2001:db8::1")
        lines = [Line() for _ in range(5)]
        for line, host in zip(
            lines, ["192.0.2.9", "192.0.2.9", "2001:db8::1", "2001:db8::1", "192.0.2.99"], strict=True
        ):
            book.opened(line, host)
            assert book.works(line, is_preferred=False)

    in_a_loop(check)


@given(st.lists(st.tuples(st.sampled_from(["open", "work", "wait", "leave", "close"]), st.integers(0, 9)), max_size=80))
def test_whatever_happens_the_counts_agree_with_what_is_open(steps: list[tuple[str, int]]) -> None:
    def check() -> None:
        book = Connections(5, 2)
        lines: list[Line] = []
        for what, which in steps:
            if what == "open":
                lines.append(Line())
                book.opened(lines[-1], f"192.0.{which % 3}.1")
            elif lines:
                one_step(book, lines[which % len(lines)], what)
            lines = [line for line in lines if line.is_open]
            assert book.count == len(lines)
            assert book.count <= max(5, sum(line.works for line in lines)), "only who works is left beyond the most"
        for line in lines:
            book.closed(line)
        assert not book._open
        assert not book._working

    in_a_loop(check)


def one_step(book: Connections, line: Line, what: str) -> None:
    if what == "work" and not line.works:
        book.works(line, is_preferred=False)
        line.works = True
    elif what == "wait" and line.works:
        book.waits(line)
        line.works = False
    elif what == "leave" and line.works:
        book.leaves_network(line)
    elif what == "close":
        book.closed(line)
        line.is_open = False


def test_one_network_has_room_for_keys_beyond_its_limit_but_not_without_end() -> None:
    def check() -> None:
        book = Connections(1000, 1)
        told = []
        for _ in range(KEPT_FOR_KEYS + 2):
            line = Line()
            book.opened(line, "192.0.2.1")
            told.append(book.works(line, is_preferred=True))
        assert told == [True] * (KEPT_FOR_KEYS + 1) + [False]

    in_a_loop(check)


def test_connections_that_cannot_be_taken_are_told_once_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    now = 0.0
    errors = AcceptErrors(lambda: now)
    full = {"message": "socket.accept() out of system resource", "exception": OSError(24, "Too many open files")}
    loop = asyncio.new_event_loop()
    with structlog.testing.capture_logs() as lines, caplog.at_level(logging.ERROR):
        for now in (0.0, 1.0, 59.0, 61.0):  # noqa: B007 - the clock
            errors(loop, full)
        errors(loop, {"message": "something else"})
    loop.close()
    assert [(line["event"], line["count"]) for line in lines] == [
        ("connections_not_taken", 1),
        ("connections_not_taken", 3),
    ]
    assert "something else" in caplog.text


WHICH = pytest.mark.parametrize(
    ("bound", "allowed", "site", "host", "told"),
    [
        ("127.0.0.1", (), None, "localhost:3000", (True, True)),
        ("127.0.0.1", (), None, "evil.example", (False, True)),
        ("0.0.0.0", (), None, "evil.example", (False, False)),  # noqa: S104 - nothing listens
        ("0.0.0.0", ("shown.example",), None, "Shown.Example:80", (True, True)),  # noqa: S104
        ("10.0.0.7", (), None, "10.0.0.7", (True, False)),
        ("127.0.0.1", (), "https://shown.example", "evil.example", (False, False)),
        ("::1", (), None, "[::1]:3000", (True, True)),
    ],
)


@pytest.mark.parametrize("bound", ["127.0.0.1", "0.0.0.0", "::", "10.0.0.7"])  # noqa: S104 - nothing listens
def test_a_service_that_asks_for_no_key_answers_known_names_alone(bound: str) -> None:
    hosts = known_hosts(bound, ("here.example",), "https://shown.example:8443/x", asks_no_key=True)
    known = ["localhost:3000", "127.0.0.1", "[::1]:80", "Here.example:9", "shown.example"]
    strange = ["evil.example", "0.0.0.0", "10.0.0.7", "shown.example.evil.example", ""]  # noqa: S104
    assert hosts.is_strict
    assert [host for host in (*known, *strange) if hosts.knows(host)] == known


@WHICH
def test_which_names_are_known_and_which_are_refused(
    bound: str, allowed: tuple[str, ...], site: str | None, host: str, told: tuple[bool, bool]
) -> None:
    hosts = known_hosts(bound, allowed, site)
    assert (hosts.knows(host), hosts.is_strict) == told
