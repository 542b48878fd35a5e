"""What a draw.io file shows but does not keep, and what it cannot show."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from scenograph.engine.drawing import Drawing, DrawnGroup, LinearGradient, PathItem, PictureItem, RadialGradient
from scenograph.engine.write.pictures import raster
from scenograph.engine.write.writer import Losses
from scenograph.scene.model import Edge, Element, Frame, Guide, Node, Scene
from scenograph.scene.vocabulary import DEFAULT_CONTAINER_TYPE, DEFAULT_EDGE_TYPE

_OF_ROWS = frozenset({"sequence", "er", "uml"})
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


def keeps_type(node: Node) -> bool:
    """Whether the file says of what type a node is: it does not where the type stands for more than one shape."""
    return bool(node.node_type) and (node.node_type or "").partition(".")[0] not in _OF_ROWS


def _is_typed(one: Element) -> bool:
    if isinstance(one, Node):
        return bool(one.node_type) and not keeps_type(one)
    if isinstance(one, Edge):
        return one.edge_type not in {None, DEFAULT_EDGE_TYPE}
    return isinstance(one, Frame) and one.container_type not in {None, DEFAULT_CONTAINER_TYPE}


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
