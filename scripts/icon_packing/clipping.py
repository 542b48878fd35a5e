"""Cuts layers to their clips and to the view box once, while packing, so that pictures need no clip paths.

Fills are intersected exactly; a cut stroke becomes the fill of its outline, as does one with dashes or a miter limit of
its own. Layers that lie inside their clips are left as they are. Needs `skia-pathops`, which is no dependency of the
project (see `scripts/pack_icons.py`).
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

from icon_packing.bounds import bounds
from icon_packing.svg_reading import PLAIN, Clip, Region, Shape, Sheet
from scenograph.engine.drawing import FillRule
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import Close, Cubic, Line, Move, Path, Quadratic, Segment
from scenograph.engine.icons.icon import IconLayer
from scenograph.late_dataclasses import replace

pathops: Any = importlib.import_module("pathops")

TOLERANCE = 0.02
"""How far, as a share of the view box, a layer may stick out of a rectangle before it is cut."""
# Skia counts in single precision with absolute tolerances: enlarged, an 18 px view box keeps its detail.
_SCALE = 64.0
_CONIC_TOLERANCE = 1e-3

VERBS = {
    pathops.PathVerb.MOVE: Move,
    pathops.PathVerb.LINE: Line,
    pathops.PathVerb.CUBIC: Cubic,
    pathops.PathVerb.QUAD: Quadratic,
    pathops.PathVerb.CLOSE: Close,
}
CAPS = {
    "butt": pathops.LineCap.BUTT_CAP,
    "round": pathops.LineCap.ROUND_CAP,
    "square": pathops.LineCap.SQUARE_CAP,
}
JOINS = {False: pathops.LineJoin.MITER_JOIN, True: pathops.LineJoin.ROUND_JOIN}
FILL_RULES = {"nonzero": pathops.FillType.WINDING, "evenodd": pathops.FillType.EVEN_ODD}


def cut(sheet: Sheet) -> tuple[IconLayer, ...]:
    """The layers of a file, cut to what is seen of them."""
    frame: Clip = (Region(_rectangle(sheet.view_box), "nonzero"),)
    layers: list[IconLayer] = []
    for shape in sheet.shapes:
        clips = [clip for clip in (*shape.clips, frame) if not _holds(clip, shape.layer)]
        if clips or shape.pen != PLAIN:
            layers += [layer for part in _parts(shape) if (layer := _cut_layer(part, clips)) is not None]
        else:
            layers.append(shape.layer)
    return tuple(layers)


def _parts(shape: Shape) -> list[Shape]:
    """Fill and stroke apart."""
    layer = shape.layer
    if layer.fill is None or layer.stroke is None:
        return [shape]
    return [replace(shape, layer=replace(layer, stroke=None)), replace(shape, layer=replace(layer, fill=None))]


def _rectangle(box: Box) -> Path:
    corners = (Point(box.x, box.y), Point(box.right, box.y), Point(box.right, box.bottom), Point(box.x, box.bottom))
    return (Move(corners[0]), *(Line(corner) for corner in corners[1:]), Close())


def _holds(clip: Clip, layer: IconLayer) -> bool:
    """Whether a clip is one plain rectangle round the layer."""
    if len(clip) != 1 or not clip[0].shown or not all(isinstance(s, Move | Line | Close) for s in clip[0].path):
        return False
    box = bounds(clip[0].path)
    corners = {(s.to.x, s.to.y) for s in clip[0].path if not isinstance(s, Close)}
    if corners != {(x, y) for x in (box.x, box.right) for y in (box.y, box.bottom)}:
        return False
    return box.grown(TOLERANCE * box.width).contains(bounds(layer.path).grown(layer.stroke_width / 2))


def _cut_layer(shape: Shape, clips: Sequence[Clip]) -> IconLayer | None:
    layer, pen = shape.layer, shape.pen
    area = _to_skia(layer.path, layer.fill_rule)
    if layer.stroke is not None:
        dash = [length * _SCALE for length in pen.dash * (1 + len(pen.dash) % 2)]
        width, offset = layer.stroke_width * _SCALE, pen.dash_offset * _SCALE
        area.stroke(width, CAPS[layer.cap], JOINS[layer.round_joins], pen.miter_limit, dash or None, offset)
    for clip in clips:
        area = pathops.op(area, _shown(clip), pathops.PathOp.INTERSECTION)
    path = _from_skia(area)
    rule: FillRule = "evenodd" if area.fillType == FILL_RULES["evenodd"] else "nonzero"
    return IconLayer(path=path, fill=layer.fill or layer.stroke, fill_rule=rule) if path else None


def _shown(clip: Clip) -> Any:
    shown = pathops.Path()
    for region in clip:
        how = pathops.PathOp.UNION if region.shown else pathops.PathOp.DIFFERENCE
        shown = pathops.op(shown, _to_skia(region.path, region.fill_rule), how)
    return shown


def _to_skia(path: Path, rule: FillRule) -> Any:
    shape = pathops.Path(fillType=FILL_RULES[rule])
    draw = {Move: shape.moveTo, Line: shape.lineTo, Cubic: shape.cubicTo, Quadratic: shape.quadTo, Close: shape.close}
    for segment in path:
        draw[type(segment)](*(number * _SCALE for point in segment for number in point))
    return shape


def _from_skia(shape: Any) -> Path:
    shape.convertConicsToQuads(_CONIC_TOLERANCE)
    segments: list[Segment] = [
        VERBS[verb](*(Point(x / _SCALE, y / _SCALE) for x, y in points)) for verb, points in shape
    ]
    return tuple(segments)
