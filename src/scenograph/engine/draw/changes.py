"""CHANGES: the treatment of added, removed, modified and unchanged elements in a visual diff (R-DIFF-1).

Opacity, and the stroke of an edge with its markers, go into the styles before layout, for every later stage to heed
them. A border is added when the element is painted: outline items take the colour, and an element without an outline
gets a border round its box. px.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scenograph.engine.colors import hex_color
from scenograph.engine.drawing import DrawnGroup, DrawnItem, PathItem
from scenograph.engine.extent import extent_of
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.geometry.paths import crisp_box, rounded_rectangle
from scenograph.engine.tables import FinishedStyle, Styles
from scenograph.late_dataclasses import dataclass, replace
from scenograph.scene.model import Color, Edge, Element, Scene

ADDED, REMOVED, MODIFIED, UNCHANGED = "added", "removed", "modified", "unchanged"
_SAME = 2.0  # an outline's bounds are the element's box within this
_RADIUS = 4.0  # px; corners of the border round an element without an outline


@dataclass(frozen=True, slots=True, kw_only=True)
class Treatment:
    """One treatment: an optional border, and a factor for the element's own opacity."""

    title: str
    stroke: Color | None = None
    width: float = 0.0
    dash: tuple[float, ...] = ()
    opacity: float = 1.0


CHANGES: Mapping[str, Treatment] = {
    ADDED: Treatment(title="Added", stroke=hex_color("#22c55e"), width=3.0),
    REMOVED: Treatment(title="Removed", stroke=hex_color("#ef4444"), width=2.0, dash=(6.0, 4.0), opacity=0.4),
    MODIFIED: Treatment(title="Modified", stroke=hex_color("#f59e0b"), width=3.0),
    UNCHANGED: Treatment(title="Unchanged", opacity=0.5),
}

ROOM: Mapping[str, float] = {"text": 6.0, "group": 6.0, "image": 3.0}
"""The room between an element without an outline and its change border, by kind; 0 for kinds with an outline."""


def with_treatments(styles: Styles, scene: Scene, changes: Mapping[str, str]) -> Styles:
    """The styles with the opacities, borders and edge colours of a diff. Applied before routing: edges of unlike look
    must not be drawn as one, and routes end at the borders."""
    edges = {element.id for element in scene.edges}
    of = {
        key: _treated(style, CHANGES[changes[key]], is_edge=key in edges) if key in changes else style
        for key, style in styles.of.items()
    }
    given = {key: CHANGES[change] for key, change in changes.items() if key not in edges}
    borders = {key: treatment.width for key, treatment in given.items() if treatment.stroke is not None}
    return replace(styles, of=of, borders=borders)


Boxes = tuple[Box, ...]


def bordered(element: Element, groups: tuple[DrawnGroup, ...], boxes: Boxes, change: str) -> Iterator[DrawnGroup]:
    """The groups of one element as shown in a diff, each with its change. `boxes`: the drawn places of the element, its
    own box first and a repeated foot second; empty for an unplaced element."""
    treatment = CHANGES[change]
    if isinstance(element, Edge) or treatment.stroke is None:
        yield from (group._replace(change=change) for group in groups)
        return
    if not groups and boxes:
        groups = (DrawnGroup(id=element.id, kind=element.kind, items=(), opacity=treatment.opacity),)
    for group in groups:
        yield group._replace(change=change, items=_bordered(element, group.items, boxes, treatment))


def restroked(item: PathItem, treatment: Treatment) -> PathItem:
    """A path with the treatment's line."""
    return item._replace(stroke=treatment.stroke, stroke_width=treatment.width, dash=treatment.dash, cap="butt")


def _treated(style: FinishedStyle, treatment: Treatment, *, is_edge: bool) -> FinishedStyle:
    style = replace(style, opacity=style.opacity * treatment.opacity)
    if not is_edge or treatment.stroke is None:
        return style
    return replace(style, stroke=treatment.stroke, stroke_width=treatment.width, dash=treatment.dash)


def _bordered(
    element: Element, items: tuple[DrawnItem, ...], boxes: Boxes, treatment: Treatment
) -> tuple[DrawnItem, ...]:
    outline = [number for number, item in enumerate(items) if isinstance(item, PathItem) and item.is_outline]
    if not outline and element.kind not in ROOM:
        outline = [number for number, item in enumerate(items) if any(_goes_round(item, box) for box in boxes)]
    if not outline:
        return (*items, *(_frame_round(element, box, treatment) for box in boxes))
    return tuple(
        restroked(item, treatment) if number in outline and isinstance(item, PathItem) else item
        for number, item in enumerate(items)
    )


def _goes_round(item: DrawnItem, box: Box) -> bool:
    """Whether an item strokes the outline of a box, whichever painter made it."""
    if not isinstance(item, PathItem) or item.stroke is None or item.stroke_width <= 0:
        return False
    bounds = extent_of(item)
    return bounds is not None and all(
        abs(a - b) <= _SAME + item.stroke_width
        for a, b in zip(
            (bounds.x, bounds.y, bounds.right, bounds.bottom), (box.x, box.y, box.right, box.bottom), strict=True
        )
    )


def _frame_round(element: Element, box: Box, treatment: Treatment) -> DrawnItem:
    place = crisp_box(box.grown(ROOM.get(element.kind, 0.0)), treatment.width)
    return restroked(PathItem(path=rounded_rectangle(place, _RADIUS), is_outline=True), treatment)
