"""One level of the forest, as seen by layout algorithms: rigid items, links, settings; no terms of the scene.

An algorithm takes a `Subgraph` and a `LayoutRecord`, and returns the top left corner of every item's box, in local
coordinates. Promise of every algorithm: no two items overlap, outsets included, with node spacing between.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import NamedTuple

from scenograph.engine.families.trunks import LABEL_ROOM
from scenograph.engine.geometry.boxes import Box, Outset, Point
from scenograph.engine.geometry.directions import DOWNWARDS, TURNS, Turn, turn_of, turned_back, turned_outset
from scenograph.engine.kernels.disjoint_sets import DisjointSets
from scenograph.late_dataclasses import dataclass, field, replace

NODE_SPACING = 48.0  # px; within a rank (R-PLACE-9)
RANK_SPACING = 72.0  # px; between ranks (R-PLACE-9)
LABEL_ENDS = LABEL_ROOM  # px; beside a label along its line
PAGE = (1200.0, 800.0)  # px; the page shape without a declared canvas
BOX_TO_WAY, WAY_TO_WAY = 30.0, 24.0  # the distance of lines from the boxes of a rank, and from each other
WAY = "\0"  # begins the id of a way


class Item(NamedTuple):
    """A rigid thing to place. `outset`: the room round the box. `hint`: the place across the flow by the pull of links
    from outside the level (None: no pull). `line`: the alignment line within a row, below the top; None: the middle."""

    id: str
    width: float
    height: float
    outset: Outset = Outset()
    hint: int | None = None
    line: float | None = None

    @property
    def whole_width(self) -> float:
        """The width with the outset, px."""
        return self.width + self.outset.left + self.outset.right

    @property
    def above_line(self) -> float:
        """The height above the alignment line, outset included, px."""
        return self.outset.top + (self.height / 2 if self.line is None else self.line)

    @property
    def whole_height(self) -> float:
        """The height with the outset, px."""
        return self.height + self.outset.top + self.outset.bottom


class ItemLink(NamedTuple):
    """All edges between two items as one directed link, with the room for their labels. `source_row`, `target_row`: the
    mean offset of its ends below the item's middle, on the page. `joined`: it shares a trunk with others."""

    source: str
    target: str
    weight: int = 1
    label_width: float = 0.0
    label_height: float = 0.0
    source_row: float = 0.0
    target_row: float = 0.0
    joined: bool = False

    def turned(self) -> ItemLink:
        """The reversed link."""
        return self._replace(
            source=self.target, target=self.source, source_row=self.target_row, target_row=self.source_row
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutSettings:
    """The layout strategy with defaults filled in (R-PLACE-9). `page`: the declared canvas. `main_path`: whether the
    notation has a main path (None: as the algorithm says). `flush`: items of a tree's rank share their upper edge.
    `sideways`: the page was turned for the layout. `fold`: the length of a flow, px; a longer one is folded into rows,
    `centred` and straightened, or begun at one line. `across`: the length of a rank, px; a longer one is folded, of
    trees as a whole if `stacked`, else rank by rank. `balanced`: tables of a single line stand on either side of their
    neighbour, for ranks of about equal length. `clustered`: many items are laid out by clusters of their links,
    whatever the direction. `cloud`: width / height of a level without ranks, None: as it comes."""

    direction: str = DOWNWARDS
    node_spacing: float = NODE_SPACING
    rank_spacing: float = RANK_SPACING
    page: tuple[float, float] = PAGE
    columns: int | None = None
    seed: int = 0
    main_path: bool | None = None
    flush: bool = False
    sideways: bool = False
    fold: float = inf
    across: float = inf
    stacked: bool = True
    balanced: bool = False
    clustered: bool = False
    cloud: float | None = None
    centred: bool = False

    @property
    def aspect(self) -> float:
        """Width / height of the page."""
        return self.page[0] / self.page[1]


class RankSegment(NamedTuple):
    """The part of an edge between two neighbouring rows, from an upper to a lower item or dummy node, at offsets from
    their middles. `weight`: the weight of its length among chains of its kind."""

    upper: str
    lower: str
    upper_offset: float = 0.0
    lower_offset: float = 0.0
    weight: float = 1.0


def is_unfolded(length: float, fold: float) -> bool:
    """Whether a flow of this length stays one row where flows are folded into rows of about `fold` px."""
    return round(length / fold) < 2


def is_way(item_id: str) -> bool:
    """Whether an item is a dummy node or a port."""
    return item_id.startswith(WAY)


def room_between(left: str, right: str, gap: float) -> float:
    """The distance of two neighbours in a rank; `gap` between boxes."""
    ways = is_way(left) + is_way(right)
    return min(gap, (gap, BOX_TO_WAY, WAY_TO_WAY)[ways])


class RankOrder(NamedTuple):
    """The order across the flow, settled: the ports of the upper border, the ranks from above, the ports of the lower
    border; ports and dummy nodes (ways) are items without a size. `chains` join each row to the next. `binding`: the
    ranks hold as well for what hangs together by lines from outside alone."""

    rows: tuple[tuple[str, ...], ...]
    chains: tuple[RankSegment, ...]
    binding: bool = False


@dataclass(frozen=True, slots=True)
class Subgraph:
    """Items in document order and their links. `pulled`: links from outside reach some of the items. `order`: the
    settled contents and order of the ranks, if any."""

    items: tuple[Item, ...]
    links: tuple[ItemLink, ...] = ()
    settings: LayoutSettings = field(default=LayoutSettings())
    pulled: bool = False
    order: RankOrder | None = None

    def without_ways(self) -> Subgraph:
        """The level without dummy nodes and settled order."""
        return replace(self, items=tuple(item for item in self.items if not is_way(item.id)), order=None)


Corners = Mapping[str, Point]
ArrangeLevel = Callable[[Subgraph], Corners]


@dataclass(slots=True)
class LayoutRecord:
    """The remarks of algorithms on a layout, collected level by level. `folded`: the items of levels with a folded
    flow. `beyond`: the items too many for an algorithm's full effort."""

    folded: set[str] = field(default_factory=set[str])
    beyond: set[str] = field(default_factory=set[str])


Arrange = Callable[[Subgraph, LayoutRecord], Corners]
"""An algorithm: the corners of a level's items, with remarks in the record."""


def connected(subgraph: Subgraph) -> tuple[Subgraph, ...]:
    """The connected components, ordered by their first item."""
    number = {item.id: at for at, item in enumerate(subgraph.items)}
    sets = DisjointSets(len(number))
    for link in subgraph.links:
        sets.join(number[link.source], number[link.target])
    items: dict[int, list[Item]] = {}
    links: dict[int, list[ItemLink]] = {}
    for item in subgraph.items:
        items.setdefault(sets.find(number[item.id]), []).append(item)
    for link in subgraph.links:
        links.setdefault(sets.find(number[link.source]), []).append(link)
    return tuple(
        replace(subgraph, items=tuple(members), links=tuple(links.get(one, ()))) for one, members in items.items()
    )


def in_wished_order(subgraph: Subgraph) -> list[Item]:
    """The items in the order of their hints; without hints in document order."""
    return sorted(subgraph.items, key=lambda item: item.hint or 0)


def whole_box(item: Item, corner: Point) -> Box:
    """The box of an item at `corner`, its outset included."""
    return Box(corner.x, corner.y, item.width, item.height).with_outset(item.outset)


def extent(items: Sequence[Item], corners: Corners) -> Box:
    """The box round all items and their outsets; for no items an empty box at the origin."""
    boxes = [whole_box(item, corners[item.id]) for item in items]
    if not boxes:
        return Box(0.0, 0.0, 0.0, 0.0)
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    return Box(left, top, max(box.right for box in boxes) - left, max(box.bottom for box in boxes) - top)


def arranged_downwards(subgraph: Subgraph, arrange: ArrangeLevel) -> Corners:
    """The arrangement of a level turned to flow from top to bottom, turned back."""
    turn = turn_of(subgraph.settings.direction)
    if turn == TURNS[DOWNWARDS]:
        return arrange(subgraph)
    corners = arrange(_turned(subgraph, turn))
    return {item.id: _turned_back(item, corners[item.id], turn) for item in subgraph.items}


def _turned(subgraph: Subgraph, turn: Turn) -> Subgraph:
    settings = subgraph.settings
    links = subgraph.links
    if turn.swapped:
        links = tuple(link._replace(label_width=link.label_height, label_height=link.label_width) for link in links)
        settings = replace(settings, page=(settings.page[1], settings.page[0]), sideways=True)
    items = tuple(_turned_item(item, turn) for item in subgraph.items)
    return replace(subgraph, items=items, links=links, settings=replace(settings, direction=DOWNWARDS))


def _turned_item(item: Item, turn: Turn) -> Item:
    width, height = (item.height, item.width) if turn.swapped else (item.width, item.height)
    return Item(item.id, width, height, turned_outset(item.outset, turn), item.hint)


def _turned_back(item: Item, corner: Point, turn: Turn) -> Point:
    width, height = (item.height, item.width) if turn.swapped else (item.width, item.height)
    box = turned_back(Box(corner.x, corner.y, width, height), turn)
    return Point(box.x, box.y)
