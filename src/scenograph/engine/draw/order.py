"""In which order things are painted (specification: "SVG pipeline order"; decisions: section 8).

`zIndex` decides first. Where it leaves a choice: containers, the outer before the inner; nodes; edges; edge labels;
then texts, images and guides. What is still equal keeps the order of the document.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from scenograph.engine.families.catalog import kind_of
from scenograph.scene.model import Element, Frame, Group, Node, Scene

EDGE_LABEL = "edgeLabel"
LAYERS: Mapping[str, int] = MappingProxyType(
    {"frame": 0, "group": 0, "node": 1, "edge": 2, EDGE_LABEL: 3, "text": 4, "image": 4, "guide": 4}
)

RANKS: Mapping[str, int] = MappingProxyType({"removed": 0})
LINE_RANKS: Mapping[str, int] = MappingProxyType({"unchanged": 0, "removed": 1})


class Turn(NamedTuple):
    """One visit of the brush: which painter (a key of LAYERS) paints which element."""

    layer: str
    element: Element


def paint_order(scene: Scene, changes: Mapping[str, str] | None = None) -> tuple[Turn, ...]:
    """Every visible element's turns, from back to front. In a visual diff (`changes`: id → what became of it) what is
    gone gives way to its like; but of lines, which may share their way, the changed ones are to be seen."""
    depths = nesting_depths(scene.elements)
    turns = list(_turns(scene.elements))
    # Sorting is stable: what is equal keeps the document's order.
    turns.sort(key=lambda turn: (*_layer(turn, depths), _rank(turn, changes or {})))
    return tuple(turns)


def nesting_depths(elements: Iterable[Element]) -> dict[str, float]:
    """How many containers each container lies in; a group lies half a step deeper than a frame beside it."""
    containers = {element.id: element for element in elements if isinstance(element, Frame | Group)}
    parents = {child: parent for parent, element in containers.items() for child in element.children}
    return {key: _depth(key, parents) + isinstance(element, Group) / 2 for key, element in containers.items()}


def _depth(element_id: str, parents: Mapping[str, str]) -> int:
    """Steps to the top; a cycle, which validation refuses, is walked once."""
    seen = {element_id}
    at = parents.get(element_id)
    while at is not None and at not in seen:
        seen.add(at)
        at = parents.get(at)
    return len(seen) - 1


def _layer(turn: Turn, depths: Mapping[str, float]) -> tuple[float, int, float]:
    return turn.element.z_index, LAYERS[turn.layer], depths.get(turn.element.id, 0.0) + _rises(turn.element)


def _rises(element: Element) -> bool:
    """Whether a node lies over its like: a note over lifelines."""
    return isinstance(element, Node) and kind_of(element).rises


def _rank(turn: Turn, changes: Mapping[str, str]) -> int:
    ranks = LINE_RANKS if turn.layer == "edge" else RANKS
    return ranks.get(changes.get(turn.element.id, ""), len(ranks))


def _turns(elements: Iterable[Element]) -> Iterator[Turn]:
    for element in elements:
        if not element.visible or element.kind not in LAYERS:
            continue
        yield Turn(element.kind, element)
        if element.kind == "edge":
            yield Turn(EDGE_LABEL, element)
