"""The statements of a flowchart. An ungrammatical statement costs only its line, and is reported."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from scenograph.reading.losses import TooLarge
from scenograph.reading.mermaid.diagram import (
    DIRECTIONS,
    NotUnderstood,
    link_of,
    skip_description,
    statement_starts,
    style_of,
    take_properties,
)
from scenograph.reading.mermaid.flowchart.model import Flowchart, FlowchartLink, Vertex
from scenograph.reading.mermaid.flowchart.shapes import BRACKETS, SHAPES, Bracket
from scenograph.reading.mermaid.labels import quoted
from scenograph.reading.source import Cursor, shown

# The lines of a flowchart: `-->`, `---`, `-.->`, `==>`, `~~~` and their forms with a text or other ends. A line
# without a text is a single token; with a text an opening token, the text, and a closing token.


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


class VertexLine(NamedTuple):
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


def take_line(cursor: Cursor) -> VertexLine:
    """Pass a line and its text. Raises NotUnderstood for an unclosed line."""
    named = _NAME.match(cursor.text, cursor.at)
    if named:
        cursor.at = named.end()
    line = _bare_line(cursor)
    cursor.skip()
    if cursor.peek() == "|":
        line = line._replace(text=_between_bars(cursor))
    return line._replace(name=named[1] if named else "")


def _bare_line(cursor: Cursor) -> VertexLine:
    text = cursor.text
    if invisible := _INVISIBLE.match(text, cursor.at):
        cursor.at = invisible.end()
        return VertexLine("invisible", "none", "none")
    for stroke in _STROKES:
        if whole := stroke.whole.match(text, cursor.at):
            cursor.at = whole.end()
            return VertexLine(stroke.name, _arrow(whole[0][0]), _arrow(whole[0][-1]))
        if opening := stroke.opening.match(text, cursor.at):
            return _with_text(cursor, stroke, opening)
    raise NotUnderstood(cursor.at, "an arrow was expected, such as -->")


def _with_text(cursor: Cursor, stroke: _Stroke, opening: re.Match[str]) -> VertexLine:
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
    return VertexLine(stroke.name, _arrow(opening[0][0]), _arrow(closing[0][-1]), quoted(shown))


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


# The vertices of a flowchart: an id, a text in brackets that determine the shape, properties, a class.


ICON_PREFIXES = ("aws:", "gcp:", "azure:", "lucide:")
_ENDS_ID = frozenset(' \t\r\n[](){}<>|~@;"^')
_OF_LINKS = frozenset({"animate", "animation", "curve"})
_LONGEST_ID = 500
_LONGEST_LABEL = 4_000
_QUOTES = ('"`', '`"'), ('"', '"')


def take_vertex(cursor: Cursor, chart: Flowchart) -> str:
    """Pass a vertex and note the properties; the vertex name."""
    start = cursor.at
    name = _name(cursor)
    if not name:
        raise NotUnderstood(start, f"a node was expected, not {shown(cursor.text[start : start + 20])}")
    if cursor.at_mark("@{") and name not in chart.vertices:
        cursor.at += 1
        properties = take_properties(cursor)
        if name in chart.named_links or (properties and properties.keys() <= _OF_LINKS):
            return ""  # animation or curvature of a line, which has no form in a scene
        cursor.at = start + len(name)
    vertex = chart.vertex(name, cursor.place(start))
    take_text(cursor, vertex)
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


def take_text(cursor: Cursor, vertex: Vertex) -> None:
    """Pass a text in brackets, if next, which gives a vertex its text and shape. Raises NotUnderstood if unclosed."""
    bracket = next((row for row in BRACKETS if cursor.at_mark(row.opens)), None)
    if bracket is None:
        return
    start = cursor.at
    cursor.at += len(bracket.opens)
    if bracket.opens == "[" and cursor.take("|"):
        cursor.until("|", _LONGEST_LABEL)
    text, shape = _enclosed(cursor, bracket, start)
    vertex.text, vertex.shape = quoted(text), shape


def _enclosed(cursor: Cursor, bracket: Bracket, start: int) -> tuple[str, str]:
    """The text up to the closing bracket, and the shape of both brackets."""
    cursor.skip(" \t\r\n")
    for opens, closes in _QUOTES:
        if cursor.take(opens):
            passed = cursor.until(closes, _LONGEST_LABEL)
            cursor.skip(" \t\r\n")
            shape = next((shape for mark, shape in bracket.closes.items() if cursor.take(mark)), None)
            if passed is None or shape is None:
                raise NotUnderstood(start, _unclosed(bracket))
            return f"{opens}{passed}{closes}", shape
    ends = [(cursor.text.find(mark, cursor.at, cursor.at + _LONGEST_LABEL), mark) for mark in bracket.closes]
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
    """The end of a text with nested pairs of the bracket, within its line."""
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
    """Apply the properties of a vertex. Their texts override those in brackets."""
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


_BETWEEN = " \t\r\n;"
_WORD_AND_REST = re.compile(r"(\S+)[ \t]+(.*)")
_TOLD = r'(?:[ \t]+"(?P<{}>[^"]{{0,2000}})")?'
_CLICK = re.compile(
    r"(?P<name>\S+)[ \t]+(?:(?P<call>call[ \t][^\n]*)"
    rf"""|(?:href[ \t]+)?"(?P<address>[^"]{{0,4000}})"{_TOLD.format("title")}"""
    rf"""|(?P<callback>[\w.-]+){_TOLD.format("tooltip")})[^\n;]*"""
)
_INTERPOLATE = re.compile(r"interpolate[ \t]+\S+[ \t]*")


