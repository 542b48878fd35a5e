"""Nodes on the border of a host: where they stand, and that they travel with it. (R-PLACE-18)"""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import container, document_of, flow, node, task

from scenograph.engine.geometry.boxes import Box
from scenograph.engine.pipeline import LaidOut, lay_out, normalize, places_of

Json = dict[str, Any]
SIDES = ("top", "right", "bottom", "left")


def event(key: str, host: str = "a", *, label: str = "", **place: Any) -> Json:
    return node(key, nodeType="workflow.timerCatch", label=label, attachedTo={"elementId": host} | place)


def document(*elements: Json, direction: str = "LR") -> Json:
    strategy = {"algorithm": "flow", "direction": direction}
    return document_of(*elements, family="workflow", layoutStrategy=strategy)


def boxes(*elements: Json, direction: str = "LR") -> dict[str, Box]:
    return dict(lay_out(document(*elements, direction=direction)).scene.placement.boxes)


def side_of(own: Box, host: Box) -> set[str]:
    x, y = own.center
    inside = host.grown(0.01).contains(Box(x, y, 0, 0))
    rows = {"left": x - host.x, "right": x - host.right, "top": y - host.y, "bottom": y - host.bottom}
    return {side for side, away in rows.items() if abs(away) < 0.01 and inside}


@pytest.mark.parametrize("side", SIDES)
def test_the_middle_of_an_attached_node_lies_where_its_author_wants_it_on_the_border(side: str) -> None:
    found = boxes(task("a"), event("t", side=side, offset=0.25), task("b"), flow("a", "b"), flow("t", "b"))
    own, host = found["t"].center, found["a"]
    assert side in side_of(found["t"], host)
    share = (own.x - host.x) / host.width if side in {"top", "bottom"} else (own.y - host.y) / host.height
    assert share == pytest.approx(0.25, abs=0.001)


@pytest.mark.parametrize(("side", "axis"), [("bottom", 0), ("right", 1)])
def test_those_that_want_one_place_stand_six_px_apart(side: str, axis: int) -> None:
    host = task("a", layout={"width": 400, "height": 400})
    rows = [event(f"t{number}", side=side, offset=0.5) for number in range(3)]
    found = boxes(host, *rows)
    stood = sorted((found[row["id"]] for row in rows), key=lambda box: box[axis])
    gaps = [after[axis] - before[axis] - before[axis + 2] for before, after in pairwise(stood)]
    assert gaps == pytest.approx([6.0, 6.0], abs=0.02)


@pytest.mark.parametrize(("direction", "side"), [("LR", "bottom"), ("RL", "bottom"), ("TB", "right"), ("BT", "right")])
def test_without_a_place_it_stands_across_the_flow(direction: str, side: str) -> None:
    found = boxes(task("a"), event("t"), task("b"), flow("a", "b"), direction=direction)
    assert side in side_of(found["t"], found["a"])


def test_those_of_one_side_do_not_overlap_and_a_host_grows_for_them() -> None:
    rows = [event(f"t{number}", side="bottom", offset=0.5) for number in range(5)]
    found = boxes(task("a"), *rows)
    assert not any(found[one].overlaps(found[other]) for one, other in combinations([row["id"] for row in rows], 2))
    assert found["a"].width > 4 * 36
    assert boxes(task("a"), *rows[:3])["a"].width == boxes(task("a"))["a"].width


@given(st.lists(st.tuples(st.sampled_from(SIDES), st.floats(0, 1)), min_size=2, max_size=7))
def test_attached_nodes_lie_on_the_border_and_on_none_of_each_other(places: list[tuple[str, float]]) -> None:
    rows = [event(f"t{number}", side=side, offset=offset) for number, (side, offset) in enumerate(places)]
    found = boxes(task("a"), *rows)
    assert all(side_of(found[row["id"]], found["a"]) for row in rows)
    pairs = combinations([found[row["id"]] for row in rows], 2)
    assert not any(one.grown(-0.01).overlaps(other.grown(-0.01)) for one, other in pairs)


