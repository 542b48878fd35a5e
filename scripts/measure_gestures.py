#!/usr/bin/env python3
"""Times of gestures in the studio, from the drop to the new picture, in headless Chromium against a server of its own.

`uv run python scripts/measure_gestures.py [--nodes 50,100] [--rounds 20]` prints p50 and p95 in ms: of a drop in a
scene that is not kept and in one that is, and of the first picture of pasted Mermaid text. Figures for people, no test.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from itertools import pairwise
from pathlib import Path
from statistics import quantiles
from typing import Any

import httpx2
from local_servers.browser import running_browser
from local_servers.service import HEADERS, KEY, Service, running_services
from playwright.sync_api import Browser, Page, ViewportSize

WINDOW: ViewportSize = {"width": 1280, "height": 800}

# Resolves to the time from now to the end of the next frame in which the picture shows an answer of the service.
UNTIL_DRAWN = """() => new Promise((resolve) => {
  const begun = performance.now();
  const stage = document.querySelector("#stage");
  const look = () => (stage.getAttribute("aria-busy") === "false" && seen ? resolve(performance.now() - begun)
    : requestAnimationFrame(() => { seen ||= stage.getAttribute("aria-busy") === "true"; look(); }));
  let seen = stage.getAttribute("aria-busy") === "true";
  setTimeout(() => resolve(Infinity), 10000);
  look();
})"""

PASTE = """([text, id]) => {
  const begun = performance.now();
  window.drawn = new Promise((resolve) => {
    const look = () => (document.querySelector(`.picture [data-element-id="${id}"]`)
      ? requestAnimationFrame(() => resolve(performance.now() - begun)) : requestAnimationFrame(look));
    setTimeout(() => resolve(Infinity), 10000);
    look();
  });
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}"""


def grid(nodes: int) -> dict[str, Any]:
    """A scene of boxes at given places, each joined to the next."""
    names = [f"n{number}" for number in range(nodes)]
    boxes = [
        {
            "id": name,
            "kind": "node",
            "label": f"Service {number}",
            "layout": {"mode": "absolute", "x": 1 + number % 10 * 160, "y": 1 + number // 10 * 110},
        }
        for number, name in enumerate(names)
    ]
    lines = [
        {"id": f"e{number}", "kind": "edge", "from": {"elementId": one}, "to": {"elementId": other}}
        for number, (one, other) in enumerate(pairwise(names))
    ]
    head = {"id": f"grid-{nodes}", "title": f"{nodes} boxes", "units": "px", "canvas": {}}
    return {"schemaVersion": "0.1", "diagramFamily": "architecture", "scene": head, "elements": [*boxes, *lines]}


def drops(page: Page, rounds: int) -> list[float]:
    """Times of drops of one box, there and back."""
    times: list[float] = []
    for number in range(rounds):
        box = page.locator(".picture [data-element-id=n0]").bounding_box()
        if box is None:
            raise SystemExit("The box is not drawn.")
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 10, y + 14 * (-1) ** number, steps=2)
        page.mouse.move(x + 2, y + 26 * (-1) ** number, steps=2)
        page.evaluate(f"window.drawn = ({UNTIL_DRAWN})(); null")
        page.mouse.up()
        times.append(page.evaluate("window.drawn"))
        page.wait_for_timeout(350)
    return times


def told(name: str, times: list[float]) -> None:
    """A row of figures."""
    half, most = quantiles(times, n=20)[9], quantiles(times, n=20)[18]
    sys.stdout.write(f"{name:44} p50 {half:6.0f} ms   p95 {most:6.0f} ms   ({len(times)})\n")


def measure(page: Page, service: Service, nodes: int, rounds: int) -> None:
    """The drops of one scene, kept and not."""
    httpx2.post(f"{service.url}/v1/scenes", json=grid(nodes), headers=HEADERS, timeout=30).raise_for_status()
    page.goto(f"{service.url}/scenes/grid-{nodes}")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_label("API key").fill(KEY)
    page.keyboard.press("Enter")
    page.locator(".picture [data-element-id=n0]").wait_for()
    told(f"drop, {nodes} nodes, kept", drops(page, rounds))
    page.goto(f"{service.url}/docs")
    page.goto(service.url)
    page.get_by_label("Text of the diagram").fill(str(grid(nodes)).replace("'", '"'))
    page.locator(".picture [data-element-id=n0]").wait_for()
    told(f"drop, {nodes} nodes, not kept", drops(page, rounds))


def pasted(browser: Browser, service: Service, rounds: int) -> None:
    """The first picture of Mermaid text, from the paste on, each in a browser that holds no draft."""
    text = "flowchart LR\n" + "\n".join(f"  a{n}[Step {n}] --> a{n + 1}[Step {n + 1}]" for n in range(12))
    times: list[float] = []
    for _ in range(rounds):
        context = browser.new_context(viewport=WINDOW)
        page = context.new_page()
        page.goto(service.url)
        page.locator("#palette button").first.wait_for()
        page.evaluate(PASTE, [text, "a12"])
        times.append(page.evaluate("window.drawn"))
        context.close()
    told("first picture of pasted text, 13 nodes", times)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", default="50,100")
    parser.add_argument("--rounds", type=int, default=20)
    asked = parser.parse_args()
    folder = Path(tempfile.mkdtemp())
    environment = {
        "DATABASE_URL": f"sqlite:///{folder / 'scenes.db'}",
        "PUBLIC_ENGINE_SECONDS": "0",
        "ENGINE_SECONDS": "0",
    }
    with running_services(1, folder, **environment) as [service], running_browser() as browser:
        for nodes in asked.nodes.split(","):
            page = browser.new_context(viewport=WINDOW).new_page()
            measure(page, service, int(nodes), asked.rounds)
            page.close()
        pasted(browser, service, asked.rounds)


if __name__ == "__main__":
    main()
