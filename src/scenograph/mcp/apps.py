"""The App of MCP Apps (2026-01-26): the results that open it, and its tool for drawing and editing.

The App is the service's own page, passed on as the resource VIEWER. Hosts with support for Apps announce the support on
connecting; only such hosts learn of the App. Its tool is hidden from the model and limited to REQUESTS: no deletion, no
publication, no submission.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from mcp.server import ServerRequestContext
from mcp.server.apps import APP_MIME_TYPE, EXTENSION_ID, client_supports_apps

from scenograph.mcp.answers import ToolAnswer
from scenograph.mcp.api_client import Api, Refusal
from scenograph.mcp.inputs import REQUESTS, Wrong

VIEWER, PAGE, MIME_TYPE = "ui://scenograph/viewer", "/app", APP_MIME_TYPE
OPENS: Mapping[str, Any] = {"ui": {"resourceUri": VIEWER, "visibility": ["model", "app"]}}
MODEL_ONLY: Mapping[str, Any] = {"ui": {"visibility": ["model"]}}
APP_ONLY: Mapping[str, Any] = {"ui": {"resourceUri": VIEWER, "visibility": ["app"]}}
# The App loads nothing; a chat's own frame suits a picture.
LOOKS: Mapping[str, Any] = {"ui": {"csp": {}, "permissions": {"clipboardWrite": {}}, "prefersBorder": True}}
MOST_CHARACTERS = 3_800_000
"""Of an answer to the App, which no model reads; a message has less than 4 MB."""

DONE = 200


EXTENSION: Mapping[str, Mapping[str, Any]] = {EXTENSION_ID: {}}
"""The server's extension announced to a connecting host."""


def shows_apps(context: ServerRequestContext[Any, Any]) -> bool:
    """Whether the host shows Apps."""
    return client_supports_apps(context)


async def app_request(api: Api, arguments: Mapping[str, Any]) -> ToolAnswer:
    """A request of the App, with the service's status; a refusal is no failure of the call."""
    name = arguments["request"]
    request, about = REQUESTS[name], arguments.get("about", "")
    if request.is_about and not about:
        raise Wrong(f"about is missing: {name} needs it.")
    path = request.path.format(about=quote(about, safe=""))
    query = {key: value.format(about=about) for key, value in request.query.items()}
    try:
        reply = await (api.get(path, query) if request.method == "GET" else api.post(path, arguments.get("body")))
        status = DONE
    except Refusal as refusal:
        if not refusal.status:
            raise
        status, reply = refusal.status, {"error": refusal.sentence, "code": refusal.code, **refusal.body}
    return ToolAnswer(
        text=f"{name}: {status}",
        structured={"status": status, "reply": reply},
        payload=("reply",),
        source="Ask for a smaller part of it.",
        room=MOST_CHARACTERS,
    )
