"""Stored scenes: create, read, edit."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Path, Query, Request
from starlette.responses import Response

from scenograph.diagnostics import Diagnostic
from scenograph.http.answers import json_response, tagged_response, timestamp
from scenograph.http.guards import Body, CallerByKey, Serving
from scenograph.http.repetition import Once

MAX_REVISION = 2**53 - 1  # the largest integer that every JSON reader keeps exact

SceneId = Annotated[str, Path(alias="sceneId", description="The scene's id.", examples=["checkout"])]
Revision = Annotated[int | None, Query(ge=1, le=MAX_REVISION, description="A revision; the latest by default.")]


def create_scene(services: Serving, caller: CallerByKey, body: Body, repetition: Once) -> Response:
    """Keep a scene document as revision 1. Its `scene.id` becomes the scene's id."""
    return repetition.once(lambda: _created(services, caller, body))


def _created(services: Serving, caller: CallerByKey, body: Body) -> Response:
    created = services.scenes.create(caller.account_id, body)
    reply = {"sceneId": created.scene_id, "revision": created.revision, "diagnostics": _rows(created.diagnostics)}
    return json_response(reply, status=201)


def read_scene(
    request: Request, services: Serving, caller: CallerByKey, scene_id: SceneId, revision: Revision = None
) -> Response:
    """One revision of a scene as authored. `If-None-Match` with an earlier reply's ETag gives 304 while it holds."""
    read = services.scenes.read(caller.account_id, scene_id, revision)
    return tagged_response(
        request,
        {
            "sceneId": read.scene_id,
            "revision": read.revision,
            "scene": read.document,
            "privacyStatus": read.privacy,
            "createdAt": timestamp(read.created_at),
        },
    )


def apply_ops(services: Serving, caller: CallerByKey, scene_id: SceneId, body: Body, repetition: Once) -> Response:
    """Apply operations to the revision named by `baseRevision`, as one new revision; 409 when it is no longer the
    latest, with what changed since."""
    return repetition.once(lambda: _applied(services, caller, scene_id, body))


def _applied(services: Serving, caller: CallerByKey, scene_id: str, body: Body) -> Response:
    applied = services.scenes.apply(caller.account_id, scene_id, body)
    return json_response(
        {
            "sceneId": applied.scene_id,
            "revision": applied.revision,
            "applied": applied.applied,
            "changedElementIds": list(applied.changed_ids),
            "diagnostics": _rows(applied.diagnostics),
        }
    )


def _rows(diagnostics: tuple[Diagnostic, ...]) -> list[dict[str, Any]]:
    return [row.as_json() for row in diagnostics]
