"""Labels as text elements: free, or bound to the shape or arrow that they belong to. px.

Excalidraw has fonts of its own; each of ours becomes the nearest. A bound text keeps the lines we broke it into until
somebody edits it there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scenograph.engine.drawing import TextItem, TextRun
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.write.excalidraw.primitives import Json, Look, element, number
from scenograph.engine.write.text_lines import joined, lines_of
from scenograph.engine.write.turned_text import before_turning


class Typeface(NamedTuple):
    """One of Excalidraw's fonts by its number, its line height in em, and how large it must be set to be as wide as
    ours."""

    number: int
    line_height: float
    size: float = 1.0


TYPEFACES: Mapping[str, Typeface] = {
    "sans": Typeface(6, 1.35),  # Nunito
    "mono": Typeface(3, 1.2),  # Cascadia
    "hand": Typeface(5, 1.25, 0.88),  # Excalifont
}

_CAPITALS = 0.35  # em: the middle of a line lies so far above its baseline
_OFF_CENTER = 4.0


def text_element(key: str, item: TextItem, opacity: float, groups: Sequence[str], *, align: str = "left") -> Json:
    """A free text."""
    lines = lines_of(item.runs)
    first = item.runs[0]
    face = TYPEFACES.get(first.font.family, TYPEFACES["sans"])
    size = first.font.size * face.size
    pitch = (lines[-1][0].at.y - lines[0][0].at.y) / (len(lines) - 1) if len(lines) > 1 else face.line_height * size
    box = _box(lines, size, pitch)
    words = "\n".join(joined(line) for line in lines)
    look = Look(stroke=first.color, opacity=opacity)
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
    """The text as the label of a container: it stays where it is, and both know of each other."""
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


def _box(lines: Sequence[Sequence[TextRun]], size: float, pitch: float) -> Box:
    left = min(run.at.x for line in lines for run in line)
    right = max(run.at.x + run.width for line in lines for run in line)
    top = lines[0][0].at.y - _CAPITALS * size - pitch / 2
    return Box(left, top, right - left, pitch * len(lines))