def test_labels_give_way_and_the_event_does_not() -> None:
    long = {"label": "a long time has passed since then"}
    rows = [event("t", side="bottom", offset=0.3, **long), event("u", side="bottom", offset=0.7, **long)]
    bare = boxes(task("a"), event("t", side="bottom", offset=0.3), event("u", side="bottom", offset=0.7))
    laid_out = lay_out(document(task("a"), *rows, task("b"), flow("t", "b"))).scene
    found = laid_out.placement.boxes
    for one in ("t", "u"):
        assert found[one].x - found["a"].x == pytest.approx(bare[one].x - bare["a"].x, abs=0.01)
        label = laid_out.placement.part(one, "label")
        assert label is not None
        assert not any(label.overlaps(found[other]) for other in ("a", "t", "u", "b"))
    assert not laid_out.placement.parts["t"]["label"].overlaps(laid_out.placement.parts["u"]["label"])


def test_it_sits_on_the_border_of_a_frame_and_travels_with_it() -> None:
    rows = [container("s", "subprocess", "a"), task("a"), event("t", "s"), task("b"), flow("s", "b"), flow("t", "b")]
    first = lay_out(document(*rows))
    found = first.scene.placement.boxes
    assert "bottom" in side_of(found["t"], found["s"])
    moved = [{**row, "layout": {"mode": "absolute", "x": 900, "y": 700}} if row["id"] == "s" else row for row in rows]
    after = lay_out(document(*moved), sketch=places_of(first)).scene.placement.boxes
    step = after["s"].x - found["s"].x, after["s"].y - found["s"].y
    assert (after["t"].x - found["t"].x, after["t"].y - found["t"].y) == pytest.approx(step, abs=0.02)


def test_a_former_place_on_the_border_is_kept_when_the_host_is_another_size() -> None:
    rows = [task("a"), event("t"), task("b"), flow("a", "b")]
    sketch = {"bounds": {"a": {"x": 100, "y": 100, "width": 200, "height": 100}, "b": {"x": 400, "y": 100} | SIZE}}
    sketch["bounds"]["t"] = {"x": 282, "y": 132, "width": 36, "height": 36}
    found = lay_out(document(*rows), sketch=sketch).scene.placement.boxes
    assert "right" in side_of(found["t"], found["a"])
    assert found["t"].center.y == pytest.approx(found["a"].center.y, abs=0.01)


SIZE = {"width": 100, "height": 60}


def test_a_given_place_is_taken_to_the_nearest_point_of_the_border() -> None:
    placed = {"mode": "absolute", "x": 90, "y": 300}
    host = task("a", layout={"mode": "absolute", "x": 100, "y": 100} | SIZE)
    found = boxes(host, event("t") | {"layout": placed})
    assert found["t"].center == (108, 160)


def test_a_line_leaves_it_away_from_its_host_also_to_the_host() -> None:
    laid_out = lay_out(document(task("a"), event("t"), task("b"), flow("a", "b"), flow("t", "a"))).scene
    start, box = laid_out.routes["t-a"].points[0], laid_out.placement.boxes["t"]
    assert (start.x, start.y) == pytest.approx((box.center.x, box.bottom), abs=0.5)


def test_a_normalized_document_keeps_the_attachment_and_its_places() -> None:
    given = document(task("a"), event("t"), event("u", side="top", offset=0.9), task("b"), flow("t", "b"))
    first = normalize(given)[0]
    rows = {row["id"]: row for row in first["elements"]}
    assert rows["t"]["attachedTo"] == {"elementId": "a", "side": "bottom", "offset": 0.5}
    assert normalize(first)[0]["computed"]["bounds"] == first["computed"]["bounds"]


def test_a_hidden_host_hides_what_is_attached_to_it() -> None:
    assert set(boxes(task("a", visible=False), event("t"), task("b"))) == {"b"}


def test_without_its_host_it_is_a_node_like_any_other() -> None:
    assert "t" in boxes(event("t", "nobody"), task("b"))


def laid(*rows: Json) -> LaidOut:
    return lay_out(document(*rows))


def test_its_own_places_move_nothing() -> None:
    rows = (task("a"), event("t", label="late"), event("u"), task("b"), task("c"), flow("a", "b"), flow("t", "c"))
    first = laid(*rows)
    again = lay_out(document(*rows), sketch=places_of(first))
    assert again.scene.placement.boxes == first.scene.placement.boxes


