"""Entity-relationship: entities, attributes, relationships. (R-ER-1, R-ER-2)"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from scenograph.engine.families.entity.direction import reading_direction
from scenograph.engine.families.entity.face import paint_table, paint_weak_table
from scenograph.engine.families.entity.tabling import measure_table, measure_weak_table
from scenograph.engine.families.family import (
    EdgeKind,
    Family,
    NodeKind,
    by_name,
    decision,
    edges_by_name,
)
from scenograph.engine.families.figures import double_border
from scenograph.scene.model import Element, Node, Scene

ENTITY = "er.entity"
TABLE_SHAPES = frozenset({"rect", "roundedRect"})
"""The outlines that may hold rows."""

CARDINALITY_MARKERS: Mapping[str, str] = {
    "one": "one",
    "many": "many",
    "zero-or-one": "zeroOrOne",
    "zero-or-many": "zeroOrMany",
    "one-or-many": "oneOrMany",
}
"""The crow's foot of each cardinality (keys of MARKERS)."""


def is_table(node: Node) -> bool:
    """Whether an entity is drawn with its rows; one without columns is a plain box."""
    return bool(node.columns) and node.shape in {None, *TABLE_SHAPES}


def with_tables(scene: Scene) -> Scene:
    """A node of no type, or of one that is free text, is an entity when it has columns and its shape may hold them."""
    return replace(scene, elements=tuple(map(_as_entity, scene.elements)))


def _as_entity(element: Element) -> Element:
    if not isinstance(element, Node) or "." in (element.node_type or "") or not is_table(element):
        return element
    return replace(element, node_type=ENTITY)


ENTITY_RELATIONSHIP = Family(
    name="entityRelationship",
    recast=with_tables,
    reading_direction=reading_direction,
    node_kinds=by_name(
        NodeKind(
            name=ENTITY,
            shape="rect",
            min_size=(120.0, 48.0),
            measure=measure_table,
            paint=paint_table,
            has_own_face=is_table,
        ),
        NodeKind(
            name="er.weakEntity",
            shape="rect",
            min_size=(120.0, 48.0),
            padding=(18.0, 14.0),
            glyph=double_border,
            measure=measure_weak_table,
            paint=paint_weak_table,
            has_own_face=is_table,
        ),
        NodeKind(name="er.attribute", shape="ellipse", min_size=(88.0, 44.0), padding=(6.0, 4.0), belongs=True),
        decision("er.relationship"),
    ),
    edge_kinds=edges_by_name(
        EdgeKind(name="er.identifying"),
        EdgeKind(name="er.nonIdentifying", dash=(6.0, 4.0)),
    ),
)
