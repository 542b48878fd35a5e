"""A drawing as the text of an Excalidraw file: arrows bound to shapes, labels to both, containers as groups.

In: the laid-out scene and its drawing before any pen. Out: JSON. Promises: every reference leads somewhere and is told
from both ends; ids of the scene stay ids of the file; the same scene gives the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from scenograph.engine.drawing import Drawing, DrawnGroup, TextItem
from scenograph.engine.tables import LaidOutScene
from scenograph.engine.write.excalidraw.arrows import circles, edge_arrow, interruptions
from scenograph.engine.write.excalidraw.figures import Files, Place, figure, loose
from scenograph.engine.write.excalidraw.primitives import Json, color_text, part_id, with_order
from scenograph.engine.write.excalidraw.texts import bound, text_element
from scenograph.scene.model import Color, Edge, Element, Frame, Group

VERSION = 2
SOURCE = "scenograph"
BESIDE = frozenset({"legend", "watermark"})
BY_HAND, BY_RULER = 1, 0
"""Excalidraw's `roughness`."""

_GRID = 20


def write_excalidraw(laid_out: LaidOutScene, drawing: Drawing, *, hand_drawn: bool) -> str:
    """The file. `hand_drawn`: its lines are drawn as by hand, which Excalidraw does itself."""
    page = _Page(laid_out, drawing.background)
    slots = [() if _is_of_edge(group, page) else page.figure(group) for group in drawing.groups]
    for number, group in enumerate(drawing.groups):
        if _is_of_edge(group, page):
            slots[number] = page.of_edge(group)
        if group.link is not None:
            for one in slots[number]:
                one["link"] = group.link.href
    elements = [one for slot in slots for one in slot]
    document = {
        "type": "excalidraw",
        "version": VERSION,
        "source": SOURCE,
        "elements": with_order(elements, {"roughness": BY_HAND if hand_drawn else BY_RULER}),
        "appState": {
            "gridSize": _GRID,
            "gridModeEnabled": False,
            "viewBackgroundColor": color_text(drawing.background),
        },
        "files": page.files.of,
    }
    return json.dumps(document, ensure_ascii=True, allow_nan=False, separators=(",", ":")) + "\n"


class _Page:
    """What is on the page so far."""

    def __init__(self, laid_out: LaidOutScene, background: Color) -> None:
        self._background = background
        self.files = Files()
        self.elements: Mapping[str, Element] = {element.id: element for element in laid_out.scene.elements}
        self._laid_out = laid_out
        self._ends: dict[str, Json] = {}
        self._arrows: dict[str, Json] = {}
        self._parents = _parents(self.elements)
        self._containers = frozenset(self._parents.values())

    def figure(self, group: DrawnGroup) -> tuple[Json, ...]:
        """The elements of what is no edge."""
        if group.role in BESIDE:
            return loose(group, self.files)
        element = self.elements[group.id]
        radius, box = self._laid_out.styles.of[element.id].corner_radius, self._laid_out.placement.boxes.get(element.id)
        found = figure(element, group, Place(box, radius, self._groups(element.id)), self.files)
        if found.main is not None:
            self._ends[element.id] = found.main
        return found.elements

    def of_edge(self, group: DrawnGroup) -> tuple[Json, ...]:
        """The arrow of an edge, or its label."""
        edge, route = self.elements[group.id], self._laid_out.routes.get(group.id)
        if not isinstance(edge, Edge) or route is None:
            return ()
        if group.role == "label":
            return self._label(edge, group)
        ends = edge.ends
        inside = [name for name in self._groups(ends[0]) if name in self._groups(ends[1])]
        arrow = edge_arrow(edge, route, group, self._ends, inside)
        if arrow is None:
            return ()
        arrow["locked"] = edge.locked
        self._arrows[edge.id] = arrow
        rings = circles(edge, arrow, group, self._background)
        covers = interruptions(edge, route, group, self._background)
        return (arrow, *(part | {"locked": edge.locked} for part in (*rings, *covers)))

    def _label(self, edge: Edge, group: DrawnGroup) -> tuple[Json, ...]:
        item = next((item for item in group.items if isinstance(item, TextItem) and item.runs), None)
        arrow = self._arrows.get(edge.id)
        if item is None:
            return ()
        groups = arrow["groupIds"] if arrow is not None else ()
        text = text_element(part_id(edge.id, "label"), item, group.opacity, groups, align="center")
        return (text if arrow is None else bound(text, arrow, edge.label),)

    def _groups(self, element_id: str) -> list[str]:
        """The groups of an element, from the innermost container outwards; a container is in its own."""
        found: list[str] = []
        at = element_id if element_id in self._containers else self._parents.get(element_id)
        while at is not None and part_id(at, "group") not in found:
            found.append(part_id(at, "group"))
            at = self._parents.get(at)
        return found


def _is_of_edge(group: DrawnGroup, page: _Page) -> bool:
    return group.role not in BESIDE and isinstance(page.elements.get(group.id), Edge)


def _parents(elements: Mapping[str, Element]) -> dict[str, str]:
    found: dict[str, str] = {}
    for element in elements.values():
        for child in element.children if isinstance(element, Frame | Group) else ():
            if child in elements:
                found.setdefault(child, element.id)
    return found
