"""Windows of a browser that stay open from test to test, and are emptied in between.

A page in a window of its own takes 0.45 s of processor time to load. In a page that has shown the service before, with
its process, files and compiled scripts, it takes 0.15 s.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Page

KEPT = "cookies,indexeddb,local_storage,cache_storage,service_workers"
LEFT = "about:blank"
FORGOTTEN = """() => {
    try { sessionStorage.clear(); } catch { /* a page within a sandbox has none */ }
    return location.origin;
}"""
PATIENCE = 20_000  # ms


class Window:
    """A browser that nobody has used yet, as far as its pages can tell."""

    def __init__(self, browser: Browser, options: dict[str, Any]) -> None:
        self.context = browser.new_context(**options)
        self._viewport = options["viewport"]
        self._first = self.context.new_page()
        self._wire = self.context.new_cdp_session(self._first)
        self._is_used = False

    @property
    def is_closed(self) -> bool:
        """Whether a test has closed the page that stays."""
        return self._first.is_closed()

    def page(self) -> Page:
        """Another page in this window."""
        page = self.context.new_page() if self._is_used else self._first
        page.set_default_timeout(PATIENCE)
        self._is_used = True
        return page

    def empty(self) -> None:
        """Clear and take back whatever a test has done here."""
        first = self._first
        for page in self.context.pages:
            if page != first:
                page.close()
        self.context.unroute_all()
        first.unroute_all()
        first.bring_to_front()
        first.set_viewport_size(self._viewport)
        first.mouse.move(0, 0)
        if first.url != LEFT:
            origin = first.evaluate(FORGOTTEN)
            first.goto(LEFT)
            self._wire.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": KEPT})
        self.context.clear_cookies()
        self._is_used = False


class Windows:
    """The windows of a browser that are not in use, by their options."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._idle: dict[str, list[Window]] = defaultdict(list)

    @contextmanager
    def one(self, **options: Any) -> Iterator[Window]:
        """A window for the block. After an error nobody gets it again, nor where its page is closed."""
        idle = self._idle[repr(options)]
        window = idle.pop() if idle else Window(self._browser, options)
        try:
            yield window
            if not window.is_closed:
                window.empty()
        except BaseException:
            window.context.close()
            raise
        if window.is_closed:
            window.context.close()
        else:
            idle.append(window)
