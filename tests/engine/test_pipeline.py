"""What the front door of the engine says of a picture."""

from __future__ import annotations

import gc
import re
from typing import Any

import pytest

from scenograph.engine.pipeline import lay_out, normalize, places_of, render, render_svg
from scenograph.engine.place import placing
from scenograph.wire.formats import FORMATS


@pytest.mark.parametrize(
    ("x", "width", "written"), [(300.123456, 100.0, "480.12"), (627.999999 - 180, 100.0, "628"), (0.0, 100.0, "180")]
)
def test_a_pictures_size_is_the_one_that_its_svg_has(x: float, width: float, written: str) -> None:
    layout = {"mode": "absolute", "x": x, "y": 40, "width": width, "height": 100}
    document: dict[str, Any] = {
        "schemaVersion": "0.1",
        "diagramFamily": "architecture",
        "scene": {"id": "sizes", "units": "px", "canvas": {}},
        "elements": [
            {"id": "origin", "kind": "node", "layout": {**layout, "x": 0}},
            {"id": "far", "kind": "node", "layout": layout},
        ],
    }
    picture = render_svg(document)
    size = re.search(r'width="([^"]*)" height="([^"]*)"', str(picture.content))
    assert size is not None
    assert size.groups() == (str(picture.width), str(picture.height)) == (written, "180")
    assert picture.width == pytest.approx(lay_out(document).scene.canvas.width, abs=0.005)


@pytest.mark.parametrize("collects", [True, False])
def test_no_garbage_is_looked_for_while_a_picture_is_made(*, collects: bool) -> None:
    nodes = [{"id": f"n{i}", "kind": "node"} for i in range(80)]
    edges = [
        {"id": f"e{i}", "kind": "edge", "from": {"elementId": f"n{i // 2}"}, "to": {"elementId": f"n{i}"}}
        for i in range(1, 80)
    ]
    document: dict[str, Any] = {
        "schemaVersion": "0.1",
        "diagramFamily": "architecture",
        "scene": {"id": "many", "units": "px", "canvas": {}},
        "elements": [*nodes, *edges],
    }
    was_enabled, before = gc.isenabled(), [row["collections"] for row in gc.get_stats()]
    (gc.enable if collects else gc.disable)()
    try:
        render_svg(document)
        assert gc.isenabled() is collects
        after = [row["collections"] for row in gc.get_stats()]
        # What was made may be looked through once at the end, and what was there before it once.
        assert sum(after) - sum(before) <= (2 if collects else 0)
    finally:
        (gc.enable if was_enabled else gc.disable)()


def test_a_fault_in_keeping_former_places_lays_the_scene_out_without_them(monkeypatch: pytest.MonkeyPatch) -> None:
    places = places_of(lay_out(PAIR))
    fresh = lay_out(PAIR)

    def fail(*_: object, **__: object) -> None:
        raise KeyError("a secret of the scene")

    monkeypatch.setattr(placing, "remembered", fail)
    kept = lay_out(PAIR, sketch=places)
    assert kept.scene.placement == fresh.scene.placement
    (row,) = [row for row in kept.diagnostics if row.code == "PLACES_NOT_KEPT"]
    told = str(row.fault)
    assert told.startswith("KeyError at test_pipeline.py:")
    assert "placing.py" in told
    assert "secret" not in told
    assert row.as_json() == {
        "code": "PLACES_NOT_KEPT",
        "severity": "warning",
        "message": "The engine failed to keep the places that the elements had; all of them were placed anew.",
        "path": "/elements",
    }
    assert row in normalize(PAIR, sketch=places)[1]
    assert [row for row in kept.diagnostics if row.code != "PLACES_NOT_KEPT"] == list(fresh.diagnostics)


@pytest.mark.parametrize("sketched", [False, True])
def test_too_little_memory_and_a_fault_without_former_places_are_not_hidden(
    monkeypatch: pytest.MonkeyPatch, *, sketched: bool
) -> None:
    places = places_of(lay_out(PAIR)) if sketched else None
    kind = MemoryError if sketched else KeyError

    def fail(*_: object, **__: object) -> None:
        raise kind

    monkeypatch.setattr(placing, "composer_of", fail)
    with pytest.raises(kind):
        lay_out(PAIR, sketch=places)


PAIR: dict[str, Any] = {
    "schemaVersion": "0.1",
    "diagramFamily": "architecture",
    "scene": {"id": "pair", "units": "px", "canvas": {}},
    "elements": [
        {"id": "a", "kind": "node", "label": "A"},
        {"id": "b", "kind": "node", "label": "B"},
        {"id": "e", "kind": "edge", "from": {"elementId": "a"}, "to": {"elementId": "b"}},
    ],
}


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("elements", [[], [{"id": "a", "kind": "node", "label": "A", "visible": False}]])
def test_a_scene_in_which_nothing_is_seen_is_written_in_every_format(form: str, elements: list[Any]) -> None:
    picture = render({**PAIR, "diagramFamily": "workflow", "elements": elements}, form)
    assert picture.content
