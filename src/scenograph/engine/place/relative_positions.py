"""Elements placed relative to a target: each joins its target's unit (R-ELEMENT-4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Box, Point, union
from scenograph.engine.place.inventory import Inventory, Unit
from scenograph.scene.model import Layout

ALIGNMENTS: Mapping[str, Callable[[float, float, float], float]] = {
    "start": lambda start, _length, _own: start,
    "center": lambda start, length, own: start + (length - own) / 2,
    "end": lambda start, length, own: start + length - own,
}
RELATIONS: Mapping[str, Point] = {
    "rightOf": Point(1.0, 0.0),
    "leftOf": Point(-1.0, 0.0),
    "below": Point(0.0, 1.0),
    "above": Point(0.0, -1.0),
    "inside": Point(0.0, 0.0),
}
FAR = 1e7  # px, beyond everything placed


class _PositionedBox(NamedTuple):
    """A box, and the same box with outset and neighbours."""

    own: Box
    whole: Box


def _step_beside(layout: Layout, seat: _PositionedBox, target: _PositionedBox, gap: float) -> Point:
    """The shift of an element to its place relative to its target: clear of the target's whole box, its own box aligned
    with the target's."""
    way = RELATIONS.get(layout.relation or "rightOf", RELATIONS["rightOf"])
    space = gap if layout.gap is None else layout.gap
    align = ALIGNMENTS.get(layout.align or "center", ALIGNMENTS["center"])
    x = align(target.own.x, target.own.width, seat.own.width) - seat.own.x
    y = align(target.own.y, target.own.height, seat.own.height) - seat.own.y
    if way.x:
        x = target.whole.right + space - seat.whole.x if way.x > 0 else target.whole.x - space - seat.whole.right
    if way.y:
        y = target.whole.bottom + space - seat.whole.y if way.y > 0 else target.whole.y - space - seat.whole.bottom
    return Point(x, y)


def fixed_positions(inventory: Inventory, gap: float) -> dict[str, Point]:
    """The corner of every element with a place known beforehand: absolute, or relative to a fixed element."""
    found = {
        element_id: Point(*position)
        for element_id in inventory.elements
        if (position := inventory.position(element_id)) is not None
    }
    followers: dict[str, list[tuple[str, Layout]]] = {}
    for element_id in inventory.elements:
        layout = inventory.relation(element_id)
        if layout is not None and layout.target is not None and layout.target not in inventory.children:
            followers.setdefault(layout.target, []).append((element_id, layout))
    placed = list(found)
    for target in placed:
        for element_id, layout in followers.get(target, ()):
            if element_id not in found:
                found[element_id] = _beside_fixed(inventory, element_id, layout, found[target], gap)
                placed.append(element_id)
    return found


def _beside_fixed(inventory: Inventory, element_id: str, layout: Layout, corner: Point, gap: float) -> Point:
    size, other = inventory.size(element_id), inventory.size(layout.target or element_id)
    target, own = Box(corner.x, corner.y, other.width, other.height), Box(0.0, 0.0, size.width, size.height)
    seats = _PositionedBox(own, own.with_outset(size.outset)), _PositionedBox(target, target.with_outset(other.outset))
    return _step_beside(layout, *seats, gap)


def with_relative_elements(inventory: Inventory, container: str, units: Sequence[Unit], gap: float) -> list[Unit]:
    """The units of a container, with relative elements joined to their targets' units, clear of elements already
    placed."""
    if not inventory.has_relations:
        return list(units)
    joined = {unit.id: unit for unit in units}
    standing = [piece for unit in units if unit.fixed for piece in unit.pieces]
    leads = {unit.id: _lead(inventory, container, unit) for unit in units if not unit.fixed}
    followers: dict[str, list[str]] = {}
    for follower, (_, target) in leads.items():
        if target in joined and target != follower:
            followers.setdefault(target, []).append(follower)
    ahead = {follower: target for target, row in followers.items() for follower in row}
    host, leaders = dict[str, str](), dict[str, str]()
    for first in (_leader(unit.id, ahead, leaders) for unit in units):
        placed = [] if first in host else [first]
        host.setdefault(first, first)
        for target in placed:
            for follower in (one for one in followers.get(target, ()) if one not in host):
                centre = host[follower] = host[target]
                unit = joined[centre]
                taken = [*unit.pieces, *(standing if unit.fixed else ())]
                joined[centre] = _join(inventory, (unit, joined.pop(follower)), leads[follower], taken, gap)
                placed.append(follower)
    return list(joined.values())


