"""Entity-relationship: entities, attributes, relationships. (R-ER-1, R-ER-2)"""

from __future__ import annotations

from scenograph.engine.families.entity.resolving import free_unknown_columns, infer_cardinalities, promote_column_labels
from scenograph.engine.families.entity.table import measure_table, measure_weak_table, paint_table, paint_weak_table
from scenograph.engine.families.family import EdgeKind, Family, NodeKind, by_name, decision, may_hold_a_face
from scenograph.engine.families.figures import double_border
from scenograph.late_dataclasses import replace
from scenograph.scene.model import Edge, Element, Node, Scene

# Which way an entity-relationship diagram reads when its author does not say. Lines leave a row at its left or
# right end only. Tables one above the other force every line into a hook round the boxes; side by side, it crosses
# the gap between them. Figures that decided: docs/entity-relationship.md.


SIDEWAYS, DOWNWARDS = "LR", "TB"
_ENOUGH = 0.5  # of the edges between two elements


def reading_direction(scene: Scene) -> str:
    """Sideways when at least half of the edges stand on a row, downwards as everywhere otherwise."""
    edges = [
        element
        for element in scene.elements
        if isinstance(element, Edge) and element.source.element_id != element.target.element_id
    ]
    on_rows = sum(edge.source.column is not None or edge.target.column is not None for edge in edges)
    return SIDEWAYS if on_rows and on_rows >= _ENOUGH * len(edges) else DOWNWARDS


ENTITY = "er.entity"


def is_table(node: Node) -> bool:
    """Whether an entity is drawn with its rows; one without columns is a plain box."""
    return bool(node.columns) and may_hold_a_face(node)


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
    edge_kinds=by_name(
        EdgeKind(name="er.identifying"),
        EdgeKind(name="er.nonIdentifying", dash=(6.0, 4.0)),
    ),
    resolving=(promote_column_labels, infer_cardinalities, free_unknown_columns),
)
