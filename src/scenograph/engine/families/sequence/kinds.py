"""Sequence: lifelines, actors, notes and messages. (R-SEQ-2, R-SEQ-7)"""

from __future__ import annotations

from scenograph.engine.families.family import EdgeKind, Family, FrameKind, NodeKind, by_name
from scenograph.engine.families.sequence.painting import paint_actor, paint_fragment, paint_note, paint_stem
from scenograph.engine.families.sequence.placing import place_sequence
from scenograph.engine.families.sequence.resolving import nest_fragments
from scenograph.engine.families.sequence.rewrapping import rewrap_labels
from scenograph.engine.families.sequence.routing import route_sequence
from scenograph.engine.families.sequence.sizes import (
    HEAD_PADDING,
    HEAD_WRAP,
    LEAST_HEAD,
    LEAST_NOTE,
    NOTE_PADDING,
    measure_actor,
    measure_fragment,
)
from scenograph.scene.model import Node

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
