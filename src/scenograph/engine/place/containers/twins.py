"""Twins: sibling frames of the same form, such as availability zones, nodes or sites. Rule R-PLACE-19.

Two frames have the same form if they hold the same kinds of elements, at every depth, and join them alike or are named
alike: but for the last word. They are twins if lines join them both ways (as many in either where nothing is joined
inside), or if a sibling of another form or an element outside their container has lines to both or from both; not if
the one follows the other by lines between unlike elements. Lines between twins do not rank them, which puts them side
by side, and their content is drawn alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from itertools import combinations, pairwise
from typing import NamedTuple, cast

from scenograph.engine.families.family import is_tile, is_tiled
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.kernels.disjoint_sets import DisjointSets
from scenograph.engine.place.inventory import ROOT, Inventory, LiftedTie, Tie, TieTable
from scenograph.late_dataclasses import replace
from scenograph.scene.model import Frame, Node

ROUNDS = 3  # of telling the elements of a frame apart by their neighbours
NEARLY = 12.0  # px; twins with larger differences between their elements are not drawn alike
KINDS = "kinds"  # begins what numbers a container by its content, however joined
FOR_ORDER = 1  # crossing more, at most, for twins in document order
MOST_ALIKE = 40  # siblings of one form; of more none are twins


class Twins:
    """The twins of an inventory: `groups` of two or more frames, each in document order."""

    def __init__(self, inventory: Inventory) -> None:
        self._inventory = inventory
        self.groups: list[list[str]] = []
        frames = [one for one in inventory.containers if one != ROOT and inventory.children[one]]
        self._forms: Mapping[str, int] = {}
        self._roles: Mapping[str, int] = {}
        self._kinds: Mapping[str, int] = {}
        if len(frames) > 1:
            ties = TieTable(inventory)
            self._kinds, self._forms, self._roles = _kinds_forms_and_roles(inventory, ties)
            for container in inventory.containers:
                self.groups += self._grouped(inventory.children[container], ties.inner[container])

    def _grouped(self, children: Sequence[str], ties: Sequence[LiftedTie]) -> Iterator[list[str]]:
        rows = self._of_one_form(children)
        if not rows:
            return
        ways, unlike = Counter((one.source, one.target) for one in ties), self._unlike(ties)
        near: dict[str, set[tuple[str, bool]]] = {child: set() for child in children}
        for source, target in ways:
            near[source].add((target, True))
            near[target].add((source, False))
        for row in rows:
            sets, strangers = DisjointSets(len(row)), set(children).difference(row)
            for (i, one), (j, other) in combinations(enumerate(row), 2) if len(row) <= MOST_ALIKE else ():
                shared = {end for end, _ in near[one] & near[other]}
                is_reached_alike = bool(shared & strangers) or self._has_common_end(one, other, row)
                there, back = ways[one, other], ways[other, one]
                is_mutual = there == back or bool(there and back and {one, other} & self._joined)
                follows = not is_mutual and frozenset((one, other)) in unlike
                if not follows and (is_reached_alike or (there and back)):
                    sets.join(i, j)
            groups: dict[int, list[str]] = {}
            for at, one in enumerate(row):
                groups.setdefault(sets.find(at), []).append(one)
            yield from (group for group in groups.values() if len(group) > 1)

    def _of_one_form(self, children: Sequence[str]) -> list[list[str]]:
        """Rows of two or more sibling frames of one form, in document order."""
        by_form: dict[Hashable, int] = {}
        frames = [one for one in children if self._is_free_frame(one)]
        sets = DisjointSets(len(frames))
        for at, one in enumerate(frames):
            sets.join(by_form.setdefault(self._forms[one], at), at)
            name = _shared_name(cast("Frame", self._inventory.elements[one]))
            if name:
                sets.join(by_form.setdefault((name, self._kinds[one]), at), at)
        rows: dict[int, list[str]] = {}
        for at, one in enumerate(frames):
            rows.setdefault(sets.find(at), []).append(one)
        return [row for row in rows.values() if len(row) > 1]

    def _is_free_frame(self, one: str) -> bool:
        element = self._inventory.elements[one]
        return bool(self._inventory.children.get(one)) and isinstance(element, Frame) and not _is_in_pool(element)

    def _has_common_end(self, one: str, other: str, row: Sequence[str]) -> bool:
        """Whether lines in one direction join both frames to an element outside of all frames of their form."""
        ends = {end for end, _ in self._far_ends[one] & self._far_ends[other]}
        return any({end, *self._inventory.ancestors(end)}.isdisjoint(row) for end in ends)

    @cached_property
    def _far_ends(self) -> Mapping[str, Set[tuple[str, bool]]]:
        """By element, the far ends of the lines that leave the element or its content. A flag tells whether the line
        leads to the far end."""
        found: dict[str, set[tuple[str, bool]]] = {one: set() for one in self._inventory.elements}
        for tie in self._inventory.ties:
            sources, targets = ({end, *self._inventory.ancestors(end)} for end in tie.ends)
            for one in sources - targets:
                found[one].add((tie.target, True))
            for one in targets - sources:
                found[one].add((tie.source, False))
        return found

    def _unlike(self, ties: Sequence[LiftedTie]) -> set[frozenset[str]]:
        """The pairs of siblings joined by a line between elements of unlike roles, or with nothing joined inside: the
        tiers of a system follow each other, however alike they are."""
        return {
            frozenset((one.source, one.target))
            for one in ties
            if self._roles[one.tie.source] != self._roles[one.tie.target]
            or self._inventory.parent[one.tie.source] not in self._joined
        }

    @cached_property
    def _joined(self) -> frozenset[str]:
        """The containers with a line between two of their children."""
        parent = self._inventory.parent
        return frozenset(parent[tie.source] for tie in self._inventory.ties if parent[tie.source] == parent[tie.target])

    def apart(self) -> Inventory:
        """The inventory without the lines between twins; the same object without twins. Elements with such lines alone
        are joined as their counterparts would be."""
        inventory = self._inventory
        home = {one: (number, one) for number, group in enumerate(self.groups) for one in group}

        def joins(*ends: str) -> bool:
            of_source, of_target = (
                {home[one] for one in (end, *inventory.ancestors(end)) if one in home} for end in ends
            )
            groups = {number for number, _ in of_source} & {number for number, _ in of_target}
            return any(number in groups and (number, one) not in of_target for number, one in of_source)

        if not home:
            return inventory
        kept = [tie for tie in inventory.ties if not joins(*tie.ends)]
        ends = {end for tie in kept for end in tie.ends}
        own = [one for tie in inventory.ties if joins(*tie.ends) and (one := self._within_own(tie, home))]
        kept += [tie for tie in dict.fromkeys(own) if tie.target not in ends]
        return replace(inventory, ties=tuple(kept), twins=frozenset(home))

    def _within_own(self, tie: Tie, home: Mapping[str, tuple[int, str]]) -> Tie | None:
        """A line between twins, led to the only element of the target's kind in the twin of the source."""
        inventory = self._inventory
        inside, beyond = (next(one for one in (end, *inventory.ancestors(end)) if one in home) for end in tie.ends)
        same = [one for one in inventory.children[inside] if self._kinds[one] == self._kinds[tie.target]]
        others = [one for one in inventory.children[beyond] if self._kinds[one] == self._kinds[tie.target]]
        if tie.target not in others or len(same) != 1 or len(others) != 1 or same[0] == tie.source:
            return None
        return Tie(tie.source, same[0])

    def alike(self, boxes: Mapping[str, Box]) -> dict[str, Box] | None:
        """The boxes in which all twins of a group have their content as in the smallest twin, where this content fits;
        None if nothing differs."""
        found = dict(boxes)
        for group in self.groups:
            pattern = min(group, key=lambda one: boxes[one].width * boxes[one].height)
            model = boxes[pattern]
            for one in group:
                box = boxes[one]
                fits = model.width <= box.width and model.height <= box.height
                is_same = self._forms[one] == self._forms[pattern]
                if one != pattern and is_same and fits and self._is_near(boxes, pattern, one):
                    self._copy(found, pattern, one, round(box.center.x - model.center.x), round(box.y - model.y))
        return None if found == boxes else found

    def in_order(self, boxes: dict[str, Box]) -> dict[str, Box] | None:
        """The boxes with the twins of each row or column in document order, gaps kept, as far as no sibling is in the
        way; None if in this order already."""
        found = boxes
        for group in self.groups:
            ordered = self._in_order(found, group)
            siblings = self._inventory.children[self._inventory.parent[group[0]]]
            others = [ordered[one] for one in siblings if one not in group and one in ordered]
            if not any(ordered[one].overlaps(other) for one in group for other in others):
                found = ordered
        return None if found == boxes else found

    def _in_order(self, boxes: dict[str, Box], group: Sequence[str]) -> dict[str, Box]:
        side = next((side for side in (0, 1) if _are_in_line([boxes[one] for one in group], side)), None)
        if side is None:
            return boxes
        row, found = sorted(group, key=lambda one: boxes[one][side]), dict(boxes)
        at = boxes[row[0]][side]
        for one, here, after in zip(group, row, [*row[1:], row[-1]], strict=True):
            self._move(found, one, side, at - boxes[one][side])
            at += boxes[one][side + 2] + boxes[after][side] - boxes[here][side] - boxes[here][side + 2]
        return found

    def _move(self, found: dict[str, Box], one: str, side: int, by: float) -> None:
        """Move an element and its content along the page (0) or down the page (1)."""
        found[one] = found[one].moved(*((by, 0.0) if side == 0 else (0.0, by)))
        for child in self._inventory.children.get(one, ()):
            self._move(found, child, side, by)

    def _is_near(self, boxes: Mapping[str, Box], pattern: str, one: str) -> bool:
        """Whether each element of a twin has nearly the size of its counterpart in the pattern."""
        pairs = self._counterparts(pattern, one)
        if not pairs:
            return all(abs(boxes[pattern][side] - boxes[one][side]) <= NEARLY for side in (2, 3))
        return all(self._is_near(boxes, model, child) for model, child in pairs)

    def _copy(self, found: dict[str, Box], pattern: str, one: str, dx: float, dy: float) -> None:
        """The box of an element as in the pattern; an element without content keeps its own size, round that middle."""
        model, pairs = found[pattern].moved(dx, dy), self._counterparts(pattern, one)
        own = found[one]
        aside = (model.width - own.width) // 2, (model.height - own.height) // 2
        found[one] = model if pairs else Box(model.x + aside[0], model.y + aside[1], own.width, own.height)
        for inner, child in pairs:
            self._copy(found, inner, child, dx, dy)

    def _counterparts(self, pattern: str, one: str) -> list[tuple[str, str]]:
        """The members of two twins in pairs, by role."""
        rows = (sorted(self._inventory.children.get(at, ()), key=self._roles.__getitem__) for at in (pattern, one))
        return list(zip(*rows, strict=True))


