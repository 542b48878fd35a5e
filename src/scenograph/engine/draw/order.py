"""In which order things are painted (R-PAINT-1).

`zIndex` decides first. Where it leaves a choice: containers, the outer before the inner, those that rise (a fragment of
a sequence over the boxes round its lifelines) with all in them after the others; nodes, one that wholly holds another
before it (an expanded sub-process whose steps were given places inside it); edges; edge labels; then texts,
images and guides. What is still equal keeps the order of the document.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from scenograph.engine.families.catalog import frame_kind, kind_of
from scenograph.engine.geometry.spatial_index import EVERY
from scenograph.engine.kernels.near_boxes import pairs_nearer
from scenograph.engine.kernels.straight_lines import Rectangle
from scenograph.engine.tables import Box
from scenograph.scene.model import Element, Frame, Group, Node, Scene
from scenograph.scene.nesting import ancestors

EDGE_LABEL = "edgeLabel"
LAYERS: Mapping[str, int] = MappingProxyType(
    {"frame": 0, "group": 0, "node": 1, "edge": 2, EDGE_LABEL: 3, "text": 4, "image": 4, "guide": 4}
)

RANKS: Mapping[str, int] = MappingProxyType({"removed": 0})
MOST_HOLDERS = 200  # only the largest nodes are looked at: none of a crowd is asked about all the others
TOUCHING = 0.01  # px; boxes so near to each other are looked at
NOWHERE: Mapping[str, Box] = MappingProxyType({})
LINE_RANKS: Mapping[str, int] = MappingProxyType({"unchanged": 0, "removed": 1})


class PaintStep(NamedTuple):
    """One visit of the brush: which painter (a key of LAYERS) paints which element."""

    layer: str
    element: Element


def paint_order(
    scene: Scene, changes: Mapping[str, str] | None = None, boxes: Mapping[str, Box] = NOWHERE
) -> tuple[PaintStep, ...]:
    """Every visible element's turns, from back to front; `boxes` are the places by id. In a visual diff (`changes`:
    id → what became of it) what is gone gives way to its like; but of lines, which may share their way, the changed
    ones are to be seen."""
    heights = _heights(scene.elements) | _depths(scene.elements, boxes)
    rows: list[tuple[float, int, bool, float, int, int, PaintStep]] = []
    for element in scene.elements:
        kind = element.kind
        if kind not in LAYERS or not element.visible:
            continue
        height = heights.get(element.id)
        rises, depth = (_rises(element), 0.0) if height is None else height
        # What is equal keeps the document's order.
        for layer in (kind, EDGE_LABEL) if kind == "edge" else (kind,):
            rank = _rank(layer, element, changes) if changes else 0
            rows.append((element.z_index, LAYERS[layer], rises, depth, rank, len(rows), PaintStep(layer, element)))
    rows.sort()
    return tuple([row[-1] for row in rows])


def _heights(elements: Iterable[Element]) -> dict[str, tuple[bool, float]]:
    """Of each container: whether it rises, or one round it does; and how many containers it lies in. A group lies half
    a step deeper than a frame beside it."""
    containers = {element.id: element for element in elements if isinstance(element, Frame | Group)}
    parents = {child: parent for parent, element in containers.items() for child in element.children}
    found: dict[str, tuple[bool, float]] = {}
    for key, element in containers.items():
        chain = [key, *ancestors(key, parents.get)]
        found[key] = any(_rises(containers[one]) for one in chain), len(chain) - 1 + isinstance(element, Group) / 2
    return found


def _depths(elements: Iterable[Element], boxes: Mapping[str, Box]) -> dict[str, tuple[bool, float]]:
    """Of each node that lies wholly within larger nodes: whether it rises, and in how many it lies."""
    nodes = [element for element in elements if isinstance(element, Node) and element.visible and element.id in boxes]
    nodes.sort(key=lambda node: -_area(boxes[node.id]))
    rows: list[Rectangle] = [boxes[node.id] for node in nodes]
    may_hold = [number < MOST_HOLDERS for number in range(len(nodes))]
    found: Counter[str] = Counter()
    for first, second in pairs_nearer(rows, may_hold, TOUCHING, TOUCHING, EVERY):  # the first is no smaller
        holder, node = boxes[nodes[first].id], boxes[nodes[second].id]
        if may_hold[first] and _area(node) < _area(holder) and holder.contains(node):
            found[nodes[second].id] += 1
    return {node.id: (_rises(node), float(found[node.id])) for node in nodes if node.id in found}


def _area(box: Box) -> float:
    return box.width * box.height


def _rises(element: Element) -> bool:
    """Whether an element lies over its like: a note over lifelines, what is attached over its host, a fragment over the
    boxes round lifelines."""
    if isinstance(element, Node):
        return kind_of(element).rises or element.attached_to is not None
    kind = frame_kind(element.container_type) if isinstance(element, Frame) else None
    return kind is not None and kind.rises


def _rank(layer: str, element: Element, changes: Mapping[str, str]) -> int:
    ranks = LINE_RANKS if layer == "edge" else RANKS
    return ranks.get(changes.get(element.id, ""), len(ranks))
