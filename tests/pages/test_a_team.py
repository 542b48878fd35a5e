"""A team of three in three browsers: one signs in by key, one by a mailed link, one by the organization's provider.
They share a scene, draw on it at the same time, talk about it, and part."""

from __future__ import annotations

import contextlib
import socket
import warnings
from collections.abc import Iterator

import httpx2
import pytest
from local_servers.service import HEADERS, Service, running_services
from playwright.sync_api import Locator, Page, expect
from tests.http.inbox import Inbox
from tests.http.provider import CLIENT, SECRET
from tests.pages.axe import grave_findings
from tests.pages.people import browsing, opened
from tests.pages.tab import kept, scene
from tests.pages.windows import Windows

with warnings.catch_warnings():  # of the libraries that the provider is made with
    warnings.simplefilter("ignore")
    from oidc_provider_mock import run_server_in_thread

BO, CY = "bo@example.org", "cy@example.org"
LOOKS = "https://cdn.jsdelivr.net/"  # the provider's style sheet, which is not fetched


@pytest.fixture(scope="module")
def inbox() -> Iterator[Inbox]:
    started = Inbox(site=r"http://127\.0\.0\.1:\d+")
    started.start()
    yield started
    started.stop()


@pytest.fixture(scope="module")
def issuer() -> Iterator[str]:
    with run_server_in_thread() as provider:
        yield f"http://localhost:{provider.server_port}"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, inbox: Inbox, issuer: str) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("team")
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    environment = {
        "DATABASE_URL": f"sqlite:///{folder / 'scenes.db'}",
        "PORT": str(port),
        "PUBLIC_SITE": f"http://127.0.0.1:{port}",
        "SIGNUP_ENABLED": "true",
        "SIGNUPS_PER_HOUR": "0",
        "SMTP_URL": f"smtp://127.0.0.1:{inbox.chosen_port}",
        "OIDC_ISSUER": issuer,
        "OIDC_CLIENT_ID": CLIENT,
        "OIDC_CLIENT_SECRET": SECRET,
    }
    with running_services(1, folder, **environment) as services:
        yield services[0]


