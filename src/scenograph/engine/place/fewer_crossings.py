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
from scenograph.engine.place.composer import Composer
from scenograph.engine.place.insertion import Flow, base_layout
from scenograph.engine.place.layout_cost import MAX_JUDGED_TIES
from scenograph.engine.place.reframing import shift_between
from scenograph.engine.place.untangling import Tangle
from scenograph.engine.tables import LineCost

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
