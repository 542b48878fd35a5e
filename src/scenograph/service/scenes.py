"""Creating, reading, editing and listing scenes (R-ID-3, R-OP-2)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from scenograph.diagnostics import (
    LIMIT_EXCEEDED,
    UNREADABLE_SOURCE,
    UNSUPPORTED_SCHEMA_VERSION,
    Diagnostic,
    Report,
    Severity,
    wire_form,
)
from scenograph.late_dataclasses import dataclass, replace
from scenograph.scene.difference import Difference, FieldChange
from scenograph.scene.edits.draft import ComputedBounds
from scenograph.scene.json_values import JsonObject, JsonText
from scenograph.scene.limits import Limits
from scenograph.scene.synchronizing import kept_page, kept_view
from scenograph.service.accounts import Caller
from scenograph.service.clock import Clock
from scenograph.service.documents import Documents, EnginePort, engine_faults_translated, require_object, text_of
from scenograph.service.errors import (
    ServiceError,
    account_is_gone,
    invalid_request,
    is_possible,
    not_yet_there,
    owners_quota_exceeded,
    quota_exceeded,
    require_possible,
    revision_not_found,
    role_forbidden,
    scene_not_found,
    validation_failed,
)
from scenograph.service.lifecycle import RECOVERY
from scenograph.service.paging import DEFAULT_PAGE, ListPage, page_of, start_of
from scenograph.service.places import Places
from scenograph.service.render_requests import (
    NOTHING_WANTED,
    RevisionName,
    Wanted,
    read_member,
    read_required,
    read_value,
    read_wanted,
)
from scenograph.storage.interface import (
    EDITOR,
    NO_QUOTA,
    Author,
    ChangeSummary,
    Conflict,
    History,
    IdTaken,
    NewRevision,
    Origin,
    PageStart,
    Quota,
    QuotaReached,
    RoleLacking,
    SceneEntry,
    Store,
    StoredScene,
)
from scenograph.wire.members import (
    BASE_REVISION,
    DIALECT,
    DRY_RUN,
    MESSAGE,
    PAGE,
    PRUNE,
    REVISION_NUMBER,
    SCENE_ID,
    SOURCE_FORMAT,
    SOURCE_NAME,
    SOURCE_VIEW,
    TITLE,
)
from scenograph.wire.names import SEARCH_LENGTH, SOURCE_BYTES
from scenograph.workers import (
    Reply,
    SourceRead,
    SourceTooLarge,
    SourceUnreadable,
    as_text,
    diagnostics_in,
    difference_in,
)

# Creating, reading and editing scenes (R-ID-3, R-OP-2).
#
# In: an owner and parsed JSON. Out: what the replies say. Nothing is stored that does not validate, and nothing is
# overwritten: every edit names the revision it builds on, and the store lets exactly one edit follow a revision.

FIRST_REVISION = 1

Document = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Created:
    """A new scene and the remarks of validation."""

    scene_id: str
    revision: int
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadRevision:
    """A revision of a scene. `source` is the author's document; `key` identifies the scene among places."""

    key: int
    scene_id: str
    revision: int
    current_revision: int
    source: JsonText
    privacy: str
    created_at: datetime
    revision_created_at: datetime
    author: Author | None = None

    @property
    def document(self) -> Document:
        """The author's document as JSON values."""
        return self.source.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """A batch stored as a revision: the number of operations, the sorted ids of changed elements, and the extras that
    the batch wants returned."""

    scene_id: str
    revision: int
    applied: int
    changed_ids: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]
    wanted: Wanted = NOTHING_WANTED


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """An earlier revision stored again as the latest, and the sorted ids of changed elements."""

    scene_id: str
    revision: int
    restored_revision: int
    changed_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed:
    """The result of following a source: operations, remarks, and the stored revision, if any."""

    ops: tuple[Document, ...]
    remarks: tuple[Diagnostic, ...]
    applied: Applied | None


class StoredPlaces(Protocol):
    """Positions of stored scenes' elements, by scene key and revision; see `service.places`."""

    def boxes_on(self, key: int, revision: int, document: JsonObject, /) -> ComputedBounds:
        """Bounds for a batch of operations on a revision with this document."""
        ...

    def recall(self, key: int, revision: int, /) -> JsonText | None:
        """The sketch for a picture of the revision."""
        ...


