"""Stored scenes: create, read, edit, list, compare."""

from __future__ import annotations

from typing import Annotated, Any, cast

from fastapi import Depends, Header, Path, Query, Request
from starlette.responses import Response

from scenograph.diagnostics import wire_form
from scenograph.http.answers import author_body, json_response, tagged_response, timestamp
from scenograph.http.bodies import IMPORT, RESTORATION, SYNC, WHEREABOUTS
from scenograph.http.event_streams import MEDIA_TYPE, EventStreams
from scenograph.http.guards import (
    CallerByKey,
    EnginePayer,
    RawBody,
    RenderSlot,
    Serving,
    SharedScene,
    closed_object,
    most_elements,
)
from scenograph.http.metrics import ASKED_METHOD
from scenograph.http.written import WANTED, AfterCommit, Once, WantedByQuery, WriteReply
from scenograph.scene.json_values import JsonObject
from scenograph.service.accounts import Caller
from scenograph.service.errors import ServiceError
from scenograph.service.paging import DEFAULT_PAGE, LARGEST_PAGE
from scenograph.service.people import SceneAccess
from scenograph.service.presence import read_where
from scenograph.service.render_requests import (
    RevisionName,
    one_revision,
    read_member,
    read_revision_name,
    read_time,
    read_wanted,
)
from scenograph.storage.interface import ChangeSummary, RevisionEntry, SceneEntry
from scenograph.wire.members import AS_OF, DRY_RUN, TAB
from scenograph.wire.names import MAX_REVISION, SEARCH_LENGTH, TAB_LENGTH

# Stored scenes: create, read, edit.

PublicId = Annotated[str, Path(alias="id", description="The id under which a scene is published.")]
Revision = Annotated[int | None, Query(ge=1, le=MAX_REVISION, description="A revision; the latest by default.")]
AsOf = Annotated[str | None, Query(alias=AS_OF.name, max_length=40, description=AS_OF.schema["description"])]


def _revision_by_query(revision: Revision = None, as_of: AsOf = None) -> RevisionName | None:
    """The revision named by an address; None for the latest. Raises invalid_request."""
    return one_revision(revision, None if as_of is None else read_time(AS_OF.name, as_of))


RevisionByQuery = Annotated[RevisionName | None, Depends(_revision_by_query)]
Computed = Annotated[bool, Query(description="Adds `computed`: where its elements stand and its edges run.")]
Restoration = Annotated[JsonObject, Depends(closed_object(RESTORATION))]


NewOwner = Annotated[
    str | None, Query(alias="owner", description="The caller's account, if any: nobody creates a scene for another.")
]


async def _creator(caller: CallerByKey, owner: NewOwner = None) -> Caller:
    """The caller as the owner of a new scene. Raises invalid_request for another owner in the address."""
    if owner not in {None, caller.account_id}:
        raise ServiceError(
            "invalid_request", "A scene is created in the caller's own account: leave owner out, and share it then."
        )
    return caller


Creator = Annotated[Caller, Depends(_creator)]


def create_scene(
    services: Serving,
    caller: Creator,
    raw: RawBody,
    repetition: Once,
    *,
    writing: AfterCommit,
    wanted: WantedByQuery,
    _payer: EnginePayer,
) -> WriteReply:
    """Store a scene document as revision 1. Its `scene.id` becomes the scene's id."""
    return writing.reply(repetition.once(lambda: _created(services, caller, raw)), wanted)


def _created(services: Serving, caller: Caller, raw: RawBody) -> Response:
    created = services.scenes.create(caller.account_id, raw, by=caller)
    reply = {"sceneId": created.scene_id, "revision": created.revision, "diagnostics": wire_form(created.diagnostics)}
    return json_response(reply, status=201)


def read_scene(
    request: Request,
    services: Serving,
    scene: SharedScene,
    _payer: EnginePayer,
    *,
    revision: RevisionByQuery,
    computed: Computed = False,
) -> Response:
    """A revision of a scene as authored. `If-None-Match` with an earlier reply's ETag gives 304 while unchanged."""
    read = services.scenes.read(scene.owner, scene.scene_id, revision)
    reply = {
        "sceneId": read.scene_id,
        "revision": read.revision,
        "scene": read.document,
        "privacyStatus": read.privacy,
        "createdAt": timestamp(read.created_at),
    }
    if not scene.is_own:
        reply["role"] = scene.role
    if computed:
        reply["computed"] = services.places.computed(read.key, read.revision, read.document)
    return tagged_response(request, reply)


def apply_ops(
    services: Serving,
    scene: SharedScene,
    raw: RawBody,
    repetition: Once,
    *,
    writing: AfterCommit,
    _payer: EnginePayer,
) -> WriteReply:
    """Apply operations to the revision named by `baseRevision`, as a new revision; 409 with the changes since when it
    is no longer the latest. `computed` and `render` in the body add places and a picture to the reply."""
    return writing.kept(repetition.once(lambda: _applied(services, scene, raw), scene), scene)


