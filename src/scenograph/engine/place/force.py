"""The algorithm `forceDirected`: distances on the page follow distances in the graph.

Stress is lowered by stochastic gradient descent (Zheng, Pawar and Goodman, "Graph Drawing by Stochastic Gradient
Descent", 2018); chance comes from a hash of the seed and the ids. The result is turned to lie along the page. Of up to
FULL_SIZE items each then goes where lines cross least, as points first, and once more when the boxes have been pushed
apart and lined up: then also straight beside those it is joined to (R-PLACE-16).
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from heapq import heappop, heappush
from math import atan2, cos, exp, fsum, inf, log, pi, sin, sqrt
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Box, Point, union
from scenograph.engine.geometry.packing import lined_up, pushed_apart
from scenograph.engine.kernels.stress import Uncrossing, Weights, relax
from scenograph.engine.place.subgraph import LABEL_ENDS, Corners, Item, LayoutRecord, Subgraph, connected
from scenograph.engine.place.trees import Block, block_of, paged, single

ROUNDS, LEAST_ROUNDS = 30, 8  # of all pairs, at most and at least
MAX_STEPS = 1_000_000  # pairs moved in all rounds together; bounds the time of large scenes
FULL_SIZE = 120  # items up to which every pair counts; beyond, near pairs and pivots do
PIVOTS = 16  # nodes whose distances represent all distances (sparse stress)
NEAR_STEPS = 2.5  # mean lengths of links; nearer pairs count one by one
MOST_NEAR = 24  # items counted as near an item; a hub has thousands two steps away
LAST_STEP = 0.1  # of the shortest distance (both squared): the weight in the last round
SPREAD = 1.0  # times the area needed by the items; a smaller picture is spread to this area
MAX_LINED_UP, LINED_UP = 300, 2  # nodes that are lined up at most, and how often
CROSSED_LENGTHS = 6.0  # mean lengths of a link that a crossing costs, or a line through a box
BENT, STRETCH = 0.5, 0.3  # the same for a line that is not straight, and for a distance off by as much as it is long
UNCROSSINGS = 6  # rounds in which every item may move, at most
LOOKED_AT = 35_000  # lines and boxes for each item, in each of the two times
NEAR = log(1.25)  # of the wished shape, as a logarithm: beyond it boxes are not set in lines
MOST_DRAWN = 3.0  # times as far apart, or as near, along an axis for the shape of a page
FEWEST = 4  # items with possible crossings in between


class _Pair(NamedTuple):
    first: int
    second: int
    distance: float


def force_directed(subgraph: Subgraph, _record: LayoutRecord) -> Corners:
    """Connected components, laid out by forces one by one, then packed on the page."""
    blocks = [_component(part) for part in connected(subgraph)]
    return paged(blocks, subgraph.settings.node_spacing, subgraph.settings.aspect).corners


def _component(part: Subgraph) -> Block:
    if len(part.items) == 1:
        return single(part.items[0])
    wishes = _wishes(part)
    points = _turned_to_page(_relaxed(part, wishes), part.settings.aspect)
    if part.settings.cloud is not None:
        points = _bounded(part, points, part.settings.cloud)
    points = _spread(part, points)
    boxes = [_whole_at(item, point) for item, point in zip(part.items, points, strict=True)]
    apart = pushed_apart(_uncrossed(part, wishes, boxes, apart=False), part.settings.node_spacing)
    placed = _uncrossed(part, wishes, _in_lines(part, apart), apart=True)
    if (aspect := part.settings.cloud) is not None:
        # Lengths wished for and lines of boxes may pull a bounded cloud out of its bounds.
        tried = (_drawn_out(one, aspect) for one in (placed, pushed_apart(boxes, part.settings.node_spacing)))
        placed = min(tried, key=lambda boxes: max(NEAR, _missed(boxes, aspect)))
    corners = {
        item.id: Point(box.x + item.outset.left, box.y + item.outset.top)
        for item, box in zip(part.items, placed, strict=True)
    }
    return block_of(part.items, corners)


def _in_lines(part: Subgraph, boxes: Sequence[Box]) -> Sequence[Box]:
    """The boxes set straight beside each other, in small parts."""
    gap = part.settings.node_spacing
    for _ in range(LINED_UP if len(boxes) <= MAX_LINED_UP else 0):  # a second round for changes made meanwhile
        boxes = lined_up(boxes, gap, gap)
    return boxes


def _missed(boxes: Sequence[Box], aspect: float) -> float:
    """By how much the extent of the boxes misses a width / height, as a logarithm."""
    around = union(boxes)
    return 0.0 if around is None else abs(log(around.width / around.height / aspect))


def _uncrossed(part: Subgraph, wishes: _Wishes, boxes: Sequence[Box], *, apart: bool) -> Sequence[Box]:
    """The boxes moved to reduce crossings of their edges; boxes that stand `apart` stay clear of each other."""
    if not FEWEST <= len(boxes) <= FULL_SIZE:
        return boxes
    length = fsum(wishes.rows[first][second] for first, second, _ in wishes.links) / len(wishes.links)
    solids = [(box.center.x, box.center.y, box.width / 2, box.height / 2) for box in boxes]
    drawn = Uncrossing(solids, wishes.links, wishes.rows, part.settings.node_spacing, apart)
    drawn.improve(Weights(length, CROSSED_LENGTHS, BENT, STRETCH), UNCROSSINGS, LOOKED_AT * len(boxes))
    places = zip(boxes, drawn.xs, drawn.ys, strict=True)
    return [box.moved(x - box.center.x, y - box.center.y) for box, x, y in places]


def _whole_at(item: Item, middle: Point) -> Box:
    box = Box(middle.x - item.width / 2, middle.y - item.height / 2, item.width, item.height)
    return box.with_outset(item.outset)


def _relaxed(part: Subgraph, wishes: _Wishes) -> list[Point]:
    pairs, seed = _pairs(part, wishes), part.settings.seed
    order = sorted(pairs, key=lambda pair: _noise(f"{seed}:{part.items[pair.first].id}:{part.items[pair.second].id}"))
    xs, ys = _start(part)
    longest, shortest = max(pair.distance for pair in pairs), min(pair.distance for pair in pairs)
    first_step, last_step = longest * longest, LAST_STEP * shortest * shortest
    rounds = max(LEAST_ROUNDS, min(ROUNDS, MAX_STEPS // len(pairs)))
    decay = log(first_step / last_step) / (rounds - 1)
    steps = [first_step * exp(-decay * number) for number in range(rounds)]
    relax([(pair.first, pair.second, pair.distance) for pair in order], xs, ys, steps)
    return [Point(x, y) for x, y in zip(xs, ys, strict=True)]


def _start(part: Subgraph) -> tuple[list[float], list[float]]:
    """Items on a circle in document order, with a little random deviation."""
    count, radius = len(part.items), part.settings.rank_spacing * len(part.items) / pi
    xs, ys = list[float](), list[float]()
    for number, item in enumerate(part.items):
        angle = 2 * pi * number / count
        away = radius * (1 + 0.2 * _noise(f"{part.settings.seed}:{item.id}"))
        xs.append(away * cos(angle))
        ys.append(away * sin(angle))
    return xs, ys


def _noise(text: str) -> float:
    """A number from 0 to 1 that depends only on the text."""
    return int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=6).digest(), "big") / 2**48


class _Wishes(NamedTuple):
    """The wished distances between items: along links (`near` is the usual length), and in `rows` from each item to all
    items for at most FULL_SIZE items. `links`: the links between two items, each once, with the room for a label
    between neighbouring boxes."""

    neighbours: list[list[tuple[int, float]]]
    near: float
    rows: list[list[float]]
    links: list[tuple[int, int, float]]


def _wishes(part: Subgraph) -> _Wishes:
    number = {item.id: i for i, item in enumerate(part.items)}
    reach = [(item.whole_width + item.whole_height) / 4 for item in part.items]
    neighbours: list[list[tuple[int, float]]] = [[] for _ in part.items]
    rooms: dict[tuple[int, int], float] = {}
    total = 0.0
    for link in part.links:
        a, b = number[link.source], number[link.target]
        label = link.label_width + LABEL_ENDS if link.label_width else 0.0
        length = reach[a] + reach[b] + max(part.settings.rank_spacing, label)
        neighbours[a].append((b, length))
        neighbours[b].append((a, length))
        total += length
        ends = min(a, b), max(a, b)
        rooms[ends] = max(rooms.get(ends, 0.0), label)
    rows = list[list[float]]()
    if len(part.items) <= FULL_SIZE:
        found = [_distances(neighbours, first, inf) for first in range(len(part.items))]
        rows = [[row[other] for other in range(len(row))] for row in found]
    links = [(a, b, rooms[a, b]) for a, b in sorted(rooms)]
    return _Wishes(neighbours, NEAR_STEPS * total / len(part.links), rows, links)


def _pairs(part: Subgraph, wishes: _Wishes) -> list[_Pair]:
    """Pairs with their wished distance: the shortest path along the links."""
    neighbours, near, rows, _ = wishes
    count = len(part.items)
    if rows:
        return [_Pair(i, j, rows[i][j]) for i in range(count) for j in range(i + 1, count)]
    pivots = range(0, count, max(1, count // PIVOTS))
    found: dict[tuple[int, int], float] = {}
    for first in range(count):
        row = _distances(neighbours, first, inf) if first in pivots else _distances(neighbours, first, near, MOST_NEAR)
        for second, distance in row.items():
            if second != first:
                found[min(first, second), max(first, second)] = distance
    return [_Pair(first, second, distance) for (first, second), distance in sorted(found.items())]


def _distances(
    neighbours: Sequence[Sequence[tuple[int, float]]], start: int, limit: float, most: float = inf
) -> dict[int, float]:
    """The shortest paths from `start` by Dijkstra, up to length `limit`, at most `most`."""
    found: dict[int, float] = {}
    heap = [(0.0, start)]
    while heap and len(found) <= most:
        distance, node = heappop(heap)
        if node in found:
            continue
        found[node] = distance
        for other, length in neighbours[node]:
            if other not in found and distance + length <= limit:
                heappush(heap, (distance + length, other))
    return found


def _spread(part: Subgraph, points: Sequence[Point]) -> Sequence[Point]:
    """The cloud, enlarged if too small for all boxes."""
    gap = part.settings.node_spacing
    needed = fsum((item.whole_width + gap) * (item.whole_height + gap) for item in part.items)
    around = union(_whole_at(item, point).grown(gap / 2) for item, point in zip(part.items, points, strict=True))
    held = needed if around is None else around.width * around.height
    scale = sqrt(max(1.0, SPREAD * needed / held))
    return [Point(point.x * scale, point.y * scale) for point in points]


def _bounded(part: Subgraph, points: Sequence[Point], aspect: float) -> list[Point]:
    """The cloud within bounds of this width / height and of its own area, boxes included."""
    around = union(_whole_at(item, point) for item, point in zip(part.items, points, strict=True))
    if around is None:
        return list(points)
    side = sqrt(around.width * around.height)
    wide, high = (max(item.whole_width for item in part.items), max(item.whole_height for item in part.items))
    across = _factor(around.width, side * sqrt(aspect), wide)
    along = _factor(around.height, side / sqrt(aspect), high)
    return [Point(point.x * across, point.y * along) for point in points]


def _drawn_out(boxes: Sequence[Box], aspect: float) -> Sequence[Box]:
    """The boxes moved apart along the axis that is too short for bounds of this width / height."""
    around = union(boxes)
    if around is None:
        return boxes
    wide, high = max(box.width for box in boxes), max(box.height for box in boxes)
    across = max(1.0, _factor(around.width, around.height * aspect, wide))
    along = max(1.0, _factor(around.height, around.width / aspect, high))
    return [box.moved(box.center.x * (across - 1), box.center.y * (along - 1)) for box in boxes]


def _factor(length: float, wished: float, box: float) -> float:
    """How much the middles of boxes of this length move apart to reach a wished extent."""
    return min(MOST_DRAWN, max(1 / MOST_DRAWN, (wished - box) / max(length - box, 1.0)))


def _turned_to_page(points: Sequence[Point], aspect: float) -> list[Point]:
    """The cloud with its long axis turned to the page's long side, the first item left of the last."""
    count = len(points)
    x, y = fsum(point.x for point in points) / count, fsum(point.y for point in points) / count
    xx = fsum((point.x - x) ** 2 for point in points)
    yy = fsum((point.y - y) ** 2 for point in points)
    xy = fsum((point.x - x) * (point.y - y) for point in points)
    angle = -atan2(2 * xy, xx - yy) / 2 + (0.0 if aspect >= 1 else pi / 2)
    turned = [
        Point(
            (point.x - x) * cos(angle) - (point.y - y) * sin(angle),
            (point.x - x) * sin(angle) + (point.y - y) * cos(angle),
        )
        for point in points
    ]
    if turned[0].x > turned[-1].x:
        turned = [Point(-point.x, -point.y) for point in turned]
    return turned
