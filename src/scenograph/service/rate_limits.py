"""How much a caller may ask: requests of a key or an address, and shares of the engine (R-RATE-1, R-FAIR-1)."""

from __future__ import annotations

import functools
import hashlib
import ipaddress
import math
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from throttled import MemoryStoreBackend
from throttled.rate_limiter.gcra import MemoryLimitAtomicAction

from scenograph.late_dataclasses import dataclass
from scenograph.service.errors import ServiceError
from scenograph.workers import Share

# How often a key or an address may ask (R-RATE-1, R-RATE-2).
#
# A token bucket by GCRA (generic cell rate algorithm): a burst at once, refilled evenly. Counted in this process, or in
# Redis where several servers share the figures (`redis.py`).

MINUTE = 60.0
PARTS = 1000  # parts of a token: the unit of spending
_LINKS_FOR_A_SIGN_UP = 12  # an office behind one address signs in more often than up
_BOUNDLESS = 1 << 40  # a bucket that never runs empty
ACCOUNT_POLICY = "account"
_SUBJECTS_KEPT = 100_000  # in memory; beyond, the least recently seen begins anew
# The subject of an address, alone (R-RATE-2) and as a network (R-FAIR-2). An IPv6 subscriber commonly holds a /56: a
# longer prefix would count a single caller as many.
IPV4_ADDRESS, IPV4_NETWORK, IPV6_NETWORK = 32, 24, 56
_NETWORKS_KEPT = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """`burst` requests at once, refilled at `per_minute`; `name` is the policy's name in the headers."""

    name: str
    per_minute: float
    burst: int

    @property
    def interval(self) -> float:
        """Seconds to refill a request."""
        return MINUTE / self.per_minute

    @property
    def window(self) -> int:
        """Seconds to refill an empty bucket."""
        return max(1, math.ceil(self.burst * self.interval))


WHEREABOUTS = Allowance(name="whereabouts", per_minute=600, burst=60)  # a few a second for several tabs of a key


class Count(NamedTuple):
    """A bucket after a request: seconds until full, and until the next request fits (0 when allowed)."""

    allowed: bool
    remaining: int
    reset_seconds: float
    retry_seconds: float


class Verdict(NamedTuple):
    """A count under an allowance, for the reply's headers."""

    allowance: Allowance
    state: Count


class TooManyRequestsError(ServiceError):
    """rate_limited by the policy of `verdict`, which the reply's headers report."""

    def __init__(self, sentence: str, verdict: Verdict) -> None:
        super().__init__("rate_limited", sentence, retry_after=verdict.state.retry_seconds)
        self.verdict = verdict


class Counter(Protocol):
    """Buckets by name. Both operations are atomic: the last token goes to a single request."""

    @property
    def is_remote(self) -> bool:
        """Whether asking takes the way to another machine."""
        ...

    def take(self, subject: str, allowance: Allowance) -> Count:
        """Take a request out of the bucket if the level suffices."""
        ...

    def spend(self, subject: str, allowance: Allowance, amount: float) -> Count:
        """Take `amount` out of the bucket at any level; a deficit is owed. The next request fits once a whole token is
        back."""
        ...

    def close(self) -> None:
        """Release connections."""
        ...


class Action(Protocol):
    """A GCRA step on a bucket, in memory or in Redis."""

    def do(self, keys: Sequence[str], args: Sequence[float]) -> tuple[float, ...]:
        """Takes tokens from the bucket of the first key.

        `args` are seconds a token, tokens of a full bucket, and tokens to take. Returns whether the level was too low,
        the tokens left, seconds until full, and seconds until the request would fit.
        """
        ...


def taken(action: Action, subject: str, allowance: Allowance) -> Count:
    """`take` by an action."""
    limited, remaining, reset, retry = action.do([subject], [allowance.interval, allowance.burst, 1])
    return Count(not limited, int(remaining), reset, retry)


def spent(action: Action, subject: str, allowance: Allowance, amount: float) -> Count:
    """`spend` by an action on a bottomless bucket, which never refuses."""
    interval = allowance.interval
    _, left, reset, _ = action.do([subject], [interval / PARTS, _BOUNDLESS, round(amount * PARTS)])
    level = allowance.burst + (left - _BOUNDLESS) / PARTS
    return Count(level > 0, max(0, int(level)), max(0.0, reset), 0.0 if level > 0 else (1 - level) * interval)


class MemoryCounter:
    """Buckets of this process. Safe to share between threads."""

    is_remote = False

    def __init__(self) -> None:
        self._action = MemoryLimitAtomicAction(MemoryStoreBackend(options={"MAX_SIZE": _SUBJECTS_KEPT}))

    def take(self, subject: str, allowance: Allowance) -> Count:
        """Under a lock."""
        return taken(self._action, subject, allowance)

    def spend(self, subject: str, allowance: Allowance, amount: float) -> Count:
        """Under a lock."""
        return spent(self._action, subject, allowance, amount)

    def close(self) -> None:
        """Nothing is held."""


