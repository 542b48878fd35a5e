"""The rows of an account's archive: portable between databases and backends.

Values are JSON: times in ISO 8601, documents and places as their texts. Numbers that a database gives itself, counters
and packed forms are left out; keys, sessions and other ways in are no part of an archive.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol


class ArchivedRow(NamedTuple):
    """A row of a table, by column. Rows of a scene follow the row of the table `scenes`."""

    table: str
    values: Mapping[str, Any]


class ArchiveStore(Protocol):
    """Part of the Store: archives of accounts."""

    def archived_account(self, account_id: str) -> tuple[ArchivedRow, ...]:
        """The account and the ids that it was first to publish; empty when missing."""
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
