"""Submissions to support, for owners and supporters."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Path, Request
from starlette.responses import Response

from scenograph.http.answers import json_response, site_of, timestamp
from scenograph.http.endpoints.listings import Cursor, Limit
from scenograph.http.guards import CallerByKey, EnginePayer, Serving, SharedScene, closed_object
from scenograph.http.request_bodies import SUBMISSION
from scenograph.scene.json_values import JsonObject
from scenograph.service.cursors import DEFAULT_PAGE
from scenograph.storage.interface import SubmissionEntry

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
