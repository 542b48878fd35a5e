"""Deleting, undeleting, purging and publishing: conditional statements, by which exactly one of two callers wins.

A transition out of a state also removes the rows of that state, in the same transaction: the public id, the submission.
"""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    not_,
    or_,
    select,
    true,
    update,
)

from scenograph.scene.json_values import JsonText
from scenograph.storage.connections import AnyRow, ConstraintBroken, DatabaseEngines, TransactionLost, repeated
from scenograph.storage.interface import (
    NO_QUOTA,
    PRIVATE,
    PUBLIC,
    SUPPORT,
    Conflict,
    DeletedEntry,
    DeletionLimit,
    NewSubmission,
    PageStart,
    PublicIdTaken,
    PublishedRevision,
    Quota,
    QuotaReached,
    Submission,
    SubmissionEntry,
    SupportView,
    TooManyDeletions,
    WrongState,
    pack,
    unpack,
)
from scenograph.storage.schema import (
    ACTIVE,
    ASIDE,
    OWNED,
    accounts,
    comments,
    deletions,
    kept_answers,
    mail_tokens,
    passed_time,
    public_claims,
    revisions,
    scenes,
    sessions,
    sign_in_tokens,
    support_submissions,
    support_views,
    within_column,
)
from scenograph.storage.sql_accounts import BeyondQuota, charge, release

_LATER = scenes.c.deleted_at > bindparam("deleted_after", type_=scenes.c.deleted_at.type)
_EXPIRED = and_(
    scenes.c.deleted_at <= bindparam("deleted_until", type_=scenes.c.deleted_at.type),
    # An older server, still running beside this version, writes no `passed_at_deletion`.
    func.coalesce(scenes.c.passed_at_deletion, scenes.c.deleted_at, type_=scenes.c.deleted_at.type)
    <= bindparam("passed_until", type_=scenes.c.deleted_at.type),
)
_FROM_SOURCES = scenes.c.privacy.in_(bindparam("sources", expanding=True))
_STATE = select(scenes.c.privacy).where(ACTIVE)
_DELETE = (
    update(scenes)
    .where(ACTIVE)
    .values(deleted_at=bindparam("at"), passed_at_deletion=bindparam("passed"), privacy=PRIVATE, public_id=None)
    .returning(scenes.c.id)
)
_UNDELETE = (
    update(scenes)
    .where(OWNED, _LATER)
    .values(deleted_at=None, passed_at_deletion=None, privacy=PRIVATE, public_id=None)
    .returning(scenes.c.revision)
)
_DELETED = (
    select(scenes.c.scene_id, scenes.c.title, scenes.c.deleted_at)
    .where(scenes.c.owner_id == bindparam("owner"), _LATER, not_(scenes.c.scene_id.startswith(ASIDE)))
    .order_by(scenes.c.deleted_at.desc(), scenes.c.scene_id)
)
# Locked in a fixed order, against deadlocks between simultaneous purges. A common table expression is read once:
# PostgreSQL repeats a locking subquery in a nested loop, and finds other rows each time.
_DUE = (
    select(scenes.c.id)
    .where(_EXPIRED)
    .order_by(scenes.c.deleted_at, scenes.c.id)
    .limit(bindparam("most"))
    .with_for_update()
    .cte("due")
)
# The condition is repeated outside: a row undeleted since its selection is left alone.
_PURGE = (
    delete(scenes)
    .where(scenes.c.id.in_(select(_DUE.c.id)), _EXPIRED)
    .returning(scenes.c.owner_id, scenes.c.stored_bytes)
)
# Publishers lock this row: two simultaneous rivals would not see each other.
_ONE_AT_A_TIME = select(passed_time.c.id).with_for_update(key_share=True)
# An address stays with its first publisher: the hash of the id outlives publication and scene.
_RIVALS = select(public_claims.c.id_hash).where(
    public_claims.c.id_hash.in_(bindparam("rivals", expanding=True)), public_claims.c.owner_id != bindparam("owner")
)
_CLAIMED = select(public_claims.c.id_hash).where(public_claims.c.id_hash == bindparam("id_hash"))
_PUBLISH = (
    update(scenes)
    .where(ACTIVE, _FROM_SOURCES, not_(exists(_RIVALS)))
    .values(
        privacy=PUBLIC,
        public_id=scenes.c.scene_id,
        made_public_at=func.coalesce(
            scenes.c.made_public_at,
            bindparam("at", type_=scenes.c.made_public_at.type),
            type_=scenes.c.made_public_at.type,
        ),
    )
    .returning(scenes.c.made_public_at)
)
_MAKE_PRIVATE = (
    update(scenes).where(ACTIVE, _FROM_SOURCES).values(privacy=PRIVATE, public_id=None).returning(scenes.c.id)
)
_PUBLISHED = (
    select(
        scenes.c.id,
        scenes.c.scene_id,
        scenes.c.title,
        scenes.c.revision,
        scenes.c.made_public_at,
        revisions.c.created_at,
        revisions.c.encoding,
        revisions.c.document,
    )
    .join_from(scenes, revisions, and_(revisions.c.scene == scenes.c.id, revisions.c.revision == scenes.c.revision))
    .join(accounts, accounts.c.id == scenes.c.owner_id)
    .where(
        scenes.c.public_id.in_([bindparam("public"), bindparam("otherwise")]),
        scenes.c.deleted_at.is_(None),
        scenes.c.privacy == PUBLIC,
        accounts.c.suspended_at.is_(None),
    )
)
_COUNTED = and_(
    deletions.c.owner_id == bindparam("owner"),
    deletions.c.deleted_at > bindparam("since", type_=deletions.c.deleted_at.type),
    deletions.c.deleted_at < bindparam("until", type_=deletions.c.deleted_at.type),  # against a clock that ran ahead
)
_COUNT = select(func.count(), func.min(deletions.c.deleted_at)).where(_COUNTED)


