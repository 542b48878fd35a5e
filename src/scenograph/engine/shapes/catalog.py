"""SHAPES: every shape a node can have, by its name in the document."""

from __future__ import annotations

from collections.abc import Mapping

from scenograph.engine.shapes.outlines import (
    BOX3D,
    CLOUD,
    CYLINDER,
    DIAMOND,
    ELLIPSE,
    HEXAGON,
    ICON_BOX,
    PARALLELOGRAM,
    PILL,
    RECT,
    ROUNDED_RECT,
    TEXT_BOX,
    TUBE,
)
from scenograph.engine.shapes.shape import Shape

SHAPES: Mapping[str, Shape] = {
    "rect": RECT,
    "roundedRect": ROUNDED_RECT,
    "ellipse": ELLIPSE,
    "diamond": DIAMOND,
    "cylinder": CYLINDER,
    "pill": PILL,
    "hexagon": HEXAGON,
    "parallelogram": PARALLELOGRAM,
    "cloud": CLOUD,
    "textBox": TEXT_BOX,
    "iconBox": ICON_BOX,
    "box3d": BOX3D,
    "tube": TUBE,
}


def shape_named(name: str | None) -> Shape:
    """The shape of that name; a rectangle for None and for names nobody knows."""
    return SHAPES.get(name or "rect", RECT)
