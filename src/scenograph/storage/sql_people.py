"""Grants of scenes to others, and comments, as statements.

Whoever writes under a grant, and whoever ends one, locks the scene's row first. The two are thereby in an order: an
edit is committed before the end of its grant, or does not find the grant.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Literal

from sqlalchemy import (
    ColumnElement,
    Connection,
    ScalarSelect,
    and_,
    bindparam,
    case,
    delete,
    func,
    insert,
    not_,
    or_,
    select,
    true,
    update,
)

from scenograph.storage.connections import AnyRow, DatabaseEngines, repeated
from scenograph.storage.interface import (
    COMMENTER,
    EDITOR,
    VIEWER,
    Author,
    Comment,
    CommentAnchor,
    Grant,
    Grantee,
    NewComment,
    PageStart,
    RoleLacking,
    ThreadFilter,
    TooMany,
)
from scenograph.storage.schema import ACTIVE, accounts, comments, grants, scenes

_BY_RANK = dict(enumerate((VIEWER, COMMENTER, EDITOR), 1))
_RANK = case({role: rank for rank, role in _BY_RANK.items()}, value=grants.c.role)
UNSUSPENDED = accounts.c.suspended_at.is_(None)  # of owners: what a suspended account shares is out of reach as well
_TO_GRANTEE = grants.c.grantee.in_(bindparam("names", expanding=True))

_ROLE = (
    select(func.max(_RANK).label("rank"))
    .join_from(scenes, grants, grants.c.scene == scenes.c.id)
    .join(accounts, accounts.c.id == scenes.c.owner_id)
    .where(ACTIVE, _TO_GRANTEE, UNSUSPENDED)
)
_LOCKED = select(scenes.c.id).where(ACTIVE).with_for_update(key_share=True)
_ROLE_HERE = (
    select(func.max(_RANK))
    .join_from(grants, accounts, accounts.c.id == bindparam("owner"))
    .where(grants.c.scene == bindparam("key"), _TO_GRANTEE, UNSUSPENDED)
)
_CHANGED = update(scenes).where(ACTIVE).values(grants_version=scenes.c.grants_version + 1).returning(scenes.c.id)
_COUNT = select(func.count()).where(grants.c.scene == bindparam("key"))
_REPLACED = (
    update(grants)
    .where(grants.c.scene == bindparam("key"), grants.c.grantee == bindparam("name"))
    .values(role=bindparam("new_role"))
    .returning(grants.c.granted_at)
)
_ENDED = delete(grants).where(grants.c.scene == bindparam("key"), _TO_GRANTEE)
# Outer: tells a scene without grants from a missing scene.
_GRANTS = (
    select(grants.c.grantee, grants.c.role, grants.c.granted_at)
    .join_from(scenes, grants, grants.c.scene == scenes.c.id, isouter=True)
    .where(ACTIVE)
    .order_by(grants.c.granted_at, grants.c.grantee)
)


def scenes_granted(names: Sequence[str]) -> ScalarSelect[int]:
    """The keys of the scenes granted to any of the names."""
    return select(grants.c.scene).where(grants.c.grantee.in_(names)).scalar_subquery()


def rank_on(names: Sequence[str]) -> ScalarSelect[int | None]:
    """The rank of the strongest role of the names on the scene of the enclosing statement; see `role_of`."""
    own = grants.c.grantee.in_(names)
    return select(func.max(_RANK)).where(grants.c.scene == scenes.c.id, own).correlate(scenes).scalar_subquery()


def role_of(rank: int | None) -> str | None:
    """The role of a rank; None for None."""
    return None if rank is None else _BY_RANK[rank]


def strongest(roles: Iterable[str | None]) -> str | None:
    """The strongest of the roles; None without one."""
    ranks = {role: rank for rank, role in _BY_RANK.items()}
    return role_of(max((ranks[role] for role in roles if role is not None), default=None))


def locked_for(
    connection: Connection, owner: str, scene_id: str, by: Grantee | None, roles: Collection[str]
) -> int | RoleLacking | None:
    """Lock an active scene for a write by `by` (None: the owner); its key. RoleLacking when the role of `by` is none of
    `roles`, None without a scene or a grant."""
    key = connection.execute(_LOCKED, {"owner": owner, "scene": scene_id}).scalar_one_or_none()
    if key is None or by is None or by.account_id == owner:
        return key
    # A statement of its own, after the lock: it sees the grants as they are now.
    role = role_of(connection.execute(_ROLE_HERE, {"key": key, "owner": owner, "names": by.names}).scalar_one())
    if role is None:
        return None
    return key if role in roles else RoleLacking(role=role)


class GrantStore(DatabaseEngines):
    """Part of the store: roles of others on scenes."""

    def role_on(self, owner: str, scene_id: str, grantee: Grantee) -> str | None:
        """An indexed look-up."""
        row = self._row(_ROLE, owner=owner, scene=scene_id, names=grantee.names)
        return None if row is None else role_of(row.rank)

    @repeated
    def grant(self, owner: str, scene_id: str, grant: Grant, most: int) -> Grant | TooMany | None:
        """The scene's lock decides between two grants at once."""
        with self._write() as connection:
            key = connection.execute(_CHANGED, {"owner": owner, "scene": scene_id}).scalar_one_or_none()
            if key is None:
                return None
            wanted: dict[str, object] = {"key": key, "name": grant.grantee, "new_role": grant.role}
            since = connection.execute(_REPLACED, wanted).scalar_one_or_none()
            if since is not None:
                return Grant(grantee=grant.grantee, role=grant.role, granted_at=since)
            used = connection.execute(_COUNT, {"key": key}).scalar_one()
            if used >= most:
                return TooMany(used=used)
            row = {"scene": key, "grantee": grant.grantee, "role": grant.role, "granted_at": grant.granted_at}
            connection.execute(insert(grants), row)
        return grant

    @repeated
    def end_grants(self, owner: str, scene_id: str, names: Sequence[str]) -> bool | None:
        """The scene's lock first: edits under the grant are committed before, or find none."""
        with self._write() as connection:
            key = connection.execute(_CHANGED, {"owner": owner, "scene": scene_id}).scalar_one_or_none()
            if key is None:
                return None
            return connection.execute(_ENDED, {"key": key, "names": names}).rowcount > 0

    def grants(self, owner: str, scene_id: str) -> tuple[Grant, ...] | None:
        """A single statement."""
        rows = self._rows(_GRANTS, owner=owner, scene=scene_id)
        return tuple(_grant(row) for row in rows if row.grantee is not None) if rows else None


