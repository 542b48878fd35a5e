"""What is written on fragments can be read, and nothing is painted over them that belongs beneath."""

from __future__ import annotations

import pytest
from tests.engine.families.sequence.conftest import charted, document, drawn, fragment, frame, lifeline, message

from scenograph.engine.colors import contrast, hex_color
from scenograph.engine.draw.painting import draw
from scenograph.engine.drawing import PathItem
from scenograph.engine.pipeline import lay_out

READABLE = 4.5
LIGHT, DARK = "#e0e7ff", "#1e293b"
LINES = lifeline("a"), lifeline("b"), lifeline("c")


@pytest.mark.parametrize("first", ["box", "fragment"])
def test_a_fragment_lies_over_the_boxes_round_lifelines_wherever_it_stands_in_the_array(first: str) -> None:
    rows = [frame("outer", "Outer", "inner"), frame("inner", "Inner", "b", "c"), fragment("f", "opt", ("if", ["m"]))]
    order = drawn(*LINES, message("m", "b>c"), *(rows if first == "box" else rows[::-1])).groups()
    assert order.index("outer") < order.index("inner") < order.index("f") < order.index("a")


@pytest.mark.parametrize("theme", ["clean", "dark", "blueprint", "sketch"])
@pytest.mark.parametrize("fill", [LIGHT, DARK])
def test_labels_of_messages_in_a_filled_fragment_can_be_read_on_it(theme: str, fill: str) -> None:
    inner = fragment("in", "loop", ("again", ["m"]))
    outer = fragment("out", "opt", ("if", ["m", "n"]), style={"fill": fill})
    scene = document(*LINES, message("m", "a>b", "call"), message("n", "b>c", "then"), inner, outer)
    styles = lay_out(scene, theme=theme).scene.styles.of
    assert contrast(styles["m"].text_color, hex_color(fill)) >= READABLE
    assert contrast(styles["n"].text_color, hex_color(fill)) >= READABLE


@pytest.mark.parametrize("theme", ["clean", "dark", "blueprint", "sketch"])
@pytest.mark.parametrize("fill", [LIGHT, DARK, "#16a34a"])
def test_the_operator_can_be_read_in_the_tab_of_a_filled_fragment(theme: str, fill: str) -> None:
    rows = *LINES, message("m", "a>b"), fragment("f", "alt", ("if", ["m"]), style={"fill": fill})
    laid_out = lay_out(document(*rows), theme=theme).scene
    (group,) = (one for one in draw(laid_out).groups if one.id == "f")
    tab = next(item for item in group.items if isinstance(item, PathItem) and not item.is_outline and item.fill)
    assert tab.fill is not None
    assert contrast(operator_color(group), tab.fill) >= READABLE


def operator_color(group):
    (run,) = (run for item in group.items for run in getattr(item, "runs", ()) if run.text == "alt")
    return run.color


def test_a_message_stays_in_its_fragment_only() -> None:
    found = charted(
        document(*LINES, message("m", "a>b", "in"), message("n", "b>c", "out"), fragment("f", "opt", ("x", ["m"])))
    )
    (drawn_round,) = (one for one in found.laid_out.scene.elements if one.id == "f")
    assert drawn_round.children == ("m",)
