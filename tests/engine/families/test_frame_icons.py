"""The icon of a frame stands at the beginning of its title, in every container type and theme."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.families.conftest import Plan, extent, node, plan

from scenograph.engine.drawing import PathItem
from scenograph.engine.icons import find
from scenograph.engine.pipeline import lay_out
from scenograph.engine.themes import THEMES
from scenograph.scene.model import View

TYPES = ("generic", "subprocess", "partition", "package", "boundary", "state", "pool")
KEYS = ("lucide:server", "aws:lambda", "gcp:cloud-run")


def frame_of(container_type: str, **members: Any) -> dict[str, Any]:
    return {"id": "f", "kind": "frame", "containerType": container_type, "children": ["n"], **members}


def icon_of(found: Plan, key: str) -> tuple[PathItem, ...]:
    """The last paths of the frame, as many as the icon has."""
    icon = find(key)
    assert icon is not None
    return tuple(found.paths("f")[-len(icon.layers) :])


@pytest.mark.parametrize("theme", [theme for theme in THEMES if theme != "sketch"])
@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("container_type", TYPES)
def test_the_icon_is_inside_its_frame_beside_the_title_and_off_the_content(container_type, key, theme) -> None:
    found = plan(
        "architecture", node("n", "service", "N"), frame_of(container_type, title="Orders", icon=key), theme=theme
    )
    drawn, frame_box = extent(*(item.path for item in icon_of(found, key))), found.box("f")
    assert frame_box.x < drawn.x < drawn.right < frame_box.right
    assert frame_box.y < drawn.y < drawn.bottom < frame_box.bottom
    assert not drawn.overlaps(found.box("n"))
    assert container_type == "pool" or all(drawn.right <= run.at.x for run in found.runs("f"))


def test_an_icon_read_upwards_stands_below_its_title() -> None:
    found = plan("workflow", node("n", "workflow.task", "N"), frame_of("pool", title="Shop", icon="lucide:server"))
    drawn, title = extent(*(item.path for item in icon_of(found, "lucide:server"))), found.part("f", "title")
    assert drawn.bottom <= title.bottom
    assert drawn.y >= title.bottom - 20


def test_a_frame_without_a_title_shows_its_icon_alone() -> None:
    found = plan("architecture", node("n", "service", "N"), frame_of("generic", icon="aws:lambda"))
    assert len(icon_of(found, "aws:lambda")) == len(found.paths("f")) - 1
    assert not found.runs("f")


def test_an_unknown_icon_takes_no_room_in_a_title() -> None:
    plain = plan("architecture", node("n", "service", "N"), frame_of("generic", title="Orders"))
    unknown = plan("architecture", node("n", "service", "N"), frame_of("generic", title="Orders", icon="aws:no-such"))
    assert plain.part("f", "title") == unknown.part("f", "title")


def test_a_folded_frame_keeps_its_icon() -> None:
    titled = frame_of("generic", title="Orders", icon="lucide:server")
    rows = [node("n", "service", "N"), titled]
    scene = {"id": "s", "units": "px", "canvas": {}}
    document = {"schemaVersion": "0.1", "diagramFamily": "architecture", "scene": scene, "elements": rows}
    found = lay_out(document, view=View(collapse=("f",)))
    assert found.scene.placement.part("f", "icon") is not None
