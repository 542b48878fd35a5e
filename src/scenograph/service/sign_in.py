"""Sign-up, sign-in by a mailed link, and the sessions of browsers (R-ACCOUNT-1, R-SESSION-2, R-SESSION-5)."""

from __future__ import annotations

import hashlib
import re
import secrets
from datetime import datetime, timedelta
from urllib.parse import urlencode

from scenograph.late_dataclasses import dataclass
from scenograph.service.accounts import (
    MEMBER,
    Caller,
    NewKey,
    caller_of,
    new_account_id,
    new_key,
    normalized,
    require_not_suspended,
)
from scenograph.service.clock import Clock
from scenograph.service.errors import ServiceError, account_is_gone
from scenograph.service.mailing import Desk, Post, invitation, verification
from scenograph.service.rate_limits import RateLimits, TooManyRequestsError, Verdict
from scenograph.storage.interface import Account, NewSecrets, SessionRecord, Store

# Sessions of browsers: opened by a sign-in, carried by a cookie, ended by signing out (R-SESSION-1, R-SESSION-3).
#
# The token is known to the browser alone; the store has its SHA-256. A token is long and random, which makes a plain
# hash safe against search.

SESSION_LIFE = timedelta(days=30)
_TOKEN_BYTES = 32
ID_BYTES = 8
_POSSIBLE_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSession:
    """A session with the token: known at this moment only."""

    token: str
    seconds: int


class Sessions:
    """The signed-in browsers of all accounts."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    def open(self, account: Account, replaced: str | None) -> NewSession:
        """Sign a browser in, under a fresh token; the session of the token `replaced` ends. Raises account_suspended,
        and invalid_api_key for an account deleted meanwhile."""
        require_not_suspended(account)
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        now = self._clock()
        session = SessionRecord(
            id=f"ses_{secrets.token_hex(ID_BYTES)}",
            account_id=account.id,
            created_at=now,
            expires_at=now + SESSION_LIFE,
        )
        try:
            self._store.open_session(session, _hash(token), None if replaced is None else _hash(replaced))
        except LookupError:
            raise account_is_gone() from None
        return NewSession(token=token, seconds=int(SESSION_LIFE.total_seconds()))

    def authenticate(self, token: str) -> Caller | None:
        """The caller for a token; None for an unknown, ended or expired session. Raises account_suspended."""
        if not _POSSIBLE_TOKEN.fullmatch(token):
            return None
        found = self._store.session_by_hash(_hash(token), self._clock())
        if found is None:
            return None
        session, account = found
        return caller_of(account, key_id=session.id, by_session=True)

    def end(self, caller: Caller) -> int:
        """Sign the caller's browser out; the number of ended sessions, 0 for a caller with a key."""
        if not caller.by_session or caller.key_id is None:
            return 0
        return int(self._store.end_session(caller.account_id, caller.key_id))

    def end_all(self, account_id: str) -> int:
        """Sign all browsers of an account out; the number of ended sessions."""
        return self._store.end_sessions(account_id)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


# Sign-in by a mailed link (R-SESSION-2, R-SESSION-5).
#
# The answer to a request for a link is the same for every address, and takes the same reads and writes: a link for an
# address without a verified account is kept as well, belongs to nobody and is mailed to nobody. An account whose
# address is not verified gets no link: a stranger may have opened the account, and would hold its key.

_SIGN_IN_PATH = "/accounts/sign-in"
LINK_LIFE = timedelta(minutes=15)


class SignInLinks:
    """Links that sign in, mailed to verified addresses."""

    def __init__(self, store: Store, clock: Clock, limits: RateLimits, post: Post, desk: Desk) -> None:
        self._store = store
        self._clock = clock
        self._limits = limits
        self._post = post
        self._desk = desk

    @property
    def are_offered(self) -> bool:
        """Whether links are mailed on this service."""
        return self._desk.mails_links

    def ask(self, email: object, host: str) -> None:
        """Mail a link to an address with a verified account, for a caller at `host`. Raises forbidden where no links
        are mailed, invalid_request, rate_limited."""
        if not self.are_offered:
            raise ServiceError("forbidden", "This service mails no links; sign in with an API key.")
        address = normalized(email)
        verdict = self._limits.of_sign_in(host)
        if verdict is not None and not verdict.state.allowed:
            sentence = f"At most {verdict.allowance.burst} links an hour are mailed for a network."
            raise TooManyRequestsError(sentence, verdict)
        self.mail(self._store.verified_member(address), address, host)

    def mail(self, account: Account | None, address: str, host: str) -> None:
        """Keep a link and, for an account that is not suspended, mail the link. Beyond the limits of a mailbox nothing
        is mailed, silently: a refusal would tell of others' requests."""
        admitted = [self._limits.of_links_from(host, address), self._limits.of_links_to(address)]
        opens = account is not None and account.suspended_at is None
        if not opens or any(verdict is not None and not verdict.state.allowed for verdict in admitted):
            account = None
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        self._store.add_sign_in_token(_link_hash(token), account.id if account else None, self._clock())
        if account is not None:
            link = f"{self._desk.site}{_SIGN_IN_PATH}?{urlencode({'token': token})}"
            self._post(invitation(self._desk.sender, address, link), account.id)

    def use(self, token: object) -> Account:
        """Use up a link's token; the account to sign in. Raises invalid_token for an unknown, used or expired token."""
        text = token.strip() if isinstance(token, str) else ""
        possible = _POSSIBLE_TOKEN.fullmatch(text)
        used = self._store.use_sign_in_token(_link_hash(text), self._clock() - LINK_LIFE) if possible else None
        account = self._store.account(used.account_id) if used and used.account_id else None
        if account is None:
            raise ServiceError(
                "invalid_token", "This token is not known: it was used already, or it is older than 15 minutes."
            )
        return account


