"""What a placement promises of any scene, as questions to one.

`broken(document)` names every promise that the placement of a document does not keep, with the elements it is about.
px.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations, pairwise
from math import isfinite
from typing import Any

from scenograph.diagnostics import Diagnostic, Report
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.measure import measure
from scenograph.engine.place.constraints.kinds import CONSTRAINTS, Board
from scenograph.engine.place.containers.frames import outset_of
from scenograph.engine.place.inventory import ROOT, Inventory, take_inventory
from scenograph.engine.place.placing import place
from scenograph.engine.resolve import resolve
from scenograph.engine.sketch import read_sketch
from scenograph.engine.style import finish_styles
from scenograph.engine.tables import Placement, Sizes
from scenograph.engine.themes import choose_theme
from scenograph.scene.model import Frame, Group, Scene
from scenograph.scene.reading import read_scene

Json = dict[str, Any]
SLACK = 0.02
HEADER = 24.0
TOLERANCE = 0.5


@dataclass(frozen=True)
class Page:
    """A placed document and what may be asked about it."""

    document: Json
    scene: Scene
    sizes: Sizes
    placement: Placement
    remarks: tuple[Diagnostic, ...]

    @property
    def boxes(self) -> Mapping[str, Box]:
        """The box of every element."""
        return self.placement.boxes

    @cached_property
    def inventory(self) -> Inventory:
        """The forest of all elements."""
        counts = not any(row.data and row.data.get("allAtOrigin") for row in self.remarks)
        return take_inventory(self.scene, self.sizes, positions_count=counts)

    def whole(self, element_id: str) -> Box:
        """A box with the room that belongs to it."""
        element, size = self.inventory.elements[element_id], self.inventory.size(element_id)
        outset = outset_of(element, size) if isinstance(element, Frame | Group) else size.outset
        return self.boxes[element_id].with_outset(outset)

    @cached_property
    def anchored(self) -> frozenset[str]:
        """What its author gave a place, and what is placed relative to that."""
        found = {one for one in self.inventory.elements if self.inventory.position(one) is not None}
        return frozenset(self._with_followers(found))

    @cached_property
    def bound(self) -> frozenset[str]:
        """What is anchored, what contains that, and pools and lanes that have to fit to it."""
        found = self.anchored | {up for one in self.anchored for up in self.inventory.ancestors(one)}
        children = self.inventory.children
        for bands in [row for row in children.values() if found & {one for one in row if _type(self, one) == "pool"}]:
            pools = [one for one in bands if _type(self, one) == "pool"]
            found |= {*pools, *(lane for one in pools for lane in children[one] if _type(self, lane) == "lane")}
        return found

    @cached_property
    def given_pools(self) -> frozenset[str]:
        """Pools whose box their author gave, large enough for their content or not."""
        pools = [one for one in self.inventory.children if _type(self, one) == "pool"]
        return frozenset(one for one in pools if self.inventory.position(one) is not None)

    @cached_property
    def stirred(self) -> frozenset[str]:
        """What constraints may move: what they name, the content of that, what is relative to it or contains it."""
        named = set[str]()
        known = self.inventory.elements
        for row in self.document.get("constraints", ()):
            named |= {*row["elements"], *([row["container"]] if "container" in row else [])}
            if "container" in row:  # it may be drawn round what stands elsewhere, and over the neighbours of that
                named |= {up for one in row["elements"] if one in known for up in self.inventory.ancestors(one)}
        found = self._with_followers(
            {one for one in known if named & {one, *self.inventory.ancestors(one)}},
        )
        return frozenset(found | {up for one in found for up in self.inventory.ancestors(one)})

    def _with_followers(self, found: set[str]) -> set[str]:
        """These, and what is placed relative to any of them, with its content."""
        known = self.inventory.elements
        while True:
            more = {
                one
                for one in known
                for here in (one, *self.inventory.ancestors(one)[:-1])
                if (layout := self.inventory.relation(here)) is not None and layout.target in found
            }
            if more <= found:
                return found
            found = found | more

    def is_related(self, first: str, second: str) -> bool:
        """Whether one contains the other."""
        return first in self.inventory.ancestors(second) or second in self.inventory.ancestors(first)


def placed(document: Json, sketch: Json | None = None) -> Page:
    """The page of a document, by the real stages; `sketch` are the places that its elements had before."""
    report = Report()
    scene = resolve(read_scene(document, report), report)
    sizes = measure(scene, finish_styles(scene, choose_theme(None, scene)), report)
    return Page(document, scene, sizes, place(scene, sizes, report, read_sketch(sketch)), report.rows)


def is_finite(page: Page) -> Iterator[str]:
    """Every element has a box that can be drawn."""
    for one in page.inventory.elements:
        box = page.boxes.get(one)
        if box is None or not all(isfinite(side) for side in box) or min(box.width, box.height) < 0:
            yield f"{one} has {box}"


def keeps_positions(page: Page) -> Iterator[str]:
    """Absolute elements stand where they are given, unless a constraint may move them."""
    for one in page.inventory.elements:
        given = page.inventory.position(one)
        if given is not None and one not in page.stirred and page.boxes[one][:2] != given:
            yield f"{one} at {page.boxes[one][:2]} instead of {given}"


def keeps_apart(page: Page) -> Iterator[str]:
    """Nothing lies on anything else but its own content, where the engine chose the place of either."""
    for first, second in combinations(page.inventory.elements, 2):
        if page.is_related(first, second) or _is_cramped(page, first, second) or _is_cramped(page, second, first):
            continue
        if page.whole(first).grown(-SLACK).overlaps(page.whole(second)) and not _is_wished(page, first, second):
            yield f"{first} {page.whole(first)} on {second} {page.whole(second)}"


def _is_cramped(page: Page, first: str, second: str) -> bool:
    """Whether places that an author gave hold a container there, and the other in one that crosses it."""
    around = {first, *page.inventory.ancestors(first)} - {ROOT}
    if around & page.given_pools & {second, *page.inventory.ancestors(second)}:
        return True
    return second in page.bound and (
        first in page.bound or (second in page.inventory.children and bool(around & page.bound))
    )


def _is_wished(page: Page, first: str, second: str) -> bool:
    """Whether constraints brought both there, or one to where the other must not give way."""
    stirred = [one in page.stirred for one in (first, second)]
    firm = [one in page.bound or _is_locked(page, one) for one in (first, second)]
    return all(stirred) or (stirred[0] and firm[1]) or (stirred[1] and firm[0])


def _is_locked(page: Page, element_id: str) -> bool:
    around = (element_id, *page.inventory.ancestors(element_id)[:-1])
    return any(page.inventory.elements[one].locked for one in around)


def holds_content(page: Page) -> Iterator[str]:
    """Children lie in their container, where its author did not give its box nor set them where no lanes can be."""
    for one, parent in page.inventory.parent.items():
        is_band = _type(page, parent) in ("lane", "pool") and one in page.bound
        if parent == ROOT or _has_given_box(page, parent) or is_band:
            continue
        if not page.boxes[parent].grown(SLACK).contains(page.whole(one)):
            yield f"{one} {page.whole(one)} leaves {parent} {page.boxes[parent]}"


def _has_given_box(page: Page, container: str) -> bool:
    """Whether the author said where a container begins or how large it is; a lane's pool counts for it."""
    inventory = page.inventory
    around = [container]
    if _type(page, container) == "lane" and inventory.parent[container] != ROOT:
        around.append(inventory.parent[container])
    return any(inventory.position(one) is not None or inventory.elements[one].layout.width for one in around)


