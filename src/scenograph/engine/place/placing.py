"""Placement: the positions of all elements except edges.

In: the resolved scene and the sizes. Out: a box for every boxed element, and its part boxes. Promises: absolute
positions are kept exactly; without absolute positions no two elements overlap and children lie inside their frames;
placing a placed scene moves nothing. Rules R-PLACE-2, R-PLACE-3, R-PLACE-12.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from math import ceil, floor
from statistics import median
from typing import NamedTuple, Protocol, cast

from scenograph.diagnostics import (
    FRAME_OVERFULL,
    GIVEN_BOX_MISSED,
    LAYOUT_ABSOLUTE_AT_ORIGIN,
    LAYOUT_STRATEGY_OVERRIDDEN,
    Report,
)
from scenograph.engine.effort import LAYERING, report_limited
from scenograph.engine.families.catalog import edge_kind, family_named, unspoken_direction
from scenograph.engine.families.family import PlacingTools, is_tiled
from scenograph.engine.geometry.boxes import Box, Point, corner_on_page, union
from scenograph.engine.geometry.directions import SIDEWAYS
from scenograph.engine.place.algorithms import ALGORITHMS, Algorithm
from scenograph.engine.place.choosing import MOST_JUDGED, ChosenLayout, chosen, established, grown
from scenograph.engine.place.constraints.kinds import MEMBERS, equal_sizes, with_equal_sizes
from scenograph.engine.place.constraints.solving import constrained, report_broken
from scenograph.engine.place.containers.attachments import attachments
from scenograph.engine.place.containers.composer import Composer, composer_of
from scenograph.engine.place.containers.composing import DirectedFrames, compose
from scenograph.engine.place.containers.frames import TITLE_GAP, UPRIGHT_LANES
from scenograph.engine.place.containers.parts import labelled_parts, parts_of
from scenograph.engine.place.containers.pools import is_upright
from scenograph.engine.place.containers.twins import FOR_ORDER, Twins
from scenograph.engine.place.incremental.closing_up import closed_up
from scenograph.engine.place.incremental.remembering import remembered, wider_rooms
from scenograph.engine.place.inventory import ROOT, Cost, Inventory, take_inventory
from scenograph.engine.place.page_shape import FEW_TIES, Scenery, Shaped, folding, in_shape, no_worse
from scenograph.engine.place.subgraph import LABEL_ENDS, NODE_SPACING, PAGE, RANK_SPACING, LayoutRecord, LayoutSettings
from scenograph.engine.sketch import NO_SKETCH, Sketch
from scenograph.engine.tables import LineCost, Placement, Sizes
from scenograph.engine.text.layout import report_overflow
from scenograph.late_dataclasses import replace
from scenograph.scene.model import Boxed, Edge, Frame, Layout, LayoutStrategy, Node, Scene

# Satellites beside the steps of a flow: data objects, data stores, annotations. In: the scene and its inventory. Out:
# the inventory with satellites placed relative to their steps, and without their edges. An element is a satellite if
# all its edges run `beside` the flow (`EdgeKind`) and its step is in the same container: the first source of its edges,
# else the first target. Satellites stand above and below a step of a sideways flow, otherwise right and left, in turn.
# Rule R-FLOW-10.


GAP = 32.0  # px; between a step and its satellite: room for an arrow
_RELATIONS_ACROSS = {True: ("below", "above"), False: ("rightOf", "leftOf")}  # by whether the flow runs sideways


def with_satellites(scene: Scene, inventory: Inventory, direction: str) -> Inventory:
    """The inventory with satellites placed beside their steps."""
    steps = _steps(scene, inventory)
    if not steps:
        return inventory
    elements = dict(inventory.elements)
    relations = (layout for one in elements if (layout := inventory.relation(one)) is not None)
    taken = Counter([(layout.target, layout.relation) for layout in relations])
    for one, step in steps.items():
        sides = _RELATIONS_ACROSS[_is_sideways(inventory, step, direction)]
        side = min(sides, key=lambda side: taken[step, side])
        taken[step, side] += 1
        given, gap = elements[one].layout, _gap(inventory, one, step, upright=side in _RELATIONS_ACROSS[True])
        beside = Layout(mode="relative", relation=side, target=step, gap=gap, width=given.width, height=given.height)
        elements[one] = replace(elements[one], layout=beside)
    ties = tuple(tie for tie in inventory.ties if tie.source not in steps and tie.target not in steps)
    return replace(inventory, elements=elements, ties=ties)


def _steps(scene: Scene, inventory: Inventory) -> Mapping[str, str]:
    """The step of every satellite, in document order."""
    lines: dict[str, list[Edge]] = {}
    for edge in scene.edges:
        for end in dict.fromkeys(edge.ends):
            lines.setdefault(end, []).append(edge)
    free = {
        one
        for one, element in inventory.elements.items()
        if isinstance(element, Node)
        and element.layout.mode == "auto"
        and one in lines
        and all(edge_kind(edge.edge_type).beside for edge in lines[one])
    }
    found = {one: _step(one, lines[one]) for one in inventory.elements if one in free}
    return {
        one: step
        for one, step in found.items()
        if step in inventory.elements
        and step not in free
        and inventory.relation(step) is None
        and inventory.parent.get(one) == inventory.parent.get(step)
    }


def _step(element_id: str, lines: Sequence[Edge]) -> str:
    first = next((edge for edge in lines if edge.target.element_id == element_id), lines[0])
    return next((end for end in first.ends if end != element_id), element_id)


def _gap(inventory: Inventory, one: str, step: str, *, upright: bool) -> float:
    """The gap between a step and its satellite: the length of an arrow, or of the longest label between the two."""
    ties = (tie for tie in inventory.ties if {tie.source, tie.target} == {one, step})
    longest = max((tie.label_height if upright else tie.label_width for tie in ties), default=0.0)
    return max(GAP, longest + LABEL_ENDS) if longest else GAP


def _is_sideways(inventory: Inventory, step: str, direction: str) -> bool:
    """Whether the flow of a step runs to the right or left: in a pool as its lanes lie, else as the scene's does."""
    pool = next((one for one in inventory.ancestors(step) if one != ROOT and is_tiled(inventory.elements[one])), None)
    return direction in SIDEWAYS if pool is None else not is_upright(inventory, pool)


