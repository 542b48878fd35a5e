"""Hubs: lines of a common trunk, and their courses. (R-ORG-2, R-FAN-6)

In an organization chart all unlabelled lines of one manager share a trunk. In other diagrams the lines of a hub do: a
node with more leaves than its lines can reach side by side. Networks have none, each cable is a line of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from scenograph.engine.families.catalog import edge_kind, family_named, flow_of
from scenograph.engine.families.trunks import NO_LABEL, FanLine, TrunkCourse, is_free, trunk_courses
from scenograph.engine.tables import Placement, Sizes
from scenograph.scene.model import Edge, Scene

MOST_APART = 12
"""Lines between an element and its leaves that run apart: as many leaves as fill two columns, both reached from
between; the third column is reached past the others."""


class SharedFan(NamedTuple):
    """The name of a fan, and whether its lines lead to the common element. `grows`: it takes a new line as it stands,
    where else all its lines are drawn anew."""

    name: str
    gathers: bool = False
    grows: bool = False


def shared_fans(scene: Scene) -> Mapping[str, SharedFan]:
    """The fans of lines by their ids."""
    family = family_named(scene.diagram_family)
    if family.joins_fans:
        lines = (edge for edge in scene.edges if not edge.label and edge.source.element_id != edge.target.element_id)
        return {edge.id: SharedFan(f"from:{edge.source.element_id}") for edge in lines}
    return _hub_fans(scene) if family.merges_fan_in else {}


def _hub_fans(scene: Scene) -> dict[str, SharedFan]:
    """The fans of hubs: nodes with more than `MOST_APART` leaves, by lines of one look and direction. A leaf is a node
    without another line. Lines to the hub whose labels repeat are left to the fan-in of equal labels."""
    ends = Counter(end for edge in scene.edges for end in edge.ends)
    if not ends or max(ends.values()) <= MOST_APART:
        return {}
    nodes = {node.id for node in scene.nodes if node.attached_to is None}
    groups: dict[tuple[object, ...], list[Edge]] = {}
    arriving: set[str] = set()
    for edge in scene.edges:
        source, target = edge.ends
        if source in nodes and target in nodes and _is_joinable(edge) and 1 in (ends[source], ends[target]):
            leaf, marker = (source, edge.end_arrow) if ends[source] == 1 else (target, edge.start_arrow)
            arriving |= {edge.id} if leaf == source else set()
            key = (edge.ends[leaf == source], leaf == source, edge.edge_type, marker, edge.style_id, edge.style)
            groups.setdefault(key, []).append(edge)
    found: dict[str, SharedFan] = {}
    for edges in groups.values():
        gathers = edges[0].id in arriving
        labels = Counter(edge.label or edge.id for edge in edges if gathers)
        joined = [edge.id for edge in edges if labels[edge.label or edge.id] < 2]
        if len(joined) > MOST_APART:
            found.update(dict.fromkeys(joined, SharedFan(f"hub:{joined[0]}", gathers, grows=True)))
    return found


def _is_joinable(edge: Edge) -> bool:
    texts = edge.source.label, edge.source.cardinality, edge.target.label, edge.target.cardinality
    return is_free(edge) and not any(texts) and edge_kind(edge.edge_type).mergeable


def hub_courses(scene: Scene, placement: Placement, sizes: Sizes) -> Mapping[str, TrunkCourse]:
    """The courses of the lines that lead from hubs or to them, by id."""
    fans = shared_fans(scene)
    if not fans:
        return {}
    lines: list[FanLine] = []
    turned: set[str] = set()
    for edge in scene.edges:
        fan = fans.get(edge.id)
        if fan is None or not all(end in placement.boxes for end in edge.ends):
            continue
        head, leaf = edge.ends[::-1] if fan.gathers else edge.ends
        size = sizes.get(edge.id)
        lines.append(
            FanLine(edge.id, head, leaf, fan.name, (size.width, size.height) if size and edge.label else NO_LABEL)
        )
        turned |= {edge.id} if fan.gathers else set()
    found = trunk_courses(lines, scene, placement, flow_of(scene))
    return {name: course[::-1] if name in turned else course for name, course in found.items()}
