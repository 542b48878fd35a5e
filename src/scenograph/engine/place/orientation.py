"""Directions as one: every flow layout works from top to bottom; here a level is turned there and its result back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Outset, Point
from scenograph.engine.place.level import Arrange, Corners, Item, Level


class Turn(NamedTuple):
    """How a direction differs from top to bottom: axes swapped, the flow's sense reversed."""

    swapped: bool
    reversed: bool


TURNS: Mapping[str, Turn] = {
    "TB": Turn(swapped=False, reversed=False),
    "BT": Turn(swapped=False, reversed=True),
    "LR": Turn(swapped=True, reversed=False),
    "RL": Turn(swapped=True, reversed=True),
}


def arranged_downwards(level: Level, arrange: Arrange) -> Corners:
    """What `arrange` makes of the level when its direction is turned to top to bottom, turned back."""
    turn = TURNS.get(level.settings.direction, TURNS["TB"])
    corners = arrange(_turned(level, turn))
    return {item.id: _turned_back(item, corners[item.id], turn) for item in level.items}


def _turned(level: Level, turn: Turn) -> Level:
    settings = level.settings
    links = level.links
    if turn.swapped:
        links = tuple(link._replace(label_width=link.label_height, label_height=link.label_width) for link in links)
        settings = replace(settings, page=(settings.page[1], settings.page[0]))
    items = tuple(_turned_item(item, turn) for item in level.items)
    return Level(items, links, replace(settings, direction="TB"), level.pulled)


def _turned_item(item: Item, turn: Turn) -> Item:
    top, right, bottom, left = item.outset
    width, height = item.width, item.height
    if turn.swapped:
        top, right, bottom, left, width, height = left, bottom, right, top, height, width
    if turn.reversed:
        top, bottom = bottom, top
    return Item(item.id, width, height, Outset(top, right, bottom, left), item.hint)


def _turned_back(item: Item, corner: Point, turn: Turn) -> Point:
    across, along = corner
    if turn.reversed:
        along = -along - (item.width if turn.swapped else item.height)
    return Point(along, across) if turn.swapped else Point(across, along)
