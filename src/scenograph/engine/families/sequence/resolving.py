"""Fragments in fragments: what lies in another by its messages becomes its child, so that styles and paint order
know. In: a scene. Out: the scene with those children; nothing else changes."""

from __future__ import annotations

from dataclasses import replace

from scenograph.engine.families.sequence.cast import is_fragment, read_cast
from scenograph.engine.families.sequence.script import write_script
from scenograph.scene.model import Frame, Group, Scene

DEEPEST = 64
"""Deeper fragments keep to the top level: no style needs to know (decisions: section 12, frame nesting)."""


def nest_fragments(scene: Scene) -> Scene:
    """Each fragment that nobody lists as a child is listed by the fragment round its messages."""
    if sum(map(is_fragment, scene.elements)) < 2:
        return scene
    listed = {child for one in scene.elements if isinstance(one, Frame | Group) for child in one.children}
    added: dict[str, list[str]] = {}
    open_: list[str] = []
    for fragment in write_script(scene, read_cast(scene)).fragments:
        del open_[fragment.depth :]
        if open_ and fragment.depth < DEEPEST and fragment.frame.id not in listed:
            added.setdefault(open_[-1], []).append(fragment.frame.id)
        open_.append(fragment.frame.id)
    return replace(
        scene,
        elements=tuple(
            replace(one, children=(*one.children, *added[one.id]))
            if isinstance(one, Frame) and one.id in added
            else one
            for one in scene.elements
        ),
    )
