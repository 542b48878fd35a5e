"""The PostgreSQL backend, for many servers over a database: the only module with its options.

Statements run at READ COMMITTED: a writer waits for a row held by another transaction and then sees the result, the
basis of the conditional statements. Presets of a database, a role or a connection proxy that would break a promise of
the store are overridden on every connection.
"""

from __future__ import annotations

from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import Engine, create_engine
from sqlalchemy.exc import DBAPIError

from scenograph.storage.interface import StorageUnavailable
from scenograph.storage.migrations.running import migrate
from scenograph.storage.sql import SqlStore

SCHEMES = ("postgresql://", "postgres://")
CONNECTIONS = 20
WAIT_SECONDS = 5.0  # for a connection, for a row that another transaction holds
STATEMENT_SECONDS = 30.0  # the longest is a purge of scenes with many revisions
MIGRATION_SECONDS = 600.0
ENCODING = "UTF8"
# Two servers starting at once upgrade the schema one after the other, by this advisory lock.
MIGRATION_LOCK = 0x5CE70

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
# Only `off` acknowledges a commit before it is on disk; levels above `on` are kept.
_SESSION = """
SELECT set_config('default_transaction_isolation', 'read committed', false),
       set_config('synchronous_commit', CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on'
                  ELSE current_setting('synchronous_commit') END, false),
       set_config('statement_timeout', %s, false),
       set_config('lock_timeout', %s, false),
       set_config('idle_in_transaction_session_timeout', %s, false),
       current_setting('server_encoding')
"""


def open_postgres(url: str, *, connections: int = CONNECTIONS, wait_seconds: float = WAIT_SECONDS) -> SqlStore:
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
    waits = tuple(str(round(seconds * 1000)) for seconds in (STATEMENT_SECONDS, wait_seconds, STATEMENT_SECONDS))

    def connect() -> psycopg.Connection:
        made = psycopg.connect(**parameters)
        try:
            return _prepared(made, waits)
        except BaseException:
            made.close()
            raise

    return create_engine(
        "postgresql+psycopg://",
        creator=connect,
        pool_size=connections,
        max_overflow=0,
        pool_timeout=wait_seconds,
        pool_use_lifo=True,
    )


def _prepared(connection: psycopg.Connection, waits: tuple[str, ...]) -> psycopg.Connection:
    """Set the session parameters on which the promises rest."""
    with connection.transaction():
        row = connection.execute(_SESSION, waits).fetchone()
    encoding = row[-1] if row else None
    if encoding != ENCODING:
        raise StorageUnavailable(f"the database's encoding is {encoding}; scenes need one of {ENCODING}")
    return connection


def _migration_lock() -> tuple[str, ...]:
    """The first statements of a migration's transaction; their effect ends with the transaction."""
    longest = round(MIGRATION_SECONDS * 1000)
    return (
        f"SET LOCAL statement_timeout = {longest}",
        f"SET LOCAL lock_timeout = {longest}",
        f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})",
    )


def _one_line(fault: object) -> str:
    return " ".join(str(fault).split())
