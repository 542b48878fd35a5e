"""Archives of accounts: all scenes with revisions, places, grants and comments in one file, to take an account to
another database or to keep it (R-ARCHIVE-1, R-ARCHIVE-2).

An archive is JSON Lines in gzip. The first line names the form, the last counts the lines before it: a file that was
cut off restores nothing. Equal content gives equal bytes.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain
from typing import Any, BinaryIO, cast

from scenograph.late_dataclasses import dataclass
from scenograph.scene.json_values import is_object
from scenograph.service.errors import ServiceError, invalid_request
from scenograph.storage.interface import AccountDeletion, ArchivedRow, Store

FORM, VERSION = "scenograph-account", 1
GZIP, LEVEL = 31, 6  # `wbits` of a gzip file without a time
DELETED_AT_ONCE = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoredAccount:
    """An account from an archive; `made_private` are its scenes whose public address is another account's here."""

    account_id: str
    scenes: int
    made_private: tuple[str, ...]


class Archives:
    """Accounts as files."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def export(self, account_id: str) -> Iterator[bytes]:
        """The file of an account, in parts. Raises not_found."""
        account = self._store.archived_account(account_id)
        if not account:
            raise ServiceError("not_found", "There is no such account.")
        return _packed(self._lines(account_id, account))

    def restore(self, file: BinaryIO) -> RestoredAccount:
        """Make the account of a file, with all it holds; keys and sessions are not in it. Raises invalid_request for
        another or a damaged file and for a known account; nothing is left then."""
        lines = _Lines(file)
        head = lines.next()
        if head.get("format") != FORM or head.get("version") != VERSION:
            raise invalid_request(f"The file is not an account archive of the format {FORM}, version {VERSION}.")
        account = _row(lines.next())
        account_id = str(account.values.get("id", ""))
        if not self._made(account):
            raise invalid_request(f"There is an account {account_id} already; delete it first, or keep it.")
        try:
            return self._filled(account_id, lines)
        except BaseException:
            while self._store.delete_account(account_id, DELETED_AT_ONCE) is AccountDeletion.MORE_TO_DO:
                pass
            raise

    def _made(self, account: ArchivedRow) -> bool:
        try:
            return self._store.restore_account(account)
        except ValueError as wrong:
            raise invalid_request(f"Line 2 of the archive cannot be restored: {wrong}.") from None

    def _filled(self, account_id: str, lines: _Lines) -> RestoredAccount:
        count, private = 0, list[str]()
        scene: list[ArchivedRow] = []
        while True:
            line = lines.next()
            row = None if "end" in line else _row(line)
            try:
                if scene and (row is None or row.table == "scenes"):
                    count += 1
                    _check(scene)
                    if not self._store.restore_scene(account_id, scene):
                        private.append(str(scene[0].values["scene_id"]))
                    scene = []
                if row is None:
                    lines.require_end(line["end"])
                    return RestoredAccount(account_id=account_id, scenes=count, made_private=tuple(private))
                if row.table == "public_claims":
                    self._store.restore_claim(account_id, row)
                    continue
            except (ValueError, KeyError, RecursionError) as wrong:
                raise invalid_request(f"The archive cannot be restored at line {lines.number}: {wrong}.") from None
            scene.append(row)
            if scene[0].table != "scenes":
                raise invalid_request(f"Line {lines.number} of the archive belongs to no scene.")

    def _lines(self, account_id: str, account: Iterable[ArchivedRow]) -> Iterator[Any]:
        yield {"format": FORM, "version": VERSION}
        count = 1
        for row in chain(account, chain.from_iterable(self._store.archived_scenes(account_id))):
            count += 1
            yield {"table": row.table, "row": row.values}
        yield {"end": count}


class _Lines:
    """The lines of a file, in turn."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = gzip.GzipFile(fileobj=file)
        self.number = 0

    def next(self) -> dict[str, Any]:
        """The next line's object. Raises invalid_request."""
        self.number += 1
        try:
            line = self._file.readline()
            value = json.loads(line)
        except (OSError, EOFError, zlib.error, ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            raise invalid_request(f"This is no whole archive of an account: line {self.number} cannot be read.")
        return cast("dict[str, Any]", value)

    def require_end(self, count: object) -> None:
        """Raises ValueError unless the last line tells the lines before it, and nothing follows."""
        rest = b"?"
        with suppress(OSError, EOFError, zlib.error):
            rest = self._file.read(1)
        if count != self.number - 1 or rest:
            raise ValueError("the last line tells another number of lines")


def _row(line: dict[str, Any]) -> ArchivedRow:
    table, values = line.get("table"), line.get("row")
    if not isinstance(table, str) or not isinstance(values, dict):
        raise invalid_request("A line of the archive is no row of a table.")
    return ArchivedRow(table, cast("dict[str, Any]", values))


def _check(scene: list[ArchivedRow]) -> None:
    """Raises ValueError unless every revision is a document of its scene."""
    for row in scene:
        if row.table != "revisions":
            continue
        document = json.loads(str(row.values.get("document")))
        head = document.get("scene") if is_object(document) else None
        if not is_object(head) or head.get("id") != scene[0].values.get("scene_id"):
            raise ValueError("a document is of another scene")


def _packed(lines: Iterator[Any]) -> Iterator[bytes]:
    packing = zlib.compressobj(LEVEL, zlib.DEFLATED, GZIP)
    for line in lines:
        text = json.dumps(line, ensure_ascii=True, separators=(",", ":"))
        if part := packing.compress(f"{text}\n".encode()):
            yield part
    yield packing.flush()