class Scenes:
    """The scenes of all owners.

    `documents` judges and edits; `standing` gives element positions to batches. `changed` is called with owner, scene
    and writing account after every stored revision. `quota` bounds an owner's holdings.
    """

    def __init__(
        self,
        store: Store,
        documents: Documents,
        clock: Clock,
        standing: StoredPlaces,
        changed: Callable[[str, str, str], None] = lambda _owner, _scene_id, _payer: None,
        *,
        quota: Quota = NO_QUOTA,
    ) -> None:
        self._quota = quota
        self._store = store
        self._documents = documents
        self._clock = clock
        self._standing = standing
        self._changed = changed

    def create(self, owner: str, document: object, *, by: Caller | None = None) -> Created:
        """Store a document, a JSON value or JSON text as bytes, as revision 1; its `computed` is stored as
        the sketch of its picture. Raises invalid_request, validation_failed, scene_exists, scene_recently_deleted,
        quota_exceeded and the engine's refusals."""
        judged = self._documents.judge(document).require_valid()
        origin = None if judged.sketch is None else Origin(sketch=judged.sketch.text)
        first = NewRevision(
            document=judged.source.text,
            title=judged.title,
            diagram_family=judged.family,
            message=None,
            summary=None,
            changed_ids=(),
            origin=origin,
            author=by and by.author,
        )
        taken = self._created(owner, judged.scene_id, first)
        if isinstance(taken, QuotaReached):
            raise quota_exceeded(taken)
        if taken is not None:
            raise _taken(taken)
        self._changed(owner, judged.scene_id, owner)
        return Created(scene_id=judged.scene_id, revision=FIRST_REVISION, diagnostics=judged.diagnostics)

    def read(self, owner: str, scene_id: str, revision: RevisionName | None = None) -> ReadRevision:
        """The given revision, or the latest. Raises scene_not_found, revision_not_found."""
        stored = self._stored(owner, scene_id, revision)
        return ReadRevision(
            key=stored.key,
            scene_id=stored.scene_id,
            revision=stored.revision,
            current_revision=stored.current_revision,
            source=stored.document,
            privacy=stored.privacy,
            created_at=stored.scene_created_at,
            revision_created_at=stored.revision_created_at,
            author=stored.author,
        )

    def apply(self, owner: str, scene_id: str, body: object, *, by: Caller | None = None) -> Applied:
        """Apply a batch of operations, a JSON value or the text of one as bytes, as one new revision; a dry run only
        judges it, and answers the present revision. In this order:
        invalid_request, scene_not_found, revision_conflict, validation_failed, and revision_conflict again when another
        edit came first; quota_exceeded and the engine's refusals."""
        stored = self._store.read_scene(owner, scene_id, None) if is_possible(scene_id) else None
        asked = {"scene_id": scene_id, "revision": stored and stored.revision}
        texts: tuple[bytes, ...] = (as_text(body), _text_of(stored))
        facts, text = self._edited("apply", asked, texts, stored)
        if "needs_scenes" in facts:
            sources = self._sources(by.account_id if by else owner, stored, facts["needs_scenes"])
            facts, text = self._edited("apply", asked, (*texts, sources), stored)
        require_object(facts)
        if "malformed" in facts:
            raise _malformed(diagnostics_in(facts, "malformed"))
        if facts["scene_id"] != scene_id:
            raise invalid_request("sceneId in the body differs from the scene id in the address.")
        wanted = read_wanted(facts["returning"], dry=facts["dry"])
        if stored is None:
            raise scene_not_found()
        if facts["revision"] != stored.revision:
            raise self._stale(owner, stored, facts["revision"])
        self.require_comparable(owner, scene_id, stored.revision, wanted)
        if facts["dry"]:
            done = _judged(stored, facts)
        else:
            done = self._appended_edit(owner, stored, facts, text, message=facts["message"], by=by)
        return replace(done, diagnostics=(*diagnostics_in(facts, "remarks"), *done.diagnostics), wanted=wanted)

    def follow(
        self,
        owner: str,
        stored: StoredScene,
        imported: JsonText,
        asked: Mapping[str, Any],
        message: str | None,
        *,
        by: Caller | None = None,
    ) -> Followed:
        """Bring a scene to the document of a source, as a new revision after `stored`.

        Nothing is stored if nothing changed or `asked` is dry; the other members of `asked` are those of `synchronize`.
        Raises scene_not_found, revision_conflict, validation_failed, quota_exceeded and the engine's refusals.
        """
        facts, text = self._edited("follow", asked, (text_of(stored.document), text_of(imported)), stored)
        applied = None
        if "succeeded" in facts:
            applied = self._appended_edit(owner, stored, facts, text, message=message, by=by)
        return Followed(ops=tuple(facts["ops"]), remarks=diagnostics_in(facts, "remarks"), applied=applied)

    def _edited(
        self, job: str, asked: Mapping[str, Any], texts: tuple[bytes, ...], stored: StoredScene | None
    ) -> Reply:
        """The reply of a job that edits a stored document. Element positions are looked up only when the job needs
        them."""
        done = self._documents.edit(job, asked, texts, None if stored is None else self._boxes(stored))
        if stored is None or "needs_sketch" not in done.facts:
            return done
        return self._documents.edit_with_sketch(job, asked, texts, self._standing.recall(stored.key, stored.revision))

    def _sources(self, account: str, edited: StoredScene | None, scene_ids: Sequence[str]) -> bytes:
        """The latest documents of scenes by id, as the JSON text of an object; null for a missing scene.

        Besides the edited scene only the writer's own: a role on one scene opens no other scene of its owner.
        """

        def found_by(name: str) -> StoredScene | None:
            if edited is not None and name == edited.scene_id:
                return edited
            return self._store.read_scene(account, name) if is_possible(name) else None

        found = {name: found_by(name) for name in scene_ids}
        rows = (json.dumps(name).encode() + b":" + (_text_of(stored) or b"null") for name, stored in found.items())
        return b"{" + b",".join(rows) + b"}"

    def _boxes(self, stored: StoredScene) -> ComputedBounds:
        """Bounds by document. A job parses its own copy of the stored document, hence the comparison by value."""

        def boxes(asked: JsonObject) -> Mapping[str, Mapping[str, float]]:
            document = stored.document.value
            boxes_of = self._standing.boxes_on(stored.key, stored.revision, document)
            return boxes_of(document if asked == document else asked)

        return boxes

    def _appended_edit(
        self,
        owner: str,
        stored: StoredScene,
        facts: Mapping[str, Any],
        text: bytes,
        *,
        message: str | None,
        by: Caller | None,
    ) -> Applied:
        """Append the result of a job as the next revision of a stored scene. Raises validation_failed,
        revision_conflict."""
        rows = _accepted(facts)
        change = difference_in(facts)
        relaid = tuple(facts["relaid"])
        new = NewRevision(
            document=text.decode("utf-8", "surrogatepass"),
            title=facts["title"],
            diagram_family=facts["family"],
            message=message,
            summary=_counted(change),
            changed_ids=change.changed_ids,
            origin=Origin(relaid=relaid, relays_all=facts["relays_all"]) if relaid or facts["relays_all"] else None,
            author=by and by.author,
            by=by and by.grantee,
        )
        return Applied(
            scene_id=stored.scene_id,
            revision=self._appended(owner, stored.scene_id, stored.revision, new),
            applied=facts["applied"],
            changed_ids=change.changed_ids,
            diagnostics=rows,
        )

    def require_comparable(self, owner: str, scene_id: str, base: int, wanted: Wanted) -> None:
        """Raises invalid_request where the wanted picture of the revision after `base` compares with no revision."""
        earlier = None if wanted.render is None else wanted.render.diff
        if earlier is None or earlier == base + 1:
            return
        try:
            self._stored(owner, scene_id, earlier)
        except ServiceError as refused:
            if refused.code != "scene_not_found":
                raise invalid_request(f"render.diff.fromRevision: {refused.sentence}") from refused

    def restore(
        self,
        owner: str,
        scene_id: str,
        asked: object,
        base: object,
        *,
        by: Caller | None = None,
        wanted: Wanted = NOTHING_WANTED,
    ) -> Restored:
        """Store the document and places of the revision `asked` as a new revision after `base`.

        Raises in this order: invalid_request, scene_not_found, revision_conflict, revision_not_found, revision_conflict
        again when an edit came first, quota_exceeded.
        """
        revision = read_value("revision", REVISION_NUMBER, asked)
        base_revision = read_value("baseRevision", REVISION_NUMBER, base)
        latest = self.latest(owner, scene_id, base_revision)
        earlier = self._stored(owner, scene_id, revision)
        self.require_comparable(owner, scene_id, base_revision, wanted)
        found = self._documents.compare(latest.document, earlier.document)
        new = NewRevision(
            document=earlier.document.text,
            title=found.title,
            diagram_family=found.family,
            message=f"Restores revision {revision}.",
            summary=_counted(found.change),
            changed_ids=found.change.changed_ids,
            origin=Origin(restores=revision),
            author=by and by.author,
            by=by and by.grantee,
        )
        return Restored(
            scene_id=scene_id,
            revision=self._appended(owner, scene_id, base_revision, new),
            restored_revision=revision,
            changed_ids=found.change.changed_ids,
        )

    def latest(self, owner: str, scene_id: str, base_revision: int) -> StoredScene:
        """The latest revision, which must be `base_revision`. Raises scene_not_found, and revision_conflict with the
        changes since."""
        stored = self._stored(owner, scene_id, None)
        if base_revision == stored.current_revision:
            return stored
        raise self._stale(owner, stored, base_revision)

    def _stale(self, owner: str, stored: StoredScene, base_revision: int) -> ServiceError:
        later = self._store.changed_since(owner, stored.scene_id, base_revision)
        return _conflict(Conflict(current_revision=stored.current_revision, changed_ids=later.changed_ids))

    def _appended(self, owner: str, scene_id: str, base_revision: int, new: NewRevision) -> int:
        answer = self._store.append_revision(owner, scene_id, base_revision, new, self._clock(), quota=self._quota)
        if answer is None:
            raise scene_not_found()
        if isinstance(answer, RoleLacking):
            raise role_forbidden(answer.role, EDITOR)
        if isinstance(answer, QuotaReached):
            is_own = new.by is None or new.by.account_id == owner
            raise quota_exceeded(answer) if is_own else owners_quota_exceeded(answer)
        if isinstance(answer, Conflict):
            raise _conflict(answer)
        self._changed(owner, scene_id, new.by.account_id if new.by else owner)
        return answer

    def _created(self, owner: str, scene_id: str, first: NewRevision) -> IdTaken | QuotaReached | None:
        """Create a scene. The id of an expired scene is free even before the purge: the same clock judges recovery and
        creation."""
        now = self._clock()
        try:
            return self._store.create_scene(owner, scene_id, first, now, now - RECOVERY, quota=self._quota)
        except LookupError:
            raise account_is_gone() from None

    def _stored(self, owner: str, scene_id: str, revision: RevisionName | None) -> StoredScene:
        """The revision. Raises the refusal that reveals no more than the owner may know."""
        require_possible(scene_id)
        is_time = isinstance(revision, datetime)
        number = self._store.revision_at(owner, scene_id, revision) if is_time else revision
        stored = None if is_time and number is None else self._store.read_scene(owner, scene_id, number)
        if stored is not None:
            return stored
        current = None if revision is None else self._store.current_revision(owner, scene_id)
        if current is None:
            raise scene_not_found()
        raise not_yet_there(revision) if is_time else revision_not_found(current)


