"""Finished pictures in Redis, for servers that share them (R-CACHE-5).

What stands there counts as written by a stranger: an entry begins with a code that only servers of the same database
can make, over its name and its bytes, and anything else is a picture that is not found. While Redis does not answer,
each server keeps its own: a picture that is not found is drawn.
"""

from __future__ import annotations

import hmac
import time
from typing import Any, cast

import structlog
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import ResponseError
from redis.retry import Retry

KEPT_SECONDS = 3600
MOST_BYTES = 2 << 20  # of one picture: larger ones would keep the others' calls waiting
CODE_BYTES = 32  # HMAC-SHA-256
REDIS_SECONDS = 0.25  # a picture that takes longer is drawn as fast
REDIS_RETRY_SECONDS = 5.0
REDIS_CONNECTIONS = 64
NAMESPACE = "scenograph:picture"

_log = structlog.get_logger(__name__)


class RedisPictures:
    """Bytes by key, each for an hour, under codes made with `secret`. Safe to share between threads."""

    def __init__(self, url: str, secret: bytes) -> None:
        self._secret = secret
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
            # Never more than the largest that would have been put there
            found: object = self._redis.getrange(f"{NAMESPACE}:{key}", 0, CODE_BYTES + MOST_BYTES)
        except ResponseError:
            return None  # an entry of another type
        except Exception as lost:  # a stranger's answer may break the client's parser anywhere
            self._leave_alone(lost)
            return None
        if not isinstance(found, bytes):
            return None
        code, content = found[:CODE_BYTES], found[CODE_BYTES:]
        is_ours = len(content) <= MOST_BYTES and hmac.compare_digest(code, self._code(key, content))
        return content if is_ours else None

    def put(self, key: str, content: bytes) -> None:
        """Keep it for an hour, unless it is large or Redis is out of reach."""
        if len(content) > MOST_BYTES or time.monotonic() < self._try_again_at:
            return
        try:
            self._redis.set(f"{NAMESPACE}:{key}", self._code(key, content) + content, ex=KEPT_SECONDS)
        except Exception as lost:
            self._leave_alone(lost)

    def close(self) -> None:
        """Close the pooled connections."""
        self._redis.close()

    def _code(self, key: str, content: bytes) -> bytes:
        made = hmac.new(self._secret, key.encode() + b"\0", "sha256")
        made.update(content)
        return made.digest()

    def _leave_alone(self, lost: Exception) -> None:
        self._try_again_at = time.monotonic() + REDIS_RETRY_SECONDS
        _log.warning("picture_cache_lost", reason=type(lost).__name__)
