"""Sequence: its node and edge types, and the assembled chart."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import floor

from scenograph.engine.colors import mix, over
from scenograph.engine.drawing import DrawnItem, PathItem
from scenograph.engine.families.faces import label_items, sheet_items, stick_figure
from scenograph.engine.families.family import (
    EdgeKind,
    Family,
    Former,
    FrameFace,
    FrameKind,
    LayAnew,
    NodeFace,
    NodeKind,
    PlacingTools,
    RouteRest,
    by_name,
)
from scenograph.engine.families.sequence.columns import (
    FRAGMENT_PADDING,
    GUTTER,
    LABEL_SIDE,
    LOOP_LABEL_IN,
    NOTE_GAP,
    OVER_MARGIN,
    TAB_CUT,
    Head,
    StandingColumns,
    all_separations,
    box_separations,
    fragment_places,
    lifeline_boxes,
    room_above,
    share_of,
    stand,
    title_parts,
)
from scenograph.engine.families.sequence.diagram import (
    ACTOR,
    HEAD_PADDING,
    HEAD_WRAP,
    LEAST_HEAD,
    LEAST_NOTE,
    MESSAGE,
    NATURAL,
    NOTE_PADDING,
    OPERATOR,
    STEP,
    WIDTH,
    NoteAnchor,
    SequenceDiagram,
    actor_parts,
    head_height,
    head_size,
    is_fragment,
    is_rigid,
    measure_actor,
    measure_fragment,
    note_height,
    reach,
    read_diagram,
    read_interaction,
    read_participants,
    spots,
)
from scenograph.engine.families.sequence.timeline import (
    COVERED,
    END,
    LABEL,
    LOOP,
    START,
    TAB,
    TITLE,
    Crossings,
    FragmentContext,
    MessageLine,
    Span,
    TimelineRows,
    TimelineSetting,
    fragment_boxes,
    fragment_parts,
    line_parts,
    message_line_of,
    span_of,
    tell,
)
from scenograph.engine.geometry.boxes import Box, Point, union
from scenograph.engine.geometry.paths import Path, polygon, rectangle, segment
from scenograph.engine.page import MARGIN, corner_on_page
from scenograph.engine.tables import NO_PARTS, DrawnRoute, Placement, Routes, Size, Sizes
from scenograph.engine.text.blocks import TextBlock
from scenograph.engine.text_in_shapes import text_item
from scenograph.late_dataclasses import dataclass, replace
from scenograph.scene.model import Edge, Element, Frame, Group, Guide, Layout, Node, Scene

# The assembled chart: heads, tails, bars, feet, messages, notes, fragments, boxes. px.
#
# In: a `SequenceDiagram` and the corner to begin at. Out: boxes and parts by id. Authored positions hold: the x of
# heads and the y of initial heads, notes, boxes round lifelines. The y of a created lifeline comes from its message,
# and a fragment is drawn round its messages.

_FOOT_GAP = 14.0  # between the last row and the feet
_LEAST_BAR = 8.0
WRITING_GAP = 4.0  # between a name on the page and the tail below
TAIL, FOOT, BAR = "tail", "foot", "activation"
_FOOT_PREFIX = "foot:"

_ChartParts = dict[str, Mapping[str, Box]]
_InnerParts = Callable[[Mapping[str, Box]], Mapping[str, Mapping[str, Box]]]
"""The stage's own parts (labels, icons, titles) of some boxes."""


@dataclass(frozen=True, slots=True)
class _Plan:
    """The intermediate state of the chart during assembly."""

    diagram: SequenceDiagram
    heads: Mapping[str, Box]
    spots: Mapping[str, NoteAnchor]
    ways: Mapping[int, MessageLine]
    lefts: Mapping[int, float]
    rows: TimelineRows
    notes: Mapping[str, Box]
    spans: Mapping[int, Span]


