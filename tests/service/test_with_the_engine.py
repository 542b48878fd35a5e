"""The use cases over the real engine in real worker processes: what the ports promise is what they get."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from scenograph.scene.limits import Limits
from scenograph.service.accounts import Caller
from scenograph.service.documents import Documents
from scenograph.service.errors import ServiceError
from scenograph.service.places import Places
from scenograph.service.rendering import Rendering
from scenograph.service.scenes import Scenes
from scenograph.storage.interface import Store
from scenograph.workers import EngineWorkers

Make = Callable[..., dict[str, Any]]
ANN = Caller(account_id="ann", email_verified=True, role="member", key_id="k")
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(scope="module")
def workers() -> Iterator[EngineWorkers]:
    started = EngineWorkers(1, queue_seconds=30)
    yield started
    started.close()


@pytest.fixture
def places(store: Store, workers: EngineWorkers) -> Places:
    return Places(store, workers)


@pytest.fixture
def scenes(store: Store, clock: Any, places: Places) -> Scenes:
    return Scenes(store, Documents(Limits()), clock, places)


@pytest.fixture
def rendering(scenes: Scenes, places: Places, workers: EngineWorkers) -> Rendering:
    return Rendering(scenes, places, workers, Documents(Limits()))


def test_a_stored_scene_becomes_a_picture_in_both_formats(scenes: Scenes, rendering: Rendering, document: Make) -> None:
    scenes.create("ann", document())
    drawn = rendering.stored(ANN, "orders", {}).drawn()
    drawn_ids = {group.get("data-element-id") for group in ET.fromstring(str(drawn.content)).iter()}  # noqa: S314
    assert {"a", "b", "ab"} <= drawn_ids
    png = rendering.stored(ANN, "orders", {"format": "png", "scale": 2}).drawn()
    assert isinstance(png.content, bytes)
    assert png.content.startswith(PNG_SIGNATURE)
    assert (png.width, png.height) == (2 * drawn.width, 2 * drawn.height)


def test_the_same_request_gives_the_same_bytes(rendering: Rendering, document: Make) -> None:
    pictures = [rendering.inline({"scene": document(), "theme": "dark"}).drawn() for _ in range(2)]
    assert pictures[0] == pictures[1]


def test_moving_a_node_that_the_engine_placed_starts_where_it_was_drawn(
    scenes: Scenes, workers: EngineWorkers, document: Make, batch: Make
) -> None:
    scenes.create("ann", document())
    before = workers.bounds(document())["b"]
    scenes.apply("ann", "orders", batch(1, {"op": "moveElement", "id": "b", "delta": {"dx": 5, "dy": 7}}))
    layout = scenes.read("ann", "orders").document["elements"][1]["layout"]
    assert layout["mode"] == "absolute"
    assert layout["x"] == pytest.approx(before["x"] + 5, abs=0.01)
    assert layout["y"] == pytest.approx(before["y"] + 7, abs=0.01)


def test_a_page_that_grows_beyond_the_largest_picture_is_refused_in_words(rendering: Rendering, document: Make) -> None:
    far = {"mode": "absolute", "x": 200_000, "y": 200_000}
    scene = document("far", {"id": "a", "kind": "node", "layout": far}, {"id": "b", "kind": "node", "label": "B"})
    with pytest.raises(ServiceError) as refusal:
        rendering.inline({"scene": scene, "format": "png"}).drawn()
    assert refusal.value.code == "invalid_request"
    assert "megapixels" in refusal.value.sentence


def test_a_small_request_for_a_huge_picture_is_refused_and_costs_no_worker(
    rendering: Rendering, workers: EngineWorkers, document: Make
) -> None:
    scene = document("huge", {"id": "a", "kind": "node", "label": "W" * 500, "style": {"fontSize": 512}})
    lost = workers.replaced()
    with pytest.raises(ServiceError) as refusal:
        rendering.inline({"scene": scene, "format": "png", "scale": 8}).drawn()
    assert refusal.value.code == "invalid_request"
    assert "megapixels" in refusal.value.sentence
    assert workers.replaced() == lost


def test_a_normalized_document_can_be_stored_and_reads_back_without_what_was_computed(
    scenes: Scenes, rendering: Rendering, document: Make
) -> None:
    normalized = rendering.normalize(document())
    assert set(normalized.document["computed"]["bounds"]) >= {"a", "b"}
    scenes.create("ann", {**normalized.document, "diagnostics": list(normalized.diagnostics)})
    kept = scenes.read("ann", "orders").document
    assert "computed" not in kept
    assert "diagnostics" not in kept
    assert kept["elements"][0]["layout"]["mode"] == "absolute"
