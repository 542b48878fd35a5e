"""Sequence: lifelines, actors, notes and messages. (R-SEQ-2, R-SEQ-7)"""

from __future__ import annotations

from collections.abc import Iterator

from scenograph.engine.colors import mix, over
from scenograph.engine.drawing import DrawnItem, PathItem
from scenograph.engine.families.faces import label_items, sheet_items, stick_figure
from scenograph.engine.families.family import EdgeKind, Family, FrameFace, FrameKind, NodeFace, NodeKind, by_name
from scenograph.engine.families.sequence.chart import BAR, TAIL, place_sequence, rewrap_labels, route_sequence
from scenograph.engine.families.sequence.columns import TAB_CUT
from scenograph.engine.families.sequence.diagram import (
    HEAD_PADDING,
    HEAD_WRAP,
    LEAST_HEAD,
    LEAST_NOTE,
    NOTE_PADDING,
    OPERATOR,
    is_fragment,
    measure_actor,
    measure_fragment,
    read_interaction,
    read_participants,
)
from scenograph.engine.families.sequence.timeline import TAB, TITLE
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import Path, polygon, rectangle, segment
from scenograph.engine.shapes.labels import text_item
from scenograph.late_dataclasses import replace
from scenograph.scene.model import Edge, Frame, Group, Node, Scene

# What only sequences draw: tails and bars, actors, notes, the writing of fragments. px. (R-SEQ-2, R-SEQ-11)


TAIL_DASH = (6.0, 4.0)
SEPARATOR_DASH = (6.0, 4.0)
NOTE_RADIUS = 5.0
TAB_TINT = 0.14  # of the border's colour in the tab
LEAST_LINE = 1.0


def paint_stem(face: NodeFace) -> Iterator[DrawnItem]:
    """The tail of a lifeline, and its bars."""
    style, width = face.style, max(face.style.stroke_width, LEAST_LINE)
    tail = face.parts.get(TAIL)
    if tail is not None and tail.height > 0:
        path = segment(Point(tail.x, tail.y), Point(tail.x, tail.bottom))
        yield PathItem(path=path, stroke=style.stroke, stroke_width=LEAST_LINE, dash=TAIL_DASH)
    for name, part in face.parts.items():
        if name.startswith(BAR):
            yield PathItem(path=rectangle(part), fill=face.page, stroke=style.stroke, stroke_width=width)
            yield PathItem(path=rectangle(part), fill=style.fill)


def paint_actor(face: NodeFace) -> Iterator[DrawnItem]:
    """A stick figure and its name; an authored fill colours the head."""
    figure = face.parts.get("figure")
    if figure is None:
        return
    for number, stroke in enumerate(stick_figure(figure)):
        fill = face.style.fill if number == 0 else None
        yield PathItem(path=stroke.path, fill=fill, stroke=face.style.stroke, stroke_width=stroke.width, cap="round")
    yield from label_items(face)


def paint_note(face: NodeFace) -> Iterator[DrawnItem]:
    """A sheet with round corners and the top right corner folded."""
    return sheet_items(face, NOTE_RADIUS)


def paint_fragment(face: FrameFace) -> Iterator[DrawnItem]:
    """The lines between operands, the tab with the operator, title and guards."""
    style = face.style
    for name, part in face.parts.items():
        if name.startswith("separator:"):
            path = segment(Point(face.box.x, part.y), Point(face.box.right, part.y))
            yield PathItem(path=path, stroke=style.stroke, stroke_width=style.stroke_width, dash=SEPARATOR_DASH)
    tab = face.parts.get(TAB)
    if tab is not None:
        yield PathItem(
            path=_tab(tab),
            fill=mix(over(style.fill, face.page), style.stroke, TAB_TINT),
            stroke=style.stroke,
            stroke_width=style.stroke_width,
        )
    for name, block in (*face.size.texts.items(), (TITLE, face.size.label)):
        part = face.parts.get(name)
        if part is not None and block is not None and block.lines:
            yield from (text_item(block, part, style),) if name == OPERATOR else face.written(name, block)


def _tab(box: Box) -> Path:
    """The outline of a tab with a cut corner, as in UML."""
    return polygon(
        (
            Point(box.x, box.y),
            Point(box.right, box.y),
            Point(box.right, box.bottom - TAB_CUT),
            Point(box.right - TAB_CUT, box.bottom),
            Point(box.x, box.bottom),
        )
    )


# Nested fragments: a fragment within another's messages becomes its child, and so do the messages themselves; styles
# and paint order then know the ground of each line. In: a scene. Out: the scene with these children, otherwise
# unchanged.


DEEPEST = 64
"""Deeper fragments keep to the top level: no style needs to know (R-LIMIT-1)."""


def nest_fragments(scene: Scene) -> Scene:
    """List each fragment and each message without a parent as a child of its enclosing fragment."""
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
    """Accept any authored shape: the notation prescribes the shape."""
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
            tone="head",
            min_size=LEAST_HEAD,
            padding=HEAD_PADDING,
            wrap_width=HEAD_WRAP,
            grows=True,
        ),
        NodeKind(
            name="sequence.actor",
            shape="textBox",
            tone="people",
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
        EdgeKind(name="sequence.message", end_marker="triangle", head_tells=True),
        EdgeKind(name="sequence.reply", dash=_DASHED, end_marker="arrow"),
        EdgeKind(name="sequence.create", dash=_DASHED, end_marker="triangle", head_tells=True),
        EdgeKind(name="sequence.async", end_marker="arrow"),
        EdgeKind(name="sequence.destroy", end_marker="cross"),
    ),
)
