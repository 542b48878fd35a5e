"""The drawing stage: a laid-out scene becomes paint.

In: a `LaidOutScene`. Out: a `Drawing` with one group for each element that is seen, and one more for an edge's label.
Promises: paint order as in `order`; no scene words are left in the items; nothing is decided that a table before this
stage has decided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from scenograph.engine.draw.annotations import paint_guide, paint_image, paint_text
from scenograph.engine.draw.changes import bordered
from scenograph.engine.draw.containers import paint_frame, paint_group
from scenograph.engine.draw.description import describe
from scenograph.engine.draw.edges import behind_labels, paint_edge, paint_edge_label
from scenograph.engine.draw.label_ink import is_authored
from scenograph.engine.draw.nodes import FOOT, paint_node
from scenograph.engine.draw.order import EDGE_LABEL, PaintStep, paint_order
from scenograph.engine.draw.sheet import Sheet
from scenograph.engine.drawing import Drawing, DrawnGroup, Item, Paint, PathItem
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.tables import LaidOutScene
from scenograph.scene.memo import MadeOf, is_kept, kept
from scenograph.scene.model import Color, Edge, Linked

Painter = Callable[[Sheet, Any], tuple[DrawnGroup, ...]]
UNTITLED = "Diagram"
KEPT_GROUPS = 2048  # groups of the latest pictures: of a scene that was drawn before only what has changed is painted

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
KEPT_LAYERS = ("frame", "group", "node", "edge", EDGE_LABEL, "text")
"""Those whose paint follows from the element, its own rows of the tables and, for labels, what is behind them."""


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
    known = _GROUPS.get(layer)
    if known is None or sheet.laid_out.changes is not None:
        return _anew(sheet, turn)
    if layer != EDGE_LABEL or not isinstance(element, Edge):
        given = sheet.material(element.id)
    elif ground := behind_labels(sheet, element):
        given = (*sheet.material(element.id), ground, is_authored(sheet, element), sheet.laid_out.styles.theme)
    else:
        return ()
    return known.get(element, given) or known.put(element, given, _to_keep(element, _anew(sheet, turn)))


def _to_keep(element: object, groups: tuple[DrawnGroup, ...]) -> tuple[DrawnGroup, ...]:
    """The groups, noted as kept where their element is: their text is kept as well then."""
    if is_kept(element):
        for group in groups:
            kept(group)
    return groups


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
    words = element.tooltip or (element.link.title if element.link else None) or ""
    return group._replace(link=element.link, tooltip=words)


def _seen(group: DrawnGroup) -> DrawnGroup:
    """The group without paths that leave no trace."""
    items = [item for item in group.items if not _is_blank(item)]
    return group if len(items) == len(group.items) else group._replace(items=tuple(items))


def _is_blank(item: Item) -> bool:
    if not isinstance(item, PathItem) or _leaves_a_trace(item.fill):
        return False
    return item.stroke_width <= 0 or not _leaves_a_trace(item.stroke)


def _leaves_a_trace(paint: Paint | None) -> bool:
    return paint is not None and (not isinstance(paint, Color) or paint.alpha > 0)


_GROUPS: Mapping[str, MadeOf[tuple[DrawnGroup, ...]]] = {
    layer: MadeOf(KEPT_GROUPS, of_kept=True) for layer in KEPT_LAYERS
}
