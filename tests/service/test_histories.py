"""Same history, same bytes: on both databases, whatever was rendered when (R-KEEP-1)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scenograph.engine import pipeline
from scenograph.scene.limits import Limits
from scenograph.service.documents import Documents
from scenograph.service.errors import ServiceError
from scenograph.service.places import Places
from scenograph.service.scenes import Scenes
from scenograph.storage.interface import Account, Store
from scenograph.storage.postgres import open_postgres
from scenograph.storage.sqlite import open_sqlite

AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
NAMES = [f"n{number}" for number in range(6)]
LONGEST = 6  # revisions after the first
ON_ONE_STORE = settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
fresh_number = count()
Op = dict[str, Any]


class Engine:
    """The engine in this process, for the calls that places are made of."""

    def places(self, document: str, sketch: str | None) -> str:
        laid_out = pipeline.lay_out(json.loads(document), sketch=None if sketch is None else json.loads(sketch))
        return json.dumps(pipeline.places_of(laid_out))

    def bounds(
        self, document: Mapping[str, Any], sketch: Mapping[str, Any] | None = None
    ) -> dict[str, dict[str, float]]:
        boxes = pipeline.lay_out(document, sketch=sketch).scene.placement.boxes
        return {name: box._asdict() for name, box in boxes.items()}

    def in_turn(self, *, in_background: bool = False) -> AbstractContextManager[None]:
        return nullcontext()

    def render(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError

    def normalize(self, *_: Any) -> Any:
        raise NotImplementedError


@pytest.fixture
def stores(tmp_path: Any, postgres_url: str) -> Iterator[list[Store]]:
    """One of each database."""
    opened: list[Store] = [open_sqlite(f"sqlite:///{tmp_path}/scenes.db"), open_postgres(postgres_url)]
    for store in opened:
        store.add_account(Account(id="ann", email=None, email_verified_at=AT, role="member"), AT)
    yield opened
    for store in opened:
        store.close()


def edges(name: str) -> st.SearchStrategy[Op]:
    ends = st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES))
    return ends.map(
        lambda pair: {
            "op": "createEdge", "id": f"{name}{pair[0]}{pair[1]}",
            "from": {"elementId": pair[0]}, "to": {"elementId": pair[1]},
        }
    )  # fmt: skip


some_ids = st.lists(st.sampled_from(NAMES), max_size=2, unique=True)
operations = st.one_of(
    st.sampled_from(NAMES).map(lambda name: {"op": "createNode", "id": name, "label": f"Node {name}"}),
    st.sampled_from(NAMES).map(lambda name: {"op": "deleteElement", "id": name}),
    edges("e"),
    some_ids.map(lambda ids: {"op": "relayout", "ids": ids}),
    st.sampled_from(NAMES).map(lambda name: {"op": "moveElement", "id": name, "delta": {"dx": 30, "dy": 0}}),
    st.sampled_from(["grid", "hierarchical"]).map(
        lambda algorithm: {"op": "updateScene", "layoutStrategy": {"algorithm": algorithm}}
    ),
    some_ids.map(lambda ids: {"op": "groupElements", "id": f"g{''.join(ids)}", "children": ids}),
)
batches = st.lists(operations, min_size=1, max_size=3)
# A batch, or a step back to a revision that is so many earlier.
histories = st.lists(st.one_of(batches, st.integers(1, 3)), min_size=1, max_size=LONGEST)
reading_orders = st.lists(st.integers(1, LONGEST + 1), max_size=LONGEST)


def lived(store: Store, scene_id: str, history: list[Any], reads: list[int]) -> list[str | None]:
    """What is kept of each revision in the end. After step number i the revision `reads[i]` is looked at, if it is
    there yet."""
    places = Places(store, Engine())
    scenes = Scenes(store, Documents(Limits()), lambda: AT, places)
    nodes = [{"id": name, "kind": "node", "label": name} for name in NAMES[:4]]
    scene = {"id": scene_id, "units": "px", "canvas": {"width": 400, "height": 300}}
    scenes.create("ann", {"schemaVersion": "0.1", "diagramFamily": "architecture", "scene": scene, "elements": nodes})
    revision = 1
    found = store.scene_key("ann", scene_id)
    assert found is not None
    for number, step in enumerate(history):
        revision = taken(lambda step=step, base=revision: stepped(scenes, scene_id, base, step)) or revision
        if number < len(reads) and reads[number] <= revision:
            places.recall(found.key, reads[number])
    places.recall(found.key, revision)
    rows = [store.kept_places(found.key, number) for number in range(1, revision + 1)]
    assert None not in rows
    return [row.places for row in rows if row is not None]


def stepped(scenes: Scenes, scene_id: str, base: int, step: list[Op] | int) -> int:
    if isinstance(step, int):
        return scenes.restore("ann", scene_id, max(1, base - step), base).revision
    body = {"schemaVersion": "0.1", "sceneId": scene_id, "baseRevision": base, "ops": step}
    return scenes.apply("ann", scene_id, {**body, "transactionMode": "bestEffort"}).revision


def taken(step: Callable[[], int]) -> int | None:
    """The revision that a step made; None for one that was refused."""
    try:
        return step()
    except ServiceError as refusal:
        assert refusal.code == "validation_failed"  # noqa: PT017
        return None


@ON_ONE_STORE
@given(histories, reading_orders, reading_orders)
def test_the_places_of_a_history_are_the_same_bytes_everywhere(
    stores: list[Store], history: list[Any], some: list[int], others: list[int]
) -> None:
    scene_id = f"scene-{next(fresh_number)}"
    first, second = (
        lived(store, scene_id, history, reads) for store, reads in zip(stores, (some, others), strict=True)
    )
    assert first == second
