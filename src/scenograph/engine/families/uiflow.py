"""User interface flows: screens, modals and the transitions between them. (R-UI-1, R-UI-2, R-UI-3)"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial

from scenograph.engine.drawing import DrawnItem, PathItem
from scenograph.engine.families.faces import (
    Inks,
    border_item,
    flat_bottomed,
    icon_items,
    inks_of,
    is_cloud_icon,
    sharp,
    shown_icon,
)
from scenograph.engine.families.family import (
    CheckHeight,
    EdgeKind,
    Family,
    MeasureNode,
    NodeFace,
    NodeKind,
    PaintNode,
    by_name,
    decision,
    flow_direction,
    may_hold_a_face,
)
from scenograph.engine.geometry.boxes import Box, Point, on_grid
from scenograph.engine.geometry.paths import circle, polyline, rounded_rectangle, segment
from scenograph.engine.tables import FinishedStyle, Size
from scenograph.engine.text.blocks import TextBlock
from scenograph.engine.text.layout import lay_text
from scenograph.engine.text_in_shapes import text_item
from scenograph.late_dataclasses import dataclass, replace
from scenograph.scene.model import Color, Node

# Screens and dialogs: a title bar with the first line of the label, the other lines below it as content. In: a
# node. Out: its size with the parts `bar`, `marks`, `title`, `content` and `icon`, and its paint. A screen has the
# three knobs of a window in a tinted bar; a dialog a solid bar with a cross. px. (R-UI-1)


BAR, TITLE, CONTENT, ICON, MARKS = "bar", "title", "content", "icon", "marks"
_STRONG = 600
_CONTENT_SHARE = 12 / 13  # of the title's size
_WRAP = 190.0
_BESIDE, _ABOVE = 12.0, 10.0
_BAR_PADDING, _LEAST_BAR = 5.0, 24.0
_ICON, _ICON_GAP = 28.0, 6.0
_EDGE = 3.0  # the least room above the title and below the content of a given height
_LEAST_INSIDE = 12.0  # px below a bar
_KNOB, _KNOB_STEP = 2.5, 9.0  # radius, distance
_CROSS = 3.5
_BROW, _FOOT = 12.0, 14.0  # px; above the title and below the content of a device
_SPEAKER = 4.0  # px; height
_HOME_SHARE = 0.34  # of the width in the line at the foot
_LISTING = frozenset(",;:/|.")  # signs of content rather than of a title that goes on


@dataclass(frozen=True, slots=True, kw_only=True)
class _WindowLook:
    """The look of a kind of window: the least size, the marks at the ends of the bar with their widths, and whether the
    bar is filled with the stroke colour. A device has a `speaker` above the title, as wide as a dot or a slit, and a
    line at its foot; its texts wrap early."""

    least: tuple[float, float]
    knobs: float = 0.0
    cross: float = 0.0
    solid: bool = False
    speaker: float = 0.0
    wrap: float = _WRAP

    @property
    def brow(self) -> float:
        """The room of the speaker above the title."""
        return _BROW if self.speaker else 0.0

    @property
    def foot(self) -> float:
        """The room of the line below the content."""
        return _FOOT if self.speaker else 0.0


_SCREEN = _WindowLook(least=(140.0, 92.0), knobs=34.0)
_DIALOG = _WindowLook(least=(128.0, 72.0), cross=18.0, solid=True)
PHONE = _WindowLook(least=(116.0, 200.0), speaker=26.0, wrap=128.0)
_TABLET = _WindowLook(least=(216.0, 156.0), speaker=4.0)


def _is_window(node: Node) -> bool:
    """Whether a node keeps the outline of a window; a cloud provider's icon stands alone."""
    return may_hold_a_face(node) and not is_cloud_icon(node)


def _window_measure(look: _WindowLook) -> MeasureNode:
    """The measure of windows with a look."""
    return partial(_measured, look)


def _window_paint(look: _WindowLook) -> PaintNode:
    """The painter of windows with a look."""
    return partial(_painted, look)


