"""The shape of the page: of several layouts the best with a wished width / height, or with one that a page can hold.

In: the first layout, a function that lays out everything with other settings, and the wish. Out: the chosen boxes.
Candidates: the other direction, unless the author named one; long flows folded into rows (columns for downward flow);
crowded ranks folded; large schemas in clusters; unconnected parts packed for other pages; wider gaps. Candidates are
compared by the courses of their lines, of the largest scenes by straight lines, and by their emptiest part.
Promises: no layout with over one and a half times the first layout's crossings and one is chosen, unless lines and page
cost no more than the distance from the wished shape is worth, or crowded ranks of a large scene are folded, and no
layout is judged twice.
Rules R-VIEW-5, R-PAGE-6, R-PAGE-7.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate, combinations, pairwise
from math import ceil, inf, log, sqrt
from typing import NamedTuple

from scenograph.engine.costs import SEEN_CROSSING, STRAIGHT_CROSSING
from scenograph.engine.families.family import is_tiled
from scenograph.engine.geometry.boxes import Box, Point, union
from scenograph.engine.geometry.directions import BACKWARDS, DOWNWARDS, RIGHTWARDS, SIDEWAYS
from scenograph.engine.page import MARGIN, NEAR_SHAPE
from scenograph.engine.place.inventory import (
    MAX_JUDGED_TIES,
    ROOT,
    Cost,
    Inventory,
    TieTable,
    layout_cost,
    links_between,
)
from scenograph.engine.place.subgraph import (
    Arrange,
    Corners,
    Item,
    LayoutRecord,
    LayoutSettings,
    Subgraph,
    connected,
    is_unfolded,
    is_way,
    whole_box,
)
from scenograph.late_dataclasses import replace

# Flows cut into rows. In: an arranged level. Out: the level with its ranks in rows, one after another across the flow.
# Cuts run between boxes, never through a box, and where few lines cross them.


RETURN_ROOM = 24.0  # px beside a folded row for the edge to the next row
EVENING_STEPS = 24  # of halving, to find the width of rows
MOST_STEPS = 160  # of a flow whose cuts are weighed; longer ones are cut evenly
CUT_LINE = 0.05  # price of each further line through a cut, in squares of rows too long by their whole length
LAST_ROW = 0.3  # price of a last row that is short


def folding(arrange: Arrange) -> Arrange:
    """The algorithm, with flows folded as the settings say. A level is arranged once for all its foldings."""
    known: dict[Subgraph, Corners] = {}

    def arranged(subgraph: Subgraph, record: LayoutRecord) -> Corners:
        limit = subgraph.settings.fold
        settings = subgraph.settings if limit == inf else replace(subgraph.settings, fold=inf, centred=False)
        plain = subgraph if limit == inf else replace(subgraph, settings=settings)
        corners = known.get(plain)
        if corners is None:
            corners = known[plain] = arrange(plain, record)
        return corners if limit == inf else folded(subgraph, corners, limit, record)

    return arranged


def folded(subgraph: Subgraph, corners: Corners, limit: float, record: LayoutRecord) -> Corners:
    """An arrangement with its flow cut into rows of about `limit` px. `record`: told of the items of a folded level."""
    settings = subgraph.settings
    is_sideways = settings.direction in SIDEWAYS
    spans = {item.id: _span(whole_box(item, corners[item.id]), is_sideways=is_sideways) for item in subgraph.items}
    steps = _steps(spans, backwards=settings.direction in BACKWARDS)
    reaches = [_Reach(min(spans[one].start for one in step), max(spans[one].end for one in step)) for step in steps]
    length = _length(reaches) if steps else 0.0
    if len(steps) < 2 or limit <= 0 or is_unfolded(length, limit):
        return corners
    count = min(round(length / limit), len(steps))
    record.folded.update(spans)
    stepped = _rows(steps, reaches, subgraph, count)
    rows = [[one for step in row for one in step] for row in stepped]
    if settings.centred:
        corners = _straightened(stepped, corners, subgraph)
        spans = {item.id: _span(whole_box(item, corners[item.id]), is_sideways=is_sideways) for item in subgraph.items}
    extents = [_around(spans[one] for one in row) for row in rows]
    longest = max(row.end - row.start for row in extents)
    found: dict[str, Point] = {}
    across = 0.0
    for row, (start, end, low, high) in zip(rows, extents, strict=True):
        indent = (longest - end + start) / 2 if settings.centred else 0.0
        along = -end - indent if settings.direction in BACKWARDS else indent - start
        for one in row:
            dx, dy = (along, across - low) if is_sideways else (across - low, along)
            found[one] = Point(corners[one].x + dx, corners[one].y + dy)
        across += high - low + settings.node_spacing + RETURN_ROOM
    return found


def _straightened(rows: Sequence[Sequence[Sequence[str]]], corners: Corners, subgraph: Subgraph) -> Corners:
    """The corners with the steps of each row moved across the flow until a line within the row is straight, the least
    moved of several: what pulled a step aside may be in another row."""
    is_sideways = subgraph.settings.direction in SIDEWAYS
    items = {item.id: item for item in subgraph.items}
    place = {one: (number, at) for number, row in enumerate(rows) for at, step in enumerate(row) for one in step}
    lines: dict[str, list[tuple[str, float]]] = {}
    for source, target, aside in _lines_between(subgraph):
        first, last = sorted((source, target), key=place.__getitem__)
        sign = 1.0 if first == source else -1.0
        if place[first][0] == place[last][0] and place[first][1] < place[last][1]:
            lines.setdefault(last, []).append((first, sign * aside))

    def middle(one: str) -> float:
        return corners[one].y + items[one].height / 2 if is_sideways else corners[one].x + items[one].width / 2

    moved: dict[str, float] = {}
    for row in rows:
        shift = 0.0
        for step in row:
            straight = [
                moved[other] + middle(other) - middle(one) - aside
                for one in step
                for other, aside in lines.get(one, ())
            ]
            shift = min(straight, key=lambda one, former=shift: abs(one - former), default=shift)
            moved |= dict.fromkeys(step, shift)
    return {
        one: Point(at.x, at.y + moved[one]) if is_sideways else Point(at.x + moved[one], at.y)
        for one, at in corners.items()
    }


def _lines_between(subgraph: Subgraph) -> Iterable[tuple[str, str, float]]:
    """The links, and by how much the end at the target lies further across the flow than that at the source, from the
    middles."""
    if subgraph.order is None:
        return [(one.source, one.target, one.target_row - one.source_row) for one in subgraph.links]
    chains = (one for one in subgraph.order.chains if not is_way(one.upper) and not is_way(one.lower))
    return [(one.upper, one.lower, one.lower_offset - one.upper_offset) for one in chains]


class _Span(NamedTuple):
    """A box along the flow (start, end) and across the flow (low, high)."""

    start: float
    end: float
    low: float
    high: float


def _span(box: Box, *, is_sideways: bool) -> _Span:
    if is_sideways:
        return _Span(box.x, box.right, box.y, box.bottom)
    return _Span(box.y, box.bottom, box.x, box.right)


def _around(spans: Iterable[_Span]) -> _Span:
    starts, ends, lows, highs = zip(*spans, strict=True)
    return _Span(min(starts), max(ends), min(lows), max(highs))


def _steps(spans: Mapping[str, _Span], *, backwards: bool) -> list[list[str]]:
    """The ids between clean cuts, in the order of the flow."""
    steps: list[list[str]] = []
    end = -inf
    for one in sorted(spans, key=lambda key: spans[key].start):
        if spans[one].start >= end:
            steps.append([])
        steps[-1].append(one)
        end = max(end, spans[one].end)
    return steps[::-1] if backwards else steps


class _Reach(NamedTuple):
    """Where a step begins and ends along the page, px."""

    start: float
    end: float


def _length(reaches: Sequence[_Reach]) -> float:
    """The length of a row of steps, px. Steps may run in either direction along the page."""
    return max(reaches[0].end, reaches[-1].end) - min(reaches[0].start, reaches[-1].start)


def _rows(
    steps: Sequence[Sequence[str]], reaches: Sequence[_Reach], subgraph: Subgraph, count: int
) -> list[Sequence[Sequence[str]]]:
    """The steps in `count` rows."""
    if len(steps) > MOST_STEPS:
        ends = list(accumulate(_evened(reaches, count)))
    else:
        ends = _weighed(reaches, _crossing_lines(steps, subgraph), count)
    return [steps[start:end] for start, end in pairwise([0, *ends])]


def _crossing_lines(steps: Sequence[Sequence[str]], subgraph: Subgraph) -> list[int]:
    """The number of lines through the cut before each step."""
    at = {one: number for number, step in enumerate(steps) for one in step}
    change = [0] * (len(steps) + 1)
    for link in subgraph.links:
        first, last = sorted((at[link.source], at[link.target]))
        change[first + 1] += 1
        change[last + 1] -= 1
    return list(accumulate(change))


def _weighed(reaches: Sequence[_Reach], cut: Sequence[int], count: int) -> list[int]:
    """The ends of `count` rows: of about equal length, the last one rather too short, with few lines through cuts."""
    target, size = _length(reaches) / count, len(reaches)

    def uneven(first: int, last: int, row: int) -> float:
        off = (_length(reaches[first:last]) - target) / target
        return off * off * (LAST_ROW if row == count and off < 0 else 1.0) + CUT_LINE * max(0, cut[first] - 1)

    best: list[list[tuple[float, int]]] = [[(0.0, 0)] + [(inf, 0)] * size]
    for row in range(1, count + 1):
        before = best[-1]
        line = [(inf, 0)] * (size + 1)
        for last in range(row, size - (count - row) + 1):
            line[last] = min((before[first][0] + uneven(first, last, row), first) for first in range(row - 1, last))
        best.append(line)
    found, last = [size], size
    for row in range(count, 1, -1):
        last = best[row][last][1]
        found.append(last)
    return found[::-1]


def _evened(reaches: Sequence[_Reach], count: int) -> list[int]:
    """The number of steps in each of at most `count` rows, the longest row as short as possible."""
    low, high = 0.0, _length(reaches)
    for _ in range(EVENING_STEPS):
        middle = (low + high) / 2
        fits = len(_broken(reaches, middle)) <= count
        low, high = (low, middle) if fits else (middle, high)
    return _broken(reaches, high)


def _broken(reaches: Sequence[_Reach], limit: float) -> list[int]:
    """The number of steps in each row, at least 1."""
    rows: list[int] = []
    begun = 0
    for number in range(len(reaches)):
        if rows and _length((reaches[begun], reaches[number])) <= limit:
            rows[-1] += 1
        else:
            rows.append(1)
            begun = number
    return rows


# The choice of a layout by the shape of its page.


WIDEST = 2.5  # times as wide as high, or as high as wide: a page without a wish (R-PAGE-6)
AIMED = 1.8  # times as wide as high, or as high as wide: the shape at which folds and turns aim
PAGES = (1 / AIMED, 1.0, AIMED)  # widths by heights tried for the packing of unconnected parts
FEW_NODES = 12  # up to which a picture may have any shape, unless its long flow may turn
SHORT = 1600.0  # px; a longer strip is too small to read at the width of a page
LITTLE = 1000.0  # px; the longer side of a page up to which the tables of a schema keep their sides
MORE_CROSSINGS, ONE_MORE = 1.5, 1  # times those of the first layout, at most, and a single one
FOLDS = 3  # numbers of rows that are tried
APPROACHES, APPROACH = 4, 0.75  # folds tried one after another in a larger scene; how far each goes for the shape
MOST_ROUTED, MOST_REFUSED = 4, 8  # candidates whose lines are routed, and with those that cross too much
ROUTED_OF_MANY, REFUSED_OF_MANY = 1, 2  # both numbers for a scene with many lines
INSIDE = 0.03  # how much nearer a layout has to be: lines lead round its outermost boxes
FREE_SHARE = 0.15  # of a page that may be empty in one place
EMPTY = 4.0  # price of emptiness, as a share of the lines' cost for each share of the page
_MUCH_EMPTY = 1.0 + 0.05 * EMPTY  # the price of a fifth of the page: from here on other layouts are tried
FOLDED = 1.07  # price of a folded flow, as a factor: the eye has to find the next row
STRIP = 0.3  # price of a page longer than AIMED, as a share of the lines' cost for each unit of its logarithm
CLEARLY = 1.08  # by how much another layout than the first has to cost less
MOST_STRETCHED, STRETCHES = 3, 3  # candidates whose gaps are widened for a wish, and steps of each
MOST_STRETCH, STRETCH = 0.25, 2.5  # how far off a shape may be, as a logarithm; how much wider its gaps become for it
NARROWING = 0.25  # of a miss, at least, that a step of wider gaps takes away; else gaps do not shape the page
WISHED_STRETCH = 0.7  # how far off a wish may be for wider gaps
FEW_TIES = 100  # ties of a scene in which each line counts
CELLS = 32  # rows and columns in which emptiness is measured

LayOut = Callable[[LayoutSettings, LayoutRecord], Mapping[str, Box]]
"""The boxes of everything with other settings."""


class Shapes(NamedTuple):
    """The good shapes of a page, width / height, from `least` to `most`, the `aim` of candidates, and how far off a
    page may be for wider gaps."""

    least: float
    most: float
    aim: float
    stretch: float = MOST_STRETCH

    def off(self, page: Box) -> float:
        """How far a page is off, as a logarithm; 0.0 for a good shape."""
        shape = page.width / page.height
        return ceil(1000 * max(0.0, log(shape / self.most), log(self.least / shape))) / 1000


def wished(ratio: float) -> Shapes:
    """The shapes near enough to a wish."""
    near = NEAR_SHAPE - INSIDE
    return Shapes(ratio / near, ratio * near, ratio, WISHED_STRETCH)


def _unspoken(page: Box, *, has_few: bool = False) -> Shapes:
    """The shapes of a page without a wish, for a first layout of this extent; `has_few`: and all up to this extent."""
    shape = page.width / page.height
    aim = min(max(shape, 1 / AIMED), AIMED)
    return Shapes(min(1 / WIDEST, shape), max(WIDEST, shape), aim) if has_few else Shapes(1 / WIDEST, WIDEST, aim)


class Shaped(NamedTuple):
    """The boxes of a layout, and why no nearer shape of the page was taken (`Placement.shaped_by`)."""

    boxes: Mapping[str, Box]
    reason: str = "content"


class Scenery(NamedTuple):
    """The input of the choice: the inventory, its settings, the record of its first layout, whether the layout has
    ranks, its flow may turn, and it may be laid out by clusters, how to lay out, the cost of routed lines, and whether
    they are few enough to route for each choice."""

    inventory: Inventory
    settings: LayoutSettings
    record: LayoutRecord
    layered: bool
    may_turn: bool
    has_clusters: bool
    lay_out: LayOut
    cost: Cost
    is_small: bool


class _Candidate(NamedTuple):
    """A layout with settings, record and page, the cost of straight or routed lines, the crossings, and the price of
    emptiness as a factor."""

    boxes: Mapping[str, Box]
    settings: LayoutSettings
    record: LayoutRecord
    page: Box
    px: float
    crossings: int
    emptiness: float

    @property
    def cost(self) -> float:
        strip = max(0.0, abs(log(self.page.width / self.page.height)) - log(AIMED))
        folded = FOLDED if self.settings.fold < inf else 1.0
        return self.px * self.emptiness * (1.0 + STRIP * strip) * folded

    @property
    def least(self) -> float:
        """The cost of straight lines without their crossings: routed lines seldom cost less."""
        return (self.px - STRAIGHT_CROSSING * self.crossings) * self.emptiness


class _Search:
    """The layouts tried so far. The first is given."""

    def __init__(self, first: _Candidate, scenery: Scenery, shapes: Shapes) -> None:
        self.first, self.scenery, self.shapes = first, scenery, shapes
        self.found = [first]
        self._tried = list[LayoutSettings]()
        self._beside = [] if shapes.off(first.page) else _twins_side_by_side(first, scenery.inventory)
        self.is_large = len(scenery.inventory.ties) > MAX_JUDGED_TIES

    def consider(self, settings: LayoutSettings) -> _Candidate | None:
        """The candidate with these settings; None for settings that were tried, and in a large scene as soon as a
        layout has a good shape."""
        is_found = self.is_large and any(not self.shapes.off(one.page) for one in self.found)
        if is_found or settings in self._tried:
            return None
        self._tried.append(settings)
        record = LayoutRecord()
        boxes = self.scenery.lay_out(settings, record)
        if not all(_are_side_by_side(boxes, pair, settings.direction) for pair in self._beside):
            return None  # a fuller page alone is not worth twins one below another
        new = _judged_roughly(self.scenery.inventory, boxes, settings, record)
        if not any(_is_alike(new, one) for one in self.found):
            self.found.append(new)
        return new

    @property
    def directions(self) -> tuple[str, ...]:
        """The directions of the flow that are tried. Boxes are broad: a large scene too long downwards is longer
        sideways, and is not turned."""
        own = self.scenery.settings.direction
        is_hopeless = self.is_large and own not in SIDEWAYS and self.first.page.height > self.first.page.width
        return (
            (own, DOWNWARDS if own in SIDEWAYS else RIGHTWARDS) if self.scenery.may_turn and not is_hopeless else (own,)
        )

    def turn(self) -> None:
        """Try the other direction without folds."""
        for direction in self.directions[1:]:
            self.plain(direction)

    def plain(self, direction: str) -> tuple[LayoutSettings, _Candidate]:
        """The settings of a direction, and the layout without a fold. A large scene is not laid out again for its own
        direction."""
        first = self.first
        settings = _on_page(replace(first.settings, direction=direction), first.page, self.shapes.aim)
        is_known = self.is_large and direction == first.settings.direction
        return settings, (None if is_known else self.consider(settings)) or first

    def fold(self, settings: LayoutSettings, plain: _Candidate) -> None:
        """Try foldings: of the flow if the page is too long along the flow, of the ranks if the page is too broad."""
        extent = _extent(plain.page, settings.direction, self.shapes.aim)
        if self.is_large:
            self._approach(settings if extent.longer <= 1.0 else replace(plain.settings, fold=inf), extent, plain)
            return
        ranks = replace(settings, stacked=False, balanced=self.scenery.has_clusters)
        least = max(2, ceil(sqrt(max(extent.longer, 1 / extent.longer))) - 1)
        for parts in range(least, least + FOLDS):
            if extent.longer > 1.0:
                one = self.consider(replace(settings, fold=extent.along / parts))
                if one is not None and one.emptiness > 1.0:
                    self.consider(replace(one.settings, centred=True))
                continue
            if parts == least or not _is_flat_tree(self.scenery.inventory):
                self.consider(replace(settings, across=extent.across / parts))
            self.consider(replace(ranks, across=extent.across / parts))
        if all(self.shapes.off(one.page) for one in self.found):
            self._approach(settings if extent.longer > 1.0 else ranks, extent, plain)

    def _approach(self, settings: LayoutSettings, extent: _Extent, plain: _Candidate) -> None:
        """Try a fold of the flow, or of its ranks, and from each the next one nearer to the wished shape.
        In a large scene a fold without effect is the last, or one that makes the page twice as long: its long lines
        take more room than the fold saves."""
        is_long = extent.longer > 1.0
        length, longer = (extent.along, extent.longer) if is_long else (extent.across, 1 / extent.longer)
        limit = length / max(2.0, sqrt(longer))
        page = plain.page
        for _ in range(APPROACHES):
            one = self.consider(replace(settings, fold=limit) if is_long else replace(settings, across=limit))
            if one is None or not self.shapes.off(one.page):
                return
            if self.is_large and (one.page == page or _longer_side(one.page) > 2 * _longer_side(plain.page)):
                return
            page = one.page
            longer = _extent(one.page, settings.direction, self.shapes.aim).longer
            limit *= (1 / longer if is_long else longer) ** APPROACH

    def balance(self) -> None:
        """Try tables in ranks of about equal length, in each direction of the flow."""
        if not self.scenery.has_clusters or self.is_large or _longer_side(self.first.page) <= LITTLE:
            return
        for direction in self.directions:
            settings = replace(self.first.settings, direction=direction, balanced=True, stacked=False)
            self.consider(_on_page(settings, self.first.page, self.shapes.aim))

    def pack(self) -> None:
        """Try the first layout with unconnected parts packed for several pages."""
        for aim in PAGES if not self.is_large and _has_parts(self.scenery.inventory) else ():
            self.consider(_on_page(self.first.settings, self.first.page, aim))

    def promise(self, one: _Candidate) -> tuple[bool, float, float]:
        """The turn of a candidate by straight lines: nearer shapes first, tangled layouts of a small scene last."""
        most = MORE_CROSSINGS * self.first.crossings + ONE_MORE
        is_tangled = self.scenery.is_small and one.crossings > most
        return is_tangled, self.shapes.off(one.page), one.cost

    def is_settled(self) -> bool:
        """Whether a full page with its lines has a better shape than the first and costs hardly more. Only these
        layouts stay; no others are tried."""
        if not self.shapes.off(self.first.page):
            return False
        good = [one for one in self.found if not self.shapes.off(one.page) and one.emptiness <= _MUCH_EMPTY]
        good = [one for one in good if one.px < CLEARLY * self.first.px and not self.shapes.off(self._routed(one).page)]
        self.found[1:] = good or self.found[1:]
        return bool(good)

    def stretch(self, one: _Candidate) -> None:
        """Try a near miss of a wish with larger gaps along the shorter side, as long as these change the page: by the
        secant method, since a page grows by its gaps in proportion. Only the last step stays, and none that hardly
        lessens the miss: the gaps of unconnected boxes widen both sides of their page."""
        settings, off, more = one.settings, self.shapes.off(one.page), 0.0
        gain, start = off, one
        for _ in range(STRETCHES):
            if not 0.0 < off <= self.shapes.stretch:
                return
            more = more * off / gain if one is not start else STRETCH * off
            settings = self._wider(settings, one.page, more)
            new = self.consider(settings)
            if new is None or new.page == one.page:
                return
            before, off = off, self.shapes.off(new.page)
            gain = before - off
            if gain < NARROWING * before:
                self.found = [other for other in self.found if other is not new]
                return
            self.found = [other for other in self.found if other is start or other is not one]
            one = new

    def _wider(self, settings: LayoutSettings, page: Box, more: float) -> LayoutSettings:
        """The settings with gaps along the shorter side of a page larger by a share of the first ones. A tree keeps
        its breadth: higher gaps alone do not undo its stacks."""
        if not self.scenery.layered:
            return replace(
                settings, cloud=(settings.cloud or self.shapes.aim) * self.shapes.aim * page.height / page.width
            )
        first = self.first.settings
        if (page.width / page.height > self.shapes.most) is (settings.direction not in SIDEWAYS):
            broad = min(settings.across, _extent(page, settings.direction, self.shapes.aim).across)
            return replace(settings, rank_spacing=settings.rank_spacing + first.rank_spacing * more + 1.0, across=broad)
        return replace(settings, node_spacing=settings.node_spacing + first.node_spacing * more + 1.0)

    def best(self) -> Shaped:
        """The best of the candidates; the first sets the bound for crossings. Candidates beyond this bound need a
        better shape, and may cost more by as much as the best one within is off. With many lines the nearest candidate
        is taken without routing the first layout if it wins against the straight lines there."""
        shapes, is_small = self.shapes, self.scenery.is_small
        most_routed, most_refused = (MOST_ROUTED, MOST_REFUSED) if is_small else (ROUTED_OF_MANY, REFUSED_OF_MANY)
        far = shapes.off(self.first.page)
        others = [one for one in self.found[1:] if is_small or shapes.off(one.page) < far]
        others.sort(key=lambda one: (shapes.off(one.page), one.cost))
        nearest = [self._routed(one) for one in others[:1]]
        if not is_small and any(map(self._is_surely_worth, nearest)):
            return self._taken(nearest[0])
        base = self._routed(self.first) if others else self.first
        most = MORE_CROSSINGS * base.crossings + ONE_MORE
        allowed, dear, best = [base], list[_Candidate](), base
        for one in others:
            if one is not others[0] and not shapes.off(best.page) and one.least > best.cost:
                continue
            new = nearest[0] if one is others[0] else self._routed(one)
            (allowed if new.crossings <= most or self._is_unrolled(new) else dear).append(new)
            best = min(allowed, key=lambda one: (shapes.off(one.page), one.cost * (1.0 if one is base else CLEARLY)))
            if len(allowed) > most_routed or len(allowed) + len(dear) > most_refused:
                break
        worth = [one for one in dear if self._is_worth(one, best)]
        best = min(worth, key=lambda one: (shapes.off(one.page), one.cost), default=best)
        is_nearer = any(shapes.off(one.page) < shapes.off(best.page) for one in dear)
        return self._taken(best, "crossings" if is_nearer else "content")

    def _taken(self, best: _Candidate, reason: str = "content") -> Shaped:
        self.scenery.record.beyond = best.record.beyond
        return Shaped(best.boxes, reason)

    def _is_surely_worth(self, one: _Candidate) -> bool:
        """Whether a candidate crosses no more often than the straight lines of the first layout, and wins against them
        as if none of them crossed: routed they hardly cost less."""
        first = self.first
        length = first._replace(px=first.px - STRAIGHT_CROSSING * first.crossings)
        return one.crossings <= first.crossings and self._is_worth(one, length)

    def _is_worth(self, one: _Candidate, than: _Candidate) -> bool:
        """Whether the shape of a page is nearer than another by more than the other costs less."""
        nearer = self.shapes.off(than.page) - self.shapes.off(one.page)
        return nearer > 0.0 and one.cost < than.cost * (1.0 + nearer)

    def _is_unrolled(self, one: _Candidate) -> bool:
        """Whether a layout of a large scene folds crowded ranks, or has clusters instead: worth more than crossings
        (R-PAGE-6)."""
        return (one.settings.across < inf or one.settings.clustered) and not self.scenery.is_small

    def _routed(self, one: _Candidate) -> _Candidate:
        """A candidate judged by routed lines; by straight lines beyond the bound for routing."""
        lines = None if self._is_unrolled(one) else self.scenery.cost(one.boxes)
        if lines is None:
            return one
        page = one.page if lines.content is None else lines.content.grown(MARGIN)
        px = lines.px + SEEN_CROSSING * lines.crossings + 1.0
        return one._replace(page=page, px=px, crossings=lines.crossings)


def _twins_side_by_side(first: _Candidate, inventory: Inventory) -> list[tuple[str, str]]:
    """Pairs of twins with a common part of the way along the flow of a layout."""
    rows: dict[str, list[str]] = {}
    for one in sorted(inventory.twins):
        rows.setdefault(inventory.parent[one], []).append(one)
    pairs = (pair for row in rows.values() for pair in combinations(row, 2))
    return [pair for pair in pairs if _are_side_by_side(first.boxes, pair, first.settings.direction)]


def _are_side_by_side(boxes: Mapping[str, Box], pair: tuple[str, str], direction: str) -> bool:
    one, other = (_span(boxes[name], is_sideways=direction in SIDEWAYS) for name in pair)
    return one.start < other.end and other.start < one.end


class _Extent(NamedTuple):
    """A page along and across the flow, px, and the excess length for a shape, as a factor."""

    along: float
    across: float
    longer: float


def _extent(page: Box, direction: str, aim: float) -> _Extent:
    is_sideways = direction in SIDEWAYS
    along, across = (page.width, page.height) if is_sideways else (page.height, page.width)
    return _Extent(along, across, along / across / (aim if is_sideways else 1 / aim))


def in_shape(first: Mapping[str, Box], scenery: Scenery, wish: float | None) -> Shaped:
    """The best layout in a wished shape; without a wish the first layout, unless the page is too long or too empty."""
    base = _judged_roughly(scenery.inventory, first, scenery.settings, scenery.record)
    has_few = wish is None and _has_few(scenery.inventory)
    is_long = scenery.may_turn and _longer_side(base.page) > SHORT
    shapes = _unspoken(base.page, has_few=has_few and not is_long) if wish is None else wished(wish)
    if wish is None and (_has_pools(scenery.inventory) or not (shapes.off(base.page) or _is_empty(base, scenery))):
        return Shaped(first)
    search = _Search(base, scenery, shapes)
    if not has_few:
        _try_flows(search, wish)
    elif shapes.off(base.page):
        search.turn()
    if has_few:
        search.balance()
    if wish is None:
        search.pack()
    return search.best()


def _try_flows(search: _Search, wish: float | None) -> None:
    """Try wider gaps, and if these are not enough, clusters, the directions of the flow, its folds, and their gaps."""
    scenery, base = search.scenery, search.first
    if not search.is_large:
        search.stretch(base)
    if search.is_settled():
        return
    if scenery.has_clusters and not scenery.is_small:
        search.consider(replace(_on_page(scenery.settings, base.page, wish or 1.0), clustered=True))
    search.balance()
    plain = [search.plain(direction) for direction in search.directions]
    if search.is_settled():
        return
    for settings, one in plain if scenery.layered else ():
        search.fold(settings, one)
    if wish is None:
        search.stretch(base)
        return
    for one in sorted(search.found, key=search.promise)[:MOST_STRETCHED]:
        search.stretch(one)


def no_worse(first: dict[str, Box], other: dict[str, Box], cost: Cost, more: int = 0) -> dict[str, Box]:
    """The other boxes, unless their lines cross more often than the first layout's, by more than `more` crossings."""
    before, after = cost(first), cost(other)
    return other if before is None or after is None or after.crossings <= before.crossings + more else first


