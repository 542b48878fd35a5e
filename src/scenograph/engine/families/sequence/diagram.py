"""The diagram of a sequence before placement: participants, order of events, sizes.

In: a resolved scene and its sizes. Out: a `SequenceDiagram`, shared by the steps of placing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from scenograph.engine.families.family import BOX_SHAPES, NOWHERE, CheckHeight, Former
from scenograph.engine.geometry.boxes import Box, on_grid
from scenograph.engine.tables import FinishedStyle, Size, Sizes
from scenograph.engine.text.blocks import Font, TextBlock
from scenograph.engine.text.layout import lay_text
from scenograph.late_dataclasses import dataclass, field, replace
from scenograph.scene.document_index import ancestors
from scenograph.scene.json_values import is_array, is_object
from scenograph.scene.model import Container, Edge, Element, Frame, Node, Scene
from scenograph.scene.vocabulary import FRAGMENT_TYPE, NOTE_SIDES, NOTE_TYPES

# What each element is in a sequence scene: lifeline, note, message, fragment or box. (R-SEQ-1, R-SEQ-12) In: a
# resolved scene. Out: `Participants`. Promises: every message joins two lifelines; every id stands once; an element
# is at most one of lifeline, note, message, fragment, box; everything in document order, but that lifelines of one
# box stand together.


ACTOR = "sequence.actor"
_LIFELINE_TYPES = frozenset({"sequence.lifeline", ACTOR})
MESSAGE, REPLY = "sequence.message", "sequence.reply"
CREATE, DESTROY = "sequence.create", "sequence.destroy"


@dataclass(frozen=True, slots=True, kw_only=True)
class Participants:
    """`lifelines` from left to right in document order; `boxes` the frames and groups round lifelines, outer before
    inner; `ties` the edges between a note and a lifeline."""

    lifelines: tuple[Node, ...]
    notes: tuple[Node, ...]
    messages: tuple[Edge, ...]
    ties: tuple[Edge, ...]
    fragments: tuple[Frame, ...]
    boxes: tuple[Container, ...]


def read_participants(scene: Scene) -> Participants:
    """The participants of a scene. A lifeline is a node of a lifeline type, or joined to another node by an edge; notes
    are excluded. A message is an edge between lifelines, of any type."""
    elements = _once(scene.elements)
    nodes = {element.id: element for element in elements if isinstance(element, Node)}
    notes = {key: node for key, node in nodes.items() if node.node_type in NOTE_TYPES}
    edges = [element for element in elements if isinstance(element, Edge)]
    players = {key for key, node in nodes.items() if key not in notes and node.node_type in _LIFELINE_TYPES}
    for edge in edges:
        ends = edge.ends
        if all(end in nodes and end not in notes for end in ends):
            players.update(ends)
    fragments = tuple(element for element in elements if is_fragment(element))
    containers = [element for element in elements if isinstance(element, Container) and not is_fragment(element)]
    boxes = _boxes(containers, players)
    lifelines = [node for key, node in nodes.items() if key in players]
    return Participants(
        lifelines=tuple(_gathered(lifelines, boxes)),
        notes=tuple(notes.values()),
        messages=tuple(edge for edge in edges if all(end in players for end in edge.ends)),
        ties=tuple(edge for edge in edges if _is_tie(edge, notes, players)),
        fragments=tuple(element for element in fragments if isinstance(element, Frame)),
        boxes=boxes,
    )


def is_fragment(element: Element) -> bool:
    """Whether an element is a combined fragment."""
    return isinstance(element, Frame) and element.container_type == FRAGMENT_TYPE


def _is_tie(edge: Edge, notes: Mapping[str, Node], players: set[str]) -> bool:
    one, other = edge.ends
    return (one in notes and other in players) or (other in notes and one in players)


def _once(elements: Iterable[Element]) -> list[Element]:
    """The elements without later duplicates of an id, an error in validation."""
    found: dict[str, Element] = {}
    for element in elements:
        found.setdefault(element.id, element)
    return list(found.values())


def parents_of(boxes: Iterable[Container]) -> dict[str, str]:
    """By element, the first container listing the element."""
    found: dict[str, str] = {}
    for box in boxes:
        for child in box.children:
            found.setdefault(child, box.id)
    return found


def around(element_id: str, parents: Mapping[str, str]) -> tuple[str, ...]:
    """The ancestors of an element, outermost first; a cycle, an error in validation, is walked once."""
    return tuple(ancestors(element_id, parents.get))[::-1]


def _boxes(containers: list[Container], players: set[str]) -> tuple[Container, ...]:
    parents = parents_of(containers)
    used = {box for player in sorted(players) for box in around(player, parents)}
    found = [box for box in containers if box.id in used]
    return tuple(sorted(found, key=lambda box: len(around(box.id, parents))))


def _gathered(lifelines: list[Node], boxes: Iterable[Container]) -> Iterator[Node]:
    """The lifelines, with the lifelines of a box together at the place of the first."""
    parents = parents_of(boxes)
    first: dict[str, int] = {}
    for turn, node in enumerate(lifelines):
        for box in around(node.id, parents):
            first.setdefault(box, turn)
    keys = {node.id: (*(first[box] for box in around(node.id, parents)), turn) for turn, node in enumerate(lifelines)}
    return iter(sorted(lifelines, key=lambda node: keys[node.id]))


# What the fragments of a sequence list: how they nest, and in which order everything happens. In: the document's
# elements. Out: a `_FragmentTree`, and the names of all events from top to bottom.


def operands_of(frame: Frame) -> tuple[Mapping[str, Any], ...]:
    """The operands of a fragment as authored."""
    rows: object = frame.extensions.get("operands")
    return tuple(row for row in (rows if is_array(rows) else ()) if is_object(row))


def _row_names(operand: Mapping[str, Any]) -> Iterator[str]:
    """The ids listed by an operand."""
    said = operand.get("messages")
    return (name for name in (said if is_array(said) else ()) if isinstance(name, str))


class _FragmentTree(NamedTuple):
    """The nesting of fragments. By id: `items`, each listed once, a fragment by its parent alone; `parents`; `depths`
    below the outermost; `places` in the document. `inner_first` has each frame before its parent."""

    items: Mapping[str, Sequence[str]]
    parents: Mapping[str, str]
    depths: Mapping[str, int]
    places: Mapping[str, int]
    inner_first: Sequence[Frame]


def _outline_of(fragments: Sequence[Frame]) -> _FragmentTree:
    """The outline of fragments. The parent of a fragment listed several times is the deepest; in a cycle the first in
    the document is the outermost."""
    frames = {frame.id: frame for frame in fragments}
    listed = {frame.id: tuple(dict.fromkeys(_listed(frame))) for frame in fragments}
    inside = {name: [item for item in row if item in frames and item != name] for name, row in listed.items()}
    waiting = dict.fromkeys(frames, 0)
    for row in inside.values():
        for name in row:
            waiting[name] += 1
    order, depths, parents = list[str](), dict[str, int](), dict[str, str]()
    ready = [name for name in frames if not waiting[name]]
    left = iter(frames)
    while len(order) < len(frames):
        name = ready.pop() if ready else next(name for name in left if name not in depths)
        order.append(name)
        depths[name] = depths[parents[name]] + 1 if name in parents else 0
        for child in inside[name]:
            waiting[child] -= 1
            if child not in depths:
                known = parents.get(child)
                if known is None or depths[known] < depths[name]:
                    parents[child] = name
                if not waiting[child]:
                    ready.append(child)
    items = {
        name: [item for item in row if item not in frames or parents.get(item) == name] for name, row in listed.items()
    }
    places = {name: place for place, name in enumerate(frames)}
    return _FragmentTree(items, parents, depths, places, [frames[name] for name in reversed(order)])


def _listed(frame: Frame) -> Iterator[str]:
    for row in operands_of(frame):
        yield from _row_names(row)
    yield from frame.children


def _order_events(scene: Scene, participants: Participants, outline: _FragmentTree) -> list[str]:
    """The ids of all events from top to bottom; a fragment without messages, notes and fragments is an event."""
    ordering = _Ordering(scene, participants, outline)
    for frame in outline.inner_first:
        ordering.settle(frame)
    return ordering.names()


@dataclass(slots=True)
class _Loose:
    """Events listed by a fragment right before or right after an event."""

    before: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    after: dict[str, list[str]] = field(default_factory=dict[str, list[str]])


class _Ordering:
    """The ordering of events. Events with a turn given by the document (messages, most notes) are firm. Further events
    listed by fragments (an empty fragment, a note elsewhere) are loose: they follow the event listed before."""

    def __init__(self, scene: Scene, participants: Participants, outline: _FragmentTree) -> None:
        self._outline = outline
        self._turns = {element.id: turn for turn, element in enumerate(scene.elements)}
        self._notes = {note.id for note in participants.notes}
        self._firm = {message.id for message in participants.messages} | self._notes
        self._loose = _Loose()
        self._settled: set[str] = set()
        voiced = self._spans({message.id for message in participants.messages})
        silent = {frame.id for frame in outline.inner_first if self._root(frame.id) not in voiced}
        noted = self._spans(self._notes)
        self._spans_of = {**{name: span for name, span in noted.items() if name in silent}, **voiced}

    def _root(self, name: str) -> str:
        while name in self._outline.parents:
            name = self._outline.parents[name]
        return name

    def _spans(self, voices: set[str]) -> dict[str, tuple[str, str]]:
        """The first and the last of `voices` in each fragment, if any."""
        found: dict[str, tuple[str, str]] = {}
        for frame in self._outline.inner_first:
            ends = [
                end
                for item in self._outline.items[frame.id]
                for end in ((item, item) if item in voices else found.get(item, ()))
            ]
            if ends:
                found[frame.id] = min(ends, key=self._turns.__getitem__), max(ends, key=self._turns.__getitem__)
        return found

    def settle(self, frame: Frame) -> None:
        """Order the loose events of a fragment with a span."""
        span = self._spans_of.get(frame.id)
        if span is None:
            return
        operands = {name for row in operands_of(frame) for name in _row_names(row)}
        anchor: str | None = None
        leading: list[str] = []
        for item in self._outline.items[frame.id]:
            if self._is_loose(item, span):
                leads = anchor is None or (item not in operands and self._turns[item] < self._turns[span[0]])
                row = leading if leads else self._loose.after.setdefault(anchor or "", [])
                row += self._leaves(item)
            elif item in self._firm and item not in self._settled:
                anchor = item
            elif item in self._spans_of:
                anchor = self._spans_of[item][1]
        if leading:
            self._loose.before[span[0]] = [*leading, *self._loose.before.get(span[0], ())]

    def _is_loose(self, item: str, span: tuple[str, str]) -> bool:
        if item in self._settled:
            return False
        if item in self._notes:
            first, last = (self._turns[end] for end in span)
            return not first <= self._turns[item] <= last
        return item in self._outline.items and item not in self._spans_of

    def _leaves(self, item: str) -> list[str]:
        """The events of a loose item, in listed order; marks all as settled."""
        found: list[str] = []
        waiting = [item]
        while waiting:
            name = waiting.pop()
            inner = [one for one in self._outline.items.get(name, ()) if self._is_event(one)]
            waiting += reversed(inner)
            if not inner and name not in self._settled:
                found.append(name)
                self._settled.add(name)
        return found

    def _is_event(self, name: str) -> bool:
        return name in self._outline.items or (name in self._notes and name not in self._settled)

    def names(self) -> list[str]:
        """The order of all events: firm events by document, loose events beside them, and fragments without firm events
        at their outermost frame."""
        turn: Callable[[str], int] = self._turns.__getitem__
        rows = [(turn(name), [name]) for name in self._firm if name not in self._settled]
        for frame in self._outline.inner_first:
            if frame.id not in self._outline.parents and frame.id not in self._spans_of:
                rows.append((turn(frame.id), self._leaves(frame.id)))
        before, after = self._loose.before, self._loose.after
        ordered = [name for _, names in sorted(rows) for name in names]
        return [one for name in ordered for one in (*before.get(name, ()), name, *after.get(name, ()))]


# When what happens: the events of a sequence from top to bottom, and the fragments round them. In: the
# participants. Out: an `Interaction`. Promises: messages are in document order, and so is every note but one that
# stands outside the messages of the fragment that lists it; fragments nest as their `children` and operands say,
# and otherwise by their messages, never by the order of frames; every operand begins at an event of its fragment or
# right after the last, and never within a fragment inside.


Event = Edge | Node | Frame
"""A message, a note, or an empty fragment, each with a turn of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fragment:
    """A combined fragment round the events `first` to `last`; `splits[k]` is the first event of operand k + 1, or last
    + 1 for an operand after all events; `depth` counts the enclosing fragments."""

    frame: Frame
    first: int
    last: int
    splits: tuple[int, ...] = ()
    depth: int = 0