def _are_in_line(boxes: Sequence[Box], side: int) -> bool:
    """Whether boxes stand in a row (side 0) or in a column (1), clear of each other."""
    across = max(box[1 - side] for box in boxes) < min(box[1 - side] + box[3 - side] for box in boxes)
    row = sorted(boxes, key=lambda box: box[side])
    return across and all(one[side] + one[side + 2] <= other[side] for one, other in pairwise(row))


def _shared_name(frame: Frame) -> str:
    """The title of a frame without the last word: the common name of zones, nodes or sites."""
    return " ".join((frame.title or "").split()[:-1])


def _is_in_pool(frame: Frame) -> bool:
    """Whether a frame is a pool or a lane: these keep their own order."""
    return is_tiled(frame) or is_tile(frame)


class _Numbers(NamedTuple):
    """Three numbers for every element: for its kind, equal for equal content however joined; for its form, equal for
    equal kinds joined alike; and for its role, equal for equal forms with equal neighbours in their containers."""

    kinds: dict[str, int]
    forms: dict[str, int]
    roles: dict[str, int]


def _kinds_forms_and_roles(inventory: Inventory, ties: TieTable) -> _Numbers:
    numbers: dict[Hashable, int] = {}

    def number(form: Hashable) -> int:
        return numbers.setdefault(form, len(numbers))

    forms: dict[str, int] = {}
    for one, element in inventory.elements.items():
        if not inventory.children.get(one):
            forms[one] = number((element.node_type, element.shape) if isinstance(element, Node) else element.kind)
    kinds, roles = dict(forms), dict(forms)
    for container in inventory.containers:
        children = inventory.children[container]
        lines = Counter((one.source, one.target) for one in ties.inner[container])
        for _ in range(ROUNDS if lines else 0):
            near: dict[str, list[tuple[bool, int, int]]] = {child: [] for child in children}
            for (source, target), count in lines.items():
                near[source].append((True, roles[target], count))
                near[target].append((False, roles[source], count))
            roles |= {child: number((roles[child], *sorted(near[child]))) for child in children}
        element = inventory.elements.get(container)
        if children and element is not None:
            kind = element.container_type if isinstance(element, Frame) else element.kind
            forms[container] = roles[container] = number((kind, *sorted(roles[child] for child in children)))
            kinds[container] = number((KINDS, kind, *sorted(kinds[child] for child in children)))
    return _Numbers(kinds, forms, roles)
