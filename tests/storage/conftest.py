"""The backends under test. A new one is a row in BACKENDS; the contract then runs against it as well."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from scenograph.storage.interface import Account, NewRevision, Store
from scenograph.storage.postgres import open_postgres
from scenograph.storage.sql import SqlStore
from scenograph.storage.sqlite import open_sqlite

START = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)
OWNERS = ("ann", "bob")


def _sqlite(request: pytest.FixtureRequest) -> Store:
    return open_sqlite(f"sqlite:///{request.getfixturevalue('sqlite_file')}")


def _postgres(request: pytest.FixtureRequest) -> Store:
    return open_postgres(request.getfixturevalue("postgres_url"))


BACKENDS: dict[str, Callable[[pytest.FixtureRequest], Store]] = {"sqlite": _sqlite, "postgresql": _postgres}


@pytest.fixture(params=BACKENDS)
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    """A fresh store in which ann and bob have accounts."""
    opened = BACKENDS[request.param](request)
    for owner in OWNERS:
        opened.add_account(Account(id=owner, email=None, email_verified_at=None, role="member"), START)
    yield opened
    opened.close()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where an SQLite file may be made."""
    return tmp_path / "scenes.db"


@pytest.fixture
def sqlite_store(migrated_sqlite: Path, file: Path) -> Iterator[SqlStore]:
    """A store in that file, in which ann has an account and the scene orders."""
    opened = open_sqlite(f"sqlite:///{shutil.copy(migrated_sqlite, file)}")
    opened.add_account(Account(id="ann", email=None, email_verified_at=None, role="member"), START)
    opened.create_scene("ann", "orders", NewRevision(document="{}", title=None, diagram_family=None), START)
    yield opened
    opened.close()
