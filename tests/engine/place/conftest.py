"""Small documents, and their placement by the real stages before it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from scenograph.diagnostics import Diagnostic, Report
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.measure import measure
from scenograph.engine.place.placing import place
from scenograph.engine.resolve import resolve
from scenograph.engine.style import finish_styles
from scenograph.engine.tables import Placement, Sizes
from scenograph.engine.themes import choose_theme
from scenograph.late_dataclasses import dataclass
from scenograph.scene.model import Scene
from scenograph.scene.reading import read_scene


@dataclass(frozen=True)
class Placed:
    """A placed document with all that a test may ask about."""

    scene: Scene
    sizes: Sizes
    placement: Placement
    diagnostics: tuple[Diagnostic, ...]

    def box(self, element_id: str) -> Box:
        return self.placement.boxes[element_id]

    def whole(self, element_id: str) -> Box:
        return self.box(element_id).with_outset(self.sizes[element_id].outset)

    def said(self, code: str) -> Diagnostic:
        return next(row for row in self.diagnostics if row.code == code)

    @property
    def codes(self) -> set[str]:
        return {row.code for row in self.diagnostics}


Place = Callable[..., Placed]


def _document(*elements: dict[str, Any], canvas: dict[str, Any] | None = None, **root: Any) -> dict[str, Any]:
    size = {"width": 1200, "height": 800} if canvas is None else canvas
    scene = {"id": "test", "units": "px", "canvas": size}
    return {"schemaVersion": "0.1", "diagramFamily": "architecture", "scene": scene, "elements": list(elements), **root}


def _place(*elements: dict[str, Any], canvas: dict[str, Any] | None = None, **root: Any) -> Placed:
    report = Report()
    scene = resolve(read_scene(_document(*elements, canvas=canvas, **root), report), report)
    sizes = measure(scene, finish_styles(scene, choose_theme(None, scene)), report)
    placement = place(scene, sizes, report)
    return Placed(scene, sizes, placement, report.rows)


@pytest.fixture(scope="session")
def placed() -> Place:
    """Place the elements of a document; keyword arguments are `canvas` and members of the document root."""
    return _place
