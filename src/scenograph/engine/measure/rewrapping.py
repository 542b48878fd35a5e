"""Labels laid once more, when their family knows the places that they will have. px.

In: an element, the size that it was given, the width of its place. Out: its label in lines of that width.
"""

from __future__ import annotations

from scenograph.engine.measure.wrapping import block_of
from scenograph.engine.tables import Size, Styles
from scenograph.engine.text.blocks import TextBlock
from scenograph.engine.text.layout import longest_part
from scenograph.engine.text.transition_labels import is_transition, lay_transition
from scenograph.scene.model import Edge, Node


class Rewrapping:
    """Lays the labels of one scene."""

    def __init__(self, styles: Styles) -> None:
        self._styles = styles

    def __call__(self, element: Edge | Node, size: Size, wrap: float) -> TextBlock | None:
        """The label in lines of `wrap` px; as wide as the widest part of a word, if that is more, but not wider than it
        was for that."""
        text = element.label or ""
        if size.label is None:
            return None
        font = self._styles.of[element.id].font
        width = max(wrap, min(longest_part(text.rstrip(), font), size.label.width))
        if isinstance(element, Edge) and is_transition(text):
            return lay_transition(text, font, width, line_share=1.0)
        return block_of(text, font, width)