def _grant(row: AnyRow) -> Grant:
    return Grant(grantee=row.grantee, role=row.role, granted_at=row.granted_at)


_ANY_ROLE = frozenset(_BY_RANK.values())
_IS_FIRST = comments.c.id == comments.c.thread
_HERE = and_(comments.c.scene == bindparam("key"), comments.c.deleted_at.is_(None))
_COMMENTED = (
    update(scenes)
    .where(scenes.c.id == bindparam("key"))
    .values(comments_version=scenes.c.comments_version + 1)
    .returning(scenes.c.comments_version, scenes.c.revision)
)
_COMMENTS = select(func.count()).where(_HERE)
# An unproven address is no name: anybody could take anybody's.
_VERIFIED = case((accounts.c.email_verified_at.is_not(None), accounts.c.email)).label("author_email")
_SAID = (
    select(comments, _VERIFIED)
    .join_from(comments, accounts, accounts.c.id == comments.c.author_id, isouter=True)
    .where(_HERE)
)
_COMMENT = _SAID.where(comments.c.id == bindparam("comment"))
_FIRST = _COMMENT.where(_IS_FIRST)
_RESOLVED = (
    update(comments)
    .where(_HERE, comments.c.id == bindparam("comment"), _IS_FIRST)
    .values(
        resolved_at=bindparam("at", type_=comments.c.resolved_at.type),
        resolved_by=bindparam("who"),
        version=bindparam("now"),
    )
)
_KEY = select(scenes.c.id).where(ACTIVE)
_CHANGED_COMMENTS = (
    select(comments.c.id)
    .join_from(scenes, comments, comments.c.scene == scenes.c.id)
    .where(ACTIVE, comments.c.version > bindparam("since"))
    .order_by(comments.c.id)
)