def _link_hash(token: str) -> str:
    return hashlib.sha256(f"link {token}".encode()).hexdigest()


# Sign-up, and the mail that verifies an address (R-ACCOUNT-1, R-ACCOUNT-2, R-ACCOUNT-3).
#
# A sign-up makes a new account, even for an address with unverified accounts: the answer reveals nothing about other
# accounts and changes none. For an address verified by an account the answer has the same members, an account and a key
# that open nothing, and the mail holds a link that signs in. A token verifies only the account of its own sign-up; a
# sign-up with a foreign address yields an account that stays unverified. Beyond the limit of a mailbox the answer is
# the same, and no mail is sent. Each account can ask for another mail, regardless of strangers' sign-ups with its
# address.

_VERIFY_PATH = "/accounts/verify"
TOKEN_LIFE = timedelta(hours=24)
_FIRST_KEY = "first key"


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A new account and its first key, with the secret."""

    account_id: str
    email: str
    key: NewKey


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """A verified account."""

    account_id: str
    email_verified_at: datetime


class SignUp:
    """Sign-up and verification. `post` takes a mail and its identification in the log."""

    def __init__(self, store: Store, clock: Clock, limits: RateLimits, post: Post, desk: Desk) -> None:
        self._store = store
        self._clock = clock
        self._limits = limits
        self._post = post
        self._desk = desk
        self._links = SignInLinks(store, clock, limits, post, desk)

    def open(self, email: object, host: str) -> Opened:
        """A new, unverified account for a caller at `host`; for a known, verified address only its semblance. Raises
        forbidden while sign-up is off, invalid_request, rate_limited."""
        if not self._desk.is_open:
            raise ServiceError("forbidden", "Sign-up is off on this service; its operator can give you a key.")
        address = normalized(email)
        _admit(self._limits.of_sign_up(host))
        known = self._store.verified_member(address)
        if known is not None:
            self._links.mail(known, address, host)
            semblance, _, _ = new_key(known.id, _FIRST_KEY, self._clock())
            return Opened(account_id=new_account_id(), email=address, key=semblance)
        mailbox = self._limits.of_mailbox(address)
        account = Account(id=new_account_id(), email=address, email_verified_at=None, role=MEMBER)
        opened, token = self._kept(account)
        if mailbox is None or mailbox.state.allowed:  # the refusal would reveal foreign sign-ups
            self._mail(account.id, address, token)
        return opened

    def resend(self, caller: Caller) -> str:
        """Mail the caller another link; the recipient's address. Raises email_already_verified, rate_limited."""
        account = self._store.account(caller.account_id)
        if account is None or account.email is None or account.email_verified_at is not None:
            raise ServiceError("email_already_verified", "The account is verified already.")
        _admit(self._limits.of_resend(account.id))
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        self._store.add_mail_token(account.id, _hash(token), self._clock())
        self._mail(account.id, account.email, token)
        return account.email

    def verify(self, token: object) -> Verified:
        """Use up a token. Raises invalid_token for an unknown, used or expired token."""
        text = token.strip() if isinstance(token, str) else ""
        now = self._clock()
        found = (
            self._store.verify_by_token(_hash(text), now - TOKEN_LIFE, now) if _POSSIBLE_TOKEN.fullmatch(text) else None
        )
        if found is None or found.email_verified_at is None:
            raise ServiceError(
                "invalid_token", "This token is not known: it was used already, or it is older than 24 hours."
            )
        return Verified(account_id=found.id, email_verified_at=found.email_verified_at)

    def _kept(self, account: Account) -> tuple[Opened, str]:
        while True:
            now = self._clock()
            made, record, key_hash = new_key(account.id, _FIRST_KEY, now)
            token = secrets.token_urlsafe(_TOKEN_BYTES)
            hashes = NewSecrets(key_hash=key_hash, token_hash=_hash(token))
            if self._store.open_account(account, record, hashes, now):
                return Opened(account_id=account.id, email=str(account.email), key=made), token

    def _mail(self, account_id: str, address: str, token: str) -> None:
        link = f"{self._desk.site}{_VERIFY_PATH}?{urlencode({'token': token})}"
        self._post(verification(self._desk.sender, address, link, account_id), account_id)


def _admit(verdict: Verdict | None) -> None:
    if verdict is not None and not verdict.state.allowed:
        sentence = f"At most {verdict.allowance.burst} sign-ups an hour are accepted per network and e-mail address."
        raise TooManyRequestsError(sentence, verdict)
