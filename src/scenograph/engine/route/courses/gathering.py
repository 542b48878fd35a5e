"""Gathering: the edges of a fan-in enter their target at one anchor, over one trunk.

In: the connections of a trunk, and the routing tools of the scene. Out: a path to the same anchor of the target for
each connection; the trunk is the common part before the anchor. An edge stays out if only its own path is clear, and
the diagnostic on bundled edges does not name it. Rule R-FAN-4.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from typing import NamedTuple

from scenograph.engine.costs import GRAZE, STRAIGHT, off_trunk
from scenograph.engine.route.courses.pathfinder import Pathfinder, RoutePath
from scenograph.engine.route.courses.rerouting import LEAST_GAP
from scenograph.engine.route.courses.terrain import Terrain, grazes
from scenograph.engine.route.courses.traffic import RouteDraft
from scenograph.engine.route.problem import NO_LABEL, NOBODY, Connection

TRIED_SIDES = 2  # sides of the target that a trunk is tried at
TRIED_EDGES = 8  # in larger crowds only the likeliest side is tried


def gathered_paths(
    connections: Sequence[Connection], terrain: Terrain, pathfinder: Pathfinder
) -> dict[int, RouteDraft]:
    """The drafts of all edges that share a trunk, by edge number."""
    crowds: dict[tuple[object, ...], list[Connection]] = {}
    for connection in connections:
        if connection.fan is not None and connection.fan.gathers:
            origin = () if _is_apart(connection) else (connection.source, _named_starts(connection))
            crowds.setdefault((connection.fan, *origin), []).append(connection)
    found: dict[int, RouteDraft] = {}
    for crowd in crowds.values():
        if len(crowd) > 1:
            drafts = _gathered(crowd, terrain, pathfinder)
            found.update(zip((connection.number for connection in crowd), drafts, strict=True))
    return found


def trunk_places(drafts: Sequence[RouteDraft]) -> dict[int, tuple[str, float, float]]:
    """The side and place at which each gathered edge enters its target, by number. Edges of equal place share the
    segment before the anchor."""
    found: dict[int, tuple[str, float, float]] = {}
    for draft in drafts:
        fan, finish = draft.connection.fan, draft.finish
        if fan is not None and fan.gathers and finish is not None:
            x, y = draft.points[-1]
            side = finish.side if _is_apart(draft.connection) else f"{finish.side} of {draft.connection.source}"
            found[draft.connection.number] = side, round(x, 3), round(y, 3)
    return found


def elect(drafts: Sequence[RouteDraft]) -> None:
    """Let one edge of each group show the label per trunk: the edge with the lowest id. It speaks for the whole trunk
    when no other group shares the trunk."""
    fans = {draft.connection.fan for draft in drafts if draft.connection.label_group is not None}
    if not fans:
        return
    places, found = trunk_places(drafts), dict[tuple[object, ...], dict[int, list[RouteDraft]]]()
    for draft in drafts:
        connection = draft.connection
        number, group, place = connection.number, connection.label_group, places.get(connection.number)
        if connection.fan in fans:
            key = (connection.fan, place) if place is not None else (number,)
            found.setdefault(key, {}).setdefault(NOBODY - number if group is None else group[0], []).append(draft)
    for groups in found.values():
        for group in groups.values():
            first = min(group, key=lambda draft: draft.connection.label_group or (NOBODY, NOBODY))
            first.speaks = len(groups) == 1 < len(group)
            if first.connection.muted[0]:
                first.connection = first.connection._replace(label=first.connection.muted, muted=NO_LABEL)


def _is_apart(connection: Connection) -> bool:
    return not connection.source_box.overlaps(connection.target_box)


def _gathered(crowd: list[Connection], terrain: Terrain, pathfinder: Pathfinder) -> list[RouteDraft]:
    if len({(connection.source, _named_starts(connection)) for connection in crowd}) == 1:
        path = pathfinder.path(crowd[0])
        return [_draft(connection, path) for connection in crowd]
    tries = TRIED_SIDES if len(crowd) <= TRIED_EDGES else 1
    routed = [
        [(connection, pathfinder.path(connection)) for connection in _bound_for(crowd, side)]
        for side in _sides(crowd)[:tries]
    ]
    best = min(routed, key=lambda rows: fsum(_price(*row, terrain) for row in rows))
    return _within_room([_kept(own, *row, terrain, pathfinder) for own, row in zip(crowd, best, strict=True)])


class _Kept(NamedTuple):
    """A draft; for a draft outside the trunk by choice also the draft inside (`bound`), and the cost `saved` by staying
    outside, px."""

    draft: RouteDraft
    bound: RouteDraft | None = None
    saved: float = 0.0


def _within_room(rows: Sequence[_Kept]) -> list[RouteDraft]:
    """The drafts; on each side only as many stay outside the trunk as fit there, those with the greatest savings."""
    outside: dict[str, list[int]] = {}
    for number, row in enumerate(rows):
        if row.bound is not None and row.draft.finish is not None:
            outside.setdefault(row.draft.finish.side, []).append(number)
    back: set[int] = set()
    for numbers in outside.values():
        finish = rows[numbers[0]].draft.finish
        room = 0.0 if finish is None else finish.room_high - finish.room_low
        numbers.sort(key=lambda number: -rows[number].saved)
        back.update(numbers[int(room / LEAST_GAP) + 1 :])
    return [row.bound if number in back and row.bound else row.draft for number, row in enumerate(rows)]


def _named_starts(connection: Connection) -> frozenset[tuple[str, float, float]]:
    """The anchors at which the author lets an edge begin: edges of one source may leave different rows or ports."""
    return frozenset((anchor.side, anchor.x, anchor.y) for anchor in connection.starts)


def _kept(own: Connection, bound: Connection, path: RoutePath, terrain: Terrain, pathfinder: Pathfinder) -> _Kept:
    """The path to the trunk, unless only the edge's own path is clear, or the edge shows its own label and the trunk
    leads it round the target."""
    is_blocked, has_own_label = (
        grazes(path.points, bound.exempt, terrain),
        own.label[0] > 0.0 and own.label_group is None,
    )
    if not (is_blocked or (has_own_label and len(path.points) > STRAIGHT)):
        return _Kept(_draft(bound, path))
    free = own._replace(fan=None)
    alone = pathfinder.path(own)
    is_clear = not grazes(alone.points, own.exempt, terrain)
    winds = alone.finish.side != path.finish.side and path.cost > alone.cost + off_trunk(len(alone.points))
    if is_clear and (is_blocked or (has_own_label and winds)):
        draft = RouteDraft(free, alone.points, "orthogonal", alone.start, alone.finish, crowd=own.fan)
        return _Kept(draft) if is_blocked else _Kept(draft, _draft(bound, path, free), path.cost - alone.cost)
    return _Kept(_draft(bound, path, free if has_own_label else None))


def _draft(connection: Connection, path: RoutePath, alone: Connection | None = None) -> RouteDraft:
    bound = connection._replace(finishes=(path.finish.fixed(),))
    return RouteDraft(bound, path.points, "orthogonal", path.start, path.finish, alone=alone, crowd=connection.fan)


def _price(connection: Connection, path: RoutePath, terrain: Terrain) -> float:
    return path.cost + (GRAZE if grazes(path.points, connection.exempt, terrain) else 0.0)


def _bound_for(crowd: Sequence[Connection], side: str) -> list[Connection]:
    """The same connections with no choice at the target."""
    return [
        connection._replace(finishes=tuple(anchor.fixed() for anchor in connection.finishes if anchor.side == side))
        for connection in crowd
    ]


def _sides(crowd: Sequence[Connection]) -> list[str]:
    """The sides of the target, nearest to all sources first."""
    order = [anchor.side for anchor in crowd[0].finishes]
    reach = {side: fsum(_reach(connection, side) for connection in crowd) for side in order}
    return sorted(order, key=lambda side: reach[side])


def _reach(connection: Connection, side: str) -> float:
    """The least distance to the middle of a side, px, with the penalties of both sides."""
    return min(
        abs(start.x - finish.x) + abs(start.y - finish.y) + start.penalty + finish.penalty
        for start in connection.starts
        for finish in connection.finishes
        if finish.side == side
    )
