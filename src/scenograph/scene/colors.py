"""Colour syntax to a `Color` (CSS Color 4: hex, rgb(), rgba(), hsl(), hsla(), the named colours, none, transparent).

The patterns are written without flags so that the published schemas can carry them as they stand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType

from scenograph.scene.color_names import COLOR_NAMES
from scenograph.scene.model import Color

TRANSPARENT = Color(0.0, 0.0, 0.0, 0.0)
LONGEST = 100  # characters; keeps every pattern cheap

_SPACE = r"[ \t\r\n\f]*"
_NUMBER = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,2})?"
_ANGLE = rf"{_NUMBER}(?:[dD][eE][gG]|[gG][rR][aA][dD]|[rR][aA][dD]|[tT][uU][rR][nN])?"
_PART = rf"{_NUMBER}%?"


def _call(name: str, first: str) -> str:
    """A colour function in its comma and its space syntax."""
    commas = rf"{first}{_SPACE},{_SPACE}{_PART}{_SPACE},{_SPACE}{_PART}(?:{_SPACE},{_SPACE}{_PART})?"
    gap = r"[ \t\r\n\f]+"
    spaces = rf"{first}{gap}{_PART}{gap}{_PART}(?:{_SPACE}/{_SPACE}{_PART})?"
    return rf"{name}\({_SPACE}(?:{commas}|{spaces}){_SPACE}\)"


HEX_PATTERN = r"#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})"
RGB_PATTERN = _call("[rR][gG][bB][aA]?", _PART)
HSL_PATTERN = _call("[hH][sS][lL][aA]?", _ANGLE)

_FIGURE = re.compile(rf"({_NUMBER})(%|[a-zA-Z]*)")
_TURN: Mapping[str, float] = MappingProxyType(
    {"": 360.0, "deg": 360.0, "grad": 400.0, "rad": 6.283185307179586, "turn": 1.0}
)
_Figures = list[tuple[float, str]]


def parse_color(text: str) -> Color | None:
    """The colour a text names, or None."""
    return _parsed(text) if len(text) <= LONGEST else None


@lru_cache(maxsize=4096)
def _parsed(text: str) -> Color | None:
    word = text.strip(" \t\r\n\f")
    named = _NAMED.get(word.lower()) if word.isascii() else None
    if named is not None:
        return named
    for pattern, build in _SYNTAXES:
        if pattern.fullmatch(word):
            return build(word)
    return None


def color_pattern() -> str:
    """One regular expression (ECMA 262 and Python alike) for all that `parse_color` takes."""
    names = "|".join("".join(f"[{letter}{letter.upper()}]" for letter in name) for name in _NAMED)
    return rf"^{_SPACE}(?:{HEX_PATTERN}|{RGB_PATTERN}|{HSL_PATTERN}|{names}){_SPACE}$"


def _from_hex(word: str) -> Color:
    digits = word[1:] if len(word) > 5 else "".join(digit * 2 for digit in word[1:])
    red, green, blue, alpha = bytes.fromhex(f"{digits}ff"[:8])
    return Color(float(red), float(green), float(blue), alpha / 255)


def _figures(word: str) -> _Figures:
    return [(float(number), unit.lower()) for number, unit in _FIGURE.findall(word[word.index("(") :])]


def _clamped(value: float, high: float = 1.0) -> float:
    return min(max(value, 0.0), high)


def _alpha(figures: _Figures) -> float:
    if len(figures) < 4:
        return 1.0
    value, unit = figures[3]
    return _clamped(value / 100 if unit == "%" else value)


def _from_rgb(word: str) -> Color:
    figures = _figures(word)
    channels = (_clamped(value * 2.55 if unit == "%" else value, 255.0) for value, unit in figures[:3])
    return Color(*channels, alpha=_alpha(figures))


def _from_hsl(word: str) -> Color:
    """CSS Color 4, section 7.1."""
    figures = _figures(word)
    (angle, unit), (saturation, _), (lightness, _) = figures[:3]
    hue = angle / _TURN[unit] % 1.0 * 12
    light, spread = _clamped(lightness / 100), _clamped(saturation / 100)
    reach = spread * min(light, 1 - light)

    def channel(offset: float) -> float:
        k = (offset + hue) % 12
        return 255 * (light - reach * max(-1.0, min(k - 3, 9 - k, 1.0)))

    return Color(channel(0), channel(8), channel(4), _alpha(figures))


def _from_number(rgb: int) -> Color:
    return Color(float(rgb >> 16), float(rgb >> 8 & 255), float(rgb & 255))


_NAMED: Mapping[str, Color] = MappingProxyType(
    {"none": TRANSPARENT, "transparent": TRANSPARENT} | {name: _from_number(rgb) for name, rgb in COLOR_NAMES.items()}
)
_SYNTAXES: tuple[tuple[re.Pattern[str], Callable[[str], Color]], ...] = (
    (re.compile(HEX_PATTERN), _from_hex),
    (re.compile(RGB_PATTERN), _from_rgb),
    (re.compile(HSL_PATTERN), _from_hsl),
)
