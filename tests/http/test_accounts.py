"""Signing up over HTTP with a real mail server on the loopback interface."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from pydantic import SecretStr
from starlette.testclient import TestClient
from tests.http.inbox import Inbox

from scenograph.http.app import create_app
from scenograph.settings import Settings
from scenograph.wiring import build

Document = dict[str, Any]
PEOPLE = count()


def sign_up(client: TestClient, email: str | None = None) -> tuple[dict[str, Any], dict[str, str]]:
    """The reply, and the header of the account's key. The address is one that nobody had, if none is named."""
    email = email or f"eve{next(PEOPLE)}@example.org"
    reply = client.post("/v1/accounts", json={"email": email})
    assert reply.status_code == 202, reply.text
    return reply.json(), {"Authorization": f"Bearer {reply.json()['apiKey']['key']}"}


def render(client: TestClient, key: dict[str, str], document: Document) -> int:
    return client.post(f"/v1/scenes/{document['scene']['id']}/render", headers=key).status_code


def test_from_signing_up_to_a_picture(open_client: TestClient, inbox: Inbox, document: Document) -> None:
    reply, key = sign_up(open_client, " Eve@Example.org")
    assert set(reply) == {"accountId", "email", "apiKey"}
    assert set(reply["apiKey"]) == {"id", "key", "name"}
    assert reply["email"] == "eve@example.org"
    link = inbox.link()
    assert open_client.post("/v1/scenes", json=document, headers=key).status_code == 201
    refused = open_client.post(f"/v1/scenes/{document['scene']['id']}/render", headers=key)
    assert (refused.status_code, refused.json()["code"]) == (403, "email_not_verified")
    done = open_client.post("/v1/accounts/verify", json={"token": link.partition("=")[2]})
    assert done.status_code == 200
    assert (set(done.json()), done.json()["accountId"]) == ({"accountId", "emailVerifiedAt"}, reply["accountId"])
    assert done.json()["emailVerifiedAt"].endswith("Z")
    assert render(open_client, key, document) == 200
    again = open_client.post("/v1/accounts/verify", json={"token": link.partition("=")[2]})
    assert (again.status_code, again.json()["code"]) == (400, "invalid_token")


def test_an_unverified_owner_can_do_everything_but_render_a_stored_scene(
    open_client: TestClient, inbox: Inbox, document: Document
) -> None:
    _, key = sign_up(open_client)
    scene = document["scene"]["id"]
    inbox.link()
    assert open_client.post("/v1/scenes", json=document, headers=key).status_code == 201
    calls = [
        ("GET", f"/v1/scenes/{scene}", None), ("GET", "/v1/scenes", None), ("GET", "/v1/auth/keys", None),
        ("GET", f"/v1/scenes/{scene}/revisions", None), ("GET", f"/v1/scenes/{scene}/diff?from=1", None),
        ("POST", f"/v1/scenes/{scene}/publish", None), ("GET", f"/s/{scene}", None),
        ("POST", f"/v1/scenes/{scene}/support", {"problem": "odd"}), ("POST", f"/v1/scenes/{scene}/make-private", None),
        ("POST", "/v1/scenes/render", {"scene": document}), ("DELETE", f"/v1/scenes/{scene}", None),
        ("POST", f"/v1/scenes/{scene}/undelete", None), ("GET", "/v1/deleted-scenes", None),
    ]  # fmt: skip
    for method, path, body in calls:
        assert open_client.request(method, path, json=body, headers=key).status_code == 200, path
    assert render(open_client, key, document) == 403


def test_opening_the_link_verifies_nothing_and_its_button_does(
    open_client: TestClient, inbox: Inbox, document: Document
) -> None:
    _, key = sign_up(open_client)
    link = inbox.link()
    open_client.post("/v1/scenes", json=document, headers=key)
    page = open_client.get(link)
    assert page.status_code == 200
    assert "form-action 'self'" in page.headers["content-security-policy"]
    assert (page.headers["cache-control"], page.headers["referrer-policy"]) == ("no-store", "no-referrer")
    assert "<script" not in page.text
    assert render(open_client, key, document) == 403
    button = re.search(r'<form method="post" action="([^"]+)">', page.text)
    assert button
    confirmed = open_client.post(
        f"/accounts/verify{button[1]}", headers={"Content-Type": "application/x-www-form-urlencoded"}
    )
    assert (confirmed.status_code, "confirmed" in confirmed.text) == (200, True)
    assert render(open_client, key, document) == 200
    spent = open_client.post(link)
    assert (spent.status_code, "no longer valid" in spent.text) == (400, True)
    assert spent.headers["content-type"] == "text/html; charset=utf-8"


