"""The names of families and themes, the default first, and the form of a scene's id (R-ID-2)."""

from __future__ import annotations

# The names of the diagram families, the default first; their meaning is defined in `engine/families/`.


FAMILY_NAMES = ("architecture", "workflow", "entityRelationship", "sequence", "network", "orgchart", "uiflow")


# The names of the themes, the default first; their looks are defined in `engine/themes.py`.


GRANTABLE_ROLES = ("viewer", "commenter", "editor")  # on a shared scene; each includes those before it
THEME_NAMES = ("clean", "dark", "blueprint", "sketch")


# The form of a scene's id (R-ID-2).


RESERVED = ("render", "validate", "normalize")
FORM = r"[A-Za-z0-9][A-Za-z0-9._~:-]{0,127}"
PATTERN = rf"^(?!(?:{'|'.join(RESERVED)})$){FORM}$"
