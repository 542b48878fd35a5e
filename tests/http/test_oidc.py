"""Signing in by an organization's OpenID provider: with a provider as others run it, and with one that lies."""

from __future__ import annotations

import base64
import hmac
import json
import time
import warnings
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import jwt
import pytest
from pydantic import SecretStr
from starlette.testclient import TestClient
from tests.http.provider import CLIENT, SECRET, Claims, LyingProvider, lying_provider

from scenograph.http.app import create_app
from scenograph.settings import Settings, SettingsError
from scenograph.wiring import Services, build

with warnings.catch_warnings():  # of the libraries that the provider is made with
    warnings.simplefilter("ignore")
    from oidc_provider_mock import run_server_in_thread

SITE = "https://diagrams.example"
COOKIE, FLOW = "__Host-scenograph", "__Host-scenograph-sign-in"
PEOPLE = count()


def services_with(settings: Settings, issuer: str) -> Services:
    changes = {
        "public_site": SITE,
        "oidc_issuer": issuer,
        "oidc_client_id": CLIENT,
        "oidc_client_secret": SecretStr(SECRET),
        "render_workers": 1,
    }
    return build(settings.model_copy(update=changes))


@pytest.fixture(scope="module")
def lying() -> Iterator[LyingProvider]:
    with lying_provider() as provider:
        yield provider


@pytest.fixture
def provider(lying: LyingProvider) -> LyingProvider:
    lying.reset()
    lying.person = {**lying.person, "sub": f"p{next(PEOPLE)}", "email": f"p{next(PEOPLE)}@example.org"}
    return lying


@pytest.fixture(scope="module")
def served(settings: Settings, lying: LyingProvider) -> Iterator[Services]:
    services = services_with(settings, lying.url)
    yield services
    services.close()


@pytest.fixture
def browser(served: Services) -> Iterator[TestClient]:
    with TestClient(create_app(served), base_url=SITE, follow_redirects=False) as client:
        yield client


def begin(browser: TestClient, **query: str) -> tuple[str, dict[str, str]]:
    """The address that the browser is sent to, and its parameters."""
    reply = browser.get("/v1/oidc/start", params=query)
    assert reply.status_code == 303, reply.text
    address = reply.headers["location"]
    return address, {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}


def come_back(browser: TestClient, **reply: str) -> Any:
    return browser.get("/v1/oidc/callback", params=reply)


def sign_in(browser: TestClient, provider: LyingProvider) -> Any:
    address, asked = begin(browser)
    return come_back(browser, code=provider.authorize(address), state=asked["state"])


def account(browser: TestClient) -> dict[str, Any]:
    reply = browser.get("/v1/account")
    assert reply.status_code == 200, reply.text
    return reply.json()


def refused(reply: Any, browser: TestClient) -> None:
    assert (reply.status_code, "You are not signed in" in reply.text) == (400, True)
    assert COOKIE not in browser.cookies
    assert browser.get("/v1/account").status_code == 401


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the library that the provider is made with
def test_with_a_provider_as_others_run_it(settings: Settings) -> None:
    with run_server_in_thread() as server:
        issuer = f"http://localhost:{server.server_port}"
        services = services_with(settings, issuer)
        with TestClient(create_app(services), base_url=SITE, follow_redirects=False) as browser:
            for told in ({"email": "org@example.org", "email_verified": True}, {"email": "new@example.org"}):
                httpx2.put(f"{issuer}/users/u1", json=told, timeout=30).raise_for_status()
                address, asked = begin(browser, returnTo="/scenes/orders?owner=acc_1")
                back = httpx2.post(address, data={"sub": "u1"}, timeout=30).headers["location"]
                assert back.startswith(f"{SITE}/v1/oidc/callback?")
                done = browser.get(back.removeprefix(SITE))
                assert (done.status_code, done.headers["location"]) == (303, "/scenes/orders?owner=acc_1")
                assert account(browser)["email"] == "org@example.org", "the person, not the address, is the account"
                again = browser.get(back.removeprefix(SITE))
                assert again.status_code == 400, "neither code nor state is good twice"
            denied = httpx2.post(begin(browser)[0], data={"action": "deny"}, timeout=30).headers["location"]
            assert "error=access_denied" in denied
        services.close()
    assert asked["client_id"] == CLIENT


