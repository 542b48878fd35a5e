"""The drawing: paint in order, with no scene words left. Made by `draw`, read by the writers.

A group is what belongs to one element: `id` and `kind` become attributes of the SVG group, `opacity` applies to the
whole. Coordinates are scene px; the page says which part of them is seen.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import Path
from scenograph.engine.text.blocks import Font
from scenograph.late_dataclasses import dataclass
from scenograph.scene.memo import Memo
from scenograph.scene.model import Color, Link

_ORIGIN = Point(0.0, 0.0)


class GradientStop(NamedTuple):
    """A colour at a place along a gradient, 0 to 1; offsets never fall."""

    offset: float
    color: Color


class LinearGradient(NamedTuple):
    """Colour that changes from `start` to `end`, constant across that line; beyond an end its colour goes on."""

    start: Point
    end: Point
    stops: tuple[GradientStop, ...]


class RadialGradient(NamedTuple):
    """Colour that changes from a centre outwards to an ellipse: `center`, and where the unit vectors of its circle
    land, `across` and `down` (px; equal lengths at right angles make a circle). SVG: a gradient with cx = cy = 0 and
    r = 1 under `matrix(across.x across.y down.x down.y center.x center.y)`."""

    center: Point
    across: Point
    down: Point
    stops: tuple[GradientStop, ...]


Gradient = LinearGradient | RadialGradient
Paint = Color | Gradient
Cap = Literal["butt", "round", "square"]
FillRule = Literal["nonzero", "evenodd"]


class PathItem(NamedTuple):
    """A filled and / or stroked path. None is not painted. `is_outline`: it is (part of) the outline of what it belongs
    to, drawn or not; a visual diff puts its border there."""

    path: Path
    fill: Paint | None = None
    stroke: Paint | None = None
    stroke_width: float = 0.0
    dash: tuple[float, ...] = ()
    round_joins: bool = True
    cap: Cap = "butt"
    fill_rule: FillRule = "nonzero"
    is_outline: bool = False


class TextRun(NamedTuple):
    """Text of one direction, its left end on the baseline at a point. `spaced`: whoever reads the text finds white
    space between it and the next run, which is not drawn."""

    text: str
    at: Point
    width: float
    font: Font
    color: Color
    right_to_left: bool = False
    spaced: bool = False


class TextItem(NamedTuple):
    """The lines of one label, each run already at its place; then the whole is turned by `turn` degrees clockwise about
    `pivot`."""

    runs: tuple[TextRun, ...]
    turn: float = 0.0
    pivot: Point = _ORIGIN


class PictureItem(NamedTuple):
    """A raster, base64, drawn into `box`; `fit` is contain, cover or stretch. `pixels` is its own width and height."""

    box: Box
    mime_type: str
    data: str
    pixels: tuple[int, int]
    fit: str = "contain"
    alt: str | None = None


Item = PathItem | TextItem | PictureItem


class _Group(NamedTuple):
    """The members of a DrawnGroup."""

    id: str
    kind: str
    items: tuple[Item, ...]
    opacity: float = 1.0
    role: str = "element"
    change: str = ""
    link: Link | None = None
    tooltip: str = ""


class DrawnGroup(_Group):
    """One element's paint. `role` is `element`, `label` for an edge's label painted above all lines, or `legend` and
    `watermark` for what stands beside the scene. `change` is what became of the element, in a visual diff. `link` is
    where a click leads, `tooltip` what is shown where the pointer rests. `memo` is what was made of this very
    group, which no copy of it takes along (`kept`)."""

    memo: Memo | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A page of groups in paint order."""

    page: Box
    background: Color
    groups: tuple[DrawnGroup, ...]
    title: str = ""
    description: str = ""
