"""What every backend promises of grants (storage/interface.py)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import insert, text
from sqlalchemy.dialects import postgresql, sqlite

from scenograph.storage.interface import (
    AccountDeletion,
    Conflict,
    Grant,
    Grantee,
    NewRevision,
    RoleLacking,
    Store,
    TooMany,
)
from scenograph.storage.schema import accounts, grants, scenes
from scenograph.storage.sql import listed

AT = datetime(2026, 5, 6, tzinfo=UTC)
DAY = timedelta(days=1)
BOB = Grantee(account_id="bob", email="bob@example.org")
ROUNDS = 8
MANY = 10_000


def revision(by: Grantee | None = None) -> NewRevision:
    return NewRevision(document="{}", title="Orders", diagram_family=None, by=by)


def grant(name: str, role: str = "viewer", at: datetime = AT) -> Grant:
    return Grant(grantee=name, role=role, granted_at=at)


@pytest.fixture
def scene(store: Store) -> str:
    """A scene of ann's."""
    store.create_scene("ann", "orders", revision(), AT)
    return "orders"


class TestRoles:
    def test_nobody_has_a_role_without_a_grant(self, store: Store, scene: str) -> None:
        assert store.role_on("ann", scene, BOB) is None
        assert store.role_on("ann", "none", BOB) is None

    @pytest.mark.parametrize("name", BOB.names)
    def test_a_grant_reaches_an_account_by_its_id_and_by_its_verified_address(
        self, store: Store, scene: str, name: str
    ) -> None:
        store.grant("ann", scene, grant(name, "commenter"), 9)
        assert store.role_on("ann", scene, BOB) == "commenter"
        assert store.role_on("ann", scene, Grantee(account_id="cy")) is None

    def test_of_two_grants_the_stronger_counts(self, store: Store, scene: str) -> None:
        store.grant("ann", scene, grant("bob", "viewer"), 9)
        store.grant("ann", scene, grant("bob@example.org", "editor"), 9)
        assert store.role_on("ann", scene, BOB) == "editor"
        assert store.end_grants("ann", scene, ["bob@example.org"]) is True
        assert store.role_on("ann", scene, BOB) == "viewer"

    def test_a_further_grant_replaces_the_role_and_keeps_the_time(self, store: Store, scene: str) -> None:
        store.grant("ann", scene, grant("bob", "editor"), 9)
        again = store.grant("ann", scene, grant("bob", "viewer", AT + DAY), 9)
        assert again == grant("bob", "viewer")
        assert store.grants("ann", scene) == (again,)

    def test_beyond_the_most_of_a_scene_none_is_written_but_a_role_still_changes(
        self, store: Store, scene: str
    ) -> None:
        for name in ("x", "y"):
            store.grant("ann", scene, grant(name), 2)
        assert store.grant("ann", scene, grant("z"), 2) == TooMany(used=2)
        assert store.grant("ann", scene, grant("x", "editor"), 2) == grant("x", "editor")

    def test_grants_are_those_of_the_owners_scene_alone(self, store: Store, scene: str) -> None:
        store.create_scene("bob", scene, revision(), AT)
        store.grant("ann", scene, grant("cy"), 9)
        assert store.grants("bob", scene) == ()
        assert store.end_grants("bob", scene, ["cy"]) is False
        assert store.grants("cy", scene) is None
        assert store.grant("cy", scene, grant("cy"), 9) is None
        assert store.end_grants("cy", scene, ["cy"]) is None

    def test_they_wait_out_a_deletion_and_end_with_the_purge(self, store: Store, scene: str) -> None:
        store.grant("ann", scene, grant("bob", "editor"), 9)
        store.delete_scene("ann", scene, None, AT)
        assert store.role_on("ann", scene, BOB) is None
        assert store.append_revision("ann", scene, 1, revision(BOB), AT) is None
        store.undelete_scene("ann", scene, AT - DAY)
        assert store.role_on("ann", scene, BOB) == "editor"
        store.delete_scene("ann", scene, None, AT)
        store.purge(AT, 10)
        store.create_scene("ann", scene, revision(), AT)
        assert store.role_on("ann", scene, BOB) is None

    def test_a_scene_that_takes_the_id_of_an_expired_one_takes_no_grants(self, store: Store, scene: str) -> None:
        store.grant("ann", scene, grant("bob", "editor"), 9)
        store.delete_scene("ann", scene, None, AT)
        store.create_scene("ann", scene, revision(), AT, AT)
        assert store.role_on("ann", scene, BOB) is None
        assert store.list_scenes("bob", 5) == ()

    def test_they_go_with_the_granted_account(self, store: Store, scene: str) -> None:
        store.grant("ann", scene, grant("bob", "editor"), 9)
        assert store.delete_account("bob", 10) is AccountDeletion.GONE
        assert store.grants("ann", scene) == ()