def _draw_up(diagram: SequenceDiagram, origin: Point, inner_parts: _InnerParts) -> Placement:
    """Assemble the chart, with its first head at `origin` if no head has an authored place."""
    plan = _plan(diagram, origin)
    heads, feet = _heads_in_place(plan)
    found = FragmentContext(diagram, heads, plan.spans, fragment_places(diagram, plan.spots))
    fragments = fragment_boxes(found, plan.rows)
    boxes: dict[str, Box] = {**heads, **plan.notes, **fragments, **_boxes_round(plan, heads, feet)}
    parts: _ChartParts = dict(inner_parts(boxes))
    for box in diagram.participants.boxes:
        parts[box.id] = title_parts(diagram, box, boxes[box.id], parts.get(box.id, {})) if box.id in boxes else {}
    for fragment in diagram.interaction.fragments:
        parts[fragment.frame.id] = fragment_parts(found, fragment, fragments[fragment.frame.id], plan.rows)
    for node in diagram.participants.lifelines:
        parts[node.id] = _lifeline_parts(plan, node, heads[node.id], feet, parts.get(node.id, {}))
    for turn, way in plan.ways.items():
        message = diagram.interaction.events[turn]
        parts[message.id] = line_parts(way, plan.rows.lines[turn], plan.lefts[turn], diagram.size(message.id))
    parts.update(_ties(plan, heads, feet))
    return Placement(boxes=boxes, parts={key: row for key, row in parts.items() if row})


def _plan(diagram: SequenceDiagram, origin: Point) -> _Plan:
    found = spots(diagram)
    heads = _heads_of(diagram, found, origin)
    ways = {
        turn: message_line_of(diagram, heads, turn, event)
        for turn, event in enumerate(diagram.interaction.events)
        if isinstance(event, Edge)
    }
    crossings = Crossings(diagram, heads, lifeline_boxes(diagram, heads, found).values())
    lefts = {turn: crossings.label_left(turn, way) for turn, way in ways.items()}
    notes = {note.id: _note_box(diagram, note, found[note.id], heads) for note in diagram.participants.notes}
    spans = {turn: _span(diagram, turn, ways, lefts, notes) for turn in range(len(diagram.interaction.events))}
    spans = {turn: span for turn, span in spans.items() if span is not None}
    setting = TimelineSetting(
        sizes=diagram.sizes,
        spans=spans,
        heads={turn: head_height(diagram) for turn in diagram.born.values()},
        loops=frozenset(turn for turn, way in ways.items() if way.loop is not None),
        placed={note.id: notes[note.id] for note in diagram.participants.notes if _position_of(note) is not None},
    )
    rows = tell(diagram.interaction, setting, _band_bottom(diagram, heads))
    return _Plan(diagram, heads, found, ways, lefts, rows, _standing(diagram, notes, rows), spans)


def _position_of(element: Node | Frame | Group) -> Point | None:
    """The authored place of an element; None if left open."""
    layout = element.layout
    if layout.mode != "absolute" or (layout.x is None and layout.y is None):
        return None
    return Point(layout.x or 0.0, layout.y or 0.0)


def _heads_of(diagram: SequenceDiagram, found: Mapping[str, NoteAnchor], origin: Point) -> dict[str, Box]:
    """The heads at their x; heads present from the start also at their y."""
    height, rows = head_height(diagram), diagram.participants.lifelines
    sizes = {node.id: head_size(diagram, node) for node in rows}
    places = {node.id: _position_of(node) for node in rows}
    heads = [
        Head(node.id, sizes[node.id][0], place.x if (place := places[node.id]) is not None else None) for node in rows
    ]
    stood = _stood(diagram)
    is_free = all(head.x is None for head in heads)
    separations = [*all_separations(diagram, found), *box_separations(diagram, found)]
    if stood:
        xs = StandingColumns(heads, separations, stood).lefts()
    else:
        xs = stand(heads, separations, share_of(diagram.scene.canvas.width, len(heads)) if is_free else None)
    given = [place.y for key, place in places.items() if place is not None and key not in diagram.born]
    tops = [box.y for key, box in stood.items() if places[key] is None and key not in diagram.born]
    top = min(tops or given, default=origin.y)
    shift = origin.x if is_free and not stood else 0.0
    boxes: dict[str, Box] = {}
    for node in rows:
        width, own = sizes[node.id]
        place, below = places[node.id], diagram.size(node.id).outset.bottom
        y = top if place is None or node.id in diagram.born else place.y
        if is_rigid(diagram, node):
            y = y if place is not None else y + height - own - below
            boxes[node.id] = Box(xs[node.id] + shift, y, width, own)
        else:
            boxes[node.id] = Box(xs[node.id] + shift, y, width, height)
    return boxes


