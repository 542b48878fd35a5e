"""Accounts, their keys and their sign-ins, as statements."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Connection,
    Integer,
    ScalarSelect,
    and_,
    bindparam,
    delete,
    func,
    insert,
    literal,
    or_,
    select,
    update,
)

from scenograph.storage.connections import AnyRow, ConstraintBroken, DatabaseEngines, repeated
from scenograph.storage.interface import (
    NO_QUOTA,
    Account,
    AccountDeletion,
    AccountEntry,
    Holdings,
    KeyRecord,
    NewSecrets,
    Quota,
    QuotaReached,
    SessionRecord,
    UsedToken,
)
from scenograph.storage.schema import (
    accounts,
    api_keys,
    comments,
    deletions,
    grants,
    identities,
    kept_answers,
    mail_tokens,
    origins,
    public_claims,
    revisions,
    scenes,
    secrets,
    sessions,
    sign_in_tokens,
    support_views,
)

# Counters of accounts, updated in the transaction of every write (R-QUOTA-3). The UPDATE of the account's row is the
# lock: simultaneous writers see each other's results in turn. All writers lock the scene's row first, then the
# account's.


_CHARGE = (
    update(accounts)
    .where(accounts.c.id == bindparam("owner"))
    .values(
        key_count=accounts.c.key_count + bindparam("keys", type_=Integer),
        scene_count=accounts.c.scene_count + bindparam("scenes", type_=Integer),
        stored_bytes=accounts.c.stored_bytes + bindparam("bytes", type_=accounts.c.stored_bytes.type),
    )
    .returning(accounts.c.key_count, accounts.c.scene_count, accounts.c.stored_bytes)
)


class BeyondQuota(Exception):  # noqa: N818 - it ends the transaction, and is then an answer
    """The account would exceed its quota."""

    def __init__(self, reached: QuotaReached) -> None:
        super().__init__()
        self.reached = reached


def charge(
    connection: Connection,
    owner: str,
    *,
    keys: int = 0,
    scenes: int = 0,
    stored_bytes: int = 0,
    quota: Quota = NO_QUOTA,
) -> None:
    """Add to an account's counters; negative figures subtract. Raises BeyondQuota only for increased counters. Without
    effect for a missing account."""
    added = {"keys": keys, "scenes": scenes, "stored_bytes": stored_bytes}
    wanted = {"owner": owner, "keys": keys, "scenes": scenes, "bytes": stored_bytes}
    held = connection.execute(_CHARGE, wanted).one_or_none()
    for (what, more), holds in zip(added.items(), held or (), strict=False):
        most: int = getattr(quota, what)
        if more > 0 and most and holds > most:
            raise BeyondQuota(QuotaReached(what=what, used=holds - more, most=most))


def release(connection: Connection, bytes_of_owners: Iterable[tuple[str, int]]) -> None:
    """Subtract purged bytes. Accounts are locked in sorted order, against deadlocks between simultaneous purges."""
    held: dict[str, int] = {}
    for owner, stored in bytes_of_owners:
        held[owner] = held.get(owner, 0) + stored
    for owner in sorted(held):
        charge(connection, owner, stored_bytes=-held[owner])


# Accounts and their keys, as statements.


_ACCOUNT_COLUMNS = (
    accounts.c.id,
    accounts.c.email,
    accounts.c.email_verified_at,
    accounts.c.role,
    accounts.c.suspended_at,
)
_ACCOUNT = select(*_ACCOUNT_COLUMNS).where(accounts.c.id == bindparam("account"))
_KEY = (
    select(
        api_keys.c.id.label("key_id"),
        api_keys.c.name,
        api_keys.c.created_at,
        api_keys.c.last_used_at,
        *_ACCOUNT_COLUMNS,
    )
    .join_from(api_keys, accounts)
    .where(api_keys.c.secret_hash == bindparam("hash"), api_keys.c.revoked_at.is_(None))
)
_KEYS = (
    select(api_keys.c.id, api_keys.c.account_id, api_keys.c.name, api_keys.c.created_at, api_keys.c.last_used_at)
    .where(api_keys.c.account_id == bindparam("account"), api_keys.c.revoked_at.is_(None))
    .order_by(api_keys.c.created_at, api_keys.c.id)
)
_HOLDINGS = select(accounts.c.created_at, accounts.c.key_count, accounts.c.scene_count, accounts.c.stored_bytes).where(
    accounts.c.id == bindparam("account")
)
_LOCK_SCENES = (
    select(scenes.c.id)
    .where(scenes.c.owner_id == bindparam("owner"))
    .order_by(scenes.c.id)
    .with_for_update(key_share=True)
)
_LOCK_ACCOUNT = select(accounts.c.id).where(accounts.c.id == bindparam("owner")).with_for_update(key_share=True)


def _counted(value: Any, *where: Any) -> ScalarSelect[Any]:
    return select(func.coalesce(value, 0)).where(*where).scalar_subquery()


_RECOUNT_SCENES = (
    update(scenes)
    .where(scenes.c.owner_id == bindparam("owner"))
    .values(
        stored_bytes=_counted(
            func.sum(func.length(revisions.c.document) + func.length(revisions.c.changed_ids)),
            revisions.c.scene == scenes.c.id,
        )
        + _counted(
            func.sum(func.length(origins.c.relaid) + func.coalesce(func.length(origins.c.sketch), 0)),
            origins.c.scene == scenes.c.id,
        )
    )
)
_OF_ACCOUNT = scenes.c.owner_id == accounts.c.id
_RECOUNT_ACCOUNT = (
    update(accounts)
    .where(accounts.c.id == bindparam("owner"))
    .values(
        key_count=_counted(func.count(), api_keys.c.account_id == accounts.c.id, api_keys.c.revoked_at.is_(None)),
        scene_count=_counted(func.count(), _OF_ACCOUNT, scenes.c.deleted_at.is_(None)),
        stored_bytes=_counted(func.sum(scenes.c.stored_bytes), _OF_ACCOUNT),
    )
)
_PUBLISHED = select(scenes.c.scene_id, scenes.c.made_public_at).where(
    scenes.c.owner_id == bindparam("owner"), scenes.c.public_id.is_not(None)
)
_CLAIMED = select(public_claims.c.id_hash).where(public_claims.c.id_hash == bindparam("id_hash"))
_SECRET = select(secrets.c.value).where(secrets.c.name == bindparam("name"))


class AccountsAndKeys(DatabaseEngines):
    """Part of the store: accounts and their secrets."""

    @repeated
    def add_account(self, account: Account, at: datetime) -> None:
        """Insert; an existing account stays unchanged."""
        try:
            with self._write() as connection:
                connection.execute(insert(accounts), _account_row(account, at))
        except ConstraintBroken:
            if self.account(account.id) is None:
                raise ValueError(f"not an account that can be stored: role {account.role!r}") from None

    def account(self, account_id: str) -> Account | None:
        """An account by id."""
        row = self._row(_ACCOUNT, account=account_id)
        return None if row is None else account_of(row)

    @repeated
    def add_key(self, key: KeyRecord, secret_hash: str, *, quota: Quota = NO_QUOTA) -> bool | QuotaReached:
        """Insert; False when the hash (or the key's id) is known, QuotaReached beyond the quota. Raises LookupError if
        the account is missing."""
        try:
            with self._write() as connection:
                connection.execute(insert(api_keys), _key_row(key, secret_hash))
                charge(connection, key.account_id, keys=1, quota=quota)
        except BeyondQuota as beyond:
            return beyond.reached
        except ConstraintBroken:
            self._require_account(key.account_id)
            return False
        return True

    def key_by_hash(self, secret_hash: str) -> tuple[KeyRecord, Account] | None:
        """An indexed look-up, of the same cost for a known and an unknown hash."""
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
        """The account's unrevoked keys."""
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
        """The row stays: the same secret cannot be seeded again."""
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
        """The primary key decides between two servers that start at once."""
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
        """Read from a table: an existing but empty database counts as unavailable."""
        self._row(_ACCOUNT, account="")

    def holdings(self, account_id: str) -> Holdings | None:
        """The counters of the account's row."""
        row = self._row(_HOLDINGS, account=account_id)
        if row is None:
            return None
        return Holdings(
            created_at=row.created_at, keys=row.key_count, scenes=row.scene_count, stored_bytes=row.stored_bytes
        )

    @repeated
    def recount(self, account_id: str) -> Holdings | None:
        """Locks first, in the order of all writers; the later statements then see every committed write."""
        own = {"owner": account_id}
        with self._write() as connection:
            connection.execute(_LOCK_SCENES, own)
            connection.execute(_LOCK_ACCOUNT, own)
            connection.execute(_RECOUNT_SCENES, own)
            connection.execute(_RECOUNT_ACCOUNT, own)
            for row in connection.execute(_PUBLISHED, own).all():
                claim = {"id_hash": hashlib.sha256(row.scene_id.encode()).hexdigest()}
                if connection.execute(_CLAIMED, claim).first() is None:
                    claimed = claim | {"owner_id": account_id, "claimed_at": row.made_public_at}
                    connection.execute(insert(public_claims), claimed)
        return self.holdings(account_id)

    @repeated
    def suspend_account(self, account_id: str, at: datetime | None) -> Account | None:
        """A conditional UPDATE: a repeated suspension keeps the first time."""
        own = accounts.c.id == account_id
        change = own if at is None else and_(own, accounts.c.suspended_at.is_(None))
        with self._write() as connection:
            connection.execute(update(accounts).where(change).values(suspended_at=at))
            row = connection.execute(_ACCOUNT, {"account": account_id}).one_or_none()
        return None if row is None else account_of(row)

    def _require_account(self, account_id: str) -> None:
        if self.account(account_id) is None:
            raise LookupError(f"there is no account {account_id!r}")


def _account_row(account: Account, at: datetime) -> dict[str, object]:
    """The row of a new account."""
    return {
        "id": account.id,
        "email": account.email,
        "email_verified_at": account.email_verified_at,
        "role": account.role,
        "created_at": at,
    }


def _key_row(key: KeyRecord, secret_hash: str) -> dict[str, object]:
    """The row of a new key."""
    return {
        "id": key.id,
        "account_id": key.account_id,
        "name": key.name,
        "secret_hash": secret_hash,
        "created_at": key.created_at,
    }


def account_of(row: AnyRow) -> Account:
    """The account of a row."""
    return Account(
        id=row.id,
        email=row.email,
        email_verified_at=row.email_verified_at,
        role=row.role,
        suspended_at=row.suspended_at,
    )


# Sign-ups, tokens that prove an address, and the deletion of accounts, as statements.


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
_CREDENTIALS = (api_keys.c.account_id, sessions.c.account_id, sign_in_tokens.c.account_id)
_OF_AN_ACCOUNT = (
    scenes.c.owner_id,
    *_CREDENTIALS,
    identities.c.account_id,
    mail_tokens.c.account_id,
    kept_answers.c.owner_id,
    deletions.c.owner_id,
    public_claims.c.owner_id,
    grants.c.grantee,
    comments.c.author_id,
    accounts.c.id,
)


class SignUps(AccountsAndKeys):
    """Part of the store: how accounts come about, become verified, and go."""

    @repeated
    def open_account(self, account: Account, key: KeyRecord, secrets: NewSecrets, at: datetime) -> bool:
        """Three inserts in one transaction; a known key or hash breaks a constraint and undoes all."""
        token = {"token_hash": secrets.token_hash, "account_id": account.id, "made_at": at}
        try:
            with self._write() as connection:
                connection.execute(insert(accounts), _account_row(account, at))
                connection.execute(insert(api_keys), _key_row(key, secrets.key_hash))
                charge(connection, account.id, keys=1)
                connection.execute(insert(mail_tokens), token)
        except ConstraintBroken:
            return False
        return True

    @repeated
    def add_mail_token(self, account_id: str, token_hash: str, at: datetime) -> None:
        """Insert; earlier tokens of the account stay valid for their remaining time."""
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
        """The token is used by the caller whose DELETE finds the row."""
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
        """Keys and sessions first, against writes that would be left over; scenes in steps, with their revisions by
        cascade."""
        wanted: dict[str, object] = {"account": account_id, "most": limit}
        with self._write() as connection:
            if connection.execute(_BY_ID, wanted).one_or_none() is None:
                return AccountDeletion.UNKNOWN
            if connection.execute(_LOOKED, wanted).first() is not None:
                return AccountDeletion.IN_THE_LOG
            for column in _CREDENTIALS:
                connection.execute(delete(column.table).where(column == account_id))
            removed = connection.execute(delete(scenes).where(scenes.c.id.in_(_SOME_SCENES)), wanted).rowcount
            if removed == limit:
                return AccountDeletion.MORE_TO_DO
            # No writer gets past this lock; rows written since the deletions above are removed as well.
            connection.execute(_BY_ID.with_for_update(), wanted)
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
                suspended_at=row.suspended_at,
            )
            for row in self._rows(statement)
        )


# Sessions of browsers, one-use tokens of sign-ins, and identities of an OpenID provider, as statements.

_VERIFIED_MEMBER = (
    select(*_ACCOUNT_COLUMNS)
    .where(
        accounts.c.email == bindparam("email"),
        accounts.c.email_verified_at.is_not(None),
        accounts.c.role == "member",
    )
    .order_by(accounts.c.email_verified_at, accounts.c.id)
    .limit(1)
)
_USE_SIGN_IN = (
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
        *_ACCOUNT_COLUMNS,
    )
    .join_from(sessions, accounts)
    .where(
        sessions.c.token_hash == bindparam("hash"),
        sessions.c.expires_at > bindparam("at", type_=sessions.c.expires_at.type),
    )
)
_OF_IDENTITY = (
    select(*_ACCOUNT_COLUMNS).join_from(identities, accounts).where(identities.c.identity_hash == bindparam("hash"))
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
            row = connection.execute(_USE_SIGN_IN, {"hash": token_hash, "made_after": made_after}).one_or_none()
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
                connection.execute(insert(accounts), _account_row(account, at))
                connection.execute(insert(identities), row)
        except ConstraintBroken:
            return False
        return True
