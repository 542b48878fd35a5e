"""The board on which constraints move things: the boxes of all elements, with their content and what they may not do.

Moving a container takes its content along. A frame whose size its author left open grows round what was moved inside
it; a group is always as large as its content. px.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from scenograph.engine.geometry.boxes import Box, union
from scenograph.engine.place.frames import inset_of
from scenograph.engine.place.inventory import Inventory
from scenograph.scene.model import Frame, Group

AXES: Mapping[str, int] = {"x": 0, "y": 1}
EXACT = 0.02
"""A move shorter than this is none: boxes are written down with two decimals."""
_STIFF = frozenset({"pool", "lane"})  # their sizes belong together


class Board:
    """Boxes by id while constraints work on them; `moves` counts what was done."""

    def __init__(self, inventory: Inventory, boxes: Mapping[str, Box]) -> None:
        self.inventory = inventory
        self.boxes = dict(boxes)
        self.moves = 0

    def known(self, elements: Iterable[str]) -> list[str]:
        """Those that have a box, each once, in their order."""
        return [element_id for element_id in dict.fromkeys(elements) if element_id in self.boxes]

    def is_locked(self, element_id: str) -> bool:
        """Whether its author forbids to move it."""
        return self.inventory.elements[element_id].locked

    def has_own_size(self, element_id: str, axis: str) -> bool:
        """Whether its author gave its width (`x`) or height (`y`)."""
        layout = self.inventory.elements[element_id].layout
        return (layout.width if axis == "x" else layout.height) is not None

    def start(self, element_id: str, axis: str) -> float:
        """Its left or top side."""
        return self.boxes[element_id][AXES[axis]]

    def length(self, element_id: str, axis: str) -> float:
        """Its width or height."""
        return self.boxes[element_id][AXES[axis] + 2]

    def end(self, element_id: str, axis: str) -> float:
        """Its right or bottom side."""
        return self.start(element_id, axis) + self.length(element_id, axis)

    def middle(self, element_id: str, axis: str) -> float:
        """Its centre's coordinate."""
        return self.start(element_id, axis) + self.length(element_id, axis) / 2

    def put(self, element_id: str, axis: str, start: float) -> None:
        """Move it so that it begins at `start`; a locked one stays."""
        self.shift([element_id], axis, start - self.start(element_id, axis))

    def shift(self, elements: Sequence[str], axis: str, by: float) -> None:
        """Move several, each with its content; what lies in two of them moves once."""
        if abs(by) < EXACT:
            return
        moving = [element_id for element_id in elements if not self.is_locked(element_id)]
        for element_id in dict.fromkeys(inner for one in moving for inner in self._with_content(one)):
            box = self.boxes[element_id]
            self.boxes[element_id] = box.moved(by, 0.0) if axis == "x" else box.moved(0.0, by)
        self.moves += len(moving)

    def stretch(self, element_id: str, axis: str, length: float) -> None:
        """Give it another width or height round its middle; a locked one, or a container that would become smaller
        than its content, keeps its own."""
        by = length - self.length(element_id, axis)
        if abs(by) < EXACT or self.is_locked(element_id):
            return
        box = self.boxes[element_id]
        wide = Box(box.x - by / 2, box.y, length, box.height)
        wanted = wide if axis == "x" else Box(box.x, box.y - by / 2, box.width, length)
        content = self._content(element_id)
        if content is not None and by < 0 and not wanted.contains(content):
            return
        self.boxes[element_id] = wanted
        self.moves += 1

    def hold(self, container: str, box: Box) -> None:
        """Make a container reach at least round `box`."""
        around = union((self.boxes[container], box))
        if around is not None and around != self.boxes[container]:
            self.boxes[container] = around
            self.moves += 1

    def refit(self) -> None:
        """Containers round their content again, the inner ones first."""
        for container in self.inventory.containers:
            content = self._content(container) if container in self.boxes else None
            element = self.inventory.elements.get(container)
            if content is None or element is None or element.layout.mode == "absolute":
                continue
            if isinstance(element, Group):
                self.boxes[container] = content
            elif isinstance(element, Frame) and element.container_type not in _STIFF and not self._is_given(container):
                self.boxes[container] = union((self.boxes[container], content)) or content

    def _is_given(self, element_id: str) -> bool:
        return self.has_own_size(element_id, "x") or self.has_own_size(element_id, "y")

    def _content(self, container: str) -> Box | None:
        """The room that a container's content takes, its padding included."""
        inventory = self.inventory
        inside = [child for child in inventory.children.get(container, ()) if child in self.boxes]
        around = union(self.boxes[child].with_outset(inventory.size(child).outset) for child in inside)
        if around is None:
            return None
        return around.with_outset(inset_of(inventory.elements[container], inventory.size(container)))

    def _with_content(self, element_id: str) -> list[str]:
        found = [element_id]
        for one in found:
            found += [child for child in self.inventory.children.get(one, ()) if child in self.boxes]
        return found
