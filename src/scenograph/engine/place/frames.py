"""Containers round their content: padding, titles, header bands (decisions: section 9; specification: "Pools and
lanes"). px."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Box, Outset
from scenograph.engine.place.inventory import Boxed
from scenograph.engine.tables import Size
from scenograph.scene.model import Frame

PADDING = 24.0
HEADER = 24.0
TITLE_LEFT, TITLE_TOP = 16.0, 12.0
LANE_TITLE_LEFT, LANE_TITLE_TOP = 8.0, 6.0
EMPTY_FRAME = (160.0, 96.0)
EMPTY_GROUP = (1.0, 1.0)
ROWS, COLUMNS = "horizontal", "vertical"


class Rim(NamedTuple):
    """What a container keeps free between its border and its content, and its least size."""

    inset: Outset
    least_width: float
    least_height: float


def rim_of(element: Boxed, size: Size) -> Rim:
    """The rim of a frame or a group."""
    if not isinstance(element, Frame):
        return Rim(Outset(), *EMPTY_GROUP)
    title_width, title_height = (size.label.width, size.label.height) if size.label else (0.0, 0.0)
    if element.container_type == "pool":
        return _pool_rim(element)
    inset = Outset(PADDING + title_height, PADDING, PADDING, PADDING)
    return Rim(inset, title_width + 2 * TITLE_LEFT, EMPTY_FRAME[1])


def _pool_rim(pool: Frame) -> Rim:
    if pool.lane_direction == COLUMNS:
        return Rim(Outset(HEADER + PADDING, PADDING, PADDING, PADDING), *EMPTY_FRAME)
    return Rim(Outset(PADDING, PADDING, PADDING, HEADER + PADDING), *EMPTY_FRAME)


def frame_parts(frame: Frame, box: Box, size: Size) -> Mapping[str, Box]:
    """The part boxes of a frame: `header` of a pool, `title` where there is one.

    The title's box is the text's as it stands on the page: in an upright header it is turned.
    """
    label = size.label
    if frame.container_type == "pool":
        upright = frame.lane_direction != COLUMNS
        header = Box(box.x, box.y, HEADER, box.height) if upright else Box(box.x, box.y, box.width, HEADER)
        if label is None:
            return {"header": header}
        width, height = (label.height, label.width) if upright else (label.width, label.height)
        return {"header": header, "title": _centred(header, width, height)}
    if label is None:
        return {}
    lane = frame.container_type == "lane"
    left, top = (LANE_TITLE_LEFT, LANE_TITLE_TOP) if lane else (TITLE_LEFT, TITLE_TOP)
    return {"title": Box(box.x + left, box.y + top, label.width, label.height)}


def _centred(area: Box, width: float, height: float) -> Box:
    return Box(area.center.x - width / 2, area.center.y - height / 2, width, height)
