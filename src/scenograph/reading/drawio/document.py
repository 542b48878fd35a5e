"""An mxGraph model as a scene document: vertices are nodes or frames at given places, connectors edges."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from scenograph.reading.assembly import Assembly
from scenograph.reading.drawio.cells import Cell, Point, number
from scenograph.reading.losses import Losses
from scenograph.reading.source import Source, shown
from scenograph.scene.json_values import JsonObject

_FAMILY = "architecture"
_SHAPES: Mapping[str, str] = {
    "ellipse": "ellipse",
    "rhombus": "diamond",
    "cylinder": "cylinder",
    "cylinder3": "cylinder",
    "datastore": "cylinder",
    "hexagon": "hexagon",
    "parallelogram": "parallelogram",
    "cloud": "cloud",
    "text": "textBox",
    "cube": "box3d",
    "isoCube": "box3d",
    "doubleEllipse": "ellipse",
}
_LYING = frozenset({"north", "south"})
_PLAIN = frozenset({"rect", "rectangle", "label", "swimlane", "group", ""})
_HEADS: Mapping[str, str] = {
    "none": "none",
    "oval": "circle",
    "diamond": "diamond",
    "diamondThin": "diamond",
    "dash": "bar",
    "ERone": "bar",
    "ERmandOne": "bar",
}
_COLOR = re.compile(r"#(?:[0-9A-Fa-f]{3}){1,2}")
_SAFE = ("http://", "https://", "mailto:")
_DEEPEST = 100
DECORATION = "decoration"  # a style that an exported scene gives to what only completes a picture


class _Page(NamedTuple):
    """All cells, those that are shapes, and the labels on each connector."""

    cells: Mapping[str, Cell]
    shapes: Mapping[str, Cell]
    labels: Mapping[str, list[str]]


def document_of(cells: Mapping[str, Cell], source: Source, losses: Losses, title: str) -> JsonObject:
    """The document."""
    assembly = Assembly("drawio", source)
    shapes = {key: cell for key, cell in cells.items() if cell.is_vertex and not _is_part(cell, cells)}
    held: dict[str, list[str]] = {}
    for key, cell in shapes.items():
        if cell.parent in shapes:
            held.setdefault(cell.parent, []).append(key)
        if cell.style.get("container") == "1":
            held.setdefault(key, [])
    for key, cell in shapes.items():
        if key not in held:
            assembly.node(key, **_node(cell, cells, losses))
    for key, cell in shapes.items():
        if key in held:
            frame = {"title": cell.label, "layout": _layout(cell, cells), "style": _style(cell)}
            children = [assembly.name(name) for name in held[key]]
            assembly.frame(key, **frame, children=children, **_linked(cell, losses))
    page = _Page(cells, shapes, _labels_of_lines(cells))
    for cell in cells.values():
        if cell.is_edge:
            _add_edge(cell, page, assembly, losses)
    _tell_turned(shapes, losses)
    return assembly.document(_FAMILY, title=title)


def _is_part(cell: Cell, cells: Mapping[str, Cell]) -> bool:
    """Whether it is a label of a connector, or completes the picture of another cell of an exported scene."""
    holder = cells.get(cell.parent)
    return DECORATION in cell.style or "edgeLabel" in cell.style or (holder is not None and holder.is_edge)


def _labels_of_lines(cells: Mapping[str, Cell]) -> Mapping[str, list[str]]:
    """The labels that are cells of their own, by the connector that they are on."""
    found: dict[str, list[str]] = {}
    for cell in cells.values():
        if cell.is_vertex and cell.label:
            found.setdefault(cell.parent, []).append(cell.label)
    return found


def _tell_turned(shapes: Mapping[str, Cell], losses: Losses) -> None:
    turned = [cell for cell in shapes.values() if number(cell.style.get("rotation", "0"))]
    if turned:
        losses.formless(
            turned[0].place, f"{len(turned)} turned shapes, such as {shown(_name(turned[0]))}, stand upright"
        )


def _name(cell: Cell) -> str:
    return cell.label or cell.id


def _node(cell: Cell, cells: Mapping[str, Cell], losses: Losses) -> JsonObject:
    named = cell.style.get("shape") or next((name for name in _SHAPES if cell.style.get(name) == ""), "")
    shape = _SHAPES.get(named) or ("roundedRect" if cell.style.get("rounded") == "1" else "rect")
    if shape == "cylinder" and cell.style.get("direction") in _LYING:
        shape = "tube"
    if named not in _SHAPES and named not in _PLAIN:
        losses.formless(cell.place, f"the shape {shown(named)} of {shown(_name(cell))} is drawn as {shape}")
    return {
        "label": cell.label,
        "shape": shape,
        "layout": _layout(cell, cells),
        "style": _style(cell),
        **_linked(cell, losses),
    }


def _linked(cell: Cell, losses: Losses) -> JsonObject:
    if cell.link and not cell.link.lower().startswith(_SAFE):
        losses.formless(cell.place, f"the link of {shown(_name(cell))} is left out")
        return {"tooltip": cell.tooltip}
    return {"link": {"href": cell.link} if cell.link else None, "tooltip": cell.tooltip}


def _layout(cell: Cell, cells: Mapping[str, Cell]) -> JsonObject:
    x, y = _corner(cell, cells)
    size = {"width": max(cell.size[0], 1), "height": max(cell.size[1], 1)}
    return {"mode": "absolute", "x": round(x, 2), "y": round(y, 2), **size}


def _corner(cell: Cell, cells: Mapping[str, Cell]) -> Point:
    """The corner on the page, through all cells that hold it."""
    x = y = 0.0
    at: Cell | None = cell
    for _ in range(_DEEPEST):
        if at is None:
            break
        holder = cells.get(at.parent)
        if at.is_vertex:
            dx, dy = at.at
            if at.is_relative and holder is not None and holder.is_vertex:
                dx, dy = dx * holder.size[0] + at.offset[0], dy * holder.size[1] + at.offset[1]
            x, y = x + dx, y + dy
        at = holder
    return x, y


def _style(cell: Cell, *, line: bool = False) -> JsonObject | None:
    said = cell.style
    style: JsonObject = {}
    for name, member in (("fillColor", "fill"), ("strokeColor", "stroke"), ("fontColor", "textColor")):
        color = said.get(name, "")
        if (_COLOR.fullmatch(color) or color == "none") and not (line and member == "fill"):
            style[member] = color
    if "strokeWidth" in said:
        style["strokeWidth"] = min(max(number(said["strokeWidth"], 1.0), 0.0), 20.0)
    if "fontSize" in said:
        style["fontSize"] = min(max(number(said["fontSize"], 12.0), 6.0), 72.0)
    if said.get("dashed") == "1":
        lengths = [number(part) for part in said.get("dashPattern", "3 3").split()]
        style["dash"] = [max(length, 0.5) for length in lengths[:8]] or [3, 3]
    return style or None


def _add_edge(cell: Cell, page: _Page, assembly: Assembly, losses: Losses) -> None:
    key, (cells, shapes, labels) = cell.id, page
    if cell.source not in shapes or cell.target not in shapes:
        losses.formless(cell.place, f"the line {shown(cell.label or key)} is left out, because an end of it is free")
        return
    holder = cells.get(cell.parent)
    dx, dy = _corner(holder, cells) if holder is not None and holder.is_vertex else (0.0, 0.0)
    label, *further = [*([cell.label] if cell.label else []), *labels.get(key, ())] or [""]
    for text in further:
        losses.formless(cell.place, f"the further label {shown(text)} of the line {shown(key)} is left out")
    heads = {side: _HEADS.get(cell.style.get(side, default), "triangle") for side, default in _ARROWS}
    assembly.edge(
        {"elementId": assembly.name(cell.source)},
        {"elementId": assembly.name(cell.target)},
        key,
        identified=True,
        label=label,
        router=_router(cell),
        waypoints=[{"x": x + dx, "y": y + dy} for x, y in cell.points] or None,
        endpoints=heads,
        style=_style(cell, line=True),
        **_linked(cell, losses),
    )


_ARROWS = (("startArrow", "none"), ("endArrow", "classic"))


def _router(cell: Cell) -> str | None:
    if cell.style.get("curved") == "1":
        return "curved"
    if cell.style.get("edgeStyle", "none") == "none":
        return "polyline" if cell.points else "straight"
    return None
