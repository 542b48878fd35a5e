"""Flowcharts and the kinds drawn as flowcharts: swimlanes, block diagrams, mind maps."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.assembly import HEADS, Assembly
from scenograph.reading.mermaid.diagram import (
    DEFAULT_CLASS,
    DIRECTIONS,
    Diagram,
    FrameStatement,
    NotUnderstood,
    Subgraphs,
    link_of,
    merged,
    quoted,
    read_all,
    skip_description,
    statement_starts,
    style_by_classes,
    style_of,
    take_properties,
)
from scenograph.reading.source import Cursor, Losses, Place, Source, require_room, shown
from scenograph.scene.json_values import JsonObject

# The model of a flowchart, between its statements and the document.


@dataclass(slots=True)
class Vertex:
    """A node; `text` None shows its id."""

    name: str
    place: Place
    text: str | None = None
    shape: str = ""
    icon: str = ""
    style: JsonObject = field(default_factory=dict[str, object])
    classes: list[str] = field(default_factory=list[str])
    link: JsonObject | None = None
    tooltip: str = ""


@dataclass(slots=True)
class FlowchartLink:
    """A line between two vertices or subgraphs. `stroke` is normal, thick, dotted or invisible; `start` and `end` are
    the arrows there."""

    source: str
    target: str
    stroke: str
    start: str
    end: str
    text: str = ""
    name: str = ""
    style: JsonObject = field(default_factory=dict[str, object])
    classes: list[str] = field(default_factory=list[str])


@dataclass(slots=True)
class Flowchart:
    """A chart under construction; `strategy` overrides the layout by `direction`. TooLarge beyond `most` parts."""

    losses: Losses
    most: int
    direction: str = "TB"
    title: str = ""
    vertices: dict[str, Vertex] = field(default_factory=dict[str, Vertex])
    links: list[FlowchartLink] = field(default_factory=list[FlowchartLink])
    named_links: dict[str, FlowchartLink] = field(default_factory=dict[str, FlowchartLink])
    subgraphs: Subgraphs = field(default_factory=Subgraphs)
    class_styles: dict[str, JsonObject] = field(default_factory=dict[str, JsonObject])
    strategy: JsonObject | None = None
    link_style: JsonObject = field(default_factory=dict[str, object])

    def vertex(self, name: str, place: Place) -> Vertex:
        """The vertex of a name, made on first use."""
        if name not in self.vertices:
            self.count()
            self.vertices[name] = Vertex(name, place)
        return self.vertices[name]

    def connect(self, link: FlowchartLink) -> None:
        """Add a link; a name refers to its first link."""
        self.count()
        self.links.append(link)
        if link.name:
            self.named_links.setdefault(link.name, link)

    def begin(self, cursor: Cursor) -> None:
        """Open the subgraph at the cursor."""
        self.count()
        self.subgraphs.begin(cursor)

    def count(self) -> None:
        """Count a part."""
        require_room(self.most, self.vertices, self.links, self.subgraphs.rows)


# SHAPES: Mermaid's shapes, by all of their names, as shapes and types of a scene. `exact` is False for an approximation
# by the nearest shape.


class _VertexShape(NamedTuple):
    """The scene's shape."""

    outline: str | None
    node_type: str | None = None
    exact: bool = True


def _table(*rows: tuple[_VertexShape, str]) -> Mapping[str, _VertexShape]:
    return MappingProxyType({name: shape for shape, names in rows for name in names.split()})


_RECT, _ROUNDED, _PILL = _VertexShape("rect"), _VertexShape("roundedRect"), _VertexShape("pill")
_ELLIPSE, _DIAMOND = _VertexShape("ellipse"), _VertexShape("diamond")
_CYLINDER, _TUBE = _VertexShape("cylinder", "database"), _VertexShape("tube", "queue")
_HEXAGON, _SLANTED, _CLOUD, _TEXT = (
    _VertexShape("hexagon"),
    _VertexShape("parallelogram"),
    _VertexShape("cloud"),
    _VertexShape("textBox"),
)

