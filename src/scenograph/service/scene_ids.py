"""Possible scene ids. An impossible id is never looked up, and gets the same answer as a missing scene."""

from __future__ import annotations

import re

from scenograph.scene.description.document import SCENE_ID
from scenograph.service.errors import scene_not_found

_POSSIBLE = re.compile(SCENE_ID.pattern)


def is_possible(scene_id: str) -> bool:
    """Whether a scene can have this id."""
    return _POSSIBLE.fullmatch(scene_id) is not None


def require_possible(scene_id: str) -> None:
    """Raises scene_not_found for an impossible id."""
    if not is_possible(scene_id):
        raise scene_not_found()
