"""Archives of accounts, as statements made from the tables: a new column is archived as well, a new table of a scene
once it stands in OF_A_SCENE. Rows are sorted here: databases sort texts each in its own way."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Float,
    Integer,
    LargeBinary,
    Table,
    bindparam,
    insert,
    not_,
    select,
    update,
)

from scenograph.storage.connections import AnyRow, ConstraintBroken, DatabaseEngines, repeated
from scenograph.storage.interface import PRIVATE, PUBLIC, ArchivedRow, pack, unpack
from scenograph.storage.schema import (
    ASIDE,
    UtcTime,
    accounts,
    authors,
    comments,
    grants,
    origins,
    places,
    public_claims,
    revisions,
    scenes,
    support_submissions,
)
from scenograph.storage.sql_accounts import charge
from scenograph.storage.sql_lifecycle import id_hash

# The tables of a scene, in the order in which their rows depend on each other.
OF_A_SCENE = (revisions, origins, places, authors, grants, comments, support_submissions)
TABLES = {table.name: table for table in (accounts, public_claims, scenes, *OF_A_SCENE)}
# Given by the database, or computed from the rest.
_LEFT_OUT = {
    accounts.name: {"key_count", "scene_count", "stored_bytes"},
    public_claims.name: {"owner_id"},
    scenes.name: {"id", "owner_id", "search_text", "stored_bytes", "passed_at_deletion"},
    **{table.name: {"scene", "encoding"} for table in OF_A_SCENE},
}
_SIZED = {revisions.name: ("document", "changed_ids"), origins.name: ("sketch", "relaid")}  # towards `stored_bytes`

_ACCOUNT = select(accounts).where(accounts.c.id == bindparam("account"))
_CLAIMS = select(public_claims).where(public_claims.c.owner_id == bindparam("account"))
_SCENES = select(scenes.c.scene_id, scenes.c.id).where(
    scenes.c.owner_id == bindparam("account"), not_(scenes.c.scene_id.startswith(ASIDE))
)
_SCENE = select(scenes).where(scenes.c.id == bindparam("key"))
_OWN_CLAIM = select(public_claims.c.id_hash).where(
    public_claims.c.id_hash == bindparam("id_hash"), public_claims.c.owner_id == bindparam("account")
)


class ArchivedAccounts(DatabaseEngines):
    """Part of the store: archives of accounts."""

    def archived_account(self, account_id: str) -> tuple[ArchivedRow, ...]:
        """The account's row, then its claims by their hashes."""
        found = [_archived(accounts, row) for row in self._rows(_ACCOUNT, account=account_id)]
        rows = sorted(self._rows(_CLAIMS, account=account_id), key=lambda row: str(row.id_hash))
        claims = (_archived(public_claims, row) for row in rows)
        return (*found, *claims) if found else ()

    def archived_scenes(self, account_id: str) -> Iterator[tuple[ArchivedRow, ...]]:
        """Revisions never change: those up to the number in the scene's row are of the row's instant. A scene purged
        meanwhile is left out."""
        for _, key in sorted((str(row.scene_id), int(row.id)) for row in self._rows(_SCENES, account=account_id)):
            row = self._row(_SCENE, key=key)
            if row is None:
                continue
            rows = [_archived(scenes, row)]
            for table in OF_A_SCENE:
                own = select(table).where(table.c.scene == key)
                if "revision" in table.primary_key.columns:
                    own = own.where(table.c.revision <= row.revision)
                rows += sorted((_archived(table, found) for found in self._rows(own)), key=_in_order)
            if sum(one.table == revisions.name for one in rows) == row.revision:
                yield tuple(rows)

    @repeated
    def restore_account(self, row: ArchivedRow) -> bool:
        """Insert; the primary key tells a known account."""
        values = _restored(accounts, row)
        try:
            with self._write() as connection:
                connection.execute(insert(accounts), values)
        except ConstraintBroken:
            if self._row(_ACCOUNT, account=values["id"]) is None:
                raise ValueError("the database refuses the account") from None
            return False
        return True

    @repeated
    def restore_claim(self, account_id: str, row: ArchivedRow) -> bool:
        """Insert; the primary key tells an id of another account."""
        values = _restored(public_claims, row) | {"owner_id": account_id}
        try:
            with self._write() as connection:
                connection.execute(insert(public_claims), values)
        except ConstraintBroken:
            return False
        return True

    @repeated
    def restore_scene(self, account_id: str, rows: Sequence[ArchivedRow]) -> bool:
        """A single transaction."""
        scene, *others = rows
        values = _restored(scenes, scene) | {"owner_id": account_id}
        values["search_text"] = f"{values.get('title') or ''}\n{values['scene_id']}".casefold()
        details = [(TABLES[row.table], _restored(TABLES[row.table], row)) for row in others]
        numbers = [found["revision"] for table, found in details if table is revisions]
        if numbers != [number + 1 for number in range(len(numbers))] or values["revision"] != len(numbers):
            raise ValueError("the revisions of a scene are not all there")
        if any(table not in OF_A_SCENE for table, _ in details):
            raise ValueError("a row belongs to no scene")
        size = sum(len(found.get(name) or b"") for table, found in details for name in _SIZED.get(table.name, ()))
        try:
            with self._write() as connection:
                is_ours = self._claimed(connection, account_id, values)
                if not is_ours:
                    values |= {"privacy": PRIVATE, "public_id": None}
                key = connection.execute(insert(scenes).returning(scenes.c.id), values).scalar_one()
                for table, found in details:
                    connection.execute(insert(table), found | {"scene": key})
                connection.execute(update(scenes).where(scenes.c.id == key).values(stored_bytes=size))
                active = int(values.get("deleted_at") is None)
                charge(connection, account_id, scenes=active, stored_bytes=size)
        except ConstraintBroken:
            raise ValueError("the database refuses a row of the scene") from None
        return is_ours

    def _claimed(self, connection: Connection, account_id: str, values: dict[str, Any]) -> bool:
        """Whether the scene may be as public as it was."""
        if values["privacy"] != PUBLIC:
            return True
        own = {"id_hash": id_hash(values["scene_id"]), "account": account_id}
        return connection.execute(_OWN_CLAIM, own).first() is not None