def _text_of(stored: StoredScene | None) -> bytes:
    return b"" if stored is None else text_of(stored.document)


def _malformed(rows: tuple[Diagnostic, ...]) -> ServiceError:
    """The refusal of a malformed batch: validation_failed beyond limits or versions, else invalid_request."""
    errors = {row.code for row in rows if row.severity is Severity.ERROR}
    if errors <= {LIMIT_EXCEEDED.name, UNSUPPORTED_SCHEMA_VERSION.name}:
        return validation_failed(rows)
    return invalid_request("The body is not a batch of operations; see diagnostics.", rows)


def _accepted(facts: Mapping[str, Any]) -> tuple[Diagnostic, ...]:
    """The diagnostics of an edited document. Raises validation_failed."""
    rows = diagnostics_in(facts)
    if not facts["succeeded"]:
        raise validation_failed(rows)
    return rows


def _judged(stored: StoredScene, facts: Mapping[str, Any]) -> Applied:
    """The answer to a dry run: nothing applied, and the ids of elements that would change. Raises validation_failed."""
    rows = _accepted(facts)
    changed = difference_in(facts).changed_ids
    return Applied(scene_id=stored.scene_id, revision=stored.revision, applied=0, changed_ids=changed, diagnostics=rows)


def _taken(taken: IdTaken) -> ServiceError:
    if taken.deleted:
        sentence = "This id is in the recently deleted list: undelete it, wait until it is gone, or choose another."
        return ServiceError("scene_recently_deleted", sentence)
    sentence = "A scene with this id exists already; nothing was overwritten."
    return ServiceError("scene_exists", sentence, extra={"currentRevision": taken.current_revision})


