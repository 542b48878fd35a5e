"""Positions of stored scenes' elements, carried from revision to revision (R-KEEP-2, R-KEEP-3).

The places of a revision are computed from its document and the places of the previous revision, its sketch. They are
computed in order of revisions by the first caller in need, and written once. Places therefore depend on the scene's
history alone, never on the order of renders. A revision beyond the engine's budget is recorded as having none, and the
next revision continues from the latest places. Documents and places are passed as JSON text.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import structlog

from scenograph.late_dataclasses import dataclass, field
from scenograph.scene.edits.draft import ComputedBounds, sketch_without
from scenograph.scene.json_values import JsonObject, JsonText, object_at
from scenograph.service.documents import BUSY_RETRY_SECONDS, EnginePort, engine_faults_translated
from scenograph.service.errors import ServiceError
from scenograph.storage.interface import Basis, Origin, PlacesStore
from scenograph.workers import TaskFailed, WorkerCrashed, WorkerTimedOut

PATIENCE_SECONDS = 10.0
_CRASHES = 2  # in a row, until a revision counts as impossible to lay out: workers may fail for other reasons

Sketch = Mapping[str, Any]

_log = structlog.get_logger(__name__)


def sketch_of(basis: Basis) -> str | None:
    """The sketch from which the places of a revision are computed, as JSON text."""
    sketch = basis.former
    for origin in basis.origins:
        sketch = _after(origin, sketch)
    return sketch


def _after(origin: Origin, sketch: str | None) -> str | None:
    if origin.sketch is not None:
        sketch = origin.sketch
    if origin.relays_all or sketch is None:
        return None
    return _text(sketch_without(json.loads(sketch), frozenset(origin.relaid))) if origin.relaid else sketch


def _published(places: JsonObject) -> JsonObject:
    """Places without the page's corner, the requested routers of edges, and the containers of elements."""
    size = {name: value for name, value in object_at(places, "canvas").items() if name not in ("x", "y")}
    rows = object_at(places, "edgePaths")
    paths = {key: {name: value for name, value in row.items() if name != "asked"} for key, row in rows.items()}
    rest = {name: value for name, value in places.items() if name not in ("homes", "rooms")}
    return {**rest, "canvas": size, "edgePaths": paths}


