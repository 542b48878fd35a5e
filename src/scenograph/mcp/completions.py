"""Completions: values for the arguments of prompts and for the variables of resource templates.

COMPLETERS is the table by argument name. What cannot be found out just now completes to nothing; it never fails.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import cast

from mcp_types import Completion

from scenograph.mcp.api_client import Api, Refusal
from scenograph.mcp.inputs import ID_FORM
from scenograph.wire.limits import ICON_QUERY_LENGTH
from scenograph.wire.themes import THEME_NAMES

MOST = 100  # the protocol's limit
Values = Mapping[str, str]
Complete = Callable[[Api, str, Values], Awaitable[list[str]]]


async def _scene_ids(api: Api, begun: str, _others: Values) -> list[str]:
    """Ids of the caller's scenes: those that begin so first, then those that hold it (in the title, too)."""
    if not api.key:
        return []
    query = {"limit": MOST, **({"q": begun[:ICON_QUERY_LENGTH]} if begun else {})}
    found = await api.get("/v1/scenes", query)
    ids = [str(item["sceneId"]) for item in found["items"]]
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


COMPLETERS: Mapping[str, Complete] = MappingProxyType(
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
    """At most MOST values for the argument `name` that was begun with `begun`."""
    complete = COMPLETERS.get(name)
    try:
        values = await complete(api, begun, others) if complete else []
    except (Refusal, LookupError, TypeError, ValueError, AttributeError):  # or a reply of another form
        values = []
    return Completion(values=values[:MOST], total=len(values), has_more=False)
