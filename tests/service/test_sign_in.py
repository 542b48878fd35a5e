"""Signing in by a mailed link: who gets one, how long it is good, and the sessions that it opens."""

from __future__ import annotations

import re
from collections.abc import Callable
from email.message import EmailMessage
from typing import Any

import pytest

from scenograph.service.accounts import Accounts, Keys
from scenograph.service.errors import ServiceError
from scenograph.service.mailing import Desk
from scenograph.service.rate_limits import MemoryCounter, RateLimits, allowance
from scenograph.service.sign_in import Sessions, SignInLinks
from scenograph.storage.interface import Account, Store

HOST = "192.0.2.7"
DESK = Desk(is_open=False, sender="scenograph@diagrams.example", site="https://diagrams.example")


class Post(list[tuple[EmailMessage, str]]):
    """What was posted, and the tokens of the links in it."""

    def __call__(self, letter: EmailMessage, about: str) -> None:
        self.append((letter, about))

    @property
    def tokens(self) -> list[str]:
        texts = [letter.get_content() for letter, _ in self]
        return re.findall(r"^https://diagrams\.example/accounts/sign-in\?token=(\S+)$", "\n".join(texts), re.M)


@pytest.fixture
def post() -> Post:
    return Post()


@pytest.fixture
def links(store: Store, clock: Any, post: Post) -> SignInLinks:
    return SignInLinks(store, clock, RateLimits(None, None, MemoryCounter()), post, DESK)


@pytest.fixture
def sessions(store: Store, clock: Any) -> Sessions:
    return Sessions(store, clock)


def refusal(call: Callable[[], object]) -> ServiceError:
    with pytest.raises(ServiceError) as refused:
        call()
    return refused.value


def ann(store: Store) -> Account:
    found = store.account("ann")
    assert found is not None
    return found


def test_a_link_opens_the_account_of_its_address_once(links: SignInLinks, post: Post) -> None:
    links.ask(" Ann@Example.org ", HOST)
    ((letter, about),) = post
    assert (letter["To"], about) == ("ann@example.org", "ann")
    assert links.use(post.tokens[0]).id == "ann"
    assert refusal(lambda: links.use(post.tokens[0])).code == "invalid_token"


def test_a_link_is_good_for_15_minutes(links: SignInLinks, post: Post, clock: Any) -> None:
    links.ask("ann@example.org", HOST)
    links.ask("ann@example.org", HOST)
    clock.turn(minutes=14, seconds=59)
    assert links.use(post.tokens[0]).id == "ann"
    clock.turn(seconds=1)
    assert refusal(lambda: links.use(post.tokens[1])).code == "invalid_token"


@pytest.mark.parametrize("email", ["bob@example.org", "nobody@example.org", "sue@example.org", "mia@example.org"])
def test_an_unverified_unknown_suspended_or_supporters_address_gets_no_link_and_the_same_answer(
    links: SignInLinks, post: Post, store: Store, clock: Any, email: str
) -> None:
    for name, role in (("sue", "support"), ("mia", "member")):
        account = Account(id=name, email=f"{name}@example.org", email_verified_at=clock(), role=role)
        store.add_account(account, clock())
    Accounts(store, clock).suspend("mia")
    links.ask(email, HOST)
    assert post == []


def test_every_address_costs_the_same_writes(links: SignInLinks, store: Store) -> None:
    kept: list[str | None] = []
    write = store.add_sign_in_token

    def add_sign_in_token(token_hash: str, account_id: str | None, at: Any) -> None:
        kept.append(account_id)
        write(token_hash, account_id, at)

    store.add_sign_in_token = add_sign_in_token
    for email in ("ann@example.org", "bob@example.org", "nobody@example.org"):
        links.ask(email, HOST)
    assert kept == ["ann", None, None]


def test_of_several_accounts_with_the_address_the_first_to_verify_it_is_opened(
    links: SignInLinks, post: Post, store: Store, clock: Any
) -> None:
    clock.turn(hours=1)
    late = Account(id="aaa", email="ann@example.org", email_verified_at=clock(), role="member")
    store.add_account(late, clock())
    links.ask("ann@example.org", HOST)
    assert links.use(post.tokens[0]).id == "ann"


def test_a_stranger_who_asks_for_many_links_keeps_the_owner_from_none(store: Store, clock: Any, post: Post) -> None:
    limits = RateLimits(None, None, MemoryCounter(), allowance("sign-up", 2 / 60, 2))
    links = SignInLinks(store, clock, limits, post, DESK)
    for _ in range(10):
        links.ask("ann@example.org", "198.51.100.1")
    assert len(post) == 2
    links.ask("ann@example.org", HOST)
    assert len(post) == 3