class Step(NamedTuple):
    """A step down the page: `fragment` opens (`operand` 0), goes on with a further operand, or closes (`operand` None);
    without a fragment the event of `turn` happens."""

    turn: int
    fragment: Fragment | None = None
    operand: int | None = None


@dataclass(frozen=True, slots=True)
class Interaction:
    """The events in order, and the fragments, the outer before the inner."""

    events: tuple[Event, ...]
    fragments: tuple[Fragment, ...]

    def steps(self) -> Iterator[Step]:
        """All steps from top to bottom, well nested: the last fragment opened closes first."""
        opening: dict[int, list[Fragment]] = {}
        going_on: dict[int, list[Step]] = {}
        open_: list[Fragment] = []
        for fragment in self.fragments:
            opening.setdefault(fragment.first, []).append(fragment)
            for operand, begin in enumerate(fragment.splits, start=1):
                if fragment.first < begin <= fragment.last:
                    going_on.setdefault(begin, []).append(Step(begin, fragment, operand))
        for turn in range(len(self.events)):
            yield from going_on.get(turn, ())
            for fragment in opening.get(turn, ()):
                open_.append(fragment)
                yield Step(turn, fragment, 0)
                yield from _operands_at(fragment, turn)
            yield Step(turn)
            while open_ and open_[-1].last == turn:
                fragment = open_.pop()
                yield from _operands_at(fragment, turn + 1)
                yield Step(turn, fragment)

    def own_turns(self) -> Iterator[tuple[int, list[int], list[int]]]:
        """For every fragment, inner fragments first: its number, the turns directly inside, and the numbers of the
        fragments directly inside."""
        inner: dict[int, list[int]] = {}
        open_: list[int] = []
        for number, fragment in enumerate(self.fragments):
            del open_[fragment.depth :]
            if open_:
                inner.setdefault(open_[-1], []).append(number)
            open_.append(number)
        for number in range(len(self.fragments) - 1, -1, -1):
            fragment, found = self.fragments[number], inner.get(number, [])
            own, turn = list[int](), fragment.first
            for child in found:
                own += range(turn, self.fragments[child].first)
                turn = self.fragments[child].last + 1
            yield number, [*own, *range(turn, fragment.last + 1)], found


