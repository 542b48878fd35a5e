"""Nodes with icons, and nodes reduced to icon and label.

(R-ICON-2, R-ICON-3, R-ICON-4, R-ICON-5)
"""

from __future__ import annotations

from scenograph.diagnostics import Report
from scenograph.engine.colors import is_default_equivalent
from scenograph.engine.icons import Icon, find
from scenograph.late_dataclasses import replace
from scenograph.scene.model import Element, Frame, Node, Scene, Style

CLOUD_PREFIXES = frozenset({"aws", "gcp", "azure"})
"""Icons of these sets stand without a box; all remaining icons keep theirs."""

ICON_SHAPE = "iconBox"


def shown_icon(element: Node | Frame) -> Icon | None:
    """The registered icon of an element; None without an icon or for an unknown name, which draws nothing."""
    return find(element.icon) if element.icon else None


def is_cloud_icon(node: Node) -> bool:
    """Whether a node shows a cloud provider's icon."""
    icon = shown_icon(node)
    return icon is not None and icon.key.partition(":")[0] in CLOUD_PREFIXES


def take_the_icons_outline(scene: Scene, _report: Report) -> Scene:
    """Of a cloud provider's icon without a box the outline is not seen: size and lines go by the icon, whatever shape
    its author named."""
    return replace(scene, elements=tuple(_outlined(element, scene) for element in scene.elements))


def _outlined(element: Element, scene: Scene) -> Element:
    if not isinstance(element, Node) or element.shape in {None, ICON_SHAPE} or not is_cloud_icon(element):
        return element
    style = element.style or scene.styles.get(element.style_id or "", Style())
    return element if without_default_box(style).fill is not None else replace(element, shape=ICON_SHAPE)


def without_default_box(style: Style) -> Style:
    """The effective style of a node with a cloud icon: a fill equal to the default counts as none and drops the stroke;
    a transparent fill makes a box only together with a stroke."""
    fill = style.fill
    if fill is not None and is_default_equivalent(fill):
        return replace(style, fill=None, stroke=None, stroke_width=None)
    if fill is not None and fill.alpha == 0 and style.stroke is None:
        return replace(style, fill=None)
    return style
