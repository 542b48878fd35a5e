"""Creating, reading and editing scenes (specification: "HTTP operations"; decisions: sections 1, 3 and 4).

In: an owner and parsed JSON. Out: what the replies say. Nothing is stored that does not validate, and nothing is
overwritten: every edit names the revision it builds on, and the store lets exactly one edit follow a revision.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from scenograph.diagnostics import LIMIT_EXCEEDED, UNSUPPORTED_SCHEMA_VERSION, Diagnostic, Severity
from scenograph.scene.authored import authored
from scenograph.scene.difference import Difference
from scenograph.scene.draft import ComputedBounds
from scenograph.scene.json_values import member
from scenograph.scene.limits import Limits
from scenograph.scene.operations import Batch, BatchRequest, apply_operations, read_batch_request
from scenograph.scene.validation import validate
from scenograph.service.clock import Clock
from scenograph.service.engine_port import engine_faults_translated
from scenograph.service.errors import ServiceError
from scenograph.service.lifecycle import RECOVERY
from scenograph.service.refusals import invalid_request, revision_not_found, scene_not_found, validation_failed
from scenograph.service.scene_ids import require_possible
from scenograph.storage.interface import ChangeSummary, Conflict, IdTaken, NewRevision, Store, StoredScene

FIRST_REVISION = 1

Document = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Created:
    """A new scene, and what validation remarked."""

    scene_id: str
    revision: int
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneRead:
    """One revision of a scene. `document` is what the author sent, as JSON values."""

    scene_id: str
    revision: int
    current_revision: int
    document: Document
    privacy: str
    created_at: datetime
    revision_created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """A batch that became a revision: how many operations took part, and the sorted ids they changed."""

    scene_id: str
    revision: int
    applied: int
    changed_ids: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]


class Scenes:
    """The scenes of all owners. `computed_bounds` tells where the engine puts the elements of a
    document."""

    def __init__(
        self,
        store: Store,
        limits: Limits,
        clock: Clock,
        computed_bounds: ComputedBounds,
    ) -> None:
        self._store = store
        self._limits = limits
        self._clock = clock
        self._computed_bounds = computed_bounds

    def create(self, owner: str, document: object) -> Created:
        """Keep a document as revision 1. invalid_request, validation_failed, scene_exists, scene_recently_deleted."""
        if not isinstance(document, dict):
            raise invalid_request("The body must be a scene document, a JSON object.")
        scene = dict(authored(cast("Document", document)))
        rows = validate(scene, self._limits)
        _require_valid(rows)
        scene_id = str(scene["scene"]["id"])
        taken = self._created(owner, scene_id, _revision(scene, message=None, change=None))
        if taken is not None:
            raise _taken(taken)
        return Created(scene_id=scene_id, revision=FIRST_REVISION, diagnostics=rows)

    def read(self, owner: str, scene_id: str, revision: int | None = None) -> SceneRead:
        """The latest revision, or the asked one. scene_not_found, revision_not_found."""
        stored = self._stored(owner, scene_id, revision)
        return SceneRead(
            scene_id=stored.scene_id,
            revision=stored.revision,
            current_revision=stored.current_revision,
            document=json.loads(stored.document),
            privacy=stored.privacy,
            created_at=stored.scene_created_at,
            revision_created_at=stored.revision_created_at,
        )

    def apply(self, owner: str, scene_id: str, body: object) -> Applied:
        """Apply a batch of operations as one new revision. In this order: invalid_request, scene_not_found,
        revision_conflict, validation_failed, and revision_conflict again when another edit came first."""
        request = self._batch_request(scene_id, body)
        stored = self._stored(owner, scene_id, None)
        if request.base_revision != stored.current_revision:
            changed = self._store.changed_since(owner, scene_id, request.base_revision)
            raise _conflict(Conflict(current_revision=stored.current_revision, changed_ids=changed))
        batch = self._apply(json.loads(stored.document), request)
        new = _revision(batch.document, message=request.message, change=batch.difference)
        answer = self._store.append_revision(owner, scene_id, request.base_revision, new, self._clock())
        if answer is None:
            raise scene_not_found()
        if isinstance(answer, Conflict):
            raise _conflict(answer)
        return Applied(
            scene_id=scene_id,
            revision=answer,
            applied=batch.applied,
            changed_ids=batch.changed_ids,
            diagnostics=(*request.remarks, *batch.diagnostics),
        )

    def _created(self, owner: str, scene_id: str, first: NewRevision) -> IdTaken | None:
        """An id whose scene can no longer come back is free, whether or not the purge has been by: the clock that
        judges a restoration judges this, too."""
        now = self._clock()
        return self._store.create_scene(owner, scene_id, first, now, now - RECOVERY)

    def _stored(self, owner: str, scene_id: str, revision: int | None) -> StoredScene:
        """The revision, or the refusal that says no more than the owner may know."""
        require_possible(scene_id)
        stored = self._store.read_scene(owner, scene_id, revision)
        if stored is not None:
            return stored
        current = None if revision is None else self._store.current_revision(owner, scene_id)
        raise scene_not_found() if current is None else revision_not_found(current)

    def _batch_request(self, scene_id: str, body: object) -> BatchRequest:
        request = read_batch_request(body, self._limits)
        if not isinstance(request, BatchRequest):
            raise _malformed(request)
        if request.scene_id != scene_id:
            raise invalid_request("sceneId in the body is not the one in the address.")
        return request

    def _apply(self, document: Document, request: BatchRequest) -> Batch:
        with engine_faults_translated():
            batch = apply_operations(document, request.ops, request.mode, self._computed_bounds, limits=self._limits)
        if not batch.succeeded:
            raise validation_failed(batch.diagnostics)
        return batch


def _malformed(rows: tuple[Diagnostic, ...]) -> ServiceError:
    """A body that is whole but asks for too much fails validation; any other is no batch at all."""
    errors = {row.code for row in rows if row.severity is Severity.ERROR}
    if errors <= {LIMIT_EXCEEDED.name, UNSUPPORTED_SCHEMA_VERSION.name}:
        return validation_failed(rows)
    return invalid_request("The body is not a batch of operations; see diagnostics.", rows)


def _require_valid(rows: tuple[Diagnostic, ...]) -> None:
    if any(row.severity is Severity.ERROR for row in rows):
        raise validation_failed(rows)


def _taken(taken: IdTaken) -> ServiceError:
    if taken.deleted:
        sentence = "This id is in the recently deleted list: undelete it, wait until it is gone, or choose another."
        return ServiceError("scene_recently_deleted", sentence)
    sentence = "A scene with this id exists already; nothing was overwritten."
    return ServiceError("scene_exists", sentence, extra={"currentRevision": taken.current_revision})


def _conflict(conflict: Conflict) -> ServiceError:
    extra = {"currentRevision": conflict.current_revision, "changedElementIds": list(conflict.changed_ids)}
    return ServiceError("revision_conflict", "Revision conflict", extra=extra)


def _revision(document: Document, *, message: str | None, change: Difference | None) -> NewRevision:
    """What is kept of a document; `change` is what the revision did to the one before."""
    return NewRevision(
        document=json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":")),
        title=_text(member(document, "scene", "title")),
        diagram_family=_text(member(document, "diagramFamily")) or _text(member(document, "scene", "diagramFamily")),
        message=message,
        summary=None if change is None else _counted(change),
        changed_ids=() if change is None else change.changed_ids,
    )


def _counted(change: Difference) -> ChangeSummary:
    return ChangeSummary(added=len(change.added), removed=len(change.removed), modified=len(change.modified))


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