def take_direction(cursor: Cursor) -> str:
    """Pass the direction after a chart's keyword; TB if absent."""
    cursor.skip(" \t\r")
    for word, direction in (*DIRECTIONS.items(), ("v", "TB")):
        if cursor.at_mark(word) and cursor.text[cursor.at + len(word) : cursor.at + len(word) + 1] in _BETWEEN:
            cursor.at += len(word)
            return direction
    return "TB"


def read_statements(cursor: Cursor, chart: Flowchart) -> None:
    """Read all statements to the end of the text."""
    for _ in statement_starts(cursor, chart.losses, chart.most):
        start = cursor.at
        try:
            _read_statement(cursor, chart)
            _expect_end(cursor)
        except NotUnderstood as wrong:
            chart.losses.unread(cursor.place(wrong.at), wrong.what)
            found = cursor.text.find("\n", start)
            line_end = len(cursor.text) if found < 0 else found
            cursor.at = max(start, min(cursor.at, line_end))
            cursor.rest_of_line()
    chart.subgraphs.finish_all(chart.losses)


def _read_statement(cursor: Cursor, chart: Flowchart) -> None:
    word = cursor.word()
    following = cursor.text[cursor.at + len(word) : cursor.at + len(word) + 1]
    keyword = KEYWORDS.get(word) if following in {"", *_BETWEEN} else None
    if keyword is not None:
        cursor.at += len(word)
        cursor.skip()
        keyword(cursor, chart)
    elif (title := skip_description(cursor)) is not None:
        chart.title = chart.title or title
    else:
        _read_chain(cursor, chart)


def _expect_end(cursor: Cursor) -> None:
    cursor.skip()
    if cursor.at_mark("%%"):
        cursor.rest_of_line()
    if not cursor.done and cursor.peek() not in "\n;":
        raise NotUnderstood(cursor.at, f"{shown(cursor.text[cursor.at : cursor.line_end()])} was not expected here")


def _read_chain(cursor: Cursor, chart: Flowchart) -> None:
    """Vertices joined by `&`, and lines between them: `a & b --> c --> d`."""
    sources = _read_vertices(cursor, chart)
    while comes_line(cursor):
        line = take_line(cursor)
        cursor.skip(" \t\r\n")
        targets = _read_vertices(cursor, chart)
        for source in sources:
            for target in targets:
                named = line.name if source == sources[-1] and target == targets[0] else ""
                chart.connect(FlowchartLink(source, target, line.stroke, line.start, line.end, line.text, named))
        sources = targets


def comes_line(cursor: Cursor) -> bool:
    """Whether a line comes next, on this or a following line of the text; if so, move to it."""
    start = cursor.at
    cursor.skip(" \t\r\n")
    if at_line(cursor) and (cursor.at > start or cursor.peek() not in "xo"):
        return True
    cursor.at = start
    return False


