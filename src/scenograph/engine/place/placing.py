"""Placement: the positions of all elements except edges.

In: the resolved scene and the sizes. Out: a box for every boxed element, and its part boxes. Promises: absolute
positions are kept exactly; without absolute positions no two elements overlap and children lie inside their frames;
placing a placed scene moves nothing. Rules R-PLACE-2, R-PLACE-3, R-PLACE-12.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import partial
from math import floor
from statistics import median
from typing import NamedTuple, Protocol

from scenograph.diagnostics import (
    LAYOUT_ABSOLUTE_AT_ORIGIN,
    LAYOUT_STRATEGY_OVERRIDDEN,
    Report,
)
from scenograph.engine.effort import LAYERING, report_limited
from scenograph.engine.families.catalog import family_named, unspoken_direction
from scenograph.engine.families.family import PlacingTools
from scenograph.engine.geometry.boxes import Box, Point, union
from scenograph.engine.kernels.straight_lines import rounded
from scenograph.engine.page import corner_on_page
from scenograph.engine.place.algorithms import ALGORITHMS, Algorithm
from scenograph.engine.place.choosing import MOST_JUDGED, UNJUDGED, ChosenLayout, Costs, chosen, established, grown
from scenograph.engine.place.constraints.kinds import with_equal_sizes
from scenograph.engine.place.constraints.solving import constrained, report_broken
from scenograph.engine.place.containers.attachments import attachments
from scenograph.engine.place.containers.composer import Composer, composer_of
from scenograph.engine.place.containers.composing import DirectedFrames, compose
from scenograph.engine.place.containers.parts import labelled_parts, parts_of
from scenograph.engine.place.containers.twins import FOR_ORDER, Twins
from scenograph.engine.place.incremental.closing_up import closed_up
from scenograph.engine.place.incremental.remembering import remembered, wider_rooms
from scenograph.engine.place.inventory import Cost, Inventory, take_inventory
from scenograph.engine.place.page_shape import FEW_TIES, Scenery, Shaped, folding, in_shape, no_worse
from scenograph.engine.place.remarks import report_missed, report_overfull, report_titles
from scenograph.engine.place.satellites import with_satellites
from scenograph.engine.place.subgraph import NODE_SPACING, PAGE, RANK_SPACING, LayoutRecord, LayoutSettings
from scenograph.engine.sketch import NO_SKETCH, Sketch
from scenograph.engine.tables import LineCost, Placement, Sizes
from scenograph.late_dataclasses import replace
from scenograph.scene.model import Boxed, Layout, LayoutStrategy, Node, Scene

_DEFAULT_ALGORITHM = "hierarchical"
LEAST_PAGE = 1.0  # px; a declared page may be 0
MOST_COMPARED = 1_000  # elements and lines of a scene whose lines are routed for the shape of its page
MANY = 3  # elements for each given place, at least


class Judge(Protocol):
    """Prices placements by their edges."""

    def __call__(self, placement: Placement, *, labelled: bool = False) -> LineCost:
        """The cost of a placement's edges by their courses; `labelled`: by finished routes with labels."""
        ...


def place(
    scene: Scene, sizes: Sizes, report: Report, sketch: Sketch = NO_SKETCH, judge: Judge | None = None
) -> Placement:
    """The placement of a scene, as close to its sketch as possible. `judge` routes edges, for choosing among placements
    of a small scene from a sketch. Reports LAYOUT_ABSOLUTE_AT_ORIGIN, LAYOUT_STRATEGY_OVERRIDDEN,
    CONSTRAINT_UNSATISFIED, GIVEN_BOX_MISSED, FRAME_OVERFULL, and TEXT_OVERFLOW of frames' titles."""
    counts = _positions_count(scene, sketch, report)
    placement = _placed(scene, sizes, report, sketch, judge, counts=counts)
    report_titles(scene, sizes, placement, report)
    given = scene if counts else without_positions(scene)
    report_missed(given, placement, report)
    report_overfull(given, placement, report)
    return placement


