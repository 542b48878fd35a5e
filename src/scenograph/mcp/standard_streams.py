"""What stands between standard input and output and the protocol server: a line that is no message gets an answer, and
the end of the input ends no call that runs.

In: the streams of the SDK's transport. Out: streams of the same kind for the server. The SDK passes a line that it
cannot read on as an exception and never answers it, so that a host would wait for ever; and it drops running calls at
the end of the input, so that `scenograph mcp < messages` would answer nothing that takes time.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, cast

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError, JSONRPCRequest, JSONRPCResponse
from pydantic import ValidationError

DRAIN_SECONDS = 10.0  # as long as one render may take
MOST_DIGITS, MOST_ID = 18, 200
OUTERMOST = 2  # the form that was tried, and the member
CANCELLED = "notifications/cancelled"
NOT_JSON = "This line cannot be read as JSON. Send one message a line: valid UTF-8, no deep nesting, no huge numbers."
NOT_A_MESSAGE = (
    "This line is not a JSON-RPC 2.0 message. Send one object a line: jsonrpc, method and, in a request, id."
)

Incoming = SessionMessage | Exception
Id = int | str


class Pending:
    """The requests that wait for their answers."""

    def __init__(self) -> None:
        self._ids = set[Id]()
        self._none = anyio.Event()

    def begun(self, message: Any) -> None:
        """A message came in."""
        if isinstance(message, JSONRPCRequest):
            self._ids.add(message.id)
        elif getattr(message, "method", "") == CANCELLED:  # nobody waits for that answer any more
            params = cast("dict[str, Any]", getattr(message, "params", None) or {})
            self._over(params.get("requestId"))

    def answered(self, message: Any) -> None:
        """A message goes out."""
        if isinstance(message, JSONRPCResponse | JSONRPCError):
            self._over(message.id)

    async def drained(self) -> None:
        """Return when nothing waits, after DRAIN_SECONDS at the latest."""
        with anyio.move_on_after(DRAIN_SECONDS):
            while self._ids:
                self._none = anyio.Event()
                await self._none.wait()

    def _over(self, request_id: Any) -> None:
        if isinstance(request_id, int | str):
            self._ids.discard(request_id)
        if not self._ids:
            self._none.set()


@asynccontextmanager
async def standard_streams() -> AsyncGenerator[
    tuple[MemoryObjectReceiveStream[Incoming], MemoryObjectSendStream[SessionMessage]]
]:
    """The streams for a server over standard input and output."""
    async with stdio_server() as (given, taken), anyio.create_task_group() as tasks:
        to_server, incoming = anyio.create_memory_object_stream[Incoming]()
        outgoing, from_server = anyio.create_memory_object_stream[SessionMessage]()
        pending = Pending()

        async def read() -> None:
            async with to_server:
                async for item in given:
                    if isinstance(item, Exception):
                        await outgoing.send(SessionMessage(answer_to(item)))
                        continue
                    pending.begun(item.message)
                    await to_server.send(item)
                await pending.drained()

        async def write() -> None:
            async with taken, from_server:
                async for item in from_server:
                    await taken.send(item)
                    pending.answered(item.message)

        tasks.start_soon(read)
        tasks.start_soon(write)
        yield incoming, outgoing
        await outgoing.aclose()


def answer_to(fault: Exception) -> JSONRPCError:
    """The answer to a line that was no message, with the id of its request where one can be made out."""
    is_refused = isinstance(fault, ValidationError)
    rows: list[Any] = list(fault.errors(include_url=False, include_context=False)) if is_refused else []
    unreadable = not rows or rows[0]["type"] == "json_invalid"
    found = _leniently(rows[0]["input"]) if rows and unreadable else _whole(rows)
    error = ErrorData(
        code=PARSE_ERROR if unreadable else INVALID_REQUEST, message=NOT_JSON if unreadable else NOT_A_MESSAGE
    )
    return JSONRPCError(jsonrpc="2.0", id=_id_of(found), error=error)


def _whole(rows: list[Any]) -> Any:
    """The message that was refused: a member that it lacks is reported with the whole of it."""
    return next((row["input"] for row in rows if row["type"] == "missing" and len(row["loc"]) == OUTERMOST), None)


def _leniently(line: Any) -> Any:
    """The JSON of a line that the strict reader refuses; None when it is none at all."""
    try:
        return json.loads(line, parse_int=lambda digits: int(digits) if len(digits) <= MOST_DIGITS else None)
    except (ValueError, TypeError, RecursionError):
        return None


def _id_of(found: Any) -> Id | None:
    given = cast("dict[str, Any]", found).get("id") if isinstance(found, dict) else None
    if isinstance(given, str):
        return given if len(given) <= MOST_ID and given.encode("utf-8", "replace").decode() == given else None
    return given if isinstance(given, int) and not isinstance(given, bool) else None
