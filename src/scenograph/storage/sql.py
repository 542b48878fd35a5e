"""The Store over SQLAlchemy Core: a single set of statements for every SQL backend.

This module has scenes with their revisions, and the store as a whole. Accounts, lifecycle, support and places have
their own modules. Promise: the expected revision is compared and the next revision written in the same transaction.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from sqlalchemy import (
    ColumnElement,
    Connection,
    Integer,
    Select,
    String,
    Text,
    and_,
    bindparam,
    case,
    cast,
    delete,
    func,
    insert,
    literal,
    null,
    or_,
    select,
    true,
    tuple_,
    union_all,
    update,
)

from scenograph.scene.json_values import JsonText
from scenograph.storage.connections import AnyRow, ConstraintBroken, DatabaseEngines, repeated
from scenograph.storage.interface import (
    EDITOR,
    NO_QUOTA,
    PRIVATE,
    AnswerTimes,
    Author,
    Basis,
    ChangeSummary,
    Conflict,
    Grantee,
    History,
    IdTaken,
    KeptAnswer,
    KeptPlaces,
    Later,
    NewRevision,
    Origin,
    PageStart,
    Quota,
    QuotaReached,
    RevisionEntry,
    RoleLacking,
    SceneEntry,
    SceneKey,
    SceneState,
    StorageUnavailable,
    StoredScene,
    WatchedScenes,
    pack,
    unpack,
)
from scenograph.storage.schema import (
    ACTIVE,
    ASIDE,
    MAX_REVISION,
    OWNED,
    accounts,
    api_keys,
    authors,
    grants,
    kept_answers,
    origins,
    places,
    revisions,
    scenes,
    sessions,
    within_column,
)
from scenograph.storage.sql_accounts import BeyondQuota, SignIns, charge
from scenograph.storage.sql_archives import ArchivedAccounts
from scenograph.storage.sql_lifecycle import LifecycleStore, SupportStore
from scenograph.storage.sql_people import (
    UNSUSPENDED,
    CommentStore,
    GrantStore,
    locked_for,
    rank_on,
    role_of,
    scenes_granted,
    strongest,
)

# Places and origins, as statements (storage/interface.py).
#
# The primary key decides between two writers; the row of the second is dropped. A foreign key to the revision removes
# both tables' rows with the scene.

_KEY = select(scenes.c.id, scenes.c.revision).where(ACTIVE)
_KEPT = select(places.c.encoding, places.c.places).where(
    places.c.scene == bindparam("key"), places.c.revision == bindparam("asked")
)
# Places are written in order: the last row tells the count.
_LAST = select(func.max(places.c.revision)).where(places.c.scene == bindparam("key"))

_restoring, _restored = origins.alias("restoring"), places.alias("restored")
_DOCUMENT = (
    select(
        revisions.c.encoding,
        revisions.c.document,
        _restored.c.encoding.label("restored_encoding"),
        _restored.c.places.label("restored"),
    )
    .join_from(
        revisions,
        _restoring,
        and_(_restoring.c.scene == revisions.c.scene, _restoring.c.revision == revisions.c.revision),
        isouter=True,
    )
    .join(
        _restored,
        and_(_restored.c.scene == _restoring.c.scene, _restored.c.revision == _restoring.c.restores),
        isouter=True,
    )
    .where(revisions.c.scene == bindparam("key"), revisions.c.revision == bindparam("asked"))
)
_FORMER = (
    select(places.c.revision, places.c.encoding, places.c.places)
    .where(
        places.c.scene == bindparam("key"),
        places.c.revision < bindparam("asked"),
        places.c.encoding.is_not(None),
    )
    .order_by(places.c.revision.desc())
    .limit(literal(1))
)
_ORIGINS = (
    select(origins)
    .where(
        origins.c.scene == bindparam("key"),
        origins.c.revision > bindparam("since"),
        origins.c.revision <= bindparam("asked"),
    )
    .order_by(origins.c.revision)
)


class PlaceStore(DatabaseEngines):
    """Part of the store: places and their origins."""

    def scene_key(self, owner: str, scene_id: str) -> SceneKey | None:
        """An indexed look-up; no document is read."""
        row = self._row(_KEY, owner=owner, scene=scene_id)
        return None if row is None else SceneKey(key=row.id, revision=row.revision)

    def kept_places(self, key: int, revision: int) -> KeptPlaces | None:
        """An indexed look-up."""
        row = self._row(_KEPT, key=key, asked=within_column(revision))
        return None if row is None else KeptPlaces(places=_text(row.encoding, row.places))

    def first_unplaced(self, key: int, until: int) -> int | None:
        """The revision after the last written row."""
        row = self._row(_LAST, key=key)
        last = row[0] if row is not None else None
        first = FIRST_REVISION if last is None else last + 1
        return first if first <= until else None

    def basis(self, key: int, revision: int) -> Basis | None:
        """Three statements over immutable rows, without need for a common instant."""
        row = self._row(_DOCUMENT, key=key, asked=within_column(revision))
        if row is None:
            return None
        former = self._row(_FORMER, key=key, asked=revision)
        since = 0 if former is None else former.revision
        return Basis(
            document=unpack(row.encoding, row.document),
            former=None if former is None else unpack(former.encoding, former.places),
            origins=tuple(map(_origin, self._rows(_ORIGINS, key=key, since=since, asked=revision))),
            restored=_text(row.restored_encoding, row.restored),
        )

    @repeated
    def keep_places(self, key: int, revision: int, text: str | None) -> None:
        """Insert; an existing row or a missing scene refuses the insert silently."""
        encoding, kept = (None, None) if text is None else pack(text)
        row: dict[str, object] = {"scene": key, "revision": revision, "encoding": encoding, "places": kept}
        try:
            with self._write() as connection:
                connection.execute(insert(places), row)
        except ConstraintBroken:
            return


def _origin_row(origin: Origin) -> tuple[dict[str, object], int]:
    """The row of an origin, without the revision, and the size in bytes."""
    encoding, kept = (None, None) if origin.sketch is None else pack(origin.sketch)
    relaid = json.dumps(origin.relaid)
    row: dict[str, object] = {
        "restores": origin.restores,
        "relays_all": origin.relays_all,
        "relaid": relaid,
        "encoding": encoding,
        "sketch": kept,
    }
    return row, len(relaid) + len(kept or b"")


def _origin(row: AnyRow) -> Origin:
    return Origin(
        sketch=_text(row.encoding, row.sketch),
        relaid=tuple(json.loads(row.relaid)),
        relays_all=row.relays_all,
        restores=row.restores,
    )


def _text(encoding: str | None, kept: bytes | None) -> str | None:
    return None if encoding is None or kept is None else unpack(encoding, kept)


# Answers kept for repeated requests, as statements. A row is first a reservation (without status), then the answer.
# The primary key decides between two equal requests at once. The time of a reservation identifies it: after a
# takeover the former holder writes nothing.


ATTEMPTS = 3  # a conflicting row may be gone before it is read

_TIME = kept_answers.c.began_at.type
_FOUND = select(kept_answers.c.fingerprint, kept_answers.c.status, kept_answers.c.headers, kept_answers.c.body).where(
    kept_answers.c.owner_id == bindparam("owner"), kept_answers.c.key == bindparam("name")
)
_RESERVATION = and_(
    kept_answers.c.owner_id == bindparam("owner"),
    kept_answers.c.key == bindparam("name"),
    kept_answers.c.began_at == bindparam("began", type_=_TIME),
    kept_answers.c.status.is_(None),
)
_EXPIRED = and_(
    kept_answers.c.owner_id == bindparam("owner"),
    kept_answers.c.key == bindparam("name"),
    or_(
        kept_answers.c.began_at <= bindparam("kept_since", type_=_TIME),
        and_(kept_answers.c.status.is_(None), kept_answers.c.began_at <= bindparam("reserved_since", type_=_TIME)),
    ),
)
_KEEP = (
    update(kept_answers)
    .where(_RESERVATION)
    .values(status=bindparam("answered"), headers=bindparam("told"), body=bindparam("content"))
)


class Answers(DatabaseEngines):
    """Part of the store: answers kept for repeated requests."""

    @repeated
    def begin_answer(
        self, owner: str, key: str, fingerprint: str, at: datetime, times: AnswerTimes
    ) -> KeptAnswer | None:
        """Remove an expired entry and insert a reservation in one transaction; read the key's holder only on
        failure."""
        row = {"owner_id": owner, "key": key, "fingerprint": fingerprint, "began_at": at}
        bounds = {"kept_since": at - times.kept, "reserved_since": at - times.reserved}
        expired: dict[str, object] = {"owner": owner, "name": key, **bounds}
        for _ in range(ATTEMPTS):
            try:
                with self._write() as connection:
                    connection.execute(delete(kept_answers).where(_EXPIRED), expired)
                    connection.execute(insert(kept_answers), row)
            except ConstraintBroken:
                found = self._row(_FOUND, owner=owner, name=key)
                if found is not None:
                    return KeptAnswer(
                        fingerprint=found.fingerprint,
                        status=found.status,
                        body=found.body or b"",
                        headers=json.loads(found.headers or "{}"),
                    )
            else:
                return None
        raise StorageUnavailable("the database refuses a reservation, yet nobody holds its key")

    @repeated
    def keep_answer(self, owner: str, key: str, began_at: datetime, answer: KeptAnswer) -> None:
        """Only over one's own reservation."""
        told = {"answered": answer.status, "told": json.dumps(dict(answer.headers)), "content": answer.body}
        own: dict[str, object] = {"owner": owner, "name": key, "began": began_at}
        with self._write() as connection:
            connection.execute(_KEEP, own | told)

    @repeated
    def forget_answer(self, owner: str, key: str, began_at: datetime) -> None:
        """Only one's own reservation."""
        with self._write() as connection:
            connection.execute(
                delete(kept_answers).where(_RESERVATION), {"owner": owner, "name": key, "began": began_at}
            )


