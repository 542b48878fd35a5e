"""Words of other tools and of everyday speech for names of ours: what a name that is not known may have meant."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# Without case, hyphens, underscores and spaces, as names are compared.
SYNONYMS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "down": ("TB",),
        "td": ("TB",),
        "vertical": ("TB", "y"),
        "up": ("BT",),
        "right": ("LR",),
        "horizontal": ("LR", "x"),
        "left": ("RL",),
        "layered": ("hierarchical",),
        "dagre": ("hierarchical",),
        "elk": ("hierarchical",),
        "tree": ("hierarchical",),
        "organic": ("forceDirected",),
        "spring": ("forceDirected",),
        "1": ("one",),
        "1..1": ("one",),
        "n": ("many",),
        "*": ("many",),
        "0..1": ("zero-or-one",),
        "0..n": ("zero-or-many",),
        "0..*": ("zero-or-many",),
        "1..n": ("one-or-many",),
        "1..*": ("one-or-many",),
        "source": ("from",),
        "target": ("to",),
        "start": ("from",),
        "end": ("to",),
        "primarykey": ("pk",),
        "foreignkey": ("fk",),
        "arrow": ("endpoints.endArrow", "endArrow"),
        "arrowhead": ("endpoints.endArrow", "endArrow"),
        "arrowtype": ("endpoints.endArrow", "endArrow"),
        "directed": ("endpoints.endArrow", "endArrow"),
        "markerend": ("endpoints.endArrow", "endArrow"),
        "markerstart": ("endpoints.startArrow", "startArrow"),
        "text": ("label", "title", "content"),
        "caption": ("label", "title", "content"),
        "elements": ("children",),
        "nodes": ("children", "elements"),
        "members": ("children",),
        "color": ("style",),
        "fill": ("style",),
        "stroke": ("style",),
        "datatype": ("type",),
        "class": ("architecture", "uml.class"),
        "classdiagram": ("architecture",),
        "uml": ("architecture",),
        "state": ("workflow", "state.state"),
        "statediagram": ("workflow",),
        "statemachine": ("workflow",),
        "statechart": ("workflow",),
        "erd": ("entityRelationship",),
        "bpmn": ("workflow",),
        "flowchart": ("workflow",),
        "process": ("workflow",),
        "wireframe": ("uiflow",),
        "c4": ("architecture",),
        "bezier": ("curved",),
        "spline": ("curved",),
        "elbow": ("orthogonal",),
        "ortho": ("orthogonal",),
        "line": ("straight",),
        "rectangle": ("rect",),
        "square": ("rect",),
        "box": ("rect",),
        "circle": ("ellipse",),
        "oval": ("ellipse",),
        "database": ("cylinder",),
        "stadium": ("pill",),
        "light": ("clean",),
        "default": ("clean",),
        "handdrawn": ("sketch",),
    }
)

_CLASSES = ("architecture", "Classes are nodes of type uml.class there, with edges such as uml.inherits.")
_STATES = ("workflow", "States are nodes of type state.state there, with edges of type state.transition.")
# What must be known besides where a family is meant by the word of a notation that has none of its own.
NOTATIONS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "class": _CLASSES,
        "classdiagram": _CLASSES,
        "uml": _CLASSES,
        "state": _STATES,
        "statediagram": _STATES,
        "statemachine": _STATES,
        "statechart": _STATES,
    }
)
