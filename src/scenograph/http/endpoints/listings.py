"""Lists of scenes and revisions, and differences."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query, Request
from starlette.responses import Response

from scenograph.http.answers import author_body, tagged_response, timestamp
from scenograph.http.endpoints.scenes import MAX_REVISION
from scenograph.http.guards import CallerByKey, EnginePayer, Serving, SharedScene
from scenograph.service.cursors import DEFAULT_PAGE, LARGEST_PAGE
from scenograph.service.render_requests import read_revision_name
from scenograph.storage.interface import ChangeSummary, RevisionEntry, SceneEntry
from scenograph.wire.limits import SEARCH_LENGTH

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
