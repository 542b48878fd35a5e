"""A packed drawing as a plain SVG text, for looking at it beside its source."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from scenograph.engine.drawing import Gradient, GradientStop, LinearGradient
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.geometry.paths import Close, Cubic, Line, Move, Path, Quadratic
from scenograph.engine.icons.icon import IconLayer, IconPaint
from scenograph.scene.model import Color

JOINS = {True: "round", False: "miter"}
LETTERS = {Move: "M", Line: "L", Cubic: "C", Quadratic: "Q", Close: "Z"}


def svg_of(view_box: Box, layers: Sequence[IconLayer], size: float) -> str:
    """An SVG document `size` px wide and high; the current colour is black."""
    names = (f"g{number}" for number in count())
    definitions: list[str] = []
    drawn: list[str] = []
    for layer in layers:
        fill, stroke = (_paint(paint, next(names), definitions) for paint in (layer.fill, layer.stroke))
        drawn.append(
            f'<path d="{_data(layer.path)}" fill="{fill}" fill-rule="{layer.fill_rule}" stroke="{stroke}" '
            f'stroke-width="{layer.stroke_width:.5f}" stroke-linecap="{layer.cap}" '
            f'stroke-linejoin="{JOINS[layer.round_joins]}"/>'
        )
    box = " ".join(map(str, view_box))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}" viewBox="{box}">'
    return f"{head}<defs>{''.join(definitions)}</defs>{''.join(drawn)}</svg>"


def _data(path: Path) -> str:
    return "".join(LETTERS[type(segment)] + " ".join(f"{n:.5f}" for p in segment for n in p) for segment in path)


def _paint(paint: IconPaint | None, name: str, definitions: list[str]) -> str:
    match paint:
        case None:
            return "none"
        case "current":
            return "black"
        case Color():
            return _color(paint)
        case _:
            definitions.append(_gradient(paint, name))
            return f"url(#{name})"


def _gradient(gradient: Gradient, name: str) -> str:
    stops = "".join(_stop(stop) for stop in gradient.stops)
    units = f'id="{name}" gradientUnits="userSpaceOnUse"'
    if isinstance(gradient, LinearGradient):
        (x1, y1), (x2, y2) = gradient.start, gradient.end
        return f'<linearGradient {units} x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}">{stops}</linearGradient>'
    numbers = " ".join(map(str, (*gradient.across, *gradient.down, *gradient.center)))
    return f'<radialGradient {units} cx="0" cy="0" r="1" gradientTransform="matrix({numbers})">{stops}</radialGradient>'


def _stop(stop: GradientStop) -> str:
    return f'<stop offset="{stop.offset}" stop-color="{_color(stop.color)}"/>'


def _color(color: Color) -> str:
    return f"rgba({color.red:.0f},{color.green:.0f},{color.blue:.0f},{color.alpha:.4f})"
