"""How statements reach the database: one engine for reading (each statement sees one state of the database) and one
for writing (transactions that take their write lock at once or wait for it). No driver error leaves this module.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, Row, Select
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from scenograph.storage.interface import StorageUnavailable

AnyRow = Row[*tuple[Any, ...]]


class ConstraintBroken(StorageUnavailable):
    """A key, a reference or a check forbids the row. An answer for the methods that ask; a fault for all others."""


class Connections:
    """What the parts of the store share. Safe to share between threads; the two engines may be one."""

    def __init__(self, reading: Engine, writing: Engine) -> None:
        self._reading = reading.execution_options(isolation_level="AUTOCOMMIT")
        self._writing = writing

    def close(self) -> None:
        """Release every pooled connection."""
        for engine in (self._reading, self._writing):
            engine.dispose()

    def _row(self, statement: Select[*tuple[Any, ...]], **parameters: object) -> AnyRow | None:
        with self._read() as connection:
            return connection.execute(statement, parameters).one_or_none()

    def _rows(self, statement: Select[*tuple[Any, ...]], **parameters: object) -> Sequence[AnyRow]:
        with self._read() as connection:
            return connection.execute(statement, parameters).all()

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
        raise ConstraintBroken("the database refuses the row") from error
    except (DBAPIError, PoolTimeout) as error:
        raise StorageUnavailable(f"the database does not answer: {type(error).__name__}") from error
