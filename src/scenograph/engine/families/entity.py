"""Entity-relationship: entities, attributes, relationships. (specification: "Entity-relationship family")"""

from __future__ import annotations

from collections.abc import Mapping

from scenograph.engine.families.family import (
    EdgeKind,
    Family,
    NodeKind,
    by_name,
    decision,
    edges_by_name,
)
from scenograph.engine.families.figures import double_border

CARDINALITY_MARKERS: Mapping[str, str] = {
    "one": "one",
    "many": "many",
    "zero-or-one": "zeroOrOne",
    "zero-or-many": "zeroOrMany",
    "one-or-many": "oneOrMany",
}
"""The crow's foot of each cardinality (keys of MARKERS)."""

ENTITY_RELATIONSHIP = Family(
    name="entityRelationship",
    node_kinds=by_name(
        NodeKind(name="er.entity", shape="rect", min_size=(120.0, 48.0)),
        NodeKind(name="er.weakEntity", shape="rect", min_size=(120.0, 48.0), padding=(18.0, 14.0), glyph=double_border),
        NodeKind(name="er.attribute", shape="ellipse", min_size=(88.0, 44.0), padding=(6.0, 4.0)),
        decision("er.relationship"),
    ),
    edge_kinds=edges_by_name(
        EdgeKind(name="er.identifying"),
        EdgeKind(name="er.nonIdentifying", dash=(6.0, 4.0)),
    ),
)