def button(page: Page | Locator, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def on(page: Page, element: str) -> Locator:
    return page.locator(f"[data-element-id={element}]").first


def share(page: Page, email: str, role: str) -> None:
    """By the dialog that is open."""
    dialog = page.get_by_role("dialog", name="Share")
    dialog.get_by_label("Mail address or account").fill(email)
    dialog.get_by_label("What they may do").select_option(role)
    button(dialog, "Share").click()
    expect(dialog.get_by_text(email)).to_be_visible()


def signed_in_by_mail(page: Page, server: Service, inbox: Inbox) -> None:
    page.goto(server.url)
    button(page, "Sign in").click()
    page.get_by_label("E-mail address").fill(BO)
    page.keyboard.press("Enter")
    expect(page.get_by_text("the mail is on its way")).to_be_visible()
    page.goto(f"{server.url}{inbox.link()}")
    button(page, "Sign in").click()
    expect(button(page, "Account")).to_be_visible()


def signed_in_by_the_organization(page: Page, address: str, issuer: str) -> None:
    httpx2.put(f"{issuer}/users/cy", json={"email": CY, "email_verified": True}, timeout=30).raise_for_status()
    page.goto(address)
    button(page, "Sign in").click()
    page.get_by_role("link", name="Sign in with your organization").click()
    page.get_by_placeholder("sub").fill("cy")
    button(page, "Authorize").click()
    expect(on(page, "alpha")).to_be_visible()


def from_the_list(page: Page) -> None:
    button(page, "Scenes").click()
    page.get_by_role("button", name="operator shares it").click()
    expect(on(page, "alpha")).to_be_visible()


def renamed(page: Page, element: str, words: str) -> None:
    on(page, element).dblclick()
    page.get_by_role("textbox", name="Name").or_(page.locator("textarea.caption")).first.fill(words)
    page.keyboard.press("Enter")


def comment(page: Page, element: str, words: str) -> None:
    on(page, element).click()
    page.keyboard.press("k")
    page.get_by_label("Write a comment").fill(words)
    page.keyboard.press("Control+Enter")


def panel(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Comments")


def everybody_is_here(people: dict[str, Page]) -> None:
    for own, page in people.items():
        here = page.get_by_role("list", name="Here now")
        expect(here.get_by_role("listitem")).to_have_count(2)
        for name in people.keys() - {own}:
            expect(here).to_contain_text(name)


def two_draw_at_once_and_the_third_looks_on(ann: Page, bo: Page, cy: Page) -> None:
    renamed(ann, "alpha", "Shop")
    renamed(bo, "gamma", "Store")
    for page in (ann, bo, cy):
        expect(page.locator("#state")).to_contain_text("revision 3")
        expect(on(page, "alpha")).to_contain_text("Shop")
        expect(on(page, "gamma")).to_contain_text("Store")
    expect(cy.get_by_label("Title")).not_to_be_editable()
    expect(cy.locator("#palette[inert]")).to_be_visible()


def they_talk(ann: Page, bo: Page, cy: Page) -> None:
    comment(cy, "gamma", "Does it need a backup?")
    ann.keyboard.press("Escape")
    button(ann, "Comment on Store").click()
    expect(panel(ann)).to_contain_text(CY)
    ann.get_by_label("Write a reply").fill("Yes.")
    ann.keyboard.press("Control+Enter")
    expect(panel(cy)).to_contain_text("Yes.")
    button(bo, "Comments, 1 open").click()
    button(bo, "Resolve on Store").click()
    for page in (ann, cy):
        expect(button(page, "Comment on Store")).to_have_count(0)
    assert grave_findings(cy) == []


def one_is_shown_out_and_one_leaves(ann: Page, bo: Page, cy: Page) -> None:
    button(ann, "Share").click()
    button(ann, f"Stop sharing with {CY}").click()
    expect(cy.locator("#spoken")).to_contain_text("not shared with you any more")
    cy.reload()
    expect(cy.locator("#spoken")).to_contain_text("There is no scene of this address")
    ann.keyboard.press("Escape")
    button(bo, "Scenes").click()
    button(bo, "Leave Four boxes").click()
    button(bo.get_by_role("dialog", name="Leave this scene?"), "Leave").click()
    expect(bo.get_by_text("There are no scenes yet.")).to_be_visible()
    expect(ann.get_by_role("list", name="Here now")).to_be_hidden()


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the library that the provider is made with
def test_three_people_sign_in_share_draw_at_once_talk_and_part(
    windows: Windows, server: Service, inbox: Inbox, issuer: str
) -> None:
    httpx2.post(f"{server.url}/v1/accounts", json={"email": BO}, timeout=30).raise_for_status()
    httpx2.post(f"{server.url}{inbox.link()}", timeout=30).raise_for_status()
    scene_id = kept(server, scene())
    faults: list[str] = []
    with contextlib.ExitStack() as stack:
        ann, bo, cy = (stack.enter_context(browsing(windows, server, faults, issuer, LOOKS)) for _ in range(3))
        opened(ann, server, scene_id)
        button(ann, "Share").click()
        share(ann, BO, "editor")
        share(ann, CY, "commenter")
        ann.keyboard.press("Escape")
        signed_in_by_mail(bo, server, inbox)
        from_the_list(bo)
        signed_in_by_the_organization(cy, f"{server.url}/scenes/{scene_id}?owner=operator", issuer)
        everybody_is_here({"operator": ann, BO: bo, CY: cy})
        two_draw_at_once_and_the_third_looks_on(ann, bo, cy)
        they_talk(ann, bo, cy)
        one_is_shown_out_and_one_leaves(ann, bo, cy)
    path = f"{server.url}/v1/scenes/{scene_id}"
    read, listed, shared = (
        httpx2.get(f"{path}{of}", headers=HEADERS, timeout=30).json() for of in ("", "/revisions", "/grants")
    )
    labels = {element["id"]: element.get("label") for element in read["scene"]["elements"]}
    assert (read["revision"], labels["alpha"], labels["gamma"]) == (3, "Shop", "Store")
    assert len({row["author"]["accountId"] for row in listed["revisions"]}) == 2
    assert shared["items"] == []
    assert faults == []
