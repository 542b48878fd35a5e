"""Event streams of shared scenes: whose role changed, and the end of a grant (R-PEOPLE-5). The server is a real one."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
import pytest
from local_servers.service import HEADERS, Service, running_services
from tests.http.test_events import call, listening, rename

from scenograph.service.accounts import Keys
from scenograph.storage.interface import Account
from scenograph.storage.sqlite import open_sqlite

NUMBERS = itertools.count()
OWNER = {"owner": "operator"}


class Shared(NamedTuple):
    """A server with a scene of the operator's, and the headers of bob and cy."""

    server: Service
    scene: str
    bob: dict[str, str]
    cy: dict[str, str]

    def grant(self, who: str, role: str) -> None:
        call(self.server, "PUT", f"/v1/scenes/{self.scene}/grants/{who}", {"role": role})

    def end(self, who: str) -> None:
        call(self.server, "DELETE", f"/v1/scenes/{self.scene}/grants/{who}")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Service, dict[str, dict[str, str]]]]:
    folder: Path = tmp_path_factory.mktemp("sharing")
    url = f"sqlite:///{folder / 'scenes.db'}"
    with running_services(1, folder, DATABASE_URL=url) as (service,):
        now, store = datetime.now(UTC), open_sqlite(url)
        headers: dict[str, dict[str, str]] = {}
        for name in ("bob", "cy"):
            store.add_account(Account(id=name, email=None, email_verified_at=now, role="member"), now)
            headers[name] = {"Authorization": f"Bearer {Keys(store, lambda: now).create(name, 'k').key}"}
        store.close()
        yield service, headers


@pytest.fixture
def shared(served: tuple[Service, dict[str, dict[str, str]]]) -> Shared:
    server, headers = served
    scene = f"shared-{next(NUMBERS)}"
    document: dict[str, Any] = {
        "schemaVersion": "0.1",
        "scene": {"id": scene, "units": "px", "canvas": {}},
        "elements": [{"id": "a", "kind": "node", "label": "a"}],
    }
    call(server, "POST", "/v1/scenes", document)
    return Shared(server, scene, headers["bob"], headers["cy"])


def test_a_grantee_hears_of_edits_and_of_the_own_role_until_the_grant_ends(shared: Shared) -> None:
    shared.grant("bob", "viewer")
    with listening(shared.server, shared.scene, shared.bob, OWNER) as bob:
        rename(shared.server, shared.scene, 1, "a")
        event = bob.next()
        assert event is not None
        assert (event["data"]["revision"], event["data"]["author"]["accountId"]) == (2, "operator")
        shared.grant("cy", "editor")  # nothing of bob's
        shared.grant("bob", "editor")
        event = bob.next()
        assert event is not None
        assert (event["event"], event["data"]) == ("grants", {"role": "editor"})
        shared.end("bob")
        event = bob.next()
        assert event is not None
        assert (event["event"], event["data"]) == ("closed", {"reason": "grant_withdrawn"})
        assert bob.next() is None
    reply = httpx2.get(
        f"{shared.server.url}/v1/scenes/{shared.scene}/events", params=OWNER, headers=shared.bob, timeout=30
    )
    assert (reply.status_code, reply.json()["code"]) == (404, "scene_not_found")


def test_the_owner_hears_of_every_grant(shared: Shared) -> None:
    with listening(shared.server, shared.scene, HEADERS) as owner:
        shared.grant("cy", "viewer")
        event = owner.next()
        assert event is not None
        assert (event["event"], event["data"]) == ("grants", {"role": "owner"})


def test_a_deletion_closes_the_streams_of_grantees(shared: Shared) -> None:
    shared.grant("bob", "viewer")
    with listening(shared.server, shared.scene, shared.bob, OWNER) as bob:
        call(shared.server, "DELETE", f"/v1/scenes/{shared.scene}")
        event = bob.next()
        assert event is not None
        assert event["data"] == {"reason": "deleted"}


def test_comments_are_told_to_everybody_who_listens(shared: Shared) -> None:
    shared.grant("bob", "commenter")
    address = f"/v1/scenes/{shared.scene}/comments"
    with (
        listening(shared.server, shared.scene, HEADERS) as owner,
        listening(shared.server, shared.scene, shared.bob, OWNER) as bob,
    ):
        made = call(shared.server, "POST", f"{address}?owner=operator", {"text": "Why?"}, shared.bob)["commentId"]
        for stream in (owner, bob):
            event = stream.next()
            assert event is not None
            assert (event["event"], event["data"]) == ("comments", {"changedCommentIds": [made]})
        call(shared.server, "DELETE", f"{address}/{made}")
        event = bob.next()
        assert event is not None
        assert event["data"] == {"changedCommentIds": [made]}
