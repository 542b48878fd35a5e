from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from local_servers.browser import running_browser
from local_servers.service import Service, running_services
from playwright.sync_api import Browser, BrowserContext, expect
from tests.pages.tab import Tab, ready
from tests.servers import not_installed

WIDE = {"width": 1280, "height": 800}
expect.set_options(timeout=30_000)  # a busy machine takes longer than the 5 s of Playwright


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One for the whole folder; a package for pytest, since the driver's loop may not outlive these tests."""
    try:
        with running_browser() as browser:
            yield browser
    except FileNotFoundError:
        not_installed("chromium-headless-shell")


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("studio")
    environment = {"DATABASE_URL": f"sqlite:///{folder / 'scenes.db'}", "PUBLIC_ENGINE_SECONDS": "0"}
    with running_services(1, folder, **environment) as services:
        yield services[0]


@pytest.fixture(scope="module")
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport=WIDE, permissions=["clipboard-read", "clipboard-write"])  # type: ignore[arg-type]
    yield context
    context.close()


@pytest.fixture
def tab(context: BrowserContext, server: Service) -> Iterator[Callable[[], Tab]]:
    tabs: list[Tab] = []

    def make() -> Tab:
        tabs.append(Tab(context.new_page(), server))
        return tabs[-1]

    yield make
    for made in tabs:
        made.page.close()
    assert [fault for made in tabs for fault in made.faults] == []


@pytest.fixture
def own_context(browser: Browser) -> Iterator[BrowserContext]:
    """A browser that nobody has drawn in yet."""
    context = browser.new_context(viewport=WIDE, permissions=["clipboard-read", "clipboard-write"])  # type: ignore[arg-type]
    yield context
    context.close()


@pytest.fixture
def draw(own_context: BrowserContext, server: Service) -> Iterator[Callable[[], Tab]]:
    tabs: list[Tab] = []

    def begin() -> Tab:
        tabs.append(Tab(own_context.new_page(), server))
        return ready(tabs[-1])

    yield begin
    assert [fault for made in tabs for fault in made.faults] == []
