"""A Mermaid diagram as passed to its reader, and the common parts of all kinds: labels, styles, subgraphs."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.source import Cursor, Losses, Place, Source, TooLarge, shown
from scenograph.scene.colors import parse_color
from scenograph.scene.json_values import JsonObject
from scenograph.scene.links import is_link

# Mermaid's texts as plain labels: line breaks, entities, HTML and Markdown.

_FORMULA = "$$"  # in a formula \n begins a name such as \nu
_ENTITY = re.compile(r"&?#(\w{1,10});")
_ICON = re.compile(r"\bfa[bklrs]?:fa-[\w-]+\s*")
_STRONG = re.compile(r"(\*\*|__)(?=\S)([^*_]{1,500})(?<=\S)\1")
_EMPHASIS = re.compile(r"(?<![\w*])([*_])(?=\S)([^*_]{1,500})(?<=\S)\1(?![\w*])")

_BREAK, _BLOCK, _CELL = "\n", "\0", "\1"
# Replacements for the tags of a label. Other words in angle brackets, such as <name>, are text.
_TAGS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("br", "wbr"), _BREAK),
        **dict.fromkeys(("td", "th"), _CELL),
        **dict.fromkeys(
            (
                *("address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "div"),
                *("dl", "dt", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header"),
                *("hr", "html", "li", "main", "nav", "ol", "p", "pre", "section", "summary", "table", "tbody"),
                *("tfoot", "thead", "tr", "ul"),
            ),
            _BLOCK,
        ),
        **dict.fromkeys(
            (
                *("a", "abbr", "b", "bdi", "bdo", "big", "button", "cite", "code", "del", "dfn", "em", "font", "i"),
                *("iframe", "img", "input", "ins", "kbd", "label", "mark", "nobr", "q", "s", "samp", "small", "span"),
                *("strike", "strong", "sub", "sup", "svg", "time", "tt", "u", "var", "video"),
            ),
            "",
        ),
    }
)
_TAG = re.compile(r"</?(?P<name>[a-zA-Z][a-zA-Z0-9]{0,15})(?P<rest>[\s/][^<>]{0,2000})?>|<!--.{0,2000}?-->", re.DOTALL)
_ROUND_BLOCKS = re.compile(rf"[\s{_CELL}]*{_BLOCK}[\s{_BLOCK}{_CELL}]*")
_ROUND_CELLS = re.compile(rf"[ \t]*{_CELL}[ \t{_CELL}]*")
_SPACES = re.compile(r" {2,}")
_LOST_TAGS: Mapping[str, str] = MappingProxyType(
    {
        "img": "a picture in a label",
        "svg": "a picture in a label",
        "video": "a picture in a label",
        "iframe": "a page in a label",
        "input": "a field in a label",
        "hr": "a line across a label is drawn as a line break",
    }
)
_LINK = re.compile(r"<a\s[^<>]{0,1000}?\bhref\s*=\s*(?:\"([^\"<>]*)\"|'([^'<>]*)'|([^\s\"'<>]+))", re.IGNORECASE)
_FONT_ICON = re.compile(r"\bfa[bklrs]?:fa-[\w-]+|<i\s[^<>]{0,200}?\bfa-[\w-]+[^<>]{0,200}>", re.IGNORECASE)
_MATH = re.compile(r"\$\$[^\n]{1,1000}?\$\$")


def plain(text: str, *, markdown: bool = False) -> str:
    """The text as displayed: `<br>` and backslash n are line breaks, as are the borders of paragraphs, rows and
    similar; `#quot;` is a quotation mark."""
    broken = text if _FORMULA in text else text.replace("\\n", _BREAK)
    shown = _TAG.sub(_in_place_of, _ICON.sub("", broken))
    if len(shown) < len(broken):
        shown = _SPACES.sub(" ", shown)
    if _BLOCK in shown or _CELL in shown:
        shown = _ROUND_CELLS.sub(" ", _ROUND_BLOCKS.sub(_BREAK, shown))
    if markdown:
        shown = _EMPHASIS.sub(r"\2", _STRONG.sub(r"\2", shown))
    shown = html.unescape(_ENTITY.sub(_entity, shown))
    return "\n".join(line.strip() for line in shown.strip().split("\n"))


def quoted(text: str) -> str:
    """A label without its outer quotation marks, or without the marks of a Markdown text."""
    bare = text.strip()
    if len(bare) >= 4 and bare.startswith('"`') and bare.endswith('`"'):
        return plain(bare[2:-2], markdown=True)
    if len(bare) >= 2 and bare[0] == bare[-1] == '"':
        return plain(bare[1:-1])
    return plain(bare)


def formless_parts(text: str) -> Iterator[tuple[int, str]]:
    """Parts of labels without a form in scenes: position and description."""
    for found in _TAG.finditer(text):
        lost = _LOST_TAGS.get((found["name"] or "").lower())
        if lost and not found[0].startswith("</"):
            yield found.start(), lost
    for found in _LINK.finditer(text):
        yield found.start(), f"the link to '{(found[1] or found[2] or found[3])[:100]}' in a label"
    for found in _FONT_ICON.finditer(text):
        yield found.start(), f"the icon '{found[0][:60]}' is of an icon font"
    for found in _MATH.finditer(text):
        yield found.start(), f"the formula '{found[0][:60]}' is shown as it is written"


def _in_place_of(tag: re.Match[str]) -> str:
    name = tag["name"]
    return "" if name is None else _TAGS.get(name.lower(), tag[0])


def _entity(found: re.Match[str]) -> str:
    name = found[1]
    return f"&#{name};" if name.isdigit() else f"&{name};"


# Mermaid's style declarations, CSS for SVG, as a scene's style.

_LENGTH = re.compile(r"(\d{1,4}(?:\.\d{1,4})?)\s*(px|pt|em|rem)?")
_PX: Mapping[str, float] = {"": 1.0, "px": 1.0, "pt": 4 / 3, "em": 16.0, "rem": 16.0}
_SEPARATOR = re.compile(r"(?<!\\),(?![^(]{0,80}\))|;")
_MOST_DASHES = 16
DEFAULT_CLASS = "default"  # the class of every node


class Declared(NamedTuple):
    """A style, and the declarations without a form in scenes."""

    style: JsonObject
    formless: tuple[str, ...]


def declared(text: str) -> Declared:
    """The declarations `name:value`, separated by commas or semicolons."""
    style: JsonObject = {}
    formless: list[str] = []
    for declaration in _SEPARATOR.split(text):
        name, _, value = declaration.partition(":")
        word, value = name.strip().lower(), value.replace("!important", "").replace("\\,", ",").strip()
        if not word:
            continue
        member, read = _MEMBERS.get(word, ("", _none))
        known = read(value)
        if known is None:
            if word not in _MEANINGLESS:
                formless.append(declaration.strip())
        else:
            style[member] = known
    return Declared(style, tuple(formless))


def merged(styles: Sequence[JsonObject]) -> JsonObject:
    """Several styles merged; later ones win."""
    return {name: value for style in styles for name, value in style.items()}


def style_by_classes(
    classes: Sequence[str], own: JsonObject, class_styles: Mapping[str, JsonObject]
) -> JsonObject | str | None:
    """The name of a single class that suffices, or the merged style of all classes and the element."""
    named = [name for name in dict.fromkeys(classes) if class_styles.get(name)]
    if len(named) == 1 and not own:
        return named[0]
    return merged([*(class_styles[name] for name in named), own]) or None


def _none(_value: str) -> None:
    return None


def _color(value: str) -> str | None:
    return value if parse_color(value) is not None else None


def _length(value: str) -> float | None:
    found = _LENGTH.fullmatch(value)
    return round(float(found[1]) * _PX[found[2] or ""], 2) if found else None


def _weight(value: str) -> str | int | None:
    return value if value in {"normal", "bold"} else int(value) if re.fullmatch(r"[1-9]\d{0,2}", value) else None


def _dash(value: str) -> list[float] | None:
    lengths = [_length(part) for part in value.replace(",", " ").split()]
    known = [length for length in lengths if length is not None]
    return known if known and len(known) == len(lengths) <= _MOST_DASHES else None


def _share(value: str) -> float | None:
    found = _LENGTH.fullmatch(value)
    return float(found[1]) if found and not found[2] and float(found[1]) <= 1 else None


def _font_size(value: str) -> float | None:
    size = _length(value)
    return size if size is not None and size >= 1 else None


def _text(value: str) -> str | None:
    return value or None


_MEMBERS: Mapping[str, tuple[str, Callable[[str], Any]]] = MappingProxyType(
    {
        "fill": ("fill", _color),
        "background": ("fill", _color),
        "background-color": ("fill", _color),
        "stroke": ("stroke", _color),
        "color": ("textColor", _color),
        "stroke-width": ("strokeWidth", _length),
        "stroke-dasharray": ("dash", _dash),
        "opacity": ("opacity", _share),
        "rx": ("cornerRadius", _length),
        "font-size": ("fontSize", _font_size),
        "font-weight": ("fontWeight", _weight),
        "font-family": ("fontFamily", _text),
    }
)
_MEANINGLESS = frozenset({"ry", "animation"})

# A Mermaid diagram as passed to its reader, and the common parts of all kinds of diagrams.

DIRECTIONS = {"TB": "TB", "TD": "TB", "BT": "BT", "LR": "LR", "RL": "RL", "BR": "LR", ">": "LR", "<": "RL", "^": "BT"}
STATEMENTS_AN_ELEMENT = 8  # statements for an element, on average


class Diagram(NamedTuple):
    """A diagram after the keyword: a cursor at the first statement, the title, and the source."""

    cursor: Cursor
    title: str
    source: Source


class NotUnderstood(Exception):  # noqa: N818 - it ends one statement, not the reading
    """An ungrammatical statement; `at` is the position of the fault."""

    def __init__(self, at: int, what: str) -> None:
        super().__init__(what)
        self.at = at
        self.what = what


def statement_starts(cursor: Cursor, losses: Losses, most: int) -> Iterator[Place]:
    """The start of each statement, up to the end of the text or too many faults. Raises TooLarge for more statements
    than `most` elements can need."""
    left = STATEMENTS_AN_ELEMENT * most
    while True:
        cursor.skip(" \t\r\n;")
        if cursor.done or losses.too_many(cursor.place()):
            return
        if left == 0:
            raise TooLarge(most)
        left -= 1
        yield cursor.place()


class Rows:
    """Counts the rows inside elements, such as columns and members. Raises TooLarge beyond the total for `most`
    elements."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._left = STATEMENTS_AN_ELEMENT * most

    def count(self) -> None:
        """Count a row."""
        if self._left == 0:
            raise TooLarge(self._most)
        self._left -= 1