_TIME = select(passed_time.c.passed)
_SET_TIME = update(passed_time).values(passed=bindparam("passed_now"))
_A_MOMENT = timedelta(seconds=1)
_ADVANCE_TIME = (
    update(passed_time)
    .where(passed_time.c.passed < bindparam("passed_now", type_=passed_time.c.passed.type))
    .values(passed=bindparam("passed_now"))
)


class LifecycleStore(DatabaseEngines):
    """Part of the store: life-cycle states and publication of scenes."""

    @repeated
    def delete_scene(
        self, owner: str, scene_id: str, limit: DeletionLimit | None, at: datetime, passed: datetime | None = None
    ) -> bool | TooManyDeletions:
        """Delete first and count after: beyond the limit everything is taken back."""
        deleted: dict[str, object] = {"owner": owner, "scene": scene_id, "at": at, "passed": passed or at}
        try:
            with self._write() as connection:
                scene = connection.execute(_DELETE, deleted).scalar_one_or_none()
                if scene is None:
                    return False
                charge(connection, owner, scenes=-1)  # its lock: simultaneous deletions of an owner count each other
                if limit is not None:
                    _count_deletion(connection, owner, limit, at)
                _withdraw_submission(connection, scene)
        except _LimitReached as reached:
            return TooManyDeletions(oldest=reached.oldest)
        return True

    @repeated
    def undelete_scene(
        self, owner: str, scene_id: str, deleted_after: datetime, *, quota: Quota = NO_QUOTA
    ) -> int | QuotaReached | None:
        """The window is a condition of the statement: a simultaneous purge leaves nothing half done."""
        wanted = {"owner": owner, "scene": scene_id, "deleted_after": deleted_after}
        try:
            with self._write() as connection:
                revision = connection.execute(_UNDELETE, wanted).scalar_one_or_none()
                if revision is not None:
                    charge(connection, owner, scenes=1, quota=quota)
                return revision
        except BeyondQuota as beyond:
            return beyond.reached

    def deleted_scenes(self, owner: str, deleted_after: datetime) -> tuple[DeletedEntry, ...]:
        """The owner's deleted scenes within recovery."""
        rows = self._rows(_DELETED, owner=owner, deleted_after=deleted_after)
        return tuple(DeletedEntry(scene_id=row.scene_id, title=row.title, deleted_at=row.deleted_at) for row in rows)

    @repeated
    def purge(self, deleted_until: datetime, limit: int, passed_until: datetime | None = None) -> int:
        """A single statement; revisions, submission and audit rows follow by cascade.

        Kept answers may name scenes and live as long as a deleted scene; the same holds for tokens. A clock that is
        ahead ends none early: the passed time began at the clock's time and never runs ahead of real time.
        """
        really = passed_until or deleted_until
        outlived = min(deleted_until, really)
        with self._write() as connection:
            connection.execute(delete(kept_answers).where(kept_answers.c.began_at <= outlived))
            connection.execute(delete(comments).where(comments.c.deleted_at <= outlived))
            for table in (mail_tokens, sign_in_tokens):
                connection.execute(delete(table).where(table.c.made_at <= outlived))
            connection.execute(delete(sessions).where(sessions.c.expires_at <= outlived))
            due = {"deleted_until": deleted_until, "passed_until": really, "most": limit}
            gone = connection.execute(_PURGE, due).all()
            release(connection, ((row.owner_id, row.stored_bytes) for row in gone))
            return len(gone)

    @repeated
    def advance_time(self, passed: datetime | None = None) -> datetime:
        """A conditional UPDATE: of two servers the later time stays."""
        with self._write() as connection:
            if passed is not None:
                connection.execute(_ADVANCE_TIME, {"passed_now": passed})
            return connection.execute(_TIME).scalar_one()

    @repeated
    def ping_writing(self) -> None:
        """Change a row and change it back, synced as any write: SQLite writes nothing for an unchanged row."""
        with self._write() as connection:
            stands = connection.execute(_TIME.with_for_update()).scalar_one()
            for passed in (stands + _A_MOMENT, stands):
                connection.execute(_SET_TIME, {"passed_now": passed})

    @repeated
    def publish(
        self, owner: str, scene_id: str, sources: tuple[str, ...], at: datetime, rivals: tuple[str, ...] = ()
    ) -> datetime | WrongState | PublicIdTaken | None:
        """Foreign claims are a condition of the statement; the unique column backs it up for servers of earlier
        versions, which write no claims."""
        claim = {"id_hash": id_hash(scene_id)}
        hashes = [*claim.values(), *map(id_hash, rivals)]
        wanted = {"owner": owner, "scene": scene_id, "sources": sources, "at": at, "rivals": hashes}
        try:
            with self._write() as connection:
                connection.execute(_ONE_AT_A_TIME)
                made = connection.execute(_PUBLISH, wanted).scalar_one_or_none()
                if made is None:
                    return _not_published(connection, wanted)
                if connection.execute(_CLAIMED, claim).first() is None:
                    connection.execute(insert(public_claims), claim | {"owner_id": owner, "claimed_at": at})
                return made
        except ConstraintBroken:
            return PublicIdTaken()

    @repeated
    def make_private(self, owner: str, scene_id: str, sources: tuple[str, ...]) -> bool | WrongState:
        """Idempotent if `sources` includes private."""
        wanted = {"owner": owner, "scene": scene_id, "sources": sources}
        with self._write() as connection:
            scene = connection.execute(_MAKE_PRIVATE, wanted).scalar_one_or_none()
            if scene is None:
                return _wrong_state(connection, wanted) or False
            _withdraw_submission(connection, scene)
        return True

    def public_scene(self, public_id: str, otherwise: str | None = None) -> PublishedRevision | None:
        """A single statement: publication and shown content are of the same instant."""
        rows = self._rows(_PUBLISHED, public=public_id, otherwise=otherwise)
        row = max(rows, key=lambda row: row.scene_id == public_id, default=None)
        if row is None:
            return None
        return PublishedRevision(
            key=row.id,
            scene_id=row.scene_id,
            title=row.title,
            revision=row.revision,
            made_public_at=row.made_public_at,
            revision_created_at=row.created_at,
            document=JsonText(partial(unpack, row.encoding, row.document)),
        )


