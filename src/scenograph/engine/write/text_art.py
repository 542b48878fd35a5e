"""A laid-out scene as text: boxes and lines of Unicode box-drawing characters, at most 200 columns.

In: a laid-out scene. Out: lines of text in which elements stand where the picture has them, on a grid of COLUMN x ROW
px, coarser where the page would be wider than MOST_COLUMNS. Labels that do not fit are cut and told as a loss.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.tables import LaidOutScene, Route
from scenograph.engine.write.text_grid import Grid, cut, width_of
from scenograph.engine.write.writer import Losses
from scenograph.scene.model import Edge, Element, Frame, Group, Guide, Image, Node, Text

COLUMN, ROW = 8.0, 17.0
MOST_COLUMNS = 200
MOST_ROWS = 2_000
_HEADING = ("keyword", "label")
_CUT, _LEFT_OUT = "the ends of labels that do not fit", "pictures and guides"


class _Cells(NamedTuple):
    """From scene px to cells."""

    origin: Point
    column: float
    row: float

    def at(self, point: Point) -> tuple[int, int]:
        """The cell of a point."""
        return int((point.x - self.origin.x) / self.column), int((point.y - self.origin.y) / self.row)

    def box(self, box: Box) -> tuple[int, int, int, int]:
        """The corner cells of a box: at least two columns and rows apart."""
        left, top = self.at(Point(box.x, box.y))
        right, bottom = self.at(Point(box.right, box.bottom))
        return left, top, max(right, left + 2), max(bottom, top + 2)


def write_text(laid_out: LaidOutScene, losses: Losses) -> str:
    """The lines of the picture."""
    canvas = laid_out.canvas
    column = max(COLUMN, canvas.width / (MOST_COLUMNS - 1))
    row = max(ROW, canvas.height / MOST_ROWS)
    cells = _Cells(canvas.origin, column, row)
    grid = Grid(min(MOST_COLUMNS, int(canvas.width / column) + 1), int(canvas.height / row) + 1)
    page = _Page(laid_out, grid, cells, losses)
    elements = laid_out.scene.elements
    for kinds, draw in (
        ((Frame, Group), page.container),
        ((Edge,), page.line),
        ((Node,), page.node),
        ((Edge,), page.line_end),
        ((Text,), page.free_text),
    ):
        for element in elements:
            if isinstance(element, kinds):
                draw(element)
    left_out = [one.id for one in elements if isinstance(one, Image | Guide)]
    if left_out:
        losses.add(_LEFT_OUT, *left_out)
    return grid.text()


class _Page:
    """The grid being filled."""

    def __init__(self, laid_out: LaidOutScene, grid: Grid, cells: _Cells, losses: Losses) -> None:
        self._laid_out = laid_out
        self._grid = grid
        self._cells = cells
        self._losses = losses

    def container(self, element: Element) -> None:
        """A frame with its title in its upper border; a group only where it has a style."""
        box = self._laid_out.placement.boxes.get(element.id)
        if box is None or (isinstance(element, Group) and element.style is None and element.style_id is None):
            return
        left, top, right, bottom = self._cells.box(box)
        self._grid.box(left, top, right, bottom, cleared=False)
        title = element.title if isinstance(element, Frame) else getattr(element, "label", None)
        if title:
            self._write(element, left + 2, top, f" {title} ".replace("\n", " "), right - left - 3)

    def node(self, element: Element) -> None:
        """A box with its label, or its rows; a lifeline with its tail and foot."""
        placement = self._laid_out.placement
        box = placement.boxes.get(element.id)
        if box is None or not isinstance(element, Node):
            return
        tail, foot = placement.part(element.id, "tail"), placement.part(element.id, "foot")
        if tail is not None:
            start = self._cells.at(Point(tail.center.x, tail.y))
            self._grid.line(start, self._cells.at(Point(tail.center.x, tail.bottom)))
        label = placement.part(element.id, "label")
        inside = placement.part(element.id, "header") or box
        for part, place in ((box, inside if label is None or box.contains(label) else label), (foot, foot)):
            if part is not None and place is not None:
                self._grid.box(*self._cells.box(part), cleared=True)
                if not self._has_compartments(element):
                    self._label(element, place, is_inside=place is not label)
        if not element.columns:
            self._compartments(element, box)
        for column in element.columns:
            part = placement.part(element.id, f"column:{column.name}")
            if part is not None:
                left, _, right, _ = self._cells.box(part)
                words = " ".join(filter(None, (column.name, column.type)))
                self._write(element, left + 1, self._cells.at(part.center)[1], words, right - left - 2)

    def _has_compartments(self, node: Node) -> bool:
        size = self._laid_out.sizes.get(node.id)
        return size is not None and "header" in size.parts and any(name.startswith("rule:") for name in size.parts)

    def _compartments(self, node: Node, box: Box) -> None:
        """The texts of a class one below the other, each on a row of its own, and the rules that find a row between."""
        size = self._laid_out.sizes.get(node.id)
        if size is None or not self._has_compartments(node):
            return
        left, top, right, bottom = self._cells.box(box)
        room, row, used = right - left - 1, top, set[int]()
        texts = [(size.parts[name], name, block) for name, block in size.texts.items() if name in size.parts]
        for part, name, block in sorted(texts, key=lambda text: text[0].y):
            row = max(row + 1, self._cells.at(Point(box.x, box.y + part.y))[1])
            for line in block.lines:
                words = "".join(run.text for run in line.runs).strip()
                if row >= bottom:
                    self._losses.add(_CUT, node.id)
                    return
                middle = max((room - width_of(words)) // 2, 0) if name in _HEADING else 0
                self._write(node, left + 1 + middle, row, words, room)
                used.add(row)
                row += 1
            row -= 1
        for name, part in size.parts.items():
            at = self._cells.at(Point(box.x, box.y + part.y))[1]
            if name.startswith("rule:") and at not in used and top < at < bottom:
                self._grid.line((left, at), (right, at))

    def line(self, element: Element) -> None:
        """The course of an edge."""
        route = self._laid_out.routes.get(element.id)
        cells = [self._cells.at(point) for point in (route.points if route is not None else ())]
        for start, end in pairwise(cells):
            self._grid.line(start, end)

    def line_end(self, element: Element) -> None:
        """The heads and the label of an edge, over everything."""
        route = self._laid_out.routes.get(element.id)
        if route is None or not isinstance(element, Edge) or len(route.points) < 2:
            return
        for marker, tip, back in (
            (element.start_arrow, route.points[0], route.points[1]),
            (element.end_arrow, route.points[-1], route.points[-2]),
        ):
            if marker not in (None, "none"):
                self._head(tip, back)
        self._line_label(element, route)
        ends = (
            (element.source, route.points[0], route.points[1]),
            (element.target, route.points[-1], route.points[-2]),
        )
        for (end, tip, back), box in zip(ends, route.end_labels, strict=True):
            if box is not None and end.label:
                column, row = self._cells.at(Point(box.x, box.center.y))
                upright = abs(tip.y - back.y) > abs(tip.x - back.x)
                row = self._before(tip, back)[1] if upright else row
                self._write(element, column, row, end.label.replace("\n", " "), self._grid.columns - column)

    def free_text(self, element: Element) -> None:
        """A text from its box's upper left corner on."""
        box = self._laid_out.placement.boxes.get(element.id)
        if box is not None and isinstance(element, Text):
            left, top = self._cells.at(Point(box.x, box.y))
            for number, line in enumerate(element.content.split("\n")):
                self._write(element, left, top + number, line, self._grid.columns - left)

    def _head(self, tip: Point, back: Point) -> None:
        """An arrowhead in the cell before the box that it points at."""
        self._grid.head(self._before(tip, back), tip.x - back.x, tip.y - back.y)

    def _before(self, tip: Point, back: Point) -> tuple[int, int]:
        """The last cell of a line that is not the border of the box where it ends."""
        dx, dy = tip.x - back.x, tip.y - back.y
        column, row = self._cells.at(tip)
        if abs(dx) >= abs(dy):
            return column - ((dx > 0) - (dx < 0)), row
        return column, row - ((dy > 0) - (dy < 0))

    def _line_label(self, edge: Edge, route: Route) -> None:
        if route.label is None or not edge.label:
            return
        lines = edge.label.split("\n")
        center = self._cells.at(route.label.center)
        for number, line in enumerate(lines):
            left = center[0] - width_of(line) // 2
            self._write(edge, max(left, 0), center[1] - len(lines) // 2 + number, line, self._grid.columns)

    def _label(self, node: Node, place: Box, *, is_inside: bool) -> None:
        """The lines of the label as the picture breaks them, in the middle of `place`."""
        size = self._laid_out.sizes.get(node.id)
        if size is None or size.label is None or not node.label:
            return
        lines = ["".join(run.text for run in line.runs).strip() for line in size.label.lines]
        left, top, right, bottom = self._cells.box(place)
        first = (top + bottom + 1 - len(lines)) // 2
        room = right - left - 1 if is_inside else self._grid.columns
        for number, line in enumerate(lines):
            column = (left + right + 1 - width_of(cut(line, room))) // 2
            self._write(node, max(column, 0), first + number, line, room)

    def _write(self, element: Element, column: int, row: int, text: str, room: int) -> None:
        shown = cut("".join(letter if letter.isprintable() else " " for letter in text), max(room, 0))
        if width_of(shown) < width_of(text):
            self._losses.add(_CUT, element.id)
        self._grid.put(column, row, shown)
