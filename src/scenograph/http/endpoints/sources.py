"""Sources of other tools: read into documents, and followed by stored scenes."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request
from starlette.responses import Response

from scenograph.http.answers import json_response
from scenograph.http.endpoints.scenes import SceneId
from scenograph.http.guards import CallerByKey, RenderSlot, Serving, admit_document, closed_object
from scenograph.http.request_bodies import IMPORT, SYNC
from scenograph.scene.json_values import JsonObject

ImportBody = Annotated[JsonObject, Depends(closed_object(IMPORT))]
SyncBody = Annotated[JsonObject, Depends(closed_object(SYNC))]


def import_source(request: Request, services: Serving, _slot: RenderSlot, body: ImportBody) -> Response:
    """Read Mermaid or SQL into a document; nothing is kept. What a scene has no form for, and what could not be read,
    is told by IMPORT_LOSS with its line; the rest is imported."""
    imported = services.sources.read(body)
    admit_document(request, services, imported.document)
    return json_response({"scene": imported.document, "diagnostics": list(imported.diagnostics)})


def sync_scene(
    services: Serving, caller: CallerByKey, scene_id: SceneId, _slot: RenderSlot, body: SyncBody
) -> Response:
    """Carry a scene to what its source now says. Places, styles, icons and what people added stay; nothing is removed
    while a part of the source was not understood, unless `prune` asks for it."""
    done = services.sources.sync(caller.account_id, scene_id, body)
    return json_response(
        {
            "sceneId": done.scene_id,
            "revision": done.revision,
            "applied": done.applied,
            "ops": list(done.ops),
            "diagnostics": list(done.diagnostics),
        }
    )
