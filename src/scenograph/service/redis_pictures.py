"""Finished pictures in Redis, for servers that share them (R-CACHE-5).

While Redis does not answer, each server keeps its own: a picture that is not found is drawn.
"""

from __future__ import annotations

import time
from typing import Any, cast

import structlog
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

KEPT_SECONDS = 3600
MOST_BYTES = 2 << 20  # of one picture: larger ones would keep the others' calls waiting
REDIS_SECONDS = 0.25  # a picture that takes longer is drawn as fast
REDIS_RETRY_SECONDS = 5.0
REDIS_CONNECTIONS = 64
NAMESPACE = "scenograph:picture"

_log = structlog.get_logger(__name__)


class RedisPictures:
    """Bytes by key, each for an hour. Safe to share between threads."""

    def __init__(self, url: str) -> None:
        self._redis: Redis = cast("Any", Redis).from_url(
            url,
            socket_timeout=REDIS_SECONDS,
            socket_connect_timeout=REDIS_SECONDS,
            max_connections=REDIS_CONNECTIONS,
            retry=Retry(NoBackoff(), 0),
        )
        self._try_again_at = 0.0

    def get(self, key: str) -> bytes | None:
        """What was put under the key; None for nothing, and while Redis is out of reach."""
        if time.monotonic() < self._try_again_at:
            return None
        try:
            found = self._redis.get(f"{NAMESPACE}:{key}")
        except RedisError as lost:
            self._leave_alone(lost)
            return None
        return found if isinstance(found, bytes) else None

    def put(self, key: str, content: bytes) -> None:
        """Keep it for an hour, unless it is large or Redis is out of reach."""
        if len(content) > MOST_BYTES or time.monotonic() < self._try_again_at:
            return
        try:
            self._redis.set(f"{NAMESPACE}:{key}", content, ex=KEPT_SECONDS)
        except RedisError as lost:
            self._leave_alone(lost)

    def close(self) -> None:
        """Close the pooled connections."""
        self._redis.close()

    def _leave_alone(self, lost: RedisError) -> None:
        self._try_again_at = time.monotonic() + REDIS_RETRY_SECONDS
        _log.warning("picture_cache_lost", reason=type(lost).__name__)
