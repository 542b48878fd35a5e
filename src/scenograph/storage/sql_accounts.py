"""Accounts and their keys, as statements."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import and_, bindparam, insert, or_, select, update

from scenograph.storage.connections import AnyRow, Connections, ConstraintBroken, repeated
from scenograph.storage.interface import Account, KeyRecord
from scenograph.storage.records import NO_QUOTA, Quota, QuotaReached
from scenograph.storage.schema import accounts, api_keys, secrets
from scenograph.storage.sql_quotas import BeyondQuota, charge

_ACCOUNT = select(accounts.c.id, accounts.c.email, accounts.c.email_verified_at, accounts.c.role).where(
    accounts.c.id == bindparam("account")
)
_KEY = (
    select(
        api_keys.c.id.label("key_id"),
        api_keys.c.name,
        api_keys.c.created_at,
        api_keys.c.last_used_at,
        accounts.c.id,
        accounts.c.email,
        accounts.c.email_verified_at,
        accounts.c.role,
    )
    .join_from(api_keys, accounts)
    .where(api_keys.c.secret_hash == bindparam("hash"), api_keys.c.revoked_at.is_(None))
)
_KEYS = (
    select(api_keys.c.id, api_keys.c.account_id, api_keys.c.name, api_keys.c.created_at, api_keys.c.last_used_at)
    .where(api_keys.c.account_id == bindparam("account"), api_keys.c.revoked_at.is_(None))
    .order_by(api_keys.c.created_at, api_keys.c.id)
)
_SECRET = select(secrets.c.value).where(secrets.c.name == bindparam("name"))


class AccountsAndKeys(Connections):
    """Part of the store: who there is, and by which secrets they are known."""

    @repeated
    def add_account(self, account: Account, at: datetime) -> None:
        """Insert; an account that stands already is left alone."""
        try:
            with self._write() as connection:
                connection.execute(insert(accounts), account_row(account, at))
        except ConstraintBroken:
            if self.account(account.id) is None:
                raise ValueError(f"not an account that can be stored: role {account.role!r}") from None

    def account(self, account_id: str) -> Account | None:
        """An account by id."""
        row = self._row(_ACCOUNT, account=account_id)
        return None if row is None else account_of(row)

    @repeated
    def add_key(self, key: KeyRecord, secret_hash: str, *, quota: Quota = NO_QUOTA) -> bool | QuotaReached:
        """Insert; False when the hash (or the key's id) is known. LookupError when there is no such account."""
        try:
            with self._write() as connection:
                connection.execute(insert(api_keys), key_row(key, secret_hash))
                charge(connection, key.account_id, keys=1, quota=quota)
        except BeyondQuota as beyond:
            return beyond.reached
        except ConstraintBroken:
            self._require_account(key.account_id)
            return False
        return True

    def key_by_hash(self, secret_hash: str) -> tuple[KeyRecord, Account] | None:
        """One indexed look-up; the same work for a known and an unknown hash."""
        row = self._row(_KEY, hash=secret_hash)
        if row is None:
            return None
        key = KeyRecord(
            id=row.key_id,
            account_id=row.id,
            name=row.name,
            created_at=row.created_at,
            last_used_at=row.last_used_at,
        )
        return key, account_of(row)

    def keys_of(self, account_id: str) -> tuple[KeyRecord, ...]:
        """The account's keys that still open something."""
        rows = self._rows(_KEYS, account=account_id)
        return tuple(
            KeyRecord(
                id=row.id,
                account_id=row.account_id,
                name=row.name,
                created_at=row.created_at,
                last_used_at=row.last_used_at,
            )
            for row in rows
        )

    @repeated
    def revoke_key(self, account_id: str, key_id: str, at: datetime) -> bool:
        """The row stays, so that the same secret cannot be seeded again."""
        own = and_(api_keys.c.id == key_id, api_keys.c.account_id == account_id, api_keys.c.revoked_at.is_(None))
        with self._write() as connection:
            revoked = connection.execute(update(api_keys).where(own).values(revoked_at=at)).rowcount == 1
            if revoked:
                charge(connection, account_id, keys=-1)
        return revoked

    @repeated
    def note_key_used(self, key_id: str, at: datetime) -> None:
        """A conditional UPDATE: of two notes the later time stays."""
        earlier = or_(api_keys.c.last_used_at.is_(None), api_keys.c.last_used_at < at)
        with self._write() as connection:
            connection.execute(update(api_keys).where(api_keys.c.id == key_id, earlier).values(last_used_at=at))

    @repeated
    def secret(self, name: str, fresh: bytes) -> bytes:
        """The primary key decides whose is kept of two servers that start at once."""
        known = self._row(_SECRET, name=name)
        if known is None:
            try:
                with self._write() as connection:
                    connection.execute(insert(secrets), {"name": name, "value": fresh})
            except ConstraintBroken:
                return self.secret(name, fresh)
            return fresh
        return known.value

    def ping(self) -> None:
        """Read from a table: a database that is there but empty does not answer either."""
        self._row(_ACCOUNT, account="")

    def _require_account(self, account_id: str) -> None:
        if self.account(account_id) is None:
            raise LookupError(f"there is no account {account_id!r}")


def account_row(account: Account, at: datetime) -> dict[str, object]:
    """An account as it is inserted."""
    return {
        "id": account.id,
        "email": account.email,
        "email_verified_at": account.email_verified_at,
        "role": account.role,
        "created_at": at,
    }


def key_row(key: KeyRecord, secret_hash: str) -> dict[str, object]:
    """A key as it is inserted."""
    return {
        "id": key.id,
        "account_id": key.account_id,
        "name": key.name,
        "secret_hash": secret_hash,
        "created_at": key.created_at,
    }


def account_of(row: AnyRow) -> Account:
    """An account as it is read."""
    return Account(id=row.id, email=row.email, email_verified_at=row.email_verified_at, role=row.role)
