"""What a caller may ask of the engine: its share, its seconds a minute, and the shield against strangers, who call
without a key (decisions: section 22).

Seconds are counted in this process, for they are seconds of its own engine processes. A call that begins before they
are used up runs to its end; what it takes more is owed.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from scenograph.service.errors import ServiceError
from scenograph.service.networks import neighbourhood_of
from scenograph.service.rate_limits import MINUTE, Allowance, Count, TooManyRequestsError, Verdict
from scenograph.workers import Share

POLICY = "engine-seconds"
CALLERS_KEPT = 100_000
LEAST_SECONDS = 1.0  # that must be there again before it is worth coming back


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareRules:
    """What callers of one kind may use: calls at once, seconds a call, seconds a minute (0: no limit)."""

    at_once: int
    timeout_seconds: float
    seconds_a_minute: int


class Fairness:
    """The shares of all callers. `public_elements` is how many elements a stranger's document may have."""

    def __init__(
        self,
        owners: ShareRules,
        strangers: ShareRules,
        public_elements: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._rules = {True: owners, False: strangers}
        self._budgets = {is_owner: _Budgets(rules.seconds_a_minute, clock) for is_owner, rules in self._rules.items()}
        self._public_elements = public_elements

    def of_owner(self, account_id: str) -> Share:
        """The share of an account."""
        return self._share(f"owner {account_id}", is_owner=True)

    def of_network(self, host: str) -> Share:
        """The share of the strangers who call from the network of an address."""
        return self._share(f"network {neighbourhood_of(host)}", is_owner=False)

    def budget_of(self, share: Share) -> Verdict | None:
        """What is left of the caller's engine seconds; None where there is no limit."""
        return self._budgets[share.is_owner].state(share.name)

    def charge(self, share: Share, seconds: float) -> Verdict | None:
        """Take the seconds off the caller's budget, and say what is left."""
        return self._budgets[share.is_owner].charge(share.name, seconds)

    def require_time(self, share: Share, verdict: Verdict) -> None:
        """rate_limited when nothing is left."""
        if verdict.state.allowed:
            return
        sentence = f"The engine time of the last minute is used up: {verdict.allowance.burst} s a minute are allowed"
        raise TooManyRequestsError(f"{sentence}{'.' if share.is_owner else self._help_of_a_key()}", verdict)

    def require_room_for(self, share: Share, document: object) -> None:
        """scene_too_large when a stranger's document has more elements than strangers may draw."""
        elements = cast("Mapping[str, Any]", document).get("elements") if isinstance(document, Mapping) else None
        count = len(cast("list[object]", elements)) if isinstance(elements, list) else 0
        if share.is_owner or count <= self._public_elements:
            return
        raise ServiceError(
            "scene_too_large",
            f"The scene has {count} elements; without an API key at most {self._public_elements} are taken. "
            "With a key (Authorization: Bearer <API_KEY>) the published limits hold.",
        )

    def _share(self, name: str, *, is_owner: bool) -> Share:
        rules = self._rules[is_owner]
        return Share(name, is_owner, rules.at_once, rules.timeout_seconds)

    def _help_of_a_key(self) -> str:
        more = self._rules[True].seconds_a_minute
        return f" to callers without an API key; with a key there {f'are {more} s' if more else 'is no such limit'}."


class _Budgets:
    """Seconds by caller, refilled evenly: a bucket that may be overdrawn. Safe to share between threads."""

    def __init__(self, seconds_a_minute: int, clock: Callable[[], float]) -> None:
        self._allowance = Allowance(name=POLICY, per_minute=seconds_a_minute or MINUTE, burst=seconds_a_minute)
        self._clock = clock
        self._lock = threading.Lock()
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()  # seconds, as of when

    def state(self, name: str) -> Verdict | None:
        return self.charge(name, 0.0)

    def charge(self, name: str, seconds: float) -> Verdict | None:
        full = self._allowance.burst
        if not full:
            return None
        with self._lock:
            now = self._clock()
            level, since = self._levels.pop(name, (float(full), now))
            level = min(full, level + (now - since) / self._allowance.interval) - seconds
            self._levels[name] = (level, now)
            if len(self._levels) > CALLERS_KEPT:
                self._levels.popitem(last=False)
        return Verdict(self._allowance, self._count(level, full))

    def _count(self, level: float, full: int) -> Count:
        interval = self._allowance.interval
        allowed = level > 0
        wait = 0.0 if allowed else (LEAST_SECONDS - level) * interval
        return Count(allowed, max(0, int(level)), (full - level) * interval, wait)
