"""Submissions to support and the audit log of who looked at them."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ColumnElement, Connection, and_, bindparam, insert, or_, select, true, update

from scenograph.storage.connections import AnyRow, Connections, repeated
from scenograph.storage.documents import pack, unpack
from scenograph.storage.interface import Conflict
from scenograph.storage.records import (
    SUPPORT,
    NewSubmission,
    Submission,
    SubmissionEntry,
    SubmissionPlace,
    SupportView,
    WrongState,
)
from scenograph.storage.schema import scenes, support_submissions, support_views
from scenograph.storage.sql_scopes import ACTIVE, within_column

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
# Outer: an owned scene that nobody looked at is told apart from none.
_VIEWS = (
    select(support_views.c.viewed_at, support_views.c.viewer)
    .select_from(scenes.outerjoin(support_views, support_views.c.scene == scenes.c.id))
    .where(ACTIVE)
    .order_by(support_views.c.viewed_at.desc(), support_views.c.id.desc())
)


class Support(Connections):
    """Part of the store: what supporters see, and what is seen of them."""

    @repeated
    def submit_to_support(
        self, owner: str, scene_id: str, new: NewSubmission, sources: tuple[str, ...], at: datetime
    ) -> bool | WrongState | Conflict:
        """The snapshot's revision is a condition of the statement: what support sees was current when submitted."""
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
        self, viewer: str, at: datetime, limit: int, after: SubmissionPlace | None = None
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
    """Write the submission over the scene's earlier one, whose id stays, or as its first."""
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


def _behind(place: SubmissionPlace) -> ColumnElement[bool]:
    time, name = support_submissions.c.submitted_at, support_submissions.c.id
    return or_(time < place.submitted_at, and_(time == place.submitted_at, name > place.submission_id))


def _entry(row: AnyRow) -> SubmissionEntry:
    return SubmissionEntry(id=row.id, submitted_at=row.submitted_at, anonymized=row.anonymized, problem=row.problem)
