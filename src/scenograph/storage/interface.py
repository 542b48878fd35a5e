"""The records and the Store protocol (ARCHITECTURE.md, invariant 5).

Every method is atomic: it happens wholly, durably and at once, or not at all. Times are aware UTC datetimes handed in
by the caller; a store has no clock. Documents go in and come out as JSON text, unchanged.
A backend that cannot answer raises `StorageUnavailable`, never anything of its driver.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from enum import Enum
from typing import Protocol

from scenograph.late_dataclasses import dataclass, field
from scenograph.scene.json_text import JsonText
from scenograph.storage.places import Origin, PlacesStore

# The records of listings, of the lifecycle and of support. Those of scenes and keys stand in `interface.py`. Times
# are aware UTC datetimes.


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


class StorageUnavailable(Exception):  # noqa: N818 - a state of the world, named as the reply says it
    """The database cannot be reached, is locked for too long, or is full."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRevision:
    """A revision to be written. `changed_ids` are the sorted ids its operations touched; `origin` says what its places
    come from besides those of the revision before."""

    document: str
    title: str | None
    diagram_family: str | None
    message: str | None = None
    summary: ChangeSummary | None = None
    changed_ids: tuple[str, ...] = ()
    origin: Origin | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredScene:
    """One revision of a scene as read. `key` names the scene among its places; the document is unpacked when it is
    read."""

    key: int
    scene_id: str
    revision: int
    current_revision: int
    document: JsonText
    privacy: str
    scene_created_at: datetime
    revision_created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """The base was stale: where the scene is now and what changed since the base (sorted ids)."""

    current_revision: int
    changed_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class IdTaken:
    """The owner already holds this scene id; `deleted` says that it sits in the recently deleted list."""

    current_revision: int
    deleted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """An owner of keys and scenes. `role` is member or support."""

    id: str
    email: str | None
    email_verified_at: datetime | None
    role: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyRecord:
    """An API key without its secret."""

    id: str
    account_id: str
    name: str
    created_at: datetime
    last_used_at: datetime | None = None


