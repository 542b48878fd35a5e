"""A page of draw.io as a scene document: any drawing, or lifelines and messages as a sequence diagram."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.assembly import LONGEST_LABEL, LONGEST_TITLE, Assembly
from scenograph.reading.drawio.cells import (
    FONT_SIZE,
    MOST_HOLDERS,
    Cell,
    CellArea,
    Point,
    area_of,
    framed,
    head_height,
    headed,
    in_ink,
    is_color,
    is_on_its_side,
    lettered_beside,
    number,
    painted,
    tinted,
)
from scenograph.reading.drawio.figures import (
    INSIDE,
    VENDORS,
    CellFigure,
    is_marked,
    named_figure,
    text_beside,
    text_in_place,
    title_inset,
)
from scenograph.reading.drawio.page import (
    MIDDLE,
    TOUCH,
    DrawioPage,
    End,
    column_of,
    corner_of,
    is_angled_through,
    is_group,
    is_hidden,
    page_of,
    part_of,
    side_of,
)
from scenograph.reading.source import Losses, Source, shown
from scenograph.scene.json_values import JsonObject, object_at
from scenograph.scene.limits import LIMITS
from scenograph.scene.links import is_link
from scenograph.scene.vocabulary import FRAGMENT_OPERATORS

# Links of cells, and their names in sentences.


def linked(cell: Cell, losses: Losses) -> JsonObject:
    """Link and tooltip; a link not permitted in documents is a loss."""
    if cell.link and not is_link(cell.link):
        losses.formless(cell.place, f"the link of {shown(called(cell))} is left out")
        return {"tooltip": cell.tooltip}
    return {"link": {"href": cell.link} if cell.link else None, "tooltip": cell.tooltip}


def called(cell: Cell) -> str:
    """The name of a cell in losses."""
    return cell.label or cell.id


# Connectors as edges, their endpoints as ports, and free ends as invisible nodes.


_HEADS: Mapping[str, str] = {
    "none": "none",
    "oval": "circle",
    "diamond": "diamond",
    "diamondThin": "diamond",
    "dash": "bar",
    "ERone": "bar",
    "ERmandOne": "bar",
}
_ARROWS = (("startArrow", "none"), ("endArrow", "classic"))
_ENDS = ("start", "finish")
_NEAR_END = 0.35  # share of half of a connector's length from its middle; a label beyond belongs to an end
_UNSEEN: JsonObject = {"fill": "none", "stroke": "none"}
_ELBOW = "elbowEdgeStyle"
_THROUGH = frozenset({"polyline", "curved"})
_SIZE = 1.0  # px, of a node for a bare point


class CellPort(NamedTuple):
    """A port on a side; `name` is the side itself for its middle."""

    name: str
    side: str
    offset: float


class Lines:
    """The connectors of a page, their ends, and collected losses."""

    def __init__(self, page: DrawioPage) -> None:
        self._page = page
        self._labels = _labels(page.cells)
        self._beside: list[Cell] = []  # connectors that end beside the middle of a side without ports
        self._ports: dict[str, dict[str, CellPort]] = {}
        self._courses: dict[str, JsonObject] = {}
        for ends in page.lines.values():
            for at in (0, 1):
                self._note(ends, at)

    def _note(self, ends: tuple[End, End], at: int) -> None:
        owner, port = self._page.owners.get(ends[at].cell, ""), self._port(ends, at)
        if port is None or port.name == port.side:
            return
        known = self._ports.setdefault(owner, {})
        if _takes_ports(owner, self._page) and len(known) < LIMITS.ports:
            known.setdefault(port.name, port)

    def ports(self, key: str) -> list[JsonObject] | None:
        """The ports of a node or a frame: endpoints of connectors other than the middles of sides."""
        found = self._ports.get(key, {}).values()
        return [{"id": port.name, "side": port.side, "offset": port.offset} for port in found] or None

    def points(self) -> Iterator[tuple[str, Cell, Point]]:
        """The free ends: source id, connector, position."""
        for key, ends in self._page.lines.items():
            for end, name in zip(ends, _ENDS, strict=True):
                if not end.cell and end.at is not None:
                    cell = self._page.cells[key]
                    yield part_of(cell, name, self._page.cells), cell, end.at

    def add_point(self, key: str, cell: Cell, at: Point, assembly: Assembly) -> None:
        """An invisible node at a free end."""
        x, y = (round(place - _SIZE / 2, 2) for place in at)
        layout = {"mode": "absolute", "x": x, "y": y, "width": _SIZE, "height": _SIZE}
        visible = False if cell.id in self._page.hidden else None
        assembly.node(key, shape="ellipse", layout=layout, style=dict(_UNSEEN), visible=visible)

    def add(self, cell: Cell, assembly: Assembly, losses: Losses) -> None:
        """The edge of a connector; a connector with an unplaced end is a loss."""
        page, key = self._page, cell.id
        ends = page.lines.get(key)
        if ends is None:
            what = f"the line {shown(cell.label or key)} is left out, because an end of it is neither bound nor placed"
            losses.formless(cell.place, what)
            return
        label, *beside = self._worded(cell, losses)
        source, target = (self._endpoint(ends, at, cell, assembly) for at in (0, 1))
        holder = page.cells.get(cell.parent)
        dx, dy = corner_of(holder, page.cells) if holder is not None and holder.is_vertex else (0.0, 0.0)
        owners = {page.owners[end.cell] for end in ends if end.cell}
        router, points = _router(cell, ends), [(x + dx, y + dy) for x, y in cell.points]
        edge = assembly.edge(
            source | ({"label": beside[0]} if beside[0] else {}),
            target | ({"label": beside[1]} if beside[1] else {}),
            key,
            identified=True,
            label=label,
            router=router,
            waypoints=[_position(point) for point in points] if points and router in _THROUGH else None,
            endpoints={side: _HEADS.get(cell.style.get(side, default), "triangle") for side, default in _ARROWS},
            style=painted(cell.style, line=True) or None,
            zIndex=max((page.heights.get(name, 0) for name in owners), default=0) or None,
            visible=False if page.is_switched_off(key, owners) else None,
            **linked(cell, losses),
        )
        if corners := self._corners(cell, ends, points):
            self._courses[edge["id"]] = {"router": "orthogonal", "points": [_position(one) for one in corners]}

    def _corners(self, cell: Cell, ends: tuple[End, End], points: list[Point]) -> list[Point]:
        """The course of an angled connector with points, both ends included; empty for other connectors, and for those
        of an own export, which follow the engine."""
        spots = self._spot(ends[0]), self._spot(ends[1])
        if not points or self._page.is_own or _router(cell, ends) is not None:
            return []
        if is_angled_through(cell):
            inner = _elbows(spots, points)
        elif cell.style.get("edgeStyle") == _ELBOW:
            (x, y), is_upright = spots[0].middle, cell.style.get("elbow") == "vertical"
            inner = _elbows(spots, [(x, points[0][1]) if is_upright else (points[0][0], y)])
        else:
            return []
        return [spots[0].border(inner[0]), *inner, spots[1].border(inner[-1])]

    def sketch(self) -> JsonObject | None:
        """The courses of connectors through their points, kept by the first picture: an edit leads its lines anew."""
        return {"edgePaths": self._courses} if self._courses else None

    def _spot(self, end: End) -> _Spot:
        area = self._page.areas[self._page.owners[end.cell]] if end.cell else None
        return _Spot(end.at, area)

    def _worded(self, cell: Cell, losses: Losses) -> tuple[str, str, str]:
        """The label of a connector and those of its ends; a single label is the connector's own at any position."""
        own = [(cell.at[0], cell.label)] if cell.label else []
        labels = [*own, *self._labels.get(cell.id, ())]
        places: dict[str, str] = {}
        for along, text in labels:
            at = "" if len(labels) == 1 or abs(along) < _NEAR_END else "source" if along < 0 else "target"
            if at in places:
                losses.formless(cell.place, f"the further label {shown(text)} of the line {shown(cell.id)} is left out")
            places.setdefault(at, text)
        source, target = (places.get(name, "").replace("\n", " ")[:LONGEST_TITLE] for name in ("source", "target"))
        return places.get("", ""), source, target

    def _endpoint(self, ends: tuple[End, End], at: int, cell: Cell, assembly: Assembly) -> JsonObject:
        """An endpoint: an element, a column of a table named like the row, or a point."""
        page, end = self._page, ends[at]
        if not end.cell:
            return {"elementId": assembly.name(part_of(cell, _ENDS[at], page.cells))}
        owner = page.owners[end.cell]
        found: JsonObject = {"elementId": assembly.name(owner)}
        columns = page.rows.get(owner, {}).get("extensions", {}).get("columns", ())
        name = column_of(page.cells[end.cell], page.below) if end.cell != owner else ""
        if any(column["name"] == name for column in columns):
            return found | {"column": name}
        port = self._port(ends, at)
        if port is None:
            return found
        if port.name == port.side or port.name in self._ports.get(owner, {}):
            return found | {"port": port.name}
        self._beside.append(cell)
        return found | {"port": port.side}

    def _port(self, ends: tuple[End, End], at: int) -> CellPort | None:
        """The port of an end at a point of an element."""
        page, end, other = self._page, ends[at], ends[1 - at]
        if not end.cell or end.at is None:
            return None
        towards = other.at or page.areas[page.owners[other.cell]].middle
        side, offset = side_of(end.at, page.areas[page.owners[end.cell]], towards)
        return CellPort(side if offset == MIDDLE else f"{side}-{round(1000 * offset)}", side, offset)

    def tell(self, losses: Losses) -> None:
        """Report losses common to several connectors, once."""
        if self._beside:
            first = self._beside[0]
            count, name = len(self._beside), shown(called(first))
            what = f"{count} ends of lines, such as one of {name}, keep only their side of a picture or a group"
            losses.formless(first.place, what)