def test_a_mailbox_gets_a_bounded_number_of_links_from_everybody_together(store: Store, clock: Any, post: Post) -> None:
    limits = RateLimits(None, None, MemoryCounter(), allowance("sign-up", 2 / 60, 2))
    links = SignInLinks(store, clock, limits, post, DESK)
    for number in range(100):
        links.ask("ann@example.org", f"198.51.100.{number}")
    assert len(post) == 24


def test_more_links_than_an_hour_takes_are_refused_for_every_address_alike(
    store: Store, clock: Any, post: Post
) -> None:
    limits = RateLimits(None, None, MemoryCounter(), allowance("sign-up", 1 / 60, 1))
    links = SignInLinks(store, clock, limits, post, DESK)
    for number in range(12):
        links.ask(f"nobody{number}@example.org", HOST)
    for email in ("ann@example.org", "nobody@example.org"):
        assert refusal(lambda email=email: links.ask(email, HOST)).code == "rate_limited"


def test_where_no_links_are_mailed_none_is_kept(store: Store, clock: Any, post: Post) -> None:
    desk = Desk(is_open=False, sender="a@b.example", site="http://127.0.0.1:3000", mails_links=False)
    links = SignInLinks(store, clock, RateLimits(None, None, MemoryCounter()), post, desk)
    assert refusal(lambda: links.ask("ann@example.org", HOST)).code == "forbidden"
    assert post == []


def test_a_session_acts_for_its_account_for_30_days(sessions: Sessions, store: Store, clock: Any) -> None:
    opened = sessions.open(ann(store), None)
    assert opened.seconds == 30 * 24 * 3600
    caller = sessions.authenticate(opened.token)
    assert caller is not None
    assert (caller.account_id, caller.email_verified, caller.by_session) == ("ann", True, True)
    clock.turn(days=30)
    assert sessions.authenticate(opened.token) is None


def test_a_sign_in_makes_a_fresh_token_and_ends_the_session_that_the_browser_had(
    sessions: Sessions, store: Store
) -> None:
    first = sessions.open(ann(store), None)
    second = sessions.open(ann(store), first.token)
    assert second.token != first.token
    assert sessions.authenticate(first.token) is None
    assert sessions.authenticate(second.token) is not None


def test_a_token_that_somebody_planted_becomes_no_session(sessions: Sessions, store: Store) -> None:
    planted = "p" * 43
    sessions.open(ann(store), planted)
    assert sessions.authenticate(planted) is None
    assert sessions.authenticate("") is None


def test_signing_out_ends_one_session_or_all(sessions: Sessions, store: Store) -> None:
    tokens = [sessions.open(ann(store), None).token for _ in range(3)]
    caller = sessions.authenticate(tokens[0])
    assert caller is not None
    assert sessions.end(caller) == 1
    assert sessions.end(caller) == 0
    assert [sessions.authenticate(token) is not None for token in tokens] == [False, True, True]
    assert sessions.end_all("ann") == 2
    assert [sessions.authenticate(token) for token in tokens] == [None, None, None]


def test_signing_out_everywhere_ends_links_under_way_as_well(
    links: SignInLinks, sessions: Sessions, post: Post
) -> None:
    links.ask("ann@example.org", HOST)
    sessions.end_all("ann")
    assert refusal(lambda: links.use(post.tokens[0])).code == "invalid_token"


def test_a_suspended_account_opens_nothing_until_it_is_resumed(sessions: Sessions, store: Store, clock: Any) -> None:
    keys, accounts = Keys(store, clock), Accounts(store, clock)
    secret = keys.create("ann", "laptop").key
    opened = sessions.open(ann(store), None)
    assert accounts.suspend("ann").suspended_at == clock()
    for call in (
        lambda: keys.authenticate(secret),
        lambda: sessions.authenticate(opened.token),
        lambda: sessions.open(ann(store), None),
    ):
        assert refusal(call).code == "account_suspended"
    clock.turn(hours=1)
    assert accounts.suspend("ann").suspended_at != clock(), "the first time stays"
    assert accounts.resume("ann").suspended_at is None
    assert keys.authenticate(secret) is not None
    assert sessions.authenticate(opened.token) is not None


def test_only_what_exists_is_suspended_and_never_the_local_owner(store: Store, clock: Any) -> None:
    accounts = Accounts(store, clock)
    accounts.local_owner()
    assert refusal(lambda: accounts.suspend("nobody")).code == "not_found"
    assert refusal(lambda: accounts.resume("nobody")).code == "not_found"
    assert refusal(lambda: accounts.suspend("local")).code == "forbidden"
