"""The layout of a scene without given places; for a small scene, the cheapest of several.

The last few of many elements are inserted into the layout of the rest. For a small scene further layouts are made;
straight lines tell which of them promise anything, only these are routed, and the cheapest wins. In: a composer, the
algorithm, a function for the cost of routed edges. Out: the box of every element. Rules R-PLACE-15, R-KEEP-12, R-ER-12.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain, product
from math import fsum, inf
from typing import NamedTuple

from scenograph.engine.costs import SEEN_CROSSING, STRAIGHT_CROSSING
from scenograph.engine.geometry.boxes import Box, Outset, Point
from scenograph.engine.geometry.directions import SIDEWAYS
from scenograph.engine.place.algorithms import Algorithm
from scenograph.engine.place.containers.composer import Composer
from scenograph.engine.place.containers.composing import compose, compose_in, is_free, nesting_of
from scenograph.engine.place.incremental.established import established_part, with_late_ties
from scenograph.engine.place.incremental.remembering import remembered
from scenograph.engine.place.inventory import MAX_JUDGED_TIES, Cost, Inventory, Tie, added, layout_cost, loop_room
from scenograph.engine.place.layered.nesting import RANKINGS
from scenograph.engine.sketch import Sketch
from scenograph.engine.tables import CrampedLine, LineCost
from scenograph.late_dataclasses import replace

# Tables with a single edge, ranked on the far side of their neighbour. The direction of a foreign key says little about
# the place of its table. In: an inventory, the ends of crossing edges. Out: the inventory with the edges of these
# tables reversed.


def _joins_rows(tie: Tie) -> bool:
    """Whether a tie ends at a row of a table."""
    return bool(tie.source_row or tie.target_row)


def _with_single_lines_turned(inventory: Inventory, crossed: Set[str]) -> Inventory:
    """The inventory with single edges of tables turned: each `crossed` edge between rows that is the only edge of a
    table. Several tables of this kind on one side of another table stay together. The same object if nothing is
    turned."""
    lines = [tie for tie in inventory.ties if tie.source != tie.target]
    count = Counter(end for tie in lines for end in tie.ends)
    single = [tie for tie in lines if 1 in (count[tie.source], count[tie.target])]
    sides = Counter(_side(tie, count) for tie in single)
    turned = {
        tie
        for tie in single
        if _joins_rows(tie)
        and sides[_side(tie, count)] == 1
        and any(count[one] == 1 and one in crossed for one in tie.ends)
    }
    if not turned:
        return inventory
    return replace(inventory, ties=tuple(_turned(tie) if tie in turned else tie for tie in inventory.ties))


def _side(tie: Tie, count: Counter[str]) -> tuple[str, bool]:
    """The table at the far end of a single edge, and whether the edge leads to this table."""
    leads_there = count[tie.source] == 1
    return tie.target if leads_there else tie.source, leads_there


def _turned(tie: Tie) -> Tie:
    return tie._replace(source=tie.target, target=tie.source, source_row=tie.target_row, target_row=tie.source_row)


LATE_CROSSINGS = 2  # crossings that a late tie may bring, on an average, before all is laid out with it
WORTH = 0.95  # of the cost of routed lines; for less another layout is not taken, so that small edits change none
PROMISING = 0.97  # of the cost of straight lines; above it routed lines seldom cost less
OTHER_STARTS = (7, 4)  # of the order of all ranks: shuffled, and shuffled the other way round
ROOM_ROUNDS = 3  # of making room for labels
ROOM_GAP = 6.0  # px; of a line, seen beside its label
AMPLE = (1.0, 2.0)  # times the room that labels lack, in the order of trying
ALONG, ACROSS = "along", "across"  # the flow
MOST_JUDGED = 100  # elements and lines of a scene whose lines are routed for each choice


class ChosenLayout(NamedTuple):
    """Boxes, the algorithm and the composer of their layout, and the cost of their routed edges, once computed."""

    algorithm: Algorithm
    composer: Composer
    boxes: dict[str, Box]
    lines: LineCost | None = None


class Costs(NamedTuple):
    """The cost of the lines of a layout: of their courses, enough to compare layouts, and of finished lines with their
    labels."""

    courses: Cost
    routes: Cost


def _unknown(_boxes: Mapping[str, Box]) -> LineCost | None:
    return None


UNJUDGED = Costs(_unknown, _unknown)


def chosen(composer: Composer, base: Composer, algorithm: Algorithm, costs: Costs) -> ChosenLayout:
    """The layout of a scene without given places; for a small scene a later candidate, if its routed edges cost less
    than the first's. `base`: the composer of the established part."""
    cost = costs.courses
    inventory = composer.inventory
    first = ChosenLayout(algorithm, composer, grown(composer, base, algorithm))
    if len(inventory.elements) + len(inventory.ties) > MOST_JUDGED or not algorithm.layered:
        return first
    if len(inventory.containers) > 1:
        best = _judged(_cheapest(first, _by_other_rankings(first, composer, base), cost), cost)
        best = _cheapest(best, _in_other_orders(best, composer), cost)
    else:
        best = _cheapest(first, chain(_at_once(first, composer, base), _beyond(first, composer, cost)), cost)
    return _with_room_for_labels(best, costs.routes)