# Titles too large for their frames, checked on final boxes. (R-FRAME-3) In: scene and placement. Out: a remark for each
# visible frame with a title beyond the frame, or down to its bottom in several lines. Heights are reported as for
# nodes: in an upright header the text runs up, so its length is its height; a title wider than its frame counts with
# the number of lines at the frame's width. px.


_SLACK = 0.5  # a part of a line that is not seen


def report_titles(scene: Scene, sizes: Sizes, placement: Placement, report: Report) -> None:
    """Report TEXT_OVERFLOW of frames' titles, in document order."""
    for element in scene.elements:
        if not isinstance(element, Frame) or not element.visible:
            continue
        title, label = placement.part(element.id, "title"), sizes[element.id].label
        if title is not None and label is not None:
            several = len(label.lines) > 1
            required, available = _heights(element, title, placement, several=several)
            report_overflow(report, element.id, required, available)


def _heights(frame: Frame, title: Box, placement: Placement, *, several: bool) -> tuple[float, float]:
    """The height needed by a title, and the available height."""
    header, box = placement.part(frame.id, "header"), placement.boxes[frame.id]
    if header is not None:
        if frame.lane_direction != UPRIGHT_LANES:
            return title.height, header.height
        return title.height * _lines(title.width, header.width), header.height
    lines = _lines(title.width, box.right - max(title.x, box.x))
    if lines > 1:
        return title.height * lines, title.height  # it stands out at the side, and no room was kept for more lines
    gap = TITLE_GAP if several else 0.0  # the further lines would stand on the content
    return title.height, box.bottom - title.y - gap


def _lines(width: float, room: float) -> int:
    """The number of lines a text of this width fills, at least 1."""
    return max(1, ceil((width - _SLACK) / max(room, 1.0)))


_DEFAULT_ALGORITHM = "hierarchical"
LEAST_PAGE = 1.0  # px; a declared page may be 0
DECIMALS = 2  # of px in the result
MOST_COMPARED = 1_000  # elements and lines of a scene whose lines are routed for the shape of its page
MANY = 3  # elements for each given place, at least
GIVEN_SLACK = 1.0  # px between a given box and the placed one, untold
TOLD = 20  # ids in a remark


class Judge(Protocol):
    """Prices placements by their edges."""

    def __call__(self, placement: Placement, *, roughly: bool = False) -> LineCost:
        """The cost of a placement's routed edges; `roughly`: of their courses, before labels have a place."""
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
    _report_missed(given, placement, report)
    _report_overfull(given, placement, report)
    return placement


