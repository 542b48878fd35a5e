"""What every backend promises of comments (storage/interface.py)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest

from scenograph.late_dataclasses import replace
from scenograph.storage.interface import (
    Account,
    Author,
    Comment,
    CommentAnchor,
    Grant,
    Grantee,
    NewComment,
    NewRevision,
    PageStart,
    RoleLacking,
    Store,
    ThreadFilter,
    TooMany,
)

AT = datetime(2026, 5, 6, tzinfo=UTC)
SECOND = timedelta(seconds=1)
ANN = Grantee(account_id="ann")
BOB = Grantee(account_id="bob", email="bob@example.org")
ROLES = frozenset({"commenter", "editor"})
NUMBERS = count()


@pytest.fixture
def scene(store: Store) -> str:
    """A scene of ann's that bob may comment on."""
    revision = NewRevision(document="{}", title="Orders", diagram_family=None)
    store.create_scene("ann", "orders", revision, AT)
    store.grant("ann", "orders", Grant(grantee="bob", role="commenter", granted_at=AT), 9)
    return "orders"


def new(by: Grantee = ANN, *, thread: str | None = None, anchor: CommentAnchor | None = None) -> NewComment:
    author = Author(account_id=by.account_id, key_name="laptop")
    about = anchor or CommentAnchor()
    name = f"cmt_{next(NUMBERS):024x}"
    return NewComment(id=name, author=author, by=by, text="Why?", thread=thread, anchor=about)


def written(store: Store, comment: NewComment, at: datetime = AT) -> Comment:
    done = store.add_comment("ann", "orders", comment, at, roles=ROLES, most=99)
    assert isinstance(done, Comment)
    return done


def ids(found: tuple[tuple[Comment, ...], ...] | None) -> list[list[str]]:
    assert found is not None
    return [[comment.id for comment in thread] for thread in found]


def test_threads_come_in_the_order_of_their_time_each_with_its_replies(store: Store, scene: str) -> None:
    second, first = written(store, new(), AT + SECOND), written(store, new(BOB))
    reply = written(store, new(thread=first.id), AT + 2 * SECOND)
    assert ids(store.threads("ann", scene, 9)) == [[first.id, reply.id], [second.id]]
    assert ids(store.threads("ann", scene, 1)) == [[first.id, reply.id]]
    behind = PageStart(at=first.created_at, id=first.id)
    assert ids(store.threads("ann", scene, 9, behind)) == [[second.id]]
    assert store.threads("bob", scene, 9) is None


def test_a_comment_is_read_back_as_it_was_written(store: Store, scene: str) -> None:
    at_place = written(store, new(anchor=CommentAnchor(x=1.5, y=-2.0)))
    assert (at_place.anchor, at_place.revision, at_place.text) == (CommentAnchor(x=1.5, y=-2.0), 1, "Why?")
    assert (at_place.author, at_place.author_email) == (Author(account_id="ann", key_name="laptop"), None)
    assert ids(store.threads("ann", scene, 9)) == [[at_place.id]]


def test_the_verified_address_of_an_author_is_told_and_no_unproven_one(store: Store, scene: str) -> None:
    proven = Account(id="dora", email="dora@example.org", email_verified_at=AT, role="member")
    store.add_account(proven, AT)
    store.add_account(replace(proven, id="eve", email="eve@example.org", email_verified_at=None), AT)
    for name in ("dora", "eve"):
        store.grant("ann", scene, Grant(grantee=name, role="commenter", granted_at=AT), 9)
    names = [written(store, new(Grantee(account_id=name))).author_email for name in ("dora", "eve")]
    assert names == ["dora@example.org", None]


def test_threads_are_found_by_their_state_and_their_element(store: Store, scene: str) -> None:
    web, place = written(store, new(anchor=CommentAnchor(element_id="web"))), written(store, new())
    store.resolve_thread("ann", scene, web.id, ANN, roles=ROLES, at=AT)
    for wanted, expected in (
        (ThreadFilter(), [web.id, place.id]),
        (ThreadFilter(resolved=True), [web.id]),
        (ThreadFilter(resolved=False), [place.id]),
        (ThreadFilter(element_id="web"), [web.id]),
        (ThreadFilter(element_id="web", resolved=False), []),
    ):
        assert ids(store.threads("ann", scene, 9, None, wanted)) == [[name] for name in expected]


