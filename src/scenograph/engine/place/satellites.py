"""Satellites beside the steps of a flow: data objects, data stores, annotations.

In: the scene and its inventory. Out: the inventory with satellites placed relative to their steps, and without their
edges. An element is a satellite if all its edges run `beside` the flow (`EdgeKind`) and its step is in the same
container: the first source of its edges, else the first target. Satellites stand above and below a step of a sideways
flow, otherwise right and left, in turn. Rule R-FLOW-10.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from scenograph.engine.families.catalog import edge_kind
from scenograph.engine.families.family import is_tiled
from scenograph.engine.geometry.directions import SIDEWAYS
from scenograph.engine.place.containers.pools import is_upright
from scenograph.engine.place.inventory import ROOT, Inventory
from scenograph.engine.place.subgraph import LABEL_ENDS
from scenograph.late_dataclasses import replace
from scenograph.scene.model import Edge, Layout, Node, Scene

GAP = 32.0  # px; between a step and its satellite: room for an arrow
_RELATIONS_ACROSS = {True: ("below", "above"), False: ("rightOf", "leftOf")}  # by whether the flow runs sideways


def with_satellites(scene: Scene, inventory: Inventory, direction: str) -> Inventory:
    """The inventory with satellites placed beside their steps."""
    steps = _steps(scene, inventory)
    if not steps:
        return inventory
    elements = dict(inventory.elements)
    relations = (layout for one in elements if (layout := inventory.relation(one)) is not None)
    taken = Counter([(layout.target, layout.relation) for layout in relations])
    for one, step in steps.items():
        sides = _RELATIONS_ACROSS[_is_sideways(inventory, step, direction)]
        side = min(sides, key=lambda side: taken[step, side])
        taken[step, side] += 1
        given, gap = elements[one].layout, _gap(inventory, one, step, upright=side in _RELATIONS_ACROSS[True])
        beside = Layout(mode="relative", relation=side, target=step, gap=gap, width=given.width, height=given.height)
        elements[one] = replace(elements[one], layout=beside)
    ties = tuple(tie for tie in inventory.ties if tie.source not in steps and tie.target not in steps)
    return replace(inventory, elements=elements, ties=ties)


def _steps(scene: Scene, inventory: Inventory) -> Mapping[str, str]:
    """The step of every satellite, in document order."""
    lines: dict[str, list[Edge]] = {}
    for edge in scene.edges:
        for end in dict.fromkeys(edge.ends):
            lines.setdefault(end, []).append(edge)
    free = {
        one
        for one, element in inventory.elements.items()
        if isinstance(element, Node)
        and element.layout.mode == "auto"
        and one in lines
        and all(edge_kind(edge.edge_type).beside for edge in lines[one])
    }
    found = {one: _step(one, lines[one]) for one in inventory.elements if one in free}
    return {
        one: step
        for one, step in found.items()
        if step in inventory.elements
        and step not in free
        and inventory.relation(step) is None
        and inventory.parent.get(one) == inventory.parent.get(step)
    }


def _step(element_id: str, lines: Sequence[Edge]) -> str:
    first = next((edge for edge in lines if edge.target.element_id == element_id), lines[0])
    return next((end for end in first.ends if end != element_id), element_id)


def _gap(inventory: Inventory, one: str, step: str, *, upright: bool) -> float:
    """The gap between a step and its satellite: the length of an arrow, or of the longest label between the two."""
    ties = (tie for tie in inventory.ties if {tie.source, tie.target} == {one, step})
    longest = max((tie.label_height if upright else tie.label_width for tie in ties), default=0.0)
    return max(GAP, longest + LABEL_ENDS) if longest else GAP


def _is_sideways(inventory: Inventory, step: str, direction: str) -> bool:
    """Whether the flow of a step runs to the right or left: in a pool as its lanes lie, else as the scene's does."""
    pool = next((one for one in inventory.ancestors(step) if one != ROOT and is_tiled(inventory.elements[one])), None)
    return direction in SIDEWAYS if pool is None else not is_upright(inventory, pool)
