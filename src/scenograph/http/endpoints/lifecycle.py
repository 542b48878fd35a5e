"""Deleting, restoring, publishing and hiding scenes, and submissions to support."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Path, Query, Request
from starlette.responses import Response

from scenograph.http.answers import json_response, site_of, timestamp
from scenograph.http.bodies import SUBMISSION
from scenograph.http.endpoints.scenes import Cursor, Limit
from scenograph.http.guards import CallerByKey, EnginePayer, Serving, SharedScene, closed_object
from scenograph.scene.json_values import JsonObject
from scenograph.service.paging import DEFAULT_PAGE
from scenograph.storage.interface import SubmissionEntry

# Deleting, restoring, publishing and hiding scenes.

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


# Submissions to support, for owners and supporters.

Submission = Annotated[JsonObject, Depends(closed_object(SUBMISSION))]
SubmissionId = Annotated[str, Path(alias="submissionId", description="An id of the list.")]


def submit_to_support(
    request: Request,
    services: Serving,
    scene: SharedScene,
    body: Submission,
    _payer: EnginePayer,
) -> Response:
    """Submit a snapshot of the latest revision to support. With `anonymize` every text, id and picture in the snapshot
    is replaced before storage."""
    done = services.support.submit(scene.owner, scene.scene_id, body.get("problem"), body.get("anonymize", False))
    return json_response(
        {
            "sceneId": scene.scene_id,
            "privacyStatus": "support",
            "supportSubmittedAt": timestamp(done.submitted_at),
            "supportAnonymized": done.anonymized,
            "auditUrl": f"{site_of(request, services.public_site)}/v1/scenes/{scene.scene_id}/support/views",
        }
    )


def list_support_views(services: Serving, scene: SharedScene) -> Response:
    """Who of support looked at the scene and when, the latest first."""
    views = services.support.views(scene.owner, scene.scene_id)
    return json_response({"items": [{"viewedAt": timestamp(view.viewed_at), "viewer": view.viewer} for view in views]})


def list_submissions(
    services: Serving, caller: CallerByKey, limit: Limit = DEFAULT_PAGE, cursor: Cursor = None
) -> Response:
    """Submissions, the latest first, in pages. Requires the support role; the view is logged."""
    page = services.support.submissions(caller, limit, cursor)
    items = [_submission(entry) for entry in page.items]
    return json_response({"items": items, "nextCursor": page.next_cursor})


def read_submission(services: Serving, caller: CallerByKey, submission_id: SubmissionId) -> Response:
    """A submission. Requires the support role; the view is logged for the scene's owner."""
    found = services.support.submission(caller, submission_id)
    return json_response({**_submission(found.entry), "scene": found.document})


def _submission(entry: SubmissionEntry) -> dict[str, Any]:
    return {
        "submissionId": entry.id,
        "submittedAt": timestamp(entry.submitted_at),
        "anonymized": entry.anonymized,
        "problem": entry.problem,
    }
