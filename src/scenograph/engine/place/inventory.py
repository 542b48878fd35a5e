"""The input of placement: the boxed elements of a scene as a forest of containers, and their edges.

In: the scene. Out: an `Inventory`. Promise: a proper forest for any document (unknown children are left out; a second
parent or a cycle of containers is cut at the later mention), in document order everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from math import fsum
from typing import NamedTuple

from scenograph.engine.families.catalog import edge_kind, family_named, flow_of
from scenograph.engine.families.family import is_tiled
from scenograph.engine.families.hubs import shared_fans
from scenograph.engine.geometry.boxes import Box, Outset, Point
from scenograph.engine.geometry.directions import SIDEWAYS
from scenograph.engine.kernels.straight_lines import StraightLine, crossing_pairs
from scenograph.engine.markers import marker_named
from scenograph.engine.place.subgraph import LABEL_ENDS, Item, ItemLink
from scenograph.engine.tables import LineCost, Size, Sizes
from scenograph.late_dataclasses import dataclass, field, replace
from scenograph.scene.model import Boxed, Edge, Endpoint, Frame, Group, Image, Layout, Node, Scene, Text

# Guiding edges: the edges that order elements, and their direction. In: a scene. Out: the edges that guide its layout.
# A dotted line crosses a hierarchy and must not bend the layout; a back edge leads to an earlier element. (R-UI-3)


def _guiding_edges(scene: Scene) -> tuple[Edge, ...]:
    """The edges that order elements, upward edges reversed. An edge aside, or between peers, counts only as the single
    edge at one of its ends."""
    family = family_named(scene.diagram_family)
    upward = family.upward(scene) if family.upward is not None else frozenset[str]()
    level = family.level(scene) if family.level is not None else frozenset[str]()
    edges = scene.edges
    aside = {edge.id for edge in edges if edge.id in level or edge_kind(edge.edge_type).aside}
    tied = {end for edge in edges if edge.id not in aside for end in _ends(edge)}
    return tuple(
        turned(edge) if edge.id in upward or edge_kind(edge.edge_type).upward else edge
        for edge in edges
        if edge.id not in aside or not _ends(edge) <= tied
    )


def _ends(edge: Edge) -> set[str]:
    return set(edge.ends)


def turned(edge: Edge) -> Edge:
    """The same edge, reversed."""
    return replace(edge, source=edge.target, target=edge.source)


ROOT = ""
ROW_ROOM = 44.0
"""Beside the label of an edge that stands on the row of a table: for crow's feet and for a bend to a common end."""
SEEN = 8.0
"""The least length of an edge that is seen on either side of its label, px."""
END_ROOM = 12.0
"""The gap between an end label and its neighbours before and behind on the edge."""
NO_SIZE = Size(width=1.0, height=1.0)


class Tie(NamedTuple):
    """An edge between two boxed elements, with the size of its label (0 without a label), px. `source_row`,
    `target_row`: the offset of an end below the middle of its box, for ends at rows of tables. `joined`: it shares a
    trunk with others."""

    source: str
    target: str
    label_width: float = 0.0
    label_height: float = 0.0
    source_row: float = 0.0
    target_row: float = 0.0
    joined: bool = False

    @property
    def ends(self) -> tuple[str, str]:
        """Source and target."""
        return self.source, self.target


