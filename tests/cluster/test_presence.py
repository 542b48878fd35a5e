"""People on two servers of one Redis see each other; without Redis each server tells of its own (R-PEOPLE-10)."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime

import pytest
from chaos.scenes import document
from redis import Redis
from tests.cluster.conftest import Cluster
from tests.http.test_events import listening
from tests.http.test_presence import people

from scenograph.service.accounts import Caller
from scenograph.service.people import SceneAccess
from scenograph.service.presence import LIFE_SECONDS, MemoryRooms, Presence, Tab, Where, room_of
from scenograph.service.redis import ROOMS_NAMESPACE, RedisRooms

SECRET = b"s" * 32


def test_who_is_on_one_server_is_seen_on_the_other_and_gone_when_they_leave(cluster: Cluster, scene_id: str) -> None:
    assert cluster.one.call("POST", "/v1/scenes", document(scene_id))[0] == 201
    first, second = cluster.servers
    with listening(first, scene_id, query={"presence": "one"}) as one:
        with listening(second, scene_id, query={"presence": "two"}) as two:
            assert len(people(one, until=2)) == len(people(two, until=2)) == 2
            status, said = cluster.one.call(
                "POST", f"/v1/scenes/{scene_id}/presence", {"tab": "two", "selection": ["a"]}
            )
            assert (status, said["shown"]) == (200, True), "by the server that does not hold the stream"
            assert [one["selection"] for one in people(two)] == [[], ["a"]]
        assert len(people(one, until=1)) == 1


@pytest.fixture
def access() -> SceneAccess:
    caller = Caller(account_id="ann", email_verified=True, role="member", key_id="key_1", email="ann@example.org")
    return SceneAccess(caller, "ann", f"scene-{time.monotonic_ns()}", "owner")


def now() -> datetime:
    return datetime.now(UTC)


def test_what_others_wrote_into_redis_is_nobody(redis_url: str, access: SceneAccess) -> None:
    rooms = RedisRooms(redis_url, SECRET)
    presence = Presence(rooms, now)
    room = room_of(access)
    redis: Redis = Redis.from_url(redis_url)
    key = f"{ROOMS_NAMESPACE}:{room}"
    forged = json.dumps({"accountId": "eve", "name": "eve", "role": "owner", "since": 0, "renewed": 9e9}).encode()
    redis.hset(key, mapping={"p:0": forged, "p:1": b"x" * 40 + forged, "w:0": b"\0", "q": b""})
    (only,) = presence.exchange([Tab(access, "one", "owner")])[room]
    assert (only.account_id, only.name) == ("ann", "ann@example.org")
    redis.delete(key)
    redis.set(key, b"another type")
    assert len(presence.exchange([Tab(access, "one", "owner")])[room]) == 1, "as without Redis"
    redis.close()
    presence.close()


def test_without_redis_a_server_tells_of_its_own_people(access: SceneAccess) -> None:
    presence = Presence(RedisRooms("redis://127.0.0.1:1", SECRET), now)
    tab = Tab(access, "one", "owner")
    assert len(presence.exchange([tab])[tab.room]) == 1
    assert presence.place(access, "one", Where(("a",), (1.0, 2.0)))
    assert presence.exchange([tab])[tab.room][0].where == Where(("a",), (1.0, 2.0))
    presence.close()


def test_people_of_a_server_that_ended_without_a_word_are_gone_after_a_while(access: SceneAccess) -> None:
    rooms, times = MemoryRooms(), [1_000.0]
    clock = lambda: datetime.fromtimestamp(times[0], UTC)  # noqa: E731
    killed, other = Presence(rooms, clock), Presence(rooms, clock)
    tab, own = Tab(access, "one", "owner"), Tab(access, "two", "owner")
    killed.exchange([tab])
    assert len(other.exchange([own])[own.room]) == 2
    times[0] += LIFE_SECONDS
    assert [person.id for person in other.exchange([own])[own.room]] == [own.id]