def keeps_titles_clear(page: Page) -> Iterator[str]:
    """No element lies on the title of its own frame."""
    for frame in page.inventory.children:
        title = page.placement.part(frame, "title")
        if frame == ROOT or title is None or _has_given_box(page, frame):
            continue
        for one in page.inventory.children[frame]:
            if one not in page.bound | page.stirred and page.whole(one).overlaps(title.grown(-SLACK)):
                yield f"{one} on the title of {frame}"


def tiles_pools(page: Page) -> Iterator[str]:
    """Lanes without positions lie one after another and fill their pool but for its header."""
    for pool in page.inventory.children:
        lanes = [one for one in page.inventory.children[pool] if _type(page, one) == "lane"]
        if _type(page, pool) != "pool" or not lanes or len(lanes) != len(page.inventory.children[pool]):
            continue
        if not {pool, *lanes} & page.bound:
            yield from _gaps_in(page, pool, lanes)


def _gaps_in(page: Page, pool: str, lanes: list[str]) -> Iterator[str]:
    element = page.inventory.elements[pool]
    upright = isinstance(element, Frame) and element.lane_direction == "vertical"
    rows = sorted((_turned(page.boxes[lane], upright=upright) for lane in lanes), key=lambda box: box.y)
    whole = _turned(page.boxes[pool], upright=upright)
    sides = {(box.x, box.right) for box in rows}
    meets = all(abs(above.bottom - below.y) <= SLACK for above, below in pairwise(rows))
    ends = (rows[0].y - whole.y, whole.bottom - rows[-1].bottom, min(sides)[0] - whole.x - HEADER)
    if len(sides) != 1 or not meets or max(map(abs, ends)) > SLACK:
        yield f"lanes {[page.boxes[lane] for lane in lanes]} in {pool} {page.boxes[pool]}"


