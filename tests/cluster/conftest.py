"""Two servers on one PostgreSQL and one Redis, as processes; skipped where one of those is not installed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import NamedTuple

import pytest
from local_servers.calling import Caller
from local_servers.postgres import Postgres
from local_servers.service import Service, running_services

BURST = 60
PER_MINUTE = 60
SECOND_OWNER = {"Authorization": "Bearer dsp_sk_" + "5" * 32}  # the supporters' account owns scenes like any other


class Cluster(NamedTuple):
    """The servers, and a connection to each."""

    servers: list[Service]
    one: Caller
    other: Caller


@pytest.fixture(scope="session")
def cluster(postgres_server: Postgres, redis_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Both start at once on an empty database."""
    environment = {
        "DATABASE_URL": postgres_server.database(),
        "BOOTSTRAP_SUPPORT_KEY": SECOND_OWNER["Authorization"].removeprefix("Bearer "),
        "RATE_LIMIT_URL": redis_url,
        "PUBLIC_RATE_LIMIT_RPM": str(
            PER_MINUTE
        ),  # for each address; keys have none, because other tests need many calls
        "PUBLIC_RATE_LIMIT_BURST": str(BURST),
        "TRUSTED_PROXIES": "127.0.0.1",
    }
    with (
        running_services(2, tmp_path_factory.mktemp("logs"), **environment) as servers,
        Caller(servers[0].url) as one,
        Caller(servers[1].url) as other,
    ):
        yield Cluster(servers, one, other)


@pytest.fixture(scope="session")
def numbers() -> Iterator[int]:
    return count()


@pytest.fixture
def second_owner(cluster: Cluster) -> Iterator[Cluster]:
    """The servers through another account's key."""
    first, second = cluster.servers
    with Caller(first.url, SECOND_OWNER) as one, Caller(second.url, SECOND_OWNER) as other:
        yield Cluster(cluster.servers, one, other)


@pytest.fixture
def scene_id(numbers: Iterator[int]) -> str:
    """An id that no other test uses."""
    return f"shared{next(numbers)}"