# Watching: states of many owners' scenes, and unrevoked keys.


_NAMED_AT_ONCE = 400  # in a statement; databases bound the number of parameters

_WHERE_THEY_ARE = select(
    scenes.c.id,
    scenes.c.owner_id,
    scenes.c.scene_id,
    scenes.c.revision,
    scenes.c.privacy,
    scenes.c.grants_version,
    scenes.c.comments_version,
).where(scenes.c.deleted_at.is_(None))
_PLACE = tuple_(scenes.c.owner_id, scenes.c.scene_id)
_ROLES = (
    select(grants.c.scene, grants.c.grantee, grants.c.role)
    .join_from(grants, scenes)
    .join(accounts, accounts.c.id == scenes.c.owner_id)
    .where(UNSUSPENDED)
)
_GRANTED = tuple_(grants.c.scene, grants.c.grantee)
_OPEN_KEYS = select(api_keys.c.id).join_from(api_keys, accounts).where(api_keys.c.revoked_at.is_(None), UNSUSPENDED)
_OPEN_SESSIONS = select(sessions.c.id).join_from(sessions, accounts).where(UNSUSPENDED)

_Named = TypeVar("_Named")


class WatchStore(DatabaseEngines):
    """Part of the store: the states of watched scenes."""

    def watched_scenes(
        self,
        scene_ids: Sequence[tuple[str, str]],
        key_ids: Sequence[str],
        grantees: Sequence[tuple[str, str, Grantee]] = (),
    ) -> WatchedScenes:
        """A statement each for all scenes, keys, sessions and grants, up to _NAMED_AT_ONCE of each."""
        found = [row for some in _parts(scene_ids) for row in self._rows(_WHERE_THEY_ARE.where(_PLACE.in_(some)))]
        open_ones = (_OPEN_KEYS, api_keys.c.id), (_OPEN_SESSIONS, sessions.c.id)
        keys = [
            row
            for statement, name in open_ones
            for some in _parts(key_ids)
            for row in self._rows(statement.where(name.in_(some)))
        ]
        key_of = {(row.owner_id, row.scene_id): row.id for row in found}
        known = [(owner, scene, who) for owner, scene, who in grantees if (owner, scene) in key_of]
        granted = self._roles_on([(key_of[owner, scene], name) for owner, scene, who in known for name in who.names])
        roles: dict[tuple[str, str, str], str] = {}
        for owner, scene, who in known:
            role = strongest(granted.get((key_of[owner, scene], name)) for name in who.names)
            if role is not None:
                roles[owner, scene, who.account_id] = role
        return WatchedScenes(
            scenes={
                (row.owner_id, row.scene_id): SceneState(
                    row.revision, row.privacy, row.grants_version, row.comments_version
                )
                for row in found
            },
            key_ids=frozenset(row.id for row in keys),
            roles=roles,
        )

    def _roles_on(self, named: Sequence[tuple[int, str]]) -> dict[tuple[int, str], str]:
        """Roles by the key of a scene and the name of a grantee."""
        rows = (row for some in _parts(named) for row in self._rows(_ROLES.where(_GRANTED.in_(some))))
        return {(row.scene, row.grantee): row.role for row in rows}


