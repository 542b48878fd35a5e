"""Whose engine call comes next (R-FAIR-1).

As many calls run at once as there are engine processes. Owners come before strangers, who call without a key; half of
the processes (rounded down) never serve strangers. Among equals comes first who runs the fewest calls, then who used
the least engine time lately; of one caller's own calls the one that is expected to be short.

A call for which no room is expected in time is refused at once, not after the wait; whoever stands in line is served,
even where it takes somewhat longer than was expected. Where there is only one process, a stranger's call is ended when
an owner waits.
"""

from __future__ import annotations

import functools
import heapq
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol, TypeGuard

from scenograph.late_dataclasses import dataclass, field

# What may become of an engine call that does not succeed.


class WorkerOverloaded(Exception):  # noqa: N818 - states, named as the replies say them
    """There is no room for the call, or it had to make room for an owner's."""


class WorkerTimedOut(Exception):  # noqa: N818
    """The task overran its wall time; its worker was killed."""


class WorkerCrashed(Exception):  # noqa: N818
    """The worker died on the task, by its own fault, out of memory, or from outside."""


class TaskFailed(WorkerCrashed):
    """The task raised; its worker lives. The text names the exception and the places, never the scene."""


# How long an engine call will probably take: what the same call took before, else what such calls took lately. A
# guess decides who goes first and who need not wait in vain; it never changes a picture.


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


ENTERING_SECONDS = 0.3  # that a call which was let in is reckoned with before it stands in line
HALF_LIFE_SECONDS = 60.0  # of the engine time that a caller is remembered for
CALLERS_KEPT = 10_000

_Order = tuple[bool, bool, int, float, float, int]  # a stranger, early, calls that run, seconds used, expected, number


@dataclass(frozen=True, slots=True)
class Share:
    """A caller as the engine knows it: `at_once` of its calls run at a time, each for `timeout_seconds` at most. A call
    of one that `stays` is not ended for an owner's: an owner is going to need what it makes."""

    name: str
    is_owner: bool
    at_once: int
    timeout_seconds: float
    stays: bool = False

    @property
    def is_endable(self) -> bool:
        """Whether its calls make room for an owner's where there is one worker."""
        return not (self.is_owner or self.stays)


@dataclass(eq=False, slots=True)
class Turn:
    """One place among the running calls, or in the line for it. `granted` is done once the call may run."""

    share: Share
    call: object
    expected: float
    asked_at: float
    number: int
    granted: Future[None] = field(default_factory=Future[None])
    began_at: float | None = None
    held_seconds: float = 0.0
    gives_way: bool = False
    _end: Callable[[], None] | None = field(default=None, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)

    def give_way(self) -> None:
        """End what runs now, and let nothing more begin in this turn."""
        with self._lock:
            self.gives_way = True
            if self._end is not None:
                self._end()

    def begin(self, end: Callable[[], None]) -> None:
        """A worker is about to run the call, and `end` would stop it; WorkerOverloaded when it may not begin."""
        with self._lock:
            if self.gives_way:
                raise WorkerOverloaded("The call made room for an owner's.")
            self._end = end

    def finish(self) -> None:
        """The worker is done. From now on nobody ends it, for it may have another's task."""
        with self._lock:
            self._end = None


# The turn in which the code at hand runs. A context's value, and no argument, because between those who wait for the
# turn (the surface) and those who use it (the workers) nobody has a use for it.
CURRENT_TURN: ContextVar[Turn | None] = ContextVar("turn", default=None)


class TurnNeeded(Exception):  # noqa: N818 - a state, told to whoever waits for turns
    """The code at hand comes to need a turn, which is waited for elsewhere: it is to begin again in one."""


# Whether who began the code at hand waits for the turn that it may come to need, and begins it again then. A thread
# that waits is one that others need; nothing may have been written before.
BEGINS_AGAIN: ContextVar[bool] = ContextVar("begins_again", default=False)


