"""Signing in to the studio by a mailed link, in a browser and with a mail server: tabs, reloads, keys, signing out."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from itertools import count

import httpx2
import pytest
from local_servers.service import Service, running_services
from playwright.sync_api import Browser, BrowserContext, Page, expect
from tests.http.inbox import Inbox
from tests.pages.axe import grave_findings

PEOPLE = count()
PATIENCE = 20_000  # ms, as of the other tabs: a page opens a scene after its modules


@pytest.fixture(scope="module")
def inbox() -> Iterator[Inbox]:
    started = Inbox(site=r"http://127\.0\.0\.1:\d+")
    started.start()
    yield started
    started.stop()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, inbox: Inbox) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("sign-in")
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    environment = {
        "DATABASE_URL": f"sqlite:///{folder / 'scenes.db'}",
        "PORT": str(port),
        "PUBLIC_SITE": f"http://127.0.0.1:{port}",
        "SIGNUP_ENABLED": "true",
        "SIGNUPS_PER_HOUR": "0",
        "SMTP_URL": f"smtp://127.0.0.1:{inbox.chosen_port}",
    }
    with running_services(1, folder, **environment) as services:
        yield services[0]


@pytest.fixture
def own_context(browser: Browser) -> Iterator[BrowserContext]:
    """A browser with cookies of its own."""
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    context.set_default_timeout(20_000)
    yield context
    context.close()


def somebody(server: Service, inbox: Inbox) -> tuple[str, str]:
    """A verified address and its account's key."""
    email = f"mia{next(PEOPLE)}@example.org"
    made = httpx2.post(f"{server.url}/v1/accounts", json={"email": email}, timeout=30)
    httpx2.post(f"{server.url}{inbox.link()}", timeout=30).raise_for_status()
    return email, str(made.json()["apiKey"]["key"])