def _parts(named: Sequence[_Named]) -> Iterator[Sequence[_Named]]:
    return (named[start : start + _NAMED_AT_ONCE] for start in range(0, len(named), _NAMED_AT_ONCE))


# Listings: the scenes of an owner, the revisions of a scene. No document is read.


_ESCAPE = "\\"
_WILDCARDS = str.maketrans({wildcard: _ESCAPE + wildcard for wildcard in (_ESCAPE, "%", "_")})

# An outer join: a scene without revisions below still yields its current revision.
_BELOW = and_(revisions.c.scene == scenes.c.id, revisions.c.revision < bindparam("before", type_=Integer))
_WRITTEN = and_(authors.c.scene == revisions.c.scene, authors.c.revision == revisions.c.revision)
_HISTORY = (
    select(
        scenes.c.revision.label("current"),
        revisions.c.revision,
        revisions.c.created_at,
        revisions.c.message,
        revisions.c.added,
        revisions.c.removed,
        revisions.c.modified,
        authors.c.account_id,
        authors.c.key_name,
    )
    .join_from(scenes, revisions, _BELOW, isouter=True)
    .join(authors, _WRITTEN, isouter=True)
    .where(ACTIVE)
    .order_by(revisions.c.revision.desc())
    .limit(bindparam("most", type_=Integer))
)
_LISTED = (
    scenes.c.scene_id,
    scenes.c.title,
    scenes.c.diagram_family,
    scenes.c.revision,
    scenes.c.privacy,
    scenes.c.created_at,
    scenes.c.updated_at,
    scenes.c.owner_id,
)
_LATEST_FIRST = (scenes.c.updated_at.desc(), scenes.c.scene_id.desc(), scenes.c.owner_id.desc())


