"""Replies as bytes: JSON with entity tags for conditional requests, and pictures."""

from __future__ import annotations

import hashlib
import json
import re
from binascii import b2a_base64
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, cast
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response

from scenograph.late_dataclasses import dataclass
from scenograph.scene.json_values import JsonObject
from scenograph.service.rendering import ServedPicture
from scenograph.storage.interface import Author

# The trusted host names of the service (R-SAFE-5). A forged `Host` must not come back in an address, and a page whose
# host name was rebound to this machine (DNS rebinding) must not reach a local service.

HOSTS = "hosts"  # a member of a request's state on a real server
_LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")
_HOST = re.compile(r"(?P<name>\[[0-9A-Fa-f:.%]+\]|[^:\[\]/@?#\s]+)(?::(?P<port>[0-9]{1,5}))?")


@dataclass(frozen=True, slots=True)
class KnownHosts:
    """`names` may be returned to a caller. Unknown names are refused if `is_strict`, else served and never returned."""

    names: frozenset[str]
    is_strict: bool

    def knows(self, host: str) -> bool:
        """Whether a `Host` header has a known name, at any port."""
        found = _HOST.fullmatch(host.strip().lower())
        return found is not None and found["name"].removesuffix(".") in self.names


def known_hosts(
    bound: str, allowed: Iterable[str], public_site: str | None, *, asks_no_key: bool = False
) -> KnownHosts:
    """The names of a service bound to the address `bound`.

    With a `public_site` no header is ever returned, and names are refused only if `allowed` is given. A service that
    `asks_no_key` accepts only loopback names, `allowed` and the host of `public_site`, at any bound address: otherwise
    every page in a browser on its network could act as its owner.
    """
    own = _bracketed(bound)
    given = frozenset(name.lower() for name in allowed)
    if asks_no_key:
        site = urlsplit(public_site or "").hostname
        return KnownHosts(given | {*_LOOPBACK_NAMES, *([_bracketed(site)] if site else [])}, is_strict=True)
    is_loopback = bound.startswith("127.") or bound in {"::1", "localhost"}
    return KnownHosts(given | {*_LOOPBACK_NAMES, own.lower()}, bool(given) or (is_loopback and public_site is None))


def _bracketed(name: str) -> str:
    return f"[{name}]" if ":" in name else name


