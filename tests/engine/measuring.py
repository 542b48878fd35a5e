"""What the tests of the measure stage ask: the natural size of an element of a scene."""

from typing import Any

from scenograph.diagnostics import Diagnostic, Report
from scenograph.engine.measure import measure
from scenograph.engine.resolve import resolve
from scenograph.engine.style import finish_styles
from scenograph.engine.tables import Size
from scenograph.engine.themes import choose_theme
from scenograph.scene.model import (
    Layout,
    Node,
    Scene,
)


def measured(*elements: Any, theme: str = "clean", **members: Any) -> tuple[dict[str, Size], tuple[Diagnostic, ...]]:
    report = Report()
    scene = resolve(Scene(elements=elements, diagram_family="architecture", **members), report)
    return dict(measure(scene, finish_styles(scene, choose_theme(theme, scene)), report)), report.rows


def size_of(element: Any, **members: Any) -> Size:
    sizes, _ = measured(element, **members)
    return sizes[element.id]


def node(**members: Any) -> Node:
    return Node(**({"id": "n", "kind": "node"} | members))


def sized(width: float | None = None, height: float | None = None) -> Layout:
    return Layout(width=width, height=height)


def words_of(size: Size) -> str:
    assert size.label is not None
    return " ".join("".join(run.text for run in line.runs) for line in size.label.lines)
