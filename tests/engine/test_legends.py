"""The legend of a scene and its visible title: what they show, where they stand, and what each format keeps (R-PAINT-6,
R-PAINT-7)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.builders import edge

from scenograph.engine.drawing import Drawing, DrawnGroup, PathItem, TextItem
from scenograph.engine.extent import extent_of
from scenograph.engine.geometry.boxes import Box, union
from scenograph.engine.legends import entries_of
from scenograph.engine.pipeline import PLAIN, Extras, _drawing, lay_out, render
from scenograph.engine.themes import THEMES
from scenograph.scene.model import View

Json = dict[str, Any]
CORNERS = ("bottomLeft", "bottomRight", "topLeft", "topRight")
TYPES = ("client", "gateway", "database", "bucket")
STYLES = {"hot": {"fill": "#fee2e2", "stroke": "#b91c1c"}, "cold": {"fill": "#e0f2fe", "stroke": "#0369a1"}}


def box(name: str, node_type: str | None = None, **members: Any) -> Json:
    return {"id": name, "kind": "node", "label": name, **({"nodeType": node_type} if node_type else {}), **members}


def document(*elements: Json, legend: object = "auto", title: str | None = None, **members: Any) -> Json:
    scene = {"id": "s", "units": "px", "canvas": {}} | ({"title": title, "showTitle": True} if title else {})
    return {"schemaVersion": "0.1", "scene": scene, "elements": [*elements], "legend": legend, **members}


def typed(**members: Any) -> Json:
    return document(*(box(name, name) for name in TYPES), edge("client", "gateway", id="e"), **members)


def labels(scene: Json) -> list[str]:
    laid_out = lay_out(scene).scene.scene
    return [] if laid_out.legend is None else [entry.label for entry in entries_of(laid_out, laid_out.legend)]


def drawn(scene: Json, theme: str | None = None, extras: Extras = PLAIN) -> Drawing:
    found = lay_out(scene, theme=theme, before=extras.before, before_places=extras.before_places, view=extras.view)
    return _drawing(found.scene, extras)


def of_role(drawing: Drawing, role: str) -> list[DrawnGroup]:
    return [group for group in drawing.groups if group.role == role]


def extent(*groups: DrawnGroup) -> Box:
    found = union(box for group in groups for item in group.items if (box := extent_of(item)) is not None)
    assert found is not None
    return found


def words(group: DrawnGroup) -> list[str]:
    return [" ".join(run.text for run in item.runs) for item in group.items if isinstance(item, TextItem)]


def test_auto_lists_the_named_styles_in_use() -> None:
    scene = document(box("a", style="hot"), box("b", style="cold"), box("c", "database"), styles={**STYLES, "x": {}})
    assert labels(scene) == ["hot", "cold"]


def test_auto_lists_the_types_that_look_different_where_no_two_styles_are_in_use() -> None:
    scene = typed(styles=STYLES)
    scene["elements"][0]["style"] = "hot"
    assert labels(scene) == ["Client", "Gateway", "Database, bucket"]


def test_auto_names_kinds_of_edges_and_nothing_untyped() -> None:
    rows = [box("a", "workflow.task"), box("b"), box("c", "my own thing")]
    rows += [edge("a", "b", id="e", edgeType="workflow.messageFlow"), edge("b", "c", id="f"), edge("a", "c", id="g")]
    assert labels(document(*rows)) == ["Task", "Message flow"]


@pytest.mark.parametrize("legend", ["auto", {"entries": []}, None])
def test_a_single_look_needs_no_legend(legend: object) -> None:
    scene = document(box("a", "database"), box("b"), legend=legend)
    assert labels(scene) == []
    assert of_role(drawn(scene), "legend") == []


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("corner", CORNERS)
def test_it_stands_at_its_corner_outside_the_content_within_the_page(corner: str, theme: str) -> None:
    entries = [{"label": name, "nodeType": name} for name in TYPES]
    drawing = drawn(typed(legend={"title": "Looks", "entries": entries, "corner": corner}, title="Shop"), theme)
    content = extent(*of_role(drawing, "element"))
    (legend,) = of_role(drawing, "legend")
    panel = extent(legend)
    assert not panel.overlaps(content)
    assert (panel.y > content.bottom) == corner.startswith("bottom")
    if corner.endswith("Left"):
        assert panel.x == pytest.approx(content.x, abs=2)
    else:
        assert panel.right == pytest.approx(content.right, abs=2)
    assert drawing.page.contains(panel)
    assert words(legend) == ["Looks", *TYPES]


def test_samples_look_like_what_they_explain() -> None:
    entries = [{"label": "hot", "style": "hot"}, {"label": "store", "nodeType": "database"}]
    drawing = drawn(document(box("a", style="hot"), box("b", "database"), legend={"entries": entries}, styles=STYLES))
    (legend,) = of_role(drawing, "legend")
    paints = [(item.fill, item.stroke, len(item.path)) for item in legend.items if isinstance(item, PathItem)]
    for group in of_role(drawing, "element"):
        (outline,) = [item for item in group.items if isinstance(item, PathItem) and item.is_outline and item.fill]
        assert (outline.fill, outline.stroke, len(outline.path)) in paints


def test_the_sample_of_a_style_is_what_wears_it() -> None:
    styles = {"late": {"stroke": "#b91c1c", "dash": [4, 4]}, "zone": {"fill": "#fef3c7"}}
    scene = document(
        box("a"),
        box("b"),
        edge("a", "b", id="e", style="late", endpoints={"endArrow": "triangle"}),
        {"id": "f", "kind": "frame", "children": ["a"], "style": "zone"},
        styles=styles,
    )
    (legend,) = of_role(drawn(scene), "legend")
    paths = [item for item in legend.items if isinstance(item, PathItem)]
    assert words(legend) == ["late", "zone"]
    assert any(item.dash == (4, 4) and item.fill is None for item in paths)
    assert any(item.fill is not None and item.stroke is None and len(item.path) == 4 for item in paths)


def test_an_entry_of_words_alone_has_no_sample() -> None:
    (legend,) = of_role(drawn(typed(legend={"entries": [{"label": "in euros"}]})), "legend")
    assert [type(item) for item in legend.items] == [PathItem, TextItem]


def test_it_is_no_element_and_leaves_the_layout_alone() -> None:
    with_it, without = lay_out(typed()).scene, lay_out(typed(legend=None)).scene
    assert with_it.placement.boxes == without.placement.boxes
    assert with_it.canvas == without.canvas
    (legend,) = of_role(drawn(typed()), "legend")
    assert legend.id == ""


def test_a_visual_diff_has_its_own_legend_alone() -> None:
    before = typed()
    before["elements"] = before["elements"][1:-1]
    drawing = drawn(typed(title="Shop"), extras=Extras(before=before))
    assert [group.kind for group in of_role(drawing, "legend")] == ["diff"]
    assert len(of_role(drawing, "title")) == 1


def test_the_title_is_drawn_above_the_content_where_asked_for() -> None:
    drawing = drawn(typed(title="How the shop sells"))
    (title,) = of_role(drawing, "title")
    (item,) = title.items
    assert isinstance(item, TextItem)
    assert (item.runs[0].font.size, item.runs[0].font.weight) == (18, 600)
    assert extent(title).bottom < extent(*of_role(drawing, "element")).y
    assert drawing.page.contains(extent(title))
    unasked = typed()
    unasked["scene"]["title"] = "Unseen"
    assert of_role(drawn(unasked), "title") == []


@pytest.mark.parametrize("corner", CORNERS)
def test_beside_a_crop_nothing_of_the_rest_shows_under_the_legend(corner: str) -> None:
    scene = typed(legend={"entries": [{"label": "Client", "nodeType": "client"}], "corner": corner}, title="Shop")
    view = View(crop=("gateway",))
    drawing = drawn(scene, extras=Extras(view=view))
    bare = drawn(typed(legend=None), extras=Extras(view=view))
    grounds = [
        extent(DrawnGroup(id="", kind="", items=(item,)))
        for role in ("legend", "title")
        for group in of_role(drawing, role)
        for item in group.items
        if isinstance(item, PathItem) and item.fill is not None
    ]
    for group in of_role(drawing, "element"):
        for item in group.items:
            box = extent_of(item)
            if box is None or bare.page.contains(box):
                continue
            for x, y in ((box.center.x, box.y), (box.center.x, box.bottom)):
                place = Box(x - 0.5, y - 0.5, 1, 1)
                if drawing.page.contains(place) and not bare.page.overlaps(place):
                    assert any(ground.contains(place) for ground in grounds)


@pytest.mark.parametrize("form", ["svg", "png", "pdf", "excalidraw", "drawio", "pptx"])
def test_formats_with_a_page_draw_it(form: str) -> None:
    with_it, without = (render(typed(legend=legend, title="Shop"), form).content for legend in ("auto", None))
    assert len(with_it) > len(without)
    if isinstance(with_it, str):
        assert "Database, bucket" in with_it


@pytest.mark.parametrize("form", ["mermaid", "text", "drawio"])
def test_formats_that_do_not_keep_it_say_so(form: str) -> None:
    def losses(legend: object) -> str:
        rows = render(typed(legend=legend), form).diagnostics
        return json.dumps([row.data for row in rows if row.code == "EXPORT_LOSS"])

    assert "legend" in losses("auto")
    assert "legend" not in losses(None)
    assert "legend" not in losses({"entries": []})


def test_bpmn_says_that_it_keeps_no_legend() -> None:
    rows = [box("a", "workflow.start"), box("b", "workflow.task"), edge("a", "b", id="e")]
    picture = render(document(*rows, diagramFamily="workflow"), "bpmn")
    assert any("the legend" in row.message for row in picture.diagnostics)


def test_the_description_of_a_picture_names_the_entries() -> None:
    assert "Legend: Client; Gateway; Database, bucket." in drawn(typed()).description
