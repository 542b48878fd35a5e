"""Icons as compact JSON values, and back.

Coordinates are whole steps of a grid, `GRID` steps along the longer side of the view box (at 64 px a step is 1/150 px).
A path is SVG path data of the commands m l c q z, all relative; a colour is rrggbb or rrggbbaa. Members that hold the
default are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, get_args

from scenograph.engine.drawing import Cap, GradientStop, LinearGradient, RadialGradient
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import Close, Cubic, Line, Move, Path, Quadratic, Segment
from scenograph.engine.icons.icon import IconLayer, IconPaint
from scenograph.scene.model import Color

GRID = 9600
OFFSETS = 1000
"""Gradient offsets are thousandths."""

PackedJson = Any
_RUN = re.compile(r"([mlcqz])([^mlcqz]*)")
_STEPS = re.compile(r"-?\d+")
_LETTERS = {Move: "m", Line: "l", Cubic: "c", Quadratic: "q", Close: "z"}
_CAPS: dict[str, Cap] = {name: name for name in get_args(Cap)}


def step_of(view_box: Box) -> float:
    """The length of a grid step in icon units."""
    return max(view_box.width, view_box.height) / GRID


def write_record(view_box: Box, layers: Sequence[IconLayer]) -> PackedJson:
    """An icon's drawing as a JSON value."""
    step = step_of(view_box)
    return [list(view_box), [_write_layer(layer, step) for layer in layers]]


def read_record(record: PackedJson) -> tuple[Box, tuple[IconLayer, ...]]:
    """The inverse of `write_record`, coordinates rounded to the grid."""
    view_box = Box(*record[0])
    step = step_of(view_box)
    return view_box, tuple(_read_layer(row, step) for row in record[1])


def _write_layer(layer: IconLayer, step: float) -> PackedJson:
    row: dict[str, PackedJson] = {"d": write_path(layer.path, step)}
    if layer.fill is not None:
        row["f"] = _write_paint(layer.fill, step)
    if layer.fill_rule == "evenodd":
        row["r"] = 1
    if layer.stroke is not None:
        row |= {"s": _write_paint(layer.stroke, step), "w": round(layer.stroke_width / step)}
    if layer.cap != "butt":
        row["c"] = layer.cap
    if layer.round_joins:
        row["j"] = 1
    return row


def _read_layer(row: PackedJson, step: float) -> IconLayer:
    return IconLayer(
        path=read_path(row["d"], step),
        fill=_read_paint(row.get("f"), step),
        stroke=_read_paint(row.get("s"), step),
        stroke_width=row.get("w", 0) * step,
        cap=_CAPS[row.get("c", "butt")],
        round_joins="j" in row,
        fill_rule="evenodd" if "r" in row else "nonzero",
    )


def write_path(path: Path, step: float) -> str:
    """A path as relative path data in whole steps. Rounding is to the grid itself, hence errors never add up."""
    text: list[str] = []
    at = start = (0, 0)
    last = ""
    for segment in path:
        letter = _LETTERS[type(segment)]
        points = [(round(p.x / step), round(p.y / step)) for p in segment]
        numbers = " ".join(f"{x - at[0]} {y - at[1]}" for x, y in points)
        text.append((" " if letter == last and letter != "m" else letter) + numbers)
        at = points[-1] if points else start
        start = at if letter == "m" else start
        last = letter
    return "".join(text).replace(" -", "-")


def read_path(text: str, step: float) -> Path:
    """The path written by `write_path`, in icon units."""
    return tuple(_segments(text, step))


def _segments(text: str, step: float) -> Iterator[Segment]:
    x = y = 0
    start = (0, 0)
    for letter, arguments in _RUN.findall(text):
        if letter == "z":
            x, y = start
            yield Close()
            continue
        numbers = [int(n) for n in _STEPS.findall(arguments)]
        make, arity = _MAKERS[letter]
        for i in range(0, len(numbers), arity):
            given = numbers[i : i + arity]
            points = [Point((x + given[j]) * step, (y + given[j + 1]) * step) for j in range(0, arity, 2)]
            x, y = x + given[-2], y + given[-1]
            yield make(*points)
        start = (x, y) if letter == "m" else start


_MAKERS: dict[str, Any] = {"m": (Move, 2), "l": (Line, 2), "c": (Cubic, 6), "q": (Quadratic, 4)}


def _write_paint(paint: IconPaint, step: float) -> PackedJson:
    match paint:
        case "current":
            return "current"
        case LinearGradient(start, end, stops):
            return ["linear", *_in_steps((start, end), step), *_write_stops(stops)]
        case RadialGradient(center, across, down, stops):
            return ["radial", *_in_steps((center, across, down), step), *_write_stops(stops)]
        case Color():
            return _write_color(paint)


def _in_steps(points: Sequence[Point], step: float) -> list[int]:
    return [round(n / step) for p in points for n in p]


def _write_stops(stops: Sequence[GradientStop]) -> list[PackedJson]:
    return [value for stop in stops for value in (round(stop.offset * OFFSETS), _write_color(stop.color))]


def _write_color(color: Color) -> str:
    text = bytes(round(channel) for channel in color[:3]).hex()
    return text if color.alpha >= 1 else text + bytes([round(color.alpha * 255)]).hex()


def _read_paint(value: PackedJson, step: float) -> IconPaint | None:
    if value is None or value == "current":
        return value
    if isinstance(value, str):
        return _read_color(value)
    kind, *numbers = value
    count = _POINTS[kind]
    points = [Point(numbers[i] * step, numbers[i + 1] * step) for i in range(0, 2 * count, 2)]
    rest = numbers[2 * count :]
    stops = tuple(
        GradientStop(offset / OFFSETS, _read_color(color)) for offset, color in zip(rest[::2], rest[1::2], strict=True)
    )
    if kind == "linear":
        return LinearGradient(points[0], points[1], stops)
    return RadialGradient(points[0], points[1], points[2], stops)


_POINTS = {"linear": 2, "radial": 3}


def _read_color(text: str) -> Color:
    red, green, blue, *alpha = bytes.fromhex(text)
    return Color(red, green, blue, alpha[0] / 255 if alpha else 1.0)
