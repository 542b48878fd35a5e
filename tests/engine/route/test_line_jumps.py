"""Where two lines cross, the style of the upper one decides what is drawn."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scenograph.engine.geometry.paths import Cubic, Move, Path
from scenograph.engine.pipeline import lay_out, render

CROSSING = (240.0, 124.0)


def document(over: str | None, under: str | None = None, **over_members: Any) -> dict[str, Any]:
    """A line from left to right that is drawn over one from top to bottom."""

    def node(name: str, x: float, y: float) -> dict[str, Any]:
        place = {"mode": "absolute", "x": x, "y": y, "width": 80, "height": 48}
        return {"id": name, "kind": "node", "layout": place}

    def edge(name: str, ends: str, jumps: str | None, **more: Any) -> dict[str, Any]:
        style = {} if jumps is None else {"style": {"lineJumps": jumps}}
        named = {"from": {"elementId": ends[0]}, "to": {"elementId": ends[1]}}
        return {"id": name, "kind": "edge", "router": "straight", **named, **style, **more}

    return {
        "schemaVersion": "0.1",
        "scene": {"id": "jumps", "units": "px", "canvas": {}},
        "elements": [
            *(node("a", 0, 100), node("b", 400, 100), node("c", 200, 0), node("d", 200, 200)),
            edge("under", "cd", under),
            edge("over", "ab", over, **over_members),
        ],
    }


def lines(scene: dict[str, Any]) -> dict[str, Path]:
    return {name: route.line for name, route in lay_out(scene).scene.routes.items()}


def hops(path: Path) -> int:
    return sum(isinstance(segment, Cubic) for segment in path)


def strokes(path: Path) -> int:
    return sum(isinstance(segment, Move) for segment in path)


@pytest.mark.parametrize("asked", [None, "none"])
def test_lines_run_through_each_other_unless_a_jump_is_asked_for(asked: str | None) -> None:
    drawn = lines(document(asked))
    assert all(strokes(path) == 1 and not hops(path) for path in drawn.values())


def test_with_arc_the_upper_line_hops_over_the_lower_one() -> None:
    drawn = lines(document("arc"))
    assert (hops(drawn["over"]), hops(drawn["under"])) == (1, 0)
    ((x, y),) = {segment.to for segment in drawn["over"] if isinstance(segment, Cubic)}
    assert abs(x - CROSSING[0]) <= 6
    assert abs(y - CROSSING[1]) <= 1


def test_with_gap_the_lower_line_is_interrupted() -> None:
    drawn = lines(document("gap"))
    assert (strokes(drawn["over"]), strokes(drawn["under"])) == (1, 2)


def test_a_line_that_lies_beneath_the_other_asks_for_nothing() -> None:
    drawn = lines(document(None, "arc"))
    assert not any(map(hops, drawn.values()))
    turned = lines(document(None, "arc", zIndex=-1))
    assert (hops(turned["over"]), hops(turned["under"])) == (0, 1)


def test_there_is_no_jump_where_an_end_is_too_near() -> None:
    scene = document("arc")
    scene["elements"][1]["layout"]["x"] = 245
    assert not any(map(hops, lines(scene).values()))


def test_excalidraw_shows_both_kinds() -> None:
    def elements(asked: str) -> list[dict[str, Any]]:
        return json.loads(render(document(asked), "excalidraw").content)["elements"]

    arrows = [one for one in elements("arc") if one["type"] == "arrow"]
    assert sorted(len(one["points"]) > 2 for one in arrows) == [False, True]
    assert sum(one["type"] == "line" for one in elements("gap")) == 1
    assert not any(one["type"] == "line" for one in elements("none"))
