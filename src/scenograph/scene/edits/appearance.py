"""Styles and texts of elements (R-OP-15)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from scenograph.scene.draft import Draft, Edit
from scenograph.scene.edits.elements import patched
from scenograph.scene.edits.finding import target
from scenograph.scene.json_values import JsonObject, is_object, object_at
from scenograph.scene.merge_patch import merge_patch

# The member that setText writes, by kind.
TEXT_MEMBERS: Mapping[str, str] = MappingProxyType(
    {"node": "label", "edge": "label", "group": "label", "frame": "title", "text": "content"}
)


def set_style(draft: Draft, op: JsonObject) -> Edit:
    """setStyle: `styleId` replaces the style by a reference, `style` merges into it (null removes)."""
    element = target(draft, op)
    if "styleId" in op:
        return Edit(updated=(element | {"style": op["styleId"]},))
    style = element.get("style")
    if isinstance(style, str) and is_object(op["style"]):
        style = object_at(draft.root, "styles").get(style)
    style = merge_patch(style, op["style"])
    rest = {name: value for name, value in element.items() if name != "style"}
    return Edit(updated=(rest | {"style": style} if style else rest,))


def set_text(draft: Draft, op: JsonObject) -> Edit:
    """setText: the label, the title or the content, by kind."""
    element = target(draft, op, tuple(TEXT_MEMBERS))
    return Edit(updated=(patched(element, {TEXT_MEMBERS[element["kind"]]: op["text"]}),))
