from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from local_servers.browser import running_browser
from local_servers.service import Service, running_services
from playwright.sync_api import Browser, expect
from tests.pages.tab import Tab, ready
from tests.pages.windows import Window, Windows
from tests.servers import not_installed

OPTIONS: dict[str, Any] = {
    "viewport": {"width": 1280, "height": 800},
    "permissions": ["clipboard-read", "clipboard-write"],
}
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


@pytest.fixture(scope="package")
def windows(browser: Browser) -> Windows:
    return Windows(browser)


@pytest.fixture
def tab(windows: Windows, server: Service) -> Iterator[Callable[[], Tab]]:
    """Opens tabs of one browser."""
    with windows.one(**OPTIONS) as window, tabs_of(window, server) as tabs:
        yield tabs


@pytest.fixture
def draw(windows: Windows, server: Service) -> Iterator[Callable[[], Tab]]:
    """Opens tabs with an empty canvas, of another browser."""
    with windows.one(**OPTIONS) as window, tabs_of(window, server) as tabs:
        yield lambda: ready(tabs())


@contextmanager
def tabs_of(window: Window, server: Service) -> Iterator[Callable[[], Tab]]:
    tabs: list[Tab] = []

    def make() -> Tab:
        tabs.append(Tab(window.page(), server))
        return tabs[-1]

    yield make
    for made in tabs:
        made.leave()
    assert [fault for made in tabs for fault in made.faults] == []
