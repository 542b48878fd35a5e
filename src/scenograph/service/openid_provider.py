"""The organization's OpenID provider: its metadata, keys, tokens and claims (OpenID Connect Core 1.0, R-OIDC-1).

Imported where an organization is set: signatures and calls over HTTPS take some fifty ms to import.
"""

from __future__ import annotations

import hmac
import json
import re
import threading
import time
from collections.abc import Mapping
from typing import Any, cast
from urllib.parse import quote, urlsplit

import httpx2
import jwt

from scenograph.service.accounts import normalized
from scenograph.service.errors import ServiceError
from scenograph.service.oidc import Identity, Organization, ProviderError

SECONDS = 5.0  # for each call of the provider
_CALLS_AT_ONCE = 4  # sign-ins that wait for the provider; each holds a thread
MOST_BYTES = 1 << 20  # of a reply
_METADATA_SECONDS = 3600.0
_KEYS_AGAIN_SECONDS = 60.0  # between two looks for a key that is not known
_LEEWAY_SECONDS = 60  # between two clocks
OK = 200
# Signatures that only the provider can make. `none` and those by a shared secret are not among them.
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
_REQUIRED_CLAIMS = ("iss", "sub", "aud", "exp", "iat")
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class OpenIdProvider:
    """The OpenID provider, called over HTTPS; plain HTTP only on this machine. Redirects are not followed."""

    def __init__(self, organization: Organization) -> None:
        self._organization = organization
        self._client = httpx2.Client(timeout=SECONDS, follow_redirects=False, trust_env=True)
        self._calls = threading.BoundedSemaphore(_CALLS_AT_ONCE)
        self._metadata: tuple[float, Mapping[str, Any]] | None = None
        self._keys: tuple[float, jwt.PyJWKSet] | None = None

    def authorization_endpoint(self) -> str:
        """The address of the provider's sign-in page."""
        return _address(self._described(), "authorization_endpoint")

    def code_in(self, reply: Mapping[str, str]) -> str:
        """The code in the provider's reply. Raises ProviderError for a refusal, and for a reply in another issuer's
        name (RFC 9207), or without a name where the provider announces names."""
        described = self._described()
        announced = described.get("authorization_response_iss_parameter_supported") is True
        if ("iss" in reply or announced) and reply.get("iss") != described["issuer"]:
            raise ProviderError("the reply names another issuer")
        if "error" in reply or not reply.get("code"):
            raise ProviderError(f"the provider refuses: {_plain(reply.get('error', 'no code'))}")
        return reply["code"]

    def identity(self, code: str, verifier: str, nonce: str) -> Identity:
        """The person behind a code. Raises ProviderError."""
        tokens = self._exchanged(code, verifier)
        claims = self._claims(tokens.get("id_token"), nonce)
        subject = str(claims["sub"])
        told = claims
        if "email" not in claims and "userinfo_endpoint" in self._described():
            told = self._told_of(tokens.get("access_token"), subject)
        address = _possible_address(told.get("email"))
        verified = told.get("email_verified") is True
        return Identity(subject, address if verified else None, None if verified else address)

    def close(self) -> None:
        """Release connections."""
        self._client.close()

    def _described(self) -> Mapping[str, Any]:
        """The provider's metadata, kept for an hour (OpenID Connect Discovery 1.0, section 4)."""
        kept = self._metadata
        if kept is not None and time.monotonic() - kept[0] < _METADATA_SECONDS:
            return kept[1]
        issuer = self._organization.issuer
        found = self._asked("GET", f"{issuer}/.well-known/openid-configuration")
        if str(found.get("issuer", "")).rstrip("/") != issuer:
            raise ProviderError("the metadata is of another issuer")
        self._metadata = (time.monotonic(), found)
        return found

    def _exchanged(self, code: str, verifier: str) -> Mapping[str, Any]:
        """The tokens for a code, by the client's secret and the PKCE verifier."""
        own = self._organization
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": own.callback,
            "code_verifier": verifier,
        }
        described = self._described()
        ways = described.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
        if "client_secret_basic" in ways:
            auth = httpx2.BasicAuth(quote(own.client_id, safe=""), quote(own.client_secret, safe=""))
            return self._asked("POST", _address(described, "token_endpoint"), data=form, auth=auth)
        form |= {"client_id": own.client_id, "client_secret": own.client_secret}
        return self._asked("POST", _address(described, "token_endpoint"), data=form)

    def _claims(self, token: object, nonce: str) -> Mapping[str, Any]:
        """The checked claims of an ID token (OpenID Connect Core 1.0, section 3.1.3.7)."""
        if not isinstance(token, str):
            raise ProviderError("there is no ID token")
        own = self._organization.client_id
        try:
            key = self._key_of(token)
            claims = jwt.decode(
                token,
                key=key,
                algorithms=ALGORITHMS,
                audience=own,
                issuer=str(self._described()["issuer"]),
                leeway=_LEEWAY_SECONDS,
                options={"require": list(_REQUIRED_CLAIMS), "strict_aud": False},
            )
        except jwt.PyJWTError as refused:
            raise ProviderError(f"the ID token is refused: {type(refused).__name__}") from None
        several = isinstance(claims["aud"], list) and len(cast("list[object]", claims["aud"])) > 1
        if claims.get("azp", None if several else own) != own:
            raise ProviderError("the ID token was made for another client")
        if not hmac.compare_digest(str(claims.get("nonce", "")).encode(), nonce.encode()):
            raise ProviderError("the ID token is of another flow")
        if not claims["sub"]:
            raise ProviderError("the ID token names nobody")
        return claims

    def _key_of(self, token: str) -> jwt.PyJWK:
        """The provider's key by the id in the token's head; the keys are read again for an unknown id."""
        head = jwt.get_unverified_header(token)
        if head.get("alg") not in ALGORITHMS:
            raise jwt.InvalidAlgorithmError
        wanted = head.get("kid")
        for again in (False, True):
            keys = self._known_keys(again=again).keys
            found = [key for key in keys if wanted is None or key.key_id == wanted]
            if len(found) == 1 or (wanted is not None and found):
                return found[0]
        raise ProviderError("the ID token is signed by an unknown key")

    def _known_keys(self, *, again: bool) -> jwt.PyJWKSet:
        address = _address(self._described(), "jwks_uri")
        kept = self._keys
        if kept is not None and time.monotonic() - kept[0] < (_KEYS_AGAIN_SECONDS if again else _METADATA_SECONDS):
            return kept[1]
        keys = jwt.PyJWKSet.from_dict(dict(self._asked("GET", address)))
        self._keys = (time.monotonic(), keys)
        return keys

    def _told_of(self, access_token: object, subject: str) -> Mapping[str, Any]:
        """The claims of the userinfo endpoint, if they are of the same person."""
        headers = {"Authorization": f"Bearer {access_token}"}
        told = self._asked("GET", _address(self._described(), "userinfo_endpoint"), headers=headers)
        if told.get("sub") != subject:
            raise ProviderError("the userinfo's `sub` differs from the ID token's")
        return told

    def _asked(self, method: str, address: str, **parts: Any) -> Mapping[str, Any]:
        """A JSON object from the provider. Raises ProviderError; at once while _CALLS_AT_ONCE others wait, each of
        which holds a thread."""
        if not self._calls.acquire(blocking=False):
            raise ProviderError("too many sign-ins wait for the provider")
        until = time.monotonic() + SECONDS
        try:
            with self._client.stream(method, address, **parts) as reply:
                content = bytearray()
                for chunk in reply.iter_bytes():
                    content += chunk
                    if len(content) > MOST_BYTES or time.monotonic() > until:
                        raise ProviderError("the reply is too large, or too slow")
            found = json.loads(bytes(content)) if reply.status_code == OK else None
        except (httpx2.HTTPError, httpx2.InvalidURL, ValueError, RecursionError) as lost:
            raise ProviderError(f"{method} {urlsplit(address).path}: {type(lost).__name__}") from None
        finally:
            self._calls.release()
        if not isinstance(found, dict):
            raise ProviderError(f"{method} {urlsplit(address).path}: status {reply.status_code}")
        return cast("Mapping[str, Any]", found)


def _address(described: Mapping[str, Any], name: str) -> str:
    """An endpoint of the provider. Raises ProviderError for anything but HTTPS, or HTTP on this machine."""
    address = described.get(name)
    parts = urlsplit(address) if isinstance(address, str) else None
    if parts is None or not (parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK)):
        raise ProviderError(f"{name} is not an HTTPS address")
    return str(address)


def _possible_address(value: object) -> str | None:
    try:
        return normalized(value)
    except ServiceError:
        return None


def _plain(text: str) -> str:
    return re.sub(r"[^\x20-\x7e]", "?", text)[:80]