def _operands_at(fragment: Fragment, turn: int) -> Iterator[Step]:
    """The operands of a fragment that begin before the event of a turn."""
    return (Step(turn, fragment, operand) for operand, begin in enumerate(fragment.splits, start=1) if begin == turn)


def read_interaction(scene: Scene, participants: Participants) -> Interaction:
    """The interaction of a scene; the cost grows with the listed items, not with the depth of nesting."""
    outline = _outline_of(participants.fragments)
    playing: dict[str, Event] = {event.id: event for event in (*participants.messages, *participants.notes)}
    playing.update({frame.id: frame for frame in participants.fragments})
    names = _order_events(scene, participants, outline)
    firsts = {name: turn for turn, name in enumerate(names)}
    lasts = dict(firsts)
    rows: list[Fragment] = []
    for frame in outline.inner_first:
        held = [name for name in outline.items[frame.id] if name in firsts]
        if frame.id not in firsts:
            firsts[frame.id] = min(firsts[name] for name in held)
            lasts[frame.id] = max(lasts[name] for name in held)
        rows.append(Fragment(frame=frame, first=firsts[frame.id], last=lasts[frame.id]))
    nested = _nested(rows, outline)
    return Interaction(tuple(playing[name] for name in names), tuple(_with_splits(nested, firsts)))


