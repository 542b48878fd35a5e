"""The forest composed from the inside out: each container's content is arranged, then wrapped, then stands as one
rigid piece in the container around it.

In: an inventory, the algorithm, its settings. Out: the box of every element. Promise: children inside their frames,
nothing overlapping unless the author put it there, absolute positions untouched.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from scenograph.engine.geometry.boxes import Box, Outset, union
from scenograph.engine.place.frames import Rim, rim_of
from scenograph.engine.place.inventory import ROOT, Inventory
from scenograph.engine.place.level import Arrange, Corners, Level, Settings
from scenograph.engine.place.ties import TieTable, lift_ties, links_between
from scenograph.engine.place.units import Unit, boxes_of

PASSES = 3
MANY_ELEMENTS = 400
PASSES_OF_MANY = 2
ACROSS_IS_Y = ("LR", "RL")


@dataclass(frozen=True, slots=True)
class Composer:
    """What every container's composition needs. `seen` are the boxes of the pass before, empty in the first; `known`
    are levels arranged already."""

    inventory: Inventory
    ties: TieTable
    arrange: Arrange
    settings: Settings
    seen: Mapping[str, Box]
    known: dict[Level, Corners]

    def arranged(self, level: Level) -> Corners:
        """What the algorithm makes of a level."""
        if level not in self.known:
            self.known[level] = self.arrange(level)
        return self.known[level]

    def hints(self, units: Sequence[Unit]) -> dict[str, int]:
        """The order across the flow in which links from outside pull the units; those without any keep their place.

        Empty in the first pass.
        """
        if not self.seen:
            return {}
        side = 1 if self.settings.direction in ACROSS_IS_Y else 0
        ends = {unit.id: self.ties.outer[unit.id] or [unit.id] for unit in units}
        pull = {unit: sum(self.seen[end].center[side] for end in row) / len(row) for unit, row in ends.items()}
        return {unit: place for place, unit in enumerate(sorted(pull, key=lambda unit: round(pull[unit], 1)))}


def compose(inventory: Inventory, arrange: Arrange, settings: Settings) -> dict[str, Box]:
    """The boxes of all elements. Later passes know where links from outside pull each content."""
    composer = Composer(inventory, lift_ties(inventory), arrange, settings, {}, {})
    boxes = _composed(composer)
    if any(composer.ties.outer.values()):
        passes = PASSES if len(inventory.elements) <= MANY_ELEMENTS else PASSES_OF_MANY
        for _ in range(passes - 1):
            boxes = _composed(replace(composer, seen=boxes))
    return boxes


def _composed(composer: Composer) -> dict[str, Box]:
    inventory = composer.inventory
    units = {element_id: _leaf(inventory, element_id) for element_id in inventory.elements}
    for container in inventory.containers[:-1]:
        content = _content(composer, container, [units[child] for child in inventory.children[container]])
        units[container] = _wrapped(inventory, container, content)
    return boxes_of(_content(composer, ROOT, [units[child] for child in inventory.children[ROOT]]))


def _leaf(inventory: Inventory, element_id: str) -> Unit:
    size, position = inventory.size(element_id), inventory.position(element_id)
    x, y = position or (0.0, 0.0)
    box = Box(x, y, size.width, size.height)
    return Unit(element_id, box, box.with_outset(size.outset), {element_id: box}, fixed=position is not None)


def _content(composer: Composer, container: str, units: Sequence[Unit]) -> list[Unit]:
    unit_of = {element_id: unit.id for unit in units for element_id in unit.boxes}
    hints = composer.hints(units)
    items = tuple(unit.item(hints.get(unit.id)) for unit in units)
    links = links_between(composer.ties.inner[container], unit_of)
    pulled = any(composer.ties.outer.get(unit.id) for unit in units)
    corners = composer.arranged(Level(items, links, composer.settings, pulled))
    return [unit.moved(corners[unit.id].x - unit.core.x, corners[unit.id].y - unit.core.y) for unit in units]


def _wrapped(inventory: Inventory, container: str, content: Sequence[Unit]) -> Unit:
    size = inventory.size(container)
    rim = rim_of(inventory.elements[container], size)
    box = wrap(rim, union(unit.whole for unit in content), size.width, size.height)
    boxes = {container: box} | boxes_of(content)
    return Unit(container, box, box.with_outset(size.outset), boxes)


def wrap(rim: Rim, content: Box | None, width: float, height: float) -> Box:
    """The box of a container round its content, at least `width` x `height`; room to spare lies on both sides."""
    inner = content or Box(0.0, 0.0, 0.0, 0.0)
    box = inner.with_outset(rim.inset)
    spare_x = max(rim.least_width, width, box.width) - box.width
    spare_y = max(rim.least_height if content is None else 0.0, height, box.height) - box.height
    return box.with_outset(Outset(spare_y / 2, spare_x / 2, spare_y / 2, spare_x / 2))
