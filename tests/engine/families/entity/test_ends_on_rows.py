"""Every end that names a column meets its row, wherever tables stand and whatever their lines share (R-ROUTE-8)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenograph.engine.pipeline import LaidOut, lay_out
from scenograph.scene.model import Edge

Json = dict[str, Any]

COLUMNS = ("id", "name", "order_id")
RIM = 0.6  # px beyond the row: half of a slanted line's sharpening


def document(*elements: Json, family: str = "entityRelationship") -> Json:
    scene = {"id": "any", "units": "px", "canvas": {}}
    return {"schemaVersion": "0.1", "diagramFamily": family, "scene": scene, "elements": list(elements)}


def table(name: str, *columns: str, **members: Any) -> Json:
    rows = [{"name": column} for column in columns]
    return {"id": name, "kind": "node", "nodeType": "er.entity", "extensions": {"columns": rows}, **members}


def line(name: str, source: Json, target: Json, **members: Any) -> Json:
    return {"id": name, "kind": "edge", "from": source, "to": target, **members}


def at(x: float, y: float, **size: float) -> Json:
    return {"mode": "absolute", "x": x, "y": y, **size}


def off_their_rows(found: LaidOut) -> list[str]:
    """The ends that name a row and lie above or below it."""
    scene, faults = found.scene, list[str]()
    for edge in scene.scene.elements:
        if not isinstance(edge, Edge) or edge.id not in scene.routes:
            continue
        points = scene.routes[edge.id].points
        for end, point in ((edge.source, points[0]), (edge.target, points[-1])):
            row = scene.placement.part(end.element_id, f"column:{end.column}") if end.column else None
            if row is not None and not row.y - RIM <= point.y <= row.bottom + RIM:
                faults.append(f"{edge.id} at {point} off {end.element_id}.{end.column} {row}")
    return faults


def test_a_line_that_shares_a_label_with_another_of_its_table_begins_at_its_own_row() -> None:
    ends = {"elementId": "a"}, {"elementId": "a", "column": "id"}
    lines = [line(f"e{n}", end, {"elementId": "b"}, label="places orders") for n, end in enumerate(ends)]
    found = lay_out(document(table("a", "id"), table("b"), *lines))
    assert off_their_rows(found) == []


def test_lines_of_one_row_with_one_label_still_share_their_way() -> None:
    lines = [
        line(f"e{n}", {"elementId": "a", "column": "id"}, {"elementId": "b"}, label="places orders") for n in range(2)
    ]
    routes = lay_out(document(table("a", "id"), table("b"), *lines)).scene.routes
    assert routes["e0"].points == routes["e1"].points


@pytest.mark.parametrize("end", ["from", "to"])
def test_a_line_round_tables_that_cover_each_other_meets_its_row(end: str) -> None:
    below = {"id": "n", "kind": "node", "layout": at(301, 43, width=193, height=203)}
    covered = table("a", "order_id", "name", "id", layout=at(361, 160))
    ends = {"elementId": "a", "column": "name"}, {"elementId": "n"}
    source, target = ends if end == "from" else ends[::-1]
    assert off_their_rows(lay_out(document(below, covered, line("e", source, target)))) == []


@pytest.mark.parametrize("router", ["straight", "curved", "orthogonal", "polyline"])
def test_a_line_to_a_row_of_a_table_without_a_seen_box_is_not_drawn_on_to_its_icon(router: str) -> None:
    bare = table("a", "name", "id", shape="rect", icon="aws:s3", layout=at(300, 40))
    other = {"id": "n", "kind": "node", "layout": at(0, 300)}
    end = {"elementId": "a", "column": "id"}
    assert off_their_rows(lay_out(document(bare, other, line("e", {"elementId": "n"}, end, router=router)))) == []


@st.composite
def scenes(draw: st.DrawFn) -> Json:
    count = draw(st.integers(2, 5))
    places = st.none() | st.tuples(st.integers(0, 400), st.integers(0, 400))
    tables = []
    for number in range(count):
        place = draw(places)
        columns = draw(st.lists(st.sampled_from(COLUMNS), unique=True))
        icon = draw(st.sampled_from([{}, {}, {}, {"icon": "aws:s3", "shape": "rect"}]))
        tables.append(table(f"n{number}", *columns, **icon, **({"layout": at(*place)} if place else {})))
    ends = st.builds(
        lambda number, column: {"elementId": f"n{number}", **({"column": column} if column else {})},
        st.integers(0, count - 1),
        st.none() | st.sampled_from(COLUMNS),
    )
    routers = st.sampled_from([{}, {}, {"router": "straight"}, {"router": "curved"}, {"router": "polyline"}])
    labels = st.sampled_from([{}, {"label": "has"}, {"label": "places orders"}])
    rows = st.lists(st.tuples(ends, ends, routers, labels), min_size=1, max_size=7)
    lines = [line(f"e{n}", *row[:2], **row[2], **row[3]) for n, row in enumerate(draw(rows))]
    return document(*tables, *lines, family=draw(st.sampled_from(["entityRelationship", "architecture"])))


@settings(deadline=None, max_examples=100)
@given(scenes())
def test_in_any_scene_of_tables_every_end_meets_its_row(scene: Json) -> None:
    assert off_their_rows(lay_out(scene)) == []