def _read_vertices(cursor: Cursor, chart: Flowchart) -> list[str]:
    names = [take_vertex(cursor, chart)]
    while True:
        start = cursor.at
        cursor.skip()
        if not cursor.take("&"):
            cursor.at = start
            return [name for name in names if name]
        if len(names) >= chart.most:
            raise TooLarge(chart.most)
        cursor.skip(" \t\r\n")
        names.append(take_vertex(cursor, chart))


def _subgraph(cursor: Cursor, chart: Flowchart) -> None:
    chart.begin(cursor)


def _end(cursor: Cursor, chart: Flowchart) -> None:
    if not chart.subgraphs.open:
        raise NotUnderstood(cursor.at, "there is no subgraph to end")
    chart.subgraphs.finish()


def _direction(cursor: Cursor, chart: Flowchart) -> None:
    word = cursor.word()
    cursor.at += len(word)
    if word not in DIRECTIONS:
        raise NotUnderstood(cursor.at, f"{shown(word)} is not a direction")
    if chart.subgraphs.open:
        chart.subgraphs.open[-1].direction = DIRECTIONS[word]
    else:
        chart.direction = DIRECTIONS[word]


def _word_and_rest(cursor: Cursor) -> tuple[str, str]:
    start = cursor.at
    found = _WORD_AND_REST.fullmatch(cursor.rest_of_line().strip().rstrip(";"))
    if found is None:
        raise NotUnderstood(start, "a name and what is said of it were expected")
    return found[1], found[2].strip()


def _style(cursor: Cursor, chart: Flowchart) -> None:
    place = cursor.place()
    names, declarations = _word_and_rest(cursor)
    style = style_of(declarations, place, chart.losses)
    for name in names.split(","):
        owner = chart.subgraphs.rows.get(name) or chart.vertex(name, place)
        owner.style |= style


def _class_def(cursor: Cursor, chart: Flowchart) -> None:
    place = cursor.place()
    names, declarations = _word_and_rest(cursor)
    style = style_of(declarations, place, chart.losses)
    for name in names.split(","):
        chart.class_styles[name] = chart.class_styles.get(name, {}) | style


def _class(cursor: Cursor, chart: Flowchart) -> None:
    place = cursor.place()
    words = cursor.rest_of_line().strip().rstrip(";").replace(", ", ",").split()
    if len(words) < 2:
        raise NotUnderstood(cursor.at, "names and a class were expected")
    for name in words[0].split(","):
        owner = chart.vertices.get(name) or chart.subgraphs.rows.get(name) or chart.named_links.get(name)
        if owner is None:
            chart.losses.formless(place, f"there is no node {shown(name)} to give the class {shown(words[1])}")
        else:
            owner.classes += words[1].split(",")


def _click(cursor: Cursor, chart: Flowchart) -> None:
    place = cursor.place()
    found = _CLICK.match(cursor.text, cursor.at)
    if found is None:
        raise NotUnderstood(cursor.at, 'a click was expected, such as: click NODE href "https://…"')
    cursor.at = found.end()
    vertex = chart.vertices.get(found["name"])
    if vertex is None:
        chart.losses.formless(place, f"there is no node {shown(found['name'])} to click on")
    elif found["address"] is not None:
        vertex.link = link_of(found["address"], found["title"] or "", place, chart.losses)
    else:
        vertex.tooltip = found["tooltip"] or vertex.tooltip
        chart.losses.formless(place, f"the function that a click on {shown(found['name'])} calls")


def _link_style(cursor: Cursor, chart: Flowchart) -> None:
    place = cursor.place()
    names, declarations = _word_and_rest(cursor)
    style = style_of(_INTERPOLATE.sub("", declarations), place, chart.losses)
    style.pop("fill", None)
    if names == "default":
        chart.link_style |= style
        return
    for word in names.split(","):
        if not word.isdecimal() or len(word) > 6 or int(word) >= len(chart.links):
            chart.losses.formless(place, f"there is no line number {shown(word)}")
        else:
            chart.links[int(word)].style |= style


KEYWORDS: Mapping[str, Callable[[Cursor, Flowchart], None]] = MappingProxyType(
    {
        "subgraph": _subgraph,
        "end": _end,
        "direction": _direction,
        "style": _style,
        "classDef": _class_def,
        "class": _class,
        "click": _click,
        "linkStyle": _link_style,
    }
)
