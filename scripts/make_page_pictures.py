#!/usr/bin/env python3
"""Photographs every frame of the viewer: the studio, a published page, its embed and the App, in light and dark.

    uv run scripts/make_page_pictures.py [FOLDER, docs/studio by default] [--narrow]

Look at them: overlaps, cramped panels and text that cannot be read are faults. `--narrow` takes them at 360 px, which
are not kept among the documents.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import httpx2
from local_servers.browser import running_browser
from local_servers.service import HEADERS, KEY, Service, running_services
from mcp.client import Client
from mcp.client.extension import advertise
from playwright.sync_api import Browser, Page

from scenograph.mcp.resources import EXTENSION_ID, MIME_TYPE, VIEWER
from scenograph.mcp.running import opened
from scenograph.mcp.server import build

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "src/scenograph/http/pages/assets/examples"
HOST = ROOT / "tests/pages/app_host.html"
WIDE, NARROW = (1280, 800), (360, 720)
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"
SHOWN = "picture"


def main() -> None:
    """Take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "docs/studio")
    parser.add_argument("--narrow", action="store_true")
    wanted = parser.parse_args()
    size = NARROW if wanted.narrow else WIDE
    with tempfile.TemporaryDirectory() as folder, running_browser() as browser:
        settings = {"DATABASE_URL": f"sqlite:///{folder}/scenes.db", "PUBLIC_ENGINE_SECONDS": "0"}
        with running_services(1, Path(folder), **settings) as [service]:
            document = json.loads((EXAMPLES / "architecture.json").read_text("utf-8"))
            keep(service, document)
            for scheme in ("light", "dark"):
                for name, take in FRAMES.items():
                    page = page_of(browser, scheme, size)
                    take(page, service)
                    page.screenshot(path=wanted.folder / f"{name}{scheme}.png")
                    page.context.close()


def keep(service: Service, document: dict[str, Any]) -> None:
    """The scene that is shown, kept and published."""
    document["scene"]["id"] = SHOWN
    httpx2.post(f"{service.url}/v1/scenes", json=document, headers=HEADERS, timeout=30).raise_for_status()
    httpx2.post(f"{service.url}/v1/scenes/{SHOWN}/publish", headers=HEADERS, timeout=30).raise_for_status()


def page_of(browser: Browser, scheme: str, size: tuple[int, int]) -> Page:
    """A page of that size in a scheme."""
    viewport = {"width": size[0], "height": size[1]}
    context = browser.new_context(color_scheme=scheme, viewport=viewport, reduced_motion="reduce")  # type: ignore[arg-type]
    context.set_default_timeout(30_000)
    return context.new_page()


def settled(page: Page) -> None:
    """Wait for the picture, and for the panel to stand aside."""
    page.wait_for_selector("#stage:not([aria-busy=true]) .picture svg")
    page.evaluate("() => new Promise((done) => setTimeout(done, 700))")


def studio(page: Page, service: Service) -> None:
    """The studio with its text, and an element selected."""
    page.goto(service.url)
    if not page.locator("#source").is_visible():
        page.get_by_role("button", name="Text", exact=True).click()
    page.get_by_label("Text of the diagram").fill((EXAMPLES / "architecture.json").read_text("utf-8"))
    settled(page)
    if page.get_by_role("button", name="Hide the text").is_visible():
        page.get_by_role("button", name="Hide the text").click()
    chosen(page, "orders")


def chosen(page: Page, words: str) -> None:
    """Find an element and select it."""
    page.locator("#stage").press("/")
    page.locator("dialog input").wait_for()
    page.keyboard.type(words)
    page.keyboard.press("Enter")
    page.locator("#details h2").wait_for()
    page.locator("#stage").press("0")
    settled(page)


def published(page: Page, service: Service, path: str = "") -> None:
    """The page of a published scene, or its frame for other sites."""
    page.goto(f"{service.url}/s/{SHOWN}{path}")
    page.wait_for_selector(".stage.live")
    settled(page)
    if not path:
        chosen(page, "orders")


def app(page: Page, service: Service) -> None:
    """The App in a host's chat."""
    page.expose_function("callTool", lambda tool, given: asked(service, tool, given))
    page.goto(HOST.as_uri())
    scheme = "dark" if page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches") else "light"
    given = {"sceneId": SHOWN}
    html = beside(in_chat, service, lambda client: client.read_resource(VIEWER)).contents[0].text
    result = asked(service, "dsp_render_scene", given)
    shown = {"policy": POLICY, "context": {"theme": scheme, "displayMode": "inline"}, "input": given, "result": result}
    page.evaluate("([html, shown]) => open(html, shown)", [html, shown])
    page.frame_locator("iframe").locator("#stage:not([aria-busy=true]) .picture [data-element-id]").first.wait_for()
    page.evaluate("() => new Promise((done) => setTimeout(done, 1500))")


def asked(service: Service, tool: str, given: dict[str, Any]) -> Any:
    """What the tool server answers to a call."""
    result = beside(in_chat, service, lambda client: client.call_tool(tool, given))
    return result.model_dump(mode="json", by_alias=True, exclude_none=True)


async def in_chat(service: Service, talk: Callable[[Client], Any]) -> Any:
    """Talk to the tool server as a host that shows Apps."""
    extensions = [advertise(EXTENSION_ID, {"mimeTypes": [MIME_TYPE]})]
    async with opened(service.url, KEY) as api, Client(build(api), extensions=extensions) as client:
        return await talk(client)


def beside(talk: Callable[..., Any], *given: Any) -> Any:
    """Run it in another thread; the browser's loop runs in this one."""
    with ThreadPoolExecutor(1) as other:
        return other.submit(anyio.run, talk, *given).result()


FRAMES: dict[str, Callable[[Page, Service], None]] = {
    "": studio,
    "published-": published,
    "embed-": partial(published, path="/embed"),
    "app-": app,
}

if __name__ == "__main__":
    main()
