"""Browsers that are signed in: the session's cookie, and whether a request comes from a page of this service
(R-SESSION-1, R-SESSION-4).

Over HTTPS the cookie's name begins with `__Host-`, which no other host of the domain can set.
"""

from __future__ import annotations

from typing import Literal

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response

from scenograph.service.errors import ServiceError
from scenograph.service.sign_in import NewSession
from scenograph.storage.interface import StorageUnavailable
from scenograph.wiring import Services

COOKIE, SECURE_COOKIE = "scenograph", "__Host-scenograph"
FLOW = "-sign-in"  # suffix of the cookie of a sign-in under way
ONWARDS, ONWARDS_SECONDS = "-onwards", 5  # suffix and life of the cookie that ends a round of loads
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_DEFAULT_PORTS = {"http": ":80", "https": ":443"}


def token_of(request: Request, services: Services) -> str | None:
    """The session's token in the request's cookie, if any."""
    return request.cookies.get(_name(request, services)) or None


def is_signed_in(request: Request, services: Services) -> bool:
    """Whether the request's browser has a session, even of a suspended account; not while the store is unavailable."""
    token = token_of(request, services)
    try:
        return token is not None and services.sessions.authenticate(token) is not None
    except ServiceError:
        return True
    except StorageUnavailable:
        return False


def begin_session(reply: Response, request: Request, services: Services, session: NewSession) -> None:
    """Let the reply set the session's cookie."""
    _set(reply, _name(request, services), session.token, session.seconds, "strict")


def forget_session(reply: Response, request: Request, services: Services) -> None:
    """Let the reply remove the session's cookie."""
    _set(reply, _name(request, services), "", 0, "strict")


def flow_of(request: Request, services: Services) -> str | None:
    """What the browser keeps of a sign-in under way."""
    return request.cookies.get(f"{_name(request, services)}{FLOW}")


def keep_flow(reply: Response, request: Request, services: Services, kept: str, seconds: int) -> None:
    """Let the browser keep a sign-in under way; forget it with 0 seconds. The provider's site leads back to it."""
    _set(reply, f"{_name(request, services)}{FLOW}", kept, seconds, "lax")


def comes_from_elsewhere(request: Request, services: Services) -> bool:
    """Whether a page of another site led here, and a browser that is signed in would therefore have kept its session's
    cookie back. False for the load that follows one such answer, whatever its headers say."""
    if not (services.sign_in_links.are_offered or services.organization.is_offered):
        return False
    foreign = request.headers.get("sec-fetch-site") in {"cross-site", "same-site"}
    name = _name(request, services)
    return foreign and name not in request.cookies and f"{name}{ONWARDS}" not in request.cookies


def keep_onwards(reply: Response, request: Request, services: Services) -> None:
    """Let the reply mark the following load."""
    _set(reply, f"{_name(request, services)}{ONWARDS}", "1", ONWARDS_SECONDS, "lax")


def credentials_in(headers: Headers) -> str | None:
    """The words by which a request may name its account: the key's header, else the cookies."""
    said = headers.get("authorization")
    cookie = headers.get("cookie", "")
    return said if said is not None or COOKIE not in cookie else cookie


def is_of_own_page(request: Request, services: Services) -> bool | None:
    """Whether a page of this service sent the request, by the headers of browsers (Fetch Metadata, `Origin`); None when
    neither tells."""
    site = request.headers.get("sec-fetch-site")
    if site not in {None, "none"}:
        return site == "same-origin"
    origin = request.headers.get("origin")
    if origin is None:
        return None
    scheme, _, place = origin.strip().lower().partition("://")
    port = _DEFAULT_PORTS.get(scheme)
    if not place or port is None:
        return False
    if services.public_site is not None:
        public_scheme, _, public = services.public_site.lower().partition("://")
        if place.removesuffix(port) == public.partition("/")[0].removesuffix(_DEFAULT_PORTS.get(public_scheme, "")):
            return scheme == public_scheme  # a page that came without TLS may be anybody's
    return place.removesuffix(port) == request.headers.get("host", "").strip().lower().removesuffix(port)


def require_own_page(request: Request, services: Services) -> None:
    """Raises forbidden for a change that no page of this service demonstrably sent: a browser adds the cookie of a
    session to the requests of any page."""
    if request.method not in SAFE_METHODS and is_of_own_page(request, services) is not True:
        raise ServiceError(
            "forbidden", "A session of a browser changes something only from a page of this service; use an API key."
        )


def _set(reply: Response, name: str, value: str, seconds: int, samesite: Literal["strict", "lax"]) -> None:
    secure = name.startswith(SECURE_COOKIE)
    reply.set_cookie(name, value, max_age=seconds, path="/", secure=secure, httponly=True, samesite=samesite)


def _name(request: Request, services: Services) -> str:
    site = services.public_site or ""
    return SECURE_COOKIE if request.url.scheme == "https" or site.startswith("https://") else COOKIE