def _applied(services: Serving, scene: SceneAccess, raw: RawBody) -> Response:
    applied = services.scenes.apply(scene.owner, scene.scene_id, raw, by=scene.caller)
    return json_response(
        {
            "sceneId": applied.scene_id,
            "revision": applied.revision,
            "applied": applied.applied,
            "changedElementIds": list(applied.changed_ids),
            "diagnostics": wire_form(applied.diagnostics),
            **({WANTED: applied.wanted.asked} if applied.wanted else {}),
        }
    )


def restore_revision(
    services: Serving,
    scene: SharedScene,
    body: Restoration,
    *,
    writing: AfterCommit,
    _payer: EnginePayer,
) -> WriteReply:
    """Store the document of an earlier revision as a new revision, with its element positions; 409 when `baseRevision`
    is no longer the latest."""
    wanted = read_wanted(body)
    asked, base = body.get("revision"), body.get("baseRevision")
    restored = services.scenes.restore(scene.owner, scene.scene_id, asked, base, by=scene.caller, wanted=wanted)
    reply = {
        "sceneId": restored.scene_id,
        "revision": restored.revision,
        "restoredRevision": restored.restored_revision,
        "changedElementIds": list(restored.changed_ids),
    }
    return writing.reply(json_response(reply), wanted, scene)


# Events of a scene, as they happen.


LastEventId = Annotated[
    int | None,
    Header(ge=0, le=MAX_REVISION, description="The last revision that the caller knows; later ones are told at once."),
]


PresentTab = Annotated[
    str | None,
    Query(
        alias="presence",
        pattern=TAB.schema["pattern"],
        max_length=TAB_LENGTH,
        description="A name of one's own for the tab: others see the caller here while the stream runs, and the caller "
        "sees them.",
    ),
]
Whereabouts = Annotated[JsonObject, Depends(closed_object(WHEREABOUTS))]


async def watch_scene(
    request: Request, scene: SharedScene, last_event_id: LastEventId = None, presence: PresentTab = None
) -> Response:
    """Server-sent events: `data: {"revision", "changedElementIds", "author"}` within a second of every new revision,
    with the revision as the event's id. An event `comments` tells `changedCommentIds`, deleted ones too. An event
    `grants` tells the caller's role once it changed and, to the owner, that grants did. With `presence` an event
    `presence` tells who else is here, at most four times a second: `{"you", "people": [{"id", "accountId", "name",
    "role", "selection", "at"}]}`, at most 50 people. An event `closed` with a
    `reason` ends the stream: the key was revoked, the grant withdrawn, the scene deleted or public no more, the server
    stops. At most STREAMS_PER_OWNER streams of one owner."""
    streams = cast("EventStreams", request.app.state.event_streams)
    if request.scope.get(ASKED_METHOD) == "HEAD":
        return Response(media_type=MEDIA_TYPE)
    return await streams.open(scene, last_event_id, presence)


def tell_whereabouts(services: Serving, scene: SharedScene, body: Whereabouts) -> Response:
    """Tell others of the caller's selection and pointer in a tab that is present by its event stream; not stored.
    Counts in an allowance of its own, ten a second."""
    tab, where = read_where(body)
    shown = services.presence.place(scene, tab, where)
    if not shown:
        services.watching.begin(scene)  # scene_not_found
    return json_response({"sceneId": scene.scene_id, "shown": shown})


# Sources of other tools: read into documents, and followed by stored scenes.


ImportBody = Annotated[JsonObject, Depends(closed_object(IMPORT))]
SyncBody = Annotated[JsonObject, Depends(closed_object(SYNC))]
PageNumber = Annotated[int | None, Query(alias="page", ge=1, description="The same as the body's `page`.")]


def import_source(
    request: Request, services: Serving, _slot: RenderSlot, body: ImportBody, page: PageNumber = None
) -> Response:
    """Read a source of any known format into a document; nothing is stored. IMPORT_LOSS tells, with the line, of
    content without a form in a scene and of unreadable content; the rest is imported."""
    imported = services.sources.read(_on_page(body, page), most_elements(request, services))
    return json_response({"scene": imported.document, "diagnostics": list(imported.diagnostics)})


def sync_scene(
    services: Serving,
    scene: SharedScene,
    _slot: RenderSlot,
    body: SyncBody,
    *,
    writing: AfterCommit,
    page: PageNumber = None,
) -> WriteReply:
    """Bring a scene to its source. Places, styles, icons and additions by people stay; nothing is removed while a part
    of the source was not understood, unless `prune` asks for it."""
    wanted = read_wanted(body, dry=read_member(body, DRY_RUN, default=False))
    asked = _on_page(body, page)
    done = services.sources.sync(scene.owner, scene.scene_id, asked, by=scene.caller, wanted=wanted)
    reply = {
        "sceneId": done.scene_id,
        "revision": done.revision,
        "applied": done.applied,
        "ops": list(done.ops),
        "diagnostics": list(done.diagnostics),
    }
    return writing.reply(json_response(reply), wanted, scene)