def _turned(box: Box, *, upright: bool) -> Box:
    return Box(box.y, box.x, box.height, box.width) if upright else box


def _type(page: Page, element_id: str) -> str:
    element = page.inventory.elements.get(element_id)
    return element.container_type if isinstance(element, Frame) else ""


BEYOND: Mapping[str, Callable[[Box, Box], float]] = {
    "rightOf": lambda own, target: own.x - target.right,
    "leftOf": lambda own, target: target.x - own.right,
    "below": lambda own, target: own.y - target.bottom,
    "above": lambda own, target: target.y - own.bottom,
}


def keeps_relations(page: Page) -> Iterator[str]:
    """What is placed relative to an element of the same container stands on that side of it, at least the gap away;
    pools and lanes, which tile, have their places by their order."""
    for one in page.inventory.elements:
        layout = page.inventory.relation(one)
        if layout is None or layout.target is None or layout.relation not in BEYOND or one in page.stirred:
            continue
        is_beside = page.inventory.parent[one] == page.inventory.parent[layout.target]
        gap = BEYOND[layout.relation](page.boxes[one], page.boxes[layout.target])
        if (
            is_beside
            and {"pool", "lane"}.isdisjoint(map(partial(_type, page), (one, layout.target)))
            and gap < (layout.gap or 0.0) - TOLERANCE
        ):
            yield f"{one} is not {layout.relation} {layout.target}: {gap}"


def reports_wishes(page: Page) -> Iterator[str]:
    """A constraint holds or is reported, never both."""
    board = Board(page.inventory, page.boxes)
    broken = {row.path for row in page.remarks if row.code == "CONSTRAINT_UNSATISFIED"}
    for number, constraint in enumerate(page.scene.constraints):
        if CONSTRAINTS[constraint.type].holds(board, constraint) == (f"/constraints/{number}" in broken):
            yield f"{constraint.id} {constraint.type}"


def repeats(page: Page) -> Iterator[str]:
    """The same document is placed the same."""
    if placed(page.document).placement != page.placement:
        yield "placed otherwise the second time"


def rests(page: Page) -> Iterator[str]:
    """A document with all places written down is placed just so."""
    rows = [_written(page, one) for one in page.document["elements"]]
    again = placed(page.document | {"elements": rows})
    for one, box in page.boxes.items():
        if any(abs(a - b) > SLACK for a, b in zip(box, again.boxes[one], strict=True)):
            yield f"{one} goes from {box} to {again.boxes[one]}"


def _written(page: Page, element: Json) -> Json:
    box = page.boxes.get(element["id"])
    if box is None:
        return element
    return element | {"layout": {"mode": "absolute", **{name: round(side, 2) for name, side in box._asdict().items()}}}


PROMISES: tuple[Callable[[Page], Iterator[str]], ...] = (
    is_finite,
    keeps_positions,
    keeps_apart,
    holds_content,
    keeps_titles_clear,
    tiles_pools,
    keeps_relations,
    reports_wishes,
    repeats,
    rests,
)


def broken(document: Json) -> list[str]:
    """Every promise that the placement of a document does not keep, and where."""
    page = placed(document)
    return [f"{promise.__name__}: {finding}" for promise in PROMISES for finding in promise(page)]
