"""Listeners of scenes and their server-sent events (WHATWG HTML, section 9.2). A single query to the store every half
second serves all listeners of a server. A slow listener gets fewer events but no less news: missed changes are merged
into a single event."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any

import anyio.to_thread
import structlog
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from scenograph.http.answers import NOT_STORED, author_body
from scenograph.http.protocol import CONNECTION, BoundedProtocol
from scenograph.service.people import SceneAccess
from scenograph.service.presence import News, Person, Presence, Tab, Watch, Watching
from scenograph.service.rate_limits import Allowance, Count, TooManyRequestsError, Verdict
from scenograph.storage.interface import Author, Later, StorageUnavailable

MEDIA_TYPE = "text/event-stream"
_LOOK_SECONDS = 0.5
_EXCHANGE_SECONDS = 0.25  # of who is here: pointers move a few times a second
_HEARTBEAT_SECONDS = 15.0  # proxies close connections silent for half a minute or longer
RETRY_SECONDS = 10.0
_RECONNECT_MILLISECONDS = 1000
STOPPING, CROWDED = "stopping", "crowded"
_UNBUFFERED = {"X-Accel-Buffering": "no"}

_log = structlog.get_logger(__name__)


class Listener:
    """An open stream: its watch, and the changes not yet sent."""

    def __init__(self, watch: Watch, tab: str | None) -> None:
        self.watch = watch
        self._tab = tab
        self._people: tuple[Person, ...] | None = None
        self._untold_people = False
        self._untold: set[str] | None = None
        self._author: Author | None = None
        self._untold_grants = False
        self._untold_comments: set[str] = set()
        self._over: str | None = None
        self._something = asyncio.Event()
        self.told_at = time.monotonic()

    @property
    def account(self) -> str:
        """The account that listens."""
        return self.watch.scene.caller.account_id

    @property
    def tab(self) -> Tab | None:
        """The tab by which somebody is present; None for a stream that only listens, or is over."""
        return Tab(self.watch.scene, self._tab, self.watch.role) if self._tab and not self._over else None

    @property
    def is_over(self) -> bool:
        """Whether the stream is about to end."""
        return self._over is not None

    def hear(self, news: News) -> None:
        """Take up news, merged with changes not yet sent."""
        before = self.watch
        if news.state.revision != before.state.revision:
            self._untold = {*(self._untold or ()), *news.later.changed_ids}
            self._author = news.later.author
        # Who else a scene is shared with is for its owner to know.
        granted = before.scene.is_own and news.state.grants_version != before.state.grants_version
        self._untold_grants |= granted or news.role != before.role
        self._untold_comments.update(news.comments)
        self.watch = before._replace(state=news.state, role=news.role)
        self._over = news.over
        if self._over or self._untold is not None or self._untold_grants or self._untold_comments:
            self._something.set()

    def meet(self, people: tuple[Person, ...]) -> None:
        """Take up who is here."""
        if people != self._people:
            self._people = people
            self._untold_people = True
            self._something.set()

    def missed(self, later: Later) -> None:
        """Take up changes from the listener's absence."""
        self._untold = set(later.changed_ids)
        self._author = later.author
        self._something.set()

    def end(self, reason: str) -> None:
        """The stream ends with a word why."""
        self._over = reason
        self._something.set()

    async def lines(self) -> AsyncIterator[bytes]:
        """The stream: events with the revision as their id, comments as heartbeats, and a last event with the reason
        for the end."""
        yield f"retry: {_RECONNECT_MILLISECONDS}\n\n".encode()
        while True:
            try:
                async with asyncio.timeout(_HEARTBEAT_SECONDS):
                    await self._something.wait()
            except TimeoutError:
                yield b":\n\n"
                continue
            self._something.clear()
            if self._untold is not None:
                changed, self._untold = sorted(self._untold), None
                revision = self.watch.state.revision
                self.told_at = time.monotonic()
                told = {"revision": revision, "changedElementIds": changed, "author": author_body(self._author)}
                yield _event(told, f"id: {revision}\n")
            if self._untold_comments:
                commented, self._untold_comments = sorted(self._untold_comments), set()
                yield _event({"changedCommentIds": commented}, "event: comments\n")
            if self._untold_grants:
                self._untold_grants = False
                yield _event({"role": self.watch.role}, "event: grants\n")
            if self._untold_people and (tab := self.tab):
                self._untold_people = False
                people = [_person(person) for person in self._people or ()]
                yield _event({"you": tab.id, "people": people}, "event: presence\n")
            if self._over:
                yield _event({"reason": self._over}, "event: closed\n")
                return


