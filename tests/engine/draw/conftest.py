"""Laid-out scenes written by hand, so that drawing is tested without the stages before it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.route.finishing import finish_lines
from scenograph.engine.tables import CanvasBox, DrawnRoute, FinishedStyle, LaidOutScene, Placement, Size, Styles
from scenograph.engine.text.blocks import Font
from scenograph.engine.text.layout import lay_text
from scenograph.late_dataclasses import dataclass, field, replace
from scenograph.scene.model import Asset, Color, Edge, Element, Endpoint, Frame, Guide, Image, Node, Scene, Text

INK, WHITE, CLEAR = Color(30, 41, 59), Color(255, 255, 255), Color(0, 0, 0, 0)
GREY = Color(100, 116, 139)

PLAIN = FinishedStyle(
    fill=WHITE,
    stroke=INK,
    stroke_width=1.0,
    corner_radius=6.0,
    font=Font("sans", 14.0, 500),
    text_color=INK,
    muted_color=GREY,
    accent_color=INK,
    dash=(),
    opacity=1.0,
    label_background=CLEAR,
)


@dataclass
class Bench:
    """A scene that grows element by element; `laid_out()` freezes it."""

    elements: list[Element] = field(default_factory=list)
    styles: dict[str, FinishedStyle] = field(default_factory=dict)
    sizes: dict[str, Size] = field(default_factory=dict)
    boxes: dict[str, Box] = field(default_factory=dict)
    parts: dict[str, Mapping[str, Box]] = field(default_factory=dict)
    routes: dict[str, DrawnRoute] = field(default_factory=dict)
    assets: dict[str, Asset] = field(default_factory=dict)

    def add(self, element: Element, box: Box | None = None, **style: object) -> Bench:
        self.elements.append(element)
        self.styles[element.id] = replace(PLAIN, **style)
        if box is not None:
            self.boxes[element.id] = box
        return self

    def node(self, id_: str, box: Box, label: str = "", *, z: float = 0.0, kind: str | None = None, **style) -> Bench:
        self.add(Node(id=id_, kind="node", label=label, shape="rect", node_type=kind, z_index=z), box, **style)
        return self._labelled(id_, label, box, "label")

    def frame(self, id_: str, box: Box, title: str = "", children: tuple[str, ...] = (), **style) -> Bench:
        self.add(Frame(id=id_, kind="frame", title=title, children=children, container_type="generic"), box, **style)
        return self._labelled(id_, title, Box(box.x + 12, box.y + 8, 0, 18), "title")

    def pool(self, id_: str, box: Box, title: str, header: Box, **style) -> Bench:
        self.add(Frame(id=id_, kind="frame", title=title, container_type="pool"), box, **style)
        self._labelled(id_, title, header, "title")
        self.parts[id_] = {"header": header}
        return self

    def edge(self, id_: str, points: list[tuple[float, float]], label: str = "", **options) -> Bench:
        arrows = {name: options.pop(name) for name in ("start_arrow", "end_arrow") if name in options}
        source, target = options.pop("ends", ("a", "b"))
        router, z = options.pop("router", "orthogonal"), options.pop("z", 0.0)
        ends = Endpoint(element_id=source), Endpoint(element_id=target)
        edge = Edge(id=id_, kind="edge", source=ends[0], target=ends[1], label=label, z_index=z, **arrows)
        self.add(edge, **options)
        block = lay_text(label, Font("sans", 12.0)) if label else None
        self.sizes[id_] = Size(width=block.width if block else 0, height=block.height if block else 0, label=block)
        middle = points[len(points) // 2 - 1], points[len(points) // 2]
        x, y = ((a + b) / 2 for a, b in zip(*middle, strict=True))
        box = Box(x - block.width / 2, y - block.height / 2, block.width, block.height) if block else None
        self.routes[id_] = DrawnRoute(points=tuple(Point(*point) for point in points), router=router, label=box)
        return self

    def text(self, id_: str, box: Box, content: str, align: str = "start", **style) -> Bench:
        self.add(
            Text(id=id_, kind="text", content=content, align=align), box, **{"fill": CLEAR, "stroke": CLEAR} | style
        )
        return self._labelled(id_, content, box, "label")

    def image(self, id_: str, box: Box, **members) -> Bench:
        return self.add(Image(id=id_, kind="image", **members), box)

    def guide(self, id_: str, orientation: str, position: float) -> Bench:
        return self.add(Guide(id=id_, kind="guide", orientation=orientation, position=position))

    def laid_out(self, width: float = 400, height: float = 300, **members: object) -> LaidOutScene:
        scene = Scene(id="s", elements=tuple(self.elements), assets=self.assets, **members)
        styles = Styles(theme="clean", background=WHITE, of=self.styles)
        placement = Placement(boxes=self.boxes, parts=self.parts)
        return LaidOutScene(
            scene=scene,
            styles=styles,
            sizes=self.sizes,
            placement=placement,
            routes=finish_lines(scene, styles, placement, self.routes),
            canvas=CanvasBox(width=width, height=height),
        )

    def _labelled(self, id_: str, text: str, box: Box, part: str) -> Bench:
        block = lay_text(text, Font("sans", 14.0, 500)) if text else None
        self.sizes[id_] = Size(width=box.width, height=box.height, label=block)
        if block:
            place = Box(box.x, box.center.y - block.height / 2, max(box.width, block.width), block.height)
            self.parts[id_] = {part: place}
        return self


@pytest.fixture
def bench() -> Bench:
    return Bench()