def _cheapest(first: ChosenLayout, others: Iterable[ChosenLayout], cost: Cost) -> ChosenLayout:
    """The layout with the cheapest routed edges; a later candidate wins only by a clear margin."""
    best = first
    for other in others:
        best, new = _judged(best, cost), _judged(other, cost)
        if best.lines is not None and new.lines is not None and _seen(new.lines) < WORTH * _seen(best.lines):
            best = new
    return best


def _seen(lines: LineCost) -> float:
    """The visible cost of all edges of a layout, px."""
    return lines.px + SEEN_CROSSING * lines.crossings


def _judged(layout: ChosenLayout, cost: Cost) -> ChosenLayout:
    return layout if layout.lines is not None else layout._replace(lines=cost(layout.boxes))


def _with_room_for_labels(first: ChosenLayout, cost: Cost) -> ChosenLayout:
    """The layout, or one with room round the ends of edges whose labels found none, along the flow, across it, or both,
    then with twice the room; in rounds, as long as more labels find room (`_is_roomier`)."""
    best = first._replace(lines=cost(first.boxes))
    for _ in range(ROOM_ROUNDS):
        if best.lines is None or not best.lines.cramped:
            break
        composer, algorithm = best.composer, best.algorithm
        for times, ways in product(AMPLE, ((ALONG,), (ACROSS,), (ALONG, ACROSS))):
            roomy = _roomier(composer.inventory, best.lines.cramped, ways, composer.settings.direction, times)
            anew = composer.of(roomy)
            boxes = grown(anew, established(anew, algorithm), algorithm)
            other = _judged(ChosenLayout(algorithm, anew, boxes), cost)
            if other.lines is not None and _is_roomier(other.lines, best.lines):
                best = other
                break
        else:
            break
    return best


def _is_roomier(other: LineCost, best: LineCost) -> bool:
    """Whether fewer labels lack room, or as many lack at most half as much; for at most one crossing more for each
    label that says nothing false any more."""
    if len(other.cramped) > len(best.cramped) or other.crossings - best.crossings > max(
        0, _false(best) - _false(other)
    ):
        return False
    if len(other.cramped) < len(best.cramped):
        return True
    return _lack(other) < inf and 2 * _lack(other) <= _lack(best)


def _false(lines: LineCost) -> int:
    """The number of labels that cover something, or seem to belong to another line."""
    return sum(min(line.lack) == inf for line in lines.cramped)


def _lack(lines: LineCost) -> float:
    """The total length that labels lack on their lines, px. A label short along both axes counts with the lesser
    lack."""
    return fsum(min(filter(None, line.lack), default=0.0) for line in lines.cramped)


def _roomier(
    inventory: Inventory, cramped: Sequence[CrampedLine], ways: Sequence[str], direction: str, times: float
) -> Inventory:
    """The inventory with more room round both ends of edges: half of what the largest label lacks, `times` so much,
    along the flow, across it, or both; between an element and its own container on the side of the line alone."""
    rooms, lines = dict(inventory.rooms), dict[frozenset[str], CrampedLine]()
    for line in cramped:
        lines.setdefault(frozenset(line.ends), line)
    more: dict[str, Outset] = {}
    level, upright = (ACROSS, ALONG) if direction not in SIDEWAYS else (ALONG, ACROSS)
    for tie in inventory.ties:
        line = lines.get(frozenset(tie.ends))
        if line is None:
            continue
        x, y = min(line.lack.x, tie.label_width + 2 * ROOM_GAP), min(line.lack.y, tie.label_height + 2 * ROOM_GAP)
        around = times * x / 2 if level in ways else 0.0, times * y / 2 if upright in ways else 0.0
        for end, other, way in ((*line.ends, line.leaves), (*line.ends[::-1], line.enters)):
            if end in inventory.ancestors(other):
                continue
            room = Outset(around[1], around[0], around[1], around[0])
            if other in inventory.ancestors(end):
                room = _towards(way, Point(x + ROOM_GAP, y + ROOM_GAP), is_even=len(ways) > 1)
            more[end] = _greater(more.get(end, Outset()), room)
    for end, room in more.items():
        rooms[end] = added(rooms.get(end, Outset()), room)
    return replace(inventory, rooms=rooms)


def _towards(way: Point, room: Point, *, is_even: bool) -> Outset:
    """Room on the side of an element where a line leaves; `is_even`: on the opposite side as well, since the line
    leaves by the side nearer to the border."""
    right, down = (abs(way.x), abs(way.y)) if is_even else (max(0.0, way.x), max(0.0, way.y))
    left, up = (right, down) if is_even else (max(0.0, -way.x), max(0.0, -way.y))
    return Outset(up * room.y, right * room.x, down * room.y, left * room.x)