def _in_order(row: ArchivedRow) -> list[Any]:
    """The row's own part of the primary key."""
    return [row.values[column.name] for column in TABLES[row.table].primary_key.columns if column.name != "scene"]


def _archived(table: Table, row: AnyRow) -> ArchivedRow:
    """The row of `select(table)`."""
    names = [column.name for column in table.columns]
    values = dict(zip(names, row, strict=True))
    kept = (name for name in names if name not in _LEFT_OUT[table.name])
    return ArchivedRow(table.name, {name: _told(values[name], values.get("encoding")) for name in kept})


def _told(value: object, encoding: str | None) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, bytes):
        return unpack(str(encoding), value)
    return value


def _restored(table: Table, row: ArchivedRow) -> dict[str, Any]:
    """The columns of an archived row. Raises ValueError for another table, unknown columns and wrong values."""
    known = {column.name: column for column in table.columns if column.name not in _LEFT_OUT[table.name]}
    strange = [name for name in row.values if name not in known]
    if row.table != table.name or strange:
        raise ValueError(f"the table {table.name} has no column {strange[0] if strange else row.table!r}")
    values: dict[str, Any] = {name: _read(known[name], value) for name, value in row.values.items()}
    for name in (name for name, column in known.items() if isinstance(column.type, LargeBinary)):
        text = values.get(name)
        values["encoding"], values[name] = (None, None) if text is None else pack(str(text))
    missing = [name for name, column in known.items() if not column.nullable and values.get(name) is None]
    if missing:
        raise ValueError(f"the column {missing[0]} of {table.name} is missing")
    return values


def _read(column: Column[Any], value: object) -> object:
    kind = column.type
    expected = (
        (bool,)
        if isinstance(kind, Boolean)
        else (int, float)
        if isinstance(kind, Float)
        else (int,)
        if isinstance(kind, Integer)
        else (str,)
    )
    if value is None:
        return None
    if not isinstance(value, expected) or (isinstance(value, bool) and bool not in expected):
        raise ValueError(f"the column {column.name} has a value of another type")
    if isinstance(kind, UtcTime):
        at = datetime.fromisoformat(str(value))
        if at.tzinfo is None:
            raise ValueError(f"the time in {column.name} has no zone")
        return at
    if column.name in {"changed_ids", "relaid"}:
        json.loads(str(value))
    return value
