"""What accounts hold, counted in the transaction of every write (R-QUOTA-3).

The UPDATE of the account's row is the lock: where writers run side by side, each sees what the one before it has
written. It comes after the scene's row, for all writers in the same order.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, Integer, bindparam, update

from scenograph.storage.records import NO_QUOTA, Quota, QuotaReached
from scenograph.storage.schema import accounts

_CHARGE = (
    update(accounts)
    .where(accounts.c.id == bindparam("owner"))
    .values(
        key_count=accounts.c.key_count + bindparam("keys", type_=Integer),
        scene_count=accounts.c.scene_count + bindparam("scenes", type_=Integer),
        stored_bytes=accounts.c.stored_bytes + bindparam("bytes", type_=accounts.c.stored_bytes.type),
    )
    .returning(accounts.c.key_count, accounts.c.scene_count, accounts.c.stored_bytes)
)


class BeyondQuota(Exception):  # noqa: N818 - it ends the transaction, and is then an answer
    """The account would hold more than it may."""

    def __init__(self, reached: QuotaReached) -> None:
        super().__init__()
        self.reached = reached


def charge(
    connection: Connection,
    owner: str,
    *,
    keys: int = 0,
    scenes: int = 0,
    stored_bytes: int = 0,
    quota: Quota = NO_QUOTA,
) -> None:
    """Count what an account holds more, or less where a figure is negative. BeyondQuota, only for what became more;
    nothing where there is no such account."""
    added = {"keys": keys, "scenes": scenes, "stored_bytes": stored_bytes}
    wanted = {"owner": owner, "keys": keys, "scenes": scenes, "bytes": stored_bytes}
    held = connection.execute(_CHARGE, wanted).one_or_none()
    for (what, more), holds in zip(added.items(), held or (), strict=False):
        most: int = getattr(quota, what)
        if more > 0 and most and holds > most:
            raise BeyondQuota(QuotaReached(what=what, used=holds - more, most=most))


def release(connection: Connection, bytes_of_owners: Iterable[tuple[str, int]]) -> None:
    """Count what was purged. Accounts are taken in one order: two purges at once wait for each other and not each for
    the other."""
    held: dict[str, int] = {}
    for owner, stored in bytes_of_owners:
        held[owner] = held.get(owner, 0) + stored
    for owner in sorted(held):
        charge(connection, owner, stored_bytes=-held[owner])