class EventStreams:
    """The listeners of a server, at most `per_owner` of an owner, and in total at most the number set by `hold_to`.
    Lives on a single event loop. `presence` tells who is here."""

    def __init__(self, watching: Watching, per_owner: int, presence: Presence) -> None:
        self._watching = watching
        self._presence = presence
        self._exchanging: asyncio.Task[None] | None = None
        self._per_owner = per_owner
        self._most: int | None = None
        self._listeners: set[Listener] = set()
        self._by_owner: Counter[str] = Counter()
        self._looking: asyncio.Task[None] | None = None

    @property
    def count(self) -> int:
        """How many listen."""
        return len(self._listeners)

    def hold_to(self, most: int) -> None:
        """Bound the streams of all owners together; a further stream replaces another."""
        self._most = most

    async def open(self, scene: SceneAccess, known_revision: int | None, tab: str | None) -> StreamingResponse:
        """The reply that tells of a scene's revisions after `known_revision` (None: from now on), and by `tab` of who
        is here; nobody is by a service without keys. scene_not_found; rate_limited beyond the listening account's
        share."""
        owner = scene.caller.account_id
        if self._by_owner[owner] >= self._per_owner:
            raise _too_many(f"At most {self._per_owner} event streams of one owner may be open", self._per_owner)
        if self._most is not None and self._by_owner.total() - self._leaving() >= self._most:
            self._make_room(owner)
        self._by_owner[owner] += 1
        try:
            listener = Listener(
                await anyio.to_thread.run_sync(self._watching.begin, scene), tab if scene.caller.key_id else None
            )
            if known_revision is not None and known_revision < listener.watch.state.revision:
                missed = self._watching.changed_since
                place = scene.owner, scene.scene_id
                listener.missed(await anyio.to_thread.run_sync(missed, *place, known_revision))
        except BaseException:
            self._leave(owner)
            raise
        return _Stream(self, listener)

    def joined(self, listener: Listener) -> None:
        """The listener's stream runs."""
        self._listeners.add(listener)
        if self._looking is None:
            self._looking = asyncio.create_task(self._look_on())
        if listener.tab and self._exchanging is None:
            self._exchanging = asyncio.create_task(self._exchange_on())

    def left(self, listener: Listener) -> None:
        """The listener's stream is over."""
        self._listeners.discard(listener)
        self._leave(listener.account)

    def end_all(self) -> None:
        """Say goodbye to everybody, for the server stops."""
        for listener in self._listeners:
            listener.end(STOPPING)

    def _leaving(self) -> int:
        return sum(listener.is_over for listener in self._listeners)

    def _make_room(self, owner: str) -> None:
        """End the least recently told stream of the account with the most streams, counting the new stream. An account
        with no more streams than the rest loses none to another account."""
        open_ones: dict[str, list[Listener]] = {owner: []}
        for listener in self._listeners:
            if not listener.is_over:
                open_ones.setdefault(listener.account, []).append(listener)
        most = max(open_ones, key=lambda one: (len(open_ones[one]) + (one == owner), one == owner))
        if not open_ones[most]:
            raise _too_many(f"At most {self._most} event streams may be open together", self._most or 0)
        min(open_ones[most], key=lambda listener: listener.told_at).end(CROWDED)

    def _leave(self, owner: str) -> None:
        self._by_owner[owner] -= 1
        if not self._by_owner[owner]:
            del self._by_owner[owner]

    async def _look_on(self) -> None:
        """Ask while anybody listens."""
        try:
            while self._listeners:
                await asyncio.sleep(_LOOK_SECONDS)
                await self._look()
        finally:
            self._looking = None

    async def _exchange_on(self) -> None:
        """Exchange while anybody is present, and once more for the last one to leave."""
        try:
            while tabs := self._tabs():
                await self._exchange(tabs)
                await asyncio.sleep(_EXCHANGE_SECONDS)
            await self._exchange({})
        finally:
            self._exchanging = None
        if self._tabs():  # somebody came while the last one was told to have left
            self._exchanging = asyncio.create_task(self._exchange_on())

    def _tabs(self) -> dict[Listener, Tab]:
        return {listener: tab for listener in self._listeners if (tab := listener.tab)}

    async def _exchange(self, tabs: dict[Listener, Tab]) -> None:
        if self._presence.is_remote:
            rooms = await anyio.to_thread.run_sync(self._presence.exchange, list(tabs.values()))
        else:
            rooms = self._presence.exchange(tabs.values())
        for listener, tab in tabs.items():
            listener.meet(rooms[tab.room])

    async def _look(self) -> None:
        watches = {listener.watch for listener in self._listeners}
        try:
            news = await anyio.to_thread.run_sync(self._watching.look, watches)
        except StorageUnavailable as fault:
            _log.warning("watching_failed", fault=str(fault))
            return  # the next look tells all news of this look too
        for listener in self._listeners:
            if listener.watch in news:
                listener.hear(news[listener.watch])


class _Stream(StreamingResponse):
    """The open reply, counted from the first byte to the end."""

    def __init__(self, streams: EventStreams, listener: Listener) -> None:
        super().__init__(listener.lines(), headers=NOT_STORED | _UNBUFFERED, media_type=MEDIA_TYPE)
        self._streams = streams
        self._listener = listener

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        connection: BoundedProtocol | None = scope.get("state", {}).get(CONNECTION)
        if connection is not None:
            connection.leave_network()  # the owner's share bounds it
        self._streams.joined(self._listener)
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._streams.left(self._listener)


def _person(person: Person) -> dict[str, Any]:
    at = person.where.at
    return {
        "id": person.id,
        "accountId": person.account_id,
        "name": person.name,
        "role": person.role,
        "selection": list(person.where.selection),
        "at": None if at is None else {"x": at[0], "y": at[1]},
    }


def _event(data: Any, field: str) -> bytes:
    return f"{field}data: {json.dumps(data, ensure_ascii=False, separators=(',', ':'))}\n\n".encode()


def _too_many(limit: str, most: int) -> TooManyRequestsError:
    policy = Allowance(name="streams", per_minute=max(most, 1), burst=max(most, 1))
    count = Count(allowed=False, remaining=0, reset_seconds=RETRY_SECONDS, retry_seconds=RETRY_SECONDS)
    return TooManyRequestsError(f"{limit} on a server; close one.", Verdict(policy, count))
