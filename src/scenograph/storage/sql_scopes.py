"""Which scene a statement is about. Parameters: `owner` and `scene`, the id under which the owner holds it."""

from __future__ import annotations

from sqlalchemy import ColumnElement, and_, bindparam

from scenograph.storage.schema import scenes

MAX_REVISION = 2**31 - 1  # what an INTEGER column holds; a larger number was never stored

ASIDE = "!"  # begins the id of a deleted scene whose own id has been given away; no scene can be asked for by it

OWNED: ColumnElement[bool] = and_(scenes.c.owner_id == bindparam("owner"), scenes.c.scene_id == bindparam("scene"))
ACTIVE: ColumnElement[bool] = and_(OWNED, scenes.c.deleted_at.is_(None))


def within_column(revision: int) -> int:
    """A number that no revision has must still be one the driver can carry."""
    return min(max(revision, 0), MAX_REVISION)