def _nested(fragments: Sequence[Fragment], outline: _FragmentTree) -> list[Fragment]:
    """The fragments with their depths, outer first; a fragment that partly overlaps another is stretched round it. Of
    two fragments round the same events the outer lists the inner, or has fewer operands."""

    def rank(row: Fragment) -> tuple[int, int, int, int, int]:
        name = row.frame.id
        operands = sum(1 for _ in operands_of(row.frame))
        return row.first, -row.last, outline.depths[name], operands, outline.places[name]

    rows = sorted(fragments, key=rank)
    lasts = [row.last for row in rows]
    depths: list[int] = []
    open_: list[int] = []
    for turn, row in enumerate(rows):
        while open_ and lasts[open_[-1]] < row.first:
            open_.pop()
        for outer in reversed(open_):
            if lasts[outer] >= row.last:
                break
            lasts[outer] = row.last
        depths.append(len(open_))
        open_.append(turn)
    return [replace(row, last=last, depth=depth) for row, last, depth in zip(rows, lasts, depths, strict=True)]


def _with_splits(fragments: Sequence[Fragment], firsts: Mapping[str, int]) -> list[Fragment]:
    """The fragments with the turns of their second and later operands: at the first listed event, never before the
    previous operand, and never within an inner fragment."""
    whole: dict[int, list[tuple[int, int]]] = {}
    open_: list[int] = []
    for number, fragment in enumerate(fragments):
        del open_[fragment.depth :]
        if open_:
            whole.setdefault(open_[-1], []).append((fragment.first, fragment.last))
        open_.append(number)
    return [_split(fragment, firsts, whole.get(number, [])) for number, fragment in enumerate(fragments)]


