"""Pictures of stored and inline scenes, normalized documents, and the places and pictures that a write returns
(R-OUT-2, R-KEEP-14)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

from scenograph.diagnostics import RENDER_FAILED, Report, wire_form
from scenograph.late_dataclasses import dataclass, replace
from scenograph.scene.json_values import JsonObject, JsonText, member
from scenograph.scene.reading import diagram_family
from scenograph.service.accounts import Caller
from scenograph.service.documents import Documents, EnginePort, RequestedDrawing, engine_faults_translated
from scenograph.service.errors import ServiceError, format_not_available, invalid_request, is_possible, scene_not_found
from scenograph.service.kept_pictures import KeptPictures
from scenograph.service.people import SceneAccess
from scenograph.service.places import Places, PlacesMissing
from scenograph.service.render_requests import (
    INLINE,
    PUBLISHED,
    STORED,
    RenderRequest,
    RevisionName,
    Wanted,
    read_render_request,
    read_view,
)
from scenograph.service.scenes import FIRST_REVISION, ReadRevision, Scenes
from scenograph.storage.interface import PublishedRevision, StorageUnavailable, Store
from scenograph.wire.formats import FORMATS, SVG
from scenograph.wire.members import COMPUTED_AFTER, OUTLINES, RENDER_AFTER
from scenograph.wire.names import MAX_PIXELS, too_large
from scenograph.workers import PictureExtras, PictureTooLarge, Rendered

# Pictures of stored and inline scenes, and normalized documents (R-OUT-2).
#
# In: a caller, a parsed request body. Out: a picture with its diagnostics. The drawing happens behind `EnginePort`;
# here is decided who may ask, for what, and how large a picture may be.

WireDiagnostic = dict[str, Any]
_Recall = Callable[[int, int], JsonText | None]  # a scene's key and a revision → its sketch


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedPicture:
    """A rendered picture: text or bytes by its format, size in px, the length of a scene px in it, diagnostics in wire
    form.

    `key` is equal for equal pictures. `computed` holds the positions of all elements, and `theme` the theme, if
    requested.
    """

    content: str | bytes
    mime_type: str
    width: float
    height: float
    diagnostics: tuple[WireDiagnostic, ...]
    key: str
    revision: int | None = None
    computed: dict[str, Any] | None = None
    theme: str | None = None
    scale: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Normalized:
    """A normalized document (with `computed`) and the diagnostics of the way in their wire form."""

    document: dict[str, Any]
    diagnostics: tuple[WireDiagnostic, ...]


@dataclass(frozen=True, slots=True)
class _Source:
    """A document to draw, its sketch and its revision's facts. `before` is the document of the earlier side of a diff,
    `before_places` its places."""

    document: JsonText
    revision: int | None
    sketch: JsonText | None = None
    before: JsonText | None = None
    before_places: JsonText | None = None
    created_at: datetime | None = None

    @property
    def watermark(self) -> str:
        """The text "sceneId · revision N · createdAt", without unknown parts (R-PAINT-5)."""
        made_at = self.created_at.isoformat(timespec="milliseconds") if self.created_at else ""
        parts = (
            str(member(self.document.value, "scene", "id") or ""),
            f"revision {self.revision}" if self.revision else "",
            made_at.replace("+00:00", "Z"),
        )
        return " · ".join(part for part in parts if part)


class Rendering:
    """Renders scenes read by `scenes` with `engine`; `places` holds positions of stored scenes. `documents` judges
    inline documents."""

    def __init__(
        self,
        scenes: Scenes,
        places: Places,
        engine: EnginePort,
        documents: Documents,
        kept: KeptPictures | None = None,
        *,
        max_pixels: int = MAX_PIXELS,
    ) -> None:
        self._scenes = scenes
        self._places = places
        self._engine = engine
        self._documents = documents
        self._max_pixels = max_pixels
        self._kept = kept or KeptPictures(0)

    def stored(
        self,
        caller: Caller,
        scene_id: str,
        body: Mapping[str, Any],
        preferred_format: str = SVG.name,
        *,
        owner: str | None = None,
    ) -> RequestedDrawing[ServedPicture]:
        """A picture of a stored revision of `owner` (None: the caller). invalid_request, email_not_verified,
        scene_not_found, revision_not_found, overloaded, render_timeout, render_failed."""
        request = read_render_request(body, STORED, preferred_format)
        return self.revision(caller, scene_id, request, request.revision, owner=owner)

    def revision(
        self,
        caller: Caller,
        scene_id: str,
        request: RenderRequest,
        revision: RevisionName | None,
        *,
        owner: str | None = None,
    ) -> RequestedDrawing[ServedPicture]:
        """The picture of a read request of a stored revision, None for the latest. Raises as `stored`."""
        if not caller.email_verified:
            raise ServiceError("email_not_verified", "Verify the account's email to render stored scenes.")
        owner = owner or caller.account_id
        read = self._scenes.read(owner, scene_id, revision)
        before = None if request.diff is None else self._scenes.read(owner, scene_id, request.diff)

        def source(recall: _Recall) -> _Source:
            return _Source(
                read.source,
                read.revision,
                sketch=recall(read.key, read.revision),
                before=before and before.source,
                before_places=before and recall(before.key, before.revision),
                created_at=read.revision_created_at,
            )

        drawn = _Revision(read.key, read.scene_id, read.revision, read.revision_created_at)
        return self._drawing(source, self._places.recall, request, request.diagnostics, drawn)

    def published(
        self,
        published: PublishedRevision,
        body: Mapping[str, Any],
        preferred_format: str = SVG.name,
        *,
        page_pixels: tuple[int, int] | None = None,
    ) -> RequestedDrawing[ServedPicture]:
        """A picture of a published scene for any reader; a PNG is fitted into `page_pixels` if given. Raises
        invalid_request and the engine's refusals."""
        request = replace(read_render_request(body, PUBLISHED, preferred_format), page_pixels=page_pixels)

        def source(recall: _Recall) -> _Source:
            return _Source(published.document, published.revision, sketch=recall(published.key, published.revision))

        hasty = partial(self._places.recall, in_full=False)
        revision = _Revision(published.key, published.scene_id, published.revision, published.revision_created_at)
        return self._drawing(source, hasty, request, request.diagnostics, revision)

    def inline(
        self, body: object, preferred_format: str = SVG.name, most_elements: int | None = None
    ) -> RequestedDrawing[ServedPicture]:
        """A picture of the document in the member `scene` of a body, a JSON value or JSON text as bytes.

        The document's `computed` is its sketch; nothing is stored. Raises invalid_request, scene_too_large beyond
        `most_elements`, validation_failed and the engine's refusals.
        """
        judged = self._documents.judge(body, within="scene", most_elements=most_elements)
        request = read_render_request(judged.rest, INLINE, preferred_format)
        remarks = wire_form(judged.require_valid().diagnostics)
        source = _Source(judged.source, None, sketch=judged.sketch)
        return self._drawing(lambda _: source, self._places.recall, request, (*request.diagnostics, *remarks))

    def normalize(self, document: object, most_elements: int | None = None) -> Normalized:
        """A document, a JSON value or JSON text as bytes, with defaults, places and `computed`.

        The document's own `computed` is its sketch, and its `view` the shown part. Raises invalid_request,
        scene_too_large beyond `most_elements`, validation_failed and the engine's refusals.
        """
        judged = self._documents.judge(document, most_elements=most_elements).require_valid()
        valid = judged.source.value
        if judged.view is not None:
            valid = {**valid, "view": read_view("view", judged.view)}
        with engine_faults_translated(valid):
            normalized, diagnostics = self._engine.normalize(valid, judged.sketch and judged.sketch.value)
        return Normalized(document=normalized, diagnostics=_merged(tuple(wire_form(judged.diagnostics)), diagnostics))

    def _drawing(
        self,
        source_by: Callable[[_Recall], _Source],
        recall: _Recall,
        request: RenderRequest,
        remarks: tuple[WireDiagnostic, ...],
        revision: _Revision | None = None,
    ) -> RequestedDrawing[ServedPicture]:
        """The picture of a source. `recall` gives the sketch of a revision, by the engine if necessary. With a noted
        key for the `revision` the source is not read at all."""
        name = None if revision is None else _name(revision, request)
        known = None if name is None else self._kept.known_key(name)
        at_once = None if known else self._order_at_once(source_by, request)
        key = known or (at_once and at_once.key)
        if name is not None and at_once is not None:
            self._kept.note_key(name, at_once.key)
        number = revision and revision.number

        def kept() -> ServedPicture | None:
            found = self._kept.get(key) if key else None
            return _picture(found, request, key, number, remarks) if key and found else None

        def drawn() -> ServedPicture:
            order = at_once or self._order(source_by(recall), request)
            return _picture(self._drawn(order), request, order.key, number, remarks)

        return RequestedDrawing(key, kept, drawn)

    def _order_at_once(self, source_by: Callable[[_Recall], _Source], request: RenderRequest) -> _Order | None:
        """The order for a source; None if its sketch still needs the engine."""
        try:
            return self._order(source_by(self._places.recall_at_once), request)
        except PlacesMissing:
            return None

    def _order(self, source: _Source, request: RenderRequest) -> _Order:
        options: dict[str, Any] = {
            "scale": request.scale,
            "outlines": request.text == OUTLINES,
            "max_pixels": self._max_pixels,
        }
        if request.page_pixels is not None:
            options |= {"page_pixels": request.page_pixels}
        if request.embed:
            options |= {"embed": True}
        watermark = source.watermark if request.watermark else None
        texts = [source.document, source.sketch, source.before, source.before_places]
        asked = [request.format, request.theme, options, watermark, request.view, request.computed]
        key = self._kept.key(asked, *(text.text if text else "" for text in texts))
        return _Order(key, source, request, options, watermark)

    def _drawn(self, order: _Order) -> Rendered:
        source, form = order.source, FORMATS[order.request.format]
        family = diagram_family(source.document.value)
        if not form.holds(family):
            raise format_not_available(form, family)
        sketch, before, stood = (text and text.value for text in (source.sketch, source.before, source.before_places))
        try:
            with engine_faults_translated(source.document.value):
                drawn = self._engine.render(
                    source.document.value,
                    output=form.name,
                    theme=order.request.theme,
                    options=order.options,
                    extras=PictureExtras(
                        before=before,
                        watermark=order.watermark,
                        sketch=sketch,
                        before_places=stood,
                        view=order.request.view,
                        computed=order.request.computed,
                    ),
                )
        except PictureTooLarge as refused:
            sentence = too_large(refused.width, refused.height, refused.pixels, self._max_pixels)
            raise invalid_request(sentence) from refused
        self._kept.put(order.key, drawn)
        return drawn


