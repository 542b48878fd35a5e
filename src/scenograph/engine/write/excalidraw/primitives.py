"""The elements of an Excalidraw document, with every member set as Excalidraw's `restore` leaves them. px.

Random members of Excalidraw (seeds, nonces) come from a hash of the element's id: equal scenes give equal files.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from scenograph.engine.drawing import LinearGradient, Paint, PathItem, RadialGradient, TextItem
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.write.texts import before_turning, box_of_lines, joined, lines_of
from scenograph.scene.model import Color

Json = dict[str, Any]

TRANSPARENT = "transparent"
DOTTED_BELOW = 3.0
"""Dashes up to this long, px, are dots."""

_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_SEED_BITS = 31
_DECIMALS = 2
_PART_LENGTH = 20


class ExcalidrawLook(NamedTuple):
    """How an element is painted; `opacity` is 0 to 1."""

    stroke: Paint | None = None
    fill: Paint | None = None
    width: float = 1.0
    dash: Sequence[float] = ()
    opacity: float = 1.0

    @staticmethod
    def of(item: PathItem, opacity: float) -> ExcalidrawLook:
        """The look of a path."""
        seen = item.stroke if item.stroke_width > 0 else None
        return ExcalidrawLook(seen, item.fill, item.stroke_width or 1.0, item.dash, opacity)


def element(kind: str, key: str, box: Box, look: ExcalidrawLook, groups: Sequence[str]) -> Json:
    """An element with the members common to all types; `groups` from the innermost outwards."""
    return {
        "id": key,
        "type": kind,
        "x": number(box.x),
        "y": number(box.y),
        "width": number(box.width),
        "height": number(box.height),
        "angle": 0,
        "strokeColor": color_text(look.stroke),
        "backgroundColor": color_text(look.fill),
        "fillStyle": "solid",
        "strokeWidth": number(look.width),
        "strokeStyle": _stroke_style(look.dash),
        "roughness": 0,
        "opacity": round(100 * min(max(look.opacity, 0.0), 1.0)),
        "groupIds": list(groups),
        "frameId": None,
        "index": None,
        "roundness": None,
        "seed": _number_of("seed", key),
        "version": 1,
        "versionNonce": _number_of("nonce", key),
        "isDeleted": False,
        "boundElements": [],
        "updated": 1,
        "link": None,
        "locked": False,
    }


def line(key: str, points: Sequence[Point], look: ExcalidrawLook, groups: Sequence[str]) -> Json:
    """A chain of straight segments; a chain with equal first and last point is closed and may be filled."""
    return element("line", key, _around(points), look, groups) | _linear(points)


def arrow(key: str, points: Sequence[Point], look: ExcalidrawLook, groups: Sequence[str]) -> Json:
    """An arrow without heads and bindings."""
    return element("arrow", key, _around(points), look, groups) | _linear(points) | {"elbowed": False}


def image(key: str, box: Box, file_id: str, opacity: float, groups: Sequence[str]) -> Json:
    """A picture by its id in `files`."""
    members: Json = {"fileId": file_id, "status": "saved", "scale": [1, 1], "crop": None}
    return element("image", key, box, ExcalidrawLook(opacity=opacity), groups) | members


def part_id(owner: str, part: str) -> str:
    """The id of a part of a scene element."""
    return _digest("part", f"{len(owner)}:{owner}{part}")[:_PART_LENGTH]


def file_id(data_url: str) -> str:
    """The id of a picture: a hash of its data URL, to store equal pictures once."""
    return _digest("file", data_url)[:40]


def order_key(place: int) -> str:
    """The fractional index of an element by its place in the file: keys sort like the places (base 62, the first letter
    encodes the number of digits)."""
    digits, room = 1, len(_DIGITS)
    while place >= room:
        place -= room
        digits, room = digits + 1, room * len(_DIGITS)
    text = ""
    for _ in range(digits):
        place, rest = divmod(place, len(_DIGITS))
        text = _DIGITS[rest] + text
    return chr(ord("a") + digits - 1) + text


def color_text(paint: Paint | None) -> str:
    """A colour in Excalidraw's syntax; the first colour of a gradient."""
    if isinstance(paint, LinearGradient | RadialGradient):
        paint = paint.stops[0].color if paint.stops else None
    if not isinstance(paint, Color) or paint.alpha <= 0:
        return TRANSPARENT
    channels = [min(max(round(channel), 0), 255) for channel in paint[:3]]
    if paint.alpha < 1:
        channels.append(round(255 * paint.alpha))
    return "#" + "".join(f"{channel:02x}" for channel in channels)


