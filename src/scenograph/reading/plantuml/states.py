"""State diagrams: states, composite states with regions, pseudostates, transitions and notes."""

from __future__ import annotations

import re

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.assembly import Assembly
from scenograph.reading.charts import (
    EDGE_STATE,
    State,
    StateChart,
    StateNote,
    StateScope,
    StateTransition,
    state_document_of,
)
from scenograph.reading.plantuml.script import PumlLine
from scenograph.reading.plantuml.sheet import (
    DEEPEST,
    LineNotUnderstood,
    LineReader,
    PumlSheet,
    Statements,
    first_of,
    read_lines,
    unquoted,
)
from scenograph.reading.source import shown
from scenograph.scene.json_values import JsonObject

_NAME = r"(?:[\w.$]|::)+"
_QUOTED = r"\"[^\"\n]*\""
_REST = (
    r"(?P<rest>(?:[ \t]*(?:<<(?:[^<>\n]|<[^<>\n]*>|<<[^<>\n]*>>)*+>>|"
    r"\[\[[^\[\]\n]*\]\]|##?(?:\[\w+\])?[\w:;.|/\\#-]*+))*+)"
)
_STATE = re.compile(
    rf"(?:state|frame)[ \t]+(?:(?P<label>{_QUOTED})[ \t]+as[ \t]+(?P<alias>{_NAME})|(?P<name>{_NAME})"
    rf"(?:[ \t]+as[ \t]+(?P<after>{_QUOTED}|{_NAME}))?|(?P<quoted>{_QUOTED}))"
    rf"{_REST}[ \t]*(?:(?P<opens>\{{|begin)|:[ \t]*(?P<text>.*))?",
    re.IGNORECASE,
)
_END = rf"(?:\[\*\]|\[H\*?\]|{_NAME}(?:\[H\*?\])?|{_QUOTED}|==+{_NAME}==+)"
_TRANSITION = re.compile(
    rf"(?P<one>{_END})(?:[ \t]*<<[^<>\n]*>>)?(?:[ \t]*#[\w;:.]+)?[ \t]*(?P<left><|x)?-++(?P<p1>\[[^\]\n]*\])?"
    rf"(?:left|right|up|down|le|ri|do|l|r|u|d)?(?P<p2>\[[^\]\n]*\])?-*"
    rf"(?P<right>>>?|x>)?o?[ \t]*(?P<two>{_END})(?:[ \t]*<<[^<>\n]*>>)?(?:[ \t]*#[\w;:.]+)?[ \t]*(?::[ \t]*"
    rf"(?P<text>.*))?",
    re.IGNORECASE,
)
_TEXT = re.compile(rf"(?:state[ \t]+)?(?P<name>{_NAME}|{_QUOTED})[ \t]*:(?!:)[ \t]*(?P<text>.*)")
_CLOSE = re.compile(r"\}|end[ \t]*state", re.IGNORECASE)
_DIVIDE = re.compile(r"--+|\|\|+")
_NOTE = re.compile(
    rf"note[ \t]+(?:(?P<side>left|right|top|bottom)(?:[ \t]+of[ \t]+(?P<who>{_END}))?|(?P<link>(?:"
    rf"(?:left|right|top|bottom)[ \t]+)?on[ \t]+link)|(?P<said>{_QUOTED})[ \t]+as[ \t]+(?P<alias>{_NAME})"
    rf"|as[ \t]+(?P<name>{_NAME}))[ \t]*(?P<paint>#[\w:;.|/\\#-]+)?[ \t]*(?::[ \t]*(?P<text>.*))?",
    re.IGNORECASE,
)
_NOTE_END = re.compile(r"end[ \t]*note", re.IGNORECASE)
_STEREOTYPE = re.compile(r"<<[ \t]*(?:\([^()\n]*\)[ \t]*)?(?P<text>[^<>\n]*?)[ \t]*>>")
_PAINT = re.compile(r"(?<![\w\[/#])#(?P<paint>[\w:;.|/\\#-]+)")
_KINDS = {
    "start": "state.initial",
    "end": "state.final",
    "choice": "state.choice",
    "fork": "state.fork",
    "join": "state.fork",
    "history": "state.state",
    "history*": "state.state",
}
_POINTS = frozenset({"entrypoint", "exitpoint", "inputpin", "outputpin", "expansioninput", "expansionoutput"})
_SIDES = {"left": "leftOf", "right": "rightOf", "top": "above", "bottom": "below"}
_HISTORY = re.compile(r"(?P<owner>.*)\[(?P<mark>H\*?)\]", re.IGNORECASE)


