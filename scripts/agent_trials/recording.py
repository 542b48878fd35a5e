"""A recorder between an agent and the tool server: how many calls, characters, refusals and images a task took."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mcp.client import Client
from mcp.shared.exceptions import MCPError


@dataclass(slots=True)
class Record:
    """What went over the wire for one task. `results` are those of the calls, in their order, as on the wire."""

    calls: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list[tuple[str, Mapping[str, Any]]])
    results: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    sent: int = 0
    received: int = 0
    images: int = 0

    @property
    def refusals(self) -> int:
        """Calls that were answered with an error."""
        return sum(bool(result.get("isError")) for result in self.results)

    def figures(self) -> dict[str, int]:
        """The counts by name; characters of images are not among those received."""
        return {
            "calls": len(self.calls),
            "refusals": self.refusals,
            "sent": self.sent,
            "received": self.received,
            "images": self.images,
        }


@dataclass(slots=True)
class Recorder:
    """Calls tools and remembers."""

    client: Client
    record: Record = field(default_factory=Record)

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The result as on the wire. A protocol error counts as a refusal."""
        try:
            answer = await self.client.call_tool(tool, dict(arguments))
            result = answer.model_dump(mode="json", by_alias=True, exclude_none=True)
        except MCPError as refused:
            result = {"isError": True, "content": [{"type": "text", "text": str(refused)}]}
        record = self.record
        record.calls.append((tool, arguments))
        record.results.append(result)
        record.sent += len(json.dumps(arguments, ensure_ascii=False))
        blocks = result.get("content", [])
        record.images += sum(block["type"] == "image" for block in blocks)
        shown = [block for block in blocks if block["type"] != "image"]
        record.received += len(json.dumps([shown, result.get("structuredContent")], ensure_ascii=False))
        return result
