"""The Store over SQLAlchemy Core: one set of statements for every SQL backend.

Here are scenes with their revisions, and the store as a whole; accounts, listings, the lifecycle, support and places
stand in modules of their own. Promises: the expected revision is compared and the next one written in the same
transaction.
"""

from __future__ import annotations

import json
from datetime import datetime
from functools import partial

from sqlalchemy import Connection, Integer, String, and_, bindparam, cast, func, insert, select, update

from scenograph.scene.json_text import JsonText
from scenograph.storage.connections import AnyRow, ConstraintBroken, repeated
from scenograph.storage.documents import pack, unpack
from scenograph.storage.interface import Conflict, IdTaken, NewRevision, StorageUnavailable, StoredScene
from scenograph.storage.records import PRIVATE
from scenograph.storage.schema import revisions, scenes
from scenograph.storage.sql_answers import Answers
from scenograph.storage.sql_lifecycle import Lifecycle
from scenograph.storage.sql_lists import Listings
from scenograph.storage.sql_places import Places, keep_origin
from scenograph.storage.sql_scopes import ACTIVE, ASIDE, MAX_REVISION, OWNED, within_column
from scenograph.storage.sql_sign_up import SignUps
from scenograph.storage.sql_support import Support
from scenograph.storage.sql_watching import Watching

FIRST_REVISION = 1
CREATE_ATTEMPTS = 3  # an id that was taken may be purged before it is looked at

_HOLDER = select(scenes.c.revision, scenes.c.deleted_at).where(OWNED)
_CURRENT = select(scenes.c.revision).where(ACTIVE)
_READ = (
    select(
        scenes.c.id,
        scenes.c.scene_id,
        revisions.c.revision,
        scenes.c.revision.label("current"),
        revisions.c.encoding,
        revisions.c.document,
        scenes.c.privacy,
        scenes.c.created_at.label("scene_created_at"),
        revisions.c.created_at,
    )
    .join_from(scenes, revisions, revisions.c.scene == scenes.c.id)
    .where(ACTIVE, revisions.c.revision == func.coalesce(bindparam("asked", type_=Integer), scenes.c.revision))
)
# An outer join: a scene without later revisions still tells where it is.
_LATER = and_(revisions.c.scene == scenes.c.id, revisions.c.revision > bindparam("base"))
_SINCE = (
    select(scenes.c.revision.label("current"), revisions.c.changed_ids)
    .join_from(scenes, revisions, _LATER, isouter=True)
    .where(ACTIVE)
)
_ADVANCE = (
    update(scenes)
    .where(ACTIVE, scenes.c.revision == bindparam("base"))
    .values(
        revision=scenes.c.revision + 1,
        title=bindparam("new_title"),
        diagram_family=bindparam("new_family"),
        search_text=bindparam("new_search"),
        updated_at=bindparam("at"),
    )
    .returning(scenes.c.id, scenes.c.revision)
)
# Not deleted here, for the clock that says it is due may have been set; only the purge destroys.
_SET_ASIDE = (
    update(scenes)
    .where(OWNED, scenes.c.deleted_at <= bindparam("deleted_until", type_=scenes.c.deleted_at.type))
    .values(scene_id=ASIDE + cast(scenes.c.id, String))
)
_CREATE = insert(scenes).returning(scenes.c.id)


