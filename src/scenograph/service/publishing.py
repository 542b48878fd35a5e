"""Published scenes, as seen by anybody (R-LIFE-7)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from scenograph.late_dataclasses import dataclass, replace
from scenograph.scene.json_text import JsonText
from scenograph.scene.json_values import member
from scenograph.service.documents import RequestedDrawing
from scenograph.service.errors import is_possible, scene_not_found
from scenograph.service.rendering import Rendering, ServedPicture
from scenograph.storage.interface import PublishedRevision, Store
from scenograph.wire.formats import SVG

NOT_PUBLISHED = frozenset({"brief"})
"""Members of a document for its editors only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedScene:
    """The latest revision of a published scene and its picture."""

    scene_id: str
    title: str | None
    revision: int
    made_public_at: datetime
    source: JsonText
    picture: ServedPicture
    theme: str | None = None

    @property
    def document(self) -> dict[str, Any]:
        """The public part of the document."""
        return {name: value for name, value in self.source.value.items() if name not in NOT_PUBLISHED}

    @property
    def is_coloured(self) -> bool:
        """Whether the owner chose colours, which a reader's preferred theme must not override."""
        return has_colours_of_its_own(self.source.value)


class Publishing:
    """Reads published scenes. The end of a publication ends running requests, too."""

    def __init__(self, store: Store, rendering: Rendering) -> None:
        self._store = store
        self._rendering = rendering

    def read(
        self,
        public_id: str,
        body: Mapping[str, Any],
        preferred_format: str = SVG.name,
        *,
        preferred_theme: str | None = None,
        page_pixels: tuple[int, int] | None = None,
    ) -> RequestedDrawing[PublishedScene]:
        """`show` for the scene published under an id. Raises scene_not_found."""
        return self.show(
            self.find(public_id), body, preferred_format, preferred_theme=preferred_theme, page_pixels=page_pixels
        )

    def show(
        self,
        found: PublishedRevision,
        body: Mapping[str, Any],
        preferred_format: str = SVG.name,
        *,
        preferred_theme: str | None = None,
        page_pixels: tuple[int, int] | None = None,
    ) -> RequestedDrawing[PublishedScene]:
        """The scene with a picture by the parameters in `body` (format, theme, scale). `preferred_theme` is the
        reader's, for where neither `body` nor the owner chose; a PNG is fitted into `page_pixels`. invalid_request and
        the engine's refusals; scene_not_found once it is not published any more."""
        source = found.document
        if preferred_theme and not body.get("theme") and not has_colours_of_its_own(source.value):
            body = {**body, "theme": preferred_theme}

        def shown(picture: ServedPicture) -> PublishedScene:
            return PublishedScene(
                scene_id=found.scene_id,
                title=found.title,
                revision=found.revision,
                made_public_at=found.made_public_at,
                source=source,
                picture=picture,
                theme=body.get("theme"),
            )

        drawing = self._rendering.published(found, body, preferred_format, page_pixels=page_pixels)

        def still() -> None:
            self.find(found.scene_id)

        def drawn() -> ServedPicture:
            picture = drawing.drawn()
            still()  # drawing takes a while: it may have been hidden meanwhile
            return picture

        return replace(drawing, drawn=drawn, still=still).then(shown)

    def find(self, public_id: str, otherwise: str | None = None) -> PublishedRevision:
        """The scene published under an id, else under `otherwise`, without a picture. Raises scene_not_found."""
        wanted = [one for one in (public_id, otherwise) if one is not None and is_possible(one)]
        found = self._store.public_scene(*wanted) if wanted else None
        if found is None:
            raise scene_not_found()
        return found


def has_colours_of_its_own(document: Mapping[str, Any]) -> bool:
    """Whether a document sets the colours of its page or its elements."""
    return bool(member(document, "scene", "canvas", "background") or document.get("palette"))
