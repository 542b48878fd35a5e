"""Constraints along one axis: align, distribute, stack, minGap, order. (R-CON-2, R-CON-3)

Each constraint is two functions over a board: `apply` moves the elements, never the first listed; `holds` tests the
wish. px.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import fsum

from scenograph.engine.kernels.projection import Separation, separated
from scenograph.engine.place.constraints.board import AXES, EXACT, Board
from scenograph.engine.place.subgraph import NODE_SPACING
from scenograph.scene.model import Constraint

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


def is_distributed(board: Board, constraint: Constraint) -> bool:
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


def is_stacked(board: Board, constraint: Constraint) -> bool:
    """Whether each element begins `gap` after its predecessor's end."""
    axis, elements = _read(board, constraint)
    wanted = constraint.parameters.get("gap", NODE_SPACING)
    return all(abs(gap - wanted) <= TOLERANCE for gap in _gaps(board, elements, axis))


def keep_apart(board: Board, constraint: Constraint) -> None:
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


def keep_all_apart(board: Board, constraints: Sequence[Constraint]) -> None:
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


def put_in_order(board: Board, constraint: Constraint) -> None:
    """Move each element not yet after its predecessor to NODE_SPACING behind the predecessor."""
    axis, elements = _read(board, constraint)
    for before, after in pairwise(elements):
        if not _comes_after(board, before, after, axis):
            board.put(after, axis, board.end(before, axis) + NODE_SPACING)


def is_in_order(board: Board, constraint: Constraint) -> bool:
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
