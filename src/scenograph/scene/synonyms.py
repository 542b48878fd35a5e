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
