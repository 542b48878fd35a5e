"""What a node is painted of, whatever its type: an outline, an icon, a label. px."""

from __future__ import annotations

from collections.abc import Iterator

from scenograph.engine.drawing import Item, PathItem
from scenograph.engine.families.family import NodeFace
from scenograph.engine.families.icon_nodes import shown_icon
from scenograph.engine.geometry.paths import Path
from scenograph.engine.shapes.texts import text_item
from scenograph.engine.tables import FinishedStyle


def outline_item(path: Path, style: FinishedStyle) -> PathItem:
    """A path filled and stroked as the style of its element says."""
    return PathItem(
        path=path,
        fill=style.fill,
        stroke=style.stroke,
        stroke_width=style.stroke_width,
        dash=style.dash,
        is_outline=True,
    )


def border_item(path: Path, style: FinishedStyle) -> PathItem:
    """The same without its fill, for an outline that is painted over what stands inside."""
    return PathItem(path=path, stroke=style.stroke, stroke_width=style.stroke_width, dash=style.dash, is_outline=True)


def icon_items(face: NodeFace) -> Iterator[Item]:
    """The registered icon of a node, where a stage before has made room for one (part `icon`)."""
    icon, part = shown_icon(face.node), face.parts.get("icon")
    if icon is not None and part is not None:
        yield from icon.items(part, face.style.text_color)


def label_items(face: NodeFace) -> tuple[Item, ...]:
    """The label of a node in its part box."""
    label, part = face.size.label, face.parts.get("label")
    return (text_item(label, part, face.style),) if label is not None and label.lines and part is not None else ()