SHAPES = _table(
    (_RECT, "rect proc process rectangle square"),
    (_ROUNDED, "rounded event round"),
    (_PILL, "stadium terminal pill"),
    (_CYLINDER, "cyl db database cylinder"),
    (_TUBE, "h-cyl das horizontal-cylinder"),
    (_ELLIPSE, "circle circ ellipse"),
    (_DIAMOND, "diam decision diamond question"),
    (_HEXAGON, "hex hexagon prepare"),
    (_SLANTED, "lean-r lean-right in-out lean_right"),
    (_CLOUD, "cloud"),
    (_TEXT, "text"),
    (_VertexShape(None, "workflow.subprocess"), "subprocess subproc"),
    (_VertexShape("rect", exact=False), "fr-rect framed-rectangle subroutine"),
    (_VertexShape(None, "workflow.start"), "sm-circ start small-circle"),
    (_VertexShape(None, "workflow.end"), "fr-circ stop framed-circle"),
    (_VertexShape(None, "workflow.dataObject"), "doc document"),
    (_VertexShape(None, "workflow.annotation"), "brace comment brace-l"),
    (_VertexShape(None, "state.fork"), "fork join"),
    (_VertexShape("ellipse", exact=False), "dbl-circ double-circle doublecircle cross-circ summary crossed-circle"),
    (_VertexShape("ellipse", exact=False), "f-circ junction filled-circle"),
    (_VertexShape("cloud", exact=False), "bang"),
    (_VertexShape("textBox", exact=False), "block_arrow"),
    (_VertexShape("cylinder", "database", exact=False), "datastore data-store lin-cyl disk lined-cylinder"),
    (
        _VertexShape("parallelogram", exact=False),
        "lean-l lean-left out-in lean_left sl-rect manual-input sloped-rectangle",
    ),
    (
        _VertexShape("hexagon", exact=False),
        "trap-b priority trapezoid-bottom trapezoid notch-pent loop-limit notched-pentagon",
    ),
    (_VertexShape("hexagon", exact=False), "trap-t manual trapezoid-top inv-trapezoid inv_trapezoid"),
    (_VertexShape("hexagon", exact=False), "curv-trap curved-trapezoid display odd rect_left_inv_arrow"),
    (
        _VertexShape("diamond", exact=False),
        "tri extract triangle flip-tri manual-file flipped-triangle hourglass collate",
    ),
    (_VertexShape("pill", exact=False), "delay half-rounded-rectangle bow-rect stored-data bow-tie-rectangle"),
    (
        _VertexShape("box3d", exact=False),
        "st-rect procs processes stacked-rectangle docs documents st-doc stacked-document",
    ),
    (
        _VertexShape("rect", exact=False),
        "notch-rect card notched-rectangle lin-rect lined-rectangle lined-process lin-proc",
    ),
    (_VertexShape("rect", exact=False), "shaded-process div-rect div-proc divided-rectangle divided-process win-pane"),
    (
        _VertexShape("rect", exact=False),
        "internal-storage window-pane tag-rect tagged-rectangle tag-proc tagged-process",
    ),
    (_VertexShape("rect", exact=False), "flag paper-tape bolt com-link lightning-bolt"),
    (_VertexShape(None, "workflow.dataObject", exact=False), "tag-doc tagged-document lin-doc lined-document"),
    (_VertexShape(None, "workflow.annotation", exact=False), "brace-r braces"),
)


class _Bracket(NamedTuple):
    """An opening mark, its closing marks, and the shape for each."""

    opens: str
    closes: Mapping[str, str]


BRACKETS = (
    _Bracket("(((", {")))": "doublecircle"}),
    _Bracket("((", {"))": "circle"}),
    _Bracket("([", {"])": "stadium"}),
    _Bracket("(-", {"-)": "ellipse"}),
    _Bracket("(", {")": "round"}),
    _Bracket("[[", {"]]": "subroutine"}),
    _Bracket("[(", {")]": "cylinder"}),
    _Bracket("[/", {"/]": "lean_right", "\\]": "trapezoid"}),
    _Bracket("[\\", {"\\]": "lean_left", "/]": "inv_trapezoid"}),
    _Bracket("[", {"]": "square"}),
    _Bracket("{{", {"}}": "hexagon"}),
    _Bracket("{", {"}": "diamond"}),
    _Bracket(">", {"]": "odd"}),
)

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


class _VertexLine(NamedTuple):
    """A line between two vertices."""

    stroke: str
    start: str
    end: str
    text: str = ""
    name: str = ""


