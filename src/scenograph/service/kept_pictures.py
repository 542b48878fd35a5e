"""Finished pictures, kept by what they are made from (R-CACHE-1, R-CACHE-2).

A picture is a function of the documents, the sketches, the options and the engine, so their hash is its name: nothing
that is found under a name can be stale, or another's. Nothing is looked up before the caller was found to be allowed to
see what the picture is made from.
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

LARGEST_SHARE = 8  # one picture takes an eighth of the room at most
OVERHEAD_BYTES = 500  # of an entry, beside its content and its diagnostics
KEYS_KNOWN = 4096  # of pictures of revisions, without what they are made from
PACKING_LEVEL = 6  # of gzip: done once for each picture


class SharedPictures(Protocol):
    """Bytes that several servers share. A server that does not answer has nothing, and keeps nothing."""

    def get(self, key: str) -> bytes | None:
        """What was put under the key; None for nothing."""
        ...

    def put(self, key: str, content: bytes) -> None:
        """Keep it for a while."""
        ...

    def close(self) -> None:
        """Give back what it holds."""
        ...


class NothingShared:
    """One server alone."""

    def get(self, key: str) -> bytes | None:
        """Nothing is there."""
        del key

    def put(self, key: str, content: bytes) -> None:
        """Nothing is kept."""

    def close(self) -> None:
        """Nothing is held."""


@dataclass(slots=True)
class _Entry:
    """A picture and the bytes that it takes; `packed` once somebody asked for it so."""

    picture: Rendered
    size: int
    packed: bytes | None = None


class KeptPictures:
    """At most `most_bytes` of pictures, the ones asked for last; what is not among them may be in `shared`. `engine`
    names what draws, its version included. Safe to share between threads; with `most_bytes` 0 nothing is kept."""

    def __init__(self, most_bytes: int, engine: str = "", shared: SharedPictures | None = None) -> None:
        self._most_bytes = most_bytes
        self._engine = engine
        self._shared = shared or NothingShared()
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
        """The room that kept pictures may take."""
        return self._most_bytes

    @property
    def bytes(self) -> int:
        """The room that the kept pictures take."""
        return self._bytes

    @property
    def hits(self) -> int:
        """How often a picture was found."""
        return self._hits

    @property
    def misses(self) -> int:
        """How often one was not."""
        return self._misses

    def key(self, asked: Sequence[Any], *texts: str) -> str:
        """The name of a picture that is made of these texts, for which these JSON values were asked."""
        digest = hashlib.sha256(json.dumps([self._engine, asked, [len(text) for text in texts]]).encode("ascii"))
        for text in texts:
            digest.update(text.encode("utf-8", "surrogatepass"))
        return digest.hexdigest()

    def known_key(self, name: Hashable) -> str | None:
        """The key that was noted for what `name` says; None where none is."""
        with self._lock:
            found = self._keys.get(name)
            if found is not None:
                self._keys.move_to_end(name)
        return found

    def note_key(self, name: Hashable, key: str) -> None:
        """Whoever asks for what `name` says asks for this picture: a revision and what stands beside it never
        change."""
        if self.keeps:
            with self._lock:
                self._keys[name] = key
                while len(self._keys) > KEYS_KNOWN:
                    self._keys.popitem(last=False)

    def get(self, key: str) -> Rendered | None:
        """The picture of that name; None where it is not kept."""
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
        """Keep a picture, in place of those that were asked for longest ago."""
        if self._keep(key, picture):
            self._shared.put(key, _written(picture))

    def packed(self, key: str) -> bytes | None:
        """The text of the picture of that name as gzip has it, made once; None where none is kept here, or no text."""
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
        """Let go of what is shared."""
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
        if size * LARGEST_SHARE > self._most_bytes:
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
    """A line of JSON, then the content as it is."""
    text = isinstance(picture.content, str)
    facts = {
        "text": text,
        "size": [picture.width, picture.height],
        "diagnostics": picture.diagnostics,
        "computed": picture.computed,
    }
    content = picture.content.encode() if isinstance(picture.content, str) else picture.content
    return json.dumps(facts).encode("ascii") + b"\n" + content


def _read(written: bytes) -> Rendered | None:
    """None for anything that another version, or another program, put there."""
    head, newline, content = written.partition(b"\n")
    try:
        facts: Mapping[str, Any] = json.loads(head)
        width, height = facts["size"]
        picture = content.decode() if facts["text"] else content
        return Rendered(picture, width, height, facts["diagnostics"], facts["computed"]) if newline else None
    except (ValueError, KeyError, TypeError):
        return None
