"""All that is known of a sequence before anything has a place: who, when, how large.

In: a resolved scene and its sizes. Out: a `SequenceDiagram`, which the steps of placing share.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate

from scenograph.engine.families.family import BOX_SHAPES
from scenograph.engine.families.sequence.activations import Bar, Levels, find_bars, levels_met
from scenograph.engine.families.sequence.interaction import Event, Interaction, read_interaction
from scenograph.engine.families.sequence.participants import (
    ACTOR,
    CREATE,
    DESTROY,
    LIFELINE_TYPES,
    Participants,
    read_participants,
)
from scenograph.engine.families.sequence.sizes import FIGURE_GAP, HEAD_PADDING, LEAST_FIGURE, LEAST_HEAD, NATURAL
from scenograph.engine.geometry.size_grid import on_grid
from scenograph.engine.tables import Size, Sizes
from scenograph.late_dataclasses import dataclass
from scenograph.scene.model import Edge, Node, Scene

LONGEST_HEAD = 160.0
"""A greater height, which an author may give to say how long the lifeline is, is none for a head. px."""
_NO_SIZE = Size(width=0.0, height=0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class SequenceDiagram:
    """`order` is the place of each lifeline from the left; `born` and `gone` the turns at which lifelines are created
    and destroyed; `levels` the bars at the ends of the message of each turn; `depths` the fragments round each turn,
    `tops` the highest level of each lifeline's bars."""

    scene: Scene
    sizes: Sizes
    participants: Participants
    interaction: Interaction
    bars: tuple[Bar, ...]
    levels: Mapping[int, Levels]
    order: Mapping[str, int]
    born: Mapping[str, int]
    gone: Mapping[str, int]
    depths: Sequence[int]
    tops: Mapping[str, int]

    def size(self, element_id: str) -> Size:
        """The measured size."""
        return self.sizes.get(element_id, _NO_SIZE)

    def natural_width(self, message: Edge) -> float:
        """How wide the label of a message wants to be."""
        size = self.size(message.id)
        return size.texts[NATURAL].width if NATURAL in size.texts else size.width

    def messages(self) -> Iterator[tuple[int, Edge]]:
        """The messages with their turns."""
        return ((turn, event) for turn, event in enumerate(self.interaction.events) if isinstance(event, Edge))

    def top_level(self, lifeline: str) -> int:
        """The highest level of a lifeline's bars; -1 for none."""
        return self.tops.get(lifeline, -1)

    def bars_on(self, lifeline: str) -> tuple[Bar, ...]:
        """The bars of a lifeline, those that begin first before others."""
        return tuple(bar for bar in self.bars if bar.lifeline == lifeline) if lifeline in self.tops else ()

    def lives(self, lifeline: str, turn: int) -> bool:
        """Whether the tail of a lifeline is there at a turn."""
        return self.born.get(lifeline, -1) < turn < self.gone.get(lifeline, len(self.interaction.events))


def read_diagram(scene: Scene, sizes: Sizes) -> SequenceDiagram:
    """Everything that the document and the sizes say."""
    participants = read_participants(scene)
    interaction = read_interaction(scene, participants)
    bars = find_bars(interaction.events)
    born, gone = _lives(interaction.events)
    top_levels: dict[str, int] = {}
    for bar in bars:
        top_levels[bar.lifeline] = max(top_levels.get(bar.lifeline, -1), bar.level)
    return SequenceDiagram(
        scene=scene,
        sizes=sizes,
        participants=participants,
        interaction=interaction,
        bars=bars,
        levels=levels_met(interaction.events, bars),
        order={node.id: place for place, node in enumerate(participants.lifelines)},
        born=born,
        gone=gone,
        depths=_depths(interaction),
        tops=top_levels,
    )


def head_size(diagram: SequenceDiagram, node: Node) -> tuple[float, float]:
    """What a head wants to be, at least (R-SEQ-4)."""
    size = diagram.size(node.id)
    if is_rigid(diagram, node):
        return size.width, size.height
    label = size.label.height if size.label is not None else 0.0
    height = size.height if (node.layout.height or 0.0) <= LONGEST_HEAD else 0.0
    above = FIGURE_GAP + LEAST_FIGURE if node.node_type == ACTOR else 0.0
    if height < label + above:
        height = on_grid(label + (above or 2 * HEAD_PADDING[1]))
    width = max(LEAST_HEAD[0], size.width)
    return width if node.layout.width is not None else math.ceil(width / 2) * 2.0, max(LEAST_HEAD[1], height)


def is_rigid(diagram: SequenceDiagram, node: Node) -> bool:
    """Whether a head keeps its own size beside higher ones: a symbol, and what has its label outside."""
    is_box = node.shape in BOX_SHAPES and not any(diagram.size(node.id).outset)
    return node.node_type not in LIFELINE_TYPES and not is_box


def head_height(diagram: SequenceDiagram) -> float:
    """The height that all heads share, with what stands below those that have their label outside."""
    return max(
        (head_size(diagram, node)[1] + diagram.size(node.id).outset.bottom for node in diagram.participants.lifelines),
        default=LEAST_HEAD[1],
    )


def _lives(events: Sequence[Event]) -> tuple[dict[str, int], dict[str, int]]:
    """Created lifelines, if nothing happens to them before; destroyed ones, if nothing happens to them after."""
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    for turn, event in enumerate(events):
        if isinstance(event, Edge):
            for end in event.ends:
                first.setdefault(end, turn)
                last[end] = turn
    born: dict[str, int] = {}
    gone: dict[str, int] = {}
    for turn, event in enumerate(events):
        if not isinstance(event, Edge):
            continue
        target = event.target.element_id
        if event.edge_type == CREATE and first[target] == turn and event.source.element_id != target:
            born[target] = turn
        if event.edge_type == DESTROY and last[target] == turn:
            gone[target] = turn
    return born, gone


def _depths(interaction: Interaction) -> list[int]:
    """How many fragments are round each turn."""
    steps = [0] * (len(interaction.events) + 1)
    for fragment in interaction.fragments:
        steps[fragment.first] += 1
        steps[fragment.last + 1] -= 1
    return list(accumulate(steps))[:-1]
