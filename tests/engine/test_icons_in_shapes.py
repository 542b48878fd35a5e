"""Icon and label stand inside every shape, clear of its inner strokes and of its type's glyph, or TEXT_OVERFLOW says
that they do not: each shape and each type with a glyph, with and without an icon, one to three lines, any given sides.

The outline is asked as a polygon, and strokes as straight pieces: neither is how the stage decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product
from typing import Any

import pytest
from tests.engine.outlines import holds

from scenograph.engine.families.catalog import FAMILIES, kind_of
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import Path, flatten
from scenograph.engine.pipeline import LaidOut, lay_out
from scenograph.engine.shapes import SHAPES, shape_named
from scenograph.engine.text.blocks import TextBlock
from scenograph.scene.model import Node

LABELS = ("Orders", "Order events\nof the shop", "Order events\nfor the shop\nand its stock")
ICONS = (None, "lucide:server")
SIZES = ((None, None), (140, 80), (120, 96), (None, 72), (130, None), (96, 44), (220, 120), (100, 150))
ROWS = {f"shape {name}": ("architecture", {"shape": name}) for name in SHAPES} | {
    name: (family, {"nodeType": name})
    for family, row in FAMILIES.items()
    for name, kind in row.node_kinds.items()
    if kind.paint is None and not kind.label_below and family != "sequence"
}
"""What is looked at, and the family of its scene; faces of their own and sequences place their texts themselves."""
_SEEN = 1.0  # px


def laid(family: str, kind: dict[str, str]) -> LaidOut:
    """One node for each icon, label and size."""
    elements: list[dict[str, Any]] = []
    for number, (icon, label, (width, height)) in enumerate(product(ICONS, LABELS, SIZES)):
        sides = {name: side for name, side in (("width", width), ("height", height)) if side is not None}
        layout = {"mode": "absolute", "x": 20 + 400 * (number % 8), "y": 20 + 300 * (number // 8), **sides}
        node = {"id": f"n{number}", "kind": "node", "label": label, "layout": layout, **kind}
        elements.append(node | ({"icon": icon} if icon else {}))
    scene = {"id": "any", "units": "px", "canvas": {}}
    return lay_out({"schemaVersion": "0.1", "diagramFamily": family, "scene": scene, "elements": elements})


def content(found: LaidOut, node: Node) -> list[Box]:
    """The icon, and the letters of each line from the capitals' tops to the baseline."""
    parts, block = found.scene.placement.parts[node.id], found.scene.sizes[node.id].label
    boxes = [parts["icon"]] if "icon" in parts else []
    return boxes if block is None else [*boxes, *letters(block, parts["label"])]


def letters(block: TextBlock, area: Box) -> Iterator[Box]:
    for number, line in enumerate(block.lines):
        size = max(run.font.size for run in line.runs)
        baseline = area.y + number * block.line_height + block.ascent
        yield Box(area.center.x - line.width / 2, baseline - 0.7 * size, line.width, 0.7 * size)


def corners(box: Box) -> tuple[Point, ...]:
    return tuple(Point(x, y) for x in (box.x, box.right) for y in (box.y, box.bottom))


def runs_through(stroke: Path, box: Box) -> bool:
    """Whether a stroke has a point inside a box, looked at every half pixel."""
    for chain in flatten(stroke):
        for a, b in pairwise(chain):
            steps = max(1, round(2 * (abs(b.x - a.x) + abs(b.y - a.y))))
            for step in range(steps + 1):
                x, y = a.x + (b.x - a.x) * step / steps, a.y + (b.y - a.y) * step / steps
                if box.x < x < box.right and box.y < y < box.bottom:
                    return True
    return False


def faults(found: LaidOut) -> Iterator[str]:
    reported = {row.element_id for row in found.diagnostics if row.code == "TEXT_OVERFLOW"}
    for node in found.scene.scene.elements:
        assert isinstance(node, Node)
        kind, box = kind_of(node), found.scene.placement.boxes[node.id]
        if node.id in reported:
            continue
        shape = shape_named(node.shape)
        (outline,) = flatten(shape.outline(box, 0.0))
        strokes = [*shape.details(box), *(stroke.path for stroke in (kind.glyph(box) if kind.glyph else ()))]
        inner = [part.grown(-min(_SEEN, part.width / 2, part.height / 2)) for part in content(found, node)]
        for part in inner:
            if not all(holds(outline, corner) for corner in corners(part)):
                yield f"{node.id} {node.icon} {node.label!r} {node.layout}: {part} leaves the outline {box}"
            if any(runs_through(stroke, part) for stroke in strokes):
                yield f"{node.id} {node.icon} {node.label!r} {node.layout}: a line runs through {part}"
        if any(a.overlaps(b) for a, b in pairwise(inner)):
            yield f"{node.id} {node.icon} {node.label!r} {node.layout}: icon and lines overlap"


@pytest.mark.parametrize(("family", "kind"), ROWS.values(), ids=ROWS)
def test_icon_and_label_stand_clear_inside_or_are_said_to_overflow(family: str, kind: dict[str, str]) -> None:
    assert list(faults(laid(family, kind))) == []


@pytest.mark.parametrize("shape", ["pill", "tube", "cloud"])
@pytest.mark.parametrize("icon", ICONS)
@pytest.mark.parametrize("label", LABELS[1:])
def test_a_lying_shape_lies_whatever_stands_in_it(shape: str, icon: str | None, label: str) -> None:
    found = laid("architecture", {"shape": shape})
    node = next(
        row for row in found.scene.scene.elements if isinstance(row, Node) and (row.icon, row.label) == (icon, label)
    )
    box = found.scene.placement.boxes[node.id]
    assert box.width >= 1.2 * box.height
