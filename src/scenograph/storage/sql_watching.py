"""Watching: where many scenes of many owners are, and which keys still open something."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from sqlalchemy import select, tuple_

from scenograph.storage.connections import Connections
from scenograph.storage.records import WatchedScenes
from scenograph.storage.schema import api_keys, scenes

NAMED_AT_ONCE = 400  # in one statement; databases bound the number of its parameters

_WHERE_THEY_ARE = select(scenes.c.owner_id, scenes.c.scene_id, scenes.c.revision, scenes.c.privacy).where(
    scenes.c.deleted_at.is_(None)
)
_PLACE = tuple_(scenes.c.owner_id, scenes.c.scene_id)
_OPEN_KEYS = select(api_keys.c.id).where(api_keys.c.revoked_at.is_(None))

_Named = TypeVar("_Named")


class Watching(Connections):
    """Part of the store: what is watched."""

    def watched_scenes(self, scene_ids: Sequence[tuple[str, str]], key_ids: Sequence[str]) -> WatchedScenes:
        """One statement for all scenes and one for all keys, up to NAMED_AT_ONCE of each."""
        found = [row for some in _parts(scene_ids) for row in self._rows(_WHERE_THEY_ARE.where(_PLACE.in_(some)))]
        keys = [row for some in _parts(key_ids) for row in self._rows(_OPEN_KEYS.where(api_keys.c.id.in_(some)))]
        return WatchedScenes(
            scenes={(row.owner_id, row.scene_id): (row.revision, row.privacy) for row in found},
            key_ids=frozenset(row.id for row in keys),
        )


def _parts(named: Sequence[_Named]) -> Iterator[Sequence[_Named]]:
    return (named[start : start + NAMED_AT_ONCE] for start in range(0, len(named), NAMED_AT_ONCE))