def test_a_page_for_any_token_is_the_same_and_shows_nothing_of_it_unescaped(open_client: TestClient) -> None:
    odd = open_client.get("/accounts/verify", params={"token": '"><script>alert(1)</script>'})
    assert odd.status_code == 200
    assert "<script" not in odd.text
    assert open_client.get("/accounts/verify").status_code == 200


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_token_that_no_mail_holds_gets_the_page_of_one_that_is_good_no_more(
    open_client: TestClient, method: str
) -> None:
    page = open_client.request(method, "/accounts/verify", params={"token": "x" * 300})
    assert (page.status_code, "no longer valid" in page.text) == (400, True)
    assert page.headers["content-type"].startswith("text/html")


def test_a_known_address_and_a_new_one_are_answered_alike(open_client: TestClient, inbox: Inbox) -> None:
    replies = []
    for email in ("known@example.org", "known@example.org", "fresh@example.org"):
        reply = open_client.post("/v1/accounts", json={"email": email})
        inbox.link()
        headers = {
            name: value for name, value in reply.headers.items() if name not in {"x-request-id", "content-length"}
        }
        headers = {name: value for name, value in headers.items() if "ratelimit" not in name}
        replies.append((reply.status_code, headers, set(reply.json()), reply.json()["apiKey"]["name"]))
    assert replies[0] == replies[1] == replies[2]


def test_another_mail_can_be_asked_for_until_the_account_is_verified(open_client: TestClient, inbox: Inbox) -> None:
    reply, key = sign_up(open_client)
    first = inbox.link()
    again = open_client.post("/v1/accounts/resend", headers=key)
    assert (again.status_code, again.json()) == (
        202,
        {"accountId": reply["accountId"], "email": reply["email"]},
    )
    second = inbox.link()
    assert first != second
    assert open_client.post(second).status_code == 200
    refused = open_client.post("/v1/accounts/resend", headers=key)
    assert (refused.status_code, refused.json()["code"]) == (409, "email_already_verified")


def test_keys_of_such_an_account_are_made_listed_and_revoked(open_client: TestClient) -> None:
    reply, key = sign_up(open_client)
    more = open_client.post("/v1/auth/keys", json={"name": "laptop"}, headers=key).json()
    listed = open_client.get("/v1/auth/keys", headers=key).json()["items"]
    assert [(item["id"], item["name"]) for item in listed] == [
        (reply["apiKey"]["id"], "first key"),
        (more["id"], "laptop"),
    ]
    _, other = sign_up(open_client, "mia@example.org")
    assert open_client.delete(f"/v1/auth/keys/{more['id']}", headers=other).status_code == 404
    assert open_client.delete(f"/v1/auth/keys/{reply['apiKey']['id']}", headers=key).status_code == 200
    assert open_client.get("/v1/auth/keys", headers=key).json()["code"] == "invalid_api_key"


@pytest.mark.parametrize(
    "body", [{}, {"email": None}, {"email": 7}, {"email": "nobody"}, {"email": "a@b.c\r\nBcc: d@e.f"}]
)
def test_what_is_no_address_is_a_400_that_names_the_member(open_client: TestClient, body: dict[str, Any]) -> None:
    reply = open_client.post("/v1/accounts", json=body)
    assert (reply.status_code, reply.json()["code"]) == (400, "invalid_request")
    assert reply.json()["error"].startswith("email ")


def test_a_mail_server_that_is_gone_costs_neither_the_account_nor_its_key(
    open_settings: Settings, document: Document
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    services = build(open_settings.model_copy(update={"smtp_url": SecretStr(f"smtp://127.0.0.1:{port}")}))
    with TestClient(create_app(services)) as client:
        _, key = sign_up(client)
        assert client.post("/v1/scenes", json=document, headers=key).status_code == 201
        services.close()
        assert "scenograph_mails_failed_total 1.0" in client.get("/metrics").text


def test_more_sign_ups_than_an_hour_takes_are_a_429(open_settings: Settings) -> None:
    services = build(open_settings.model_copy(update={"signups_per_hour": 2}))
    with TestClient(create_app(services)) as client:
        replies = [client.post("/v1/accounts", json={"email": f"u{n}@example.org"}) for n in range(3)]
    services.close()
    assert [reply.status_code for reply in replies] == [202, 202, 429]
    assert int(replies[2].headers["retry-after"]) > 60
    assert replies[2].headers["ratelimit-policy"] == '"sign-up";q=2;w=3600', (
        "the policy that refused, not the address's"
    )
    assert replies[2].headers["x-ratelimit-remaining"] == "0"


def test_sign_up_is_off_unless_it_is_enabled(
    client: TestClient, key_of_another: Callable[[str, bool], dict[str, str]]
) -> None:
    reply = client.post("/v1/accounts", json={"email": "eve@example.org"})
    assert (reply.status_code, reply.json()["code"]) == (403, "forbidden")
    reply = client.post("/v1/accounts/resend", headers=key_of_another("nameless", False))
    assert reply.json()["code"] == "email_already_verified", "an account without an address has nothing to prove"