def _takes_ports(key: str, page: DrawioPage) -> bool:
    """Whether the element of a cell has ports."""
    return not is_group(page.cells[key]) if key in page.frames else page.figures[key].kind == "node"


def _labels(cells: Mapping[str, Cell]) -> Mapping[str, Sequence[tuple[float, str]]]:
    """The label cells by connector, with their positions from -1 to 1."""
    found: dict[str, list[tuple[float, str]]] = {}
    for cell in cells.values():
        if cell.is_vertex and cell.label:
            found.setdefault(cell.parent, []).append((cell.at[0] if cell.is_relative else 0.0, cell.label))
    return found


class _Spot(NamedTuple):
    """An end of an angled connector: its position, None if left to draw.io, and the box there."""

    at: Point | None
    area: CellArea | None

    @property
    def middle(self) -> Point:
        """The position, or the middle of the box."""
        if self.at is not None:
            return self.at
        return (0.0, 0.0) if self.area is None else self.area.middle

    def border(self, towards: Point) -> Point:
        """The position, or where a level or an upright line from a point meets the box."""
        if self.at is not None or self.area is None:
            return self.middle
        x, y = (
            min(max(towards[0], self.area.left), self.area.right),
            min(max(towards[1], self.area.top), self.area.bottom),
        )
        return x, y

    def meets(self, hint: Point) -> tuple[bool, bool]:
        """Whether a level and an upright line through a point reach the end."""
        if self.at is not None:
            return abs(self.at[1] - hint[1]) < 1, abs(self.at[0] - hint[0]) < 1
        return self.faces(hint)

    def faces(self, hint: Point) -> tuple[bool, bool]:
        """Whether a level and an upright line through a point reach the box."""
        area = self.area
        if area is None:
            return False, False
        return area.top <= hint[1] <= area.bottom, area.left <= hint[0] <= area.right


def _position(point: Point) -> JsonObject:
    return {"x": round(point[0], 2), "y": round(point[1], 2)}


def _begins_level(ends: tuple[_Spot, _Spot], hints: Sequence[Point]) -> bool:
    """Whether the first piece of an angled connector is level: as its source meets the first point, else as its target
    meets the last, else level."""
    for spot, hint, is_last in ((ends[0], hints[0], False), (ends[1], hints[-1], True)):
        level, upright = spot.meets(hint)
        if level != upright:
            return level if not is_last or len(hints) % 2 == 0 else upright
        beside, below = spot.faces(hint)
        if spot.at is not None and not level and (beside or below):
            return not beside
    return True