def id_hash(public_id: str) -> str:
    """The hash of a public id, by which claims outlive scenes."""
    return hashlib.sha256(public_id.encode()).hexdigest()


class _LimitReached(Exception):  # noqa: N818 - it ends the transaction, and is then an answer
    def __init__(self, oldest: datetime) -> None:
        super().__init__()
        self.oldest = oldest


def _withdraw_submission(connection: Connection, scene: int) -> None:
    """Remove the scene's submission, if any. Its audit log stays."""
    connection.execute(delete(support_submissions).where(support_submissions.c.scene == scene))


def _count_deletion(connection: Connection, owner: str, limit: DeletionLimit, at: datetime) -> None:
    around = {"owner": owner, "since": at - limit.window, "until": at + limit.window}
    count, oldest = connection.execute(_COUNT, around).one()
    if count >= limit.most:
        raise _LimitReached(oldest)
    own = deletions.c.owner_id == owner
    connection.execute(delete(deletions).where(own, deletions.c.deleted_at <= at - limit.window))
    connection.execute(insert(deletions).values(owner_id=owner, deleted_at=at))


def _not_published(connection: Connection, wanted: dict[str, Any]) -> WrongState | PublicIdTaken | None:
    """The reason of a publication without a row. A missing scene is reported as missing, whatever others publish."""
    names = {"owner": wanted["owner"], "scene": wanted["scene"]}
    free = connection.execute(_STATE, names).scalar_one_or_none() in wanted["sources"]
    rival = {"owner": wanted["owner"], "rivals": wanted["rivals"]}
    if free and connection.execute(_RIVALS, rival).first() is not None:
        return PublicIdTaken()
    return _wrong_state(connection, wanted)