def _stood(diagram: SequenceDiagram) -> Former:
    """The former boxes of heads. Heads present from the start stood in one row; a head outside of it was none."""
    boxes = {node.id: diagram.former[node.id] for node in diagram.participants.lifelines if node.id in diagram.former}
    free = {node.id for node in diagram.participants.lifelines if _position_of(node) is None}
    bottoms = {
        key: round(box.bottom + diagram.size(key).outset.bottom)
        for key, box in boxes.items()
        if key in free and key not in diagram.born
    }
    if not bottoms:
        return boxes
    many = Counter(bottoms.values())
    level = min(many, key=lambda bottom: (-many[bottom], bottom))
    top = min(boxes[key].y for key, bottom in bottoms.items() if bottom == level)
    return {key: box for key, box in boxes.items() if key not in bottoms or top <= box.center.y <= level}


def _band_bottom(diagram: SequenceDiagram, heads: Mapping[str, Box]) -> float:
    """The top of the rows: below all heads present from the start."""
    rows = [heads[node.id] for node in diagram.participants.lifelines if node.id not in diagram.born]
    outsets = [
        diagram.size(node.id).outset.bottom for node in diagram.participants.lifelines if node.id not in diagram.born
    ]
    bottoms = [box.bottom + below for box, below in zip(rows, outsets, strict=True)]
    return max(bottoms, default=min((box.y for box in heads.values()), default=0.0))


def _note_box(diagram: SequenceDiagram, note: Node, spot: NoteAnchor, heads: Mapping[str, Box]) -> Box:
    """The box of a note: at the authored place, or at the lifelines of the note."""
    size, place = diagram.size(note.id), _position_of(note)
    if place is not None:
        return Box(place.x, place.y, size.width, size.height)
    rows = diagram.participants.lifelines
    first, last = heads[rows[spot.first].id].center.x, heads[rows[spot.last].id].center.x
    width = _note_width(diagram, note, spot, heads)
    if spot.side == "right":
        beside = reach(diagram.top_level(rows[spot.last].id), rightwards=True) + NOTE_GAP
        return Box(math.floor(last + beside), 0.0, width, size.height)
    if spot.side == "left":
        return Box(math.floor(first - reach(0, rightwards=True) - NOTE_GAP - width), 0.0, width, size.height)
    return Box(math.floor((first + last - width) / 2), 0.0, width, size.height)


def _note_width(diagram: SequenceDiagram, note: Node, spot: NoteAnchor, heads: Mapping[str, Box]) -> float:
    """The width of a note, px: over several lifelines the note reaches past the outer two."""
    width, rows = diagram.size(note.id).width, diagram.participants.lifelines
    first, last = heads[rows[spot.first].id].center.x, heads[rows[spot.last].id].center.x
    if spot.side is not None or first == last or note.layout.width is not None:
        return width
    return max(width, math.ceil(abs(last - first) + 2 * OVER_MARGIN))


def _span(
    diagram: SequenceDiagram,
    turn: int,
    ways: Mapping[int, MessageLine],
    lefts: Mapping[int, float],
    notes: Mapping[str, Box],
) -> Span | None:
    event = diagram.interaction.events[turn]
    if turn in ways:
        return span_of(ways[turn], lefts[turn], diagram.size(event.id))
    box = notes.get(event.id)
    return None if box is None else Span(box.x, box.right)


def _standing(diagram: SequenceDiagram, notes: Mapping[str, Box], rows: TimelineRows) -> dict[str, Box]:
    """The notes at their heights."""
    placed = {note.id for note in diagram.participants.notes if _position_of(note) is not None}
    return {
        key: box if key in placed else Box(box.x, rows.notes.get(key, box.y), box.width, box.height)
        for key, box in notes.items()
    }


def _heads_in_place(plan: _Plan) -> tuple[dict[str, Box], float]:
    """The heads in place, created heads beside their messages; and the top of the feet."""
    heads = dict(plan.heads)
    for lifeline, turn in plan.diagram.born.items():
        box = heads[lifeline]
        heads[lifeline] = Box(box.x, plan.rows.lines[turn][0] - box.height / 2, box.width, box.height)
    return heads, plan.rows.bottom + _FOOT_GAP