def button(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def ask_for_link(page: Page, email: str) -> None:
    button(page, "Sign in")
    page.get_by_label("E-mail address").fill(email)
    page.keyboard.press("Enter")
    expect(page.get_by_text("the mail is on its way")).to_be_visible()


def test_from_a_link_through_a_reload_to_signing_out(
    own_context: BrowserContext, server: Service, inbox: Inbox
) -> None:
    email, key = somebody(server, inbox)
    scene = {"schemaVersion": "0.1", "scene": {"id": "plan", "units": "px", "canvas": {}}, "elements": []}
    scene["elements"] = [{"id": "a", "kind": "node", "label": "Alpha"}]
    headers = {"Authorization": f"Bearer {key}"}
    httpx2.post(f"{server.url}/v1/scenes", json=scene, headers=headers, timeout=30).raise_for_status()
    waiting = own_context.new_page()
    waiting.goto(f"{server.url}/scenes/plan")
    expect(waiting.locator("#wanted")).to_be_visible()
    ask_for_link(waiting, email)
    page = own_context.new_page()
    page.goto(f"{server.url}{inbox.link()}")
    button(page, "Sign in")
    expect(page.get_by_role("button", name="Account")).to_be_visible()
    assert page.url == f"{server.url}/"
    assert page.evaluate("document.cookie") == "", "no script reads it"
    expect(waiting.locator("[data-element-id=a]").first).to_be_visible()
    expect(waiting.get_by_role("dialog")).to_have_count(0)
    waiting.reload()
    expect(waiting.locator("[data-element-id=a]").first).to_be_visible()
    waiting.get_by_label("Title").fill("A plan")
    waiting.keyboard.press("Enter")
    expect(waiting.locator("#state")).to_have_text("Kept, revision 2")
    button(page, "Account")
    expect(page.get_by_text(email)).to_be_visible()
    assert grave_findings(page) == []
    button(page, "Sign out")
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    expect(waiting.get_by_role("button", name="Sign in")).to_be_visible()
    waiting.reload()
    expect(waiting.locator("#wanted")).to_be_visible()
    assert own_context.cookies() == []


def test_a_scene_is_shared_opened_from_the_list_of_the_other_and_edited_there(
    own_context: BrowserContext, browser: Browser, server: Service, inbox: Inbox
) -> None:
    (owner_mail, owner_key), (email, key) = somebody(server, inbox), somebody(server, inbox)
    for one, label in ((owner_key, "Alpha"), (key, "My own")):
        scene = {"schemaVersion": "0.1", "scene": {"id": "both", "units": "px", "canvas": {}}}
        document = scene | {"elements": [{"id": "a", "kind": "node", "label": label}]}
        headers = {"Authorization": f"Bearer {one}"}
        httpx2.post(f"{server.url}/v1/scenes", json=document, headers=headers, timeout=30).raise_for_status()
    page = own_context.new_page()
    signed_in(page, server, inbox, owner_mail)
    page.goto(f"{server.url}/scenes/both")
    expect(page.locator("[data-element-id=a]").first).to_contain_text("Alpha")
    button(page, "Share")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Mail address or account").fill(email)
    dialog.get_by_label("What they may do").select_option("editor")
    dialog.get_by_role("button", name="Share", exact=True).click()
    expect(dialog.get_by_text(f"{email}, to edit")).to_be_visible()
    assert grave_findings(page) == []
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    other = context.new_page()
    signed_in(other, server, inbox, email)
    button(other, "Scenes")
    other.get_by_role("button", name="shares it").click()
    expect(other.locator("[data-element-id=a]").first).to_contain_text("Alpha")
    expect(other.get_by_role("button", name="Share", exact=True)).to_be_hidden()
    other.reload()
    expect(other.locator("[data-element-id=a]").first).to_contain_text("Alpha")
    other.get_by_label("Title").fill("Ours")
    other.keyboard.press("Enter")
    expect(other.locator("#state")).to_have_text("Kept, revision 2")
    expect(page.get_by_label("Title")).to_have_value("Ours")
    dialog.get_by_role("button", name=f"Stop sharing with {email}").click()
    expect(dialog.get_by_text(email)).to_have_count(0)
    expect(other.locator("#spoken")).to_contain_text("can no longer open the scene")
    context.close()


def test_a_link_in_a_page_of_another_site_opens_the_studio_signed_in(
    own_context: BrowserContext, server: Service, inbox: Inbox
) -> None:
    email, key = somebody(server, inbox)
    scene = {"schemaVersion": "0.1", "scene": {"id": "linked", "units": "px", "canvas": {}}}
    document = scene | {"elements": [{"id": "a", "kind": "node", "label": "Alpha"}]}
    headers = {"Authorization": f"Bearer {key}"}
    httpx2.post(f"{server.url}/v1/scenes", json=document, headers=headers, timeout=30).raise_for_status()
    page = own_context.new_page()
    signed_in(page, server, inbox, email)
    page.goto(f"data:text/html,<a href='{server.url}/scenes/linked%23a'>Our plan</a>")
    page.get_by_role("link").click()
    expect(page.locator("[data-element-id=a]").first).to_be_visible()
    assert page.url == f"{server.url}/scenes/linked#a"


def signed_in(page: Page, server: Service, inbox: Inbox, email: str) -> None:
    page.goto(server.url)
    ask_for_link(page, email)
    page.goto(f"{server.url}{inbox.link()}")
    button(page, "Sign in")
    expect(page.get_by_role("button", name="Account")).to_be_visible()


def test_keys_are_made_shown_once_and_revoked(own_context: BrowserContext, server: Service, inbox: Inbox) -> None:
    email, key = somebody(server, inbox)
    page = own_context.new_page()
    page.goto(server.url)
    ask_for_link(page, email)
    page.goto(f"{server.url}{inbox.link()}")
    button(page, "Sign in")
    button(page, "Account")
    page.get_by_label("What the new key is for").fill("laptop")
    button(page, "Make a key")
    made = page.locator(".made code")
    expect(made).to_contain_text("dsp_sk_")
    headers = {"Authorization": f"Bearer {made.inner_text()}"}
    assert httpx2.get(f"{server.url}/v1/account", headers=headers, timeout=30).status_code == 200
    button(page, "Revoke first key")
    button(page, "Revoke")
    expect(page.get_by_role("button", name="Revoke first key")).to_have_count(0)
    assert (
        httpx2.get(f"{server.url}/v1/account", headers={"Authorization": f"Bearer {key}"}, timeout=30).status_code
        == 401
    )
    button(page, "Sign out everywhere")
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()


def test_a_session_that_was_ended_elsewhere_is_told_and_the_work_stays(
    own_context: BrowserContext, browser: Browser, server: Service, inbox: Inbox
) -> None:
    email, key = somebody(server, inbox)
    page = own_context.new_page()
    page.goto(server.url)
    ask_for_link(page, email)
    page.goto(f"{server.url}{inbox.link()}")
    button(page, "Sign in")
    expect(page.get_by_role("button", name="Account")).to_be_visible()
    headers = {"Authorization": f"Bearer {key}"}
    ended = httpx2.post(f"{server.url}/v1/sign-out", json={"everywhere": True}, headers=headers, timeout=30)
    assert ended.json() == {"ended": 1}
    button(page, "Scenes")
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    expect(page.locator("#spoken")).to_contain_text("sign in again")


def test_the_dialog_and_the_page_of_a_link_can_be_used_by_everybody(
    own_context: BrowserContext, server: Service
) -> None:
    page = own_context.new_page()
    page.goto(server.url)
    button(page, "Sign in")
    expect(page.get_by_label("E-mail address")).to_be_focused()
    assert grave_findings(page) == []
    page.goto(f"{server.url}/accounts/sign-in?token=x")
    assert grave_findings(page) == []
    button(page, "Sign in")
    expect(page.get_by_role("heading")).to_have_text("This link is no longer valid")
