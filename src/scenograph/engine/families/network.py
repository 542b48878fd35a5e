"""Network: devices, subnets and links. (R-NET-1, R-NET-2)

A device is drawn as its symbol with the label below, as in network maps. In an authored box wide enough for the label,
or with an icon, the label stands inside, below the symbol or the icon; a symbol without a label fills its box.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from scenograph.engine.colors import TRANSPARENT
from scenograph.engine.drawing import DrawnItem
from scenograph.engine.families.faces import globe, glyph_items, label_items, outline_item, shown_icon
from scenograph.engine.families.family import EdgeKind, Family, Glyph, GlyphStroke, NodeFace, NodeKind, by_name, depths
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import Move, Path, circle, elliptic_arc, polyline, rounded_rectangle
from scenograph.engine.shapes import shape_named
from scenograph.late_dataclasses import replace
from scenograph.scene.model import Edge, Node, Scene

# The marks of network devices, drawn in the node's line colour over its outline; and the same devices small, in a
# square above a label. Own drawings in the manner of the field: arrows for what forwards, bricks for what blocks,
# drawers for what serves. (R-NET-1)


_THIN, _LINE = 1.25, 1.5
_SMALL = 34.0  # px; a smaller symbol is drawn with finer strokes
_HEAD = 0.09  # of the shorter side: half the width of an arrowhead
_BRICKS = 4  # rows
_DRAWERS = 3

DeviceOutline = Callable[[Box], Path]


class _Pen(NamedTuple):
    """A box as a frame of 100 x 100 units, and the stroke width."""

    box: Box
    width: float

    def at(self, x: float, y: float) -> Point:
        return Point(self.box.x + self.box.width * x / 100, self.box.y + self.box.height * y / 100)

    def line(self, *points: tuple[float, float]) -> GlyphStroke:
        return GlyphStroke(path=polyline(self.at(*point) for point in points), width=self.width)

    def dot(self, x: float, y: float, radius: float) -> GlyphStroke:
        return GlyphStroke(path=circle(self.at(x, y), radius), filled=True)

    def arrow(self, start: tuple[float, float], end: tuple[float, float]) -> tuple[GlyphStroke, ...]:
        """A segment with an open head at the end."""
        a, b = self.at(*start), self.at(*end)
        length = math.dist(a, b) or 1.0
        dx, dy = (b.x - a.x) / length, (b.y - a.y) / length
        reach = min(_HEAD * min(self.box.width, self.box.height), length / 2)
        barbs = (
            Point(b.x - reach * (dx - dy), b.y - reach * (dy + dx)),
            b,
            Point(b.x - reach * (dx + dy), b.y - reach * (dy - dx)),
        )
        return (
            GlyphStroke(path=polyline((a, b)), width=self.width),
            GlyphStroke(path=polyline(barbs), width=self.width),
        )


def _pen(box: Box) -> _Pen:
    return _Pen(box, _THIN if min(box.width, box.height) < _SMALL else _LINE)


def router(box: Box) -> tuple[GlyphStroke, ...]:
    """Two arrows in, two arrows out."""
    pen = _pen(box)
    return (
        *pen.arrow((18, 50), (43, 50)),
        *pen.arrow((82, 50), (57, 50)),
        *pen.arrow((50, 42), (50, 15)),
        *pen.arrow((50, 58), (50, 85)),
    )


def switch(box: Box) -> tuple[GlyphStroke, ...]:
    """Arrows in both directions, stacked."""
    pen = _pen(box)
    rows = ((22, 1), (41, -1), (60, 1), (79, -1))
    return tuple(stroke for y, way in rows for stroke in pen.arrow((50 - 32 * way, y), (50 + 32 * way, y)))


def _bricks(box: Box) -> tuple[GlyphStroke, ...]:
    """A wall."""
    pen, step = _pen(box)._replace(width=_THIN), 100 / _BRICKS
    courses = [pen.line((0, step * row), (100, step * row)) for row in range(1, _BRICKS)]
    joints = [
        pen.line((x, step * row), (x, step * (row + 1)))
        for row in range(_BRICKS)
        for x in ((33.3, 66.7) if row % 2 == 0 else (16.7, 50.0, 83.3))
    ]
    return (*courses, *joints)


def _drawers(box: Box) -> tuple[GlyphStroke, ...]:
    """The units of a rack, each with a lamp and a slot."""
    pen, step = _pen(box), 100 / _DRAWERS
    lines = [pen.line((0, step * row), (100, step * row)) for row in range(1, _DRAWERS)]
    radius = max(1.2, min(box.width, box.height) * 0.04)
    lamps = [pen.dot(20, step * (row + 0.5), radius) for row in range(_DRAWERS)]
    slots = [pen.line((48, step * (row + 0.5)), (82, step * (row + 0.5))) for row in range(_DRAWERS)]
    return (*lines, *lamps, *slots)


def _balance(box: Box) -> tuple[GlyphStroke, ...]:
    """One arrow in, three out."""
    pen = _pen(box)
    return (
        pen.line((18, 50), (46, 50)),
        pen.dot(46, 50, max(2.0, min(box.width, box.height) * 0.06)),
        *pen.arrow((46, 50), (78, 24)),
        *pen.arrow((46, 50), (82, 50)),
        *pen.arrow((46, 50), (78, 76)),
    )


def waves(box: Box) -> tuple[GlyphStroke, ...]:
    """Radio waves over an antenna's foot."""
    pen, side = _pen(box), min(box.width, box.height)
    foot = Point(box.center.x, box.center.y + side * 0.24)
    return (GlyphStroke(path=circle(foot, side * 0.055), filled=True), *_arcs(foot, side, pen.width))