def _boxes_round(plan: _Plan, heads: Mapping[str, Box], feet: float) -> dict[str, Box]:
    """The boxes round lifelines."""
    diagram = plan.diagram
    top = min((box.y for box in heads.values()), default=0.0)
    foot = head_height(diagram) if diagram.scene.show_lifeline_feet else 0.0
    columns = {key: Box(box.x, top, box.width, feet + foot - top) for key, box in heads.items()}
    return lifeline_boxes(diagram, columns, plan.spots)


def _lifeline_parts(plan: _Plan, node: Node, head: Box, feet: float, inner: Mapping[str, Box]) -> Mapping[str, Box]:
    """The tail, the bars and the foot of a lifeline, and the parts inside head and foot."""
    diagram, size = plan.diagram, plan.diagram.size(node.id)
    gone = diagram.gone.get(node.id)
    is_actor = node.node_type == ACTOR
    written_outside = is_actor or size.outset.bottom > 0
    top = head.bottom + size.outset.bottom + (WRITING_GAP if written_outside else 0.0)
    end = feet if gone is None else plan.rows.lines[gone][1]
    own = dict(actor_parts(head, size.label, mirrored=False) if is_actor else inner)
    own[TAIL] = Box(head.center.x, top, 0.0, max(0.0, end - top))
    own |= _bars(plan, node.id, head.center.x)
    if gone is None and diagram.scene.show_lifeline_feet:
        foot = Box(head.x, feet, head.width, head.height)
        own[FOOT] = foot
        written = actor_parts(foot, size.label, mirrored=True) if is_actor else _moved(inner, foot.y - head.y)
        own |= {_FOOT_PREFIX + name: box for name, box in written.items()}
    return own


def _moved(parts: Mapping[str, Box], dy: float) -> dict[str, Box]:
    return {name: box.moved(0.0, dy) for name, box in parts.items()}


def _bars(plan: _Plan, lifeline: str, middle: float) -> dict[str, Box]:
    found: dict[str, Box] = {}
    for number, bar in enumerate(plan.diagram.bars_on(lifeline)):
        top, bottom = plan.rows.lines[bar.first][1], plan.rows.lines[bar.last][0]
        left = middle - WIDTH / 2 + STEP * bar.level
        found[f"{BAR}:{number}"] = Box(left, top, WIDTH, max(_LEAST_BAR, bottom - top))
    return found


def _ties(plan: _Plan, heads: Mapping[str, Box], feet: float) -> _ChartParts:
    """The route from each note straight across to the tail of its lifeline; none for a note standing on the tail."""
    found: _ChartParts = {}
    for edge in plan.diagram.participants.ties:
        ends = list(edge.ends)
        note, lifeline = ends if ends[0] in plan.notes else ends[::-1]
        box, head = plan.notes.get(note), heads.get(lifeline)
        if box is None or head is None or not head.bottom <= box.center.y <= feet:
            continue
        middle = head.center.x
        if box.x <= middle <= box.right:
            found[edge.id] = {COVERED: box}
            continue
        side = box.right if middle > box.right else box.x
        y = math.floor(box.center.y)
        points = {note: Box(side, y, 0.0, 0.0), lifeline: Box(middle, y, 0.0, 0.0)}
        found[edge.id] = {"start": points[ends[0]], "end": points[ends[1]]}
    return found


# Placement of a sequence. (R-SEQ-1, R-SEQ-14) In: a resolved scene and its sizes. Out: a box for every element that
# has one, and the parts: `tail`, `foot`, `activation:<n>` of lifelines; `tab`, `guard:<n>`, `separator:<n>` of
# fragments; `start`, `end`, `loop`, `label` of messages. Promise: placing a placed sequence moves nothing.


_ORIGIN = Point(0.0, 0.0)
_STAND_IN = "chart"


