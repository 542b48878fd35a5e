"""All constraints of a scene together.

In: the inventory and the boxes as the layout left them. Out: the boxes with as many constraints fulfilled as hold
together; the rest is reported (CONSTRAINT_UNSATISFIED). An earlier constraint wins over a later one that contradicts
it. What is moved takes its content along and what is placed relative to it; frames are fitted round it, and what the
engine placed beside it gives way. All else, and boxes that fulfil everything, stay as they are. (decisions: sections 2
and 14)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from scenograph.diagnostics import CONSTRAINT_UNSATISFIED, Report
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.place.constraints import gathering, lining
from scenograph.engine.place.constraints.board import Board
from scenograph.engine.place.constraints.fitting import is_sound, is_within_reach, refit
from scenograph.engine.place.constraints.giving_way import Ground, make_way, named_by
from scenograph.engine.place.inventory import Inventory
from scenograph.engine.place.level import Settings
from scenograph.scene.model import Constraint, Layout

ROUNDS, LEAST_ROUNDS = 24, 4
"""Constraints that share elements need some rounds until all hold; those that still do not contradict each other."""
SETTLING = 4
DECIMALS = 2
EFFORT = 120_000
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


def constrained(
    constraints: Sequence[Constraint], inventory: Inventory, boxes: Mapping[str, Box], settings: Settings
) -> Mapping[str, Box]:
    """The boxes after the constraints, all of them if they hold together; what the engine placed gives way."""
    if not constraints:
        return boxes
    for again in range(SETTLING):
        found = _fulfilled(constraints, inventory, boxes, settings)
        same = again > 0 and found == boxes
        boxes, inventory = found, _as_written(inventory, found)
        if same or _all_hold(Board(inventory, boxes), constraints):
            break
    return boxes


def _fulfilled(
    constraints: Sequence[Constraint], inventory: Inventory, boxes: Mapping[str, Box], settings: Settings
) -> Mapping[str, Box]:
    board, kept = Board(inventory, boxes), list(constraints)
    if not _solve(board, kept):
        board, kept = _as_many_as_hold(inventory, boxes, constraints)
    if not board.moves:
        return boxes
    named = named_by(board, [element_id for constraint in kept for element_id in _elements(constraint)])
    ground = Ground(boxes, named, settings, partial(_solve, wishes=kept))
    return make_way(board, ground).boxes


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


def _solve(board: Board, wishes: Sequence[Constraint]) -> bool:
    """Apply all in turn until nothing moves; whether all hold then, and all that lay in a frame still does. What holds
    already is not made more exact: placing a placed scene moves nothing."""
    if _all_hold(board, wishes):
        return True
    before = dict(board.boxes)
    listed = sum(len(constraint.elements) for constraint in wishes)
    for _ in range(max(LEAST_ROUNDS, min(ROUNDS, EFFORT // max(1, listed)))):
        last = dict(board.boxes)
        for constraint in wishes:
            CONSTRAINTS[constraint.type].apply(board, constraint)
        refit(board)
        if board.boxes == last or not is_within_reach(board):  # it rests, or never will
            break
    return _all_hold(board, wishes) and is_sound(board, before)


def _all_hold(board: Board, wishes: Sequence[Constraint]) -> bool:
    return all(CONSTRAINTS[constraint.type].holds(board, constraint) for constraint in wishes)


def _as_many_as_hold(
    inventory: Inventory, boxes: Mapping[str, Box], wishes: Sequence[Constraint]
) -> tuple[Board, list[Constraint]]:
    """The board after those constraints, taken in document order, that hold together with the ones before them. How
    many of the next do is found by halving; beyond the effort what is left is taken only if it holds as it stands."""
    kept, rest = list[Constraint](), list(wishes)
    board, effort = Board(inventory, boxes), 0
    while rest and effort <= EFFORT:
        low, high = 0, len(rest)
        while low < high:
            middle = (low + high + 1) // 2
            trial = Board(inventory, boxes)
            effort += sum(len(one.elements) for one in (*kept, *rest[:middle]))
            if _solve(trial, [*kept, *rest[:middle]]):
                low, board = middle, trial
            else:
                high = middle - 1
        kept += rest[:low]
        rest = rest[low + 1 :]
    return board, kept


def _elements(constraint: Constraint) -> list[str]:
    container = constraint.parameters.get("container")
    return [*constraint.elements, *([] if container is None else [container])]
