"""Brings a database to the schema of this version. Harmless when it is there already, safe when two start at once:

everything happens in one transaction that holds the write lock, so that the second process waits, finds the work done
and does nothing.
"""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Engine

from scenograph.storage.interface import StorageUnavailable

HERE = Path(__file__).parent
LATEST = "head"


def migrate(engine: Engine) -> None:
    """Run the missing revisions. StorageUnavailable when the database is of a newer version than this program."""
    config = Config()
    config.set_main_option("script_location", str(HERE).replace("%", "%%"))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, LATEST)
        except CommandError as error:
            raise StorageUnavailable(f"the database cannot be brought to this version's schema: {error}") from error
