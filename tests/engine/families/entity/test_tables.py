"""Entities as tables: their parts, their sizes, their paint."""

import json
from collections.abc import Callable
from itertools import combinations, pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenograph.engine import pipeline
from scenograph.engine.colors import READABLE_CONTRAST, contrast, over
from scenograph.engine.drawing import PathItem, TextItem
from scenograph.engine.families.catalog import NODE_KINDS
from scenograph.engine.families.entity import paint_table, paint_weak_table
from scenograph.engine.families.faces import double_border, inks_of
from scenograph.engine.families.family import NodeFace
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.pipeline import LaidOut, lay_out, normalize, render_svg
from scenograph.engine.themes import THEMES
from scenograph.scene.model import Node

Tables = Callable[..., dict[str, Any]]

COLUMNS: list[Any] = [
    {"name": "id", "type": "bigint", "pk": True},
    {"name": "owner_id", "type": "bigint", "key": "FK"},
    {"name": "email", "type": "varchar(120)", "unique": True, "nullable": True},
    {"name": "a_column_with_quite_a_long_name", "type": "timestamp with time zone"},
]


def table(tables: Tables, columns: list[Any] = COLUMNS, **members: Any) -> dict[str, Any]:
    document = tables({"users": columns})
    document["elements"][0] |= members
    return document


def face_of(laid_out: LaidOut) -> NodeFace:
    scene = laid_out.scene
    (node,) = (element for element in scene.scene.elements if isinstance(element, Node))
    parts = scene.placement.parts[node.id]
    box = scene.placement.boxes[node.id]
    return NodeFace(node=node, box=box, size=scene.sizes[node.id], parts=parts, style=scene.styles.of[node.id])


def written(face: NodeFace) -> list[str]:
    items = (item for item in paint_table(face) if isinstance(item, TextItem))
    return [" ".join(run.text for run in item.runs) for item in items]


def test_a_table_says_its_name_keys_columns_and_types(tables: Tables) -> None:
    texts = written(face_of(lay_out(table(tables))))
    assert {"users", "id", "owner_id", "email", "PK", "FK", "UK", "bigint", "varchar(120)?"} <= set(texts)


def test_rows_lie_under_the_header_side_by_side_with_nothing_between(tables: Tables) -> None:
    face = face_of(lay_out(table(tables)))
    rows = [face.parts["header"], *(face.parts[f"row:{number}"] for number in range(len(COLUMNS)))]
    assert all(above.bottom == pytest.approx(below.y) for above, below in pairwise(rows))
    assert rows[0].y == face.box.y
    assert rows[-1].bottom == pytest.approx(face.box.bottom)
    for number, column in enumerate(COLUMNS):
        assert face.parts[f"column:{column['name']}"] == face.parts[f"row:{number}"]


def test_an_entity_without_columns_is_a_plain_box(tables: Tables) -> None:
    laid_out = lay_out(table(tables, []))
    assert laid_out.scene.placement.boxes["users"][2:] == (120.0, 48.0)
    assert set(laid_out.scene.placement.parts["users"]) == {"label"}


def test_another_shape_that_holds_no_rows_is_drawn_as_its_author_wants_it(tables: Tables) -> None:
    assert set(lay_out(table(tables, shape="cylinder")).scene.placement.parts["users"]) == {"label"}
    assert "row:0" in lay_out(table(tables, shape="roundedRect")).scene.placement.parts["users"]


def test_a_weak_entity_has_a_second_border_4_px_inside_and_its_rows_in_it(tables: Tables) -> None:
    face = face_of(lay_out(table(tables, nodeType="er.weakEntity")))
    inner = face.box.grown(-4)
    corners = [
        {(round(step.to.x, 2), round(step.to.y, 2)) for step in item.path if hasattr(step, "to")}
        for item in paint_weak_table(face)
        if isinstance(item, PathItem) and item.stroke is not None
    ]
    wanted = {(round(x, 2), round(y, 2)) for x in (inner.x, inner.right) for y in (inner.y, inner.bottom)}
    assert wanted in corners
    assert all(inner.contains(part) for name, part in face.parts.items() if name.startswith("row:"))