@dataclass(slots=True)
class _Turn:
    """The lock of a scene, kept while any thread holds or awaits it."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    users: int = 0


class PlacesStep(NamedTuple):
    """Places before and after an edit, as JSON text, and the ids that the edit places anew."""

    before: str
    after: str
    relaid: tuple[str, ...]


class PlacesMissing(Exception):  # noqa: N818 - a state, told to the service alone
    """The places of a revision are not computed yet, and the caller had no turn with the engine."""


class Places:
    """The places of all scenes. A caller waits at most `patience_seconds` for those of earlier revisions."""

    def __init__(
        self,
        store: PlacesStore,
        engine: EnginePort,
        patience_seconds: float = PATIENCE_SECONDS,
        elapsed: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._engine = engine
        self._patience = patience_seconds
        self._elapsed = elapsed
        self._closing = threading.Event()
        self._turns: dict[int, _Turn] = {}
        self._guard = threading.Lock()

    def begin_closing(self) -> None:
        """From now on an interrupted computation records nothing about its scene."""
        self._closing.set()

    def recall(self, key: int, revision: int, *, in_full: bool = True) -> JsonText | None:
        """The sketch for drawing a revision: the revision's places, computed now if missing, else the basis for these
        places.

        `in_full` tells whether the caller's engine calls have the whole time of a render. Without it a timeout is
        refused and nothing is recorded about the scene. Raises overloaded and the engine's refusals.
        """
        return _unread(self._sketch_text(self._kept(key, revision, in_full=in_full), key, revision))

    def recall_at_once(self, key: int, revision: int) -> JsonText | None:
        """The same without the engine. Raises PlacesMissing if the engine would be needed."""
        kept = self._store.kept_places(key, revision)
        if kept is None:
            raise PlacesMissing
        return _unread(self._sketch_text(kept.places, key, revision))

    def _sketch_text(self, places: str | None, key: int, revision: int) -> str | None:
        return self._sketch(key, revision) if places is None else places

    def computed(self, key: int, revision: int, document: JsonObject) -> JsonObject:
        """The member `computed` of a revision as written by normalize, without the members private to sketches. Raises
        overloaded and the engine's refusals."""
        places = self._kept(key, revision)
        if places is None:
            with engine_faults_translated():
                places = self._engine.places(_text(document), self._sketch(key, revision))
        return _published(json.loads(places))

    def places(self, key: int, revision: int) -> JsonText | None:
        """The places of a revision, computed now if missing; None if it has none. Raises overloaded and the engine's
        refusals."""
        return _unread(self._kept(key, revision))

    def step(self, key: int, revision: int) -> PlacesStep | None:
        """The step from the former places to those of a revision, computed now if missing; None if either has none, or
        if the revision places all elements anew. Raises overloaded and the engine's refusals."""
        after, basis = self._kept(key, revision), self._store.basis(key, revision)
        if after is None or basis is None or basis.former is None or any(row.relays_all for row in basis.origins):
            return None
        return PlacesStep(basis.former, after, tuple(name for row in basis.origins for name in row.relaid))

    def boxes_on(self, key: int, revision: int, document: JsonObject) -> ComputedBounds:
        """Bounds for a batch of operations on a revision: kept places for its `document`, the engine's places for every
        document derived by the batch."""

        def boxes(asked: JsonObject) -> Mapping[str, Mapping[str, float]]:
            if asked is document:
                return object_at(self.computed(key, revision, document), "bounds")
            sketch = self.recall(key, revision)
            return self._engine.bounds(asked, sketch and sketch.value)

        return boxes

    def step_in_background(self, key: int, until: int) -> bool:
        """Compute and write the places of the first unplaced revision up to `until`; False when none is left. Raises
        WorkerOverloaded, and the fault of a call interrupted by closing."""
        with self._engine.in_turn(in_background=True):
            return self._step(key, until, in_full=True)

    def _step(self, key: int, until: int, *, in_full: bool) -> bool:
        """Called within a turn of the engine: taking a turn while holding a scene would block the holders of turns."""
        with self._alone_on(key):
            revision = self._store.first_unplaced(key, until)
            basis = None if revision is None else self._store.basis(key, revision)
            if revision is None or basis is None:
                return False
            self._store.keep_places(key, revision, self._placed(basis, in_full=in_full))
        return True

    def _kept(self, key: int, revision: int, *, in_full: bool = True) -> str | None:
        """The places of a revision, computed now if missing; None for a revision without places."""
        kept = self._store.kept_places(key, revision)
        if kept is None:
            self._catch_up(key, revision, in_full=in_full)
            kept = self._store.kept_places(key, revision)
        return None if kept is None else kept.places

    def _sketch(self, key: int, revision: int) -> str | None:
        basis = self._store.basis(key, revision)
        return None if basis is None else sketch_of(basis)

    def _catch_up(self, key: int, until: int, *, in_full: bool) -> None:
        """Compute missing places within the caller's patience. Finished revisions are kept: the next call continues
        there."""
        deadline = self._elapsed() + self._patience
        with engine_faults_translated(), self._engine.in_turn():
            while self._step(key, until, in_full=in_full):
                if self._elapsed() > deadline and (missing := self._store.first_unplaced(key, until)) is not None:
                    raise _still_to_come(until + 1 - missing)

    def _placed(self, basis: Basis, *, in_full: bool) -> str | None:
        """The places of a revision; None if the engine fails on the document."""
        if basis.restored is not None:
            return basis.restored
        sketch = sketch_of(basis)
        for left in reversed(range(_CRASHES)):
            try:
                return self._engine.places(basis.document, sketch)
            except (WorkerTimedOut, WorkerCrashed) as fault:
                if self._closing.is_set() or (isinstance(fault, WorkerTimedOut) and not in_full):
                    raise
                if not left or isinstance(fault, WorkerTimedOut | TaskFailed):
                    _log.warning("places_not_computed", kind=type(fault).__name__, reason=str(fault))
                    break
        return None

    @contextmanager
    def _alone_on(self, key: int) -> Generator[None]:
        with self._guard:
            turn = self._turns.setdefault(key, _Turn())
            turn.users += 1
        try:
            with turn.lock:
                yield
        finally:
            with self._guard:
                turn.users -= 1
                if not turn.users:
                    del self._turns[key]


def _still_to_come(revisions: int) -> ServiceError:
    sentence = f"The positions of {revisions} revision(s) up to this one are still to be computed; try again."
    return ServiceError("overloaded", sentence, retry_after=BUSY_RETRY_SECONDS)


def _unread(text: str | None) -> JsonText | None:
    return None if text is None else JsonText(text)


def _text(value: Mapping[str, Any]) -> str:
    return json.dumps(value, separators=(",", ":"))
