"""Watching scenes for edits: repeated questions of a server with listeners to the store. A single query serves all
listeners of a server, and its cost does not grow with their number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from scenograph.late_dataclasses import dataclass
from scenograph.service.errors import scene_not_found
from scenograph.service.scene_ids import require_possible
from scenograph.service.sharing import SceneAccess
from scenograph.storage.interface import PUBLIC, Later, SceneState, Store, WatchedScenes

REVOKED, DELETED, MADE_PRIVATE, WITHDRAWN = "revoked", "deleted", "made_private", "grant_withdrawn"


class Watch(NamedTuple):
    """A watcher, its scene, and the last known state and role."""

    scene: SceneAccess
    state: SceneState
    role: str


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """News of a watched scene: its state and the watcher's role now, the revisions since the last look, or why the
    watch ended."""

    state: SceneState
    role: str
    later: Later = Later()
    comments: tuple[str, ...] = ()
    over: str | None = None


class Watching:
    """Looks for news of watched scenes."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def begin(self, scene: SceneAccess) -> Watch:
        """A watch from the scene's present state on; scene_not_found."""
        require_possible(scene.scene_id)
        place = scene.owner, scene.scene_id
        found = self._store.watched_scenes([place], []).scenes.get(place)
        if found is None:
            raise scene_not_found()
        return Watch(scene, found, scene.role)

    def changed_since(self, owner: str, scene_id: str, revision: int) -> Later:
        """What was changed after a revision, and the author of the latest."""
        return self._store.changed_since(owner, scene_id, revision)

    def look(self, watches: Iterable[Watch]) -> Mapping[Watch, News]:
        """News by watch, for watches with any."""
        asked = frozenset(watches)
        places = sorted({(watch.scene.owner, watch.scene.scene_id) for watch in asked})
        keys = sorted({watch.scene.caller.key_id for watch in asked if watch.scene.caller.key_id is not None})
        guests = {watch.scene for watch in asked if not watch.scene.is_own}
        grantees = [(scene.owner, scene.scene_id, scene.caller.grantee) for scene in guests]
        seen = self._store.watched_scenes(places, keys, grantees)
        news = {watch: self._news(watch, seen) for watch in asked}
        return {watch: told for watch, told in news.items() if told is not None}

    def _news(self, watch: Watch, seen: WatchedScenes) -> News | None:
        """The news of a watch, None without any. The end of a publication ends open watches as the end of a grant
        does: no listener continues on an old permission."""
        scene, key_id = watch.scene, watch.scene.caller.key_id
        state = seen.scenes.get((scene.owner, scene.scene_id))
        role = scene.role if scene.is_own else seen.roles.get((scene.owner, scene.scene_id, scene.caller.account_id))
        if key_id is not None and key_id not in seen.key_ids:
            return _over(watch, REVOKED)
        if state is None or role is None:
            return _over(watch, DELETED if state is None else WITHDRAWN)
        if watch.state.privacy == PUBLIC != state.privacy:
            return _over(watch, MADE_PRIVATE)
        if (state, role) == (watch.state, watch.role):
            return None
        later = Later()
        if state.revision != watch.state.revision:
            later = self._store.changed_since(scene.owner, scene.scene_id, watch.state.revision)
        comments: tuple[str, ...] = ()
        if state.comments_version != watch.state.comments_version:
            comments = self._store.changed_comments(scene.owner, scene.scene_id, watch.state.comments_version)
        return News(state=state, role=role, later=later, comments=comments)


def _over(watch: Watch, reason: str) -> News:
    return News(state=watch.state, role=watch.role, over=reason)
