"""The records and the Store protocol (ARCHITECTURE.md, invariant 5).

Every method is atomic: it happens wholly, durably and at once, or not at all. Times are aware UTC datetimes handed in
by the caller; a store has no clock. Documents go in and come out as JSON text, unchanged.
A backend that cannot answer raises `StorageUnavailable`, never anything of its driver.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from enum import Enum
from typing import Any, Literal, NamedTuple, Protocol

from scenograph.late_dataclasses import dataclass, field
from scenograph.scene.json_values import JsonText

# The stored form of a document's text: short texts plain, longer texts compressed. Scenes repeat their member names:
# zlib makes a document five to eight times smaller in under 0.1 ms, and a revision is then less to write and sync
# than its plain text.


COMPRESS_ABOVE = 1024  # bytes
LEVEL = 3
PLAIN, ZLIB = "plain", "zlib"
_SURROGATES = "surrogatepass"  # JSON may hold lone surrogates, which survive storage


def pack(text: str) -> tuple[str, bytes]:
    """The encoding's name and the bytes to keep."""
    raw = text.encode("utf-8", _SURROGATES)
    if len(raw) <= COMPRESS_ABOVE:
        return PLAIN, raw
    return ZLIB, zlib.compress(raw, LEVEL)


def unpack(encoding: str, kept: bytes) -> str:
    """The inverse of `pack`."""
    raw = zlib.decompress(kept) if encoding == ZLIB else kept
    return raw.decode("utf-8", _SURROGATES)


# The places of a revision's elements, and the origins of places (R-KEEP-2, R-KEEP-3).
#
# Places are the JSON text of `computed`, as given by the engine. Within a scene they are written in order of revisions:
# only those of the last revisions may be missing. Written places never change. `key` identifies a scene until its
# purge, even from a later scene of the same id: a late result for a deleted scene cannot become another scene's.


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """The basis of a revision's places besides those of the previous revision.

    `sketch` is the document's own `computed`. `relaid` are the ids to be placed anew, all with `relays_all`. `restores`
    is the revision from which places are taken over.
    """

    sketch: str | None = None
    relaid: tuple[str, ...] = ()
    relays_all: bool = False
    restores: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptPlaces:
    """The stored places of a revision; `places` is None if the engine failed."""

    places: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneKey:
    """An active scene's key and current revision."""

    key: int
    revision: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Basis:
    """The input for a revision's places.

    Its document, the latest `former` places before it (None if missing), the origins of all revisions after those up to
    this revision in order, and the places of the restored revision.
    """

    document: str
    former: str | None
    origins: tuple[Origin, ...]
    restored: str | None


class PlacesStore(Protocol):
    """Part of the Store: places and origins."""

    def scene_key(self, owner: str, scene_id: str) -> SceneKey | None:
        """The key of the owner's active scene; None when missing."""
        ...

    def kept_places(self, key: int, revision: int) -> KeptPlaces | None:
        """The stored places of a revision; None before they are written."""
        ...

    def first_unplaced(self, key: int, until: int) -> int | None:
        """The first revision up to `until` without stored places; None when all are written."""
        ...

    def basis(self, key: int, revision: int) -> Basis | None:
        """The input for a revision's places; None when the revision is missing."""
        ...

    def keep_places(self, key: int, revision: int, text: str | None) -> None:
        """Compare-and-set: write the places of a revision (None: they could not be computed) unless something is
        written already, or the scene is gone."""
        ...


# The rows of an account's archive: portable between databases and backends.
#
# Values are JSON: times in ISO 8601, documents and places as their texts. Numbers that a database gives itself,
# counters and packed forms are left out; keys, sessions and other ways in are no part of an archive.


class ArchivedRow(NamedTuple):
    """A row of a table, by column. Rows of a scene follow the row of the table `scenes`."""

    table: str
    values: Mapping[str, Any]


class ArchiveStore(Protocol):
    """Part of the Store: archives of accounts."""

    def archived_account(self, account_id: str) -> tuple[ArchivedRow, ...]:
        """The account and all ids first published by the account; empty when missing."""
        ...

    def archived_scenes(self, account_id: str) -> Iterator[tuple[ArchivedRow, ...]]:
        """Each scene with its rows, by id, deleted ones within recovery as well. A scene is of an instant; the scenes
        of an archive may be of several."""
        ...

    def restore_account(self, row: ArchivedRow) -> bool:
        """Write the account without anything; False (nothing written) when the id is known. ValueError for impossible
        values."""
        ...

    def restore_claim(self, account_id: str, row: ArchivedRow) -> bool:
        """Write a first publication; False when another account has the id. ValueError for impossible values."""
        ...

    def restore_scene(self, account_id: str, rows: Sequence[ArchivedRow]) -> bool:
        """Write a scene with its rows; False if it was public and is private now, for another account has its address.
        ValueError (nothing written) for impossible values."""
        ...


