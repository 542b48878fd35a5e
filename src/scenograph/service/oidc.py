"""Sign-in by an organization's OpenID provider: the authorization code flow with PKCE, state and nonce (OpenID Connect
Core 1.0, RFC 7636, RFC 9700; R-OIDC-1, R-OIDC-2).

A flow belongs to a browser: the browser keeps a secret, from which nonce and PKCE verifier are derived, and the state
is good once, together with the secret. An identity, issuer and subject, belongs to one account for good.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import secrets
import threading
import time
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, NamedTuple, cast
from urllib.parse import quote, unquote, urlencode, urlsplit

import httpx2
import jwt
import structlog

from scenograph.late_dataclasses import dataclass
from scenograph.service.accounts import MEMBER, new_account_id, normalized
from scenograph.service.clock import Clock
from scenograph.service.errors import ServiceError, invalid_request
from scenograph.storage.interface import Account, Store

_CALLBACK_PATH = "/v1/oidc/callback"
HOME = "/"
FLOW_LIFE = timedelta(minutes=10)
SECRET_BYTES = 32
SECONDS = 5.0  # for each call of the provider
_CALLS_AT_ONCE = 4  # sign-ins that wait for the provider; each holds a thread
MOST_BYTES = 1 << 20  # of a reply
_METADATA_SECONDS = 3600.0
_KEYS_AGAIN_SECONDS = 60.0  # between two looks for a key that is not known
_LEEWAY_SECONDS = 60  # between two clocks
RETRY_SECONDS = 5.0
OK = 200
# Signatures that only the provider can make. `none` and those by a shared secret are not among them.
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
_REQUIRED_CLAIMS = ("iss", "sub", "aud", "exp", "iat")
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_RETURN = re.compile(r"/(?:scenes/[A-Za-z0-9._~:%-]{1,400}(?:\?owner=[A-Za-z0-9_-]{1,128})?)?")
_POSSIBLE = re.compile(r"[A-Za-z0-9_-]{43}")

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Organization:
    """The settings: the issuer, this service as its client, and the address to which people come back."""

    issuer: str
    client_id: str
    client_secret: str
    site: str

    @property
    def callback(self) -> str:
        """The redirect address, to be registered with the provider."""
        return f"{self.site}{_CALLBACK_PATH}"


class Identity(NamedTuple):
    """A person as the provider says; `email` only if the provider has verified the address."""

    subject: str
    email: str | None
    unverified_email: str | None


class Begun(NamedTuple):
    """A flow: the provider's address to go to, and the secret that the browser keeps."""

    address: str
    browser: str


class _ProviderError(Exception):
    """The provider's reply cannot be used; the text is for the log."""


class _Provider:
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
        """The code in the provider's reply. Raises _ProviderError for a refusal, and for a reply in another issuer's
        name (RFC 9207), or without a name where the provider announces names."""
        described = self._described()
        announced = described.get("authorization_response_iss_parameter_supported") is True
        if ("iss" in reply or announced) and reply.get("iss") != described["issuer"]:
            raise _ProviderError("the reply names another issuer")
        if "error" in reply or not reply.get("code"):
            raise _ProviderError(f"the provider refuses: {_plain(reply.get('error', 'no code'))}")
        return reply["code"]

    def identity(self, code: str, verifier: str, nonce: str) -> Identity:
        """The person behind a code. Raises _ProviderError."""
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
            raise _ProviderError("the metadata is of another issuer")
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
            raise _ProviderError("there is no ID token")
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
            raise _ProviderError(f"the ID token is refused: {type(refused).__name__}") from None
        several = isinstance(claims["aud"], list) and len(cast("list[object]", claims["aud"])) > 1
        if claims.get("azp", None if several else own) != own:
            raise _ProviderError("the ID token was made for another client")
        if not hmac.compare_digest(str(claims.get("nonce", "")).encode(), nonce.encode()):
            raise _ProviderError("the ID token is of another flow")
        if not claims["sub"]:
            raise _ProviderError("the ID token names nobody")
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
        raise _ProviderError("the ID token is signed by an unknown key")

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
            raise _ProviderError("the userinfo's `sub` differs from the ID token's")
        return told

    def _asked(self, method: str, address: str, **parts: Any) -> Mapping[str, Any]:
        """A JSON object from the provider. Raises _ProviderError; at once while _CALLS_AT_ONCE others wait, each of
        which holds a thread."""
        if not self._calls.acquire(blocking=False):
            raise _ProviderError("too many sign-ins wait for the provider")
        until = time.monotonic() + SECONDS
        try:
            with self._client.stream(method, address, **parts) as reply:
                content = bytearray()
                for chunk in reply.iter_bytes():
                    content += chunk
                    if len(content) > MOST_BYTES or time.monotonic() > until:
                        raise _ProviderError("the reply is too large, or too slow")
            found = json.loads(bytes(content)) if reply.status_code == OK else None
        except (httpx2.HTTPError, httpx2.InvalidURL, ValueError, RecursionError) as lost:
            raise _ProviderError(f"{method} {urlsplit(address).path}: {type(lost).__name__}") from None
        finally:
            self._calls.release()
        if not isinstance(found, dict):
            raise _ProviderError(f"{method} {urlsplit(address).path}: status {reply.status_code}")
        return cast("Mapping[str, Any]", found)