def _split(fragment: Fragment, firsts: Mapping[str, int], whole: Sequence[tuple[int, int]]) -> Fragment:
    starts = [_start(row, firsts) for row in operands_of(fragment.frame)]
    following, after = fragment.last + 1, list[int]()
    for start in reversed(starts[1:]):
        following = following if start is None else min(start, following)
        after.append(following)
    splits: list[int] = []
    for start in reversed(after):
        begin = max(start, fragment.first)
        splits.append(next((first for first, last in whole if first < begin <= last), begin))
    return replace(fragment, splits=tuple(splits))


def _start(operand: Mapping[str, Any], firsts: Mapping[str, int]) -> int | None:
    return min((firsts[name] for name in _row_names(operand) if name in firsts), default=None)


# How large heads, notes and fragments' texts want to be. px. (R-SEQ-4)


LEAST_HEAD = (100.0, 40.0)  # R-SEQ-4, sequence lifeline header floors
HEAD_WRAP = 320.0
HEAD_PADDING = (16.0, 10.0)
FIGURE = (32.0, 40.0)
_FIGURE_GAP = 4.0
_LEAST_FIGURE = 32.0  # a figure is hardly seen below this height
_GUARD_WRAP = 240.0
NOTE_PADDING = (16.0, 10.0)
LEAST_NOTE = (72.0, 36.0)
OPERATOR = "operator"
NATURAL = "natural"
"""The label of a message as if laid with room enough, for labels laid again."""

_BOLD = 600


def guard_part(operand: int) -> str:
    """The part name of an operand's guard."""
    return f"guard:{operand}"


def measure_actor(node: Node, style: FinishedStyle, _check: CheckHeight) -> Size:
    """The size of an actor: a figure with the name below. In a sequence all heads later share one height, hence nothing
    overflows."""
    beside, given = HEAD_PADDING[0], node.layout.width
    wrap = HEAD_WRAP if given is None else max(given, LEAST_HEAD[0]) - beside
    block = lay_text(node.label or "", style.font, wrap, balanced=True)
    below = _FIGURE_GAP + block.height if block.lines else 0.0
    width = max(LEAST_HEAD[0], on_grid(block.width + 2 * beside)) if given is None else given
    height = max(LEAST_HEAD[1], on_grid(FIGURE[1] + below)) if node.layout.height is None else node.layout.height
    label = block if block.lines else None
    parts = actor_parts(Box(0.0, 0.0, width, height), label, mirrored=False)
    return Size(width=width, height=height, label=label, parts=parts)


def actor_parts(box: Box, label: TextBlock | None, *, mirrored: bool) -> Mapping[str, Box]:
    """The figure and the name in a head; in a foot the name stands above (part names `figure`, `label`)."""
    block_height = math.ceil(label.height) if label is not None else 0.0
    room = box.height - (block_height + _FIGURE_GAP if label is not None else 0.0)
    height = max(0.0, min(FIGURE[1], room))
    width = height * FIGURE[0] / FIGURE[1]
    spare = (room - height) / 2
    top = box.bottom - spare - height if mirrored else box.y + spare
    parts = {"figure": Box(box.center.x - width / 2, top, width, height)}
    if label is not None:
        name_top = box.y if mirrored else box.bottom - block_height
        parts["label"] = Box(box.center.x - label.width / 2, name_top, label.width, label.height)
    return parts