@dataclass(frozen=True)
class Inventory:
    """The forest, rooted in the container `ROOT`. `positions_count` False: absolute positions are ignored. `rooms`: the
    room round elements for the labels of their edges. `twins`: the frames drawn alike (see
    `containers.twins`)."""

    elements: Mapping[str, Boxed]
    children: Mapping[str, tuple[str, ...]]
    ties: tuple[Tie, ...]
    sizes: Sizes
    positions_count: bool = True
    rooms: Mapping[str, Outset] = field(default_factory=dict[str, Outset])
    twins: frozenset[str] = frozenset()

    @cached_property
    def parent(self) -> Mapping[str, str]:
        """The container of every element; `ROOT` at the top level."""
        return {child: container for container, children in self.children.items() for child in children}

    @cached_property
    def containers(self) -> tuple[str, ...]:
        """Every container, inner containers first, `ROOT` last."""
        found: list[str] = [ROOT]
        for container in found:
            found += [child for child in self.children[container] if child in self.children]
        return tuple(reversed(found))

    @cached_property
    def positioned(self) -> frozenset[str]:
        """The elements with a position by the author, and their containers."""
        return self._with_containers(one for one in self.elements if self.position(one) is not None)

    @cached_property
    def firm(self) -> frozenset[str]:
        """The elements positioned or locked by the author, and their containers."""
        locked = (one for one, element in self.elements.items() if element.locked)
        return self.positioned | self._with_containers(locked)

    @cached_property
    def given_sizes(self) -> Mapping[str, Size]:
        """The size of every element: the author's width and height if given, else as measured."""
        return {element_id: self._size(element_id) for element_id in self.elements}

    def size(self, element_id: str) -> Size:
        """The size of an element."""
        return self.given_sizes[element_id]

    def _size(self, element_id: str) -> Size:
        measured = self.sizes.get(element_id, NO_SIZE)
        layout = self.elements[element_id].layout
        if layout.width is None and layout.height is None:
            return measured
        width = measured.width if layout.width is None else layout.width
        height = measured.height if layout.height is None else layout.height
        return measured._replace(width=width, height=height)

    def position(self, element_id: str) -> tuple[float, float] | None:
        """The absolute position given by the author, or None."""
        layout = self.elements[element_id].layout
        if layout.mode != "absolute" or not self.positions_count or (layout.x is None and layout.y is None):
            return None
        return layout.x or 0.0, layout.y or 0.0

    def relation(self, element_id: str) -> Layout | None:
        """The relative layout of an element with an existing target, or None."""
        layout = self.elements[element_id].layout
        usable = layout.mode == "relative" and layout.target in self.elements and layout.target != element_id
        return layout if usable else None

    @cached_property
    def sources(self) -> Mapping[str, Sequence[str]]:
        """The sources of each element's incoming edges."""
        return self._far_ends(from_source=False)

    @cached_property
    def targets(self) -> Mapping[str, Sequence[str]]:
        """The targets of each element's outgoing edges."""
        return self._far_ends(from_source=True)

    def _far_ends(self, *, from_source: bool) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for tie in self.ties:
            if tie.source != tie.target:
                near, far = tie.ends if from_source else tie.ends[::-1]
                found.setdefault(near, []).append(far)
        return found

    @cached_property
    def hosts(self) -> Mapping[str, str]:
        """The host of each attached node, in document order."""
        wished = {
            one: element.attached_to.element_id
            for one, element in self.elements.items()
            if isinstance(element, Node) and element.attached_to is not None
        }
        may_host = {one for one, element in self.elements.items() if isinstance(element, Node | Frame)} - wished.keys()
        return {one: host for one, host in wished.items() if host in may_host}

    @cached_property
    def has_relations(self) -> bool:
        """Whether any element is placed relative to another."""
        return any(self.relation(one) is not None for one in self.elements)

    def ancestors(self, element_id: str) -> tuple[str, ...]:
        """The containers of an element, the innermost first, `ROOT` last."""
        return self._above.get(element_id, ())

    @cached_property
    def _above(self) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for container in reversed(self.containers):
            above = (container, *found.get(container, ()))
            found.update(dict.fromkeys(self.children[container], above))
        return found

    def _with_containers(self, inner: Iterable[str]) -> frozenset[str]:
        return frozenset(one for element_id in inner for one in (element_id, *self.ancestors(element_id)))


def take_inventory(scene: Scene, sizes: Sizes, *, positions_count: bool = True) -> Inventory:
    """The forest of all boxed elements of `scene`, and their edges."""
    elements: dict[str, Boxed] = {}
    for element in scene.elements:
        if isinstance(element, Node | Frame | Group | Text | Image):
            elements.setdefault(element.id, element)
    sideways = flow_of(scene) in SIDEWAYS
    fans = shared_fans(scene)
    ties = tuple(
        _tie(edge, sizes, sideways=sideways, joined=edge.id in fans)
        for edge in _guiding_edges(scene)
        if edge.source.element_id in elements and edge.target.element_id in elements
    )
    return Inventory(elements, _forest(elements), ties, sizes, positions_count)