def _on_page(body: JsonObject, page: int | None) -> JsonObject:
    """A body with the page from its address. Raises invalid_request when both name different pages."""
    if page is None or body.get("page", page) == page:
        return body if page is None else {**body, "page": page}
    raise ServiceError("invalid_request", "page stands in the address and in the body, with two values.")


# Lists of scenes and revisions, and differences.

Limit = Annotated[int, Query(ge=1, le=LARGEST_PAGE, description="At most so many.")]
Cursor = Annotated[str | None, Query(max_length=1000, description="`nextCursor` of the page before.")]
Words = Annotated[str, Query(max_length=SEARCH_LENGTH, description="Only scenes whose title or id holds this.")]
Before = Annotated[int | None, Query(ge=1, le=MAX_REVISION, description="Only revisions below this one.")]
_TIME = "a number, or a time (ISO 8601) at which it was the latest"
FromRevision = Annotated[str, Query(alias="from", max_length=40, description=f"The earlier revision: {_TIME}.")]
ToRevision = Annotated[
    str | None, Query(alias="to", max_length=40, description=f"The later revision: {_TIME}; the latest by default.")
]


def list_scenes(
    request: Request,
    services: Serving,
    caller: CallerByKey,
    *,
    limit: Limit = DEFAULT_PAGE,
    cursor: Cursor = None,
    q: Words = "",
) -> Response:
    """The caller's scenes and those shared with the caller, the latest change first, in pages. A shared scene tells its
    `owner`, by whose `accountId` it is addressed (`?owner=`), and the caller's `role`."""
    page = services.listings.scenes(caller.account_id, limit, cursor, q, email=caller.email)
    return tagged_response(request, {"items": [_scene(entry) for entry in page.items], "nextCursor": page.next_cursor})


def list_revisions(
    request: Request,
    services: Serving,
    scene: SharedScene,
    *,
    limit: Limit = DEFAULT_PAGE,
    before: Before = None,
) -> Response:
    """The revisions of a scene, newest first. For the next page, set `before` to the last revision of this page."""
    history = services.listings.revisions(scene.owner, scene.scene_id, limit, before)
    return tagged_response(
        request,
        {
            "sceneId": scene.scene_id,
            "currentRevision": history.current_revision,
            "revisions": [_revision(entry) for entry in history.entries],
        },
    )


def diff_scene(
    request: Request,
    services: Serving,
    scene: SharedScene,
    _payer: EnginePayer,
    *,
    from_revision: FromRevision,
    to_revision: ToRevision = None,
) -> Response:
    """Elements, constraints and scene members that differ between two revisions."""
    earlier = read_revision_name("from", from_revision)
    later = None if to_revision is None else read_revision_name("to", to_revision)
    found = services.listings.difference(scene.owner, scene.scene_id, earlier, later)
    change = found.change
    counts = {"added": len(change.added), "removed": len(change.removed), "modified": len(change.modified)}
    return tagged_response(
        request,
        {
            "sceneId": found.scene_id,
            "fromRevision": found.from_revision,
            "toRevision": found.to_revision,
            "summary": counts,
            "added": list(change.added),
            "removed": list(change.removed),
            "modified": list(change.modified),
            "changedConstraintIds": list(change.changed_constraint_ids),
            "fields": {name: list(fields) for name, fields in found.changes.items()},
            "changes": found.changes,
            "moved": None if found.moved is None else list(found.moved),
            "scene": list(found.scene),
            "author": author_body(found.author),
        },
    )


def _scene(entry: SceneEntry) -> dict[str, Any]:
    return {
        "sceneId": entry.scene_id,
        "title": entry.title,
        "diagramFamily": entry.diagram_family,
        "revision": entry.revision,
        "privacyStatus": entry.privacy,
        "createdAt": timestamp(entry.created_at),
        "updatedAt": timestamp(entry.updated_at),
        **_sharing(entry),
    }


def _sharing(entry: SceneEntry) -> dict[str, Any]:
    """Owner and role of a shared scene. An unproven address is no name: anybody could take anybody's."""
    if entry.role is None:
        return {}
    return {"owner": {"accountId": entry.owner, "name": entry.owner_name or entry.owner}, "role": entry.role}


def _revision(entry: RevisionEntry) -> dict[str, Any]:
    return {
        "revision": entry.revision,
        "createdAt": timestamp(entry.created_at),
        "message": entry.message,
        "summary": _summary(entry.summary),
        "author": author_body(entry.author),
    }


def _summary(summary: ChangeSummary | None) -> dict[str, int] | None:
    if summary is None:
        return None
    return {"added": summary.added, "removed": summary.removed, "modified": summary.modified}
