"""Accounts that somebody signs up for, and the tokens that prove an address, as statements."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import bindparam, delete, insert, select, update

from scenograph.storage.connections import ConstraintBroken, repeated
from scenograph.storage.interface import Account, KeyRecord
from scenograph.storage.records import AccountEntry, NewSecrets
from scenograph.storage.schema import accounts, api_keys, mail_tokens
from scenograph.storage.sql_accounts import AccountsAndKeys, account_of, account_row, key_row
from scenograph.storage.sql_quotas import charge

_BY_ID = select(accounts).where(accounts.c.id == bindparam("account"))
_OLDEST_FIRST = select(accounts).order_by(accounts.c.created_at, accounts.c.id)
_USE = (
    delete(mail_tokens)
    .where(
        mail_tokens.c.token_hash == bindparam("hash"),
        mail_tokens.c.made_at > bindparam("made_after", type_=mail_tokens.c.made_at.type),
    )
    .returning(mail_tokens.c.account_id)
)
_VERIFY = (
    update(accounts)
    .where(accounts.c.id == bindparam("account"), accounts.c.email_verified_at.is_(None))
    .values(email_verified_at=bindparam("at"))
)


class SignUps(AccountsAndKeys):
    """Part of the store: how accounts come about and become verified."""

    @repeated
    def open_account(self, account: Account, key: KeyRecord, secrets: NewSecrets, at: datetime) -> bool:
        """Three inserts in one transaction; a key or a hash that is known breaks a constraint and undoes all."""
        token = {"token_hash": secrets.token_hash, "account_id": account.id, "made_at": at}
        try:
            with self._write() as connection:
                connection.execute(insert(accounts), account_row(account, at))
                connection.execute(insert(api_keys), key_row(key, secrets.key_hash))
                charge(connection, account.id, keys=1)
                connection.execute(insert(mail_tokens), token)
        except ConstraintBroken:
            return False
        return True

    @repeated
    def add_mail_token(self, account_id: str, token_hash: str, at: datetime) -> None:
        """Insert; earlier tokens of the account stay good for what is left of their time."""
        try:
            with self._write() as connection:
                connection.execute(
                    insert(mail_tokens), {"token_hash": token_hash, "account_id": account_id, "made_at": at}
                )
        except ConstraintBroken:
            self._require_account(account_id)
            raise

    @repeated
    def verify_by_token(self, token_hash: str, made_after: datetime, at: datetime) -> Account | None:
        """Of two that bring a token at once, the one whose DELETE finds the row has used it."""
        with self._write() as connection:
            wanted = {"hash": token_hash, "made_after": made_after}
            account_id = connection.execute(_USE, wanted).scalar_one_or_none()
            if account_id is None:
                return None
            connection.execute(_VERIFY, {"account": account_id, "at": at})
            return account_of(connection.execute(_BY_ID, {"account": account_id}).one())

    @repeated
    def verify_account(self, account_id: str, at: datetime) -> Account | None:
        """The first time stays: a conditional UPDATE."""
        with self._write() as connection:
            connection.execute(_VERIFY, {"account": account_id, "at": at})
            row = connection.execute(_BY_ID, {"account": account_id}).one_or_none()
        return None if row is None else account_of(row)

    def accounts(self, email: str | None = None) -> tuple[AccountEntry, ...]:
        """All, or by the indexed address."""
        statement = _OLDEST_FIRST if email is None else _OLDEST_FIRST.where(accounts.c.email == email)
        return tuple(
            AccountEntry(
                id=row.id,
                email=row.email,
                email_verified_at=row.email_verified_at,
                role=row.role,
                created_at=row.created_at,
            )
            for row in self._rows(statement)
        )
