"""Nodes on the border of a host (`attachedTo`), hidden from layouts and set on the border afterwards. px.

In: an inventory, the sketch, the direction of the flow. Out: the inventory for the layout, without attached nodes, with
room round hosts for attached nodes and their labels, and with edges of attached nodes lifted to the hosts; and, for
given boxes of hosts, the boxes of the attached nodes. Promises (rule R-PLACE-15): the middle of an attached node lies
on its host's border, at the place given by the author, else at the place in the sketch, else on a side across the flow;
nodes of a side do not overlap, for which a host of open size grows; on a host of the same size as in the sketch nodes
keep their places, and newcomers take gaps between them; labels of hosts give way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, combinations, pairwise
from math import dist, fsum
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Box, Outset, union
from scenograph.engine.geometry.directions import LEVEL_SIDES, SIDES, SIDEWAYS, UPRIGHT_SIDES
from scenograph.engine.place.inventory import NO_SIZE, Inventory, Tie
from scenograph.engine.sketch import NO_SKETCH, Sketch
from scenograph.engine.tables import Size
from scenograph.late_dataclasses import dataclass, replace
from scenograph.scene.borders import border_place, border_point
from scenograph.scene.model import Node

GAP = 6.0  # between nodes on one side
SAME = 0.006  # places are written down with two decimals
ASIDE = 6.0  # from the middle of a node, the start of its edge, to its label
AWAY = 3.0  # from a node to its label
LINE = 24.0  # of an edge straight out of a node: labels keep off
_PREFERRED: Mapping[bool, Sequence[str]] = {
    True: ("bottom", "top", "right", "left"),
    False: ("right", "left", "bottom", "top"),
}
"""The sides by whether the flow runs sideways; sides across the flow first."""


NOWHERE: Mapping[str, Box] = {}


class _Seat(NamedTuple):
    """A node with its wished place on the border; None: no wish. `stood`: the place in the sketch, on a host of the
    same size."""

    id: str
    size: Size
    side: str | None
    offset: float | None
    stood: bool = False


@dataclass(frozen=True, slots=True)
class Attachments:
    """The attached nodes of an inventory."""

    inventory: Inventory
    sketch: Sketch = NO_SKETCH
    sideways: bool = True

    @property
    def hosts(self) -> Mapping[str, str]:
        """The host of each attached node."""
        return self.inventory.hosts

    def unseen(self, inventory: Inventory) -> Inventory:
        """The inventory as seen by layouts: without attached nodes."""
        hosts = self.hosts
        if not hosts:
            return inventory
        elements = {one: element for one, element in inventory.elements.items() if one not in hosts}
        for one, element in elements.items():
            host = hosts.get(element.layout.target or "") if element.layout.mode == "relative" else None
            if host is not None:
                elements[one] = replace(element, layout=replace(element.layout, target=host))
        children = {one: tuple(child for child in row if child not in hosts) for one, row in inventory.children.items()}
        sizes = {**inventory.sizes, **{host: self._with_room(host) for host in dict.fromkeys(hosts.values())}}
        lifted = (self._lifted(tie, sizes) for tie in inventory.ties)
        ties = tuple(tie for tie in lifted if tie is not None)
        return replace(inventory, elements=elements, children=children, ties=ties, sizes=sizes)

    def set_on(self, boxes: Mapping[str, Box]) -> dict[str, Box]:
        """The boxes, the attached nodes included."""
        found = dict(boxes)
        for host in dict.fromkeys(self.hosts.values()):
            if host in boxes:
                found |= self._seated(host, boxes[host], boxes)
        return found

    def _lifted(self, tie: Tie, sizes: Mapping[str, Size]) -> Tie | None:
        """An edge between hosts, with the offsets of its ends from the hosts' middles; None for an edge from a host to
        itself."""
        source, target = (self.hosts.get(end, end) for end in tie.ends)
        if (source, target) == tie.ends:
            return tie
        if source == target:
            return None
        rows = [
            given if end not in self.hosts else self._row(end, sizes)
            for end, given in ((tie.source, tie.source_row), (tie.target, tie.target_row))
        ]
        return tie._replace(source=source, target=target, source_row=rows[0], target_row=rows[1])

    def _row(self, one: str, sizes: Mapping[str, Size]) -> float:
        host = self.hosts[one]
        if not self.sideways or host in self.inventory.children:
            return 0.0
        box = Box(0.0, 0.0, sizes[host].width, sizes[host].height)
        return self._seated(host, box)[one].center.y - box.center.y

    def _seats(self, host: str, box: Box) -> list[_Seat]:
        return [
            _Seat(one, self.inventory.size(one), *self._wish(one, host, box), self._stood(one, host, box))
            for one, other in self.hosts.items()
            if other == host
        ]

    def _stood(self, one: str, host: str, box: Box) -> bool:
        """Whether a node keeps its place in the sketch: its author gave none, and the host has the same size."""
        element, former = self.inventory.elements[one], self.sketch.boxes
        said = element.attached_to if isinstance(element, Node) else None
        if said is None or (said.side is not None and said.offset is not None) or not {one, host} <= former.keys():
            return False
        is_free = self.inventory.position(one) is None
        return is_free and all(abs(now - was) < SAME for now, was in zip(box[2:], former[host][2:], strict=True))

    def _wish(self, one: str, host: str, box: Box) -> tuple[str | None, float | None]:
        """The side and offset given by the author, else derived from a given position or the sketch."""
        element, former = self.inventory.elements[one], self.sketch.boxes
        said = element.attached_to if isinstance(element, Node) else None
        if said is None or (said.side is not None and said.offset is not None):
            return (None, None) if said is None else (said.side, said.offset)
        place, size = self.inventory.position(one), self.inventory.size(one)
        if place is not None:
            middle = Box(*place, size.width, size.height).center
            found = border_place(box, middle) if one not in former or host not in former else None
            found = found or border_place(former[host] if former[one].center == middle else box, middle)
        elif one in former and host in former:
            found = border_place(former[host], former[one].center)
        else:
            return said.side, said.offset
        return found if said.side in {None, found[0]} else (said.side, said.offset)

    def _seated(self, host: str, box: Box, boxes: Mapping[str, Box] = NOWHERE) -> dict[str, Box]:
        """The boxes of the nodes on a host's border. Nodes without a given place on a side follow the order in which
        their edges to `boxes` do not cross."""
        sides = self._sides(host, box)
        found: dict[str, Box] = {}
        for side in (*LEVEL_SIDES, *UPRIGHT_SIDES):
            reaches = {seat.id: self._reach(seat.id, side, box, boxes) for seat in sides[side]}
            seats = sorted(sides[side], key=lambda seat: (seat.offset is None, reaches[seat.id]))
            found |= dict(_along(seats, side, box, list(found.values()))) if seats else {}
        return found

    def _sides(self, host: str, box: Box) -> Mapping[str, list[_Seat]]:
        """The nodes of each side. A node without a wish takes the first side with room, on a host of given size else
        the first where nothing overlaps, else the emptiest: room by the natural size of a node, which grows for the
        result."""
        sides: dict[str, list[_Seat]] = {side: [] for side in _PREFERRED[self.sideways]}
        free: list[_Seat] = []
        for seat in self._seats(host, box):
            (free if seat.side is None else sides[seat.side]).append(seat)
        size, layout = self.inventory.size(host), self.inventory.elements[host].layout
        room = box if host in self.inventory.children else Box(0.0, 0.0, size.width, size.height)
        is_open = layout.width is None or layout.height is None
        for seat in free:
            ways = {one: [*seats, seat] for one, seats in sides.items()}
            tried = {one: _FREE if is_open else _crowding({**sides, one: ways[one]}, room) for one in ways}
            roomy = [one for one, crowding in tried.items() if crowding == _FREE and _fits(ways[one], one, room)]
            clear = [one for one, crowding in tried.items() if not is_open and not crowding.overlaps]
            clear.sort(key=lambda one: tried[one].pushes)
            side = next(iter((*roomy, *clear)), None) or min(sides, key=lambda one: len(sides[one]))
            sides[side] = ways[side]
        return sides

    def _reach(self, one: str, side: str, box: Box, boxes: Mapping[str, Box]) -> float:
        """The sort key of a node on its side: the negative mean distance of its edges' far ends, px. Edges leave
        straight and turn at the end of the flow."""
        ends = [boxes[tie.target].center for tie in self.inventory.ties if tie.source == one and tie.target in boxes]
        if not ends:
            return 0.0
        away = [(end.y - box.center.y if side in LEVEL_SIDES else end.x - box.center.x) for end in ends]
        return -abs(fsum(away)) / len(away)

    def _with_room(self, host: str) -> Size:
        """The size of a host, large enough for the nodes on its sides, with room round for their outer halves."""
        inventory, size = self.inventory, self.inventory.sizes.get(host, NO_SIZE)
        layout = inventory.elements[host].layout
        is_frame = host in inventory.children
        if not is_frame:
            width, height = self._least(host)
            width = size.width if layout.width is not None else max(size.width, width)
            height = size.height if layout.height is not None else max(size.height, height)
            size = size._replace(width=width, height=height)
        given = inventory.size(host)
        core = Box(
            0.0, 0.0, given.width if layout.width else size.width, given.height if layout.height else size.height
        )
        seated = self._seated(host, core)
        rows = [*seated.values(), *self.labels(host, core, seated, ()).values()]
        around = union((core, *rows)) or core
        reach = Outset(-around.y, around.right - core.width, around.bottom - core.height, -around.x)
        if is_frame:  # the length is unknown yet
            sides = {_side_of(own, core) for own in seated.values()}
            reach = Outset(*(room if side in sides else 0.0 for side, room in zip(SIDES, reach, strict=True)))
        outset = Outset(*map(max, size.outset, reach))
        return size._replace(outset=outset)

    def _least(self, host: str) -> tuple[float, ...]:
        """The least width and height of a host without overlaps on its sides and at its corners."""
        size = self.inventory.size(host)
        box = Box(0.0, 0.0, size.width, size.height)
        sides = {side: seats for side, seats in self._sides(host, box).items() if seats}
        width = max(_between_middles(sides.get(side, ()), side) for side in LEVEL_SIDES)
        box = box._replace(width=max(size.width, width))
        level = [(side, sides[side]) for side in LEVEL_SIDES if side in sides]
        corners = [placed for side, seats in level for _, placed in _along(seats, side, box, ())]
        height = 0.0
        for side in UPRIGHT_SIDES:
            if side in sides:
                halves = sides[side][0].size.height / 2, sides[side][-1].size.height / 2
                low, high = _free(side, box, corners, halves)
                height = max(height, low + box.height - high + _between_middles(sides[side], side))
        former = self.sketch.boxes.get(host, box)
        counts = [sum(len(sides.get(side, ())) for side in pair) for pair in (LEVEL_SIDES, UPRIGHT_SIDES)]
        # Growth for attached nodes lasts while any node remains: the remaining nodes would move otherwise.
        kept = (size if count else 0.0 for size, count in zip(former[2:], counts, strict=True))
        return tuple(map(max, (width, height), kept))

    def labels(self, host: str, box: Box, seated: Mapping[str, Box], others: Sequence[Box]) -> dict[str, Box]:
        """The boxes of the labels of attached nodes: outside the host, beside the straight start of the edge, each in
        turn at the freest place."""
        lines = [_line(own, _side_of(own, box)) for own in seated.values()]
        taken, found = [box, *seated.values(), *others], dict[str, Box]()
        for one, own in seated.items():
            label = self.inventory.size(one).label
            if label is None or not label.lines:
                continue
            places = _places(own, _side_of(own, box), (label.width, label.height))
            found[one] = min(places, key=lambda spot: round(_covered(spot, taken) + _covered(spot, lines), 3))
            taken.append(found[one])
        return found


def attachments(inventory: Inventory, sketch: Sketch, direction: str) -> Attachments:
    """The attached nodes of an inventory, for a direction of flow."""
    return Attachments(inventory, sketch, direction in SIDEWAYS)


def labels_on_borders(inventory: Inventory, boxes: Mapping[str, Box]) -> dict[str, Box]:
    """The labels of all attached nodes, clear of nearby elements."""
    found: dict[str, Box] = {}
    if not inventory.hosts:
        return found
    leaves = [(one, box) for one, box in boxes.items() if one not in inventory.children]
    of = Attachments(inventory)
    for host in dict.fromkeys(inventory.hosts.values()):
        if host in boxes:
            seated = {one: boxes[one] for one, other in inventory.hosts.items() if other == host and one in boxes}
            inside = host in inventory.children
            others = [
                box
                for one, box in leaves
                if one != host and one not in seated and not (inside and boxes[host].contains(box))
            ]
            found |= of.labels(host, boxes[host], seated, others)
    return found


def _length(size: Size, side: str) -> float:
    return size.width if side in LEVEL_SIDES else size.height


def _span(box: Box, side: str) -> float:
    return box.width if side in LEVEL_SIDES else box.height


def _needed(seats: Sequence[_Seat], side: str) -> float:
    """The length of a side, px, needed by the attached nodes in a row."""
    return fsum(_length(seat.size, side) for seat in seats) + GAP * (len(seats) - 1)


def _between_middles(seats: Sequence[_Seat], side: str) -> float:
    """The needed length from the middle of the first node to the middle of the last; both may lie at corners."""
    return _needed(seats, side) - (_length(seats[0].size, side) + _length(seats[-1].size, side)) / 2 if seats else 0.0


def _fits(seats: Sequence[_Seat], side: str, box: Box) -> bool:
    """Whether nodes have room in a row, and those without a wish in gaps between the others."""
    span = _span(box, side)
    if len(seats) > 1 and _needed(seats, side) > span:
        return False
    row = _Row(seats, side, span)
    return not row.taken or all(row.take(seat, within=True) for seat in seats if seat.offset is None)


class _Row:
    """The nodes with a wish on a side, and the nodes set between them: middle and half length of each, px."""

    def __init__(self, seats: Iterable[_Seat], side: str, span: float) -> None:
        self._side, self._span = side, span
        self.taken = [(seat.offset * span, _length(seat.size, side) / 2) for seat in seats if seat.offset is not None]

    def take(self, seat: _Seat, *, within: bool = False) -> float | None:
        """The middle of the widest gap for a node, `within`: wholly on the side; taken from now on. None without a
        gap."""
        half = _length(seat.size, self._side) / 2
        margin = half if within else 0.0
        rows = sorted(self.taken)
        lows = [margin, *(middle + reach + GAP + half for middle, reach in rows)]
        highs = [*(middle - reach - GAP - half for middle, reach in rows), self._span - margin]
        low, high = max(zip(lows, highs, strict=True), key=lambda gap: gap[1] - gap[0])
        if within and high < low:
            return None
        self.taken.append(((low + high) / 2, half))
        return self.taken[-1][0]


def _wishes(seats: Sequence[_Seat], side: str, span: float) -> list[float]:
    """The wished middles of nodes along a side, px: nodes without a wish stand in the widest gaps between others, or
    evenly without others."""
    row = _Row(seats, side, span)
    if not row.taken:
        return [(number + 1) / (len(seats) + 1) * span for number in range(len(seats))]
    return [(row.take(seat) or 0.0) if seat.offset is None else seat.offset * span for seat in seats]


def _along(seats: Sequence[_Seat], side: str, box: Box, corners: Sequence[Box]) -> Iterator[tuple[str, Box]]:
    """The boxes of nodes on a side, each as near to its wish as its neighbours allow, and clear of the nodes at the
    `corners`. Nodes that stood nearer to each other than the usual gap may stay so."""
    span = _span(box, side)
    wishes = _wishes(seats, side, span)
    order = sorted(range(len(seats)), key=lambda one: (wishes[one], one))
    ends = [_length(seats[order[at]].size, side) / 2 for at in (0, -1)]
    steps, firm = list[float](), list[bool]()
    for one, other in pairwise(order):
        usual = (_length(seats[one].size, side) + _length(seats[other].size, side)) / 2 + GAP
        firm.append(seats[one].stood and seats[other].stood)
        steps.append(min(usual, wishes[other] - wishes[one]) if firm[-1] else usual)
    low, high = _free(side, box, corners, (ends[0], ends[1]))
    if high - low < fsum(steps):
        low, high = 0.0, span
    stood = [wishes[one] for one in order if seats[one].stood]
    low, high = min(low, *stood, low), max(high, *stood, high)
    held = fsum(step for step, is_firm in zip(steps, firm, strict=True) if is_firm)
    if (needed := fsum(steps) - held) > high - low - held:  # the side is too short: all of it is used
        share = max(0.0, high - low - held) / needed
        steps = [step if is_firm else step * share for step, is_firm in zip(steps, firm, strict=True)]
    starts = [*accumulate(steps, initial=0.0)]
    slack = max(0.0, high - low - starts[-1])
    steps = _rising([wishes[one] - start for one, start in zip(order, starts, strict=True)])
    for one, start, step in zip(order, starts, steps, strict=True):
        seat, at = seats[one], start + min(max(step, low), low + slack)
        x, y = border_point(box, side, at / span if span > 0 else 0.5)
        yield seat.id, Box(x - seat.size.width / 2, y - seat.size.height / 2, seat.size.width, seat.size.height)


class _Crowding(NamedTuple):
    """Whether nodes on the border of a host overlap, and whether nodes that stood there are pushed."""

    overlaps: bool = False
    pushes: bool = False


_FREE = _Crowding()


def _crowding(sides: Mapping[str, Sequence[_Seat]], box: Box) -> _Crowding:
    """The crowding of nodes on the sides of a box."""
    found: dict[str, Box] = {}
    for side in (*LEVEL_SIDES, *UPRIGHT_SIDES):
        found |= dict(_along(sides[side], side, box, list(found.values()))) if sides[side] else {}
    overlaps = any(one.grown(-SAME).overlaps(other.grown(-SAME)) for one, other in combinations(found.values(), 2))
    rows = [(side, seat) for side, seats in sides.items() for seat in seats if seat.stood]
    steps = [dist(found[seat.id].center, border_point(box, side, seat.offset or 0.0)) for side, seat in rows]
    return _Crowding(overlaps, max(steps, default=0.0) > SAME)


def _free(side: str, box: Box, corners: Sequence[Box], halves: tuple[float, float]) -> tuple[float, float]:
    """The first and the last free middle along a side, clear of the nodes at its corners."""
    span = _span(box, side)
    if side in LEVEL_SIDES:
        return 0.0, span
    at = box.x if side == "left" else box.right
    rows = [
        (one.y - box.y, one.bottom - box.y) for one in corners if one.x < at + halves[0] and one.right > at - halves[0]
    ]
    low = max((bottom + GAP + halves[0] for top, bottom in rows if top < 0), default=0.0)
    high = min((top - GAP - halves[1] for top, bottom in rows if bottom > span), default=span)
    return low, high


def _rising(wishes: Iterable[float]) -> list[float]:
    """The never falling numbers nearest to the wishes (least squares, by pooling neighbours: isotonic regression)."""
    pools: list[tuple[float, int]] = []
    for wish in wishes:
        mean, count = wish, 1
        while pools and pools[-1][0] > mean:
            other, members = pools.pop()
            mean, count = (mean * count + other * members) / (count + members), count + members
        pools.append((mean, count))
    return [mean for mean, count in pools for _ in range(count)]


def _side_of(own: Box, box: Box) -> str:
    return border_place(box, own.center)[0]


def _line(own: Box, side: str) -> Box:
    """The box round the first, straight segment of an edge from an attached node."""
    middle = own.center
    if side in LEVEL_SIDES:
        return Box(middle.x - ASIDE / 2, own.bottom if side == "bottom" else own.y - LINE, ASIDE, LINE)
    return Box(own.right if side == "right" else own.x - LINE, middle.y - ASIDE / 2, LINE, ASIDE)


def _places(own: Box, side: str, extent: tuple[float, float]) -> Iterator[Box]:
    """Candidate boxes for the label of an attached node, best first: beyond the side on both hands of the straight
    start of the edge, then farther out, then across the edge."""
    width, height = extent
    middle = own.center
    for step in (0.0, height + AWAY, 2 * (height + AWAY)):
        if side in LEVEL_SIDES:
            y = own.bottom + AWAY + step if side == "bottom" else own.y - AWAY - height - step
            yield Box(middle.x + ASIDE, y, width, height)
            yield Box(middle.x - ASIDE - width, y, width, height)
        else:
            x = own.right + AWAY if side == "right" else own.x - AWAY - width
            yield Box(x, middle.y + ASIDE + step, width, height)
            yield Box(x, middle.y - ASIDE - height - step, width, height)
    yield Box(middle.x - width / 2, own.bottom + AWAY, width, height)
    yield Box(middle.x - width / 2, own.y - AWAY - height, width, height)


def _covered(spot: Box, others: Iterable[Box]) -> float:
    """The area of a spot covered by boxes, px²."""
    found: list[float] = []
    for other in others:
        width = min(spot.right, other.right) - max(spot.x, other.x)
        height = min(spot.bottom, other.bottom) - max(spot.y, other.y)
        found.append(max(0.0, width) * max(0.0, height))
    return fsum(found)