def _arcs(foot: Point, side: float, width: float) -> tuple[GlyphStroke, ...]:
    start, end = 1.25 * math.pi, 1.75 * math.pi
    found: list[GlyphStroke] = []
    for share in (0.2, 0.37, 0.54):
        r = side * share
        around = Box(foot.x - r, foot.y - r, 2 * r, 2 * r)
        begin = Point(foot.x + r * math.cos(start), foot.y + r * math.sin(start))
        found.append(GlyphStroke(path=(Move(begin), *elliptic_arc(around, start, end)), width=width))
    return tuple(found)


def screen(box: Box) -> tuple[GlyphStroke, ...]:
    """A display on a stand."""
    pen = _pen(box)
    return (
        GlyphStroke(path=rounded_rectangle(_display(box), 3.0), width=_LINE),
        *_stand(pen),
    )


def _paint_screen(face: NodeFace) -> Iterator[DrawnItem]:
    """The client device: a filled display on a stand, with the label below."""
    yield outline_item(rounded_rectangle(_display(face.box), 3.0), face.style)
    yield from glyph_items(_stand(_pen(face.box)), replace(face.style, fill=TRANSPARENT))
    yield from label_items(face)


def _display(box: Box) -> Box:
    return Box(box.x, box.y, box.width, box.height * 0.76)


def _stand(pen: _Pen) -> tuple[GlyphStroke, ...]:
    return (pen.line((50, 76), (50, 98)), pen.line((28, 98.5), (72, 98.5)))


def _globe_in_cloud(box: Box) -> tuple[GlyphStroke, ...]:
    """A globe at the roomiest place of a cloud."""
    side = 0.5 * min(box.width, box.height)
    return globe(Box(box.center.x - side / 2, box.y + box.height * 0.58 - side / 2, side, side))


def branches(box: Box) -> tuple[GlyphStroke, ...]:
    """A segment with attached nodes."""
    pen = _pen(box)
    boxes = ((50, 18), (18, 82), (50, 82), (82, 82))
    half = 11.0
    nodes = [
        GlyphStroke(
            path=rounded_rectangle(Box(*pen.at(x - half, y - half), box.width * 0.22, box.height * 0.22), 1.5),
            width=pen.width,
        )
        for x, y in boxes
    ]
    lines = (
        pen.line((50, 29), (50, 71)),
        pen.line((18, 71), (18, 50), (82, 50), (82, 71)),
    )
    return (*nodes, *lines)


