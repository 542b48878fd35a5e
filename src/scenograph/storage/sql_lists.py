"""Listings: the scenes of an owner, the revisions of a scene. No document is read."""

from __future__ import annotations

from sqlalchemy import Integer, and_, bindparam, or_, select, true

from scenograph.storage.connections import AnyRow, Connections
from scenograph.storage.records import ChangeSummary, History, Place, RevisionEntry, SceneEntry
from scenograph.storage.schema import revisions, scenes
from scenograph.storage.sql_scopes import ACTIVE, MAX_REVISION, within_column

_ESCAPE = "\\"
_WILDCARDS = str.maketrans({wildcard: _ESCAPE + wildcard for wildcard in (_ESCAPE, "%", "_")})

# An outer join: a scene without revisions that low still tells where it is.
_BELOW = and_(revisions.c.scene == scenes.c.id, revisions.c.revision < bindparam("before", type_=Integer))
_HISTORY = (
    select(
        scenes.c.revision.label("current"),
        revisions.c.revision,
        revisions.c.created_at,
        revisions.c.message,
        revisions.c.added,
        revisions.c.removed,
        revisions.c.modified,
    )
    .join_from(scenes, revisions, _BELOW, isouter=True)
    .where(ACTIVE)
    .order_by(revisions.c.revision.desc())
    .limit(bindparam("most", type_=Integer))
)
_LISTED = select(
    scenes.c.scene_id,
    scenes.c.title,
    scenes.c.diagram_family,
    scenes.c.revision,
    scenes.c.privacy,
    scenes.c.created_at,
    scenes.c.updated_at,
).order_by(scenes.c.updated_at.desc(), scenes.c.scene_id.desc())


class Listings(Connections):
    """Part of the store: what there is."""

    def history(self, owner: str, scene_id: str, before: int | None, limit: int) -> History | None:
        """One statement: the entries and the current revision are of the same instant."""
        below = MAX_REVISION if before is None else within_column(before)
        rows = self._rows(_HISTORY, owner=owner, scene=scene_id, before=below, most=limit)
        if not rows:
            return None
        entries = tuple(_revision_entry(row) for row in rows if row.revision is not None)
        return History(current_revision=rows[0].current, entries=entries)

    def list_scenes(
        self, owner: str, limit: int, after: Place | None = None, words: str = ""
    ) -> tuple[SceneEntry, ...]:
        """Keyset pages: a scene that nobody edits meanwhile is on exactly one of them."""
        behind = true()
        if after is not None:
            behind = or_(
                scenes.c.updated_at < after.updated_at,
                and_(scenes.c.updated_at == after.updated_at, scenes.c.scene_id < after.scene_id),
            )
        pattern = f"%{words.casefold().translate(_WILDCARDS)}%"
        found = scenes.c.search_text.like(pattern, escape=_ESCAPE) if words else true()
        own = and_(scenes.c.owner_id == owner, scenes.c.deleted_at.is_(None))
        rows = self._rows(_LISTED.where(own, behind, found).limit(limit))
        return tuple(_scene_entry(row) for row in rows)


def _revision_entry(row: AnyRow) -> RevisionEntry:
    counted = row.added is not None
    summary = ChangeSummary(added=row.added, removed=row.removed, modified=row.modified) if counted else None
    return RevisionEntry(revision=row.revision, created_at=row.created_at, message=row.message, summary=summary)


def _scene_entry(row: AnyRow) -> SceneEntry:
    return SceneEntry(
        scene_id=row.scene_id,
        title=row.title,
        diagram_family=row.diagram_family,
        revision=row.revision,
        privacy=row.privacy,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )
