"""Callers, accounts and their API keys: creation, authentication, seeding (R-KEY-2, R-KEY-6)."""

from __future__ import annotations

import hashlib
import re
import secrets
import threading
from contextlib import suppress
from datetime import datetime, timedelta

from scenograph.late_dataclasses import dataclass
from scenograph.service.clock import Clock
from scenograph.service.errors import ServiceError, account_is_gone, invalid_request, quota_exceeded
from scenograph.storage.interface import (
    NO_QUOTA,
    Account,
    AccountDeletion,
    AccountEntry,
    Author,
    Grantee,
    KeyRecord,
    Quota,
    QuotaReached,
    StorageUnavailable,
    Store,
)
from scenograph.wire.names import EMAIL_LENGTH, KEY_NAME_LENGTH

# E-mail addresses in stored form: a single form for all spellings of an address. Accepted is the HTML Living
# Standard's "valid e-mail address", with a dot in the domain and within the lengths of RFC 5321; none can end a
# header line. Domains beyond ASCII become their IDNA form.


_MAX_LOCAL = 64
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
    if not possible or len(local) > _MAX_LOCAL or len(address) > EMAIL_LENGTH or len(text) > EMAIL_LENGTH:
        raise invalid_request(
            f"email must be an address such as ann@example.org, of at most {EMAIL_LENGTH} characters."
        )
    return address


def _ascii(domain: str) -> str:
    try:
        return domain.encode("idna").decode("ascii").lower()
    except UnicodeError:
        return ""


# Callers, and the accounts without a sign-up: the operator's, the supporters', the local owner's.
#
# An account owns keys and scenes (R-KEY-6). Seeded accounts have fixed ids: a restart finds them again, and scenes
# outlive an exchanged key.


MEMBER, SUPPORT = "member", "support"
SEEDED_IDS = {MEMBER: "operator", SUPPORT: "support"}
_LOCAL_ID = "local"
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
        account = self._standing(_LOCAL_ID, MEMBER)
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
            keys=Use(used=held.keys, limit=_most_keys(self._quota.keys, account) or None),
            scenes=Use(used=held.scenes, limit=self._quota.scenes or None),
            stored_bytes=Use(used=held.stored_bytes, limit=self._quota.stored_bytes or None),
        )

    def suspend(self, account_id: str) -> Account:
        """Refuse the account's keys and sessions and hide its publications, from now on; harmless when repeated. Raises
        not_found, and forbidden for the local owner."""
        if account_id == _LOCAL_ID:
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


def _most_keys(most: int, account: Account | None) -> int:
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


# API keys: creation, authentication, seeding (R-KEY-2, R-KEY-6).
#
# A secret is shown once, at creation. Its SHA-256 is stored; secrets are long and random, which makes a plain hash safe
# against search.

PREFIX = "dsp_sk_"
RANDOM_BYTES = 16  # 32 hexadecimal characters
_KEY_ID_BYTES = 8
_USE_NOTED_EVERY = timedelta(minutes=1)  # a finer time would cost a write for every read
_NOTE_SECONDS = 0.15  # a caller's wait for the note of a key's use
MOST_NOTES = 4  # under way at once; further ones are left out
_BOOTSTRAP_NAME = "bootstrap"
_POSSIBLE_ID = re.compile(r"[A-Za-z0-9_-]{1,128}")
_DOCUMENTED_FORM = re.compile(rf"{PREFIX}[0-9a-fA-F]{{{2 * RANDOM_BYTES}}}")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029]")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewKey:
    """A new key with the secret: known at this moment only."""

    id: str
    key: str
    name: str


