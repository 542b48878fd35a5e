"""Block diagrams: a flowchart whose blocks stand in the columns of a grid."""

from __future__ import annotations

import re

from scenograph.reading.losses import Losses, Place
from scenograph.reading.mermaid.diagram import Diagram, NotUnderstood, read_all, skip_description
from scenograph.reading.mermaid.flowchart.document import document_of
from scenograph.reading.mermaid.flowchart.model import Flowchart, FlowchartLink, Vertex
from scenograph.reading.mermaid.flowchart.statements import KEYWORDS, comes_line, take_line, take_text
from scenograph.reading.mermaid.labels import quoted
from scenograph.reading.mermaid.subgraphs import FrameStatement
from scenograph.reading.source import shown
from scenograph.scene.json_values import JsonObject

_ID = re.compile(r"[^(\[\n\-){}\s<>:=]+")
_SIZE = re.compile(r":(\d{1,4})")
_COLUMNS = re.compile(r"columns[ \t]+(auto|\d{1,4})(?=\s|;|$)")
_SPACE = re.compile(r"space(?::\d{1,4})?(?=[\s;]|$)")
_BLOCK = re.compile(r"block(?=[\s;:]|$)(?P<named>:)?")
_END = re.compile(r"end(?=[\s;]|$)")
_LOOKS = re.compile(r"(classDef|class|style)[ \t]+")
_ARROW = re.compile(r"<\[\s*(?P<text>\"[^\"]*\")\s*\]>\s*\((?P<ways>[^)\n]*)\)")
_WAYS = {"right": "→", "left": "←", "up": "↑", "down": "↓", "x": "↔", "y": "↕"}
_MOST_COLUMNS = 100
_SPACES = "spaces and widths in columns are left to the layout"


class _Reader:
    def __init__(self, diagram: Diagram, losses: Losses) -> None:
        self._cursor = diagram.cursor
        self._losses = losses
        self.chart = Flowchart(losses, diagram.source.most_elements, title=diagram.title)
        self._columns: dict[str, int] = {}
        self._counts: dict[str, int] = {}
        self._is_told = False

    def statement(self, place: Place) -> None:
        """A setting, the begin or the end of a block, or blocks with lines between them."""
        cursor = self._cursor
        text, at = cursor.text, cursor.at
        if (columns := _COLUMNS.match(text, at)) is not None:
            cursor.at = columns.end()
            self._columns[self._home()] = 0 if columns[1] == "auto" else min(int(columns[1]), _MOST_COLUMNS)
        elif (space := _SPACE.match(text, at)) is not None:
            cursor.at = space.end()
            self._tell_spaces(place)
        elif (block := _BLOCK.match(text, at)) is not None:
            cursor.at = block.end()
            self._begin(place, is_named=block["named"] is not None)
        elif (end := _END.match(text, at)) is not None:
            self._finish(end)
        elif (looks := _LOOKS.match(text, at)) is not None:
            cursor.at = looks.end()
            KEYWORDS[looks[1]](cursor, self.chart)
        elif (title := skip_description(cursor)) is not None:
            self.chart.title = self.chart.title or title
        else:
            self._chain()

    def finish(self) -> None:
        """Report blocks that are still open; the columns of all."""
        for frame in self.chart.subgraphs.open:
            self._losses.unread(frame.place, f"the block {shown(frame.name)} has no end")
        for name, frame in self.chart.subgraphs.rows.items():
            frame.columns = self._columns.get(name, 0) or min(self._counts.get(name, 0), _MOST_COLUMNS)
        columns = self._columns.get("", 0) or min(self._counts.get("", 0), _MOST_COLUMNS)
        self.chart.strategy = {"algorithm": "grid", "columns": max(1, columns)}

    def _home(self) -> str:
        frames = self.chart.subgraphs.open
        return frames[-1].name if frames else ""

    def _house(self, name: str) -> None:
        """A new block or group of blocks stands in the innermost open one."""
        subgraphs = self.chart.subgraphs
        self._counts[self._home()] = self._counts.get(self._home(), 0) + 1
        if subgraphs.open:
            subgraphs.homes[name] = subgraphs.open[-1]

    def _tell_spaces(self, place: Place) -> None:
        if not self._is_told:
            self._is_told = True
            self._losses.formless(place, _SPACES)

    def _begin(self, place: Place, *, is_named: bool) -> None:
        cursor, subgraphs = self._cursor, self.chart.subgraphs
        found = _ID.match(cursor.text, cursor.at) if is_named else None
        name = found[0] if found else f"block {len(subgraphs.rows) + 1}"
        said = Vertex(name, place)
        if found:
            cursor.at = found.end()
            take_text(cursor, said)
        self._take_size(place)
        if name not in subgraphs.rows:
            self.chart.count()
            if name not in self.chart.vertices:
                self._house(name)
            parent = subgraphs.homes.get(name)
            subgraphs.rows[name] = FrameStatement(name, said.text or "", place, parent)
        subgraphs.open.append(subgraphs.rows[name])

    def _finish(self, found: re.Match[str]) -> None:
        if not self.chart.subgraphs.open:
            raise NotUnderstood(found.end(), "there is no block to end")
        self._cursor.at = found.end()
        self.chart.subgraphs.open.pop()

    def _take_size(self, place: Place) -> None:
        if (size := _SIZE.match(self._cursor.text, self._cursor.at)) is not None:
            self._cursor.at = size.end()
            if size[1] != "1":
                self._tell_spaces(place)

    def _chain(self) -> None:
        source = self._block()
        while comes_line(self._cursor):
            line = take_line(self._cursor)
            self._cursor.skip(" \t\r\n")
            target = self._block()
            self.chart.connect(FlowchartLink(source, target, line.stroke, line.start, line.end, line.text))
            source = target

    def _block(self) -> str:
        cursor = self._cursor
        found = _ID.match(cursor.text, cursor.at)
        if found is None:
            raise NotUnderstood(cursor.at, f"{shown(cursor.text[cursor.at : cursor.line_end()])} is not a block")
        name, place = found[0], cursor.place()
        if name not in self.chart.vertices and name not in self.chart.subgraphs.rows:
            self._house(name)
        vertex = self.chart.vertex(name, place)
        cursor.at = found.end()
        if (arrow := _ARROW.match(cursor.text, cursor.at)) is not None:
            cursor.at = arrow.end()
            ways = "".join(_WAYS.get(word.strip(), "") for word in arrow["ways"].split(","))
            vertex.text, vertex.shape = f"{quoted(arrow['text'])} {ways}".strip(), "block_arrow"
        else:
            take_text(cursor, vertex)
        self._take_size(place)
        return name


def read(diagram: Diagram, losses: Losses) -> JsonObject:
    """The document of a block diagram."""
    reader = _Reader(diagram, losses)
    read_all(diagram, losses, reader.statement)
    reader.finish()
    return document_of(reader.chart, diagram.source, family="architecture")