def read_all(diagram: Diagram, losses: Losses, read_statement: Callable[[Place], None]) -> None:
    """Read statements to the end of the text. An ungrammatical statement costs only its line, and is reported."""
    cursor = diagram.cursor
    for place in statement_starts(cursor, losses, diagram.source.most_elements):
        start = cursor.at
        try:
            read_statement(place)
        except NotUnderstood as wrong:
            losses.unread(place, wrong.what)
            cursor.at = max(start, wrong.at)
            cursor.rest_of_line()


def skip_description(cursor: Cursor) -> str | None:
    """Pass `accTitle: …`, `accDescr: …` or `accDescr { … }`; the title, an empty string for a description, None when
    neither is here."""
    word = cursor.word()
    if word not in {"accTitle", "accDescr"}:
        return None
    start = cursor.at
    cursor.at += len(word)
    cursor.skip()
    if cursor.take("{") and cursor.until("}") is not None:
        return ""
    if cursor.take(":"):
        text = cursor.rest_of_line().strip()
        return text if word == "accTitle" else ""
    cursor.at = start
    return None


def style_of(text: str, place: Place, losses: Losses) -> JsonObject:
    """The style of declarations; those without a form are reported."""
    style, formless = declared(text)
    if formless:
        losses.formless(place, f"the style {shown('; '.join(formless))} has no form in a scene")
    return style