def test_a_weak_entity_without_columns_has_its_second_border_4_px_inside_as_well() -> None:
    box = Box(10.0, 20.0, 120.0, 48.0)
    (border,) = double_border(box)
    corners = {(step.to.x, step.to.y) for step in border.path if hasattr(step, "to")}
    assert corners == {(x, y) for x in (14.0, 126.0) for y in (24.0, 64.0)}
    assert NODE_KINDS["er.weakEntity"].glyph is double_border


def test_a_name_that_is_too_long_wraps_and_its_row_grows(tables: Tables) -> None:
    long = "_".join(["word"] * 40)
    laid_out = lay_out(table(tables, [{"name": long, "type": "text"}, {"name": "b"}]))
    parts = laid_out.scene.placement.parts["users"]
    assert laid_out.scene.placement.boxes["users"].width < 420
    assert parts["row:0"].height > 2 * parts["row:1"].height


def test_a_tall_box_gives_its_rows_more_room_and_a_low_one_takes_their_padding(tables: Tables) -> None:
    natural = face_of(lay_out(table(tables)))
    tall = face_of(lay_out(table(tables, layout={"width": natural.box.width, "height": natural.box.height + 40})))
    low = lay_out(table(tables, layout={"width": natural.box.width, "height": natural.box.height - 20}))
    heights = [face.parts["row:0"].height for face in (tall, natural, face_of(low))]
    assert heights[0] > heights[1] > heights[2]
    assert low.diagnostics == ()


def test_a_height_that_is_too_small_is_told_and_the_last_row_counts_what_is_missing(tables: Tables) -> None:
    laid_out = lay_out(table(tables, layout={"width": 400, "height": 60}))
    (row,) = laid_out.diagnostics
    assert (row.code, row.element_id) == ("TEXT_OVERFLOW", "users")
    assert row.data is not None
    assert row.data["requiredHeight"] > row.data["availableHeight"] == 60
    face = face_of(laid_out)
    assert "… 3 more" in written(face)
    assert all(face.box.contains(part) for part in face.parts.values())
    assert face.parts["column:email"] == face.parts["more"]


def test_a_row_with_a_blank_name_is_as_high_as_any(tables: Tables) -> None:
    face = face_of(lay_out(table(tables, [{"name": " ", "key": "PK"}, {"name": "id"}])))
    assert face.parts["row:0"].height == face.parts["row:1"].height
    assert face.parts["row:0"].contains(face.parts["badge:0:PK"])


ALPHABET = "abc_ XYZ漢0"
columns = st.lists(
    st.fixed_dictionaries(
        {"name": st.text(ALPHABET, min_size=1, max_size=60)},
        optional={
            "type": st.text(ALPHABET, max_size=40),
            "key": st.sampled_from(["PK", "FK", "UK", "PK FK"]),
            "nullable": st.booleans(),
        },
    ),
    min_size=1,
    max_size=9,
)
lengths = st.none() | st.floats(1, 500)


