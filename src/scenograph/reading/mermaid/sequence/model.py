"""The model of a sequence diagram, between its statements and the document."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.losses import Losses, Place, TooLarge
from scenograph.scene.json_values import JsonObject

# ARROWS: the marks between two participants, and their edges.


MESSAGE, REPLY, ASYNC = "sequence.message", "sequence.reply", "sequence.async"
DASH: JsonObject = {"dash": [4, 4]}


class Arrow(NamedTuple):
    """An edge type and differences from it; `exact` is False for an approximated arrowhead."""

    edge_type: str
    endpoints: JsonObject | None = None
    style: JsonObject | None = None
    exact: bool = True


def _ends(start: str, end: str) -> JsonObject:
    return {"startArrow": start, "endArrow": end}


def _half(mark: str) -> tuple[tuple[str, Arrow], ...]:
    r"""The half arrows of a mark such as `|\`: solid, dashed, and both reversed."""
    back = {"|\\": "/|", "|/": "\\|", "\\\\": "//", "//": "\\\\"}[mark]
    return (
        (f"-{mark}", Arrow(MESSAGE, exact=False)),
        (f"--{mark}", Arrow(REPLY, exact=False)),
        (f"{back}-", Arrow(MESSAGE, _ends("triangle", "none"), exact=False)),
        (f"{back}--", Arrow(REPLY, _ends("triangle", "none"), exact=False)),
    )


ARROWS: Mapping[str, Arrow] = MappingProxyType(
    {
        "->>": Arrow(MESSAGE),
        "-->>": Arrow(REPLY),
        "->": Arrow(MESSAGE, _ends("none", "none")),
        "-->": Arrow(REPLY, _ends("none", "none")),
        "-x": Arrow(MESSAGE, _ends("none", "bar"), exact=False),
        "--x": Arrow(REPLY, _ends("none", "bar"), exact=False),
        "-)": Arrow(ASYNC),
        "--)": Arrow(ASYNC, style=DASH),
        "<<->>": Arrow(MESSAGE, _ends("triangle", "triangle")),
        "<<-->>": Arrow(REPLY, _ends("triangle", "triangle")),
        **dict(_half("|\\")),
        **dict(_half("|/")),
        **dict(_half("\\\\")),
        **dict(_half("//")),
    }
)
ARROW = re.compile("|".join(re.escape(mark) for mark in sorted(ARROWS, key=len, reverse=True)), re.IGNORECASE)


@dataclass(slots=True)
class Participant:
    """A lifeline; `kind` is participant, actor, or a value of its properties."""

    name: str
    place: Place
    kind: str = "participant"
    label: str = ""


@dataclass(slots=True)
class Message:
    """A message; `arrow` is its mark in the source."""

    source: str
    target: str
    arrow: str
    text: str
    place: Place
    creates: bool = False
    destroys: bool = False
    activates: set[str] = field(default_factory=set[str])
    deactivates: set[str] = field(default_factory=set[str])


@dataclass(slots=True)
class Note:
    """A note over participants, or beside a participant with `side` left or right."""

    text: str
    over: list[str]
    side: str | None
    place: Place


@dataclass(slots=True)
class Operand:
    """A part of a fragment; `steps` are positions in the chart's list of steps."""

    guard: str
    steps: list[int] = field(default_factory=list[int])


@dataclass(slots=True)
class CombinedFragment:
    """A combined fragment."""

    operator: str
    place: Place
    operands: list[Operand]


@dataclass(slots=True)
class ParticipantBox:
    """A frame round participants."""

    title: str
    fill: str | None
    place: Place
    members: list[str] = field(default_factory=list[str])


Step = Message | Note | CombinedFragment


@dataclass(slots=True)
class SequenceChart:
    """A diagram under construction. Raises TooLarge beyond `most` parts."""

    losses: Losses
    most: int
    title: str = ""
    participants: dict[str, Participant] = field(default_factory=dict[str, Participant])
    steps: list[Step] = field(default_factory=list[Step])
    boxes: list[ParticipantBox] = field(default_factory=list[ParticipantBox])
    open: list[CombinedFragment | ParticipantBox | None] = field(
        default_factory=list[CombinedFragment | ParticipantBox | None]
    )
    created: set[str] = field(default_factory=set[str])
    destroyed: dict[str, Place] = field(default_factory=dict[str, Place])
    numbering: tuple[float, float] | None = None
    active: dict[str, list[Place]] = field(default_factory=dict[str, list[Place]])
    awaited: dict[str, Place] = field(default_factory=dict[str, Place])

    def participant(self, name: str, place: Place) -> Participant:
        """The participant of a name, made on first use; it joins the open box."""
        found = self.participants.get(name)
        if found is None:
            self._count()
            found = self.participants[name] = Participant(name, place)
        return found

    def join_box(self, name: str) -> None:
        """A participant is declared inside the open box."""
        box = self.open[-1] if self.open else None
        if isinstance(box, ParticipantBox) and name not in box.members:
            box.members.append(name)

    def add(self, step: Step) -> None:
        """Add a step to the chart and to the open operand."""
        self._count()
        for holder in reversed(self.open):
            if isinstance(holder, CombinedFragment):
                holder.operands[-1].steps.append(len(self.steps))
                break
        self.steps.append(step)

    def latest(self, name: str) -> Message | None:
        """The latest message from or to a participant."""
        messages = (step for step in reversed(self.steps) if isinstance(step, Message))
        return next((message for message in messages if name in (message.source, message.target)), None)

    def _count(self) -> None:
        if len(self.participants) + len(self.steps) + len(self.boxes) >= self.most:
            raise TooLarge(self.most)
