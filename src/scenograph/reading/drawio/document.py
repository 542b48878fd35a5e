"""An mxGraph model as a scene document: vertices are nodes, texts, pictures or frames at given places, connectors
edges.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from scenograph.reading.assembly import LONGEST_LABEL, LONGEST_TITLE, Assembly
from scenograph.reading.drawio.cells import Cell, Point, is_on_its_side, number
from scenograph.reading.drawio.figures import VENDORS, CellFigure, named_figure
from scenograph.reading.drawio.holding import CellArea
from scenograph.reading.drawio.labels import INSIDE, text_beside, text_in_place, title_inset
from scenograph.reading.drawio.marks import is_marked
from scenograph.reading.drawio.page import (
    MIDDLE,
    DrawioPage,
    End,
    column_of,
    corner_of,
    is_angled_through,
    is_group,
    page_of,
    part_of,
    side_of,
)
from scenograph.reading.drawio.painting import (
    FONT_SIZE,
    framed,
    head_height,
    headed,
    in_ink,
    is_color,
    lettered_beside,
    painted,
    tinted,
)
from scenograph.reading.losses import Losses
from scenograph.reading.source import Source, shown
from scenograph.scene.json_values import JsonObject, object_at
from scenograph.scene.limits import LIMITS
from scenograph.scene.links import is_link

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
        if takes_ports(owner, self._page) and len(known) < LIMITS.ports:
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


def takes_ports(key: str, page: DrawioPage) -> bool:
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
    if node_type in _BARE:
        return lettered_beside(cell.style, on_dark=on_dark)
    if node_type.startswith(_DEVICE):
        return tinted(cell.style, on_dark=on_dark)
    holder = page.cells.get(cell.parent)
    return painted(cell.style, ruled=holder is not None and named_figure(holder.style) == "tableRow")


_BARE = frozenset({"user", "actor"})
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