def test_the_flow_asks_for_a_code_with_pkce_state_and_nonce(browser: TestClient, provider: LyingProvider) -> None:
    address, asked = begin(browser)
    assert address.startswith(f"{provider.url}/authorization?")
    assert asked["redirect_uri"] == f"{SITE}/v1/oidc/callback"
    assert (asked["response_type"], asked["scope"]) == ("code", "openid email")
    assert asked["code_challenge_method"] == "S256"
    assert len({asked["state"], asked["nonce"], asked["code_challenge"]}) == 3
    assert all(len(asked[name]) == 43 for name in ("state", "nonce", "code_challenge"))
    assert begin(browser)[1]["state"] != asked["state"]
    kept = browser.cookies[FLOW]
    assert not any(asked[name] in kept for name in ("state", "nonce", "code_challenge"))


def test_a_verified_address_is_a_verified_account_and_the_person_finds_it_again(
    browser: TestClient, provider: LyingProvider
) -> None:
    done = sign_in(browser, provider)
    assert (done.status_code, done.headers["location"]) == (303, "/")
    for part in ("HttpOnly", "Secure", "SameSite=strict"):
        assert part in done.headers["set-cookie"]
    assert FLOW not in browser.cookies
    first, token = account(browser), browser.cookies[COOKIE]
    assert (first["email"], first["emailVerifiedAt"] is None) == (provider.person["email"], False)
    provider.person = {**provider.person, "email": "moved@example.org"}
    sign_in(browser, provider)
    assert account(browser)["accountId"] == first["accountId"]
    assert browser.cookies[COOKIE] != token
    assert browser.get("/v1/account", headers={"Cookie": f"{COOKIE}={token}"}).status_code == 401


def test_a_verified_address_joins_the_account_that_has_verified_it(
    browser: TestClient, provider: LyingProvider, served: Services
) -> None:
    mine = served.accounts.of_operator("member", str(provider.person["email"]))
    sign_in(browser, provider)
    assert account(browser)["accountId"] == mine.id


@pytest.mark.parametrize("verified", [False, None, "true", 1], ids=repr)
def test_an_address_that_the_provider_has_not_verified_joins_nothing(
    browser: TestClient, provider: LyingProvider, served: Services, verified: object
) -> None:
    mine = served.accounts.of_operator("member", str(provider.person["email"]))
    provider.person = {**provider.person, "email_verified": verified}
    sign_in(browser, provider)
    told = account(browser)
    assert told["accountId"] != mine.id
    assert (told["email"], told["emailVerifiedAt"]) == (provider.person["email"], None)


def test_an_address_that_no_mail_can_reach_is_left_out(browser: TestClient, provider: LyingProvider) -> None:
    provider.person = {**provider.person, "email": "a@b\r\nBcc: x@example.org"}
    sign_in(browser, provider)
    assert account(browser)["email"] is None


def test_userinfo_tells_the_address_if_it_is_of_the_same_person(browser: TestClient, provider: LyingProvider) -> None:
    told = provider.person
    provider.person = {"sub": told["sub"]}
    provider.userinfo = {**told, "sub": "somebody else"}
    refused(sign_in(browser, provider), browser)
    provider.userinfo = told
    sign_in(browser, provider)
    assert account(browser)["email"] == told["email"]


def _unsigned(claims: Claims) -> str:
    parts = ({"alg": "none", "typ": "JWT"}, claims)
    return ".".join(base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode() for part in parts) + "."


def _by_public_key(provider: LyingProvider) -> Callable[[Claims], str]:
    """HS256 with the public key as the secret: what a verifier that believes the head takes."""
    head = base64.urlsafe_b64encode(json.dumps({"alg": "HS256", "typ": "JWT", "kid": "one"}).encode()).rstrip(b"=")

    def sign(claims: Claims) -> str:
        body = base64.urlsafe_b64encode(json.dumps(claims).encode()).rstrip(b"=")
        secret = json.dumps(provider.keys()["keys"][0]).encode()
        mark = hmac.digest(secret, head + b"." + body, "sha256")
        return b".".join((head, body, base64.urlsafe_b64encode(mark).rstrip(b"="))).decode()

    return sign


