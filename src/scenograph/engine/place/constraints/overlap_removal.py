"""What the engine placed gives way to what constraints have moved.

In: the boxes as the layout left them, the board with all constraints fulfilled. Out: a board on which those that came
to lie on a neighbour, or nearer to it than they stood, have room: the page is cut between the two and moved apart, so
that lines and ranks stay. Nothing moves that has a place of its author's or is locked; a step after which a constraint
no longer holds is not taken. px.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from math import fsum
from typing import NamedTuple

from scenograph.engine.effort import Effort
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.geometry.packing import Occupied
from scenograph.engine.geometry.spatial_index import Bounds, SpatialIndex
from scenograph.engine.place.constraints.board import EXACT, Board
from scenograph.engine.place.constraints.refitting import refit
from scenograph.engine.place.inventory import ROOT
from scenograph.engine.place.subgraph import LayoutSettings

MAX_STEPS = 40  # pushes before the rest is left as it is
LYING: Mapping[str, str] = {"LR": "x", "RL": "x"}


class Invariants(NamedTuple):
    """What does not change: the boxes before, what constraints name (or contain), the settings, the solver; and how
    much may be looked at still."""

    before: Mapping[str, Box]
    named: frozenset[str]
    settings: LayoutSettings
    solve: Callable[[Board], bool]
    effort: Effort


class _Clash(NamedTuple):
    """Two members of a container, the second of which is to give way."""

    container: str
    firm: str
    soft: str


def remove_overlaps(board: Board, invariants: Invariants) -> Board:
    """The board with room between what clashed, as far as that is possible. Every step leaves fewer clashes."""
    hopeless, clashes = set[_Clash](), list(_clashes(board, invariants))
    for _ in range(MAX_STEPS):
        clash = next((one for one in clashes if one not in hopeless), None)
        if clash is None or invariants.effort.is_spent:
            break
        better = _parted(board, invariants, clash, len(clashes))
        if better is None:
            hopeless.add(clash)
        else:
            board, clashes = better
    return board


def _parted(board: Board, invariants: Invariants, clash: _Clash, most: int) -> tuple[Board, list[_Clash]] | None:
    """The board after the cut that parts the two, first along the axis on which they stood apart; where what is named
    must not move along, it stays; else the soft one alone steps aside. None unless fewer than `most` clashes are left,
    which come with it."""
    ways = [*product(_axes(invariants, clash), (frozenset[str](), invariants.named)), None]
    for way in ways:
        trial = board.copy()
        if way is None:
            _step_aside(trial, invariants, clash)
        else:
            _cut(trial, invariants, clash, way)
        refit(trial)
        if invariants.solve(trial):
            left = list(_clashes(trial, invariants))
            if len(left) < most and clash not in left:
                return trial, left
    return None


def _step_aside(board: Board, invariants: Invariants, clash: _Clash) -> None:
    """Move the soft one alone to the nearest place that is free among its neighbours."""
    own = board.whole(clash.soft)
    others = (board.whole(one) for one in board.members(clash.container) if one != clash.soft)
    spot = Occupied(others).free_spot(own, invariants.settings.node_spacing / 2)
    if spot is not None:
        board.shift([clash.soft], "x", spot.x - own.x)
        board.shift([clash.soft], "y", spot.y - own.y)


def _clashes(board: Board, invariants: Invariants) -> Iterator[_Clash]:
    """Pairs of members that lie nearer to each other than they did and than is good."""
    for container in board.inventory.containers:
        members = board.members(container)
        if len(members) < 2 or all(board.boxes[one] == invariants.before[one] for one in members):
            continue
        boxes = [board.whole(one) for one in members]
        invariants.effort.spend(len(boxes))
        index = SpatialIndex(Bounds(box.x, box.y, box.right, box.bottom) for box in boxes)
        reach = invariants.settings.node_spacing
        for number, box in enumerate(boxes):
            near = index.near(box.x - reach, box.y - reach, box.right + reach, box.bottom + reach)
            invariants.effort.spend(len(near))
            for other in sorted(near):
                clash = (
                    _clash(board, invariants, container, (members[number], members[other])) if other > number else None
                )
                if clash is not None:
                    yield clash


def _clash(board: Board, invariants: Invariants, container: str, pair: tuple[str, str]) -> _Clash | None:
    soft = [one for one in pair if _is_soft(board, one)]
    if not soft:
        return None
    giving = min(reversed(soft), key=lambda one: one in invariants.named)
    clash = _Clash(container, pair[0] if giving == pair[1] else pair[1], giving)
    return clash if _clash_between(board, invariants, clash) else None


def _is_soft(board: Board, element_id: str) -> bool:
    """Whether the engine chose its place, and the place of all that it contains."""
    return element_id not in board.inventory.firm and board.inventory.elements[element_id].layout.mode != "relative"


def _clash_between(board: Board, invariants: Invariants, clash: _Clash) -> bool:
    stood = max(_apart(board, invariants.before, clash, axis) for axis in ("x", "y"))
    if stood < -EXACT:
        return False
    wished = clash.firm in invariants.named and clash.soft in invariants.named
    least = 0.0 if wished else min(stood, invariants.settings.node_spacing / 2)
    return max(_apart(board, board.boxes, clash, axis) for axis in ("x", "y")) < least - EXACT


def _apart(board: Board, boxes: Mapping[str, Box], clash: _Clash, axis: str) -> float:
    """The gap between the two along an axis; negative where they overlap."""
    first, second = (boxes[one].with_outset(board.outset(one)) for one in (clash.firm, clash.soft))
    if axis == "x":
        return max(first.x, second.x) - min(first.right, second.right)
    return max(first.y, second.y) - min(first.bottom, second.bottom)


def _axes(invariants: Invariants, clash: _Clash) -> Sequence[str]:
    first, second = invariants.before[clash.firm], invariants.before[clash.soft]
    beside = first.right <= second.x or second.right <= first.x
    over = first.bottom <= second.y or second.bottom <= first.y
    if beside and over:
        along = LYING.get(invariants.settings.direction, "y")
        return (along, "y" if along == "x" else "x")
    return ("x", "y") if beside else ("y", "x")


def _cut(board: Board, invariants: Invariants, clash: _Clash, way: tuple[str, frozenset[str]]) -> None:
    """Move the soft one clear of the firm one along an axis, and with it everything that stood beyond the same line,
    but not what is to stay."""
    axis, staying = way
    lines = {one: _span(invariants.before[one], axis) for one in board.members(clash.container)}
    forward = fsum(lines[clash.soft]) >= fsum(lines[clash.firm])
    gap = _gap(board, invariants, clash, axis)
    (low, high), (start, end) = (_span(board.whole(one), axis) for one in (clash.firm, clash.soft))
    by = high + gap - start if forward else low - gap - end
    side, sense = (0, 1) if forward else (1, -1)
    line = lines[clash.soft][side] * sense
    beyond = [one for one in lines if one != clash.firm and lines[one][side] * sense >= line]
    if by * sense > 0:
        board.shift([one for one in beyond if one == clash.soft or _yields(board, one, staying)], axis, by)


def _yields(board: Board, element_id: str, staying: frozenset[str]) -> bool:
    return _is_soft(board, element_id) and element_id not in staying


def _gap(board: Board, invariants: Invariants, clash: _Clash, axis: str) -> float:
    """The gap that the two had, at most the usual one."""
    along = LYING.get(invariants.settings.direction, "y") == axis
    usual = invariants.settings.rank_spacing if along else invariants.settings.node_spacing
    stood = _apart(board, invariants.before, clash, axis)
    return min(usual, stood) if stood >= 0 else usual


def _span(box: Box, axis: str) -> tuple[float, float]:
    return (box.x, box.right) if axis == "x" else (box.y, box.bottom)


def named_by(board: Board, elements: Sequence[str]) -> frozenset[str]:
    """The elements that constraints name, and the containers round them."""
    known = board.known(elements)
    around = (one for element_id in known for one in board.inventory.ancestors(element_id) if one != ROOT)
    return frozenset((*known, *around))
