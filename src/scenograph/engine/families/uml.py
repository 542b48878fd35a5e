"""UML, usable in any family: class diagrams and state machines."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from scenograph.diagnostics import Report
from scenograph.engine.drawing import DrawnItem, PathItem
from scenograph.engine.families.bpmn_glyphs import core
from scenograph.engine.families.faces import (
    Heights,
    Range,
    border_item,
    flat_bottomed,
    icon_items,
    inks_of,
    sharp,
    shown_icon,
    stacked,
)
from scenograph.engine.families.family import (
    DIVIDED_STATE,
    FIRST_REGION,
    REGION,
    CheckHeight,
    EdgeKind,
    FrameFace,
    FrameKind,
    KindOf,
    MeasureNode,
    NodeFace,
    NodeKind,
    Notation,
    by_name,
    is_headed,
    may_hold_a_face,
)
from scenograph.engine.geometry.boxes import Box, Point, on_grid
from scenograph.engine.geometry.paths import rounded_rectangle, segment
from scenograph.engine.tables import FinishedStyle, Size
from scenograph.engine.text.blocks import Font, TextBlock
from scenograph.engine.text.layout import lay_text, line_metrics, text_width
from scenograph.engine.text_in_shapes import text_item
from scenograph.late_dataclasses import replace
from scenograph.scene.json_values import is_array
from scenograph.scene.model import Element, Frame, Node, Scene

# The size of a class: the compartment of its name, and a compartment for each list of members. px. In: a node with
# `extensions.attributes`, `.methods` or `.values`, and its style. Out: `Size` with the parts `header`, `label`,
# `keyword` and `icon`, for every member `member:<n>` (its row) and `text:<n>`, `rule:<n>` above each compartment, and
# `more` if a given height leaves members out. (R-UML-1)


_COMPARTMENTS = ("attributes", "values", "methods")
"""The members of `extensions` that are listed, from top to bottom."""

LEAST_WIDTH = 112.0
_MOST_WIDTH = 340.0  # a class is not made wider for longer members: they wrap
PADDING = 10.0  # beside the text
HEADER_PADDING, ROW_PADDING, COMPARTMENT_PADDING = 7.0, 1.5, 5.0  # above and below name, member, compartment
ICON, ICON_GAP = 24.0, 4.0
_NAME_WEIGHT, _PLAIN_WEIGHT = 700, 400
_KEYWORD_SIZE, _MEMBER_SIZE = 0.85, 0.95  # of the name's letters
_OPENING, _CLOSING = "«", "»"


class _Heading(NamedTuple):
    """The topmost compartment: keyword, name and icon; empty blocks for missing texts."""

    keyword: TextBlock
    name: TextBlock
    icon: float

    @property
    def height(self) -> float:
        """The height of keyword, name and icon, stacked."""
        return self.keyword.height + self.name.height + (self.icon + ICON_GAP if self.icon else 0.0)


class _Member(NamedTuple):
    """A member of a compartment, and whether first or last in the compartment."""

    text: str
    first: bool
    last: bool


def _measure_classifier(keyword: str) -> MeasureNode:
    """The measure of a node type with the given keyword above the name, in guillemets (none: "")."""

    def measure(node: Node, style: FinishedStyle, check: CheckHeight) -> Size:
        return _measured(node, keyword, style.font, check)

    return measure


def _members_of(node: Node) -> Iterator[_Member]:
    """Every member, from top to bottom."""
    for name in _COMPARTMENTS:
        rows: object = node.extensions.get(name)
        texts = [row for row in rows if isinstance(row, str)] if is_array(rows) else []
        for number, text in enumerate(texts):
            yield _Member(text, number == 0, number == len(texts) - 1)


def _measured(node: Node, keyword: str, font: Font, check: CheckHeight) -> Size:
    members, plain = tuple(_members_of(node)), _plain(font)
    given = node.layout
    width = _natural_width(node, keyword, members, font) if given.width is None else given.width
    room = max(width - 2 * PADDING, 1.0)
    heading = _heading(node, keyword, font, room)
    blocks = [lay_text(member.text, plain, room) for member in members]
    least = 0.0 if members else _LEAST_HEIGHT
    header = math.ceil(heading.height), max(math.ceil(heading.height + 2 * HEADER_PADDING), least)
    rows = [_range(member, block, plain) for member, block in zip(members, blocks, strict=True)]
    heights = stacked(header, rows, given.height, 0.0)
    if given.height is not None:
        check(heights.least, given.height)
        if not members:
            heights = heights._replace(header=given.height)
    parts = dict(_header_parts(heading, Box(0.0, 0.0, width, heights.header)))
    parts |= _member_parts(members, heights, width)
    texts = {f"text:{number}": block for number, block in enumerate(blocks) if f"text:{number}" in parts}
    texts |= {"keyword": heading.keyword} if "keyword" in parts else {}
    texts |= {"label": heading.name} if "label" in parts else {}
    if "more" in parts:
        texts["more"] = lay_text(f"… {heights.hidden} more", plain)
    label = heading.name if heading.name.lines else None
    return Size(width=width, height=heights.total, label=label, parts=parts, texts=texts)


_LEAST_HEIGHT = 48.0
"""Of a class without members."""


def _plain(font: Font) -> Font:
    weight = font.weight if font.weight >= _NAME_WEIGHT else _PLAIN_WEIGHT
    return font._replace(size=font.size * _MEMBER_SIZE, weight=weight)


def _heading(node: Node, keyword: str, font: Font, room: float | None) -> _Heading:
    """The heading of a label: lines in guillemets are keywords, the rest the name."""
    lines = (node.label or "").strip("\n").split("\n")
    own = [line for line in lines if _is_keyword(line)]
    words = ([f"{_OPENING}{keyword}{_CLOSING}"] if keyword else []) + own
    name = "\n".join(line for line in lines if not _is_keyword(line))
    small = font._replace(size=font.size * _KEYWORD_SIZE, weight=_PLAIN_WEIGHT)
    return _Heading(
        lay_text("\n".join(words), small, room, balanced=True),
        lay_text(name, font._replace(weight=max(font.weight, _NAME_WEIGHT)), room, balanced=True),
        ICON if shown_icon(node) is not None else 0.0,
    )


def _is_keyword(line: str) -> bool:
    return line.startswith(_OPENING) and line.endswith(_CLOSING)


def _natural_width(node: Node, keyword: str, members: tuple[_Member, ...], font: Font) -> float:
    heading, plain = _heading(node, keyword, font, _MOST_WIDTH - 2 * PADDING), _plain(font)
    widest = max((text_width(member.text, plain) for member in members), default=0.0)
    content = max(heading.keyword.width, heading.name.width, min(widest, _MOST_WIDTH - 2 * PADDING))
    return max(LEAST_WIDTH, on_grid(content + 2 * PADDING))


def _range(member: _Member, block: TextBlock, plain: Font) -> Range:
    """The least and the natural height of a row; the first and the last keep clear of the rules."""
    content = max(line_metrics(plain)[0], block.height)
    room = COMPARTMENT_PADDING - ROW_PADDING
    return math.ceil(content), math.ceil(content + 2 * ROW_PADDING + room * (member.first + member.last))


def _header_parts(heading: _Heading, header: Box) -> Iterator[tuple[str, Box]]:
    yield "header", header
    y = header.center.y - heading.height / 2
    if heading.icon:
        yield "icon", Box(header.center.x - heading.icon / 2, y, heading.icon, heading.icon)
        y += heading.icon + ICON_GAP
    for name, block in (("keyword", heading.keyword), ("label", heading.name)):
        if block.lines:
            yield name, Box(header.center.x - block.width / 2, y, block.width, block.height)
            y += block.height


def _member_parts(members: tuple[_Member, ...], heights: Heights, width: float) -> dict[str, Box]:
    parts: dict[str, Box] = {}
    y, room = heights.header, COMPARTMENT_PADDING - ROW_PADDING
    for number, (member, height) in enumerate(zip(members, heights.rows, strict=False)):
        if member.first:
            parts[f"rule:{number}"] = Box(0.0, y, width, 0.0)
        above, below = (room if end else 0.0 for end in (member.first, member.last))
        spare = min(height, above + below)
        inner = Box(0.0, y + spare * above / max(above + below, 1.0), width, height - spare)
        parts[f"member:{number}"] = Box(0.0, y, width, height)
        parts[f"text:{number}"] = Box(PADDING, inner.y, max(width - 2 * PADDING, 1.0), inner.height)
        y += height
    if heights.more:
        parts["more"] = Box(PADDING, y, max(width - 2 * PADDING, 1.0), heights.more)
    return parts


# A class in UML notation: a name band, a rule above each compartment, and left-aligned members. (UML 2.5.1, 11.4.4)


_HAIRLINE = 1.0


def _paint_classifier(face: NodeFace) -> Iterator[DrawnItem]:
    """A class, an interface or an enumeration."""
    style, inks = face.style, inks_of(face.style)
    radius = style.corner_radius if face.node.shape == "roundedRect" else min(style.corner_radius, face.box.height / 4)
    outline, header = rounded_rectangle(face.box, radius), face.parts.get("header")
    rules = [part for name, part in face.parts.items() if name.startswith("rule:")]
    yield PathItem(path=outline, fill=style.fill)
    if header is not None and inks.band is not None and rules:
        band = face.box._replace(height=max(sharp(header.bottom) - face.box.y, 0.0))
        yield PathItem(path=flat_bottomed(band, radius), fill=inks.band)
    for rule in rules:
        path = segment(Point(face.box.x, sharp(rule.y)), Point(face.box.right, sharp(rule.y)))
        yield PathItem(path=path, stroke=inks.line, stroke_width=_HAIRLINE)
    yield border_item(outline, style)
    yield from _writing(face)


def _writing(face: NodeFace) -> Iterator[DrawnItem]:
    yield from icon_items(face)
    quiet = replace(face.style, text_color=face.style.muted_color)
    for name, block in face.size.texts.items():
        if name == "label":
            yield text_item(block, face.parts[name], face.style)
        elif name == "keyword":
            yield text_item(block, face.parts[name], quiet)
        else:
            yield text_item(block, face.parts[name], quiet if name == "more" else face.style, "start")


# UML: the node and edge types of class diagrams, usable in any family. (R-UML-1, R-UML-2; UML 2.5.1, 9 to 11) Edges
# that name a whole lead from the whole; edges that name a generalization lead up to the general type.


_DASH = (6.0, 4.0)


def _is_classifier(node: Node) -> bool:
    """Whether a node is drawn with compartments; in another outline the node is a plain box."""
    return may_hold_a_face(node)


def _classifier(name: str, keyword: str = "") -> NodeKind:
    return NodeKind(
        name=name,
        shape="rect",
        tone="table",
        min_size=(112.0, 48.0),
        measure=_measure_classifier(keyword),
        paint=_paint_classifier,
        has_own_face=_is_classifier,
    )


UML = Notation(
    node_kinds=by_name(
        _classifier("uml.class"), _classifier("uml.interface", "interface"), _classifier("uml.enum", "enumeration")
    ),
    edge_kinds=by_name(
        EdgeKind(name="uml.inherits", end_marker="openTriangle", upward=True, gathers=True),
        EdgeKind(name="uml.implements", dash=_DASH, end_marker="openTriangle", upward=True, gathers=True),
        EdgeKind(name="uml.composes", start_marker="diamond"),
        EdgeKind(name="uml.aggregates", start_marker="openDiamond"),
        EdgeKind(name="uml.depends", dash=_DASH, end_marker="arrow"),
        EdgeKind(name="uml.associates"),
    ),
)

# Composite states with orthogonal regions: a frame of container type `state`, divided by `extensions.regions`. In: a
# scene. Out: the scene with one inner frame for each region, side by side, holding the region's children. Children
# outside all regions join the last. Dashed lines separate the regions. (UML 2.5.1, 14.2.4)


_SIDE_BY_SIDE = "vertical"


def divide_into_regions(scene: Scene, _report: Report, _kind_of: KindOf) -> Scene:
    """Add a frame for every region of every composite state with two or more regions."""
    if not any(map(is_headed, scene.frames)):
        return scene
    taken = {element.id for element in scene.elements}
    rows: list[Element] = []
    for element in scene.elements:
        regions = _regions(element) if isinstance(element, Frame) and is_headed(element) else []
        if isinstance(element, Frame) and len(regions) > 1:
            parts = list(_parts(element, regions, taken))
            inside = tuple(part.id for part in parts)
            rows += [replace(element, children=inside, container_type=DIVIDED_STATE, lane_direction=_SIDE_BY_SIDE)]
            rows += parts
        else:
            rows.append(element)
    return replace(scene, elements=tuple(rows)) if len(rows) > len(scene.elements) else scene


def _regions(state: Frame) -> list[list[str]]:
    """The children by region, each once; children without a region join the last."""
    said: object = state.extensions.get("regions")
    waiting = dict.fromkeys(state.children)
    regions: list[list[str]] = []
    for region in said if is_array(said) else ():
        names = [one for one in region if isinstance(one, str) and one in waiting] if is_array(region) else []
        for name in names:
            waiting.pop(name, None)
        if names:
            regions.append(list(dict.fromkeys(names)))
    if regions:
        regions[-1] += waiting
    return regions


def _parts(state: Frame, regions: list[list[str]], taken: set[str]) -> Iterator[Frame]:
    for number, children in enumerate(regions, 1):
        name = f"{state.id}:region:{number}"
        while name in taken:
            name += "'"
        taken.add(name)
        kind = FIRST_REGION if number == 1 else REGION
        yield Frame(id=name, kind=state.kind, children=tuple(children), container_type=kind, z_index=state.z_index)


def _no_texts(_frame: Frame, _style: FinishedStyle) -> Mapping[str, TextBlock]:
    return {}


def _nothing(_face: FrameFace) -> Iterator[DrawnItem]:
    return iter(())


def _divider(face: FrameFace) -> Iterator[DrawnItem]:
    x, style = sharp(face.box.x), face.style
    path = segment(Point(x, face.box.y), Point(x, face.box.bottom))
    yield PathItem(path=path, stroke=style.stroke, stroke_width=style.stroke_width, dash=_DASH, is_outline=True)


REGION_KINDS = (
    FrameKind(name=FIRST_REGION, measure=_no_texts, paint=_nothing, border=False),
    FrameKind(name=REGION, measure=_no_texts, paint=_divider, border=False),
)


# State machines: node, edge and container types, usable in any family. (R-UML-4, R-UML-5; UML 2.5.1, 14.2)


_STATE_RADIUS = 12.0
_INITIAL, _FINAL, _CHOICE, _BAR = (20.0, 20.0), (24.0, 24.0), (32.0, 32.0), (72.0, 8.0)

STATES = Notation(
    node_kinds=by_name(
        NodeKind(name="state.state", corner_radius=_STATE_RADIUS),
        NodeKind(
            name="state.initial",
            shape="ellipse",
            tone="start",
            label_below=True,
            label_moves=True,
            fixed_size=_INITIAL,
            filled_with_stroke=True,
        ),
        NodeKind(
            name="state.final",
            shape="ellipse",
            tone="end",
            label_below=True,
            label_moves=True,
            fixed_size=_FINAL,
            glyph=core,
        ),
        NodeKind(
            name="state.choice",
            shape="diamond",
            tone="decision",
            label_below=True,
            label_moves=True,
            fixed_size=_CHOICE,
        ),
        NodeKind(
            name="state.fork",
            shape="rect",
            label_below=True,
            label_moves=True,
            fixed_size=_BAR,
            filled_with_stroke=True,
            bar=True,
        ),
    ),
    edge_kinds=by_name(EdgeKind(name="state.transition", end_marker="triangle")),
    resolving=(divide_into_regions,),
)