def listed(owner: str, names: Sequence[str], limit: int, *conditions: ColumnElement[bool]) -> Select[Any]:
    """The statement of a page of scenes: own ones by their index in order, granted ones by the grants of the names.
    Each part is cut to the page before both are put in order together."""
    common = (scenes.c.deleted_at.is_(None), *conditions)
    nobodys = (cast(null(), Text).label("email"), cast(null(), Integer).label("rank"))
    own = select(*_LISTED, *nobodys).where(scenes.c.owner_id == owner, *common)
    verified = case((accounts.c.email_verified_at.is_not(None), accounts.c.email))
    shared = (
        select(*_LISTED, verified.label("email"), rank_on(names).label("rank"))
        .join_from(scenes, accounts, accounts.c.id == scenes.c.owner_id)
        .where(scenes.c.id.in_(scenes_granted(names)), scenes.c.owner_id != owner, UNSUSPENDED, *common)
    )
    parts = [select(part.order_by(*_LATEST_FIRST).limit(limit).subquery()) for part in (own, shared)]
    page = union_all(*parts).subquery()
    in_order = (page.c.updated_at.desc(), page.c.scene_id.desc(), page.c.owner_id.desc())
    return select(page).order_by(*in_order).limit(limit)


class ListingStore(DatabaseEngines):
    """Part of the store: lists of scenes and revisions."""

    def history(self, owner: str, scene_id: str, before: int | None, limit: int) -> History | None:
        """A single statement: entries and current revision are of the same instant."""
        below = MAX_REVISION if before is None else within_column(before)
        rows = self._rows(_HISTORY, owner=owner, scene=scene_id, before=below, most=limit)
        if not rows:
            return None
        entries = tuple(_revision_entry(row) for row in rows if row.revision is not None)
        return History(current_revision=rows[0].current, entries=entries)

    def list_scenes(
        self, owner: str, limit: int, after: PageStart | None = None, words: str = "", *, email: str | None = None
    ) -> tuple[SceneEntry, ...]:
        """Keyset pages: a scene without edits meanwhile is on exactly one page."""
        behind = true()
        if after is not None:
            at, name = scenes.c.updated_at == after.at, scenes.c.scene_id == after.id
            behind = or_(
                scenes.c.updated_at < after.at,
                and_(at, scenes.c.scene_id < after.id),
                and_(at, name, scenes.c.owner_id < after.owner),
            )
        pattern = f"%{words.casefold().translate(_WILDCARDS)}%"
        found = scenes.c.search_text.like(pattern, escape=_ESCAPE) if words else true()
        names = Grantee(account_id=owner, email=email).names
        rows = self._rows(listed(owner, names, limit, behind, found))
        return tuple(_scene_entry(row) for row in rows)


