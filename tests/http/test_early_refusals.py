"""Which requests are refused by their address and headers alone, when the engine has no room for them."""

from __future__ import annotations

import re
from typing import Any

import pytest

from scenograph.http.app import create_app
from scenograph.http.drawer import drawer_of
from scenograph.http.engine_turns import Door, doors_of
from scenograph.http.guards import render_slot
from scenograph.http.routes import ROUTES, Route
from scenograph.wiring import Services

TAKING = {
    *("normalize_scene", "import_source", "sync_scene"),
    *("render_inline", "render_stored", "render_published", "read_public_scene"),
    *("show_svg", "show_png", "show_page", "show_preview", "show_embed"),
}


@pytest.fixture(scope="module")
def doors(services: Services) -> tuple[Door, ...]:
    return doors_of(create_app(services).router.routes, render_slot, drawer_of)


@pytest.mark.parametrize("row", ROUTES, ids=lambda row: f"{row.method} {row.path}")
def test_a_request_comes_to_the_door_of_its_own_route_or_to_none(doors: tuple[Door, ...], row: Route) -> None:
    scope: dict[str, Any] = {"method": row.method, "path": re.sub(r"\{\w+\}", "some-id", row.path)}
    opened = next((door.route.name for door in doors if door.opens_to(scope)), None)
    own = row.handler.__name__
    assert opened == (own if own in TAKING else None)
