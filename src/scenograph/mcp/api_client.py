"""The service over HTTP for the tools: JSON in, a JSON object out, or a Refusal. A failure on the way (no listener, a
timeout, a foreign reply) becomes a Refusal too, with its own code: a single kind of failure to explain."""

from __future__ import annotations

import ipaddress
import json
import ssl
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast
from urllib.parse import quote, unquote, urlsplit, urlunsplit

import anyio
import httpx2

from scenograph.late_dataclasses import dataclass, field, replace

_CONNECT_SECONDS = 5.0
_REPLY_SECONDS = 60.0  # a render has 10 s and waits 2 s; the operator may set more
_CALL_SECONDS = 120.0  # for a whole call, even with a slowly arriving reply
MOST_BYTES = 64 << 20
UNREACHABLE, TOO_SLOW, STRANGE = "service_unreachable", "service_timeout", "unexpected_reply"
BARRED, THROTTLED, BROKEN_WAY = "way_barred", "way_throttled", "way_broken"
FALLEN, RESTARTED = "local_service_ended", "local_service_restarted"
_ON_THE_WAY: Mapping[int, tuple[str, str]] = MappingProxyType(
    {
        401: (BARRED, "What stands before the service at {address} asks for a log-in of its own"),
        403: (BARRED, "What stands before the service at {address} does not let this call through"),
        429: (THROTTLED, "What stands before the service at {address} takes no more calls for now"),
        502: (BROKEN_WAY, "What stands before the service at {address} does not reach it"),
        503: (BROKEN_WAY, "What answers at {address} is not ready"),
        504: (BROKEN_WAY, "What stands before the service at {address} got no answer from it in time"),
    }
)
Query = Mapping[str, str | int]
SCENES = "/v1/scenes/"


