"""Shares of the engine: calls at once, engine seconds a minute, and the shield against strangers, callers without a key
(R-FAIR-2).

Seconds are counted beside requests: in this process, or in Redis for all servers. A call that begins within the budget
runs to its end; the excess is owed.
"""

from __future__ import annotations

from scenograph.late_dataclasses import dataclass
from scenograph.service.rate_limits import Counter, TooManyRequestsError, Verdict, allowance, neighbourhood_of
from scenograph.workers import Share

POLICY = "engine-seconds"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareRules:
    """Limits for a kind of caller: calls at once, seconds a call, seconds a minute (0: no limit)."""

    at_once: int
    timeout_seconds: float
    seconds_a_minute: int


class Fairness:
    """The shares of all callers. `public_elements` is how many elements a stranger's document may have."""

    def __init__(self, owners: ShareRules, strangers: ShareRules, public_elements: int, counter: Counter) -> None:
        self._rules = {True: owners, False: strangers}
        self._allowances = {
            is_owner: allowance(POLICY, rules.seconds_a_minute, rules.seconds_a_minute)
            for is_owner, rules in self._rules.items()
        }
        self._public_elements = public_elements
        self._counter = counter

    def of_owner(self, account_id: str) -> Share:
        """The share of an account."""
        return self._share(f"owner {account_id}", is_owner=True)

    def of_network(self, host: str) -> Share:
        """The share of the strangers who call from the network of an address."""
        return self._share(f"network {neighbourhood_of(host)}", is_owner=False)

    @property
    def is_remote(self) -> bool:
        """Whether seconds are counted on another machine."""
        return self._counter.is_remote

    def payer(self, share: Share) -> EngineSeconds:
        """The engine seconds of a caller."""
        return EngineSeconds(self, share)

    def spend(self, share: Share, seconds: float) -> Verdict | None:
        """Charge seconds to the caller's budget; the remaining budget, or None without a limit."""
        rule = self._allowances[share.is_owner]
        if rule is None:
            return None
        return Verdict(rule, self._counter.spend(f"engine:{share.name}", rule, seconds))

    def refusal(self, share: Share, verdict: Verdict) -> TooManyRequestsError:
        """rate_limited, for nothing is left."""
        sentence = f"The engine time of the last minute is used up: {verdict.allowance.burst} s a minute are allowed"
        return TooManyRequestsError(f"{sentence}{'.' if share.is_owner else self._help_of_a_key()}", verdict)

    def most_elements(self, share: Share) -> int | None:
        """Most elements of the caller's document, beside the published limits; None without a bound."""
        return None if share.is_owner else self._public_elements

    def _share(self, name: str, *, is_owner: bool) -> Share:
        rules = self._rules[is_owner]
        return Share(name, is_owner, rules.at_once, rules.timeout_seconds)

    def _help_of_a_key(self) -> str:
        more = self._rules[True].seconds_a_minute
        return f" to callers without an API key; with a key there {f'are {more} s' if more else 'is no such limit'}."


class EngineSeconds:
    """The remaining engine seconds of a caller: the payer of its engine calls. `verdict` is the latest count; None
    before the first charge, and without a limit."""

    def __init__(self, fairness: Fairness, share: Share) -> None:
        self._fairness = fairness
        self.share = share
        self.is_remote = fairness.is_remote
        self.verdict: Verdict | None = None

    def require(self) -> None:
        """rate_limited when nothing is left."""
        self.charge(0.0)
        if self.verdict is not None and not self.verdict.state.allowed:
            raise self._fairness.refusal(self.share, self.verdict)

    def charge(self, seconds: float) -> None:
        """Charge used seconds."""
        self.verdict = self._fairness.spend(self.share, seconds)