def _report_missed(scene: Scene, placement: Placement, report: Report) -> None:
    """Report the elements that stand elsewhere, or are of another size, than their layout gives (R-PLACE-21).
    Constraints are wishes too: the position of their elements is theirs, and of `sameSize` the size."""
    constrained_ids = {one for constraint in scene.constraints for one in constraint.elements}
    sized = equal_sizes(scene.constraints)
    missed: list[tuple[Boxed, Box]] = []
    for element in scene.elements:
        layout = element.layout if isinstance(element, Boxed) else None
        if layout is None or (layout.mode != "absolute" and layout.width is None and layout.height is None):
            continue
        box = placement.boxes.get(element.id)
        if box is None:
            continue
        got = (box.x, box.y, box.width, box.height)
        is_free = layout.mode != "absolute" or element.id in constrained_ids
        size = [None if (element.id, name) in sized else getattr(layout, name) for name in MEMBERS.values()]
        asked = (None if is_free else layout.x, None if is_free else layout.y, *size)
        if any(one is not None and abs(one - other) > GIVEN_SLACK for one, other in zip(asked, got, strict=True)):
            missed.append((cast("Boxed", element), box))
    if missed:
        first, box = missed[0]
        report.add(
            GIVEN_BOX_MISSED,
            path="/elements",
            data={"elementIds": [one.id for one, _ in missed[:TOLD]]},
            count=len(missed),
            id=first.id,
            box=f"{box.width:g} x {box.height:g} px at {box.x:g}, {box.y:g}",
        )


def _report_overfull(scene: Scene, placement: Placement, report: Report) -> None:
    """Report the frames whose given box leaves out children that the engine placed (R-FRAME-2)."""
    free = {one.id for one in scene.elements if isinstance(one, Boxed) and one.layout.mode != "absolute"}
    left: dict[str, str] = {}
    for frame in scene.elements:
        box = placement.boxes.get(frame.id) if isinstance(frame, Frame) else None
        if box is None or cast("Frame", frame).layout.mode != "absolute":
            continue
        room = box.grown(GIVEN_SLACK)
        for child in cast("Frame", frame).children:
            inside = placement.boxes.get(child)
            if inside is not None and child in free and not room.contains(inside):
                left.setdefault(frame.id, child)
    if left:
        first, child = next(iter(left.items()))
        report.add(
            FRAME_OVERFULL,
            path="/elements",
            data={"elementIds": list(left)[:TOLD]},
            count=len(left),
            id=first,
            child=child,
        )


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

    def cost(boxes: Mapping[str, Box], *, most: int = MOST_JUDGED, anew: bool = False) -> LineCost | None:
        if judge is None or _count(inventory) > most:
            return None
        final = finished(boxes, Report(), anew=anew)
        return judge(Placement(boxes=final, parts=parts_of(inventory, final)), roughly=_count(inventory) > MOST_JUDGED)

    composer = composer_of(even, algorithm.arrange, settings)
    kept = None
    if sketch.boxes:
        kept = remembered(composer, sketch, judge=cost, wider=wider_rooms(inventory, sketch))
    costs = _Costs(partial(cost, anew=True), partial(cost, anew=True, most=MOST_COMPARED))
    anew = None if kept else _composed(scene, composer, algorithm, costs, twins)
    if composer.record.beyond:
        report_limited(LAYERING, composer.record.beyond, report)
    if anew is None:
        return Shaped(finished(kept or {}, report, anew=False), "placed")
    return anew._replace(boxes=finished(anew.boxes, report, anew=True))


class _Costs(NamedTuple):
    """The cost of routed lines: for each choice among layouts, and for the shape of a page, in larger scenes too."""

    choice: Cost
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
        return chosen(inner, established(inner, way), way, lambda _boxes: None).boxes

    frames = DirectedFrames(composer, algorithm, inside)

    def unfolded(cost: Cost) -> Cost:
        return lambda boxes: cost(frames.unfolded(boxes))

    base = established(frames.composer, algorithm)
    first = chosen(frames.composer, base, algorithm, unfolded(costs.choice))
    scenery = _scenery(scene, first, base, unfolded(costs.shape))
    found = in_shape(first.boxes, scenery, scene.aspect_ratio)
    boxes = frames.unfolded(found.boxes)
    if twins is not None and twins.groups:
        for changed, more in ((twins.alike, 0), (twins.in_order, FOR_ORDER)):
            other = changed(boxes)
            boxes = boxes if other is None else no_worse(boxes, other, costs.choice, more)
    return found._replace(boxes=boxes)


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
        joined=family.joins_fans,
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
    return {
        element_id: box
        if inventory.position(element_id) == (box.x, box.y)
        else Box(round(box.x, DECIMALS), round(box.y, DECIMALS), box.width, box.height)
        for element_id, box in boxes.items()
    }


def _whole_boxes(inventory: Inventory, boxes: Mapping[str, Box]) -> Iterable[Box]:
    return (box.with_outset(inventory.size(element_id).outset) for element_id, box in boxes.items())