def _place_sequence(scene: Scene, sizes: Sizes, tools: PlacingTools) -> Placement:
    """The chart, with all remaining elements placed around."""
    diagram = read_diagram(scene, sizes, tools.former)
    if not diagram.participants.lifelines:
        boxes = tools.arrange(scene, tools.former)
        return Placement(boxes=boxes, parts=tools.parts(scene, boxes))

    def inner_parts(boxes: Mapping[str, Box]) -> Mapping[str, Mapping[str, Box]]:
        return tools.parts(scene, boxes)

    chart = _draw_up(diagram, _ORIGIN, inner_parts)
    if not _stood(diagram) and all(_position_of(node) is None for node in diagram.participants.lifelines):
        chart = _draw_up(diagram, _origin(diagram, chart), inner_parts)
    return _with_the_rest(diagram, chart, tools)


def _origin(diagram: SequenceDiagram, chart: Placement) -> Point:
    """The place of the first head: centres the chart on the declared canvas, or begins at the margin; below elements
    placed by the author in the band of the heads."""
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
    """The authored box of an element; None if left open."""
    layout = getattr(element, "layout", None)
    if not isinstance(layout, Layout) or layout.mode != "absolute" or (layout.x is None and layout.y is None):
        return None
    size = diagram.size(element.id)
    return Box(layout.x or 0.0, layout.y or 0.0, layout.width or size.width, layout.height or size.height)


def _extent(diagram: SequenceDiagram, chart: Placement) -> Box:
    """The extent of the chart's visible parts without authored places, with the room above for titles of boxes. An
    actor counts with figure and name, not with its box."""
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


def _with_the_rest(diagram: SequenceDiagram, chart: Placement, tools: PlacingTools) -> Placement:
    """The chart with all other elements: at their authored or former places, or somewhere around the chart."""
    scene = diagram.scene
    rest = [element for element in scene.elements if not isinstance(element, Edge | Guide)]
    if all(element.id in chart.boxes for element in rest):
        return chart
    content = union([*chart.boxes.values(), *(part for row in chart.parts.values() for part in row.values())])
    content = content or Box(0.0, 0.0, 0.0, 0.0)
    elements = _with_stand_ins(scene.elements, chart, content)
    arranged = tools.arrange(replace(scene, elements=elements), _former_rest(diagram, chart, elements[-1].id, content))
    known = {element.id for element in rest}
    others = {key: box for key, box in arranged.items() if key in known and key not in chart.boxes}
    boxes = {element.id: box for element in rest if (box := chart.boxes.get(element.id) or others.get(element.id))}
    return Placement(boxes=boxes, parts={**tools.parts(scene, others), **chart.parts})


def _former_rest(diagram: SequenceDiagram, chart: Placement, name: str, content: Box) -> dict[str, Box]:
    """The former boxes for placing the rest; none before the first picture. Elements that stood among the chart's, and
    lost their last message, are new outside. The chart was smaller where it lies on an element now: the element leaves
    to the side where it stood."""
    people = diagram.participants
    inside = {*_stood(diagram), *(one.id for one in (*people.notes, *people.fragments))}
    hull = union(box for key, box in diagram.former.items() if key in inside)
    if hull is None:
        return {}
    rest = {key: box for key, box in diagram.former.items() if key not in chart.boxes and not hull.overlaps(box)}
    below = [box.y for box in rest.values() if box.overlaps(content) and box.x < hull.right]
    was = content._replace(height=min([content.bottom, *below]) - content.y)
    if any(box.overlaps(was) for box in rest.values()):
        was = was._replace(width=hull.right - content.x)
    given = {one.id: box for one in diagram.scene.elements if (box := _given_box(diagram, one)) is not None}
    return {**given, **rest, **chart.boxes, name: was}


def _with_stand_ins(elements: Iterable[Element], chart: Placement, content: Box) -> tuple[Element, ...]:
    """The chart's elements as plain boxes at their places, a box for the whole chart, and the rest unchanged."""
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


# Routes of messages: they were drawn up with the chart. (R-SEQ-7, R-SEQ-8)


_NO_ROUTES: Routes = {}
STRAIGHT, ORTHOGONAL = "straight", "orthogonal"


def _route_sequence(scene: Scene, placement: Placement, route_rest: RouteRest) -> Routes:
    """Routes of a sequence: messages level across, or round a loop; none for edges covered by their opposite end; the
    rest as in any scene. A level route is straight if authored as straight, else orthogonal by default."""
    drawn = {
        element.id: _route(element, parts)
        for element in scene.elements
        if isinstance(element, Edge) and START in (parts := placement.parts.get(element.id, NO_PARTS))
    }
    covered = {key for key, parts in placement.parts.items() if COVERED in parts}
    rest = tuple(one for one in scene.elements if one.id not in drawn and one.id not in covered)
    has_edges = any(isinstance(one, Edge) for one in rest)
    routes = {**drawn, **(route_rest(replace(scene, elements=rest)) if has_edges else _NO_ROUTES)}
    return {element.id: routes[element.id] for element in scene.elements if element.id in routes}


