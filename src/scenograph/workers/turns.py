"""The order of engine calls (R-FAIR-1).

As many calls run at once as engine processes exist. Owners precede strangers, callers without a key; half of the
processes (rounded down) never serve strangers. Among equals the caller with the fewest running calls comes first, then
the caller with the least recent engine time; among a caller's own calls the shortest expected call. While several
owners use the engine, long calls leave one process to short ones: many accounts with one long call each would hold up
everybody else.

A call without the prospect of a turn in time is refused at once, not after the wait. A queued call is served, even
somewhat later than expected, unless its wait turns out to be in vain. With a single process a stranger's call is ended
when an owner waits.
"""

from __future__ import annotations

import functools
import heapq
import itertools
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol, TypeGuard, TypeVar

from scenograph.late_dataclasses import dataclass, field

# The failures of an engine call.


class WorkerOverloaded(Exception):  # noqa: N818 - states, named as the replies say them
    """The queue is full, or the call gave way to an owner's."""


class WorkerTimedOut(Exception):  # noqa: N818
    """The task exceeded its wall time, and the worker was killed."""


class WorkerCrashed(Exception):  # noqa: N818
    """The worker died on the task, by its own fault, out of memory, or killed from outside."""


class TaskFailed(WorkerCrashed):
    """The task raised; its worker lives. The text names the exception and its places, never the scene."""


# The expected duration of an engine call: the duration of the same call before, else of its caller's recent calls, else
# of those of all owners, or all strangers. An estimate orders the queue and refuses hopeless waits; it never changes a
# picture.


_CALLS_KEPT = 4096
_CALLERS_KEPT = 10_000
_LEAST_SECONDS = 0.05
_SECONDS_A_BYTE = 1 / 100_000  # of an unknown document
_WEIGHT_OF_THE_LATEST = 0.3
_FIRST_GUESS = 0.1


class _Expectations:
    """Seconds of engine time by call. Safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._of_calls: OrderedDict[object, float] = OrderedDict()
        self._of_callers: OrderedDict[str, float] = OrderedDict()
        self._of_kinds: dict[bool, float] = {}

    def of(self, call: object, caller: str, *, is_owner: bool, size: int) -> tuple[float, float]:
        """Expected seconds of a call, identified by any hashable `call`, and the same without the calls of other
        callers; `size` is the request's size in bytes."""
        by_size = _LEAST_SECONDS + size * _SECONDS_A_BYTE
        with self._lock:
            known = self._of_calls.get(call)
            if known is not None:
                return max(known, _LEAST_SECONDS), max(known, _LEAST_SECONDS)
            lately = self._of_callers.get(caller)
            if lately is not None:
                return max(lately, by_size), max(lately, by_size)
            return max(self._of_kinds.get(is_owner, _FIRST_GUESS), by_size), by_size

    def learn(self, call: object, caller: str, *, is_owner: bool, seconds: float) -> None:
        """Record the duration of a call."""
        with self._lock:
            of_kind = self._of_kinds.get(is_owner, _FIRST_GUESS)
            of_caller = self._of_callers.get(caller, seconds)
            self._of_kinds[is_owner] = of_kind + _WEIGHT_OF_THE_LATEST * (seconds - of_kind)
            _keep(self._of_callers, caller, of_caller + _WEIGHT_OF_THE_LATEST * (seconds - of_caller), _CALLERS_KEPT)
            _keep(self._of_calls, call, seconds, _CALLS_KEPT)


_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


def _keep(kept: OrderedDict[_Key, _Value], name: _Key, value: _Value, most: int) -> None:
    """Put an entry last, and drop the first beyond `most`."""
    kept[name] = value
    kept.move_to_end(name)
    if len(kept) > most:
        kept.popitem(last=False)


