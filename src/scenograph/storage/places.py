"""What is kept beside a revision: the places of its elements, and what they are computed from (R-KEEP-2, R-KEEP-3).

Places are the JSON text of `computed`, as the engine gave it. Within a scene they are written in the order of the
revisions, so that those of the first revisions are there and those of the last may be missing. What is written never
changes. A scene is named by its `key`, which no other scene has before the purge has removed it, not even one that
takes its id: what is computed for a scene that is deleted meanwhile cannot become another's.
"""

from __future__ import annotations

import zlib
from typing import Protocol

from scenograph.late_dataclasses import dataclass

# How a document's text is kept: short ones as they are, longer ones compressed. A scene repeats its member names,
# so zlib makes it five to eight times smaller in under 0.1 ms, and a revision is then less to write and to sync
# than the plain text would be.


COMPRESS_ABOVE = 1024  # bytes
LEVEL = 3
PLAIN, ZLIB = "plain", "zlib"
_SURROGATES = "surrogatepass"  # JSON may hold lone surrogates; what came in goes out


def pack(text: str) -> tuple[str, bytes]:
    """The encoding's name and the bytes to keep."""
    raw = text.encode("utf-8", _SURROGATES)
    if len(raw) <= COMPRESS_ABOVE:
        return PLAIN, raw
    return ZLIB, zlib.compress(raw, LEVEL)


def unpack(encoding: str, kept: bytes) -> str:
    """The text that `pack` was given."""
    raw = zlib.decompress(kept) if encoding == ZLIB else kept
    return raw.decode("utf-8", _SURROGATES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """What the places of a revision come from besides those of the revision before. `sketch` is the `computed` that the
    document brought; `relaid` are the ids that are placed anew, with `relays_all` every one is; `restores` is the
    revision whose places it takes."""

    sketch: str | None = None
    relaid: tuple[str, ...] = ()
    relays_all: bool = False
    restores: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptPlaces:
    """What is written of a revision; `places` is None where they could not be computed."""

    places: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneKey:
    """A scene as places know it, and its current revision."""

    key: int
    revision: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Basis:
    """What the places of a revision are computed from: its document, the latest `former` places before it (None where
    there are none), the origins of all revisions after those up to this one, in order, and the places of the revision
    that it restores."""

    document: str
    former: str | None
    origins: tuple[Origin, ...]
    restored: str | None


class PlacesStore(Protocol):
    """Part of the Store: what a scene remembers of its pictures."""

    def scene_key(self, owner: str, scene_id: str) -> SceneKey | None:
        """An active scene of the owner; None when there is none."""
        ...

    def kept_places(self, key: int, revision: int) -> KeptPlaces | None:
        """What is written of a revision; None when nothing is yet."""
        ...

    def first_unplaced(self, key: int, until: int) -> int | None:
        """The first revision up to `until` of which nothing is written; None when there is none."""
        ...

    def basis(self, key: int, revision: int) -> Basis | None:
        """What the places of a revision are computed from; None when there is no such revision."""
        ...

    def keep_places(self, key: int, revision: int, text: str | None) -> None:
        """Compare-and-set: write the places of a revision (None: they could not be computed) unless something is
        written already, or the scene is gone."""
        ...
