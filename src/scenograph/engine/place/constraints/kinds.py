"""CONSTRAINTS: every kind of constraint, along an axis or in the plane. (R-CON-1, R-CON-2, R-CON-3)

Each kind is two functions over a board: `apply` moves the elements, never the first listed; `holds` tests the wish. px.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, pairwise, product
from math import fsum, sqrt
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Box, Outset, union
from scenograph.engine.geometry.packing import Occupied
from scenograph.engine.kernels.projection import Separation, separated
from scenograph.engine.place.containers.frames import PADDING, inset_of, outset_of
from scenograph.engine.place.inventory import ROOT, Inventory
from scenograph.engine.place.subgraph import NODE_SPACING
from scenograph.late_dataclasses import replace
from scenograph.scene.model import Constraint, Group

# The board for constraints: the boxes of all elements, their content and their locks. px.
#
# Moving an element moves its content and the elements placed relative to it. Containers with moved content are
# `touched`, until refitted.

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
        copy = Board(self.inventory, self.boxes)
        copy.touched, copy.kept = dict(self.touched), set(self.kept)
        return copy

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


LOCKED, FIRST = 1e9, 1e3  # weights: what is locked stays, the first listed element moves last
TOLERANCE = 0.5
"""Smaller deviations count as fulfilled."""


def align(board: Board, constraint: Constraint) -> None:
    """All centres get the coordinate of the first."""
    axis, elements = _read(board, constraint)
    for element_id in elements[1:]:
        board.put(element_id, axis, board.middle(elements[0], axis) - board.length(element_id, axis) / 2)


def is_aligned(board: Board, constraint: Constraint) -> bool:
    """Whether all centres share the coordinate."""
    axis, elements = _read(board, constraint)
    middles = [board.middle(element_id, axis) for element_id in elements]
    return not middles or max(middles) - min(middles) <= TOLERANCE


def distribute(board: Board, constraint: Constraint) -> None:
    """Space elements evenly in their present order: by the given gap, else by the room between the outer two."""
    axis, elements = _read(board, constraint)
    rows = _as_they_stand(board, elements, axis)
    if len(rows) > 1:
        _line_up(board, rows, axis, _even_gap(board, rows, constraint, axis), first=elements[0])


def _is_distributed(board: Board, constraint: Constraint) -> bool:
    """Whether all distances between neighbours are equal to each other and to a given gap."""
    axis, elements = _read(board, constraint)
    gaps = _gaps(board, _as_they_stand(board, elements, axis), axis)
    wanted = constraint.parameters.get("gap")
    return all(abs(gap - (gaps[0] if wanted is None else wanted)) <= TOLERANCE for gap in gaps)


def stack(board: Board, constraint: Constraint) -> None:
    """Put the elements one after another in the listed order, from the first on."""
    axis, elements = _read(board, constraint)
    if elements:
        _line_up(board, elements, axis, constraint.parameters.get("gap", NODE_SPACING), first=elements[0])


def _is_stacked(board: Board, constraint: Constraint) -> bool:
    """Whether each element begins `gap` after its predecessor's end."""
    axis, elements = _read(board, constraint)
    wanted = constraint.parameters.get("gap", NODE_SPACING)
    return all(abs(gap - wanted) <= TOLERANCE for gap in _gaps(board, elements, axis))


def _keep_apart(board: Board, constraint: Constraint) -> None:
    """Push neighbours apart, away from the first listed element, up to the gap."""
    axis, elements = _read(board, constraint)
    rows = _as_they_stand(board, elements, axis)
    if not rows:
        return
    gap, fixed = constraint.parameters["gap"], rows.index(elements[0])
    for before, after in pairwise(rows[fixed:]):
        board.put(after, axis, max(board.start(after, axis), board.end(before, axis) + gap))
    for after, before in pairwise(reversed(rows[: fixed + 1])):
        latest = board.start(after, axis) - gap - board.length(before, axis)
        board.put(before, axis, min(board.start(before, axis), latest))