def small(outline: DeviceOutline, marks: Glyph, shape: tuple[float, float]) -> Glyph:
    """A device as a symbol: the outline in the proportions of `shape`, with marks inside."""

    def paint(square: Box) -> tuple[GlyphStroke, ...]:
        scale = min(square.width / shape[0], square.height / shape[1])
        width, height = shape[0] * scale, shape[1] * scale
        box = Box(square.center.x - width / 2, square.center.y - height / 2, width, height)
        return (GlyphStroke(path=outline(box), width=_LINE), *marks(box))

    return paint


# Links between peers: two devices of one kind at equal distance from the root of the network back each other up (a
# redundant pair, a cluster); their link implies no hierarchy. In: a scene. Out: the ids of these links. A link is no
# peer link if the two devices are connected only through this link.


def _peer_links(scene: Scene) -> frozenset[str]:
    """The ids of all links between peers."""
    kinds = {row.id: row.node_type for row in scene.nodes if row.node_type}
    links = scene.edges
    alike = {link.id for link in links if kinds.get(link.source.element_id) == kinds.get(link.target.element_id, "")}
    if not alike or len(alike) == len(links):
        return frozenset()
    others = [link for link in links if link.id not in alike]
    depth, part = depths(scene, others), _parts(others)
    return frozenset(
        link.id
        for link in links
        if link.id in alike and _are_peers(link.source.element_id, link.target.element_id, depth, part)
    )


def _are_peers(one: str, other: str, depth: Mapping[str, int], part: Mapping[str, str]) -> bool:
    is_linked = one in part and part[one] == part.get(other)
    return one != other and is_linked and depth.get(one) == depth.get(other)


def _parts(links: list[Edge]) -> dict[str, str]:
    """A representative of the connected component, for every element."""
    near: dict[str, list[str]] = {}
    for link in links:
        near.setdefault(link.source.element_id, []).append(link.target.element_id)
        near.setdefault(link.target.element_id, []).append(link.source.element_id)
    part: dict[str, str] = {}
    for first in near:
        waiting = [] if first in part else [first]
        part.setdefault(first, first)
        while waiting:
            for other in near[waiting.pop()]:
                if other not in part:
                    part[other] = first
                    waiting.append(other)
    return part


_WIDE_ENOUGH = 72.0
"""The least width given by an author for a label inside the box, px. No symbol is naturally as wide: a normalized map
stays unchanged."""

_SMALL_RADIUS = 3.0


def _stands_free(node: Node) -> bool:
    """Whether a device is drawn as its symbol alone, with any label below."""
    width = node.layout.width
    return shown_icon(node) is None and (not node.label or width is None or width < _WIDE_ENOUGH)


def _device(name: str, shape: str, size: tuple[float, float], marks: Glyph | None, tone: str = "gateway") -> NodeKind:
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
        has_own_face=_stands_free,
    )


NETWORK = Family(
    name="network",
    level=_peer_links,
    node_kinds=by_name(
        _device("router", "ellipse", (52.0, 52.0), router),
        _device("switch", "roundedRect", (64.0, 44.0), switch),
        _device("firewall", "rect", (60.0, 44.0), _bricks),
        _device("server", "roundedRect", (44.0, 52.0), _drawers, tone="node"),
        _device("loadBalancer", "hexagon", (64.0, 48.0), _balance),
        replace(_device("client", "iconBox", (60.0, 48.0), screen, tone="people"), symbol=screen, paint=_paint_screen),
        _device("database", "cylinder", (48.0, 52.0), None, tone="data"),
        _device("accessPoint", "ellipse", (52.0, 52.0), waves),
        _device("internet", "cloud", (70.0, 48.0), _globe_in_cloud, tone="external"),
        NodeKind(name="network.cloud", shape="cloud", tone="external", min_size=(120.0, 72.0), wrap_width=110.0),
        NodeKind(name="network.subnet", symbol=branches),
    ),
    edge_kinds=by_name(
        EdgeKind(name="network.link", mergeable=False),
        EdgeKind(name="network.wireless", dash=(2.0, 4.0), mergeable=False),
        EdgeKind(name="network.vpn", dash=(8.0, 4.0), mergeable=False),
    ),
    merges_fan_in=False,
)
