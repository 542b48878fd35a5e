"""Roles of others on scenes."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Path
from starlette.responses import Response

from scenograph.http.answers import json_response, timestamp
from scenograph.http.guards import Serving, SharedScene, closed_object
from scenograph.http.request_bodies import GRANT
from scenograph.scene.json_values import JsonObject
from scenograph.storage.interface import Grant

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


def end_grant(services: Serving, scene: SharedScene, grantee: Grantee) -> Response:
    """End a grant: at once, also for open event streams and for edits in progress."""
    name = services.sharing.end(scene.owner, scene.scene_id, grantee)
    return json_response({"sceneId": scene.scene_id, "ended": True, **_names(name)})


def _grant(grant: Grant) -> dict[str, Any]:
    return {**_names(grant.grantee), "role": grant.role, "grantedAt": timestamp(grant.granted_at)}


def _names(grantee: str) -> dict[str, str | None]:
    is_address = "@" in grantee
    return {"accountId": None if is_address else grantee, "email": grantee if is_address else None}