@pytest.mark.parametrize("count", range(5, 13))
@pytest.mark.parametrize("direction", ["LR", "TB"])
def test_a_host_grows_for_many_events_of_free_sides_and_stays_so(direction: str, count: int) -> None:
    events = [event(f"t{number}", attachedTo={"elementId": "a"}) for number in range(count)]
    rows = (task("a"), *events, task("b"), flow("a", "b"))
    written = document(*rows, direction=direction)
    first = lay_out(written)
    seats = [first.scene.placement.boxes[one["id"]] for one in events]
    assert not any(one.overlaps(other) for one, other in combinations(seats, 2))
    assert lay_out(written, sketch=places_of(first)).scene.placement.boxes == first.scene.placement.boxes


def test_one_that_goes_moves_neither_the_others_nor_its_host() -> None:
    rows = [task("a"), *(event(f"t{number}") for number in range(5)), task("b"), flow("a", "b"), flow("t0", "b")]
    sketch = {f"t{number}": {"x": 100.0 + number, "y": 142, "width": 36, "height": 36} for number in range(5)}
    sketch |= {"a": {"x": 100, "y": 100} | SIZE, "b": {"x": 500, "y": 100} | SIZE}
    first = lay_out(document(*rows), sketch={"bounds": sketch})
    after = lay_out(document(*(row for row in rows if row["id"] != "t2")), sketch=places_of(first))
    before = first.scene.placement.boxes
    assert dict(after.scene.placement.boxes) == {key: box for key, box in before.items() if key != "t2"}


def on_host_of(width: float, height: float, count: int, *more: str) -> tuple[Json, ...]:
    host = task("a", layout={"width": width, "height": height})
    return (
        host,
        *(event(key) for key in (*(f"t{number}" for number in range(count)), *more)),
        task("b"),
        flow("a", "b"),
    )


SMALL_HOSTS = [(60, 40), (100, 60), (60, 200), (140, 80)]


@pytest.mark.parametrize("count", [6, 8, 12])
@pytest.mark.parametrize(("width", "height"), SMALL_HOSTS)
def test_on_a_host_of_given_size_one_that_goes_moves_none_of_the_others(width: int, height: int, count: int) -> None:
    rows = on_host_of(width, height, count)
    first = laid(*rows)
    before, places = first.scene.placement.boxes, places_of(first)
    assert lay_out(document(*rows), sketch=places).scene.placement.boxes == before
    for gone in ("t0", f"t{count // 2}", f"t{count - 1}"):
        left = [row for row in rows if row["id"] != gone]
        after = lay_out(document(*left), sketch=places).scene.placement.boxes
        assert dict(after) == {key: box for key, box in before.items() if key != gone}


@pytest.mark.parametrize(
    ("width", "height", "count"), [(60, 40, 4), (60, 60, 4), (100, 60, 6), (120, 60, 8), (140, 80, 10)]
)
def test_on_a_host_of_given_size_none_overlap_as_long_as_its_border_has_room(
    width: int, height: int, count: int
) -> None:
    seats = [box for key, box in laid(*on_host_of(width, height, count)).scene.placement.boxes.items() if key[0] == "t"]
    assert len(seats) == count
    assert not any(one.grown(-0.01).overlaps(other.grown(-0.01)) for one, other in combinations(seats, 2))


@pytest.mark.parametrize(("width", "height", "count"), [(120, 60, 4), (60, 200, 4), (140, 80, 6)])
def test_a_new_one_takes_a_gap_and_moves_none_that_stood(width: int, height: int, count: int) -> None:
    first = laid(*on_host_of(width, height, count))
    before = first.scene.placement.boxes
    after = lay_out(document(*on_host_of(width, height, count, "new")), sketch=places_of(first)).scene.placement.boxes
    assert {key: after[key] for key in before} == dict(before)
    assert not any(after["new"].grown(-0.01).overlaps(after[f"t{number}"]) for number in range(count))


def test_a_new_one_without_a_gap_pushes_along_its_side_alone() -> None:
    first = laid(*on_host_of(100, 60, 4))
    before = first.scene.placement.boxes
    after = lay_out(document(*on_host_of(100, 60, 4, "new")), sketch=places_of(first)).scene.placement.boxes
    moved = {key for key in before if after[key] != before[key]}
    assert moved
    assert all(after[key].y == before[key].y == after["new"].y for key in moved)
    row = sorted(box.x for key, box in after.items() if key in {*moved, "new"})
    assert all(right - left == pytest.approx(36 + 6, abs=0.01) for left, right in pairwise(row))
