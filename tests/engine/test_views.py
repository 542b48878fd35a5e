"""What a view shows of a scene: folded frames, a focus, a cut-out page."""

from __future__ import annotations

from typing import Any

import pytest

from scenograph.engine.pipeline import Extras, lay_out, normalize, render_svg
from scenograph.engine.tables import LaidOutScene
from scenograph.scene.model import Edge, View

NODES = ("client", "api", "db", "mail", "log")


def shop(**more: Any) -> dict[str, Any]:
    """A client, a backend frame with an inner store frame, and a log outside."""
    nodes = [{"id": one, "kind": "node", "label": one.title()} for one in NODES]
    frames = [
        {"id": "store", "kind": "frame", "title": "Store", "children": ["db"]},
        {"id": "backend", "kind": "frame", "title": "Backend", "children": ["api", "mail", "store"]},
    ]
    lines = [
        ("e1", "client", "api", "calls"),
        ("e2", "client", "mail", "calls"),
        ("e3", "api", "db", "writes"),
        ("e4", "mail", "client", "calls"),
        ("e5", "api", "log", "tells"),
        ("e6", "client", "backend", "calls"),
    ]
    edges = [
        {"id": key, "kind": "edge", "from": {"elementId": source}, "to": {"elementId": target}, "label": label}
        for key, source, target, label in lines
    ]
    document = {"schemaVersion": "0.1", "diagramFamily": "architecture", "scene": {"id": "shop", "units": "px"}}
    document["scene"]["canvas"] = {"width": 2000, "height": 2000}
    return document | {"elements": [*nodes, *frames, *edges]} | more


def seen(view: View, document: dict[str, Any] | None = None) -> LaidOutScene:
    return lay_out(document or shop(), view=view).scene


def labels(scene: LaidOutScene) -> dict[str, str | None]:
    return {one.id: one.label for one in scene.scene.elements if isinstance(one, Edge)}


def test_a_folded_frame_is_one_box_with_its_title_and_how_much_it_holds() -> None:
    scene = seen(View(collapse=("backend",)))
    box = next(one for one in scene.scene.elements if one.id == "backend")
    assert (box.kind, getattr(box, "label", "")) == ("node", "Backend\n4 elements")
    assert set(scene.placement.boxes) == {"client", "log", "backend"}


def test_lines_of_what_is_folded_end_at_the_box_and_equal_ones_are_one_with_their_number() -> None:
    assert labels(seen(View(collapse=("backend",)))) == {
        "e1": "calls \N{MULTIPLICATION SIGN}2",
        "e4": "calls",
        "e5": "tells",
        "e6": "calls",
    }


def test_of_nested_folded_frames_the_outer_one_is_the_box() -> None:
    scene = seen(View(collapse=("store", "backend")))
    assert set(scene.placement.boxes) == {"client", "log", "backend"}


def test_an_inner_frame_folds_within_its_outer_one() -> None:
    scene = seen(View(collapse=("store",)))
    assert scene.placement.boxes["backend"].contains(scene.placement.boxes["store"])
    assert labels(scene)["e3"] == "writes"


def test_a_focus_shows_what_is_one_line_away_and_the_frames_round_it() -> None:
    scene = seen(View(focus=("log",)))
    assert set(scene.placement.boxes) == {"log", "api", "backend"}
    assert set(labels(scene)) == {"e5"}


@pytest.mark.parametrize(
    ("depth", "expected"),
    [(0, {"log"}), (2, {"log", "api", "backend", "client", "db", "store"}), (9, {*NODES, "backend", "store"})],
)
def test_depth_counts_lines_in_either_direction(depth: int, expected: set[str]) -> None:
    assert set(seen(View(focus=("log",), depth=depth)).placement.boxes) == expected


def test_a_frame_in_focus_comes_with_its_content() -> None:
    assert set(seen(View(focus=("backend",), depth=0)).placement.boxes) == {"backend", "store", "api", "mail", "db"}


def test_the_ends_of_a_line_in_focus_are_in_focus() -> None:
    assert set(seen(View(focus=("e5",), depth=0)).placement.boxes) == {"api", "log", "backend"}


def test_a_focus_on_what_is_folded_is_on_the_box() -> None:
    assert set(seen(View(collapse=("backend",), focus=("db",))).placement.boxes) == {"client", "log", "backend"}


def test_a_crop_shows_its_elements_and_24_px_round_them_where_the_whole_has_them() -> None:
    whole, cut = seen(View()), seen(View(crop=("db",)))
    box = whole.placement.boxes["db"]
    assert cut.placement.boxes == whole.placement.boxes
    assert (cut.canvas.origin, cut.canvas.width, cut.canvas.height) == (
        (box.x - 24, box.y - 24),
        box.width + 48,
        box.height + 48,
    )


def test_what_is_cropped_away_is_not_in_the_file() -> None:
    picture = render_svg(shop(), extras=Extras(view=View(crop=("db",))))
    assert 'data-element-id="db"' in picture.content
    assert 'data-element-id="client"' not in picture.content


def test_the_page_of_a_part_fits_the_part() -> None:
    part = seen(View(focus=("log",), depth=0))
    assert part.canvas.width < 400


def test_unknown_ids_are_reported_with_the_nearest_and_left_out() -> None:
    laid_out = lay_out(shop(), view=View(collapse=("bakend", "api"), focus=("lgo",), crop=("nothing at all",)))
    rows = {row.path: row for row in laid_out.diagnostics if row.code == "VIEW_ID_NOT_FOUND"}
    assert set(rows) == {"/view/collapse/0", "/view/collapse/1", "/view/focus/0", "/view/crop/0"}
    assert rows["/view/collapse/0"].data == {"suggestion": "backend"}
    assert laid_out.scene.placement.boxes == lay_out(shop()).scene.placement.boxes


def test_normalize_reads_the_view_of_its_document_and_does_not_keep_it() -> None:
    normalized, _ = normalize(shop(view={"collapse": ["backend"]}))
    assert "view" not in normalized
    assert set(normalized["computed"]["bounds"]) == {"client", "log", "backend"}
    assert next(one for one in normalized["elements"] if one["id"] == "backend")["kind"] == "frame"


def test_constraints_on_what_is_not_shown_say_nothing() -> None:
    wishes = [
        {"id": "c1", "type": "align", "elements": ["client", "db"], "axis": "x"},
        {"id": "c2", "type": "contain", "elements": ["log"], "container": "store", "padding": 8},
    ]
    laid_out = lay_out(shop(constraints=wishes), view=View(collapse=("backend",)))
    assert not [row for row in laid_out.diagnostics if row.code == "CONSTRAINT_UNSATISFIED"]


def test_in_a_visual_diff_a_folded_frame_is_modified_where_its_content_is() -> None:
    before = shop()
    after = shop()
    after["elements"] = [one | {"label": "New"} if one["id"] == "db" else one for one in after["elements"]]
    laid_out = lay_out(after, before=before, view=View(collapse=("backend",))).scene
    changes = laid_out.changes or {}
    assert (changes["backend"], changes["client"]) == ("modified", "unchanged")


def test_lifelines_fold_into_a_lifeline() -> None:
    document = shop(diagramFamily="sequence")
    lives = [{"id": one, "kind": "node", "nodeType": "sequence.lifeline", "label": one} for one in NODES]
    rest = [one for one in document["elements"] if one["kind"] != "node"]
    scene = seen(View(collapse=("backend",)), document | {"elements": [*lives, *rest]})
    assert "tail" in scene.placement.parts["backend"]
