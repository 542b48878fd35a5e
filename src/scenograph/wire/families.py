"""The names of the diagram families, the default first; what each means is the engine's (`engine/families/`)."""

from __future__ import annotations

FAMILY_NAMES = ("architecture", "workflow", "entityRelationship", "sequence", "network", "orgchart", "uiflow")
