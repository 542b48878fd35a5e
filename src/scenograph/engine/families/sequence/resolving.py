"""Fragments in fragments: what lies in another by its messages becomes its child, and so do the messages themselves, so
that styles and paint order know what a line runs over. In: a scene. Out: the scene with those children; nothing else
changes."""

from __future__ import annotations

from scenograph.engine.families.sequence.interaction import read_interaction
from scenograph.engine.families.sequence.participants import is_fragment, read_participants
from scenograph.late_dataclasses import replace
from scenograph.scene.model import Edge, Frame, Group, Scene

DEEPEST = 64
"""Deeper fragments keep to the top level: no style needs to know (R-LIMIT-1)."""


def nest_fragments(scene: Scene) -> Scene:
    """Each fragment and each message that nobody lists as a child is listed by the fragment round it."""
    if not any(map(is_fragment, scene.elements)):
        return scene
    listed = {child for one in scene.elements if isinstance(one, Frame | Group) for child in one.children}
    added: dict[str, list[str]] = {}
    interaction = read_interaction(scene, read_participants(scene))
    for number, turns, inside in interaction.own_turns():
        fragment = interaction.fragments[number]
        inner = [interaction.fragments[other] for other in inside]
        names = [one.frame.id for one in inner if one.depth < DEEPEST]
        names += [event.id for event in map(interaction.events.__getitem__, turns) if isinstance(event, Edge)]
        added[fragment.frame.id] = [name for name in names if name not in listed]
    return replace(
        scene,
        elements=tuple(
            replace(one, children=(*one.children, *added[one.id]))
            if isinstance(one, Frame) and one.id in added
            else one
            for one in scene.elements
        ),
    )
