"""Signing up: what is made, what is mailed, what an address can be, and what nobody learns."""

from __future__ import annotations

import re
import string
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenograph.service.accounts import Caller, Keys, normalized
from scenograph.service.errors import ServiceError
from scenograph.service.mailing import Desk
from scenograph.service.rate_limits import MemoryCounter, RateLimits, allowance
from scenograph.service.sign_in import SignUp
from scenograph.storage.interface import Store

HOST = "192.0.2.7"
DESK = Desk(is_open=True, sender="scenograph@diagrams.example", site="https://diagrams.example")


class Post(list[tuple[EmailMessage, str]]):
    """What was posted; the last letter's token."""

    def __call__(self, letter: EmailMessage, about: str) -> None:
        self.append((letter, about))

    @property
    def token(self) -> str:
        found = re.search(r"^https://diagrams\.example/accounts/verify\?token=(\S+)$", self[-1][0].get_content(), re.M)
        assert found
        return found[1]


@pytest.fixture
def post() -> Post:
    return Post()


@pytest.fixture
def sign_up(store: Store, clock: Any, post: Post) -> SignUp:
    return SignUp(store, clock, RateLimits(None, None, MemoryCounter()), post, DESK)


@pytest.fixture
def keys(store: Store, clock: Any) -> Keys:
    return Keys(store, clock)


def refusal(call: Callable[[], object]) -> ServiceError:
    with pytest.raises(ServiceError) as refused:
        call()
    return refused.value


def caller(sign_up: SignUp, keys: Keys, email: str = "eve@example.org") -> Caller:
    found = keys.authenticate(sign_up.open(email, HOST).key.key)
    assert found is not None
    return found


def test_a_new_account_has_a_key_that_works_and_is_not_verified(sign_up: SignUp, keys: Keys) -> None:
    opened = sign_up.open(" Eve@Example.ORG ", HOST)
    assert opened.email == "eve@example.org"
    assert re.fullmatch("dsp_sk_[0-9a-f]{32}", opened.key.key)
    known = keys.authenticate(opened.key.key)
    assert known is not None
    assert (known.account_id, known.email_verified, known.role) == (opened.account_id, False, "member")
    assert [key.id for key in keys.of_account(opened.account_id)] == [opened.key.id]


def test_the_mailed_token_verifies_the_account_once(sign_up: SignUp, keys: Keys, post: Post, clock: Any) -> None:
    opened = sign_up.open("eve@example.org", HOST)
    (letter, about) = post[0]
    assert (letter["To"], about) == ("eve@example.org", opened.account_id)
    assert opened.account_id in letter.get_content()
    assert opened.key.key not in str(letter)
    done = sign_up.verify(f" {post.token}\n")
    assert (done.account_id, done.email_verified_at) == (opened.account_id, clock())
    known = keys.authenticate(opened.key.key)
    assert known is not None
    assert known.email_verified
    assert refusal(lambda: sign_up.verify(post.token)).code == "invalid_token"


def test_a_token_is_good_for_24_hours(sign_up: SignUp, post: Post, clock: Any) -> None:
    sign_up.open("eve@example.org", HOST)
    late = post.token
    sign_up.open("mia@example.org", HOST)
    clock.turn(hours=23, minutes=59, seconds=59)
    assert sign_up.verify(post.token)
    clock.turn(seconds=1)
    assert refusal(lambda: sign_up.verify(late)).code == "invalid_token"


@pytest.mark.parametrize("token", [None, 7, "", "x", "é" * 43, "a" * 43, "a" * 10_000, "\0" * 43, ["a" * 43]])
def test_what_is_no_token_verifies_nothing(sign_up: SignUp, token: object) -> None:
    assert refusal(lambda: sign_up.verify(token)).code == "invalid_token"


def test_neither_the_token_nor_the_key_is_kept(sign_up: SignUp, post: Post, tmp_path: Path) -> None:
    opened = sign_up.open("eve@example.org", HOST)
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"eve@example.org" in kept
    assert post.token.encode() not in kept
    assert opened.key.key.encode() not in kept


def test_the_same_address_again_is_another_account_and_the_first_one_stays_as_it_is(
    sign_up: SignUp, keys: Keys, post: Post
) -> None:
    first = sign_up.open("eve@example.org", HOST)
    second = sign_up.open("EVE@example.org", HOST)
    assert second.account_id != first.account_id
    assert sign_up.verify(post.token).account_id == second.account_id
    states = [keys.authenticate(opened.key.key) for opened in (first, second)]
    assert [state.email_verified for state in states if state] == [False, True]


def test_a_verified_address_gets_the_same_members_that_open_nothing_and_a_link_that_signs_in(
    sign_up: SignUp, keys: Keys, post: Post, store: Store
) -> None:
    first = sign_up.open("eve@example.org", HOST)
    sign_up.verify(post.token)
    second = sign_up.open("EVE@example.org", HOST)
    assert set(vars_of(first)) == set(vars_of(second))
    assert (second.email, second.key.name) == (first.email, first.key.name)
    assert second.account_id != first.account_id
    assert store.account(second.account_id) is None
    assert keys.authenticate(second.key.key) is None
    assert [letter["Subject"] for letter, _ in post] == ["Confirm your address for Scenograph", "Sign in to Scenograph"]
    assert post[1][1] == first.account_id


