"""PostgreSQL as a backend: the only module that knows its options.

Many servers, one database. Statements run at READ COMMITTED: a writer waits for the row another holds and then sees
what it left, which is what the conditional statements stand on. Whatever a database, a role or a proxy of connections
presets that would break a promise of the store is set again for every connection.
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
# Two servers that start at once bring the schema up one after the other: this number is what they meet at.
MIGRATION_LOCK = 0x5CE70

# Unless the address says otherwise. A host that vanishes without a word is given up after some ten seconds instead of a
# quarter of an hour; of several hosts the one that takes writes is chosen.
_CONNECTING = {
    "connect_timeout": "5",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "2",
    "tcp_user_timeout": "10000",
    "target_session_attrs": "read-write",
    "application_name": "scenograph",
}
# Only `off` acknowledges what is not yet on disk; whoever asks for more than `on` gets it.
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
    """What libpq is to be told; the address's own words come last."""
    try:
        told = conninfo_to_dict(url)
    except psycopg.Error:
        told = {}
    ports = str(told.get("port", "")).replace(",", "")  # one for each host
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
    """Set what the promises stand on."""
    with connection.transaction():
        row = connection.execute(_SESSION, waits).fetchone()
    encoding = row[-1] if row else None
    if encoding != ENCODING:
        raise StorageUnavailable(f"the database's encoding is {encoding}; scenes need one of {ENCODING}")
    return connection


def _migration_lock() -> tuple[str, ...]:
    """What a migration's transaction begins with; all of it ends with the transaction."""
    longest = round(MIGRATION_SECONDS * 1000)
    return (
        f"SET LOCAL statement_timeout = {longest}",
        f"SET LOCAL lock_timeout = {longest}",
        f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})",
    )


def _one_line(fault: object) -> str:
    return " ".join(str(fault).split())
