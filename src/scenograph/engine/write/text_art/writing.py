"""A laid-out scene as text: boxes and lines of Unicode box-drawing characters, at most 200 columns.

In: a laid-out scene and its paint. Out: lines of text in which elements stand in the order of the picture, on a grid
whose cells are COLUMN x ROW px where no text needs more. Promises: every text of the picture is there, its words whole
where the columns allow it; lines end at boxes and leave their corners alone. Labels that do not fit are cut and told
as a loss. (R-OUT-10, R-OUT-12)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from scenograph.engine.drawing import Drawing, DrawnGroup, PathItem, TextItem
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import Line, Move
from scenograph.engine.tables import LaidOutScene
from scenograph.engine.write.text_art.grid import Cell, Grid, cut, width_of
from scenograph.engine.write.text_art.room import Room, Solid, Stroke
from scenograph.engine.write.text_art.words import Words, words_of
from scenograph.engine.write.writer import Losses
from scenograph.scene.model import Edge, Frame, Group, Guide, Image, Node

COLUMN, ROW = 8.0, 17.0
MOST_COLUMNS = 200
MOST_ROWS = 2_000
_CUT, _LEFT_OUT = "the ends of labels that do not fit, or all of them", "pictures and guides"
_WIDTHS = (200, 80, 48, 32, 24, 16, 12, 8, 5, 3)  # columns that a line of text may take, tried one after the other
_TITLE_INDENT = 2  # columns from a frame's corner to the blank before its title
_STEPS = (0, 1, -1, 2, -2, 3, -3)  # rows that a text gives way to another
_AT_TAIL = 12.0  # px; so near to a lifeline a line ends at it
_AT_BORDER = 6.0  # px; so near to a box a line ends at it
_NEAR = 1.0  # px
_LEAST = 2  # points of a line
_SHORT = 4.0  # px; a shorter piece of a line needs no cell
_TITLES = ("title", "header", "operator")  # the parts of a frame whose texts stand in its upper border


class _Label(NamedTuple):
    """A text, whose it is, and the box that it stands in; `is_title`: it stands in the upper border of that box."""

    owner: str
    words: Words
    holder: Box | None = None
    is_title: bool = False

    @property
    def box(self) -> Box:
        """The room of the text, px."""
        box = self.words.box
        if not self.is_title or self.holder is None:
            return box
        return Box(box.x, self.holder.y, box.width, max(box.bottom - self.holder.y, box.height))


class _Course(NamedTuple):
    """A line: its corners, and whether its two ends have heads."""

    owner: str
    points: tuple[Point, ...]
    heads: tuple[bool, bool]


def write_text(laid_out: LaidOutScene, drawing: Drawing, losses: Losses) -> str:
    """The lines of the picture."""
    material = _Material(laid_out, drawing)
    page = _fitted(material)
    page.draw()
    crowded = [label.owner for label in material.labels if not page.write(label)]
    left_out = [one.id for one in laid_out.scene.elements if isinstance(one, Image | Guide)]
    for what, keys in ((_CUT, crowded), (_LEFT_OUT, left_out)):
        if keys:
            losses.add(what, *keys)
    return page.grid.text()


def _fitted(material: _Material) -> _Page:
    """The page with the widest lines of text that fit; words are broken only where none fits with whole ones."""
    for whole_words in (True, False):
        for width in _WIDTHS:
            lines = [label.words.wrapped(width, whole_words=whole_words) for label in material.labels]
            room = material.room(lines)
            if room.fit(MOST_COLUMNS, MOST_ROWS):
                return _Page(material, room, lines)
    lines = [label.words.wrapped(_WIDTHS[-1], whole_words=True) for label in material.labels]
    room = material.room(lines)
    room.squeeze(MOST_COLUMNS, MOST_ROWS)
    return _Page(material, room, lines)


class _Material:
    """What the page shows, px: all of it is on the page, or cut at its sides."""

    def __init__(self, laid_out: LaidOutScene, drawing: Drawing) -> None:
        self._laid_out, self._drawing = laid_out, drawing
        self._of = {element.id: element for element in laid_out.scene.elements}
        groups = [group for group in drawing.groups if group.role == "element"]
        painted = [group for group in groups if any(isinstance(item, PathItem) for item in group.items)]
        self._boxed = {group.id: group for group in painted if isinstance(self._of.get(group.id), Node | Frame | Group)}

    @cached_property
    def nodes(self) -> list[Box]:
        """The boxes of nodes, and of lifelines at their feet."""
        placement = self._laid_out.placement
        found = [(placement.boxes[key], placement.part(key, "foot")) for key in self._ids(Node)]
        return self._shown(box for row in found for box in row if box is not None)

    @cached_property
    def containers(self) -> list[Box]:
        """The boxes of frames and groups that are seen."""
        return self._shown(self._laid_out.placement.boxes[key] for key in self._ids(Frame, Group))

    @cached_property
    def rules(self) -> list[Box]:
        """Lines through a whole container."""
        return self._shown(box for key in self._ids(Frame, Group) for box in self._rules_of(key))

    @cached_property
    def tails(self) -> list[Box]:
        """The tails of lifelines."""
        return self._shown(box for key in self._ids(Node) if (box := self._tail(key)) is not None)

    @cached_property
    def inner_rules(self) -> list[Box]:
        """Lines between the compartments of nodes, and under the head of a table."""
        placement, found = self._laid_out.placement, list[Box]()
        for key in self._ids(Node):
            box = placement.boxes[key]
            for name, part in placement.parts.get(key, {}).items():
                if name == "header" and box.y < part.bottom < box.bottom:
                    found.append(Box(box.x, part.bottom, box.width, 0.0))
                elif name.startswith("rule:"):
                    found.append(Box(box.x, part.y, box.width, 0.0))
        return self._shown(found)

    @cached_property
    def courses(self) -> list[_Course]:
        """The lines of edges, their ends drawn out to the boxes where they end."""
        found: list[_Course] = []
        for element in self._laid_out.scene.elements:
            route = self._laid_out.routes.get(element.id)
            if route is None or not isinstance(element, Edge) or len(route.points) < _LEAST:
                continue
            points = list(route.points if route.router != "curved" else (route.points[0], route.points[-1]))
            points[0] = self._at_border(element.source.element_id, points[0], points[1])
            points[-1] = self._at_border(element.target.element_id, points[-1], points[-2])
            heads = tuple(arrow not in (None, "none") for arrow in (element.start_arrow, element.end_arrow))
            found.append(_Course(element.id, tuple(points), (heads[0], heads[1])))
        return found

    @cached_property
    def labels(self) -> list[_Label]:
        """All texts."""
        return list(self._labels())

    def room(self, lines: Sequence[Sequence[str]]) -> Room:
        """Columns and rows for all of it; `lines` are those of each label."""
        solids = [Solid(box, (2, 2)) for box in self.nodes]
        solids += [Solid(rule, is_within=True) for rule in self.inner_rules]
        for label, texts in zip(self.labels, lines, strict=True):
            columns = max(map(width_of, texts)) + 2 * label.is_title
            solids.append(Solid(label.box, (columns, len(texts)), rim=0, is_within=True))
        strokes = [Stroke(f"{number}", *side, is_border=True) for number, side in self._borders()]
        for course in self.courses:
            strokes += [Stroke(course.owner, a, b) for a, b in pairwise(course.points) if a.x == b.x or a.y == b.y]
        room = Room(solids, strokes, (COLUMN, ROW))
        for label, texts in zip(self.labels, lines, strict=True):
            _keep_inside(room, label, texts)
        for course in self.courses:
            _keep_heads_apart(room, course)
        return room

    def _borders(self) -> Iterator[tuple[int, tuple[Point, Point]]]:
        for number, (left, top, width, height) in enumerate([*self.containers, *self.rules, *self.tails]):
            corners = [Point(left, top), Point(left + width, top), Point(left + width, top + height)]
            corners += [Point(left, top + height), corners[0]]
            for a, b in pairwise(corners):
                yield number, (a, b)

    def _ids(self, *kinds: type) -> list[str]:
        boxes = self._laid_out.placement.boxes
        return [key for key in self._boxed if key in boxes and isinstance(self._of[key], kinds)]

    def _shown(self, boxes: Iterable[Box]) -> list[Box]:
        page = self._drawing.page
        return [_within(box, page) for box in boxes if page.grown(_NEAR).overlaps(box.grown(_NEAR))]

    def _tail(self, key: str) -> Box | None:
        part = self._laid_out.placement.part(key, "tail")
        return None if part is None else Box(part.center.x, part.y, 0.0, part.height)

    def _rules_of(self, key: str) -> Iterator[Box]:
        """The straight lines of a container from one of its sides to the other."""
        box = self._laid_out.placement.boxes[key]
        for item in self._boxed[key].items:
            match item:
                case PathItem(path=(Move(to=a), Line(to=b))):
                    is_level = abs(a.y - b.y) < _NEAR and abs(a.x - b.x) >= box.width - 2 * _NEAR
                    if is_level and box.y + _NEAR < a.y < box.bottom - _NEAR:
                        yield Box(box.x, a.y, box.width, 0.0)
                    is_upright = abs(a.x - b.x) < _NEAR and abs(a.y - b.y) >= box.height - 2 * _NEAR
                    if is_upright and box.x + _NEAR < a.x < box.right - _NEAR:
                        yield Box(a.x, box.y, 0.0, box.height)
                case _:
                    pass

    def _at_border(self, key: str, tip: Point, back: Point) -> Point:
        """The end of a line at the side of the box that its outline lies in, or at the tail of a lifeline."""
        tail, box = self._tail(key), self._laid_out.placement.boxes.get(key)
        if tail is not None and abs(tip.x - tail.x) < _AT_TAIL and tail.y <= tip.y <= tail.bottom:
            return Point(tail.x, tip.y)
        if box is None or not box.grown(_AT_BORDER).contains(Box(*tip, 0.0, 0.0)):
            return tip
        dx, dy = tip.x - back.x, tip.y - back.y
        if abs(dx) >= abs(dy):
            return Point(box.x if dx > 0 else box.right, tip.y) if dx else tip
        return Point(tip.x, box.y if dy > 0 else box.bottom)

    def _labels(self) -> Iterator[_Label]:
        page = self._drawing.page
        for group in self._drawing.groups:
            for item in group.items:
                words = words_of(item) if isinstance(item, TextItem) else None
                if words is not None and page.overlaps(words.box):
                    yield self._label(group, words)

    def _label(self, group: DrawnGroup, words: Words) -> _Label:
        """A text with the narrowest box of its element that holds its middle."""
        if group.role != "element" or group.id not in self._boxed:
            return _Label(group.id, words)
        placement, middle = self._laid_out.placement, Box(*words.box.center, 0.0, 0.0)
        parts = placement.parts.get(group.id, {})
        is_frame = isinstance(self._of[group.id], Frame | Group)
        names = ("header", "foot") if not is_frame else ()
        boxes = [placement.boxes[group.id], *(parts[name] for name in names if name in parts)]
        holder = min((box for box in boxes if box.contains(middle)), key=lambda box: box.height, default=None)
        titles = (parts[name] for name in _TITLES if name in parts)
        is_title = is_frame and not words.is_turned and any(part.contains(middle) for part in titles)
        return _Label(group.id, words, holder, is_title and holder is not None)


def _within(box: Box, page: Box) -> Box:
    left, top = min(max(box.x, page.x), page.right), min(max(box.y, page.y), page.bottom)
    return Box(left, top, max(min(box.right, page.right) - left, 0.0), max(min(box.bottom, page.bottom) - top, 0.0))


def _keep_inside(room: Room, label: _Label, texts: Sequence[str]) -> None:
    """A text finds room in what it stands in, and keeps off its border."""
    box, holder = label.box, label.holder
    if holder is None or not (room.columns.knows(holder.right) and room.rows.knows(holder.bottom)):
        return
    indent = _TITLE_INDENT if label.is_title else 1
    room.columns.keep(holder.x, holder.right, max(map(width_of, texts)) + 1 + (indent + 1) * label.is_title)
    room.columns.keep(holder.x, box.x, indent)
    room.columns.keep(box.right, holder.right, int(label.is_title))
    if not label.is_title:
        room.rows.keep(holder.y, holder.bottom, len(texts) + 1)
        room.rows.keep(holder.y, box.y, 1)


def _keep_heads_apart(room: Room, course: _Course) -> None:
    """A head, or a cell of the line, between the border and the first bend."""
    points = course.points
    if len(points) == _LEAST:
        _keep(room, *points, 1 + sum(course.heads))
        return
    _keep(room, points[0], points[1], 1 + course.heads[0])
    _keep(room, points[-1], points[-2], 1 + course.heads[1])


def _keep(room: Room, a: Point, b: Point, cells: int) -> None:
    axis, ends = (room.columns, (a.x, b.x)) if abs(a.x - b.x) >= abs(a.y - b.y) else (room.rows, (a.y, b.y))
    low, high = sorted(ends)
    if axis.knows(low) and axis.knows(high) and high - low >= _SHORT:
        axis.keep(low, high, cells)
        axis.keep(low, high, cells + 1, surely=False)


class _Page:
    """The grid being filled."""

    def __init__(self, material: _Material, room: Room, lines: Sequence[Sequence[str]]) -> None:
        self._material, self._room = material, room
        self._lines = dict(zip(map(id, material.labels), lines, strict=True))
        columns, rows = room.size
        self.grid = Grid(columns, rows + max(_STEPS))

    def draw(self) -> None:
        """Boxes and lines, from the back to the front."""
        material = self._material
        for box in material.containers:
            self._box(box, cleared=False)
        for rule in material.rules:
            self._rule(rule)
        for tail in material.tails:
            self._rule(tail, is_border=False)
        for course in material.courses:
            self._line(course)
        for box in material.nodes:
            self._box(box, cleared=True)
        for rule in material.inner_rules:
            self._rule(rule)
        for course in material.courses:
            self._heads(course)

    def _box(self, box: Box, *, cleared: bool) -> None:
        """A box of at least three cells across and down."""
        left, top, right, bottom = self._room.span(box)
        self.grid.box(left, top, max(right, left + 1), max(bottom, top + 1), cleared=cleared)

    def _rule(self, rule: Box, *, is_border: bool = True) -> None:
        """A level or upright line."""
        left, top, right, bottom = self._room.span(rule)
        self.grid.line((left, top), (right, bottom), is_border=is_border)

    def _line(self, course: _Course) -> None:
        """The course of an edge."""
        for a, b in pairwise(course.points):
            self.grid.way(self._at(a), self._at(b), upright=abs(a.y - b.y) > abs(a.x - b.x))

    def _heads(self, course: _Course) -> None:
        """The heads of an edge, each in the cell before the border that it points at."""
        points = course.points
        for has_head, tip, back in ((course.heads[0], *points[:2]), (course.heads[1], points[-1], points[-2])):
            if has_head:
                dx, dy = tip.x - back.x, tip.y - back.y
                column, row = self._at(tip)
                if abs(dx) >= abs(dy):
                    column -= (dx > 0) - (dx < 0)
                else:
                    row -= (dy > 0) - (dy < 0)
                self.grid.head((column, row), dx, dy)

    def write(self, label: _Label) -> bool:
        """A text in its room; whether all of it is there."""
        lines = self._lines[id(label)]
        left, top, right, bottom = self._room.span(label.box)
        low, high, high_row, last = 0, self.grid.columns, -1, self.grid.rows
        if label.holder is not None:
            low, high_row, high, last = self._room.span(label.holder)
            low += 1
        first = top + (bottom - top - len(lines)) // 2
        if label.is_title:
            first = top
        elif label.holder is not None and abs(label.box.center.y - label.holder.center.y) <= 2 * _NEAR:
            first = (high_row + last + 1 - len(lines)) // 2
        texts = [cut(line, high - low) for line in lines]
        rows = range(first, first + len(lines))
        if label.is_title:
            texts = [f" {text} " for text in texts]
        columns = [self._column(label, width_of(text), (left, right), (low, high)) for text in texts]
        for step in _STEPS if not label.is_title else (0,):
            moved = [row + step for row in rows]
            is_inside = label.holder is None or (high_row < moved[0] and moved[-1] < last)
            if is_inside and all(map(self.grid.is_free, columns, moved, texts)):
                rows = range(first + step, first + step + len(lines))
                break
        if not all(map(self.grid.is_free, columns, rows, texts)):
            return False
        for column, row, text in zip(columns, rows, texts, strict=True):
            self.grid.put(column, row, text)
        return rows.stop <= last and " ".join(texts).split() == label.words.whole

    @staticmethod
    def _column(label: _Label, width: int, place: Cell, bounds: Cell) -> int:
        """Where a line of a text begins: at the left in a title, else as it stands in its box."""
        (left, right), (low, high) = place, bounds
        box, holder = label.words.box, label.holder
        if label.is_title:
            column = left
        elif holder is None:
            column = left + (right - left - width) // 2
        elif abs(box.center.x - holder.center.x) <= 2 * _NEAR:
            column = low + (high - low - width) // 2
        else:
            column = left if box.center.x < holder.center.x else right - width
        return max(min(column, high - width), low, 0)

    def _at(self, point: Point) -> Cell:
        return self._room.columns.at(point.x), self._room.rows.at(point.y)