def link_of(address: str, title: str, place: Place, losses: Losses) -> JsonObject | None:
    """A link permitted in scenes; any other is None, and reported."""
    if is_link(address.strip()):
        return {"href": address.strip(), **({"title": title} if title else {})}
    losses.formless(place, f"the link {shown(address)} is no http, https or mailto address")
    return None


# The properties in `@{ … }`: the subset of YAML used by diagrams, names with plain or quoted values.


LONGEST = 4_000
_PAIR = re.compile(
    r"""\s*,?[ \t]*(?P<key>"[^"]{1,80}"|'[^']{1,80}'|[\w-]{1,80})[ \t]*:[ \t]*"""
    r"""(?P<value>"[^"]*"|'[^']*'|[|>][-+]?[ \t]*(?=\n)|[^,\n]*)"""
)


def take_properties(cursor: Cursor) -> dict[str, str]:
    """Pass `{ … }` from its opening brace; the properties. Raises NotUnderstood for an unclosed brace."""
    start = cursor.at
    text, end = cursor.text, min(len(cursor.text), cursor.at + LONGEST)
    quote, at = "", start + 1
    while at < end and (quote or text[at] != "}"):
        mark = text[at]
        quote = ("" if mark == quote else quote) if quote else (mark if mark == '"' else "")
        at += 1
    if at >= end:
        raise NotUnderstood(start, "the properties are not closed by }")
    cursor.at = at + 1
    return _pairs(text[start + 1 : at])