@dataclass(frozen=True, slots=True)
class _Order:
    """The complete input of a picture; `key` is its name in the cache."""

    key: str
    source: _Source
    request: RenderRequest
    options: Mapping[str, Any]
    watermark: str | None


class _Revision(NamedTuple):
    """The identity of a revision among all ever stored: the database may reuse a key after a purge."""

    key: int
    scene_id: str
    number: int
    created_at: datetime


def _name(revision: _Revision, request: RenderRequest) -> Hashable:
    """The identity of a revision's picture; None if a view or a diff contributes further input."""
    if request.view is not None or request.diff is not None:
        return None
    shown = (request.format, request.theme, request.scale, request.text, request.watermark, request.computed)
    return (revision, shown, request.embed, request.page_pixels)


def _picture(
    drawn: Rendered, request: RenderRequest, key: str, revision: int | None, remarks: tuple[WireDiagnostic, ...]
) -> ServedPicture:
    return ServedPicture(
        content=drawn.content,
        mime_type=FORMATS[request.format].media_type,
        width=drawn.width,
        height=drawn.height,
        diagnostics=_merged(remarks, drawn.diagnostics),
        key=key,
        revision=revision,
        computed=drawn.computed,
        theme=request.theme,
        scale=drawn.scale,
    )


def _merged(remarks: tuple[WireDiagnostic, ...], drawn: Iterable[WireDiagnostic]) -> tuple[WireDiagnostic, ...]:
    """Both lists in order, without engine diagnostics that repeat a remark of validation."""
    said = {_subject(row) for row in remarks}
    return (*remarks, *(row for row in drawn if _subject(row) not in said))


def _subject(row: WireDiagnostic) -> tuple[object, object, object]:
    return row["code"], row.get("path"), row.get("elementId")


# Extras that a write returns, as SQL's RETURNING does: places and a picture of its revision (R-KEEP-14).
#
# They are computed after the commit. A failure never fails the write: the extras are null then, and the warning
# RENDER_FAILED tells the reason.


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
        """The elements moved by the revision without an edit of their own; none for the first revision, or without
        places."""
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


# Published scenes, as seen by anybody (R-LIFE-7).

_NOT_PUBLISHED = frozenset({"brief"})
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
        return {name: value for name, value in self.source.value.items() if name not in _NOT_PUBLISHED}

    @property
    def is_coloured(self) -> bool:
        """Whether the owner chose colours, which a reader's preferred theme must not override."""
        return _has_colours_of_its_own(self.source.value)


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
        if preferred_theme and not body.get("theme") and not _has_colours_of_its_own(source.value):
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


def _has_colours_of_its_own(document: Mapping[str, Any]) -> bool:
    """Whether a document sets colours of the page or of elements."""
    return bool(member(document, "scene", "canvas", "background") or document.get("palette"))
