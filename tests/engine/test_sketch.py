"""A scene keeps its picture: with the places that its elements had before, an edit moves what it must
(R-KEEP-1, R-KEEP-6, R-KEEP-7).
"""

from __future__ import annotations

import copy
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import document_of, edge, frame, node

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import crosses
from scenograph.engine.geometry.spatial_index import bounds_of
from scenograph.engine.pipeline import Extras, lay_out, normalize, places_of, render_svg
from scenograph.engine.sketch import NO_SKETCH, read_sketch

Json = dict[str, Any]
BOXES = {"a": {"x": 1, "y": 2, "width": 3, "height": 4}}


CHAIN = [*map(node, "abcdef"), *(edge(*pair) for pair in ("ab", "ac", "bd", "cd", "ce", "df"))]


class TestReading:
    def test_a_sketch_is_read_from_a_computed_object_or_from_the_document_round_it(self) -> None:
        computed = {"canvas": {"width": 9, "height": 9, "x": -5, "y": 7}, "bounds": BOXES}
        assert read_sketch(computed) == read_sketch({"computed": computed})
        assert read_sketch(computed).boxes == {"a": Box(1, 2, 3, 4)}
        assert read_sketch(computed).origin == Point(-5, 7)

    @pytest.mark.parametrize(("far", "is_read"), [(1e6, True), (1e6 + 1, False)])
    @pytest.mark.parametrize("side", ["x", "y", "width", "height"])
    def test_what_lies_farther_than_a_million_px_is_not_read(self, side: str, far: float, is_read: bool) -> None:
        sketch = read_sketch({"bounds": BOXES | {"b": BOXES["a"] | {side: far}}})
        assert ("b" in sketch.boxes) is is_read

    def test_a_page_without_a_stated_corner_says_nothing_of_where_it_began(self) -> None:
        assert read_sketch({"canvas": {"width": 9, "height": 9}, "bounds": BOXES}).origin is None

    def test_the_control_point_of_a_curve_stands_between_its_ends(self) -> None:
        ends = [{"x": 0, "y": 0}, {"x": 9, "y": 0}]
        way = {"router": "curved", "points": ends, "control": {"x": 4, "y": 5}, "labelBounds": BOXES["a"]}
        route = read_sketch({"bounds": BOXES, "edgePaths": {"e": way}}).routes["e"]
        assert route.points == (Point(0, 0), Point(4, 5), Point(9, 0))
        assert route.label == Box(1, 2, 3, 4)

    @pytest.mark.parametrize(
        "wild",
        [None, 7, [], "computed", {}, {"bounds": []}, {"bounds": {"a": 1}}, {"bounds": {"a": {"x": 1}}}]
        + [{"bounds": {"a": BOXES["a"] | {"x": x}}} for x in (1e9, True, "1", None, 10**400)]
        + [{"bounds": {"a": BOXES["a"] | {"width": -1}}}],
    )
    def test_what_is_no_sketch_is_none(self, wild: object) -> None:
        assert read_sketch(wild) == NO_SKETCH

    @pytest.mark.parametrize("points", [None, [], [{"x": 1, "y": 1}], [{"x": 1, "y": 1}, 7], {"x": 1}])
    def test_a_way_with_a_point_missing_is_left_out(self, points: object) -> None:
        way = {"router": "straight", "points": points}
        assert read_sketch({"bounds": BOXES, "edgePaths": {"e": way, "f": 3}}).routes == {}

    _VALUES = st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.sampled_from(["a", "orthogonal"]),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    ["bounds", "edgePaths", "canvas", "x", "y", "width", "height", "points", "router", "a"]
                ),
                inner,
                max_size=4,
            )
        ),
        max_leaves=20,
    )

    @settings(max_examples=60, deadline=None)
    @given(sketch=st.dictionaries(st.sampled_from(["bounds", "edgePaths", "canvas", "computed"]), _VALUES))
    def test_no_sketch_makes_anything_raise(self, sketch: Json) -> None:
        assert set(lay_out(document_of(*CHAIN), sketch=sketch).scene.placement.boxes) == set("abcdef")


