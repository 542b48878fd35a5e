"""`Idempotency-Key`: a repeated request gets the first answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import Depends, Header, Request
from starlette.responses import Response

from scenograph.http.answers import NOT_STORED
from scenograph.http.guards import CallerByKey, Serving, raw_body
from scenograph.http.problems import STATUS, refusal_response
from scenograph.service.errors import ServiceError
from scenograph.service.idempotency import SentReply, is_kept
from scenograph.service.sharing import SceneAccess

REPLAYED_HEADER = "Idempotency-Replayed"
_OF_THE_BODY = frozenset({"content-length", "content-type"})

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