def _at_line(cursor: Cursor) -> bool:
    """Whether a line comes next."""
    text, at = cursor.text, cursor.at
    if cursor.peek() not in set("-=.~<xo") and "@" not in cursor.peek(200):
        return False
    named = _NAME.match(text, at)
    at = named.end() if named else at
    return _INVISIBLE.match(text, at) is not None or any(
        stroke.whole.match(text, at) or stroke.opening.match(text, at) for stroke in _STROKES
    )


def _take_line(cursor: Cursor) -> _VertexLine:
    """Pass a line and its text. Raises NotUnderstood for an unclosed line."""
    named = _NAME.match(cursor.text, cursor.at)
    if named:
        cursor.at = named.end()
    line = _bare_line(cursor)
    cursor.skip()
    if cursor.peek() == "|":
        line = line._replace(text=_between_bars(cursor))
    return line._replace(name=named[1] if named else "")


def _bare_line(cursor: Cursor) -> _VertexLine:
    text = cursor.text
    if invisible := _INVISIBLE.match(text, cursor.at):
        cursor.at = invisible.end()
        return _VertexLine("invisible", "none", "none")
    for stroke in _STROKES:
        if whole := stroke.whole.match(text, cursor.at):
            cursor.at = whole.end()
            return _VertexLine(stroke.name, _arrow(whole[0][0]), _arrow(whole[0][-1]))
        if opening := stroke.opening.match(text, cursor.at):
            return _with_text(cursor, stroke, opening)
    raise NotUnderstood(cursor.at, "an arrow was expected, such as -->")


def _with_text(cursor: Cursor, stroke: _Stroke, opening: re.Match[str]) -> _VertexLine:
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
    return _VertexLine(stroke.name, _arrow(opening[0][0]), _arrow(closing[0][-1]), quoted(shown))


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


_ICON_PREFIXES = ("aws:", "gcp:", "azure:", "lucide:")
_ENDS_ID = frozenset(' \t\r\n[](){}<>|~@;"^')
_OF_LINKS = frozenset({"animate", "animation", "curve"})
_LONGEST_ID = 500
_LONGEST_LABEL = 4_000
_QUOTES = ('"`', '`"'), ('"', '"')


def _take_vertex(cursor: Cursor, chart: Flowchart) -> str:
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
    _take_text(cursor, vertex)
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


def _take_text(cursor: Cursor, vertex: Vertex) -> None:
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


def _enclosed(cursor: Cursor, bracket: _Bracket, start: int) -> tuple[str, str]:
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


def _outermost(cursor: Cursor, bracket: _Bracket, at: int, mark: str) -> tuple[int, str]:
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


def _unclosed(bracket: _Bracket) -> str:
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
    if icon.startswith(_ICON_PREFIXES):
        vertex.icon = icon
    elif icon:
        chart.losses.formless(vertex.place, f"the icon {shown(icon)} is of another registry")
    if "img" in properties:
        chart.losses.formless(vertex.place, "pictures are not fetched")
    if (icon or "img" in properties) and vertex.text is None:
        vertex.text = ""


# The statements of a flowchart. An ungrammatical statement costs only its line, and is reported.


_BETWEEN = " \t\r\n;"
_WORD_AND_REST = re.compile(r"(\S+)[ \t]+(.*)")
_TOLD = r'(?:[ \t]+"(?P<{}>[^"]{{0,2000}})")?'
_CLICK = re.compile(
    r"(?P<name>\S+)[ \t]+(?:(?P<call>call[ \t][^\n]*)"
    rf"""|(?:href[ \t]+)?"(?P<address>[^"]{{0,4000}})"{_TOLD.format("title")}"""
    rf"""|(?P<callback>[\w.-]+){_TOLD.format("tooltip")})[^\n;]*"""
)
_INTERPOLATE = re.compile(r"interpolate[ \t]+\S+[ \t]*")


def _take_direction(cursor: Cursor) -> str:
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
    while _comes_line(cursor):
        line = _take_line(cursor)
        cursor.skip(" \t\r\n")
        targets = _read_vertices(cursor, chart)
        for source in sources:
            for target in targets:
                named = line.name if source == sources[-1] and target == targets[0] else ""
                chart.connect(FlowchartLink(source, target, line.stroke, line.start, line.end, line.text, named))
        sources = targets


def _comes_line(cursor: Cursor) -> bool:
    """Whether a line comes next, on this or a following line of the text; if so, move to it."""
    start = cursor.at
    cursor.skip(" \t\r\n")
    if _at_line(cursor) and (cursor.at > start or cursor.peek() not in "xo"):
        return True
    cursor.at = start
    return False


