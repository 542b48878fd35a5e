"""The board for constraints: the boxes of all elements, their content and their locks. px.

Moving an element moves its content and the elements placed relative to it. Containers with moved content are `touched`,
until refitted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from scenograph.engine.geometry.boxes import Box, Outset, union
from scenograph.engine.place.containers.frames import inset_of, outset_of
from scenograph.engine.place.inventory import ROOT, Inventory
from scenograph.scene.model import Group

AXES: Mapping[str, int] = {"x": 0, "y": 1}
EXACT = 0.02
"""A move shorter than this is none: boxes are written down with two decimals."""


class Board:
    """Boxes by id during constraint solving. `moves` counts the changes; `touched`: containers with moved content;
    `kept`: elements resized by a constraint."""

    def __init__(self, inventory: Inventory, boxes: Mapping[str, Box]) -> None:
        self.inventory = inventory
        self.boxes = dict(boxes)
        self.moves = 0
        self.touched = dict[str, None]()
        self.kept = set[str]()

    def copy(self) -> Board:
        """The same board, to try something on."""
        twin = Board(self.inventory, self.boxes)
        twin.touched, twin.kept = dict(self.touched), set(self.kept)
        return twin

    def known(self, elements: Iterable[str]) -> list[str]:
        """The elements with a box, without repeats, in order."""
        return [element_id for element_id in dict.fromkeys(elements) if element_id in self.boxes]

    def is_locked(self, element_id: str) -> bool:
        """Whether the author locked the element."""
        return self.inventory.elements[element_id].locked

    def has_own_size(self, element_id: str, axis: str) -> bool:
        """Whether the author gave a width (`x`) or height (`y`)."""
        layout = self.inventory.elements[element_id].layout
        return (layout.width if axis == "x" else layout.height) is not None

    def start(self, element_id: str, axis: str) -> float:
        """The left or top side of an element."""
        return self.boxes[element_id][AXES[axis]]

    def length(self, element_id: str, axis: str) -> float:
        """The width or height of an element."""
        return self.boxes[element_id][AXES[axis] + 2]

    def end(self, element_id: str, axis: str) -> float:
        """The right or bottom side of an element."""
        return self.start(element_id, axis) + self.length(element_id, axis)

    def middle(self, element_id: str, axis: str) -> float:
        """The centre's coordinate."""
        return self.start(element_id, axis) + self.length(element_id, axis) / 2

    def put(self, element_id: str, axis: str, start: float) -> None:
        """Move an element to begin at `start`; a locked element stays."""
        self.shift([element_id], axis, start - self.start(element_id, axis))

    def shift(self, elements: Sequence[str], axis: str, by: float) -> None:
        """Move several elements with their content; shared content moves once."""
        if abs(by) < EXACT:
            return
        moving = [element_id for element_id in elements if not self.is_locked(element_id)]
        for element_id in dict.fromkeys(inner for one in moving for inner in self.with_content(one)):
            box = self.boxes[element_id]
            self.boxes[element_id] = box.moved(by, 0.0) if axis == "x" else box.moved(0.0, by)
            self.touched[self.inventory.parent[element_id]] = None
        self.moves += len(moving)

    def stretch(self, element_id: str, axis: str, length: float) -> None:
        """Change the width or height of an element round its middle. Locked elements keep their size, and so does an
        element whose content or label would no longer fit."""
        by = length - self.length(element_id, axis)
        if abs(by) < EXACT or self.is_locked(element_id) or (by < 0 and self._is_filled(element_id, axis, length)):
            return
        box = self.boxes[element_id]
        wide = Box(box.x - by / 2, box.y, length, box.height)
        self.fit(element_id, wide if axis == "x" else Box(box.x, box.y - by / 2, box.width, length))
        self.kept.add(element_id)

    def hold(self, container: str, box: Box) -> None:
        """Make a container reach at least round `box`."""
        around = union((self.boxes[container], box))
        if around is not None and around != self.boxes[container]:
            self.fit(container, around)
        self.kept.add(container)

    def fit(self, element_id: str, box: Box) -> None:
        """Give an element another box without moving its content."""
        if box != self.boxes[element_id]:
            self.boxes[element_id] = box
            self.touched[self.inventory.parent[element_id]] = None
            self.moves += 1

    def whole(self, element_id: str) -> Box:
        """The box of an element with its outset (a label below; a group's above)."""
        return self.boxes[element_id].with_outset(self.outset(element_id))

    def outset(self, element_id: str) -> Outset:
        """The outset of an element's box."""
        element, size = self.inventory.elements[element_id], self.inventory.size(element_id)
        return outset_of(element, size) if isinstance(element, Group) else size.outset

    def members(self, container: str) -> list[str]:
        """The children of a container, or of the page (ROOT), with a box."""
        return [child for child in self.inventory.children.get(container, ()) if child in self.boxes]

    def content(self, container: str) -> Box | None:
        """The hull of a container's content, padding included."""
        around = union(self.whole(child) for child in self.members(container))
        if around is None or container == ROOT:
            return around
        return around.with_outset(inset_of(self.inventory.elements[container], self.inventory.size(container)))

    def with_content(self, element_id: str) -> list[str]:
        """An element, its descendants, and all their relative followers."""
        found = {element_id: None}
        queue = [element_id]
        for one in queue:
            for other in (*self.members(one), *self._followers.get(one, ())):
                if other not in found:
                    found[other] = None
                    queue.append(other)
        return queue

    def _is_filled(self, element_id: str, axis: str, length: float) -> bool:
        """Whether content or label would not fit into this length."""
        content = self.content(element_id)
        if content is not None:
            return content[AXES[axis] + 2] > length + EXACT
        size = self.inventory.size(element_id)
        needed = size if size.label is None or not self.has_own_size(element_id, axis) else size.label
        is_bare = size.label is None and self.has_own_size(element_id, axis)
        return not is_bare and (needed.width if axis == "x" else needed.height) > length + EXACT

    @cached_property
    def _followers(self) -> Mapping[str, Sequence[str]]:
        followers: dict[str, list[str]] = {}
        for element_id in self.boxes:
            relation = self.inventory.relation(element_id)
            if relation is not None and relation.target is not None and not self.is_locked(element_id):
                followers.setdefault(relation.target, []).append(element_id)
        return followers