def _keep_all_apart(board: Board, constraints: Sequence[Constraint]) -> None:
    """Apply several minGap constraints of an axis at once, in the present order of the elements: in turn, the
    constraints would push each other for many rounds."""
    for axis in AXES:
        rows = [_read(board, one)[1] for one in constraints if one.parameters["axis"] == axis]
        gaps = [one.parameters["gap"] for one in constraints if one.parameters["axis"] == axis]
        known = list(dict.fromkeys(element_id for row in rows for element_id in row))
        number = {element_id: place for place, element_id in enumerate(known)}
        order = {element_id: place for place, element_id in enumerate(_as_they_stand(board, known, axis))}
        firsts = {row[0] for row in rows if row}
        pairs = dict[tuple[str, str], float]()
        for row, gap in zip(rows, gaps, strict=True):
            for pair in pairwise(sorted(row, key=order.__getitem__)):
                pairs[pair] = max(gap, pairs.get(pair, 0.0))
        starts = separated(
            [board.start(one, axis) for one in known],
            [LOCKED if board.is_locked(one) else FIRST if one in firsts else 1.0 for one in known],
            [
                Separation(number[low], number[high], board.length(low, axis) + gap)
                for (low, high), gap in pairs.items()
            ],
        )
        for element_id, start in zip(known, starts, strict=True):
            board.put(element_id, axis, start)


def is_apart(board: Board, constraint: Constraint) -> bool:
    """Whether neighbours are at least the gap apart."""
    axis, elements = _read(board, constraint)
    gaps = _gaps(board, _as_they_stand(board, elements, axis), axis)
    return all(gap >= constraint.parameters["gap"] - TOLERANCE for gap in gaps)


def _put_in_order(board: Board, constraint: Constraint) -> None:
    """Move each element not yet after its predecessor to NODE_SPACING behind the predecessor."""
    axis, elements = _read(board, constraint)
    for before, after in pairwise(elements):
        if not _comes_after(board, before, after, axis):
            board.put(after, axis, board.end(before, axis) + NODE_SPACING)


def _is_in_order(board: Board, constraint: Constraint) -> bool:
    """Whether begin and middle of each element lie after its predecessor's."""
    axis, elements = _read(board, constraint)
    return all(_comes_after(board, before, after, axis) for before, after in pairwise(elements))


def _comes_after(board: Board, before: str, after: str, axis: str) -> bool:
    return board.middle(after, axis) > board.middle(before, axis) + TOLERANCE and (
        board.start(after, axis) >= board.start(before, axis) - EXACT
    )


def _read(board: Board, constraint: Constraint) -> tuple[str, list[str]]:
    return constraint.parameters["axis"], board.known(constraint.elements)


def _as_they_stand(board: Board, elements: Sequence[str], axis: str) -> list[str]:
    return sorted(elements, key=lambda element_id: round(board.middle(element_id, axis), 2))


def _gaps(board: Board, rows: Sequence[str], axis: str) -> list[float]:
    return [board.start(after, axis) - board.end(before, axis) for before, after in pairwise(rows)]


def _even_gap(board: Board, rows: Sequence[str], constraint: Constraint, axis: str) -> float:
    given = constraint.parameters.get("gap")
    if given is not None:
        return given
    span = board.end(rows[-1], axis) - board.start(rows[0], axis)
    taken = fsum(board.length(element_id, axis) for element_id in rows)
    return max(0.0, (span - taken) / (len(rows) - 1))


def _line_up(board: Board, rows: Sequence[str], axis: str, gap: float, *, first: str) -> None:
    """Put `rows` one after another with `gap` between; `first` stays."""
    starts, at = dict[str, float](), 0.0
    for element_id in rows:
        starts[element_id] = at
        at += board.length(element_id, axis) + gap
    offset = board.start(first, axis) - starts[first]
    for element_id in rows:
        board.put(element_id, axis, starts[element_id] + offset)