def _tie(edge: Edge, sizes: Sizes, *, sideways: bool, joined: bool) -> Tie:
    label = sizes.get(edge.id)
    rows = _row(edge.source, sizes), _row(edge.target, sizes)
    if label is None or (label.label is None and not label.texts):
        return Tie(*edge.ends, 0.0, 0.0, *rows, joined)
    is_on_rows = edge.source.column is not None or edge.target.column is not None
    width, height = _with_ends(label, sideways=sideways) if label.texts else (label.width, label.height)
    # A line from a row leaves its table sideways, whatever the flow.
    along = ROW_ROOM if is_on_rows else _marker_room(edge)
    if is_on_rows or sideways:
        return Tie(*edge.ends, width + along, height, *rows, joined)
    return Tie(*edge.ends, width, height + along, *rows, joined)


def _marker_room(edge: Edge) -> float:
    """The length of an edge's markers beyond the usual room at both ends of a labelled edge."""
    reach = fsum(marker_named(marker).length for marker in (edge.start_arrow, edge.end_arrow))
    return max(0.0, reach + 2 * SEEN - LABEL_ENDS)


def _row(end: Endpoint, sizes: Sizes) -> float:
    if end.column is None:
        return 0.0
    size = sizes.get(end.element_id, NO_SIZE)
    row = size.parts.get(f"column:{end.column}")
    return 0.0 if row is None else row.center.y - size.height / 2


def _with_ends(label: Size, *, sideways: bool) -> tuple[float, float]:
    """The room for a label together with both end labels, before and behind along the flow."""
    widths = [label.width, *(block.width for block in label.texts.values())]
    heights = [label.height, *(block.height for block in label.texts.values())]
    room = END_ROOM * len(label.texts)
    return (fsum(widths) + room, max(heights)) if sideways else (max(widths), fsum(heights) + room)


def _forest(elements: Mapping[str, Boxed]) -> dict[str, tuple[str, ...]]:
    parent: dict[str, str] = {}
    kept: dict[str, list[str]] = {}
    for container, element in elements.items():
        if isinstance(element, Frame | Group):
            kept[container] = [child for child in element.children if _adopt(child, container, parent, elements)]
    for element_id, element in elements.items():
        target = _inside_of(element)
        if target in kept and _adopt(element_id, target, parent, elements):
            kept[target].append(element_id)
    kept[ROOT] = [element_id for element_id in elements if element_id not in parent]
    turns = _turns(elements, kept)
    # Lanes tile their pool in the order in which the pool names them.
    return {
        container: tuple(children if is_tiled(elements.get(container)) else sorted(children, key=turns.__getitem__))
        for container, children in kept.items()
    }


