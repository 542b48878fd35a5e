"""Sessions of browsers, one-use tokens of sign-ins, and identities of an OpenID provider, as statements."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import bindparam, delete, insert, select

from scenograph.storage.connections import ConstraintBroken, repeated
from scenograph.storage.interface import Account, SessionRecord, UsedToken
from scenograph.storage.schema import accounts, identities, sessions, sign_in_tokens
from scenograph.storage.sql_accounts import ACCOUNT_COLUMNS, SignUps, account_of, account_row

_VERIFIED_MEMBER = (
    select(*ACCOUNT_COLUMNS)
    .where(
        accounts.c.email == bindparam("email"),
        accounts.c.email_verified_at.is_not(None),
        accounts.c.role == "member",
    )
    .order_by(accounts.c.email_verified_at, accounts.c.id)
    .limit(1)
)
_USE = (
    delete(sign_in_tokens)
    .where(
        sign_in_tokens.c.token_hash == bindparam("hash"),
        sign_in_tokens.c.made_at > bindparam("made_after", type_=sign_in_tokens.c.made_at.type),
    )
    .returning(sign_in_tokens.c.account_id)
)
_SESSION = (
    select(
        sessions.c.id.label("session_id"),
        sessions.c.created_at,
        sessions.c.expires_at,
        *ACCOUNT_COLUMNS,
    )
    .join_from(sessions, accounts)
    .where(
        sessions.c.token_hash == bindparam("hash"),
        sessions.c.expires_at > bindparam("at", type_=sessions.c.expires_at.type),
    )
)
_OF_IDENTITY = (
    select(*ACCOUNT_COLUMNS).join_from(identities, accounts).where(identities.c.identity_hash == bindparam("hash"))
)


class SignIns(SignUps):
    """Part of the store: ways into an account beside its keys."""

    def verified_member(self, email: str) -> Account | None:
        """By the indexed address."""
        row = self._row(_VERIFIED_MEMBER, email=email)
        return None if row is None else account_of(row)

    @repeated
    def add_sign_in_token(self, token_hash: str, account_id: str | None, at: datetime) -> None:
        """The same insert with and without an account."""
        row = {"token_hash": token_hash, "account_id": account_id, "made_at": at}
        try:
            with self._write() as connection:
                connection.execute(insert(sign_in_tokens), row)
        except ConstraintBroken:
            if account_id is not None:
                self._require_account(account_id)
            raise

    @repeated
    def use_sign_in_token(self, token_hash: str, made_after: datetime) -> UsedToken | None:
        """The token is used by the caller whose DELETE finds the row."""
        with self._write() as connection:
            row = connection.execute(_USE, {"hash": token_hash, "made_after": made_after}).one_or_none()
        return None if row is None else UsedToken(account_id=row.account_id)

    @repeated
    def open_session(self, session: SessionRecord, token_hash: str, replaced_hash: str | None = None) -> None:
        """A delete and an insert in one transaction."""
        row = {
            "id": session.id,
            "account_id": session.account_id,
            "token_hash": token_hash,
            "created_at": session.created_at,
            "expires_at": session.expires_at,
        }
        try:
            with self._write() as connection:
                if replaced_hash is not None:
                    connection.execute(delete(sessions).where(sessions.c.token_hash == replaced_hash))
                connection.execute(insert(sessions), row)
        except ConstraintBroken:
            self._require_account(session.account_id)
            raise

    def session_by_hash(self, token_hash: str, at: datetime) -> tuple[SessionRecord, Account] | None:
        """An indexed look-up, of the same cost for a known and an unknown hash."""
        row = self._row(_SESSION, hash=token_hash, at=at)
        if row is None:
            return None
        session = SessionRecord(
            id=row.session_id, account_id=row.id, created_at=row.created_at, expires_at=row.expires_at
        )
        return session, account_of(row)

    @repeated
    def end_session(self, account_id: str, session_id: str) -> bool:
        """The row goes: nothing needs an ended session."""
        own = sessions.c.id == session_id, sessions.c.account_id == account_id
        with self._write() as connection:
            return connection.execute(delete(sessions).where(*own)).rowcount == 1

    @repeated
    def end_sessions(self, account_id: str) -> int:
        """All rows of the account, and the tokens of its sign-ins under way."""
        with self._write() as connection:
            connection.execute(delete(sign_in_tokens).where(sign_in_tokens.c.account_id == account_id))
            return connection.execute(delete(sessions).where(sessions.c.account_id == account_id)).rowcount

    def account_of_identity(self, identity_hash: str) -> Account | None:
        """By the primary key."""
        row = self._row(_OF_IDENTITY, hash=identity_hash)
        return None if row is None else account_of(row)

    @repeated
    def link_identity(self, identity_hash: str, account_id: str, at: datetime) -> bool:
        """Link an identity to an account. False for the later one of two concurrent sign-ins."""
        row = {"identity_hash": identity_hash, "account_id": account_id, "linked_at": at}
        try:
            with self._write() as connection:
                connection.execute(insert(identities), row)
        except ConstraintBroken:
            self._require_account(account_id)
            return False
        return True

    @repeated
    def open_account_of_identity(self, account: Account, identity_hash: str, at: datetime) -> bool:
        """Two inserts in one transaction; a linked identity breaks a constraint and undoes both."""
        row = {"identity_hash": identity_hash, "account_id": account.id, "linked_at": at}
        try:
            with self._write() as connection:
                connection.execute(insert(accounts), account_row(account, at))
                connection.execute(insert(identities), row)
        except ConstraintBroken:
            return False
        return True