DIMENSIONS: Mapping[str, tuple[str, ...]] = {"width": ("x",), "height": ("y",), "both": ("x", "y")}
_BOTH = ("x", "y")
CROWD, FILLED = 400, 0.5
"""From this number on, overlapping elements are spread before each seeks a place, which would take too long
otherwise."""


def _make_grid(board: Board, constraint: Constraint) -> None:
    """Set the elements in rows of `columns` in the listed order, each in the middle of its cell; the first cell stays
    at the first element."""
    for element_id, axis, middle in _cells(board, constraint):
        board.put(element_id, axis, middle - board.length(element_id, axis) / 2)


def is_grid(board: Board, constraint: Constraint) -> bool:
    """Whether every element stands in the middle of its cell."""
    return all(
        abs(board.middle(element_id, axis) - middle) <= TOLERANCE
        for element_id, axis, middle in _cells(board, constraint)
    )


def same_size(board: Board, constraint: Constraint) -> None:
    """Give all elements the size of the first; if the author left the first's size open, the largest size, so that
    every label fits."""
    elements = board.known(constraint.elements)
    for axis in _dimensions(constraint):
        for element_id in elements:
            board.stretch(element_id, axis, _common_length(board, elements, axis))


def _is_same_size(board: Board, constraint: Constraint) -> bool:
    """Whether all have the same width, height or both."""
    elements = board.known(constraint.elements)
    lengths = [[board.length(element_id, axis) for element_id in elements] for axis in _dimensions(constraint)]
    return all(not row or max(row) - min(row) <= TOLERANCE for row in lengths)


def _center_in(board: Board, constraint: Constraint) -> None:
    """Move the elements as a block into the middle of the container."""
    elements = board.known(constraint.elements)
    for axis in _center_axes(constraint):
        board.shift(elements, axis, -_off_center(board, constraint, elements, axis))


def _is_centered(board: Board, constraint: Constraint) -> bool:
    """Whether the middle of all elements together is the container's."""
    elements = board.known(constraint.elements)
    return all(abs(_off_center(board, constraint, elements, axis)) <= TOLERANCE for axis in _center_axes(constraint))


def contain(board: Board, constraint: Constraint) -> None:
    """Grow a container of open size round the elements; move the elements into a container of given size."""
    container = constraint.parameters["container"]
    if container not in board.boxes:
        return
    for element_id in board.known(constraint.elements):
        for axis in _BOTH:
            _pull_inside(board, constraint, element_id, axis)


def _is_contained(board: Board, constraint: Constraint) -> bool:
    """Whether all elements lie inside, the padding away from the sides."""
    container = constraint.parameters["container"]
    if container not in board.boxes:
        return True
    room = _room(board, constraint).grown(TOLERANCE)
    return all(room.contains(board.boxes[element_id]) for element_id in board.known(constraint.elements))


def separate(board: Board, constraint: Constraint) -> None:
    """Move each element that overlaps an earlier element aside; locked elements come first."""
    elements, gap = board.known(constraint.elements), constraint.parameters.get("gap", 0.0)
    fixed = {element_id for element_id in elements if element_id == elements[0] or board.is_locked(element_id)}
    if len(elements) > CROWD and not _is_separate(board, constraint):
        _spread(board, elements, gap)
    taken = Occupied(board.boxes[element_id] for element_id in elements if element_id in fixed)
    for element_id in elements:
        if element_id in fixed:
            continue
        box = board.boxes[element_id]
        if not taken.is_free(box, gap - EXACT):
            spot = taken.beside(box, gap)
            board.put(element_id, "x", spot.x)
            board.put(element_id, "y", spot.y)
        taken.add(board.boxes[element_id])


