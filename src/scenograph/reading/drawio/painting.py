"""How cells look, in the members of a style."""

from __future__ import annotations

import re
from collections.abc import Mapping

from scenograph.reading.drawio.cells import WHITE, number
from scenograph.scene.json_values import JsonObject

FONT_SIZE = 12.0  # px, draw.io's default
_COLOR = re.compile(r"#(?:[0-9A-Fa-f]{3}){1,2}")
_AS_WHITE = "#fefefe"  # of a frame on a coloured frame: white itself would count as no fill
_INKS = ("fill", "stroke")
_BORDERS = ("top", "right", "bottom", "left")
_OPEN = 3  # open sides from which on a box has no outline
_HEAD, _LEAST_HEAD = 23.0, 14.0  # px: default height of a swimlane's band; a lower band has no title
_WHITE_INK, _BLACK_INK = "#ffffff", "#000000"
_BOLD = 1  # the bit of draw.io's fontStyle


def painted(said: Mapping[str, str], *, line: bool = False, ruled: bool = False) -> JsonObject:
    """The style of a box or a connector; empty without any values. `ruled`: the borders are a table's rules."""
    style: JsonObject = {}
    for name, member in (("fillColor", "fill"), ("strokeColor", "stroke")):
        color = said.get(name, "")
        if (is_color(color) or color == "none") and not (line and member == "fill"):
            style[member] = color
    if not ruled and sum(said.get(side) == "0" for side in _BORDERS) >= _OPEN:
        style["stroke"] = "none"
    if "strokeWidth" in said:
        style["strokeWidth"] = min(max(number(said["strokeWidth"], 1.0), 0.0), 20.0)
    if said.get("dashed") == "1":
        lengths = [number(part) for part in said.get("dashPattern", "3 3").split()]
        style["dash"] = [max(length, 0.5) for length in lengths[:8]] or [3, 3]
    for name in _INKS:  # opacity of the shape, not of its label
        share = _share(said, "opacity") * _share(said, f"{name}Opacity")
        if share < 1 and is_color(style.get(name, "")):
            style[name] = f"{_long(style[name])}{round(share * 255):02x}"
    return style | lettered(said)


def _share(said: Mapping[str, str], name: str) -> float:
    """A percentage of a style as a share; 1 if absent or invalid."""
    share = number(said.get(name, ""), 100.0) / 100
    return share if 0 <= share <= 1 else 1.0


def lettered(said: Mapping[str, str]) -> JsonObject:
    """The style of a text."""
    style: JsonObject = {}
    if is_color(said.get("fontColor", "")):
        style["textColor"] = said["fontColor"]
    if "fontSize" in said:
        style["fontSize"] = font_size(said)
    if int(number(said.get("fontStyle", ""))) & _BOLD:
        style["fontWeight"] = "bold"
    return style


def framed(said: Mapping[str, str], *, on_color: bool) -> JsonObject:
    """The style of a frame: draw.io's have square corners and a solid line, and on another frame's colour they are
    white."""
    style = painted(said)
    if said.get("shape") == "umlFrame":  # only the corner with the title is filled in draw.io
        style["fill"] = "none"
    style.setdefault("dash", [])
    if style.get("fill", "#fff" if on_color else "").lower() in WHITE:
        style["fill"] = _AS_WHITE
    if said.get("rounded") != "1":
        style["cornerRadius"] = 0
    return style


def headed(said: Mapping[str, str]) -> JsonObject:
    """The style members of a swimlane: its fill colours only the title band, and its title's colour contrasts with the
    band."""
    color, body = said.get("fillColor", ""), said.get("swimlaneFillColor", "")
    if not is_color(color):
        return {}
    ink = {} if is_color(said.get("fontColor", "")) else {"textColor": _WHITE_INK if is_dark(color) else _BLACK_INK}
    return {"accentColor": color, "fill": body if is_color(body) else "none", **ink}


def head_height(said: Mapping[str, str]) -> float | None:
    """The height of a swimlane's band; None without a band at the top."""
    if "swimlane" not in said and said.get("shape") != "swimlane":
        return None
    height = number(said.get("startSize", ""), _HEAD)
    return height if said.get("horizontal") != "0" and height >= _LEAST_HEAD else None


def in_ink(said: Mapping[str, str], *, on_dark: bool) -> JsonObject:
    """The style of a pictogram without a box: its strokes take the stencil's fill colour, if visible."""
    inks = (said.get("fillColor", ""), said.get("strokeColor", ""))
    ink = next((color for color in inks if is_color(color) and (on_dark or not is_pale(color))), None)
    return {"fill": "none", "stroke": "none", **({"textColor": ink} if ink else {})}


def tinted(said: Mapping[str, str], *, on_dark: bool) -> JsonObject:
    """The style of a device: the stencil's fill colour and its text style."""
    fill = said.get("fillColor", "")
    seen = is_color(fill) and (on_dark or not is_pale(fill))
    return ({"fill": fill} if seen else {}) | lettered_beside(said, on_dark=on_dark)


def lettered_beside(said: Mapping[str, str], *, on_dark: bool) -> JsonObject:
    """The style of a label outside its shape: on a light ground the letters for a dark shape would be unreadable."""
    style = lettered(said)
    if not on_dark and is_pale(style.get("textColor", "#000000")):
        del style["textColor"]
    return style


def is_pale(color: str) -> bool:
    """Whether a colour can hardly be seen on a white page."""
    return sum(bytes.fromhex(_long(color)[1:])) > _PALE


def is_dark(color: str) -> bool:
    """Whether a pale colour is seen on another."""
    return sum(bytes.fromhex(_long(color)[1:])) < _DARK


def _long(color: str) -> str:
    """A colour in six digits."""
    return color if len(color) > _SHORT else f"#{''.join(digit * 2 for digit in color[1:])}"


_SHORT = 4  # characters of a colour of three digits
_PALE, _DARK = 3 * 0.75 * 255, 3 * 0.55 * 255  # red, green and blue together


def font_size(said: Mapping[str, str]) -> float:
    """px, within bounds."""
    return min(max(number(said.get("fontSize", ""), FONT_SIZE), 6.0), 72.0)


def is_color(text: str) -> bool:
    """Whether the text is a colour in hexadecimal digits."""
    return _COLOR.fullmatch(text) is not None


def is_seen(said: Mapping[str, str], default: str = "") -> bool:
    """Whether a box has an outline or a fill; `default` stands for absent colours."""
    return said.get("fillColor", default) != "none" or said.get("strokeColor", default) != "none"
