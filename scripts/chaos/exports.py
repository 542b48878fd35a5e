"""Files that the tool server exports, raced for: links put in place of folders and names, two exports to one name.

Nothing is written outside the export folder, nothing there is overwritten, and each name holds one export whole. What
loses is told; no file of its own is left beside.
"""

from __future__ import annotations

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count
from pathlib import Path

from chaos.scenes import require
from scenograph.mcp.inputs import Wrong
from scenograph.mcp.rendering import place_of, write_new
from scenograph.wire.formats import FORMATS

SVG = FORMATS["svg"]
LENGTH = 200_000  # bytes, several writes of the system
WRITTEN = "written"
RACERS = 2
LETTERS = b"ab"
LINKED = 8
SWAPPED = "folder"
SWAP_SECONDS = 0.0005


def race(folder: Path, times: int) -> Counter[str]:
    """Let both races be run so often together; how each export ended. Broken when a promise does not hold."""
    kept, outside = folder / "exports", folder / "outside"
    kept.mkdir()
    outside.mkdir()
    victim = outside / "victim.svg"
    victim.write_bytes(b"another's")
    over = threading.Event()
    swapping = threading.Thread(target=_swap, args=(kept, outside, over))
    swapping.start()
    ended: Counter[str] = Counter()
    try:
        with ThreadPoolExecutor(RACERS) as pool:
            for number in range(times):
                ended += _one(pool, kept, outside, number)
    finally:
        over.set()
        swapping.join()
    require([*outside.iterdir()] == [victim], f"written outside: {sorted(map(str, outside.iterdir()))}")
    require(victim.read_bytes() == b"another's", "another's file was overwritten")
    files = [path for path in kept.rglob("*") if path.is_file() and not path.is_symlink()]
    wholes = {bytes([letter]) * LENGTH for letter in LETTERS}
    require(all(path.suffix == ".svg" and path.read_bytes() in wholes for path in files), "half a file is left")
    require(len(files) == ended[WRITTEN], f"{ended[WRITTEN]} exports were written, and {len(files)} files are there")
    require(ended[WRITTEN] >= times * 3 // 8, f"too few exports were written to try anything: {dict(ended)}")
    return ended


def _one(pool: ThreadPoolExecutor, kept: Path, outside: Path, number: int) -> Counter[str]:
    """Two exports to one name at one moment; every so often a link has it already."""
    path = f"{number}.svg" if number % 2 == 0 else f"{SWAPPED}/{number}.svg"
    start = threading.Barrier(RACERS)
    contents = [bytes([letter]) * LENGTH for letter in LETTERS]
    if number % LINKED == 0:
        (kept / path).symlink_to(outside / "new.svg")
    running = [pool.submit(_export, start, kept, path, content) for content in contents]
    ended = [export.result() for export in running]
    if number % 2 == 0:
        require(ended.count(WRITTEN) == (number % LINKED != 0), f"{path} ended in {ended}")
        if WRITTEN in ended:
            whole = contents[ended.index(WRITTEN)]
            require((kept / path).read_bytes() == whole, f"{path} holds another export, or half of one")
    return Counter(ended)


def _export(start: threading.Barrier, kept: Path, path: str, content: bytes) -> str:
    start.wait()
    try:
        write_new(place_of(kept, path, SVG), content)
    except Wrong as refused:
        return "there already" if "already" in str(refused) else "reached through a link"
    return WRITTEN


def _swap(kept: Path, outside: Path, over: threading.Event) -> None:
    """A link to a folder outside takes the place of one that files go to, again and again."""
    folder = kept / SWAPPED
    for turn in count():
        if over.wait(SWAP_SECONDS):
            return
        with suppress(OSError):
            folder.rename(kept / f"aside{turn}")
        with suppress(OSError):
            folder.symlink_to(outside)
        over.wait(SWAP_SECONDS)
        with suppress(OSError):
            folder.unlink()