class RateLimits:
    """The limits of this service. An allowance of None is no limit."""

    def __init__(
        self,
        by_key: Allowance | None,
        by_address: Allowance | None,
        counter: Counter,
        by_sign_up: Allowance | None = None,
        by_account: Allowance | None = None,
        *,
        by_page: Allowance | None = None,
    ) -> None:
        self._by_whereabouts = by_key and WHEREABOUTS
        self._by_page = by_page
        self._by_key = by_key
        self._by_account = by_account
        self._by_address = by_address
        self._by_sign_up = by_sign_up
        self._by_sign_in = by_sign_up and Allowance(
            name="sign-in",
            per_minute=_LINKS_FOR_A_SIGN_UP * by_sign_up.per_minute,
            burst=_LINKS_FOR_A_SIGN_UP * by_sign_up.burst,
        )
        self._counter = counter

    @property
    def is_remote(self) -> bool:
        """Whether counting waits for another machine."""
        return self._counter.is_remote

    def of_key(self, key_id: str) -> Verdict | None:
        """Count a request made with a key."""
        return self._of(self._by_key, f"key:{key_id}")

    def of_whereabouts(self, key_id: str) -> Verdict | None:
        """Count a word on where somebody is, with a key; no request of work counts with these."""
        return self._of(self._by_whereabouts, f"whereabouts:{key_id}")

    def of_account(self, account_id: str) -> Verdict | None:
        """Count a request made with any key of an account."""
        return self._of(self._by_account, f"account:{account_id}")

    def of_address(self, host: str) -> Verdict | None:
        """Count a request made without a key."""
        return self._of(self._by_address, f"address:{subscriber_of(host)}")

    def of_page(self, host: str) -> Verdict | None:
        """Count a published page or picture requested from the network of an address."""
        return self._of(self._by_page, f"page:{neighbourhood_of(host)}")

    def of_sign_up(self, host: str) -> Verdict | None:
        """Count a sign-up from an address."""
        return self._of(self._by_sign_up, f"sign-up:{subscriber_of(host)}")

    def of_mailbox(self, email: str) -> Verdict | None:
        """Count a mail to an e-mail address; the counter receives only the address's hash."""
        return self._of(self._by_sign_up, f"mailbox:{_hash(email)}")

    def of_sign_in(self, host: str) -> Verdict | None:
        """Count a request for a link that signs in, from an address."""
        return self._of(self._by_sign_in, f"sign-in:{subscriber_of(host)}")

    def of_links_from(self, host: str, email: str) -> Verdict | None:
        """Count a link for an e-mail address, asked for from an address: a stranger uses up only his own."""
        return self._of(self._by_sign_up, f"links:{subscriber_of(host)}:{_hash(email)}")

    def of_links_to(self, email: str) -> Verdict | None:
        """Count a link for an e-mail address, whoever asks."""
        return self._of(self._by_sign_in, f"links:{_hash(email)}")

    def of_resend(self, account_id: str) -> Verdict | None:
        """Count a further mail to the address of an account."""
        return self._of(self._by_sign_up, f"resend:{account_id}")

    def close(self) -> None:
        """Release the counter's connections."""
        self._counter.close()

    def _of(self, allowance: Allowance | None, subject: str) -> Verdict | None:
        return None if allowance is None else Verdict(allowance, self._counter.take(subject, allowance))


def _hash(email: str) -> str:
    return hashlib.sha256(email.encode()).hexdigest()


def allowance(name: str, per_minute: float, burst: int) -> Allowance | None:
    """The allowance by figures; None for 0 a minute (no limit)."""
    return Allowance(name=name, per_minute=per_minute, burst=burst) if per_minute else None


@functools.lru_cache(_NETWORKS_KEPT)  # asked for several times a request
def subscriber_of(host: str) -> str:
    """The subscriber of an address: IPv4 itself, the /56 of IPv6, any other text unchanged."""
    return _network_of(host, IPV4_ADDRESS).removesuffix(f"/{IPV4_ADDRESS}")


@functools.lru_cache(_NETWORKS_KEPT)
def neighbourhood_of(host: str) -> str:
    """The network of an address: the /24 of IPv4, the /56 of IPv6, any other text unchanged."""
    return _network_of(host, IPV4_NETWORK)


def _network_of(host: str, ipv4_prefix: int) -> str:
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    prefix = ipv4_prefix if isinstance(address, ipaddress.IPv4Address) else IPV6_NETWORK
    return str(ipaddress.ip_network((address, prefix), strict=False))


# Shares of the engine: calls at once, engine seconds a minute, and the shield against strangers, callers without a key
# (R-FAIR-2).
#
# Seconds are counted beside requests: in this process, or in Redis for all servers. A call that begins within the
# budget runs to its end; the excess is owed.

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