def _pairs(text: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    at = 0
    while (found := _PAIR.search(text, at)) is not None and found.end() > at:
        at = found.end()
        value = found["value"].strip()
        if value[:1] in {"|", ">"}:
            line_start = text.rfind("\n", 0, found.start("key")) + 1
            value, at = _block(text, at, found.start("key") - line_start)
        pairs[found["key"].strip("\"'")] = _unquoted(value)
    return pairs


def _block(text: str, at: int, indent: int) -> tuple[str, int]:
    """The lines indented more than their key, and their end."""
    lines: list[str] = []
    while at < len(text):
        end = text.find("\n", at + 1)
        end = len(text) if end < 0 else end
        line = text[at + 1 : end]
        if line.strip() and len(line) - len(line.lstrip()) <= indent:
            break
        lines.append(line.strip())
        at = end
    return "\n".join(lines).strip(), at


def _unquoted(value: str) -> str:
    if len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'":
        value = value[1:-1]
    return "\n".join(line.strip() for line in value.split("\n"))


# Subgraphs of flowcharts and entity-relationship diagrams: the names between `subgraph` and `end`.

_LINE = re.compile(r"(?:\"[^\"\n]*\"|(?![ \t]%%)[^\";\n])*")
_TITLED = re.compile(r"(?P<name>[^\[\n\"]{0,500}?)[ \t]*\[(?P<title>.*)\][ \t]*$")


@dataclass(slots=True)
class FrameStatement:
    """A frame; `members` are the names mentioned in it, in order, `parent` is None at the top, `direction` its own
    flow, `columns` those of a grid."""

    name: str
    title: str
    place: Place
    parent: FrameStatement | None = None
    direction: str = ""
    columns: int = 0
    members: dict[str, None] = field(default_factory=dict[str, None])
    style: JsonObject = field(default_factory=dict[str, object])
    classes: list[str] = field(default_factory=list[str])


@dataclass(slots=True)
class Subgraphs:
    """All subgraphs by name, the open ones, and the subgraph of each name."""

    rows: dict[str, FrameStatement] = field(default_factory=dict[str, FrameStatement])
    open: list[FrameStatement] = field(default_factory=list[FrameStatement])
    homes: dict[str, FrameStatement] = field(default_factory=dict[str, FrameStatement])

    def begin(self, cursor: Cursor) -> None:
        """Pass the text after the word `subgraph`, and open the subgraph. A name used before reopens its subgraph."""
        place = cursor.place()
        found = _LINE.match(cursor.text, cursor.at)
        line = found[0].strip() if found else ""
        cursor.at += len(found[0]) if found else 0
        titled = _TITLED.fullmatch(line)
        name, title = (titled["name"].strip(), titled["title"]) if titled else (line, line)
        known = name.strip("\"'` ") if not titled or name else ""
        name = known or quoted(title) or f"subgraph {len(self.rows) + 1}"
        if name not in self.rows:
            self.rows[name] = FrameStatement(name, quoted(title), place, self.open[-1] if self.open else None)
        self.open.append(self.rows[name])

    def mention(self, name: str) -> None:
        """A statement inside the innermost open subgraph names something."""
        if self.open:
            self.open[-1].members[name] = None

    def finish(self) -> None:
        """Close the innermost subgraph, which keeps all mentioned names without another home."""
        done = self.open.pop()
        for name in done.members:
            self.homes.setdefault(name, done)

    def finish_all(self, losses: Losses) -> None:
        """Close subgraphs still open at the end, and report them."""
        for unfinished in reversed(self.open):
            losses.unread(unfinished.place, f"the subgraph {shown(unfinished.title)} has no end")
            self.finish()

    def parents(self) -> dict[str, str | None]:
        """The parent of each subgraph: the enclosing subgraph, or a subgraph naming this member."""
        parents: dict[str, str | None] = {}
        for subgraph in self.rows.values():
            wanted = subgraph.parent or self.homes.get(subgraph.name)
            parents[subgraph.name] = None if wanted is None or _within(wanted, subgraph, parents) else wanted.name
        return parents

    def home_of(self, name: str) -> str | None:
        """The name of the subgraph around an element."""
        home = self.homes.get(name)
        return home.name if home else None


def _within(inner: FrameStatement, outer: FrameStatement, parents: Mapping[str, str | None]) -> bool:
    """Whether `inner` is `outer` or within it, as far as parents are known."""
    name: str | None = inner.name
    while name is not None:
        if name == outer.name:
            return True
        name = parents.get(name)
    return False