class TestKeeping:
    def test_a_scene_with_its_own_places_is_drawn_in_the_same_bytes(self) -> None:
        document = document_of(*CHAIN, frame("g", "b", "d"), node("z"))
        places = places_of(lay_out(document))
        assert render_svg(document, sketch=places).content == render_svg(document).content
        assert places_of(lay_out(document, sketch=places)) == places

    def test_the_document_s_own_computed_is_its_sketch(self) -> None:
        before = places_of(lay_out(document_of(*CHAIN)))
        grown = document_of(*CHAIN, node("g"), edge("a", "g"))
        once, _ = normalize(grown, sketch=before)
        assert normalize(grown | {"computed": before})[0] == once
        assert {key: once["computed"]["bounds"][key] for key in "abcdef"} == before["bounds"]

    def test_the_page_keeps_its_corner_when_what_stood_there_is_gone(self) -> None:
        before = lay_out(document_of(*CHAIN))
        boxes = before.scene.placement.boxes
        leftmost = min(boxes, key=lambda key: boxes[key].x)
        rest = [one for one in CHAIN if leftmost not in (one["id"], *one["id"].split("-"))]
        after = lay_out(document_of(*rest), sketch=places_of(before))
        assert after.scene.canvas.origin == before.scene.canvas.origin
        assert {key: box for key, box in boxes.items() if key != leftmost} == after.scene.placement.boxes

    def test_in_a_visual_diff_what_was_removed_stands_where_it_stood(self) -> None:
        old = document_of(*CHAIN)
        places = places_of(lay_out(old))
        new = copy.deepcopy(old)
        new["elements"] = [one for one in CHAIN if "b" not in (one["id"], *one["id"].split("-"))]
        new["elements"] += [node("new"), edge("f", "new")]
        now = places_of(lay_out(new, sketch=places))
        diff = lay_out(new, sketch=now, before=old, before_places=places).scene.placement.boxes
        assert diff["b"] == Box(**places["bounds"]["b"])
        assert {key: diff[key] for key in now["bounds"]} == {key: Box(**box) for key, box in now["bounds"].items()}
        drawn = render_svg(new, sketch=now, extras=Extras(before=old, before_places=places))
        assert 'data-change="removed"' in str(drawn.content)


def ways(document: Json, sketch: Json | None = None) -> Json:
    return places_of(lay_out(document, sketch=sketch))["edgePaths"]


