"""A tab of the service in a browser, with hands, and a scene to try them on."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from typing import Any

import httpx2
from local_servers.service import HEADERS, KEY, Service
from playwright.sync_api import Locator, Page, expect

Json = dict[str, Any]
NUMBERS = itertools.count()


class Tab:
    """A page of the service, and all that it does that it must not."""

    def __init__(self, page: Page, server: Service) -> None:
        self.page = page
        self.server = server
        self.faults: list[str] = []
        self.also = server.url
        self._heard: dict[Any, Callable[..., Any]] = {
            "pageerror": lambda error: self.faults.append(f"error {error}"),
            "console": lambda line: self._hear(line.type, line.text),
            "dialog": lambda dialog: (self.faults.append(f"dialog {dialog.message}"), dialog.dismiss()),
            "request": lambda request: self._asked(request.url),
        }
        for event, hear in self._heard.items():
            page.on(event, hear)

    def leave(self) -> None:
        """Hear nothing of the page any more."""
        for event, hear in self._heard.items():
            self.page.remove_listener(event, hear)

    def _hear(self, kind: str, text: str) -> None:
        if kind == "error" and "409" not in text:
            self.faults.append(f"console {text}")

    def _asked(self, url: str) -> None:
        if not url.startswith((self.server.url, self.also, "data:", "blob:")):
            self.faults.append(f"request {url}")

    def open(self, path: str = "/") -> Tab:
        self.page.goto(f"{self.server.url}{path}")
        expect(self.page.locator("main[inert]")).to_have_count(0)
        return self

    def sign_in(self) -> Tab:
        self.page.get_by_role("button", name="Sign in").click()
        self.page.get_by_label("API key").fill(KEY)
        self.page.keyboard.press("Enter")
        expect(self.page.get_by_role("button", name="Scenes")).to_be_visible()
        return self

    def write(self, text: str) -> None:
        self.page.get_by_label("Text of the diagram").fill(text)

    def document(self) -> Json:
        """The document as the text says, once it has followed the picture."""
        field = self.page.get_by_label("Text of the diagram")
        expect(field).not_to_have_attribute("aria-busy", "true")
        return json.loads(field.input_value())

    def element(self, element_id: str) -> Locator:
        return self.page.locator(f"[data-element-id='{element_id}']").first

    def state(self, text: str) -> None:
        expect(self.page.locator("#state")).to_have_text(text)

    def middle(self, element_id: str) -> tuple[float, float]:
        box = self.element(element_id).bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def drag(self, element_id: str, dx: float, dy: float) -> None:
        x, y = self.middle(element_id)
        mouse = self.page.mouse
        mouse.move(x, y)
        mouse.down()
        mouse.move(x + dx / 2, y + dy / 2, steps=4)
        mouse.move(x + dx, y + dy, steps=4)
        mouse.up()


def ready(tab: Tab) -> Tab:
    """With the canvas open, once it takes gestures."""
    tab.open()
    expect(tab.page.get_by_role("toolbar", name="Palette").get_by_role("button").nth(3)).to_be_visible()
    return tab


def scene(**more: Any) -> Json:
    nodes = [{"id": name, "kind": "node", "label": name.title()} for name in ("alpha", "beta", "gamma", "delta")]
    lines = [("alpha", "beta"), ("alpha", "gamma"), ("beta", "delta")]
    edges = [{"id": f"{a}-{b}", "kind": "edge", "from": {"elementId": a}, "to": {"elementId": b}} for a, b in lines]
    frame = {"id": "box", "kind": "frame", "title": "Inside", "children": ["beta", "delta"]}
    head = {"id": f"scene-{next(NUMBERS)}", "title": "Four boxes", "units": "px", "canvas": {}}
    return {
        "schemaVersion": "0.1",
        "diagramFamily": "architecture",
        "scene": head,
        "elements": [*nodes, *edges, frame],
    } | more


def kept(server: Service, document: Json) -> str:
    reply = httpx2.post(f"{server.url}/v1/scenes", json=document, headers=HEADERS, timeout=30)
    assert reply.status_code == 201, reply.text
    return str(document["scene"]["id"])


def stored(server: Service, scene_id: str) -> Json:
    return httpx2.get(f"{server.url}/v1/scenes/{scene_id}?computed=true", headers=HEADERS, timeout=30).json()


def opened(tab: Tab, scene_id: str) -> Tab:
    tab.open().sign_in()
    tab.page.get_by_role("button", name="Scenes").click()
    tab.page.get_by_label("Title or id").fill(scene_id)
    tab.page.locator(".scenes button").first.click()
    expect(tab.element("alpha")).to_be_visible()
    return tab
