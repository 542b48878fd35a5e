"""Mermaid's texts as plain labels: line breaks, entities, HTML and Markdown."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

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