def _conflict(conflict: Conflict) -> ServiceError:
    extra = {"currentRevision": conflict.current_revision, "changedElementIds": list(conflict.changed_ids)}
    return ServiceError("revision_conflict", "Revision conflict", extra=extra)


def _counted(change: Difference) -> ChangeSummary:
    return ChangeSummary(added=len(change.added), removed=len(change.removed), modified=len(change.modified))


# Lists: an owner's scenes, a scene's revisions, and the difference of two revisions (R-REV-4, R-REV-5, R-REV-8).


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisionDifference:
    """The difference of two revisions: `changes` of each modified element by field, `scene` for changes outside
    elements, `moved` ids, None if one of the revisions has no places at the moment; the `author` of `to_revision`."""

    scene_id: str
    from_revision: int
    to_revision: int
    change: Difference
    changes: Mapping[str, Mapping[str, FieldChange]]
    scene: tuple[str, ...]
    moved: tuple[str, ...] | None
    author: Author | None = None


class Listings:
    """Lists over the store, and differences of revisions read by `scenes` and compared by `documents`."""

    def __init__(self, store: Store, scenes: Scenes, documents: Documents, places: Places) -> None:
        self._places = places
        self._documents = documents
        self._store = store
        self._scenes = scenes

    def scenes(
        self,
        owner: str,
        limit: int = DEFAULT_PAGE,
        after: str | None = None,
        words: str = "",
        *,
        email: str | None = None,
    ) -> ListPage[SceneEntry]:
        """A page of the owner's scenes and of those shared with the account or its verified address `email`; `words`
        filters by title or id. Raises invalid_request for an unknown cursor or an overlong search."""
        if len(words) > SEARCH_LENGTH:
            raise invalid_request(f"q may have at most {SEARCH_LENGTH} characters.")
        start, search = start_of(after), words.strip()
        found = self._store.list_scenes(owner, limit + 1, start, search, email=email)  # one more: a next page
        return page_of(found, limit, lambda entry: PageStart(at=entry.updated_at, id=entry.scene_id, owner=entry.owner))

    def revisions(self, owner: str, scene_id: str, limit: int = DEFAULT_PAGE, before: int | None = None) -> History:
        """Up to `limit` revisions below `before`, newest first. scene_not_found."""
        require_possible(scene_id)
        history = self._store.history(owner, scene_id, before, limit)
        if history is None:
            raise scene_not_found()
        return history

    def difference(
        self, owner: str, scene_id: str, from_revision: RevisionName, to_revision: RevisionName | None = None
    ) -> RevisionDifference:
        """The difference between two revisions; `to_revision` None means the latest. Raises scene_not_found,
        revision_not_found."""
        after = self._scenes.read(owner, scene_id, to_revision)
        before = self._scenes.read(owner, scene_id, from_revision)
        found = self._documents.compare(before.source, after.source, *map(self._places_of, (before, after)))
        return RevisionDifference(
            scene_id=scene_id,
            from_revision=before.revision,
            to_revision=after.revision,
            change=found.change,
            changes=found.changes,
            scene=found.scene,
            moved=found.moved,
            author=after.author,
        )

    def _places_of(self, read: ReadRevision) -> JsonText | None:
        """The places of a revision; None if the engine is busy or fails: a difference is told without them."""
        try:
            return self._places.places(read.key, read.revision)
        except ServiceError:
            return None


