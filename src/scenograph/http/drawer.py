"""Pictures for requests: from the cache, else by a turn with the engine (R-CACHE-3).

A cached picture takes no turn and no engine seconds, and is answered even when the queue is full. Simultaneous requests
for an uncached picture share a drawing: the first draws, the rest wait without a turn and without a thread. An owner
waits only for an owner's drawing, because a drawing for a caller without a key may come much later.
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
from scenograph.http.engine_turns import RecentPictures, begun_again, engine_time, engine_turn, share_of
from scenograph.http.guards import Serving, raw_body
from scenograph.service.documents import RequestedDrawing
from scenograph.wiring import Services

T = TypeVar("T")


class Flights:
    """Drawings in progress in this process, by name, and the number of `ended` drawings."""

    def __init__(self) -> None:
        self._under_way: dict[str, asyncio.Event] = {}
        self.ended = 0

    @asynccontextmanager
    async def alone(self, name: str | None) -> AsyncGenerator[bool]:
        """Whether the caller is the first with this name, and draws; else another has just ended, well or not."""
        other = self._under_way.get(name) if name else None
        if other is not None:
            await other.wait()
            yield False
            return
        landed = asyncio.Event()
        if name:
            self._under_way[name] = landed
        try:
            yield True
        finally:
            if name:
                del self._under_way[name]
            self.ended += 1
            landed.set()


class PictureDrawer:
    """Answers a request with a picture. `size` is the request's size in bytes."""

    def __init__(self, request: Request, services: Services, size: int) -> None:
        self._request = request
        self._services = services
        self._size = size
        self._flights: Flights = request.app.state.flights
        self._recent: RecentPictures = request.app.state.recent_pictures

    async def reply(self, begin: Callable[[], RequestedDrawing[T]], answer: Callable[[T], Response]) -> Response:
        """The reply of `answer` to the drawing of `begin`; both run in a thread. 304 when the caller has the picture
        already. Raises rate_limited and overloaded for an uncached picture."""
        ended = self._flights.ended
        reply = None
        try:
            async with engine_time(self._request, self._services):
                drawing, reply = await begun_again(lambda: run_sync(self._looked_for, lambda: begin().then(answer)))
        finally:
            # Later requests queue for it from now on. The address of a POST stands for many pictures.
            if reply is None and self._request.method == "GET":
                self._recent.forget(self._request)
        if reply is None:
            async with self._flights.alone(self._flight_of(drawing)) as first:
                if first:
                    reply = await self._found(drawing, look=self._flights.ended > ended)
            reply = reply or await self._found(drawing, look=True)
        self._recent.note(self._request)
        return reply

    def _looked_for(
        self, begin: Callable[[], RequestedDrawing[Response]]
    ) -> tuple[RequestedDrawing[Response], Response | None]:
        """Begin and look in the cache in a single thread call, since most requested pictures are cached."""
        drawing = begin()
        tag = tag_of(drawing.key)
        if drawing.tagged and has_tag(self._request, tag):
            return drawing, Response(status_code=304, headers=PUBLISHED_PICTURE | tag | BY_ENCODING)
        return drawing, drawing.kept()

    def _flight_of(self, drawing: RequestedDrawing[Response]) -> str | None:
        """The name of a drawing to share; None if the result would not be cached."""
        if drawing.key is None or not self._services.kept_pictures.keeps:
            return None
        return f"{share_of(self._request, self._services).is_owner} {drawing.key}"

    async def _found(self, drawing: RequestedDrawing[Response], *, look: bool) -> Response:
        """Draw the picture, after a second look in the cache when a drawing ended meanwhile."""
        if look and (kept := await run_sync(drawing.kept_after_a_wait)) is not None:
            return kept
        async with engine_turn(self._request, self._services, self._size):
            return await run_sync(drawing.drawn)


def as_it_is(reply: Response) -> Response:
    """The identity, for values that are replies already."""
    return reply


async def drawer_of(request: Request, services: Serving, raw: Annotated[bytes, Depends(raw_body)]) -> PictureDrawer:
    """Runs on the event loop: construction blocks nothing, and a thread would cost more."""
    return PictureDrawer(request, services, len(raw))


Drawer = Annotated[PictureDrawer, Depends(drawer_of)]
