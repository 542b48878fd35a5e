"""Grants of scenes to others, as statements.

Whoever writes under a grant, and whoever ends one, locks the scene's row first. The two are thereby in an order: an
edit is committed before the end of its grant, or does not find the grant.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from sqlalchemy import Connection, ScalarSelect, bindparam, case, delete, func, insert, select, update

from scenograph.storage.connections import AnyRow, DatabaseEngines, repeated
from scenograph.storage.interface import COMMENTER, EDITOR, VIEWER, Grant, Grantee, RoleLacking, TooMany
from scenograph.storage.schema import ACTIVE, accounts, grants, scenes

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
_ENDED = delete(grants).where(grants.c.scene == bindparam("key"), grants.c.grantee == bindparam("name"))
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
    def end_grant(self, owner: str, scene_id: str, grantee: str) -> bool | None:
        """The scene's lock first: edits under the grant are committed before, or find none."""
        with self._write() as connection:
            key = connection.execute(_CHANGED, {"owner": owner, "scene": scene_id}).scalar_one_or_none()
            if key is None:
                return None
            return connection.execute(_ENDED, {"key": key, "name": grantee}).rowcount == 1

    def grants(self, owner: str, scene_id: str) -> tuple[Grant, ...] | None:
        """A single statement."""
        rows = self._rows(_GRANTS, owner=owner, scene=scene_id)
        return tuple(_grant(row) for row in rows if row.grantee is not None) if rows else None


def _grant(row: AnyRow) -> Grant:
    return Grant(grantee=row.grantee, role=row.role, granted_at=row.granted_at)