def _elbows(ends: tuple[_Spot, _Spot], hints: Sequence[Point]) -> list[Point]:
    """The corners of an angled connector. As in draw.io its pieces are level and upright by turns, and each point gives
    the height of a level piece or the column of an upright piece."""
    is_level = _begins_level(ends, hints)
    found: list[Point] = []
    x, y = ends[0].middle
    if not ends[0].meets(hints[0])[0 if is_level else 1]:
        found.append((x, hints[0][1]) if is_level else (hints[0][0], y))
    x, y = (x, hints[0][1]) if is_level else (hints[0][0], y)
    for hint in hints:
        is_level = not is_level
        x, y = (x, hint[1]) if is_level else (hint[0], y)
        found.append((x, y))
    last_x, last_y = ends[1].middle
    if not ends[1].meets(hints[-1])[0 if is_level else 1]:
        found.append((last_x, hints[-1][1]) if is_level else (hints[-1][0], last_y))
    return found


def _router(cell: Cell, ends: tuple[End, End]) -> str | None:
    if cell.style.get("curved") == "1":
        return "curved"
    if cell.style.get("edgeStyle", "none") == "none":
        return "polyline" if cell.points else "straight"
    return "straight" if not cell.points and _is_level(*ends) else None


def _is_level(first: End, second: End) -> bool:
    """Whether both ends have a position, one straight beside, above or below the second."""
    if first.at is None or second.at is None:
        return False
    return any(abs(one - other) < 1 for one, other in zip(first.at, second.at, strict=True))


_FAMILY = "architecture"
_DEFAULTS: JsonObject = {kind: {"style": {"fontSize": FONT_SIZE}} for kind in ("node", "edge", "frame")}


class PageFacts(NamedTuple):
    """Facts of a page besides its cells: title, and colour unless white. `is_own`: the file is an export of this
    service, with explicit containment and label positions."""

    title: str
    background: str | None
    is_own: bool


def document_of(cells: Mapping[str, Cell], source: Source, losses: Losses, sheet: PageFacts) -> JsonObject:
    """The document."""
    assembly = Assembly("drawio", source)
    page = _fitted(page_of(cells, source.icons, sheet.background, is_own=sheet.is_own), source.most_elements, losses)
    lines = Lines(page)
    reading = _Reading(page, lines, assembly, losses)
    for key in page.shapes:
        assembly.name(key, "frame" if key in page.frames else "node")
    for key, cell in page.shapes.items():
        if key in page.frames:
            reading.add_frame(cell)
        else:
            reading.add(cell, page.figures[key])
    for key, cell, at in lines.points():
        lines.add_point(key, cell, at, assembly)
    for cell in cells.values():
        if cell.is_edge:
            lines.add(cell, assembly, losses)
    lines.tell(losses)
    _tell(page, losses)
    canvas = None if sheet.background is None else {"background": sheet.background}
    sketch = lines.sketch()
    if sketch is not None:
        sketch["bounds"] = {one["id"]: _bounds(one) for one in assembly.elements if _is_placed(one)}
    return assembly.document(_FAMILY, title=sheet.title, canvas=canvas, defaults=_DEFAULTS, computed=sketch)


def _bounds(element: JsonObject) -> JsonObject:
    return {name: element["layout"][name] for name in ("x", "y", "width", "height")}


def _is_placed(element: JsonObject) -> bool:
    layout = object_at(element, "layout")
    return layout.get("mode") == "absolute" and layout.keys() >= {"x", "y", "width", "height"}


class _Reading(NamedTuple):
    """The context for adding a cell."""

    page: DrawioPage
    lines: Lines
    assembly: Assembly
    losses: Losses

    def add(self, cell: Cell, figure: CellFigure) -> None:
        """Add a cell without content, and its label if separate."""
        _ADDERS[figure.kind](self, cell, figure)
        if figure.side is not None and cell.label:
            on_dark = cell.id in self.page.on_dark
            if figure.side == INSIDE:
                text = text_in_place(cell, self.page.corners[cell.id], "center")
            else:
                text = text_beside(cell, self.assembly.name(cell.id), figure.side, on_dark=on_dark)
            self.assembly.text(part_of(cell, "label", self.page.cells), **text, **self._seen(cell))

    def add_frame(self, cell: Cell) -> None:
        """Add a cell with content; a group is invisible."""
        page, name = self.page, self.assembly.name
        children: list[str] = []
        for key in page.held.get(cell.id, ()):
            figure = page.figures[key]
            children.append(name(key))
            if key not in page.frames and figure.side is not None and page.shapes[key].label:
                children.append(name(part_of(page.shapes[key], "label", page.cells), "text"))
        members = {"children": children, "layout": _layout(cell, page), **self._seen(cell)}
        if is_group(cell):
            self.assembly.group(cell.id, label=cell.label, style=_grouped(cell.style), **members)
            return
        stencil = page.figures[cell.id].stencil
        icon = page.figures[cell.id].members.get("icon") or (
            stencil.key if stencil is not None and stencil.is_icon else None
        )
        told = {"ports": self.lines.ports(cell.id), **linked(cell, self.losses)}
        holder = page.shapes.get(page.holders.get(cell.id, ""))
        style = framed(cell.style, on_color=holder is not None and is_color(holder.style.get("fillColor", "")))
        head = None if icon else head_height(cell.style)
        style |= {} if head is None else headed(cell.style)
        inset = None if icon else title_inset(cell.style, is_own=page.is_own)
        placed = {"titleInset": inset, "headHeight": head}
        extensions = {name: value for name, value in placed.items() if value is not None} or None
        self.assembly.frame(cell.id, title=cell.label, icon=icon, style=style, extensions=extensions, **members, **told)

    def add_node(self, cell: Cell, figure: CellFigure) -> None:
        """Add a node; a class with its rows."""
        rows = self.page.rows.get(cell.id)
        if figure.formless and rows is None:
            what = "an icon" if "icon" in figure.members else next(iter(figure.members.values()))
            self.losses.formless(
                cell.place, f"the shape {shown(figure.formless)} of {shown(called(cell))} is drawn as {what}"
            )
        label = {"name": cell.label} if figure.side is not None else {"label": cell.label}
        members = {**figure.members, **label} if rows is None else {"label": cell.label, **rows}
        layout, style = _layout(cell, self.page), _style(cell, figure, self.page)
        reshaped = _RESHAPED.get(named_figure(cell.style))
        if reshaped is not None:
            layout, style = reshaped(cell, layout)
        told = {"ports": self.lines.ports(cell.id), **linked(cell, self.losses)}
        self.assembly.node(cell.id, **members, layout=layout, style=style or None, **self._seen(cell), **told)

    def add_text(self, cell: Cell, _figure: CellFigure) -> None:
        """A text."""
        members = text_in_place(cell, self.page.corners[cell.id])
        self.assembly.text(cell.id, **members, **self._seen(cell), **linked(cell, self.losses))

    def add_image(self, cell: Cell, figure: CellFigure) -> None:
        """Add a picture; with connected edges it goes into a group, which edges can end at."""
        layout, seen = _layout(cell, self.page), self._seen(cell)
        key = cell.id
        if cell.id in self.page.ends:
            key = part_of(cell, "picture", self.page.cells)
            self.assembly.group(cell.id, children=[self.assembly.name(key, "picture")], layout=layout, **seen)
        fit = "stretch" if cell.style.get("imageAspect") == "0" else None
        self.assembly.image(key, href=figure.picture, alt=cell.label[:500], layout=layout, fit=fit, **seen)

    def _seen(self, cell: Cell) -> JsonObject:
        """How high a cell is painted, and whether at all."""
        return {
            "zIndex": self.page.heights.get(cell.id),
            "visible": False if self.page.is_switched_off(cell.id) else None,
        }


