"""The places of a revision's elements, and the origins of places (R-KEEP-2, R-KEEP-3).

Places are the JSON text of `computed`, as given by the engine. Within a scene they are written in order of revisions:
only those of the last revisions may be missing. Written places never change. `key` identifies a scene until its purge,
even from a later scene of the same id: a late result for a deleted scene cannot become another scene's.
"""

from __future__ import annotations

import zlib
from typing import Protocol

from scenograph.late_dataclasses import dataclass

# The stored form of a document's text: short texts plain, longer texts compressed. Scenes repeat their member names:
# zlib makes a document five to eight times smaller in under 0.1 ms, and a revision is then less to write and sync
# than its plain text.


COMPRESS_ABOVE = 1024  # bytes
LEVEL = 3
PLAIN, ZLIB = "plain", "zlib"
_SURROGATES = "surrogatepass"  # JSON may hold lone surrogates, which survive storage


def pack(text: str) -> tuple[str, bytes]:
    """The encoding's name and the bytes to keep."""
    raw = text.encode("utf-8", _SURROGATES)
    if len(raw) <= COMPRESS_ABOVE:
        return PLAIN, raw
    return ZLIB, zlib.compress(raw, LEVEL)


def unpack(encoding: str, kept: bytes) -> str:
    """The inverse of `pack`."""
    raw = zlib.decompress(kept) if encoding == ZLIB else kept
    return raw.decode("utf-8", _SURROGATES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """The basis of a revision's places besides those of the previous revision.

    `sketch` is the document's own `computed`. `relaid` are the ids to be placed anew, all with `relays_all`. `restores`
    is the revision from which places are taken over.
    """

    sketch: str | None = None
    relaid: tuple[str, ...] = ()
    relays_all: bool = False
    restores: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptPlaces:
    """The stored places of a revision; `places` is None if the engine failed."""

    places: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneKey:
    """An active scene's key and current revision."""

    key: int
    revision: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Basis:
    """The input for a revision's places.

    Its document, the latest `former` places before it (None if missing), the origins of all revisions after those up to
    this revision in order, and the places of the restored revision.
    """

    document: str
    former: str | None
    origins: tuple[Origin, ...]
    restored: str | None


class PlacesStore(Protocol):
    """Part of the Store: places and origins."""

    def scene_key(self, owner: str, scene_id: str) -> SceneKey | None:
        """The key of the owner's active scene; None when missing."""
        ...

    def kept_places(self, key: int, revision: int) -> KeptPlaces | None:
        """The stored places of a revision; None before they are written."""
        ...

    def first_unplaced(self, key: int, until: int) -> int | None:
        """The first revision up to `until` without stored places; None when all are written."""
        ...

    def basis(self, key: int, revision: int) -> Basis | None:
        """The input for a revision's places; None when the revision is missing."""
        ...

    def keep_places(self, key: int, revision: int, text: str | None) -> None:
        """Compare-and-set: write the places of a revision (None: they could not be computed) unless something is
        written already, or the scene is gone."""
        ...
