"""What a draw.io file shows but does not keep, and what it cannot show."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from scenograph.engine.drawing import Drawing, DrawnGroup, LinearGradient, PathItem, PictureItem, RadialGradient
from scenograph.engine.write.pictures import raster
from scenograph.engine.write.writer import Losses
from scenograph.scene.model import Edge, Element, Frame, Guide, Node, Scene

_ROWS = ("attributes", "methods", "values", "operands", "regions", "over")


def tell_losses(scene: Scene, drawing: Drawing, losses: Losses) -> None:
    """Each loss with the ids of its elements."""
    rows = (
        ("types of elements (they are drawn, not kept)", (one.id for one in scene.elements if _is_typed(one))),
        ("rows of elements (they are drawn as texts)", (one.id for one in scene.elements if _has_rows(one))),
        ("guides", (one.id for one in scene.elements if isinstance(one, Guide))),
        ("gradients (their first colour stays)", _of_items(drawing, _has_gradient)),
        ("cropped pictures (all of them is seen)", _of_items(drawing, _has_crop)),
    )
    for what, ids in rows:
        if found := list(ids):
            losses.add(what, *found)
    if scene.constraints:
        losses.add("constraints")


def _is_typed(one: Element) -> bool:
    kind = one.node_type if isinstance(one, Node) else one.edge_type if isinstance(one, Edge) else None
    return bool(kind or (one.container_type if isinstance(one, Frame) else None))


def _has_rows(one: Element) -> bool:
    return any(name in one.extensions for name in _ROWS) or (isinstance(one, Node) and bool(one.columns))


def _of_items(drawing: Drawing, has: Callable[[DrawnGroup], bool]) -> Iterator[str]:
    return (group.id for group in drawing.groups if group.role == "element" and has(group))


def _has_gradient(group: DrawnGroup) -> bool:
    return any(
        isinstance(item, PathItem) and item.is_outline and isinstance(item.fill, LinearGradient | RadialGradient)
        for item in group.items
    )


def _has_crop(group: DrawnGroup) -> bool:
    return any(isinstance(item, PictureItem) and raster(item)[2] is not None for item in group.items)
