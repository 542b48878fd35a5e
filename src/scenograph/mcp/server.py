"""The protocol server: handlers over the tables TOOLS, PLACES and JOBS, on the SDK's low-level server, since schemas
come from the tables and arguments are checked here.

No handler ends the session: a refusal is an error result, and so is an internal fault, which is logged too. The key in
force: over stdio the server's own; over HTTP the caller's `Authorization: Bearer`, else the server's own on a loopback
address. Without a key three tools are offered.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from importlib.metadata import version
from types import MappingProxyType
from typing import Any, cast

from mcp.server import Server, ServerRequestContext
from mcp.server.caching import CacheHint
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    BlobResourceContents,
    CallToolRequestParams,
    CallToolResult,
    CompleteRequestParams,
    CompleteResult,
    Completion,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    TextResourceContents,
)

from scenograph.late_dataclasses import dataclass
from scenograph.mcp import resources
from scenograph.mcp.answers import error_result, explained, result_of
from scenograph.mcp.api_client import Api, Refusal
from scenograph.mcp.inputs import ID_FORM, OWNER, Wrong, checked
from scenograph.mcp.resources import EXTENSION, instructions, shows_apps
from scenograph.mcp.tools import TOOLS, Tool, tools_for
from scenograph.wire.formats import BY_MEDIA_TYPE
from scenograph.wire.names import ICON_QUERY_LENGTH, THEME_NAMES

# Completions: values for the arguments of prompts and the variables of resource templates. _COMPLETERS is the table by
# argument name. A completion never fails: an unavailable answer is empty.


MOST = 100  # the protocol's limit
Values = Mapping[str, str]
_Complete = Callable[[Api, str, Values], Awaitable[list[str]]]


async def _scene_ids(api: Api, begun: str, _others: Values) -> list[str]:
    """Ids of the caller's own scenes: prefix matches first, then matches within id or title."""
    if not api.key:
        return []
    query = {"limit": MOST, **({"q": begun[:ICON_QUERY_LENGTH]} if begun else {})}
    found = await api.get("/v1/scenes", query)
    ids = [str(item["sceneId"]) for item in found["items"] if "owner" not in item]
    return sorted(ids, key=lambda each: not each.startswith(begun))


async def _themes(_api: Api, begun: str, _others: Values) -> list[str]:
    return [theme for theme in THEME_NAMES if theme.startswith(begun)]


async def _icons(api: Api, begun: str, _others: Values) -> list[str]:
    found = await api.get("/v1/icons", {"q": begun[:ICON_QUERY_LENGTH], "limit": MOST})
    return [str(item["key"]) for item in found["items"]]


async def _revisions(api: Api, begun: str, others: Values) -> list[str]:
    scene_id = others.get("sceneId", "")
    if not api.key or not ID_FORM.fullmatch(scene_id):
        return []
    found = await api.get(f"/v1/scenes/{scene_id}/revisions", {"limit": MOST})
    numbers = [str(row["revision"]) for row in cast("list[dict[str, int]]", found["revisions"])]
    return [number for number in numbers if number.startswith(begun)]


_COMPLETERS: Mapping[str, _Complete] = MappingProxyType(
    {
        "sceneId": _scene_ids,
        "theme": _themes,
        "query": _icons,
        "revision": _revisions,
        "from": _revisions,
        "to": _revisions,
    }
)


async def completion(api: Api, name: str, begun: str, others: Values) -> Completion:
    """At most MOST values for the argument `name`, continuing `begun`."""
    complete = _COMPLETERS.get(name)
    try:
        values = await complete(api, begun, others) if complete else []
    except (Refusal, LookupError, TypeError, ValueError, AttributeError):  # or a reply of another form
        values = []
    return Completion(values=values[:MOST], total=len(values), has_more=False)


NAME, TITLE = "scenograph", "Scenograph"
_BEARER = "bearer "
RESOURCE_NOT_FOUND, PARAMS_SINCE = -32002, "2026-07-28"  # since this version an unknown address is a wrong parameter
MOST_SHOWN = 200
UNREAD = (
    "The tool server could not read the service's reply (unexpected_reply). The versions of the two may not fit "
    "together: ask the user to run scenograph doctor."
)
_FRESH = CacheHint(ttl_ms=300_000, scope="private")  # lists differ by key, and change with a new version only
STALE = CacheHint(ttl_ms=0, scope="private")  # a scene may be edited at any moment

Context = ServerRequestContext[Any, Any]
Page = PaginatedRequestParams | None
_log = logging.getLogger(__name__)


def build(api: Api, *, lend_key: bool = True) -> Server[Any]:
    """The server over `api`. With `lend_key` off the key of `api` serves nobody; each caller brings their own."""
    own = api if lend_key else api.for_key(None)
    handlers = _Handlers(own)
    server: Server[Any] = Server(
        NAME,
        title=TITLE,
        version=version("scenograph"),
        description="Makes, edits, compares and publishes diagrams from scene documents.",
        instructions=instructions(key=own.key is not None or not lend_key),
        cache_hints={
            "tools/list": _FRESH,
            "prompts/list": _FRESH,
            "resources/list": _FRESH,
            "resources/templates/list": _FRESH,
            "resources/read": STALE,
            "server/discover": _FRESH,
        },
        get_tool_input_schema=_input_schema,
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_resources=handlers.list_resources,
        on_list_resource_templates=handlers.list_resource_templates,
        on_read_resource=handlers.read_resource,
        on_list_prompts=handlers.list_prompts,
        on_get_prompt=handlers.get_prompt,
        on_completion=handlers.complete,
    )
    server.extensions |= {name: dict(settings) for name, settings in EXTENSION.items()}
    return server