def _route(edge: Edge, parts: Mapping[str, Box]) -> DrawnRoute:
    start, end, loop = parts[START], parts[END], parts.get(LOOP)
    points = [Point(start.x, start.y), Point(end.x, end.y)]
    if loop is not None:
        points[1:1] = [Point(loop.right, start.y), Point(loop.right, end.y)]
    router = STRAIGHT if edge.router == STRAIGHT and loop is None else ORTHOGONAL
    return DrawnRoute(points=tuple(points), router=router, label=parts.get(LABEL))


# Labels laid again for the gaps between their lifelines. px. (R-SEQ-13) In: a resolved scene, its natural sizes, a
# function that lays a label in a given width. Out: the sizes, with shorter lines for a label crossed by a tail or a
# bar, fewer lines for a label in a wide gap, and lines as long as the note for a note over several lifelines. Promises:
# the places of lifelines do not depend on the outcome, so that a placed chart is unchanged; a one-line label that fits
# stays unchanged, and so does a label with hardly any room.


LEAST_ROOM = 64.0
"""In a narrower gap a label would be a column of single words: it rather runs across. px."""

LONGEST_LINE = 360.0
"""Longer lines are not read at a glance, however wide the gap. px."""

_TOLERANCE = 0.01
_ANYWHERE = Point(0.0, 0.0)


def _rewrap_labels(scene: Scene, sizes: Sizes, lay: LayAnew, former: Former) -> Sizes:
    """All sizes, with the labels of messages and notes laid again for their places. Loops come first: the boxes round
    lifelines, kept clear by labels, reach as far as the loops."""
    diagram = read_diagram(scene, sizes, former)
    if not diagram.participants.lifelines:
        return sizes
    found = spots(diagram)
    heads = _heads_of(diagram, found, _ANYWHERE)
    diagram = replace(diagram, sizes={**sizes, **_shortened(diagram, _beside_loops(diagram, heads), lay)})
    boxes = lifeline_boxes(diagram, heads, found).values()
    crossings = Crossings(diagram, heads, boxes)
    ways = {turn: message_line_of(diagram, heads, turn, message) for turn, message in diagram.messages()}
    rooms = {turn: crossings.room(turn, way) for turn, way in ways.items() if way.loop is None}
    messages = {**_shortened(diagram, rooms, lay), **_lengthened(diagram, rooms, lay)}
    notes = {note.id: _of_note(diagram, note, found[note.id], heads, lay) for note in diagram.participants.notes}
    return {**diagram.sizes, **messages, **notes}


def _shortened(diagram: SequenceDiagram, rooms: Mapping[int, float], lay: LayAnew) -> dict[str, Size]:
    """The messages with labels wider than their room, by turn, in shorter lines."""
    found: dict[str, Size] = {}
    for turn, message in diagram.messages():
        size = diagram.size(message.id)
        if size.label is not None and LEAST_ROOM <= rooms.get(turn, math.inf) < size.width - _TOLERANCE:
            block = lay(message, size, rooms[turn])
            found[message.id] = size if block is None else _with_label(size, block)
    return found


def _lengthened(diagram: SequenceDiagram, rooms: Mapping[int, float], lay: LayAnew) -> dict[str, Size]:
    """The messages with labels on fewer lines thanks to their room, by turn."""
    found: dict[str, Size] = {}
    for turn, message in diagram.messages():
        size, room = diagram.size(message.id), min(rooms.get(turn, 0.0) - LABEL_SIDE, LONGEST_LINE)
        if size.label is not None and len(size.label.lines) > 1 and room > size.width:
            block = lay(message, size, room)
            if block is not None and len(block.lines) < len(size.label.lines):
                found[message.id] = _with_label(size, block)
    return found


