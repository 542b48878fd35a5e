"""Pictures in box-drawing characters."""

from __future__ import annotations

from typing import Any

import pytest

from scenograph.engine.pipeline import render
from scenograph.engine.write.text_grid import Grid, cut, width_of

Json = dict[str, Any]


def document(*elements: Json, family: str = "architecture", width: float | None = None) -> Json:
    canvas = {} if width is None else {"width": width, "height": 300}
    scene = {"id": "s", "units": "px", "canvas": canvas}
    return {"schemaVersion": "0.1", "diagramFamily": family, "scene": scene, "elements": list(elements)}


def node(key: str, label: str, **members: Any) -> Json:
    return {"id": key, "kind": "node", "label": label} | members


def lines_of(given: Json) -> list[str]:
    return str(render(given, "text").content).split("\n")


def test_two_boxes_and_an_arrow() -> None:
    arrow = {"id": "e", "kind": "edge", "from": {"elementId": "a"}, "to": {"elementId": "b"}, "label": "to"}
    given = document(node("a", "Shop"), node("b", "Bank"), arrow | {"endpoints": {"endArrow": "triangle"}})
    text = "\n".join(lines_of(given))
    assert [word for word in ("Shop", "to", "▼", "Bank") if word not in text] == []
    assert text.index("Shop") < text.index("to") < text.index("▼") < text.index("Bank")
    assert text.count("┌") == text.count("└") == text.count("┐") == text.count("┘") == 2


def test_a_frame_has_its_title_in_its_border() -> None:
    frame = {"id": "f", "kind": "frame", "title": "Backend", "children": ["a"]}
    assert any("┌─ Backend ─" in line for line in lines_of(document(node("a", "A wide enough label"), frame)))


@pytest.mark.parametrize("width", [None, 1_600, 90_000])
def test_no_line_is_wider_than_two_hundred_columns(width: float | None) -> None:
    assert max(map(width_of, lines_of(document(node("a", "Shop"), width=width)))) <= 200


def test_labels_that_do_not_fit_are_cut_and_told() -> None:
    layout = {"mode": "absolute", "x": 10, "y": 10, "width": 60, "height": 40}
    picture = render(document(node("a", "Supercalifragilistic", layout=layout), width=8_000), "text")
    losses = next(row.data for row in picture.diagnostics if row.code == "EXPORT_LOSS")
    assert losses is not None
    assert losses["losses"] == [{"elementIds": ["a"], "what": "the ends of labels that do not fit"}]
    assert "…" in str(picture.content)


def test_a_lifeline_has_its_name_at_both_ends_of_its_tail() -> None:
    lives = [node(key, key.title(), nodeType="sequence.lifeline") for key in ("shop", "bank")]
    call = {"id": "e", "kind": "edge", "from": {"elementId": "shop"}, "to": {"elementId": "bank"}, "label": "pays"}
    text = lines_of(document(*lives, call, family="sequence"))
    assert sum("Shop" in line and "Bank" in line for line in text) == 2
    assert any("pays" in line for line in text)


def test_wide_letters_take_two_cells_and_control_characters_none_of_the_page() -> None:
    assert width_of("日本e\u0301") == 5
    assert cut("日本語", 5) == "日本…"
    text = lines_of(document(node("a", "\x1b[31mred"), node("b", "日本語")))
    assert not any("\x1b" in line for line in text)


def test_lines_that_cross_join() -> None:
    grid = Grid(3, 3)
    grid.line((0, 1), (2, 1))
    grid.line((1, 0), (1, 2))
    assert grid.text() == " ╷\n╶┼╴\n ╵\n"


def test_a_class_has_its_keyword_name_and_members_one_below_the_other() -> None:
    extensions = {"attributes": ["- id: UUID"], "methods": ["+ add()"]}
    lines = lines_of(document(node("o", "Order", nodeType="uml.interface", extensions=extensions)))
    words = ["«interface»", "Order", "- id: UUID", "+ add()"]
    rows = [next(row for row, line in enumerate(lines) if word in line) for word in words]
    assert rows == sorted(set(rows))


@pytest.mark.parametrize("direction", ["TB", "LR"])
def test_the_ends_of_a_line_have_their_labels_beside_the_boxes(direction: str) -> None:
    edge = {"id": "e", "kind": "edge", "edgeType": "uml.associates"}
    ends = {"from": {"elementId": "a", "label": "1"}, "to": {"elementId": "b", "label": "0..*"}}
    given = document(node("a", "Order", nodeType="uml.class"), node("b", "Line", nodeType="uml.class"), edge | ends)
    lines = lines_of(given | {"layoutStrategy": {"algorithm": "hierarchical", "direction": direction}})
    found = [line for line in lines if "0..*" in line]
    assert len(found) == 1
    assert "┌" not in found[0]
    assert "└" not in found[0]
