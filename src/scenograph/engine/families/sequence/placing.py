"""Placement of a sequence. (R-SEQ-1, R-SEQ-14)

In: a resolved scene and its sizes. Out: a box for every element that has one, and the parts: `tail`, `foot`,
`activation:<n>` of lifelines; `tab`, `guard:<n>`, `separator:<n>` of fragments; `start`, `end`, `loop`, `label` of
messages. Promise: placing a placed sequence moves nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import floor

from scenograph.engine.families.family import PlacingTools
from scenograph.engine.families.sequence.chart import FOOT, draw_up, position_of
from scenograph.engine.families.sequence.diagram import SequenceDiagram, read_diagram
from scenograph.engine.families.sequence.lifeline_boxes import room_above
from scenograph.engine.families.sequence.participants import ACTOR
from scenograph.engine.geometry.boxes import Box, Point, union
from scenograph.engine.geometry.page import MARGIN, corner_on_page
from scenograph.engine.tables import Placement, Sizes
from scenograph.late_dataclasses import replace
from scenograph.scene.model import Edge, Element, Guide, Layout, Node, Scene

ORIGIN = Point(0.0, 0.0)
_STAND_IN = "chart"


def place_sequence(scene: Scene, sizes: Sizes, tools: PlacingTools) -> Placement:
    """The chart, and beside it whatever is no part of it."""
    diagram = read_diagram(scene, sizes)
    if not diagram.participants.lifelines:
        boxes = tools.arrange(scene)
        return Placement(boxes=boxes, parts=tools.parts(scene, boxes))

    def inner_parts(boxes: Mapping[str, Box]) -> Mapping[str, Mapping[str, Box]]:
        return tools.parts(scene, boxes)

    chart = draw_up(diagram, ORIGIN, inner_parts)
    if all(position_of(node) is None for node in diagram.participants.lifelines):
        chart = draw_up(diagram, _origin(diagram, chart), inner_parts)
    return _with_the_rest(scene, chart, tools)


def _origin(diagram: SequenceDiagram, chart: Placement) -> Point:
    """Where the first head goes: so that the chart stands in the middle of the declared canvas, or from its margin on;
    below what its author placed where the heads would be."""
    content = _extent(diagram, chart)
    canvas = diagram.scene.canvas
    corner = corner_on_page(canvas.width, canvas.height, content)
    dx = floor(corner.x - content.x)
    given = [box for element in diagram.scene.elements if (box := _given_box(diagram, element)) is not None]
    top = MARGIN if given else corner.y
    heads = [chart.boxes[node.id] for node in diagram.participants.lifelines if node.id not in diagram.born] or [
        Box(0, 0, 0, 0)
    ]
    band = Box(content.x + dx, top, content.width, max(box.bottom for box in heads) - content.y)
    for box in sorted(given, key=lambda box: box.y):
        if box.overlaps(band):
            band = Box(band.x, box.bottom + MARGIN / 2, band.width, band.height)
    return Point(float(dx), float(floor(band.y - content.y)))


def _given_box(diagram: SequenceDiagram, element: Element) -> Box | None:
    """The box of an element that its author placed."""
    layout = getattr(element, "layout", None)
    if not isinstance(layout, Layout) or layout.mode != "absolute" or (layout.x is None and layout.y is None):
        return None
    size = diagram.size(element.id)
    return Box(layout.x or 0.0, layout.y or 0.0, layout.width or size.width, layout.height or size.height)


def _extent(diagram: SequenceDiagram, chart: Placement) -> Box:
    """Everything in the chart that is seen, but not what its author placed, with the room above for boxes' titles. Of
    an actor that is the figure and the name, not the box round them."""
    given = {element.id for element in diagram.scene.elements if _given_box(diagram, element) is not None}
    figures = {node.id for node in diagram.participants.lifelines if node.node_type == ACTOR}
    boxes = [box for key, box in chart.boxes.items() if key not in given | figures]
    parts = [
        part
        for key, row in chart.parts.items()
        for name, part in row.items()
        if key not in given and not (key in figures and name == FOOT)
    ]
    content = union([*boxes, *parts]) or Box(0.0, 0.0, 0.0, 0.0)
    top = min(content.y, -room_above(diagram))
    return Box(content.x, top, content.width, content.bottom - top)


def _with_the_rest(scene: Scene, chart: Placement, tools: PlacingTools) -> Placement:
    """The chart with all other elements: each where its author put it, or somewhere round the chart."""
    rest = [element for element in scene.elements if not isinstance(element, Edge | Guide)]
    if all(element.id in chart.boxes for element in rest):
        return chart
    content = union([*chart.boxes.values(), *(part for row in chart.parts.values() for part in row.values())])
    elements = _with_stand_ins(scene.elements, chart, content or Box(0.0, 0.0, 0.0, 0.0))
    arranged = tools.arrange(replace(scene, elements=elements))
    known = {element.id for element in rest}
    others = {key: box for key, box in arranged.items() if key in known and key not in chart.boxes}
    boxes = {element.id: box for element in rest if (box := chart.boxes.get(element.id) or others.get(element.id))}
    return Placement(boxes=boxes, parts={**tools.parts(scene, others), **chart.parts})


def _with_stand_ins(elements: Iterable[Element], chart: Placement, content: Box) -> tuple[Element, ...]:
    """What the chart holds as plain boxes in their places, one for the whole chart, and the rest as it is."""
    rows = tuple(elements)
    taken = {element.id for element in rows}
    name = _STAND_IN
    while name in taken:
        name += "'"
    kept: list[Element] = []
    for element in rows:
        box = chart.boxes.get(element.id)
        if box is not None:
            kept.append(_stand_in(element.id, box))
        elif not (isinstance(element, Edge) and element.id in chart.parts):
            kept.append(element)
    return (*kept, _stand_in(name, content))


def _stand_in(name: str, box: Box) -> Node:
    layout = Layout(mode="absolute", x=box.x, y=box.y, width=box.width, height=box.height)
    return Node(id=name, kind="node", layout=layout)
