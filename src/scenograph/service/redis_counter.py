"""Buckets in Redis, for servers that share their limits. While Redis does not answer, each server counts for itself: a
lost counter loosens the limit to one share a server, it neither stops the service nor opens it. The same holds for a
bucket of which Redis says what no counting leads to: somebody else wrote it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, cast

import structlog
from redis.backoff import NoBackoff
from redis.exceptions import ResponseError
from redis.retry import Retry
from throttled import RedisStoreBackend
from throttled.rate_limiter.gcra import RedisLimitAtomicAction

from scenograph.service.rate_limits import Allowance, Count, MemoryCounter, spent, taken

REDIS_SECONDS = 0.25  # a counter slower than this costs more than it saves
REDIS_CONNECTIONS = 64
REDIS_RETRY_SECONDS = 5.0
OWED_SECONDS = 3600.0  # by which a bucket may be beyond empty: more than calls that run at once come to
NAMESPACE = "scenograph:rate"

_log = structlog.get_logger(__name__)


class RedisCounter:
    """Buckets in Redis, by its clock; in memory while it is out of reach. Safe to share between threads."""

    is_remote = True

    def __init__(self, url: str) -> None:
        waiting = {"socket_timeout": REDIS_SECONDS, "socket_connect_timeout": REDIS_SECONDS}
        pool = {**waiting, "max_connections": REDIS_CONNECTIONS, "retry": Retry(NoBackoff(), 0)}
        self._backend = RedisStoreBackend(url, {"CONNECTION_POOL_KWARGS": pool, "REUSE_CONNECTION": False})
        self._action = RedisLimitAtomicAction(self._backend)
        self._own = MemoryCounter()
        self._try_again_at = 0.0

    def take(self, subject: str, allowance: Allowance) -> Count:
        """One script call; after a failure Redis is left alone for some seconds."""
        return self._asked(
            allowance,
            lambda: taken(self._action, f"{NAMESPACE}:{subject}", allowance),
            lambda: self._own.take(subject, allowance),
        )

    def spend(self, subject: str, allowance: Allowance, amount: float) -> Count:
        """As `take`."""
        return self._asked(
            allowance,
            lambda: spent(self._action, f"{NAMESPACE}:{subject}", allowance, amount),
            lambda: self._own.spend(subject, allowance, amount),
        )

    def _asked(self, allowance: Allowance, shared: Callable[[], Count], own: Callable[[], Count]) -> Count:
        if time.monotonic() >= self._try_again_at:
            try:
                found = shared()
            except Exception as lost:  # a stranger's answer may break the client's parser anywhere
                fault = lost.__cause__ or lost
                if not isinstance(fault, ResponseError):  # which is of this bucket alone
                    self._try_again_at = time.monotonic() + REDIS_RETRY_SECONDS
                    _log.warning("rate_limit_counter_lost", reason=type(fault).__name__)
            else:
                if _is_possible(found, allowance):
                    return found
        return own()

    def close(self) -> None:
        """Close the pooled connections."""
        cast("Any", self._backend.get_client()).connection_pool.disconnect()


def _is_possible(found: Count, allowance: Allowance) -> bool:
    """Whether counting may have come to this. A NaN compares false."""
    longest = allowance.window + OWED_SECONDS
    seconds = (found.reset_seconds, found.retry_seconds)
    return 0 <= found.remaining <= allowance.burst and all(0 <= one <= longest for one in seconds)
