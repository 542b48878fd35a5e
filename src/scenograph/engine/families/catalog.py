"""FAMILIES, and the look-up of a type's row by name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from scenograph.engine.families.entity import ENTITY_RELATIONSHIP
from scenograph.engine.families.faces import (
    component_edge,
    component_tabs,
    globe,
    paint_sheet,
    person,
    shown_icon,
    stick_figure,
)
from scenograph.engine.families.family import (
    FOLDED_TYPE,
    UNTYPED,
    EdgeKind,
    Family,
    FrameKind,
    GlyphStroke,
    NodeKind,
    Notation,
    Resolve,
    by_name,
)
from scenograph.engine.families.network import NETWORK
from scenograph.engine.families.orgchart import ORGCHART
from scenograph.engine.families.sequence.chart import FRAGMENT, SEQUENCE
from scenograph.engine.families.uiflow import UIFLOW
from scenograph.engine.families.uml import REGION_KINDS, STATES, UML
from scenograph.engine.families.workflow import ACTIVITY_FRAMES, WORKFLOW
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.geometry.directions import DOWNWARDS, RIGHTWARDS
from scenograph.engine.geometry.paths import ellipse
from scenograph.engine.shapes import lid_of, mouth_of
from scenograph.late_dataclasses import replace
from scenograph.scene.model import Node, Scene

# Architecture: the generic node types, usable in any diagram, and the default edge. (R-FAMILY-2)

_GENERIC_NODE = NodeKind(name="generic")
"""What a node without a type, or with free text for a type, looks like."""

_DEFAULT_EDGE = EdgeKind(name="default")
"""Solid, no arrowheads (R-ELEMENT-6)."""

_DASHED = (6.0, 4.0)
_FIGURE = (44.0, 48.0)
_HOLE = 0.55  # of a rim: the size of the ring inside
_FINE = 1.25  # px


def _ringed_lid(box: Box) -> tuple[GlyphStroke, ...]:
    """A ring on the lid of a cylinder, clear of the label."""
    return _ring_in(lid_of(box))


def _hollow_mouth(box: Box) -> tuple[GlyphStroke, ...]:
    """A ring in the mouth of a tube, clear of the label: a pipe with many ends."""
    return _ring_in(mouth_of(box))


def _ring_in(rim: Box) -> tuple[GlyphStroke, ...]:
    middle, width, height = rim.center, rim.width * _HOLE, rim.height * _HOLE
    return (GlyphStroke(path=ellipse(Box(middle.x - width / 2, middle.y - height / 2, width, height)), width=_FINE),)


_GENERAL = Family(
    name="architecture",
    node_kinds=by_name(
        NodeKind(name="service"),
        NodeKind(name="component", shape="rect", padding=(18.0, 12.0), glyph=component_tabs, glyph_box=component_edge),
        NodeKind(name="container", shape="box3d"),
        NodeKind(name="function", shape="pill"),
        NodeKind(name="gateway", shape="hexagon", tone="gateway"),
        NodeKind(name="loadBalancer", shape="hexagon", tone="gateway"),
        NodeKind(name="client", tone="people"),
        NodeKind(name="external", tone="external"),
        NodeKind(name="database", shape="cylinder", tone="data", min_size=(88.0, 60.0)),
        NodeKind(name="storage", shape="cylinder", tone="data", min_size=(88.0, 60.0)),
        NodeKind(name="bucket", shape="cylinder", tone="data", min_size=(88.0, 60.0)),
        NodeKind(name="cache", shape="cylinder", tone="data", min_size=(88.0, 60.0), glyph=_ringed_lid),
        NodeKind(name="queue", shape="tube", tone="queue"),
        NodeKind(name="topic", shape="tube", tone="queue", glyph=_hollow_mouth),
        NodeKind(name="cdn", tone="external", symbol=globe),
        NodeKind(name="user", shape="textBox", tone="people", label_below=True, fixed_size=_FIGURE, glyph=person),
        NodeKind(
            name="actor", shape="textBox", tone="people", label_below=True, fixed_size=_FIGURE, glyph=stick_figure
        ),
        NodeKind(name="note", shape="rect", tone="note", padding=(16.0, 12.0), wrap_width=180.0, paint=paint_sheet),
    ),
    edge_kinds=by_name(_DEFAULT_EDGE),
    cast_kinds=by_name(NodeKind(name=FOLDED_TYPE, tone="external", dash=_DASHED, padding=(20.0, 14.0))),
)

FAMILIES: Mapping[str, Family] = {
    "architecture": _GENERAL,
    "workflow": WORKFLOW,
    "entityRelationship": ENTITY_RELATIONSHIP,
    "sequence": SEQUENCE,
    "network": NETWORK,
    "orgchart": ORGCHART,
    "uiflow": UIFLOW,
}

NOTATIONS: tuple[Notation, ...] = (UML, STATES)

NODE_KINDS: Mapping[str, NodeKind] = {
    name: kind for rows in (*FAMILIES.values(), *NOTATIONS) for name, kind in rows.node_kinds.items()
}
CAST_KINDS: Mapping[str, NodeKind] = {
    name: kind for family in FAMILIES.values() for name, kind in family.cast_kinds.items()
}
EDGE_KINDS: Mapping[str, EdgeKind] = {
    name: kind for rows in (*FAMILIES.values(), *NOTATIONS) for name, kind in rows.edge_kinds.items()
}
RESOLVING: tuple[Resolve, ...] = tuple(step for rows in (*FAMILIES.values(), *NOTATIONS) for step in rows.resolving)
"""What resolving does in any scene, in the order of the rows."""

_FLOWS_SIDEWAYS = frozenset({"flow"})
"""The algorithms with a default flow from left to right."""
_FRAME_KINDS: Mapping[str, FrameKind] = {kind.name: kind for kind in (FRAGMENT, *REGION_KINDS, *ACTIVITY_FRAMES)}

_CACHED_KINDS = 512


def family_named(name: str | None) -> Family:
    """The family of a scene; architecture for no family or an unknown one."""
    return FAMILIES.get(name or "", _GENERAL)


def unspoken_direction(scene: Scene) -> str:
    """The default direction of the algorithm `hierarchical` without an authored direction (R-PLACE-4)."""
    family = family_named(scene.diagram_family)
    return DOWNWARDS if family.reading_direction is None else family.reading_direction(scene)


def flow_of(scene: Scene) -> str:
    """The flow direction of a scene: declared, or of the algorithm, or the family's default."""
    strategy = scene.layout_strategy
    if strategy is not None and strategy.direction is not None:
        return strategy.direction
    return RIGHTWARDS if strategy is not None and strategy.algorithm in _FLOWS_SIDEWAYS else unspoken_direction(scene)


