"""Titles of containers, and a frame's icon at the beginning of its title. px.

The title's block has the icon's room at its left, so that whoever places or moves the title moves both.
"""

from __future__ import annotations

from scenograph.engine.families.icon_nodes import shown_icon
from scenograph.engine.measure.wrapping import title_block
from scenograph.engine.tables import FinishedStyle
from scenograph.engine.text.blocks import TextBlock, TextLine
from scenograph.engine.text.layout import lay_text
from scenograph.scene.model import Frame, Group

_ICON_SHARE = 1.5  # of the title's font size
_GAP = 6.0  # px; between an icon and its title


def titled(element: Frame | Group, style: FinishedStyle, wrap: float | None) -> tuple[TextBlock | None, float]:
    """The title wrapped at `wrap` with its icon's room in it, and the icon's side; 0 without one."""
    if isinstance(element, Group):
        return title_block(element.label, style.font, wrap), 0.0
    if shown_icon(element) is None:
        return title_block(element.title, style.font, wrap), 0.0
    side = float(round(_ICON_SHARE * style.font.size))
    block = title_block(element.title, style.font, None if wrap is None else max(wrap - side - _GAP, 1.0))
    return _beside_icon(block or lay_text("", style.font), side), side


def _beside_icon(block: TextBlock, side: float) -> TextBlock:
    indent = side + _GAP if block.lines else side
    higher = max(0.0, side - block.height)
    return TextBlock(
        lines=tuple(_indented(line, indent) for line in block.lines),
        width=block.width + indent,
        height=block.height + higher,
        line_height=block.line_height,
        ascent=block.ascent + higher / 2,
    )


def _indented(line: TextLine, by: float) -> TextLine:
    return TextLine(tuple(run._replace(x=run.x + by) for run in line.runs), line.width + by)
