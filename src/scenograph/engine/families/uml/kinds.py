"""UML: the node and edge types of class diagrams, usable in any family. (R-UML-1, R-UML-2; UML 2.5.1, 9 to 11)

An edge that names a whole leads from it; one that names what is more general leads to it, and stands below it.
"""

from __future__ import annotations

from scenograph.engine.families.family import EdgeKind, NodeKind, Notation, by_name, may_hold_a_face
from scenograph.engine.families.uml.compartments import measure_classifier
from scenograph.engine.families.uml.face import paint_classifier
from scenograph.scene.model import Node

_DASH = (6.0, 4.0)


def is_classifier(node: Node) -> bool:
    """Whether a node is drawn with its compartments: in another outline it is a plain box."""
    return may_hold_a_face(node)


def _classifier(name: str, keyword: str = "") -> NodeKind:
    return NodeKind(
        name=name,
        shape="rect",
        min_size=(112.0, 48.0),
        measure=measure_classifier(keyword),
        paint=paint_classifier,
        has_own_face=is_classifier,
    )


UML = Notation(
    node_kinds=by_name(
        _classifier("uml.class"), _classifier("uml.interface", "interface"), _classifier("uml.enum", "enumeration")
    ),
    edge_kinds=by_name(
        EdgeKind(name="uml.inherits", end_marker="openTriangle", upward=True, gathers=True),
        EdgeKind(name="uml.implements", dash=_DASH, end_marker="openTriangle", upward=True, gathers=True),
        EdgeKind(name="uml.composes", start_marker="diamond"),
        EdgeKind(name="uml.aggregates", start_marker="openDiamond"),
        EdgeKind(name="uml.depends", dash=_DASH, end_marker="arrow"),
        EdgeKind(name="uml.associates"),
    ),
)
