"""Pictures in box-drawing characters."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scenograph.engine.pipeline import Extras, RenderedPicture, render
from scenograph.engine.write.text_art import CharacterGrid, cut, letters_of, width_of
from scenograph.scene.model import Edge, Frame, Node, Text, View

Json = dict[str, Any]


def document(*elements: Json, family: str = "architecture", width: float | None = None) -> Json:
    canvas = {} if width is None else {"width": width, "height": 300}
    scene = {"id": "s", "units": "px", "canvas": canvas}
    return {"schemaVersion": "0.1", "diagramFamily": family, "scene": scene, "elements": list(elements)}


def labelled(key: str, label: str, **members: Any) -> Json:
    return {"id": key, "kind": "node", "label": label} | members


def lines_of(scene: Json) -> list[str]:
    return str(render(scene, "text").content).split("\n")


def words_said(picture: RenderedPicture) -> set[str]:
    """The words of all labels that the picture shows."""
    laid_out = picture.laid_out.scene
    said: list[str | None] = []
    for element in laid_out.scene.elements:
        route = laid_out.routes.get(element.id)
        match element:
            case Node():
                said += [element.label, *(column.name for column in element.columns)]
            case Edge() if route is not None and route.label is not None:
                said.append(element.label)
            case Frame():
                said.append(element.title)
            case Text():
                said.append(element.content)
            case _:
                pass
    return {word for text in said for word in letters_of((text or "").replace("\n", " ")).split()}


def cut_labels(picture: RenderedPicture) -> set[str]:
    """The elements whose labels are told as cut."""
    rows = [
        row for remark in picture.diagnostics if remark.code == "EXPORT_LOSS" for row in (remark.data or {})["losses"]
    ]
    return {key for row in rows if "labels" in row["what"] for key in row["elementIds"]}


@pytest.mark.parametrize("crop", ["user", "app", "open"])
def test_a_cropped_picture_shows_the_parts_of_boxes_within_its_page(crop: str) -> None:
    message = {"edgeType": "sequence.message", "from": {"elementId": "user"}, "to": {"elementId": "app"}}
    scene = document(
        labelled("user", "User", nodeType="sequence.actor"),
        labelled("app", "App", nodeType="sequence.lifeline"),
        {"id": "open", "kind": "edge", "label": "open", **message},
        family="sequence",
    )
    text = str(render(scene, "text", extras=Extras(view=View(crop=(crop,)))).content)
    assert {"user": "User", "app": "App", "open": "open"}[crop] in text


def boxes_in(text: str) -> int:
    """How many whole boxes: four corners, and sides without a gap or a foreign sign but for rules between them."""
    cells = [
        [letter for mark in line for letter in (mark, *[""] * (width_of(mark) - 1)) if width_of(mark)]
        for line in text.split("\n")
    ]
    wide = max(map(len, cells)) + 1
    cells = [row + [" "] * (wide - len(row)) for row in cells]
    return sum(
        _is_box(cells, row, column) for row, line in enumerate(cells) for column, mark in enumerate(line) if mark == "┌"
    )


def _is_box(cells: list[list[str]], top: int, left: int) -> bool:
    right = next(at for at in range(left + 1, len(cells[top])) if cells[top][at] != "─")
    bottom = top + 1
    while (cells[bottom][left], cells[bottom][right]) in (("│", "│"), ("├", "┤")):
        bottom += 1
    corners = cells[top][right] + cells[bottom][left] + cells[bottom][right]
    return corners == "┐└┘" and set(cells[bottom][left + 1 : right]) <= {"─"}


SCENES = sorted((Path(__file__).parents[2] / "golden" / "rules" / "scenes").glob("*.json"))
OF_ONE_WORD_EACH = [path for path in SCENES if "R-TEXT-2-labels" not in path.name]
"""Without the scene whose words the fonts compose anew."""


@cache
def drawn(path: Path) -> RenderedPicture:
    return render(json.loads(path.read_text(encoding="utf-8")), "text")


@pytest.mark.parametrize("path", OF_ONE_WORD_EACH, ids=lambda path: path.stem)
def test_every_word_of_every_family_is_found_whole(path: Path) -> None:
    picture = drawn(path)
    text = str(picture.content)
    assert {word for word in words_said(picture) if word not in text} == set()
    assert cut_labels(picture) == set()


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_every_box_that_stands_alone_is_whole(path: Path) -> None:
    picture = drawn(path)
    laid_out = picture.laid_out.scene
    boxes = [
        laid_out.placement.boxes[one.id]
        for one in laid_out.scene.elements
        if isinstance(one, Node) and one.shape != "textBox"
    ]
    others = [laid_out.placement.boxes[one.id] for one in laid_out.scene.elements if one.id in laid_out.placement.boxes]
    alone = [
        box
        for box in boxes
        if not any(box != other and box.overlaps(other) and not other.contains(box.grown(1)) for other in others)
    ]
    assert boxes_in(str(picture.content)) >= len(alone)


words = st.text("abcdefgh", min_size=1, max_size=9)
texts = st.lists(words, min_size=1, max_size=3).map(" ".join)


@st.composite
def small_scenes(draw: st.DrawFn) -> Json:
    keys = [f"n{number}" for number in range(draw(st.integers(1, 6)))]
    nodes = [labelled(key, draw(texts)) for key in keys]
    ends = st.sampled_from(keys)
    edges = [
        {
            "id": f"e{number}",
            "kind": "edge",
            "from": {"elementId": draw(ends)},
            "to": {"elementId": draw(ends)},
            "label": draw(texts),
        }
        for number in range(draw(st.integers(0, 5)))
    ]
    held = [key for key in keys if draw(st.booleans())]
    frames = [{"id": "f", "kind": "frame", "title": draw(texts), "children": held}] if held else []
    pools = draw(st.booleans()) and bool(held)
    if pools:
        frames = [
            {"id": "p", "kind": "frame", "containerType": "pool", "title": draw(texts), "children": ["f"]},
            frames[0] | {"containerType": "lane"},
        ]
    return document(*frames, *nodes, *edges, family="workflow" if pools else "architecture")


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(small_scenes())
def test_scenes_that_nobody_drew_have_whole_words_and_boxes(scene: Json) -> None:
    picture = render(scene, "text")
    text = str(picture.content)
    assert {word for word in words_said(picture) if word not in text} == set()
    assert boxes_in(text) >= sum(isinstance(one, Node) for one in picture.laid_out.scene.scene.elements)


def test_titles_of_a_pool_and_its_lanes_stand_beside_each_other() -> None:
    lanes = [
        {"id": key, "kind": "frame", "containerType": "lane", "title": title, "children": [f"n{key}"]}
        for key, title in (("l", "Sales and service"), ("m", "Stock"))
    ]
    pool = {
        "id": "p",
        "kind": "frame",
        "containerType": "pool",
        "title": "Process Engine - Receipt",
        "children": ["l", "m"],
    }
    text = "\n".join(
        lines_of(document(pool, *lanes, labelled("nl", "Sell"), labelled("nm", "Send"), family="workflow"))
    )
    for title in ("─ Sales and service ─", "─ Stock ─", "Process", "Engine", "Receipt"):
        assert title in text


def test_a_label_gives_way_to_another_that_stands_there_and_one_without_a_place_is_told() -> None:
    place = {"mode": "absolute", "x": 10, "y": 10}
    given = [{"id": f"t{number}", "kind": "text", "content": f"words{number}", "layout": place} for number in range(3)]
    picture = render(document(*given), "text")
    assert [f"words{number}" in str(picture.content) for number in range(3)] == [True] * 3
    many = [{"id": f"t{number}", "kind": "text", "content": f"words{number}", "layout": place} for number in range(12)]
    crowded = render(document(*many), "text")
    lost = {f"t{number}" for number in range(12) if f"words{number}" not in str(crowded.content).split()}
    assert lost <= cut_labels(crowded)
    assert lost


def test_two_boxes_and_an_arrow() -> None:
    arrow = {"id": "e", "kind": "edge", "from": {"elementId": "a"}, "to": {"elementId": "b"}, "label": "to"}
    given = document(labelled("a", "Shop"), labelled("b", "Bank"), arrow | {"endpoints": {"endArrow": "triangle"}})
    text = "\n".join(lines_of(given))
    assert [word for word in ("Shop", "to", "▼", "Bank") if word not in text] == []
    assert text.index("Shop") < text.index("to") < text.index("▼") < text.index("Bank")
    assert text.count("┌") == text.count("└") == text.count("┐") == text.count("┘") == 2


def test_a_frame_has_its_title_in_its_border() -> None:
    frame = {"id": "f", "kind": "frame", "title": "Backend", "children": ["a"]}
    assert any("┌─ Backend ─" in line for line in lines_of(document(labelled("a", "A wide enough label"), frame)))


@pytest.mark.parametrize("width", [None, 1_600, 90_000])
def test_no_line_is_wider_than_two_hundred_columns(width: float | None) -> None:
    assert max(map(width_of, lines_of(document(labelled("a", "Shop"), width=width)))) <= 200


def row_of(count: int, label: str = "Supercalifragilistic") -> Json:
    places = [{"mode": "absolute", "x": 200 * number + 10, "y": 10} for number in range(count)]
    return document(*(labelled(f"n{at}", label, layout=place) for at, place in enumerate(places)))


@pytest.mark.parametrize("count", [8, 20, 60, 150])
def test_a_picture_that_is_too_wide_goes_on_below_with_whole_words(count: int) -> None:
    picture = render(row_of(count), "text")
    text = str(picture.content)
    assert text.count("Supercalifragilistic") == boxes_in(text) == count
    assert "…" not in text
    pages = text.split("┈" * 200 + "\n")
    assert (len(pages) == 1) == (count == 8)
    assert max(map(len, text.splitlines())) <= 200
    told = [row["what"] for one in picture.diagnostics if one.data for row in one.data.get("losses", ())]
    assert told == (["a page in one piece: it goes on below each row of ┈"] if len(pages) > 1 else [])


def test_labels_that_do_not_fit_are_cut_and_told() -> None:
    picture = render(row_of(20, "S" * 500), "text")
    losses = next(row.data for row in picture.diagnostics if row.code == "EXPORT_LOSS")
    assert losses is not None
    assert [len(row["elementIds"]) for row in losses["losses"] if "labels" in row["what"]] == [20]
    assert "…" in str(picture.content)


def test_a_lifeline_has_its_name_at_both_ends_of_its_tail() -> None:
    lives = [labelled(key, key.title(), nodeType="sequence.lifeline") for key in ("shop", "bank")]
    call = {"id": "e", "kind": "edge", "from": {"elementId": "shop"}, "to": {"elementId": "bank"}, "label": "pays"}
    text = lines_of(document(*lives, call, family="sequence"))
    assert sum("Shop" in line for line in text) == sum("Bank" in line for line in text) == 2
    assert any("pays" in line for line in text)


def test_wide_letters_take_two_cells_and_control_characters_none_of_the_page() -> None:
    assert width_of("日本e\u0301") == 5
    assert cut("日本語", 5) == "日本…"
    text = lines_of(document(labelled("a", "\x1b[31mred"), labelled("b", "日本語")))
    assert not any("\x1b" in line for line in text)


def test_lines_that_cross_join() -> None:
    grid = CharacterGrid(3, 3)
    grid.line((0, 1), (2, 1))
    grid.line((1, 0), (1, 2))
    assert grid.text(3) == " ╷\n╶┼╴\n ╵\n"


def test_a_class_has_its_keyword_name_and_members_one_below_the_other() -> None:
    extensions = {"attributes": ["- id: UUID"], "methods": ["+ add()"]}
    lines = lines_of(document(labelled("o", "Order", nodeType="uml.interface", extensions=extensions)))
    words = ["«interface»", "Order", "- id: UUID", "+ add()"]
    rows = [next(row for row, line in enumerate(lines) if word in line) for word in words]
    assert rows == sorted(set(rows))


@pytest.mark.parametrize("direction", ["TB", "LR"])
def test_the_ends_of_a_line_have_their_labels_beside_the_boxes(direction: str) -> None:
    edge = {"id": "e", "kind": "edge", "edgeType": "uml.associates"}
    ends = {"from": {"elementId": "a", "label": "1"}, "to": {"elementId": "b", "label": "0..*"}}
    given = document(
        labelled("a", "Order", nodeType="uml.class"), labelled("b", "Line", nodeType="uml.class"), edge | ends
    )
    lines = lines_of(given | {"layoutStrategy": {"algorithm": "hierarchical", "direction": direction}})
    found = [line for line in lines if "0..*" in line]
    assert len(found) == 1
    assert boxes_in("\n".join(lines)) == 2


@pytest.mark.parametrize("label", ["", "\u200b", "says"])
def test_a_slanted_line_between_points_that_are_not_seen_is_written(label: str) -> None:
    point = {"shape": "ellipse", "style": {"fill": "none", "stroke": "none"}}
    places = {"a": (169, 487.5), "b": (61, 393)}
    dots = [
        labelled(key, "", **point, layout={"mode": "absolute", "x": x, "y": y, "width": 1, "height": 1})
        for key, (x, y) in places.items()
    ]
    line: Json = {"id": "l", "kind": "edge", "from": {"elementId": "a"}, "to": {"elementId": "b"}, "router": "straight"}
    assert any(row.strip() for row in lines_of(document(*dots, {**line, "label": label})))


def test_a_slanted_line_leads_as_far_from_a_box_as_it_does() -> None:
    box = labelled("a", "Box", layout={"mode": "absolute", "x": 0, "y": 0, "width": 90, "height": 40})
    far = labelled("b", "", shape="ellipse", style={"fill": "none", "stroke": "none"})
    far["layout"] = {"mode": "absolute", "x": 300, "y": 190, "width": 1, "height": 1}
    line: Json = {"id": "l", "kind": "edge", "from": {"elementId": "a"}, "to": {"elementId": "b"}, "router": "straight"}
    rows = [row for row in lines_of(document(box, far, line)) if row.strip()]
    assert len(rows) > 8
    assert max(map(len, rows)) > 2 * len("┌──────────┐")