_ENTERING_SECONDS = 0.3  # how long an announced call counts before it is queued
_HALF_LIFE_SECONDS = 60.0  # of a caller's used engine time
_LONG_SECONDS = 0.5  # the least duration of a long call
_ABOUT_SECONDS = 10.0  # how long an owner counts as using the engine after a call
_MISJUDGED = 2  # times its expected duration: a call that has the queue estimated anew

_Order = tuple[bool, bool, int, float, float, int]  # stranger, early, running calls, seconds used, expected, number


@dataclass(frozen=True, slots=True)
class Share:
    """A caller as seen by the engine: at most `at_once` running calls, each within `timeout_seconds`. With `stays` a
    call never gives way to an owner's, because an owner will need its result."""

    name: str
    is_owner: bool
    at_once: int
    timeout_seconds: float
    stays: bool = False

    @property
    def is_endable(self) -> bool:
        """Whether the calls give way to an owner's when a single worker exists."""
        return not (self.is_owner or self.stays)


@dataclass(eq=False, slots=True)
class CallTurn:
    """A place among the running calls, or in the queue. `granted` is done once the call may run. `expected`: seconds;
    `own_length`: the same without the calls of other callers."""

    share: Share
    call: object
    size: int
    asked_at: float
    number: int
    expected: float = 0.0
    own_length: float = 0.0
    granted: Future[None] = field(default_factory=Future[None])
    began_at: float | None = None
    held_seconds: float = 0.0
    gives_way: bool = False
    _end: Callable[[], None] | None = field(default=None, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)

    def give_way(self) -> None:
        """End the running call, and let no further call begin in this turn."""
        with self._lock:
            self.gives_way = True
            if self._end is not None:
                self._end()

    def begin(self, end: Callable[[], None]) -> None:
        """Register a call about to run; `end` stops it. Raises WorkerOverloaded after `give_way`."""
        with self._lock:
            if self.gives_way:
                raise WorkerOverloaded("The call made room for an owner's.")
            self._end = end

    def finish(self) -> None:
        """Unregister the finished call: its worker may have another caller's task next."""
        with self._lock:
            self._end = None


# The turn of the running code. A context variable instead of an argument: no layer between the surface, which awaits
# turns, and the workers, which use turns, needs the value.
CURRENT_TURN: ContextVar[CallTurn | None] = ContextVar("turn", default=None)


class TurnNeeded(Exception):  # noqa: N818 - a state, told to whoever waits for turns
    """The running code needs a turn awaited elsewhere, and must begin again within a turn."""


# Whether the caller of the running code awaits the turn on its behalf and begins again. A waiting thread is missing
# elsewhere; nothing may have been written before.
BEGINS_AGAIN: ContextVar[bool] = ContextVar("begins_again", default=False)


class Payer(Protocol):
    """The payer of engine time."""

    @property
    def share(self) -> Share:
        """The caller."""
        ...

    def require(self) -> None:
        """Raises the payer's refusal when its budget is empty."""
        ...

    def charge(self, seconds: float) -> None:
        """Charge used seconds."""
        ...


# The payer of engine calls begun without an awaited turn.
CURRENT_PAYER: ContextVar[Payer | None] = ContextVar("payer", default=None)


_Lanes = dict[str, list[float]]
"""By lane, and by caller, the seconds until each of its places is free."""
OWNERS, GUESTS, STRANGERS, LONG, SHORT = (
    f"{name} calls" for name in ("owners'", "guests'", "strangers'", "long", "short")
)


