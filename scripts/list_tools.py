#!/usr/bin/env python3
"""Writes what agents are told about the tools, with a key, without, and in hosts that show Apps, to the file that the
tests compare with.

uv run python scripts/list_tools.py
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from scenograph.mcp.tools import Tool, tools_for

FILE = Path(__file__).parents[1] / "tests" / "mcp" / "definitions.json"


MODES = {
    "with a key": {"key": True},
    "without a key": {"key": False},
    "with a key, in a host of Apps": {"key": True, "apps": True},
}


def _wire(tool: Tool, *, apps: bool) -> dict[str, Any]:
    return tool.described(apps=apps).model_dump(mode="json", by_alias=True, exclude_none=True)


def main() -> None:
    """Write the definitions of all modes."""
    told = {
        name: [_wire(tool, apps=mode.get("apps", False)) for tool in tools_for(**mode)] for name, mode in MODES.items()
    }
    FILE.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