_ADDERS: Mapping[str, Callable[[_Reading, Cell, CellFigure], None]] = {
    "node": _Reading.add_node,
    "text": _Reading.add_text,
    "image": _Reading.add_image,
}
_DEVICE = "network."


def _fitted(page: DrawioPage, most: int, losses: Losses) -> DrawioPage:
    """The page with labels within their shapes, if separate texts would exceed the limit of elements."""
    shapes, figures = page.shapes, page.figures
    beside = [key for key, cell in shapes.items() if key not in page.frames and figures[key].side and cell.label]
    pictures = sum(figures[key].kind == "image" for key in page.ends & shapes.keys() - page.frames)
    points = sum(not end.cell for ends in page.lines.values() for end in ends)
    if not beside or len(shapes) + pictures + len(page.lines) + points + len(beside) <= most:
        return page
    first = shapes[beside[0]]
    what = f"{len(beside)} labels beside their shapes, such as {shown(called(first))}, stand in them"
    losses.formless(first.place, what)
    return page._replace(figures={key: figure._replace(side=None) for key, figure in figures.items()})


def _layout(cell: Cell, page: DrawioPage) -> JsonObject:
    x, y = page.corners[cell.id]
    size = {"width": max(cell.size[0], 1), "height": max(cell.size[1], 1)}
    return {"mode": "absolute", "x": round(x, 2), "y": round(y, 2), **size}


def _ruled(cell: Cell, layout: JsonObject) -> tuple[JsonObject, JsonObject]:
    """Position and style of a ruled line, in the middle of its box."""
    thick = min(max(number(cell.style.get("strokeWidth", ""), 1.0), 1.0), 20.0)
    along, across = ("y", "height"), ("x", "width")
    at, length = across if cell.style.get("direction") in {"north", "south"} else along
    thin = {at: round(layout[at] + (layout[length] - thick) / 2, 2), length: thick}
    return layout | thin, _filled(cell)


def _dotted(cell: Cell, layout: JsonObject) -> tuple[JsonObject, JsonObject]:
    """Position and style of a waypoint, a dot in the middle of its box."""
    side = min(max(number(cell.style.get("size", ""), _DOT), 1.0), *cell.size) if min(cell.size) >= 1 else 1.0
    x, y = layout["x"] + (layout["width"] - side) / 2, layout["y"] + (layout["height"] - side) / 2
    return layout | {"x": round(x, 2), "y": round(y, 2), "width": side, "height": side}, _filled(cell)


def _filled(cell: Cell) -> JsonObject:
    """The style of a shape filled in the connector's colour."""
    ink = cell.style.get("strokeColor", "")
    return {"fill": ink if is_color(ink) else "#000000", "stroke": "none"}


_DOT = 6.0  # px
_RESHAPED: Mapping[str, Callable[[Cell, JsonObject], tuple[JsonObject, JsonObject]]] = {
    "line": _ruled,
    "waypoint": _dotted,
}


def _grouped(said: Mapping[str, str]) -> JsonObject | None:
    """The style of a group; None if invisible."""
    return painted(said) if any(is_color(said.get(name, "")) for name in ("fillColor", "strokeColor")) else None


def _style(cell: Cell, figure: CellFigure, page: DrawioPage) -> JsonObject:
    on_dark = cell.id in page.on_dark
    node_type, icon = figure.members.get("nodeType", ""), figure.members.get("icon", "")
    if is_marked(cell.style):
        return painted(cell.style)
    if icon:
        if icon.partition(":")[0] in VENDORS:
            return lettered_beside(cell.style, on_dark=on_dark)
        return in_ink(cell.style, on_dark=on_dark) if figure.members.get("shape") == "iconBox" else {}
    if node_type in _BARE_PEOPLE:
        return lettered_beside(cell.style, on_dark=on_dark)
    if node_type.startswith(_DEVICE):
        return tinted(cell.style, on_dark=on_dark)
    holder = page.cells.get(cell.parent)
    return painted(cell.style, ruled=holder is not None and named_figure(holder.style) == "tableRow")


_BARE_PEOPLE = frozenset({"user", "actor"})
"""Node types to which a fill would add a box."""


def _tell(page: DrawioPage, losses: Losses) -> None:
    cut = [cell for key, cell in page.shapes.items() if len(cell.label) > _most_letters(key, page)]
    if cut:
        what = f"{len(cut)} labels, such as {shown(called(cut[0]))}, are cut: they are longer than a document holds"
        losses.formless(cut[0].place, what)
    turned = [
        cell
        for cell in page.shapes.values()
        if number(cell.style.get("rotation", "")) and (cell.label or not is_on_its_side(cell.style))
    ]
    if turned:
        what = f"{len(turned)} turned shapes, such as {shown(called(turned[0]))}, stand upright"
        losses.formless(turned[0].place, what)
    if page.too_deep:
        first = page.too_deep[0]
        what = f"{len(page.too_deep)} shapes, such as {shown(called(first))}, are too deep in others and stand beside"
        losses.formless(first.place, what)
    if page.left_out:
        first = page.left_out[0]
        what = f"{len(page.left_out)} arrows that are stencils, such as {shown(called(first))}, are left out"
        losses.formless(first.place, what)


