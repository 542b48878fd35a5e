"""New elements choose among free places by what lines cost; fewer crossings move nothing that stood (R-KEEP-6)."""

from __future__ import annotations

from typing import Any, cast

import pytest
from chance.edits import edited
from chance.scenes import Recipe, Seeded, document
from make_readme_pictures import AFTER, BEFORE
from tests.builders import document_of, edge, node

from scenograph.engine.pipeline import lay_out, places_of
from scenograph.engine.place.incremental import remembering
from scenograph.engine.route.routing import line_cost

Json = dict[str, Any]
Row = dict[str, float]
PAIRS = ("aw", "bx", "cy", "dz")


def line(pair: str) -> Json:
    return edge(*pair, id=pair)


def scene(*elements: Json, direction: str = "TB") -> Json:
    return document_of(*elements, layoutStrategy={"algorithm": "hierarchical", "direction": direction})


def ladder(*pairs: str, direction: str = "TB", **more: object) -> Json:
    """A root above four nodes, each with one below it, and the lines of these pairs."""
    nodes = [node("r", **more), *(node(id_, **more) for pair in PAIRS for id_ in pair)]
    lines = map(line, (*(f"r{pair[0]}" for pair in PAIRS), *PAIRS, *pairs))
    return scene(*nodes, *lines, direction=direction)


def without(document: Json, *ids: str) -> Json:
    return {**document, "elements": [one for one in document["elements"] if one["id"] not in ids]}


def bounds(document: Json, sketch: Json | None = None) -> dict[str, Row]:
    return places_of(lay_out(document, sketch=sketch))["bounds"]


def moved(before: Json, after: Json) -> set[str]:
    places = places_of(lay_out(before))
    old, new = places["bounds"], bounds(after, places)
    return {one for one in old if one in new and old[one] != new[one]}


@pytest.mark.parametrize("direction", ["TB", "BT", "LR", "RL"])
def test_a_line_that_crosses_others_now_moves_nothing(direction: str) -> None:
    assert not moved(ladder(direction=direction), without(ladder("dw", direction=direction), "aw"))


def test_a_line_that_leads_elsewhere_now_moves_nothing() -> None:
    rewired = [line("dw") | {"id": "aw"} if one["id"] == "aw" else one for one in ladder()["elements"]]
    assert not moved(ladder(), {**ladder(), "elements": rewired})


def test_a_line_that_is_gone_moves_nothing() -> None:
    before = ladder("cz", "dy")
    assert not moved(before, without(before, "dz"))


@pytest.mark.parametrize("ends", ["aw", "dw", "az", "bz", "wy", "rz"])
def test_a_new_element_takes_the_place_where_routed_lines_cost_least_and_moves_nothing(
    ends: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = places_of(lay_out(ladder()))
    revision = ladder()
    revision["elements"] += [node("n"), line(f"{ends[0]}n"), line(f"n{ends[1]}")]

    def cost() -> float:
        drawn = lay_out(revision, sketch=places)
        found = places_of(drawn)["bounds"]
        assert {one: found[one] for one in places["bounds"]} == places["bounds"]
        routes = drawn.scene.routes
        return line_cost(routes, {one: (one[0], one[1]) for one in routes}).px

    chosen = cost()
    monkeypatch.setattr(remembering, "CHOOSING", 0)
    assert chosen <= cost()


def test_no_newcomer_stands_beside_what_it_follows_to_take_out_a_crossing() -> None:
    lost = [one for one in BEFORE["elements"] if one["id"] in ("mailer", "e5")]
    found = bounds({**AFTER, "elements": [*AFTER["elements"], *lost]}, places_of(lay_out(BEFORE)))
    assert found["worker"]["x"] > found["events"]["x"] + found["events"]["width"]


def _named_anew(value: Any, ids: set[str], ending: str) -> Any:
    """The value with an ending on each of the ids, as keys too."""
    if isinstance(value, dict):
        rows = cast("Json", value).items()
        return {f"{key}{ending}" if key in ids else key: _named_anew(one, ids, ending) for key, one in rows}
    if isinstance(value, list):
        return [_named_anew(one, ids, ending) for one in cast("list[Any]", value)]
    return f"{value}{ending}" if isinstance(value, str) and value in ids else value


def test_names_decide_nothing_about_the_place_of_a_new_frame() -> None:
    before = document(Seeded(9127), Recipe(most_nodes=38, nests=True))
    change = edited(before, "frame round three", Seeded(77))
    assert change is not None
    after, places = change[0], places_of(lay_out(before))
    ids = {one["id"] for one in after["elements"]}
    found: list[list[Row]] = []
    for number in range(8):
        revision, sketch = (_named_anew(one, ids, f"-{number}") for one in (after, places))
        found.append([*bounds(revision, sketch).values()])
    assert all(boxes == found[0] for boxes in found)


def test_a_line_that_crosses_nothing_moves_nothing() -> None:
    assert not moved(ladder(), ladder("ax"))


def test_where_nothing_is_known_of_lines_none_is_new() -> None:
    places = {"bounds": bounds(ladder())}
    assert bounds(without(ladder("dw"), "aw"), places) == places["bounds"]


def test_what_its_author_placed_beside_another_stays_there() -> None:
    place = {"mode": "relative", "target": "x", "relation": "leftOf"}
    rows = [node("w", layout=place) if one["id"] == "w" else one for one in ladder("dw")["elements"]]
    before = without(scene(*rows), "dw")
    assert not moved(before, without(scene(*rows), "aw")) & {"w", "x"}


def test_loops_that_cross_are_drawn_where_no_other_line_is() -> None:
    thin = node("a", shape="rect", layout={"mode": "absolute", "x": 370, "y": 70, "width": 10, "height": 40})
    frame: Json = {"id": "f", "kind": "frame", "title": "F", "children": ["b"]}
    frame["layout"] = {"mode": "absolute", "x": 340, "y": 10, "width": 220, "height": 85}
    inner = node("b", layout={"mode": "absolute", "x": 350, "y": 30})
    lane: Json = {"id": "l", "kind": "frame", "title": "L", "containerType": "lane", "children": []}
    loops = [{**line("aa"), "id": f"loop{number}", "label": "added"} for number in range(3)]
    before, after = scene(thin, frame, inner, loops[0]), scene(thin, frame, inner, lane, *loops)
    for one in (before, after):
        del one["layoutStrategy"]
    places = places_of(lay_out(before))
    found = lay_out(after, sketch=places)
    assert not [row for row in found.diagnostics if row.fault]
    assert places_of(found)["bounds"]["a"] == places["bounds"]["a"]
