"""Names and texts as Mermaid takes them: no caller's text can end a string, begin a directive or become markup.

Letters that mean something to Mermaid or to HTML are written as its character references (`#35;` is a number sign).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping

_UNSAFE = re.compile(r"[#\"<>&%`\\]|[\x00-\x1f\x7f\u2028\u2029]")
_UNSAFE_BARE = re.compile(_UNSAFE.pattern + r"|[;{}]|\bend\b", re.IGNORECASE)
_STRANGE = re.compile(r"[^\w]+")


Grammar = re.Pattern[str]
"""What a kind of diagram takes as a name."""


def _grammar(words: str, whole: str, parts: str, *, anywhere: bool = False, any_case: bool = True) -> Grammar:
    """Names of letters, digits and `parts`. A name neither is one of the `whole` words nor begins with one of `words`
    as a part, or has it `anywhere`."""
    before = r"(?:.*[.-])?" if anywhere else ""
    refused = rf"(?!{before}(?:{words.replace(' ', '|')})(?!\w))(?!(?:{whole.replace(' ', '|')})$)"
    return re.compile(rf"{refused}{parts}", re.IGNORECASE if any_case else 0)


# Words that Mermaid's lexers take for their own, tried one by one.
FLOWCHART = _grammar(
    "end graph flowchart subgraph style class classDef linkStyle",
    "click call href direction default accTitle accDescr",
    r"\w+(?:[.:-]\w+)*",
    any_case=False,
)
SEQUENCE = _grammar(
    "end note loop alt else opt par par_over and critical break rect participant actor box create destroy activate "
    "deactivate link links over option autonumber details properties",
    "title accTitle accDescr",
    r"\w+(?:\.\w+|-(?!x)\w+)*",
)
TABLES = _grammar(
    "end subgraph style class classDef to one many u erDiagram",
    "title direction accTitle accDescr",
    r"(?!\d)\w+(?:[.-]\w+)*",
)
STATES = _grammar(
    "style class classDef click default state note href as", "direction hide scale accTitle accDescr", r"\w+(?:\.\w+)*"
)
CLASSES = _grammar(
    "style class classDef cssClass click callback note namespace link href call direction accTitle accDescr o",
    "title",
    r"\w+(?:[.-]\w+)*",
    anywhere=True,
    any_case=False,
)


def quoted(text: str) -> str:
    """A text that stands between quotation marks, on one line; line ends become `<br/>`."""
    return _on_one_line(text, _UNSAFE)


def bare(text: str) -> str:
    """A text that stands to the end of its line, without quotation marks."""
    return _on_one_line(text, _UNSAFE_BARE)


def front_matter(text: str) -> str:
    """A text as a value of the front matter: a JSON string, which YAML reads alike."""
    return json.dumps(text, ensure_ascii=False)


def _on_one_line(text: str, unsafe: re.Pattern[str]) -> str:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "<br/>".join(unsafe.sub(_reference, line) for line in lines)


def _reference(match: re.Match[str]) -> str:
    found = match[0]
    if len(found) > 1:  # "end" would end a block
        return f"{found[:2]}#{ord(found[2])};"
    return f"#{ord(found)};" if found >= " " and found != "\x7f" else " "


def names_of(ids: Iterable[str], grammar: Grammar) -> Mapping[str, str]:
    """A name for every id: the id itself wherever the grammar takes it."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    rows = list(ids)
    kept = [row for row in rows if grammar.fullmatch(row)]
    for one in (*kept, *(row for row in rows if not grammar.fullmatch(row))):
        wished = one if grammar.fullmatch(one) else _cleaned(one, grammar)
        name, number = wished, 2
        while name in taken:
            name, number = f"{wished}_{number}", number + 1
        taken.add(name)
        names[one] = name
    return names


def _cleaned(text: str, grammar: Grammar) -> str:
    name = _STRANGE.sub("_", text).strip("_")
    return name if grammar.fullmatch(name) else f"n_{name}".rstrip("_")
