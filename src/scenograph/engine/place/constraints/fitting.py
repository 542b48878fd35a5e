"""Containers round content that constraints have moved.

A frame whose box its author left open is drawn round its content again, a group likewise; the lanes of a pool grow and
push each other on, and the pool with them. What has a given size or place stays, and content that leaves it is not
`sound`: a constraint that asks for that cannot hold. px.
"""

from __future__ import annotations

from collections.abc import Mapping

from scenograph.engine.geometry.boxes import Box, Outset, union
from scenograph.engine.place.constraints.board import Board
from scenograph.engine.place.frames import HEADER, UPRIGHT, lane_inset, wrap
from scenograph.engine.place.inventory import ROOT
from scenograph.scene.model import Frame, Group

SLACK = 0.5
NO_INSET = Outset()


def refit(board: Board) -> None:
    """Fit every touched container round its content, the inner ones first."""
    if not board.touched:
        return
    for container in board.inventory.containers:
        if container not in board.boxes or not _is_touched(board, container):
            continue
        if _has_lanes(board, container):
            _fit_pool(board, container)
        elif not _is_lane(board, container) and not _is_given(board, container):
            _fit(board, container)
    board.touched.clear()


def is_sound(board: Board, before: Mapping[str, Box]) -> bool:
    """Whether whatever lay in its frame `before` still does."""
    return all(
        frame is None or not before[frame].contains(before[child]) or board.boxes[frame].grown(SLACK).contains(box)
        for child, box in board.boxes.items()
        for frame in (_frame_of(board, child),)
    )


def _frame_of(board: Board, child: str) -> str | None:
    parent = board.inventory.parent[child]
    return parent if parent != ROOT and isinstance(board.inventory.elements[parent], Frame) else None


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
    larger = container in board.kept or (isinstance(element, Frame) and element.container_type == "pool")
    board.fit(container, (union((around, board.boxes[container])) or around) if larger else around)


def _is_given(board: Board, container: str) -> bool:
    layout = board.inventory.elements[container].layout
    return layout.mode == "absolute" or layout.width is not None or layout.height is not None


def _is_lane(board: Board, element_id: str) -> bool:
    element, parent = board.inventory.elements[element_id], board.inventory.parent[element_id]
    lane = isinstance(element, Frame) and element.container_type == "lane"
    return lane and parent != ROOT and _is_pool(board, parent)


def _is_pool(board: Board, element_id: str) -> bool:
    element = board.inventory.elements[element_id]
    return isinstance(element, Frame) and element.container_type == "pool"


def _has_lanes(board: Board, element_id: str) -> bool:
    return _is_pool(board, element_id) and any(_is_lane(board, child) for child in board.members(element_id))


def _fit_pool(board: Board, pool: str) -> None:
    """Lanes as deep as their content needs, each pushing the later ones on; pool and lanes as long as the longest."""
    lanes = [child for child in board.members(pool) if _is_lane(board, child)]
    if _is_given(board, pool) or any(board.inventory.elements[lane].layout.mode == "absolute" for lane in lanes):
        return
    element = board.inventory.elements[pool]
    upright = isinstance(element, Frame) and element.lane_direction == UPRIGHT
    axis = "x" if upright else "y"
    pushed = 0.0
    for lane in sorted(lanes, key=lambda one: board.start(one, axis)):
        box, need = board.boxes[lane], _need(board, lane)
        before = max(0.0, _start(box, axis) - _start(need, axis))
        after = max(0.0, _end(need, axis) - _end(box, axis))
        board.shift(board.members(lane), axis, pushed + before)
        moved = box.moved(pushed, 0.0) if upright else box.moved(0.0, pushed)
        grown = Box(moved.x, moved.y, *_longer(moved, axis, before + after))
        board.fit(lane, grown)
        pushed += before + after
    _lengthen(board, pool, lanes, "y" if upright else "x")


def _lengthen(board: Board, pool: str, lanes: list[str], axis: str) -> None:
    """Lanes as long as their content needs, all alike; the pool round them and its header band."""
    needs = [board.boxes[lane] for lane in lanes] + [_need(board, lane) for lane in lanes]
    low = min(_start(need, axis) for need in needs)
    high = max(_end(need, axis) for need in needs)
    for lane in lanes:
        box = board.boxes[lane]
        board.fit(lane, _between(box, axis, low, high))
    around = union(board.boxes[lane] for lane in lanes) or board.boxes[pool]
    board.fit(pool, _between(around, axis, low - HEADER, high))


def _need(board: Board, lane: str) -> Box:
    around = union(board.whole(child) for child in board.members(lane))
    return board.boxes[lane] if around is None else around.with_outset(lane_inset(board.inventory, lane))


def _start(box: Box, axis: str) -> float:
    return box.x if axis == "x" else box.y


def _end(box: Box, axis: str) -> float:
    return box.right if axis == "x" else box.bottom


def _longer(box: Box, axis: str, by: float) -> tuple[float, float]:
    return (box.width + by, box.height) if axis == "x" else (box.width, box.height + by)


def _between(box: Box, axis: str, low: float, high: float) -> Box:
    return Box(low, box.y, high - low, box.height) if axis == "x" else Box(box.x, low, box.width, high - low)