class Store(PlacesStore, Protocol):
    """What a backend promises. One contract test class runs against all of them."""

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
        """Write revision 1 of a new scene; None when done, IdTaken when the owner holds the id, QuotaReached when it
        holds too much (nothing written). A scene that was deleted at `deleted_until` or earlier gives up its id in the
        same step, and waits for the purge. LookupError when the owner has no account."""
        ...

    def read_scene(self, owner: str, scene_id: str, revision: int | None = None) -> StoredScene | None:
        """The latest revision, or the asked one; None when the owner has no such scene or revision."""
        ...

    def current_revision(self, owner: str, scene_id: str) -> int | None:
        """The latest revision number of an active scene; None when there is none."""
        ...

    def append_revision(
        self, owner: str, scene_id: str, base: int, new: NewRevision, at: datetime, *, quota: Quota = NO_QUOTA
    ) -> int | Conflict | QuotaReached | None:
        """Compare-and-set: write revision `base + 1` if and only if `base` is current. The new number, a Conflict,
        QuotaReached when the owner holds too much, or None when it has no such scene. Exactly one caller wins a
        base."""
        ...

    def changed_since(self, owner: str, scene_id: str, base: int) -> tuple[str, ...]:
        """Sorted ids touched by the revisions after `base`."""
        ...

    def add_account(self, account: Account, at: datetime) -> None:
        """Write a new account; an existing id stays as it is."""
        ...

    def account(self, account_id: str) -> Account | None:
        """An account by id."""
        ...

    def delete_account(self, account_id: str, limit: int) -> AccountDeletion:
        """Remove up to `limit` scenes of an account and, once none is left, the account with all that belongs to it:
        keys, addresses that it published first, kept answers. Its keys open nothing from the first step on. The log of
        what supporters looked at is kept, and with it whoever stands there."""
        ...

    def accounts(self, email: str | None = None) -> tuple[AccountEntry, ...]:
        """All accounts, or those of an address, oldest first."""
        ...

    def open_account(self, account: Account, key: KeyRecord, secrets: NewSecrets, at: datetime) -> bool:
        """Write a new account with its first key and a token for its address; False (nothing written) when any of
        them is known already."""
        ...

    def add_mail_token(self, account_id: str, token_hash: str, at: datetime) -> None:
        """Write a further token. LookupError when the account does not exist."""
        ...

    def verify_by_token(self, token_hash: str, made_after: datetime, at: datetime) -> Account | None:
        """Use up a token that was made later than that and verify its account; None when there is no such token.
        Exactly one caller uses a token; an account that is verified stays as it is."""
        ...

    def verify_account(self, account_id: str, at: datetime) -> Account | None:
        """Verify an account without a token; None when there is none. One that is verified stays as it is."""
        ...

    def add_key(self, key: KeyRecord, secret_hash: str, *, quota: Quota = NO_QUOTA) -> bool | QuotaReached:
        """Write a new key; False when the hash is already known, QuotaReached when the account has too many (nothing
        written). LookupError when the key's account does not exist."""
        ...

    def key_by_hash(self, secret_hash: str) -> tuple[KeyRecord, Account] | None:
        """The key and its account for the SHA-256 hex of a secret; None when it is unknown or revoked."""
        ...

    def keys_of(self, account_id: str) -> tuple[KeyRecord, ...]:
        """The keys of an account that are not revoked, oldest first."""
        ...

    def revoke_key(self, account_id: str, key_id: str, at: datetime) -> bool:
        """Let a key open nothing any more, for good: its hash stays known. False when the account has no such key."""
        ...

    def note_key_used(self, key_id: str, at: datetime) -> None:
        """Write down when a key was last used; a later time that is written already stays."""
        ...

    def history(self, owner: str, scene_id: str, before: int | None, limit: int) -> History | None:
        """Up to `limit` revisions below `before` (None: from the latest), newest first; None when the owner has no
        such scene."""
        ...

    def list_scenes(
        self, owner: str, limit: int, after: Place | None = None, words: str = ""
    ) -> tuple[SceneEntry, ...]:
        """Up to `limit` active scenes behind `after`, the latest change first. With `words` only those whose title or
        id holds them, in whatever case."""
        ...

    def delete_scene(
        self, owner: str, scene_id: str, limit: DeletionLimit | None, at: datetime, passed: datetime | None = None
    ) -> bool | TooManyDeletions:
        """Soft-delete: the scene becomes private, nothing is published under its id any more, its submission is
        withdrawn. False when the owner has no such active scene; beyond the limit (None: no limit) nothing happens.
        `passed` is what `advance_time` counts, as of now; `at` where nobody counts."""
        ...

    def undelete_scene(
        self, owner: str, scene_id: str, deleted_after: datetime, *, quota: Quota = NO_QUOTA
    ) -> int | QuotaReached | None:
        """Bring back a scene that was deleted later than that; its revision, QuotaReached when the owner has too many
        others, or None when there is none."""
        ...

    def deleted_scenes(self, owner: str, deleted_after: datetime) -> tuple[DeletedScene, ...]:
        """The scenes that were deleted later than that, the latest first."""
        ...

    def purge(self, deleted_until: datetime, limit: int, passed_until: datetime | None = None) -> int:
        """Remove up to `limit` scenes that were deleted at that time or earlier, and by what `advance_time` counts at
        `passed_until` or earlier, with all that belongs to them; how many. A scene that is undeleted at the same moment
        is either back or gone, never half of each. Answers that were kept, and tokens that were mailed, at both times
        or earlier go as well."""
        ...

    def advance_time(self, passed: datetime | None = None) -> datetime:
        """How far time has passed, as all servers of the store know it: the latest of what any of them has handed in.
        It begins when the store is made."""
        ...

    def publish(
        self, owner: str, scene_id: str, sources: tuple[str, ...], at: datetime, rivals: tuple[str, ...] = ()
    ) -> datetime | WrongState | PublicIdTaken | None:
        """Make a scene public if it is in one of the states `sources`, and nobody else has ever published its id or one
        of the ids `rivals`: the time of its first publication. None when the owner has no such active scene."""
        ...

    def make_private(self, owner: str, scene_id: str, sources: tuple[str, ...]) -> bool | WrongState:
        """Make a scene private if it is in one of `sources`: its public id is free, its submission is withdrawn. False
        when the owner has no such active scene."""
        ...

    def public_scene(self, public_id: str, otherwise: str | None = None) -> PublicScene | None:
        """The scene that is published under an id; where there is none, the one under `otherwise`."""
        ...

    def submit_to_support(
        self, owner: str, scene_id: str, new: NewSubmission, sources: tuple[str, ...], at: datetime
    ) -> bool | WrongState | Conflict:
        """Keep a submission (an earlier one of the scene is replaced, and keeps its id) and free the public id, if
        `new.revision` is current and the scene in one of `sources`. False when the owner has no such active scene."""
        ...

    def support_views(self, owner: str, scene_id: str) -> tuple[SupportView, ...] | None:
        """Who looked at the scene's submissions, the latest first; None when the owner has no such active scene."""
        ...

    def submissions(
        self, viewer: str, at: datetime, limit: int, after: SubmissionPlace | None = None
    ) -> tuple[SubmissionEntry, ...]:
        """Up to `limit` submissions behind `after`, the latest first. That `viewer` looked is written in the same
        step."""
        ...

    def submission(self, submission_id: str, viewer: str, at: datetime) -> Submission | None:
        """One submission. Nothing is read unless it is written in the same step that `viewer` looked."""
        ...

    def watched_scenes(self, scene_ids: Sequence[tuple[str, str]], key_ids: Sequence[str]) -> WatchedScenes:
        """Where the scenes (owner, scene id) are, and which of the keys are not revoked, in few statements however many
        are asked for."""
        ...

    def begin_answer(
        self, owner: str, key: str, fingerprint: str, at: datetime, times: AnswerTimes
    ) -> KeptAnswer | None:
        """Reserve a key for repeated requests: None when it is ours now, else what stands under it. Exactly one of
        many callers gets it. What stands under it and has outlived `times` is nothing any more."""
        ...

    def keep_answer(self, owner: str, key: str, began_at: datetime, answer: KeptAnswer) -> None:
        """Write the answer over the reservation that was made at `began_at`; nothing when it was taken over."""
        ...

    def forget_answer(self, owner: str, key: str, began_at: datetime) -> None:
        """Give back the reservation that was made at `began_at`."""
        ...

    def secret(self, name: str, fresh: bytes) -> bytes:
        """What the servers of this store alone know under that name; `fresh`, from now on, where nothing is there."""
        ...

    def ping(self) -> None:
        """Raise StorageUnavailable when the store cannot answer."""
        ...

    def ping_writing(self) -> None:
        """Store something that changes nothing; StorageUnavailable when that cannot be done."""
        ...

    def close(self) -> None:
        """Release connections."""
        ...
