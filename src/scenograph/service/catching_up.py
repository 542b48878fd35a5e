"""Computes the places of new revisions in the background, after the commit (decisions: section 16).

It only saves the next reader the wait: what it has not done yet, or forgets when the process ends, is computed by
whoever needs it.
"""

from __future__ import annotations

import threading

import structlog

from scenograph.service.places import Places
from scenograph.storage.interface import StorageUnavailable
from scenograph.storage.places import PlacesStore
from scenograph.workers import WorkerCrashed, WorkerOverloaded, WorkerTimedOut

MOST_SCENES = 10_000  # that wait; beyond it the one that has waited longest is left to its readers
STEPS_A_TURN = 8  # revisions of a scene before the next scene has its turn
REST_SECONDS = 1.0  # after a refusal

_log = structlog.get_logger(__name__)
_Scene = tuple[str, str]


class CatchingUp:
    """Runs from its making until `begin_closing`."""

    def __init__(self, store: PlacesStore, places: Places, rest_seconds: float = REST_SECONDS) -> None:
        self._store = store
        self._places = places
        self._rest = rest_seconds
        self._waiting: dict[_Scene, None] = {}  # in the order of their turns
        self._changed = threading.Condition()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="places", daemon=True)
        self._thread.start()

    def note(self, owner: str, scene_id: str) -> None:
        """A scene has a new revision. Never waits for anything."""
        with self._changed:
            self._waiting.setdefault((owner, scene_id))
            if len(self._waiting) > MOST_SCENES:
                del self._waiting[next(iter(self._waiting))]
            self._changed.notify()

    def begin_closing(self) -> None:
        """Begin nothing new."""
        self._closing.set()
        self._places.begin_closing()
        with self._changed:
            self._changed.notify()

    def join(self, seconds: float) -> None:
        """Wait so long for what is being computed."""
        self._thread.join(max(seconds, 0.0))

    def _run(self) -> None:
        while (scene := self._next()) is not None:
            try:
                is_done = self._advanced(scene)
            except (WorkerOverloaded, WorkerTimedOut, WorkerCrashed, StorageUnavailable) as fault:
                _log.info("places_wait", kind=type(fault).__name__)
                is_done = False
                self._closing.wait(self._rest)
            if not is_done:
                self.note(*scene)

    def _next(self) -> _Scene | None:
        """The scene that has waited longest; None at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closing.is_set())
            if self._closing.is_set():
                return None
            scene = next(iter(self._waiting))
            del self._waiting[scene]
            return scene

    def _advanced(self, scene: _Scene) -> bool:
        """Some steps on a scene; whether nothing is left of it to do."""
        found = self._store.scene_key(*scene)
        if found is None:
            return True
        for _ in range(STEPS_A_TURN):
            if self._closing.is_set() or not self._places.step_in_background(found.key, found.revision):
                return True
        return False
