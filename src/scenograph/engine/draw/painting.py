"""The drawing stage: a laid-out scene becomes paint.

In: a `LaidOutScene`. Out: a `Drawing` with one group for each element that is seen, and one more for an edge's label.
Promises: paint order as in `order`; no scene words are left in the items; nothing is decided that a table before this
stage has decided.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from scenograph.engine.draw.annotations import paint_guide, paint_image, paint_text
from scenograph.engine.draw.changes import bordered
from scenograph.engine.draw.containers import paint_frame, paint_group
from scenograph.engine.draw.edges import is_authored, paint_edge, paint_edge_label
from scenograph.engine.draw.nodes import FOOT, paint_node
from scenograph.engine.draw.sheet import Sheet, places_of
from scenograph.engine.drawing import Drawing, DrawnGroup, Item, PathItem
from scenograph.engine.families.catalog import frame_kind, kind_of
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.geometry.spatial_index import EVERY
from scenograph.engine.kernels.near_boxes import pairs_nearer
from scenograph.engine.kernels.straight_lines import Rectangle
from scenograph.engine.tables import LaidOutScene
from scenograph.scene.document_index import ancestors
from scenograph.scene.memo import Remembered, kept
from scenograph.scene.model import Color, Edge, Element, Frame, Group, Linked, Node, Scene, Text

# In which order things are painted (R-PAINT-1). `zIndex` decides first. Where it leaves a choice: containers, the
# outer before the inner, those that rise (a fragment of a sequence over the boxes round its lifelines) with all in
# them after the others; nodes, one that wholly holds another before it (an expanded sub-process whose steps were
# given places inside it); edges; edge labels; then texts, images and guides. What is still equal keeps the order of
# the document.


EDGE_LABEL = "edgeLabel"
LAYERS: Mapping[str, int] = MappingProxyType(
    {"frame": 0, "group": 0, "node": 1, "edge": 2, EDGE_LABEL: 3, "text": 4, "image": 4, "guide": 4}
)

RANKS: Mapping[str, int] = MappingProxyType({"removed": 0})
MOST_HOLDERS = 200  # only the largest nodes are looked at: none of a crowd is asked about all the others
TOUCHING = 0.01  # px; boxes so near to each other are looked at
NOWHERE: Mapping[str, Box] = MappingProxyType({})
LINE_RANKS: Mapping[str, int] = MappingProxyType({"unchanged": 0, "removed": 1})


class PaintStep(NamedTuple):
    """One visit of the brush: which painter (a key of LAYERS) paints which element."""

    layer: str
    element: Element


def paint_order(
    scene: Scene, changes: Mapping[str, str] | None = None, boxes: Mapping[str, Box] = NOWHERE
) -> tuple[PaintStep, ...]:
    """Every visible element's turns, from back to front; `boxes` are the places by id. In a visual diff (`changes`:
    id → what became of it) what is gone gives way to its like; but of lines, which may share their way, the changed
    ones are to be seen."""
    heights = _heights(scene.elements) | _depths(scene.elements, boxes)
    rows: list[tuple[float, int, bool, float, int, int, PaintStep]] = []
    for element in scene.elements:
        kind = element.kind
        if kind not in LAYERS or not element.visible:
            continue
        height = heights.get(element.id)
        rises, depth = (_rises(element), 0.0) if height is None else height
        # What is equal keeps the document's order.
        for layer in (kind, EDGE_LABEL) if kind == "edge" else (kind,):
            rank = _rank(layer, element, changes) if changes else 0
            rows.append((element.z_index, LAYERS[layer], rises, depth, rank, len(rows), PaintStep(layer, element)))
    rows.sort()
    return tuple([row[-1] for row in rows])


def _heights(elements: Iterable[Element]) -> dict[str, tuple[bool, float]]:
    """Of each container: whether it rises, or one round it does; and how many containers it lies in. A group lies half
    a step deeper than a frame beside it."""
    containers = {element.id: element for element in elements if isinstance(element, Frame | Group)}
    parents = {child: parent for parent, element in containers.items() for child in element.children}
    found: dict[str, tuple[bool, float]] = {}
    for key, element in containers.items():
        chain = [key, *ancestors(key, parents.get)]
        found[key] = any(_rises(containers[one]) for one in chain), len(chain) - 1 + isinstance(element, Group) / 2
    return found


def _depths(elements: Iterable[Element], boxes: Mapping[str, Box]) -> dict[str, tuple[bool, float]]:
    """Of each node that lies wholly within larger nodes: whether it rises, and in how many it lies."""
    nodes = [element for element in elements if isinstance(element, Node) and element.visible and element.id in boxes]
    nodes.sort(key=lambda node: -_area(boxes[node.id]))
    rows: list[Rectangle] = [boxes[node.id] for node in nodes]
    may_hold = [number < MOST_HOLDERS for number in range(len(nodes))]
    found: Counter[str] = Counter()
    for first, second in pairs_nearer(rows, may_hold, TOUCHING, TOUCHING, EVERY):  # the first is no smaller
        holder, node = boxes[nodes[first].id], boxes[nodes[second].id]
        if may_hold[first] and _area(node) < _area(holder) and holder.contains(node):
            found[nodes[second].id] += 1
    return {node.id: (_rises(node), float(found[node.id])) for node in nodes if node.id in found}


def _area(box: Box) -> float:
    return box.width * box.height


def _rises(element: Element) -> bool:
    """Whether an element lies over its like: a note over lifelines, what is attached over its host, a fragment over the
    boxes round lifelines."""
    if isinstance(element, Node):
        return kind_of(element).rises or element.attached_to is not None
    kind = frame_kind(element.container_type) if isinstance(element, Frame) else None
    return kind is not None and kind.rises


def _rank(layer: str, element: Element, changes: Mapping[str, str]) -> int:
    ranks = LINE_RANKS if layer == "edge" else RANKS
    return ranks.get(changes.get(element.id, ""), len(ranks))


# What a picture shows, in words, for those who do not see it: counts, names, who leads to whom; of bounded length.


T = TypeVar("T")

MAX_NAMES = 60  # elements named; the rest is counted
MAX_NAME_LENGTH = 60  # characters
KEPT_WORDS = 1024  # names of the latest pictures
MAX_LENGTH = 2000  # characters; a description is read aloud
_COUNTED = ("node", "edge", "frame", "text", "image")
_DIFFERING = ("added", "removed", "modified")
_CUT = "…"


def describe(scene: Scene, changes: Mapping[str, str] | None = None) -> str:
    """One paragraph of at most `MAX_LENGTH` characters; in a visual diff (`changes`: id → what became of it) it begins
    with what differs."""
    elements = [element for element in scene.elements if element.visible]
    by_id = {element.id: element for element in elements}

    def connection(edge: Edge) -> str:
        ends = [_name(by_id[end]) if end in by_id else end for end in edge.ends]
        return " to ".join(ends) + (f" ({_flat(edge.label)})" if edge.label else "")

    def changed(key: str) -> str:
        return _name(by_id[key]) if key in by_id else _flat(key)

    parts = (
        *(_listed(change.capitalize(), rows, changed) for change, rows in _differing(changes or {})),
        _counts(elements),
        _listed("Nodes", [element for element in elements if isinstance(element, Node)], _name),
        _listed("Frames", [element for element in elements if isinstance(element, Frame)], _name),
        _listed("Connections", [element for element in elements if isinstance(element, Edge)], connection),
    )
    return _shortened(" ".join(part for part in parts if part), MAX_LENGTH)


def _differing(changes: Mapping[str, str]) -> Iterator[tuple[str, list[str]]]:
    for change in _DIFFERING:
        yield change, [key for key, what in changes.items() if what == change]


def _counts(elements: Iterable[Element]) -> str:
    counts = Counter(element.kind for element in elements)
    rows = [f"{counts[kind]} {kind}{'' if counts[kind] == 1 else 's'}" for kind in _COUNTED if counts[kind]]
    return f"Diagram with {', '.join(rows)}." if rows else "Empty diagram."


def _listed(heading: str, rows: Sequence[T], name_of: Callable[[T], str]) -> str:
    if not rows:
        return ""
    rest = f"; and {len(rows) - MAX_NAMES} more" if len(rows) > MAX_NAMES else ""
    return f"{heading}: {'; '.join(map(name_of, rows[:MAX_NAMES]))}{rest}."


def _name(element: Element) -> str:
    return _flat(_words(element) or element.name or "") or _flat(element.id)


def _words(element: Element) -> str | None:
    match element:
        case Node() | Group() | Edge():
            return element.label
        case Frame():
            return element.title
        case Text():
            return element.content
        case _:
            return None


@lru_cache(maxsize=KEPT_WORDS)
def _flat(text: str) -> str:
    return _shortened(" ".join(text.split()), MAX_NAME_LENGTH)


def _shortened(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1].rstrip() + _CUT


Painter = Callable[[Sheet, Any], tuple[DrawnGroup, ...]]
UNTITLED = "Diagram"

PAINTERS: Mapping[str, Painter] = {
    "frame": paint_frame,
    "group": paint_group,
    "node": paint_node,
    "edge": paint_edge,
    EDGE_LABEL: paint_edge_label,
    "text": paint_text,
    "image": paint_image,
    "guide": paint_guide,
}


def draw(laid_out: LaidOutScene) -> Drawing:
    """Paint every element, from back to front."""
    changes, canvas = laid_out.changes, laid_out.canvas
    page = Box(canvas.origin.x, canvas.origin.y, canvas.width, canvas.height)
    turns = paint_order(laid_out.scene, changes, laid_out.placement.boxes)
    sheet = Sheet(laid_out, page, tuple(turn.element for turn in turns))
    return Drawing(
        page=page,
        background=laid_out.styles.background,
        groups=tuple([group for turn in turns for group in _painted(sheet, turn)]),
        title=laid_out.scene.title or UNTITLED,
        description=describe(laid_out.scene, changes),
    )


def _painted(sheet: Sheet, turn: PaintStep) -> Iterable[DrawnGroup]:
    """The groups of one turn; those of an element that was painted before with all that its paint follows from."""
    layer, element = turn
    kept_as, memo = _KEPT_AS.get(layer), element.memo
    if kept_as is None or memo is None or sheet.laid_out.changes is not None:
        return _anew(sheet, turn)
    given = kept_as.material(sheet, element)
    groups = kept_as.groups.get(element, given)
    return kept_as.groups.put(element, given, tuple(map(kept, _anew(sheet, turn)))) if groups is None else groups


def _anew(sheet: Sheet, turn: PaintStep) -> tuple[DrawnGroup, ...]:
    layer, element = turn
    groups = PAINTERS[layer](sheet, element)
    if isinstance(element, Linked) and (element.link is not None or element.tooltip):
        groups = tuple([_linked(group, element) for group in groups])
    changes = sheet.laid_out.changes
    change = None if changes is None else changes.get(element.id)
    if change is not None:
        boxes = (sheet.box(element.id), sheet.laid_out.placement.part(element.id, FOOT))
        groups = bordered(element, groups, tuple(box for box in boxes if box is not None), change)
    return tuple([_seen(group) for group in groups])


def _linked(group: DrawnGroup, element: Linked) -> DrawnGroup:
    """The group with where a click on it leads and what it says to the pointer."""
    said = (element.tooltip, element.link.title if element.link else None)
    return group._replace(link=element.link, tooltip="\n".join(dict.fromkeys(filter(None, said))))


def _seen(group: DrawnGroup) -> DrawnGroup:
    """The group without paths that leave no trace."""
    items = group.items
    for item in items:
        if type(item) is PathItem and _is_blank(item):
            return group._replace(items=tuple([item for item in items if not _is_blank(item)]))
    return group


def _is_blank(item: Item) -> bool:
    if type(item) is not PathItem:
        return False
    fill, stroke = item.fill, item.stroke
    if fill is not None and (type(fill) is not Color or fill.alpha > 0):
        return False
    return item.stroke_width <= 0 or stroke is None or (type(stroke) is Color and stroke.alpha <= 0)


def _of_box(sheet: Sheet, element: Element) -> tuple[object, ...]:
    """All that the paint of a box follows from besides its element."""
    laid_out, key = sheet.laid_out, element.id
    placement = laid_out.placement
    style, size = laid_out.styles.of.get(key), laid_out.sizes.get(key)
    page = laid_out.styles.background, laid_out.scene.diagram_family
    return style, size, placement.boxes.get(key), placement.parts.get(key), page


def _of_line(sheet: Sheet, edge: Element) -> tuple[object, ...]:
    """All that the paint of a line follows from besides its edge."""
    route = sheet.laid_out.routes.get(edge.id)
    # Commands that lead to one point are equal, whether they draw or not.
    commands = None if route is None else [*map(type, route.line)]
    return sheet.laid_out.styles.of.get(edge.id), route, commands


def _of_labels(sheet: Sheet, edge: Element) -> tuple[object, ...]:
    """All that the paint of its labels follows from besides the edge; nothing where there is none."""
    behind = sheet.behind.get(edge.id)
    if behind is None:
        return ()
    laid_out, key = sheet.laid_out, edge.id
    places = places_of(laid_out.routes[key])
    authored = isinstance(edge, Edge) and is_authored(sheet, edge)
    return laid_out.styles.of.get(key), laid_out.sizes.get(key), places, behind, authored, laid_out.styles.theme


class _KeptAs(NamedTuple):
    """How the paint of a layer is kept: by all that it follows from besides the element."""

    material: Callable[[Sheet, Element], tuple[object, ...]]
    groups: Remembered[tuple[DrawnGroup, ...]]


_KEPT_AS = {
    **{layer: _KeptAs(_of_box, Remembered[tuple[DrawnGroup, ...]]()) for layer in ("frame", "group", "node", "text")},
    "edge": _KeptAs(_of_line, Remembered[tuple[DrawnGroup, ...]]()),
    EDGE_LABEL: _KeptAs(_of_labels, Remembered[tuple[DrawnGroup, ...]]()),
}
"""By layer; what hangs on the assets or the page's size is painted anew each time."""
