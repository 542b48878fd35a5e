"""Two fingers on the studio's picture."""

from __future__ import annotations

import json
from typing import Any

from local_servers.service import Service
from playwright.sync_api import Browser, expect

SCENE: dict[str, Any] = {
    "schemaVersion": "0.1",
    "diagramFamily": "architecture",
    "scene": {"id": "touched", "title": "One box", "units": "px", "canvas": {}},
    "elements": [{"id": "only", "kind": "node", "label": "Only"}],
}


def test_a_pinch_that_begins_on_an_element_zooms_and_moves_nothing(browser: Browser, server: Service) -> None:
    size = {"width": 1000, "height": 700}
    context = browser.new_context(viewport=size, has_touch=True)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(server.url)
    page.get_by_label("Text of the diagram").fill(json.dumps(SCENE))
    only = page.locator(".picture [data-element-id=only]")
    expect(only).to_be_visible()
    box = only.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    wire = context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        touched = [{"x": across, "y": down, "id": number} for number, (across, down) in enumerate(points)]
        wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touched})

    touch("touchStart", (x, y))
    touch("touchMove", (x + 12, y))
    touch("touchStart", (x + 12, y), (x + 60, y + 60))
    for step in range(1, 5):
        touch("touchMove", (x + 12 - 10 * step, y - 10 * step), (x + 60 + 10 * step, y + 60 + 10 * step))
    touch("touchEnd")
    expect(page.locator(".percent")).not_to_have_text("100 %")
    expect(only).not_to_have_attribute("transform", "translate(12 0)")
    assert "layout" not in json.loads(page.get_by_label("Text of the diagram").input_value())["elements"][0]
    context.close()
