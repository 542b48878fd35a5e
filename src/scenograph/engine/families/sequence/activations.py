"""Activation bars: while a lifeline works on a call. (R-SEQ-10)

In: the events. Out: the bars of every lifeline by turns, and where a message meets them. A call opens a bar on its
target, the reply to its source closes it; what is never answered has no bar. Further replies to the same call (the
other operands of an alternative) stretch it. Where messages themselves say what they activate and deactivate, only
that makes bars.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scenograph.engine.families.sequence.interaction import Event
from scenograph.engine.families.sequence.participants import CREATE, DESTROY, REPLY
from scenograph.late_dataclasses import dataclass, field
from scenograph.scene.json_values import is_array
from scenograph.scene.model import Edge

WIDTH = 10.0
STEP = 5.0  # how far a nested bar stands to the right of the one that it lies on
_NO_CALL = frozenset({CREATE, DESTROY, REPLY})
ENDS = "source", "target"
ACTIVATES, DEACTIVATES = "activates", "deactivates"
_DECLARATIONS = DEACTIVATES, ACTIVATES


@dataclass(slots=True)
class Bar:
    """One bar, from the turn of its call to that of its last reply; `level` counts the bars that it lies on."""

    lifeline: str
    caller: str
    first: int
    last: int = -1
    level: int = 0


@dataclass(slots=True)
class _Desk:
    """The calls that wait for a reply, and the last answered one, by lifeline and caller."""

    waiting: dict[tuple[str, str], list[Bar]] = field(default_factory=dict[tuple[str, str], list[Bar]])
    answered: dict[tuple[str, str], Bar] = field(default_factory=dict[tuple[str, str], Bar])

    def call(self, bar: Bar) -> None:
        """Open a bar."""
        self.waiting.setdefault((bar.lifeline, bar.caller), []).append(bar)
        self.answered.pop((bar.lifeline, bar.caller), None)

    def reply(self, lifeline: str, caller: str, turn: int) -> None:
        """Close the latest bar that this caller opened, or stretch the one closed before."""
        waiting = self.waiting.get((lifeline, caller))
        bar = waiting.pop() if waiting else self.answered.get((lifeline, caller))
        if bar is not None:
            bar.last = turn
            self.answered[lifeline, caller] = bar


def find_bars(events: Sequence[Event]) -> tuple[Bar, ...]:
    """All bars, in the order in which they begin, those that begin together from the outer to the inner."""
    desk, opened = _Desk(), list[Bar]()
    messages = [(turn, event) for turn, event in enumerate(events) if isinstance(event, Edge)]
    declared = any(_declared(message, member) for _, message in messages for member in _DECLARATIONS)
    for turn, message in messages:
        for lifeline, caller, opens in _declarations(message) if declared else _conventions(message):
            if opens:
                opened.append(Bar(lifeline=lifeline, caller=caller, first=turn))
                desk.call(opened[-1])
            else:
                desk.reply(lifeline, caller, turn)
    return _levelled([bar for bar in opened if bar.last >= 0])


Change = tuple[str, str, bool]
"""A lifeline, for whom it works ("" for nobody in particular), and whether it begins."""


def _declarations(message: Edge) -> Iterator[Change]:
    """What a message says of the bars at its ends."""
    for member in _DECLARATIONS:
        for end in _declared(message, member):
            yield message.ends[ENDS.index(end)], "", member == ACTIVATES


def _declared(message: Edge, member: str) -> tuple[str, ...]:
    said = message.extensions.get(member)
    return tuple(end for end in ENDS if end in said) if is_array(said) else ()


def _conventions(message: Edge) -> Iterator[Change]:
    """What the type of a message means for the bars at its ends."""
    source, target = message.ends
    if message.edge_type == REPLY:
        yield source, target, False
    elif message.edge_type not in _NO_CALL:
        yield target, source, True


def _levelled(bars: Sequence[Bar]) -> tuple[Bar, ...]:
    running: dict[str, list[Bar]] = {}
    for bar in bars:
        beneath = [other for other in running.get(bar.lifeline, ()) if other.last >= bar.first]
        taken = {other.level for other in beneath}
        bar.level = next(level for level in range(len(taken) + 1) if level not in taken)
        running[bar.lifeline] = [*beneath, bar]
    return tuple(bars)


class Levels(NamedTuple):
    """The level of the topmost bar where a message leaves its source and where it meets its target; -1 for none."""

    source: int
    target: int


def levels_met(events: Sequence[Event], bars: Sequence[Bar]) -> dict[int, Levels]:
    """The bars at both ends of every message, by turn: those that run before it at its source, after it at its
    target."""
    beginning: dict[int, list[Bar]] = {}
    for bar in bars:
        beginning.setdefault(bar.first, []).append(bar)
    running: dict[str, list[Bar]] = {}
    found: dict[int, Levels] = {}
    for turn, event in enumerate(events):
        if not isinstance(event, Edge):
            continue
        source, target = event.ends
        before = [bar for bar in running.get(source, ()) if bar.last >= turn]
        for bar in beginning.get(turn, ()):
            running.setdefault(bar.lifeline, []).append(bar)
        running[target] = [bar for bar in running.get(target, ()) if bar.last > turn]
        found[turn] = Levels(_top(before), _top(running[target]))
    return found


def reach(level: int, *, rightwards: bool) -> float:
    """From a lifeline's middle to the edge of the bars up to `level`, px; 0 for none."""
    if level < 0:
        return 0.0
    return WIDTH / 2 + STEP * level if rightwards else -WIDTH / 2


def _top(bars: Sequence[Bar]) -> int:
    return max((bar.level for bar in bars), default=-1)
