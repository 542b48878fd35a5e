"""The PostgreSQL backend, for many servers over a database: the only module with its options.

Statements run at READ COMMITTED: a writer waits for a row held by another transaction and then sees the result, the
basis of the conditional statements. Presets of a database or a role that would break a promise of the store are
overridden: on every connection, or, behind a pooler that lends connections by the transaction, in every transaction.
"""

from __future__ import annotations

from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError

from scenograph.storage.interface import StorageUnavailable
from scenograph.storage.migrations.running import migrate
from scenograph.storage.sql import SqlStore

SCHEMES = ("postgresql://", "postgres://")
_CONNECTIONS = 20
WAIT_SECONDS = 5.0  # for a connection, for a row that another transaction holds
_STATEMENT_SECONDS = 30.0  # the longest is a purge of scenes with many revisions
_MIGRATION_SECONDS = 600.0
ENCODING = "UTF8"
# Two servers starting at once upgrade the schema one after the other, by this advisory lock.
_MIGRATION_LOCK = 0x5CE70

# Defaults, overridden by the address. A vanished host is given up after some ten seconds instead of a quarter of an
# hour; of several hosts the writable host is chosen.
_CONNECTING = {
    "connect_timeout": "5",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "2",
    "tcp_user_timeout": "10000",
    "target_session_attrs": "read-write",
    "application_name": "scenograph",
}
_IDENTITY = "SELECT current_setting('server_encoding'), pg_backend_pid()"
# Only `off` acknowledges a commit before it is on disk; levels above `on` are kept.
_SETTINGS = """
SELECT set_config('synchronous_commit', CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on'
                  ELSE current_setting('synchronous_commit') END, {local}),
       set_config('statement_timeout', '{statement}', {local}),
       set_config('lock_timeout', '{lock}', {local}),
       set_config('idle_in_transaction_session_timeout', '{statement}', {local})
"""
_ISOLATION = "read committed"


def open_postgres(url: str, *, connections: int = _CONNECTIONS, wait_seconds: float = WAIT_SECONDS) -> SqlStore:
    """The store in the database of `postgresql://user:password@host:port/name`, brought to the current schema.

    At most `connections` are open at once. ValueError when the address cannot be read; StorageUnavailable when the
    database cannot be reached or upgraded. Neither text holds a password.
    """
    engine = _engine(_parameters(url), connections, wait_seconds)
    store = SqlStore(engine, engine)
    try:
        migrate(engine, _migration_lock())
    except DBAPIError as error:
        store.close()
        raise StorageUnavailable(f"cannot open the database: {_one_line(error.orig)}") from error
    except StorageUnavailable:
        store.close()
        raise
    return store


def _parameters(url: str) -> dict[str, Any]:
    """The parameters for libpq; the address's own parameters win."""
    try:
        told = conninfo_to_dict(url)
    except psycopg.Error:
        told = {}
    ports = str(told.get("port", "")).replace(",", "")  # a port for each host
    if not url.startswith(SCHEMES) or not told or not (ports or "0").isdecimal():
        raise ValueError(
            "not a PostgreSQL address; it is postgresql://user:password@host:port/name, percent-encoded, with libpq's "
            "own parameters after a ?"
        )
    return _CONNECTING | told


def _engine(parameters: dict[str, Any], connections: int, wait_seconds: float) -> Engine:
    waits = {"statement": round(_STATEMENT_SECONDS * 1000), "lock": round(wait_seconds * 1000)}
    lasting, passing = (_SETTINGS.format(local=local, **waits) for local in ("false", "true"))

    def connect() -> psycopg.Connection:
        made = psycopg.connect(**parameters)
        try:
            return _prepared(made, lasting)
        except BaseException:
            made.close()
            raise

    def begin(connection: Connection) -> None:
        made: Any = connection.connection.dbapi_connection
        if _is_lent(made) and not made.autocommit:
            connection.exec_driver_sql(f"SET TRANSACTION ISOLATION LEVEL {_ISOLATION}; {passing}")

    engine = create_engine(
        "postgresql+psycopg://",
        creator=connect,
        pool_size=connections,
        max_overflow=0,
        pool_timeout=wait_seconds,
        pool_use_lifo=True,
    )
    event.listen(engine, "begin", begin)
    return engine


def _prepared(connection: psycopg.Connection, settings: str) -> psycopg.Connection:
    """Set the session parameters on which the promises rest. A pooler's connection keeps none: the next transaction may
    be of another session. It also keeps no prepared statements."""
    with connection.transaction():
        encoding, process = connection.execute(_IDENTITY).fetchone() or (None, 0)
        if encoding != ENCODING:
            raise StorageUnavailable(f"the database's encoding is {encoding}; scenes need one of {ENCODING}")
        if connection.info.backend_pid != process:  # a pooler tells a number of its own
            connection.prepare_threshold = None
        else:
            connection.execute(f"SET default_transaction_isolation = '{_ISOLATION}'; {settings}".encode())
    return connection


def _is_lent(connection: psycopg.Connection) -> bool:
    """Whether a pooler lends the session, as `_prepared` found."""
    return connection.prepare_threshold is None


def _migration_lock() -> tuple[str, ...]:
    """The first statements of a migration's transaction; their effect ends with the transaction."""
    longest = round(_MIGRATION_SECONDS * 1000)
    return (
        f"SET LOCAL statement_timeout = {longest}",
        f"SET LOCAL lock_timeout = {longest}",
        f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})",
    )


def _one_line(fault: object) -> str:
    return " ".join(str(fault).split())
