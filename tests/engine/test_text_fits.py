"""A label stands inside its shape, whatever its letters and the node's size, or TEXT_OVERFLOW says that it does not.

The outline is asked as a polygon, and how high a label must be is asked of plain wrapping: neither is how the stage
decides.
"""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.engine.outlines import holds

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import flatten
from scenograph.engine.pipeline import LaidOut, lay_out
from scenograph.engine.shapes import SHAPES
from scenograph.engine.text.blocks import TextBlock
from scenograph.engine.text.layout import lay_text

_SLACK = 1.0  # px; places are whole pixels, and lines are compared with a polygon
_SEEN = 0.5  # px of overflow that are not seen

short = st.sampled_from(["W", "API", "Zahlungsabgleich", "שלום", "订单", "👩‍👧", "é\u0301"])
words = st.sampled_from(
    [
        "order",
        "Zahlungsabgleich",
        "payment_provider_adapter",
        "שלום",
        "مرحبا",
        "订单管理系统",
        "결제",
        "👩‍👧",
        "e\u0301",
        "-",
        "/",
    ]
)
sentences = st.lists(st.tuples(words, st.sampled_from([" ", " ", "", "\n"])), min_size=1, max_size=30)
labels = short | sentences.map(lambda parts: "".join(word + after for word, after in parts))
lengths = st.none() | st.integers(10, 400)
themes = st.sampled_from(["clean", "blueprint", "sketch"])


def laid(label: str, shape: str, width: int | None, height: int | None, theme: str) -> LaidOut:
    layout: dict[str, Any] = {"mode": "absolute", "x": 40, "y": 40}
    layout |= {name: given for name, given in (("width", width), ("height", height)) if given is not None}
    node = {"id": "n", "kind": "node", "label": label, "shape": shape, "layout": layout}
    scene = {"id": "any", "units": "px", "canvas": {}}
    document = {"schemaVersion": "0.1", "diagramFamily": "architecture", "scene": scene, "elements": [node]}
    return lay_out(document, theme=theme)


def letters_of(block: TextBlock, area: Box) -> list[Box]:
    """A box round the letters of each line, from the capitals' tops to the baseline."""
    top, rows = area.center.y - block.height / 2, []
    for number, line in enumerate(block.lines):
        size = max((run.font.size for run in line.runs), default=0.0)
        baseline = top + number * block.line_height + block.ascent
        rows.append(Box(area.center.x - line.width / 2, baseline - 0.7 * size, line.width, 0.7 * size))
    return rows


@settings(deadline=None, max_examples=80, suppress_health_check=[HealthCheck.too_slow])
@given(labels, st.sampled_from(sorted(SHAPES)), st.tuples(lengths, lengths), themes)
def test_a_label_is_inside_its_shape_or_said_to_overflow(
    label: str, shape: str, size: tuple[int | None, int | None], theme: str
) -> None:
    found = laid(label, shape, *size, theme)
    block, box = found.scene.sizes["n"].label, found.scene.placement.boxes["n"]
    if block is None or any(row.code == "TEXT_OVERFLOW" for row in found.diagnostics):
        return
    area, (outline,) = SHAPES[shape].text_area(box), flatten(SHAPES[shape].outline(box, 0.0))
    assert block.height <= max(area.height, box.height if shape not in ("cylinder", "box3d") else 0.0) + _SLACK
    for line, letters in zip(block.lines, letters_of(block, area), strict=True):
        if sum(len(run.text) for run in line.runs) <= 3:
            continue  # a single letter is never cut: it may be wider than a very narrow node
        inner = letters.grown(-min(_SLACK, letters.width / 2))
        corners = (inner.x, inner.y), (inner.right, inner.y), (inner.x, inner.bottom), (inner.right, inner.bottom)
        assert all(holds(outline, Point(*corner)) for corner in corners), (box, letters)


@settings(deadline=None, max_examples=80, suppress_health_check=[HealthCheck.too_slow])
@given(labels, st.sampled_from(sorted(SHAPES)), st.tuples(lengths, lengths), themes)
def test_overflow_is_said_with_both_heights_and_never_of_a_label_that_fits(
    label: str, shape: str, size: tuple[int | None, int | None], theme: str
) -> None:
    found = laid(label, shape, *size, theme)
    rows = [row for row in found.diagnostics if row.code == "TEXT_OVERFLOW"]
    if not rows:
        return
    (row,) = rows
    assert size[1] is not None, "a free height grows with the label"
    assert row.data is not None
    assert row.data["requiredHeight"] > row.data["availableHeight"] + _SEEN - 0.01
    box, font = found.scene.placement.boxes["n"], found.scene.styles.of["n"].font
    area = SHAPES[shape].text_area(box)
    assert row.data["availableHeight"] == round(area.height, 2)
    roomy = lay_text(label, font, max(area.width - 4.0, 1.0))
    assert roomy.height > area.height + _SEEN