def _has_few(inventory: Inventory) -> bool:
    """Whether a scene has few nodes: without a wish a small flow is not folded."""
    return sum(one not in inventory.children for one in inventory.elements) <= FEW_NODES


def _has_pools(inventory: Inventory) -> bool:
    """Whether a scene has pools: without a wish pools keep the first shape."""
    return any(map(is_tiled, inventory.elements.values()))


def _is_empty(base: _Candidate, scenery: Scenery) -> bool:
    """Whether a page that is small enough to be judged again has a large empty part."""
    return base.emptiness > _MUCH_EMPTY and scenery.is_small


def _is_flat_tree(inventory: Inventory) -> bool:
    """Whether a scene is a tree without frames: folded as a whole, the same for all lengths of a rank."""
    return len(inventory.children) == 1 and len(inventory.ties) == len(inventory.elements) - 1


def _has_parts(inventory: Inventory) -> bool:
    """Whether no lines join some elements of the page."""
    tops = inventory.children[ROOT]
    links = links_between(TieTable(inventory).inner[ROOT], {top: top for top in tops})
    return len(connected(Subgraph(tuple(Item(top, 1.0, 1.0) for top in tops), links))) > 1


def _on_page(settings: LayoutSettings, content: Box, aim: float) -> LayoutSettings:
    """The settings with a page of the content's area in the wished shape, for the rows of unconnected parts, the
    columns of a grid, the folding of trees."""
    side = sqrt(max(content.width * content.height, 1.0))
    return replace(settings, page=(side * sqrt(aim), side / sqrt(aim)), cloud=aim)


