"""How a request comes by its picture: from those that are kept, else by a turn with the engine (R-CACHE-3).

A kept picture takes no turn and no engine seconds, so it is answered also when there is room for none. Requests for one
picture that is not kept are one drawing: the first draws, the others wait without a turn and without a thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Annotated, TypeVar

from anyio.to_thread import run_sync
from fastapi import Depends, Request
from starlette.responses import Response

from scenograph.http.answers import BY_ENCODING, PUBLISHED_PICTURE, has_tag, tag_of
from scenograph.http.engine_turns import RecentPictures, engine_turn
from scenograph.http.guards import Serving, raw_body
from scenograph.service.drawings import Drawing

T = TypeVar("T")


class Flights:
    """Which drawings are under way in this process, by their keys."""

    def __init__(self) -> None:
        self._under_way: dict[str, asyncio.Event] = {}

    @asynccontextmanager
    async def alone(self, key: str | None) -> AsyncGenerator[bool]:
        """Whether the caller is the first with this key, and draws; else another has just ended, well or not."""
        other = self._under_way.get(key) if key else None
        if other is not None:
            await other.wait()
            yield False
            return
        landed = asyncio.Event()
        if key:
            self._under_way[key] = landed
        try:
            yield True
        finally:
            if key:
                del self._under_way[key]
            landed.set()


class PictureDrawer:
    """Answers the request at hand with a picture."""

    def __init__(self, request: Request, services: Serving, raw: Annotated[bytes, Depends(raw_body)]) -> None:
        self._request = request
        self._services = services
        self._size = len(raw)
        self._flights: Flights = request.app.state.flights
        self._recent: RecentPictures = request.app.state.recent_pictures

    async def reply(self, begin: Callable[[], Drawing[T]], answer: Callable[[T], Response]) -> Response:
        """The reply that `answer` makes of what `begin` asks for; both run in a thread. 304 for a read of a picture
        that the caller has; rate_limited and overloaded where it must be drawn and cannot be."""
        drawing = await run_sync(lambda: begin().then(answer))
        tag = tag_of(drawing.key)
        if drawing.tagged and has_tag(self._request, tag):
            return Response(status_code=304, headers=PUBLISHED_PICTURE | tag | BY_ENCODING)
        async with self._flights.alone(drawing.key) as first:
            reply = await self._found(drawing) if first else None
        reply = reply or await self._found(drawing)
        self._recent.note(self._request)
        return reply

    async def _found(self, drawing: Drawing[Response]) -> Response:
        if (kept := await run_sync(drawing.kept)) is not None:
            return kept
        async with engine_turn(self._request, self._services, self._size):
            return await run_sync(drawing.drawn)


def as_it_is(reply: Response) -> Response:
    """For what is a reply already."""
    return reply


Drawer = Annotated[PictureDrawer, Depends()]