def note_height(label: TextBlock) -> float:
    """How high a note round this text is."""
    return max(LEAST_NOTE[1], on_grid(label.height + 2 * NOTE_PADDING[1]))


def measure_fragment(frame: Frame, style: FinishedStyle) -> Mapping[str, TextBlock]:
    """The operator, and the guard of every operand in brackets."""
    strong = style.font._replace(weight=_BOLD)
    plain = style.font._replace(weight=400)
    operator = frame.extensions.get("operator")
    found = _named(OPERATOR, operator if isinstance(operator, str) else None, strong)
    for number, operand in enumerate(operands_of(frame)):
        guard = operand.get("guard")
        found |= _named(guard_part(number), _bracketed(guard) if isinstance(guard, str) else None, plain)
    return found


def _named(part: str, text: str | None, font: Font) -> dict[str, TextBlock]:
    block = lay_text(text or "", font, _GUARD_WRAP, balanced=True)
    return {part: block} if block.lines else {}


def _bracketed(guard: str) -> str:
    """A guard in UML's brackets."""
    inner = guard.strip()
    return inner if not inner or (inner.startswith("[") and inner.endswith("]")) else f"[{inner}]"


# Activation bars: a lifeline at work on a call. (R-SEQ-10) In: the events. Out: the bars of every lifeline by turns,
# and the meeting points of messages with bars. A call opens a bar on its target, and the reply to its source closes the
# bar; a call without a reply has no bar. Further replies to the same call (from further operands of an alternative)
# extend the bar. If messages declare activations and deactivations themselves, only these make bars; a bar that no
# message ends lasts to the last message.


WIDTH = 10.0
STEP = 5.0  # px; the offset to the right of a nested bar
_NO_CALL = frozenset({CREATE, DESTROY, REPLY})
ENDS = "source", "target"
ACTIVATES, DEACTIVATES = "activates", "deactivates"
_DECLARATIONS = DEACTIVATES, ACTIVATES


@dataclass(slots=True)
class Bar:
    """An activation bar, from the turn of its call to its last reply; `level` counts the bars beneath."""

    lifeline: str
    caller: str
    first: int
    last: int = -1
    level: int = 0


@dataclass(slots=True)
class _CallDesk:
    """The unanswered calls, and the last answered call, by lifeline and caller."""

    waiting: dict[tuple[str, str], list[Bar]] = field(default_factory=dict[tuple[str, str], list[Bar]])
    answered: dict[tuple[str, str], Bar] = field(default_factory=dict[tuple[str, str], Bar])

    def call(self, bar: Bar) -> None:
        """Open a bar."""
        self.waiting.setdefault((bar.lifeline, bar.caller), []).append(bar)
        self.answered.pop((bar.lifeline, bar.caller), None)

    def reply(self, lifeline: str, caller: str, turn: int) -> None:
        """Close the latest bar opened by the caller, or stretch the bar closed last."""
        waiting = self.waiting.get((lifeline, caller))
        bar = waiting.pop() if waiting else self.answered.get((lifeline, caller))
        if bar is not None:
            bar.last = turn
            self.answered[lifeline, caller] = bar


def _find_bars(events: Sequence[Event]) -> tuple[Bar, ...]:
    """All bars by begin; of bars with equal begin the outer comes first."""
    desk, opened = _CallDesk(), list[Bar]()
    messages = [(turn, event) for turn, event in enumerate(events) if isinstance(event, Edge)]
    declared = any(_declared(message, member) for _, message in messages for member in _DECLARATIONS)
    for turn, message in messages:
        for lifeline, caller, opens in _declarations(message) if declared else _conventions(message):
            if opens:
                opened.append(Bar(lifeline=lifeline, caller=caller, first=turn))
                desk.call(opened[-1])
            else:
                desk.reply(lifeline, caller, turn)
    for bar in opened if declared else ():
        if bar.last < 0 and bar.first < messages[-1][0]:  # declared, and never ended: to the end
            bar.last = messages[-1][0]
    return _levelled([bar for bar in opened if bar.last >= 0])


Change = tuple[str, str, bool]
"""A lifeline, its caller ("" for none in particular), and whether the work begins."""


