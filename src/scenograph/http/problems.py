"""Refusals as replies: a table maps each code to its status, and a single function builds every error body.

The body is `{"error": sentence, "code": …, "requestId": …, "diagnostics"?: […], …}` (R-HTTP-7), for the framework's own
refusals too. Nothing of an unexpected exception reaches the caller.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, cast

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ExceptionHandler

from scenograph.diagnostics import Diagnostic, Severity, wire_form
from scenograph.http.answers import BY_ACCEPT, HTML, JSON, json_response, preferred
from scenograph.http.metrics import metrics_of
from scenograph.http.pages.html import html_page
from scenograph.http.rate_limiting import tell_of
from scenograph.scene.strict_json import StrictJsonError
from scenograph.service.errors import ServiceError
from scenograph.service.rate_limits import TooManyRequestsError
from scenograph.storage.interface import StorageUnavailable

PUBLISHED = "/s/"
KROKI = "/kroki"  # its clients show the text of a refusal
RETRY_SECONDS = 1.0
_CLIENT_CLOSED_REQUEST = 499
# The rest of the body is still on its way: the connection is of no further use.
_CLOSING = frozenset({"request_timeout", "body_too_large"})
INTERNAL_ERROR, CONFLICT = "internal_error", "revision_conflict"

STATUS: Mapping[str, int] = {
    "invalid_json": 400,
    "invalid_request": 400,
    "format_not_available": 400,
    "invalid_token": 400,
    "sign_in_failed": 400,
    "missing_api_key": 401,
    "invalid_api_key": 401,
    "session_ended": 401,
    "account_suspended": 403,
    "email_not_verified": 403,
    "forbidden": 403,
    "role_forbidden": 403,
    "not_found": 404,
    "scene_not_found": 404,
    "revision_not_found": 404,
    "method_not_allowed": 405,
    "request_timeout": 408,
    "revision_conflict": 409,
    "email_already_verified": 409,
    "scene_exists": 409,
    "scene_recently_deleted": 409,
    "scene_not_deleted": 409,
    "scene_in_support": 409,
    "public_id_taken": 409,
    "quota_exceeded": 409,
    "idempotency_in_progress": 409,
    "body_too_large": 413,
    "scene_too_large": 413,
    "unsupported_media_type": 415,
    "misdirected_request": 421,
    "validation_failed": 422,
    "unreadable_source": 422,
    "idempotency_mismatch": 422,
    "rate_limited": 429,
    "headers_too_large": 431,
    INTERNAL_ERROR: 500,
    "not_implemented": 501,
    "overloaded": 503,
    "render_failed": 503,
    "render_timeout": 503,
    "sign_in_unavailable": 503,
    "storage_unavailable": 503,
}

_FRAMEWORK_CODES: Mapping[int, tuple[str, str]] = {
    404: ("not_found", "There is nothing at this address."),
    405: ("method_not_allowed", "This address does not support this method."),
}

_log = structlog.get_logger(__name__)


class RefusedRequest(NamedTuple):
    """A refusal before its conversion into a reply."""

    code: str
    sentence: str
    diagnostics: Sequence[Diagnostic] = ()
    extra: Mapping[str, Any] = {}
    retry_after: float | None = None
    headers: Mapping[str, str] = {}


def _request_id_of(request: Request) -> str:
    """The request id assigned by the outermost layer."""
    return str(request.state.request_id)


def problem_response(problem: RefusedRequest, request_id: str) -> Response:
    """The reply of a refusal. Raises KeyError for a code missing from the table, an internal fault."""
    status = STATUS[problem.code]
    body: dict[str, Any] = {"error": problem.sentence, "code": problem.code, "requestId": request_id}
    if problem.diagnostics:
        body["diagnostics"] = wire_form(problem.diagnostics)
    headers = dict(problem.headers)
    if problem.retry_after is not None:
        headers["Retry-After"] = str(max(1, math.ceil(problem.retry_after)))
    if problem.code in _CLOSING:
        headers["Connection"] = "close"
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return json_response(body | dict(problem.extra), status=status, headers=headers)


def _told_to(request: Request, problem: RefusedRequest) -> Response:
    """The reply of a refusal: HTML for a published page unless the caller prefers JSON, else JSON."""
    reply = problem_response(problem, _request_id_of(request))
    if _is_kroki(request.url.path):
        return _in_words(problem, reply)
    if request.method != "GET" or not request.url.path.startswith(PUBLISHED):
        return reply
    if preferred(request.headers.get("accept", ""), (HTML, JSON)) == HTML:
        template = "missing.html" if reply.status_code == 404 else "refused.html"
        page = html_page(template, reply.status_code, sentence=problem.sentence)
        kept = {name: value for name, value in reply.headers.items() if name not in {"content-length", "content-type"}}
        page.headers.update(kept)
        reply = page
    reply.headers.update(BY_ACCEPT)
    return reply


def _is_kroki(path: str) -> bool:
    return path == KROKI or path.startswith(f"{KROKI}/")


def _in_words(problem: RefusedRequest, reply: Response) -> Response:
    """A refusal as plain text; what is wrong with a source is 400, as clients of Kroki expect."""
    kept = {name: value for name, value in reply.headers.items() if name not in {"content-length", "content-type"}}
    status = 400 if reply.status_code == 422 else reply.status_code
    rows = [row.message for row in problem.diagnostics if row.severity is Severity.ERROR]
    told = "\n".join(dict.fromkeys((problem.sentence, *rows)))
    return Response(f"{told}\n", status, kept, "text/plain; charset=utf-8")


def internal_error_response(request_id: str) -> Response:
    """The reply to an internal fault."""
    sentence = "Something went wrong on our side; the request id helps to find it in the log."
    return problem_response(RefusedRequest(INTERNAL_ERROR, sentence), request_id)


def headers_too_large_response(limit: int, request_id: str, path: str) -> Response:
    """The reply to a header block beyond its limit. A source in the address has a way with more room."""
    sentence = f"The address and headers of a request may be at most {limit} bytes together."
    if not _is_kroki(path):
        return problem_response(RefusedRequest("headers_too_large", sentence), request_id)
    shorter = "/".join(path.split("/")[:4]).rstrip("/")
    problem = RefusedRequest("body_too_large", f"{sentence} POST the source as plain text to {shorter} instead.")
    return _in_words(problem, problem_response(problem, request_id))


def crowded_response(request_id: str) -> Response:
    """The reply to a request beyond its network's limit."""
    sentence = "Too many requests from this network are in progress; wait until some end, or send an API key."
    headers = {"Connection": "close"}
    return problem_response(
        RefusedRequest("overloaded", sentence, retry_after=RETRY_SECONDS, headers=headers), request_id
    )