def _greater(one: Outset, other: Outset) -> Outset:
    return Outset(*map(max, one, other))


def _by_other_rankings(first: ChosenLayout, composer: Composer, base: Composer) -> Iterator[ChosenLayout]:
    """The promising layouts by RANKINGS other than the first layout's, for free ranks."""
    algorithm = first.algorithm
    if algorithm.ranking is None or not is_free(composer):
        return
    known, most = [algorithm.ranking.rows(composer.inventory, composer.ties)], PROMISING * _straight(composer, first)
    for ranking in (one for one in RANKINGS if one is not algorithm.ranking):
        rows = ranking.rows(composer.inventory, composer.ties)
        if rows in known:
            continue
        known.append(rows)
        way = algorithm._replace(ranking=ranking)
        other = ChosenLayout(way, composer, grown(composer, base, way))
        if _straight(composer, other) < most:
            yield other


def _in_other_orders(first: ChosenLayout, composer: Composer) -> Iterator[ChosenLayout]:
    """Promising layouts with another order of all elements, searched from other starts, if edges cross in the first
    layout."""
    if first.lines is None or not first.lines.crossed:
        return
    nesting = nesting_of(composer, first.algorithm)
    if nesting is None:
        return
    most = _straight(composer, first)
    for start in OTHER_STARTS:
        found = nesting.in_order(range(start, start + 1))
        ordered = composer.in_order(first.algorithm.ranking, found)
        other = ChosenLayout(first.algorithm, ordered, compose_in(ordered, found))
        if _straight(composer, other) < most:
            yield other
            return


def _at_once(first: ChosenLayout, composer: Composer, base: Composer) -> Iterator[ChosenLayout]:
    """The layout of all elements together, if promising, after late elements were inserted into the first layout and
    edges cross there."""
    if base is composer or not layout_cost(composer.inventory, first.boxes, composer.settings.direction).crossings:
        return
    other = ChosenLayout(first.algorithm, composer, compose(composer, first.algorithm))
    if _straight(composer, other) < PROMISING * _straight(composer, first):
        yield other


def _beyond(first: ChosenLayout, composer: Composer, cost: Cost) -> Iterator[ChosenLayout]:
    """The layout with turned tables: a table whose only edge crosses another edge goes to the far side of its
    neighbour."""
    if not is_free(composer) or not any(map(_joins_rows, composer.inventory.ties)):
        return
    found = cost(first.boxes)
    turned = _with_single_lines_turned(composer.inventory, found.crossed if found else frozenset())
    if turned is not composer.inventory:
        anew = composer.of(turned)
        yield ChosenLayout(first.algorithm, anew, compose(anew, first.algorithm))


def _straight(composer: Composer, layout: ChosenLayout) -> float:
    """The cost of straight edges, px: a cheap estimate of the cost of routed edges."""
    crossings, length = layout_cost(composer.inventory, layout.boxes, composer.settings.direction)
    return length + STRAIGHT_CROSSING * crossings


def established(composer: Composer, algorithm: Algorithm) -> Composer:
    """A composer of the established part; the same composer if nothing is late."""
    inventory = composer.inventory
    base = established_part(inventory, algorithm.joined) if algorithm.joined else inventory
    return composer if base is inventory else composer.of(base)


def grown(composer: Composer, base: Composer, algorithm: Algorithm) -> dict[str, Box]:
    """The boxes of a scene without given places: the last few of many elements join the layout of the rest. New edges
    alone move nothing, except loops, which need room."""
    inventory = composer.inventory
    part, boxes = _based(composer, base, algorithm)
    if len(part.elements) == len(inventory.elements) and loop_room(part) == composer.ties.loops:
        return boxes
    found = remembered(composer, Sketch(boxes), is_seen=False)
    return compose(composer, algorithm) if found is None else found


def _based(composer: Composer, base: Composer, algorithm: Algorithm) -> tuple[Inventory, dict[str, Box]]:
    """The established part, laid out. Late edges are laid out together with the part if several containers are ordered
    at once, the late edges cross too many other edges, and the new layout has fewer crossings (R-KEEP-12)."""
    inventory, part, direction = composer.inventory, base.inventory, composer.settings.direction
    boxes, whole = compose(base, algorithm), with_late_ties(part, inventory)
    late = len(whole.ties) - len(part.ties)
    # Otherwise the new layout has no fewer routed crossings.
    has_orders = algorithm.ranking is not None and len(inventory.containers) > 1
    if not late or not has_orders or len(whole.ties) > MAX_JUDGED_TIES:
        return part, boxes
    crossings = layout_cost(whole, boxes, direction).crossings
    if crossings <= layout_cost(part, boxes, direction).crossings + LATE_CROSSINGS * late:
        return part, boxes
    anew = compose(composer.of(whole), algorithm)
    return (whole, anew) if layout_cost(whole, anew, direction).crossings < crossings else (part, boxes)
