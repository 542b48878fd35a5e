"""Sequence diagrams: participants, messages, activations, fragments, notes, dividers and references."""

from __future__ import annotations

import re

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.assembly import Assembly
from scenograph.reading.charts import (
    ASYNC,
    GATE,
    MESSAGE,
    REPLY,
    Arrow,
    CombinedFragment,
    Message,
    Note,
    Operand,
    Participant,
    ParticipantBox,
    SequenceChart,
    sequence_document_of,
)
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
from scenograph.reading.source import shown
from scenograph.scene.json_values import JsonObject

_KINDS = "participant|actor|boundary|control|entity|database|collections|queue"
_NAME = r'(?:"[^"\n]+"|[\w.@$]+)'
_DECLARED = re.compile(
    rf"(?=(?:create|{_KINDS})[ \t])(?:(?P<create>create)[ \t]+)?(?:(?P<kind>{_KINDS})[ \t]+)?"
    rf"(?:(?P<label>\"[^\"\n]*\"|[^\s\"<>#\[\]:]+)[ \t]+as[ \t]+(?P<alias>{_NAME})|"
    rf"(?P<name>\"[^\"\n]*\"|[^\s\"<>#\[\]:,]+)"
    rf"(?:[ \t]+as[ \t]+(?P<after>\"[^\"\n]*\"))?)"
    r"(?P<rest>(?:[ \t]*(?:<<(?:[^<>\n]|<[^<>\n]*>|<<[^<>\n]*>>)*+>>|order[ \t]+-?\d{1,6}|\[\[[^\[\]\n]*\]\]"
    r"|(?-i:[A-Z][A-Z0-9_]{2,}\b)|#[\w:;.|/\\#-]++))*+)(?:[ \t]*(?P<opens>\[))?",
    re.IGNORECASE,
)
_STEREOTYPE = re.compile(r"<<[ \t]*(?:\([^()\n]*\))?[ \t]*(?P<text>[^<>\n]*?)[ \t]*>>")
_ORDER = re.compile(r"\border[ \t]+(?P<number>-?\d{1,6})", re.IGNORECASE)
_PAINT = re.compile(r"(?<![\w\[/])#(?P<paint>[\w:;.|/\\#-]+)")
_END = rf"{_NAME}(?:[ \t]+as[ \t]+{_NAME})?"
_ARROW = (
    r"(?P<left>[oxX](?=[<\\/-]))?(?P<head>\(|<<|<|//|/|\\\\|\\)?"
    r"(?P<line>(?:-++|(?=\[[^\]\n]*\]-))(?:\[(?P<paint>[^\]\n]*)\]-*)?)"
    r"(?P<tail>>>|>|//|/|\\\\|\\)?(?P<right>[oxX](?![\w.@])|\()?"
)
_MESSAGE = re.compile(
    rf"(?P<parallel>&[ \t]*)?(?:\{{[\w. -]{{1,60}}\}}[ \t]+)?(?:(?P<one>{_END})[ \t]*|"
    rf"(?P<from>[\[\]?])[ \t]*)?{_ARROW}[ \t]*"
    rf"(?:(?P<two>{_END})|(?P<to>[\[\]?]))?"
    r"[ \t]*(?P<marks>(?:\+\+|--|\*\*|!!)*)[ \t]*(?P<tone>#[\w|]+)?[ \t]*(?::(?P<text>.*))?"
)
_NOTE = re.compile(
    r"(?:/[ \t]*)?(?P<form>[hr]?note)[ \t]+(?:(?P<side>left|right)(?:[ \t]+(?:of[ \t]+)?"
    r"(?P<who>[^:#]+?))?|over[ \t]+(?P<over>[^:#]+?)|"
    r"(?P<across>across))[ \t]*(?:<<[^<>\n]*>>[ \t]*)?(?P<paint>#[\w:;.|/\\#-]+)?[ \t]*(?::(?P<text>.*))?",
    re.IGNORECASE,
)
_NOTE_END = re.compile(r"end[ \t]*[hr]?note", re.IGNORECASE)
_REFERENCE = re.compile(
    r"ref(?:[ \t]*#[\w|#]+)*[ \t]+over[ \t]+(?P<over>[^:#]+?)[ \t]*(?:#\w+[ \t]*)?(?::(?P<text>.*))?", re.IGNORECASE
)
_REFERENCE_END = re.compile(r"end[ \t]*(?:ref)?", re.IGNORECASE)
_FRAGMENT = re.compile(
    r"(?P<word>alt|opt|loop|par2?|break|critical|group|partition)(?:[ \t]*(?P<paint>#[\w|]+(?:[ \t]+#[\w|]+)?))?"
    r"(?:[ \t]+(?P<text>.*))?",
    re.IGNORECASE,
)
_ELSE = re.compile(r"(?:else|also)(?:[ \t]*#[\w|]+)*(?:[ \t]+(?P<text>.*))?", re.IGNORECASE)
_GROUP_TITLE = re.compile(r"(?P<title>.*?)[ \t]*\[(?P<guard>.*)\]")
_ACTIVATION = re.compile(
    rf"(?P<word>activate|deactivate|destroy)(?:[ \t]+(?P<name>{_NAME}))?[ \t]*"
    rf"(?:#[\w:;|]+|(?-i:[A-Z][A-Z0-9_]{{2,}}\b))?(?:[ \t]+#\w+)?",
    re.IGNORECASE,
)
_RETURN = re.compile(r"return\b[ \t]*(?P<text>.*)", re.IGNORECASE)
_BOX = re.compile(
    r"box(?:[ \t]+(?P<text>\"[^\"\n]*\"|[^#\n\"]*?))?[ \t]*(?:<<[^<>\n]*>>[ \t]*)?(?P<paint>#[\w|]+)?", re.IGNORECASE
)
_DIVIDER = re.compile(r"==+[ \t]*(?P<text>.*?)[ \t]*==+")
_DELAY = re.compile(r"(?:\.\.\.|\u2026)[ \t]*(?P<text>.*?)[ \t]*(?:(?:\.\.\.|\u2026)[ \t]*)?")
_SPACE = re.compile(r"\|\|+(?:[ \t]*\d+[ \t]*\|\|+)?\|?")
_NUMBER = re.compile(
    r"autonumber(?:[ \t]+(?P<word>stop|resume|inc[ \t]+\w))?(?P<figures>(?:[ \t]+[\d.:;,/-]+){0,2})[ \t]*"
    r"(?P<format>\"[^\"\n]*\")?",
    re.IGNORECASE,
)
_AUTO = re.compile(r"autoactivate[ \t]+(?P<word>on|off)", re.IGNORECASE)
_NEW_PAGE = re.compile(r"newpage\b[ \t]*(?P<title>.*)", re.IGNORECASE)
_DURATION = re.compile(r"\{[\w. -]+\}[ \t]*<->[ \t]*\{[\w. -]+\}[ \t]*:.*")
_TITLE_END = re.compile(r"\]")
_DASH: JsonObject = {"dash": [4, 4]}
_OPERATORS = {
    "alt": "alt",
    "opt": "opt",
    "loop": "loop",
    "par": "par",
    "par2": "par",
    "break": "break",
    "critical": "critical",
}
_GATES = {"[": "[", "]": "]", "?": "["}