class TestEdits:
    @pytest.mark.parametrize(
        ("role", "answer"),
        [
            (None, None),
            ("viewer", RoleLacking(role="viewer")),
            ("commenter", RoleLacking(role="commenter")),
            ("editor", 2),
        ],
    )
    def test_only_an_editor_appends(self, store: Store, scene: str, *, role: str | None, answer: object) -> None:
        if role is not None:
            store.grant("ann", scene, grant("bob", role), 9)
        assert store.append_revision("ann", scene, 1, revision(BOB), AT) == answer

    def test_a_stale_base_of_an_editor_is_a_conflict_and_of_a_stranger_nothing(self, store: Store, scene: str) -> None:
        store.append_revision("ann", scene, 1, revision(), AT)
        assert store.append_revision("ann", scene, 1, revision(BOB), AT) is None
        store.grant("ann", scene, grant("bob", "editor"), 9)
        assert isinstance(store.append_revision("ann", scene, 1, revision(BOB), AT), Conflict)

    @pytest.mark.timeout(240)
    def test_once_the_end_of_a_grant_is_answered_no_edit_under_it_is_written(self, store: Store, scene: str) -> None:
        """Editors write as fast as they can, while the grant comes and goes."""
        ended_at: list[int] = []
        over = threading.Event()

        def write() -> list[tuple[int, int]]:
            """Written revisions with the number of ends that were answered before each began."""
            written: list[tuple[int, int]] = []
            while not over.is_set():
                base, known = store.current_revision("ann", scene) or 0, len(ended_at)
                done = store.append_revision("ann", scene, base, revision(BOB), AT)
                if isinstance(done, int):
                    written.append((done, known))
            return written

        with ThreadPoolExecutor(3) as pool:
            writers = [pool.submit(write) for _ in range(3)]
            for _ in range(ROUNDS):
                store.grant("ann", scene, grant("bob", "editor"), 9)
                while (store.current_revision("ann", scene) or 0) < (ended_at[-1] if ended_at else 1) + 1:
                    pass
                store.end_grants("ann", scene, ["bob"])
                last = store.current_revision("ann", scene) or 0
                ended_at.append(last)
                assert store.append_revision("ann", scene, last, revision(BOB), AT) is None
                assert store.current_revision("ann", scene) == last
            over.set()
            written = [row for one in writers for row in one.result()]
        assert sorted(number for number, _ in written) == list(range(2, ended_at[-1] + 1))


