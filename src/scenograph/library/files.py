"""Files, written whole or not at all: a new file beside the old one, synced, takes its name.

Any failure before the renaming (a full disk, a kill) leaves the old file unchanged. A symbolic link stays a link, and
its target is written. A special file (a pipe, a device) is written in place.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from errno import ENOENT
from pathlib import Path

STANDARD_STREAM = "-"
_STANDARD_INPUT = 0  # the descriptor
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def write_whole(out: str, content: bytes | Iterable[bytes], *, new: bool = False, private: bool = False) -> None:
    """Write a file, of all parts in order, with the permissions and, if allowed, the owner of the replaced file; a
    `private` new file is its owner's alone. Raises OSError; with `new`, FileExistsError for an existing file."""
    parts = (content,) if isinstance(content, bytes) else content
    target = Path(os.path.realpath(out))
    if not target.parent.exists():
        raise FileNotFoundError(ENOENT, "No such folder", str(target.parent))
    before = None if new else _status(target)
    if before is not None and not stat.S_ISREG(before.st_mode):
        with target.open("wb") as special:
            special.writelines(parts)
        return
    if before is not None and not os.access(target, os.W_OK):
        raise PermissionError(None, "Permission denied", str(target))
    beside = target.with_name(f".scenograph-{os.urandom(8).hex()}")
    try:
        _fill(beside, parts, before, 0o600 if private else 0o666)
        if new:
            _give_new_name(beside, target)
        else:
            beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)
    _sync_folder(target.parent)


def is_one_of(out: str, sources: Iterable[str]) -> bool:
    """Whether an output file is the same file as an input, by any name."""
    target = _status(Path(out))
    if target is None or not stat.S_ISREG(target.st_mode):
        return False
    read = (os.fstat(_STANDARD_INPUT) if name == STANDARD_STREAM else _status(Path(name)) for name in sources)
    return any(found is not None and os.path.samestat(found, target) for found in read)


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _fill(beside: Path, parts: Iterable[bytes], before: os.stat_result | None, mode: int) -> None:
    """The new file, synced. Unreadable for the public until the old file's permissions are set."""
    descriptor = os.open(beside, _NEW, mode if before is None else 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.writelines(parts)
        file.flush()
        os.fsync(file.fileno())
    if before is not None:
        with suppress(OSError, AttributeError):  # a foreign file may stay unchanged; Windows has no owners
            os.chown(beside, before.st_uid, before.st_gid)
        beside.chmod(stat.S_IMODE(before.st_mode))


def _give_new_name(beside: Path, target: Path) -> None:
    """Link the file under its name, which fails for an existing file. Where a file system has no hard links, an empty
    file claims the name first."""
    try:
        os.link(beside, target)
    except FileExistsError:
        raise
    except OSError:
        os.close(os.open(target, _NEW, 0o666))
        beside.replace(target)


def _sync_folder(folder: Path) -> None:
    """Sync the folder: the new name survives a power cut, on file systems with support."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
