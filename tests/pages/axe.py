"""What axe says of a page."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Frame, Page

AXE = Axe()
GRAVE = {"serious", "critical"}


def grave_findings(page: Page | Frame) -> list[str]:
    """What axe finds serious or critical: the rule, and the element as a selector."""
    violations = AXE.run(page).response["violations"]
    return [
        f"{found['id']} {node['target']} {node['any'][0]['message'] if node['any'] else ''}"
        for found in violations
        if found["impact"] in GRAVE
        for node in found["nodes"]
    ]