@dataclass(slots=True)
class _Numbering:
    """The numbers before messages."""

    number: int = 1
    step: int = 1
    form: str = ""
    is_on: bool = False


@dataclass(slots=True)
class _Reader(LineReader):
    chart: SequenceChart
    orders: dict[str, int] = field(default_factory=dict[str, int])
    numbering: _Numbering = field(default_factory=_Numbering)
    callers: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    across: list[Note] = field(default_factory=list[Note])
    is_automatic: bool = False
    latest: Message | None = None

    # Participants.

    def participant(self, written: str, line: PumlLine) -> Participant:
        """The participant of a name as written, `"Long name" as A` included."""
        parts = re.split(r"[ \t]+as[ \t]+", written.strip(), maxsplit=1)
        name = unquoted(parts[0])
        label = ""
        if len(parts) == 2:
            name, label = (unquoted(parts[1]), name) if parts[0].startswith('"') else (name, unquoted(parts[1]))
        found = self.chart.participant(name, line.place)
        found.label = found.label or self.plain(label or name, line)
        return found

    def gate(self, mark: str, line: PumlLine) -> str:
        """The end of a message outside of all participants."""
        found = self.chart.participant(_GATES[mark], line.place)
        found.kind = GATE
        return found.name

    def declare(self, found: re.Match[str], line: PumlLine) -> None:
        written, label = found["alias"] or found["name"], found["label"] or found["after"]
        if found["label"] and written.startswith('"') and not found["label"].startswith('"'):
            written, label = found["label"], written
        name = unquoted(written)
        one = self.chart.participant(name, line.place)
        rest = found["rest"] or ""
        label = self.plain(unquoted(label or written), line) if label or not one.label else one.label
        if found["opens"]:
            body = self.sheet.script.block(_TITLE_END)
            if body is None:
                raise LineNotUnderstood
            rows = [row.text.lstrip("= ") for row in body if row.text.strip("-= ")]
            label = self.plain("\n".join(rows), line)
        words = [f"«{row['text']}»" for row in _STEREOTYPE.finditer(rest) if row["text"]]
        one.label = "\n".join((*words, label))
        one.kind = (found["kind"] or one.kind).lower()
        paint = _PAINT.search(_STEREOTYPE.sub("", rest))
        one.style = self.sheet.words.paint(paint["paint"], line.place) if paint is not None else one.style
        one.link = self.sheet.words.link(rest, line.place) or one.link
        if (order := _ORDER.search(rest)) is not None:
            self.orders[name] = int(order["number"])
        if found["create"]:
            self.chart.created.add(name)
        self.chart.join_box(name)

    # Messages.

    def message(self, found: re.Match[str], line: PumlLine) -> None:
        if not (found["one"] or found["two"]):
            raise LineNotUnderstood
        if found["parallel"]:
            self.sheet.words.tell("parallel", line.place, "messages at the same time are drawn one after another")
        if "(" in {found["head"], found["right"]}:
            raise LineNotUnderstood
        start, end = (
            self.participant(found[name], line).name if found[name] else self.gate(found[gate] or border, line)
            for name, gate, border in (("one", "from", "["), ("two", "to", "]"))
        )
        is_back = bool(found["head"]) and not found["tail"]
        source, target = (end, start) if is_back else (start, end)
        if self.sheet.words.line(found["paint"] or "", line.place).is_hidden:
            return
        arrow = self.arrow(found, line, is_back=is_back)
        text = self.plain(found["text"], line)
        mark = re.sub(r"\[[^\]]*\]", "", found["line"])
        shaft = "".join((found["left"] or "", found["head"] or "", mark, found["tail"] or "", found["right"] or ""))
        message = Message(source, target, shaft, arrow, text, line.place, self.number_of())
        self.add(message, line)
        self.mark(found["marks"], message, line, is_back=is_back)
        if found["right" if not is_back else "left"] == "x" and target not in _GATES:
            self.sheet.words.tell("lost", line.place, "a message that is lost is drawn like one that arrives")

    def add(self, message: Message, line: PumlLine) -> None:
        """Add a message, with the activations and lives awaiting a first message."""
        chart = self.chart
        message.creates = message.target in chart.created
        chart.created.discard(message.target)
        chart.add(message)
        for name in {message.source, message.target} & set(chart.awaited):
            message.activates.add(name)
            del chart.awaited[name]
        if self.is_automatic and message.arrow.edge_type == MESSAGE and message.target not in _GATES:
            chart.change_activation(message.target, message, line.place, begins=True)
            self.callers.append((message.source, message.target))
        self.latest = message

    def arrow(self, found: re.Match[str], line: PumlLine, *, is_back: bool) -> Arrow:
        """The edge of an arrow: dashed for two strokes, open heads for asynchronous messages."""
        look = self.sheet.words.line(found["paint"] or "", line.place)
        bare = re.sub(r"\[[^\]]*\]", "", found["line"])
        is_dashed = len(bare) > 1
        head = found["head"] if is_back else found["tail"]
        both = bool(found["head"] and found["tail"])
        style: JsonObject = dict(look.style)
        exact = not head or head in {"<", ">", "<<", ">>"}
        if not head:
            ends: JsonObject | None = {"startArrow": "none", "endArrow": "none"}
        else:
            ends = {"startArrow": "triangle", "endArrow": "triangle"} if both else None
        ends = self.circles(found, ends, is_back=is_back)
        if head in {"<<", ">>"} and not both:
            return Arrow(ASYNC, ends, {**(_DASH if is_dashed else {}), **style} or None, exact)
        return Arrow(REPLY if is_dashed else MESSAGE, ends, style or None, exact)

    @staticmethod
    def circles(found: re.Match[str], ends: JsonObject | None, *, is_back: bool) -> JsonObject | None:
        """The arrowheads with the circles of lost and found messages."""
        at_start, at_end = (found["right"], found["left"]) if is_back else (found["left"], found["right"])
        circled = {name: "circle" for name, mark in (("startArrow", at_start), ("endArrow", at_end)) if mark == "o"}
        if "endArrow" in circled and (found["head"] or found["tail"]):
            del circled["endArrow"]
        return {**(ends or {}), **circled} or None

    def number_of(self) -> str:
        """The number of the next message; "" without numbers."""
        numbering = self.numbering
        if not numbering.is_on:
            return ""
        form = re.sub(r"<[^<>]*>", "", numbering.form)
        digits = re.search(r"0+|#+", form)
        number = str(numbering.number)
        numbering.number += numbering.step
        if digits is None:
            return f"{number}."
        padded = number.zfill(len(digits[0])) if digits[0][0] == "0" else number
        return f"{form[: digits.start()]}{padded}{form[digits.end() :]}"

    def mark(self, marks: str, message: Message, line: PumlLine, *, is_back: bool) -> None:
        """The beginnings and ends of activations and lives at a message."""
        first, second = (message.target, message.source) if is_back else (message.source, message.target)
        for at in range(0, len(marks), 2):
            mark = marks[at : at + 2]
            if mark == "++":
                self.chart.change_activation(second, message, line.place, begins=True)
                self.callers.append((first, second))
            elif mark == "--":
                self.chart.change_activation(first, message, line.place, begins=False)
            elif mark == "**":
                message.creates = message.target == second
            else:
                message.destroys = True

    def activation(self, found: re.Match[str], line: PumlLine) -> None:
        word, message = found["word"].lower(), self.latest
        name = found["name"] or (message.target if message is not None else "")
        if not found["name"] and word == "deactivate":
            name = next((called for _, called in self.callers[::-1] if self.chart.active.get(called)), name)
        if not name or name in _GATES:
            raise LineNotUnderstood
        one = self.participant(name, line)
        if word == "activate":
            if message is not None and one.name in (message.source, message.target):
                self.chart.change_activation(one.name, message, line.place, begins=True)
                other = message.source if one.name == message.target else message.target
                self.callers.append((other, one.name))
            else:
                self.chart.active.setdefault(one.name, []).append(line.place)
                self.chart.awaited[one.name] = line.place
            return
        message = self.chart.latest(one.name)
        if message is None:
            self.sheet.words.tell(word, line.place, f"{shown(line.text)}: no message reaches it before")
            return
        if self.chart.active.get(one.name) or word == "deactivate":
            self.chart.change_activation(one.name, message, line.place, begins=False)
        if word == "destroy":
            if message.target == one.name and not message.creates:
                message.destroys = True
            else:
                self.sheet.words.tell(word, line.place, f"{shown(one.name)} ends without a message to it")

    def returning(self, found: re.Match[str], line: PumlLine) -> None:
        if not self.callers:
            raise LineNotUnderstood("a return without an activation")
        caller, called = self.callers.pop()
        text = self.plain(found["text"], line)
        message = Message(called, caller, "-->", Arrow(REPLY), text, line.place, self.number_of())
        self.chart.add(message)
        self.chart.change_activation(called, message, line.place, begins=False)
        self.latest = message

    # Notes and fragments.

    def note(self, found: re.Match[str], line: PumlLine) -> None:
        text = found["text"]
        if text is None:
            text = self.body(_NOTE_END)
        style = self.sheet.words.paint(found["paint"], line.place) if found["paint"] else None
        side = (found["side"] or "").lower() or None
        if found["across"]:
            self.spread(self.plain(text, line), line, style)
            return
        if found["who"] or found["over"]:
            over = [
                self.participant(one, line).name
                for one in re.split(r",(?![^\"]*\"(?:[^\"]*\"[^\"]*\")*[^\"]*$)", found["who"] or found["over"])
            ]
        else:
            over = self.beside(side)
        if not over:
            self.sheet.words.tell("note", line.place, "a note beside no message")
            return
        self.chart.add(Note(self.plain(text, line), over, side, line.place, style))

    def body(self, end: re.Pattern[str]) -> str:
        rows = self.sheet.script.block(end)
        if rows is None:
            raise LineNotUnderstood("a note without a text after a colon and without an end")
        return "\n".join(row.text for row in rows)

    def beside(self, side: str | None) -> list[str]:
        """The participant at a side of the latest message."""
        if self.latest is None:
            return []
        order = list(self.chart.participants)
        ends = [name for name in (self.latest.source, self.latest.target) if name not in _GATES]
        ends.sort(key=order.index)
        return ends[:1] if side == "left" else ends[-1:]

    def spread(self, text: str, line: PumlLine, style: JsonObject | None = None) -> None:
        """A text across all participants."""
        note = Note(text, [], None, line.place, style)
        self.across.append(note)
        self.chart.add(note)

    def reference(self, found: re.Match[str], line: PumlLine) -> None:
        text = found["text"] if found["text"] is not None else self.body(_REFERENCE_END)
        over = [self.participant(one, line).name for one in found["over"].split(",") if one.strip()]
        self.chart.add(Note(f"ref: {self.plain(text, line)}", over, None, line.place))
        self.sheet.words.tell("ref", line.place, "references are drawn as notes")

    def divider(self, found: re.Match[str], line: PumlLine) -> None:
        self.spread(self.plain(found["text"], line), line)
        self.sheet.words.tell("divider", line.place, "dividers and delays are drawn as notes")

    def delay(self, found: re.Match[str], line: PumlLine) -> None:
        if found["text"]:
            self.divider(found, line)

    def fragment(self, found: re.Match[str], line: PumlLine) -> None:
        word, text = found["word"].lower(), self.plain(found["text"], line)
        operator, title, guard = _OPERATORS.get(word, ""), "", text
        if not operator:
            split = _GROUP_TITLE.fullmatch(text)
            title, guard = (split["title"], split["guard"]) if split is not None else (text or word, "")
        elif word == "par2":
            self.sheet.words.tell(word, line.place, "par2 is drawn as par")
        paint = found["paint"].split()[-1] if found["paint"] else ""
        style = self.sheet.words.paint(paint, line.place) if paint else None
        fragment = CombinedFragment(operator, line.place, [Operand(guard)], title, style)
        self.chart.add(fragment)
        self.chart.open.append(fragment)

    def another(self, found: re.Match[str], line: PumlLine) -> None:
        fragment = self.chart.open[-1] if self.chart.open else None
        if not isinstance(fragment, CombinedFragment):
            raise LineNotUnderstood("there is no fragment to go on with")
        fragment.operands.append(Operand(self.plain(found["text"], line)))

    def end(self, _found: re.Match[str], _line: PumlLine) -> None:
        if not self.chart.open:
            raise LineNotUnderstood("there is nothing to end")
        self.chart.open.pop()

    def box(self, found: re.Match[str], line: PumlLine) -> None:
        fill = self.sheet.words.color(found["paint"], line.place) if found["paint"] else None
        box = ParticipantBox(self.plain(unquoted(found["text"] or ""), line), fill, line.place)
        self.chart.boxes.append(box)
        self.chart.open.append(box)

    # Settings.

    def number(self, found: re.Match[str], line: PumlLine) -> None:
        word, figures = (found["word"] or "").lower(), (found["figures"] or "").split()
        numbering = self.numbering
        numbering.is_on = word != "stop"
        if word.startswith("inc") or any(not figure.isdecimal() for figure in figures):
            self.sheet.words.tell("autonumber", line.place, "numbers of several parts are counted as one")
            figures = [figure for figure in figures if figure.isdecimal()]
        if not word:
            numbering.number = int(figures[0][:9]) if figures else 1
        if figures:
            numbering.step = int(figures[-1][:9]) if len(figures) > 1 or word == "resume" else 1
        numbering.form = unquoted(found["format"]) if found["format"] else numbering.form

    def automatic(self, found: re.Match[str], _line: PumlLine) -> None:
        self.is_automatic = found["word"].lower() == "on"

    def page(self, _found: re.Match[str], line: PumlLine) -> None:
        self.sheet.words.tell("newpage", line.place, "all pages are drawn as one")

    def duration(self, _found: re.Match[str], line: PumlLine) -> None:
        self.sheet.words.tell("duration", line.place, "durations between messages")

    def nothing(self, _found: re.Match[str], _line: PumlLine) -> None:
        """Pass over free space."""


