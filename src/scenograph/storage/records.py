"""The records of listings, of the lifecycle and of support. Those of scenes and keys stand in `interface.py`.

Times are aware UTC datetimes.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import Enum

from scenograph.late_dataclasses import dataclass, field
from scenograph.scene.json_text import JsonText

PRIVATE, SUPPORT, PUBLIC = "private", "support", "public"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeSummary:
    """How many elements a revision added, removed and modified."""

    added: int
    removed: int
    modified: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisionEntry:
    """A revision without its document. `summary` is None for the first one."""

    revision: int
    created_at: datetime
    message: str | None
    summary: ChangeSummary | None


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """Where a scene is, and some of its revisions, newest first."""

    current_revision: int
    entries: tuple[RevisionEntry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneEntry:
    """A scene without its document."""

    scene_id: str
    title: str | None
    diagram_family: str | None
    revision: int
    privacy: str
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The last scene of a page: the next page begins behind it."""

    updated_at: datetime
    scene_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeletedScene:
    """A scene that was deleted and may come back."""

    scene_id: str
    title: str | None
    deleted_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DeletionLimit:
    """At most so many deletions of one owner in any stretch of that length."""

    most: int
    window: timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class TooManyDeletions:
    """The limit is reached. `oldest` is the earliest deletion that still counts."""

    oldest: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Quota:
    """The most that one account may hold; 0 is no limit. `stored_bytes` counts what its revisions take as they are
    stored, those of deleted scenes until the purge; `scenes` counts those that are not deleted."""

    keys: int = 0
    scenes: int = 0
    stored_bytes: int = 0


NO_QUOTA = Quota()


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotaReached:
    """The write would take the account beyond its quota, and nothing is written. `what` is the quota's member, `used`
    what the account has of it."""

    what: str
    used: int
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongState:
    """The scene is in a state from which it does not go where it was asked to."""

    state: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicIdTaken:
    """Another owner published a scene first under this id, or under one whose address would be mistaken for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicScene:
    """The latest revision of a published scene. `made_public_at` is the time of its first publication, `key` names the
    scene among its places. The document is unpacked when it is read."""

    key: int
    scene_id: str
    title: str | None
    revision: int
    made_public_at: datetime
    revision_created_at: datetime
    document: JsonText


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSubmission:
    """A snapshot for the supporters. `revision` is the one that `document` was made of."""

    id: str
    revision: int
    problem: str
    anonymized: bool
    document: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionEntry:
    """A submission without its document."""

    id: str
    submitted_at: datetime
    anonymized: bool
    problem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionPlace:
    """The last submission of a page: the next page begins behind it."""

    submitted_at: datetime
    submission_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """A submission with its document."""

    entry: SubmissionEntry
    document: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SupportView:
    """One look of a supporter at a scene: when, and from which account."""

    viewed_at: datetime
    viewer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountEntry:
    """An account as the operator sees it."""

    id: str
    email: str | None
    email_verified_at: datetime | None
    role: str
    created_at: datetime


class AccountDeletion(Enum):
    """What one step of the deletion of an account came to."""

    GONE = "gone"
    MORE_TO_DO = "more to do"
    UNKNOWN = "no such account"
    IN_THE_LOG = "looked at submissions"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSecrets:
    """What a new account is known by: the SHA-256 (hex) of its first key and of the token in its mail."""

    key_hash: str
    token_hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptAnswer:
    """What a key for repeated requests stands for; a status of None is a request that is still carried out."""

    fingerprint: str
    status: int | None
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerTimes:
    """How long an answer is kept, and how long a reservation stands when nobody ends it."""

    kept: timedelta
    reserved: timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedScenes:
    """Where scenes are: (owner, scene id) → revision and privacy, without those that are not active; and which keys
    are not revoked."""

    scenes: Mapping[tuple[str, str], tuple[int, str]]
    key_ids: frozenset[str]
