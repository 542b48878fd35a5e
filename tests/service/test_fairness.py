from __future__ import annotations

import shutil
from contextlib import AbstractContextManager

import pytest
from local_servers.redis import running_redis
from tests.servers import not_installed
from throttled import utils

from scenograph.service.errors import ServiceError
from scenograph.service.rate_limits import Counter, Fairness, MemoryCounter, ShareRules, neighbourhood_of
from scenograph.service.redis import RedisCounter

OWNERS = ShareRules(at_once=2, timeout_seconds=10.0, seconds_a_minute=240)
STRANGERS = ShareRules(at_once=2, timeout_seconds=5.0, seconds_a_minute=40)
NO_LIMIT = ShareRules(at_once=2, timeout_seconds=10.0, seconds_a_minute=0)


def redis_or_skip() -> AbstractContextManager[str]:
    if shutil.which("redis-server") is None:
        not_installed("redis-server")
    return running_redis()


def fairness_over(counter: Counter) -> Fairness:
    return Fairness(OWNERS, STRANGERS, 1000, counter)


@pytest.fixture
def fairness() -> Fairness:
    return fairness_over(MemoryCounter())


@pytest.mark.parametrize(
    ("host", "network"),
    [
        ("192.0.2.7", "192.0.2.0/24"), ("::ffff:192.0.2.7", "192.0.2.0/24"),
        ("2001:db8:1:2ff::9", "2001:db8:1:200::/56"),
        ("fe80::1%eth0", "fe80::/56"), ("testclient", "testclient"),
    ],
)  # fmt: skip
def test_a_network_is_a_24_or_a_56(host: str, network: str) -> None:
    assert neighbourhood_of(host) == network


def test_seconds_are_used_up_owed_and_come_back_with_the_minute(
    fairness: Fairness, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000.0
    monkeypatch.setattr(utils, "now_mono_f", lambda: now)
    payer = fairness.payer(fairness.of_network("192.0.2.1"))
    payer.charge(39.5)
    payer.require()
    payer.charge(4.5)
    assert payer.verdict is not None
    assert (payer.verdict.state.allowed, payer.verdict.state.remaining) == (False, 0)
    with pytest.raises(ServiceError, match=r"40 s a minute .* with a key there are 240 s") as refused:
        payer.require()
    assert refused.value.code == "rate_limited"
    assert refused.value.retry_after == pytest.approx(7.5, abs=0.1)
    now += 7.6
    payer.require()
    now += 300
    for host in ("192.0.2.1", "198.51.100.1"):
        another = fairness.payer(fairness.of_network(host))
        another.require()
        assert another.verdict is not None
        assert another.verdict.state.remaining == 40


def test_seconds_that_one_server_spent_are_missing_at_the_other_where_both_count_in_redis() -> None:
    with redis_or_skip() as address:
        counters = [RedisCounter(address), RedisCounter(address)]
        here, there = (fairness_over(counter) for counter in counters)
        here.payer(here.of_owner("ann")).charge(250.5)
        with pytest.raises(ServiceError, match="240 s a minute"):
            there.payer(there.of_owner("ann")).require()
        there.payer(there.of_owner("ben")).require()
        for counter in counters:
            counter.close()


def test_without_a_limit_nothing_is_counted() -> None:
    fairness = Fairness(NO_LIMIT, STRANGERS, 1000, MemoryCounter())
    payer = fairness.payer(fairness.of_owner("ann"))
    payer.charge(1e6)
    payer.require()
    assert payer.verdict is None


def test_a_stranger_has_fewer_elements_than_an_owner(fairness: Fairness) -> None:
    assert fairness.most_elements(fairness.of_network("192.0.2.1")) == 1000
    assert fairness.most_elements(fairness.of_owner("ann")) is None