LIES: dict[str, Callable[[Claims], Claims]] = {
    "another audience": lambda claims: claims | {"aud": "another"},
    "several audiences without a client": lambda claims: claims | {"aud": [CLIENT, "another"]},
    "another client": lambda claims: claims | {"azp": "another"},
    "another issuer": lambda claims: claims | {"iss": "https://evil.example"},
    "expired": lambda claims: claims | {"exp": int(time.time()) - 120},
    "of tomorrow": lambda claims: claims | {"nbf": int(time.time()) + 86_400},
    "another nonce": lambda claims: claims | {"nonce": "n" * 43},
    "no nonce": lambda claims: {name: value for name, value in claims.items() if name != "nonce"},
    "no expiry": lambda claims: {name: value for name, value in claims.items() if name != "exp"},
    "no subject": lambda claims: {name: value for name, value in claims.items() if name != "sub"},
    "an empty subject": lambda claims: claims | {"sub": ""},
}


@pytest.mark.parametrize("lie", LIES)
def test_a_token_that_is_not_for_this_flow_signs_nobody_in(
    browser: TestClient, provider: LyingProvider, lie: str
) -> None:
    provider.change = LIES[lie]
    refused(sign_in(browser, provider), browser)


def test_a_token_that_the_provider_did_not_sign_signs_nobody_in(browser: TestClient, provider: LyingProvider) -> None:
    signatures: tuple[Callable[[Claims], str], ...] = (
        _unsigned,
        _by_public_key(provider),
        lambda claims: provider.signed(claims, provider.other),
        lambda claims: provider.signed(claims)[:-8] + "AAAAAAAA",
        lambda claims: jwt.encode(claims, SECRET * 2, algorithm="HS256"),
        lambda _: "no token",
        lambda _: "",
    )
    for sign in signatures:
        provider.sign = sign
        refused(sign_in(browser, provider), browser)


def test_a_state_is_good_once_and_in_its_own_browser(
    browser: TestClient, provider: LyingProvider, served: Services
) -> None:
    address, asked = begin(browser)
    code, kept = provider.authorize(address), browser.cookies[FLOW]
    with TestClient(create_app(served), base_url=SITE, follow_redirects=False) as victim:
        refused(come_back(victim, code=code, state=asked["state"]), victim)
        begin(victim)  # a victim with a flow of her own
        refused(come_back(victim, code=code, state=asked["state"]), victim)
    assert come_back(browser, code=code, state=asked["state"]).status_code == 303
    browser.cookies.clear()
    browser.cookies.set(FLOW, kept, domain="diagrams.example")
    refused(come_back(browser, code=provider.authorize(address), state=asked["state"]), browser)


@pytest.mark.parametrize("state", ["", "x", "y" * 43, "é" * 43])
def test_a_state_that_nobody_gave_out_asks_the_provider_nothing(
    browser: TestClient, provider: LyingProvider, state: str
) -> None:
    begin(browser)
    before = len(provider.asked)
    refused(come_back(browser, code="c", state=state), browser)
    assert len(provider.asked) == before


def test_a_code_of_another_flow_is_refused_by_its_verifier(
    browser: TestClient, provider: LyingProvider, served: Services
) -> None:
    with TestClient(create_app(served), base_url=SITE, follow_redirects=False) as attacker:
        stolen = provider.authorize(begin(attacker)[0])
    _, asked = begin(browser)
    refused(come_back(browser, code=stolen, state=asked["state"]), browser)


def test_a_reply_in_another_issuers_name_is_refused(settings: Settings, provider: LyingProvider) -> None:
    provider.metadata = {"authorization_response_iss_parameter_supported": True}
    services = services_with(settings, provider.url)
    with TestClient(create_app(services), base_url=SITE, follow_redirects=False) as browser:
        for named in ({"iss": "https://evil.example"}, {}):
            address, asked = begin(browser)
            refused(come_back(browser, code=provider.authorize(address), state=asked["state"], **named), browser)
        address, asked = begin(browser)
        done = come_back(browser, code=provider.authorize(address), state=asked["state"], iss=provider.url)
        assert done.status_code == 303
    services.close()


