"""Brings a database to the schema of this version. Harmless when it is there already, safe when two start at once:

everything happens in one transaction that holds a lock, so that the second process waits, finds the work done and does
nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Engine

from scenograph.storage.interface import StorageUnavailable

HERE = Path(__file__).parent
LATEST = "head"


def migrate(engine: Engine, locking: Sequence[str] = ()) -> None:
    """Run the missing revisions. `locking` are the statements that take the lock, where beginning a transaction does
    not take it. StorageUnavailable when the database is of a newer version than this program."""
    config = Config()
    config.set_main_option("script_location", str(HERE).replace("%", "%%"))
    with engine.begin() as connection:
        for statement in locking:
            connection.exec_driver_sql(statement)
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, LATEST)
        except CommandError as error:
            raise StorageUnavailable(f"the database cannot be brought to this version's schema: {error}") from error
