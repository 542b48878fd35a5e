"""The typed tree that SVG text is written from, and its only way out: one serializer, one escaping function.

Whatever a caller wrote leaves here as well-formed XML 1.0: markup characters as references, control characters that
XML forbids dropped, lone surrogates and noncharacters as U+FFFD.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

_UNSAFE = re.compile('[&<>"\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]')
_REPLACEMENT_CHARACTER = "\ufffd"
_REFERENCES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}


class Markup(NamedTuple):
    """An element: its name, its attributes in order, its children (a string is character data)."""

    name: str
    attributes: tuple[tuple[str, str], ...] = ()
    children: tuple[Markup | str, ...] = ()


def serialized(*trees: Markup | str) -> str:
    """The XML text of the trees, one after the other."""
    parts: list[str] = []
    for tree in trees:
        _write(tree, parts)
    return "".join(parts)


def tags(around: Markup, *, is_empty: bool) -> tuple[str, str]:
    """What opens and what closes an element whose content is serialized already: one tag where it `is_empty`."""
    alone = serialized(around)
    return (alone, "") if is_empty else (f"{alone.removesuffix('/>')}>", f"</{around.name}>")


def element(name: str, attributes: str, content: str) -> str:
    """An element of texts that are serialized already; without content it is one tag."""
    return f"<{name}{attributes}>{content}</{name}>" if content else f"<{name}{attributes}/>"


def attributes_text(attributes: Iterable[tuple[str, str]]) -> str:
    """Attributes as they stand in a tag, each after a space."""
    return "".join([f' {name}="{escaped(value)}"' for name, value in attributes])


def escaped(text: str) -> str:
    """`text` as character data or between double quotes."""
    return _UNSAFE.sub(_reference, text) if _UNSAFE.search(text) else text


def _reference(match: re.Match[str]) -> str:
    letter = match[0]
    if letter in _REFERENCES:
        return _REFERENCES[letter]
    return _REPLACEMENT_CHARACTER if letter >= "\ud800" else ""


def _write(tree: Markup | str, parts: list[str]) -> None:
    if isinstance(tree, str):
        parts.append(escaped(tree))
        return
    attributes = attributes_text(tree.attributes)
    if not tree.children:
        parts.append(f"<{tree.name}{attributes}/>")
        return
    parts.append(f"<{tree.name}{attributes}>")
    for child in tree.children:
        _write(child, parts)
    parts.append(f"</{tree.name}>")