def _read_vertices(cursor: Cursor, chart: Flowchart) -> list[str]:
    names = [_take_vertex(cursor, chart)]
    while True:
        start = cursor.at
        cursor.skip()
        if not cursor.take("&"):
            cursor.at = start
            return [name for name in names if name]
        require_room(chart.most, names)
        cursor.skip(" \t\r\n")
        names.append(_take_vertex(cursor, chart))


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

# A flowchart as a scene document: vertices are nodes, subgraphs frames, lines edges; lanes stand in a pool.

POOL, CROSS = "(pool)", "bar"
_IN_LANES: Mapping[str, str] = dict.fromkeys(("fr-rect", "framed-rectangle", "subroutine"), "subprocess")
"""Shapes with the meaning of a process step in a chart with lanes, and of a bare outline elsewhere."""
_PLAIN = _VertexShape(None)
_LINE_STYLES: Mapping[str, JsonObject] = {"thick": {"strokeWidth": 3}, "dotted": {"dash": [4, 4]}}


def document_of(chart: Flowchart, source: Source, *, lanes: bool = False, family: str = "workflow") -> JsonObject:
    """The document; with `lanes` the top-level subgraphs are the lanes of a pool."""
    assembly = Assembly("mermaid", source)
    for vertex in chart.vertices.values() if lanes else ():
        vertex.shape = _IN_LANES.get(vertex.shape, vertex.shape)
    _tell_shapes(chart)
    assembly.styles.update({name: style for name, style in chart.class_styles.items() if style})
    for vertex in chart.vertices.values():
        if vertex.name not in chart.subgraphs.rows:
            assembly.node(vertex.name, **_node(vertex, chart))
    _add_frames(chart, assembly, lanes=lanes)
    for link in chart.links:
        _add_edge(link, chart, assembly)
    strategy = chart.strategy or {"algorithm": "hierarchical", "direction": chart.direction}
    return assembly.document(family, title=chart.title, layoutStrategy=strategy, defaults=HEADS)


def _tell_shapes(chart: Flowchart) -> None:
    """Report substituted shapes, each once."""
    told: set[str] = set()
    for vertex in chart.vertices.values():
        shape = SHAPES.get(vertex.shape, _PLAIN)
        if not shape.exact and vertex.shape not in told:
            told.add(vertex.shape)
            chart.losses.formless(
                vertex.place, f"the shape {vertex.shape} is drawn as {shape.outline or shape.node_type}"
            )
    crossed = next((link for link in chart.links if CROSS in (link.start, link.end)), None)
    if crossed is not None:
        chart.losses.formless(chart.vertices[crossed.source].place, "a cross at the end of a line is drawn as a bar")


def _node(vertex: Vertex, chart: Flowchart) -> JsonObject:
    shape = SHAPES.get(vertex.shape, _PLAIN)
    return {
        "nodeType": shape.node_type,
        "shape": shape.outline,
        "label": vertex.name if vertex.text is None else vertex.text,
        "icon": vertex.icon,
        "link": vertex.link,
        "tooltip": vertex.tooltip,
        "style": style_by_classes((DEFAULT_CLASS, *vertex.classes), vertex.style, chart.class_styles),
    }


def _add_frames(chart: Flowchart, assembly: Assembly, *, lanes: bool) -> None:
    subgraphs = chart.subgraphs.rows
    parents = chart.subgraphs.parents()
    children: dict[str | None, list[str]] = {}
    for name in (*chart.vertices, *subgraphs):
        if name not in subgraphs or name in parents:
            home = parents[name] if name in subgraphs else chart.subgraphs.home_of(name)
            children.setdefault(home, []).append(assembly.name(name))
    for subgraph in subgraphs.values():
        lane = lanes and parents[subgraph.name] is None
        assembly.frame(
            subgraph.name,
            title=subgraph.title,
            children=list(dict.fromkeys(children.get(subgraph.name, []))),
            containerType="lane" if lane else None,
            style=style_by_classes(subgraph.classes, subgraph.style, chart.class_styles),
            extensions=_arrangement(subgraph) or None,
        )
    tops = [assembly.name(name) for name, parent in parents.items() if parent is None]
    if lanes and tops:
        rows = "horizontal" if chart.direction in {"LR", "RL"} else "vertical"
        assembly.frame(POOL, title=chart.title, children=tops, containerType="pool", laneDirection=rows)


