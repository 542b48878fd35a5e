"""All constraints of a scene together.

In: the inventory and the boxes as the layout left them. Out: the boxes with as many constraints fulfilled as hold
together; the rest is reported (CONSTRAINT_UNSATISFIED). An earlier constraint wins over a later one that contradicts
it. What is moved takes its content along and what is placed relative to it; frames are fitted round it, and what the
engine placed beside it gives way. All else, and boxes that fulfil everything, stay as they are. (R-CON-4, R-CON-5)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from scenograph.diagnostics import CONSTRAINT_UNSATISFIED, Report
from scenograph.engine import effort as efforts
from scenograph.engine.effort import Effort, effort_for, report_limited
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.place.constraints import axial, planar
from scenograph.engine.place.constraints.board import Board
from scenograph.engine.place.constraints.overlap_removal import (
    Invariants,
    is_sound,
    is_within_reach,
    named_by,
    refit,
    remove_overlaps,
)
from scenograph.engine.place.inventory import Inventory
from scenograph.engine.place.subgraph import LayoutSettings
from scenograph.late_dataclasses import replace
from scenograph.scene.model import Constraint, Layout

ROUNDS, STALLED = 24, 8
"""Constraints that share elements need some rounds until all hold; those of which no more hold after so many rounds
contradict each other."""
SETTLING = 4  # times that all constraints are tried again, because one may undo another
DECIMALS = 2  # of px in the result


class ConstraintKind(NamedTuple):
    """A type of constraint: what fulfils it, whether it is fulfilled, and what fulfils many of the type at once."""

    apply: Callable[[Board, Constraint], None]
    holds: Callable[[Board, Constraint], bool]
    together: Callable[[Board, Sequence[Constraint]], None] | None = None


CONSTRAINTS: Mapping[str, ConstraintKind] = {
    "align": ConstraintKind(axial.align, axial.is_aligned),
    "distribute": ConstraintKind(axial.distribute, axial.is_distributed),
    "stack": ConstraintKind(axial.stack, axial.is_stacked),
    "grid": ConstraintKind(planar.make_grid, planar.is_grid),
    "sameSize": ConstraintKind(planar.same_size, planar.is_same_size),
    "centerIn": ConstraintKind(planar.center_in, planar.is_centered),
    "contain": ConstraintKind(planar.contain, planar.is_contained),
    "minGap": ConstraintKind(axial.keep_apart, axial.is_apart, axial.keep_all_apart),
    "noOverlap": ConstraintKind(planar.separate, planar.is_separate),
    "order": ConstraintKind(axial.put_in_order, axial.is_in_order),
}


def constrained(
    constraints: Sequence[Constraint],
    inventory: Inventory,
    boxes: Mapping[str, Box],
    settings: LayoutSettings,
    report: Report,
) -> Mapping[str, Box]:
    """The boxes after the constraints, all of them if they hold together; what the engine placed gives way. Reports
    EFFORT_LIMITED where the search for what holds together was ended by its bound."""
    if not constraints:
        return boxes
    named = [element_id for constraint in constraints for element_id in _elements(constraint)]
    effort, giving_way = effort_for(efforts.CONSTRAINTS, len(named)), effort_for(efforts.MAKING_ROOM, len(named))
    holds = False
    for again in range(SETTLING):
        found = _fulfilled(constraints, (inventory, boxes), settings, (effort, giving_way))
        same = again > 0 and found == boxes
        boxes, inventory = found, _as_written(inventory, found)
        holds = _all_hold(Board(inventory, boxes), constraints)
        if same or effort.is_spent or holds:
            break
    if effort.is_spent and not holds:
        report_limited(efforts.CONSTRAINTS, named, report)
    if giving_way.is_spent:
        report_limited(efforts.MAKING_ROOM, named, report)
    return boxes


def _fulfilled(
    constraints: Sequence[Constraint],
    placed: tuple[Inventory, Mapping[str, Box]],
    settings: LayoutSettings,
    limits: tuple[Effort, Effort],
) -> Mapping[str, Box]:
    inventory, boxes = placed
    effort, giving_way = limits
    board, kept = Board(inventory, boxes), list(constraints)
    if not _solve(board, kept, effort):
        board, kept = _as_many_as_hold(Board(inventory, boxes), constraints, effort)
    if board.boxes == boxes:
        return boxes
    named = named_by(board, [element_id for constraint in kept for element_id in _elements(constraint)])

    def still_hold(trial: Board) -> bool:
        return not giving_way.is_spent and _solve(trial, kept, giving_way)

    ground = Invariants(boxes, named, settings, still_hold, giving_way)
    return remove_overlaps(board, ground).boxes


def _as_written(inventory: Inventory, boxes: Mapping[str, Box]) -> Inventory:
    """The inventory of the scene as it is written down with these boxes. What did not hold may hold there, and would
    move things when that scene is placed again: it does so at once."""
    placed = {key: replace(element, layout=_absolute(boxes[key])) for key, element in inventory.elements.items()}
    return replace(inventory, elements=placed, positions_count=True)


def _absolute(box: Box) -> Layout:
    x, y, width, height = (round(side, DECIMALS) for side in box)
    return Layout(mode="absolute", x=x, y=y, width=width, height=height)


def report_broken(
    constraints: Sequence[Constraint], inventory: Inventory, boxes: Mapping[str, Box], report: Report
) -> None:
    """Say of every constraint that the boxes do not fulfil that it could not hold."""
    board = Board(inventory, boxes)
    for number, constraint in enumerate(constraints):
        if not CONSTRAINTS[constraint.type].holds(board, constraint):
            report.add(
                CONSTRAINT_UNSATISFIED,
                path=f"/constraints/{number}",
                data={"constraintId": constraint.id, "type": constraint.type, "elements": list(constraint.elements)},
                constraint=constraint.id,
                type=constraint.type,
            )


def _solve(board: Board, wishes: Sequence[Constraint], effort: Effort) -> bool:
    """Apply all in turn until nothing moves; whether all hold then, and all that lay in a frame still does. What holds
    already is not made more exact: placing a placed scene moves nothing."""
    listed = sum(len(constraint.elements) for constraint in wishes)
    effort.spend(listed)
    broken = _broken(board, wishes)
    if not broken:
        return True
    before = dict(board.boxes)
    for name, kind in CONSTRAINTS.items():
        alike = [one for one in wishes if one.type == name] if kind.together is not None else []
        if kind.together is not None and len(alike) > 1:
            kind.together(board, alike)
    fewest, stalled = broken, 0
    for _ in range(ROUNDS):
        effort.spend(listed)
        last = dict(board.boxes)
        for constraint in wishes:
            CONSTRAINTS[constraint.type].apply(board, constraint)
        refit(board)
        broken = _broken(board, wishes)
        fewest, stalled = (broken, 0) if broken < fewest else (fewest, stalled + 1)
        if board.boxes == last or stalled == STALLED or effort.is_spent or not is_within_reach(board):
            break
    return not broken and is_sound(board, before)


def _broken(board: Board, wishes: Sequence[Constraint]) -> int:
    return sum(not CONSTRAINTS[constraint.type].holds(board, constraint) for constraint in wishes)


def _all_hold(board: Board, wishes: Sequence[Constraint]) -> bool:
    return all(CONSTRAINTS[constraint.type].holds(board, constraint) for constraint in wishes)


def _as_many_as_hold(board: Board, wishes: Sequence[Constraint], effort: Effort) -> tuple[Board, list[Constraint]]:
    """The board after those constraints, taken in document order, that hold together with the ones before them. How
    many of the next do is found by halving, each time from the board on which those before hold; beyond the effort what
    is left is taken only if it holds as it stands."""
    kept, rest = list[Constraint](), list(wishes)
    while rest and not effort.is_spent:
        low, high, start = 0, len(rest), board
        while low < high and not effort.is_spent:
            middle = (low + high + 1) // 2
            trial = start.copy()
            if _solve(trial, [*kept, *rest[:middle]], effort):
                low, board = middle, trial
            else:
                high = middle - 1
        kept += rest[:low]
        rest = rest[low + 1 :]
    return board, kept


def _elements(constraint: Constraint) -> list[str]:
    container = constraint.parameters.get("container")
    return [*constraint.elements, *([] if container is None else [container])]
