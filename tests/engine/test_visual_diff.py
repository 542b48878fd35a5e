"""Visual diffs, measured in the SVG: colours, widths, dashes, opacities, places, the legend
(R-DIFF-1, R-DIFF-2, R-DIFF-3).
"""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.engine.diff_pictures import (
    AMBER,
    GREEN,
    NEW,
    OLD,
    RED,
    SVG,
    THEMES,
    Json,
    edge,
    group,
    node,
    opacity,
    picture,
    scene,
    start_of,
    strokes,
)

from scenograph.engine.pipeline import Extras, lay_out, places_of, render_svg
from scenograph.scene.difference import difference
from scenograph.scene.model import View

PIXEL = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAA"
    "AABJRU5ErkJggg=="
)


class TestTheTreatment:
    @pytest.mark.parametrize("theme", ["clean", "dark", "blueprint"])
    @pytest.mark.parametrize(
        ("id_", "border", "faded"),
        [("fresh", (GREEN, 3, False), 1.0), ("gone", (RED, 2, True), 0.4), ("other", (AMBER, 3, False), 1.0)],
    )
    def test_a_node_has_the_border_and_opacity_of_its_change(
        self, theme: str, id_: str, border: tuple[str, float, bool], faded: float
    ) -> None:
        found = group(picture(NEW, OLD, theme), id_)
        ((stroke, width, dash),) = strokes(found)
        assert ((stroke, width, dash is not None), opacity(found)) == (border, faded)

    @pytest.mark.parametrize("theme", THEMES)
    def test_what_is_unchanged_keeps_its_look_at_half_its_opacity(self, theme: str) -> None:
        plain = group(picture(OLD, OLD, theme), "same")
        found = group(picture(NEW, OLD, theme), "same")
        bare = group(ET.fromstring(render_svg(OLD, theme=theme).content), "same")  # noqa: S314 - our own
        assert opacity(found) == opacity(plain) == 0.5
        assert [row[0] for row in strokes(found)] == [row[0] for row in strokes(bare)]

    @pytest.mark.parametrize("theme", ["clean", "dark", "blueprint"])
    def test_no_kind_of_node_has_a_tone_that_reads_as_a_change(self, theme: str) -> None:
        kinds = ["architecture.queue", "architecture.gateway", "architecture.database", "architecture.user"]
        nodes = [node("plain"), *(node(kind, nodeType=kind) for kind in kinds)]
        root = picture(scene(*nodes, node("new")), scene(*nodes), theme)
        assert {row[0] for kind in kinds for row in strokes(group(root, kind))} == {
            row[0] for row in strokes(group(root, "plain"))
        }

    @pytest.mark.parametrize("theme", THEMES)
    def test_an_edge_takes_the_colour_with_line_and_marker(self, theme: str) -> None:
        root = picture(NEW, OLD, theme)
        added, lost = group(root, "link"), group(root, "lost")
        assert {row[0] for row in strokes(added)} == {GREEN}
        assert max(row[1] for row in strokes(added)) == 3
        filled = any({**added.attrib, **path.attrib}.get("fill") == GREEN for path in added.iter(f"{SVG}path"))
        assert filled or theme == "sketch"  # whose heads are open
        assert {row[0] for row in strokes(lost)} == {RED}
        assert all(row[2] for row in strokes(lost))
        assert opacity(lost) == 0.4
        assert opacity(group(root, "kept")) == 0.5

    def test_a_hand_drawn_border_has_the_colour_too(self) -> None:
        found = strokes(group(picture(NEW, OLD, "sketch"), "fresh"))
        assert {row[0] for row in found} == {GREEN}
        assert max(row[1] for row in found) == 3

    def test_an_elements_own_opacity_is_kept(self) -> None:
        faint = {"style": {"opacity": 0.5}}
        old = scene(node("same", **faint), node("gone", **faint))
        root = picture(scene(node("same", **faint), node("fresh", **faint)), old)
        assert [opacity(group(root, name)) for name in ("same", "gone", "fresh")] == [0.25, 0.2, 0.5]

    def test_every_group_says_what_became_of_it(self) -> None:
        root = picture(NEW, OLD)
        told = {one.get("data-element-id"): one.get("data-change") for one in root.iter() if one.get("data-element-id")}
        change = difference(OLD, NEW)
        assert {key for key, what in told.items() if what == "added"} == set(change.added)
        assert {key for key, what in told.items() if what == "removed"} == set(change.removed)
        assert {key for key, what in told.items() if what == "modified"} == set(change.modified)

    @pytest.mark.parametrize(
        "element",
        [
            {"id": "x", "kind": "text", "content": "Words"},
            {"id": "x", "kind": "image", "href": PIXEL, "layout": {"width": 40, "height": 40}},
            {"id": "x", "kind": "frame", "title": "Frame", "children": []},
            {"id": "x", "kind": "frame", "containerType": "pool", "title": "Pool", "children": []},
            {"id": "x", "kind": "group", "children": ["a", "b"]},
            {"id": "x", "kind": "guide", "orientation": "vertical", "position": 20},
            node("x", icon="aws:s3"),
            node("x", icon="lucide:database"),
            node("x", nodeType="user"),
            *(node("x", shape=shape) for shape in ("cylinder", "box3d", "cloud", "textBox", "diamond", "pill")),
            *(node("x", nodeType=f"workflow.{name}") for name in ("start", "end", "gateway", "timer", "subprocess")),
            node("x", nodeType="network.router"),
            node("x", nodeType="er.entity", extensions={"columns": [{"name": "id", "pk": True}, {"name": "n"}]}),
            node("x", nodeType="er.weakEntity"),
        ],
        ids=lambda element: (
            f"{element['kind']}-{element.get('shape') or element.get('nodeType') or element.get('icon')}"
        ),
    )
    def test_everything_that_can_be_seen_gets_a_border(self, element: Json) -> None:
        bare = scene(node("a"), node("b"))
        with_it = scene(node("a"), node("b"), element)
        added, gone = group(picture(with_it, bare), "x"), group(picture(bare, with_it), "x")
        assert (GREEN, 3, None) in strokes(added)
        assert any(row[0] == RED and row[1] == 2 and row[2] for row in strokes(gone))
        assert (opacity(added), opacity(gone)) == (1, 0.4)

    def test_an_icon_keeps_its_colours(self) -> None:
        bare, iconic = scene(node("a")), scene(node("a"), node("x", icon="aws:s3"))
        plain = ET.fromstring(render_svg(iconic).content)  # noqa: S314 - our own
        fills = [path.get("fill") for path in group(plain, "x").iter(f"{SVG}path")]
        found = [path.get("fill") for path in group(picture(iconic, bare), "x").iter(f"{SVG}path")]
        assert [fill for fill in found if fill != "none"] == [fill for fill in fills if fill != "none"]