class TestListing:
    def test_shared_scenes_stand_among_the_own_by_their_last_change(self, store: Store) -> None:
        for owner, name, days in (("ann", "new", 3), ("bob", "own", 2), ("ann", "old", 1), ("ann", "unshared", 4)):
            store.create_scene(owner, name, revision(), AT + days * DAY)
        store.grant("ann", "new", grant("bob", "viewer"), 9)
        store.grant("ann", "old", grant("bob@example.org", "editor"), 9)
        listed_ones = store.list_scenes("bob", 9, email=BOB.email)
        assert [(one.scene_id, one.owner, one.role) for one in listed_ones] == [
            ("new", "ann", "viewer"),
            ("own", "bob", None),
            ("old", "ann", "editor"),
        ]
        assert [one.scene_id for one in store.list_scenes("bob", 9)] == ["new", "own"]
        assert [one.scene_id for one in store.list_scenes("bob", 9, words="OLD", email=BOB.email)] == ["old"]

    def test_a_deleted_one_is_not_among_them(self, store: Store, scene: str) -> None:
        store.grant("ann", scene, grant("bob"), 9)
        store.delete_scene("ann", scene, None, AT)
        assert store.list_scenes("bob", 9) == ()

    def test_listeners_hear_of_grants_by_their_count_and_of_their_own_role(self, store: Store, scene: str) -> None:
        place, strangers = ("ann", scene), Grantee(account_id="cy")
        before = store.watched_scenes([place], [], [(*place, BOB)])
        assert before.roles == {}
        store.grant("ann", scene, grant("bob@example.org", "viewer"), 9)
        store.grant("ann", scene, grant("bob", "editor"), 9)
        after = store.watched_scenes([place], [], [(*place, BOB), (*place, strangers), ("cy", scene, BOB)])
        assert after.roles == {("ann", scene, "bob"): "editor"}
        assert after.scenes[place].grants_version == before.scenes[place].grants_version + 2


def plans(store: Store) -> Callable[[str], Sequence[str]]:
    """The lines of a statement's plan."""
    any_store: Any = store
    is_sqlite = any_store._reading.dialect.name == "sqlite"
    explain = "EXPLAIN QUERY PLAN" if is_sqlite else "EXPLAIN"

    def plan(statement: str) -> Sequence[str]:
        with any_store._reading.connect() as connection:
            if not is_sqlite:  # a table of this size may be cheaper to scan; here is asked whether it need not be
                connection.execute(text("SET enable_seqscan = off"))
            rows = connection.execute(text(f"{explain} {statement}")).all()
            if not is_sqlite:
                connection.execute(text("RESET enable_seqscan"))
        return [str(row[-1]) for row in rows]

    return plan


@pytest.mark.timeout(240)
def test_ten_thousand_scenes_are_listed_without_a_scan(store: Store) -> None:
    any_store: Any = store
    rows = [
        {"id": number, "owner_id": "ann" if number % 2 else "bob", "scene_id": f"s{number}", "revision": 1}
        | {"title": "T", "privacy": "private", "created_at": AT, "updated_at": AT + timedelta(seconds=number)}
        for number in range(1, MANY + 1)
    ]
    others = [
        {"id": f"x{number}", "role": "member", "created_at": AT, "email": None, "email_verified_at": None}
        for number in range(500)
    ]
    named = [(number, "bob") for number in range(1, MANY, 200)] + [(n, f"x{n % 500}") for n in range(1, MANY + 1)]
    shares = [{"scene": number, "grantee": name, "role": "viewer", "granted_at": AT} for number, name in named]
    with any_store._writing.begin() as connection:
        connection.execute(insert(accounts), others)
        connection.execute(insert(scenes), rows)
        connection.execute(insert(grants), shares)
        connection.execute(text("ANALYZE"))
    seen = store.list_scenes("bob", 101)
    assert len(seen) == 101
    assert [one.updated_at for one in seen] == sorted((one.updated_at for one in seen), reverse=True)
    is_sqlite = any_store._reading.dialect.name == "sqlite"
    dialect: Any = sqlite.dialect() if is_sqlite else postgresql.dialect()
    statement = listed("bob", ("bob", "bob@example.org"), 101)
    sql = str(statement.compile(dialect=dialect, compile_kwargs={"literal_binds": True}))
    plan = plans(store)(sql)
    words = (
        ("SCAN scenes", "SCAN grants", "SCAN accounts") if is_sqlite else ("Seq Scan on scenes", "Seq Scan on grants")
    )
    assert not [line for line in plan if any(word in line for word in words)], "\n".join(plan)
