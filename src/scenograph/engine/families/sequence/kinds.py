"""Sequence: lifelines, actors, notes and messages. (R-SEQ-2, R-SEQ-7)"""

from __future__ import annotations

from scenograph.engine.families.family import EdgeKind, Family, FrameKind, NodeKind, by_name
from scenograph.engine.families.sequence.chart import place_sequence, rewrap_labels, route_sequence
from scenograph.engine.families.sequence.diagram import (
    HEAD_PADDING,
    HEAD_WRAP,
    LEAST_HEAD,
    LEAST_NOTE,
    NOTE_PADDING,
    is_fragment,
    measure_actor,
    measure_fragment,
    read_interaction,
    read_participants,
)
from scenograph.engine.families.sequence.painting import paint_actor, paint_fragment, paint_note, paint_stem
from scenograph.late_dataclasses import replace
from scenograph.scene.model import Edge, Frame, Group, Node, Scene

# Fragments in fragments: what lies in another by its messages becomes its child, and so do the messages themselves,
# so that styles and paint order know what a line runs over. In: a scene. Out: the scene with those children;
# nothing else changes.


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


LABEL_WRAP = 220.0
NOTE_WRAP = 200.0
_DASHED = (6.0, 4.0)


def always(_node: Node) -> bool:
    """Whatever shape its author names: the notation has one for it."""
    return True


FRAGMENT = FrameKind(name="fragment", measure=measure_fragment, paint=paint_fragment, rises=True)

SEQUENCE = Family(
    name="sequence",
    merges_fan_in=False,
    folded_type="sequence.lifeline",
    label_wrap=LABEL_WRAP,
    fit=rewrap_labels,
    place=place_sequence,
    route=route_sequence,
    stem=paint_stem,
    rewrite=nest_fragments,
    node_kinds=by_name(
        NodeKind(
            name="sequence.lifeline",
            shape="rect",
            min_size=LEAST_HEAD,
            padding=HEAD_PADDING,
            wrap_width=HEAD_WRAP,
            grows=True,
        ),
        NodeKind(
            name="sequence.actor",
            shape="textBox",
            label_below=True,
            measure=measure_actor,
            paint=paint_actor,
            has_own_face=always,
        ),
        NodeKind(
            name="sequence.note",
            tone="note",
            padding=NOTE_PADDING,
            min_size=LEAST_NOTE,
            wrap_width=NOTE_WRAP,
            rises=True,
            paint=paint_note,
            has_own_face=always,
        ),
    ),
    edge_kinds=by_name(
        EdgeKind(name="sequence.message", end_marker="triangle"),
        EdgeKind(name="sequence.reply", dash=_DASHED, end_marker="arrow"),
        EdgeKind(name="sequence.create", dash=_DASHED, end_marker="triangle"),
        EdgeKind(name="sequence.async", end_marker="arrow"),
        EdgeKind(name="sequence.destroy", end_marker="cross"),
    ),
)
