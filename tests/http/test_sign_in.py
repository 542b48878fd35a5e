"""Signing in by a mailed link, with a real mail server: page, cookie, and what other pages cannot do with it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.http.inbox import Inbox

from scenograph.http.app import create_app
from scenograph.service.people import OWNER, SceneAccess
from scenograph.settings import Settings
from scenograph.wiring import Services, build

SITE = "https://diagrams.example"
COOKIE = "__Host-scenograph"
OWN = {"Origin": SITE}
PEOPLE = count()
Document = dict[str, Any]


@pytest.fixture(scope="module")
def signing_services(open_settings: Settings) -> Iterator[Services]:
    services = build(open_settings)
    yield services
    services.close()


@pytest.fixture
def browser(signing_services: Services) -> Iterator[TestClient]:
    """A browser with cookies of its own, at the service's address."""
    with TestClient(create_app(signing_services), base_url=SITE, raise_server_exceptions=False) as client:
        yield client


def somebody(browser: TestClient, inbox: Inbox) -> tuple[str, dict[str, str]]:
    """A verified address, and the header of its account's key."""
    email = f"mia{next(PEOPLE)}@example.org"
    reply = browser.post("/v1/accounts", json={"email": email})
    assert browser.post(inbox.link()).status_code == 200
    return email, {"Authorization": f"Bearer {reply.json()['apiKey']['key']}"}


def link_for(browser: TestClient, inbox: Inbox, email: str) -> str:
    reply = browser.post("/v1/sign-in", json={"email": email})
    assert (reply.status_code, reply.json()) == (202, {"email": email})
    return inbox.link()


def sign_in(browser: TestClient, inbox: Inbox, email: str) -> str:
    """Signs in; gives the cookie's value."""
    reply = browser.post(link_for(browser, inbox, email), headers=OWN, follow_redirects=False)
    assert (reply.status_code, reply.headers["location"]) == (303, "/")
    return str(browser.cookies[COOKIE])


def test_from_a_link_to_the_scenes_of_the_account_and_out_again(
    browser: TestClient, inbox: Inbox, document: Document
) -> None:
    email, key = somebody(browser, inbox)
    browser.post("/v1/scenes", json=document, headers=key)
    link = link_for(browser, inbox, email)
    page = browser.get(link)
    assert page.status_code == 200
    assert "<script" not in page.text
    assert "set-cookie" not in page.headers
    assert (page.headers["cache-control"], page.headers["referrer-policy"]) == ("no-store", "same-origin")
    button = re.search(r'<form method="post" action="([^"]+)">', page.text)
    assert button
    done = browser.post(f"/accounts/sign-in{button[1]}", headers=OWN, follow_redirects=False)
    assert (done.status_code, done.headers["location"]) == (303, "/")
    said = done.headers["set-cookie"]
    assert said.startswith(f"{COOKIE}=")
    for part in ("HttpOnly", "Secure", "SameSite=strict", "Path=/", "Max-Age=2592000"):
        assert part in said
    assert "Domain" not in said
    assert [item["sceneId"] for item in browser.get("/v1/scenes").json()["items"]] == [document["scene"]["id"]]
    out = browser.post("/v1/sign-out", headers=OWN)
    assert (out.status_code, out.json()) == (200, {"ended": 1})
    assert COOKIE not in browser.cookies
    assert browser.get("/v1/scenes").json()["code"] == "missing_api_key"


def test_opening_the_link_signs_nobody_in_and_its_button_does_once(browser: TestClient, inbox: Inbox) -> None:
    email, _ = somebody(browser, inbox)
    link = link_for(browser, inbox, email)
    for _ in range(3):  # mail programs open links before people do
        assert "set-cookie" not in browser.get(link).headers
    assert browser.get("/v1/account").status_code == 401
    assert browser.post(link, headers=OWN, follow_redirects=False).status_code == 303
    spent = browser.post(link, headers=OWN)
    assert (spent.status_code, "no longer valid" in spent.text, "15 minutes" in spent.text) == (400, True, True)


@pytest.mark.parametrize("email", ["nobody@example.org", "unverified@example.org"])
def test_whether_an_address_has_an_account_is_not_told(browser: TestClient, inbox: Inbox, email: str) -> None:
    known, _ = somebody(browser, inbox)
    browser.post("/v1/accounts", json={"email": "unverified@example.org"})
    inbox.link()
    replies = []
    for asked in (known, email):
        reply = browser.post("/v1/sign-in", json={"email": asked})
        headers = {name: value for name, value in reply.headers.items() if "ratelimit" not in name}
        headers = {name: value for name, value in headers.items() if name not in {"x-request-id", "content-length"}}
        replies.append((reply.status_code, headers, set(reply.json())))
    assert replies[0] == replies[1]
    inbox.link()
    assert not inbox.arrived.acquire(blocking=False)


