"""What every backend promises (storage/interface.py). Runs once for each row of BACKENDS in conftest.py."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from itertools import count
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scenograph.storage.interface import (
    Account,
    Author,
    ChangeSummary,
    Conflict,
    IdTaken,
    KeyRecord,
    Later,
    NewRevision,
    Store,
)

AT = datetime(2026, 5, 6, 7, 8, 9, 123456, tzinfo=UTC)
HUGE = 10**30
ON_ONE_STORE = settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
fresh_number = count()
Answer = TypeVar("Answer")


def revision(
    document: str = "{}", *changed: str, title: str | None = None, author: Author | None = None
) -> NewRevision:
    return NewRevision(document=document, title=title, diagram_family=None, changed_ids=changed, author=author)


def together(workers: int, call: Callable[[int], Answer]) -> list[Answer]:
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(call, range(workers)))


class TestScenes:
    def test_a_created_scene_reads_back_as_it_went_in(self, store: Store) -> None:
        first = NewRevision(document='{"a": 1.50}', title="Orders", diagram_family="workflow", message="start")
        assert store.create_scene("ann", "orders", first, AT) is None
        read = store.read_scene("ann", "orders")
        assert read is not None
        assert (read.scene_id, read.revision, read.current_revision) == ("orders", 1, 1)
        assert read.document.text == '{"a": 1.50}'
        assert read.privacy == "private"

    def test_times_come_back_aware_exact_and_in_utc(self, store: Store) -> None:
        elsewhere = AT.astimezone(timezone(timedelta(hours=5, minutes=30)))
        store.create_scene("ann", "orders", revision(), elsewhere)
        store.append_revision("ann", "orders", 1, revision(), AT + timedelta(days=1))
        read = store.read_scene("ann", "orders")
        assert read is not None
        assert read.scene_created_at == AT
        assert read.scene_created_at.utcoffset() == timedelta(0)
        assert read.revision_created_at == AT + timedelta(days=1)

    def test_a_time_without_a_zone_is_refused(self, store: Store) -> None:
        with pytest.raises(Exception, match="aware"):
            store.create_scene("ann", "orders", revision(), AT.replace(tzinfo=None))

    @ON_ONE_STORE
    @given(st.text(max_size=40), st.integers(1, 200))
    def test_any_text_comes_back_unchanged(self, store: Store, text: str, repeats: int) -> None:
        document, scene = text * repeats, f"scene-{next(fresh_number)}"
        assert store.create_scene("ann", scene, revision(document), AT) is None
        read = store.read_scene("ann", scene)
        assert read is not None
        assert read.document.text == document

    def test_even_half_a_surrogate_pair_comes_back(self, store: Store) -> None:
        for scene, repeats in (("short", 1), ("long", 5000)):
            store.create_scene("ann", scene, revision("\udc00 \0 é" * repeats), AT)
            read = store.read_scene("ann", scene)
            assert read is not None
            assert read.document.text == "\udc00 \0 é" * repeats

    @pytest.mark.parametrize("title", ["a\0b", "\ud800", "", "\N{FAMILY}" * 500])
    def test_no_title_message_or_element_id_can_break_a_write(self, store: Store, title: str) -> None:
        new = NewRevision(document="{}", title=title, diagram_family=title, message=title, changed_ids=(title,))
        assert store.create_scene("ann", "odd", new, AT) is None
        assert store.append_revision("ann", "odd", 1, new, AT) == 2
        assert store.changed_since("ann", "odd", 1).changed_ids == (title,)

    def test_an_id_already_held_is_told_and_nothing_is_overwritten(self, store: Store) -> None:
        store.create_scene("ann", "orders", revision("first"), AT)
        store.append_revision("ann", "orders", 1, revision("second"), AT)
        assert store.create_scene("ann", "orders", revision("third"), AT) == IdTaken(current_revision=2)
        read = store.read_scene("ann", "orders")
        assert read is not None
        assert read.document.text == "second"

    def test_two_owners_hold_the_same_id_and_see_only_their_own(self, store: Store) -> None:
        store.create_scene("ann", "orders", revision("ann's"), AT)
        assert store.read_scene("bob", "orders") is None
        assert store.current_revision("bob", "orders") is None
        assert store.append_revision("bob", "orders", 1, revision("x"), AT) is None
        assert store.changed_since("bob", "orders", 0).changed_ids == ()
        assert store.create_scene("bob", "orders", revision("bob's"), AT) is None
        read = store.read_scene("ann", "orders")
        assert read is not None
        assert read.document.text == "ann's"
        assert read.revision == 1

    def test_a_scene_needs_an_account(self, store: Store) -> None:
        with pytest.raises(LookupError, match="nobody"):
            store.create_scene("nobody", "orders", revision(), AT)

    def test_ids_are_told_apart_by_case(self, store: Store) -> None:
        assert store.create_scene("ann", "orders", revision("small"), AT) is None
        assert store.create_scene("ann", "Orders", revision("large"), AT) is None


class TestRevisions:
    def test_every_revision_is_kept(self, store: Store) -> None:
        store.create_scene("ann", "orders", revision("1"), AT)
        for base in range(1, 6):
            assert store.append_revision("ann", "orders", base, revision(str(base + 1)), AT) == base + 1
        for number in range(1, 7):
            read = store.read_scene("ann", "orders", number)
            assert read is not None
            assert (read.document.text, read.revision, read.current_revision) == (str(number), number, 6)

    @pytest.mark.parametrize("asked", [0, -1, 2, 2**31, 2**63, HUGE, -HUGE])
    def test_a_revision_that_never_was_is_none(self, store: Store, asked: int) -> None:
        store.create_scene("ann", "orders", revision(), AT)
        assert store.read_scene("ann", "orders", asked) is None

    def test_the_revision_of_a_time_is_the_latest_made_until_then(self, store: Store) -> None:
        store.create_scene("ann", "orders", revision("1"), AT)
        store.append_revision("ann", "orders", 1, revision("2"), AT + timedelta(seconds=2))
        seconds = {-1: None, 0: 1, 1: 1, 2: 2, 10**6: 2}
        assert {
            after: store.revision_at("ann", "orders", AT + timedelta(seconds=after)) for after in seconds
        } == seconds
        assert store.revision_at("bob", "orders", AT) is None
        assert store.revision_at("ann", "orders", datetime.max.replace(tzinfo=UTC)) == 2
        assert store.revision_at("ann", "orders", datetime.min.replace(tzinfo=UTC)) is None

    @pytest.mark.parametrize("base", [0, 1, -1, 3, 2**31, 2**63, HUGE, -HUGE])
    def test_a_wrong_base_is_a_conflict_and_writes_nothing(self, store: Store, base: int) -> None:
        store.create_scene("ann", "orders", revision("1"), AT)
        store.append_revision("ann", "orders", 1, revision("2", "b", "a"), AT)
        answer = store.append_revision("ann", "orders", base, revision("lost"), AT)
        assert answer == Conflict(current_revision=2, changed_ids=("a", "b") if base < 2 else ())
        read = store.read_scene("ann", "orders")
        assert read is not None
        assert read.document.text == "2"

    def test_every_revision_tells_its_author_wherever_it_is_read(self, store: Store) -> None:
        ann, bob = Author(account_id="ann", key_name="laptop"), Author(account_id="bob")
        store.create_scene("ann", "signed", revision(author=ann), AT)
        store.append_revision("ann", "signed", 1, revision("{}", "a", author=bob), AT)
        store.append_revision("ann", "signed", 2, revision("{}", "b"), AT)
        history = store.history("ann", "signed", None, 5)
        assert history is not None
        assert [entry.author for entry in history.entries] == [None, bob, ann]
        read = [store.read_scene("ann", "signed", number) for number in (1, 2, 3)]
        assert [one and one.author for one in read] == [ann, bob, None]
        assert store.changed_since("ann", "signed", 1) == Later(changed_ids=("a", "b"), author=None)

    def test_of_many_later_revisions_the_author_of_the_last_is_told(self, store: Store) -> None:
        store.create_scene("ann", "signed", revision(), AT)
        for base, name in enumerate(("x", "y", "z"), 1):
            store.append_revision("ann", "signed", base, revision(author=Author(account_id=name)), AT)
        assert store.changed_since("ann", "signed", 1).author == Author(account_id="z")
        assert store.changed_since("ann", "signed", 4) == Later()

    def test_what_changed_since_a_base_is_the_sorted_union(self, store: Store) -> None:
        store.create_scene("ann", "orders", revision("1", "never", "listed"), AT)
        store.append_revision("ann", "orders", 1, revision("2", "a", "b"), AT)
        store.append_revision("ann", "orders", 2, revision("3", "c", "b"), AT)
        assert store.changed_since("ann", "orders", 1).changed_ids == ("a", "b", "c")
        assert store.changed_since("ann", "orders", 2).changed_ids == ("b", "c")
        assert store.changed_since("ann", "orders", 3).changed_ids == ()

    def test_appending_to_a_missing_scene_is_none(self, store: Store) -> None:
        assert store.append_revision("ann", "missing", 1, revision(), AT) is None
        assert store.append_revision("nobody", "missing", 1, revision(), AT) is None

    def test_the_summary_is_taken(self, store: Store) -> None:
        counted = NewRevision(
            document="{}", title=None, diagram_family=None, summary=ChangeSummary(added=1, removed=2, modified=3)
        )
        store.create_scene("ann", "orders", counted, AT)
        assert store.append_revision("ann", "orders", 1, counted, AT) == 2

    @ON_ONE_STORE
    @given(st.lists(st.tuples(st.sampled_from(["ann", "bob"]), st.sampled_from("xy"), st.integers(0, 4)), max_size=20))
    def test_any_sequence_of_writes_does_what_a_plain_dictionary_does(
        self, store: Store, writes: list[tuple[str, str, int]]
    ) -> None:
        """Base 0 creates; any other base appends."""
        run = next(fresh_number)
        model: dict[tuple[str, str], list[str]] = {}
        for step, (owner, name, base) in enumerate(writes):
            scene, document, held = f"{name}-{run}", f"{owner}{step}", model.get((owner, name))
            if base == 0:
                expected = IdTaken(current_revision=len(held)) if held else None
                assert store.create_scene(owner, scene, revision(document), AT) == expected
                model.setdefault((owner, name), [document])
            elif held is None:
                assert store.append_revision(owner, scene, base, revision(document), AT) is None
            elif base == len(held):
                assert store.append_revision(owner, scene, base, revision(document), AT) == base + 1
                held.append(document)
            else:
                answer = store.append_revision(owner, scene, base, revision(document), AT)
                assert isinstance(answer, Conflict)
                assert answer.current_revision == len(held)
        for (owner, name), documents in model.items():
            kept = [store.read_scene(owner, f"{name}-{run}", n + 1) for n in range(len(documents))]
            assert [scene.document.text for scene in kept if scene] == documents


class TestManyAtOnce:
    def test_of_a_hundred_writers_on_one_base_one_wins(self, store: Store) -> None:
        store.create_scene("ann", "orders", revision("1"), AT)
        answers = together(100, lambda n: store.append_revision("ann", "orders", 1, revision(f"by {n}", f"e{n}"), AT))
        winners = [n for n, answer in enumerate(answers) if answer == 2]
        assert len(winners) == 1
        lost = Conflict(current_revision=2, changed_ids=(f"e{winners[0]}",))
        assert [answer for answer in answers if answer != 2] == [lost] * 99
        read = store.read_scene("ann", "orders")
        assert read is not None
        assert read.document.text == f"by {winners[0]}"

    def test_writers_who_try_again_leave_no_gap_and_lose_nothing(self, store: Store) -> None:
        store.create_scene("ann", "orders", revision("[]"), AT)
        rounds, writers = 8, 16

        def write(writer: int) -> list[tuple[int, int]]:
            won: list[tuple[int, int]] = []
            while len(won) < rounds:
                read = store.read_scene("ann", "orders")
                assert read is not None
                merged = json.dumps([*json.loads(read.document.text), [writer, len(won)]])
                answer = store.append_revision("ann", "orders", read.revision, revision(merged), AT)
                if isinstance(answer, int):
                    won.append((read.revision, answer))
            return won

        won = [pair for pairs in together(writers, write) for pair in pairs]
        total = rounds * writers
        assert Counter(base for base, _ in won) == Counter(range(1, total + 1)), "exactly one winner a base"
        assert sorted(number for _, number in won) == list(range(2, total + 2))
        read = store.read_scene("ann", "orders")
        assert read is not None
        assert sorted(json.loads(read.document.text)) == [[w, r] for w in range(writers) for r in range(rounds)]

    def test_of_many_creators_of_one_id_one_wins(self, store: Store) -> None:
        answers = together(16, lambda n: store.create_scene("ann", "orders", revision(f"by {n}"), AT))
        assert Counter(answers) == {None: 1, IdTaken(current_revision=1): 15}
        read = store.read_scene("ann", "orders")
        assert read is not None
        assert read.document.text == f"by {answers.index(None)}"

    def test_readers_see_whole_revisions_while_writers_write(self, store: Store) -> None:
        store.create_scene("ann", "orders", revision("1" * 5000), AT)

        def work(number: int) -> None:
            if number == 0:
                for base in range(1, 60):
                    store.append_revision("ann", "orders", base, revision(str(base + 1) * 5000), AT)
                return
            seen = 0
            while seen < 60:
                read = store.read_scene("ann", "orders")
                assert read is not None
                assert read.revision == read.current_revision
                assert read.document.text == str(read.revision) * 5000
                assert read.revision >= seen, "time runs forward"
                seen = read.revision

        together(5, work)


class TestAccountsAndKeys:
    def test_an_account_reads_back(self, store: Store) -> None:
        carol = Account(id="carol", email="carol@example.org", email_verified_at=AT, role="support")
        store.add_account(carol, AT)
        assert store.account("carol") == carol
        assert store.account("nobody") is None

    def test_an_account_that_stands_stays_as_it_is(self, store: Store) -> None:
        before = store.account("ann")
        store.add_account(Account(id="ann", email="x@example.org", email_verified_at=AT, role="support"), AT)
        assert store.account("ann") == before

    def test_a_role_that_does_not_exist_is_refused(self, store: Store) -> None:
        with pytest.raises(ValueError, match="root"):
            store.add_account(Account(id="eve", email=None, email_verified_at=None, role="root"), AT)

    def test_a_key_is_found_by_its_hash_with_its_account(self, store: Store) -> None:
        key = KeyRecord(id="k1", account_id="ann", name="laptop", created_at=AT)
        assert store.add_key(key, "0" * 64) is True
        assert store.key_by_hash("0" * 64) == (key, store.account("ann"))
        assert store.key_by_hash("1" * 64) is None

    def test_a_hash_that_is_known_is_not_taken_over(self, store: Store) -> None:
        store.add_key(KeyRecord(id="k1", account_id="ann", name="laptop", created_at=AT), "0" * 64)
        assert store.add_key(KeyRecord(id="k2", account_id="bob", name="thief", created_at=AT), "0" * 64) is False
        found = store.key_by_hash("0" * 64)
        assert found is not None
        assert found[1].id == "ann"

    def test_of_many_who_add_one_hash_one_wins(self, store: Store) -> None:
        def add(number: int) -> bool:
            return store.add_key(KeyRecord(id=f"k{number}", account_id="ann", name="n", created_at=AT), "0" * 64)

        assert Counter(together(16, add)) == {True: 1, False: 15}

    def test_a_key_needs_an_account(self, store: Store) -> None:
        with pytest.raises(LookupError, match="nobody"):
            store.add_key(KeyRecord(id="k1", account_id="nobody", name="n", created_at=AT), "0" * 64)

    def test_a_store_that_stands_answers_a_ping(self, store: Store) -> None:
        store.ping()
