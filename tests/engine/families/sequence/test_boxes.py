"""Boxes round lifelines hold what happens on those alone, and keep clear of each other and of heads."""

from __future__ import annotations

import pytest
from tests.engine.families.sequence.conftest import chart, charted, document, fragment, frame, lifeline, message, note

from scenograph.engine.geometry.boxes import Box
from scenograph.engine.pipeline import normalize

LONG = "A long title that is far wider than a head"


def test_a_box_holds_the_loops_notes_and_labels_of_its_lifelines() -> None:
    found = chart(
        frame("x", "Client", "a"),
        frame("y", "Backend", "b", "c"),
        *map(lifeline, "abcd"),
        message("m", "a>b", "one"),
        message("loop", "c>c", "validate the whole order"),
        note("over", "A note with a longer text in it", over=["a"]),
        note("left", "left note", over=["b"], side="left"),
        note("right", "a note at the right", over=["c"], side="right"),
    )
    assert found.box("x").contains(found.box("over"))
    assert all(found.box("y").contains(found.box(name)) for name in ("left", "right"))
    assert found.box("y").contains(found.label("loop"))
    assert max(x for x, _ in found.points("loop")) < found.box("y").right < found.box("d").x
    assert found.box("x").right < found.box("y").x


def test_the_header_of_a_box_with_a_small_title_is_24_px_high() -> None:
    box = frame("x", "Client", "a") | {"containerType": "pool", "style": {"fontSize": 8}}
    found = chart(box, *map(lifeline, "ab"), message("m", "a>b", "one"))
    assert found.part("x", "header").height == 24


def test_the_figure_of_a_short_name_has_a_head_of_100_px() -> None:
    short = lifeline("a", "Al", "actor")
    narrow = lifeline("b", "A long name in lines", "actor", layout={"width": 30})
    sizes = chart(short, narrow, message("m", "a>b", "one")).laid_out.sizes
    assert (sizes["a"].width, len(sizes["b"].label.lines)) == (100, 2)


def test_boxes_with_long_titles_keep_clear_of_nested_neighbours() -> None:
    nest = frame("o1", "Outer 1", "o2"), frame("o2", "Outer 2", "o3"), frame("o3", "Outer 3", "b")
    rows = *map(lifeline, "abc"), message("m", "a>b", "x")
    found = chart(frame("t", LONG, "a"), *nest, frame("u", LONG, "c"), *rows, canvas={"width": 200, "height": 200})
    assert found.box("t").right < found.box("o1").x
    assert found.box("o1").right < found.box("u").x
    assert found.box("o1").contains(found.box("o2"))
    assert found.box("o2").contains(found.box("o3"))


def test_a_free_lifeline_stands_clear_of_a_box_beside_it() -> None:
    found = chart(frame("t", LONG, "b"), *map(lifeline, "abc"), message("m", "a>c", "x"))
    assert found.box("a").right < found.box("t").x
    assert found.box("t").right < found.box("c").x


@pytest.mark.parametrize("kind", ["pool", "lane", "boundary", "partition", "package", "subprocess"])
def test_the_title_of_a_box_of_any_type_stands_above_the_heads(kind: str) -> None:
    box = frame("t", "Title", "a", "b") | {"containerType": kind}
    found = chart(box, *map(lifeline, "ab"), message("m", "a>b", "x"))
    parts = found.parts("t")
    assert parts
    assert all(part.bottom <= found.box("a").y for part in parts.values())


def test_a_head_created_in_a_fragment_lies_inside_it() -> None:
    for order in ("aw", "wa"):
        rows = *map(lifeline, order), message("new", "a>w", "new", "create"), message("go", "a>w", "go")
        found = chart(*rows, fragment("f", "opt", ("if", ["new"])))
        head: Box = found.box("w")
        assert found.box("f").contains(head)
        assert found.box("f").bottom < found.y("go")


def test_normalizing_a_chart_with_boxes_moves_nothing() -> None:
    scene = document(
        frame("x", LONG, "a"),
        frame("y", "Backend", "b", "c"),
        *map(lifeline, "abc"),
        message("m", "c>c", "validate the whole order"),
        note("n", "A note with a longer text in it", over=["a"]),
        message("k", "c>a", "a longer reply label", "reply"),
    )
    once = normalize(scene)[0]
    again = normalize({key: value for key, value in once.items() if key not in {"computed", "diagnostics"}})[0]
    assert again["computed"] == once["computed"]
    assert charted(scene).box("x").contains(charted(scene).box("n"))
