"""Joins neighbouring layers of one pen into one layer, so that a line icon is drawn as a single path."""

from __future__ import annotations

from collections.abc import Sequence

from scenograph.engine.icons.icon import IconLayer
from scenograph.late_dataclasses import replace
from scenograph.scene.model import Color


def merged(layers: Sequence[IconLayer]) -> tuple[IconLayer, ...]:
    """The same picture in fewer layers: neighbours that are only stroked, alike and opaque, become one."""
    rows: list[IconLayer] = []
    for layer in layers:
        if rows and _is_pen(layer) and replace(layer, path=()) == replace(rows[-1], path=()):
            rows[-1] = replace(layer, path=rows[-1].path + layer.path)
        else:
            rows.append(layer)
    return tuple(rows)


def _is_pen(layer: IconLayer) -> bool:
    opaque = layer.stroke == "current" or (isinstance(layer.stroke, Color) and layer.stroke.alpha == 1)
    return layer.fill is None and opaque
