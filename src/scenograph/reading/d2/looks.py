"""Shapes, line ends, styles and texts of D2 (d2lang.com/tour/shapes, /style) in the words of scenes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from scenograph.reading.d2.grammar import Scalar
from scenograph.scene.colors import parse_color
from scenograph.scene.json_values import JsonObject

Attributes = dict[str, Scalar]
"""Keywords with their values; those of a style are `style.fill` and so on."""

_ALIKE: Mapping[str, str] = {
    "rect": "rectangle square",
    "ellipse": "oval circle",
    "diamond": "diamond",
    "cylinder": "cylinder",
    "hexagon": "hexagon",
    "parallelogram": "parallelogram",
    "cloud": "cloud",
    "tube": "queue",
    "textBox": "text code",
    "iconBox": "image",
}
_NEARLY: Mapping[str, str] = {"rect": "page document package callout", "tube": "stored_data", "hexagon": "step"}
SHAPES = MappingProxyType({word: shape for shape, words in _ALIKE.items() for word in words.split()})
NEAR_SHAPES = MappingProxyType({word: shape for shape, words in _NEARLY.items() for word in words.split()})
TYPES: Mapping[str, str] = MappingProxyType(
    {"person": "user", "c4-person": "user", "sql_table": "er.entity", "class": "uml.class"}
)
"""Shapes that are node types here."""
MEANINGS: Mapping[str, str] = MappingProxyType({"cylinder": "database", "stored_data": "database", "queue": "queue"})
"""Node types that keep their shape: data and queues have a tone."""
_ARROWS: Mapping[str, str] = {
    "triangle": "triangle",
    "arrow": "triangle",
    "diamond": "diamond",
    "circle": "circle",
    "box": "bar",
    "cross": "bar",
    "none": "none",
}
_CARDINALITIES: Mapping[str, str] = {
    "cf-one": "zero-or-one",
    "cf-one-required": "one",
    "cf-many": "zero-or-many",
    "cf-many-required": "one-or-many",
}
_NUMBER = re.compile(r"[0-9]{1,4}(?:\.[0-9]{1,6})?")
_SILENT = frozenset({"style.font", "style.animated", "style.filled", "style.italic", "style.underline"})
_HEADING = re.compile(r"^[ \t]{0,3}(?:#{1,6}[ \t]+|>[ \t]?)", re.MULTILINE)
_BULLET = re.compile(r"^([ \t]*)[-*+][ \t]+", re.MULTILINE)
_MARKS = re.compile(
    r"(\*\*|__|`+|~~)(?=\S)([^*_`~\n]{1,500})\1|(?<![\w*])([*_])(?=\S)([^*_\n]{1,500})(?<=\S)\3(?![\w*])"
)
_ANCHOR = re.compile(r"!?\[([^\[\]\n]{0,300})\]\([^()\n]{0,500}\)")
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[^\n]*\n?", re.MULTILINE)
_HTML = re.compile(r"</?[A-Za-z][^<>\n]{0,200}>")


def text_of(said: Scalar) -> str:
    """A label as plain text."""
    text = said.text
    if said.tag in {"md", "markdown"}:
        text = _ANCHOR.sub(r"\1", _HEADING.sub("", _FENCE.sub("", text)))
        text = _HTML.sub("", _MARKS.sub(lambda found: found[2] or found[4], _BULLET.sub(r"\1• ", text)))
    return text.strip("\n")


def _color(text: str) -> str | None:
    return text if text and parse_color(text) is not None else None


def _number(least: float, most: float) -> Callable[[str], float | None]:
    def read(text: str) -> float | None:
        known = float(text) if _NUMBER.fullmatch(text) else None
        return known if known is not None and least <= known <= most else None

    return read


def _dash(text: str) -> list[float] | None:
    length = _number(0, 10)(text)
    return [max(2.0, length), max(2.0, length)] if length else None


def _weight(text: str) -> str | None:
    return {"true": "bold", "false": "normal"}.get(text.lower())


_MEMBERS: Mapping[str, tuple[str, Callable[[str], Any]]] = MappingProxyType(
    {
        "fill": ("fill", _color),
        "stroke": ("stroke", _color),
        "font-color": ("textColor", _color),
        "stroke-width": ("strokeWidth", _number(0, 15)),
        "stroke-dash": ("dash", _dash),
        "border-radius": ("cornerRadius", _number(0, 200)),
        "font-size": ("fontSize", _number(8, 100)),
        "opacity": ("opacity", _number(0, 1)),
        "bold": ("fontWeight", _weight),
    }
)
_PLAIN = frozenset({"false", "none", "0", ""})


def style_of(said: Attributes) -> tuple[JsonObject | None, list[str]]:
    """The style, and the names of what has no form."""
    style: JsonObject = {}
    lost = list[str]()
    for name, value in said.items():
        word, text = name.removeprefix("style."), value.text.strip()
        if word == name or name in _SILENT:
            continue
        member, read = _MEMBERS.get(word, ("", lambda _: None))
        known = read(text)
        if known is not None:
            style[member] = known
        elif text.lower() not in _PLAIN and word not in {"text-transform", "3d"}:
            lost.append(word)
    return style or None, lost


def transformed(text: str, said: Attributes) -> str:
    """A text with its `text-transform`."""
    wish = said["style.text-transform"].text.lower() if "style.text-transform" in said else ""
    change = {"uppercase": str.upper, "lowercase": str.lower, "capitalize": str.title}.get(wish)
    return change(text) if change is not None else text


def head(word: str) -> tuple[str, str | None]:
    """The marker and the cardinality of an end of a connection."""
    if word in _CARDINALITIES:
        return "none", _CARDINALITIES[word]
    return _ARROWS.get(word, "triangle"), None
