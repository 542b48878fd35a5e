"""`scenograph doctor`: checks of everything the tools need. A line for each check: ok, warn or FAIL. The checks run in
order; a failed precondition ends the examination."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from importlib.metadata import version
from typing import Any, cast

import anyio

from scenograph.late_dataclasses import dataclass
from scenograph.mcp.answers import NEXT_STEPS
from scenograph.mcp.api_client import Api, Refusal
from scenograph.mcp.rendering import draw_png
from scenograph.mcp.running import service
from scenograph.mcp.tools import tools_for
from scenograph.settings import Settings

OK, WARNING, FAILURE = "ok", "warn", "FAIL"
KEY_FORM = re.compile(r"dsp_sk_[0-9a-fA-F]{32}")
SAMPLE: Mapping[str, Any] = {
    "schemaVersion": "0.1",
    "diagramFamily": "architecture",
    "scene": {"id": "doctor", "units": "px", "canvas": {}},
    "elements": [
        {"id": "a", "kind": "node", "nodeType": "service", "label": "Doctor"},
        {"id": "b", "kind": "node", "nodeType": "database", "label": "Patient"},
        {"id": "e", "kind": "edge", "from": {"elementId": "a"}, "to": {"elementId": "b"}},
    ],
}


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a check; `ends` marks a failed precondition of all further checks."""

    name: str
    outcome: str
    text: str
    ends: bool = False


def examine(settings: Settings, *, local: bool, say: Callable[[str], None]) -> bool:
    """Run the checks and hand each finding to `say` as a line; gives whether none failed."""
    return anyio.run(_examine, settings, local, say)


async def _examine(settings: Settings, local: bool, say: Callable[[str], None]) -> bool:  # noqa: FBT001
    async with service(settings, local=local) as api:
        sound = True
        for check in CHECKS:
            finding = await check(api)
            say(f"{finding.outcome:4}  {finding.name}: {finding.text}")
            sound = sound and finding.outcome != FAILURE
            if finding.ends:
                break
        return sound


async def _address(api: Api) -> Finding:
    try:
        reply = await api.get("/health")
    except Refusal as refusal:
        return Finding("address", FAILURE, f"{refusal.sentence} {NEXT_STEPS.get(refusal.code, '')}".strip(), ends=True)
    if reply.get("status") != "ok":
        return Finding("address", FAILURE, f"What answers at {api.address} is not this service.", ends=True)
    return Finding("address", OK, f"{api.address} answers.")


async def _version(api: Api) -> Finding:
    own = version("scenograph")
    try:
        info: Any = (await api.get("/openapi.json")).get("info")
    except Refusal as refusal:
        return Finding("version", WARNING, f"{own} here; the service does not tell its own ({refusal.code}).")
    theirs = cast("dict[str, Any]", info).get("version") if isinstance(info, dict) else None
    if theirs == own:
        return Finding("version", OK, f"{own}, here and there.")
    return Finding("version", WARNING, f"{own} here, {theirs} there; use the same on both sides if a tool misbehaves.")


async def _key(api: Api) -> Finding:
    if api.key is None:
        count = len(tools_for(key=False))
        return Finding("key", WARNING, f"SERVICE_API_KEY is not set: the tool server offers {count} tools only.")
    try:
        await api.get("/v1/scenes", {"limit": 1})
    except Refusal as refusal:
        form = "" if KEY_FORM.fullmatch(api.key) else " It is not of the form dsp_sk_ and 32 hexadecimal characters."
        return Finding("key", FAILURE, f"{refusal.sentence} ({refusal.code}){form}")
    return Finding("key", OK, f"accepted; {len(tools_for(key=True))} tools.")


async def _render(api: Api) -> Finding:
    try:
        drawn = await draw_png(api, "/v1/scenes/render", {"scene": SAMPLE})
    except Refusal as refusal:
        return Finding("render", FAILURE, f"{refusal.sentence} ({refusal.code})")
    if drawn.picture is None:
        return Finding("render", FAILURE, "The service drew no picture of a small scene.")
    return Finding("render", OK, f"a picture of {drawn.picture.width:g} × {drawn.picture.height:g} px.")


CHECKS: tuple[Callable[[Api], Awaitable[Finding]], ...] = (_address, _version, _key, _render)