def _measured(look: _WindowLook, node: Node, style: FinishedStyle, check: CheckHeight) -> Size:
    layout, icon = node.layout, _ICON if shown_icon(node) is not None else 0.0
    title, content, ends = _written(node, style, look)
    needed = max(_width(title) + ends + 2 * _BESIDE, _width(content) + 2 * _BESIDE)
    width = max(look.least[0], on_grid(needed)) if layout.width is None else layout.width
    bar = look.brow + max(_LEAST_BAR, math.ceil(_height(title) + 2 * _BAR_PADDING))
    inside = look.foot + icon + _height(content) + (_ICON_GAP if icon and content is not None else 0.0)
    height = layout.height
    if height is None:
        height = max(look.least[1], on_grid(bar + inside + 2 * _ABOVE))
    check(_height(title) + inside + 2 * _EDGE, height)
    parts = _parts(
        look, Box(0.0, 0.0, width, height), min(bar, max(height - inside - _EDGE, _height(title) + _EDGE)), title, ends
    )
    floor = parts[TITLE].bottom if title is not None else bar
    parts |= _inside(Box(0.0, floor, width, max(height - floor - look.foot, 0.0)), icon, content)
    texts = {name: block for name, block in ((TITLE, title), (CONTENT, content)) if block is not None}
    return Size(width=width, height=height, icon=icon, parts=parts, texts=texts)


def _written(node: Node, style: FinishedStyle, look: _WindowLook) -> tuple[TextBlock | None, TextBlock | None, float]:
    """Title, content, and the room of knobs or a cross beside the title: none if the title needs the width."""
    first, rest = _title_and_content(node.label or "")
    strong = style.font._replace(weight=max(style.font.weight, _STRONG))
    plain = style.font._replace(size=style.font.size * _CONTENT_SHARE, weight=min(style.font.weight, 400))
    given, ends = node.layout.width, look.knobs + look.cross
    room = look.wrap if given is None else max(given - 2 * _BESIDE, 1.0)
    title = lay_text(first, strong, max(room - ends, 1.0), balanced=True)
    if given is not None and (len(title.lines) > 1 or title.width > room - ends):
        title, ends = lay_text(first, strong, room, balanced=True), 0.0
    content = lay_text(rest, plain, room, balanced=True)
    return title if title.lines else None, content if content.lines else None, ends


def _title_and_content(label: str) -> tuple[str, str]:
    """The first line and the rest; two lines forming one phrase ("Sign in or / guest checkout") are all title."""
    first, _, rest = label.strip("\n").partition("\n")
    goes_on = rest[:1].islower() and "\n" not in rest and not set(rest) & _LISTING
    return (f"{first}\n{rest}", "") if goes_on else (first, rest.strip("\n"))


def _parts(look: _WindowLook, box: Box, bar: float, title: TextBlock | None, ends: float) -> dict[str, Box]:
    """The bar with title and marks; a window too low for a bar is all title."""
    has_bar = box.height - bar >= _LEAST_INSIDE
    parts = {BAR: Box(0.0, 0.0, box.width, bar)} if has_bar else {}
    if has_bar and ends:
        left = _BESIDE if look.knobs else box.width - _BESIDE - 2 * _CROSS
        parts[MARKS] = Box(left, 0.0, box.width - _BESIDE - left, bar)
    if title is not None:
        left = _BESIDE + (look.knobs if ends else 0.0)
        brow = look.brow if has_bar else 0.0
        height = bar - brow if has_bar else max(box.height, 0.0)
        parts[TITLE] = Box(left, brow, max(box.width - ends - 2 * _BESIDE, title.width), height)
    return parts


def _inside(room: Box, icon: float, content: TextBlock | None) -> dict[str, Box]:
    """Icon above content, together in the middle of the room."""
    gap = _ICON_GAP if icon and content is not None else 0.0
    y = room.center.y - (icon + gap + _height(content)) / 2
    parts: dict[str, Box] = {}
    if icon:
        parts[ICON] = Box(room.center.x - icon / 2, y, icon, icon)
    if content is not None:
        parts[CONTENT] = Box(room.center.x - content.width / 2, y + icon + gap, content.width, content.height)
    return parts


