"""Connectors as edges, the points where they end as ports, and as nodes that are not seen where they end at nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from scenograph.reading.assembly import LONGEST_TITLE, Assembly
from scenograph.reading.drawio.cells import Cell, Point
from scenograph.reading.drawio.ends import MIDDLE, End, side_of
from scenograph.reading.drawio.links import called, linked
from scenograph.reading.drawio.page import Page, corner_of, is_group, part_of
from scenograph.reading.drawio.painting import painted
from scenograph.reading.drawio.rows import column_of
from scenograph.reading.losses import Losses
from scenograph.reading.source import shown
from scenograph.scene.json_values import JsonObject
from scenograph.scene.limits import LIMITS

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
_NEAR_END = 0.35  # of half of a line's length from its middle on: a label from there on is that of an end
_UNSEEN: JsonObject = {"fill": "none", "stroke": "none"}
_SIZE = 1.0  # px, of a node that is a mere point


class Port(NamedTuple):
    """A point of a side: `name` is the side itself where it is its middle."""

    name: str
    side: str
    offset: float


class Lines:
    """The connectors of a page, what they end at, and what is told of them all."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._labels = _labels(page.cells)
        self._beside: list[Cell] = []  # lines that end beside the middle of a side that has no other ports
        self._ports: dict[str, dict[str, Port]] = {}
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
        """The ports of a node or a frame: the points where lines end that are not the middles of its sides."""
        found = self._ports.get(key, {}).values()
        return [{"id": port.name, "side": port.side, "offset": port.offset} for port in found] or None

    def points(self) -> Iterator[tuple[str, Cell, Point]]:
        """The ends that are at no element: source id, connector, place."""
        for key, ends in self._page.lines.items():
            for end, name in zip(ends, _ENDS, strict=True):
                if not end.cell and end.at is not None:
                    cell = self._page.cells[key]
                    yield part_of(cell, name, self._page.cells), cell, end.at

    def add_point(self, key: str, cell: Cell, at: Point, assembly: Assembly) -> None:
        """The node at the place of a free end: nothing of it is seen."""
        x, y = (round(place - _SIZE / 2, 2) for place in at)
        layout = {"mode": "absolute", "x": x, "y": y, "width": _SIZE, "height": _SIZE}
        visible = False if cell.id in self._page.hidden else None
        assembly.node(key, shape="ellipse", layout=layout, style=dict(_UNSEEN), visible=visible)

    def add(self, cell: Cell, assembly: Assembly, losses: Losses) -> None:
        """The edge that a connector is; one of which an end is nowhere is a loss."""
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
        assembly.edge(
            source | ({"label": beside[0]} if beside[0] else {}),
            target | ({"label": beside[1]} if beside[1] else {}),
            key,
            identified=True,
            label=label,
            router=_router(cell, ends),
            waypoints=[{"x": x + dx, "y": y + dy} for x, y in cell.points] or None,
            endpoints={side: _HEADS.get(cell.style.get(side, default), "triangle") for side, default in _ARROWS},
            style=painted(cell.style, line=True) or None,
            zIndex=max((page.heights.get(name, 0) for name in owners), default=0) or None,
            visible=False if page.hidden & {key, *owners} else None,
            **linked(cell, losses),
        )

    def _worded(self, cell: Cell, losses: Losses) -> tuple[str, str, str]:
        """The label of a line and those of its ends; a single one is the label wherever it is."""
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
        """Where a line ends: at an element, at the column of a table that has the row's name, or at a point."""
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

    def _port(self, ends: tuple[End, End], at: int) -> Port | None:
        """The port of an end at a point of an element."""
        page, end, other = self._page, ends[at], ends[1 - at]
        if not end.cell or end.at is None:
            return None
        towards = other.at or page.areas[page.owners[other.cell]].middle
        side, offset = side_of(end.at, page.areas[page.owners[end.cell]], towards)
        return Port(side if offset == MIDDLE else f"{side}-{round(1000 * offset)}", side, offset)

    def tell(self, losses: Losses) -> None:
        """What holds of several lines, once."""
        if self._beside:
            first = self._beside[0]
            count, name = len(self._beside), shown(called(first))
            what = f"{count} ends of lines, such as one of {name}, keep only their side of a picture or a group"
            losses.formless(first.place, what)


def takes_ports(key: str, page: Page) -> bool:
    """Whether what a cell is here has ports."""
    return not is_group(page.cells[key]) if key in page.frames else page.figures[key].kind == "node"


def _labels(cells: Mapping[str, Cell]) -> Mapping[str, Sequence[tuple[float, str]]]:
    """The labels that are cells of their own, with their places from -1 to 1, by the connector that they are on."""
    found: dict[str, list[tuple[float, str]]] = {}
    for cell in cells.values():
        if cell.is_vertex and cell.label:
            found.setdefault(cell.parent, []).append((cell.at[0] if cell.is_relative else 0.0, cell.label))
    return found


def _router(cell: Cell, ends: tuple[End, End]) -> str | None:
    if cell.style.get("curved") == "1":
        return "curved"
    if cell.style.get("edgeStyle", "none") == "none":
        return "polyline" if cell.points else "straight"
    return "straight" if not cell.points and _is_level(*ends) else None


def _is_level(first: End, second: End) -> bool:
    """Whether both ends have a place, one straight beside, above or below the other."""
    if first.at is None or second.at is None:
        return False
    return any(abs(one - other) < 1 for one, other in zip(first.at, second.at, strict=True))
