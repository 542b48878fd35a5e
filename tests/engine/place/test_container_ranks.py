"""Small scenes whose frames may be ranked in several ways."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scenograph.engine.pipeline import lay_out
from scenograph.engine.place import choosing
from scenograph.engine.route import routing
from scenograph.engine.route.problem import RoutingProblem
from scenograph.engine.route.routing import line_cost
from scenograph.engine.route.solving import BegunRouting, FinishedRouting, begin, finish

SCENES = Path(__file__).parents[2] / "golden" / "rules" / "scenes"


def test_frames_joined_by_a_line_stand_beside_each_other_where_lines_cost_less_so() -> None:
    scene = json.loads((SCENES / "R-PLACE-15-frames-of-one-rank-stand-side-by-side.json").read_text("utf-8"))
    boxes = lay_out(scene).scene.placement.boxes
    frames = [boxes[f"{name}-frame"] for name in ("cart", "orders", "payments", "catalog")]
    assert max(frame.y for frame in frames) < min(frame.bottom for frame in frames)


def test_a_frame_all_of_whose_lines_lead_to_another_stands_above_it_where_lines_cost_less_so() -> None:
    ends = [("client", "a1"), ("a1", "a2"), ("a1", "a3"), ("a2", "b1"), ("a3", "b2"), ("b1", "b3"), ("b2", "b3")]
    edges = [
        {"id": f"{one}-{other}", "kind": "edge", "from": {"elementId": one}, "to": {"elementId": other}}
        for one, other in ends
    ]
    nodes = [{"id": name, "kind": "node", "label": name} for name in dict.fromkeys(end for row in ends for end in row)]
    frames = [
        {"id": name, "kind": "frame", "title": name, "children": [f"{name}1", f"{name}2", f"{name}3"]} for name in "ab"
    ]
    document: dict[str, Any] = {
        "schemaVersion": "0.1",
        "scene": {"id": "stages", "units": "px", "canvas": {}},
        "elements": [*nodes, *frames, *edges],
    }
    boxes = lay_out(document).scene.placement.boxes
    assert boxes["a"].bottom < boxes["b"].y


PAIRS = ["ab", "ac", "bd", "be", "cf", "cg", "dh", "di", "aj", "eh", "dj", "ej", "dg"]


def tangled() -> dict[str, Any]:
    """A frame of nine services and a frame of one, whose lines cross in the first order."""
    nodes: list[dict[str, Any]] = [{"id": one, "kind": "node", "label": f"Service {one}"} for one in "abcdefghij"]
    edges: list[dict[str, Any]] = [
        {"id": pair, "kind": "edge", "from": {"elementId": pair[0]}, "to": {"elementId": pair[1]}} for pair in PAIRS
    ]
    frames: list[dict[str, Any]] = [
        {"id": f"frame-{row}", "kind": "frame", "title": row, "children": [*row]} for row in ("abcdefghi", "j")
    ]
    return {
        "schemaVersion": "0.1",
        "scene": {"id": "orders", "units": "px", "canvas": {}},
        "elements": [*nodes, *frames, *edges],
    }


def test_layouts_are_compared_by_courses_and_the_best_one_alone_is_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, finished = list[RoutingProblem](), list[BegunRouting]()

    def noted(problem: RoutingProblem) -> BegunRouting:
        begun.append(problem)
        return begin(problem)

    def counted(work: BegunRouting) -> FinishedRouting:
        finished.append(work)
        return finish(work)

    monkeypatch.setattr(routing, "begin", noted)
    monkeypatch.setattr(routing, "finish", counted)
    lay_out(tangled())
    assert len(begun) > 1
    assert len(finished) == 1


def test_where_lines_cross_another_order_of_all_ranks_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    def crossings() -> int:
        return line_cost(lay_out(tangled()).scene.routes, {one: (one[0], one[1]) for one in PAIRS}).crossings

    found = crossings()
    monkeypatch.setattr(choosing, "OTHER_STARTS", ())
    assert found < crossings()


def test_leaves_of_a_frame_without_a_path_between_them_stand_in_one_row() -> None:
    names = "Web app,iOS app,API gateway,Identity provider,Catalogue,Cart,Orders,Payments,Inventory,Notifications,"
    names += "Catalogue DB,Redis,Orders DB,Inventory DB,Event bus,Stripe,SendGrid"
    ways = (
        "0>2 1>2 2>3 2>4 2>5 2>6 4>10 5>11 6>12 8>13 5>4:prices 6>7:charge 6>8:reserve 7>15 6>14:order 7>14 14>9 14>8"
    )
    edges: list[dict[str, Any]] = []
    for way in f"{ways} 9>16".split():
        ends, _, label = way.partition(":")
        source, target = ends.split(">")
        edges.append({"id": ends, "kind": "edge", "from": {"elementId": source}, "to": {"elementId": target}})
        edges[-1] |= {"label": label} if label else {}
    frames = {"Services": range(4, 10), "Data stores": range(10, 14)}
    document: dict[str, Any] = {
        "schemaVersion": "0.1",
        "scene": {"id": "shop", "units": "px", "canvas": {}},
        "elements": [
            *({"id": str(at), "kind": "node", "label": name} for at, name in enumerate(names.split(","))),
            *({"id": one, "kind": "frame", "title": one, "children": [*map(str, row)]} for one, row in frames.items()),
            *edges,
        ],
    }
    boxes = lay_out(document).scene.placement.boxes
    assert len({boxes[str(one)].y for one in frames["Data stores"]}) == 1
    assert boxes["6"].bottom < boxes["8"].y  # a path leads there
