"""Workflow, R-FLOW-1 to R-FLOW-10: every symbol and every line, measured in what is drawn."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import at
from tests.engine.families.conftest import Plan, edge, extent, node, plan

from scenograph.engine.geometry.boxes import Box
from scenograph.engine.geometry.paths import Close, Path, flatten
from scenograph.engine.pipeline import lay_out, normalize, places_of
from scenograph.scene.vocabulary import EVENT_TYPES

EVENTS = ("start", "end", "timer", "error", "messageStart", "messageEnd", "terminate", "signal")
GATEWAYS = ("gateway", "gatewayParallel", "gatewayInclusive")


def symbol(name: str, label: str = "Wait for reply", **members: object) -> Plan:
    return plan("workflow", node("n", f"workflow.{name}", label, **members))


@pytest.mark.parametrize("name", [*EVENTS, *GATEWAYS, "dataObject"])
def test_the_label_of_an_event_or_a_gateway_stands_below_it_in_the_middle(name: str) -> None:
    found = symbol(name)
    box, label = found.box("n"), found.part("n", "label")
    assert label.y >= box.bottom
    assert label.center.x == pytest.approx(box.center.x)


@pytest.mark.parametrize("name", ["end", "messageEnd"])
def test_the_ring_of_an_end_is_bold_and_of_a_start_is_not(name: str) -> None:
    rings = [symbol(one).style("n").stroke_width for one in ("start", name)]
    assert rings[0] < 3 <= rings[1] <= 4


@pytest.mark.parametrize("name", EVENTS)
def test_an_event_is_a_circle(name: str) -> None:
    found = symbol(name)
    box = found.box("n")
    assert box.width == box.height
    outline = found.outline("n").path
    center = extent(outline).center
    radii = {round(math.dist(center, point), 1) for chain in flatten(outline) for point in chain}
    assert max(radii) - min(radii) <= 0.2


def test_the_start_is_filled_with_its_line_and_the_end_is_hollow_with_a_bold_line() -> None:
    start, end = symbol("start").outline("n"), symbol("end").outline("n")
    assert start.fill == start.stroke
    assert end.fill != end.stroke
    assert end.stroke_width >= 3
    assert start.stroke_width < 3


@pytest.mark.parametrize("name", GATEWAYS)
def test_a_gateway_is_a_diamond(name: str) -> None:
    found = symbol(name)
    box = extent(found.outline("n").path)
    (chain,) = flatten(found.outline("n").path)
    corners = {(round(p.x, 2), round(p.y, 2)) for p in chain}
    middle = box.center
    assert {(middle.x, box.y), (box.right, middle.y), (middle.x, box.bottom), (box.x, middle.y)} <= corners
    assert len(corners) == 4


def test_the_exclusive_gateway_carries_an_x_of_two_crossing_diagonals() -> None:
    strokes = symbol("gateway").marks("n")
    slopes = sorted(_slope(stroke.path) for stroke in strokes)
    assert slopes == pytest.approx([-1.0, 1.0])
    assert len({(round(extent(s.path).center.x, 2), round(extent(s.path).center.y, 2)) for s in strokes}) == 1


def test_the_parallel_gateway_carries_a_plus() -> None:
    boxes = sorted((extent(stroke.path) for stroke in symbol("gatewayParallel").marks("n")), key=lambda b: b.width)
    assert [(b.width > 10, b.height > 10) for b in boxes] == [(False, True), (True, False)]


def test_the_inclusive_gateway_carries_a_circle() -> None:
    (ring,) = symbol("gatewayInclusive").marks("n")
    box = extent(ring.path)
    assert box.width == pytest.approx(box.height, abs=0.1)
    assert isinstance(ring.path[-1], Close)
    assert ring.fill is None


def test_a_timer_has_two_hands_from_its_middle() -> None:
    found = symbol("timer")
    hands = found.marks("n")[-1]
    (chain,) = flatten(hands.path)
    assert len(chain) == 3
    assert chain[1] == pytest.approx(extent(found.outline("n").path).center, abs=0.6)


def test_an_error_is_a_zigzag() -> None:
    (flash,) = symbol("error").marks("n")
    (chain,) = flatten(flash.path)
    rises = [b.y > a.y for a, b in pairwise(chain)]
    assert rises == [False, True, False]


@pytest.mark.parametrize("name", ["task", "subprocess", "userTask", "serviceTask"])
def test_a_task_is_a_rounded_rectangle_with_its_label_inside(name: str) -> None:
    found = symbol(name, "Check the invoice")
    assert found.laid_out.scene.elements[0].shape == "roundedRect"
    assert found.style("n").corner_radius > 0
    assert found.box("n").contains(found.part("n", "label"))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(["order", "paid", "customer", "approves", "is", "a", "42"]), min_size=1, max_size=12))
def test_a_decision_grows_until_its_label_lies_within_the_diamond(words: list[str]) -> None:
    found = symbol("decision", " ".join(words))
    box, label = found.box("n"), found.part("n", "label")
    corner_x, corner_y = label.width / 2, label.height / 2
    assert corner_x / (box.width / 2) + corner_y / (box.height / 2) <= 1.0 + 1e-6


def test_shapes_without_a_type_have_the_tones_of_their_roles_in_a_flowchart() -> None:
    shapes = {"begin": "pill", "ask": "diamond", "within": "pill", "end": "pill", "alone": "pill"}
    rows = [{"id": name, "kind": "node", "shape": shape, "label": name} for name, shape in shapes.items()]
    found = plan("workflow", *rows, edge("begin>ask"), edge("ask>within"), edge("within>end"))
    start, decision, end = (symbol(name).style("n").stroke for name in ("start", "decision", "end"))
    assert [found.style(name).stroke for name in ("begin", "ask", "end")] == [start, decision, end]
    assert found.style("within").stroke == found.style("alone").stroke
    assert found.style("within").stroke not in {start, decision, end}


def test_a_collapsed_subprocess_has_a_plus_in_a_box_at_the_middle_of_its_bottom() -> None:
    found = symbol("subprocess")
    mark, box = extent(*(item.path for item in found.marks("n"))), found.box("n")
    assert mark.center.x == pytest.approx(box.center.x, abs=0.6)
    assert mark.bottom == pytest.approx(box.bottom, abs=0.6)
    assert mark.width == pytest.approx(mark.height)


@pytest.mark.parametrize("name", ["userTask", "serviceTask", "subprocess"])
@pytest.mark.parametrize("size", [(100, 60), (100, 80), (140, 60)])
def test_a_label_in_a_given_size_gives_way_to_the_mark(name: str, size: tuple[int, int]) -> None:
    layout = at(0, 0, width=size[0], height=size[1])
    found = symbol(name, "Long label that wraps here", layout=layout)
    mark = extent(*(item.path for item in found.marks("n")))
    assert not mark.overlaps(found.part("n", "label"))
    assert found.box("n").contains(found.part("n", "label"))


def test_a_data_object_is_a_sheet_whose_corner_is_cut() -> None:
    found = symbol("dataObject")
    box = extent(found.outline("n").path)
    (chain,) = flatten(found.outline("n").path)
    assert all(math.dist(point, (box.right, box.y)) > 8 for point in chain)


def test_the_lines_of_an_annotation_begin_one_below_the_other_beside_its_bracket() -> None:
    found = symbol("annotation", "Only if the patient\nhas signed")
    starts = {run.at.x for run in found.runs("n")}
    (bracket,) = found.marks("n")
    assert len(starts) == 1
    assert min(starts) > extent(bracket.path).x
    assert extent(bracket.path).x == found.box("n").x


def flow(edge_type: str | None) -> Plan:
    pair = (node("a", "workflow.task", "A", layout=at(0, 0)), node("b", "workflow.task", "B", layout=at(300, 0)))
    return plan("workflow", *pair, edge("a>b", edge_type))


def test_a_sequence_flow_is_solid_with_a_filled_triangle_at_its_end_only() -> None:
    line, head = flow("workflow.sequenceFlow").paths("a>b")
    assert line.dash == ()
    assert head.fill is not None
    assert len(flatten(head.path)[0]) == 4
    assert extent(head.path).right == pytest.approx(extent(line.path).right, abs=10)


def test_a_message_flow_is_dashed_8_4_between_an_open_circle_and_an_open_triangle() -> None:
    found = flow("workflow.messageFlow")
    line, ring, head = found.paths("a>b")
    assert line.dash == (8.0, 4.0)
    assert (ring.fill, head.fill) == (None, None)
    assert extent(ring.path).x < extent(head.path).x
    assert extent(ring.path).width == pytest.approx(extent(ring.path).height, abs=0.1)


def test_the_default_edge_is_solid_and_bare() -> None:
    (line,) = flow(None).paths("a>b")
    assert line.dash == ()


def test_a_default_flow_has_a_slash_and_a_conditional_flow_a_hollow_diamond_at_its_start() -> None:
    _, slash, _ = flow("workflow.defaultFlow").paths("a>b")
    _, diamond, _ = flow("workflow.conditionalFlow").paths("a>b")
    assert len(flatten(slash.path)[0]) == 2
    assert diamond.fill is None
    assert len(set(flatten(diamond.path)[0])) == 4


def test_an_association_is_dotted_without_arrowheads() -> None:
    (line,) = flow("workflow.association").paths("a>b")
    assert line.dash
    assert max(line.dash[::2]) <= 2


def test_a_short_process_runs_sideways_and_a_flowchart_down() -> None:
    steps = [node(name, "workflow.task", name) for name in "ab"]
    process = plan("workflow", *steps, edge("a>b", "workflow.sequenceFlow"))
    chart = plan("workflow", node("a", "workflow.decision", "a?"), steps[1], edge("a>b", "workflow.sequenceFlow"))
    assert process.box("a").right < process.box("b").x
    assert chart.box("a").bottom < chart.box("b").y


def test_a_direction_that_the_author_gives_or_leaves_to_the_strategy_holds() -> None:
    steps = [node(name, "workflow.task", name) for name in "ab"]
    flow_edge = edge("a>b", "workflow.sequenceFlow")
    for strategy in ({"algorithm": "hierarchical"}, {"algorithm": "hierarchical", "direction": "TB"}):
        found = plan("workflow", *steps, flow_edge, layoutStrategy=strategy)
        assert found.box("a").bottom < found.box("b").y


def _slope(path: Path) -> float:
    (chain,) = flatten(path)
    (x1, y1), (x2, y2) = chain[0], chain[-1]
    return (y2 - y1) / (x2 - x1)


@pytest.mark.parametrize("direction", ["LR", "TB"])
def test_the_main_path_of_a_process_runs_straight_past_its_branches(direction: str) -> None:
    names = ("workflow.start", "workflow.task", "workflow.gateway", "workflow.task", "workflow.task", "workflow.end")
    path = [node(f"n{i}", name) for i, name in enumerate(names)]
    flows = [edge(f"n{i}>n{i + 1}", "workflow.sequenceFlow") for i in range(5)]
    aside = (node("x", "workflow.task"), edge("n2>x", "workflow.sequenceFlow"), edge("x>n5", "workflow.sequenceFlow"))
    found = plan(
        "workflow", *path, *flows, *aside, layoutStrategy={"algorithm": "hierarchical", "direction": direction}
    )
    across = 1 if direction == "LR" else 0
    assert len({round(found.box(f"n{i}").center[across], 1) for i in range(6)}) == 1
    assert all(len(found.route(f"n{i}>n{i + 1}").points) == 2 for i in range(4))


OPEN_EVENTS = ("messageStart", "timer", "error", "signal")


def rings(found: Plan) -> list[float]:
    """The widths of the circles round the middle of `n` that are more than three quarters as wide, widest first."""
    box = found.box("n")
    widths = [extent(item.path) for item in found.paths("n")]
    around = [one.width for one in widths if one.width > 0.75 * box.width and abs(one.center.x - box.center.x) < 1]
    return sorted(around, reverse=True)


@pytest.mark.parametrize("name", OPEN_EVENTS)
def test_an_event_that_begins_a_flow_has_one_ring_and_one_within_it_has_two(name: str) -> None:
    event, task = node("n", f"workflow.{name}"), node("t", "workflow.task")
    first = plan("workflow", event, task, edge("n>t", "workflow.sequenceFlow"))
    assert len(rings(first)) == 1
    before = node("s", "workflow.start")
    flows = (edge("s>n", "workflow.sequenceFlow"), edge("n>t", "workflow.sequenceFlow"))
    within = plan("workflow", event, task, before, *flows)
    outer, inner = rings(within)
    assert 4 <= outer - inner <= 10
    assert within.style("n").stroke_width == first.style("n").stroke_width


@pytest.mark.parametrize("name", OPEN_EVENTS)
def test_an_event_on_the_border_of_an_activity_has_two_rings(name: str) -> None:
    task = node("t", "workflow.task", layout=at(100, 100, width=120, height=80))
    on_border = node("n", f"workflow.{name}", layout=at(180, 162))
    assert len(rings(plan("workflow", task, on_border))) == 2
    elsewhere = node("n", f"workflow.{name}", layout=at(300, 162))
    assert len(rings(plan("workflow", task, elsewhere))) == 1


@pytest.mark.parametrize("name", ["error", "signal"])
def test_an_event_where_a_flow_ends_has_a_bold_ring(name: str) -> None:
    flow_in = edge("t>n", "workflow.sequenceFlow")
    found = plan("workflow", node("t", "workflow.task"), node("n", f"workflow.{name}"), flow_in)
    assert found.style("n").stroke_width >= 3
    assert len(rings(found)) == 1


def test_a_message_flow_makes_no_event_an_intermediate_one() -> None:
    message = edge("t>n", "workflow.messageFlow")
    found = plan("workflow", node("t", "workflow.task"), node("n", "workflow.messageStart"), message)
    assert len(rings(found)) == 1


@pytest.mark.parametrize("source", ["gateway", "gatewayInclusive", "decision"])
def test_a_conditional_flow_out_of_a_branching_has_no_diamond(source: str) -> None:
    ends = node("a", f"workflow.{source}"), node("b", "workflow.task")
    bare = plan("workflow", *ends, edge("a>b", "workflow.conditionalFlow"))
    wanted = plan("workflow", *ends, edge("a>b", "workflow.conditionalFlow", endpoints={"startArrow": "diamond"}))
    assert len(bare.paths("a>b")) == 2
    assert len(wanted.paths("a>b")) == 3


def test_roles_in_the_flow_are_not_written_into_the_document() -> None:
    rows = [node("s", "workflow.start"), node("n", "workflow.timer"), edge("s>n", "workflow.sequenceFlow")]
    scene: dict[str, Any] = {"id": "s", "units": "px", "canvas": {}}
    written, _ = normalize({"schemaVersion": "0.1", "diagramFamily": "workflow", "scene": scene, "elements": rows})
    assert {row.get("nodeType") for row in written["elements"]} == {"workflow.start", "workflow.timer", None}


HOST = node("t", "workflow.task", "Collect the documents", layout=at(300, 300, width=160, height=120))
BORDERS = {"bottom": (380, 420), "top": (380, 300), "right": (460, 360), "left": (300, 360)}


@pytest.mark.parametrize("side", BORDERS)
def test_the_label_of_an_event_on_a_border_stands_outside_the_activity_beside_the_line_that_leaves(side: str) -> None:
    x, y = BORDERS[side]
    found = plan("workflow", HOST, node("n", "workflow.timer", "After three days", layout=at(x - 18, y - 18)))
    label, event = found.part("n", "label"), found.box("n")
    assert not label.overlaps(found.box("t"))
    assert not label.overlaps(event)
    if side in {"top", "bottom"}:
        assert label.right < x or label.x > x
        assert label.y > event.bottom if side == "bottom" else label.bottom < event.y
    else:
        assert label.y > y or label.bottom < y


def test_the_label_of_an_event_on_a_border_takes_the_side_where_nothing_stands() -> None:
    event = node("n", "workflow.timer", "After three days", layout=at(362, 402))
    free = plan("workflow", HOST, event)
    taken = node("x", "workflow.task", layout=at(250, 445, width=110, height=60))
    crowded = plan("workflow", HOST, event, taken)
    assert free.part("n", "label").right < 380 < crowded.part("n", "label").x


def test_a_line_leaves_an_event_on_a_border_straight_and_whole() -> None:
    event = node("n", "workflow.timer", "After three days", layout=at(362, 402))
    late = node("x", "workflow.task", "Remind", layout=at(500, 480, width=110, height=60))
    found = plan("workflow", HOST, event, late, edge("n>x", "workflow.sequenceFlow"))
    assert found.route("n>x").points[0] == pytest.approx((380, 438), abs=0.5)
    label = found.part("n", "label")
    for one, other in pairwise(found.route("n>x").points):
        box = Box(min(one.x, other.x), min(one.y, other.y), abs(other.x - one.x), abs(other.y - one.y))
        assert not label.overlaps(box)


DATA = ("sheet", "file")


def associated(direction: str) -> dict[str, Any]:
    """A step between two others, with two data objects of which the first leads on."""
    steps = [node(name, "workflow.task", name) for name in "abc"]
    data = [node(name, "workflow.dataObject", name) for name in DATA]
    flow = [edge(ends, "workflow.sequenceFlow") for ends in ("a>b", "b>c")]
    lines = [edge(ends, "workflow.association") for ends in ("b>sheet", "b>file", "sheet>c")]
    strategy = {"algorithm": "flow", "direction": direction}
    elements = [*steps, *data, *flow, *lines]
    scene: dict[str, Any] = {"id": "s", "units": "px", "canvas": {}}
    outer = {"schemaVersion": "0.1", "diagramFamily": "workflow", "layoutStrategy": strategy}
    return {**outer, "scene": scene, "elements": elements}


def test_data_stand_below_and_above_the_step_that_they_are_associated_with() -> None:
    boxes = lay_out(associated("LR")).scene.placement.boxes
    assert boxes["a"].center.y == boxes["b"].center.y == boxes["c"].center.y
    assert boxes["sheet"].center.x == boxes["file"].center.x == boxes["b"].center.x
    assert boxes["sheet"].y > boxes["b"].bottom
    assert boxes["file"].bottom < boxes["b"].y


def test_data_stand_right_and_left_of_their_step_where_the_flow_runs_down() -> None:
    boxes = lay_out(associated("TB")).scene.placement.boxes
    assert boxes["sheet"].center.y == boxes["file"].center.y == boxes["b"].center.y
    assert boxes["sheet"].x > boxes["b"].right
    assert boxes["file"].right < boxes["b"].x


def test_data_that_stood_somewhere_stay_there() -> None:
    bounds = places_of(lay_out(associated("LR")))["bounds"]
    bounds["file"]["y"] += 500
    again = lay_out(associated("LR"), sketch={"bounds": bounds}).scene.placement.boxes
    assert (again["file"].x, again["file"].y) == (bounds["file"]["x"], bounds["file"]["y"])


def test_data_stand_so_far_from_their_step_that_the_label_of_their_line_has_room() -> None:
    document = associated("TB")
    line = next(one for one in document["elements"] if one["id"] == "b>sheet")
    line["label"] = "writes every order that came in"
    laid_out = lay_out(document).scene
    label, boxes = laid_out.routes["b>sheet"].label, laid_out.placement.boxes
    assert label is not None
    assert boxes["b"].right < label.x
    assert label.right < boxes["sheet"].x
    assert label.center.y == pytest.approx(boxes["b"].center.y, abs=1.0)


def test_new_data_move_nothing_of_a_picture_that_was_drawn_before() -> None:
    document = associated("LR")
    without = {**document, "elements": [one for one in document["elements"] if "file" not in one["id"]]}
    before = {**without, "elements": [one for one in without["elements"] if "sheet" not in one["id"]]}
    places = places_of(lay_out(before))
    boxes = lay_out(without, sketch=places).scene.placement.boxes
    was = {name: (box["x"], box["y"]) for name, box in places["bounds"].items()}
    assert {name: (boxes[name].x, boxes[name].y) for name in was} == was


RINGS = {"Start": 1, "Catch": 2, "Throw": 2, "End": 1}


@pytest.mark.parametrize("name", EVENT_TYPES)
def test_an_event_has_as_many_rings_as_its_position_wants(name: str) -> None:
    found = plan("workflow", node("n", name))
    position = EVENT_TYPES[name][1]
    box = found.box("n")
    concentric = [path for path in found.paths("n") if extent(path.path).width > 0.75 * box.width]
    assert len(concentric) == RINGS[position]
    assert (found.style("n").stroke_width >= 3) == (position == "End")


@pytest.mark.parametrize("position", RINGS)
def test_no_two_events_of_one_position_look_alike(position: str) -> None:
    names = [name for name, (_, at_) in EVENT_TYPES.items() if at_ == position]
    drawn = {repr([path.path for path in plan("workflow", node("n", name)).paths("n")]) for name in names}
    assert len(drawn) == len(names)


@pytest.mark.parametrize("definition", ["message", "signal", "escalation", "compensation", "link", "multiple"])
def test_what_is_thrown_is_filled(definition: str) -> None:
    thrown = plan("workflow", node("n", f"workflow.{definition}Throw")).marks("n")
    caught = plan("workflow", node("n", f"workflow.{definition}Catch")).marks("n")
    assert any(path.fill for path in thrown)
    assert not any(path.fill for path in caught)


@pytest.mark.parametrize(("name", "count"), [("timerCatch", 2), ("timerStart", 1), ("signal", 2)])
def test_the_rings_of_an_event_that_does_not_interrupt_are_dashed(name: str, count: int) -> None:
    host = node("a", "workflow.task")
    goes_on = node("n", f"workflow.{name}", extensions={"interrupting": False}, attachedTo={"elementId": "a"})
    assert len([path for path in plan("workflow", host, goes_on).paths("n") if path.dash]) == count
    ends_it = node("n", f"workflow.{name}", attachedTo={"elementId": "a"})
    assert not any(path.dash for path in plan("workflow", host, ends_it).paths("n"))


def test_marks_stand_in_a_row_at_the_middle_of_the_bottom() -> None:
    markers = ["sequential", "adHoc", "compensation"]
    for kind in ("task", "userTask", "subprocess", "callActivity"):
        plain = plan("workflow", node("n", f"workflow.{kind}", "Do it"))
        found = plan("workflow", node("n", f"workflow.{kind}", "Do it", extensions={"markers": markers}))
        box = found.box("n")
        marks = [extent(path.path) for path in found.marks("n") if extent(path.path).y > box.center.y]
        assert len(marks) > len(plain.marks("n"))
        assert all(box.grown(1).contains(mark) for mark in marks)
        middle = (min(mark.x for mark in marks) + max(mark.right for mark in marks)) / 2
        assert middle == pytest.approx(box.center.x, abs=2)
        assert found.part("n", "label").bottom <= min(mark.y for mark in marks)


def test_kinds_of_subprocesses_have_their_borders() -> None:
    assert plan("workflow", node("n", "workflow.callActivity")).style("n").stroke_width >= 3
    assert plan("workflow", node("n", "workflow.eventSubprocess")).style("n").dash
    frames = [
        {
            "id": kind,
            "kind": "frame",
            "containerType": kind,
            "children": [],
            "layout": at(0, 200 * row, width=180, height=90),
        }
        for row, kind in enumerate(("subprocess", "eventSubprocess", "transaction"))
    ]
    found = plan("workflow", *frames)
    assert [bool(found.style(row["id"]).dash) for row in frames] == [False, True, False]
    assert [len(found.paths(row["id"])) for row in frames] == [1, 1, 2]
