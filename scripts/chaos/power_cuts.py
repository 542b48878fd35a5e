"""Power cuts, from a journal of everything that a writer did to the files of its database.

At a random moment three kinds of copies are made: the files as they are (as if somebody had copied them in that
instant), without anything that was not synced, and with some of that whole, some torn at a sector and some lost, in no
order, as disks do. Each must open, be whole, and hold all that had been acknowledged.
"""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from chaos.bad_files import BadFiles
from chaos.power_writer import OWNER, SCENE, content
from chaos.scenes import require
from scenograph.storage.sqlite import open_sqlite

WRITER = Path(__file__).with_name("power_writer.py")
SECTOR = 512
SEED = 20260102
KINDS = ("as it is", "unsynced lost", "torn")
DATABASE, LOG, ACKNOWLEDGED = "b", "l", "s"  # the last letters of the files' names
SUFFIXES = {DATABASE: "", LOG: "-wal"}
_ENTRY = struct.Struct("=cc6xqq")


class Entry(NamedTuple):
    """A write (w), a cut to a length (t) or a sync (s)."""

    what: str
    file: str
    offset: int
    data: bytes


@dataclass
class Disk:
    """One file: what is certainly there, and what came later."""

    synced: bytearray = field(default_factory=bytearray)
    pending: list[Entry] = field(default_factory=list[Entry])

    def take(self, entry: Entry) -> None:
        """One step further."""
        if entry.what != "s":
            self.pending.append(entry)
            return
        for earlier in self.pending:
            _put(self.synced, earlier, len(earlier.data))
        self.pending.clear()

    def copy(self, kind: str, chance: random.Random) -> bytes:
        """What may be found afterwards."""
        found = bytearray(self.synced)
        for entry in [] if kind == "unsynced lost" else self.pending:
            length = len(entry.data)
            if kind == "torn":
                length = chance.choice((0, length, chance.randrange(length // SECTOR + 1) * SECTOR))
            if length or entry.what == "t":
                _put(found, entry, length)
        return bytes(found)


class Found(NamedTuple):
    """How many copies were opened, of a journal of how many entries; acknowledged revisions; checkpoints."""

    copies: int
    entries: int
    acknowledged: int
    checkpoints: int

    def told(self) -> str:
        """The figures in words."""
        return (
            f"{self.copies} copies out of {self.entries} writes and syncs ({self.checkpoints} checkpoints) hold what "
            f"was acknowledged of {self.acknowledged} revisions"
        )


def cut_power(folder: Path, cuts: int, revisions: int) -> Found:
    """Write so many revisions, and look at copies of so many moments. Broken when something acknowledged is lost."""
    chance = random.Random(SEED)  # noqa: S311 - the same moments on every run
    entries = list(_journal(folder, revisions))
    moments = set(chance.sample(range(len(entries)), min(cuts, len(entries))))
    disks = {DATABASE: Disk(), LOG: Disk()}
    told = 0
    for moment, entry in enumerate(entries):
        if entry.file in disks:
            disks[entry.file].take(entry)
        elif entry.file == ACKNOWLEDGED:
            told = int(entry.data)
        if moment in moments:
            for kind in KINDS:
                _check(folder / "copy", {name: disk.copy(kind, chance) for name, disk in disks.items()}, told, kind)
    checkpoints = sum(entry.what == "s" and entry.file == DATABASE for entry in entries)
    return Found(len(moments) * len(KINDS), len(entries), told, checkpoints)


def _journal(folder: Path, revisions: int) -> Iterator[Entry]:
    database = folder / "written.db"
    journal = folder / "journal"
    environment = BadFiles(folder, database).environment | {"BAD_FILES_JOURNAL": str(journal)}
    path = os.pathsep.join([str(WRITER.parents[1]), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, str(WRITER), str(database), str(revisions)]
    subprocess.run(command, env=os.environ | environment | {"PYTHONPATH": path}, check=True)
    with journal.open("rb") as file:
        while head := file.read(_ENTRY.size):
            what, name, offset, length = _ENTRY.unpack(head)
            yield Entry(what.decode(), name.decode(), offset, file.read(length))


def _put(content: bytearray, entry: Entry, length: int) -> None:
    """The first bytes of a write, or a cut."""
    end = entry.offset + length
    if len(content) < end:
        content.extend(bytes(end - len(content)))
    if entry.what == "t":
        del content[entry.offset :]
    else:
        content[entry.offset : end] = entry.data[:length]


def _check(folder: Path, files: dict[str, bytes], told: int, kind: str) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    database = folder / "copied.db"
    for name, held in files.items():
        database.with_name(database.name + SUFFIXES[name]).write_bytes(held)
    with closing(open_sqlite(f"sqlite:///{database}")) as store:
        current = store.current_revision(OWNER, SCENE) or 0
        require(current >= told, f"{kind}: the scene is at {current}, and {told} was acknowledged")
        for number in range(max(1, told - 2), current + 1):
            kept = store.read_scene(OWNER, SCENE, number)
            is_whole = kept is not None and kept.document.text == content(number)
            require(is_whole, f"{kind}: revision {number} is not whole")
    with closing(sqlite3.connect(database)) as raw:
        require(raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)], f"{kind}: the file is damaged")