def address_of_socket(name: tuple[str, int]) -> str:
    """host:port as written in a URL."""
    host, port = name[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


# Content negotiation: the preferred media type among those offered, and compression (RFC 9110, section 12.5).


JSON, HTML = "application/json", "text/html"


def preferred(accept: str, offered: Sequence[str]) -> str:
    """The best of `offered` for an Accept header; the earlier wins a tie, the first when nothing is accepted."""
    ranges = [_range(part) for part in accept.split(",") if part.strip()]
    if not ranges:
        return offered[0]
    return max(offered, key=lambda kind: _weight(kind, ranges))


def takes_gzip(accept_encoding: str) -> bool:
    """Whether an Accept-Encoding header prefers gzip to the identity coding (section 12.5.3)."""
    weights = dict(_range(part) for part in accept_encoding.split(",") if part.strip())
    gzip = weights.get("gzip", weights.get("x-gzip", weights.get("*", 0.0)))
    return gzip > 0 and gzip >= weights.get("identity", 0.0)


def _range(part: str) -> tuple[str, float]:
    kind, *parameters = (piece.strip().lower() for piece in part.split(";"))
    weight = next((piece[2:] for piece in parameters if piece.startswith("q=")), "1")
    try:
        return kind, min(max(float(weight), 0.0), 1.0)
    except ValueError:
        return kind, 0.0


def _weight(kind: str, ranges: Sequence[tuple[str, float]]) -> float:
    """The weight of the most specific range over `kind`."""
    group = kind.partition("/")[0]
    for cover in (kind, f"{group}/*", "*/*"):
        weights = [weight for covered, weight in ranges if covered == cover]
        if weights:
            return max(weights)
    return 0.0


_BASE64 = "contentBase64"  # the member of a reply for bytes
# A picture opened alone runs and loads nothing, whatever its labels hold.
_PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src data:; sandbox"

# The header of the compressing layer for a compressible body, repeated for a 304, which has none.
BY_ENCODING = {"Vary": "Accept-Encoding"}
BY_ACCEPT = {"Vary": "Accept"}
# Private replies are stored by no cache on the way; replies equal for all callers may be.
NOT_STORED = {"Cache-Control": "no-store"}
OWN = {"Cache-Control": "private, no-cache"}
CACHED = {"Cache-Control": "public, max-age=3600"}
# Revalidated each time, hence gone with the publication; by its tag, hence sent once.
PUBLISHED_PICTURE = {"Cache-Control": "no-cache", "Referrer-Policy": "no-referrer"}


def json_response(body: Any, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A JSON reply, not stored by any cache unless `headers` allow caching."""
    return Response(json_bytes(body), status, {**NOT_STORED, **(headers or {})}, "application/json")


def _json_response_with(content: bytes, body: Any, *, status: int = 200, headers: Mapping[str, str]) -> Response:
    """The same with `content` in the first member named _BASE64, which is empty in `body`. Direct insertion skips the
    escaping and copying of a JSON encoder, which takes longer than a picture's look-up."""
    before, name, after = json_bytes(body).partition(f'"{_BASE64}":"'.encode("ascii"))
    whole = b"".join((before, name, b2a_base64(content, newline=False), after))
    return Response(whole, status, {**NOT_STORED, **headers}, "application/json")


def reply_with(
    picture: ServedPicture, members: JsonObject, *, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """A JSON reply of these members, with the picture in `output`."""
    is_text = isinstance(picture.content, str)
    content = {"content": picture.content} if is_text else {_BASE64: ""}
    size = {"width": picture.width, "height": picture.height, "scale": picture.scale}
    output = {"mimeType": picture.mime_type, **content, **size}
    # First in the envelope: no member from a caller is mistaken for the placeholder of bytes.
    envelope = {"output": output, **members}
    if isinstance(picture.content, bytes):
        return _json_response_with(picture.content, envelope, status=status, headers=headers or {})
    return json_response(envelope, status=status, headers=headers)


def json_bytes(body: Any) -> bytes:
    """Compact UTF-8 JSON."""
    return json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def tagged_response(request: Request, body: Any, caching: Mapping[str, str] = OWN) -> Response:
    """A JSON reply with a weak ETag of its content; 304 without a body when the caller has the content already."""
    return tagged_bytes(request, json_bytes(body), caching)


def tagged_bytes(request: Request, content: bytes, caching: Mapping[str, str] = OWN) -> Response:
    """The same for encoded JSON."""
    tag = f'W/"{hashlib.sha256(content).hexdigest()[:32]}"'
    headers = {"ETag": tag, **caching}
    if has_tag(request, headers):
        return Response(status_code=304, headers=headers | BY_ENCODING)
    return Response(content, 200, headers, "application/json")


def picture_response(mime_type: str, content: str | bytes, caching: Mapping[str, str] = NOT_STORED) -> Response:
    """A bare picture."""
    return _picture(mime_type, content, BY_ACCEPT | {**caching})


def packed_response(mime_type: str, packed: bytes, caching: Mapping[str, str]) -> Response:
    """The same for a gzip-compressed text."""
    vary = {"Vary": f"{BY_ACCEPT['Vary']}, {BY_ENCODING['Vary']}"}
    return _picture(mime_type, packed, {**vary, "Content-Encoding": "gzip", **caching})


def _picture(mime_type: str, content: str | bytes, headers: Mapping[str, str]) -> Response:
    return Response(content, 200, {"Content-Security-Policy": _PICTURE_POLICY, **headers}, mime_type)


def tag_of(key: str | None) -> dict[str, str]:
    """The weak ETag of the picture under `key`; empty for None."""
    return {"ETag": f'W/"{key[:32]}"'} if key else {}


def has_tag(request: Request, headers: Mapping[str, str]) -> bool:
    """Whether If-None-Match names the ETag in `headers`."""
    tag = headers.get("ETag")
    asked = {part.strip().removeprefix("W/") for part in request.headers.get("if-none-match", "").split(",")}
    return tag is not None and ("*" in asked or tag.removeprefix("W/") in asked)


def author_body(author: Author | None) -> JsonObject | None:
    """An author on the wire; null for what has none."""
    return None if author is None else {"accountId": author.account_id, "keyName": author.key_name}


def timestamp(at: datetime) -> str:
    """ISO 8601 in UTC, to the millisecond."""
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def site_of(request: Request, public_site: str | None) -> str:
    """The address by which the caller reaches the service, unless set by the operator. Returned to the caller alone and
    never stored; an unknown host name is never returned."""
    if public_site is not None:
        return public_site
    hosts: KnownHosts | None = getattr(request.state, HOSTS, None)
    bound = cast("tuple[str, int] | None", request.scope.get("server"))
    if hosts is None or bound is None or hosts.knows(request.headers.get("host", "")):
        return str(request.base_url).rstrip("/")
    return f"http://{address_of_socket(bound)}"
