"""A real store and a clock that the test turns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.service.kept_places import CountingEngine, Make

from scenograph.scene.limits import Limits
from scenograph.service.documents import Documents
from scenograph.service.places import Places
from scenograph.service.scenes import Scenes
from scenograph.storage.interface import Account, Store
from scenograph.storage.sqlite import open_sqlite


class Hands:
    """A clock: call it for the time, `turn` it to move on."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def turn(self, **by: float) -> None:
        self.now += timedelta(**by)


@pytest.fixture
def clock() -> Hands:
    return Hands()


@pytest.fixture
def store(sqlite_file: Path, clock: Hands) -> Iterator[Store]:
    """A fresh SQLite file in which ann (verified) and bob (unverified) have accounts."""
    opened = open_sqlite(f"sqlite:///{sqlite_file}")
    opened.add_account(Account(id="ann", email="ann@example.org", email_verified_at=clock(), role="member"), clock())
    opened.add_account(Account(id="bob", email="bob@example.org", email_verified_at=None, role="member"), clock())
    yield opened
    opened.close()


def _document(scene_id: str = "orders", *elements: dict[str, Any], **root: Any) -> dict[str, Any]:
    standard = (
        {"id": "a", "kind": "node", "label": "A", "nodeType": "service"},
        {"id": "b", "kind": "node", "label": "B", "nodeType": "database"},
        {"id": "ab", "kind": "edge", "from": {"elementId": "a"}, "to": {"elementId": "b"}},
    )
    return {
        "schemaVersion": "0.1",
        "diagramFamily": "architecture",
        "scene": {"id": scene_id, "title": "Orders", "units": "px", "canvas": {"width": 800, "height": 600}},
        "elements": list(elements or standard),
        **root,
    }


def _batch(base: object, *ops: object, scene_id: object = "orders", **more: Any) -> dict[str, Any]:
    return {"schemaVersion": "0.1", "sceneId": scene_id, "baseRevision": base, "ops": list(ops), **more}


@pytest.fixture
def document() -> Callable[..., dict[str, Any]]:
    """Makes a valid document: two nodes and an edge unless other elements are given."""
    return _document


@pytest.fixture
def batch() -> Callable[..., dict[str, Any]]:
    """Makes a body for applyOps: the base revision, the operations."""
    return _batch


@pytest.fixture
def engine() -> CountingEngine:
    return CountingEngine()


@pytest.fixture
def places(store: Store, engine: CountingEngine) -> Places:
    return Places(store, engine)


@pytest.fixture
def scenes(store: Store, clock: Any, places: Places) -> Scenes:
    return Scenes(store, Documents(Limits()), clock, places)


@pytest.fixture
def edit(scenes: Scenes, document: Make, batch: Make) -> Callable[..., int]:
    """Makes the scene on the first call, then a revision of these operations; every revision has a title of its own."""
    made = 0

    def edited(*ops: dict[str, Any]) -> int:
        nonlocal made
        if made == 0:
            scenes.create("ann", document())
            made = 1
        if ops:
            made = scenes.apply(
                "ann", "orders", batch(made, *ops, {"op": "updateScene", "title": f"r{made + 1}"})
            ).revision
        return made

    return edited
