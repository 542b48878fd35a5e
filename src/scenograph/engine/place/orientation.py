"""Directions unified: every flow layout works from top to bottom; a level is turned before, and its result turned
back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Box, Outset, Point
from scenograph.engine.place.subgraph import Arrange, Corners, Item, Subgraph
from scenograph.late_dataclasses import replace


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


def arranged_downwards(subgraph: Subgraph, arrange: Arrange) -> Corners:
    """The arrangement of a level turned to flow from top to bottom, turned back."""
    turn = TURNS.get(subgraph.settings.direction, TURNS["TB"])
    if turn == TURNS["TB"]:
        return arrange(subgraph)
    corners = arrange(_turned(subgraph, turn))
    return {item.id: _turned_back(item, corners[item.id], turn) for item in subgraph.items}


def turned_box(box: Box, turn: Turn) -> Box:
    """A box of the page, turned so that the flow runs from top to bottom."""
    if not turn.swapped and not turn.reversed:
        return box
    x, y, width, height = box
    if turn.swapped:
        x, y, width, height = y, x, height, width
    return Box(x, -y - height if turn.reversed else y, width, height)


def turned_back(box: Box, turn: Turn) -> Box:
    """A turned box, back on the page."""
    x, y, width, height = box
    y = -y - height if turn.reversed else y
    return Box(y, x, height, width) if turn.swapped else Box(x, y, width, height)


def turned_outset(outset: Outset, turn: Turn) -> Outset:
    """An outset turned likewise."""
    top, right, bottom, left = outset
    if turn.swapped:
        top, right, bottom, left = left, bottom, right, top
    return Outset(bottom, right, top, left) if turn.reversed else Outset(top, right, bottom, left)


def _turned(subgraph: Subgraph, turn: Turn) -> Subgraph:
    settings = subgraph.settings
    links = subgraph.links
    if turn.swapped:
        links = tuple(link._replace(label_width=link.label_height, label_height=link.label_width) for link in links)
        settings = replace(settings, page=(settings.page[1], settings.page[0]), sideways=True)
    items = tuple(_turned_item(item, turn) for item in subgraph.items)
    return replace(subgraph, items=items, links=links, settings=replace(settings, direction="TB"))


def _turned_item(item: Item, turn: Turn) -> Item:
    width, height = (item.height, item.width) if turn.swapped else (item.width, item.height)
    return Item(item.id, width, height, turned_outset(item.outset, turn), item.hint)


def _turned_back(item: Item, corner: Point, turn: Turn) -> Point:
    width, height = (item.height, item.width) if turn.swapped else (item.width, item.height)
    box = turned_back(Box(corner.x, corner.y, width, height), turn)
    return Point(box.x, box.y)