def _spread(board: Board, elements: Sequence[str], gap: float) -> None:
    """Very many elements away from the first, all in the same proportion, until half of the page is free."""
    boxes = [board.boxes[element_id].grown(gap / 2) for element_id in elements]
    hull, needed = union(boxes) or boxes[0], fsum(box.width * box.height for box in boxes)
    wider = sqrt(needed / FILLED / (hull.width * hull.height)) if needed else 0.0
    for element_id, box in zip(elements, boxes, strict=True) if wider > 1 else ():
        board.put(element_id, "x", board.start(element_id, "x") + (wider - 1) * (box.center.x - boxes[0].center.x))
        board.put(element_id, "y", board.start(element_id, "y") + (wider - 1) * (box.center.y - boxes[0].center.y))


def _is_separate(board: Board, constraint: Constraint) -> bool:
    """Whether no two lie closer than the gap."""
    gap, taken = constraint.parameters.get("gap", 0.0), Occupied()
    for element_id in board.known(constraint.elements):
        box = board.boxes[element_id]
        if not taken.is_free(box.grown(-TOLERANCE / 2), max(0.0, gap - TOLERANCE / 2)):
            return False
        taken.add(box)
    return True


def _cells(board: Board, constraint: Constraint) -> list[tuple[str, str, float]]:
    """Every element with an axis and the middle of its cell on this axis."""
    elements, columns = board.known(constraint.elements), int(constraint.parameters["columns"])
    if not elements:
        return []
    across = [elements[column::columns] for column in range(min(columns, len(elements)))]
    down = [elements[first : first + columns] for first in range(0, len(elements), columns)]
    lines = (
        ("x", across, constraint.parameters.get("columnGap", NODE_SPACING)),
        ("y", down, constraint.parameters.get("rowGap", NODE_SPACING)),
    )
    return [cell for axis, tracks, gap in lines for cell in _track_middles(board, axis, tracks, gap)]


def _track_middles(
    board: Board, axis: str, tracks: Sequence[Sequence[str]], gap: float
) -> list[tuple[str, str, float]]:
    lengths = [max(board.length(element_id, axis) for element_id in track) for track in tracks]
    starts = [0.0, *accumulate(length + gap for length in lengths)]
    middles = [start + length / 2 for start, length in zip(starts, lengths, strict=False)]
    offset = board.middle(tracks[0][0], axis) - middles[0]
    return [
        (element_id, axis, middle + offset)
        for track, middle in zip(tracks, middles, strict=True)
        for element_id in track
    ]


def _dimensions(constraint: Constraint) -> tuple[str, ...]:
    return DIMENSIONS[constraint.parameters.get("dimension", "both")]


def _common_length(board: Board, elements: Sequence[str], axis: str) -> float:
    first = elements[0]
    if board.has_own_size(first, axis) or board.is_locked(first):
        return board.length(first, axis)
    return max(board.length(element_id, axis) for element_id in elements)


def _center_axes(constraint: Constraint) -> tuple[str, ...]:
    axis = constraint.parameters.get("axis")
    return _BOTH if axis is None else (axis,)


def _off_center(board: Board, constraint: Constraint, elements: Sequence[str], axis: str) -> float:
    container = constraint.parameters["container"]
    around = union(board.boxes[element_id] for element_id in elements)
    if around is None or container not in board.boxes:
        return 0.0
    middle, wanted = around.center, board.boxes[container].center
    return middle.x - wanted.x if axis == "x" else middle.y - wanted.y


def _room(board: Board, constraint: Constraint) -> Box:
    """The inside of the container without padding, below the title."""
    container = constraint.parameters["container"]
    padding, box = constraint.parameters.get("padding", 0.0), board.boxes[container]
    title = max(0.0, inset_of(board.inventory.elements[container], board.inventory.size(container)).top - PADDING)
    return Box(box.x + padding, box.y + padding + title, box.width - 2 * padding, box.height - 2 * padding - title)