def _placed(
    scene: Scene, sizes: Sizes, report: Report, sketch: Sketch, judge: Judge | None, *, counts: bool
) -> Placement:
    """The placement by the family's own placing, or by the scene's algorithm. Families with their own placing support
    no constraints: broken constraints are reported. `counts`: absolute positions count."""
    own = family_named(scene.diagram_family).place
    if own is None:
        inventory = take_inventory(scene, sizes, positions_count=counts)
        boxes, shaped_by = _arranged(scene, inventory, report, sketch, judge)
        report_broken(scene.constraints, inventory, boxes, report)
        return Placement(boxes=boxes, parts=parts_of(inventory, boxes), shaped_by=shaped_by)
    tools = PlacingTools(
        arrange=lambda given, former: (
            _arranged(given, take_inventory(given, sizes), report, _sketch_of(given, former, sketch)).boxes
        ),
        parts=lambda given, boxes: parts_of(take_inventory(given, sizes), boxes),
        former=sketch.at_home(scene),
    )
    placement = own(scene if counts else without_positions(scene), sizes, tools)
    report_broken(scene.constraints, take_inventory(scene, sizes), placement.boxes, report)
    return replace(placement, shaped_by="family")


def _sketch_of(given: Scene, former: Mapping[str, Box], sketch: Sketch) -> Sketch:
    """The sketch for a scene from a family's own placing, which gives the former boxes. Content of containers turned
    into plain boxes stood on the page."""
    if not former:
        return NO_SKETCH
    plain, homes = {one.id for one in given.elements if isinstance(one, Node)}, sketch.homes
    if homes is not None:
        homes = {one: home for one, home in homes.items() if home not in plain}
    return replace(sketch, boxes=former, homes=homes)


def without_positions(scene: Scene, resized: Collection[str] = ()) -> Scene:
    """The scene without its absolute positions; sizes stay, except of the elements `resized`."""
    rows = (
        replace(one, layout=_without_position(one.layout, is_resized=one.id in resized))
        if isinstance(one, Boxed) and one.layout.mode == "absolute"
        else one
        for one in scene.elements
    )
    return replace(scene, elements=tuple(rows))


def _without_position(layout: Layout, *, is_resized: bool) -> Layout:
    return Layout(mode="auto") if is_resized else Layout(mode="auto", width=layout.width, height=layout.height)


def closed_up_sketch(scene: Scene, sizes: Sizes, boxes: Mapping[str, Box], folded: Collection[str]) -> Sketch:
    """The sketch of a view: the boxes of the whole picture closed up round folded frames."""
    inventory = take_inventory(scene, sizes)
    return Sketch(closed_up(inventory, boxes, folded), homes=inventory.parent)


def _arranged(
    scene: Scene,
    inventory: Inventory,
    report: Report,
    sketch: Sketch = NO_SKETCH,
    judge: Judge | None = None,
) -> Shaped:
    """The box of every element by the scene's own algorithm and constraints; elements of the sketch stay at their
    former place."""
    name = _DEFAULT_ALGORITHM if scene.layout_strategy is None else scene.layout_strategy.algorithm
    algorithm = ALGORITHMS.get(name, ALGORITHMS[_DEFAULT_ALGORITHM])
    algorithm = algorithm._replace(arrange=folding(algorithm.arrange))
    settings = _settings(scene, algorithm)
    is_drawn = not algorithm.layered or len(sketch.boxes) > 0
    attached = attachments(inventory, sketch, settings.direction)
    layered = attached.unseen(inventory if is_drawn else with_satellites(scene, inventory, settings.direction))
    twins = None if is_drawn else Twins(layered)
    layered = layered if twins is None else twins.apart()
    even = with_equal_sizes(scene.constraints, layered)

    def finished(boxes: Mapping[str, Box], remarks: Report, *, anew: bool) -> dict[str, Box]:
        boxes = attached.set_on(constrained(scene.constraints, layered, boxes, settings, remarks))
        if anew and not any(inventory.position(element_id) for element_id in inventory.elements):
            boxes = _on_page(scene, inventory, boxes)
        return _rounded(inventory, boxes)

    def cost(
        boxes: Mapping[str, Box], *, most: int = MOST_JUDGED, anew: bool = False, labelled: bool = False
    ) -> LineCost | None:
        if judge is None or _count(inventory) > most:
            return None
        final = finished(boxes, Report(), anew=anew)
        return judge(Placement(boxes=final, parts=parts_of(inventory, final)), labelled=labelled)

    composer = composer_of(even, algorithm.arrange, settings)
    kept = None
    if sketch.boxes:
        kept = remembered(composer, sketch, judge=cost, wider=wider_rooms(inventory, sketch))
    choice = Costs(partial(cost, anew=True), partial(cost, anew=True, labelled=True))
    costs = _Costs(choice, partial(cost, anew=True, most=MOST_COMPARED))
    anew = None if kept else _composed(scene, composer, algorithm, costs, twins)
    if composer.record.beyond:
        report_limited(LAYERING, composer.record.beyond, report)
    if anew is None:
        return Shaped(finished(kept or {}, report, anew=False), "placed")
    return anew._replace(boxes=finished(anew.boxes, report, anew=True))


