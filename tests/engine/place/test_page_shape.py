"""A wished width / height of the page."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from scenograph.engine.pipeline import lay_out, normalize
from scenograph.engine.tables import LaidOutScene
from scenograph.scene.model import View


def chain(count: int, **strategy: Any) -> dict[str, Any]:
    nodes = [{"id": f"n{i}", "kind": "node", "label": f"Step {i}"} for i in range(count)]
    edges = [
        {"id": f"e{i}", "kind": "edge", "from": {"elementId": f"n{i}"}, "to": {"elementId": f"n{i + 1}"}}
        for i in range(count - 1)
    ]
    scene = {"id": "s", "units": "px", "canvas": {"width": 3000, "height": 200}}
    document = {"schemaVersion": "0.1", "diagramFamily": "workflow", "scene": scene, "elements": [*nodes, *edges]}
    return document | ({"layoutStrategy": strategy} if strategy else {})


def shape(scene: LaidOutScene) -> float:
    return scene.canvas.width / scene.canvas.height


@pytest.mark.parametrize(
    ("direction", "wish"),
    [(direction, wish) for direction in ("TB", "BT", "LR", "RL") for wish in (1.0, 1.6, 3.0)]
    + [("LR", 0.5), ("RL", 0.5)],
)
def test_a_long_flow_is_folded_until_its_page_comes_near_the_wish(direction: str, wish: float) -> None:
    scene = lay_out(chain(20, algorithm="flow", direction=direction, aspectRatio=wish)).scene
    assert wish / 1.25 <= shape(scene) <= wish * 1.25
    assert not any(one.overlaps(other) for one, other in combinations(scene.placement.boxes.values(), 2))


def test_the_rows_of_a_folded_flow_run_in_its_direction() -> None:
    boxes = lay_out(chain(12, algorithm="flow", direction="LR", aspectRatio=1.6)).scene.placement.boxes
    back = [i for i in range(11) if boxes[f"n{i + 1}"].x <= boxes[f"n{i}"].x]
    assert back
    assert all(boxes[f"n{i + 1}"].y > boxes[f"n{i}"].bottom for i in back)


def test_a_view_wishes_a_shape_whatever_the_document_says() -> None:
    scene = lay_out(chain(20, algorithm="flow", aspectRatio=3), view=View(aspect_ratio=0.6)).scene
    assert 0.48 <= shape(scene) <= 0.75


def test_the_page_of_a_wished_shape_is_not_padded_to_the_declared_canvas() -> None:
    scene = lay_out(chain(2), view=View(aspect_ratio=2)).scene
    assert scene.canvas.width < 1000


def test_a_scene_in_a_wished_shape_is_the_same_when_it_is_normalized_again() -> None:
    first, _ = normalize(chain(20, algorithm="flow", aspectRatio=1))
    again, _ = normalize(first)
    assert again["computed"] == first["computed"]


def test_given_places_outweigh_the_wish() -> None:
    document = chain(4)
    for number, node in enumerate(document["elements"][:4]):
        node["layout"] = {"mode": "absolute", "x": 300 * number, "y": 10}
    scene = lay_out(document, view=View(aspect_ratio=0.5)).scene
    assert [scene.placement.boxes[f"n{i}"].x for i in range(4)] == [0, 300, 600, 900]


@pytest.mark.parametrize("algorithm", ["flow", "hierarchical", "grid"])
def test_content_without_any_extent_has_no_shape_to_give(algorithm: str) -> None:
    nothing = {"width": 0, "height": 0}
    document = chain(2, algorithm=algorithm, aspectRatio=1.5)
    for element in document["elements"]:
        if element["kind"] == "node":
            element["layout"] = nothing
    document["elements"] = [one for one in document["elements"] if one["kind"] == "node"]
    assert len(lay_out(document).scene.placement.boxes) == 2