def _wrong_state(connection: Connection, wanted: dict[str, Any]) -> WrongState | None:
    """The reason of a transition without a row: the scene's state, or None for a missing scene. Raises TransactionLost
    for an allowed state, which another writer has set in between."""
    state = connection.execute(_STATE, {"owner": wanted["owner"], "scene": wanted["scene"]}).scalar_one_or_none()
    if state in wanted["sources"]:
        raise TransactionLost("the scene changed its state meanwhile")
    return None if state is None else WrongState(state=state)


# Submissions to support and the audit log of views.


_HOLDER = select(scenes.c.id, scenes.c.revision, scenes.c.privacy).where(ACTIVE)
_SUBMIT = (
    update(scenes)
    .where(
        ACTIVE,
        scenes.c.privacy.in_(bindparam("sources", expanding=True)),
        scenes.c.revision == bindparam("snapshot_of"),
    )
    .values(privacy=SUPPORT, public_id=None)
    .returning(scenes.c.id)
)
_LISTED = select(
    support_submissions.c.id,
    support_submissions.c.submitted_at,
    support_submissions.c.anonymized,
    support_submissions.c.problem,
)
_SUBMITTED = (
    _LISTED.add_columns(support_submissions.c.scene, support_submissions.c.encoding, support_submissions.c.document)
    .where(support_submissions.c.id == bindparam("submission"))
    .with_for_update(read=True)
)
_LATEST_FIRST = (support_submissions.c.submitted_at.desc(), support_submissions.c.id)
# Outer: distinguishes an owned scene without views from a missing scene.
_VIEWS = (
    select(support_views.c.viewed_at, support_views.c.viewer)
    .select_from(scenes.outerjoin(support_views, support_views.c.scene == scenes.c.id))
    .where(ACTIVE)
    .order_by(support_views.c.viewed_at.desc(), support_views.c.id.desc())
)