class _Costs(NamedTuple):
    """The cost of routed lines: for each choice among layouts, and for the shape of a page, in larger scenes too."""

    choice: Costs
    shape: Cost


def _count(inventory: Inventory) -> int:
    """The number of elements and lines. This number bounds the routing for a choice among layouts."""
    return len(inventory.elements) + len(inventory.ties)


def _composed(
    scene: Scene,
    composer: Composer,
    algorithm: Algorithm,
    costs: _Costs,
    twins: Twins | None = None,
) -> Shaped:
    """The composed layout. With only a few given places, the layout of the scene without these places is kept round
    them if possible."""
    inventory = composer.inventory
    if not composer.fixed:
        return _free(scene, composer, algorithm, costs, twins)
    if len(composer.fixed) * MANY <= len(inventory.elements) - len(inventory.children) + 1:
        free = composer.of(replace(inventory, positions_count=False))
        boxes = _on_page(scene, free.inventory, grown(free, established(free, algorithm), algorithm))
        boxes = _round_anchors(boxes, composer.fixed)
        found = remembered(composer, Sketch(_rounded(free.inventory, boxes)), is_seen=False)
        if found is not None:
            return Shaped(found, "placed")
    return Shaped(compose(composer, algorithm), "placed")


def _round_anchors(boxes: Mapping[str, Box], fixed: Mapping[str, Point]) -> dict[str, Box]:
    """A layout of all elements, moved to the given places of some by the median of their distances. A layout that
    covers these places already stays: one element set elsewhere in a picture leaves the others."""
    page = union(boxes.values())
    anchors = union(Box(*corner, boxes[one].width, boxes[one].height) for one, corner in fixed.items())
    if page is None or anchors is None or page.grown(RANK_SPACING).contains(anchors):
        return dict(boxes)
    dx = floor(median(corner.x - boxes[one].x for one, corner in fixed.items()))
    dy = floor(median(corner.y - boxes[one].y for one, corner in fixed.items()))
    return {element_id: box.moved(dx, dy) for element_id, box in boxes.items()}


def _free(scene: Scene, composer: Composer, algorithm: Algorithm, costs: _Costs, twins: Twins | None) -> Shaped:
    """The layout of a scene without given places."""

    def inside(inner: Composer, way: Algorithm) -> dict[str, Box]:
        return chosen(inner, established(inner, way), way, UNJUDGED).boxes

    frames = DirectedFrames(composer, algorithm, inside)

    def drawn(boxes: Mapping[str, Box]) -> dict[str, Box]:
        """The boxes with twins alike and in order, where lines cross no more often for it; with many lines always."""
        whole = frames.unfolded(boxes)
        for changed, more in ((twins.alike, 0), (twins.in_order, FOR_ORDER)) if twins is not None else ():
            other = changed(whole)
            whole = whole if other is None else no_worse(whole, other, costs.choice.courses, more)
        return whole

    def unfolded(cost: Cost) -> Cost:
        return lambda boxes: cost(frames.unfolded(boxes))

    # With many lines the routed layouts are the drawn ones; with few, twins would be judged for each of them.
    judged = frames.unfolded if _count(composer.inventory) <= MOST_JUDGED else drawn
    base = established(frames.composer, algorithm)
    first = chosen(frames.composer, base, algorithm, Costs(*map(unfolded, costs.choice)))
    scenery = _scenery(scene, first, base, lambda boxes: costs.shape(judged(boxes)))
    found = in_shape(first.boxes, scenery, scene.aspect_ratio)
    return found._replace(boxes=drawn(found.boxes))


