"""Watching scenes for others' edits: what a server that has listeners asks the store, again and again.

One question serves all listeners of a server, so that its cost does not grow with their number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from scenograph.late_dataclasses import dataclass
from scenograph.service.accounts import Caller
from scenograph.service.errors import scene_not_found
from scenograph.service.scene_ids import require_possible
from scenograph.storage.interface import PUBLIC, Store

REVOKED, DELETED, MADE_PRIVATE = "revoked", "deleted", "made_private"


class Watch(NamedTuple):
    """Who watches which scene, and the last revision and privacy that are known there."""

    owner: str
    key_id: str | None
    scene_id: str
    revision: int
    privacy: str


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """What became of a watched scene: the sorted ids that changed up to `revision`; or why the watch is over."""

    revision: int
    privacy: str
    changed_ids: tuple[str, ...] = ()
    over: str | None = None


class Watching:
    """Tells watchers what is new."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def begin(self, caller: Caller, scene_id: str) -> Watch:
        """A watch from the scene's present state on; scene_not_found."""
        require_possible(scene_id)
        place = caller.account_id, scene_id
        found = self._store.watched_scenes([place], []).scenes.get(place)
        if found is None:
            raise scene_not_found()
        revision, privacy = found
        return Watch(caller.account_id, caller.key_id, scene_id, revision, privacy)

    def changed_since(self, owner: str, scene_id: str, revision: int) -> tuple[str, ...]:
        """Sorted ids that changed after a revision."""
        return self._store.changed_since(owner, scene_id, revision)

    def look(self, watches: Iterable[Watch]) -> Mapping[Watch, News]:
        """What is new, for those watches where something is."""
        asked = frozenset(watches)
        places = sorted({(watch.owner, watch.scene_id) for watch in asked})
        keys = sorted({watch.key_id for watch in asked if watch.key_id is not None})
        seen = self._store.watched_scenes(places, keys)
        news: dict[Watch, News] = {}
        for watch in asked:
            found = seen.scenes.get((watch.owner, watch.scene_id))
            if watch.key_id is not None and watch.key_id not in seen.key_ids:
                news[watch] = _over(watch, REVOKED)
            elif found is None:
                news[watch] = _over(watch, DELETED)
            elif found != (watch.revision, watch.privacy):
                news[watch] = self._news(watch, *found)
        return news

    def _news(self, watch: Watch, revision: int, privacy: str) -> News:
        """A publication's end ends the watches that were open meanwhile: nobody listens on by an old permission."""
        if watch.privacy == PUBLIC != privacy:
            return _over(watch, MADE_PRIVATE)
        changed = self._store.changed_since(watch.owner, watch.scene_id, watch.revision)
        return News(revision=revision, privacy=privacy, changed_ids=changed)


def _over(watch: Watch, reason: str) -> News:
    return News(revision=watch.revision, privacy=watch.privacy, over=reason)
