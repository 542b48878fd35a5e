"""Database connections: an engine for reading (each statement sees a single state of the database) and an engine for
writing (transactions that take their write lock at once or wait for it).

No driver error leaves this module. A transaction that certainly did not happen, by a connection lost before the commit
or by a deadlock, is run again by `repeated`. Callers of a store hear of a broken connection only when reconnecting
fails, or when the fate of a commit is unknown.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any, Literal, ParamSpec, TypeVar

from sqlalchemy import Connection, Engine, Row, Select
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from scenograph.storage.interface import StorageUnavailable

ATTEMPTS = 3
AUTOCOMMIT: Literal["AUTOCOMMIT"] = "AUTOCOMMIT"  # of engines for reading
# SQLSTATE: serialization failure, deadlock, and the server's farewell when it is stopped.
TAKEN_BACK = frozenset({"40001", "40P01", "57P01"})

AnyRow = Row[*tuple[Any, ...]]
Parameters = ParamSpec("Parameters")
Answer = TypeVar("Answer")


class ConstraintBroken(StorageUnavailable):
    """A key, a reference or a check forbids the row. An answer for methods prepared for the case; a fault for all
    others."""


class TransactionLost(StorageUnavailable):
    """The transaction did not happen, by no fault of its own: a retry may succeed at once."""


def repeated(method: Callable[Parameters, Answer]) -> Callable[Parameters, Answer]:
    """Make a method with a single transaction repeat after TransactionLost."""

    @functools.wraps(method)
    def run(*arguments: Parameters.args, **named: Parameters.kwargs) -> Answer:
        for _ in range(ATTEMPTS - 1):
            try:
                return method(*arguments, **named)
            except TransactionLost:
                continue
        return method(*arguments, **named)

    return run


class DatabaseEngines:
    """The engines shared by all parts of the store, perhaps a single engine for both uses. Thread-safe."""

    def __init__(self, reading: Engine, writing: Engine) -> None:
        # An engine for reading alone is made so; set anew on each of its connections, SQLite is asked each time.
        self._reading = reading.execution_options(isolation_level=AUTOCOMMIT) if reading is writing else reading
        self._writing = writing

    def close(self) -> None:
        """Release every pooled connection."""
        for engine in (self._reading, self._writing):
            engine.dispose()

    def _row(self, statement: Select[*tuple[Any, ...]], **parameters: object) -> AnyRow | None:
        rows = self._rows(statement, **parameters)
        return rows[0] if rows else None

    @repeated
    def _rows(self, statement: Select[*tuple[Any, ...]], **parameters: object) -> Sequence[AnyRow]:
        with _driver_errors_translated(), self._reading.connect() as connection, _losses_told():
            return connection.execute(statement, parameters).all()

    @contextmanager
    def _write(self) -> Generator[Connection]:
        """A transaction. A loss within the block is certain; the commit follows the block."""
        with _driver_errors_translated(), self._writing.begin() as connection, _losses_told():
            yield connection


@contextmanager
def _losses_told() -> Generator[None]:
    try:
        yield
    except DBAPIError as error:
        if error.connection_invalidated or getattr(error.orig, "sqlstate", None) in TAKEN_BACK:
            raise TransactionLost("the database ended the transaction") from error
        raise


@contextmanager
def _driver_errors_translated() -> Generator[None]:
    try:
        yield
    except IntegrityError as error:
        raise ConstraintBroken("the database refuses the row") from error
    except (DBAPIError, PoolTimeout) as error:
        raise StorageUnavailable(f"the database does not answer: {type(error).__name__}") from error