def _turns(elements: Iterable[str], children: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """The turn of every element in the document: that of a container is the turn of its first child."""
    turns = {element_id: turn for turn, element_id in enumerate(elements)}
    waiting = [(child, False) for child in children[ROOT]]
    while waiting:
        one, is_known = waiting.pop()
        if is_known:
            turns[one] = min(turns[child] for child in children[one])
        elif children.get(one):
            waiting += [(one, True), *((child, False) for child in children[one])]
    return turns


def _inside_of(element: Boxed) -> str:
    """The container asked for by an element's relative layout (`inside`), else `ROOT`."""
    layout = element.layout
    wants = layout.mode == "relative" and layout.relation == "inside"
    return (layout.target or ROOT) if wants else ROOT


def _adopt(child: str, container: str, parent: dict[str, str], elements: Mapping[str, Boxed]) -> bool:
    """Make `container` the parent of `child` unless this breaks the forest. Returns whether the parent was set."""
    if child not in elements or child in parent or child == container:
        return False
    above: str | None = container
    while above is not None:
        if above == child:
            return False
        above = parent.get(above)
    parent[child] = container
    return True


# Units: rigid pieces inside a container. An element with all its content is a unit; relative elements join their
# targets' unit, and stacked pools join to one.


class Unit(NamedTuple):
    """A rigid piece of layout. `core`: the box at which edges end. `whole`: the hull of all members with outsets.
    `boxes`: the boxes of all members; `pieces`: the whole boxes of its parts. A fixed unit has final coordinates.
    `line`: the alignment line within a row, below the top of the core; None: the middle."""

    id: str
    core: Box
    whole: Box
    boxes: Mapping[str, Box]
    pieces: tuple[Box, ...]
    fixed: bool = False
    line: float | None = None

    def moved(self, dx: float, dy: float) -> Unit:
        """The same piece elsewhere."""
        if not dx and not dy:
            return self
        core, whole = self.core.moved(dx, dy), self.whole.moved(dx, dy)
        # Most boxes are the core, and most pieces the whole: none is made twice.
        boxes = {one: core if box is self.core else box.moved(dx, dy) for one, box in self.boxes.items()}
        pieces = tuple(whole if piece is self.whole else piece.moved(dx, dy) for piece in self.pieces)
        return Unit(self.id, core, whole, boxes, pieces, self.fixed, self.line)

    @property
    def outset(self) -> Outset:
        """The room between the core and the whole box."""
        core, whole = self.core, self.whole
        return Outset(core.y - whole.y, whole.right - core.right, whole.bottom - core.bottom, core.x - whole.x)

    def item(self, hint: int | None) -> Item:
        """The unit as an item for layout algorithms."""
        return Item(self.id, self.core.width, self.core.height, self.outset, hint, self.line)


def unit_round(element_id: str, box: Box, outset: Outset, inside: Mapping[str, Box], *, fixed: bool) -> Unit:
    """The unit of an element and its content."""
    whole = box.with_outset(outset)
    return Unit(element_id, box, whole, {element_id: box, **inside}, (whole,), fixed)


def moved_to(unit: Unit, corner: Point | Box) -> Unit:
    """The unit with the corner of its core moved to `corner`."""
    return unit.moved(corner[0] - unit.core.x, corner[1] - unit.core.y)


def boxes_of(units: Iterable[Unit]) -> dict[str, Box]:
    """The boxes of everything in the units."""
    return {element_id: box for unit in units for element_id, box in unit.boxes.items()}


def added(first: Outset, second: Outset) -> Outset:
    """Both rooms together."""
    return Outset(*(a + b for a, b in zip(first, second, strict=True)))


# Ties: edges as seen from each container, the pull on children from outside, and the cost of straight lines.

LOOP_REACH = 16.0  # px; of a loop beside its box


class LiftedTie(NamedTuple):
    """An edge between two children of a container; `direct`: the edge ends at the children themselves."""

    source: str
    target: str
    tie: Tie
    direct: bool


@dataclass(frozen=True)
class TieTable:
    """The edges of an inventory lifted to the innermost container of both ends, without edges to an ancestor; lifted on
    first use, since a picture at rest composes nothing."""

    inventory: Inventory

    @property
    def inner(self) -> Mapping[str, list[LiftedTie]]:
        """The edges between the children of each container."""
        return self._lifted[0]

    @property
    def outer(self) -> Mapping[str, list[str]]:
        """By element, the far ends of edges out of the element's container, from the element or its content."""
        return self._lifted[1]

    @cached_property
    def loops(self) -> Mapping[str, Outset]:
        """By element, the room for its own loops."""
        return loop_room(self.inventory)

    @cached_property
    def _lifted(self) -> tuple[Mapping[str, list[LiftedTie]], Mapping[str, list[str]]]:
        return _lifted(self.inventory)


def _lifted(inventory: Inventory) -> tuple[dict[str, list[LiftedTie]], dict[str, list[str]]]:
    """The edges by the container of both ends, and the far ends by element."""
    inner: dict[str, list[LiftedTie]] = {container: [] for container in inventory.containers}
    outer: dict[str, list[str]] = {element_id: [] for element_id in inventory.elements}
    for tie in inventory.ties:
        home = inventory.parent[tie.source]
        if home == inventory.parent[tie.target]:
            if tie.source != tie.target:
                inner[home].append(LiftedTie(tie.source, tie.target, tie, direct=True))
            continue
        up_source = [tie.source, *inventory.ancestors(tie.source)]
        up_target = [tie.target, *inventory.ancestors(tie.target)]
        if tie.target in up_source or tie.source in up_target:
            continue
        while len(up_source) > 1 and len(up_target) > 1 and up_source[-1] == up_target[-1]:
            shared = up_source.pop()
            up_target.pop()
            if up_source[-1] != up_target[-1]:
                direct = len(up_source) == len(up_target) == 1
                inner[shared].append(LiftedTie(up_source[-1], up_target[-1], tie, direct))
        for element_id in up_source[:-1]:
            outer[element_id].append(tie.target)
        for element_id in up_target[:-1]:
            outer[element_id].append(tie.source)
    return inner, outer


def links_between(ties: Sequence[LiftedTie], unit_of: Mapping[str, str]) -> tuple[ItemLink, ...]:
    """The edges of a container as links between its units, one for each joined pair. A link has the direction of most
    of its edges (a draw goes to the first). Edges between two plain elements need room for all their labels stacked;
    edges between containers spread, so the largest label suffices."""
    bundles: dict[tuple[str, str], list[LiftedTie]] = {}
    for tie in ties:
        source, target = unit_of.get(tie.source, ""), unit_of.get(tie.target, "")
        if not source or not target or source == target:
            continue
        key = (target, source) if (target, source) in bundles else (source, target)
        bundles.setdefault(key, []).append(tie)
    return tuple(_link(source, target, bundle, unit_of) for (source, target), bundle in bundles.items())


def _link(source: str, target: str, bundle: Sequence[LiftedTie], unit_of: Mapping[str, str]) -> ItemLink:
    if len(bundle) == 1:  # as most are
        tie = bundle[0].tie
        rows = _mean_row(source, bundle), _mean_row(target, bundle)
        return ItemLink(source, target, 1, tie.label_width, tie.label_height, *rows, tie.joined)
    forwards = sum(unit_of[tie.source] == source for tie in bundle)
    width = max(tie.tie.label_width for tie in bundle)
    heights = [tie.tie.label_height for tie in bundle]
    height = fsum(heights) if all(tie.direct for tie in bundle) else max(heights)
    link = ItemLink(source, target, len(bundle), width, height, _mean_row(source, bundle), _mean_row(target, bundle))
    return link.turned() if 2 * forwards < len(bundle) else link


def _mean_row(unit: str, bundle: Sequence[LiftedTie]) -> float:
    """The mean offset of edge ends at rows of a unit, below its middle."""
    own = [tie for _, _, tie, _ in bundle if unit in (tie.source, tie.target)]
    return fsum([tie.source_row if tie.source == unit else tie.target_row for tie in own]) / len(bundle)


def loop_room(inventory: Inventory) -> Mapping[str, Outset]:
    """Room for the labels of loops, which run round an element's upper right corner."""
    room: dict[str, Outset] = {}
    for tie in inventory.ties:
        if tie.source == tie.target and tie.label_width > 0:
            known = room.get(tie.source, Outset())
            room[tie.source] = Outset(known.top + tie.label_height, max(known.right, LOOP_REACH + tie.label_width))
    return room


# The cost of a placement, by the straight lines of its edges: a cheap estimate of routing, by which the better of two
# placements is chosen.


Cost = Callable[[Mapping[str, Box]], LineCost | None]
"""The cost of a placement by its routed lines; None for one that is not routed."""
MAX_JUDGED_TIES = 320  # edges; counting crossings of more takes too long


class LayoutCost(NamedTuple):
    """Fewer crossings are better; among equals, shorter lines."""

    crossings: int
    length: float


def layout_cost(inventory: Inventory, boxes: Mapping[str, Box], direction: str) -> LayoutCost:
    """The cost of all ties between different elements."""
    lines = sorted(_straight_lines(inventory, boxes, upright=direction not in SIDEWAYS))
    length = fsum(right - left + max(start, end) - min(start, end) for left, start, right, end in lines)
    return LayoutCost(crossing_pairs(lines), round(length, 1))


def _straight_lines(inventory: Inventory, boxes: Mapping[str, Box], *, upright: bool) -> Iterator[StraightLine]:
    """The straight line of every edge, from its left to its right end: from side to side along the flow, from middle to
    middle between boxes beside each other."""
    for tie in inventory.ties:
        first, second = boxes[tie.source], boxes[tie.target]
        if tie.source == tie.target:
            continue
        (x1, y1), (x2, y2) = first.center, second.center
        if upright and (second.y >= first.bottom or first.y >= second.bottom):
            y1, y2 = (first.bottom, second.y) if second.y >= first.bottom else (first.y, second.bottom)
        if not upright and (second.x >= first.right or first.x >= second.right):
            x1, x2 = (first.right, second.x) if second.x >= first.right else (first.x, second.right)
        if (x1, y1) > (x2, y2):
            x1, y1, x2, y2 = x2, y2, x1, y1
        yield x1, y1, x2, y2
