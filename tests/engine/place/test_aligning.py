"""What leads into a container from beside it stands straight over what it reaches there."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import edge

FLOW = {"algorithm": "flow", "direction": "TB"}  # its order is not settled for all containers at once


def sized(element_id: str) -> dict[str, Any]:
    return {"id": element_id, "kind": "node", "label": element_id, "layout": {"width": 100, "height": 40}}


def fan() -> list[dict[str, Any]]:
    """A frame with a root, three leaves, and one more that is tied to nothing, so that there are no newcomers."""
    inside = ["root", "left", "middle", "right", "spare"]
    links = [edge("root", leaf) for leaf in inside[1:4]]
    return [*map(sized, inside), {"id": "zone", "kind": "frame", "title": "Zone", "children": inside}, *links]


@pytest.mark.parametrize("leaf", ["left", "right"])
@pytest.mark.parametrize("strategy", [{"layoutStrategy": FLOW}, {}])
def test_a_single_line_out_of_a_container_is_straight(placed: Any, leaf: str, strategy: Any) -> None:
    page = placed(*fan(), sized("outside"), edge(leaf, "outside"), **strategy)
    assert page.box("outside").center.x == pytest.approx(page.box(leaf).center.x, abs=1)
    assert page.box("outside").y > page.box("zone").bottom


def test_several_lines_out_of_a_container_meet_in_their_middle(placed: Any) -> None:
    page = placed(*fan(), sized("outside"), edge("left", "outside"), edge("middle", "outside"))
    middle = (page.box("left").center.x + page.box("middle").center.x) / 2
    assert page.box("outside").center.x == pytest.approx(middle, abs=1)


def test_what_stands_in_the_way_of_a_straight_line_keeps_an_element_where_it_was(placed: Any) -> None:
    wide = {**sized("root"), "layout": {"width": 600, "height": 40}}
    elements = [wide if one["id"] == "root" else one for one in fan()]
    page = placed(*elements, sized("outside"), edge("outside", "left"), layoutStrategy=FLOW)
    assert page.box("outside").y < page.box("root").y
    assert page.box("outside").center.x == pytest.approx(page.box("zone").center.x, abs=1)


def test_aligned_elements_keep_apart_and_widen_nothing(placed: Any) -> None:
    page = placed(*fan(), sized("one"), sized("two"), edge("left", "one"), edge("left", "two"), layoutStrategy=FLOW)
    first, second = sorted((page.box("one"), page.box("two")), key=lambda box: box.x)
    assert second.x - first.right >= 48
    assert first.x >= page.box("zone").x
    assert second.right <= page.box("zone").right
