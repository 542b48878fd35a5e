"""Titles of frames keep out of the way of lines that come from above."""

from __future__ import annotations

from typing import Any

from tests.builders import at, edge, node

from scenograph.engine.geometry.boxes import Box


def box_at(element_id: str, x: float, y: float) -> dict[str, Any]:
    return node(element_id, layout=at(x, y, 80, 40))


def zone(width: float, *children: str, **members: Any) -> dict[str, Any]:
    layout = {"mode": "absolute", "x": 100, "y": 200, "width": width, "height": 200}
    title = {"id": "zone", "kind": "frame", "title": "Private zone", "children": list(children), "layout": layout}
    return {**title, **members}


def title(page: Any) -> Box:
    return page.placement.parts["zone"]["title"]


def test_a_title_steps_aside_for_a_line_from_above(placed: Any) -> None:
    nodes = [box_at("over", 124, 40), box_at("under", 124, 280)]
    alone = placed(*nodes, zone(400, "under"))
    page = placed(*nodes, zone(400, "under"), edge("over", "under"))
    assert title(alone).x == 116
    assert title(page).x == page.box("under").center.x + 10
    assert title(page).y == title(alone).y


def test_a_title_stays_where_no_line_comes_near_it(placed: Any) -> None:
    far = placed(box_at("over", 380, 40), box_at("under", 380, 280), zone(400, "under"), edge("over", "under"))
    below = placed(box_at("low", 124, 480), box_at("under", 124, 280), zone(400, "under"), edge("low", "under"))
    assert title(far).x == title(below).x == 116


def test_a_title_stays_where_a_line_comes_from_above_and_from_a_side(placed: Any) -> None:
    aside = placed(box_at("over", 640, 40), box_at("under", 124, 280), zone(400, "under"), edge("over", "under"))
    assert title(aside).x == 116


def test_a_title_stays_where_something_else_stops_the_line(placed: Any) -> None:
    nodes = [box_at("over", 124, 40), box_at("first", 124, 240), box_at("under", 124, 320)]
    page = placed(*nodes, zone(400, "first", "under"), edge("over", "under"))
    assert title(page).x == 116


def test_a_title_stays_in_a_frame_too_narrow_for_both(placed: Any) -> None:
    nodes = [box_at("over", 110, 40), box_at("under", 110, 280)]
    page = placed(*nodes, zone(110, "under"), edge("over", "under"))
    assert page.box("zone").x <= title(page).x
    assert title(page).right <= page.box("zone").right


def test_titles_of_pools_stay_in_their_bands(placed: Any) -> None:
    nodes = [box_at("over", 124, 40), box_at("under", 144, 280)]
    alone = placed(*nodes, zone(400, "under", containerType="pool"))
    page = placed(*nodes, zone(400, "under", containerType="pool"), edge("over", "under"))
    assert title(page) == title(alone)


def loose(element_id: str) -> dict[str, Any]:
    return {
        "id": element_id,
        "kind": "node",
        "label": element_id,
        "layout": {"mode": "auto", "width": 80, "height": 40},
    }


def test_a_composed_frame_is_wide_enough_for_its_title_beside_the_line_into_it(placed: Any) -> None:
    zone = {"id": "zone", "kind": "frame", "title": "Private zone", "children": ["under"]}
    elements = [loose("over"), loose("under"), zone, edge("over", "under")]
    page = placed(*elements, layoutStrategy={"algorithm": "hierarchical"})
    around, middle = page.box("zone"), page.box("under").center.x
    assert title(page).x == around.x + 16
    assert title(page).right <= middle - 10
    assert middle - around.x == around.right - middle


def test_a_composed_frame_grows_no_wider_for_a_very_long_title_or_than_its_author_said(placed: Any) -> None:
    strategy = {"algorithm": "hierarchical"}
    for members in ({"title": "A zone of private subnets in the third region"}, {"layout": {"width": 150}}):
        zone = {"id": "zone", "kind": "frame", "title": "Private zone", "children": ["under"], **members}
        entered = placed(loose("over"), loose("under"), zone, edge("over", "under"), layoutStrategy=strategy)
        left = placed(loose("over"), loose("under"), zone, edge("under", "over"), layoutStrategy=strategy)
        assert entered.box("zone").width == left.box("zone").width


def test_a_title_begins_where_its_frame_says(placed: Any) -> None:
    inset = {"extensions": {"titleInset": 40}}
    assert title(placed(box_at("under", 124, 280), zone(400, "under", **inset))).x == 140
    narrow = placed(box_at("under", 124, 280), zone(90, "under", extensions={"titleInset": 80}))
    assert title(narrow).right <= narrow.box("zone").right


def test_a_frame_with_a_head_has_its_title_in_the_middle_of_that(placed: Any) -> None:
    page = placed(box_at("under", 124, 280), zone(400, "under", extensions={"headHeight": 30}))
    head = page.placement.parts["zone"]["head"]
    assert (head.x, head.y, head.width, head.height) == (100, 200, 400, 30)
    assert (title(page).center.x, title(page).center.y) == (head.center.x, head.center.y)
    inset = placed(box_at("under", 124, 280), zone(400, "under", extensions={"headHeight": 30, "titleInset": 34}))
    assert title(inset).x == 134
    free = {"id": "zone", "kind": "frame", "children": [], "extensions": {"headHeight": 50}}
    open_ended = placed(box_at("a", 0, 0), free)
    assert open_ended.placement.parts["zone"]["head"].height == 50