ids = st.sampled_from(["a", "b", "c", "d", "e"])
VIEWS = (
    View(collapse=("f",)),
    View(focus=("a",)),
    View(focus=("b", "f"), depth=0),
    View(collapse=("f",), focus=("a",)),
    View(collapse=("g",)),
)


@st.composite
def documents(draw: st.DrawFn) -> Json:
    names = draw(st.lists(ids, unique=True, max_size=5))
    nodes = [
        node(name, label=draw(st.sampled_from(["one", "two"]))) if draw(st.booleans()) else node(name, 10, 20)
        for name in names
    ]
    inside = [name for name in names if draw(st.booleans())]
    frames = [{"id": "f", "kind": "frame", "title": "F", "children": inside}] if draw(st.booleans()) else []
    outer = [{"id": "g", "kind": draw(st.sampled_from(["frame", "group"])), "children": ["f"]}] if frames else []
    lines = (
        [
            edge(f"l{i}", draw(st.sampled_from(names)), draw(st.sampled_from(names)))
            for i in range(draw(st.integers(0, 3)))
        ]
        if names
        else []
    )
    return scene(*outer, *frames, *nodes, *lines)


FRAME = {"id": "f", "kind": "frame", "title": "Home", "children": ["b", "c"]}
CHAIN = [edge("ab", "a", "b"), edge("bc", "b", "c"), edge("cd", "c", "d")]
POOL = {"id": "p", "kind": "frame", "containerType": "pool", "title": "Pool", "children": ["l", "m"]}
LANE = {"id": "l", "kind": "frame", "containerType": "lane", "title": "One", "children": ["a", "b"]}
OTHER_LANE = {"id": "m", "kind": "frame", "containerType": "lane", "title": "Two", "children": ["c", "d"]}
NODES = [node(key) for key in "abcd"]
WHOLE = scene(*NODES, FRAME, *CHAIN)
REVISIONS = {
    "emptied": (WHOLE, scene(node("a"), node("d"), FRAME | {"children": []})),
    "frame gone": (WHOLE, scene(node("a"), node("d"))),
    "taken": (
        scene(node("a", 0, 0), node("b", 0, 200), node("c", 0, 400), *CHAIN[:2]),
        scene(node("a", 0, 0), node("x", 10, 210), node("c", 0, 400)),
    ),
    "turned": (
        WHOLE,
        scene(*NODES[:2], NODES[3], FRAME | {"children": ["b"]}, CHAIN[0])
        | {"layoutStrategy": {"algorithm": "hierarchical", "direction": "RL"}},
    ),
    "all new": (WHOLE, scene(node("x"), node("y"), edge("xy", "x", "y"))),
    "lane gone": (
        scene(POOL, LANE, OTHER_LANE, *NODES, *CHAIN) | {"diagramFamily": "workflow"},
        scene(POOL | {"children": ["l"]}, LANE, *NODES[:2], CHAIN[0]) | {"diagramFamily": "workflow"},
    ),
}


