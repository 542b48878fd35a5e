"""The drawing stage: a laid-out scene becomes paint.

In: a `LaidOutScene`. Out: a `Drawing` with one group for each element that is seen, and one more for an edge's label.
Promises: paint order as in `order`; no scene words are left in the items; nothing is decided that a table before this
stage has decided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from scenograph.engine.draw.annotations import paint_guide, paint_image, paint_text
from scenograph.engine.draw.changes import bordered
from scenograph.engine.draw.containers import paint_frame, paint_group
from scenograph.engine.draw.description import describe
from scenograph.engine.draw.edges import paint_edge, paint_edge_label
from scenograph.engine.draw.label_ink import is_authored
from scenograph.engine.draw.nodes import FOOT, paint_node
from scenograph.engine.draw.order import EDGE_LABEL, PaintStep, paint_order
from scenograph.engine.draw.sheet import Sheet, places_of
from scenograph.engine.drawing import Drawing, DrawnGroup, Item, PathItem
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.tables import LaidOutScene
from scenograph.scene.memo import Remembered, kept
from scenograph.scene.model import Color, Edge, Element, Linked

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
