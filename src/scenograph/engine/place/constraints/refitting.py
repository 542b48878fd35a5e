"""Containers round content that constraints have moved.

A frame whose box its author left open is drawn round its content again, a group likewise; the lanes of a pool grow and
push each other on, and the pool with them. What has a given size or place stays, and content that leaves it is not
`sound`: a constraint that asks for that cannot hold. px.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from scenograph.engine.families.container_types import is_tile, is_tiled
from scenograph.engine.geometry.boxes import Box, Outset, union
from scenograph.engine.place.constraints.board import Board
from scenograph.engine.place.frames import HEADER, UPRIGHT, lane_inset, wrap
from scenograph.engine.place.inventory import ROOT
from scenograph.scene.model import Frame, Group

SLACK = 0.5  # px; what rounding may push a box past its container
REACH = 1e6  # R-LIMIT-1
NO_INSET = Outset()


def refit(board: Board) -> None:
    """Fit every touched container round its content, the inner ones first."""
    if not board.touched:
        return
    for container in board.inventory.containers:
        if container not in board.boxes or not _is_touched(board, container):
            continue
        layout = board.inventory.elements[container].layout
        is_given = layout.mode == "absolute" or layout.width is not None or layout.height is not None
        if is_given or _follows_pool(board, container):
            continue
        fit = _fit_pool if _swims(board, container) else _fit
        fit(board, container)
    board.touched.clear()


def is_sound(board: Board, before: Mapping[str, Box]) -> bool:
    """Whether whatever lay in its container `before` still does, the lanes of every pool still tile it, and nothing
    has gone where no document may put it."""
    return (
        is_within_reach(board)
        and _holds_content(board, before)
        and all(
            _is_tiled(board, pool, board.boxes) or not _is_tiled(board, pool, before)
            for pool in board.inventory.containers
            if pool in board.boxes and _has_lanes(board, pool)
        )
    )


def is_within_reach(board: Board) -> bool:
    """Whether every box lies where a document may have it; wishes that drive each other on lead beyond."""
    return all(max(abs(box.x), abs(box.y), abs(box.right), abs(box.bottom)) <= REACH for box in board.boxes.values())


def _holds_content(board: Board, before: Mapping[str, Box]) -> bool:
    return all(
        _holds(board, parent, child, board.boxes) or not _holds(board, parent, child, before)
        for child, parent in board.inventory.parent.items()
        if parent in board.boxes and child in board.boxes
    )


def _holds(board: Board, parent: str, child: str, boxes: Mapping[str, Box]) -> bool:
    return boxes[parent].grown(SLACK).contains(boxes[child].with_outset(board.outset(child)))


def _is_tiled(board: Board, pool: str, boxes: Mapping[str, Box]) -> bool:
    """Whether lanes as long as their pool without its header follow each other up to its end."""
    lanes = _lanes_of(board, pool)
    axis = _axis_of(board, pool)
    along = "y" if axis == "x" else "x"
    whole = boxes[pool]
    rows = sorted((boxes[lane] for lane in lanes), key=lambda box: _start(box, axis))
    first = _start(whole, axis) if len(lanes) == len(board.members(pool)) else _start(rows[0], axis)
    gaps = [_start(rows[0], axis) - first, _end(rows[-1], axis) - _end(whole, axis)]
    gaps += [_end(first, axis) - _start(second, axis) for first, second in pairwise(rows)]
    gaps += [_start(row, along) - _start(whole, along) - HEADER for row in rows]
    gaps += [_end(row, along) - _end(whole, along) for row in rows]
    return all(abs(gap) <= SLACK for gap in gaps)


def _is_touched(board: Board, container: str) -> bool:
    lanes = (child for child in board.members(container) if _is_lane(board, child))
    return container in board.touched or any(lane in board.touched for lane in lanes)


def _fit(board: Board, container: str) -> None:
    """Draw a frame or group round its content; one that a constraint made larger only grows."""
    content, element = board.content(container), board.inventory.elements[container]
    if content is None:
        return
    if isinstance(element, Group):
        board.fit(container, content)
        return
    around = wrap(NO_INSET, content, (board.inventory.size(container).width, 0.0))
    larger = container in board.kept or is_tiled(element)
    board.fit(container, (union((around, board.boxes[container])) or around) if larger else around)


def _is_lane(board: Board, element_id: str) -> bool:
    element, parent = board.inventory.elements[element_id], board.inventory.parent[element_id]
    return is_tile(element) and parent != ROOT and _is_pool(board, parent)


def _is_pool(board: Board, element_id: str) -> bool:
    return is_tiled(board.inventory.elements[element_id])


def _lanes_of(board: Board, pool: str) -> list[str]:
    return [child for child in board.members(pool) if _is_lane(board, child)]


def _swims(board: Board, pool: str) -> bool:
    """Whether it is a pool in which the engine chose every place, so that its lanes may be set anew."""
    return _has_lanes(board, pool) and pool not in board.inventory.positioned


def _follows_pool(board: Board, element_id: str) -> bool:
    """Whether it is a lane of such a pool."""
    return _is_lane(board, element_id) and _swims(board, board.inventory.parent[element_id])


def _has_lanes(board: Board, element_id: str) -> bool:
    return _is_pool(board, element_id) and bool(_lanes_of(board, element_id))


def _axis_of(board: Board, pool: str) -> str:
    """The axis along which the lanes of a pool follow each other."""
    element = board.inventory.elements[pool]
    return "x" if isinstance(element, Frame) and element.lane_direction == UPRIGHT else "y"


def _fit_pool(board: Board, pool: str) -> None:
    """Lanes as deep as their content needs, one after another in the order in which they stand; pool and lanes as long
    as the longest. What stands in the pool itself has a strip of its own before the first lane."""
    lanes, axis = _lanes_of(board, pool), _axis_of(board, pool)
    lanes.sort(key=lambda one: board.start(one, axis))
    rest = [child for child in board.members(pool) if child not in lanes]
    at = _start(board.boxes[pool], axis)
    if rest:
        at = _fit_strip(board, rest, axis, at, board.start(lanes[0], axis))
    for lane in lanes:
        at = _fit_lane(board, lane, axis, at)
    if pool in board.kept and board.end(pool, axis) > at:
        last = lanes[-1]
        board.fit(last, _between(board.boxes[last], axis, board.start(last, axis), board.end(pool, axis)))
    _lengthen(board, pool, lanes, rest)


def _fit_strip(board: Board, rest: Sequence[str], axis: str, start: float, end: float) -> float:
    """Room for what stands in a pool beside its lanes; where it ends."""
    need = _need(board, rest, None)
    before = max(0.0, start - _start(need, axis))
    board.shift(rest, axis, before)
    return max(end, _end(need, axis) + before)


def _fit_lane(board: Board, lane: str, axis: str, start: float) -> float:
    """Put a lane where the one before it ends, and make it as deep as its content needs; where it ends."""
    box, content = board.boxes[lane], board.members(lane)
    need = _need(board, content, lane) if content else box
    before = max(0.0, _start(box, axis) - _start(need, axis))
    after = max(0.0, _end(need, axis) - _end(box, axis))
    board.shift(content, axis, start - _start(box, axis) + before)
    end = start + _end(box, axis) - _start(box, axis) + before + after
    board.fit(lane, _between(board.boxes[lane], axis, start, end))
    return end


def _lengthen(board: Board, pool: str, lanes: Sequence[str], rest: Sequence[str]) -> None:
    """Lanes as long as their content needs, all alike; the pool round them and its header band."""
    across, axis = _axis_of(board, pool), "x" if _axis_of(board, pool) == "y" else "y"
    needs = [board.boxes[lane] for lane in lanes]
    needs += [_need(board, board.members(lane), lane) for lane in lanes if board.members(lane)]
    needs += [_need(board, rest, None)] if rest else []
    low, high = min(_start(need, axis) for need in needs), max(_end(need, axis) for need in needs)
    if pool in board.kept:
        low, high = min(low, board.start(pool, axis) + HEADER), max(high, board.end(pool, axis))
    for lane in lanes:
        board.fit(lane, _between(board.boxes[lane], axis, low, high))
    start, end = board.start(pool, across), board.end(lanes[-1], across)
    board.fit(pool, _between(_between(board.boxes[pool], across, start, end), axis, low - HEADER, high))


def _need(board: Board, content: Sequence[str], lane: str | None) -> Box:
    """The room that the content of a lane takes, or what stands in the pool itself."""
    around = union(board.whole(child) for child in content) or Box(0.0, 0.0, 0.0, 0.0)
    return around.with_outset(lane_inset(board.inventory, lane))


def _start(box: Box, axis: str) -> float:
    return box.x if axis == "x" else box.y


def _end(box: Box, axis: str) -> float:
    return box.right if axis == "x" else box.bottom


def _between(box: Box, axis: str, low: float, high: float) -> Box:
    return Box(low, box.y, high - low, box.height) if axis == "x" else Box(box.x, low, box.width, high - low)