def _revision_entry(row: AnyRow) -> RevisionEntry:
    counted = row.added is not None
    summary = ChangeSummary(added=row.added, removed=row.removed, modified=row.modified) if counted else None
    return RevisionEntry(
        revision=row.revision,
        created_at=row.created_at,
        message=row.message,
        summary=summary,
        author=_author_of(row),
    )


def _author_of(row: AnyRow) -> Author | None:
    return None if row.account_id is None else Author(account_id=row.account_id, key_name=row.key_name)


def _scene_entry(row: AnyRow) -> SceneEntry:
    return SceneEntry(
        scene_id=row.scene_id,
        title=row.title,
        diagram_family=row.diagram_family,
        revision=row.revision,
        privacy=row.privacy,
        created_at=row.created_at,
        updated_at=row.updated_at,
        owner=row.owner_id,
        owner_name=row.email,
        role=role_of(row.rank),
    )


FIRST_REVISION = 1
_CREATE_ATTEMPTS = 3  # a taken id may be purged before it is read

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
        authors.c.account_id,
        authors.c.key_name,
    )
    .join_from(scenes, revisions, revisions.c.scene == scenes.c.id)
    .join(authors, _WRITTEN, isouter=True)
    .where(ACTIVE, revisions.c.revision == func.coalesce(bindparam("asked", type_=Integer), scenes.c.revision))
)
_AT = (
    select(func.max(revisions.c.revision).label("number"))
    .join_from(scenes, revisions, revisions.c.scene == scenes.c.id)
    .where(ACTIVE, revisions.c.created_at <= bindparam("at", type_=revisions.c.created_at.type))
)
# An outer join: a scene without later revisions still yields its current revision.
_LATER = and_(revisions.c.scene == scenes.c.id, revisions.c.revision > bindparam("base"))
_SINCE = (
    select(scenes.c.revision.label("current"), revisions.c.changed_ids, authors.c.account_id, authors.c.key_name)
    .join_from(scenes, revisions, _LATER, isouter=True)
    .join(authors, _WRITTEN, isouter=True)
    .where(ACTIVE)
    .order_by(revisions.c.revision)
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
# Not deleted here, since the clock may have been set; only the purge destroys.
_SET_ASIDE = (
    update(scenes)
    .where(OWNED, scenes.c.deleted_at <= bindparam("deleted_until", type_=scenes.c.deleted_at.type))
    .values(scene_id=ASIDE + cast(scenes.c.id, String))
)
_CREATE = insert(scenes).returning(scenes.c.id)


class SqlStore(
    SignIns,
    ArchivedAccounts,
    ListingStore,
    LifecycleStore,
    SupportStore,
    Answers,
    PlaceStore,
    WatchStore,
    GrantStore,
    CommentStore,
):
    """The `Store` of `interface.py` over two engines, perhaps the same. Thread-safe."""

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
        """Insert, and read the id's holder only on failure: of two callers exactly one wins. Raises LookupError when
        the owner has no account."""
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
        for _ in range(_CREATE_ATTEMPTS):
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
        """A single statement: the document and the scene's state are of the same instant."""
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
            author=_author_of(row),
        )

    def current_revision(self, owner: str, scene_id: str) -> int | None:
        """An indexed look-up; no document is read."""
        row = self._row(_CURRENT, owner=owner, scene=scene_id)
        return None if row is None else row.revision

    @repeated
    def append_revision(
        self,
        owner: str,
        scene_id: str,
        base: int,
        new: NewRevision,
        at: datetime,
        *,
        quota: Quota = NO_QUOTA,
    ) -> int | Conflict | QuotaReached | RoleLacking | None:
        """The UPDATE names the expected revision: exactly one writer of a base changes a row."""
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
                if new.by is not None and new.by.account_id != owner:
                    permitted = locked_for(connection, owner, scene_id, new.by, (EDITOR,))
                    if not isinstance(permitted, int):
                        return permitted
                advanced = connection.execute(_ADVANCE, expected).one_or_none()
                if advanced is not None:
                    kept.insert(connection, advanced.id, advanced.revision, at)
                    charge(connection, owner, stored_bytes=kept.size, quota=quota)
        except BeyondQuota as beyond:
            return beyond.reached
        if advanced is not None:
            return advanced.revision
        rows = self._later(owner, scene_id, base)
        if not rows:
            return None
        return Conflict(current_revision=rows[0].current, changed_ids=_touched(rows))

    def revision_at(self, owner: str, scene_id: str, at: datetime) -> int | None:
        """Revisions are numbered in the order of their times."""
        row = self._row(_AT, owner=owner, scene=scene_id, at=at)
        return None if row is None else row.number

    def changed_since(self, owner: str, scene_id: str, base: int) -> Later:
        """The union of the changed ids of later revisions, and the author of the last."""
        rows = self._later(owner, scene_id, base)
        return Later(changed_ids=_touched(rows), author=_author_of(rows[-1])) if rows else Later()

    def _later(self, owner: str, scene_id: str, base: int) -> Sequence[AnyRow]:
        return self._rows(_SINCE, owner=owner, scene=scene_id, base=within_column(base))


