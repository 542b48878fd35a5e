"""What is plainly without room for its engine call is refused before anything else is done with it (R-FAIR-3).

Refusing must stay cheap, or those that are refused take the time of those that are served: the address and the headers
decide, before routes are tried one after the other, before the body is read and the key looked up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from scenograph.http.engine_turns import enter, leave, may_be_kept
from scenograph.http.problems import refusal_response
from scenograph.late_dataclasses import dataclass
from scenograph.service.errors import ServiceError


@dataclass(frozen=True, slots=True)
class Door:
    """A route whose requests take a turn with the engine: `always`, or only for a picture that is not kept."""

    route: APIRoute
    always: bool

    def opens_to(self, scope: Scope) -> bool:
        """Whether the request is one of the route's."""
        return scope["method"] in self.route.methods and self.route.path_regex.match(scope["path"]) is not None


def doors_of(routes: Iterable[object], always: Callable[..., Any], at_times: Callable[..., Any]) -> tuple[Door, ...]:
    """The routes that depend on either: on what `always` takes a turn, or on what does so `at_times`."""
    own = [route for route in routes if isinstance(route, APIRoute)]
    taking = [(route, _depends_on(route.dependant, always)) for route in own]
    return tuple(Door(route, takes) for route, takes in taking if takes or _depends_on(route.dependant, at_times))


class RefusedEarly:
    """Refuses at these doors when there is no room; a picture that may be kept is looked for before."""

    def __init__(self, app: ASGIApp, doors: tuple[Door, ...]) -> None:
        self._app = app
        self._doors = doors

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        door = next((door for door in self._doors if door.opens_to(scope)), None) if scope["type"] == "http" else None
        if door is None:
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        if not door.always and may_be_kept(request):
            await self._app(scope, receive, send)
            return
        try:
            enter(request)
        except ServiceError as refused:
            scope["route"] = door.route  # by which it is counted
            await refusal_response(request, refused)(scope, receive, send)
            return
        try:
            await self._app(scope, receive, send)
        finally:
            leave(request)


def _depends_on(dependant: Dependant, wanted: Callable[..., Any]) -> bool:
    return dependant.call is wanted or any(_depends_on(needed, wanted) for needed in dependant.dependencies)
