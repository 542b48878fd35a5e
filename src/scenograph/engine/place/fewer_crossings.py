"""Elements placed anew, one after another, so that the lines of a kept layout cross less often.

In: a layout that keeps what stood, what an edit touched, and how to compose the layout with one element elsewhere. Out:
the layout in which lines cost less. What it pushes counts; the page hardly grows. In small scenes lines are routed to
judge a place, and several elements may move; elsewhere straight lines stand for them, and one may. px. Rule R-KEEP-6.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from functools import partial
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Box, union
from scenograph.engine.kernels.straight_lines import Rectangle, between_boxes, crossed, pairs_crossed
from scenograph.engine.place.composer import Composer
from scenograph.engine.place.insertion import BaseLayout, Flow, base_layout, free_places
from scenograph.engine.place.inventory import Unit, unit_round
from scenograph.engine.place.layout_cost import MAX_JUDGED_TIES
from scenograph.engine.place.orientation import TURNS, turned_box
from scenograph.engine.place.standing import shift_between
from scenograph.engine.tables import LineCost

# Which elements an edit should place anew, so that the lines that it brings cross fewer others. In: a layout that
# keeps what stood, and the elements that an edit touches: what is new, and the ends of new lines. Out: of these,
# and of the ends of the lines that theirs cross, those to take out and insert again, the best first. Only what
# stands by itself may move: nothing given, locked, placed relative to another or with content. Straight lines stand
# for the routed ones, and one between boxes beside each other counts as a crossing, for the routed one leaves the
# flow and crosses others. In small scenes the caller routes the lines of several choices and takes the best. px.
# Rule R-KEEP-6.


TRIED = 3  # elements, those first whose lines are crossed most
LOOKED_AT = 16  # elements of which several places are judged by straight lines, before lines are routed
PLACES = 6  # of each of these
LINES_ROUTED = 600  # for all these places, the most promising first: each costs a routing of the whole scene


class Tangle:
    """The straight lines of a layout; `flow_in` tells how content flows in a container."""

    def __init__(self, composer: Composer, ground: BaseLayout, flow_in: Callable[[str], Flow]) -> None:
        self._composer, self._ground, self._flow_in = composer, ground, flow_in
        self._turn = TURNS.get(composer.settings.direction, TURNS["TB"])
        self._ties = [tie for tie in composer.inventory.ties if tie.source != tie.target]
        number_of = {one: number for number, one in enumerate(ground.now)}
        boxes: list[Rectangle] = [turned_box(box, self._turn) for box in ground.now.values()]
        self._ends = [(number_of[tie.source], number_of[tie.target]) for tie in self._ties]
        self._segments, self._beside = between_boxes(boxes, self._ends)
        relations = {one: composer.inventory.relation(one) for one in composer.inventory.elements}
        self._bound = {end for one, layout in relations.items() if layout is not None for end in (one, layout.target)}
        self._at: dict[str, list[int]] = {}
        for number, tie in enumerate(self._ties):
            self._at.setdefault(tie.source, []).append(number)
            self._at.setdefault(tie.target, []).append(number)
        self._units: dict[str, Unit] = {}
        self._every = list(range(len(self._ties)))

    @property
    def cost(self) -> int:
        """How many crossings there are, and lines between boxes beside each other."""
        return pairs_crossed(self._segments, self._ends) + self.beside

    @property
    def beside(self) -> int:
        """How many lines join boxes that stand beside each other, across the flow."""
        return sum(self._beside)

    def crosses(self, elements: Set[str]) -> bool:
        """Whether a line of these elements crosses another."""
        return any(self._crossings(one) for one in elements if one in self._at)

    def worth_moving(self, touched: Set[str], crossed: Set[str] | None) -> list[tuple[str, Box]]:
        """What to insert again, and where, those rows first that promise most. `crossed` are the ends of routed lines
        that cross others; where these are known, straight lines say only what to look at."""
        if not self._ties:
            return []
        return self._with_fewer(touched) if crossed is None else self._worth_routing(touched, crossed)

    def _with_fewer(self, touched: Set[str]) -> list[tuple[str, Box]]:
        """The elements that, inserted again where they suit best, would have fewer crossings; those first that lose
        most of them."""
        crossings = {one: self._crossings(one) for one in self._candidates(touched)}
        tried = sorted((one for one in crossings if crossings[one]), key=lambda one: -crossings[one])[:TRIED]
        fewer: dict[tuple[str, Box], int] = {}
        for one in tried:
            if crossings[one] <= max(fewer.values(), default=0):
                break  # it cannot lose more than it has
            place = self._inserted(one, 1)[0]
            fewer[one, place] = crossings[one] - self._crossings_at(one, place)
        return sorted((row for row in fewer if fewer[row] > 0), key=lambda row: -fewer[row])

    def _worth_routing(self, touched: Set[str], crossed: Set[str]) -> list[tuple[str, Box]]:
        """Another way of what neither is touched nor crosses anything is no reason to move it."""
        fewer: dict[tuple[str, Box], tuple[int, int]] = {}
        candidates = [one for one in self._candidates(touched) if one in touched or one in crossed]
        for one in candidates[:LOOKED_AT]:
            now = self._crossings(one)
            for rank, place in enumerate(self._inserted(one, PLACES)):
                if place != self._ground.now[one]:
                    fewer[one, place] = self._crossings_at(one, place) - now, rank
        return sorted(fewer, key=lambda row: fewer[row])[: LINES_ROUTED // len(self._ties)]

    def _candidates(self, touched: Set[str]) -> list[str]:
        """What is touched, then the ends of all lines that cross its lines; each once."""
        first = [one for one in self._at if one in touched]
        others = sorted({other for one in first for number in self._at[one] for other in self._crossed(number)})
        ends = [end for number in others for end in (self._ties[number].source, self._ties[number].target)]
        return [one for one in dict.fromkeys([*first, *ends]) if self._is_movable(one)]

    def _is_movable(self, one: str) -> bool:
        return (
            one not in self._bound and one not in self._composer.fixed and one not in self._composer.inventory.children
        )

    def _crossings(self, one: str) -> int:
        return sum(len(self._crossed(number)) + self._beside[number] for number in self._at[one])

    def _crossed(self, number: int) -> set[int]:
        """The lines that one crosses; those that share an end with it do not."""
        tie = self._ties[number]
        return crossed(self._segments, self._every, number).difference(self._at[tie.source], self._at[tie.target])

    def _crossings_at(self, one: str, place: Box) -> int:
        """How many crossings the lines of an element have if it stands there."""
        was = self._ground.now[one]
        self._put(one, place)
        found = self._crossings(one)
        self._put(one, was)
        return found

    def _put(self, one: str, box: Box) -> None:
        now = self._ground.now
        now[one] = box
        for number in self._at[one]:
            tie = self._ties[number]
            ends: list[Rectangle] = [turned_box(now[tie.source], self._turn), turned_box(now[tie.target], self._turn)]
            (self._segments[number],), (self._beside[number],) = between_boxes(ends, [(0, 1)])

    def _inserted(self, one: str, most: int) -> list[Box]:
        """Where an element goes if it joins the others now, who stay; the best places first."""
        was = self._ground.now[one]
        container = self._composer.inventory.parent[one]
        beside = [self._unit(other) for other in self._composer.inventory.children[container] if other != one]
        coming = self._unit(one)
        del self._ground.now[one]
        found = free_places(self._ground, self._flow_in(container), container, beside, coming, most=most)
        self._ground.now[one] = was
        return [unit.core for unit in found]

    def _unit(self, one: str) -> Unit:
        """An element where it stands; it is asked for while nothing is tried out."""
        if one not in self._units:
            box, outset = self._ground.now[one], self._composer.outset(one)
            self._units[one] = unit_round(one, box, outset, {}, fixed=False)
        return self._units[one]


ROOM = 25_000.0  # px² that the page may grow for each `WORTH` px that lines save
WORTH = (
    100.0  # px: what placing an element anew must save at least; a fourth of a crossing that routing could not avoid
)
MOST_MOVED = 0.1  # of the elements may be placed anew at once, or pushed by that
AT_ONCE = 2  # elements placed anew in a small scene, one after another
Boxes = Mapping[str, Box]
Judge = Callable[[Boxes], LineCost | None]
"""What the lines of a layout cost as they are routed; None where that takes too long."""


class Trial(NamedTuple):
    """What an edit `touched`, what the lines of a layout cost, and how others come to be: `moved` composes the layout
    with an element elsewhere (composer, former places, layout, the element, its place), `flow` tells how content flows
    in a container of a layout."""

    touched: Set[str]
    judge: Judge
    moved: Callable[[Composer, Boxes, Boxes, str, Box], dict[str, Box] | None]
    flow: Callable[[Composer, Boxes, str], Flow]


class _Layout(NamedTuple):
    """A layout, its straight lines, what routed ones cost (None: too many), and the cost that counts."""

    boxes: dict[str, Box]
    tangle: Tangle
    judged: LineCost | None
    px: float


def with_fewer_crossings(composer: Composer, former: Boxes, boxes: dict[str, Box], trial: Trial) -> dict[str, Box]:
    """The layout with those elements placed anew that save most; `former` is where everything stood before the edit."""
    if not trial.touched or len(composer.inventory.ties) > MAX_JUDGED_TIES:
        return boxes
    layout = _layout(composer, boxes, trial)
    for _ in range(1 if layout.judged is None else AT_ONCE):
        better = _with_one_moved(composer, former, layout, trial)
        if better is layout:
            break
        layout = better
    return layout.boxes


def _layout(composer: Composer, boxes: dict[str, Box], trial: Trial) -> _Layout:
    """A layout with its cost: that of its lines as they are routed, where that was tried, and what leaves the flow:
    else an element would stand beside the one that it follows."""
    ground = base_layout(composer.inventory, composer.settings, boxes)
    tangle, judged = Tangle(composer, ground, partial(trial.flow, composer, boxes)), trial.judge(boxes)
    px = WORTH * tangle.cost if judged is None else judged.px + WORTH * tangle.beside
    return _Layout(boxes, tangle, judged, px)


def _with_one_moved(composer: Composer, former: Boxes, layout: _Layout, trial: Trial) -> _Layout:
    """The layout with the one element elsewhere that saves most; the same one where none saves enough."""
    inventory, (boxes, tangle, judged, px) = composer.inventory, layout
    if not tangle.crosses(trial.touched) and not (judged and judged.crossed & trial.touched):
        return layout
    most = max(1.0, MOST_MOVED * (len(inventory.elements) - len(inventory.children)))
    most += shift_between(inventory, former, boxes).far
    best = layout
    for one, place in tangle.worth_moving(trial.touched, None if judged is None else judged.crossed):
        found = trial.moved(composer, former, boxes, one, place)
        if found is None or shift_between(inventory, former, found).far > most:
            continue
        other = _layout(composer, found, trial)
        saved = px - other.px
        if other.px < best.px and saved >= WORTH and _area(found) <= _area(boxes) + ROOM * saved / WORTH:
            best = other
            if other.judged is None or not other.judged.crossed & trial.touched:
                break
    return best


def _area(boxes: Boxes) -> float:
    page = union(boxes.values())
    return 0.0 if page is None else page.width * page.height