def _input_schema(name: str) -> Mapping[str, Any] | None:
    return next((tool.input_schema for tool in TOOLS if tool.name == name), None)


@dataclass(frozen=True, slots=True)
class _Handlers:
    """A method for each request of the protocol. `own` is the service for callers without a key."""

    own: Api

    async def list_tools(self, context: Context, _page: Page) -> ListToolsResult:
        """tools/list"""
        apps = shows_apps(context)
        offered = tools_for(key=self._has_key(context), apps=apps)
        writes_files = self.own.export_dir is not None
        return ListToolsResult(tools=[tool.described(apps=apps, writes_files=writes_files) for tool in offered])

    async def call_tool(self, context: Context, params: CallToolRequestParams) -> CallToolResult:
        """tools/call; refused arguments cost no call of the service."""
        api = self._api(context)
        tool = _offered(params.name, key=api.key is not None, apps=shows_apps(context))
        if isinstance(tool, str):
            return error_result(tool)
        return await _called(tool, api, params.arguments or {})

    async def list_resources(self, context: Context, _page: Page) -> ListResourcesResult:
        """resources/list"""
        return ListResourcesResult(resources=resources.listed(key=self._has_key(context)))

    async def list_resource_templates(self, context: Context, _page: Page) -> ListResourceTemplatesResult:
        """resources/templates/list"""
        return ListResourceTemplatesResult(resource_templates=resources.templates(key=self._has_key(context)))

    async def read_resource(self, context: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        """resources/read"""
        try:
            text, mime_type = await resources.read(self._api(context), params.uri)
        except resources.NoSuchResource as absent:
            modern = context.protocol_version >= PARAMS_SINCE
            raise _protocol_error(
                str(absent), INVALID_PARAMS if modern else RESOURCE_NOT_FOUND, uri=params.uri[:MOST_SHOWN]
            ) from absent
        except Refusal as refusal:
            raise _protocol_error(explained(refusal, {}), uri=params.uri[:MOST_SHOWN]) from refusal
        except Exception as odd:
            _log.exception("A resource could not be read.")
            raise _protocol_error(UNREAD, uri=params.uri[:MOST_SHOWN]) from odd
        form = BY_MEDIA_TYPE.get(mime_type)
        if form is not None and form.binary:
            return ReadResourceResult(contents=[BlobResourceContents(uri=params.uri, blob=text, mime_type=mime_type)])
        looks = resources.looks_of(params.uri)
        contents = TextResourceContents(uri=params.uri, text=text, mime_type=mime_type, _meta=looks)
        return ReadResourceResult(contents=[contents])

    async def list_prompts(self, context: Context, _page: Page) -> ListPromptsResult:
        """prompts/list"""
        return ListPromptsResult(prompts=resources.listed_prompts(key=self._has_key(context)))

    async def get_prompt(self, context: Context, params: GetPromptRequestParams) -> GetPromptResult:
        """prompts/get"""
        try:
            return resources.written(params.name, params.arguments or {}, key=self._has_key(context))
        except resources.WrongPrompt as wrong:
            raise _protocol_error(str(wrong)) from wrong

    async def complete(self, context: Context, params: CompleteRequestParams) -> CompleteResult:
        """completion/complete"""
        others = (params.context.arguments if params.context else None) or {}
        argument = params.argument
        return CompleteResult(completion=await completion(self._api(context), argument.name, argument.value, others))

    def _api(self, context: Context) -> Api:
        # The caller's Authorization header, over HTTP; None if absent
        headers = getattr(context.request, "headers", None)
        sent = cast("Mapping[str, str]", headers).get("authorization") if headers is not None else None
        return self.own if sent is None else self.own.for_key(_key_in(sent))

    def _has_key(self, context: Context) -> bool:
        return self._api(context).key is not None


async def _called(tool: Tool, api: Api, arguments: Mapping[str, Any]) -> CallToolResult:
    try:
        sent = checked(tool.inputs, arguments)
        owner = sent.pop(OWNER.name, None)
        return result_of(await tool.call(api.for_owner(owner), sent))
    except Wrong as wrong:
        return error_result(f"{wrong}\nNothing was sent to the service.")
    except Refusal as refusal:
        return error_result(explained(refusal, tool.next_steps, arguments.get("baseRevision")))
    except Exception:
        _log.exception("The tool %s broke off.", tool.name)
        return error_result(UNREAD)


def _offered(name: str, *, key: bool, apps: bool) -> Tool | str:
    """The tool, or the reason for withholding it from this caller. An unknown name is a protocol error."""
    found = next((tool for tool in tools_for(key=key, apps=apps) if tool.name == name), None)
    if found is not None:
        return found
    if any(tool.name == name for tool in TOOLS):
        return (
            f"{name} needs an API key (missing_api_key).\nNext: ask the user to set SERVICE_API_KEY in the host's "
            "configuration of this server. Without one scenes are validated, normalized and rendered, not stored."
        )
    names = ", ".join(tool.name for tool in tools_for(key=key))
    raise _protocol_error(f"Unknown tool. There are: {names}.")


def _key_in(sent: str) -> str | None:
    """The key of an Authorization header. Whoever sends another sort has no key here: never the server's own."""
    key = sent[len(_BEARER) :].strip() if sent.lower().startswith(_BEARER) else ""
    return key if key.isascii() and key.isprintable() and " " not in key and key else None


def _protocol_error(sentence: str, code: int = INVALID_PARAMS, **data: Any) -> MCPError:
    return MCPError(code=code, message=sentence, data=data or None)
