"""An mxGraph model as a scene document: vertices are nodes, texts, pictures or frames at given places, connectors
edges."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from scenograph.reading.assembly import Assembly
from scenograph.reading.drawio.cells import Cell, is_on_its_side, number
from scenograph.reading.drawio.figures import VENDORS, Figure, named_figure
from scenograph.reading.drawio.labels import text_beside, text_in_place
from scenograph.reading.drawio.lines import add_line, ends_of, labels_of_lines
from scenograph.reading.drawio.links import called, linked
from scenograph.reading.drawio.page import Page, page_of
from scenograph.reading.drawio.painting import FONT_SIZE, framed, in_ink, is_color, lettered_beside, painted, tinted
from scenograph.reading.losses import Losses
from scenograph.reading.source import Source, shown
from scenograph.scene.json_values import JsonObject

_FAMILY = "architecture"
_WIDEST_DEVICE = 70.0  # px: in a wider box a device would hold its label
_DEFAULTS: JsonObject = {kind: {"style": {"fontSize": FONT_SIZE}} for kind in ("node", "edge", "frame")}


def document_of(
    cells: Mapping[str, Cell], source: Source, losses: Losses, title: str, *, is_own: bool = False
) -> JsonObject:
    """The document. `is_own`: the file was written here, and says itself what holds what and where labels belong."""
    assembly = Assembly("drawio", source)
    page = _fitted(page_of(cells, source.icons, is_own=is_own), source.most_elements, losses)
    reading = _Reading(page, assembly, losses)
    for key in page.shapes:
        assembly.name(key, "frame" if key in page.frames else "node")
    for key, cell in page.shapes.items():
        if key in page.frames:
            reading.add_frame(cell)
        else:
            reading.add(cell, page.figures[key])
    labels = labels_of_lines(cells)
    for cell in cells.values():
        if cell.is_edge:
            add_line(cell, page, labels, assembly, losses)
    _tell(page, losses)
    return assembly.document(_FAMILY, title=title, defaults=_DEFAULTS)


class _Reading(NamedTuple):
    """What a cell is added with."""

    page: Page
    assembly: Assembly
    losses: Losses

    def add(self, cell: Cell, figure: Figure) -> None:
        """A cell that holds nothing, and its label where that is a text of its own."""
        _ADDERS[figure.kind](self, cell, figure)
        if figure.side is not None and cell.label:
            on_dark = cell.id in self.page.on_dark
            text = text_beside(cell, self.assembly.name(cell.id), figure.side, on_dark=on_dark)
            self.assembly.text(self._part(cell, "label"), **text, **self._seen(cell))

    def add_frame(self, cell: Cell) -> None:
        """A cell that holds others; one that is a group is not seen."""
        page, name = self.page, self.assembly.name
        children: list[str] = []
        for key in page.held.get(cell.id, ()):
            figure = page.figures[key]
            children.append(name(key))
            if key not in page.frames and figure.side is not None and page.shapes[key].label:
                children.append(name(self._part(page.shapes[key], "label"), "text"))
        members = {"children": children, "layout": _layout(cell, page), **self._seen(cell)}
        if named_figure(cell.style) == "group" and cell.style.get("container") != "1":
            self.assembly.group(cell.id, label=cell.label, **members)
            return
        stencil = page.figures[cell.id].stencil
        icon = stencil.key if stencil is not None and stencil.is_icon else None
        told = linked(cell, self.losses)
        holder = page.shapes.get(page.holders.get(cell.id, ""))
        style = framed(cell.style, on_color=holder is not None and is_color(holder.style.get("fillColor", "")))
        self.assembly.frame(cell.id, title=cell.label, icon=icon, style=style, **members, **told)

    def add_node(self, cell: Cell, figure: Figure) -> None:
        """A node; a class with its rows."""
        rows = self.page.rows.get(cell.id)
        if figure.formless and rows is None:
            what = "an icon" if "icon" in figure.members else next(iter(figure.members.values()))
            self.losses.formless(
                cell.place, f"the shape {shown(figure.formless)} of {shown(called(cell))} is drawn as {what}"
            )
        label = {"name": cell.label} if figure.side is not None else {"label": cell.label}
        members = {**figure.members, **label} if rows is None else {"label": cell.label, **rows}
        layout, style = _layout(cell, self.page), _style(cell, figure, self.page)
        if figure.members.get("nodeType", "").startswith(_DEVICE):
            layout = _narrowed(layout)
        reshaped = _RESHAPED.get(named_figure(cell.style))
        if reshaped is not None:
            layout, style = reshaped(cell, layout)
        told = linked(cell, self.losses)
        self.assembly.node(cell.id, **members, layout=layout, style=style or None, **self._seen(cell), **told)

    def add_text(self, cell: Cell, _figure: Figure) -> None:
        """A text."""
        members = text_in_place(cell, self.page.corners[cell.id])
        self.assembly.text(cell.id, **members, **self._seen(cell), **linked(cell, self.losses))

    def add_image(self, cell: Cell, figure: Figure) -> None:
        """A picture; one that lines end at is in a group, which they can end at."""
        layout, seen = _layout(cell, self.page), self._seen(cell)
        key = cell.id
        if cell.id in self.page.ends:
            key = self._part(cell, "picture")
            self.assembly.group(cell.id, children=[self.assembly.name(key, "picture")], layout=layout, **seen)
        fit = "stretch" if cell.style.get("imageAspect") == "0" else None
        self.assembly.image(key, href=figure.picture, alt=cell.label[:500], layout=layout, fit=fit, **seen)

    def _part(self, cell: Cell, what: str) -> str:
        """A source id that no cell has, for a part of one."""
        part = f"{cell.id} {what}"
        while part in self.page.cells:
            part += "+"
        return part

    def _seen(self, cell: Cell) -> JsonObject:
        """How high a cell is painted, and whether at all."""
        return {"zIndex": self.page.heights.get(cell.id), "visible": False if cell.id in self.page.hidden else None}


_ADDERS: Mapping[str, Callable[[_Reading, Cell, Figure], None]] = {
    "node": _Reading.add_node,
    "text": _Reading.add_text,
    "image": _Reading.add_image,
}
_DEVICE = "network."


def _fitted(page: Page, most: int, losses: Losses) -> Page:
    """A page with the labels in their shapes, where as texts of their own they would be too many elements."""
    shapes, figures = page.shapes, page.figures
    beside = [key for key, cell in shapes.items() if key not in page.frames and figures[key].side and cell.label]
    pictures = sum(figures[key].kind == "image" for key in page.ends & shapes.keys() - page.frames)
    lines = sum(cell.is_edge and ends_of(cell, page) is not None for cell in page.cells.values())
    if not beside or len(shapes) + pictures + lines + len(beside) <= most:
        return page
    first = shapes[beside[0]]
    what = f"{len(beside)} labels beside their shapes, such as {shown(called(first))}, stand in them"
    losses.formless(first.place, what)
    return page._replace(figures={key: figure._replace(side=None) for key, figure in figures.items()})


def _layout(cell: Cell, page: Page) -> JsonObject:
    x, y = page.corners[cell.id]
    size = {"width": max(cell.size[0], 1), "height": max(cell.size[1], 1)}
    return {"mode": "absolute", "x": round(x, 2), "y": round(y, 2), **size}


def _narrowed(layout: JsonObject) -> JsonObject:
    """The place of a device: its symbol is no wider than a symbol is, over where draw.io has the label."""
    width, height = layout["width"], layout["height"]
    if width <= _WIDEST_DEVICE:
        return layout
    lower = height * _WIDEST_DEVICE / width
    x, y = layout["x"] + (width - _WIDEST_DEVICE) / 2, layout["y"] + height - lower
    return layout | {"x": round(x, 2), "y": round(y, 2), "width": _WIDEST_DEVICE, "height": round(lower, 2)}


def _ruled(cell: Cell, layout: JsonObject) -> tuple[JsonObject, JsonObject]:
    """Place and style of a ruled line, which stands in the middle of its box."""
    thick = min(max(number(cell.style.get("strokeWidth", ""), 1.0), 1.0), 20.0)
    along, across = ("y", "height"), ("x", "width")
    at, length = across if cell.style.get("direction") in {"north", "south"} else along
    thin = {at: round(layout[at] + (layout[length] - thick) / 2, 2), length: thick}
    return layout | thin, _filled(cell)


def _dotted(cell: Cell, layout: JsonObject) -> tuple[JsonObject, JsonObject]:
    """Place and style of a waypoint, a dot in the middle of its box."""
    side = min(max(number(cell.style.get("size", ""), _DOT), 1.0), *cell.size) if min(cell.size) >= 1 else 1.0
    x, y = layout["x"] + (layout["width"] - side) / 2, layout["y"] + (layout["height"] - side) / 2
    return layout | {"x": round(x, 2), "y": round(y, 2), "width": side, "height": side}, _filled(cell)


def _filled(cell: Cell) -> JsonObject:
    """The style of what is drawn in the colour of a line."""
    ink = cell.style.get("strokeColor", "")
    return {"fill": ink if is_color(ink) else "#000000", "stroke": "none"}


_DOT = 6.0  # px
_RESHAPED: Mapping[str, Callable[[Cell, JsonObject], tuple[JsonObject, JsonObject]]] = {
    "line": _ruled,
    "waypoint": _dotted,
}


def _style(cell: Cell, figure: Figure, page: Page) -> JsonObject:
    on_dark = cell.id in page.on_dark
    node_type, icon = figure.members.get("nodeType", ""), figure.members.get("icon", "")
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
"""Types of nodes that a fill would give a box."""


def _tell(page: Page, losses: Losses) -> None:
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
