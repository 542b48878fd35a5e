"""An element moved by hand leaves the others where they stood."""

from __future__ import annotations

from typing import Any

import pytest

from scenograph.engine.geometry.boxes import Box
from scenograph.engine.pipeline import lay_out, places_of
from scenograph.scene.edits.operations import apply_operations


def service(element_id: str, **more: Any) -> dict[str, Any]:
    return {"id": element_id, "kind": "node", "label": f"Service {element_id}", **more}


def scene() -> list[dict[str, Any]]:
    """Twelve nodes, eight of them in two frames, and edges in and between these."""
    pairs = ["a>b", "a>c", "b>d", "c>d", "e>f", "e>g", "f>h", "g>h", "d>e", "x>a", "x>e", "h>y", "d>z", "w>x"]
    frames = [
        {"id": "upper", "kind": "frame", "title": "Upper", "children": list("abcd")},
        {"id": "lower", "kind": "frame", "title": "Lower", "children": list("efgh")},
    ]
    edges = [
        {"id": pair, "kind": "edge", "from": {"elementId": pair[0]}, "to": {"elementId": pair[2]}} for pair in pairs
    ]
    return [*(service(one) for one in "abcdefghxyzw"), *frames, *edges]


def moved_to(elements: list[dict[str, Any]], element_id: str, x: float, y: float) -> list[dict[str, Any]]:
    layout = {"layout": {"mode": "absolute", "x": x, "y": y}}
    return [one | layout if one["id"] == element_id else one for one in elements]


def others_moved(before: Any, after: Any, element_id: str) -> set[str]:
    boxes = before.placement.boxes
    return {one for one in boxes if one != element_id and after.box(one)[:2] != boxes[one][:2]}


@pytest.mark.parametrize("element_id", list("abcdefghxyzw"))
@pytest.mark.parametrize("step", [(0, 0), (5, -5), (-5, 5)])
def test_a_small_step_leaves_all_others_where_they_were(placed: Any, element_id: str, step: tuple[int, int]) -> None:
    before = placed(*scene())
    x, y = before.box(element_id).x + step[0], before.box(element_id).y + step[1]
    after = placed(*moved_to(scene(), element_id, x, y))
    assert after.box(element_id)[:2] == (x, y)
    assert others_moved(before, after, element_id) <= {"upper", "lower"}


def test_a_frame_moved_by_hand_takes_its_content_along_and_leaves_the_rest(placed: Any) -> None:
    before = placed(*scene())
    box = before.box("lower")
    after = placed(*moved_to(scene(), "lower", box.x + 60, box.y))
    assert after.box("h").x == before.box("h").x + 60
    assert others_moved(before, after, "lower") == set("efgh")


@pytest.mark.parametrize("place", [(3000, 40), (40, 3000), (-2000, -1000)])
def test_round_a_node_placed_far_off_the_others_stand_as_without_its_place(placed: Any, place: tuple[int, int]) -> None:
    before = placed(*scene())
    after = placed(*moved_to(scene(), "y", *place))
    steps = {(after.box(one).x - before.box(one).x, after.box(one).y - before.box(one).y) for one in "abcdefghxyzw"}
    [step] = steps
    assert after.box("y")[:2] == place
    assert step != (0, 0)


def test_of_several_far_places_the_middle_one_tells_where_the_others_stand(placed: Any) -> None:
    nodes = [service(one) for one in "abcdefghi"]
    chain = [
        {"id": a + b, "kind": "edge", "from": {"elementId": a}, "to": {"elementId": b}}
        for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    ]
    before = placed(*nodes, *chain)
    elements = [*nodes, *chain]
    for one, (x, y) in {"a": (2000, 900), "d": (2000, 1500), "f": (2600, 4000)}.items():
        elements = moved_to(elements, one, x, y)
    after = placed(*elements)
    assert after.box("b").x == before.box("b").x + 2000 - before.box("d").x
    assert after.box("a").bottom < after.box("b").y < after.box("c").y < after.box("d").y < after.box("e").y


def test_a_node_set_upon_its_neighbour_moves_that_one_alone(placed: Any) -> None:
    before = placed(*scene())
    neighbour = before.box("c")
    after = placed(*moved_to(scene(), "b", neighbour.x - 100, neighbour.y))
    assert not after.box("b").overlaps(after.box("c"))
    assert others_moved(before, after, "b") <= {"c", "upper"}


def test_with_many_given_places_the_rest_is_laid_out_round_them(placed: Any) -> None:
    given = [service(one, layout={"mode": "absolute", "x": 200 + 200 * i, "y": 200}) for i, one in enumerate("abc")]
    page = placed(
        *given, service("d"), {"id": "e", "kind": "edge", "from": {"elementId": "a"}, "to": {"elementId": "d"}}
    )
    assert page.box("d").y > page.box("a").bottom


def test_a_text_that_lies_over_another_box_stays_when_its_target_goes() -> None:
    """The width of a text has more decimals than its place in the sketch; it counts as unmoved all the same."""
    given = [
        {
            "id": key,
            "kind": "node",
            "label": key,
            "layout": {"mode": "absolute", "x": x, "y": 100, "width": 60, "height": 40},
        }
        for key, x in (("a", 100), ("b", 180))
    ]
    beside = {"mode": "relative", "target": "a", "relation": "rightOf", "gap": 4}
    text = {"id": "t", "kind": "text", "content": "Product", "style": {"fontSize": 12}, "layout": beside}
    head = {"id": "s", "units": "px", "canvas": {}}
    document = {"schemaVersion": "0.1", "diagramFamily": "architecture", "scene": head, "elements": [*given, text]}
    before = places_of(lay_out(document))
    assert Box(*before["bounds"]["t"].values()).overlaps(Box(*before["bounds"]["b"].values()))
    left = apply_operations(document, [{"op": "deleteElement", "id": "a"}]).document
    after = places_of(lay_out(left, sketch=before))["bounds"]
    assert after == {key: before["bounds"][key] for key in ("b", "t")}
