"""Network: devices, subnets and links. (R-NET-1, R-NET-2)

A device is its symbol with the label below, as network maps draw it. In a box that its author made wide enough for the
label, or with an icon, the label stands inside, the symbol or the icon above it; a symbol without a label fills its
box.
"""

from __future__ import annotations

from scenograph.engine.families.device_glyphs import (
    balance,
    branches,
    bricks,
    drawers,
    globe_in_cloud,
    paint_screen,
    router,
    screen,
    small,
    switch,
    waves,
)
from scenograph.engine.families.family import EdgeKind, Family, Glyph, NodeKind, by_name
from scenograph.engine.families.icon_nodes import shown_icon
from scenograph.engine.families.peers import peer_links
from scenograph.engine.shapes.catalog import shape_named
from scenograph.late_dataclasses import replace
from scenograph.scene.model import Node

WIDE_ENOUGH = 72.0
"""From this width on a box that its author gives holds the label, px. No symbol is as wide by itself: a normalized map
stays as it is."""

_SMALL_RADIUS = 3.0


def stands_free(node: Node) -> bool:
    """Whether a device is nothing but its symbol, with the label below where there is one."""
    width = node.layout.width
    return shown_icon(node) is None and (not node.label or width is None or width < WIDE_ENOUGH)


def _device(name: str, shape: str, size: tuple[float, float], marks: Glyph | None, tone: str = "data") -> NodeKind:
    outline = shape_named(shape).outline
    symbol = None if marks is None else small(lambda box: outline(box, _SMALL_RADIUS), marks, size)
    return NodeKind(
        name=f"network.{name}",
        shape=shape,
        label_below=True,
        fixed_size=size,
        tone=tone,
        glyph=marks,
        symbol=symbol,
        has_own_face=stands_free,
    )


NETWORK = Family(
    name="network",
    level=peer_links,
    node_kinds=by_name(
        _device("router", "ellipse", (52.0, 52.0), router),
        _device("switch", "roundedRect", (64.0, 44.0), switch),
        _device("firewall", "rect", (60.0, 44.0), bricks, tone="node"),
        _device("server", "roundedRect", (44.0, 52.0), drawers, tone="node"),
        _device("loadBalancer", "hexagon", (64.0, 48.0), balance),
        replace(_device("client", "iconBox", (60.0, 48.0), screen, tone="node"), symbol=screen, paint=paint_screen),
        _device("database", "cylinder", (48.0, 52.0), None),
        _device("accessPoint", "ellipse", (52.0, 52.0), waves),
        _device("internet", "cloud", (70.0, 48.0), globe_in_cloud, tone="external"),
        NodeKind(name="network.cloud", shape="cloud", tone="external", min_size=(120.0, 72.0), wrap_width=110.0),
        NodeKind(name="network.subnet", dash=(6.0, 4.0), symbol=branches),
    ),
    edge_kinds=by_name(
        EdgeKind(name="network.link"),
        EdgeKind(name="network.wireless", dash=(2.0, 4.0)),
        EdgeKind(name="network.vpn", dash=(8.0, 4.0)),
    ),
)
