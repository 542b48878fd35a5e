"""Redis, for servers that share limits and finished pictures (R-RATE-1, R-CACHE-5)."""

from __future__ import annotations

import hmac
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, cast

import structlog
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import ResponseError
from redis.retry import Retry
from throttled import RedisStoreBackend
from throttled.rate_limiter.gcra import RedisLimitAtomicAction

from scenograph.service.presence import MemoryRooms
from scenograph.service.rate_limits import Allowance, Count, MemoryCounter, spent, taken

# Buckets in Redis, for servers that share limits. While Redis does not answer, each server counts for itself: a lost
# counter loosens the limit to a share for each server, and neither stops nor opens the service. The same holds for a
# bucket with an impossible state: a foreign program wrote it.


REDIS_SECONDS = 0.25  # a counter slower than this costs more than it saves
_REDIS_CONNECTIONS = 64
REDIS_RETRY_SECONDS = 5.0
_OWED_SECONDS = 3600.0  # the largest debt of a bucket: more than all calls running at once
NAMESPACE = "scenograph:rate"

_log = structlog.get_logger(__name__)


class RedisCounter:
    """Buckets in Redis, by the clock of Redis; in memory while Redis is unreachable. Thread-safe."""

    is_remote = True

    def __init__(self, url: str) -> None:
        waiting = {"socket_timeout": REDIS_SECONDS, "socket_connect_timeout": REDIS_SECONDS}
        pool = {**waiting, "max_connections": _REDIS_CONNECTIONS, "retry": Retry(NoBackoff(), 0)}
        self._backend = RedisStoreBackend(url, {"CONNECTION_POOL_KWARGS": pool, "REUSE_CONNECTION": False})
        self._action = RedisLimitAtomicAction(self._backend)
        self._own = MemoryCounter()
        self._try_again_at = 0.0

    def take(self, subject: str, allowance: Allowance) -> Count:
        """A single script call. After a failure Redis is left alone for some seconds."""
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
            except Exception as lost:  # a foreign answer may break the client's parser anywhere
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
    longest = allowance.window + _OWED_SECONDS
    seconds = (found.reset_seconds, found.retry_seconds)
    return 0 <= found.remaining <= allowance.burst and all(0 <= one <= longest for one in seconds)


# Finished pictures in Redis, for servers that share them (R-CACHE-5). Entries count as untrusted: each begins with an
# HMAC over key and bytes, by a secret of the servers of a database; an entry without a valid code is a miss. While
# Redis does not answer, each server keeps its own pictures, and a miss is drawn.


_KEPT_SECONDS = 3600
MOST_BYTES = 2 << 20  # of a picture: a larger entry would delay other calls
_CODE_BYTES = 32  # HMAC-SHA-256
PICTURES_NAMESPACE = "scenograph:picture"


class _Sealed:
    """Entries under codes made with `secret`. Safe to share between threads. After a failure Redis is left alone for
    some seconds."""

    lost = ""  # the event of a failure

    def __init__(self, url: str, secret: bytes) -> None:
        self._secret = secret
        self._redis: Redis = cast("Any", Redis).from_url(
            url,
            socket_timeout=REDIS_SECONDS,
            socket_connect_timeout=REDIS_SECONDS,
            max_connections=_REDIS_CONNECTIONS,
            retry=Retry(NoBackoff(), 0),
        )
        self._try_again_at = 0.0

    @property
    def _is_away(self) -> bool:
        return time.monotonic() < self._try_again_at

    def close(self) -> None:
        """Close the pooled connections."""
        self._redis.close()

    def _code(self, key: str, content: bytes) -> bytes:
        made = hmac.new(self._secret, key.encode() + b"\0", "sha256")
        made.update(content)
        return made.digest()

    def _opened(self, key: str, found: object) -> bytes | None:
        """The content of an entry; None for a foreign one."""
        if not isinstance(found, bytes):
            return None
        code, content = found[:_CODE_BYTES], found[_CODE_BYTES:]
        return content if hmac.compare_digest(code, self._code(key, content)) else None

    def _leave_alone(self, lost: Exception) -> None:
        self._try_again_at = time.monotonic() + REDIS_RETRY_SECONDS
        _log.warning(self.lost, reason=type(lost).__name__)


