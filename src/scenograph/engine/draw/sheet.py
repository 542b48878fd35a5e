"""What a painter may look at: the laid-out scene, its page, and the ground that labels stand on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from scenograph.engine.colors import WHITE, over
from scenograph.engine.draw.backdrop import Area, Backdrop, Behind
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.geometry.crisp import crisp_box
from scenograph.engine.tables import NO_PARTS, FinishedStyle, LaidOutScene, Route
from scenograph.late_dataclasses import dataclass
from scenograph.scene.model import Color, Element, Frame, Group

STEMS = ("tail", "activation:")
"""Names of parts that are lines or bars behind the edges."""


@dataclass(frozen=True)
class Sheet:
    """One laid-out scene while it is drawn. `elements` are those that are seen, in paint order."""

    laid_out: LaidOutScene
    page: Box
    elements: tuple[Element, ...]

    def box(self, element_id: str) -> Box | None:
        """Where an element is."""
        return self.laid_out.placement.boxes.get(element_id)

    def style(self, element_id: str) -> FinishedStyle:
        """Its finished style."""
        return self.laid_out.styles.of[element_id]

    def stroke_width(self, element_id: str) -> float:
        """The width of the stroke that is seen, in a visual diff that of the border it gives: 0 for one without a
        colour."""
        return self.laid_out.styles.seen_width(element_id)

    @cached_property
    def paper(self) -> Color:
        """The colour of the page, opaque."""
        return over(self.laid_out.styles.background, WHITE)

    @cached_property
    def behind(self) -> Mapping[str, tuple[Behind, ...]]:
        """What lies behind the labels of each edge that has any: first behind its own, then behind those of its
        ends."""
        labels = [(edge_id, place) for edge_id, route in self.laid_out.routes.items() for place in places_of(route)]
        ground = Backdrop(self.laid_out.styles.background, self._areas(), self.laid_out.routes, self._stems())
        found: dict[str, tuple[Behind, ...]] = {}
        for (edge_id, _), behind in zip(labels, ground.behind(labels), strict=True):
            found[edge_id] = (*found.get(edge_id, ()), behind)
        return found

    def _stems(self) -> Iterator[tuple[str, Box]]:
        """The lines that nodes stand on, by owner."""
        for element in self.elements:
            for name, part in self.laid_out.placement.parts.get(element.id, NO_PARTS).items():
                if name.startswith(STEMS):
                    yield element.id, part

    def _areas(self) -> Iterator[Area]:
        for element in self.elements:
            box = self.box(element.id)
            if box is None or not is_painted_container(element):
                continue
            style, width = self.style(element.id), self.stroke_width(element.id)
            fill = style.fill._replace(alpha=style.fill.alpha * style.opacity)
            header = self.laid_out.placement.part(element.id, "header")
            yield Area(element.id, crisp_box(box, width), fill, width > 0, header)


def places_of(route: Route) -> tuple[Box, ...]:
    """The places of the labels of an edge: first its own, then those of its ends."""
    places = (route.label, *route.end_labels)
    return tuple([place for place in places if place is not None])


def is_painted_container(element: Element) -> bool:
    """Whether it is a frame, or a group with a style: without one a group draws nothing (R-ELEMENT-8)."""
    if isinstance(element, Group):
        return element.style is not None or element.style_id is not None
    return isinstance(element, Frame)