def _painted(look: _WindowLook, face: NodeFace) -> Iterator[DrawnItem]:
    style, inks = face.style, inks_of(face.style)
    outline = rounded_rectangle(face.box, style.corner_radius)
    yield PathItem(path=outline, fill=style.fill)
    yield from _bar(look, face, inks)
    if look.speaker and BAR in face.parts:
        yield from _device_marks(look, face.box, inks.line)
    yield border_item(outline, style)
    yield from icon_items(face)
    for name, block in face.size.texts.items():
        on_bar = name == TITLE and look.solid and BAR in face.parts
        ink = replace(style, text_color=inks.on_line) if on_bar else style
        at_left = name == TITLE and not look.speaker
        yield text_item(block, face.parts[name], ink, "start" if at_left else "center")


def _device_marks(look: _WindowLook, box: Box, ink: Color) -> Iterator[DrawnItem]:
    """The speaker above the title, and the line at the foot."""
    speaker = Box(box.center.x - look.speaker / 2, box.y + (_BROW - _SPEAKER) / 2 + 1, look.speaker, _SPEAKER)
    yield PathItem(path=rounded_rectangle(speaker, _SPEAKER / 2), fill=ink)
    half, level = box.width * _HOME_SHARE / 2, box.bottom - _FOOT / 2
    path = segment(Point(box.center.x - half, level), Point(box.center.x + half, level))
    yield PathItem(path=path, stroke=ink, stroke_width=2.0, cap="round")


def _bar(look: _WindowLook, face: NodeFace, inks: Inks) -> Iterator[DrawnItem]:
    """The band of the title with the line below, and its marks."""
    bar, marks = face.parts.get(BAR), face.parts.get(MARKS)
    if bar is None:
        return
    box, level = face.box, sharp(bar.bottom)
    fill = inks.line if look.solid else inks.band
    if fill is not None:
        band = Box(box.x, box.y, box.width, level - box.y)
        yield PathItem(path=flat_bottomed(band, face.style.corner_radius), fill=fill)
    yield PathItem(path=segment(Point(box.x, level), Point(box.right, level)), stroke=inks.line, stroke_width=1.0)
    if marks is not None:
        yield from _marks(look, marks, inks.on_line if look.solid else face.style.text_color)


def _marks(look: _WindowLook, room: Box, ink: Color) -> Iterator[DrawnItem]:
    """Three knobs, or a cross."""
    if look.knobs:
        for number in range(3):
            yield PathItem(path=circle(Point(room.x + _KNOB + number * _KNOB_STEP, room.center.y), _KNOB), fill=ink)
    if look.cross:
        x, y = room.right - _CROSS, room.center.y
        for sign in (1, -1):
            ends = Point(x - _CROSS, y - sign * _CROSS), Point(x + _CROSS, y + sign * _CROSS)
            yield PathItem(path=polyline(ends), stroke=ink, stroke_width=1.5, cap="round")


def _width(block: TextBlock | None) -> float:
    return 0.0 if block is None else block.width


def _height(block: TextBlock | None) -> float:
    return 0.0 if block is None else block.height


_POINT = (28.0, 28.0)


def _window(name: str, look: _WindowLook, corner_radius: float | None = None) -> NodeKind:
    return NodeKind(
        name=name,
        corner_radius=corner_radius,
        min_size=look.least,
        padding=(14.0, 24.0),
        measure=_window_measure(look),
        paint=_window_paint(look),
        has_own_face=_is_window,
    )


UIFLOW = Family(
    name="uiflow",
    reading_direction=flow_direction,
    main_path=True,
    node_kinds=by_name(
        _window("uiflow.screen", _SCREEN),
        _window("uiflow.modal", _DIALOG),
        _window("uiflow.phone", PHONE, 16.0),
        _window("uiflow.tablet", _TABLET, 12.0),
        NodeKind(
            name="uiflow.entry",
            shape="ellipse",
            tone="start",
            label_below=True,
            label_moves=True,
            fixed_size=_POINT,
            filled_with_stroke=True,
        ),
        NodeKind(
            name="uiflow.exit",
            shape="ellipse",
            tone="end",
            label_below=True,
            label_moves=True,
            fixed_size=_POINT,
            stroke_width=3.5,
        ),
        decision("uiflow.decision"),
    ),
    edge_kinds=by_name(
        EdgeKind(name="uiflow.navigate", end_marker="triangle"),
        EdgeKind(name="uiflow.back", dash=(6.0, 4.0), end_marker="triangle", upward=True),
        EdgeKind(name="uiflow.action", dash=(2.0, 4.0), end_marker="arrow"),
    ),
)
