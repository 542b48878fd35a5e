"""Sources of other tools: read into documents, and followed by stored scenes."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Query, Request
from starlette.responses import Response

from scenograph.http.answers import json_response
from scenograph.http.endpoints.scenes import SceneId
from scenograph.http.guards import CallerByKey, RenderSlot, Serving, closed_object, most_elements
from scenograph.http.request_bodies import IMPORT, SYNC
from scenograph.scene.json_values import JsonObject
from scenograph.service.errors import ServiceError

ImportBody = Annotated[JsonObject, Depends(closed_object(IMPORT))]
SyncBody = Annotated[JsonObject, Depends(closed_object(SYNC))]
PageNumber = Annotated[int | None, Query(alias="page", ge=1, description="The same as the body's `page`.")]


def import_source(
    request: Request, services: Serving, _slot: RenderSlot, body: ImportBody, page: PageNumber = None
) -> Response:
    """Read Mermaid or SQL into a document; nothing is kept. What a scene has no form for, and what could not be read,
    is told by IMPORT_LOSS with its line; the rest is imported."""
    imported = services.sources.read(_on_page(body, page), most_elements(request, services))
    return json_response({"scene": imported.document, "diagnostics": list(imported.diagnostics)})


def sync_scene(
    services: Serving,
    caller: CallerByKey,
    scene_id: SceneId,
    _slot: RenderSlot,
    body: SyncBody,
    page: PageNumber = None,
) -> Response:
    """Carry a scene to what its source now says. Places, styles, icons and what people added stay; nothing is removed
    while a part of the source was not understood, unless `prune` asks for it."""
    done = services.sources.sync(caller.account_id, scene_id, _on_page(body, page))
    return json_response(
        {
            "sceneId": done.scene_id,
            "revision": done.revision,
            "applied": done.applied,
            "ops": list(done.ops),
            "diagnostics": list(done.diagnostics),
        }
    )


def _on_page(body: JsonObject, page: int | None) -> JsonObject:
    """A body with the page that its address names. invalid_request where both name one, and not the same."""
    if page is None or body.get("page", page) == page:
        return body if page is None else {**body, "page": page}
    raise ServiceError("invalid_request", "page stands in the address and in the body, with two values.")
