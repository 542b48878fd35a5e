"""Every page and every panel of the studio under axe, light and wide, dark and narrow."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from local_servers.service import HEADERS, KEY, Service
from playwright.sync_api import Browser, Page, expect
from tests.pages.axe import grave_findings
from tests.pages.windows import Windows

SCROLL_AREAS = """() => [...document.querySelectorAll("body *")]
    .filter((each) => /auto|scroll/.test(getComputedStyle(each).overflow)
        && (each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight))
    .map((each) => ({ focusable: each.tabIndex === 0, role: each.role, label: each.ariaLabel }))"""
# The page's policy forbids what wait_for_function polls with.
SCROLLED = """() => new Promise((done) => {
    const look = () => (scrollY > 0 ? done() : requestAnimationFrame(look));
    look();
})"""
SCENE: dict[str, Any] = {
    "schemaVersion": "0.1",
    "diagramFamily": "architecture",
    "scene": {"id": "accessible", "title": "A shop", "units": "px", "canvas": {}},
    "elements": [
        {"id": "web", "kind": "node", "label": "Web"},
        {"id": "stock", "kind": "node", "label": "Stock", "link": {"href": "https://example.org/stock"}},
        {"id": "asks", "kind": "edge", "label": "asks", "from": {"elementId": "web"}, "to": {"elementId": "stock"}},
        {"id": "inside", "kind": "frame", "title": "Inside", "children": ["stock"]},
    ],
}


@pytest.fixture(scope="module")
def scene_id(server: Service) -> str:
    """A scene that is kept and published. A process of the tests may come back to this module: then there is one."""
    reply = httpx2.post(f"{server.url}/v1/scenes", json=SCENE, headers=HEADERS, timeout=30)
    assert reply.status_code in {201, 409}, reply.text
    reply = httpx2.post(f"{server.url}/v1/scenes/accessible/publish", headers=HEADERS, timeout=30)
    assert reply.is_success, reply.text
    return "accessible"


@pytest.fixture(params=["light 1280", "dark 1280", "light 360", "dark 360"])
def page(windows: Windows, request: pytest.FixtureRequest) -> Iterator[Page]:
    scheme, width = request.param.split()
    size = {"width": int(width), "height": 720}
    with windows.one(color_scheme=scheme, viewport=size, reduced_motion="reduce") as window:
        yield window.page()


def test_axe_finds_what_is_wrong(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content("<html><body><button></button></body></html>")
    assert any(finding.startswith("button-name") for finding in grave_findings(page))
    page.close()


@pytest.mark.parametrize("path", ["/", "/s/{scene_id}", "/s/{scene_id}/embed", "/s/none"])
def test_no_page_has_a_serious_fault(page: Page, server: Service, scene_id: str, path: str) -> None:
    page.goto(server.url + path.format(scene_id=scene_id))
    page.wait_for_load_state("networkidle")
    assert grave_findings(page) == []
    if (element := page.locator(".stage.live [data-element-id=web]")).count():
        element.click()
        expect(page.locator("#details h2")).to_have_text("Web")
        assert grave_findings(page) == []


@pytest.mark.parametrize("page", ["light 1280", "dark 360"], indirect=True)
def test_the_documentation_has_no_serious_fault(page: Page, server: Service) -> None:
    """Each scheme and each width once: its colours depend on the scheme alone, and axe compares them for 3 s."""
    page.goto(f"{server.url}/docs")
    page.wait_for_load_state("networkidle")
    assert grave_findings(page) == []


@pytest.mark.parametrize("width", [320, 1280])
def test_the_documentation_is_read_by_the_keyboard_alone(browser: Browser, server: Service, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 600}, reduced_motion="reduce")
    page.goto(f"{server.url}/docs")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.keyboard.press("PageDown")
    page.evaluate(SCROLLED)
    scrolled = page.evaluate(SCROLL_AREAS)
    assert scrolled
    assert all(area["focusable"] and area["role"] == "region" and area["label"] for area in scrolled)
    assert len({area["label"] for area in scrolled}) == len(scrolled)
    page.close()


def test_no_panel_of_the_studio_has_a_serious_fault(page: Page, server: Service, scene_id: str) -> None:
    page.goto(server.url)
    press, named = page.keyboard.press, page.get_by_role
    found: dict[str, list[str]] = {}

    def look(where: str) -> None:
        found[where] = grave_findings(page)

    named("button", name="Sign in").click()
    look("key")
    page.get_by_label("API key").fill(KEY)
    press("Enter")
    named("button", name="Scenes").click()
    expect(page.locator(".scenes button").first).to_be_visible()
    look("scenes")
    page.locator(".scenes button").first.click()
    expect(page.locator("[data-element-id=stock]").first).to_be_visible()
    look("picture")
    for name in ("Copy or download", "Theme"):
        named("button", name=name).click()
        look(name)
        press("Escape")
    named("button", name="Share").click()
    look("share")
    press("Escape")
    named("button", name="Find").click()
    look("find")
    page.keyboard.type("Stock")
    press("Enter")
    expect(page.locator("#details .fields")).to_be_visible()
    look("properties")
    page.locator("#details").get_by_role("searchbox", name="Icon").fill("queue")
    expect(page.locator(".icons .drawn svg").first).to_be_visible()
    look("icons of a box")
    page.get_by_role("toolbar", name="Palette").get_by_role("button", name="Icon").click()
    expect(page.get_by_role("dialog").locator(".icons .drawn svg").first).to_be_visible()
    look("icons")
    press("Escape")
    named("button", name="History").click()
    expect(page.locator("#timeline")).to_be_visible()
    look("history")
    assert {where: faults for where, faults in found.items() if faults} == {}


def test_the_text_and_its_problems_have_no_serious_fault(page: Page, server: Service) -> None:
    page.goto(server.url)
    page.wait_for_selector("body.empty")  # the studio's script has begun and shown the text where there is room
    if not page.locator("#source").is_visible():
        page.get_by_role("button", name="Text", exact=True).click()
    broken = json.dumps(SCENE).replace('"stock"}', '"stok"}')
    page.get_by_label("Text of the diagram").fill(broken)
    expect(page.locator(".findings summary")).to_contain_text("error")
    assert grave_findings(page) == []
