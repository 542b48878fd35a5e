"""Requests that are still running when the server has to stop: they get an answer like any other."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import structlog
from starlette.types import Message, Receive, Scope, Send

from scenograph.http.layers import Identified

SCOPE: dict[str, Any] = {
    "type": "http", "method": "POST", "path": "/v1/scenes", "raw_path": b"/v1/scenes", "query_string": b"",
    "headers": [],
}  # fmt: skip


async def cut_off(app: Any, *received: Message) -> list[Message]:
    """What is sent when the server cancels `app` once it waits."""
    arrived, sent = list(received), list[Message]()
    waits = asyncio.Event()

    async def receive() -> Message:
        if arrived:
            return arrived.pop(0)
        waits.set()
        return await asyncio.get_running_loop().create_future()

    async def send(message: Message) -> None:
        sent.append(message)

    running = asyncio.create_task(Identified(app)({**SCOPE, "waits": waits}, receive, send))
    await waits.wait()
    running.cancel()
    await running
    return sent


async def works_for_ever(scope: Scope, receive: Receive, _send: Send) -> None:
    assert not (await receive())["more_body"]
    scope["waits"].set()
    await asyncio.get_running_loop().create_future()


async def reads_for_ever(_scope: Scope, receive: Receive, _send: Send) -> None:
    while (await receive())["more_body"]:
        pass


async def sends_half(scope: Scope, _receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    scope["waits"].set()
    await asyncio.get_running_loop().create_future()


def reply_of(sent: list[Message]) -> tuple[int, dict[str, str], dict[str, Any]]:
    start, body = sent
    headers = {name.decode(): value.decode() for name, value in start["headers"]}
    return start["status"], headers, json.loads(body["body"])


def test_a_request_that_is_not_done_when_the_server_stops_is_asked_to_come_again() -> None:
    with structlog.testing.capture_logs() as lines:
        status, headers, body = reply_of(
            asyncio.run(cut_off(works_for_ever, {"type": "http.request", "body": b"{}", "more_body": False}))
        )
    assert (status, body["code"]) == (503, "overloaded")
    assert headers["retry-after"] == "1"
    assert headers["connection"] == "close"
    assert headers["x-request-id"] == body["requestId"]
    assert "error" not in {line["log_level"] for line in lines}


def test_a_body_that_is_not_here_when_the_server_stops_came_too_late() -> None:
    part = {"type": "http.request", "body": b"{", "more_body": True}
    status, headers, body = reply_of(asyncio.run(cut_off(reads_for_ever, part)))
    assert (status, body["code"]) == (408, "request_timeout")
    assert headers["connection"] == "close"


def test_nothing_is_said_into_the_middle_of_a_reply() -> None:
    assert [message["type"] for message in asyncio.run(cut_off(sends_half))] == ["http.response.start"]