def _touched(rows: Sequence[AnyRow]) -> tuple[str, ...]:
    touched: set[str] = set()
    for row in rows:
        touched.update(json.loads(row.changed_ids or "[]"))
    return tuple(sorted(touched))


def _is_expired(holder: AnyRow | None, deleted_until: datetime | None) -> bool:
    if holder is None or holder.deleted_at is None or deleted_until is None:
        return False
    return bool(holder.deleted_at <= deleted_until)


class _Kept:
    """A revision in stored form, packed once; `size` counts towards the account's bytes: document, changed ids,
    sketch."""

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
        self._origin, beside = (None, 0) if new.origin is None else _origin_row(new.origin)
        self._author = new.author
        self.size = len(document) + len(changed_ids) + beside

    def insert(self, connection: Connection, scene: int, number: int, at: datetime) -> None:
        """Write the revision under its number, for the scene with this key."""
        own: dict[str, object] = {"scene": scene, "revision": number}
        connection.execute(insert(revisions), self._revision | own | {"created_at": at})
        if self._origin is not None:
            connection.execute(insert(origins), self._origin | own)
        if self._author is not None:
            by = {"account_id": self._author.account_id, "key_name": self._author.key_name}
            connection.execute(insert(authors), own | by)


def _searchable(scene_id: str, new: NewRevision) -> str:
    return f"{new.title or ''}\n{scene_id}".casefold()