def _declarations(message: Edge) -> Iterator[Change]:
    """The declared changes of the bars at a message's ends."""
    for member in _DECLARATIONS:
        for end in _declared(message, member):
            yield message.ends[ENDS.index(end)], "", member == ACTIVATES


def _declared(message: Edge, member: str) -> tuple[str, ...]:
    said = message.extensions.get(member)
    return tuple(end for end in ENDS if end in said) if is_array(said) else ()


def _conventions(message: Edge) -> Iterator[Change]:
    """The changes of bars implied by the type of a message."""
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
    """The level of the topmost bar at the source and at the target of a message; -1 for none."""

    source: int
    target: int


def _levels_met(events: Sequence[Event], bars: Sequence[Bar]) -> dict[int, Levels]:
    """The bars at both ends of every message, by turn: bars running before the message at the source, after it at the
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


_LONGEST_HEAD = 160.0
"""A greater height, which an author may give to say how long the lifeline is, is none for a head. px."""
_NO_SIZE = Size(width=0.0, height=0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class SequenceDiagram:
    """`order` is the place of each lifeline from the left; `born` and `gone` the turns at which lifelines are created
    and destroyed; `levels` the bars at the ends of the message of each turn; `depths` the fragments round each turn,
    `tops` the highest level of each lifeline's bars, `former` where elements stood before."""

    scene: Scene
    sizes: Sizes
    participants: Participants
    interaction: Interaction
    bars: tuple[Bar, ...]
    levels: Mapping[int, Levels]
    order: Mapping[str, int]
    born: Mapping[str, int]
    gone: Mapping[str, int]
    depths: Sequence[int]
    tops: Mapping[str, int]
    former: Former

    def size(self, element_id: str) -> Size:
        """The measured size."""
        return self.sizes.get(element_id, _NO_SIZE)

    def natural_width(self, message: Edge) -> float:
        """How wide the label of a message wants to be."""
        size = self.size(message.id)
        return size.texts[NATURAL].width if NATURAL in size.texts else size.width

    def messages(self) -> Iterator[tuple[int, Edge]]:
        """The messages with their turns."""
        return ((turn, event) for turn, event in enumerate(self.interaction.events) if isinstance(event, Edge))

    def top_level(self, lifeline: str) -> int:
        """The highest level of a lifeline's bars; -1 for none."""
        return self.tops.get(lifeline, -1)

    def bars_on(self, lifeline: str) -> tuple[Bar, ...]:
        """The bars of a lifeline, by begin."""
        return tuple(bar for bar in self.bars if bar.lifeline == lifeline) if lifeline in self.tops else ()

    def lives(self, lifeline: str, turn: int) -> bool:
        """Whether the tail of a lifeline exists at a turn."""
        return self.born.get(lifeline, -1) < turn < self.gone.get(lifeline, len(self.interaction.events))


def read_diagram(scene: Scene, sizes: Sizes, former: Former = NOWHERE) -> SequenceDiagram:
    """The diagram read from the document and the sizes."""
    participants = read_participants(scene)
    interaction = read_interaction(scene, participants)
    bars = _find_bars(interaction.events)
    born, gone = _lives(interaction.events)
    top_levels: dict[str, int] = {}
    for bar in bars:
        top_levels[bar.lifeline] = max(top_levels.get(bar.lifeline, -1), bar.level)
    return SequenceDiagram(
        scene=scene,
        sizes=sizes,
        participants=participants,
        interaction=interaction,
        bars=bars,
        levels=_levels_met(interaction.events, bars),
        order={node.id: place for place, node in enumerate(participants.lifelines)},
        born=born,
        gone=gone,
        depths=_depths(interaction),
        tops=top_levels,
        former=former,
    )


def head_size(diagram: SequenceDiagram, node: Node) -> tuple[float, float]:
    """The least size of a head (R-SEQ-4)."""
    size = diagram.size(node.id)
    if is_rigid(diagram, node):
        return size.width, size.height
    label = size.label.height if size.label is not None else 0.0
    height = size.height if (node.layout.height or 0.0) <= _LONGEST_HEAD else 0.0
    above = _FIGURE_GAP + _LEAST_FIGURE if node.node_type == ACTOR else 0.0
    if height < label + above:
        height = on_grid(label + (above or 2 * HEAD_PADDING[1]))
    width = max(LEAST_HEAD[0], size.width)
    return width if node.layout.width is not None else math.ceil(width / 2) * 2.0, max(LEAST_HEAD[1], height)