def test_a_resolved_thread_keeps_its_first_time_until_it_is_open_again(store: Store, scene: str) -> None:
    thread = written(store, new()).id
    for by, at in ((BOB, AT), (ANN, AT + SECOND)):
        done = store.resolve_thread("ann", scene, thread, by, roles=ROLES, at=at)
        assert isinstance(done, Comment)
        assert (done.resolved_at, done.resolved_by) == (AT, "bob")
    again = store.resolve_thread("ann", scene, thread, ANN, roles=ROLES, at=None)
    assert isinstance(again, Comment)
    assert (again.resolved_at, again.resolved_by) == (None, None)
    assert store.resolve_thread("ann", scene, new().id, ANN, roles=ROLES, at=AT) is False
    assert store.resolve_thread("ann", "none", thread, ANN, roles=ROLES, at=AT) is None


def test_a_role_decides_in_the_transaction_of_the_write(store: Store, scene: str) -> None:
    thread = written(store, new()).id
    store.grant("ann", scene, Grant(grantee="bob", role="viewer", granted_at=AT), 9)
    lacking = RoleLacking(role="viewer")
    assert store.add_comment("ann", scene, new(BOB), AT, roles=ROLES, most=9) == lacking
    assert store.resolve_thread("ann", scene, thread, BOB, roles=ROLES, at=AT) == lacking
    store.end_grants("ann", scene, ["bob"])
    assert store.add_comment("ann", scene, new(BOB), AT, roles=ROLES, most=9) is None
    assert store.resolve_thread("ann", scene, thread, BOB, roles=ROLES, at=AT) is None
    assert store.delete_comment("ann", scene, thread, BOB, AT) is None


def test_a_comment_is_deleted_by_its_author_or_the_owner_the_first_with_its_thread(store: Store, scene: str) -> None:
    thread, other = written(store, new(BOB)).id, written(store, new(), AT + SECOND).id
    reply = written(store, new(thread=thread)).id
    assert store.delete_comment("ann", scene, reply, BOB, AT) == RoleLacking(role="commenter")
    assert store.delete_comment("ann", scene, thread, BOB, AT) is True
    assert ids(store.threads("ann", scene, 9)) == [[other]]
    for gone in (thread, reply):
        assert store.delete_comment("ann", scene, gone, ANN, AT) is False
    assert store.add_comment("ann", scene, new(thread=thread), AT, roles=ROLES, most=9) is False


def test_every_change_is_told_to_who_asks_for_what_came_since(store: Store, scene: str) -> None:
    def version() -> int:
        return store.watched_scenes([("ann", scene)], []).scenes["ann", scene].comments_version

    seen = version()
    thread = written(store, new()).id
    assert store.changed_comments("ann", scene, seen) == (thread,)
    seen = version()
    store.resolve_thread("ann", scene, thread, ANN, roles=ROLES, at=AT)
    assert store.changed_comments("ann", scene, seen) == (thread,)
    seen = version()
    store.resolve_thread("ann", scene, thread, ANN, roles=ROLES, at=AT)
    assert version() == seen, "nothing changed"
    store.delete_comment("ann", scene, thread, ANN, AT)
    assert store.changed_comments("ann", scene, seen) == (thread,)


def test_of_writers_at_once_only_as_many_are_heard_as_there_is_room(store: Store, scene: str) -> None:
    with ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(store.add_comment, "ann", scene, new(), AT, roles=ROLES, most=5) for _ in range(8)]
        done = [one.result() for one in asked]
    assert sum(isinstance(one, Comment) for one in done) == 5
    assert done.count(TooMany(used=5)) == 3
    assert len(ids(store.threads("ann", scene, 99))) == 5