def test_a_sign_in_changes_the_cookie_and_ends_the_former_one(browser: TestClient, inbox: Inbox) -> None:
    email, _ = somebody(browser, inbox)
    browser.cookies.set(COOKIE, "p" * 43, domain="diagrams.example")  # what an attacker planted
    planted = browser.get("/v1/account")
    assert (planted.status_code, planted.json()["code"]) == (401, "session_ended")
    first = sign_in(browser, inbox, email)
    assert first != "p" * 43
    second = sign_in(browser, inbox, email)
    browser.cookies.clear()
    assert browser.get("/v1/account", headers={"Cookie": f"{COOKIE}={first}"}).json()["code"] == "session_ended"
    assert browser.get("/v1/account", headers={"Cookie": f"{COOKIE}={second}"}).json()["email"] == email


FOREIGN = (
    {},
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": f"{SITE}.evil.example"},
    {"Origin": "http://diagrams.example:8080"},
    {"Origin": "http://diagrams.example"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site", "Origin": SITE},
    {"Sec-Fetch-Site": "cross-site", "Origin": SITE},
)


@pytest.mark.parametrize("said", FOREIGN, ids=str)
def test_another_page_changes_nothing_with_the_cookie(
    browser: TestClient, inbox: Inbox, document: Document, said: dict[str, str]
) -> None:
    email, _ = somebody(browser, inbox)
    sign_in(browser, inbox, email)
    refused = browser.post("/v1/scenes", json=document, headers=said)
    assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
    assert browser.get("/v1/scenes", headers=said).json()["items"] == []
    assert "access-control-allow-credentials" not in refused.headers
    assert browser.post("/v1/sign-out", headers=said).status_code == 403
    for own in (OWN, {"Sec-Fetch-Site": "same-origin"}):
        document["scene"]["id"] = f"s{next(PEOPLE)}"
        assert browser.post("/v1/scenes", json=document, headers=own).status_code == 201


@pytest.mark.parametrize("said", FOREIGN, ids=str)
def test_another_page_signs_nobody_in_with_a_link_of_its_own(
    browser: TestClient, inbox: Inbox, said: dict[str, str]
) -> None:
    email, _ = somebody(browser, inbox)
    link = link_for(browser, inbox, email)
    assert browser.post(link, headers=said).status_code == 403
    assert COOKIE not in browser.cookies
    assert browser.post(link, headers=OWN, follow_redirects=False).status_code == 303, "the link is not used up"


def test_a_key_wins_over_the_cookie_and_needs_no_page(browser: TestClient, inbox: Inbox) -> None:
    first, _ = somebody(browser, inbox)
    second, key = somebody(browser, inbox)
    sign_in(browser, inbox, first)
    assert browser.get("/v1/account", headers=key).json()["email"] == second
    assert browser.post("/v1/auth/keys", json={"name": "x"}, headers=key).status_code == 201
    assert browser.get("/v1/account", headers={"Authorization": "Bearer nothing"}).json()["code"] == "invalid_api_key"
    assert browser.get("/v1/account", headers={"Authorization": "Basic eDp5"}).json()["email"] == first, (
        "a proxy's password is no key"
    )


def test_signing_out_everywhere_ends_all_browsers_and_no_key(
    browser: TestClient, inbox: Inbox, signing_services: Services
) -> None:
    email, key = somebody(browser, inbox)
    sign_in(browser, inbox, email)
    with TestClient(create_app(signing_services), base_url=SITE) as other:
        sign_in(other, inbox, email)
        assert browser.post("/v1/sign-out", json={"everywhere": True}, headers=OWN).json() == {"ended": 2}
        assert other.get("/v1/account").json()["code"] == "session_ended"
    assert browser.get("/v1/account", headers=key).status_code == 200
    assert browser.post("/v1/sign-out", headers=key).json() == {"ended": 0}
    wrong = browser.post("/v1/sign-out", json={"everywhere": "yes"}, headers=key)
    assert (wrong.status_code, wrong.json()["error"]) == (400, "everywhere must be true or false.")


def test_who_lost_the_key_makes_another_one_and_revokes_the_first(browser: TestClient, inbox: Inbox) -> None:
    email, lost = somebody(browser, inbox)
    sign_in(browser, inbox, email)
    made = browser.post("/v1/auth/keys", json={"name": "new"}, headers=OWN).json()
    first, _ = browser.get("/v1/auth/keys").json()["items"]
    assert browser.delete(f"/v1/auth/keys/{first['id']}", headers=OWN).status_code == 200
    assert browser.get("/v1/account", headers=lost).status_code == 401
    assert browser.get("/v1/account", headers={"Authorization": f"Bearer {made['key']}"}).status_code == 200


def test_the_account_tells_its_quotas(browser: TestClient, inbox: Inbox, document: Document) -> None:
    email, key = somebody(browser, inbox)
    browser.post("/v1/scenes", json=document, headers=key)
    told = browser.get("/v1/account", headers=key).json()
    assert told["email"] == email
    assert (told["keys"], told["scenes"]) == ({"used": 1, "limit": 50}, {"used": 1, "limit": 10_000})
    assert told["storedBytes"]["limit"] == 2 << 30
    assert told["storedBytes"]["used"] > 100
    assert (told["role"], told["emailVerifiedAt"][-1], told["createdAt"][-1]) == ("member", "Z", "Z")


def test_an_unverified_account_may_have_two_keys_and_no_limit_is_null(open_settings: Settings) -> None:
    services = build(open_settings.model_copy(update={"max_scenes": 0, "smtp_url": None}))
    with TestClient(create_app(services)) as client:
        reply = client.post("/v1/accounts", json={"email": f"u{next(PEOPLE)}@example.org"})
        told = client.get("/v1/account", headers={"Authorization": f"Bearer {reply.json()['apiKey']['key']}"}).json()
    services.close()
    assert (told["keys"], told["scenes"]) == ({"used": 1, "limit": 2}, {"used": 0, "limit": None})
    assert told["emailVerifiedAt"] is None


def test_a_suspended_account_is_refused_on_every_keyed_route_at_once_and_its_pages_are_gone(
    browser: TestClient, inbox: Inbox, document: Document, signing_services: Services
) -> None:
    email, key = somebody(browser, inbox)
    sign_in(browser, inbox, email)
    scene = document["scene"]["id"]
    browser.post("/v1/scenes", json=document, headers=key)
    browser.post(f"/v1/scenes/{scene}/publish", headers=key)
    faces = [f"/s/{scene}", f"/s/{scene}.svg", f"/s/{scene}.png", f"/s/{scene}/embed", f"/v1/public/scenes/{scene}"]
    assert [browser.get(path).status_code for path in faces] == [200] * len(faces)
    link = link_for(browser, inbox, email)
    account = browser.get("/v1/account").json()["accountId"]
    signing_services.accounts.suspend(account)
    for headers in (key, OWN):
        for method, path in (("GET", "/v1/scenes"), ("POST", f"/v1/scenes/{scene}/render"), ("GET", "/v1/account")):
            refused = browser.request(method, path, headers=headers)
            assert (refused.status_code, refused.json()["code"]) == (403, "account_suspended"), path
    assert [browser.get(path).status_code for path in faces] == [404] * len(faces)
    assert browser.post("/v1/scenes/render", json={"scene": document}, headers=key).status_code == 200, (
        "what asks for no key answers as without one"
    )
    page = browser.post(link, headers=OWN)
    assert (page.status_code, "suspended" in page.text) == (403, True)
    signing_services.accounts.resume(account)
    assert [browser.get(path).status_code for path in faces] == [200] * len(faces)
    assert browser.get("/v1/account", headers=key).status_code == 200


def test_the_end_of_a_session_ends_what_it_listens_to(
    browser: TestClient, inbox: Inbox, document: Document, signing_services: Services
) -> None:
    email, key = somebody(browser, inbox)
    browser.post("/v1/scenes", json=document, headers=key)
    caller = signing_services.sessions.authenticate(sign_in(browser, inbox, email))
    assert caller is not None
    watch = signing_services.watching.begin(SceneAccess(caller, caller.account_id, document["scene"]["id"], OWNER))
    assert signing_services.watching.look([watch]) == {}
    browser.post("/v1/sign-out", headers=OWN)
    assert signing_services.watching.look([watch])[watch].over == "revoked"


def test_sign_in_by_mail_is_off_without_a_mail_server(client: TestClient) -> None:
    reply = client.post("/v1/sign-in", json={"email": "ann@example.org"})
    assert (reply.status_code, reply.json()["code"]) == (403, "forbidden")


def test_a_browser_that_another_site_sends_loads_the_studio_once_more_and_no_third_time(
    browser: TestClient, inbox: Inbox
) -> None:
    foreign = {"Sec-Fetch-Site": "cross-site", "Accept": "text/html"}
    first = browser.get("/scenes/plan", headers=foreign)
    assert "location.reload()" in first.text
    assert "location.reload()" not in browser.get("/scenes/plan", headers=foreign).text, "a browser that tells it again"
    browser.cookies.clear()
    assert "location.reload()" not in browser.get("/scenes/plan", headers={"Accept": "text/html"}).text
    email, _ = somebody(browser, inbox)
    sign_in(browser, inbox, email)
    assert "location.reload()" not in browser.get("/scenes/plan", headers=foreign).text


def test_where_nobody_can_sign_in_the_studio_is_loaded_once(client: TestClient) -> None:
    reply = client.get("/", headers={"Sec-Fetch-Site": "cross-site", "Accept": "text/html"})
    assert "location.reload()" not in reply.text
