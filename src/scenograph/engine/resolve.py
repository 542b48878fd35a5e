"""Resolving: every default written in, every reference resolved.

In: a scene as read. Out: a scene whose nodes have a shape, whose containers have a type, whose edges have a type and
markers and two existing ends. `Edge.router` stays None without an authored router: the routing stage must know who
chose (R-ROUTE-5). Each step takes a scene and returns a scene; RESOLVE_STEPS is their order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from scenograph.diagnostics import MISSING_DIAGRAM_FAMILY, Report
from scenograph.engine.families.catalog import FAMILIES, RESOLVING, edge_kind, family_named, flow_of, kind_of
from scenograph.engine.families.faces import ICON_SHAPE, is_cloud_icon, shown_icon, take_the_icons_outline
from scenograph.engine.families.family import is_divisible, is_tile, is_tiled
from scenograph.engine.geometry.directions import SIDEWAYS
from scenograph.engine.markers import CARDINALITY_MARKERS
from scenograph.late_dataclasses import replace
from scenograph.scene.document_index import ancestors
from scenograph.scene.memo import Remembered, kept
from scenograph.scene.model import Edge, Element, Endpoint, Frame, Node, Scene
from scenograph.scene.vocabulary import DEFAULT_CONTAINER_TYPE, DEFAULT_EDGE_TYPE

# Bars (forks and joins): they lie across the flow, as long as their lines need. px. In: a scene. Out: the same
# scene in which every bar without a given size has one.


_PER_LINE = 36.0
"""The distance of lines that end at the same side of a bar, px."""


def lay_bars_across(scene: Scene, _report: Report) -> Scene:
    """Turn every bar across the flow of the scene."""
    bars = [element for element in scene.nodes if kind_of(element).bar]
    if not bars:
        return scene
    edges = scene.edges
    leaving = Counter(edge.source.element_id for edge in edges)
    entering = Counter(edge.target.element_id for edge in edges)
    sideways = flow_of(scene) in SIDEWAYS
    laid = {bar.id: _laid(bar, max(leaving[bar.id], entering[bar.id]), sideways=sideways) for bar in bars}
    rows: list[Element] = [laid.get(element.id, element) for element in scene.elements]
    return replace(scene, elements=tuple(rows))


def _laid(bar: Node, lines: int, *, sideways: bool) -> Node:
    size, layout = kind_of(bar).fixed_size, bar.layout
    if size is None or layout.width is not None or layout.height is not None:
        return bar
    length, breadth = max(size[0], _PER_LINE * lines), size[1]
    width, height = (breadth, length) if sideways else (length, breadth)
    return replace(bar, layout=replace(layout, width=width, height=height))


ResolvingStep = Callable[[Scene, Report], Scene]

_DEFAULT_LANE_DIRECTION = "horizontal"
_BARE_SHAPE = "textBox"


def resolve(scene: Scene, report: Report) -> Scene:
    """Every step in order."""
    for step in RESOLVE_STEPS:
        scene = step(scene, report)
    return scene


def report_missing_family(scene: Scene, report: Report) -> Scene:
    """Report a document without a diagram family; the scene stays unchanged."""
    if not scene.diagram_family:
        allowed = list(FAMILIES)
        path = "/diagramFamily"
        report.add(MISSING_DIAGRAM_FAMILY, path=path, data={"allowedValues": allowed}, allowed=", ".join(allowed))
    return scene


def leave_out_invisible(scene: Scene, _report: Report) -> Scene:
    """Move invisible elements to `hidden`: an invisible container with its content, a host with its attached nodes,
    both with their edges."""
    hidden = {element.id for element in scene.elements if not element.visible}
    if not hidden:
        return scene
    containers = scene.containers
    inside = {container.id: container.children for container in containers}
    waiting = [container.id for container in containers if container.id in hidden]
    while waiting:
        found = [child for child in inside[waiting.pop()] if child not in hidden]
        hidden.update(found)
        waiting.extend(child for child in found if child in inside)
    attached = [element for element in scene.nodes if element.attached_to is not None]
    hidden.update(node.id for node in attached if node.attached_to and node.attached_to.element_id in hidden)
    lines = scene.edges
    hidden.update(line.id for line in lines if not hidden.isdisjoint(line.ends))
    shown = tuple(element for element in scene.elements if element.id not in hidden)
    return replace(scene, elements=shown, hidden=tuple(one for one in scene.elements if one.id in hidden))


def leave_out_dangling_edges(scene: Scene, _report: Report) -> Scene:
    """Remove edges without an end, reported by validation."""
    ends = {element.id for element in (*scene.nodes, *scene.containers)}
    if all(edge.source.element_id in ends and edge.target.element_id in ends for edge in scene.edges):
        return scene
    kept = tuple(
        element
        for element in scene.elements
        if not isinstance(element, Edge) or (element.source.element_id in ends and element.target.element_id in ends)
    )
    return replace(scene, elements=kept)


def divide_by_lanes(scene: Scene, _report: Report) -> Scene:
    """Mark lanes and activities with lanes as divided, in the lane direction of the surrounding pool."""
    frames = {element.id: element for element in scene.frames}
    parents = {child: frame.id for frame in frames.values() for child in frame.children if child in frames}
    divided = {
        frame.id: replace(frame, divided=True, lane_direction=_direction_around(frame, frames, parents))
        for frame in frames.values()
        if is_divisible(frame) and any(is_tile(frames.get(child)) for child in frame.children)
    }
    if not divided:
        return scene
    return replace(scene, elements=tuple(divided.get(element.id, element) for element in scene.elements))


def _direction_around(frame: Frame, frames: Mapping[str, Frame], parents: Mapping[str, str]) -> str | None:
    """The lane direction of a frame, for a lane the direction of the surrounding pool or activity."""
    for one in (frame.id, *ancestors(frame.id, parents.get)):
        if not is_tile(frames[one]):
            return frames[one].lane_direction
    return frame.lane_direction


def write_defaults(scene: Scene, _report: Report) -> Scene:
    """Write default shapes, container types, lane directions, edge types and markers."""
    return replace(scene, elements=tuple(_defaulted(element) for element in scene.elements))


def recast_by_family(scene: Scene, _report: Report) -> Scene:
    """Recast elements by the scene's family if their authors left the type open."""
    recast = family_named(scene.diagram_family).recast
    return scene if recast is None else recast(scene)