ELSEWHERE = (
    *("https://evil.example", "//evil.example", "/\\evil.example", "javascript:1", ""),
    *(
        "/docs",
        "/scenes/../v1/oidc/start",
        "/scenes/a?b",
        "/scenes/a\r\nX: y",
        "/scenes/a?owner=b&c=d",
        "/scenes/a?owner=//b",
    ),
)


@pytest.mark.parametrize("place", ELSEWHERE)
def test_nobody_is_sent_to_another_place_than_the_studio(
    browser: TestClient, provider: LyingProvider, place: str
) -> None:
    reply = browser.get("/v1/oidc/start", params={"returnTo": place})
    assert (reply.status_code, reply.json()["code"]) == (400, "invalid_request")
    address, asked = begin(browser)
    secret = browser.cookies[FLOW].partition(".")[0]
    browser.cookies.clear()
    browser.cookies.set(FLOW, f"{secret}.{place}", domain="diagrams.example")
    done = come_back(browser, code=provider.authorize(address), state=asked["state"])
    assert (done.status_code, done.headers.get("location")) in {(303, "/"), (400, None)}


def test_a_suspended_account_is_not_signed_in(browser: TestClient, provider: LyingProvider, served: Services) -> None:
    mine = served.accounts.of_operator("member", str(provider.person["email"]))
    served.accounts.suspend(mine.id)
    reply = sign_in(browser, provider)
    assert (reply.status_code, "suspended" in reply.text) == (403, True)
    assert COOKIE not in browser.cookies


def test_a_provider_that_is_away_is_told_and_stops_nothing(settings: Settings, provider: LyingProvider) -> None:
    provider.is_down = True
    services = services_with(settings, provider.url)
    with TestClient(create_app(services), base_url=SITE, follow_redirects=False) as browser:
        reply = browser.get("/v1/oidc/start")
        assert (reply.status_code, reply.json()["code"]) == (503, "sign_in_unavailable")
        assert reply.headers["retry-after"]
        provider.is_down = False
        address, asked = begin(browser)
        provider.is_down = True
        refused(come_back(browser, code=provider.authorize(address), state=asked["state"]), browser)
    services.close()


@pytest.mark.parametrize("name", ["issuer", "token_endpoint", "jwks_uri", "authorization_endpoint"])
def test_a_description_that_leads_elsewhere_or_in_the_clear_is_not_followed(
    settings: Settings, provider: LyingProvider, name: str
) -> None:
    provider.metadata = {name: "http://evil.example/x"}
    services = services_with(settings, provider.url)
    with TestClient(create_app(services), base_url=SITE, follow_redirects=False) as browser:
        reply = browser.get("/v1/oidc/start")
        if reply.status_code == 303:
            _, asked = begin(browser)
            reply = come_back(browser, code=provider.authorize(reply.headers["location"]), state=asked["state"])
        assert reply.status_code in {400, 503}
        assert COOKIE not in browser.cookies
    services.close()


def test_without_an_organization_there_is_nothing_at_the_address(client: TestClient) -> None:
    for path in ("/v1/oidc/start", "/v1/oidc/callback"):
        reply = client.get(path)
        assert (reply.status_code, reply.json()["code"]) == (404, "not_found")


@pytest.mark.parametrize(
    ("variables", "sentence"),
    [
        ({"OIDC_ISSUER": "https://id.example.net"}, "must be set together"),
        ({"OIDC_ISSUER": "http://id.example.net"}, "OIDC_ISSUER must begin with https://"),
        ({"OIDC_CLIENT_ID": "x", "PUBLIC_SITE": "https://diagrams.test"}, "must be set together"),
    ],
)
def test_half_a_provider_stops_the_start(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], sentence: str
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError, match=sentence):
        Settings.load()
