"""The Store over SQLAlchemy Core: one set of statements for every SQL backend.

In: two engines, one for reading (each statement sees one state of the database) and one for writing (transactions that
take their write lock at once or wait for it). Out: the records of `interface.py`. Promises: the expected revision
is compared and the next one written in the same transaction; no driver error leaves this module.
"""

from __future__ import annotations

import json
from collections.abc import Generator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Integer,
    Row,
    Select,
    and_,
    bindparam,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from scenograph.storage.documents import pack, unpack
from scenograph.storage.interface import (
    Account,
    Conflict,
    IdTaken,
    KeyRecord,
    NewRevision,
    StorageUnavailable,
    StoredScene,
)
from scenograph.storage.schema import PRIVATE, accounts, api_keys, revisions, scenes

MAX_REVISION = 2**31 - 1  # what an INTEGER column holds; a larger number was never stored
FIRST_REVISION = 1
CREATE_ATTEMPTS = 3  # an id that was taken may be purged before it is looked at

_OWNED: ColumnElement[bool] = and_(scenes.c.owner_id == bindparam("owner"), scenes.c.scene_id == bindparam("scene"))
_ACTIVE: ColumnElement[bool] = and_(_OWNED, scenes.c.deleted_at.is_(None))

_HOLDER = select(scenes.c.revision, scenes.c.deleted_at).where(_OWNED)
_CURRENT = select(scenes.c.revision).where(_ACTIVE)
_READ = (
    select(
        scenes.c.scene_id,
        revisions.c.revision,
        scenes.c.revision.label("current"),
        revisions.c.encoding,
        revisions.c.document,
        scenes.c.privacy,
        scenes.c.created_at.label("scene_created_at"),
        revisions.c.created_at,
    )
    .join_from(scenes, revisions, revisions.c.scene == scenes.c.id)
    .where(_ACTIVE, revisions.c.revision == func.coalesce(bindparam("asked", type_=Integer), scenes.c.revision))
)
# An outer join: a scene without later revisions still tells where it is.
_LATER = and_(revisions.c.scene == scenes.c.id, revisions.c.revision > bindparam("base"))
_SINCE = (
    select(scenes.c.revision.label("current"), revisions.c.changed_ids)
    .join_from(scenes, revisions, _LATER, isouter=True)
    .where(_ACTIVE)
)
_ADVANCE = (
    update(scenes)
    .where(_ACTIVE, scenes.c.revision == bindparam("base"))
    .values(
        revision=scenes.c.revision + 1,
        title=bindparam("new_title"),
        diagram_family=bindparam("new_family"),
        updated_at=bindparam("at"),
    )
    .returning(scenes.c.id, scenes.c.revision)
)
_CREATE = insert(scenes).returning(scenes.c.id)
_ACCOUNT = select(accounts.c.id, accounts.c.email, accounts.c.email_verified_at, accounts.c.role).where(
    accounts.c.id == bindparam("account")
)
_KEY = (
    select(
        api_keys.c.id.label("key_id"),
        api_keys.c.name,
        api_keys.c.created_at,
        accounts.c.id,
        accounts.c.email,
        accounts.c.email_verified_at,
        accounts.c.role,
    )
    .join_from(api_keys, accounts)
    .where(api_keys.c.secret_hash == bindparam("hash"))
)


class _ConstraintBroken(StorageUnavailable):
    """A key, a reference or a check forbids the row. An answer for the methods that ask; a fault for all others."""


