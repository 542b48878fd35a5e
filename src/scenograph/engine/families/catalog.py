"""FAMILIES, and the look-up of a type's row by name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from scenograph.engine.families.entity import ENTITY_RELATIONSHIP
from scenograph.engine.families.family import UNTYPED, EdgeKind, Family, FrameKind, NodeKind, Notation, Resolve
from scenograph.engine.families.general import DEFAULT_EDGE, GENERAL, GENERIC_NODE
from scenograph.engine.families.icon_nodes import shown_icon
from scenograph.engine.families.network import NETWORK
from scenograph.engine.families.orgchart import ORGCHART
from scenograph.engine.families.sequence.kinds import FRAGMENT, SEQUENCE
from scenograph.engine.families.states import REGION_KINDS, STATES
from scenograph.engine.families.uiflow import UIFLOW
from scenograph.engine.families.uml import UML
from scenograph.engine.families.workflow import ACTIVITY_FRAMES, WORKFLOW
from scenograph.engine.geometry.directions import DOWNWARDS, RIGHTWARDS
from scenograph.late_dataclasses import replace
from scenograph.scene.model import Node, Scene

FAMILIES: Mapping[str, Family] = {
    "architecture": GENERAL,
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

FLOWS_SIDEWAYS = frozenset({"flow"})
"""The algorithms with a default flow from left to right."""
FRAME_KINDS: Mapping[str, FrameKind] = {kind.name: kind for kind in (FRAGMENT, *REGION_KINDS, *ACTIVITY_FRAMES)}

_CACHED_KINDS = 512


def family_named(name: str | None) -> Family:
    """The family of a scene; architecture for no family or an unknown one."""
    return FAMILIES.get(name or "", GENERAL)


def unspoken_direction(scene: Scene) -> str:
    """The default direction of the algorithm `hierarchical` without an authored direction (R-PLACE-4)."""
    family = family_named(scene.diagram_family)
    if family.reading_direction is not None:
        return family.reading_direction(scene)
    return family.default_direction if scene.layout_strategy is None else DOWNWARDS


def flow_of(scene: Scene) -> str:
    """The flow direction of a scene: declared, or of the algorithm, or the family's default."""
    strategy = scene.layout_strategy
    if strategy is not None and strategy.direction is not None:
        return strategy.direction
    return RIGHTWARDS if strategy is not None and strategy.algorithm in FLOWS_SIDEWAYS else unspoken_direction(scene)


def node_kind(node_type: str | None) -> NodeKind:
    """The row of a node type; the generic node for None and for free text."""
    name = node_type or ""
    return NODE_KINDS.get(name) or CAST_KINDS.get(name, GENERIC_NODE)


def authored_type(node: Node) -> str | None:
    """The type that the document gives a node, without the role in which the family cast it."""
    if node.node_type is None or node.node_type not in CAST_KINDS:
        return node.node_type
    name, _, role = node.node_type.partition(" ")
    return None if role == UNTYPED else name


def edge_kind(edge_type: str | None) -> EdgeKind:
    """The row of an edge type; solid without arrowheads for None and for free text."""
    return EDGE_KINDS.get(edge_type or "", DEFAULT_EDGE)


def frame_kind(container_type: str | None) -> FrameKind | None:
    """The row of a container type; None for a type with only a title."""
    return FRAME_KINDS.get(container_type or "")


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
