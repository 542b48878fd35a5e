"""Part boxes: where in or at its box an element's text and icon stand. px."""

from __future__ import annotations

from collections.abc import Mapping

from scenograph.engine.families.catalog import kind_of
from scenograph.engine.families.container_types import is_tile, is_tiled
from scenograph.engine.families.icon_nodes import is_cloud_icon
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.place.attachments import labels_on_borders
from scenograph.engine.place.frames import container_parts, header_depth
from scenograph.engine.place.inventory import Boxed, Inventory
from scenograph.engine.place.outside_labels import labels_off_lines
from scenograph.engine.place.titles import titles_beside_lines
from scenograph.engine.shapes.catalog import shape_named
from scenograph.engine.shapes.stacks import stack
from scenograph.engine.tables import Size
from scenograph.engine.text.blocks import TextBlock
from scenograph.scene.memo import Remembered
from scenograph.scene.model import Frame, Group, Node, Text

LABEL_BELOW_GAP = 6.0  # px; between a symbol and its label


def parts_of(inventory: Inventory, boxes: Mapping[str, Box]) -> dict[str, Mapping[str, Box]]:
    """The parts of every element that has any: `label`, `icon`, `title`, `header`."""
    return titles_beside_lines(inventory, boxes, labelled_parts(inventory, boxes))


def labelled_parts(inventory: Inventory, boxes: Mapping[str, Box]) -> dict[str, Mapping[str, Box]]:
    """The same with all titles in the corner of their frame, for whoever asks about labels alone."""
    found = {element_id: _parts(inventory, element_id, boxes) for element_id in boxes}
    named = {element_id: parts for element_id, parts in found.items() if parts}
    for element_id, label in labels_on_borders(inventory, boxes).items():
        named[element_id] = {**named[element_id], "label": label}
    return labels_off_lines(inventory, boxes, named)


def _parts(inventory: Inventory, element_id: str, boxes: Mapping[str, Box]) -> Mapping[str, Box]:
    element, box, size = inventory.elements[element_id], boxes[element_id], inventory.size(element_id)
    if isinstance(element, Frame | Group):
        return _container_parts(inventory, element, boxes)
    if isinstance(element, Node):
        return _PARTS.get(element, (box, size)) or _PARTS.put(element, (box, size), _node_parts(element, box, size))
    if size.label is None:
        return {}
    return {"label": _text_label(element, box, size.label)} if isinstance(element, Text) else {}


def _container_parts(inventory: Inventory, element: Frame | Group, boxes: Mapping[str, Box]) -> Mapping[str, Box]:
    box, size = boxes[element.id], inventory.size(element.id)
    if not isinstance(element, Frame) or not is_tiled(element):
        return container_parts(element, box, size)
    known = inventory.elements
    # A sequence chart asks for the parts of what it places itself, and that is not everything.
    children = inventory.children[element.id]
    lanes = [boxes[child] for child in children if child in boxes and is_tile(known[child])]
    return container_parts(element, box, size, header_depth(element, box, lanes))


def icon_line(element: Boxed, size: Size) -> float | None:
    """How far below the top of its box the middle of a node's icon lies, where the node is nothing but that and its
    label."""
    if not isinstance(element, Node) or not is_cloud_icon(element):
        return None
    icon = _node_parts(element, Box(0.0, 0.0, size.width, size.height), size).get("icon")
    return None if icon is None else icon.center.y


def _node_parts(node: Node, box: Box, size: Size) -> Mapping[str, Box]:
    """Icon above label inside the shape; a node with its label below keeps the whole box for the icon (R-ICON-2)."""
    if size.parts:
        wider = box.width / size.width if size.width > 0 else 1.0  # a constraint may have given it another's width
        return {
            name: Box(box.x + part.x * wider, box.y + part.y, part.width * wider, part.height)
            for name, part in size.parts.items()
        }
    kind = kind_of(node)
    label = size.label
    extent = (label.width, label.height) if label is not None else (0.0, 0.0)
    if kind.label_below or size.outset.bottom > 0:
        icon, _ = stack(box, size.icon, (0.0, 0.0))
        named = Box(box.center.x - extent[0] / 2, box.bottom + LABEL_BELOW_GAP, *extent)
    else:
        icon, named = stack(shape_named(node.shape or kind.shape).text_area(box), size.icon, extent)
    parts = {"icon": icon} if size.icon else {}
    return parts | {"label": named} if label is not None else parts


def _text_label(text: Text, box: Box, label: TextBlock) -> Box:
    """As wide as the element leaves it, its lines aligned there by `align`: room to spare lies on both sides."""
    padding = max(0.0, (box.height - label.height) / 2)
    middle = box.center.x - label.width / 2
    beside = min(padding, max(0.0, (box.width - label.width) / 2))
    x = {"start": box.x + beside, "end": box.right - beside - label.width}.get(text.align, middle)
    return Box(x, box.center.y - label.height / 2, label.width, label.height)


_PARTS = Remembered[Mapping[str, Box]]()
