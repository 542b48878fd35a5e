"""Mermaid's style declarations, CSS for SVG, as a scene's style."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from scenograph.scene.colors import parse_color
from scenograph.scene.json_values import JsonObject

_LENGTH = re.compile(r"(\d{1,4}(?:\.\d{1,4})?)\s*(px|pt|em|rem)?")
_PX: Mapping[str, float] = {"": 1.0, "px": 1.0, "pt": 4 / 3, "em": 16.0, "rem": 16.0}
_SEPARATOR = re.compile(r"(?<!\\),(?![^(]{0,80}\))|;")
MOST_DASHES = 16
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
    return known if known and len(known) == len(lengths) <= MOST_DASHES else None


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