def vars_of(value: Any) -> list[str]:
    return list(value.__slots__)


def test_who_signs_up_with_a_foreign_address_is_not_verified_when_its_holder_signs_up(
    sign_up: SignUp, keys: Keys, post: Post
) -> None:
    stranger = caller(sign_up, keys)
    holder = caller(sign_up, keys)
    assert sign_up.verify(post.token).account_id == holder.account_id
    assert post[0][1] == stranger.account_id


def test_another_mail_has_another_token_and_both_are_good(sign_up: SignUp, keys: Keys, post: Post) -> None:
    eve = caller(sign_up, keys)
    first = post.token
    assert sign_up.resend(eve) == "eve@example.org"
    assert post.token != first
    assert sign_up.verify(first).account_id == eve.account_id
    assert refusal(lambda: sign_up.resend(eve)).code == "email_already_verified"
    assert sign_up.verify(post.token).account_id == eve.account_id


def test_where_sign_up_is_off_nothing_is_made(store: Store, clock: Any, post: Post) -> None:
    shut = SignUp(
        store, clock, RateLimits(None, None, MemoryCounter()), post, Desk(is_open=False, sender="a@b", site="")
    )
    refused = refusal(lambda: shut.open("eve@example.org", HOST))
    assert (refused.code, "operator" in refused.sentence) == ("forbidden", True)
    assert post == []
    assert {entry.id for entry in store.accounts()} == {"ann", "bob"}


class TestLimits:
    @pytest.fixture
    def limited(self, store: Store, clock: Any, post: Post) -> SignUp:
        limits = RateLimits(None, None, MemoryCounter(), allowance("sign-up", 3 / 60, 3))
        return SignUp(store, clock, limits, post, DESK)

    def test_few_accounts_an_hour_are_made_from_one_place(self, limited: SignUp, store: Store) -> None:
        for number in range(3):
            limited.open(f"u{number}@example.org", HOST)
        refused = refusal(lambda: limited.open("u9@example.org", HOST))
        assert refused.code == "rate_limited"
        assert refused.retry_after is not None
        assert 60 < refused.retry_after <= 3600
        assert limited.open("u9@example.org", "192.0.2.8")
        assert len(store.accounts("u9@example.org")) == 1

    def test_beyond_the_limit_of_a_mailbox_the_answer_is_alike_and_no_mail_is_sent(
        self, limited: SignUp, post: Post
    ) -> None:
        for place in range(5):
            assert limited.open("eve@example.org", f"192.0.2.{place}").email == "eve@example.org"
        assert len(post) == 3

    def test_strangers_do_not_keep_the_owner_from_another_mail(self, limited: SignUp, keys: Keys, post: Post) -> None:
        for place in range(5):
            limited.open("eve@example.org", f"192.0.2.{place}")
        known = keys.authenticate(limited.open("eve@example.org", "192.0.2.9").key.key)
        assert known is not None
        before = len(post)
        for _ in range(3):
            limited.resend(known)
        assert len(post) == before + 3
        assert refusal(lambda: limited.resend(known)).code == "rate_limited"

    def test_what_is_no_address_costs_nothing(self, limited: SignUp) -> None:
        for _ in range(5):
            assert refusal(lambda: limited.open("nobody", HOST)).code == "invalid_request"
        assert limited.open("eve@example.org", HOST)


class TestAddresses:
    @pytest.mark.parametrize(
        ("written", "kept"),
        [
            ("ann@example.org", "ann@example.org"),
            ("  Ann.B+tag@Example.ORG\t", "ann.b+tag@example.org"),
            ("o'hara@a-b.example", "o'hara@a-b.example"),
            ("ann@Bücher.example", "ann@xn--bcher-kva.example"),
            (f"{'a' * 64}@example.org", f"{'a' * 64}@example.org"),
        ],
    )
    def test_one_form_for_all_ways_to_write_it(self, written: str, kept: str) -> None:
        assert normalized(written) == kept == normalized(kept)

    @pytest.mark.parametrize(
        "written",
        [
            None, 7, [], {}, "", " ", "ann", "ann@", "@example.org", "ann@localhost", "a b@example.org",
            "ann@exa mple.org",
            "ann@example..org", "ann@.org", ".ann@example.org", "ann.@example.org", "a..b@example.org", "ann@-x.org",
            "ann@example.org\nBcc: all@example.org", "ann@example.org\0", "ann@[127.0.0.1]", '"a b"@example.org',
            "ann@example.org,bob@example.org", "Ann <ann@example.org>", "änn@example.org", f"{'a' * 65}@example.org",
            f"a@{'b' * 64}.org", f"ann@{'b.' * 130}org", "\ud800@example.org", "ann@\ud800.org", "@" * 10_000,
        ],
    )  # fmt: skip
    def test_what_no_mail_can_be_sent_to_is_refused(self, written: object) -> None:
        refused = refusal(lambda: normalized(written))
        assert (refused.code, refused.sentence[:5]) == ("invalid_request", "email")

    @given(st.text(alphabet=string.printable + "éß@.\u2028", max_size=60))
    def test_what_is_taken_is_plain_and_is_taken_again(self, written: str) -> None:
        try:
            kept = normalized(written)
        except ServiceError:
            return
        assert kept.isascii()
        assert kept.isprintable()
        assert " " not in kept
        assert kept.count("@") == 1
        assert normalized(kept) == kept
