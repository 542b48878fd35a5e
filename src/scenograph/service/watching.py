"""Watching scenes for edits: repeated questions of a server with listeners to the store. A single query serves all
listeners of a server, and its cost does not grow with their number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from scenograph.late_dataclasses import dataclass
from scenograph.service.accounts import Caller
from scenograph.service.errors import scene_not_found
from scenograph.service.scene_ids import require_possible
from scenograph.storage.interface import PUBLIC, Later, Store

REVOKED, DELETED, MADE_PRIVATE = "revoked", "deleted", "made_private"


class Watch(NamedTuple):
    """A watcher, its scene, and the last known revision and privacy."""

    owner: str
    key_id: str | None
    scene_id: str
    revision: int
    privacy: str


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """News of a watched scene: sorted ids of elements changed up to `revision` and its author, or why the watch
    ended."""

    revision: int
    privacy: str
    later: Later = Later()
    over: str | None = None


class Watching:
    """Looks for news of watched scenes."""

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

    def changed_since(self, owner: str, scene_id: str, revision: int) -> Later:
        """What was changed after a revision, and the author of the latest."""
        return self._store.changed_since(owner, scene_id, revision)

    def look(self, watches: Iterable[Watch]) -> Mapping[Watch, News]:
        """News by watch, for watches with any."""
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
        """The end of a publication ends open watches: no listener continues on an old permission."""
        if watch.privacy == PUBLIC != privacy:
            return _over(watch, MADE_PRIVATE)
        later = self._store.changed_since(watch.owner, watch.scene_id, watch.revision)
        return News(revision=revision, privacy=privacy, later=later)


def _over(watch: Watch, reason: str) -> News:
    return News(revision=watch.revision, privacy=watch.privacy, over=reason)