class TestPlaces:
    def test_a_removed_node_stands_where_its_author_had_put_it(self) -> None:
        old = scene(node("a", 100, 100), node("gone", 300, 220))
        root = picture(scene(node("a", 100, 100)), old)
        x, y = start_of(group(root, "gone"))
        assert 300 <= x <= 310
        assert abs(y - 220) <= 1

    def test_what_the_engine_had_placed_beside_placed_nodes_stands_where_it_was(self) -> None:
        relative = {"mode": "relative", "target": "a", "relation": "rightOf", "gap": 30}
        old = scene(node("a", 100, 100), node("gone", layout=relative))
        moved = scene(node("a", 100, 400))
        before = lay_out(old).scene.placement.boxes["gone"]
        assert lay_out(moved, before=old).scene.placement.boxes["gone"] == before

    def test_when_only_something_is_gone_everything_stands_as_before(self) -> None:
        new = scene(node("same"), node("other"), edge("kept", "same", "other"))
        assert lay_out(new, before=OLD).scene.placement.boxes == lay_out(OLD).scene.placement.boxes

    def test_what_is_gone_covers_nothing_that_the_engine_placed(self) -> None:
        boxes = list(lay_out(NEW, before=OLD).scene.placement.boxes.values())
        assert not any(one.overlaps(other) for i, one in enumerate(boxes) for other in boxes[i + 1 :])

    def test_where_both_stand_in_one_place_the_present_one_is_in_front(self) -> None:
        old = scene(node("a", 0, 0), node("gone", 200, 100))
        root = picture(scene(node("a", 0, 0), node("fresh", 200, 100)), old)
        order = [one.get("data-element-id") for one in root.iter() if one.get("data-element-id")]
        assert order.index("gone") < order.index("fresh")

    def test_positions_at_the_origin_that_count_for_nothing_pin_nothing(self) -> None:
        old = scene(node("a", 0, 0), node("gone", 0, 0))
        new = scene(node("a", 100, 100), node("b", 100, 300))
        boxes = lay_out(new, before=old).scene.placement.boxes
        was = lay_out(old).scene.placement.boxes["gone"]
        assert (boxes["gone"].x, boxes["gone"].y) == (was.x, was.y)
        back = lay_out(old, before=new).scene.placement.boxes.values()
        assert not any(one.overlaps(two) for one in back for two in back if one is not two)

    def test_a_removed_frame_stands_round_the_children_it_left_behind(self) -> None:
        frame = {"id": "f", "kind": "frame", "title": "Old home", "children": ["a", "b"]}
        old = scene(node("a"), node("b"), frame, edge("e", "a", "b"))
        boxes = lay_out(scene(node("a"), node("b"), edge("e", "a", "b")), before=old).scene.placement.boxes
        assert boxes["f"].contains(boxes["a"])
        assert boxes["f"].contains(boxes["b"])

    def test_a_removed_child_stands_where_it_stood_and_its_frame_is_no_modified_one(self) -> None:
        frame = {"id": "f", "kind": "frame", "title": "Home", "children": ["a", "b"]}
        old = scene(node("a"), node("b"), frame)
        new = scene(node("a"), frame | {"children": ["a"]})
        laid_out = lay_out(new, before=old).scene
        assert laid_out.placement.boxes["b"] == lay_out(old).scene.placement.boxes["b"]
        assert laid_out.changes == {"a": "unchanged", "f": "unchanged", "b": "removed"}
        root = picture(new, old)
        assert [opacity(group(root, name)) for name in ("f", "a", "b")] == [0.5, 0.5, 0.4]

    @pytest.mark.parametrize("case", ["emptied", "frame gone", "taken", "turned", "all new", "lane gone"])
    def test_everything_stands_where_its_own_picture_has_it(self, case: str) -> None:
        old, new = REVISIONS[case]
        stood, stands = lay_out(old), lay_out(new, sketch=places_of(lay_out(old)))
        if case == "turned":
            stands = lay_out(new)
        both = lay_out(new, sketch=places_of(stands), before=old, before_places=places_of(stood)).scene
        gone = set(difference(old, new).removed)
        assert gone
        for key, box in both.placement.boxes.items():
            assert box == (stood if key in gone else stands).scene.placement.boxes[key]
        for key, route in both.routes.items():
            theirs = (stood if key in gone else stands).scene.routes[key]
            assert (route.points[0], route.points[-1]) == (theirs.points[0], theirs.points[-1])

    @given(st.data())
    @settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
    def test_nothing_moves_for_a_diff(self, data: st.DataObject) -> None:
        old, new = data.draw(documents()), data.draw(documents())
        stood, stands = lay_out(old), lay_out(new)
        both = lay_out(new, sketch=places_of(stands), before=old, before_places=places_of(stood)).scene
        again = lay_out(new, sketch=places_of(stands)).scene, lay_out(old, sketch=places_of(stood)).scene
        there = {element.id for element in again[0].scene.elements}
        for key, box in both.placement.boxes.items():
            assert box == again[key not in there].placement.boxes[key]

    @given(st.data(), st.sampled_from(VIEWS))
    @settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
    def test_a_view_of_a_diff_has_everything_where_that_view_of_each_revision_has_it(
        self, data: st.DataObject, view: View
    ) -> None:
        old, new = data.draw(documents()), data.draw(documents())
        stood, stands = (places_of(lay_out(one)) for one in (old, new))
        both = lay_out(new, sketch=stands, before=old, before_places=stood, view=view).scene
        later, earlier = lay_out(new, sketch=stands, view=view).scene, lay_out(old, sketch=stood, view=view).scene
        assert later.placement.boxes.keys() <= both.placement.boxes.keys()
        for key, box in both.placement.boxes.items():
            assert box == later.placement.boxes.get(key, earlier.placement.boxes.get(key))

    def test_a_folded_frame_stands_for_what_it_lost(self) -> None:
        before = scene(*NODES, FRAME, *CHAIN, edge("ac", "a", "c"))
        after = scene(*NODES[:2], NODES[3], FRAME | {"children": ["b"]}, CHAIN[0])
        both = lay_out(after, before=before, view=View(collapse=("f",))).scene
        assert {key: both.changes[key] for key in both.placement.boxes} == {  # type: ignore[index]
            "a": "unchanged",
            "d": "unchanged",
            "f": "modified",
        }
        assert {key: both.changes[key] for key in both.routes} == {"ab": "modified", "cd": "removed"}  # type: ignore[index]

    def test_the_first_of_folded_lines_may_be_gone(self) -> None:
        lines = [edge("ab", "a", "b"), edge("ac", "a", "c")]
        before, after = scene(*NODES, FRAME, *lines), scene(*NODES, FRAME, lines[1])
        both = lay_out(after, before=before, view=View(collapse=("f",))).scene
        assert {key: both.changes[key] for key in both.routes} == {"ab": "modified"}  # type: ignore[index]

    def test_children_of_an_unchanged_frame_are_not_faded_twice(self) -> None:
        frame = {"id": "f", "kind": "frame", "title": "Home", "children": ["a", "b"]}
        root = picture(scene(node("a", label="new"), node("b"), frame), scene(node("a"), node("b"), frame))
        assert [opacity(group(root, name)) for name in ("f", "a", "b")] == [0.5, 1, 0.5]
        parents = {child: parent for parent in root.iter() for child in parent}
        assert parents[group(root, "a")].get("opacity") is None


