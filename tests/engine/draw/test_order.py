"""What is painted over what."""

from __future__ import annotations

import pytest

from scenograph.engine.draw.painting import paint_order
from scenograph.engine.tables import Box
from scenograph.scene.model import Edge, Endpoint, Frame, Group, Guide, Image, Node, Scene, Text

END = Endpoint(element_id="n")
KINDS = {
    "text": Text(id="text", kind="text"),
    "guide": Guide(id="guide", kind="guide"),
    "image": Image(id="image", kind="image"),
    "edge": Edge(id="edge", kind="edge", source=END, target=END),
    "node": Node(id="node", kind="node"),
    "group": Group(id="group", kind="group"),
    "frame": Frame(id="frame", kind="frame"),
}


def order(*elements) -> list[str]:
    turns = paint_order(Scene(elements=elements))
    return [turn.element.id + (" label" if turn.layer == "edgeLabel" else "") for turn in turns]


def test_each_kind_has_its_layer() -> None:
    wanted = ["frame", "group", "node", "edge", "edge label", "text", "guide", "image"]
    assert order(*KINDS.values()) == wanted


def test_the_z_index_decides_before_the_layer() -> None:
    behind = Node(id="behind", kind="node", z_index=-1)
    above = Frame(id="above", kind="frame", z_index=0.5)
    assert order(above, KINDS["node"], behind) == ["behind", "node", "above"]


def test_an_edge_takes_its_label_along_its_z_index() -> None:
    low = Edge(id="low", kind="edge", source=END, target=END, z_index=-2)
    assert order(KINDS["node"], low) == ["low", "low label", "node"]


def test_outer_containers_lie_beneath_inner_ones_wherever_they_stand_in_the_array() -> None:
    inner = Frame(id="inner", kind="frame")
    middle = Group(id="middle", kind="group", children=("inner",))
    outer = Frame(id="outer", kind="frame", children=("middle",))
    assert order(inner, middle, outer) == ["outer", "middle", "inner"]


def test_a_frame_lies_beneath_a_group_beside_it() -> None:
    assert order(KINDS["group"], KINDS["frame"]) == ["frame", "group"]


def test_ties_keep_the_order_of_the_array() -> None:
    nodes = [Node(id=name, kind="node") for name in ("c", "a", "b")]
    assert order(*nodes) == ["c", "a", "b"]


def test_containers_that_hold_each_other_are_still_painted_once() -> None:
    one = Frame(id="one", kind="frame", children=("two",))
    two = Frame(id="two", kind="frame", children=("one", "two"))
    assert sorted(order(one, two)) == ["one", "two"]


@pytest.mark.parametrize("element", [Node(id="n", kind="node", visible=False), Node(id="n", kind="hologram")])
def test_what_is_hidden_or_unknown_is_not_painted(element) -> None:
    assert order(element) == []


def test_a_node_that_holds_another_lies_beneath_it_and_the_z_index_still_decides() -> None:
    names = ("step", "inner", "outer", "beside", "raised")
    places = (Box(20, 20, 10, 10), Box(10, 10, 50, 50), Box(0, 0, 100, 100), Box(90, 90, 50, 50), Box(0, 0, 200, 200))
    nodes = [Node(id=name, kind="node", z_index=1 if name == "raised" else 0) for name in names]
    turns = paint_order(Scene(elements=tuple(nodes)), None, dict(zip(names, places, strict=True)))
    assert [turn.element.id for turn in turns] == ["outer", "beside", "inner", "step", "raised"]