class SqlStore:
    """The `Store` of `interface.py` over two engines (they may be one). Safe to share between threads."""

    def __init__(self, reading: Engine, writing: Engine) -> None:
        self._reading = reading.execution_options(isolation_level="AUTOCOMMIT")
        self._writing = writing

    def create_scene(self, owner: str, scene_id: str, first: NewRevision, at: datetime) -> IdTaken | None:
        """Insert, and look who holds the id only when that fails: of two callers one wins. LookupError when there is
        no such account."""
        row = {
            "owner_id": owner,
            "scene_id": scene_id,
            "revision": FIRST_REVISION,
            "title": first.title,
            "diagram_family": first.diagram_family,
            "privacy": PRIVATE,
            "created_at": at,
            "updated_at": at,
        }
        for _ in range(CREATE_ATTEMPTS):
            try:
                with self._write() as connection:
                    scene = connection.execute(_CREATE, row).scalar_one()
                    connection.execute(insert(revisions), _revision_row(scene, FIRST_REVISION, first, at))
            except _ConstraintBroken:
                holder = self._row(_HOLDER, owner=owner, scene=scene_id)
                if holder is not None:
                    return IdTaken(current_revision=holder.revision, deleted=holder.deleted_at is not None)
                self._require_account(owner)
            else:
                return None
        raise StorageUnavailable("the database refuses the scene, yet nobody holds its id")

    def read_scene(self, owner: str, scene_id: str, revision: int | None = None) -> StoredScene | None:
        """One statement: the document and where the scene is are of the same instant."""
        if revision is not None and not FIRST_REVISION <= revision <= MAX_REVISION:
            return None
        row = self._row(_READ, owner=owner, scene=scene_id, asked=revision)
        if row is None:
            return None
        return StoredScene(
            scene_id=row.scene_id,
            revision=row.revision,
            current_revision=row.current,
            document=unpack(row.encoding, row.document),
            privacy=row.privacy,
            scene_created_at=row.scene_created_at,
            revision_created_at=row.created_at,
        )

    def current_revision(self, owner: str, scene_id: str) -> int | None:
        """One indexed look-up; no document is read."""
        row = self._row(_CURRENT, owner=owner, scene=scene_id)
        return None if row is None else row.revision

    def append_revision(
        self, owner: str, scene_id: str, base: int, new: NewRevision, at: datetime
    ) -> int | Conflict | None:
        """The UPDATE names the expected revision, so that exactly one writer of a base changes a row."""
        expected = {
            "owner": owner,
            "scene": scene_id,
            "base": _within_column(base),
            "new_title": new.title,
            "new_family": new.diagram_family,
            "at": at,
        }
        with self._write() as connection:
            advanced = connection.execute(_ADVANCE, expected).one_or_none()
            if advanced is not None:
                connection.execute(insert(revisions), _revision_row(advanced.id, advanced.revision, new, at))
        if advanced is not None:
            return advanced.revision
        return self._conflict(owner, scene_id, base)

    def changed_since(self, owner: str, scene_id: str, base: int) -> tuple[str, ...]:
        """The union of what the later revisions say of themselves; empty when there is no such scene."""
        conflict = self._conflict(owner, scene_id, base)
        return () if conflict is None else conflict.changed_ids

    def add_account(self, account: Account, at: datetime) -> None:
        """Insert; an account that stands already is left alone."""
        row = {
            "id": account.id,
            "email": account.email,
            "email_verified_at": account.email_verified_at,
            "role": account.role,
            "created_at": at,
        }
        try:
            with self._write() as connection:
                connection.execute(insert(accounts), row)
        except _ConstraintBroken:
            if self.account(account.id) is None:
                raise ValueError(f"not an account that can be stored: role {account.role!r}") from None

    def account(self, account_id: str) -> Account | None:
        """An account by id."""
        row = self._row(_ACCOUNT, account=account_id)
        return None if row is None else _account(row)

    def add_key(self, key: KeyRecord, secret_hash: str) -> bool:
        """Insert; False when the hash (or the key's id) is known. LookupError when there is no such account."""
        row = {
            "id": key.id,
            "account_id": key.account_id,
            "name": key.name,
            "secret_hash": secret_hash,
            "created_at": key.created_at,
        }
        try:
            with self._write() as connection:
                connection.execute(insert(api_keys), row)
        except _ConstraintBroken:
            self._require_account(key.account_id)
            return False
        return True

    def key_by_hash(self, secret_hash: str) -> tuple[KeyRecord, Account] | None:
        """One indexed look-up; the same work for a known and an unknown hash."""
        row = self._row(_KEY, hash=secret_hash)
        if row is None:
            return None
        key = KeyRecord(id=row.key_id, account_id=row.id, name=row.name, created_at=row.created_at)
        return key, _account(row)

    def ping(self) -> None:
        """Read from a table: a database that is there but empty does not answer either."""
        self._row(_ACCOUNT, account="")

    def close(self) -> None:
        """Release every pooled connection."""
        for engine in (self._reading, self._writing):
            engine.dispose()

    def _require_account(self, account_id: str) -> None:
        if self.account(account_id) is None:
            raise LookupError(f"there is no account {account_id!r}")

    def _conflict(self, owner: str, scene_id: str, base: int) -> Conflict | None:
        with self._read() as connection:
            found = {"owner": owner, "scene": scene_id, "base": _within_column(base)}
            rows = connection.execute(_SINCE, found).all()
        if not rows:
            return None
        touched: set[str] = set()
        for row in rows:
            touched.update(json.loads(row.changed_ids or "[]"))
        return Conflict(current_revision=rows[0].current, changed_ids=tuple(sorted(touched)))

    def _row(self, statement: Select[*tuple[Any, ...]], **parameters: object) -> Row[*tuple[Any, ...]] | None:
        with self._read() as connection:
            return connection.execute(statement, parameters).one_or_none()

    @contextmanager
    def _read(self) -> Generator[Connection]:
        with _driver_errors_translated(), self._reading.connect() as connection:
            yield connection

    @contextmanager
    def _write(self) -> Generator[Connection]:
        with _driver_errors_translated(), self._writing.begin() as connection:
            yield connection


@contextmanager
def _driver_errors_translated() -> Generator[None]:
    try:
        yield
    except IntegrityError as error:
        raise _ConstraintBroken("the database refuses the row") from error
    except (DBAPIError, PoolTimeout) as error:
        raise StorageUnavailable(f"the database does not answer: {type(error).__name__}") from error


def _revision_row(scene: int, number: int, new: NewRevision, at: datetime) -> dict[str, object]:
    encoding, kept = pack(new.document)
    summary = new.summary
    return {
        "scene": scene,
        "revision": number,
        "created_at": at,
        "message": new.message,
        "added": summary.added if summary else None,
        "removed": summary.removed if summary else None,
        "modified": summary.modified if summary else None,
        "changed_ids": json.dumps(new.changed_ids),
        "encoding": encoding,
        "document": kept,
    }


def _within_column(revision: int) -> int:
    """A number that no revision has must still be one the driver can carry."""
    return min(max(revision, 0), MAX_REVISION)


def _account(row: Row[*tuple[Any, ...]]) -> Account:
    return Account(id=row.id, email=row.email, email_verified_at=row.email_verified_at, role=row.role)