@settings(deadline=None, max_examples=50)
@given(columns, lengths, lengths, st.sampled_from(["er.entity", "er.weakEntity"]))
def test_any_table_keeps_its_texts_inside_and_comes_out_the_same_when_normalized(
    columns: list[Any], width: float | None, height: float | None, kind: str
) -> None:
    layout = {name: value for name, value in (("width", width), ("height", height)) if value is not None}
    node = {"id": "t", "kind": "node", "nodeType": kind, "label": "any table", "layout": layout}
    scene = {"id": "any", "units": "px", "canvas": {}}
    document = {
        "schemaVersion": "0.1",
        "diagramFamily": "entityRelationship",
        "scene": scene,
        "elements": [node | {"extensions": {"columns": columns}}],
    }
    laid_out = lay_out(document).scene
    box, parts = laid_out.placement.boxes["t"], laid_out.placement.parts["t"]
    rows = [part for name, part in parts.items() if name.startswith("row:")]
    assert not any(a.overlaps(b) for a, b in combinations(rows, 2))
    if height is None:
        assert all(box.grown(0.01).contains(row) for row in rows)
        for name, block in laid_out.sizes["t"].texts.items():
            assert block.height <= parts[name].height + 0.5
    once, _ = normalize(document)
    twice, _ = normalize(once)
    assert twice["computed"] == once["computed"]
    normal = lay_out(once).scene
    assert normal.placement.parts["t"].keys() == parts.keys()
    assert render_svg(once).content


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("fill", [None, "#ffffff", "#111827", "#2563eb", "#fde68a", "#7f7f7f"])
def test_all_texts_of_a_table_can_be_read(tables: Tables, theme: str, fill: str | None) -> None:
    style = {} if fill is None else {"style": {"fill": fill, "stroke": "#b91c1c"}}
    face = face_of(lay_out(table(tables, **style), theme=theme))
    inks, paper = inks_of(face.style), face.style.fill
    grounds = [(face.style.text_color, paper), (face.style.muted_color, paper), (inks.on_line, inks.line)]
    grounds += [(face.style.text_color, inks.band)] if inks.band is not None else []
    for text, ground in grounds:
        assert contrast(over(text, ground), ground) >= READABLE_CONTRAST


def test_two_columns_of_one_name_are_both_drawn_and_the_first_is_the_anchor(tables: Tables) -> None:
    face = face_of(lay_out(table(tables, ["twin", "twin"])))
    assert written(face).count("twin") == 2
    assert face.parts["column:twin"] == face.parts["row:0"]


def test_an_icon_stands_above_the_name(tables: Tables) -> None:
    parts = lay_out(table(tables, icon="lucide:database")).scene.placement.parts["users"]
    assert parts["icon"].bottom <= parts["label"].y
    assert parts["header"].contains(Box(*parts["icon"]))


def test_a_table_of_a_thousand_columns_is_drawn(tables: Tables) -> None:
    document = table(tables, [{"name": f"c{number}", "type": "int"} for number in range(1000)])
    assert len(face_of(lay_out(json.loads(json.dumps(document)))).size.texts) == 2001


@pytest.mark.parametrize("kind", ["er.entity", "er.weakEntity"])
@pytest.mark.parametrize("width", [0, 1, 20, 45, 90, 130, 180])
def test_a_narrow_table_keeps_its_texts_inside_its_sides(tables: Tables, kind: str, width: float) -> None:
    document = table(tables, nodeType=kind, layout={"width": width})
    laid_out = lay_out(document).scene
    box, parts = laid_out.placement.boxes["users"], laid_out.placement.parts["users"]
    names = [part for name, part in parts.items() if name.startswith(("name:", "type:", "badge:"))]
    assert all(box.x <= part.x and part.right <= box.right + 1.0 for part in names)
    assert render_svg(document).content
    assert render_svg(table(tables, nodeType=kind, layout={"width": width, "height": width})).content


def test_a_node_of_no_type_or_a_free_one_is_a_table_when_it_has_columns() -> None:
    rows = {"columns": [{"name": "id", "pk": True}, {"name": "name"}]}
    types = {"none": None, "free": "table", "known": "database", "round": "database"}
    nodes = [
        {"id": key, "kind": "node", "label": key, "extensions": rows, "nodeType": name} for key, name in types.items()
    ]
    nodes[0].pop("nodeType")
    nodes[-1]["shape"] = "cylinder"
    head = {"id": "s", "units": "px", "canvas": {}}
    document = {"schemaVersion": "0.1", "scene": head, "elements": nodes, "diagramFamily": "entityRelationship"}
    parts = pipeline.lay_out(document).scene.placement.parts
    assert {key for key in types if "row:1" in parts.get(key, {})} == {"none", "free", "known"}
    once = pipeline.normalize(document)[0]
    again = pipeline.normalize({key: once[key] for key in once if key not in {"computed", "diagnostics"}})[0]
    assert again["computed"] == once["computed"]
