"""Upgrades a database to the schema of this version; harmless when current, safe for simultaneous starts.

A single transaction holds a lock: a second process waits, finds the work done and does nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, text

from scenograph.storage.interface import StorageUnavailable

HERE = Path(__file__).parent
NEWEST = "0009"  # of the revisions under versions/
KNOWN = tuple(f"{number:04}" for number in range(1, int(NEWEST) + 1))
SHOWN = 32  # characters shown of an unknown version
_TOLD_IN = "alembic_version"  # Alembic's table with the database's revision


def migrate(engine: Engine, locking: Sequence[str] = ()) -> None:
    """Run the missing revisions. `locking` are statements that take the lock, for databases without a lock at the start
    of a transaction. Raises StorageUnavailable when the database is newer than this program."""
    with engine.begin() as connection:
        for statement in locking:
            connection.exec_driver_sql(statement)
        found = _revision_of(connection)
        if found is not None and found not in KNOWN:
            raise StorageUnavailable(
                f"the database is of a newer version of Scenograph (its schema is {found[:SHOWN]}; this version knows "
                f"{NEWEST} and earlier): start that version or a newer one, or restore a backup from before the upgrade"
            )
        if found != NEWEST:
            _upgrade(connection)


def _revision_of(connection: Connection) -> str | None:
    if not inspect(connection).has_table(_TOLD_IN):
        return None
    rows = connection.execute(text(f"SELECT version_num FROM {_TOLD_IN}")).scalars().all()  # noqa: S608 - our own
    return rows[0] if len(rows) == 1 else None


def _upgrade(connection: Connection) -> None:
    # A database is upgraded once and opened often; Alembic takes a tenth of the time to start.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415
    from alembic.util import CommandError  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(HERE).replace("%", "%%"))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, NEWEST)
    except CommandError as error:
        raise StorageUnavailable(f"the database cannot be brought to this version's schema: {error}") from error
