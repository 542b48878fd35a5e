from __future__ import annotations

import pytest

from scenograph.service.errors import ServiceError
from scenograph.service.fairness import Fairness, ShareRules
from scenograph.service.networks import neighbourhood_of

OWNERS = ShareRules(at_once=2, timeout_seconds=10.0, seconds_a_minute=240)
STRANGERS = ShareRules(at_once=2, timeout_seconds=5.0, seconds_a_minute=40)
NO_LIMIT = ShareRules(at_once=2, timeout_seconds=10.0, seconds_a_minute=0)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


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


def test_seconds_are_used_up_owed_and_come_back_with_the_minute() -> None:
    clock = Clock()
    fairness = Fairness(OWNERS, STRANGERS, 1000, clock)
    share = fairness.of_network("192.0.2.1")
    fairness.charge(share, 39.5)
    assert fairness.budget_of(share).state.allowed
    told = fairness.charge(share, 4.5)
    assert (told.state.allowed, told.state.remaining) == (False, 0)
    with pytest.raises(ServiceError, match=r"40 s a minute .* with a key there are 240 s") as refused:
        fairness.require_time(share, told)
    assert refused.value.code == "rate_limited"
    clock.now = refused.value.retry_after
    fairness.require_time(share, fairness.budget_of(share))
    clock.now = 300.0
    assert fairness.budget_of(share).state.remaining == 40
    assert fairness.budget_of(fairness.of_network("198.51.100.1")).state.remaining == 40


def test_without_a_limit_nothing_is_counted() -> None:
    fairness = Fairness(NO_LIMIT, STRANGERS, 1000)
    share = fairness.of_owner("ann")
    assert fairness.charge(share, 1e6) is None
    assert fairness.budget_of(share) is None


@pytest.mark.parametrize("elements", [999, 1000])
def test_a_strangers_document_up_to_the_limit_is_taken(elements: int) -> None:
    fairness = Fairness(OWNERS, STRANGERS, 1000)
    fairness.require_room_for(fairness.of_network("192.0.2.1"), {"elements": [{}] * elements})


def test_a_strangers_document_above_the_limit_is_refused_with_the_help_of_a_key() -> None:
    fairness = Fairness(OWNERS, STRANGERS, 1000)
    document = {"elements": [{}] * 1001}
    with pytest.raises(ServiceError, match="API key") as refused:
        fairness.require_room_for(fairness.of_network("192.0.2.1"), document)
    assert refused.value.code == "scene_too_large"
    fairness.require_room_for(fairness.of_owner("ann"), document)


@pytest.mark.parametrize("odd", [None, [], "elements", {"elements": "many"}, {}])
def test_what_is_no_document_is_left_to_validation(odd: object) -> None:
    fairness = Fairness(OWNERS, STRANGERS, 1000)
    fairness.require_room_for(fairness.of_network("192.0.2.1"), odd)
