"""Buckets in memory and in a real Redis: the same figures, exact times, and a service that outlives its counter."""

from __future__ import annotations

import math
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from tests.servers import not_installed
from throttled import utils

from scenograph.service import redis
from scenograph.service.rate_limits import Allowance, Counter, MemoryCounter, RateLimits, subscriber_of
from scenograph.service.redis import NAMESPACE, RedisCounter

SLOW = Allowance(name="key", per_minute=1, burst=5)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


@contextmanager
def redis_on(port: int) -> Iterator[None]:
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert any("Ready to accept connections" in line for line in process.stdout)
            yield
        finally:
            process.kill()


@pytest.fixture
def redis_port() -> Iterator[int]:
    if shutil.which("redis-server") is None:
        not_installed("redis-server")
    port = free_port()
    with redis_on(port):
        yield port


@pytest.fixture(params=["memory", "redis"])
def counters(request: pytest.FixtureRequest) -> Iterator[Callable[[], Counter]]:
    """Makes counters that share their buckets where the backend lets servers share them."""
    if request.param == "memory":
        alone = MemoryCounter()
        yield lambda: alone
        return
    port = request.getfixturevalue("redis_port")
    made: list[RedisCounter] = []

    def make() -> Counter:
        made.append(RedisCounter(f"redis://127.0.0.1:{port}/0"))
        return made[-1]

    yield make
    for counter in made:
        counter.close()


def test_a_burst_passes_at_once_and_the_next_is_told_when_to_come_back(counters: Callable[[], Counter]) -> None:
    counter = counters()
    counts = [counter.take("ann", SLOW) for _ in range(6)]
    assert [count.allowed for count in counts] == [True] * 5 + [False]
    assert [count.remaining for count in counts[:5]] == [4, 3, 2, 1, 0]
    assert 59 < counts[5].retry_seconds <= 60
    assert 290 < counts[5].reset_seconds <= 300


def test_a_refused_request_costs_nothing(counters: Callable[[], Counter]) -> None:
    counter = counters()
    for _ in range(5):
        counter.take("ann", SLOW)
    waits = [counter.take("ann", SLOW).retry_seconds for _ in range(20)]
    assert max(waits) <= 60


def test_subjects_are_counted_apart(counters: Callable[[], Counter]) -> None:
    counter = counters()
    for _ in range(6):
        counter.take("ann", SLOW)
    assert counter.take("bob", SLOW).remaining == 4


def test_of_many_at_once_exactly_the_burst_passes(counters: Callable[[], Counter]) -> None:
    servers = [counters(), counters()]
    with ThreadPoolExecutor(16) as pool:
        counts = list(pool.map(lambda turn: servers[turn % 2].take("ann", SLOW), range(100)))
    assert sum(count.allowed for count in counts) == 5


def test_a_bucket_is_refilled_evenly(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(utils, "now_mono_f", lambda: now)
    counter = MemoryCounter()
    for _ in range(5):
        assert counter.take("ann", SLOW).allowed
    now += 59.9
    assert not counter.take("ann", SLOW).allowed
    now += 0.2
    assert counter.take("ann", SLOW).allowed
    assert not counter.take("ann", SLOW).allowed
    now += 600
    assert counter.take("ann", SLOW).remaining == 4


def test_a_counter_out_of_reach_leaves_the_limit_to_each_server() -> None:
    counter = RedisCounter(f"redis://127.0.0.1:{free_port()}/0")
    counts = [counter.take("ann", SLOW) for _ in range(6)]
    counter.close()
    assert [count.allowed for count in counts] == [True] * 5 + [False]


def test_a_counter_that_hangs_is_left_alone_after_one_short_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis, "REDIS_SECONDS", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        counter = RedisCounter(f"redis://127.0.0.1:{silent.getsockname()[1]}/0")
        assert counter.take("ann", SLOW).remaining == 4
        silent.settimeout(1.0)
        silent.accept()[0].close()
        assert counter.take("ann", SLOW).remaining == 3
        silent.settimeout(0.0)
        with pytest.raises(BlockingIOError):
            silent.accept()
        counter.close()


def test_a_counter_that_comes_back_is_used_again(redis_port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis, "REDIS_RETRY_SECONDS", 0.0)
    later = free_port()
    counter = RedisCounter(f"redis://127.0.0.1:{later}/0")
    assert counter.take("ann", SLOW).remaining == 4
    with redis_on(later):
        assert [counter.take("ann", SLOW).remaining for _ in range(3)] == [4, 3, 2]
    assert counter.take("ann", SLOW).remaining == 3
    counter.close()


def test_without_an_allowance_nothing_is_counted() -> None:
    limits = RateLimits(None, None, MemoryCounter())
    assert limits.of_key("k") is None
    assert limits.of_address("192.0.2.1") is None


def test_keys_and_addresses_of_the_same_name_are_counted_apart() -> None:
    limits = RateLimits(SLOW, SLOW, MemoryCounter())
    for verdict in (limits.of_key("192.0.2.1"), limits.of_address("192.0.2.1")):
        assert verdict is not None
        assert verdict.state.remaining == 4


@pytest.mark.parametrize(
    ("host", "network"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3::4", "2001:db8:1::/56"),
        ("2001:db8:1:ff:ffff::", "2001:db8:1::/56"),
        ("2001:db8:1:100::4", "2001:db8:1:100::/56"),
        ("fe80::1%eth0", "fe80::/56"),
        ("testclient", "testclient"),
    ],
)
def test_an_ipv6_address_counts_as_its_network(host: str, network: str) -> None:
    assert subscriber_of(host) == network


@pytest.mark.parametrize("planted", [b"garbage", b"", b"9" * 400, b"1e300", b"-1e300", b"nan", b"inf", b"\xff\0"])
def test_a_bucket_that_somebody_else_wrote_is_counted_here(redis_port: int, planted: bytes) -> None:
    from redis import Redis  # noqa: PLC0415 - an extra of the package

    counter = RedisCounter(f"redis://127.0.0.1:{redis_port}/0")
    rule = Allowance(name="key", per_minute=6, burst=2)
    with Redis(port=redis_port) as plain:
        plain.set(f"{NAMESPACE}:planted", planted)
        for _ in range(2):
            assert counter.take("planted", rule).allowed
        assert math.isfinite(counter.spend("planted", rule, 0.5).reset_seconds)
        plain.delete(f"{NAMESPACE}:planted")
        plain.rpush(f"{NAMESPACE}:planted", "another type")
        assert math.isfinite(counter.take("planted", rule).reset_seconds)
    assert [counter.take("sound", rule).allowed for _ in range(3)] == [True, True, False]
    with Redis(port=redis_port) as plain:
        assert plain.exists(f"{NAMESPACE}:sound"), "the others are counted there as before"
        plain.flushdb()
    counter.close()