class SupportStore(DatabaseEngines):
    """Part of the store: submissions, and the log of their views."""

    @repeated
    def submit_to_support(
        self, owner: str, scene_id: str, new: NewSubmission, sources: tuple[str, ...], at: datetime
    ) -> bool | WrongState | Conflict:
        """The snapshot's revision is a condition of the statement: support sees a revision that was current when
        submitted."""
        own: dict[str, object] = {"owner": owner, "scene": scene_id}
        wanted = own | {"sources": sources, "snapshot_of": within_column(new.revision)}
        with self._write() as connection:
            scene = connection.execute(_SUBMIT, wanted).scalar_one_or_none()
            if scene is None:
                holder = connection.execute(_HOLDER, own).one_or_none()
                return _why_not(holder, sources)
            _keep(connection, scene, new, at)
        return True

    def support_views(self, owner: str, scene_id: str) -> tuple[SupportView, ...] | None:
        """The scene's part of the audit log."""
        rows = self._rows(_VIEWS, owner=owner, scene=scene_id)
        if not rows:
            return None
        return tuple(SupportView(viewed_at=row.viewed_at, viewer=row.viewer) for row in rows if row.viewer is not None)

    @repeated
    def submissions(
        self, viewer: str, at: datetime, limit: int, after: PageStart | None = None
    ) -> tuple[SubmissionEntry, ...]:
        """The audit row first, then the list; both or neither."""
        wanted = _LISTED.where(true() if after is None else _behind(after)).order_by(*_LATEST_FIRST).limit(limit)
        with self._write() as connection:
            connection.execute(insert(support_views).values(viewer=viewer, viewed_at=at))
            rows = connection.execute(wanted).all()
        return tuple(_entry(row) for row in rows)

    @repeated
    def submission(self, submission_id: str, viewer: str, at: datetime) -> Submission | None:
        """Nothing leaves the transaction unless its audit row is committed. The lock keeps the submission from being
        withdrawn between the two."""
        with self._write() as connection:
            row = connection.execute(_SUBMITTED, {"submission": submission_id}).one_or_none()
            if row is None:
                return None
            looked = {"scene": row.scene, "submission_id": row.id, "viewer": viewer, "viewed_at": at}
            connection.execute(insert(support_views), looked)
        return Submission(entry=_entry(row), document=unpack(row.encoding, row.document))


def _keep(connection: Connection, scene: int, new: NewSubmission, at: datetime) -> None:
    """Write the submission over the scene's earlier submission, whose id stays, or as a new row."""
    encoding, kept = pack(new.document)
    row = {
        "revision": new.revision,
        "problem": new.problem,
        "anonymized": new.anonymized,
        "submitted_at": at,
        "encoding": encoding,
        "document": kept,
    }
    earlier = update(support_submissions).where(support_submissions.c.scene == scene).values(row)
    if connection.execute(earlier).rowcount == 0:
        connection.execute(insert(support_submissions).values(id=new.id, scene=scene, **row))


def _why_not(holder: AnyRow | None, sources: tuple[str, ...]) -> bool | WrongState | Conflict:
    if holder is None:
        return False
    if holder.privacy not in sources:
        return WrongState(state=holder.privacy)
    return Conflict(current_revision=holder.revision, changed_ids=())


def _behind(start: PageStart) -> ColumnElement[bool]:
    time, name = support_submissions.c.submitted_at, support_submissions.c.id
    return or_(time < start.at, and_(time == start.at, name > start.id))


def _entry(row: AnyRow) -> SubmissionEntry:
    return SubmissionEntry(id=row.id, submitted_at=row.submitted_at, anonymized=row.anonymized, problem=row.problem)
