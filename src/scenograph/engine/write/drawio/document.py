"""A drawing as the text of a draw.io file.

In: the laid-out scene and its drawing before any pen. Out: XML, not compressed. Promises: ids of the scene stay ids of
the file; every connector is bound to both its ends; no caller's text becomes markup; the same scene gives the
same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set

from scenograph.engine.drawing import Drawing, DrawnGroup, TextItem
from scenograph.engine.families.container_types import is_region
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.tables import LaidOutScene
from scenograph.engine.write.decimals import decimal
from scenograph.engine.write.drawio.cells import Cell, color_text, markup_of
from scenograph.engine.write.drawio.connectors import Drawn, connector, texts_on, with_label
from scenograph.engine.write.drawio.figures import Home, Place, figure, parts
from scenograph.engine.write.drawio.losing import tell_losses
from scenograph.engine.write.markup import Markup, serialized
from scenograph.engine.write.writer import Losses
from scenograph.scene.model import Edge, Element, Frame, Group
from scenograph.scene.nesting import ancestors

BESIDE = frozenset({"legend", "watermark"})
_PAGE = {
    "grid": "0",
    "guides": "1",
    "tooltips": "1",
    "connect": "1",
    "arrows": "1",
    "fold": "1",
    "page": "1",
    "math": "0",
}


def write_drawio(laid_out: LaidOutScene, drawing: Drawing, losses: Losses) -> str:
    """The file."""
    tell_losses(laid_out.scene, drawing, losses)
    page = _Page(laid_out, drawing)
    cells = tuple(markup_of(cell) for cell in page.cells())
    root = Markup("mxCell", (("id", page.root),))
    layer = Markup("mxCell", (("id", page.layer), ("parent", page.root)))
    numbers = (("pageWidth", decimal(drawing.page.width)), ("pageHeight", decimal(drawing.page.height)))
    look = (*_PAGE.items(), ("pageScale", "1"), *numbers, ("background", color_text(drawing.background)))
    model = Markup("mxGraphModel", look, (Markup("root", (), (root, layer, *cells)),))
    named = (("id", "scene"), ("name", drawing.title or "Scene"))
    return serialized(Markup("mxfile", (("host", "scenograph"),), (Markup("diagram", named, (model,)),))) + "\n"


class _Page:
    """The cells of a page: containers before their content, connectors last."""

    def __init__(self, laid_out: LaidOutScene, drawing: Drawing) -> None:
        self._laid_out, self._drawing = laid_out, drawing
        self._elements: Mapping[str, Element] = {element.id: element for element in laid_out.scene.elements}
        self._boxes = laid_out.placement.boxes
        self.root, self.layer = (self._unused(name) for name in ("0", "1"))
        drawn = {group.id for group in drawing.groups if group.role == "element" and group.id in self._boxes}
        self._unseen = [one for one in self._elements.values() if _is_unseen(one, drawn) and one.id in self._boxes]
        drawn |= {one.id for one in self._unseen}
        self._drawn = {key: self._boxes[key] for key in drawn if not _is_beside_boxes(self._elements.get(key))}
        self._parents = _parents(self._elements, self._drawn)

    def cells(self) -> Iterator[Cell]:
        """All cells."""
        groups = [group for group in self._drawing.groups if group.role not in BESIDE]
        figures = [group for group in groups if not isinstance(self._elements.get(group.id), Edge)]
        figures += [DrawnGroup(one.id, one.kind, ()) for one in self._unseen]
        for group in sorted(figures, key=lambda group: self._depth(group.id)):
            yield from self._figure(group)
        yield from self._connectors([group for group in groups if isinstance(self._elements.get(group.id), Edge)])
        top = Home(self.layer, self._corner)
        for group in self._drawing.groups:
            if group.role in BESIDE:
                yield from parts(self._unused(f"{group.role} {group.kind}"), group.items, top, group.opacity)

    @property
    def _corner(self) -> Point:
        return Point(self._drawing.page.x, self._drawing.page.y)

    def _figure(self, group: DrawnGroup) -> Iterator[Cell]:
        element = self._elements[group.id]
        home = self._home(element.id)
        box = self._boxes.get(element.id)
        if box is None or is_region(element):
            yield from parts(element.id, group.items, home, group.opacity)
            return
        header, head = (self._laid_out.placement.part(element.id, name) for name in ("header", "head"))
        radius = self._laid_out.styles.of[element.id].corner_radius
        yield from figure(element, group, Place(box, radius, header, head), home)

    def _connectors(self, groups: list[DrawnGroup]) -> Iterator[Cell]:
        labels: dict[str, list[TextItem]] = {}
        for group in groups:
            labels.setdefault(group.id, []).extend(
                item for item in group.items if isinstance(item, TextItem) and item.runs
            )
        for group in groups:
            edge, route = self._elements[group.id], self._laid_out.routes.get(group.id)
            if group.role == "label" or not isinstance(edge, Edge) or route is None or len(route.points) < 2:
                continue
            look = self._laid_out.styles.of[edge.id]
            cell = connector(edge, Drawn(route, group, look), self._drawn, (self.layer, self._corner))
            texts = labels[edge.id]
            main = texts.pop(0) if texts and route.label is not None else None
            yield cell if main is None else with_label(cell, edge, route, main, look.label_background)
            yield from texts_on(edge, route, texts, 1)

    def _home(self, element_id: str) -> Home:
        parent = self._parents.get(element_id)
        if parent is None:
            return Home(self.layer, self._corner)
        box: Box = self._drawn[parent]
        return Home(parent, Point(box.x, box.y))

    def _depth(self, element_id: str) -> int:
        return sum(1 for _ in ancestors(element_id, self._parents.get))

    def _unused(self, name: str) -> str:
        while name in self._elements:
            name += "_"
        return name


def _is_unseen(element: Element, drawn: Set[str]) -> bool:
    """Whether it is a group of which nothing is painted."""
    return isinstance(element, Group) and element.id not in drawn


def _is_beside_boxes(element: Element | None) -> bool:
    """Whether it is a line, or a region of a state, which is only a part of its picture."""
    return isinstance(element, Edge) or (element is not None and is_region(element))


def _parents(elements: Mapping[str, Element], drawn: Mapping[str, Box]) -> dict[str, str]:
    """The drawn container that each element stands in; one that is not drawn hands on its content."""
    direct: dict[str, str] = {}
    for element in elements.values():
        for child in element.children if isinstance(element, Frame | Group) else ():
            direct.setdefault(child, element.id)
    found: dict[str, str] = {}
    for name in elements:
        at = next((one for one in ancestors(name, direct.get) if one in drawn), None)
        if at is not None:
            found[name] = at
    return found