class SqlStore(SignUps, Listings, Lifecycle, Support, Answers, Places, Watching):
    """The `Store` of `interface.py` over two engines (they may be one). Safe to share between threads."""

    @repeated
    def create_scene(
        self, owner: str, scene_id: str, first: NewRevision, at: datetime, deleted_until: datetime | None = None
    ) -> IdTaken | None:
        """Insert, and look who holds the id only when that fails: of two callers one wins. LookupError when there is
        no such account."""
        expired: dict[str, object] | None = None
        row = {
            "owner_id": owner,
            "scene_id": scene_id,
            "revision": FIRST_REVISION,
            "title": first.title,
            "diagram_family": first.diagram_family,
            "privacy": PRIVATE,
            "created_at": at,
            "updated_at": at,
            "search_text": _searchable(scene_id, first),
        }
        for _ in range(CREATE_ATTEMPTS):
            try:
                with self._write() as connection:
                    if expired is not None:
                        connection.execute(_SET_ASIDE, expired)
                    scene = connection.execute(_CREATE, row).scalar_one()
                    _insert_revision(connection, scene, FIRST_REVISION, first, at)
            except ConstraintBroken:
                holder = self._row(_HOLDER, owner=owner, scene=scene_id)
                if _is_expired(holder, deleted_until) and expired is None:
                    expired = {"owner": owner, "scene": scene_id, "deleted_until": deleted_until}
                elif holder is not None:
                    return IdTaken(current_revision=holder.revision, deleted=holder.deleted_at is not None)
                else:
                    self._require_account(owner)
            else:
                return None
        raise StorageUnavailable("the database refuses the scene, yet nobody holds its id")

    def read_scene(self, owner: str, scene_id: str, revision: int | None = None) -> StoredScene | None:
        """One statement: the document and where the scene is are of the same instant."""
        if revision is not None and not FIRST_REVISION <= revision <= MAX_REVISION:
            return None
        row = self._row(_READ, owner=owner, scene=scene_id, asked=revision)
        if row is None:
            return None
        return StoredScene(
            key=row.id,
            scene_id=row.scene_id,
            revision=row.revision,
            current_revision=row.current,
            document=JsonText(partial(unpack, row.encoding, row.document)),
            privacy=row.privacy,
            scene_created_at=row.scene_created_at,
            revision_created_at=row.created_at,
        )

    def current_revision(self, owner: str, scene_id: str) -> int | None:
        """One indexed look-up; no document is read."""
        row = self._row(_CURRENT, owner=owner, scene=scene_id)
        return None if row is None else row.revision

    @repeated
    def append_revision(
        self, owner: str, scene_id: str, base: int, new: NewRevision, at: datetime
    ) -> int | Conflict | None:
        """The UPDATE names the expected revision, so that exactly one writer of a base changes a row."""
        expected = {
            "owner": owner,
            "scene": scene_id,
            "base": within_column(base),
            "new_title": new.title,
            "new_family": new.diagram_family,
            "new_search": _searchable(scene_id, new),
            "at": at,
        }
        with self._write() as connection:
            advanced = connection.execute(_ADVANCE, expected).one_or_none()
            if advanced is not None:
                _insert_revision(connection, advanced.id, advanced.revision, new, at)
        if advanced is not None:
            return advanced.revision
        return self._conflict(owner, scene_id, base)

    def changed_since(self, owner: str, scene_id: str, base: int) -> tuple[str, ...]:
        """The union of what the later revisions say of themselves; empty when there is no such scene."""
        conflict = self._conflict(owner, scene_id, base)
        return () if conflict is None else conflict.changed_ids

    def _conflict(self, owner: str, scene_id: str, base: int) -> Conflict | None:
        rows = self._rows(_SINCE, owner=owner, scene=scene_id, base=within_column(base))
        if not rows:
            return None
        touched: set[str] = set()
        for row in rows:
            touched.update(json.loads(row.changed_ids or "[]"))
        return Conflict(current_revision=rows[0].current, changed_ids=tuple(sorted(touched)))


def _is_expired(holder: AnyRow | None, deleted_until: datetime | None) -> bool:
    if holder is None or holder.deleted_at is None or deleted_until is None:
        return False
    return bool(holder.deleted_at <= deleted_until)


def _insert_revision(connection: Connection, scene: int, number: int, new: NewRevision, at: datetime) -> None:
    connection.execute(insert(revisions), _revision_row(scene, number, new, at))
    if new.origin is not None:
        keep_origin(connection, scene, number, new.origin)


def _revision_row(scene: int, number: int, new: NewRevision, at: datetime) -> dict[str, object]:
    encoding, kept = pack(new.document)
    summary = new.summary
    return {
        "scene": scene,
        "revision": number,
        "created_at": at,
        "message": new.message,
        "added": summary.added if summary else None,
        "removed": summary.removed if summary else None,
        "modified": summary.modified if summary else None,
        "changed_ids": json.dumps(new.changed_ids),
        "encoding": encoding,
        "document": kept,
    }


def _searchable(scene_id: str, new: NewRevision) -> str:
    return f"{new.title or ''}\n{scene_id}".casefold()
