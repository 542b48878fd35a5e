"""Nodes with icons, and nodes reduced to icon and label.

(R-ICON-2, R-ICON-3, R-ICON-4, R-ICON-5)
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from scenograph.diagnostics import Report
from scenograph.engine.colors import hex_color, is_default_equivalent
from scenograph.engine.icons import Icon, find
from scenograph.late_dataclasses import replace
from scenograph.scene.model import Color, Element, Frame, Node, Scene, Style

CLOUD_PREFIXES = frozenset({"aws", "gcp", "azure"})
"""Icons of these sets stand without a box; all remaining icons keep theirs."""

ICON_SHAPE = "iconBox"

_AWS_ORANGE, _AWS_TEAL, _AWS_GREY = hex_color("#ed7100"), hex_color("#00a4a6"), hex_color("#7d8998")
_AZURE_BLUE, _GOOGLE_BLUE = hex_color("#0078d4"), hex_color("#1a73e8")
GROUP_COLORS: Mapping[str, Color] = MappingProxyType(
    {
        "aws:group-aws-cloud": hex_color("#242f3e"),
        "aws:group-aws-cloud-logo": hex_color("#242f3e"),
        "aws:group-aws-account": hex_color("#e7157b"),
        "aws:group-region": _AWS_TEAL,
        "aws:group-virtual-private-cloud-vpc": hex_color("#8c4fff"),
        "aws:amazon-virtual-private-cloud": hex_color("#8c4fff"),
        "aws:group-private-subnet": _AWS_TEAL,
        "aws:group-public-subnet": hex_color("#7aa116"),
        "aws:group-auto-scaling-group": _AWS_ORANGE,
        "aws:group-spot-fleet": _AWS_ORANGE,
        "aws:group-ec2-instance-contents": _AWS_ORANGE,
        "aws:group-server-contents": _AWS_GREY,
        "aws:group-corporate-data-center": _AWS_GREY,
        "aws:group-aws-iot-greengrass-deployment": hex_color("#7aa116"),
        "azure:management-groups": _AZURE_BLUE,
        "azure:subscriptions": hex_color("#c19c00"),
        "azure:resource-groups": hex_color("#737373"),
        "azure:virtual-networks": _AZURE_BLUE,
        "azure:subnet": _AZURE_BLUE,
        "azure:availability-sets": _AZURE_BLUE,
        "azure:network-security-groups": _AZURE_BLUE,
        "gcp:project": _GOOGLE_BLUE,
        "gcp:virtual-private-cloud": _GOOGLE_BLUE,
    }
)
"""The colours in which vendors draw the groups of their clouds, by the icon of a frame."""


def group_color(frame: Frame) -> Color | None:
    """The vendor's colour of a frame with the icon of a cloud group."""
    icon = shown_icon(frame)
    return None if icon is None else GROUP_COLORS.get(icon.key)


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
