"""The lines of a flowchart: `-->`, `---`, `-.->`, `==>`, `~~~` and their forms with a text or other ends.

A line without a text is one token; with one it is an opening token, the text, and a closing token.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from scenograph.reading.mermaid.diagram import NotUnderstood
from scenograph.reading.mermaid.labels import quoted
from scenograph.reading.source import Cursor

_ARROWS = {"<": "triangle", ">": "triangle", "x": "bar", "o": "circle"}
_NAME = re.compile(r"([^\s\"@{}\[\]()|]{1,200})@(?=[<xo]?[-=.~])")


class _Stroke(NamedTuple):
    name: str
    whole: re.Pattern[str]
    opening: re.Pattern[str]
    closing: re.Pattern[str]


_STROKES = (
    _Stroke("dotted", *map(re.compile, (r"[xo<]?-?\.+-[xo>]?", r"[xo<]?-\.", r"-?\.+-[xo>]?"))),
    _Stroke("normal", *map(re.compile, (r"[xo<]?--+[-xo>]", r"[xo<]?--", r"--+[-xo>]"))),
    _Stroke("thick", *map(re.compile, (r"[xo<]?==+[=xo>]", r"[xo<]?==", r"==+[=xo>]"))),
)
_INVISIBLE = re.compile(r"~~~+")
_LONGEST_TEXT = 2_000


class Line(NamedTuple):
    """A line between two vertices."""

    stroke: str
    start: str
    end: str
    text: str = ""
    name: str = ""


def at_line(cursor: Cursor) -> bool:
    """Whether a line comes next."""
    text, at = cursor.text, cursor.at
    if cursor.peek() not in set("-=.~<xo") and "@" not in cursor.peek(200):
        return False
    named = _NAME.match(text, at)
    at = named.end() if named else at
    return _INVISIBLE.match(text, at) is not None or any(
        stroke.whole.match(text, at) or stroke.opening.match(text, at) for stroke in _STROKES
    )


def take_line(cursor: Cursor) -> Line:
    """Pass a line and its text. NotUnderstood when it does not end."""
    named = _NAME.match(cursor.text, cursor.at)
    if named:
        cursor.at = named.end()
    line = _bare_line(cursor)
    cursor.skip()
    if cursor.peek() == "|":
        line = line._replace(text=_between_bars(cursor))
    return line._replace(name=named[1] if named else "")


def _bare_line(cursor: Cursor) -> Line:
    text = cursor.text
    if invisible := _INVISIBLE.match(text, cursor.at):
        cursor.at = invisible.end()
        return Line("invisible", "none", "none")
    for stroke in _STROKES:
        if whole := stroke.whole.match(text, cursor.at):
            cursor.at = whole.end()
            return Line(stroke.name, _arrow(whole[0][0]), _arrow(whole[0][-1]))
        if opening := stroke.opening.match(text, cursor.at):
            return _with_text(cursor, stroke, opening)
    raise NotUnderstood(cursor.at, "a line was expected")


def _with_text(cursor: Cursor, stroke: _Stroke, opening: re.Match[str]) -> Line:
    at = opening.end()
    cursor.at = at
    cursor.skip()
    if cursor.take('"') and (passed := cursor.until('"', _LONGEST_TEXT)) is not None:
        label, searched = f'"{passed}"', cursor.at
    else:
        label, searched = None, at
    closing = stroke.closing.search(cursor.text, searched, min(len(cursor.text), searched + _LONGEST_TEXT))
    if closing is None or cursor.text.count("\n", searched, closing.start()) > 1:
        raise NotUnderstood(opening.start(), f"the line {opening[0]!r} has no end")
    cursor.at = closing.end()
    shown = cursor.text[at : closing.start()] if label is None else label
    return Line(stroke.name, _arrow(opening[0][0]), _arrow(closing[0][-1]), quoted(shown))


def _between_bars(cursor: Cursor) -> str:
    start = cursor.at
    cursor.at += 1
    cursor.skip()
    if cursor.take('"'):
        passed = cursor.until('"', _LONGEST_TEXT)
        cursor.skip()
        if passed is None or not cursor.take("|"):
            raise NotUnderstood(start, "the text of a line is not closed by |")
        return quoted(f'"{passed}"')
    passed = cursor.until("|", _LONGEST_TEXT)
    if passed is None:
        raise NotUnderstood(start, "the text of a line is not closed by |")
    return quoted(passed)


def _arrow(mark: str) -> str:
    return _ARROWS.get(mark, "none")
