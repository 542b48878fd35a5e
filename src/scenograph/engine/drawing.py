"""The drawing: paint in order, with no scene words left. Made by `draw`, read by the writers.

A group is what belongs to one element: `id` and `kind` become attributes of the SVG group, `opacity` applies to the
whole. Coordinates are scene px; the page says which part of them is seen.
"""

from __future__ import annotations

from dataclasses import dataclass

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import Path
from scenograph.engine.text.blocks import Font
from scenograph.scene.model import Color


@dataclass(frozen=True, slots=True, kw_only=True)
class PathItem:
    """A filled and / or stroked path. None is not painted."""

    path: Path
    fill: Color | None = None
    stroke: Color | None = None
    stroke_width: float = 0.0
    dash: tuple[float, ...] = ()
    round_joins: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class TextRun:
    """Text at a baseline start point."""

    text: str
    at: Point
    width: float
    font: Font
    color: Color


@dataclass(frozen=True, slots=True, kw_only=True)
class TextItem:
    """The lines of one label, each run already at its place."""

    runs: tuple[TextRun, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureItem:
    """A raster, base64, drawn into `box`; `fit` is contain, cover or stretch."""

    box: Box
    mime_type: str
    data: str
    fit: str = "contain"
    alt: str | None = None


Item = PathItem | TextItem | PictureItem


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnGroup:
    """One element's paint. `role` is `element`, or `label` for an edge's label painted above all lines."""

    id: str
    kind: str
    items: tuple[Item, ...]
    opacity: float = 1.0
    role: str = "element"


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A page of groups in paint order."""

    page: Box
    background: Color
    groups: tuple[DrawnGroup, ...]
    title: str = ""
    description: str = ""
