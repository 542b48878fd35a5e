"""A scene's life cycle: the triggers, and the states that each leads from and to (R-LIFE-1, R-LIFE-3).

Every trigger is a conditional statement of the store over the `sources` of its row. The 24 hours of recovery are judged
on access; the purge only frees space.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import NamedTuple

from scenograph.late_dataclasses import dataclass
from scenograph.service.clock import Clock
from scenograph.service.errors import ServiceError, quota_exceeded, require_possible, scene_not_found
from scenograph.service.rate_limits import Allowance, Count, TooManyRequestsError, Verdict
from scenograph.storage.interface import (
    NO_QUOTA,
    PRIVATE,
    PUBLIC,
    SUPPORT,
    DeletedEntry,
    DeletionLimit,
    PublicIdTaken,
    Quota,
    QuotaReached,
    Store,
    TooManyDeletions,
    WrongState,
)

DELETED, GONE = "deleted", "gone"
ACTIVE = (PRIVATE, SUPPORT, PUBLIC)
RECOVERY = timedelta(hours=24)
DELETIONS = DeletionLimit(most=10, window=timedelta(minutes=1))
_PURGED_AT_ONCE = 100  # scenes removed by a statement: nobody waits long behind a purge

_PICTURE_SUFFIXES = (".svg", ".png")  # of the addresses of a published scene's pictures
_NOT_FOUND = "scene_not_found"
_SENTENCES: Mapping[str, str] = MappingProxyType(
    {
        "scene_in_support": "The scene is submitted to support; make it private first.",
        "scene_not_deleted": "The scene is not deleted; there is nothing to restore.",
    }
)


class Transition(NamedTuple):
    """From any of `sources` to `target`. From another state the refusal is the code in `refusals`, or _NOT_FOUND."""

    sources: tuple[str, ...]
    target: str
    refusals: Mapping[str, str] = MappingProxyType({})


# Leaving public frees the public id, leaving support withdraws the submission, whatever the trigger.
TRANSITIONS: Mapping[str, Transition] = MappingProxyType(
    {
        "delete": Transition(ACTIVE, DELETED),
        "undelete": Transition((DELETED,), PRIVATE, dict.fromkeys(ACTIVE, "scene_not_deleted")),
        "purge": Transition((DELETED,), GONE),
        "submit": Transition(ACTIVE, SUPPORT),
        "publish": Transition((PRIVATE, PUBLIC), PUBLIC, {SUPPORT: "scene_in_support"}),
        "make_private": Transition(ACTIVE, PRIVATE),
    }
)


def _rivals_of(public_id: str) -> tuple[str, ...]:
    """Ids that share a public address with this id and must not belong to another owner: `/s/plan.svg` is the page of
    `plan.svg` and a picture of `plan`."""
    bare = (public_id.removesuffix(suffix) for suffix in _PICTURE_SUFFIXES if public_id.endswith(suffix))
    return (*(public_id + suffix for suffix in _PICTURE_SUFFIXES), *bare)


def refused(trigger: str, state: str | None) -> ServiceError:
    """The refusal of a trigger in a state; None stands for a missing scene."""
    code = TRANSITIONS[trigger].refusals.get(state or GONE, _NOT_FOUND)
    return scene_not_found() if code == _NOT_FOUND else ServiceError(code, _SENTENCES[code])


@dataclass(frozen=True, slots=True, kw_only=True)
class Recoverable:
    """A deleted scene and the end of its recovery period."""

    scene: DeletedEntry
    expires_at: datetime


class Lifecycle:
    """Deleting, undeleting, publishing and hiding scenes.

    `deletion_clock` gives the recorded time of a deletion, `passed` the time for the purge (both default to `clock`).
    `limit` bounds deletions a minute (None: no limit), `quota` an owner's holdings.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        deletion_clock: Clock | None = None,
        passed: Clock | None = None,
        limit: DeletionLimit | None = DELETIONS,
        *,
        quota: Quota = NO_QUOTA,
    ) -> None:
        self._quota = quota
        self._limit = limit
        self._store = store
        self._clock = clock
        self._deletion_clock = deletion_clock or clock
        self._passed = passed or self._deletion_clock

    def delete(self, owner: str, scene_id: str) -> None:
        """Soft-delete a scene. Raises scene_not_found, and rate_limited beyond ten deletions a minute of an owner."""
        require_possible(scene_id)
        now = self._deletion_clock()
        done = self._store.delete_scene(owner, scene_id, self._limit, now, self._passed())
        if isinstance(done, TooManyDeletions):
            wait = (done.oldest + DELETIONS.window - now).total_seconds()
            raise _too_many_deletions(max(wait, 1.0))
        if not done:
            raise refused("delete", None)

    def undelete(self, owner: str, scene_id: str) -> int:
        """Bring a deleted scene back, private; its revision. scene_not_found also when 24 hours are over,
        scene_not_deleted, quota_exceeded."""
        require_possible(scene_id)
        revision = self._store.undelete_scene(owner, scene_id, self._clock() - RECOVERY, quota=self._quota)
        if isinstance(revision, QuotaReached):
            raise quota_exceeded(revision)
        if revision is None:
            active = self._store.current_revision(owner, scene_id) is not None
            raise refused("undelete", PRIVATE if active else None)
        return revision

    def recoverable(self, owner: str) -> tuple[Recoverable, ...]:
        """The owner's deleted scenes within recovery, the latest first."""
        deleted = self._store.deleted_scenes(owner, self._clock() - RECOVERY)
        return tuple(Recoverable(scene=scene, expires_at=scene.deleted_at + RECOVERY) for scene in deleted)

    def publish(self, owner: str, scene_id: str) -> datetime:
        """Publish a scene; the time of its first publication. Raises scene_not_found, scene_in_support,
        public_id_taken."""
        require_possible(scene_id)
        sources = TRANSITIONS["publish"].sources
        made = self._store.publish(owner, scene_id, sources, self._clock(), _rivals_of(scene_id))
        if isinstance(made, PublicIdTaken):
            raise ServiceError(
                "public_id_taken",
                "Somebody else was the first to publish at this address or at that of its picture, and it stays "
                "theirs; publish the scene under another id.",
            )
        if made is None or isinstance(made, WrongState):
            raise refused("publish", made.state if made else None)
        return made

    def make_private(self, owner: str, scene_id: str) -> None:
        """End a scene's publication or submission at once; harmless when private. Raises scene_not_found."""
        require_possible(scene_id)
        done = self._store.make_private(owner, scene_id, TRANSITIONS["make_private"].sources)
        if done is not True:
            raise refused("make_private", done.state if done else None)


def purge(store: Store, now: datetime, passed: datetime | None = None) -> int:
    """Remove scenes deleted at least 24 hours before `now` and at least 24 hours of really passed time before `passed`
    (SharedTime; defaults to `now`); the number removed."""
    removed = 0
    while batch := store.purge(now - RECOVERY, _PURGED_AT_ONCE, (passed or now) - RECOVERY):
        removed += batch
    return removed


def _too_many_deletions(wait: float) -> TooManyRequestsError:
    # The newest counted deletion may be a moment old: all are available again after a whole window, at most.
    window = DELETIONS.window.total_seconds()
    policy = Allowance(name="deletions", per_minute=DELETIONS.most * 60 / window, burst=DELETIONS.most)
    sentence = f"At most {DELETIONS.most} scenes may be deleted in a minute."
    return TooManyRequestsError(
        sentence, Verdict(policy, Count(allowed=False, remaining=0, reset_seconds=window, retry_seconds=wait))
    )