class RedisPictures(_Sealed):
    """Bytes by key, each for an hour."""

    lost = "picture_cache_lost"

    def get(self, key: str) -> bytes | None:
        """The bytes under the key; None if absent, or while Redis is unreachable."""
        if self._is_away:
            return None
        try:
            # Never more than the largest entry of `put`
            found: object = self._redis.getrange(f"{PICTURES_NAMESPACE}:{key}", 0, _CODE_BYTES + MOST_BYTES)
        except ResponseError:
            return None  # an entry of another type
        except Exception as lost:  # a foreign answer may break the client's parser anywhere
            self._leave_alone(lost)
            return None
        is_possible = isinstance(found, bytes) and len(found) <= _CODE_BYTES + MOST_BYTES
        return self._opened(key, found) if is_possible else None

    def put(self, key: str, content: bytes) -> None:
        """Keep the bytes for an hour, unless large or while Redis is unreachable."""
        if len(content) > MOST_BYTES or self._is_away:
            return
        try:
            self._redis.set(f"{PICTURES_NAMESPACE}:{key}", self._code(key, content) + content, ex=_KEPT_SECONDS)
        except Exception as lost:
            self._leave_alone(lost)


# People of scenes in Redis, a hash for a scene, for servers that tell of each other's (R-PEOPLE-10). While Redis does
# not answer, each server tells of its own people.


_ROOM_SECONDS = 60
ROOMS_NAMESPACE = "scenograph:presence"


class RedisRooms(_Sealed):
    """Entries by room and name, a room for a minute after its last change."""

    is_remote = True
    lost = "presence_lost"

    def __init__(self, url: str, secret: bytes) -> None:
        super().__init__(url, secret)
        self._own = MemoryRooms()

    def put(self, room: str, entries: Mapping[str, bytes]) -> None:
        """A transaction."""
        self._own.put(room, entries)
        sealed = {name: self._code(f"{room}/{name}", content) + content for name, content in entries.items()}

        def write(pipe: Any, key: str) -> None:
            pipe.hset(key, mapping=sealed)
            pipe.expire(key, _ROOM_SECONDS)

        self._asked(room, write)

    def remove(self, room: str, names: Sequence[str]) -> None:
        """A single call."""
        self._own.remove(room, names)
        self._asked(room, lambda pipe, key: pipe.hdel(key, *names))

    def entry(self, room: str, name: str) -> bytes | None:
        """A single call."""
        found = self._asked(room, lambda pipe, key: pipe.hget(key, name))
        return self._own.entry(room, name) if found is None else self._opened(f"{room}/{name}", found[0])

    def entries(self, rooms: Collection[str]) -> Mapping[str, Mapping[str, bytes]]:
        """A single call for all."""
        names = list(rooms)
        found = self._asked_of(names, lambda pipe, key: pipe.hgetall(key)) if names else []
        if found is None:
            return self._own.entries(names)
        return {room: self._readable(room, rows) for room, rows in zip(names, found, strict=True)}

    def _readable(self, room: str, rows: object) -> Mapping[str, bytes]:
        """The valid entries of a room; of a spoilt room, this server's own entries."""
        if not isinstance(rows, dict):
            return self._own.entries([room])[room]
        named = [(name.decode("utf-8", "replace"), entry) for name, entry in cast("dict[bytes, bytes]", rows).items()]
        opened = ((name, self._opened(f"{room}/{name}", entry)) for name, entry in named)
        return {name: content for name, content in opened if content is not None}

    def _asked(self, room: str, ask: Callable[[Any, str], object]) -> list[Any] | None:
        return self._asked_of([room], ask)

    def _asked_of(self, rooms: Collection[str], ask: Callable[[Any, str], object]) -> list[Any] | None:
        """The answers to the commands of `ask` for each room; None while Redis is away."""
        if self._is_away:
            return None
        try:
            pipe: Any = cast("Any", self._redis).pipeline()
            for room in rooms:
                ask(pipe, f"{ROOMS_NAMESPACE}:{room}")
            return list(pipe.execute(raise_on_error=False))  # an error is of its room alone: of another type
        except Exception as lost:  # a foreign answer may break the client's parser anywhere
            self._leave_alone(lost)
            return None
