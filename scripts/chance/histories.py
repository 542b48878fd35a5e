"""What a history of edits promises: every revision is drawn from the places of the one before.

`faults(document, sketch)` names what is wrong with a revision: boxes on each other, content outside its container,
lines through nodes that are none of their ends, and whatever moves when it is drawn again from its own places. px.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from chance.edits import EDITS, edited
from chance.promises import holds_content, keeps_apart, placed
from chance.scenes import Chance
from scenograph.engine.geometry.paths import crosses, quadratic
from scenograph.engine.geometry.spatial_index import bounds_of
from scenograph.engine.pipeline import LaidOut, lay_out, places_of
from scenograph.scene.model import Edge, Node

Json = dict[str, Any]
WITHIN = 1.0  # a line may touch the rim of a box
CHORDS = 16


def history(document: Json, chance: Chance, edits: int) -> Iterator[tuple[str, Json, Json]]:
    """Revisions that chance makes of a document: the kind of the edit, the revision, the places of the one before."""
    kinds = tuple(EDITS)
    places = places_of(lay_out(document))
    for _ in range(edits):
        kind = kinds[chance.number(0, len(kinds) - 1)]
        step = edited(document, kind, chance)
        if step is None:
            continue
        document = step[0]
        yield kind, document, places
        places = places_of(lay_out(document, sketch=places))


def faults(document: Json, sketch: Json) -> list[str]:
    """What is wrong with a revision."""
    laid_out = lay_out(document, sketch=sketch)
    places, page = places_of(laid_out), placed(document, sketch)
    again = places_of(lay_out(document, sketch=places))
    moved = [f"{one} moves when drawn again" for one, box in places["bounds"].items() if again["bounds"][one] != box]
    moved += [f"{one} runs elsewhere" for one, way in places["edgePaths"].items() if again["edgePaths"].get(one) != way]
    return [*keeps_apart(page), *holds_content(page), *lines_through_nodes(laid_out), *moved]


def lines_through_nodes(laid_out: LaidOut) -> Iterator[str]:
    """The lines that run through a node which is none of their ends."""
    scene, boxes = laid_out.scene.scene, laid_out.scene.placement.boxes
    nodes = [one.id for one in scene.elements if isinstance(one, Node) and one.id in boxes]
    for edge in (one for one in scene.elements if isinstance(one, Edge) and one.id in laid_out.scene.routes):
        route = laid_out.scene.routes[edge.id]
        is_curve = route.router == "curved" and len(route.points) == 3
        points = quadratic(*route.points, CHORDS) if is_curve else route.points
        for name in nodes:
            if name in (edge.source.element_id, edge.target.element_id):
                continue
            if any(crosses(a, b, bounds_of(boxes[name].grown(-WITHIN))) for a, b in pairwise(points)):
                yield f"{edge.id} runs through {name}"
