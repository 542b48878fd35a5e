"""Events of a scene, as they happen."""

from __future__ import annotations

from typing import Annotated, cast

from fastapi import Header, Request
from starlette.responses import Response

from scenograph.http.endpoints.scenes import MAX_REVISION, SceneId
from scenograph.http.event_streams import MEDIA_TYPE, EventStreams
from scenograph.http.guards import CallerByKey
from scenograph.http.metrics import ASKED_METHOD

LastEventId = Annotated[
    int | None,
    Header(ge=0, le=MAX_REVISION, description="The last revision that the caller knows; later ones are told at once."),
]


async def watch_scene(
    request: Request, caller: CallerByKey, scene_id: SceneId, last_event_id: LastEventId = None
) -> Response:
    """Server-sent events: `data: {"revision", "changedElementIds"}` within a second of every new revision, with the
    revision as the event's id. An event `closed` with a `reason` ends the stream: the key was revoked, the scene was
    deleted or is public no more, the server stops. At most STREAMS_PER_OWNER streams of one owner."""
    streams = cast("EventStreams", request.app.state.event_streams)
    if request.scope.get(ASKED_METHOD) == "HEAD":
        return Response(media_type=MEDIA_TYPE)
    return await streams.open(caller, scene_id, last_event_id)
