"""The label of a line that leaves a light frame on a dark page can be read wherever it stands."""

from __future__ import annotations

from typing import Any

import pytest

from scenograph.engine.colors import READABLE_CONTRAST, contrast, over
from scenograph.engine.draw.painting import LABEL_ROLE, draw
from scenograph.engine.drawing import DrawnGroup, DrawnItem, PathItem, TextItem
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.pipeline import lay_out
from scenograph.engine.themes import THEMES
from scenograph.late_dataclasses import replace
from scenograph.scene.model import Color

LIGHT = Color(219, 234, 254)
Json = dict[str, Any]


def label_of(theme: str, across: int, **style: Any) -> tuple[DrawnGroup, Color]:
    """The label of a line from a light frame, whose right border is `across` px right of the line's start, to the
    right of it; and the page's colour."""
    inside = {"mode": "absolute", "x": 40, "y": 60, "width": 80, "height": 40}
    outside = {"mode": "absolute", "x": 520, "y": 60, "width": 80, "height": 40}
    frame = {"mode": "absolute", "x": 20, "y": 20, "width": 100 + across, "height": 120}
    ends = {"from": {"elementId": "a"}, "to": {"elementId": "b"}}
    elements: list[Json] = [
        {"id": "f", "kind": "frame", "children": ["a"], "style": {"fill": "#dbeafe"}, "layout": frame},
        {"id": "a", "kind": "node", "layout": inside},
        {"id": "b", "kind": "node", "layout": outside},
        {"id": "e", "kind": "edge", "label": "leaves", "router": "straight", "style": style, **ends},
    ]
    scene = {"id": "s", "units": "px", "canvas": {}}
    document = {"schemaVersion": "0.1", "diagramFamily": "architecture", "scene": scene, "elements": elements}
    drawing = draw(lay_out(document, theme=theme).scene)
    (label,) = (group for group in drawing.groups if group.role == LABEL_ROLE)
    return label, drawing.background


def ink_of(label: DrawnGroup) -> Color:
    (text,) = (item for item in label.items if isinstance(item, TextItem))
    return text.runs[0].color


@pytest.mark.parametrize("theme", sorted(THEMES))
def test_it_can_be_read_on_the_frame_and_on_the_page(theme: str) -> None:
    on_frame, _ = label_of(theme, across=380)
    on_page, page = label_of(theme, across=20)
    assert contrast(ink_of(on_frame), LIGHT) >= READABLE_CONTRAST
    assert contrast(ink_of(on_page), over(page, THEMES[theme].background)) >= READABLE_CONTRAST


def test_over_the_border_of_light_and_dark_it_stands_on_a_plate_in_one_colour(bench: Any) -> None:
    bench.frame("f", Box(0, 0, 150, 100), fill=LIGHT).edge("e", [(50, 50), (250, 50)], "leaves", stroke=LIGHT)
    laid = bench.laid_out()
    on_night = replace(laid, styles=replace(laid.styles, theme="dark", background=THEMES["dark"].background))
    (label,) = (group for group in draw(on_night).groups if group.role == LABEL_ROLE)
    assert [item.fill for item in label.items if isinstance(item, PathItem)] == [LIGHT]
    assert contrast(ink_of(label), LIGHT) >= READABLE_CONTRAST


def fragment_over(held: str, theme: str) -> list[DrawnItem]:
    """The paint of a fragment round two lifelines, `held` of them in a light box; its guard reaches from one to the
    other."""
    lifelines: list[Json] = [{"id": id_, "kind": "node", "nodeType": "sequence.lifeline", "label": id_} for id_ in "ab"]
    box = {"id": "box", "kind": "frame", "children": [*held], "style": {"fill": "#dbeafe"}}
    call = {"id": "e", "kind": "edge", "from": {"elementId": "a"}, "to": {"elementId": "b"}, "label": "call"}
    extensions = {"operator": "alt", "operands": [{"guard": "while there are any", "messages": ["e"]}]}
    fragment = {"id": "f", "kind": "frame", "containerType": "fragment", "extensions": extensions}
    scene = {"id": "s", "units": "px", "canvas": {}}
    elements = [*lifelines, box, fragment, call]
    document = {"schemaVersion": "0.1", "diagramFamily": "sequence", "scene": scene, "elements": elements}
    drawing = draw(lay_out(document, theme=theme).scene)
    return [item for group in drawing.groups if group.id == "f" for item in group.items]


@pytest.mark.parametrize("theme", sorted(THEMES))
def test_the_guard_of_a_fragment_can_be_read_on_the_box_it_lies_over(theme: str) -> None:
    *_, tab, guard = (item for item in fragment_over("ab", theme) if isinstance(item, TextItem))
    assert contrast(guard.runs[0].color, LIGHT) >= READABLE_CONTRAST
    assert tab.runs[0].color == THEMES[theme].title


@pytest.mark.parametrize("theme", ["dark", "blueprint", "sketch"])
def test_a_guard_half_on_a_light_box_and_half_on_a_dark_page_stands_on_a_plate(theme: str) -> None:
    *_, plate, guard = fragment_over("b", theme)
    assert isinstance(plate, PathItem)
    assert isinstance(guard, TextItem)
    assert plate.fill == LIGHT
    assert contrast(guard.runs[0].color, LIGHT) >= READABLE_CONTRAST


def test_a_colour_that_the_author_chose_stays() -> None:
    label, _ = label_of("dark", across=380, textColor="#ffffff")
    assert ink_of(label) == Color(255, 255, 255)