def _pull_inside(board: Board, constraint: Constraint, element_id: str, axis: str) -> None:
    container, room = constraint.parameters["container"], _room(board, constraint)
    low, high = (room.x, room.right) if axis == "x" else (room.y, room.bottom)
    start, end = board.start(element_id, axis), board.end(element_id, axis)
    if start >= low - EXACT and end <= high + EXACT:
        return
    if board.has_own_size(container, axis) or board.is_locked(container):
        board.put(element_id, axis, min(max(start, low), max(low, high - (end - start))))
        return
    before, after = max(0.0, low - start), max(0.0, end - high)
    frame = board.boxes[container]
    if axis == "x":
        board.hold(container, Box(frame.x - before, frame.y, frame.width + before + after, frame.height))
    else:
        board.hold(container, Box(frame.x, frame.y - before, frame.width, frame.height + before + after))


# Equal sizes before the layout, so that the layout leaves room (`sameSize`, for elements placed by the engine). px.


def _movable(board: Board, constraint: Constraint) -> list[str]:
    return [one for one in board.known(constraint.elements) if not board.is_locked(one)]


def _first_and_movable(board: Board, constraint: Constraint) -> list[str]:
    first = board.known(constraint.elements)[:1]
    return list(dict.fromkeys([*first, *_movable(board, constraint)]))


class ConstraintKind(NamedTuple):
    """A type of constraint: how to apply it, how to test it, and how to apply many of the type at once. `free`: the
    elements unhindered by locked elements, for a wish on each element by itself."""

    apply: Callable[[Board, Constraint], None]
    holds: Callable[[Board, Constraint], bool]
    together: Callable[[Board, Sequence[Constraint]], None] | None = None
    free: Callable[[Board, Constraint], list[str]] | None = None


CONSTRAINTS: Mapping[str, ConstraintKind] = {
    "align": ConstraintKind(align, is_aligned, free=_first_and_movable),
    "distribute": ConstraintKind(distribute, _is_distributed),
    "stack": ConstraintKind(stack, _is_stacked),
    "grid": ConstraintKind(_make_grid, is_grid),
    "sameSize": ConstraintKind(same_size, _is_same_size, free=_first_and_movable),
    "centerIn": ConstraintKind(_center_in, _is_centered),
    "contain": ConstraintKind(contain, _is_contained, free=_movable),
    "minGap": ConstraintKind(_keep_apart, is_apart, _keep_all_apart),
    "noOverlap": ConstraintKind(separate, _is_separate),
    "order": ConstraintKind(_put_in_order, _is_in_order),
}

MEMBERS = {"x": "width", "y": "height"}


def equal_sizes(constraints: Iterable[Constraint]) -> frozenset[tuple[str, str]]:
    """The ids of the elements of `sameSize` constraints, each with a member of the layout, set by the constraint."""
    alike = [one for one in constraints if one.type == "sameSize"]
    return frozenset(
        pair for one in alike for pair in product(one.elements, (MEMBERS[axis] for axis in _dimensions(one)))
    )


def with_equal_sizes(constraints: Sequence[Constraint], inventory: Inventory) -> Inventory:
    """The inventory with the sizes of `sameSize` constraints. Containers, sized by their content, and placed elements
    are made equal after the layout instead."""
    for constraint in constraints:
        if constraint.type == "sameSize":
            for axis in DIMENSIONS[constraint.parameters.get("dimension", "both")]:
                inventory = _evened(inventory, constraint, MEMBERS[axis])
    return inventory


def _evened(inventory: Inventory, constraint: Constraint, member: str) -> Inventory:
    listed = [one for one in dict.fromkeys(constraint.elements) if one in inventory.elements]
    if not listed or any(one in inventory.children for one in listed):
        return inventory
    first = inventory.elements[listed[0]]
    lengths: list[float] = [getattr(inventory.size(one), member) for one in listed]
    given = getattr(first.layout, member) is not None or first.locked
    wanted = lengths[0] if given else max(lengths)
    changed = {
        one: replace(element, layout=replace(element.layout, **{member: wanted}))
        for one, length in zip(listed, lengths, strict=True)
        for element in (inventory.elements[one],)
        if not element.locked
        and inventory.position(one) is None
        and (length < wanted or getattr(element.layout, member) is not None)
    }
    return replace(inventory, elements={**inventory.elements, **changed})