def _with_label(size: Size, label: TextBlock) -> Size:
    """The size with a new label; the natural label is kept, since it decides the distance of the lifelines."""
    texts = {NATURAL: size.label} if size.label is not None else {}
    return size._replace(width=label.width, height=label.height, label=label, texts=texts)


def _beside_loops(diagram: SequenceDiagram, heads: Mapping[str, Box]) -> dict[int, float]:
    """By turn, the distance from a loop's lifeline to the next lifeline on the right."""
    found: dict[int, float] = {}
    middles = sorted(box.center.x for box in heads.values())
    for turn, message in diagram.messages():
        if message.source.element_id == message.target.element_id:
            own = heads[message.source.element_id].center.x
            bars = max(reach(level, rightwards=True) for level in diagram.levels[turn])
            around = bars + GUTTER + FRAGMENT_PADDING * diagram.depths[turn] + 2 * LOOP_LABEL_IN
            found[turn] = min((x for x in middles if x > own), default=math.inf) - own - around
    return found


def _of_note(diagram: SequenceDiagram, note: Node, spot: NoteAnchor, heads: Mapping[str, Box], lay: LayAnew) -> Size:
    """The size of a note, over several lifelines as wide as their distance, with equally long lines. The natural width
    is kept, since it decides the least distance of the lifelines."""
    size, layout = diagram.size(note.id), note.layout
    if spot.side is not None or spot.first == spot.last or size.label is None or size.icon:
        return size
    if layout.width is not None or layout.height is not None or _position_of(note) is not None:
        return size
    width = _note_width(diagram, note, spot, heads)
    block = lay(note, size, width - 2 * NOTE_PADDING[0])
    if block is None or len(block.lines) >= len(size.label.lines):
        return size
    return size._replace(height=note_height(block), label=block)


# What only sequences draw: tails and bars, actors, notes, the writing of fragments. px. (R-SEQ-2, R-SEQ-11)


_TAIL_DASH = (6.0, 4.0)
_SEPARATOR_DASH = (6.0, 4.0)
_NOTE_RADIUS = 5.0
_TAB_TINT = 0.14  # of the border's colour in the tab
_LEAST_LINE = 1.0


def _paint_stem(face: NodeFace) -> Iterator[DrawnItem]:
    """The tail of a lifeline, and its bars."""
    style, width = face.style, max(face.style.stroke_width, _LEAST_LINE)
    tail = face.parts.get(TAIL)
    if tail is not None and tail.height > 0:
        path = segment(Point(tail.x, tail.y), Point(tail.x, tail.bottom))
        yield PathItem(path=path, stroke=style.stroke, stroke_width=_LEAST_LINE, dash=_TAIL_DASH)
    for name, part in face.parts.items():
        if name.startswith(BAR):
            yield PathItem(path=rectangle(part), fill=face.page, stroke=style.stroke, stroke_width=width)
            yield PathItem(path=rectangle(part), fill=style.fill)


def _paint_actor(face: NodeFace) -> Iterator[DrawnItem]:
    """A stick figure and its name; an authored fill colours the head."""
    figure = face.parts.get("figure")
    if figure is None:
        return
    for number, stroke in enumerate(stick_figure(figure)):
        fill = face.style.fill if number == 0 else None
        yield PathItem(path=stroke.path, fill=fill, stroke=face.style.stroke, stroke_width=stroke.width, cap="round")
    yield from label_items(face)


def _paint_note(face: NodeFace) -> Iterator[DrawnItem]:
    """A sheet with round corners and the top right corner folded."""
    return sheet_items(face, _NOTE_RADIUS)


def _paint_fragment(face: FrameFace) -> Iterator[DrawnItem]:
    """The lines between operands, the tab with the operator, title and guards."""
    style = face.style
    for name, part in face.parts.items():
        if name.startswith("separator:"):
            path = segment(Point(face.box.x, part.y), Point(face.box.right, part.y))
            yield PathItem(path=path, stroke=style.stroke, stroke_width=style.stroke_width, dash=_SEPARATOR_DASH)
    tab = face.parts.get(TAB)
    if tab is not None:
        yield PathItem(
            path=_tab(tab),
            fill=mix(over(style.fill, face.page), style.stroke, _TAB_TINT),
            stroke=style.stroke,
            stroke_width=style.stroke_width,
        )
    for name, block in (*face.size.texts.items(), (TITLE, face.size.label)):
        part = face.parts.get(name)
        if part is not None and block is not None and block.lines:
            yield from (text_item(block, part, style),) if name == OPERATOR else face.written(name, block)


