"""Promises of charts that nobody drew: of all sequences, and of those that the engine places alone."""

from __future__ import annotations

from itertools import combinations
from typing import Any
from xml.etree import ElementTree as ET

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.engine.families.sequence.conftest import (
    Chart,
    charted,
    document,
    fragment,
    frame,
    lifeline,
    message,
    note,
)

from scenograph.engine.geometry.boxes import Box
from scenograph.engine.pipeline import normalize, render_svg

KINDS = ("message", "reply", "create", "async", "destroy")
LABELS = (None, "ok", "a longer label of some words", "two\nlines", "event [guard] / action")
NAMES = ("A", "A rather long participant name", "Two\nlines", "")
OPERATORS = ("alt", "opt", "loop", "critical")

labels = st.sampled_from(LABELS)
places = st.builds(lambda x, y: {"mode": "absolute", "x": x, "y": y}, st.integers(-300, 1500), st.floats(-50, 300))
canvases = st.sampled_from([{}, {"width": 600}, {"width": 1200, "height": 800}])


@st.composite
def sequences(draw: st.DrawFn, *, placed: bool) -> dict[str, Any]:
    """A scene of lifelines, messages, notes, fragments and boxes; `placed`: some stand where their author wants."""

    def layout() -> dict[str, Any]:
        return {"layout": draw(places)} if placed and draw(st.booleans()) else {}

    count = draw(st.integers(1, 5))
    ids = [f"l{i}" for i in range(count)]
    kinds = st.sampled_from(["lifeline", "lifeline", "actor"])
    rows = [lifeline(id_, draw(st.sampled_from(NAMES)), draw(kinds), **layout()) for id_ in ids]
    end = st.sampled_from(ids)
    events = []
    for i in range(draw(st.integers(0, 9))):
        if draw(st.integers(0, 4)) == 0:
            where = draw(st.sampled_from([{"over": [draw(end)]}, {"over": ids}, {"side": "left"}, {"side": "right"}]))
            events.append(note(f"e{i}", draw(labels) or "note", **where) | layout())
        else:
            ends = f"{draw(end)}>{draw(end)}"
            events.append(message(f"e{i}", ends, draw(labels), draw(st.sampled_from(KINDS))))
    turns = [row["id"] for row in events]
    listed = st.lists(st.sampled_from(turns), max_size=4) if turns else st.just([])
    fragments = [
        fragment(f"f{i}", draw(st.sampled_from(OPERATORS)), ("one", draw(listed)), (draw(labels), draw(listed)))
        for i in range(draw(st.integers(0, 2)))
    ]
    boxes = [frame("box", "A box", *ids[: draw(st.integers(0, count))])] if draw(st.booleans()) else []
    return document(*boxes, *rows, *events, *fragments, canvas=draw(canvases))


many = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])


@many
@given(st.booleans().flatmap(lambda placed: sequences(placed=placed)))
def test_every_sequence_is_drawn_and_normalizing_it_again_moves_nothing(scene: dict[str, Any]) -> None:
    once, _ = normalize(scene)
    twice, _ = normalize(once)
    assert twice["computed"] == once["computed"]
    assert twice["elements"] == once["elements"]
    svg = render_svg(scene).content
    seen = [found for group in ET.fromstring(svg).iter() if (found := group.get("data-element-id"))]  # noqa: S314
    assert sorted(seen) == sorted(row["id"] for row in scene["elements"])
    assert render_svg(scene).content == svg


def writings(chart: Chart) -> list[tuple[str, Box]]:
    """Everything that holds text: heads, feet, notes, messages' labels, fragments' writing."""
    placement, found = chart.laid_out.placement, []
    for id_, parts in placement.parts.items():
        found += [(f"{id_} {name}", part) for name, part in parts.items() if name.startswith(("tab", "guard", "foot"))]
    found += [(id_, box) for id_, box in placement.boxes.items() if id_.startswith(("l", "e"))]
    found += [(id_, route.label) for id_, route in chart.laid_out.routes.items() if route.label]
    return [(name, box) for name, box in found if ":" not in name or "guard:" in name]


@many
@given(sequences(placed=False))
def test_no_writing_lies_on_another(scene: dict[str, Any]) -> None:
    for (one, a), (other, b) in combinations(writings(charted(scene)), 2):
        assert not a.grown(-0.5).overlaps(b.grown(-0.5)), (one, other, a, b)


@many
@given(sequences(placed=False))
def test_everything_happens_in_the_order_of_the_document(scene: dict[str, Any]) -> None:
    chart = charted(scene)
    levels = [chart.y(row["id"]) for row in scene["elements"] if row["kind"] == "edge"]
    assert levels == sorted(set(levels))


@many
@given(sequences(placed=False))
def test_nothing_leaves_the_page(scene: dict[str, Any]) -> None:
    laid_out = charted(scene).laid_out
    canvas, placement = laid_out.canvas, laid_out.placement
    page = Box(canvas.origin.x, canvas.origin.y, canvas.width, canvas.height)
    boxes = [*placement.boxes.values(), *(part for parts in placement.parts.values() for part in parts.values())]
    assert all(page.contains(box) for box in boxes)
