"""Colour syntax to a `Color` (CSS Color 4: hex, rgb(), rgba(), hsl(), hsla(), the named colours, none, transparent).
The patterns use no flags, since the published schemas include them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType

from scenograph.scene.model import Color

# The named colours of CSS Color 4, section 6.1, as 0xRRGGBB.


COLOR_NAMES: Mapping[str, int] = MappingProxyType(
    {
        "aliceblue": 0xF0F8FF,
        "antiquewhite": 0xFAEBD7,
        "aqua": 0x00FFFF,
        "aquamarine": 0x7FFFD4,
        "azure": 0xF0FFFF,
        "beige": 0xF5F5DC,
        "bisque": 0xFFE4C4,
        "black": 0x000000,
        "blanchedalmond": 0xFFEBCD,
        "blue": 0x0000FF,
        "blueviolet": 0x8A2BE2,
        "brown": 0xA52A2A,
        "burlywood": 0xDEB887,
        "cadetblue": 0x5F9EA0,
        "chartreuse": 0x7FFF00,
        "chocolate": 0xD2691E,
        "coral": 0xFF7F50,
        "cornflowerblue": 0x6495ED,
        "cornsilk": 0xFFF8DC,
        "crimson": 0xDC143C,
        "cyan": 0x00FFFF,
        "darkblue": 0x00008B,
        "darkcyan": 0x008B8B,
        "darkgoldenrod": 0xB8860B,
        "darkgray": 0xA9A9A9,
        "darkgreen": 0x006400,
        "darkgrey": 0xA9A9A9,
        "darkkhaki": 0xBDB76B,
        "darkmagenta": 0x8B008B,
        "darkolivegreen": 0x556B2F,
        "darkorange": 0xFF8C00,
        "darkorchid": 0x9932CC,
        "darkred": 0x8B0000,
        "darksalmon": 0xE9967A,
        "darkseagreen": 0x8FBC8F,
        "darkslateblue": 0x483D8B,
        "darkslategray": 0x2F4F4F,
        "darkslategrey": 0x2F4F4F,
        "darkturquoise": 0x00CED1,
        "darkviolet": 0x9400D3,
        "deeppink": 0xFF1493,
        "deepskyblue": 0x00BFFF,
        "dimgray": 0x696969,
        "dimgrey": 0x696969,
        "dodgerblue": 0x1E90FF,
        "firebrick": 0xB22222,
        "floralwhite": 0xFFFAF0,
        "forestgreen": 0x228B22,
        "fuchsia": 0xFF00FF,
        "gainsboro": 0xDCDCDC,
        "ghostwhite": 0xF8F8FF,
        "gold": 0xFFD700,
        "goldenrod": 0xDAA520,
        "gray": 0x808080,
        "green": 0x008000,
        "greenyellow": 0xADFF2F,
        "grey": 0x808080,
        "honeydew": 0xF0FFF0,
        "hotpink": 0xFF69B4,
        "indianred": 0xCD5C5C,
        "indigo": 0x4B0082,
        "ivory": 0xFFFFF0,
        "khaki": 0xF0E68C,
        "lavender": 0xE6E6FA,
        "lavenderblush": 0xFFF0F5,
        "lawngreen": 0x7CFC00,
        "lemonchiffon": 0xFFFACD,
        "lightblue": 0xADD8E6,
        "lightcoral": 0xF08080,
        "lightcyan": 0xE0FFFF,
        "lightgoldenrodyellow": 0xFAFAD2,
        "lightgray": 0xD3D3D3,
        "lightgreen": 0x90EE90,
        "lightgrey": 0xD3D3D3,
        "lightpink": 0xFFB6C1,
        "lightsalmon": 0xFFA07A,
        "lightseagreen": 0x20B2AA,
        "lightskyblue": 0x87CEFA,
        "lightslategray": 0x778899,
        "lightslategrey": 0x778899,
        "lightsteelblue": 0xB0C4DE,
        "lightyellow": 0xFFFFE0,
        "lime": 0x00FF00,
        "limegreen": 0x32CD32,
        "linen": 0xFAF0E6,
        "magenta": 0xFF00FF,
        "maroon": 0x800000,
        "mediumaquamarine": 0x66CDAA,
        "mediumblue": 0x0000CD,
        "mediumorchid": 0xBA55D3,
        "mediumpurple": 0x9370DB,
        "mediumseagreen": 0x3CB371,
        "mediumslateblue": 0x7B68EE,
        "mediumspringgreen": 0x00FA9A,
        "mediumturquoise": 0x48D1CC,
        "mediumvioletred": 0xC71585,
        "midnightblue": 0x191970,
        "mintcream": 0xF5FFFA,
        "mistyrose": 0xFFE4E1,
        "moccasin": 0xFFE4B5,
        "navajowhite": 0xFFDEAD,
        "navy": 0x000080,
        "oldlace": 0xFDF5E6,
        "olive": 0x808000,
        "olivedrab": 0x6B8E23,
        "orange": 0xFFA500,
        "orangered": 0xFF4500,
        "orchid": 0xDA70D6,
        "palegoldenrod": 0xEEE8AA,
        "palegreen": 0x98FB98,
        "paleturquoise": 0xAFEEEE,
        "palevioletred": 0xDB7093,
        "papayawhip": 0xFFEFD5,
        "peachpuff": 0xFFDAB9,
        "peru": 0xCD853F,
        "pink": 0xFFC0CB,
        "plum": 0xDDA0DD,
        "powderblue": 0xB0E0E6,
        "purple": 0x800080,
        "rebeccapurple": 0x663399,
        "red": 0xFF0000,
        "rosybrown": 0xBC8F8F,
        "royalblue": 0x4169E1,
        "saddlebrown": 0x8B4513,
        "salmon": 0xFA8072,
        "sandybrown": 0xF4A460,
        "seagreen": 0x2E8B57,
        "seashell": 0xFFF5EE,
        "sienna": 0xA0522D,
        "silver": 0xC0C0C0,
        "skyblue": 0x87CEEB,
        "slateblue": 0x6A5ACD,
        "slategray": 0x708090,
        "slategrey": 0x708090,
        "snow": 0xFFFAFA,
        "springgreen": 0x00FF7F,
        "steelblue": 0x4682B4,
        "tan": 0xD2B48C,
        "teal": 0x008080,
        "thistle": 0xD8BFD8,
        "tomato": 0xFF6347,
        "turquoise": 0x40E0D0,
        "violet": 0xEE82EE,
        "wheat": 0xF5DEB3,
        "white": 0xFFFFFF,
        "whitesmoke": 0xF5F5F5,
        "yellow": 0xFFFF00,
        "yellowgreen": 0x9ACD32,
    }
)


TRANSPARENT = Color(0.0, 0.0, 0.0, 0.0)
LONGEST = 100  # characters; keeps every pattern cheap

_SPACE = r"[ \t\r\n\f]*"
_NUMBER = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,2})?"
_ANGLE = rf"{_NUMBER}(?:[dD][eE][gG]|[gG][rR][aA][dD]|[rR][aA][dD]|[tT][uU][rR][nN])?"
_PART = rf"{_NUMBER}%?"


def _call(name: str, first: str) -> str:
    """The pattern of a colour function, in comma and in space syntax."""
    commas = rf"{first}{_SPACE},{_SPACE}{_PART}{_SPACE},{_SPACE}{_PART}(?:{_SPACE},{_SPACE}{_PART})?"
    gap = r"[ \t\r\n\f]+"
    spaces = rf"{first}{gap}{_PART}{gap}{_PART}(?:{_SPACE}/{_SPACE}{_PART})?"
    return rf"{name}\({_SPACE}(?:{commas}|{spaces}){_SPACE}\)"


_HEX_PATTERN = r"#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})"
_RGB_PATTERN = _call("[rR][gG][bB][aA]?", _PART)
_HSL_PATTERN = _call("[hH][sS][lL][aA]?", _ANGLE)

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
    """A regular expression (valid in ECMA 262 and Python) for all input of `parse_color`."""
    names = "|".join("".join(f"[{letter}{letter.upper()}]" for letter in name) for name in _NAMED)
    return rf"^{_SPACE}(?:{_HEX_PATTERN}|{_RGB_PATTERN}|{_HSL_PATTERN}|{names}){_SPACE}$"


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
    (re.compile(_HEX_PATTERN), _from_hex),
    (re.compile(_RGB_PATTERN), _from_rgb),
    (re.compile(_HSL_PATTERN), _from_hsl),
)
