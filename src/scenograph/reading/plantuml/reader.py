"""The way into this room: PlantUML to a document. As in PlantUML itself, the kind of a diagram is the first whose
grammar takes all of its lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from scenograph.late_dataclasses import dataclass
from scenograph.reading.assembly import Assembly
from scenograph.reading.c4 import BOUNDARIES, C4Chart, MacroCall, take_call
from scenograph.reading.plantuml import activity, sequence, states, structure
from scenograph.reading.plantuml.script import PumlBlock, PumlLine, PumlScript, blocks, preprocess
from scenograph.reading.plantuml.sheet import LineNotUnderstood, PumlSheet, read_lines
from scenograph.reading.source import Cursor, Formless, Losses, Place, Source, Unreadable, shown
from scenograph.scene.json_values import JsonObject

# C4 diagrams: calls of the macros of C4-PlantUML, whose files are not read, and boundaries in braces.

_ARRANGING = re.compile(
    r"Lay_\w+|LAYOUT_\w+|SHOW_\w+|HIDE_\w+|Add\w*Tag|Update\w*Style|UpdateLegendTitle|SET_SKETCH_STYLE|SetDefault\w+"
    r"|SetPropertyHeader|WithoutPropertyHeader|AddProperty|increment|setIndex|UpdateLayoutConfig"
)
"""Macros of layout, legends, looks, properties and numbers."""
_BY_KIND = frozenset({"UpdateElementStyle", "UpdateRelStyle"})
"""Macros that paint all elements of a kind."""
_DIRECTIONS = {"LAYOUT_LEFT_RIGHT": "LR", "LAYOUT_LANDSCAPE": "LR", "LAYOUT_TOP_DOWN": "TB"}
_MOST_JOINED = 40  # lines of a call


@dataclass(slots=True)
class _Reader:
    sheet: PumlSheet
    chart: C4Chart

    def statement(self, line: PumlLine) -> None:
        if line.text == "}":
            if not self.chart.close():
                raise LineNotUnderstood("there is no boundary to close")
            return
        text = self._joined(line)
        cursor = Cursor(text)
        call = take_call(cursor)
        if call is None:
            raise LineNotUnderstood
        rest = text[cursor.at :].strip()
        if rest not in {"", "{", "{}"} or not self._take(call, line.place):
            raise LineNotUnderstood
        if call.macro in BOUNDARIES and rest != "{":
            self.chart.close()

    def _joined(self, line: PumlLine) -> str:
        """The text of a call, joined with further lines up to the closing parenthesis."""
        text = line.text
        for _ in range(_MOST_JOINED):
            if "(" not in text or text.count("(") <= text.count(")") or text.endswith(")"):
                break
            more = self.sheet.script.next()
            if more is None:
                break
            text = f"{text} {more.text}"
        return text

    def _take(self, call: MacroCall, place: Place) -> bool:
        """Carry out a call; False for an unknown macro."""
        if call.macro not in _BY_KIND and self.chart.take(call, place):
            return True
        self.sheet.direction = _DIRECTIONS.get(call.macro, self.sheet.direction)
        return _ARRANGING.fullmatch(call.macro) is not None


def parse(sheet: PumlSheet) -> tuple[C4Chart, PumlSheet]:
    """The chart of a C4 diagram, and its title and direction."""
    is_numbered = any(line.text.startswith("!") and "Dynamic" in line.text for line in sheet.script.lines)
    chart = C4Chart(sheet.losses, sheet.most, lambda text: sheet.words.plain(text, Place(1)), is_numbered)
    read_lines(sheet, _Reader(sheet, chart).statement, "a C4 diagram")
    chart.finish()
    return chart, sheet


def draw(drawn: tuple[C4Chart, PumlSheet], assembly: Assembly) -> JsonObject:
    """The document of a chart."""
    chart, sheet = drawn
    return chart.draw(assembly, sheet.title, sheet.direction or "TB")


class _Kind(NamedTuple):
    """A kind of diagram: a name, a grammar to a chart, and a drawing from the chart to a document."""

    name: str
    parse: Callable[[PumlSheet], Any]
    draw: Callable[[Any, Assembly], JsonObject]


_KINDS: Sequence[_Kind] = (
    _Kind("a sequence diagram", sequence.parse, sequence.draw),
    _Kind("a class or component diagram", structure.parse, structure.draw),
    _Kind("a state diagram", states.parse, states.draw),
    _Kind("an activity diagram", activity.parse, activity.draw),
    _Kind("a C4 diagram", parse, draw),
)
"""In the order of PlantUML."""
_READ = frozenset({"uml", "c4"})
UNREAD = {
    "board": "a board",
    "bpm": "a BPM diagram",
    "chart": "a chart",
    "chen": "a Chen diagram",
    "chronology": "a chronology",
    "creole": "a text",
    "ditaa": "a drawing of ditaa",
    "dot": "a DOT graph",
    "ebnf": "a diagram of EBNF",
    "files": "a tree of files",
    "flow": "a flow diagram",
    "gantt": "a Gantt chart",
    "git": "a Git graph",
    "hcl": "a picture of HCL",
    "jcckit": "a chart",
    "json": "a picture of JSON",
    "latex": "a formula",
    "math": "a formula",
    "mindmap": "a mind map",
    "nwdiag": "a network diagram",
    "packet": "a packet diagram",
    "pie": "a pie chart",
    "project": "a Gantt chart",
    "regex": "a diagram of a regular expression",
    "salt": "a wireframe",
    "tree": "a tree",
    "wbs": "a work breakdown structure",
    "wire": "a wire diagram",
    "yaml": "a picture of YAML",
}
"""PumlWords after `@start` of diagrams that are not read, and their names."""
_OPENED = re.compile(
    r"\A(?:\s|\ufeff|'[^\n]*+\n|/'(?:(?!'/)[\s\S])*+'/|(?:!|\#|//)[^\n]*+\n|<!--(?:(?!-->)[\s\S])*+-->)*+"
    r"@start(?P<kind>[a-z0-9]+)\b",
    re.IGNORECASE,
)
"""The first line of a diagram, after remarks and definitions."""


def recognizes(text: str) -> bool:
    """Whether a text begins with `@startuml` or its like."""
    found = _OPENED.match(text)
    return found is not None and (found["kind"].lower() in _READ or found["kind"].lower() in UNREAD)


def read(source: Source, losses: Losses) -> JsonObject:
    """The document of a diagram. Raises Unreadable for an unknown kind, or if no part is understood; TooLarge."""
    block = _chosen(source, losses)
    lines = preprocess(block.lines, losses)
    if not lines:
        raise Unreadable(losses.first or Place(block.number, 1), "a statement of PlantUML, such as A -> B: text")
    _refuse_odd_kinds(lines)
    kind = _kind_of(lines, source.most_elements)
    sheet = PumlSheet(PumlScript(lines, source.most_elements), losses, source.most_elements)
    chart = kind.parse(sheet)
    document = kind.draw(chart, Assembly("plantuml", source))
    if not document["elements"]:
        raise Unreadable(losses.first or lines[0].place, f"a statement of {kind.name}")
    return document


def _chosen(source: Source, losses: Losses) -> PumlBlock:
    """The diagram of the wished page, else the first readable diagram. The rest is reported."""
    found = blocks(source.text)
    readable = [block for block in found if block.kind in _READ]
    if source.page is not None:
        if not 1 <= source.page <= len(found):
            hint = f"The source has {len(found)} diagram{'s' if len(found) != 1 else ''}."
            raise Unreadable(Place(1), "the number of a diagram as its page", hint)
        chosen = found[source.page - 1]
    else:
        chosen = readable[0] if readable else found[0]
    if chosen.kind not in _READ:
        name = UNREAD.get(chosen.kind, f"a diagram of the kind {shown(chosen.kind)}")
        hint = f"It looks like {name} of PlantUML, which has no form in a scene. Draw it with PlantUML itself."
        raise Formless(Place(chosen.number, 1), "@startuml", hint)
    for number, other in enumerate(found, 1):
        if other is not chosen:
            named = f" {shown(other.name)}" if other.name else ""
            told = f"another diagram of the same source{named}: it is page {number}"
            losses.formless(Place(other.number), told)
    return chosen


class _Wrong(Exception):  # noqa: N818 - an answer
    """A line outside of a grammar."""


class _Trial(Losses):
    """The losses of a trial. The first line without a meaning ends the trial."""

    def unread(self, place: Place, what: str) -> None:
        raise _Wrong(what)


_ODD_KINDS = (
    (re.compile(r"(?:robust|concise|clock|binary|analog)[ \t]", re.IGNORECASE), "a timing diagram"),
    (re.compile(r"(?:nwdiag|packetdiag|rackdiag)\b", re.IGNORECASE), "a network diagram"),
    (re.compile(r"salt\b[ \t]*\{?", re.IGNORECASE), "a wireframe"),
    (re.compile(r"(?:strict[ \t]+)?(?:di)?graph\b[^\n{]*\{", re.IGNORECASE), "a DOT graph"),
    (
        re.compile(
            r"(?:list(?:open_?iconic|fonts|sprites)|version|license|testdot|help|stdlib|colors|sudoku|ditaa|about)\b"
        ),
        "a page",
    ),
)
"""First lines of diagrams between `@startuml` and `@enduml` that are not read, and the names of their kinds."""


def _refuse_odd_kinds(lines: Sequence[PumlLine]) -> None:
    """Raise Formless for a diagram without a form in scenes."""
    old = next((line for line in lines if line.text.startswith("(*)")), None)
    if old is not None:
        hint = "It looks like an activity diagram of the older syntax. Write it with start, :action; and if (…) then."
        raise Formless(old.place, "a statement of a diagram, such as A -> B: text", hint)
    for pattern, name in _ODD_KINDS:
        if pattern.match(lines[0].text):
            hint = f"It looks like {name} of PlantUML, which has no form in a scene. Draw it with PlantUML itself."
            if "DOT" in name:
                hint = "It looks like DOT. Give its lines as a source of the format graphviz."
            raise Formless(lines[0].place, "a statement of a diagram, such as A -> B: text", hint)


class _Count(Losses):
    """The losses of a trial with fewer than `most` parts left unread."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most_unread = most

    def unread(self, place: Place, what: str) -> None:
        super().unread(place, what)
        if self.unread_parts >= self._most_unread:
            raise _Wrong(what)


def _kind_of(lines: Sequence[PumlLine], most: int) -> _Kind:
    """The first kind with a grammar for all lines, else the kind with the fewest lines left unread."""
    for kind in _KINDS:
        try:
            kind.parse(PumlSheet(PumlScript(lines, most), _Trial(), most))
        except _Wrong:
            continue
        return kind
    best, fewest = _KINDS[0], len(lines) + 1
    for kind in _KINDS:
        losses = _Count(fewest)
        try:
            kind.parse(PumlSheet(PumlScript(lines, most), losses, most))
        except _Wrong:
            continue
        best, fewest = kind, losses.unread_parts
    return best
