"""Icon packs: one file per set of icons, opened on first use and read icon by icon.

A file is the length of its index (four bytes, big endian), the index, the search words, then blocks of `BLOCK` icons;
each part is deflated JSON. The index serves every look-up: names, categories, aliases and the places of the blocks.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from scenograph.engine.geometry.boxes import Box
from scenograph.engine.icons.encoding import read_record, write_record
from scenograph.engine.icons.icon import IconLayer
from scenograph.late_dataclasses import dataclass

BLOCK = 16
_LENGTH = 4


class PackEntry(NamedTuple):
    """An icon to be packed. `words` are search words besides its name."""

    name: str
    category: str
    words: str
    view_box: Box
    layers: tuple[IconLayer, ...]


@dataclass(frozen=True)
class Pack:
    """An open pack. `order` gives each name its place, `aliases` alternative names."""

    content: bytes
    order: Mapping[str, int]
    categories: Sequence[str]
    aliases: Mapping[str, str]
    blocks: Sequence[int]

    def category(self, name: str) -> str:
        """The category of a packed icon."""
        return self.categories[self.order[name]]

    @cached_property
    def words(self) -> Sequence[str]:
        """The search words of every icon, in order."""
        return _inflate(self.content, self.blocks[0], self.blocks[1])

    def drawing(self, name: str) -> tuple[Box, tuple[IconLayer, ...]]:
        """View box and layers of a packed icon."""
        place = self.order[name]
        block = place // BLOCK + 1
        return read_record(_inflate(self.content, self.blocks[block], self.blocks[block + 1])[place % BLOCK])


def open_pack(path: Path) -> Pack:
    """Read a pack file, unpacking only its index."""
    content = path.read_bytes()
    start = _LENGTH + int.from_bytes(content[:_LENGTH], "big")
    index = _inflate(content, _LENGTH, start)
    ends = [start]
    for length in index["lengths"]:
        ends.append(ends[-1] + length)
    order = {name: place for place, name in enumerate(index["names"])}
    categories = [index["categories"][i] for i in index["filed"]]
    return Pack(content, order, categories, index["aliases"], ends)


def write_pack(path: Path, entries: Sequence[PackEntry], aliases: Mapping[str, str]) -> int:
    """Write a pack file, entries in order of their names; the number of bytes."""
    rows = sorted(entries, key=lambda row: row.name)
    records = [write_record(row.view_box, row.layers) for row in rows]
    categories = sorted({row.category for row in rows})
    parts = [_deflate([row.words for row in rows])]
    parts += [_deflate(records[i : i + BLOCK]) for i in range(0, len(rows), BLOCK)]
    index = {
        "names": [row.name for row in rows],
        "categories": categories,
        "filed": [categories.index(row.category) for row in rows],
        "aliases": dict(sorted(aliases.items())),
        "lengths": [len(part) for part in parts],
    }
    head = _deflate(index)
    return path.write_bytes(b"".join([len(head).to_bytes(_LENGTH, "big"), head, *parts]))


def _deflate(value: Any) -> bytes:
    return zlib.compress(json.dumps(value, separators=(",", ":")).encode(), 9)


def _inflate(content: bytes, start: int, end: int) -> Any:
    return json.loads(zlib.decompress(content[start:end]))