def resolve_by_types(scene: Scene, report: Report) -> Scene:
    """Run the steps of all families and notations on their own material in any scene: columns at ends of edges,
    regions."""
    for step in RESOLVING:
        scene = step(scene, report, kind_of)
    return scene


def rewrite_by_family(scene: Scene, _report: Report) -> Scene:
    """Run the rewriting step of the scene's family."""
    rewrite = family_named(scene.diagram_family).rewrite
    return scene if rewrite is None else rewrite(scene)


RESOLVE_STEPS: tuple[ResolvingStep, ...] = (
    report_missing_family,
    leave_out_invisible,
    leave_out_dangling_edges,
    recast_by_family,
    resolve_by_types,
    lay_bars_across,
    take_the_icons_outline,
    divide_by_lanes,
    write_defaults,
    rewrite_by_family,
)


def _defaulted(element: Element) -> Element:
    default = DEFAULTS.get(element.kind)
    if default is None:
        return element
    made = _DEFAULTED.get(element)
    if made is None:
        made = default(element)
        if made is not element and element.memo is not None:  # an object holding itself would never be freed
            _DEFAULTED.put(element, (), kept(made))
    return made


def _node(node: Node) -> Node:
    """The node with its default shape: a box of its own for a cloud provider's icon, and for any icon in a type without
    an outline."""
    if node.shape is not None:
        return node
    shape = kind_of(node).shape
    if is_cloud_icon(node) or (shape == _BARE_SHAPE and shown_icon(node) is not None):
        shape = ICON_SHAPE
    return replace(node, shape=shape)


def _frame(frame: Frame) -> Frame:
    frame = replace(frame, container_type=frame.container_type or DEFAULT_CONTAINER_TYPE)
    if frame.lane_direction is None and is_tiled(frame):
        return replace(frame, lane_direction=_DEFAULT_LANE_DIRECTION)
    return frame


def _edge(edge: Edge) -> Edge:
    kind = edge_kind(edge.edge_type)
    marker = partial(_marker, is_loop=edge.source.element_id == edge.target.element_id)
    return replace(
        edge,
        edge_type=edge.edge_type or DEFAULT_EDGE_TYPE,
        start_arrow=edge.start_arrow or marker(edge.source, kind.start_marker),
        end_arrow=edge.end_arrow or marker(edge.target, kind.end_marker),
    )


def _marker(end: Endpoint, of_kind: str, *, is_loop: bool) -> str:
    """The crow's foot of a cardinality, else the edge type's marker; a self-loop has no crow's feet (R-ER-6)."""
    crows_foot = None if is_loop else CARDINALITY_MARKERS.get(end.cardinality or "")
    return crows_foot or of_kind


DEFAULTS: Mapping[str, Callable[[Any], Element]] = {"node": _node, "frame": _frame, "edge": _edge}
_DEFAULTED = Remembered[Element]()
