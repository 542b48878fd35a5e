"""Roles of others on scenes, and comments."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Path, Query
from starlette.responses import Response

from scenograph.http.answers import author_body, json_response, timestamp
from scenograph.http.bodies import COMMENT, COMMENT_REPLY, GRANT, RESOLUTION
from scenograph.http.endpoints.scenes import Cursor, Limit
from scenograph.http.guards import Serving, SharedScene, closed_object
from scenograph.http.written import Once
from scenograph.scene.json_values import JsonObject
from scenograph.service.paging import DEFAULT_PAGE
from scenograph.storage.interface import Comment, Grant, ThreadFilter

Granted = Annotated[JsonObject, Depends(closed_object(GRANT))]
Grantee = Annotated[
    str,
    Path(max_length=400, description="An account's id, or a mail address.", examples=["bob@example.org"]),
]


def list_grants(services: Serving, scene: SharedScene) -> Response:
    """Whom a scene is shared with, and in which roles, the earliest grant first."""
    items = [_grant(grant) for grant in services.sharing.grants(scene.owner, scene.scene_id)]
    return json_response({"sceneId": scene.scene_id, "items": items})


def grant_role(services: Serving, scene: SharedScene, grantee: Grantee, body: Granted) -> Response:
    """Share a scene with an account or a mail address, or change the role of a grant. A viewer reads, renders and
    exports, a commenter also comments, an editor also edits, syncs and restores. The grantees find it in their list and
    address it by `?owner=`. A grant to an address holds for whoever has verified it, now or later."""
    made = services.sharing.grant(scene.caller, scene.scene_id, grantee, body.get("role"))
    return json_response({"sceneId": scene.scene_id, **_grant(made)})


def leave_scene(services: Serving, scene: SharedScene) -> Response:
    """Leave a shared scene: every grant that reaches the caller ends, by account and by mail address. The scene is no
    longer in the caller's list; its owner can share it again."""
    services.sharing.leave(scene)
    return json_response({"sceneId": scene.scene_id, "ended": True, **_names(scene.caller.account_id)})


def end_grant(services: Serving, scene: SharedScene, grantee: Grantee) -> Response:
    """End a grant: at once, also for open event streams and for edits in progress. `remaining` are the other grants of
    the scene: who holds one by account and one by mail address loses the scene with both."""
    name, rest = services.sharing.end(scene.owner, scene.scene_id, grantee)
    remaining = [_grant(grant) for grant in rest]
    return json_response({"sceneId": scene.scene_id, "ended": True, **_names(name), "remaining": remaining})


def _grant(grant: Grant) -> dict[str, Any]:
    return {**_names(grant.grantee), "role": grant.role, "grantedAt": timestamp(grant.granted_at)}


def _names(grantee: str) -> dict[str, str | None]:
    is_address = "@" in grantee
    return {"accountId": None if is_address else grantee, "email": grantee if is_address else None}


Commented = Annotated[JsonObject, Depends(closed_object(COMMENT))]
Replied = Annotated[JsonObject, Depends(closed_object(COMMENT_REPLY))]
Resolved = Annotated[JsonObject, Depends(closed_object(RESOLUTION))]
CommentId = Annotated[str, Path(alias="commentId", description="A comment's id.", examples=["cmt_5f0c"])]


ResolvedOnes = Annotated[bool | None, Query(description="Only resolved threads (true), or only open ones (false).")]
OnElement = Annotated[str | None, Query(alias="elementId", max_length=128, description="Only threads on this element.")]


def list_comments(
    services: Serving,
    scene: SharedScene,
    *,
    limit: Limit = DEFAULT_PAGE,
    cursor: Cursor = None,
    resolved: ResolvedOnes = None,
    element_id: OnElement = None,
) -> Response:
    """The threads of a scene, resolved ones included, the earliest first, in pages."""
    wanted = ThreadFilter(resolved=resolved, element_id=element_id)
    page = services.commenting.threads(scene, limit, cursor, wanted)
    items = [_thread(first, *replies) for first, *replies in page.items]
    return json_response({"items": items, "nextCursor": page.next_cursor})


def add_comment(services: Serving, scene: SharedScene, body: Commented, repetition: Once) -> Response:
    """Begin a thread on an element, at a place, or on the scene. Comments stand beside the document: no export, public
    page or submission to support holds one."""
    return repetition.once(lambda: json_response(_thread(services.commenting.add(scene, body)), status=201), scene)


def reply_to_comment(
    services: Serving, scene: SharedScene, comment_id: CommentId, body: Replied, repetition: Once
) -> Response:
    """Add to the thread that a comment began."""

    def replied() -> Response:
        return json_response(_comment(services.commenting.reply(scene, comment_id, body)), status=201)

    return repetition.once(replied, scene)


def resolve_comment(services: Serving, scene: SharedScene, comment_id: CommentId, body: Resolved) -> Response:
    """Resolve a thread, or open it again."""
    return json_response(_thread(services.commenting.resolve(scene, comment_id, body)))


def delete_comment(services: Serving, scene: SharedScene, comment_id: CommentId) -> Response:
    """Delete an own comment or, as the scene's owner, anybody's; the first of a thread with its replies."""
    services.commenting.delete(scene, comment_id)
    return json_response({"commentId": comment_id, "deleted": True})


def _comment(comment: Comment) -> dict[str, Any]:
    return {
        "commentId": comment.id,
        "author": {**(author_body(comment.author) or {}), "name": comment.author_email or comment.author.account_id},
        "text": comment.text,
        "createdAt": timestamp(comment.created_at),
        "revision": comment.revision,
    }


def _thread(first: Comment, *replies: Comment) -> dict[str, Any]:
    anchor, at = first.anchor, first.resolved_at
    return {
        **_comment(first),
        "elementId": anchor.element_id,
        "at": None if anchor.x is None else {"x": anchor.x, "y": anchor.y},
        "resolved": at is not None,
        "resolvedAt": None if at is None else timestamp(at),
        "resolvedBy": first.resolved_by,
        "replies": [_comment(reply) for reply in replies],
    }