class Payer(Protocol):
    """Whose engine time is used, and what is left of it."""

    @property
    def share(self) -> Share:
        """The caller."""
        ...

    def require(self) -> None:
        """Raises what the caller is to be told where nothing is left."""
        ...

    def charge(self, seconds: float) -> None:
        """Charge used seconds."""
        ...


# Who pays for engine calls that the code at hand may come to need without having waited for a turn.
CURRENT_PAYER: ContextVar[Payer | None] = ContextVar("payer", default=None)


class Turns:
    """`places` calls at once; a call stands in line when it will probably wait `queue_seconds` at most. Safe to share
    between threads."""

    def __init__(self, places: int, queue_seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.queue_seconds = queue_seconds
        self._places = places
        self._for_strangers = places - places // 2
        self._clock = clock
        self._lock = threading.Lock()
        self._running: set[Turn] = set()
        self._waiting: set[Turn] = set()
        self._entering: OrderedDict[Turn, None] = OrderedDict()  # at the door
        self._used: OrderedDict[str, tuple[float, float]] = OrderedDict()  # seconds, as of when
        self._expectations = Expectations()
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
        """Seconds after which a call in line is given up: it was let in for less, but the one before it may take all
        the time that a call may."""
        return self.queue_seconds + share.timeout_seconds

    def enter(self, share: Share, call: object = None, size: int = 0) -> Turn:
        """Say that a call will stand in line as soon as it is known who makes it and what it brings; WorkerOverloaded
        when there would be no room. Else a crowd that comes at once would all be let in, to be refused later."""
        with self._lock:
            self._forget_entering()
            turn = self._turn(share, call, size)
            self._require_room(turn, [*self._waiting, *self._entering])
            self._entering[turn] = None
            return turn

    def leave(self, entered: Turn) -> None:
        """A call that was let in does not stand in line after all."""
        with self._lock:
            self._entering.pop(entered, None)

    def ask(self, share: Share, call: object = None, size: int = 0, entered: Turn | None = None) -> Turn:
        """Stand in line; WorkerOverloaded when there will be no room in time. `call` names what is asked for, so that
        the same is known again; `size` is what came with it, in bytes; `entered` is how it came in: who makes the call
        for which there was room then has the place in line of that moment. Whoever gets a turn gives it back."""
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
    def waited_for(self, share: Share, call: object) -> Generator[Turn]:
        """A turn that the thread at hand waits for, which is kept from nobody else for longer than `queue_seconds`;
        WorkerOverloaded when the turn does not come until then."""
        turn = self.ask(share, call)
        try:
            try:
                turn.granted.result(self.queue_seconds)
            except TimeoutError:
                raise WorkerOverloaded(f"No worker became free within {self.queue_seconds:g} s.") from None
            yield turn
        finally:
            self.give_back(turn)

    def give_back(self, turn: Turn) -> None:
        """The turn is over, or nobody waits for it any more."""
        with self._lock:
            self._waiting.discard(turn)
            if turn in self._running:
                self._running.remove(turn)
                self._note(turn)
            self._grant()

    def _turn(self, share: Share, call: object, size: int) -> Turn:
        name = (share.name, call, size)
        expected = min(self._expectations.of(name, is_owner=share.is_owner, size=size), share.timeout_seconds)
        self._number += 1
        return Turn(share, name, expected, self._clock(), self._number)

    def _require_room(self, turn: Turn, others: list[Turn]) -> None:
        """`others` are those who wait."""
        if self._wait_of(turn, others) > self.queue_seconds:
            raise WorkerOverloaded("All renderers are busy.")

    def _let_in(self, entered: Turn | None, turn: Turn) -> TypeGuard[Turn]:
        """Whether it is the call that was let in a moment ago. It is not looked at once more: by then it was read and
        checked, and a guess that has become longer since would refuse it after all that work."""
        self._forget_entering()
        if entered is None or entered not in self._entering:
            return False
        del self._entering[entered]
        return (entered.share, entered.call) == (turn.share, turn.call)

    def _forget_entering(self) -> None:
        """Those who take their time: a body that comes slowly keeps nobody out."""
        since = self._clock() - ENTERING_SECONDS
        while self._entering and (first := next(iter(self._entering))).asked_at <= since:
            del self._entering[first]

    def _make_room_for(self, share: Share) -> None:
        if share.is_owner and self._places == 1:
            for other in self._running:
                if other.share.is_endable:
                    other.give_way()

    def _grant(self) -> None:
        while able := [turn for turn in self._waiting if self._has_place(turn.share)]:
            turn = min(able, key=self._orders())
            self._waiting.remove(turn)
            if turn.granted.set_running_or_notify_cancel():
                turn.began_at = self._clock()
                self._running.add(turn)
                turn.granted.set_result(None)

    def _has_place(self, share: Share) -> bool:
        own = sum(turn.share.name == share.name for turn in self._running)
        return own < share.at_once and len(self._running) < self._places and not self._is_closed_to(share)

    def _is_closed_to(self, share: Share) -> bool:
        return not share.is_owner and len(_strangers(self._running)) >= self._for_strangers

    def _orders(self) -> Callable[[Turn], _Order]:
        """The places in line as of now. Who has waited as long as was expected at most comes before those who came
        later. A caller's figures are the same for all of its turns."""
        late = self._clock() - self.queue_seconds
        running = Counter(turn.share.name for turn in self._running)
        used = functools.cache(self._used_by)

        def order(turn: Turn) -> _Order:
            share = turn.share
            if turn.asked_at <= late:
                return not share.is_owner, False, 0, 0.0, 0.0, turn.number
            return not share.is_owner, True, running[share.name], used(share.name), turn.expected, turn.number

        return order

    def _wait_of(self, turn: Turn, others: list[Turn]) -> float:
        """Seconds until the turn would probably come, with these in line."""
        share, order_of = turn.share, self._orders()
        order = order_of(turn)
        earlier = ((its_order, other) for other in others if (its_order := order_of(other)) < order)
        before = [other for _, other in sorted(earlier)]
        running = [*self._running]
        if share.is_owner and self._places == 1:
            running = [other for other in running if not other.share.is_endable]
        waits = [
            self._free_after(running, before, self._places),
            self._free_after(_of(share, running), _of(share, before), share.at_once),
        ]
        if not share.is_owner:
            waits.append(self._free_after(_strangers(running), _strangers(before), self._for_strangers))
        return max(waits)

    def _free_after(self, running: list[Turn], before: list[Turn], places: int) -> float:
        """Seconds until one of so many places is free, once those before have had theirs."""
        ends = [self._rest_of(turn) for turn in running]
        ends += [0.0] * (places - len(ends))
        heapq.heapify(ends)
        for turn in before:
            heapq.heapreplace(ends, ends[0] + turn.expected)
        return ends[0]

    def _rest_of(self, turn: Turn) -> float:
        """Seconds that it will probably still take; one that has run longer than expected, as long again."""
        elapsed = 0.0 if turn.began_at is None else self._clock() - turn.began_at
        return max(turn.expected - elapsed, elapsed)

    def _used_by(self, name: str) -> float:
        seconds, at = self._used.get(name, (0.0, 0.0))
        return seconds * 0.5 ** ((self._clock() - at) / HALF_LIFE_SECONDS)

    def _note(self, turn: Turn) -> None:
        share = turn.share
        took = turn.held_seconds = self._clock() - (turn.began_at or 0.0)
        self._used[share.name] = (self._used_by(share.name) + took, self._clock())
        self._used.move_to_end(share.name)
        if len(self._used) > CALLERS_KEPT:
            self._used.popitem(last=False)
        self._expectations.learn(turn.call, is_owner=share.is_owner, seconds=took)


def _of(share: Share, turns: Iterable[Turn]) -> list[Turn]:
    return [turn for turn in turns if turn.share.name == share.name]


def _strangers(turns: Iterable[Turn]) -> list[Turn]:
    return [turn for turn in turns if not turn.share.is_owner]
