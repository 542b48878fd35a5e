"""Clients that mean no good, on a real socket: whatever they send is answered below 500, and the service goes on."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from local_servers.service import HEADERS, Service, running_services

SCENE = "/v1/scenes/"
ENCODED = (
    "%00", "a%00b", "%2e%2e%2f%2e%2e%2fetc", "..%2f..", "%2F", "%252F", "a%2Frender", "%E0%80%AF", "%ED%A0%80", "%FF",
    "%c3%28", "%", "%zz", "%0d%0aX-Evil:1", "a;b=c", "a?b", "%3F", "~", "*", "'%20OR%201=1--", "%25s%25n", "{{7*7}}",
    "%F0%9F%98%80", "a" * 129, "a" * 4000, "%61" * 1000, "render", "validate/", "a//b", "./a", "a%09", "%7F", "\\",
)  # fmt: skip
METHODS = ("TRACE", "CONNECT", "PROPFIND", "get", "G", "GET" * 30, "M-SEARCH", "PATCH", "PUT", "LINK", "!#$%&'*+")
HEADERS_SENT: tuple[dict[str, str], ...] = (
    {"Accept": ",".join(f"text/x{n};q=0.{n % 10}" for n in range(1000))},
    {"Accept": ";" * 5000}, {"Accept": "image/png;q=nan"}, {"Accept": "*/*;q=1e400, image/png;q=-1"},
    {"Range": "bytes=0-0"}, {"Range": "bytes=99-1,,--"}, {"Range": "pages=1"}, {"If-Range": '"x"'},
    {"Accept-Encoding": "gzip;q=0, *;q=9, zstd" * 50}, {"If-None-Match": '"' * 3000}, {"If-None-Match": ","},
    {"If-Modified-Since": "yesterday"}, {"Origin": "null"}, {"Origin": "\x7f"}, {"Cookie": "a" * 5000},
    {"X-Forwarded-For": "a, b, ::1%eth0, 999.9.9.9"}, {"X-Forwarded-Proto": "javascript"},
    {"Host": "evil.example:99999"},
    {"Host": "[::"}, {"Content-Length": "0"}, {"Transfer-Encoding": "identity"}, {"Expect": "200-maybe"},
    {"Upgrade": "websocket", "Connection": "Upgrade, close"},
    {"Upgrade": "h2c", "Connection": "Upgrade, HTTP2-Settings, close"},
    {"Authorization": "Bearer"}, {"Authorization": "Bearer  "}, {"Authorization": "Bearer " + "\xff" * 100},
    {"Authorization": "bearer " + "a" * 9000}, {"Idempotency-Key": "\x80"}, {"X-Request-Id": "a b"},
)  # fmt: skip


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder: Path = tmp_path_factory.mktemp("hostile")
    settings = {"DATABASE_URL": f"sqlite:///{folder / 'scenes.db'}", "BODY_TIMEOUT_SECONDS": "1", "ALLOWED_HOSTS": "x"}
    with running_services(1, folder, **settings) as (started,):
        yield started
        assert not [line for line in started.whole_log() if "unexpected_fault" in line]


def send(service: Service, raw: bytes) -> bytes:
    """Everything that comes back until the service closes."""
    host, port = service.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=30) as connection:
        connection.sendall(raw)
        with connection.makefile("rb") as reply:
            return reply.read()


def request(target: str, method: str = "GET", headers: dict[str, str] | None = None, body: bytes = b"") -> bytes:
    named = {"Host": "x", **HEADERS, "Connection": "close", **(headers or {})}
    lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in named.items())]
    if body:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


def statuses(replies: bytes) -> list[int]:
    return [int(part[:3]) for part in replies.split(b"HTTP/1.1 ")[1:] if part[:1].isdigit()]


def assert_refused_in_form(replies: bytes) -> None:
    """One reply, below 500; a refusal has the form of all others."""
    (status,) = statuses(replies)
    head, _, body = replies.partition(b"\r\n\r\n")
    assert 200 <= status < 500, replies[:200]
    assert b"x-request-id" in head.lower()
    assert b"x-evil" not in head.lower()
    if status >= 400 and body and b"text/html" not in head:
        assert {"error", "code", "requestId"} <= set(json.loads(body))


def assert_all_refused_in_form(service: Service, sent: Iterable[bytes]) -> None:
    for raw in sent:
        try:
            assert_refused_in_form(send(service, raw))
        except (AssertionError, ValueError) as wrong:
            wrong.add_note(f"after {raw[:300]!r}")
            raise


@pytest.mark.parametrize("start", [SCENE, "/s/", "/v1/public/scenes/", "/v1/auth/keys/"])
def test_whatever_is_encoded_in_a_path(service: Service, start: str) -> None:
    sent = (request(start + tail, method) for tail in ENCODED for method in ("GET", "DELETE"))
    assert_all_refused_in_form(service, sent)


@pytest.mark.parametrize("tail", ["%00", "%ED%A0%80", "%FF", "..%2f..", "a" * 129])
@pytest.mark.parametrize("action", ["render", "publish", "undelete", "make-private", "support", "applyOps"])
def test_whatever_is_encoded_in_the_path_of_an_action(service: Service, action: str, tail: str) -> None:
    body = b'{"problem":"x","schemaVersion":"0.1","sceneId":"x","baseRevision":1,"ops":[]}'
    sent = request(f"{SCENE}{tail}/{action}", "POST", {"Content-Type": "application/json"}, body)
    replies = send(service, sent)
    assert_refused_in_form(replies)
    assert statuses(replies)[0] in {400, 404}


@pytest.mark.parametrize("path", ["/health", "/v1/scenes", "/s/a", "/nowhere", "*"])
def test_whatever_the_method(service: Service, path: str) -> None:
    assert_all_refused_in_form(service, (request(path, method) for method in METHODS))


@pytest.mark.parametrize("path", ["/v1/scenes", "/s/none.svg", "/schemas/scene.schema.json"])
def test_whatever_the_headers(service: Service, path: str) -> None:
    assert_all_refused_in_form(service, (request(path, headers=headers) for headers in HEADERS_SENT))


@pytest.mark.parametrize(
    "query",
    ["limit=" + "9" * 5000, "limit=1&limit=2", "cursor=" + "A" * 5000, "q=" + "%F0%9F%98%80" * 800, "q=%00", "q=%FF",
     "cursor=%00", "limit=1e3", "limit=٣", "&" * 5000, "=" * 5000, "a=b&" * 3000, "limit=-0", "limit=0x10", "q=%",
     "q=%u0041",
     "cursor=MDAwMS0wMS0wMVQwMDowMDowMCsyMzo1OXxh"],
    ids=lambda query: query[:12],
)  # fmt: skip
def test_whatever_the_query(service: Service, query: str) -> None:
    for path in ("/v1/scenes", "/v1/icons", "/v1/scenes/a/revisions", "/v1/scenes/a/diff", "/accounts/verify"):
        assert_refused_in_form(send(service, request(f"{path}?{query}".encode().decode("latin-1"))))


def test_pipelined_requests_are_answered_in_order(service: Service) -> None:
    paths = ("/health", "/nowhere", "/v1/scenes", "/health")
    raw = b"".join(request(path, headers={"Connection": "keep-alive"}) for path in paths[:-1]) + request(paths[-1])
    assert statuses(send(service, raw)) == [200, 404, 200, 200]


def test_a_body_cannot_smuggle_a_second_request(service: Service) -> None:
    hidden = request("/v1/scenes/smuggled", "DELETE")
    both = {"Content-Length": str(len(hidden)), "Transfer-Encoding": "chunked", "Content-Type": "application/json"}
    answered = statuses(send(service, request("/v1/scenes/validate", "POST", both) + b"0\r\n\r\n" + hidden))
    assert len(answered) == 1
    assert answered[0] == 400


def test_a_body_with_two_lengths_is_refused_and_the_connection_ends(service: Service) -> None:
    both = {"Content-Length": "2", "Transfer-Encoding": "chunked", "Content-Type": "application/json"}
    sent = request("/v1/scenes/validate", "POST", {**both, "Connection": "keep-alive"}) + b"2\r\n{}\r\n0\r\n\r\n"
    reply = send(service, sent + request("/health"))
    assert statuses(reply) == [400]
    assert b"never both" in reply


@pytest.mark.parametrize("target", ["http://x/health", "HTTPS://user@x:99/health?a=http://y", "http://x/%68ealth"])
def test_a_target_in_absolute_form_is_read_as_any_other(service: Service, target: str) -> None:
    assert statuses(send(service, request(target))) == [200]


def test_a_target_without_a_path_is_the_root(service: Service) -> None:
    assert statuses(send(service, request("http://x"))) == [200]


@pytest.mark.parametrize("padding", [17_000, 70_000, 1_000_000])
def test_a_header_block_beyond_16_kib_is_refused(service: Service, padding: int) -> None:
    replies = send(service, request("/health", headers={"X-Padding": "x" * padding}))
    assert statuses(replies) == [431]
    assert b"headers_too_large" in replies


@pytest.mark.parametrize("length", [17_000, 70_000, 1_000_000])
@pytest.mark.parametrize("host", ["", "http://x"])
def test_a_source_too_long_for_an_address_is_told_in_plain_text(service: Service, length: int, host: str) -> None:
    replies = send(service, request(f"{host}/kroki/mermaid/svg/{'x' * length}"))
    assert statuses(replies) == [413]
    assert b"text/plain" in replies
    assert b"to /kroki/mermaid/svg instead." in replies


@pytest.mark.parametrize(
    "head",
    [b"GET /health HTTP/1.1\nHost: x\n\n", b"GET /health HTTP/1.1\r\nHost: x\nA: b\r\n\r\n",
     b"GET /health HTTP/1.1\r\nHost: x\r\nA: b\r\n  folded\r\n\r\n",
     b"GET /health HTTP/1.1\r\nHost: x\r\nA: b\rc\r\n\r\n"],
    ids=["bare line feeds", "one bare line feed", "a folded line", "a bare carriage return"],
)  # fmt: skip
def test_heads_that_others_read_otherwise_are_refused(service: Service, head: bytes) -> None:
    sent_before = request("/health", headers={"Connection": "keep-alive"})
    assert statuses(send(service, head)) == [400]
    assert statuses(send(service, sent_before + head)) == [200, 400]


def test_two_keys_are_refused(service: Service) -> None:
    head = request("/v1/scenes").replace(b"\r\n\r\n", b"\r\nAuthorization: Bearer another\r\n\r\n")
    reply = send(service, head)
    assert statuses(reply) == [400]
    assert b"at most one Authorization" in reply


@pytest.mark.parametrize("host", ["evil.example", "x.evil.example", "localhost.evil.example:80", "", "x:y", "[::1"])
def test_another_name_is_misdirected_and_health_answers_it(service: Service, host: str) -> None:
    sent = request("/v1/scenes", headers={"Host": host})
    assert statuses(send(service, sent)) in ([421], [400])
    assert statuses(send(service, request("/health", headers={"Host": "evil.example"}))) == [200]


@pytest.mark.parametrize("host", ["x", "X:1", "localhost", "127.0.0.1:9", "[::1]:80", "localhost."])
def test_own_names_are_answered_at_whatever_port(service: Service, host: str) -> None:
    assert statuses(send(service, request("/v1/scenes", headers={"Host": host}))) == [200]


def test_a_slow_body_is_not_waited_for_and_others_are_served_meanwhile(service: Service) -> None:
    host, port = service.url.removeprefix("http://").split(":")
    head = request("/v1/scenes/validate", "POST", {"Content-Type": "application/json", "Content-Length": "1000"})
    slow = [socket.create_connection((host, int(port)), timeout=30) for _ in range(60)]
    try:
        for connection in slow:
            connection.sendall(head + b"{")
        assert httpx2.get(f"{service.url}/health", timeout=30).status_code == 200
        answers = [connection.recv(12) for connection in slow]
    finally:
        for connection in slow:
            connection.close()
    assert set(answers) == {b"HTTP/1.1 408"}


def test_a_client_that_leaves_at_once_costs_nothing(service: Service) -> None:
    host, port = service.url.removeprefix("http://").split(":")
    document: Any = {
        "scene": {"schemaVersion": "0.1", "scene": {"id": "a", "units": "px", "canvas": {}}, "elements": []}
    }
    body = json.dumps(document).encode()
    for _ in range(10):
        with socket.create_connection((host, int(port)), timeout=30) as connection:
            connection.sendall(request("/v1/scenes/render", "POST", {"Content-Type": "application/json"}, body))
    assert httpx2.post(f"{service.url}/v1/scenes/render", json=document, timeout=30).status_code == 200


@pytest.mark.parametrize("trailer", [b"X-A: b\nX-C: d\r\n", b"X-A: b\r\n folded\r\n", b"X-A: b\rX-C: d\r\n"])
def test_trailers_whose_line_ends_others_read_otherwise_are_refused(service: Service, trailer: bytes) -> None:
    chunked = {"Transfer-Encoding": "chunked", "Content-Type": "application/json", "Connection": "keep-alive"}
    sent = request("/v1/scenes/validate", "POST", chunked) + b"2\r\n{}\r\n0\r\n" + trailer + b"\r\n"
    reply = send(service, sent + request("/health"))
    assert statuses(reply) == [400]


def test_clean_trailers_are_passed_over_and_the_next_request_is_answered(service: Service) -> None:
    chunked = {"Transfer-Encoding": "chunked", "Content-Type": "application/json", "Connection": "keep-alive"}
    sent = request("/v1/scenes/validate", "POST", chunked) + b"2\r\n{}\r\n0\r\nX-A: b\r\n\r\n"
    assert statuses(send(service, sent + request("/health"))) == [200, 200]
