"""The pen of the sketch theme."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenograph.engine.colors import contrast
from scenograph.engine.draw.hand_drawn import WOBBLE, Noise, hand_drawn, wobbling
from scenograph.engine.draw.painting import draw
from scenograph.engine.drawing import Drawing, DrawnGroup, PathItem, TextItem
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import Close, circle, flatten, polyline, rectangle, rounded_rectangle
from scenograph.engine.pipeline import lay_out
from scenograph.scene.model import Color, Edge

INK, PAPER = Color(20, 20, 20), Color(250, 250, 250)
BOX = Box(20, 20, 160, 60)
SHAPE = PathItem(path=rounded_rectangle(BOX, 8), fill=PAPER, stroke=INK, stroke_width=2.0)


def drawing(*items, id_: str = "a") -> Drawing:
    return Drawing(page=Box(0, 0, 200, 100), background=PAPER, groups=(DrawnGroup(id=id_, kind="node", items=items),))


def items(*given, id_: str = "a"):
    return hand_drawn(drawing(*given, id_=id_)).groups[0].items


def test_an_outline_is_filled_once_and_drawn_twice() -> None:
    fill, first, second = items(SHAPE)
    assert (fill.fill, fill.stroke) == (PAPER, None)
    assert (first.fill, first.stroke, first.stroke_width) == (None, INK, 2.0)
    assert second.stroke_width < first.stroke_width
    assert first.path != second.path != SHAPE.path
    assert fill.path == first.path


def test_a_dashed_line_is_drawn_once() -> None:
    line = PathItem(path=polyline((Point(0, 0), Point(90, 0))), stroke=INK, stroke_width=1.0, dash=(6.0, 4.0))
    [only] = items(line)
    assert only.dash == (6.0, 4.0)


def test_fills_texts_and_pictures_stay_as_they_are() -> None:
    plate, text = PathItem(path=rectangle(BOX), fill=PAPER), TextItem(runs=())
    assert items(plate, text) == (plate, text)


def test_the_ends_of_an_open_line_stay_where_markers_stand() -> None:
    route = (Point(0, 0), Point(90, 0), Point(90, 70))
    for seed in ("x", "y", "z"):
        path = wobbling(polyline(route), WOBBLE, Noise(seed))
        assert (path[0].to, path[-1].to) == (route[0], route[-1])


def test_the_same_element_always_wobbles_in_the_same_way() -> None:
    assert items(SHAPE) == items(SHAPE)
    assert items(SHAPE) != items(SHAPE, id_="b")


def test_an_element_keeps_its_wobble_when_it_is_moved() -> None:
    moved = SHAPE._replace(path=rounded_rectangle(BOX.moved(300, 40), 8))
    for one, other in zip(items(SHAPE)[1].path, items(moved)[1].path, strict=True):
        if not isinstance(one, Close):
            assert other.to.x - one.to.x == pytest.approx(300)
            assert other.to.y - one.to.y == pytest.approx(40)


def test_the_noise_is_known_for_all_time() -> None:
    noise = Noise("a\nelement\n0\n1")
    assert [round(noise.within(1), 4) for _ in range(3)] == [-0.2926, 0.6565, -0.1956]


@settings(deadline=None)
@given(st.text(max_size=5), st.floats(1, 400), st.floats(1, 400))
def test_the_pen_stays_near_the_outline(seed: str, width: float, height: float) -> None:
    box = Box(0, 0, width, height)
    for path in (rectangle(box), circle(box.center, 20)):
        wobbly = flatten(wobbling(path, WOBBLE, Noise(seed)))
        true = [point for chain in flatten(path) for point in dense(chain)]
        for point in (point for chain in wobbly for point in chain):
            assert min(math.dist(point, other) for other in true) < 6


def dense(chain):
    """The points of a chain and those between them."""
    for a, b in pairwise(chain):
        steps = max(1, int(math.dist(a, b) / 4))
        yield from (Point(a[0] + (b[0] - a[0]) * i / steps, a[1] + (b[1] - a[1]) * i / steps) for i in range(steps))


def test_a_whole_picture_keeps_its_groups(bench) -> None:
    bench.node("a", Box(0, 0, 100, 48), "A").edge("e", [(100, 24), (200, 24)], "go", end_arrow="triangle")
    straight = draw(bench.laid_out())
    sketched = hand_drawn(straight)
    assert [(one.id, one.role) for one in sketched.groups] == [(one.id, one.role) for one in straight.groups]
    assert sketched.page == straight.page


@pytest.mark.parametrize("node_type", ["database", "cache", "network.database"])
def test_hatching_stays_within_the_outline_of_data_and_leaves_the_label_readable(node_type: str) -> None:
    nodes = [{"id": "n", "kind": "node", "nodeType": node_type, "label": "Orders"}]
    found = lay_out({"elements": nodes}, theme="sketch").scene
    box, style = found.placement.boxes["n"], found.styles.of["n"]
    (group,) = draw(found).groups
    outline, hatching, *_ = [item for item in group.items if isinstance(item, PathItem)]
    assert outline.is_outline
    strokes = flatten(hatching.path)
    assert len(strokes) > 5
    for start, end in strokes:
        assert start.x + start.y == pytest.approx(end.x + end.y)
        stroke = Box(start.x, end.y, end.x - start.x, start.y - end.y)
        assert box.grown(-2.49).contains(stroke)  # clear of the outline, which they would cut
    assert isinstance(hatching.stroke, Color)
    assert contrast(style.text_color, hatching.stroke) >= 4.5


def test_heads_by_hand_are_open_unless_they_tell_the_kind_of_a_message() -> None:
    ends = {"from": {"elementId": "a"}, "to": {"elementId": "b"}}
    rows = [
        *({"id": name, "kind": "node", "label": name} for name in "ab"),
        {"id": "flow", "kind": "edge", "edgeType": "workflow.sequenceFlow", **ends},
        {"id": "own", "kind": "edge", "endpoints": {"startArrow": "triangle", "endArrow": "diamond"}, **ends},
        {"id": "call", "kind": "edge", "edgeType": "sequence.message", **ends},
    ]

    def heads(theme: str) -> dict[str, tuple[str | None, str | None]]:
        edges = lay_out({"elements": rows}, theme=theme).scene.scene.elements[2:]
        return {edge.id: (edge.start_arrow, edge.end_arrow) for edge in edges if isinstance(edge, Edge)}

    assert heads("sketch") == {"flow": ("none", "arrow"), "own": ("arrow", "diamond"), "call": ("none", "triangle")}
    assert heads("dark") == {"flow": ("none", "triangle"), "own": ("triangle", "diamond"), "call": ("none", "triangle")}