@dataclass(slots=True)
class _Reader(LineReader):
    chart: StateChart
    latest: str = ""
    stems: dict[str, int] = field(default_factory=dict[str, int])

    def end(self, written: str, line: PumlLine, *, final: bool) -> State:
        """The state of an end: the initial or final state of a region, a history, or the state of a name."""
        history = _HISTORY.fullmatch(written)
        if history is not None and written != EDGE_STATE:
            owner = history["owner"] or self.chart.open[-1].owner
            state = self.chart.state(f"{owner}[{history['mark'].upper()}]", line.place)
            state.label = history["mark"].upper()
            self.sheet.words.tell("history", line.place, "a history is drawn as a state")
            return state
        if written.startswith("=="):
            state = self.chart.state(written.strip("="), line.place)
            state.kind = "state.fork"
            return state
        return self.chart.end_of(unquoted(written), line.place, final=final)

    def state(self, found: re.Match[str], line: PumlLine) -> None:
        name = unquoted(found["alias"] or found["name"] or found["quoted"])
        label = found["label"] or found["after"] or found["quoted"]
        if label and found["after"] and not label.startswith('"'):
            name, label = label, found["name"]
        state = self.chart.state(name, line.place)
        if label:
            state.label = self.plain(unquoted(label), line)
        self.dress(state, found["rest"] or "", line)
        if found["text"]:
            state.texts.append(self.plain(found["text"], line))
        self.latest = name
        if found["opens"]:
            if len(self.chart.open) > DEEPEST:
                raise LineNotUnderstood(f"states are at most {DEEPEST} deep")
            if any(scope.owner == name for scope in self.chart.open):
                raise LineNotUnderstood(f"{shown(name)} holds itself")
            state.inside = state.inside or StateScope(name)
            self.chart.open.append(state.inside)

    def dress(self, state: State, rest: str, line: PumlLine) -> None:
        """Stereotypes, link and colour of a declaration."""
        for row in _STEREOTYPE.finditer(rest):
            word = row["text"].lower()
            if word in _KINDS:
                state.kind = _KINDS[word]
                state.label = state.label or ("H*" if word == "history*" else "H" if word == "history" else "")
            elif word in _POINTS:
                self.sheet.words.tell(word, line.place, "points on a border are drawn as states")
            elif word:
                state.label = f"«{row['text']}»\n{state.label or state.name}"
        bare = _STEREOTYPE.sub("", rest)
        state.link = self.sheet.words.link(bare, line.place) or state.link
        paint = _PAINT.search(re.sub(r"\[\[[^\[\]]*\]\]", "", bare))
        if paint is not None:
            state.style = self.sheet.words.paint(paint["paint"], line.place) or {}

    def text(self, found: re.Match[str], line: PumlLine) -> None:
        state = self.chart.state(unquoted(found["name"]), line.place)
        state.texts.append(self.plain(found["text"], line))
        self.latest = state.name

    def transit(self, found: re.Match[str], line: PumlLine) -> None:
        look = self.sheet.words.line(f"{(found['p1'] or '')[1:-1]},{(found['p2'] or '')[1:-1]}", line.place)
        is_back = bool(found["left"]) and not found["right"]
        one, two = (found["two"], found["one"]) if is_back else (found["one"], found["two"])
        source, target = self.end(one, line, final=False), self.end(two, line, final=True)
        if look.is_hidden:
            return
        self.chart.count()
        self.chart.transitions.append(
            StateTransition(source.name, target.name, self.plain(found["text"], line), look.style or None)
        )

    def close(self, _found: re.Match[str], _line: PumlLine) -> None:
        if len(self.chart.open) == 1:
            raise LineNotUnderstood("there is no state to close")
        self.chart.open.pop()

    def divide(self, _found: re.Match[str], _line: PumlLine) -> None:
        if len(self.chart.open) == 1:
            raise LineNotUnderstood("regions are parts of a state")
        self.chart.open[-1].regions.append({})

    def note(self, found: re.Match[str], line: PumlLine) -> None:
        text = unquoted(found["said"]) if found["said"] else found["text"]
        if text is None:
            rows = self.sheet.script.block(_NOTE_END)
            if rows is None:
                raise LineNotUnderstood("a note without a text after a colon and without an end")
            text = "\n".join(row.text for row in rows)
        shown_text = self.plain(text, line)
        if found["link"]:
            if not self.chart.transitions:
                raise LineNotUnderstood("a note on no transition")
            last = self.chart.transitions[-1]
            last.text = f"{last.text}\n{shown_text}".strip()
            self.sheet.words.tell("note on link", line.place, "a note on a line is part of its label")
            return
        on = None
        if found["side"]:
            on = self.end(found["who"], line, final=True).name if found["who"] else self.latest
            if not on:
                raise LineNotUnderstood("a note beside nothing")
        self.chart.count()
        name = found["alias"] or found["name"] or ""
        side = _SIDES[found["side"].lower()] if found["side"] else ""
        self.chart.notes.append(StateNote(f"note {on or name}".strip(), shown_text, on, side))


_STATEMENTS: Statements[_Reader] = (
    (_CLOSE, _Reader.close),
    (_DIVIDE, _Reader.divide),
    (_NOTE, _Reader.note),
    (_STATE, _Reader.state),
    (_TRANSITION, _Reader.transit),
    (_TEXT, _Reader.text),
)


def parse(sheet: PumlSheet) -> StateChart:
    """The chart of a state diagram."""
    chart = StateChart(sheet.losses, sheet.most)
    read_lines(sheet, first_of(_STATEMENTS, _Reader(sheet, chart)), "a state diagram")
    for scope in chart.open[1:]:
        sheet.losses.unread(chart.states[scope.owner].place, f"the state {shown(scope.owner)} is not closed by }}")
    for state in chart.states.values():
        if state.texts and state.kind == "state.state":
            state.label = state.label or state.name
    chart.title = sheet.title
    chart.direction = sheet.direction or chart.direction
    return chart


def draw(chart: StateChart, assembly: Assembly) -> JsonObject:
    """The document of a chart."""
    return state_document_of(chart, assembly, lambda state: state.style or None, shows_title=bool(chart.title))
