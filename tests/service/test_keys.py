"""Keys are shown once, found by hash, and seeded without duplicates."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scenograph.service.accounts import Accounts, Caller, Keys
from scenograph.service.errors import ServiceError
from scenograph.storage.interface import StorageUnavailable, Store
from scenograph.storage.sqlite import open_sqlite

GOOD = "dsp_sk_" + "0123456789abcdef" * 2


@pytest.fixture
def keys(store: Store, clock: Callable[[], datetime]) -> Keys:
    return Keys(store, clock)


class TestCreating:
    def test_a_new_key_has_the_documented_form_and_authenticates_its_owner(self, keys: Keys) -> None:
        new = keys.create("ann", "laptop")
        assert re.fullmatch(r"dsp_sk_[0-9a-f]{32}", new.key)
        assert new.name == "laptop"
        known = Caller(
            account_id="ann",
            email_verified=True,
            role="member",
            key_id=new.id,
            key_name="laptop",
            email="ann@example.org",
        )
        assert keys.authenticate(new.key) == known

    def test_an_unverified_owner_is_told_apart(self, keys: Keys) -> None:
        caller = keys.authenticate(keys.create("bob", "laptop").key)
        assert caller is not None
        assert not caller.email_verified

    def test_no_two_keys_are_alike(self, keys: Keys) -> None:
        made = [keys.create("ann", "same") for _ in range(50)]
        assert len({new.key for new in made}) == len({new.id for new in made}) == 50

    def test_the_secret_is_nowhere_in_the_file(self, keys: Keys, tmp_path: Path) -> None:
        secret = keys.create("ann", "laptop").key
        kept = b"".join(path.read_bytes() for path in sorted(tmp_path.glob("scenes.db*")))
        assert b"laptop" in kept
        assert secret.encode() not in kept
        assert secret.removeprefix("dsp_sk_").encode() not in kept

    @pytest.mark.parametrize("name", ["", "   ", "x" * 101, None, 7, ["a"], "a\0b", "a\nb", "\ud800"])
    def test_a_name_that_is_no_name_is_refused(self, keys: Keys, name: object) -> None:
        with pytest.raises(ServiceError) as refusal:
            keys.create("ann", name)
        assert refusal.value.code == "invalid_request"

    def test_an_account_has_so_many_keys_and_fewer_before_its_address_is_verified(
        self, store: Store, clock: Callable[[], datetime]
    ) -> None:
        keys = Keys(store, clock, most=4)
        for owner, most in (("ann", 4), ("bob", 2)):
            made = [keys.create(owner, "ci") for _ in range(most)]
            with pytest.raises(ServiceError) as refusal:
                keys.create(owner, "ci")
            assert refusal.value.code == "quota_exceeded"
            assert refusal.value.extra == {"quota": "keys", "used": most, "limit": most}
            keys.revoke(owner, made[0].id)
            keys.create(owner, "ci")
        store.verify_account("bob", clock())
        assert keys.create("bob", "ci")

    def test_a_name_is_trimmed(self, keys: Keys) -> None:
        assert keys.create("ann", "  the CI of Ünïcode ").name == "the CI of Ünïcode"


class TestAuthenticating:
    @settings(deadline=None, max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(st.text(st.characters(exclude_categories=())))
    def test_whatever_is_not_a_key_is_nobody(self, keys: Keys, secret: str) -> None:
        assert keys.authenticate(secret) is None

    def test_a_key_must_match_to_the_letter(self, keys: Keys) -> None:
        secret = keys.create("ann", "laptop").key
        for wrong in (secret[:-1], secret + "0", secret.upper(), f" {secret}", secret.removeprefix("dsp_sk_")):
            assert keys.authenticate(wrong) is None


class TestBootstrapping:
    def test_the_seeded_key_is_the_operators_and_verified(self, keys: Keys) -> None:
        assert keys.bootstrap(GOOD) is None
        caller = keys.authenticate(GOOD)
        assert caller is not None
        assert (caller.account_id, caller.email_verified, caller.role) == ("operator", True, "member")

    def test_restarts_do_not_duplicate_it(self, keys: Keys, tmp_path: Path, clock: Callable[[], datetime]) -> None:
        keys.bootstrap(GOOD)
        first = keys.authenticate(GOOD)
        for _ in range(2):
            again = open_sqlite(f"sqlite:///{tmp_path}/scenes.db")
            assert Keys(again, clock).bootstrap(GOOD) is None
            assert Keys(again, clock).authenticate(GOOD) == first
            again.close()
        with sqlite3.connect(tmp_path / "scenes.db") as raw:
            assert raw.execute("SELECT count(*) FROM api_keys").fetchone() == (1,)
            assert raw.execute("SELECT count(*) FROM accounts WHERE id = 'operator'").fetchone() == (1,)
        raw.close()

    def test_another_value_later_is_another_key_of_the_same_owner(self, keys: Keys) -> None:
        keys.bootstrap(GOOD)
        keys.bootstrap("dsp_sk_" + "f" * 32)
        owners = {caller.account_id for key in (GOOD, "dsp_sk_" + "f" * 32) if (caller := keys.authenticate(key))}
        assert owners == {"operator"}

    @pytest.mark.parametrize("value", ["test-key", "x", "dsp_sk_short", "schlüssel", GOOD + "0"])
    def test_any_value_is_taken_with_a_warning_that_does_not_quote_it(self, keys: Keys, value: str) -> None:
        warning = keys.bootstrap(value)
        assert warning is not None
        assert value not in warning.split()
        assert keys.authenticate(value) is not None

    def test_space_around_a_value_is_not_part_of_it(self, keys: Keys) -> None:
        assert keys.bootstrap(f" {GOOD}\n") is None
        assert keys.authenticate(GOOD) is not None

    def test_an_empty_value_seeds_nothing(self, keys: Keys) -> None:
        assert keys.bootstrap("  ") is not None
        assert keys.authenticate("") is None
        assert keys.authenticate("  ") is None

    def test_support_has_an_account_of_its_own(self, keys: Keys) -> None:
        other = "dsp_sk_" + "e" * 32
        assert keys.bootstrap(GOOD) is None
        assert keys.bootstrap(other, "support") is None
        caller = keys.authenticate(other)
        assert caller is not None
        assert (caller.account_id, caller.role) == ("support", "support")

    def test_one_value_for_both_roles_stays_with_the_first_and_is_told(self, keys: Keys) -> None:
        keys.bootstrap(GOOD)
        assert "another account" in (keys.bootstrap(GOOD, "support") or "")
        caller = keys.authenticate(GOOD)
        assert caller is not None
        assert caller.role == "member"


class TestTheLocalOwner:
    def test_it_is_verified_has_no_key_and_is_the_same_each_time(
        self, store: Store, clock: Callable[[], datetime]
    ) -> None:
        owner = Accounts(store, clock).local_owner()
        assert owner == Caller(account_id="local", email_verified=True, role="member", key_id=None)
        assert Accounts(store, clock).local_owner() == owner

    def test_it_can_make_keys(self, store: Store, clock: Callable[[], datetime]) -> None:
        owner = Accounts(store, clock).local_owner()
        new = Keys(store, clock).create(owner.account_id, "mine")
        caller = Keys(store, clock).authenticate(new.key)
        assert caller is not None
        assert caller.account_id == "local"


class TestUsing:
    def test_the_last_use_is_listed_to_the_minute(self, keys: Keys, clock: Any) -> None:
        secret = keys.create("ann", "laptop").key
        (unused,) = keys.of_account("ann")
        assert unused.last_used_at is None
        first = clock()
        keys.authenticate(secret)
        clock.turn(seconds=59)
        keys.authenticate(secret)
        assert [key.last_used_at for key in keys.of_account("ann")] == [first]
        clock.turn(seconds=1)
        keys.authenticate(secret)
        assert [key.last_used_at for key in keys.of_account("ann")] == [clock()]

    def test_a_store_that_cannot_write_still_tells_who_calls_and_is_not_waited_for_twice(
        self, keys: Keys, store: Any, clock: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        secret = keys.create("ann", "laptop").key
        tried: list[datetime] = []

        def full(_key: str, at: datetime) -> None:
            tried.append(at)
            raise StorageUnavailable("the disk is full")

        monkeypatch.setattr(store, "note_key_used", full)
        for seconds in (0, 30, 30, 59):
            clock.turn(seconds=seconds)
            caller = keys.authenticate(secret)
            assert caller is not None
            assert caller.account_id == "ann"
        assert [at.second for at in tried] == [5, 5]


class TestRevoking:
    def test_a_revoked_key_opens_nothing_at_once(self, keys: Keys) -> None:
        lost, kept = keys.create("ann", "lost"), keys.create("ann", "kept")
        keys.revoke("ann", lost.id)
        assert keys.authenticate(lost.key) is None
        assert keys.authenticate(kept.key) is not None
        assert [key.name for key in keys.of_account("ann")] == ["kept"]

    @pytest.mark.parametrize("key_id", ["key_0", "", "\0", "x" * 300])
    def test_a_foreign_key_and_a_missing_one_answer_alike(self, keys: Keys, key_id: str) -> None:
        theirs = keys.create("ann", "laptop")
        for asked in (theirs.id, key_id):
            with pytest.raises(ServiceError) as refusal:
                keys.revoke("bob", asked)
            assert (refusal.value.code, refusal.value.sentence) == ("not_found", "There is no such key.")
        assert keys.authenticate(theirs.key) is not None

    def test_a_restart_does_not_bring_a_revoked_bootstrap_key_back(self, keys: Keys) -> None:
        assert keys.bootstrap(GOOD) is None
        caller = keys.authenticate(GOOD)
        assert caller is not None
        assert caller.key_id is not None
        keys.revoke(caller.account_id, caller.key_id)
        warning = keys.bootstrap(GOOD)
        assert warning is not None
        assert "revoked" in warning
        assert GOOD not in warning
        assert keys.authenticate(GOOD) is None
