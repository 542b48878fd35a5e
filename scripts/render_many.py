#!/usr/bin/env python3
# ruff: noqa: T201 (it reports to whoever runs it)
"""Renders random scenes through the tool server and holds every result against the limits of results.

    uv run scripts/render_many.py [count] [first seed]

A service is started as `scenograph mcp --local` starts it, with an empty database; the tools are called in this
process. Each scene is rendered once, svg and png in turn, in one of the themes. Ends with 0 when no result is beyond a
limit: 100,000 characters, an image of 1568 px and 1 MB, a message of 4 MB. Prints how many were refused, by code.
"""

from __future__ import annotations

import base64
import json
import random
import re
import sys
import tempfile
from collections import Counter
from typing import Any

import anyio
from mcp.client import Client
from mcp_types import CallToolResult, ImageContent

from scenograph.mcp.answers import MAX_CHARACTERS
from scenograph.mcp.rendering import LONG_SIDE, MAX_BASE64
from scenograph.mcp.running import service
from scenograph.mcp.server import build
from scenograph.settings import Settings
from scenograph.wire.formats import FORMATS
from scenograph.wire.names import THEME_NAMES as THEMES

MAX_MESSAGE = 4_000_000
DEFAULT_COUNT = 1_000
TYPES = {
    "architecture": (("service", "database", "queue", "client"), None),
    "workflow": (("workflow.task", "workflow.gateway", "workflow.start", "workflow.end"), "workflow.sequenceFlow"),
    "entityRelationship": (("er.entity",), "er.nonIdentifying"),
    "sequence": (("sequence.lifeline",), "sequence.message"),
    "network": (("network.router", "network.server", "network.client"), "network.link"),
    "orgchart": (("org.person",), "org.reportsTo"),
    "uiflow": (("uiflow.screen", "uiflow.modal"), "uiflow.navigate"),
}
WORDS = ("order", "payment", "ledger", "Zahlung", "входящий", "注文", "audit trail", "🚀", "x" * 60, "a\nb")


def random_scene(seed: int) -> dict[str, Any]:
    """The same scene for the same seed; every 25th is large."""
    draw = random.Random(seed)  # noqa: S311 - no secret
    family = draw.choice(sorted(TYPES))
    node_types, edge_type = TYPES[family]
    count = draw.randint(0, 24) if seed % 25 else draw.randint(80, 160)
    ids = [f"n{number}" for number in range(count)]
    nodes = [_node(draw, each, draw.choice(node_types)) for each in ids]
    edges = [_edge(draw, number, ids, edge_type) for number in range(draw.randint(0, count) if count else 0)]
    return {
        "schemaVersion": "0.1",
        "diagramFamily": family,
        "scene": {"id": f"r{seed}", "title": draw.choice(WORDS), "units": "px", "canvas": {}},
        "layoutStrategy": {"algorithm": draw.choice(("hierarchical", "flow", "grid", "forceDirected"))},
        "elements": [*nodes, *edges],
    }


def _node(draw: random.Random, element_id: str, node_type: str) -> dict[str, Any]:
    columns = [{"name": f"column_{number}", "type": "int", "pk": number == 0} for number in range(draw.randint(0, 8))]
    rows = {"extensions": {"columns": columns}} if node_type == "er.entity" else {}
    label = " ".join(draw.choices(WORDS, k=draw.randint(1, 4)))
    return {"id": element_id, "kind": "node", "nodeType": node_type, "label": label, **rows}


def _edge(draw: random.Random, number: int, ids: list[str], edge_type: str | None) -> dict[str, Any]:
    ends = {name: {"elementId": draw.choice(ids)} for name in ("from", "to")}
    typed = {"edgeType": edge_type} if edge_type else {}
    return {"id": f"e{number}", "kind": "edge", **ends, **typed, "label": draw.choice(WORDS)}


def beyond_limits(result: CallToolResult) -> list[str]:
    """What is too large about a result."""
    wire = result.model_dump(mode="json", by_alias=True, exclude_none=True)
    message = len(_written(wire).encode())
    for block in wire["content"]:
        block.pop("data", None)
    found = {"characters": (len(_written(wire)), MAX_CHARACTERS), "message": (message, MAX_MESSAGE)}
    for block in result.content:
        if isinstance(block, ImageContent):
            png = base64.b64decode(block.data)
            found["side"] = (max(int.from_bytes(png[16:20]), int.from_bytes(png[20:24])), LONG_SIDE)
            found["image"] = (len(block.data), MAX_BASE64)
    return [f"{name}: {size} > {limit}" for name, (size, limit) in found.items() if size > limit]


def _written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


async def render_all(database: str, seeds: range) -> int:
    """Render the scenes of the seeds; gives the exit code."""
    settings, wrong, codes = Settings(database_url=database), 0, Counter[str]()
    async with service(settings, local=True) as api, Client(build(api)) as client:
        for seed in seeds:
            chosen = {"format": FORMATS[seed % 2], "theme": THEMES[seed // 2 % len(THEMES)]}
            result = await client.call_tool("dsp_render_scene", {"scene": random_scene(seed), **chosen})
            problems = beyond_limits(result)
            wrong += bool(problems)
            codes[_code(result)] += 1
            if problems:
                print(f"seed {seed}: {', '.join(problems)}")
    print(f"{len(seeds)} renders, {wrong} beyond a limit; {dict(codes)}")
    return 1 if wrong else 0


def _code(result: CallToolResult) -> str:
    """The code of a refusal, or ok."""
    if not result.is_error:
        return "ok"
    found = re.search(r"\((\w+)\)", str(getattr(result.content[0], "text", "")))
    return found[1] if found else "refused"


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:3]]
    count, first = (*given, *(DEFAULT_COUNT, 0)[len(given) :])
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(anyio.run(render_all, f"sqlite:///{folder}/scenes.db", range(first, first + count)))