class CommentStore(DatabaseEngines):
    """Part of the store: comments, in threads. Writers lock the scene, as those of edits do."""

    @repeated
    def add_comment(
        self, owner: str, scene_id: str, new: NewComment, at: datetime, *, roles: Collection[str], most: int
    ) -> Comment | RoleLacking | TooMany | Literal[False] | None:
        """The lock of the scene puts the versions of its comments in order."""
        with self._write() as connection:
            key = locked_for(connection, owner, scene_id, new.by, roles)
            if not isinstance(key, int):
                return key
            first = {"key": key, "comment": new.thread}
            if new.thread is not None and connection.execute(_FIRST, first).first() is None:
                return False
            used = connection.execute(_COMMENTS, {"key": key}).scalar_one()
            if used >= most:
                return TooMany(used=used)
            version, revision = connection.execute(_COMMENTED, {"key": key}).one()
            row: dict[str, object] = {
                "id": new.id,
                "scene": key,
                "thread": new.thread or new.id,
                "revision": new.revision or revision,
                "element_id": new.anchor.element_id,
                "x": new.anchor.x,
                "y": new.anchor.y,
                "author_id": new.author.account_id,
                "author_key": new.author.key_name,
                "text": new.text,
                "created_at": at,
                "version": version,
            }
            connection.execute(insert(comments), row)
            return _comment(connection.execute(_COMMENT, {"key": key, "comment": new.id}).one())

    def threads(
        self,
        owner: str,
        scene_id: str,
        limit: int,
        after: PageStart | None = None,
        wanted: ThreadFilter = ThreadFilter(),  # noqa: B008 - frozen
    ) -> tuple[tuple[Comment, ...], ...] | None:
        """Two statements: the first comments of the threads, and the rest of these threads."""
        scene = self._row(_KEY, owner=owner, scene=scene_id)
        if scene is None:
            return None
        behind = true()
        if after is not None:
            behind = or_(
                comments.c.created_at > after.at,
                and_(comments.c.created_at == after.at, comments.c.id > after.id),
            )
        in_order = (comments.c.created_at, comments.c.id)
        everything = _SAID.order_by(*in_order)
        firsts = self._rows(everything.where(_IS_FIRST, behind, *_conditions(wanted)).limit(limit), key=scene.id)
        named = [row.id for row in firsts]
        replies = self._rows(everything.where(comments.c.thread.in_(named), not_(_IS_FIRST)), key=scene.id)
        return tuple(
            (_comment(first), *(_comment(row) for row in replies if row.thread == first.id)) for first in firsts
        )

    @repeated
    def resolve_thread(
        self, owner: str, scene_id: str, thread: str, by: Grantee, *, roles: Collection[str], at: datetime | None
    ) -> Comment | RoleLacking | Literal[False] | None:
        """Without effect on a thread already in the wanted state."""
        with self._write() as connection:
            key = locked_for(connection, owner, scene_id, by, roles)
            if not isinstance(key, int):
                return key
            wanted: dict[str, object] = {"key": key, "comment": thread}
            found = connection.execute(_FIRST, wanted).one_or_none()
            if found is None:
                return False
            if (found.resolved_at is None) is not (at is None):
                version, _ = connection.execute(_COMMENTED, {"key": key}).one()
                who = None if at is None else by.account_id
                connection.execute(_RESOLVED, wanted | {"at": at, "who": who, "now": version})
            return _comment(connection.execute(_FIRST, wanted).one())

    @repeated
    def delete_comment(
        self, owner: str, scene_id: str, comment_id: str, by: Grantee, at: datetime
    ) -> RoleLacking | bool | None:
        """The text goes at once; the row stays for a while, for listeners to be told."""
        with self._write() as connection:
            key = locked_for(connection, owner, scene_id, by, _ANY_ROLE)
            if not isinstance(key, int):
                return key
            found = connection.execute(_COMMENT, {"key": key, "comment": comment_id}).one_or_none()
            if found is None:
                return False
            if by.account_id not in {owner, found.author_id}:
                own = {"key": key, "owner": owner, "names": by.names}
                return RoleLacking(role=role_of(connection.execute(_ROLE_HERE, own).scalar_one()) or VIEWER)
            version, _ = connection.execute(_COMMENTED, {"key": key}).one()
            of_it = comments.c.thread == found.id if found.id == found.thread else comments.c.id == found.id
            gone = update(comments).where(comments.c.scene == key, of_it, comments.c.deleted_at.is_(None))
            connection.execute(gone.values(deleted_at=at, text=None, version=version))
        return True

    def changed_comments(self, owner: str, scene_id: str, since: int) -> tuple[str, ...]:
        """Deleted ones too, until the purge."""
        return tuple(row.id for row in self._rows(_CHANGED_COMMENTS, owner=owner, scene=scene_id, since=since))


def _conditions(wanted: ThreadFilter) -> Iterator[ColumnElement[bool]]:
    if wanted.resolved is not None:
        yield comments.c.resolved_at.is_not(None) if wanted.resolved else comments.c.resolved_at.is_(None)
    if wanted.element_id is not None:
        yield comments.c.element_id == wanted.element_id


def _comment(row: AnyRow) -> Comment:
    return Comment(
        id=row.id,
        thread=row.thread,
        revision=row.revision,
        anchor=CommentAnchor(element_id=row.element_id, x=row.x, y=row.y),
        author=Author(account_id=row.author_id, key_name=row.author_key),
        author_email=row.author_email,
        text=row.text,
        created_at=row.created_at,
        resolved_at=row.resolved_at,
        resolved_by=row.resolved_by,
    )
