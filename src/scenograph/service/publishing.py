"""Published scenes, as anybody may see them (decisions: sections 5 and 7)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from scenograph.service.refusals import scene_not_found
from scenograph.service.rendering import Picture, Rendering
from scenograph.service.scene_ids import require_possible
from scenograph.storage.interface import Store
from scenograph.storage.records import PublicScene
from scenograph.wire.formats import SVG


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedScene:
    """The latest revision of a published scene and its picture."""

    scene_id: str
    title: str | None
    revision: int
    made_public_at: datetime
    document: dict[str, Any]
    picture: Picture


class Publishing:
    """Reads what is published. What ends a publication ends it for requests that are under way, too."""

    def __init__(self, store: Store, rendering: Rendering) -> None:
        self._store = store
        self._rendering = rendering

    def read(self, public_id: str, body: Mapping[str, Any], preferred_format: str = SVG.name) -> PublishedScene:
        """The scene with a picture by the parameters in `body` (format, theme, scale). scene_not_found,
        invalid_request and the engine's refusals."""
        found = self._published(public_id)
        document = json.loads(found.document)
        picture = self._rendering.render_published(found, document, body, preferred_format)
        self._published(public_id)  # drawing takes a while: it may have been hidden meanwhile
        return PublishedScene(
            scene_id=found.scene_id,
            title=found.title,
            revision=found.revision,
            made_public_at=found.made_public_at,
            document=document,
            picture=picture,
        )

    def _published(self, public_id: str) -> PublicScene:
        require_possible(public_id)
        found = self._store.public_scene(public_id)
        if found is None:
            raise scene_not_found()
        return found