class OrganizationSignIn:
    """Sign-in by the organization; `provider` is None where none is set."""

    def __init__(self, store: Store, clock: Clock, organization: Organization | None) -> None:
        self._store = store
        self._clock = clock
        self._organization = organization
        self._provider = _Provider(organization) if organization else None

    @property
    def is_offered(self) -> bool:
        """Whether an organization is set."""
        return self._provider is not None

    def begin(self, return_to: str) -> Begun:
        """Begin a flow that leads back to a page of the studio. Raises not_found, invalid_request for any other place,
        sign_in_unavailable."""
        provider, organization = self._set()
        if not _RETURN.fullmatch(return_to):
            raise invalid_request("returnTo must be / or the address of a scene in the studio, such as /scenes/orders.")
        browser, state = (secrets.token_urlsafe(SECRET_BYTES) for _ in range(2))
        asked = {
            "response_type": "code",
            "client_id": organization.client_id,
            "redirect_uri": organization.callback,
            "scope": "openid email",
            "state": state,
            "nonce": _derived(browser, "nonce"),
            "code_challenge": _derived_challenge(browser),
            "code_challenge_method": "S256",
        }
        try:
            endpoint = provider.authorization_endpoint()
        except _ProviderError as lost:
            raise _unavailable(lost) from None
        self._store.add_sign_in_token(_flow_hash(state, browser), None, self._clock())
        joint = "&" if urlsplit(endpoint).query else "?"
        return Begun(f"{endpoint}{joint}{urlencode(asked)}", f"{browser}.{quote(return_to, safe='')}")

    def finish(self, reply: Mapping[str, str], browser: str | None) -> Account:
        """The account of the person who comes back with `reply`, in the browser that began the flow. Raises not_found,
        invalid_token for a flow that is unknown, over or another browser's, and sign_in_failed."""
        provider, organization = self._set()
        secret, state = _secret_of(browser), reply.get("state", "")
        known = _POSSIBLE.fullmatch(secret) and _POSSIBLE.fullmatch(state)
        since = self._clock() - FLOW_LIFE
        if not known or self._store.use_sign_in_token(_flow_hash(state, secret), since) is None:
            raise ServiceError("invalid_token", "This sign-in was not begun here, was used already, or took too long.")
        try:
            code = provider.code_in(reply)
            found = provider.identity(code, _derived(secret, "verifier"), _derived(secret, "nonce"))
        except _ProviderError as refused:
            _log.warning("sign_in_failed", reason=str(refused))
            raise ServiceError("sign_in_failed", "Your organization did not sign you in; try again.") from None
        return self._account_of(organization.issuer, found)

    def close(self) -> None:
        """Release connections."""
        if self._provider is not None:
            self._provider.close()

    def _set(self) -> tuple[_Provider, Organization]:
        if self._provider is None or self._organization is None:
            raise ServiceError("not_found", "This service has no organization to sign in with.")
        return self._provider, self._organization

    def _account_of(self, issuer: str, found: Identity) -> Account:
        """The identity's account; at first sight the account that has verified the same address, else a new one."""
        identity = hashlib.sha256(json.dumps([issuer, found.subject]).encode()).hexdigest()
        while True:
            known = self._store.account_of_identity(identity)
            if known is not None:
                return known
            now = self._clock()
            same = self._store.verified_member(found.email) if found.email else None
            if same is not None:
                self._store.link_identity(identity, same.id, now)
                continue
            account = Account(
                id=new_account_id(),
                email=found.email or found.unverified_email,
                email_verified_at=now if found.email else None,
                role=MEMBER,
            )
            self._store.open_account_of_identity(account, identity, now)


def place_of(browser: str | None) -> str:
    """The page to return to, in the value that a browser keeps; the studio for any other place."""
    place = unquote((browser or "").partition(".")[2])
    return place if _RETURN.fullmatch(place) else HOME


def _secret_of(browser: str | None) -> str:
    return (browser or "").partition(".")[0]


def _derived(secret: str, purpose: str) -> str:
    digest = hmac.new(secret.encode(), purpose.encode(), hashlib.sha256).digest()
    return _base64(digest)


def _derived_challenge(secret: str) -> str:
    """The S256 challenge of the PKCE verifier (RFC 7636, section 4.2)."""
    return _base64(hashlib.sha256(_derived(secret, "verifier").encode()).digest())


def _base64(digest: bytes) -> str:
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode("ascii")


def _flow_hash(state: str, browser: str) -> str:
    return hashlib.sha256(f"oidc {state} {browser}".encode()).hexdigest()


def _address(described: Mapping[str, Any], name: str) -> str:
    """An endpoint of the provider. Raises _ProviderError for anything but HTTPS, or HTTP on this machine."""
    address = described.get(name)
    parts = urlsplit(address) if isinstance(address, str) else None
    if parts is None or not (parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK)):
        raise _ProviderError(f"{name} is not an HTTPS address")
    return str(address)


def _possible_address(value: object) -> str | None:
    try:
        return normalized(value)
    except ServiceError:
        return None


def _plain(text: str) -> str:
    return re.sub(r"[^\x20-\x7e]", "?", text)[:80]


def _unavailable(lost: _ProviderError) -> ServiceError:
    _log.error("sign_in_unavailable", reason=str(lost))
    sentence = "Your organization's sign-in cannot be reached at the moment; try again, or sign in another way."
    return ServiceError("sign_in_unavailable", sentence, retry_after=RETRY_SECONDS)
