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
from scenograph.engine.place.constraints import axial, planar
from scenograph.engine.place.constraints.board import Board
from scenograph.engine.place.constraints.overlap_removal import Invariants, named_by, remove_overlaps
from scenograph.engine.place.constraints.refitting import is_sound, is_within_reach, refit
from scenograph.engine.place.inventory import Inventory
from scenograph.engine.place.subgraph import LayoutSettings
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
    "align": Kind(axial.align, axial.is_aligned),
    "distribute": Kind(axial.distribute, axial.is_distributed),
    "stack": Kind(axial.stack, axial.is_stacked),
    "grid": Kind(planar.make_grid, planar.is_grid),
    "sameSize": Kind(planar.same_size, planar.is_same_size),
    "centerIn": Kind(planar.center_in, planar.is_centered),
    "contain": Kind(planar.contain, planar.is_contained),
    "minGap": Kind(axial.keep_apart, axial.is_apart),
    "noOverlap": Kind(planar.separate, planar.is_separate),
    "order": Kind(axial.put_in_order, axial.is_in_order),
}


def constrained(
    constraints: Sequence[Constraint], inventory: Inventory, boxes: Mapping[str, Box], settings: LayoutSettings
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
    constraints: Sequence[Constraint], inventory: Inventory, boxes: Mapping[str, Box], settings: LayoutSettings
) -> Mapping[str, Box]:
    board, kept = Board(inventory, boxes), list(constraints)
    if not _solve(board, kept):
        board, kept = _as_many_as_hold(inventory, boxes, constraints)
    if not board.moves:
        return boxes
    named = named_by(board, [element_id for constraint in kept for element_id in _elements(constraint)])
    ground = Invariants(boxes, named, settings, partial(_solve, wishes=kept))
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
