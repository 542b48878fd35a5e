"""Every address of the service: method, path, authorization, reply (R-HTTP-1). A fixed path precedes a path with
variables, which would match it as an id."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any

from pydantic import BaseModel

from scenograph.http import bodies
from scenograph.http.bodies import (
    BATCH,
    COMMENT,
    COMMENT_REPLY,
    GRANT,
    IMPORT,
    INLINE_RENDER,
    MAILED_TOKEN,
    NEW_ACCOUNT,
    NEW_KEY,
    PUBLISHED_RENDER,
    RESOLUTION,
    RESTORATION,
    SCENE,
    SIGN_IN,
    SIGN_OUT,
    STORED_RENDER,
    SUBMISSION,
    SYNC,
    WHEREABOUTS,
    RequestBody,
)
from scenograph.http.endpoints import accounts, documents, health, lifecycle, public_pages, scenes, sharing
from scenograph.late_dataclasses import dataclass
from scenograph.service.people import OWNER
from scenograph.storage.interface import COMMENTER, EDITOR, VIEWER
from scenograph.wire.formats import BY_MEDIA_TYPE, PNG, SVG


class Auth(Enum):
    """Whether a route asks for a key."""

    KEY = "key"
    OPEN = "open"


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """A row.

    `reply` is the form of the success, `refusals` are its possible error codes. `also` lists further media types of the
    success besides `media_type`. Refusals of the statuses in `pages` may be HTML. Calls are counted unless `limited` is
    False, those of a `page` for their network, those of a `frequent` route apart. `repeatable` routes take an
    Idempotency-Key. A route that `writes` may wait for the store, in a thread pool apart from readers. `needs` is the
    least role on the scene of the address.
    """

    method: str
    path: str
    auth: Auth
    handler: Callable[..., Any]
    summary: str
    tag: str
    reply: type[BaseModel] | None = None
    status: int = 200
    request: RequestBody | None = None
    refusals: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    media_type: str = "application/json"
    pages: tuple[int, ...] = ()
    unchanged: bool = False
    limited: bool = True
    page: bool = False
    writes: bool = False
    repeatable: bool = False
    frequent: bool = False
    needs: str | None = None


_STORE = ("storage_unavailable",)
_ENGINE = ("overloaded", "render_timeout", "render_failed")
_BODY = ("invalid_json", "invalid_request", "request_timeout", "body_too_large", "unsupported_media_type", *_ENGINE)
_PUBLIC = ("invalid_request", "scene_not_found", *_ENGINE, *_STORE)
_PICTURES = tuple(BY_MEDIA_TYPE)

# fmt: off
ROUTES: tuple[Route, ...] = (
    Route(method="GET", path="/health", auth=Auth.OPEN, handler=health.health, tag="service",
          summary="Liveness check", reply=bodies.Health, limited=False),
    Route(method="GET", path="/ready", auth=Auth.OPEN, handler=health.ready, tag="service",
          summary="Readiness check", reply=bodies.Ready, refusals=("overloaded", *_STORE), limited=False),
    Route(method="GET", path="/metrics", auth=Auth.OPEN, handler=health.metrics, tag="service",
          summary="Metrics for Prometheus", media_type="text/plain"),
    Route(method="GET", path="/v1/icons", auth=Auth.OPEN, handler=documents.list_icons, tag="documents",
          summary="Find icons", reply=bodies.IconsFound, unchanged=True, refusals=("invalid_request",)),
    Route(method="GET", path="/schemas/scene.schema.json", auth=Auth.OPEN, handler=documents.scene, tag="schemas",
          summary="JSON Schema of a scene document", reply=bodies.JsonSchema, unchanged=True),
    Route(method="GET", path="/schemas/ops.schema.json", auth=Auth.OPEN, handler=documents.ops, tag="schemas",
          summary="JSON Schema of a batch of operations", reply=bodies.JsonSchema, unchanged=True),
    Route(method="GET", path="/schemas/draft-07/scene.schema.json", auth=Auth.OPEN, handler=documents.scene_draft_07,
          tag="schemas", summary="JSON Schema of a scene document, draft 07", reply=bodies.JsonSchema, unchanged=True),
    Route(method="GET", path="/schemas/draft-07/ops.schema.json", auth=Auth.OPEN, handler=documents.ops_draft_07,
          tag="schemas", summary="JSON Schema of a batch of operations, draft 07", reply=bodies.JsonSchema,
          unchanged=True),
    Route(method="POST", path="/v1/scenes/validate", auth=Auth.OPEN, handler=documents.validate_scene, tag="documents",
          summary="Validate a document", reply=bodies.SceneValidated, request=SCENE,
          refusals=(*_BODY, "scene_too_large")),
    Route(method="POST", path="/v1/scenes/normalize", auth=Auth.OPEN, handler=documents.normalize_scene,
          tag="documents", summary="Normalize a document", reply=bodies.SceneNormalized, request=SCENE,
          refusals=(*_BODY, "scene_too_large", "validation_failed", *_ENGINE)),
    Route(method="POST", path="/v1/scenes/import", auth=Auth.OPEN, handler=scenes.import_source, tag="documents",
          summary="Read another tool's source", reply=bodies.SourceImported, request=IMPORT,
          refusals=(*_BODY, "scene_too_large", "unreadable_source", "validation_failed", *_ENGINE)),
    Route(method="POST", path="/v1/scenes/render", auth=Auth.OPEN, handler=documents.render_inline, tag="documents",
          summary="Render a document", reply=bodies.SceneRendered, request=INLINE_RENDER,
          refusals=(*_BODY, "format_not_available", "scene_too_large", "validation_failed", *_ENGINE), also=_PICTURES),
    Route(method="POST", path="/v1/scenes",
          writes=True, auth=Auth.KEY, handler=scenes.create_scene, tag="scenes",
          summary="Create a scene", reply=bodies.SceneCreated, status=201, request=SCENE,
          refusals=(*_BODY, "scene_exists", "scene_recently_deleted", "quota_exceeded", "validation_failed", *_STORE),
          repeatable=True),
    Route(method="GET", path="/v1/scenes/{sceneId}", auth=Auth.KEY, handler=scenes.read_scene, tag="scenes",
          needs=VIEWER, summary="Read a scene", reply=bodies.SceneRead, unchanged=True,
          refusals=("invalid_request", "scene_not_found", "revision_not_found", *_ENGINE, *_STORE)),
    Route(method="POST", path="/v1/scenes/{sceneId}/applyOps",
          writes=True, auth=Auth.KEY, handler=scenes.apply_ops, needs=EDITOR, tag="scenes",
          summary="Apply operations", reply=bodies.OpsApplied, request=BATCH,
          refusals=(*_BODY, "scene_not_found", "revision_conflict", "quota_exceeded", "validation_failed", *_ENGINE,
                    *_STORE),
          repeatable=True),
    Route(method="POST", path="/v1/scenes/{sceneId}/sync",
          writes=True, auth=Auth.KEY, handler=scenes.sync_scene, needs=EDITOR, tag="scenes",
          summary="Follow a source", reply=bodies.SceneSynchronized, request=SYNC,
          refusals=(*_BODY, "scene_not_found", "revision_conflict", "quota_exceeded", "unreadable_source",
                    "validation_failed", *_ENGINE, *_STORE)),
    Route(method="POST", path="/v1/scenes/{sceneId}/restore",
          writes=True, auth=Auth.KEY, handler=scenes.restore_revision, needs=EDITOR,
          tag="scenes", summary="Restore a revision", reply=bodies.RevisionRestored, request=RESTORATION,
          refusals=(*_BODY, "scene_not_found", "revision_conflict", "revision_not_found", "quota_exceeded", *_STORE)),
    Route(method="POST", path="/v1/scenes/{sceneId}/render", auth=Auth.KEY, handler=documents.render_stored,
          needs=VIEWER, tag="scenes", summary="Render a scene", reply=bodies.SceneRendered, request=STORED_RENDER,
          also=_PICTURES,
          refusals=(*_BODY, "format_not_available", "email_not_verified", "scene_not_found", "revision_not_found",
                    *_ENGINE, *_STORE)),
    Route(method="GET", path="/v1/scenes", auth=Auth.KEY, handler=scenes.list_scenes, tag="scenes",
          summary="List scenes", reply=bodies.SceneList, unchanged=True, refusals=("invalid_request", *_STORE)),
    Route(method="GET", path="/v1/scenes/{sceneId}/revisions", auth=Auth.KEY, handler=scenes.list_revisions,
          needs=VIEWER, tag="scenes", summary="List revisions", reply=bodies.RevisionList, unchanged=True,
          refusals=("invalid_request", "scene_not_found", *_STORE)),
    Route(method="GET", path="/v1/scenes/{sceneId}/events", auth=Auth.KEY, handler=scenes.watch_scene, tag="scenes",
          needs=VIEWER, summary="Watch a scene", media_type="text/event-stream",
          refusals=("invalid_request", "scene_not_found", *_STORE)),
    Route(method="POST", path="/v1/scenes/{sceneId}/presence", auth=Auth.KEY, handler=scenes.tell_whereabouts,
          needs=VIEWER, tag="scenes", summary="Tell where one is", reply=bodies.WhereaboutsTold, request=WHEREABOUTS,
          refusals=(*_BODY, "scene_not_found", *_STORE), frequent=True),
    Route(method="GET", path="/v1/scenes/{sceneId}/diff", auth=Auth.KEY, handler=scenes.diff_scene, tag="scenes",
          needs=VIEWER, summary="Compare revisions", reply=bodies.SceneDiff, unchanged=True,
          refusals=("invalid_request", "scene_not_found", "revision_not_found", *_ENGINE, *_STORE)),
    Route(method="DELETE", path="/v1/scenes/{sceneId}",
          writes=True, auth=Auth.KEY, handler=lifecycle.delete_scene, needs=OWNER,
          tag="lifecycle", summary="Delete a scene", reply=bodies.SceneDeleted,
          refusals=("scene_not_found", "rate_limited", *_STORE)),
    Route(method="POST", path="/v1/scenes/{sceneId}/undelete",
          writes=True, auth=Auth.KEY, handler=lifecycle.undelete_scene, needs=OWNER,
          tag="lifecycle", summary="Restore a deleted scene", reply=bodies.SceneRestored,
          refusals=("scene_not_found", "scene_not_deleted", "quota_exceeded", *_STORE)),
    Route(method="GET", path="/v1/deleted-scenes", auth=Auth.KEY, handler=lifecycle.list_deleted_scenes,
          tag="lifecycle", summary="List deleted scenes", reply=bodies.DeletedSceneList, refusals=_STORE),
    Route(method="POST", path="/v1/scenes/{sceneId}/publish",
          writes=True, auth=Auth.KEY, handler=lifecycle.publish_scene, needs=OWNER,
          tag="lifecycle", summary="Publish a scene", reply=bodies.ScenePublished,
          refusals=("scene_not_found", "scene_in_support", "public_id_taken", *_STORE)),
    Route(method="POST", path="/v1/scenes/{sceneId}/make-private",
          writes=True, auth=Auth.KEY,
          handler=lifecycle.make_scene_private, needs=OWNER, tag="lifecycle", summary="Make a scene private",
          reply=bodies.SceneMadePrivate, refusals=("scene_not_found", *_STORE)),
    Route(method="GET", path="/v1/scenes/{sceneId}/grants", auth=Auth.KEY, handler=sharing.list_grants, needs=OWNER,
          tag="sharing", summary="List grants", reply=bodies.GrantList, refusals=("scene_not_found", *_STORE)),
    Route(method="DELETE", path="/v1/scenes/{sceneId}/grants/me",
          writes=True, auth=Auth.KEY, handler=sharing.leave_scene, needs=VIEWER, tag="sharing",
          summary="Leave a shared scene", reply=bodies.GrantEnded,
          refusals=("invalid_request", "scene_not_found", *_STORE)),
    Route(method="PUT", path="/v1/scenes/{sceneId}/grants/{grantee}",
          writes=True, auth=Auth.KEY, handler=sharing.grant_role, needs=OWNER, tag="sharing",
          summary="Share a scene", reply=bodies.GrantMade, request=GRANT,
          refusals=(*_BODY, "scene_not_found", "not_found", "quota_exceeded", *_STORE)),
    Route(method="DELETE", path="/v1/scenes/{sceneId}/grants/{grantee}",
          writes=True, auth=Auth.KEY, handler=sharing.end_grant, needs=OWNER, tag="sharing",
          summary="End a grant", reply=bodies.GrantEnded,
          refusals=("invalid_request", "scene_not_found", "not_found", *_STORE)),
    Route(method="GET", path="/v1/scenes/{sceneId}/comments", auth=Auth.KEY, handler=sharing.list_comments,
          needs=VIEWER, tag="comments", summary="List comments", reply=bodies.ThreadList,
          refusals=("invalid_request", "scene_not_found", *_STORE)),
    Route(method="POST", path="/v1/scenes/{sceneId}/comments",
          writes=True, auth=Auth.KEY, handler=sharing.add_comment, needs=COMMENTER, tag="comments",
          summary="Comment", reply=bodies.ThreadBody, status=201, request=COMMENT,
          refusals=(*_BODY, "scene_not_found", "revision_not_found", "quota_exceeded", *_STORE),
          repeatable=True),
    Route(method="POST", path="/v1/scenes/{sceneId}/comments/{commentId}/replies",
          writes=True, auth=Auth.KEY, handler=sharing.reply_to_comment, needs=COMMENTER, tag="comments",
          summary="Reply to a comment", reply=bodies.CommentBody, status=201, request=COMMENT_REPLY,
          refusals=(*_BODY, "scene_not_found", "not_found", "quota_exceeded", *_STORE),
          repeatable=True),
    Route(method="PATCH", path="/v1/scenes/{sceneId}/comments/{commentId}",
          writes=True, auth=Auth.KEY, handler=sharing.resolve_comment, needs=COMMENTER, tag="comments",
          summary="Resolve a thread", reply=bodies.ThreadBody, request=RESOLUTION,
          refusals=(*_BODY, "scene_not_found", "not_found", *_STORE)),
    Route(method="DELETE", path="/v1/scenes/{sceneId}/comments/{commentId}",
          writes=True, auth=Auth.KEY, handler=sharing.delete_comment, needs=VIEWER, tag="comments",
          summary="Delete a comment", reply=bodies.CommentDeleted,
          refusals=("scene_not_found", "not_found", "role_forbidden", *_STORE)),
    Route(method="GET", path="/v1/public/scenes/{id}", auth=Auth.OPEN, handler=public_pages.read_public_scene,
          tag="lifecycle", summary="Read a published scene", reply=bodies.PublicScene,
          refusals=("invalid_request", "scene_not_found", *_ENGINE, *_STORE)),
    Route(method="POST", path="/v1/public/scenes/{id}/render", auth=Auth.OPEN, handler=documents.render_published,
          tag="lifecycle", summary="Render a published scene", reply=bodies.SceneRendered, request=PUBLISHED_RENDER,
          refusals=(*_BODY, "format_not_available", "scene_not_found", *_ENGINE, *_STORE), also=_PICTURES),
    Route(method="GET", path="/s/{id}.svg", auth=Auth.OPEN, handler=public_pages.show_svg, tag="lifecycle",
          summary="Picture of a published scene as SVG", refusals=_PUBLIC, media_type=SVG.media_type,
          also=("text/html",), pages=(400, 404), limited=False,
          page=True),
    Route(method="GET", path="/s/{id}.png", auth=Auth.OPEN, handler=public_pages.show_png, tag="lifecycle",
          summary="Picture of a published scene as PNG", refusals=_PUBLIC, media_type=PNG.media_type,
          also=("text/html",), pages=(400, 404), limited=False,
          page=True),
    Route(method="GET", path="/s/{id}", auth=Auth.OPEN, handler=public_pages.show_page, tag="lifecycle",
          summary="Page of a published scene", refusals=_PUBLIC, media_type="text/html",
          pages=(400, 404), limited=False, page=True),
    Route(method="GET", path="/s/{id}/preview.png", auth=Auth.OPEN, handler=public_pages.show_preview, tag="lifecycle",
          summary="Preview of a published scene", refusals=_PUBLIC, media_type="image/png",
          also=("text/html",), pages=(400, 404), limited=False,
          page=True),
    Route(method="GET", path="/s/{id}/embed", auth=Auth.OPEN, handler=public_pages.show_embed, tag="lifecycle",
          summary="Frame of a published scene", refusals=_PUBLIC, media_type="text/html",
          pages=(400, 404), limited=False, page=True),
    Route(method="GET", path="/oembed", auth=Auth.OPEN, handler=public_pages.describe_embed, tag="lifecycle",
          summary="How to embed a published scene", reply=public_pages.Embedding,
          refusals=("invalid_request", "not_implemented", "scene_not_found", *_STORE)),
    Route(method="POST", path="/v1/scenes/{sceneId}/support",
          writes=True, auth=Auth.KEY, handler=lifecycle.submit_to_support, needs=OWNER,
          tag="support", summary="Submit a scene to support", reply=bodies.SceneSubmitted, request=SUBMISSION,
          refusals=(*_BODY, "scene_not_found", "overloaded", *_STORE)),
    Route(method="GET", path="/v1/scenes/{sceneId}/support/views", auth=Auth.KEY,
          handler=lifecycle.list_support_views, needs=OWNER, tag="support", summary="List support's views of a scene",
          reply=bodies.SupportViewList, refusals=("scene_not_found", *_STORE)),
    Route(method="GET", path="/v1/support/scenes", auth=Auth.KEY, handler=lifecycle.list_submissions, tag="support",
          summary="List submissions", reply=bodies.SubmissionList,
          refusals=("invalid_request", "forbidden", *_STORE)),
    Route(method="GET", path="/v1/support/scenes/{submissionId}", auth=Auth.KEY, handler=lifecycle.read_submission,
          tag="support", summary="Read a submission", reply=bodies.SubmissionRead,
          refusals=("forbidden", "not_found", *_STORE)),
    Route(method="POST", path="/v1/accounts",
          writes=True, auth=Auth.OPEN, handler=accounts.open_account, tag="accounts",
          summary="Sign up", reply=bodies.AccountOpened, status=202, request=NEW_ACCOUNT,
          refusals=(*_BODY, "forbidden", *_STORE)),
    Route(method="POST", path="/v1/accounts/verify",
          writes=True, auth=Auth.OPEN, handler=accounts.verify_account, tag="accounts",
          summary="Verify an account", reply=bodies.AccountVerified, request=MAILED_TOKEN,
          refusals=(*_BODY, "invalid_token", *_STORE)),
    Route(method="POST", path="/v1/accounts/resend",
          writes=True, auth=Auth.KEY, handler=accounts.mail_again, tag="accounts",
          summary="Send another mail", reply=bodies.AccountMailed, status=202,
          refusals=("email_already_verified", *_STORE)),
    Route(method="GET", path="/accounts/verify", auth=Auth.OPEN, handler=accounts.show_verification, tag="accounts",
          summary="Page of a mailed link", media_type="text/html", refusals=("invalid_token",), pages=(400,)),
    Route(method="POST", path="/accounts/verify",
          writes=True, auth=Auth.OPEN, handler=accounts.confirm_verification,
          tag="accounts", summary="Confirm on the page of a mailed link", media_type="text/html",
          refusals=("invalid_token", *_STORE), pages=(400,)),
    Route(method="GET", path="/v1/account", auth=Auth.KEY, handler=accounts.read_account, tag="accounts",
          summary="Read the account", reply=bodies.AccountRead, refusals=_STORE),
    Route(method="POST", path="/v1/sign-in",
          writes=True, auth=Auth.OPEN, handler=accounts.ask_for_link, tag="accounts",
          summary="Ask for a link that signs in", reply=bodies.LinkAskedFor, status=202, request=SIGN_IN,
          refusals=(*_BODY, "forbidden", *_STORE)),
    Route(method="GET", path="/v1/oidc/start",
          writes=True, auth=Auth.OPEN, handler=accounts.begin_organization_sign_in, tag="accounts", status=303,
          summary="Sign in with the organization", media_type="text/html",
          refusals=("invalid_request", "not_found", "sign_in_unavailable", *_STORE)),
    Route(method="GET", path="/v1/oidc/callback",
          writes=True, auth=Auth.OPEN, handler=accounts.finish_organization_sign_in, tag="accounts", status=303,
          summary="Come back from the organization", media_type="text/html",
          refusals=("invalid_token", "sign_in_failed", "account_suspended", "not_found", *_STORE), pages=(400, 403)),
    Route(method="POST", path="/v1/sign-out",
          writes=True, auth=Auth.KEY, handler=accounts.sign_out, tag="accounts",
          summary="Sign out", reply=bodies.SignedOut, request=SIGN_OUT, refusals=(*_BODY, *_STORE)),
    Route(method="GET", path="/accounts/sign-in", auth=Auth.OPEN, handler=accounts.show_sign_in, tag="accounts",
          summary="Page of a link that signs in", media_type="text/html", refusals=("invalid_token",), pages=(400,)),
    Route(method="POST", path="/accounts/sign-in",
          writes=True, auth=Auth.OPEN, handler=accounts.confirm_sign_in, tag="accounts", status=303,
          summary="Sign in on the page of a link", media_type="text/html",
          refusals=("invalid_token", "account_suspended", "forbidden", *_STORE), pages=(400, 403)),
    Route(method="GET", path="/v1/auth/keys", auth=Auth.KEY, handler=accounts.list_keys, tag="keys",
          summary="List API keys", reply=bodies.KeyList, refusals=_STORE),
    Route(method="DELETE", path="/v1/auth/keys/{keyId}",
          writes=True, auth=Auth.KEY, handler=accounts.revoke_key, tag="keys",
          summary="Revoke an API key", reply=bodies.KeyRevoked, refusals=("not_found", *_STORE)),
    Route(method="POST", path="/v1/auth/keys",
          writes=True, auth=Auth.KEY, handler=accounts.create_key, tag="keys",
          summary="Create an API key", reply=bodies.KeyCreated, status=201, request=NEW_KEY,
          refusals=(*_BODY, "quota_exceeded", *_STORE)),
)
# fmt: on

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
DOOR_REFUSALS = ("headers_too_large", "misdirected_request", "overloaded")
LOCAL_REFUSALS = ("forbidden",)  # without keys, and with a session: pages of other origins
KEY_REFUSALS = ("missing_api_key", "invalid_api_key", "session_ended", "account_suspended", *_STORE)
LIMIT_REFUSALS = ("rate_limited",)
ROLE_REFUSALS = ("role_forbidden",)
REPETITION_REFUSALS = ("idempotency_in_progress", "idempotency_mismatch")


def refusals_of(route: Route) -> tuple[str, ...]:
    """Every possible error code of a route, guards included."""
    guards = (
        (True, DOOR_REFUSALS),
        (route.auth is Auth.KEY, KEY_REFUSALS),
        (route.auth is Auth.KEY and route.method not in SAFE_METHODS, LOCAL_REFUSALS),
        (route.needs not in (None, VIEWER), ROLE_REFUSALS),
        (route.limited or route.page, LIMIT_REFUSALS),
        (route.repeatable, REPETITION_REFUSALS),
    )
    return tuple(dict.fromkeys((*route.refusals, *(code for on, codes in guards if on for code in codes))))


def methods_by_path(routes: tuple[Route, ...]) -> Mapping[str, tuple[Route, ...]]:
    """The routes of each path, in the order of the table."""
    found: dict[str, tuple[Route, ...]] = {}
    for route in routes:
        found[route.path] = (*found.get(route.path, ()), route)
    return found
