"""Sign-up, and the mail that verifies an address (R-ACCOUNT-1, R-ACCOUNT-2, R-ACCOUNT-3).

A sign-up makes a new account, even for an address with unverified accounts: the answer reveals nothing about other
accounts and changes none. For an address verified by an account the answer has the same members, an account and a key
that open nothing, and the mail holds a link that signs in. A token verifies only the account of its own sign-up; a
sign-up with a foreign address yields an account that stays unverified. Beyond the limit of a mailbox the answer is the
same, and no mail is sent. Each account can ask for another mail, regardless of strangers' sign-ups with its address.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from datetime import datetime, timedelta
from urllib.parse import urlencode

from scenograph.late_dataclasses import dataclass
from scenograph.service.accounts import MEMBER, Caller, new_account_id, normalized
from scenograph.service.clock import Clock
from scenograph.service.errors import ServiceError
from scenograph.service.keys import NewKey, new_key
from scenograph.service.mailing import Desk, Post, verification
from scenograph.service.rate_limits import RateLimits, TooManyRequestsError, Verdict
from scenograph.service.sign_in import SignInLinks
from scenograph.storage.interface import Account, NewSecrets, Store

VERIFY_PATH = "/accounts/verify"
TOKEN_LIFE = timedelta(hours=24)
TOKEN_BYTES = 32
FIRST_KEY = "first key"
_POSSIBLE_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


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
            semblance, _, _ = new_key(known.id, FIRST_KEY, self._clock())
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
        token = secrets.token_urlsafe(TOKEN_BYTES)
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
            made, record, key_hash = new_key(account.id, FIRST_KEY, now)
            token = secrets.token_urlsafe(TOKEN_BYTES)
            hashes = NewSecrets(key_hash=key_hash, token_hash=_hash(token))
            if self._store.open_account(account, record, hashes, now):
                return Opened(account_id=account.id, email=str(account.email), key=made), token

    def _mail(self, account_id: str, address: str, token: str) -> None:
        link = f"{self._desk.site}{VERIFY_PATH}?{urlencode({'token': token})}"
        self._post(verification(self._desk.sender, address, link, account_id), account_id)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _admit(verdict: Verdict | None) -> None:
    if verdict is not None and not verdict.state.allowed:
        sentence = f"At most {verdict.allowance.burst} sign-ups an hour are accepted per network and e-mail address."
        raise TooManyRequestsError(sentence, verdict)
