"""All constraints of a scene together.

In: the inventory and the boxes as the layout left them. Out: the boxes with as many constraints fulfilled as hold
together; the rest is reported (CONSTRAINT_UNSATISFIED). An earlier constraint wins over a later one that contradicts
it. Nothing is moved that no constraint names, but the content of what is moved and the frames round it. Boxes that
fulfil everything stay as they are. (decisions: sections 2 and 14)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from scenograph.diagnostics import CONSTRAINT_UNSATISFIED, Report
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.place.constraints import gathering, lining
from scenograph.engine.place.constraints.board import Board
from scenograph.engine.place.inventory import Inventory
from scenograph.scene.model import Constraint

ROUNDS, LEAST_ROUNDS = 24, 4
"""Constraints that share elements need some rounds until all hold; those that still do not contradict each other."""
EFFORT = 40_000
"""Elements looked at in the search for what holds together; beyond it what does not hold is only reported."""


class Kind(NamedTuple):
    """A type of constraint: what fulfils it, and whether it is fulfilled."""

    apply: Callable[[Board, Constraint], None]
    holds: Callable[[Board, Constraint], bool]


CONSTRAINTS: Mapping[str, Kind] = {
    "align": Kind(lining.align, lining.is_aligned),
    "distribute": Kind(lining.distribute, lining.is_distributed),
    "stack": Kind(lining.stack, lining.is_stacked),
    "grid": Kind(gathering.make_grid, gathering.is_grid),
    "sameSize": Kind(gathering.same_size, gathering.is_same_size),
    "centerIn": Kind(gathering.center_in, gathering.is_centered),
    "contain": Kind(gathering.contain, gathering.is_contained),
    "minGap": Kind(lining.keep_apart, lining.is_apart),
    "noOverlap": Kind(gathering.separate, gathering.is_separate),
    "order": Kind(lining.put_in_order, lining.is_in_order),
}


def constrained(constraints: Sequence[Constraint], inventory: Inventory, boxes: Mapping[str, Box]) -> Mapping[str, Box]:
    """The boxes after the constraints, all of them if they hold together."""
    if not constraints:
        return boxes
    board = Board(inventory, boxes)
    if not _solve(board, constraints):
        board = _as_many_as_hold(inventory, boxes, constraints)
    return board.boxes


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


def _solve(board: Board, wishes: Sequence[Constraint]) -> bool:
    """Apply all in turn until nothing moves; whether all hold then. What holds already is not made more exact: placing
    a placed scene moves nothing."""
    if _all_hold(board, wishes):
        return True
    listed = sum(len(constraint.elements) for constraint in wishes)
    for _ in range(max(LEAST_ROUNDS, min(ROUNDS, EFFORT // max(1, listed)))):
        before = board.moves
        for constraint in wishes:
            CONSTRAINTS[constraint.type].apply(board, constraint)
        board.refit()
        if board.moves == before:
            break
    return _all_hold(board, wishes)


def _all_hold(board: Board, wishes: Sequence[Constraint]) -> bool:
    return all(CONSTRAINTS[constraint.type].holds(board, constraint) for constraint in wishes)


def _as_many_as_hold(inventory: Inventory, boxes: Mapping[str, Box], wishes: Sequence[Constraint]) -> Board:
    """The board after those constraints, taken in document order, that hold together with the ones before them."""
    kept: list[Constraint] = []
    board, effort = Board(inventory, boxes), 0
    for constraint in wishes:
        effort += sum(len(one.elements) for one in (*kept, constraint))
        if effort > EFFORT:
            break
        trial = Board(inventory, board.boxes)
        if _solve(trial, [*kept, constraint]):
            board = trial
            kept.append(constraint)
    return board
