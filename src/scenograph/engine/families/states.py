"""State machines: node, edge and container types, usable in any family, and the regions of composite states.

R-UML-4, R-UML-5; UML 2.5.1, 14.2.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scenograph.diagnostics import Report
from scenograph.engine.drawing import DrawnItem, PathItem
from scenograph.engine.families.bpmn_glyphs import core
from scenograph.engine.families.container_types import DIVIDED_STATE, FIRST_REGION, REGION, is_headed
from scenograph.engine.families.faces import sharp
from scenograph.engine.families.family import EdgeKind, FrameFace, FrameKind, KindOf, NodeKind, Notation, by_name
from scenograph.engine.geometry.boxes import Point
from scenograph.engine.geometry.paths import segment
from scenograph.engine.tables import FinishedStyle
from scenograph.engine.text.blocks import TextBlock
from scenograph.late_dataclasses import replace
from scenograph.scene.json_values import is_array
from scenograph.scene.model import Element, Frame, Scene

# Composite states with orthogonal regions: a frame of container type `state`, divided by `extensions.regions`. In: a
# scene. Out: the scene with one inner frame for each region, side by side, holding the region's children. Children
# outside all regions join the last. Dashed lines separate the regions. (UML 2.5.1, 14.2.4)


_DASH = (6.0, 4.0)
_SIDE_BY_SIDE = "vertical"


def divide_into_regions(scene: Scene, _report: Report, _kind_of: KindOf) -> Scene:
    """Add a frame for every region of every composite state with two or more regions."""
    taken = {element.id for element in scene.elements}
    rows: list[Element] = []
    for element in scene.elements:
        regions = _regions(element) if isinstance(element, Frame) and is_headed(element) else []
        if isinstance(element, Frame) and len(regions) > 1:
            parts = list(_parts(element, regions, taken))
            inside = tuple(part.id for part in parts)
            rows += [replace(element, children=inside, container_type=DIVIDED_STATE, lane_direction=_SIDE_BY_SIDE)]
            rows += parts
        else:
            rows.append(element)
    return replace(scene, elements=tuple(rows)) if len(rows) > len(scene.elements) else scene


def _regions(state: Frame) -> list[list[str]]:
    """The children by region, each once; children without a region join the last."""
    said: object = state.extensions.get("regions")
    waiting = dict.fromkeys(state.children)
    regions: list[list[str]] = []
    for region in said if is_array(said) else ():
        names = [one for one in region if isinstance(one, str) and one in waiting] if is_array(region) else []
        for name in names:
            waiting.pop(name, None)
        if names:
            regions.append(list(dict.fromkeys(names)))
    if regions:
        regions[-1] += waiting
    return regions


def _parts(state: Frame, regions: list[list[str]], taken: set[str]) -> Iterator[Frame]:
    for number, children in enumerate(regions, 1):
        name = f"{state.id}:region:{number}"
        while name in taken:
            name += "'"
        taken.add(name)
        kind = FIRST_REGION if number == 1 else REGION
        yield Frame(id=name, kind=state.kind, children=tuple(children), container_type=kind, z_index=state.z_index)


def _no_texts(_frame: Frame, _style: FinishedStyle) -> Mapping[str, TextBlock]:
    return {}


def _nothing(_face: FrameFace) -> Iterator[DrawnItem]:
    return iter(())


def _divider(face: FrameFace) -> Iterator[DrawnItem]:
    x, style = sharp(face.box.x), face.style
    path = segment(Point(x, face.box.y), Point(x, face.box.bottom))
    yield PathItem(path=path, stroke=style.stroke, stroke_width=style.stroke_width, dash=_DASH, is_outline=True)


REGION_KINDS = (
    FrameKind(name=FIRST_REGION, measure=_no_texts, paint=_nothing, border=False),
    FrameKind(name=REGION, measure=_no_texts, paint=_divider, border=False),
)


# State machines: node, edge and container types, usable in any family. (R-UML-4, R-UML-5; UML 2.5.1, 14.2)


STATE_RADIUS = 12.0
_INITIAL, _FINAL, _CHOICE, _BAR = (20.0, 20.0), (24.0, 24.0), (32.0, 32.0), (72.0, 8.0)

STATES = Notation(
    node_kinds=by_name(
        NodeKind(name="state.state", corner_radius=STATE_RADIUS),
        NodeKind(
            name="state.initial",
            shape="ellipse",
            tone="start",
            label_below=True,
            label_moves=True,
            fixed_size=_INITIAL,
            filled_with_stroke=True,
        ),
        NodeKind(
            name="state.final",
            shape="ellipse",
            tone="end",
            label_below=True,
            label_moves=True,
            fixed_size=_FINAL,
            glyph=core,
        ),
        NodeKind(
            name="state.choice",
            shape="diamond",
            tone="decision",
            label_below=True,
            label_moves=True,
            fixed_size=_CHOICE,
        ),
        NodeKind(
            name="state.fork",
            shape="rect",
            label_below=True,
            label_moves=True,
            fixed_size=_BAR,
            filled_with_stroke=True,
            bar=True,
        ),
    ),
    edge_kinds=by_name(EdgeKind(name="state.transition", end_marker="triangle")),
    resolving=(divide_into_regions,),
)
