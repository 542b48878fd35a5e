"""Event streams of all owners together: who makes room for whom."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from scenograph.http.event_streams import EventStreams
from scenograph.service.accounts import Caller
from scenograph.service.clock import utc_now
from scenograph.service.people import OWNER, SceneAccess
from scenograph.service.presence import MemoryRooms, Presence, Watching
from scenograph.service.rate_limits import TooManyRequestsError
from scenograph.storage.interface import Account, NewRevision, Store
from scenograph.storage.sqlite import open_sqlite

AT = datetime(2026, 5, 6, tzinfo=UTC)
OWNERS = ("ann", "bob", "cy")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_sqlite(f"sqlite:///{tmp_path}/scenes.db")
    for owner in OWNERS:
        opened.add_account(Account(id=owner, email=None, email_verified_at=AT, role="member"), AT)
        opened.create_scene(owner, "s", NewRevision(document="{}", title=None, diagram_family=None), AT)
    yield opened
    opened.close()


class Room:
    """Streams that run, in the order in which they were opened."""

    def __init__(self, store: Store, most: int, per_owner: int = 50) -> None:
        self.streams = EventStreams(Watching(store), per_owner, Presence(MemoryRooms(), utc_now))
        self.streams.hold_to(most)
        self.running: dict[str, asyncio.Task[None]] = {}
        self.said: dict[str, str] = {}

    async def listen(self, name: str) -> None:
        """Open a stream of the owner that the name begins with, as an ASGI server runs it."""
        caller = Caller(account_id=name.rstrip("0123456789"), email_verified=True, role="member")
        reply = await self.streams.open(SceneAccess(caller, caller.account_id, "s", OWNER), None, None)
        begun = asyncio.Event()

        async def send(message: Any) -> None:
            self.said[name] = self.said.get(name, "") + message.get("body", b"").decode()
            if message["type"] == "http.response.body":
                begun.set()

        async def receive() -> Any:
            await asyncio.Event().wait()

        scope = {"type": "http", "state": {}, "asgi": {"spec_version": "2.4"}}
        self.running[name] = asyncio.create_task(reply(scope, receive, send))
        await begun.wait()

    async def ended(self) -> list[str]:
        """The names of the streams that were ended to make room."""
        for _ in range(20):
            await asyncio.sleep(0)
        return [name for name, words in self.said.items() if 'data: {"reason":"crowded"}' in words]

    async def close(self) -> None:
        self.streams.end_all()
        await asyncio.gather(*self.running.values())


def test_the_idlest_stream_of_the_account_with_the_most_goes_first(store: Store) -> None:
    async def crowd() -> None:
        room = Room(store, most=5)
        for name in ("ann1", "ann2", "ann3", "bob1", "bob2"):
            await room.listen(name)
        first = next(one for one in room.streams._listeners if one.account == "ann")
        oldest = min((one for one in room.streams._listeners if one.account == "ann"), key=lambda one: one.told_at)
        assert first in room.streams._listeners
        oldest.told_at += 100  # it was told something just now
        await room.listen("cy1")
        assert await room.ended() == ["ann2"], "ann had the most, and this one was told nothing for longest"
        await room.listen("ann4")
        assert (await room.ended())[1:] != []
        assert not [name for name in await room.ended() if name.startswith(("bob", "cy"))], "her own made room for it"
        assert room.streams.count == 5
        await room.close()
        assert room.streams.count == 0

    asyncio.run(crowd())


def test_who_has_no_more_than_the_others_loses_none_to_another(store: Store) -> None:
    async def crowd() -> None:
        room = Room(store, most=2)
        await room.listen("ann1")
        await room.listen("bob1")
        with pytest.raises(TooManyRequestsError, match="At most 2 event streams may be open together"):
            await room.listen("cy1")
        assert await room.ended() == []
        await room.close()

    asyncio.run(crowd())


def test_an_account_that_opens_on_and_on_only_ends_its_own(store: Store) -> None:
    async def crowd() -> None:
        room = Room(store, most=4)
        await room.listen("bob1")
        for number in range(1, 12):
            await room.listen(f"ann{number}")
            await room.ended()
        assert not room.running["bob1"].done()
        assert room.streams.count == 4
        await room.close()

    asyncio.run(crowd())
