"""Mind maps: a tree by indentation, whose branches are lines without heads."""

from __future__ import annotations

import re

from scenograph.reading.losses import Losses, Place
from scenograph.reading.mermaid.diagram import Diagram, NotUnderstood, read_all
from scenograph.reading.mermaid.flowchart.document import document_of
from scenograph.reading.mermaid.flowchart.model import Flowchart, FlowchartLink
from scenograph.reading.mermaid.labels import quoted
from scenograph.reading.source import shown
from scenograph.scene.json_values import JsonObject

_ICON = re.compile(r"::icon\(([^)\n]*)\)[^\n]*")
_CLASS = re.compile(r":::([^\n]*)")
_ID = re.compile(r"[^(\[\n){}]+")
_LONGEST_LABEL = 4_000
# Opening and closing marks, longer ones first, and the name of the shape in SHAPES.
_BRACKETS = (
    ("((", "))", "circle"),
    ("(-", "-)", "cloud"),
    ("-)", "(-", "cloud"),
    ("{{", "}}", "hexagon"),
    ("))", "((", "bang"),
    (")", "(", "cloud"),
    ("(", ")", "round"),
    ("[", "]", "square"),
)
_PLAIN = "round"


class _Reader:
    def __init__(self, diagram: Diagram, losses: Losses) -> None:
        self._cursor = diagram.cursor
        self._losses = losses
        self._open: list[tuple[int, str]] = []
        self._uses: dict[str, int] = {}
        self.chart = Flowchart(losses, diagram.source.most_elements, "LR", diagram.title)

    def statement(self, place: Place) -> None:
        """A node, or an icon or a class of the node before."""
        cursor = self._cursor
        if (icon := _ICON.match(cursor.text, cursor.at)) is not None:
            cursor.at = icon.end()
            self._losses.formless(place, f"the icon {shown(icon[1])} is of an icon font")
        elif (classed := _CLASS.match(cursor.text, cursor.at)) is not None:
            cursor.at = classed.end()
            self._losses.formless(place, f"the class {shown(classed[1].strip())} is defined by the page of the diagram")
        else:
            self._take_node(cursor.at - cursor.text.rfind("\n", 0, cursor.at), place)

    def _take_node(self, level: int, place: Place) -> None:
        """A node, below the nearest node before it with less indentation."""
        name, text, shape = self._said()
        self._uses[name] = count = self._uses.get(name, 0) + 1
        vertex = self.chart.vertex(name if count == 1 else f"{name}#{count}", place)
        vertex.text, vertex.shape = text, shape
        while self._open and self._open[-1][0] >= level:
            self._open.pop()
        if self._open:
            self.chart.connect(FlowchartLink(self._open[-1][1], vertex.name, "normal", "none", "none"))
        self._open.append((level, vertex.name))

    def _said(self) -> tuple[str, str, str]:
        """Pass a node; name, text and shape."""
        cursor = self._cursor
        start, found = cursor.at, _ID.match(cursor.text, cursor.at)
        name = found[0].strip() if found else ""
        cursor.at = found.end() if found else cursor.at
        bracket = next((row for row in _BRACKETS if cursor.at_mark(row[0])), None)
        if name and bracket is None:
            cursor.rest_of_line()
            return name, quoted(name), _PLAIN
        if bracket is None:
            raise NotUnderstood(start, f"{shown(cursor.text[start : cursor.line_end()])} is not a node of a mind map")
        opens, closes, shape = bracket
        cursor.at += len(opens)
        text = self._enclosed(closes)
        if text is None:
            raise NotUnderstood(start, f"the text after {opens} is not closed by {closes}")
        cursor.skip()
        if cursor.at_mark("%%"):
            cursor.rest_of_line()
        words = quoted(text)
        return name or words or "node", words, shape

    def _enclosed(self, closes: str) -> str | None:
        """Pass a text and its closing mark; the text with quotation marks, behind which any mark closes."""
        cursor = self._cursor
        cursor.skip(" \t\r\n")
        for opens, ends in (('"`', '`"'), ('"', '"')):
            if cursor.take(opens):
                text = cursor.until(ends, _LONGEST_LABEL)
                cursor.skip(" \t\r\n")
                is_closed = text is not None and any(cursor.take(row[1]) for row in _BRACKETS)
                return f"{opens}{text}{ends}" if is_closed else None
        return cursor.until(closes, _LONGEST_LABEL)


def read(diagram: Diagram, losses: Losses) -> JsonObject:
    """The document of a mind map."""
    reader = _Reader(diagram, losses)
    read_all(diagram, losses, reader.statement)
    return document_of(reader.chart, diagram.source, family="architecture")
