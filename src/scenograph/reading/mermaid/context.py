"""C4 diagrams: calls of macros, boundaries in braces, and remarks on styles and layout."""

from __future__ import annotations

import re

from scenograph.reading.assembly import Assembly
from scenograph.reading.c4 import BOUNDARIES, C4Chart, take_call
from scenograph.reading.losses import Losses, Place
from scenograph.reading.mermaid.diagram import DIRECTIONS, Diagram, NotUnderstood, read_all, skip_description
from scenograph.reading.mermaid.labels import plain
from scenograph.reading.source import Cursor, shown
from scenograph.scene.json_values import JsonObject

_TITLE = re.compile(r"title[ \t]+([^\n#;]*)|accDescription[ \t][^\n]*")
_DIRECTION = re.compile(r"direction[ \t]+(TB|BT|LR|RL)\b[^\n]*")
_BRACE = re.compile(r"\s*\{")
_ARRANGING = frozenset({"UpdateLayoutConfig"})


class _Reader:
    def __init__(self, diagram: Diagram, losses: Losses, *, is_numbered: bool) -> None:
        self._cursor = diagram.cursor
        self.chart = C4Chart(losses, diagram.source.most_elements, plain, is_numbered)
        self.title = diagram.title
        self.direction = "TB"

    def statement(self, place: Place) -> None:
        """A title, a direction, the end of a boundary, or a call."""
        cursor = self._cursor
        if (title := _TITLE.match(cursor.text, cursor.at)) is not None:
            cursor.at = title.end()
            self.title = plain(title[1] or "") or self.title
        elif (direction := _DIRECTION.match(cursor.text, cursor.at)) is not None:
            cursor.at = direction.end()
            self.direction = DIRECTIONS[direction[1]]
        elif (described := skip_description(cursor)) is not None:
            self.title = self.title or described
        elif cursor.at_mark("}"):
            self._close(cursor)
        else:
            self._call(cursor, place)

    def _close(self, cursor: Cursor) -> None:
        if not self.chart.close():
            raise NotUnderstood(cursor.at, "there is no boundary to close")
        cursor.take("}")

    def _call(self, cursor: Cursor, place: Place) -> None:
        start = cursor.at
        call = take_call(cursor)
        if call is None or (call.macro not in _ARRANGING and not self.chart.take(call, place)):
            rest = cursor.text[start : cursor.line_end()]
            raise NotUnderstood(start, f"{shown(rest)} is not a statement of a C4 diagram")
        if call.macro in BOUNDARIES:
            brace = _BRACE.match(cursor.text, cursor.at)
            if brace is None:
                self.chart.close()
            else:
                cursor.at = brace.end()


def read(diagram: Diagram, losses: Losses) -> JsonObject:
    """The document of a C4 diagram."""
    return _read(diagram, losses, is_numbered=False)


def read_dynamic(diagram: Diagram, losses: Losses) -> JsonObject:
    """The document of a C4 diagram with numbered relationships."""
    return _read(diagram, losses, is_numbered=True)


def _read(diagram: Diagram, losses: Losses, *, is_numbered: bool) -> JsonObject:
    reader = _Reader(diagram, losses, is_numbered=is_numbered)
    read_all(diagram, losses, reader.statement)
    reader.chart.finish()
    return reader.chart.draw(Assembly("mermaid", diagram.source), reader.title, reader.direction)
