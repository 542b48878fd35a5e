"""The records and the Store protocol (ARCHITECTURE.md, invariant 5).

Every method is atomic: it happens wholly, durably and at once, or not at all. Times are aware UTC datetimes handed in
by the caller; a store has no clock. Documents go in and come out as JSON text, unchanged.
A backend that cannot answer raises `StorageUnavailable`, never anything of its driver.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


class StorageUnavailable(Exception):  # noqa: N818 - a state of the world, named as the reply says it
    """The database cannot be reached, is locked for too long, or is full."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeSummary:
    """How many elements a revision added, removed and modified."""

    added: int
    removed: int
    modified: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRevision:
    """A revision to be written. `changed_ids` are the sorted ids its operations touched."""

    document: str
    title: str | None
    diagram_family: str | None
    message: str | None = None
    summary: ChangeSummary | None = None
    changed_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredScene:
    """One revision of a scene as read."""

    scene_id: str
    revision: int
    current_revision: int
    document: str
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


class Store(Protocol):
    """What a backend promises. One contract test class runs against all of them."""

    def create_scene(self, owner: str, scene_id: str, first: NewRevision, at: datetime) -> IdTaken | None:
        """Write revision 1 of a new scene; None when done, IdTaken when the owner holds the id (nothing written).
        LookupError when the owner has no account."""
        ...

    def read_scene(self, owner: str, scene_id: str, revision: int | None = None) -> StoredScene | None:
        """The latest revision, or the asked one; None when the owner has no such scene or revision."""
        ...

    def current_revision(self, owner: str, scene_id: str) -> int | None:
        """The latest revision number of an active scene; None when there is none."""
        ...

    def append_revision(
        self, owner: str, scene_id: str, base: int, new: NewRevision, at: datetime
    ) -> int | Conflict | None:
        """Compare-and-set: write revision `base + 1` if and only if `base` is current. The new number, a Conflict,
        or None when the owner has no such scene. Exactly one caller wins a base."""
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

    def add_key(self, key: KeyRecord, secret_hash: str) -> bool:
        """Write a new key; False when the hash is already known (nothing written). LookupError when the key's account
        does not exist."""
        ...

    def key_by_hash(self, secret_hash: str) -> tuple[KeyRecord, Account] | None:
        """The key and its account for the SHA-256 hex of a secret."""
        ...

    def ping(self) -> None:
        """Raise StorageUnavailable when the store cannot answer."""
        ...

    def close(self) -> None:
        """Release connections."""
        ...
