"""Rate limits at the door: who is counted, and what every counted reply says about it.

A keyed route counts for the key, a keyless one for the address it is called from; so does a call whose key is missing
or wrong, so that keys cannot be tried at leisure.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import cast

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from scenograph.service.rate_limits import Count, TooManyRequestsError, Verdict
from scenograph.wiring import Services

LIMIT_HEADERS: Mapping[str, str] = {
    "X-RateLimit-Limit": "Requests that may be made at once.",
    "X-RateLimit-Remaining": "Requests that are left of them.",
    "X-RateLimit-Reset": "Seconds until all are there again.",
    "RateLimit": "The same as a structured field: r are left, in t seconds all are there again. Seconds of the "
    "engine are a policy of their own.",
    "RateLimit-Policy": "The policies: q requests, or seconds of the engine, refilled evenly within w seconds.",
}
_STATE = "rate_limit"


def admit_address(request: Request) -> None:
    """Count a call for the address it comes from; rate_limited when it was one too many."""
    services = cast("Services", request.app.state.services)
    _admit(request, services.rate_limits.of_address(address_of(request)))


def admit_key(request: Request, key_id: str) -> None:
    """Count a call for its key; rate_limited when it was one too many."""
    services = cast("Services", request.app.state.services)
    _admit(request, services.rate_limits.of_key(key_id))


def address_of(request: Request) -> str:
    """Where the call comes from. Behind a proxy that is trusted, where the proxy says it comes from."""
    return request.client.host if request.client else "unknown"


def tell(request: Request, verdict: Verdict) -> None:
    """The reply tells of this policy, too; the latest word on a policy holds."""
    told = getattr(request.state, _STATE, {})
    setattr(request.state, _STATE, {**told, verdict.allowance.name: verdict})


def tell_of(request: Request, refused: TooManyRequestsError) -> None:
    """The reply tells of the policy that refused alone; a request may have been counted for others before."""
    setattr(request.state, _STATE, {refused.verdict.allowance.name: refused.verdict})


def headers_of(verdicts: Sequence[Verdict]) -> Mapping[str, str]:
    """The widespread headers, of the first policy, and those of the draft standard
    (draft-ietf-httpapi-ratelimit-headers)."""
    rule, count = verdicts[0]
    values = (
        str(rule.burst),
        str(_left(count)),
        str(math.ceil(count.reset_seconds)),
        ", ".join(f'"{rule.name}";r={_left(count)};t={math.ceil(count.reset_seconds)}' for rule, count in verdicts),
        ", ".join(f'"{rule.name}";q={rule.burst};w={rule.window}' for rule, _ in verdicts),
    )
    return dict(zip(LIMIT_HEADERS, values, strict=True))


def _left(count: Count) -> int:
    return count.remaining if count.allowed else 0


class LimitsTold:
    """Adds the headers of the limit to every reply of a call that was counted."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_limits(message: Message) -> None:
            told = scope.get("state", {}).get(_STATE)
            if message["type"] == "http.response.start" and told:
                MutableHeaders(scope=message).update(headers_of(tuple(told.values())))
            await send(message)

        await self._app(scope, receive, send_with_limits if scope["type"] == "http" else send)


def _admit(request: Request, verdict: Verdict | None) -> None:
    if verdict is None:
        return
    tell(request, verdict)
    if not verdict.state.allowed:
        rule = verdict.allowance
        sentence = f"Too many requests: {rule.burst} at once and {rule.per_minute} a minute are allowed."
        raise TooManyRequestsError(sentence, verdict)
