"""Connectors as edges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scenograph.reading.assembly import Assembly
from scenograph.reading.drawio.cells import Cell
from scenograph.reading.drawio.links import linked
from scenograph.reading.drawio.page import Page, corner_of
from scenograph.reading.drawio.painting import painted
from scenograph.reading.drawio.rows import column_of
from scenograph.reading.losses import Losses
from scenograph.reading.source import shown
from scenograph.scene.json_values import JsonObject

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


def labels_of_lines(cells: Mapping[str, Cell]) -> Mapping[str, Sequence[str]]:
    """The labels that are cells of their own, by the connector that they are on."""
    found: dict[str, list[str]] = {}
    for cell in cells.values():
        if cell.is_vertex and cell.label:
            found.setdefault(cell.parent, []).append(cell.label)
    return found


def ends_of(cell: Cell, page: Page) -> tuple[str, str] | None:
    """The elements that a connector ends at; None where an end is free."""
    ends = page.owners.get(cell.source, ""), page.owners.get(cell.target, "")
    return ends if ends[0] in page.shapes and ends[1] in page.shapes else None


def add_line(cell: Cell, page: Page, labels: Mapping[str, Sequence[str]], assembly: Assembly, losses: Losses) -> None:
    """The edge that a connector is; one with a free end is a loss."""
    key, ends = cell.id, ends_of(cell, page)
    if ends is None:
        losses.formless(cell.place, f"the line {shown(cell.label or key)} is left out, because an end of it is free")
        return
    holder = page.cells.get(cell.parent)
    dx, dy = corner_of(holder, page.cells) if holder is not None and holder.is_vertex else (0.0, 0.0)
    label, *further = [*([cell.label] if cell.label else []), *labels.get(key, ())] or [""]
    for text in further:
        losses.formless(cell.place, f"the further label {shown(text)} of the line {shown(key)} is left out")
    heads = {side: _HEADS.get(cell.style.get(side, default), "triangle") for side, default in _ARROWS}
    source, target = (_endpoint(name, page, assembly) for name in (cell.source, cell.target))
    assembly.edge(
        source,
        target,
        key,
        identified=True,
        label=label,
        router=_router(cell),
        waypoints=[{"x": x + dx, "y": y + dy} for x, y in cell.points] or None,
        endpoints=heads,
        style=painted(cell.style, line=True) or None,
        zIndex=max(page.heights.get(name, 0) for name in ends) or None,
        visible=False if page.hidden & {key, *ends} else None,
        **linked(cell, losses),
    )


def _endpoint(end: str, page: Page, assembly: Assembly) -> JsonObject:
    """Where a line ends: at an element, or at the column of a table that has the row's name."""
    owner = page.owners[end]
    at: JsonObject = {"elementId": assembly.name(owner)}
    columns = page.rows.get(owner, {}).get("extensions", {}).get("columns", ())
    name = column_of(page.cells[end], page.below) if end != owner else ""
    return at | {"column": name} if any(column["name"] == name for column in columns) else at


def _router(cell: Cell) -> str | None:
    if cell.style.get("curved") == "1":
        return "curved"
    if cell.style.get("edgeStyle", "none") == "none":
        return "polyline" if cell.points else "straight"
    return None
