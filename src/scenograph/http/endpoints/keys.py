"""API keys."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Path
from starlette.responses import Response

from scenograph.http.answers import json_response, timestamp
from scenograph.http.guards import CallerByKey, Serving, closed_object
from scenograph.http.request_bodies import NEW_KEY
from scenograph.scene.json_values import JsonObject

NewKey = Annotated[JsonObject, Depends(closed_object(NEW_KEY))]
KeyId = Annotated[str, Path(alias="keyId", description="An id of the list.")]


def create_key(services: Serving, caller: CallerByKey, body: NewKey) -> Response:
    """Create a further key of the caller's account. The key is shown in this reply and never again."""
    made = services.keys.create(caller.account_id, body.get("name"))
    return json_response({"id": made.id, "key": made.key, "name": made.name}, status=201)


def list_keys(services: Serving, caller: CallerByKey) -> Response:
    """The keys of the caller's account, oldest first, without their secrets. `lastUsedAt` is true to a minute."""
    items = [
        {
            "id": key.id,
            "name": key.name,
            "createdAt": timestamp(key.created_at),
            "lastUsedAt": None if key.last_used_at is None else timestamp(key.last_used_at),
        }
        for key in services.keys.of_account(caller.account_id)
    ]
    return json_response({"items": items})


def revoke_key(services: Serving, caller: CallerByKey, key_id: KeyId) -> Response:
    """Revoke a key of the caller's account: it opens nothing any more, at once and for good."""
    services.keys.revoke(caller.account_id, key_id)
    return json_response({"id": key_id, "revoked": True})
