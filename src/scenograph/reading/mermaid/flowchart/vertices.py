"""The vertices of a flowchart: an id, a text in brackets that say the shape, properties, a class."""

from __future__ import annotations

from scenograph.reading.mermaid.diagram import NotUnderstood
from scenograph.reading.mermaid.flowchart.model import Flowchart, Vertex
from scenograph.reading.mermaid.flowchart.shapes import BRACKETS, SHAPES, Bracket
from scenograph.reading.mermaid.labels import quoted
from scenograph.reading.mermaid.shape_data import take_properties
from scenograph.reading.source import Cursor, shown

ICON_PREFIXES = ("aws:", "gcp:", "azure:", "lucide:")
_ENDS_ID = frozenset(' \t\r\n[](){}<>|~@;"^')
_OF_LINKS = frozenset({"animate", "animation", "curve"})
_LONGEST_ID = 500
_LONGEST_TEXT = 4_000
_QUOTES = ('"`', '`"'), ('"', '"')


def take_vertex(cursor: Cursor, chart: Flowchart) -> str:
    """Pass one vertex and note what it says; its name."""
    start = cursor.at
    name = _name(cursor)
    if not name:
        raise NotUnderstood(start, f"a node was expected, not {shown(cursor.text[start : start + 20])}")
    if cursor.at_mark("@{") and name not in chart.vertices:
        cursor.at += 1
        properties = take_properties(cursor)
        if name in chart.named_links or (properties and properties.keys() <= _OF_LINKS):
            return ""  # how a line is animated or bent: nothing that a scene says
        cursor.at = start + len(name)
    vertex = chart.vertex(name, cursor.place(start))
    _take_text(cursor, vertex, chart)
    if cursor.take(":::"):
        vertex.classes += [word for word in _name(cursor).split(",") if word]
    if cursor.at_mark("@{"):
        cursor.at += 1
        _apply(take_properties(cursor), vertex, chart)
    if cursor.take(":::"):
        vertex.classes += [word for word in _name(cursor).split(",") if word]
    chart.subgraphs.mention(name)
    return name


def _name(cursor: Cursor) -> str:
    text, start = cursor.text, cursor.at
    end = min(len(text), start + _LONGEST_ID)
    at = start
    while at < end and text[at] not in _ENDS_ID:
        mark, following = text[at], text[at + 1 : at + 2]
        if (mark == "-" and following in {"-", ">", "."}) or (mark == "=" and following == "="):
            break
        if text.startswith(":::", at):
            break
        at += 1
    cursor.at = at
    return text[start:at]


def _take_text(cursor: Cursor, vertex: Vertex, chart: Flowchart) -> None:
    bracket = next((row for row in BRACKETS if cursor.at_mark(row.opens)), None)
    if bracket is None:
        return
    start = cursor.at
    cursor.at += len(bracket.opens)
    if bracket.opens == "[" and cursor.take("|"):
        cursor.until("|", _LONGEST_TEXT)
    text, shape = _enclosed(cursor, bracket, start)
    vertex.text, vertex.shape = quoted(text), shape


def _enclosed(cursor: Cursor, bracket: Bracket, start: int) -> tuple[str, str]:
    """The text up to what closes the bracket, and the shape that both say."""
    cursor.skip(" \t\r\n")
    for opens, closes in _QUOTES:
        if cursor.take(opens):
            passed = cursor.until(closes, _LONGEST_TEXT)
            cursor.skip(" \t\r\n")
            shape = next((shape for mark, shape in bracket.closes.items() if cursor.take(mark)), None)
            if passed is None or shape is None:
                raise NotUnderstood(start, _unclosed(bracket))
            return f"{opens}{passed}{closes}", shape
    ends = [(cursor.text.find(mark, cursor.at, cursor.at + _LONGEST_TEXT), mark) for mark in bracket.closes]
    found = min(((at, mark) for at, mark in ends if at >= 0), default=None)
    if found is None:
        raise NotUnderstood(start, _unclosed(bracket))
    at, mark = _outermost(cursor, bracket, *found)
    text = cursor.text[cursor.at : at]
    if "\n" in text and any(sign in text for sign in "[](){}|"):
        raise NotUnderstood(start, _unclosed(bracket))
    cursor.at = at + len(mark)
    return text, bracket.closes[mark]


def _outermost(cursor: Cursor, bracket: Bracket, at: int, mark: str) -> tuple[int, str]:
    """Where the text ends that may itself hold pairs of the bracket, on its own line."""
    opens = bracket.opens[-1]
    if len(mark) > 1 or opens not in "[({":
        return at, mark
    depth = cursor.text.count(opens, cursor.at, at)
    line_end = cursor.line_end()
    while depth > 0:
        following = cursor.text.find(mark, at + 1, line_end)
        if following < 0:
            break
        depth += cursor.text.count(opens, at, following) - 1
        at = following
    return at, mark


def _unclosed(bracket: Bracket) -> str:
    return f"the text after {bracket.opens} is not closed by {' or '.join(bracket.closes)}"


def _apply(properties: dict[str, str], vertex: Vertex, chart: Flowchart) -> None:
    """What the properties of a vertex say. Texts win over those in brackets."""
    shape = properties.get("shape", "")
    if shape in SHAPES:
        vertex.shape = shape
    elif shape:
        chart.losses.formless(vertex.place, f"there is no shape {shown(shape)}")
    if "label" in properties:
        vertex.text = quoted(properties["label"])
    icon = properties.get("icon", "")
    if icon.startswith(ICON_PREFIXES):
        vertex.icon = icon
    elif icon:
        chart.losses.formless(vertex.place, f"the icon {shown(icon)} is of another registry")
    if "img" in properties:
        chart.losses.formless(vertex.place, "pictures are not fetched")
    if (icon or "img" in properties) and vertex.text is None:
        vertex.text = ""
