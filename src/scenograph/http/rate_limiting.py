"""Rate limits of requests: the counted subject, and the headers of counted replies.

A keyed route counts for the key and for its account, a keyless route for the caller's address. A missing or wrong key
counts for the address too, which slows the guessing of keys.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from scenograph.service.accounts import Caller
from scenograph.service.rate_limits import ACCOUNT_POLICY, Allowance, Count, TooManyRequestsError, Verdict
from scenograph.wiring import Services

LIMIT_HEADERS: Mapping[str, str] = {
    "X-RateLimit-Limit": "Requests that may be made in a minute.",
    "X-RateLimit-Remaining": "Requests that may be made at once now.",
    "X-RateLimit-Reset": "Seconds until the whole burst may be made again.",
    "RateLimit": "The same as a structured field: r are left, in t seconds all are there again. Seconds of the "
    "engine are a policy of their own.",
    "RateLimit-Policy": "The policies: q requests, or seconds of the engine, refilled evenly within w seconds; of each "
    "the burst, and as a policy of its own what a minute allows.",
}
MINUTE = 60  # seconds
_STATE = "rate_limit"


def admit_page(request: Request) -> None:
    """Count a published page or picture for the caller's network. Raises rate_limited beyond the limit."""
    services = cast("Services", request.app.state.services)
    _admit(request, services.rate_limits.of_page(address_of(request)))


def admit_address(request: Request) -> None:
    """Count a call for the caller's address. Raises rate_limited beyond the limit."""
    services = cast("Services", request.app.state.services)
    _admit(request, services.rate_limits.of_address(address_of(request)))


def admit_caller(request: Request, caller: Caller) -> None:
    """Count a call for its key, then for the account. Raises rate_limited beyond either limit. A call refused for its
    key costs the account nothing."""
    services = cast("Services", request.app.state.services)
    _admit(request, services.rate_limits.of_key(caller.key_id or caller.account_id))
    _admit(request, services.rate_limits.of_account(caller.account_id))


def admit_whereabouts(request: Request, caller: Caller) -> None:
    """Count a word on where the caller is, apart from all other requests. Raises rate_limited beyond the limit."""
    services = cast("Services", request.app.state.services)
    _admit(request, services.rate_limits.of_whereabouts(caller.key_id or caller.account_id))


def address_of(request: Request) -> str:
    """The address of the caller, taken from a trusted proxy's header."""
    return request.client.host if request.client else "unknown"


def tell(request: Request, verdict: Verdict) -> None:
    """The reply tells of this policy, too; the latest word on a policy holds."""
    told = getattr(request.state, _STATE, {})
    setattr(request.state, _STATE, {**told, verdict.allowance.name: verdict})


def tell_of(request: Request, refused: TooManyRequestsError) -> None:
    """Report only the refusing policy on the reply; the request may have been counted for further policies before."""
    setattr(request.state, _STATE, {refused.verdict.allowance.name: refused.verdict})


def _headers_of(verdicts: Sequence[Verdict]) -> Mapping[str, str]:
    """Both the widespread headers, for the first policy, and the headers of the draft standard
    (draft-ietf-httpapi-ratelimit-headers)."""
    rule, count = verdicts[0]
    values = (
        str(round(rule.per_minute) if _has_minute(rule) else rule.burst),
        str(_left(count)),
        str(math.ceil(count.reset_seconds)),
        ", ".join(f'"{rule.name}";r={_left(count)};t={math.ceil(count.reset_seconds)}' for rule, count in verdicts),
        ", ".join(policy for rule, _ in verdicts for policy in _policies(rule)),
    )
    return dict(zip(LIMIT_HEADERS, values, strict=True))


def _policies(rule: Allowance) -> Iterator[str]:
    yield f'"{rule.name}";q={rule.burst};w={rule.window}'
    if _has_minute(rule):
        yield f'"{rule.name}-minute";q={round(rule.per_minute)};w={MINUTE}'


def _has_minute(rule: Allowance) -> bool:
    """Whether the requests of a minute are a whole number and differ from the burst."""
    return rule.per_minute >= 1 and (round(rule.per_minute), MINUTE) != (rule.burst, rule.window)


def _left(count: Count) -> int:
    return count.remaining if count.allowed else 0


class LimitsTold:
    """Adds rate-limit headers to every counted reply."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_limits(message: Message) -> None:
            told = scope.get("state", {}).get(_STATE)
            if message["type"] == "http.response.start" and told:
                MutableHeaders(scope=message).update(_headers_of(tuple(told.values())))
            await send(message)

        await self._app(scope, receive, send_with_limits if scope["type"] == "http" else send)


def _admit(request: Request, verdict: Verdict | None) -> None:
    if verdict is None:
        return
    tell(request, verdict)
    if not verdict.state.allowed:
        rule = verdict.allowance
        whose = " to all keys of an account together" if rule.name == ACCOUNT_POLICY else ""
        sentence = f"Too many requests: {rule.burst} at once and {rule.per_minute:g} a minute are allowed{whose}."
        raise TooManyRequestsError(sentence, verdict)
