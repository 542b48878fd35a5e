"""Who is here: told to those who are, by their streams alone, and gone with them (R-PEOPLE-10)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2
import pytest
from local_servers.service import HEADERS, Service, running_services
from tests.http.test_events import Stream, call, listening
from tests.http.test_sharing_events import OWNER, Shared, served, shared

from scenograph.service.accounts import Caller
from scenograph.service.people import SceneAccess
from scenograph.service.presence import MOST_PEOPLE, MemoryRooms, Presence
from scenograph.service.presence import Tab as PresentTab

__all__ = ["served", "shared"]


def people(stream: Stream, *, until: int | None = None) -> list[Any]:
    """Who is here by the next event, or by the first one that tells so many."""
    while True:
        event = stream.next()
        assert event is not None
        if event.get("event") == "presence" and until in {None, len(event["data"]["people"])}:
            found: list[Any] = event["data"]["people"]
            return found


def tell(shared: Shared, headers: Any, query: Any = None, **body: Any) -> httpx2.Response:
    address = f"{shared.server.url}/v1/scenes/{shared.scene}/presence"
    return httpx2.post(address, params=query, json=body, headers=headers, timeout=30)


def test_who_comes_is_told_to_who_is_here_with_role_selection_and_pointer_until_they_leave(shared: Shared) -> None:
    shared.grant("bob", "viewer")
    with listening(shared.server, shared.scene, query={"presence": "one"}) as owner:
        (alone,) = people(owner)
        assert (alone["accountId"], alone["role"], alone["selection"], alone["at"]) == ("operator", "owner", [], None)
        with listening(shared.server, shared.scene, shared.bob, OWNER | {"presence": "two"}) as bob:
            assert [one["accountId"] for one in people(bob, until=2)] == ["operator", "bob"]
            assert people(owner, until=2)[1]["role"] == "viewer"
            reply = tell(shared, shared.bob, OWNER, tab="two", selection=["a"], at={"x": 4, "y": -2.5})
            assert reply.json() == {"sceneId": shared.scene, "shown": True}
            told = people(owner)[1]
            assert (told["selection"], told["at"]) == (["a"], {"x": 4.0, "y": -2.5})
            shared.grant("bob", "editor")
            assert people(owner)[1]["role"] == "editor"
        assert [one["accountId"] for one in people(owner)] == ["operator"]


def test_who_loses_the_grant_is_gone_and_can_say_nothing_more(shared: Shared) -> None:
    shared.grant("bob", "viewer")
    with (
        listening(shared.server, shared.scene, query={"presence": "one"}) as owner,
        listening(shared.server, shared.scene, shared.bob, OWNER | {"presence": "two"}) as bob,
    ):
        assert len(people(owner, until=2)) == len(people(bob, until=2)) == 2
        shared.end("bob")
        assert [one["accountId"] for one in people(owner)] == ["operator"]
        assert tell(shared, shared.bob, OWNER, tab="two").status_code == 404


def test_nobody_speaks_for_the_tab_of_another_or_is_here_without_a_stream(shared: Shared) -> None:
    shared.grant("bob", "viewer")
    with listening(shared.server, shared.scene, query={"presence": "one"}) as owner:
        people(owner)
        assert tell(shared, shared.bob, OWNER, tab="one", selection=["a"]).json()["shown"] is False
        assert tell(shared, HEADERS, tab="other", selection=["a"]).json()["shown"] is False
        assert tell(shared, HEADERS, tab="one", selection=["a"]).json()["shown"] is True
        assert people(owner)[0]["selection"] == ["a"]


def test_a_stream_that_does_not_ask_hears_of_nobody_and_is_not_shown(shared: Shared) -> None:
    with (
        listening(shared.server, shared.scene) as plain,
        listening(shared.server, shared.scene, query={"presence": "one"}) as present,
    ):
        assert len(people(present)) == 1
        shared.grant("cy", "viewer")
        event = plain.next()
        assert event is not None
        assert event["event"] == "grants"


@pytest.mark.parametrize(
    "body",
    [{}, {"tab": ""}, {"tab": "a b"}, {"tab": "a" * 41}, {"tab": "a", "selection": "a"}, {"tab": "a", "selection": [1]},
     {"tab": "a", "selection": ["a"] * 51}, {"tab": "a", "at": {"x": 1}}, {"tab": "a", "at": {"x": 1e9, "y": 0}},
     {"tab": "a", "more": 1}],
)  # fmt: skip
def test_a_word_that_cannot_be_is_refused(shared: Shared, body: Any) -> None:
    reply = tell(shared, HEADERS, **body)
    assert (reply.status_code, reply.json()["code"]) == (400, "invalid_request")


def test_a_stream_for_a_tab_without_a_possible_name_is_refused(shared: Shared) -> None:
    address = f"{shared.server.url}/v1/scenes/{shared.scene}/events"
    for name in ("", "a b", "a" * 41):
        assert httpx2.get(address, params={"presence": name}, headers=HEADERS, timeout=30).status_code == 400


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A server with room for hardly any request."""
    folder = tmp_path_factory.mktemp("strict")
    limits = {"RATE_LIMIT_RPM": "1", "RATE_LIMIT_BURST": "4"}
    with running_services(1, folder, DATABASE_URL=f"sqlite:///{folder / 'scenes.db'}", **limits) as (service,):
        yield service


def test_words_on_where_one_is_take_nothing_from_work_and_are_bounded_themselves(strict: Service) -> None:
    document = {"schemaVersion": "0.1", "scene": {"id": "s", "units": "px", "canvas": {}}, "elements": []}
    call(strict, "POST", "/v1/scenes", document)
    address = f"{strict.url}/v1/scenes/s/presence"
    with httpx2.Client(headers=HEADERS, timeout=30) as client:
        replies = [client.post(address, json={"tab": "a"})]
        while replies[-1].status_code == 200 and len(replies) < 1000:  # ten a second are given back meanwhile
            replies.append(client.post(address, json={"tab": "a"}))
    assert replies[0].headers["RateLimit-Policy"].startswith('"whereabouts";')
    assert replies[-1].status_code == 429
    assert len(replies) > 60
    assert httpx2.get(f"{strict.url}/v1/scenes/s", headers=HEADERS, timeout=30).status_code == 200


def test_the_tabs_of_one_account_crowd_nobody_else_out() -> None:
    now = datetime(2026, 1, 2, tzinfo=UTC)
    presence = Presence(MemoryRooms(), lambda: now)

    def tab(account: str, name: str) -> PresentTab:
        caller = Caller(account_id=account, email_verified=True, role="member")
        return PresentTab(SceneAccess(caller=caller, owner="ann", scene_id="orders", role="viewer"), name, "viewer")

    many = [tab("bob", f"t{number}") for number in range(MOST_PEOPLE)]
    presence.exchange(many)
    now += timedelta(seconds=1)
    (told,) = presence.exchange([*many, tab("ann", "one"), tab("cem", "two")]).values()
    assert len(told) == MOST_PEOPLE
    assert {one.account_id for one in told} == {"ann", "bob", "cem"}
