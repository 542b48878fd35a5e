"""C4 diagrams: calls of the macros of C4-PlantUML, whose files are not read, and boundaries in braces."""

from __future__ import annotations

import re

from scenograph.late_dataclasses import dataclass
from scenograph.reading.assembly import Assembly
from scenograph.reading.c4 import BOUNDARIES, C4Chart, MacroCall, take_call
from scenograph.reading.losses import Place
from scenograph.reading.plantuml.script import PumlLine
from scenograph.reading.plantuml.sheet import LineNotUnderstood, PumlSheet, read_lines
from scenograph.reading.source import Cursor
from scenograph.scene.json_values import JsonObject

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
