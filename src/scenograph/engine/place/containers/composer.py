"""The inputs of every container's composition, and queries about elements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import floor, fsum

from scenograph.engine.families.family import is_divided, is_tile, is_tiled
from scenograph.engine.geometry.boxes import Box, Outset, Point
from scenograph.engine.geometry.directions import SIDEWAYS
from scenograph.engine.place.containers.frames import inset_of, outset_of
from scenograph.engine.place.containers.parts import Ways, icon_line
from scenograph.engine.place.inventory import Inventory, TieTable, Unit, added
from scenograph.engine.place.layered.nesting import Nesting, Ranking
from scenograph.engine.place.relative_positions import fixed_positions
from scenograph.engine.place.subgraph import Arrange, Corners, LayoutRecord, LayoutSettings, Subgraph
from scenograph.late_dataclasses import dataclass, field, replace
from scenograph.scene.model import Frame


@dataclass(slots=True)
class Composer:
    """The inputs of every container's composition.

    `fixed`: corners known beforehand. `held`: containers with a fixed corner inside. `seen`: the boxes of the pass
    before, empty in the first pass. `known`: levels already arranged. `leaves`: cached leaf units. `standing`: final
    boxes of this pass, outsets included. `orders`: the orders of all elements found so far. `entered`: frames whose
    title is crossed by edges from above, with the reach of these edges. `nesting`: the order of all elements, if
    settled beforehand. `record`: the remarks of the algorithm.
    """

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
    orders: dict[tuple[Ranking | None, LayoutSettings | None], Nesting | None]
    entered: Mapping[str, Ways] = field(default_factory=dict[str, Ways])
    nesting: Nesting | None = None
    record: LayoutRecord = field(default_factory=LayoutRecord)

    def with_settings(self, settings: LayoutSettings, record: LayoutRecord) -> Composer:
        """A composer of the same inventory with other settings, which has ties, leaves and orders in common."""
        if self.fixed:  # places relative to these keep a distance of the settings
            return composer_of(self.inventory, self.arrange, settings, record)
        return replace(self, settings=settings, seen={}, known={}, standing={}, entered={}, nesting=None, record=record)

    def of(self, inventory: Inventory) -> Composer:
        """A composer of another inventory with the same algorithm, settings and record."""
        return composer_of(inventory, self.arrange, self.settings, self.record)

    def in_order(self, ranking: Ranking | None, nesting: Nesting) -> Composer:
        """A composer of the same inventory with this order of all elements."""
        return replace(self, orders={**self.orders, (ranking, None): nesting})

    def arranged(self, subgraph: Subgraph) -> Corners:
        """The algorithm's arrangement of a level, on whole pixels: aligned middles stay aligned."""
        found = self.known.get(subgraph)
        if found is None:
            corners = self.arrange(subgraph, self.record).items()
            found = {item_id: Point(floor(x + 0.5), floor(y + 0.5)) for item_id, (x, y) in corners}
            self.known[subgraph] = found
        return found

    def hints(self, units: Sequence[Unit]) -> dict[str, int]:
        """The order of units across the flow, by the pull of links from outside; units without such links keep their
        place. Empty in the first pass."""
        if not self.seen:
            return {}
        side = 1 if self.settings.direction in SIDEWAYS else 0
        ends = {unit.id: self.ties.outer[unit.id] or [unit.id] for unit in units}
        pull = {unit: fsum(self.seen[end].center[side] for end in row) / len(row) for unit, row in ends.items()}
        return {unit: place for place, unit in enumerate(sorted(pull, key=lambda unit: round(pull[unit], 1)))}

    def is_widened(self, container: str) -> bool:
        """Whether a container is or holds a frame widened for a title."""
        return any(container == one or container in self.inventory.ancestors(one) for one in self.entered)

    def leaf(self, element_id: str) -> Unit:
        """The unit of an element, its content ignored: at its fixed corner, or at the origin."""
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
        """The room round the box of an element without content: for its own label and the labels of its edges."""
        found, loops, rooms = self.inventory.size(element_id).outset, self.ties.loops, self.inventory.rooms
        for room in (loops.get(element_id), rooms.get(element_id)) if loops or rooms else ():
            found = found if room is None else added(found, room)
        return found

    def outset(self, element_id: str) -> Outset:
        """The outset of an element's box."""
        if element_id in self.inventory.children:
            return outset_of(self.inventory.elements[element_id], self.inventory.size(element_id))
        return self.leaf_outset(element_id)

    def inset(self, container: str) -> Outset:
        """The margin of a container round its content."""
        return inset_of(self.inventory.elements[container], self.inventory.size(container))

    def least(self, container: str, *, empty: bool) -> tuple[float, float]:
        """The least size of a container: the author's; the width of a frame's title; the natural size of an empty
        container."""
        size, layout = self.inventory.size(container), self.inventory.elements[container].layout
        if empty:
            return size.width, size.height
        is_frame = isinstance(self.inventory.elements[container], Frame)
        return size.width if is_frame else layout.width or 0.0, layout.height or 0.0

    def swims(self, element_id: str) -> bool:
        """Whether an element is a pool laid out lane by lane, without a lane placed by the author."""
        element = self.inventory.elements[element_id]
        if not is_tiled(element):
            return False
        return element_id not in self.held or not any(
            child in self.fixed and is_tile(self.inventory.elements[child])
            for child in self.inventory.children[element_id]
        )

    def stacks(self, element_id: str) -> bool:
        """Whether an element is laid out lane by lane and stacked with neighbouring pools; a container divided by lanes
        stands alone."""
        return self.swims(element_id) and not is_divided(self.inventory.elements[element_id])

    def is_lane(self, element_id: str) -> bool:
        """Whether an element is a lane placed by its pool, not by the author."""
        element = self.inventory.elements[element_id]
        if element_id in self.fixed or not is_tile(element) or (is_divided(element) and not self.swims(element_id)):
            return False
        return is_tiled(self.inventory.elements.get(self.inventory.parent[element_id]))


def composer_of(
    inventory: Inventory, arrange: Arrange, settings: LayoutSettings, record: LayoutRecord | None = None
) -> Composer:
    """A composer for the first pass."""
    fixed = fixed_positions(inventory, settings.node_spacing)
    held = frozenset(container for element_id in fixed for container in inventory.ancestors(element_id))
    return Composer(
        inventory,
        TieTable(inventory),
        arrange,
        settings,
        fixed,
        held,
        {},
        {},
        {},
        {},
        {},
        record=record or LayoutRecord(),
    )
