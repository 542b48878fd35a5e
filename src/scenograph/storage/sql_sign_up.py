"""Accounts that somebody signs up for, the tokens that prove an address, and the end of an account, as statements."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import bindparam, delete, insert, literal, select, update

from scenograph.storage.connections import ConstraintBroken, repeated
from scenograph.storage.interface import Account, KeyRecord
from scenograph.storage.records import AccountDeletion, AccountEntry, NewSecrets
from scenograph.storage.schema import (
    accounts,
    api_keys,
    deletions,
    kept_answers,
    mail_tokens,
    public_claims,
    scenes,
    support_views,
)
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


_LOOKED = select(support_views.c.id).where(support_views.c.viewer == bindparam("account")).limit(literal(1))
_SOME_SCENES = (
    select(scenes.c.id).where(scenes.c.owner_id == bindparam("account")).order_by(scenes.c.id).limit(bindparam("most"))
)
_OF_AN_ACCOUNT = (
    api_keys.c.account_id,
    mail_tokens.c.account_id,
    kept_answers.c.owner_id,
    deletions.c.owner_id,
    public_claims.c.owner_id,
    accounts.c.id,
)


class SignUps(AccountsAndKeys):
    """Part of the store: how accounts come about, become verified, and go."""

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

    @repeated
    def delete_account(self, account_id: str, limit: int) -> AccountDeletion:
        """Keys first, so that nobody writes what would be left over; scenes in steps, whose revisions go by the
        cascade."""
        wanted: dict[str, object] = {"account": account_id, "most": limit}
        with self._write() as connection:
            if connection.execute(_BY_ID, wanted).one_or_none() is None:
                return AccountDeletion.UNKNOWN
            if connection.execute(_LOOKED, wanted).first() is not None:
                return AccountDeletion.IN_THE_LOG
            connection.execute(delete(api_keys).where(api_keys.c.account_id == account_id))
            removed = connection.execute(delete(scenes).where(scenes.c.id.in_(_SOME_SCENES)), wanted).rowcount
            if removed == limit:
                return AccountDeletion.MORE_TO_DO
            for column in _OF_AN_ACCOUNT:
                connection.execute(delete(column.table).where(column == account_id))
        return AccountDeletion.GONE

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
