"""API keys: creation, authentication, seeding (R-KEY-2, R-KEY-6).

A secret is shown once, at creation. Its SHA-256 is stored; secrets are long and random, which makes a plain hash safe
against search.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import threading
from contextlib import suppress
from datetime import datetime, timedelta

from scenograph.late_dataclasses import dataclass
from scenograph.service.accounts import MEMBER, Accounts, Caller, caller_of, most_keys
from scenograph.service.clock import Clock
from scenograph.service.errors import ServiceError, account_is_gone, invalid_request, quota_exceeded
from scenograph.storage.interface import NO_QUOTA, KeyRecord, Quota, QuotaReached, StorageUnavailable, Store
from scenograph.wire.limits import KEY_NAME_LENGTH

PREFIX = "dsp_sk_"
RANDOM_BYTES = 16  # 32 hexadecimal characters
ID_BYTES = 8
USE_NOTED_EVERY = timedelta(minutes=1)  # a finer time would cost a write for every read
NOTE_SECONDS = 0.15  # a caller's wait for the note of a key's use
MOST_NOTES = 4  # under way at once; further ones are left out
BOOTSTRAP_NAME = "bootstrap"
_POSSIBLE_ID = re.compile(r"[A-Za-z0-9_-]{1,128}")
_DOCUMENTED_FORM = re.compile(rf"{PREFIX}[0-9a-fA-F]{{{2 * RANDOM_BYTES}}}")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029]")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewKey:
    """A new key with its secret, which is known only at this moment."""

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
        return Quota(keys=most_keys(self._most, self._store.account(account_id))) if self._most else NO_QUOTA

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
        self._store.add_key(_record(account.id, BOOTSTRAP_NAME, self._clock()), _hash(value))
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
        if last is None or now - last >= USE_NOTED_EVERY:
            self._tried[key.id] = now
            note = threading.Thread(target=self._write_use, args=(key.id, now), daemon=True)
            note.start()
            note.join(NOTE_SECONDS)

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
    return KeyRecord(id=f"key_{secrets.token_hex(ID_BYTES)}", account_id=account_id, name=name, created_at=at)


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