def number(value: float) -> float | int:
    """A JSON number: two decimals, whole numbers without a point, no -0; 0 for a value that is not finite."""
    rounded = round(value, _DECIMALS) if math.isfinite(value) else 0.0
    return int(rounded) if rounded == int(rounded) else rounded


def picture_file(key: str, url: str) -> Json:
    """The entry of `files`."""
    mime_type = url.removeprefix("data:").partition(";")[0]
    return {"mimeType": mime_type, "id": key, "dataURL": url, "created": 1, "lastRetrieved": 1}


def bound_to(owner: Json, key: str, kind: str) -> None:
    """Record a bound element in its owner."""
    owner["boundElements"].append({"id": key, "type": kind})


def with_order(elements: Sequence[Json], members: Mapping[str, Any]) -> list[Json]:
    """The elements with their order keys and the common `members`."""
    return [{**one, **members, "index": order_key(place)} for place, one in enumerate(elements)]


def _linear(points: Sequence[Point]) -> Json:
    start = points[0]
    return {
        "x": number(start.x),
        "y": number(start.y),
        "points": [[number(point.x - start.x), number(point.y - start.y)] for point in points],
        "lastCommittedPoint": None,
        "startBinding": None,
        "endBinding": None,
        "startArrowhead": None,
        "endArrowhead": None,
    }


def _around(points: Sequence[Point]) -> Box:
    xs, ys = [point.x for point in points], [point.y for point in points]
    return Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def _stroke_style(dash: Sequence[float]) -> str:
    if not dash:
        return "solid"
    return "dotted" if dash[0] <= DOTTED_BELOW else "dashed"


def _number_of(purpose: str, key: str) -> int:
    return int(_digest(purpose, key)[:16], 16) >> (64 - _SEED_BITS)


def _digest(purpose: str, text: str) -> str:
    return sha256(f"{purpose}\n{text}".encode("utf-8", "surrogatepass")).hexdigest()


# Labels as text elements: free, or bound to their shape or arrow. px. Excalidraw has fonts of its own; each of ours
# becomes the nearest. A bound text keeps our line breaks until edited there.


class Typeface(NamedTuple):
    """An Excalidraw font: number, line height in em, and the size factor that matches the width of our font."""

    number: int
    line_height: float
    size: float = 1.0


TYPEFACES: Mapping[str, Typeface] = {
    "sans": Typeface(6, 1.35),  # Nunito
    "mono": Typeface(3, 1.2),  # Cascadia
    "hand": Typeface(5, 1.25, 0.88),  # Excalifont
}

_OFF_CENTER = 4.0


def text_element(key: str, item: TextItem, opacity: float, groups: Sequence[str], *, align: str = "left") -> Json:
    """A free text."""
    lines = lines_of(item.runs)
    first = item.runs[0]
    face = TYPEFACES.get(first.font.family, TYPEFACES["sans"])
    size = first.font.size * face.size
    box, pitch = box_of_lines(lines, len(lines), face.line_height * face.size)
    words = "\n".join(joined(line) for line in lines)
    look = ExcalidrawLook(stroke=first.color, opacity=opacity)
    members: Json = {
        "angle": round(math.radians(item.turn) % (2 * math.pi), 6),
        "fontSize": number(size),
        "fontFamily": face.number,
        "text": words,
        "originalText": words,
        "textAlign": align,
        "verticalAlign": "top",
        "containerId": None,
        "autoResize": True,
        "lineHeight": round(pitch / size, 4),
    }
    placed = before_turning(box, item) if item.turn else box
    return element("text", key, placed, look, groups) | members


def bound(text: Json, container: Json, label: str | None) -> Json:
    """The text bound as the label of a container: position unchanged, references on both sides."""
    container["boundElements"].append({"id": text["id"], "type": "text"})
    dx = text["x"] + text["width"] / 2 - container["x"] - container["width"] / 2
    dy = text["y"] + text["height"] / 2 - container["y"] - container["height"] / 2
    on_line = container["type"] == "arrow"
    return text | {
        "containerId": container["id"],
        "originalText": label or text["text"],
        "textAlign": "center" if on_line else _side(dx, ("left", "center", "right")),
        "verticalAlign": "middle" if on_line else _side(dy, ("top", "middle", "bottom")),
    }


def _side(offset: float, names: tuple[str, str, str]) -> str:
    before, middle, after = names
    if abs(offset) <= _OFF_CENTER:
        return middle
    return before if offset < 0 else after