class Keys:
    """The keys of all accounts; `most` bounds the keys of an account (0: no limit)."""

    def __init__(self, store: Store, clock: Clock, most: int = 0) -> None:
        self._most = most
        self._store = store
        self._clock = clock
        self._accounts = Accounts(store, clock)
        self._noting = threading.BoundedSemaphore(MOST_NOTES)
        self._tried: dict[str, datetime] = {}  # when this process last noted the use of each key

    def create(self, account_id: str, name: object) -> NewKey:
        """A new key of the account. invalid_request unless `name` is 1 to 100 printable characters; quota_exceeded."""
        wanted = name.strip() if isinstance(name, str) else ""
        if not 1 <= len(wanted) <= KEY_NAME_LENGTH or _CONTROL.search(wanted):
            raise invalid_request(f"name must be text of 1 to {KEY_NAME_LENGTH} characters without control characters.")
        quota = self._quota_of(account_id)
        while True:
            made, record, secret_hash = new_key(account_id, wanted, self._clock())
            try:
                added = self._store.add_key(record, secret_hash, quota=quota)
            except LookupError:
                raise account_is_gone() from None
            if isinstance(added, QuotaReached):
                raise quota_exceeded(added)
            if added:
                return made

    def _quota_of(self, account_id: str) -> Quota:
        return Quota(keys=_most_keys(self._most, self._store.account(account_id))) if self._most else NO_QUOTA

    def authenticate(self, secret: str) -> Caller | None:
        """The caller for a secret, or None for an unknown secret. Raises account_suspended.

        Costs a hash and a look-up by the hash for every input, which makes timing useless to an attacker.
        """
        found = self._store.key_by_hash(_hash(secret))
        if found is None:
            return None
        key, account = found
        caller = caller_of(account, key_id=key.id, key_name=key.name)
        self._note_use(key)
        return caller

    def bootstrap(self, secret: str, role: str = MEMBER) -> str | None:
        """Seed a key of the operator's (or, with role support, the supporters') account; harmless when repeated.

        Gives a warning to log, or None. The warning never quotes the value.
        """
        value = secret.strip()
        if not value:
            return "The bootstrap key is empty and was not seeded."
        account = self._accounts.seeded(role)
        self._store.add_key(_record(account.id, _BOOTSTRAP_NAME, self._clock()), _hash(value))
        found = self._store.key_by_hash(_hash(value))
        if found is None:
            return "The bootstrap key was revoked and stays so; it was not seeded again."
        if found[1].id != account.id:
            return "The bootstrap key belongs to another account already and was not seeded."
        if _DOCUMENTED_FORM.fullmatch(value) is None:
            return (
                f"The bootstrap key is not of the form {PREFIX} and 32 hexadecimal characters; use a long random one."
            )
        return None

    def of_account(self, account_id: str) -> tuple[KeyRecord, ...]:
        """The account's keys, oldest first; nothing of their secrets."""
        return self._store.keys_of(account_id)

    def exist(self) -> bool:
        """Whether any account has a key."""
        return any(self._store.keys_of(account.id) for account in self._accounts.all())

    def revoke(self, account_id: str, key_id: str) -> None:
        """Revoke a key at once and permanently. Raises not_found unless the account has the key."""
        if not _POSSIBLE_ID.fullmatch(key_id) or not self._store.revoke_key(account_id, key_id, self._clock()):
            raise ServiceError("not_found", "There is no such key.")

    def _note_use(self, key: KeyRecord) -> None:
        """Note the use of a key, at most once a minute and in a thread of short patience: a store that cannot write
        must not block authentication."""
        now = self._clock()
        last = max(filter(None, (key.last_used_at, self._tried.get(key.id))), default=None)
        if last is None or now - last >= _USE_NOTED_EVERY:
            self._tried[key.id] = now
            note = threading.Thread(target=self._write_use, args=(key.id, now), daemon=True)
            note.start()
            note.join(_NOTE_SECONDS)

    def _write_use(self, key_id: str, at: datetime) -> None:
        if self._noting.acquire(blocking=False):
            try:
                with suppress(StorageUnavailable):
                    self._store.note_key_used(key_id, at)
            finally:
                self._noting.release()


def new_key(account_id: str, name: str, at: datetime) -> tuple[NewKey, KeyRecord, str]:
    """A new key: the owner's view with the secret, the stored record, and the secret's hash."""
    secret = PREFIX + secrets.token_hex(RANDOM_BYTES)
    record = _record(account_id, name, at)
    return NewKey(id=record.id, key=secret, name=name), record, _hash(secret)


def _record(account_id: str, name: str, at: datetime) -> KeyRecord:
    return KeyRecord(id=f"key_{secrets.token_hex(_KEY_ID_BYTES)}", account_id=account_id, name=name, created_at=at)


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