def misdirected_response(request_id: str) -> Response:
    """The request names another host than this service."""
    sentence = "The Host header holds a name that is not allowed here. The operator can add it to ALLOWED_HOSTS."
    return problem_response(RefusedRequest("misdirected_request", sentence), request_id)


def two_keys_response(request_id: str) -> Response:
    """The reply to a request with more than one key; the caller is not guessed."""
    return problem_response(
        RefusedRequest("invalid_request", "A request has at most one Authorization header."), request_id
    )


def two_lengths_response(request_id: str) -> Response:
    """The reply to a request with two length declarations; the connection ends."""
    sentence = "A request has either Content-Length or Transfer-Encoding, never both."
    return problem_response(RefusedRequest("invalid_request", sentence, headers={"Connection": "close"}), request_id)


def stopping_response(request_id: str, *, body_is_awaited: bool) -> Response:
    """The reply to an unfinished request when the service stops."""
    if body_is_awaited:
        problem = RefusedRequest("request_timeout", "The body did not arrive before the service stopped.")
    else:
        sentence = (
            "The service stopped before it answered; check whether the request took effect before you send it again."
        )
        headers = {"Connection": "close"}
        problem = RefusedRequest("overloaded", sentence, retry_after=RETRY_SECONDS, headers=headers)
    return problem_response(problem, request_id)


def refusal_response(request: Request, refused: ServiceError) -> Response:
    """The reply of a use case's refusal."""
    if refused.code == CONFLICT:
        metrics_of(request).conflicted()
    if isinstance(refused, TooManyRequestsError):
        tell_of(request, refused)
    return _told_to(request, _of_service(refused))


async def _refused(request: Request, error: Exception) -> Response:
    return refusal_response(request, cast("ServiceError", error))


def _of_service(error: ServiceError) -> RefusedRequest:
    return RefusedRequest(error.code, error.sentence, error.diagnostics, error.extra, error.retry_after)


def _of_strict_json(error: StrictJsonError) -> RefusedRequest:
    return RefusedRequest("invalid_json", str(error))


def _of_storage(error: StorageUnavailable) -> RefusedRequest:
    _log.error("storage_unavailable", reason=str(error))
    return RefusedRequest(
        "storage_unavailable", "The storage cannot be reached at the moment; try again.", retry_after=RETRY_SECONDS
    )


def _of_parameters(error: RequestValidationError) -> RefusedRequest:
    rows = cast("Sequence[Mapping[str, Any]]", error.errors())
    sentences = [f"The parameter {row['loc'][-1]} {_told(str(row['msg']))}." for row in rows]
    return RefusedRequest("invalid_request", " ".join(sentences))


def _told(message: str) -> str:
    """The framework's remark as the end of a sentence."""
    if message == "Field required":
        return "is required"
    for subject in ("Input ", "String ", "Value error, "):
        message = message.removeprefix(subject)
    return message[:1].lower() + message[1:]


def _of_framework(error: HTTPException) -> RefusedRequest:
    code, sentence = _FRAMEWORK_CODES.get(error.status_code, ("invalid_request", "The request cannot be read."))
    return RefusedRequest(code, sentence, headers=error.headers or {})


def _handler(translate: Callable[[Any], RefusedRequest]) -> ExceptionHandler:
    async def handle(request: Request, error: Exception) -> Response:
        return _told_to(request, translate(error))

    return handle


async def _caller_left(_request: Request, _error: Exception) -> Response:
    return Response(status_code=_CLIENT_CLOSED_REQUEST)  # nobody reads it; the log shows the status


_TRANSLATIONS: Mapping[type[Exception], Callable[[Any], RefusedRequest]] = {
    StrictJsonError: _of_strict_json,
    StorageUnavailable: _of_storage,
    RequestValidationError: _of_parameters,
    HTTPException: _of_framework,
}


def install(app: FastAPI) -> None:
    """Let `app` answer every refusal of the table above."""
    for error, translate in _TRANSLATIONS.items():
        app.add_exception_handler(error, _handler(translate))
    app.add_exception_handler(ServiceError, _refused)
    app.add_exception_handler(ClientDisconnect, _caller_left)