# Records of listings, lifecycle and support.


PRIVATE, SUPPORT, PUBLIC = "private", "support", "public"
VIEWER, COMMENTER, EDITOR = "viewer", "commenter", "editor"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeSummary:
    """How many elements a revision added, removed and modified."""

    added: int
    removed: int
    modified: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Author:
    """The author of a write: the account, and the key's name at the time (None: without a key)."""

    account_id: str
    key_name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Grantee:
    """An account as the receiver of grants; `email` is its verified address."""

    account_id: str
    email: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names under which grants reach the account."""
        return (self.account_id,) if self.email is None else (self.account_id, self.email)


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """A role of another account, or of a mail address, on a scene."""

    grantee: str
    role: str
    granted_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CommentAnchor:
    """The subject of a thread: an element, a place in px, or with neither the scene."""

    element_id: str | None = None
    x: float | None = None
    y: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewComment:
    """A comment to be written by `by`, on `revision`. `thread` is that of a reply, None begins one."""

    id: str
    author: Author
    by: Grantee
    text: str
    revision: int | None = None
    thread: str | None = None
    anchor: CommentAnchor = CommentAnchor()


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """A comment; the first of a thread has the thread's id, its anchor and its resolution. `author_email` is the
    verified address of its author."""

    id: str
    thread: str
    revision: int
    anchor: CommentAnchor
    author: Author
    text: str
    created_at: datetime
    author_email: str | None = None
    resolved_at: datetime | None = None
    resolved_by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadFilter:
    """The wanted threads of a scene; None leaves a property open."""

    resolved: bool | None = None
    element_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TooMany:
    """The scene has as many rows as it may have; nothing was written. `used` is their number."""

    used: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleLacking:
    """The writer's role on the scene, which does not permit the write."""

    role: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisionEntry:
    """A revision without its document. `summary` is None for the first revision, `author` for revisions of earlier
    versions."""

    revision: int
    created_at: datetime
    message: str | None
    summary: ChangeSummary | None
    author: Author | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """A scene's current revision, and some of its revisions, newest first."""

    current_revision: int
    entries: tuple[RevisionEntry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneEntry:
    """A scene without its document. `role` is the lister's on a shared scene, None on an own one; `owner_name` is the
    owner's verified address, or None."""

    scene_id: str
    title: str | None
    diagram_family: str | None
    revision: int
    privacy: str
    created_at: datetime
    updated_at: datetime
    owner: str = ""
    owner_name: str | None = None
    role: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PageStart:
    """The last row of a page, before the next page: time, id, and for scenes the owner."""

    at: datetime
    id: str
    owner: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeletedEntry:
    """A deleted scene within recovery."""

    scene_id: str
    title: str | None
    deleted_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DeletionLimit:
    """At most `most` deletions of an owner in any window of this length."""

    most: int
    window: timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class TooManyDeletions:
    """The limit is reached. `oldest` is the earliest counted deletion."""

    oldest: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Quota:
    """The most an account may hold; 0 is no limit.

    `stored_bytes` counts the stored size of revisions, including deleted scenes until the purge. `scenes` counts active
    scenes.
    """

    keys: int = 0
    scenes: int = 0
    stored_bytes: int = 0


NO_QUOTA = Quota()


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotaReached:
    """The write would exceed the account's quota and is not done. `what` is the quota's member, `used` the account's
    present figure."""

    what: str
    used: int
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongState:
    """The scene's state, from which the requested transition does not exist."""

    state: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicIdTaken:
    """Another owner was first to publish under this id, or under an id with a confusable address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedRevision:
    """The latest revision of a published scene.

    `made_public_at` is the time of its first publication, `key` identifies the scene among places. The document is
    unpacked on access.
    """

    key: int
    scene_id: str
    title: str | None
    revision: int
    made_public_at: datetime
    revision_created_at: datetime
    document: JsonText


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSubmission:
    """A snapshot for supporters, made from `revision`."""

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
class Submission:
    """A submission with its document."""

    entry: SubmissionEntry
    document: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SupportView:
    """A supporter's view of a scene: time and account."""

    viewed_at: datetime
    viewer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountEntry:
    """An account as seen by the operator."""

    id: str
    email: str | None
    email_verified_at: datetime | None
    role: str
    created_at: datetime
    suspended_at: datetime | None = None


class AccountDeletion(Enum):
    """The outcome of a step in the deletion of an account."""

    GONE = "gone"
    MORE_TO_DO = "more to do"
    UNKNOWN = "no such account"
    IN_THE_LOG = "looked at submissions"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSecrets:
    """The secrets of a new account: the SHA-256 (hex) of its first key and of its mailed token."""

    key_hash: str
    token_hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptAnswer:
    """The answer stored under an idempotency key; status None marks a request still in progress."""

    fingerprint: str
    status: int | None
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerTimes:
    """The lifetimes of a kept answer and of an abandoned reservation."""

    kept: timedelta
    reserved: timedelta


class SceneState(NamedTuple):
    """The state of a scene for its listeners, with the counts of changes to grants and comments."""

    revision: int
    privacy: str
    grants_version: int = 0
    comments_version: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedScenes:
    """Active scenes: (owner, scene id) → state; the ids of open keys and sessions; (owner, scene id, account id) → role
    of grantees."""

    scenes: Mapping[tuple[str, str], SceneState]
    key_ids: frozenset[str]
    roles: Mapping[tuple[str, str, str], str] = field(default_factory=dict[tuple[str, str, str], str])


class StorageUnavailable(Exception):  # noqa: N818 - a state of the world, named as the reply says it
    """The database cannot be reached, is locked for too long, or is full."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRevision:
    """A revision to be written. `changed_ids` are the sorted ids touched by its operations; `origin` is the basis of
    its places besides those of the previous revision; None as `author` records nobody. `by` is a writer other than
    the owner."""

    document: str
    title: str | None
    diagram_family: str | None
    message: str | None = None
    summary: ChangeSummary | None = None
    changed_ids: tuple[str, ...] = ()
    origin: Origin | None = None
    author: Author | None = None
    by: Grantee | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredScene:
    """A revision of a scene as read. `key` identifies the scene among places; the document is unpacked on access."""

    key: int
    scene_id: str
    revision: int
    current_revision: int
    document: JsonText
    privacy: str
    scene_created_at: datetime
    revision_created_at: datetime
    author: Author | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Later:
    """The revisions after a base: the sorted ids touched by them, and the author of the latest."""

    changed_ids: tuple[str, ...] = ()
    author: Author | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """The base was stale: the current revision, and the sorted ids changed since the base."""

    current_revision: int
    changed_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class IdTaken:
    """The owner already holds this scene id; `deleted` marks a recently deleted scene."""

    current_revision: int
    deleted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """An owner of keys and scenes. `role` is member or support; a suspended account opens nothing."""

    id: str
    email: str | None
    email_verified_at: datetime | None
    role: str
    suspended_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Holdings:
    """The figures of an account as counted by writes: unrevoked keys, active scenes, bytes of all revisions."""

    created_at: datetime
    keys: int
    scenes: int
    stored_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyRecord:
    """An API key without its secret."""

    id: str
    account_id: str
    name: str
    created_at: datetime
    last_used_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRecord:
    """A signed-in browser without its token."""

    id: str
    account_id: str
    created_at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class UsedToken:
    """A used-up token of a sign-in, and the id of its account, if any."""

    account_id: str | None


class Store(PlacesStore, ArchiveStore, Protocol):
    """The promises of a backend. A single contract test class runs against all backends."""

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
        """Write revision 1 of a new scene; None when done, IdTaken when the owner holds the id, QuotaReached beyond the
        quota (nothing written).

        A scene deleted at `deleted_until` or earlier gives up its id in the same step and waits for the purge. Raises
        LookupError when the owner has no account.
        """
        ...

    def read_scene(self, owner: str, scene_id: str, revision: int | None = None) -> StoredScene | None:
        """The given revision, or the latest; None when the owner has no such scene or revision."""
        ...

    def current_revision(self, owner: str, scene_id: str) -> int | None:
        """The latest revision number of an active scene; None when missing."""
        ...

    def revision_at(self, owner: str, scene_id: str, at: datetime) -> int | None:
        """The number of the revision that was the latest at a time; None when missing, or created later."""
        ...

    def append_revision(
        self,
        owner: str,
        scene_id: str,
        base: int,
        new: NewRevision,
        at: datetime,
        *,
        quota: Quota = NO_QUOTA,
    ) -> int | Conflict | QuotaReached | RoleLacking | None:
        """Compare-and-set: write revision `base + 1` if and only if `base` is current and `new.by` may edit at that
        moment. Exactly one caller wins a base.

        Returns the new number, a Conflict, QuotaReached beyond the quota, RoleLacking for a lesser role, or None when
        the owner has no such scene or the writer no grant. Once the end of a grant is answered, no edit under it is
        written.
        """
        ...

    def changed_since(self, owner: str, scene_id: str, base: int) -> Later:
        """The revisions after `base`; empty for a missing scene."""
        ...

    def role_on(self, owner: str, scene_id: str, grantee: Grantee) -> str | None:
        """The strongest role granted on an active scene; None without a grant or a scene."""
        ...

    def grant(self, owner: str, scene_id: str, grant: Grant, most: int) -> Grant | TooMany | None:
        """Write a grant, or give an earlier one the new role (its time stays); TooMany beyond `most` of a scene, None
        when the owner has no such active scene."""
        ...

    def end_grants(self, owner: str, scene_id: str, names: Sequence[str]) -> bool | None:
        """Remove the grants to any of the names; False without one, None when the owner has no such active scene."""
        ...

    def add_comment(
        self, owner: str, scene_id: str, new: NewComment, at: datetime, *, roles: Collection[str], most: int
    ) -> Comment | RoleLacking | TooMany | Literal[False] | None:
        """Write a comment if the writer is the owner or has one of `roles` at that moment. TooMany beyond `most` of a
        scene, False for an unknown thread, None without a scene or a grant."""
        ...

    def threads(
        self,
        owner: str,
        scene_id: str,
        limit: int,
        after: PageStart | None = None,
        wanted: ThreadFilter = ThreadFilter(),  # noqa: B008 - frozen
    ) -> tuple[tuple[Comment, ...], ...] | None:
        """Up to `limit` wanted threads after `after`, the earliest first, each as its comments in order; None without a
        scene."""
        ...

    def resolve_thread(
        self, owner: str, scene_id: str, thread: str, by: Grantee, *, roles: Collection[str], at: datetime | None
    ) -> Comment | RoleLacking | Literal[False] | None:
        """Resolve a thread, or open it again (`at` None); a resolved one keeps its first time. False for an unknown
        thread, None without a scene or a grant."""
        ...

    def delete_comment(
        self, owner: str, scene_id: str, comment_id: str, by: Grantee, at: datetime
    ) -> RoleLacking | bool | None:
        """Delete a comment of the author `by`, or any for the owner, with the replies to a thread's first. RoleLacking
        for another's, False for an unknown comment, None without a scene or a grant."""
        ...

    def changed_comments(self, owner: str, scene_id: str, since: int) -> tuple[str, ...]:
        """Sorted ids of the comments that were written, resolved, opened or deleted after a `comments_version`."""
        ...

    def grants(self, owner: str, scene_id: str) -> tuple[Grant, ...] | None:
        """The grants of an active scene, the earliest first; None when the owner has no such scene."""
        ...

    def add_account(self, account: Account, at: datetime) -> None:
        """Write a new account; an existing id stays unchanged."""
        ...

    def account(self, account_id: str) -> Account | None:
        """An account by id."""
        ...

    def delete_account(self, account_id: str, limit: int) -> AccountDeletion:
        """Remove up to `limit` scenes of an account and, after the last scene, the account with all its rows: keys,
        addresses first published by it, kept answers.

        Its keys are void from the first step on. The log of supporters' views is kept, and with it any account in the
        log.
        """
        ...

    def accounts(self, email: str | None = None) -> tuple[AccountEntry, ...]:
        """All accounts, or those of an address, oldest first."""
        ...

    def open_account(self, account: Account, key: KeyRecord, secrets: NewSecrets, at: datetime) -> bool:
        """Write a new account with its first key and a token for its address; False (nothing written) when any id or
        hash is already known."""
        ...

    def add_mail_token(self, account_id: str, token_hash: str, at: datetime) -> None:
        """Write a further token. LookupError when the account does not exist."""
        ...

    def verify_by_token(self, token_hash: str, made_after: datetime, at: datetime) -> Account | None:
        """Use up a token made after `made_after` and verify its account; None without a valid token. Exactly one caller
        uses a token; a verified account stays unchanged."""
        ...

    def verify_account(self, account_id: str, at: datetime) -> Account | None:
        """Verify an account without a token; None when missing. A verified account stays unchanged."""
        ...

    def add_key(self, key: KeyRecord, secret_hash: str, *, quota: Quota = NO_QUOTA) -> bool | QuotaReached:
        """Write a new key; False when the hash is already known, QuotaReached when the account has too many (nothing
        written). LookupError when the key's account does not exist."""
        ...

    def key_by_hash(self, secret_hash: str) -> tuple[KeyRecord, Account] | None:
        """The key and its account for the SHA-256 hex of a secret; None when unknown or revoked."""
        ...

    def keys_of(self, account_id: str) -> tuple[KeyRecord, ...]:
        """The account's unrevoked keys, oldest first."""
        ...

    def revoke_key(self, account_id: str, key_id: str, at: datetime) -> bool:
        """Revoke a key for good; its hash stays known. False when the account has no such key."""
        ...

    def note_key_used(self, key_id: str, at: datetime) -> None:
        """Record a key's last use; a later recorded time stays."""
        ...

    def holdings(self, account_id: str) -> Holdings | None:
        """The counters of an account; None when missing."""
        ...

    def recount(self, account_id: str) -> Holdings | None:
        """Count the holdings of an account anew, and claim the addresses of its published scenes: servers of an earlier
        version do neither. None when missing."""
        ...

    def suspend_account(self, account_id: str, at: datetime | None) -> Account | None:
        """Suspend an account at a time, or resume it (None); None when missing. The time of the first suspension
        stays."""
        ...

    def verified_member(self, email: str) -> Account | None:
        """The account with the role member that was the first to verify an address."""
        ...

    def add_sign_in_token(self, token_hash: str, account_id: str | None, at: datetime) -> None:
        """Write a one-use token. LookupError when the account does not exist."""
        ...

    def use_sign_in_token(self, token_hash: str, made_after: datetime) -> UsedToken | None:
        """Use up a token made after `made_after`; None without a valid token. Exactly one caller uses a token."""
        ...

    def open_session(self, session: SessionRecord, token_hash: str, replaced_hash: str | None = None) -> None:
        """Write a session and end the session with `replaced_hash` in the same step. LookupError when the account does
        not exist."""
        ...

    def session_by_hash(self, token_hash: str, at: datetime) -> tuple[SessionRecord, Account] | None:
        """The session and its account for the SHA-256 hex of a token; None when unknown or expired."""
        ...

    def end_session(self, account_id: str, session_id: str) -> bool:
        """End a session; False when the account has no such session."""
        ...

    def end_sessions(self, account_id: str) -> int:
        """End all sessions of an account; their number."""
        ...

    def account_of_identity(self, identity_hash: str) -> Account | None:
        """The account of a person known to an OpenID provider, by the hash of issuer and subject."""
        ...

    def link_identity(self, identity_hash: str, account_id: str, at: datetime) -> bool:
        """Link an identity to an account; False when the identity is linked already. LookupError when the account does
        not exist."""
        ...

    def open_account_of_identity(self, account: Account, identity_hash: str, at: datetime) -> bool:
        """Write a new account linked to an identity; False (nothing written) when the identity is linked already."""
        ...

    def history(self, owner: str, scene_id: str, before: int | None, limit: int) -> History | None:
        """Up to `limit` revisions below `before` (None: from the latest), newest first; None when the owner has no such
        scene."""
        ...

    def list_scenes(
        self, owner: str, limit: int, after: PageStart | None = None, words: str = "", *, email: str | None = None
    ) -> tuple[SceneEntry, ...]:
        """Up to `limit` active scenes after `after`, own and granted to the account or its verified address `email`,
        the latest change first. `words` selects scenes by title or id, ignoring case."""
        ...

    def delete_scene(
        self, owner: str, scene_id: str, limit: DeletionLimit | None, at: datetime, passed: datetime | None = None
    ) -> bool | TooManyDeletions:
        """Soft-delete: the scene becomes private, the public id is freed, the submission withdrawn.

        False when the owner has no such active scene. Beyond the limit (None: no limit) nothing happens. `passed` is
        the present count of `advance_time`, by default `at`.
        """
        ...

    def undelete_scene(
        self, owner: str, scene_id: str, deleted_after: datetime, *, quota: Quota = NO_QUOTA
    ) -> int | QuotaReached | None:
        """Restore a scene deleted after `deleted_after`; its revision, QuotaReached beyond the quota, or None when
        missing."""
        ...

    def deleted_scenes(self, owner: str, deleted_after: datetime) -> tuple[DeletedEntry, ...]:
        """The scenes deleted after `deleted_after`, the latest first."""
        ...

    def purge(self, deleted_until: datetime, limit: int, passed_until: datetime | None = None) -> int:
        """Remove up to `limit` scenes, with all their rows, deleted at `deleted_until` or earlier and, by the count of
        `advance_time`, at `passed_until` or earlier; the number removed.

        A scene undeleted at the same moment is either back or gone, never half of each. Kept answers and one-use tokens
        of the same age, and sessions expired by then, are removed as well.
        """
        ...

    def advance_time(self, passed: datetime | None = None) -> datetime:
        """The passed time known to all servers of the store: the latest of all handed-in times. The count begins when
        the store is made."""
        ...

    def publish(
        self, owner: str, scene_id: str, sources: tuple[str, ...], at: datetime, rivals: tuple[str, ...] = ()
    ) -> datetime | WrongState | PublicIdTaken | None:
        """Publish a scene in one of the states `sources`, unless another owner has ever published its id or an id of
        `rivals`; the time of its first publication. None when the owner has no such active scene."""
        ...

    def make_private(self, owner: str, scene_id: str, sources: tuple[str, ...]) -> bool | WrongState:
        """Make a scene in a state of `sources` private: the public id is freed, the submission withdrawn. False when
        the owner has no active scene of the id."""
        ...

    def public_scene(self, public_id: str, otherwise: str | None = None) -> PublishedRevision | None:
        """The scene published under an id, else the scene published under `otherwise`."""
        ...

    def submit_to_support(
        self, owner: str, scene_id: str, new: NewSubmission, sources: tuple[str, ...], at: datetime
    ) -> bool | WrongState | Conflict:
        """Store a submission and free the public id, if `new.revision` is current and the scene in one of `sources`. An
        earlier submission is replaced under its own id. False when the owner has no such active scene."""
        ...

    def support_views(self, owner: str, scene_id: str) -> tuple[SupportView, ...] | None:
        """Supporters' views of the scene's submissions, the latest first; None when the owner has no such active
        scene."""
        ...

    def submissions(
        self, viewer: str, at: datetime, limit: int, after: PageStart | None = None
    ) -> tuple[SubmissionEntry, ...]:
        """Up to `limit` submissions after `after`, the latest first. The view by `viewer` is logged in the same
        transaction."""
        ...

    def submission(self, submission_id: str, viewer: str, at: datetime) -> Submission | None:
        """A submission. The view by `viewer` is logged in the same transaction, or nothing is read."""
        ...

    def watched_scenes(
        self,
        scene_ids: Sequence[tuple[str, str]],
        key_ids: Sequence[str],
        grantees: Sequence[tuple[str, str, Grantee]] = (),
    ) -> WatchedScenes:
        """The states of scenes (owner, scene id), those of `key_ids` that are unrevoked keys or sessions of an account
        that is not suspended, and the roles of `grantees` (owner, scene id, grantee), in few statements for any
        number."""
        ...

    def begin_answer(
        self, owner: str, key: str, fingerprint: str, at: datetime, times: AnswerTimes
    ) -> KeptAnswer | None:
        """Reserve an idempotency key: None when reserved, else the entry under the key. Exactly one of many callers
        succeeds. An entry beyond `times` has expired."""
        ...

    def keep_answer(self, owner: str, key: str, began_at: datetime, answer: KeptAnswer) -> None:
        """Write the answer over the reservation made at `began_at`; without effect after a takeover."""
        ...

    def forget_answer(self, owner: str, key: str, began_at: datetime) -> None:
        """Release the reservation made at `began_at`."""
        ...

    def secret(self, name: str, fresh: bytes) -> bytes:
        """A secret shared by the servers of this store, by name; a missing secret becomes `fresh`."""
        ...

    def ping(self) -> None:
        """Raise StorageUnavailable when the store cannot answer."""
        ...

    def ping_writing(self) -> None:
        """Do a write without lasting effect. Raises StorageUnavailable on failure."""
        ...

    def close(self) -> None:
        """Release connections."""
        ...
