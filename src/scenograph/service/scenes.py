"""Creating, reading and editing scenes (R-ID-3, R-OP-2).

In: an owner and parsed JSON. Out: what the replies say. Nothing is stored that does not validate, and nothing is
overwritten: every edit names the revision it builds on, and the store lets exactly one edit follow a revision.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, cast

from scenograph.diagnostics import LIMIT_EXCEEDED, UNSUPPORTED_SCHEMA_VERSION, Diagnostic, Severity
from scenograph.late_dataclasses import dataclass
from scenograph.scene.authored import authored
from scenograph.scene.difference import Difference, difference
from scenograph.scene.json_text import JsonText
from scenograph.scene.json_values import text_at
from scenograph.scene.limits import Limits
from scenograph.scene.operations import Batch, BatchRequest, apply_operations, judge_batch_request, read_batch_request
from scenograph.scene.relayout import Relayout
from scenograph.scene.validation import validate
from scenograph.service.clock import Clock
from scenograph.service.engine_port import engine_faults_translated
from scenograph.service.errors import ServiceError
from scenograph.service.lifecycle import RECOVERY
from scenograph.service.places import BoxesOn, sketch_in
from scenograph.service.refusals import (
    account_is_gone,
    invalid_request,
    quota_exceeded,
    revision_not_found,
    scene_not_found,
    validation_failed,
)
from scenograph.service.request_members import read_value
from scenograph.service.scene_ids import require_possible
from scenograph.storage.interface import ChangeSummary, Conflict, IdTaken, NewRevision, Store, StoredScene
from scenograph.storage.places import Origin
from scenograph.storage.records import NO_QUOTA, Quota, QuotaReached
from scenograph.wire.members import REVISION_NUMBER

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
    """One revision of a scene. `source` is what the author sent; `key` names the scene among its places."""

    key: int
    scene_id: str
    revision: int
    current_revision: int
    source: JsonText
    privacy: str
    created_at: datetime
    revision_created_at: datetime

    @property
    def document(self) -> Document:
        """What the author sent, as JSON values."""
        return self.source.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """A batch that became a revision: how many operations took part, and the sorted ids they changed."""

    scene_id: str
    revision: int
    applied: int
    changed_ids: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """An earlier revision that is the latest again, under a new number, and the sorted ids that changed by it."""

    scene_id: str
    revision: int
    restored_revision: int
    changed_ids: tuple[str, ...]


class Scenes:
    """The scenes of all owners. `boxes_on` tells where elements stand while a batch edits a revision of the scene with
    that key; `changed` hears of every new revision, by owner and scene, once it is kept; `quota` is what one owner may
    hold."""

    def __init__(
        self,
        store: Store,
        limits: Limits,
        clock: Clock,
        boxes_on: BoxesOn,
        changed: Callable[[str, str], None] = lambda _owner, _scene_id: None,
        *,
        quota: Quota = NO_QUOTA,
    ) -> None:
        self._quota = quota
        self._store = store
        self._limits = limits
        self._clock = clock
        self._boxes_on = boxes_on
        self._changed = changed

    def create(self, owner: str, document: object) -> Created:
        """Keep a document as revision 1; its `computed` is kept beside it, as the sketch of its picture.
        invalid_request, validation_failed, scene_exists, scene_recently_deleted, quota_exceeded."""
        if not isinstance(document, dict):
            raise invalid_request("The body must be a scene document, a JSON object.")
        scene = dict(authored(cast("Document", document)))
        rows = validate(scene, self._limits)
        if any(row.severity is Severity.ERROR for row in rows):
            raise validation_failed(rows)
        scene_id = str(scene["scene"]["id"])
        sketch = sketch_in(cast("Document", document))
        origin = None if sketch is None else Origin(sketch=sketch)
        taken = self._created(owner, scene_id, _revision(scene, message=None, change=None, origin=origin))
        if isinstance(taken, QuotaReached):
            raise quota_exceeded(taken)
        if taken is not None:
            raise _taken(taken)
        self._changed(owner, scene_id)
        return Created(scene_id=scene_id, revision=FIRST_REVISION, diagnostics=rows)

    def read(self, owner: str, scene_id: str, revision: int | None = None) -> SceneRead:
        """The latest revision, or the asked one. scene_not_found, revision_not_found."""
        stored = self._stored(owner, scene_id, revision)
        return SceneRead(
            key=stored.key,
            scene_id=stored.scene_id,
            revision=stored.revision,
            current_revision=stored.current_revision,
            source=stored.document,
            privacy=stored.privacy,
            created_at=stored.scene_created_at,
            revision_created_at=stored.revision_created_at,
        )

    def apply(self, owner: str, scene_id: str, body: object) -> Applied:
        """Apply a batch of operations as one new revision. In this order: invalid_request, scene_not_found,
        revision_conflict, validation_failed, revision_conflict again when another edit came first, and
        quota_exceeded."""
        return self._carried_out(owner, self._batch_request(owner, scene_id, body))

    def _carried_out(self, owner: str, request: BatchRequest) -> Applied:
        scene_id = request.scene_id
        stored = self._latest(owner, scene_id, request.base_revision)
        batch = self._apply(stored, request)
        origin = _origin(batch.relayout)
        new = _revision(batch.document, message=request.message, change=batch.difference, origin=origin)
        return Applied(
            scene_id=scene_id,
            revision=self._appended(owner, scene_id, request.base_revision, new),
            applied=batch.applied,
            changed_ids=batch.changed_ids,
            diagnostics=(*request.remarks, *batch.diagnostics),
        )

    def latest_document(self, owner: str, scene_id: str, base_revision: int) -> Document:
        """The document of the latest revision, which `base_revision` must name. scene_not_found, revision_conflict."""
        return json.loads(self._latest(owner, scene_id, base_revision).document.text)

    def apply_own(
        self, owner: str, scene_id: str, base_revision: int, ops: Sequence[Document], message: str | None
    ) -> Applied:
        """Apply operations that the service made itself, however many, as one new revision. scene_not_found,
        revision_conflict, validation_failed."""
        request = BatchRequest(scene_id=scene_id, base_revision=base_revision, ops=tuple(ops), message=message)
        return self._carried_out(owner, request)

    def restore(self, owner: str, scene_id: str, asked: object, base: object) -> Restored:
        """The document of the revision `asked` as a new one after `base`, with its places. In this order:
        invalid_request, scene_not_found, revision_conflict, revision_not_found, and revision_conflict again when an
        edit came first; quota_exceeded."""
        revision = read_value("revision", REVISION_NUMBER, asked)
        base_revision = read_value("baseRevision", REVISION_NUMBER, base)
        latest = self._latest(owner, scene_id, base_revision)
        wanted = self._stored(owner, scene_id, revision)
        document = json.loads(wanted.document.text)
        change = difference(json.loads(latest.document.text), document)
        message, origin = f"Restores revision {revision}.", Origin(restores=revision)
        new = _revision(document, message=message, change=change, origin=origin)
        return Restored(
            scene_id=scene_id,
            revision=self._appended(owner, scene_id, base_revision, new),
            restored_revision=revision,
            changed_ids=change.changed_ids,
        )

    def _latest(self, owner: str, scene_id: str, base_revision: int) -> StoredScene:
        """The latest revision, or the refusal that says what changed since `base_revision`."""
        stored = self._stored(owner, scene_id, None)
        if base_revision == stored.current_revision:
            return stored
        changed = self._store.changed_since(owner, scene_id, base_revision)
        raise _conflict(Conflict(current_revision=stored.current_revision, changed_ids=changed))

    def _appended(self, owner: str, scene_id: str, base_revision: int, new: NewRevision) -> int:
        answer = self._store.append_revision(owner, scene_id, base_revision, new, self._clock(), quota=self._quota)
        if answer is None:
            raise scene_not_found()
        if isinstance(answer, QuotaReached):
            raise quota_exceeded(answer)
        if isinstance(answer, Conflict):
            raise _conflict(answer)
        self._changed(owner, scene_id)
        return answer

    def _created(self, owner: str, scene_id: str, first: NewRevision) -> IdTaken | QuotaReached | None:
        """An id whose scene can no longer come back is free, whether or not the purge has been by: the clock that
        judges a restoration judges this, too."""
        now = self._clock()
        try:
            return self._store.create_scene(owner, scene_id, first, now, now - RECOVERY, quota=self._quota)
        except LookupError:
            raise account_is_gone() from None

    def _stored(self, owner: str, scene_id: str, revision: int | None) -> StoredScene:
        """The revision, or the refusal that says no more than the owner may know."""
        require_possible(scene_id)
        stored = self._store.read_scene(owner, scene_id, revision)
        if stored is not None:
            return stored
        current = None if revision is None else self._store.current_revision(owner, scene_id)
        raise scene_not_found() if current is None else revision_not_found(current)

    def _batch_request(self, owner: str, scene_id: str, body: object) -> BatchRequest:
        request = read_batch_request(body, self._limits)
        if not isinstance(request, BatchRequest):
            samples = {"sceneId": scene_id, "baseRevision": self._store.current_revision(owner, scene_id)}
            raise _malformed(judge_batch_request(body, self._limits, samples))
        if request.scene_id != scene_id:
            raise invalid_request("sceneId in the body differs from the scene id in the address.")
        return request

    def _apply(self, stored: StoredScene, request: BatchRequest) -> Batch:
        document = json.loads(stored.document.text)
        boxes = self._boxes_on(stored.key, stored.revision, document)
        with engine_faults_translated():
            batch = apply_operations(document, request.ops, request.mode, boxes, limits=self._limits)
        if not batch.succeeded:
            raise validation_failed(batch.diagnostics)
        return batch


def _malformed(rows: tuple[Diagnostic, ...]) -> ServiceError:
    """A body that is whole but asks for too much fails validation; any other is no batch at all."""
    errors = {row.code for row in rows if row.severity is Severity.ERROR}
    if errors <= {LIMIT_EXCEEDED.name, UNSUPPORTED_SCHEMA_VERSION.name}:
        return validation_failed(rows)
    return invalid_request("The body is not a batch of operations; see diagnostics.", rows)


def _taken(taken: IdTaken) -> ServiceError:
    if taken.deleted:
        sentence = "This id is in the recently deleted list: undelete it, wait until it is gone, or choose another."
        return ServiceError("scene_recently_deleted", sentence)
    sentence = "A scene with this id exists already; nothing was overwritten."
    return ServiceError("scene_exists", sentence, extra={"currentRevision": taken.current_revision})


def _conflict(conflict: Conflict) -> ServiceError:
    extra = {"currentRevision": conflict.current_revision, "changedElementIds": list(conflict.changed_ids)}
    return ServiceError("revision_conflict", "Revision conflict", extra=extra)


def _origin(relayout: Relayout) -> Origin | None:
    if not relayout.ids and not relayout.every:
        return None
    return Origin(relaid=tuple(sorted(relayout.ids)), relays_all=relayout.every)


def _revision(
    document: Document, *, message: str | None, change: Difference | None, origin: Origin | None
) -> NewRevision:
    """What is kept of a document; `change` is what the revision did to the one before, `origin` what its places come
    from besides those of that one."""
    return NewRevision(
        document=json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":")),
        title=text_at(document, "scene", "title"),
        diagram_family=text_at(document, "diagramFamily") or text_at(document, "scene", "diagramFamily"),
        message=message,
        summary=None if change is None else _counted(change),
        changed_ids=() if change is None else change.changed_ids,
        origin=origin,
    )


def _counted(change: Difference) -> ChangeSummary:
    return ChangeSummary(added=len(change.added), removed=len(change.removed), modified=len(change.modified))
