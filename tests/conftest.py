"""What several folders of the tests use: the scripts' servers, a PostgreSQL and a Redis that start when needed."""

from __future__ import annotations

import gc
import os
import shutil
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import httpcore2
import psycopg
import pytest
from hypothesis import HealthCheck, settings
from tests.servers import not_installed
from tests.warm_starts import WarmStarts

sys.path.insert(0, str(Path(__file__).parents[1] / "scripts"))

from local_servers.postgres import FAST, Postgres, binary, running_postgres
from local_servers.redis import running_redis

from scenograph.storage.postgres import open_postgres
from scenograph.storage.schema import metadata
from scenograph.storage.sqlite import open_sqlite

# Tests start more than a hundred servers and commands. Where Python is told to keep no bytecode, as in many containers,
# each of them would compile its libraries anew: half of the 2.5 s of processor time of a start.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Every commit of an SQLite store is synced, for 5 ms on a disk; a file in memory takes the same calls and keeps nobody
# waiting. What a power cut leaves is looked at with a disk of the tests' own.
MEMORY = Path("/dev/shm")  # noqa: S108 - pytest makes a folder for its user alone
if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > 4 << 30:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))

# A client reads the certificates of all authorities when it is made, for 18 ms. The tests make
# thousands, for plain HTTP.
httpcore2.default_ssl_context = cache(httpcore2.default_ssl_context)

# The same examples on every machine; Hypothesis has a profile of its own where the variable CI is set.
settings.register_profile(
    "repeatable", derandomize=True, database=None, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("repeatable")

# Folders whose tests wait for servers, browsers, processes or long searches; `pytest -m "not slow"` leaves them out.
SLOW = ("cluster", "field_trials", "http", "mcp", "pages", "properties", "safety", "service", "storage", "workers")

STARTS = WarmStarts()
if sys.platform == "linux":
    STARTS.install()

READY = "brought_up"
FILLED_BY_MIGRATIONS = "passed_time"
EMPTY = f"SET lock_timeout = '10s'; TRUNCATE {', '.join(sorted({*metadata.tables} - {FILLED_BY_MIGRATIONS}))}"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of the slow folders, the files beside the folders (they start commands), and all that Hypothesis
    searches. Long tests come first: at the end the other processes would wait for them."""
    top = Path(__file__).parent
    for item in items:
        room = item.path.relative_to(top).parts
        if room[0] in SLOW or len(room) == 1 or getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            item.add_marker(pytest.mark.slow)
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


def pytest_collection_finish() -> None:
    """Look for garbage seldom, and never among the 12,000 tests that were gathered: it took an eighth of the time."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    STARTS.are_on = item.get_closest_marker("cold") is None


def pytest_unconfigure() -> None:
    STARTS.close()


@pytest.fixture(scope="module", autouse=True)
def left_by_none_of_a_module() -> Iterator[None]:
    """What a module of tests leaves is found at its end, and fails it rather than a later one. What is kept by then is
    not looked at again: the caches of pictures grow to a million objects."""
    yield
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file with all tables and nothing in them, to be copied: the migrations take 0.1 s each time."""
    file = tmp_path_factory.mktemp("sqlite") / READY
    open_sqlite(f"sqlite:///{file}").close()
    return file


@pytest.fixture
def sqlite_file(migrated_sqlite: Path, tmp_path: Path) -> Path:
    """A database of this test alone, with all tables and nothing in them."""
    return Path(shutil.copy(migrated_sqlite, tmp_path / "scenes.db"))


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Postgres]:
    """A PostgreSQL of this test process, with a database READY that holds the tables."""
    try:
        binary("postgres")
    except FileNotFoundError:
        not_installed("postgresql")
    with running_postgres(**FAST) as server:
        open_postgres(server.database(name=READY)).close()
        yield server


@pytest.fixture
def postgres_url(postgres_server: Postgres) -> str:
    """The address of a database with all tables and nothing in them; the next test gets the same one."""
    with psycopg.connect(postgres_server.url(READY), autocommit=True) as connection:
        connection.execute(EMPTY)
    return postgres_server.url(READY)


@pytest.fixture
def own_postgres_url(postgres_server: Postgres) -> str:
    """The address of a database of this test alone, which it may spoil."""
    return postgres_server.database(READY)


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """The address of a Redis of this test process."""
    try:
        with running_redis() as url:
            yield url
    except FileNotFoundError:
        not_installed("redis-server")
