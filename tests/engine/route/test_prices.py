"""What each price of the cost table decides: the smallest scenes found whose lines go another way once it is halved or
doubled. (R-ROUTE-2, R-ROUTE-9, R-ROUTE-19)

A way is told by the side that a line leaves by, the side that it enters by, and its bends.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from scenograph.engine.geometry.boxes import Box
from scenograph.engine.route.courses.anchors import box_anchors, slid
from scenograph.engine.route.sides import facing, priced
from scenograph.scene.model import LayoutStrategy

Run = Callable[..., Any]
DOWN = LayoutStrategy(algorithm="flow", direction="TB")
ACROSS = LayoutStrategy(algorithm="flow", direction="LR")
LAYERED = LayoutStrategy(algorithm="hierarchical")
SIDES = {(1, 0): "right", (-1, 0): "left", (0, 1): "bottom", (0, -1): "top"}


def way(points: Sequence[tuple[float, float]]) -> str:
    """Such as "right 2 top": out of the right side, round two bends, into the top."""
    out, into = (points[0], points[1]), (points[-1], points[-2])
    sides = [SIDES[_sign(b[0] - a[0]), _sign(b[1] - a[1])] for a, b in (out, into)]
    return f"{sides[0]} {len(points) - 2} {sides[1]}"


def _sign(distance: float) -> int:
    return (distance > 0.01) - (distance < -0.01)


class Choice(NamedTuple):
    """A scene and the ways of its lines. `label`: the line whose label has that width; `marker`: at the end of all."""

    boxes: Mapping[str, tuple[float, float, float, float]]
    edges: str
    ways: Mapping[str, str]
    label: Mapping[str, float] = {}
    shapes: Mapping[str, str] = {}
    strategy: LayoutStrategy | None = None
    frames: Mapping[str, Sequence[str]] = {}
    marker: str | None = None


CHOICES = {
    "AWAY, BESIDE: a side across the way is taken where a label has no room in the straight gap": Choice(
        {"a": (320, 80, 160, 60), "b": (220, 0, 60, 140)}, "ba", {"ba": "right 1 top"}, {"ba": 80}
    ),
    "AWAY: a line goes round its target to no side turned away while another is free": Choice(
        {"a": (80, 360, 60, 60), "b": (260, 0, 100, 50), "c": (360, 280, 60, 140), "d": (120, 300, 100, 50)},
        "bc ba ca cd", {"ba": "left 2 left"}, {"cd": 80},
    ),
    "BESIDE: beside the flow a diamond is entered by the side across the way, in two bends": Choice(
        {"a": (320, 220, 100, 50), "b": (20, 200, 100, 50), "c": (280, 280, 60, 140)},
        "ca", {"ca": "top 2 bottom"}, shapes={"a": "diamond"}, strategy=ACROSS,
    ),
    "OFF_FLOW, LAYER_GAP: between boxes less than a layer apart a line runs across the flow": Choice(
        {"a": (240, 180, 100, 50), "b": (100, 20, 60, 140)},
        "ab", {"ab": "left 2 right"}, shapes={"a": "circle"}, strategy=LAYERED,
    ),
    "LAYER_GAP: boxes more than a layer apart are joined along the flow": Choice(
        {"a": (480, 260, 60, 60), "b": (220, 180, 100, 50)}, "ab", {"ab": "left 1 bottom"}, strategy=LAYERED
    ),
    "SECOND_SOURCE: the facing side across the longer way is left where that saves a bend": Choice(
        {"a": (380, 60, 60, 140), "b": (140, 300, 100, 50), "c": (360, 380, 160, 60)},
        "bc ac", {"bc": "bottom 1 left"},
    ),
    "SECOND_SOURCE: and no dearer than the bend it saves": Choice(
        {"a": (220, 380, 60, 60), "b": (100, 80, 60, 140)}, "ab", {"ab": "left 1 bottom"}, {"ab": 40}
    ),
    "SECOND_TARGET: the target is entered by the side that faces the longer way": Choice(
        {"a": (340, 40, 60, 60), "b": (60, 140, 60, 140)}, "ab", {"ab": "bottom 1 right"}, {"ab": 40}
    ),
    "SECOND_TARGET: several lines between two boxes on a diagonal keep to one bend": Choice(
        {"a": (340, 20, 100, 50), "b": (460, 160, 160, 60)},
        "ab ba BA", {"ab": "bottom 1 left", "ba": "left 1 bottom", "BA": "left 2 right"}, {"ab": 40, "ba": 80},
    ),
    "CROSSING, CROWDED: two lines there and back share a narrow gap, and cross once at most": Choice(
        {"a": (420, 220, 60, 140), "b": (300, 380, 60, 140)}, "ba ab", {"ba": "top 2 bottom", "ab": "bottom 2 top"}
    ),
    "OFF_STRAIGHT, BEND: of two lines into one side the straight one stays straight": Choice(
        {"a": (100, 300, 160, 60), "b": (40, 20, 160, 60), "c": (400, 120, 60, 60)},
        "ab cb", {"ab": "top 0 bottom", "cb": "top 1 right"}, strategy=DOWN,
    ),
    "BEND: lines there and back between a diamond and a box bend as little as they can": Choice(
        {"a": (280, 100, 100, 50), "b": (100, 120, 100, 50)},
        "ab ba BA", {"ba": "top 2 top", "BA": "right 1 bottom"}, {"ab": 80}, {"a": "diamond"}, ACROSS,
    ),
    "OWN_VERTEX: two lines that leave a diamond leave by two vertices": Choice(
        {"a": (280, 380, 60, 140), "b": (180, 200, 100, 50)},
        "ab AB", {"ab": "top 2 bottom", "AB": "left 1 bottom"}, {"AB": 40}, {"a": "diamond"}, DOWN,
    ),
    "OWN_VERTEX: two of three share a vertex rather than wind round the diamond": Choice(
        {"a": (40, 240, 160, 60), "b": (140, 320, 160, 60)},
        "ab Ab AB", {"ab": "bottom 2 top", "Ab": "bottom 2 top", "AB": "right 1 top"},
        shapes={"a": "diamond"}, strategy=LAYERED,
    ),
    "NO_FORK: a line back goes round rather than fork in the vertex of the line that came": Choice(
        {"a": (440, 180, 160, 60), "b": (460, 280, 100, 50)},
        "ba ab", {"ba": "top 0 bottom", "ab": "left 2 left"}, shapes={"a": "diamond"},
    ),
    "WINDING: a bracket goes before a line that winds round what bars it": Choice(
        {"a": (120, 200, 60, 140), "b": (400, 240, 60, 140)},
        "ba BA ab", {"ab": "top 2 top"}, shapes={"a": "diamond"},
    ),
    "WINDING: and no bracket where one bend less does": Choice(
        {"a": (200, 140, 100, 50), "b": (140, 360, 100, 50)},
        "ab ba", {"ab": "bottom 2 top", "ba": "top 1 left"}, shapes={"a": "diamond"},
    ),
    "CROWDED_SIDE: three lines are dealt to the vertices of a diamond, one of them round the corner": Choice(
        {"a": (288, 388, 44, 44), "b": (340, 0, 160, 60)},
        "ba bA BA", {"ba": "bottom 1 right", "bA": "left 1 top", "BA": "left 1 top"}, shapes={"a": "diamond"},
    ),
    "CROWDED_SIDE: a crowd is no reason to leave by the back of both boxes": Choice(
        {"a": (260, 260, 60, 140), "b": (460, 180, 160, 60)},
        "ba ab AB", {"ba": "left 1 top", "ab": "left 2 left", "AB": "right 2 left"}, {"AB": 80},
        {"a": "diamond"}, LAYERED,
    ),
    "CRAMPED_LABEL: a line whose label is wider than the gap takes a bracket over both boxes": Choice(
        {"a": (360, 380, 60, 60), "b": (240, 0, 100, 50), "c": (20, 0, 160, 60)},
        "bc ab cb", {"bc": "top 2 top", "cb": "right 0 left"}, {"bc": 80, "ab": 40}, strategy=LAYERED,
    ),
    "NO_FORK, OFF_STRAIGHT: of four lines there and back two stay straight and two leave their vertex": Choice(
        {"a": (20, 360, 160, 60), "b": (220, 340, 160, 60)}, "ba ab Ba Ab",
        {"ba": "left 0 right", "ab": "right 0 left", "Ba": "bottom 2 bottom", "Ab": "top 1 left"},
        shapes={"a": "diamond"}, strategy=ACROSS,
    ),
    "CRAMPED_MARKER: no detour through two vertices for the room of a marker": Choice(
        {"a": (220, 120, 160, 60), "b": (100, 80, 100, 50), "c": (380, 240, 100, 50)},
        "ab Ab", {"ab": "left 2 right", "Ab": "left 2 right"}, {"ab": 40, "Ab": 80},
        {"a": "diamond", "b": "diamond"}, ACROSS, marker="triangle",
    ),
    "CROWDED: lines in a narrow channel leave it by another side": Choice(
        {"a": (200, 80, 60, 60), "b": (280, 120, 160, 60)}, "ab Ab ba",
        {"ab": "right 1 top", "Ab": "right 1 top", "ba": "left 2 right"}, {"ab": 80}, strategy=DOWN, marker="triangle",
    ),
    "CROWDED: and stay where the way round is longer": Choice(
        {"a": (20, 80, 60, 140), "b": (200, -100, 60, 140)}, "ab Ab ba Ba BA",
        {"ba": "bottom 2 top", "Ba": "bottom 2 top", "BA": "bottom 2 top"}, strategy=DOWN,
    ),
    "BESIDE_BORDER: a line leaves a frame at once rather than run along its border": Choice(
        {"a": (40, 80, 60, 140), "b": (120, 240, 160, 60), "c": (180, 340, 60, 140), "f": (164, 310, 92, 186)},
        "bc ba ab ca Ca", {"ca": "left 1 bottom", "Ca": "left 1 bottom"}, {"ab": 80}, {}, ACROSS, {"f": ["c"]},
    ),
    "ALONG_CHANNEL: a line leaves its crowded channel for good": Choice(
        {"a": (60, 280, 100, 50), "b": (280, 20, 60, 60), "c": (380, 60, 160, 60), "f": (256, -18, 108, 122)},
        "bc cb Cb cB CB", {"cB": "top 2 top"}, strategy=DOWN, frames={"f": ["b"]},
    ),
}  # fmt: skip


@pytest.mark.parametrize("choice", CHOICES.values(), ids=CHOICES)
def test_a_price_decides_which_way_a_line_goes(routed: Run, choice: Choice) -> None:
    looks = {"end_arrow": choice.marker} if choice.marker else {}
    labels = {edge: {"label_size": (width, 16)} for edge, width in choice.label.items()}
    edges = {edge: (*edge.lower(), {**looks, **labels.get(edge, {})}) for edge in choice.edges.split()}
    drawn = routed(choice.boxes, edges, shapes=choice.shapes, strategy=choice.strategy, frames=choice.frames)
    assert {edge: way(drawn.points(edge)) for edge in choice.ways} == choice.ways


@pytest.mark.parametrize(("gap", "first"), [(23.9, "right"), (24.0, "bottom")])
def test_boxes_24_px_apart_along_the_flow_stand_in_two_layers(gap: float, first: str) -> None:
    """The side of a target on a diagonal: along the flow from there on, by the longer way before."""
    box, other = Box(0, 0, 100, 50), Box(400, 50 + gap, 100, 50)
    assert facing(box, other, "y")[0] == first
    turned, beyond = Box(0, 0, 50, 100), Box(50 + gap, 400, 50, 100)
    assert facing(turned, beyond, "x")[0] == {"right": "bottom", "bottom": "right"}[first]


def test_on_a_diagonal_the_longer_way_decides_and_of_two_alike_the_level_one() -> None:
    box = Box(0, 0, 100, 50)
    assert facing(box, Box(300, 200, 100, 50), None) == ("right", "bottom")
    assert facing(box, Box(200, 300, 100, 50), None) == ("bottom", "right")
    assert facing(box, Box(300, 300, 100, 50), None) == ("right", "bottom")
    assert facing(box, Box(-300, -300, 100, 50), None) == ("left", "top")


def test_sides_cost_more_the_farther_they_are_turned_away() -> None:
    """Nothing for the side that faces the other end, 60 px across the way, 90 px away from it."""
    straight = {
        anchor.side: anchor.penalty for anchor in priced(box_anchors(Box(0, 0, 100, 50)), ("right", None), 10.0)
    }
    assert straight == {"right": 0.0, "top": 60.0, "bottom": 60.0, "left": 90.0}
    diagonal = priced(box_anchors(Box(0, 0, 100, 50)), ("right", "bottom"), 10.0)
    assert [(anchor.side, anchor.penalty) for anchor in diagonal] == [
        ("right", 0.0), ("bottom", 10.0), ("top", 90.0), ("left", 90.0),
    ]  # fmt: skip


def test_a_place_beside_the_middle_costs_15_px_and_at_full_clearance_no_side_costs_more_than_80() -> None:
    """An obstacle before the middle of the right side, and none before the other sides."""
    anchors = priced(box_anchors(Box(0, 0, 100, 50)), ("right", None), 10.0)
    prices: dict[str, set[float]] = {}
    for anchor in slid(anchors, [(110.0, 20.0, 130.0, 30.0)], 20.0):
        prices.setdefault(anchor.side, set()).add(anchor.penalty)
    assert prices == {"right": {15.0}, "top": {60.0}, "bottom": {60.0}, "left": {80.0}}
