"""Data of this service's exports on a cell besides its look: style members ignored by draw.io."""

from __future__ import annotations

from collections.abc import Mapping

from scenograph.reading.drawio.stencils import Stencils
from scenograph.scene.json_values import JsonObject
from scenograph.scene.vocabulary import SHAPES

MARK = "scenograph"
INKS: Mapping[str, str] = {"fillColor": f"{MARK}.fill", "strokeColor": f"{MARK}.stroke"}
"""The members for colours of cells exported as a picture, by the usual style members."""
_MEMBERS = ("nodeType", "icon", "shape")


def is_marked(style: Mapping[str, str]) -> bool:
    """Whether an export says something of a cell."""
    return any(name.startswith(f"{MARK}.") for name in style)


def marked_members(style: Mapping[str, str], stencils: Stencils) -> JsonObject:
    """The members of a node stored by an export."""
    found = {name: style[key] for name in _MEMBERS if (key := f"{MARK}.{name}") in style}
    if not stencils.knows(found.get("icon", "")):
        found.pop("icon", None)
    if found.get("shape", SHAPES[0]) not in SHAPES:
        del found["shape"]
    return found
