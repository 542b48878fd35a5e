"""REQUESTS: what the App may ask of the service, by name. Nothing else of the API can be reached from it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

NO_QUERY: Mapping[str, str] = MappingProxyType({})


class Request(NamedTuple):
    """One call of the API. `{about}` in the path is the scene's id, in the query the words that are looked for."""

    method: str
    path: str
    query: Mapping[str, str] = NO_QUERY

    @property
    def is_about(self) -> bool:
        """Whether it needs `about`."""
        return "{about}" in self.path or "{about}" in self.query.values()


REQUESTS: Mapping[str, Request] = MappingProxyType(
    {
        "read": Request("GET", "/v1/scenes/{about}", {"computed": "true"}),
        "draw": Request("POST", "/v1/scenes/render"),
        "place": Request("POST", "/v1/scenes/normalize"),
        "compare": Request("POST", "/v1/scenes/{about}/render"),
        "apply": Request("POST", "/v1/scenes/{about}/applyOps"),
        "restore": Request("POST", "/v1/scenes/{about}/restore"),
        "schema": Request("GET", "/schemas/scene.schema.json"),
        "icons": Request("GET", "/v1/icons", {"q": "{about}", "limit": "48"}),
    }
)
