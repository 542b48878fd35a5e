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
from scenograph.storage.records import NO_QUOTA, PRIVATE, Quota, QuotaReached
from scenograph.storage.schema import origins, revisions, scenes
from scenograph.storage.sql_answers import Answers
from scenograph.storage.sql_lifecycle import Lifecycle
from scenograph.storage.sql_lists import Listings
from scenograph.storage.sql_places import Places, origin_row
from scenograph.storage.sql_quotas import BeyondQuota, charge
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
        stored_bytes=scenes.c.stored_bytes + bindparam("more", type_=scenes.c.stored_bytes.type),
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
        self,
        owner: str,
        scene_id: str,
        first: NewRevision,
        at: datetime,
        deleted_until: datetime | None = None,
        *,
        quota: Quota = NO_QUOTA,
    ) -> IdTaken | QuotaReached | None:
        """Insert, and look who holds the id only when that fails: of two callers one wins. LookupError when there is
        no such account."""
        kept = _Kept(first)
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
            "stored_bytes": kept.size,
        }
        for _ in range(CREATE_ATTEMPTS):
            try:
                with self._write() as connection:
                    if expired is not None:
                        connection.execute(_SET_ASIDE, expired)
                    scene = connection.execute(_CREATE, row).scalar_one()
                    kept.insert(connection, scene, FIRST_REVISION, at)
                    charge(connection, owner, scenes=1, stored_bytes=kept.size, quota=quota)
            except BeyondQuota as beyond:
                return beyond.reached
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
        self, owner: str, scene_id: str, base: int, new: NewRevision, at: datetime, *, quota: Quota = NO_QUOTA
    ) -> int | Conflict | QuotaReached | None:
        """The UPDATE names the expected revision, so that exactly one writer of a base changes a row."""
        kept = _Kept(new)
        expected = {
            "owner": owner,
            "scene": scene_id,
            "base": within_column(base),
            "new_title": new.title,
            "new_family": new.diagram_family,
            "new_search": _searchable(scene_id, new),
            "more": kept.size,
            "at": at,
        }
        try:
            with self._write() as connection:
                advanced = connection.execute(_ADVANCE, expected).one_or_none()
                if advanced is not None:
                    kept.insert(connection, advanced.id, advanced.revision, at)
                    charge(connection, owner, stored_bytes=kept.size, quota=quota)
        except BeyondQuota as beyond:
            return beyond.reached
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


class _Kept:
    """A revision as it is kept, packed once; `size` is what counts in the account's bytes: the document, the ids that
    changed, the sketch."""

    def __init__(self, new: NewRevision) -> None:
        encoding, document = pack(new.document)
        changed_ids = json.dumps(new.changed_ids)
        summary = new.summary
        self._revision: dict[str, object] = {
            "message": new.message,
            "added": summary.added if summary else None,
            "removed": summary.removed if summary else None,
            "modified": summary.modified if summary else None,
            "changed_ids": changed_ids,
            "encoding": encoding,
            "document": document,
        }
        self._origin, beside = (None, 0) if new.origin is None else origin_row(new.origin)
        self.size = len(document) + len(changed_ids) + beside

    def insert(self, connection: Connection, scene: int, number: int, at: datetime) -> None:
        """Write it as that revision of the scene with that key."""
        own: dict[str, object] = {"scene": scene, "revision": number}
        connection.execute(insert(revisions), self._revision | own | {"created_at": at})
        if self._origin is not None:
            connection.execute(insert(origins), self._origin | own)


def _searchable(scene_id: str, new: NewRevision) -> str:
    return f"{new.title or ''}\n{scene_id}".casefold()
