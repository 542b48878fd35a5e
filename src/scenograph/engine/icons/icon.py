"""An icon: painted paths in a view box, ready to be scaled into place; and its compact JSON in a pack."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, get_args

from scenograph.engine.colors import READABLE_CONTRAST, SEEN_CONTRAST, contrast, is_dark, over, toward
from scenograph.engine.drawing import Cap, FillRule, GradientStop, LinearGradient, Paint, PathItem, RadialGradient
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import Close, Cubic, Line, Move, Path, Quadratic, Segment
from scenograph.late_dataclasses import dataclass
from scenograph.scene.model import Color

# An icon: painted paths in a view box, ready to be scaled into place.
#
# Icons are converted from SVG when packed (`scripts/pack_icons.py`); only typed paths and paints survive: no style
# text, no ids, no references, nothing executable or loadable.

LOST_CONTRAST = 2.0
"""Below this contrast to its ground a brand's icon of one colour is drawn in the colour of the text: black on a dark
theme. Up to SEEN_CONTRAST its own colour is moved toward the text's; on a dark ground up to READABLE_CONTRAST, as the
ratio flatters dark colours."""
IconPaint = Paint | Literal["current"]
"""`current` is the node's choice: its text or stroke colour."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IconLayer:
    """A painted path, in icon units. None is not painted. Opacity is folded into the paints."""

    path: Path
    fill: IconPaint | None = None
    stroke: IconPaint | None = None
    stroke_width: float = 0.0
    cap: Cap = "butt"
    round_joins: bool = False
    fill_rule: FillRule = "nonzero"


@dataclass(frozen=True, slots=True, kw_only=True)
class Icon:
    """A registered icon: canonical key, category, and layers from back to front. `recolorable`: the owner permits other
    colours; never true for the cloud providers' own drawings."""

    key: str
    category: str
    view_box: Box
    layers: tuple[IconLayer, ...]
    recolorable: bool = False

    def fitted(self, box: Box) -> Box:
        """The part of `box` (px) filled by the icon: original proportions, as large as possible, centred."""
        scale = min(box.width / self.view_box.width, box.height / self.view_box.height)
        width, height = self.view_box.width * scale, self.view_box.height * scale
        return Box(box.center.x - width / 2, box.center.y - height / 2, width, height)

    def items(self, box: Box, current: Color, ground: Color | None = None) -> tuple[PathItem, ...]:
        """The icon drawn into `box` (px) at the place of `fitted`; `current` paints layers without a colour. A
        recolorable icon that is hard to see on the opaque `ground` has other colours."""
        room = self.fitted(box)
        scale = room.width / self.view_box.width
        placing = _Placing(scale, room.x - self.view_box.x * scale, room.y - self.view_box.y * scale, current)
        items = tuple(placing.item(layer) for layer in self.layers)
        return items if ground is None or not self.recolorable else _seen_on(items, ground, current)


def _seen_on(items: tuple[PathItem, ...], ground: Color, ink: Color) -> tuple[PathItem, ...]:
    """The items if any is seen on the ground, else in colours that are."""
    best = max((_contrast(paint, ground) for item in items for paint in (item.fill, item.stroke)), default=0.0)
    least = READABLE_CONTRAST if is_dark(ground) else SEEN_CONTRAST
    if best >= least:
        return items
    if best < LOST_CONTRAST:
        return tuple(_painted(item, lambda _: ink) for item in items)
    opaque = over(ink, ground)
    return tuple(_painted(item, lambda own: toward(own, opaque, (ground,), least)) for item in items)


def _contrast(paint: Paint | None, ground: Color) -> float:
    """The contrast of a paint to an opaque ground; a gradient is seen, no paint is not."""
    if paint is None:
        return 0.0
    return contrast(over(paint, ground), ground) if isinstance(paint, Color) else math.inf


def _painted(item: PathItem, color: Callable[[Color], Color]) -> PathItem:
    fill, stroke = (color(paint) if isinstance(paint, Color) else paint for paint in (item.fill, item.stroke))
    return item._replace(fill=fill, stroke=stroke)


def moved(segment: Segment, point: Callable[[Point], Point]) -> Segment:
    """The segment with every point mapped by `point`: correct for affine maps."""
    match segment:
        case Move(to):
            return Move(point(to))
        case Line(to):
            return Line(point(to))
        case Quadratic(control, to):
            return Quadratic(point(control), point(to))
        case Cubic(control1, control2, to):
            return Cubic(point(control1), point(control2), point(to))
        case Close():
            return segment


@dataclass(frozen=True, slots=True)
class _Placing:
    """An even scale, then a shift; and the node's colour."""

    scale: float
    dx: float
    dy: float
    current: Color

    def item(self, layer: IconLayer) -> PathItem:
        return PathItem(
            path=tuple([moved(segment, self.point) for segment in layer.path]),
            fill=self.paint(layer.fill),
            stroke=self.paint(layer.stroke),
            stroke_width=layer.stroke_width * self.scale,
            cap=layer.cap,
            round_joins=layer.round_joins,
            fill_rule=layer.fill_rule,
        )

    def point(self, p: Point) -> Point:
        return Point(p.x * self.scale + self.dx, p.y * self.scale + self.dy)

    def vector(self, v: Point) -> Point:
        return Point(v.x * self.scale, v.y * self.scale)

    def paint(self, paint: IconPaint | None) -> Paint | None:
        match paint:
            case "current":
                return self.current
            case LinearGradient(start, end, stops):
                return LinearGradient(self.point(start), self.point(end), stops)
            case RadialGradient(center, across, down, stops):
                return RadialGradient(self.point(center), self.vector(across), self.vector(down), stops)
            case _:
                return paint


# Icons as compact JSON values, and back.
#
# Coordinates are whole steps of a grid, `GRID` steps along the longer side of the view box (at 64 px a step is 1/150
# px). A path is SVG path data of the commands m l c q z, all relative; a colour is rrggbb or rrggbbaa. Members that
# hold the default are left out.

GRID = 9600
_OFFSETS = 1000
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
    return [value for stop in stops for value in (round(stop.offset * _OFFSETS), _write_color(stop.color))]


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
        GradientStop(offset / _OFFSETS, _read_color(color)) for offset, color in zip(rest[::2], rest[1::2], strict=True)
    )
    if kind == "linear":
        return LinearGradient(points[0], points[1], stops)
    return RadialGradient(points[0], points[1], points[2], stops)


_POINTS = {"linear": 2, "radial": 3}


def _read_color(text: str) -> Color:
    red, green, blue, *alpha = bytes.fromhex(text)
    return Color(red, green, blue, alpha[0] / 255 if alpha else 1.0)