@dataclass(eq=False, kw_only=True)
class Refusal(Exception):  # noqa: N818
    """A failed request: the service's sentence and code, and the further members of the reply."""

    code: str
    sentence: str
    status: int = 0
    retry_after: str | None = None
    body: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class Api:
    """The service at `address`, for a single caller. Without a key only open routes answer. With `owner` the scenes of
    the calls are those that this account shares with the caller."""

    http: httpx2.AsyncClient
    address: str
    key: str | None = None
    why_lost: Callable[[], Refusal | None] = lambda: None  # the reason for an unanswered call, if known
    export_dir: Path | None = None  # the folder for files of the caller, who is on this machine
    owner: str | None = None

    async def get(self, path: str, query: Query | None = None) -> dict[str, Any]:
        """The JSON object at `path`. Raises Refusal."""
        return await self._json("GET", path, query=query)

    async def text(self, path: str) -> str:
        """The text at `path`, an open route. Raises Refusal."""
        reply, found = await self._asked(lambda: self.http.build_request("GET", f"{self.address}{path}"))
        return found.decode("utf-8", "replace") if reply.is_success else str(_read(reply, found, self.address))

    async def post(self, path: str, body: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The reply to a JSON body. Raises Refusal."""
        return await self._json("POST", path, body={} if body is None else body)

    async def patch(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """The reply to a change of some members. Raises Refusal."""
        return await self._json("PATCH", path, body=body)

    async def delete(self, path: str) -> dict[str, Any]:
        """The reply to a deletion. Raises Refusal."""
        return await self._json("DELETE", path)

    def for_key(self, key: str | None) -> Api:
        """The same service for another caller."""
        return replace(self, key=key)

    def for_owner(self, owner: str | None) -> Api:
        """The same service for the scenes of another owner; None for the caller's own."""
        return replace(self, owner=owner)

    def resource(self, scene_id: str) -> str:
        """The address of a scene as a resource, with the owner of a shared one."""
        return f"scene://{scene_id}" if self.owner is None else f"scene://{quote(self.owner, safe='')}@{scene_id}"

    async def _json(
        self, method: str, path: str, *, query: Query | None = None, body: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        content = None
        if body is not None:
            content, headers["Content-Type"] = _encoded(body), "application/json"
        address = f"{self.address}{path}"
        if self.owner is not None and path.startswith(SCENES):
            query = {**(query or {}), "owner": self.owner}
        reply, found = await self._asked(
            lambda: self.http.build_request(method, address, params=query, content=content, headers=headers)
        )
        return _read(reply, found, self.address)

    async def _asked(self, request: Callable[[], httpx2.Request]) -> tuple[httpx2.Response, bytes]:
        """The reply, successful or not. Raises Refusal for a failure on the way."""
        try:
            with anyio.fail_after(_CALL_SECONDS):
                return await self._fetched(request())
        except httpx2.DecodingError as odd:
            raise Refusal(code=STRANGE, sentence=f"What {self.address} answers cannot be decoded.") from odd
        except (httpx2.TimeoutException, TimeoutError) as late:
            raise Refusal(code=TOO_SLOW, sentence=f"The service at {self.address} did not answer in time.") from late
        except (httpx2.HTTPError, httpx2.InvalidURL) as lost:
            unknown = Refusal(code=UNREACHABLE, sentence=f"No service answers at {self.address}.")
            raise (self.why_lost() or unknown) from lost

    async def _fetched(self, request: httpx2.Request) -> tuple[httpx2.Response, bytes]:
        """The reply and its body, read up to MOST_BYTES."""
        auth = None if self.key else httpx2.USE_CLIENT_DEFAULT  # a key is never replaced by the user of the address
        reply = await self.http.send(request, stream=True, auth=auth)
        try:
            body = bytearray()
            async for piece in reply.aiter_bytes():
                body += piece
                if len(body) > MOST_BYTES:
                    raise Refusal(
                        code=STRANGE, sentence=f"What {self.address} answers has more than {MOST_BYTES >> 20} MiB."
                    )
            return reply, bytes(body)
        finally:
            await reply.aclose()


def open_client(address: str) -> httpx2.AsyncClient:
    """A client for the service at `address`; a loopback address bypasses the environment's proxy."""
    timeout = httpx2.Timeout(_REPLY_SECONDS, connect=_CONNECT_SECONDS)
    parts = urlsplit(address)
    user = (
        httpx2.BasicAuth(unquote(parts.username or ""), unquote(parts.password or "")) if "@" in parts.netloc else None
    )
    is_near = is_loopback(parts.hostname or "")
    # Reading the certificates of all authorities takes 18 ms, for which plain HTTP on this machine has no use.
    verify = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if is_near and parts.scheme == "http" else True
    return httpx2.AsyncClient(timeout=timeout, trust_env=not is_near, auth=user, verify=verify)


def without_user(address: str) -> str:
    """The address without user name and password, for display."""
    parts = urlsplit(address)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


def is_loopback(host: str) -> bool:
    """Whether a listener on the host is reachable from this machine only."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _encoded(body: Mapping[str, Any]) -> bytes:
    """The body as JSON. A lone surrogate passes through: the service refuses it with its place."""
    try:
        text = json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (ValueError, RecursionError) as wrong:
        raise Refusal(code="invalid_json", sentence=f"The arguments are not JSON: {wrong}.") from wrong
    return text.encode("utf-8", "surrogatepass")


def _read(reply: httpx2.Response, content: bytes, address: str) -> dict[str, Any]:
    try:
        found: Any = json.loads(content)
        if b"\\ud" in content.lower():  # a lone half of a character cannot be written on
            found = json.loads(json.dumps(found, ensure_ascii=False).encode("utf-8", "replace"))
    except (ValueError, RecursionError):
        found = None
    members = cast("dict[str, Any]", found) if isinstance(found, dict) else None
    if reply.is_success and members is not None:
        return members
    if members is None or not isinstance(members.get("code"), str) or not isinstance(members.get("error"), str):
        code, sentence = _ON_THE_WAY.get(reply.status_code, (STRANGE, "What answers at {address} is not this service"))
        raise Refusal(
            code=code,
            sentence=f"{sentence.format(address=address)} (status {reply.status_code}).",
            status=reply.status_code,
            retry_after=reply.headers.get("Retry-After"),
        )
    raise Refusal(
        code=members["code"],
        sentence=members["error"],
        status=reply.status_code,
        retry_after=reply.headers.get("Retry-After"),
        body=members,
    )