def _most_letters(key: str, page: DrawioPage) -> int:
    return LONGEST_TITLE if key in page.frames else LONGEST_LABEL


# A page of lifelines and messages as a sequence diagram with automatic layout: the order of participants, and of events
# from top to bottom. px.

LIFELINE = "umlLifeline"
_ACTOR, _FRAME, _CROSS, _TEXT = "umlActor", "umlFrame", "umlDestroy", "text"
_NOTES = frozenset({"note", "note2"})
_BARE_BOXES = frozenset({"", "rect", "rectangle"})
_WIDEST_BAR = 24.0
_HEAD = 40.0  # default height of a lifeline's head
_GUARD = 45.0  # below the top of an operand: a text within is its guard
_NAME = 60.0  # from an unnamed head: a text within is its name
_CROSSED = 40.0  # from a cross: a message that ends within destroys
_SLACK = 5.0
_OPEN_HEADS = frozenset({"open", "openThin", "openAsync", "async"})
_NO_HEAD = "none"
_OUTSIDE = ("outside left", "outside right")
_NOBODY = "…"
_BRACKETS = re.compile(r"\[(.*)\]", re.DOTALL)
_SD = "sd"


class _Moment(NamedTuple):
    """A message: height, lifelines, and activation bars at both ends ("" for none)."""

    y: float
    cell: Cell
    ends: tuple[str, str]
    bars: tuple[str, str]


class _Aside(NamedTuple):
    """A note: height, and connected lifelines."""

    y: float
    cell: Cell
    tied: tuple[str, ...]


@dataclass(slots=True)
class LifelineCells:
    """The cells of a page by their role in a chart. `axes` are the lifelines by id, each with the x of its tail;
    `labels` are texts on connectors, each with its position along; cells without a role are in `strangers`."""

    cells: Mapping[str, Cell]
    areas: dict[str, CellArea] = field(default_factory=dict[str, CellArea])
    axes: dict[str, float] = field(default_factory=dict[str, float])
    bars: dict[str, str] = field(default_factory=dict[str, str])
    crosses: dict[str, str] = field(default_factory=dict[str, str])
    labels: dict[str, list[tuple[float, str]]] = field(default_factory=dict[str, list[tuple[float, str]]])
    frames: list[str] = field(default_factory=list[str])
    notes: list[str] = field(default_factory=list[str])
    texts: list[str] = field(default_factory=list[str])
    strangers: list[str] = field(default_factory=list[str])

    def lifeline_at(self, at: Point) -> str:
        """The lifeline with its tail or a bar at a point; "" if none."""
        near = [(abs(x - at[0]), key) for key, x in self.axes.items() if self.areas[key].top <= at[1]]
        near = [row for row in near if row[0] <= TOUCH + _SLACK and at[1] <= self.areas[row[1]].bottom + TOUCH]
        return min(near, default=(0.0, ""))[1]

    def owner(self, key: str) -> str:
        """The lifeline of a cell (itself or a part of the lifeline); "" for any other cell."""
        return key if key in self.axes else self.bars.get(key) or self.crosses.get(key, "")

    def frame_at(self, at: Point) -> str:
        """The innermost frame around a point; "" if none."""
        return next((key for key in reversed(self.frames) if self.areas[key].has(*at)), "")


def chart_of(cells: Mapping[str, Cell]) -> LifelineCells | None:
    """The chart on a page; None for a page without lifelines, with further content or with over MOST_HOLDERS heads."""
    shapes = {key: cell for key, cell in cells.items() if cell.is_vertex and not _is_label(cell, cells)}
    lifelines = {key for key, cell in shapes.items() if cell.style.get("shape") == LIFELINE}
    if not lifelines:
        return None
    chart = LifelineCells(cells)
    chart.areas = {key: area_of(cell, corner_of(cell, cells)) for key, cell in shapes.items()}
    actors = {key for key, cell in shapes.items() if named_figure(cell.style) == _ACTOR}
    heads = sorted(lifelines | actors, key=lambda key: chart.areas[key].middle[0])
    if len(heads) > MOST_HOLDERS:  # before every cell looks for its lifeline
        return None
    chart.axes = {key: chart.areas[key].middle[0] for key in heads}
    end = max(chart.areas[one].bottom for one in lifelines)
    for key in actors:  # a figure in place of a lifeline is as long as the lifelines
        chart.areas[key] = chart.areas[key]._replace(bottom=max(chart.areas[key].bottom, end))
    for key, cell in shapes.items():
        if key not in chart.axes and not is_group(cell):
            _sort(key, cell, chart)
    for cell in cells.values():
        if cell.is_vertex and cell.label and _is_label(cell, cells):
            chart.labels.setdefault(cell.parent, []).append((cell.at[0], cell.label))
    chart.frames.sort(key=lambda key: -chart.areas[key].size)
    return None if chart.strangers or len(chart.frames) > MOST_HOLDERS else chart


def _is_label(cell: Cell, cells: Mapping[str, Cell]) -> bool:
    holder = cells.get(cell.parent)
    return holder is not None and holder.is_edge


def _sort(key: str, cell: Cell, chart: LifelineCells) -> None:
    """Note the role of a cell in the chart."""
    figure, area = named_figure(cell.style), chart.areas[key]
    home = chart.lifeline_at(area.middle)
    if figure == _FRAME:
        chart.frames.append(key)
    elif figure in _NOTES:
        chart.notes.append(key)
    elif figure == _TEXT:
        if cell.label:
            chart.texts.append(key)
    elif figure == _CROSS and home:
        chart.crosses[key] = home
    elif figure in _BARE_BOXES and not cell.label and home and area.right - area.left <= _WIDEST_BAR:
        chart.bars[key] = home
    else:
        chart.strangers.append(key)


