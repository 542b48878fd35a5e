"""Lists: an owner's scenes, a scene's revisions, and the difference of two revisions (R-REV-4, R-REV-5, R-REV-8)."""

from __future__ import annotations

from collections.abc import Mapping

from scenograph.late_dataclasses import dataclass
from scenograph.scene.difference import Difference, FieldChange
from scenograph.scene.json_text import JsonText
from scenograph.service.cursors import DEFAULT_PAGE, cursor, place
from scenograph.service.documents import Documents
from scenograph.service.errors import ServiceError, invalid_request, scene_not_found
from scenograph.service.places import Places
from scenograph.service.render_requests import RevisionName
from scenograph.service.scene_ids import require_possible
from scenograph.service.scenes import ReadRevision, Scenes
from scenograph.storage.interface import Author, History, PageStart, SceneEntry, Store
from scenograph.wire.limits import SEARCH_LENGTH


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenePage:
    """Some of an owner's scenes, the latest change first; `next_cursor` is None on the last page."""

    items: tuple[SceneEntry, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisionDifference:
    """The difference of two revisions: `changes` of each modified element by field, `scene` for changes outside
    elements, `moved` ids, None if one of the revisions has no places at the moment; the `author` of `to_revision`."""

    scene_id: str
    from_revision: int
    to_revision: int
    change: Difference
    changes: Mapping[str, Mapping[str, FieldChange]]
    scene: tuple[str, ...]
    moved: tuple[str, ...] | None
    author: Author | None = None


class Listings:
    """Lists over the store, and differences of revisions read by `scenes` and compared by `documents`."""

    def __init__(self, store: Store, scenes: Scenes, documents: Documents, places: Places) -> None:
        self._places = places
        self._documents = documents
        self._store = store
        self._scenes = scenes

    def scenes(
        self,
        owner: str,
        limit: int = DEFAULT_PAGE,
        after: str | None = None,
        words: str = "",
        *,
        email: str | None = None,
    ) -> ScenePage:
        """A page of the owner's scenes and of those shared with the account or its verified address `email`; `words`
        filters by title or id. Raises invalid_request for an unknown cursor or an overlong search."""
        if len(words) > SEARCH_LENGTH:
            raise invalid_request(f"q may have at most {SEARCH_LENGTH} characters.")
        behind = None if after is None else _place(after)
        found = self._store.list_scenes(owner, limit + 1, behind, words.strip(), email=email)  # one more: a next page
        page = found[:limit]
        more = len(found) > limit
        return ScenePage(items=page, next_cursor=_cursor(page[-1]) if more else None)

    def revisions(self, owner: str, scene_id: str, limit: int = DEFAULT_PAGE, before: int | None = None) -> History:
        """Up to `limit` revisions below `before`, newest first. scene_not_found."""
        require_possible(scene_id)
        history = self._store.history(owner, scene_id, before, limit)
        if history is None:
            raise scene_not_found()
        return history

    def difference(
        self, owner: str, scene_id: str, from_revision: RevisionName, to_revision: RevisionName | None = None
    ) -> RevisionDifference:
        """The difference between two revisions; `to_revision` None means the latest. Raises scene_not_found,
        revision_not_found."""
        after = self._scenes.read(owner, scene_id, to_revision)
        before = self._scenes.read(owner, scene_id, from_revision)
        found = self._documents.compare(before.source, after.source, *map(self._places_of, (before, after)))
        return RevisionDifference(
            scene_id=scene_id,
            from_revision=before.revision,
            to_revision=after.revision,
            change=found.change,
            changes=found.changes,
            scene=found.scene,
            moved=found.moved,
            author=after.author,
        )

    def _places_of(self, read: ReadRevision) -> JsonText | None:
        """The places of a revision; None if the engine is busy or fails: a difference is told without them."""
        try:
            return self._places.places(read.key, read.revision)
        except ServiceError:
            return None


def _cursor(last: SceneEntry) -> str:
    """Ids of scenes hold no slash, and the owner of a shared one tells it from another of the same id and time."""
    return cursor(last.updated_at, f"{last.scene_id}/{last.owner}")


def _place(text: str) -> PageStart:
    at, name = place(text)
    scene_id, _, owner = name.partition("/")
    return PageStart(updated_at=at, scene_id=scene_id, owner=owner)
