"""Stored scenes: create, read, edit."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Path, Query, Request
from starlette.responses import Response

from scenograph.diagnostics import wire_form
from scenograph.http.answers import json_response, tagged_response, timestamp
from scenograph.http.guards import CallerByKey, EnginePayer, RawBody, Serving, closed_object
from scenograph.http.repetition import Once
from scenograph.http.request_bodies import RESTORATION
from scenograph.scene.json_values import JsonObject
from scenograph.wire.limits import MAX_REVISION

SceneId = Annotated[str, Path(alias="sceneId", description="The scene's id.", examples=["checkout"])]
PublicId = Annotated[str, Path(alias="id", description="The id under which a scene is published.")]
Revision = Annotated[int | None, Query(ge=1, le=MAX_REVISION, description="A revision; the latest by default.")]
Computed = Annotated[bool, Query(description="Adds `computed`: where its elements stand and its edges run.")]
Restoration = Annotated[JsonObject, Depends(closed_object(RESTORATION))]


def create_scene(
    services: Serving, caller: CallerByKey, raw: RawBody, repetition: Once, _payer: EnginePayer
) -> Response:
    """Keep a scene document as revision 1. Its `scene.id` becomes the scene's id."""
    return repetition.once(lambda: _created(services, caller, raw))


def _created(services: Serving, caller: CallerByKey, raw: RawBody) -> Response:
    created = services.scenes.create(caller.account_id, raw)
    reply = {"sceneId": created.scene_id, "revision": created.revision, "diagnostics": wire_form(created.diagnostics)}
    return json_response(reply, status=201)


def read_scene(
    request: Request,
    services: Serving,
    caller: CallerByKey,
    scene_id: SceneId,
    _payer: EnginePayer,
    *,
    revision: Revision = None,
    computed: Computed = False,
) -> Response:
    """One revision of a scene as authored. `If-None-Match` with an earlier reply's ETag gives 304 while it holds."""
    read = services.scenes.read(caller.account_id, scene_id, revision)
    reply = {
        "sceneId": read.scene_id,
        "revision": read.revision,
        "scene": read.document,
        "privacyStatus": read.privacy,
        "createdAt": timestamp(read.created_at),
    }
    if computed:
        reply["computed"] = services.places.computed(read.key, read.revision, read.document)
    return tagged_response(request, reply)


def apply_ops(
    services: Serving, caller: CallerByKey, scene_id: SceneId, raw: RawBody, repetition: Once, _payer: EnginePayer
) -> Response:
    """Apply operations to the revision named by `baseRevision`, as one new revision; 409 when it is no longer the
    latest, with what changed since."""
    return repetition.once(lambda: _applied(services, caller, scene_id, raw))


def _applied(services: Serving, caller: CallerByKey, scene_id: str, raw: RawBody) -> Response:
    applied = services.scenes.apply(caller.account_id, scene_id, raw)
    return json_response(
        {
            "sceneId": applied.scene_id,
            "revision": applied.revision,
            "applied": applied.applied,
            "changedElementIds": list(applied.changed_ids),
            "diagnostics": wire_form(applied.diagnostics),
        }
    )


def restore_revision(
    services: Serving, caller: CallerByKey, scene_id: SceneId, body: Restoration, _payer: EnginePayer
) -> Response:
    """Make the document of an earlier revision a new one, with the places that its elements had; 409 when
    `baseRevision` is no longer the latest."""
    restored = services.scenes.restore(caller.account_id, scene_id, body.get("revision"), body.get("baseRevision"))
    return json_response(
        {
            "sceneId": restored.scene_id,
            "revision": restored.revision,
            "restoredRevision": restored.restored_revision,
            "changedElementIds": list(restored.changed_ids),
        }
    )
