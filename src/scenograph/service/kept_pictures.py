"""The cache of finished pictures (R-CACHE-1, R-CACHE-2).

A picture is a function of the documents, the sketches, the options and the engine, and the hash of all four is its key.
An entry can therefore be neither stale nor another scene's. Every look-up follows the check of the caller's access to
the source.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Protocol

from scenograph.late_dataclasses import dataclass
from scenograph.workers import Rendered

_LARGEST_SHARE = 8  # one picture takes an eighth of the room at most
OVERHEAD_BYTES = 500  # of an entry, besides content and diagnostics
KEYS_KNOWN = 4096  # of pictures of revisions, without the pictures' input
PACKING_LEVEL = 6  # of gzip: done once for each picture


class SharedPictures(Protocol):
    """A byte cache shared by several servers. An unreachable cache acts as an empty one."""

    def get(self, key: str) -> bytes | None:
        """The bytes under the key, or None."""
        ...

    def put(self, key: str, content: bytes) -> None:
        """Keep the bytes for a while."""
        ...

    def close(self) -> None:
        """Release connections."""
        ...


class _NothingShared:
    """The shared cache of a single server: always empty."""

    def get(self, key: str) -> bytes | None:
        """Always None."""
        del key

    def put(self, key: str, content: bytes) -> None:
        """Nothing is kept."""

    def close(self) -> None:
        """Nothing is held."""


@dataclass(slots=True)
class _Entry:
    """A picture and the size in bytes; `packed` is the gzip form once requested."""

    picture: Rendered
    size: int
    packed: bytes | None = None


class KeptPictures:
    """A least-recently-used cache of at most `most_bytes` of pictures, backed by `shared`. Thread-safe.

    `engine` identifies the drawing engine with its version. With `most_bytes` 0 nothing is kept.
    """

    def __init__(self, most_bytes: int, engine: str = "", shared: SharedPictures | None = None) -> None:
        self._most_bytes = most_bytes
        self._engine = engine
        self._shared = shared or _NothingShared()
        self._lock = threading.Lock()
        self._pictures: OrderedDict[str, _Entry] = OrderedDict()
        self._keys: OrderedDict[Hashable, str] = OrderedDict()
        self._bytes = 0
        self._hits = 0
        self._misses = 0

    @property
    def keeps(self) -> bool:
        """Whether any picture is kept."""
        return self._most_bytes > 0

    @property
    def most_bytes(self) -> int:
        """Capacity in bytes."""
        return self._most_bytes

    @property
    def bytes(self) -> int:
        """Bytes used by kept pictures."""
        return self._bytes

    @property
    def hits(self) -> int:
        """How often a picture was found."""
        return self._hits

    @property
    def misses(self) -> int:
        """How often a picture was not found."""
        return self._misses

    def key(self, asked: Sequence[Any], *texts: str) -> str:
        """The key of the picture made from these texts and options; `asked` are JSON values."""
        digest = hashlib.sha256(json.dumps([self._engine, asked, [len(text) for text in texts]]).encode("ascii"))
        for text in texts:
            digest.update(text.encode("utf-8", "surrogatepass"))
        return digest.hexdigest()

    def known_key(self, name: Hashable) -> str | None:
        """The key noted for `name`, or None."""
        with self._lock:
            found = self._keys.get(name)
            if found is not None:
                self._keys.move_to_end(name)
        return found

    def note_key(self, name: Hashable, key: str) -> None:
        """Note the key of the picture for `name`, a revision and its options: both are immutable."""
        if self.keeps:
            with self._lock:
                self._keys[name] = key
                while len(self._keys) > KEYS_KNOWN:
                    self._keys.popitem(last=False)

    def get(self, key: str) -> Rendered | None:
        """The picture under the key, or None."""
        if not self.keeps:
            return None
        found = self._own(key)
        if found is None and (content := self._shared.get(key)) is not None:
            found = _read(content)
            if found is not None:
                self._keep(key, found)
        with self._lock:
            self._hits += found is not None
            self._misses += found is None
        return found

    def put(self, key: str, picture: Rendered) -> None:
        """Keep a picture and evict the least recently used."""
        if self._keep(key, picture):
            self._shared.put(key, _written(picture))

    def packed(self, key: str) -> bytes | None:
        """The picture's text as gzip, compressed once. None for a binary picture or an unknown key."""
        with self._lock:
            entry = self._pictures.get(key)
        if entry is None or not isinstance(entry.picture.content, str):
            return None
        if entry.packed is None:
            packed = gzip.compress(entry.picture.content.encode(), PACKING_LEVEL, mtime=0)
            with self._lock:
                if entry.packed is None and self._pictures.get(key) is entry:
                    entry.size += len(packed)
                    self._bytes += len(packed)
                    self._make_room()
                entry.packed = packed
        return entry.packed

    def close(self) -> None:
        """Close the shared cache."""
        self._shared.close()

    def _own(self, key: str) -> Rendered | None:
        with self._lock:
            found = self._pictures.get(key)
            if found is None:
                return None
            self._pictures.move_to_end(key)
            return found.picture

    def _keep(self, key: str, picture: Rendered) -> bool:
        size = OVERHEAD_BYTES + _size(picture)
        if size * _LARGEST_SHARE > self._most_bytes:
            return False
        with self._lock:
            before = self._pictures.pop(key, None)
            self._bytes += size - (before.size if before else 0)
            self._pictures[key] = _Entry(picture, size)
            self._make_room()
        return True

    def _make_room(self) -> None:
        while self._bytes > self._most_bytes:
            self._bytes -= self._pictures.popitem(last=False)[1].size


def _size(picture: Rendered) -> int:
    content = picture.content if isinstance(picture.content, bytes) else picture.content.encode()
    return len(content) + len(json.dumps([picture.diagnostics, picture.computed]))


def _written(picture: Rendered) -> bytes:
    """A line of JSON facts, then the content."""
    text = isinstance(picture.content, str)
    facts = {
        "text": text,
        "size": [picture.width, picture.height],
        "scale": picture.scale,
        "diagnostics": picture.diagnostics,
        "computed": picture.computed,
    }
    content = picture.content.encode() if isinstance(picture.content, str) else picture.content
    return json.dumps(facts).encode("ascii") + b"\n" + content


def _read(written: bytes) -> Rendered | None:
    """The picture in stored bytes; None for bytes of another version or program."""
    head, newline, content = written.partition(b"\n")
    try:
        facts: Mapping[str, Any] = json.loads(head)
        width, height = facts["size"]
        picture = content.decode() if facts["text"] else content
        facts_of = facts["diagnostics"], facts["computed"], facts["scale"]
        return Rendered(picture, width, height, *facts_of) if newline else None
    except (ValueError, KeyError, TypeError):
        return None
