"""The members `legend` and `scene.showTitle`: how they are read, checked and changed (R-DOC-8)."""

from __future__ import annotations

from typing import Any

import pytest

from scenograph.diagnostics import Report
from scenograph.engine.icons import DOCUMENT_LIMITS
from scenograph.scene.edits.operations import apply_operations
from scenograph.scene.limits import Limits
from scenograph.scene.model import Legend, LegendEntry, Style
from scenograph.scene.reading import read_scene
from scenograph.scene.validation import validate

Json = dict[str, Any]
ENTRIES = [{"label": "Store", "nodeType": "database"}, {"label": "Hot", "style": "hot"}]


def document(legend: object = None, **members: Any) -> Json:
    scene = {"id": "s", "units": "px", "canvas": {}, **members}
    said = {} if legend is None else {"legend": legend}
    styles = {"hot": {"fill": "#fee2e2"}}
    base: Json = {"schemaVersion": "0.1", "diagramFamily": "architecture", "scene": scene, "elements": []}
    return {**base, "styles": styles, **said}


def problems(legend: object, limits: Limits = DOCUMENT_LIMITS) -> list[tuple[str, str]]:
    return [(row.code, row.path) for row in validate(document(legend), limits)]


@pytest.mark.parametrize(
    "legend",
    [
        "auto",
        {"entries": ENTRIES},
        {"title": "Key", "entries": ENTRIES, "corner": "topRight"},
        {"entries": [{"label": "Reply", "edgeType": "sequence.reply", "style": {"stroke": "red"}}]},
        {"entries": [{"label": "Function", "icon": "aws:lambda"}, {"label": "Words alone"}]},
    ],
)
def test_a_legend_is_one_word_or_its_entries(legend: object) -> None:
    assert problems(legend) == []


@pytest.mark.parametrize(
    ("legend", "code", "path"),
    [
        ("none", "INVALID_VALUE", "/legend"),
        (True, "INVALID_TYPE", "/legend"),
        ({}, "MISSING_FIELD", "/legend/entries"),
        ({"entries": ENTRIES, "corner": "middle"}, "INVALID_VALUE", "/legend/corner"),
        ({"entries": ENTRIES, "colour": 1}, "UNKNOWN_FIELD", "/legend/colour"),
        ({"entries": "x"}, "INVALID_TYPE", "/legend/entries"),
        ({"entries": [{"nodeType": "service"}]}, "MISSING_FIELD", "/legend/entries/0/label"),
        (
            {"entries": [{"label": "x", "nodeType": "service", "edgeType": "default"}]},
            "INVALID_VALUE",
            "/legend/entries/0/edgeType",
        ),
        ({"entries": [{"label": "x", "style": "cold"}]}, "STYLE_NOT_FOUND", "/legend/entries/0/style"),
        ({"entries": [{"label": "x", "nodeType": "databse"}]}, "UNKNOWN_NODE_TYPE", "/legend/entries/0/nodeType"),
        ({"entries": [{"label": "x", "edgeType": "er.none"}]}, "UNKNOWN_EDGE_TYPE", "/legend/entries/0/edgeType"),
        ({"entries": [{"label": "x", "icon": "aws:lambada"}]}, "UNKNOWN_ICON", "/legend/entries/0/icon"),
    ],
)
def test_what_is_wrong_with_a_legend_is_told_where_it_stands(legend: object, code: str, path: str) -> None:
    assert problems(legend) == [(code, path)]


def test_entries_are_bounded() -> None:
    many = {"entries": [{"label": "x"}] * 4}
    assert problems(many, Limits(legend_entries=3)) == [("LIMIT_EXCEEDED", "/legend/entries")]


def test_a_legend_is_read_with_its_corner() -> None:
    assert read_scene(document("auto"), Report()).legend == Legend()
    said = {"title": "Key", "entries": [*ENTRIES, {"label": "Own", "style": {"opacity": 0.5}}, {}], "corner": "topLeft"}
    assert read_scene(document(said), Report()).legend == Legend(
        title="Key",
        corner="topLeft",
        entries=(
            LegendEntry(label="Store", node_type="database"),
            LegendEntry(label="Hot", style_id="hot"),
            LegendEntry(label="Own", style=Style(opacity=0.5)),
        ),
    )
    assert read_scene(document("unheard-of"), Report()).legend is None


def test_update_scene_sets_and_removes_legend_and_title() -> None:
    def after(base: Json, **members: Any) -> Json:
        done = apply_operations(base, [{"op": "updateScene", **members}], computed_bounds=lambda _: {})
        assert done.succeeded, done.diagnostics
        return done.document

    first = after(document(), legend="auto", title="Shop", showTitle=True)
    assert first["legend"] == "auto"
    assert first["scene"]["showTitle"] is True
    second = after(first, legend={"entries": ENTRIES, "corner": "topLeft"}, showTitle=None)
    assert "showTitle" not in second["scene"]
    third = after(second, legend={"corner": None})
    assert third["legend"] == {"entries": ENTRIES}
    assert "legend" not in after(third, legend=None)


def test_a_style_that_the_legend_names_is_in_use() -> None:
    base = document({"entries": ENTRIES})
    done = apply_operations(base, [{"op": "removeStyle", "styleId": "hot"}], computed_bounds=lambda _: {})
    assert not done.succeeded
    assert [row.code for row in done.diagnostics] == ["DANGLING_REFERENCE"]
    refused = apply_operations(base, [{"op": "updateScene", "legend": {"corner": "up"}}], computed_bounds=lambda _: {})
    assert [(row.code, row.path) for row in refused.diagnostics] == [("INVALID_VALUE", "/ops/0/legend/corner")]
