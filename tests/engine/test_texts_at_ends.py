"""Texts at the ends of edges: how near they stand to the outline and to the line."""

from __future__ import annotations

import pytest
from tests.builders import at, document_of, edge, node

from scenograph.engine.geometry.boxes import Box
from scenograph.engine.pipeline import lay_out


def text_at_the_end(**members: object) -> tuple[Box, float, float]:
    """The box of the text of a level line, the side of its target, and the height of the line."""
    nodes = node("a", layout=at(0, 0, 100, 60)), node("b", layout=at(400, 0, 100, 60))
    line = edge("a", "b", to={"elementId": "b", "label": "1"}, **members)
    found = lay_out(document_of(*nodes, line)).scene
    (text,) = (one for one in found.routes["a-b"].end_labels if one is not None)
    return text, found.placement.boxes["b"].x, found.routes["a-b"].points[-1].y


@pytest.mark.parametrize(("head", "beside"), [("none", 5.0), ("triangle", 7.0)])
def test_a_text_at_an_end_stands_near_it_and_clear_of_a_marker(head: str, beside: float) -> None:
    text, side, level = text_at_the_end(endpoints={"endArrow": head})
    assert side - text.right == pytest.approx(5.0, abs=0.8)
    assert level - text.bottom == pytest.approx(beside, abs=0.5)


def test_a_text_at_an_end_stands_back_along_its_line_from_what_covers_the_places_before() -> None:
    nodes = node("a", layout=at(0, 0, 100, 60)), node("b", layout=at(400, 0, 100, 60))
    beside = node("c", layout=at(352, -40, 43, 68)), node("d", layout=at(352, 32, 43, 68))
    line = edge("a", "b", to={"elementId": "b", "label": "1"}, router="straight")
    text = lay_out(document_of(*nodes, *beside, line)).scene.routes["a-b"].end_labels[1]
    assert text is not None
    assert 400 - text.right == pytest.approx(54.0, abs=0.8)
