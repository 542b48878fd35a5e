"""The ten constraints: what moves, what stays, what cannot hold together. (R-CON-1, R-CON-4)"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenograph.diagnostics import Report
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.pipeline import normalize
from scenograph.engine.place.constraints.kinds import CONSTRAINTS, Board
from scenograph.engine.place.inventory import take_inventory
from scenograph.scene.description.document import CONSTRAINT_RECORDS
from scenograph.scene.reading import read_scene


def _node(key: str, x: float, y: float, width: float = 100, height: float = 50, **more: Any) -> dict[str, Any]:
    layout = {"mode": "absolute", "x": x, "y": y, "width": width, "height": height}
    return {"id": key, "kind": "node", "layout": layout, **more}


def _wish(kind: str, *elements: str, **parameters: Any) -> dict[str, Any]:
    return {"id": f"{kind}-{'-'.join(elements)}", "type": kind, "elements": list(elements), **parameters}


def _frame(key: str, children: list[str], box: tuple[float, float, float, float] | None = None) -> dict[str, Any]:
    frame: dict[str, Any] = {"id": key, "kind": "frame", "children": children}
    if box is not None:
        frame["layout"] = {"mode": "absolute", **dict(zip(("x", "y", "width", "height"), box, strict=True))}
    return frame


THREE = (_node("a", 100, 100), _node("b", 350, 180, 60, 80), _node("c", 620, 140, 120, 40))


def test_every_constraint_that_a_document_may_have_is_carried_out() -> None:
    assert set(CONSTRAINTS) == set(CONSTRAINT_RECORDS)


@pytest.mark.parametrize("axis", ["x", "y"])
def test_align_gives_all_the_first_ones_middle_on_that_axis_and_leaves_the_other(placed: Any, axis: str) -> None:
    before, after = placed(*THREE), placed(*THREE, constraints=[_wish("align", "b", "a", "c", axis=axis)])
    other = "y" if axis == "x" else "x"
    for key in "abc":
        assert getattr(after.box(key).center, axis) == pytest.approx(getattr(before.box("b").center, axis))
        assert getattr(after.box(key).center, other) == getattr(before.box(key).center, other)
    assert after.box("b") == before.box("b")


def test_distribute_without_a_gap_shares_what_the_outer_two_leave(placed: Any) -> None:
    after = placed(*THREE, constraints=[_wish("distribute", "a", "b", "c", axis="x")])
    a, b, c = (after.box(key) for key in "abc")
    assert (a.x, c.x) == (100, 620)
    assert b.x - a.right == pytest.approx(c.x - b.right, abs=0.02)


def test_distribute_with_a_gap_keeps_the_order_in_which_the_elements_stand(placed: Any) -> None:
    after = placed(*THREE, constraints=[_wish("distribute", "c", "a", "b", axis="x", gap=30)])
    a, b, c = (after.box(key) for key in "abc")
    assert c.x == 620
    assert (b.x - a.right, c.x - b.right) == (30, 30)


def test_stack_puts_elements_one_after_another_in_the_listed_order(placed: Any) -> None:
    after = placed(*THREE, constraints=[_wish("stack", "c", "a", "b", axis="y", gap=10)])
    a, b, c = (after.box(key) for key in "abc")
    assert (c.y, a.y - c.bottom, b.y - a.bottom) == (140, 10, 10)
    assert (a.x, b.x) == (100, 350)


def test_grid_sets_rows_with_every_element_in_the_middle_of_its_cell(placed: Any) -> None:
    nodes = (*THREE, _node("d", 5, 5))
    after = placed(*nodes, constraints=[_wish("grid", "a", "b", "c", "d", columns=2, columnGap=20, rowGap=30)])
    a, b, c, d = (after.box(key) for key in "abcd")
    assert (a.x, a.y) == (100, 100)
    assert a.center.x == c.center.x
    assert b.center.x == d.center.x
    assert a.center.y == b.center.y
    assert c.center.y == d.center.y
    assert d.x - max(a.right, c.right) == pytest.approx(20, abs=0.02)
    assert min(c.y, d.y) - max(a.bottom, b.bottom) == pytest.approx(30, abs=0.02)


def test_same_size_takes_the_given_size_of_the_first(placed: Any) -> None:
    after = placed(*THREE, constraints=[_wish("sameSize", "b", "a", "c", dimension="height")])
    assert [after.box(key).height for key in "abc"] == [80, 80, 80]
    assert [after.box(key).width for key in "abc"] == [100, 60, 120]


def test_same_size_of_measured_nodes_is_the_largest_so_that_every_label_has_room(placed: Any) -> None:
    nodes = [{"id": key, "kind": "node", "label": key * 12} for key in ("a", "b", "www")]
    after = placed(*nodes, constraints=[_wish("sameSize", "a", "b", "www")])
    widths = {after.box(key).width for key in ("a", "b", "www")}
    assert widths == {max(after.sizes[key].width for key in ("a", "b", "www"))}


def test_center_in_moves_the_elements_together_to_the_middle_of_the_container(placed: Any) -> None:
    frame = _frame("f", [], (0, 0, 1000, 600))
    after = placed(frame, *THREE, constraints=[_wish("centerIn", "a", "b", container="f", axis="x")])
    a, b = after.box("a"), after.box("b")
    assert (a.x + b.right) / 2 == 500
    assert b.x - a.x == 250
    assert (a.y, b.y) == (100, 180)


def test_contain_pulls_elements_into_a_container_of_given_size(placed: Any) -> None:
    frame = _frame("f", [], (200, 200, 400, 300))
    after = placed(frame, *THREE, constraints=[_wish("contain", "a", "b", "c", container="f", padding=16)])
    room = after.box("f").grown(-16)
    assert after.box("f") == Box(200, 200, 400, 300)
    assert all(room.contains(after.box(key)) for key in "abc")


def test_contain_lets_a_container_of_open_size_grow(placed: Any) -> None:
    inner = {"id": "n", "kind": "node", "label": "inside"}
    after = placed(
        _frame("f", ["n"]),
        inner,
        _node("far", 900, 700),
        constraints=[_wish("contain", "far", container="f", padding=8)],
    )
    assert after.box("f").grown(-8).contains(after.box("far"))
    assert (after.box("far").x, after.box("far").y) == (900, 700)


def test_min_gap_moves_neighbours_away_from_the_first(placed: Any) -> None:
    row = (_node("a", 100, 0), _node("b", 210, 0), _node("c", 320, 0), _node("d", 900, 0))
    after = placed(*row, constraints=[_wish("minGap", "b", "a", "c", "d", axis="x", gap=40)])
    assert [after.box(key).x for key in "abcd"] == [70, 210, 350, 900]


def test_no_overlap_moves_later_ones_to_the_nearest_free_place(placed: Any) -> None:
    heap = (_node("a", 100, 100), _node("b", 150, 110), _node("c", 500, 500))
    after = placed(*heap, constraints=[_wish("noOverlap", "a", "b", "c", gap=12)])
    assert (after.box("a").x, after.box("c").x) == (100, 500)
    assert not after.box("a").grown(11.9).overlaps(after.box("b"))


def test_order_moves_only_what_stands_before_its_predecessor(placed: Any) -> None:
    after = placed(*THREE, constraints=[_wish("order", "b", "a", "c", axis="x")])
    assert after.box("b").x == 350
    assert after.box("c").x == 620
    assert after.box("b").right < after.box("a").x


def test_a_frame_takes_its_content_along(placed: Any) -> None:
    frame = _frame("f", ["n"], (400, 400, 200, 120))
    after = placed(_node("a", 0, 0), frame, _node("n", 430, 440), constraints=[_wish("align", "a", "f", axis="y")])
    assert after.box("f").center.y == 25
    assert after.box("n").y == 440 - (460 - 25)


def test_a_frame_of_open_size_grows_round_what_was_moved_in_it(placed: Any) -> None:
    nodes = [{"id": key, "kind": "node", "label": key} for key in ("a", "b")]
    after = placed(_frame("f", ["a", "b"]), *nodes, constraints=[_wish("minGap", "a", "b", axis="x", gap=400)])
    assert after.box("f").contains(after.box("a"))
    assert after.box("f").contains(after.box("b"))


def test_locked_elements_stay_and_the_wish_is_reported(placed: Any) -> None:
    nodes = (_node("a", 0, 0), _node("b", 50, 300, locked=True), _node("c", 70, 600))
    after = placed(*nodes, constraints=[_wish("align", "a", "b", axis="x"), _wish("align", "a", "c", axis="x")])
    said = after.said("CONSTRAINT_UNSATISFIED")
    assert (after.box("b").x, after.box("c").x) == (50, 0)
    assert said.severity == "warning"
    assert said.path == "/constraints/0"
    assert said.data == {"constraintId": "align-a-b", "type": "align", "elements": ["a", "b"]}
    assert "align-a-b" in said.message


@pytest.mark.parametrize(
    ("wish", "met"),
    [
        (_wish("align", "a", "b", "c", axis="x"), {"x": 0}),
        (_wish("sameSize", "a", "b", "c", dimension="width"), {"width": 100}),
    ],
)
def test_a_locked_element_hinders_the_wish_for_itself_alone(
    placed: Any, wish: dict[str, Any], met: dict[str, float]
) -> None:
    nodes = (_node("a", 0, 0), _node("b", 50, 300, 70, locked=True), _node("c", 70, 600, 100))
    c = {**_node("c", 70, 600, 60)} if wish["type"] == "sameSize" else nodes[2]
    after = placed(nodes[0], nodes[1], c, constraints=[wish])
    assert {name: getattr(after.box("c"), name) for name in met} == met
    assert after.box("b") == Box(50, 300, 70, 50)
    assert "what is locked (b)" in after.said("CONSTRAINT_UNSATISFIED").message


def test_elements_are_pulled_into_a_frame_that_a_locked_one_stays_outside_of(placed: Any) -> None:
    frame = _frame("f", [], (0, 0, 300, 300))
    nodes = (_node("a", 500, 50, locked=True), _node("b", 600, 200))
    after = placed(frame, *nodes, constraints=[_wish("contain", "a", "b", container="f")])
    assert after.box("f").contains(after.box("b"))
    assert after.box("a").x == 500


def test_a_size_that_a_constraint_sets_is_no_given_size_that_was_missed(placed: Any) -> None:
    nodes = (_node("a", 0, 0, 100), _node("b", 50, 300, 180))
    after = placed(*nodes, constraints=[_wish("sameSize", "a", "b")])
    assert after.box("b").width == 100
    assert "GIVEN_BOX_MISSED" not in after.codes


def test_of_two_that_contradict_each_other_the_earlier_holds_and_the_later_is_named(placed: Any) -> None:
    wishes = [_wish("align", "a", "b", axis="x"), _wish("minGap", "a", "b", axis="x", gap=50)]
    after = placed(*THREE, constraints=wishes)
    assert after.said("CONSTRAINT_UNSATISFIED").path == "/constraints/1"
    assert after.box("a").center.x == after.box("b").center.x


def test_constraints_that_share_elements_hold_together(placed: Any) -> None:
    wishes = [
        _wish("align", "c", "b", axis="y"),
        _wish("stack", "a", "c", axis="y", gap=20),
        _wish("sameSize", "a", "b", "c"),
        _wish("distribute", "a", "b", "c", axis="x", gap=50),
    ]
    after = placed(*THREE, constraints=wishes)
    assert "CONSTRAINT_UNSATISFIED" not in after.codes
    assert after.box("c").y - after.box("a").bottom == pytest.approx(20, abs=0.02)


def test_nothing_that_is_not_named_moves(placed: Any) -> None:
    others = [_node("d", 800, 20), _frame("f", ["d"], (780, 0, 200, 200))]
    before = placed(*THREE, *others)
    after = placed(*THREE, *others, constraints=[_wish("stack", "a", "b", "c", axis="x")])
    assert [after.box(key) for key in ("d", "f")] == [before.box(key) for key in ("d", "f")]


def test_many_gaps_that_share_elements_are_kept_together(placed: Any) -> None:
    names = [f"n{number}" for number in range(30)]
    nodes = [_node(name, 37 * number % 900, 53 * number % 700) for number, name in enumerate(names)]
    rows = [[names[(start * 7 + step * 11) % 30] for step in range(20)] for start in range(40)]
    wishes = [{"id": f"w{i}", "type": "minGap", "elements": row, "axis": "x", "gap": 20} for i, row in enumerate(rows)]
    after = placed(*nodes, constraints=wishes)
    assert "CONSTRAINT_UNSATISFIED" not in after.codes
    ordered = sorted((after.box(name) for name in names), key=lambda box: box.x)
    assert all(right.x - left.right >= 19.5 for left, right in pairwise(ordered))


def test_a_search_among_wishes_that_contradict_each_other_ends_at_its_bound_and_says_so(placed: Any) -> None:
    names = [f"n{number}" for number in range(10)]
    rows = [[names[(start * 3 + step * (1 + start % 9)) % 10] for step in range(5)] for start in range(100)]
    wishes = [
        {"id": f"w{i}", "type": "order", "elements": list(dict.fromkeys(row)), "axis": "xy"[i % 2]}
        for i, row in enumerate(rows)
    ]
    after = placed(*(_node(name, 10 * i, 10 * i) for i, name in enumerate(names)), constraints=wishes)
    said = after.said("EFFORT_LIMITED")
    assert (said.severity, said.path) == ("info", "/elements")
    assert said.data == {"stage": "constraints", "elementIds": names}
    assert "CONSTRAINT_UNSATISFIED" in after.codes


_AXES = st.sampled_from(["x", "y"])
_NODES = st.lists(st.tuples(st.integers(0, 900), st.integers(0, 600), st.booleans()), min_size=2, max_size=7)


@st.composite
def _wishes(draw: st.DrawFn, count: int) -> list[dict[str, Any]]:
    names = [f"n{number}" for number in range(count)]
    gap = st.integers(0, 80)
    kinds: dict[str, Any] = {
        "align": st.fixed_dictionaries({"axis": _AXES}),
        "distribute": st.fixed_dictionaries({"axis": _AXES}, optional={"gap": gap}),
        "stack": st.fixed_dictionaries({"axis": _AXES}, optional={"gap": gap}),
        "grid": st.fixed_dictionaries({"columns": st.integers(1, 4)}, optional={"columnGap": gap, "rowGap": gap}),
        "sameSize": st.fixed_dictionaries({"dimension": st.sampled_from(["width", "height", "both"])}),
        "centerIn": st.fixed_dictionaries({"container": st.just("f")}, optional={"axis": _AXES}),
        "contain": st.fixed_dictionaries({"container": st.just("f")}, optional={"padding": gap}),
        "minGap": st.fixed_dictionaries({"axis": _AXES, "gap": gap}),
        "noOverlap": st.fixed_dictionaries({}, optional={"gap": gap}),
        "order": st.fixed_dictionaries({"axis": _AXES}),
    }
    made = []
    for number in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from(sorted(kinds)))
        elements = draw(st.lists(st.sampled_from(names), min_size=1, max_size=5, unique=True))
        made.append({"id": f"w{number}", "type": kind, "elements": elements, **draw(kinds[kind])})
    return made


@settings(max_examples=80, deadline=None)
@given(data=st.data(), nodes=_NODES)
def test_every_wish_holds_or_is_reported_and_placing_again_moves_nothing(
    data: st.DataObject, nodes: list[tuple[int, int, bool]]
) -> None:
    elements = [_node(f"n{i}", x, y, locked=locked) for i, (x, y, locked) in enumerate(nodes)]
    wishes = data.draw(_wishes(len(nodes)))
    scene = {"id": "test", "units": "px", "canvas": {}}
    frame = _frame("f", ["n0"], (200, 150, 500, 350))
    document = {"schemaVersion": "0.1", "diagramFamily": "architecture", "scene": scene, "constraints": wishes}
    first, remarks = normalize(document | {"elements": [frame, *elements]})
    typed = read_scene(first, Report())
    bounds = {key: Box(*box.values()) for key, box in first["computed"]["bounds"].items()}
    board = Board(take_inventory(typed, {}), bounds)
    unsatisfied = {row.path for row in remarks if row.code == "CONSTRAINT_UNSATISFIED"}
    for number, constraint in enumerate(typed.constraints):
        assert CONSTRAINTS[constraint.type].holds(board, constraint) != (f"/constraints/{number}" in unsatisfied)
    again, _ = normalize(first)
    assert again["computed"]["bounds"] == first["computed"]["bounds"]
