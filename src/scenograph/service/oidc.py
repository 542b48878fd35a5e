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
from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, unquote, urlencode, urlsplit

import structlog

from scenograph.late_dataclasses import dataclass
from scenograph.service.accounts import MEMBER, new_account_id
from scenograph.service.clock import Clock
from scenograph.service.errors import ServiceError, invalid_request
from scenograph.storage.interface import Account, Store

if TYPE_CHECKING:
    from scenograph.service.openid_provider import OpenIdProvider

_CALLBACK_PATH = "/v1/oidc/callback"
HOME = "/"
FLOW_LIFE = timedelta(minutes=10)
SECRET_BYTES = 32
RETRY_SECONDS = 5.0
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


class ProviderError(Exception):
    """The provider's reply cannot be used; the text is for the log."""


class OrganizationSignIn:
    """Sign-in by the organization; `provider` is None where none is set."""

    def __init__(self, store: Store, clock: Clock, organization: Organization | None) -> None:
        self._store = store
        self._clock = clock
        self._organization = organization
        self._provider: OpenIdProvider | None = None
        if organization is not None:
            from scenograph.service.openid_provider import OpenIdProvider  # noqa: PLC0415 - most services have none

            self._provider = OpenIdProvider(organization)

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
        except ProviderError as lost:
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
        except ProviderError as refused:
            _log.warning("sign_in_failed", reason=str(refused))
            raise ServiceError("sign_in_failed", "Your organization did not sign you in; try again.") from None
        return self._account_of(organization.issuer, found)

    def close(self) -> None:
        """Release connections."""
        if self._provider is not None:
            self._provider.close()

    def _set(self) -> tuple[OpenIdProvider, Organization]:
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


def _unavailable(lost: ProviderError) -> ServiceError:
    _log.error("sign_in_unavailable", reason=str(lost))
    sentence = "Your organization's sign-in cannot be reached at the moment; try again, or sign in another way."
    return ServiceError("sign_in_unavailable", sentence, retry_after=RETRY_SECONDS)