def _longer_side(page: Box) -> float:
    return max(page.width, page.height)


def _is_alike(one: _Candidate, other: _Candidate) -> bool:
    """Whether two candidates differ at most by a move of the whole page."""
    dx, dy = other.page.x - one.page.x, other.page.y - one.page.y
    return one.page.moved(dx, dy) == other.page and all(
        box.moved(dx, dy) == other.boxes[key] for key, box in one.boxes.items()
    )


def _page(boxes: Iterable[Box]) -> Box:
    return (union(boxes) or Box(0.0, 0.0, 0.0, 0.0)).grown(MARGIN)


def _judged_roughly(
    inventory: Inventory, boxes: Mapping[str, Box], settings: LayoutSettings, record: LayoutRecord
) -> _Candidate:
    """A candidate by its straight lines."""
    page = _page(boxes.values())
    solid = [box for one, box in boxes.items() if not inventory.children.get(one)]
    factor = 1.0 + EMPTY * max(0.0, emptiest_share(page, solid) - FREE_SHARE)
    crossings, length = layout_cost(inventory, boxes, settings.direction)
    return _Candidate(boxes, settings, record, page, length + STRAIGHT_CROSSING * crossings + 1.0, crossings, factor)


def emptiest_share(page: Box, boxes: Sequence[Box]) -> float:
    """The largest rectangle of a page without boxes, as a share of the page: on a raster of CELLS x CELLS."""
    wide, high = page.width / CELLS, page.height / CELLS
    taken = [[False] * CELLS for _ in range(CELLS)]
    for box in boxes:
        left, right = int((box.x - page.x) / wide + 0.5), int((box.right - page.x) / wide + 0.5)
        covered = [True] * (right - left)
        for row in range(int((box.y - page.y) / high + 0.5), max(int((box.bottom - page.y) / high + 0.5), 1)):
            taken[row][left:right] = covered
    heights, best = [0] * (CELLS + 1), 0
    for row in taken:
        heights = [0 if cell else height + 1 for cell, height in zip((*row, True), heights, strict=True)]
        stack: list[int] = []
        for at, height in enumerate(heights):
            while stack and heights[stack[-1]] >= height:
                tall = heights[stack.pop()]
                best = max(best, tall * (at - (stack[-1] + 1 if stack else 0)))
            stack.append(at)
    return best / (CELLS * CELLS)
