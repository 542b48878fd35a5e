"""SHAPES: every shape a node can have, by its name in the document."""

from __future__ import annotations

from collections.abc import Mapping

from scenograph.engine.shapes.angled import DIAMOND, HEXAGON, PARALLELOGRAM
from scenograph.engine.shapes.boxes import BOX3D, ICON_BOX, PILL, RECT, ROUNDED_RECT, TEXT_BOX
from scenograph.engine.shapes.curved import CLOUD, ELLIPSE
from scenograph.engine.shapes.cylinders import CYLINDER, TUBE
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