_STATEMENTS: Statements[_Reader] = (
    (_DECLARED, _Reader.declare),
    (_DURATION, _Reader.duration),
    (_NOTE, _Reader.note),
    (_REFERENCE, _Reader.reference),
    (_ACTIVATION, _Reader.activation),
    (_ELSE, _Reader.another),
    (
        re.compile(r"end(?:[ \t]*(?:box|alt|opt|loop|par2?|break|critical|group))?(?:[ \t].*)?", re.IGNORECASE),
        _Reader.end,
    ),
    (_RETURN, _Reader.returning),
    (_BOX, _Reader.box),
    (_FRAGMENT, _Reader.fragment),
    (_DIVIDER, _Reader.divider),
    (_SPACE, _Reader.nothing),
    (_DELAY, _Reader.delay),
    (_NUMBER, _Reader.number),
    (_AUTO, _Reader.automatic),
    (_NEW_PAGE, _Reader.page),
    (_MESSAGE, _Reader.message),
)


def parse(sheet: PumlSheet) -> SequenceChart:
    """The chart of a sequence diagram."""
    reader = _Reader(sheet, SequenceChart(sheet.losses, sheet.most))
    read_lines(sheet, first_of(_STATEMENTS, reader), "a sequence diagram")
    chart = reader.chart
    chart.tell_unfinished()
    _order(chart, reader.orders)
    players = [name for name, one in chart.participants.items() if one.kind != GATE]
    for note in reader.across:
        note.over = list(dict.fromkeys((*players[:1], *players[-1:])))
    chart.title = sheet.title
    return chart


def _order(chart: SequenceChart, orders: dict[str, int]) -> None:
    """Bring participants into their order: by number, gates outermost."""

    def rank(item: tuple[int, str]) -> tuple[int, int, int]:
        at, name = item
        side = {"[": -1, "]": 1}.get(name, 0) if chart.participants[name].kind == GATE else 0
        return side, orders.get(name, 0), at

    names = [name for _, name in sorted(enumerate(chart.participants), key=rank)]
    chart.participants = {name: chart.participants[name] for name in names}


def draw(chart: SequenceChart, assembly: Assembly) -> JsonObject:
    """The document of a chart."""
    return sequence_document_of(chart, assembly, shows_title=True)