def _arrangement(subgraph: FrameStatement) -> JsonObject:
    """The members by which the content of a subgraph is arranged."""
    direction: JsonObject = {"direction": subgraph.direction} if subgraph.direction else {}
    return direction | ({"gridColumns": subgraph.columns} if subgraph.columns else {})


def _add_edge(link: FlowchartLink, chart: Flowchart, assembly: Assembly) -> None:
    heads = (link.start, link.end)
    style = merged([_LINE_STYLES.get(link.stroke, {}), chart.link_style, *_class_styles(link, chart), link.style])
    assembly.edge(
        {"elementId": assembly.name(link.source)},
        {"elementId": assembly.name(link.target)},
        link.name,
        label=link.text,
        endpoints=None if heads == ("none", "triangle") else {"startArrow": heads[0], "endArrow": heads[1]},
        style=style or None,
        visible=False if link.stroke == "invisible" else None,
    )


def _class_styles(link: FlowchartLink, chart: Flowchart) -> list[JsonObject]:
    styles = [chart.class_styles.get(name, {}) for name in link.classes]
    return [{name: value for name, value in style.items() if name != "fill"} for style in styles]


# Flowcharts and swimlanes.


def read_flowchart(diagram: Diagram, losses: Losses) -> JsonObject:
    """The document of a flowchart."""
    return _read(diagram, losses, lanes=False)


def read_swimlanes(diagram: Diagram, losses: Losses) -> JsonObject:
    """The document of a swimlane diagram: a flowchart whose outermost subgraphs are lanes."""
    return _read(diagram, losses, lanes=True)


def _read(diagram: Diagram, losses: Losses, *, lanes: bool) -> JsonObject:
    direction = _take_direction(diagram.cursor)
    chart = Flowchart(losses, diagram.source.most_elements, direction=direction, title=diagram.title)
    read_statements(diagram.cursor, chart)
    return document_of(chart, diagram.source, lanes=lanes)


# Block diagrams: a flowchart whose blocks stand in the columns of a grid.

_BLOCK_ID = re.compile(r"[^(\[\n\-){}\s<>:=]+")
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


class _BlockReader:
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
        found = _BLOCK_ID.match(cursor.text, cursor.at) if is_named else None
        name = found[0] if found else f"block {len(subgraphs.rows) + 1}"
        said = Vertex(name, place)
        if found:
            cursor.at = found.end()
            _take_text(cursor, said)
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
        while _comes_line(self._cursor):
            line = _take_line(self._cursor)
            self._cursor.skip(" \t\r\n")
            target = self._block()
            self.chart.connect(FlowchartLink(source, target, line.stroke, line.start, line.end, line.text))
            source = target

    def _block(self) -> str:
        cursor = self._cursor
        found = _BLOCK_ID.match(cursor.text, cursor.at)
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
            _take_text(cursor, vertex)
        self._take_size(place)
        return name


def read_blocks(diagram: Diagram, losses: Losses) -> JsonObject:
    """The document of a block diagram."""
    reader = _BlockReader(diagram, losses)
    read_all(diagram, losses, reader.statement)
    reader.finish()
    return document_of(reader.chart, diagram.source, family="architecture")


# Mind maps: a tree by indentation, whose branches are lines without heads.

_ICON = re.compile(r"::icon\(([^)\n]*)\)[^\n]*")
_CLASS = re.compile(r":::([^\n]*)")
_TOPIC_ID = re.compile(r"[^(\[\n){}]+")
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
_PLAIN_TOPIC = "round"


class _MindMapReader:
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
        start, found = cursor.at, _TOPIC_ID.match(cursor.text, cursor.at)
        name = found[0].strip() if found else ""
        cursor.at = found.end() if found else cursor.at
        bracket = next((row for row in _BRACKETS if cursor.at_mark(row[0])), None)
        if name and bracket is None:
            cursor.rest_of_line()
            return name, quoted(name), _PLAIN_TOPIC
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


def read_mind_map(diagram: Diagram, losses: Losses) -> JsonObject:
    """The document of a mind map."""
    reader = _MindMapReader(diagram, losses)
    read_all(diagram, losses, reader.statement)
    return document_of(reader.chart, diagram.source, family="architecture")