class TestOddities:
    def test_an_element_of_another_kind_is_a_modified_one_and_its_edges_are_gone(self) -> None:
        old = scene(node("a"), node("b"), edge("e", "a", "b"))
        root = picture(scene(node("a"), {"id": "b", "kind": "text", "content": "b"}), old)
        assert (AMBER, 3, None) in strokes(group(root, "b"))
        assert [one for one in root.iter() if one.get("data-element-id") == "e"] == []

    def test_the_same_revision_is_all_unchanged(self) -> None:
        root = picture(NEW, NEW)
        groups = [one for one in root.iter() if one.get("data-element-id")]
        assert {(one.get("data-change"), opacity(one)) for one in groups} == {("unchanged", 0.5)}

    def test_another_palette_or_canvas_changes_no_element_and_is_the_new_ones(self) -> None:
        new = OLD | {"palette": {"background": "#fff3e0", "nodeFill": "#ffe0b2"}}
        root = picture(new, OLD)
        assert next(root.iter(f"{SVG}rect")).get("fill") == "#fff3e0"
        assert {one.get("data-change") for one in root.iter() if one.get("data-element-id")} == {"unchanged"}

    def test_a_removed_picture_brings_its_own_asset(self) -> None:
        image = {"id": "x", "kind": "image", "assetId": "logo", "layout": {"width": 40, "height": 40}}
        logo = {"logo": {"mimeType": "image/png", "data": PIXEL.partition(",")[2]}}
        root = picture(scene(node("a")), scene(node("a"), image, assets=logo))
        assert next(group(root, "x").iter(f"{SVG}image")).get("href", "").startswith("data:image/png;base64,")

    def test_nothing_is_remarked_of_what_is_gone(self) -> None:
        small = {"mode": "absolute", "x": 300, "y": 20, "width": 20, "height": 10}
        old = scene(node("a", 20, 20), node("gone", label="far too much text for this", layout=small))
        assert "gone" in {row.element_id for row in lay_out(old).diagnostics}
        assert "gone" not in {row.element_id for row in lay_out(scene(node("a", 20, 20)), before=old).diagnostics}

    def test_a_label_on_bare_ground_hides_the_line_behind_it(self) -> None:
        nodes = [node("a", 0, 100), node("b", 500, 100), node("c", 240, 0), node("d", 240, 300)]
        lines = [edge("e", "a", "b", label="label"), edge("f", "c", "d")]
        root = picture(scene(*nodes, *lines), scene(*nodes, *lines))
        for label in (one for one in root.iter() if one.get("data-label-for")):
            has_plate = next(label.iter(f"{SVG}path"), None) is not None
            assert opacity(label) == (1 if has_plate else 0.5)

    @pytest.mark.parametrize("odd", [{}, {"elements": 7}, {"elements": [None, {"id": 3}, {"id": "x"}]}, {"scene": []}])
    def test_whatever_was_before_there_is_a_picture(self, odd: Json) -> None:
        assert render_svg(NEW, extras=Extras(before=odd)).content
        assert render_svg(odd, extras=Extras(before=NEW)).content

    def test_the_description_begins_with_what_differs(self) -> None:
        said = next(picture(NEW, OLD).iter(f"{SVG}desc")).text or ""
        assert said.startswith("Added: fresh; link. Removed: gone; lost. Modified: renamed.")


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(documents(), documents(), st.sampled_from(THEMES))
def test_a_diff_shows_each_element_of_both_once_and_agrees_with_the_difference(
    old: Json, new: Json, theme: str
) -> None:
    root = picture(new, old, theme)
    change = difference(old, new)
    told = [(one.get("data-element-id"), one.get("data-change")) for one in root.iter() if one.get("data-element-id")]
    assert len(told) == len(set(told))
    drawn = dict(told)
    assert set(change.added) <= {key for key, what in told if what == "added"} | {"g"}
    assert {key for key, what in told if what == "removed"} <= set(change.removed)
    assert {key for key in change.removed if key[0] != "l" and key != "g"} <= set(drawn)
    assert (
        render_svg(new, theme=theme, extras=Extras(before=old)).content
        == render_svg(new, theme=theme, extras=Extras(before=old)).content
    )
