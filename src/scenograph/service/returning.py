"""Extras that a write returns, as SQL's RETURNING does: places and a picture of its revision (R-KEEP-14).

They are computed after the commit. A failure never fails the write: the extras are null then, and the warning
RENDER_FAILED tells the reason.
"""

from __future__ import annotations

from typing import NamedTuple

from scenograph.diagnostics import RENDER_FAILED, Report, wire_form
from scenograph.scene.json_text import JsonText
from scenograph.scene.json_values import JsonObject
from scenograph.service.documents import Documents
from scenograph.service.errors import ServiceError
from scenograph.service.places import Places
from scenograph.service.render_requests import Wanted
from scenograph.service.rendering import Rendering, ServedPicture, WireDiagnostic
from scenograph.service.scenes import FIRST_REVISION, ReadRevision, Scenes
from scenograph.service.sharing import SceneAccess
from scenograph.storage.interface import StorageUnavailable
from scenograph.wire.members import COMPUTED_AFTER, RENDER_AFTER


class Returned(NamedTuple):
    """The extras of a write: None for what was not requested, or with `failed` could not be made."""

    computed: JsonObject | None
    picture: ServedPicture | None
    moved: tuple[str, ...] | None
    diagnostics: tuple[WireDiagnostic, ...]
    failed: bool = False


class Returning:
    """Makes the extras of revisions read by `scenes`."""

    def __init__(self, scenes: Scenes, places: Places, rendering: Rendering, documents: Documents) -> None:
        self._scenes = scenes
        self._places = places
        self._rendering = rendering
        self._documents = documents

    def of(self, scene: SceneAccess, revision: int, wanted: Wanted) -> Returned:
        """The extras of a revision. Needs a turn with the engine."""
        try:
            read = self._scenes.read(scene.owner, scene.scene_id, revision)
            picture = None
            if wanted.render is not None:
                drawing = self._rendering.revision(
                    scene.caller, scene.scene_id, wanted.render, revision, owner=scene.owner
                )
                picture = drawing.result()
            computed = self._places.computed(read.key, revision, read.document) if wanted.computed else None
            moved = self._moved(scene.owner, read)
        except (ServiceError, StorageUnavailable) as fault:
            return failed(fault, wanted)
        if computed is None and picture is not None:
            computed = picture.computed
        return Returned(computed, picture, moved, picture.diagnostics if picture else ())

    def _moved(self, owner: str, read: ReadRevision) -> tuple[str, ...]:
        """The elements that the revision moved without touching them; none for the first, or one without places."""
        if read.revision == FIRST_REVISION:
            return ()
        step = self._places.step(read.key, read.revision)
        if step is None:
            return ()
        before = self._scenes.read(owner, read.scene_id, read.revision - 1)
        return self._documents.moved(
            before.source, read.source, JsonText(step.before), JsonText(step.after), step.relaid
        )


def failed(fault: ServiceError | StorageUnavailable, wanted: Wanted) -> Returned:
    """No extras, and RENDER_FAILED with the refusal as its reason."""
    code, sentence = "storage_unavailable", "The storage cannot be reached at the moment."
    if isinstance(fault, ServiceError):
        code, sentence = fault.code, fault.sentence
    report = Report()
    member = COMPUTED_AFTER if wanted.render is None else RENDER_AFTER
    report.add(RENDER_FAILED, path=f"/{member.name}", data={"reason": code}, reason=sentence)
    return Returned(None, None, None, tuple(wire_form(report.rows)), failed=True)
