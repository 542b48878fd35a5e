"""The statements of a flowchart. One that is not understood costs its own line, and is told."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from scenograph.reading.losses import TooLarge
from scenograph.reading.mermaid.diagram import (
    DIRECTIONS,
    NotUnderstood,
    link_of,
    skip_description,
    statement_starts,
    style_of,
)
from scenograph.reading.mermaid.flowchart.links import at_line, take_line
from scenograph.reading.mermaid.flowchart.model import Flowchart, Link
from scenograph.reading.mermaid.flowchart.vertices import take_vertex
from scenograph.reading.source import Cursor, shown

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
    """Pass the direction after a chart's keyword; TB where there is none."""
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
    keyword = _KEYWORDS.get(word) if following in {"", *_BETWEEN} else None
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
    while _comes_line(cursor):
        line = take_line(cursor)
        cursor.skip(" \t\r\n")
        targets = _read_vertices(cursor, chart)
        for source in sources:
            for target in targets:
                named = line.name if source == sources[-1] and target == targets[0] else ""
                chart.connect(Link(source, target, line.stroke, line.start, line.end, line.text, named))
        sources = targets


def _comes_line(cursor: Cursor) -> bool:
    """Whether a line comes next, on this line of the text or on a following one; if so what is between is passed."""
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
        raise NotUnderstood(cursor.at, "a node and what a click on it does were expected")
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


_KEYWORDS: Mapping[str, Callable[[Cursor, Flowchart], None]] = MappingProxyType(
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