class Turns:
    """`places` calls at once; a call stands in line when it will probably wait `queue_seconds` at most. Safe to share
    between threads."""

    def __init__(self, places: int, queue_seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.queue_seconds = queue_seconds
        self._places = places
        self._for_strangers = places - places // 2
        self._for_long_calls = max(1, places - 1)
        self._clock = clock
        self._lock = threading.Lock()
        self._running: set[CallTurn] = set()
        self._waiting: set[CallTurn] = set()
        self._entering: OrderedDict[CallTurn, None] = OrderedDict()  # at the door
        self._used: OrderedDict[str, tuple[float, float]] = OrderedDict()  # seconds, as of when
        self._owners: OrderedDict[str, float] = OrderedDict()  # when each asked for a turn, the latest last
        self._expectations = _Expectations()
        self._number = 0

    @property
    def waiting(self) -> int:
        """How many calls wait."""
        return len(self._waiting)

    @property
    def standing(self) -> int:
        """How many calls run or wait."""
        return len(self._waiting) + len(self._running)

    def longest_wait(self, share: Share) -> float:
        """Seconds after which a queued call gives up: the admitted wait, and the full duration of a preceding call."""
        return self.queue_seconds + share.timeout_seconds

    def enter(self, share: Share, call: object = None, size: int = 0) -> CallTurn:
        """Announce a call before its caller and content are known. Raises WorkerOverloaded when the queue is full.
        Without announcements a sudden crowd would all be admitted and refused later."""
        with self._lock:
            self._forget_entering()
            turn = self._turn(share, call, size)
            self._require_room(turn, [*self._waiting, *self._entering])
            self._entering[turn] = None
            return turn

    def leave(self, entered: CallTurn) -> None:
        """Withdraw an announced call."""
        with self._lock:
            self._entering.pop(entered, None)

    def ask(self, share: Share, call: object = None, size: int = 0, entered: CallTurn | None = None) -> CallTurn:
        """Queue a call. Raises WorkerOverloaded without the prospect of a turn in time.

        `call` identifies equal calls for their expected duration; `size` is the request's size in bytes. `entered` is
        the announcement, whose place in the queue the call takes over if caller and call are the same. The caller must
        give every turn back.
        """
        with self._lock:
            turn = self._turn(share, call, size)
            if self._let_in(entered, turn):
                turn = entered
            else:
                self._require_room(turn, [*self._waiting])
            self._waiting.add(turn)
            self._grant()
            if turn in self._waiting:
                self._make_room_for(share)
            return turn

    @contextmanager
    def waited_for(self, share: Share, call: object) -> Generator[CallTurn]:
        """A turn awaited by the current thread for at most `queue_seconds`. Raises WorkerOverloaded after the wait."""
        turn = self.ask(share, call)
        try:
            try:
                turn.granted.result(self.queue_seconds)
            except TimeoutError:
                raise WorkerOverloaded(f"No worker became free within {self.queue_seconds:g} s.") from None
            yield turn
        finally:
            self.give_back(turn)

    def give_back(self, turn: CallTurn) -> None:
        """End a running turn, or leave the queue."""
        with self._lock:
            self._waiting.discard(turn)
            if turn in self._running:
                self._running.remove(turn)
                self._note(turn)
                if turn.held_seconds > _MISJUDGED * turn.expected:
                    self._refuse_in_vain()
            self._grant()

    def _turn(self, share: Share, call: object, size: int) -> CallTurn:
        if share.is_owner and share.name:
            _keep(self._owners, share.name, self._clock(), _CALLERS_KEPT)
        self._number += 1
        turn = CallTurn(share, (share.name, call, size), size, self._clock(), self._number)
        self._guess(turn)
        return turn

    def _guess(self, turn: CallTurn) -> None:
        share = turn.share
        guesses = self._expectations.of(turn.call, share.name, is_owner=share.is_owner, size=turn.size)
        turn.expected, turn.own_length = (min(seconds, share.timeout_seconds) for seconds in guesses)

    def _require_room(self, turn: CallTurn, others: list[CallTurn]) -> None:
        """Raises WorkerOverloaded when the wait behind `others`, the queue, is too long."""
        if self._wait_of(turn, others) > self.queue_seconds:
            raise WorkerOverloaded("All renderers are busy.")

    def _let_in(self, entered: CallTurn | None, turn: CallTurn) -> TypeGuard[CallTurn]:
        """Whether the call was announced a moment ago. Room is not checked again: the request was read and validated
        since, and a longer estimate must not waste the work."""
        self._forget_entering()
        if entered is None or entered not in self._entering:
            return False
        del self._entering[entered]
        return (entered.share, entered.call) == (turn.share, turn.call)

    def _forget_entering(self) -> None:
        """Forget slow announcements: a slowly arriving body keeps nobody out."""
        since = self._clock() - _ENTERING_SECONDS
        while self._entering and (first := next(iter(self._entering))).asked_at <= since:
            del self._entering[first]

    def _make_room_for(self, share: Share) -> None:
        if share.is_owner and self._places == 1:
            for other in self._running:
                if other.share.is_endable:
                    other.give_way()

    def _grant(self) -> None:
        while able := [turn for turn in self._waiting if self._has_place(turn)]:
            turn = min(able, key=self._orders())
            self._waiting.remove(turn)
            if turn.granted.set_running_or_notify_cancel():
                turn.began_at = self._clock()
                self._running.add(turn)
                turn.granted.set_result(None)

    def _refuse_in_vain(self) -> None:
        """Refuse queued calls whose estimated wait exceeds their longest, from the end of the queue."""
        for turn in self._waiting:
            self._guess(turn)
        now, lanes, in_vain = self._clock(), self._lanes(), list[CallTurn]()
        for turn in sorted(self._waiting, key=self._orders()):
            if now - turn.asked_at + self._free_after(lanes, turn) > self.longest_wait(turn.share):
                in_vain.append(turn)
            self._take_place(lanes, turn)
        for turn in reversed(in_vain):
            self._waiting.remove(turn)
            if turn.granted.set_running_or_notify_cancel():
                turn.granted.set_exception(WorkerOverloaded("All renderers are busy for longer than expected."))

    def _has_place(self, turn: CallTurn) -> bool:
        share = turn.share
        own = sum(other.share.name == share.name for other in self._running)
        return own < share.at_once and len(self._running) < self._places and not self._is_closed_to(turn)

    def _is_closed_to(self, turn: CallTurn) -> bool:
        if not turn.share.is_owner:
            return len(_strangers(self._running)) >= self._for_strangers
        return self._is_held_back(turn) and len(self._long(self._running)) >= self._for_long_calls

    def _is_held_back(self, turn: CallTurn) -> bool:
        """Whether a long call leaves a place to the short calls of other owners."""
        if turn.own_length <= _LONG_SECONDS or not turn.share.is_owner:
            return False
        latest = itertools.islice(reversed(self._owners.items()), 2)
        since = self._clock() - _ABOUT_SECONDS
        return any(name != turn.share.name and at > since for name, at in latest)

    def _long(self, turns: Iterable[CallTurn]) -> list[CallTurn]:
        """The long calls of owners, also unexpectedly long ones."""
        return [
            turn for turn in turns if turn.share.is_owner and max(turn.own_length, self._elapsed(turn)) > _LONG_SECONDS
        ]

    def _orders(self) -> Callable[[CallTurn], _Order]:
        """A sort key for the present queue. Calls past their expected wait precede later ones. A caller's figures are
        computed once for all of its turns."""
        late = self._clock() - self.queue_seconds
        running = Counter(turn.share.name for turn in self._running)
        used = functools.cache(self._used_by)

        def order(turn: CallTurn) -> _Order:
            share = turn.share
            if turn.asked_at <= late:
                return not share.is_owner, False, 0, 0.0, 0.0, turn.number
            return not share.is_owner, True, running[share.name], used(share.name), turn.expected, turn.number

        return order

    def _wait_of(self, turn: CallTurn, others: list[CallTurn]) -> float:
        """Expected seconds until the turn, behind the given queue."""
        order_of = self._orders()
        order = order_of(turn)
        earlier = ((its_order, other) for other in others if (its_order := order_of(other)) < order)
        lanes = self._lanes()
        for _, other in sorted(earlier):
            self._take_place(lanes, other)
        return self._free_after(lanes, turn)

    def _lanes(self) -> _Lanes:
        """The lanes of all running calls. The lanes of callers join at their first call."""
        running = [*self._running]
        kept = self._kept_for(is_owner=True)
        long = sorted(self._long(kept), key=self._rest_of, reverse=True)
        lanes: _Lanes = {
            OWNERS: self._lane(kept, self._places),
            GUESTS: self._lane(running, self._places),
            STRANGERS: self._lane(_strangers(running), self._for_strangers),
            LONG: self._lane(long, self._for_long_calls),
        }
        if self._places > self._for_long_calls:
            short = [turn for turn in kept if turn not in long[: self._for_long_calls]]
            lanes[SHORT] = self._lane(short, self._places - self._for_long_calls)
        return lanes

    def _kept_for(self, *, is_owner: bool) -> list[CallTurn]:
        """The running calls that a caller has to wait for."""
        gives_way = is_owner and self._places == 1
        return [turn for turn in self._running if not (gives_way and turn.share.is_endable)]

    def _lane(self, running: Iterable[CallTurn], places: int) -> list[float]:
        """Seconds until each of some places is free, as a heap."""
        ends = [self._rest_of(turn) for turn in running]
        ends += [0.0] * (places - len(ends))
        heapq.heapify(ends)
        return ends

    def _own_lane(self, lanes: _Lanes, share: Share) -> list[float]:
        """The lane of a caller."""
        own = lanes.get(share.name)
        if own is None:
            mine = [turn for turn in self._kept_for(is_owner=share.is_owner) if turn.share.name == share.name]
            own = lanes[share.name] = self._lane(mine, share.at_once)
        return own

    def _take_place(self, lanes: _Lanes, turn: CallTurn) -> None:
        """Let a queued call use the first free place of each of its lanes."""
        held_back = self._is_held_back(turn)
        taken = [lanes[OWNERS], lanes[GUESTS], self._own_lane(lanes, turn.share)]
        taken += [lanes[LONG]] if self._long([turn]) else []
        taken += [] if turn.share.is_owner else [lanes[STRANGERS]]
        taken += [lanes[SHORT]] if SHORT in lanes and not held_back else []
        for ends in taken:
            heapq.heapreplace(ends, ends[0] + turn.expected)

    def _free_after(self, lanes: _Lanes, turn: CallTurn) -> float:
        """Seconds until a call has a place, after the calls that took theirs."""
        share, held_back = turn.share, self._is_held_back(turn)
        first = lanes[OWNERS if share.is_owner else GUESTS][0]
        if share.is_owner and not held_back and SHORT in lanes:
            first = min(first, lanes[SHORT][0])
        waits = [first, self._own_lane(lanes, share)[0]]
        waits += [] if share.is_owner else [lanes[STRANGERS][0]]
        waits += [lanes[LONG][0]] if held_back else []
        return max(waits)

    def _rest_of(self, turn: CallTurn) -> float:
        """Expected remaining seconds of a call, within its time limit; an overdue call is expected to take as long
        again."""
        elapsed = self._elapsed(turn)
        return min(max(turn.expected - elapsed, elapsed), max(turn.share.timeout_seconds - elapsed, 0.0))

    def _elapsed(self, turn: CallTurn) -> float:
        return 0.0 if turn.began_at is None else self._clock() - turn.began_at

    def _used_by(self, name: str) -> float:
        seconds, at = self._used.get(name, (0.0, 0.0))
        return seconds * 0.5 ** ((self._clock() - at) / _HALF_LIFE_SECONDS)

    def _note(self, turn: CallTurn) -> None:
        share = turn.share
        took = turn.held_seconds = self._clock() - (turn.began_at or 0.0)
        _keep(self._used, share.name, (self._used_by(share.name) + took, self._clock()), _CALLERS_KEPT)
        self._expectations.learn(turn.call, share.name, is_owner=share.is_owner, seconds=took)


def _strangers(turns: Iterable[CallTurn]) -> list[CallTurn]:
    return [turn for turn in turns if not turn.share.is_owner]
