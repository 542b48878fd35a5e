"""Hostile documents in a real browser: no dialog, script or request, whether a picture stands alone or in a page."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from local_servers.browser import running_browser
from playwright.sync_api import Browser, Page
from starlette.testclient import TestClient
from tests.servers import not_installed

from scenograph.engine.pipeline import render_svg
from scenograph.http.app import create_app
from scenograph.settings import Settings
from scenograph.wiring import build

Json = dict[str, Any]
PAYLOADS: list[str] = json.loads((Path(__file__).parent / "payloads.json").read_text("utf-8"))
OWN_SCRIPT = "[type=module][src^='/assets/'][src$='/published.js']:empty"  # of a published page
KEY = "dsp_sk_" + "0123456789abcdef" * 2


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    try:
        with running_browser() as browser:
            yield browser
    except FileNotFoundError:
        not_installed("chromium-headless-shell")


class Watch:
    """What a page does that no picture may do."""

    def __init__(self, page: Page) -> None:
        self.seen: list[str] = []
        self._page = page
        page.on("dialog", lambda dialog: (self.seen.append(f"dialog {dialog.message}"), dialog.dismiss()))
        page.on("request", lambda request: self._note(request.url))
        page.on("popup", lambda _: self.seen.append("popup"))

    def _note(self, url: str) -> None:
        if not url.startswith(("data:", "file:///", "about:")) or "/etc/" in url:
            self.seen.append(f"request {url[:80]}")

    def assert_quiet(self) -> None:
        """Nothing was asked for, and no script left its mark, also after every event that a pointer makes."""
        self._page.evaluate(
            """() => { for (const element of document.querySelectorAll('*'))
                for (const name of ['load', 'error', 'mouseover', 'click', 'focus'])
                    element.dispatchEvent(new Event(name)) }"""
        )
        assert self._page.evaluate("window.hacked === undefined")
        foreign = f"script:not({OWN_SCRIPT}), foreignObject, iframe, a[href^=java]"
        assert self._page.evaluate("selector => document.querySelectorAll(selector).length", foreign) == 0
        assert self.seen == []


@pytest.fixture
def watch(browser: Browser) -> Iterator[tuple[Page, Watch]]:
    page = browser.new_page()
    yield page, Watch(page)
    page.close()


def test_the_watch_sees_what_it_should(watch: tuple[Page, Watch]) -> None:
    page, seen = watch
    page.set_content("<img src='http://127.0.0.1:9/a.png' onerror='window.hacked=1;alert(2)'>", wait_until="load")
    assert page.evaluate("window.hacked") == 1
    assert [row.partition(" ")[0] for row in seen.seen] == ["request", "dialog"]


@pytest.mark.parametrize("theme", ["clean", "sketch"])
def test_pictures_are_quiet_as_files_and_within_a_page(
    theme: str, watch: tuple[Page, Watch], full_of: Callable[[str], Json], tmp_path: Path
) -> None:
    page, seen = watch
    for number, payload in enumerate(PAYLOADS):
        svg = str(render_svg(full_of(payload), theme=theme).content)
        file = tmp_path / f"{number}.svg"
        file.write_text(svg, "utf-8")
        page.goto(file.as_uri())
        assert page.evaluate("document.documentElement.localName") == "svg", payload
        seen.assert_quiet()
        within = file.with_suffix(".html")
        within.write_text(f"<!doctype html><meta charset=utf-8><p id=before></p>{svg}<p id=after></p>", "utf-8")
        page.goto(within.as_uri())
        assert page.evaluate("document.body.children.length") == 3, payload
        seen.assert_quiet()


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder = tmp_path_factory.mktemp("public")
    settings = Settings(
        database_url=f"sqlite:///{folder / 'scenes.db'}",
        bootstrap_api_key=KEY,  # pyright: ignore[reportArgumentType]
        render_workers=1,
        rate_limit_rpm=6_000_000,
        rate_limit_burst=100_000,
    )
    services = build(settings)
    with TestClient(create_app(services), raise_server_exceptions=False) as client:
        yield client
    services.close()


def test_public_pages_are_quiet(watch: tuple[Page, Watch], client: TestClient, every_member: Json) -> None:
    page, seen = watch
    headers = {"Authorization": f"Bearer {KEY}"}
    shown = 0
    for number, payload in enumerate(PAYLOADS):
        document = every_member | {"scene": every_member["scene"] | {"id": f"s{number}", "title": payload[:500]}}
        label = {"id": "n", "kind": "node", "label": payload[:2000]}
        body = json.dumps(document | {"elements": [*every_member["elements"], label]}).encode()
        reply = client.post("/v1/scenes", content=body, headers=headers | {"Content-Type": "application/json"})
        assert reply.status_code in (201, 400, 422), reply.text
        if reply.status_code != 201:
            continue
        shown += 1
        assert client.post(f"/v1/scenes/s{number}/publish", headers=headers).status_code == 200
        found = client.get(f"/s/s{number}")
        assert found.status_code == 200
        assert "default-src 'none'" in found.headers["content-security-policy"]
        page.set_content(found.text)  # without the policy: nothing may depend on it
        seen.assert_quiet()
    assert shown > len(PAYLOADS) / 2