def is_rigid(diagram: SequenceDiagram, node: Node) -> bool:
    """Whether a head keeps its own size beside higher heads: a symbol, or a head with an outside label."""
    is_box = node.shape in BOX_SHAPES and not any(diagram.size(node.id).outset)
    return node.node_type not in _LIFELINE_TYPES and not is_box


def head_height(diagram: SequenceDiagram) -> float:
    """The common height of all heads, outside labels included."""
    return max(
        (head_size(diagram, node)[1] + diagram.size(node.id).outset.bottom for node in diagram.participants.lifelines),
        default=LEAST_HEAD[1],
    )


def _lives(events: Sequence[Event]) -> tuple[dict[str, int], dict[str, int]]:
    """Created lifelines without an earlier event; destroyed lifelines without a later event."""
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    for turn, event in enumerate(events):
        if isinstance(event, Edge):
            for end in event.ends:
                first.setdefault(end, turn)
                last[end] = turn
    born: dict[str, int] = {}
    gone: dict[str, int] = {}
    for turn, event in enumerate(events):
        if not isinstance(event, Edge):
            continue
        target = event.target.element_id
        if event.edge_type == CREATE and first[target] == turn and event.source.element_id != target:
            born[target] = turn
        if event.edge_type == DESTROY and last[target] == turn:
            gone[target] = turn
    return born, gone


def _depths(interaction: Interaction) -> list[int]:
    """How many fragments are round each turn."""
    steps = [0] * (len(interaction.events) + 1)
    for fragment in interaction.fragments:
        steps[fragment.first] += 1
        steps[fragment.last + 1] -= 1
    return list(accumulate(steps))[:-1]


# The lifelines of a note. (R-SEQ-12) `extensions.over` names these; else a relative layout's target, the lifelines
# joined by edges, or the lifelines of the message before. `extensions.side` puts the note beside the outermost
# lifeline; else the note stands over all.


_SIDE_OF = {"rightOf": "right", "leftOf": "left"}


class NoteAnchor(NamedTuple):
    """The lifelines from `first` to `last` (places from the left), and the side of the note; None for over the
    lifelines."""

    first: int
    last: int
    side: str | None = None

    @property
    def beside(self) -> int:
        """The lifeline next to the note."""
        return self.first if self.side == "left" else self.last


def spots(diagram: SequenceDiagram) -> dict[str, NoteAnchor]:
    """The spot of every note."""
    found: dict[str, NoteAnchor] = {}
    before: Edge | None = None
    tied = _tied(diagram)
    for event in diagram.interaction.events:
        if isinstance(event, Edge):
            before = event
        elif isinstance(event, Node):
            found[event.id] = _spot(diagram, event, tied.get(event.id, []), before)
    return found


def _spot(diagram: SequenceDiagram, note: Node, tied: list[str], before: Edge | None) -> NoteAnchor:
    said: object = note.extensions.get("side")
    side = said if isinstance(said, str) and said in NOTE_SIDES else None
    named = list(_named_lifelines(diagram, note))
    target = note.layout.target if note.layout.mode == "relative" else None
    if not named and target in diagram.order:
        named, side = [str(target)], side or _SIDE_OF.get(note.layout.relation or "")
    elif not named and tied:
        named, side = tied, side or ("right" if len(tied) == 1 else None)
    elif not named and before is not None:
        named = list(before.ends)
    places = [diagram.order[name] for name in named] or [0]
    return NoteAnchor(min(places), max(places), side)


def _named_lifelines(diagram: SequenceDiagram, note: Node) -> Iterator[str]:
    rows: object = note.extensions.get("over")
    return (name for name in (rows if is_array(rows) else ()) if isinstance(name, str) and name in diagram.order)


def _tied(diagram: SequenceDiagram) -> dict[str, list[str]]:
    """The lifelines joined to each note by edges."""
    found: dict[str, list[str]] = {}
    for edge in diagram.participants.ties:
        one, other = edge.ends
        note, lifeline = (other, one) if one in diagram.order else (one, other)
        found.setdefault(note, []).append(lifeline)
    return found
