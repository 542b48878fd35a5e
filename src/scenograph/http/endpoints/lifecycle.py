"""Deleting, restoring, publishing and hiding scenes."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request
from starlette.responses import Response

from scenograph.http.answers import json_response, site_of, timestamp
from scenograph.http.guards import CallerByKey, Serving, SharedScene

RECOVERY_NOTE = "It can be restored within 24 hours; then it is removed for good."

ThemeName = Annotated[str | None, Query(description="A theme's name; left out, the canvas background chooses.")]


def delete_scene(services: Serving, scene: SharedScene) -> Response:
    """Delete a scene. It can be restored within 24 hours; its public address dies at once. At most ten deletions a
    minute."""
    services.lifecycle.delete(scene.owner, scene.scene_id)
    return json_response({"deleted": True, "sceneId": scene.scene_id, "soft": True, "note": RECOVERY_NOTE})


def undelete_scene(services: Serving, scene: SharedScene) -> Response:
    """Restore a deleted scene with its revisions, as a private scene."""
    revision = services.lifecycle.undelete(scene.owner, scene.scene_id)
    return json_response({"restored": True, "sceneId": scene.scene_id, "revision": revision})


def list_deleted_scenes(services: Serving, caller: CallerByKey) -> Response:
    """The caller's deleted scenes within recovery, the latest deletion first."""
    items = [
        {
            "sceneId": item.scene.scene_id,
            "title": item.scene.title,
            "deletedAt": timestamp(item.scene.deleted_at),
            "expiresAt": timestamp(item.expires_at),
        }
        for item in services.lifecycle.recoverable(caller.account_id)
    ]
    return json_response({"items": items})


def publish_scene(request: Request, services: Serving, scene: SharedScene) -> Response:
    """Show the latest revision of a scene to everybody at a public address."""
    made = services.lifecycle.publish(scene.owner, scene.scene_id)
    return json_response(
        {
            "sceneId": scene.scene_id,
            "privacyStatus": "public",
            "madePublicAt": timestamp(made),
            "publicUrl": f"{site_of(request, services.public_site)}/s/{scene.scene_id}",
        }
    )


def make_scene_private(services: Serving, scene: SharedScene) -> Response:
    """Hide a scene: its public address dies at once, a submission to support is withdrawn."""
    services.lifecycle.make_private(scene.owner, scene.scene_id)
    return json_response({"sceneId": scene.scene_id, "privacyStatus": "private"})
