"""How long an engine call will probably take: what the same call took before, else what such calls took lately.

A guess decides who goes first and who need not wait in vain; it never changes a picture.
"""

from __future__ import annotations

import threading
from collections import OrderedDict

CALLS_KEPT = 4096
LEAST_SECONDS = 0.05
SECONDS_A_BYTE = 1 / 100_000  # of a document that nobody has seen yet
WEIGHT_OF_THE_LATEST = 0.3
FIRST_GUESS = 0.1


class Expectations:
    """Seconds of engine time by call. Safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._of_calls: OrderedDict[object, float] = OrderedDict()
        self._of_kinds: dict[bool, float] = {}

    def of(self, call: object, *, is_owner: bool, size: int) -> float:
        """Seconds that `call` (whatever names it) will take; `size` in bytes is what its caller sent."""
        with self._lock:
            known = self._of_calls.get(call)
            if known is not None:
                return max(known, LEAST_SECONDS)
            return max(self._of_kinds.get(is_owner, FIRST_GUESS), LEAST_SECONDS + size * SECONDS_A_BYTE)

    def learn(self, call: object, *, is_owner: bool, seconds: float) -> None:
        """The call took so long."""
        with self._lock:
            before = self._of_kinds.get(is_owner, FIRST_GUESS)
            self._of_kinds[is_owner] = before + WEIGHT_OF_THE_LATEST * (seconds - before)
            self._of_calls[call] = seconds
            self._of_calls.move_to_end(call)
            if len(self._of_calls) > CALLS_KEPT:
                self._of_calls.popitem(last=False)
