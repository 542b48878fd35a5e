"""Callers, and the accounts without a sign-up: the operator's, the supporters', the local owner's.

An account owns keys and scenes (R-KEY-6). Seeded accounts have fixed ids: a restart finds them again, and scenes
outlive an exchanged key.
"""

from __future__ import annotations

import re
import secrets
from datetime import datetime

from scenograph.late_dataclasses import dataclass
from scenograph.service.clock import Clock
from scenograph.service.errors import ServiceError, account_is_gone, invalid_request
from scenograph.storage.interface import NO_QUOTA, Account, AccountDeletion, AccountEntry, Author, Grantee, Quota, Store
from scenograph.wire.limits import EMAIL_LENGTH

# E-mail addresses in stored form: a single form for all spellings of an address. Accepted is the HTML Living
# Standard's "valid e-mail address", with a dot in the domain and within the lengths of RFC 5321; none can end a
# header line. Domains beyond ASCII become their IDNA form.


MAX_LOCAL = 64
_LOCAL = re.compile(r"[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_DOMAIN = re.compile(rf"(?:{_LABEL}\.)+{_LABEL}")


def normalized(value: object) -> str:
    """The address in lower case. Raises invalid_request for an undeliverable address."""
    text = value.strip() if isinstance(value, str) else ""
    local, _, domain = text[: 2 * EMAIL_LENGTH].lower().rpartition("@")
    domain = _ascii(domain)
    address = f"{local}@{domain}"
    possible = _LOCAL.fullmatch(local) and _DOMAIN.fullmatch(domain)
    if not possible or len(local) > MAX_LOCAL or len(address) > EMAIL_LENGTH or len(text) > EMAIL_LENGTH:
        raise invalid_request(
            f"email must be an address such as ann@example.org, of at most {EMAIL_LENGTH} characters."
        )
    return address


def _ascii(domain: str) -> str:
    try:
        return domain.encode("idna").decode("ascii").lower()
    except UnicodeError:
        return ""


MEMBER, SUPPORT = "member", "support"
SEEDED_IDS = {MEMBER: "operator", SUPPORT: "support"}
LOCAL_ID = "local"
ID_BYTES = 12
UNVERIFIED_KEYS = 2  # of an account whose address is not verified, at most
DELETED_AT_ONCE = 100  # scenes a step: nobody waits long behind a deletion


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """The account behind a request. `key_id` is the id of the key, or of the browser's session if `by_session`; None
    without either (AUTH_DISABLED). `key_name` is None without a key. `email` is the account's verified address."""

    account_id: str
    email_verified: bool
    role: str
    key_id: str | None = None
    key_name: str | None = None
    by_session: bool = False
    email: str | None = None

    @property
    def grantee(self) -> Grantee:
        """The caller as the receiver of grants."""
        return Grantee(account_id=self.account_id, email=self.email)

    @property
    def author(self) -> Author:
        """The caller as the author of a revision."""
        return Author(account_id=self.account_id, key_name=self.key_name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """A counter of an account and its limit; None without a limit."""

    used: int
    limit: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """An account as its owner sees it."""

    account: Account
    created_at: datetime
    keys: Use
    scenes: Use
    stored_bytes: Use


class Accounts:
    """The seeded accounts, an account for its owner, and all accounts for the operator. `quota` bounds each account."""

    def __init__(self, store: Store, clock: Clock, *, quota: Quota = NO_QUOTA) -> None:
        self._store = store
        self._clock = clock
        self._quota = quota

    def seeded(self, role: str) -> Account:
        """The verified account of the operator (member) or of the supporters (support); made when missing."""
        return self._standing(SEEDED_IDS[role], role)

    def local_owner(self) -> Caller:
        """The verified owner of every call under AUTH_DISABLED; made when missing."""
        account = self._standing(LOCAL_ID, MEMBER)
        return caller_of(account, key_id=None)

    def all(self, email: str | None = None) -> tuple[AccountEntry, ...]:
        """All accounts, or those of an address, oldest first. Raises invalid_request for a malformed address."""
        return self._store.accounts(None if email is None else normalized(email))

    def known(self, account_id: str, role: str) -> Account:
        """An account by its id. Raises not_found, and invalid_request when the account has another role."""
        found = self._store.account(account_id)
        if found is None:
            raise _no_such_account()
        if found.role != role:
            raise invalid_request(f"The account {account_id} has the role {found.role}.")
        return found

    def of_operator(self, role: str, email: str | None) -> Account:
        """The seeded account of a role, or the account with the given address.

        A missing account is made, and verified because the operator vouches for the address. Raises invalid_request
        when several accounts have the address.
        """
        if email is None:
            return self.seeded(role)
        found = [entry for entry in self.all(email) if entry.role == role]
        if len(found) > 1:
            raise invalid_request(f"Several accounts have this address: {', '.join(entry.id for entry in found)}.")
        if found:
            return self.known(found[0].id, role)
        now = self._clock()
        account = Account(id=new_account_id(), email=normalized(email), email_verified_at=now, role=role)
        self._store.add_account(account, now)
        return account

    def overview(self, account_id: str) -> Overview:
        """The account with its figures. Raises invalid_api_key for an account deleted meanwhile."""
        account, held = self._store.account(account_id), self._store.holdings(account_id)
        if account is None or held is None:
            raise account_is_gone()
        return Overview(
            account=account,
            created_at=held.created_at,
            keys=Use(used=held.keys, limit=most_keys(self._quota.keys, account) or None),
            scenes=Use(used=held.scenes, limit=self._quota.scenes or None),
            stored_bytes=Use(used=held.stored_bytes, limit=self._quota.stored_bytes or None),
        )

    def suspend(self, account_id: str) -> Account:
        """Refuse the account's keys and sessions and hide its publications, from now on; harmless when repeated. Raises
        not_found, and forbidden for the local owner."""
        if account_id == LOCAL_ID:
            raise ServiceError("forbidden", "The local owner, who needs no key, cannot be suspended.")
        return self._suspended(account_id, self._clock())

    def resume(self, account_id: str) -> Account:
        """End a suspension; harmless when repeated. Raises not_found."""
        return self._suspended(account_id, None)

    def verify(self, account_id: str) -> Account:
        """Verify an account by hand; harmless when repeated. Raises not_found."""
        verified = self._store.verify_account(account_id, self._clock())
        if verified is None:
            raise _no_such_account()
        return verified

    def delete(self, account_id: str) -> None:
        """Remove an account for good, with its keys, scenes and claims on addresses. Raises not_found, and forbidden
        for a supporter in the log of views."""
        while (done := self._store.delete_account(account_id, DELETED_AT_ONCE)) is AccountDeletion.MORE_TO_DO:
            pass
        if done is AccountDeletion.UNKNOWN:
            raise _no_such_account()
        if done is AccountDeletion.IN_THE_LOG:
            sentence = "The account looked at submissions, and the log of that is kept; revoke its keys instead."
            raise ServiceError("forbidden", sentence)

    def _suspended(self, account_id: str, at: datetime | None) -> Account:
        account = self._store.suspend_account(account_id, at)
        if account is None:
            raise _no_such_account()
        return account

    def _standing(self, account_id: str, role: str) -> Account:
        found = self._store.account(account_id)
        if found is not None:
            return found
        now = self._clock()
        account = Account(id=account_id, email=None, email_verified_at=now, role=role)
        self._store.add_account(account, now)
        return account


def new_account_id() -> str:
    """A new, random account id."""
    return f"acc_{secrets.token_hex(ID_BYTES)}"


def _no_such_account() -> ServiceError:
    return ServiceError("not_found", "There is no such account.")


def most_keys(most: int, account: Account | None) -> int:
    """The most keys of an account, of `most` for verified accounts; 0 is no limit."""
    verified = account is not None and account.email_verified_at is not None
    return most if verified or not most else min(most, UNVERIFIED_KEYS)


def caller_of(account: Account, *, key_id: str | None, key_name: str | None = None, by_session: bool = False) -> Caller:
    """The caller for an account and the key or session of the request. Raises account_suspended."""
    require_not_suspended(account)
    return Caller(
        account_id=account.id,
        email_verified=account.email_verified_at is not None,
        role=account.role,
        key_id=key_id,
        key_name=key_name,
        by_session=by_session,
        email=None if account.email_verified_at is None else account.email,
    )


def require_not_suspended(account: Account) -> None:
    """Raises account_suspended for an account suspended by the operator."""
    if account.suspended_at is not None:
        raise ServiceError("account_suspended", "The operator of this service has suspended this account.")
