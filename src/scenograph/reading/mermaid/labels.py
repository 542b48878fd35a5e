"""Mermaid's texts as plain labels: line breaks, entities, the few tags and marks that a label may hold."""

from __future__ import annotations

import html
import re

_BREAK = re.compile(r"<\s*br\s*/?\s*>|\\n", re.IGNORECASE)
_TAG_BREAK = re.compile(r"<\s*br\s*/?\s*>", re.IGNORECASE)
_FORMULA = "$$"  # in a formula \n begins a name such as \nu
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,500}>")
_ENTITY = re.compile(r"#(\w{1,10});")
_ICON = re.compile(r"\bfa[bklrs]?:fa-[\w-]+\s*")
_STRONG = re.compile(r"(\*\*|__)(?=\S)([^*_]{1,500})(?<=\S)\1")
_EMPHASIS = re.compile(r"(?<![\w*])([*_])(?=\S)([^*_]{1,500})(?<=\S)\1(?![\w*])")


def plain(text: str, *, markdown: bool = False) -> str:
    """The text as it is to be read: `<br>` and backslash n are line breaks, `#quot;` is a quotation mark."""
    breaks = _TAG_BREAK if _FORMULA in text else _BREAK
    shown = _TAG.sub("", _ICON.sub("", breaks.sub("\n", text)))
    if markdown:
        shown = _EMPHASIS.sub(r"\2", _STRONG.sub(r"\2", shown))
    shown = html.unescape(_ENTITY.sub(_entity, shown))
    return "\n".join(line.strip() for line in shown.strip().split("\n"))


def quoted(text: str) -> str:
    """A label whose outer quotation marks, or marks of a Markdown text, are taken away."""
    bare = text.strip()
    if len(bare) >= 4 and bare.startswith('"`') and bare.endswith('`"'):
        return plain(bare[2:-2], markdown=True)
    if len(bare) >= 2 and bare[0] == bare[-1] == '"':
        return plain(bare[1:-1])
    return plain(bare)


def has_icon(text: str) -> bool:
    """Whether the text names an icon of an icon font."""
    return _ICON.search(text) is not None


def _entity(found: re.Match[str]) -> str:
    name = found[1]
    return f"&#{name};" if name.isdigit() else f"&{name};"
