"""The drawing: paint in order, free of scene terms. Made by `draw`, read by the writers.

A group holds the paint of one element: `id` and `kind` become attributes of the SVG group, `opacity` applies to the
whole. Coordinates are scene px; the page is the visible part.
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
    """A colour gradient from `start` to `end`, constant across; the end colours continue beyond the ends."""

    start: Point
    end: Point
    stops: tuple[GradientStop, ...]


class RadialGradient(NamedTuple):
    """A colour gradient from a centre outwards to an ellipse: `center`, and the images `across` and `down` of the unit
    vectors of its circle (px; equal lengths at right angles make a circle).

    SVG: a gradient with cx = cy = 0 and r = 1 under `matrix(across.x across.y down.x down.y center.x center.y)`.
    """

    center: Point
    across: Point
    down: Point
    stops: tuple[GradientStop, ...]


Gradient = LinearGradient | RadialGradient
Paint = Color | Gradient
Cap = Literal["butt", "round", "square"]
FillRule = Literal["nonzero", "evenodd"]


class PathItem(NamedTuple):
    """A filled and / or stroked path. None is not painted. `is_outline`: the path is (part of) the outline of its
    element, drawn or not; a visual diff puts its border on the outline."""

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
    """Text of one direction, with the left end of its baseline at a point. `spaced`: undrawn white space follows for
    readers of the text."""

    text: str
    at: Point
    width: float
    font: Font
    color: Color
    right_to_left: bool = False
    spaced: bool = False


class TextItem(NamedTuple):
    """The lines of one label in placed runs, turned as a whole by `turn` degrees clockwise about `pivot`."""

    runs: tuple[TextRun, ...]
    turn: float = 0.0
    pivot: Point = _ORIGIN


class PictureItem(NamedTuple):
    """A raster, base64, drawn into `box`; `fit` is contain, cover or stretch. `pixels` are the raster's width and
    height."""

    box: Box
    mime_type: str
    data: str
    pixels: tuple[int, int]
    fit: str = "contain"
    alt: str | None = None


DrawnItem = PathItem | TextItem | PictureItem


BESIDE = frozenset({"title", "legend", "watermark"})
"""The roles of groups beside the content: no element is painted by them."""


class _Group(NamedTuple):
    """The members of a DrawnGroup."""

    id: str
    kind: str
    items: tuple[DrawnItem, ...]
    opacity: float = 1.0
    role: str = "element"
    change: str = ""
    link: Link | None = None
    tooltip: str = ""


class DrawnGroup(_Group):
    """The paint of one element. `role` is `element`, `label` for an edge's label painted above all routes, or `title`,
    `legend` and `watermark` for what stands beside the content. `change` is the element's change in a visual diff.
    `link` is the target of a click, `tooltip` the text under the pointer. `memo` caches results for this very group,
    and is not copied (`kept`)."""

    memo: Memo | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A page of groups in paint order; `scale` is the length of a scene px in the picture, px."""

    page: Box
    background: Color
    groups: tuple[DrawnGroup, ...]
    scale: float = 1.0
    title: str = ""
    description: str = ""
