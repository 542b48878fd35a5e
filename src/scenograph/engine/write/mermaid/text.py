"""Names and texts as Mermaid takes them: no caller's text can end a string, begin a directive or become markup.

Letters that mean something to Mermaid or to HTML are written as its character references (`#35;` is a number sign).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping

_UNSAFE = re.compile(r"[#\"<>&%`\\]|[\x00-\x1f\x7f\u2028\u2029]")
_UNSAFE_BARE = re.compile(_UNSAFE.pattern + r"|[;{}]|\bend\b", re.IGNORECASE)
_NAMES = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_NAMES_WITH_HYPHENS = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*")
_STRANGE = re.compile(r"[^A-Za-z0-9_]+")
# Words of the grammars that a name must not be.
_RESERVED = re.compile(
    "end|graph|flowchart|subgraph|style|class|classdef|click|direction|default|linkstyle|state|note|loop|alt|else|opt|"
    "par|and|critical|break|rect|participant|actor|box|create|destroy|activate|deactivate|namespace|link|links|call|"
    "href|accdescr|acctitle|title|over|as|erdiagram|o|x|v",
    re.IGNORECASE,
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


def names_of(ids: Iterable[str], *, hyphens: bool) -> Mapping[str, str]:
    """A name for every id: the id itself wherever Mermaid takes it; states take no `hyphens`."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    rows = list(ids)
    kept = [row for row in rows if _is_name(row, hyphens=hyphens)]
    for one in (*kept, *(row for row in rows if not _is_name(row, hyphens=hyphens))):
        wished = one if _is_name(one, hyphens=hyphens) else _cleaned(one)
        name, number = wished, 2
        while name.lower() in taken:
            name, number = f"{wished}_{number}", number + 1
        taken.add(name.lower())
        names[one] = name
    return names


def _is_name(text: str, *, hyphens: bool = False) -> bool:
    allowed = _NAMES_WITH_HYPHENS if hyphens else _NAMES
    return allowed.fullmatch(text) is not None and not any(map(_RESERVED.fullmatch, text.split("-")))


def _cleaned(text: str) -> str:
    name = _STRANGE.sub("_", text).strip("_")
    return name if _is_name(name) else f"n_{name}".rstrip("_")
