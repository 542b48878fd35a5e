"""The engine in its processes: the same pictures as in this one, whichever worker draws them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import structlog

from scenograph.engine import pipeline
from scenograph.workers import EngineWorkers, PictureExtras, PictureTooLarge, WorkerTimedOut, engine

DOCUMENT: dict[str, Any] = {
    "schemaVersion": "0.1",
    "scene": {"id": "checkout", "title": "Café ☕", "units": "px", "canvas": {"width": 640, "height": 240}},
    "elements": [
        {"id": "web", "kind": "node", "nodeType": "client", "label": "Web shop"},
        {"id": "orders", "kind": "node", "nodeType": "service", "label": "Orders"},
        {"id": "e1", "kind": "edge", "from": {"elementId": "web"}, "to": {"elementId": "orders"}, "label": "places"},
    ],
}

MANY = 10_000_000


@pytest.fixture(scope="module")
def workers() -> Iterator[EngineWorkers]:
    workers = EngineWorkers(2)
    yield workers
    workers.close()


@pytest.mark.parametrize("theme", [None, "dark"])
def test_a_worker_draws_the_bytes_that_the_engine_draws_here(workers: EngineWorkers, theme: str | None) -> None:
    svg = workers.render(DOCUMENT, output="svg", theme=theme, options={"scale": 1.0, "max_pixels": MANY})
    png = workers.render(DOCUMENT, output="png", theme=theme, options={"scale": 2.0, "max_pixels": MANY})
    here_svg = pipeline.render_svg(DOCUMENT, theme=theme)
    here_png = pipeline.render_png(DOCUMENT, theme=theme, options=pipeline.WriteOptions(scale=2.0))
    assert (svg.content, svg.width, svg.height) == (here_svg.content, here_svg.width, here_svg.height)
    assert (png.content, png.width, png.height) == (here_png.content, here_png.width, here_png.height)
    assert svg.diagnostics == [row.as_json() for row in here_svg.diagnostics]


def test_a_png_of_too_many_pixels_is_not_drawn_but_measured(workers: EngineWorkers) -> None:
    page = pipeline.render_svg(DOCUMENT)
    drawn = workers.render(DOCUMENT, output="png", theme=None, options={"scale": 2.0, "max_pixels": MANY})
    pixels = int(drawn.width * drawn.height)
    assert workers.render(DOCUMENT, output="png", theme=None, options={"scale": 2.0, "max_pixels": pixels}) == drawn
    with pytest.raises(PictureTooLarge) as refused:
        workers.render(DOCUMENT, output="png", theme=None, options={"scale": 2.0, "max_pixels": pixels - 1})
    assert (refused.value.width, refused.value.height, refused.value.pixels) == (page.width, page.height, pixels)
    assert (
        workers.render(DOCUMENT, output="svg", theme=None, options={"scale": 2.0, "max_pixels": 1}).content
        == page.content
    )


def test_every_worker_draws_the_same_bytes(workers: EngineWorkers) -> None:
    with ThreadPoolExecutor(4) as threads:
        pictures = list(
            threads.map(
                lambda _: (
                    workers.render(
                        DOCUMENT, output="png", theme=None, options={"scale": 1.0, "max_pixels": MANY}
                    ).content
                ),
                range(12),
            )
        )
    assert len(set(pictures)) == 1


def test_normalizing_in_a_worker_is_normalizing_here(workers: EngineWorkers) -> None:
    document, diagnostics = workers.normalize(DOCUMENT)
    here, here_diagnostics = pipeline.normalize(DOCUMENT)
    assert document == json.loads(json.dumps(here))
    assert diagnostics == [row.as_json() for row in here_diagnostics]


def test_bounds_are_where_the_engine_puts_the_elements(workers: EngineWorkers) -> None:
    boxes = pipeline.lay_out(DOCUMENT).scene.placement.boxes
    assert workers.bounds(DOCUMENT) == {element_id: box._asdict() for element_id, box in boxes.items()}
    assert set(workers.bounds(DOCUMENT)) == {"web", "orders"}


def test_an_engine_call_beyond_its_time_is_cut() -> None:
    hasty = EngineWorkers(1, timeout_seconds=0.000_1)
    many = [{"id": f"n{number}", "kind": "node", "label": "late"} for number in range(900)]  # never ready at once
    with pytest.raises(WorkerTimedOut):
        hasty.render({**DOCUMENT, "elements": many}, output="png", theme=None, options={"max_pixels": MANY})
    hasty.close()


def test_a_scene_whose_places_the_engine_fails_to_keep_is_drawn_and_the_fault_is_logged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    places = pipeline.places_of(pipeline.lay_out(DOCUMENT))
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    monkeypatch.setattr(engine, "TASKS_REFERENCE", "forgetful_tasks:TASKS")
    forgetful = EngineWorkers(1)
    try:
        with structlog.testing.capture_logs() as lines:
            options = {"scale": 1.0, "max_pixels": MANY}
            drawn = forgetful.render(
                DOCUMENT, output="svg", theme=None, options=options, extras=PictureExtras(sketch=places)
            )
            _, remarks = forgetful.normalize(DOCUMENT, places)
            boxes = forgetful.bounds(DOCUMENT, places)
            kept = forgetful.places(json.dumps(DOCUMENT), json.dumps(places))
    finally:
        forgetful.close()
    assert [row["code"] for row in drawn.diagnostics if row["severity"] == "warning"] == ["PLACES_NOT_KEPT"]
    assert "PLACES_NOT_KEPT" in {row["code"] for row in remarks}
    assert set(boxes) == set(json.loads(kept)["bounds"]) == {"web", "orders"}
    assert [(line["event"], line["task"]) for line in lines] == [
        ("engine_fault_survived", task) for task in ("render", "normalize", "bounds", "places")
    ]
    assert all(line["reason"].startswith("KeyError at forgetful_tasks.py:") for line in lines)
    assert not any("secret" in line["reason"] for line in lines)
