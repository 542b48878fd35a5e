"""An engine that counts its calls, and what a store has kept of places."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from scenograph.scene.edits.draft import ComputedBounds
from scenograph.service.places import Places
from scenograph.storage.interface import Store

Make = Callable[..., dict[str, Any]]
WAIT_SECONDS = 30


class CountingEngine:
    """Puts the elements of a document side by side, those of the sketch where they were; `x` tells the calls apart.
    Raises what `faults` has left for a document's title."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.faults: dict[str, list[Exception]] = {}

    def in_turn(self, *, in_background: bool = False) -> AbstractContextManager[None]:
        return nullcontext()

    def places(self, document: str, sketch: str | None) -> str:
        scene = json.loads(document)
        title = scene["scene"]["title"]
        self.asked.append(title)
        if self.faults.get(title):
            raise self.faults[title].pop(0)
        return json.dumps({"bounds": self.bounds(scene, None if sketch is None else json.loads(sketch))})

    def bounds(
        self, document: Mapping[str, Any], sketch: Mapping[str, Any] | None = None
    ) -> dict[str, dict[str, float]]:
        known = {} if sketch is None else sketch["bounds"]
        fresh = 100.0 * len(known)
        return {
            element["id"]: known.get(element["id"], {"x": fresh, "y": 0.0, "width": 10.0, "height": 10.0})
            for element in document["elements"]
            if element["kind"] == "node"
        }

    def render(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError

    def normalize(self, *_: Any) -> Any:
        raise NotImplementedError


class Standing:
    """Elements of every revision stand where the same function says."""

    def __init__(self, boxes: ComputedBounds) -> None:
        self._boxes = boxes

    def boxes_on(self, _key: int, _revision: int, _document: dict[str, Any]) -> ComputedBounds:
        return self._boxes

    def recall(self, _key: int, _revision: int) -> None:
        return None


def key_of(store: Store) -> int:
    found = store.scene_key("ann", "orders")
    assert found is not None
    return found.key


def kept(store: Store, revision: int) -> dict[str, Any] | None:
    row = store.kept_places(key_of(store), revision)
    assert row is not None
    return None if row.places is None else json.loads(row.places)


def new(name: str) -> dict[str, Any]:
    return {"op": "createNode", "id": name}


def x_of(places: Places, store: Store, revision: int, name: str) -> float:
    return bounds_of(places, store, revision)[name]["x"]


def bounds_of(places: Places, store: Store, revision: int) -> dict[str, Any]:
    sketch = places.recall(key_of(store), revision)
    assert sketch is not None
    return sketch.value["bounds"]