class TestFormerCourses:
    def test_lines_between_what_stays_keep_their_course_and_label(self) -> None:
        before = places_of(lay_out(document_of(*CHAIN, edge("b", "e", label="reads"))))
        after = ways(document_of(*CHAIN, edge("b", "e", label="reads"), node("g"), edge("f", "g")), before)
        kept = {key: after[key] == path for key, path in before["edgePaths"].items()}
        assert all(kept.values())

    def test_a_line_that_ends_elsewhere_now_runs_there(self) -> None:
        before = places_of(lay_out(document_of(*CHAIN)))
        turned = [one if one["id"] != "a-b" else {**one, "to": {"elementId": "e"}} for one in CHAIN]
        after = lay_out(document_of(*turned), sketch=before).scene
        end = after.routes["a-b"].points[-1]
        assert after.placement.boxes["e"].grown(1).contains(Box(*end, 0, 0))

    def test_lines_between_elements_that_are_pushed_alike_move_along_with_their_labels(self) -> None:
        rows = [node("w"), node("a"), node("b"), node("c"), frame("f", "a", "b", "c")]
        lines = [edge("w", "a"), edge("a", "b", label="reads"), edge("a", "c")]
        strategy = {"algorithm": "hierarchical", "direction": "LR"}
        places = places_of(lay_out(document_of(*rows, *lines, layoutStrategy=strategy)))
        for corner in places["edgePaths"]["a-b"]["points"][1:-1]:
            corner["x"] += 4  # a course that no search would find
        wide = [one | {"layout": {"width": 400}} if one["id"] == "w" else one for one in rows]
        after = places_of(lay_out(document_of(*wide, *lines, layoutStrategy=strategy), sketch=places))
        by = after["bounds"]["b"]["x"] - places["bounds"]["b"]["x"]
        before, found = (one["edgePaths"]["a-b"] for one in (places, after))
        assert by > 0
        assert found["points"] == [{"x": at["x"] + by, "y": at["y"]} for at in before["points"]]
        assert found["labelBounds"]["x"] == pytest.approx(before["labelBounds"]["x"] + by)

    @pytest.mark.parametrize("is_barred", [False, True])
    def test_no_line_moves_along_onto_another(self, is_barred: bool) -> None:
        def at(id_: str, x: int, y: int) -> Json:
            return node(id_, layout={"mode": "absolute", "x": x, "y": y, "width": 120, "height": 48})

        still = [at("a", 40, -200), at("b", 40, 600), *([edge("a", "b")] if is_barred else [])]
        before = places_of(lay_out(document_of(*still, at("c", 400, 0), at("d", 400, 400), edge("c", "d"))))
        left = [(400, 24.5), (300.5, 24.5), (300.5, 424.5), (399.25, 424.5)]
        before["edgePaths"]["c-d"]["points"] = [{"x": x, "y": y} for x, y in left]
        after = ways(document_of(*still, at("c", 200, 0), at("d", 200, 400), edge("c", "d")), before)
        moved = [{"x": x - 200, "y": y} for x, y in left]
        assert (after["c-d"]["points"] == moved) is not is_barred

    def test_a_line_that_leads_up_an_organization_chart_keeps_its_course(self) -> None:
        people = [node(one, nodeType="org.person") for one in "abcdefg"]
        pairs = ("ca", "da", "ea", "cb", "fb", "gb")
        lines = [edge(*pair, edgeType="org.reportsTo") for pair in pairs]
        document = document_of(*people, *lines, diagramFamily="orgchart")
        places = places_of(lay_out(document))
        corners = places["edgePaths"]["c-b"]["points"]  # of two managers: no course is prescribed
        for corner in corners[1:-1]:
            corner["y"] += 4
        assert len(corners) > 2
        assert places_of(lay_out(document, sketch=places))["edgePaths"] == places["edgePaths"]

    def test_a_line_of_a_chart_whose_prescribed_course_is_barred_keeps_its_course(self) -> None:
        lane = {"id": "b", "kind": "frame", "containerType": "lane", "title": "Area", "children": []}
        document = document_of(
            node("a"),
            node("c", nodeType="actor"),
            lane,
            edge("a", "b", label="calls"),
            edge("a", "a"),
            canvas={"width": 1328, "height": 313},
            diagramFamily="orgchart",
            layoutStrategy={"algorithm": "grid", "direction": "RL"},
        )
        places = places_of(lay_out(document))
        assert places_of(lay_out(document, sketch=places)) == places

    def test_the_label_of_a_line_with_waypoints_stays_on_its_unmoved_line(self) -> None:
        def at(id_: str, x: float, y: float, **size: Any) -> Json:
            return node(id_, layout={"mode": "absolute", "x": x, "y": y, **size}, label="")

        bends = [{"x": 620, "y": 618}, {"x": 620, "y": 500}]
        document = document_of(
            at("a", 330, 594.97, width=140, height=40),
            at("b", 724.94, 481.04, width=31.13, height=27.86) | {"shape": "ellipse"},
            edge("a", "b", label="5 seconds unlocked\n[server unresponsive] /lock", waypoints=bends),
            {**edge("a", "a", router="straight"), "to": {"elementId": "a", "port": "right"}},
            defaults={"edge": {"style": {"fontSize": 12}}},
        )
        places = places_of(lay_out(document))
        assert places_of(lay_out(document, sketch=places)) == places

    def test_another_router_draws_the_line_anew(self) -> None:
        before = places_of(lay_out(document_of(*CHAIN)))
        asked = [one if one["id"] != "d-f" else {**one, "router": "straight"} for one in CHAIN]
        after = ways(document_of(*asked), before)
        assert after["d-f"]["router"] == "straight"
        assert {key for key in after if after[key] != before["edgePaths"][key]} == {"d-f"}

    def test_a_straight_line_that_meets_a_box_near_its_corner_stays_beside_a_new_one(self) -> None:
        def at(id_: str, x: int, y: int, width: int) -> Json:
            return node(id_, layout={"mode": "absolute", "x": x, "y": y, "width": width, "height": 48})

        nodes = (at("a", 100, 100, 144), at("b", 170, 240, 120), at("c", 60, 340, 120))
        before = places_of(lay_out(document_of(*nodes, edge("a", "b"))))
        after = ways(document_of(*nodes, edge("a", "b"), edge("a", "c")), before)
        assert after["a-b"] == before["edgePaths"]["a-b"]

    def test_a_loop_at_a_diamond_stays_beside_a_new_line(self) -> None:
        rows = [node("d", shape="diamond"), node("e"), edge("d", "d", label="again"), edge("d", "e")]
        before = places_of(lay_out(document_of(*rows)))
        after = ways(document_of(*rows, node("f"), edge("d", "f")), before)
        assert after["d-d"] == before["edgePaths"]["d-d"]

    def test_no_arrowhead_stays_in_the_label_that_has_come_below_its_symbol(self) -> None:
        event = node("a", nodeType="workflow.start", label="Invoice review needed")
        rows = document_of(event, node("b"), edge("b", "a", edgeType="workflow.sequenceFlow"), diagramFamily="workflow")
        places = places_of(lay_out(rows))
        symbol, start = Box(**places["bounds"]["a"]), Box(**places["bounds"]["b"])
        corners = [(start.center.x, start.bottom + 0.75), (start.center.x, 400), (symbol.center.x, 400)]
        ending = [*corners, (symbol.center.x, symbol.bottom + 0.75)]
        through = {"router": "orthogonal", "points": [{"x": x, "y": y} for x, y in ending]}
        after = lay_out(rows, sketch={**places, "edgePaths": {"b-a": through}}).scene
        label, end = after.placement.parts["a"]["label"], after.routes["b-a"].points[-1]
        assert label.y >= symbol.bottom
        assert not (label.x <= end.x <= label.right and symbol.bottom <= end.y < label.bottom)

    def test_no_course_stays_beneath_a_title_that_has_stepped_into_it(self) -> None:
        rows = document_of(node("a"), node("c"), frame("f", "c"), edge("a", "c"))
        places = places_of(lay_out(rows))
        start, end = Box(**places["bounds"]["a"]), Box(**places["bounds"]["c"])
        title = lay_out(rows).scene.placement.parts["f"]["title"]
        x, y = title.center.x, start.bottom + 20
        corners = [(start.center.x, start.bottom + 0.75), (start.center.x, y), (x, y), (x, end.center.y)]
        ending = [*corners, (end.x - 0.75, end.center.y)]
        through = {"router": "orthogonal", "points": [{"x": x, "y": y} for x, y in ending]}
        after = lay_out(rows, sketch={**places, "edgePaths": {"a-c": through}}).scene
        points = after.routes["a-c"].points
        assert after.placement.parts["f"]["title"] == title
        assert not any(crosses(one, other, bounds_of(title)) for one, other in pairwise(points))

    def test_lines_that_shared_a_vertex_stay_there_though_another_is_free(self) -> None:
        choice = node("a", nodeType="workflow.decision")
        document = document_of(choice, node("b"), node("c"), edge("a", "b"), edge("a", "c"), diagramFamily="workflow")
        places = places_of(lay_out(document))
        fork, end = places["edgePaths"]["a-b"]["points"][0], places["edgePaths"]["a-c"]["points"][-1]
        bends = [{"x": at["x"], "y": fork["y"] + 30} for at in (fork, end)]
        places["edgePaths"]["a-c"]["points"] = [fork, *bends, end]
        assert places_of(lay_out(document, sketch=places))["edgePaths"] == places["edgePaths"]

    def test_what_is_set_upon_a_line_sends_it_elsewhere(self) -> None:
        before = lay_out(document_of(*CHAIN))
        (first, second, *_) = before.scene.routes["a-b"].points
        x, y = (first.x + second.x) / 2, (first.y + second.y) / 2
        set_there = {"mode": "absolute", "x": x - 10, "y": y - 10, "width": 20, "height": 20}
        after = lay_out(document_of(*CHAIN, node("z", label="", layout=set_there)), sketch=places_of(before)).scene
        box = after.placement.boxes["z"]
        for route in after.routes.values():
            for a, b in zip(route.points, route.points[1:], strict=False):
                span = Box(min(a.x, b.x), min(a.y, b.y), abs(a.x - b.x), abs(a.y - b.y))
                assert not box.overlaps(span)


