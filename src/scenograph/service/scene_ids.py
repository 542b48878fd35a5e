"""Which ids a scene can have at all: no other is looked up, and none is told apart from one that is not there."""

from __future__ import annotations

import re

from scenograph.scene.document_fields import SCENE_ID
from scenograph.service.refusals import scene_not_found

_POSSIBLE = re.compile(SCENE_ID.pattern)


def require_possible(scene_id: str) -> None:
    """scene_not_found for an id that no scene can have."""
    if _POSSIBLE.fullmatch(scene_id) is None:
        raise scene_not_found()
