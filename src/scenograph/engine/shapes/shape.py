"""What a shape is: an outline, an area where text fits, and the size it needs for a given content. px.

`outline` is one closed subpath, clockwise; edges end on it. `details` are strokes drawn over it (a cylinder's lid).
`text_area` is the largest box inside a given box in which text may stand; `fit` is its inverse: the smallest box whose
text area holds a content of the given width and height.
"""

from __future__ import annotations

from collections.abc import Callable

from scenograph.engine.geometry.boxes import Box
from scenograph.engine.geometry.paths import Path
from scenograph.late_dataclasses import dataclass

Outline = Callable[[Box, float], Path]  # box, corner radius
Details = Callable[[Box], tuple[Path, ...]]
TextArea = Callable[[Box], Box]
Fit = Callable[[float, float], tuple[float, float]]


def no_details(_box: Box) -> tuple[Path, ...]:
    """For shapes that are their outline."""
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """One row of SHAPES."""

    name: str
    outline: Outline
    text_area: TextArea
    fit: Fit
    details: Details = no_details
