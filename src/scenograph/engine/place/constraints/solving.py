"""All constraints of a scene together. (R-CON-4, R-CON-5)

In: the inventory and the boxes as laid out. Out: the boxes with as many constraints fulfilled as are compatible; every
other constraint is reported (CONSTRAINT_UNSATISFIED). On a contradiction the earlier constraint wins. Moved elements
take along their content and the elements placed relative to them; frames are fitted, and engine-placed neighbours give
way. Everything else, and boxes that fulfil every constraint, stay unchanged.
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
"""Constraints on shared elements need several rounds; if the number fulfilled has not grown for STALLED rounds, the
rest contradict each other."""
SETTLING = 4  # times all constraints are tried again, because a constraint may undo an earlier
DECIMALS = 2  # of px in the result


class ConstraintKind(NamedTuple):
    """A type of constraint: how to apply it, how to test it, and how to apply many of the type at once."""

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
    """The boxes after the constraints: all constraints, if compatible; elements placed by the engine give way. Reports
    EFFORT_LIMITED when the search for compatible constraints reached its bound."""
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
    """The inventory of the scene as saved with these boxes. A constraint broken before may hold there, and would move
    elements at the next placement; by this check elements move in the first placement."""
    placed = {key: replace(element, layout=_absolute(boxes[key])) for key, element in inventory.elements.items()}
    return replace(inventory, elements=placed, positions_count=True)


def _absolute(box: Box) -> Layout:
    x, y, width, height = (round(side, DECIMALS) for side in box)
    return Layout(mode="absolute", x=x, y=y, width=width, height=height)


def report_broken(
    constraints: Sequence[Constraint], inventory: Inventory, boxes: Mapping[str, Box], report: Report
) -> None:
    """Report every constraint broken by the boxes."""
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
    """Apply all constraints in turn until nothing moves. Returns whether all hold, and framed content still lies
    inside. Fulfilled constraints are not made more exact: placing a placed scene moves nothing."""
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
    """The board after the constraints, taken in document order, that are compatible with all constraints kept before.
    The next compatible constraints are counted by bisection, each time from the board of the kept constraints; once the
    effort is spent, a constraint is kept only if already fulfilled."""
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