def _scenery(scene: Scene, first: ChosenLayout, base: Composer, cost: Cost) -> Scenery:
    """The input for choosing a shape of the page, with ranking, order and room of the first layout; `base`:
    the composer of the established part. The flow may turn unless a direction is declared."""
    algorithm, composer = first.algorithm, first.composer
    inventory = composer.inventory
    if len(inventory.ties) > FEW_TIES and len(base.inventory.elements) == len(inventory.elements):
        composer = base  # late edges alone move nothing, and what is arranged already is not arranged again

    def lay_out(settings: LayoutSettings, record: LayoutRecord) -> Mapping[str, Box]:
        return compose(composer.with_settings(settings, record), algorithm)

    strategy, family = scene.layout_strategy, family_named(scene.diagram_family)
    may_turn = algorithm.layered and family.turns and (strategy is None or strategy.direction is None)
    is_small = _count(composer.inventory) <= MOST_JUDGED
    has_clusters = algorithm.layered and family.has_clusters
    return Scenery(
        composer.inventory,
        composer.settings,
        composer.record,
        algorithm.layered,
        may_turn,
        has_clusters,
        lay_out,
        cost,
        is_small,
    )


def _positions_count(scene: Scene, sketch: Sketch, report: Report) -> bool:
    """Whether absolute positions count. All absolute nodes at the origin count as not placed (R-PLACE-10), unless
    constraints moved them there."""
    nodes = scene.nodes
    absolute = [node for node in nodes if node.layout.mode == "absolute"]
    at_origin = [node.id for node in absolute if node.layout.x == 0 and node.layout.y == 0]
    strategy = scene.layout_strategy
    if not at_origin:
        if strategy is not None and nodes and len(absolute) == len(nodes):
            data = {"strategyAlgorithm": strategy.algorithm}
            report.add(LAYOUT_STRATEGY_OVERRIDDEN, path="/layoutStrategy", data=data, algorithm=strategy.algorithm)
        return True
    were_there = all(one in sketch.boxes and sketch.boxes[one][:2] == (0.0, 0.0) for one in at_origin)
    everywhere = len(at_origin) == len(absolute) and not were_there
    report.add(
        LAYOUT_ABSOLUTE_AT_ORIGIN,
        path="/elements",
        data={
            "affectedElementIds": sorted(at_origin),
            "allAtOrigin": everywhere,
            "layoutStrategyPresent": strategy is not None,
        },
        count=len(at_origin),
        outcome="the whole scene was laid out automatically" if everywhere else "they stay pinned there",
    )
    return not everywhere


def _settings(scene: Scene, algorithm: Algorithm) -> LayoutSettings:
    strategy, family = scene.layout_strategy or LayoutStrategy(), family_named(scene.diagram_family)
    return LayoutSettings(
        direction=strategy.direction or algorithm.direction or unspoken_direction(scene),
        node_spacing=NODE_SPACING if strategy.node_spacing is None else max(0.0, strategy.node_spacing),
        rank_spacing=RANK_SPACING if strategy.rank_spacing is None else max(0.0, strategy.rank_spacing),
        page=(max(scene.canvas.width or PAGE[0], LEAST_PAGE), max(scene.canvas.height or PAGE[1], LEAST_PAGE)),
        columns=strategy.columns,
        seed=strategy.seed or 0,
        main_path=family.main_path,
        flush=family.flush_ranks,
    )


def _on_page(scene: Scene, inventory: Inventory, boxes: Mapping[str, Box]) -> dict[str, Box]:
    """Content placed by the engine alone: centred on the declared canvas, or from its margin on."""
    labels = (parts["label"] for parts in labelled_parts(inventory, boxes).values() if "label" in parts)
    content = union((*_whole_boxes(inventory, boxes), *labels))
    if content is None:
        return dict(boxes)
    corner = corner_on_page(scene.canvas.width, scene.canvas.height, content)
    dx, dy = floor(corner.x - content.x), floor(corner.y - content.y)
    return {element_id: box.moved(dx, dy) for element_id, box in boxes.items()}


def _rounded(inventory: Inventory, boxes: Mapping[str, Box]) -> dict[str, Box]:
    """The boxes as rounded in documents, so that a scene read back is identical to the last digit; positions by the
    author stay unrounded."""
    corners = rounded(tuple([box[:2] for box in boxes.values()]))
    return {
        element_id: box
        if box[:2] == corner or inventory.position(element_id) == box[:2]
        else Box(*corner, box.width, box.height)
        for (element_id, box), corner in zip(boxes.items(), corners, strict=True)
    }


def _whole_boxes(inventory: Inventory, boxes: Mapping[str, Box]) -> Iterable[Box]:
    return (box.with_outset(inventory.size(element_id).outset) for element_id, box in boxes.items())
