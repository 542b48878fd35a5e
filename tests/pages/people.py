"""People in browsers of their own, before one service: each with an account, a key and a scene shared with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import httpx2
from local_servers.service import HEADERS, KEY, Service
from playwright.sync_api import Page, expect
from tests.pages.windows import Windows

from scenograph.service.accounts import Keys
from scenograph.storage.interface import Account
from scenograph.storage.sqlite import open_sqlite

WIDE = {"width": 1280, "height": 800}


def account(database_url: str, name: str) -> str:
    """A new account with a verified address at example.org; its key."""
    now, store = datetime.now(UTC), open_sqlite(database_url)
    store.add_account(Account(id=name, email=f"{name}@example.org", email_verified_at=now, role="member"), now)
    secret = Keys(store, lambda: now).create(name, "laptop").key
    store.close()
    return secret


def share(server: Service, scene: str, grantee: str, role: str) -> None:
    address = f"{server.url}/v1/scenes/{scene}/grants/{grantee}"
    httpx2.put(address, json={"role": role}, headers=HEADERS, timeout=30).raise_for_status()


@contextmanager
def browsing(windows: Windows, server: Service, faults: list[str], *also: str) -> Iterator[Page]:
    """A page of a browser of its own; what the page must not do is added to `faults`: to ask anybody but the service,
    and the addresses `also`."""
    known = (server.url, "data:", "blob:", *also)
    heard: dict[Any, Callable[..., Any]] = {
        "pageerror": lambda error: faults.append(f"error {error}"),
        "dialog": lambda dialog: (faults.append(f"dialog {dialog.message}"), dialog.dismiss()),
        "request": lambda asked: None if asked.url.startswith(known) else faults.append(f"request {asked.url}"),
    }
    with windows.one(viewport=WIDE) as window:
        window.context.route("https://**", lambda route: route.abort())  # a provider's page has a style sheet elsewhere
        page = window.page()
        for event, hear in heard.items():
            page.on(event, hear)
        yield page
        for event, hear in heard.items():
            page.remove_listener(event, hear)


def opened(page: Page, server: Service, scene: str, key: str = KEY, owner: str = "") -> Page:
    """With the scene open, signed in by the key."""
    page.goto(f"{server.url}/scenes/{scene}{f'?owner={owner}' if owner else ''}")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_label("API key").fill(key)
    page.keyboard.press("Enter")
    expect(page.locator("[data-element-id=alpha]").first).to_be_visible()
    return page
