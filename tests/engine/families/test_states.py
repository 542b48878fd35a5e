"""State machines: composite states, regions, bars, pseudo-states."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.families.conftest import Plan, edge, node, plan

from scenograph.engine.pipeline import normalize

TWO = [["a", "b"], ["c"]]


def state(id_: str) -> dict[str, Any]:
    return node(id_, "state.state", id_)


def composite(regions: object, *children: str) -> dict[str, Any]:
    extensions = {} if regions is None else {"extensions": {"regions": regions}}
    members = {"id": "on", "kind": "frame", "containerType": "state", "title": "On", "children": list(children)}
    return members | extensions


def divided(**outer: Any) -> Plan:
    rows = (composite(TWO, "a", "b", "c"), *map(state, "abc"), edge("a>b", "state.transition"))
    return plan("workflow", *rows, **outer)


@pytest.mark.parametrize("theme", ["clean", "dark", "blueprint", "sketch"])
def test_regions_stand_side_by_side_below_the_name_with_a_dashed_line_between_them(theme: str) -> None:
    found = divided(theme=theme)
    first, second = (found.box(f"on:region:{number}") for number in (1, 2))
    assert first.right == second.x
    assert first.contains(found.box("a"))
    assert first.contains(found.box("b"))
    assert second.contains(found.box("c"))
    assert found.part("on", "header").bottom <= first.y + 1
    assert not found.paths("on:region:1")
    (line,) = found.paths("on:region:2")
    assert line.dash


def test_a_transition_enters_a_composite_state_straight_above_its_name() -> None:
    start, into = node("start", "state.initial"), edge("start>on", "state.transition")
    down = {"algorithm": "hierarchical", "direction": "TB"}
    found = plan("workflow", start, composite(None, "a", "b"), *map(state, "ab"), into, layoutStrategy=down)
    line = found.route("start>on").points
    assert len(line) == 2
    assert line[0].x == line[-1].x == pytest.approx(found.box("on").center.x, abs=0.5)
    assert line[-1].y == found.box("on").y


@pytest.mark.parametrize("theme", ["clean", "dark", "blueprint", "sketch"])
def test_labels_of_transitions_within_a_region_stay_in_it(theme: str) -> None:
    there = edge("a>b", "state.transition") | {"label": "warm [t >= set] / beep"}
    back = edge("b>a", "state.transition") | {"label": "cool [t < set - 5]"}
    other = edge("c>d", "state.transition") | {"label": "a rather long event / done"}
    frame = composite([["a", "b"], ["c", "d"]], *"abcd")
    found = plan("workflow", frame, *map(state, "abcd"), there, back, other, theme=theme)
    for line, region in ((there, "on:region:1"), (back, "on:region:1"), (other, "on:region:2")):
        label = found.laid_out.routes[line["id"]].label
        assert label is not None
        assert found.box(region).contains(label)


def test_children_that_no_region_names_join_the_last() -> None:
    found = plan("workflow", composite([["a"], ["b"]], "a", "b", "c"), *map(state, "abc"))
    assert found.box("on:region:2").contains(found.box("c"))


@pytest.mark.parametrize("regions", [None, [], [["a", "b"]], "a", [["nobody"], 7], [[], []]])
def test_a_state_without_two_regions_is_whole(regions: object) -> None:
    found = plan("workflow", composite(regions, "a", "b"), state("a"), state("b"))
    assert [name for name in found.laid_out.placement.boxes if name.startswith("on")] == ["on"]
    header = found.part("on", "header")
    assert header.width == found.box("on").width
    assert header.bottom <= found.box("a").y


def test_a_normalized_state_chart_is_laid_out_as_it_was() -> None:
    rows = [composite(TWO, "a", "b", "c"), *map(state, "abc"), edge("a>b", "state.transition")]
    scene: dict[str, Any] = {"id": "s", "units": "px", "canvas": {}}
    document: dict[str, Any] = {"schemaVersion": "0.1", "diagramFamily": "workflow", "scene": scene, "elements": rows}
    once = normalize(document)[0]
    again = normalize(once)[0]
    assert again["computed"] == once["computed"]
    assert "laneDirection" not in once["elements"][0]
    assert once["elements"][0]["containerType"] == "state"


@pytest.mark.parametrize(("direction", "is_wide"), [("TB", True), ("LR", False)])
def test_a_bar_lies_across_the_flow_and_has_room_for_its_lines(direction: str, *, is_wide: bool) -> None:
    names = [f"s{number}" for number in range(5)]
    found = plan(
        "workflow",
        node("fork", "state.fork"),
        *map(state, names),
        *(edge(f"fork>{name}", "state.transition") for name in names),
        layoutStrategy={"algorithm": "hierarchical", "direction": direction},
    )
    box = found.box("fork")
    assert (box.width > box.height) is is_wide
    assert max(box.width, box.height) >= 5 * 36
    assert min(box.width, box.height) == 8


def test_a_bar_keeps_the_size_that_its_author_gives() -> None:
    bar = node("fork", "state.fork", layout={"mode": "auto", "width": 120, "height": 6})
    box = plan("architecture", bar).box("fork")
    assert (box.width, box.height) == (120, 6)


def test_pseudo_states_are_small_and_a_transition_tells_event_guard_and_action() -> None:
    found = plan(
        "architecture",
        node("i", "state.initial"),
        node("c", "state.choice"),
        node("f", "state.final"),
        edge("i>c", "state.transition", label="start [ready] / log"),
        edge("c>f", "state.transition"),
    )
    assert all(max(found.box(name).width, found.box(name).height) <= 32 for name in "icf")
    texts = [run for item in found.group("i>c", "label").items for run in getattr(item, "runs", ())]
    assert [run.text for run in texts] == ["start", "[ready]", "/ log"]
    assert texts[-1].font.italic
    assert found.group("c>f").items[-1].fill == found.style("c>f").stroke  # type: ignore[union-attr]
