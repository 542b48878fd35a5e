"""What every container's composition needs, and what it asks about elements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import floor, fsum

from scenograph.engine.families.container_types import is_divided, is_tile, is_tiled
from scenograph.engine.geometry.boxes import Box, Outset, Point
from scenograph.engine.place.frames import inset_of, outset_of
from scenograph.engine.place.inventory import Inventory, Unit, added
from scenograph.engine.place.nesting import Nesting
from scenograph.engine.place.parts import Ways, icon_line
from scenograph.engine.place.relative_positions import fixed_positions
from scenograph.engine.place.subgraph import Arrange, Corners, LayoutSettings, Subgraph
from scenograph.engine.place.ties import TieTable, lift_ties
from scenograph.late_dataclasses import dataclass, field
from scenograph.scene.model import Frame

ACROSS_IS_Y = ("LR", "RL")


@dataclass(slots=True)
class Composer:
    """What every container's composition needs. `fixed` are the corners that are certain beforehand, `held` the
    containers with such a corner inside; `seen` are the boxes of the pass before, empty in the first; `known` are
    levels arranged already, `leaves` elements asked for already; `standing` are the boxes of this pass that have their
    final place, with outsets; `entered` are the frames whose title lines from above run into, with what these reach;
    `nesting` is the order of everything, where it is settled beforehand."""

    inventory: Inventory
    ties: TieTable
    arrange: Arrange
    settings: LayoutSettings
    fixed: Mapping[str, Point]
    held: frozenset[str]
    seen: Mapping[str, Box]
    known: dict[Subgraph, Corners]
    leaves: dict[str, Unit]
    standing: dict[str, Box]
    entered: Mapping[str, Ways] = field(default_factory=dict[str, Ways])
    nesting: Nesting | None = None

    def arranged(self, subgraph: Subgraph) -> Corners:
        """What the algorithm makes of a level, on whole pixels: middles on one line stay on it."""
        found = self.known.get(subgraph)
        if found is None:
            corners = self.arrange(subgraph).items()
            found = {item_id: Point(floor(x + 0.5), floor(y + 0.5)) for item_id, (x, y) in corners}
            self.known[subgraph] = found
        return found

    def hints(self, units: Sequence[Unit]) -> dict[str, int]:
        """The order across the flow in which links from outside pull the units; those without any keep their place.

        Empty in the first pass.
        """
        if not self.seen:
            return {}
        side = 1 if self.settings.direction in ACROSS_IS_Y else 0
        ends = {unit.id: self.ties.outer[unit.id] or [unit.id] for unit in units}
        pull = {unit: fsum(self.seen[end].center[side] for end in row) / len(row) for unit, row in ends.items()}
        return {unit: place for place, unit in enumerate(sorted(pull, key=lambda unit: round(pull[unit], 1)))}

    def leaf(self, element_id: str) -> Unit:
        """An element as if nothing stood in it: at its certain place, or at the origin."""
        if element_id not in self.leaves:
            self.leaves[element_id] = self._leaf(element_id)
        return self.leaves[element_id]

    def _leaf(self, element_id: str) -> Unit:
        size, corner = self.inventory.size(element_id), self.fixed.get(element_id)
        x, y = corner or (0.0, 0.0)
        outset = self.leaf_outset(element_id)
        box = Box(x, y, size.width, size.height)
        whole, line = box.with_outset(outset), icon_line(self.inventory.elements[element_id], size)
        return Unit(element_id, box, whole, {element_id: box}, (whole,), corner is not None, line)

    def leaf_outset(self, element_id: str) -> Outset:
        """The room round the box of an element in which nothing stands: for labels, its own and those of its loops."""
        size, loops = self.inventory.size(element_id), self.ties.loops.get(element_id)
        return size.outset if loops is None else added(size.outset, loops)

    def outset(self, element_id: str) -> Outset:
        """The room round the box of an element that belongs to it."""
        if element_id in self.inventory.children:
            return outset_of(self.inventory.elements[element_id], self.inventory.size(element_id))
        return self.leaf_outset(element_id)

    def inset(self, container: str) -> Outset:
        """What a container keeps free round its content."""
        return inset_of(self.inventory.elements[container], self.inventory.size(container))

    def least(self, container: str, *, empty: bool) -> tuple[float, float]:
        """The least size of a container: what its author wants; a frame's title; an empty one's natural size."""
        size, layout = self.inventory.size(container), self.inventory.elements[container].layout
        if empty:
            return size.width, size.height
        is_frame = isinstance(self.inventory.elements[container], Frame)
        return size.width if is_frame else layout.width or 0.0, layout.height or 0.0

    def swims(self, element_id: str) -> bool:
        """Whether an element is a pool that is laid out lane by lane: its author gave none of its lanes a place."""
        element = self.inventory.elements[element_id]
        if not is_tiled(element):
            return False
        return element_id not in self.held or not any(
            child in self.fixed and is_tile(self.inventory.elements[child])
            for child in self.inventory.children[element_id]
        )

    def stacks(self, element_id: str) -> bool:
        """Whether an element is such a pool and joins those beside it; what lanes divide stands by itself."""
        return self.swims(element_id) and not is_divided(self.inventory.elements[element_id])

    def is_lane(self, element_id: str) -> bool:
        """Whether an element is a lane that its pool places: its author gave it no place."""
        element = self.inventory.elements[element_id]
        if element_id in self.fixed or not is_tile(element) or (is_divided(element) and not self.swims(element_id)):
            return False
        return is_tiled(self.inventory.elements.get(self.inventory.parent[element_id]))


def composer_of(inventory: Inventory, arrange: Arrange, settings: LayoutSettings) -> Composer:
    """A composer that has not seen anything yet."""
    fixed = fixed_positions(inventory, settings.node_spacing)
    held = frozenset(container for element_id in fixed for container in inventory.ancestors(element_id))
    return Composer(inventory, lift_ties(inventory), arrange, settings, fixed, held, {}, {}, {}, {})
