"""The studio under a drag: from the last movement of the pointer to the routed lines, and from the drop to the picture.

A node of a graph is dragged in headless Chromium and held still until the engine's lines are shown, then dropped; this
as often as `--samples` says, with other nodes. Beside the waits stands the CPU time of the service for each drag.

    uv run python benchmarks/dragging.py --count 100 --samples 24
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from graphs import service_graph
from repeated import cpu_seconds

sys.path.insert(0, str(Path(__file__).parents[1] / "scripts"))

from local_servers.browser import running_browser
from local_servers.service import Service, running_services

# When the pointer moved last, when lines of the engine are first shown, and when a whole picture is.
WATCH = """() => {
  const stage = document.querySelector("#stage");
  const watched = window.watched = { moved: 0, routed: 0, dropped: 0, drawn: 0 };
  stage.addEventListener("pointermove", () => { watched.moved = performance.now(); watched.routed = 0; }, true);
  const dropped = () => Object.assign(watched, { dropped: performance.now(), drawn: 0, busy: false });
  stage.addEventListener("pointerup", dropped, true);
  const look = () => {
    if (!watched.routed && stage.querySelector(".marks .routed")) watched.routed = performance.now();
    const busy = stage.getAttribute("aria-busy") === "true";
    if (watched.dropped && watched.busy && !busy) watched.drawn ||= performance.now();
    watched.busy = watched.dropped && busy;
  };
  new MutationObserver(look).observe(stage, { subtree: true, childList: true, attributes: true });
}"""
LATER = """async (name) => {
  while (!window.watched[name]) await new Promise(requestAnimationFrame);
  return window.watched;
}"""


def main() -> None:
    """Print the mean, p50 and p95 of both waits and of the CPU time."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100, help="nodes of the graph")
    parser.add_argument("--samples", type=int, default=24)
    parser.add_argument("--nested", action="store_true")
    wanted = parser.parse_args()
    document = service_graph(wanted.count, nested=wanted.nested)
    with tempfile.TemporaryDirectory() as folder, running_browser() as browser:
        settings = {
            "DATABASE_URL": f"sqlite:///{folder}/scenes.db",
            "PUBLIC_ENGINE_SECONDS": "0",
            "RENDER_WORKERS": "2",
        }
        with running_services(1, Path(folder), **settings) as [service]:
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.set_default_timeout(60_000)
            page.goto(service.url)
            page.get_by_label("Text of the diagram").fill(json.dumps(document))
            page.locator(".picture [data-element-id=n0]").wait_for()
            page.wait_for_selector("#stage[aria-busy=false]")
            page.get_by_role("button", name="Text", exact=True).click()
            page.evaluate(WATCH)
            rows = [drag(page, service, f"n{number * 7 % wanted.count}") for number in range(wanted.samples)]
    for name in ("routed", "drawn", "cpu"):
        figures = [row[name] for row in rows]
        p95 = statistics.quantiles(figures, n=20)[-1]
        print(f"{name}: mean {statistics.mean(figures):.0f}, p50 {statistics.median(figures):.0f}, p95 {p95:.0f} ms")


def drag(page: Page, service: Service, element_id: str) -> dict[str, float]:
    """Drag a node, wait for its lines, drop it, wait for the picture."""
    before = cpu_seconds(service)
    box = page.locator(f".picture [data-element-id={element_id}]").first.bounding_box() or {}
    x, y, mouse = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + 12, y + 6, steps=3)
    routed: dict[str, Any] = page.evaluate(LATER, "routed")
    mouse.up()
    page.evaluate(LATER, "dropped")
    drawn: dict[str, Any] = page.evaluate(LATER, "drawn")
    page.keyboard.press("Escape")
    cpu = cpu_seconds(service) - before
    return {"routed": routed["routed"] - routed["moved"], "drawn": drawn["drawn"] - drawn["dropped"], "cpu": 1000 * cpu}


if __name__ == "__main__":
    main()