def node_kind(node_type: str | None) -> NodeKind:
    """The row of a node type; the generic node for None and for free text."""
    name = node_type or ""
    return NODE_KINDS.get(name) or CAST_KINDS.get(name, _GENERIC_NODE)


def authored_type(node: Node) -> str | None:
    """The authored type of a node, without the role given by the family."""
    if node.node_type is None or node.node_type not in CAST_KINDS:
        return node.node_type
    name, _, role = node.node_type.partition(" ")
    return None if role == UNTYPED else name


def edge_kind(edge_type: str | None) -> EdgeKind:
    """The row of an edge type; solid without arrowheads for None and for free text."""
    return EDGE_KINDS.get(edge_type or "", _DEFAULT_EDGE)


def frame_kind(container_type: str | None) -> FrameKind | None:
    """The row of a container type; None for a type with only a title."""
    return _FRAME_KINDS.get(container_type or "")


def kind_of(node: Node) -> NodeKind:
    """The row that applies to a node: the row of its type; for an authored shape, the row without all that depends on
    the type's own shape (fixed size, glyph, a label outside). An icon replaces a glyph that stands for the type."""
    judge = node_kind(node.node_type).has_own_face
    has_face = judge(node) if judge is not None else None
    return _kind_in_shape(node.node_type, node.shape, has_icon=shown_icon(node) is not None, has_face=has_face)


@lru_cache(maxsize=_CACHED_KINDS)
def _kind_in_shape(node_type: str | None, shape: str | None, *, has_icon: bool, has_face: bool | None) -> NodeKind:
    """The row of a type in a shape. `has_face`: the verdict of the type's `has_own_face`, None for types without
    one."""
    kind = node_kind(node_type)
    if has_face is not None and not has_face:
        kind = _inside_label(replace(kind, measure=None, paint=None), has_icon=has_icon)
    if has_icon and kind.label_below:
        kind = replace(kind, glyph=None, filled_with_stroke=False)
    if shape is None or shape == kind.shape:
        return kind
    inside = replace(kind, shape=shape, label_below=False, fixed_size=None, filled_with_stroke=False)
    plain = replace(inside, glyph=None, glyph_box=None, marks=None)
    return plain if has_face else replace(plain, measure=None, paint=None)


def _inside_label(kind: NodeKind, *, has_icon: bool) -> NodeKind:
    """A kind with its outside label moved inside; an icon is not drawn inside the outline of its own subject."""
    if not kind.label_below:
        return kind
    shape = "roundedRect" if has_icon else kind.shape
    return replace(kind, shape=shape, label_below=False, fixed_size=None, glyph=None)