class TestStrays:
    @pytest.mark.parametrize("far", [3_000, 50_000, 999_000, -999_000])
    @pytest.mark.parametrize("axis", ["x", "y"])
    def test_a_place_farther_away_than_the_content_is_wide_is_ignored_and_told(self, far: float, axis: str) -> None:
        document = document_of(*CHAIN)
        kept = places_of(lay_out(document))
        strayed = copy.deepcopy(kept)
        strayed["bounds"]["f"][axis] = far
        laid_out = lay_out(document, sketch=strayed)
        assert max(laid_out.scene.canvas.width, laid_out.scene.canvas.height) < 1_500
        told = [row for row in laid_out.diagnostics if row.code == "PLACES_OUT_OF_REACH"]
        assert [(row.path, row.data) for row in told] == [("/elements", {"elementIds": ["f"]})]
        boxes, before = laid_out.scene.placement.boxes, lay_out(document).scene.placement.boxes
        assert all(boxes[key] == before[key] for key in "abcde")

    @pytest.mark.parametrize(
        "nonsense",
        [
            {"canvas": {"x": -900_000, "y": 900_000}},
            {"bounds": {"g": {"x": -400_000, "y": 0, "width": 900_000, "height": 40}}},
            {
                "bounds": {
                    key: {"x": 9e5 * number, "y": -9e5, "width": 1, "height": 1} for number, key in enumerate("abcdef")
                }
            },
            {"edgePaths": {"a-b": {"router": "orthogonal", "points": [{"x": 0, "y": 0}, {"x": 9e5, "y": 9e5}]}}},
        ],
        ids=["corner", "frame", "all apart", "line"],
    )
    def test_no_nonsense_blows_up_the_page(self, nonsense: Json) -> None:
        document = document_of(*CHAIN, frame("g", "a", "b"))
        kept = places_of(lay_out(document))
        said = {name: {**rows, **nonsense.get(name, {})} for name, rows in kept.items()}
        canvas = lay_out(document, sketch=said).scene.canvas
        assert max(canvas.width, canvas.height) < 3_000

    def test_what_its_author_put_far_away_keeps_what_stands_beside_it(self) -> None:
        far = {"mode": "absolute", "x": 30_000, "y": 0}
        document = document_of(node("a"), node("b"), node("far", layout=far), node("near"))
        kept = places_of(lay_out(document))
        kept["bounds"]["near"] = {"x": 30_000, "y": 200, "width": 96, "height": 48}
        laid_out = lay_out(document, sketch=kept)
        assert laid_out.scene.placement.boxes["near"].x > 25_000
        assert "PLACES_OUT_OF_REACH" not in {row.code for row in laid_out.diagnostics}