def _leader(unit: str, ahead: Mapping[str, str], known: dict[str, str]) -> str:
    """The last unit a unit follows; in a cycle, the first unit met twice. `known` results are reused."""
    seen: dict[str, None] = {}
    while unit in ahead and unit not in seen and unit not in known:
        seen[unit] = None
        unit = ahead[unit]
    if unit in seen:
        return unit
    leader = known.get(unit, unit)
    known.update(dict.fromkeys(seen, leader))
    return leader


def _lead(inventory: Inventory, container: str, unit: Unit) -> tuple[str, str]:
    """The element of a unit whose relation the unit follows: its own, or the first in its content with a target
    outside; and the child of `container` that is or holds this target. Empty names without such a relation."""
    for element_id in (unit.id, *unit.boxes):
        target = _target_unit(inventory, container, element_id)
        if target and target not in unit.boxes:
            return element_id, target
    return "", ""


def _target_unit(inventory: Inventory, container: str, element_id: str) -> str:
    """The child of `container` that is or holds the target of a relative element; "" without a target."""
    layout = inventory.relation(element_id)
    if layout is None or layout.relation not in RELATIONS or layout.relation == "inside":
        return ""
    chain = [layout.target or "", *inventory.ancestors(layout.target or "")]
    return chain[chain.index(container) - 1] if container in chain[1:] else ""


def _join(
    inventory: Inventory, units: tuple[Unit, Unit], lead: tuple[str, str], taken: Sequence[Box], gap: float
) -> Unit:
    """A unit joined with a follower, the follower clear of the pieces `taken`."""
    centre, follower = units
    element_id, target = lead
    layout = inventory.relation(element_id) or Layout()
    seen_target = centre.boxes.get(layout.target or target, centre.core)
    limit = centre.boxes[target].with_outset(inventory.size(target).outset)
    step = _step_beside(
        layout, _PositionedBox(follower.boxes[element_id], follower.whole), _PositionedBox(seen_target, limit), gap
    )
    moved = _cleared(follower.moved(*step), taken, RELATIONS[layout.relation or "rightOf"], gap)
    whole = union((centre.whole, moved.whole)) or centre.whole
    pieces = (*centre.pieces, *moved.pieces)
    return Unit(centre.id, centre.core, whole, {**centre.boxes, **moved.boxes}, pieces, fixed=centre.fixed)


def _cleared(follower: Unit, taken: Sequence[Box], way: Point, gap: float) -> Unit:
    """The follower, moved in its direction until clear of the pieces `taken`."""
    whole = follower.whole
    swept = union((whole, whole.moved(way.x * FAR, way.y * FAR))) or whole
    ahead = [piece for piece in taken if piece.overlaps(swept)]
    ahead.sort(key=lambda piece: way.x * piece.center.x + way.y * piece.center.y)
    for piece in ahead:
        if piece.overlaps(whole):
            x = {1.0: piece.right + gap, -1.0: piece.x - gap - whole.width}.get(way.x, whole.x)
            y = {1.0: piece.bottom + gap, -1.0: piece.y - gap - whole.height}.get(way.y, whole.y)
            whole = Box(x, y, whole.width, whole.height)
    return follower.moved(whole.x - follower.whole.x, whole.y - follower.whole.y)