def _tab(box: Box) -> Path:
    """The outline of a tab with a cut corner, as in UML."""
    return polygon(
        (
            Point(box.x, box.y),
            Point(box.right, box.y),
            Point(box.right, box.bottom - TAB_CUT),
            Point(box.right - TAB_CUT, box.bottom),
            Point(box.x, box.bottom),
        )
    )


# Nested fragments: a fragment within another's messages becomes its child, and so do the messages themselves; styles
# and paint order then know the ground of each line. In: a scene. Out: the scene with these children, otherwise
# unchanged.


DEEPEST = 64
"""Deeper fragments keep to the top level, since exports nest the content of each (R-LIMIT-1)."""


def _with_messages(scene: Scene) -> Scene:
    """Make lines between participants messages, if without a type: their heads tell who calls whom."""
    bare = {one.id: replace(one, edge_type=MESSAGE) for one in read_participants(scene).messages if not one.edge_type}
    return replace(scene, elements=tuple(bare.get(one.id, one) for one in scene.elements)) if bare else scene


def _nest_fragments(scene: Scene) -> Scene:
    """List each fragment and each message without a parent as a child of its enclosing fragment."""
    if not any(map(is_fragment, scene.elements)):
        return scene
    listed = {child for one in scene.containers for child in one.children}
    added: dict[str, list[str]] = {}
    interaction = read_interaction(scene, read_participants(scene))
    for number, turns, inside in interaction.own_turns():
        fragment = interaction.fragments[number]
        inner = [interaction.fragments[other] for other in inside]
        names = [one.frame.id for one in inner if one.depth < DEEPEST]
        names += [event.id for event in map(interaction.events.__getitem__, turns) if isinstance(event, Edge)]
        added[fragment.frame.id] = [name for name in names if name not in listed]
    return replace(
        scene,
        elements=tuple(
            replace(one, children=(*one.children, *added[one.id]))
            if isinstance(one, Frame) and one.id in added
            else one
            for one in scene.elements
        ),
    )


# Sequence: lifelines, actors, notes and messages. (R-SEQ-2, R-SEQ-7)


_LABEL_WRAP = 220.0
_NOTE_WRAP = 200.0
_DASHED = (6.0, 4.0)


def always(_node: Node) -> bool:
    """Accept any authored shape: the notation prescribes the shape."""
    return True


FRAGMENT = FrameKind(name="fragment", measure=measure_fragment, paint=_paint_fragment, rises=True)

SEQUENCE = Family(
    name="sequence",
    merges_fan_in=False,
    folded_type="sequence.lifeline",
    label_wrap=_LABEL_WRAP,
    fit=_rewrap_labels,
    place=_place_sequence,
    route=_route_sequence,
    stem=_paint_stem,
    recast=_with_messages,
    rewrite=_nest_fragments,
    node_kinds=by_name(
        NodeKind(
            name="sequence.lifeline",
            shape="rect",
            tone="head",
            min_size=LEAST_HEAD,
            padding=HEAD_PADDING,
            wrap_width=HEAD_WRAP,
            grows=True,
        ),
        NodeKind(
            name="sequence.actor",
            shape="textBox",
            tone="people",
            label_below=True,
            measure=measure_actor,
            paint=_paint_actor,
            has_own_face=always,
        ),
        NodeKind(
            name="sequence.note",
            tone="note",
            padding=NOTE_PADDING,
            min_size=LEAST_NOTE,
            wrap_width=_NOTE_WRAP,
            rises=True,
            paint=_paint_note,
            has_own_face=always,
        ),
    ),
    edge_kinds=by_name(
        EdgeKind(name=MESSAGE, end_marker="triangle", head_tells=True),
        EdgeKind(name="sequence.reply", dash=_DASHED, end_marker="arrow"),
        EdgeKind(name="sequence.create", dash=_DASHED, end_marker="triangle", head_tells=True),
        EdgeKind(name="sequence.async", end_marker="arrow"),
        EdgeKind(name="sequence.destroy", end_marker="cross"),
    ),
)
