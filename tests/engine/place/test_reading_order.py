"""Cycles begin where a reader begins."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenograph.engine.place.layered.ranking import begun, strong_parts

PAIRS = st.tuples(st.integers(0, 9), st.integers(0, 9)).filter(lambda pair: pair[0] != pair[1])


def arcs(text: str) -> list[tuple[int, int]]:
    return [(int(one[0]), int(one[1])) for one in text.split()]


@pytest.mark.parametrize(
    ("given_arcs", "wanted"),
    [
        ("01 12 20", "01 12 02"),
        ("10 21 02", "01 21 02"),
        ("31 12 20 01", "31 12 20 10"),
        ("01 12 23 31 30", "01 21 23 31 30"),
        ("01 12 20 03 30", "01 12 02 03 03"),
        ("40 42 01 12 20", "40 42 01 12 02"),
        ("41 42 01 12 20 21", "41 42 01 21 20 21"),
    ],
    ids=[
        "first named",
        "against the document",
        "only way in",
        "fewest back",
        "cycle in a cycle",
        "several ways in",
        "several ways in, fewest back",
    ],
)
def test_links_that_lead_back_to_the_beginning_are_turned(given_arcs: str, wanted: str) -> None:
    assert begun(5, arcs(given_arcs)) == arcs(wanted)


@given(st.lists(PAIRS, unique_by=frozenset, max_size=30))
def test_arcs_are_turned_only_within_cycles(given_arcs: list[tuple[int, int]]) -> None:
    part = strong_parts(10, given_arcs)
    for (source, target), found in zip(given_arcs, begun(10, given_arcs), strict=True):
        assert found == (source, target) or (found == (target, source) and part[source] == part[target])


@given(st.lists(PAIRS, max_size=30))
def test_strong_parts_are_what_reaches_each_other(given_arcs: list[tuple[int, int]]) -> None:
    reach = [{node} for node in range(10)]
    for _ in range(10):
        for source, target in given_arcs:
            reach[source] |= reach[target]
    part = strong_parts(10, given_arcs)
    for one in range(10):
        for other in range(10):
            assert (part[one] == part[other]) is (other in reach[one] and one in reach[other])


def test_a_cycle_begins_at_the_first_step_from_which_the_fewest_lines_lead_back(placed: Any) -> None:
    names = ["develop", "build", "deploy", "watch"]
    nodes = [{"id": name, "kind": "node", "label": name} for name in names]
    edges = [
        {"id": f"{a}-{b}", "kind": "edge", "from": {"elementId": a}, "to": {"elementId": b}}
        for a, b in [*pairwise(names), ("watch", "develop"), ("develop", "watch")]
    ]
    page = placed(*nodes, *edges, layoutStrategy={"algorithm": "flow"})
    places = [page.box(name).x for name in names]
    assert places == sorted(places)


def test_a_cycle_of_frames_with_several_ways_in_begins_at_the_first_frame(placed: Any) -> None:
    """What schedules two of the frames does not say where a reader begins."""
    stages = ["sources", "ingestion", "lake", "use"]
    nodes = [{"id": name, "kind": "node", "label": name} for name in ("schedule", *(f"in-{one}" for one in stages))]
    frames = [{"id": one, "kind": "frame", "title": one, "children": [f"in-{one}"]} for one in stages]
    pairs = [*pairwise(stages), ("use", "sources")]
    lines = [(f"in-{a}", f"in-{b}") for a, b in pairs] + [("schedule", "in-ingestion"), ("schedule", "in-lake")]
    edges = [
        {"id": f"e{at}", "kind": "edge", "from": {"elementId": a}, "to": {"elementId": b}}
        for at, (a, b) in enumerate(lines)
    ]
    page = placed(*nodes, *frames, *edges, layoutStrategy={"direction": "LR"})
    places = [page.box(one).x for one in stages]
    assert places == sorted(places)
