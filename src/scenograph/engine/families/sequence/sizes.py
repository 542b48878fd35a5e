"""How large heads, notes and fragments' texts want to be. px. (R-SEQ-4)"""

from __future__ import annotations

import math
from collections.abc import Mapping

from scenograph.engine.families.family import CheckHeight
from scenograph.engine.families.sequence.outline import operands_of
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.geometry.size_grid import on_grid
from scenograph.engine.tables import FinishedStyle, Size
from scenograph.engine.text.blocks import Font, TextBlock
from scenograph.engine.text.layout import lay_text
from scenograph.scene.model import Frame, Node

LEAST_HEAD = (100.0, 40.0)  # R-SEQ-4, sequence lifeline header floors
HEAD_WRAP = 320.0
HEAD_PADDING = (16.0, 10.0)
FIGURE = (32.0, 40.0)
FIGURE_GAP = 4.0
LEAST_FIGURE = 32.0  # a figure is hardly seen below this height
GUARD_WRAP = 240.0
NOTE_PADDING = (16.0, 10.0)
LEAST_NOTE = (72.0, 36.0)
OPERATOR = "operator"
NATURAL = "natural"
"""The label of a message as it would be with room enough, where it had to be laid again."""

_BOLD = 600


def guard_part(operand: int) -> str:
    """The name of the part that holds an operand's guard."""
    return f"guard:{operand}"


def measure_actor(node: Node, style: FinishedStyle, _check: CheckHeight) -> Size:
    """A figure and its name below; in a sequence the head's height is shared later, so that nothing overflows there."""
    beside, given = HEAD_PADDING[0], node.layout.width
    wrap = HEAD_WRAP if given is None else max(given, LEAST_HEAD[0]) - beside
    block = lay_text(node.label or "", style.font, wrap, balanced=True)
    below = FIGURE_GAP + block.height if block.lines else 0.0
    width = max(LEAST_HEAD[0], on_grid(block.width + 2 * beside)) if given is None else given
    height = max(LEAST_HEAD[1], on_grid(FIGURE[1] + below)) if node.layout.height is None else node.layout.height
    label = block if block.lines else None
    parts = actor_parts(Box(0.0, 0.0, width, height), label, mirrored=False)
    return Size(width=width, height=height, label=label, parts=parts)


def actor_parts(box: Box, label: TextBlock | None, *, mirrored: bool) -> Mapping[str, Box]:
    """The figure and the name in a head; in a foot the name stands above (part names `figure`, `label`)."""
    block_height = math.ceil(label.height) if label is not None else 0.0
    room = box.height - (block_height + FIGURE_GAP if label is not None else 0.0)
    height = max(0.0, min(FIGURE[1], room))
    width = height * FIGURE[0] / FIGURE[1]
    spare = (room - height) / 2
    top = box.bottom - spare - height if mirrored else box.y + spare
    parts = {"figure": Box(box.center.x - width / 2, top, width, height)}
    if label is not None:
        name_top = box.y if mirrored else box.bottom - block_height
        parts["label"] = Box(box.center.x - label.width / 2, name_top, label.width, label.height)
    return parts


def note_height(label: TextBlock) -> float:
    """How high a note round this text is."""
    return max(LEAST_NOTE[1], on_grid(label.height + 2 * NOTE_PADDING[1]))


def measure_fragment(frame: Frame, style: FinishedStyle) -> Mapping[str, TextBlock]:
    """The operator, and the guard of every operand in brackets."""
    strong = style.font._replace(weight=_BOLD)
    plain = style.font._replace(weight=400)
    operator = frame.extensions.get("operator")
    found = _named(OPERATOR, operator if isinstance(operator, str) else None, strong)
    for number, operand in enumerate(operands_of(frame)):
        guard = operand.get("guard")
        found |= _named(guard_part(number), _bracketed(guard) if isinstance(guard, str) else None, plain)
    return found


def _named(part: str, text: str | None, font: Font) -> dict[str, TextBlock]:
    block = lay_text(text or "", font, GUARD_WRAP, balanced=True)
    return {part: block} if block.lines else {}


def _bracketed(guard: str) -> str:
    """A guard as UML writes it."""
    inner = guard.strip()
    return inner if not inner or (inner.startswith("[") and inner.endswith("]")) else f"[{inner}]"