def tell_boxes(cells: Mapping[str, Cell], losses: Losses) -> None:
    """Report the lifelines of a page that is more than a sequence."""
    found = [cell for cell in cells.values() if cell.style.get("shape") == LIFELINE]
    if found:
        first = found[0]
        what = f"{len(found)} lifelines, such as {shown(first.label or first.id)}, are drawn as boxes"
        losses.formless(first.place, f"{what}: the page holds more than a sequence of at most {MOST_HOLDERS} lifelines")


def chart_document(chart: LifelineCells, source: Source, losses: Losses, title: str) -> JsonObject:
    """The document."""
    return _ChartReading(chart, Assembly("drawio", source), losses).document(title)


class _ChartReading:
    """The conversion of a chart into a document."""

    def __init__(self, chart: LifelineCells, assembly: Assembly, losses: Losses) -> None:
        self._chart, self._assembly, self._losses = chart, assembly, losses
        self._dividers: dict[str, list[float]] = {}
        self._ties: dict[str, list[str]] = {}
        self._moments = sorted(self._messages(), key=lambda one: one.y)
        self._last = {end: one for one in self._moments for end in one.ends}
        self._destroyed = {key: self._last_at(key) for key in chart.crosses}
        self._names = self._named()
        self._guards = self._guarded()
        self._homes = {one.cell.id: self._home(one) for one in self._moments}

    # --- roles of connectors -----------------------------------------------------------------------------------------

    def _messages(self) -> Iterator[_Moment]:
        """The messages. Connectors to notes and dividers of frames are noted on the way; any other connector is a
        loss."""
        for cell in self._chart.cells.values():
            if not cell.is_edge:
                continue
            ends = self._end(cell, at=0), self._end(cell, at=1)
            owners = [self._chart.owner(name) for name, _ in ends]
            if not any(owners) and not self._is_aside(cell, ends):
                what = f"the line {shown(_worded(cell, self._chart) or cell.id)} is left out"
                self._losses.formless(cell.place, f"{what}: it is at no lifeline")
            elif any(owners) and (all(owners) or not self._is_aside(cell, ends)):
                y = self._level(cell)
                first, second = (owners[at] or self._outside(cell, ends[at][1], owners[1 - at]) for at in (0, 1))
                bars = (self._bar(ends[0][0], first, y), self._bar(ends[1][0], second, y))
                yield _Moment(y, cell, (first, second), bars)

    def _outside(self, cell: Cell, at: Point | None, other: str) -> str:
        """An extra lifeline for free ends, to the left or the right of all lifelines."""
        chart = self._chart
        is_right = at is not None and at[0] > chart.axes[other]
        name = _OUTSIDE[is_right]
        if name not in chart.axes:
            what = f"an end of the message {shown(_worded(cell, chart) or cell.id)} is at no lifeline"
            self._losses.formless(cell.place, f"{what}, and stands at one of its own; so do others at that side")
            edge = max if is_right else min
            x = edge(chart.axes.values()) + (_NAME if is_right else -_NAME)
            chart.axes[name] = x
            ends = [chart.areas[key] for key in chart.axes if key in chart.areas]
            top, bottom = min(area.top for area in ends), max(area.bottom for area in ends)
            chart.areas[name] = CellArea(x - _SLACK, top, x + _SLACK, bottom)
        return name

    def _end(self, cell: Cell, at: int) -> tuple[str, Point | None]:
        """The cell at an end, or the lifeline touched by a free end; and the end's point if known."""
        name, kind = ((cell.source, "exit"), (cell.target, "entry"))[at]
        area = self._chart.areas.get(name)
        if area is not None:
            across, down = (number(cell.style.get(f"{kind}{axis}", ""), -1.0) for axis in "XY")
            if f"{kind}Y" not in cell.style:
                return name, None
            x, y = area.left + across * (area.right - area.left), area.top + down * (area.bottom - area.top)
            return name, (x, y + number(cell.style.get(f"{kind}Dy", "")))
        said = (cell.start, cell.finish)[at]
        if said is None:
            return "", None
        point = self._on_page(cell, said)
        return self._chart.lifeline_at(point), point

    def _on_page(self, cell: Cell, point: Point) -> Point:
        holder = self._chart.cells.get(cell.parent)
        dx, dy = corner_of(holder, self._chart.cells) if holder is not None and holder.is_vertex else (0.0, 0.0)
        return point[0] + dx, point[1] + dy

    def _level(self, cell: Cell) -> float:
        """The height of a message: of its first bend, else of its ends, else of the overlap of both lifelines."""
        if cell.points:
            return self._on_page(cell, cell.points[0])[1]
        ends = [self._end(cell, at) for at in (0, 1)]
        known = [point[1] for _, point in ends if point is not None]
        if known:
            return sum(known) / len(known)
        first, second = (self._chart.areas[name] for name, _ in ends)
        top, bottom = max(first.top, second.top), min(first.bottom, second.bottom)
        return (top + max(bottom, top)) / 2

    def _bar(self, name: str, owner: str, y: float) -> str:
        """The activation bar at an end: the bound bar, else the smallest bar there."""
        chart = self._chart
        if name in chart.bars:
            return name
        inside = [key for key, home in chart.bars.items() if home == owner and chart.areas[key].top <= y + _SLACK]
        inside = [key for key in inside if y - _SLACK <= chart.areas[key].bottom]
        return min(inside, key=lambda key: chart.areas[key].size, default="")

    def _is_aside(self, cell: Cell, ends: tuple[tuple[str, Point | None], tuple[str, Point | None]]) -> bool:
        """Whether a line ties a note, or divides a frame."""
        chart = self._chart
        for (name, _), (other, point) in (ends, ends[::-1]):
            if name in chart.notes or name in chart.texts:
                owner = chart.owner(other) or ("" if point is None else chart.lifeline_at(point))
                self._ties.setdefault(name, []).extend([owner] if owner else [])
                return True
        points = [point for _, point in ends if point is not None]
        is_bare = cell.style.get("endArrow", "classic") == _NO_HEAD
        if not is_bare or len(points) < len(ends) or abs(points[0][1] - points[1][1]) > TOUCH:
            return False
        middle = (points[0][0] + points[1][0]) / 2, (points[0][1] + points[1][1]) / 2
        frame = chart.frame_at(middle)
        area = chart.areas.get(frame)
        if area is None or abs(points[0][0] - points[1][0]) < (area.right - area.left) / 2:
            return False
        self._dividers.setdefault(frame, []).append(middle[1])
        return True

    # --- roles of texts ----------------------------------------------------------------------------------------------

    def _last_at(self, cross: str) -> str:
        """The message at the end of a lifeline; "" if none is near."""
        last = self._last.get(self._chart.crosses[cross])
        if last is None or last.ends[1] != self._chart.crosses[cross]:
            return ""
        return last.cell.id if abs(self._chart.areas[cross].middle[1] - last.y) <= _CROSSED else ""

    def _tell_crosses(self) -> None:
        """Report ends of lifelines without a message."""
        lost = [self._chart.cells[key] for key, message in self._destroyed.items() if not message]
        if lost:
            name = self._names.get(self._chart.crosses[lost[0].id], "") or lost[0].id
            what = f"{len(lost)} crosses at ends of lifelines, such as that of {shown(name)}, are left out"
            self._losses.formless(lost[0].place, f"{what}: no message arrives there")

    def _named(self) -> dict[str, str]:
        """The names of lifelines; for an unnamed head, a text right above or below it."""
        chart = self._chart
        names = {key: chart.cells[key].label for key in chart.axes if key in chart.cells}
        for key in [key for key, name in names.items() if not name]:
            head = chart.areas[key]
            near = [
                (abs(area.middle[1] - head.top), text)
                for text in chart.texts
                if abs((area := chart.areas[text]).middle[0] - chart.axes[key]) <= _NAME
                and head.top - _NAME <= area.middle[1] <= head.top + _NAME
            ]
            if near:
                names[key] = chart.cells[min(near)[1]].label
                chart.texts.remove(min(near)[1])
        return names

    def _guarded(self) -> dict[tuple[str, int], str]:
        """The guards of operands, by frame and number."""
        chart = self._chart
        found: dict[tuple[str, int], str] = {}
        for text in [*chart.texts]:
            middle = chart.areas[text].middle
            frame = chart.frame_at(middle)
            if not frame:
                continue
            at = self._operand(frame, middle[1])
            if middle[1] - self._operands_of(frame)[at] <= _GUARD and (frame, at) not in found:
                found[frame, at] = chart.cells[text].label
                chart.texts.remove(text)
        return found

    def _operand(self, frame: str, y: float) -> int:
        return sum(divider <= y for divider in self._dividers.get(frame, ()))

    # --- the document ------------------------------------------------------------------------------------------------

    def document(self, title: str) -> JsonObject:
        """The document: lifelines from left to right, then events from top to bottom."""
        chart = self._chart
        whole = next((key for key in chart.frames if self._is_whole(key)), None)
        if whole is not None:
            chart.frames.remove(whole)
            title = chart.cells[whole].label.partition(" ")[2].strip() or title
            self._homes = {one.cell.id: self._home(one) for one in self._moments}
        for key in sorted(chart.axes, key=chart.axes.__getitem__):
            if key in chart.cells:
                self._participant(key)
            else:
                self._assembly.node(key, nodeType="sequence.lifeline", label=_NOBODY)
        self._tell_crosses()
        marks = self._marks()
        notes = [*self._asides()]
        frames = [(chart.areas[key].top, key) for key in chart.frames]
        listed: dict[str, list[list[str]]] = {key: [[] for _ in self._operands_of(key)] for key in chart.frames}
        rows: list[tuple[float, int, _Moment | _Aside | str]] = [(y, 0, key) for y, key in frames]
        rows += [(one.y, 1, one) for one in (*self._moments, *notes)]
        made: dict[str, JsonObject] = {}
        for y, _, one in sorted(rows, key=lambda row: row[:2]):
            element, home = self._made(one, marks)
            if isinstance(one, str):
                made[one] = element
            if home:
                listed[home][self._operand(home, y)].append(element["id"])
        for key, element in made.items():
            self._fill(key, element, listed[key], made)
        return self._assembly.document("sequence", title=title)

    def _made(self, one: _Moment | _Aside | str, marks: Mapping[str, JsonObject]) -> tuple[JsonObject, str]:
        """The element of a row, and its frame."""
        if isinstance(one, str):
            cell = self._chart.cells[one]
            style = framed(cell.style, on_color=False)
            del style["dash"], style["cornerRadius"]
            return self._assembly.frame(cell.id, containerType="fragment", style=style or None, **self._told(cell)), (
                self._frame_round(one)
            )
        if isinstance(one, _Aside):
            return self._note(one), self._chart.frame_at(self._chart.areas[one.cell.id].middle)
        return self._message(one, marks), self._homes[one.cell.id]

    def _is_whole(self, frame: str) -> bool:
        """Whether a frame is the border of the chart, as `sd` says."""
        is_named = self._chart.cells[frame].label.partition(" ")[0].lower() == _SD
        return is_named and all(self._homes[one.cell.id] for one in self._moments)

    def _participant(self, key: str) -> None:
        cell, name = self._chart.cells[key], self._names[key]
        symbol = cell.style.get("participant", "")
        if symbol and symbol != _ACTOR:
            what = f"the symbol {shown(symbol)} of the lifeline {shown(name or key)}"
            self._losses.formless(cell.place, f"{what} is drawn as a head")
        kind = "sequence.actor" if _ACTOR in (symbol, named_figure(cell.style)) else "sequence.lifeline"
        self._assembly.node(key, nodeType=kind, label=name, style=painted(cell.style) or None, **self._told(cell))

    def _message(self, one: _Moment, marks: Mapping[str, JsonObject]) -> JsonObject:
        cell, chart = one.cell, self._chart
        heads = [cell.style.get("startArrow", _NO_HEAD), cell.style.get("endArrow", "classic")]
        ends = one.ends
        if heads[1] == _NO_HEAD and heads[0] not in {_NO_HEAD, "oval"}:
            ends, heads = (ends[1], ends[0]), heads[::-1]
        is_open = heads[1] in _OPEN_HEADS
        kind = "reply" if cell.style.get("dashed") == "1" else "async" if is_open else "message"
        kind = self._ending(one, ends) or kind
        style = painted(cell.style, line=True)
        style.pop("dash", None)
        drawn = None
        if heads[0] != _NO_HEAD or heads[1] == _NO_HEAD:
            start = {_NO_HEAD: _NO_HEAD, "oval": "circle"}.get(heads[0], "triangle")
            drawn = {"startArrow": start, "endArrow": _NO_HEAD if heads[1] == _NO_HEAD else "triangle"}
        source, target = ({"elementId": self._assembly.name(end)} for end in ends)
        return self._assembly.edge(
            source,
            target,
            cell.id,
            identified=True,
            edgeType=f"sequence.{kind}",
            label=_worded(cell, chart),
            endpoints=drawn,
            style=style or None,
            extensions=marks.get(cell.id),
            **self._told(cell),
        )

    def _ending(self, one: _Moment, ends: tuple[str, str]) -> str:
        """Whether a message creates or destroys its target lifeline."""
        chart = self._chart
        target = chart.areas[ends[1]]
        first = min(chart.areas[key].top for key in chart.axes)
        if target.top > first + _HEAD and one.y <= target.top + number(
            chart.cells[ends[1]].style.get("size", ""), _HEAD
        ):
            return "create"
        return "destroy" if one.cell.id in self._destroyed.values() and self._last[ends[1]] is one else ""

    def _marks(self) -> dict[str, JsonObject]:
        """The messages at which activation bars begin and end. If a bar lacks either message, no bar is stored, and the
        loss is reported once."""
        chart = self._chart
        touching: dict[str, list[tuple[_Moment, str]]] = {}
        for one in self._moments:
            sides = ("source", "target") if one.ends[0] != one.ends[1] else ("", "target")
            for bar, side in zip(one.bars, sides, strict=True):
                if bar and side:
                    touching.setdefault(bar, []).append((one, side))
        bars = sorted(chart.bars, key=lambda key: chart.areas[key].top)
        lone = [bar for bar in bars if len(touching.get(bar, ())) < len(("first", "last"))]
        found: dict[str, JsonObject] = {}
        if lone:
            first = chart.cells[lone[0]]
            what = f"{len(bars)} bars, such as that of {shown(self._names[chart.bars[first.id]] or first.id)},"
            self._losses.formless(
                first.place, f"{what} are drawn from calls and replies: messages do not say their ends"
            )
            return found
        for bar in bars:
            for (one, side), member in ((touching[bar][0], "activates"), (touching[bar][-1], "deactivates")):
                said = found.setdefault(one.cell.id, {}).setdefault(member, [])
                if side not in said:
                    said.append(side)
        return found

    def _asides(self) -> Iterator[_Aside]:
        """The notes, including texts that are neither names nor guards."""
        chart = self._chart
        if chart.texts:
            first = chart.cells[chart.texts[0]]
            what = f"{len(chart.texts)} texts, such as {shown(first.label)}, stand as notes"
            self._losses.formless(first.place, what)
        for key in (*chart.notes, *chart.texts):
            yield _Aside(chart.areas[key].middle[1], chart.cells[key], tuple(dict.fromkeys(self._ties.get(key, ()))))

    def _note(self, one: _Aside) -> JsonObject:
        chart, cell = self._chart, one.cell
        area = chart.areas[cell.id]
        across = [key for key, x in chart.axes.items() if area.left - _SLACK <= x <= area.right + _SLACK]
        over = across or list(one.tied)
        side = {}
        if not across:
            over = over or [min(chart.axes, key=lambda key: abs(chart.axes[key] - area.middle[0]))]
            side = {"side": "left" if area.middle[0] < chart.axes[over[0]] else "right"}
        extensions = {"over": [self._assembly.name(key) for key in over], **side}
        style = painted(cell.style) if cell.id in chart.notes else {}
        return self._assembly.node(
            cell.id,
            nodeType="sequence.note",
            label=cell.label,
            style=style or None,
            extensions=extensions,
            **self._told(cell),
        )

    def _told(self, cell: Cell) -> JsonObject:
        """Visibility, link and tooltip of a cell."""
        seen = {"visible": False if is_hidden(cell, self._chart.cells) else None}
        return seen | linked(cell, self._losses)

    def _home(self, one: _Moment) -> str:
        """The innermost frame around both ends of a message."""
        chart = self._chart
        for key in reversed(chart.frames):
            area = chart.areas[key]
            if area.top <= one.y <= area.bottom and all(
                area.left - _SLACK <= chart.axes[end] <= area.right + _SLACK for end in one.ends
            ):
                return key
        return ""

    def _frame_round(self, key: str) -> str:
        chart = self._chart
        around = (other for other in reversed(chart.frames) if chart.areas[other].holds(chart.areas[key]))
        return next((other for other in around if other != key), "")

    def _operands_of(self, key: str) -> Sequence[float]:
        return (self._chart.areas[key].top, *sorted(self._dividers.get(key, ())))

    def _fill(
        self, key: str, frame: JsonObject, listed: Sequence[Sequence[str]], made: Mapping[str, JsonObject]
    ) -> None:
        """Fill a frame with its operands; a first word other than an operator becomes the first guard."""
        word, _, rest = self._chart.cells[key].label.strip().partition(" ")
        is_operator = word.lower() in FRAGMENT_OPERATORS
        said = rest.strip() if is_operator else self._chart.cells[key].label
        operands: list[JsonObject] = []
        for at, row in enumerate(listed):
            texts = [said] if said and not at else []
            guard = " ".join([*texts, *([self._guards[key, at]] if (key, at) in self._guards else [])])
            bracketed = _BRACKETS.fullmatch(guard.strip())
            guard = bracketed[1].strip() if bracketed is not None else guard
            operands.append({**({"guard": guard[:500]} if guard else {}), "messages": list(row)})
        edges = {one["id"] for one in self._assembly.elements if one["kind"] == "edge"}
        frame["children"] = [name for row in listed for name in row if name not in edges]
        frame["extensions"] = {**({"operator": word.lower()} if is_operator else {}), "operands": operands}


def _worded(cell: Cell, chart: LifelineCells) -> str:
    """The labels along a connector: the own label and all label cells."""
    own = [(cell.at[0], cell.label)] if cell.label else []
    return " ".join(text for _, text in sorted([*own, *chart.labels.get(cell.id, ())]))
