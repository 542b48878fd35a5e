"""PumlActivity diagrams of the newer syntax: actions, decisions, loops, forks, lanes and partitions, as a workflow."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.assembly import Assembly
from scenograph.reading.plantuml.script import PumlLine
from scenograph.reading.plantuml.sheet import (
    LineNotUnderstood,
    LineReader,
    PumlSheet,
    Statements,
    first_of,
    read_lines,
    unquoted,
)
from scenograph.reading.source import Place, require_room
from scenograph.scene.json_values import JsonObject

_FAMILY, _FLOW, _POOL = "workflow", "workflow.sequenceFlow", "(pool)"
_TASK, _DECISION, _FORK, _NOTE = "workflow.task", "workflow.decision", "state.fork", "workflow.annotation"
_PAINT = r"(?:(?P<paint>#[\w;|/\\-]+(?::(?=\w+[;:])[\w;|/\\:-]+)?):)?"
_ACTION = re.compile(
    r"(?P<color>#[^\s:][^:\n]*(?=:))?:(?P<text>.*?)(?P<mark>[;|<>/\\\]}])(?:[ \t]*<<(?P<stereotype>[^<>\n]*)>>)?"
)
_ACTION_START = re.compile(r"(?P<color>#[^\s:][^:\n]*(?=:))?:(?P<text>.*)")
_ACTION_END = re.compile(r"(?P<text>.*?)(?P<mark>[;|<>/\\\]}])(?:[ \t]*<<(?P<stereotype>[^<>\n]*)>>)?")
_LAST_OF_ACTION = re.compile(r".*+(?<=[;|<>/\\\]}])")
_LAST_OF_QUESTION = re.compile(r".*+(?:(?<=\))|(?<=[Tt]hen))")
_ARROW = re.compile(r"-(?:\[(?P<paint>[^\]\n]*)\])?-*>(?:[ \t]*(?P<text>.*?))?;?")
_ARROW_START = re.compile(r"-(?:\[(?P<paint>[^\]\n]*)\])?-*>[ \t]*(?P<text>[^;]*)")
_THEN = r"(?:[ \t]*(?:is|equals?)[ \t]*\((?P<is>.*?)\))?(?:[ \t]*then(?:[ \t]*\((?P<then>.*)\))?)?"
_IF = re.compile(rf"(?:#[\w;|:/\\-]+:)?if[ \t]*\((?P<text>.*?)\){_THEN}", re.IGNORECASE)
_IF_START = re.compile(r"(?:#[\w;|:/\\-]+:)?if[ \t]*\((?P<text>.*)", re.IGNORECASE)
_ELSE_IF = re.compile(rf"(?:\((?P<no>.*?)\)[ \t]*)?else[ \t]*if[ \t]*\((?P<text>.*?)\){_THEN}", re.IGNORECASE)
_ELSE = re.compile(r"else(?:[ \t]*\((?P<text>.*)\))?", re.IGNORECASE)
_END_IF = re.compile(r"end[ \t]*if", re.IGNORECASE)
_SWITCH = re.compile(r"switch[ \t]*\((?P<text>.*)\)", re.IGNORECASE)
_CASE = re.compile(r"case[ \t]*\((?P<text>.*)\)", re.IGNORECASE)
_END_SWITCH = re.compile(r"end[ \t]*switch", re.IGNORECASE)
_WHILE = re.compile(r"while[ \t]*(?:\((?P<text>.*?)\))(?:[ \t]*(?:is|equals?)[ \t]*\((?P<is>.*)\))?", re.IGNORECASE)
_END_WHILE = re.compile(r"end[ \t]*while(?:[ \t]*\((?P<text>.*)\))?", re.IGNORECASE)
_REPEAT = re.compile(r"repeat(?:[ \t]*(?P<action>(?:#[^\s:]+)?:.*))?", re.IGNORECASE)
_REPEAT_WHILE = re.compile(
    r"repeat[ \t]*while(?:[ \t]*\((?P<text>.*?)\))?(?:[ \t]*(?:is|equals?)[ \t]*\((?P<is>.*?)\))?"
    r"(?:[ \t]*not[ \t]*\((?P<not>.*)\))?(?:[ \t]*->[ \t]*(?P<after>.*?);?)?",
    re.IGNORECASE,
)
_BACKWARD = re.compile(r"backward[ \t]*(?P<action>(?:#[^\s:]+)?:.*)", re.IGNORECASE)
_FORK_START = re.compile(r"fork", re.IGNORECASE)
_FORK_AGAIN = re.compile(r"fork[ \t]*again", re.IGNORECASE)
_FORK_END = re.compile(r"end[ \t]*(?P<word>fork|merge)(?:[ \t]*\{(?P<text>[^{}\n]*)\})?", re.IGNORECASE)
_SPLIT = re.compile(r"split", re.IGNORECASE)
_SPLIT_AGAIN = re.compile(r"split[ \t]*again", re.IGNORECASE)
_SPLIT_END = re.compile(r"end[ \t]*split", re.IGNORECASE)
_START = re.compile(r"start;?", re.IGNORECASE)
_STOP = re.compile(r"(?P<word>stop|end);?", re.IGNORECASE)
_DETACH = re.compile(r"(?:detach|kill);?", re.IGNORECASE)
_BREAK = re.compile(r"break", re.IGNORECASE)
_PARTITION = re.compile(
    r"(?P<word>partition|package|rectangle|card|group)[ \t]*(?P<paint>#[\w|]+[ \t]+)?"
    r"(?P<title>\"[^\"\n]*\"|[^{\n#]*?)[ \t]*(?P<after>#[\w|]+[ \t]*)?(?P<opens>\{)?",
    re.IGNORECASE,
)
_PARTITION_END = re.compile(r"\}|end[ \t]*(?:group|partition|package)", re.IGNORECASE)
_LANE = re.compile(r"\|(?:(?P<paint>#[\w]+)\|)?(?P<name>[^|\n]+)\|(?:[ \t]*(?P<title>[^|\n]+?)[ \t]*\|?)?")
_CONNECTOR = re.compile(r"(?:#[\w|]+:)?\((?P<name>[^()\s])\)")
_LABEL = re.compile(r"label[ \t]+(?P<name>\w+)", re.IGNORECASE)
_GOTO = re.compile(r"goto[ \t]+(?P<name>\w+)", re.IGNORECASE)
_NOTE_LINE = re.compile(
    r"(?P<floating>floating[ \t]+)?note(?:[ \t]+(?P<side>left|right|top|bottom))?(?:[ \t]+#[\w|]+)?[ \t]*"
    r"(?::[ \t]*(?P<text>.*))?",
    re.IGNORECASE,
)
_NOTE_END = re.compile(r"end[ \t]*note", re.IGNORECASE)
_KINDS = {"<": "workflow.receiveTask", ">": "workflow.sendTask"}
_LONGEST_TEXT = 60  # lines of an action


class _Exit(NamedTuple):
    """A line waiting for the next step, and the label of the line."""

    code: str
    label: str = ""


@dataclass(slots=True)
class PumlStep:
    """A node. `home` is the innermost partition, else the lane, "" for none."""

    code: str
    kind: str
    label: str
    home: str
    style: JsonObject | None = None
    on: str = ""
    side: str = ""


class PumlFlow(NamedTuple):
    """A line between two steps."""

    one: str
    two: str
    label: str
    style: JsonObject | None = None


@dataclass(slots=True)
class _Frame:
    title: str
    home: str
    is_lane: bool
    style: JsonObject | None = None


@dataclass(slots=True)
class _Open:
    """An open construct: word, decision or first step of a loop, and exits of the branches."""

    word: str
    place: Place
    code: str = ""
    exits: list[_Exit] = field(default_factory=list[_Exit])
    before: list[_Exit] = field(default_factory=list[_Exit])
    breaks: list[_Exit] = field(default_factory=list[_Exit])
    backward: str = ""
    is_closed: bool = False


@dataclass(slots=True)
class PumlActivity:
    """A diagram under construction. Raises TooLarge beyond `sheet.most` parts."""

    sheet: PumlSheet
    steps: dict[str, PumlStep] = field(default_factory=dict[str, PumlStep])
    flows: list[PumlFlow] = field(default_factory=list[PumlFlow])
    frames: dict[str, _Frame] = field(default_factory=dict[str, _Frame])
    pool: str = ""
    """The code of the frame around the lanes, "" without lanes."""

    def count(self) -> None:
        """Count a further part."""
        require_room(self.sheet.most, self.steps, self.flows, self.frames)


@dataclass(slots=True)
class _Reader(LineReader):
    chart: PumlActivity
    waiting: list[_Exit] = field(default_factory=list[_Exit])
    open: list[_Open] = field(default_factory=list[_Open])
    partitions: list[tuple[str, Place]] = field(default_factory=list[tuple[str, Place]])
    lane: str = ""
    arrow: str = ""
    paint: JsonObject = field(default_factory=dict[str, object])
    latest: str = ""
    stems: dict[str, int] = field(default_factory=dict[str, int])
    taken: set[str] = field(default_factory=set[str])
    lane_codes: dict[str, str] = field(default_factory=dict[str, str])
    labels: dict[str, str] = field(default_factory=dict[str, str])
    gotos: list[tuple[_Exit, str, Place]] = field(default_factory=list[tuple[_Exit, str, Place]])
    marked: list[str] = field(default_factory=list[str])

    # Steps.

    @property
    def home(self) -> str:
        """The code of the innermost partition, else of the lane."""
        return self.partitions[-1][0] if self.partitions else self.lane

    def step(self, kind: str, label: str, stem: str = "", style: JsonObject | None = None) -> str:
        """Add a step after all waiting lines. Return the code of the step."""
        self.chart.count()
        code = self.numbered((stem or label or kind)[:100])
        self.chart.steps[code] = PumlStep(code, kind, label, self.home, style)
        self.enter(code)
        self.waiting = [_Exit(code)]
        self.latest = code
        return code

    def numbered(self, stem: str) -> str:
        """A code that no step and no frame has yet."""
        flat = " ".join(stem.split())
        while True:
            self.stems[flat] = count = self.stems.get(flat, 0) + 1
            code = f"{flat} #{count}" if count > 1 else flat
            if code not in self.taken:
                self.taken.add(code)
                return code

    def enter(self, code: str) -> None:
        """Lead all waiting lines to a step. Loops without a first step begin at the step."""
        self.join(self.waiting, code)
        for loop in self.open:
            if loop.word == "repeat" and not loop.code:
                loop.code = code
        for name in self.marked:
            self.labels[name] = code
        self.marked.clear()

    def join(self, exits: Sequence[_Exit], code: str, label: str = "") -> None:
        for way in exits:
            self.chart.count()
            text = "\n".join(part for part in (way.label, self.arrow, label) if part)
            self.chart.flows.append(PumlFlow(way.code, code, text, self.paint or None))
        self.arrow, self.paint = "", {}

    def action(self, found: re.Match[str], line: PumlLine) -> None:
        self.act(found["color"], found["text"], found["mark"], found["stereotype"], line)

    def act(self, color: str | None, text: str, mark: str, stereotype: str | None, line: PumlLine) -> None:
        style = self.sheet.words.paint(color, line.place) if color else None
        label = self.plain(text, line)
        word = (stereotype or "").strip().lower()
        if word or mark not in {";", *_KINDS}:
            self.sheet.words.tell("shape", line.place, "signals and further shapes of actions are drawn as actions")
        kind = {"input": _KINDS["<"], "output": _KINDS[">"]}.get(word, _KINDS.get(mark, _TASK))
        self.step(kind, label, style=style)

    def long_action(self, found: re.Match[str], line: PumlLine) -> None:
        """An action with a text of several lines."""
        rows = self.sheet.script.block(_LAST_OF_ACTION, _LONGEST_TEXT)
        if rows is None:
            raise LineNotUnderstood("an action without an end ;")
        last = _ACTION_END.fullmatch(self.sheet.script.lines[self.sheet.script.at - 1].text)
        if last is None:
            raise LineNotUnderstood
        text = "\n".join([found["text"], *(row.text for row in rows), last["text"]])
        self.act(found["color"], text, last["mark"], last["stereotype"], line)

    def inner_action(self, written: str, line: PumlLine) -> None:
        """The action within another statement, for example `repeat :text;`."""
        found = _ACTION.fullmatch(written) or _ACTION_START.fullmatch(written)
        if found is None:
            raise LineNotUnderstood
        if found.re is _ACTION:
            self.action(found, line)
        else:
            self.long_action(found, line)

    def start(self, _found: re.Match[str], _line: PumlLine) -> None:
        self.waiting = []
        self.step("workflow.start", "", "start")

    def stop(self, found: re.Match[str], _line: PumlLine) -> None:
        self.step("workflow.end", "", found["word"].lower())
        self.waiting = []

    def detach(self, _found: re.Match[str], _line: PumlLine) -> None:
        self.waiting = []

    def flow(self, found: re.Match[str], line: PumlLine) -> None:
        self.arrow = self.plain(found["text"], line)
        self.paint = self.sheet.words.line(found["paint"] or "", line.place).style

    def long_flow(self, found: re.Match[str], line: PumlLine) -> None:
        rows = self.sheet.script.block(re.compile(r"[^;]*;"), _LONGEST_TEXT)
        if rows is None:
            raise LineNotUnderstood
        last = self.sheet.script.lines[self.sheet.script.at - 1].text.removesuffix(";")
        self.arrow = self.plain("\n".join([found["text"], *(row.text for row in rows), last]), line)

    def connector(self, found: re.Match[str], line: PumlLine) -> None:
        code = self.step("", found["name"], f"({found['name']})")
        self.sheet.words.tell("connector", line.place, "connectors are drawn as circles")
        self.chart.steps[code].style = None

    def label(self, found: re.Match[str], _line: PumlLine) -> None:
        self.marked.append(found["name"])

    def goto(self, found: re.Match[str], line: PumlLine) -> None:
        self.gotos += [(way, found["name"], line.place) for way in self.waiting]
        self.waiting = []

    def finish(self) -> None:
        """Lead the jumps to the labels; report open constructs."""
        for way, name, place in self.gotos:
            if name in self.labels:
                self.join([way], self.labels[name])
            else:
                self.sheet.losses.unread(place, f"goto {name}: there is no such label")
        for one in self.open:
            self.sheet.losses.unread(one.place, f"{one.word} without an end")
        for code, place in self.partitions:
            self.sheet.losses.unread(place, f"{code} without an end")
        if self.lane_codes:
            self.chart.pool = self.numbered(_POOL)

    # Decisions.

    def top(self, *words: str) -> _Open:
        """The innermost construct. LineNotUnderstood for further words."""
        if not self.open or self.open[-1].word not in words:
            raise LineNotUnderstood(f"there is no {words[0]} to go on with")
        return self.open[-1]

    def decide(self, text: str | None, line: PumlLine) -> str:
        return self.step(_DECISION, self.plain(text, line), f"if {self.plain(text, line)}")

    def choose(self, found: re.Match[str], line: PumlLine) -> None:
        code = self.decide(found["text"], line)
        self.open.append(_Open("if", line.place, code))
        self.waiting = [_Exit(code, self.plain(found["is"] or found["then"], line))]

    def long_choice(self, found: re.Match[str], line: PumlLine) -> None:
        """An `if` with a question of several lines."""
        end = re.compile(rf"(?P<text>.*?)\){_THEN}", re.IGNORECASE)
        rows = self.sheet.script.block(_LAST_OF_QUESTION, _LONGEST_TEXT)
        last = end.fullmatch(self.sheet.script.lines[self.sheet.script.at - 1].text) if rows is not None else None
        if rows is None or last is None:
            raise LineNotUnderstood
        code = self.decide("\n".join([found["text"], *(row.text for row in rows), last["text"]]), line)
        self.open.append(_Open("if", line.place, code))
        self.waiting = [_Exit(code, self.plain(last["is"] or last["then"], line))]

    def choose_again(self, found: re.Match[str], line: PumlLine) -> None:
        one = self.top("if")
        one.exits += self.waiting
        self.waiting = [_Exit(one.code, self.plain(found["no"], line))]
        one.code = self.decide(found["text"], line)
        self.waiting = [_Exit(one.code, self.plain(found["is"] or found["then"], line))]

    def otherwise(self, found: re.Match[str], line: PumlLine) -> None:
        one = self.top("if")
        one.exits += self.waiting
        one.is_closed = True
        self.waiting = [_Exit(one.code, self.plain(found["text"], line))]

    def end_choice(self, _found: re.Match[str], _line: PumlLine) -> None:
        one = self.top("if")
        self.open.pop()
        last = [] if one.is_closed else [_Exit(one.code)]
        self.waiting = list(dict.fromkeys((*one.exits, *self.waiting, *last)))

    def switch(self, found: re.Match[str], line: PumlLine) -> None:
        self.open.append(_Open("switch", line.place, self.decide(found["text"], line)))
        self.waiting = []

    def case(self, found: re.Match[str], line: PumlLine) -> None:
        one = self.top("switch")
        one.exits += self.waiting
        self.waiting = [_Exit(one.code, self.plain(found["text"], line))]

    def end_switch(self, _found: re.Match[str], _line: PumlLine) -> None:
        one = self.top("switch")
        self.open.pop()
        self.waiting = list(dict.fromkeys((*one.exits, *self.waiting)))

    # Loops.

    def loop(self, found: re.Match[str], line: PumlLine) -> None:
        code = self.decide(found["text"], line)
        self.open.append(_Open("while", line.place, code))
        self.waiting = [_Exit(code, self.plain(found["is"], line))]

    def end_loop(self, found: re.Match[str], line: PumlLine) -> None:
        one = self.top("while")
        self.open.pop()
        self.join(self.waiting, one.backward or one.code)
        self.waiting = [_Exit(one.code, self.plain(found["text"], line)), *one.breaks]

    def repeat(self, found: re.Match[str], line: PumlLine) -> None:
        self.open.append(_Open("repeat", line.place))
        if found["action"]:
            self.inner_action(found["action"], line)

    def repeat_while(self, found: re.Match[str], line: PumlLine) -> None:
        one = self.top("repeat")
        self.open.pop()
        code = self.decide(found["text"], line)
        self.join([_Exit(code, self.plain(found["is"], line))], one.backward or one.code or code)
        if one.backward:
            self.join([_Exit(one.backward)], one.code or code)
        after = self.plain(found["not"] or found["after"], line)
        self.waiting = [_Exit(code, after), *one.breaks]

    def backward(self, found: re.Match[str], line: PumlLine) -> None:
        one = self.top("while", "repeat")
        held, self.waiting = self.waiting, []
        code, latest = one.code, self.latest
        self.inner_action(found["action"], line)
        one.backward, one.code = self.latest, code
        if one.word == "while":
            self.join(self.waiting, code)
        self.waiting, self.latest = held, latest

    def leave(self, _found: re.Match[str], _line: PumlLine) -> None:
        """`break`: the waiting lines leave the innermost loop."""
        loop = next((one for one in reversed(self.open) if one.word in {"while", "repeat"}), None)
        if loop is None:
            raise LineNotUnderstood("there is no loop to leave")
        loop.breaks += self.waiting
        self.waiting = []

    # Parallel ways.

    def fork(self, _found: re.Match[str], line: PumlLine) -> None:
        code = self.step(_FORK, "", "fork")
        self.open.append(_Open("fork", line.place, code, before=[_Exit(code)]))

    def split(self, _found: re.Match[str], line: PumlLine) -> None:
        self.open.append(_Open("split", line.place, before=self.waiting))

    def again(self, found: re.Match[str], _line: PumlLine) -> None:
        one = self.top(found[0].split()[0].lower().removesuffix("again"))
        one.exits += self.waiting
        self.waiting = list(one.before)

    def end_fork(self, found: re.Match[str], line: PumlLine) -> None:
        one = self.top("fork")
        self.open.pop()
        self.waiting = list(dict.fromkeys((*one.exits, *self.waiting)))
        if found["word"].lower() == "fork" and self.waiting:
            self.step(_FORK, self.plain(found["text"], line), "join")

    def end_split(self, _found: re.Match[str], _line: PumlLine) -> None:
        one = self.top("split")
        self.open.pop()
        self.waiting = list(dict.fromkeys((*one.exits, *self.waiting)))

    # Lanes, partitions and notes.

    def lanes(self, found: re.Match[str], line: PumlLine) -> None:
        name = found["name"].strip()
        code = self.lane_codes.get(name, "")
        if not code:
            self.chart.count()
            code = self.lane_codes[name] = self.numbered(f"lane {name}")
            style = self.sheet.words.paint(found["paint"], line.place) if found["paint"] else None
            title = self.plain(found["title"] or name, line)
            self.chart.frames[code] = _Frame(title, "", is_lane=True, style=style)
        self.lane = code

    def partition(self, found: re.Match[str], line: PumlLine) -> None:
        if not found["opens"] and found["word"].lower() != "group":
            raise LineNotUnderstood
        self.chart.count()
        title = self.plain(unquoted(found["title"]), line)
        code = self.numbered(f"partition {title}".strip())
        paint = found["paint"] or found["after"]
        style = self.sheet.words.paint(paint.strip(), line.place) if paint else None
        self.chart.frames[code] = _Frame(title, self.home, is_lane=False, style=style)
        self.partitions.append((code, line.place))

    def end_partition(self, _found: re.Match[str], _line: PumlLine) -> None:
        if not self.partitions:
            raise LineNotUnderstood("there is no partition to close")
        self.partitions.pop()

    def note(self, found: re.Match[str], line: PumlLine) -> None:
        text = found["text"]
        if text is None:
            rows = self.sheet.script.block(_NOTE_END)
            if rows is None:
                raise LineNotUnderstood("a note without a text after a colon and without an end")
            text = "\n".join(row.text for row in rows)
        self.chart.count()
        on = "" if found["floating"] else self.latest
        code = self.numbered(f"note {on}".strip())
        home = self.chart.steps[on].home if on else self.home
        side = (found["side"] or "right").lower()
        self.chart.steps[code] = PumlStep(code, _NOTE, self.plain(text, line), home, on=on, side=side)


_STATEMENTS: Statements[_Reader] = (
    (_START, _Reader.start),
    (_STOP, _Reader.stop),
    (_DETACH, _Reader.detach),
    (_BREAK, _Reader.leave),
    (_LANE, _Reader.lanes),
    (_IF, _Reader.choose),
    (_ELSE_IF, _Reader.choose_again),
    (_ELSE, _Reader.otherwise),
    (_END_IF, _Reader.end_choice),
    (_SWITCH, _Reader.switch),
    (_CASE, _Reader.case),
    (_END_SWITCH, _Reader.end_switch),
    (_WHILE, _Reader.loop),
    (_END_WHILE, _Reader.end_loop),
    (_REPEAT_WHILE, _Reader.repeat_while),
    (_REPEAT, _Reader.repeat),
    (_BACKWARD, _Reader.backward),
    (_FORK_START, _Reader.fork),
    (_FORK_AGAIN, _Reader.again),
    (_FORK_END, _Reader.end_fork),
    (_SPLIT, _Reader.split),
    (_SPLIT_AGAIN, _Reader.again),
    (_SPLIT_END, _Reader.end_split),
    (_PARTITION_END, _Reader.end_partition),
    (_PARTITION, _Reader.partition),
    (_NOTE_LINE, _Reader.note),
    (_ARROW, _Reader.flow),
    (_ACTION, _Reader.action),
    (_CONNECTOR, _Reader.connector),
    (_LABEL, _Reader.label),
    (_GOTO, _Reader.goto),
    (_ARROW_START, _Reader.long_flow),
    (_ACTION_START, _Reader.long_action),
    (_IF_START, _Reader.long_choice),
)


def parse(sheet: PumlSheet) -> PumlActivity:
    """The chart of an activity diagram."""
    reader = _Reader(sheet, PumlActivity(sheet))
    read_lines(sheet, first_of(_STATEMENTS, reader), "an activity diagram")
    reader.finish()
    return reader.chart


def draw(chart: PumlActivity, assembly: Assembly) -> JsonObject:
    """The document of a chart."""
    children: dict[str, list[str]] = {}
    lanes = [code for code, frame in chart.frames.items() if frame.is_lane]
    stray = lanes[0] if lanes else ""  # what stands before the first lane
    for code, home in (
        *((step.code, step.home) for step in chart.steps.values()),
        *((code, frame.home) for code, frame in chart.frames.items() if not frame.is_lane),
    ):
        children.setdefault(home or stray, []).append(assembly.name(code))
    sides: set[tuple[str, str]] = set()
    for step in chart.steps.values():
        _add_step(step, assembly, sides)
    for code, frame in chart.frames.items():
        kind = "lane" if frame.is_lane else None
        held = children.get(code, [])
        assembly.frame(code, title=frame.title, children=held, containerType=kind, style=frame.style)
    if lanes:
        rows = "vertical" if (chart.sheet.direction or "TB") in {"TB", "BT"} else "horizontal"
        tops = [assembly.name(code) for code in lanes]
        assembly.frame(chart.pool, children=tops, containerType="pool", laneDirection=rows)
    for flow in chart.flows:
        source, target = ({"elementId": assembly.name(code)} for code in (flow.one, flow.two))
        assembly.edge(source, target, edgeType=_FLOW, label=flow.label, style=flow.style)
    for step in chart.steps.values():
        if step.on:
            source, target = ({"elementId": assembly.name(code)} for code in (step.code, step.on))
            assembly.edge(source, target, edgeType="workflow.association")
    sheet = chart.sheet
    strategy = {"algorithm": "hierarchical", "direction": sheet.direction or "TB"}
    return assembly.document(_FAMILY, title=sheet.title, shows_title=bool(sheet.title), layoutStrategy=strategy)


def _add_step(step: PumlStep, assembly: Assembly, sides: set[tuple[str, str]]) -> None:
    layout = None
    if step.on and (step.on, step.side) not in sides:
        sides.add((step.on, step.side))
        relation = {"left": "leftOf", "right": "rightOf", "top": "above", "bottom": "below"}[step.side]
        layout = {"mode": "relative", "relation": relation, "target": assembly.name(step.on)}
    assembly.node(
        step.code,
        nodeType=step.kind or None,
        shape=None if step.kind else "ellipse",
        label=step.label,
        style=step.style,
        layout=layout,
    )