# Sources of other tools: read into documents, and followed by stored scenes (R-IN-1, R-SYNC-1).
#
# In: a caller's parsed body. Out: a document, or the operations that bring a scene to its source. Sources are read
# behind `EnginePort`.

WireDiagnostic = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """A document ready for creation, and the losses of the import."""

    document: JsonObject
    diagnostics: tuple[WireDiagnostic, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Synchronized:
    """The result of a sync, real or dry: its operations, and the scene's revision."""

    scene_id: str
    revision: int
    applied: int
    ops: tuple[JsonObject, ...]
    diagnostics: tuple[WireDiagnostic, ...]


class Sources:
    """Sources, read by `engine`, judged by `documents`, and applied to `scenes`."""

    def __init__(self, scenes: Scenes, engine: EnginePort, documents: Documents, limits: Limits) -> None:
        self._scenes = scenes
        self._engine = engine
        self._documents = documents
        self._limits = limits

    def read(self, body: Mapping[str, Any], most_elements: int | None = None) -> Imported:
        """The document of a source; nothing is kept. invalid_request, body_too_large, unreadable_source,
        scene_too_large beyond `most_elements`, validation_failed and the engine's refusals."""
        read = self._read(body)
        judged = self._documents.judge(text_of(read.document), most_elements=most_elements).require_valid()
        return Imported(document=read.document.value, diagnostics=(*read.diagnostics, *wire_form(judged.diagnostics)))

    def sync(
        self,
        owner: str,
        scene_id: str,
        body: Mapping[str, Any],
        *,
        by: Caller | None = None,
        wanted: Wanted = NOTHING_WANTED,
    ) -> Synchronized:
        """Bring a stored scene to its source as a new revision, unless nothing changed or `dryRun` is set. Raises as
        `read`, and scene_not_found, revision_conflict, and invalid_request for `wanted` that cannot be."""
        base = read_required(body, BASE_REVISION)
        dry, prune = read_member(body, DRY_RUN, default=False), read_member(body, PRUNE, default=False)
        message = read_member(body, MESSAGE)
        stored = self._scenes.latest(owner, scene_id, base)
        self._scenes.require_comparable(owner, scene_id, base, wanted)
        name = str(body.get("document") or "")
        read = self._read(body, kept_view(stored.document.value, name), kept_page(stored.document.value, name))
        source = (read.format, str(body.get("document") or ""))
        asked = {"source": source, "whole": read.whole, "prune": prune, "dry": dry}
        done = self._scenes.follow(owner, stored, read.document, asked, message, by=by)
        remarks = (*read.diagnostics, *wire_form(done.remarks))
        applied = done.applied
        if applied is None:
            return Synchronized(scene_id=scene_id, revision=base, applied=0, ops=done.ops, diagnostics=remarks)
        return Synchronized(
            scene_id=scene_id,
            revision=applied.revision,
            applied=applied.applied,
            ops=done.ops,
            diagnostics=(*remarks, *wire_form(applied.diagnostics)),
        )

    def _read(self, body: Mapping[str, Any], view: str | None = None, page: int | None = None) -> SourceRead:
        """The source read, with the view and the page of its import where the body names none."""
        text = _source(body)
        asked = {
            "format": read_member(body, SOURCE_FORMAT),
            "dialect": read_member(body, DIALECT),
            "page": read_member(body, PAGE) or page,
            "view": read_member(body, SOURCE_VIEW),
            "kept_view": view,
            "document": read_member(body, SOURCE_NAME) or "",
            "scene_id": read_member(body, SCENE_ID),
            "title": read_member(body, TITLE),
            "most_elements": self._limits.elements,
        }
        try:
            with engine_faults_translated():
                return self._engine.read_source(text, **asked)
        except SourceUnreadable as refused:
            raise _unreadable(refused) from refused
        except SourceTooLarge as refused:
            raise validation_failed(_too_large(refused.most)) from refused


def _source(body: Mapping[str, Any]) -> str:
    text = body.get("source")
    if not isinstance(text, str):
        raise invalid_request("source must be the text to read, a string.")
    if len(text) > SOURCE_BYTES or len(text.encode("utf-8", "surrogatepass")) > SOURCE_BYTES:
        raise ServiceError("body_too_large", f"source is larger than {SOURCE_BYTES} bytes of UTF-8.")
    return text


def _unreadable(refused: SourceUnreadable) -> ServiceError:
    report = Report()
    data = {"line": refused.line, "column": refused.column or 1, "expected": refused.expected}
    told = f" {refused.hint}" if refused.hint else ""
    report.add(UNREADABLE_SOURCE, path="/source", data=data, line=refused.line, expected=refused.expected, hint=told)
    sentence = f"The source cannot be read: in line {refused.line} {refused.expected} was expected.{told}"
    return ServiceError("unreadable_source", sentence, diagnostics=report.rows)


def _too_large(most: int) -> tuple[Diagnostic, ...]:
    report = Report()
    count, data = f"more than {most}", {"limit": most}
    report.add(LIMIT_EXCEEDED, path="/source", data=data, name="the source", count=count, what="elements", limit=most)
    return report.rows
