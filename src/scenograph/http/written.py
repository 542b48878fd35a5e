"""The replies of writes: completed after the commit with places and a picture, and the first answer for a repeated
request."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Annotated, Any

from anyio.to_thread import run_sync
from fastapi import Depends, Header, Query, Request
from starlette.responses import Response

from scenograph.http.answers import NOT_STORED, json_response, reply_with
from scenograph.http.engine_turns import engine_turn
from scenograph.http.guards import CallerByKey, Serving, raw_body
from scenograph.http.metrics import metrics_of
from scenograph.http.problems import STATUS, refusal_response
from scenograph.service.accounts import Caller
from scenograph.service.errors import ServiceError
from scenograph.service.idempotency import SentReply, is_kept
from scenograph.service.people import OWNER, SceneAccess
from scenograph.service.render_requests import Wanted, read_value, read_wanted
from scenograph.service.rendering import Returned, failed
from scenograph.wire.formats import BY_MEDIA_TYPE, FORMATS
from scenograph.wire.members import COMPUTED_AFTER, FORMAT, RENDER_AFTER
from scenograph.wiring import Services

# The replies of writes, completed after the commit with the places and the picture that the request wants (R-KEEP-14).
#
# The write is done and answered for before its picture takes a turn with the engine. A refused turn is told in the
# reply, as is any failure. A kept answer of an idempotency key holds the request for the picture instead of its bytes;
# a repeated request draws the same revision again.

WANTED = "wanted"  # the member of a kept answer for what the request asks for; never sent
REFUSED = 400  # and above: a kept refusal, of a write that made no revision
_OF_THE_BODY = frozenset({"content-length", "content-type"})


class WriteReply:
    """The reply of a write in progress: `reply` is all but the extras."""

    def __init__(
        self, request: Request, services: Services, owner: Caller | SceneAccess, reply: Response, wanted: Wanted
    ) -> None:
        self._request = request
        self._services = services
        self._owner = owner
        self._reply = reply
        self._wanted = wanted

    async def completed(self) -> Response:
        """The whole reply. Waits for a turn with the engine if anything is wanted of a new revision."""
        if not self._wanted or self._reply.status_code >= REFUSED:
            return self._reply
        members: dict[str, Any] = json.loads(bytes(self._reply.body))
        returned = await self._returned(members["sceneId"], members["revision"])
        members["movedElementIds"] = None if returned.moved is None else list(returned.moved)
        members["diagnostics"] = [*members.get("diagnostics", ()), *_new(returned.diagnostics, members)]
        if returned.computed is not None or returned.failed:
            members["computed"] = returned.computed
        headers = {name: value for name, value in self._reply.headers.items() if name not in _OF_THE_BODY}
        if returned.picture is None:
            members |= {"output": None} if returned.failed else {}
            return json_response(members, status=self._reply.status_code, headers=headers)
        metrics_of(self._request).rendered(BY_MEDIA_TYPE[returned.picture.mime_type].name, returned.picture.theme)
        return reply_with(returned.picture, members, status=self._reply.status_code, headers=headers)

    async def _returned(self, scene_id: str, revision: int) -> Returned:
        try:
            async with engine_turn(self._request, self._services, 0):
                returning = self._services.returning
                return await run_sync(returning.of, self._scene(scene_id), revision, self._wanted)
        except ServiceError as refused:
            return failed(refused, self._wanted)

    def _scene(self, scene_id: str) -> SceneAccess:
        """The written scene: an existing scene as accessed, else the caller's new scene."""
        if isinstance(self._owner, SceneAccess):
            return self._owner
        return self._services.sharing.access(self._owner, None, scene_id, OWNER)


def _new(rows: tuple[Mapping[str, Any], ...], members: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The rows of a picture without repetitions of the write's own."""
    said = members.get("diagnostics", [])
    return [row for row in rows if row not in said]


class WriteReplies:
    """Makes `WriteReply` replies for a request."""

    def __init__(self, request: Request, services: Serving, caller: CallerByKey) -> None:
        self._request = request
        self._services = services
        self._caller = caller

    def reply(self, reply: Response, wanted: Wanted, scene: SceneAccess | None = None) -> WriteReply:
        """The reply with the extras that are wanted of `scene` (None: of the caller's new scene)."""
        return WriteReply(self._request, self._services, scene or self._caller, reply, wanted)

    def kept(self, reply: Response, scene: SceneAccess) -> WriteReply:
        """The extras of an answer with a WANTED of its own."""
        asked: Mapping[str, Any] = {}
        if f'"{WANTED}":'.encode() in bytes(reply.body):
            members = json.loads(bytes(reply.body))
            asked = members.pop(WANTED, asked)
            headers = {name: value for name, value in reply.headers.items() if name not in _OF_THE_BODY}
            reply = json_response(members, status=reply.status_code, headers=headers)
        return self.reply(reply, read_wanted(asked), scene)


AfterCommit = Annotated[WriteReplies, Depends()]


def wanted_by_query(
    *,
    computed: Annotated[
        bool, Query(description="Adds `computed`: where its elements stand and its edges run.")
    ] = False,
    render: Annotated[
        str | None,
        Query(json_schema_extra={"enum": list(FORMATS)}, description="Adds `output`: the picture in this format."),
    ] = None,
) -> Wanted:
    """The extras named by an address. Raises invalid_request for an unknown format."""
    form = None if render is None else {FORMAT.name: read_value(RENDER_AFTER.name, FORMAT.schema, render)}
    return read_wanted({COMPUTED_AFTER.name: computed, RENDER_AFTER.name: form})


WantedByQuery = Annotated[Wanted, Depends(wanted_by_query)]

# `Idempotency-Key`: a repeated request gets the first answer.

REPLAYED_HEADER = "Idempotency-Replayed"

IdempotencyKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        pattern="^[!-~]{1,255}$",
        description="1 to 255 visible ASCII characters of your choice. The same key with the same request within 24 "
        "hours replays the first answer (`Idempotency-Replayed: true`).",
    ),
]


class Repetition:
    """Carries out the request once for its key; always without a key."""

    def __init__(
        self,
        request: Request,
        services: Serving,
        caller: CallerByKey,
        raw: Annotated[bytes, Depends(raw_body)],
        key: IdempotencyKey = None,
    ) -> None:
        self._request = request
        self._kept = services.idempotency
        self._owner = caller.account_id
        self._raw = raw
        self._key = key

    def once(self, make: Callable[[], Response], scene: SceneAccess | None = None) -> Response:
        """The reply of `make`, or the earlier reply to the same request. A shared scene's owner is part of the
        request."""
        if self._key is None:
            return make()
        address = f"{self._request.method} {self._request.url.path}"
        if scene is not None and not scene.is_own:
            address += f"?owner={scene.owner}"
        answer = self._kept.answer(self._owner, self._key, (address, self._raw), lambda: self._answer(make))
        replayed = {REPLAYED_HEADER: "true"} if answer.replayed else {}
        return Response(answer.body, answer.status, {**(answer.headers or NOT_STORED), **replayed}, "application/json")

    def _answer(self, make: Callable[[], Response]) -> SentReply:
        """The answer of `make`, or its refusal if permanent."""
        try:
            reply = make()
        except ServiceError as refused:
            if not is_kept(STATUS[refused.code]):
                raise
            reply = refusal_response(self._request, refused)
        headers = {name: value for name, value in reply.headers.items() if name not in _OF_THE_BODY}
        return SentReply(status=reply.status_code, body=bytes(reply.body), headers=headers)


Once = Annotated[Repetition, Depends()]
