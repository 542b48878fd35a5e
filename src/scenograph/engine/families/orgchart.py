"""Organization charts: people, vacancies, departments. (R-ORG-1)"""

from __future__ import annotations

from collections.abc import Iterator
from math import fsum
from typing import NamedTuple

from scenograph.engine.colors import mix, over
from scenograph.engine.drawing import Item, PathItem
from scenograph.engine.families.faces import border_item, icon_items, left_stripe
from scenograph.engine.families.family import (
    CheckHeight,
    EdgeKind,
    Family,
    NodeFace,
    NodeKind,
    by_name,
    may_hold_a_face,
)
from scenograph.engine.families.icon_nodes import shown_icon
from scenograph.engine.families.reporting_lines import (
    DOTTED_LINE,
    REPORTS_TO,
    reporting_lines,
    route_downwards,
    upward_reports,
    with_equal_widths,
)
from scenograph.engine.geometry.boxes import Box, on_grid
from scenograph.engine.geometry.paths import rounded_rectangle
from scenograph.engine.shapes.texts import text_item
from scenograph.engine.tables import FinishedStyle, Size
from scenograph.engine.text.blocks import TextBlock
from scenograph.engine.text.layout import lay_text
from scenograph.late_dataclasses import replace
from scenograph.scene.model import Node

# Cards of an organization chart: a bold name, a quieter role below, a stripe in the accent colour, a portrait. In:
# a node, its first line the name, the others the role. Out: its size with the parts `name`, `role` and `icon`, and
# its paint. px. (R-ORG-1)


CARD_SIZE = (168.0, 56.0)
STRIPE = 5.0
NAME, ROLE, ICON = "name", "role", "icon"
_STRONG = 600
_ROLE_SHARE = 12 / 13  # of the name's size
_WRAP = 140.0
_LEFT, _RIGHT, _ABOVE = STRIPE + 11.0, 12.0, 9.0
_LINE_GAP = 2.0
_PORTRAIT, _PORTRAIT_GAP = 30.0, 10.0
_FAINT = 0.5  # of the accent in the stripe of a card with a broken line: nobody is there yet


class Writing(NamedTuple):
    """The wrapped name and role; None for what is not there."""

    name: TextBlock | None
    role: TextBlock | None

    @property
    def width(self) -> float:
        """Of the wider one."""
        return max((block.width for block in self if block is not None), default=0.0)

    @property
    def height(self) -> float:
        """Of both, one above the other."""
        heights = [block.height for block in self if block is not None]
        return fsum(heights) + _LINE_GAP * max(len(heights) - 1, 0)


def is_card(node: Node) -> bool:
    """Whether a node keeps the outline of a card."""
    return may_hold_a_face(node)


def measure_card(node: Node, style: FinishedStyle, check: CheckHeight) -> Size:
    """As wide as name and role need, or as its author wants it, and then as high as they need."""
    portrait = _PORTRAIT if shown_icon(node) is not None else 0.0
    left = _LEFT + (portrait + _PORTRAIT_GAP if portrait else 0.0)
    given, layout = node.layout.width, node.layout
    writing = _written(node, style, _WRAP if given is None else max(given - left - _RIGHT, 1.0))
    needed = max(writing.height, portrait)
    width = max(CARD_SIZE[0], on_grid(left + writing.width + _RIGHT)) if given is None else given
    height = max(CARD_SIZE[1], on_grid(needed + 2 * _ABOVE)) if layout.height is None else layout.height
    check(needed, height)
    parts = _parts(Box(0.0, 0.0, width, height), left, writing, portrait)
    texts = {name: block for name, block in ((NAME, writing.name), (ROLE, writing.role)) if block is not None}
    return Size(width=width, height=height, icon=portrait, parts=parts, texts=texts)


def paint_card(face: NodeFace) -> Iterator[Item]:
    """The card, its stripe, its portrait, its writing."""
    style, box = face.style, face.box
    outline = rounded_rectangle(box, style.corner_radius)
    yield PathItem(path=outline, fill=style.fill)
    ground = over(face.style.fill, face.page)
    accent = face.style.accent_color
    stripe_color = mix(ground, over(accent, ground), _FAINT) if face.style.dash else accent
    yield PathItem(path=left_stripe(box, style.corner_radius, STRIPE), fill=stripe_color)
    yield border_item(outline, style)
    yield from icon_items(face)
    quiet = replace(style, text_color=style.muted_color)
    for name, block in face.size.texts.items():
        yield text_item(block, face.parts[name], quiet if name == ROLE else style, "start")


def _written(node: Node, style: FinishedStyle, wrap: float) -> Writing:
    first, _, rest = (node.label or "").strip("\n").partition("\n")
    font = style.font
    strong = font._replace(weight=max(font.weight, _STRONG))
    quiet = font._replace(size=font.size * _ROLE_SHARE, weight=min(font.weight, 400))
    blocks = lay_text(first, strong, wrap, balanced=True), lay_text(rest.strip("\n"), quiet, wrap, balanced=True)
    name, role = (block if block.lines else None for block in blocks)
    return Writing(name, role)


def _parts(box: Box, left: float, writing: Writing, portrait: float) -> dict[str, Box]:
    room = max(box.width - left - _RIGHT, writing.width)
    parts: dict[str, Box] = {}
    if portrait:
        side = min(portrait, box.height)
        parts[ICON] = Box(_LEFT, box.center.y - side / 2, side, side)
    y = box.center.y - writing.height / 2
    for name, block in zip((NAME, ROLE), writing, strict=True):
        if block is not None:
            parts[name] = Box(left, y, room, block.height)
            y += block.height + _LINE_GAP
    return parts


def _card(name: str, shape: str = "roundedRect", tone: str = "node", dash: tuple[float, ...] = ()) -> NodeKind:
    return NodeKind(
        name=name,
        shape=shape,
        min_size=CARD_SIZE,
        tone=tone,
        dash=dash,
        measure=measure_card,
        paint=paint_card,
        has_own_face=is_card,
    )


ORGCHART = Family(
    name="orgchart",
    joins_fans=True,
    main_path=False,
    flush_ranks=True,
    lines=reporting_lines,
    fit=with_equal_widths,
    upward=upward_reports,
    route=route_downwards,
    node_kinds=by_name(
        _card("org.person"),
        _card("org.vacant", tone="external", dash=(6.0, 4.0)),
        _card("org.department", shape="rect", tone="data"),
    ),
    edge_kinds=by_name(
        EdgeKind(name=REPORTS_TO),
        EdgeKind(name=DOTTED_LINE, dash=(2.0, 4.0), aside=True),
    ),
)
